"""Letters by which choices on the board are called out, spread so that none hides another, a piece, a tag or words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import dist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crashlab.drawing.shapes import Circle, Line, Picture, Point, Shape, Text, box, placed
from crashlab.drawing.zoom import Lens
from crashlab.engine.prompts import Choice
from crashlab.lab.show_of_hands import LETTERS

RADIUS, TYPE = 11.0, 17.0  # of a letter's disc; height of the type
APART = 25.0  # that two letters are apart, and a letter from a choice
RINGS = 1.0, 1.2, 1.5, 1.9, 2.4, 3.0, 3.7, 4.5  # how far from its choice a letter may be, in APART
TURNS = 24  # places on a ring
RINGS_OF, TURN_OF = (each.ravel() for each in np.meshgrid(RINGS, np.arange(TURNS) * 2 * np.pi / TURNS, indexing="ij"))
DIRECTIONS = np.stack((np.cos(TURN_OF), np.sin(TURN_OF)), axis=1)  # of each place from its choice
LARGE = 90.0  # pixels: what is wider and higher is ground, such as a card; of it only words are not to be hidden
LETTER, MARK, OWN, WORDS = 6.0, 4.0, 1.0, 0.5  # how bad it is to hide a letter, a piece or a tag, one's own, words
FAR, INWARD = 0.25, 0.2  # how bad it is to be one APART away, or on the side that is turned to the other choices
PIECE, NOBODY = -1, -2  # what belongs to the choice at its place, and to none


class Obstacle(NamedTuple):
    """A rectangle that is not to be hidden, how bad it is to hide it, and the choice it belongs to."""

    left: float
    top: float
    right: float
    bottom: float
    cost: float
    owner: int = NOBODY


def lettered(choices: Sequence[Choice], picture: Picture) -> list[int]:
    """The choices that have a letter; none where they have names on the board already, or are too many."""
    there = [number for number, choice in enumerate(choices) if 0 <= choice.x <= picture.width and choice.y >= 0]
    is_named = all(any(isinstance(shape, Text) for shape in choices[number].shapes) for number in there)
    return [] if is_named or not 2 <= len(choices) <= len(LETTERS) else there


def letters(
    choices: Sequence[Choice], picture: Picture, lens: Lens | None, labels: Sequence[Shape] = ()
) -> dict[int, Point]:
    """Where the letter of each choice is that has one.

    `labels` are shapes besides the picture and the choices that are not to be hidden.
    """
    there = lettered(choices, picture)
    if not there:
        return {}
    places = tuple((choices[number].x, choices[number].y) for number in there)
    rooms = tuple(room(place, picture, lens) for place in places)
    obstacles = (*shown_by([choices[number] for number in there]), *standing_in(picture), *each(labels, MARK))
    return dict(zip(there, spread(places, rooms, obstacles, lens.small if lens else 1.0), strict=True))


def room(place: Point, picture: Picture, lens: Lens | None) -> Obstacle:
    """Where a letter is to be seen whole: a place on the map has it on the part of the map that is shown."""
    if lens is None or not lens.map.holds(*place):
        return Obstacle(0, 0, picture.width, picture.height, 0)
    wide = (lens.map.right - lens.map.left) / lens.zoom / 2
    high = (lens.map.bottom - lens.map.top) / lens.zoom / 2
    x, y = min(max(place[0], lens.x - wide), lens.x + wide), min(max(place[1], lens.y - high), lens.y + high)
    if (x, y) != place:  # it is out of sight itself
        return Obstacle(lens.map.left, lens.map.top, lens.map.right, lens.map.bottom, 0)
    return Obstacle(lens.x - wide, lens.y - high, lens.x + wide, lens.y + high, 0)


def shown_by(choices: Sequence[Choice]) -> list[Obstacle]:
    """What the choices show: tags, discs, outlines; no lines, which are seen beside a letter."""
    found = []
    for owner, choice in enumerate(choices):
        is_tag = any(isinstance(shape, Text) for shape in choice.shapes)
        found += [obstacle._replace(owner=NOBODY if is_tag else owner) for obstacle in each(choice.shapes, MARK)]
    return found


def standing_in(picture: Picture) -> list[Obstacle]:
    """The pieces and the words of a picture."""
    found = []
    for piece in picture.pieces:
        shapes = placed(piece)
        whole = [obstacle._replace(owner=PIECE) for obstacle in each([shapes], MARK)] if shapes else []
        found += whole or each([shape for shape in shapes if isinstance(shape, Text)], WORDS)
    return [*found, *each([shape for shape in picture.board if isinstance(shape, Text)], WORDS)]


def each(drawings: Sequence[Shape | tuple[Shape, ...]], cost: float) -> list[Obstacle]:
    """The rectangles round shapes, or round some shapes together, that are not too large."""
    some = [drawn if isinstance(drawn, tuple) else (drawn,) for drawn in drawings if not isinstance(drawn, Line)]
    found = [box(shapes) for shapes in some]
    return [Obstacle(*edges, cost) for edges in found if min(edges[2] - edges[0], edges[3] - edges[1]) <= LARGE]


@lru_cache(maxsize=64)
def spread(
    places: tuple[Point, ...], rooms: tuple[Obstacle, ...], obstacles: tuple[Obstacle, ...], small: float
) -> tuple[Point, ...]:
    """For each of these a place beside it, as near as there is one that hides nothing; else where it hides least."""
    centres, rectangles = np.array(places), np.array(obstacles).reshape(-1, len(Obstacle._fields))
    options = [around(number, centres, rooms[number], rectangles, small) for number in range(len(places))]
    found = np.empty((0, 2))
    for _ in range(3):  # the first look does not know where the later ones come to lie
        for number, (costs, points) in enumerate(options):
            others = np.delete(found, [number] if number < len(found) else [], axis=0)
            total = costs + LETTER * hidden(far(points, others), 2, small).sum(axis=1)
            best = np.lexsort((points[:, 1], points[:, 0], total.round(6)))[:1]  # the same on every machine
            found = np.concatenate((found[:number], points[best], found[number + 1 :]))
    return tuple((float(x), float(y)) for x, y in found)


def around(
    number: int, places: NDArray[Any], room: Obstacle, obstacles: NDArray[Any], small: float
) -> tuple[NDArray[Any], NDArray[Any]]:
    """How bad it is for the letter of one choice to be where it may be, and these places."""
    here, radius = places[number], RADIUS * small
    points = (here + DIRECTIONS * (RINGS_OF * APART * small)[:, None]).round(3)
    lowest, highest = np.array(room[:2]) + radius, np.array(room[2:4]) - radius
    inside = ((lowest <= points) & (points <= highest)).all(axis=1)
    if not inside.any():
        return np.zeros(1), here[None]
    points = points[inside]
    away = here - places.mean(axis=0)
    long = np.hypot(*away)
    inward = 1 - DIRECTIONS[inside] @ away / long if long > 1 else 0
    left, top, right, bottom, costs, owner = obstacles.T
    is_own = (owner == number) | ((owner == PIECE) & (off(here[None], obstacles)[0] == 0))
    has_room = np.minimum(right - left, bottom - top) >= 2 * APART * small  # for its own letter, which hides nothing
    costs = np.where(is_own, np.where(has_room, 0, OWN), costs)
    bad = FAR * RINGS_OF[inside] + INWARD * inward / 2
    bad = bad + MARK * hidden(far(points, places), APART / RADIUS, small).sum(axis=1)
    return bad + hidden(off(points, obstacles), 1, small) @ costs, points


def far(points: NDArray[Any], others: NDArray[Any]) -> NDArray[Any]:
    """How far each point is from each of the others."""
    across, down = (points[:, None] - others).transpose(2, 0, 1)
    apart: NDArray[Any] = np.hypot(across, down)
    return apart


def off(points: NDArray[Any], obstacles: NDArray[Any]) -> NDArray[Any]:
    """How far each point is from each obstacle; 0 within it."""
    x, y = points[:, :1], points[:, 1:]
    left, top, right, bottom = obstacles.T[:4]
    across, down = np.maximum(left - x, x - right), np.maximum(top - y, y - bottom)
    away: NDArray[Any] = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    return away


def hidden(away: NDArray[Any], radii: float, small: float) -> NDArray[Any]:
    """How much a letter hides of what is so far from it: from a half on, if it hides anything."""
    reach = radii * RADIUS * small - 1e-6
    return np.where(away < reach, 1 - away / reach / 2, 0)


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
