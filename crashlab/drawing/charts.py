"""Charts as pictures. Lines and bars can be distinguished without their colours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, hypot, log10

from crashlab.drawing.shapes import Line, Picture, Point, Polygon, Shape, Text, rectangle
from crashlab.drawing.themes import HEATS

DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (9, 5),
    (2, 5),
    (10, 4, 2, 4),
    (5, 3),
    (14, 5),
    (2, 3, 2, 8),
    (14, 4, 5, 4),
)
SMALL = 13.0  # the size of text
LABEL = 16.0  # pixels between the letters at the ends of curves


@dataclass(frozen=True)
class Curve:
    """A sequence of numbers with a short name."""

    name: str
    colour: str
    values: Sequence[float]


@dataclass(frozen=True)
class Scale:
    """A linear map from numbers to pixels: low to start, high to end."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / ((self.high - self.low) or 1.0) * (self.end - self.start)


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Return about `most` round numbers, from at most `low` to at least `high`."""
    step = round_up((high - low) / max(most - 1, 1) or 1.0)
    first = floor(low / step + 1e-9)
    last = ceil(high / step - 1e-9)
    return [round(step * place, 10) for place in range(first, max(last, first + 1) + 1)]


def round_up(value: float) -> float:
    """Round a positive number up to 1, 2 or 5 times a power of ten."""
    power: float = 10.0 ** floor(log10(value))
    return next(power * lead for lead in (1, 2, 5, 10) if power * lead >= value * (1 - 1e-9))


def curves(
    lines: Sequence[Curve],
    long: int,
    size: Point = (340.0, 220.0),
    title: str = "",
    across: str = "",
    mark: int | None = None,
    along: Sequence[tuple[int, str]] | None = None,
    bases: Sequence[float] = (),
) -> Picture:
    """Draw curves over 0, 1, 2, ... up to `long`, each with its own dashes and a name at its end, and a line at `mark`.

    The vertical axis includes `bases`, so that heights can be compared, and not only differences. `along` holds the
    positions and texts of the labels below the horizontal axis; by default they are round numbers.
    """
    width, height = size
    values = [value for curve in lines for value in curve.values] or [0.0]
    marks = ticks(min([*values, *bases]), max([*values, *bases]))
    right = Scale(0, max(long, 1), 40, width - 30)
    up = Scale(marks[0], marks[-1], height - 36, 30)
    shapes: list[Shape] = [*frame(width, height, title), *level(marks, up, 40, width - 30)]
    if along is None:
        along = [(int(tick), f"{tick:g}") for tick in ticks(0, max(long, 1), 6) if tick <= long and tick == int(tick)]
    for place, words in along:
        shapes.append(Text(right(place), height - 24, words, SMALL, "muted"))
    shapes.append(Text((40 + width - 30) / 2, height - 10, across, SMALL, "muted"))
    if mark is not None:
        shapes.append(Line(((right(mark), 26), (right(mark), height - 36)), "muted", 1.5, alpha=0.8))
    for place, curve in enumerate(lines):
        points = [(right(number), up(value)) for number, value in enumerate(curve.values)]
        shapes += dashed(points, curve.colour, 2.5, DASHES[place % len(DASHES)])
    shapes += names(lines, right, up, (26, height - 36))
    ends = ", ".join(f"{curve.name} {curve.values[-1]:g}" for curve in lines if curve.values)
    return Picture(width, height, tuple(shapes), (), f"{title}. Now {ends}." if ends else f"{title}.")


@lru_cache(maxsize=256)
def frame(width: float, height: float, title: str) -> tuple[Shape, ...]:
    """Draw the background of a chart with its title."""
    ground = Polygon(rectangle(0, 0, width, height), "panel", "panel edge", 2)
    return ground, Text(10, 15, title, SMALL + 1, "ink", "left", bold=True)


def level(marks: Sequence[float], up: Scale, left: float, right: float) -> Iterator[Shape]:
    """Draw a thin horizontal line with its number at each mark."""
    for value in marks:
        yield Line(((left, up(value)), (right, up(value))), "panel edge", 1, alpha=0.5)
        yield Text(left - 6, up(value), f"{value:g}", SMALL, "muted", "right")


def names(lines: Sequence[Curve], right: Scale, up: Scale, room: tuple[float, float]) -> list[Shape]:
    """Write the name of each curve at its end; names do not overlap."""
    drawable = [curve for curve in lines if curve.values]
    places = apart([up(curve.values[-1]) for curve in drawable], LABEL, *room)
    return [
        Text(right(len(curve.values) - 1) + 8, y, curve.name, SMALL + 1, curve.colour, "left", bold=True)
        for curve, y in zip(drawable, places, strict=True)
    ]


def apart(targets: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return the positions moved so that they are at least `gap` apart and, if there is room, between low and high."""
    order = sorted(range(len(targets)), key=lambda place: targets[place])
    places = [0.0] * len(targets)
    least = low
    for place in order:
        places[place] = max(targets[place], least)
        least = places[place] + gap
    most = high
    for place in reversed(order):
        places[place] = min(places[place], most)
        most = places[place] - gap
    return places


def dashed(points: Sequence[Point], stroke: str, width: float, dashes: Sequence[float]) -> list[Line]:
    """Draw a line through points as alternating dashes and gaps, or as a solid line if `dashes` is empty."""
    if not dashes or len(points) < 2:
        return [Line(tuple(points), stroke, width)] if len(points) > 1 else []
    lines: list[Line] = []
    turn = 0
    rest = dashes[0]
    dash = [points[0]]
    for start, end in pairwise(points):
        far = hypot(end[0] - start[0], end[1] - start[1])
        distance = 0.0
        while far - distance > rest:
            distance += rest
            here = start[0] + distance / far * (end[0] - start[0]), start[1] + distance / far * (end[1] - start[1])
            if turn % 2 == 0:
                lines.append(Line((*dash, here), stroke, width))
            turn = turn + 1
            dash = [here]
            rest = dashes[turn % len(dashes)]
        rest -= far - distance
        dash.append(end)
    if turn % 2 == 0:
        lines.append(Line(tuple(dash), stroke, width))
    return lines


def heat(value: float, low: float, high: float) -> str:
    """Return the name of the colour of a value on a scale from low to high."""
    share = (value - low) / (high - low) if high > low else 0.5
    return f"heat {min(max(floor(share * HEATS), 0), HEATS - 1)}"


def ramp(low: float, high: float, title: str, size: Point = (340.0, 58.0)) -> Picture:
    """Draw the colour scale with its numbers."""
    width, height = size
    left, right = 26.0, width - 26
    step = (right - left) / HEATS
    shapes: list[Shape] = [*frame(width, height, title)]
    for place in range(HEATS):
        x = left + place * step
        shapes.append(Polygon(rectangle(x, 26, x + step, 39), f"heat {place}", "panel edge", 1))
    along = Scale(low, high, left, right)
    for value in ticks(low, high, 6):
        if low - 1e-9 <= value <= high + 1e-9:
            shapes.append(Line(((along(value), 39), (along(value), 43)), "muted", 1.5))
            shapes.append(Text(along(value), height - 8, signed(value), SMALL, "muted"))
    return Picture(width, height, tuple(shapes), (), f"{title}: from {signed(low)} (dark) to {signed(high)} (bright).")


def signed(value: float) -> str:
    """Return a number with its sign (none for 0), with a minus as wide as the plus."""
    return f"{value:+g}".replace("-", "−") if value else "0"
