"""Causes in Autoscooter, from the rules text alone; the mark names the rules whose causes a test proves."""

import pytest
from autoscooter_positions import early, late, play_round
from autoscooter_positions import read as position
from trace_causes import outline


def follows(turn, *roots):
    """Outline the effects of the events with these words, or of all decisions."""
    return outline(turn.before.game.text, turn.after.table, turn.rows, *roots)


def crash(words, manoeuvre, other, chits=None, **options):
    """Outline the effects of car 1's move into B on (2,3)."""
    state = position({1: words, 2: f"(2,3) {other}"}, {"chits": chits or {}}, **options)
    return follows(play_round(state, {1: f"{early(1)} {manoeuvre}", 2: "-"}), f"car 1 is next with 1 {manoeuvre}")


@pytest.mark.rule("AS-R1")
@pytest.mark.rule("AS-L2")
def test_the_last_one_to_write_ends_the_pass_and_the_last_one_to_move_the_round(outlines):
    """A plot is caused by its driver's decision, and so is the move by the plot."""
    state = position({1: "(0,0) E s1", 2: "(4,0) E s1"})
    assert follows(play_round(state, {1: "1 F", 2: "2 F"})) == next(outlines)
    state = position({1: "(0,0) E s1", 5: "(4,0) E s1"})
    turn = state.play({0: "1 F"})
    assert follows(turn) == next(outlines)


@pytest.mark.rule("AS-R7")
def test_where_nothing_is_written_the_rule_writes(outlines):
    turn = play_round(position({1: "(3,1) E s1"}), {1: "-"})
    assert follows(turn) == next(outlines)


@pytest.mark.rule("AS-M5")
def test_an_about_face_is_what_was_plotted(outlines):
    turn = play_round(position({1: "(2,4) E s0"}), {1: "1 P"})
    assert follows(turn, "car 1 is next with 1 P") == next(outlines)


@pytest.mark.rule("AS-M5")
def test_pivot_first_turns_because_the_car_stands(outlines):
    """When planning, the standing car is noticed after all have planned; at the move, it is noticed then."""
    state = position({1: "(2,4) E s0"}, standstill="pivot_first", legality="at_planning")
    assert follows(play_round(state, {1: "1 FL"})) == next(outlines)
    state = position({1: "(2,4) E s0"}, standstill="pivot_first", legality="at_move")
    assert follows(play_round(state, {1: "1 FL"}), "car 1 is next with 1 FL") == next(outlines)


@pytest.mark.rule("AS-M5")
def test_turn_anyway_turns_because_of_the_plot_and_not_of_the_crash(outlines):
    turn = play_round(position({1: "(2,4) E s0"}, standstill="turn_anyway"), {1: "1 FL"})
    assert follows(turn, "car 1 is next with 1 FL") == next(outlines)


@pytest.mark.rule("AS-M1")
@pytest.mark.rule("AS-M2")
@pytest.mark.rule("AS-R3")
def test_steps_and_turns_follow_from_taking_the_speed(outlines):
    turn = play_round(position({1: "(3,1) E s1"}), {1: "1 FLFR"})
    assert follows(turn, "car 1 is next with 1 FLFR") == next(outlines)


@pytest.mark.rule("AS-M1")
def test_at_its_old_speed_steps_and_turns_follow_from_the_move(outlines):
    turn = play_round(position({1: "(3,1) E s2"}), {1: "1 FLF"})
    assert follows(turn, "car 1 is next with 1 FLF") == next(outlines)


@pytest.mark.rule("AS-R6")
@pytest.mark.rule("AS-R8")
def test_a_plot_that_no_longer_fits_is_why_a_car_drives_otherwise(outlines):
    """Car 2 stops both cars; then car 1, which has plotted FFF, has speed 0."""
    cars, plots = {1: "(2,2) E s2", 2: "(2,3) W s2"}, {1: "81 FFF", 2: "2 FF"}
    turn = play_round(position(cars, legality="at_move"), plots)
    assert follows(turn, "car 1 is next with 81 FFF") == next(outlines)
    turn = play_round(position(cars, legality="at_planning"), plots)
    assert follows(turn, "car 1 is next with 81 FFF") == next(outlines)


@pytest.mark.rule("AS-R4")
@pytest.mark.rule("AS-C1")
def test_a_front_crash(outlines):
    """The payment and both stops follow from the crash, and the crash from the blocked step."""
    assert crash("(2,1) E s2", "FFF", "W s1") == next(outlines)
    assert crash("(2,2) E s1", "F", "W s3") == next(outlines)


@pytest.mark.rule("AS-C2")
def test_a_crash_into_a_standing_car(outlines):
    assert crash("(2,2) E s1", "FF", "W s0") == next(outlines)


@pytest.mark.rule("AS-C3")
def test_a_rear_crash(outlines):
    assert crash("(2,2) E s2", "FF", "E s1") == next(outlines)


@pytest.mark.rule("AS-C4")
def test_a_side_crash(outlines):
    assert crash("(2,2) E s2", "FF", "SE s2") == next(outlines)


@pytest.mark.rule("AS-C5")
def test_into_the_barrier(outlines):
    turn = play_round(position({1: "(2,4) E s2"}), {1: "1 FF"})
    assert follows(turn, "car 1 is next with 1 FF") == next(outlines)


@pytest.mark.rule("AS-C6")
def test_into_ones_own_car(outlines):
    state = position({1: "(2,2) E s2", 5: "(2,3) SE s2"})
    turn = play_round(state, {1: "1 FF", 5: "5 FF"})
    assert follows(turn, "car 1 is next with 1 FF") == next(outlines)


@pytest.mark.rule("AS-C7")
def test_who_has_too_little_pays_what_he_has_because_he_has_no_more(outlines):
    assert crash("(2,2) E s2", "FF", "SE s2", chits={"B": 1}) == next(outlines)


@pytest.mark.rule("AS-C7")
def test_so_it_is_with_the_box(outlines):
    turn = play_round(position({1: "(2,4) E s2"}, {"chits": {"A": 1}}), {1: "1 FF"})
    assert follows(turn, "car 1 is next with 1 FF") == next(outlines)


@pytest.mark.rule("AS-C7")
@pytest.mark.rule("AS-C6")
def test_and_with_ones_own_car(outlines):
    state = position({1: "(2,2) E s2", 5: "(2,3) E s2"}, {"chits": {"A": 1}})
    turn = play_round(state, {1: "1 FF", 5: "5 FF"})
    assert follows(turn, "car 1 is next with 1 FF") == next(outlines)


@pytest.mark.rule("AS-V1")
def test_a_shove_follows_from_the_rear_crash_and_the_next_one_from_the_shove(outlines):
    """The cars move up one by one, each because it was shoved itself."""
    state = position({1: "(3,0) E s2", 2: "(3,1) E s2", 3: "(3,2) E s1"}, rear_push=True)
    turn = play_round(state, {1: "1 FF", 2: f"{late(2)} F", 3: f"{late(3)} F"})
    assert follows(turn, "car 1 is next with 1 FF") == next(outlines)


@pytest.mark.rule("AS-V1")
def test_a_crash_of_a_shoved_car_follows_from_the_shove(outlines):
    state = position({1: "(3,0) E s2", 2: "(3,1) E s2", 3: "(3,2) W s3"}, rear_push=True)
    turn = play_round(state, {1: "1 FF", 2: f"{late(2)} F", 3: f"{late(3)} FF"})
    assert follows(turn, "car 1 is next with 1 FF") == next(outlines)


@pytest.mark.rule("AS-E1")
def test_the_game_is_over_because_the_last_round_is(outlines):
    sheet = {"round": 11, "cars": {"1": {"hex": [3, 1], "facing": "E", "speed": 1}}}
    turn = play_round(position({}, sheet), {1: "81 F"})
    assert follows(turn, "car 1 is next with 81 F") == next(outlines)
