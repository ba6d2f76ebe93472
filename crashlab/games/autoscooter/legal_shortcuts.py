"""Random legal actions, without a list: a seat always has a choice, and each number allows the same manoeuvres."""

from __future__ import annotations

from crashlab.engine.chance import next_luck
from crashlab.engine.table import NOWHERE, Ints
from crashlab.games.autoscooter.rules import car_asked, fits, number_in
from crashlab.games.autoscooter.state import *

LUCK = (1 << 31) - 1  # the maximum of luck, and a mask of its bits

# For the upper or lower half of a log sheet, by its used rows as bits: LEFT is the number of unused rows, and
# UNUSED[PLACES * bits + place] the unused row at index place.
HALF, PLACES = 6, 8
ALL_USED = (1 << HALF) - 1
LEFT = tuple(HALF - used.bit_count() for used in range(1 << HALF))
UNUSED = tuple(
    row
    for used in range(1 << HALF)
    for row in [*(row for row in range(HALF) if used >> row & 1 == 0), *[NOWHERE] * PLACES][:PLACES]
)


def draw(table: Autoscooter, seat: int, luck: int, out: Ints) -> int:
    """Return one of the actions that `legal` lists, each equally likely; luck is a number below 2 ** 31."""
    car = car_asked(table, seat)
    speed = table.speed[car]
    fitting = FITS[speed] + fits(table, car, ABOUT_FACE)
    choice = luck * (ROUNDS + 1 - table.round[0])  # its high bits choose the number, its low bits the manoeuvre
    place = (choice & LUCK) * fitting >> 31
    manoeuvre = ABOUT_FACE if place == FITS[speed] else FIRST_FIT[speed] + place
    return unused_number(table, car, choice >> 31) * CODES + manoeuvre


def at_random(table: Autoscooter, seat: int, luck: Ints, out: Ints) -> int:
    """Return a random legal action without listing the actions."""
    return draw(table, seat, next_luck(luck), out)


def unused_number(table: Autoscooter, car: int, place: int) -> int:
    """Return the car's unused number at this index, in the order of the log sheet; a lookup table avoids branches."""
    used = 0
    for row in range(ROUNDS):
        used |= table.used[ROUNDS * car + row] << row
    above = LEFT[used & ALL_USED]
    below = place >= above
    half = used >> HALF * below & ALL_USED
    row = HALF * below + UNUSED[PLACES * half + place - above * below]
    return number_in(table, car, row)


def only_action(table: Autoscooter, seat: int, out: Ints) -> int:
    """Return NOWHERE: a seat always has a choice here."""
    return NOWHERE
