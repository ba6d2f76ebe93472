"""How a position stands: what lies under cars counts before it is scored."""

from __future__ import annotations

from crashlab.engine.table import Ints
from crashlab.games.crash_by_crash.rules import *
from crashlab.games.crash_by_crash.state import *

HORIZON = 2
EXPLORATION = 0.5
NEXT_SCORING, A_SCORING = 65, 15  # what a point under a car counts for the next scoring, and for each later one


def evaluate(table: CrashByCrash, out: Ints) -> None:
    """How every seat stands, in hundredths: its side's points, and in part what its cars would score now (CB-E1)."""
    for seat in range(min(2, table.players[0])):
        out[seat] = 100 * table.score[seat]
        if table.phase[0] != OVER:
            out[seat] += worth_of_places(table) * worth(table, seat, 0)
    for seat in range(2, table.players[0]):
        out[seat] = out[seat - 2]


def worth_of_places(table: CrashByCrash) -> int:
    """CB-E4: what a point under a car is worth, in hundredths: more, the more scorings there are still to come."""
    return NEXT_SCORING + A_SCORING * (LAST - 1 - table.scorings[0])
