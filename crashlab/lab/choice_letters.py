"""Letters that name the choices on the board, placed so that they hide no piece, label or other letter."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import cos, dist, hypot, inf, sin, tau
from statistics import fmean
from typing import NamedTuple

from crashlab.drawing.shapes import Circle, Line, Picture, Piece, Point, Polygon, Shape, Text, box, placed, slab
from crashlab.drawing.zoom import Lens
from crashlab.engine.prompts import Choice
from crashlab.lab import hit_test
from crashlab.lab.show_of_hands import of_a_game

RADIUS, TYPE = 11.0, 17.0  # radius of a letter's disc, and height of its type
APART = 25.0  # distance between two letters, and between a letter and a choice
RINGS = 0.0, 1.0, 1.2, 1.5, 1.9, 2.4, 3.0, 3.7, 4.5  # distances from the choice, in units of APART; 0 is a label's tab
TURNS = 24  # number of directions of a ring
DIRECTIONS = [(cos(turn * tau / TURNS), sin(turn * tau / TURNS)) for turn in range(TURNS)]
LARGE = 90.0  # pixels: a larger piece is background, except for its words and its filled shapes, such as a card
LETTER, MARK, OWN_MARK, WORDS = (
    6.0,
    4.0,
    1.0,
    0.5,
)  # costs of hiding a letter, a piece or label, the choice's own mark, words
FAR, INWARD = 0.25, 0.2  # cost per APART of distance, cost of facing the other choices
PIECE, NOBODY = -1, -2  # owners: any choice at the place of the piece; no choice


class Obstacle(NamedTuple):
    """A rectangle to avoid, the cost of hiding it, and the choice it belongs to."""

    left: float
    top: float
    right: float
    bottom: float
    cost: float
    owner: int = NOBODY


def lettered(choices: Sequence[Choice], picture: Picture) -> list[int]:
    """Return the indices of the choices that get a letter; empty if all are labelled already or there are too many."""
    there = [number for number, choice in enumerate(choices) if 0 <= choice.x <= picture.width and choice.y >= 0]
    is_named = all(any(isinstance(shape, Text) for shape in choices[number].shapes) for number in there)
    return [] if is_named or not 2 <= len(choices) <= len(names(choices)) else there


def names(choices: Sequence[Choice]) -> list[str]:
    """Return the letters for choices, without letters that are used on their marks or as their words."""
    marks = {shape.text for choice in choices for shape in choice.shapes if isinstance(shape, Text)}
    return of_a_game(marks | {choice.word for choice in choices})


def letters(
    choices: Sequence[Choice], picture: Picture, lens: Lens | None, labels: Sequence[Shape] = ()
) -> dict[int, Point]:
    """Return the positions of the letters, by the index of their choice.

    `labels` are further shapes that must not be hidden, besides the picture and the choices.
    """
    there = lettered(choices, picture)
    if not there:
        return {}
    places = tuple((choices[number].x, choices[number].y) for number in there)
    rooms = tuple(room(place, picture, lens) for place in places)
    small = lens.small if lens else 1.0
    standing = standing_in(picture)
    obstacles = (*shown_by([choices[number] for number in there]), *standing, *obstacles_in(labels, MARK))
    inside = tuple(spots_inside(choices[number], standing, small) for number in there)
    return dict(zip(there, spread(places, rooms, obstacles, small, inside), strict=True))


def spots_inside(choice: Choice, standing: Sequence[Obstacle], small: float) -> tuple[Point, ...]:
    """Return the points for a letter in a choice: its middle if that is free, or a tab at each side of a label."""
    here, radius, around = (choice.x, choice.y), RADIUS * small, sheets(choice)
    if around and is_label(choice):
        left, top, right, bottom = box(around)
        x, y = (left + right) / 2, (top + bottom) / 2
        return (left - radius, y), (right + radius, y), (x, top - radius), (x, bottom + radius)
    if any(shape.fill and hit_test.rim(shape, here) >= radius for shape in around):
        return (here,)
    is_free = not any(off(*here, it) < radius for it in standing if it.owner == PIECE)
    return (here,) if around and is_free else ()


def is_label(choice: Choice) -> bool:
    """Return whether a choice shows its own words."""
    return any(isinstance(shape, Text) and shape.text != "?" for shape in choice.shapes)


def sheets(choice: Choice) -> list[Polygon | Circle]:
    """Return the closed shapes round a choice's place."""
    here = choice.x, choice.y
    return [shape for shape in choice.shapes if isinstance(shape, Circle | Polygon) and hit_test.holds(shape, here)]


def room(place: Point, picture: Picture, lens: Lens | None) -> Obstacle:
    """Return the area for a letter: the visible part of the map if its place is on the map, else the picture."""
    if lens is None or not lens.map.holds(*place):
        return Obstacle(0, 0, picture.width, picture.height, 0)
    wide = (lens.map.right - lens.map.left) / lens.zoom / 2
    high = (lens.map.bottom - lens.map.top) / lens.zoom / 2
    x, y = min(max(place[0], lens.x - wide), lens.x + wide), min(max(place[1], lens.y - high), lens.y + high)
    if (x, y) != place:  # the place itself is not visible
        return Obstacle(lens.map.left, lens.map.top, lens.map.right, lens.map.bottom, 0)
    return Obstacle(lens.x - wide, lens.y - high, lens.x + wide, lens.y + high, 0)


def shown_by(choices: Sequence[Choice]) -> Iterator[Obstacle]:
    """Return the obstacles that choices show: labels, discs and outlines, but no lines."""
    for owner, choice in enumerate(choices):
        is_tag = any(isinstance(shape, Text) for shape in choice.shapes)
        yield from (
            obstacle._replace(owner=NOBODY if is_tag else owner) for obstacle in obstacles_in(choice.shapes, MARK)
        )


def standing_in(picture: Picture) -> list[Obstacle]:
    """Return the pieces and the words of a picture as obstacles."""
    words = obstacles_in([shape for shape in picture.board if isinstance(shape, Text)], WORDS)
    return [*(obstacle for piece in picture.pieces for obstacle in obstacles_of(piece)), *words]


@lru_cache(maxsize=1024)
def obstacles_of(piece: Piece) -> tuple[Obstacle, ...]:
    """Return a piece as an obstacle; if it is large, its filled shapes and its words."""
    shapes = placed(piece)
    whole = [obstacle._replace(owner=PIECE) for obstacle in obstacles_in([shapes], MARK)] if shapes else []
    if whole:
        return tuple(whole)
    sheets = [Obstacle(*box([it]), MARK, PIECE) for it in shapes if isinstance(it, Polygon) and it.fill]
    return (*obstacles_in([shape for shape in shapes if isinstance(shape, Text)], WORDS), *sheets)


def obstacles_in(drawings: Sequence[Shape | tuple[Shape, ...]], cost: float) -> list[Obstacle]:
    """Return the boxes of shapes, or of groups of shapes, as obstacles, without lines and large shapes."""
    some = [
        drawing if isinstance(drawing, tuple) else (drawing,) for drawing in drawings if not isinstance(drawing, Line)
    ]
    boxes = [box(shapes) for shapes in some]
    return [Obstacle(*edges, cost) for edges in boxes if min(edges[2] - edges[0], edges[3] - edges[1]) <= LARGE]


@lru_cache(maxsize=64)
def spread(
    places: tuple[Point, ...],
    rooms: tuple[Obstacle, ...],
    obstacles: tuple[Obstacle, ...],
    small: float,
    inside: tuple[tuple[Point, ...], ...],
) -> tuple[Point, ...]:
    """Return the position of every letter: inside its choice if there is room, else where it hides least."""
    seekers = [Seeker(number, places, rooms[number], obstacles, small, inside[number]) for number in range(len(places))]
    spots: list[Point] = []
    for _ in range(3):  # the first pass does not know the positions of the later letters
        for number, seeker in enumerate(seekers):
            spots[number : number + 1] = [seeker.best([*spots[:number], *spots[number + 1 :]])]
    return tuple(spots)


class Seeker:
    """A search for the place of one choice's letter, ring by ring."""

    def __init__(
        self,
        number: int,
        places: Sequence[Point],
        room: Obstacle,
        obstacles: Sequence[Obstacle],
        small: float,
        inside: Sequence[Point],
    ) -> None:
        self.inside = inside
        self.here, self.unit, self.radius, self.room = places[number], APART * small, RADIUS * small, room
        self.inward = inward(number, places)
        marks = [(Obstacle(x, y, x, y, MARK), self.unit) for x, y in places]
        (x, y), far = self.here, RINGS[-1] * self.unit + self.radius
        close = [it for it in obstacles if abs(2 * x - it.left - it.right) < 2 * far + it.right - it.left]
        close = [it for it in close if abs(2 * y - it.top - it.bottom) < 2 * far + it.bottom - it.top]
        near = [(it, self.radius) for it in weighed(number, self.here, close, 0 if inside else 2 * self.unit)]
        self.reached = [
            (it.left - reach, it.right + reach, it.top - reach, it.bottom + reach, it, reach)
            for it, reach in [*marks, *near]
            if it.cost and off(*self.here, it) < RINGS[-1] * self.unit + reach
        ]
        self.seen: list[list[tuple[float, float, float]]] = []  # the spots of each ring searched

    def best(self, others: Sequence[Point]) -> Point:
        """Return the best place, given the positions of the other letters."""
        if len(self.inside) == 1:
            return self.inside[0]
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
        """Return the possible spots on a ring as (cost, x, y), the best first."""
        radius, room = self.radius, self.room
        left, right, top, bottom = room.left + radius, room.right - radius, room.top + radius, room.bottom - radius
        (x, y), away = self.here, ring * self.unit
        around = [(x + away * across, y + away * down) for across, down in DIRECTIONS]
        points = zip(around, self.inward, strict=True) if ring else ((point, 0.0) for point in self.inside)
        spots = []
        for point, cost in points:
            x, y = (round(at, 3) for at in point)
            bad = FAR * ring + cost
            if left <= x <= right and top <= y <= bottom:
                for begin, end, high, low, it, reach in self.reached:
                    if begin < x < end and high < y < low:  # rarely true
                        bad += it.cost * hidden(off(x, y, it), reach)
                spots.append((round(bad, 6), x, y))  # rounded to be the same on every machine
        return sorted(spots)


def inward(number: int, places: Sequence[Point]) -> list[float]:
    """Return the cost of each direction, highest towards the other choices."""
    x, y = (places[number][axis] - fmean(place[axis] for place in places) for axis in (0, 1))
    away = hypot(x, y)
    return [INWARD * (1 - (across * x + down * y) / away) / 2 if away > 1 else 0 for across, down in DIRECTIONS]


def weighed(number: int, here: Point, obstacles: Sequence[Obstacle], room: float) -> Iterator[Obstacle]:
    """Yield the obstacles with their costs for the letter of one choice.

    Hiding one of the choice's own marks, or the piece at its place, costs OWN_MARK, or 0 if it is at least `room` wide.
    """
    for obstacle in obstacles:
        if obstacle.owner == number or (obstacle.owner == PIECE and off(*here, obstacle) == 0):
            has_room = min(obstacle.right - obstacle.left, obstacle.bottom - obstacle.top) >= room
            yield obstacle._replace(cost=0 if has_room else OWN_MARK)
        else:
            yield obstacle


def off(x: float, y: float, obstacle: Obstacle) -> float:
    """Return the distance of a point from an obstacle; 0 inside."""
    left, top, right, bottom, *_ = obstacle
    return hypot(max(left - x, x - right, 0), max(top - y, y - bottom, 0))


def hidden(away: float, reach: float) -> float:
    """Return the fraction of an obstacle that a letter hides at a distance: 1 down to a half, or 0 out of reach."""
    return 1 - away / reach / 2 if away < reach - 1e-6 else 0


def tab(choice: Choice, letter: Point, small: float) -> Polygon | None:
    """Return the tab of a label under its letter; None if it is no label or the letter does not touch it."""
    (x, y), edge = letter, RADIUS * small + 3
    around = sheets(choice) if is_label(choice) else []
    if not any(hit_test.rim(shape, letter) < edge + 2 for shape in around):
        return None
    return Polygon(
        slab(x - edge, y - edge, x + edge, y + edge, 4 * small), around[-1].fill, around[-1].stroke, 2 * small
    )


def drawn(choices: Sequence[Choice], where: dict[int, Point], small: float) -> Iterator[Shape]:
    """Draw the letters, joined to labels by tabs, or with a line to a choice that is not next to its letter."""
    letters = names(choices) if where else []
    for number, (x, y) in where.items():
        choice = choices[number]
        if sheet := tab(choice, (x, y), small):
            yield from (sheet, *sheets(choice), *(shape for shape in choice.shapes if isinstance(shape, Text)))
        elif dist((x, y), (choice.x, choice.y)) > 1.25 * APART * small:
            yield Line(((x, y), (choice.x, choice.y)), "target", 1.5 * small, alpha=0.7)
    for number, (x, y) in where.items():
        yield from (
            Circle(x, y, RADIUS * small, "target ink", "target", 2 * small),
            Text(x, y, letters[number], TYPE * small / len(letters[number]) ** 0.5, "target", bold=True),
        )
