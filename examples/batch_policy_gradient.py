"""A policy learns the last rounds of Autoscooter by its gradient (REINFORCE), in hundreds of games at once.

It plays against greedy, and is linear: each thing that A sees (where the cars are, how they face, how fast they go)
speaks for or against each number. Needs no more than NumPy; it is fast with wasmtime: pip install 'crashlab[fast]'

    python examples/batch_policy_gradient.py
"""

import numpy as np

import crashlab
from crashlab.adapters import batch_env

GAMES, ROUNDS, TAUGHT, RATE = 256, 3, 80, 4.0  # at once; in each of them; how often it learns; how fast

cars = {"1": "11SW3", "2": "41NW2"}
position = crashlab.game("autoscooter", players=2).read({"round": 12 - ROUNDS, "cars": cars})
games = batch_env(position, agents={"B": "greedy"})
dice = np.random.default_rng(1)
places = {place.field: place for place in position.game.observation}
seen_of = [(places[name], car) for name in ("cell", "facing", "speed") for car in (0, 1)]
weights = np.zeros((sum(place.high + 1 for place, _ in seen_of), games.width))


def features(observations):
    """Return the indexes of the features that are observed; each has its row of weights."""
    rows, first = [], 0
    for field, car in seen_of:
        rows.append(first + observations[:, field.first + car])
        first += field.high + 1
    return np.stack(rows, axis=1)


def shares(seen, masks):
    """Return the probability of each number."""
    wishes = np.where(masks == 1, weights[seen].sum(axis=1), -np.inf)
    wishes = np.exp(wishes - wishes.max(axis=1, keepdims=True))
    return wishes / wishes.sum(axis=1, keepdims=True)


def play(seed):
    """Play a batch of games; return for each round the features, the probabilities, the choices and the rewards."""
    (observations, masks), record = games.reset(GAMES, seed), []
    for _ in range(ROUNDS):
        seen = features(observations)
        policy = shares(seen, masks)
        actions = (policy.cumsum(axis=1) > dice.random((GAMES, 1))).argmax(axis=1)
        observations, masks, rewards, done = games.step(actions)
        record.append((seen, policy, actions, rewards[:, 0].copy()))
    assert done.all()
    return record


def learn(record):
    """Make what turned out better than usual more likely."""
    still = np.zeros(GAMES)
    for seen, policy, actions, reward in reversed(record):
        still += reward  # from here to the end
        better = (still - still.mean()) / (still.std() + 1e-9)
        step = -policy
        step[np.arange(GAMES), actions] += 1
        for rows in seen.T:
            np.add.at(weights, rows, RATE / GAMES * better[:, None] * step)


def average(seeds):
    """Return A's mean reward in games that it does not learn from."""
    return np.mean([sum(reward for *_, reward in play(seed)).mean() for seed in seeds])


print(f"untaught: {average(range(10**6, 10**6 + 5)):.2f}")
for seed in range(TAUGHT):
    learn(play(seed * GAMES))
print(f"after {TAUGHT * GAMES} games: {average(range(10**6, 10**6 + 5)):.2f}")
