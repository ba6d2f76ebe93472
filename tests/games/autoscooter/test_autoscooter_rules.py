"""Each rule of Autoscooter is tested from the rules text alone; the mark names the rule that a test proves."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter

import pytest
from autoscooter_positions import *

import crashlab

HEXES = [(row, column) for row in range(7) for column in range(5 + row % 2)]
ONE_TURN = ("FLL", "FL", "F", "FR", "FRR")
TWO_TURNS = ("FLFL", "FLF", "FLFR", "FFL", "FF", "FFR", "FRFL", "FRF", "FRFR")
LEGAL = {0: ONE_TURN, 1: ONE_TURN + TWO_TURNS, 2: (*ONE_TURN, *TWO_TURNS, "FFF"), 3: (*TWO_TURNS, "FFF")}
SPEEDS = (0, 1, 2, 3)


def game(**options):
    return crashlab.game("autoscooter", **options)


def manoeuvres(state, seat):
    """Count the legal manoeuvres (each once for every unused number)."""
    return Counter(str(action).split()[1] for action in state.actions(seat))


def numbers(state, seat):
    """Return the legal log sheet numbers."""
    return {int(str(action).split()[0]) for action in state.actions(seat)}


def change(turn, state=None):
    """Return the gains of the seats and, last, of the box."""
    before, after = turn.before, state or turn.after
    counts = zip(before.scores, after.scores, strict=True)
    return [*(now - then for then, now in counts), after.box - before.box]


def alone(words, manoeuvre, **options):
    """Return the turn of one car that is alone on the board."""
    return play_round(read({1: words}, **options), {1: f"{early(1)} {manoeuvre}"})


# Board


def barrier_sides():
    """Return each hex and facing from which a step of one hex is a crash into the barrier."""
    sides = set()
    for place in HEXES:
        for facing in FACINGS:
            turn = alone(f"({place[0]},{place[1]}) {facing} s1", "F")
            if crashes_in(turn.events):
                assert crashes_in(turn.events) == [("AS-C5", 1, 0, 1, 0)]
                assert turn.after.cars[1].hex == place
                sides.add((place, facing))
    return sides


@pytest.fixture(scope="module")
def sides():
    return barrier_sides()


@pytest.mark.rule("AS-B1")
def test_the_board_has_38_hexes_with_a_barrier_all_round(sides):
    assert len(HEXES) == 38
    assert len(sides) == 46
    neighbours = Counter(6 - sum((place, facing) in sides for facing in FACINGS) for place in HEXES)
    assert neighbours == {6: 18, 5: 4, 4: 6, 3: 10}


@pytest.mark.rule("AS-B1")
def test_two_cars_never_share_a_hex():
    with pytest.raises(crashlab.CrashlabError):
        read({1: "(2,1) E s0", 2: "(2,1) W s0"})


@pytest.mark.rule("AS-B1")
def test_the_side_opposite_a_barrier_side_is_never_barrier(sides):
    assert all((place, FACINGS[FACINGS.index(facing) - 3]) not in sides for place, facing in sides)


@pytest.mark.rule("AS-B2")
@pytest.mark.parametrize("place", [(7, 0), (-1, 0), (0, 5), (1, 6), (3, -1), (6, 5)])
def test_other_hexes_do_not_exist(place):
    with pytest.raises(crashlab.CrashlabError):
        game().read({"cars": {"1": {"hex": list(place), "facing": "E", "speed": 0}}})


@pytest.mark.rule("AS-B2")
@pytest.mark.parametrize(
    ("start", "ends"),
    [
        ((2, 2), {"E": (2, 3), "NE": (1, 3), "NW": (1, 2), "W": (2, 1), "SW": (3, 2), "SE": (3, 3)}),
        ((3, 2), {"E": (3, 3), "NE": (2, 2), "NW": (2, 1), "W": (3, 1), "SW": (4, 1), "SE": (4, 2)}),
    ],
)
def test_the_six_directions_on_even_and_odd_rows(start, ends):
    for facing, end in ends.items():
        assert alone(f"({start[0]},{start[1]}) {facing} s1", "F").after.cars[1].hex == end


@pytest.mark.rule("AS-B2")
def test_a_left_turn_is_counter_clockwise():
    turned = [alone(f"(3,2) {facing} s1", "FL").after.cars[1].facing for facing in FACINGS]
    assert turned == ["NE", "NW", "W", "SW", "SE", "E"]
    turned = [alone(f"(3,2) {facing} s1", "FR").after.cars[1].facing for facing in FACINGS]
    assert turned == ["SE", "E", "NE", "NW", "W", "SW"]


# Set-up


@pytest.mark.rule("AS-S1")
@pytest.mark.parametrize("players", range(2, 9))
def test_eight_cars_start_at_speed_0(players):
    state = game(players=players).start(seed=0)
    assert sorted(state.cars) == list(range(1, 9))
    assert {car.speed for car in state.cars.values()} == {0}


@pytest.mark.rule("AS-S2")
@pytest.mark.parametrize(
    ("players", "cars", "cars_each", "chits"),
    [
        (2, 4, 4, 20),
        (2, 3, 3, 20),
        (3, 4, 2, 20),
        (4, 4, 2, 20),
        (5, 4, 1, 15),
        (6, 4, 1, 12),
        (7, 4, 1, 10),
        (8, 4, 1, 10),
    ],
)
def test_cars_and_chits_for_each_number_of_players(players, cars, cars_each, chits):
    state = game(players=players, cars=cars).start(seed=0)
    assert state.scores == (chits,) * players
    assert state.box == 0
    assert {len(numbers) for numbers in drivers(state).values()} == {cars_each}


@pytest.mark.rule("AS-S2")
@pytest.mark.parametrize("options", [{"players": 1}, {"players": 9}, {"players": 4, "cars": 3}, {"cars": 2}])
def test_other_tables_are_refused(options):
    with pytest.raises(crashlab.CrashlabError):
        game(**options).start(seed=0)


@pytest.mark.rule("AS-S2")
def test_a_position_set_up_by_hand():
    state = read({3: "(2,1) E s2"}, {"round": 9, "chits": {"B": 5}})
    assert dict(state.cars).keys() == {3}
    assert state.cars[3].unused == (67, 78, 83)
    assert state.scores == (20, 5, 20, 20)
    assert state.box == 15
    assert show(state.cars[3]) == "(2,1) E s2"


@pytest.mark.rule("AS-S2")
def test_speed_0_and_round_1_are_taken_for_granted():
    state = game().read({"cars": {"8": {"hex": [0, 0], "facing": "SE"}}})
    assert state.cars[8].speed == 0
    assert len(state.cars[8].unused) == 11


@pytest.mark.rule("AS-S2")
def test_an_absent_car_blocks_nothing():
    state = read({1: "(0,0) E s2"})  # car 1 starts at (0,1), car 2 at (0,3): both hexes are free here
    assert show(play_round(state, {1: "1 FFF"}).after.cars[1]) == "(0,3) E s3"


@pytest.mark.rule("AS-S3")
def test_a_driverless_car_stays_and_counts_as_barrier():
    state = read({1: "(2,1) E s1", 4: "(2,2) W s0", 2: "(6,0) E s0"}, players=3)
    assert state.cars[4].driver is None
    turn = play_round(state, {1: "1 FF"})
    assert crashes_in(turn.events) == [("AS-C5", 1, 4, 2, 0)]
    assert show(turn.after.cars[4]) == "(2,2) W s0"
    assert change(turn) == [-2, 0, 0, +2]


@pytest.mark.rule("AS-S3")
def test_driverless_cars_never_move_in_a_whole_game():
    state = game(players=3).start(seed=0)
    stood = [show(state.cars[car]) for car in (4, 8)]
    end = random_game(state, seed=3)[-1].after
    assert [show(end.cars[car]) for car in (4, 8)] == stood


@pytest.mark.rule("AS-S4")
def test_start_hexes_and_facings():
    state = game().start(seed=5)
    assert [show(state.cars[car]) for car in range(1, 9)] == [
        "(0,1) SE s0",
        "(0,3) SW s0",
        "(2,4) W s0",
        "(4,4) W s0",
        "(6,3) NW s0",
        "(6,1) NE s0",
        "(4,0) E s0",
        "(2,0) E s0",
    ]


@pytest.mark.rule("AS-S5")
@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({"players": 2}, {0: [1, 3, 5, 7], 1: [2, 4, 6, 8]}),
        ({"players": 2, "cars": 3}, {0: [1, 3, 5], 1: [2, 4, 6]}),
        ({"players": 3}, {0: [1, 5], 1: [2, 6], 2: [3, 7]}),
        ({"players": 4}, {0: [1, 5], 1: [2, 6], 2: [3, 7], 3: [4, 8]}),
        ({"players": 5}, {0: [1], 1: [2], 2: [4], 3: [5], 4: [7]}),
        ({"players": 6}, {0: [1], 1: [2], 2: [3], 3: [5], 4: [6], 5: [7]}),
        ({"players": 7}, {0: [1], 1: [2], 2: [3], 3: [4], 4: [5], 5: [6], 6: [7]}),
        ({"players": 8}, {0: [1], 1: [2], 2: [3], 3: [4], 4: [5], 5: [6], 6: [7], 7: [8]}),
    ],
    ids=str,
)
def test_who_drives_what(options, seats):
    state = game(**options).start(seed=0)
    assert drivers(state) == seats
    driven = {car for numbers in seats.values() for car in numbers}
    assert {car for car in state.cars if state.cars[car].driver is None} == set(range(1, 9)) - driven


# Manoeuvres


@pytest.mark.rule("AS-M1")
@pytest.mark.parametrize(
    ("start", "manoeuvre"),
    [(0, "F"), (1, "F"), (1, "FF"), (2, "F"), (2, "FF"), (2, "FFF"), (3, "FF"), (3, "FFF")],
)
def test_a_car_drives_as_many_hexes_as_its_new_speed(start, manoeuvre):
    turn = alone(f"(3,1) E s{start}", manoeuvre)
    assert show(turn.after.cars[1]) == f"(3,{1 + len(manoeuvre)}) E s{len(manoeuvre)}"
    assert [event.rule for event in turn.events if event.field == "cell"] == ["AS-M1"] * len(manoeuvre)


# The hex and facing at the end of each manoeuvre of a car on (3,2) that faces east
ENDS = {
    "FLL": "(3,3) NW s1",
    "FL": "(3,3) NE s1",
    "F": "(3,3) E s1",
    "FR": "(3,3) SE s1",
    "FRR": "(3,3) SW s1",
    "FLFL": "(2,3) NW s2",
    "FLF": "(2,3) NE s2",
    "FLFR": "(2,3) E s2",
    "FFL": "(3,4) NE s2",
    "FF": "(3,4) E s2",
    "FFR": "(3,4) SE s2",
    "FRFL": "(4,3) E s2",
    "FRF": "(4,3) SE s2",
    "FRFR": "(4,3) SW s2",
    "FFF": "(3,5) E s3",
}


@pytest.mark.rule("AS-M2")
@pytest.mark.parametrize("manoeuvre", ENDS)
def test_each_manoeuvre_on_a_free_board(manoeuvre):
    turn = alone("(3,2) E s2", manoeuvre)
    assert show(turn.after.cars[1]) == ENDS[manoeuvre]
    turns = [event.rule for event in turn.events if event.field == "facing"]
    assert turns == ["AS-M2"] * len(turns)
    assert bool(turns) == bool({"L", "R"} & set(manoeuvre))


@pytest.mark.rule("AS-M2")
@pytest.mark.parametrize(("manoeuvre", "fields"), [("FRR", "cf"), ("FLFR", "cfcf"), ("FFL", "ccf"), ("FFF", "ccc")])
def test_steps_and_turns_come_one_after_another(manoeuvre, fields):
    turn = alone("(3,2) E s2", manoeuvre)
    parts = [event for event in turn.events if event.field in ("cell", "facing")]
    assert "".join(event.field[0] for event in parts) == fields
    beats = [event.beat for event in parts]
    assert beats == sorted(set(beats))


@pytest.mark.rule("AS-M2")
def test_there_are_fifteen_driving_manoeuvres():
    states = [read({1: f"(3,2) E s{speed}"}, standstill="none") for speed in SPEEDS]
    offered = {manoeuvre for state in states for manoeuvre in manoeuvres(state, 0)}
    assert offered == set(ENDS) == {*ONE_TURN, *TWO_TURNS, "FFF"}


@pytest.mark.rule("AS-M3")
@pytest.mark.parametrize("standstill", ["about_face", "pivot_first", "turn_anyway", "none"])
@pytest.mark.parametrize("speed", SPEEDS)
def test_speed_stays_or_changes_by_one(speed, standstill):
    state = read({1: f"(3,2) E s{speed}"}, standstill=standstill)
    turning = ["P"] if speed == 0 and standstill == "about_face" else []
    assert manoeuvres(state, 0) == dict.fromkeys([*LEGAL[speed], *turning], 11)
    assert len(state.actions(0)) == 11 * len([*LEGAL[speed], *turning])


@pytest.mark.rule("AS-M3")
@pytest.mark.parametrize("speed", SPEEDS)
def test_a_plot_that_does_not_fit_the_speed_is_refused(speed):
    state = read({1: f"(3,2) E s{speed}"})
    text = state.text
    for manoeuvre in {*ENDS, "P"} - {*LEGAL[speed], *(["P"] if speed == 0 else [])}:
        assert_refused(state, f"1 {manoeuvre}")
    assert state.text == text


def assert_refused(state, *plots):
    for plot in plots:
        with pytest.raises(crashlab.CrashlabError) as refusal:
            state.play({0: plot})
        assert len(str(refusal.value)) > 10
    assert state.actors[0] == 0


@pytest.mark.rule("AS-M4")
def test_notation_is_the_number_and_the_sequence():
    state = read({1: "(3,2) E s1"})
    listed = [str(action) for action in state.actions(0)]
    assert len(set(listed)) == len(listed) == 11 * 14
    assert {"1 F", "16 FLL", "81 FRFR"} <= set(listed)
    for action in state.actions(0):
        assert state.play({0: action}).after == state.play({0: str(action)}).after


@pytest.mark.rule("AS-M4")
def test_the_letters_of_the_chart_are_no_notation():
    assert_refused(read({1: "(3,2) E s1"}), *(f"1 {letter}" for letter in "ABCDEGHIJKLMNO"))


@pytest.mark.rule("AS-L1")
@pytest.mark.parametrize("plot", ["0 FLL", "00 FLL", "0 P"])
def test_number_0_is_no_number_and_does_not_mean_that_nothing_is_written(plot):
    state = read({1: "(3,2) E s1", 2: "(5,2) E s1"}, players=2)
    reason = "the numbers are 1 to 88 \\(AS-L1\\); '-' writes nothing"
    for position in (f"{state.text}; plots {plot}", f"{state.text}; plots #1 {plot}"):
        with pytest.raises(crashlab.CrashlabError, match=reason):
            state.game.read(position)
    with pytest.raises(crashlab.CrashlabError, match=reason):
        state.game.read(state.to_dict() | {"plots": {"1": plot}})
    assert re.search(reason, state.refusal(0, plot)) and state.refusal(0, "-") == ""


@pytest.mark.rule("AS-M4")
def test_f_is_the_straight_step_and_not_the_letter_of_the_chart():
    assert show(alone("(3,2) E s1", "F").after.cars[1]) == "(3,3) E s1"


@pytest.mark.rule("AS-M4")
@pytest.mark.parametrize("plot", ["", "F", "1", "x F", "1 FX", "1 L", "0 F", "89 F", "-1 F", "1 FFFF", "١ F"])
def test_anything_else_is_refused(plot):
    assert_refused(read({1: "(3,2) E s1"}), plot)


@pytest.mark.rule("AS-M4")
def test_the_number_names_the_car():
    state = read({1: "(3,2) E s1", 5: "(6,0) E s1"})
    assert_refused(state, "5 F")  # seat A is asked for car 1 first
    second = state.play({0: "1 F"}).after
    assert_refused(second, "1 F", "16 F")
    assert numbers(second, 0) == set(state.cars[5].unused)


@pytest.mark.rule("AS-M5")
@pytest.mark.parametrize("facing", FACINGS)
def test_an_about_face_turns_on_the_hex_and_uses_a_number(facing):
    turn = alone(f"(2,4) {facing} s0", "P")
    assert show(turn.after.cars[1]) == f"(2,4) {FACINGS[FACINGS.index(facing) - 3]} s0"
    assert 1 not in turn.after.cars[1].unused
    assert "AS-M5" in cited(turn.events)
    assert crashes_in(turn.events) == []


@pytest.mark.rule("AS-M5")
@pytest.mark.parametrize("standstill", ["pivot_first", "turn_anyway", "none"])
def test_only_the_option_about_face_offers_it(standstill):
    assert_refused(read({1: "(2,4) E s0"}, standstill=standstill), "1 P")


@pytest.mark.rule("AS-M5")
@pytest.mark.parametrize("standstill", ["about_face", "none"])
def test_a_car_nose_to_the_barrier_stays_so_without_it(standstill):
    for manoeuvre in ONE_TURN:
        assert show(alone("(2,4) E s0", manoeuvre, standstill=standstill).after.cars[1]) == "(2,4) E s0"


PIVOTS = {"FLL": "(2,1) NW", "FL": "(2,2) NE", "F": "(3,3) E", "FR": "(4,2) SE", "FRR": "(4,1) SW"}


@pytest.mark.rule("AS-M5")
@pytest.mark.parametrize("legality", ["at_move", "at_planning"])
@pytest.mark.parametrize("manoeuvre", ONE_TURN)
def test_pivot_first_turns_and_then_drives_from_speed_0(manoeuvre, legality):
    turn = alone("(3,2) E s0", manoeuvre, standstill="pivot_first", legality=legality)
    assert show(turn.after.cars[1]) == f"{PIVOTS[manoeuvre]} s1"
    turn = alone("(3,2) E s1", manoeuvre, standstill="pivot_first", legality=legality)
    assert show(turn.after.cars[1]) == ENDS[manoeuvre]


@pytest.mark.rule("AS-M5")
def test_pivot_first_keeps_the_turn_when_the_step_is_blocked():
    turn = alone("(0,2) E s0", "FL", standstill="pivot_first")
    assert show(turn.after.cars[1]) == "(0,2) NE s0"
    assert crashes_in(turn.events) == [("AS-C5", 1, 0, 1, 0)]
    state = read({1: "(3,2) E s0", 2: "(2,2) SW s2"}, standstill="pivot_first")
    turn = play_round(state, {1: "1 FL"})  # the blow goes north-east, into B's front
    assert crashes_in(own_move(turn, 1)) == [("AS-C1", 1, 2, 1, 2)]
    assert show(moment_after(turn, 1).cars[1]) == "(3,2) NE s0"


@pytest.mark.rule("AS-M5")
@pytest.mark.parametrize(
    ("legality", "ends", "crashes"),
    [("at_move", "(1,3) NE s1", []), ("at_planning", "(2,2) E s0", [("AS-C2", 1, 2, 1, 0)])],
)
def test_pivot_first_is_judged_on_the_speed_that_legality_judges(legality, ends, crashes):
    """A plots at speed 1 and is stopped by B: when planning it drove, at its move it stands and turns first."""
    state = read({1: "(2,2) E s1", 2: "(2,3) W s1"}, standstill="pivot_first", legality=legality)
    turn = play_round(state, {1: f"{late(1)} FL", 2: "2 F"})
    assert show(moment_after(turn, 2).cars[1]) == "(2,2) E s0"
    assert show(turn.after.cars[1]) == ends
    assert crashes_in(own_move(turn, 1)) == crashes


@pytest.mark.rule("AS-M5")
@pytest.mark.parametrize(
    ("other", "then", "case"),
    [
        (None, "(2,4) {} s0", "AS-C5"),
        ("W s2", "(2,2) {} s0", "AS-C1"),
        ("NE s0", "(2,2) {} s0", "AS-C2"),
        ("E s2", "(2,2) {} s1", "AS-C3"),
        ("NE s2", "(2,2) {} s1", "AS-C4"),
    ],
)
@pytest.mark.parametrize(
    ("manoeuvre", "facing"), [("FLL", "NW"), ("FL", "NE"), ("F", "E"), ("FR", "SE"), ("FRR", "SW")]
)
def test_turn_anyway_turns_after_whatever_crash(other, then, case, manoeuvre, facing):
    cars = {1: "(2,2) E s1", 2: f"(2,3) {other}"} if other else {1: "(2,4) E s1"}
    turn = play_round(read(cars, standstill="turn_anyway"), {1: f"1 {manoeuvre}"})
    assert show(moment_after(turn, 1).cars[1]) == then.format(facing)
    assert [crash[0] for crash in crashes_in(own_move(turn, 1))] == [case]
    turns = [event for event in own_move(turn, 1) if (event.field, event.index) == ("facing", 0)]
    assert len(turns) == (manoeuvre != "F")


@pytest.mark.rule("AS-M5")
def test_turn_anyway_is_for_speed_1_moves_only():
    assert show(alone("(2,4) E s1", "FFL", standstill="turn_anyway").after.cars[1]) == "(2,4) E s0"
    assert show(alone("(2,3) E s1", "FFL", standstill="turn_anyway").after.cars[1]) == "(2,4) E s0"


# Log sheet

SHEET = {
    1: (1, 16, 17, 32, 33, 48, 49, 64, 65, 80, 81),
    2: (2, 15, 18, 31, 34, 47, 50, 63, 66, 79, 82),
    5: (5, 12, 21, 28, 37, 44, 53, 60, 69, 76, 85),
    8: (8, 9, 24, 25, 40, 41, 56, 57, 72, 73, 88),
}


@pytest.mark.rule("AS-L1")
def test_the_log_sheet_snakes():
    state = game(players=8).start(seed=0)
    assert all(state.cars[car].unused == numbers for car, numbers in SHEET.items())
    assert sorted(number for car in state.cars.values() for number in car.unused) == list(range(1, 89))


@pytest.mark.rule("AS-L1")
def test_the_last_row_can_be_reversed():
    state = game(players=8, last_row_reversed=True).start(seed=0)
    for car, numbers in SHEET.items():
        assert state.cars[car].unused == (*numbers[:10], 89 - car)
    assert sorted(number for car in state.cars.values() for number in car.unused) == list(range(1, 89))


@pytest.mark.rule("AS-L2")
def test_any_number_in_any_round_but_each_only_once():
    state = read({1: "(3,0) E s1"})
    turn = play_round(state, {1: "81 F"})
    assert turn.after.cars[1].unused == SHEET[1][:10]
    crossed_out = [(event.text, event.rule) for event in turn.events if event.field == "used"]
    assert crossed_out == [("number 81 is crossed out", "AS-L2")]
    beats = {event.field: event.beat for event in turn.events}
    assert beats["used"] < beats["cell"] < beats["round"]
    assert_refused(turn.after, "81 F")
    assert show(play_round(turn.after, {1: "1 F"}).after.cars[1]) == "(3,2) E s1"


@pytest.mark.rule("AS-L2")
@pytest.mark.parametrize(
    "options", [{"players": 2}, {"players": 3}, {"players": 8}, {"last_row_reversed": True}], ids=str
)
def test_a_game_has_11_rounds_and_uses_up_all_numbers(options):
    turns = random_game(game(**options).start(seed=1), seed=8)
    assert len(turns) == 11
    assert ["AS-E1" in cited(turn.events) for turn in turns] == [False] * 10 + [True]
    assert not any(turn.after.over for turn in turns[:-1])
    end = turns[-1].after
    assert end.over
    assert all(car.unused == () for car in end.cars.values() if car.driver is not None)


def random_game(state, seed):
    """Return the last turn of each round of a random game."""
    chance, turns = random.Random(seed), []
    while not state.over:
        waiting = max(len(cars) for cars in drivers(state).values())
        for _ in range(waiting):
            turn = state.play({seat: chance.choice(state.actions(seat)) for seat in state.actors})
            state = turn.after
        turns.append(turn)
    return turns


# Round


@pytest.mark.rule("AS-R1")
def test_all_seats_plot_at_once_one_car_a_pass():
    state = game(players=2).start(seed=0)
    for own_cars in ((1, 2), (3, 4), (5, 6), (7, 8)):
        assert state.actors == (0, 1)
        for seat, car in enumerate(own_cars):
            assert numbers(state, seat) == set(state.cars[car].unused)
        turn = state.play({seat: f"{late(car)} P" for seat, car in enumerate(own_cars)})
        assert "AS-R1" in cited(turn.events)
        state = turn.after
    assert movers(turn) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert state.to_dict()["round"] == 2


@pytest.mark.rule("AS-R1")
def test_a_seat_is_asked_only_for_cars_on_the_board():
    state = read({1: "(0,0) E s1", 2: "(2,0) E s1", 6: "(4,0) E s1"})
    assert state.actors == (0, 1)
    second = state.play({0: "1 F", 1: "2 F"}).after
    assert second.actors == (1,)
    assert numbers(second, 1) == set(state.cars[6].unused)
    assert movers(second.play({1: "6 F"})) == [1, 2, 6]


@pytest.mark.rule("AS-R1")
def test_nothing_moves_before_all_have_plotted():
    state = game().start(seed=0)
    turn = state.play({seat: f"{early(seat + 1)} F" for seat in range(4)})
    assert not {event.field for event in turn.events} & {"cell", "facing", "speed", "chits", "box", "used"}
    assert [show(car) for car in turn.after.cars.values()] == [show(car) for car in state.cars.values()]


@pytest.mark.rule("AS-R1")
def test_plots_of_the_others_are_secret_in_the_running_round():
    start = game().start(seed=0)
    plots = {seat: f"{early(seat + 1)} F" for seat in range(4)}
    one = start.play(plots).after
    other = start.play(plots | {1: f"{late(2)} FRR"}).after
    assert one != other
    assert one.seen_by(0) == other.seen_by(0)
    assert one.seen_by(1) != other.seen_by(1)


@pytest.mark.rule("AS-R1")
@pytest.mark.parametrize(
    "plots",
    [{}, {0: "1 F"}, {0: "1 F", 1: "2 F", 2: "3 F"}, {0: "1 F", 1: "2 F", 2: "3 F", 4: "5 F"}],
    ids=str,
)
def test_exactly_the_seats_that_are_asked_must_answer(plots):
    with pytest.raises(crashlab.CrashlabError):
        game().start(seed=0).play(plots)


@pytest.mark.rule("AS-R1")
def test_one_wrong_plot_leaves_everything_as_it_was():
    state = game().start(seed=0)
    text = state.text
    with pytest.raises(crashlab.CrashlabError):
        state.play({0: "1 F", 1: "2 F", 2: "3 FFF", 3: "4 F"})
    assert state.text == text
    assert state.actors == (0, 1, 2, 3)


@pytest.mark.rule("AS-R2")
def test_cars_move_from_the_lowest_number_to_the_highest():
    state = read({1: "(0,0) E s1", 2: "(2,0) E s1", 3: "(4,0) E s1", 5: "(6,0) E s1"})
    turn = play_round(state, {1: "33 F", 2: "31 F", 3: "3 F", 5: "85 F"})
    assert movers(turn) == [3, 2, 1, 5]
    assert "AS-R2" in cited(turn.events)


@pytest.mark.rule("AS-R2")
def test_a_crash_is_settled_before_the_next_car_moves():
    state = read({1: "(2,1) E s2", 2: "(2,3) W s2"})
    turn = play_round(state, {1: "1 FF", 2: "2 FF"})
    now = moment_after(turn, 1)
    assert [now.cars[1].speed, now.cars[2].speed] == [0, 0]
    assert crashes_in(own_move(turn, 2)) == []  # stopped, its FF no longer fits


@pytest.mark.rule("AS-R3")
def test_a_car_counts_with_its_old_speed_until_its_own_move():
    turn = play_round(read({1: "(3,0) E s2", 2: "(3,1) E s2"}), {1: "1 FF", 2: f"{late(2)} FFF"})
    assert crashes_in(own_move(turn, 1)) == [("AS-C3", 1, 2, 2, 2)]
    assert turn.after.cars[2].speed == 3


@pytest.mark.rule("AS-R3")
def test_a_car_counts_with_its_new_speed_after_its_own_move():
    turn = play_round(read({1: "(3,2) E s2", 2: "(0,2) SE s2"}), {1: f"{late(1)} FF", 2: "2 FFF"})
    assert show(moment_after(turn, 2).cars[2]) == "(3,4) SE s3"
    assert crashes_in(own_move(turn, 1)) == [("AS-C4", 1, 2, 2, 3)]
    faster = [event for event in own_move(turn, 2) if event.field == "speed"]
    assert [(event.rule, event.index, event.before, event.after) for event in faster] == [("AS-R3", 1, 2, 3)]


@pytest.mark.rule("AS-R4")
@pytest.mark.parametrize("distance", [1, 2, 3])
def test_no_jumping_over_another_car(distance):
    turn = play_round(read({1: "(3,0) E s3", 2: f"(3,{distance}) SE s0"}), {1: "1 FFF"})
    assert moment_after(turn, 1).cars[1].hex == (3, distance - 1)
    assert crashes_in(own_move(turn, 1)) == [("AS-C2", 1, 2, 3, 0)]
    assert "AS-R4" in cited(own_move(turn, 1))


@pytest.mark.rule("AS-R4")
def test_turns_before_the_blocked_step_are_made_and_the_rest_is_lost():
    state = read({1: "(3,2) E s1", 2: "(2,3) SW s0"})
    turn = play_round(state, {1: "1 FLFL"})
    assert show(moment_after(turn, 1).cars[1]) == "(3,3) NE s0"
    turn = play_round(read({1: "(3,2) E s1", 2: "(3,3) SW s0"}), {1: "1 FLFL"})
    assert show(moment_after(turn, 1).cars[1]) == "(3,2) E s0"


@pytest.mark.rule("AS-R5")
def test_a_turned_car_makes_its_plotted_move_from_its_new_facing():
    state = read({1: "(2,1) E s2", 2: "(2,3) SE s2"})
    turn = play_round(state, {1: "1 FF", 2: f"{late(2)} F"})
    assert show(moment_after(turn, 1).cars[2]) == "(2,3) E s2"
    assert show(turn.after.cars[2]) == "(2,4) E s1"


@pytest.mark.rule("AS-R6")
@pytest.mark.parametrize("manoeuvre", ["FF", "FLFR", "FFF"])
def test_a_stopped_car_whose_plot_no_longer_fits_stays(manoeuvre):
    state = read({1: "(2,2) E s2", 2: "(2,3) W s2"})
    turn = play_round(state, {1: f"{late(1)} {manoeuvre}", 2: "2 FF"})
    assert show(turn.after.cars[1]) == "(2,2) E s0"
    assert "AS-R6" in cited(own_move(turn, 1))
    assert late(1) not in turn.after.cars[1].unused
    assert change(turn) == [0, 0, 0, 0, 0]


@pytest.mark.rule("AS-R6")
def test_a_stopped_car_that_plotted_speed_1_makes_its_move():
    state = read({1: "(2,2) E s2", 2: "(2,3) W s2"})
    turn = play_round(state, {1: f"{late(1)} F", 2: "2 FF"})
    assert crashes_in(own_move(turn, 1)) == [("AS-C2", 1, 2, 1, 0)]
    assert "AS-R6" not in cited(turn.events)


@pytest.mark.rule("AS-R7")
@pytest.mark.parametrize("nothing", [None, "-"])
@pytest.mark.parametrize("speed", SPEEDS)
def test_without_a_plot_the_highest_number_and_straight_on(speed, nothing):
    state = read({1: f"(3,1) E s{speed}", 2: "(6,0) E s1"})
    turn = play_round(state, {1: nothing, 2: "82 F"})
    assert show(turn.after.cars[1]) == f"(3,{1 + speed}) E s{speed}"
    assert movers(turn) == [1, 2]  # 81 before 82
    assert turn.after.cars[1].unused == SHEET[1][:10]
    assert "AS-R7" in cited(turn.events)


@pytest.mark.rule("AS-R7")
def test_the_highest_number_is_the_highest_one_still_unused():
    plain = {"round": 8, "cars": {"1": car_from("(3,1) E s1") | {"unused": [1, 16, 33, 48]}}}
    turn = play_round(game().read(plain), {})
    assert turn.after.cars[1].unused == (1, 16, 33)


@pytest.mark.rule("AS-R7")
@pytest.mark.parametrize(("last_row_reversed", "highest"), [(False, 88), (True, 81)])
def test_the_highest_number_is_the_highest_one_of_its_own_column(last_row_reversed, highest):
    state = read({8: "(3,1) E s1"}, last_row_reversed=last_row_reversed)
    crossed_out = [event.text for event in play_round(state, {}).events if event.field == "used"]
    assert crossed_out == [f"number {highest} is crossed out"]


@pytest.mark.rule("AS-R7")
@pytest.mark.parametrize("legality", ["at_move", "at_planning"])
def test_without_a_plot_a_stopped_car_stays(legality):
    state = read({1: "(2,2) E s2", 2: "(2,3) W s2"}, legality=legality)
    turn = play_round(state, {1: "-", 2: "2 FF"})
    assert show(turn.after.cars[1]) == "(2,2) E s0"
    assert crashes_in(own_move(turn, 1)) == []


@pytest.mark.rule("AS-R7")
def test_a_move_without_a_plot_crashes_and_pays_by_the_table():
    turn = play_round(read({1: "(2,1) E s2", 2: "(2,3) W s1"}), {2: "2 F", 1: "-"})  # B moves to (2,2)
    assert crashes_in(own_move(turn, 1)) == [("AS-C1", 1, 2, 2, 1)]
    assert change(turn) == [+1, -1, 0, 0, 0]


@pytest.mark.rule("AS-R7")
def test_nothing_written_is_accepted_but_never_listed():
    state = game().start(seed=0)
    assert all("-" not in str(action) for action in state.actions(0))
    assert state.play(dict.fromkeys(range(4), "-")).after == state.play(dict.fromkeys(range(4))).after


@pytest.mark.rule("AS-R7")
def test_a_used_or_foreign_number_is_refused_at_the_screen():
    turn = play_round(read({1: "(3,0) E s1"}), {1: "1 F"})
    assert_refused(turn.after, "1 F", "2 F", "15 F")


@pytest.mark.rule("AS-R8")
@pytest.mark.parametrize("manoeuvre", ["FF", "FFF"])
def test_at_planning_a_stopped_car_does_what_it_plotted(manoeuvre):
    state = read({1: "(2,2) E s2", 2: "(2,3) W s2"}, legality="at_planning")
    turn = play_round(state, {1: f"{late(1)} {manoeuvre}", 2: "2 FF"})
    assert crashes_in(own_move(turn, 1)) == [("AS-C2", 1, 2, len(manoeuvre), 0)]
    assert "AS-R8" in cited(own_move(turn, 1))
    assert "AS-R6" not in cited(turn.events)
    assert change(turn) == [len(manoeuvre), -len(manoeuvre), 0, 0, 0]


@pytest.mark.rule("AS-R8")
def test_at_move_the_same_plot_is_illegal():
    state = read({1: "(2,2) E s2", 2: "(2,3) W s2"}, legality="at_move")
    turn = play_round(state, {1: f"{late(1)} FF", 2: "2 FF"})
    assert crashes_in(own_move(turn, 1)) == []
    assert change(turn) == [0, 0, 0, 0, 0]


# Crash


def crash(words, manoeuvre, other, **options):
    """Return the turn in which car 1 drives into B on (2,3), and the state after car 1's move."""
    chits = options.pop("chits", {})
    state = read({1: words, 2: f"(2,3) {other}"}, {"chits": chits}, **options)
    turn = play_round(state, {1: f"1 {manoeuvre}"})
    return turn, moment_after(turn, 1)


@pytest.mark.rule("AS-C1")
@pytest.mark.parametrize("w", [1, 2, 3])
@pytest.mark.parametrize("v", [1, 2, 3])
def test_a_front_pays_the_difference_to_the_faster(v, w):
    turn, now = crash("(2,2) E s2", "F" * v, f"W s{w}")
    assert change(turn, now) == [v - w, w - v, 0, 0, 0]
    assert [show(now.cars[car]) for car in (1, 2)] == ["(2,2) E s0", "(2,3) W s0"]
    assert crashes_in(own_move(turn, 1)) == [("AS-C1", 1, 2, v, w)]


@pytest.mark.rule("AS-C1")
@pytest.mark.parametrize("other", ["W s1", "NE s0", "NE s1"])
def test_first_the_chits_then_the_speeds_and_facings(other):
    """There are three beats: the blow, then payer and payee at once, then all stops and turns."""
    turn, _ = crash("(2,2) E s2", "FF", other)
    blow = next(event for event in turn.events if event.rule in ("AS-C1", "AS-C2", "AS-C4"))
    later = [event for event in own_move(turn, 1) if event.number > blow.number]
    assert [event.field for event in later[:2]] == ["chits", "chits"]
    assert {event.field for event in later[2:]} < {"speed", "facing"}
    assert blow.beat < later[0].beat == later[1].beat < later[2].beat
    assert {event.rule for event in later} == {blow.rule}
    assert all(event.cause == blow.number for event in later)


@pytest.mark.rule("AS-C1")
@pytest.mark.parametrize("facing", FACINGS)
def test_fronts_and_rears_in_all_six_directions(facing):
    there = alone(f"(3,2) {facing} s1", "F").after.cars[1].hex
    back = FACINGS[FACINGS.index(facing) - 3]
    for other, case in ((back, "AS-C1"), (facing, "AS-C3")):
        state = read({1: f"(3,2) {facing} s1", 2: f"({there[0]},{there[1]}) {other} s1"})
        assert crashes_in(own_move(play_round(state, {1: "1 FF"}), 1)) == [(case, 1, 2, 2, 1)]


@pytest.mark.rule("AS-C2")
@pytest.mark.parametrize("facing", FACINGS)
@pytest.mark.parametrize("v", [1, 2, 3])
def test_a_stationary_car_pays_the_speed_whatever_its_facing(v, facing):
    turn, now = crash("(2,2) E s2", "F" * v, f"{facing} s0")
    assert change(turn, now) == [v, -v, 0, 0, 0]
    assert [show(now.cars[car]) for car in (1, 2)] == ["(2,2) E s0", f"(2,3) {facing} s0"]
    assert crashes_in(own_move(turn, 1)) == [("AS-C2", 1, 2, v, 0)]


@pytest.mark.rule("AS-C3")
@pytest.mark.parametrize("w", [1, 2, 3])
@pytest.mark.parametrize("v", [1, 2, 3])
def test_a_rear_pays_the_speed_of_the_rammer(v, w):
    turn, now = crash("(2,2) E s2", "F" * v, f"E s{w}")
    assert change(turn, now) == [v, -v, 0, 0, 0]
    assert [show(now.cars[car]) for car in (1, 2)] == [f"(2,2) E s{v}", f"(2,3) E s{w}"]
    assert crashes_in(own_move(turn, 1)) == [("AS-C3", 1, 2, v, w)]


@pytest.mark.rule("AS-C4")
@pytest.mark.parametrize(("facing", "turned"), [("NW", "NE"), ("NE", "E"), ("SW", "SE"), ("SE", "E")])
@pytest.mark.parametrize("w", [1, 2, 3])
@pytest.mark.parametrize("v", [1, 2, 3])
def test_a_side_pays_both_speeds_and_turns_the_hit_car_away(v, w, facing, turned):
    turn, now = crash("(2,2) E s2", "F" * v, f"{facing} s{w}")
    assert change(turn, now) == [v + w, -v - w, 0, 0, 0]
    assert [show(now.cars[car]) for car in (1, 2)] == [f"(2,2) E s{v}", f"(2,3) {turned} s{w}"]
    assert crashes_in(own_move(turn, 1)) == [("AS-C4", 1, 2, v, w)]


@pytest.mark.rule("AS-C4")
@pytest.mark.parametrize("facing", FACINGS)
def test_sides_in_all_six_directions(facing):
    """A blow at k 1 or 2 turns the hit car to the right, at 4 or 5 to the left."""
    there = alone(f"(3,2) {facing} s1", "F").after.cars[1].hex
    for k, turn_by in ((1, -1), (2, -1), (4, +1), (5, +1)):
        hit = (FACINGS.index(facing) + 3 - k) % 6
        state = read({1: f"(3,2) {facing} s1", 2: f"({there[0]},{there[1]}) {FACINGS[hit]} s1"})
        now = moment_after(play_round(state, {1: "1 F"}), 1)
        assert now.cars[2].facing == FACINGS[(hit + turn_by) % 6]


@pytest.mark.rule("AS-C5")
@pytest.mark.parametrize("manoeuvre", ["F", "FF", "FFF"])
def test_the_barrier_costs_the_speed_and_stops(manoeuvre):
    turn = alone("(2,4) E s2", manoeuvre)
    assert change(turn) == [-len(manoeuvre), 0, 0, 0, len(manoeuvre)]
    assert show(turn.after.cars[1]) == "(2,4) E s0"
    assert crashes_in(turn.events) == [("AS-C5", 1, 0, len(manoeuvre), 0)]


@pytest.mark.rule("AS-C5")
def test_at_the_barrier_too_the_chits_come_first_and_then_the_speed():
    turn = alone("(2,4) E s2", "FF")
    [blow] = [event for event in turn.events if event.rule == "AS-C5" and event.field is None]
    paid, boxed, stopped = (event for event in turn.events if event.rule == "AS-C5" and event.field)
    assert (paid.field, boxed.field, stopped.field) == ("chits", "box", "speed")
    assert blow.beat < paid.beat == boxed.beat < stopped.beat


@pytest.mark.rule("AS-C5")
@pytest.mark.parametrize("facing", FACINGS)
def test_a_driverless_car_is_always_barrier(facing):
    state = read({1: "(2,2) E s2", 4: f"(2,3) {facing} s0"}, players=3)
    turn = play_round(state, {1: "1 FFF"})
    assert crashes_in(turn.events) == [("AS-C5", 1, 4, 3, 0)]
    assert change(turn) == [-3, 0, 0, +3]
    assert [show(turn.after.cars[car]) for car in (1, 4)] == ["(2,2) E s0", f"(2,3) {facing} s0"]


PAYMENTS = [  # the other car, its speed, A's payment (at speed 2) by the case; both cars then
    ("W s3", "AS-C1", 1, "(2,2) E s0", "(2,3) W s0"),
    ("W s1", "AS-C1", 1, "(2,2) E s0", "(2,3) W s0"),
    ("W s2", "AS-C1", 0, "(2,2) E s0", "(2,3) W s0"),
    ("NE s0", "AS-C2", 2, "(2,2) E s0", "(2,3) NE s0"),
    ("E s3", "AS-C3", 2, "(2,2) E s2", "(2,3) E s3"),
    ("NE s3", "AS-C4", 5, "(2,2) E s2", "(2,3) E s3"),
]


@pytest.mark.rule("AS-C6")
@pytest.mark.parametrize("own_car", ["case", "speed"])
@pytest.mark.parametrize(("other", "case", "amount", "then", "other_then"), PAYMENTS)
def test_an_own_car_pays_into_the_box_and_moves_as_usual(other, case, amount, then, other_then, own_car):
    state = read({1: "(2,2) E s2", 5: f"(2,3) {other}"}, own_car=own_car)
    turn = play_round(state, {1: "1 FF"})
    now = moment_after(turn, 1)
    paid = 2 if own_car == "speed" else amount
    assert change(turn, now) == [-paid, 0, 0, 0, paid]
    assert [show(now.cars[car]) for car in (1, 5)] == [then, other_then]
    assert crashes_in(own_move(turn, 1))[0][0] == case
    assert "AS-C6" in cited(own_move(turn, 1)) or paid == 0


@pytest.mark.rule("AS-C7")
@pytest.mark.parametrize(("other", "amount"), [("SE s2", 4), ("NE s0", 2), ("E s1", 2), ("W s1", 1)])
@pytest.mark.parametrize("has", [0, 1, 2, 3, 4, 5])
def test_who_has_too_little_pays_what_he_has(other, amount, has):
    turn, now = crash("(2,2) E s2", "FF", other, chits={"B": has})
    paid = min(amount, has)
    assert change(turn, now) == [paid, -paid, 0, 0, 0]
    assert now.scores[1] == has - paid
    assert ("AS-C7" in cited(own_move(turn, 1))) == (has < amount)


@pytest.mark.rule("AS-C7")
@pytest.mark.parametrize("has", [0, 1])
def test_no_debt_to_the_box_and_none_as_the_slower_rammer(has):
    for cars, options in (
        ({1: "(2,4) E s2"}, {}),
        ({1: "(2,2) E s2", 5: "(2,3) E s2"}, {}),
        ({1: "(2,2) E s2", 5: "(2,3) E s2"}, {"own_car": "speed"}),
    ):
        turn = play_round(read(cars, {"chits": {"A": has}}, **options), {1: "1 FF"})
        assert change(turn, moment_after(turn, 1)) == [-has, 0, 0, 0, has]
        assert "AS-C7" in cited(own_move(turn, 1))
    turn, now = crash("(2,2) E s1", "F", "W s3", chits={"A": has})
    assert change(turn, now) == [-has, has, 0, 0, 0]
    assert "AS-C7" in cited(own_move(turn, 1))


@pytest.mark.rule("AS-C7")
def test_who_has_just_enough_is_not_short():
    for cars in ({1: "(2,4) E s2"}, {1: "(2,2) E s2", 5: "(2,3) E s2"}):
        turn = play_round(read(cars, {"chits": {"A": 2}}), {1: "1 FF"})
        assert change(turn, moment_after(turn, 1)) == [-2, 0, 0, 0, 2]
        assert "AS-C7" not in cited(own_move(turn, 1))


@pytest.mark.rule("AS-C8")
@pytest.mark.parametrize("manoeuvre", ["FLFR", "FLF", "FLFL"])
def test_the_rammer_stops_beside_the_obstacle_and_keeps_its_facing(manoeuvre):
    """The blow falls after one hex and a turn; the facing is still the drive's."""
    for facing in FACINGS:
        state = read({1: "(3,2) E s2", 2: f"(2,3) {facing} s1"})
        now = moment_after(play_round(state, {1: f"1 {manoeuvre}"}), 1)
        assert show(now.cars[1])[:8] == "(3,3) NE"


@pytest.mark.rule("AS-C8")
def test_full_speed_counts_at_zero_distance():
    turn, now = crash("(2,2) E s3", "FFF", "E s1")
    assert now.cars[1].hex == (2, 2)
    assert crashes_in(own_move(turn, 1)) == [("AS-C3", 1, 2, 3, 1)]


# End


@pytest.mark.rule("AS-E1")
@pytest.mark.parametrize(
    ("chits", "winners"),
    [
        ({"A": 25, "B": 25, "C": 15, "D": 15}, (0, 1)),
        ({"A": 10, "C": 21}, (2,)),
        ({}, (0, 1, 2, 3)),
        ({"A": 0, "B": 1, "C": 0, "D": 0}, (1,)),
    ],
    ids=str,
)
def test_after_round_11_the_most_chits_win_and_a_tie_is_shared(chits, winners):
    state = read({1: "(3,0) E s1"}, {"round": 11, "chits": chits})
    assert not state.over
    assert state.cars[1].unused == (81,)
    turn = play_round(state, {1: "81 F"})
    [verdict] = [event for event in turn.events if event.rule == "AS-E1"]
    assert verdict.numbers == {"most": max(turn.after.scores), "winners": sum(1 << seat for seat in winners)}
    end = turn.after
    assert end.over
    assert end.actors == ()
    assert tuple(end.winners) == winners
    with pytest.raises(crashlab.CrashlabError):
        end.play({0: "81 F"})


@pytest.mark.rule("AS-E1")
def test_chits_in_the_box_count_for_nobody():
    state = read({1: "(2,4) E s2"}, {"round": 11, "chits": {"A": 22, "B": 20, "C": 19, "D": 19}})
    turn = play_round(state, {1: "81 FFF"})
    assert turn.after.scores == (19, 20, 19, 19)
    assert turn.after.box == 3
    assert tuple(turn.after.winners) == (1,)


# Variants


@pytest.mark.rule("AS-V1")
def test_the_car_hit_from_behind_is_shoved_one_hex():
    turn, now = crash("(2,1) E s1", "FF", "E s3", rear_push=True)
    assert [show(now.cars[car]) for car in (1, 2)] == ["(2,2) E s2", "(2,4) E s3"]
    assert "AS-V1" in cited(own_move(turn, 1))
    assert change(turn, now) == [+2, -2, 0, 0, 0]


@pytest.mark.rule("AS-V1")
@pytest.mark.parametrize("other", ["W s2", "E s0", "NE s2", "SE s1"])
def test_only_a_rear_hit_shoves(other):
    turn, now = crash("(2,1) E s1", "FF", other, rear_push=True)
    assert now.cars[2].hex == (2, 3)
    assert "AS-V1" not in cited(own_move(turn, 1))


@pytest.mark.rule("AS-V1")
def test_it_is_off_by_default():
    turn, now = crash("(2,1) E s1", "FF", "E s3")
    assert show(now.cars[2]) == "(2,3) E s3"
    assert "AS-V1" not in cited(turn.events)


@pytest.mark.rule("AS-V1")
def test_a_shoved_car_that_crashes_takes_no_turn_of_its_plot():
    state = read({1: "(2,3) E s1", 2: "(2,4) E s1"}, rear_push=True, standstill="turn_anyway")
    turn = play_round(state, {1: "1 F", 2: f"{late(2)} FR"})
    assert crashes_in(own_move(turn, 1)) == [("AS-C3", 1, 2, 1, 1), ("AS-C5", 2, 0, 1, 0)]
    assert show(moment_after(turn, 1).cars[2]) == "(2,4) E s0"
    assert show(turn.after.cars[2]) == "(2,4) SE s0"  # its own move, from a standstill


# Notes besides the crashes (cars by their names, seats from 0)


def notes(turn, rule):
    return [event.numbers for event in turn.events if event.rule == rule and event.field is None]


@pytest.mark.rule("AS-R4")
def test_a_note_tells_where_a_move_was_stopped():
    state = read({1: "(3,0) E s2", 3: "(3,2) NE s0", 5: "(3,5) E s1"})
    turn = play_round(state, {1: "1 FFF", 3: "3 P", 5: "5 F"})
    assert notes(turn, "AS-R4") == [
        {"car": 1, "obstacle": 3, "driven": 1, "v": 3},
        {"car": 5, "obstacle": 0, "driven": 0, "v": 1},
    ]
    turn = play_round(read({3: "(3,3) E s3"}), {})  # without a plot
    assert notes(turn, "AS-R4") == [{"car": 3, "obstacle": 0, "driven": 2, "v": 3}]


@pytest.mark.rule("AS-R6")
@pytest.mark.rule("AS-R8")
@pytest.mark.parametrize(("legality", "rule"), [("at_move", "AS-R6"), ("at_planning", "AS-R8")])
def test_a_note_tells_which_plot_no_longer_fits(legality, rule):
    state = read({2: "(2,2) E s2", 3: "(2,3) W s2"}, legality=legality)
    turn = play_round(state, {2: f"{late(2)} FFF", 3: "3 FF"})
    assert notes(turn, rule) == [{"car": 2, "plotted": 3, "speed": 0}]


@pytest.mark.rule("AS-C7")
def test_a_note_tells_who_owed_what():
    turn, _ = crash("(2,2) E s2", "FF", "SE s2", chits={"B": 1})
    assert notes(turn, "AS-C7")[0] == {"payer": 1, "owed": 4, "paid": 1}
    turn = play_round(read({1: "(2,4) E s2"}, {"chits": {"A": 1}}), {1: "1 FF"})
    assert notes(turn, "AS-C7") == [{"payer": 0, "owed": 2, "paid": 1}]


@pytest.mark.rule("AS-V1")
def test_a_move_brings_about_no_more_crashes_than_there_are_hexes_in_a_row():
    """Seven cars on the diagonal: each is shoved into the next, and the last one into the barrier."""
    row = [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)]
    cars = {number: f"({place[0]},{place[1]}) SE s1" for number, place in enumerate(row, 1)}
    turn = play_round(read(cars, rear_push=True), {number: f"{early(number)} F" for number in cars})
    crashes = [event for event in own_move(turn, 1) if event.rule in CRASH_CASES and "rammer" in event.what]
    assert len(crashes) == crashlab.game("autoscooter").rules.CHAIN == 7


@pytest.mark.rule("AS-V1")
def test_a_note_tells_who_was_shoved():
    cars = {1: "(3,0) E s1", 3: "(3,1) E s1", 2: "(3,2) E s1"}
    turn = play_round(read(cars, rear_push=True), {1: "1 F", 3: "83 F", 2: "82 F"})
    assert notes(turn, "AS-V1")[:2] == [{"car": 3}, {"car": 2}]


# All of them


def test_every_rule_of_the_rulebook_is_proven_here():
    proven = {
        mark.args[0]
        for test in vars(sys.modules[__name__]).values()
        for mark in getattr(test, "pytestmark", [])
        if mark.name == "rule"
    }
    assert proven == {entry.id for entry in game().rulebook}
