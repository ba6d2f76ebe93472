"""The matrix game of a position: two seats decide at the same time, and each must guess what the other does.

    duel(state)                  each plot of one seat against each plot of another; playouts fill the cells
    Duel.of([[1, -1], [-1, 1]])  any other matrix game
    game.solve()                 how both should mix their plots, by linear programming: exact
    game.solve("regret")         the same by regret matching: learnt step by step, with a history to follow
    game.reduced()               the same game without the plots that differ from others in nothing

A value is what the row seat wins and the column seat loses. In an *equilibrium* each of the two mixes its plots so
that the other can do no better, even one who knows the mixture. Where no single plot does that, one has to bluff.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from crashlab import twin
from crashlab.chance import Random, whole_seed
from crashlab.errors import CrashlabError, integer, listed, told, whole
from crashlab.errors import shown as repeated  # `shown` is what a table shows
from crashlab.game import Action, Game, State
from crashlab.happen import CHANCE, NOWHERE, Ints, lay
from crashlab.playout import begin_luck, choose, decide, play_on
from crashlab.progress import bar
from crashlab.statistics import Z

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

VALUES = {
    "lead": "{0}'s score less {1}'s",
    "gain": "what {0} gains on {1}",
    "win": "1 where {0} has more than {1}, -1 where it has less",
}
METHODS = ("lp", "regret")
SMALL = 5_000  # so many playouts are not worth compiling for
TINY = 1e-9  # less than that is nothing
GREATEST = 1e12  # that a value may be
TIE = 1e-12  # limits that are so near are reached together
MOST_STEPS = 50  # of the simplex method, for each row and column; a few are enough
BATCH = 20_000  # playouts between two looks at the stop button
MOST_ROWS, MOST_COLUMNS = 14, 10  # that a table shows

rules: Any = None  # the rules of a game; bound by `twin`


def duel(
    state: State,
    seats: tuple[int, int] = (0, 1),
    rows: Iterable[object] | None = None,
    columns: Iterable[object] | None = None,
    playouts: int = 200,
    decisions: int | None = 1,
    seed: int = 1,
    value: str = "lead",
    progress: bool = True,
) -> Duel:
    """The matrix game of a position: the actions of one seat are the rows, those of another the columns.

    A value is the row seat's lead over the column seat ("lead"), what it gains on it ("gain"), or which of the two has
    more ("win": 1, 0, -1), so many decisions later (None: at the end of the game). It is the average of so many
    playouts, in which all others, chance, and from the second decision on the two themselves play at random. Rows and
    columns can be chosen, as actions or in notation. What lies hidden in the position counts as known to both.
    """
    if not isinstance(state, State):
        raise CrashlabError(f"a duel is about a state, not about {type(state).__name__}")
    if not isinstance(value, str) or value not in VALUES:
        raise CrashlabError(f"value={repeated(value)}: choose one of {', '.join(map(repr, VALUES))}")
    both = two_seats(state, seats)
    sides = [actions_of(state, seat, given) for seat, given in zip(both, (rows, columns), strict=True)]
    codes = [[action.code for action in side] for side in sides]
    ahead = 0 if decisions is None else whole("decisions", decisions)
    cells = Cells(state, both, codes[0], codes[1], ahead, value == "win", whole_seed(seed))
    values, intervals, done = cells.sample(whole("playouts", playouts), progress)
    if value == "gain":
        values = values - (state.scores[both[0]] - state.scores[both[1]])
    names = state.game.seat_name(both[0]), state.game.seat_name(both[1])
    when = "at the end" if decisions is None else "after this decision" + f" and {ahead - 1} more" * (ahead > 1)
    title = f"{VALUES[value].format(*names)}, {when}; {certainty(values, intervals, done)}"
    return Duel(tuple(sides[0]), tuple(sides[1]), values, intervals, names, title)


def two_seats(state: State, seats: object) -> tuple[int, int]:
    """The seats of a duel, checked."""
    if state.closed:
        raise CrashlabError(f"there is no duel here: {state.closed}")
    given = [integer(seat) for seat in listed(seats) or ()]
    if len(given) != 2 or None in given:
        raise CrashlabError(f"seats={repeated(seats)}: a duel has two seats, as in (0, 1)")
    row, column = map(state.game.check_seat, given)
    if row == column:
        raise CrashlabError(f"seats={repeated(seats)}: a duel has two different seats")
    if not {row, column} <= set(state.actors):
        names = f"{state.game.seat_name(row)} and {state.game.seat_name(column)}"
        now = ", ".join(map(state.game.seat_name, state.actors)) or "nobody: the game is over"
        raise CrashlabError(f"a duel of {names} needs a position in which both decide; now decides {now}")
    return row, column


def actions_of(state: State, seat: int, given: Iterable[object] | None) -> list[Action]:
    """The actions of one side, checked: all, or those that are given."""
    if given is None:
        return list(state.actions(seat))
    plots = listed(given)
    if isinstance(given, str) or plots is None:
        raise CrashlabError(f"the plots of {state.game.seat_name(seat)} are given as a list, not as {repeated(given)}")
    actions = [Action(state, seat, state.legal_code(seat, action)) for action in plots]
    if not actions:
        raise CrashlabError(f"the list of plots of {state.game.seat_name(seat)} is empty")
    return actions


def certainty(values: Floats, intervals: Floats, playouts: int) -> str:
    """How sure the values are, in words."""
    if values.size > 1 and values.min() == values.max() and not intervals.any():
        return "no plot makes a difference yet: look further ahead with decisions="
    if playouts > 1 or intervals.any():
        return f"{playouts} playouts a cell, 95 % intervals up to ± {intervals.max():.2f}"
    return "exact: nothing is left to chance"


# Filling the cells


@dataclass(frozen=True)
class Cells:
    """What is to be played in the cells of a duel; `decisions` is 0 for the whole game."""

    state: State
    seats: tuple[int, int]
    rows: list[int]
    columns: list[int]
    decisions: int
    wins: bool
    seed: int

    def sample(self, playouts: int, progress: bool) -> tuple[Floats, Floats, int]:
        """The values, their 95 % intervals, and how many playouts of each cell there were.

        Where the first one meets with no chance, it says all. The stop button ends it with what is done.
        """
        sums, squares, chances = self.play(self.body(1), 0, 1)
        done, batch = 1, max(1, BATCH // sums.size)
        if not chances:
            return sums / 1.0, sums * 0.0, 1
        try:
            with bar(playouts - 1, "playouts of each cell", progress) as shown:
                while done < playouts:
                    number = min(batch, playouts - done)
                    more = self.play(self.body(playouts - done), done, number)
                    sums, squares, done = sums + more[0], squares + more[1], done + number
                    shown.update(number)
        except KeyboardInterrupt:
            pass
        return sums / done, interval(sums, squares, done), done

    def play(self, body: twin.Body, first: int, playouts: int) -> tuple[Any, Any, int]:
        """The sums and the sums of squares of so many playouts of every cell; how many of them met with chance."""
        import numpy as np

        game, shape = self.state.game, (len(self.rows), len(self.columns))
        rows, columns, sums, squares = map(body.row, (*shape, shape[0] * shape[1], shape[0] * shape[1]))
        rows[:], columns[:] = self.rows, self.columns
        chances = body.bind(play_cells)(
            body.tables([self.state.table]), game.rules.actors(self.state.table), *self.seats, rows, columns,
            first, playouts, self.decisions, int(self.wins), body.luck(Random(self.seed).luck), body.luck(0),
            body.row(game.rules.MOST_ACTIONS), body.tables([self.state.table]), sums, squares,
        )  # fmt: skip
        return np.reshape(sums, shape), np.reshape(squares, shape), int(chances)

    def body(self, playouts: int) -> twin.Body:
        """Where so many playouts of every cell are best played."""
        rules, work = self.state.game.rules, playouts * len(self.rows) * len(self.columns)
        if work <= SMALL and not twin.is_ready(rules, "duel"):
            return twin.interpreted(rules)
        return twin.quickest(rules, "duel", self.prepare, wait=work > 10 * SMALL)

    def prepare(self, body: twin.Body) -> None:
        """Play no cell, so that the body is ready for all."""
        replace(self, rows=[], columns=[]).play(body, 0, 1)


def warm(game: Game) -> None:
    """Compile what duels of this game need, or find it on disk."""
    twin.quickest(game.rules, "duel", Cells(game.start(), (0, 1), [], [], 1, False, 1).prepare, wait=True)


def interval(sums: Any, squares: Any, playouts: int) -> Floats:
    """Half the width of the 95 % confidence interval of each average."""
    import numpy as np

    if playouts == 1:
        return np.full(sums.shape, np.inf)
    variance = (squares - sums * sums / playouts) / (playouts - 1)
    half: Floats = Z * np.sqrt(np.maximum(variance, 0.0) / playouts)
    return half


# The same as plain functions for `twin`; see `playout`


def play_cells(
    start: Any, bits: int, row_seat: int, column_seat: int, rows: Ints, columns: Ints, first: int, playouts: int,
    decisions: int, wins: int, seed: Ints, luck: Ints, out: Ints, work: Any, sums: Ints, squares: Ints,
) -> int:  # fmt: skip
    """Add the leads of so many playouts to the sums of each cell; how many playouts met with chance.

    The playouts are numbered from `first`. Each number has the same luck in every cell, so that luck favours none.
    """
    chances = 0
    for cell in range(len(sums)):
        row, column = rows[cell // len(columns)], columns[cell % len(columns)]
        for number in range(first, first + playouts):
            lay(work, 0, start[0])
            begin_luck(luck, seed, number)
            before = luck[0]
            play_cell(work[0], bits, row_seat, row, column_seat, column, decisions, luck, out)
            lead = rules.score(work[0], row_seat) - rules.score(work[0], column_seat)
            if wins:
                lead = min(max(lead, -1), 1)
            sums[cell] += lead
            squares[cell] += lead * lead
            if luck[0] != before:
                chances += 1
    return chances


def play_cell(
    table: Any, bits: int, row_seat: int, row: int, column_seat: int, column: int, decisions: int, luck: Ints, out: Ints
) -> None:
    """These two actions, then random play up to so many decisions, then what goes without a choice."""
    seat = 0
    while bits >> seat != 0:
        if bits >> seat & 1:
            action = row
            if seat == column_seat:
                action = column
            elif seat != row_seat:
                action = choose(table, seat, luck, out)
            rules.apply(table, seat, action, None)
        seat += 1
    play_on(table, decisions - 1, luck, out, None)
    bits = rules.actors(table)
    while bits != 0 and not somebody_chooses(table, bits, out):
        decide(table, bits, luck, out, None)
        bits = rules.actors(table)


def somebody_chooses(table: Any, bits: int, out: Ints) -> bool:
    """Whether anybody who is asked, or chance, has a choice."""
    if bits == CHANCE:
        free: bool = rules.forced(table, CHANCE, out) == NOWHERE
        return free
    seat = 0
    while bits >> seat != 0:
        if bits >> seat & 1 and rules.forced(table, seat, out) == NOWHERE:
            return True
        seat += 1
    return False


# The matrix and its equilibrium


class Reply(NamedTuple):
    """A best reply, and what the row seat then wins."""

    action: object
    value: float


@dataclass(frozen=True, eq=False)
class Duel:
    """A matrix game: what the row seat wins and the column seat loses, for each row and column."""

    rows: tuple[object, ...]
    columns: tuple[object, ...]
    values: Floats
    intervals: Floats  # half the width of each value's 95 % confidence interval
    names: tuple[str, str] = ("row", "column")
    title: str = "what row wins from column"
    like_rows: tuple[int, ...] = ()  # of a reduced game: how many rows each row stands for
    like_columns: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, values: ArrayLike, rows: Iterable[object] | None = None, columns: Iterable[object] | None = None
    ) -> Duel:
        """A matrix game of one's own: Duel.of([[0, -1], [1, 0]], rows=["stay", "go"], columns=["stay", "go"])."""
        import numpy as np

        try:
            matrix = np.array(values, dtype=np.float64)
        except Exception:  # no numbers, or too large, or nested too deep
            raise CrashlabError("a matrix game is rows of numbers, all equally long") from None
        if matrix.ndim != 2 or not matrix.size or not (abs(matrix) <= GREATEST).all():
            raise CrashlabError(f"a matrix game is rows of numbers, all equally long, none beyond {GREATEST:g}")
        names = []
        for size, given in zip(matrix.shape, (rows, columns), strict=True):
            known = listed(map(str, range(1, size + 1)) if given is None else given)
            if known is None or listed(map(str, known)) is None:
                raise CrashlabError(f"rows and columns are named by lists of names, not by {repeated(given)}")
            names.append(tuple(known))
        if (len(names[0]), len(names[1])) != matrix.shape:
            raise CrashlabError(f"{len(names[0])} rows and {len(names[1])} columns are named, of {matrix.shape}")
        return cls(names[0], names[1], matrix, np.zeros_like(matrix))

    def solve(self, method: str = "lp", steps: int = 2000) -> Equilibrium:
        """The equilibrium: exact by linear programming ("lp"), or learnt in so many steps ("regret")."""
        if not isinstance(method, str) or method not in METHODS:
            raise CrashlabError(f"method={repeated(method)}: choose one of {', '.join(map(repr, METHODS))}")
        if method == "lp":
            return Equilibrium(self, *linear_programming(self.values))
        history = regret_matching(self.values, whole("steps", steps))
        return Equilibrium(self, history.rows[-1], history.columns[-1], history)

    @cached_property
    def equilibrium(self) -> Equilibrium:
        """The exact one."""
        return self.solve()

    def best_reply(self, *, row: object = None, column: object = None) -> Reply:
        """The best answer to a mixture of the row seat, or of the column seat.

        A mixture is a list of probabilities, or a dict {plot: probability}.
        """
        if (row is None) == (column is None):
            raise CrashlabError("best_reply(): give the mixture of one side, as row= or as column=")
        if column is not None:
            values = self.values @ mixture(self.columns, column)
            return Reply(self.rows[int(values.argmax())], float(values.max()))
        values = mixture(self.rows, row) @ self.values
        return Reply(self.columns[int(values.argmin())], float(values.min()))

    def reduced(self) -> Duel:
        """The same game without rows and columns that are equal to others in every cell; the first one stays."""
        rows, like_rows = alike(self.values, self.like_rows)
        columns, like_columns = alike(self.values.T, self.like_columns)
        return replace(
            self,
            rows=tuple(self.rows[place] for place in rows),
            columns=tuple(self.columns[place] for place in columns),
            values=self.values[rows][:, columns],
            intervals=self.intervals[rows][:, columns],
            like_rows=like_rows,
            like_columns=like_columns,
        )

    def __str__(self) -> str:
        return str(self.equilibrium)

    def __repr__(self) -> str:
        return f"<Duel of {len(self.rows)} rows and {len(self.columns)} columns: {self.title}>"

    def _repr_html_(self) -> str:
        return self.equilibrium._repr_html_()


class History(NamedTuple):
    """How regret matching went: the average mixtures after some of the steps, and how far from equilibrium they are."""

    steps: NDArray[np.int64]
    rows: Floats  # [entry, row]
    columns: Floats  # [entry, column]
    values: Floats
    gaps: Floats


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A mixture of rows and one of columns: the probability of each; any two mixtures can be looked at like this."""

    duel: Duel
    row: Floats
    column: Floats
    history: History | None = None  # of regret matching

    @property
    def value(self) -> float:
        """What the row seat wins on average."""
        return float(self.row @ self.duel.values @ self.column)

    @property
    def gap(self) -> float:
        """How much the two could gain, added up, by best replies to each other; 0 in equilibrium."""
        return gap(self.duel.values, self.row, self.column)

    def __str__(self) -> str:
        return as_text(self)

    def __repr__(self) -> str:
        return f"<Equilibrium: value {self.value:.4f}, gap {self.gap:.1e}>"

    def _repr_html_(self) -> str:
        return as_html(self)


def gap(values: Floats, row: Floats, column: Floats) -> float:
    """How much two players could gain, added up, by best replies to each other's mixtures."""
    return max(float((values @ column).max() - (row @ values).min()), 0.0)


def mixture(actions: Sequence[object], given: object) -> Floats:
    """A probability for each action, checked."""
    import numpy as np

    if isinstance(given, Mapping):
        words = {told(action): probability for action, probability in given.items()}
        known = list(map(str, actions))
        if unknown := [word for word in words if word not in known]:
            raise CrashlabError(f"{unknown[0]} is none of the plots of this duel")
        given = [words.pop(word, 0) for word in known]
    try:
        chosen = np.array(given, dtype=np.float64)
    except Exception:
        raise CrashlabError(f"a mixture is a list of probabilities, not {repeated(given)}") from None
    if chosen.shape != (len(actions),):
        raise CrashlabError(f"a mixture has a probability for each of the {len(actions)} plots")
    if not (chosen >= 0).all() or abs(chosen.sum() - 1) > 1e-6:
        raise CrashlabError(f"probabilities are not negative and add up to 1, not to {chosen.sum():g}")
    return chosen


def alike(values: Floats, stood_for: tuple[int, ...]) -> tuple[list[int], tuple[int, ...]]:
    """The first of all rows that are equal in every cell, and how many rows each stands for."""
    found: dict[bytes, tuple[int, int]] = {}
    for place, row in enumerate(values):
        key = (row + 0.0).tobytes()  # + 0.0: -0.0 is 0.0
        first, count = found.get(key, (place, 0))
        found[key] = first, count + (stood_for[place] if stood_for else 1)
    return [first for first, _ in found.values()], tuple(count for _, count in found.values())


def linear_programming(values: Floats) -> tuple[Floats, Floats]:
    """The mixtures of an equilibrium, by the simplex method.

    Made positive, the game is this programme for the column seat: give each column a weight from 0, as much in total
    as possible, so that no row wins more than 1. The weights, scaled to add up to 1, are its mixture: the greater the
    total, the less a row wins from it. The prices of the rows in the solved programme are the row seat's mixture.

    Each step takes the column that brings most and raises its weight until some limits are reached, of which the one
    that gives the safest division leaves. The tableau is solved afresh from its basis each time, so that errors of
    rounding do not grow from step to step.
    """
    import numpy as np

    rows, columns = values.shape
    span = float(values.max() - values.min()) or 1.0
    positive = (values - values.min()) / span + 1
    limits_of_all = np.hstack([positive, np.eye(rows), np.ones((rows, 1))])
    gain = np.concatenate([np.ones(columns), np.zeros(rows)])
    basis = np.arange(columns, columns + rows)  # the variable that each line gives the value of
    for _ in range(MOST_STEPS * (rows + columns)):
        tableau = np.linalg.solve(limits_of_all[:, basis], limits_of_all)
        brings = gain - gain[basis] @ tableau[:, :-1]
        entering = int(brings.argmax())
        if brings[entering] < TINY:
            weights = np.zeros(columns + rows)
            weights[basis] = tableau[:, -1]
            return scaled(gain[basis] @ tableau[:, columns:-1]), scaled(weights[:columns])
        steep = np.flatnonzero(tableau[:, entering] > TINY)
        reached = np.maximum(tableau[steep, -1], 0) / tableau[steep, entering]
        nearest = steep[reached <= reached.min() + TIE]
        basis[nearest[tableau[nearest, entering].argmax()]] = entering
    raise CrashlabError("no equilibrium was found by linear programming; solve('regret') comes as near as is wanted")


def scaled(weights: Floats) -> Floats:
    """The same in proportion, adding up to 1, without what rounding has made negative; all equal if there is none."""
    import numpy as np

    positive = np.maximum(weights, 0.0)
    total = positive.sum()
    even: Floats = positive / total if total > 0 else np.full(len(weights), 1 / len(weights))
    return even


def regret_matching(values: Floats, steps: int) -> History:
    """What two players learn who regret: their average mixtures come close to an equilibrium.

    Each remembers, for each of its actions, how much more this one would have won so far: the regret. It plays its
    actions in proportion to their regrets. A regret never falls below 0, so that an action that has become good is
    soon found again (this variant is called regret matching +), and the two learn by turns. What they play goes
    round in circles; its average, in which late steps count more, settles. About 100 steps are kept, dense at first.
    """
    import numpy as np

    row_regrets, column_regrets = np.zeros(values.shape[0]), np.zeros(values.shape[1])
    row_sum, column_sum = np.zeros(values.shape[0]), np.zeros(values.shape[1])
    column = scaled(column_regrets)
    kept = sorted(set(np.geomspace(1, steps, 100).round().astype(int).tolist()))
    history: list[tuple[Any, ...]] = []
    for step in range(1, steps + 1):
        row = scaled(row_regrets)
        row_sum += step * row
        column_sum += step * column
        if step == kept[len(history)]:
            means = scaled(row_sum), scaled(column_sum)
            history.append((*means, means[0] @ values @ means[1], gap(values, *means)))
        losses = row @ values
        column_regrets = np.maximum(column_regrets + losses @ column - losses, 0)
        column = scaled(column_regrets)
        wins = values @ column
        row_regrets = np.maximum(row_regrets + wins - row @ wins, 0)
    return History(np.array(kept), *map(np.array, zip(*history, strict=True)))


# Tables


def as_text(mixed: Equilibrium) -> str:
    """The matrix with the probabilities at its margins; the most important rows and columns of a large one."""
    game, (rows, columns) = mixed.duel, shown(mixed)
    row_names, column_names = labels(game.rows, game.like_rows), labels(game.columns, game.like_columns)
    lines = [["", "", *(column_names[column] for column in columns)]]
    lines.append(["", "", *(percent(mixed.column[column]) for column in columns)])
    for row in rows:
        cells = [signed(game, game.values[row, column]) for column in columns]
        lines.append([row_names[row], percent(mixed.row[row]), *cells])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = ["  ".join(word.rjust(width) for word, width in zip(line, widths, strict=True)) for line in lines]
    return "\n".join([f"{game.title} ({game.names[0]}: rows, {game.names[1]}: columns)", *table, *remarks(mixed)])


def as_html(mixed: Equilibrium) -> str:
    """The same as a table whose cells are the bluer the more the row seat wins, the redder the more it loses."""
    game, (rows, columns) = mixed.duel, shown(mixed)
    row_names, column_names = labels(game.rows, game.like_rows), labels(game.columns, game.like_columns)
    most = float(abs(game.values[rows][:, columns]).max()) or 1.0
    lines = [heading("", game.names[0] + " \u2193 " + game.names[1] + " \u2192", None)]
    lines[0] += "".join(heading("col", column_names[column], mixed.column[column]) for column in columns)
    for row in rows:
        line = heading("row", row_names[row], mixed.row[row])
        for column in columns:
            value, half = game.values[row, column], game.intervals[row, column]
            style = f"background:{heat(value / most)};color:{ink(heat(value / most))};text-align:right;padding:3px 8px"
            line += f'<td style="{style}" title="\u00b1 {half:.2f}">{signed(game, value)}</td>'
        lines.append(line)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        f'<div style="{PAPER}"><div>{escape(game.title)}</div>'
        f'<table style="border-collapse:separate;border-spacing:1px;margin:6px 0;font-size:13px">{body}</table>'
        f"{''.join(f'<div>{escape(remark)}</div>' for remark in remarks(mixed))}</div>"
    )


def shown(mixed: Equilibrium) -> tuple[list[int], list[int]]:
    """The rows and columns that a table shows: those played most, then those that lose least."""
    wins, losses = mixed.duel.values @ mixed.column, mixed.row @ mixed.duel.values
    rows = sorted(range(len(wins)), key=lambda row: (-mixed.row[row], -wins[row]))
    columns = sorted(range(len(losses)), key=lambda column: (-mixed.column[column], losses[column]))
    return sorted(rows[:MOST_ROWS]), sorted(columns[:MOST_COLUMNS])


def remarks(mixed: Equilibrium) -> list[str]:
    """What is to be said below a table."""
    game, (rows, columns) = mixed.duel, shown(mixed)
    lines = [f"{game.names[0]} wins {mixed.value:+.3f} on average; best replies would gain {mixed.gap:.4f}."]
    sides = (("rows", game.names[0], mixed.row, rows), ("columns", game.names[1], mixed.column, columns))
    for name, seat, mixture, places in sides:
        if len(places) < len(mixture):
            rest = 100 * max(1 - float(mixture[places].sum()), 0.0)
            lines.append(f"{len(places)} of {len(mixture)} {name} are shown; {seat} plays others with {rest:.0f} %.")
    if any(count > 1 for count in game.like_rows + game.like_columns):
        lines.append("×3 stands for three that are equal in every cell.")
    return lines


def labels(actions: Sequence[object], like: Sequence[int]) -> list[str]:
    """The actions in words, with how many others each stands for."""
    counts = like or [1] * len(actions)
    return [f"{action} ×{count}" if count > 1 else str(action) for action, count in zip(actions, counts, strict=True)]


def percent(probability: float) -> str:
    """A probability for a margin."""
    if probability < 0.0005:
        return "-"
    return f"{100 * probability:.0f} %" if probability >= 0.01 else "<1 %"


def signed(game: Duel, value: float) -> str:
    """A value with its sign; without decimals where none of the game's values has any."""
    if value == 0:
        return "0"
    return f"{value:+.0f}" if (game.values == game.values.round()).all() else f"{value:+.2f}"


def heading(scope: str, words: str, probability: float | None) -> str:
    """The head of a row or column, with a bar as long as its probability."""
    if probability is None:
        return f'<td style="background:#F4F1EA;color:#1F1B16;padding:3px 8px">{escape(words)}</td>'
    long = f"{100 * probability:.1f}%"
    bar = f"background:linear-gradient(to right,#F0C566 {long},#F4F1EA {long})"
    style = f"{bar};color:#1F1B16;text-align:left;font-weight:normal;padding:3px 8px;white-space:nowrap"
    return f'<th scope="{scope}" style="{style}">{escape(words)}<br><b>{percent(probability)}</b></th>'


PAPER = "display:inline-block;padding:8px;background:#FFFFFF;color:#1F1B16;font-size:13px;line-height:1.3"
WIN, LOSS = (0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)  # Okabe and Ito's blue and vermillion: told apart by all eyes


def heat(share: float) -> str:
    """White for 0, blue for 1, vermillion for -1."""
    full = WIN if share > 0 else LOSS
    return "#" + "".join(f"{round(255 + (part - 255) * abs(share)):02X}" for part in full)


def ink(paper: str) -> str:
    """Black or white, whichever is the easier to read on this colour."""
    parts = [int(paper[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    light = sum(weight * part**2.2 for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return "#000000" if light > 0.18 else "#FFFFFF"
