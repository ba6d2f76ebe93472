"""Many games as a vector environment of Gymnasium: each is one of its own environments, and its wrappers take it."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from endgames import endgame, last_round
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, NormalizeReward, RecordEpisodeStatistics
from patience import PATIENCE

import crashlab
from crashlab import CrashlabError, Random
from crashlab.adapters import gymnasium_env, pettingzoo_env, vector_env

N = 3
MODES = list(AutoresetMode)
STARTS = {
    "two": crashlab.game("autoscooter", players=2),
    "crash_and_grab end": endgame("crash_and_grab", 2),
    "crash_city end": endgame("crash_city", 20),
}


class ByTurns(gymnasium.Env):
    """One game of our PettingZoo environment, as `vector_env` with seat=None has it."""

    def __init__(self, start, number):
        self.env, self.seed = pettingzoo_env(start), number
        self.observation_space = self.env.episode.seen_space()
        self.action_space = self.env.episode.action_space()

    def reset(self, *, seed=None, options=None):
        self.seed = self.seed + N if seed is None else seed
        self.env.reset(seed=self.seed)
        self.last, self.gained = None, np.zeros(len(self.env.possible_agents))
        return self._told()

    def _told(self):
        asked = self.env.episode.step.actors
        self.last = asked[0] if asked else self.last
        told = self.env.observe(f"seat_{self.last}")
        return told["observation"], {
            "action_mask": told["action_mask"],
            "seat": np.int64(asked[0] if asked else -1),
            "rewards": self.gained,
        }

    def step(self, action):
        chooser = self.last
        self.env.step(action)
        self.gained = np.array(list(self.env.rewards.values()))
        seen, info = self._told()
        return seen, self.gained[chooser], self.env.episode.step.state.over, False, info


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_it_is_gymnasiums_own_vector_of_single_games(start, mode):
    theirs = SyncVectorEnv([lambda row=row: ByTurns(start, row) for row in range(N)], autoreset_mode=mode)
    ours, dice, ended = vector_env(start, N, None, autoreset_mode=mode), np.random.default_rng(1), 0
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    assert data_equivalence(ours.reset(seed=5), theirs.reset(seed=5))
    over = np.zeros(N, dtype=bool)
    for _ in range(150):
        if over.any() and mode is AutoresetMode.DISABLED:
            seen, _ = ours.reset(options={"reset_mask": over})
            assert data_equivalence(seen, theirs.reset(options={"reset_mask": over})[0])
        numbers = dice.integers(ours.batch.width, size=N)
        mine, other = ours.step(numbers), theirs.step(numbers)
        assert data_equivalence(mine[:4], other[:4]) and data_equivalence(mine[4], other[4])
        over = mine[2]
        ended += over.sum()
    assert ended > 0


@pytest.mark.parametrize("name", ["autoscooter", "crash_city"])
def test_one_seat_against_agents(name):
    """The seat is asked until the end; rewards add up to its lead, and the same seed gives the same games."""
    start = crashlab.game(name, players=2) if name == "autoscooter" else endgame(name, 40)
    seat, played = start.start().game.seats[1] if name == "autoscooter" else start.actors[0], []
    for _ in range(2):
        env, gained, ended = vector_env(start, N, seat, "random", autoreset_mode=AutoresetMode.DISABLED), 0.0, None
        env.reset(seed=2)
        rng = Random(1)
        while ended is None or not ended[0]:
            assert (env.batch.asked[env.batch.asked >= 0] == seat).all()
            if env.batch.over.any():
                env.reset(options={"reset_mask": env.batch.over})
            _, rewards, ended, _, _ = env.step(env.batch.sample(rng))
            gained += rewards[0]
        played.append((gained, env.batch.state(0)))
    assert played[0] == played[1] and played[0][1].over
    scores = played[0][1].scores
    first = (start.start(2) if name == "autoscooter" else start).scores
    assert gained == pytest.approx(scores[seat] - scores[1 - seat] - (first[seat] - first[1 - seat]))


def test_gymnasium_makes_it_and_its_wrappers_take_it():
    given = {"start": last_round(), "seat": "A", "agents": "random"}
    gymnasium.register("crashlab/Many-v0", vector_entry_point="crashlab.adapters:vector_env", kwargs=given)
    try:
        made = gymnasium.make_vec("crashlab/Many-v0", num_envs=N)
    finally:
        del gymnasium.registry["crashlab/Many-v0"]
    env = DictInfoToList(NormalizeReward(RecordEpisodeStatistics(made)))
    seen, infos = env.reset(seed=1)
    assert env.observation_space.contains(seen) and len(infos) == N and "action_mask" in infos[0]
    total = 0
    for _ in range(20):
        _, rewards, _, _, infos = env.step(env.action_space.sample())
        assert rewards.shape == (N,)
        total += sum("episode" in info for info in infos)
    assert total == 10 * N  # a round of one choice, and a step in which the next one begins


def test_seeds_are_those_of_the_single_environment():
    start = crashlab.game("crash_and_grab")
    env = vector_env(start, 2, "A", "random")
    env.reset(seed=4)
    assert env.batch.seeds.tolist() == [4, 5]
    env.reset(seed=[7, None])
    assert env.batch.seeds.tolist() == [7, 7]
    one = gymnasium_env(start, "A", "random")
    assert env.single_observation_space == one.observation_space and env.single_action_space == one.action_space


def test_seeds_of_numpy_are_seeds():
    env = vector_env(STARTS["two"], 2)
    for seed in (np.int64(3), np.uint8(3), [np.int64(3), None], np.array([3, 4]), (3, 4)):
        env.reset(seed=seed)
        assert env.batch.seeds[0] == 3 and (env.batch.seeds[1] == 4 or isinstance(seed, list))
    before = env.batch.seeds.copy()
    for seed in (-1, 1.5, True, np.float64(3), [1.5, 2]):
        with pytest.raises(CrashlabError, match="seed="):
            env.reset(seed=seed)
    assert (env.batch.seeds == before).all()


def test_a_number_that_cannot_be_chosen_is_one_that_can_by_their_count():
    env = vector_env(last_round(), N, "A", "random")
    env.reset(seed=1)
    wrong = [np.flatnonzero(mask == 0)[row] for row, mask in enumerate(env.batch.masks)]
    known = [np.flatnonzero(mask) for mask in env.batch.masks]
    right = [mine[number % len(mine)] for number, mine in zip(wrong, known, strict=True)]
    assert env._meant(np.array(wrong), np.zeros(N, dtype=bool)).tolist() == right
    assert any(number != mine[0] for number, mine in zip(right, known, strict=True))


def test_observations_are_copied_unless_it_is_said_that_they_need_not_be():
    for copy in (True, False):
        env = vector_env(STARTS["two"], N, None, copy=copy)
        seen, infos = env.reset(seed=1)
        kept = seen.copy()
        for _ in range(2):
            env.step(env.batch.sample(Random(1)))
        assert (seen == kept).all() == copy
        assert (infos["action_mask"] is not env.batch.masks) and np.shares_memory(seen, env.batch.observations) != copy


def test_what_cannot_be_is_refused_and_changes_nothing():
    for words, more in (
        ("autoreset_mode='now'", {"autoreset_mode": "now"}),
        ("num_envs=0", {"num_envs": 0}),
        ("there is no seat 'Z'", {"seat": "Z"}),
        ("a batch knows random and greedy, not 'mcts'", {"agents": "mcts"}),
        ("agents play all seats", {"seat": None, "agents": "random"}),
    ):
        with pytest.raises(CrashlabError, match=words):
            vector_env(STARTS["two"], **{"num_envs": 2, **more})
    with pytest.raises(CrashlabError, match="nobody plays C, D: give an agent"):
        vector_env(crashlab.game("autoscooter"), 2, "A", {"B": "random"})
    env = vector_env(last_round(), 2, "A", "random", autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(CrashlabError, match=r"reset\(\) begins new games"):
        env.step([0, 0])
    env.reset(seed=1)
    before = env.batch.observations.copy()
    for words, numbers in (("game 1: 177 is not a number from 0 to 176", [0, 177]), ("one whole number", [0.5, 1.0])):
        with pytest.raises(CrashlabError, match=words):
            env.step(numbers)
    with pytest.raises(CrashlabError, match="an array of 2 truth values"):
        env.reset(options={"reset_mask": [True, False]})
    with pytest.raises(CrashlabError, match="seed: give one for each of 2 games, not 1"):
        env.reset(seed=[1])
    assert (env.batch.observations == before).all()
    env.step(env.batch.sample(Random(1)))
    with pytest.raises(CrashlabError, match="game 0 is over"):
        env.step([0, 0])


def test_without_the_library_it_is_said_what_to_install():
    code = "import sys; sys.modules['gymnasium'] = None; from crashlab.adapters import batch_env, vector_env"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert "CrashlabError: vector_env needs gymnasium: pip install 'crashlab[gymnasium]'" in done.stderr
