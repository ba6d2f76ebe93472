"""What can be changed about a position of CrashCity by hand."""

from __future__ import annotations

from typing import Any

from crashlab.engine.notation import SEATS, changed
from crashlab.engine.prompts import Edit, Field
from crashlab.engine.table import NOWHERE
from crashlab.engine.words import seat_name
from crashlab.games.boards.streets import DIRECTIONS
from crashlab.games.crash_city import board
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w


def edits(table: t.CrashCity) -> tuple[Edit, ...]:
    """What can be set: where each car is and how it faces, each building and its owner, and whose turn it is."""
    seats = tuple(SEATS[: table.players[0]])
    asked = Edit("asked", "the turn", (Field("asked", seats, seat_name(table.asked[0])),))
    cars = [car_edit(table, car) for car, where in enumerate(table.where) if where != NOWHERE]
    built = [tile for tile in range(table.laid[0]) if table.building[tile] != NOWHERE]
    return (asked, *cars, *(building_edit(table, tile, seats) for tile in built))


def car_edit(table: t.CrashCity, car: int) -> Edit:
    """Where a car can be: on a connected lane, or at work; and the ways along its street."""
    seen = board.view(table)
    where = table.where[car]
    spaces = [space for space, flag in enumerate(table.joined) if flag]
    roofs = [t.ROOF + tile for tile in range(table.laid[0]) if table.building[tile] in (t.SHOP, t.FACTORY)]
    names = (
        *(w.lane_text(table, space) for space in spaces),
        *(w.tile_text(table, roof - t.ROOF) for roof in roofs),
    )
    places = (
        *(board.lane_at(table, seen, space) for space in spaces),
        *(board.block_at(table, seen, roof - t.ROOF) for roof in roofs),
    )
    fields = [Field("place", names, names[[*spaces, *roofs].index(where)], places)]
    if where < t.ROOF:
        ways = tuple(DIRECTIONS[way] for way in range(4) if way % 2 != where % 2)
        fields.append(Field("facing", ways, DIRECTIONS[table.facing[car]]))
    return Edit(f"car {t.car_name(car)}", f"car {t.car_name(car)}", tuple(fields))


def building_edit(table: t.CrashCity, tile: int, seats: tuple[str, ...]) -> Edit:
    """What a building can be, and whose."""
    name = w.tile_text(table, tile)
    fields = (
        Field("building", t.BUILDING_NAMES, t.BUILDING_NAMES[table.building[tile]]),
        Field("owner", seats, seat_name(table.owner[tile])),
    )
    return Edit(f"building {name}", f"the building on {name}", fields)


def edited(data: dict[str, Any], key: str, name: str, value: str) -> dict[str, Any]:
    """The position with this about the car, the building or the turn changed; all else stays."""
    kind, _, who = key.partition(" ")
    if kind == "asked":
        return {**data, "asked": value}
    if kind == "building":
        at = [int(number) for number in who.split(",")]
        tiles = [{**tile, name: value} if tile["at"] == at else tile for tile in data["tiles"]]
        return {**data, "tiles": tiles}
    car = "cars", who[0], int(who[1:]) - 1
    if name == "facing":
        return changed(data, (*car, "facing"), value)
    facing = data["cars"][car[1]][car[2]].get("facing", "N")
    return changed(data, car, car_at(value, facing))


def car_at(value: str, facing: str) -> dict[str, Any]:
    """A car on a lane or at work; it turns right if it would stand across the street."""
    if value[-1] not in DIRECTIONS:
        return {"parked": [int(number) for number in value.split(",")]}
    way = DIRECTIONS.index(facing)
    if way % 2 == DIRECTIONS.index(value[-1]) % 2:
        way = (way + 1) % 4
    at = [int(number) for number in value[:-1].split(",")]
    return {"at": at, "lane": value[-1], "facing": DIRECTIONS[way]}
