"""Which choice a point on the board means: a target near it, the line that leads to one, or what a choice shows.

A finger is as wide as several targets may be. What it cannot tell apart is not guessed: then there are several numbers,
and one asks. `finger` is how far apart two targets have to be for it; a mouse tells all apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import dist, hypot

from crashlab.drawing.shapes import Line, Point, spots
from crashlab.engine.prompts import Choice

REACH = 24.0  # pixels from a target within which a click means it
BESIDE = 9.0  # pixels from a line within which a click means it, if it is that near to no other
SHOWN = 16.0  # pixels from what a choice shows within which a click means that


def nearest(places: Sequence[Point], x: float, y: float, finger: float = 0.0) -> list[int]:
    """The number of the place that is meant, and those of the others that a finger cannot tell from it."""
    far = [dist(place, (x, y)) for place in places]
    if not far or min(far) > max(REACH, finger / 2):
        return []
    first = far.index(min(far))
    return [number for number, place in enumerate(places) if number == first or dist(place, places[first]) < finger]


def target(choices: Sequence[Choice], x: float, y: float, finger: float = 0.0) -> list[int]:
    """The number of the choice whose target is meant, or whose line is clicked where no other one goes."""
    if found := nearest([(choice.x, choice.y) for choice in choices], x, y, finger):
        return found
    far = [beside(choice, (x, y)) for choice in choices]
    near = [number for number, away in enumerate(far) if away <= max(BESIDE, finger)]
    return near if len(near) == 1 and far[near[0]] <= BESIDE else []


def beside(choice: Choice, point: Point) -> float:
    """How far a point is from the lines of a choice."""
    lines = [shape.points for shape in choice.shapes if isinstance(shape, Line)]
    legs = [leg for points in lines for leg in pairwise(points)]
    return min((to_leg(point, *leg) for leg in legs), default=float("inf"))


def to_leg(point: Point, start: Point, end: Point) -> float:
    """How far a point is from a straight line."""
    along = end[0] - start[0], end[1] - start[1]
    long = hypot(*along) or 1.0
    share = ((point[0] - start[0]) * along[0] + (point[1] - start[1]) * along[1]) / long**2
    share = min(max(share, 0.0), 1.0)
    return dist(point, (start[0] + share * along[0], start[1] + share * along[1]))


def shown(
    choices: Sequence[Choice], after: Callable[[str], Sequence[Choice]], x: float, y: float, finger: float = 0.0
) -> tuple[Choice, Choice] | None:
    """The choice and the one after it, if the first shows already where the second would end, and no other does."""
    found = []
    for choice in choices:
        reach = max(SHOWN, finger)
        seen = [] if choice.action else [spot for spot in spots(choice.shapes) if dist(spot, (x, y)) <= reach]
        for end in after(choice.word) if seen else ():
            if end.action and any(dist(spot, (end.x, end.y)) <= SHOWN / 2 for spot in seen):
                found.append((choice, end))
    return found[0] if len(found) == 1 and dist((found[0][1].x, found[0][1].y), (x, y)) <= 1.5 * SHOWN else None
