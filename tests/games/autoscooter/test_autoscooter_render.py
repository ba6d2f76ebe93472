"""Autoscooter as pictures: the places of its pieces, and the effects in a beat."""

from __future__ import annotations

from dataclasses import replace
from math import dist, hypot

import pytest
from autoscooter_positions import early, play_round, read

import crashlab
from crashlab.drawing import story
from crashlab.drawing.shapes import Circle, Line, Piece, Polygon, Text, placed
from crashlab.drawing.themes import LIGHT
from crashlab.games.autoscooter import render, rules
from crashlab.games.autoscooter.state import HEXES
from crashlab.games.boards import hexes

# Two cars A (car 1) and B (car 2), or a car without a driver (car 4), or a second car of A (car 5).
# name: cars, A's plot, then car 1's end, the case, the payments, and the answer to the question about the outcome
CRASHES = {
    "front": ({1: "(2,1) E s2", 2: "(2,3) W s1"}, "FFF", (2, 2), "front", "B pays 2 to A", "0"),
    "front lost": ({1: "(2,2) E s1", 2: "(2,3) W s3"}, "F", (2, 2), "front", "A pays 2 to B", "0"),
    "front even": ({1: "(2,2) E s2", 2: "(2,3) W s2"}, "FF", (2, 2), "front", "nobody pays", "0"),
    "standing": ({1: "(2,2) E s0", 2: "(2,3) NE s0"}, "F", (2, 2), "standing", "B pays 1 to A", "0"),
    "rear": ({1: "(2,1) E s2", 2: "(2,3) E s1"}, "FFF", (2, 2), "rear", "B pays 3 to A", "3"),
    "side": ({1: "(2,1) E s2", 2: "(2,3) SE s2"}, "FF", (2, 2), "side", "B pays 4 to A", "E"),
    "side left": ({1: "(2,2) E s1", 2: "(2,3) NW s3"}, "FF", (2, 2), "side", "B pays 5 to A", "NE"),
    "barrier": ({1: "(0,3) E s2"}, "FFF", (0, 4), "barrier", "A pays 3 into the box", "0"),
    "driverless": ({1: "(2,1) E s1", 4: "(2,2) W s0"}, "FF", (2, 1), "barrier", "A pays 2 into the box", "0"),
    "own": ({1: "(2,1) E s2", 5: "(2,3) SE s2"}, "FF", (2, 2), "side", "A pays 4 into the box", "E"),
}


def crash(name):
    """Return the turn of this crash; car 4 has no driver among three players."""
    cars, manoeuvre = CRASHES[name][:2]
    state = read(cars, players=3 if 4 in cars else 4)
    return play_round(state, {1: f"{early(1)} {manoeuvre}"})


def pieces(picture):
    return {piece.key: piece for piece in picture.pieces}


def texts(shapes):
    return [shape.text for shape in shapes if isinstance(shape, Text)]


# The picture


@pytest.mark.parametrize("players", range(2, 9))
def test_the_start_shows_every_car_and_every_purse(players):
    state = crashlab.game("autoscooter", players=players).start()
    picture = state.picture()
    cars = [f"car {number}" for number in range(1, 9)]
    purses = [f"chits {'ABCDEFGH'[seat]}" for seat in range(players)]
    assert [piece.key for piece in picture.pieces] == ["round", *purses, "box", *cars]
    assert picture.width <= 760 and picture.height <= 560


def test_every_key_stands_once_and_every_colour_is_in_the_theme():
    state = crashlab.game("autoscooter", players=7).start(3)
    shapes = list(state.picture().board)
    for piece in state.picture().pieces:
        shapes += piece.shapes
    names = {getattr(shape, field, "") for shape in shapes for field in ("fill", "stroke")}
    assert names - {""} <= set(LIGHT)
    keys = [piece.key for piece in state.picture().pieces]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("direction", range(6))
def test_the_nose_points_where_the_car_faces(direction):
    name = ("E", "NE", "NW", "W", "SW", "SE")[direction]
    car = pieces(read({1: f"(3,2) {name} s1"}).picture())["car 1"]
    assert car.angle == 60 * direction
    body = next(shape for shape in placed(car) if isinstance(shape, Polygon))
    tip = max(body.points, key=lambda point: dist(point, (car.x, car.y)))
    ahead = hexes.towards((car.x, car.y), direction, 34)
    assert dist(tip, ahead) < 1


def test_cars_stand_in_the_middle_of_their_hexes_and_fit_in():
    picture = crashlab.game("autoscooter", players=8).start().picture()
    floor = {
        (round(sum(x for x, _ in shape.points) / 6), round(sum(y for _, y in shape.points) / 6))
        for shape in picture.board
        if isinstance(shape, Polygon) and shape.fill == "cell"
    }
    assert len(floor) == 38
    for key, piece in pieces(picture).items():
        if key.startswith("car"):
            assert (round(piece.x), round(piece.y)) in floor
            body = next(shape for shape in piece.shapes if isinstance(shape, Polygon))
            lengths = [hypot(*point) for point in body.points]
            assert 32 <= max(lengths) + min(lengths) and max(lengths) + body.width / 2 < render.HALF


@pytest.mark.parametrize("speed", range(4))
def test_a_car_shows_number_driver_and_a_wedge_for_each_speed(speed):
    car = pieces(read({6: f"(3,2) W s{speed}"}, players=4).picture())["car 6"]
    assert texts(car.shapes) == ["B", "6"]
    assert {shape.fill for shape in car.shapes if isinstance(shape, Polygon)} >= {"seat 1"}
    wedges = [shape for shape in car.shapes if isinstance(shape, Polygon) and shape.fill == "seat 1 ink"]
    assert len(wedges) == speed
    assert all(x < 0 for wedge in wedges for x, _ in wedge.points)


def test_a_car_without_a_driver_is_grey_and_crossed():
    state = read({1: "(0,0) E s0", 4: "(3,2) W s0"}, players=3)
    car = pieces(state.picture())["car 4"]
    assert texts(car.shapes) == ["4"]
    assert len([shape for shape in car.shapes if isinstance(shape, Line) and shape.width == 3]) == 2
    assert "without a driver" in car.label


def test_the_rail_goes_round_all_46_barrier_sides():
    walk = render.rim()
    assert len(set(walk)) == len(walk) == 46
    sides = [dist(a, b) for a, b in zip(walk, (*walk[1:], walk[0]), strict=True)]
    assert all(abs(side - render.SIZE) < 1e-6 for side in sides)


def test_purses_show_numbers_and_as_many_discs():
    state = read({1: "(2,1) E s2"}, {"chits": {"A": 13, "B": 0}, "box": 27})
    drawn_pieces = pieces(state.picture())
    for key, count in {"chits A": 13, "chits B": 0, "box": 27}.items():
        assert texts(drawn_pieces[key].shapes) == [str(count)]
        assert len([shape for shape in drawn_pieces[key].shapes if isinstance(shape, Polygon)]) == count


def test_where_there_are_few_cars_who_has_none_has_no_row_unless_something_has_been_paid():
    few = read({1: "(2,1) E s2"}, {"chits": {"A": 20, "B": 15}, "box": 5}).picture()
    assert {"chits A", "chits B"} <= set(pieces(few)) and not {"chits C", "chits D"} & set(pieces(few))
    assert "no car" in texts(few.board) and texts(few.board).count("no car") == 1
    assert few.map and crashlab.game("autoscooter").start().picture().map is None
    assert {f"chits {seat}" for seat in "ABCD"} <= set(pieces(crashlab.game("autoscooter").start().picture()))


def test_a_full_purse_stays_within_the_panel():
    edges = [x for shape in render.purse_shapes(80) if isinstance(shape, Polygon) for x, _ in shape.points]
    assert max(edges) < render.ROW_RIGHT - 30
    assert texts(render.purse_shapes(80)) == ["80"]


def test_tickets_show_numbers_and_hide_what_is_secret():
    state = read({1: "(2,1) E s2", 5: "(4,1) E s0", 2: "(3,3) W s1", 6: "(5,3) W s1"})
    state = state.play({0: "17 FF", 1: "2 F"}).after
    open_pieces = pieces(state.picture())
    assert texts(open_pieces["plot 1"].shapes) == ["17"] and texts(open_pieces["plot 2"].shapes) == ["2"]
    assert "plot 5" not in open_pieces
    view_pieces = pieces(state.seen_by(0).picture())
    assert texts(view_pieces["plot 1"].shapes) == ["17"] and texts(view_pieces["plot 2"].shapes) == ["?"]
    assert "number 17" in state.seen_by(0).picture().words and "number 2" not in state.seen_by(0).picture().words


def test_a_ticket_stays_beside_its_car_until_the_car_moves():
    turn = crash("side")
    first = next(row[0] for row in turn.rows if row[3] == rules.PLOT and row[1] == rules.R2)
    assert "plot 1" in pieces(turn.at(first - 1).picture())
    assert "plot 1" not in pieces(turn.at(first).picture())
    assert "plot 2" in pieces(turn.at(first).picture())


def test_the_words_tell_the_whole_picture():
    state = read({1: "(2,1) NE s2", 2: "(3,3) W s0"}, {"round": 4, "chits": {"A": 7}, "box": 13})
    assert state.picture().words == (
        "Round 4 of 11. Car 1 of A on 2,1 faces north-east at speed 2. Car 2 of B on 3,3 faces west and stands"
        " still. Chits: A 7, B 20, C 20, D 20, box 13."
    )


@pytest.mark.parametrize(("chits", "words"), [({"A": 21, "B": 19}, "A wins"), ({}, "A, B, C and D win")])
def test_the_end_tells_who_wins(chits, words):
    picture = read({1: "(2,1) E s2"}, {"round": 12, "chits": chits}).picture()
    assert picture.words.startswith(f"Game over: {words}. Car 1")
    assert texts(pieces(picture)["round"].shapes) == [words]


def test_pictures_of_one_game_share_their_board():
    state = crashlab.game("autoscooter").start()
    after = state.sample(crashlab.Random(1)).after
    assert state.picture().board is after.picture().board


# Effects


def passing(turn):
    """Return the turn's effects by key, the first one of each key."""
    first = {}
    for _, effects in story.film(turn):
        for start, end in effects:
            first.setdefault(start.key, (start, end))
    return first


@pytest.mark.parametrize("name", CRASHES)
def test_a_crash_flashes_between_the_two_with_its_case(name):
    turn, case = crash(name), CRASHES[name][3]
    start, end = passing(turn)["crash 1"]
    assert texts(start.shapes) == [case] and end.alpha == 0
    here = render.CENTRES[HEXES.index(CRASHES[name][2])]
    assert dist((start.x, start.y), here) == pytest.approx(render.HALF)


@pytest.mark.parametrize("name", CRASHES)
def test_chits_fly_from_the_payer_to_the_payee(name):
    turn, words = crash(name), CRASHES[name][4]
    effects = passing(turn)
    first = {key: pair for key, pair in effects.items() if key.startswith("pay")}
    if words == "nobody pays":
        assert not first
        return
    payer, amount, payee = words[0], words.split()[2], words.split()[-1]
    key = f"pay {'AB'.index(payer)} {0 if payee == 'box' else 'AB'.index(payee)}"
    start, end = first[key]
    assert texts(start.shapes) == [f"+{amount}"]
    row = render.BOX_Y if payee == "box" else render.row_y(len(turn.after.scores), "AB".index(payee))
    assert end.y == row and end.x > render.PANEL[0]
    before = turn.at(next(event.beat for event in turn.events if event.field == "chits") - 1)
    assert (start.x, start.y) == render.CENTRES[HEXES.index(before.cars[1 if payer == "A" else 2].hex)]
    assert texts(effects[f"loss {'AB'.index(payer)}"][0].shapes) == [f"-{amount}"]


def test_without_the_earlier_events_chits_fly_from_purse_to_purse():
    turn = crash("side")
    beat = next(row[0] for row in turn.rows if row[3] == rules.CHITS)
    rows = [row for row in turn.rows if row[0] == beat]
    start, _ = next(pair for pair in render.effects(turn.at(beat - 1).table, rows) if pair[0].key.startswith("pay"))
    assert start.x > render.PANEL[0]


def test_who_has_nothing_is_seen_to_pay_nothing():
    state = read({1: "(2,1) E s2", 2: "(2,3) SE s2"}, {"chits": {"B": 0}})
    effects = passing(play_round(state, {1: "1 FF"}))
    assert texts(effects["loss 1"][0].shapes) == ["0!"]
    assert not any(key.startswith("pay 1") for key in effects)


def test_each_car_is_called_when_its_turn_comes():
    turn = crash("side")
    assert {key for key in passing(turn) if key.startswith("call")} == {"call 1", "call 2"}


def test_a_shoved_car_flashes_where_it_is_shoved_to():
    state = read({1: "(3,0) E s2", 2: "(3,1) E s2", 4: "(3,2) NW s0"}, players=3, rear_push=True)
    effects = passing(play_round(state, {1: "1 FF"}))
    start, _ = effects["crash 2"]
    assert texts(start.shapes) == ["barrier"]
    assert start.x == pytest.approx(render.CENTRES[HEXES.index((3, 1))][0] + render.HALF)


def test_a_shoved_car_meets_the_rail_in_the_direction_of_the_blow():
    state = read({1: "(2,3) E s2", 2: "(2,4) E s2"}, rear_push=True)
    start, _ = passing(play_round(state, {1: "1 FF"}))["crash 2"]
    assert start.x == pytest.approx(render.CENTRES[HEXES.index((2, 4))][0] + render.HALF)


def test_effects_keep_their_keys_and_nothing_else_is_needed_to_draw_them():
    rng = crashlab.Random(5)
    state = crashlab.game("autoscooter", rear_push=True).start()
    while not state.over and state.round < 4:
        turn = state.sample(rng)
        for picture, effects in story.film(turn):
            keys = [start.key for start, _ in effects]
            assert len(keys) == len(set(keys))
            assert not set(keys) & set(pieces(picture))
            for start, end in effects:
                assert start.key == end.key and isinstance(start, Piece)
                assert all(getattr(shape, "fill", "ink") in (*LIGHT, "") for shape in start.shapes)
        state = turn.after


def test_the_ways_go_from_hex_to_hex_with_a_star_at_each_crash():
    turn = crash("side")
    shapes = render.paths(turn.before.table, turn.rows)
    line = next(shape for shape in shapes if isinstance(shape, Line) and shape.stroke == "seat 0")
    assert line.points == tuple(render.CENTRES[HEXES.index(place)] for place in ((2, 1), (2, 2)))
    assert any(isinstance(shape, Line) and shape.arrow for shape in shapes)
    ring = next(shape for shape in shapes if isinstance(shape, Circle))
    assert (ring.x, ring.y) == line.points[0]
    crashes = [event for event in turn.events if event.field is None and event.rule in look_rules(turn)]
    assert len([shape for shape in shapes if isinstance(shape, Polygon) and shape.fill == "flash"]) == len(crashes)


def look_rules(turn):
    """Return the ids of the five crash rules."""
    return {turn.before.game.rulebook[rule].id for rule in render.CASES}


def test_a_picture_can_be_changed_only_by_making_another():
    picture = read({1: "(3,2) E s1"}).picture()
    with pytest.raises(AttributeError):
        picture.width = 1
    assert replace(picture, width=1).width == 1
