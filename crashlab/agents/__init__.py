"""Agents: functions `(state_as_seen, seat) -> action` that choose. Each maker here gives such a function.

    random(seed)   any legal action, all equally likely
    greedy(seed)   the action with the best score one round of play ahead, in a few imagined worlds
"""

from crashlab.agents.baseline import random
from crashlab.agents.lookahead import greedy

__all__ = ["greedy", "random"]
