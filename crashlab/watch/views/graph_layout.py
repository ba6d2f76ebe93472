"""A graph of nodes and edges, or a grid of cells, laid out once; it serves as the board for variables."""

from __future__ import annotations

from cmath import rect
from collections import deque
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import dist, pi
from typing import Any

from crashlab.base.errors import CrashlabError, short_repr, truncate
from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Line, Piece, Point, Polygon, Shape, Text, placed, slab
from crashlab.watch.things import parts_of
from crashlab.watch.views.rows import words_in

MOST = 60  # maximum number of nodes
NODE, SMALLEST = 19.0, 9.0  # radii of a node; a long name makes it larger if there is room
READABLE, WIDE = 12.0, 1.75  # the text size of a long name, and the greatest width of a name in radii
RINGS = 9.0  # the width of the rings around a node, kept free by arrowheads
LETTERS = 8  # longest label of a node
MARGIN = 56.0  # distance from the border to the centres of nodes, in pixels
ROUNDS = 80  # rounds of the layout by distance
MOST_ROWS = 20  # maximum number of rows, and of columns, of a grid
CELL, TOP, HEADS = 60.0, 30.0, 22.0  # usual height of a cell, space above a grid, and room for indices, in pixels
Node = Hashable


@dataclass(frozen=True)
class Graph:
    """Nodes, and edges with their labels, such as weights; `is_directed` says whether edges lead one way."""

    nodes: tuple[Node, ...]
    edges: Mapping[tuple[Node, Node], Any] = field(compare=False)
    is_directed: bool

    @classmethod
    def of(cls, value: Any) -> Graph:
        """Build a graph from a dict of dicts or lists, pairs or triples, lists of lists, or a graph of networkx."""
        graph = cls.read(value)
        if graph is None:
            raise CrashlabError(
                f"{truncate(short_repr(value), 60)} is not a graph:"
                " give a dict of dicts or of lists, a set of pairs, or a graph of networkx"
            )
        return graph

    @classmethod
    def read(cls, value: Any) -> Graph | None:
        """Parse a value as a graph; return None if it is not a graph, has no edges or has more than MOST nodes."""
        try:
            links = links_of(value)
            nodes = tuple(dict.fromkeys([*nodes_of(value), *(end for link in links for end in link[:2])]))
        except (TypeError, ValueError):  # an unhashable node, such as a list
            return None
        if not links or len(nodes) > MOST:
            return None
        edges = {link[:2]: link[2] for link in links}
        is_directed = any((b, a) not in edges or edges[b, a] != label for (a, b), label in edges.items())
        if not isinstance(value, Mapping) and not is_rows(value):  # pairs are undirected by default
            is_negative = any(isinstance(label, int | float) and label < 0 for label in edges.values())
            is_directed = is_negative or any((b, a) in edges for a, b in edges)
        if says := getattr(value, "is_directed", None):
            is_directed = says()
        return cls(nodes, edges, is_directed)

    def placed(self, corner: Point, size: Point) -> PlacedGraph:
        """Lay out the graph in a rectangle."""
        spread = self.on_grid() or self.in_layers() or self.by_distance()
        low, high = ([pick(at[axis] for at in spread.values()) for axis in (0, 1)] for pick in (min, max))
        margin = [min(MARGIN, length / 5) for length in size]

        def at(axis: int, share: float) -> float:
            room = size[axis] - 2 * margin[axis]
            wide = high[axis] - low[axis]
            return corner[axis] + margin[axis] + (room * (share - low[axis]) / wide if wide > 1e-6 else room / 2)

        places = {node: (at(0, x), at(1, y)) for node, (x, y) in spread.items()}
        near = min((dist(places[a], places[b]) for a in places for b in places if a != b), default=4 * NODE)
        needed_radius = max(NODE, *(primitives.PER_EM * READABLE * len(node_name(node)) / WIDE for node in self.nodes))
        largest = max(near / 3.2, min(NODE, near / 2.6))  # marks need room around a large node
        return PlacedGraph(self, places, max(min(needed_radius, largest), SMALLEST))

    def on_grid(self) -> dict[Node, Point]:
        """Return the places of nodes that are (row, column) pairs of ints; empty if they are not."""
        are_cells = all(isinstance(n, tuple) and len(n) == 2 and all(type(p) is int for p in n) for n in self.nodes)
        return {node: (node[1], node[0]) for node in self.nodes} if are_cells else {}  # type: ignore[index]

    def in_layers(self) -> dict[Node, Point]:
        """Return places in layers from left to right, so that few edges cross; empty unless directed and acyclic."""
        after = {node: [b for a, b in self.edges if a == node] for node in self.nodes}
        before = {node: [a for a, b in self.edges if b == node] for node in self.nodes}
        in_degrees = {node: len(before[node]) for node in self.nodes}
        todo = [node for node in self.nodes if not in_degrees[node]]
        layer = dict.fromkeys(todo, 0)
        for node in todo:  # todo grows in this loop
            for there in after[node]:
                layer[there] = max(layer.get(there, 0), layer[node] + 1)
                in_degrees[there] -= 1
                if not in_degrees[there]:
                    todo.append(there)
        if not self.is_directed or len(todo) < len(self.nodes):
            return {}
        rows: list[list[Node]] = [[] for _ in range(max(layer.values()) + 1)]
        for node in self.nodes:
            rows[layer[node]].append(node)
        heights: dict[Node, float] = {}
        for row in rows:
            row.sort(key=lambda node: sum(heights[n] for n in before[node]) / len(before[node]) if before[node] else 0)
            heights.update((node, number - (len(row) - 1) / 2) for number, node in enumerate(row))
        for number, row in enumerate(rows[1:-1]):  # not all nodes in one line, so that edges can pass nodes
            if len(row) == 1:
                heights[row[0]] = 0.5 if number % 2 else -0.5
        return {node: (layer[node], heights[node]) for node in self.nodes}

    def by_distance(self) -> dict[Node, Point]:
        """Return places at distances close to the number of edges between nodes, with the first node on the left."""
        count = len(self.nodes)
        places = [rect(-1, 2 * pi * n / count) for n in range(count)]
        far = [self.steps(node) for node in self.nodes]
        steps = [[(j, far[i].get(self.nodes[j], count / 2)) for j in range(count) if j != i] for i in range(count)]
        pairs = [[(j, length**-2, length) for j, length in row] for row in steps]
        totals = [sum(weight for _, weight, _ in row) for row in pairs]
        for _ in range(ROUNDS):
            for i, here in enumerate(places):
                total = 0j
                for j, weight, length in pairs[i]:
                    there = places[j]
                    away = here - there
                    total += weight * (there + away * (length / (abs(away) or 1e-9)))
                places[i] = total / totals[i] if totals[i] else here
        middle = sum(places) / count
        first = middle - places[0]
        turn = first.conjugate() / abs(first) if abs(first) > 1e-6 else 1
        turned = [(place - middle) * turn for place in places]
        return {node: (at.real, at.imag) for node, at in zip(self.nodes, turned, strict=True)}

    def steps(self, start: Node) -> dict[Node, int]:
        """Return each reachable node's distance from start in edges, ignoring their direction."""
        distances, queue = {start: 0}, deque([start])
        while queue:
            here = queue.popleft()
            for there in {end for edge in self.edges if here in edge for end in edge}:
                if there not in distances:
                    distances[there] = distances[here] + 1
                    queue.append(there)
        return distances


@dataclass(frozen=True)
class PlacedGraph:
    """A graph with the places of its nodes, and their radius."""

    graph: Graph
    places: Mapping[Node, Point]
    radius: float

    def place(self, value: object) -> Point | None:
        """Return the place of a node; None if the value is not a node."""
        try:
            return self.places.get(value) if type(value) is not bool else None
        except TypeError:  # an unhashable value, such as a tuple with a list in it, is no node
            return None

    def way(self, a: Node, b: Node) -> tuple[Point, ...]:
        """Return the line of an edge from rim to rim, curved past a node in between and beside the reverse edge."""
        start, end = self.places[a], self.places[b]
        long = dist(start, end) or 1.0
        across = (start[1] - end[1]) / long, (end[0] - start[0]) / long
        bow = 0.12 * long if self.graph.is_directed and (b, a) in self.graph.edges else 0.0
        for node, (x, y) in self.places.items():
            off = (x - start[0]) * across[0] + (y - start[1]) * across[1]
            along = ((x - start[0]) * (end[0] - start[0]) + (y - start[1]) * (end[1] - start[1])) / long
            if node not in (a, b) and abs(off) < self.radius + 6 and 0 < along < long:
                bow = -2.6 * self.radius - 0.1 * long if off >= 0 else 2.6 * self.radius + 0.1 * long
        middle = [(start[axis] + end[axis]) / 2 + 2 * bow * across[axis] for axis in (0, 1)]

        def bowed(t: float) -> Point:
            ways = zip(start, middle, end, strict=True)
            x, y = ((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c for a, b, c in ways)
            return x, y

        points = trimmed([bowed(n / 12) for n in range(13)] if bow else [start, end], self.radius)
        return tuple(trimmed(points[::-1], self.radius + RINGS)[::-1])

    def shapes(self) -> list[Shape]:
        """Draw the edges with their labels, then the nodes with their names."""
        lines: list[Shape] = []
        words: list[Shape] = []
        for (a, b), weight in self.graph.edges.items():
            has_reverse = (
                not self.graph.is_directed and (b, a) in self.graph.edges
            )  # an undirected edge is drawn only once
            if a == b or has_reverse and self.graph.nodes.index(b) < self.graph.nodes.index(a):
                continue
            way = self.way(a, b)
            lines.append(Line(way, "muted", 2, self.graph.is_directed))
            if weight is not None:
                x, y = primitives.between(*way, 0.5) if len(way) == 2 else way[len(way) // 2]
                label = truncate(str(weight), LETTERS)
                half = 0.5 * primitives.PER_EM * 14 * len(label) + 4
                words += [Polygon(slab(x - half, y - 9, x + half, y + 9, 5), "panel"), Text(x, y, label, 14, "ink")]
        for node, (x, y) in self.places.items():
            name = node_name(node)
            size = min(16.0, WIDE * self.radius / (primitives.PER_EM * max(len(name), 1)))
            words += [Circle(x, y, self.radius, "cell", "muted", 1.6), Text(x, y, name, size, "ink", bold=True)]
        return [*lines, *words]


@dataclass(frozen=True)
class Grid(Graph):
    """The cells of a table as nodes without edges, with the row, the column and the text of each."""

    cells: Mapping[Node, tuple[int, int, str]] = field(default_factory=dict, compare=False)
    is_turned: bool = False
    constants: Mapping[str, Any] = field(
        default_factory=dict, compare=False
    )  # by name; those that are cells are marked

    @classmethod
    def of_table(cls, value: Any, is_turned: bool) -> Grid | None:
        """Return a grid with the nodes (row, column), or (column, row) if `is_turned`.

        Return None unless the value has 2 to MOST_ROWS rows: lists or texts of the same length, 2 to MOST_ROWS.
        """
        rows = value.tolist() if type(value).__name__ == "ndarray" else value
        are_rows = isinstance(rows, list | tuple) and all(isinstance(row, list | tuple | str) for row in rows)
        if not are_rows or len({*map(len, rows)}) != 1 or not all(1 < len(row) <= MOST_ROWS for row in (rows, rows[0])):
            return None
        lines = ((y, x, words_in(element, True)) for y, row in enumerate(rows) for x, element in enumerate(row))
        cells: dict[Node, tuple[int, int, str]] = {
            (x, y) if is_turned else (y, x): (y, x, words) for y, x, words in lines
        }
        return cls(tuple(cells), {}, False, cells, is_turned)

    @property
    def high(self) -> float:
        """The preferred height of the map."""
        return TOP + HEADS + CELL * len({row for row, _, _ in self.cells.values()})

    def placed(self, corner: Point, size: Point) -> PlacedGrid:
        """Lay out the cells in a rectangle."""
        down, across = (len({spot[axis] for spot in self.cells.values()}) for axis in (0, 1))
        high = (size[1] - TOP - HEADS - 6) / down
        wide = min((size[0] - 2 * HEADS) / across, 1.4 * high)
        left, top = corner[0] + (size[0] - wide * across) / 2, corner[1] + TOP + HEADS
        places = {cell: (left + wide * (x + 0.5), top + high * (y + 0.5)) for cell, (y, x, _) in self.cells.items()}
        return PlacedGrid(self, places, 0.3 * min(wide, high), (wide, high))


@dataclass(frozen=True)
class PlacedGrid(PlacedGraph):
    """A grid with the places of its cells, and the width and the height of a cell."""

    graph: Grid
    size: Point = (CELL, CELL)

    def shapes(self) -> list[Shape]:
        """Draw the cells with their texts, the indices of rows and columns, and the names of constant cells."""
        shapes: list[Shape] = []
        wide, high = self.size
        for cell, (row, column, words) in self.graph.cells.items():
            x, y = self.places[cell]
            shapes += placed(Piece("", x, y, self.square(words)))
            shapes += [Text(x, y - high / 2 - 10, str(column), 13, "muted")] if row == 0 else []
            shapes += [Text(x - wide / 2 - 10, y, str(row), 13, "muted")] if column == 0 else []
            name = ", ".join(name for name, value in self.graph.constants.items() if value == cell)
            fits = max(int(wide / (primitives.PER_EM * 12)), 1)
            shapes += (
                [Text(x - wide / 2 + 4, y + high / 2 - 8, truncate(name, fits), 12, "seat 0", "left", bold=True)]
                if name
                else []
            )
        return shapes

    def square(self, words: str, is_lit: bool = False) -> tuple[Shape, ...]:
        """Draw a cell around (0, 0) with its text; the cell of a wall, "#", is dark."""
        wide, high = self.size[0] / 2 - 1, self.size[1] / 2 - 1
        fill = "flash" if is_lit else "cell edge" if words == "#" else "cell"
        size = min(16.0, 2 * self.radius / (primitives.PER_EM * max(len(words), 1)))
        text = Text(0, 0, primitives.shortened(words, 4), max(size, 9), "flash ink" if is_lit else "muted")
        return Polygon(slab(-wide, -high, wide, high, 3), fill, "cell edge", 1), text

    def changes(self, name: str, value: Any, lit: Collection[Any]) -> list[Piece]:
        """Draw the cells of a later value of the table whose texts have changed; (row, column) in `lit` are lit."""
        grid = Grid.of_table(value, self.graph.is_turned)
        return [
            Piece(f"{name} {cell}", *self.places[cell], self.square(new[2], new[:2] in lit), label=f"{name}: {new[2]}")
            for cell, new in (grid.cells if grid else {}).items()
            if new != self.graph.cells.get(cell, new)
        ]


def node_name(node: Node) -> str:
    """Return the label of a node."""
    return truncate(node if isinstance(node, str) else str(node).replace(" ", ""), LETTERS)


def trimmed(points: Sequence[Point], far: float) -> list[Point]:
    """Cut off the part of a line that lies within the distance `far` of its first point."""
    start = points[0]
    for place, (a, b) in enumerate(pairwise(points)):
        if dist(start, b) > far:
            share = (far - dist(start, a)) / ((dist(start, b) - dist(start, a)) or 1.0)
            return [primitives.between(a, b, max(share, 0.0)), *points[place + 1 :]]
    return list(points)


def is_rows(value: Any) -> bool:
    """Return whether a value is an adjacency list: a list of lists or sets."""
    return isinstance(value, list | tuple) and all(isinstance(row, list | set) for row in value)


def nodes_of(value: Any) -> Iterable[Node]:
    """Return the nodes that a value lists itself, including nodes without edges."""
    if hasattr(value, "is_directed"):
        return list(value.nodes)
    return list(value) if isinstance(value, Mapping) else range(len(value)) if is_rows(value) else ()


def links_of(value: Any) -> list[tuple[Node, Node, Any]]:
    """Return the edges of a value with their labels (or None); empty if the value is not a graph."""
    if hasattr(value, "is_directed") and hasattr(value, "edges"):
        return [(a, b, data.get("weight")) for a, b, data in value.edges(data=True)]
    if isinstance(value, Mapping) or is_rows(value):
        keys = set(nodes_of(value))
        links: list[tuple[Node, Node, Any]] = []
        for node, neighbours in value.items() if isinstance(value, Mapping) else enumerate(value):
            if isinstance(neighbours, Mapping):
                links += [(node, there, None if label is True else label) for there, label in neighbours.items()]
            elif isinstance(neighbours, Iterable):
                for there in parts_of(neighbours):
                    is_pair = isinstance(there, tuple) and len(there) == 2 and there not in keys
                    links.append((node, *there) if is_pair else (node, there, None))
            else:
                return []
        return links if all(there in keys for _, there, _ in links) else []
    if isinstance(value, set | frozenset | list | tuple):
        return [ends(link) for link in parts_of(value)]
    return []


def ends(link: Any) -> tuple[Node, Node, Any]:
    """Return the nodes and the label of a pair or triple.

    The label of a triple is its only number, else its last part. A pair has the label None.
    """
    if not isinstance(link, tuple | frozenset) or len(link) not in (2, 3):
        raise TypeError
    parts = parts_of(link)
    if len(parts) == 2:
        return parts[0], parts[1], None
    numbers = [part for part in parts if isinstance(part, int | float)]
    third = parts.index(numbers[0]) if len(numbers) == 1 else 2
    label = parts.pop(third)
    return parts[0], parts[1], label
