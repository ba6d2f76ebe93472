"""An agent in ten lines, in a tournament against the random one.

python examples/my_agent.py
"""

import crashlab
from crashlab import Match, agents


def careful(state, seat):
    """Return the best of twelve plots, each tried in one imagined world."""
    rng = crashlab.Random(state.round)

    def lead(action):
        world = state.guess(rng)
        others = {other: rng.choice(world.actions(other)) for other in world.actors}
        after = world.play({**others, seat: action}).after
        while after.round == world.round:
            after = after.sample(rng).after
        return after.scores[seat] - after.scores[1 - seat]

    return max(rng.shuffled(state.actions(seat))[:12], key=lead)


if __name__ == "__main__":
    game = crashlab.game("autoscooter", players=2)
    wins = 0
    for seed in range(6):
        seat = seed % 2  # each side as often as the other
        end = Match(game, {seat: careful, 1 - seat: agents.random(seed)}, seed).run()
        wins += seat in end.winners
        print(f"game {seed}: careful {end.scores[seat]:2}, random {end.scores[1 - seat]:2}, box {end.box}")
    print(f"careful wins {wins} of 6")
