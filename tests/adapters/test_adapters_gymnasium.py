"""One seat of a game as an environment of Gymnasium: its own suite, and the seat's information."""

import subprocess
import sys
from functools import partial

import gymnasium
import numpy as np
import pytest
from endgames import endgame, last_round
from gymnasium.utils.env_checker import check_env
from patience import PATIENCE

import crashlab
from crashlab import CrashlabError
from crashlab.adapters import gymnasium_env

STARTS = {
    **{name: crashlab.game(name) for name in crashlab.games()},
    "eight": crashlab.game("autoscooter", players=8),
}


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "begin",
    [*(lambda game=game: game for game in STARTS.values()), *(partial(endgame, name) for name in crashlab.games())],
    ids=[*STARTS, *(f"{name} end" for name in crashlab.games())],
)
def test_the_environment_checker(begin):
    start = begin()
    position = start.start() if isinstance(start, crashlab.Game) else start
    while position.actors == (crashlab.CHANCE,):
        position = position.play().after
    options = {"start": start, "seat": position.actors[0], "agents": "random"}
    gymnasium.register("crashlab/Test-v0", entry_point="crashlab.adapters:gymnasium_env", kwargs=options)
    try:
        check_env(gymnasium.make("crashlab/Test-v0", disable_env_checker=True).unwrapped)
    finally:
        del gymnasium.registry["crashlab/Test-v0"]


def played(env, seed, dice):
    """Play a whole game at random; return the reward of each step, and the observations."""
    observation, info = env.reset(seed=seed)
    rewards, observations, over = [], [observation], False
    while not over:
        observation, reward, over, cut, info = env.step(dice.choice(np.flatnonzero(info["action_mask"])))
        assert not cut and type(reward) is float
        rewards.append(reward)
        observations.append(observation)
    return rewards, np.array(observations)


@pytest.mark.parametrize("name, seat", [("autoscooter", 1), ("crash_and_grab", "A"), ("crash_city", "B")])
def test_rewards_add_up_to_the_lead(name, seat):
    env = gymnasium_env(crashlab.game(name, players=2), seat, "random")
    rewards, _ = played(env, 1, np.random.default_rng(1))
    end, number = env.episode.step.state, env.episode.game.seat(seat)
    assert end.over and sum(rewards) == pytest.approx(
        end.scores[number] - end.scores[1 - number] - start_lead(env, number)
    )


def start_lead(env, seat):
    scores = env.episode.game.start(1).scores
    return scores[seat] - scores[1 - seat]


def test_the_share_of_the_win_is_paid_at_the_end():
    env = gymnasium_env(STARTS["eight"], 3, "random", "share")
    for seed in range(3):
        rewards, _ = played(env, seed, np.random.default_rng(seed))
        winners = env.episode.step.state.winners
        assert rewards == [0.0] * (len(rewards) - 1) + [(3 in winners) / len(winners)]


def test_the_same_seed_gives_the_same_game():
    env = gymnasium_env(crashlab.game("autoscooter", players=2), "A", "random")
    one, again, other = (played(env, seed, np.random.default_rng(1)) for seed in (3, 3, 4))
    assert one[0] == again[0] and (one[1] == again[1]).all()
    assert one[0] != other[0] or (one[1] != other[1]).any()


def test_masks_are_the_legal_actions_and_observations_what_the_seat_sees():
    env = gymnasium_env(last_round(), "B", "random")
    observation, info = env.reset(seed=1)
    state = env.episode.step.state
    assert list(np.flatnonzero(info["action_mask"])) == sorted(state.number(1, one) for one in state.actions(1))
    assert list(observation[: len(state.observation(1))]) == list(state.observation(1))
    assert (env.action_masks() == info["action_mask"]).all() and env.action_masks().dtype == bool
    assert env.observation_space.contains(observation)


def test_agents_see_what_their_seat_sees_and_not_what_is_chosen():
    calls = []

    def spy(state, seat):
        calls.append((state, seat))
        return state.actions(seat)[0]

    env = gymnasium_env(last_round(10), 0, {1: spy})
    for number in (0, 1):
        _, info = env.reset(seed=1)
        env.step(np.flatnonzero(info["action_mask"])[number])
    first, other = calls[0], calls[2]
    assert first == other == (last_round(10).seen_by(1), 1)


def test_what_was_learnt_is_read_off_a_policy():
    """The best answer to a deterministic agent is found by trying all actions."""
    first = lambda state, seat: state.actions(seat)[0]  # noqa: E731
    env, gained = gymnasium_env(last_round(), 0, first), {}
    start = last_round()
    for place, action in enumerate(sorted(start.actions(0), key=lambda one: start.number(0, one))):
        _, info = env.reset(seed=1)
        _, gained[action], over, _, _ = env.step(np.flatnonzero(info["action_mask"])[place])
        end = start.play({0: action, 1: start.actions(1)[0]}).after
        assert over and gained[action] == end.scores[0] - end.scores[1] - (start.scores[0] - start.scores[1])
    assert len(set(gained.values())) > 1


def test_pictures_are_the_position():
    env = gymnasium_env(last_round(), render_mode="rgb_array")
    env.reset()
    assert env.render().shape[2] == 3 and env.render().dtype == np.uint8
    env = gymnasium_env(last_round(), render_mode="ansi")
    env.reset()
    assert env.render() == last_round().text


# Refusals


def test_what_makes_no_environment_is_refused():
    game = STARTS["autoscooter"]
    for words, start, more in (
        ("a game or a position, not None", None, {}),
        ("there is no seat 'Z'", game, {"seat": "Z"}),
        ("there is no agent 'best'", game, {"agents": "best"}),
        (
            "no agent plays C, D: give one in agents=",
            crashlab.game("autoscooter", players=4),
            {"agents": {1: "random"}},
        ),
        ("render_mode='human'", game, {"render_mode": "human"}),
        ("utility='points'", game, {"utility": "points"}),
    ):
        with pytest.raises(CrashlabError, match=words):
            gymnasium_env(start, **more)


def test_steps_out_of_turn_are_refused_and_change_nothing():
    env = gymnasium_env(last_round(), 0, "random")
    with pytest.raises(CrashlabError, match=r"call reset\(\) to start a new game"):
        env.step(0)
    _, info = env.reset(seed=1)
    before = env.episode.step
    for number in (177, -1, 1.5, "F"):
        with pytest.raises(CrashlabError, match="is not a number from 0 to 176"):
            env.step(number)
    assert env.episode.step is before
    env.step(np.flatnonzero(info["action_mask"])[0])
    with pytest.raises(CrashlabError, match=r"call reset\(\) to start a new game"):
        env.step(0)


def test_a_number_that_cannot_be_chosen_is_one_that_can_by_their_count():
    """If it were always the first one, a learner without masks would repeat that one forever."""
    played = []
    for number in range(177):
        env = gymnasium_env(last_round(), 0, "random")
        _, info = env.reset(seed=1)
        legal = np.flatnonzero(info["action_mask"])
        if number not in legal:
            env.step(number)
            played.append((env.episode.step.state, legal[number % len(legal)]))
        if len(played) == 4:
            break
    for state, same in played:
        env = gymnasium_env(last_round(), 0, "random")
        env.reset(seed=1)
        env.step(same)
        assert env.episode.step.state == state
    assert len({same for _, same in played}) > 1


def test_seeds_of_numpy_are_seeds():
    env = gymnasium_env(STARTS["autoscooter"])
    observations = [env.reset(seed=seed)[0].tolist() for seed in (3, np.int64(3), np.uint8(3))]
    assert observations[0] == observations[1] == observations[2]
    for seed in (-1, 1.5, "x", True):
        with pytest.raises(CrashlabError, match="seed="):
            env.reset(seed=seed)


def test_an_agent_that_fails_is_named():
    env = gymnasium_env(last_round(), 0, {1: lambda state, seat: "99 F"})
    with pytest.raises(CrashlabError, match="the agent of B answered '99 F'"):
        env.reset(seed=1)


def test_a_seat_that_is_never_asked_is_refused():
    end = endgame("crash_city", 1, 2)
    env = gymnasium_env(end, 1 - end.actors[0], "random")
    with pytest.raises(CrashlabError, match=r"is over before [AB] decides anything"):
        env.reset(seed=1)


def test_without_the_library_it_is_said_what_to_install():
    code = "import sys; sys.modules['gymnasium'] = None; from crashlab.adapters import gymnasium_env"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert "CrashlabError: gymnasium_env needs gymnasium: pip install 'crashlab[gymnasium]'" in process.stderr
