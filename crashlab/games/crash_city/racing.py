"""How drives, parking and ways out are offered at the board of CrashCity: as cards where they lead to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import dist

from crashlab.drawing import primitives as kit
from crashlab.drawing.shapes import Line, Piece, Point, Polygon, Shape, Text, placed, slab, star
from crashlab.engine.prompts import Choice
from crashlab.engine.table import NOWHERE
from crashlab.games.boards.streets import DIRECTIONS
from crashlab.games.crash_city import board, moves
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w
from crashlab.games.crash_city.decisions import said

# In tiles. Cards on different lanes leave each other free, and so do cards and cars: see LANE.
LONG, WIDE = 0.23, 0.125  # half a card on a lane, with its edge
CAR_LONG, CAR_WIDE = 0.28, 0.135  # half a car
SIGN = 0.18  # half a card on which a car parks
# Beside a lane, in tiles: how far from its middle towards the middle of its tile, and how far along it.
PARK_SPOTS = tuple((across, along) for across in (0.37, 0.74) for along in (0.0, 0.37, -0.37))
CRASH_SPOTS = tuple(
    (across, along) for across in (0.265, 0.53, -0.28, -0.545, 0.795) for along in (0.0, 0.3, -0.3, 0.5, -0.5)
)


def raced(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """CC-R1, CC-C: drives and ways out, those that lead far first, so that their ways do not cover the others."""
    ways = {code: moves.move(table, code) for code in codes if t.sort_of(code) in (t.DRIVE, t.MAKE_WAY)}
    places = spread(table, codes, ways)
    found = [race_choice(table, code, ways.get(code), place) for code, place in zip(codes, places, strict=True)]
    if not ways:
        return tuple(found)
    x, y = board.car_at(table, board.view(table), next(iter(ways.values())).car)
    return tuple(sorted(found, key=lambda choice: -abs(choice.x - x) - abs(choice.y - y)))


def race_choice(table: t.CrashCity, code: int, done: moves.Move | None, place: Point) -> Choice:
    """A choice of the race, with its card at a place."""
    word = said(table, code)
    if done:
        return Choice(word, move_words(table, done), *place, move_shapes(table, done, place), word)
    if t.sort_of(code) == t.PARK:
        car = car_of(code)
        shapes = parking_shapes(table, board.view(table), car, place)
        return Choice(word, park_words(table, car), *place, shapes, word)
    return Choice(word, "pass: no car can park or drive", *place, kit.ticket(place, "pass", 24.8, 14, 15), word)


def car_of(code: int) -> int:
    """The car of an action of the race; 0 for a pass."""
    rest = code % t.SORT
    return rest // t.SPACE if t.sort_of(code) == t.DRIVE else rest


def spots(table: t.CrashCity, seen: board.View, code: int, done: moves.Move | None) -> tuple[Point, list[Point]]:
    """Half the size of a card of the race, and where it can lie: on a lane, or beside one on which a car stands."""
    if done:
        lane = board.lane_at(table, seen, done.spaces[-1])
        side = done.spaces[-1] % 4
        near = [lane] if done.hit == NOWHERE else beside_lane(lane, side, seen.unit, CRASH_SPOTS)
        return sides(LONG, WIDE, done.facing, seen.unit), near
    if t.sort_of(code) == t.PARK:
        where = table.where[car_of(code)]
        near = beside_lane(board.lane_at(table, seen, where), where % 4, seen.unit, PARK_SPOTS)
        return sides(SIGN, SIGN, 0, seen.unit), near
    return (30.0, 14.0), [
        ((board.AREA[0] + board.AREA[2]) / 2, board.AREA[3] - board.RULER - 22)
    ]  # the ticket of a pass


def spread(table: t.CrashCity, codes: Sequence[int], ways: Mapping[int, moves.Move]) -> list[Point]:
    """Where the cards of these actions lie, so that none covers a car or another card, as long as there is room."""
    seen = board.view(table)
    street = [car for car, where in enumerate(table.where) if NOWHERE < where < t.ROOF]
    taken = [
        (*board.car_at(table, seen, car), *sides(CAR_LONG, CAR_WIDE, table.facing[car], seen.unit)) for car in street
    ]
    wanted = {code: spots(table, seen, code, ways.get(code)) for code in codes}
    places: dict[int, Point] = {}
    for code in sorted(codes, key=lambda code: len(wanted[code][1])):  # first those that have no other place
        size, near = wanted[code]
        places[code] = next((spot for spot in near if board.is_free(spot, size, taken)), near[0])
        taken.append((*places[code], *size))
    return [places[code] for code in codes]


def sides(long: float, wide: float, facing: int, unit: float) -> Point:
    """Half the width and half the height of something that lies along a direction."""
    return (long * unit, wide * unit) if facing % 2 else (wide * unit, long * unit)


def beside_lane(lane: Point, side: int, unit: float, steps: Sequence[Point]) -> list[Point]:
    """Places beside the middle of a lane on this side of its tile."""
    inwards = [(kit.towards(lane, side, -across * unit), along) for across, along in steps]
    return [kit.towards(place, (side + 1) % 4, along * unit) for place, along in inwards]


def move_words(table: t.CrashCity, done: moves.Move) -> str:
    """A move in words: forward 2 to 2,0N, facing E."""
    words = f"{done.words} to {w.lane_text(table, done.spaces[-1])}, facing {DIRECTIONS[done.facing]}"
    return words if done.hit == NOWHERE else f"crash into {t.car_name(done.hit)}: {words}"


def park_words(table: t.CrashCity, car: int) -> str:
    """Where a car would park, in words."""
    tile = table.where[car] >> 2
    return f"{t.car_name(car)}: park at the {t.BUILDING_NAMES[table.building[tile]]} on {w.tile_text(table, tile)}"


def move_shapes(table: t.CrashCity, done: moves.Move, place: Point) -> tuple[Shape, ...]:
    """The way of a move, and at a place a card with the mark of the manoeuvre that points where the car would face.

    At a crash the way ends with a star at the car that is hit, and leads on to the card beside it.
    """
    seen = board.view(table)
    points = board.road(table, seen, done.spaces)
    seat = done.car // t.OWN
    points = (towards_point(board.car_at(table, seen, done.car), points[1], 0.16 * seen.unit), *points[1:])
    burst: tuple[Shape, ...] = ()
    if done.hit != NOWHERE:
        bump = kit.towards(points[-1], done.push, -0.36 * seen.unit)
        points = (*points[:-1], bump)
        burst = crash_shapes(bump, place, seat, seen.unit)
    return (
        *kit.way(points, f"seat {seat}", max(1.6, 0.03 * seen.unit), max(3.2, 0.06 * seen.unit), 0.35, arrow=False),
        *burst,
        *placed(Piece("", *place, goal_shapes(seat, done.mark, seen.unit), board.angle_of(done.facing))),
    )


def crash_shapes(bump: Point, place: Point, seat: int, unit: float) -> tuple[Shape, ...]:
    """A star where the cars meet, and a thin line from there to the card of the crash."""
    return (
        Line((bump, place), f"seat {seat}", max(1.6, 0.03 * unit)),
        Polygon(star(*bump, 0.13 * unit, 0.075 * unit, 8), "flash", "flash edge", 0.02 * unit),
    )


@cache
def goal_shapes(seat: int, mark: str, unit: float) -> tuple[Shape, ...]:
    """Where a car could stand, facing east: a card that points ahead, with a mark and an edge in the seat's colour."""
    edge = 0.02 * unit
    long, wide = LONG * unit - edge, WIDE * unit - edge
    card = ((long, 0), (0.5 * long, wide), (-long, wide), (-long, -wide), (0.5 * long, -wide))
    return (
        Polygon(card, "ticket", "path edge", 2 * edge),
        Polygon(card, "ticket", f"seat {seat}", 1.3 * edge),
        Text(-0.1 * long, 0, mark, max(16.0, 0.21 * unit), "ticket ink", bold=True),
    )


def towards_point(start: Point, end: Point, length: float) -> Point:
    """The point at `length` from the start on the way to the end."""
    far = max(dist(start, end), length)
    return start[0] + length * (end[0] - start[0]) / far, start[1] + length * (end[1] - start[1]) / far


def parking_shapes(table: t.CrashCity, seen: board.View, car: int, place: Point) -> tuple[Shape, ...]:
    """A card with a P, and a line to the car that would park."""
    x, y = place
    paint = f"seat {car // t.OWN}"
    size = (SIGN - 0.02) * seen.unit
    ends = towards_point(board.car_at(table, seen, car), place, 0.13 * seen.unit), place
    card = slab(x - size, y - size, x + size, y + size, 0.25 * size)
    return (
        *kit.way(ends, paint, 2.5, 5, 0.5, arrow=False),
        Polygon(card, "ticket", "path edge", 0.04 * seen.unit),
        Polygon(card, "ticket", paint, 0.026 * seen.unit),
        Text(x, y, "P", max(16.0, 0.24 * seen.unit), "ticket ink", bold=True),
    )
