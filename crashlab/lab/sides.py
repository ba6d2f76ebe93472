"""Two stories side by side: two boards with one slider, and below them what each has done so far."""

from __future__ import annotations

from html import escape

import ipywidgets as widgets

from crashlab.drawing.shapes import Picture
from crashlab.lab.board import FAR, Board, Panel, known_as
from crashlab.lab.stepper import Steps
from crashlab.watch.views import Pair

BOTH_KEYS = "left and right step, Home and End jump, space plays and pauses, + and − set the speed; Tab leaves"


class Beside(Panel):
    """Two films or turns, beat by beat on two boards, with what each has done so far.

    `Watch.beside` and `Stepper.beside` make it.
    """

    def __init__(self, story: Pair, theme: str | None = None, scale: float | None = None, animate: bool = True) -> None:
        self.story = story
        self.now = None
        self.board = Board(story.picture(0), theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        self.steps = Steps(self.board, stepped=self._show, explain=lambda event: "")
        self.counts = known_as(widgets.HTML(), FAR)
        self.board.on_key(self.steps.key, leave=lambda: self.steps.play)
        keys = widgets.HTML(f"<div style='opacity: 0.75'>Keys on the board: {escape(BOTH_KEYS)}.</div>")
        super().__init__([self.steps, self.board, self.counts, keys])
        self.board.alone(self._begin)

    def _begin(self) -> None:
        self.steps.load(self.story)
        self.steps.go(0)

    def show(self, beat: int) -> None:
        """Go to this beat of both."""
        self.board.alone(self.steps.jump, beat)

    def _show(self) -> None:
        """Show both counts."""
        rows = [[f"<td>{escape(cell)}&emsp;</td>" for cell in row] for row in self.story.counts(self.steps.beat)]
        lines = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
        self.counts.value = f"<table style='line-height: 1.5'>{lines}</table>"

    def still(self) -> tuple[Picture, str]:
        """Both at their ends, and the counts in words."""
        rows = self.story.counts(self.story.beats)
        return self.story.picture(self.story.beats), "\n".join("  ".join(row) for row in rows)
