"""Where what a program holds lies on a picture of CrashCity."""

from __future__ import annotations

from crashlab.drawing.shapes import Map, Point
from crashlab.engine.table import NOWHERE
from crashlab.games import toolkit
from crashlab.games.boards import streets
from crashlab.games.crash_city import board
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w
from crashlab.games.crash_city.facts import Car

CARS = {f"{lead}{t.car_name(car)}": car for car in range(t.CARS) for lead in ("", "car ")}


def place_of(table: t.CrashCity, value: object) -> Point | None:
    """A tile, or a site on the map: (2, 0) or "2,0". A car wherever it is drawn: "A1", or one of `state.cars`.

    A lane: (2, 0, "N"), (2, 0, 0) or "2,0N"; sides and directions are letters, or numbers from N = 0 clockwise. A lane
    with the direction in which a car faces there, a little ahead: ((2, 0, "N"), "E") or "2,0N>E", and of a certain car
    ("A1", (2, 0, "N"), "E").
    """
    known = (value.lane or value.parked) if type(value) is Car else value
    return toolkit.place_of(table, known, (tile_at, lane_at, stand_at, car_at))


def tile_at(table: t.CrashCity, words: object) -> Point | None:
    """The middle of what lies between the lanes of a tile; on the map also that of a site without one."""
    seen, where = board.view(table), w.read_place(words)
    tile = t.tile_at(table, *where)
    if tile != NOWHERE:
        return board.block_at(table, seen, tile)
    place = board.middle(seen, streets.spot_of(*where))
    return place if Map(*board.MAP).holds(*place) else None


def lane_at(table: t.CrashCity, words: object) -> Point:
    """The middle of a lane."""
    return board.lane_at(table, board.view(table), read_lane(table, words))


def stand_at(table: t.CrashCity, words: object) -> Point | None:
    """The front of a lane in the direction in which one faces there."""
    parts = tuple(words.split(">")) if isinstance(words, str) else words
    if isinstance(parts, tuple) and len(parts) == 3 and parts[0] in CARS:
        parts = parts[1:]
    if not isinstance(parts, tuple) or len(parts) != 2:
        return None
    lane, facing = read_lane(table, parts[0]), read_direction(table, parts[1])
    return board.stand_at(table, board.view(table), lane, facing) if lane % 2 != facing % 2 else None


def car_at(table: t.CrashCity, words: object) -> Point | None:
    """Where a car is drawn."""
    car = CARS[words] if isinstance(words, str) and words in CARS else NOWHERE
    is_there = car != NOWHERE and table.where[car] != NOWHERE
    return board.car_at(table, board.view(table), car) if is_there else None


def read_lane(table: t.CrashCity, words: object) -> int:
    """The space of a lane, given as a word or by x, y and side."""
    if not isinstance(words, tuple) or len(words) != 3:
        return w.LANE.read(table, words)
    x, y, side = words
    return w.lane_on(table, w.read_tile(table, (x, y)), read_direction(table, side))


def read_direction(table: t.CrashCity, words: object) -> int:
    """A direction, given as a letter or by its number."""
    return words if isinstance(words, int) and words in range(4) else w.DIRECTION.read(table, words)
