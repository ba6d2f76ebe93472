"""What a seat of Autoscooter sees, and what could be behind it."""

from __future__ import annotations

from crashlab.engine import contract
from crashlab.engine.chance import Random
from crashlab.engine.table import Row
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter.table import Autoscooter


def hide(table: Autoscooter, seat: int) -> Autoscooter:
    """AS-R1: the table without the plots of the other seats."""
    view = table.copy()
    rules.conceal(view, seat)
    return view


def guess(table: Autoscooter, rng: Random) -> Autoscooter:
    """The table with a legal plot, drawn at random, for each that is hidden."""
    return contract.imagined(rules, table, rng)


def is_secret(table: Autoscooter, row: Row, seat: int) -> bool:
    """AS-R1: whether this seat may not know of it: the plots that others write."""
    return row.rule == rules.R1 and row.field == rules.PLOT and table.driver[row.index] != seat
