"""Crash by Crash's table: what lies on it, how it is set up, and what is always true of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated

from crashlab.engine.chance import Random
from crashlab.engine.contract import Traits, any_options
from crashlab.engine.options import Option, Value, filled, number
from crashlab.engine.table import NOWHERE, Ints, Layout, Table
from crashlab.games.boards import hexes

TITLE = "Crash by Crash"

# CB-F1, CB-F2: 5 x 5 tiles, numbered 5 * row + column; the even ones are X tiles of 8 cells, the odd ones flowers of
# 7. Cells are numbered row by row; rows have 13, 12, 13 ... 13 cells. Directions are those of `hexes`, counter-
# clockwise from east: E NE NW W SW SE. OUTSIDE is one more cell, round the whole floor.
TILES, CELLS, OUTSIDE = 25, 188, 188
ROWS, LONG = 15, 13
BOARD = hexes.HexBoard((row, 2 * k + row % 2) for row in range(ROWS) for k in range(LONG - row % 2))
AHEAD = tuple(OUTSIDE if cell == NOWHERE else cell for cell in BOARD.ahead) + (OUTSIDE,) * 6  # AHEAD[6 * cell + way]

ANCHORS = ((0, 3, 5, 8, 10), (1, 3, 6, 8, 11))  # columns of the middles of the tiles of even and odd rows of tiles
FLOWER_SHAPE = ((0, 0), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # axial: the middle, then E, NE, NW ...
X_SHAPE = ((0, -1), (1, -1), (2, -1), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1))  # row by row


@cache
def cells_of(tile: int) -> tuple[int, ...]:
    """CB-F2: the cells of a tile: of a flower the middle and then counter-clockwise from east, of an X row by row."""
    row, column = divmod(tile, 5)
    middle = 3 * row + 1
    q = ANCHORS[row % 2][column] - middle // 2
    shape = FLOWER_SHAPE if tile % 2 else X_SHAPE
    return tuple(BOARD.cell[hexes.from_axial(q + right, middle + down)] for right, down in shape)


EXITS = 18  # steps out of a hole, as in WALK; OUT_OF[EXITS * cell + step] is where one leads from the hole round a cell
OUT_OF = tuple(
    AHEAD[6 * AHEAD[6 * cell + way] + (way + turn) % 6]
    for cell in range(CELLS) for way in range(6) for turn in (5, 0, 1)
)  # fmt: skip

TILE = tuple(next(tile for tile in range(TILES) if cell in cells_of(tile)) for cell in range(CELLS)) + (TILES,)
MOST_CELLS = 8
ON_TILE = tuple(  # ON_TILE[8 * tile + n], in the order of `cells_of`
    cell for tile in range(TILES) for cell in (*cells_of(tile), NOWHERE)[:MOST_CELLS]
)

# CB-F3, CB-F4 (H, data): the values of the cells of every tile, unturned, in the order of `cells_of`; and which cell
# of the first ten flowers has the star. The printed arrangements are not known; these are drawn by lot, once for all.
X_VALUES = (
    "02013231", "21120330", "03211023", "32003112", "13212030", "13130022", "31210203", "22033011", "10013322",
    "11020332", "31220031", "21103302", "21103023",
)  # fmt: skip
FLOWER_VALUES = (
    "1002231", "1320210", "2301102", "0011322", "2002113", "0012231", "3121200", "0032121", "2321010", "1302012",
    "3011022", "0321201",
)  # fmt: skip
STARS = (6, 4, 5, 3, 0, 2, 1, 2, 6, 4)

# Pieces: the cars of side 0 (0 to 9 standard, 10 the magnetic one), of side 1 (11 to 20, 21), operator, bells.
# Where a piece is: its cell, or NOWHERE: a car in its owner's stock, a bell on the scoring card. The operator in a
# hole is on the middle cell of the flower that was there. A bell that is rung and not yet scored is at its cell +
# RINGING * n, as the n-th one, from 1.
SIDES = ("blue", "orange")
STANDARD, FLEET, CARS = 10, 11, 22
OPERATOR, BELL, BELLS, PIECES = 22, 23, 10, 33
RINGING = 1000

KINDS, COPIES, HAND = 13, 3, 3  # a card is its number less 1: CB-K1 is 0
(
    BELL_CHARMS, LAMBADA, FREE_RIDE, SABOTEUR, FLYING_DUTCHMAN, DEAD_ACCUMULATOR, POWERLESS_BELL, SHADY_EXCEPTION,
    DOUBLE_HIT, CAR_RACKET, TANDEM, EXPANSION, ACTION_AND_REACTION,
) = range(KINDS)  # fmt: skip
CARD_NAMES = {
    "english": (
        "Bell Charms", "Lambada", "Free Ride", "Saboteur", "Flying Dutchman", "Dead Accumulator", "Powerless Bell",
        "Shady Exception", "Double Hit", "Car-Racket", "Tandem", "Expansion Unlimited", "Action and Reaction",
    ),
    "czech": (
        "Fluktuace zvonku", "Lambada", "Volná jízdenka", "Sabotér", "Létající Čestmír", "Vybitá baterie",
        "Zvonek bez srdce", "Světlá výjimka", "Dvojitý zásah", "Raketový pohon", "Tandem", "Povolená expanze",
        "Akce a reakce",
    ),
}  # fmt: skip
CZECH, ENGLISH = range(2)  # the editions

# What is to be decided now, by the seat `asked`, or from PILE on by chance; or nothing any more.
#   SET_UP   where to put a car (CB-S2)       PILE    which card is drawn from the pile
#   ACTION   an action (CB-T1)                REFILL  which card is turned face up
#   DRAWING  which card to draw (CB-T4)
#   KEEP     which of two drawn cards goes to the discards (CB-V1)
SET_UP, ACTION, DRAWING, KEEP, PILE, REFILL, OVER = range(7)
FIRST_CHANCE = PILE

# An action is SORT * its sort + the rest:
#   FORFEIT   0                                nothing can be done (CB-T1)
#   PLACE     cell                             a car at set-up
#   CAR       cell + WAY * (way + 1) + SECOND * (way + 1) + POWER * batteries
#             a standard car and the way it hits, 0 for none (CB-K12); a second way with CB-K9, else 0
#   MAGNET    cell
#   WALK      step + STEP * step + STEP ** 2 * step + STEP ** 3 * step; a step is 1 + what follows, 0 for none.
#             From a cell: the way. Out of a hole: 3 * n + m, from the cell of the flower in direction n of its
#             middle, in direction n + m - 1. Where it makes no difference, the least of those that lead to the cell.
#   EXCHANGE  card + STEP * card, the lower kind first
#   PLAY      card + STEP * what + STEP * CELL * where
#             CB-K1 the cell of the bell, and its new cell; CB-K2 two cells, the lower first; CB-K3 from, to;
#             CB-K4 the cell of the car; CB-K5 the new cell; 0 for what a card does not need
#   TAKE      a face-up card of this kind; FROM_PILE for a card from the pile
#   DISCARD   of the two cards drawn, the one of this kind goes to the discards
#   TURN_UP   chance: the kind of the card that comes from the pile
SORT = 1 << 21
FORFEIT, PLACE, CAR, MAGNET, WALK, EXCHANGE, PLAY, TAKE, DISCARD, TURN_UP = (SORT * sort for sort in range(10))
WAY, SECOND, POWER = 1 << 8, 1 << 11, 1 << 14
STEP, CELL = 1 << 5, 1 << 8
FROM_PILE = KINDS

OPTIONS = (
    Option("players", 2, (2, 4), "two people play, or four in two teams", "CB-V1"),
    Option("edition", "czech", ("czech", "english"), "which of the two rulebooks holds where they differ", "CB-E2"),
    Option("turn_limit", 300, range(1, 10001), "after which turn the game ends", "CB-E5", optional=True),
)


class CrashByCrash(Table):
    """The state of a game. Side 0 has seats 0 and 2, side 1 has seats 1 and 3."""

    players: Annotated[Ints, 1, range(2, 5)]
    edition: Annotated[Ints, 1, range(2)]  # CZECH or ENGLISH
    turn_limit: Annotated[Ints, 1, range(NOWHERE, 10_001)]  # NOWHERE: none
    tile: Annotated[Ints, TILES, range(13)]  # by place: which X tile 0 to 12, or which flower 0 to 11, was laid there
    turned: Annotated[Ints, TILES, range(6)]  # by sixths of a turn counter-clockwise; an X tile by 0 or 3
    gone: Annotated[Ints, TILES, range(2)]  # 1: the tile has left the game, there is a hole (CB-F5)
    value: Annotated[Ints, CELLS, range(4)]  # by cell: its value, also of those that are gone
    cell: Annotated[Ints, PIECES, range(NOWHERE, RINGING * BELLS + CELLS)]  # by piece: where it is
    score: Annotated[Ints, 2, range(1, 10**9)]  # by side, as the next two; no rule bounds it, nor the turns
    batteries: Annotated[Ints, 2, range(5)]
    banned: Annotated[Ints, 2, range(2)]  # 1: no batteries until the end of this side's next turn (CB-K6)
    hand: Annotated[Ints, 4 * KINDS, range(COPIES + 1)]  # KINDS * seat + card: how many the seat has; HIDDEN in a view
    held: Annotated[Ints, 4, range(HAND + 1)]  # by seat: how many cards it has in hand, known to all
    display: Annotated[Ints, 3, range(NOWHERE, KINDS)]  # the face-up cards; NOWHERE: none there
    discards: Annotated[Ints, KINDS, range(COPIES + 1)]  # by card; what is nowhere else is in the pile
    drawn: Annotated[Ints, 2, range(NOWHERE, KINDS)]  # four players: what the seat has drawn; secret
    phase: Annotated[Ints, 1, range(OVER + 1)]  # what is to be decided
    asked: Annotated[Ints, 1, range(4)]  # the seat whose turn it is
    first: Annotated[Ints, 1, range(4)]  # the seat that put the first car on the floor
    turn: Annotated[Ints, 1, range(10**9)]  # the number of the turn, from 1; 0 at set-up
    acted: Annotated[Ints, 1, range(4)]  # how many actions of the turn are done; 3: the cards of its end are drawn
    placed: Annotated[Ints, 1, range(3)]  # how many cars were placed in this turn (CB-T2)
    scored: Annotated[Ints, 1, range(8)]  # how many scorings there were in this turn (CB-E2)
    bound: Annotated[Ints, 1, range(NOWHERE, KINDS)]  # the card that the second action must follow
    owed: Annotated[Ints, 1, range(HAND + 1)]  # how many cards the seat is to draw now
    scorings: Annotated[Ints, 1, range(8)]  # how many there were in the game


class TrialBoard(Layout):
    """Behind a list of legal actions: a copy of the board, on which actions are tried out and taken back."""

    piece: Annotated[Ints, PIECES]  # where it is, as in `cell` of the table
    nowhere: Annotated[Ints, 1]  # what is on the cell NOWHERE, which nobody asks for
    floor: Annotated[Ints, CELLS + 1]  # by cell, and OUTSIDE: what is there, as a sum of CAR_BITS and so on
    rung: Annotated[Ints, 1]  # bells that are rung and not yet scored
    lured: Annotated[Ints, 1]  # an index: pairs of a magnet and a bell beside it
    played: Annotated[Ints, 1]  # scorings
    count: Annotated[Ints, 1]  # legal actions listed so far
    most: Annotated[Ints, 1]  # the number of them that is asked for
    limit: Annotated[Ints, 1]  # bells that an action may ring (CB-E2)
    bound: Annotated[Ints, 1]  # the card that it must follow, or NOWHERE
    surveyed: Annotated[Ints, 1]  # how many changes there were when the next four were noted
    stirred: Annotated[Ints, 1]  # pairs of a magnet and a bell beside it with a car behind
    magnets: Annotated[Ints, 2]  # where the magnets were
    beside: Annotated[Ints, CELLS + 1]  # by cell: the ways to the cars beside it, as bits
    aimed: Annotated[Ints, CELLS + 1]  # by cell: the ways that lead straight on to a magnet, as bits
    logged: Annotated[Ints, 1]  # how many changes there were
    log: Annotated[Ints, 800]  # for each of them the piece and where it had been; PIECES + the tile that is gone


@cache
def faced(place: int, tile: int, turned: int) -> tuple[int, ...]:
    """CB-F3: the values of a tile on this place, `turned` by sixths of a turn, in the order of `cells_of`."""
    if place % 2 == 0:
        values = tuple(map(int, X_VALUES[tile]))
        return values[::-1] if turned else values
    middle, *ring = map(int, FLOWER_VALUES[tile])
    return middle, *ring[6 - turned :], *ring[: 6 - turned]


def lay_tile(table: CrashByCrash, place: int, tile: int, turned: int) -> None:
    """CB-F3: put a tile on its place."""
    table.tile[place], table.turned[place] = tile, turned
    for cell, value in zip(cells_of(place), faced(place, tile, turned), strict=True):
        table.value[cell] = value


def star(table: CrashByCrash, place: int) -> int:
    """CB-F4: the cell with the star of the flower on this place, or NOWHERE if that has none."""
    tile = table.tile[place]
    if place % 2 == 0 or tile >= len(STARS):
        return NOWHERE
    spot = STARS[tile]
    return cells_of(place)[(spot - 1 + table.turned[place]) % 6 + 1 if spot else 0]


def lay_floor(table: CrashByCrash, rng: Random) -> None:
    """CB-F3, CB-F4: the tiles at random and turned as they fit, a bell on every star, the operator on a flower."""
    for tile, place in enumerate(rng.shuffled(range(0, TILES, 2))):
        lay_tile(table, place, tile, 3 * rng.below(2))
    for tile, place in enumerate(rng.shuffled(range(1, TILES, 2))):
        lay_tile(table, place, tile, rng.below(6))
        if tile < BELLS:
            table.cell[BELL + tile] = star(table, place)
    without = [place for place in range(1, TILES, 2) if table.tile[place] >= BELLS]
    table.cell[OPERATOR] = cells_of(rng.choice(without))[0]


def copies(table: CrashByCrash, card: int) -> int:
    """CB-K13: how many cards of a kind are in the game: the english edition lacks one kind."""
    return 0 if card == ACTION_AND_REACTION and table.edition[0] == ENGLISH else COPIES


def in_pile(table: CrashByCrash, card: int) -> int:
    """How many cards of a kind are in the pile: those that are nowhere else; in a view, also all that are hidden."""
    left = copies(table, card) - table.discards[card]
    for seat in range(table.players[0]):
        left -= max(0, table.hand[KINDS * seat + card])
    for place in range(3):
        if table.display[place] == card:
            left -= 1
    for place in range(2):
        if table.drawn[place] == card:
            left -= 1
    return left


def pile_size(table: CrashByCrash) -> int:
    """How many cards are in the pile; all see that."""
    size = 0
    for card in range(KINDS):
        size += copies(table, card) - table.discards[card]
    for seat in range(table.players[0]):
        size -= table.held[seat]
    for place in range(3):
        if table.display[place] != NOWHERE:
            size -= 1
    for place in range(2):
        if table.drawn[place] != NOWHERE:
            size -= 1
    return size


def drawn_from(pile: list[int], rng: Random) -> int:
    """A card at random of a pile, which is so many of each kind; it is taken out."""
    card = rng.weighted(pile)
    pile[card] -= 1
    return card


def seat_to_place(table: CrashByCrash) -> int:
    """CB-S2, CB-V1: whose car comes next at set-up: seat by seat from the first one."""
    on_floor = sum(cell != NOWHERE for cell in table.cell[:CARS])
    return (table.first[0] + on_floor) % table.players[0]


check_options = any_options


def traits(options: Mapping[str, Value]) -> Traits:
    """CB-T3: no action may bring a score to 0."""
    return Traits(chance=True, secrets=True, simultaneous=False, longest=None, scores=(1, None))


def empty(options: Mapping[str, Value]) -> CrashByCrash:
    """CB-S1: a table with the options and no tile values, bells, cars or cards; the operator is on tile 1."""
    table = filled(CrashByCrash(), OPTIONS, options)
    table.cell[:] = [NOWHERE] * PIECES
    table.cell[OPERATOR] = cells_of(1)[0]
    table.score[:], table.batteries[:] = [10, 10], [4, 4]
    table.display[:], table.drawn[:] = [NOWHERE] * 3, [NOWHERE] * 2
    table.bound[0] = NOWHERE
    table.phase[0] = ACTION
    return table


def set_up(options: Mapping[str, Value], rng: Random) -> CrashByCrash:
    """CB-S1, CB-S2: the floor, hands and face-up cards at random; then the cars are to be placed."""
    table = empty(options)
    players = number(options, "players")
    table.phase[0] = SET_UP
    lay_floor(table, rng)
    pile = [copies(table, card) for card in range(KINDS)]
    for _ in range(HAND):
        for seat in range(players):
            table.hand[KINDS * seat + drawn_from(pile, rng)] += 1
            table.held[seat] += 1
    if players == 2:
        for place in range(3):
            table.display[place] = drawn_from(pile, rng)
    table.first[0] = rng.below(players)
    table.asked[0] = seat_to_place(table)
    return table
