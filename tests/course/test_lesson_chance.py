"""Lesson 45: its positions, its plain versions compared with NumPy and brute force, and its exercises."""

from itertools import product
from math import inf, log, sqrt

import numpy as np
import pytest
from notebook_cells import defined

import crashlab
from crashlab import Random
from crashlab.course.exercises import CHECKS
from crashlab.course.lessons import chance as lesson
from crashlab.course.lessons.crash_and_grab import PUZZLE, plan_hint, puzzle


def scenarios(tree):
    """Return the (probability, value) pairs of the ends for each way to plan all decisions of a tree."""
    if not isinstance(tree, tuple):
        return [[(1.0, tree)]]
    kind, branches = tree
    if kind == "max":
        return [plan for branch in branches for plan in scenarios(branch)]
    parts = [[[(odd * p, v) for p, v in plan] for plan in scenarios(branch)] for odd, branch in branches]
    return [[end for part in plan for end in part] for plan in product(*parts)]


def expectimax(tree):
    """Return the value of the best plan made in advance, while the lesson's answer is a recursion over values."""
    return max(sum(odd * value for odd, value in plan) for plan in scenarios(tree))


def ucb1(pulls, sums):
    """Choose an arm by NumPy, while the lesson's answer is a `max` with a key."""
    n = np.array(pulls, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        bounds = np.array(sums) / n + np.sqrt(2 * np.log(max(n.sum(), 1)) / n)
    return int(np.where(n == 0, np.inf, bounds).argmax())


RIGHT = {"al-45": expectimax, "al-45b": ucb1}


def plain():
    """Return the functions of the notebook, with right answers and the globals that they need."""
    duel = lesson.last_round()
    return defined("45_chance.ipynb", expectimax=expectimax, ucb1=ucb1, duel=duel, plots=duel.actions(0))


def judging(chance, decision=max):
    """Return an `expectimax` with another value for chance (of values with their odds) or for decisions."""
    return lambda tree: lesson.judged(tree, chance, decision)


def highest(bound):
    return lambda pulls, sums: max(range(len(pulls)), key=lambda arm: bound(sum(pulls), pulls[arm], sums[arm]))


def late(bound):
    """Return a `ucb1` that pulls new arms first, and then the arm with the highest bound."""
    return highest(lambda N, n, s: bound(N, n, s) if n else inf)


@pytest.mark.parametrize(
    "name, answer, hint",
    [
        ("al-45", judging(lambda pairs: max(v for _, v in pairs)), "not the best"),
        ("al-45", judging(lambda pairs: min(v for _, v in pairs)), "Chance is not against you"),
        ("al-45", judging(lambda pairs: sum(v for _, v in pairs) / len(pairs)), "not equally likely"),
        ("al-45", judging(lambda pairs: sum(v for _, v in pairs)), "by its probability first"),
        ("al-45", judging(lambda pairs: max(pairs)[1]), "the likeliest"),
        ("al-45", judging(lesson.mean, min), "not the worst"),
        ("al-45", judging(lesson.mean, lambda values: sum(values) / len(values)), "the mean is for chance"),
        ("al-45", lambda tree: tree if not isinstance(tree, tuple) else max(tree[1]), "must return one number"),
        ("al-45", lambda tree: tree[1], "A number is a leaf"),
        ("al-45b", highest(lambda N, n, s: s / n + sqrt(2 * log(N) / n)), "give it `math.inf`"),
        ("al-45b", late(lambda N, n, s: s / n), "the best mean alone"),
        ("al-45b", late(lambda N, n, s: s + sqrt(2 * log(N) / n)), "divide each sum by the pulls"),
        ("al-45b", late(lambda N, n, s: s / n + 2 * log(N) / n), "The square root is missing"),
        ("al-45b", late(lambda N, n, s: s / n + sqrt(2 * log(n) / n)), "N counts the pulls of all arms"),
        ("al-45b", late(lambda N, n, s: s / n + sqrt(2 * n / log(N))), "upside down"),
        ("al-45b", late(lambda N, n, s: s / n + sqrt(log(N) / n)), "The 2 is missing"),
        ("al-45b", lambda pulls, sums: pulls.index(min(pulls)), "the fewest pulls"),
        ("al-45b", lambda pulls, sums: pulls.index(max(pulls)), "the most pulls"),
        ("al-45b", lambda pulls, sums: max(sums), "number of an arm"),
    ],
)
def test_a_wrong_answer_gets_its_hint(capsys, name, answer, hint):
    crashlab.check(name, answer)
    words = capsys.readouterr().out
    assert words.startswith(f"{name}: not yet: ") and hint in words


def test_expectimax_finds_both_solutions_of_the_puzzle_and_tells_them_apart():
    functions, game = plain(), crashlab.game("crash_and_grab")
    solutions = [str(plan) for plan in puzzle().actions(0) if not plan_hint(plan)]
    assert solutions == ["3>", "0-5>"]
    later = game.read(PUZZLE.replace("probe A", "probe D"))
    for state, values in ((puzzle(), (4, 4)), (later, (3.5, 4))):
        types = {str(plan): functions["types"](functions["planned"](state, plan)) for plan in state.actions(0)}
        right = dict(zip(solutions, values, strict=True))
        assert types == pytest.approx({plan: right.get(plan, 3) for plan in types})


def test_the_agent_says_of_the_flight_what_its_tree_is_worth():
    functions, start = plain(), lesson.flight()
    functions["agents"] = crashlab.agents
    trees = {str(action): functions["grown"](start.play(action).after) for action in start.actions(0)}
    values = {str(row.action): row.value for row in crashlab.agents.expectimax(depth=1).think(start, 0)}
    assert values == pytest.approx({action: lesson.expectimax(tree) for action, tree in trees.items()})
    assert any(isinstance(tree, tuple) for tree in trees.values()) and len(set(values.values())) > 1


def test_ucb_spends_about_half_its_pulls_on_the_best_arm_of_ten():
    functions = plain()
    pulls, _, most = functions["play"](500, Random(1), ucb1)
    true = lesson.means(lesson.last_round())
    assert len(pulls) == len(true) == 10
    best = true.index(max(true))
    assert max(pulls) == pulls[best] and 0.4 < pulls[best] / 500 < 0.6
    assert max(most) - min(most) < 0.05


def test_the_exercises_are_those_of_the_lesson():
    assert RIGHT.keys() == {exercise.name for exercise in lesson.CHECKS} <= CHECKS.keys()
