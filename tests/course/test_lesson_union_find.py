"""Lesson 42: its cities and mirrors, right answers compared with networkx and brute force, and hints of wrong ones."""

from collections import Counter
from functools import reduce
from itertools import pairwise
from operator import xor

import networkx
import pytest

import crashlab
from crashlab.course.exercises import CHECKS
from crashlab.course.lessons import union_find as lesson
from crashlab.course.lessons.cities import named


def find(boss, one):
    while boss[one] != one:
        one = boss[one]
    return one


def join(boss, one, other):
    boss[find(boss, one)] = find(boss, other)


def net(lanes, pairs):
    result = networkx.Graph(pairs)
    result.add_nodes_from(lanes)
    return result


# The streets


@pytest.mark.parametrize("state", [lesson.town(), lesson.city()])
def test_all_lanes_are_one_part_in_the_end(state):
    lanes, pairs = lesson.lanes_of(state.streets), lesson.openings(state.streets)
    assert networkx.is_connected(net(lanes, pairs))
    assert {frozenset(pair) for pair in pairs} == {
        frozenset([named(one), named(two)])
        for one in state.streets.connected((0, 0))
        for two in state.streets.beside(one)
    }


def test_in_the_city_one_boss_changes_the_colour_of_a_quarter_of_the_lanes_even_of_the_smaller_part():
    lanes, pairs = lesson.lanes_of(lesson.city().streets), lesson.openings(lesson.city().streets)
    forest, changes, smaller = {lane: lane for lane in lanes}, [], []
    for one, other in pairs:
        before, bosses = lesson.painted(forest), dict(forest)
        count = Counter(before.values())
        smaller.append(0 if before[one] == before[other] else min(count[before[one]], count[before[other]]))
        join(forest, one, other)
        after = lesson.painted(forest)
        assert sum(bosses[lane] != forest[lane] for lane in lanes) <= 1
        changes.append(sum(before[lane] != after[lane] for lane in lanes))
    assert max(changes) > len(lanes) / 4
    assert max(smaller) > 0.4 * len(lanes)


def test_colours_are_the_parts_that_networkx_finds():
    lanes, pairs = lesson.lanes_of(lesson.city().streets), lesson.openings(lesson.city().streets)
    forest = {lane: lane for lane in lanes}
    for number, (one, other) in enumerate(pairs):
        join(forest, one, other)
        if number % 20 == 0:
            colours = lesson.painted(forest)
            mine = {frozenset(lane for lane in lanes if colours[lane] == colour) for colour in colours.values()}
            parts = networkx.connected_components(net(lanes, pairs[: number + 1]))
            assert mine == {frozenset(part) for part in parts}


def test_a_chain_is_a_shortest_way_to_the_farthest_lane():
    roads = lesson.city().streets
    chain = lesson.chain(roads)
    far = networkx.single_source_shortest_path_length(net((), lesson.openings(roads)), "0,0N")
    assert lesson.walk(chain, next(iter(chain))) == list(chain)
    assert len(chain) - 1 == max(far.values())
    ways = {(named(one), named(two)) for one in roads.connected((0, 0)) for two in roads.beside(one)}
    assert ways.issuperset(pairwise(chain))


def test_bosses_that_are_looked_up_are_counted():
    asked = lesson.CountedBosses({1: 2, 2: 2})
    assert find(asked, 1) == 2
    assert asked.asked == 3


# Autoscooter


def test_there_are_four_symmetries_and_each_undoes_itself():
    cars = list(lesson.numbers(16))
    for mirror in lesson.MIRRORS:
        assert {mirror(car) for car in cars} == set(cars)
        assert all(mirror(mirror(car)) == car for car in cars)
    assert len({tuple(map(mirror, cars)) for mirror in lesson.MIRRORS} | {tuple(cars)}) == 4
    assert all(lesson.half_turn(car) == lesson.north_south(lesson.east_west(car)) for car in cars)


def test_what_is_beside_a_hex_is_beside_it_in_a_mirror():
    state = lesson.position(3)
    at = {car[1:3]: state.place(car[1:3]) for car in lesson.numbers(16)}

    def near(one, two):
        return abs(at[one][0] - at[two][0]) + abs(at[one][1] - at[two][1]) < 110

    def seen(mirror, place):
        return mirror((1, *place, "E", 0))[1:3]

    assert len(at) == 38 and None not in at.values()
    for mirror in lesson.MIRRORS:
        assert all(near(one, two) == near(seen(mirror, one), seen(mirror, two)) for one in at for two in at)


def test_mirrored_positions_pay_the_same():
    paid = Counter()
    for seed in range(60):
        position = lesson.position(seed)
        planned = lesson.plans(position, seed)
        purses = lesson.paid(position, planned)
        for mirror in lesson.MIRRORS:
            paid[lesson.paid(lesson.image(position, mirror), planned, mirror) == purses] += 1
        paid["something happens"] += purses != tuple(position.scores)
    assert paid[True] == 180 and not paid[False]
    assert paid["something happens"] > 30


def test_unturned_plans_in_a_mirror_do_not():
    """The previous test can fail."""
    different = 0
    for seed in range(20):
        position = lesson.position(seed)
        planned = lesson.plans(position, seed)
        try:
            unturned = lesson.paid(lesson.image(position, lesson.east_west), planned)
        except crashlab.CrashlabError:
            continue
        different += unturned != lesson.paid(position, planned)
    assert different


def test_numbers_have_so_many_bits_and_differ():
    wide, short = lesson.numbers(), lesson.numbers(8)
    assert len(set(wide.values())) == len(wide) == 8 * 38 * 6 * 4
    assert max(short.values()) == 255
    ones = sum(number.bit_count() for number in wide.values()) / len(wide)
    assert 31 < ones < 33
    assert set(lesson.cars_of(lesson.position(3))) <= set(wide)


# The exercises


def reads_only(boss, one):
    return find(boss, one)


def halving(boss, one):
    """Halve the path with one lookup less, while the lesson's answer looks up the new boss again."""
    while (up := boss[one]) != one:
        boss[one] = one = boss[up]
    return one


def compresses(boss, one):
    speaker = find(boss, one)
    while boss[one] != speaker:
        boss[one], one = speaker, boss[one]
    return speaker


def splits(boss, one):
    while boss[one] != one:
        boss[one], one = boss[boss[one]], boss[one]
    return one


def first_only(boss, one):
    boss[one] = boss[boss[one]]
    return find(boss, one)


def gives_nothing(boss, one):
    halving(boss, one)


def gives_the_boss(boss, one):
    halving(boss, one)
    return boss[one] if boss[one] != one else one - 1


def one_step(boss, one):
    return boss[one]


def moves_all(boss, one):
    way = [one]
    while boss[way[-1]] != way[-1]:
        way.append(boss[way[-1]])
    for node in way:
        boss[node] = boss[boss[node]]
    return way[-1]


def runs_in_a_circle(boss, one):
    speaker = find(boss, one)
    boss[speaker] = one
    return speaker


def total(key, table, gone, come):
    return key - sum(table[pair] for pair in gone) + sum(table[pair] for pair in come)


def hashes(key, table, gone, come):
    return reduce(xor, (hash(table[pair]) * 3 for pair in [*gone, *come]), key)


def test_a_right_find_finds_what_networkx_says():
    for boss, one in lesson.forests():
        part = networkx.node_connected_component(net(boss, boss.items()), one)
        speaker, after = lesson.halved(dict(boss), one)
        assert speaker in part and boss[speaker] == speaker
        assert {node: find(after, node) for node in boss} == {node: find(boss, node) for node in boss}
        assert len(lesson.walk(after, one)) - 1 == len(lesson.walk(boss, one)) // 2


def test_a_right_key_is_that_of_the_whole_board():
    rng = crashlab.Random(1)
    table = {(car, place): 1 + rng.below(1 << 24) for car in range(8) for place in range(9)}
    for _ in range(50):
        before, after = ({(car, rng.below(9)) for car in range(8)} for _ in range(2))
        key, want = (reduce(xor, (table[pair] for pair in some)) for some in (before, after))
        assert lesson.moved(key, table, sorted(before - after), sorted(after - before)) == want


@pytest.mark.parametrize(
    "name, answer",
    [
        ("al-42", halving),
        ("al-42b", lambda key, numbers, gone, come: reduce(xor, map(numbers.get, [*come, *gone]), key)),
    ],
)
def test_a_right_answer_is_right(capsys, name, answer):
    assert crashlab.check(name, answer)
    assert capsys.readouterr().out == f"{name}: right! {CHECKS[name].then}\n"


@pytest.mark.parametrize(
    "name, answer, hint",
    [
        ("al-42", reads_only, "no element has moved up"),
        ("al-42", reads_only, "Step by step: yours ends here, but a right one set boss[0] = 2"),
        ("al-42", compresses, "That is full compression"),
        ("al-42", splits, "continue from the *new* boss"),
        ("al-42", first_only, "afterwards the boss of 2 is 3; it should be 4"),
        ("al-42", gives_nothing, "nothing is returned"),
        ("al-42", gives_the_boss, "you say -1. A speaker is its own boss"),
        ("al-42", one_step, "the speaker is 2, and you say 1"),
        ("al-42", moves_all, "continue from the *new* boss"),
        ("al-42", runs_in_a_circle, "not on the path"),
        ("al-42", lambda boss: 0, "stops with TypeError"),
        ("al-42b", total, "You add and subtract"),
        ("al-42b", lambda key, table, gone, come: lesson.moved(key, table, (), come), "are still in the key"),
        (
            "al-42b",
            lambda key, table, gone, come: lesson.moved(key, table, gone, ()),
            "The numbers that have come are not in the key",
        ),
        ("al-42b", lambda key, table, gone, come: lesson.moved(0, table, gone, come), "The old key is lost"),
        ("al-42b", lambda key, table, gone, come: lesson.moved(0, table, (), come), "of the new numbers alone"),
        ("al-42b", hashes, "Does every number of both lists go in once"),
        ("al-42b", lambda key, table, gone, come: [key], "must return one number"),
        ("al-42b", lambda key, table, gone, come: None, "Return one whole number"),
        ("al-42b", lambda key, table, gone, come: 1.0 * lesson.moved(key, table, gone, come), "one whole number"),
    ],
)
def test_a_wrong_answer_gets_its_hint(capsys, name, answer, hint):
    assert not crashlab.check(name, answer)
    words = capsys.readouterr().out
    assert words.startswith(f"{name}: not yet: ") and hint in words
