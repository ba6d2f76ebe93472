"""The built-in agents, the weakest first. They judge a manoeuvre as if no other car moved."""

from typing import Any

from crashlab.engine.contract import Baseline
from crashlab.engine.table import NOWHERE
from crashlab.games.autoscooter.evaluate import meets_barrier
from crashlab.games.autoscooter.rules import AHEAD, car_asked, car_on
from crashlab.games.autoscooter.state import ABOUT_FACE, CODES, NOBODY, SPEED_OF, TURNS, Autoscooter


def speed(state: Any, seat: int, action: Any) -> int:
    """Return the speed of a plot."""
    manoeuvre = action.code % CODES
    return 0 if manoeuvre == ABOUT_FACE else SPEED_OF[manoeuvre]


def care(state: Any, seat: int, action: Any) -> int:
    """Return 0 if a plot keeps clear of the barrier, else -1."""
    return -int(meets_barrier(state.table, car_asked(state.table, seat), action.code % CODES))


def creep(state: Any, seat: int, action: Any) -> int:
    """Rank plots that keep clear of the barrier first, then slower ones."""
    return 10 * care(state, seat, action) - speed(state, seat, action)


def loot(state: Any, seat: int, action: Any) -> int:
    """Return a plot's gain by a crash: its speed, negated unless it hits an opponent's car; 0 without a crash."""
    table: Autoscooter = state.table
    car, manoeuvre = car_asked(table, seat), int(action.code) % CODES
    cell, facing = table.cell[car], table.facing[car]
    for step in range(speed(state, seat, action)):
        cell = AHEAD[6 * cell + facing]
        hit = car_on(table, cell)
        if hit == car:
            hit = NOWHERE
        if cell == NOWHERE or hit != NOWHERE:
            is_prey = hit != NOWHERE and table.driver[hit] not in (seat, NOBODY)
            return SPEED_OF[manoeuvre] if is_prey else -SPEED_OF[manoeuvre]
        facing = (facing + TURNS[3 * manoeuvre + step]) % 6
    return 0


def self_harm(state: Any, seat: int, action: Any) -> int:
    """Return a plot's loss by a crash."""
    return -loot(state, seat, action)


BASELINES = (
    Baseline("wrecker", "Heads for the barrier and for its own cars, and spares all other cars.", self_harm),
    Baseline("dice", "Plots at random, every plot equally likely.", "random"),
    Baseline("snail", "Drives as slowly as it can, and keeps clear of the barrier.", creep),
    Baseline("lookout", "Keeps clear of the barrier at any speed, judged by where the cars stand now.", care),
    Baseline(
        "glancer",
        "Tries four plots once to the end of the round, and takes the best of them.",
        "greedy",
        {"worlds": 1, "decisions": 4, "max_actions": 4},
    ),
    Baseline("nudger", "Rams whoever is in its way now, and keeps clear of the barrier and of its own cars.", loot),
    Baseline(
        "peeker",
        "Tries every plot twice to the end of the round, and takes the best.",
        "greedy",
        {"worlds": 2, "decisions": 4},
    ),
    Baseline(
        "counter", "Plays every plot out, 200 times in all, and takes the best on average.", "flat", {"playouts": 200}
    ),
    Baseline("planner", "Searches a tree of 400 playouts.", "mcts", {"playouts": 400}),
    Baseline("champion", "Searches a tree of 2,500 playouts.", "mcts", {"playouts": 2500}),
)
