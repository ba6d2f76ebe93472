"""CrashCity in words: names of things, and actions as text and back.

Tiles are `x,y`, x to the east and y to the north; the town square is `0,0`. A lane is a tile with the side it is on:
`2,0N`; a direction is N, E, S or W. Seats are A to D, the cars of seat A are A1 to A8.

An action is one of these, also without its first word where no other one is possible:

- `site 2,0`: where the next tile goes; `tile L`: which one it is; `lanes NE`: the lanes that it has when it is turned;
  `build shop`: the building on it; `put 2,0N>E`: the car of a house, on the lane N, and faces E
- `A begins` the race
- `park A1`, `drive A1 2,0N` to this lane, also if it crashes there; `pass` where neither can be done
- `to 2,0N`: where a car goes that was hit
"""

from __future__ import annotations

import re
from dataclasses import replace

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.notation import SEATS, pair, some, together
from crashlab.engine.table import NOWHERE
from crashlab.engine.words import Kind, maybe, named, seat
from crashlab.games.boards import streets
from crashlab.games.boards.streets import DIRECTIONS, letters
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city.table import CrashCity

MANOEUVRES = (
    "a car goes forward and, if it likes, round one corner at the end; one corner forward or backward; 1 or 2 spaces "
    "back, of which the second may be round a corner; or to the other lane"
)


def place_text(where: tuple[int, int]) -> str:
    """2,0."""
    return f"{where[0]},{where[1]}"


def lane_text(table: CrashCity, space: int) -> str:
    """2,0N."""
    if not 0 <= space < 4 * table.laid[0]:
        return f"space {space}"
    return f"{place_text(t.place(table, space // 4))}{DIRECTIONS[space % 4]}"


def sides_words(lanes: int) -> str:
    """Lanes N and E."""
    return f"lane{'s' * (len(letters(lanes)) > 1)} {together(letters(lanes))}"


def site_text(table: CrashCity, spot: int) -> str:
    """2,0, of a spot."""
    return place_text(streets.xy(spot))


def tile_text(table: CrashCity, tile: int) -> str:
    """2,0, of a tile by its number."""
    return place_text(t.place(table, tile))


def lanes_text(table: CrashCity, lanes: int) -> str:
    """NE."""
    return letters(lanes) if 0 <= lanes <= t.ALL_SIDES else str(lanes)


# Names and back

WRITTEN = {letters(lanes): lanes for lanes in range(1, t.ALL_SIDES + 1)}  # lanes as we write them


def read_place(word: object) -> tuple[int, int]:
    """Where `2,0`, `(2,0)` or [2, 0] is."""
    found = pair(word, r"\(?\s*([+-]?[0-9]{1,4})\s*,\s*([+-]?[0-9]{1,4})\s*\)?")
    if found is None:
        raise CrashlabError(f"tile: {shown(word)} is not x and y, as in '2,0' or [2, 0]")
    if max(map(abs, found)) > t.TILES:
        raise CrashlabError(
            f"tile: no city of {t.TILES - 1} tiles reaches from the square (0,0) to {t.place_words(found)}"
        )
    return found


def read_site(table: CrashCity, word: object) -> int:
    """The spot of a place, whether a tile lies there or not."""
    return streets.spot_of(*read_place(word))


def read_tile(table: CrashCity, word: object) -> int:
    """The number of the tile that is there."""
    x, y = read_place(word)
    tile = t.tile_at(table, x, y)
    if tile == NOWHERE:
        raise CrashlabError(f"there is no tile {t.place_words((x, y))}")
    return tile


def read_lanes(table: CrashCity, word: object) -> int:
    """Lanes like `NE`, in any order, as a sum of bits."""
    if type(word) is str and word in WRITTEN:
        return WRITTEN[word]
    sought = word.strip().upper() if isinstance(word, str) else ""
    if not sought or len(set(sought)) < len(sought) or not set(sought) <= set(DIRECTIONS):
        raise CrashlabError(f"lanes: {shown(word)} is not one or more of the sides {some(DIRECTIONS)}, as in 'NE'")
    return sum(1 << DIRECTIONS.index(letter) for letter in sought)


def read_lane(table: CrashCity, word: object) -> int:
    """The space of a lane like `2,0N`."""
    found = re.fullmatch(r"(.*[0-9)])\s*([A-Za-z])", word.strip()) if isinstance(word, str) else None
    if not found:
        raise CrashlabError(f"lane: {shown(word)} is not a tile and a side of it, as in '2,0N'")
    tile, side = read_tile(table, found[1]), DIRECTION.read(table, found[2])
    return lane_on(table, tile, side)


def lane_on(table: CrashCity, tile: int, side: int) -> int:
    """The space of a lane that must be there."""
    if table.street[tile] >> side & 1 == 0:
        has = f"it has {sides_words(table.street[tile])}" if table.street[tile] else "it is not laid yet"
        raise CrashlabError(f"tile {t.tile_words(table, tile)} has no lane {DIRECTIONS[side]}; {has}")
    return 4 * tile + side


def read_car(table: CrashCity, word: object) -> int:
    """The number of a car like `A1`."""
    seats = SEATS[: table.players[0]]
    found = re.fullmatch(r"([A-Z])([1-8])", word.strip().upper()) if isinstance(word, str) else None
    if not found or found[1] not in seats:
        raise CrashlabError(f"car: {shown(word)} is none of {some(f'{seat}1 to {seat}{t.OWN}' for seat in seats)}")
    return t.OWN * seats.index(found[1]) + int(found[2]) - 1


LOOSE = re.compile(r"[(]|\s[,>]|[,>]\s|[0-9]\s+[NESWnesw]\b")  # in all that `close_up` changes but spaces


def close_up(line: str) -> str:
    """The line with each tile and lane as one word: `(2, 0) N` becomes `2,0N`."""
    if not LOOSE.search(line):
        return " ".join(line.split())
    line = re.sub(r"\(\s*([+-]?[0-9]+)\s*,\s*([+-]?[0-9]+)\s*\)", r" \1,\2 ", line)
    line = re.sub(r"([0-9])\s*,\s*([+-]?[0-9])", r"\1,\2", line)
    line = re.sub(r"(,[+-]?[0-9]+)\s+([NESWnesw])\b", r"\1\2", line)
    return " ".join(re.sub(r"\s*>\s*", ">", line).split())


# Kinds of things


def optional(kind: Kind[CrashCity]) -> Kind[CrashCity]:
    """A kind of thing that need not be there; then it is null in JSON."""
    return maybe(kind, {NOWHERE: "none"}, NOWHERE)


SEAT = seat()
BUILDING = named("building", t.BUILDING_NAMES)
KIND = replace(named("tile", t.KIND_NAMES), name="kind")
DIRECTION = named("direction", DIRECTIONS)
FACING = replace(DIRECTION, name="facing")
LANES = Kind("lanes", lanes_text, read_lanes, lanes_text)
SITE = Kind(
    "site", lambda table, spot: place_text(streets.xy(spot)), read_site, lambda table, spot: [*streets.xy(spot)]
)
TILE = Kind("tile", tile_text, read_tile, lambda table, tile: [*t.place(table, tile)])
LANE = Kind("lane", lane_text, read_lane, lambda table, space: [*t.lane_of(table, space)[:2], DIRECTIONS[space % 4]])
CAR = Kind[CrashCity]("car", lambda table, car: t.car_name(car), read_car, lambda table, car: t.car_name(car))
