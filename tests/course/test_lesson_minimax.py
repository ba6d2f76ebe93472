"""Lesson 43: its town, its exercises with wrong answers, and its league."""

from functools import partial
from math import inf

import pytest

import crashlab
from crashlab import agents
from crashlab.agents import textbook
from crashlab.course.lessons import minimax as lesson
from crashlab.course.lessons.minimax import (
    A,
    B,
    TreePosition,
    alphabeta,
    best_first,
    looked_at,
    town,
    worst_first,
    worth,
)


def said(capsys, name, answer):
    crashlab.check(name, answer)
    return " ".join(capsys.readouterr().out.split())


def test_the_town_shows_what_the_text_says():
    """Two drives look equally good, but one wins, as a search of five decisions sees, and one loses."""
    start = town()
    after = {str(action): start.play(action).after for action in start.actions(A)}
    values = {name: [alphabeta(end, depth, -inf, inf) for depth in (0, 1, 4)] for name, end in after.items()}
    assert values == {"drive A1 0,0E": [0, -6, -94], "drive A1 -1,0N": [-6, -12, -94], "drive A1 0,0W": [0, 6, 94]}
    assert [alphabeta(start, depth, -inf, inf) for depth in range(1, 7)] == [0, 6, 12, 6, 94, 94]
    table = crashlab.retrograde(start)
    assert table.value(start) == (A, 5) and str(table.best(start)) == "drive A1 0,0W"


def test_with_each_idea_fewer_positions_are_looked_at():
    counts = [looked_at(town(), 5, cuts=False), *(looked_at(town(), 5, order) for order in ORDERS)]
    assert counts == [2324, 462, 229, 676]


def test_in_the_league_who_looks_further_ahead_wins():
    def one_ahead(state, seat):
        world = state.guess(crashlab.Random(1))
        return best_first(world, seat)[0]

    deep = agents.alphabeta(depth=4)
    standings = crashlab.tournament(town(), {"deep": deep, "one": one_ahead}, games=2, progress=False)
    assert [played.points("deep") for played in standings.played] == [1, 1]


ORDERS = (lesson.in_order, best_first, worst_first)


@pytest.mark.few(5)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("a, b", [("0,0N>E", "0,1W>N"), ("1,0S>E", "1,1N>W"), ("0,0E>N", "0,1N>E")])
def test_the_right_answer_is_minimax(a, b, depth):
    """It agrees with the textbook and with the agent."""
    start = town(a, b)
    value = alphabeta(start, depth, -inf, inf)
    assert value == round(100 * textbook.alphabeta(start, A, depth))
    assert value == round(100 * agents.alphabeta(depth=depth).think(start, A).rows[0].value)
    assert all(lesson.AlphaBetaSearch(order).value(start, depth) == value for order in ORDERS)


def plain(tree, seat=A):
    """Return the value of a tree without cutoffs."""
    return tree if isinstance(tree, int) else (max, min)[seat](plain(child, 1 - seat) for child in tree)


def test_the_right_answer_is_right_on_trees_and_looks_at_little():
    for node, depth, *window in lesson.trees():
        if isinstance(node, TreePosition):
            seen = lesson.noting(alphabeta)(node, depth, *window)
            assert window != [-inf, inf] or seen.value == plain(node.content, node.seat)
            assert len(seen.met) <= leaves(node.content)
    assert lesson.noting(alphabeta)(TreePosition([[3, 5], [2, 9]]), 2, -inf, inf).met == (3, 5, 2)


def leaves(tree):
    return 1 if isinstance(tree, int) else sum(map(leaves, tree))


# al-43


def wrong(**mistake):
    def answer(state, depth, alpha, beta):
        return lesson.AlphaBetaSearch(**mistake).value(state, depth, alpha, beta)

    return answer


def no_return(state, depth, alpha, beta):
    alphabeta(state, depth, alpha, beta)


def always_infinite(state, depth, alpha, beta):
    if depth == 0 or state.over:
        return worth(state)
    return -inf if state.actors[0] == A else inf


def first_only(state, depth, alpha, beta):
    """Leave the loop at once."""
    if depth == 0 or state.over:
        return worth(state)
    for action in state.actions(state.actors[0]):
        return first_only(state.play(action).after, depth - 1, alpha, beta)


def gives_alpha(state, depth, alpha, beta):
    """Return alpha or beta (fail-hard), which is also right."""
    if depth == 0 or state.over:
        return worth(state)
    for action in state.actions(state.actors[0]):
        value = gives_alpha(state.play(action).after, depth - 1, alpha, beta)
        if state.actors[0] == A:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if state.actors[0] == A else beta


def fail_hard(state, depth, alpha, beta):
    """Return no value outside of the window, and cut off if the bounds are equal."""
    if depth == 0 or state.over:
        return worth(state)
    seat = state.actors[0]
    for action in state.actions(seat):
        value = fail_hard(state.play(action).after, depth - 1, alpha, beta)
        if seat == A and value >= beta:
            return beta
        if seat == B and value <= alpha:
            return alpha
        alpha, beta = (max(alpha, value), beta) if seat == A else (alpha, min(beta, value))
    return alpha if seat == A else beta


def returns_at_once(state, depth, alpha, beta):
    """Compare with the window before updating alpha and beta (fail-soft)."""
    if depth == 0 or state.over:
        return worth(state)
    seat = state.actors[0]
    best = -inf if seat == A else inf
    for action in state.actions(seat):
        value = returns_at_once(state.play(action).after, depth - 1, alpha, beta)
        best = max(best, value) if seat == A else min(best, value)
        if (best >= beta) if seat == A else (best <= alpha):
            return best
        alpha, beta = (max(alpha, best), beta) if seat == A else (alpha, min(beta, best))
    return best


@pytest.mark.parametrize("answer", [alphabeta, gives_alpha, fail_hard, returns_at_once, wrong()])
def test_alphabeta_may_be_written_in_several_ways(capsys, answer):
    assert said(capsys, "al-43", answer).startswith("al-43: right!")


def divides(state, depth, *bounds):
    return 1 / 0


@pytest.mark.parametrize(
    "answer, words",
    [
        (
            wrong(cuts=()),
            "but you look at 3 numbers, and 2 are enough. After 7 A has more than beta: B has 5 elsewhere",
        ),
        (wrong(cuts=(B,)), "After 7 A has more than beta"),
        (wrong(cuts=(A,)), "After 3 B has less than alpha: A has 5 elsewhere, and will not come here"),
        (wrong(is_strict=True), "After 5 alpha and beta are equal"),
        (wrong(hands_down=False), "Pass alpha and beta down"),
        (wrong(helps=()), "It is worth 1, and you say 5. That is what A gets if B helps"),
        (wrong(helps=(A, B)), "It is worth 5, and you say 1. A takes the most."),
        (wrong(swaps=True), "in which order do you pass them down?"),
        (no_return, "You return nothing"),
        (always_infinite, "Is `best` changed before the loop is left?"),
        (first_only, "is `return` inside the loop?"),
        (lambda state, depth: 0, "al-43: not yet"),
        (divides, "in line 2 of divides: `return 1 / 0`"),
        (3, "give a function, not 3"),
        (lambda state, depth, alpha, beta: ..., "not written yet"),
    ],
)
def test_wrong_searches_get_their_hints(capsys, answer, words):
    assert words in said(capsys, "al-43", answer)


# al-43b


def by(key, **options):
    return lambda state, seat: sorted(state.actions(seat), key=partial(key, state), **options)


def value_after(state, action):
    return worth(state.play(action).after)


@pytest.mark.few(5)
@pytest.mark.parametrize(
    "answer, words",
    [
        (lambda state, seat: list(state.actions(seat)), "that is the order of `state.actions`"),
        (worst_first, "reverse it"),
        (by(value_after, reverse=True), "B wants the least"),
        (by(value_after), "A wants the most"),
        (lambda state, seat: best_first(state, seat)[:2], "Do not leave any out"),
        (lambda state, seat: best_first(state, seat) * 2, "give each action only once"),
        (lambda state, seat: [value_after(state, action) for action in state.actions(seat)], "not their values"),
        (lambda state, seat: [state.play(action).after for action in state.actions(seat)], "not the positions"),
        (by(lambda state, action: str(action)), "Number"),
        (lambda state, seat: 7, "Return a list of the actions"),
        (lambda state, seat: None, "Return a list of the actions"),
    ],
)
def test_wrong_orders_get_their_hints(capsys, answer, words):
    assert words in said(capsys, "al-43b", answer)


def test_any_order_among_equals_is_right(capsys):
    def answer(state, seat):
        tried = sorted(state.actions(seat), key=str, reverse=True)
        return sorted(tried, key=partial(value_after, state), reverse=seat == A)

    assert said(capsys, "al-43b", answer).startswith("al-43b: right!")
