"""Predictions without a browser: answers stay hidden until asked, answers remain visible, and hands are counted."""

import csv
import json
import re
import time
from datetime import datetime
from functools import cache
from html import unescape

import pytest
from effort import effort

import crashlab
from crashlab import CrashlabError

pytest.importorskip("ipycanvas")

from autoscooter_positions import round_with_crashes
from fake_page import Page, Sent, click, quick_fingers, step_to, take, words  # noqa: F401

from crashlab.drawing.shapes import Circle, Polygon, Text
from crashlab.drawing.styles import OPEN, RIGHT, WRONG
from crashlab.lab import Guess, Poll, Predict, Puzzle, Watch, choice_letters, hit_test, votes
from crashlab.lab.phones import Phones
from crashlab.lab.predict_questions import outline
from crashlab.lab.puzzle import asked

FEWER = {"autoscooter": 100, "crash_and_grab": 10, "crash_by_crash": 3, "crash_city": 3}
FEWEST = {"autoscooter": 10, "crash_and_grab": 1, "crash_by_crash": 1, "crash_city": 1}
GAMES = effort(FEWEST, FEWER, dict.fromkeys(FEWER, 250))  # games of each kind
OPTIONS = {"autoscooter": {"players": 4}}
UNNAMED = {"crash_and_grab": 1, "crash_by_crash": 0}  # by game: number of named pieces among those of "Where" questions
WIDGETS = 12  # turns of each game that are tested in a widget


@pytest.fixture(scope="module")
def game():
    return crashlab.game("autoscooter", players=4)


@pytest.fixture(scope="module")
def turn(game):
    return round_with_crashes(game)


def plain(html):
    return unescape(re.sub("<[^>]*>", " ", html))


def answered(turn, choose=lambda question: question.right, **options):
    predict = Predict(turn, **options)
    for question in predict.questions:
        predict.board.run_alone(predict.answer, choose(question))
    return predict


def is_shown(widget):
    return widget.layout.display != "none" and widget.layout.visibility != "hidden"


# A prediction from start to end


def test_all_questions_are_asked_before_anything_is_shown(turn):
    predict = Predict(turn)
    sent = Sent(predict)
    assert predict.questions[0].text in words(predict)
    for plot in ("car 5 of A: 21 FL", "car 2 of B: 66 FL"):  # one of this pass and one of the pass before
        assert plot in predict.heading.value and plot in predict.still()[1]
    for number, question in enumerate(predict.questions):
        assert predict.asked == number and not predict.revealed and predict.steps.turn is None
        assert predict.board.picture == turn.before.picture()
        assert not any(map(is_shown, (predict.steps, predict.steps.events, predict.verdict)))
        answer = question.right if number % 2 else (question.right + 1) % len(question.answers)
        if question.places:
            sent.press(*question.places[answer])
        else:
            take(predict, answer)
    assert predict.revealed and predict.error is None and predict.steps.page.playing
    assert predict.right == len(predict.questions) // 2
    click(predict.again)
    assert predict.now.answers == () and predict.steps.turn is None


def test_the_film_stops_at_what_was_asked_and_each_verdict_comes_with_its_beat(turn):
    predict = answered(turn, lambda question: 0)
    film, page = predict.steps.turn_story, Page(predict.board.page)
    predict.board.run_alone(predict.steps.play)
    last_asked = max(turn.events[question.reason].beat for question in predict.questions)
    decided = next(beat for beat in range(film.beats) if film.end(beat)[1] >= last_asked)
    assert predict.steps.beat == 0 and predict.steps.last == decided < film.beats < turn.beats
    assert all(film.effects(beat) or film.picture(beat) != film.picture(beat - 1) for beat in range(1, film.beats + 1))
    for beat in range(film.beats + 1):
        page.come_to(beat, plays=beat not in (decided, film.beats))
        assert ("Press Play to see what happens next." in words(predict)) == (beat == decided)
        text = plain(predict.verdict.value)
        _, last = film.end(beat)
        for question in predict.questions:
            is_seen = turn.events[question.reason].beat <= last
            right, event = question.answers[question.right], turn.events[question.reason]
            assert (f"Right: {right}." in text or f"No: {right}, not {question.answers[0]}." in text) >= is_seen
            assert is_seen <= (f"[{event.rule}]" in text)
        assert text.count("You say") == sum(turn.events[q.reason].beat > last for q in predict.questions)
        assert is_shown(predict.steps.events) == ("right." in text) == (beat >= decided)
    step_to(predict, 0)
    assert plain(predict.verdict.value) == text  # the verdict stays


def test_an_answer_counts_once_and_can_be_taken_back(turn):
    predict = Predict(turn, animate=False)
    clicked = {"take": 0, "text": predict.picker.menu.options[0]}
    for _ in range(2):  # the page may still show the previous list
        predict.picker.menu._handle_custom_msg(clicked, [])
    assert predict.now.answers == (0,) and is_shown(predict.back)
    click(predict.back)
    assert predict.now.answers == () and predict.asked == 0 and not is_shown(predict.back)
    while not predict.revealed:
        predict.board.run_alone(predict.answer, 1)
    now = predict.now
    predict.board.run_alone(predict.answer, 1)
    assert predict.now is now and not is_shown(predict.back) and is_shown(predict.again)
    assert predict.board.picture == turn.after.picture() and "right." in predict.verdict.value


def test_the_results_begin_with_the_total_and_what_was_wrong(turn):
    predict = Predict(turn, animate=False)
    for number, question in enumerate(predict.questions):
        wrong = (question.right + 1) % len(question.answers)
        predict.board.run_alone(predict.answer, question.right if number < 2 else wrong)
    lines = re.findall(r"\d of \d right|✓|✗", predict.verdict.value)
    count = len(predict.questions)
    assert lines == [f"2 of {count} right", *"✗" * (count - 2), *"✓" * 2]


@pytest.mark.parametrize("answer", [-1, 99, "2", None, [1, 0], 1.5])
def test_what_is_no_answer_is_refused(turn, answer):
    predict = Predict(turn)
    with pytest.raises(CrashlabError, match="is not an answer: give a number from 0 to"):
        predict.answer(answer)
    assert predict.now.answers == ()


# Hidden answers


@cache
def turns(name):
    """Return (turn, questions) for the turns of random games that have questions."""
    result = []
    game = crashlab.game(name, **OPTIONS.get(name, {}))
    for number in range(GAMES[name]):
        state, rng = game.start(number), crashlab.Random(number)
        while not state.over:
            turn = state.sample(rng)
            if questions := game.ui.questions(turn):
                result.append((turn, questions))
            state = turn.after
    return result


each_game = pytest.mark.parametrize("name", GAMES)


def says(text, answer):
    """Return whether a text contains an answer, except as the subject of its question."""
    bare = re.sub(r"\b(does|can) (car )?\w+\b|\bcar \d\b", "", text, flags=re.I)
    return bool(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", bare))


@pytest.mark.few(2)
@each_game
def test_no_question_tells_its_own_answer_or_that_of_a_later_one(name):
    for _, questions in turns(name):
        for number, question in enumerate(questions):
            revealed = [later for later in questions[number:] if says(question.text, later.answers[later.right])]
            assert revealed == [], (question.text, revealed)
            assert len(question.answers) == len(set(question.answers)) > 1
    assert len(turns(name)) > 100


@each_game
def test_of_whom_more_is_offered_does_not_tell_who_it_is(name):
    """If the answers are about players, such as `blue: 1 energy`, there are equally many for each player."""
    for _, questions in turns(name):
        for question in questions:
            about = [answer.partition(": ")[0] for answer in question.answers if ": " in answer]
            assert len({about.count(who) for who in about}) <= 1, question


@each_game
def test_a_piece_that_is_to_be_guessed_is_neither_named_nor_driven_to(name):
    """No question, up to the one about them, names the hit car or the pushed pieces, or draws paths to them."""
    for _, questions in turns(name):
        for number, question in enumerate(questions):
            if question.text.startswith("Which car"):
                car = question.answers[question.right]
                assert question.hides_ways and not [q for q in questions[: number + 1] if says(q.text, car)]
            if name == "crash_city" and question.text.startswith(("Which", "Where")):
                assert question.hides_ways  # the path ends there
        where = [question.text for question in questions if question.text.startswith("Where")]
        if name in UNNAMED:
            assert all(re.search("the (first|second|third) |placed", text) for text in where[UNNAMED[name] :])


def on_page(widget):
    """Yield all texts that a panel shows."""
    if widget.layout is None or not is_shown(widget):
        return
    for word in (getattr(widget, "value", ""), getattr(widget, "description", "")):
        if isinstance(word, str):
            yield plain(word)
    yield from getattr(widget, "_options_labels", ())
    for child in getattr(widget, "children", ()):
        yield from on_page(child)


@pytest.mark.few(1)
@each_game
def test_while_a_question_is_open_the_page_shows_the_position_and_the_plan_only(name):
    asked_turns = turns(name)
    for turn, questions in asked_turns[:: max(1, len(asked_turns) // WIDGETS)]:
        predict = Predict(turn, animate=False)
        before = turn.before.picture()
        plans = [shape for plan in predict.plans for shape in plan.shapes]
        events = {event.text for event in turn.events}
        for number, question in enumerate(questions):
            assert predict.question == question and predict.board.picture == before
            marks, top = predict.board.page._shown[1:3]
            assert top == () and len(marks) == 2 * len(question.places) + len(plans) * (not question.hides_ways)
            assert [shape.points for shape in marks[len(marks) - 2 * len(question.places) :: 2]] == [
                outline(question, index) for index in range(len(question.places))
            ]
            shown = list(on_page(predict))
            assert not [text for text in shown if any(event in text for event in events)]
            assert not [later for later in questions[number + 1 :] if any(later.text in text for text in shown)]
            assert not predict.board.page.events and words(predict).startswith(question.text)
            predict.board.run_alone(predict.answer, question.right)
        stands_in = predict.still()[1]
        assert questions[0].text in stands_in and not any(later.text in stands_in for later in questions[1:])


# Answers remain visible


def test_what_was_answered_stays_on_the_board_and_beside_it_while_the_film_runs(turn):
    predict = answered(turn, lambda question: 0)
    where = predict.questions[0]
    corners = outline(where, 0)
    for beat in range(turn.beats + 1):
        predict.steps.go(beat)
        marks = predict.board.page._shown[1]
        tags = [shape for shape in marks if isinstance(shape, Text)]
        assert [tag.text for tag in tags] == ["1"] and (tags[0].x, tags[0].y) in corners
        text = plain(predict.verdict.value)
        assert all(q.text in text and q.answers[0] in text for q in predict.questions)


def test_no_outline_covers_the_number_of_what_was_answered(turn):
    """The golden outline of the right place is drawn before the number."""
    where = Predict(turn).questions[0]
    predict = answered(turn, lambda question: 1 if question == where and where.right == 0 else 0)
    predict.steps.go(turn.beats)
    shapes = predict.board.page._shown[1]
    last = max(n for n, shape in enumerate(shapes) if isinstance(shape, Polygon) and shape.stroke == "flash")
    assert [shape.text for shape in shapes[last:] if isinstance(shape, Text)] == ["1"]


@each_game
def test_rings_leave_to_be_read_what_lies_in_the_cell(name):
    """Outlines are drawn below the pieces and leave the middle of each cell free."""
    asked_turns = turns(name)
    asked = [(turn, number, question) for turn, some in asked_turns for number, question in enumerate(some)]
    kinds = {q.text.split()[0]: (turn, number) for turn, number, q in asked if q.places}
    for turn, number in kinds.values():
        predict = Predict(turn, animate=False)
        while predict.asked < number:
            predict.board.run_alone(predict.answer, 0)
        predict.picker.menu.index = 0
        question = predict.question
        marks, top = predict.board.page._shown[1:3]
        assert top == () and len(marks) >= 2 * len(question.places) + 2
        for (x, y), corners, answer in zip(question.places, question.outlines, question.answers, strict=True):
            if answer != "off the board":  # no pieces are there
                assert min(max(abs(x - a), abs(y - b)) for a, b in corners) >= 9


# Hands of a class


@pytest.fixture
def poll(turn):
    panel = Predict(turn, poll=True, animate=False)
    yield panel
    panel.close()


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
    assert poll.question.places and len(poll.board.page._shown[1]) > 2 * count
    click(poll.picker.button)
    assert poll.now.answers == ((1, 12, 1, *(0,) * (count - 3)),)
    click(poll.next)
    assert not any(poll.picker.counts)


@pytest.mark.parametrize("pause", (0.2, 0.15, 0.01))
def test_every_click_on_the_board_counts_a_hand(poll, pause):
    sent, place = Sent(poll), poll.question.places[0]
    for _ in range(6):
        sent.press(*place, pause=pause)
    assert poll.picker.counts[0] == 6


def test_hands_are_counted_by_keys_alone_and_told_in_words(poll):
    sent = Sent(poll)
    sent.key("7")  # no answer is selected
    for key in ("ArrowDown", "1", "4", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft"):
        sent.key(key)
    assert words(poll) == f"{poll.question.answers[1]}: 1 hand; 16 in all. Enter shows it."
    for key in ("ArrowUp", "Backspace", "ArrowLeft", "ArrowLeft", "ArrowUp", "3"):
        sent.key(key)
    assert poll.picker.counts == (0, *poll.picker.counts[1:]) and poll.picker.counts[-1] == 3
    sent.key("Enter")
    assert poll.now.answers[0][-1] == 3 and poll.now.is_disclosed
    sent.key("Enter")
    assert poll.asked == 1 and not poll.now.is_disclosed and poll.question.text in words(poll)
    for key in ("ArrowDown", "5", "a"):
        sent.key(key)
    assert poll.quiz.hands.before[0] == 5 and not any(poll.quiz.hands.counts) and words(poll).startswith("Discuss it")
    sent.key("s")
    assert poll.asked == 2 and poll.now.answers[1] is None


def test_one_question_at_a_time_is_voted_on_and_shown_and_none_is_told_before(poll):
    total, right = 0, 0
    for number, question in enumerate(poll.questions):
        assert poll.question == question and not is_shown(poll.verdict) and is_shown(poll.quiz.hands.button)
        counts = [number + 1] * len(question.answers)
        counts[question.right] += 10 * (number == 0)
        poll.board.run_alone(poll.answer, counts)
        total, right = total + sum(counts), right + counts[question.right]
        verdict = plain(poll.verdict.value)
        letter = "PQRSTUVW"[question.right]
        answer = re.escape(question.answers[question.right])
        assert re.search(rf"✓ {letter}\) {answer}:\s+{counts[question.right]}", verdict)
        assert verdict.count("✓") <= 2 and f"{question.answers[question.right]}." in verdict
        event, later = poll.turn.events[question.reason], poll.questions[number + 1 :]
        tells = any(q.reason == question.reason or says(event.text, q.answers[q.right]) for q in later)
        is_seen = poll._beat(question) <= poll.steps.beat
        assert (f"[{event.rule}]" in verdict) == (is_seen or not tells)  # the reason is shown at once
        for later in poll.questions[number + 1 :]:
            assert poll.steps.beat < poll._beat(later) or poll._beat(later) == 0  # not shown yet
            assert not any(poll.turn.events[later.reason].text in text for text in on_page(poll))
        click(poll.next)
    assert poll.revealed and f"{right} of {total} hands right." in verdict and poll.steps.beat == poll.turn_story.beats


def test_a_class_votes_again_and_both_counts_are_kept(poll, tmp_path):
    hands, question = poll.quiz.hands, poll.question
    most = len(question.answers)
    poll.board.run_alone(hands.put, 0, 7)
    click(hands.again)
    assert hands.counts == (0,) * most and hands.before == (7, *(0,) * (most - 1))
    assert "7 → 0" in plain(hands.rows[0][2].value)
    poll.board.run_alone(hands.put, 1, 9)
    assert "0 → 9" in plain(hands.rows[1][2].value) and "7 → 0" in plain(hands.rows[0][2].value)
    click(hands.button)
    assert "0 → 9" in plain(poll.verdict.value)
    assert poll.counts == {question.text: dict(zip(question.answers, (0, 9, *(0,) * (most - 2)), strict=True))}
    poll.save(tmp_path / "monday.csv")
    lines = (tmp_path / "monday.csv").read_text("utf-8-sig").split("\n")
    assert lines[0] == "time,question,option,right,first vote,second vote"
    assert lines[1].endswith(",7,0") and lines[2].endswith(",0,9")
    assert len(lines) == most + 2


def test_a_question_is_shown_without_a_hand_or_skipped(poll):
    click(poll.quiz.hands.button)
    assert poll.now.is_disclosed and poll.questions[0].answers[poll.questions[0].right] in plain(poll.verdict.value)
    click(poll.next)
    click(poll.quiz.hands.skip)
    assert poll.asked == 2 and not poll.now.is_disclosed and is_shown(poll.quiz.hands.button)
    assert poll.error is None and list(poll.counts) == [poll.questions[0].text, poll.questions[2].text]


def test_answers_have_letters_on_the_board_and_beside_it(poll):
    assert poll.question.places
    letters = [shape.text for shape in poll.board.page._shown[1] if isinstance(shape, Text)]
    count = len(poll.question.answers)
    assert letters == [*"PQRSTUVW"[:count]]  # no player, car or card has one of these names
    discs = [shape for shape in poll.board.page._shown[1] if isinstance(shape, Circle)][-count:]
    for disc, corners in zip(discs, poll.question.outlines, strict=True):  # each is inside its outline
        assert all(
            hit_test.holds(Polygon(corners), (disc.x + 0.9 * disc.radius * dx, disc.y + 0.9 * disc.radius * dy))
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        )
    beside = [plain(row[2].value).split()[0] for row in poll.quiz.hands.rows[:count]]
    assert beside == [f"{letter})" for letter in letters]


# Phones


class Browser:
    """The page's side of `Phones`."""

    def __init__(self, panel):
        self.phones, self.heard = getattr(panel, "phones", None) or panel.quiz.hands.phones, []
        self.phones.send = self.heard.append

    def say(self, **said):
        self.phones._handle_custom_msg(said, [])

    @property
    def asked(self):
        return json.loads(json.dumps([said["ask"] for said in self.heard if said["do"] == "ask"][-1]))

    def vote(self, *counts, aside=(), last=0, round=1, crowd=0, **of):
        asked = {"question": self.asked["key"], "vote": self.asked["vote"], **of}
        status = {"last": last, "round": round, "locked": False, "crowd": crowd, **asked}
        phones = len(counts) if self.asked["several"] else sum(counts)
        self.say(counts=[*counts], phones=phones, here=phones, aside=aside, **status)


def test_phones_see_the_question_then_the_answer_and_are_counted_with_the_hands(poll):
    browser, hands = Browser(poll), poll.quiz.hands
    click(hands.phones.button)
    assert browser.heard[0] == {"do": "begin"}
    question = poll.questions[0]
    assert browser.asked["text"] == question.text
    assert browser.asked["options"] == [*question.answers] and browser.asked["letters"] == "P Q R S T"
    assert browser.asked["picture"].startswith("<svg") and browser.asked["right"] == []
    browser.say(places=["http://192.0.2.7:8040/ABCD"])
    assert "192.0.2.7:8040/<wbr>ABCD" in hands.phones.card.value  # a place for a line break
    browser.vote(0, 3, 0, 0, 1)
    poll.board.run_alone(hands.put, 1, 2)
    assert hands.counts == (0, 5, 0, 0, 1)
    browser.vote(9, 9, 9, 9, 9, question="another")
    assert hands.counts == (0, 5, 0, 0, 1)  # votes on another question do not count
    first = browser.asked["vote"]
    click(hands.again)
    browser.vote(9, 9, 9, 9, 9, vote=first)  # a late message
    key = browser.asked["key"]
    assert hands.before == (0, 5, 0, 0, 1) and hands.counts == (0,) * 5
    browser.vote(0, 0, 4, 0, 0)
    click(hands.button)
    assert poll.now.answers == ((0, 0, 4, 0, 0),) and browser.asked["stage"] == "shown"
    assert browser.asked["right"] == [question.right] and browser.asked["key"] == key
    click(poll.next)
    assert browser.asked["stage"] == "open" and browser.asked["key"] != key and hands.phones.votes == ()
    browser.vote(0, 1, 0, 0, 0)
    click(hands.phones.button)  # ending a vote closes it and keeps the counts
    assert browser.asked["stage"] == "closed" and is_shown(hands.phones.card)
    click(hands.button)
    assert poll.now.answers[-1] == (0, 1, 0, 0, 0) and browser.asked["stage"] == "shown" and poll.error is None
    first = {said["ask"]["key"]: said["ask"] for said in reversed(browser.heard) if said["do"] == "ask"}
    assert len(first) == 2 and all(asked["picture"].startswith("<svg") for asked in first.values())


def test_another_class_can_begin_where_some_have_voted_before_and_nowhere_else(poll):
    browser, phones = Browser(poll), poll.quiz.hands.phones
    assert not is_shown(phones.fresh)
    click(phones.button)
    browser.vote(0, 3, 0, 0, 1)
    assert not is_shown(phones.fresh)
    browser.vote(0, 3, 0, 0, 1, last=1.0)
    assert is_shown(phones.fresh)
    click(poll.quiz.hands.button)
    assert not is_shown(phones.fresh)
    click(poll.next)
    assert not is_shown(phones.fresh) and poll.error is None


def test_phones_that_vote_in_one_panel_of_a_page_do_in_all_and_see_where_somebody_is(poll):
    browser, phones = Browser(poll), poll.quiz.hands.phones
    browser.say(comes=True)
    assert not browser.heard
    browser.say(on=True)  # started in another panel
    assert phones.is_on and is_shown(phones.card) and phones.button.description == "End the vote"
    assert not browser.heard  # phones still show that panel's question
    browser.say(comes=True)
    assert browser.asked["text"] == poll.questions[0].text
    browser.vote(0, 3, 0, 0, 1)
    browser.say(on=True)  # the page was reloaded
    assert poll.quiz.hands.counts == (0, 3, 0, 0, 1)
    assert poll.error is None


def test_the_votes_of_another_class_are_put_aside_and_kept_under_their_time(tmp_path):
    """Votes outlive a kernel: a teacher of the same lesson sees the old ones, and the class begins without votes."""
    eight = datetime(2021, 11, 30, 8, 5).timestamp()
    poll = Poll("Which?", "ABC", animate=False)
    browser, hands = Browser(poll), poll.quiz.hands
    click(hands.phones.button)
    browser.say(places=["http://192.0.2.7:8040/ABCD"])
    browser.vote(0, 3, 1, aside=[[eight - 86_400, [2, 2, 2]]], last=eight)
    assert "before 08:05" in plain(hands.phones.card.value) and is_shown(hands.phones.fresh)
    before = browser.asked
    click(hands.phones.fresh)
    assert browser.asked["key"] == before["key"] and browser.asked["vote"] != before["vote"]
    assert hands.counts == (0, 0, 0) and hands.before == () and not is_shown(hands.phones.fresh)
    browser.vote(5, 0, 0, aside=[[eight - 86_400, [2, 2, 2]]])
    click(hands.button)
    click(poll.again)  # again with the same class
    assert hands.counts == (0, 0, 0)
    poll.save(tmp_path / "a.csv")
    rows = list(csv.reader((tmp_path / "a.csv").read_text("utf-8-sig").splitlines()))
    assert [row[4] for row in rows[1:]] == ["2", "2", "2", "0", "3", "1", "5", "0", "0"]
    assert [row[0] for row in rows[1:7]] == ["2021-11-29 08:05"] * 3 + ["2021-11-30 08:05"] * 3 and poll.error is None
    poll.close()


def test_a_second_class_in_the_same_kernel_does_not_inherit_the_votes_of_the_first(tmp_path, monkeypatch):
    monkeypatch.setattr("crashlab.lab.phones.STARTED", time.time() - 10_000)
    poll = Poll("Which?", "ABC", animate=False)
    browser, hands = Browser(poll), poll.quiz.hands
    click(hands.phones.button)
    browser.vote(0, 3, 1, last=time.time() - 7200)
    browser.vote(1, 0, 0, last=time.time(), round=2, aside=[[time.time() - 7200, [0, 3, 1]]])  # as the server reports
    assert hands.counts == (1, 0, 0)
    click(hands.button)
    poll.save(tmp_path / "a.csv")
    rows = list(csv.reader((tmp_path / "a.csv").read_text("utf-8-sig").splitlines()))
    assert [row[4] for row in rows[1:]] == ["0", "3", "1", "1", "0", "0"] and poll.error is None


def columns(path):
    """Return the counts of each option in a file of votes, without empty columns."""
    rows = csv.reader(path.read_text("utf-8-sig").splitlines())
    return [row[4:] for row in rows][1:]


def test_who_votes_again_without_votes_changes_nothing_and_a_third_vote_keeps_the_first(tmp_path):
    poll = Poll("Which?", "AB", animate=False)
    browser, hands, sent = Browser(poll), poll.quiz.hands, Sent(poll)
    click(hands.phones.button)
    sent.key("a")
    assert hands.before == () and "Nobody has voted yet" in words(poll)
    browser.vote(5, 15)
    sent.key("a")
    sent.key("a")
    assert hands.before == (5, 15) and "Nobody has voted yet" in words(poll)
    browser.vote(1, 24)
    sent.key("a")
    browser.vote(0, 25)
    sent.key("Enter")
    poll.save(tmp_path / "a.csv")
    assert columns(tmp_path / "a.csv") == [["5"], ["15"], ["1", "0"], ["24", "25"]] and poll.error is None
    poll.close()


@pytest.mark.parametrize("is_asked_for", [True, False])
def test_another_class_keeps_both_votes_of_the_first_and_its_hands(tmp_path, is_asked_for):
    poll = Poll("Which?", "AB", animate=False)
    browser, hands = Browser(poll), poll.quiz.hands
    click(hands.phones.button)
    browser.vote(5, 15)
    click(hands.again)
    browser.vote(1, 19, last=1.0)
    poll.board.run_alone(hands.put, 0, 3)
    if is_asked_for:
        click(hands.phones.fresh)
        assert hands.counts == (0, 0)
    browser.vote(1, 0, round=2)  # after a pause of a lesson the server begins again by itself
    assert hands.counts == (1, 0) and hands.before == ()
    poll.save(tmp_path / "a.csv")
    assert columns(tmp_path / "a.csv") == [["5", "4"], ["15", "19"], ["1"], ["0"]] and poll.error is None
    poll.close()


def test_who_lets_a_class_answer_is_told_that_the_own_answers_are_forgotten(turn):
    predict = Predict(turn, animate=False)
    click(predict.quiz.buttons[1])
    assert "forgotten" not in words(predict)
    predict.close()
    predict = Predict(turn, animate=False)
    predict.answer(0)
    click(predict.quiz.buttons[1])
    assert predict.now.answers == () and "your answers are forgotten" in words(predict)
    predict.close()


def test_a_panel_that_asks_nothing_yet_says_how_many_phones_are_here():
    poll = Poll("Which?", "AB", animate=False)
    phones = Phones(poll.board, lambda: None, lambda: None)
    for message in ({"on": True}, {"places": ["http://192.0.2.7:8040/ABCD"]}):
        phones._handle_custom_msg(message, [])
    assert "No phone has joined yet" in phones.card.value and "0 phones" not in phones.card.value
    phones._handle_custom_msg({"here": 4, "crowd": 0, "locked": False}, [])
    assert "4 phones here" in phones.card.value
    phones.close()


def test_without_phones_the_panel_says_what_to_try_and_hands_go_on(poll):
    browser, hands = Browser(poll), poll.quiz.hands
    click(hands.phones.button)
    by_server = "Port 8040 <is> in use."
    troubles = {"nobody": "a hotspot", "none": "You can count hands", by_server: by_server}
    for trouble, hint in troubles.items():
        browser.say(trouble=trouble)
        assert hint in plain(hands.phones.card.value)
    poll.board.run_alone(hands.put, 0, 3)
    click(hands.button)
    assert poll.now.answers[0][0] == 3


def test_nobody_sees_the_votes_of_phones_before_the_answer_and_then_both_with_their_shares():
    poll = Poll("Which?", "ABC", answer="B", animate=False)
    browser, hands = Browser(poll), poll.quiz.hands
    click(hands.phones.button)

    def texts():
        shown = [shape.text for shape in poll.board.picture.board if isinstance(shape, Text)]
        return " ".join([*shown, *(plain(row[2].value) for row in hands.rows[:3]), words(poll)])

    browser.vote(5, 3, 0)
    assert "8 of 8 have voted" in texts() and not re.search("[35]|%", texts())
    click(hands.again)
    browser.vote(1, 7, 0)
    assert "8 of 8 have voted" in texts() and not re.search("[1357]|%|→", texts())
    hands.phones.live.value = True  # a teacher may choose to show them
    assert "→ 7" in texts()
    hands.phones.live.value = False
    click(hands.button)
    assert "B: 3 → 7 (38 % → 88 %)" in " ".join(plain(poll.verdict.value).split())
    assert {"38 %", "88 %"} <= {shape.text for shape in poll.board.picture.board if isinstance(shape, Text)}


def test_a_countdown_can_be_switched_on_and_the_room_be_locked(monkeypatch):
    now = [1_000_000.0]
    monkeypatch.setattr("crashlab.lab.phones.time.time", lambda: now[0])
    poll = Poll("Which?", "ABC", animate=False)
    browser, phones = Browser(poll), poll.quiz.hands.phones
    click(phones.button)
    assert browser.asked["until"] == 0 and is_shown(phones.clock) and not is_shown(phones.lock)
    for seconds in (30, 60):
        click(phones.clock)
        assert browser.asked["until"] == now[0] + seconds
    browser.vote(1, 0, 0, crowd=40)
    assert "40 more phones are waiting" in phones.card.value or not phones.places
    click(phones.lock)
    assert browser.heard[-1] == {"do": "lock", "lock": True} and phones.lock.description == "Unlock the room"
    browser.say(over=True)
    assert browser.asked["stage"] == "closed" and poll.quiz.hands.counts == (1, 0, 0) and poll.error is None


@pytest.mark.parametrize("way", ["count", "count_phones"])
def test_what_one_person_is_asked_a_class_can_answer_without_code(turn, way):
    panel = Predict(turn, animate=False)
    for part in (None, *([panel.quiz.picker.menu] if way == "count" else [])):
        assert part is None or part.comm is not None
    panel.answer(0)
    with pytest.raises(CrashlabError, match="press By phone"):
        _ = panel.counts
    panel.board.run_alone(getattr(panel.quiz, way))
    hands = panel.quiz.hands
    assert panel.now.answers == () and hands.phones.is_on == (way == "count_phones")
    panel.board.run_alone(hands.put, 1, 4)
    click(hands.button)
    assert panel.counts[panel.questions[0].text][panel.questions[0].answers[1]] == 4 and panel.error is None
    panel.close()


def halves(number):
    while number:
        number //= 2
    return number


def test_phones_that_vote_in_one_panel_are_asked_in_all_that_have_no_answer_yet(turn):
    panels = [Predict(turn, animate=False) for _ in range(4)]
    first, second, begun, closed = panels
    film = Watch(halves, 40, predict=True, animate=False)
    begun.answer(0)
    closed.close()
    click(first.quiz.buttons[0])
    assert first.quiz.is_poll and not second.quiz.is_poll  # no phone can come yet
    Page(second.board.page), Page(begun.board.page)
    Browser(first).say(places=["http://192.0.2.7:8040/ABCD"])
    assert second.quiz.is_poll and not film.quiz.quiz.is_poll  # no page shows the film
    Page(film.board.page)
    later = Predict(turn, animate=False)
    assert all(panel.quiz.is_poll for panel in (first, second, later)) and not begun.quiz.is_poll
    assert film.quiz.quiz.is_poll and not film.quiz.is_open  # it asks at its beat
    film.show(film.film.beats)
    assert film.quiz.is_open and film.quiz.quiz.hands.counts
    for panel in (first, second, begun, later, film):
        assert panel.error is None
        panel.close()
    assert not Predict(turn, animate=False).poll


def test_numbers_are_guessed_by_phone_and_the_middle_one_is_the_guess_of_the_class(tmp_path):
    guess = Guess("How many?", ["front", "rear"], [21, 9], most=100)
    browser = Browser(guess)
    click(guess.phones.button)
    assert (browser.asked["most"], browser.asked["options"]) == (100, []) and "front" in browser.asked["text"]
    browser.vote(10, 20, 60)
    assert guess.values == (None, None)  # they are not shown yet
    guess._key("ArrowRight")
    assert "rear" in browser.asked["text"]
    browser.vote(5, 7)
    guess._key("Enter")
    assert guess.values == (20.0, 6.0) and guess.now.truth == (21, 9) and browser.asked["stage"] == "shown"
    rows = list(csv.reader(votes(tmp_path / "a.csv").read_text("utf-8-sig").splitlines()))
    counts = [["10", "", "1"], ["20", "", "1"], ["21", "yes", "0"], ["60", "", "1"]]
    assert [row[2:5] for row in rows if row[1] == "How many? front"] == counts
    guess.close()
    assert len(votes(tmp_path / "a.csv").read_text("utf-8-sig").splitlines()) == len(rows)  # closing keeps them


def test_numbers_of_phones_are_kept_with_their_times_and_the_truth(tmp_path):
    """Begin again, and let another class guess: the file has all numbers."""
    guess = Guess("How many?", ["front", "rear"], [21, 9], most=100)
    browser = Browser(guess)
    click(guess.phones.button)
    browser.vote(10, 20, last=86_400.0)
    assert is_shown(guess.phones.fresh)
    click(guess.phones.fresh)
    browser.vote(30, last=86_500.0)
    guess._key("ArrowRight")
    browser.vote(40, last=86_600.0)
    guess._key("Enter")
    guess._key("Enter")
    rows = [(tally.time, *tally.options, tally.right) for tally in guess.tallies]
    assert rows == [(86_400.0, "10", "20", ()), (86_500.0, "21", "30", (0,)), (86_600.0, "9", "40", (0,))]
    click(guess.again)
    assert guess.values == (None, None) and len(guess.tallies) == 3 and guess.error is None
    guess.close()


def test_a_click_on_another_bar_asks_phones_for_that_number():
    guess = Guess("How many?", ["front", "rear"], [21, 9], most=100)
    browser, sent = Browser(guess), Sent(guess)
    click(guess.phones.button)
    bars = [x for x in range(0, 760, 5) if guess.sketch.place_at(x) == 1]
    sent.press(bars[len(bars) // 2], 200)
    assert "rear" in browser.asked["text"]
    guess.close()


def test_a_truth_that_comes_later_is_shown_to_a_class_that_has_guessed_by_phone():
    guess = Guess("How many?", ["front", "rear"], most=100)
    browser = Browser(guess)
    click(guess.phones.button)
    browser.vote(10, 20, 60)
    assert "The chart above shows it" in str(guess.reveal([21, 9])) and guess.values == (20.0, None)
    guess.close()


def puzzle_with(condition):
    """Return a puzzle with a choice after which a condition is true, and the index of the choice."""
    for name in ("crash_city", "crash_by_crash", "crash_and_grab"):
        for problem in crashlab.puzzles(name):
            begun = asked(problem)
            for number, choice in enumerate(begun.choices):
                if not choice.action and condition(begun.planned(problem.seat, begun.begun.then(choice))):
                    return problem, number
    raise AssertionError("there is no such puzzle")


def test_votes_on_a_puzzle_are_kept_when_it_begins_again_and_for_another_class(tmp_path):
    problem, number = puzzle_with(lambda moment: 1 < len(moment.choices) <= 8)
    panel = Puzzle([problem], file=tmp_path / "rating", animate=False)
    browser = Browser(panel)
    click(panel.phones.button)
    counts = [3, *[0] * (len(panel.moment.choices) - 1)]
    browser.vote(*counts)
    panel.board.run_alone(panel.choose, number)
    more = [2, *[0] * (len(panel.moment.choices) - 1)]
    browser.vote(*more)
    click(panel.back)
    assert [tally.votes for tally in panel.tallies] == [((*counts,),), ((*more,),)] and panel.phones.votes == ()
    browser.vote(*counts, last=1.0)
    click(panel.phones.fresh)
    assert [tally.votes for tally in panel.tallies] == [((*counts,),), ((*more,),), ((*counts,),)]
    assert panel.tallies[-1].time == 1.0 and panel.phones.votes == () and panel.error is None
    panel.close()


def test_phones_rest_while_a_puzzle_has_too_many_choices_for_them(tmp_path):
    problem, number = puzzle_with(lambda moment: len(moment.choices) > len(choice_letters.names(moment.choices)))
    panel = Puzzle([problem], file=tmp_path / "rating", animate=False)
    browser = Browser(panel)
    click(panel.phones.button)
    assert browser.heard[-1]["do"] == "ask"
    panel.board.run_alone(panel.choose, number)
    assert browser.heard[-1] == {"do": "pause"} and "too many for phones" in words(panel) and panel.error is None
    panel.close()


def test_a_class_votes_on_the_choices_of_a_puzzle(tmp_path):
    panel = Puzzle(crashlab.puzzles("crash_and_grab"), file=tmp_path / "rating", animate=False)
    browser, choices = Browser(panel), panel.moment.choices
    click(panel.phones.button)
    assert browser.asked["options"] == [choice.text for choice in choices] and browser.asked["right"] == []
    browser.vote(3, *[0] * (len(choices) - 2), 5)
    assert "%" not in " ".join(panel.picker.menu.options)
    click(panel.phones.button)  # ending the vote shows it
    assert panel.picker.menu.options[-1].endswith(": 5 (62 %)") and panel.picker.index == len(choices) - 1
    assert [tally.votes for tally in panel.tallies] == [((3, *[0] * (len(choices) - 2), 5),)]
    panel.answer(panel.problem.best[0])
    assert browser.asked["stage"] == "shown" and str(panel.problem.best[0]) in browser.asked["reason"]
    assert len(panel.tallies) == 1 and panel.error is None
    panel.close()


# A teacher's own question


def test_any_question_can_be_asked(tmp_path):
    poll = Poll("Which is O(n log n)?", ["bubble sort", "merge sort"], answer="B", animate=False)
    sent = Sent(poll)
    for key in ("ArrowDown", "ArrowDown", "1", "2", "Enter"):
        sent.key(key)
    assert poll.counts == {"Which is O(n log n)?": {"bubble sort": 0, "merge sort": 12}} and poll.error is None
    assert "✓ Right: merge sort." in plain(poll.verdict.value) and "B merge sort: 12" in poll.board.picture.words
    poll.save(tmp_path / "monday.csv")
    line = (tmp_path / "monday.csv").read_text("utf-8-sig").split("\n")[2]
    assert line.partition(",")[2] == "Which is O(n log n)?,merge sort,yes,12"
    click(poll.again)
    assert not poll.revealed and poll.counts == {"Which is O(n log n)?": {"bubble sort": 0, "merge sort": 0}}
    assert Poll("Ready?", "ABC").question.right == -1


def test_several_answers_can_be_right_and_phones_have_all_of_them_or_not(tmp_path):
    poll = Poll("Which are stable?", ["heap", "merge", "insertion"], answer=["insertion", "B"], animate=False)
    browser, hands = Browser(poll), poll.quiz.hands
    click(hands.phones.button)
    assert browser.asked["several"] and browser.asked["right"] == []
    browser.vote([0], [1, 2], [1])
    click(hands.again)
    browser.vote([0, 1, 2], [1], [1, 2], [1, 2])
    assert hands.counts == (1, 4, 3) and "4 of 4 have voted" in hands.phones.progress
    click(hands.button)
    assert browser.asked["right"] == [1, 2]
    text = " ".join(plain(poll.verdict.value).split())
    assert "✓ Right: merge, insertion. Exactly these: 1 of 3 (33 %) → 2 of 4 (50 %)." in text
    assert "✓ B) merge: 2 → 4 (67 % → 100 %)" in text and "A) heap: 1 → 1 (33 % → 25 %)" in text
    drawn = [shape.text for shape in poll.board.picture.board if isinstance(shape, Text)]
    assert {"✓ B", "✓ C", "A", "100 %", "75 %"} <= {*drawn} and poll.counts["Which are stable?"]["merge"] == 4
    poll.save(tmp_path / "a.csv")
    rows = list(csv.reader((tmp_path / "a.csv").read_text("utf-8-sig").splitlines()))[1:]
    assert [row[2:] for row in rows] == [
        ["heap", "", "1", "1"],
        ["merge", "yes", "2", "4"],
        ["insertion", "yes", "1", "3"],
        ["exactly the right ones", "", "1", "2"],
    ]
    click(poll.again)  # the previous votes stay in the file
    poll.answer([2, 1, 0])  # a show of hands does not record exact combinations
    assert "Exactly" not in poll.verdict.value and "%" not in plain(poll.verdict.value) and poll.error is None
    assert [tally.votes[-1] for tally in poll.quiz.tallies] == [(1, 4, 3, 2), (2, 1, 0)]


@pytest.mark.parametrize(
    "arguments",
    [
        ("", "AB"),
        ("?", "A"),
        ("?", "AA"),
        ("?", [1, 2]),
        ("?", {"A", "B"}),
        ("?", ["A", "A "]),
        ("?", "ABCDEFGHI"),
        ("?", "AB", "C"),
        ("?", "AB", []),
        ("?", "AB", ["A", "C"]),
        ("?", ["x", "y"], ["A", "x"]),
        ("?", "AB", 0),
        (3, "AB"),
    ],
)
def test_what_is_no_poll_is_refused(arguments):
    with pytest.raises(CrashlabError):
        Poll(*arguments)


def test_a_poll_is_not_skipped():
    poll = Poll("Ready?", "AB", animate=False)
    with pytest.raises(CrashlabError, match="a Poll cannot be skipped"):
        poll.answer(None)
    assert not poll.revealed
    poll.answer((0, 0))
    assert "Nobody has voted." in plain(poll.verdict.value)


@pytest.mark.parametrize(("counts", "frame"), [((0, 0), OPEN), ((1, 4), RIGHT), ((4, 1), WRONG), ((2, 2), OPEN)])
def test_an_answer_is_framed_in_red_where_the_class_was_wrong_and_not_where_nobody_has_voted(counts, frame):
    poll = Poll("Which?", "AB", answer="B", animate=False)
    poll.answer(counts)
    frames = [style for style in (OPEN, RIGHT, WRONG) if style in poll.verdict.value]
    assert frames == [frame] and "✓ B" in plain(poll.verdict.value)
    assert ("= A tie." in plain(poll.verdict.value)) == (counts == (2, 2))  # a tie is not "Right"


def test_what_was_counted_first_stays_with_its_question_though_others_are_skipped(poll, tmp_path):
    hands = poll.quiz.hands
    poll.skip()
    second = poll.question
    poll.board.run_alone(hands.put, 0, 4)
    click(hands.again)
    poll.answer([2] + [1] * (len(second.answers) - 1))
    poll.save(tmp_path / "a.csv")
    rows = list(csv.reader((tmp_path / "a.csv").read_text("utf-8-sig").splitlines()))[1:]
    assert [row[1] for row in rows] == [second.text] * len(second.answers)
    assert rows[0][4:] == ["4", "2"] and rows[1][4:] == ["0", "1"]
    assert [*poll.counts] == [second.text]


def test_a_question_in_a_file_is_no_formula(tmp_path):
    poll = Poll("=1+1", ["-2", "2"], animate=False)
    poll.answer([1, 0])
    poll.save(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text("utf-8-sig").split("\n")[1].endswith(",'=1+1,'-2,,1")


@pytest.mark.parametrize("counts", [0, (), (1,), "12345", (0,) * 4, (-1, 2, 0, 0, 0), "no"])
def test_what_are_no_hands_is_refused(poll, counts):
    with pytest.raises(CrashlabError, match="is not a count of hands: give 5 whole numbers of at least 0"):
        poll.answer(counts)
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
