"""A list or a text as a row of boxes, with the variables that are indices of it as arrows below."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import Any

from crashlab.base.errors import integer
from crashlab.drawing import primitives
from crashlab.drawing.charts import frame
from crashlab.drawing.shapes import Piece, Point, Polygon, Shape, Text, placed, slab
from crashlab.watch.heap import in_words
from crashlab.watch.recording import Recording

WIDEST, NARROWEST = 64.0, 26.0  # pixels of a box
EDGE, TOP, HIGH = 14.0, 30.0, 40.0  # pixels round the row, above it, and of a box
ARROW = 12.0  # pixels of the arrow of a cursor
ROOM, LEAST, LARGER = 136.0, 0.85, 1.7  # pixels that a row needs, and how much smaller and larger it is drawn
LINE = 17.0  # pixels from name to name below each other
ENDS = (("lo", "hi"), ("low", "high"), ("left", "right"), ("l", "r"), ("start", "end"), ("first", "last"), ("i", "j"))


def cursors_of(film: Recording) -> dict[str, list[str]]:
    """By the names of lists and texts the variables that the code of a film uses as their indices."""
    found: dict[str, dict[str, None]] = {}
    made_of: dict[str, set[str]] = {}
    for source in film.sources:
        try:
            tree = ast.parse(dedent("\n".join(source.lines)))
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
                found.setdefault(node.value.id, {}).update(dict.fromkeys(names_in(node.slice)))
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                made_of.setdefault(node.targets[0].id, set()).update(names_in(node.value))
    for cursors in found.values():
        for name in [*cursors]:  # an index that is made of two others, as the middle of them
            pair = next((pair for pair in ENDS if set(pair) <= made_of.get(name, set())), ())
            cursors.update(dict.fromkeys(pair))
    return {name: [*cursors] for name, cursors in found.items() if cursors}


def names_in(node: ast.AST) -> list[str]:
    """The names in an index, but for those in what is called or looked up for it."""
    if isinstance(node, ast.Call | ast.Subscript | ast.Attribute | ast.Lambda):
        return []
    inner = [name for child in ast.iter_child_nodes(node) for name in names_in(child)]
    return [*inner, node.id] if isinstance(node, ast.Name) else inner


def is_row(value: object) -> bool:
    """Whether a value can be drawn as a row: a list or a text of plain things."""
    if isinstance(value, str):
        return len(value) > 1
    plain = (int, float, str, bool, type(None))
    return isinstance(value, list | tuple | deque) and all(isinstance(each, plain) for each in value)


def row(name: str, value: object, changed: Sequence[object], cursors: Mapping[str, Any], size: Point) -> list[Shape]:
    """The boxes with their indices, and below them the arrows; what lies outside of two ends is faded."""
    ground = frame(*size, name)
    if not isinstance(value, str | list | tuple | deque):
        return [*ground, Text(size[0] / 2, size[1] / 2, "not set yet", 14, "muted")]
    scale = min(max(size[1] / ROOM, LEAST), LARGER)
    drawn = boxes(value, changed, cursors, size[0] / scale)
    down = max((size[1] - ROOM * scale) / 3, 0)
    return [*ground, *placed(Piece("", 0, down, tuple(drawn), scale=scale))]


def boxes(value: Sequence[Any], changed: Sequence[object], cursors: Mapping[str, Any], across: float) -> list[Shape]:
    """The boxes, as many as there is room for, and the arrows."""
    shapes: list[Shape] = []
    at = {cursor: index for cursor, held in cursors.items() if (index := integer(held)) is not None}
    at = {cursor: index for cursor, index in at.items() if -1 <= index <= len(value)}
    longest = max((len(each if isinstance(value, str) else in_words(each)) for each in value), default=1)
    least = min(max(primitives.PER_EM * 16 * longest + 8, NARROWEST), WIDEST)
    fits = max(int((across - 2 * EDGE) / least) - 2, 1)
    middle = sum(at.values()) // len(at) if at else max((key for key in changed if isinstance(key, int)), default=0)
    first = min(max(middle - fits // 2, 0), max(len(value) - fits, 0))
    shown: list[Any] = list(value)[first : first + fits]
    wide = min((across - 2 * EDGE) / (len(shown) + 2), WIDEST)
    left = (across - wide * len(shown)) / 2
    ends = next(((at[low], at[high]) for low, high in ENDS if low in at and high in at and low != "i"), None)
    for place, held in enumerate(shown):
        index, x = first + place, left + wide * place
        is_lit = index in changed
        is_out = ends is not None and not ends[0] <= index <= ends[1]
        fill, edge = ("flash", primitives.GLOW) if is_lit else ("panel" if is_out else "cell", "cell edge")
        shapes.append(Polygon(slab(x + 2, TOP, x + wide - 2, TOP + HIGH, 4), fill, edge, 2 if is_lit else 1))
        words = held if isinstance(value, str) else in_words(held)
        room = max(int((wide - 6) / (primitives.PER_EM * 16)), 1)
        words = words if len(words) <= room else f"{words[: max(room - 1, 1)]}…"
        ink = "flash ink" if is_lit else "muted" if is_out else "ink"
        shapes.append(Text(x + wide / 2, TOP + HIGH / 2, words, 16, ink, bold=is_lit))
        shapes.append(Text(x + wide / 2, TOP + HIGH + 12, str(index), 12, "muted"))
    if first:
        shapes.append(Text(left - 10, TOP + HIGH / 2, "…", 16, "muted"))
    if first + len(shown) < len(value):
        shapes.append(Text(left + wide * len(shown) + 10, TOP + HIGH / 2, "…", 16, "muted"))
    return [*shapes, *arrows(at, first, len(shown), left, wide)]


def arrows(at: Mapping[str, int], first: int, count: int, left: float, wide: float) -> list[Shape]:
    """The cursors below a row; several at one place stand below each other."""
    shapes: list[Shape] = []
    for index in sorted(set(at.values())):
        if not -1 <= index - first <= count:
            continue
        x, y = left + wide * (index - first + 0.5), TOP + HIGH + 24
        corners = ((x, y), (x - ARROW / 2, y + ARROW), (x + ARROW / 2, y + ARROW))
        shapes.append(Polygon(corners, "seat 0", "seat 0", 1))
        names = [name for name, place in at.items() if place == index]
        shapes += [Text(x, y + ARROW + 10 + LINE * n, name, 15, "ink", bold=True) for n, name in enumerate(names)]
    return shapes
