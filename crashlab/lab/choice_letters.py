"""Letters by which choices on the board are called out, spread so that none lies on another or on a choice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, dist, hypot, sin

from crashlab.drawing.shapes import Circle, Line, Picture, Point, Shape, Text
from crashlab.engine.prompts import Choice
from crashlab.lab.show_of_hands import LETTERS

RADIUS, TYPE = 11.0, 17.0  # of a letter's disc; height of the type
APART = 25.0  # that two letters are apart, and a letter from a choice
STEPS = 60  # in which they are spread
TURN = 2.4  # radians from one to the next, where several begin at the same place


def letters(choices: Sequence[Choice], picture: Picture, small: float) -> dict[int, Point]:
    """Where the letter of each choice is; none where they have names on the board already, or are too many."""
    there = [number for number, choice in enumerate(choices) if 0 <= choice.x <= picture.width and choice.y >= 0]
    is_named = all(any(isinstance(shape, Text) for shape in choices[number].shapes) for number in there)
    if is_named or not 2 <= len(choices) <= len(LETTERS):
        return {}
    places = tuple((choices[number].x, choices[number].y) for number in there)
    return dict(zip(there, spread(places, APART * small, picture.width, picture.height), strict=True))


@lru_cache(maxsize=64)
def spread(places: tuple[Point, ...], apart: float, width: float, height: float) -> tuple[Point, ...]:
    """A place beside each of these, so far from all of them and from each other as there is room."""
    middle = sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
    found = [beside(place, middle, apart, number) for number, place in enumerate(places)]
    for number, (x, y) in enumerate(found):
        if not (RADIUS <= x <= width - RADIUS and RADIUS <= y <= height - RADIUS):
            found[number] = beside(places[number], middle, -apart, number)  # at the rim, on the other side
    for _ in range(STEPS):
        for number, here in enumerate(found):
            x, y = here
            for other in (*places, *found[:number], *found[number + 1 :]):
                far = dist(here, other)
                if far < apart:
                    away = beside(here, other, 1, number)
                    x += (away[0] - here[0]) * (apart - far) / 2
                    y += (away[1] - here[1]) * (apart - far) / 2
            found[number] = min(max(x, RADIUS), width - RADIUS), min(max(y, RADIUS), height - RADIUS)
    return tuple(found)


def beside(place: Point, middle: Point, far: float, number: int) -> Point:
    """A place so far away, on the side that is turned from the middle."""
    x, y = place[0] - middle[0], place[1] - middle[1]
    long = hypot(x, y)
    if long < 1e-6:
        x, y, long = cos(TURN * number), sin(TURN * number), 1.0
    return place[0] + far * x / long, place[1] + far * y / long


def drawn(choices: Sequence[Choice], where: dict[int, Point], small: float) -> list[Shape]:
    """The letters, each with a line to its choice where it is not beside it."""
    shapes: list[Shape] = []
    for number, (x, y) in where.items():
        choice = choices[number]
        if dist((x, y), (choice.x, choice.y)) > 1.25 * APART * small:
            shapes.append(Line(((x, y), (choice.x, choice.y)), "target", 1.5 * small, alpha=0.7))
    for number, (x, y) in where.items():
        shapes += [
            Circle(x, y, RADIUS * small, "target ink", "target", 2 * small),
            Text(x, y, LETTERS[number], TYPE * small, "target", bold=True),
        ]
    return shapes


def letter_at(where: dict[int, Point], x: float, y: float, small: float) -> list[int]:
    """The choice whose letter is meant."""
    near = {number: dist(place, (x, y)) for number, place in where.items()}
    first = min(near, key=lambda number: near[number], default=None)
    return [first] if first is not None and near[first] <= RADIUS * small else []
