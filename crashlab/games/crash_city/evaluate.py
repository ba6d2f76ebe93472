"""How near work is: what a car on the street counts, before it is parked.

A *stand* is a space and the way a car faces there: 2 * space + 0 for north or east, + 1 for south or west. Distances
are drives on empty streets (CC-R3), found from the work backwards: whoever is one drive from a stand that is n drives
from work, is n + 1 drives from it.
"""

from __future__ import annotations

from typing import Annotated

from crashlab.engine.table import NOWHERE, Ints, Layout
from crashlab.games.boards.streets import ARM_WAY, ARMS, OWN_CORNER
from crashlab.games.crash_city.rules import *
from crashlab.games.crash_city.state import *

HORIZON = 4
EXPLORATION = 0.5

# What a car on the street counts, in hundredths of a parked one: at free work, less for each drive to it, at least.
AT_WORK, A_DRIVE, ON_THE_STREET = 60, 6, 6


class Reckoning(Layout):
    """The row of the values while they are reckoned; shorter than what is before `LegalScratch.streets`."""

    values: Annotated[Ints, SEATS]
    count: Annotated[Ints, 1]  # how many stands are reached
    sought: Annotated[Ints, 1]  # how many with a car are not
    far: Annotated[Ints, 2 * SPACES]  # by stand: 1 + how far from work it is; 0 or WANTED as long as it is not reached
    steps: Annotated[Ints, 2 * SPACES]  # by stand: kinds of steps from there that were found, as bits
    reached: Annotated[Ints, 2 * SPACES]  # the stands that are reached, the nearest first
    pile: Annotated[Ints, 2 * SPACES]  # stands from which to go on


_, COUNT, SOUGHT, FAR, STEPS, REACHED, PILE = Reckoning.places(0)
WANTED = -1
FORTH, BACK, FURTHER_BACK = 1, 2, 4


def evaluate(table: CrashCity, out: Ints) -> None:
    """How every seat stands, in hundredths of a parked car: one on the street counts too, but for less."""
    for seat in range(table.players[0]):
        out[seat] = 100 * score(table, seat)
    if table.phase[0] != OVER:
        find_work(table, out)
        for car in range(OWN * table.players[0]):
            if NOWHERE < table.where[car] < ROOF:
                out[car // OWN] += promise(out, stand_of(table, car))


def promise(out: Ints, stand: int) -> int:
    """What a car counts before it is parked: the more the fewer drives it is from free work."""
    drives = out[FAR + stand] - 1
    return max(AT_WORK - A_DRIVE * drives, ON_THE_STREET) if drives >= 0 else ON_THE_STREET


def stand_of(table: CrashCity, car: int) -> int:
    """The stand of a car on the street."""
    return 2 * table.where[car] + (table.facing[car] >> 1)


def find_work(table: CrashCity, out: Ints) -> None:
    """CC-R3: the distances of the cars on the street, and of all stands that are as near as the farthest of them."""
    keep_streets(table, out)
    for place in range(FAR, REACHED):
        out[place] = 0
    out[COUNT], out[SOUGHT] = 0, 0
    for car in range(OWN * table.players[0]):
        if NOWHERE < table.where[car] < ROOF and out[FAR + stand_of(table, car)] != WANTED:
            out[FAR + stand_of(table, car)] = WANTED
            out[SOUGHT] += 1
    free_work(table, out)
    drives, looked = 0, 0
    while looked < out[COUNT] and out[SOUGHT] > 0:
        drives += 1
        for place in range(looked, out[COUNT]):
            one_drive_before(table, out, out[REACHED + place], drives)
            looked += 1


def free_work(table: CrashCity, out: Ints) -> None:
    """CC-R2: a car on a lane of free work needs no drive, whichever way it faces."""
    for tile in range(table.laid[0]):
        if can_park(table, tile):
            for stand in range(8 * tile, 8 * tile + 8):
                if table.joined[stand >> 1] == 1:
                    reach(out, stand, 0)


def reach(out: Ints, stand: int, drives: int) -> None:
    """Note how far from work a stand is, unless that is known."""
    if out[FAR + stand] <= 0:
        if out[FAR + stand] == WANTED:
            out[SOUGHT] -= 1
        out[FAR + stand] = drives + 1
        out[REACHED + out[COUNT]] = stand
        out[COUNT] += 1


def one_drive_before(table: CrashCity, out: Ints, stand: int, drives: int) -> None:
    """CC-R3: from where one drive leads to a stand: forward from any distance, backward from two steps, by a U-turn."""
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
    """CC-R3: from where one step of this kind leads to a stand: such stands that are new come on the pile; its height.

    Only a drive's last step may be round a corner, so for others only the arms straight on are looked at.
    """
    space, flip = stand >> 1, 1 if kind == FORTH else 0  # the way back from a stand is that which the car faces, or not
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
