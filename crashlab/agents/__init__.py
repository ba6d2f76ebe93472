"""Agents: functions `(state_as_seen, seat) -> action` that choose. Each maker here gives one, from a seed.

    random   any legal action, all equally likely
    greedy   the action with the best lead a few decisions ahead, in a few imagined worlds
    flat     all actions played out equally often: flat Monte Carlo
    mcts     promising actions played out more often: Monte Carlo tree search

A *lead* is how much better a seat stands than the others do on average, in points. A game can count in part what a
seat is near to (`prospects` in its rules: in CrashCity a car near work), until the game is over.

`agent.think(state, seat)` gives its Thoughts: what it tried how often, and what came of it. A Search gives them while
they grow.
"""

from collections.abc import Callable
from typing import Any

from crashlab.agents.baseline import random
from crashlab.agents.planners import flat, greedy, mcts
from crashlab.agents.search import Search, warm
from crashlab.agents.thoughts import Thinker, Thought, Thoughts
from crashlab.errors import CrashlabError, shown

MAKERS: dict[str, Callable[..., Thinker]] = {"random": random, "greedy": greedy, "flat": flat, "mcts": mcts}


def named(name: str, seed: int = 0) -> Thinker:
    """The agent of this name, with this seed."""
    if not isinstance(name, str) or name not in MAKERS:
        raise CrashlabError(f"there is no agent {shown(name)}; the agents are {', '.join(MAKERS)}")
    return MAKERS[name](seed)


def for_one_game(who: Any, seed: int) -> Any:
    """The agent itself: one of ours, also one given by its name, with luck of its own; any other one as it is."""
    if isinstance(who, str):
        return named(who, seed)
    return who.seeded(seed) if isinstance(who, Thinker) else who


__all__ = [
    "MAKERS", "Search", "Thinker", "Thought", "Thoughts", "flat", "for_one_game", "greedy", "mcts", "named", "random",
    "warm",
]  # fmt: skip
