"""Which choice a point on the board means: a target near it, the line that leads to one, or what a choice shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import dist, hypot

from crashlab.drawing.shapes import Line, Point, spots
from crashlab.engine.prompts import Choice
from crashlab.lab.single_choice import REACH

BESIDE = 9.0  # pixels from a line within which a click means it, if it is that near to no other
SHOWN = 16.0  # pixels from what a choice shows within which a click means that


def target(choices: Sequence[Choice], x: float, y: float) -> int | None:
    """The number of the choice whose target is meant, or whose line is clicked where no other one goes."""
    far = [dist((choice.x, choice.y), (x, y)) for choice in choices]
    if far and min(far) <= REACH:
        return far.index(min(far))
    near = [number for number, choice in enumerate(choices) if beside(choice, (x, y)) <= BESIDE]
    return near[0] if len(near) == 1 else None


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
    choices: Sequence[Choice], after: Callable[[str], Sequence[Choice]], x: float, y: float
) -> tuple[Choice, Choice] | None:
    """The choice and the one after it, if the first shows already where the second would end, and no other does."""
    found = []
    for choice in choices:
        seen = [] if choice.action else [spot for spot in spots(choice.shapes) if dist(spot, (x, y)) <= SHOWN]
        for end in after(choice.word) if seen else ():
            if end.action and any(dist(spot, (end.x, end.y)) <= SHOWN / 2 for spot in seen):
                found.append((choice, end))
    return found[0] if len(found) == 1 else None
