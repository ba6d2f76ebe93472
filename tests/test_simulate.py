"""Many games at random."""

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError, Results
from crashlab.game import Game
from crashlab.happen import NOTE, Trace
from crashlab.simulate import play_at_random


def test_the_same_seed_gives_the_same_games():
    game = crashlab.game("autoscooter", players=5)
    first, second, other = (crashlab.simulate(game, 5, seed) for seed in (1, 1, 2))
    assert np.array_equal(first.scores, second.scores) and not np.array_equal(first.scores, other.scores)


def test_results_count_what_was_told():
    results = crashlab.simulate(crashlab.game("autoscooter"), 20)
    assert len(results) == 20 and results.scores.shape == results.winners.shape == (20, 4)
    assert np.all(results.decisions == 22)  # 11 rounds of two passes
    assert np.all(results.notes["AS-E1"] == 1)
    crashes = sum(results.notes[f"AS-C{case}"] for case in range(1, 6))
    assert np.array_equal(crashes, results.notes["AS-R4"])  # every blocked step is one crash
    assert results.mean("AS-E1") == 1 and results.interval("AS-E1") == 0
    assert "Into the barrier" in str(results)


def test_winners_have_the_best_score():
    results = crashlab.simulate(crashlab.game("autoscooter", players=8), 20)
    for scores, winners in zip(results.scores, results.winners, strict=True):
        assert {s for s, won in zip(scores, winners, strict=True) if won} == {max(scores)}


def test_a_position_can_be_simulated():
    state = crashlab.game("autoscooter").read({"round": 11, "cars": {"1": "21E2", "2": "23W1"}})
    results = crashlab.simulate(state, 10)
    assert np.all(results.decisions == 1)


def test_chance_follows_its_odds():
    """From squares 0 and 0 in the wind: gusts weigh 1, 2, 1."""
    windy, rng, gusts = Game("toy", "toy", {}).read("0 0 1"), crashlab.Random(1), []
    for _ in range(800):
        table, trace = windy.table.copy(), Trace()
        assert play_at_random(windy.game.rules, table, rng, trace, 1) == 1
        gusts.append(table.square[0])
    assert 160 < gusts.count(0) < 240 and 360 < gusts.count(1) < 440


def test_every_decision_has_its_own_beats():
    game, trace = Game("toy", "toy", {}), Trace()
    decisions = play_at_random(game.rules, game.read("0 0 1").table.copy(), crashlab.Random(1), trace)
    assert trace.beat > decisions > 1
    assert all(first != second for first, second in zip(gust_beats(trace), gust_beats(trace)[1:], strict=False))


def gust_beats(trace):
    return [row[0] for row in trace.rows if row[3] == NOTE]


def test_the_interval_is_that_of_95_percent():
    told = {"AS-C1": np.array([0, 1, 2, 3])}
    results = Results(crashlab.game("autoscooter"), np.zeros((4, 4)), np.zeros((4, 4)), np.zeros(4), told)
    assert results.mean("AS-C1") == 1.5 and results.interval("AS-C1") == pytest.approx(1.96 * (5 / 3) ** 0.5 / 2)


def test_no_games_are_refused():
    for games in (0, -1, "many", 2.5):
        with pytest.raises(CrashlabError, match="games="):
            crashlab.simulate(crashlab.game("autoscooter"), games)


def test_nonsense_is_refused_in_words():
    with pytest.raises(CrashlabError, match="from a game or a state, not from str"):
        crashlab.simulate("autoscooter")
    with pytest.raises(CrashlabError, match="seed='x'"):
        crashlab.simulate(crashlab.game("autoscooter"), 1, "x")
    results = crashlab.simulate(crashlab.game("autoscooter"), 2)
    for rule in ("AS-M1", "AS-X", None):  # no note cites AS-M1
        with pytest.raises(CrashlabError, match="no note cites"):
            results.mean(rule)
        with pytest.raises(CrashlabError, match="no note cites"):
            results.interval(rule)


def test_random_play_hits_the_barrier_most():
    """The rules' designers measured 58 % barrier hits among the crashes of eight random drivers."""
    results = crashlab.simulate(crashlab.game("autoscooter", players=8), 200)
    crashes = sum(results.notes[f"AS-C{case}"].sum() for case in range(1, 6))
    assert 0.55 < results.notes["AS-C5"].sum() / crashes < 0.61
