"""The drawing primitives that games share."""

from __future__ import annotations

from math import hypot

import pytest

import crashlab
from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Piece, Polygon, Text
from crashlab.games import NAMES, toolkit
from crashlab.lab.board import ring


@pytest.mark.parametrize(("way", "end"), [(0, (5, 2)), (1, (8, 5)), (2, (5, 8)), (3, (2, 5))])
def test_ways_on_squares_go_round_from_north(way, end):
    assert primitives.towards((5, 5), way, 3) == end


def test_a_grid_is_filled_row_by_row():
    assert primitives.grid(10, 20, 5, 7, 3, 5) == [(10, 20), (15, 20), (20, 20), (10, 27), (15, 27)]


def test_a_burst_is_as_large_as_the_spaces_of_its_board():
    for space in (20, 80):
        start, end = primitives.burst("crash 1", (3, 4), space, "crash!", "side")
        star, word = start.shapes
        assert max(hypot(x, y) for x, y in star.points) == pytest.approx(primitives.BURST * space)
        assert isinstance(word, Text) and word.text == "side" and start.label == "crash!"
        assert (start.key, start.x, start.y) == (end.key, end.x, end.y) == ("crash 1", 3, 4)
        assert start.scale < end.scale and end.alpha == 0


def test_what_rises_goes_up_the_page_and_fades():
    start, end = primitives.rise("chit 1", (30, 40), (), "a chit", high=9)
    assert (start.x, start.y, start.alpha) == (30, 40, 1) and (end.x, end.y, end.alpha) == (30, 31, 0)


def test_the_words_of_a_disc_are_in_its_middle():
    circle, words = primitives.disc("A", 12, "seat a", 2, 15)
    assert (words.x, words.y, words.align) == (circle.x, circle.y, "centre") == (0, 0, "centre")


def test_of_effects_with_one_key_the_last_one_is_shown():
    first, second, other = (
        primitives.rise(key, (0, 0), (), label, 9) for key, label in (("a", "1"), ("a", "2"), ("b", ""))
    )
    assert toolkit.latest([first, other, second]) == (second, other)


def test_effects_are_seen_at_the_table_just_before_their_event():
    turn = crashlab.game("crash_and_grab").start(4).sample(crashlab.Random(1))
    tables = []

    def passing_of(table, row):
        tables.append(table.copy())
        return ()

    assert toolkit.effects(turn.before.table, turn.rows, passing_of) == ()
    assert tables[0] == turn.before.table and len(tables) == len(turn.rows) > 1 and tables[-1] != tables[0]


def test_what_glows_is_marked_by_its_game_and_gets_no_ring():
    assert ring(Piece("plain", 50, 50, (Circle(0, 0, 9, "seat 1"),)))
    for shapes in (
        primitives.halo((0, 0), 9, 2, 4),
        primitives.row_frame(0, 90, 20),
        (primitives.spark((0, 0), 9, 4),),
    ):
        assert ring(Piece("marked", 50, 50, shapes)) == ()


def test_what_is_clicked_can_show_a_value():
    shapes = (
        *primitives.ring((0, 0), 9, 3, 6),
        primitives.dot((0, 0), 6, 2),
        *primitives.ticket((0, 0), "go", 15, 11, 14),
    )
    for shape in shapes:
        painted = {shape.fill} if isinstance(shape, Text) else {shape.fill, shape.stroke} - {""}
        assert painted <= {*primitives.MARKS, *primitives.EDGES, *primitives.INKS}
    assert [line.stroke for line in primitives.way(((0, 0), (9, 9)), "path", 3, 6)] == ["path edge", "path"]


def test_sentences_begin_with_a_capital_and_end():
    assert toolkit.sentences(["red moves", "A: who?", "make way!"]) == "Red moves. A: who? Make way!"
    assert [toolkit.wins("A"), toolkit.wins("AB"), toolkit.wins("ABC")] == ["A wins", "A and B win", "A, B and C win"]


def test_numbers_to_choose_from_reach_to_what_is_there():
    table = crashlab.game("crash_and_grab").start(1).table
    table.energy[:2] = [2, 5]
    assert toolkit.amount(table, "energy", 0, 0, 3).values == ("0", "1", "2", "3")
    field = toolkit.amount(table, "energy", 1, 0, 3)
    assert field.values[-1] == field.value == "5"
    field.put(table, 3)
    assert table.energy[:2] == [2, 3]


def test_the_answers_of_a_question_for_a_place_are_where_they_are():
    question = toolkit.where("Where?", (4, 7), 7, 2, str, lambda cell: (cell, 0))
    assert question.answers == ("4", "7") and question.right == 1 and question.places == ((4, 0), (7, 0))


@pytest.mark.parametrize("name", NAMES)
def test_games_paint_their_panel_alike(name):
    board = crashlab.game(name).start().picture().board
    (ground,) = [shape for shape in board if isinstance(shape, Polygon) and shape.fill == "panel"]
    assert (ground.stroke, ground.width) == ("panel edge", 2)
