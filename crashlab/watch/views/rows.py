"""A list or a text as a row of boxes, with its indices as arrows below.

Every box has a number, which it keeps when it moves, so that swapped elements glide.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby, islice
from typing import Any

from crashlab.base.errors import integer
from crashlab.drawing import primitives
from crashlab.drawing.charts import frame
from crashlab.drawing.page_layout import PER_BOLD
from crashlab.drawing.shapes import Piece, Point, Polygon, Shape, Text, slab
from crashlab.watch.film_data import VariableChange
from crashlab.watch.things import ABSENT, in_words
from crashlab.watch.views.code_reading import ENDS
from crashlab.watch.views.picture_layout import start

NARROWEST, WIDEST = 26.0, 64.0  # usual widths of a box, in pixels
LETTERS = 14  # longest text of a box
EDGE, TOP, HIGH = 14.0, 30.0, 40.0  # margin around a row, space above it, and height of a box, in pixels
ARROW = 12.0  # size of the arrow of a cursor, in pixels
LEAST, LARGER = 0.7, 1.7  # smallest and largest scale
LINE = 17.0  # distance of names below each other, in pixels
MANY = 200  # elements of a row that are measured for the width of its boxes
FAR = 2  # maximum number of cursors that are shown outside the visible part
BELOW = HIGH + 24  # distance from a row to the pattern below it, in pixels
SHADES = ("seat 0", "seat 2")  # colours of slices
CUT = "…"  # stands for omitted boxes
ROWS = (str, list, tuple, deque)
PLAIN = (int, float, str, bool, type(None))
Shapes = tuple[Shape, ...]


@dataclass(frozen=True)
class Below:
    """A text below a row.

    letters  the text
    shift    the index of the row above its first letter
    cursors  its indices by their names
    beyond   maximum number of boxes beyond the end of the row
    """

    letters: str
    shift: int
    cursors: Mapping[str, Any]
    beyond: int


def is_row(value: object) -> bool:
    """Return whether a value can be drawn as a row: a text, or a list of plain values or small tuples of them."""
    if isinstance(value, str):
        return len(value) > 1
    return isinstance(value, list | tuple | deque) and ({*map(type, value)} <= {*PLAIN} or all(map(is_brief, value)))


def is_brief(value: object) -> bool:
    """Return whether a value has room in a box."""
    parts = value if isinstance(value, tuple) else (value,)
    return len(parts) < 4 and all(isinstance(part, PLAIN) for part in parts)


def numbered(events: Iterable[VariableChange]) -> list[tuple[int, list[int]]]:
    """Return a list of (beat, numbers of a variable's boxes), with an entry for each beat that changes the numbers.

    Elements that are swapped in one beat take their numbers along, and new elements get new numbers.
    """
    numbers: list[int] = []
    history: list[tuple[int, list[int]]] = []
    fresh = 0
    for beat, changes in groupby(events, key=lambda event: event.beat):
        swapped: list[VariableChange] = []
        for event in changes:
            is_whole = event.key is None and isinstance(event.after, str | list | tuple | deque)
            place = event.key if isinstance(event.key, int) else -1
            if is_whole and len(event.after) != len(numbers):
                numbers = list(range(fresh, fresh + len(event.after)))
                fresh += len(numbers)
            elif 0 <= place <= len(numbers) and event.before is ABSENT:
                numbers.insert(place, fresh)
                fresh += 1
            elif 0 <= place < len(numbers) and event.after is ABSENT:
                del numbers[place]
            elif 0 <= place < len(numbers):
                swapped.append(event)
        befores = [event.before for event in swapped]
        if len(swapped) > 1 and all(befores.count(event.after) == 1 for event in swapped):
            old = list(numbers)
            for event in swapped:
                numbers[event.key] = old[swapped[befores.index(event.after)].key]
        if not history or history[-1][1] != numbers:
            history.append((beat, list(numbers)))
    return history


def wide_of(value: Iterable[Any]) -> float:
    """Return the preferred width of the boxes of a value."""
    some = list(islice(value, MANY))
    if {*map(type, some)} == {int}:  # the least and the greatest int have the most digits
        some = [min(some), max(some)]
    are_texts = is_text(some)
    longest = max((len(words_in(element, are_texts)) for element in some), default=1)
    return max(primitives.PER_EM * 16 * min(longest, LETTERS) + 10, NARROWEST)


def room_of(cursors: int, has_below: bool = False) -> float:
    """Return the preferred height of a row with this number of cursors."""
    return TOP + HIGH + 24 + BELOW * has_below + (ARROW + 4 + LINE * min(cursors, 4) if cursors else 0)


def words_in(element: object, is_text: bool) -> str:
    """Return the text in a box: T or F for a bool, a str without quotes if all elements are texts."""
    if isinstance(element, bool):
        return "T" if element else "F"
    return element if isinstance(element, str) and is_text else in_words(element)


def is_text(value: Iterable[Any]) -> bool:
    """Return whether all elements are texts."""
    return all(isinstance(element, str) for element in value)


@dataclass(frozen=True)
class RowLook:
    """A row at a moment: its name, its value and its marks.

    changed  the keys that have just changed
    cursors  its indices by their names
    numbers  the numbers of its boxes
    shaded   its slices as (start, stop)
    is_open  whether the right end, such as hi, is exclusive
    focus    the index around which a long row is shown
    below    the text below it
    """

    name: str
    value: Any
    changed: Sequence[object] = ()
    cursors: Mapping[str, Any] = field(default_factory=dict)
    numbers: Sequence[int] = ()
    shaded: Sequence[tuple[int, int]] = ()
    is_open: bool = False
    focus: int | None = None
    below: Below | None = None

    @cached_property
    def at(self) -> dict[str, int]:
        """The cursors with valid indices, from -1 to the length of the row, including those of the text below."""
        at = {cursor: index for cursor, value in self.cursors.items() if (index := integer(value)) is not None}
        at = {cursor: index for cursor, index in at.items() if -1 <= index <= len(self.value)}
        if self.below:
            below = {cursor: integer(value) for cursor, value in self.below.cursors.items()}
            at = {cursor: place + self.below.shift for cursor, place in below.items() if place is not None} | at
        return at

    @property
    def count(self) -> int:
        """The number of boxes, including those beyond the end of the row."""
        return len(self.value) + (self.below.beyond if self.below else 0)

    @property
    def ends(self) -> tuple[int, int] | None:
        """The inclusive ends of the active part, such as lo and hi; None if there are no such cursors."""
        pairs = [pair for pair in ENDS if self.at.keys() >= {*pair} and pair != ("i", "j")]
        return (self.at[pairs[0][0]], self.at[pairs[0][1]] - self.is_open) if pairs else None

    def shown(self, fits: int, lit: Sequence[int]) -> list[int]:
        """Return the indices of the visible boxes if `fits` have room: around the last change, and at cursors."""
        middle = lit[-1] if lit else self.focus if self.focus is not None else max(self.at.values(), default=0)
        return in_view(self.count, fits, middle, [*lit, *self.at.values()])


def row(look: RowLook, size: Point, high: float) -> list[Piece]:
    """Draw the boxes of a row with their indices and the arrows below them; boxes outside two ends are faded.

    `high` is its preferred height. If a row is too long, the part around the focus and the boxes at far cursors are
    shown.
    """
    ground = Piece("", 0, 0, frame(*size, look.name), label=look.name)
    if not isinstance(look.value, ROWS):
        return [replace(ground, shapes=(*ground.shapes, Text(size[0] / 2, size[1] / 2, "not set yet", 14, "muted")))]
    values = list(look.value) if isinstance(look.value, deque) else look.value
    lit = [key for key in look.changed if isinstance(key, int)]
    scale = min(max(size[1] / high, LEAST), LARGER)
    box_wide, beside = wide_of(values), 2 if look.at else 0
    needed = 2 * EDGE + box_wide * (look.count + beside)
    if size[0] / needed >= LEAST:  # a smaller row is better than a part of it
        scale = min(scale, size[0] / (needed + 1))
    across = size[0] / scale
    visible = look.shown(max(int((across - 2 * EDGE) / box_wide) - beside, 1), lit)
    boxes = [index for index in visible if 0 <= index < len(values)]
    most = max(WIDEST, wide_of([values[index] for index in boxes]))
    wide = min((across - 2 * EDGE) / (len(visible) + beside or 1), most)
    left, down = (across - wide * len(visible)) / 2, max((size[1] - high * scale) / 3, 0)
    slots = [(index, left + wide * (place + 0.5)) for place, index in enumerate(visible)]
    middles = {index: x for index, x in slots if index >= 0}
    for index, beyond in ((-1, 0), (len(values), len(values) - 1)):
        if beyond in middles or not visible:
            middles[index] = middles.get(beyond, across / 2) + (-wide if index < 0 else wide)

    def put(key: str, x: float, shapes: Shapes, under: float = 0.0) -> Piece:
        return Piece(key, x * scale, down + under * scale, shapes, scale=scale)

    rows = ([middles[index] for index in range(*ends) if index in middles] for ends in look.shaded)
    shades = tuple((min(xs) - wide / 2, max(xs) + wide / 2) if xs else (0.0, 0.0) for xs in rows)
    texts = [(middles[index], str(index)) for index in boxes]
    texts += [(x, CUT) for index, x in slots if index < 0] + ([] if values else [(across / 2, "empty")])
    pieces = [ground, put("still", 0, background(tuple(texts), shades))]
    are_texts, ends = is_text(values[index] for index in boxes), look.ends
    numbers = look.numbers if len(look.numbers) == len(values) else range(len(values))
    for index in boxes:
        is_out = ends is not None and not ends[0] <= index <= ends[1]
        box_shapes = box(words_in(values[index], are_texts), wide, index in lit, is_out)
        pieces.append(put(f"box {numbers[index]}", middles[index], box_shapes))
    for place, letter in enumerate(look.below.letters if look.below else ()):
        if look.below and (x := middles.get(place + look.below.shift)) is not None:
            box_shapes = *box(letter, wide, False, False), Text(0, TOP + HIGH + 12, str(place), 12, "muted")
            pieces.append(put(f"below {place}", x, box_shapes, BELOW))
    names = [(cursor, middles[at]) for cursor, at in look.at.items() if at in middles]
    lines: dict[str, int] = {}  # names that would overlap are below each other
    for cursor, x in names:
        near = {
            lines[c] for c, other in names if c in lines and abs(x - other) < PER_BOLD * 15 * len(c + cursor) / 2 + 4
        }
        lines[cursor] = min({*range(len(names))} - near)
        pieces.append(put(f"at {cursor}", x, arrow(cursor, lines[cursor]), BELOW if look.below else 0.0))
    return pieces


@lru_cache(maxsize=1024)
def background(texts: tuple[tuple[float, str], ...], shades: tuple[tuple[float, float], ...]) -> Shapes:
    """Draw the background of the boxes: the slices, the indices, and marks for omitted boxes."""
    slices = (
        Polygon(slab(a, TOP - 5, b, TOP + HIGH + 5, 7), SHADES[n % 2], alpha=0.28)
        for n, (a, b) in enumerate(shades)
        if a < b
    )
    looks = {CUT: (TOP + HIGH / 2, 16), "empty": (TOP + HIGH / 2, 14)}
    places = ((x, words, *looks.get(words, (TOP + HIGH + 12, 12))) for x, words in texts)
    return *slices, *(Text(x, y, words, letters, "muted") for x, words, y, letters in places)


def in_view(count: int, fits: int, middle: int, others: Iterable[int]) -> list[int]:
    """Return the indices of the visible boxes, around the middle one and at others; -1 stands for a gap."""
    if count <= fits:
        return list(range(count))

    def near(room: int) -> set[int]:
        first = start(count, room, min(max(middle, 0), count - 1))
        return set(range(first, first + room))

    room = max(fits - 2, 1)
    visible = near(room)
    far = [at for at in dict.fromkeys(min(max(at, 0), count - 1) for at in others) if at not in visible][-FAR:]
    if far and room > 3 * len(far) + 3:
        visible = near(room - 2 * len(far)) | {*far}
    indices: list[int] = []
    for index in sorted(visible):
        if index and (not indices or indices[-1] != index - 1):
            indices.append(-1)
        indices.append(index)
    return indices if indices[-1] == count - 1 else [*indices, -1]


@lru_cache(maxsize=4096)
def box(words: str, wide: float, is_lit: bool, is_out: bool) -> Shapes:
    fill, edge = ("flash", primitives.GLOW) if is_lit else ("panel" if is_out else "cell", "cell edge")
    ink = "flash ink" if is_lit else "muted" if is_out else "ink"
    size = min(16.0, max((wide - 6) / (primitives.PER_EM * max(len(words), 1)), 11.0))
    room = max(int((wide - 4) / (primitives.PER_EM * size)), 1)
    paper = Polygon(slab(2 - wide / 2, TOP, wide / 2 - 2, TOP + HIGH, 4), fill, edge, 2 if is_lit else 1)
    return paper, Text(0, TOP + HIGH / 2, primitives.shortened(words, room), size, ink, bold=is_lit)


@lru_cache(maxsize=256)
def arrow(name: str, below: int) -> Shapes:
    """Draw an arrow with the name of an index, which is `below` lines lower to leave room for other names."""
    y = TOP + HIGH + 24
    head = Polygon(((0, y), (-ARROW / 2, y + ARROW), (ARROW / 2, y + ARROW)), "seat 0", "seat 0", 1)
    return head, Text(0, y + ARROW + 10 + LINE * below, name, 15, "ink", bold=True)
