"""The agents of the house, the weakest first."""

from __future__ import annotations

from typing import Any

from crashlab.games.contract import Rung
from crashlab.games.crash_by_crash.table import CAR, EXCHANGE, PLACE, SORT, WAY


def shuffle(state: Any, seat: int, action: Any) -> int:
    """Whether it exchanges cards."""
    return int(action.code - action.code % SORT == EXCHANGE)


def early(state: Any, seat: int, action: Any) -> int:
    """How early it stands in the list."""
    return -int(state.actions(seat).codes.index(action.code))


def height(state: Any, seat: int, action: Any) -> int:
    """What the cell is worth where it puts a car; below 0 for anything else."""
    sort, rest = action.code - action.code % SORT, action.code % SORT
    return int(state.table.value[rest % WAY]) if sort in (PLACE, CAR) else -1


RUNGS = (
    Rung("shuffler", "Exchanges cards whenever it can, and bumps nobody.", shuffle),
    Rung("sleeper", "Takes the first action in the list.", early),
    Rung("dice", "Plays anything, all equally likely.", "random"),
    Rung("climber", "Puts its cars where it is worth most, and does not ask what they hit.", height),
    Rung("glancer", "Looks at ten actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 10}),
    Rung("peeker", "Looks at fifty actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 50}),
    Rung("accountant", "Looks at all actions, and takes the one with the best lead.", "greedy",
         {"worlds": 1, "decisions": 1, "most": 4000}),
    Rung("planner", "Searches a tree of 500 playouts.", "mcts", {"playouts": 500}),
    Rung("strategist", "Searches a tree of 1,500 playouts.", "mcts", {"playouts": 1500}),
    Rung("champion", "Searches a tree of 5,000 playouts.", "mcts", {"playouts": 5000}),
)  # fmt: skip
