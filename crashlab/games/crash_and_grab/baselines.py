"""The built-in agents, the weakest first."""

from typing import Any

from crashlab.engine.contract import Baseline
from crashlab.engine.table import NOWHERE
from crashlab.games.crash_and_grab.rules import ahead, planned_saucer
from crashlab.games.crash_and_grab.state import ANY, PLAN

USUAL = 3  # assumed distance of the card 0-5


def way(state: Any, seat: int, action: Any) -> list[int]:
    """Return the spaces on a plan's path, with NOWHERE at its end if it leaves the board; empty for other actions."""
    table = state.table
    if table.phase[0] != PLAN:
        return []
    card, direction = divmod(action.code, 4)
    cell, spaces = table.cell[planned_saucer(table, seat)], []
    for _ in range(USUAL if card == ANY else card + 2):
        if cell != NOWHERE:
            cell = ahead(table, cell, direction)
            spaces.append(cell)
    return spaces


def home(state: Any, seat: int, action: Any) -> int:
    """Return 0 if a plan's path stays on the board, else -1."""
    return -int(NOWHERE in way(state, seat, action))


BASELINES = (
    Baseline("dice", "Answers at random, every answer equally likely.", "random"),
    Baseline("homebody", "Avoids plans that lead straight off the board.", home),
    Baseline(
        "glancer",
        "Tries three answers in one imagined world, and takes the best of them.",
        "greedy",
        {"worlds": 1, "max_actions": 3},
    ),
    Baseline("peeker", "Tries every answer in four imagined worlds, and takes the best.", "greedy"),
    Baseline(
        "spotter",
        "Tries its answers by playing on for four decisions, 50 times in all.",
        "flat",
        {"playouts": 50, "decisions": 4},
    ),
    Baseline(
        "scout",
        "Tries its answers by playing on for four decisions, 400 times in all.",
        "flat",
        {"playouts": 400, "decisions": 4},
    ),
    Baseline(
        "sampler", "Tries its answers by playing on for twelve decisions, 40 times in all.", "flat", {"playouts": 40}
    ),
    Baseline(
        "planner", "Tries its answers by playing on for twelve decisions, 400 times in all.", "flat", {"playouts": 400}
    ),
    Baseline(
        "strategist",
        "Searches a tree of 500 playouts and explores much of it.",
        "mcts",
        {"playouts": 500, "exploration": 2.0},
    ),
    Baseline(
        "champion",
        "Searches a tree of 6,000 playouts and explores much of it.",
        "mcts",
        {"playouts": 6000, "exploration": 2.0},
    ),
)
