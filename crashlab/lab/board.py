"""A board on the page: the picture, and under it a line that says in words what it shows.

Everything interactive is built on it. What it promises to the widgets round it:
    - callbacks run one at a time, in whatever thread they arrive (`guard`)
    - a callback that our own change of a control brings about is ignored
    - an error is shown in the status line and kept in `error`, and everything stays as it was: what a widget
      remembers is one value, `now`, which is replaced and never changed
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from html import escape
from math import dist
from typing import Any

import ipywidgets as widgets

from crashlab.game import State
from crashlab.happen import CHANCE
from crashlab.options import CrashlabError
from crashlab.shapes import Circle, Picture, Piece, Point, placed
from crashlab.stage import mimebundle, svg, themes
from crashlab.stage.canvas import DOUBLE, Frames, Shapes, Surface, box

WARNING = "border-left: 5px solid #D55E00; padding-left: 8px; font-weight: 600"


class Panel(widgets.VBox):  # type: ignore[misc]
    """Widgets in a column. Where widgets do not run, a picture and words stand in for them."""

    board: Board
    now: Any = None  # all that it remembers, in one value that never changes

    def still(self) -> tuple[Picture, str]:
        """The picture and the words that stand in."""
        raise NotImplementedError

    @property
    def error(self) -> Exception | None:
        """The last error that the status line told of."""
        return self.board.problem

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        widget: dict[str, Any] = super()._repr_mimebundle_(include=include, exclude=exclude)
        return {**widget, **mimebundle(*self.still(), self.board.theme)}


class Board(Panel):
    """A state, or any picture, on the page."""

    def __init__(
        self, shown: State | Picture, *, theme: str = "light", scale: float = 1.0, animate: bool = True
    ) -> None:
        expect(shown, State | Picture, "a Board shows a State or a Picture")
        picture = shown if isinstance(shown, Picture) else shown.picture()
        expect(scale, int | float, "scale is a number")
        if not 0.3 <= scale <= 4:
            raise CrashlabError(f"scale={scale!r}: a board can be drawn from 0.3 to 4 times its size")
        self.board = self
        self.owner: Panel = self
        self.theme, self.scale, self.animate = theme, scale, animate
        self.lock = threading.RLock()
        self.problem: Exception | None = None
        self._inside = False
        self._what = "picture" if isinstance(shown, Picture) else "position"
        self.surface = Surface(picture.width, picture.height, themes.theme(theme), scale)
        self.status = widgets.HTML(layout={"margin": "6px 0 0"})
        self.words = widgets.HTML(layout={"margin": "0"})  # the whole position; where it goes, its owner decides
        super().__init__([self.surface.widget, self.status], layout={"max_width": f"{round(picture.width * scale)}px"})
        self.show(picture)
        self.say(picture.words)

    def still(self) -> tuple[Picture, str]:
        """What the board shows now."""
        return self.picture, self.picture.words

    # What it shows

    def show(self, picture: Picture, marks: Shapes = (), top: Shapes = ()) -> None:
        """Show a picture, with marks under its pieces and shapes above them: one message."""
        self.film((), picture, marks, top)

    def film(self, frames: Frames, picture: Picture, marks: Shapes = (), top: Shapes = ()) -> None:
        """Show frames one after another, and then the picture: one message."""
        with self.lock:
            self.surface.play(frames if self.animate else (), picture, marks, top)
            self.picture = picture
            self.words.value = (
                f"<details style='line-height: 1.4'><summary>The {self._what} in words</summary>"
                f"{escape(picture.words)}</details>"
            )

    def say(self, words: str, style: str = "") -> None:
        """Put words into the status line."""
        look = f"font-size: {round(15 * self.scale)}px; line-height: 1.35; min-height: 2.7em; white-space: pre-line"
        self.status.value = f"<div role='status' aria-live='polite' style='{look}; {style}'>{escape(words)}</div>"

    def complain(self, error: Exception) -> None:
        """Tell of an error in the status line, and keep it."""
        self.problem = error
        words = str(error) if isinstance(error, CrashlabError) else f"{type(error).__name__}: {error}"
        hint = "" if isinstance(error, CrashlabError) else " (The whole error is kept in .error.)"
        self.say(f"⚠ {words}\nNothing has changed.{hint}", WARNING)

    # What happens to it

    def guard(self, handler: Callable[..., object]) -> Callable[..., None]:
        """The handler as a callback that runs alone and never loses an error."""

        def callback(*arguments: object) -> None:
            with self.lock:
                if self._inside:
                    return  # our own change of a control, not the user's
                self._inside = True
                before = self.owner.now
                try:
                    handler(*arguments)
                except Exception as error:
                    self.owner.now = before
                    self.complain(error)
                finally:
                    self._inside = False

        return callback

    def alone(self, work: Callable[..., object], *arguments: object) -> None:
        """Do something for the program, not for the user: callbacks wait, and errors are raised."""
        with self.lock:
            outer, self._inside = self._inside, True
            try:
                work(*arguments)
            finally:
                self._inside = outer

    def on_click(self, react: Callable[[float, float], object]) -> None:
        """React to a click or a touch, in the coordinates of the picture."""
        self.surface.on_click(self.guard(react))

    def on_key(self, react: Callable[[str], object], leave: Callable[[], widgets.DOMWidget]) -> None:
        """React to keys on the picture; Tab and Escape go on to the widget that `leave()` gives."""
        self.surface.on_key(self.guard(react), self.guard(lambda: leave().focus()))


def expect(value: object, kind: Any, words: str) -> None:
    """Refuse what is not of this kind, in words."""
    if not isinstance(value, kind):
        raise CrashlabError(f"{words}, not {value!r}")


def button(
    words: str, react: Callable[..., object], tooltip: str = "", icon: str = "", *, once: bool = False, **options: Any
) -> widgets.Button:
    """A button with words, or with an icon and a tooltip. `once`: a double click is one click."""
    layout = options.pop("layout", {"width": "auto"})
    made = widgets.Button(description=words, tooltip=tooltip or words, icon=icon, layout=layout, **options)
    last, lock = [-1.0], threading.Lock()

    def press(_: object) -> None:
        with lock:
            now = time.monotonic()
            again, last[0] = once and now - last[0] < DOUBLE, now
        if not again:
            react()

    made.on_click(press)
    return made


def drawing(picture: Picture, board: Board) -> str:
    """A picture for an HTML widget beside a board, in its theme and its scale; it shrinks where there is less room."""
    return svg.paint(picture, board.theme, board.scale).replace(
        "<svg ", "<svg style='max-width: 100%; height: auto' ", 1
    )


def piece_at(picture: Picture, x: float, y: float) -> Piece | None:
    """The piece that is meant by a click: the one whose middle is nearest of those that are hit."""
    reach = [(*extent(piece), piece) for piece in picture.pieces]
    hit = [(dist(middle, (x, y)), piece) for middle, radius, piece in reach if dist(middle, (x, y)) <= radius]
    return min(hit, key=lambda found: found[0], default=(0, None))[1]


def extent(piece: Piece) -> tuple[Point, float]:
    """The middle of a piece, and how far it reaches from there."""
    left, top, right, bottom = box(placed(piece))
    return ((left + right) / 2, (top + bottom) / 2), max(right - left, bottom - top) / 2


def ring(piece: Piece) -> Shapes:
    """A ring that marks a piece."""
    (x, y), radius = extent(piece)
    return Circle(x, y, radius, "", "flash edge", 7), Circle(x, y, radius, "", "flash", 4)


def subject(state: State, seat: int | None) -> Piece | None:
    """The piece that a seat is asked about."""
    if seat in (None, CHANCE):
        return None
    key = state.game.ask.subject(state.table, seat)
    return next((piece for piece in state.picture().pieces if piece.key == key), None)
