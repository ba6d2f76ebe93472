"""A ranking as a picture: for each name a bar with its interval, in letters large enough for a classroom."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crashlab.drawing.charts import Scale, frame
from crashlab.drawing.primitives import shortened
from crashlab.drawing.shapes import Line, Picture, Polygon, Shape, Text, rectangle

WIDTH = 960.0
TOP, BOTTOM = 66.0, 58.0  # margins above and below the rows
HIGHEST, LOWEST, ROOM = (
    76.0,
    30.0,
    520.0,
)  # largest and smallest height of a row; height of all rows if LOWEST allows it
NAMES, BARS, RIGHT = 62.0, 290.0, 520.0  # left edges of the columns of names and bars; right edge of the bars
BROKEN = 690.0  # left edge of messages about failures
LARGE, MIDDLE, SMALL = 28.0, 22.0, 17.0  # sizes of text, smaller in low rows
FINE = 19.0  # size of text above and below the rows
PER_LETTER = 0.56  # mean width of a bold letter in ems


@dataclass(frozen=True)
class Rank:
    """A row of a ranking: a share from 0 to 1 with its interval, a caption, and a number with its margin of error."""

    name: str
    share: float
    low: float
    high: float
    caption: str
    number: str
    plays: bool = False  # whether the agent is playing now
    broken: str = ""  # the message about a failure; empty without one


def ranks(rows: Sequence[Rank], title: str, remark: str, heads: tuple[str, str]) -> Picture:
    """Draw the rows, best first; `heads` are the headings of the bars and the numbers."""
    spacing = min(max(ROOM / max(len(rows), 1), LOWEST), HIGHEST)
    height = TOP + spacing * max(len(rows), 1) + BOTTOM
    shapes: list[Shape] = [
        *frame(WIDTH, height, ""),
        fitting(title, 18, 22, WIDTH - 36, MIDDLE),
        Text((BARS + RIGHT) / 2, TOP - 15, heads[0], FINE, "muted"),
        Text(WIDTH - 20, TOP - 15, heads[1], FINE, "muted", "right"),
    ]
    along = Scale(0, 1, BARS, RIGHT)
    for share in (0, 0.5, 1):
        x = along(share)
        line = Line(((x, TOP), (x, height - BOTTOM)), "panel edge", 1, alpha=0.6)
        shapes += line, Text(x, height - BOTTOM + 13, f"{share:.0%}", FINE, "muted")
    for place, row in enumerate(rows):
        shapes += shown(row, place + 1, TOP + place * spacing, spacing, along)
    shapes.append(Text(18, height - 16, remark, FINE, "ink", "left"))
    return Picture(WIDTH, height, tuple(shapes), (), words(rows, title))


def shown(row: Rank, place: int, top: float, high: float, along: Scale) -> Iterator[Shape]:
    """Draw a row."""
    middle, size = top + high / 2, min(high * 0.56, LARGE)
    if row.plays:
        yield Polygon(rectangle(8, top + 1, WIDTH - 8, top + high - 1), "flash", alpha=0.35)
    yield Text(NAMES - 14, middle, str(place), size, "muted", "right")
    yield fitting(row.name, NAMES, middle, BARS - NAMES - 16, size)
    if row.low <= row.high:
        half = high * 0.3
        bar = rectangle(along(0), middle - half, along(row.share), middle + half)
        yield Polygon(bar, "seat 5", "panel edge", 1)
    if row.low <= row.high and (row.low, row.high) != (0, 1):  # (0, 1) means too few games for an interval
        yield Line(((along(row.low), middle), (along(row.high), middle)), "ink", 3)
        for reach in (row.low, row.high):
            yield Line(((along(reach), middle - high * 0.15), (along(reach), middle + high * 0.15)), "ink", 3)
    yield Text(RIGHT + 12, middle, row.caption, min(size, MIDDLE), "ink", "left")
    yield Text(WIDTH - 20, middle, row.number, min(size, MIDDLE), "ink", "right", bold=True)
    if row.broken:
        yield Text(BROKEN, middle, row.broken, min(size, SMALL), "loss", "left", bold=True)


def fitting(text: str, x: float, y: float, width: float, size: float) -> Text:
    """Return text in a size that fits into width; very long text is truncated."""
    size = max(min(size, width / (PER_LETTER * len(text))), min(size, SMALL))
    return Text(x, y, shortened(text, int(width / (PER_LETTER * size))), size, "ink", "left", bold=True)


def place_at(rows: int, y: float) -> int | None:
    """Return the index of the row at height y, or None."""
    spacing = min(max(ROOM / max(rows, 1), LOWEST), HIGHEST)
    place = int((y - TOP) // spacing)
    return place if 0 <= place < rows else None


def words(rows: Sequence[Rank], title: str) -> str:
    """Describe the ranking in words."""
    text = "; ".join(f"{place} {row.name} {row.number}" for place, row in enumerate(rows, 1) if row.number)
    return f"{title}. {text}." if text else f"{title}."
