"""Action values: the value of each action of a seat in a position, and its cost compared with the best one.

    crashlab.worths(state, seat)    Worths: a row for each action, best first

Values are exact in endgames that can be solved (`endgame`), and for actions that end the game. All other values come
from careful playouts (`kernels.careful_play`). Every action is played out in the same worlds, against the same plans of
the others and with the same luck, so that differences between actions are far more precise than their values.

Playouts are allocated by sequential halving: a few for all actions, more for the better half, and so on. The finalists,
and the actions in `keep`, are then compared with fresh luck, so that none of them looks good by luck alone.

A seat is judged by its view: hidden values are sampled in each world.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crashlab.agents import lead
from crashlab.agents.base import choices
from crashlab.agents.monte_carlo import legal_one, positive
from crashlab.analysis.endgame_values import Solved
from crashlab.base.clock import look
from crashlab.base.errors import CrashlabError, listed, require, short_repr, whole
from crashlab.base.statistics import Z, half_width, mean, noted, plus_minus
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import careful_play
from crashlab.engine.chance import Random, whole_seed
from crashlab.engine.game import Action, Game, State
from crashlab.engine.notation import counted
from crashlab.engine.rules import table_class
from crashlab.engine.table import HIDDEN, NOWHERE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DECISIONS = 12  # length of a playout: half a game or more in Autoscooter, a few rounds elsewhere
TRIES = 3  # actions that a seat tries per decision of a playout
WORLDS = 64
PLAYOUTS = 1000
MOST = 200  # largest number of actions to play out
GLIMPSES = 4  # short playouts per action, to choose from more than the maximum
FINALISTS = 4
FEWEST = 2, 16  # minimum laps of an action: in each round of halving, and in the last round
SLICE = 64  # playouts between checks of the clock
CLEARLY = 3.29  # half the width of a 99.9 % interval, in standard errors


@dataclass(frozen=True)
class Worth:
    """The value of an action.

    value            the expected lead of the seat, in points; nan without playouts
    half_width       half the width of the value's interval; 0 if exact
    cost             the best action's value minus this action's, with the same luck; never negative if exact
    cost_half_width  half the width of the cost's interval
    laps             the number of playouts of this action

        >>> game = crashlab.game("autoscooter", players=2)
        >>> last = game.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
        >>> best = crashlab.worths(last, 0).rows[0]
        >>> best.cost, best.exact
        (0.0, True)
    """

    action: Action
    value: float
    half_width: float
    cost: float
    cost_half_width: float
    laps: int
    exact: bool


@dataclass(frozen=True)
class Worths:
    """The values of all actions of a seat, best first.

    >>> game = crashlab.game("autoscooter", players=2)
    >>> last = game.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
    >>> values = crashlab.worths(last, 0)
    >>> values.exact, values.of(values.best).cost
    (True, 0.0)
    """

    state: State
    seat: int
    rows: tuple[Worth, ...]
    playouts: int

    @property
    def best(self) -> Action:
        return self.rows[0].action

    @property
    def exact(self) -> bool:
        """Whether all values are exact."""
        return all(row.exact for row in self.rows)

    def of(self, action: object) -> Worth:
        """Return the value of an action, given as an Action or in notation."""
        code = self.state.legal_code(self.seat, action)
        return next(row for row in self.rows if row.action.code == code)

    def is_clear(self, z: float = CLEARLY) -> bool:
        """Return whether the best action is better than every other one by z standard errors."""
        return all(row.cost > row.cost_half_width * z / Z for row in self.rows[1:])

    @property
    def words(self) -> str:
        """A line on the meaning of the values and their precision."""
        name = self.state.game.seat_name(self.seat)
        if self.exact:
            return f"{name}'s lead at the end, exactly"
        return (
            f"{name}'s lead {DECISIONS} decisions later, or at the end, judged by what {name} sees here"
            f" ({self.playouts:,} playout{'s' * (self.playouts != 1)}, 95 % intervals)"
        )

    def table(self, max_rows: int = 10) -> str:
        """Return a table of the best actions: notation, value, cost."""
        rows = self.rows[: whole("max_rows", max_rows, least=0)]
        wide = max((len(str(row.action)) for row in rows), default=0)
        lines = [
            f"{row.action!s:{wide}}  {number(row.value, row.half_width)}  costs {number(row.cost, row.cost_half_width)}"
            for row in rows
        ]
        left = len(self.rows) - len(rows)
        return "\n".join(noted([self.words, *lines, *([f"... and {left} more"] if left else [])]))

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        name = self.state.game.seat_name(self.seat)
        actions, playouts = counted(len(self.rows), "action"), counted(self.playouts, "playout")
        return f"<Worths of {name}: best {self.best} of {actions}, {playouts}>"


def number(value: float, half: float) -> str:
    """Format a value with its interval; "not played out" if the value is nan."""
    return "not played out" if math.isnan(value) else f"{value:.2f}" + f" {plus_minus(half)}" * (half != 0)


def worths(
    state: State,
    seat: int,
    *,
    seed: int = 0,
    playouts: int = PLAYOUTS,
    seconds: float | None = None,
    max_actions: int = MOST,
    keep: Collection[object] = (),
) -> Worths:
    """Return the value of each action of a seat in a position.

    Parameters
    ----------
    state : State
        The position.
    seat : int
        The seat that decides.
    seed : int
        The same seed gives the same playouts.
    playouts : int
        The approximate number of playouts; every action gets at least two.
    seconds : float | None
        The time limit; stopping early makes the intervals wider.
    max_actions : int
        The maximum number of actions to play out. If there are more, only those that do best in a few short playouts
        are played out. The others get no value, although the best action may be one of them.
    keep : Collection[object]
        Actions to compare with the best one as thoroughly as the finalists.

    Returns
    -------
    Worths
        The value of each action.

    Examples
    --------
    >>> game = crashlab.game("autoscooter", players=3)
    >>> state = game.read({"round": 11, "cars": {"1": "21E2", "2": "23SE2"}})
    >>> values = crashlab.worths(state, 0, playouts=400)
    >>> values.of("81 FF").cost > 1, values.of(values.best).cost, values.exact
    (True, 0.0, False)
    """
    legal = choices(state, seat)
    if isinstance(keep, str) or (entries := listed(keep)) is None:
        raise CrashlabError(f"keep={short_repr(keep)}: give a list of actions")
    to_keep = [legal_one(state, seat, action) for action in entries]
    require(
        not state.closed,
        f"worths() needs the whole state: this view hides what {state.game.seat_name(seat)} cannot see",
    )
    whole("playouts", playouts)
    whole("max_actions", max_actions, least=2)
    if seconds is not None:
        positive(seconds, "seconds")
    if Solved.suits(state):
        return solved(state, int(seat))
    halving = SequentialHalving(state, int(seat), [action.code for action in legal], whole_seed(seed), seconds)
    halving.run(playouts, max_actions, {action.code for action in to_keep})
    return halving.result()


def solved(state: State, seat: int) -> Worths:
    """Return the exact values from a solved endgame."""
    endgame = Solved(state, seat)
    endgame.grow(1)
    thoughts = endgame.thoughts()
    best = thoughts[0].value
    rows = [
        Worth(thought.action, thought.value, 0.0, round(best - thought.value, 9) + 0.0, 0.0, 1, True)
        for thought in thoughts
    ]
    return Worths(state, seat, tuple(rows), 0)


class SequentialHalving:
    """A comparison of actions by sequential halving: each round keeps the better half."""

    def __init__(self, state: State, seat: int, codes: list[int], seed: int, seconds: float | None) -> None:
        self.state, self.seat, self.codes = state, seat, codes
        self.ends = math.inf if seconds is None else time.perf_counter() + seconds
        self.half_time = math.inf if seconds is None else time.perf_counter() + seconds / 2
        rng = Random(seed)
        view = state.seen_by(seat)
        self.is_open = not any(HIDDEN in row for row in view.table.rows())
        self.backend = choose_backend.ready(state.game, "worths", wait=True)
        worlds = [view.guess(rng).table for _ in range(1 if self.is_open else WORLDS)]
        self.workspace = PlayoutRows(self.backend, state.game, worlds, rng.below(1 << 64))
        self.early: dict[int, list[float]] = {}  # results by code, lap by lap
        self.late: dict[int, list[float]] = {}  # results of the last round, likewise
        self.playouts = 0

    def run(self, playouts: int, max_actions: int, keep: set[int]) -> None:
        """Play out all actions, the better ones more often."""
        left = self.promising(max_actions, keep)
        if len(left) == 1:
            keep = set(left)
        rounds = max(math.ceil(math.log2(max(len(left) / FINALISTS, 1))), 1)
        while len(left) > FINALISTS + len(keep) and time.perf_counter() < self.half_time:
            self.play(left, max(playouts // 2 // rounds // len(left), FEWEST[0]), self.early)
            ranked = sorted(left, key=lambda code: -mean(self.early[code]))
            half = max(len(left) // 2, FINALISTS)
            left = ranked[:half] + [code for code in ranked[half:] if code in keep]
        if self.early:
            ranked = sorted(left, key=lambda code: -mean(self.early[code]))
            left = ranked[:FINALISTS] + [code for code in ranked[FINALISTS:] if code in keep]
        self.play(left, max(playouts // 2 // len(left), FEWEST[1]), self.late)

    def promising(self, max_actions: int, keep: set[int]) -> list[int]:
        """Return the codes to play out: all, or the best max_actions in a few short playouts, and those in keep."""
        if len(self.codes) <= max_actions:
            return list(self.codes)
        values = self.workspace.weigh(self.seat, self.codes, 0, GLIMPSES, careful_play.LOOK, 1).mean(axis=0)
        ranked = [code for _, code in sorted(zip((-values).tolist(), self.codes, strict=True))]
        return ranked[:max_actions] + [code for code in ranked[max_actions:] if code in keep]

    def play(self, codes: Sequence[int], laps: int, leads: dict[int, list[float]]) -> None:
        """Play laps of each action, fewer if the time is up but at least one, and add the results to leads."""
        first = LATE if leads is self.late else max((len(leads.get(code, ())) for code in codes), default=0)
        done = 0
        while done < laps and (done == 0 or time.perf_counter() < self.ends):
            look()
            more = min(max(SLICE // len(codes), 1), laps - done)
            values = self.workspace.weigh(self.seat, codes, first + done, more, DECISIONS, TRIES)
            for code, column in zip(codes, values.T.tolist(), strict=True):
                leads.setdefault(code, []).extend(column)
            done += more
            self.playouts += more * len(codes)

    def result(self) -> Worths:
        """Return the values so far."""
        best = max(self.late, key=lambda code: mean(self.late[code]))
        ends = self.ends_at_once()
        if any(code in ends and ends[code] >= mean(self.late[best]) for code in ends):
            best = max(ends, key=lambda code: ends[code])
        rows = [self.worth(code, best, ends) for code in self.codes]
        rows.sort(key=lambda row: self.rank(row, best))
        return Worths(self.state, self.seat, tuple(rows), self.playouts)

    def rank(self, row: Worth, best: int) -> tuple[bool, bool, bool, float, int]:
        """Return the sort key: the best action, the finalists, the others, and last those without playouts."""
        code = row.action.code
        return code != best, not row.laps, code not in self.late, row.cost if row.laps else 0.0, code

    def ends_at_once(self) -> dict[int, float]:
        """Return the final leads of finalists that end the game, by code; empty with hidden values or other actors."""
        if not self.is_open or len(self.state.actors) > 1:
            return {}
        after = {code: self.state.play_codes({self.seat: code}) for code in self.late}
        return {code: lead(state, self.seat) for code, state in after.items() if state.over}

    def worth(self, code: int, best: int, ends: dict[int, float]) -> Worth:
        """Return the value of an action and its cost compared with the best one."""
        action = Action(self.state, self.seat, code)
        leads = self.late if code in self.late else self.early
        if code not in leads:
            return Worth(action, math.nan, math.inf, math.nan, math.inf, 0, False)
        values, others = leads[code], leads.get(best, self.late[best])
        costs = [other - value for other, value in zip(others, values, strict=False)]
        is_exact = code in ends
        half = 0.0 if is_exact else half_width(values)
        half_of_cost = 0.0 if code == best or (is_exact and best in ends) else half_width(costs)
        return Worth(action, mean(values), half, mean(costs) + 0.0, half_of_cost, len(values), is_exact)


LONGEST = 4096  # most actions recorded per playout, including forced ones
LATE = 1 << 20  # index of the first lap of the last round, beyond all earlier laps: its luck is fresh


class PlayoutRows:
    """The rows of a backend for playouts that start from given worlds."""

    def __init__(self, backend: choose_backend.Backend, game: Game, worlds: Sequence[Any], luck: int) -> None:
        self.backend, self.seats = backend, len(game.seats)
        self.starts, self.worlds, self.seed = worlds, backend.tables(worlds), backend.luck(luck)
        self.path = backend.row(LONGEST)
        self.rows = (
            backend.luck(0),
            backend.luck(0),
            backend.row(game.rules.MOST_ACTIONS),
            backend.row(self.seats),
            self.path,
            backend.tables([worlds[0]] * 4),
        )

    def weigh(self, seat: int, codes: Sequence[int], first: int, laps: int, decisions: int, tries: int) -> Floats:
        """Play out each action `laps` times; return the seat's leads, indexed by [lap, action]."""
        import numpy as np

        actions, values = self.backend.row(len(codes)), self.backend.numbers(laps * len(codes))
        actions[:] = codes
        self.backend.bind(careful_play.weigh)(
            self.worlds,
            seat,
            actions,
            first,
            laps,
            decisions,
            tries,
            self.seats,
            self.backend.row(self.seats),
            self.seed,
            *self.rows,
            values,
        )
        return np.reshape(values, (laps, len(codes)))

    def expect(self, first: int, laps: int, decisions: int) -> Floats:
        """Play `laps` careful playouts; return the leads, indexed by [lap, seat]."""
        import numpy as np

        values = self.backend.numbers(laps * self.seats)
        self.backend.bind(careful_play.expect)(
            self.worlds, first, laps, decisions, TRIES, self.seats, self.seed, *self.rows, values
        )
        return np.reshape(values, (laps, self.seats))

    def played(self, lap: int, seat: int = NOWHERE, code: int = NOWHERE) -> tuple[Any, list[int]]:
        """Repeat a playout of `weigh` (if an action is given) or of `expect`; return its world and its action codes."""
        if seat == NOWHERE:
            self.expect(lap, 1, DECISIONS)
        else:
            self.weigh(seat, [code], lap, 1, DECISIONS, TRIES)
        return self.starts[lap % len(self.starts)], [int(code) for code in self.path[1 : self.path[0] + 1]]


@choose_backend.prepares("worths")
def prepare(game: Game, backend: choose_backend.Backend) -> None:
    """Compile the kernels by calling them for zero laps."""
    workspace = PlayoutRows(backend, game, [table_class(game.rules)()], 0)
    workspace.weigh(0, [0], 0, 0, 1, 1)
    workspace.expect(0, 0, 1)
