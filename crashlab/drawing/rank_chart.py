"""A table of ranks as a picture: for each name a bar with its interval, in letters that are read across a room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crashlab.drawing.charts import Scale, frame
from crashlab.drawing.primitives import shortened
from crashlab.drawing.shapes import Line, Picture, Polygon, Shape, Text, rectangle

WIDTH = 960.0
TOP, BOTTOM = 66.0, 58.0  # above and below the rows
HIGHEST, LOWEST, ROOM = 76.0, 30.0, 520.0  # pixels of a row; of all rows, unless that makes them too low
NAMES, BARS, RIGHT = 62.0, 290.0, 520.0  # where columns begin; where bars end
BROKEN = 690.0  # where it says what went wrong
LARGE, MIDDLE, SMALL = 28.0, 22.0, 17.0  # sizes of words, unless the rows are too low
FINE = 19.0  # of those above and below the rows
PER_LETTER = 0.56  # the mean width of a bold letter, in sizes of it


@dataclass(frozen=True)
class Rank:
    """One row: a share between 0 and 1 with the ends of its interval, a word on it, and a number with its margin."""

    name: str
    share: float
    low: float
    high: float
    told: str
    number: str
    plays: bool = False  # whether it is playing now
    broken: str = ""  # what went wrong


def ranks(rows: Sequence[Rank], title: str, remark: str, heads: tuple[str, str]) -> Picture:
    """The rows, the best first; `heads` are written above the bars and above the numbers."""
    each = min(max(ROOM / max(len(rows), 1), LOWEST), HIGHEST)
    height = TOP + each * max(len(rows), 1) + BOTTOM
    shapes: list[Shape] = [*frame(WIDTH, height, "")]
    shapes.append(fitting(title, 18, 22, WIDTH - 36, MIDDLE))
    shapes.append(Text((BARS + RIGHT) / 2, TOP - 15, heads[0], FINE, "muted"))
    shapes.append(Text(WIDTH - 20, TOP - 15, heads[1], FINE, "muted", "right"))
    along = Scale(0, 1, BARS, RIGHT)
    for share in (0, 0.5, 1):
        x = along(share)
        shapes.append(Line(((x, TOP), (x, height - BOTTOM)), "panel edge", 1, alpha=0.6))
        shapes.append(Text(x, height - BOTTOM + 13, f"{share:.0%}", FINE, "muted"))
    for place, row in enumerate(rows):
        shapes += shown(row, place + 1, TOP + place * each, each, along)
    shapes.append(Text(18, height - 16, remark, FINE, "ink", "left"))
    return Picture(WIDTH, height, tuple(shapes), (), words(rows, title))


def shown(row: Rank, place: int, top: float, high: float, along: Scale) -> list[Shape]:
    """A row."""
    middle, size = top + high / 2, min(high * 0.56, LARGE)
    shapes: list[Shape] = []
    if row.plays:
        shapes.append(Polygon(rectangle(8, top + 1, WIDTH - 8, top + high - 1), "flash", alpha=0.35))
    shapes.append(Text(NAMES - 14, middle, str(place), size, "muted", "right"))
    shapes.append(fitting(row.name, NAMES, middle, BARS - NAMES - 16, size))
    if row.low <= row.high:
        half = high * 0.3
        bar = rectangle(along(0), middle - half, along(row.share), middle + half)
        shapes.append(Polygon(bar, "seat 5", "panel edge", 1))
    if row.low <= row.high and (row.low, row.high) != (0, 1):  # of a few games nothing is known
        shapes.append(Line(((along(row.low), middle), (along(row.high), middle)), "ink", 3))
        for reach in (row.low, row.high):
            shapes.append(Line(((along(reach), middle - high * 0.15), (along(reach), middle + high * 0.15)), "ink", 3))
    shapes.append(Text(RIGHT + 12, middle, row.told, min(size, MIDDLE), "ink", "left"))
    shapes.append(Text(WIDTH - 20, middle, row.number, min(size, MIDDLE), "ink", "right", bold=True))
    if row.broken:
        shapes.append(Text(BROKEN, middle, row.broken, min(size, SMALL), "loss", "left", bold=True))
    return shapes


def fitting(said: str, x: float, y: float, width: float, size: float) -> Text:
    """Words in letters that fit; of very long ones the beginning."""
    size = max(min(size, width / (PER_LETTER * len(said))), min(size, SMALL))
    most = int(width / (PER_LETTER * size))
    return Text(x, y, shortened(said, most), size, "ink", "left", bold=True)


def place_at(rows: int, y: float) -> int | None:
    """In which row a height of the picture lies, from 0."""
    each = min(max(ROOM / max(rows, 1), LOWEST), HIGHEST)
    place = int((y - TOP) // each)
    return place if 0 <= place < rows else None


def words(rows: Sequence[Rank], title: str) -> str:
    """The table in words."""
    told = "; ".join(f"{place} {row.name} {row.number}" for place, row in enumerate(rows, 1) if row.number)
    return f"{title}. {told}." if told else f"{title}."
