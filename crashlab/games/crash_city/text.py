"""CrashCity in words: actions, positions and events as text, JSON, and back.

Tiles are `x,y`, x to the east and y to the north; the town square is `0,0`. A lane is a tile with the side it is on:
`2,0N`; a direction is N, E, S or W. Seats are A to D, the cars of seat A are A1 to A8.

An action is one of these, also without its first word where no other one is possible:

- `site 2,0`: where the next tile goes; `tile L`: which one it is; `lanes NE`: the lanes that it has when it is turned;
  `build shop`: the building on it; `put 2,0N>E`: the car of a house, on the lane N, and faces E
- `A begins` the race
- `park A1`, `drive A1 2,0N` to this lane, also if it crashes there; `pass` where neither can be done
- `to 2,0N`: where a car goes that was hit

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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crashlab.boards import streets
from crashlab.boards.streets import ARMS, CELLS, DIRECTIONS, OTHER_STRAIGHT, STRAIGHT, letters, turned
from crashlab.chance import Random
from crashlab.games.crash_city import rules
from crashlab.games.crash_city.table import (
    ANSWER,
    BUILD,
    BUILDING_NAMES,
    CAR,
    CARS,
    COUNTS,
    DRIVE,
    ERECT,
    EVERY_STEP,
    FACTORY,
    HOUSE,
    KIND_NAMES,
    KIND_OF,
    KINDS,
    LANES,
    LAY,
    MAKE_WAY,
    OVER,
    OWN,
    PARK,
    PASS,
    PUT,
    RACE,
    REVEAL,
    REVEALED,
    ROLL,
    ROLLED,
    ROOF,
    ROTATE,
    SEATS,
    SELECT,
    SHOP,
    SITE,
    SORT,
    SPACE,
    SQUARE,
    STOCK,
    TILES,
    TURNS,
    CrashCity,
    city,
    connected,
    empty,
    place_tile,
    place_words,
    problems,
    tile_at,
    unrevealed,
)
from crashlab.happen import NOWHERE
from crashlab.notation import (
    about,
    as_list,
    called,
    check_keys,
    chosen,
    counted,
    fields,
    pair,
    pieces,
    read_seat,
    refuse,
    renamed,
    sections,
    some,
    together,
    trimmed,
    unique,
    whole,
    winners_words,
)
from crashlab.options import CrashlabError, Value, shown

LETTERS = "ABCD"
PHASES = ("site", "reveal", "rotate", "build", "car", "roll", "race", "crash", "over")
QUESTIONS = (
    "a site for the next tile", "the next tile", "the lanes of the new tile", "a building", "a place for the new car",
    "the seat that begins the race", "a turn of the race", "where the car goes that was hit",
    "an answer, for the game is over",
)  # fmt: skip
MANOEUVRES = (
    "a car goes forward and, if it likes, round one corner at the end; one corner forward or backward; 1 or 2 spaces "
    "back, of which the second may be round a corner; or to the other lane"
)


def seat_name(seat: int) -> str:
    """A to D."""
    return called(LETTERS, seat, "seat")


def place(table: CrashCity, tile: int) -> tuple[int, int]:
    """Where a tile is."""
    return streets.xy(table.spot[tile])


def place_text(where: tuple[int, int]) -> str:
    """2,0."""
    return f"{where[0]},{where[1]}"


def tile_words(table: CrashCity, tile: int) -> str:
    """(2,0), of a tile by its number."""
    return place_words(place(table, tile))


def lane_text(table: CrashCity, space: int) -> str:
    """2,0N."""
    if not 0 <= space < 4 * table.laid[0]:
        return f"space {space}"
    return f"{place_text(place(table, space // 4))}{DIRECTIONS[space % 4]}"


def lane_words(table: CrashCity, space: int) -> str:
    """The N lane of (2,0)."""
    return f"the {DIRECTIONS[space % 4]} lane of {tile_words(table, space // 4)}"


def sides_words(lanes: int) -> str:
    """Lanes N and E."""
    return f"lane{'s' * (len(letters(lanes)) > 1)} {together(letters(lanes))}"


def car_name(car: int) -> str:
    """A1 to D8."""
    return f"{LETTERS[car // OWN]}{car % OWN + 1}" if 0 <= car < CARS else f"car {car}"


def standing(table: CrashCity, place: int) -> list[int]:
    """The cars on a space or on a roof."""
    return [car for car in range(CARS) if table.where[car] == place]


# Names and back


def read_place(word: object) -> tuple[int, int]:
    """Where `2,0`, `(2,0)` or [2, 0] is."""
    found = pair(word, r"\(?\s*([+-]?[0-9]{1,4})\s*,\s*([+-]?[0-9]{1,4})\s*\)?")
    if found is None:
        raise CrashlabError(f"tile: {shown(word)} is not x and y, as in '2,0' or [2, 0]")
    if max(map(abs, found)) > TILES:
        raise CrashlabError(f"tile: no city of {TILES - 1} tiles reaches from the square (0,0) to {place_words(found)}")
    return found


def read_tile(table: CrashCity, word: object) -> int:
    """The number of the tile that is there."""
    x, y = read_place(word)
    tile = tile_at(table, x, y)
    if tile == NOWHERE:
        raise CrashlabError(f"there is no tile {place_words((x, y))}")
    return tile


def read_direction(word: object) -> int:
    """The direction N, E, S or W."""
    return chosen(word, DIRECTIONS, "direction")


def read_lanes(word: object) -> int:
    """Lanes like `NE`, in any order, as a sum of bits."""
    sought = word.strip().upper() if isinstance(word, str) else ""
    if not sought or len(set(sought)) < len(sought) or not set(sought) <= set(DIRECTIONS):
        raise CrashlabError(f"lanes: {shown(word)} is not one or more of the sides {some(DIRECTIONS)}, as in 'NE'")
    return sum(1 << DIRECTIONS.index(letter) for letter in sought)


def read_lane(table: CrashCity, word: object) -> int:
    """The space of a lane like `2,0N`."""
    found = re.fullmatch(r"(.*[0-9)])\s*([A-Za-z])", word.strip()) if isinstance(word, str) else None
    if not found:
        raise CrashlabError(f"lane: {shown(word)} is not a tile and a side of it, as in '2,0N'")
    tile, side = read_tile(table, found[1]), read_direction(found[2])
    return lane_on(table, tile, side)


def lane_on(table: CrashCity, tile: int, side: int) -> int:
    """The space of a lane that must be there."""
    if table.street[tile] >> side & 1 == 0:
        has = f"it has {sides_words(table.street[tile])}" if table.street[tile] else "it is not laid yet"
        raise CrashlabError(f"tile {tile_words(table, tile)} has no lane {DIRECTIONS[side]}; {has}")
    return 4 * tile + side


def read_car(table: CrashCity, word: object) -> int:
    """The number of a car like `A1`."""
    seats = LETTERS[: table.players[0]]
    found = re.fullmatch(r"([A-Z])([1-8])", word.strip().upper()) if isinstance(word, str) else None
    if not found or found[1] not in seats:
        raise CrashlabError(f"car: {shown(word)} is none of {some(f'{seat}1 to {seat}{OWN}' for seat in seats)}")
    return OWN * seats.index(found[1]) + int(found[2]) - 1


# Actions


def action_text(table: CrashCity, seat: int, action: int) -> str:
    """The action in notation."""
    sort, rest = action // SORT * SORT, action % SORT
    if sort == SELECT:
        return f"site {place_text(streets.xy(rest))}"
    if sort == REVEALED:
        return f"tile {KIND_NAMES[rest]}" if rest < len(KIND_NAMES) else f"tile {rest}"
    if sort == LAY:
        return f"lanes {letters(rest) if rest < 16 else rest}"
    if sort == ERECT:
        return f"build {BUILDING_NAMES[rest] if rest < len(BUILDING_NAMES) else rest}"
    if sort == PUT:
        return f"put {lane_text(table, rest // 4)}>{DIRECTIONS[rest % 4]}"
    if sort == ROLLED:
        return f"{seat_name(rest)} begins"
    if sort == PARK:
        return f"park {car_name(rest)}"
    if sort == DRIVE:
        return f"drive {car_name(rest // SPACE)} {lane_text(table, rest % SPACE)}"
    if sort == MAKE_WAY:
        return f"to {lane_text(table, rest)}"
    return "pass" if action == PASS else f"action {action}"


def question(phase: int) -> str:
    """What is asked in this phase."""
    return QUESTIONS[phase]


def close_up(line: str) -> str:
    """The line with each tile and lane as one word: `(2, 0) N` becomes `2,0N`."""
    line = re.sub(r"\(\s*([+-]?[0-9]+)\s*,\s*([+-]?[0-9]+)\s*\)", r" \1,\2 ", line)
    line = re.sub(r"([0-9])\s*,\s*([+-]?[0-9])", r"\1,\2", line)
    line = re.sub(r"(,[+-]?[0-9]+)\s+([NESWnesw])\b", r"\1\2", line)
    return re.sub(r"\s*>\s*", ">", line)


def read_action(table: CrashCity, seat: int, words: object) -> int:
    """The action that these words mean, legal or not."""
    line = close_up(words) if isinstance(words, str) else ""
    with about(f"cannot read {shown(words)} as {question(table.phase[0])}"):
        if not line.split():
            raise CrashlabError("an action is a few words")
        return read_answer(table, table.phase[0], line.split())


VERBS = {
    SITE: ("site", "select"),
    REVEAL: ("tile", "reveal"),
    ROTATE: ("lanes", "lane", "lay", "turn"),
    BUILD: ("build", "erect"),
    CAR: ("put", "car"),
    ROLL: ("roll",),
    ANSWER: ("to", "go"),
}


def read_answer(table: CrashCity, phase: int, words: list[str]) -> int:
    """The answer to the question of this phase."""
    rest = " ".join(words[1:] if words[0].lower() in VERBS.get(phase, ()) else words)
    if phase == SITE:
        return SELECT + streets.spot_of(*read_place(rest))
    if phase == REVEAL:
        return REVEALED + chosen(rest, KIND_NAMES, "tile")
    if phase == ROTATE:
        return LAY + read_lanes(rest)
    if phase == BUILD:
        return ERECT + chosen(rest, BUILDING_NAMES, "building")
    if phase == CAR:
        lane, _, facing = rest.replace(">", " ").partition(" ")
        if not facing:
            raise CrashlabError("a lane and the direction in which the car faces are wanted, as in 'put 2,0N>E'")
        return PUT + 4 * read_lane(table, lane) + read_direction(facing)
    if phase == ROLL:
        return ROLLED + read_seat(re.sub(r"\s+begins$", "", rest, flags=re.IGNORECASE), table.players[0], "seat")
    if phase == RACE:
        return read_turn(table, words)
    if phase == ANSWER:
        return MAKE_WAY + read_lane(table, rest)
    raise CrashlabError("nobody is asked anything")


def read_turn(table: CrashCity, words: list[str]) -> int:
    """CC-R1: a turn of the race."""
    verb = words[0].lower()
    if verb in ("pass", "-") and len(words) == 1:
        return PASS
    if verb == "park" and len(words) == 2:
        return PARK + read_car(table, words[1])
    rest = words[1:] if verb == "drive" else words
    if len(rest) != 2:
        raise CrashlabError("a turn is 'park A1', 'drive A1 2,0N', or 'pass'")
    return DRIVE + SPACE * read_car(table, rest[0]) + read_lane(table, rest[1])


# What cannot be done

FITTING = {
    SITE: (SELECT,),
    REVEAL: (REVEALED,),
    ROTATE: (LAY,),
    BUILD: (ERECT,),
    CAR: (PUT,),
    ROLL: (ROLLED,),
    RACE: (PARK, DRIVE, PASS),
    ANSWER: (MAKE_WAY,),
}


def listed(table: CrashCity) -> list[int]:
    """All legal actions of the seat that decides."""
    out = [0] * rules.MOST_ACTIONS
    return out[: rules.legal(table, table.asked[0], out)]


def refusal(table: CrashCity, seat: int, action: int) -> str:
    """Why this seat cannot do so now, with the rule that forbids it; empty if it can."""
    phase = table.phase[0]
    if action // SORT * SORT not in FITTING.get(phase, ()):
        return f"{question(phase)} is asked for now, not code {action}"
    try:
        said = action_text(table, seat, action)
        if read_action(table, seat, said) != action:
            return f"{shown(said)} is never done with code {action}"
    except CrashlabError as error:
        return str(error)
    return "" if action in listed(table) else REASONS[phase](table, action)


def site_refusal(table: CrashCity, action: int) -> str:
    """CC-B3: why no tile can be laid there."""
    spot, seat = action - SELECT, seat_name(table.asked[0])
    x, y = streets.xy(spot)
    where = place_words((x, y))
    if tile_at(table, x, y) != NOWHERE:
        return f"there is a tile on {where} already (CC-B3)"
    if all(tile_at(table, *streets.beside(x, y, way)) == NOWHERE for way in range(4)):
        return f"{where} is not beside a tile or the square; beside means at a side, not at a corner (CC-B3)"
    if not rules.can_be_paved(table, spot):
        return f"the site {where} is not connected: no lane there would meet a street from the square (CC-B3)"
    return f"nothing that {seat} has left may be built on {where}, and there are sites where it may (CC-B3, CC-B5)"


def reveal_refusal(table: CrashCity, action: int) -> str:
    """CC-G6, CC-B2a: why it cannot be this tile."""
    kind = action - REVEALED
    if COUNTS[KINDS * table.tiles[0] + kind] == 0:
        return f"there is no tile {KIND_NAMES[kind]} in this set (CC-G6)"
    return f"all tiles {KIND_NAMES[kind]} of the set have been revealed (CC-B2a)"


def rotate_refusal(table: CrashCity, action: int) -> str:
    """CC-B4: why the tile cannot be turned like this."""
    lanes, kind = action - LAY, table.kind[table.laid[0] - 1]
    if KIND_OF[lanes] != kind:
        ways = " or ".join(map(letters, turned(LANES[kind])))
        name = "lane" if LANES[kind] == 1 else "lanes"
        return f"a tile {KIND_NAMES[kind]} has {name} {ways}, and never {letters(lanes)} (CC-G6)"
    return f"with {sides_words(lanes)} the tile would not be connected to the streets of the square (CC-B4)"


def build_refusal(table: CrashCity, action: int) -> str:
    """CC-B5: why this cannot be built."""
    building, tile, seat = action - ERECT, table.laid[0] - 1, table.asked[0]
    name = BUILDING_NAMES[building]
    if table.stock[3 * seat + building] < 1:
        return f"{seat_name(seat)} has no {name} left (CC-B1)"
    unwanted = FACTORY if building == HOUSE else HOUSE
    sides = (tile_at(table, *streets.beside(*place(table, tile), way)) for way in range(4))
    near = [tile_words(table, other) for other in sides if other != NOWHERE and table.building[other] == unwanted]
    return f"no {name} is built beside a {BUILDING_NAMES[unwanted]}, and there is one on {together(near)} (CC-B5)"


def put_refusal(table: CrashCity, action: int) -> str:
    """CC-B6: why the house's car cannot be put there."""
    space, tile = (action - PUT) // 4, table.laid[0] - 1
    if space // 4 != tile:
        return f"the car is put on a lane of the new tile, which is {tile_words(table, tile)} (CC-B6)"
    if not table.joined[space]:
        return f"{lane_words(table, space)} is not connected to the streets of the square (CC-B6)"
    return f"a car on {lane_words(table, space)} faces {along(space)}, along its street (CC-G2)"


def roll_refusal(table: CrashCity, action: int) -> str:
    """CC-R1: any seat can be rolled."""
    return f"{seat_name(action - ROLLED)} does not play (CC-R1)"


def along(space: int) -> str:
    """The two directions of a street."""
    return f"{DIRECTIONS[(space + 1) % 2]} or {DIRECTIONS[(space + 1) % 2 + 2]}"


def race_refusal(table: CrashCity, action: int) -> str:
    """CC-R1: why this is no turn of the race."""
    seat, rest = table.asked[0], action % SORT
    if action == PASS:
        return f"{seat_name(seat)} can park or drive, and who can must (CC-R1)"
    is_park = action // SORT * SORT == PARK
    car = rest if is_park else rest // SPACE
    name, where = car_name(car), table.where[car]
    if car // OWN != seat:
        return f"{name} is a car of {seat_name(car // OWN)}, and it is the turn of {seat_name(seat)} (CC-R1)"
    if where == NOWHERE:
        return f"{name} is not on the table (CC-B6)"
    if where >= ROOF:
        return f"{name} is parked on {tile_words(table, where - ROOF)}, for good (CC-R2)"
    return park_refusal(table, car) if is_park else drive_refusal(table, car, rest % SPACE)


def park_refusal(table: CrashCity, car: int) -> str:
    """CC-R2: why a car on the street cannot be parked."""
    tile = table.where[car] // 4
    if table.building[tile] not in (SHOP, FACTORY):
        return f"{car_name(car)} is on {tile_words(table, tile)}, where there is no shop or factory (CC-R2)"
    (other,) = standing(table, ROOF + tile)
    name = BUILDING_NAMES[table.building[tile]]
    return f"{car_name(other)} is parked at the {name} on {tile_words(table, tile)} already (CC-R2)"


def drive_refusal(table: CrashCity, car: int, space: int) -> str:
    """CC-R3 to CC-R5: why a car on the street cannot drive there."""
    start, name = table.where[car], car_name(car)
    alone = without(table, [other for other in range(CARS) if other != car])
    if space == start:
        return f"{name} is on {lane_words(table, space)} already (CC-R3)"
    others = standing(table, space)
    if space in reached(alone, car, 1):
        return f"{on(table, others, space)}, and a move of one space never ends on an occupied one (CC-R4)"
    if space not in reached(alone, car, rules.FORWARD):
        return f"no move of {name} ends on {lane_words(table, space)}: {MANOEUVRES} (CC-R3)"
    if others and space in reached(without(table, others), car, rules.FORWARD):
        return f"{car_name(others[0])} is blocked: it could not make way, and so it cannot be hit (CC-R5)"
    return way_refusal(table, car, space, alone)


def way_refusal(table: CrashCity, car: int, space: int, alone: CrashCity) -> str:
    """CC-R3: which cars are in the way to a space that can be reached on an empty board."""
    is_forward = space in ends(alone, car, alone.facing[car], rules.FORWARD)
    way, here = alone.facing[car] ^ (0 if is_forward else 2), table.where[car]
    while True:
        bits, first = rules.arms_ahead(table, here, way), ARMS * (4 * (here & 3) + way)
        straight = [
            rules.arm_space(table, table.spot[here >> 2], first + arm)
            for arm in (STRAIGHT, OTHER_STRAIGHT)
            if bits >> arm & 1
        ]
        if table.lanes[0] != EVERY_STEP:
            del straight[1:]
        free = [lane for lane in straight if not standing(table, lane)]
        if not free:
            break
        here = free[0]
    others = [other for lane in straight for other in standing(table, lane)]
    names = together([f"{car_name(other)} on {lane_words(table, table.where[other])}" for other in others])
    stays = "" if table.lanes[0] == EVERY_STEP else ", and only the last step changes lanes"
    return f"the way is blocked by {names}; every space that is passed must be empty{stays} (CC-R3)"


def on(table: CrashCity, cars: Sequence[int], space: int) -> str:
    """B1 is on the N lane of (2,0)."""
    names = together([car_name(car) for car in cars])
    return f"{names} {'is' if len(cars) == 1 else 'are'} on {lane_words(table, space)}"


def without(table: CrashCity, cars: Iterable[int]) -> CrashCity:
    """The table without these cars."""
    bare = table.copy()
    for car in cars:
        bare.where[car] = NOWHERE
    return bare


def reached(table: CrashCity, car: int, most: int) -> set[int]:
    """CC-R3: where a car can end with so many steps at most."""
    facing, other = table.facing[car], rules.other_lane(table, table.where[car])
    found = ends(table, car, facing, most) | ends(table, car, facing ^ 2, min(most, rules.BACKWARD))
    return found | ({other} if other != NOWHERE and not standing(table, other) else set())


def ends(table: CrashCity, car: int, way: int, most: int) -> set[int]:
    """CC-R3: where a car can end in one direction."""
    out = [0] * rules.MOST_ACTIONS
    rules.lay_out(table, out)
    return {action % SPACE for action in out[: rules.drives(table, out, 0, car, way, most)]}


def answer_refusal(table: CrashCity, action: int) -> str:
    """CC-C1 to CC-C4: why a car that was hit cannot go there."""
    space, hit = action - MAKE_WAY, table.hit[0]
    name, here = car_name(hit), table.where[hit]
    out = [0] * rules.MOST_ACTIONS
    rules.lay_out(without(table, range(CARS)), out)
    open_ways = out[: rules.ways_out(table, out, 0, rules.ALL, here, table.push[0])]
    if action not in open_ways:
        ways = "one space straight on, round a corner at the far end, or to the other lane of its street"
        return f"{name} was hit going {DIRECTIONS[table.push[0]]}, and can go {ways} (CC-C1, CC-C2, CC-C3)"
    others = on(table, standing(table, space), space)
    if not table.chains[0]:
        return f"{others}, and a car that was hit goes to an empty space (CC-C1)"
    if space == rules.other_lane(table, here):
        return f"{others}, and a car spins only to an empty lane (CC-C3)"
    if any(table.moved[other] for other in standing(table, space)):
        return f"{others}, and no car is moved twice in a turn (CC-C4)"
    return f"{others}, and a chain that begins there could not be completed (CC-C4)"


REASONS = {
    SITE: site_refusal,
    REVEAL: reveal_refusal,
    ROTATE: rotate_refusal,
    BUILD: build_refusal,
    CAR: put_refusal,
    ROLL: roll_refusal,
    RACE: race_refusal,
    ANSWER: answer_refusal,
}


# What a state tells by name


@dataclass(frozen=True)
class Tile:
    """A tile as a person sees it; `lanes` and `kind` are None before they are known, `parked` is a car's name."""

    lanes: str | None
    kind: str | None
    building: str | None
    owner: str | None
    parked: str | None


@dataclass(frozen=True)
class Car:
    """A car as a person sees it: on a `lane` (x, y, side), the side a letter, or `parked` at (x, y)."""

    owner: str
    lane: tuple[int, int, str] | None
    facing: str | None
    parked: tuple[int, int] | None


def facts(table: CrashCity) -> dict[str, object]:
    """What a state tells by name: `state.tiles`, `state.cars`, `state.streets`, `state.stock`, `state.turn`, ..."""
    seats = range(table.players[0])
    hit = table.hit[0]
    return {
        "tiles": {place(table, tile): tile_facts(table, tile) for tile in range(table.laid[0])},
        "cars": {car_name(car): car_facts(table, car) for car in range(CARS) if table.where[car] != NOWHERE},
        "streets": city(table),
        "parked": {seat_name(seat): rules.score(table, seat) for seat in seats},
        "stock": {seat_name(seat): stock_facts(table, seat) for seat in seats},
        "unrevealed": {name: unrevealed(table, kind) for kind, name in enumerate(KIND_NAMES)},
        "phase": PHASES[table.phase[0]],
        "turn": table.turn[0],
        "passes": table.passes[0],
        "whose_turn": seat_name(table.asked[0]),
        "hit": car_name(hit) if hit != NOWHERE else None,
        "push": DIRECTIONS[table.push[0]] if hit != NOWHERE else None,
    }


def tile_facts(table: CrashCity, tile: int) -> Tile:
    """A tile as a person sees it."""
    kind, building, owner = table.kind[tile], table.building[tile], table.owner[tile]
    parked = standing(table, ROOF + tile)
    return Tile(
        letters(table.street[tile]) or None,
        KIND_NAMES[kind] if kind != NOWHERE else None,
        BUILDING_NAMES[building] if building != NOWHERE else None,
        seat_name(owner) if owner != NOWHERE else None,
        car_name(parked[0]) if parked else None,
    )


def car_facts(table: CrashCity, car: int) -> Car:
    """A car as a person sees it."""
    where, owner = table.where[car], seat_name(car // OWN)
    if where >= ROOF:
        return Car(owner, None, None, place(table, where - ROOF))
    return Car(owner, (*place(table, where // 4), DIRECTIONS[where % 4]), DIRECTIONS[table.facing[car]], None)


def stock_facts(table: CrashCity, seat: int) -> dict[str, int]:
    """What a seat has not built yet."""
    return dict(zip(BUILDING_NAMES, table.stock[3 * seat : 3 * seat + 3], strict=True))


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
        "moved": [car_name(car) for car in range(CARS) if table.moved[car]],
        "tiles": [tile_dict(table, tile) for tile in range(1, table.laid[0])],
        "cars": {seat_name(seat): cars for seat in range(SEATS) if (cars := own_cars(table, seat))},
    }
    return {key: value for key, value in data.items() if value not in (0, None, [], {})}


def tile_dict(table: CrashCity, tile: int) -> dict[str, Any]:
    """A tile as plain JSON."""
    entry: dict[str, Any] = {"at": list(place(table, tile))}
    if table.street[tile]:
        entry["lanes"] = letters(table.street[tile])
    elif table.kind[tile] != NOWHERE:
        entry["kind"] = KIND_NAMES[table.kind[tile]]
    if table.building[tile] != NOWHERE:
        entry["building"] = BUILDING_NAMES[table.building[tile]]
        entry["owner"] = seat_name(table.owner[tile])
    return entry


def own_cars(table: CrashCity, seat: int) -> list[dict[str, Any] | None]:
    """The cars of a seat as JSON, without the last ones that are not on the table."""
    return trimmed(car_dict(table, car) for car in range(OWN * seat, OWN * seat + OWN))


def car_dict(table: CrashCity, car: int) -> dict[str, Any] | None:
    """A car as plain JSON; None if it is not on the table."""
    where = table.where[car]
    if where == NOWHERE:
        return None
    if where >= ROOF:
        return {"parked": list(place(table, where - ROOF))}
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
    table = empty(options)
    for entry in parts(data.get("tiles", []), "tiles", "'1,0 NS house A / 2,0 NE'"):
        put_tile(table, entry)
    table.joined[:] = connected(table)
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
    return SITE if table.where.count(NOWHERE) == CARS else RACE


def default_asked(table: CrashCity) -> int:
    """CC-B2: while the city grows, whoever comes after the last building; A else."""
    last = next((owner for owner in reversed(table.owner) if owner != NOWHERE), NOWHERE)
    if table.phase[0] == CAR and last != NOWHERE:
        return last
    return (last + 1) % table.players[0] if table.phase[0] < ROLL else 0


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
            building = chosen(found.get("building"), BUILDING_NAMES, "building")
            owner = read_seat(found.get("owner"), table.players[0], "owner")
        lanes = read_lanes(found["lanes"]) if "lanes" in found else 0
        kind = chosen(found["kind"], KIND_NAMES, "kind") if "kind" in found else KIND_OF[lanes]
        if lanes and kind != KIND_OF[lanes]:
            raise CrashlabError(f"a tile with {sides_words(lanes)} is of kind {KIND_NAMES[KIND_OF[lanes]]} (CC-G6)")
        tile = place_tile(table, x, y, lanes, building, owner)
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
    if len(cars) > OWN:
        raise CrashlabError(f"{name}: {len(cars)} cars are too many; everybody has {OWN} (CC-B1)")
    for number, car in enumerate(cars):
        if car not in (None, "-"):
            with about(f"{name}, {shown(car)}"):
                put_car(table, OWN * seat + number, car)


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
        if table.building[tile] not in (SHOP, FACTORY):
            raise CrashlabError(f"on {tile_words(table, tile)} there is no shop or factory to park at (CC-R2)")
        table.where[car] = ROOF + tile
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


# Positions that cannot be


def named_problems(table: CrashCity) -> list[str]:
    """What is wrong with the table, with names for the numbers of seats and cars."""
    return [renamed(renamed(words, "car", car_name), "seat", seat_name) for words in problems(table)]


def wrong_stock(table: CrashCity) -> list[str]:
    """CC-B1: buildings that a seat has not."""
    return [
        f"{seat_name(seat)} has built {counted(STOCK[building] - table.stock[3 * seat + building], name)}, "
        f"and everybody has {STOCK[building]} (CC-B1)"
        for seat in range(table.players[0])
        for building, name in enumerate(BUILDING_NAMES)
        if table.stock[3 * seat + building] < 0
    ]


def wrong_places(table: CrashCity) -> list[str]:
    """CC-G2, CC-R2: cars on one space or on one roof; of those on the space of a crash, one too many."""
    wrong = []
    for place in sorted(set(table.where) - {NOWHERE}):
        cars = standing(table, place)
        is_crash = table.hit[0] in cars and place < ROOF
        if len(cars) > 1 + is_crash:
            names = together([car_name(car) for car in cars])
            where = (
                f"parked on {tile_words(table, place - ROOF)}" if place >= ROOF else f"on {lane_words(table, place)}"
            )
            wrong.append(f"{names} are {where} (CC-G2, CC-R2)")
    return wrong


def wrong_moment(table: CrashCity) -> list[str]:
    """What is wrong with the stage of the game that the table is said to be at."""
    phase = table.phase[0]
    wrong = wrong_crash(table)
    if phase < ROLL:
        return wrong + wrong_construction(table)
    if phase == ROLL and (table.turn[0] or table.passes[0]):
        wrong.append("before the roll no turn of the race is over (CC-R1)")
    bare = [tile_words(table, tile) for tile in range(table.laid[0]) if not table.street[tile]]
    if bare:
        wrong.append(f"tile {together(bare)} has no lanes yet; in the phase {PHASES[phase]} every tile has (CC-G6)")
    return wrong + wrong_end(table)


def wrong_construction(table: CrashCity) -> list[str]:
    """CC-B2: what is wrong while the city is built."""
    phase, tile = table.phase[0], table.laid[0] - 1
    wrong = []
    if table.turn[0] or table.passes[0]:
        wrong.append("turns and passes are counted in the race, which has not begun (CC-R1)")
    if any(where >= ROOF for where in table.where):
        wrong.append("nobody parks before the race (CC-R2)")
    if tile + (phase == SITE) > TURNS * table.players[0]:
        wrong.append(f"there are {counted(tile, 'tile')}: after {TURNS} for each the city is done (CC-B2)")
    if phase != SITE and tile == SQUARE:
        return [*wrong, f"in the phase {PHASES[phase]} the last tile is a new one, and there is none (CC-B2)"]
    if reason := wrong_new_tile(table, phase, tile):
        wrong.append(reason)
    return wrong + wrong_supply(table)


def wrong_new_tile(table: CrashCity, phase: int, tile: int) -> str:
    """CC-B2: what is wrong with the last tile; empty if nothing is."""
    where, is_done = tile_words(table, tile), phase in (BUILD, CAR)
    if phase == SITE:
        return "" if table.street[tile] else f"tile {where} has no lanes yet; so the phase is reveal or rotate (CC-B2)"
    if is_done != (table.street[tile] > 0):
        has = f"lanes {letters(table.street[tile])}" if table.street[tile] else "no lanes yet"
        return f"tile {where} has {has}, and in the phase {PHASES[phase]} that cannot be (CC-B2)"
    cars = [car for car in range(CARS) if table.where[car] in range(4 * tile, 4 * tile + 4)]
    if cars:
        return f"{on(table, cars[:1], table.where[cars[0]])}, and that tile has only just been laid (CC-B6)"
    if (phase == REVEAL) != (table.kind[tile] == NOWHERE):
        return f"in the phase reveal the last tile is '{place_text(place(table, tile))} ?', in rotate '... ?L' (CC-B2a)"
    if phase == CAR:
        is_own = (table.building[tile], table.owner[tile]) == (HOUSE, table.asked[0])
        return "" if is_own else f"a car comes with a house of {seat_name(table.asked[0])} on {where} (CC-B6)"
    return f"on {where} nothing is built yet (CC-B2)" if table.building[tile] != NOWHERE else ""


def wrong_supply(table: CrashCity) -> list[str]:
    """CC-B2, CC-B6: buildings for the turns to come, and cars for the houses to come."""
    phase, players, wrong = table.phase[0], table.players[0], []
    begun = table.laid[0] - 1 - (phase in (REVEAL, ROTATE, BUILD))  # turns with a building, or a car after it
    to_come = TURNS * players - begun
    for seat in range(players):
        name, stock = seat_name(seat), table.stock[3 * seat : 3 * seat + 3]
        places = (seat - table.asked[0] - (phase == CAR)) % players  # how many seats build before this one
        turns = max(0, -(-(to_come - places) // players))
        if sum(stock) < turns:
            wrong.append(f"{name} has {counted(sum(stock), 'building')} left for {counted(turns, 'more turn')} (CC-B2)")
        cars = OWN - table.where[OWN * seat : OWN * seat + OWN].count(NOWHERE)
        houses = stock[HOUSE] + (phase == CAR and seat == table.asked[0])
        if cars + houses > OWN:
            more = counted(houses, "more car")
            wrong.append(
                f"{name} has {counted(cars, 'car')} on the street, and its houses bring {more} of {OWN} (CC-B6)"
            )
    return wrong


def wrong_crash(table: CrashCity) -> list[str]:
    """CC-R4, CC-C4: what is wrong with a crash."""
    hit, push, phase = table.hit[0], table.push[0], table.phase[0]
    if not (phase == ANSWER) == (hit != NOWHERE) == (push != NOWHERE):
        return ["in the phase crash, and only then, a car was hit; say which and how, as in 'hit B1; push E' (CC-R6)"]
    if phase == ANSWER and table.passes[0]:
        return ["who crashes has driven, and not passed: then 0 have passed in a row (CC-R1)"]
    if any(table.moved) and not (table.chains[0] and phase == ANSWER):
        return ["cars are moved only in a crash, and are named only with the option chains (CC-C4)"]
    if phase != ANSWER:
        return []
    where = table.where[hit]
    others = [car for car in standing(table, where) if car != hit] if where < ROOF else []
    if where == NOWHERE or len(others) != 1:
        return [f"{car_name(hit)} was hit, so one other car is on its space (CC-R6)"]
    if push % 2 == where % 2:
        return [f"on {lane_words(table, where)} a car is hit going {along(where)}, along its street (CC-R4)"]
    pushers = [car for car in range(CARS) if table.moved[car]]
    if wrong := [car_name(car) for car in pushers if car == hit or not NOWHERE < table.where[car] < ROOF]:
        return [f"{together(wrong)} cannot have hit a car in this turn: not on the street, or hit only now (CC-C4)"]
    drivers = {car // OWN for car in [*pushers, *others]}
    seat = seat_name(table.asked[0])
    return [] if table.asked[0] in drivers else [f"it is the turn of {seat}, and no car of {seat} crashed (CC-R4)"]


def wrong_end(table: CrashCity) -> list[str]:
    """CC-E1, CC-R1: whether the game is over or not as it should be."""
    done = [seat_name(seat) for seat in range(table.players[0]) if rules.score(table, seat) == OWN]
    if len(done) > 1:
        return [f"{together(done)} have parked all cars, and the game is over when the first one has (CC-E1)"]
    is_over = done or table.passes[0] == table.players[0] or table.turn[0] == table.turn_limit[0]
    if table.passes[0] > table.turn[0]:
        return [f"passes are turns, and {table.passes[0]} is more than {table.turn[0]} (CC-R1)"]
    if bool(is_over) == (table.phase[0] == OVER):
        return []
    if is_over:
        why = f"{done[0]} has parked all cars" if done else "that many passes or turns end it"
        return [f"the game is over: {why}; write 'phase over' (CC-E1, CC-R1)"]
    return ["the game is not over: nobody has parked all cars, and turns are left (CC-E1, CC-R1)"]


def wrong_question(table: CrashCity) -> list[str]:
    """CC-B3, CC-R5: whether it could come to what is asked: by the site of the new tile, by the car that was hit."""
    phase = table.phase[0]
    if phase in (REVEAL, ROTATE, BUILD):
        reason = refusal(before_last_tile(table), table.asked[0], SELECT + table.spot[table.laid[0] - 1])
        return [reason] if reason else []
    if phase == ANSWER and not listed(table):
        return [f"{car_name(table.hit[0])} cannot make way, so it cannot have been hit (CC-R5)"]
    return []


def before_last_tile(table: CrashCity) -> CrashCity:
    """CC-B2: the table as it was when the site of the last tile was chosen."""
    before, tile = table.copy(), table.laid[0] - 1
    before.tile[table.spot[tile] % CELLS] = NOWHERE
    before.laid[0], before.phase[0] = tile, SITE
    before.joined[:] = connected(before)
    return before


# What a seat sees


def hide(table: CrashCity, seat: int) -> CrashCity:
    """CC-B2a: what a seat sees is everything; nobody knows the tiles to come."""
    return table.copy()


def guess(table: CrashCity, rng: Random) -> CrashCity:
    """The table, of which nothing is hidden."""
    return table.copy()


def is_secret(table: CrashCity, row: tuple[int, ...], seat: int) -> bool:
    """Nothing is."""
    return False


# Events


def event_text(table: CrashCity, row: tuple[int, ...]) -> str:
    """One row of a trace in words."""
    _, rule, _, field, index, before, after, last = row
    if field == NOWHERE:
        return note_text(table, rule, index, before, after, last)
    name = CrashCity.NAMES[field]
    if name in ("laid", "tile", "spot", "kind", "street", "building", "owner", "joined", "stock"):
        return city_event(table, name, index, after)
    if name == "where":
        return where_event(table, rule, index, before, after)
    if name == "facing":
        return f"{car_name(index)} {f'faces {DIRECTIONS[after]}' if after != NOWHERE else 'is off the street'}"
    if name == "moved":
        return f"{car_name(index)} {'cannot be hit any more in this turn' if after else 'can be hit again'}"
    if name == "phase":
        return phase_event(table, rule, after)
    return turn_event(table, name, before, after)


def city_event(table: CrashCity, name: str, index: int, after: int) -> str:
    """How the city grows, in words."""
    if name == "laid":
        return f"there {'is' if after == 2 else 'are'} {counted(after - 1, 'tile')} besides the square"
    if name == "tile":
        return f"tile {after} lies on {tile_words(table, after)}"
    if name == "spot":
        return f"{seat_name(table.asked[0])} chooses the site {place_words(streets.xy(after))}"
    if name == "kind":
        return f"the tile for {tile_words(table, index)} is {'a' if after == KIND_U else 'an'} {KIND_NAMES[after]}"
    if name == "street":
        return f"the tile is laid on {tile_words(table, index)} with {sides_words(after)}"
    if name == "joined":
        return f"{lane_words(table, index)} is {'' if after else 'no longer '}connected to the square"
    if name == "building":
        return f"a {BUILDING_NAMES[after]} is built on {tile_words(table, index)}"
    if name == "owner":
        thing = BUILDING_NAMES[table.building[index]]
        return f"the {thing} on {tile_words(table, index)} belongs to {seat_name(after)}"
    seat, building = divmod(index, 3)
    return f"{seat_name(seat)} has {counted(after, BUILDING_NAMES[building])} left to build"


KIND_U = KIND_NAMES.index("U")  # the only kind whose name begins with a consonant when it is read out


def where_event(table: CrashCity, rule: int, car: int, before: int, after: int) -> str:
    """A car comes to another place, in words."""
    name = car_name(car)
    if after >= ROOF:
        thing = BUILDING_NAMES[table.building[after - ROOF]]
        return f"{name} is parked at the {thing} on {tile_words(table, after - ROOF)}"
    if before == NOWHERE:
        return f"{name} is put on {lane_words(table, after)}"
    way = f"from {lane_words(table, before)} to {lane_words(table, after)}"
    if rule in (rules.C1, rules.C2):
        return f"{name} is pushed {'straight on' if rule == rules.C1 else 'round a corner'} {way}"
    if rule == rules.C3:
        return f"{name} spins {way}"
    return f"{name} {'makes a U-turn' if rules.other_lane(table, before) == after else 'drives'} {way}"


def phase_event(table: CrashCity, rule: int, after: int) -> str:
    """What is asked now, in words."""
    if after == OVER:
        return f"the game is over{over_reason(table, rule)}: {outcome(table)}"
    if rule == rules.R6 and after == RACE:
        return "the crash is over"
    if after == RACE and table.phase[0] == ROLL:
        asked = "" if has_no_choice(table, after) else f", and {seat_name(table.asked[0])} is asked for its first turn"
        return f"the race begins{asked}"
    if after in (REVEAL, ROLL):
        who, what = "chance", f"for {question(after)}"
    elif after == ANSWER:
        who, what = seat_name(table.hit[0] // OWN), f"where {car_name(table.hit[0])} goes"
    else:
        who, what = seat_name(table.asked[0]), f"for {question(after)}"
    return f"{who} is not asked {what}: there is no choice" if has_no_choice(table, after) else f"{who} is asked {what}"


def has_no_choice(table: CrashCity, phase: int) -> bool:
    """Whether there would be one answer only if this were asked now."""
    moment = table.copy()
    moment.phase[0] = phase
    return rules.forced(moment, moment.asked[0], [0] * rules.MOST_ACTIONS) != NOWHERE


def over_reason(table: CrashCity, rule: int) -> str:
    """CC-E1, CC-R1: why the game is over, in words."""
    if rule == rules.E1:
        return ""
    if table.passes[0] == table.players[0]:
        return ", for all have passed"
    return f" after {counted(table.turn[0], 'turn')}"


def outcome(table: CrashCity) -> str:
    """CC-E1, CC-E2: who wins, and with how many cars parked."""
    most = max(rules.score(table, seat) for seat in range(table.players[0]))
    return f"{winners_words(rules.winners(table))} with {counted(most, 'car')} parked"


def turn_event(table: CrashCity, name: str, before: int, after: int) -> str:
    """What changes in the turn, in words."""
    if name == "asked":
        begins = "begins the race" if table.phase[0] == ROLL else "is to have the next turn"
        return f"{seat_name(after)} {begins}"
    if name == "turn":
        return f"turn {after} of the race is over"
    if name == "passes":
        asked = seat_name(table.asked[0])
        return f"{asked} passes, number {after} in a row" if after else "passes in a row are counted anew"
    if name == "hit":
        return f"{car_name(after)} is to make way" if after != NOWHERE else f"{car_name(before)} has made way"
    way = f"towards {DIRECTIONS[after]}" if after != NOWHERE else "no further"
    return f"{car_name(table.hit[0])} is pushed {way}"


def note_text(table: CrashCity, rule: int, a: int, b: int, c: int, d: int) -> str:
    """A note in words."""
    if rule == rules.B3:
        where = place_words(streets.xy(b))
        return f"no site allows what {seat_name(a)} has left, so all of it may be built on {where}"
    verb = "crashes into" if rule == rules.R4 else "is pushed into"
    return f"{car_name(a)} {verb} {car_name(b)} on {lane_words(table, c)}, going {DIRECTIONS[d]}"
