"""The playout policy of the searches: random plots that mostly avoid the barrier."""

from __future__ import annotations

from crashlab.engine.chance import next_luck
from crashlab.engine.default_rules import draw
from crashlab.engine.table import NOWHERE, Ints
from crashlab.games.autoscooter.rules import *
from crashlab.games.autoscooter.state import *

HORIZON = 12
EXPLORATION = 0.5
SECOND_THOUGHTS = 2  # maximum number of draws after the first


def rollout_policy(table: Autoscooter, seat: int, luck: Ints, out: Ints) -> int:
    """AS-C5: draw an action at random, and again up to SECOND_THOUGHTS times while it leads into the barrier."""
    car = car_asked(table, seat)
    action = draw(table, seat, next_luck(luck), out)
    for _ in range(SECOND_THOUGHTS):
        if not meets_barrier(table, car, action % CODES):
            return action
        action = draw(table, seat, next_luck(luck), out)
    return action


def meets_barrier(table: Autoscooter, car: int, manoeuvre: int) -> bool:
    """AS-C5: return whether a manoeuvre leads into the barrier or a driverless car; cars with drivers are ignored."""
    cell, facing = table.cell[car], table.facing[car]
    if manoeuvre == ABOUT_FACE:
        return False
    for step in range(SPEED_OF[manoeuvre]):
        cell = AHEAD[6 * cell + facing]
        hit = car_on(table, cell)
        if cell == NOWHERE or (hit != NOWHERE and table.driver[hit] == NOBODY):
            return True
        facing = (facing + TURNS[3 * manoeuvre + step]) % 6
    return False
