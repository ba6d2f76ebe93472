"""Exact solutions of endgames: their values and the optimal mixtures of plots.

    crashlab.solve(position)    a Solution: value, mixtures, and the matrix of the position as a Duel

This solves games whose last rounds are planned in secret by two seats (`contract.Rounds`). A position is a matrix game
whose cells are the values of the next positions, which are matrix games in turn, and so on to the end. See
`backward_induction`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from crashlab.analysis.matrix_game import Duel, Equilibrium
from crashlab.base.errors import CrashlabError, require, short_repr, whole
from crashlab.base.progress import bar
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import backward_induction, hash_table
from crashlab.drawing.html import element
from crashlab.engine import contract
from crashlab.engine.game import Action, Game, State
from crashlab.engine.notation import counted, deciding
from crashlab.engine.rules import table_class
from crashlab.engine.table import NOWHERE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
else:
    Floats = Any  # NumPy is imported on first use

ROUNDS = 2  # default number of rounds to solve
MOST = 200_000  # default limit of matrix games
MOST_CELLS = 1 << 23  # largest matrix of the root position
SMALL = 5_000  # number of cells in two rounds below which compiling does not pay
BUCKETS = 1 << 12  # initial size of the hash table
SLICE = 0.1  # seconds between checks for an interruption
DIGITS = 12  # digits of a value that are free of rounding errors
EXACT = 1e-9  # bounds at most this far apart are equal


class RoundPlan(tuple[Action, ...]):
    """The plan for a round of a seat with several cars: one action for each car."""

    __slots__ = ()

    @property
    def seat(self) -> int:
        """The seat of the plan."""
        return self[0].seat

    def __str__(self) -> str:
        return ", ".join(map(str, self))

    def __repr__(self) -> str:
        return f"<{self}>"


@dataclass(frozen=True, eq=False)
class Solution:
    """The value of an endgame: the final lead of the first of the two seats, with best play from both.

    `row` and `column` are the mixtures of the two seats. `row` guarantees the first seat a lead of at least `lower`,
    and `column` limits that lead to `upper`. If both bounds are equal, they are the value.

        >>> game = crashlab.game("autoscooter", players=2)
        >>> solution = crashlab.solve(game.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}}))
        >>> round(solution.value, 3), solution.exact, round(max(solution.row), 3)
        (-1.333, True, np.float64(0.667))
    """

    duel: Duel  # the matrix; an unknown cell has the midpoint of its bounds, and half their distance as half-width
    row: Floats  # probability of each row
    column: Floats
    lower: float
    upper: float
    games: int  # number of solved matrix games
    rounds: int  # number of rounds left

    @property
    def exact(self) -> bool:
        """Whether the value is exact."""
        return self.upper - self.lower <= EXACT

    @property
    def value(self) -> float:
        """The final lead of the first seat; nan if only bounds are known."""
        return (self.lower + self.upper) / 2 if self.exact else math.nan

    @property
    def equilibrium(self) -> Equilibrium:
        """The mixtures as an equilibrium of the matrix game."""
        return Equilibrium(self.duel, self.row, self.column)

    @property
    def words(self) -> str:
        """The guarantees of the mixtures, in words."""
        first, second = self.duel.names
        left = f"{counted(self.rounds, 'round')} left, {self.games:,} matrix game{'s' * (self.games != 1)} solved"
        if self.exact:
            return f"Exact: with these mixtures neither can do better than {self.value:+.4f} for {first} ({left})."
        return (
            f"Not exact: {first}'s mixture guarantees a lead of {self.lower:+.4f},"
            f" {second}'s holds it to {self.upper:+.4f} ({left})."
        )

    def __str__(self) -> str:
        return f"{self.equilibrium}\n{self.words}"

    def __repr__(self) -> str:
        value = f"{self.value:.4f}" if self.exact else f"from {self.lower:.4f} to {self.upper:.4f}"
        return f"<Solution: value {value}, {counted(self.games, 'matrix game')}>"

    def _repr_html_(self) -> str:
        return self.equilibrium._repr_html_() + element("div", self.words)


def solve(position: State, rounds: int = ROUNDS, max_matrix_games: int = MOST, progress: bool = True) -> Solution:
    """Solve an endgame of two seats by backward induction: its exact value, and mixtures of plots that guarantee it.

    A round is a matrix game: both choose a plot simultaneously. The value is the final lead of the first seat,
    including the present scores. A position with more than `rounds` rounds left is refused. If
    `max_matrix_games` are not enough, or on interruption, the solution has only bounds of the value, which follow from
    the most points that can still be won.

    Parameters
    ----------
    position : State
        The position, with two seats.
    rounds : int
        The largest number of rounds left to allow; each further round takes far longer.
    max_matrix_games : int
        The largest number of matrix games to solve.
    progress : bool
        Whether to show a progress bar if the computation takes longer than a second.

    Returns
    -------
    Solution
        The value, and a mixture for each seat.

    Examples
    --------
    >>> game = crashlab.game("autoscooter", players=2)
    >>> solution = crashlab.solve(game.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}}))
    >>> round(solution.value, 3), solution.exact
    (-1.333, True)
    """
    endgame = Endgame(position, checked(position, whole("rounds", rounds)))
    endgame.run(whole("max_matrix_games", max_matrix_games), progress)
    return endgame.solution()


def obstacle(position: State, rounds: int = ROUNDS) -> str:
    """Return the reason why a position cannot be solved; empty if it can."""
    try:
        checked(position, rounds)
    except CrashlabError as error:
        return str(error)
    return ""


def checked(position: State, rounds: int) -> list[State]:
    """Return a state for each planning pass of the round; raise CrashlabError if the position cannot be solved."""
    require(isinstance(position, State), f"solve() takes a state, not {short_repr(position)}")
    game = position.game
    require(not position.closed, f"this state cannot be solved: {position.closed}")
    require(not position.over, "the game is over: there is nothing left to solve")
    require(suits(game), f"{game.name} cannot be solved: its players do not plan whole rounds in secret")
    left = in_rounds(game).rounds_left(position.table)
    require(
        position.seen_by(None).table == position.table,
        "solve() needs the start of a round, but some plans of this round are written already",
    )
    if len(position.actors) != 2:
        here = deciding(map(game.seat_name, position.actors))
        raise CrashlabError(f"solve() is for positions in which two seats decide, but here {here}")
    require(left <= rounds, f"{left} rounds are left, more than rounds={rounds}; each further round takes far longer")
    passes = passes_of(position)
    cells = math.prod(len(state.actions(seat)) for state in passes for seat in state.actors)
    require(
        cells <= MOST_CELLS, f"the matrix of this position has {cells:,} cells; solve() allows at most {MOST_CELLS:,}"
    )
    return passes


def passes_of(position: State) -> list[State]:
    """Return a state for each planning pass of the round, playing the first legal actions."""
    rules = in_rounds(position.game)
    left = rules.rounds_left(position.table)
    passes = []
    here = position
    while rules.rounds_left(here.table) == left:
        require(
            set(here.actors) <= set(position.actors),
            "solve() is for rounds in which two seats decide, but more seats decide in this one",
        )
        passes.append(here)
        here = here.play_codes({seat: here.actions(seat).codes[0] for seat in here.actors})
    return passes


class Endgame:
    """The state of a solution in progress: its data in a backend (see `backward_induction`)."""

    def __init__(self, position: State, passes: list[State], backend: choose_backend.Backend | None = None) -> None:
        self.position, self.passes = position, passes
        self.rules = position.game.rules
        self.rounds = in_rounds(position.game)
        self.left = self.rounds.rounds_left(position.table)
        self.plans = [self._plans(seat) for seat in position.actors]
        self.cells = len(self.plans[0]) * len(self.plans[1])
        if backend is None:  # the fastest choice for this position
            is_small = self.left <= ROUNDS and self.cells <= SMALL and not choose_backend.is_ready(self.rules, "solve")
            game = position.game
            backend = (
                choose_backend.interpreted(self.rules) if is_small else choose_backend.ready(game, "solve", wait=True)
            )
        self._lay(backend)
        self.stack[backward_induction.ROW_SEAT], self.stack[backward_induction.COLUMN_SEAT] = position.actors
        self.stack[backward_induction.PASSES] = len(passes)
        # whether to fill all cells of the root matrix; otherwise there are too many
        self.stack[backward_induction.FULL] = int(len(passes) == 1 or self.left == 1)

    def _plans(self, seat: int) -> list[Any]:
        """Return the plans of a seat for the round, in the order of `backward_induction.play_cell`."""
        plans: list[tuple[Action, ...]] = [()]
        for state in reversed(self.passes):
            if seat in state.actors:
                plans = [(action, *rest) for rest in plans for action in state.actions(seat)]
        return [plan[0] if len(plan) == 1 else RoundPlan(plan) for plan in plans]

    def _lay(self, backend: choose_backend.Backend) -> None:
        """Create the rows in a backend."""
        depths = self.left + 1
        self.backend = backend
        self.work = backend.tables([self.position.table] * depths)
        self.out = backend.row(self.rules.MOST_ACTIONS)
        self.stack = backend.row(backward_induction.HEAD + backward_induction.FRAME * depths)
        self.lists = backend.row(2 * depths * len(self.passes) * (self.rules.MOST_ACTIONS + 1))
        self.chosen, self.values, self.scratch = (
            backend.row(1 << 10),
            backend.numbers(2 * self.cells),
            backend.numbers(1 << 10),
        )
        self.keys, self.gains, self.buckets = backend.row(1 << 12), backend.numbers(1 << 10), backend.row(BUCKETS)

    def _widen(self) -> None:
        """Lengthen all rows that may be full."""
        self.chosen, self.keys = (choose_backend.copied(row, self.backend.row, 2) for row in (self.chosen, self.keys))
        self.values, self.scratch, self.gains = (
            choose_backend.copied(row, self.backend.numbers, 2) for row in (self.values, self.scratch, self.gains)
        )
        self.buckets = self.backend.row(2 * len(self.buckets))
        self.backend.bind(hash_table.spread)(self.keys, self.buckets)

    @property
    def games(self) -> int:
        """The number of solved matrix games."""
        return int(self.stack[backward_induction.SOLVED])

    def run(self, max_matrix_games: int, progress: bool) -> None:
        """Solve up to `max_matrix_games`; on interruption keep the result so far."""
        step = 1
        try:
            with bar(max_matrix_games, "matrix games at most", progress) as shown:
                while self.games < max_matrix_games:
                    before, start = self.games, time.perf_counter()
                    if self.grow(min(before + step, max_matrix_games)):
                        return
                    shown.update(self.games - before)
                    if time.perf_counter() - start < SLICE:
                        step = 2 * step
        except KeyboardInterrupt:
            if not self.stack[backward_induction.HEAD + backward_induction.ROWS]:  # no result yet
                raise

    def grow(self, until: int) -> bool:
        """Solve until this number of matrix games is reached; return whether the endgame is solved."""
        induce = self.backend.bind(backward_induction.induce)
        while True:
            status = induce(
                self.work,
                until,
                self.stack,
                self.lists,
                self.chosen,
                self.values,
                self.scratch,
                self.keys,
                self.gains,
                self.buckets,
                self.out,
            )
            if status != backward_induction.ROOM:
                return bool(status == backward_induction.DONE)
            self._widen()

    def solution(self) -> Solution:
        """Return the solution, or bounds if it is incomplete."""
        import numpy as np

        shape = len(self.plans[0]), len(self.plans[1])
        is_evaluated = np.reshape(self.values[: self.cells], shape) != backward_induction.UNKNOWN
        highs = self.backend.numbers(self.cells)
        self.backend.bind(backward_induction.bound)(
            self.work, self.stack, self.lists, self.values, highs, self.keys, self.gains, self.buckets, self.out
        )
        lower, row, _ = self._settled(self.values)
        upper, _, column = self._settled(highs)
        first, second = self.position.actors
        now = self.position.scores[first] - self.position.scores[second]
        least, greatest = np.reshape(self.values[: self.cells], shape), np.reshape(highs, shape)
        rows, columns = np.arange(shape[0]), np.arange(shape[1])
        if upper - lower <= EXACT:  # then plans with unknown cells can be left out unless a mixture uses them
            rows = np.flatnonzero(is_evaluated.all(axis=1) | (row > 0))
            columns = np.flatnonzero(is_evaluated.all(axis=0) | (column > 0))
        least, greatest = least[rows][:, columns] + now, greatest[rows][:, columns] + now
        names = self.position.game.seat_name(first), self.position.game.seat_name(second)
        about = "exact: solved to the end"
        if not (least == greatest).all():
            about = "unknown values are given as the midpoint of their bounds"
        elif least.shape != shape:
            about += f", with only the plans that matter, out of {shape[0]} and {shape[1]}"
        title = f"{names[0]}'s score less {names[1]}'s, at the end, with best play from both; {about}"
        plans = tuple(self.plans[0][place] for place in rows), tuple(self.plans[1][place] for place in columns)
        duel = Duel(*plans, (least + greatest) / 2, (greatest - least) / 2, names, title)
        bounds = round(lower + now, DIGITS) + 0.0, round(upper + now, DIGITS) + 0.0  # + 0.0 turns -0.0 into 0.0
        return Solution(duel, row[rows], column[columns], *bounds, self.games, self.left)

    def _settled(self, values: Any) -> tuple[float, Floats, Floats]:
        """Return the value and the mixtures of the root matrix with these values."""
        import numpy as np

        row, column = (self.backend.numbers(len(plans)) for plans in self.plans)
        settle = self.backend.bind(backward_induction.settle)
        while (
            value := settle(self.stack, self.chosen, values, self.scratch, row, column)
        ) == backward_induction.UNKNOWN:
            self.scratch = choose_backend.copied(self.scratch, self.backend.numbers, 2)
        return float(value), np.array(row), np.array(column)


def in_rounds(game: Game) -> contract.Rounds[Any]:
    """Return the game's rules, typed as contract.Rounds."""
    return cast("Any", game.rules)  # type: ignore[no-any-return]


def suits(game: Game) -> bool:
    """Return whether a game has solvable endgames."""
    return hasattr(game.rules, "rounds_left")


@choose_backend.prepares("solve", suits)
def prepare(game: Game, backend: choose_backend.Backend) -> None:
    """Compile the kernels by solving an empty endgame."""
    tables = backend.tables([table_class(game.rules)()])
    stack, ints, numbers = backend.row(64), backend.row(64), backend.numbers(64)
    stack[backward_induction.DEPTH], stack[backward_induction.SOLVED] = NOWHERE, 1
    backend.bind(backward_induction.induce)(tables, 0, stack, ints, ints, numbers, numbers, ints, numbers, ints, ints)
    backend.bind(backward_induction.bound)(tables, stack, ints, numbers, numbers, ints, numbers, ints, ints)
    stack[backward_induction.HEAD + backward_induction.ROWS] = stack[
        backward_induction.HEAD + backward_induction.COLUMNS
    ] = 1
    backend.bind(backward_induction.settle)(stack, ints, numbers, numbers, numbers, numbers)
    backend.bind(hash_table.spread)(backend.row(64), ints)
