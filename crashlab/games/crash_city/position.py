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

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine import words as kinds
from crashlab.engine.notation import about, as_list, chosen, fields, pieces, read_seat, trimmed, unique
from crashlab.engine.position import NEEDED, Part, single
from crashlab.engine.table import NOWHERE
from crashlab.engine.words import seat_name
from crashlab.games.boards.streets import DIRECTIONS, letters
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w
from crashlab.games.crash_city.decisions import PHASE
from crashlab.games.crash_city.impossible import impossible
from crashlab.games.crash_city.refusals import along
from crashlab.games.crash_city.table import CrashCity

__all__ = ["PARTS", "impossible"]

TILE_KEYS = ("at", "lanes", "kind", "building", "owner")


# What is said of a position


def default_phase(table: CrashCity) -> Any:
    """What is asked if a position does not say it: where there are cars, they race."""
    if table.where.count(NOWHERE) < t.CARS:
        return t.RACE
    return t.SITE if table.laid[0] > 1 else NEEDED


def default_asked(table: CrashCity) -> int:
    """CC-B2: while the city grows, whoever comes after the last building; A else."""
    last = next((owner for owner in reversed(table.owner) if owner != NOWHERE), NOWHERE)
    if table.phase[0] == t.CAR and last != NOWHERE:
        return last
    return (last + 1) % table.players[0] if t.is_growing(table) else 0


def moved_names(table: CrashCity) -> list[str]:
    """The cars that cannot be hit any more in this turn."""
    return [t.car_name(car) for car in range(t.CARS) if table.moved[car]]


def tile_dicts(table: CrashCity) -> list[dict[str, Any]]:
    """The tiles besides the square, as plain JSON."""
    return [tile_dict(table, tile) for tile in range(1, table.laid[0])]


def tile_dict(table: CrashCity, tile: int) -> dict[str, Any]:
    """A tile as plain JSON."""
    entry: dict[str, Any] = {"at": list(t.place(table, tile))}
    if table.street[tile]:
        entry["lanes"] = letters(table.street[tile])
    elif table.kind[tile] != NOWHERE:
        entry["kind"] = t.KIND_NAMES[table.kind[tile]]
    if table.building[tile] != NOWHERE:
        entry["building"] = t.BUILDING_NAMES[table.building[tile]]
        entry["owner"] = seat_name(table.owner[tile])
    return entry


def car_dicts(table: CrashCity) -> dict[str, list[dict[str, Any] | None]]:
    """The cars of every seat that has some on the table, as plain JSON."""
    return {seat_name(seat): cars for seat in range(t.SEATS) if (cars := own_cars(table, seat))}


def own_cars(table: CrashCity, seat: int) -> list[dict[str, Any] | None]:
    """The cars of a seat as JSON, without the last ones that are not on the table."""
    return trimmed(car_dict(table, car) for car in range(t.OWN * seat, t.OWN * seat + t.OWN))


def car_dict(table: CrashCity, car: int) -> dict[str, Any] | None:
    """A car as plain JSON; None if it is not on the table."""
    where = table.where[car]
    if where == NOWHERE:
        return None
    if where >= t.ROOF:
        return {"parked": list(t.place(table, where - t.ROOF))}
    lane, facing = DIRECTIONS[where % 4], DIRECTIONS[table.facing[car]]
    return {"at": list(t.place(table, where // 4)), "lane": lane, "facing": facing}


def tile_line(entry: Mapping[str, Any]) -> str:
    """A tile in the line, as in `2,0 NE shop B`."""
    words = [w.place_text(tuple(entry["at"])), entry.get("lanes", f"?{entry.get('kind', '')}")]
    return " ".join([*words, *(entry[key] for key in ("building", "owner") if key in entry)])


def tiles_line(entries: Sequence[Mapping[str, Any]]) -> str:
    """The tiles in the line."""
    return " / ".join(map(tile_line, entries))


def car_line(entry: Mapping[str, Any] | None) -> str:
    """A car in the line: `2,0N>E`, parked `2,0`, or `-`."""
    if entry is None:
        return "-"
    if "parked" in entry:
        return w.place_text(tuple(entry["parked"]))
    return f"{w.place_text(tuple(entry['at']))}{entry['lane']}>{entry['facing']}"


def cars_line(entries: Mapping[str, Sequence[Mapping[str, Any] | None]]) -> str:
    """The cars in the line."""
    return " / ".join(f"{seat} {' '.join(map(car_line, cars))}" for seat, cars in entries.items())


# What a person says of a position


def put_moved(table: CrashCity, entry: object) -> None:
    """CC-C4: cars that cannot be hit any more in this turn."""
    cars = entry.split() if isinstance(entry, str) else entry
    for car in as_list(cars, "moved: cars are wanted, as in 'A1 B1'"):
        table.moved[w.CAR.read(table, car)] = 1


def put_tiles(table: CrashCity, entry: object) -> None:
    """CC-B2: the tiles, in the order in which they were laid."""
    wanted = "tiles: a list is wanted, or words as in '1,0 NS house A / 2,0 NE'"
    for tile in pieces(entry, "/") if isinstance(entry, str) else as_list(entry, wanted):
        put_tile(table, tile)
    table.joined[:] = t.connected(table)


def put_tile(table: CrashCity, entry: object) -> None:
    """CC-B2: one more tile, from JSON or from words like `2,0 NE shop B`."""
    line = read_tile_line(entry) if isinstance(entry, str) else entry
    found = fields(line, TILE_KEYS, "tiles", "2,0 NE shop B")
    with about("tiles", entry):
        x, y = w.read_place(found.get("at"))
        building, owner = NOWHERE, NOWHERE
        if "building" in found or "owner" in found:
            building = w.BUILDING.read(table, found.get("building"))
            owner = read_seat(found.get("owner"), table.players[0], "owner")
        lanes = w.LANES.read(table, found["lanes"]) if "lanes" in found else 0
        kind = chosen(found["kind"], t.KIND_NAMES, "kind") if "kind" in found else t.KIND_OF[lanes]
        if lanes and kind != t.KIND_OF[lanes]:
            raise CrashlabError(
                f"a tile with {w.sides_words(lanes)} is of kind {t.KIND_NAMES[t.KIND_OF[lanes]]} (CC-G6)"
            )
        tile = t.place_tile(table, x, y, lanes, building, owner)
    table.kind[tile] = kind


def read_tile_line(line: str) -> dict[str, str]:
    """A tile that is written like `2,0 NE shop B`, as it would stand in JSON."""
    words = w.close_up(line.strip()).split()
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
    """CC-B1: the cars of every seat; CC-C4: the one that has just hit another one cannot be hit any more."""
    if isinstance(entry, str):
        pairs = [part.partition(" ")[::2] for part in pieces(entry, "/")]
    elif isinstance(entry, Mapping):
        pairs = list(entry.items())
    else:
        raise CrashlabError(f"cars: seats with cars are wanted, as in 'A 0,0N>E / B 2,0N>W', not {shown(entry)}")
    named = ((read_seat(name, table.players[0], "cars"), cars) for name, cars in pairs)
    for seat, cars in unique("cars", named, seat_name).items():
        put_own_cars(table, seat, cars)
    if table.chains[0] and table.hit[0] != NOWHERE:
        for car in t.standing(table, table.where[table.hit[0]]):
            table.moved[car] = max(table.moved[car], int(car != table.hit[0]))


def put_own_cars(table: CrashCity, seat: int, entry: object) -> None:
    """CC-B1: the cars of one seat, in the order of their numbers."""
    name = f"cars, {seat_name(seat)}"
    words = w.close_up(entry).split() if isinstance(entry, str) else entry
    cars = as_list(words, f"{name}: a list is wanted, or words as in '0,0N>E 2,0'")
    if len(cars) > t.OWN:
        raise CrashlabError(f"{name}: {len(cars)} cars are too many; everybody has {t.OWN} (CC-B1)")
    for number, car in enumerate(cars):
        if car not in (None, "-"):
            with about(name, car):
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
        tile = w.read_tile(table, found["parked"])
        if table.building[tile] not in (t.SHOP, t.FACTORY):
            raise CrashlabError(f"on {t.tile_words(table, tile)} there is no shop or factory to park at (CC-R2)")
        table.where[car] = t.ROOF + tile
        return
    place = w.lane_on(table, w.read_tile(table, found["at"]), w.DIRECTION.read(table, found["lane"]))
    facing = w.DIRECTION.read(table, found["facing"])
    if not table.joined[place]:
        raise CrashlabError(f"{t.lane_words(table, place)} is not connected to the streets of the square (CC-B6)")
    if facing % 2 == place % 2:
        raise CrashlabError(f"a car on {t.lane_words(table, place)} faces {along(place)}, along its street (CC-G2)")
    table.where[car], table.facing[car] = place, facing


def read_car_line(word: str) -> dict[str, str]:
    """A car that is written like `2,0N>E`, or `2,0` if it is parked, as it would stand in JSON."""
    place, arrow, facing = word.partition(">")
    lane = re.fullmatch(r"(.*[0-9)])\s*([A-Za-z])\s*", place)
    if not arrow and lane:
        raise CrashlabError(f"how does it face? As in '{word}>{along(chosen(lane[2], DIRECTIONS, 'lane'))[0]}'")
    entry = {"at": lane[1], "lane": lane[2]} if lane else {"parked": place}
    return entry | ({"facing": facing} if arrow else {})


PARTS = (
    single("phase", "what is decided now", "phase", PHASE, default_phase, always=True),
    single("asked", "the seat whose turn it is", "asked", kinds.seat("asked"), default_asked, always=True),
    single("turn", "how many turns of the race are over", "turn", kinds.counted("turn")),
    single("passes", "how many turns in a row were passes", "passes", kinds.counted("passes")),
    single("hit", "the car that was hit and is to make way", "hit", w.optional(w.CAR), NOWHERE),
    single("push", "the direction in which it was hit", "push", w.optional(w.DIRECTION), NOWHERE),
    Part(
        "moved", "with chains: the cars that cannot be hit any more in this turn",
        moved_names, put_moved, lambda table: [], " ".join, str,
    ),
    Part(
        "tiles", "the tiles besides the square, as they were laid: where, lanes, building and owner",
        tile_dicts, put_tiles, lambda table: [], tiles_line, str,
    ),
    Part(
        "cars", "the cars of each seat in the order of their numbers, on their lanes or parked",
        car_dicts, put_cars, lambda table: {}, cars_line, str,
    ),
)  # fmt: skip
