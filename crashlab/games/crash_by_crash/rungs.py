"""The agents of the house, the weakest first."""

from __future__ import annotations

from typing import Any

from crashlab.games.contract import Rung
from crashlab.games.crash_by_crash.table import CAR, PLACE, SORT, WAY


def height(state: Any, seat: int, action: Any) -> int:
    """What the cell is worth where it puts a car; below 0 for anything else."""
    sort, rest = action.code - action.code % SORT, action.code % SORT
    return int(state.table.value[rest % WAY]) if sort in (PLACE, CAR) else -1


RUNGS = (
    Rung("dice", "Plays anything, all equally likely.", "random"),
    Rung("climber", "Puts its cars where it is worth most, and does not ask what they hit.", height),
    Rung("blinker", "Looks at four actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 4}),
    Rung("starer", "Looks at six actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 6}),
    Rung("glancer", "Looks at eight actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 8}),
    Rung("peeker", "Looks at 16 actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 16}),
    Rung("watcher", "Looks at 32 actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 32}),
    Rung("scout", "Looks at 64 actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 64}),
    Rung("accountant", "Looks at 128 actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 128}),
    Rung("champion", "Looks at all actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 4000}),
)  # fmt: skip
