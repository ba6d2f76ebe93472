"""A position of CrashCity: its parts, the public facts of a state, and its errors.

A position is one line, for example

    phase race; asked A; turn 12; tiles 1,0 NS house A / 2,0 NE shop B / 2,1 S; cars A 0,0N>E 2,0 / B 2,0N>W - 1,0S>E

The tiles are written in the order of laying, each beside an earlier one, with their lanes and, if there is one, the
building and its owner. The cars are written in the order of their numbers, each with its lane and its direction; a tile
alone, as in `2,0`, is the work of a parked car, and `-` is a car that is not on the table yet.

By default the phase is `race`, or `site` if there are no cars; `asked` is A, or during construction the next builder;
no turn of the race is over, and there were no passes. The phases are `site`, `reveal`, `rotate`, `build`, `car` of the
construction, then `roll`, `race`, `crash` and `over`. In the phase `reveal` the last tile is not known yet, and in the
phase `rotate` not turned yet:

    phase reveal; asked B; tiles 1,0 NS house A / 2,0 ?; cars A 1,0N>E
    phase rotate; asked B; tiles 1,0 NS house A / 2,0 ?L; cars A 1,0N>E

In the phase `crash` a car was hit, pushed in a direction, and shares its space with the car that hit it; with the
option `chains` a part `moved A1 C2` names the cars that have moved and so cannot be hit again in this turn:

    phase crash; asked A; hit B1; push E; tiles 1,0 NS / 2,0 NE; cars A 2,0N>E / B 2,0N>W

There is also `passes 1`, the number of consecutive passes. The buildings that the players have left follow from the
tiles.

The first position as JSON:

    {"phase": "race", "asked": "A", "turn": 12,
     "tiles": [{"at": [1, 0], "lanes": "NS", "building": "house", "owner": "A"}, "2,0 NE shop B", "2,1 S"],
     "cars": {"A": [{"at": [0, 0], "lane": "N", "facing": "E"}, {"parked": [2, 0]}], "B": "2,0N>W - 1,0S>E"}}
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.engine import value_codecs
from crashlab.engine.notation import about, as_list, chosen, counted, fields, pieces, read_seat, together, trimmed
from crashlab.engine.position import NEEDED, Column, Part, StateFacts, set_of, single, table_of
from crashlab.engine.table import NOWHERE
from crashlab.engine.value_codecs import seat_name
from crashlab.games.boards import streets
from crashlab.games.boards.streets import DIRECTIONS, Streets, letters
from crashlab.games.crash_city import notation as w
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.state import CrashCity

# The parts of a position

TILE_KEYS = ("at", "lanes", "kind", "building", "owner")


# Parts as text and JSON


def default_phase(table: CrashCity) -> Any:
    """Return the default phase: the race if there are cars, else the choice of a site."""
    if table.where.count(NOWHERE) < t.CARS:
        return t.RACE
    return t.SITE if table.laid[0] > 1 else NEEDED


def default_asked(table: CrashCity) -> int:
    """CC-B2: return the default seat: during construction the next builder, else A."""
    last = next((owner for owner in reversed(table.owner) if owner != NOWHERE), NOWHERE)
    if table.phase[0] == t.CAR and last != NOWHERE:
        return last
    return (last + 1) % table.players[0] if t.is_growing(table) else 0


def tile_dicts(table: CrashCity) -> list[dict[str, Any]]:
    """Return the tiles apart from the square, as plain JSON."""
    return [tile_dict(table, tile) for tile in range(1, table.laid[0])]


def tile_dict(table: CrashCity, tile: int) -> dict[str, Any]:
    """Return a tile as plain JSON, with its kind only before its lanes are known."""
    facts = tile_facts(table, tile)
    kind = None if facts.lanes else facts.kind
    words = {"lanes": facts.lanes, "kind": kind, "building": facts.building, "owner": facts.owner}
    return {"at": w.TILE.to_json(table, tile), **{key: word for key, word in words.items() if word}}


def tiles_line(table: CrashCity) -> str:
    """Write the tiles as in `2,0 NE shop B / 2,1 ?`."""
    tiles = []
    for entry in tile_dicts(table):
        lanes = entry.get("lanes", f"?{entry.get('kind', '')}")
        building = (entry[key] for key in ("building", "owner") if key in entry)
        tiles.append([t.place_words(entry["at"]), lanes, *building])
    return " / ".join(map(" ".join, tiles))


def car_dict(table: CrashCity, car: int) -> dict[str, Any] | None:
    """Return a car as plain JSON; None if it is not on the table."""
    where = table.where[car]
    if where == NOWHERE:
        return None
    if where >= t.ROOF:
        return {"parked": w.TILE.to_json(table, where - t.ROOF)}
    lane, facing = DIRECTIONS[where % 4], DIRECTIONS[table.facing[car]]
    return {"at": w.TILE.to_json(table, where // 4), "lane": lane, "facing": facing}


def car_words(table: CrashCity, car: int) -> str:
    """Write a car: `2,0N>E`, `2,0` if it is parked, or `-`."""
    where = table.where[car]
    if where >= t.ROOF:
        return t.tile_words(table, where - t.ROOF)
    return f"{w.lane_text(table, where)}>{DIRECTIONS[table.facing[car]]}" if where != NOWHERE else "-"


# Parts from the user


def put_tiles(table: CrashCity, entry: object) -> None:
    """CC-B2: lay the tiles in the order given."""
    message = "tiles: give a list, or words as in '1,0 NS house A / 2,0 NE'"
    for tile in pieces(entry, "/") if isinstance(entry, str) else as_list(entry, message):
        put_tile(table, tile)
    table.joined[:] = t.connected(table)


def put_tile(table: CrashCity, entry: object) -> None:
    """CC-B2: lay one more tile, from JSON or from text like `2,0 NE shop B`."""
    line = read_tile_line(entry) if isinstance(entry, str) else entry
    values = fields(line, TILE_KEYS, "tiles", "2,0 NE shop B")
    with about("tiles", entry):
        x, y = w.read_place(values.get("at"))
        building, owner = NOWHERE, NOWHERE
        if "building" in values or "owner" in values:
            building = w.BUILDING.parse(table, values.get("building"))
            owner = read_seat(values.get("owner"), table.players[0], "owner")
        lanes = w.LANES.parse(table, values["lanes"]) if "lanes" in values else 0
        kind = chosen(values["kind"], t.KIND_NAMES, "kind") if "kind" in values else t.KIND_OF[lanes]
        if lanes and kind != t.KIND_OF[lanes]:
            raise CrashlabError(
                f"a tile with {w.sides_words(lanes)} is of kind {t.KIND_NAMES[t.KIND_OF[lanes]]} (CC-G6)"
            )
        tile = t.place_tile(table, x, y, lanes, building, owner)
    table.kind[tile] = kind


def read_tile_line(line: str) -> dict[str, str]:
    """Parse a tile like `2,0 NE shop B` into its JSON form."""
    words = w.close_up(line.strip()).split()
    if words and (stuck := re.fullmatch(r"(.*[0-9])([NESWnesw])", words[0])):
        words[:1] = [stuck[1], stuck[2]]
    if len(words) not in (2, 4):
        raise CrashlabError(f"tiles: cannot read {short_repr(line)}; write a tile like '2,0 NE shop B', or '2,0 NE'")
    at, lanes, *built = words
    entry = {"at": at} | dict(zip(("building", "owner"), built, strict=False))
    if not lanes.startswith("?"):
        return entry | {"lanes": lanes}
    return entry | ({"kind": lanes[1:]} if lanes[1:] else {})


class Cars(Column):
    """CC-B1: the cars of a seat in order; cars at the end that are not on the table are left out."""

    def value(self, table: Any, thing: int) -> Any:
        return trimmed(car_dict(table, t.FLEET * thing + number) for number in range(t.FLEET))

    def words(self, table: Any, thing: int) -> str:
        """Write the cars as in `2,0N>E - 2,0`."""
        return " ".join(car_words(table, t.FLEET * thing + number) for number in range(len(self.value(table, thing))))

    def put(self, table: Any, thing: int, entry: object, where: str) -> None:
        """Put the cars on the table."""
        words = w.close_up(entry).split() if isinstance(entry, str) else entry
        cars = as_list(words, f"{where}: give a list, or words as in '0,0N>E 2,0'")
        require(len(cars) <= t.FLEET, f"{where}: {len(cars)} cars are too many; each seat has {t.FLEET} (CC-B1)")
        for number, car in enumerate(cars):
            if car not in (None, "-"):
                with about(where, car):
                    put_car(table, t.FLEET * thing + number, car)


def mark_pushers(table: CrashCity) -> None:
    """CC-C4: mark the car that has just hit another one, so that it cannot be hit."""
    if table.chains[0] and table.hit[0] != NOWHERE:
        for car in t.cars_at(table, table.where[table.hit[0]]):
            table.moved[car] = max(table.moved[car], int(car != table.hit[0]))


def put_car(table: CrashCity, car: int, entry: object) -> None:
    """CC-G2, CC-R2: put one car on its lane, or park it on its tile."""
    values = read_car_line(entry) if isinstance(entry, str) else entry
    keys = set(values) if isinstance(values, Mapping) else set()
    if not isinstance(values, Mapping) or keys not in ({"at", "lane", "facing"}, {"parked"}):
        raise CrashlabError(
            "write a car like '2,0N>E', or '2,0' if it is parked; in JSON give at, lane and facing, or only parked"
        )
    if "parked" in values:
        tile = w.read_tile(table, values["parked"])
        if table.building[tile] not in (t.SHOP, t.FACTORY):
            raise CrashlabError(f"on {t.tile_words(table, tile)} there is no shop or factory to park at (CC-R2)")
        table.where[car] = t.ROOF + tile
        return
    place = w.lane_on(table, w.read_tile(table, values["at"]), w.DIRECTION.parse(table, values["lane"]))
    facing = w.DIRECTION.parse(table, values["facing"])
    require(table.joined[place], f"{t.lane_words(table, place)} is not connected to the streets of the square (CC-B6)")
    require(
        facing % 2 != place % 2,
        f"a car on {t.lane_words(table, place)} must face {w.along(place)}, along its street (CC-G2)",
    )
    table.where[car], table.facing[car] = place, facing


def read_car_line(word: str) -> dict[str, str]:
    """Parse a car like `2,0N>E`, or `2,0` if it is parked, into its JSON form."""
    place, arrow, facing = word.partition(">")
    lane = re.fullmatch(r"(.*[0-9)])\s*([A-Za-z])\s*", place)
    if not arrow and lane:
        raise CrashlabError(
            f"say which way the car faces, as in '{word}>{w.along(chosen(lane[2], DIRECTIONS, 'lane'))[0]}'"
        )
    entry = {"at": lane[1], "lane": lane[2]} if lane else {"parked": place}
    return entry | ({"facing": facing} if arrow else {})


PARTS = (
    single("phase", "the name of the current decision", "phase", w.PHASE, default_phase, always=True),
    single("asked", "the seat whose turn it is", "asked", value_codecs.seat("asked"), default_asked, always=True),
    single("turn", "the number of turns of the race that are over", "turn", value_codecs.counted("turn")),
    single("passes", "the number of passes in a row", "passes", value_codecs.counted("passes")),
    single("hit", "the car that was hit and must make way", "hit", w.optional(w.CAR), NOWHERE),
    single("push", "the direction of the hit", "push", w.optional(w.DIRECTION), NOWHERE),
    set_of("moved", "with chains, the cars that cannot be hit again in this turn", w.CAR, "moved"),
    Part(
        "tiles",
        "the tiles besides the square, in the order of laying: place, lanes, building and owner",
        tile_dicts,
        put_tiles,
        lambda table: [],
        tiles_line,
        str,
    ),
    table_of(
        "cars",
        "the cars of each seat in the order of their numbers, on lanes or parked",
        w.SEAT,
        Cars("", "where", w.CAR),
        "A 0,0N>E 2,0",
        lambda table: [seat for seat in range(t.SEATS) if set(table.where[t.FLEET * seat :][: t.FLEET]) != {NOWHERE}],
        comma=" / ",
        then=mark_pushers,
    ),
)


# Public facts


@dataclass(frozen=True)
class Tile:
    """A tile as the user sees it; `lanes` and `kind` are None before they are known, `parked` is a car's name."""

    lanes: str | None
    kind: str | None
    building: str | None
    owner: str | None
    parked: str | None


@dataclass(frozen=True)
class Car:
    """A car as the user sees it: on a `lane`, as (x, y, letter of the side), or `parked` at (x, y)."""

    owner: str
    lane: tuple[int, int, str] | None
    facing: str | None
    parked: tuple[int, int] | None


class Facts(StateFacts[CrashCity]):
    """The public facts of a state: `state.tiles`, `state.cars`, `state.streets`, ..."""

    phase: str
    turn: int
    passes: int
    hit: str | None
    push: str | None

    @cached_property
    def tiles(self) -> dict[tuple[int, int], Tile]:
        """The tiles by their places, in the order of laying; the square is the first one."""
        return {t.place(self._table, tile): tile_facts(self._table, tile) for tile in range(self._table.laid[0])}

    @cached_property
    def cars(self) -> dict[str, Car]:
        """The cars on the table by their names."""
        cars = [car for car in range(t.CARS) if self._table.where[car] != NOWHERE]
        return {t.car_name(car): car_facts(self._table, car) for car in cars}

    @cached_property
    def streets(self) -> Streets:
        """The streets: their lanes and connections."""
        return t.city(self._table)

    @cached_property
    def parked(self) -> dict[str, int]:
        """The number of parked cars of each seat."""
        return {seat_name(seat): rules.score(self._table, seat) for seat in range(self._table.players[0])}

    @cached_property
    def stock(self) -> dict[str, dict[str, int]]:
        """The number of buildings of each kind that each seat has left."""
        return {seat_name(seat): stock_facts(self._table, seat) for seat in range(self._table.players[0])}

    @cached_property
    def unrevealed(self) -> dict[str, int]:
        """The number of tiles of each kind that are not revealed."""
        return {name: t.unrevealed(self._table, kind) for kind, name in enumerate(t.KIND_NAMES)}

    @cached_property
    def whose_turn(self) -> str:
        """The seat of the current turn, even if another seat answers a crash."""
        return seat_name(self._table.asked[0])


def tile_facts(table: CrashCity, tile: int) -> Tile:
    """Return a tile as the user sees it."""
    kind, building, owner = table.kind[tile], table.building[tile], table.owner[tile]
    parked = t.cars_at(table, t.ROOF + tile)
    return Tile(
        letters(table.street[tile]) or None,
        t.KIND_NAMES[kind] if kind != NOWHERE else None,
        t.BUILDING_NAMES[building] if building != NOWHERE else None,
        seat_name(owner) if owner != NOWHERE else None,
        t.car_name(parked[0]) if parked else None,
    )


def car_facts(table: CrashCity, car: int) -> Car:
    """Return a car as the user sees it."""
    where = table.where[car]
    owner = seat_name(car // t.FLEET)
    if where >= t.ROOF:
        return Car(owner, None, None, t.place(table, where - t.ROOF))
    return Car(owner, (*t.place(table, where // 4), DIRECTIONS[where % 4]), DIRECTIONS[table.facing[car]], None)


def stock_facts(table: CrashCity, seat: int) -> dict[str, int]:
    """Return the buildings that a seat has left."""
    return dict(zip(t.BUILDING_NAMES, table.stock[3 * seat : 3 * seat + 3], strict=True))


# Errors


def problems(table: CrashCity) -> list[str]:
    """Return the errors of a table as sentences. A table reached in a game never has any."""
    return [
        *wrong_tiles(table),
        *wrong_buildings(table),
        *wrong_places(table),
        *wrong_cars(table),
        *wrong_crash(table),
        *wrong_turn(table),
    ]


def wrong_tiles(table: CrashCity) -> Iterator[str]:
    """CC-G5, CC-G6, CC-B4: return the errors about tiles that are not of the set or not connected to the square."""
    is_spreading = (
        table.phase[0] == t.ROTATE and table.street[table.laid[0] - 1] != 0
    )  # for one beat, after the tile is turned
    for kind in range(t.KINDS):
        if t.unrevealed(table, kind) < 0:
            count, name = table.kind.count(kind), t.KIND_NAMES[kind]
            yield f"there are {count} tiles {name}, more than the set has (CC-G6)"
    for tile in range(1, table.laid[0]):
        where = t.tile_words(table, tile)
        lanes = table.street[tile]
        if lanes == 0:
            if tile < table.laid[0] - 1 or table.phase[0] not in (t.REVEAL, t.ROTATE):
                yield f"tile {where} has no lane (CC-G6)"
        elif t.KIND_OF[lanes] != table.kind[tile]:
            yield f"tile {where} has lanes {streets.letters(lanes)}, which are not the lanes of its kind (CC-G6)"
        elif not is_spreading and not any(table.joined[4 * tile : 4 * tile + 4]):
            yield f"tile {where} is not connected to the square (CC-B4)"
    if not is_spreading and table.joined != t.connected(table):
        yield "the lanes marked as connected to the square are wrong (CC-G5)"


def wrong_buildings(table: CrashCity) -> Iterator[str]:
    """CC-B1, CC-B2: return the errors about buildings: their numbers, their owners, and the square."""
    owned = Counter(zip(table.owner, table.building, strict=True))
    for seat in range(t.SEATS):
        for building, total in enumerate(t.STOCKS if seat < table.players[0] else (0, 0, 0)):
            left, built = table.stock[3 * seat + building], owned[seat, building]
            if left < 0 or left + built != total:
                has_left = "" if left < 0 else f", {left} are left"
                name = counted(built, t.BUILDING_NAMES[building])
                yield f"{seat_name(seat)} has built {name}{has_left}, but each seat has {total} (CC-B1)"
    for tile in range(table.laid[0]):
        if (table.building[tile] == NOWHERE) != (table.owner[tile] == NOWHERE):
            yield f"tile {t.tile_words(table, tile)} must have both a building and its owner, or neither"
    if table.building[t.SQUARE] != NOWHERE:
        yield "there is a building on the square (CC-G3)"


def wrong_places(table: CrashCity) -> Iterator[str]:
    """CC-G2, CC-R2: return the errors about cars that share a space or a roof, unless in a crash."""
    for spot in sorted(set(table.where) - {NOWHERE}):
        cars = t.cars_at(table, spot)
        is_crash = table.hit[0] in cars and spot < t.ROOF
        if len(cars) > 1 + is_crash:
            is_roof = spot >= t.ROOF
            where = f"parked on {t.tile_words(table, spot - t.ROOF)}" if is_roof else f"on {t.lane_words(table, spot)}"
            yield f"there are too many cars {where}: {together(map(t.car_name, cars))} (CC-G2, CC-R2)"


def wrong_cars(table: CrashCity) -> Iterator[str]:
    """CC-G2, CC-B6, CC-R2: return the errors about cars off connected lanes, facing across, or parked without work."""
    for car, where in enumerate(table.where):
        name = t.car_name(car)
        if not NOWHERE < where < t.ROOF and table.facing[car] != NOWHERE:
            yield f"{name} is not on the street, so it cannot have a facing (CC-G2)"
        if where == NOWHERE:
            continue
        if car // t.FLEET >= table.players[0]:
            yield f"{name} belongs to a seat that does not play"
        if where >= t.ROOF and table.building[where - t.ROOF] not in (t.SHOP, t.FACTORY):
            yield f"{name} is parked where there is no shop or factory (CC-R2)"
        elif where < t.ROOF and not table.joined[where]:
            yield f"{name} is not on a connected lane (CC-B6)"
        elif where < t.ROOF and (table.facing[car] not in range(4) or table.facing[car] % 2 == where % 2):
            yield f"{name} faces across its street (CC-G2)"


def wrong_crash(table: CrashCity) -> list[str]:
    """CC-R6: return the errors about a crash: only the phase crash has a hit car, and that car shares its space."""
    hit = table.hit[0]
    if len({table.phase[0] == t.ANSWER, hit != NOWHERE, table.push[0] != NOWHERE}) > 1:
        return [
            "in the phase crash, and only there, name the hit car and its direction, as in 'hit B1; push E' (CC-R6)"
        ]
    if hit != NOWHERE and not (NOWHERE < table.where[hit] < t.ROOF and len(t.cars_at(table, table.where[hit])) == 2):
        return [f"{t.car_name(hit)} was hit, so one other car must be on its space (CC-R6)"]
    return []


def wrong_turn(table: CrashCity) -> Iterator[str]:
    """CC-R1: return the errors about the seat of the turn and the counts of turns and passes."""
    if table.asked[0] >= table.players[0]:
        yield f"{seat_name(table.asked[0])} does not play"
    limit = table.turn_limit[0]
    if NOWHERE < limit < table.turn[0]:
        yield f"{table.turn[0]} turns are over, but there are at most {limit}"
    if table.passes[0] > table.players[0]:
        yield f"there cannot be {table.passes[0]} passes in a row: {table.players[0]} end the game (CC-R1)"


def stuck(table: CrashCity) -> list[str]:
    """Return the errors that make the phase impossible: about the new tile, the supplies, or the end of the game."""
    return wrong_construction(table) or wrong_site(table) if t.is_growing(table) else wrong_end(table)


def wrong_construction(table: CrashCity) -> list[str]:
    """CC-B2: return the errors of a position during construction."""
    phase = table.phase[0]
    tile = table.laid[0] - 1
    wrong = []
    if table.turn[0] or table.passes[0]:
        wrong.append("turns and passes are counted only in the race, which has not begun (CC-R1)")
    if any(where >= t.ROOF for where in table.where):
        wrong.append("no car can park before the race (CC-R2)")
    if tile + (phase == t.SITE) > t.TURNS * table.players[0]:
        wrong.append(
            f"there are {counted(tile, 'tile')}, but the city is complete after {t.TURNS} for each seat (CC-B2)"
        )
    if phase != t.SITE and tile == t.SQUARE:
        return [*wrong, f"in the phase {w.DECISIONS[phase].name} the last tile must be new, but there is none (CC-B2)"]
    if reason := wrong_new_tile(table, phase, tile):
        wrong.append(reason)
    return [*wrong, *wrong_supply(table)]


def wrong_new_tile(table: CrashCity, phase: int, tile: int) -> str:
    """CC-B2: return the error of the last tile; empty if it is correct."""
    where = t.tile_words(table, tile)
    is_done = phase in (t.BUILD, t.CAR)
    if phase == t.SITE:
        return (
            ""
            if table.street[tile]
            else f"tile {where} has no lanes yet, so the phase must be reveal or rotate (CC-B2)"
        )
    if is_done != (table.street[tile] > 0):
        has = f"lanes {letters(table.street[tile])}" if table.street[tile] else "no lanes yet"
        return f"tile {where} has {has}, which is impossible in the phase {w.DECISIONS[phase].name} (CC-B2)"
    cars = [car for car in range(t.CARS) if table.where[car] in range(4 * tile, 4 * tile + 4)]
    if cars:
        return f"{w.on(table, cars[:1], table.where[cars[0]])}, but that tile has only just been laid (CC-B6)"
    if (phase == t.REVEAL) != (table.kind[tile] == NOWHERE):
        return f"the last tile must be '{t.tile_words(table, tile)} ?' in the phase reveal, '... ?L' in rotate (CC-B2a)"
    if phase == t.CAR:
        is_own = (table.building[tile], table.owner[tile]) == (t.HOME, table.asked[0])
        return "" if is_own else f"the phase car needs a house of {seat_name(table.asked[0])} on {where} (CC-B6)"
    return f"nothing can be built on {where} yet (CC-B2)" if table.building[tile] != NOWHERE else ""


def wrong_supply(table: CrashCity) -> Iterator[str]:
    """CC-B2, CC-B6: return the errors about too few buildings for the turns left, or too few cars for the houses."""
    phase = table.phase[0]
    players = table.players[0]
    # turns in which a building is already built
    complete_turns = table.laid[0] - 1 - (phase in (t.REVEAL, t.ROTATE, t.BUILD))
    to_come = t.TURNS * players - complete_turns
    for seat in range(players):
        name = seat_name(seat)
        stock = table.stock[3 * seat : 3 * seat + 3]
        places = (seat - table.asked[0] - (phase == t.CAR)) % players  # number of seats that build before this one
        turns = max(0, -(-(to_come - places) // players))
        if sum(stock) < turns:
            yield f"{name} has only {counted(sum(stock), 'building')} left for {counted(turns, 'more turn')} (CC-B2)"
        cars = t.FLEET - table.where[t.FLEET * seat : t.FLEET * seat + t.FLEET].count(NOWHERE)
        houses = stock[t.HOME] + (phase == t.CAR and seat == table.asked[0])
        if cars + houses > t.FLEET:
            street, more = counted(cars, "car"), counted(houses, "more car")
            yield f"{name} has {street} on the street and {more} to come, but only {t.FLEET} in all (CC-B6)"


def wrong_end(table: CrashCity) -> list[str]:
    """CC-E1, CC-R1: return the errors about the end: the phase is `over` if and only if the game has ended."""
    done = [seat_name(seat) for seat in range(table.players[0]) if rules.score(table, seat) == t.FLEET]
    if len(done) > 1:
        return [f"{together(done)} have parked all cars, but the first to do so ends the game (CC-E1)"]
    is_over = done or table.passes[0] == table.players[0] or table.turn[0] == table.turn_limit[0]
    if table.passes[0] > table.turn[0]:
        return [f"passes are turns, so there cannot be {table.passes[0]} passes in {table.turn[0]} turns (CC-R1)"]
    if bool(is_over) == (table.phase[0] == t.OVER):
        return []
    if is_over:
        why = f"{done[0]} has parked all cars" if done else "the number of passes or turns ends it"
        return [f"the game is over: {why}; write 'phase over' (CC-E1, CC-R1)"]
    return ["the game is not over: nobody has parked all cars, and turns are left (CC-E1, CC-R1)"]


def wrong_site(table: CrashCity) -> list[str]:
    """CC-B3: return the errors about the site of the new tile."""
    if table.phase[0] not in (t.REVEAL, t.ROTATE, t.BUILD):
        return []
    before, site = before_last_tile(table), t.SELECT + table.spot[table.laid[0] - 1]
    return [] if site in w.legal_now(before) else [w.site_refusal(before, site)]


def before_last_tile(table: CrashCity) -> CrashCity:
    """CC-B2: return the table before the site of the last tile was chosen."""
    before = table.copy()
    tile = table.laid[0] - 1
    before.tile[table.spot[tile] % streets.CELLS] = NOWHERE
    before.laid[0], before.phase[0] = tile, t.SITE
    before.joined[:] = t.connected(before)
    return before
