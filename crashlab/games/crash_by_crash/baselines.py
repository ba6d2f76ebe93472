"""The built-in agents, the weakest first."""

from typing import Any

from crashlab.engine.contract import Baseline
from crashlab.games.crash_by_crash.state import CAR, PLACE, SORT, WAY


def height(state: Any, seat: int, action: Any) -> int:
    """Return the value of the cell on which an action places a standard car; -1 for other actions."""
    sort, rest = action.code - action.code % SORT, action.code % SORT
    return int(state.table.value[rest % WAY]) if sort in (PLACE, CAR) else -1


def looking(name: str, max_actions: int, words: str) -> Baseline:
    """Build an agent that looks one decision ahead, at up to max_actions actions."""
    sentence = f"Tries {words} actions and takes the one with the best lead."
    return Baseline(name, sentence, "greedy", {"worlds": 1, "decisions": 1, "max_actions": max_actions})


BASELINES = (
    Baseline("dice", "Plays at random, every action equally likely.", "random"),
    Baseline("climber", "Puts its cars on the most valuable cells, whatever they hit.", height),
    looking("blinker", 4, "four"),
    looking("starer", 6, "six"),
    looking("glancer", 8, "eight"),
    looking("peeker", 16, "16"),
    looking("watcher", 32, "32"),
    looking("scout", 64, "64"),
    looking("accountant", 128, "128"),
    looking("champion", 4000, "all"),
)
