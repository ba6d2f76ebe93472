"""Writes shapes and pieces down as commands of ipycanvas, looked at through a lens.

Drawings of many lines are kept on a hidden canvas, the atlas, and stamped from there, so that a piece takes some
hundred bytes of a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from math import ceil, cos, isfinite, pi, radians, sin
from typing import Any

from ipycanvas.canvas import COMMANDS, Canvas

from crashlab.drawing.shapes import LOW, Circle, Map, Piece, Point, Polygon, Shape, Text, arrow, box, placed
from crashlab.drawing.zoom import Lens, inside, reach

ATLAS = 1280  # pixels of the atlas, across and down
MANY = 24  # commands from which on a drawing is worth a place in the atlas
FONT = "system-ui, sans-serif"

Command = list[Any]
Drawing = tuple[Shape, ...]


def number(value: float, least: float = -1e5, most: float = 1e5) -> float:
    """A number that the canvas can take: no NaN, no infinity, no more digits than can be seen."""
    value = float(value)
    if least <= value <= most:
        return round(value, 2)
    return round(min(max(value, least), most), 2) if isfinite(value) else 0.0


def times(value: float) -> float:
    """How many times as large something is: a thousand pixels away a hundredth of it is seen."""
    return round(value, 5)


def size(value: float) -> float:
    """The same for a radius, a width, an alpha: never negative."""
    return number(value, 0.0)


@dataclass(frozen=True)
class AtlasSpot:
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
        self.spots: dict[tuple[Drawing, float], AtlasSpot] = {}
        self.homeless: set[tuple[Drawing, float]] = set()  # for which there was no place
        self._x = self._y = self._row = 0

    def add(self, drawing: Drawing, zoom: float) -> AtlasSpot | None:
        """A free place for a drawing, `zoom` times as large, or None if there is none."""
        left, top, right, bottom = box(drawing)
        across, down = ceil((right - left) * zoom), ceil((bottom - top) * zoom)
        if self._x + across > ATLAS:
            self._x = 0
            self._y = self._y + self._row
            self._row = 0
        if across > ATLAS or self._y + down > ATLAS:
            self.homeless.add((drawing, zoom))
            return None
        spot = AtlasSpot(zoom, left, top, right - left, bottom - top, self._x, self._y)
        self.spots[drawing, zoom] = spot
        self._x = self._x + across
        self._row = max(self._row, down)
        return spot


class Pen:
    """Writes shapes down as commands of the canvas."""

    def __init__(self, colours: Mapping[str, str], zoom: float, atlas: Atlas, lens: Lens | None = None) -> None:
        self.colours = colours
        self.zoom = number(zoom)
        self.atlas = atlas
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
        return times(self.zoom * self.lens.zoom) if self.lens and is_near else self.zoom

    def take(self, layer: Canvas, clear: bool = True) -> None:
        """What follows goes to this layer, wiped clean before.

        Each switch to a layer makes the browser compose all of them once more at the end of the message.
        """
        if layer is not self._layer:
            self.commands.append([COMMANDS["switchCanvas"], [self.name(layer)]])
            self._layer = layer
            self._style = {}
        if clear:
            self.do("resetTransform")
            self.do("clear")
        self.reset()
        self.style(line_cap="round", line_join="round", text_baseline="alphabetic")

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
        self._near = 1.0
        self._shift = (0.0, 0.0)
        self.do("restore")
        self._style = before

    def cut(self, shown: Map) -> None:
        """Let nothing be drawn beside this map, until what was saved is restored."""
        self.do("beginPath")
        self.do("rect", *map(number, (shown.left, shown.top, shown.right - shown.left, shown.bottom - shown.top)))
        self.do("clip")

    def reset(self) -> None:
        """Draw in the coordinates of the picture."""
        zoom = times(self.zoom * self._near)
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

    def stamp(self, piece: Piece, spot: AtlasSpot) -> None:
        """Draw a piece's drawing from the atlas: the atlas moved so that it fits, and cut to the drawing's box."""
        zoom = self.zoom * self._near
        across, along = self._shift
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
        high = size(text.size * self._near**-0.5)
        font = f"{'bold ' if text.bold else ''}{high}px {FONT}"
        self.style(font=font, text_align=align, fill_style=self.colours[text.fill])
        self.do("fillText", text.text, number(text.x), number(text.y + LOW * high))


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
