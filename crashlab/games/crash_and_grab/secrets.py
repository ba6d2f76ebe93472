"""What a seat of Crash & Grab sees, and what could be behind it."""

from __future__ import annotations

from crashlab.chance import Random
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab.table import CrashAndGrab
from crashlab.happen import HIDDEN, Row


def is_revealed(table: CrashAndGrab, saucer: int) -> bool:
    """CG-R4: whether the card is turned up: after placing and the first step."""
    before = table.phase[0] < t.DISTANCE or table.phase[0] == t.DIE or table.motion[0] == t.STEPPING
    return saucer == table.turn[0] and not before


def hide(table: CrashAndGrab, seat: int) -> CrashAndGrab:
    """CG-R1, CG-R2: the table without the plans of the other seats that are not yet revealed."""
    view = table.copy()
    for saucer in range(view.saucers[0]):
        if view.plan[saucer] != t.UNPLANNED and t.owner(view, saucer) != seat and not is_revealed(view, saucer):
            view.plan[saucer] = HIDDEN
    return view


def guess(table: CrashAndGrab, rng: Random) -> CrashAndGrab:
    """The table with a plan, drawn at random, for each that is hidden."""
    full = table.copy()
    for saucer in range(full.saucers[0]):
        if full.plan[saucer] == HIDDEN:
            full.plan[saucer] = rng.below(4 * (t.ANY + 1))
    return full


def is_secret(table: CrashAndGrab, row: Row, seat: int) -> bool:
    """CG-R1: whether this seat may not know of it: the plans that others make."""
    return (row.rule, row.field) == (rules.R1, rules.PLANNED) and t.owner(table, row.index) != seat
