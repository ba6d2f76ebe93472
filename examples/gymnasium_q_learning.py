"""Q-learning against greedy: the last two rounds of a game of Autoscooter, learnt by playing them.

Needs Gymnasium: pip install 'crashlab[gymnasium]'

    python examples/gymnasium_q_learning.py
"""

from collections import defaultdict

import numpy as np

import crashlab
from crashlab.adapters import gymnasium_env

GAMES, TRIED, RATE = 500, 0.1, 0.5  # games to learn from; how often anything is tried; how fast what is new counts

position = crashlab.game("autoscooter", players=2).read({"round": 10, "cars": {"1": "11SW3", "2": "41NW2"}})
env = gymnasium_env(position, seat="A", agents="greedy")
values = defaultdict(lambda: np.zeros(env.action_space.n))  # by what A sees: what each number is worth
dice = np.random.default_rng(1)


def choose(seen, legal, tried):
    """Return the best number, or sometimes a random one."""
    if dice.random() < tried:
        return dice.choice(legal)
    return legal[values[seen.tobytes()][legal].argmax()]


def play(seed, tried, rate=0.0):
    """One game: what A's lead has grown by; learning on the way, if there is a rate."""
    (seen, info), gained, over = env.reset(seed=seed), 0.0, False
    while not over:
        number = choose(seen, np.flatnonzero(info["action_mask"]), tried)
        later, reward, over, _, info = env.step(number)
        legal = np.flatnonzero(info["action_mask"])
        best = 0.0 if over else values[later.tobytes()][legal].max()
        values[seen.tobytes()][number] += rate * (reward + best - values[seen.tobytes()][number])
        seen, gained = later, gained + reward
    return gained


def average(tried):
    """Return A's mean reward in games that it has not learnt from."""
    return np.mean([play(1_000_000 + seed, tried) for seed in range(60)])


print(f"untaught, at random: {average(tried=1.0):.2f}")
for seed in range(GAMES):
    play(seed, TRIED, RATE)
print(f"after {GAMES} games:     {average(tried=0.0):.2f}")
