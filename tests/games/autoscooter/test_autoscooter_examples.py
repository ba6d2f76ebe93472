"""The worked examples of the Autoscooter rules, and similar ones, each as one line of a table.

A is car 1 of the first seat, which moves; B is car 2 of the second seat.
"""

from __future__ import annotations

import copy
import re
from typing import Any, NamedTuple

import pytest
from autoscooter_positions import *

import crashlab

# Example | A and its manoeuvre | other car | A then | other then | chits | crash | given
EXAMPLES = """
1        | (2,1) E s2 FFF  | B (2,3) W s1          | (2,2) E s0  | (2,3) W s0  | A+2 B-2 | AS-C1
2        | (2,2) E s1 F    | B (2,3) W s3          | (2,2) E s0  | (2,3) W s0  | A-2 B+2 | AS-C1
3        | (2,2) E s2 FF   | B (2,3) W s2          | (2,2) E s0  | (2,3) W s0  |         | AS-C1
4        | (2,2) E s0 F    | B (2,3) * s0          | (2,2) E s0  | (2,3) * s0  | A+1 B-1 | AS-C2
5        | (2,1) E s2 FFF  | B (2,3) E s1          | (2,2) E s3  | (2,3) E s1  | A+3 B-3 | AS-C3
6        | (2,1) E s2 FF   | B (2,3) SE s2         | (2,2) E s2  | (2,3) E s2  | A+4 B-4 | AS-C4
7        | (2,2) E s1 FF   | B (2,3) NW s3         | (2,2) E s2  | (2,3) NE s3 | A+5 B-5 | AS-C4
8        | (0,3) E s2 FFF  |                       | (0,4) E s0  |             | A-3     | AS-C5
9        | (2,1) E s1 FF   | driverless (2,2) W s0 | (2,1) E s0  | (2,2) W s0  | A-2     | AS-C5
10       | (2,1) E s2 FF   | own (2,3) SE s2       | (2,2) E s2  | (2,3) E s2  | A-4     | AS-C4
11       | (2,1) E s2 FF   | B (2,3) SE s2         | (2,2) E s2  | (2,3) E s2  | A+1 B-1 | AS-C4 | B=1
12       | (3,2) E s1 FLFR |                       | (2,3) E s2  |             |         |
13       | (3,2) E s1 FLFR | B (2,3) SW s1         | (3,3) NE s0 | (2,3) SW s0 | A+1 B-1 | AS-C1
about    | (2,4) E s0 P    |                       | (2,4) W s0  |             |         |
anyway   | (2,4) E s0 FL   |                       | (2,4) NE s0 |             | A-1     | AS-C5 | anyway
pivot    | (2,4) E s0 FLL  |                       | (1,4) NW s1 |             |         |       | pivot
pivot s1 | (2,4) E s1 FLL  |                       | (2,4) E s0  |             | A-1     | AS-C5 | pivot
own      | (2,1) E s2 FFF  | own (2,3) W s1        | (2,2) E s0  | (2,3) W s0  | A-2     | AS-C1
own v    | (2,1) E s2 FFF  | own (2,3) W s1        | (2,2) E s0  | (2,3) W s0  | A-3     | AS-C1 | speed
"""

# The examples in which B can have moved before: its start and its manoeuvre
B_MOVED_FIRST = {
    "1": "(2,4) W s1 F",
    "3": "(0,4) SW s2 FFR",
    "5": "(2,2) E s1 F",
    "6": "(0,2) SE s2 FF",
    "7": "(5,5) NW s3 FFF",
    "10": "(0,2) SE s2 FF",
    "11": "(0,2) SE s2 FF",
    "13": "(1,4) SW s1 F",
}
HOUSE_RULES = {
    "anyway": {"standstill": "turn_anyway"},
    "pivot": {"standstill": "pivot_first"},
    "speed": {"own_car": "speed"},
    "3 players": {"players": 3},
    "4 players": {"players": 4},
}
CAR_OF = {"B": 2, "own": 5, "driverless": 4}


class Example(NamedTuple):
    name: str
    mover: str
    manoeuvre: str
    label: str
    other: str
    mover_then: str
    other_then: str
    change: dict[str, int]
    case: str
    chits: dict[str, int]
    options: dict[str, Any]

    @property
    def other_car(self):
        return CAR_OF.get(self.label, 0)

    @property
    def cars(self):
        return {1: self.mover} | ({self.other_car: self.other} if self.label else {})

    @property
    def then(self):
        return {1: self.mover_then} | ({self.other_car: self.other_then} if self.label else {})

    @property
    def crashes(self):
        return [(self.case, 1, self.other_car, self.manoeuvre.count("F"))] if self.case else []

    def state(self):
        return read(self.cars, {"chits": self.chits}, **self.options)


def example_from(line):
    parts = [part.strip() for part in line.split("|")]
    name, mover, other, mover_then, other_then, chits, case, *more = parts
    mover, manoeuvre = mover.rsplit(" ", 1)
    label, _, other = other.partition(" ")
    has, options = chits_and_options(more, players=3 if label == "driverless" else 4)
    change = change_from(chits)
    return Example(name, mover, manoeuvre, label, other, mover_then, other_then, change, case, has, options)


def chits_and_options(texts, players):
    """Parse the last column: chits at the start, and options by their short names."""
    words = [word.strip() for text in texts for word in text.split(",")]
    chits = {word[0]: int(word[2:]) for word in words if "=" in word}
    options = {"players": players}
    for word in words:
        options |= HOUSE_RULES.get(word, {})
    return chits, options


def change_from(chits):
    return {seat: int(count) for seat, count in re.findall(r"([A-H])([+-]\d+)", chits)}


def examples():
    """Return the lines of the table as cases; a line with * once for each facing."""
    lines = [
        line.replace("*", facing)
        for line in EXAMPLES.strip().splitlines()
        for facing in (FACINGS if "*" in line else ("",))
    ]
    return [pytest.param(example_from(line), id=line.split("|")[0].strip()) for line in lines]


def named(*names):
    return [parameter for parameter in examples() if parameter.values[0].name in names]


def assert_chits_changed(before, after, change):
    seats = range(len(before.scores))
    assert [after.scores[seat] - before.scores[seat] for seat in seats] == [
        change.get("ABCDEFGH"[seat], 0) for seat in seats
    ]
    assert after.box - before.box == -sum(change.values())


def assert_as_expected(example, state, turn):
    now = moment_after(turn, 1)
    assert {car: show(now.cars[car]) for car in now.cars} == example.then
    assert_chits_changed(state, now, example.change)
    w = int(example.other[-1]) if example.label else 0
    assert crashes_in(own_move(turn, 1)) == [(*crash, w) for crash in example.crashes]


@pytest.mark.parametrize("example", examples())
def test_a_worked_example_where_the_other_car_has_still_to_move(example):
    state = example.state()
    assert_as_expected(example, state, play_round(state, {1: f"{early(1)} {example.manoeuvre}"}))


@pytest.mark.parametrize("example", named(*B_MOVED_FIRST))
def test_a_worked_example_where_the_other_car_has_moved(example):
    came_from, manoeuvre = B_MOVED_FIRST[example.name].rsplit(" ", 1)
    moved_first(example, came_from, manoeuvre)


@pytest.mark.parametrize("example", named("4"))
def test_example_4_where_the_other_car_has_just_turned_on_its_hex(example):
    facing = example.other.split()[1]
    back = FACINGS[FACINGS.index(facing) - 3]
    moved_first(example, example.other.replace(facing, back), "P")


def moved_first(example, came_from, manoeuvre):
    car = example.other_car
    state = example._replace(other=came_from).state()
    turn = play_round(state, {car: f"{early(car)} {manoeuvre}", 1: f"{late(1)} {example.manoeuvre}"})
    assert show(moment_after(turn, car).cars[car]) == example.other
    assert_as_expected(example, state, turn)


def test_more_examples_a_car_at_0_whose_plot_has_become_illegal_stays():
    """A at (2,1) plotted FFF from speed 2; B drives into its front first, at equal speed."""
    state = read({1: "(2,1) E s2", 2: "(2,3) W s2"})
    turn = play_round(state, {1: f"{late(1)} FFF", 2: f"{early(2)} FF"})
    assert show(moment_after(turn, 2).cars[1]) == "(2,1) E s0"
    assert show(moment_after(turn, 1).cars[1]) == "(2,1) E s0"
    assert "AS-R6" in cited(own_move(turn, 1))
    assert_chits_changed(state, turn.after, {})


def test_more_examples_an_illegal_plot_at_speed_3_goes_straight_at_speed_3():
    """No play leads here (a waiting car can only be stopped), so the speed changes behind the rules."""
    plain = {
        "cars": {"1": car_from("(2,1) E s2"), "2": car_from("(2,4) W s1"), "5": car_from("(6,0) E s0")},
        "plots": {"1": f"{early(1)} FLL", "2": f"{late(2)} F"},
    }
    legal = read({}, plain)
    table = copy.deepcopy(legal.table)
    table.speed[0] = 3
    state = crashlab.State(legal.game, table)
    turn = state.play({0: f"{late(5)} P"})
    now = moment_after(turn, 1)
    assert [show(now.cars[1]), show(now.cars[2])] == ["(2,3) E s0", "(2,4) W s0"]
    assert_chits_changed(state, now, {"A": +2, "B": -2})
    assert crashes_in(own_move(turn, 1)) == [("AS-C1", 1, 2, 3, 1)]
    assert "AS-R6" in cited(own_move(turn, 1))


@pytest.mark.parametrize(("legality", "gain"), [("at_move", 0), ("at_planning", 3)])
def test_more_examples_a_car_stopped_before_its_own_move(legality, gain):
    state = read({1: "(2,2) E s2", 2: "(2,3) W s2"}, legality=legality)
    turn = play_round(state, {1: f"{late(1)} FFF", 2: f"{early(2)} FF"})
    assert crashes_in(own_move(turn, 2)) == [("AS-C1", 2, 1, 2, 2)]
    assert crashes_in(own_move(turn, 1)) == ([("AS-C2", 1, 2, 3, 0)] if gain else [])
    assert [show(turn.after.cars[car]) for car in (1, 2)] == ["(2,2) E s0", "(2,3) W s0"]
    assert_chits_changed(state, turn.after, {"A": gain, "B": -gain})


# Rear pushes. Cars are written by number (the first one drives); of 8 players A has car 1, B has car 2....
# Name | cars | cars then | chits | crashes (rule, rammer, hit, v) | given
CHAINS = """
the printed four: away in line
    | 1 (3,0) E s2 FF, 2 (3,1) E s2, 3 (3,2) E s1 | 1 (3,0) E s2, 2 (3,2) E s2, 3 (3,3) E s1
    | A+2 C-2 | C3 1>2 v2, C3 2>3 v2
the printed four: front
    | 1 (3,0) E s2 FF, 2 (3,1) E s2, 3 (3,2) W s3 | 1 (3,0) E s2, 2 (3,1) E s0, 3 (3,2) W s0
    | A+2 B-3 C+1 | C3 1>2 v2, C1 2>3 v2
the printed four: side
    | 1 (3,0) E s2 FF, 2 (3,1) E s2, 3 (3,2) SE s1 | 1 (3,0) E s2, 2 (3,1) E s2, 3 (3,2) E s1
    | A+2 B+1 C-3 | C3 1>2 v2, C4 2>3 v2
the printed four: driverless
    | 1 (3,0) E s2 FF, 2 (3,1) E s2, 4 (3,2) E s0 | 1 (3,0) E s2, 2 (3,1) E s0, 4 (3,2) E s0
    | A+2 B-4 | C3 1>2 v2, C5 2>4 v2 | 3 players
one car is shoved into a free hex
    | 1 (3,0) E s1 F, 2 (3,1) E s3, 3 (3,3) E s1 | 1 (3,0) E s1, 2 (3,2) E s3, 3 (3,3) E s1
    | A+1 B-1 | C3 1>2 v1
the barrier ends it
    | 1 (3,4) E s2 FFF, 2 (3,5) E s1 | 1 (3,4) E s3, 2 (3,5) E s0
    | A+3 B-4 | C3 1>2 v3, C5 2>0 v1
five cars in line with room for one hex
    | 1 (3,0) E s2 FF, 2 (3,1) E s1, 3 (3,2) E s2, 4 (3,3) E s3, 5 (3,4) E s1
    | 1 (3,0) E s2, 2 (3,2) E s1, 3 (3,3) E s2, 4 (3,4) E s3, 5 (3,5) E s1
    | A+2 B-1 C+1 D+1 E-3 | C3 1>2 v2, C3 2>3 v1, C3 3>4 v2, C3 4>5 v3
the longest chain: five shoves, the last into the barrier
    | 1 (3,0) E s2 FF, 2 (3,1) E s1, 3 (3,2) E s2, 4 (3,3) E s3, 5 (3,4) E s1, 6 (3,5) E s2
    | 1 (3,0) E s2, 2 (3,1) E s1, 3 (3,2) E s2, 4 (3,3) E s3, 5 (3,4) E s1, 6 (3,5) E s0
    | A+2 B-1 C+1 D+1 E-2 F-3 | C3 1>2 v2, C3 2>3 v1, C3 3>4 v2, C3 4>5 v3, C3 5>6 v1, C5 6>0 v2
a stationary car ends it
    | 1 (3,0) E s2 FF, 2 (3,1) E s3, 3 (3,2) NW s0 | 1 (3,0) E s2, 2 (3,1) E s0, 3 (3,2) NW s0
    | A+2 B+1 C-3 | C3 1>2 v2, C2 2>3 v3
a stationary car in line counts as stationary, not as rear
    | 1 (3,0) E s2 FF, 2 (3,1) E s3, 3 (3,2) E s0 | 1 (3,0) E s2, 2 (3,1) E s0, 3 (3,2) E s0
    | A+2 B+1 C-3 | C3 1>2 v2, C2 2>3 v3
a side ends it and nobody moves up
    | 1 (3,0) E s2 FF, 2 (3,1) E s2, 3 (3,2) E s1, 4 (3,3) NE s2
    | 1 (3,0) E s2, 2 (3,1) E s2, 3 (3,2) E s1, 4 (3,3) E s2
    | A+2 C+1 D-3 | C3 1>2 v2, C3 2>3 v2, C4 3>4 v1
a front ends it, the shoved car is the faster one
    | 1 (3,0) E s1 F, 2 (3,1) E s3, 3 (3,2) W s1 | 1 (3,0) E s1, 2 (3,1) E s0, 3 (3,2) W s0
    | A+1 B+1 C-2 | C3 1>2 v1, C1 2>3 v3
a front at equal speed ends it
    | 1 (3,0) E s1 F, 2 (3,1) E s2, 3 (3,2) W s2 | 1 (3,0) E s1, 2 (3,1) E s0, 3 (3,2) W s0
    | A+1 B-1 | C3 1>2 v1, C1 2>3 v2
along a diagonal
    | 1 (6,0) NE s1 F, 2 (5,1) NE s2, 3 (4,1) NE s1 | 1 (6,0) NE s1, 2 (4,1) NE s2, 3 (3,2) NE s1
    | A+1 B+1 C-2 | C3 1>2 v1, C3 2>3 v2
the blow goes along the blocked step, not along the first one
    | 1 (4,1) NE s1 FRF, 2 (3,3) E s1 | 1 (3,2) E s2, 2 (3,4) E s1
    | A+2 B-2 | C3 1>2 v2
who has too little pays it before collecting
    | 1 (3,0) E s2 FF, 2 (3,1) E s2, 3 (3,2) E s1 | 1 (3,0) E s2, 2 (3,2) E s2, 3 (3,3) E s1
    | A+1 B+1 C-2 | C3 1>2 v2, C3 2>3 v2 | B=1
own cars: the first blow
    | 1 (3,0) E s2 FF, 5 (3,1) E s1, 2 (3,2) E s2 | 1 (3,0) E s2, 5 (3,2) E s1, 2 (3,3) E s2
    | A-1 B-1 | C3 1>5 v2, C3 5>2 v1 | 4 players
own cars: a front in the chain
    | 1 (3,0) E s1 F, 2 (3,1) E s3, 6 (3,2) W s1 | 1 (3,0) E s1, 2 (3,1) E s0, 6 (3,2) W s0
    | A+1 B-3 | C3 1>2 v1, C1 2>6 v3 | 4 players
own cars: a front in the chain, paying the speed
    | 1 (3,0) E s1 F, 2 (3,1) E s3, 6 (3,2) W s1 | 1 (3,0) E s1, 2 (3,1) E s0, 6 (3,2) W s0
    | A+1 B-4 | C3 1>2 v1, C1 2>6 v3 | 4 players, speed
own cars: a side in the chain
    | 1 (3,0) E s1 F, 2 (3,1) E s3, 6 (3,2) NE s2 | 1 (3,0) E s1, 2 (3,1) E s3, 6 (3,2) E s2
    | A+1 B-6 | C3 1>2 v1, C4 2>6 v3 | 4 players
own cars: rear, and both move up
    | 1 (3,0) E s1 F, 2 (3,1) E s3, 6 (3,2) E s2 | 1 (3,0) E s1, 2 (3,2) E s3, 6 (3,3) E s2
    | A+1 B-4 | C3 1>2 v1, C3 2>6 v3 | 4 players
own cars: a stationary car at the end
    | 1 (3,0) E s1 F, 2 (3,1) E s3, 6 (3,2) E s0 | 1 (3,0) E s1, 2 (3,1) E s0, 6 (3,2) E s0
    | A+1 B-4 | C3 1>2 v1, C2 2>6 v3 | 4 players
the rammer makes its turn after the chain
    | 1 (3,0) E s1 FL, 2 (3,1) E s1, 3 (3,2) E s1 | 1 (3,0) NE s1, 2 (3,2) E s1, 3 (3,3) E s1
    | A+1 C-1 | C3 1>2 v1, C3 2>3 v1 | anyway
"""


class Chain(NamedTuple):
    cars: dict[int, str]
    manoeuvre: str
    then: dict[int, str]
    change: dict[str, int]
    crashes: list[tuple[str, int, int, int]]
    chits: dict[str, int]
    options: dict[str, Any]


def chain_from(entry):
    _, cars, then, chits, crashes, *more = (part.strip() for part in entry.split("|"))
    manoeuvre = cars.split(", ")[0].split(" ")[-1]
    cars = cars.replace(f" {manoeuvre}", "", 1)
    notes = [
        (f"AS-{rule}", int(rammer), int(hit), int(v))
        for rule, rammer, hit, v in re.findall(r"(C\d) (\d)>(\d) v(\d)", crashes)
    ]
    has, options = chits_and_options(more, players=8)
    return Chain(cars_from(cars), manoeuvre, cars_from(then), change_from(chits), notes, has, options)


def cars_from(words):
    return {int(car[0]): car[2:] for car in words.split(", ")}


def chains():
    entries = re.split(r"\n(?=\S)", CHAINS.strip())
    return [pytest.param(chain_from(entry), id=entry.split("\n")[0]) for entry in entries]


@pytest.mark.parametrize("chain", chains())
def test_a_rear_push(chain):
    state = read(chain.cars, {"chits": chain.chits}, rear_push=True, **chain.options)
    turn = play_round(state, {1: f"{early(1)} {chain.manoeuvre}"})
    now = moment_after(turn, 1)
    assert {car: show(now.cars[car]) for car in now.cars} == chain.then
    assert_chits_changed(state, now, chain.change)
    events = own_move(turn, 1)
    assert [crash[:4] for crash in crashes_in(events)] == chain.crashes
    assert_each_shove_is_told(turn, events)


def assert_each_shove_is_told(turn, events):
    """Each rear hit causes a shove, each crash but the first is caused by one, and cars move up one by one."""
    by_number = {event.number: event for event in turn.events}
    notes = [event for event in events if event.field is None and event.rule in CRASH_CASES]
    shoves = [event for event in events if event.field is None and event.rule == "AS-V1"]
    assert [note.number for note in notes if note.rule == "AS-C3"] == [shove.cause for shove in shoves]
    assert all(shove.beat > by_number[shove.cause].beat for shove in shoves)
    assert [note.cause for note in notes[1:]] == [shove.number for shove in shoves][: len(notes) - 1]
    moved = [event for event in events if event.field == "cell" and event.rule == "AS-V1"]
    assert [event.cause for event in moved] in ([], [shove.number for shove in reversed(shoves)])
    assert len({event.beat for event in moved}) == len(moved)


@pytest.mark.parametrize("chain", chains())
def test_without_the_variant_the_car_hit_from_behind_stays(chain):
    turn = play_round(read(chain.cars, **chain.options), {1: f"{early(1)} {chain.manoeuvre}"})
    now = moment_after(turn, 1)
    assert [crash[:4] for crash in crashes_in(own_move(turn, 1))] == chain.crashes[:1]
    assert all(show(now.cars[car]) == words for car, words in chain.cars.items() if car != 1)
    assert "AS-V1" not in cited(turn.events)


def test_a_shoved_car_still_makes_its_plotted_move_from_its_new_hex():
    state = read({1: "(3,0) E s2", 2: "(3,1) E s2"}, rear_push=True)
    turn = play_round(state, {1: f"{early(1)} FF", 2: f"{late(2)} FLF"})
    assert show(moment_after(turn, 1).cars[2]) == "(3,2) E s2"
    assert show(turn.after.cars[2]) == "(2,3) NE s2"
    assert_chits_changed(state, turn.after, {"A": +2, "B": -2})


def test_a_car_shoved_into_the_barrier_is_stopped_and_its_plot_no_longer_fits():
    state = read({1: "(3,4) E s1", 2: "(3,5) E s2"}, rear_push=True)
    turn = play_round(state, {1: f"{early(1)} F", 2: f"{late(2)} FLF"})
    assert show(turn.after.cars[2]) == "(3,5) E s0"
    assert "AS-R6" in cited(own_move(turn, 2))
    assert_chits_changed(state, turn.after, {"A": +1, "B": -1 - 2})
