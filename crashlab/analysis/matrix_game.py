"""Matrix games: two players decide simultaneously.

    Duel.of([[1, -1], [-1, 1]])  a matrix game; `crashlab.duel` builds one from a position
    game.solve()                 the exact equilibrium, by linear programming
    game.solve("regret")         an approximate equilibrium by regret matching, with a history
    game.reduced()               the game without duplicate plots

A value is the gain of the row seat and the loss of the column seat. In an *equilibrium* neither seat can improve on its
mixture of plots, even if it knows the other's mixture. If no single plot achieves that, both have to bluff.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from crashlab.base.errors import CrashlabError, listed, require, short_repr, short_str, whole
from crashlab.base.statistics import plus_minus
from crashlab.drawing import html
from crashlab.drawing.html import LINE_BREAK, PAPER, Html, element
from crashlab.drawing.styles import BAD, BLUE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
else:
    Floats = Any  # NumPy is imported on first use

METHODS = ("lp", "regret")
TINY = 1e-9  # smaller values are rounding errors
GREATEST = 1e12  # largest absolute value
TIE = 1e-12  # limits at most this far apart are reached together
MOST_STEPS = 50  # most simplex steps per row and column; a few are usually enough
MOST_ROWS, MOST_COLUMNS = 14, 10  # size of the largest table shown
CORNER = "background:#F4F1EA;color:#1F1B16;padding:3px 8px"
WIN, LOSS = (tuple(bytes.fromhex(colour[1:])) for colour in (BLUE, BAD))  # distinguishable by colour-blind readers


class Reply(NamedTuple):
    """A best reply, and the resulting gain of the row seat."""

    action: object
    value: float


@dataclass(frozen=True, eq=False)
class Duel:
    """A matrix game: the gain of the row seat, which the column seat loses, for each row and column.

    >>> duel = crashlab.Duel.of([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], rows="RPS", columns="RPS")
    >>> duel.solve().row.round(3)
    array([0.333, 0.333, 0.333])
    """

    rows: tuple[object, ...]
    columns: tuple[object, ...]
    values: Floats
    half_widths: Floats  # half the width of each value's 95 % confidence interval
    names: tuple[str, str] = ("row", "column")
    title: str = "the points that row wins from column"
    like_rows: tuple[int, ...] = ()  # in a reduced game: the number of rows that each row stands for
    like_columns: tuple[int, ...] = ()

    @classmethod
    def of(
        cls, values: ArrayLike, rows: Iterable[object] | None = None, columns: Iterable[object] | None = None
    ) -> Duel:
        """Create a matrix game: Duel.of([[0, -1], [1, 0]], rows=["stay", "go"], columns=["stay", "go"])."""
        import numpy as np

        try:
            matrix = np.array(values, dtype=np.float64)
        except Exception:  # not numbers, too large, or nested too deep
            raise CrashlabError("a matrix game is a list of rows of numbers, all of the same length") from None
        if matrix.ndim != 2 or not matrix.size or not (abs(matrix) <= GREATEST).all():
            message = "a matrix game is a list of rows of numbers, all of the same length"
            raise CrashlabError(f"{message} and between -{GREATEST:g} and {GREATEST:g}")
        names = []
        for size, labels in zip(matrix.shape, (rows, columns), strict=True):
            texts = listed(map(str, range(1, size + 1)) if labels is None else labels)
            if texts is None or listed(map(str, texts)) is None:
                raise CrashlabError(f"give the names of rows and columns as lists, not {short_repr(labels)}")
            names.append(tuple(texts))
        require(
            (len(names[0]), len(names[1])) == matrix.shape,
            f"{len(names[0])} rows and {len(names[1])} columns have names, but the shape is {matrix.shape}",
        )
        return cls(names[0], names[1], matrix, np.zeros_like(matrix))

    def solve(self, method: str = "lp", steps: int = 2000) -> Equilibrium:
        """Return the equilibrium: exact by linear programming ("lp"), or approximate after `steps` ("regret")."""
        require(
            isinstance(method, str) and method in METHODS,
            f"method={short_repr(method)}: choose one of {', '.join(map(repr, METHODS))}",
        )
        if method == "lp":
            return Equilibrium(self, *linear_programming(self.values))
        history = regret_matching(self.values, whole("steps", steps))
        return Equilibrium(self, history.rows[-1], history.columns[-1], history)

    @cached_property
    def equilibrium(self) -> Equilibrium:
        """The exact equilibrium."""
        return self.solve()

    def best_reply(self, *, row: object = None, column: object = None) -> Reply:
        """Return the best reply to a mixture of the row seat or of the column seat.

        A mixture is a list of probabilities, or a dict {plot: probability}.
        """
        require((row is None) != (column is None), "best_reply(): give the mixture of one side, as row= or as column=")
        if column is not None:
            values = self.values @ mixture(self.columns, column)
            return Reply(self.rows[int(values.argmax())], float(values.max()))
        values = mixture(self.rows, row) @ self.values
        return Reply(self.columns[int(values.argmin())], float(values.min()))

    def reduced(self) -> Duel:
        """Return the game without duplicates: of equal rows or columns only the first is kept."""
        rows, like_rows = alike(self.values, self.like_rows)
        columns, like_columns = alike(self.values.T, self.like_columns)
        return replace(
            self,
            rows=tuple(self.rows[place] for place in rows),
            columns=tuple(self.columns[place] for place in columns),
            values=self.values[rows][:, columns],
            half_widths=self.half_widths[rows][:, columns],
            like_rows=like_rows,
            like_columns=like_columns,
        )

    @property
    def labels(self) -> tuple[list[str], list[str]]:
        """The labels of rows and columns, with the number of duplicates."""
        return labels(self.rows, self.like_rows), labels(self.columns, self.like_columns)

    def __str__(self) -> str:
        return str(self.equilibrium)

    def __repr__(self) -> str:
        return f"<Duel of {len(self.rows)} rows and {len(self.columns)} columns: {self.title}>"

    def _repr_html_(self) -> str:
        return self.equilibrium._repr_html_()


class History(NamedTuple):
    """The history of regret matching: average mixtures after some steps, and their distance from equilibrium."""

    steps: NDArray[np.int64]
    rows: Floats  # [entry, row]
    columns: Floats  # [entry, column]
    values: Floats
    gaps: Floats


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """Two mixtures, as probabilities of the rows and of the columns; an exact equilibrium only if `gap` is 0."""

    duel: Duel
    row: Floats
    column: Floats
    history: History | None = None  # None if solved by linear programming

    @property
    def value(self) -> float:
        """The mean gain of the row seat."""
        return float(self.row @ self.duel.values @ self.column)

    @property
    def gap(self) -> float:
        """The sum of the gains that a best reply would bring each seat; 0 in equilibrium."""
        return gap(self.duel.values, self.row, self.column)

    def __str__(self) -> str:
        """Return the matrix with probabilities at its margins; a large one is cut to its main rows and columns."""
        game = self.duel
        rows, columns = self._shown()
        row_labels, column_labels = game.labels
        lines = [["", "", *(column_labels[column] for column in columns)]]
        lines.append(["", "", *(percent(self.column[column]) for column in columns)])
        for row in rows:
            cells = [signed(game.values, game.values[row, column]) for column in columns]
            lines.append([row_labels[row], percent(self.row[row]), *cells])
        title = f"{game.title} ({game.names[0]}: rows, {game.names[1]}: columns)"
        return "\n".join([title, *html.columns(lines), *self._remarks()])

    def __repr__(self) -> str:
        return f"<Equilibrium: value {self.value:.4f}, gap {self.gap:.1e}>"

    def _repr_html_(self) -> Html:
        """Return the matrix as an HTML table, with blue cells for gains of the row seat and red ones for losses."""
        game = self.duel
        rows, columns = self._shown()
        row_labels, column_labels = game.labels
        most = float(abs(game.values[rows][:, columns]).max()) or 1.0
        corner = element("td", f"{game.names[0]} \u2193 {game.names[1]} \u2192", style=CORNER)
        lines = [[corner, *(heading("col", column_labels[column], self.column[column]) for column in columns)]]
        for row in rows:
            line = [heading("row", row_labels[row], self.row[row])]
            for column in columns:
                value, half = game.values[row, column], game.half_widths[row, column]
                colour = heat(value / most)
                style = f"background:{colour};color:{ink(colour)};text-align:right;padding:3px 8px"
                line.append(element("td", signed(game.values, value), style=style, title=plus_minus(half)))
            lines.append(line)
        style = "border-collapse:separate;border-spacing:1px;margin:6px 0;font-size:13px"
        matrix = element("table", *(element("tr", *line) for line in lines), style=style)
        below = (element("div", remark) for remark in self._remarks())
        return element("div", element("div", game.title), matrix, *below, style=f"{PAPER};line-height:1.3")

    def _shown(self) -> tuple[list[int], list[int]]:
        """Choose the rows and columns to show: the most probable ones, then those that lose least."""
        wins, losses = self.duel.values @ self.column, self.row @ self.duel.values
        rows = sorted(range(len(wins)), key=lambda row: (-self.row[row], -wins[row]))
        columns = sorted(range(len(losses)), key=lambda column: (-self.column[column], losses[column]))
        return sorted(rows[:MOST_ROWS]), sorted(columns[:MOST_COLUMNS])

    def _remarks(self) -> list[str]:
        """Return the lines below a table."""
        game = self.duel
        row_seat, column_seat = game.names
        rows, columns = self._shown()
        lines = [f"{row_seat} wins {self.value:+.3f} on average; best replies would gain {self.gap:.4f}."]
        sides = (("rows", row_seat, self.row, rows), ("columns", column_seat, self.column, columns))
        for name, seat, mixture, places in sides:
            if len(places) < len(mixture):
                rest = 100 * max(1 - float(mixture[places].sum()), 0.0)
                lines.append(
                    f"{len(places)} of {len(mixture)} {name} are shown; {seat} plays the others with {rest:.0f} %."
                )
        if any(count > 1 for count in game.like_rows + game.like_columns):
            lines.append("×3 marks three plots equal in every cell.")
        return lines


def gap(values: Floats, row: Floats, column: Floats) -> float:
    """Return the sum of the gains that a best reply to the other's mixture would bring each seat."""
    return max(float((values @ column).max() - (row @ values).min()), 0.0)


def mixture(actions: Sequence[object], probabilities: object) -> Floats:
    """Check a mixture and return it as an array of probabilities, one for each action."""
    import numpy as np

    if isinstance(probabilities, Mapping):
        words = {short_str(action): probability for action, probability in probabilities.items()}
        names = list(map(str, actions))
        if unknown := [word for word in words if word not in names]:
            raise CrashlabError(f"{unknown[0]} is not among the plots of this duel")
        probabilities = [words.pop(word, 0) for word in names]
    try:
        shares = np.array(probabilities, dtype=np.float64)
    except Exception:
        raise CrashlabError(f"a mixture is a list of probabilities, not {short_repr(probabilities)}") from None
    require(shares.shape == (len(actions),), f"a mixture needs a probability for each of the {len(actions)} plots")
    if not (shares >= 0).all() or abs(shares.sum() - 1) > 1e-6:
        raise CrashlabError(f"probabilities must not be negative and must add up to 1, not to {shares.sum():g}")
    return shares


def labels(actions: Sequence[object], like: Sequence[int]) -> list[str]:
    """Return the labels of actions, with the number of duplicates."""
    counts = like or [1] * len(actions)
    return [f"{action} ×{count}" if count > 1 else str(action) for action, count in zip(actions, counts, strict=True)]


def alike(values: Floats, stood_for: tuple[int, ...]) -> tuple[list[int], tuple[int, ...]]:
    """Return the index of the first row of each group of equal rows, and the sizes of the groups."""
    firsts: dict[bytes, tuple[int, int]] = {}
    for place, row in enumerate(values):
        key = (row + 0.0).tobytes()  # + 0.0 turns -0.0 into 0.0
        first, count = firsts.get(key, (place, 0))
        firsts[key] = first, count + (stood_for[place] if stood_for else 1)
    return [first for first, _ in firsts.values()], tuple(count for _, count in firsts.values())


def linear_programming(values: Floats) -> tuple[Floats, Floats]:
    """Return the mixtures of an equilibrium, by the simplex method.

    With positive values, the linear program of the column seat is: give the columns non-negative weights of maximal
    sum, so that no row gains more than 1. The weights, normalised to a sum of 1, are its mixture. The shadow prices of
    the rows are the row seat's mixture.

    In each step, the column with the largest reduced cost enters the basis. The row that reaches its limit first leaves
    the basis; if several do, the row with the largest pivot. The tableau is recomputed from its basis in every step, so
    that rounding errors do not accumulate.
    """
    import numpy as np

    rows, columns = values.shape
    span = float(values.max() - values.min()) or 1.0
    positive = (values - values.min()) / span + 1
    limits_of_all = np.hstack([positive, np.eye(rows), np.ones((rows, 1))])
    gain = np.concatenate([np.ones(columns), np.zeros(rows)])
    basis = np.arange(columns, columns + rows)  # the basic variable of each row
    for _ in range(MOST_STEPS * (rows + columns)):
        tableau = np.linalg.solve(limits_of_all[:, basis], limits_of_all)
        brings = gain - gain[basis] @ tableau[:, :-1]
        entering = int(brings.argmax())
        if brings[entering] < TINY:
            weights = np.zeros(columns + rows)
            weights[basis] = tableau[:, -1]
            return scaled(gain[basis] @ tableau[:, columns:-1]), scaled(weights[:columns])
        steep = np.flatnonzero(tableau[:, entering] > TINY)
        ratios = np.maximum(tableau[steep, -1], 0) / tableau[steep, entering]
        nearest = steep[ratios <= ratios.min() + TIE]
        basis[nearest[tableau[nearest, entering].argmax()]] = entering
    raise CrashlabError("no equilibrium was found by linear programming; solve('regret') finds an approximate one")


def scaled(weights: Floats) -> Floats:
    """Normalise weights to a sum of 1, negative ones (rounding errors) taken as 0; uniform if none is positive."""
    import numpy as np

    positive = np.maximum(weights, 0.0)
    total = positive.sum()
    return cast("Floats", positive / total if total > 0 else np.full(len(weights), 1 / len(weights)))


def regret_matching(values: Floats, steps: int) -> History:
    """Run regret matching, whose average mixtures converge to an equilibrium, and return its history.

    The regret of an action is how much more it would have won so far than the actions actually played. Each player
    plays actions in proportion to their regrets. Regrets never fall below 0, so that an action that becomes good is
    soon played again (regret matching +), and the players update alternately. Their plays cycle, but the averages,
    weighted towards later steps, converge. About 100 steps are recorded, more of them at the start.
    """
    import numpy as np

    row_regrets, column_regrets = np.zeros(values.shape[0]), np.zeros(values.shape[1])
    row_sum, column_sum = np.zeros(values.shape[0]), np.zeros(values.shape[1])
    column = scaled(column_regrets)
    recorded_steps = sorted(set(np.geomspace(1, steps, 100).round().astype(int).tolist()))
    history: list[tuple[Any, ...]] = []
    for step in range(1, steps + 1):
        row = scaled(row_regrets)
        row_sum += step * row
        column_sum += step * column
        if step == recorded_steps[len(history)]:
            means = scaled(row_sum), scaled(column_sum)
            history.append((*means, means[0] @ values @ means[1], gap(values, *means)))
        losses = row @ values
        column_regrets = np.maximum(column_regrets + losses @ column - losses, 0)
        column = scaled(column_regrets)
        wins = values @ column
        row_regrets = np.maximum(row_regrets + wins - row @ wins, 0)
    return History(np.array(recorded_steps, dtype=np.int64), *map(np.array, zip(*history, strict=True)))


def percent(probability: float) -> str:
    """Format a probability; "-" if it is below 0.05 %."""
    if probability < 0.0005:
        return "-"
    return f"{100 * probability:.0f} %" if probability >= 0.01 else "<1 %"


def signed(values: Floats, value: float) -> str:
    """Format one of the values with its sign, without decimals if all values are whole."""
    if value == 0:
        return "0"
    return f"{value:+.0f}" if (values == values.round()).all() else f"{value:+.2f}"


def heading(scope: str, words: str, probability: float) -> Html:
    """Return the HTML header of a row or column, with its probability as a number and a bar."""
    long = f"{100 * probability:.1f}%"
    bar = f"background:linear-gradient(to right,#F0C566 {long},#F4F1EA {long})"
    style = f"{bar};color:#1F1B16;text-align:left;font-weight:normal;padding:3px 8px;white-space:nowrap"
    return element("th", words, LINE_BREAK, element("b", percent(probability)), scope=scope, style=style)


def heat(share: float) -> str:
    """Return the colour of a share: white for 0, blue for 1, vermilion for -1."""
    full = WIN if share > 0 else LOSS
    return "#" + "".join(f"{round(255 + (part - 255) * abs(share)):02X}" for part in full)


def ink(paper: str) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    parts = [int(paper[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    light = sum(weight * part**2.2 for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return "#000000" if light > 0.18 else "#FFFFFF"
