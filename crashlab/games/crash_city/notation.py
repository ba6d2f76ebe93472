"""CrashCity in words: names of things, and actions as text and back.

Tiles are `x,y`, x to the east and y to the north; the town square is `0,0`. A lane is a tile with its side: `2,0N`; a
direction is N, E, S or W. Seats are A to D, the cars of seat A are A1 to A8.

An action is one of these; its first word may be left out if that is not ambiguous:

- `site 2,0`: the site of the next tile; `tile L`: its kind; `lanes NE`: its lanes after turning; `build shop`: the
  building on it; `put 2,0N>E`: the car of a house, on the lane N and facing E
- `A begins` the race
- `park A1`, `drive A1 2,0N` to this lane, perhaps with a crash; `pass` if the seat can do neither
- `to 2,0N`: the space to which the hit car makes way
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.engine import contract, value_codecs
from crashlab.engine.action_notation import OVER, ActionType, Decision, action_types, alone, by_number, joined, thing
from crashlab.engine.notation import (
    SEATS,
    pair,
    some,
    together,
)
from crashlab.engine.table import NOWHERE
from crashlab.engine.value_codecs import Codec, maybe, named, seat_name
from crashlab.games.boards import streets
from crashlab.games.boards.streets import ARMS, DIRECTIONS, OTHER_STRAIGHT, STRAIGHT, letters, turned
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.state import CrashCity

# Things


MANOEUVRES = (
    "a car goes forward, perhaps round a corner at the end; or round one corner, forward or backward; or 1 or 2 spaces "
    "back, the second perhaps round a corner; or to the other lane"
)


def lane_text(table: CrashCity, space: int) -> str:
    """Write a lane: 2,0N."""
    if not 0 <= space < 4 * table.laid[0]:
        return f"space {space}"
    return f"{t.tile_words(table, space // 4)}{DIRECTIONS[space % 4]}"


def sides_words(lanes: int) -> str:
    """Write lanes in words: lanes N and E."""
    return f"lane{'s' * (len(letters(lanes)) > 1)} {together(letters(lanes))}"


def lanes_text(table: CrashCity, lanes: int) -> str:
    """Write lanes: NE."""
    return letters(lanes) if 0 <= lanes <= t.ALL_SIDES else str(lanes)


# Names and back

WRITTEN = {letters(lanes): lanes for lanes in range(1, t.ALL_SIDES + 1)}  # lanes in their usual order


def read_place(word: object) -> tuple[int, int]:
    """Parse a place: `2,0`, `(2,0)` or [2, 0]."""
    place = pair(word, r"\(?\s*([+-]?[0-9]{1,4})\s*,\s*([+-]?[0-9]{1,4})\s*\)?")
    if place is None:
        raise CrashlabError(f"tile: {short_repr(word)} is not a place x,y, as in '2,0' or [2, 0]")
    require(
        max(map(abs, place)) <= t.TILES,
        f"tile: {t.place_words(place)} is too far from the square 0,0 for a city of {t.TILES - 1} tiles",
    )
    return place


def read_site(table: CrashCity, word: object) -> int:
    """Parse a place and return its spot, with or without a tile."""
    return streets.spot_of(*read_place(word))


def read_tile(table: CrashCity, word: object) -> int:
    """Parse the place of a tile and return the tile's index."""
    x, y = read_place(word)
    tile = t.tile_at(table, x, y)
    require(tile != NOWHERE, f"there is no tile {t.place_words((x, y))}")
    return tile


def read_lanes(table: CrashCity, word: object) -> int:
    """Parse lanes like `NE`, in any order, as a sum of bits."""
    if type(word) is str and word in WRITTEN:
        return WRITTEN[word]
    sought = word.strip().upper() if isinstance(word, str) else ""
    if not sought or len(set(sought)) < len(sought) or not set(sought) <= set(DIRECTIONS):
        raise CrashlabError(
            f"lanes: give one or more of the sides {some(DIRECTIONS)}, as in 'NE', not {short_repr(word)}"
        )
    return sum(1 << DIRECTIONS.index(letter) for letter in sought)


def read_lane(table: CrashCity, word: object) -> int:
    """Parse a lane like `2,0N` and return its space."""
    match = re.fullmatch(r"(.*[0-9)])\s*([A-Za-z])", word.strip()) if isinstance(word, str) else None
    if not match:
        raise CrashlabError(f"lane: {short_repr(word)} is not a tile and one of its sides, as in '2,0N'")
    tile, side = read_tile(table, match[1]), DIRECTION.parse(table, match[2])
    return lane_on(table, tile, side)


def lane_on(table: CrashCity, tile: int, side: int) -> int:
    """Return the space of a lane; raise CrashlabError if the tile lacks it."""
    if table.street[tile] >> side & 1 == 0:
        has = f"it has {sides_words(table.street[tile])}" if table.street[tile] else "it has no lanes yet"
        raise CrashlabError(f"tile {t.tile_words(table, tile)} has no lane {DIRECTIONS[side]}; {has}")
    return 4 * tile + side


def read_car(table: CrashCity, word: object) -> int:
    """Parse a car like `A1` and return its index."""
    seats = SEATS[: table.players[0]]
    match = re.fullmatch(r"([A-Z])([1-8])", word.strip().upper()) if isinstance(word, str) else None
    if not match or match[1] not in seats:
        raise CrashlabError(
            f"car: {short_repr(word)} is not one of {some(f'{seat}1 to {seat}{t.FLEET}' for seat in seats)}"
        )
    return t.FLEET * seats.index(match[1]) + int(match[2]) - 1


# Matches everything that `close_up` changes, apart from spaces
LOOSE = re.compile(r"[(]|\s[,>]|[,>]\s|[0-9]\s+[NESWnesw]\b")


def close_up(line: str) -> str:
    """Write each tile and lane of a line as one word: `(2, 0) N` becomes `2,0N`."""
    if not LOOSE.search(line):
        return " ".join(line.split())
    line = re.sub(r"\(\s*([+-]?[0-9]+)\s*,\s*([+-]?[0-9]+)\s*\)", r" \1,\2 ", line)
    line = re.sub(r"([0-9])\s*,\s*([+-]?[0-9])", r"\1,\2", line)
    line = re.sub(r"(,[+-]?[0-9]+)\s+([NESWnesw])\b", r"\1\2", line)
    return " ".join(re.sub(r"\s*>\s*", ">", line).split())


# Codecs of things


def optional(codec: Codec[CrashCity]) -> Codec[CrashCity]:
    """Return a codec that also allows NOWHERE, null in JSON."""
    return maybe(codec, {NOWHERE: "none"}, NOWHERE)


SEAT = value_codecs.seat()
BUILDING = named("building", t.BUILDING_NAMES)
KIND = replace(named("tile", t.KIND_NAMES), name="kind")
DIRECTION = named("direction", DIRECTIONS)
FACING = replace(DIRECTION, name="facing")
LANES = Codec("lanes", lanes_text, read_lanes, lanes_text, lambda table, lanes: sides_words(lanes))
SITE = Codec(
    "site",
    lambda table, spot: t.place_words(streets.xy(spot)),
    read_site,
    lambda table, spot: [*streets.xy(spot)],
)
TILE = Codec("tile", t.tile_words, read_tile, lambda table, tile: [*t.place(table, tile)])
LANE = Codec(
    "lane",
    lane_text,
    read_lane,
    lambda table, space: [*t.lane_of(table, space)[:2], DIRECTIONS[space % 4]],
    t.lane_words,
)
CAR = Codec[CrashCity]("car", lambda table, car: t.car_name(car), read_car, lambda table, car: t.car_name(car))


# Refusals


def site_refusal(table: CrashCity, action: int) -> str:
    """CC-B3: return the reason to refuse a site."""
    spot = action - t.SELECT
    seat = seat_name(table.asked[0])
    x, y = streets.xy(spot)
    where = t.place_words((x, y))
    if t.tile_at(table, x, y) != NOWHERE:
        return f"there is a tile on {where} already (CC-B3)"
    if all(t.tile_at(table, *streets.beside(x, y, way)) == NOWHERE for way in range(4)):
        return f"{where} does not share a side with a tile or the square (CC-B3)"
    if not rules.can_be_paved(table, spot):
        return f"the site {where} is not connected: no lane there would meet a street from the square (CC-B3)"
    return f"none of {seat}'s remaining buildings may stand on {where}, but other sites allow one (CC-B3, CC-B5)"


def reveal_refusal(table: CrashCity, action: int) -> str:
    """CC-G6, CC-B2a: return the reason to refuse a kind of tile."""
    kind = action - t.REVEALED
    if t.COUNTS[t.KINDS * table.tiles[0] + kind] == 0:
        return f"there is no tile {t.KIND_NAMES[kind]} in this set (CC-G6)"
    return f"all tiles {t.KIND_NAMES[kind]} of the set have been revealed (CC-B2a)"


def rotate_refusal(table: CrashCity, action: int) -> str:
    """CC-B4: return the reason to refuse a rotation."""
    lanes = action - t.LAY
    kind = table.kind[table.laid[0] - 1]
    if t.KIND_OF[lanes] != kind:
        ways = " or ".join(map(letters, turned(t.LANES[kind])))
        name = "lane" if t.LANES[kind] == 1 else "lanes"
        return f"a tile {t.KIND_NAMES[kind]} has {name} {ways}, not {letters(lanes)} (CC-G6)"
    return f"with {sides_words(lanes)} the tile would not be connected to the streets of the square (CC-B4)"


def build_refusal(table: CrashCity, action: int) -> str:
    """CC-B5: return the reason to refuse a building."""
    building = action - t.ERECT
    tile = table.laid[0] - 1
    seat = table.asked[0]
    name = t.BUILDING_NAMES[building]
    if table.stock[3 * seat + building] < 1:
        return f"{seat_name(seat)} has no {name} left (CC-B1)"
    unwanted = t.FACTORY if building == t.HOME else t.HOME
    sides = (t.tile_at(table, *streets.beside(*t.place(table, tile), way)) for way in range(4))
    near = [t.tile_words(table, other) for other in sides if other != NOWHERE and table.building[other] == unwanted]
    return f"no {name} may stand beside a {t.BUILDING_NAMES[unwanted]}, and there is one on {together(near)} (CC-B5)"


def put_refusal(table: CrashCity, action: int) -> str:
    """CC-B6: return the reason to refuse a place for the house's car."""
    space = (action - t.PUT) // 4
    tile = table.laid[0] - 1
    if space // 4 != tile:
        return f"the car must be put on a lane of the new tile, {t.tile_words(table, tile)} (CC-B6)"
    if not table.joined[space]:
        return f"{t.lane_words(table, space)} is not connected to the streets of the square (CC-B6)"
    return f"a car on {t.lane_words(table, space)} must face {along(space)}, along its street (CC-G2)"


def along(space: int) -> str:
    """Return the two directions of a street as text."""
    return f"{DIRECTIONS[(space + 1) % 2]} or {DIRECTIONS[(space + 1) % 2 + 2]}"


def car_refusal(table: CrashCity, car: int) -> str:
    """CC-R1, CC-R2: return the reason to refuse any action of a car in this turn; empty if there is no such reason."""
    seat = table.asked[0]
    name = t.car_name(car)
    where = table.where[car]
    if car // t.FLEET != seat:
        return f"{name} is a car of {seat_name(car // t.FLEET)}, but it is the turn of {seat_name(seat)} (CC-R1)"
    if where == NOWHERE:
        return f"{name} is not on the table (CC-B6)"
    return (
        f"{name} is parked on {t.tile_words(table, where - t.ROOF)} and stays there (CC-R2)" if where >= t.ROOF else ""
    )


def park_refusal(table: CrashCity, action: int) -> str:
    """CC-R2: return the reason to refuse parking."""
    car = action - t.PARK
    if reason := car_refusal(table, car):
        return reason
    tile = table.where[car] // 4
    if table.building[tile] not in (t.SHOP, t.FACTORY):
        return f"{t.car_name(car)} is on {t.tile_words(table, tile)}, where there is no shop or factory (CC-R2)"
    (other,) = t.cars_at(table, t.ROOF + tile)
    name = t.BUILDING_NAMES[table.building[tile]]
    return f"{t.car_name(other)} is already parked at the {name} on {t.tile_words(table, tile)} (CC-R2)"


def drive_refusal(table: CrashCity, action: int) -> str:
    """CC-R3 to CC-R5: return the reason to refuse a drive."""
    car, space = divmod(action - t.DRIVE, t.SPACE)
    if reason := car_refusal(table, car):
        return reason
    name = t.car_name(car)
    alone = without(table, [other for other in range(t.CARS) if other != car])
    if space == table.where[car]:
        return f"{name} is already on {t.lane_words(table, space)} (CC-R3)"
    others = t.cars_at(table, space)
    if space in reached(alone, car, 1):
        return f"{on(table, others, space)}, but a move of one space must end on an empty space (CC-R4)"
    if space not in reached(alone, car, rules.FORWARD):
        return f"no move of {name} ends on {t.lane_words(table, space)}: {MANOEUVRES} (CC-R3)"
    if others and space in reached(without(table, others), car, rules.FORWARD):
        return f"{t.car_name(others[0])} is blocked: it could not make way, so it cannot be hit (CC-R5)"
    return way_refusal(table, car, space, alone)


def way_refusal(table: CrashCity, car: int, space: int, alone: CrashCity) -> str:
    """CC-R3: name the cars that block the path to a space that is in reach on an empty board."""
    is_forward = space in ends(alone, car, alone.facing[car], rules.FORWARD)
    way = alone.facing[car] ^ (0 if is_forward else 2)
    here = table.where[car]
    while True:
        bits, first = rules.arms_ahead(table, here, way), ARMS * (4 * (here & 3) + way)
        straight = [
            rules.arm_space(table, table.spot[here >> 2], first + arm)
            for arm in (STRAIGHT, OTHER_STRAIGHT)
            if bits >> arm & 1
        ]
        if table.lanes[0] != t.EVERY_STEP:
            del straight[1:]
        free = [lane for lane in straight if not t.cars_at(table, lane)]
        if not free:
            break
        here = free[0]
    others = [other for lane in straight for other in t.cars_at(table, lane)]
    names = together([f"{t.car_name(other)} on {t.lane_words(table, table.where[other])}" for other in others])
    stays = "" if table.lanes[0] == t.EVERY_STEP else ", and only the last step changes lanes"
    return f"the way is blocked by {names}; every space on the way must be empty{stays} (CC-R3)"


def on(table: CrashCity, cars: Sequence[int], space: int) -> str:
    """Write the position of cars, such as "B1 is on the N lane of 2,0"."""
    names = together([t.car_name(car) for car in cars])
    return f"{names} {'is' if len(cars) == 1 else 'are'} on {t.lane_words(table, space)}"


def without(table: CrashCity, cars: Iterable[int]) -> CrashCity:
    """Return a copy of the table without these cars."""
    bare = table.copy()
    for car in cars:
        bare.where[car] = NOWHERE
    return bare


def laid_out(table: CrashCity) -> list[int]:
    """Return an array for legal actions, with the streets stored in its scratch part."""
    out = [0] * rules.MOST_ACTIONS
    rules.keep_streets(table, out)
    return out


def reached(table: CrashCity, car: int, most: int) -> set[int]:
    """CC-R3: return the spaces on which a drive of at most `most` steps can end."""
    facing = table.facing[car]
    other = rules.other_lane(table, table.where[car])
    spaces = ends(table, car, facing, most) | ends(table, car, facing ^ 2, min(most, rules.BACKWARD))
    return spaces | ({other} if other != NOWHERE and not t.cars_at(table, other) else set())


def ends(table: CrashCity, car: int, way: int, most: int) -> set[int]:
    """CC-R3: return the spaces on which a drive in one direction can end."""
    out = laid_out(table)
    return {action % t.SPACE for action in out[: rules.drives(table, out, 0, car, way, most)]}


def answer_refusal(table: CrashCity, action: int) -> str:
    """CC-C1 to CC-C4: return the reason to refuse a space for the hit car."""
    space = action - t.MAKE_WAY
    hit = table.hit[0]
    name, here = t.car_name(hit), table.where[hit]
    bare = without(table, range(t.CARS))
    out = laid_out(bare)
    open_ways = out[: rules.ways_out(bare, out, 0, rules.ALL, here, table.push[0], 0, 0)]
    if action not in open_ways:
        ways = "one space straight on, round a corner at the far end, or to the other lane of its street"
        return f"{name} was hit in direction {DIRECTIONS[table.push[0]]} and can go only {ways} (CC-C1, CC-C2, CC-C3)"
    others = on(table, t.cars_at(table, space), space)
    if not table.chains[0]:
        return f"{others}, but a car that was hit must go to an empty space (CC-C1)"
    if space == rules.other_lane(table, here):
        return f"{others}, but a car can spin only to an empty lane (CC-C3)"
    if any(table.moved[other] for other in t.cars_at(table, space)):
        return f"{others}, but no car may be moved twice in a turn (CC-C4)"
    return f"{others}, but a chain that begins there could not be completed (CC-C4)"


# Decisions


def decision(table: CrashCity, seat: int) -> Decision[CrashCity]:
    """Return the current decision."""
    return DECISIONS[table.phase[0]]


def said(table: CrashCity, code: int) -> str:
    """Write an action of the current decision in notation."""
    return DECISIONS[table.phase[0]].answer.format(table, code)


def legal_now(table: CrashCity) -> list[int]:
    """Return all legal actions of the current decision."""
    return contract.legal_actions(rules, table, table.asked[0])


# Notation of the answers


def deciding(name: str, about: str, *kinds: ActionType[CrashCity]) -> Decision[CrashCity]:
    """Return a decision with answers of these kinds."""
    return Decision(name, about, action_types(*kinds, width=t.SORT, tidy=close_up))


def car_and_lane(words: str) -> tuple[str, str]:
    """Split a drive into its car and its lane: `A1 2,0N`."""
    car, _, lane = words.partition(" ")
    require(lane and " " not in lane, "a turn is 'park A1', 'drive A1 2,0N', or 'pass'")
    return car, lane


BEGINNER = replace(
    SEAT,
    format=lambda table, seat: f"{SEAT.format(table, seat)} begins",
    parse=lambda table, word: SEAT.parse(table, re.sub(r"\s+begins$", "", str(word), flags=re.IGNORECASE)),
)


DECISIONS = by_number(
    {
        t.SITE: deciding(
            "site",
            "a site for the next tile",
            ActionType(t.SELECT, ("site", "select"), thing(SITE), site_refusal),
        ),
        t.REVEAL: deciding(
            "reveal",
            "the next tile",
            ActionType(t.REVEALED, ("tile", "reveal"), thing(KIND), reveal_refusal),
        ),
        t.ROTATE: deciding(
            "rotate",
            "the lanes of the new tile",
            ActionType(t.LAY, ("lanes", "lane", "lay", "turn"), thing(LANES), rotate_refusal),
        ),
        t.BUILD: deciding(
            "build",
            "a building",
            ActionType(t.ERECT, ("build", "erect"), thing(BUILDING), build_refusal),
        ),
        t.CAR: deciding(
            "car",
            "a place for the new car",
            ActionType(t.PUT, ("put", "car"), joined(LANE, FACING, 4, ">"), put_refusal),
        ),
        t.ROLL: deciding(
            "roll",
            "the seat that begins the race",
            ActionType(
                t.ROLLED,
                ("", "roll"),
                thing(BEGINNER),
                lambda table, action: f"{seat_name(action - t.ROLLED)} does not play (CC-R1)",
            ),
        ),
        t.RACE: deciding(
            "race",
            "a turn of the race",
            ActionType(t.PARK, ("park",), thing(CAR), park_refusal),
            ActionType(
                t.PASS,
                ("pass", "-"),
                alone(),
                lambda table, action: (
                    f"{seat_name(table.asked[0])} can park or drive, so passing is not allowed (CC-R1)"
                ),
            ),
            ActionType(t.DRIVE, ("drive",), joined(CAR, LANE, t.SPACE, " ", car_and_lane), drive_refusal),
        ),
        t.ANSWER: deciding(
            "crash",
            "a space for the car that was hit",
            ActionType(t.MAKE_WAY, ("to", "go"), thing(LANE), answer_refusal),
        ),
        t.OVER: OVER,
    }
)
PHASE = named("phase", [decision.name for decision in DECISIONS])
