"""Letters by which choices on the board are called out, spread so that none hides another, a piece, a tag or words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, dist, hypot, pi, sin
from typing import NamedTuple

from crashlab.drawing.shapes import Circle, Line, Picture, Point, Shape, Text, box, placed
from crashlab.drawing.zoom import Lens
from crashlab.engine.prompts import Choice
from crashlab.lab.show_of_hands import LETTERS

RADIUS, TYPE = 11.0, 17.0  # of a letter's disc; height of the type
APART = 25.0  # that two letters are apart, and a letter from a choice
RINGS = 1.0, 1.2, 1.5, 1.9, 2.4, 3.0, 3.7, 4.5  # how far from its choice a letter may be, in APART
TURNS = 24  # places on a ring
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

    def away(self, x: float, y: float) -> float:
        """How far a point is from it."""
        return hypot(max(self.left - x, 0, x - self.right), max(self.top - y, 0, y - self.bottom))


def letters(
    choices: Sequence[Choice], picture: Picture, lens: Lens | None, labels: Sequence[Shape] = ()
) -> dict[int, Point]:
    """Where the letter of each choice is; none where they have names on the board already, or are too many.

    `labels` are shapes besides the picture and the choices that are not to be hidden.
    """
    there = [number for number, choice in enumerate(choices) if 0 <= choice.x <= picture.width and choice.y >= 0]
    is_named = all(any(isinstance(shape, Text) for shape in choices[number].shapes) for number in there)
    if is_named or not 2 <= len(choices) <= len(LETTERS):
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
    middle = sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
    options = [around(number, places, middle, rooms[number], obstacles, small) for number in range(len(places))]
    found: list[Point] = []
    for _ in range(3):  # the first look does not know where the later ones come to lie
        for number, some in enumerate(options):
            others = [*found[:number], *found[number + 1 :]]
            on = [sum(hidden(dist(at, other), 2, small) for other in others) for _, at in some]
            costs = [(cost + LETTER * much, at) for (cost, at), much in zip(some, on, strict=True)]
            found[number : number + 1] = [min(costs)[1]]
    return tuple(found)


def around(
    number: int, places: tuple[Point, ...], middle: Point, room: Obstacle, obstacles: tuple[Obstacle, ...], small: float
) -> list[tuple[float, Point]]:
    """Where the letter of one choice may be, and how bad that is."""
    (x, y), radius = places[number], RADIUS * small
    most = RINGS[-1] * APART * small
    near = [one for one in obstacles if one.away(x, y) < most + radius]
    near = [one._replace(cost=own(one, small)) if is_own(one, number, (x, y)) else one for one in near]
    discs = [place for place in places if dist(place, (x, y)) < most + 2 * radius]
    away = x - middle[0], y - middle[1]
    long = hypot(*away)
    found = []
    for ring in RINGS:
        for turn in range(TURNS):
            right, down = cos(2 * pi * turn / TURNS), sin(2 * pi * turn / TURNS)
            at = round(x + ring * APART * small * right, 3), round(y + ring * APART * small * down, 3)
            if not (room.left + radius <= at[0] <= room.right - radius):
                continue
            if not (room.top + radius <= at[1] <= room.bottom - radius):
                continue
            inward = 1 - (right * away[0] + down * away[1]) / long if long > 1 else 0
            cost = FAR * ring + INWARD * inward / 2
            cost += MARK * sum(hidden(dist(at, place), APART / RADIUS, small) for place in discs)
            cost += sum(obstacle.cost * hidden(obstacle.away(*at), 1, small) for obstacle in near)
            found.append((cost, at))
    return found or [(0, (x, y))]


def is_own(obstacle: Obstacle, number: int, place: Point) -> bool:
    """Whether it is what a choice shows, or a piece at its place."""
    return obstacle.owner == number or (obstacle.owner == PIECE and obstacle.away(*place) == 0)


def own(obstacle: Obstacle, small: float) -> float:
    """How bad it is for a letter to hide what it belongs to: nothing, where it has room inside."""
    return OWN if min(obstacle.right - obstacle.left, obstacle.bottom - obstacle.top) < 2 * APART * small else 0.0


def hidden(away: float, radii: float, small: float) -> float:
    """How much a letter hides of what is so far from it: from a half on, if it hides anything."""
    reach = radii * RADIUS * small - 1e-6
    return 1 - away / reach / 2 if away < reach else 0.0


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
