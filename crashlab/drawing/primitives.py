"""Drawing helpers that all games share: click targets, effects, and the lines of a panel.

Some colours carry a meaning. A click target has a colour of MARKS, an edge of EDGES and text of INKS, which
`lab/heat.py` replaces to show values; a piece with the colour GLOW is already marked by its game, so that
`lab/board.py` draws no ring.
"""

from collections.abc import Iterable
from dataclasses import replace
from textwrap import wrap
from typing import Any

from crashlab.drawing.shapes import Circle, Line, Piece, Point, Polygon, Shape, Text, rectangle, slab, star

Effect = tuple[Piece, Piece]  # a temporary piece at the start and at the end of a beat

MARKS = ("path", "target", "ticket")
EDGES = ("path edge", "ticket edge")
INKS = ("target ink", "ticket ink")
GLOW = "flash edge"
PER_EM = 0.55  # mean width of a letter in ems, in a wide font, as fonts differ between machines
BURST = 0.6  # radius of a burst in spaces of the board: it covers a space and the rims of its neighbours


# Geometry


def between(a: Point, b: Point, share: float) -> Point:
    """Return the point at a share of the way from a to b."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def towards(point: Point, way: int, length: float) -> Point:
    """Return the point at a distance in one of four directions: north (0), east, south, west."""
    return point[0] + length * (0, 1, 0, -1)[way], point[1] + length * (-1, 0, 1, 0)[way]


def grid(left: float, top: float, wide: float, high: float, columns: int, count: int) -> list[Point]:
    """Return the centres of `count` cells in rows of `columns`; (left, top) is the centre of the first."""
    return [(left + wide * (place % columns), top + high * (place // columns)) for place in range(count)]


# Paths and click targets


def way(
    points: Iterable[Point], paint: str, wide: float, edge: float, alpha: float = 1.0, *, arrow: bool = True
) -> tuple[Shape, ...]:
    """Return a line with an edge, visible on any background; `edge` is the total width, `alpha` the edge's opacity."""
    line = tuple(points)
    return Line(line, "path edge", edge, alpha=alpha), Line(line, paint, wide, arrow)


def ring(place: Point, radius: float, wide: float, edge: float) -> tuple[Shape, ...]:
    """Return a ring round a click target, which leaves the target visible."""
    return Circle(*place, radius, "", "path edge", edge), Circle(*place, radius, "", "target", wide)


def dot(place: Point, radius: float, edge: float) -> Circle:
    """Return a dot to click."""
    return Circle(*place, radius, "target", "path edge", edge)


def ticket(place: Point, words: str, half: float, high: float, size: float) -> tuple[Shape, ...]:
    """Return a clickable label of half-width `half` and half-height `high`."""
    x, y = place
    paper = Polygon(slab(x - half, y - high, x + half, y + high, 4), "ticket", "ticket edge", 2)
    return paper, Text(x, y, words, size, "ticket ink", bold=True)


# Effects


def passing(start: Piece, **end: Any) -> Effect:
    """Return the effect of a piece that changes to these values."""
    return start, replace(start, **end)


def burst(key: str, place: Point, space: float, label: str, words: str = "") -> Effect:
    """Return the effect of a crash: a star, perhaps with a word, that grows and fades."""
    radius = BURST * space
    label_shapes = (Text(0, 0, words, 15, "flash ink", bold=True),) if words else ()
    shapes = (Polygon(star(0, 0, radius, 0.62 * radius, 12), "flash", GLOW, 3), *label_shapes)
    return passing(Piece(key, *place, shapes, scale=0.5, label=label), scale=1.2, alpha=0.0)


def is_burst(piece: Piece) -> bool:
    """Return whether a piece is the star of a crash."""
    return any(isinstance(shape, Polygon) and (shape.fill, shape.stroke) == ("flash", GLOW) for shape in piece.shapes)


def spark(place: Point, outer: float, inner: float) -> Polygon:
    """Return a small star that marks a crash."""
    return Polygon(star(*place, outer, inner, 8), "flash", GLOW, 1.5)


def halo(place: Point, radius: float, wide: float, edge: float) -> tuple[Shape, ...]:
    """Return a ring of light."""
    return Circle(*place, radius, "", GLOW, edge), Circle(*place, radius, "", "flash", wide)


def ring_out(key: str, place: Point, label: str) -> Effect:
    """Return the effect of a widening ring of light."""
    return passing(Piece(key, *place, halo((0, 0), 24, 3, 5), scale=0.5, label=label), scale=1.5, alpha=0.0)


def rise(key: str, place: Point, shapes: tuple[Shape, ...], label: str, high: float) -> Effect:
    """Return the effect of shapes that rise by `high` and fade."""
    x, y = place
    return passing(Piece(key, x, y, shapes, label=label), y=y - high, scale=1.2, alpha=0.0)


def disc(words: str, radius: float, paint: str, edge: float, size: float) -> tuple[Shape, ...]:
    """Return a disc with text; `paint` is a colour with an edge and an ink, such as "chit"."""
    return Circle(0, 0, radius, paint, f"{paint} edge", edge), Text(0, 0, words, size, f"{paint} ink", bold=True)


# The panel beside the board


def panel(left: float, top: float, right: float, bottom: float) -> Polygon:
    """Return the background of the panel."""
    return Polygon(slab(left, top, right, bottom, 12), "panel", "panel edge", 2)


def badge(place: Point, letter: str, paint: str, half: float, size: float) -> tuple[Shape, ...]:
    """Return the letter of a seat on its colour."""
    x, y = place
    return (
        Polygon(slab(x - half, y - half, x + half, y + half, 9), paint),
        Text(x, y, letter, size, f"{paint} ink", bold=True),
    )


def headline(key: str, x: float, y: float, words: str, size: float, bold: bool = False) -> Piece:
    """Return a line of text in the panel."""
    return Piece(key, x, y, (Text(0, 0, words, size, "ink", "left", bold=bold),), label=words)


def row_frame(left: float, right: float, high: float) -> tuple[Shape, ...]:
    """Return a golden frame for a row of the panel; draw it before the row."""
    frame = slab(left + 4, 2, right - 4, high - 2, 8)
    return Polygon(frame, "flash", alpha=0.13), Polygon(frame, "", GLOW, 2.5)


def square(place: Point, half: float) -> tuple[Point, ...]:
    """Return a square of half-width `half` round a point."""
    x, y = place
    return rectangle(x - half, y - half, x + half, y + half)


def shortened(words: str, most: int) -> str:
    """Truncate text to `most` letters, marked with an ellipsis."""
    return words if len(words) <= most else f"{words[: max(most - 1, 1)]}…"


# Remarks


def remarks(words: str, wide: float, high: float) -> list[Shape]:
    """Lay out sentences at the foot of a picture, each on a new line."""
    fits = int((wide - 24) / (16 * PER_EM))
    lines = [line for sentence in words.split(". ") for line in wrap(f"{sentence.rstrip('.')}.", fits)]
    return [Text(wide / 2, high - 18 - 21 * (len(lines) - 1 - n), line, 16, "ink") for n, line in enumerate(lines)]
