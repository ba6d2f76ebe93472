"""Autoscooter at the board: choosing a plot, the plans, and questions about the outcome."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest
from autoscooter_positions import play_round, read
from test_autoscooter_render import CRASHES, crash, look_rules

import crashlab
from crashlab.drawing.png import font
from crashlab.drawing.shapes import Polygon, Text, placed
from crashlab.games.autoscooter import render, ui
from crashlab.games.autoscooter.state import HEXES, ROUNDS
from crashlab.games.boards import hexes

# Choosing


def steps(state, seat):
    """Return every action that the choices can build."""
    ways = ui.choices(state.table, seat, ())
    return [last.action for way in ways for last in ui.choices(state.table, seat, (way.word,))]


@pytest.mark.parametrize("standstill", ["about_face", "pivot_first", "turn_anyway", "none"])
def test_the_choices_are_exactly_the_legal_actions(standstill):
    rng = crashlab.Random(11)
    state = crashlab.game("autoscooter", players=3, standstill=standstill).start()
    for _ in range(6):
        for seat in state.actors:
            offered = steps(state, seat)
            assert sorted(offered) == sorted(map(str, state.actions(seat)))
            assert all(not state.refusal(seat, action) for action in offered[:5])
        state = state.sample(rng).after


@pytest.mark.parametrize("players", range(3, 9))
def test_the_strip_of_numbers_covers_no_words_and_no_chits(players):
    state = crashlab.game("autoscooter", players=players).start()
    first = ui.choices(state.table, 0, ())[0]
    numbers = ui.choices(state.table, 0, (first.word,))
    assert len(numbers) == ROUNDS
    ground = next(shape for shape in numbers[0].shapes if isinstance(shape, Polygon))
    xs, ys = zip(*ground.points, strict=True)
    assert all(min(xs) < choice.x - 15 and choice.x + 15 < max(xs) for choice in numbers)
    assert all(min(ys) < choice.y - 15 and choice.y + 15 < max(ys) for choice in numbers)
    picture = render.picture(state.table)
    for shape in (*picture.board, *(shape for piece in picture.pieces for shape in placed(piece))):
        if isinstance(shape, Text):
            wide = font(shape.size).getlength(shape.text)
            begin = shape.x - {"left": 0, "centre": wide / 2, "right": wide}[shape.align]
            assert begin > max(xs) or begin + wide < min(xs) or not min(ys) < shape.y < max(ys), shape
        elif isinstance(shape, Polygon) and shape.fill == "chit":
            assert max(x for x, _ in shape.points) <= min(xs) or min(y for _, y in shape.points) > max(ys)


def test_choices_are_clicked_at_different_places_within_the_picture():
    table = crashlab.game("autoscooter", players=8).start().table.copy()
    for cell in range(38):
        for facing in range(6):
            table.cell[0], table.facing[0], table.speed[0] = cell, facing, (cell + facing) % 4
            for other in range(1, 8):
                table.cell[other] = -1
            choices = ui.choices(table, 0, ())
            spots = [(choice.x, choice.y) for choice in choices]
            assert all(12 < x < render.BOARD_RIGHT and 12 < y < render.HEIGHT - 12 for x, y in spots)
            assert all(dist(a, b) > 20 for place, a in enumerate(spots) for b in spots[:place])


def test_numbers_are_chosen_beside_the_board_with_the_plans_that_are_known():
    state = crashlab.game("autoscooter", players=2).start(1).play({0: "17 F", 1: "2 F"}).after
    choices = ui.choices(state.table, 0, (ui.choices(state.table, 0, ())[0].word,))
    spots = [(choice.x, choice.y) for choice in choices]
    assert all(render.BOARD_RIGHT < x < render.WIDTH and 20 < y < render.HEIGHT - 20 for x, y in spots)
    assert all(dist(a, b) >= 32 for place, a in enumerate(spots) for b in spots[:place])
    assert [choice.word for choice in choices] == sorted((choice.word for choice in choices), key=int)
    planned = {shape.text for shape in choices[0].shapes if isinstance(shape, Text)} - {choices[0].word}
    assert planned == {"1", "2"}  # the numbers of the planned cars


def test_a_way_leads_to_its_last_hex_towards_its_last_facing():
    state = read({1: "(3,2) E s1"})
    choice = next(choice for choice in ui.choices(state.table, 0, ()) if choice.word == "FLFR")
    end = render.CENTRES[HEXES.index((2, 3))]
    assert (choice.x, choice.y) == pytest.approx(hexes.towards(end, 0, 26))
    assert choice.text == "FLFR: forward, left, forward, right (speed 2)" and not choice.action
    assert not any(isinstance(shape, Polygon) and shape.fill == "flash" for shape in choice.shapes)


def test_a_blocked_way_bears_a_star_where_it_is_blocked():
    state = read({1: "(3,2) E s1", 2: "(2,3) SW s1"})
    ways = {choice.word: choice for choice in ui.choices(state.table, 0, ())}
    starred = {word for word, way in ways.items() if any(getattr(shape, "fill", "") == "flash" for shape in way.shapes)}
    assert starred == {"FLFL", "FLF", "FLFR"}
    assert starred == {word for word, way in ways.items() if f"{word} (hits car 2): " in way.text}


def test_a_way_into_the_barrier_says_so():
    state = read({1: "(0,3) E s2"})
    ways = {choice.word: choice.text for choice in ui.choices(state.table, 0, ())}
    assert ways["FFF"] == "FFF (hits the barrier): forward, forward, forward (speed 3)"


def test_where_another_car_stands_a_way_is_clicked_beside_it():
    state = read({1: "(3,2) E s1", 2: "(3,3) SW s1"})
    (other,) = (piece for piece in state.picture().pieces if piece.key == "car 2")
    far = {one.word: dist((one.x, one.y), (other.x, other.y)) for one in ui.choices(state.table, 0, ())}
    assert min(far["F"], far["FL"], far["FLL"]) > 40  # from its middle


def test_pivot_first_shows_the_turn_before_the_step():
    state = read({1: "(2,4) E s0"}, standstill="pivot_first")
    way = next(choice for choice in ui.choices(state.table, 0, ()) if choice.word == "FLL")
    end = render.CENTRES[HEXES.index((1, 4))]
    assert (way.x, way.y) == pytest.approx(hexes.towards(end, 2, 26))


def test_what_cannot_be_chosen_is_refused():
    state = read({1: "(3,2) E s1"})
    with pytest.raises(crashlab.CrashlabError, match="choose one of FLL, FL, F"):
        ui.choices(state.table, 0, ("FFF",))
    with pytest.raises(crashlab.CrashlabError, match="'F 17' cannot be chosen now"):
        ui.choices(state.table, 0, ("F", "17"))
    with pytest.raises(crashlab.CrashlabError, match="B has no car to plan"):
        ui.choices(state.table, 1, ())


def test_the_subject_is_the_car_that_is_asked_for():
    state = read({1: "(2,1) E s2", 5: "(4,1) E s0"})
    assert ui.subject(state.table, 0) == "car 1"
    assert ui.subject(state.play({0: "17 FF"}).after.table, 0) == "car 5"
    assert ui.subject(state.table, 1) == ""


def test_the_planned_ways_of_cars_that_meet_lie_side_by_side():
    state = read({1: "(2,1) E s2", 2: "(2,3) W s2"})
    codes = {seat: state.code(seat, action) for seat, action in {0: "1 FF", 1: "2 FF"}.items()}
    ways = [plan.shapes[-1].points for plan in ui.plans(state.table, codes)]
    heights = [{round(y, 3) for _, y in way} for way in ways]
    assert [len(height) for height in heights] == [1, 1] and abs(heights[0].pop() - heights[1].pop()) > 8


# Questions


@pytest.mark.parametrize("name", CRASHES)
def test_the_right_answers_are_those_of_the_rules(name):
    where, case, pay, after = CRASHES[name][2:]
    turn = crash(name)
    questions = ui.questions(turn)
    assert [one.answers[one.right] for one in questions] == [f"{where[0]},{where[1]}", pay, case, after]
    for question in questions:
        assert len(set(question.answers)) == len(question.answers) >= 3
        assert 0 <= question.reason < len(turn.events)
    assert turn.events[questions[2].reason].rule in look_rules(turn)
    assert turn.after.cars[1].hex == where


def test_places_are_the_middles_of_the_hexes_that_are_offered():
    question = ui.questions(crash("side"))[0]
    assert question.places == tuple(
        render.CENTRES[HEXES.index((int(answer[0]), int(answer[2])))] for answer in question.answers
    )


def test_the_reasons_are_the_events_that_decide():
    turn = crash("side")
    where, pay, case, facing = (turn.events[question.reason] for question in ui.questions(turn))
    assert where.text == "car 1 is stopped by car 2 after 1 of 2 hexes"
    assert (case.rule, pay.text) == ("AS-C4", "B pays 4 chits (20 to 16)")
    assert (facing.field, facing.index, facing.after) == ("facing", 1, 0)


def test_who_cannot_pay_in_full_pays_what_he_has():
    state = read({1: "(2,1) E s2", 2: "(2,3) SE s2"}, {"chits": {"B": 1}})
    pay = ui.questions(play_round(state, {1: "1 FF"}))[1]
    assert pay.answers[pay.right] == "B pays 1 to A"


def test_a_turn_without_a_crash_asks_only_where_a_car_ends():
    turn = play_round(read({1: "(3,2) E s1"}), {1: "1 FLFR"})
    (question,) = ui.questions(turn)
    assert question.text == "Where does car 1 end?"
    assert question.answers[question.right] == "2,3"


def test_planning_alone_asks_nothing():
    state = read({1: "(2,1) E s2", 5: "(4,1) E s0"})
    assert ui.questions(state.play({0: "17 FF"})) == ()


def test_questions_of_random_rounds_can_be_answered():
    rng = crashlab.Random(2)
    state = crashlab.game("autoscooter", rear_push=True).start()
    while not state.over:
        turn = state.sample(rng)
        questions = ui.questions(turn)
        assert questions == ui.questions(turn)
        for question in questions:
            assert 0 <= question.right < len(question.answers) <= 6
            assert len(set(question.answers)) == len(question.answers)
        if questions:
            car = int(questions[0].text.split()[3])
            row, column = turn.after.cars[car].hex
            assert questions[0].answers[questions[0].right] == f"{row},{column}"
        state = turn.after


def test_targets_stay_off_the_cars_and_apart_from_each_other():
    """Nearly all targets that would cover a car have room beside it."""
    targets = covering = 0
    for seed in range(6):
        game = crashlab.game("autoscooter", players=(2, 4, 8)[seed % 3], standstill="about_face")
        state, dice = game.start(seed), crashlab.Random(seed)
        while state.actors:
            seat = state.actors[0]
            places = [(choice.x, choice.y) for choice in game.ui.choices(state.seen_by(seat).table, seat, ())]
            cars = [(piece.x, piece.y) for piece in state.picture().pieces if piece.key.startswith("car ")]
            assert all(dist(*pair) > 20 for pair in combinations(places, 2)), state.text
            targets += len(places)
            covering += sum(min(dist(place, car) for car in cars) < 30 for place in places)
            state = state.sample(dice).after
    assert covering < 0.02 * targets
