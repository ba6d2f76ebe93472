"""Draws pictures on a canvas in the browser. The only file that knows ipycanvas.

A *surface* is one canvas of four layers: the still board, marks on it, the pieces, and above them whatever moves or
points. Everything that changes at once is written down first, as plain commands, and then sent as one message: if the
writing fails nothing is sent, two threads cannot mix their drawings, and no number reaches the browser unchecked.
Drawings of many lines are kept on a hidden canvas, the atlas, and stamped from there, so that a piece takes some
hundred bytes of a message.

A map in the picture is drawn through a lens: larger, cut off at the map's edges, and of it only what may be seen. When
the lens changes, the layers themselves are magnified for some frames, which takes few commands.

What ipycanvas 0.14 does that this file works round:
    - all canvases of a page share one queue of commands, and one bad command or one sleep stops them all:
      a surface has a queue of its own
    - NaN, an infinity or a negative radius kills a queue until the page is loaded again: `number` and `size`
    - after a reload the canvas is empty and the queue knows no canvas: each message begins by naming its layer,
      and everything is drawn again when a browser says that it is ready
    - every key is swallowed, so that Tab would never leave the canvas: `on_key`
    - the wheel and touches are swallowed, so that the page does not scroll: `crashlab/lab/page`, by the classes here
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from math import ceil, cos, floor, hypot, isfinite, pi, radians, sin
from typing import Any

from ipycanvas import MultiCanvas
from ipycanvas.canvas import COMMANDS, Canvas, _CanvasManager

from crashlab.shapes import Circle, Line, Map, Picture, Piece, Point, Polygon, Shape, Text, arrow, placed
from crashlab.stage.lens import Lens, gliding, inside, reach

BOARD, MARKS, PIECES, TOP = range(4)  # the layers
SHARP = 2  # pixels of the canvas for one of the screen: sharp on fine screens and projectors
ATLAS = 1280  # pixels of the atlas, across and down
MANY = 24  # commands from which on a drawing is worth a place in the atlas
GLIDE = 12  # frames in which a map comes nearer
NAP = 16  # milliseconds that the browser sleeps after a frame
FRAME = 18  # milliseconds that a frame takes there in all
SLACK = 6.0  # pixels that a mouse may move while it clicks
PACE = 0.06  # seconds between two pictures of a map that is dragged
DOUBLE = 0.35  # seconds within which two clicks are one
FONT = "system-ui, sans-serif"
OURS, NEAR = "crashlab-board", "crashlab-near"  # how the page knows our canvases, and those with a map to be dragged

Command = list[Any]
Drawing = tuple[Shape, ...]
Shapes = Sequence[Shape]
Frames = Sequence[Sequence[Piece]]
Shown = tuple[Picture, Shapes, Shapes, Lens | None]


def number(value: float, least: float = -1e5, most: float = 1e5) -> float:
    """A number that the canvas can take: no NaN, no infinity, no more digits than can be seen."""
    value = float(value)
    if least <= value <= most:
        return round(value, 2)
    return round(min(max(value, least), most), 2) if isfinite(value) else 0.0


def size(value: float) -> float:
    """The same for a radius, a width, an alpha: never negative."""
    return number(value, 0.0)


@dataclass(frozen=True)
class Spot:
    """A drawing in the atlas: how large it is there, its box in the coordinates of its piece, and where it begins."""

    zoom: float
    left: float
    top: float
    width: float
    height: float
    x: int
    y: int


class Atlas:
    """Where drawings lie on the hidden canvas, each as large as it is needed: in rows, from the top."""

    def __init__(self) -> None:
        self.canvas = Canvas(width=ATLAS, height=ATLAS)
        self.forget()

    def forget(self) -> None:
        """Begin with an empty atlas."""
        self.spots: dict[tuple[Drawing, float], Spot] = {}
        self.homeless: set[tuple[Drawing, float]] = set()  # for which there was no place
        self._x = self._y = self._row = 0

    def add(self, drawing: Drawing, zoom: float) -> Spot | None:
        """A free place for a drawing so many times as large, or None if there is none."""
        left, top, right, bottom = box(drawing)
        across, down = ceil((right - left) * zoom), ceil((bottom - top) * zoom)
        if self._x + across > ATLAS:
            self._x, self._y, self._row = 0, self._y + self._row, 0
        if across > ATLAS or self._y + down > ATLAS:
            self.homeless.add((drawing, zoom))
            return None
        spot = Spot(zoom, left, top, right - left, bottom - top, self._x, self._y)
        self.spots[drawing, zoom] = spot
        self._x, self._row = self._x + across, max(self._row, down)
        return spot


class Pen:
    """Writes shapes down as commands of the canvas."""

    def __init__(self, colours: Mapping[str, str], zoom: float, atlas: Atlas, lens: Lens | None = None) -> None:
        self.colours, self.zoom, self.atlas = colours, number(zoom), atlas
        self.aim(lens)
        self._near = 1.0  # how many times as large all is drawn now
        self._shift = 0.0, 0.0
        self.commands: list[Command] = []
        self._layer: Canvas | None = None
        self._style: dict[str, Any] = {}

    def aim(self, lens: Lens | None) -> None:
        """Look at maps through this lens from now on."""
        self.lens = lens if lens and lens.zoom > 1 else None

    def stock(self, pieces: Iterable[Piece]) -> None:
        """Put the drawings of these pieces into the atlas, unless they are there."""
        wanted = dict.fromkeys(
            (run, self.scale(piece))
            for piece in pieces
            for run in runs(piece.shapes)
            if isinstance(run, tuple) and cost(run) >= MANY
        )
        new = [one for one in wanted if one not in self.atlas.spots and one not in self.atlas.homeless]
        if not new:
            return
        is_empty = not self.atlas.spots
        spots = [(drawing, self.atlas.add(drawing, zoom)) for drawing, zoom in new]
        if not all(spot for _, spot in spots):  # it is full: what is not wanted now makes room
            is_empty = True
            self.atlas.forget()
            spots = [(drawing, self.atlas.add(drawing, zoom)) for drawing, zoom in wanted]
        self.take(self.atlas.canvas, clear=is_empty)
        for drawing, spot in spots:
            if spot:
                shift = spot.x - spot.left * spot.zoom, spot.y - spot.top * spot.zoom
                self.do("setTransform", spot.zoom, 0, 0, spot.zoom, *map(number, shift))
                self.shapes(drawing)

    def scale(self, piece: Piece) -> float:
        """How many pixels of the canvas a piece's drawing has for one of the picture."""
        is_near = self.lens and self.lens.map.holds(piece.x, piece.y)
        return number(self.zoom * self.lens.zoom) if self.lens and is_near else self.zoom

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
        self.reset()
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

    def layer(self, shapes: Iterable[Shape]) -> None:
        """Draw shapes: those beside the map as they are, then those on it through the lens."""
        lens = self.lens
        if lens is None:
            self.shapes(shapes)
            return
        shapes = tuple(shapes)
        beside = [lens.ruled(shape) for shape in shapes if not inside(lens.map, shape)]
        self.shapes(shape for shape in beside if shape)
        with self.looking(lens):
            self.shapes(shape for shape in shapes if inside(lens.map, shape) and lens.may_show(reach(shape)))

    def pieces(self, pieces: Iterable[Piece]) -> None:
        """Draw pieces where they stand: those beside the map as they are, then those on it through the lens."""
        lens = self.lens
        if lens is None:
            self.stand(pieces)
            return
        pieces = tuple(pieces)
        self.stand(piece for piece in pieces if not lens.map.holds(piece.x, piece.y))
        with self.looking(lens):
            there = [piece for piece in pieces if lens.map.holds(piece.x, piece.y)]
            self.stand(piece for piece in there if lens.may_show([(piece.x, piece.y)]))

    @contextmanager
    def looking(self, lens: Lens) -> Iterator[None]:
        """What is drawn here is larger, and nothing of it is to be seen beside the map."""
        before = self._style.copy()
        self.do("save")
        self.cut(lens.map)
        self._near, self._shift = lens.zoom, lens.shift
        self.reset()
        yield
        self._near, self._shift = 1.0, (0.0, 0.0)
        self.do("restore")
        self._style = before

    def cut(self, shown: Map) -> None:
        """Let nothing be drawn beside this map, until what was saved is restored."""
        self.do("beginPath")
        self.do("rect", *map(number, (shown.left, shown.top, shown.right - shown.left, shown.bottom - shown.top)))
        self.do("clip")

    def reset(self) -> None:
        """Draw in the coordinates of the picture."""
        zoom = number(self.zoom * self._near)
        self.do("setTransform", zoom, 0, 0, zoom, *(number(self.zoom * part) for part in self._shift))

    def stand(self, pieces: Iterable[Piece]) -> None:
        """Draw pieces as they are."""
        for piece in pieces:
            zoom = self.scale(piece)
            for run in runs(piece.shapes):
                spot = self.atlas.spots.get((run, zoom)) if isinstance(run, tuple) else None
                if spot:
                    self.stamp(piece, spot)
                else:
                    self.shapes(placed(replace(piece, shapes=run if isinstance(run, tuple) else (run,))))

    def stamp(self, piece: Piece, spot: Spot) -> None:
        """Draw a piece's drawing from the atlas: the atlas moved so that it fits, and cut to the drawing's box."""
        zoom, (across, along) = self.zoom * self._near, self._shift
        right = cos(radians(piece.angle)) * piece.scale * zoom
        down = sin(radians(piece.angle)) * piece.scale * zoom
        self.style(global_alpha=min(size(piece.alpha), 1.0))
        self.do("save")
        turned = [round(number(value * 1000) / 1000, 4) for value in (right, -down, down, right)]
        place = piece.x * zoom + across * self.zoom, piece.y * zoom + along * self.zoom
        self.do("setTransform", *turned, *(round(number(part)) for part in place))
        self.do("beginPath")
        self.do("rect", number(spot.left), number(spot.top), number(spot.width), number(spot.height))
        self.do("clip")
        x, y = spot.left - spot.x / spot.zoom, spot.top - spot.y / spot.zoom
        reach = number(ATLAS / spot.zoom)
        self.do("drawImage", self.name(self.atlas.canvas), number(x), number(y), reach, reach)
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
        font = f"{'bold ' if text.bold else ''}{size(text.size * self._near**-0.5)}px {FONT}"
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
        self.widget.add_class(OURS)
        self._drags = False  # whether a map that is looked at from near can be dragged
        self.messages = 0  # sent so far
        self._shown: Shown | None = None
        self._board: tuple[tuple[Shape, ...], Lens | None] | None = None  # what the lowest layer shows
        self._quiet_at = 0.0  # when the browser has played what was sent to it
        self.atlas = Atlas()
        self._own_queue()
        self.widget.on_client_ready(self.redraw)

    def _own_queue(self) -> None:
        self.queue = _CanvasManager()
        for canvas in (self.widget, *self.widget._canvases, self.atlas.canvas):
            canvas._canvas_manager = self.queue

    # Drawing

    def draw(
        self, picture: Picture, marks: Shapes = (), top: Shapes = (), lens: Lens | None = None, glides: bool = False
    ) -> None:
        """Show a picture, with marks under its pieces and shapes above them: one message."""
        self.play((), picture, marks, top, lens, glides)

    def play(
        self,
        frames: Frames,
        picture: Picture,
        marks: Shapes = (),
        top: Shapes = (),
        lens: Lens | None = None,
        glides: bool = False,
    ) -> None:
        """Show frames one after another, then the picture, its map through a lens: one message, played by the browser.

        What is the same in every frame is drawn once; what changes is drawn above it. Frames are looked at as the
        picture before them was; then the map glides nearer or farther, if it may.
        """
        with self.lock:
            steps = gliding(self.lens, lens, GLIDE) if glides else []
            try:
                commands = self._write(frames, (picture, marks, top, lens), steps)
            except Exception:
                self.atlas.forget()  # nothing was sent
                self._board = None
                raise
            self.queue._send_custom(commands)
            self.messages += 1
            self._shown = picture, marks, top, lens
            self._tell_how_near()
            naps = len(frames) + len(steps)
            self._quiet_at = max(self._quiet_at, time.monotonic()) + naps * FRAME / 1000

    def _write(self, frames: Frames, shown: Shown, steps: Sequence[Lens]) -> list[Command]:
        (picture, marks, top, lens), before = shown, self.lens
        pen = Pen(self.colours, self.zoom, self.atlas, lens)
        pen.stock([*(piece for pieces in frames for piece in pieces), *picture.pieces])
        if frames:
            pen.aim(before)
            self._ground(pen, picture)
            self._frames(pen, frames)
            if steps:
                pen.take(self.widget[PIECES])
                pen.pieces(picture.pieces)
            pen.aim(lens)
        comes_near = before and lens and before.zoom < lens.zoom
        if comes_near:
            self._glide(pen, before, steps)
        self._ground(pen, picture)
        pen.take(self.widget[MARKS])
        pen.layer(marks)
        pen.take(self.widget[PIECES])
        pen.pieces(picture.pieces)
        if not comes_near:
            self._glide(pen, lens, steps)
        pen.take(self.widget[TOP])
        pen.layer(top)
        return pen.commands

    def _glide(self, pen: Pen, drawn: Lens | None, steps: Sequence[Lens]) -> None:
        """Show what the layers have, drawn through one lens, as if through others: magnified, above everything."""
        for lens in steps:
            assert drawn is not None
            pen.take(self.widget[TOP])
            times, zoom = lens.zoom / drawn.zoom, self.zoom
            shift = [zoom * (to - times * was) for to, was in zip(lens.shift, drawn.shift, strict=True)]
            pen.do("save")
            pen.cut(lens.map)
            pen.style(global_alpha=1.0)
            pen.do("setTransform", round(times, 4), 0, 0, round(times, 4), *map(number, shift))
            for layer in (BOARD, MARKS, PIECES):
                name = pen.name(self.widget[layer])
                pen.do("drawImage", name, 0, 0, self.widget.width, self.widget.height)
            pen.do("restore")
            pen.do("sleep", NAP)

    def _ground(self, pen: Pen, picture: Picture) -> None:
        """The still board, unless it is to be seen already."""
        if (picture.board, pen.lens) != self._board:
            pen.take(self.widget[BOARD])
            pen.layer(picture.board)
            self._board = picture.board, pen.lens

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

    # Mouse, finger and keys

    def on_click(
        self,
        react: Callable[[float, float], object],
        drag: Callable[[float, float, float, float], object] | None = None,
    ) -> None:
        """React to a click or a touch, in the coordinates of the picture; a double click is one click.

        Where the map has a lens and can be dragged, `drag` is called from where it was taken and to where it is now,
        and a click is one that has not moved when it ends.
        """
        last, held = [-1.0, 0.0, 0.0], Grip()
        self._drags = drag is not None
        self._tell_how_near()

        def click(x: float, y: float) -> None:
            now = time.monotonic()
            with self.lock:
                again = now - last[0] < DOUBLE and hypot(x - last[1], y - last[2]) < 8
                last[:] = now, x, y
            if not again:
                react(x, y)

        def press(x: float, y: float) -> None:
            x, y = number(x) / self.zoom, number(y) / self.zoom
            if drag and self.lens and self.lens.zoom > 1 and self.lens.map.holds(x, y):
                held.take(x, y)
            else:
                click(x, y)

        def move(x: float, y: float) -> None:
            x, y = number(x) / self.zoom, number(y) / self.zoom
            if drag and held.place and held.follows(x, y):
                drag(*held.place, x, y)
                held.take(x, y, True)

        def release(*_: object) -> None:
            place, moved = held.place, held.moved
            held.drop()
            if place and not moved:
                click(*place)

        self.widget.on_mouse_down(press)
        self.widget.on_touch_start(lambda touches: press(*touches[0]) if touches else None)
        self.widget.on_mouse_move(move)
        self.widget.on_touch_move(lambda touches: move(*touches[0]) if touches else None)
        self.widget.on_mouse_up(release)
        self.widget.on_touch_end(release)
        self.widget.on_mouse_out(lambda *_: held.drop())

    def _tell_how_near(self) -> None:
        """Tell the page whether a finger drags the map, not the page."""
        near = self._drags and self.lens is not None and self.lens.zoom > 1
        (self.widget.add_class if near else self.widget.remove_class)(NEAR)

    @property
    def lens(self) -> Lens | None:
        """The lens through which the map is shown."""
        return self._shown[3] if self._shown else None

    def look(self, lens: Lens, glides: bool = False) -> None:
        """Show the same through another lens."""
        with self.lock:
            if self._shown:
                self.draw(*self._shown[:3], lens, glides)

    def on_key(self, react: Callable[[str], object], leave: Callable[[], object]) -> None:
        """React to keys on the canvas; Tab and Escape leave it. An arrow with the shift key is `Shift+ArrowLeft`.

        Keys with Ctrl or Meta, and Shift and Enter, are not for the board: they are JupyterLab's and the browser's.
        """

        def press(key: str, shift: bool = False, ctrl: bool = False, meta: bool = False) -> None:
            if ctrl or meta or (shift and key == "Enter"):
                return
            if key in ("Tab", "Escape"):
                leave()
            else:
                react(f"Shift+{key}" if shift and key.startswith("Arrow") else key)

        self.widget.on_key_down(press)


class Grip:
    """Where a map is held."""

    place: Point | None = None
    moved = False
    _since = 0.0

    def take(self, x: float, y: float, moved: bool = False) -> None:
        """Hold it here."""
        self.place, self.moved, self._since = (x, y), moved, time.monotonic()

    def follows(self, x: float, y: float) -> bool:
        """Whether it is held and has come far enough from there, but not too soon after the last time."""
        if not self.place:
            return False
        far = hypot(x - self.place[0], y - self.place[1])
        return far > (0 if self.moved else SLACK) and time.monotonic() - self._since > (PACE if self.moved else 0)

    def drop(self) -> None:
        """Hold it no more."""
        self.place, self.moved = None, False


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
            high, wide = 0.55 * shape.size, 0.55 * shape.size * max(len(shape.text) - 1, 0)
            left = shape.x - {"left": -high, "centre": wide / 2, "right": wide + high}[shape.align]
            edges += [(left, shape.y, high), (left + wide, shape.y, high)]
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
