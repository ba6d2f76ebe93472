"""Crash & Grab's table: its fields, its set-up, and its invariants."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import permutations
from typing import Annotated

from crashlab.base.errors import MOST
from crashlab.engine.chance import Random
from crashlab.engine.contract import Traits, any_options
from crashlab.engine.options import Option, Value, filled, number
from crashlab.engine.table import NOWHERE, Index, Ints, Table

TITLE = "Crash & Grab"

# Spaces are numbered 10 * row + column, from the top left, whatever the size of the board. Directions count clockwise.
CELLS = 100
UP, RIGHT, DOWN, LEFT = range(4)
DOWNWARDS, RIGHTWARDS = (-1, 0, 1, 0), (0, 1, 0, -1)  # rows and columns of one step, by direction
SIZES = range(8, 11)
AHEAD = tuple(  # CG-B5: AHEAD[4 * (CELLS * (size - 8) + cell) + direction], the next space or NOWHERE off the board
    10 * (cell // 10 + down) + cell % 10 + right
    if 0 <= cell // 10 + down < size and 0 <= cell % 10 + right < size
    else NOWHERE
    for size in SIZES
    for cell in range(CELLS)
    for down, right in zip(DOWNWARDS, RIGHTWARDS, strict=True)
)
MARKERS = ("Sun", "Asteroids", "Meteor", "Stars")  # CG-B4, by direction

# The ground of a space: plain, a crash site with its number 1 to 12, or an accelerator.
PLAIN, ACCELERATOR, SITES = 0, 13, 12

# CG-B2, CG-B3: every side of every tile. Sides 2 * t and 2 * t + 1 belong to tile t.
SIDES = tuple(
    tuple(tuple(0 if word == "." else 13 if word == "A" else int(word) for word in row.split()) for row in rows)
    for rows in (
        (". 1 . A", ". . 3 .", "2 . . .", "A . . ."), ("A 2 . .", ". . 1 .", ". . . 3", ". . . A"),
        (". . A .", ". . . 5", "4 A . .", ". . 6 ."), (". 4 . .", ". . A .", "6 . . A", ". . 5 ."),
        (". 7 . .", ". . 9 .", "A . . 8", ". A . ."), (". . A .", ". 8 . .", "A . . 9", ". . 7 ."),
        (". . 11 .", "10 . . .", ". . A .", ". 12 . A"), (". . 10 .", "12 A . .", ". . . 11", ". . . A"),
        (". . . A",), (". . A .",), (". . . .",), (". . . .",),
        (". A . .",), ("A . . .",), (". . . .",), (". . . .",),
        ("A",), (".",),
        (". . . .", "A . . ."), (". . . A", ". . . ."), (". . . .", ". . A ."), (". A . .", ". . . ."),
        ("A . . .", ". . . ."), (". . . .", ". . . A"), (". . A .", ". . . ."), (". . . .", ". A . ."),
        (". .", ". A"), ("A .", ". ."),
    )
)  # fmt: skip
FACES = tuple(  # FACES[16 * side + 4 * row + column]: the ground of an unturned tile
    (rows[row] + (0,) * 4)[column] if row < len(rows) else 0
    for rows in SIDES
    for row in range(4)
    for column in range(4)
)
TILES = {8: (range(4), (), ()), 9: (range(4), range(4, 8), (8,)), 10: (range(4), range(9, 13), (13,))}

# CG-B1: the places for tiles, by the size of the board: four corners, the arms above, left, right and below, the
# centre. Each is (row, column) of its first space, height and width; the places of a size are consecutive.
#
#      corner  arm  corner
#       arm  centre  arm
#      corner  arm  corner
PLACES = 9
ROW, COLUMN, HEIGHT, WIDTH = range(4)
LAYOUT = tuple(
    number
    for gap in (0, 1, 2)
    for place in (
        (0, 0, 4, 4), (0, 4 + gap, 4, 4), (4 + gap, 0, 4, 4), (4 + gap, 4 + gap, 4, 4),
        (0, 4, 4, gap), (4, 0, gap, 4), (4, 4 + gap, gap, 4), (4 + gap, 4, 4, gap), (4, 4, gap, gap),
    )
    for number in place
)  # fmt: skip
TURNS = tuple(  # CG-U18: TURNS[4 * (PLACES * (size - 8) + place) + turns]: 1 if a tile fits after these quarter turns
    int(height * width > 1 and turns > 0 and (height == width or turns == 2))
    for height, width in zip(LAYOUT[HEIGHT::4], LAYOUT[WIDTH::4], strict=True)
    for turns in range(4)
)
VERTICAL = (4, 7)  # the arms above and below hold their tile turned by 90 or 270 degrees

# CG-S1, by the number of players.
SAUCERS = {2: 4, 3: 3, 4: 4, 5: 5, 6: 6}
COLOURS = {2: 5, 3: 4, 4: 5, 5: 6, 6: 6}  # number of crews in play
COLOUR_NAMES = ("red", "green", "blue", "yellow", "purple", "pink")

# A crewmember is 4 * colour + type. Its place is a space, aboard (100 + saucer), in the queue, or not in play.
CREW, TYPES = 24, 4
PILOT, ENGINEER, DOCTOR, SCIENTIST = range(TYPES)
TYPE_NAMES = ("pilot", "engineer", "doctor", "scientist")
ABOARD, QUEUE, UNUSED = 100, -3, -4  # -2 is HIDDEN
ORDERS = tuple(permutations((ENGINEER, DOCTOR, SCIENTIST)))  # CG-S3
LINE = tuple(kind for order in ORDERS for kind in (PILOT, *order))  # LINE[4 * order + place in the queue]

# A plan is 4 * movement card + direction.
TWO, THREE, ANY = range(3)  # the movement cards
UNPLANNED = -1

# CG-U: a card is stored as its number minus 1. Its holder is a saucer, DECK, DISCARD, DRAWN, or ABSENT (not in play).
(
    BLAST_OFF, WORMHOLE, AFTERBURNER, PULSE_CANNON, TRACTOR_BEAM, TELEPORTER, CLOAK, WASTE, HYPERDRIVE, SCAVENGER,
    DISTRESS, TIME_MACHINE, GATEWAY, SIPHON, CARGO_HOLD, MINES, LANDING_LEGS, QUAKE, STABILIZER, AIRLOCK, REGULATOR,
    AMPLIFIER, TRIANGULATOR,
) = range(23)  # fmt: skip
CARDS = 23
DECK, DISCARD, DRAWN, ABSENT = -1, -3, -4, -5

# The decisions: first of all players, then of one, then of chance; OVER is the end of the game.
(
    PLAN, PILOT_CHOICE, BOOSTER_CHOICE, FIRST, NAMING, SITE, STEP, DISTANCE, DIRECTION, PUSH, WASTE_USE, LEG, TURN_OFF,
    EXCHANGE, PASS, BOOST, PENALTY, REWARD, REFILL, END, BUY, KEEP, ROTATION, SET_UP_DIE, DIE, REFILL_DIE, DRAW, OVER,
) = range(28)  # fmt: skip
FIRST_CHANCE = ROTATION

# By phase: the number of answers if they are numbered from 0; 0 if the rules list them. A plan is 4 * card +
# direction, a roll its number minus 1.
ANSWERS = {
    PLAN: 12, NAMING: 3, DIRECTION: 4, TURN_OFF: 4, PUSH: 2, WASTE_USE: 2, BUY: 2, ROTATION: 2,
    SET_UP_DIE: SITES, DIE: SITES, REFILL_DIE: SITES,
}  # fmt: skip
COUNTED = tuple(ANSWERS.get(phase, 0) for phase in range(OVER + 1))

OPTIONS = (
    Option("players", 4, tuple(range(2, 7)), "the number of players; two have two saucers each", "CG-S1"),
    Option(
        "crew_order", "engineer doctor scientist",
        tuple(" ".join(TYPE_NAMES[kind] for kind in order) for order in ORDERS),
        "the order of the crew in a queue, behind the pilot", "CG-S3",
    ),
    Option(
        "round_limit", 60, range(1, 1001),
        "the last round; then the player with the most stationed crew wins", "CG-R9", optional=True,
    ),
)  # fmt: skip


class CrashAndGrab(Table):
    """The state of a game. Player n has saucer n; of two players, 0 has saucers 0 and 1, and 1 has 2 and 3."""

    players: Annotated[Ints, 1, range(2, 7)]
    crew_order: Annotated[Ints, 1, range(6)]
    round_limit: Annotated[Ints, 1, range(NOWHERE, 1001)]  # -1 for no limit
    size: Annotated[Ints, 1, SIZES]
    saucers: Annotated[Ints, 1, range(3, 7)]
    side: Annotated[Ints, PLACES, range(NOWHERE, 28)]  # by place: its side of a tile; NOWHERE if there is no such place
    turned: Annotated[Ints, PLACES, range(4)]  # by place: quarter turns clockwise
    ground: Annotated[Ints, CELLS, range(ACCELERATOR + 1)]  # by space: PLAIN, the number of a crash site, ACCELERATOR
    round: Annotated[Ints, 1, range(1, MOST)]  # unbounded without a round limit, like energy and boosters
    phase: Annotated[Ints, 1, range(OVER + 1)]  # the current decision
    asked: Annotated[Ints, 1, range(6)]  # the current player; in PLAN the pass, from 0
    probe: Annotated[Ints, 1, range(6)]  # the player with the probe
    spin: Annotated[Ints, 1, range(-1, 2)]  # direction of turns: 1 clockwise, -1 counter-clockwise, 0 not known yet
    turn: Annotated[Ints, 1, range(NOWHERE, 6)]  # the current saucer, or NOWHERE
    acted: Annotated[
        Ints, 6, range(7)
    ]  # by saucer: its position in this round's order of turns, from 1; 0 before its turn
    cell: Annotated[Ints, 6, range(NOWHERE, CELLS)]  # by saucer: its space, or NOWHERE off the board
    energy: Annotated[Ints, 6, range(MOST)]
    boosters: Annotated[Ints, 6, range(MOST)]
    plan: Annotated[Ints, 6, range(UNPLANNED, 12)]  # by saucer: 4 * card + direction
    where: Annotated[Ints, CREW, range(UNUSED, ABOARD + 6)]  # by crewmember: its place
    marked: Annotated[Ints, CREW, range(2)]  # by crewmember: whether it may be passed (CG-W4)
    holder: Annotated[Ints, CARDS, range(ABSENT, 6)]  # by upgrade: its holder
    fresh: Annotated[Ints, CARDS, range(2)]  # by upgrade: whether it was bought in this turn
    spent: Annotated[Ints, CARDS, range(2)]  # by upgrade that works once a turn: whether it was used
    # The turn
    placed: Annotated[Ints, 1, range(2)]  # whether the saucer has been placed at the start of this turn (CG-R5)
    distance: Annotated[Ints, 1, range(11)]  # chosen for the card; at most 10, a doubled 0-5 (CG-U9)
    picked: Annotated[Ints, 1, range(SITES - 3)]  # number of crewmembers picked up and not yet refilled (CG-W3)
    gained: Annotated[Ints, 1, range(2)]  # whether a crewmember was gained (CG-U23)
    lost: Annotated[Ints, 1, range(3)]  # number of the player's own crashes with a penalty due (CG-C1)
    crashed: Annotated[
        Ints, 6, range(6)
    ]  # by saucer of others: its position in the order of crashes; 0 if not crashed or settled (CG-C2)
    crashes: Annotated[Ints, 1, range(6)]  # number of crashes of others in this turn
    declined: Annotated[Ints, 1, range(2)]  # 1: no further upgrades at the end of the turn
    bought: Annotated[Ints, 1, range(2)]  # 1: no further buying
    cloaked: Annotated[Ints, 1, range(2)]  # whether the saucer has left the board by its cloak (CG-U7)
    # The current movement
    motion: Annotated[Ints, 1, range(7)]  # its kind: REST, CARD, BOOSTING, ...
    mover: Annotated[Ints, 1, range(NOWHERE, 6)]
    heading: Annotated[Ints, 1, range(4)]
    leg: Annotated[Ints, 1, range(13)]  # its whole distance; at most 12, for a boost (CG-U22)
    left: Annotated[Ints, 1, range(13)]  # the rest of the distance
    leaps: Annotated[Ints, 1, range(MOST)]  # accelerators that the current saucer reached unpushed in this turn (CG-M5)
    current_crew: Annotated[Ints, 1, range(NOWHERE, CREW)]  # the crewmember that may be exchanged (CG-U20)
    # Indexes
    site_at: Annotated[Ints, ACCELERATOR + 1, Index("ground", is_bits=False)]  # by crash site: its space
    saucers_at: Annotated[Ints, CELLS, Index("cell")]  # by space: the saucers there, as bits
    crew_at: Annotated[Ints, ABOARD + 6, Index("where")]  # by space, and ABOARD + saucer: the crew there, as bits
    cards_at: Annotated[Ints, 6, Index("holder")]  # by saucer: its upgrades, as bits
    fresh_at: Annotated[Ints, 2, Index("fresh")]  # at index 1: the upgrades bought in this turn, as bits
    spent_at: Annotated[Ints, 2, Index("spent")]  # at index 1: the upgrades used in this turn, as bits


REST, CARD, BOOSTING, STEPPING, LEGS, PULSE, JUMP = range(7)  # kinds of motion


def layout(size: int, place: int) -> tuple[int, int, int, int]:
    """Return a place for a tile: the row and column of its first space, its height and its width."""
    first = 4 * (PLACES * (size - 8) + place)
    row, column, height, width = LAYOUT[first : first + 4]
    return row, column, height, width


def ground_of(side: int, turned: int, row: int, column: int, height: int, width: int) -> int:
    """CG-B2: return the ground on this space of a place if its tile is `turned` by quarter turns clockwise."""
    if turned == 0:
        return FACES[16 * side + 4 * row + column]
    if turned == 1:
        return FACES[16 * side + 4 * (width - 1 - column) + row]
    if turned == 2:
        return FACES[16 * side + 4 * (height - 1 - row) + width - 1 - column]
    return FACES[16 * side + 4 * column + height - 1 - row]


def lay_tile(table: CrashAndGrab, place: int, side: int, turns: int) -> None:
    """CG-B1: put a side of a tile on a place, after some quarter turns."""
    table.side[place], table.turned[place] = side, turns
    row, column, height, width = layout(table.size[0], place)
    for down, ground in enumerate(grounds(side, turns % 4, height, width)):
        first = 10 * (row + down) + column
        table.ground[first : first + width] = ground


@cache
def grounds(side: int, turned: int, height: int, width: int) -> tuple[tuple[int, ...], ...]:
    """CG-B2: return the ground of a turned tile on a place of this size, row by row."""
    return tuple(
        tuple(ground_of(side, turned, row, column, height, width) for column in range(width)) for row in range(height)
    )


def lay_tiles(table: CrashAndGrab, rng: Random) -> None:
    """CG-B1: lay the tiles at random, on random sides, turned at random so that they fit."""
    corners, arms, centre = TILES[table.size[0]]
    for place, tile in enumerate(rng.shuffled(corners)):
        lay_tile(table, place, 2 * tile + rng.below(2), rng.below(4))
    for place, tile in enumerate(rng.shuffled(arms), 4):
        lay_tile(table, place, 2 * tile + rng.below(2), 2 * rng.below(2) + (place in VERTICAL))
    for tile in centre:
        lay_tile(table, 8, 2 * tile + rng.below(2), rng.below(4))


def owner(table: CrashAndGrab, saucer: int) -> int:
    """CG-S1: the player of a saucer; two players have two saucers each."""
    return saucer // 2 if table.players[0] == 2 else saucer


def site(table: CrashAndGrab, number: int) -> int:
    """Return the space of the crash site with this number."""
    return table.site_at[number]


def crew_on(table: CrashAndGrab, cell: int) -> int:
    """Return the crewmember on this space, or NOWHERE."""
    if table.crew_at[cell] == 0:
        return NOWHERE
    for crew in range(CREW):
        if table.where[crew] == cell:
            return crew
    return NOWHERE


def is_free(table: CrashAndGrab, cell: int) -> bool:
    """Return whether neither a saucer nor a crewmember is on this space."""
    return table.saucers_at[cell] == 0 and table.crew_at[cell] == 0


def next_free_site(table: CrashAndGrab, roll: int) -> int:
    """CG-P1: the space of the rolled crash site, or of the next free one."""
    cell = site(table, roll)
    while not is_free(table, cell):
        roll = roll % SITES + 1
        cell = site(table, roll)
    return cell


check_options = any_options


def traits(options: Mapping[str, Value]) -> Traits:
    """CG-W2: the maximum score of a player is four types, with two saucers eight."""
    most = 8 if options["players"] == 2 else TYPES
    return Traits(chance=True, secrets=True, simultaneous=True, longest=None, scores=(0, most))


def empty(options: Mapping[str, Value]) -> CrashAndGrab:
    """Return a table with the options, saucers off the board, all crew in its queues and all upgrades in the deck."""
    table = filled(CrashAndGrab(), OPTIONS, options)
    players = number(options, "players")
    table.size[0] = {5: 9, 6: 10}.get(players, 8)
    table.saucers[0] = SAUCERS[players]
    table.side[:] = [NOWHERE] * PLACES
    table.round[0] = 1
    table.phase[0] = PLAN
    table.turn[0] = table.mover[0] = table.current_crew[0] = NOWHERE
    table.cell[:] = [NOWHERE] * 6
    table.plan[:] = [UNPLANNED] * 6
    table.energy[: SAUCERS[players]] = [1] * SAUCERS[players]  # CG-S2
    table.where[:] = [QUEUE if crew // TYPES < COLOURS[players] else UNUSED for crew in range(CREW)]
    table.holder[:] = [DECK] * CARDS
    if players == 2:
        table.holder[STABILIZER] = ABSENT  # CG-S6
    return table


def set_up(options: Mapping[str, Value], rng: Random) -> CrashAndGrab:
    """CG-S1 to CG-S6: tiles, probe, saucers and pilots at random; two players then choose whose pilots are placed."""
    table = empty(options)
    players, saucers = table.players[0], table.saucers[0]
    lay_tiles(table, rng)
    table.probe[0] = rng.below(players)
    first = 2 * table.probe[0] if players == 2 else table.probe[0]
    order = [(first + place) % saucers for place in range(saucers)]
    for saucer in order:
        table.cell[saucer] = next_free_site(table, 1 + rng.below(SITES))
    if players == 2:
        table.phase[0], table.asked[0] = PILOT_CHOICE, table.probe[0]
        return table
    boosted = order[-1] if players > 3 else NOWHERE
    for saucer in order[1:]:
        if saucer == boosted:
            table.boosters[saucer] = 1
        else:
            table.where[TYPES * saucer + PILOT] = next_free_site(table, 1 + rng.below(SITES))
    return table


def place_words(cell: int) -> str:
    """Write a space as `3,4`, its row and column."""
    return f"{cell // 10},{cell % 10}"


def crew_name(crew: int) -> str:
    """Return colour and type of a crewmember, as in `red pilot`."""
    return f"{COLOUR_NAMES[crew // TYPES]} {TYPE_NAMES[crew % TYPES]}"
