"""A panel for a matrix game: its table, with both mixtures, learnt step by step, in the margins."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from crashlab.analysis.duel import duel as duel_of
from crashlab.analysis.endgame import Solution, obstacle, solve
from crashlab.analysis.matrix_game import Duel, Equilibrium, percent, signed
from crashlab.base.errors import expect
from crashlab.base.statistics import plus_minus
from crashlab.drawing.charts import Curve, curves, heat
from crashlab.drawing.film_json import Document
from crashlab.drawing.html import Html, element
from crashlab.drawing.primitives import shortened
from crashlab.drawing.shapes import Picture, Piece, Point, Polygon, Shape, Text, rectangle
from crashlab.drawing.tween import BRISK
from crashlab.engine.game import State
from crashlab.lab.board import Board, Panel, drawing
from crashlab.lab.playback import alone
from crashlab.lab.stepper import PLAIN_KEYS, Steps, beside

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEARNING, SOLUTION = "learning", "solution"
MOST_ROWS, MOST_COLUMNS = 12, 8  # maximum size of the table shown
WIDTH = 760.0
LEFT, RIGHT, TOP, BOTTOM = 160.0, 78.0, 138.0, 34.0  # margins of the cells
FULL, TALLEST = 336.0, 44.0  # height of all rows together, and maximum height of a row
CERTAIN = 62.0  # length of a bar of probability 1
HEADS = 122.0  # vertical position of the column names


class Bluff(Panel):
    """A matrix game, such as `crashlab.duel` returns, with the mixtures that regret matching learns in `steps` steps.

    For a State it is the matrix game of that position; it is exact to the end of the game if `crashlab.solve` applies.
    Duplicate rows and columns are shown once. `bluff.mixtures` are the two mixtures on display.

        >>> bluff = Bluff(crashlab.Duel.of([[3, -1], [-2, 1]], rows=["fast", "slow"], columns=["fast", "slow"]))
        >>> bluff.jump(2000)
        >>> [mixture.round(1).tolist() for mixture in bluff.mixtures]
        [[0.4, 0.6], [0.3, 0.7]]
    """

    now: int | None  # the current entry of the history, or None for the solution

    def __init__(
        self, duel: Duel | Solution | State, *, steps: int = 2000, theme: str | None = None, scale: float | None = None
    ) -> None:
        self.story = Learning(matrix_of(duel).reduced(), steps)
        self.now = 0
        self.board = Board(self.story.picture(0), theme=theme, scale=scale, animate=False)
        self.board.owner = self
        self.switch = widgets.ToggleButtons(options=[LEARNING, SOLUTION], style={"button_width": "auto"})
        # The pressed value counts, even if a beat has reset the switch meanwhile.
        self.switch.observe(self.board.guard(lambda change: self.solve(change["new"] == SOLUTION)), "value")
        self.steps = Steps(self.board, stepped=lambda: self._tell(self.steps.beat), brisk=BRISK)
        self.heading, self.chart = widgets.HTML(), widgets.HTML()
        self.board.on_click(self._click)
        self.board.on_key(self.steps.key)
        side = widgets.VBox([self.switch, self.steps, self.heading, self.chart])
        super().__init__([beside(self.board, side, PLAIN_KEYS)])
        self.board.run_alone(self._begin)

    def _begin(self) -> None:
        self.steps.load(self.story)
        self.steps.go(0)

    @property
    def mixtures(self) -> tuple[Floats, Floats]:
        """The current mixtures of the row seat and the column seat."""
        equilibrium = self.story.mixed(self.now)
        return equilibrium.row, equilibrium.column

    def jump(self, entry: int) -> None:
        """Stop playing, and go to this entry of the history."""
        self.board.run_alone(self.steps.jump, entry)

    @alone
    def solve(self, solved: bool) -> None:
        """Show the exact solution, or the learnt mixtures."""
        self.steps.page.stop()
        if not solved:
            self.steps.go(self.steps.beat)
            return
        self._tell(None)
        self.board.show(self.story.picture(None), (), ())
        self.board.say(self.story.words(None))

    def _tell(self, entry: int | None) -> None:
        """Update the switch, the heading and the chart for an entry, or for the solution if it is None."""
        self.now = entry
        self.switch.value = SOLUTION if entry is None else LEARNING
        self.heading.value = element("div", *self.story.explained(entry), style="line-height: 1.4")
        self.repaint()

    def _click(self, x: float, y: float) -> None:
        """Describe the clicked cell, or the clicked action with its value."""
        self.board.say(self.story.words_at(self.now, x, y))

    def repaint(self) -> None:
        """Redraw the chart in the board's colours."""
        self.chart.value = drawing(self.story.gaps(self.now), self.board)

    def still(self) -> tuple[Picture, str]:
        """Return the table with the solution, and its words."""
        return self.story.picture(None), str(self.story.solution)


class Learning:
    """The learning of two mixtures as a story: a beat is an entry of the history; None stands for the solution."""

    events: Sequence[tuple[int, Any]] = ()
    stops: Sequence[int] = ()
    stop = ""

    def __init__(self, duel: Duel, steps: int) -> None:
        self.duel = duel
        self.learnt = duel.solve("regret", steps)
        self.solution = duel.solve("lp")
        assert self.learnt.history is not None
        self.history = self.learnt.history
        self.steps = [int(step) for step in self.history.steps]
        self.beats = len(self.steps) - 1
        self.rows, self.columns = important(self.learnt, self.solution)
        self.grid = CellGrid(len(self.rows), len(self.columns))
        self._still = self._cells()

    def mixed(self, entry: int | None) -> Equilibrium:
        """Return the mixtures after this entry's step, or the solution."""
        if entry is None:
            return self.solution
        return Equilibrium(self.duel, self.history.rows[entry], self.history.columns[entry])

    def effects(self, beat: int) -> tuple[()]:
        return ()

    def ways(self, beat: int) -> tuple[()]:
        return ()

    def event_documents(self) -> list[Document]:
        return []

    def frame(self) -> Document:
        """Return an empty frame, as there are no rules."""
        return {}

    def of_beat(self, beat: int, whole: bool = False) -> Document:
        """Return an empty document: the beat has only words."""
        return {}

    def places(self) -> list[Point]:
        """Return no places, as there is no map."""
        return []

    def explained(self, entry: int | None) -> tuple[Html, str]:
        """Return the name of the mixtures, in bold, and their explanation."""
        row, column = self.duel.names
        if entry is None:
            return element("b", "The solution"), (
                f": with these mixtures neither can do better. Every plot in {row}'s mixture wins the same against"
                f" {column}'s, and no other plot wins more."
            )
        return element("b", "Regret matching"), (
            ": both play again and again, and more often choose the plots that they regret not having played. The bars"
            " are the averages so far; ★ is the best reply to the other's bars."
        )

    def words(self, entry: int | None) -> str:
        """Describe the value and the gap of the mixtures."""
        equilibrium = self.mixed(entry)
        row, _ = self.duel.names
        lead = "The solution" if entry is None else f"After {self.steps[entry]:,} of {self.steps[-1]:,} steps"
        gain = f"best replies would gain {equilibrium.gap:.3f}"
        return f"{lead}: {row} wins {plus(equilibrium.value, 3)} on average; {gain}."

    def words_at(self, entry: int | None, x: float, y: float) -> str:
        """Describe the cell or the action at (x, y), or the mixtures if (x, y) is elsewhere."""
        row, column = self.grid.at(x, y)
        if row is not None and column is not None:
            return self._cell_words(self.rows[row], self.columns[column])
        if row is not None:
            return self._plot_words(entry, 0, self.rows[row])
        return self.words(entry) if column is None else self._plot_words(entry, 1, self.columns[column])

    def _cell_words(self, row: int, column: int) -> str:
        duel = self.duel
        rows, columns = self.duel.labels
        name, other = self.duel.names
        half = float(duel.half_widths[row, column])
        interval = f" {plus_minus(half)}" * (half != 0)
        value = signed(duel.values, float(duel.values[row, column]))
        return f"{name} {rows[row]} against {other} {columns[column]}: {value}{interval} for {name}."

    def _plot_words(self, entry: int | None, side: int, place: int) -> str:
        name, other = (self.duel.names[side], self.duel.names[1 - side])
        plot = self.duel.labels[side][place]
        equilibrium = self.mixed(entry)
        chance = percent(float((equilibrium.row, equilibrium.column)[side][place]))
        worth = self._worths(equilibrium)[side][place]
        verb = "wins" if side == 0 else "loses"
        return f"{name} plays {plot}: {chance}. It {verb} {plus(worth, 3)} against {other}'s mixture."

    def _worths(self, equilibrium: Equilibrium) -> tuple[Floats, Floats]:
        """Return the gain of each row and the loss of each column against the opponent's mixture."""
        return self.duel.values @ equilibrium.column, equilibrium.row @ self.duel.values

    def gaps(self, mark: int | None) -> Picture:
        """Draw the gain of best replies at each step, with a mark at this entry."""
        gaps = [float(gap) for gap in self.history.gaps]
        powers = [10**power for power in range(7) if 10**power <= self.steps[-1]]
        along = [(bisect_left(self.steps, power), f"{power:,}") for power in powers]
        return curves(
            [Curve("", "path", gaps)],
            len(gaps) - 1,
            title="What best replies would gain",
            across="steps",
            mark=mark,
            along=along,
        )

    def picture(self, entry: int | None) -> Picture:
        """Draw the table with the mixtures in its margins."""
        equilibrium = self.mixed(entry)
        margins = Piece("margins", 0, 0, (*self._row_margin(equilibrium), *self._column_margin(equilibrium)))
        words = f"{self.duel.title}. {self.words(entry)} {self._mixture_words(equilibrium)}"
        return Picture(WIDTH, self.grid.height, self._still, (margins,), words)

    def _mixture_words(self, equilibrium: Equilibrium) -> str:
        """Describe both mixtures."""
        sentences = []
        for name, words, mixture in zip(
            self.duel.names, self.duel.labels, (equilibrium.row, equilibrium.column), strict=True
        ):
            best = sorted(range(len(mixture)), key=lambda place, mixture=mixture: -mixture[place])[:5]  # type: ignore[misc]
            parts = [f"{words[place]} {percent(mixture[place])}" for place in best if mixture[place] >= 0.005]
            sentences.append(f"{name} plays {', '.join(parts)}")
        return "; ".join(sentences) + "."

    def _cells(self) -> tuple[Shape, ...]:
        """Draw the constant part of the table."""
        duel = self.duel
        grid = self.grid
        rows, columns = self.duel.labels
        part = duel.values[self.rows][:, self.columns]
        low, high = float(part.min()), float(part.max())
        shapes: list[Shape] = [Polygon(rectangle(0, 0, WIDTH, grid.height), "panel", "panel edge", 2)]
        title, _, remark = duel.title.partition("; ")
        shapes += [
            Text(12, 17, shortened(title, 95), 14, "ink", "left", bold=True),
            Text(12, 36, shortened(remark, 105), 13, "muted", "left"),
            Text(LEFT - 10, HEADS, f"{duel.names[0]} ↓   {duel.names[1]} →", 14, "muted", "right"),
            Text(WIDTH - RIGHT / 2, HEADS, f"{duel.names[0]} wins", 13, "muted"),
            Text(LEFT - 10, grid.height - BOTTOM / 2, f"{duel.names[1]} loses", 13, "muted", "right"),
        ]
        for y, row in enumerate(self.rows):
            shapes += label(rows[row], 90, grid.middle(y, 0)[1], 13, 12, "right")
            for x, column in enumerate(self.columns):
                colour = heat(float(duel.values[row, column]), low, high)
                left, top = grid.corner(y, x)
                shapes.append(Polygon(rectangle(left, top, left + grid.wide - 2, top + grid.tall - 2), colour))
                words = signed(duel.values, float(duel.values[row, column]))
                shapes.append(Text(*grid.middle(y, x), words, 13, f"{colour} ink"))
        for x, column in enumerate(self.columns):
            shapes += label(columns[column], grid.middle(0, x)[0], HEADS, 12, 11)
        return tuple(shapes)

    def _row_margin(self, equilibrium: Equilibrium) -> Iterator[Shape]:
        """Draw the row seat's mixture beside the table, and the gain of each row on the other side."""
        mixture = equilibrium.row
        wins = self._worths(equilibrium)[0]
        for y, row in enumerate(self.rows):
            chance = float(mixture[row])
            middle = self.grid.middle(y, 0)[1]
            half = self.grid.tall / 2 - 3
            end = 95 + max(CERTAIN * chance, 1)
            yield bar((95, middle - half, end, middle + half), self.duel.rows[row], 0)
            if chance >= 0.0005:
                yield Text(LEFT - 8, middle, percent(chance), 13, "ink", "right", bold=True)
            star = " ★" if wins[row] >= wins.max() - 1e-9 else ""
            yield Text(WIDTH - 10, middle, f"{plus(wins[row], 2)}{star}", 13, "ink", "right", bold=bool(star))

    def _column_margin(self, equilibrium: Equilibrium) -> Iterator[Shape]:
        """Draw the column seat's mixture above the table, and the loss of each column below."""
        mixture = equilibrium.column
        losses = self._worths(equilibrium)[1]
        for x, column in enumerate(self.columns):
            chance = float(mixture[column])
            middle = self.grid.middle(0, x)[0]
            floor = HEADS - 12
            top = floor - max(42 * chance, 1)
            half = min(self.grid.wide / 2 - 6, 18)
            yield bar((middle - half, top, middle + half, floor), self.duel.columns[column], 1)
            if chance >= 0.0005:
                yield Text(middle, top - 8, percent(chance), 13, "ink", bold=True)
            star = " ★" if losses[column] <= losses.min() + 1e-9 else ""
            y = self.grid.height - BOTTOM / 2
            yield Text(middle, y, f"{plus(losses[column], 2)}{star}", 13, "ink", bold=bool(star))


def matrix_of(source: Duel | Solution | State) -> Duel:
    """Return the matrix game of a duel, a solution or a state."""
    if isinstance(source, State):
        return duel_of(source) if obstacle(source) else solve(source).duel
    if isinstance(source, Solution):
        return source.duel
    expect(source, Duel, "a Bluff shows a State, or a Duel as returned by crashlab.duel(state)")
    return source


class CellGrid:
    """The positions of the cells of a table."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.tall = min(FULL / rows, TALLEST)
        self.wide = (WIDTH - LEFT - RIGHT) / columns
        self.height = TOP + rows * self.tall + BOTTOM

    def corner(self, row: int, column: int) -> Point:
        """Return the upper left corner of a cell."""
        return LEFT + column * self.wide, TOP + row * self.tall

    def middle(self, row: int, column: int) -> Point:
        """Return the centre of a cell."""
        left, top = self.corner(row, column)
        return left + self.wide / 2 - 1, top + self.tall / 2 - 1

    def at(self, x: float, y: float) -> tuple[int | None, int | None]:
        """Return the row and the column at a point; each is None outside the cells."""
        row, column = int((y - TOP) // self.tall), int((x - LEFT) // self.wide)
        return (row if 0 <= row < self.rows else None), (column if 0 <= column < self.columns else None)


def important(learnt: Equilibrium, solution: Equilibrium) -> tuple[list[int], list[int]]:
    """Return the rows and columns played most while learning and in the solution, in table order."""
    assert learnt.history is not None
    rows = learnt.history.rows.mean(axis=0) + learnt.row + 2 * solution.row
    columns = learnt.history.columns.mean(axis=0) + learnt.column + 2 * solution.column
    indices = []
    for weights, most in ((rows, MOST_ROWS), (columns, MOST_COLUMNS)):
        order = sorted(range(len(weights)), key=lambda place, weights=weights: -weights[place])  # type: ignore[misc]
        indices.append(sorted(order[:most]))
    return indices[0], indices[1]


def bar(box: tuple[float, float, float, float], action: object, side: int) -> Shape:
    """Return a bar in the colour of the acting seat, pale enough for words on it."""
    return Polygon(rectangle(*box), f"seat {getattr(action, 'seat', side)}", alpha=0.55)


def plus(value: float, digits: int) -> str:
    """Write a number with its sign; tiny negative values become +0.00."""
    return f"{round(float(value), digits) + 0.0:+.{digits}f}"


def label(words: str, x: float, y: float, size: int, most: int, align: str = "centre") -> list[Shape]:
    """Draw the name of a row or a column; a plan for two cars takes two smaller lines."""
    lines = words.split(", ") if words.count(", ") == 1 else [words]
    tall = 12.0
    top = y - tall * (len(lines) - 1) / 2 + (2 if len(lines) > 1 else 0)
    small = min(size, 10) if len(lines) > 1 else size
    return [Text(x, top + tall * n, shortened(line, most), small, "ink", align) for n, line in enumerate(lines)]
