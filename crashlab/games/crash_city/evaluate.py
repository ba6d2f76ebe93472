"""The value of a car by its distance from work, before it is parked.

A *stand* is a space and the direction of a car there: 2 * space + 0 for north or east, + 1 for south or west. Distances
are numbers of drives on empty streets (CC-R3), found backwards from work: if one drive leads from a stand to another
that is n drives from work, the stand is at most n + 1 drives from work.
"""

from __future__ import annotations

from typing import Annotated

from crashlab.engine.table import NOWHERE, Ints, Layout
from crashlab.games.boards.streets import ARM_WAY, ARMS, OWN_CORNER
from crashlab.games.crash_city.rules import *
from crashlab.games.crash_city.state import *

HORIZON = 4
EXPLORATION = 0.5

# Value of a car on the street, in hundredths of a parked one: at free work, less per drive, and the minimum.
AT_WORK, A_DRIVE, ON_THE_STREET = 60, 6, 6


class Reckoning(Layout):
    """The array of values and scratch numbers; it ends before `LegalScratch.streets`, which stays cached."""

    values: Annotated[Ints, SEATS]
    count: Annotated[Ints, 1]  # number of stands with a distance
    sought: Annotated[Ints, 1]  # number of stands with a car and without a distance
    far: Annotated[Ints, 2 * SPACES]  # by stand: 1 + its distance from work; before that 0 or TARGET
    steps: Annotated[Ints, 2 * SPACES]  # by stand: the kinds of steps tried from it, as bits
    reached: Annotated[Ints, 2 * SPACES]  # the stands with a distance, the nearest first
    pile: Annotated[Ints, 2 * SPACES]  # stands to continue with


_, COUNT, SOUGHT, FAR, STEPS, REACHED, PILE = Reckoning.places(0)
TARGET = -1
FORTH, BACK, FURTHER_BACK = 1, 2, 4


def evaluate(table: CrashCity, out: Ints) -> None:
    """Write the value of each seat in hundredths of a parked car; a car on the street counts less."""
    for seat in range(table.players[0]):
        out[seat] = 100 * score(table, seat)
    if table.phase[0] != OVER:
        find_work(table, out)
        for car in range(FLEET * table.players[0]):
            if NOWHERE < table.where[car] < ROOF:
                out[car // FLEET] += promise(out, stand_of(table, car))


def promise(out: Ints, stand: int) -> int:
    """Return the value of a car that is not parked: higher for fewer drives to free work."""
    drives = out[FAR + stand] - 1
    return max(AT_WORK - A_DRIVE * drives, ON_THE_STREET) if drives >= 0 else ON_THE_STREET


def stand_of(table: CrashCity, car: int) -> int:
    """Return the stand of a car on the street."""
    return 2 * table.where[car] + (table.facing[car] >> 1)


def find_work(table: CrashCity, out: Ints) -> None:
    """CC-R3: compute the distances of the cars on the street, stopping once all are known."""
    keep_streets(table, out)
    for place in range(FAR, REACHED):
        out[place] = 0
    out[COUNT], out[SOUGHT] = 0, 0
    for car in range(FLEET * table.players[0]):
        if NOWHERE < table.where[car] < ROOF and out[FAR + stand_of(table, car)] != TARGET:
            out[FAR + stand_of(table, car)] = TARGET
            out[SOUGHT] += 1
    free_work(table, out)
    drives, looked = 0, 0
    while looked < out[COUNT] and out[SOUGHT] > 0:
        drives += 1
        for place in range(looked, out[COUNT]):
            one_drive_before(table, out, out[REACHED + place], drives)
            looked += 1


def free_work(table: CrashCity, out: Ints) -> None:
    """CC-R2: give distance 0 to both stands of each connected lane at free work."""
    for tile in range(table.laid[0]):
        if can_park(table, tile):
            for stand in range(8 * tile, 8 * tile + 8):
                if table.joined[stand >> 1] == 1:
                    reach(out, stand, 0)


def reach(out: Ints, stand: int, drives: int) -> None:
    """Store the distance of a stand from work, unless it has one."""
    if out[FAR + stand] <= 0:
        if out[FAR + stand] == TARGET:
            out[SOUGHT] -= 1
        out[FAR + stand] = drives + 1
        out[REACHED + out[COUNT]] = stand
        out[COUNT] += 1


def one_drive_before(table: CrashCity, out: Ints, stand: int, drives: int) -> None:
    """CC-R3: reach the stands one drive before a stand: a drive forward, one or two steps backward, or a U-turn."""
    count = step_before(table, out, stand, FORTH, ARMS, drives, 0)
    while count > 0:
        count = step_before(table, out, out[PILE + count - 1], FORTH, OWN_CORNER, drives, count - 1)
    count = step_before(table, out, stand, BACK, ARMS, drives, 0)
    while count > 0:
        count -= 1
        step_before(table, out, out[PILE + count], FURTHER_BACK, OWN_CORNER, drives, count)
    other = other_lane(table, stand >> 1)
    if other != NOWHERE:
        reach(out, 2 * other + 1 - (stand & 1), drives)


def step_before(table: CrashCity, out: Ints, stand: int, kind: int, most: int, drives: int, count: int) -> int:
    """CC-R3: reach the stands one step before a stand, push the new ones on the pile, and return its height.

    Only the last step of a drive may turn a corner, so `most` restricts the other steps to the arms straight on.
    """
    # traced backwards, a forward step goes against the car's direction
    space, flip = stand >> 1, 1 if kind == FORTH else 0
    way = 2 * ((stand & 1) ^ flip) + 1 - (space & 1)
    bits = known_arms(table, out, space, way)
    spot, first = table.spot[space >> 2], ARMS * (4 * (space & 3) + way)
    for arm in range(most):
        if bits >> arm & 1:
            before = 2 * arm_space(table, spot, first + arm) + (ARM_WAY[first + arm] >> 1 ^ flip)
            if out[STEPS + before] & kind == 0:
                out[STEPS + before] |= kind
                reach(out, before, drives)
                out[PILE + count] = before
                count += 1
    return count
