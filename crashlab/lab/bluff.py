"""A matrix game and how two players learn to mix: the table, with the mixtures at its margins, step by step."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import ipywidgets as widgets

from crashlab.analysis.duel import duel as duel_of
from crashlab.analysis.endgame import Solution, obstacle, solve
from crashlab.analysis.matrix_game import Duel, Equilibrium
from crashlab.base.errors import CrashlabError
from crashlab.base.statistics import plus_minus
from crashlab.drawing.charts import Curve, curves, heat
from crashlab.drawing.film_json import Document, Packed
from crashlab.drawing.matrix_table import percent, signed
from crashlab.drawing.primitives import shortened
from crashlab.drawing.shapes import Picture, Piece, Point, Polygon, Shape, Text, rectangle
from crashlab.drawing.tween import ENTRY
from crashlab.engine.game import State
from crashlab.lab.board import Board, Panel, button, drawing, expect
from crashlab.lab.playback import FilmPlayer
from crashlab.lab.stepper import beside

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

KEYS = "left and right go one entry back and on, Home and End jump, space plays and pauses, Tab leaves"
LEARNING, SOLUTION = "learning", "solution"
MOST_ROWS, MOST_COLUMNS = 12, 8  # that the table shows
WIDTH = 760.0
LEFT, RIGHT, TOP, BOTTOM = 160.0, 78.0, 138.0, 34.0  # margins of the cells
FULL, TALLEST = 336.0, 44.0  # all rows together; a row, at most
CERTAIN = 62.0  # a bar that means certainty
HEADS = 122.0  # where the names of the columns stand


@dataclass(frozen=True)
class Shown:
    """Which mixtures the margins show: an entry of the history, or the solution."""

    entry: int = 0
    solved: bool = False


class Bluff(Panel):
    """A matrix game, as `crashlab.duel` makes it, with the mixtures that regret matching learns in `steps`.

    A State is the matrix game of that position: exact to the end of the game where `crashlab.solve` knows it.
    Rows and columns that differ from others in nothing stand for them. `KEYS` says what the keys on the table do.
    `bluff.mixtures` are the two mixtures that are shown.

        >>> bluff = Bluff(crashlab.Duel.of([[3, -1], [-2, 1]], rows=["fast", "slow"], columns=["fast", "slow"]))
        >>> bluff.jump(2000)
        >>> [mixture.round(1).tolist() for mixture in bluff.mixtures]
        [[0.4, 0.6], [0.3, 0.7]]
    """

    now: Shown

    def __init__(
        self, duel: Duel | Solution | State, *, steps: int = 2000, theme: str | None = None, scale: float | None = None
    ) -> None:
        self.duel = matrix_of(duel).reduced()
        self.learnt = self.duel.solve("regret", steps)
        self.solution = self.duel.solve("lp")
        self.rows, self.columns = important(self.learnt, self.solution)
        self.now = Shown()
        self.grid = CellGrid(len(self.rows), len(self.columns))
        self._still = self._cells()
        self.board = Board(self._picture(), theme=theme, scale=scale, animate=False)
        self.board.owner = self
        self._make_controls()
        self.board.on_click(self._click)
        self.board.on_key(self._key, leave=lambda: self.play)
        super().__init__([beside(self.board, self._side(), KEYS)])
        self.clock.load(len(self.steps) - 1)
        self.board.alone(self.go, 0)

    def _make_controls(self) -> None:
        on = self.board.guard
        last = len(self.steps) - 1
        self.switch = widgets.ToggleButtons(options=[LEARNING, SOLUTION], style={"button_width": "auto"})
        self.switch.observe(on(lambda _: self.solve(self.switch.value == SOLUTION)), "value")
        self.first = button("", on(lambda: self.jump(0)), "To the first step", "fast-backward")
        self.last = button("", on(lambda: self.jump(last)), "To the last step", "fast-forward")
        self.slider = widgets.IntSlider(
            0, 0, last, readout=False, description="Steps", layout={"flex": "1 1 160px", "min_width": "140px"},
            style={"description_width": "initial"},
        )  # fmt: skip
        self.clock = FilmPlayer(self.board, self.slider, self._pack, self._played, self.play_or_pause, ENTRY)
        self.play = self.clock.button
        self.slider.observe(on(lambda _: self._scrub()), "value")
        self.heading, self.chart = widgets.HTML(), widgets.HTML()

    def _transport(self) -> widgets.Widget:
        parts = [self.first, self.play, self.last, self.slider, self.clock]
        return widgets.HBox(parts, layout={"flex_flow": "row wrap", "align_items": "center"})

    def _side(self) -> widgets.Widget:
        return widgets.VBox([self.switch, self._transport(), self.heading, self.chart])

    @property
    def steps(self) -> list[int]:
        """The steps of regret matching that can be shown."""
        assert self.learnt.history is not None
        return [int(step) for step in self.learnt.history.steps]

    @property
    def mixtures(self) -> tuple[Floats, Floats]:
        """The mixtures that are shown: of the row seat and of the column seat."""
        return self._mixed.row, self._mixed.column

    @property
    def _mixed(self) -> Equilibrium:
        if self.now.solved or self.learnt.history is None:
            return self.solution
        history = self.learnt.history
        return Equilibrium(self.duel, history.rows[self.now.entry], history.columns[self.now.entry])

    # What the user does

    def jump(self, entry: int) -> None:
        """Stop playing, and go to this entry."""
        self.clock.stop()
        self.go(entry)

    def go(self, entry: int) -> None:
        """Show what was learnt after this entry's step."""
        self.now = Shown(min(max(entry, 0), len(self.steps) - 1))
        self.refresh(self.clock.show(self.now.entry, False))

    def solve(self, solved: bool) -> None:
        """Show the exact solution, or what is learnt."""
        self.clock.stop()
        self.now = replace(self.now, solved=solved)
        self.refresh()

    def play_or_pause(self) -> None:
        """Go through the steps, or stay here; at the end, from the beginning."""
        if self.clock.playing:
            self.clock.stop()
            return
        if self.now.solved or self.now.entry == len(self.steps) - 1:
            self.go(0)
        self.clock.start(self.now.entry)

    def _key(self, name: str) -> None:
        leads = {"ArrowLeft": self.now.entry - 1, "ArrowRight": self.now.entry + 1, "Home": 0, "End": len(self.steps)}
        if name in leads:
            self.jump(leads[name])
        elif name in (" ", "Enter"):
            self.play_or_pause()

    def _click(self, x: float, y: float) -> None:
        """Say what is clicked: a cell, or a plot with what it is worth."""
        row, column = self.grid.at(x, y)
        if row is not None and column is not None:
            self.board.say(self._cell_words(self.rows[row], self.columns[column]))
        elif row is not None:
            self.board.say(self._plot_words(0, self.rows[row]))
        elif column is not None:
            self.board.say(self._plot_words(1, self.columns[column]))
        else:
            self.board.say(self._words())

    # What is shown

    def _pack(self, packed: Packed, entry: int) -> Document:
        """What the page has to change for an entry."""
        picture = self._picture_of(Shown(entry))
        return packed.scene(picture, picture.pieces, ())

    def _played(self, entry: int, plays: bool) -> None:
        """The page has come to this entry, also with its slider."""
        self.now = Shown(entry)
        with self.slider._lock_property(value=entry):  # what went there now would come too late
            self.refresh(True)

    def _scrub(self) -> None:
        """The slider has been dragged here; what the page has, it shows already."""
        self.clock.stop()
        self.now = Shown(self.slider.value)
        self.refresh(self.clock.has(self.now.entry))

    def refresh(self, is_seen: bool = False) -> None:
        """Make everything show these mixtures, but for the table if the page shows it already."""
        self.slider.value = self.now.entry
        self.switch.value = SOLUTION if self.now.solved else LEARNING
        self.slider.disabled = self.now.solved
        self.heading.value = f"<div style='line-height: 1.4'>{self._explained()}</div>"
        self.chart.value = drawing(self._gaps(), self.board)
        (self.board.played if is_seen else self.board.show)(self._picture(), (), ())
        self.board.say(self._words())

    def _explained(self) -> str:
        row, column = self.duel.names
        if self.now.solved:
            return (
                f"<b>The solution</b>: with these mixtures neither can do better. All that {row} plays wins the same"
                f" against {column}'s mixture, and nothing wins more."
            )
        return (
            "<b>Regret matching</b>: both play again and again, and play more often what they regret not having played."
            " The bars are the averages so far; ★ is the best reply to the other's bars."
        )

    def _words(self) -> str:
        mixed = self._mixed
        row, _ = self.duel.names
        step = self.steps[self.now.entry]
        last = self.steps[-1]
        lead = "The solution" if self.now.solved else f"After {step:,} of {last:,} steps"
        return f"{lead}: {row} wins {plus(mixed.value, 3)} on average; best replies would gain {mixed.gap:.3f}."

    def _cell_words(self, row: int, column: int) -> str:
        duel = self.duel
        rows, columns = self.duel.labels
        name, other = self.duel.names
        half = float(duel.half_widths[row, column])
        interval = f" {plus_minus(half)}" * (half != 0)
        value = signed(duel.values, float(duel.values[row, column]))
        return f"{name} {rows[row]} against {other} {columns[column]}: {value}{interval} for {name}."

    def _plot_words(self, side: int, place: int) -> str:
        name, other = (self.duel.names[side], self.duel.names[1 - side])
        plot = self.duel.labels[side][place]
        chance = percent(float(self.mixtures[side][place]))
        worth = self._worths()[side][place]
        verb = "wins" if side == 0 else "loses"
        return f"{name} plays {plot}: {chance}. It {verb} {plus(worth, 3)} against {other}'s mixture."

    def _worths(self) -> tuple[Floats, Floats]:
        """What each row wins, and each column loses, against the other's mixture."""
        row, column = self.mixtures
        return self.duel.values @ column, row @ self.duel.values

    def _gaps(self) -> Picture:
        """How far from the solution the mixtures are, step by step."""
        assert self.learnt.history is not None
        gaps = [float(gap) for gap in self.learnt.history.gaps]
        mark = None if self.now.solved else self.now.entry
        powers = [10**power for power in range(7) if 10**power <= self.steps[-1]]
        along = [(bisect_left(self.steps, power), f"{power:,}") for power in powers]
        return curves(
            [Curve("", "path", gaps)], len(gaps) - 1, title="What best replies would gain", across="steps", mark=mark,
            along=along,
        )  # fmt: skip

    def _picture_of(self, shown: Shown) -> Picture:
        before, self.now = self.now, shown
        try:
            return self._picture()
        finally:
            self.now = before

    def _picture(self) -> Picture:
        margins = Piece("margins", 0, 0, (*self._row_margin(), *self._column_margin()))
        words = f"{self.duel.title}. {self._words()} {self._told()}"
        return Picture(WIDTH, self.grid.height, self._still, (margins,), words)

    def _told(self) -> str:
        """The mixtures in words."""
        told = []
        for name, words, mixture in zip(self.duel.names, self.duel.labels, self.mixtures, strict=True):
            best = sorted(range(len(mixture)), key=lambda place, mixture=mixture: -mixture[place])[:5]  # type: ignore[misc]
            parts = [f"{words[place]} {percent(mixture[place])}" for place in best if mixture[place] >= 0.005]
            told.append(f"{name} plays {', '.join(parts)}")
        return "; ".join(told) + "."

    def _cells(self) -> tuple[Shape, ...]:
        """The table itself, which never changes."""
        duel = self.duel
        grid = self.grid
        rows, columns = self.duel.labels
        part = duel.values[self.rows][:, self.columns]
        low, high = float(part.min()), float(part.max())
        shapes: list[Shape] = [Polygon(rectangle(0, 0, WIDTH, grid.height), "panel", "panel edge", 2)]
        title, _, remark = duel.title.partition("; ")
        shapes.append(Text(12, 17, shortened(title, 95), 14, "ink", "left", bold=True))
        shapes.append(Text(12, 36, shortened(remark, 105), 13, "muted", "left"))
        shapes.append(Text(LEFT - 10, HEADS, f"{duel.names[0]} ↓   {duel.names[1]} →", 14, "muted", "right"))
        shapes.append(Text(WIDTH - RIGHT / 2, HEADS, f"{duel.names[0]} wins", 13, "muted"))
        shapes.append(Text(LEFT - 10, grid.height - BOTTOM / 2, f"{duel.names[1]} loses", 13, "muted", "right"))
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

    def _row_margin(self) -> list[Shape]:
        """The row seat's mixture beside the table, and what each row wins on the other side."""
        mixture = self.mixtures[0]
        wins = self._worths()[0]
        shapes: list[Shape] = []
        for y, row in enumerate(self.rows):
            chance = float(mixture[row])
            middle = self.grid.middle(y, 0)[1]
            half = self.grid.tall / 2 - 3
            end = 95 + max(CERTAIN * chance, 1)
            shapes.append(bar((95, middle - half, end, middle + half), self.duel.rows[row], 0))
            if chance >= 0.0005:
                shapes.append(Text(LEFT - 8, middle, percent(chance), 13, "ink", "right", bold=True))
            star = " ★" if wins[row] >= wins.max() - 1e-9 else ""
            shapes.append(Text(WIDTH - 10, middle, f"{plus(wins[row], 2)}{star}", 13, "ink", "right", bold=bool(star)))
        return shapes

    def _column_margin(self) -> list[Shape]:
        """The column seat's mixture above the table, and what each column loses below."""
        mixture = self.mixtures[1]
        losses = self._worths()[1]
        shapes: list[Shape] = []
        for x, column in enumerate(self.columns):
            chance = float(mixture[column])
            middle = self.grid.middle(0, x)[0]
            floor = HEADS - 12
            top = floor - max(42 * chance, 1)
            half = min(self.grid.wide / 2 - 6, 18)
            shapes.append(bar((middle - half, top, middle + half, floor), self.duel.columns[column], 1))
            if chance >= 0.0005:
                shapes.append(Text(middle, top - 8, percent(chance), 13, "ink", bold=True))
            star = " ★" if losses[column] <= losses.min() + 1e-9 else ""
            y = self.grid.height - BOTTOM / 2
            shapes.append(Text(middle, y, f"{plus(losses[column], 2)}{star}", 13, "ink", bold=bool(star)))
        return shapes

    def repaint(self) -> None:
        """The chart has the board's colours, too."""
        self.chart.value = drawing(self._gaps(), self.board)

    def still(self) -> tuple[Picture, str]:
        """The table with the solution."""
        return self._picture_of(Shown(len(self.steps) - 1, solved=True)), str(self.solution)


def matrix_of(given: Duel | Solution | State) -> Duel:
    """The matrix game that is to be shown."""
    if isinstance(given, State):
        return duel_of(given) if obstacle(given) else solve(given).duel
    if isinstance(given, Solution):
        return given.duel
    expect(given, Duel, "a Bluff shows a Duel, as crashlab.duel(state) gives it, or a State")
    return given


class CellGrid:
    """Where the cells of a table are."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.tall = min(FULL / rows, TALLEST)
        self.wide = (WIDTH - LEFT - RIGHT) / columns
        self.height = TOP + rows * self.tall + BOTTOM

    def corner(self, row: int, column: int) -> Point:
        """The upper left corner of a cell."""
        return LEFT + column * self.wide, TOP + row * self.tall

    def middle(self, row: int, column: int) -> Point:
        """The middle of a cell."""
        left, top = self.corner(row, column)
        return left + self.wide / 2 - 1, top + self.tall / 2 - 1

    def at(self, x: float, y: float) -> tuple[int | None, int | None]:
        """The row and the column that a point is in; in the margins only one of them."""
        row, column = int((y - TOP) // self.tall), int((x - LEFT) // self.wide)
        return (row if 0 <= row < self.rows else None), (column if 0 <= column < self.columns else None)


def important(learnt: Equilibrium, solution: Equilibrium) -> tuple[list[int], list[int]]:
    """The rows and the columns that are played most, while it is learnt and in the solution; in their order."""
    if learnt.history is None:
        raise CrashlabError("these mixtures have no history")
    rows = learnt.history.rows.mean(axis=0) + learnt.row + 2 * solution.row
    columns = learnt.history.columns.mean(axis=0) + learnt.column + 2 * solution.column
    found = []
    for weights, most in ((rows, MOST_ROWS), (columns, MOST_COLUMNS)):
        order = sorted(range(len(weights)), key=lambda place, weights=weights: -weights[place])  # type: ignore[misc]
        found.append(sorted(order[:most]))
    return found[0], found[1]


def bar(box: tuple[float, float, float, float], action: object, side: int) -> Shape:
    """A bar in the colour of the seat whose action it is, pale enough for words on it."""
    return Polygon(rectangle(*box), f"seat {getattr(action, 'seat', side)}", alpha=0.55)


def plus(value: float, digits: int) -> str:
    """A number with its sign; what is nearly 0 is +0.00."""
    return f"{round(float(value), digits) + 0.0:+.{digits}f}"


def label(words: str, x: float, y: float, size: int, most: int, align: str = "centre") -> list[Shape]:
    """The name of a row or a column; of a plan for two cars, a line for each of them, a little smaller."""
    lines = words.split(", ") if words.count(", ") == 1 else [words]
    tall = 12.0
    top = y - tall * (len(lines) - 1) / 2 + (2 if len(lines) > 1 else 0)
    small = min(size, 10) if len(lines) > 1 else size
    return [Text(x, top + tall * n, shortened(line, most), small, "ink", align) for n, line in enumerate(lines)]
