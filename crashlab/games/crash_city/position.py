"""Positions of CrashCity as text, as JSON, and back.

A position is one line, for example

    phase race; asked A; turn 12; tiles 1,0 NS house A / 2,0 NE shop B / 2,1 S; cars A 0,0N>E 2,0 / B 2,0N>W - 1,0S>E

The tiles stand in the order in which they were laid, each beside an earlier one, with their lanes and, if there is one,
the building and its owner. The cars stand in the order of their numbers, each on its lane and with the way it faces; a
tile alone, as in `2,0`, is where a car is parked, and `-` is a car that is not on the table yet.

By default the phase is `race`, or `site` if there are no cars; it is the turn of A, but while the city is built of
whoever comes after the last building; no turn of the race is over, and nobody has passed. The phases are `site`,
`reveal`, `rotate`, `build`, `car` of the construction, then `roll`, `race`, `crash` and `over`. In the phase `reveal`
the last tile is not known yet, and in the phase `rotate` not turned yet:

    phase reveal; asked B; tiles 1,0 NS house A / 2,0 ?; cars A 1,0N>E
    phase rotate; asked B; tiles 1,0 NS house A / 2,0 ?L; cars A 1,0N>E

In the phase `crash` a car was hit, pushed in a direction, and shares its space with the one that hit it; with the
option `chains` a part `moved A1 C2` names that one and others that cannot be hit any more in this turn:

    phase crash; asked A; hit B1; push E; tiles 1,0 NS / 2,0 NE; cars A 2,0N>E / B 2,0N>W

There is also `passes 1`, how many turns in a row were passes. What the players have not built yet follows from the
tiles.

The first position as JSON:

    {"phase": "race", "asked": "A", "turn": 12,
     "tiles": [{"at": [1, 0], "lanes": "NS", "building": "house", "owner": "A"}, "2,0 NE shop B", "2,1 S"],
     "cars": {"A": [{"at": [0, 0], "lane": "N", "facing": "E"}, {"parked": [2, 0]}], "B": "2,0N>W - 1,0S>E"}}
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from crashlab.boards.streets import DIRECTIONS, letters
from crashlab.errors import CrashlabError, shown
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city.impossible import named_problems, wrong_moment, wrong_places, wrong_question, wrong_stock
from crashlab.games.crash_city.refusals import along
from crashlab.games.crash_city.table import CrashCity
from crashlab.games.crash_city.words import (
    PHASES,
    car_name,
    close_up,
    lane_on,
    lane_words,
    place,
    place_text,
    read_car,
    read_direction,
    read_lanes,
    read_place,
    read_tile,
    seat_name,
    sides_words,
    standing,
    tile_words,
)
from crashlab.happen import NOWHERE
from crashlab.notation import (
    about,
    as_list,
    check_keys,
    chosen,
    fields,
    pieces,
    read_seat,
    refuse,
    sections,
    trimmed,
    unique,
    whole,
)
from crashlab.options import Value

# Positions

KEYS = ("phase", "asked", "turn", "passes", "hit", "push", "moved", "tiles", "cars")
TILE_KEYS = ("at", "lanes", "kind", "building", "owner")


def to_dict(table: CrashCity) -> dict[str, Any]:
    """The position as plain JSON."""
    hit = table.hit[0]
    data = {
        "phase": PHASES[table.phase[0]],
        "asked": seat_name(table.asked[0]),
        "turn": table.turn[0],
        "passes": table.passes[0],
        "hit": car_name(hit) if hit != NOWHERE else None,
        "push": DIRECTIONS[table.push[0]] if hit != NOWHERE else None,
        "moved": [car_name(car) for car in range(t.CARS) if table.moved[car]],
        "tiles": [tile_dict(table, tile) for tile in range(1, table.laid[0])],
        "cars": {seat_name(seat): cars for seat in range(t.SEATS) if (cars := own_cars(table, seat))},
    }
    return {key: value for key, value in data.items() if value not in (0, None, [], {})}


def tile_dict(table: CrashCity, tile: int) -> dict[str, Any]:
    """A tile as plain JSON."""
    entry: dict[str, Any] = {"at": list(place(table, tile))}
    if table.street[tile]:
        entry["lanes"] = letters(table.street[tile])
    elif table.kind[tile] != NOWHERE:
        entry["kind"] = t.KIND_NAMES[table.kind[tile]]
    if table.building[tile] != NOWHERE:
        entry["building"] = t.BUILDING_NAMES[table.building[tile]]
        entry["owner"] = seat_name(table.owner[tile])
    return entry


def own_cars(table: CrashCity, seat: int) -> list[dict[str, Any] | None]:
    """The cars of a seat as JSON, without the last ones that are not on the table."""
    return trimmed(car_dict(table, car) for car in range(t.OWN * seat, t.OWN * seat + t.OWN))


def car_dict(table: CrashCity, car: int) -> dict[str, Any] | None:
    """A car as plain JSON; None if it is not on the table."""
    where = table.where[car]
    if where == NOWHERE:
        return None
    if where >= t.ROOF:
        return {"parked": list(place(table, where - t.ROOF))}
    lane, facing = DIRECTIONS[where % 4], DIRECTIONS[table.facing[car]]
    return {"at": list(place(table, where // 4)), "lane": lane, "facing": facing}


def write(table: CrashCity) -> str:
    """The position as one line."""
    data = to_dict(table)
    lines = {
        "moved": " ".join(data.get("moved", ())),
        "tiles": " / ".join(map(tile_line, data.get("tiles", ()))),
        "cars": " / ".join(f"{seat} {' '.join(map(car_line, cars))}" for seat, cars in data.get("cars", {}).items()),
    }
    return "; ".join(f"{key} {lines.get(key, value)}" for key, value in data.items())


def tile_line(entry: Mapping[str, Any]) -> str:
    """A tile in the line, as in `2,0 NE shop B`."""
    words = [place_text(tuple(entry["at"])), entry.get("lanes", f"?{entry.get('kind', '')}")]
    return " ".join([*words, *(entry[key] for key in ("building", "owner") if key in entry)])


def car_line(entry: Mapping[str, Any] | None) -> str:
    """A car in the line: `2,0N>E`, parked `2,0`, or `-`."""
    if entry is None:
        return "-"
    if "parked" in entry:
        return place_text(tuple(entry["parked"]))
    return f"{place_text(tuple(entry['at']))}{entry['lane']}>{entry['facing']}"


def read(options: Mapping[str, Value], line: str) -> CrashCity:
    """The table of a position in one line; refused with the reason if it is malformed or impossible."""
    return from_dict(options, sections(line, KEYS))


def from_dict(options: Mapping[str, Value], data: Mapping[str, Any]) -> CrashCity:
    """The table of a position in JSON; refused with the reason if it is malformed or impossible."""
    check_keys(data, KEYS)
    if not {"phase", "tiles", "cars"} & set(data):
        raise CrashlabError("position: tiles and cars are needed, as in 'tiles 1,0 NS; cars A 1,0N>E', or 'phase site'")
    table = t.empty(options)
    for entry in parts(data.get("tiles", []), "tiles", "'1,0 NS house A / 2,0 NE'"):
        put_tile(table, entry)
    table.joined[:] = t.connected(table)
    put_cars(table, data.get("cars", {}))
    table.phase[0] = chosen(data["phase"], PHASES, "phase") if "phase" in data else default_phase(table)
    table.asked[0] = read_seat(data["asked"], table.players[0], "asked") if "asked" in data else default_asked(table)
    table.turn[0], table.passes[0] = (whole(data.get(key, 0), key) for key in ("turn", "passes"))
    put_hit(table, data)
    wrong = wrong_stock(table) + wrong_places(table) + wrong_moment(table)
    refuse(wrong or named_problems(table) or wrong_question(table))
    return table


def default_phase(table: CrashCity) -> int:
    """What is asked if a position does not say it: where there are cars, they race."""
    return t.SITE if table.where.count(NOWHERE) == t.CARS else t.RACE


def default_asked(table: CrashCity) -> int:
    """CC-B2: while the city grows, whoever comes after the last building; A else."""
    last = next((owner for owner in reversed(table.owner) if owner != NOWHERE), NOWHERE)
    if table.phase[0] == t.CAR and last != NOWHERE:
        return last
    return (last + 1) % table.players[0] if table.phase[0] < t.ROLL else 0


def parts(entries: object, key: str, example: str) -> Sequence[object]:
    """A list, or what is written with / between."""
    if isinstance(entries, str):
        return pieces(entries, "/")
    return as_list(entries, f"{key}: a list is wanted, or words as in {example}")


def put_tile(table: CrashCity, entry: object) -> None:
    """CC-B2: one more tile, from JSON or from words like `2,0 NE shop B`."""
    line = read_tile_line(entry) if isinstance(entry, str) else entry
    found = fields(line, TILE_KEYS, "tiles", "2,0 NE shop B")
    with about(f"tiles, {shown(entry)}"):
        x, y = read_place(found.get("at"))
        building, owner = NOWHERE, NOWHERE
        if "building" in found or "owner" in found:
            building = chosen(found.get("building"), t.BUILDING_NAMES, "building")
            owner = read_seat(found.get("owner"), table.players[0], "owner")
        lanes = read_lanes(found["lanes"]) if "lanes" in found else 0
        kind = chosen(found["kind"], t.KIND_NAMES, "kind") if "kind" in found else t.KIND_OF[lanes]
        if lanes and kind != t.KIND_OF[lanes]:
            raise CrashlabError(f"a tile with {sides_words(lanes)} is of kind {t.KIND_NAMES[t.KIND_OF[lanes]]} (CC-G6)")
        tile = t.place_tile(table, x, y, lanes, building, owner)
    table.kind[tile] = kind


def read_tile_line(line: str) -> dict[str, str]:
    """A tile that is written like `2,0 NE shop B`, as it would stand in JSON."""
    words = close_up(line.strip()).split()
    if words and (stuck := re.fullmatch(r"(.*[0-9])([NESWnesw])", words[0])):
        words[:1] = [stuck[1], stuck[2]]
    if len(words) not in (2, 4):
        raise CrashlabError(f"tiles: cannot read {shown(line)}; write a tile like '2,0 NE shop B', or '2,0 NE'")
    at, lanes, *built = words
    entry = {"at": at} | dict(zip(("building", "owner"), built, strict=False))
    if not lanes.startswith("?"):
        return entry | {"lanes": lanes}
    return entry | ({"kind": lanes[1:]} if lanes[1:] else {})


def put_cars(table: CrashCity, entry: object) -> None:
    """CC-B1: the cars of every seat."""
    if isinstance(entry, str):
        pairs = [part.partition(" ")[::2] for part in pieces(entry, "/")]
    elif isinstance(entry, Mapping):
        pairs = list(entry.items())
    else:
        raise CrashlabError(f"cars: seats with cars are wanted, as in 'A 0,0N>E / B 2,0N>W', not {shown(entry)}")
    named = ((read_seat(name, table.players[0], "cars"), cars) for name, cars in pairs)
    for seat, cars in unique("cars", named, seat_name).items():
        put_own_cars(table, seat, cars)


def put_own_cars(table: CrashCity, seat: int, entry: object) -> None:
    """CC-B1: the cars of one seat, in the order of their numbers."""
    name = f"cars, {seat_name(seat)}"
    words = close_up(entry).split() if isinstance(entry, str) else entry
    cars = as_list(words, f"{name}: a list is wanted, or words as in '0,0N>E 2,0'")
    if len(cars) > t.OWN:
        raise CrashlabError(f"{name}: {len(cars)} cars are too many; everybody has {t.OWN} (CC-B1)")
    for number, car in enumerate(cars):
        if car not in (None, "-"):
            with about(f"{name}, {shown(car)}"):
                put_car(table, t.OWN * seat + number, car)


def put_car(table: CrashCity, car: int, entry: object) -> None:
    """CC-G2, CC-R2: one car on its lane, or parked on its tile."""
    found = read_car_line(entry) if isinstance(entry, str) else entry
    keys = set(found) if isinstance(found, Mapping) else set()
    if not isinstance(found, Mapping) or keys not in ({"at", "lane", "facing"}, {"parked"}):
        raise CrashlabError(
            "write a car like '2,0N>E', or '2,0' if it is parked; or give at, lane and facing, or only parked"
        )
    if "parked" in found:
        tile = read_tile(table, found["parked"])
        if table.building[tile] not in (t.SHOP, t.FACTORY):
            raise CrashlabError(f"on {tile_words(table, tile)} there is no shop or factory to park at (CC-R2)")
        table.where[car] = t.ROOF + tile
        return
    place = lane_on(table, read_tile(table, found["at"]), read_direction(found["lane"]))
    facing = read_direction(found["facing"])
    if not table.joined[place]:
        raise CrashlabError(f"{lane_words(table, place)} is not connected to the streets of the square (CC-B6)")
    if facing % 2 == place % 2:
        raise CrashlabError(f"a car on {lane_words(table, place)} faces {along(place)}, along its street (CC-G2)")
    table.where[car], table.facing[car] = place, facing


def read_car_line(word: str) -> dict[str, str]:
    """A car that is written like `2,0N>E`, or `2,0` if it is parked, as it would stand in JSON."""
    place, arrow, facing = word.partition(">")
    lane = re.fullmatch(r"(.*[0-9)])\s*([A-Za-z])\s*", place)
    if not arrow and lane:
        raise CrashlabError(f"how does it face? As in '{word}>{along(chosen(lane[2], DIRECTIONS, 'lane'))[0]}'")
    entry = {"at": lane[1], "lane": lane[2]} if lane else {"parked": place}
    return entry | ({"facing": facing} if arrow else {})


def put_hit(table: CrashCity, data: Mapping[str, Any]) -> None:
    """CC-R6, CC-C4: the car that was hit, in which direction, and the cars that cannot be hit any more."""
    if "hit" in data:
        table.hit[0] = read_car(table, data["hit"])
    if "push" in data:
        table.push[0] = read_direction(data["push"])
    moved = data.get("moved", [])
    for car in as_list(moved.split() if isinstance(moved, str) else moved, "moved: cars are wanted, as in 'A1 B1'"):
        table.moved[read_car(table, car)] = 1
    if table.chains[0] and table.hit[0] != NOWHERE:
        for car in standing(table, table.where[table.hit[0]]):
            table.moved[car] = max(table.moved[car], int(car != table.hit[0]))
