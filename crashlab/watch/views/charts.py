"""What is drawn beside a board: a variable as a table, as bars, or as the curve of what it has been.

Each is drawn into a rectangle of its own from (0, 0); of what has no room in it the part is shown that has just
changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from typing import Any

from crashlab.base.errors import cut, integer, real
from crashlab.drawing import primitives
from crashlab.drawing.charts import Curve, Scale, curves, frame, level, ticks
from crashlab.drawing.shapes import Piece, Point, Polygon, Shape, Text, placed, slab
from crashlab.watch.heap import ABSENT, in_words, parts_of
from crashlab.watch.views.choose_view import is_container, is_matrix

LINE = 23.0  # pixels from row to row
SIZE = 14.0  # of words in cells
LARGER, LARGE = 1.7, 1.3  # times as large as that a table is drawn where there is room, beside a board or without
TITLE = 30.0  # pixels above the first row
EDGE = 10.0  # left and right of a table
LETTERS = 16  # of a cell, at most
MOST_COLUMNS = 40
MOST = 300  # things of a container that are looked at for a table
FEWEST = 26.0  # pixels of a column


Heads = tuple[Sequence[str], Sequence[str]]  # the names of rows, and of columns


@dataclass(frozen=True)
class WordGrid:
    """Words in rows and columns.

    Those in `heads` are names of rows or columns, those in `lit` have just changed, indices lead to those in `here`.
    """

    rows: Sequence[Sequence[str]]
    heads: frozenset[tuple[int, int]] = frozenset()
    lit: frozenset[tuple[int, int]] = frozenset()
    here: frozenset[tuple[int, int]] = frozenset()


def table(
    name: str,
    value: object,
    changed: Sequence[object],
    size: Point,
    heads: Heads = ((), ()),
    at: Collection[tuple[Any, Any]] = (),
    larger: float = LARGER,
) -> list[Shape]:
    """A dict, a list, a set, a matrix or anything else as a table; `changed` are the keys of changes.

    `heads` are the names of rows and of columns, and `at` the rows and columns of those cells that indices lead to.
    It is drawn as much as `larger` where there is room.
    """
    whole = gridded(value, [keys_of(key) for key in changed], size, heads, at)
    fit = max(1, int((size[1] - TITLE - EDGE / 2) / LINE))
    grid = window(whole, fit)
    cells = [
        (cut(words, LETTERS), row, column) for row, line in enumerate(grid.rows) for column, words in enumerate(line)
    ]
    wide = widths(cells, size[0] - 2 * EDGE)
    drawn: list[Shape] = []
    for words, row, column in cells:
        left = sum(wide[:column])
        if left + wide[column] <= size[0] - 2 * EDGE + 1:
            kind = "head" if (row, column) in grid.heads else "lit" if (row, column) in grid.lit else ""
            drawn += cell(words, left, LINE * row, wide[column], kind, (row, column) in grid.here)
    if not cells:
        drawn.append(Text(0, LINE / 2, "empty" if is_container(value) else "not set yet", SIZE, "muted", "left"))
    across, down = (size[0] - 2 * EDGE) / (sum(wide) or 1), (size[1] - TITLE - EDGE) / (LINE * len(grid.rows) or 1)
    scale = min(max(min(across, down), 1.0), larger)
    return [*frame(*size, titled(name, value)), *placed(Piece("", EDGE, TITLE, tuple(drawn), scale=scale))]


def extent(value: object, size: Point) -> Point:
    """How wide and how high a table of a value wants to be, where this is its room."""
    rows = gridded(value, [], size).rows
    cells = [(cut(words, LETTERS), row, column) for row, line in enumerate(rows) for column, words in enumerate(line)]
    wide = sum(widths(cells, float("inf"))) + 2 * EDGE
    return wide, TITLE + EDGE + LINE * min(max((size[0] - 2 * EDGE) / wide, 1.0), LARGE) * max(len(rows), 1)


def cell(words: str, left: float, top: float, wide: float, kind: str, is_here: bool) -> list[Shape]:
    """One cell of a table; one that an index leads to has a blue edge, its head is blue."""
    found: list[Shape] = []
    if kind != "head":
        box = slab(left + 1, top + 1, left + wide - 1, top + LINE - 1, 3)
        fill, edge, line = ("flash", primitives.GLOW, 2.0) if kind == "lit" else ("cell", "cell edge", 0.7)
        found.append(Polygon(box, fill, *(("seat 0", 2.5) if is_here else (edge, line))))
    fits = max(int((wide - 4) / (primitives.PER_EM * SIZE)), 1)
    words = primitives.shortened(words, fits)
    if not words:
        return found
    ink = "seat 0" if is_here and kind == "head" else {"head": "muted", "lit": "flash ink", "": "ink"}[kind]
    is_bold = kind == "lit" or is_here
    found.append(Text(left + wide / 2, top + LINE / 2, words, SIZE - (kind == "head"), ink, bold=is_bold))
    return found


def widths(cells: Iterable[tuple[str, int, int]], room: float) -> list[float]:
    """How wide the columns are: as their words need, but together not wider than the room."""
    longest: dict[int, int] = {}
    for words, _, column in cells:
        longest[column] = max(longest.get(column, 0), len(words))
    wanted = [max(primitives.PER_EM * SIZE * longest[column] + 12, FEWEST) for column in sorted(longest)]
    share = min(room / (sum(wanted) or 1), 1.0)
    return [max(wide * share, min(FEWEST, wide)) for wide in wanted]


def window(grid: WordGrid, fit: int) -> WordGrid:
    """As many rows as fit: a head, and then those round what has just changed, else the last ones."""
    if len(grid.rows) <= fit:
        return grid
    has_head = all((0, column) in grid.heads for column in range(len(grid.rows[0])))
    room = fit - has_head
    last = max((row for row, _ in grid.lit or grid.here), default=len(grid.rows) - 1)
    first = min(max(last - room // 2, int(has_head)), len(grid.rows) - room)
    kept = [*([0] if has_head else []), *range(first, first + room)]
    where = {row: place for place, row in enumerate(kept)}
    rows = [grid.rows[row] for row in kept]
    kept_of = (frozenset((where[r], column) for r, column in cells if r in where) for cells in grid_cells(grid))
    return WordGrid(rows, *kept_of)


def grid_cells(grid: WordGrid) -> tuple[frozenset[tuple[int, int]], ...]:
    """The cells of a grid that are drawn in ways of their own."""
    return grid.heads, grid.lit, grid.here


def titled(name: str, value: object) -> str:
    """The title of a table: the name, and how much there is of what."""
    return f"{name}: {len(value)}" if is_container(value) else name  # type: ignore[arg-type]


# How values become tables


def gridded(
    value: object,
    changed: Sequence[tuple[Any, ...]],
    size: Point,
    heads: Heads = ((), ()),
    at: Collection[tuple[Any, Any]] = (),
) -> WordGrid:
    """A value as a table, in which the changed keys are lit."""
    if value is ABSENT:
        return WordGrid([])
    if type(value).__name__ == "ndarray":
        value = value.tolist()  # type: ignore[attr-defined]
    if isinstance(value, Mapping):
        if value and all(isinstance(held, list) for held in value.values()):
            return ragged(value, changed)
        if value and all(isinstance(held, Mapping) for held in value.values()):
            cells = {(row, column): held for row, line in value.items() for column, held in line.items()}
            return crossed(cells, changed, heads, at)
        if value and all(is_pair(key) for key in value):
            return crossed(value, [key[0] for key in changed if key], heads, at)
        return paired(value, [key[0] for key in changed if key], size)
    if isinstance(value, set | frozenset):
        return listed(parts_of(value), [], size, False)
    if isinstance(value, str) or not isinstance(value, Iterable):
        return WordGrid([[in_words(value)]], lit=frozenset([(0, 0)] if changed else []))
    rows = list(value)
    if is_matrix(value) and len({len(row) for row in rows}) > 1:
        return ragged(dict(enumerate(rows)), changed)
    if is_matrix(value):
        return crossed({(r, c): held for r, row in enumerate(rows) for c, held in enumerate(row)}, changed, heads, at)
    return listed(rows, [key[0] for key in changed if key], size, True)


def ragged(rows: Mapping[Any, Sequence[Any]], changed: Sequence[tuple[Any, ...]]) -> WordGrid:
    """Rows that are not equally long, as the buckets of a hash table: each behind its key."""
    keys = some([*rows], [place for place, row in enumerate(rows) if any(key[:1] == (row,) for key in changed)])
    lines = [[in_words(key), *map(in_words, rows[key])] for key in keys]
    lit = {
        (place, column + 1)
        for place, row in enumerate(keys)
        for key in changed
        if key[:1] == (row,)
        for column in (key[1:2] if len(key) > 1 else range(len(rows[row])))
        if isinstance(column, int)
    }
    return WordGrid(lines, frozenset((place, 0) for place in range(len(lines))), frozenset(lit))


def is_pair(key: object) -> bool:
    """Whether a key is a row and a column by number."""
    return isinstance(key, tuple) and len(key) == 2 and all(integer(part) is not None for part in key)


def crossed(
    cells: Mapping[Any, Any],
    changed: Sequence[tuple[Any, ...]],
    heads: Heads,
    at: Collection[tuple[Any, Any]],
) -> WordGrid:
    """A table of what has a row and a column."""
    rows, columns = ({key[part]: None for key in cells} for part in (0, 1))
    if all(is_pair(key) for key in cells):
        rows, columns = dict.fromkeys(sorted(rows)), dict.fromkeys(sorted(columns))
    across, touched = [*columns][:MOST_COLUMNS], {key[0] for key in changed if key}
    rows = dict.fromkeys(some([*rows], [place for place, row in enumerate(rows) if row in touched]))
    down = {row: place for place, row in enumerate(rows, 1)}
    aside = {column: place for place, column in enumerate(across, 1)}
    lines = [["", *(headed(column, heads[1]) for column in across)]]
    lines += [[headed(row, heads[0]), *(told(cells, (row, column)) for column in across)] for row in rows]
    named = {(0, place) for place in range(len(across) + 1)} | {(place, 0) for place in range(1, len(lines))}
    lit = {(down[key[0]], aside[key[1]]) for key in changed if len(key) > 1 and key[0] in down and key[1] in aside} | {
        (down[key[0]], place) for key in changed if len(key) == 1 and key[0] in down for place in aside.values()
    }
    found = [(down.get(row, 0), aside.get(column, 0)) for row, column in at]
    here = {*found, *((row, 0) for row, _ in found), *((0, column) for _, column in found)} - {(0, 0)}
    return WordGrid(lines, frozenset(named), frozenset(lit), frozenset(here))


def headed(key: Any, names: Sequence[str]) -> str:
    """The head of a row or a column: its name, else its key."""
    return names[key] if isinstance(key, int) and 0 <= key < len(names) else in_words(key)


def told(cells: Mapping[Any, Any], key: object) -> str:
    """What is at a key, in words."""
    if key not in cells:
        return ""
    return cells[key] if isinstance(cells[key], str) and len(cells[key]) == 1 else in_words(cells[key])


def paired(value: Mapping[Any, Any], changed: Sequence[object], size: Point) -> WordGrid:
    """A dict: its keys, each beside what it has, in as many columns as there is room for."""
    keys = some([*value], [place for place, key in enumerate(value) if key in changed])
    pairs = [(in_words(key), in_words(value[key])) for key in keys]
    lit = {place for place, key in enumerate(keys) if key in changed}
    long = max((min(len(words), LETTERS) for pair in pairs for words in pair), default=1)
    abreast = max(int((size[0] - 2 * EDGE) / (2 * (primitives.PER_EM * SIZE * long + 12))), 1)
    fit = max(1, int((size[1] - TITLE - EDGE / 2) / LINE))
    blocks = min(max(ceil(len(pairs) / fit), 1), abreast)
    tall = max(ceil(len(pairs) / blocks), 1)
    rows = [[words for pair in pairs[row::tall] for words in pair] for row in range(min(tall, len(pairs)))]
    heads = frozenset((row, column) for row, line in enumerate(rows) for column in range(0, len(line), 2))
    return WordGrid(rows, heads, frozenset((place % tall, 2 * (place // tall) + 1) for place in lit))


def listed(value: Sequence[Any], changed: Sequence[object], size: Point, numbered: bool) -> WordGrid:
    """A list, in rows, with the indices above; a set has none."""
    touched = [place for place in changed if isinstance(place, int)]
    places = some(range(len(value)), touched)
    words = [in_words(value[place]) for place in places]
    long = max((min(len(each), LETTERS) for each in words), default=1)
    abreast = max(int((size[0] - 2 * EDGE) / max(primitives.PER_EM * SIZE * long + 12, FEWEST)), 1)
    rows: list[list[str]] = []
    heads: set[tuple[int, int]] = set()
    lit: set[tuple[int, int]] = set()
    for first in range(0, len(words), abreast):
        line = words[first : first + abreast]
        if numbered:
            heads |= {(len(rows), column) for column in range(len(line))}
            rows.append([str(places[first + column]) for column in range(len(line))])
        lit |= {(len(rows), column) for column in range(len(line)) if places[first + column] in touched}
        rows.append(line)
    return WordGrid(rows, frozenset(heads), frozenset(lit))


def some(things: Sequence[Any], touched: Sequence[int]) -> Sequence[Any]:
    """Of very many things those round the last one that is touched, else the last ones."""
    first = min(max(max(touched, default=len(things)) - MOST // 2, 0), max(len(things) - MOST, 0))
    return things[first : first + MOST]


def keys_of(key: object) -> tuple[Any, ...]:
    """The keys of a change, the outermost first."""
    from crashlab.watch.heap import Path

    return tuple(key) if isinstance(key, Path) else () if key is None else (key,)


# Numbers


def bars(name: str, value: object, changed: Sequence[object], size: Point, low: float, high: float) -> list[Shape]:
    """Numbers as bars, from 0; all bars of a film to the same scale."""
    pairs = [*value.items()] if isinstance(value, Mapping) else [*enumerate(numbers(value))]
    lit = {key[0] for each in changed if (key := keys_of(each))}
    marks = ticks(min(low, 0.0), max(high, 0.0) or 1.0)
    up = Scale(marks[0], marks[-1], size[1] - 30, 34)
    left, right = 40.0, size[0] - 10
    shapes: list[Shape] = [*frame(*size, name), *level(marks, up, left, right)]
    wide = (right - left) / max(len(pairs), 1)
    for place, (key, held) in enumerate(pairs):
        x, number = left + wide * (place + 0.5), real(held)
        half = min(wide * 0.4, 30)
        if isfinite(number):
            corners = ((x - half, up(0)), (x - half, up(number)), (x + half, up(number)), (x + half, up(0)))
            paint = "flash" if key in lit else "seat 0"
            shapes.append(
                Polygon(corners, paint, primitives.GLOW if key in lit else "panel edge", 2 if key in lit else 1)
            )
        if wide >= 18:
            fits = max(int(wide / (primitives.PER_EM * 12)), 1)
            shapes.append(Text(x, size[1] - 16, in_words(key)[:fits], 12, "muted"))
        if wide >= 22 and isfinite(number):
            shapes.append(Text(x, up(max(number, 0)) - 8, f"{number:.3g}", 12, "ink", bold=key in lit))
    return shapes


def numbers(value: object) -> list[Any]:
    """What bars are drawn of: each thing of a list, or one number."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return [] if value is ABSENT else [value]
    return list(value)


def curve(name: str, values: Sequence[float], long: int, size: Point) -> list[Shape]:
    """What a number has been, change by change; `long` changes have room."""
    picture = curves([Curve("", "seat 0", values)], max(long - 1, 1), size, name, "changes", max(len(values) - 1, 0))
    return list(picture.board)
