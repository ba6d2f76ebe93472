"""Is a rulebook sound? Thousands of random games are played with it, and what breaks is shown in a small position.

    found = crashlab.try_rules(game.with_rules(my_rule))
    print(found)                  # sound, or what is wrong, where, and by which rule
    Stepper(found.problems[0].turn)

Each decision is checked: it ends, raises nothing, leaves a table that breaks no invariant and can be read back, and
what it has told is all that it has done. Then the same games are played compiled, with every index checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

from crashlab import playout, twin
from crashlab.chance import Random, whole_seed
from crashlab.clock import Clock, Time, TimeIsUp, in_place
from crashlab.errors import CrashlabError, shown, told, whole
from crashlab.furnished import cannot
from crashlab.happen import CHANCE, NOWHERE, Trace, replay
from crashlab.notation import counted
from crashlab.progress import bar
from crashlab.state import State, Turn
from crashlab.variant import Game

GAMES = 300
LONG = 20_000  # decisions that a game has at most
PATIENCE = 2.0  # seconds for one decision: rules take a thousandth of that
ATTEMPTS = 400  # positions that are tried while one is made smaller
BOTH = 50  # games that are compared in both bodies
ROOM = 1_000_000  # events of such a game


class Unsound(CrashlabError):
    """A decision after which something is wrong; `kind` says what."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind = kind


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with a rulebook, in the smallest position that was found for it."""

    kind: str  # such as "invariant", "replay", "error", "endless"
    words: str
    position: State
    actions: Mapping[int, str]  # by seat, in notation
    seed: int  # of the game in which it was met

    @property
    def turn(self) -> Turn:
        """What the actions bring about, where that can be played at all."""
        return decided(self.position, self.actions)

    def __str__(self) -> str:
        names = self.position.game.seat_name
        done = ", ".join(f"{names(seat)} {action}" for seat, action in self.actions.items())
        return f"{self.kind}: {self.words}\n    {done or 'it goes on by itself'}, in {self.position.text}"


@dataclass(frozen=True)
class Trial:
    """What came of trying a rulebook."""

    game: Game
    games: int
    problems: tuple[Problem, ...]
    compiled: str  # what was found in compiled play; empty if it is all the same

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems and not self.compiled

    def __bool__(self) -> bool:
        return self.sound

    def __str__(self) -> str:
        if self.sound:
            played = counted(self.games, "game")
            return f"{self.game.name} is sound: nothing broke in {played}, interpreted and compiled."
        lines = [f"{self.game.name} is not sound; {counted(self.games, 'game')} played."]
        return "\n".join([*lines, *map(str, self.problems), *([self.compiled] if self.compiled else [])])

    def __repr__(self) -> str:
        return f"<Trial of {self.game.name}: {'sound' if self.sound else counted(len(self.problems), 'problem')}>"


def try_rules(game: Game, games: int = GAMES, seed: int = 1, progress: bool = True) -> Trial:
    """Play random games with these rules until something is wrong, or all are over; of each kind the first problem."""
    if not isinstance(game, Game):
        raise CrashlabError(f"try_rules() tries a game, as game.with_rules(...) makes one, not {shown(game)}")
    first, number = whole_seed(seed), whole("games", games)
    problems: dict[str, Problem] = {}
    with bar(number, "games", progress) as shown_bar:
        for each in range(first, first + number):
            found = tried(game, each)
            if found and found.kind not in problems:
                problems[found.kind] = smallest(found)
            shown_bar.update(1)
            if "endless" in problems:
                break  # each one more takes as long
    return Trial(game, number, tuple(problems.values()), "" if problems else in_both(game, min(number, BOTH)))


def tried(game: Game, seed: int) -> Problem | None:
    """What goes wrong in the random game with this seed; a property for who tests with properties of their own."""
    state, dice = game.start(seed), Random(seed).split("decisions")
    for _ in range(LONG):
        if state.over:
            return None
        actions: dict[int, str] = {}
        try:
            actions = {seat: str(chosen(state, seat, dice)) for seat in state.actors}
            state = judged(state, actions).after
        except Unsound as error:
            return Problem(error.kind, str(error), state, actions, seed)
    return Problem("endless", f"the game is not over after {LONG:,} decisions", state, {}, seed)


def chosen(state: State, seat: int, dice: Random) -> object:
    """What a seat, or chance, does."""
    if seat == CHANCE:
        return state._drawn(dice)
    if not len(state.actions(seat)):
        raise Unsound("stuck", f"{state.game.seat_name(seat)} is asked, and nothing is legal")
    return dice.choice(state.actions(seat))


def decided(state: State, actions: Mapping[int, str]) -> Turn:
    """The turn of these actions, or of none where nobody has a choice."""
    return state.play(dict(actions)) if actions else state.play()


def judged(state: State, actions: Mapping[int, str]) -> Turn:
    """The turn of these actions; what is wrong with it is raised."""
    clock = Clock(Time(PATIENCE))
    try:
        with clock:
            turn = in_place(partial(decided, state, actions), clock)
    except (TimeIsUp, RecursionError):
        raise Unsound("endless", f"the rules do not come to an end within {PATIENCE:g} s") from None
    except CrashlabError as error:
        raise Unsound("refused", str(error)) from None
    except Exception as error:
        raise Unsound("error", f"the rules stop with {type(error).__name__}: {told(error)}{where(error)}") from None
    table = state.table.copy()
    try:
        replay(table, turn.rows)
    except ValueError as error:
        raise Unsound("replay", f"what is told is not what was done: {error}") from None
    if table != turn.after.table:
        fields = [name for name in table.NAMES if getattr(table, name) != getattr(turn.after.table, name)]
        raise Unsound("replay", f"something is done that is not told, in {', '.join(fields)}: happen() tells it")
    if broken := state.game.problems(turn.after):
        raise Unsound("invariant", "; ".join(broken))
    try:
        same = state.game.read(turn.after.text, forced=False).table == turn.after.table
    except CrashlabError as error:
        raise Unsound("position", f"the position after it cannot be read back: {error}") from None
    if not same:
        raise Unsound("position", "the position after it is another one when it is read back")
    return turn


def where(error: BaseException) -> str:
    """The last line of one's own rules that was run, in words."""
    import linecache
    from traceback import walk_tb

    frames = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__) if frame.f_globals.get("BOOK")]
    if not frames:
        return ""
    code, line = frames[-1]
    words = linecache.getline(code.co_filename, line).strip()
    return f", in line {line - code.co_firstlineno + 1} of {code.co_name}" + (f": `{words}`" if words else "")


# Smaller


def smallest(problem: Problem) -> Problem:
    """The same problem in a position with as little in it as possible."""
    best = problem
    data = problem.position.to_dict()
    attempts = 0
    smaller = True
    while smaller and attempts < ATTEMPTS:
        smaller = False
        for without in cuts(data):
            attempts += 1
            if attempts >= ATTEMPTS:
                break
            found = same_problem(best, without)
            if found:
                best, data, smaller = found, without, True
                break
    return best


def cuts(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Positions with less in them: without a part; without one thing or two, everywhere; without one, in one part."""
    for key in sorted(data, key=lambda key: -len(json.dumps(data[key]))):
        yield {name: value for name, value in data.items() if name != key}
    tables = [key for key, value in data.items() if isinstance(value, dict)]
    things = list(dict.fromkeys(name for key in tables for name in data[key]))
    for gone in [*combinations(things, 1), *combinations(things, 2)]:
        less = deepcopy(data)
        for key in tables:
            less[key] = {name: value for name, value in less[key].items() if name not in gone}
        yield less
    for key, value in data.items():
        for inner in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
            less = deepcopy(data)
            del less[key][inner]
            yield less


def same_problem(problem: Problem, data: dict[str, Any]) -> Problem | None:
    """The problem in this position, if it is one, and the same goes wrong there after the same actions."""
    try:
        position = problem.position.game.read(data, forced=False)
        if set(position.actors) != set(problem.actions):
            return None
        judged(position, problem.actions)
    except Unsound as error:
        same = error.kind == problem.kind
        return Problem(error.kind, str(error), position, problem.actions, problem.seed) if same else None
    except Exception:  # it is no position of this game
        return None
    return None


# In both bodies


def in_both(game: Game, games: int) -> str:
    """What is not the same in compiled play, with every index checked; empty if all is."""
    if not twin.can_compile():
        return ""
    if reason := cannot(game.rules):
        return f"It is played interpreted: {reason}."
    body = twin.Compiled(game.rules, checked=True)
    for number in range(games):
        try:
            fast = played(body, game, number, body.trace(ROOM))
        except IndexError as error:
            return f"Compiled, it reaches past the end of a row in game {number}: {told(error)}."
        except Exception as error:
            return f"Compiling them fails: {cannot(game.rules, error)}."
        if fast != played(twin.interpreted(game.rules), game, number, Trace()):
            return f"Compiled, game {number} is another one."
    return ""


def played(body: twin.Body, game: Game, number: int, trace: Any) -> tuple[Any, ...]:
    """A random game: its last table, its decisions, and its events."""
    work: Any = body.tables([game.start(number).table])
    luck = body.luck(Random(number).luck)
    done = body.bind(playout.play_on)(work[0], NOWHERE, luck, body.row(game.rules.MOST_ACTIONS), trace)
    rows = trace.rows if isinstance(trace, Trace) else [tuple(row) for row in trace[1 : trace[0, 1] + 1].tolist()]
    return body.table(work, 0), done, rows
