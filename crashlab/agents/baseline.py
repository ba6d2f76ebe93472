"""The agent that does not think."""

from __future__ import annotations

from crashlab.chance import Random
from crashlab.game import Action, State
from crashlab.match import Agent


def random(seed: int = 0) -> Agent:
    """An agent that plays any legal action, all equally likely."""
    rng = Random(seed)

    def choose(state: State, seat: int) -> Action:
        return rng.choice(state.actions(seat))

    return choose
