"""The games as environments of PettingZoo: its own suites, and the information for a learner."""

import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from endgames import endgame, last_round
from patience import PATIENCE
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

import crashlab
from crashlab import CrashlabError
from crashlab.adapters import parallel_env, pettingzoo_env
from crashlab.adapters.numbered_choices import utilities
from crashlab.engine.table import MOST_LETTERS

STARTS = {
    **{name: crashlab.game(name) for name in crashlab.games()},
    "eight": crashlab.game("autoscooter", players=8),
    "teams": crashlab.game("crash_by_crash", players=4),
    **{f"{name} end": endgame(name) for name in crashlab.games()},
}
every_start = pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
CYCLES = 60


@pytest.mark.few(3)
@every_start
def test_the_api_test(start, monkeypatch, capsys):
    """An observation is a dict with a mask, as in PettingZoo's own classics, which its suite knows by name."""
    env, suite = pettingzoo_env(start), import_module("pettingzoo.test.api_test")
    for name in ("env_obs_space", "env_obs_dicts"):
        monkeypatch.setattr(suite, name, [*getattr(suite, name), str(env)])
    api_test(env, num_cycles=CYCLES)


@pytest.mark.few(3)
@every_start
def test_the_parallel_api_test(start, capsys):
    parallel_api_test(parallel_env(start), num_cycles=CYCLES)


@pytest.mark.few(3)
@every_start
def test_the_seed_tests(start):
    seed_test(lambda: pettingzoo_env(start), num_cycles=CYCLES)
    parallel_seed_test(lambda: parallel_env(start), num_cycles=CYCLES)


@pytest.mark.parametrize("name", crashlab.games())
def test_the_render_test(name):
    modes = {"human": None}  # it creates an environment of this mode, and checks the offered modes
    render_test(lambda render_mode: pettingzoo_env(STARTS[name], render_mode=modes.get(render_mode, render_mode)))


# Information for a learner


def played(env, seed, choose=min):
    """Play a whole game of an AEC environment; return the rewards of each agent, and the chosen numbers."""
    env.reset(seed=seed)
    gained, numbers = dict.fromkeys(env.agents, 0.0), []
    for agent in env.agent_iter():
        observed, reward, over, cut, _ = env.last()
        gained[agent] += reward
        assert not cut
        numbers.append(None if over else choose(np.flatnonzero(observed["action_mask"])))
        env.step(numbers[-1])
    return gained, numbers


@pytest.mark.parametrize("name", ["autoscooter", "crash_by_crash"])
@pytest.mark.parametrize("utility", ["lead", "share"])
def test_rewards_add_up_to_the_utility(name, utility):
    env = pettingzoo_env(endgame(name, 4), utility)
    before = env.episode.worth()
    gained, _ = played(env, 3, max)
    end = env.episode.step.state
    expected = np.subtract(utilities(end, utility), before)
    assert list(gained.values()) == pytest.approx(list(expected)) and env.agents == []
    assert utility == "lead" or sum(gained.values()) == pytest.approx(1)


def test_the_same_seed_gives_the_same_game_and_is_that_of_the_set_up():
    env = pettingzoo_env(STARTS["autoscooter"])
    env.reset(seed=5)
    assert env.episode.step.state == STARTS["autoscooter"].start(5)
    env = pettingzoo_env(endgame("crash_and_grab", 40))
    one, again, other = (played(env, 5, crashlab.Random(luck).choice) for luck in (2, 2, 3))
    assert one == again != other
    env = pettingzoo_env(STARTS["crash_city"])
    env.reset(seed=5)
    env.reset()
    second = env.state()
    env.reset(seed=5)
    assert (env.state() != second).any()
    env.reset()
    assert (env.state() == second).all()


def test_who_comes_later_does_not_see_what_is_pending():
    env, observations = pettingzoo_env(last_round()), []
    for place in (0, 1):
        env.reset(seed=1)
        assert env.agent_selection == "seat_0"
        env.step(np.flatnonzero(env.observe("seat_0")["action_mask"])[place])
        assert env.agent_selection == "seat_1"
        observations.append([env.observe(agent)["observation"] for agent in env.agents])
    assert (observations[0][1] == observations[1][1]).all() and (observations[0][0] != observations[1][0]).any()


def test_masks_are_the_legal_actions_and_observations_what_the_seat_sees():
    env = pettingzoo_env(last_round())
    env.reset(seed=1)
    state, observed = env.episode.step.state, env.observe("seat_0")
    assert list(np.flatnonzero(observed["action_mask"])) == sorted(state.number(0, one) for one in state.actions(0))
    assert list(observed["observation"][:-MOST_LETTERS]) == list(state.observation(0))
    assert list(observed["observation"][-MOST_LETTERS:]) == [-1] * MOST_LETTERS
    assert env.observation_space("seat_0").contains(observed) and env.state_space.contains(env.state())


def test_a_number_that_cannot_be_chosen_counts_as_one_that_can():
    ends = set()
    env = pettingzoo_env(last_round())
    env.reset(seed=1)
    legal = list(np.flatnonzero(env.observe("seat_0")["action_mask"]))
    wrong = next(number for number in range(177) if number not in legal)
    for number in (wrong, legal[wrong % len(legal)]):
        env.reset(seed=1)
        env.step(number)
        ends.add(env.episode.step.so_far(0).code)
    assert len(ends) == 1
    for number in (-1, 177, None, "F"):
        before = env.episode.step
        with pytest.raises(CrashlabError, match="is not a number from 0 to 176"):
            env.step(number)
        assert env.episode.step is before


def test_all_at_once_is_the_same_game():
    start = crashlab.game("autoscooter", players=3)
    turns, once = pettingzoo_env(start), parallel_env(start)
    turns.reset(seed=4)
    observed, _ = once.reset(seed=4)
    while once.agents:
        numbers = {agent: int(np.flatnonzero(observed[agent]["action_mask"])[-1]) for agent in once.agents}
        deciders = [once.possible_agents[seat] for seat in once.episode.step.actors]
        observed, rewards, over, _, _ = once.step(numbers)
        for agent in deciders:
            assert turns.agent_selection == agent
            turns.step(numbers[agent])
        assert turns.rewards == rewards and (turns.state() == once.state()).all()
        assert set(over.values()) == {not once.agents}


def test_who_is_not_asked_waits():
    env = parallel_env(STARTS["crash_city"])
    observed, _ = env.reset(seed=1)
    (decider,) = env.episode.step.actors
    for seat, agent in enumerate(env.agents):
        assert seat == decider or list(np.flatnonzero(observed[agent]["action_mask"])) == [0]
    with pytest.raises(CrashlabError, match="no action is given for seat_"):
        env.step({})


def test_pictures_are_the_position():
    env = pettingzoo_env(last_round(), render_mode="rgb_array")
    env.reset()
    picture = env.episode.step.state.picture()
    assert env.render().shape == (round(picture.height), round(picture.width), 3)
    assert len(np.unique(env.render().reshape(-1, 3), axis=0)) > 20
    env = pettingzoo_env(last_round(), render_mode="ansi")
    env.reset()
    assert env.render() == last_round().text
    assert pettingzoo_env(last_round()).render() is None


@pytest.mark.parametrize("make", [pettingzoo_env, parallel_env])
def test_what_makes_no_environment_is_refused(make):
    game = STARTS["autoscooter"]
    for words, start, more in (
        ("a game or a position, not 3", 3, {}),
        ("this is only the view of A", game.start().seen_by("A"), {}),
        ("the game is over", crashlab.Match(game, "random").run(), {}),
        ("render_mode='human': choose None, 'ansi' or 'rgb_array'", game, {"render_mode": "human"}),
        ("utility='points': choose one of 'lead', 'share'", game, {"utility": "points"}),
    ):
        with pytest.raises(CrashlabError, match=words):
            make(start, **more)


@pytest.mark.parametrize("make, nothing", [(pettingzoo_env, 0), (parallel_env, {})])
def test_nothing_is_played_before_the_beginning_and_after_the_end(make, nothing):
    env = make(last_round())
    with pytest.raises(CrashlabError, match=r"call reset\(\) to start a new game"):
        env.step(nothing)
    env.reset(seed=1)
    env.agents = []
    with pytest.raises(CrashlabError, match=r"call reset\(\) to start a new game"):
        env.step(nothing)


@pytest.mark.parametrize("library", ["pettingzoo", "gymnasium"])
@pytest.mark.parametrize("name", ["pettingzoo_env", "parallel_env"])
def test_without_the_library_it_is_said_what_to_install(name, library):
    code = f"import sys; sys.modules[{library!r}] = None; from crashlab.adapters import {name}"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert f"CrashlabError: {name} needs {library}: pip install 'crashlab[pettingzoo]'" in process.stderr
