"""The table of Crash by Crash: the floor, the pieces and cards, the encoding of actions, and the set-up."""

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

# CB-F1, CB-F2: 5 x 5 tiles, numbered 5 * row + column; even ones are X tiles of 8 cells, odd ones flowers of 7.
# Cells are numbered row by row; rows have 13, 12, 13 ... 13 cells. Directions are numbered as in `hexes`,
# counter-clockwise from east: E NE NW W SW SE. OUTSIDE is one extra cell for everything outside the floor.
TILES, CELLS, OUTSIDE = 25, 188, 188
ROWS, LONG = 15, 13
BOARD = hexes.HexBoard((row, 2 * k + row % 2) for row in range(ROWS) for k in range(LONG - row % 2))
AHEAD = tuple(OUTSIDE if cell == NOWHERE else cell for cell in BOARD.ahead) + (OUTSIDE,) * 6  # AHEAD[6 * cell + way]

ANCHORS = ((0, 3, 5, 8, 10), (1, 3, 6, 8, 11))  # columns of the tiles' middles, in even and odd rows of tiles
FLOWER_SHAPE = ((0, 0), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # axial: the middle, then E, NE, NW ...
X_SHAPE = ((0, -1), (1, -1), (2, -1), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1))  # row by row


@cache
def cells_of(tile: int) -> tuple[int, ...]:
    """CB-F2: return the cells of a tile.

    The cells of an X tile are ordered by row; a flower begins with its middle, then goes counter-clockwise from east.
    """
    row, column = divmod(tile, 5)
    middle = 3 * row + 1
    q = ANCHORS[row % 2][column] - middle // 2
    shape = FLOWER_SHAPE if tile % 2 else X_SHAPE
    return tuple(BOARD.cell[hexes.from_axial(q + right, middle + down)] for right, down in shape)


# The number of steps out of a hole, as in WALK. OUT_OF[EXITS * cell + step]: the target of a step out of the hole
# whose middle is the cell.
EXITS = 18
OUT_OF = tuple(
    AHEAD[6 * AHEAD[6 * cell + way] + (way + turn) % 6]
    for cell in range(CELLS) for way in range(6) for turn in (5, 0, 1)
)  # fmt: skip

TILE = tuple(next(tile for tile in range(TILES) if cell in cells_of(tile)) for cell in range(CELLS)) + (TILES,)
MOST_CELLS = 8
ON_TILE = tuple(  # ON_TILE[8 * tile + n], in the order of `cells_of`
    cell for tile in range(TILES) for cell in (*cells_of(tile), NOWHERE)[:MOST_CELLS]
)

# CB-F3, CB-F4 (house ruling): the values of the cells of each tile, unturned, in the order of `cells_of`; for each of
# the first ten flowers the index of the cell with the star. The printed arrangements are unknown; these were drawn at
# random once.
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
# The place of a piece is its cell, or NOWHERE for a car in its owner's stock or a bell on the scoring card. An
# operator in a hole has the middle cell of the former flower as its place. The place of the n-th rung bell (from 1) is
# its cell + RINGING * n until it is scored.
SIDES = ("blue", "orange")
STANDARD, FLEET, CARS = 10, 11, 22
OPERATOR, BELL, BELLS, PIECES = 22, 23, 10, 33
RINGING = 1000

KINDS, COPIES, HAND = 13, 3, 3  # a card is its number minus 1: CB-K1 is 0
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

# Phases: the current decision. Chance decides in PILE and REFILL, the seat `asked` in the phases before PILE.
#   SET_UP   the cell of a car (CB-S2)       PILE    the card drawn from the pile
#   ACTION   an action (CB-T1)               REFILL  the card turned face up
#   DRAWING  the card to draw (CB-T4)
#   KEEP     the drawn card to discard, one of two (CB-V1)
SET_UP, ACTION, DRAWING, KEEP, PILE, REFILL, OVER = range(7)
FIRST_CHANCE = PILE

# An action is SORT * its sort + the rest:
#   FORFEIT   0                                no other action is possible (CB-T1)
#   PLACE     cell                             a car at set-up
#   CAR       cell + WAY * (way + 1) + SECOND * (way + 1) + POWER * batteries
#             a standard car; the direction of its hit, 0 for no hit (CB-K12); a second direction with CB-K9, else 0
#   MAGNET    cell
#   WALK      step + STEP * step + STEP ** 2 * step + STEP ** 3 * step; a missing step is 0, others are 1 + a number.
#             The number of a step from a cell is its direction. The number of a step out of a hole is 3 * n + m if it
#             starts from the cell next to the hole's middle in direction n, and goes in direction n + m - 1.
#             If several steps have the same result, only the least is legal.
#   EXCHANGE  card + STEP * card, the lower number first
#   PLAY      card + STEP * what + STEP * CELL * where
#             CB-K1 the cell of the bell, and its new cell; CB-K2 two cells, the lower first; CB-K3 from, to;
#             CB-K4 the cell of the car; CB-K5 the new cell; 0 for a target that the card does not need
#   TAKE      a face-up card of this kind; FROM_PILE for a card from the pile
#   DISCARD   the kind of the drawn card to discard
#   TURN_UP   chance: the kind of the card from the pile
SORT = 1 << 21
FORFEIT, PLACE, CAR, MAGNET, WALK, EXCHANGE, PLAY, TAKE, DISCARD, TURN_UP = (SORT * sort for sort in range(10))
WAY, SECOND, POWER = 1 << 8, 1 << 11, 1 << 14
STEP, CELL = 1 << 5, 1 << 8
FROM_PILE = KINDS

OPTIONS = (
    Option("players", 2, (2, 4), "the number of players: two, or four in two teams", "CB-V1"),
    Option("edition", "czech", ("czech", "english"), "the rulebook to follow where the two differ", "CB-E2"),
    Option("turn_limit", 300, range(1, 10001), "the last turn of the game", "CB-E5", optional=True),
)


class CrashByCrash(Table):
    """The state of a game. Side 0 has seats 0 and 2, side 1 has seats 1 and 3."""

    players: Annotated[Ints, 1, range(2, 5)]
    edition: Annotated[Ints, 1, range(2)]  # CZECH or ENGLISH
    turn_limit: Annotated[Ints, 1, range(NOWHERE, 10_001)]  # NOWHERE: no limit
    tile: Annotated[Ints, TILES, range(13)]  # by place: its X tile, 0 to 12, or its flower, 0 to 11
    turned: Annotated[Ints, TILES, range(6)]  # sixths of a turn counter-clockwise; 0 or 3 for an X tile
    gone: Annotated[Ints, TILES, range(2)]  # 1: the tile has left the game, leaving a hole (CB-F5)
    value: Annotated[Ints, CELLS, range(4)]  # by cell: its value, kept for tiles that have left
    cell: Annotated[Ints, PIECES, range(NOWHERE, RINGING * BELLS + CELLS)]  # by piece: its place
    score: Annotated[Ints, 2, range(1, 10**9)]  # by side, like batteries and banned; no rule limits it
    batteries: Annotated[Ints, 2, range(5)]
    banned: Annotated[Ints, 2, range(2)]  # 1: no batteries until the end of this side's next turn (CB-K6)
    hand: Annotated[Ints, 4 * KINDS, range(COPIES + 1)]  # number of cards by KINDS * seat + card; HIDDEN in a view
    hand_size: Annotated[Ints, 4, range(HAND + 1)]  # by seat: the number of cards in hand, public
    display: Annotated[Ints, 3, range(NOWHERE, KINDS)]  # the face-up cards; NOWHERE: an empty place
    discards: Annotated[Ints, KINDS, range(COPIES + 1)]  # number of cards by kind; all other cards are in the pile
    drawn: Annotated[Ints, 2, range(NOWHERE, KINDS)]  # with four players, the cards that `asked` has drawn; secret
    phase: Annotated[Ints, 1, range(OVER + 1)]  # the current decision
    asked: Annotated[Ints, 1, range(4)]  # the seat whose turn it is
    first: Annotated[Ints, 1, range(4)]  # the seat that put the first car on the floor
    turn: Annotated[Ints, 1, range(10**9)]  # the number of the turn, from 1; 0 at set-up
    acted: Annotated[Ints, 1, range(4)]  # number of actions done in this turn; 3 while cards are drawn at its end
    placed: Annotated[Ints, 1, range(3)]  # number of cars placed in this turn (CB-T2)
    scored: Annotated[Ints, 1, range(8)]  # number of scorings in this turn (CB-E2)
    bound: Annotated[Ints, 1, range(NOWHERE, KINDS)]  # the card that the second action must follow
    owed: Annotated[Ints, 1, range(HAND + 1)]  # number of cards that the seat must draw now
    scorings: Annotated[Ints, 1, range(8)]  # number of scorings in the game


class TrialBoard(Layout):
    """A copy of the board, stored after a list of legal actions, on which actions are tried and undone."""

    piece: Annotated[Ints, PIECES]  # its place, as in `cell` of the table
    nowhere: Annotated[Ints, 1]  # contents of the cell NOWHERE, index -1 of floor; never read
    floor: Annotated[Ints, CELLS + 1]  # by cell, and for OUTSIDE: its contents, a sum of CAR_BITS and so on
    rung: Annotated[Ints, 1]  # number of rung bells, not yet scored
    lured: Annotated[Ints, 1]  # cached number of pairs of a magnet and a bell beside it
    played: Annotated[Ints, 1]  # number of scorings in the game
    count: Annotated[Ints, 1]  # number of legal actions listed so far
    most: Annotated[Ints, 1]  # the search for actions stops when count reaches it
    limit: Annotated[Ints, 1]  # number of bells that an action may ring (CB-E2)
    bound: Annotated[Ints, 1]  # the card that an action must follow, or NOWHERE
    surveyed: Annotated[Ints, 1]  # 1 + logged when the next four fields were computed
    stirred: Annotated[Ints, 1]  # number of pairs of a magnet and a bell beside it with a car behind the bell
    magnets: Annotated[Ints, 2]  # by side: the magnet's place
    beside: Annotated[Ints, CELLS + 1]  # by cell: bits of directions to adjacent cars; << 6: to cars two away
    aimed: Annotated[Ints, CELLS + 1]  # by cell: bits of the directions in which a magnet is ahead
    logged: Annotated[Ints, 1]  # number of changes
    log: Annotated[Ints, 800]  # by change: the piece and its former place; or PIECES + a removed tile, and 0


@cache
def faced(place: int, tile: int, turned: int) -> tuple[int, ...]:
    """CB-F3: return the values of a tile laid on a place and turned by `turned` sixths, in the order of `cells_of`."""
    if place % 2 == 0:
        values = tuple(map(int, X_VALUES[tile]))
        return values[::-1] if turned else values
    middle, *ring = map(int, FLOWER_VALUES[tile])
    return middle, *ring[6 - turned :], *ring[: 6 - turned]


def lay_tile(table: CrashByCrash, place: int, tile: int, turned: int) -> None:
    """CB-F3: lay a tile on a place."""
    table.tile[place], table.turned[place] = tile, turned
    for cell, value in zip(cells_of(place), faced(place, tile, turned), strict=True):
        table.value[cell] = value


def star(table: CrashByCrash, place: int) -> int:
    """CB-F4: return the cell of the star on a place, or NOWHERE for a flower without a star or an X tile."""
    tile = table.tile[place]
    if place % 2 == 0 or tile >= len(STARS):
        return NOWHERE
    spot = STARS[tile]
    return cells_of(place)[(spot - 1 + table.turned[place]) % 6 + 1 if spot else 0]


def lay_floor(table: CrashByCrash, rng: Random) -> None:
    """CB-F3, CB-F4: lay the tiles at random, a bell on each star, and put the operator on a flower without a star."""
    for tile, place in enumerate(rng.shuffled(range(0, TILES, 2))):
        lay_tile(table, place, tile, 3 * rng.below(2))
    for tile, place in enumerate(rng.shuffled(range(1, TILES, 2))):
        lay_tile(table, place, tile, rng.below(6))
        if tile < BELLS:
            table.cell[BELL + tile] = star(table, place)
    without = [place for place in range(1, TILES, 2) if table.tile[place] >= BELLS]
    table.cell[OPERATOR] = cells_of(rng.choice(without))[0]


def copies(table: CrashByCrash, card: int) -> int:
    """CB-K13: return the number of cards of a kind in the game; the English edition lacks one kind."""
    return 0 if card == ACTION_AND_REACTION and table.edition[0] == ENGLISH else COPIES


def in_pile(table: CrashByCrash, card: int) -> int:
    """Return the number of cards of a kind in the pile; in a view, hidden cards count as cards of the pile."""
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
    """Return the number of cards in the pile, which is public."""
    size = 0
    for card in range(KINDS):
        size += copies(table, card) - table.discards[card]
    for seat in range(table.players[0]):
        size -= table.hand_size[seat]
    for place in range(3):
        if table.display[place] != NOWHERE:
            size -= 1
    for place in range(2):
        if table.drawn[place] != NOWHERE:
            size -= 1
    return size


def drawn_from(pile: list[int], rng: Random) -> int:
    """Remove a random card from a pile, given as the number of cards of each kind, and return its kind."""
    card = rng.weighted(pile)
    pile[card] -= 1
    return card


def seat_to_place(table: CrashByCrash) -> int:
    """CB-S2, CB-V1: return the seat that places the next car at set-up, in order from the first seat."""
    on_floor = sum(cell != NOWHERE for cell in table.cell[:CARS])
    return (table.first[0] + on_floor) % table.players[0]


check_options = any_options


def traits(options: Mapping[str, Value]) -> Traits:
    """CB-T3: return the traits of the game; scores stay above 0."""
    return Traits(chance=True, secrets=True, simultaneous=False, longest=None, scores=(1, None))


def empty(options: Mapping[str, Value]) -> CrashByCrash:
    """CB-S1: build a table with the options, without tile values, bells, cars and cards; the operator is on tile 1."""
    table = filled(CrashByCrash(), OPTIONS, options)
    table.cell[:] = [NOWHERE] * PIECES
    table.cell[OPERATOR] = cells_of(1)[0]
    table.score[:], table.batteries[:] = [10, 10], [4, 4]
    table.display[:], table.drawn[:] = [NOWHERE] * 3, [NOWHERE] * 2
    table.bound[0] = NOWHERE
    table.phase[0] = ACTION
    return table


def set_up(options: Mapping[str, Value], rng: Random) -> CrashByCrash:
    """CB-S1, CB-S2: set up floor, hands and face-up cards at random; the first decision places a car."""
    table = empty(options)
    players = number(options, "players")
    table.phase[0] = SET_UP
    lay_floor(table, rng)
    pile = [copies(table, card) for card in range(KINDS)]
    for _ in range(HAND):
        for seat in range(players):
            table.hand[KINDS * seat + drawn_from(pile, rng)] += 1
            table.hand_size[seat] += 1
    if players == 2:
        for place in range(3):
            table.display[place] = drawn_from(pile, rng)
    table.first[0] = rng.below(players)
    table.asked[0] = seat_to_place(table)
    return table
