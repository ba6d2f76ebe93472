"""What a seat of Crash & Grab sees, and what could be behind it."""

from __future__ import annotations

from crashlab.engine import contract
from crashlab.engine.chance import Random
from crashlab.engine.table import Row
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab.table import CrashAndGrab


def hide(table: CrashAndGrab, seat: int) -> CrashAndGrab:
    """CG-R1, CG-R2: the table without the plans of the other seats that are not yet revealed."""
    view = table.copy()
    rules.conceal(view, seat)
    return view


def guess(table: CrashAndGrab, rng: Random) -> CrashAndGrab:
    """The table with a plan, drawn at random, for each that is hidden."""
    return contract.imagined(rules, table, rng)


def is_secret(table: CrashAndGrab, row: Row, seat: int) -> bool:
    """CG-R1: whether this seat may not know of it: the plans that others make."""
    return (row.rule, row.field) == (rules.R1, rules.PLANNED) and t.owner(table, row.index) != seat
