"""The agents of the house, the weakest first."""

from __future__ import annotations

from typing import Any

from crashlab.games.contract import Rung
from crashlab.games.crash_and_grab.rules import ahead, planned_saucer
from crashlab.games.crash_and_grab.table import ABOARD, ANY, CREW, PLAN, TYPES, crew_on
from crashlab.happen import NOWHERE

USUAL = 3  # spaces that one goes with a card for 0 to 5


def early(state: Any, seat: int, action: Any) -> int:
    """How early it stands in the list."""
    return -int(state.actions(seat).codes.index(action.code))


def way(state: Any, seat: int, action: Any) -> list[int]:
    """The spaces that a plan leads over, and NOWHERE if it leads off the board; none of any other action."""
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
    """Whether it stays above the board."""
    return -int(NOWHERE in way(state, seat, action))


def catch(state: Any, seat: int, action: Any) -> int:
    """How many crewmembers of types that the saucer lacks lie on its way, if it stays above the board."""
    table = state.table
    if table.phase[0] != PLAN:
        return int("crew" in action.parts)  # rather a crewmember than energy
    saucer, spaces = planned_saucer(table, seat), way(state, seat, action)
    types = {crew % TYPES for crew in range(CREW) if table.where[crew] == ABOARD + saucer}
    found = {crew_on(table, cell) for cell in spaces if cell != NOWHERE} - {NOWHERE}
    return len({crew % TYPES for crew in found} - types) - 2 * (NOWHERE in spaces)


RUNGS = (
    Rung("sleeper", "Takes the first answer in the list, whatever is asked.", early),
    Rung("dice", "Takes any answer, all equally likely.", "random"),
    Rung("homebody", "Plans no way that leads straight off the board.", home),
    Rung("picker", "Heads for crewmembers that it lacks, where they lie straight ahead.", catch),
    Rung("peeker", "Tries every answer in four imagined worlds, and takes the best.", "greedy"),
    Rung("counter", "Plays every answer out, 300 times in all, and takes the best on average.", "flat",
         {"playouts": 300}),
    Rung("planner", "Searches a tree of 200 playouts.", "mcts", {"playouts": 200}),
    Rung("tactician", "Searches a tree of 600 playouts.", "mcts", {"playouts": 600}),
    Rung("strategist", "Searches a tree of 2,000 playouts.", "mcts", {"playouts": 2000}),
    Rung("champion", "Searches a tree of 6,000 playouts.", "mcts", {"playouts": 6000}),
)  # fmt: skip
