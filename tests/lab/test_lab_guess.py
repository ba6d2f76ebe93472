"""Guessing numbers by hand, without a browser."""

import re
from html import unescape

import pytest

from crashlab import CrashlabError

pytest.importorskip("ipycanvas")

from fake_page import CLOCK, Sent, click, quick_fingers, words  # noqa: F401

from crashlab.drawing import svg
from crashlab.drawing.guess_chart import BOTTOM, GUESS, KINDS, TOP, TRUTH, WIDTH
from crashlab.drawing.shapes import Line, Text
from crashlab.lab import Guess

CASES, TRUE = ["front", "rear", "side"], [21.0, 9.0, 70.0]


class Pencil:
    """A mouse that draws on a chart."""

    def __init__(self, guess):
        self.sketch, self.hand, self.zoom = guess.sketch, guess.board.surface.widget[-1], guess.board.surface.zoom

    def at(self, place, value):
        CLOCK.pass_by()
        return self.sketch.middle(place) * self.zoom, self.sketch.up(value) * self.zoom

    def down(self, place, value):
        self.hand._mouse_down_callbacks(*self.at(place, value))

    def move(self, place, value):
        self.hand._mouse_move_callbacks(*self.at(place, value))

    def up(self, place, value):
        self.hand._mouse_up_callbacks(*self.at(place, value))


@pytest.fixture
def guess():
    return Guess("What share of all crashes?", CASES, TRUE, unit=" %")


def plain(html):
    return unescape(re.sub("<[^>]*>", " ", html))


def tells(guess):
    """Return all text that a guess shows, its still picture included, and that picture."""
    picture, stands_in = guess.still()
    texts = (guess.board.said, guess.result.value, guess.board.picture.words, stands_in)
    return " ".join(map(plain, (*texts, svg.paint(picture, "light", 1.0)))), picture


def test_a_finger_that_moves_quickly_and_leaves_sets_the_bar_where_it_was_last(guess):
    pencil = Pencil(guess)
    pencil.hand._touch_start_callbacks([pencil.at(0, 90)])
    first, last = pencil.at(0, 60), pencil.at(0, 40)
    pencil.hand._touch_move_callbacks([first])
    pencil.hand._touch_move_callbacks([last])  # at once after the other
    pencil.hand._touch_end_callbacks([])
    assert guess.values == (40, None, None)


def test_a_bar_is_dragged_and_rounded_and_the_truth_is_shown_only_then(guess):
    pencil = Pencil(guess)
    pencil.down(0, 90)
    pencil.move(0, 60)
    pencil.up(0, 30.4)
    pencil.move(0, 80)  # with the button up it draws nothing
    assert guess.values == (30, None, None) and words(guess) == "front: 30 %. 1 of 3 guessed."
    click(guess.take)
    assert not guess.now.is_taken and words(guess) == "Guess rear as well: drag, or use the keys."
    for place, value in ((1, 10), (2, 60)):
        pencil.down(place, value)
        pencil.up(place, value)
    text, picture = tells(guess)
    assert not re.search(r"\b(21|9|70)\b", text)
    assert TRUTH not in {getattr(shape, "fill", "") for shape in picture.board}
    click(guess.take)
    assert guess.now.truth == tuple(TRUE) and guess.error is None
    text, picture = tells(guess)
    assert words(guess) == "On average you were 6.667 % off."
    assert picture.words == (
        "What share of all crashes? front: guessed 30 %, in truth 21 %; rear: guessed 10 %, in truth 9 %; "
        "side: guessed 60 %, in truth 70 %."
    )
    assert {GUESS, TRUTH} <= {getattr(shape, "fill", "") for shape in picture.board}
    pencil.down(0, 90)
    pencil.up(0, 90)
    assert guess.values == (30, 10, 60)  # the guess stays as a ghost beside the truth
    assert words(guess) == "On average you were 6.667 % off.\nPress 'Again' to guess again."
    click(guess.again)
    assert guess.values == (None,) * 3 and guess.now.truth is None


def test_the_page_leaves_every_stroke_of_a_finger_to_the_chart(guess):
    for place in range(3):
        assert "crashlab-near" in guess.board.surface.widget._dom_classes
        Pencil(guess).down(place, 30)


def test_the_question_is_asked_once(guess):
    asked = [shape.text for shape in guess.board.picture.board if isinstance(shape, Text)]
    assert asked.count("What share of all crashes?") == 1
    assert words(guess) == "Drag on the chart, or use the keys." and not guess.result.value


@pytest.mark.parametrize("drawn", ["curve", "funnel"])
def test_a_line_that_is_drawn_goes_through_all_columns(drawn):
    guess = Guess("How wide?", [100, 200, 400, 800, 1600], drawn=drawn, most=8, step=0.5)
    pencil = Pencil(guess)
    pencil.down(0, 8)
    pencil.move(4, 0)
    pencil.up(4, 0)
    assert guess.values == (8, 6, 4, 2, 0)
    if drawn == "funnel":
        pencil.down(4, -3)  # a drag below 0 changes nothing else
        assert guess.values[4] == 3
    click(guess.take)
    assert words(guess) == "The guess is noted. Now find out." and guess.now.truth is None
    sentence = repr(guess.reveal([7, 5, 3.5, 2.5, 12]))
    assert sentence.startswith("On average you were") and "The chart above" in sentence
    assert guess.sketch.up(12) >= TOP  # there is room for the truth
    assert TRUTH in {getattr(shape, "stroke", "") for shape in guess.board.picture.board}


def test_the_truth_is_shown_only_after_a_guess_or_when_it_is_asked_for_again():
    guess, again = (Guess("What share of all crashes?", CASES, unit=" %") for _ in range(2))
    for panel in (guess, again):
        assert "Guess in the chart above" in repr(panel.reveal(TRUE))
        assert TRUTH not in {getattr(shape, "fill", "") for shape in panel.board.picture.board}
    for place in range(3):
        guess.board.run_alone(guess.put, place, 50)
    click(guess.take)
    assert guess.now.truth == tuple(TRUE) and words(guess).startswith("On average you were")
    assert repr(again.reveal(TRUE)) == "This is the truth. The chart above shows it."
    assert again.now.truth == tuple(TRUE) and again.board.picture.words.endswith("side: no guess, in truth 70 %.")


@pytest.mark.parametrize("drawn", KINDS)
@pytest.mark.parametrize("count", [1, 2, 25, 60])
def test_every_chart_stays_within_its_field(drawn, count):
    guess = Guess("How many?", [f"number {n}" for n in range(count)], drawn=drawn, most=7.5)
    for place in range(count):
        guess.board.run_alone(guess.put, place, 7.5 * place / count)
    guess.reveal([place % 9 for place in range(count)])
    up = guess.sketch.up
    assert TOP <= up(guess.sketch.top) <= up(0) <= BOTTOM
    drawn_lines = [shape for shape in guess.board.picture.board if isinstance(shape, Line)]
    assert drawn_lines and all(TOP <= y <= BOTTOM for line in drawn_lines for _, y in line.points)
    assert all(0 <= x <= WIDTH for line in drawn_lines for x, _ in line.points)


@pytest.mark.parametrize(("count", "shown"), [(12, 12), (13, 0)])
def test_there_are_numbers_on_up_to_twelve_bars(count, shown):
    guess = Guess("How many?", [f"number {n}" for n in range(count)], most=8)
    for _ in range(2):
        guess.reveal([7.5] * count)
    texts = [shape.text for shape in guess.board.picture.board if isinstance(shape, Text)]
    assert texts.count("7.5") == shown


def test_a_guess_that_was_made_can_be_gone_on_with(guess, monkeypatch):
    guess.board.run_alone(guess.put, 1, 7)
    left = guess.done()
    assert left.words == "1 of 3 guessed"
    monkeypatch.setattr("crashlab.lab.notebook_cells.left", lambda kind, about: left if about == left.about else None)
    again = Guess("What share of all crashes?", CASES, TRUE, unit=" %")
    assert again.values == (None,) * 3
    click(again.resume)
    assert again.values == (None, 7, None) and again.resume.layout.display == "none"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"names": []}, "give a list of 1 to 60 names"),
        ({"names": "abc"}, "give a list of 1 to 60 names"),
        ({"names": range(61)}, "give a list of 1 to 60 names"),
        ({"truth": [1, 2]}, "give 3 numbers of at least 0, one for each name"),
        ({"truth": [1, 2, float("nan")]}, "give 3 numbers of at least 0"),
        ({"truth": [1, 2, -3]}, "give 3 numbers of at least 0"),
        ({"truth": 7}, "give 3 numbers of at least 0"),
        ({"drawn": "pie"}, "choose one of bars, curve, funnel"),
        ({"most": 0}, "most=0: give a number above 0"),
        ({"step": -1}, "step=-1: give a number above 0"),
    ],
)
def test_what_cannot_be_guessed_is_refused(change, said):
    with pytest.raises(CrashlabError, match=said):
        Guess(**{"question": "What?", "names": CASES, "truth": TRUE, **change})


def test_a_wrong_truth_leaves_the_guess_as_it_was(guess):
    guess.board.run_alone(guess.put, 0, 5)
    before = guess.now
    for wrong in ([1], "abc", None):
        with pytest.raises(CrashlabError, match="give 3 numbers"):
            guess.reveal(wrong)
    with pytest.raises(CrashlabError, match="there is no name 3"):
        guess.put(3, 1)
    assert guess.now is before
