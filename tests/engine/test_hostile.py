"""Every value for every public name is accepted or refused by a readable CrashlabError, and nothing else changes.

`USES` has every public function, method and widget with a hole for each of its arguments; `VALUES` fills the holes.
"""

import decimal
import fractions
import functools
import warnings
from tempfile import mkdtemp

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError, Dice, Duel, Match, Random, agents, lab
from crashlab.base.errors import printable
from crashlab.course.exercises import CHECKS

LONGEST = 3000  # letters of a message; some list all choices


class Silent:
    def __repr__(self):
        raise ValueError("not telling")


class Vast:
    def __repr__(self):
        return "v" * 1_000_000


class Word(str):
    """A subclass of str."""


def refuse(*_, **__):
    raise RuntimeError("nothing can be done with it")


METHODS = ("repr", "str", "eq", "hash", "bool", "len", "iter", "contains", "getitem", "index", "int", "float", "format")
Unruly = type("Unruly", (), {f"__{name}__": refuse for name in METHODS})


SIGNS = "\x1b[31m\u202eevil\x07\r\u2066"  # an escape sequence, marks of the text direction, a bell


def nested(depth=2000):
    return functools.reduce(lambda inside, _: [inside], range(depth), [])


VALUES = {
    "nothing": None,
    "true": True,
    "minus": -1,
    "huge": 10**5000,
    "less than huge": -(10**5000),
    "too long for a machine": 1 << 70,
    "nan": float("nan"),
    "inf": float("inf"),
    "a half": 0.5,
    "complex": 1j,
    "fraction": fractions.Fraction(1, 3),
    "decimal": decimal.Decimal("sNaN"),
    "empty word": "",
    "word": "x",
    "half a letter": "\ud800",
    "a word of another kind": Word("light"),
    "a million letters": "x" * 1_000_000,
    "digits": "9" * 5000,
    "bytes": b"abc",
    "list": [],
    "dict": {},
    "set": set(),
    "nested": nested(),
    "a nested dict": {"a": nested()},
    "huge inside": [10**5000],
    "a long list": [0] * 10_000,
    "numpy int": np.int64(1),
    "numpy small int": np.uint8(2),
    "numpy float": np.float64("nan"),
    "numpy bool": np.True_,
    "numpy row": np.array([1, 2]),
    "numpy rows": np.zeros((2, 2)),
    "numpy empty": np.array([]),
    "numpy word": np.str_("x"),
    "object": object(),
    "class": int,
    "signs": SIGNS,
    "signs told": type("Signs", (), {"__repr__": lambda self: SIGNS})(),
    "silent": Silent(),
    "vast": Vast(),
    "unruly": Unruly(),
}

GAME = crashlab.game("autoscooter", players=2)
STATE = GAME.start(1)
TURN = STATE.sample(Random(1))
PLAYED = Match(GAME, agents.random(1), 1)
PLAYED.run(2)
WAITING = Match(GAME, {1: agents.random(1)}, 1)
RECORD = PLAYED.to_dict()
BOOK = GAME.rulebook
RNG, DICE = Random(1), Dice(1, 2, 3)
LIGHT = agents.flat(playouts=1, decisions=1, worlds=1)
SEARCH = agents.Search(STATE, 0, decisions=1, worlds=1)
HALF = GAME.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
DUEL = Duel.of([[0, -1], [1, 0]])
SIMULATED = crashlab.simulate(GAME, 2, progress=False)
COMPARED = crashlab.compare(GAME, "own_car", games=2, progress=False)
QUICK = {"games": 1, "progress": False}
ENDGAME = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
SMALL = {"rows": ["1 F"], "columns": ["1 F"], "playouts": 1, "progress": False}


@functools.cache
def standings():
    return crashlab.tournament(GAME, {"a": "random", "b": "random"}, **QUICK)


def standing():
    """Return everything that could change."""
    matches = [(len(match.turns), dict(match.forfeits), match.seed) for match in (PLAYED, WAITING)]
    return matches, RNG.luck, DICE.left[:], SEARCH.playouts, hash(STATE), hash(HALF), GAME.options


def hashable(value):
    """Return a value that can be the key of a dict."""
    try:
        hash(value)
    except Exception:
        return "no key"
    return value


def seconds(value):
    """Return whether a value is a possible waiting time."""
    return isinstance(value, int | float | fractions.Fraction | np.number) and 0 < value < 1 << 80


def fixed(answer):
    """Return a function that always answers this."""
    return lambda *_, **__: answer


USES = {
    "game()": crashlab.game,
    "Game.changed": lambda x: GAME.changed(players=x),
    "Game.seat_name": GAME.seat_name,
    "Game.seat": GAME.seat,
    "Game.start": GAME.start,
    "Game.read": GAME.read,
    "Game.read a key": lambda x: GAME.read({hashable(x): 1}),
    "Game.read luck": lambda x: GAME.read({"luck": x}),
    "Game.set_up": GAME.set_up,
    "Game.problems": GAME.problems,
    "Rulebook[]": lambda x: BOOK[x],
    "Rulebook in": lambda x: x in BOOK,
    "Rulebook.cite": BOOK.cite,
    "State.actions": STATE.actions,
    "State.code seat": lambda x: STATE.code(x, "1 F"),
    "State.code action": lambda x: STATE.code(0, x),
    "State.code of an action": lambda x: STATE.code(x, STATE.actions(0)[0]),
    "State.refusal seat": lambda x: STATE.refusal(x, "1 F"),
    "State.refusal action": lambda x: STATE.refusal(0, x),
    "State.legal_code": lambda x: STATE.legal_code(0, x),
    "State.legal_code seat": lambda x: STATE.legal_code(x, "1 F"),
    "State.play": STATE.play,
    "State.play a seat": lambda x: STATE.play({0: "1 F", hashable(x): "1 F"}),
    "State.play an action": lambda x: STATE.play({0: "1 F", 1: x}),
    "State.sample": STATE.sample,
    "State.seen_by": STATE.seen_by,
    "State.guess": STATE.guess,
    "State.svg theme": STATE.svg,
    "State.svg scale": lambda x: STATE.svg("light", x),
    "State.png theme": STATE.png,
    "State.png scale": lambda x: STATE.png("light", x),
    "State ==": lambda x: x is not UNRULY and STATE == x,
    "Actions in": lambda x: x in STATE.actions(0),
    "Turn.at": TURN.at,
    "Turn.picture": TURN.picture,
    "Turn.effects": TURN.effects,
    "Turn.ways": TURN.ways,
    "Turn.why": TURN.why,
    "Turn.seen_by": TURN.seen_by,
    "Turn.svg beat": TURN.svg,
    "Turn.svg theme": lambda x: TURN.svg(None, x),
    "Turn.svg scale": lambda x: TURN.svg(None, "light", x),
    "Turn.png beat": lambda x: TURN.png(x, scale=0.1),
    "Turn.gif theme": TURN.gif,
    "Turn.gif scale": lambda x: TURN.gif("light", x),
    "Turn.gif milliseconds": lambda x: TURN.gif("light", 0.1, x),
    "Match": Match,
    "Match agents": lambda x: Match(GAME, x),
    "Match an agent": lambda x: Match(GAME, {0: x}),
    "Match a seat": lambda x: Match(GAME, {hashable(x): agents.random(1)}),
    "Match seed": lambda x: Match(GAME, None, x).to_dict(),
    "Match forfeits": lambda x: Match(GAME, None, 1, x),
    "Match limit": lambda x: Match(GAME, agents.random(1), limit=x),
    "Match budget": lambda x: Match(GAME, agents.random(1), budget=x),
    "Match.play": lambda x: Match(GAME, {1: agents.random(1)}, 1).play(x),
    "Match.play refused": lambda x: WAITING.play({0: x, 1: x}),
    "Match.run": lambda x: Match(GAME, agents.random(1), 1).run(x),
    "Match.from_dict": Match.from_dict,
    **{f"Match.from_dict {key}": lambda x, key=key: Match.from_dict({**RECORD, key: x}) for key in RECORD},
    "Match.from_dict start": lambda x: Match.from_dict({**RECORD, "start": x}),
    "Match.from_dict forfeits": lambda x: Match.from_dict({**RECORD, "forfeits": x}),
    "Match.from_dict a forfeit": lambda x: Match.from_dict({**RECORD, "forfeits": {"A": x}}).to_dict(),
    "Match.from_dict options": lambda x: Match.from_dict({**RECORD, "options": {hashable(x): 1}}),
    "Match.from_dict an option": lambda x: Match.from_dict({**RECORD, "options": {"players": x}}),
    "Match.from_dict an action": lambda x: Match.from_dict({**RECORD, "actions": [x]}),
    "Match.from_dict a seat": lambda x: Match.from_dict({**RECORD, "actions": [{hashable(x): "1 F", "B": "1 F"}]}),
    "an agent's answer": lambda x: Match(GAME, fixed(x), 1).play(),
    "an agent's answer, forfeits": lambda x: Match(GAME, fixed(x), 1, forfeits=True).play(),
    "Random": Random,
    "Random.at": lambda x: Random.at(x).below(6),
    "Random.below": RNG.below,
    "Random.choice": RNG.choice,
    "Random.weighted": RNG.weighted,
    "Random.weighted a weight": lambda x: RNG.weighted([1, x]),
    "Random.shuffled": lambda x: RNG.shuffled(x[:10] if isinstance(x, str) else x),
    "Random.split": RNG.split,
    "Dice": lambda x: Dice(x).below(6),
    "Dice.below": DICE.below,
    "Dice.weighted": DICE.weighted,
    "simulate": lambda x: crashlab.simulate(x, 1, progress=False),
    "simulate games": lambda x: crashlab.simulate(GAME, x, progress=False),
    "simulate agents": lambda x: crashlab.simulate(GAME, agents=x, **QUICK),
    "simulate an agent": lambda x: crashlab.simulate(GAME, agents={0: x}, **QUICK),
    "simulate a seat": lambda x: crashlab.simulate(GAME, agents={hashable(x): "random"}, **QUICK),
    "simulate seed": lambda x: str(crashlab.simulate(GAME, seed=x, **QUICK)),
    "simulate workers": lambda x: crashlab.simulate(GAME, workers=x, **QUICK),
    "simulate events": lambda x: crashlab.simulate(GAME, events=x, **QUICK),
    "simulate progress": lambda x: crashlab.simulate(GAME, 1, progress=x),
    "Results.column": SIMULATED.column,
    "Results.mean": SIMULATED.mean,
    "Results.half_width": SIMULATED.half_width,
    "Results.wins": SIMULATED.wins,
    "Results.match": SIMULATED.match,
    "Results.plot": SIMULATED.plot,
    "Results.plot axes": lambda x: x is None or SIMULATED.plot("AS-C5", axes=x),
    "compare": lambda x: crashlab.compare(x, "own_car", **QUICK),
    "compare option": lambda x: crashlab.compare(GAME, x, **QUICK),
    "compare values": lambda x: crashlab.compare(GAME, "own_car", x, **QUICK),
    "compare a value": lambda x: crashlab.compare(GAME, "own_car", [x], **QUICK),
    "compare games": lambda x: crashlab.compare(GAME, "own_car", games=x, progress=False),
    "Comparison[]": lambda x: COMPARED[x],
    "Comparison.difference": lambda x: COMPARED.difference(x, "case", "speed"),
    "Comparison.difference value": lambda x: COMPARED.difference("AS-C5", x, "speed"),
    "Comparison.sample": lambda x: COMPARED.sample(x, "case"),
    "Comparison.sample value": lambda x: COMPARED.sample("AS-C5", x),
    "Comparison.plot": COMPARED.plot,
    "Comparison.plot axes": lambda x: x is None or COMPARED.plot("AS-C5", axes=x),
    "tournament": lambda x: crashlab.tournament(x, ["random", "greedy"], **QUICK),
    "tournament agents": lambda x: crashlab.tournament(GAME, x, **QUICK),
    "tournament names": lambda x: crashlab.tournament(GAME, [x, "random"], **QUICK),
    "tournament an agent": lambda x: crashlab.tournament(GAME, {"a": x, "b": "random"}, **QUICK),
    "tournament a name": lambda x: crashlab.tournament(GAME, {hashable(x): "random", "b": "random"}, **QUICK),
    "tournament a maker": lambda x: str(crashlab.tournament(GAME, {"a": lambda seed: x, "b": "random"}, **QUICK)),
    "tournament games": lambda x: crashlab.tournament(GAME, {"a": "random", "b": "random"}, x, progress=False),
    "tournament limit": lambda x: crashlab.tournament(GAME, {"a": "random", "b": "random"}, limit=x, **QUICK),
    "tournament seed": lambda x: str(crashlab.tournament(GAME, {"a": "random", "b": "random"}, seed=x, **QUICK)),
    "tournament workers": lambda x: crashlab.tournament(GAME, {"a": "random", "b": "random"}, workers=x, **QUICK),
    "Standings[]": lambda x: standings()[x],
    "Standings.between": lambda x: standings().between(x, "a"),
    "league": crashlab.league,
    "league game": lambda x: crashlab.league(mkdtemp(), x),
    "league games": lambda x: crashlab.league(mkdtemp(), GAME, x),
    "league rounds": lambda x: crashlab.league(mkdtemp(), GAME, rounds=x),
    "league limit": lambda x: crashlab.league(mkdtemp(), GAME, limit=x),
    "league memory": lambda x: crashlab.league(mkdtemp(), GAME, memory=x),
    "league seed": lambda x: crashlab.league(mkdtemp(), GAME, seed=x),
    "league workers": lambda x: crashlab.league(mkdtemp(), GAME, workers=x),
    "league progress": lambda x: crashlab.league(mkdtemp(), GAME, progress=x),
    "Season.match": lambda x: crashlab.Season(mkdtemp(), GAME).match(x),
    "duel": lambda x: crashlab.duel(x, **SMALL),
    "duel seats": lambda x: crashlab.duel(STATE, x, **SMALL),
    "duel a seat": lambda x: crashlab.duel(STATE, (0, x), **SMALL),
    "duel rows": lambda x: crashlab.duel(STATE, **{**SMALL, "rows": x or ["1 F"] if x is None else x}),
    "duel a row": lambda x: crashlab.duel(STATE, **{**SMALL, "rows": [x]}),
    "duel playouts": lambda x: crashlab.duel(STATE, **{**SMALL, "playouts": x}),
    "duel decisions": lambda x: crashlab.duel(STATE, decisions=x, **SMALL),
    "duel seed": lambda x: crashlab.duel(STATE, seed=x, **SMALL),
    "duel value": lambda x: crashlab.duel(STATE, value=x, **SMALL),
    "duel progress": lambda x: crashlab.duel(STATE, decisions=2, **{**SMALL, "playouts": 2, "progress": x}),
    "solve": crashlab.solve,
    "solve rounds": lambda x: crashlab.solve(ENDGAME, x, progress=False),
    "solve max_matrix_games": lambda x: crashlab.solve(ENDGAME, max_matrix_games=x, progress=False),
    "solve progress": lambda x: crashlab.solve(ENDGAME, progress=x),
    "Duel.of": Duel.of,
    "Duel.of a row": lambda x: Duel.of([x, x]),
    "Duel.of a number": lambda x: Duel.of([[x]]),
    "Duel.of names": lambda x: str(Duel.of([[1]], rows=x)),
    "Duel.of a name": lambda x: str(Duel.of([[1]], rows=[x])),
    "Duel.solve": DUEL.solve,
    "Duel.solve steps": lambda x: DUEL.solve("regret", x),
    "Duel.best_reply row": lambda x: DUEL.best_reply(row=x),
    "Duel.best_reply column": lambda x: DUEL.best_reply(column=x),
    "Duel.best_reply a plot": lambda x: DUEL.best_reply(row={hashable(x): 1}),
    "Duel.best_reply a probability": lambda x: DUEL.best_reply(row={"1": x, "2": 0}),
    "agents.agent": agents.agent,
    "agents.agent seed": lambda x: agents.agent("random", x),
    "agents.random": agents.random,
    "agents.think": lambda x: LIGHT.think(x, 0),
    "agents.think seat": lambda x: LIGHT.think(STATE, x),
    "greedy.think": lambda x: agents.greedy(1).think(x, 0),
    "greedy.think seat": lambda x: agents.greedy(1, worlds=1, decisions=1, max_actions=1).think(STATE, x),
    "random.think": lambda x: agents.random(1).think(x, 0),
    "random()()": lambda x: agents.random(1)(x, 0),
    "Thoughts.table": lambda x: SEARCH.thoughts().table(x),
    "Search": lambda x: agents.Search(x, 0),
    "Search seat": lambda x: agents.Search(STATE, x),
    **{
        f"Search {name}": lambda x, name=name: agents.Search(STATE, 0, **{"worlds": 1, name: x})
        for name in ("seed", "method", "decisions", "worlds", "value", "exploration", "only")
    },
    "Search only one": lambda x: agents.Search(STATE, 0, only=[x]),
    "Search.grow": lambda x: agents.Search(STATE, 0, decisions=1, worlds=1).grow(x),
    "Search.grow_for": lambda x: SEARCH.grow_for(0.001 if seconds(x) else x),
    **{
        f"{maker.__name__} {name}": lambda x, maker=maker, name=name: maker(**{name: x})
        for maker, names in {
            agents.greedy: ("seed", "worlds", "decisions", "max_actions"),
            agents.mcts: ("seed", "playouts", "seconds", "decisions", "worlds", "value", "exploration"),
        }.items()
        for name in names
    },
    "seeded": lambda x: agents.random(1).seeded(x),
    "check": lambda x: crashlab.check(x, None),
    **{f"check {name}": lambda x, name=name: crashlab.check(name, x) for name in CHECKS},
    **{f"check {name} answers": lambda x, name=name: crashlab.check(name, fixed(x)) for name in CHECKS},
}
UNRULY = VALUES["unruly"]
SLOW = {f"check {name}{more}" for name in CHECKS for more in ("", " answers")} | {"State.png scale", "Turn.gif scale"}
TELLING = ("nothing", "huge", "nan", "nested", "a million letters", "numpy row", "silent", "unruly")  # for slow uses

WIDGETS = {
    "Board": lab.Board,
    "Board theme": lambda x: lab.Board(STATE, theme=x),
    "Board scale": lambda x: lab.Board(STATE, scale=x),
    "Board animate": lambda x: lab.Board(STATE, animate=x),
    "Board follows": lambda x: lab.Board(STATE, follows=x),
    "Stepper": lab.Stepper,
    "Stepper theme": lambda x: lab.Stepper(TURN, theme=x),
    "Explorer": lab.Explorer,
    "Explorer agents": lambda x: lab.Explorer(STATE, x),
    "Explorer an agent": lambda x: lab.Explorer(STATE, {0: x}),
    "Explorer theme": lambda x: lab.Explorer(STATE, theme=x),
    "Predict": lab.Predict,
    "Predict poll": lambda x: lab.Predict(TURN, poll=x),
    "Predict scale": lambda x: lab.Predict(TURN, scale=x),
    "Guess": lambda x: lab.Guess(x, ["a", "b"]),
    "Guess names": lambda x: lab.Guess("What?", x),
    "Guess truth": lambda x: lab.Guess("What?", ["a", "b"], x),
    "Guess drawn": lambda x: lab.Guess("What?", ["a", "b"], drawn=x),
    "Guess most": lambda x: lab.Guess("What?", ["a", "b"], most=x),
    "Guess step": lambda x: lab.Guess("What?", ["a", "b"], step=x),
    "Guess unit": lambda x: lab.Guess("What?", ["a", "b"], unit=x),
    "Arena": lab.Arena,
    "Arena agents": lambda x: lab.Arena(GAME, x),
    "Arena an agent": lambda x: lab.Arena(GAME, {0: x}),
    "Arena a seat": lambda x: lab.Arena(GAME, {hashable(x): "random"}),
    "Arena seed": lambda x: lab.Arena(GAME, seed=x),
    "Arena limit": lambda x: lab.Arena(GAME, limit=x),
    "Arena speed": lambda x: lab.Arena(GAME, speed=x),
    "Heat": lab.Heat,
    "Heat seat": lambda x: lab.Heat(STATE, x),
    "Heat precision": lambda x: lab.Heat(STATE, precision=x),
    "Heat limit": lambda x: lab.Heat(STATE, limit=x),
    "Heat seed": lambda x: lab.Heat(STATE, seed=x),
    "Heat method": lambda x: lab.Heat(STATE, method=x),
    "Bluff": lab.Bluff,
    "Bluff steps": lambda x: lab.Bluff(DUEL, steps=x),
    "League": lab.League,
    "League game": lambda x: lab.League(mkdtemp(), x),
    "League rounds": lambda x: lab.League(mkdtemp(), GAME, rounds=x),
    "League.show": lambda x: lab.League(mkdtemp(), GAME).show(x),
    "League.choose": lambda x: lab.League(mkdtemp(), GAME).choose(x),
}


def positions(name):
    """Yield every place in a position's JSON (first ones of lists), a name of each table, every word of its text."""
    game, rng = crashlab.game(name), Random(2)
    state = game.start(1)
    for _ in range(8):
        state = state.sample(rng).after
    for place, filled in holes(state.to_dict()):
        yield place, lambda x, filled=filled: game.read(filled(x))
    words = state.text.split(" ")
    for place, word in enumerate(words):
        yield word, lambda x, place=place: isinstance(x, str) and game.read(" ".join(put(words, place, x)))


def holes(tree, place=""):
    """Yield the places in a tree of dicts and lists, each with a function that replaces the value there."""
    if isinstance(tree, dict):
        yield f"{place} a name", lambda x: {**tree, hashable(x): 1}
        inner = list(tree.items())
    else:
        inner = list(enumerate(tree))[:1] if isinstance(tree, list) else []
    for name, branch in inner:
        there = f"{place}.{name}".lstrip(".")
        yield there, functools.partial(put, tree, name)
        for deeper, filled in holes(branch, there):
            yield deeper, lambda x, name=name, filled=filled: put(tree, name, filled(x))


def put(tree, name, thing):
    """Return a copy of a dict or list with something else at this place."""
    other = tree.copy()
    other[name] = thing
    return other


def wrong(use, names=VALUES):
    """Yield the uses that go wrong with one of the values."""
    for name in names:
        value = VALUES[name]
        before = standing()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                use(value)
        except CrashlabError as error:
            words = str(error)
            if len(words) > LONGEST:
                yield f"{name}: {len(words)} letters: {words[:80]} ... {words[-80:]}"
            if printable(words) != words or set(words) & set(SIGNS) - set("[31mevil"):
                yield f"{name}: it cannot be printed: {words[:80]!r}"
            if standing() != before:
                yield f"{name}: something has changed"
        except BaseException as error:
            yield f"{name}: {type(error).__name__}: {str(error)[:100] if name != 'unruly' else ''}"


@pytest.fixture
def nobody_looks(monkeypatch, capsys):
    """Discard printed output, and keep Matplotlib from opening windows."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    yield
    capsys.readouterr()
    from matplotlib import pyplot

    pyplot.close("all")


@pytest.mark.few(2)
@pytest.mark.parametrize("use", USES)
def test_a_public_name_takes_it_or_refuses_it_in_words(use, nobody_looks):
    assert list(wrong(USES[use], TELLING if use in SLOW else VALUES)) == []


def taken(use, value):
    """Return whether a use accepts a value."""
    try:
        use(value)
    except CrashlabError:
        return False
    return True


@pytest.mark.few(71)
@pytest.mark.parametrize("use", sorted(({*USES} - SLOW - {"Dice.below"}) | {*WIDGETS}))
def test_a_number_of_numpys_kind_is_taken_where_one_of_pythons_is(use, nobody_looks):
    function = USES.get(use) or WIDGETS[use]
    assert taken(function, 1) == taken(function, np.int64(1))


@pytest.mark.few(12)
@pytest.mark.parametrize("use", WIDGETS)
def test_a_widget_takes_it_or_refuses_it_in_words(use):
    assert list(wrong(WIDGETS[use])) == []


@pytest.mark.few(1)
@pytest.mark.parametrize("name", crashlab.games())
def test_a_position_takes_it_or_refuses_it_in_words(name):
    assert [f"{place}, {words}" for place, use in positions(name) for words in wrong(use)] == []
