"""A variable on the board: numbers, rings, marks and arrows as pieces at its places.

A number has the colour of its value on a scale over all values of the film. A ring has the colour of its variable;
rings of several variables are concentric. A mark is golden and has the name of its variable.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from math import dist, isfinite
from typing import Any

from crashlab.base.errors import as_float, truncate
from crashlab.drawing import primitives
from crashlab.drawing.charts import heat
from crashlab.drawing.shapes import Circle, Line, Piece, Point, Polygon, Shape, Text, slab
from crashlab.watch.things import parts_of
from crashlab.watch.views.choose_view import OnBoard, Place
from crashlab.watch.views.graph_layout import node_name

SMALLEST, LARGEST = 7.0, 15.0  # radius of a number
SHARE = 0.46  # radius of a number, as a share of the distance of two places
PAINTS = (
    "seat 1",
    "seat 0",
    "seat 2",
    "seat 3",
    "seat 5",
    "seat 6",
)  # colours of rings and arrows, one for each variable
WORD = 4  # longest text of a number
MOST = 400  # maximum number of places per variable


def remembered(place: Place) -> Place:
    """Return a cached version of a place function."""
    cache: dict[Hashable, Point | None] = {}

    def cached_place(value: object) -> Point | None:
        try:
            key = (type(value), value)
            if key not in cache:
                cache[key] = place(value)
            return cache[key]
        except TypeError:  # unhashable values are not cached
            return place(value)

    return cached_place


def radius(places: Iterable[Point]) -> float:
    """Return the largest radius of numbers that do not touch, between SMALLEST and LARGEST."""
    some = sorted(set(places))[:MOST]
    near = min((dist(a, b) for a, b in combinations(some, 2) if dist(a, b) > 2), default=2 * LARGEST)
    return min(max(SHARE * near, SMALLEST), LARGEST)


@dataclass(frozen=True)
class BoardMarks:
    """The drawing of one variable on the board: its name, its view, its colours and its radius."""

    name: str
    view: OnBoard
    place: Place
    radius: float
    low: float
    high: float
    order: int = 0  # its index among the variables on the board
    aside: bool = False  # numbers are drawn beside their places, so that the names of nodes stay visible
    corner: int = 0  # its index among the numbers beside their places

    @property
    def paint(self) -> str:
        return PAINTS[self.order % len(PAINTS)]

    def ways(self, value: object) -> OnBoard:
        """Return the view of a value: the user's choice, else a view that suits the value."""
        view = self.view
        if view.number or view.ring or view.mark or view.arrow or view.heat:
            return view
        if is_place(value, self.place):
            return OnBoard(mark=True)
        if self.aside and self.links(value):
            return OnBoard(arrow=True)
        if isinstance(value, Mapping):
            goes = [element for element in value.values() if element is not None]
            leads = [  # a number may be a node by chance
                element for element in goes if not isinstance(element, int | float) and goals(element, self.place)
            ]
            return OnBoard(arrow=True) if value and 2 * len(leads) >= len(goes) else OnBoard(number=True)
        return OnBoard(ring=True)

    def pieces(self, value: object, changed: Sequence[object] = ()) -> Iterator[Piece]:
        """Draw a value; places in `changed` are lit."""
        ways = self.ways(value)
        items = self.items(value)
        lit = {at for place in changed if (at := self.place(place))}
        if ways.arrow:
            yield from self.arrows(value, items)
        if ways.heat or ways.number:
            for at, key, element in items:
                yield self.number(at, key, element, ways, at in lit)
        if ways.ring:
            next_one = 0 if isinstance(value, deque) else -1
            yield from (self.ring(at, key, 4.5 if element is next_one else 2.5) for at, key, element in items)
        if ways.mark and (at := self.place(value)):
            yield self.mark(at)

    def rims(self, start: Point, end: Point) -> tuple[Point, Point]:
        """Shorten a line between two nodes to their rims."""
        share = min(self.radius / (dist(start, end) or 1.0), 0.5)
        return primitives.between(start, end, share), primitives.between(end, start, share)

    def links(self, value: object) -> list[tuple[Point, Point]]:
        """Return the lines of the edges in a list or a set, or of a value that is an edge itself."""
        parts = [value] if isinstance(value, tuple) else value if isinstance(value, list | set | deque) else ()
        edges = [edge_of(part, self.place) for part in parts_of(parts)]
        return [edge for edge in edges if edge]

    def items(self, value: object) -> list[tuple[Point, Any, Any]]:
        """Return (point, place, value) for each place of a variable, at most the last MOST."""
        if isinstance(value, Mapping):
            pairs: Iterable[tuple[Any, Any]] = value.items()
        elif self.view.is_indexed and isinstance(value, list):
            pairs = (
                (node, element) for node, element in enumerate(value) if element is not None and element is not False
            )
        elif is_place(value, self.place) or isinstance(value, str) or not isinstance(value, Iterable):
            pairs = [(value, value)]
        else:
            pairs = ((part, number) for number, part in enumerate(parts_of(value)))
        triples = [(at, key, element) for key, element in pairs if (at := self.place(key))]
        return triples[-MOST:]

    def number(self, at: Point, key: object, element: object, ways: OnBoard, lit: bool) -> Piece:
        """Draw a disc with a number, or for a heat map a larger disc in the colour of the value."""
        value = worth(element, ways)
        paint = heat(value, self.low, self.high) if isfinite(value) else ""
        words = brief(element) if ways.number else ""
        if self.aside and ways.number:
            right, down = -1 if self.corner % 2 else 1, 1 if self.corner % 4 > 1 else -1
            at = at[0] + right * 0.95 * self.radius, at[1] + down * 0.95 * self.radius
            shapes = disc(words, paint, min(self.radius * 0.68, LARGEST), lit)
        elif self.aside:  # a heat map on a graph: the disc shows the name of the node
            shapes = disc(node_name(key), paint, self.radius, lit)
        else:
            shapes = disc(words, paint, self.radius * (1 if ways.number else 1.3), lit)
        return Piece(f"{self.name} {key}", *at, shapes, label=f"{self.name}: {truncate(str(element), 40)}")

    def ring(self, at: Point, key: object, wide: float) -> Piece:
        """Draw a ring in the variable's colour."""
        shapes = hoop(self.radius + 2.5 + 3.5 * (self.order % 3), self.paint, wide)
        return Piece(f"{self.name} o {key}", *at, shapes, label=f"in {self.name}")

    def mark(self, at: Point) -> Piece:
        """Draw a golden ring with the name of the variable, under one key, so that it moves from place to place."""
        far = self.radius + 6 + 3 * (self.order % 3)
        return Piece(f"{self.name} !", *at, tagged(self.name, far, self.aside and self.order % 2 > 0), label=self.name)

    def arrows(self, value: object, items: Sequence[tuple[Point, Any, Any]]) -> list[Piece]:
        """Draw arrows from keys to values of a dict or along a list of places, or lines for edges."""
        if isinstance(value, Mapping):
            leads = [(at, goal) for at, _, element in items for goal in goals(element, self.place)]
        elif links := self.links(value):
            ends = [self.rims(*link) for link in links]
            shapes = [shape for link in ends for shape in primitives.way(link, self.paint, 4, 7, arrow=False)]
            return [Piece(f"{self.name} >", 0, 0, tuple(shapes), label=self.name)]
        else:
            leads = list(pairwise(at for at, _, _ in items))
        lines = [self.rims(*lead) if self.aside else lead for lead in leads if lead[0] != lead[1]]
        shapes = [shape for start, end in lines for shape in arrow(start, end, self.paint)]
        return [Piece(f"{self.name} >", 0, 0, tuple(shapes), label=self.name)] if shapes else []


def is_place(value: object, place: Place) -> bool:
    """Return whether a value is a single place, not a container of places."""
    return not isinstance(value, Mapping | list | set | frozenset) and place(value) is not None


def edge_of(value: object, place: Place) -> tuple[Point, Point] | None:
    """Return the ends of an edge, a pair or a triple with a number; None if the value is not an edge."""
    parts = [part for part in value if not isinstance(part, float)] if isinstance(value, tuple) else []
    points = [at for part in parts if (at := place(part))]
    return (points[0], points[1]) if len(points) == 2 and len(parts) - len(points) < 2 else None


def goals(value: object, place: Place) -> list[Point]:
    """Return the targets of arrows: the point of a place, or the points of a list of places."""
    if is_place(value, place):
        return [at for at in [place(value)] if at]
    if isinstance(value, list | tuple | set | frozenset):
        return [at for part in parts_of(value) if (at := place(part))]
    return []


def worth(value: object, ways: OnBoard) -> float:
    """Return the number that decides the colour of a value, or nan."""
    if callable(ways.heat):
        try:
            result = ways.heat(value)
            return float(result) if isinstance(result, bool) else as_float(result)
        except Exception:  # the user's function need not accept every value, such as an empty list
            return float("nan")
    return as_float(value)


def brief(value: object) -> str:
    """Return the text of a value, shortened to fit on a disc."""
    number = as_float(value)
    words = str(value) if not isfinite(number) or number == int(number) else f"{number:.2g}"
    words = str(int(number)) if isfinite(number) and number == int(number) and len(words) > WORD else words
    return primitives.shortened(words, WORD)


@lru_cache(maxsize=4096)
def disc(words: str, paint: str, far: float, lit: bool) -> tuple[Shape, ...]:
    """Draw a disc with an outline, and a golden edge if it is lit."""
    edges = (Circle(0, 0, far + 2, "flash edge"), Circle(0, 0, far + 1, "flash")) if lit else ()
    fill, ink = (paint, f"{paint} ink") if paint else ("ticket", "ticket ink")
    body = Circle(0, 0, far, fill, "path edge", 1.5)
    size = min(1.25 * far, 1.9 * far / (primitives.PER_EM * max(len(words), 1)))
    return (*edges, body, Text(0, 0, words, size, ink, bold=True)) if words else (*edges, body)


@lru_cache(maxsize=256)
def hoop(far: float, paint: str, wide: float) -> tuple[Shape, ...]:
    """Draw a ring with an edge."""
    return Circle(0, 0, far, "", "path edge", wide + 2.5), Circle(0, 0, far, "", paint, wide)


@lru_cache(maxsize=256)
def tagged(name: str, far: float, is_below: bool) -> tuple[Shape, ...]:
    """Draw a golden ring with a name above or below it."""
    half = 0.5 * primitives.PER_EM * 13 * len(name) + 5
    y = far + 11 if is_below else -far - 11
    paper = Polygon(slab(-half, y - 9, half, y + 9, 4), "panel", primitives.GLOW, 1.5)
    return *primitives.halo((0, 0), far, 4, 7), paper, Text(0, y, name, 13, "ink", bold=True)


def arrow(start: Point, end: Point, paint: str) -> tuple[Shape, ...]:
    """Draw an arrow that ends a little before its target."""
    share = max(1 - 7 / (dist(start, end) or 1), 0.5)
    tip = primitives.between(start, end, share)
    return Line((start, tip), "path edge", 5.5, alpha=0.9), Line((start, tip), paint, 2.5, True)
