"""What a seat of Autoscooter sees, and what could be behind it."""

from __future__ import annotations

from crashlab.chance import Random
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import table as t
from crashlab.games.autoscooter.table import Autoscooter
from crashlab.happen import Row


def hide(table: Autoscooter, seat: int) -> Autoscooter:
    """AS-R1: the table without the plots of the other seats."""
    view = table.copy()
    for car in range(t.CARS):
        if view.plot[car] != t.UNPLANNED and view.driver[car] != seat:
            view.plot[car] = t.HIDDEN
    return view


def guess(table: Autoscooter, rng: Random) -> Autoscooter:
    """The table with a legal plot, drawn at random, for each that is hidden."""
    full = table.copy()
    for car in range(t.CARS):
        if full.plot[car] == t.HIDDEN:
            fitting = [manoeuvre for manoeuvre in range(t.ABOUT_FACE + 1) if rules.fits(full, car, manoeuvre)]
            full.plot[car] = rng.choice(t.unused(full, car)) * t.CODES + rng.choice(fitting)
    return full


def is_secret(table: Autoscooter, row: Row, seat: int) -> bool:
    """AS-R1: whether this seat may not know of it: the plots that others write."""
    return row.rule == rules.R1 and row.field == rules.PLOT and table.driver[row.index] != seat
