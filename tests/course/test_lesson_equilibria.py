"""Lesson 47: its prepared games, exercises and hints, compared with independent computations."""

import itertools
import re

import numpy as np
import pytest
from scipy.optimize import linprog

import crashlab
from crashlab.course.exercises import CHECKS
from crashlab.course.lessons import equilibria
from crashlab.course.lessons.equilibria import behind, bluff_gains, fictitious_play, tree_of, value


def programmed(gains):
    """Return the value of a matrix game by SciPy."""
    matrix = np.array(gains, dtype=float)
    rows, columns = matrix.shape
    result = linprog(
        [0] * rows + [-1],
        A_ub=np.hstack([-matrix.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[1] * rows + [0]],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return result.x[-1]


def verdict(name, answer):
    return CHECKS[name].check(answer)


# Prepared games


def test_the_last_round_has_no_pair_of_best_answers_and_is_worth_less_than_nothing():
    gains = bluff_gains()
    assert len(gains) == 6 and all(len(row) == 5 for row in gains)
    pairs = [
        (row, column)
        for row, column in itertools.product(range(6), range(5))
        if gains[row][column] == min(gains[row]) == max(line[column] for line in gains)
    ]
    assert not pairs
    assert programmed(gains) == pytest.approx(-4 / 3)
    assert gains == crashlab.duel(equilibria.last_round()).reduced().values.tolist()


def test_the_tree_of_two_rounds_is_worth_what_the_solver_says():
    tree = tree_of(equilibria.round_before())
    assert value(tree) == pytest.approx(-11 / 7) == crashlab.solve(equilibria.round_before()).value
    assert all(rest is not None for row in tree for _, rest in row)
    assert all(more is None for rest in behind(tree) for row in rest for _, more in row)
    mixed = [rest for rest in behind(tree) if lacks_a_saddle([[gain for gain, _ in row] for row in rest])]
    assert len(behind(tree)) == 152 and len(mixed) == 1  # nearly all bluffing is in the first round


def lacks_a_saddle(gains):
    return max(map(min, gains)) < min(map(max, zip(*gains, strict=True)))


def test_a_bluff_is_worth_something_in_some_positions_of_the_competition():
    worths = {}
    for name, cars in equilibria.MORE.items():
        solution = crashlab.solve(equilibria.position(cars, 2))
        worths[name] = solution.value - solution.duel.values.min(axis=1).max()
    assert worths["a chase"] == pytest.approx(0) and worths["the bluff"] == pytest.approx(3 / 7)
    assert worths["side by side"] > 3


# al-47


def shares_of(counts):
    total = sum(counts)
    return np.array(counts) / total


def test_fictitious_play_comes_near_the_equilibrium():
    for gains in ([[3, -1], [-2, 1]], [[0, -1, 1], [1, 0, -2], [-1, 2, 0]], bluff_gains()):
        x, y = map(shares_of, fictitious_play(gains, 5000))
        matrix = np.array(gains)
        assert (x @ matrix).min() == pytest.approx(programmed(gains), abs=0.1)
        assert (matrix @ y).max() == pytest.approx(programmed(gains), abs=0.1)


def independent_play(gains, rounds):
    """Compute the same with NumPy, whose argmax takes the first maximum, like the lesson."""
    matrix = np.array(gains)
    often_a, often_b = np.zeros(len(matrix), int), np.zeros(matrix.shape[1], int)
    a = b = 0
    for _ in range(rounds):
        often_a[a] += 1
        often_b[b] += 1
        a, b = (matrix @ often_b).argmax(), (often_a @ matrix).argmin()
    return often_a.tolist(), often_b.tolist()


def test_the_right_answer_is_right():
    assert verdict("al-47", fictitious_play)
    for gains, rounds in equilibria.play_cases():
        assert fictitious_play(gains, rounds) == independent_play(gains, rounds)


RIGHT = {"al-47": independent_play, "al-47b": lambda tree: independent_value(tree)}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_found_independently_is_right(name):
    assert verdict(name, RIGHT[name])


def student(  # possible answers of a student, by their mistake
    pick_a=max, pick_b=min, memory="all", at_once=True, more=0, last=False, give=lambda a, b, rounds: (a, b)
):
    def fictitious_play(gains, rounds):
        often_a, often_b = [0] * len(gains), [0] * len(gains[0])
        a, b = 0, 0
        for number in range(rounds + more):
            often_a[a] += 1
            seen_a = often_a if memory == "all" else [int(place == a) for place in range(len(gains))]
            if not at_once and number:
                b = best(list(zip(*gains, strict=True)), seen_a, pick_b, last)
            often_b[b] += 1
            seen_b = often_b if memory == "all" else [int(place == b) for place in range(len(gains[0]))]
            a = best(gains, seen_b, pick_a, last)
            if at_once:
                b = best(list(zip(*gains, strict=True)), seen_a, pick_b, last)
        return give(often_a, often_b, rounds)

    return fictitious_play


def best(lines, often, pick, last):
    worths = [sum(gain * times for gain, times in zip(line, often, strict=True)) for line in lines]
    places = [place for place, worth in enumerate(worths) if worth == pick(worths)]
    return places[-1 if last else 0]


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (student(pick_b=max), "B wants the least"),
        (student(pick_a=min), "A wants the most"),
        (student(memory="last"), "answers the last plot alone"),
        (student(at_once=False), "B already knows A's plot of the same round"),
        (student(last=True), "If several replies are best, take the first"),
        (student(more=1), "one round too many"),
        (student(give=lambda a, b, rounds: (b, a)), "in the wrong order"),
        (student(give=lambda a, b, rounds: ([n / rounds for n in a], [n / rounds for n in b])), "You return shares"),
        (student(give=lambda a, b, rounds: a + b), "return two lists"),
        (student(give=lambda a, b, rounds: a), "return two lists"),
        (student(give=lambda a, b, rounds: (a, [n + 1 for n in b])), "the right counts are [1, 0] and [1, 0]"),
        (student(give=lambda a, b, rounds: print(a, b)), "write `return`"),
        (lambda gains: gains, "It is called as fictitious_play(gains, rounds)"),
    ],
)
def test_wrong_counts_get_their_hint(wrong, hint):
    said = verdict("al-47", wrong)
    assert not said and hint in said.hint, said.hint


def test_the_first_step_that_differs_is_told():
    said = verdict("al-47", student(pick_a=min))
    assert not said and said.difference is not None
    step = r"yours set often_a\[\d\] = \d+ here, but a right one set often_a\[\d\] = \d+"
    assert re.search(rf"Step by step: {step}", said.hint)


# al-47b


def independent_value(tree):
    return programmed([[gain + (independent_value(rest) if rest else 0) for gain, rest in row] for row in tree])


def test_the_right_value_is_right():
    assert verdict("al-47b", value)
    for (tree,) in equilibria.value_cases():
        assert value(tree) == pytest.approx(independent_value(tree))


def judge(solve, add=lambda gain, rest: gain + rest):
    def value(tree):
        return solve([[add(gain, value(rest) if rest else 0) for gain, rest in row] for row in tree])

    return value


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        (judge(programmed, lambda gain, rest: gain), "this round alone"),
        (judge(programmed, lambda gain, rest: rest), "leave out the gains"),
        (judge(programmed, lambda gain, rest: gain - rest), "change the sign"),
        (judge(lambda gains: max(map(min, gains))), "what single plots guarantee A"),
        (judge(lambda gains: float(np.mean(gains))), "mean of all cells"),
        (judge(lambda gains: max(map(max, gains))), "the best cell of all"),
        (lambda tree: -value(tree), "The sign is wrong"),
        (lambda tree: 7.5, "Every cell is worth"),
        (lambda tree: [[value(tree)]], "must return one number"),
        (lambda tree: sum(gain + sum(map(len, rest)) for row in tree for gain, rest in row), "TypeError"),
    ],
)
def test_wrong_values_get_their_hint(wrong, hint):
    said = verdict("al-47b", wrong)
    assert not said and hint in said.hint, said.hint


def test_hints_tell_numbers_and_no_code_of_the_solution():
    said = verdict("al-47b", judge(programmed, lambda gain, rest: gain))
    assert re.search(r"is -?\d+\.\d{4}, and you say", said.hint)
