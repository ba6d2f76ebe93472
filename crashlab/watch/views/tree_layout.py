"""Trees in a rectangle: heaps, the forests of union-find, and nested dicts."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from crashlab.base.errors import integer, truncate
from crashlab.drawing import primitives
from crashlab.drawing.charts import frame
from crashlab.drawing.shapes import Circle, Line, Piece, Point, Polygon, Shape, Text, slab
from crashlab.watch.things import in_words

K = TypeVar("K", bound=Hashable)
TITLE, EDGE = 30.0, 14.0  # space above a tree and margin around it, in pixels
SLOT, ROW = 64.0, 62.0  # usual distance of nodes, greatest distance of rows, in pixels
HIGH = 15.0  # half the height of a node
LETTERS = 12  # longest text on a node
MOST = 127  # maximum number of nodes
GAP = "gap"


def spread(tops: Sequence[K], below: Callable[[K], Sequence[K]]) -> dict[K, tuple[float, int]]:
    """Return the column and the row of each node: one column per leaf, a parent above the middle of its children."""
    columns: dict[K, float] = {}
    rows: dict[K, int] = {}
    children: dict[K, list[K]] = {}
    leaves = 0
    todo = [(top, 0) for top in reversed(tops)]
    while todo:
        node, row = todo.pop()
        if node in rows:
            continue
        rows[node] = row
        children[node] = [child for child in dict.fromkeys(below(node)) if child not in rows]
        todo += [(child, row + 1) for child in reversed(children[node])]
        if not children[node]:
            columns[node] = leaves
            leaves += 1
    for node in reversed(rows):
        child_columns = [columns[child] for child in children[node] if rows[child] == rows[node] + 1]
        if node not in columns:
            columns[node] = (child_columns[0] + child_columns[-1]) / 2 if child_columns else 0
    return {node: (columns[node], row) for node, row in rows.items()}


@dataclass(frozen=True)
class NodeLook:
    """The look of a node.

    words     the text on it
    is_lit    whether it has just changed
    is_faded  whether it is no longer part of the tree
    at_line   the text at the line to its parent
    key       names the pieces of the node and its line
    below     the text below it
    beside    names of variables, shown on it if it has no words
    """

    words: str
    is_lit: bool = False
    is_faded: bool = False
    at_line: str = ""
    key: object = None
    below: str = ""
    beside: str = ""


def drawn(
    title: str, size: Point, tops: Sequence[K], below: Callable[[K], Sequence[K]], looks: Mapping[K, NodeLook], up: bool
) -> list[Piece]:
    """Draw trees side by side, with arrows to the parents if `up`, else with plain lines."""
    spots = spread(tops, below)
    wide, high = size[0] - 2 * EDGE, size[1] - TITLE - EDGE
    long = max((len(look.words) for look in looks.values()), default=1)
    needed_width = max(primitives.PER_EM * 14 * min(long, LETTERS) + 22, 40)
    last = [max((at[axis] for at in spots.values()), default=0) for axis in (0, 1)]
    slot = min(wide / (last[0] + 1), max(SLOT, needed_width))
    row = min((high - 2 * HIGH) / max(last[1], 1), ROW)
    left = EDGE + (wide - slot * last[0]) / 2
    places = {node: (left + slot * column, TITLE + HIGH + row * down) for node, (column, down) in spots.items()}
    pairs = [(node, over) for over in spots for node in below(over) if node in looks and over in looks]
    lines = [line(looks[n], places[n], places[over], up) for n, over in pairs if spots[n][1] == spots[over][1] + 1]
    nodes = [
        Piece(f"node {look.key}", *places[node], tuple(knot(look, slot)), label=look.words)
        for node, look in looks.items()
        if node in places
    ]
    empty = () if looks else (Text(size[0] / 2, size[1] / 2, "empty", 14, "muted"),)
    return [Piece("", 0, 0, (*frame(*size, title), *empty), label=title), *lines, *nodes]


def line(look: NodeLook, at: Point, over: Point, up: bool) -> Piece:
    """Draw the line from a node to its parent, and the text at it."""
    x, y = over[0] - at[0], over[1] - at[1]
    shapes: list[Shape] = [Line(((0, -HIGH), (x, y + HIGH)), "muted", 2, up)]
    if look.at_line:  # just above the child, which makes clear to which line it belongs
        share = min((HIGH + 11) / max(-y, 1.0), 0.5)
        half, x, y = primitives.PER_EM * 13 * len(look.at_line) / 2 + 2, share * x, share * y
        paper = Polygon(slab(x - half, y - 8, x + half, y + 8, 4), "panel")
        shapes += [paper, Text(x, y, look.at_line, 13, "ink", bold=True)]
    return Piece(f"line {look.key}", *at, tuple(shapes))


def knot(look: NodeLook, slot: float) -> list[Shape]:
    """Draw a node with its text."""
    words = truncate(look.words or look.beside, LETTERS)
    half = min(max(primitives.PER_EM * 14 * len(words) / 2 + 8, HIGH + 2), slot / 2 - 2)
    size = min(15.0, 2 * (half - 2) / (primitives.PER_EM * max(len(words), 1)))
    fill, edge = ("flash", primitives.GLOW) if look.is_lit else ("panel" if look.is_faded else "cell", "muted")
    ink = "flash ink" if look.is_lit else "muted" if look.is_faded else "seat 0" if look.beside else "ink"
    wide = 2 if look.is_lit else 1.4
    paper: Shape = Polygon(slab(-half, -HIGH, half, HIGH, HIGH - 1), fill, edge, wide)
    if half <= HIGH + 2:
        paper = Circle(0, 0, half, fill, edge, wide)
    label = [Text(0, HIGH + 9, look.below, 11, "muted")] if look.below else []
    return [paper, Text(0, 0, words, size, ink, bold=True), *label]


def in_short(value: object) -> str:
    """Return the text of a value on a node, a tuple as its parts separated by spaces."""
    parts = value if isinstance(value, tuple) else (value,)
    return " ".join(part if isinstance(part, str) else in_words(part) for part in parts)


def heap(
    name: str, value: object, changed: Sequence[object], size: Point, top: int, numbers: Sequence[int], end: object
) -> list[Piece]:
    """Draw a list as a binary tree, the index below each node; nodes from index `end` on are faded."""
    row = list(value)[: MOST + top] if isinstance(value, list | tuple) else []
    if len(numbers) < len(row):
        numbers = range(len(row))
    last = len(row) if (limit := integer(end)) is None or limit < 0 else min(limit, len(row))

    def below(node: Hashable) -> list[Hashable]:
        first = 2 * node + 1 - top if isinstance(node, int) else len(row)
        children: list[Hashable] = [*range(first, min(first + 2, len(row)))]
        return [*children, (GAP, node)] if len(children) == 1 else children

    looks: dict[Hashable, NodeLook] = {
        n: NodeLook(in_short(row[n]), n in changed, n >= last, "", numbers[n], str(n)) for n in range(top, len(row))
    }
    return drawn(name, size, [top] if len(row) > top else [], below, looks, up=False)


def parents(value: object) -> dict[Any, Any]:
    """Return a dict from node to parent, from a dict or a list of parents; empty for any other value."""
    return dict(enumerate(value)) if isinstance(value, list) else value if isinstance(value, dict) else {}


def is_forest(values: Sequence[object]) -> bool:
    """Return whether the values of a variable look like the parents of union-find.

    Roots are their own parents; more than half of the nodes are roots at first, and fewer than all at the end.
    """
    maps = [over for value in values if len(over := parents(value)) > 1]
    if not maps or max(map(len, maps)) > MOST or not all(isinstance(value, list | dict) for value in values):
        return False
    try:
        are_nodes = all(set(value.values()) <= set(value) for value in maps)
    except TypeError:  # an unhashable value is no node
        return False
    tops = [sum(node == over and type(over) is not bool for node, over in value.items()) for value in maps]
    return are_nodes and 2 * tops[0] > len(maps[0]) > 1 and min(tops) > 0 and tops[-1] < len(maps[-1])


def forest(name: str, value: object, changed: Sequence[object], size: Point) -> list[Piece]:
    """Draw the trees of a dict or a list of parents."""
    over = parents(value)
    children: dict[Any, list[Any]] = {node: [] for node in over}
    tops = [node for node, up in over.items() if node == up or up not in over]
    for node, up in over.items():
        children.get(up, []).extend([node] * (node != up))
    looks = {node: NodeLook(in_short(node), node in changed, key=node) for node in over}
    return drawn(name, size, tops, lambda node: children[node], looks, up=True)


def is_trie(value: object, depth: int = 0) -> bool:
    """Return whether a value is a dict of dicts of dicts, at least three deep."""
    if not isinstance(value, dict):
        return False
    inner = [child for child in value.values() if isinstance(child, dict)]
    return depth > 1 or any(is_trie(child, depth + 1) for child in inner)


def trie(
    name: str, value: object, changed: Sequence[object], size: Point, named: Mapping[tuple[Any, ...], str]
) -> list[Piece]:
    """Draw nested dicts as a tree: keys at the lines, and on the nodes the names of variables in `named`."""
    looks: dict[tuple[Any, ...], NodeLook] = {}
    children: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    todo: list[tuple[tuple[Any, ...], object]] = [((), value)] if isinstance(value, dict) else []
    lit = {key if isinstance(key, tuple) else (key,) for key in changed}
    while todo and len(looks) < MOST:
        way, subtree = todo.pop(0)
        below = [((*way, key), inner) for key, inner in subtree.items()] if isinstance(subtree, dict) else []
        words = "" if isinstance(subtree, dict) else in_short(subtree)
        looks[way] = NodeLook(words, way in lit, False, in_short(way[-1]) if way else "", way, "", named.get(way, ""))
        children[way] = [inner for inner, _ in below]
        todo += below
    return drawn(name, size, [()] if looks else [], lambda way: children.get(way, []), looks, up=False)
