"""The evaluation of positions: values under cars count in part before they are scored."""

from __future__ import annotations

from crashlab.engine.table import Ints
from crashlab.games.crash_by_crash.rules import *
from crashlab.games.crash_by_crash.state import *

HORIZON = 2
EXPLORATION = 0.5
NEXT_SCORING, A_SCORING = 65, 15  # worth of a point under a car in hundredths: in the next scoring, in each later one


def evaluate(table: CrashByCrash, out: Ints) -> None:
    """Write the evaluation of each seat's side in hundredths of a point: its score plus a part of its cars' values.

    CB-E1: a car's value is the value of the cell under it.
    """
    for seat in range(min(2, table.players[0])):
        out[seat] = 100 * table.score[seat]
        if table.phase[0] != OVER:
            out[seat] += worth_of_places(table) * worth(table, seat, 0)
    for seat in range(2, table.players[0]):
        out[seat] = out[seat - 2]


def worth_of_places(table: CrashByCrash) -> int:
    """CB-E4: return the worth of a point under a car in hundredths, which grows with the remaining scorings."""
    return NEXT_SCORING + A_SCORING * (LAST - 1 - table.scorings[0])
