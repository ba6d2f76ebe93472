"""The angle dial of Autoscooter without a browser: its results are those of the engine."""

from itertools import product

import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.games.boards import hexes

pytest.importorskip("ipycanvas")

from fake_page import Sent, click, quick_fingers, words  # noqa: F401

from crashlab.lab import Dial
from crashlab.lab.angle_dial import DIAL, SIDES, Blow, cell_box, outcome, play

GAME = crashlab.game("autoscooter")
MIDDLE = DIAL / 2, DIAL / 2


@pytest.fixture(scope="module")
def dial():
    return Dial(animate=False)


def middle(side, v, w):
    left, top, right, bottom = cell_box(side, v, w)
    return (left + right) / 2, (top + bottom) / 2


def test_the_formula_gives_the_side_that_the_engine_finds():
    """The result depends only on the side, whatever the blow and the facing."""
    for blow, facing in product(range(6), range(6)):
        struck = Blow(blow, facing, 2, 1)
        side = (blow + 3 - facing) % 6
        assert struck.side == side
        done = outcome(play(GAME, struck))
        assert done.rule == {0: "AS-C1", 3: "AS-C3"}.get(side, "AS-C4")
        turned = {1: -1, 2: -1, 4: 1, 5: 1}.get(side, 0)
        assert done.facing == (facing + turned) % 6


def test_every_cell_of_the_table_is_a_crash_by_the_rules(dial):
    assert len(dial.table) == 72
    for (side, v, w), done in dial.table.items():
        kind = "AS-C2" if w == 0 else {0: "AS-C1", 3: "AS-C3"}.get(side, "AS-C4")
        gain = {"AS-C1": v - w, "AS-C2": v, "AS-C3": v, "AS-C4": v + w}[kind]
        stops = kind in ("AS-C1", "AS-C2")
        assert (done.rule, done.gain) == (kind, gain)
        assert (done.v, done.w) == (0 if stops else v, 0 if kind == "AS-C1" else w)


def test_the_words_tell_the_formula_the_case_and_what_comes_of_it(dial):
    dial.turn_to("E", "SE", v=2, w=2)
    text = words(dial)
    assert "(0 + 3 − 5) mod 6 = 4. Side 4, right rear. AS-C4: Side crash." in text
    assert "B pays A 4 chits. Car 1 keeps its speed 2. Car 2 keeps its speed 2, and is turned to E." in text
    dial.turn_to("E", "W", v=1, w=3)
    assert "A pays B 2 chits. Car 1 stops. Car 2 stops." in words(dial)
    dial.turn_to("E", "W", v=2, w=2)
    assert "Nobody pays." in words(dial)
    dial.turn_to("NE", "W", w=0)
    assert "AS-C2" in words(dial) and "Car 2 stands." in words(dial)


def test_a_click_near_the_car_turns_it_and_one_farther_away_turns_the_blow(dial):
    sent = Sent(dial)
    dial.turn_to("E", "E", v=2, w=1)
    for way in range(6):
        sent.press(*hexes.towards(MIDDLE, way, 45))
        assert (dial.now.facing, dial.now.blow) == (way, 0)
    for way in range(6):
        sent.press(*hexes.towards(MIDDLE, way, 150))
        assert dial.now.blow == (way + 3) % 6, "it comes from there"
    before = dial.now
    sent.press(*MIDDLE)
    assert dial.now == before and dial.error is None
    assert words(dial).endswith("Click around the middle of the dial, or a cell of the table.")


def test_a_click_on_a_cell_turns_the_dial_there_and_plays_its_crash(dial):
    sent = Sent(dial)
    dial.turn_to("E", "NW")
    for side, v, w in ((0, 3, 1), (5, 1, 2), (3, 2, 0)):
        sent.press(*middle(side, v, w))
        assert (dial.now.side, dial.now.v, dial.now.w, dial.now.facing) == (side, v, w, 2)
        assert (dial.v.value, dial.w.value) == (v, w)
        assert dial.steps.page.playing and dial.outcome == outcome(play(GAME, dial.now))
    sent.press(600, 380)  # next to the table
    assert (dial.now.side, dial.now.v, dial.now.w) == (3, 2, 0) and dial.error is None


def test_the_keys_and_the_buttons_turn_too(dial):
    sent = Sent(dial)
    dial.turn_to("E", "E", v=2, w=1)
    for key, blow, facing in (("ArrowLeft", 1, 0), ("ArrowRight", 0, 0), ("ArrowUp", 0, 1), ("ArrowDown", 0, 0)):
        sent.key(key)
        assert (dial.now.blow, dial.now.facing) == (blow, facing)
    sent.key("3")
    assert dial.now.v == dial.v.value == 3
    dial.w.value = 3
    assert dial.now.w == 3
    for turn, expected in zip(dial.controls[2].children, ((1, 0), (0, 0), (0, 1), (0, 0)), strict=True):
        click(turn)
        assert (dial.now.blow, dial.now.facing) == expected
    sent.key("Enter")
    assert dial.steps.page.playing


def test_the_film_ends_when_the_crash_is_settled(dial):
    """Later moves of the struck car are not shown."""
    dial.turn_to("E", "SE", v=3, w=3)
    assert 0 < dial.steps.last < dial.turn.beats
    dial.board.run_alone(dial.steps.jump, dial.steps.last)
    after = {piece.key: piece for piece in dial.board.picture.pieces}
    assert after["car 2"].angle == 0, "turned from SE to E"
    assert after["car 1"].x == pytest.approx(MIDDLE[0] - 78, abs=1)


def test_house_rules_are_played():
    shoved = Dial(crashlab.game("autoscooter", rear_push=True), blow="E", facing="E", v=2, w=1, animate=False)
    shoved.board.run_alone(shoved.steps.jump, shoved.steps.last)
    other = next(piece for piece in shoved.board.picture.pieces if piece.key == "car 2")
    assert other.x > MIDDLE[0] + 70


def test_where_widgets_do_not_run_a_picture_stands_in(dial):
    dial.turn_to("E", "SE", v=2, w=2)
    picture, description = dial.still()
    drawn = [shape.text for piece in picture.pieces for shape in piece.shapes if hasattr(shape, "text")]
    assert {"Side 4, right rear. AS-C4: Side crash.", "facing SE = 5", *"012345"} <= set(drawn)
    assert "B pays A 4 chits" in description
    printed = [shape.text for shape in picture.board if hasattr(shape, "text")]
    assert sum(text.startswith(("+", "−", "0")) for text in printed) >= 72
    bundle = dial._repr_mimebundle_()
    assert "image/png" in bundle


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"blow": "N"}, "blow"),
        ({"v": 4}, "v"),
        ({"v": 0}, "v"),
        ({"w": -1}, "w"),
        ({"game": crashlab.game("crash_city")}, "shows the crashes of autoscooter"),
        ({"game": "autoscooter"}, "shows the crashes of a Game"),
    ],
)
def test_what_is_no_blow_is_refused(options, reason):
    with pytest.raises(CrashlabError, match=reason):
        Dial(**options)


def test_what_is_refused_leaves_the_dial_as_it_was(dial):
    dial.turn_to("E", "SE", v=2, w=2)
    before = dial.now
    for arguments in (("N", "E", 2), ("E", "E", 9), ("E", 7, 1)):
        with pytest.raises(CrashlabError):
            dial.turn_to(*arguments)
    assert dial.now == before and len(SIDES) == 6
