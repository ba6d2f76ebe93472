"""Diagrams of a variable beside a board: a table, bars, or the curve of its history.

Each is drawn in its own rectangle from (0, 0). If there is not enough room, the part that has just changed is shown.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import zip_longest
from math import ceil, isfinite
from typing import Any, NamedTuple

from crashlab.base.errors import as_float, integer, truncate
from crashlab.drawing import primitives
from crashlab.drawing.charts import Curve, Scale, curves, frame, level, ticks
from crashlab.drawing.shapes import Piece, Point, Polygon, Shape, Text, slab
from crashlab.watch.things import ABSENT, SMALL, in_words, keys_of, parts_of
from crashlab.watch.views.choose_view import is_container, is_matrix
from crashlab.watch.views.picture_layout import start

LINE = 23.0  # height of a row, in pixels
SIZE = 14.0  # text size in cells
LARGER, LARGE = 1.7, 1.3  # largest scale of a table beside a board, and without one
TITLE = 30.0  # height above the first row, in pixels
EDGE = 10.0  # margin left and right of a table, in pixels
LETTERS = 16  # longest text of a cell
MOST = 300  # maximum number of elements of a container in a table
FEWEST = 26.0  # smallest width of a column, in pixels
NARROW = 64.0  # largest width of a column if there is not enough room for all, in pixels
LEAST = 0.85  # smallest scale of a table
CUT = "…"  # stands for omitted rows or columns


Heads = tuple[Sequence[str], Sequence[str]]  # the labels of rows, and of columns
Keys = tuple[Any, ...]  # the keys of nested containers, the outermost first
ValueAt = Callable[[Any, Any], Any]  # returns the value in a row and a column, or ABSENT


class TableCell(NamedTuple):
    """A cell of a table; its kind is "head", "lit" if it has just changed, or ""."""

    words: str
    kind: str = ""
    is_here: bool = False  # whether indices point to it
    mark: str = ""  # the names of variables that point to it


@dataclass(frozen=True)
class WordGrid:
    """Cells in rows and columns; `focus` is the cell around which a part is shown, -1 for no row or column."""

    rows: Sequence[Sequence[TableCell]]
    focus: tuple[int, int] = (-1, -1)

    def lit(self, axis: int) -> list[int]:
        """Return the indices of the rows (axis 0) or columns (axis 1) of lit cells."""
        lines = enumerate(self.rows)
        return [(y, x)[axis] for y, line in lines for x, cell in enumerate(line) if cell.kind == "lit"]


@dataclass(frozen=True)
class TableLook:
    """The marks of a table.

    changed  the keys that have just changed
    heads    the labels of the rows, and the labels of the columns
    at       by row and column, the names of the variables that point to a cell, or ""
    last     the keys of the last change so far
    """

    changed: Sequence[Keys] = ()
    heads: Heads = ((), ())
    at: Mapping[tuple[Any, Any], str] = field(default_factory=dict)
    last: Keys = ()

    @property
    def focus(self) -> Keys:
        """The keys of the cell around which a large table is shown.

        This is a cell that has just changed, else one that variables point to, else the one that changed last.
        """
        return max(self.changed, key=len, default=next(iter(self.at), self.last))


def table(name: str, value: object, size: Point, look: TableLook, larger: float = LARGER) -> Iterator[Piece]:
    """Draw any value as a table, with one piece for each row.

    If there is room, it is enlarged by at most the factor `larger`.
    """
    grid = fitted(gridded(value, size, look), size)
    wide = widths(grid.rows, size[0] - 2 * EDGE)
    across, down = (size[0] - 2 * EDGE) / (sum(wide) or 1), (size[1] - TITLE - EDGE / 2) / (LINE * len(grid.rows) or 1)
    scale = min(max(min(across, down), LEAST), larger)
    ground: tuple[Shape, ...] = tuple(frame(*size, titled(name, value)))
    if not grid.rows:
        words = "empty" if is_container(value) else "not set yet"
        ground = (*ground, Text(EDGE, TITLE + LINE / 2, words, SIZE, "muted", "left"))
    yield Piece("", 0, 0, ground, label=name)
    for row, line in enumerate(grid.rows):
        shapes = row_of_cells(tuple(zip(line, wide, strict=False)))
        yield Piece(f"row {row}", EDGE, TITLE + scale * LINE * row, shapes, scale=scale)


@lru_cache(maxsize=4096)
def row_of_cells(line: tuple[tuple[TableCell, float], ...]) -> tuple[Shape, ...]:
    """Draw one row of a table from its cells and their widths."""
    shapes: list[Shape] = []
    left = 0.0
    for content, wide in line:
        shapes += cell(content, left, wide)
        left += wide
    return tuple(shapes)


def extent(value: object, size: Point) -> Point:
    """Return the preferred width and height of a table in this room."""
    rows = gridded(value, size, TableLook()).rows
    wide = sum(widths(rows, float("inf"))) + 2 * EDGE
    return wide, TITLE + EDGE + LINE * min(max((size[0] - 2 * EDGE) / wide, 1.0), LARGE) * max(len(rows), 1)


def cell(content: TableCell, left: float, wide: float) -> Iterator[Shape]:
    """Draw one cell of a table.

    If an index points to it, its edge (or the text of a head) is blue, and the name is in its corner.
    """
    is_head, is_lit = content.kind == "head", content.kind == "lit"
    if not is_head:
        box = slab(left + 1, 1, left + wide - 1, LINE - 1, 3)
        fill, edge, line = ("flash", primitives.GLOW, 2.0) if is_lit else ("cell", "cell edge", 0.7)
        yield Polygon(box, fill, *(("seat 0", 2.5) if content.is_here else (edge, line)))
        if content.mark:
            fits = max(int((wide - 2) / (primitives.PER_EM * 8)), 1)
            yield Text(left + 3, 5, content.mark[:fits], 8, "seat 0", "left", bold=True)
    fits = max(int((wide - 4) / (primitives.PER_EM * SIZE)), 1)
    if words := primitives.shortened(truncate(content.words, LETTERS), fits):
        ink = (
            "seat 0" if content.is_here and is_head else {"head": "muted", "lit": "flash ink", "": "ink"}[content.kind]
        )
        down = LINE / 2 + (2 if content.mark else 0)
        yield Text(left + wide / 2, down, words, SIZE - is_head, ink, bold=is_lit or content.is_here)


def widths(rows: Sequence[Sequence[TableCell]], room: float) -> list[float]:
    """Return the widths of the columns: as wide as their texts, but scaled down to the room if they are wider."""
    lengths = ([len(cell.words) for cell in line] for line in rows)
    longest = [min(max(column), LETTERS + 4) for column in zip_longest(*lengths, fillvalue=0)]
    full = [max(primitives.PER_EM * SIZE * long + 12, FEWEST) for long in longest]
    share = min(room / (sum(full) or 1), 1.0)
    return [max(wide * share, min(FEWEST, wide)) for wide in full]


def fitted(grid: WordGrid, size: Point) -> WordGrid:
    """Reduce a grid to the rows and columns that have room: the heads, and a part around lit cells or the focus."""
    rows = len(grid.rows)
    if not rows:
        return grid
    fit = max(2, int((size[1] - TITLE - EDGE / 2) / (LINE * LEAST)))
    if rows > fit or len(grid.rows[0]) * FEWEST > size[0] - 2 * EDGE + 1:
        fit = max(2, int((size[1] - TITLE - EDGE / 2) / LINE))
    is_headed = all(cell.kind == "head" for cell in grid.rows[0])
    if rows <= fit and sum(widths(grid.rows, float("inf"))) <= size[0] - 2 * EDGE:
        return grid
    at = max(grid.lit(0), default=rows - 1 if grid.focus[0] < 0 else grid.focus[0])
    grid = only(grid, part(rows, fit, at, int(is_headed)), range(max(map(len, grid.rows))))
    return beside(grid, size[0] - 2 * EDGE)


def beside(grid: WordGrid, room: float) -> WordGrid:
    """Reduce a grid to the columns that have room."""
    count = max(map(len, grid.rows))
    at = max(grid.lit(1), default=max(grid.focus[1], 0))
    is_headed = all(line[0].kind == "head" for line in grid.rows)
    result = grid
    for fit in range(min(count, max(int(room / FEWEST), 2)), 1, -1):
        result = only(grid, range(len(grid.rows)), part(count, fit, at, int(is_headed)))
        if sum(min(wide, NARROW) for wide in widths(result.rows, float("inf"))) <= room:
            break
    return result


def part(count: int, fit: int, at: int, heads: int) -> list[int]:
    """Return the indices of the visible rows or columns: the heads, and a part that includes `at`.

    `fit` of `count` have room. The ends of a truncated part are -1. The part stays in place while `at` moves within it.
    """
    if count <= fit:
        return list(range(count))
    room, at = max(fit - heads, 1), max(at - heads, 0)
    first = start(count - heads, room, at)
    indices = list(range(first + heads, first + heads + room))
    if room > 3:
        indices[0] = -1 if first else indices[0]
        indices[-1] = -1 if first + room < count - heads else indices[-1]
    return [*range(heads), *indices]


def only(grid: WordGrid, rows: Sequence[int], columns: Sequence[int]) -> WordGrid:
    """Select these rows and columns of a grid; -1 stands for omitted ones."""
    lines: list[list[TableCell]] = []
    for row in rows:
        lines.append([])
        for column in columns:
            if row < 0:
                lines[-1].append(TableCell(CUT if column in (columns[0], -1) else "", "head"))
            elif column < 0:
                lines[-1].append(TableCell(CUT if row == rows[0] else "", "head"))
            elif column < len(grid.rows[row]):
                lines[-1].append(grid.rows[row][column])
    focus = [places.index(at) if at in places else -1 for places, at in zip((rows, columns), grid.focus, strict=True)]
    return WordGrid(lines, (focus[0], focus[1]))


def titled(name: str, value: object) -> str:
    """Return the title of a table: the name, and the shape or the number of elements."""
    shape = getattr(value, "shape", ())
    if is_matrix(value) and isinstance(value, list) and len({*map(len, value)}) == 1:
        shape = len(value), len(value[0])
    if len(shape) > 1:
        return f"{name}: {' x '.join(map(str, shape))}"
    return f"{name}: {len(value)}" if is_container(value) else name  # type: ignore[arg-type]


# Values as tables


def gridded(value: object, size: Point, look: TableLook) -> WordGrid:
    """Build the grid of a value, with the changed keys lit; a very large value is reduced to the part around them."""
    changed = look.changed
    if value is ABSENT:
        return WordGrid([])
    if type(value).__name__ == "ndarray":
        value = value.tolist()  # type: ignore[attr-defined]
        look = replace(look, changed=[inner(key) for key in changed], last=inner(look.last))
        changed = look.changed
    firsts = [key[0] for key in changed if key]
    if isinstance(value, Mapping):
        if value and all(isinstance(element, list) for element in value.values()):
            return ragged(value, look)
        if value and all(isinstance(element, Mapping) for element in value.values()) and any(value.values()):
            columns = dict.fromkeys(column for line in value.values() for column in line)
            return crossed([*value], [*columns], lambda row, column: value[row].get(column, ABSENT), look, size)
        if value and all(is_pair(key) for key in value):
            look = replace(look, changed=firsts, last=look.last[0] if look.last and is_pair(look.last[0]) else ())
            rows, others = ([*dict.fromkeys(key[axis] for key in value)] for axis in (0, 1))
            return crossed(rows, others, lambda row, column: value.get((row, column), ABSENT), look, size)
        return paired(value, firsts, size, look.last)
    if isinstance(value, set | frozenset):
        parts = parts_of(value)
        return listed(parts, [place for place, part in enumerate(parts) if part in firsts], size, False, look.last)
    if isinstance(value, str) or not isinstance(value, Iterable):
        return WordGrid([[TableCell(in_words(value), "lit" if changed else "")]])
    rows = list(value)
    if is_matrix(value) and len({len(row) for row in rows}) > 1:
        return ragged(dict(enumerate(rows)), look)
    if is_matrix(value):
        across = range(len(rows[0]))
        return crossed(range(len(rows)), across, lambda row, column: rows[row][column], one_row(rows, look), size)
    return listed(rows, firsts, size, True, look.last)


def one_row(rows: Sequence[Any], look: TableLook) -> TableLook:
    """Label rows that are the same list object, such as "2 is 0", and light them together."""
    first_by_id: dict[int, int] = {}
    same = [
        first_by_id.setdefault(id(row) if isinstance(row, list) else -place, place) for place, row in enumerate(rows)
    ]
    if len(first_by_id) == len(rows):
        return look
    names = [str(place) if first == place else f"{place} is {first}" for place, first in enumerate(same)]
    keys = [key for key in look.changed if key and isinstance(key[0], int) and key[0] < len(same)]
    changed = [(place, *key[1:]) for key in keys for place, first in enumerate(same) if first == same[key[0]]]
    return replace(look, heads=(look.heads[0] or names, look.heads[1]), changed=changed)


def inner(key: Keys) -> Keys:
    """Unpack a key that is a tuple, such as the row and the column of a cell of an array."""
    return tuple(key[0]) if key and isinstance(key[0], tuple) else key


def ragged(rows: Mapping[Any, Sequence[Any]], look: TableLook) -> WordGrid:
    """Build the grid of rows of different lengths, such as the buckets of a hash table, each after its key."""
    places = {row: place for place, row in enumerate(rows)}
    touched = [places[key[0]] for key in look.changed if key and key[0] in places]
    keys = some([*rows], touched or [places[key] for key in look.last[:1] if key in places])
    lines = []
    for row in keys:
        values = rows[row][:MOST]
        columns = [column for key in look.changed if key[:1] == (row,) for column in key[1:2] or range(len(rows[row]))]
        lit = {min(column, len(values) - 1) for column in columns if isinstance(column, int)}
        cells = [TableCell(in_words(element), "lit" if place in lit else "") for place, element in enumerate(values)]
        lines.append([TableCell(in_words(row), "head"), *cells])
    return WordGrid(lines, (max((keys.index([*rows][place]) for place in touched), default=-1), -1))


def is_pair(key: object) -> bool:
    """Return whether a key is a pair of ints: a row and a column."""
    return isinstance(key, tuple) and len(key) == 2 and all(integer(part) is not None for part in key)


def crossed(rows: Sequence[Any], columns: Sequence[Any], value_at: ValueAt, look: TableLook, size: Point) -> WordGrid:
    """Build the grid of rows and columns; int keys are sorted, and only cells near the focus have their texts."""
    if all(integer(label) is not None for label in (*rows, *columns)):
        rows, columns = sorted(rows), sorted(columns)
    focus = look.focus
    rows = some(rows, [place for place, row in enumerate(rows) if focus[:1] == (row,)])
    columns = some(columns, [place for place, column in enumerate(columns) if focus[1:2] == (column,)], 60)
    down = {row: place for place, row in enumerate(rows, 1)}
    aside = {column: place for place, column in enumerate(columns, 1)}
    lit = {(down[key[0]], aside[key[1]]) for key in look.changed if len(key) > 1 and key[0] in down and key[1] in aside}
    lit |= {(down[k[0]], place) for k in look.changed if len(k) == 1 and k[0] in down for place in aside.values()}
    if any(key == (...,) for key in look.changed):
        lit = {(row, column) for row in down.values() for column in aside.values()}
    by_cell = {(down.get(row, 0), aside.get(column, 0)): name for (row, column), name in look.at.items()}
    here = {*by_cell, *((row, 0) for row, _ in by_cell), *((0, column) for _, column in by_cell)} - {(0, 0)}
    marks = {spot: name for spot, name in by_cell.items() if all(spot)}
    heads = [TableCell(headed(column, look.heads[1]), "head", (0, at) in here) for at, column in enumerate(columns, 1)]
    lines = [[TableCell("", "head"), *heads]]
    at = (down.get(focus[0], -1), aside.get(focus[1], -1)) if len(focus) > 1 else (-1, -1)
    fits = int(size[1] / (LINE * LEAST)) + 2, int(size[0] / FEWEST) + 2
    middle = max((row for row, _ in lit), default=len(rows) if at[0] < 0 else at[0])
    across = [column for _, column in lit] or [max(at[1], 0)]
    near = range(min(across) - fits[1], max(across) + fits[1] + 1)
    special = {spot for spot in {*lit, *here} if all(spot)}
    for y, row in enumerate(rows, 1):
        if abs(y - middle) > fits[0]:
            lines.append([])
            continue
        cells = plain_cells(
            tuple(cell_text(value_at(row, column)) if x in near else "" for x, column in enumerate(columns, 1))
        )
        lines.append([TableCell(headed(row, look.heads[0]), "head", (y, 0) in here), *cells])
        for x in [x for down, x in special if down == y]:
            kind = "lit" if (y, x) in lit else ""
            lines[-1][x] = TableCell(cells[x - 1].words, kind, (y, x) in here, marks.get((y, x), ""))
    return WordGrid(lines, at)


@lru_cache(maxsize=4096)
def plain_cells(texts: tuple[str, ...]) -> list[TableCell]:
    """Build cells without marks, cached by their texts."""
    return [TableCell(text) for text in texts]


def headed(key: Any, names: Sequence[str]) -> str:
    """Return the head of a row or a column: its label, else its key."""
    return names[key] if isinstance(key, int) and 0 <= key < len(names) else in_words(key)


def cell_text(value: Any) -> str:
    """Return the text of a cell; empty for ABSENT."""
    if type(value) is int and -SMALL < value < SMALL:
        return repr(value)
    if value is ABSENT:
        return ""
    return value if isinstance(value, str) and len(value) == 1 else in_words(value)


def paired(value: Mapping[Any, Any], changed: Sequence[object], size: Point, last: Keys) -> WordGrid:
    """Build the grid of a dict: pairs of key and value, side by side if there is room."""
    fit = max(1, int((size[1] - TITLE - EDGE / 2) / LINE))
    looked_at = changed or last[:1]
    keys = some([*value], [place for place, key in enumerate(value) if key in looked_at])
    kinds = ["lit" if key in changed else "" for key in keys]
    pairs = [
        (TableCell(in_words(key), "head"), TableCell(in_words(value[key]), kind))
        for key, kind in zip(keys, kinds, strict=True)
    ]
    long = max((min(len(cell.words), LETTERS) for pair in pairs for cell in pair), default=1)
    abreast = max(int((size[0] - 2 * EDGE) / (2 * (primitives.PER_EM * SIZE * long + 12))), 1)
    if len(keys) > abreast * fit:
        at = next((place for place, key in enumerate(keys) if key in last[:1]), len(keys) - 1)
        first = start(len(keys), abreast * fit, max((n for n, kind in enumerate(kinds) if kind), default=at))
        pairs = pairs[first : first + abreast * fit]
    blocks = min(max(ceil(len(pairs) / fit), 1), abreast)
    tall = max(ceil(len(pairs) / blocks), 1)
    return WordGrid([[cell for pair in pairs[row::tall] for cell in pair] for row in range(min(tall, len(pairs)))])


def listed(value: Sequence[Any], changed: Sequence[object], size: Point, numbered: bool, last: Keys) -> WordGrid:
    """Build the grid of a list in rows, with the indices above if it is `numbered`."""
    touched = [place for place in changed if isinstance(place, int)]
    here = touched or [place for place in last[:1] if isinstance(place, int) and numbered and place < len(value)]
    places = some(range(len(value)), here)
    long = max((min(len(in_words(value[place])), LETTERS) for place in places), default=1)
    abreast = max(int((size[0] - 2 * EDGE) / max(primitives.PER_EM * SIZE * long + 12, FEWEST)), 1)
    fit = max(1, int((size[1] - TITLE - EDGE / 2) / LINE) // (1 + numbered))
    if len(places) > abreast * fit:
        at = places.index(max(here)) if here and max(here) in places else len(places) - 1
        first = abreast * start(ceil(len(places) / abreast), fit, at // abreast)
        places = places[first : first + abreast * fit]
    rows: list[list[TableCell]] = []
    for first in range(0, len(places), abreast):
        line = places[first : first + abreast]
        if numbered:
            rows.append([TableCell(str(place), "head") for place in line])
        rows.append([TableCell(in_words(value[place]), "lit" if place in touched else "") for place in line])
    return WordGrid(rows)


def some(things: Sequence[Any], touched: Sequence[int], most: int = MOST) -> Sequence[Any]:
    """Return at most `most` elements: those around the last touched element, else the last elements."""
    first = min(max(max(touched, default=len(things)) - most // 2, 0), max(len(things) - most, 0))
    return things[first : first + most]


# Numbers


def bars(name: str, value: object, changed: Sequence[object], size: Point, low: float, high: float) -> Iterable[Shape]:
    """Draw numbers as bars from 0; `low` and `high` give all bars of a film the same scale."""
    pairs = [*value.items()] if isinstance(value, Mapping) else [*enumerate(numbers(value))]
    lit = {key[0] for change in changed if (key := keys_of(change))}
    marks = ticks(min(low, 0.0), max(high, 0.0) or 1.0)
    up = Scale(marks[0], marks[-1], size[1] - 30, 34)
    left, right = 40.0, size[0] - 10
    yield from (*frame(*size, name), *level(marks, up, left, right))
    wide = (right - left) / max(len(pairs), 1)
    for place, (key, element) in enumerate(pairs):
        x, number = left + wide * (place + 0.5), as_float(element)
        half = min(wide * 0.4, 30)
        if isfinite(number):
            corners = ((x - half, up(0)), (x - half, up(number)), (x + half, up(number)), (x + half, up(0)))
            paint = ("flash", primitives.GLOW, 2.0) if key in lit else ("seat 0", "panel edge", 1.0)
            yield Polygon(corners, *paint)
        if wide >= 18:
            fits = max(int(wide / (primitives.PER_EM * 12)), 1)
            yield Text(x, size[1] - 16, in_words(key)[:fits], 12, "muted")
        if wide >= 22 and isfinite(number):
            yield Text(x, up(max(number, 0)) - 8, f"{number:.3g}", 12, "ink", bold=key in lit)


def numbers(value: object) -> list[Any]:
    """Return the values for bars: the elements of a list, or one number."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return [] if value is ABSENT else [value]
    return list(value)


def curve(name: str, values: Sequence[float], long: int, size: Point) -> Iterable[Shape]:
    """Draw the history of a number, change by change, with room for `long` changes."""
    return curves([Curve("", "seat 0", values)], max(long - 1, 1), size, name, "changes", max(len(values) - 1, 0)).board
