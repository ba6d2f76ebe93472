"""What a seat of Crash by Crash sees, and what could be behind it."""

from __future__ import annotations

from crashlab.chance import Random
from crashlab.games import contract
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash.table import CrashByCrash
from crashlab.happen import NOWHERE, Row


def hide(table: CrashByCrash, seat: int) -> CrashByCrash:
    """CB-T4, CB-V1: the table without the hands of the other seats, and without what another one has drawn."""
    view = table.copy()
    rules.conceal(view, seat)
    return view


def guess(table: CrashByCrash, rng: Random) -> CrashByCrash:
    """The table with cards that nobody has seen, drawn at random, for those that are hidden."""
    return contract.imagined(rules, table, rng)


def is_secret(table: CrashByCrash, row: Row, seat: int) -> bool:
    """CB-T4, CB-V1: whether this seat may not know of it: how many cards of a kind another one has or draws.

    That somebody plays, takes or gives away a card can be seen at the discards and at the face-up cards.
    """
    if row.field == rules.DRAWN:
        return seat != table.asked[0] and row.after != NOWHERE
    return row.field == rules.HANDS and row.index // t.KINDS != seat
