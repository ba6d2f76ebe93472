"""Draws pictures on a canvas in the browser. The only file that knows ipycanvas.

A *surface* is one canvas of four layers: the still board, marks on it, the pieces, and above them whatever moves or
points. Everything that changes at once is written down first, as plain commands, and then sent as one message: if the
writing fails nothing is sent, two threads cannot mix their drawings, and no number reaches the browser unchecked.
Drawings of many lines are kept on a hidden canvas, the atlas, and stamped from there, so that a piece takes some
hundred bytes of a message.

What ipycanvas 0.14 does that this file works round:
    - all canvases of a page share one queue of commands, and one bad command or one sleep stops them all:
      a surface has a queue of its own
    - NaN, an infinity or a negative radius kills a queue until the page is loaded again: `number` and `size`
    - after a reload the canvas is empty and the queue knows no canvas: each message begins by naming its layer,
      and everything is drawn again when a browser says that it is ready
    - every key is swallowed, so that Tab would never leave the canvas: `on_key`
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from math import ceil, cos, floor, hypot, isfinite, pi, radians, sin
from typing import Any

from ipycanvas import MultiCanvas
from ipycanvas.canvas import COMMANDS, Canvas, _CanvasManager

from crashlab.shapes import Circle, Line, Picture, Piece, Point, Polygon, Shape, Text, arrow, placed

BOARD, MARKS, PIECES, TOP = range(4)  # the layers
SHARP = 2  # pixels of the canvas for one of the screen: sharp on fine screens and projectors
ATLAS = 1280  # pixels of the atlas, across and down
MANY = 24  # commands from which on a drawing is worth a place in the atlas
NAP = 16  # milliseconds that the browser sleeps after a frame
FRAME = 18  # milliseconds that a frame takes there in all
DOUBLE = 0.35  # seconds within which two clicks are one
FONT = "system-ui, sans-serif"

Command = list[Any]
Drawing = tuple[Shape, ...]
Shapes = Sequence[Shape]
Frames = Sequence[Sequence[Piece]]
Shown = tuple[Picture, Shapes, Shapes]


def number(value: float, least: float = -1e5, most: float = 1e5) -> float:
    """A number that the canvas can take: no NaN, no infinity, no more digits than can be seen."""
    value = float(value)
    return round(min(max(value, least), most), 2) if isfinite(value) else 0.0


def size(value: float) -> float:
    """The same for a radius, a width, an alpha: never negative."""
    return number(value, 0.0)


@dataclass(frozen=True)
class Spot:
    """A drawing in the atlas: its box in the coordinates of its piece, and the pixel where it begins."""

    left: float
    top: float
    width: float
    height: float
    x: int
    y: int


class Atlas:
    """Where drawings lie on the hidden canvas: in rows, from the top."""

    def __init__(self, zoom: float) -> None:
        self.zoom = zoom
        self.canvas = Canvas(width=ATLAS, height=ATLAS)
        self.forget()

    def forget(self) -> None:
        """Begin with an empty atlas."""
        self.spots: dict[Drawing, Spot] = {}
        self._x = self._y = self._row = 0

    def add(self, drawing: Drawing) -> Spot | None:
        """A free place for a drawing, or None if there is none."""
        left, top, right, bottom = box(drawing)
        across, down = ceil((right - left) * self.zoom), ceil((bottom - top) * self.zoom)
        if self._x + across > ATLAS:
            self._x, self._y, self._row = 0, self._y + self._row, 0
        if across > ATLAS or self._y + down > ATLAS:
            return None
        spot = Spot(left, top, right - left, bottom - top, self._x, self._y)
        self.spots[drawing] = spot
        self._x, self._row = self._x + across, max(self._row, down)
        return spot


class Pen:
    """Writes shapes down as commands of the canvas."""

    def __init__(self, colours: Mapping[str, str], zoom: float, atlas: Atlas) -> None:
        self.colours, self.zoom, self.atlas = colours, number(zoom), atlas
        self.commands: list[Command] = []
        self._layer: Canvas | None = None
        self._style: dict[str, Any] = {}

    def stock(self, pieces: Iterable[Piece]) -> None:
        """Put the drawings of these pieces into the atlas, unless they are there."""
        wanted = dict.fromkeys(
            run for piece in pieces for run in runs(piece.shapes) if isinstance(run, tuple) and cost(run) >= MANY
        )
        new = [drawing for drawing in wanted if drawing not in self.atlas.spots]
        spots = [(drawing, self.atlas.add(drawing)) for drawing in new]
        if not all(spot for _, spot in spots):
            self.atlas.forget()
            spots = [(drawing, self.atlas.add(drawing)) for drawing in wanted]
        if not new:
            return
        self.take(self.atlas.canvas, clear=len(new) == len(self.atlas.spots))
        for drawing, spot in spots:
            if spot:
                shift = spot.x - spot.left * self.zoom, spot.y - spot.top * self.zoom
                self.do("setTransform", self.zoom, 0, 0, self.zoom, *map(number, shift))
                self.shapes(drawing)

    def take(self, layer: Canvas, clear: bool = True) -> None:
        """What follows goes to this layer, wiped clean before.

        Each switch to a layer makes the browser compose all of them once more at the end of the message.
        """
        if layer is not self._layer:
            self.commands.append([COMMANDS["switchCanvas"], [self.name(layer)]])
            self._layer, self._style = layer, {}
        if clear:
            self.do("resetTransform")
            self.do("clear")
        self.do("setTransform", self.zoom, 0, 0, self.zoom, 0, 0)
        self.style(line_cap="round", line_join="round", text_baseline="middle")

    def do(self, name: str, *arguments: Any) -> None:
        """One command."""
        self.commands.append([COMMANDS[name], list(arguments), 0])

    def style(self, **wanted: Any) -> None:
        """Set what is not set so already."""
        for name, value in wanted.items():
            if self._style.get(name) != value:
                self._style[name] = value
                self.do("set", Canvas.ATTRS[name], value)

    def pieces(self, pieces: Iterable[Piece]) -> None:
        """Draw pieces where they stand."""
        for piece in pieces:
            for run in runs(piece.shapes):
                spot = self.atlas.spots.get(run) if isinstance(run, tuple) else None
                if spot:
                    self.stamp(piece, spot)
                else:
                    self.shapes(placed(replace(piece, shapes=run if isinstance(run, tuple) else (run,))))

    def stamp(self, piece: Piece, spot: Spot) -> None:
        """Draw a piece's drawing from the atlas: the atlas moved so that it fits, and cut to the drawing's box."""
        right = cos(radians(piece.angle)) * piece.scale * self.zoom
        down = sin(radians(piece.angle)) * piece.scale * self.zoom
        self.style(global_alpha=min(size(piece.alpha), 1.0))
        self.do("save")
        turned = [round(number(value * 1000) / 1000, 4) for value in (right, -down, down, right)]
        self.do("setTransform", *turned, round(number(piece.x * self.zoom)), round(number(piece.y * self.zoom)))
        self.do("beginPath")
        self.do("rect", number(spot.left), number(spot.top), number(spot.width), number(spot.height))
        self.do("clip")
        x, y = spot.left - spot.x / self.zoom, spot.top - spot.y / self.zoom
        across = ATLAS / self.zoom
        self.do("drawImage", self.name(self.atlas.canvas), number(x), number(y), number(across), number(across))
        self.do("restore")

    @staticmethod
    def name(canvas: Canvas) -> str:
        """What a canvas is called in a message."""
        return f"IPY_MODEL_{canvas.model_id}"

    def shapes(self, shapes: Iterable[Shape]) -> None:
        """Draw shapes in their order."""
        for shape in shapes:
            self.shape(shape)

    def shape(self, shape: Shape) -> None:
        """Draw one shape."""
        self.style(global_alpha=min(size(shape.alpha), 1.0))
        if isinstance(shape, Text):
            self.text(shape)
        elif isinstance(shape, Circle):
            self.do("beginPath")
            self.do("arc", number(shape.x), number(shape.y), size(shape.radius), 0, round(2 * pi, 5))
            self.ink(shape.fill, shape.stroke, shape.width)
        elif isinstance(shape, Polygon):
            self.path(shape.points)
            self.do("closePath")
            self.ink(shape.fill, shape.stroke, shape.width)
        elif shape.arrow and len(shape.points) > 1:
            self.shapes(arrow(shape))
        else:
            self.path(shape.points)
            self.ink("", shape.stroke, shape.width)

    def path(self, points: Sequence[Point]) -> None:
        """A path through points, not drawn yet."""
        self.do("beginPath")
        for place, (x, y) in enumerate(points):
            self.do("lineTo" if place else "moveTo", number(x), number(y))

    def ink(self, fill: str, stroke: str, width: float) -> None:
        """Fill the path, draw its outline, or both."""
        if fill:
            self.style(fill_style=self.colours[fill])
            self.do("fill")
        if stroke:
            self.style(stroke_style=self.colours[stroke], line_width=size(width))
            self.do("stroke")

    def text(self, text: Text) -> None:
        """One line of words."""
        align = {"centre": "center"}.get(text.align, text.align)
        font = f"{'bold ' if text.bold else ''}{size(text.size)}px {FONT}"
        self.style(font=font, text_align=align, fill_style=self.colours[text.fill])
        self.do("fillText", text.text, number(text.x), number(text.y))


class Surface:
    """One canvas for pictures of one size. `widget` is what is put on the page."""

    def __init__(self, width: float, height: float, colours: Mapping[str, str], scale: float = 1.0) -> None:
        self.lock = threading.RLock()
        self.colours, self.zoom = colours, SHARP * scale
        self.widget = MultiCanvas(
            TOP + 1,
            width=round(width * self.zoom),
            height=round(height * self.zoom),
            layout={"width": f"{round(width * scale)}px", "max_width": "100%", "height": "auto"},
        )
        self.messages = 0  # sent so far
        self._shown: Shown | None = None
        self._board: tuple[Shape, ...] | None = None  # what the lowest layer shows
        self._quiet_at = 0.0  # when the browser has played what was sent to it
        self.atlas = Atlas(self.zoom)
        self._own_queue()
        self.widget.on_client_ready(self.redraw)

    def _own_queue(self) -> None:
        self.queue = _CanvasManager()
        for canvas in (self.widget, *self.widget._canvases, self.atlas.canvas):
            canvas._canvas_manager = self.queue

    # Drawing

    def draw(self, picture: Picture, marks: Shapes = (), top: Shapes = ()) -> None:
        """Show a picture, with marks under its pieces and shapes above them: one message."""
        self.play((), picture, marks, top)

    def play(self, frames: Frames, picture: Picture, marks: Shapes = (), top: Shapes = ()) -> None:
        """Show frames one after another, then the picture: one message, played by the browser.

        What is the same in every frame is drawn once; what changes is drawn above it.
        """
        with self.lock:
            try:
                commands = self._write(frames, picture, marks, top)
            except Exception:
                self.atlas.forget()  # nothing was sent
                raise
            self.queue._send_custom(commands)
            self.messages += 1
            self._shown, self._board = (picture, marks, top), picture.board
            self._quiet_at = max(self._quiet_at, time.monotonic()) + len(frames) * FRAME / 1000

    def _write(self, frames: Frames, picture: Picture, marks: Shapes, top: Shapes) -> list[Command]:
        pen = Pen(self.colours, self.zoom, self.atlas)
        pen.stock([*(piece for pieces in frames for piece in pieces), *picture.pieces])
        if picture.board != self._board:
            pen.take(self.widget[BOARD])
            pen.shapes(picture.board)
        self._frames(pen, frames)
        pen.take(self.widget[MARKS])
        pen.shapes(marks)
        pen.take(self.widget[PIECES])
        pen.pieces(picture.pieces)
        pen.take(self.widget[TOP])
        pen.shapes(top)
        return pen.commands

    def _frames(self, pen: Pen, frames: Frames) -> None:
        still = resting(frames)
        for pieces in frames[:1]:
            pen.take(self.widget[PIECES])
            pen.pieces(piece for piece in pieces if piece.key in still)
        for pieces in frames:
            pen.take(self.widget[TOP])
            pen.pieces(piece for piece in pieces if piece.key not in still)
            pen.do("sleep", NAP)

    @property
    def playing(self) -> bool:
        """Whether the browser is still busy with frames."""
        return time.monotonic() < self._quiet_at

    def redraw(self) -> None:
        """Draw everything again, also the still board."""
        with self.lock:
            self._board = None
            self.atlas.forget()
            if self._shown:
                self.draw(*self._shown)

    def repair(self) -> None:
        """After an error in the browser: a fresh queue, and everything drawn again."""
        with self.lock:
            old = self.queue
            self._own_queue()
            old.close()
            self._quiet_at = 0.0
            self.redraw()

    # Mouse, finger and keys

    def on_click(self, react: Callable[[float, float], object]) -> None:
        """React to a click or a touch, in the coordinates of the picture; a double click is one click."""
        last = [-1.0, 0.0, 0.0]

        def press(x: float, y: float) -> None:
            now, x, y = time.monotonic(), number(x) / self.zoom, number(y) / self.zoom
            with self.lock:
                again = now - last[0] < DOUBLE and hypot(x - last[1], y - last[2]) < 8
                last[:] = now, x, y
            if not again:
                react(x, y)

        self.widget.on_mouse_down(press)
        self.widget.on_touch_start(lambda touches: press(*touches[0]) if touches else None)

    def on_key(self, react: Callable[[str], object], leave: Callable[[], object]) -> None:
        """React to keys on the canvas; Tab and Escape leave it."""

        def press(key: str, *_modifiers: bool) -> None:
            if key in ("Tab", "Escape"):
                leave()
            else:
                react(key)

        self.widget.on_key_down(press)


@lru_cache(maxsize=512)
def runs(shapes: Drawing) -> tuple[Drawing | Text, ...]:
    """The shapes as drawings with the words between them, in their order."""
    found: list[Drawing | Text] = []
    for wordy, group in groupby(shapes, key=lambda shape: isinstance(shape, Text)):
        together = tuple(group)
        found.extend(together if wordy else [together])  # type: ignore[arg-type]
    return tuple(found)


def cost(drawing: Drawing) -> int:
    """About how many commands a drawing takes."""
    return sum(3 if isinstance(shape, Circle | Text) else 3 + len(shape.points) for shape in drawing)


def box(drawing: Drawing) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a drawing, with room for its outlines and arrow heads."""
    edges: list[tuple[float, float, float]] = []
    for shape in drawing:
        if isinstance(shape, Circle):
            edges.append((shape.x, shape.y, shape.radius + shape.width / 2))
        elif isinstance(shape, Text):
            edges.append((shape.x, shape.y, shape.size * (1 + len(shape.text)) / 4))
        else:
            room = 1.7 * shape.width + 3 if isinstance(shape, Line) else shape.width
            edges += [(x, y, room) for x, y in shape.points]
    return (
        floor(min(x - room for x, _, room in edges)) - 1,
        floor(min(y - room for _, y, room in edges)) - 1,
        ceil(max(x + room for x, _, room in edges)) + 1,
        ceil(max(y + room for _, y, room in edges)) + 1,
    )


def resting(frames: Frames) -> set[str]:
    """The keys of the pieces that are the same in every frame."""
    if not frames:
        return set()
    first = {piece.key: piece for piece in frames[0]}
    still = set(first)
    for pieces in frames[1:]:
        here = {piece.key: piece for piece in pieces}
        still = {key for key in still if here.get(key) == first[key]}
    return still
