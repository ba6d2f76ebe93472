"""The agents that come along."""

import pytest

import crashlab
from crashlab import Match, agents
from crashlab.agents.lookahead import lead, lead_after


@pytest.fixture
def game():
    return crashlab.game("autoscooter")


def code(state, seat, words):
    return state.code(seat, words)


def test_random_plays_the_same_from_the_same_seed(game):
    state = game.start()
    first, second = ([str(agents.random(seed)(state, 0)) for seed in range(9)] for _ in range(2))
    assert first == second and len(set(first)) > 3


def test_the_lead_is_the_score_less_the_average_of_the_others(game):
    state = game.read({"cars": {"1": "21E0"}, "chits": {"A": 10, "B": 30, "C": 20, "D": 13}})
    assert lead(game, state.table, 0) == 10 - 21
    assert lead(game, state.table, 1) == 30 - 43 / 3


def test_an_action_is_judged_by_what_itself_brings_about(game):
    """Car 1 is alone, its nose to the barrier: to drive costs a chit, to turn round costs nothing."""
    state = game.read({"round": 11, "cars": {"1": "24E0"}})
    number = state.cars[1].unused[0]
    for luck in range(5):
        assert lead_after(state, 0, code(state, 0, f"{number} F"), luck, 1) == 19 - 20
        assert lead_after(state, 0, code(state, 0, f"{number} P"), luck, 1) == 20 - 20


def test_greedy_turns_away_from_the_barrier_and_rams_who_stands_there(game):
    stuck = game.read({"cars": {"1": "24E0"}})
    assert str(agents.greedy(1)(stuck, 0)).endswith(" P")
    prey = game.read({"round": 11, "cars": {"1": "20E2", "2": "22E0"}, "chits": {"B": 20}})
    plot = agents.greedy(1, worlds=8, decisions=1)(prey, 0)
    assert lead_after(prey, 0, plot.code, 3, 1) >= 2


def test_greedy_tries_no_more_actions_than_it_is_told(game, monkeypatch):
    tried = []

    def count(world, seat, action, luck, decisions):
        tried.append(action)
        return 0.0

    monkeypatch.setattr("crashlab.agents.lookahead.lead_after", count)
    agents.greedy(1, worlds=2, most=10)(game.start(), 0)
    assert len(tried) == 20 and len(set(tried)) == 10


def test_greedy_beats_random():
    game = crashlab.game("autoscooter")
    for seed in range(2):
        match = Match(game, {0: agents.greedy(seed)} | {seat: agents.random(seat) for seat in (1, 2, 3)}, seed)
        assert match.run().winners == (0,)
