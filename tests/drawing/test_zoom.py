"""Zoomed maps: the positions of points, the meaning of clicks, and the choice of the visible part."""

from dataclasses import replace

import pytest

from crashlab.drawing import story, tween
from crashlab.drawing.shapes import Circle, Map, Picture, Piece, Polygon, Text
from crashlab.drawing.zoom import contains, following, lens, looking, whole

pytest.importorskip("ipycanvas")

from fake_page import Page, Sent, quick_fingers  # noqa: F401

from crashlab.lab import Board

MAP = Map(20, 0, 220, 100, near=4.0)
BOARD = (
    Polygon(((0, 0), (300, 0), (300, 120), (0, 120)), "wood"),
    Circle(120, 50, 10, "ink"),
    Text(10, 20, "row"),
    Text(70, 110, "column"),
    Text(260, 50, "beside"),
)
PICTURE = Picture(300, 120, BOARD, (Piece("car", 70, 25, (Circle(0, 0, 5, "ink"), Text(0, 0, "7")), 90),), "a map", MAP)


@pytest.mark.parametrize("wish", ((1, 0, 0), (2, 0, 0), (2, 1e6, 50), (3, 120, 50), (0.1, 60, 20), (99, 60, 20)))
def test_a_lens_shows_nothing_but_the_map_and_leads_back(wish):
    view = lens(MAP, *wish)
    corners = view.at(MAP.left, MAP.top), view.at(MAP.right, MAP.bottom)
    assert corners[0][0] <= MAP.left and corners[0][1] <= MAP.top
    assert corners[1][0] >= MAP.right and corners[1][1] >= MAP.bottom
    assert 1 <= view.zoom <= 8
    assert view.back(*view.at(view.x + 1, view.y - 1)) == pytest.approx((view.x + 1, view.y - 1))
    assert view.back(260, 50) == (260, 50)  # beside the map


def test_all_that_is_looked_at_is_seen_from_as_near_as_it_may():
    near = looking(whole(MAP), [(100, 40)], 4)
    assert near.zoom == 4 and near.at(100, 40) == pytest.approx((120, 50))
    both = looking(near, [(30, 40), (210, 60)], 4)
    assert 1 <= both.zoom < 4 and both.shows([(30, 40), (210, 60)])
    assert looking(near, [(101, 41)], 4) is near  # no need to move
    assert looking(near, [(30, 10)], 4).shows([(30, 10)])
    assert looking(near, [(260, 50)], 4) is near and looking(near, [], 2).zoom == 2
    assert looking(both, [(100, 40)], 4).zoom == 4  # too small before


def test_who_holds_the_map_is_followed_only_where_nothing_would_be_seen():
    view = lens(MAP, 4, 100, 40)
    assert following(view, [(101, 41), (210, 90)]) is view
    away = following(view, [(210, 90)])
    assert away.zoom == 4 and away.shows([(210, 90)])


def test_nothing_glides_to_a_map_on_which_things_lie_differently():
    after = replace(PICTURE, pieces=(replace(PICTURE.pieces[0], x=90),))
    assert tween.between(PICTURE, after, (), 0.5)[0].x == 80
    other = replace(after, map=replace(MAP, lie=(2.0,)))
    assert tween.between(PICTURE, other, (), 0.5) == other.pieces
    assert tween.between(PICTURE, other, (), 0) == PICTURE.pieces


def test_a_map_comes_nearer_only_where_one_of_the_two_shows_all_that_the_other_does():
    all_of_it, part = whole(MAP), lens(MAP, 4, 60, 20)
    assert contains(all_of_it, part) and contains(part, all_of_it)
    assert not contains(lens(MAP, 2, 70, 25), lens(MAP, 4, 200, 80))
    assert not contains(lens(MAP, 2, 70, 25), lens(MAP, 2, 170, 80))
    assert not contains(all_of_it, lens(replace(MAP, lie=(1.0,)), 4, 60, 20))


def test_it_is_looked_at_where_a_turn_changes_something():
    def moment(*pieces, **changes):
        return replace(PICTURE, pieces=pieces, **changes)

    class Story:
        beats = 1

        def __init__(self, before, after):
            self.pictures = before, after

        def picture(self, beat):
            return self.pictures[beat]

    one, gone, there = Piece("a", 30, 30, ()), Piece("b", 40, 40, ()), Piece("a", 50, 50, ())
    still = Piece("c", 60, 60, ())
    assert story.places(Story(moment(one, gone, still), moment(there, still))) == [(30, 30), (50, 50), (40, 40)]
    assert story.places(Story(moment(one), moment(there, map=replace(MAP, lie=(3.0,))))) == []
    assert story.places(Story(moment(one, map=None), moment(there, map=None))) == []


# On a board


@pytest.mark.parametrize("animate", (False, True))
def test_a_map_that_comes_nearer_is_one_message_of_two_lenses(animate):
    board = Board(PICTURE, animate=animate)
    page = Page(board.page)
    for times in (4, 0.25):
        before = board.lens
        board.go_near(times)
        message = page.heard[-1]
        assert message["do"] == "look" and message["lens"]["zoom"] == board.lens.zoom != before.zoom
        assert (message["before"] is not None) == animate
    assert len([message for message in page.heard if message["do"] == "look"]) == 2


def test_buttons_and_keys_look_nearer_and_move_the_map():
    board, keys = Board(PICTURE), []
    board.on_key(keys.append)
    sent = Sent(board)
    for key in ("+", "+", "-"):
        sent.key(key)
    assert board.lens.zoom == pytest.approx(1.4) and board.is_zoomed
    x = board.lens.x
    board.surface.widget[-1]._key_down_callbacks("ArrowRight", True, False, False)
    assert board.lens.x > x
    sent.key("ArrowRight")
    assert keys == ["ArrowRight"]  # passed to the owner
    sent.key("0")
    assert board.lens.zoom == 1 and not board.is_zoomed
    page = Page(board.page)
    page.say(near="nearer")
    assert board.lens.zoom == pytest.approx(1.4)
    page.say(near="farther")
    assert board.lens.zoom == pytest.approx(1)
    page.say(near="follow")
    assert not board.is_zoomed


def test_a_map_is_dragged_and_clicked_where_things_are_shown():
    board, clicks = Board(PICTURE), []
    board.on_click(lambda x, y: clicks.append((round(x), round(y))))
    hand = board.surface.widget[-1]
    hand._mouse_down_callbacks(2 * 70, 2 * 25)
    assert clicks == [(70, 25)]  # at once, as the map cannot be dragged
    board.go_near(2)
    at = board.lens.at(90, 40)
    hand._mouse_down_callbacks(*(2 * part for part in at))
    assert len(clicks) == 1
    hand._mouse_up_callbacks(*(2 * part for part in at))
    assert clicks[-1] == (90, 40)
    hand._mouse_down_callbacks(200, 100)
    hand._mouse_move_callbacks(260, 100)
    hand._mouse_up_callbacks(260, 100)
    assert len(clicks) == 2 and board.lens.at(90, 40) == pytest.approx((at[0] + 30, at[1]))
    hand._mouse_move_callbacks(400, 100)
    assert board.lens.at(90, 40) == pytest.approx((at[0] + 30, at[1]))  # the button was released
    hand._mouse_down_callbacks(2 * 260, 100)
    assert clicks[-1] == (260, 50)  # beside the map


def test_the_page_is_told_where_a_finger_drags_the_map():
    board, still = Board(PICTURE), Board(PICTURE)
    board.on_click(lambda x, y: None)
    for zoom, near in ((2, True), (1.5, True), (1 / 3, False)):
        board.go_near(zoom)
        still.go_near(zoom)
        assert ("crashlab-near" in board.surface.widget._dom_classes) is near
        assert "crashlab-near" not in still.surface.widget._dom_classes  # nothing there takes a click or a drag
    assert "crashlab-board" in still.surface.widget._dom_classes


def test_keys_that_are_meant_for_jupyterlab_do_nothing_on_the_board():
    board, keys = Board(PICTURE), []
    board.on_key(keys.append)
    press = board.surface.widget[-1]._key_down_callbacks
    for key, shift, ctrl, meta in (
        ("Enter", True, False, False),
        ("Enter", False, True, False),
        ("Enter", False, False, True),
        ("s", False, True, False),
        ("+", False, True, False),
        ("Tab", False, True, False),
    ):
        press(key, shift, ctrl, meta)
    assert not keys and board.lens.zoom == 1
    press("Enter", False, False, False)
    assert keys == ["Enter"]


def test_a_board_that_follows_goes_near_and_a_picture_without_a_map_has_no_lens():
    board = Board(PICTURE, follows=True)
    board.look_at(PICTURE, [(60, 30)])
    assert board.lens.zoom == 4 and board.small == 0.5
    plain = replace(PICTURE, map=None)
    board.show(plain)
    assert board.lens is None and board.small == 1
    still = Board(PICTURE)
    still.look_at(PICTURE, [(60, 30)])
    assert still.lens.zoom == 1
    assert board.page.has_map and not Board(plain).page.has_map
