"""Matrix games of positions: each plot of one seat against each plot of another, with values from playouts.

`duel(state)` returns a Duel, which can be solved: see `matrix_game`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crashlab.analysis.endgame import obstacle, passes_of, solve
from crashlab.analysis.matrix_game import Duel
from crashlab.base.errors import CrashlabError, integer, listed, require, short_repr, whole
from crashlab.base.progress import bar
from crashlab.base.statistics import NO_SPREAD, half_width_of, noted, plus_minus
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels.matrix_cells import play_cells
from crashlab.engine.chance import Random, whole_seed
from crashlab.engine.game import Action, Game, State
from crashlab.engine.notation import deciding

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

VALUES = {
    "lead": "{0}'s score less {1}'s",
    "gain": "what {0} gains on {1}",
    "win": "1 if {0} has more than {1}, -1 if {0} has less",
}
USUAL = "as far as is exact"  # the default: one decision, or best play to the end if that can be solved
SMALL = 5_000  # number of playouts below which compiling does not pay
BATCH = 20_000  # playouts between checks for an interruption


def duel(
    state: State,
    seats: tuple[int, int] = (0, 1),
    rows: Iterable[object] | None = None,
    columns: Iterable[object] | None = None,
    playouts: int = 200,
    decisions: int | str | None = USUAL,
    seed: int = 0,
    value: str = "lead",
    progress: bool = True,
) -> Duel:
    """Return the matrix game of a position, with the actions of one seat as rows and of another as columns.

    A value is the row seat's lead over the column seat ("lead"), the change of that lead ("gain"), or a comparison of
    their scores ("win": 1, 0, -1), after `decisions` (by default one; None for the end of the game). It is the mean of
    `playouts` playouts. In these all other seats and chance play at random, and so do both seats after the first
    decision. Rows and columns can be chosen, as actions or in notation. Secrets of the position count as known to both.

    In the last two rounds of a game of two seats, leads and gains are solved exactly (`crashlab.solve`). They are then
    the values at the end of the game with best play from both. To prevent this, give a number of `decisions`.

    Parameters
    ----------
    state : State
        The position, in which both seats decide.
    seats : tuple[int, int]
        The seats of the rows and the columns.
    rows : Iterable[object] | None
        The actions of the first seat, or their notation; by default all.
    columns : Iterable[object] | None
        The actions of the second seat, or their notation; by default all.
    playouts : int
        The number of playouts for each cell.
    decisions : int | str | None
        The length of a playout in decisions; None for the end of the game. By default one, or exact values if possible.
    seed : int
        The same seed gives the same playouts.
    value : str
        The value of a cell: "lead", "gain" or "win".
    progress : bool
        Whether to show a progress bar if the computation takes longer than a second.

    Returns
    -------
    Duel
        The matrix game.

    Examples
    --------
    >>> game = crashlab.game("autoscooter", players=2)
    >>> last = game.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
    >>> crashlab.duel(last).solve()
    <Equilibrium: value -1.3333, gap 2.2e-16>
    """
    require(isinstance(state, State), f"a duel needs a state, not {type(state).__name__}")
    require(
        isinstance(value, str) and value in VALUES,
        f"value={short_repr(value)}: choose one of {', '.join(map(repr, VALUES))}",
    )
    both = two_seats(state, seats)
    sides = [actions_of(state, seat, plots) for seat, plots in zip(both, (rows, columns), strict=True)]
    codes = [[action.code for action in side] for side in sides]
    ahead = 0 if decisions is None else 1 if decisions == USUAL else whole("decisions", decisions)
    cells = Cells(state, both, codes[0], codes[1], ahead, value == "win", whole_seed(seed))
    most = whole("playouts", playouts)
    if (
        value != "win"
        and (decisions is None or decisions == USUAL)
        and (not obstacle(state) and len(passes_of(state)) == 1 and obstacle(state, rounds=1) != "")
    ):
        return solved(state, both, sides, value, progress)
    values, half_widths, done = cells.sample(most, progress)
    if value == "gain":
        values = values - (state.scores[both[0]] - state.scores[both[1]])
    names = state.game.seat_name(both[0]), state.game.seat_name(both[1])
    when = "at the end" if ahead == 0 else "after this decision" + f" and {ahead - 1} more" * (ahead > 1)
    title = f"{VALUES[value].format(*names)}, {when}; {certainty(values, half_widths, done)}"
    return Duel(tuple(sides[0]), tuple(sides[1]), values, half_widths, names, title)


def solved(state: State, seats: tuple[int, int], sides: list[list[Action]], value: str, progress: bool) -> Duel:
    """Return the exact duel from the solution of a position."""
    solution = solve(state, progress=progress).duel
    values, listed_sides = solution.values, [solution.rows, solution.columns]
    if seats != state.actors:
        values, listed_sides = -values.T, [solution.columns, solution.rows]
    places = [[all_of.index(action) for action in side] for all_of, side in zip(listed_sides, sides, strict=True)]
    values = values[places[0]][:, places[1]]
    if value == "gain":
        values = values - (state.scores[seats[0]] - state.scores[seats[1]])
    names = state.game.seat_name(seats[0]), state.game.seat_name(seats[1])
    title = f"{VALUES[value].format(*names)}, at the end, with best play from both; exact: solved to the end"
    return Duel(tuple(sides[0]), tuple(sides[1]), values, values * 0.0, names, title)


def two_seats(state: State, seats: object) -> tuple[int, int]:
    """Check the two seats of a duel and return them: the row seat, then the column seat."""
    require(not state.closed, f"this state has no duel: {state.closed}")
    numbers = [integer(seat) for seat in listed(seats) or ()]
    require(len(numbers) == 2 and None not in numbers, f"seats={short_repr(seats)}: a duel has two seats, as in (0, 1)")
    row, column = map(state.game.seat, numbers)
    require(row != column, f"seats={short_repr(seats)}: a duel has two different seats")
    if not {row, column} <= set(state.actors):
        names = f"{state.game.seat_name(row)} and {state.game.seat_name(column)}"
        now = f"{deciding(map(state.game.seat_name, state.actors))} now"
        who = "the game is over" if state.over else now
        raise CrashlabError(f"a duel of {names} needs a position in which both decide, but {who}")
    return row, column


def actions_of(state: State, seat: int, entry: Iterable[object] | None) -> list[Action]:
    """Check the actions listed for a seat and return them as Actions; by default all legal ones."""
    if entry is None:
        return list(state.actions(seat))
    plots = listed(entry)
    if isinstance(entry, str) or plots is None:
        raise CrashlabError(f"give the plots of {state.game.seat_name(seat)} as a list, not {short_repr(entry)}")
    actions = [Action(state, seat, state.legal_code(seat, action)) for action in plots]
    require(actions, f"the list of plots of {state.game.seat_name(seat)} is empty")
    return actions


def certainty(values: Floats, half_widths: Floats, playouts: int) -> str:
    """Describe the precision of the values."""
    if values.size > 1 and values.min() == values.max() and not half_widths.any():
        return "no plot makes a difference yet: look further ahead with decisions="
    if half_widths.any():
        words = f"{playouts} playout{'s' * (playouts > 1)} a cell, 95 % intervals up to {plus_minus(half_widths.max())}"
        return " ".join(noted([words])).removesuffix(".")
    return "exact: nothing is left to chance"


# Filling the cells


@dataclass(frozen=True)
class Cells:
    """The cells of a duel, filled by playouts of `decisions` decisions, or of the whole game if that is 0."""

    state: State
    seats: tuple[int, int]
    rows: list[int]
    columns: list[int]
    decisions: int
    wins: bool
    seed: int

    def sample(self, playouts: int, progress: bool) -> tuple[Floats, Floats, int]:
        """Return the values, half the widths of their 95 % intervals, and the number of playouts of each cell.

        If chance plays no part in the first playout of any cell, no further ones are played. On interruption, the
        playouts so far count.
        """
        sums, squares, chances = self.play(self.backend(1), 0, 1)
        done = 1
        batch = max(1, BATCH // sums.size)
        if not chances:
            return sums / 1.0, sums * 0.0, 1
        try:
            with bar(playouts - 1, "playouts of each cell", progress) as shown:
                while done < playouts:
                    number = min(batch, playouts - done)
                    more = self.play(self.backend(playouts - done), done, number)
                    sums = sums + more[0]
                    squares = squares + more[1]
                    done = done + number
                    shown.update(number)
        except KeyboardInterrupt:
            pass
        return sums / done, half_widths(sums, squares, done), done

    def play(self, backend: choose_backend.Backend, first: int, number: int) -> tuple[Any, Any, int]:
        """Play out every cell; return the sums, the sums of squares, and the number of playouts with chance."""
        import numpy as np

        game = self.state.game
        shape = (len(self.rows), len(self.columns))
        rows, columns, sums, squares = map(backend.row, (*shape, shape[0] * shape[1], shape[0] * shape[1]))
        rows[:], columns[:] = self.rows, self.columns
        chances = backend.bind(play_cells)(
            backend.tables([self.state.table]),
            game.rules.actors(self.state.table),
            *self.seats,
            rows,
            columns,
            first,
            number,
            self.decisions,
            int(self.wins),
            backend.luck(Random(self.seed).luck),
            backend.luck(0),
            backend.row(game.rules.MOST_ACTIONS),
            backend.tables([self.state.table]),
            sums,
            squares,
        )
        return np.reshape(sums, shape), np.reshape(squares, shape), int(chances)

    def backend(self, playouts: int) -> choose_backend.Backend:
        """Return the fastest backend for this number of playouts of every cell."""
        rules = self.state.game.rules
        work = playouts * len(self.rows) * len(self.columns)
        if work <= SMALL and not choose_backend.is_ready(rules, "duel"):
            return choose_backend.interpreted(rules)
        return choose_backend.ready(self.state.game, "duel", wait=work > 10 * SMALL)


@choose_backend.prepares("duel")
def prepare(game: Game, backend: choose_backend.Backend) -> None:
    """Compile the kernel by playing no cells."""
    Cells(game.start(), (0, 1), [], [], 1, False, 1).play(backend, 0, 1)


def half_widths(sums: Any, squares: Any, playouts: int) -> Floats:
    """Return half the width of the 95 % interval of each mean; all 0 if all results of all cells are equal."""
    import numpy as np

    apart = np.maximum(squares - sums * sums / playouts, 0.0)
    if 1 < playouts and apart.max() < NO_SPREAD and np.ptp(sums) < NO_SPREAD:
        return np.zeros(sums.shape)  # no decision has had an effect yet
    half_widths: Floats = np.array([half_width_of(playouts, square) for square in apart.ravel().tolist()])
    return half_widths.reshape(sums.shape)
