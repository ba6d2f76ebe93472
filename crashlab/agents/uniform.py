"""The random agent."""

import math

from crashlab.agents.base import Thinker, Thought, Thoughts, choices
from crashlab.base.clock import looks
from crashlab.engine.chance import Random
from crashlab.engine.game import Action, State


@looks
class Gambler(Thinker):
    """An agent that plays random legal actions."""

    def __init__(self, seed: int = 0) -> None:
        self.__name__ = "random"
        self._rng = Random(seed)

    def __call__(self, state: State, seat: int) -> Action:
        return self._rng.choice(choices(state, seat))

    def think(self, state: State, seat: int) -> Thoughts:
        """Return the drawn action first, then the others, all without visits."""
        first = self(state, seat)
        actions = [first, *(action for action in state.actions(seat) if action != first)]
        return Thoughts(state, seat, tuple(Thought(action, 0, math.nan, math.inf) for action in actions), 0, "lead")


def random(seed: int = 0) -> Thinker:
    """Return an agent that plays random legal actions.

    Parameters
    ----------
    seed : int
        The same seed gives the same choices.

    Returns
    -------
    Thinker
        The agent.

    Examples
    --------
    >>> state = crashlab.game("autoscooter").start(seed=7)
    >>> random(seed=1)(state, 0), random(seed=2)(state, 0)
    (<32 FLL>, <81 FL>)
    """
    return Gambler(seed)
