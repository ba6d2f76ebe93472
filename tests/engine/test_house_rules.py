"""A user's rules in place of the book's: `game.with_rules`."""

import concurrent.futures
import inspect
import multiprocessing
import pickle
import re
import subprocess
import sys
import threading
import traceback
from importlib import import_module
from pathlib import Path

import pytest
from cell_functions import cell
from crash_and_grab_positions import GREEN, RED, board
from effort import LEVEL, effort
from game_variants import combined
from test_golden import SCENES, golden, playthrough

import crashlab
from crashlab import CrashlabError, Random
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels.random_play import play_on
from crashlab.compiled.wasm import module_cache
from crashlab.course.lessons import example_rules
from crashlab.engine.game import State
from crashlab.engine.house_rules import modules
from crashlab.engine.house_rules.check import own_names
from crashlab.engine.house_rules.source import unannotated
from crashlab.engine.rules import readable, table_class
from crashlab.engine.table import NOWHERE, Row, Trace
from crashlab.games.crash_and_grab.state import RIGHT
from crashlab.play import summary
from crashlab.play.rule_testing import played

GAME = crashlab.game("autoscooter", players=2)
SIDE = {"cars": {"1": "31E2", "2": "33SW2"}}  # car 1 can drive into the side of car 2
PLANS = {"A": "1 FFL", "B": "2 FLL"}
SOURCE = '''
def hit_side(table, car, hit, side, v, cause, trace):
    """A car that is hit in the side pays both
    speeds twice, and stops."""
    crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
    pay(table, hit, car, FINE * (v + table.speed[hit]), v, HOUSE, crash, trace)
    happen(table.speed, SPEED, hit, 0, HOUSE, crash, trace)
    return crash
'''
PROOF = LEVEL == "proof"  # of all games, which takes minutes of compiling
GAMES = effort(2, 6, 500)


@pytest.fixture(scope="module")
def hit_side():
    return cell(SOURCE)["hit_side"]


@pytest.fixture(scope="module")
def mine(hit_side):
    return GAME.with_rules(hit_side, FINE=2)


@pytest.fixture(scope="module")
def turn(mine):
    return mine.read(SIDE).play(PLANS)


def crash_of(turn):
    return next(event for event in turn.events if event.rule == "HOUSE-1")


# The game with the rules


def test_it_is_a_game_like_any_other_and_says_whose_rules_it_has(mine):
    assert isinstance(mine, crashlab.Game) and mine.name == "autoscooter with hit_side" and mine.book == "autoscooter"
    assert mine.title == GAME.title and mine.seats == GAME.seats
    assert repr(mine) == "game('autoscooter', with_rules=hit_side, FINE=2, players=2)"


def test_its_docstring_is_a_rule_of_its_book(mine):
    rule = mine.rulebook["HOUSE-1"]
    assert rule.text == "A car that is hit in the side pays both speeds twice, and stops."
    assert rule.mark == "yours" and rule.title == "hit side" and rule.numbers == GAME.rulebook["AS-C4"].numbers
    assert [*mine.rulebook][:-1] == [*GAME.rulebook] and "HOUSE-1" not in GAME.rulebook


def test_it_is_told_with_its_rule_and_its_causes(turn):
    crash = crash_of(turn)
    assert crash.text == "car 1 at speed 2 hits the side of car 2 at speed 2"
    assert crash.what == {"rammer": "1", "hit": "2", "v": 2, "w": 2}
    effects = [event.text for event in turn.events if event.rule == "HOUSE-1"]
    assert effects[1:] == ["B pays 8 chits (20 to 12)", "A gets 8 chits (20 to 28)", "car 2 stops (speed 2 to 0)"]
    why = turn.why(effects.index(effects[-1]) + crash.number)
    assert (
        "[HOUSE-1, yours] A car that is hit in the side pays both speeds twice, and stops." in why and "[AS-R4" in why
    )
    assert turn.after.scores == (28, 12)


def test_it_is_drawn_as_the_rule_for_which_it_stands(turn):
    crash = crash_of(turn)
    (burst, _), *_ = turn.effects(crash.beat)
    by_the_book = GAME.read(SIDE).play(PLANS)
    theirs = next(event for event in by_the_book.events if event.rule == "AS-C4")
    assert burst in [pair[0] for pair in by_the_book.effects(theirs.beat)] and turn.svg().startswith("<svg")


def test_a_change_that_the_book_has_no_words_for_is_told_plainly():
    odd = cell('''
        def hit_side(table, car, hit, side, v, cause, trace):
            """A blow in the side ends the round at once."""
            return happen(table.round, ROUND, 0, 22, HOUSE, note(HOUSE, cause, 1, 2, 3, 4, trace), trace)

        def car_asked(table, seat):
            """Nobody in the book does this."""
            for car in range(CARS):
                if table.driver[car] == seat and table.asked[car] == table.asking[0]:
                    return car
            return NOWHERE
        ''')
    turn = GAME.with_rules(odd["hit_side"], odd["car_asked"]).read(SIDE).play(PLANS)
    assert all(event.text for event in turn.events) and str(turn) and turn.svg()


def test_simulate_counts_it(mine):
    results = crashlab.simulate(mine, 30, progress=False)
    assert results.mean("HOUSE-1") > 0 and results.notes["AS-C4"].sum() == 0
    assert "HOUSE-1 hit side" in str(results)


def test_constants_are_options(mine, hit_side):
    assert mine.options == {**GAME.options, "FINE": 2} and mine.choices[-1].name == "FINE"
    three = mine.changed(FINE=3)
    assert three == GAME.with_rules(hit_side, FINE=3) != mine
    assert three.read(SIDE).play(PLANS).after.scores == (32, 8)
    assert mine.read(SIDE).play(PLANS).after.scores == (28, 12)
    with pytest.raises(CrashlabError, match="option FINE='x': choose a whole number from -1000 to 1000"):
        mine.changed(FINE="x")
    assert mine.changed(players=3).options["FINE"] == 2


def test_games_with_the_same_rules_are_the_same_wherever_these_are_written(mine):
    again = GAME.with_rules(cell("\n\n# lower\n" + SOURCE)["hit_side"], FINE=2)
    assert again == mine and hash(again) == hash(mine) and again.house.fingerprint == mine.house.fingerprint
    other = GAME.with_rules(cell(SOURCE.replace("twice", "two times"))["hit_side"], FINE=2)
    assert other != mine and other.house.fingerprint != mine.house.fingerprint
    assert mine != GAME and mine.changed(FINE=5).house.fingerprint != mine.house.fingerprint


def test_rules_can_be_added_and_changed_again(mine):
    rear = cell('''
        def hit_rear(table, car, hit, v, cause, trace):
            """A car that rams from behind pays."""
            crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
            pay(table, car, hit, FINE * v, v, HOUSE, crash, trace)
            return crash
        ''')["hit_rear"]
    both = mine.with_rules(rear)
    assert both.house.names == ("hit_side", "hit_rear") and both.name == "autoscooter with hit_side, hit_rear"
    assert [rule.id for rule in both.rulebook][-2:] == ["HOUSE-1", "HOUSE-2"]
    assert both.read(SIDE).play(PLANS).after.scores == (28, 12)
    milder = both.with_rules(cell(SOURCE.replace("FINE *", "0 *"))["hit_side"], FINE=1)
    assert milder.house.names == both.house.names and milder.options["FINE"] == 1
    assert milder.read(SIDE).play(PLANS).after.scores == (20, 20)


def test_a_helper_has_no_rule_of_its_own_without_a_docstring():
    rules = cell('''
        def hit_side(table, car, hit, side, v, cause, trace):
            """A car that is hit in the side loses twice."""
            return lose(table, hit, car, v, note(HOUSE, cause, car + 1, hit + 1, v, 0, trace), trace, HOUSE)

        def lose(table, hit, car, v, crash, trace, rule):
            pay(table, hit, car, twice(v), v, rule, crash, trace)
            return crash

        def twice(v):
            return 2 * v
        ''')
    mine = GAME.with_rules(rules["hit_side"], rules["lose"], rules["twice"])
    assert len(mine.rulebook) == len(GAME.rulebook) + 1
    assert mine.read(SIDE).play(PLANS).after.scores == (24, 16)


def test_the_source_of_a_rule_are_its_functions(mine):
    assert GAME.source("AS-C4").startswith("def hit_side(table: Autoscooter, ")
    assert "AS-C4: the car hit in the side" in GAME.source("AS-C4")
    assert GAME.source("AS-B1") == "No function is named after AS-B1: this rule says how to read other rules.\n"
    with pytest.raises(CrashlabError, match="there is no rule 'AS-C99'"):
        GAME.source("AS-C99")
    assert mine.source("HOUSE-1").strip() == SOURCE.strip()


# Legality


def test_what_is_legal_follows_a_changed_rule():
    """`legal` takes the brakes away, and so do refusals, choices, agents and random play."""
    rules = cell('''
        def legal(table, seat, out):
            """Nobody may brake."""
            car = car_asked(table, seat)
            count = 0
            for row in range(ROUNDS):
                if not table.used[ROUNDS * car + row]:
                    for manoeuvre in range(ABOUT_FACE):
                        if 0 <= SPEED_OF[manoeuvre] - table.speed[car] <= 1:
                            out[count] = number_in(table, car, row) * CODES + manoeuvre
                            count += 1
            return count

        def draw(table, seat, luck, out):
            return out[luck * legal(table, seat, out) >> 31]
        ''')
    mine = GAME.with_rules(rules["legal"], rules["draw"])
    state, book = mine.read(SIDE), GAME.read(SIDE)
    slow = next(action for action in book.actions("A") if state.refusal("A", str(action)))
    assert not book.refusal("A", slow) and slow not in state.actions("A")
    assert not state.refusal("A", "-")  # AS-R7: no list has it, but the book allows it
    assert 0 < len(state.actions("A")) < len(book.actions("A"))
    with pytest.raises(CrashlabError, match="A cannot play"):
        state.play({"A": slow, "B": PLANS["B"]})
    words = [choice.word for choice in state.choices("A")]
    assert str(slow).split()[1] not in words and str(slow).split()[1] in [c.word for c in book.choices("A")]
    offered = {choice.action for word in words for choice in state.choices("A", word)}
    assert offered == set(map(str, state.actions("A")))
    assert crashlab.Match(mine, "greedy", seed=1).run(4)
    assert len(crashlab.simulate(mine, 3, progress=False)) == 3


BY_THE_BOOK = """
def legal(table, seat, out):
    '''Other actions.'''
    count = by_the_book(table, seat, out)
    {}
"""


def listing(game, lines):
    """Return the game with other actions than the book's, which `by_the_book` lists."""
    old = unannotated(inspect.getsource(game.rules.legal)).replace("def legal(", "def by_the_book(", 1)
    without_text = re.sub(r'"""(.|\n)*?"""\n    ', "", old, count=1)
    rules = cell(f"{without_text}\n{BY_THE_BOOK.format(lines)}")
    return game.with_rules(rules["by_the_book"], rules["legal"])


def offered(state, seat, words=()):
    """Yield all actions that can be chosen word by word."""
    for choice in state.choices(seat, *words):
        yield from [choice.action] if choice.action else offered(state, seat, (*words, choice.word))


def moments(game, decisions=60):
    """Yield some states of a random game, each with a seat that decides there."""
    state, dice = game.start(1), Random(1)
    while decisions and not state.over:
        yield from ((state, seat) for seat in state.actors if seat >= 0)
        state, decisions = state.sample(dice).after, decisions - 1


@pytest.mark.parametrize("name", crashlab.games())
def test_what_can_be_chosen_word_by_word_follows_rules_that_allow_less(name):
    """The rules here allow the first half of the book's actions."""
    fewer = listing(crashlab.game(name), "return (count + 1) // 2")
    for state, seat in [*moments(crashlab.game(name))][::5]:
        mine = State(fewer, state.table, state.luck)
        assert 0 < len(mine.actions(seat)) < len(state.actions(seat))
        if len(mine.actions(seat)) > 1:
            assert sorted(offered(mine, seat)) == sorted(map(str, mine.actions(seat)))


@pytest.mark.parametrize("name", ["autoscooter", "crash_and_grab", "crash_city"])
def test_what_can_be_chosen_word_by_word_follows_rules_that_allow_more(name):
    """The rules here allow one more action, from another decision of the same kind."""
    game = crashlab.game(name)
    decisions = [(state, seat, game.decision(state.table, seat).name) for state, seat in moments(game)]
    codes = {kind: {} for _, _, kind in decisions}
    for state, seat, kind in decisions:
        codes[kind].update(dict.fromkeys(state.actions(seat).codes))
    count = 0
    for state, seat, kind in decisions[::5]:
        others = [code for code in codes[kind] if code not in state.actions(seat).codes]
        for code in others[: len(others) : max(len(others) - 1, 1)]:
            mine = State(listing(game, f"out[count] = {code}\n    return count + 1"), state.table, state.luck)
            assert sorted(offered(mine, seat)) == sorted(map(str, mine.actions(seat)))
            count += len(mine.actions(seat)) == len(state.actions(seat)) + 1
    assert count > 5


def test_what_can_be_chosen_word_by_word_follows_a_magnet_that_reaches_farther():
    game = crashlab.game("crash_by_crash")
    far = game.with_rules(*example_rules.FAR_MAGNET)
    more = 0
    for state, seat in [*moments(game)][::8]:
        mine = State(far, state.table, state.luck)
        if len(mine.actions(seat)) > 1:
            assert sorted(offered(mine, seat)) == sorted(map(str, mine.actions(seat)))
            more += len(set(map(str, mine.actions(seat))) - set(map(str, state.actions(seat))))
    assert more


def test_the_first_game_of_a_program_may_have_rules_of_ones_own():
    """Nothing of the book has been drawn or used before."""
    program = """if True:
        import crashlab
        from crashlab.course.lessons import example_rules
        state = crashlab.game("crash_by_crash").with_rules(*example_rules.FAR_MAGNET).start(1)
        print(len(state.choices(state.actors[0])) > 0, state.svg()[:4])
    """
    process = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert process.stdout == "True <svg\n"


# Previews


def test_a_way_of_crash_and_grab_is_shown_as_rules_that_push_less_bring_it_about():
    book = crashlab.game("crash_and_grab", players=2)
    mine = book.with_rules(*example_rules.WEAKER_PUSH)
    table = board({RED: 20, GREEN: 22}).table  # green is two spaces to the right of red
    table.plan[RED], table.phase[0], table.turn[0], table.asked[0] = 4 * 2 + RIGHT, mine.rules.DISTANCE, RED, 0
    ways = {game: game._module("ui").ways_of(table, 0, 4) for game in (book, mine)}
    assert [(way.saucer, way.cell) for way in ways[book]] == [(RED, 22), (GREEN, 26)]
    assert [(way.saucer, way.cell) for way in ways[mine]] == [(RED, 22), (GREEN, 25)]


def test_a_way_of_autoscooter_is_shown_as_rules_without_turns_bring_it_about():
    straight = cell('''
        def drive(table, car, manoeuvre, cause, trace):
            """Nobody turns while driving."""
            for step in range(table.speed[car]):
                if not step_ahead(table, car, table.speed[car], step, cause, trace):
                    return
        ''')["drive"]
    for game, ways in ((GAME, {"FLF": 1, "FF": 0}), (GAME.with_rules(straight), {"FLF": 0, "FF": 0})):
        state = game.read({"cars": {"1": "31E2", "2": "63SW2"}})
        for way, turns in ways.items():
            code = state.code("A", f"1 {way}")
            route = game._module("ui").route(state.table, 0, code)
            after = state.play({"A": f"1 {way}", "B": None}).after
            assert route.cell == after.table.cell[0] and route.facing == after.table.facing[0] == turns
            assert game.ui.target(state.table, 0, code) == state.place(after.cars[1].hex)


# Winners


def last_moment(game):
    """Return the end of a game in which B has more than A, and the texts of its last events."""
    table, trace = game.start(1).table.copy(), Trace()
    rules = game.rules
    if game.book == "autoscooter":
        table.round[0], table.chits[:2] = 12, [15, 25]
        rules.end_game(table, NOWHERE, trace)
    else:
        table.phase[0] = rules.OVER
        if game.book == "crash_by_crash":
            table.score[:] = [7, 12]
        elif game.book == "crash_city":
            table.where[8] = rules.ROOF
        else:
            table.where[0] = rules.ABOARD + 2
        number = type(table).numbers("phase")[0]
        trace.rows.append((1, 0, NOWHERE, number, 0, 0, rules.OVER, 0))
        if game.book == "crash_and_grab":
            rules.end_game(table, rules.W5, NOWHERE, trace)
    return State(game, table), [game.text.event_text(table, Row._make(row)) for row in trace.rows]


@pytest.mark.parametrize("name", crashlab.games())
def test_pictures_words_and_summaries_have_the_winner_of_the_rules_in_force(name):
    book = crashlab.game(name, players=2)
    state, lines = last_moment(book)
    assert state.over and state.scores[0] < state.scores[1] and state.winners == (1,)
    assert "B wins" in state.picture().words and re.search("(B|orange) wins", " ".join(lines))
    mine = book.with_rules(cell("def winners(table):\n    return 1")["winners"])
    state, lines = last_moment(mine)
    assert state.winners == (0,) and summary.leaders(state) == (0,)
    assert "A wins" in state.picture().words and "B wins" not in state.picture().words
    assert re.search("(A wins($| with (0|15) c)|blue wins, 7 to 12)", " ".join(lines))


# Other places that play by them


def test_a_game_with_such_rules_is_played_everywhere(mine):
    match = crashlab.Match(mine, "greedy", seed=1)
    match.run(3)
    assert match.game == mine
    assert "Rules of your own: HOUSE-1: A car that is hit" in mine.poster()._repr_mimebundle_()["text/plain"]
    assert mine.notation == GAME.notation
    standings = crashlab.tournament(mine, {"one": "random", "other": "random"}, games=2, progress=False)
    assert "one" in str(standings)
    assert (
        crashlab.duel(crashlab.game("autoscooter", players=2).with_rules(cell(SOURCE)["hit_side"], FINE=2).read(SIDE))
        is not None
    )


def test_widgets_take_it(mine, turn):
    pytest.importorskip("ipycanvas")
    from crashlab.lab import Explorer, Heat, Predict, Stepper

    state = mine.read(SIDE)
    stepper = Stepper(turn, animate=False)
    stepper.show(crash_of(turn).beat)
    assert "HOUSE-1" in {event.get("rule") for event in stepper.board.page.events}
    assert "pays both speeds twice" in str(stepper.board.page.head["rules"]["HOUSE-1"])
    assert "yours" in str(stepper.board.page.head["rules"]["HOUSE-1"])
    with pytest.raises(CrashlabError, match="there is nothing to predict"):
        Predict(turn)  # the book asks for the rotation of the hit car; these rules do not
    front = mine.read({"cars": {"1": "31E2", "2": "33W0"}}).play({"A": "1 FFL", "B": "2 F"})
    assert any(event.rule == "AS-C2" for event in front.events)
    panels = [stepper, Explorer(state, animate=False), Predict(front, animate=False), Heat(state)]
    for panel in panels:
        assert panel.error is None
        panel.close()


def test_it_goes_along_to_another_process(mine):
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        there = pool.submit(scores_of, pickle.dumps(mine)).result()
        results = crashlab.simulate(mine, 4, workers=pool, progress=False)
    assert there == (repr(mine), (28, 12), mine.house.fingerprint)
    assert results.scores.tolist() == crashlab.simulate(mine, 4, progress=False).scores.tolist()
    assert pickle.loads(pickle.dumps(mine)) == mine and b"_ast" not in pickle.dumps(mine)


def scores_of(pickled):
    """Return the name, the scores and the fingerprint of a game that was sent here."""
    game = pickle.loads(pickled)
    return repr(game), game.read(SIDE).play(PLANS).after.scores, game.house.fingerprint


def test_a_traceback_shows_the_line_of_the_cell():
    rule = cell(SOURCE.replace("    return crash", "    return crash // (v - v)"))["hit_side"]
    state = GAME.with_rules(rule, FINE=1).read(SIDE)
    with pytest.raises(ZeroDivisionError) as error:
        state.play(PLANS)
    last = traceback.extract_tb(error.tb)[-1]
    assert (last.filename, last.lineno, last.name) == (rule.__code__.co_filename, 7, "hit_side")
    assert last.line == "return crash // (v - v)"


def test_a_line_tracer_stops_in_the_lines_of_the_cell(mine, hit_side):
    lines = []

    def trace(frame, event, _):
        if frame.f_code.co_filename == mine.house.texts[0].file:
            lines.append(frame.f_lineno)
        return trace

    old = sys.gettrace()
    sys.settrace(trace)
    try:
        mine.read(SIDE).play(PLANS)
    finally:
        sys.settrace(old)
    assert set(range(4, 8)) <= set(lines)


# Traces left behind


def test_nothing_of_it_is_left_in_another_game(mine):
    before = GAME.read(SIDE).play(PLANS).rows
    rules, module = GAME.rules, import_module("crashlab.games.autoscooter.rules")
    state_of_rules = choose_backend.state_of(rules), choose_backend.state_of(module)
    mine.read(SIDE).play(PLANS)
    fresh = crashlab.game("autoscooter", players=2)
    assert fresh.rules is rules is not mine.rules
    assert (choose_backend.state_of(rules), choose_backend.state_of(module)) == state_of_rules
    assert not {"HOUSE", "HOUSE_0", "YOURS", "FINE"} & set(vars(rules)) and len(rules.BOOK) == len(fresh.rulebook)
    assert fresh.read(SIDE).play(PLANS).rows == before and fresh.house is None
    assert sys.modules["crashlab.games.autoscooter.rules"] is module
    assert all(module not in map(id, sys.modules.values()) for module in map(id, mine._copy._modules.values()))


def test_nothing_of_it_is_left_in_compiled_code(mine):
    def key(rules):
        return module_cache.fingerprint(rules, table_class(rules), play_on, ("none",), "")

    book = crashlab.game("autoscooter", players=2)
    first, before = choose_backend.compiled(book.rules), key(book.rules)
    second = choose_backend.compiled(mine.rules)
    assert second is not first and key(mine.rules) != before
    assert choose_backend.compiled(book.rules) is first and key(book.rules) == before
    assert key(mine.changed(FINE=3).rules) != key(mine.rules)


def test_nothing_is_left_after_an_error():
    rules = import_module("crashlab.games.autoscooter.rules")
    before = dict(vars(rules))
    for wrong in ("def score(table, seat):\n    return fly", "def score(table):\n    return 1"):
        with pytest.raises(CrashlabError):
            GAME.with_rules(cell(wrong)["score"])
    broken = GAME.with_rules(cell(SOURCE.replace("return crash", "return crash // 0"))["hit_side"], FINE=1)
    with pytest.raises(ZeroDivisionError):
        broken.read(SIDE).play(PLANS)
    assert dict(vars(rules)) == before
    assert GAME.read(SIDE).play(PLANS).after.scores == (24, 16)


def test_the_modules_of_a_game_are_loaded_once_for_the_same_rules(hit_side):
    mine = GAME.with_rules(hit_side, FINE=2)  # the rules of other tests may be forgotten by now
    assert GAME.with_rules(hit_side, FINE=2).rules is mine.rules is mine.changed(players=3).rules
    moved = GAME.with_rules(cell(SOURCE)["hit_side"], FINE=2)
    assert moved == mine and moved.rules is not mine.rules  # a breakpoint in the new cell works


def test_two_sets_of_rules_are_made_and_played_at_the_same_time():
    sources = [SOURCE.replace("FINE *", f"{fine} *") for fine in range(4)]
    scores, barrier = {}, threading.Barrier(len(sources))

    def play(fine):
        barrier.wait()
        game = GAME.with_rules(cell(sources[fine])["hit_side"])
        scores[fine] = [game.read(SIDE).play(PLANS).after.scores for _ in range(10)]

    threads = [threading.Thread(target=play, args=(fine,)) for fine in range(len(sources))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert scores == {fine: [(20 + 4 * fine, 20 - 4 * fine)] * 10 for fine in range(4)}


def test_a_program_without_cells_has_the_text_of_a_file(tmp_path):
    (tmp_path / "mine.py").write_text(
        f"import crashlab\n{SOURCE}\ngame = crashlab.game('autoscooter', players=2).with_rules(hit_side, FINE=2)\n"
        f"print(game.read({SIDE}).play({PLANS}).after.scores)\n"
    )
    process = subprocess.run([sys.executable, tmp_path / "mine.py"], capture_output=True, text=True, check=True)
    assert process.stdout == "(28, 12)\n"


# Every function of every game, replaced by itself


def itself(game):
    """Return the game with all its functions replaced by themselves."""
    return game.with_rules(*written(game))


def written(game):
    """Return the functions in the game's own folder."""
    rules = readable(game._folder)
    functions = [getattr(rules, name) for name in own_names(rules)]
    return [one for one in functions if Path(one.__code__.co_filename).parent == Path(rules.__file__).parent]


@pytest.mark.few(2)
@pytest.mark.parametrize("name", crashlab.games())
def test_a_function_in_its_own_place_changes_nothing_that_is_seen(name):
    game = crashlab.game(name)
    mine = itself(game)
    assert len(mine.house.texts) > 30
    one, other, dice = game.start(5), mine.start(5), (Random(3), Random(3))
    for decision in range(40):
        if one.over:
            break
        turns = one.sample(dice[0]), other.sample(dice[1])
        assert turns[0].rows == turns[1].rows and str(turns[0]) == str(turns[1])
        assert [event.what for event in turns[0].events] == [event.what for event in turns[1].events]
        if decision % 8 == 0:
            assert turns[0].svg() == turns[1].svg()
            assert [turns[0].effects(beat) for beat in range(turns[0].beats + 1)] == [
                turns[1].effects(beat) for beat in range(turns[1].beats + 1)
            ]
            assert turns[0].seen_by(0) and [str(e) for e in turns[0].seen_by(0)] == [
                str(e) for e in turns[1].seen_by(0)
            ]
        one, other = (turn.after for turn in turns)
        assert one.text == other.text and one.scores == other.scores


@pytest.mark.few(2)
@pytest.mark.parametrize("name", SCENES)
def test_with_every_function_in_its_own_place_the_golden_playthroughs_are_the_same(name):
    assert list("\n".join(playthrough(name, itself)).splitlines()) == golden(name)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", crashlab.games())
def test_each_function_alone_in_its_own_place_changes_nothing(name):
    """Interpreted; in `make proof` the functions share some 500 games, else each plays a few decisions."""
    book = crashlab.game(name)
    functions = written(book)
    assert len(functions) > 30
    for number in range(GAMES if PROOF else len(functions)):
        mine, length = book.with_rules(functions[number % len(functions)]), NOWHERE if PROOF else 6
        luck = Random(number).luck
        expected = played(choose_backend.interpreted(book.rules), book.start(number), luck, length)
        assert played(choose_backend.interpreted(mine.rules), mine.start(number), luck, length) == expected, (
            mine,
            number,
        )


@pytest.mark.parametrize("name", crashlab.games() if PROOF else ["autoscooter"])
def test_interpreted_equals_compiled_with_every_function_in_its_own_place(name):
    """Games by these rules are compared with games by the book's own rules, interpreted and compiled."""
    pytest.importorskip("wasmtime")
    games = list(combined(name, f"crashlab.games.{name}"))
    mine = itself(games[0])
    for number in range(GAMES):
        game = games[number * len(games) // GAMES % len(games)]
        variant = mine.changed(**game.options)
        assert variant.rules is mine.rules
        luck = Random(number).luck
        book = played(choose_backend.interpreted(game.rules), game.start(number), luck, NOWHERE)
        assert played(choose_backend.interpreted(variant.rules), variant.start(number), luck, NOWHERE) == book, (
            game,
            number,
        )
        assert played(choose_backend.compiled(variant.rules), variant.start(number), luck, NOWHERE) == book, (
            game,
            number,
        )


def test_a_rule_of_ones_own_is_known_to_the_game_as_the_one_of_the_book(mine):
    number = len(GAME.rulebook)
    assert mine._copy.stands == {number: GAME.rulebook.cite("AS-C4")[0]}
    row = modules.AsInTheBook(mine.text, mine._copy)._by_the_book(Row(1, number, -1, -1, 0, 0, 0, 0))
    assert GAME.rulebook[row.rule].id == "AS-C4"
