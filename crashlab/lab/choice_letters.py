"""Letters by which choices on the board are called out, spread so that none hides another, a piece, a tag or words."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import cos, dist, hypot, inf, sin, tau
from statistics import fmean
from typing import NamedTuple

from crashlab.drawing.shapes import Circle, Line, Picture, Point, Polygon, Shape, Text, box, placed
from crashlab.drawing.zoom import Lens
from crashlab.engine.prompts import Choice
from crashlab.lab import hit_test
from crashlab.lab.show_of_hands import of_a_game

RADIUS, TYPE = 11.0, 17.0  # of a letter's disc; height of the type
APART = 25.0  # that two letters are apart, and a letter from a choice
RINGS = 1.0, 1.2, 1.5, 1.9, 2.4, 3.0, 3.7, 4.5  # how far from its choice a letter may be, in APART
TURNS = 24  # places on a ring
DIRECTIONS = [(cos(turn * tau / TURNS), sin(turn * tau / TURNS)) for turn in range(TURNS)]
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
    return [] if is_named or not 2 <= len(choices) <= len(names(choices)) else there


def names(choices: Sequence[Choice]) -> list[str]:
    """Return the letters for choices, without those that say something else on their marks or are an action."""
    marks = {shape.text for choice in choices for shape in choice.shapes if isinstance(shape, Text)}
    return of_a_game(marks | {choice.word for choice in choices})


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
    small = lens.small if lens else 1.0
    standing = standing_in(picture)
    obstacles = (*shown_by([choices[number] for number in there]), *standing, *each(labels, MARK))
    inside = tuple(has_room(choices[number], standing, small) for number in there)
    return dict(zip(there, spread(places, rooms, obstacles, small, inside), strict=True))


def has_room(choice: Choice, standing: Sequence[Obstacle], small: float) -> bool:
    """Return whether a letter can stand in the middle of what a choice shows: in a disc, or where nothing else is."""
    if any(isinstance(shape, Text) and shape.text != "?" for shape in choice.shapes):
        return False
    here = choice.x, choice.y
    around = [shape for shape in choice.shapes if isinstance(shape, Circle | Polygon) and hit_test.holds(shape, here)]
    if any(shape.fill and hit_test.rim(shape, here) >= RADIUS * small for shape in around):
        return True
    return bool(around) and not any(off(*here, it) < RADIUS * small for it in standing if it.owner == PIECE)


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
    places: tuple[Point, ...],
    rooms: tuple[Obstacle, ...],
    obstacles: tuple[Obstacle, ...],
    small: float,
    inside: tuple[bool, ...],
) -> tuple[Point, ...]:
    """For each of these its own place if there is room inside, or one beside it, where a letter hides least."""
    seekers = [Seeker(number, places, rooms[number], obstacles, small) for number in range(len(places))]
    found: list[Point] = []
    for _ in range(3):  # the first look does not know where the later ones come to lie
        for number, seeker in enumerate(seekers):
            own = places[number] if inside[number] else seeker.best([*found[:number], *found[number + 1 :]])
            found[number : number + 1] = [own]
    return tuple(found)


class Seeker:
    """Looks for a place for the letter of one choice, from ring to ring."""

    def __init__(
        self, number: int, places: Sequence[Point], room: Obstacle, obstacles: Sequence[Obstacle], small: float
    ) -> None:
        self.here, self.unit, self.radius, self.room = places[number], APART * small, RADIUS * small, room
        self.inward = inward(number, places)
        marks = [(Obstacle(x, y, x, y, MARK), self.unit) for x, y in places]
        near = [(obstacle, self.radius) for obstacle in weighed(number, self.here, obstacles, 2 * self.unit)]
        self.reached = [
            (it.left - reach, it.right + reach, it.top - reach, it.bottom + reach, it, reach)
            for it, reach in [*marks, *near]
            if it.cost and off(*self.here, it) < RINGS[-1] * self.unit + reach
        ]
        self.seen: list[list[tuple[float, float, float]]] = []  # of each ring that was looked at

    def best(self, others: Sequence[Point]) -> Point:
        """The best place where letters are at the others already."""
        least = inf, *self.here
        for number, ring in enumerate(RINGS):
            if FAR * ring > least[0]:
                break
            if number == len(self.seen):
                self.seen.append(self.spots(ring))
            for bad, x, y in self.seen[number]:
                if bad > least[0]:
                    break
                more = sum(hidden(dist((x, y), other), 2 * self.radius) for other in others)
                least = min(least, (round(bad + LETTER * more, 6), x, y))
        return least[1:]

    def spots(self, ring: float) -> list[tuple[float, float, float]]:
        """How bad it is for the letter to be where it may be on a ring, and where that is; the best comes first."""
        radius, room = self.radius, self.room
        left, right, top, bottom = room.left + radius, room.right - radius, room.top + radius, room.bottom - radius
        found = []
        for (across, down), turned in zip(DIRECTIONS, self.inward, strict=True):
            x, y = (round(at + way * ring * self.unit, 3) for at, way in zip(self.here, (across, down), strict=True))
            if left <= x <= right and top <= y <= bottom:
                bad = FAR * ring + turned
                for begin, end, high, low, it, reach in self.reached:
                    if begin < x < end and high < y < low:  # most are not
                        bad += it.cost * hidden(off(x, y, it), reach)
                found.append((round(bad, 6), x, y))  # the same on every machine
        return sorted(found)


def inward(number: int, places: Sequence[Point]) -> list[float]:
    """How bad each direction is, as it leads to where the other choices are."""
    x, y = (places[number][axis] - fmean(place[axis] for place in places) for axis in (0, 1))
    away = hypot(x, y)
    return [INWARD * (1 - (across * x + down * y) / away) / 2 if away > 1 else 0 for across, down in DIRECTIONS]


def weighed(number: int, here: Point, obstacles: Sequence[Obstacle], room: float) -> Iterator[Obstacle]:
    """How bad it is for a choice's own letter to hide each: what is its own and has room for a letter may be hidden."""
    for obstacle in obstacles:
        if obstacle.owner == number or (obstacle.owner == PIECE and off(*here, obstacle) == 0):
            has_room = min(obstacle.right - obstacle.left, obstacle.bottom - obstacle.top) >= room
            yield obstacle._replace(cost=0 if has_room else OWN)
        else:
            yield obstacle


def off(x: float, y: float, obstacle: Obstacle) -> float:
    """How far a point is from an obstacle; 0 within it."""
    left, top, right, bottom, *_ = obstacle
    return hypot(max(left - x, x - right, 0), max(top - y, y - bottom, 0))


def hidden(away: float, reach: float) -> float:
    """How much a letter hides of what is so far from it: from a half on, if it hides anything."""
    return 1 - away / reach / 2 if away < reach - 1e-6 else 0


def drawn(choices: Sequence[Choice], where: dict[int, Point], small: float) -> list[Shape]:
    """The letters, each with a line to its choice where it is not beside it."""
    shapes: list[Shape] = []
    letters = names(choices) if where else []
    for number, (x, y) in where.items():
        choice = choices[number]
        if dist((x, y), (choice.x, choice.y)) > 1.25 * APART * small:
            shapes.append(Line(((x, y), (choice.x, choice.y)), "target", 1.5 * small, alpha=0.7))
    for number, (x, y) in where.items():
        shapes += [
            Circle(x, y, RADIUS * small, "target ink", "target", 2 * small),
            Text(x, y, letters[number], TYPE * small / len(letters[number]) ** 0.5, "target", bold=True),
        ]
    return shapes
