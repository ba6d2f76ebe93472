"""The general agents, by name."""

from collections.abc import Callable

from crashlab.agents.base import Thinker
from crashlab.agents.minimax import alphabeta, expectimax
from crashlab.agents.planners import flat, greedy, mcts
from crashlab.agents.uniform import random

MAKERS: dict[str, Callable[..., Thinker]] = {
    "random": random,
    "greedy": greedy,
    "flat": flat,
    "mcts": mcts,
    "alphabeta": alphabeta,
    "expectimax": expectimax,
}
"""The makers of general agents by name; each creates an agent from a seed.

    >>> sorted(MAKERS)
    ['alphabeta', 'expectimax', 'flat', 'greedy', 'mcts', 'random']
"""
