"""The games as games of OpenSpiel: its own suites, and its own algorithms on positions of known value."""

import copy
import pickle
import subprocess
import sys
import unittest
import warnings
from itertools import combinations

import numpy as np
import pytest
from endgames import endgame, last_round
from patience import PATIENCE

import crashlab
from crashlab import CrashlabError
from crashlab.adapters import pyspiel_game

with warnings.catch_warnings():  # from OpenSpiel's tests
    warnings.simplefilter("ignore")
    import pyspiel
    from absl import flags
    from open_spiel.integration_tests import api_test
    from open_spiel.python.algorithms import (
        cfr,
        expected_game_score,
        exploitability,
        generate_playthrough,
        ismcts,
        mcts,
        minimax,
    )

flags.FLAGS.mark_as_parsed()  # needed to replay a playthrough
MODES = ("turns", "simultaneous")


def adapted(name, players=2, mode="turns", utility="lead", **options):
    words = "_".join(map(str, ["test", name, players, mode, utility, *options.values()]))
    return pyspiel_game(words, crashlab.game(name, players=players, **options), mode, utility)


def adapted_end(name, mode="turns", utility="lead"):
    return pyspiel_game(f"test_{name}_end_{mode}_{utility}", endgame(name), mode, utility)


def adapted_round(round=11, mode="turns"):
    return pyspiel_game(f"test_round_{round}_{mode}", last_round(round), mode)


# OpenSpiel's suites


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name, players, mode, options",
    [
        ("autoscooter", 2, "turns", {}),
        ("autoscooter", 2, "simultaneous", {}),
        ("autoscooter", 8, "turns", {}),
        ("autoscooter", 8, "simultaneous", {}),
        ("crash_and_grab", 2, "simultaneous", {}),
        ("crash_by_crash", 4, "turns", {"turn_limit": 16}),
        ("crash_city", 2, "turns", {"turn_limit": 10}),
    ],
)
def test_random_games_pass_the_simulation_test(name, players, mode, options, capfd):
    """Every state is serialized, which takes quadratic time: long games end early, after all their phases."""
    pyspiel.random_sim_test(adapted(name, players, mode, **options), num_sims=1, serialize=True, verbose=False)


@pytest.mark.few(3)
@pytest.mark.parametrize("mode, utility", [("turns", "lead"), ("turns", "share"), ("simultaneous", "lead")])
@pytest.mark.parametrize("name", crashlab.games())
def test_endgames_pass_the_simulation_test(name, mode, utility, capfd):
    pyspiel.random_sim_test(adapted_end(name, mode, utility), num_sims=2, serialize=True, verbose=False)


def failures(base, game, **more):
    """Run one of OpenSpiel's test cases on this game; return its failures."""
    case = type("Case", (base,), {"game": game, "game_name": game.get_type().short_name, **more})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun > 3
    return [text for _, text in [*result.failures, *result.errors]]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", crashlab.games())
def test_games_and_endgames_pass_the_api_test(name):
    for game in (adapted(name), adapted_end(name)):
        assert failures(api_test.EnforceAPIOnPartialTreeBase, game) == []


@pytest.mark.parametrize("name", crashlab.games())
def test_simultaneous_games_pass_the_api_test(name):
    """The API test looks only at the first position, in which no player has a secret yet."""
    nothing = {"test_private_information_contents": lambda case: None}
    for game in (adapted(name, mode="simultaneous"), adapted_end(name, "simultaneous")):
        assert failures(api_test.EnforceAPIOnPartialTreeBase, game, **nothing) == []


def counts(game):
    """Count a tree's chance nodes, player nodes and ends, and its information states."""
    nodes, information, waiting = [0, 0, 0], set(), [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        nodes[0 if state.is_chance_node() else 2 if state.is_terminal() else 1] += 1
        if state.is_player_node():
            information.add((state.current_player(), state.information_state_string()))
        if not state.is_terminal():
            waiting += [state.child(action) for action in state.legal_actions()]
    return tuple(nodes), len(information)


SMALL = {"autoscooter": (3, 1), "crash_and_grab": (2, 3), "crash_by_crash": (3, 10), "crash_city": (1, 2)}


PLAYED = {**dict.fromkeys(crashlab.games(), (3, 1)), "crash_and_grab": (2, 3)}  # starts of short random games


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [None, *crashlab.games()])
def test_whole_trees_pass_the_api_test_and_nobody_forgets(name, monkeypatch, capfd):
    if name == "autoscooter":
        start = crashlab.game(name, players=3).read({"round": 11, "cars": {"1": "11E0", "2": "41E0", "3": "44E0"}})
    else:
        start = endgame(name, *SMALL[name]) if name else last_round()
    game = pyspiel_game(f"test_tree_{name}".lower(), start)
    nodes, count = counts(game)
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, game.get_type().short_name, nodes)
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, game.get_type().short_name, count)
    assert nodes[1] > 2 and failures(api_test.EnforceAPIOnFullTreeBase, game) == []


# OpenSpiel's algorithms, unchanged


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_cfr_plus_finds_the_value_of_the_last_round(mode):
    game = adapted_round(mode=mode)
    if mode == "simultaneous":
        game = pyspiel.convert_to_turn_based(game)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    values = expected_game_score.policy_value(game.new_initial_state(), [average, average])
    assert values == pytest.approx([-4 / 3, 4 / 3], abs=0.005)
    assert exploitability.nash_conv(game, average) < 0.02


def value(state, seat):
    """Return the lead of a seat under best play by both, in plain code."""
    if state.over:
        return state.scores[seat] - state.scores[1 - seat]
    if state.actors == (crashlab.CHANCE,):
        return sum(share * value(state.play(outcome).after, seat) for outcome, share in state.odds().items())
    best = max if state.actors == (seat,) else min
    return best(value(state.play(action).after, seat) for action in state.actions(state.actors[0]))


@pytest.mark.parametrize("name", ["crash_by_crash", "crash_city"])
def test_expectiminimax_finds_what_plain_code_finds(name):
    end = endgame(name, *SMALL[name])
    state = pyspiel_game(f"test_tree_{name}", end).new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    seat = state.current_player()
    result, _ = minimax.expectiminimax(state, 100, lambda end: end.player_return(seat), seat)
    assert result == pytest.approx(value(state.step.state, seat))


def test_information_set_search_draws_what_it_does_not_know():
    state = adapted_round(10).new_initial_state()
    state.apply_action(state.legal_actions()[7])
    dice = crashlab.Random(1)
    samples = [state.resample_from_infostate(1, lambda: dice.below(1 << 30) / (1 << 30)) for _ in range(20)]
    assert {one.information_state_string(1) for one in samples} == {state.information_state_string(1)}
    assert {one.current_player() for one in samples} == {1} and len({str(one) for one in samples}) > 10
    bot = ismcts.ISMCTSBot(
        game=state.get_game(),
        uct_c=4.0,
        max_simulations=30,
        evaluator=mcts.RandomRolloutEvaluator(random_state=np.random.RandomState(1)),
        random_state=np.random.RandomState(1),
    )
    assert bot.step(state) in state.legal_actions()


@pytest.mark.parametrize("name", crashlab.games())
def test_what_is_drawn_could_be_behind_what_a_seat_knows(name):
    state, dice = adapted(name).new_initial_state(), crashlab.Random(2)
    while not state.is_terminal() and state.move_number() < 100:
        if not state.is_chance_node():
            seat = state.current_player()
            other = state.resample_from_infostate(seat, lambda: dice.below(1 << 30) / (1 << 30))
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.current_player() == seat and other.legal_actions() == state.legal_actions()
        state.apply_action(dice.choice(state.legal_actions()))


@pytest.mark.few(1)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", crashlab.games())
def test_playthroughs_are_written_and_replayed(name, mode, tmp_path):
    """The playthroughs begin near the end of each game; one short game is also played from its start."""
    games = [pyspiel_game(f"test_played_{name}_{mode}", endgame(name, *PLAYED[name]), mode)]
    if name == "autoscooter":
        games.append(adapted(name, mode=mode))
    for game in games:
        name = game.get_type().short_name
        file = tmp_path / f"{name}.txt"
        file.write_text(generate_playthrough.playthrough(name, [], seed=1), "utf-8")
        text, replayed = generate_playthrough.replay(file)
        assert text == replayed and "# Apply" in text


# States


def test_who_comes_later_does_not_see_what_is_pending():
    state = adapted_round().new_initial_state()
    plots = state.legal_actions()
    assert state.current_player() == 0 and len(plots) > 3 and state.legal_actions(1) == []
    one, other = state.child(plots[0]), state.child(plots[1])
    assert one.current_player() == other.current_player() == 1
    assert str(one) != str(other)
    assert one.information_state_string(1) == other.information_state_string(1)
    assert one.information_state_tensor(1) == other.information_state_tensor(1)
    assert one.observation_tensor(1) == other.observation_tensor(1)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.observation_tensor(0) != other.observation_tensor(0)


def test_what_was_seen_is_remembered_where_the_position_no_longer_tells():
    """The other seat distinguishes manoeuvres that end in the same position."""
    state = adapted_round(10).new_initial_state()
    state.apply_action(state.legal_actions()[0])
    after = [state.child(action) for action in state.legal_actions()]
    observations = {now.observation_string(0) for now in after}
    assert len(observations) < len({now.information_state_string(0) for now in after}) == len(after)
    one, other = next(pair for pair in combinations(after, 2) if pair[0].step.state == pair[1].step.state)
    assert one.observation_tensor(0) == other.observation_tensor(0)
    assert one.information_state_tensor(0) != other.information_state_tensor(0)


@pytest.mark.parametrize("mode", MODES)
def test_what_was_chosen_is_remembered_by_who_chose_it_alone(mode):
    state = adapted_round(10, mode).new_initial_state()
    memories = []
    for action in state.legal_actions(0)[:2]:
        after = state.clone()
        if mode == "turns":
            after.apply_action(action)
        else:
            after.apply_actions([action, state.legal_actions(1)[0]])
        memories.append(after.memory)
    (mine, yours), (other, same) = memories
    assert mine != other and (mode == "simultaneous" or yours == same == bytes(len(same)))


def test_luck_is_not_part_of_what_happens():
    """Chance is explicit: the same outcomes lead to the same state, whatever the luck of the position."""
    end = endgame("crash_city", *SMALL["crash_city"])
    other = end.game.read(end.text.partition("; luck ")[0] + "; luck 123")
    assert end != other
    games = [pyspiel_game(f"test_luck_{number}", start) for number, start in enumerate((end, other))]
    states = [game.new_initial_state() for game in games]
    while not states[0].is_terminal():
        assert states[0].is_chance_node() == states[1].is_chance_node()
        action = states[0].legal_actions()[0]
        for state in states:
            state.apply_action(action)
        assert states[0].observation_string(0) == states[1].observation_string(0)
    assert states[0].returns() == states[1].returns()


@pytest.mark.few(2)
@pytest.mark.parametrize("name", crashlab.games())
def test_actions_are_chosen_word_by_word(name):
    """A number stands for a word of all remaining actions, and no other number stands for it."""
    state, dice = adapted(name).new_initial_state(), crashlab.Random(4)
    while not state.is_terminal() and state.move_number() < 150:
        number, position = dice.choice(state.legal_actions()), state.step.state
        if not state.is_chance_node():
            seat = state.current_player()
            words = [state.action_to_string(seat, one) for one in state.legal_actions()]
            assert len(words) == len(set(words)) > 1
            word = state.action_to_string(seat, number)
            child = state.child(number)
            if child.step.state is position and child.current_player() == seat:
                with_it = {one.code for one in position.actions(seat) if set(word.split()) <= set(str(one).split())}
                assert word and with_it >= set(child.step.left(seat).values())
                assert str(child).endswith(f"chooses {word}") and word in child.information_state_string(seat)
            else:
                assert word in map(str, position.actions(seat))
        state.apply_action(number)


def test_a_number_means_the_same_at_every_position():
    """A number stands for a car of the city, and then for a lane, not for their indices among the choices."""
    node = pyspiel_game("test_meaning", endgame("crash_city", 40)).new_initial_state()
    dice, count = crashlab.Random(1), 0
    while not node.is_terminal():
        seat, state = node.current_player(), node.step.state
        cars = {action.parts["car"] for action in state.actions(seat) if state.asked[0].decision == "race"}
        if len(cars) > 1 and not node.step.begun:
            count += 1
            assert node.legal_actions() == sorted(8 * "ABCD".index(car[0]) + int(car[1]) - 1 for car in cars)
        node.apply_action(dice.choice(node.legal_actions()))
    assert count > 5


def test_numbers_are_those_of_the_vocabulary():
    state = adapted_round().new_initial_state()
    position = state.step.state
    assert state.legal_actions() == sorted(position.number(0, action) for action in position.actions(0))
    for action in state.legal_actions():
        assert state.action_to_string(0, action) == str(position.numbered(0, action))
    assert state.num_distinct_actions() == position.game.vocabulary


def test_the_seed_is_that_of_the_set_up():
    game = crashlab.game("crash_and_grab")
    pyspiel_game("test_seeds", game)
    for seed in (0, 5):
        state = pyspiel.load_game(f"test_seeds(seed={seed})").new_initial_state()
        assert state.step.state == game.start(seed)


@pytest.mark.parametrize("players", [2, 3, 8])
def test_the_utility_is_the_lead_or_the_share_of_the_win(players):
    for utility in ("lead", "share"):
        game = adapted("autoscooter", players, utility=utility)
        rng, state = crashlab.Random(players), game.new_initial_state()
        while not state.is_terminal():
            assert state.returns() == [0] * players
            state.apply_action(rng.choice(state.legal_actions()))
        scores, winners = state.step.state.scores, state.step.state.winners
        if utility == "share":
            expected = [(seat in winners) / len(winners) for seat in range(players)]
        else:
            expected = [score - (sum(scores) - score) / (players - 1) for score in scores]
        assert state.returns() == pytest.approx(expected) and sum(expected) == pytest.approx(game.utility_sum())
        assert all(game.min_utility() <= one <= game.max_utility() for one in state.returns())


def test_states_are_copied_and_pickled():
    state = adapted_round(10).new_initial_state()
    state.apply_action(state.legal_actions()[3])
    for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert twin.history() == state.history() and str(twin) == str(state)
        assert twin.information_state_string(0) == state.information_state_string(0)
        twin.apply_action(twin.legal_actions()[0])
        assert twin.history() != state.history()


# Refusals


def test_what_makes_no_game_is_refused():
    game = crashlab.game("autoscooter", players=2)
    names = pyspiel.registered_names()
    over = crashlab.Match(game, "random").run()
    for words, name, start, more in (
        ("use small letters", "A game", game, {}),
        ("use small letters", 3, game, {}),
        ("OpenSpiel already has a game", "chess", game, {}),
        ("a game or a position, not 'autoscooter'", "x", "autoscooter", {}),
        ("this position cannot be played: this is only the view of A", "x", game.start().seen_by(0), {}),
        ("the game is over", "x", over, {}),
        ("mode='parallel': choose one of 'turns', 'simultaneous'", "x", game, {"mode": "parallel"}),
        ("utility=None: choose one of 'lead', 'share'", "x", game, {"utility": None}),
    ):
        with pytest.raises(CrashlabError, match=words):
            pyspiel_game(name, start, **more)
    assert pyspiel.registered_names() == names


def test_a_name_stands_for_one_game():
    game = crashlab.game("autoscooter", players=2)
    for _ in range(2):
        assert pyspiel_game("test_twice", game).num_players() == 2
    with pytest.raises(CrashlabError, match="already has a game named 'test_twice'"):
        pyspiel_game("test_twice", game, mode="simultaneous")


def test_python_ends_in_peace_and_without_the_library_it_is_said_what_to_install():
    """OpenSpiel frees registered games after Python has ended."""
    code = (
        "import crashlab; from crashlab.adapters import pyspiel_game; pyspiel_game('x', crashlab.game('autoscooter'))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE)
    blocked = f"import sys; sys.modules['pyspiel'] = None; {code}"
    process = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True, timeout=PATIENCE)
    assert "CrashlabError: pyspiel_game needs pyspiel: pip install 'crashlab[openspiel]'" in process.stderr
