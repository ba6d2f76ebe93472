"""A list or a text as a row of boxes, with the variables that are indices of it as arrows below.

Every box has a number of its own that it keeps where it goes, so that what is swapped glides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from crashlab.base.errors import integer
from crashlab.drawing import primitives
from crashlab.drawing.charts import frame
from crashlab.drawing.shapes import Piece, Point, Polygon, Shape, Text, slab
from crashlab.watch.film_data import VariableChange
from crashlab.watch.heap import ABSENT, in_words
from crashlab.watch.views.code_reading import ENDS

NARROWEST, WIDEST = 26.0, 64.0  # pixels of a box, where its words need no more
LETTERS = 14  # of a box
EDGE, TOP, HIGH = 14.0, 30.0, 40.0  # pixels round the row, above it, and of a box
ARROW = 12.0  # pixels of the arrow of a cursor
LEAST, LARGER = 0.7, 1.7  # how much smaller and larger it is drawn
LINE = 17.0  # pixels from name to name below each other
SHADES = ("seat 0", "seat 2")  # of slices
PLAIN = (int, float, str, bool, type(None))


def is_row(value: object) -> bool:
    """Whether a value can be drawn as a row: a list or a text of plain things, or of small tuples of them."""
    if isinstance(value, str):
        return len(value) > 1
    return isinstance(value, list | tuple | deque) and all(is_brief(each) for each in value)


def is_brief(value: object) -> bool:
    """Whether a value finds room in a box."""
    if isinstance(value, tuple):
        return len(value) < 4 and all(isinstance(each, PLAIN) for each in value)
    return isinstance(value, PLAIN)


def numbered(events: Iterable[VariableChange]) -> list[tuple[int, list[int]]]:
    """The numbers of the boxes of a variable, with the beats from which on they are so.

    What changes places in one beat takes its number along, and what comes gets a new one.
    """
    numbers: list[int] = []
    found: list[tuple[int, list[int]]] = []
    fresh = 0
    beats: dict[int, list[VariableChange]] = {}
    for event in events:
        beats.setdefault(event.beat, []).append(event)
    for beat, changes in beats.items():
        swapped: list[VariableChange] = []
        for event in changes:
            is_whole = event.key is None and isinstance(event.after, str | list | tuple | deque)
            place = event.key if isinstance(event.key, int) else -1
            if is_whole and len(event.after) != len(numbers):
                numbers = list(range(fresh, fresh + len(event.after)))
                fresh += len(numbers)
            elif 0 <= place <= len(numbers) and event.before is ABSENT:
                numbers = [*numbers[:place], fresh, *numbers[place:]]
                fresh += 1
            elif 0 <= place < len(numbers) and event.after is ABSENT:
                numbers = [*numbers[:place], *numbers[place + 1 :]]
            elif 0 <= place < len(numbers):
                swapped.append(event)
        befores = [event.before for event in swapped]
        if len(swapped) > 1 and all(befores.count(event.after) == 1 for event in swapped):
            old = list(numbers)
            for event in swapped:
                numbers[event.key] = old[swapped[befores.index(event.after)].key]
        if not found or found[-1][1] != numbers:
            found.append((beat, list(numbers)))
    return found


def wide_of(value: Iterable[Any]) -> float:
    """How wide the boxes of a value want to be."""
    are_texts = is_text(value)
    longest = max((len(words_in(each, are_texts)) for each in value), default=1)
    return max(primitives.PER_EM * 16 * min(longest, LETTERS) + 10, NARROWEST)


def room_of(cursors: int) -> float:
    """How high a row with so many cursors wants to be."""
    return TOP + HIGH + 24 + (ARROW + 4 + LINE * min(cursors, 4) if cursors else 0)


def words_in(each: object, is_text: bool) -> str:
    """What stands in a box: a value, of texts only the letters, and of truths the first letter."""
    if isinstance(each, bool):
        return "T" if each else "F"
    return each if isinstance(each, str) and is_text else in_words(each)


def is_text(value: Iterable[Any]) -> bool:
    """Whether there are but texts in it."""
    return all(isinstance(each, str) for each in value)


def row(
    name: str,
    value: object,
    changed: Sequence[object],
    cursors: Mapping[str, Any],
    size: Point,
    high: float,
    numbers: Sequence[int] = (),
    shaded: Sequence[tuple[int, int]] = (),
    is_open: bool = False,
) -> list[Piece]:
    """The boxes with their indices, and below them the arrows; what lies outside of two ends is faded.

    `high` is how high it wants to be, `shaded` are slices; where it `is_open` the right end is behind the last index.
    """
    ground = Piece("", 0, 0, frame(*size, name), label=name)
    if not isinstance(value, str | list | tuple | deque):
        return [replace(ground, shapes=(*ground.shapes, Text(size[0] / 2, size[1] / 2, "not set yet", 14, "muted")))]
    scale = min(max(size[1] / high, LEAST), LARGER)
    across = size[0] / scale
    at = {cursor: index for cursor, held in cursors.items() if (index := integer(held)) is not None}
    at = {cursor: index for cursor, index in at.items() if -1 <= index <= len(value)}
    wanted = wide_of(value)
    fits = max(int((across - 2 * EDGE) / wanted) - (2 if at else 0), 1)
    ints = [key for key in changed if isinstance(key, int)]
    middle = sum(at.values()) // len(at) if at else max(ints, default=0)
    first = min(max(middle - fits // 2, 0), max(len(value) - fits, 0))
    shown: list[Any] = list(value)[first : first + fits]
    wide = min((across - 2 * EDGE) / (len(shown) + (2 if at else 0) or 1), max(WIDEST, wanted))
    left = (across - wide * len(shown)) / 2
    down = max((size[1] - high * scale) / 3, 0)
    ends = next(((at[low], at[high]) for low, high in ENDS if low in at and high in at and low != "i"), None)
    if ends and is_open:
        ends = ends[0], ends[1] - 1
    if len(numbers) != len(value):
        numbers = range(len(value))

    def put(key: str, x: float, shapes: Iterable[Shape]) -> Piece:
        return Piece(key, x * scale, down, tuple(shapes), scale=scale)

    still: list[Shape] = []
    for count, (low, high) in enumerate(shaded):
        low, high = max(low, first), min(high, first + len(shown))
        if low < high:
            corners = slab(left + wide * (low - first), TOP - 5, left + wide * (high - first), TOP + HIGH + 5, 7)
            still.append(Polygon(corners, SHADES[count % 2], alpha=0.28))
    for place in range(len(shown)):
        still.append(Text(left + wide * (place + 0.5), TOP + HIGH + 12, str(first + place), 12, "muted"))
    if not value:
        still.append(Text(across / 2, TOP + HIGH / 2, "empty", 14, "muted"))
    for is_cut, x in ((first, left - 10), (first + len(shown) < len(value), left + wide * len(shown) + 10)):
        still += [Text(x, TOP + HIGH / 2, "…", 16, "muted")] if is_cut else []
    pieces = [ground, put("still", 0, still)]
    are_texts = is_text(value)
    for place, held in enumerate(shown):
        index = first + place
        is_out = ends is not None and not ends[0] <= index <= ends[1]
        shapes = box(words_in(held, are_texts), wide, index in ints, is_out)
        pieces.append(put(f"box {numbers[index]}", left + wide * (place + 0.5), shapes))
    return [*pieces, *(put(*each) for each in arrows(at, first, len(shown), left, wide))]


def box(words: str, wide: float, is_lit: bool, is_out: bool) -> list[Shape]:
    """A box with its words; one that has just changed is lit."""
    fill, edge = ("flash", primitives.GLOW) if is_lit else ("panel" if is_out else "cell", "cell edge")
    ink = "flash ink" if is_lit else "muted" if is_out else "ink"
    size = min(16.0, max((wide - 6) / (primitives.PER_EM * max(len(words), 1)), 11.0))
    room = max(int((wide - 4) / (primitives.PER_EM * size)), 1)
    paper = Polygon(slab(2 - wide / 2, TOP, wide / 2 - 2, TOP + HIGH, 4), fill, edge, 2 if is_lit else 1)
    return [paper, Text(0, TOP + HIGH / 2, primitives.shortened(words, room), size, ink, bold=is_lit)]


def arrows(at: Mapping[str, int], first: int, count: int, left: float, wide: float) -> list[tuple[str, float, Shapes]]:
    """The cursors below a row; several at one place stand below each other."""
    found: list[tuple[str, float, Shapes]] = []
    y = TOP + HIGH + 24
    for name, index in at.items():
        if -1 <= index - first <= count:
            below = [each for each, place in at.items() if place == index].index(name)
            head = Polygon(((0, y), (-ARROW / 2, y + ARROW), (ARROW / 2, y + ARROW)), "seat 0", "seat 0", 1)
            words = Text(0, y + ARROW + 10 + LINE * below, name, 15, "ink", bold=True)
            found.append((f"at {name}", left + wide * (index - first + 0.5), (head, words)))
    return found


Shapes = tuple[Shape, ...]
