"""Charts drawn by hand: bars, a curve or a funnel; first the guesses, then the true values beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from crashlab.drawing import primitives
from crashlab.drawing.charts import SMALL, Scale, dashed, frame, level, ticks
from crashlab.drawing.shapes import Circle, Line, Picture, Point, Polygon, Shape, Text, rectangle

BARS, CURVE, FUNNEL = "bars", "curve", "funnel"
KINDS = BARS, CURVE, FUNNEL
WIDTH, HEIGHT = 760.0, 430.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 746.0, 66.0, 386.0  # edges of the plot area
LETTER = 7.5  # pixels per letter of a name
WIDEST = 56.0  # largest half-width of a bar
GUESS, TRUTH = "seat 0", "seat 1"
DASHES = 9.0, 5.0
LONGEST = 86  # longest title in letters
MANY = 12  # maximum number of columns with written values


@dataclass(frozen=True)
class Sketch:
    """A chart: the guess for each name (None if missing), and the true values once they are revealed.

    A funnel is symmetric about 0.
    """

    title: str
    names: tuple[str, ...]
    guess: tuple[float | None, ...]
    truth: tuple[float, ...] | None
    kind: str
    most: float
    unit: str = ""

    @property
    def top(self) -> float:
        """The value at the upper edge of the plot area."""
        return ticks(0, max((self.most, *(self.truth or ()))))[-1]

    @property
    def up(self) -> Scale:
        """The scale from values to heights."""
        return Scale(-self.top if self.kind == FUNNEL else 0, self.top, BOTTOM, TOP)

    @property
    def wide(self) -> float:
        """The width of a column."""
        return (RIGHT - LEFT) / len(self.names)

    def middle(self, place: int) -> float:
        """Return the centre of a column."""
        return LEFT + (place + 0.5) * self.wide

    def place_at(self, x: float) -> int:
        """Return the index of the nearest column."""
        return min(max(int((x - LEFT) // self.wide), 0), len(self.names) - 1)

    def value_at(self, y: float) -> float:
        """Return the value at a height."""
        share = min(max((BOTTOM - y) / (BOTTOM - TOP), 0.0), 1.0)
        return self.top * (abs(2 * share - 1) if self.kind == FUNNEL else share)

    def said(self, value: float) -> str:
        """Format a value with its unit."""
        return f"{value:.4g}{self.unit}"

    @property
    def words(self) -> str:
        """The chart in words."""
        parts = []
        for place, (name, value) in enumerate(zip(self.names, self.guess, strict=True)):
            truth = f", in truth {self.said(self.truth[place])}" if self.truth else ""
            parts.append(f"{name}: {'no guess' if value is None else f'guessed {self.said(value)}'}{truth}")
        return f"{self.title} {'; '.join(parts)}."


def picture(sketch: Sketch, index: int | None = None) -> Picture:
    """Draw the chart, with the hovered column in gold."""
    shapes: list[Shape] = [*frame(WIDTH, HEIGHT, primitives.shortened(sketch.title, LONGEST)), *key(sketch)]
    if index is not None:
        shapes.append(Polygon(box(sketch, index, 0.5, TOP - 4, BOTTOM + 30), "flash", alpha=0.2))
    marks = ticks(0, sketch.top)
    below = [-mark for mark in marks[1:]] if sketch.kind == FUNNEL else []
    shapes += level([*below, *marks], sketch.up, LEFT, RIGHT)
    shapes += PAINTED[sketch.kind](sketch)
    shapes += names(sketch)
    return Picture(WIDTH, HEIGHT, tuple(shapes), (), sketch.words)


def key(sketch: Sketch) -> Iterator[Shape]:
    """Draw the legend of the colours in use."""
    yield Text(LEFT + 24, 42, "guess", SMALL, "ink", "left")
    yield Polygon(primitives.square((LEFT + 10, 42), 7), GUESS, GUESS, 2, 0.55)
    if sketch.truth:
        yield Polygon(primitives.square((LEFT + 90, 42), 7), TRUTH)
        yield Text(LEFT + 104, 42, "truth", SMALL, "ink", "left")


def box(sketch: Sketch, place: int, half: float, top: float, low: float, aside: float = 0.0) -> tuple[Point, ...]:
    """Return a rectangle in a column; half is its half-width and aside its offset, in column widths."""
    x, reach = sketch.middle(place) + aside * sketch.wide, half * sketch.wide
    return rectangle(x - reach, top, x + reach, low)


def names(sketch: Sketch) -> Iterator[Shape]:
    """Draw the names below the columns, as many as fit, and a `?` for each missing guess."""
    longest = max(map(len, sketch.names))
    every = max(1, round(LETTER * min(longest, 8) / sketch.wide + 0.5))
    for place, (name, value) in enumerate(zip(sketch.names, sketch.guess, strict=True)):
        x = sketch.middle(place)
        if place % every == 0:
            room = max(3, int(every * sketch.wide / LETTER))
            yield Text(x, BOTTOM + 18, primitives.shortened(name, room), SMALL, "ink")
        if value is None and not sketch.truth:
            yield Text(x, sketch.up(0) - 12, "?", SMALL + 5, "muted", bold=True)


def bars(sketch: Sketch) -> Iterator[Shape]:
    """Draw a bar for each guess, with the bar of the true value to its right."""
    half = min(0.36, WIDEST / sketch.wide)
    for place, value in enumerate(sketch.guess):
        if sketch.truth:
            yield from bar(sketch, place, sketch.truth[place], half / 2, half / 2, TRUTH)
        if value is not None:
            aside = -half / 2 if sketch.truth else 0.0
            yield from bar(sketch, place, value, half / 2 if sketch.truth else half, aside, GUESS)


def bar(sketch: Sketch, place: int, value: float, half: float, aside: float, paint: str) -> Iterator[Shape]:
    """Draw a bar with its value; the bar of a guess is translucent, with an edge and a handle."""
    top = sketch.up(value)
    corners = box(sketch, place, half, top, sketch.up(0), aside)
    is_guess = paint == GUESS
    yield Polygon(corners, paint, paint if is_guess else "", 2, 0.55 if is_guess else 1.0)
    if is_guess:
        yield Line(corners[:2], paint, 5)
    if len(sketch.names) <= MANY:
        x = sketch.middle(place) + aside * sketch.wide
        yield Text(x, top - 11, sketch.said(value), SMALL, "ink", bold=True)


def curve(sketch: Sketch) -> list[Shape]:
    """Draw a dashed line through the guesses, with handles, and a line through the true values."""
    return [*truth_line(sketch, 1), *guess_line(sketch, 1)]


def funnel(sketch: Sketch) -> list[Shape]:
    """Draw the lines on both sides of 0, with the area between the guesses filled."""
    shapes: list[Shape] = [Line(((LEFT, sketch.up(0)), (RIGHT, sketch.up(0))), "ink", 1.5)]
    for one, other in pairwise(range(len(sketch.names))):
        here, there = sketch.guess[one], sketch.guess[other]
        if here is not None and there is not None:
            left, right, up = sketch.middle(one), sketch.middle(other), sketch.up
            inside = (left, up(here)), (right, up(there)), (right, up(-there)), (left, up(-here))
            shapes.append(Polygon(inside, GUESS, alpha=0.2))
    sides = (1, -1)
    return [*shapes, *(shape for side in sides for shape in (*truth_line(sketch, side), *guess_line(sketch, side)))]


def truth_line(sketch: Sketch, side: int) -> list[Shape]:
    """Draw the line of the true values, above (1) or below (-1) 0."""
    points = tuple((sketch.middle(n), sketch.up(side * value)) for n, value in enumerate(sketch.truth or ()))
    return [Line(points, TRUTH, 3)] if len(points) > 1 else [Circle(x, y, 5, TRUTH) for x, y in points]


def guess_line(sketch: Sketch, side: int) -> Iterator[Shape]:
    """Draw the line of the guesses, interrupted at missing guesses, with a handle on each guess."""
    piece: list[Point] = []
    for place, value in enumerate((*sketch.guess, None)):
        if value is None:
            yield from dashed(piece, GUESS, 3, DASHES)
            piece = []
        else:
            piece.append((sketch.middle(place), sketch.up(side * value)))
            yield Circle(*piece[-1], min(6.0, 0.35 * sketch.wide), GUESS, "panel", 1.5)


PAINTED = {BARS: bars, CURVE: curve, FUNNEL: funnel}


def closeness(guess: Sequence[float | None], truth: Sequence[float]) -> float | None:
    """Return the mean distance of the guesses from the true values; None without guesses."""
    apart = [abs(mine - real) for mine, real in zip(guess, truth, strict=True) if mine is not None]
    return sum(apart) / len(apart) if apart else None
