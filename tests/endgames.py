"""Positions near the end of random games, and the last rounds of lesson 30: small trees for tests of searches."""

from functools import cache

import crashlab

OPTIONS = {
    "autoscooter": {"players": 3},
    "crash_by_crash": {"turn_limit": 40},
    "crash_city": {"players": 2, "turn_limit": 60},
}


@cache
def endgame(name: str, decisions: int = 3, seed: int = 1) -> crashlab.State:
    """Return a position this many decisions before the end of a random game."""
    state, rng = crashlab.game(name, **OPTIONS.get(name, {})).start(seed), crashlab.Random(seed)
    states = [state]
    while not state.over:
        state = state.sample(rng).after
        states.append(state)
    return states[-1 - decisions]


def last_round(round: int = 11) -> crashlab.State:
    """Return the last round of lesson 30, worth -4/3 for A, or the round before it, worth -11/7."""
    cars = {"1": "11SW3", "2": "41NW2"}
    return crashlab.game("autoscooter", players=2).read({"round": round, "cars": cars})
