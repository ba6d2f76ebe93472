"""What games paint with: what is clicked, what flies and flashes, and the lines of a panel, alike in every game.

Some colours say what a shape is for, and others go by them: what can be clicked has one of MARKS with one of EDGES, and
words on it one of INKS, which `lab/heat.py` paints anew to show values; a piece with a GLOW is marked by its game, and
gets no ring from `lab/board.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from textwrap import wrap
from typing import Any

from crashlab.drawing.shapes import Circle, Line, Piece, Point, Polygon, Shape, Text, rectangle, slab, star

Effect = tuple[Piece, Piece]  # a passing piece at the beginning of a beat, and at its end

MARKS = ("path", "target", "ticket")
EDGES = ("path edge", "ticket edge")
INKS = ("target ink", "ticket ink")
GLOW = "flash edge"
PER_EM = 0.55  # the mean width of a letter, in a wide font: every machine has another one
BURST = 0.6  # half the width of a burst, in spaces of the board: it covers the space and the rims of those beside it


# Geometry


def between(a: Point, b: Point, share: float) -> Point:
    """The point at this share of the way from one to another."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def towards(point: Point, way: int, length: float) -> Point:
    """The point at `length` on a board of squares: north (0), east, south or west."""
    return point[0] + length * (0, 1, 0, -1)[way], point[1] + length * (-1, 0, 1, 0)[way]


def grid(left: float, top: float, wide: float, high: float, columns: int, count: int) -> list[Point]:
    """`count` places in rows of `columns`, each `wide` and `high`, from the middle of the first one."""
    return [(left + wide * (place % columns), top + high * (place // columns)) for place in range(count)]


# Ways, and what is clicked


def way(
    points: Iterable[Point], paint: str, wide: float, edge: float, alpha: float = 1.0, *, arrow: bool = True
) -> tuple[Shape, ...]:
    """A line with an edge, to be seen on every ground; the edge is `edge` wide, and `alpha` says how faint."""
    line = tuple(points)
    return Line(line, "path edge", edge, alpha=alpha), Line(line, paint, wide, arrow)


def ring(place: Point, radius: float, wide: float, edge: float) -> tuple[Shape, ...]:
    """A ring round what is clicked, which stays to be seen."""
    return Circle(*place, radius, "", "path edge", edge), Circle(*place, radius, "", "target", wide)


def dot(place: Point, radius: float, edge: float) -> Circle:
    """A place to click."""
    return Circle(*place, radius, "target", "path edge", edge)


def ticket(place: Point, words: str, half: float, high: float, size: float) -> tuple[Shape, ...]:
    """A ticket to click with words on it; half as wide and half as high as it is."""
    x, y = place
    paper = Polygon(slab(x - half, y - high, x + half, y + high, 4), "ticket", "ticket edge", 2)
    return paper, Text(x, y, words, size, "ticket ink", bold=True)


# What flies and flashes


def passing(start: Piece, **end: Any) -> Effect:
    """A piece that is another one in this at the end."""
    return start, replace(start, **end)


def burst(key: str, place: Point, space: float, label: str, words: str = "") -> Effect:
    """A crash, with a word on it: a star that grows and fades, as large as the spaces of the board are wide."""
    radius = BURST * space
    named = (Text(0, 0, words, 15, "flash ink", bold=True),) if words else ()
    shapes = (Polygon(star(0, 0, radius, 0.62 * radius, 12), "flash", GLOW, 3), *named)
    return passing(Piece(key, *place, shapes, scale=0.5, label=label), scale=1.2, alpha=0.0)


def is_burst(piece: Piece) -> bool:
    """Whether it is the star of a crash."""
    return any(isinstance(shape, Polygon) and (shape.fill, shape.stroke) == ("flash", GLOW) for shape in piece.shapes)


def spark(place: Point, outer: float, inner: float) -> Polygon:
    """A small star where there is a crash."""
    return Polygon(star(*place, outer, inner, 8), "flash", GLOW, 1.5)


def halo(place: Point, radius: float, wide: float, edge: float) -> tuple[Shape, ...]:
    """A ring of light."""
    return Circle(*place, radius, "", GLOW, edge), Circle(*place, radius, "", "flash", wide)


def ring_out(key: str, place: Point, label: str) -> Effect:
    """A ring of light that widens."""
    return passing(Piece(key, *place, halo((0, 0), 24, 3, 5), scale=0.5, label=label), scale=1.5, alpha=0.0)


def rise(key: str, place: Point, shapes: tuple[Shape, ...], label: str, high: float) -> Effect:
    """Something that rises by `high` and fades."""
    x, y = place
    return passing(Piece(key, x, y, shapes, label=label), y=y - high, scale=1.2, alpha=0.0)


def disc(words: str, radius: float, paint: str, edge: float, size: float) -> tuple[Shape, ...]:
    """A disc with words on it, in a colour that has an edge and an ink."""
    return Circle(0, 0, radius, paint, f"{paint} edge", edge), Text(0, 0, words, size, f"{paint} ink", bold=True)


# The panel beside the board


def panel(left: float, top: float, right: float, bottom: float) -> Polygon:
    """The ground of the panel."""
    return Polygon(slab(left, top, right, bottom, 12), "panel", "panel edge", 2)


def badge(place: Point, letter: str, paint: str, half: float, size: float) -> tuple[Shape, ...]:
    """The letter of a seat on its colour."""
    x, y = place
    return (
        Polygon(slab(x - half, y - half, x + half, y + half, 9), paint),
        Text(x, y, letter, size, f"{paint} ink", bold=True),
    )


def headline(key: str, x: float, y: float, words: str, size: float, bold: bool = False) -> Piece:
    """A line of the panel."""
    return Piece(key, x, y, (Text(0, 0, words, size, "ink", "left", bold=bold),), label=words)


def row_frame(left: float, right: float, high: float) -> tuple[Shape, ...]:
    """A golden frame round a row of the panel, from its top; it is drawn before what it frames."""
    frame = slab(left + 4, 2, right - 4, high - 2, 8)
    return Polygon(frame, "flash", alpha=0.13), Polygon(frame, "", GLOW, 2.5)


def square(place: Point, half: float) -> tuple[Point, ...]:
    """A square round a place, half as wide."""
    x, y = place
    return rectangle(x - half, y - half, x + half, y + half)


def shortened(words: str, most: int) -> str:
    """Words, or as many of their letters as there is room for."""
    return words if len(words) <= most else f"{words[: max(most - 1, 1)]}…"


# What the notation names


def remarks(words: str, wide: float, high: float) -> list[Shape]:
    """Sentences at the foot of a picture, each on lines of its own."""
    fits = int((wide - 24) / (16 * PER_EM))
    told = [line for sentence in words.split(". ") for line in wrap(f"{sentence.rstrip('.')}.", fits)]
    return [Text(wide / 2, high - 18 - 21 * (len(told) - 1 - n), line, 16, "ink") for n, line in enumerate(told)]
