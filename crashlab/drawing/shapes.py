"""Pictures as data: plain shapes, pieces and pictures. Nothing is drawn here.

Lengths are in pixels of a picture at scale 1, x to the right, y down; angles are degrees counter-clockwise from east.
Colours are names of a theme's colours (`"wood"`, `"seat 3"`), so that a picture is the same in every theme.

Lines have round ends and round corners. Later shapes are drawn above earlier ones.

A picture has a still part (`board`) and keyed `pieces`. Pieces with the same key in two consecutive pictures are the
same object; the frames between the pictures are computed from that alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import ceil, cos, floor, hypot, pi, radians, sin

Point = tuple[float, float]
Colours = Mapping[str, Mapping[str, str]]  # #RRGGBB by theme and name


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed shape."""

    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc or a ring."""

    x: float
    y: float
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Line:
    """An open line through points, optionally with an arrow head at its end."""

    points: tuple[Point, ...]
    stroke: str
    width: float = 2.0
    arrow: bool = False
    alpha: float = 1.0


LOW = 0.355  # distance from the centre of text to its baseline, in sizes of the text


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text, centred on its point (or starting or ending there); it is never rotated."""

    x: float
    y: float
    text: str
    size: float = 14.0
    fill: str = "ink"
    align: str = "centre"  # or "left", "right"
    bold: bool = False
    alpha: float = 1.0


Shape = Polygon | Circle | Line | Text


@dataclass(frozen=True, slots=True)
class Piece:
    """Shapes round (0, 0) that are moved to a point and rotated; `label` describes them."""

    key: str
    x: float
    y: float
    shapes: tuple[Shape, ...]
    angle: float = 0.0
    scale: float = 1.0
    alpha: float = 1.0
    label: str = ""


@dataclass(frozen=True, slots=True)
class Map:
    """A part of a picture that can be magnified.

    A map contains a shape if it contains the shape's first point or centre. Numbers to the left of the map and below it
    are its rulers.
    """

    left: float
    top: float
    right: float
    bottom: float
    near: float = 1.0  # magnification at which it is easy to read
    lie: tuple[float, ...] = ()  # its layout; pieces do not glide between pictures of different layouts

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point is on the map."""
        return self.left < x < self.right and self.top < y < self.bottom


@dataclass(frozen=True, slots=True)
class Picture:
    """A still board, the pieces on it in drawing order, and a description of both."""

    width: float
    height: float
    board: tuple[Shape, ...]
    pieces: tuple[Piece, ...]
    words: str
    map: Map | None = None
    colours: Colours = field(
        default_factory=dict, repr=False, compare=False
    )  # colours in addition to those of the themes


def placed(piece: Piece) -> tuple[Shape, ...]:
    """Return the shapes of a piece in place: rotated, scaled and faded; text stays upright."""
    right, down = cos(radians(piece.angle)) * piece.scale, sin(radians(piece.angle)) * piece.scale

    def at(x: float, y: float) -> Point:
        return piece.x + x * right + y * down, piece.y - x * down + y * right

    def put(shape: Shape) -> Shape:
        alpha = shape.alpha * piece.alpha
        if isinstance(shape, Text):
            size = shape.size * piece.scale
            return Text(*at(shape.x, shape.y), shape.text, size, shape.fill, shape.align, shape.bold, alpha)
        width = shape.width * piece.scale
        if isinstance(shape, Circle):
            centre = at(shape.x, shape.y)
            return Circle(*centre, shape.radius * piece.scale, shape.fill, shape.stroke, width, alpha)
        points = tuple([at(x, y) for x, y in shape.points])
        if isinstance(shape, Line):
            return Line(points, shape.stroke, width, shape.arrow, alpha)
        return Polygon(points, shape.fill, shape.stroke, width, alpha)

    return tuple([put(shape) for shape in piece.shapes])


def spots(shapes: Iterable[Shape]) -> list[Point]:
    """Return the centres of texts and discs, and the points of lines and polygons."""
    points: list[Point] = []
    for shape in shapes:
        points += [(shape.x, shape.y)] if isinstance(shape, Circle | Text) else shape.points
    return points


def box(drawing: Iterable[Shape]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a drawing, including outlines and arrow heads."""
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


def faint(shape: Shape, alpha: float) -> Shape:
    """Return a shape with its opacity multiplied by `alpha`."""
    return replace(shape, alpha=shape.alpha * alpha)


def arrow(line: Line) -> tuple[Line, Polygon]:
    """Split an arrow into its shaft and its head."""
    (x, y), (tip_x, tip_y) = line.points[-2:]
    length = hypot(tip_x - x, tip_y - y) or 1.0
    ahead, across = (tip_x - x) / length, (tip_y - y) / length
    long = 2 * line.width + 5
    wide = 1.2 * line.width + 3
    base_x, base_y = tip_x - long * ahead, tip_y - long * across
    head = (
        (tip_x, tip_y),
        (base_x - wide * across, base_y + wide * ahead),
        (base_x + wide * across, base_y - wide * ahead),
    )
    shaft = Line((*line.points[:-1], (base_x, base_y)), line.stroke, line.width, False, line.alpha)
    return shaft, Polygon(head, line.stroke, alpha=line.alpha)


def rectangle(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle."""
    return (left, top), (right, top), (right, bottom), (left, bottom)


@lru_cache(maxsize=4096)
def slab(left: float, top: float, right: float, bottom: float, radius: float) -> tuple[Point, ...]:
    """Return a rectangle with rounded corners."""
    middles = ((right, top, 0), (left, top, 1), (left, bottom, 2), (right, bottom, 3))
    inward = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    points = []
    for (x, y, quarter), (ix, iy) in zip(middles, inward, strict=True):
        for turn in ((quarter + n / 3) * pi / 2 for n in range(4)):
            points.append((x + radius * (ix + cos(turn)), y + radius * (iy - sin(turn))))
    return tuple(points)


def star(x: float, y: float, outer: float, inner: float, spikes: int) -> tuple[Point, ...]:
    """Return a star round a point, with one spike up."""
    radii = [inner if n % 2 else outer for n in range(2 * spikes)]
    return tuple((x + r * sin(n * pi / spikes), y - r * cos(n * pi / spikes)) for n, r in enumerate(radii))


def wood(width: float, height: float) -> tuple[Shape, ...]:
    """Return a wooden table top."""
    grain = tuple(
        Line(tuple((x, y + 3 * sin(x / 97 + y / 31)) for x in range(0, int(width) + 1, 40)), "wood grain", 1.6)
        for y in range(9, int(height), 20)
    )
    return (Polygon(rectangle(0, 0, width, height), "wood"), *grain)
