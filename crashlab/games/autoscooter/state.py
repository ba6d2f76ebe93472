"""Autoscooter's table: its fields, its set-up, and its invariants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from crashlab.base.errors import CrashlabError
from crashlab.engine.contract import Traits
from crashlab.engine.options import Option, Value, filled, number
from crashlab.engine.table import HIDDEN as HIDDEN
from crashlab.engine.table import NOWHERE, Ints, Table
from crashlab.games.boards.hexes import HexBoard

# The board, AS-B1 and AS-B2: cell numbers, row by row.
#
#        0   1   2   3   4
#      5   6   7   8   9  10
#       11  12  13  14  15
#     16  17  18  19  20  21
#       22  23  24  25  26
#     27  28  29  30  31  32
#       33  34  35  36  37
BOARD = HexBoard((row, x) for row in range(7) for x in range(1 - row % 2, 11, 2))
HEXES = tuple((row, x // 2) for row, x in BOARD.hexes)  # cell -> (row, column)
CELL_AT = {place: cell for cell, place in enumerate(HEXES)}

TITLE = "Autoscooter"
CARS = 8
ROUNDS = 11
UNPLANNED = -1  # a car's plot before its decision
NOTHING = 0  # the empty plot
NOBODY = -1  # the driver of a driverless car
CODES = 32  # a plot is number * CODES + manoeuvre

# AS-M4: the manoeuvres in the order of their letters A to O. Each F is one hex, followed by the turns after it.
SEQUENCES = ("FLL", "FL", "F", "FR", "FRR", "FLFL", "FLF", "FLFR", "FFL", "FF", "FFR", "FRFL", "FRF", "FRFR", "FFF")
SPEED_OF = tuple(sequence.count("F") for sequence in SEQUENCES)
TURNS = tuple(  # TURNS[3 * manoeuvre + step]: sixths to the left after that step
    part.count("L") - part.count("R") for sequence in SEQUENCES for part in (sequence.split("F")[1:] + ["", ""])[:3]
)
FIRST_FIT, FITS = (  # AS-M3, by the car's speed: the first manoeuvre that fits, and the number of those that fit
    tuple(min(m for m, v in enumerate(SPEED_OF) if abs(v - speed) <= 1) for speed in range(4)),
    tuple(sum(abs(v - speed) <= 1 for v in SPEED_OF) for speed in range(4)),
)
WITHOUT_TURNS = SEQUENCES.index("FFF")  # the manoeuvre of a car that only drives straight ahead
ABOUT_FACE = 15  # AS-M5: P
STRAIGHT = 16  # AS-R6, AS-R7: straight at the speed the car has; never listed
PIVOT = 17  # 17 to 21: A to E, turning before driving (AS-M5); never listed

# AS-L1: NUMBERS[88 * last_row_reversed + 11 * car + row].
NUMBERS = tuple(
    8 * row + (8 - car if row % 2 or (row == 10 and reverse) else car + 1)
    for reverse in (0, 1)
    for car in range(CARS)
    for row in range(ROUNDS)
)

# AS-S4: hex and facing of each car at the start.
START = (((0, 1), 5), ((0, 3), 4), ((2, 4), 3), ((4, 4), 3), ((6, 3), 2), ((6, 1), 1), ((4, 0), 0), ((2, 0), 0))

# AS-S5: the seat that drives each car, by (players, cars each). PURSES, AS-S2: each seat's chits, by players.
DRIVERS = {
    (2, 4): (0, 1, 0, 1, 0, 1, 0, 1),
    (2, 3): (0, 1, 0, 1, 0, 1, NOBODY, NOBODY),
    (3, 2): (0, 1, 2, NOBODY, 0, 1, 2, NOBODY),
    (4, 2): (0, 1, 2, 3, 0, 1, 2, 3),
    (5, 1): (0, 1, NOBODY, 2, 3, NOBODY, 4, NOBODY),
    (6, 1): (0, 1, 2, NOBODY, 3, 4, 5, NOBODY),
    (7, 1): (0, 1, 2, 3, 4, 5, 6, NOBODY),
    (8, 1): (0, 1, 2, 3, 4, 5, 6, 7),
}
PURSES = {2: 20, 3: 20, 4: 20, 5: 15, 6: 12, 7: 10, 8: 10}

OPTIONS = (
    Option("players", 4, tuple(range(2, 9)), "the number of players", "AS-S2"),
    Option("cars", 4, (4, 3), "the number of cars of each player in a game of two; 3 is for beginners", "AS-S2"),
    Option(
        "standstill",
        "about_face",
        ("about_face", "pivot_first", "turn_anyway", "none"),
        "how a standing car leaves an obstacle in front of it",
        "AS-M5",
    ),
    Option("legality", "at_move", ("at_move", "at_planning"), "when the speed of a plot is checked", "AS-R8"),
    Option("own_car", "case", ("case", "speed"), "what ramming your own car costs", "AS-C6"),
    Option("last_row_reversed", False, (False, True), "the last row of the log sheet runs backwards", "AS-L1"),
    Option("rear_push", False, (False, True), "a car hit from behind is shoved one hex", "AS-V1"),
)
STANDSTILL_ABOUT_FACE, STANDSTILL_PIVOT_FIRST, STANDSTILL_TURN_ANYWAY, STANDSTILL_NONE = range(4)
AT_MOVE, AT_PLANNING = range(2)
BY_CASE, BY_SPEED = range(2)


class Autoscooter(Table):
    """The state of a game. Cars and seats count from 0 here; players count cars from 1 and seats from A."""

    players: Annotated[Ints, 1, range(2, 9)]
    cars: Annotated[Ints, 1, range(3, 5)]
    standstill: Annotated[Ints, 1, range(4)]
    legality: Annotated[Ints, 1, range(2)]
    own_car: Annotated[Ints, 1, range(2)]
    last_row_reversed: Annotated[Ints, 1, range(2)]
    rear_push: Annotated[Ints, 1, range(2)]
    round: Annotated[Ints, 1, range(1, ROUNDS + 2)]  # 1 to 11; 12 when the game is over
    asking: Annotated[Ints, 1, range(5)]  # the pass of planning, from 0
    box: Annotated[Ints, 1, range(81)]
    chits: Annotated[Ints, 8, range(81)]  # by seat
    driver: Annotated[Ints, 8, range(NOBODY, 8)]  # by car: a seat or NOBODY
    asked: Annotated[Ints, 8, range(NOWHERE, 4)]  # by car: the pass in which it is planned; NOWHERE if never
    cell: Annotated[Ints, 8, range(NOWHERE, 38)]  # NOWHERE: not on the board
    facing: Annotated[Ints, 8, range(6)]
    speed: Annotated[Ints, 8, range(4)]
    plot: Annotated[Ints, 8, range(UNPLANNED, 89 * CODES)]
    used: Annotated[Ints, 88, range(2)]  # by 11 * car + row of the log sheet: 1 for a used number


def cars_each(options: Mapping[str, Value]) -> int:
    """AS-S2: return the number of cars of each player."""
    players = number(options, "players")
    return number(options, "cars") if players == 2 else 2 if players <= 4 else 1


def check_options(options: Mapping[str, Value]) -> None:
    """Refuse options that contradict each other."""
    if options["cars"] == 3 and options["players"] != 2:
        raise CrashlabError(f"option cars=3 is for 2 players (AS-S2), not for {options['players']}")


def traits(options: Mapping[str, Value]) -> Traits:
    """AS-R1, AS-S2: return the traits: all seats plan a car in every pass; the maximum score is all chits together."""
    players = number(options, "players")
    passes = cars_each(options)
    return Traits(
        chance=False,
        secrets=passes > 1,
        simultaneous=True,
        longest=ROUNDS * passes,
        scores=(0, players * PURSES[players]),
    )


def empty(options: Mapping[str, Value]) -> Autoscooter:
    """Return a table with the options and drivers in place, full purses, and no car on the board."""
    table = filled(Autoscooter(), OPTIONS, options)
    players = table.players[0]
    table.round[0] = 1
    table.chits[:players] = [PURSES[players]] * players
    table.driver[:] = DRIVERS[players, cars_each(options)]
    table.asked[:] = table.cell[:] = [NOWHERE] * CARS
    table.plot[:] = [UNPLANNED] * CARS
    return table


def present(table: Autoscooter) -> list[int]:
    """Return the cars on the board."""
    return [car for car, cell in enumerate(table.cell) if cell != NOWHERE]


def ask_in_turn(table: Autoscooter) -> None:
    """AS-R1: set the pass in which each car is planned: 0 for its driver's first car, 1 for the next, and so on."""
    drivers = [table.driver[car] for car in present(table)]
    for place, car in enumerate(present(table)):
        table.asked[car] = drivers[:place].count(drivers[place]) if drivers[place] != NOBODY else NOWHERE


def set_up(options: Mapping[str, Value], rng: object = None) -> Autoscooter:
    """AS-S1 to AS-S5: set up eight cars on their start hexes, all at speed 0; `rng` is not used."""
    table = empty(options)
    table.cell[:] = [CELL_AT[place] for place, _ in START]
    table.facing[:] = [facing for _, facing in START]
    ask_in_turn(table)
    return table


def numbers(table: Autoscooter, car: int) -> tuple[int, ...]:
    """AS-L1: return the car's eleven numbers in the order of the log sheet."""
    first = 88 * table.last_row_reversed[0] + ROUNDS * car
    return NUMBERS[first : first + ROUNDS]


def unused(table: Autoscooter, car: int) -> tuple[int, ...]:
    """Return the car's unused numbers; empty for a driverless car."""
    if table.driver[car] == NOBODY:
        return ()
    return tuple(number for row, number in enumerate(numbers(table, car)) if not table.used[ROUNDS * car + row])


def used(table: Autoscooter) -> list[int]:
    """Return the used numbers of all cars, in order."""
    return sorted(numbers(table, place // ROUNDS)[place % ROUNDS] for place in range(88) if table.used[place])
