"""Lesson 49: exact odds of shuffles, bugs that are bugs, and the hints of wrong answers."""

import random as python_random
from fractions import Fraction
from itertools import permutations, product

import networkx
import numpy as np
import pytest
from networkx.algorithms.bipartite import hopcroft_karp_matching
from scipy.optimize import linear_sum_assignment

import crashlab
from crashlab import CrashlabError, Dice, Random
from crashlab.course.exercises import CHECKS
from crashlab.course.lessons import verification as lesson
from crashlab.course.lessons.crash_city import distances, history, jobs, joined
from crashlab.course.lessons.verification import BUGS, RIGHT, at_work, is_right, orders, some_wishes

SMALLEST = [0, 1, 1, 0, 0, 9, 2, 1, 1, 4, 0, 0]  # the list to which the lesson shrinks


def said(capsys, name, answer):
    crashlab.check(name, answer)
    return capsys.readouterr().out


def fisher_yates(things, rng):
    cards = list(things)
    for last in range(len(cards) - 1, 0, -1):
        other = rng.below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def takes_out(things, rng):
    left, cards = list(things), []
    while left:
        cards.append(left.pop(rng.below(len(left))))
    return cards


def until_new(things, rng):
    cards = []
    while len(cards) < len(things):
        card = rng.choice(things)
        if card not in cards:
            cards.append(card)
    return cards


def swap_with_any(things, rng):
    cards = list(things)
    for place in range(len(cards)):
        other = rng.below(len(cards))
        cards[place], cards[other] = cards[other], cards[place]
    return cards


# Odds of shuffles


def test_all_ways_are_counted():
    """Checked by enumerating all draws."""
    for number in range(1, 5):
        counts = {}
        for draws in product(range(number), repeat=number):
            order = "".join(swap_with_any("ABCD"[:number], Dice(*draws)))
            counts[order] = counts.get(order, 0) + 1
        exact = {order: Fraction(count, number**number) for order, count in counts.items()}
        assert orders(swap_with_any, "ABCD"[:number]) == exact


def test_the_six_bars_of_the_lesson_are_unequal():
    bars = {"ABC": 4, "ACB": 5, "BAC": 5, "BCA": 5, "CAB": 4, "CBA": 4}
    assert orders(swap_with_any, "ABC") == {order: Fraction(count, 27) for order, count in bars.items()}


@pytest.mark.parametrize("shuffle", [fisher_yates, takes_out])
def test_a_fair_shuffle_brings_every_order_equally_often(shuffle):
    assert orders(shuffle, "ABCD") == {"".join(order): Fraction(1, 24) for order in permutations("ABCD")}


def test_our_own_shuffle_is_fair():
    class Scripted(lesson.Script):
        shuffled = Random.shuffled

    odds = orders(lambda cards, rng: rng.shuffled(cards), "ABCD", Scripted)
    assert len(odds) == 24 and set(odds.values()) == {Fraction(1, 24)}


def test_endless_luck_is_left_out_of_all_orders_alike():
    odds = orders(until_new, "ABC")
    assert len(odds) == 6 and len(set(odds.values())) == 1 and Fraction(1, 2) < sum(odds.values()) < 1


def test_what_cannot_be_counted_is_refused():
    for limit, words in ((0, "nothing to choose"), (10**9, "too many outcomes to try them all")):
        with pytest.raises(CrashlabError, match=words):
            orders(lambda cards, rng, limit=limit: [rng.below(limit)], "AB")


# Functions that find jobs


def net(wishes):
    result = networkx.Graph()
    result.add_nodes_from(("car", car) for car in wishes)
    result.add_edges_from((("car", car), ("job", job)) for car, jobs in wishes.items() for job in jobs)
    return result


def most_by_networkx(wishes):
    return len(hopcroft_karp_matching(net(wishes), [("car", car) for car in wishes])) // 2


def test_how_many_cars_can_have_a_job_is_what_networkx_and_scipy_find():
    for wishes in some_wishes():
        assert at_work(wishes) == most_by_networkx(wishes)
        table = np.array([[job in jobs for job in range(1, 7)] for jobs in wishes.values()] or [[0]], dtype=int)
        assert at_work(wishes) == table[linear_sum_assignment(table, maximize=True)].sum()


def test_the_right_functions_are_right_and_each_bug_is_one():
    for wishes in some_wishes():
        assert all(is_right(wishes, find(wishes)) for find in RIGHT)
    assert any(one(wishes) != two(wishes) for one, two in [RIGHT] for wishes in some_wishes())
    for find, _ in BUGS:
        wrong = [wishes for wishes in some_wishes() if not is_right(wishes, find(wishes))]
        assert 0 < len(wrong) < len(some_wishes()), find.__name__


def test_in_the_city_of_the_lesson_two_cars_more_have_a_job_if_somebody_makes_way():
    state = history(39)[-1]
    wishes = {
        f"A{number}": [job for job, drives in zip(jobs(state), row, strict=True) if drives <= 2]
        for number, row in enumerate(distances(state), start=1)
    }
    assert len(wishes) == 8 and len(jobs(state)) == 16
    assert len(lesson.first_come(wishes)) == 6
    assert len(lesson.most_at_work(wishes)) == most_by_networkx(wishes) == 8


# Generated cities


def crossings(roads):
    """Return the lanes that would be connected with the first tile's if streets were joined at shared crossings."""
    graph = networkx.Graph()
    graph.add_edges_from((lane, ("corner", corner)) for lane in roads.lanes() for corner in roads.ends(lane))
    first = next(lane for lane in roads.lanes() if lane[:2] == (0, 0))
    return {lane for lane in networkx.node_connected_component(graph, first) if lane[0] != "corner"}


def test_a_list_of_numbers_builds_a_city():
    rng = Random(1)
    for _ in range(5):
        state = crashlab.game("crash_city", players=2).start(1)
        picks = [rng.below(10) for _ in range(30)]
        for pick in picks:
            (actor,) = state.actors
            actions = state.actions(actor)
            state = state.play(actions[pick % len(actions)]).after
        assert lesson.city(picks).text.partition("; luck")[0] == state.text.partition("; luck")[0]
    assert lesson.city([0] * 500).phase == "race"


def test_the_smallest_city_shows_the_mistake_and_no_smaller_one_does():
    def fails(picks):
        state = lesson.city(picks)
        return crossings(state.streets) != joined(state)

    assert fails(SMALLEST)
    assert not any(fails(SMALLEST[:place] + SMALLEST[place + 1 :]) for place in range(len(SMALLEST)))
    assert not any(fails([pick] * 30) for pick in range(10))
    assert lesson.city(SMALLEST).streets.connected((0, 0)) == joined(lesson.city(SMALLEST))


# The exercises


def sattolo(things, rng):
    cards = list(things)
    for last in range(len(cards) - 1, 0, -1):
        other = rng.below(last)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def in_place(things, rng):
    for last in range(len(things) - 1, 0, -1):
        other = rng.below(last + 1)
        things[last], things[other] = things[other], things[last]
    return things


def stops_early(things, rng):
    cards = list(things)
    for last in range(len(cards) - 1, 1, -1):
        other = rng.below(last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def prints_it(things, rng):
    print(fisher_yates(things, rng))


def counts(find, wishes):
    """Return whether an assignment is valid and maximal, which is the right answer."""
    holder = find(wishes)
    fit = all(job in wishes[car] for job, car in holder.items())
    return fit and len(set(holder.values())) == len(holder) == at_work(wishes)


def misses_reach(find, wishes):
    holder = find(wishes)
    return len(set(holder.values())) == len(holder) == at_work(wishes)


def misses_twice(find, wishes):
    holder = find(wishes)
    return all(job in wishes[car] for job, car in holder.items()) and len(holder) == at_work(wishes)


def at_least(oracle):
    """Return a check that at least as many jobs are assigned as an oracle assigns; the oracle itself may be wrong."""

    def holds(find, wishes):
        holder = find(wishes)
        fit = all(job in wishes[car] for job, car in holder.items()) and len(set(holder.values())) == len(holder)
        return fit and len(holder) >= len(oracle(wishes))

    return holds


def asserts(find, wishes):
    assert len(find(wishes)) == len(wishes)
    return True


@pytest.mark.parametrize(
    "name, answer",
    [("al-49", fisher_yates), ("al-49", takes_out), ("al-49", until_new), ("al-49b", counts)],
)
def test_the_right_answer_is_right(capsys, name, answer):
    assert said(capsys, name, answer) == f"{name}: right! {CHECKS[name].then}\n"


@pytest.mark.parametrize(
    "name, answer, hint",
    [
        ("al-49", swap_with_any, "a power of 3, which 6 orders cannot share equally"),
        ("al-49", sattolo, "no card ever stays where it was"),
        ("al-49", lambda things, rng: sorted(things, key=lambda card: rng.below(2)), "toss a coin"),
        ("al-49", lambda things, rng: sorted(things, key=lambda card: rng.below(10**9)), "draw among the things"),
        ("al-49", lambda things, rng: [rng.choice(things) for _ in things], "B is lost and A appears too often"),
        ("al-49", lambda things, rng: things[(cut := rng.below(len(things) or 1)) :] + things[:cut], "reaches 3: ABC"),
        ("al-49", stops_early, "nothing is drawn from rng"),
        ("al-49", lambda things, rng: python_random.sample(things, len(things)), "nothing is drawn from rng"),
        ("al-49", lambda things, rng: rng.shuffled(things), "you must write yourself"),
        ("al-49", in_place, "changes the given list"),
        ("al-49", prints_it, "returns nothing"),
        ("al-49", lambda things, rng: None, "return the list with the cards"),
        ("al-49", lambda things, rng: "".join(fisher_yates(things, rng)), "return the list with the cards"),
        ("al-49", lambda things, rng: 3, "return a list"),
        ("al-49", lambda things: things, "It is called as shuffle(things, rng)"),
        ("al-49", "shuffle", "without quotation marks"),
        ("al-49b", lambda find, wishes: True, "sends a car to a job that this car cannot reach"),
        ("al-49b", misses_reach, "sends a car to a job that this car cannot reach"),
        ("al-49b", misses_twice, "gives a car two jobs"),
        ("al-49b", at_least(lambda wishes: {}), "forgets the last car"),
        ("al-49b", at_least(lesson.first_come), "nobody makes way"),
        ("al-49b", at_least(lesson.one_makes_way), "only one car makes way"),
        ("al-49b", lambda find, wishes: len(find(wishes)) == len(wishes), "Not every car can have a job there: 0 can"),
        ("al-49b", lambda find, wishes: find(wishes) == lesson.most_at_work(wishes), "several right answers"),
        ("al-49b", lambda find, wishes: False, "What do you demand that nobody promised?"),
        ("al-49b", lambda find, wishes: len(find(wishes)), "True or False"),
        ("al-49b", lambda find, wishes: print(find(wishes)), "returns nothing"),
        ("al-49b", asserts, "here return False"),
        ("al-49b", lambda find, wishes: find[wishes], "stops with TypeError"),
        ("al-49b", lambda wishes: True, "It is called as holds(find, wishes)"),
        ("al-49b", True, "give a function"),
    ],
)
def test_a_wrong_answer_gets_its_hint(capsys, name, answer, hint):
    words = said(capsys, name, answer)
    assert f"{name}: not yet: " in words and hint in words


@pytest.mark.parametrize("name", ["al-49", "al-49b"])
def test_what_is_not_written_yet_is_no_error(capsys, name):
    def stub(one, two):
        raise NotImplementedError

    assert "not written yet" in said(capsys, name, stub)


def test_an_answer_that_changes_the_wishes_changes_nobody_elses(capsys):
    def empties(find, wishes):
        verdict = counts(find, wishes)
        wishes.clear()
        return verdict

    assert "right!" in said(capsys, "al-49b", empties)
