"""Tests of rulebooks: random games are played, and problems are reduced to small positions.

    trial = crashlab.try_rules(game.with_rules(my_rule))
    print(trial)  # sound, or what is wrong, where, and by which rule
    Stepper(trial.problems[0].turn)

Each decision must end, raise no error, record an event for every change, and leave a table that breaks no invariant and
can be read back. Each change is checked when its event is recorded, so that the first wrong change is reported with its
line. Rules may depend only on the table: two calls with the same table must return the same result, and rules must not
print or open files. Then some of the games (at most BOTH) are also played compiled, with all array indexes checked.
"""

import json
import linecache
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from threading import get_ident
from traceback import walk_tb
from typing import Any, TypeVar

from crashlab.base.clock import Time, TimeIsUp, WorkClock, in_place
from crashlab.base.errors import CrashlabError, printable, require, short_repr, short_str, whole
from crashlab.base.progress import bar
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import random_play
from crashlab.engine import next_decision
from crashlab.engine.chance import Random, whole_seed
from crashlab.engine.game import Game, State, Turn
from crashlab.engine.house_rules.modules import cannot
from crashlab.engine.notation import counted
from crashlab.engine.table import CHANCE, NOTE, NOWHERE, Row, Table, Trace, replay

T = TypeVar("T")

GAMES = 300
LONG = 20_000  # most decisions of a game
PATIENCE = 2.0  # most seconds of processor time for a decision, a thousand times the usual
ATTEMPTS = 400  # most positions tried while reducing one
BOTH = 50  # most games compared between both backends
OFTEN = 20  # repetitions of a decision with different results
BUDGET = 50_000  # most events of a decision; by the book a decision has hundreds
SHOWN = 500  # events shown of an endless decision
AGAIN = "the same decision has different results when it is repeated: a rule may depend only on the table"
OUTSIDE = {
    "open",
    "os",
    "shutil",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
}  # names of audit events that are refused


class Unsound(BaseException):
    """Raised for a problem of the rules, which has a `kind`; `except Exception` in a rule does not catch it."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(printable(words))
        self.kind = kind


@dataclass(frozen=True)
class RuleProblem:
    """A problem of a rulebook, in the smallest position found that shows it."""

    kind: str  # such as "invariant", "replay", "impure", "error", "endless"
    words: str
    position: State
    actions: Mapping[int, str]  # by seat, in notation
    seed: int  # seed of the game with the problem

    @property
    def turn(self) -> Turn:
        """The turn in which the actions are played, incomplete if the rules fail or do not end."""
        return as_far_as_it_goes(self.position, self.actions)

    def __str__(self) -> str:
        names = self.position.game.seat_name
        moves = ", ".join(f"{names(seat)} plays {action}" for seat, action in self.actions.items())
        return f"{self.kind}: {self.words}\n    {moves or 'no seat decides'}, in {self.position.text}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        return {**self._picture(), "text/plain": str(self)}

    def _picture(self) -> dict[str, object]:
        """Return the MIME bundle of the turn, or of the position; empty if neither can be drawn."""
        for thing in (lambda: self.turn, lambda: self.position):
            try:
                view: Turn | State = thing()
                return view._repr_mimebundle_()
            except Exception:
                continue
        return {}


@dataclass(frozen=True)
class Trial:
    """The result of testing a rulebook.

    >>> def legal(table, seat, out):
    ...     \"\"\"Nobody may do anything.\"\"\"
    ...     return 0
    >>> mine = crashlab.game("autoscooter").with_rules(legal)
    >>> crashlab.try_rules(mine, games=1).problems[0].words
    'D must decide, but has no legal action'
    """

    game: Game
    games: int
    problems: tuple[RuleProblem, ...]
    remark: str = ""  # why the rules were not tested compiled, or empty
    planned_games: int = 0  # number of requested games; larger than games if interrupted

    @property
    def sound(self) -> bool:
        """Whether there are no problems."""
        return not self.problems

    def __bool__(self) -> bool:
        return self.sound

    def __str__(self) -> str:
        interruption = f" (stopped; {self.planned_games:,} were requested)" if self.games < self.planned_games else ""
        if self.sound:
            how = f", interpreted{interruption}. {self.remark}" if self.remark else ", interpreted and compiled."
            verb = "is sound as far as it was tested" if interruption else "is sound"
            return f"{self.game.name} {verb}: nothing broke in {counted(self.games, 'game')}{how}"
        lines = [f"{self.game.name} is not sound; {counted(self.games, 'game')} played{interruption}."]
        return "\n".join([*lines, *map(str, self.problems)])

    def __repr__(self) -> str:
        return f"<Trial of {self.game.name}: {'sound' if self.sound else counted(len(self.problems), 'problem')}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        picture = self.problems[0]._repr_mimebundle_() if self.problems else {}
        return {**picture, "text/plain": str(self)}  # the picture of the first problem


def try_rules(game: Game, games: int = GAMES, seed: int = 1, progress: bool = True) -> Trial:
    """Play random games with a game's rules and report the first problem of each kind.

    On interruption, the games played so far are reported.

    Parameters
    ----------
    game : Game
        The game with rules of your own.
    games : int
        The number of games.
    seed : int
        The same seed gives the same games.
    progress : bool
        Whether to show a progress bar if the computation takes longer than a second.

    Returns
    -------
    Trial
        The problems.

    Examples
    --------
    >>> def legal(table, seat, out):
    ...     \"\"\"Nobody may do anything.\"\"\"
    ...     return 0
    >>> mine = crashlab.game("autoscooter").with_rules(legal)
    >>> crashlab.try_rules(mine, games=1).sound
    False
    """
    require(
        isinstance(game, Game),
        f"try_rules() takes a game, such as the result of game.with_rules(...), not {short_repr(game)}",
    )
    first, number = whole_seed(seed), whole("games", games)
    problems: dict[str, RuleProblem] = {}
    count = 0
    try:
        with bar(number, "games", progress) as shown_bar:
            for game_seed in range(first, first + number):
                problem = tried(game, game_seed)
                count += 1
                if problem and problem.kind not in problems:
                    problems[problem.kind] = problem  # kept in case of an interruption while it is reduced
                    problems[problem.kind] = smallest(problem, same_problem)
                shown_bar.update(1)
                if "endless" in problems:
                    break  # further ones would take as long
        if problems:
            return Trial(game, count, tuple(problems.values()))
        if reason := cannot(game.rules) or ("" if choose_backend.can_compile() else "wasmtime is not installed"):
            return Trial(game, number, (), f"They are not compiled: {reason}.")
        return Trial(game, number, *in_both(game, first, min(number, BOTH)))
    except KeyboardInterrupt:
        if not count:
            raise
        return Trial(
            game, count, tuple(problems.values()), "The compiled rules were not tested: the test was stopped.", number
        )


def tried(game: Game, seed: int) -> RuleProblem | None:
    """Return the problem in the random game with a seed, or None; usable as a property for Hypothesis.

    @given(integers(0, 2**32))
    def test_my_rules_are_sound(seed):
        assert tried(mine, seed) is None
    """
    state, dice = State(game, game.set_up(Random(seed).split("set-up"))), Random(seed).split("decisions")
    actions: dict[int, str] = {}
    turns: list[Turn] = []
    try:
        guarded(partial(answers, state, state.table))
        if guarded(partial(next_decision.is_forced, game.rules, state.table)):
            state = judged(state, actions).after
        while actions := guarded(partial(drawn, state, dice)):
            if len(turns) == LONG:
                actions = {}
                raise Unsound("endless", f"the game is not over after {LONG:,} decisions")
            turns.append(judged(state, actions))
            state, actions = turns[-1].after, {}
        if not turns:
            raise Unsound("over", "the game is over before it has begun: actors() gives 0, so no seat ever decides")
        for turn in turns:
            state, actions = turn.before, {seat: str(action) for seat, action in turn.actions.items()}
            if told_of(guarded(partial(decided, state, actions, Trace()))) != told_of(turn):
                raise Unsound("impure", AGAIN)
    except Unsound as error:
        return RuleProblem(error.kind, str(error), state, actions, seed)
    return None


def drawn(state: State, dice: Random) -> dict[int, str]:
    """Check all queries of the rules, and draw the actions of all actors; empty at the end of the game."""
    other = state.table.copy()
    results = answers(state, other)
    if other != state.table:
        fields = different(other, state.table)
        raise Unsound(
            "impure",
            f"actors(), legal(), score() or winners() changes {fields},"
            " but only functions that play an action may do so",
        )
    for what, result in answers(state, state.table, state).items():
        if result != results[what]:
            before, now = short_repr(results[what]), short_repr(result)
            raise Unsound("impure", f"{what} gives {before}, then {now}: a rule may depend only on the table")
    return {
        seat: str(state._drawn(dice) if seat == CHANCE else dice.choice(state.actions(seat))) for seat in state.actors
    }


def answers(state: State, table: Table, listed: State | None = None) -> dict[str, object]:
    """Return the results of all queries of the rules about a table, by query; raise Unsound for invalid ones.

    Legal actions are slow to list, so they are taken from `listed` if it is given.
    """
    rules, seats, name = state.game.rules, state.game.seats, state.game.seat_name
    every = (1 << len(seats)) - 1
    bits = rules.actors(table)
    is_chance = bits == CHANCE and state.game.facts.chance
    if type(bits) is not int or not (0 <= bits <= every or is_chance):
        words = "it should be the sum of 1 if A decides, 2 if B, 4 if C and so on, or 0 at the end"
        raise Unsound("actors", f"actors() gives {short_repr(bits)}: {words}")
    results: dict[str, object] = {"actors()": bits}
    for seat in next_decision.seats_of(bits):
        if listed:
            results[f"legal() for {name(seat)}"] = listed.actions(seat).codes
            continue
        out = [0] * rules.MOST_ACTIONS
        count = rules.legal(table, seat, out)
        if type(count) is not int or not 0 <= count <= len(out):
            words = (
                f"legal() gives {short_repr(count)}: it should be the number of actions in `out`, at most {len(out)}"
            )
            raise Unsound("legal", words)
        if count == 0:
            raise Unsound("stuck", f"{name(seat)} must decide, but has no legal action")
        results[f"legal() for {name(seat)}"] = out[:count]
    for seat in seats:
        points = results[f"score() for {name(seat)}"] = rules.score(table, seat)
        if type(points) is not int:
            raise Unsound("score", f"score() gives {short_repr(points)} for {name(seat)}: it should be a whole number")
    if bits == 0:
        winners = results["winners()"] = rules.winners(table)
        if type(winners) is not int or not 0 < winners <= every:
            raise Unsound(
                "winners",
                f"winners() gives {short_repr(winners)}:"
                " it should be the sum of 1 if A wins, 2 if B, 4 if C and so on, with at least one winner",
            )
    return results


def told_of(turn: Turn) -> tuple[Table, list[Row]]:
    """Return the table after a turn and its events, to compare two turns."""
    return turn.after.table, turn.rows


def different(one: Table, other: Table) -> str:
    """Return the names of the fields that differ."""
    return ", ".join(name for name in one.NAMES if getattr(one, name) != getattr(other, name))


def guarded(think: Callable[[], T]) -> T:
    """Run rules and return their result; raise Unsound for any problem."""
    clock = WorkClock(Time(PATIENCE))
    try:
        with clock:
            return in_place(partial(overheard, think), clock)
    except (TimeIsUp, RecursionError):
        raise Unsound("endless", f"the rules do not end within {PATIENCE:g} s") from None
    except TooMany:
        raise Unsound("endless", f"the rules do not end within {BUDGET:,} events") from None
    except Unsound as error:
        raise Unsound(error.kind, f"{error}{where(error)}") from None
    except CrashlabError as error:
        raise Unsound("refused", str(error)) from None
    except (Exception, SystemExit) as error:
        raise Unsound(
            "error", f"the rules stop with {type(error).__name__}: {short_str(error)}{where(error)}"
        ) from None


class JudgedEvents(list[tuple[int, ...]]):
    """The events of a decision; each is checked when it is recorded, so an error shows the line that records it."""

    def __init__(self, table: Table, rules: int) -> None:
        super().__init__()
        self._table, self._rules = table, rules  # the number of rules in the rulebook

    def append(self, row: tuple[int, ...]) -> None:
        """Check and add an event."""
        if len(self) >= BUDGET:
            raise TooMany
        event = Row._make(row)
        for name, number in zip(Row._fields, row, strict=True):
            if type(number) is not int:
                hint = "; a rule must return the number of its event" if name == "cause" else ""
                raise Unsound(
                    "told", f"the {name} of an event is {short_repr(number)}: it should be a whole number{hint}"
                )
        if not 0 <= event.rule < self._rules:
            raise Unsound("told", f"an event has the rule {event.rule}, which is not in the rulebook")
        if not NOWHERE <= event.cause < len(self):
            raise Unsound("told", f"an event has the cause {event.cause}, but no earlier event has this number")
        if event.field != NOTE:
            self._changed(event)
        super().append(row)

    def _changed(self, event: Row) -> None:
        table, rows = self._table, self._table.rows()
        if not 0 <= event.field < len(rows) or rows[event.field][event.index : event.index + 1] != [event.after]:
            raise Unsound("replay", "an event does not match its change: the field has a different value")
        name, values = table.NAMES[event.field], table.RANGES[event.field]
        if event.after not in values:
            raise Unsound("invariant", f"{name} is {event.after}, but must be from {values[0]} to {values[-1]}")


class TooMany(Exception):
    """Raised if a decision has too many events."""


def decided(state: State, actions: Mapping[int, str], trace: Trace) -> Turn:
    """Play actions (none for a forced decision), record events in the trace, and return the turn."""
    table = state.table.copy()
    trace.rows = JudgedEvents(table, len(state.game.rulebook))
    joint = {seat: state.legal_code(seat, action) for seat, action in actions.items()}
    next_decision.decide(state.game.rules, table, joint, trace)
    next_decision.settle(state.game.rules, table, trace)
    return Turn(state, State(state.game, table, state.luck), joint, list(trace.rows))


def as_far_as_it_goes(state: State, actions: Mapping[int, str]) -> Turn:
    """Return the turn in which actions are played, incomplete if the rules fail or are stopped."""
    trace = Trace()
    if not actions:
        return Turn(state, state, {}, [])  # the problem occurs before any action
    try:
        return guarded(partial(decided, state, actions, trace))
    except Unsound:
        rows, table = list(trace.rows[:SHOWN]), state.table.copy()
        joint = {seat: code for seat, action in actions.items() if (code := coded(state, seat, action)) is not None}
        replay(table, rows)
        return Turn(state, State(state.game, table, state.luck, "the rules did not finish here"), joint, rows)


def coded(state: State, seat: int, action: str) -> int | None:
    """Return the code of an action; None if it cannot be read."""
    try:
        return state.code(seat, action)
    except CrashlabError:
        return None


def judged(state: State, actions: Mapping[int, str]) -> Turn:
    """Play actions and return the turn; raise Unsound for any problem."""
    turn = guarded(partial(decided, state, actions, Trace()))
    without_trace = guarded(partial(unwatched, turn))
    table = state.table.copy()
    try:
        replay(table, turn.rows)
    except ValueError as error:
        raise Unsound("replay", f"the events do not match the changes: {error}") from None
    if table != turn.after.table:
        fields = different(table, turn.after.table)
        raise Unsound("replay", f"a change of {fields} is not recorded: make it with happen()")
    if without_trace.after.table != table:
        for _ in range(OFTEN):
            again, other = guarded(partial(decided, state, actions, Trace())), guarded(partial(unwatched, turn))
            if told_of(again) != told_of(turn) or other.after.table != without_trace.after.table:
                raise Unsound("impure", AGAIN)
        raise Unsound("watching", "the rules behave differently without a trace, where latest() finds no events")
    if problems := state.game.problems(turn.after):
        raise Unsound("invariant", "; ".join(problems))
    try:
        same = state.game.read(turn.after.text, forced=False).table == turn.after.table
    except CrashlabError as error:
        raise Unsound("position", f"the position after the decision cannot be read back: {error}") from None
    if not same:
        raise Unsound("position", "the position after the decision changes when it is read back")
    return turn


def unwatched(turn: Turn) -> Turn:
    """Play the actions of a turn again, without a trace."""
    table, rules = turn.before.table.copy(), turn.before.game.rules
    joint = {seat: action.code for seat, action in turn.actions.items()}
    next_decision.decide(rules, table, joint, None)
    next_decision.settle(rules, table, None)
    return Turn(turn.before, State(turn.before.game, table, turn.after.luck), joint, [])


def where(error: BaseException) -> str:
    """Describe the last line of the rules that ran; empty if there is none."""
    frames = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__) if frame.f_globals.get("BOOK")]
    if not frames:
        return ""
    code, line = frames[-1]
    words = linecache.getline(code.co_filename, line).strip()
    return f", in line {line}, in {code.co_name}" + (f": `{words}`" if words else "")


# Side effects of rules


def overheard(think: Callable[[], T]) -> T:
    """Run rules and return their result; raise Unsound if they print or use anything outside of the game."""
    listen()
    here = get_ident()
    out, errors = Overheard(sys.stdout), Overheard(sys.stderr)
    thinking.add(here)
    try:
        with redirect_stdout(out), redirect_stderr(errors):
            return think()
    finally:
        thinking.discard(here)


thinking: set[int] = set()  # threads that are testing rules


class Overheard:
    """An output stream that refuses the output of rules under test."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def flush(self) -> None:
        self._stream.flush()

    def write(self, words: str) -> Any:
        """Write words; raise Unsound if they come from rules under test."""
        if get_ident() in thinking:
            raise Unsound("impure", f"the rules print {short_repr(words)}: a rule may only change the table")
        return self._stream.write(words)


@cache
def listen() -> None:
    """Install the audit hook, once."""
    sys.addaudithook(stopped)


def stopped(event: str, arguments: tuple[object, ...]) -> None:
    """Raise Unsound if rules use a file, a process or the network, except during an import."""
    if get_ident() in thinking and event.partition(".")[0] in OUTSIDE and not is_importing():
        what = f"open {short_repr(arguments[0])}" if event == "open" else f"reach outside the game ({event})"
        raise Unsound("impure", f"the rules {what}: a rule may depend only on the table")


def is_importing() -> bool:
    """Return whether an import is in progress."""
    frame = sys._getframe()
    while frame.f_back:
        frame = frame.f_back
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            return True
    return False


# Reduction


def smallest(problem: RuleProblem, again: Callable[[RuleProblem, State], RuleProblem | None]) -> RuleProblem:
    """Reduce the position of a problem as far as possible; `again` returns the problem in a position, or None."""
    best, attempts, smaller = problem, 0, True
    data = problem.position.to_dict()
    while smaller and attempts < ATTEMPTS:
        smaller = False
        for without in cuts(data):
            attempts += 1
            try:
                smaller_problem = again(best, best.position.game.read(without, forced=False))
            except Exception:  # not a position of this game
                smaller_problem = None
            if smaller_problem:
                best, data, smaller = smaller_problem, without, True
            if smaller_problem or attempts >= ATTEMPTS:
                break
    return best


def cuts(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield smaller positions: without a part, without one or two names in all parts, without one entry of a part."""
    for key in sorted(data, key=lambda key: -len(json.dumps(data[key]))):
        yield {name: value for name, value in data.items() if name != key}
    tables = [key for key, value in data.items() if isinstance(value, dict)]
    things = list(dict.fromkeys(name for key in tables for name in data[key]))
    for names in [*combinations(things, 1), *combinations(things, 2)]:
        less = deepcopy(data)
        for key in tables:
            less[key] = {name: value for name, value in less[key].items() if name not in names}
        yield less
    for key, value in data.items():
        for inner in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
            less = deepcopy(data)
            del less[key][inner]
            yield less


def same_problem(problem: RuleProblem, position: State) -> RuleProblem | None:
    """Return the problem in another position if the same actions cause the same kind of problem there, else None."""
    try:
        if not problem.actions:
            guarded(partial(drawn, position, Random(problem.seed)))
        elif set(position.actors) == set(problem.actions):
            judged(position, problem.actions)
    except Unsound as error:
        same = error.kind == problem.kind
        return RuleProblem(error.kind, str(error), position, problem.actions, problem.seed) if same else None
    return None


# Comparison of both backends


def in_both(game: Game, first: int, games: int) -> tuple[tuple[RuleProblem, ...], str]:
    """Compare interpreted and compiled play; return the problems, and why the rules cannot be compiled (or empty)."""
    backend = choose_backend.compiled_backend(game.rules, checked=True)
    try:
        compared(backend, game.start(first), Random(first).luck)
    except Exception as error:
        return (), f"The rules cannot be compiled: {cannot(game.rules, error)}."
    for number in range(first, first + games):
        if problem := differing(backend, game, number):
            return (smallest(problem, partial(same_difference, backend)),), ""
    return (), ""


def differing(backend: choose_backend.Backend, game: Game, number: int) -> RuleProblem | None:
    """Play a random game; return the first decision with different results in the backends as a problem, or None."""
    state, dice = game.start(number), Random(number)
    for _ in range(LONG):
        if state.over:
            return None
        luck = dice.luck
        if words := compared(backend, state, luck):
            return difference(words, state, luck)
        state = state.sample(dice).after
    return None


def difference(words: str, state: State, luck: int) -> RuleProblem:
    """Return a difference between the backends as a problem."""
    actions = {seat: str(action) for seat, action in state.sample(Random.at(luck)).actions.items()}
    return RuleProblem("compiled", words, state, actions, luck)


def same_difference(backend: choose_backend.Backend, problem: RuleProblem, position: State) -> RuleProblem | None:
    """Return the problem in another position if the backends differ there as well, else None."""
    words = "" if position.over else compared(backend, position, problem.seed)
    return difference(words, position, problem.seed) if words else None


def compared(backend: choose_backend.Backend, state: State, luck: int) -> str:
    """Describe the difference between the backends after a random decision; empty if there is none."""
    try:
        fast = played(backend, state, luck)
    except IndexError as error:
        return f"the compiled rules reach past the end of a row: {short_str(error)}"
    if fast != played(choose_backend.interpreted(state.game.rules), state, luck):
        return "the compiled rules have different results: compiled numbers have 64 bits, and rows have a fixed length"
    return ""


def played(backend: choose_backend.Backend, state: State, luck: int, decisions: int = 1) -> tuple[Any, ...]:
    """Play random decisions; return the table, the number of decisions played, the luck, and the events."""
    work: Any = backend.tables([state.table])
    source, out = backend.luck(luck), backend.row(state.game.rules.MOST_ACTIONS)
    room = BUDGET if decisions == 1 else 20 * BUDGET
    trace: Any = Trace() if isinstance(backend, choose_backend.Interpreted) else backend.trace(room)
    count = backend.bind(random_play.play_on)(work[0], decisions, source, out, trace)
    rows = trace.rows if isinstance(trace, Trace) else [tuple(row) for row in trace[1 : trace[0, 1] + 1].tolist()]
    return backend.table(work, 0), count, int(source[0]), rows
