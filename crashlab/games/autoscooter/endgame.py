"""The functions of Autoscooter that the endgame solver calls (`contract.Rounds`)."""

from __future__ import annotations

from crashlab.engine.table import NOWHERE, Ints
from crashlab.games.autoscooter.rules import *
from crashlab.games.autoscooter.state import *

DEAREST = 2 * max(SPEED_OF)  # maximum cost of one crash in chits (AS-C4)
CHAIN = 7  # maximum number of crashes in a move with shoves, along the longest row of hexes (AS-V1); 1 without shoves


def rounds_left(table: Autoscooter) -> int:
    """AS-L2: return the number of rounds still to be played, this one included."""
    return ROUNDS + 1 - table.round[0]


def outline(table: Autoscooter, out: Ints) -> int:
    """AS-R2: write the numbers on which the rest of the game depends; return their count.

    They are the place, facing and speed of each car, the order of the cars by their unused numbers, and each purse up
    to the chits that can still be lost.
    """
    count = 0
    for car in range(CARS):
        if table.asked[car] != NOWHERE:
            out[count] = (table.cell[car] * 6 + table.facing[car]) * 4 + table.speed[car]
            count += 1
    for row in range(ROUNDS):
        backward = number_in(table, 0, row) > number_in(table, CARS - 1, row)
        for place in range(CARS):
            car = CARS - 1 - place if backward else place
            if table.asked[car] != NOWHERE and table.used[ROUNDS * car + row] == 0:
                out[count] = car
                count += 1
    most = most_paid(table)
    for seat in range(table.players[0]):
        out[count] = min(table.chits[seat], most)
        count += 1
    return count


def most_paid(table: Autoscooter) -> int:
    """AS-C1 to AS-C6, AS-V1: return an upper bound on the total that a seat can still pay."""
    moves = 0
    for car in range(CARS):
        if table.asked[car] != NOWHERE:
            moves += rounds_left(table)
    return moves * DEAREST * (CHAIN if table.rear_push[0] == 1 else 1)


def at_stake(table: Autoscooter, seat: int, other: int) -> int:
    """AS-C7: return twice the most that the other seat can still pay: each chit paid changes the lead by two."""
    return 2 * min(table.chits[other], most_paid(table))
