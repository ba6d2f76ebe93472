"""The target hit by a point on the board. The page does the same computation in `panel_page/pointing.js`.

A finger may cover several targets. If it cannot tell them apart, the indexes of all are returned, and the user is
asked. Targets nearer to each other than `finger` cannot be separated by a finger; it is 0 for a mouse.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import dist, hypot, inf

from crashlab.drawing.shapes import Circle, Line, Point, Polygon, spots
from crashlab.engine.prompts import Choice
from crashlab.lab.playback import BESIDE, EDGE, REACH, Area, Target

SHOWN = 16.0  # pixels; a click this close to a mark of a choice hits the mark


def meant(targets: Sequence[Target], x: float, y: float, finger: float = 0.0) -> list[int]:
    """Return the index of the target hit, and the indexes of all targets within `finger` of it; empty without a hit."""
    ranks = [rank(target, (x, y), max(REACH, finger / 2)) for target in targets]
    best = min(ranks, default=(inf, inf))
    if best[0] < inf:
        first, on_letter = ranks.index(best), best[0] == 0
        points = [target.letter[:2] if on_letter and target.letter else target.place for target in targets]
        return [n for n, other in enumerate(points) if n == first or dist(other, points[first]) < finger]
    far = [beside(target.lines, (x, y)) for target in targets]
    near = [number for number, away in enumerate(far) if away <= max(BESIDE, finger)]
    return near if len(near) == 1 and far[near[0]] <= BESIDE else []


def rank(target: Target, point: Point, reach: float) -> tuple[float, float]:
    """Return how well a point hits a target, as a class and a distance; less is better.

    Class 0 is on its letter, 1 inside its outline, 2 near its place, 3 close to its outline, and inf is no hit.
    """
    far = dist(target.place, point)
    if target.letter and dist(target.letter[:2], point) <= target.letter[2]:
        return 0, dist(target.letter[:2], point)
    if any(holds(shape, point) for shape in target.area):
        return 1, far
    if far <= reach:
        return 2, far
    away = min((rim(shape, point) for shape in target.area), default=inf)
    return (3, away) if away <= EDGE else (inf, inf)


def holds(shape: Polygon | Circle, point: Point) -> bool:
    """Return whether a point is in a closed shape."""
    x, y = point
    if isinstance(shape, Circle):
        return dist((shape.x, shape.y), point) <= shape.radius
    inside = False
    for (ax, ay), (bx, by) in pairwise((*shape.points, shape.points[0])):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def rim(shape: Polygon | Circle, point: Point) -> float:
    """Return the distance of a point from the outline of a closed shape."""
    if isinstance(shape, Circle):
        return abs(dist((shape.x, shape.y), point) - shape.radius)
    return min(to_leg(point, *leg) for leg in pairwise((*shape.points, shape.points[0])))


def area(choice: Choice, places: Sequence[Point]) -> Area:
    """Return the outlines around a choice's place, except polygons that also contain other places, such as a strip."""
    here = choice.x, choice.y
    outlines = [shape for shape in choice.shapes if isinstance(shape, Polygon | Circle) and holds(shape, here)]
    return tuple(
        shape
        for shape in dict.fromkeys(outlines)
        if isinstance(shape, Circle) or not any(place != here and holds(shape, place) for place in places)
    )


def beside(lines: Sequence[Line], point: Point) -> float:
    """Return the distance of a point from the nearest of some lines."""
    legs = [leg for line in lines for leg in pairwise(line.points)]
    return min((to_leg(point, *leg) for leg in legs), default=inf)


def to_leg(point: Point, start: Point, end: Point) -> float:
    """Return the distance of a point from a line segment."""
    along = end[0] - start[0], end[1] - start[1]
    long = hypot(*along) or 1.0
    share = ((point[0] - start[0]) * along[0] + (point[1] - start[1]) * along[1]) / long**2
    share = min(max(share, 0.0), 1.0)
    return dist(point, (start[0] + share * along[0], start[1] + share * along[1]))


def shown(
    choices: Sequence[Choice], after: Callable[[str], Sequence[Choice]], x: float, y: float, finger: float = 0.0
) -> tuple[Choice, Choice] | None:
    """Return the choice whose marks already show a possible next choice at (x, y), and that next choice.

    Return None unless there is exactly one such pair.
    """
    pairs = []
    for choice in choices:
        reach = max(SHOWN, finger)
        points = [] if choice.action else [spot for spot in spots(choice.shapes) if dist(spot, (x, y)) <= reach]
        for end in after(choice.word) if points else ():
            if end.action and any(dist(spot, (end.x, end.y)) <= SHOWN / 2 for spot in points):
                pairs.append((choice, end))
    return pairs[0] if len(pairs) == 1 and dist((pairs[0][1].x, pairs[0][1].y), (x, y)) <= 1.5 * SHOWN else None
