"""Tries some of its plots in an imagined world, and plays the one with the best lead."""

import random

import crashlab


def agent(state, seat):
    rng = crashlab.Random(random.getrandbits(32))
    tried = rng.shuffled(state.actions(seat))[:8]

    def lead(action):
        world = state.guess(rng)
        others = {other: rng.choice(world.actions(other)) for other in world.actors}
        after = world.play({**others, seat: action}).after
        while after.round == world.round:
            after = after.sample(rng).after
        return after.scores[seat] - after.scores[1 - seat]

    return max(tried, key=lead)
