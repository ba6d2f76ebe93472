"""Many games at once: each is the game that plain Python plays, with what a seat sees, its masks and its rewards."""


import numpy as np
import pytest
from endgames import endgame

import crashlab
from crashlab import Random, twin
from crashlab.adapters import batch_env
from crashlab.adapters.step import DEEPEST, Step, beginning, utilities

STARTS = {
    **{name: crashlab.game(name) for name in crashlab.games()},
    "two": crashlab.game("autoscooter", players=2),
    "eight": crashlab.game("autoscooter", players=8, standstill="about_face"),
    "teams": crashlab.game("crash_by_crash", players=4),
    **{f"{name} end": endgame(name, 20) for name in crashlab.games()},
}
GAMES = 3


def in_both_bodies(test):
    return pytest.mark.parametrize("body", ["interpreted", "compiled"])(test)


@pytest.fixture(autouse=True)
def on_this_body(request, monkeypatch):
    """Without a compiler, everything is played interpreted."""
    if request.node.callspec.params.get("body") == "interpreted" if hasattr(request.node, "callspec") else False:
        monkeypatch.setattr(twin, "can_compile", lambda: False)


class Replay:
    """One game of a batch in plain Python: who is asked, what is seen, what can be chosen, what it brings."""

    def __init__(self, start, seed, utility):
        self.utility, self.rng = utility, Random(seed).split("chance")
        self.step = Step(beginning(start, seed))
        self._chance()
        self.paid = self._worth()

    def _chance(self):
        while self.step.actors == (crashlab.CHANCE,):
            self.step = Step(self.step.state.sample(self.rng).after)

    def _worth(self):
        state = self.step.state
        if self.utility == "share" and not state.over:
            return np.zeros(len(state.scores))
        return np.array(utilities(state, self.utility))

    def choose(self, number):
        self.step = self.step.after({self.step.actors[0]: number})
        self._chance()
        before, self.paid = self.paid, self._worth()
        return self.paid - before


def check(games, row, replay):
    seat, state = replay.step.actors[0], replay.step.state
    assert games.asked[row] == seat and games.state(row).table == state.table
    assert np.flatnonzero(games.masks[row]).tolist() == list(replay.step.options(seat))
    told = games.observations[row]
    assert told.tolist() == replay.step.told(seat).tolist()
    assert told[:-DEEPEST].tolist() == state.observation(seat).tolist()


def replayed(start, utility, steps, seed=7, games=GAMES):
    """Play a batch at random, and each of its games in plain Python; how many were done."""
    batch, rng, done_before = batch_env(start, utility=utility), Random(5), 0
    batch.reset(games, seed)
    replays = [Replay(start, seed + row, utility) for row in range(games)]
    for _ in range(steps):
        for row, replay in enumerate(replays):
            check(batch, row, replay)
        numbers = batch.sample(rng)
        _, _, rewards, done = batch.step(numbers)
        for row, replay in enumerate(replays):
            assert rewards[row].tolist() == replay.choose(int(numbers[row])).tolist()
            assert done[row] == replay.step.state.over
            if done[row]:
                done_before += 1
                replays[row] = Replay(start, int(batch.seeds[row]), utility)
    return done_before


@pytest.mark.parametrize("utility", ["lead", "share"])
@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_every_game_is_the_one_that_plain_python_plays(start, utility):
    is_end = isinstance(start, crashlab.State)
    done = replayed(start, utility, 120 if is_end or start.name == "autoscooter" else 60)
    assert done > 0 or not is_end
