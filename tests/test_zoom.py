"""Maps that are looked at from nearer: where their points are shown, what a click means, what is to be seen."""

import json
from dataclasses import replace

import pytest

from crashlab.drawing import story, tween
from crashlab.drawing.shapes import Circle, Map, Picture, Piece, Polygon, Text
from crashlab.drawing.zoom import around, following, gliding, inside, lens, looking, whole

pytest.importorskip("ipycanvas")

from hands import NAMES, Sent, quick_fingers  # noqa: F401

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
    seen = lens(MAP, *wish)
    corners = seen.at(MAP.left, MAP.top), seen.at(MAP.right, MAP.bottom)
    assert corners[0][0] <= MAP.left and corners[0][1] <= MAP.top
    assert corners[1][0] >= MAP.right and corners[1][1] >= MAP.bottom
    assert 1 <= seen.zoom <= 8
    assert seen.back(*seen.at(seen.x + 1, seen.y - 1)) == pytest.approx((seen.x + 1, seen.y - 1))
    assert seen.back(260, 50) == (260, 50)  # beside the map


def test_all_that_is_looked_at_is_seen_from_as_near_as_it_may():
    near = looking(whole(MAP), [(100, 40)], 4)
    assert near.zoom == 4 and near.at(100, 40) == pytest.approx((120, 50))
    both = looking(near, [(30, 40), (210, 60)], 4)
    assert 1 <= both.zoom < 4 and both.shows([(30, 40), (210, 60)])
    assert looking(near, [(101, 41)], 4) is near  # no need to move
    assert looking(near, [(30, 10)], 4).shows([(30, 10)])
    assert looking(near, [(260, 50)], 4) is near and looking(near, [], 2).zoom == 2
    assert looking(both, [(100, 40)], 4).zoom == 4  # too far away to be seen well


def test_all_that_can_be_seen_is_drawn():
    """Also a polygon round all that is shown; what is far away is left out."""
    seen = lens(MAP, 4, 60, 20)
    assert seen.may_show([(60, 20)]) and seen.may_show([(21, 1), (219, 1), (219, 99), (21, 99)])
    assert seen.may_show([(95, 20)]) and seen.may_show([(20, 50), (90, 10)])
    assert not seen.may_show([(200, 20)]) and not seen.may_show([(60, 80), (90, 99)])
    far = Piece("far", 200, 80, (Text(0, 0, "8"),))
    board = Board(replace(PICTURE, pieces=(*PICTURE.pieces, far)))
    sent = Sent(board)
    board.go_near(4)
    board.surface.look(seen)
    assert {words[0] for words in named(sent, "fillText")} == {"row", "column", "beside", "7"}


def test_who_holds_the_map_is_followed_only_where_nothing_would_be_seen():
    held = lens(MAP, 4, 100, 40)
    assert following(held, [(101, 41), (210, 90)]) is held
    away = following(held, [(210, 90)])
    assert away.zoom == 4 and away.shows([(210, 90)])


def test_numbers_to_the_left_and_below_go_along():
    seen = lens(MAP, 2, 120, 50)
    row, column, beside = BOARD[2:]
    assert seen.ruled(replace(row, y=40)) == replace(row, y=30)
    assert seen.ruled(row) is None  # it has left
    assert seen.ruled(replace(column, x=100)) == replace(column, x=80)
    assert seen.ruled(beside) == beside and seen.ruled(BOARD[0]) == BOARD[0]
    panel = Polygon(((15, 5), (25, -5), (225, 5), (215, 105), (25, 98)))  # with corners on the map: it lies under it
    assert not inside(MAP, panel)
    assert inside(MAP, BOARD[1]) and not any(inside(MAP, shape) for shape in (BOARD[0], row, column, beside))


def test_few_pieces_are_looked_at_with_room_around_and_from_no_nearer_later():
    few = replace(MAP, near=4.0, room=15.0)
    seen = around(few, [(100, 40), (110, 50)])
    assert 2 < seen.zoom <= 4 and seen.shows([(86, 26), (124, 64)])
    assert around(few, [(104, 44)], seen) is seen  # as long as nothing leaves it, it rests
    wider = around(few, [(160, 80)], seen)
    assert 1 < wider.zoom < seen.zoom and wider.shows([(86, 26), (124, 64), (174, 80)])
    assert around(few, [(100, 40)], wider) is wider
    assert around(few, []) == whole(few) and around(few, [(260, 50)], seen) is seen
    assert around(replace(few, near=2.0), [(100, 40)]).zoom == 2  # a single one does not fill it


def test_nothing_glides_to_a_map_on_which_things_lie_differently():
    after = replace(PICTURE, pieces=(replace(PICTURE.pieces[0], x=90),))
    assert tween.between(PICTURE, after, (), 0.5)[0].x == 80
    other = replace(after, map=replace(MAP, lie=(2.0,)))
    assert tween.between(PICTURE, other, (), 0.5) == other.pieces
    assert tween.between(PICTURE, other, (), 0) == PICTURE.pieces


@pytest.mark.parametrize("back", (False, True))
def test_a_map_glides_between_all_and_a_part_of_it(back):
    ends = [whole(MAP), lens(MAP, 4, 60, 20)][:: -1 if back else 1]
    steps = gliding(*ends, 8)
    assert len(steps) == 7
    zooms = [seen.zoom for seen in (ends[0], *steps, ends[1])]
    assert zooms == sorted(zooms, reverse=back)
    for seen in steps:  # nothing beside the map is ever seen, and what does not move stays where it is
        assert seen.at(MAP.left, MAP.top)[0] <= MAP.left + 1e-6 and seen.at(MAP.right, MAP.bottom)[1] >= MAP.bottom
    still = (60 * 4 - 120) / 3, (20 * 4 - 50) / 3
    assert all(seen.at(*still) == pytest.approx(still) for seen in steps)


def test_a_map_does_not_glide_over_what_is_not_drawn():
    assert gliding(lens(MAP, 2, 70, 25), lens(MAP, 4, 200, 80), 8) == []
    assert gliding(lens(MAP, 2, 70, 25), lens(MAP, 2, 170, 80), 8) == []
    assert gliding(whole(MAP), lens(replace(MAP, lie=(1.0,)), 4, 60, 20), 8) == gliding(None, whole(MAP), 8) == []


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


def named(sent, name):
    return [command[1] for command in sent.messages[-1] if NAMES[command[0]] == name]


def test_a_map_is_cut_off_at_its_edges_and_its_words_grow_less():
    board = Board(PICTURE, follows=True, animate=False)
    sent = Sent(board)
    board.look_at(PICTURE, [(70, 25)])
    board.show(PICTURE)
    assert named(sent, "rect")[0] == [MAP.left, MAP.top, 200, 100] and named(sent, "clip")
    assert 0 < len(named(sent, "save")) == len(named(sent, "restore"))
    assert "7.0px system-ui, sans-serif" in fonts(sent)  # drawn 4 times as large, it is 28
    json.dumps(sent.messages[-1], allow_nan=False)


@pytest.mark.parametrize("animate", (False, True))
def test_a_map_that_comes_nearer_is_one_message(animate):
    board = Board(PICTURE, animate=animate)
    sent = Sent(board)
    for times in (4, 0.25):
        board.go_near(times)
        json.dumps(sent.messages[-1], allow_nan=False)
        pictures = [what for what in named(sent, "drawImage") if what[3:] == [600, 240]]
        assert len(pictures) == 3 * len(named(sent, "sleep")) == (3 * (tween.NEARER - 1) if animate else 0)
        assert len(named(sent, "save")) == len(named(sent, "restore"))
    assert len(sent.messages) == 2


def fonts(sent):
    return [value for command in sent.messages[-1] if NAMES[command[0]] == "set" for value in command[1][1:]]


def test_buttons_and_keys_look_nearer_and_move_the_map():
    board, seen = Board(PICTURE), []
    board.on_key(seen.append, leave=lambda: None)
    sent = Sent(board)
    for key in ("+", "+", "-"):
        sent.key(key)
    assert board.lens.zoom == pytest.approx(1.4) and board.held
    x = board.lens.x
    board.surface.widget[-1]._key_down_callbacks("ArrowRight", True, False, False)
    assert board.lens.x > x
    sent.key("ArrowRight")
    assert seen == ["ArrowRight"]  # the owner's
    sent.key("0")
    assert board.lens.zoom == 1 and not board.held
    farther, nearer, follow = board.zoom.children
    nearer.click()
    assert board.lens.zoom == pytest.approx(1.4)
    farther.click()
    assert board.lens.zoom == pytest.approx(1)
    follow.click()
    assert not board.held


def test_a_map_is_dragged_and_clicked_where_things_are_shown():
    board, seen = Board(PICTURE), []
    board.on_click(lambda x, y: seen.append((round(x), round(y))))
    hand = board.surface.widget[-1]
    hand._mouse_down_callbacks(2 * 70, 2 * 25)
    assert seen == [(70, 25)]  # at once, where nothing can be dragged
    board.go_near(2)
    at = board.lens.at(90, 40)
    hand._mouse_down_callbacks(*(2 * part for part in at))
    assert len(seen) == 1
    hand._mouse_up_callbacks(*(2 * part for part in at))
    assert seen[-1] == (90, 40)
    hand._mouse_down_callbacks(200, 100)
    hand._mouse_move_callbacks(260, 100)
    hand._mouse_up_callbacks(260, 100)
    assert len(seen) == 2 and board.lens.at(90, 40) == pytest.approx((at[0] + 30, at[1]))
    hand._mouse_move_callbacks(400, 100)
    assert board.lens.at(90, 40) == pytest.approx((at[0] + 30, at[1]))  # it has been let go
    hand._mouse_down_callbacks(2 * 260, 100)
    assert seen[-1] == (260, 50)  # beside the map


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
    board, seen = Board(PICTURE), []
    board.on_key(seen.append, leave=lambda: seen.append("left"))
    press = board.surface.widget[-1]._key_down_callbacks
    for key, shift, ctrl, meta in (
        ("Enter", True, False, False), ("Enter", False, True, False), ("Enter", False, False, True),
        ("s", False, True, False), ("+", False, True, False), ("Tab", False, True, False),
    ):  # fmt: skip
        press(key, shift, ctrl, meta)
    assert not seen and board.lens.zoom == 1
    press("Enter", False, False, False)
    assert seen == ["Enter"]


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
    assert Board(plain).zoom.layout.display == "none" and board.zoom.layout.display is None
