"""The conclusions of the algorithm lessons from random runs hold for seeds other than those shown."""

from collections import Counter

import numpy as np
import pytest
from notebook_cells import defined

import crashlab
from crashlab import Random
from crashlab.base.statistics import half_width, mean
from crashlab.course.lessons import chance, crash_city, learning, retrograde, shortest_paths, tree_search

SEEDS = range(101, 111)
each_seed = pytest.mark.parametrize("seed", SEEDS)


@pytest.fixture(scope="module")
def bandit():
    """Return the function `regret` of lesson 45."""
    duel = chance.last_round()
    pay = [
        [chance.share(duel.play({0: mine, 1: theirs}).after) for theirs in duel.actions(1)] for mine in duel.actions(0)
    ]
    return defined("45_chance.ipynb", pay=np.array(pay), true=np.array(chance.means(duel)))["regret"]


@pytest.fixture(scope="module")
def long_run(bandit):
    """Return the mean regret of UCB1 for 20,000 pulls, which differs little between runs."""
    return bandit("UCB1", runs=20, length=20_000).mean(axis=0)


def test_45_the_regret_of_ucb1_bends(long_run):
    assert long_run[-1] - long_run[9999] < 0.25 * long_run[9999] < 0.25 * long_run[-1]


@pytest.mark.few(3)
@each_seed
def test_45_greedy_loses_less_for_a_while_and_more_in_the_long_run(bandit, long_run, seed):
    greedy = bandit("greedy", length=1500, seed=seed)
    each_pull = greedy[:, -1] - greedy[:, -2]
    assert greedy[:, 999].mean() < 0.5 * long_run[999]
    assert 0.08 < (each_pull > 0).mean() < 0.18, "about one run in eight never comes back to the best arm"
    assert (greedy[:, -501] - greedy[:, -502]).mean() == pytest.approx(each_pull.mean(), rel=0.05), "a straight line"
    assert 20_000 * each_pull.mean() > 1.2 * long_run[-1]


@pytest.mark.slow
def test_13b_greedy_is_as_good_as_the_best_in_about_half_of_the_cities_and_loses_some_drives():
    functions = defined("13b_ways_to_work.ipynb")
    best, greedy, total = (functions[name] for name in ("best", "greedy", "total"))
    tables = [functions["distances"](crash_city.history(seed)[-1]) for seed in range(101, 201)]
    more = [total(table, greedy(table)) - total(table, best(table)) for table in tables]
    assert 0.4 < more.count(0) / len(more) < 0.6
    assert mean(more) == pytest.approx(0.8, abs=0.2)
    assert all(mean(more[ten : ten + 10]) > 0 for ten in range(0, 100, 10))


@pytest.mark.slow
def test_44_an_agent_that_only_keeps_the_win_does_not_always_win():
    table = crashlab.retrograde(retrograde.town())
    keeps = defined("44_retrograde_analysis.ipynb", table=table)["keeps"]
    wins = [retrograde.kept(keeps(seed), table) for seed in SEEDS]
    assert 30 < min(wins) and mean(wins) + half_width(wins) < 40


@pytest.mark.few(1)
@each_seed
def test_46_the_crash_gets_by_far_the_most_visits_and_the_deepest_tree(seed):
    answers = {"backup": tree_search.backup, "select": tree_search.select, "luck": Random(seed)}
    functions = defined("46_tree_search.ipynb", **answers)
    position = tree_search.threat()
    root, _ = functions["search"](position, 300, Random(seed), functions["select"])
    crash = root.children.pop(4)
    assert 130 < crash.visits < 180 and max(child.visits for child in root.children) < 30
    assert functions["depth"](crash) > max(functions["depth"](child) for child in root.children)
    replies = [max(child.children, key=lambda reply: reply.visits) for child in root.children]
    assert all(str(reply.move) == "park B8" for reply in replies)
    alike, _ = functions["search"](position, 300, Random(seed), functions["like_theirs"])
    assert alike.children[4].visits < 100


def test_46_without_exploring_more_playouts_do_not_help():
    position = tree_search.threat()
    crash = position.actions(0)[4]
    hits = {
        (exploration, playouts): sum(
            crashlab.agents.mcts(seed, playouts, value="win", decisions=30, exploration=exploration)(position, 0)
            == crash
            for seed in SEEDS
        )
        for exploration, playouts in ((0, 1000), (0.7, 1000), (5, 100), (5, 1000))
    }
    assert hits[0.7, 1000] == hits[5, 1000] == len(SEEDS)
    assert hits[0, 1000] < len(SEEDS) and hits[5, 100] < len(SEEDS)


@pytest.fixture(scope="module")
def city():
    """Return the functions of lesson 48 with its streets."""
    drives = learning.drives(learning.city(), learning.JOB)
    functions = defined("48_learning.ipynb", drives=drives, update=learning.update)
    functions["steps"] = functions["steps_to_work"](drives)
    return functions


@pytest.mark.few(3)
@each_seed
def test_48_without_exploring_a_learner_stays_blind_and_only_exploring_is_nearly_as_long(city, seed):
    (blind, longest), (some, short), (most, long) = (city["learner"](explore, seed) for explore in (0, 0.5, 1))
    assert blind < 20 < 60 < some <= most
    assert short < 40 < 60 < long < longest < 100


@pytest.mark.few(1)
@each_seed
def test_48_with_gamma_1_the_path_is_not_found(city, seed):
    learnt = [
        city["count_shortest"](city["q_learn"](city["drives"], 1000, Random(seed), gamma=gamma))
        for gamma in (0.5, 0.9, 1)
    ]
    assert learnt[2] < 30 < 100 < min(learnt[:2])


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", range(11, 21))
def test_40_the_crow_saves_about_half_of_the_places(seed):
    functions = defined("40_shortest_paths.ipynb")
    functions["city"] = shortest_paths.city
    assert 0.3 < functions["fewer"](seed) < 0.8


@pytest.mark.few(3)
@each_seed
def test_49_ten_thousand_shuffles_show_what_a_hundred_may_hide(seed):
    shuffle = defined("49_verification.ipynb")["swap_with_any"]
    rng = Random(seed)
    seen = Counter("".join(shuffle("ABC", rng)) for _ in range(10_000))
    assert all(abs(seen[order] - 10_000 / 6) > 73 for order in ("ABC", "ACB", "BAC", "BCA", "CAB", "CBA"))


@pytest.mark.few(1)
@each_seed
def test_60_greedy_is_the_better_player_by_far(seed):
    game, agents = crashlab.game("autoscooter", players=2), {"greedy": "greedy", "random": "random"}
    assert crashlab.tournament(game, agents, games=10, seed=seed).points[0].sum() >= 8
