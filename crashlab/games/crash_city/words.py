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

from crashlab.boards import streets
from crashlab.boards.streets import DIRECTIONS, letters
from crashlab.errors import CrashlabError, shown
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city.table import CrashCity
from crashlab.happen import NOWHERE
from crashlab.notation import (
    about,
    called,
    chosen,
    pair,
    read_seat,
    some,
    together,
)

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
    return t.place_words(place(table, tile))


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
    return f"{LETTERS[car // t.OWN]}{car % t.OWN + 1}" if 0 <= car < t.CARS else f"car {car}"


def standing(table: CrashCity, place: int) -> list[int]:
    """The cars on a space or on a roof."""
    return [car for car in range(t.CARS) if table.where[car] == place]


# Names and back


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


def read_tile(table: CrashCity, word: object) -> int:
    """The number of the tile that is there."""
    x, y = read_place(word)
    tile = t.tile_at(table, x, y)
    if tile == NOWHERE:
        raise CrashlabError(f"there is no tile {t.place_words((x, y))}")
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
        raise CrashlabError(f"car: {shown(word)} is none of {some(f'{seat}1 to {seat}{t.OWN}' for seat in seats)}")
    return t.OWN * seats.index(found[1]) + int(found[2]) - 1


# Actions


def action_text(table: CrashCity, seat: int, action: int) -> str:
    """The action in notation."""
    sort, rest = action // t.SORT * t.SORT, action % t.SORT
    if sort == t.SELECT:
        return f"site {place_text(streets.xy(rest))}"
    if sort == t.REVEALED:
        return f"tile {t.KIND_NAMES[rest]}" if rest < len(t.KIND_NAMES) else f"tile {rest}"
    if sort == t.LAY:
        return f"lanes {letters(rest) if rest < 16 else rest}"
    if sort == t.ERECT:
        return f"build {t.BUILDING_NAMES[rest] if rest < len(t.BUILDING_NAMES) else rest}"
    if sort == t.PUT:
        return f"put {lane_text(table, rest // 4)}>{DIRECTIONS[rest % 4]}"
    if sort == t.ROLLED:
        return f"{seat_name(rest)} begins"
    if sort == t.PARK:
        return f"park {car_name(rest)}"
    if sort == t.DRIVE:
        return f"drive {car_name(rest // t.SPACE)} {lane_text(table, rest % t.SPACE)}"
    if sort == t.MAKE_WAY:
        return f"to {lane_text(table, rest)}"
    return "pass" if action == t.PASS else f"action {action}"


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
    t.SITE: ("site", "select"),
    t.REVEAL: ("tile", "reveal"),
    t.ROTATE: ("lanes", "lane", "lay", "turn"),
    t.BUILD: ("build", "erect"),
    t.CAR: ("put", "car"),
    t.ROLL: ("roll",),
    t.ANSWER: ("to", "go"),
}


def read_answer(table: CrashCity, phase: int, words: list[str]) -> int:
    """The answer to the question of this phase."""
    rest = " ".join(words[1:] if words[0].lower() in VERBS.get(phase, ()) else words)
    if phase == t.SITE:
        return t.SELECT + streets.spot_of(*read_place(rest))
    if phase == t.REVEAL:
        return t.REVEALED + chosen(rest, t.KIND_NAMES, "tile")
    if phase == t.ROTATE:
        return t.LAY + read_lanes(rest)
    if phase == t.BUILD:
        return t.ERECT + chosen(rest, t.BUILDING_NAMES, "building")
    if phase == t.CAR:
        lane, _, facing = rest.replace(">", " ").partition(" ")
        if not facing:
            raise CrashlabError("a lane and the direction in which the car faces are wanted, as in 'put 2,0N>E'")
        return t.PUT + 4 * read_lane(table, lane) + read_direction(facing)
    if phase == t.ROLL:
        return t.ROLLED + read_seat(re.sub(r"\s+begins$", "", rest, flags=re.IGNORECASE), table.players[0], "seat")
    if phase == t.RACE:
        return read_turn(table, words)
    if phase == t.ANSWER:
        return t.MAKE_WAY + read_lane(table, rest)
    raise CrashlabError("nobody is asked anything")


def read_turn(table: CrashCity, words: list[str]) -> int:
    """CC-R1: a turn of the race."""
    verb = words[0].lower()
    if verb in ("pass", "-") and len(words) == 1:
        return t.PASS
    if verb == "park" and len(words) == 2:
        return t.PARK + read_car(table, words[1])
    rest = words[1:] if verb == "drive" else words
    if len(rest) != 2:
        raise CrashlabError("a turn is 'park A1', 'drive A1 2,0N', or 'pass'")
    return t.DRIVE + t.SPACE * read_car(table, rest[0]) + read_lane(table, rest[1])
