"""Lenses: magnified views of a picture's map, and the points of the map under clicks.

Text and marks are magnified less than the map, which leaves room between them (`Lens.small`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from crashlab.drawing.shapes import Circle, Map, Point, Shape, Text

MOST = 8.0  # largest magnification
ROOM = 0.12  # margin round the points to show, as a share of the view
LOOSE = 0.7  # the view stays if its zoom is at least this share of the best zoom


@dataclass(frozen=True)
class Lens:
    """A view of a map, magnified `zoom` times, with the picture's point (x, y) in its middle."""

    map: Map
    zoom: float
    x: float
    y: float

    @property
    def middle(self) -> Point:
        return (self.map.left + self.map.right) / 2, (self.map.top + self.map.bottom) / 2

    @property
    def small(self) -> float:
        """The factor that shrinks text and marks before the magnification."""
        return 1 / sqrt(self.zoom)

    @property
    def shift(self) -> Point:
        """The offset added to magnified points."""
        x, y = self.middle
        return x - self.zoom * self.x, y - self.zoom * self.y

    def at(self, x: float, y: float) -> Point:
        """Return the place at which a point of the map is shown."""
        across, down = self.shift
        return self.zoom * x + across, self.zoom * y + down

    def back(self, x: float, y: float) -> Point:
        """Return the picture's point shown at (x, y); outside the map that is (x, y) itself."""
        across, down = self.shift
        return ((x - across) / self.zoom, (y - down) / self.zoom) if self.map.holds(x, y) else (x, y)

    def shows(self, points: Sequence[Point]) -> bool:
        """Return whether all of these points are visible; points off the map do not count."""
        return all(self.map.holds(*self.at(x, y)) for x, y in points if self.map.holds(x, y))


def reach(shape: Shape) -> Sequence[Point]:
    """Return the points of a shape, or its centre."""
    return ((shape.x, shape.y),) if isinstance(shape, Circle | Text) else shape.points


def inside(area: Map, shape: Shape) -> bool:
    """Return whether a shape lies on the map, judged by its first point or its centre."""
    return area.holds(*reach(shape)[0])


def lens(area: Map, zoom: float, x: float, y: float) -> Lens:
    """Return the lens with zoom and centre adjusted so that it shows nothing beyond the map."""
    zoom = min(max(zoom, 1.0), MOST)
    wide, high = (area.right - area.left) / zoom / 2, (area.bottom - area.top) / zoom / 2
    x = min(max(x, area.left + wide), area.right - wide)
    y = min(max(y, area.top + high), area.bottom - high)
    return Lens(area, zoom, x, y)


def whole(area: Map) -> Lens:
    """Return the lens that shows the whole map."""
    return lens(area, 1.0, area.left, area.top)


def looking(now: Lens, points: Sequence[Point], most: float) -> Lens:
    """Return a lens that shows all points, magnified at most `most` times; return `now` if it shows them well."""
    area = now.map
    points = [(x, y) for x, y in points if area.holds(x, y)]
    if not points:
        return now if now.zoom <= most else lens(area, most, now.x, now.y)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    share = 1 - 2 * ROOM
    fits = [
        (area.right - area.left) * share / max(max(xs) - min(xs), 1e-6),
        (area.bottom - area.top) * share / max(max(ys) - min(ys), 1e-6),
    ]
    zoom = max(1.0, min(most, *fits))
    if now.shows(points) and LOOSE * zoom <= now.zoom <= most:
        return now
    return lens(area, zoom, (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)


def contains(one: Lens, other: Lens) -> bool:
    """Return whether one of two lenses shows everything that the other shows, so that a zoom can connect them."""
    if one.map != other.map:
        return False
    wide, near = sorted((one, other), key=lambda lens: lens.zoom)
    sides = (near.map.right - near.map.left) / 2, (near.map.bottom - near.map.top) / 2
    beside = abs(near.x - wide.x), abs(near.y - wide.y)
    return all(off + side / near.zoom <= side / wide.zoom + 1e-6 for off, side in zip(beside, sides, strict=True))


def following(now: Lens, points: Sequence[Point]) -> Lens:
    """Return a lens of the same zoom: `now` if it shows any of the points, otherwise centred on them."""
    points = [(x, y) for x, y in points if now.map.holds(x, y)]
    if not points or any(now.shows([point]) for point in points):
        return now
    x, y = (sum(part) / len(points) for part in zip(*points, strict=True))
    return lens(now.map, now.zoom, x, y)
