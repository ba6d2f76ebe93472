"""Predictions without a browser: nothing is told before it is asked, answers stay to be seen, and hands are counted."""

import os
import re
from functools import cache
from html import unescape

import pytest

import crashlab
from crashlab import CrashlabError

pytest.importorskip("ipycanvas")

from hands import Page, Sent, click, quick_fingers, words  # noqa: F401
from positions import round_with_crashes

from crashlab.drawing.shapes import Text
from crashlab.lab import Predict
from crashlab.lab.predict_questions import outline

PROOF = os.environ.get("CRASHLAB_PROOF")
FEWER = {"autoscooter": 100, "crash_and_grab": 10, "crash_by_crash": 3, "crash_city": 3}
GAMES = dict.fromkeys(FEWER, 250) if PROOF else FEWER  # so many of each
OPTIONS = {"autoscooter": {"players": 4}}
UNNAMED = {"crash_and_grab": 1, "crash_by_crash": 0}  # so many pieces are named; the others are pushed
WIDGETS = 12  # turns of each game that are asked about in a widget


@pytest.fixture(scope="module")
def game():
    return crashlab.game("autoscooter", players=4)


@pytest.fixture(scope="module")
def turn(game):
    return round_with_crashes(game)


def plain(html):
    return unescape(re.sub("<[^>]*>", " ", html))


def answered(turn, given=lambda question: question.right, **options):
    predict = Predict(turn, **options)
    for question in predict.questions:
        predict.board.alone(predict.answer, given(question))
    return predict


def is_shown(widget):
    return widget.layout.display != "none" and widget.layout.visibility != "hidden"


# The way of a prediction


def test_all_questions_are_asked_before_anything_is_shown(turn):
    predict = Predict(turn)
    sent = Sent(predict)
    assert predict.questions[0].text in words(predict)
    for plot in ("car 5 of A: 21 FL", "car 2 of B: 66 FL"):  # of this pass, and of the one before
        assert plot in predict.heading.value and plot in predict.still()[1]
    for number, question in enumerate(predict.questions):
        assert predict.asked == number and not predict.revealed and predict.steps.turn is None
        assert predict.board.picture == turn.before.picture()
        assert not any(map(is_shown, (predict.steps, predict.steps.story, predict.verdict)))
        given = question.right if number % 2 else (question.right + 1) % len(question.answers)
        if question.places:
            sent.press(*question.places[given])
        else:
            predict.picker.menu.index = given
            click(predict.picker.button)
    assert predict.revealed and predict.error is None and predict.steps.clock.playing
    assert predict.right == len(predict.questions) // 2
    click(predict.again)
    assert predict.now.answers == () and predict.steps.turn is None


def test_the_film_leaves_out_what_does_not_show_and_each_verdict_comes_with_its_beat(turn):
    predict = answered(turn, lambda question: 0)
    film, page = predict.steps.turn_story, Page(predict.steps)
    click(predict.steps.play)
    assert predict.steps.beat == 0 and predict.steps.last == film.beats < turn.beats
    assert all(film.effects(beat) or film.picture(beat) != film.picture(beat - 1) for beat in range(1, film.beats + 1))
    for beat in range(film.beats + 1):
        page.come_to(beat, plays=beat < film.beats)
        told = plain(predict.verdict.value)
        _, last = film.end(beat)
        for question in predict.questions:
            known = turn.events[question.reason].beat <= last
            right, event = question.answers[question.right], turn.events[question.reason]
            assert (f"Right: {right}." in told or f"No: {right}, not {question.answers[0]}." in told) >= known
            assert known <= (f"[{event.rule}]" in told)
        assert told.count("You say") == sum(turn.events[q.reason].beat > last for q in predict.questions)
        assert is_shown(predict.steps.story) == ("right." in told) == (beat == film.beats)
    predict.steps.first.click()
    assert plain(predict.verdict.value) == told  # and it stays


def test_an_answer_counts_once_and_can_be_taken_back(turn):
    predict = Predict(turn, animate=False)
    predict.picker.menu.index = 0
    click(predict.picker.button)
    predict.picker.button.click()
    assert predict.now.answers == (0,) and is_shown(predict.back)
    click(predict.back)
    assert predict.now.answers == () and predict.asked == 0 and not is_shown(predict.back)
    while not predict.revealed:
        predict.board.alone(predict.answer, 1)
    now = predict.now
    predict.board.alone(predict.answer, 1)
    assert predict.now is now and not is_shown(predict.back) and is_shown(predict.again)
    assert predict.board.picture == turn.after.picture() and "right." in predict.verdict.value


def test_predictions_by_keyboard(turn):
    predict = Predict(turn)
    sent = Sent(predict)
    count = len(predict.question.answers)
    for number in (1, 2):
        sent.key("ArrowDown")
        answer = predict.question.answers[number - 1]
        assert words(predict) == f"{number} of {count}: {answer}. Enter takes it."
    sent.key("Enter")
    assert predict.now.answers == (1,)
    assert predict.questions[1].text in words(predict)
    while not predict.revealed:
        sent.key("ArrowDown")
        sent.key("Enter")
    sent.key("ArrowRight")  # the keys step through what is shown now
    assert predict.steps.beat == 1


@pytest.mark.parametrize("given", [-1, 99, "2", None, [1, 0], 1.5])
def test_what_is_no_answer_is_refused(turn, given):
    predict = Predict(turn)
    with pytest.raises(CrashlabError, match="is not an answer: give a number from 0 to"):
        predict.answer(given)
    assert predict.now.answers == ()


# Nothing is told before it is asked


@cache
def turns(name):
    """The turns of random games about which there are questions, with these: each as (turn, questions)."""
    found = []
    game = crashlab.game(name, **OPTIONS.get(name, {}))
    for number in range(GAMES[name]):
        state, rng = game.start(number), crashlab.Random(number)
        while not state.over:
            turn = state.sample(rng)
            if questions := game.ui.questions(turn):
                found.append((turn, questions))
            state = turn.after
    return found


each_game = pytest.mark.parametrize("name", GAMES)


def says(text, answer):
    """Whether an answer stands in a text; who is asked about is no answer."""
    bare = re.sub(r"\b(does|can) (car )?\w+\b|\bcar \d\b", "", text, flags=re.I)
    return bool(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", bare))


@each_game
def test_no_question_tells_its_own_answer_or_that_of_a_later_one(name):
    for _, questions in turns(name):
        for number, question in enumerate(questions):
            told = [later for later in questions[number:] if says(question.text, later.answers[later.right])]
            assert told == [], (question.text, told)
            assert len(question.answers) == len(set(question.answers)) > 1
    assert len(turns(name)) > 100


@each_game
def test_of_whom_more_is_offered_does_not_tell_who_it_is(name):
    """Where answers are about somebody, `blue: 1 energy`, there are as many about each."""
    for _, questions in turns(name):
        for question in questions:
            about = [answer.partition(": ")[0] for answer in question.answers if ": " in answer]
            assert len({about.count(who) for who in about}) <= 1, question


@each_game
def test_a_piece_that_is_to_be_guessed_is_neither_named_nor_driven_to(name):
    """Which car is hit, and which pieces are pushed, is not told by a question that comes before or asks for it."""
    for _, questions in turns(name):
        for number, question in enumerate(questions):
            if question.text.startswith("Which car"):
                car = question.answers[question.right]
                assert question.hides_ways and not [q for q in questions[: number + 1] if says(q.text, car)]
            if name == "crash_city" and question.text.startswith(("Which", "Where")):
                assert question.hides_ways  # the way ends there
        where = [question.text for question in questions if question.text.startswith("Where")]
        if name in UNNAMED:
            assert all(re.search("the (first|second|third) |placed", text) for text in where[UNNAMED[name] :])


def on_page(widget):
    """All words that a panel shows."""
    if widget.layout is None or not is_shown(widget):
        return
    for word in (getattr(widget, "value", ""), getattr(widget, "description", "")):
        if isinstance(word, str):
            yield plain(word)
    yield from getattr(widget, "_options_labels", ())
    for child in getattr(widget, "children", ()):
        yield from on_page(child)


@each_game
def test_while_a_question_is_open_the_page_shows_the_position_and_the_plan_only(name):
    found = turns(name)
    for turn, questions in found[:: max(1, len(found) // WIDGETS)]:
        predict = Predict(turn, animate=False)
        before = turn.before.picture()
        plans = [shape for plan in predict.plans for shape in plan.shapes]
        events = {event.text for event in turn.events}
        for number, question in enumerate(questions):
            assert predict.question == question and predict.board.picture == before
            marks, top = predict.board.surface._shown[1:3]
            assert top == () and len(marks) == 2 * len(question.places) + len(plans) * (not question.hides_ways)
            assert [shape.points for shape in marks[len(marks) - 2 * len(question.places) :: 2]] == [
                outline(question, index) for index in range(len(question.places))
            ]
            shown = list(on_page(predict))
            assert not [text for text in shown if any(event in text for event in events)]
            assert not [later for later in questions[number + 1 :] if any(later.text in text for text in shown)]
            assert predict.steps.events.options == () and words(predict).startswith(question.text)
            predict.board.alone(predict.answer, question.right)
        stands_in = predict.still()[1]
        assert questions[0].text in stands_in and not any(later.text in stands_in for later in questions[1:])


# Answers stay to be seen


def test_what_was_answered_stays_on_the_board_and_beside_it_while_the_film_runs(turn):
    predict = answered(turn, lambda question: 0)
    where = predict.questions[0]
    corners = outline(where, 0)
    for beat in range(turn.beats + 1):
        predict.steps.go(beat)
        marks = predict.board.surface._shown[1]
        tags = [shape for shape in marks if isinstance(shape, Text)]
        assert [tag.text for tag in tags] == ["1"] and (tags[0].x, tags[0].y) in corners
        told = plain(predict.verdict.value)
        assert all(q.text in told and q.answers[0] in told for q in predict.questions)


@each_game
def test_rings_leave_to_be_read_what_lies_in_the_cell(name):
    """They are drawn below the pieces, and the middle of each cell is free of lines."""
    found = turns(name)
    asked = [(turn, number, question) for turn, some in found for number, question in enumerate(some)]
    kinds = {q.text.split()[0]: (turn, number) for turn, number, q in asked if q.places}
    for turn, number in kinds.values():
        predict = Predict(turn, animate=False)
        while predict.asked < number:
            predict.board.alone(predict.answer, 0)
        predict.picker.menu.index = 0
        question = predict.question
        marks, top = predict.board.surface._shown[1:3]
        assert top == () and len(marks) >= 2 * len(question.places) + 2
        for (x, y), corners, answer in zip(question.places, question.outlines, question.answers, strict=True):
            if answer != "off the board":  # where nothing lies
                assert min(max(abs(x - a), abs(y - b)) for a, b in corners) >= 9


# Hands of a class


@pytest.fixture
def poll(turn):
    return Predict(turn, poll=True, animate=False)


def test_hands_are_counted_with_buttons_typed_and_clicked_on_the_board(poll):
    sent = Sent(poll)
    rows = [row.children for row in poll.picker.menu.children]
    rows[0][2].click()
    rows[0][2].click()
    rows[0][0].click()
    rows[1][1].value = 12
    sent.press(*poll.question.places[2])
    count = len(poll.question.answers)
    assert poll.picker.counts == (1, 12, 1, *(0,) * (count - 3))
    bars = [int(re.search(r"width: (\d+)%", row[3].value)[1]) for row in rows[:count]]
    assert bars == [8, 100, 8, *(0,) * (count - 3)]
    assert [is_shown(row) for row in poll.picker.menu.children] == [True] * count + [False] * (len(rows) - count)
    assert poll.question.places and len(poll.board.surface._shown[1]) > 2 * count
    click(poll.picker.button)
    assert poll.now.answers == ((1, 12, 1, *(0,) * (count - 3)),) and poll.picker.counts[0] == 0


@pytest.mark.parametrize("pause", (0.2, 0.15, 0.01))
def test_every_click_on_the_board_counts_a_hand(poll, pause):
    sent, place = Sent(poll), poll.question.places[0]
    for _ in range(6):
        sent.press(*place, pause=pause)
    assert poll.picker.counts[0] == 6


def test_hands_are_counted_by_keys_alone_and_told_in_words(poll):
    sent = Sent(poll)
    sent.key("Enter")
    assert "No hands counted yet" in words(poll) and poll.now.answers == ()
    sent.key("7")  # for nobody
    for key in ("ArrowDown", "1", "4", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft"):
        sent.key(key)
    assert words(poll) == f"{poll.question.answers[1]}: 1 hand; 16 in all. Enter goes on."
    for key in ("ArrowUp", "Backspace", "ArrowLeft", "ArrowLeft", "ArrowUp", "3"):
        sent.key(key)
    assert poll.picker.counts == (0, *poll.picker.counts[1:]) and poll.picker.counts[-1] == 3
    sent.key("Enter")
    assert poll.asked == 1 and poll.now.answers[0][-1] == 3


def test_the_turn_then_marks_the_right_one_and_counts_the_hands(poll):
    given = {}
    for number, question in enumerate(poll.questions):
        counts = [number + 1] * len(question.answers)
        counts[question.right] += 10 * (number == 0)
        given[question] = counts
        poll.board.alone(poll.answer, counts)
    told = plain(poll.verdict.value)
    every = sum(map(sum, given.values()))
    assert f"{sum(counts[q.right] for q, counts in given.items())} of {every} hands right." in told
    for question, counts in given.items():
        assert f"✓ {question.answers[question.right]}: {counts[question.right]}" in told
        wrong = (question.right + 1) % len(question.answers)
        assert f"✓ {question.answers[wrong]}: {counts[wrong]}" not in told
    first = poll.questions[0]
    assert f"Right: {first.answers[first.right]}." in told


@pytest.mark.parametrize("given", [0, (), (1,), "12345", (0,) * 5, (-1, 2, 0, 0, 0), None])
def test_what_are_no_hands_is_refused(poll, given):
    with pytest.raises(CrashlabError, match="is not a count of hands: give 5 whole numbers of at least 0"):
        poll.answer(given)
    assert poll.now.answers == ()


def test_as_many_questions_are_asked_as_are_wanted(turn):
    every = Predict(turn, animate=False).questions
    predict = Predict(turn, max_questions=1, animate=False)
    assert [question.text for question in predict.questions] == [every[0].text] and len(every) > 1
    predict.answer(predict.question.right)
    assert predict.revealed and "1 of 1 right" in predict.verdict.value
    for wrong in (0, -1, 1.5, "two", True):
        with pytest.raises(CrashlabError, match="max_questions"):
            Predict(turn, max_questions=wrong)
