"""How near a picture's map is looked at: what is drawn of it where, and what a click on it means.

Words and the marks of the lab grow less than the map itself, so that there is room between them (`Lens.small`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from crashlab.drawing.shapes import Circle, Map, Point, Shape, Text

MOST = 8.0  # times as large as it is, at most
ROOM = 0.12  # of what is shown, round what is looked at
LOOSE = 0.7  # the share of the best zoom that is good enough to stay as it is


@dataclass(frozen=True)
class Lens:
    """A map `zoom` times as large, with the point x, y of the picture in its middle."""

    map: Map
    zoom: float
    x: float
    y: float

    @property
    def middle(self) -> Point:
        """The middle of the map in the picture."""
        return (self.map.left + self.map.right) / 2, (self.map.top + self.map.bottom) / 2

    @property
    def small(self) -> float:
        """What words and marks are made smaller by, before all is made larger."""
        return 1 / sqrt(self.zoom)

    @property
    def shift(self) -> Point:
        """What is added to points that are made larger."""
        x, y = self.middle
        return x - self.zoom * self.x, y - self.zoom * self.y

    def at(self, x: float, y: float) -> Point:
        """Where a point of the map is shown."""
        across, down = self.shift
        return self.zoom * x + across, self.zoom * y + down

    def back(self, x: float, y: float) -> Point:
        """The point of the picture that is shown here; beside the map all is as it is."""
        across, down = self.shift
        return ((x - across) / self.zoom, (y - down) / self.zoom) if self.map.holds(x, y) else (x, y)

    def shows(self, points: Sequence[Point]) -> bool:
        """Whether all these points of the map are to be seen."""
        return all(self.map.holds(*self.at(x, y)) for x, y in points if self.map.holds(x, y))


def reach(shape: Shape) -> Sequence[Point]:
    """The points of a shape, or its middle."""
    return ((shape.x, shape.y),) if isinstance(shape, Circle | Text) else shape.points


def inside(shown: Map, shape: Shape) -> bool:
    """Whether a shape lies on the map."""
    return shown.holds(*reach(shape)[0])


def lens(shown: Map, zoom: float, x: float, y: float) -> Lens:
    """The lens nearest to these wishes that shows nothing but the map."""
    zoom = min(max(zoom, 1.0), MOST)
    wide, high = (shown.right - shown.left) / zoom / 2, (shown.bottom - shown.top) / zoom / 2
    x = min(max(x, shown.left + wide), shown.right - wide)
    y = min(max(y, shown.top + high), shown.bottom - high)
    return Lens(shown, zoom, x, y)


def whole(shown: Map) -> Lens:
    """All of the map."""
    return lens(shown, 1.0, shown.left, shown.top)


def looking(now: Lens, points: Sequence[Point], most: float) -> Lens:
    """Looking at all these points, from no nearer than `most`; if they are to be seen well, nothing changes."""
    shown = now.map
    points = [(x, y) for x, y in points if shown.holds(x, y)]
    if not points:
        return now if now.zoom <= most else lens(shown, most, now.x, now.y)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    share = 1 - 2 * ROOM
    fits = [
        (shown.right - shown.left) * share / max(max(xs) - min(xs), 1e-6),
        (shown.bottom - shown.top) * share / max(max(ys) - min(ys), 1e-6),
    ]
    zoom = max(1.0, min(most, *fits))
    if now.shows(points) and LOOSE * zoom <= now.zoom <= most:
        return now
    return lens(shown, zoom, (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)


def contains(one: Lens, other: Lens) -> bool:
    """Whether one of the two shows all that the other does, so that it can come nearer or go farther from there."""
    if one.map != other.map:
        return False
    wide, near = sorted((one, other), key=lambda seen: seen.zoom)
    sides = (near.map.right - near.map.left) / 2, (near.map.bottom - near.map.top) / 2
    beside = abs(near.x - wide.x), abs(near.y - wide.y)
    return all(off + side / near.zoom <= side / wide.zoom + 1e-6 for off, side in zip(beside, sides, strict=True))


def following(now: Lens, points: Sequence[Point]) -> Lens:
    """From as near as now; if none of the points is to be seen, their middle is looked at."""
    points = [(x, y) for x, y in points if now.map.holds(x, y)]
    if not points or any(now.shows([point]) for point in points):
        return now
    x, y = (sum(part) / len(points) for part in zip(*points, strict=True))
    return lens(now.map, now.zoom, x, y)
