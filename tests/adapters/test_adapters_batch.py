"""Each game of a batch equals the game in plain Python: observations, masks and rewards."""

import subprocess
import sys

import numpy as np
import pytest
from endgames import endgame, last_round
from patience import PATIENCE

import crashlab
from crashlab import CrashlabError, Random
from crashlab.adapters import batch_env, pettingzoo_env
from crashlab.adapters.numbered_choices import PartialChoice, beginning, utilities
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import batch_step
from crashlab.engine.table import HIDDEN, MOST_LETTERS

STARTS = {
    **{name: crashlab.game(name) for name in crashlab.games()},
    "two": crashlab.game("autoscooter", players=2),
    "eight": crashlab.game("autoscooter", players=8, standstill="about_face"),
    "teams": crashlab.game("crash_by_crash", players=4),
}
ENDS = {f"{name} end": name for name in crashlab.games()}
GAMES = 3


def beginning_of(name):
    """Return one of these games, or a position near its end."""
    return endgame(ENDS[name], 20) if name in ENDS else STARTS[name]


@pytest.fixture
def interpreted(monkeypatch):
    """Play without a compiler."""
    monkeypatch.setattr(choose_backend, "can_compile", lambda: False)


class Replay:
    """One game of a batch in plain Python: the current seat, its observation, its mask and the rewards."""

    def __init__(self, start, seed, utility):
        self.utility, self.rng = utility, Random(seed).split("chance")
        self.step = PartialChoice(beginning(start, seed))
        self._chance()
        self.paid = self._worth()

    def _chance(self):
        while self.step.actors == (crashlab.CHANCE,):
            self.step = PartialChoice(self.step.state.sample(self.rng).after)

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
    observation = games.observations[row]
    assert observation.tolist() == replay.step.observation(seat).tolist()
    assert observation[:-MOST_LETTERS].tolist() == state.observation(seat).tolist()


def replayed(start, utility, steps, seed=7):
    """Play a batch at random, and each of its games in plain Python; return how many ended."""
    batch, rng, ended = batch_env(start, utility=utility), Random(5), 0
    batch.reset(GAMES, seed)
    replays = [Replay(start, seed + row, utility) for row in range(GAMES)]
    for _ in range(steps):
        for row, replay in enumerate(replays):
            check(batch, row, replay)
        numbers = batch.sample(rng)
        _, _, rewards, ends = batch.step(numbers)
        for row, replay in enumerate(replays):
            assert rewards[row].tolist() == replay.choose(int(numbers[row])).tolist()
            assert ends[row] == replay.step.state.over
            if ends[row]:
                ended += 1
                replays[row] = Replay(start, int(batch.seeds[row]), utility)
    return ended


@pytest.mark.few(1)
@pytest.mark.parametrize("utility", ["lead", "share"])
@pytest.mark.parametrize("name", [*STARTS, *ENDS])
def test_every_game_is_the_one_that_plain_python_plays(name, utility):
    start = beginning_of(name)
    is_end = isinstance(start, crashlab.State)
    count = replayed(start, utility, 120 if is_end or start.name == "autoscooter" else 60)
    assert count > 0 or not is_end


@pytest.mark.parametrize("name", ["two", "autoscooter end", "crash_city end"])
def test_without_a_compiler_it_is_the_same_game(name, interpreted):
    assert replayed(beginning_of(name), "lead", 100) > 0


@pytest.mark.few(2)
@pytest.mark.parametrize("name", crashlab.games())
def test_agents_play_alike_in_both_bodies(name, monkeypatch):
    start, episodes = endgame(name, 20), []
    for can_compile in (True, False):
        monkeypatch.setattr(choose_backend, "can_compile", lambda can=can_compile: can)
        games = batch_env(start, {1: "greedy"} if len(start.game.seats) == 2 else {1: "greedy", 2: "random"})
        games.reset(2, 3)
        rng, steps = Random(2), []
        for _ in range(8):
            _, _, rewards, ends = games.step(games.sample(rng))
            assert not (games.asked == 1).any()
            steps.append((games.observations.tolist(), games.masks.tolist(), rewards.tolist(), ends.tolist()))
        episodes.append(steps)
    assert episodes[0] == episodes[1]


def test_greedy_is_better_than_chance():
    """The gain of greedy in whole games against random play is compared with the gain of random play."""
    gained = {}
    for agent in ("random", "greedy"):
        games = batch_env(STARTS["two"], {1: agent})
        games.reset(20, 1)
        rng, total, ended = Random(1), 0.0, 0
        while ended < 20:
            _, _, rewards, ends = games.step(games.sample(rng))
            total, ended = total + rewards[:, 1].sum(), ended + ends.sum()
        gained[agent] = total / ended
    assert gained["greedy"] > gained["random"] + 5


def test_greedy_does_not_see_what_is_hidden_from_its_seat():
    """It writes the same plot, whatever plots the others have written."""
    start = crashlab.game("autoscooter", players=2).start(1)
    backend, actions = choose_backend.interpreted(start.game.rules), set()
    most = start.game.rules.MOST_ACTIONS
    for hidden in list(start.actions(0))[::30]:
        state = start.play({0: hidden, 1: start.actions(1)[0]}).after
        assert HIDDEN in state.seen_by(1).table.plot and 1 in state.actors
        room = (
            backend.row(most),
            backend.row(most),
            backend.numbers(batch_step.TRIED),
            backend.tables([state.table] * 2),
        )
        out, codes, values, work = room
        actions.add(backend.bind(batch_step.greedy)(state.table, 1, 2, [5], [0], out, codes, values, work))
    assert len(actions) == 1


def test_the_same_seed_gives_the_same_games_and_another_one_others():
    episodes = []
    for seed in (3, 3, 4):
        games, rng = batch_env(STARTS["crash_and_grab"]), Random(1)
        observations = [games.reset(4, seed)[0].tolist()]
        observations += [games.step(games.sample(rng))[0].tolist() for _ in range(20)]
        episodes.append(observations)
    assert episodes[0] == episodes[1] != episodes[2]


def test_a_seed_begins_the_same_game_as_in_the_other_adapters():
    games = batch_env(STARTS["crash_and_grab"])
    observations, masks = games.reset(2, 6)
    for row in range(2):
        env = pettingzoo_env(STARTS["crash_and_grab"])
        env.reset(seed=games.seeds[row])
        observed = env.observe(env.agent_selection)
        assert env.agent_selection == f"seat_{games.asked[row]}"
        assert (observed["observation"] == observations[row]).all() and (observed["action_mask"] == masks[row]).all()


def test_a_game_that_is_done_is_followed_by_the_next_one():
    games = batch_env(last_round())
    games.reset(3, 10)
    assert games.seeds.tolist() == [10, 11, 12]
    first = games.observations.copy()
    for _ in range(2):
        _, _, rewards, ends = games.step(games.sample(Random(1)))
    assert ends.all() and games.seeds.tolist() == [13, 14, 15] and (games.observations == first).all()
    end = Replay(last_round(), 10, "lead")
    assert rewards.shape == (3, 2) and np.allclose(rewards.sum(1), 0) and end.step.state == last_round()


def test_arrays_are_the_batchs_own_and_not_to_be_written_to():
    games = batch_env(STARTS["two"])
    observations, masks = games.reset(2, 1)
    again, also, rewards, _ = games.step(games.sample(Random(1)))
    assert np.shares_memory(observations, again) and np.shares_memory(masks, also)
    for array in (again, also, rewards, games.asked, games.seeds):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


def test_numbers_that_can_be_chosen_are_drawn_equally_often():
    games = batch_env(last_round())
    _, masks = games.reset(4000, 1)
    samples = games.sample(Random(1))
    legal = np.flatnonzero(masks[0])
    counts = np.bincount(samples, minlength=games.width)
    assert set(samples.tolist()) == set(legal.tolist()) and counts.max() < 3 * counts[legal].min()


# Refusals


def test_what_makes_no_batch_is_refused():
    game = STARTS["two"]
    for words, start, more in (
        ("a game or a position, not 3", 3, {}),
        ("this is only the view of A", game.start().seen_by("A"), {}),
        ("the game is over", crashlab.Match(game, "random").run(), {}),
        ("utility='points'", game, {"utility": "points"}),
        ("there is no agent 'best'", game, {"agents": "best"}),
        ("a batch has only random and greedy, not 'mcts'", game, {"agents": {0: "mcts"}}),
        ("agents play all seats", game, {"agents": "random"}),
    ):
        with pytest.raises(CrashlabError, match=words):
            batch_env(start, **more)


def test_what_cannot_be_chosen_is_refused_and_changes_nothing():
    games = batch_env(STARTS["two"])
    for what in (lambda: games.step([0]), lambda: games.observations, lambda: games.sample(Random(1))):
        with pytest.raises(CrashlabError, match=r"call reset\(n\) to start n games"):
            what()
    for words, arguments in (("n=0", (0,)), ("seed=-1", (2, -1)), ("seed='x'", (2, "x"))):
        with pytest.raises(CrashlabError, match=words):
            games.reset(*arguments)
    games.reset(3, 1)
    games.step(games.sample(Random(1)))
    legal = games.sample(Random(2))
    before = games.observations.copy(), games.masks.copy(), [games.state(row) for row in range(3)]
    wrong = int(games.masks[1].argmin())
    for words, numbers in (
        (f"game 1: {wrong} cannot be chosen: B has no such choice now", [legal[0], wrong, legal[2]]),
        ("game 2: -1 cannot be chosen: B has no such choice now", [legal[0], legal[1], -1]),
        ("game 0: 177 cannot be chosen", [177, legal[1], legal[2]]),
        ("one whole number for each of 3 games, not int64 of shape \\(2,\\)", legal[:2]),
        ("one whole number for each of 3 games, not float64", legal.astype(float)),
    ):
        with pytest.raises(CrashlabError, match=words):
            games.step(numbers)
    with pytest.raises(CrashlabError, match="row=3"):
        games.state(3)
    after = games.observations, games.masks, [games.state(row) for row in range(3)]
    assert (before[0] == after[0]).all() and (before[1] == after[1]).all() and before[2] == after[2]


def test_games_in_which_nobody_learns_anything_are_refused():
    end = endgame("crash_city", 1, 2)
    with pytest.raises(CrashlabError, match="100 games in a row ended before a learner had to decide"):
        batch_env(end, {end.actors[0]: "random"}).reset(2)


def test_it_needs_none_of_the_other_libraries():
    others = ["gymnasium", "pettingzoo", "pyspiel", "wasmtime"]
    blocked = f"import sys; sys.modules.update(dict.fromkeys({others}));"
    code = f"{blocked} import crashlab; from crashlab.adapters import batch_env;"
    code += "from crashlab.compiled import choose_backend;"
    code += (
        "choose_backend.can_compile = lambda: False; print(batch_env(crashlab.game('autoscooter')).reset(2)[0].shape)"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert process.stdout == "(2, 160)\n"
