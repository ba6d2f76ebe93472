"""CrashCity's table: its fields, its set-up, and its invariants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated

from crashlab.base.errors import CrashlabError, require
from crashlab.engine.chance import Random
from crashlab.engine.contract import Traits, any_options
from crashlab.engine.options import Option, Value, filled, number
from crashlab.engine.table import NOWHERE, Index, Ints, Layout, Table
from crashlab.engine.value_codecs import seat_name
from crashlab.games.boards import streets
from crashlab.games.boards.streets import CELLS, DIRECTIONS, MOST_TILES

TITLE = "CrashCity"

# Tiles are numbered in the order of laying; tile 0 is the town square. A spot encodes the place of a tile (see
# `streets`). CC-G2: a space is a lane, 4 * tile + side; a parked car is at ROOF + the tile's index.
# Cars are numbered by seat: first the 8 of seat 0, then the 8 of seat 1, ...
TILES, SQUARE, TURNS = MOST_TILES, 0, 16
FARTHEST = streets.spot_of(0, TILES - 1)  # in a row of tiles to the north
SPACES = 4 * TILES
ROOF = SPACES
SEATS, FLEET, CARS = 4, 8, 32

BUILDINGS = HOME, SHOP, FACTORY = range(3)
BUILDING_NAMES = ("house", "shop", "factory")
STOCKS = (8, 4, 4)  # CC-B1

# CC-G6: the kinds of tiles, their lanes before turning, and the number of tiles of each kind (H, data).
KINDS = 5
KIND_NAMES = ("I", "L", "H", "U", "O")
ALL_SIDES = 15
LANES = (1, 3, 5, 7, ALL_SIDES)
COUNTS = (16, 16, 16, 16, 0, 20, 20, 12, 12, 0, 16, 16, 12, 16, 4, 32, 0, 32, 0, 0)  # KINDS * option + kind
KIND_OF = tuple(  # by lanes; NOWHERE for 0 lanes
    next((kind for kind in range(KINDS) if lanes in streets.turned(LANES[kind])), NOWHERE) for lanes in range(16)
)

# The decisions. The seat `asked` decides, but a crash is answered by the owner of the car `hit`.
#   SITE     the site of the next tile (CC-B3)             ROLL    chance: the seat that begins the race (CC-R1)
#   REVEAL   chance: the kind of the tile (CC-B2a)         RACE    park, drive, or pass
#   ROTATE   its rotation (CC-B4)                          ANSWER  the space to which the hit car goes (CC-C)
#   BUILD    the building on it (CC-B5)                    OVER    the end of the game
#   CAR      the lane and direction of the house's car (CC-B6)
SITE, REVEAL, ROTATE, BUILD, CAR, ROLL, RACE, ANSWER, OVER = range(9)

# An action is SORT * its sort + one of these numbers:
#   SELECT    spot                        ROLLED   chance: the seat that begins
#   REVEALED  chance: the kind of tile    PARK     car
#   LAY       lanes                       DRIVE    SPACE * car + its last space
#   ERECT     building                    MAKE_WAY space
#   PUT       4 * space + facing          PASS     0
SORT = 1 << 15
SELECT, REVEALED, LAY, ERECT, PUT, ROLLED, PARK, DRIVE, MAKE_WAY, PASS = (SORT * sort for sort in range(10))
SPACE = 1 << 9

STRICT, LOOSE = range(2)
EVERY_STEP, LAST_STEP = range(2)

OPTIONS = (
    Option("players", 4, (2, 3, 4), "the number of players", "CC-B1"),
    Option("corners", "strict", ("strict", "loose"), "whether a crossing splits between two tiles", "CC-G4"),
    Option("lanes", "every_step", ("every_step", "last_step"), "when a car that drives may change lanes", "CC-R3"),
    Option("chains", False, (False, True), "whether a car that was hit may hit another one", "CC-C4"),
    Option("tiles", "even", ("even", "plain", "rings", "minimal"), "the set of street tiles", "CC-G6"),
    Option(
        "turn_limit", 5000, range(1, 100001), "the number of turns after which the race ends", "CC-R1", optional=True
    ),
)


class CrashCity(Table):
    """The state of a game."""

    players: Annotated[Ints, 1, range(2, SEATS + 1)]
    corners: Annotated[Ints, 1, range(2)]  # STRICT or LOOSE
    lanes: Annotated[Ints, 1, range(2)]  # EVERY_STEP or LAST_STEP
    chains: Annotated[Ints, 1, range(2)]
    tiles: Annotated[Ints, 1, range(4)]  # the set of tiles, as an index into the rows of COUNTS
    turn_limit: Annotated[Ints, 1, range(NOWHERE, 100_001)]  # NOWHERE for no limit
    laid: Annotated[Ints, 1, range(1, TILES + 1)]  # number of tiles on the table, the square included
    tile: Annotated[Ints, CELLS, range(NOWHERE, TILES)]  # by spot % CELLS: the tile there, or NOWHERE
    spot: Annotated[Ints, TILES, range(NOWHERE, FARTHEST + 1)]  # by tile, like the next four: its spot, or NOWHERE
    kind: Annotated[Ints, TILES, range(NOWHERE, KINDS)]  # NOWHERE before it is revealed
    street: Annotated[Ints, TILES, range(ALL_SIDES + 1)]  # its lanes, a sum of bits; 0 before it is turned
    building: Annotated[Ints, TILES, range(NOWHERE, 3)]  # HOME, SHOP, FACTORY or NOWHERE
    owner: Annotated[Ints, TILES, range(NOWHERE, SEATS)]  # the owner of its building, or NOWHERE
    joined: Annotated[Ints, SPACES, range(2)]  # by space: 1 for a lane connected to the square (CC-G5)
    where: Annotated[
        Ints, CARS, range(NOWHERE, ROOF + TILES)
    ]  # by car: its space, ROOF + tile, or NOWHERE if not on the table
    facing: Annotated[Ints, CARS, range(NOWHERE, 4)]  # by car: its direction; NOWHERE if not on the street
    stock: Annotated[Ints, 3 * SEATS, range(max(STOCKS) + 1)]  # by 3 * seat + building: the number left to build
    phase: Annotated[Ints, 1, range(OVER + 1)]  # the current decision
    asked: Annotated[Ints, 1, range(SEATS)]  # the seat of the current turn
    turn: Annotated[Ints, 1, range(1 << 31)]  # number of finished turns of the race, perhaps without a limit
    passes: Annotated[Ints, 1, range(SEATS + 1)]  # number of consecutive passes up to now
    hit: Annotated[Ints, 1, range(NOWHERE, CARS)]  # the car that must make way to the other car on its space
    push: Annotated[Ints, 1, range(NOWHERE, 4)]  # the direction of the hit, or NOWHERE
    moved: Annotated[Ints, CARS, range(2)]  # by car, only with chains: 1 if it has hit a car in this turn (CC-C4)
    cars_at: Annotated[Ints, ROOF + TILES, Index("where")]  # by space and by roof: the cars there, as bits
    moved_at: Annotated[Ints, 2, Index("moved")]  # at index 1: the cars that have hit one, as bits


class LegalScratch(Layout):
    """Scratch numbers after a list of legal actions, which has at most FLEET * (SPACES + 1) entries."""

    stack: Annotated[Ints, 3 * (CARS + 1)]  # the chain being tried: 3 numbers for each of its cars
    seen: Annotated[Ints, SPACES]  # by space: the directions in which its car could be hit, as bits
    queue: Annotated[Ints, 2 * SPACES]  # hits to check: 4 * space + direction
    paved: Annotated[Ints, 1]  # key of the cache below: 2 * number of tiles + option corners
    streets: Annotated[Ints, TILES]  # key of the cache, by tile: 16 * spot + lanes
    crossing: Annotated[Ints, 2 * SPACES]  # cache, by stand: CACHED + the arms ahead; or 0


check_options = any_options


def traits(options: Mapping[str, Value]) -> Traits:
    """CC-E1: the maximum score of a seat is all its cars."""
    return Traits(chance=True, secrets=False, simultaneous=False, longest=None, scores=(0, FLEET), clocks=("turn",))


def empty(options: Mapping[str, Value]) -> CrashCity:
    """CC-B1: return a table with the options and the square only."""
    table = filled(CrashCity(), OPTIONS, options)
    table.tile[:] = [NOWHERE] * CELLS
    for row in (table.spot, table.kind, table.building, table.owner):
        row[:] = [NOWHERE] * TILES
    table.where[:] = table.facing[:] = [NOWHERE] * CARS
    table.hit[0] = table.push[0] = NOWHERE
    for seat in range(number(options, "players")):
        table.stock[3 * seat : 3 * seat + 3] = STOCKS
    lay_tile(table, 0, 0, ALL_SIDES)
    table.kind[SQUARE] = NOWHERE
    return table


def set_up(options: Mapping[str, Value], rng: Random) -> CrashCity:
    """CC-B1: the square; the first seat is drawn."""
    table = empty(options)
    table.asked[0] = rng.below(number(options, "players"))
    return table


def lay_tile(table: CrashCity, x: int, y: int, lanes: int, building: int = NOWHERE, owner: int = NOWHERE) -> int:
    """Put one more tile on the table, with its building, update `joined`, and return the tile's index."""
    tile = place_tile(table, x, y, lanes, building, owner)
    table.joined[:] = connected(table)
    return tile


def place_tile(table: CrashCity, x: int, y: int, lanes: int, building: int, owner: int) -> int:
    """Put one more tile on the table and return its index, without updating `joined`."""
    tile = table.laid[0]
    require(tile != TILES, f"tile {place_words((x, y))} is one too many: a city has {TILES - 1} tiles and the square")
    require(tile_at(table, x, y) == NOWHERE, f"there are two tiles on {place_words((x, y))}")
    if tile and not any(tile_at(table, *streets.beside(x, y, way)) != NOWHERE for way in range(4)):
        raise CrashlabError(f"tile {place_words((x, y))} is not beside an earlier tile")
    table.spot[tile] = streets.spot_of(x, y)
    table.tile[table.spot[tile] % CELLS] = tile
    table.street[tile], table.kind[tile] = lanes, KIND_OF[lanes]
    table.building[tile], table.owner[tile] = building, owner
    if building != NOWHERE:
        table.stock[3 * owner + building] -= 1
    table.laid[0] = tile + 1
    return tile


def tile_at(table: CrashCity, x: int, y: int) -> int:
    """Return the index of the tile at a place, or NOWHERE if there is no tile."""
    tile = table.tile[streets.spot_of(x, y) % CELLS]
    return tile if tile != NOWHERE and streets.xy(table.spot[tile]) == (x, y) else NOWHERE


def city(table: CrashCity) -> streets.Streets:
    """Return the streets of the present tiles."""
    tiles = {streets.xy(table.spot[tile]): table.street[tile] for tile in range(table.laid[0])}
    return streets.Streets(tiles, table.corners[0] == STRICT)


def space_at(table: CrashCity, x: int, y: int, side: int) -> int:
    """Return the space of a lane."""
    return 4 * tile_at(table, x, y) + side


def lane_of(table: CrashCity, space: int) -> streets.Lane:
    """Return the lane of a space."""
    return (*streets.xy(table.spot[space // 4]), space % 4)


def connected(table: CrashCity) -> list[int]:
    """CC-G5: compute `joined` by flood fill."""
    tiles = tuple(zip(table.spot, table.street[: table.laid[0]], strict=False))
    return list(flooded(tiles, table.corners[0] == STRICT))


@lru_cache(maxsize=4)  # a city from a position needs this twice, for reading and for checking
def flooded(tiles: tuple[tuple[int, int], ...], is_strict: bool) -> tuple[int, ...]:
    """Return `joined` for tiles given as (spot, lanes) in the order of their indices."""
    numbers = {streets.xy(spot): tile for tile, (spot, _) in enumerate(tiles)}
    roads = streets.Streets({streets.xy(spot): lanes for spot, lanes in tiles}, is_strict)
    flags = [0] * SPACES
    for x, y, side in roads.connected((0, 0)):
        flags[4 * numbers[x, y] + side] = 1
    return tuple(flags)


def is_growing(table: CrashCity) -> bool:
    """CC-B2: return whether the city is under construction."""
    return table.phase[0] < ROLL


def is_laying(table: CrashCity) -> bool:
    """CC-B2: return whether a turn of the construction is under way, with a new tile on the table."""
    return REVEAL <= table.phase[0] <= CAR


def sort_of(action: int) -> int:
    """Return the sort of an action: SELECT, ..., PASS."""
    return action // SORT * SORT


def unrevealed(table: CrashCity, kind: int) -> int:
    """CC-B2a: return the number of tiles of a kind that are not revealed, including those that stay unused."""
    left = COUNTS[KINDS * table.tiles[0] + kind]
    for tile in range(table.laid[0]):
        if table.kind[tile] == kind:
            left -= 1
    return left


def cars_at(table: CrashCity, place: int) -> list[int]:
    """Return the cars on a space or on a roof."""
    return [car for car in range(CARS) if table.where[car] == place]


# Names


def place(table: CrashCity, tile: int) -> tuple[int, int]:
    """Return the place of a tile as (x, y)."""
    return streets.xy(table.spot[tile])


def place_words(where: Sequence[int]) -> str:
    """Write a place: 2,0."""
    return f"{where[0]},{where[1]}"


def tile_words(table: CrashCity, tile: int) -> str:
    """Write the place of a tile: 2,0."""
    return place_words(place(table, tile))


def lane_words(table: CrashCity, space: int) -> str:
    """Write a lane for a sentence: the N lane of 2,0."""
    return f"the {DIRECTIONS[space % 4]} lane of {tile_words(table, space // 4)}"


def car_name(car: int) -> str:
    """Return the name of a car, A1 to D8."""
    return f"{seat_name(car // FLEET)}{car % FLEET + 1}" if 0 <= car < CARS else f"car {car}"
