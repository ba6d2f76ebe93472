"""Questions about a film: each is asked before the beat with its answer, which appears nowhere earlier."""

import re
from functools import cache
from html import unescape
from itertools import pairwise

import pytest

pytest.importorskip("ipycanvas")

from fake_page import Page, Sent, click, take, words
from fake_page import quick_fingers as quick_fingers
from recorded_algorithms import GRAPH, RAISING, RETURNING
from watched_functions import steps_from

import crashlab
from crashlab import CrashlabError
from crashlab.course.lessons.crash_city import history
from crashlab.drawing.shapes import Text, placed
from crashlab.lab import Watch, on_board, tree
from crashlab.watch.things import in_words
from crashlab.watch.views import FilmStory
from crashlab.watch.views.questions import MOST, questions, stands_in

CITY = history(seed=1, players=2)[-1]
LANES = {lane: CITY.streets.beside(lane) for lane in CITY.streets.lanes()}
FUNCTIONS = {name: example[:2] for name, example in (RETURNING | RAISING).items() if name != "too deep"}
UNASKED = ("unbound", "wrong arguments")  # they fail at once
each_film = pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in UNASKED])


def recorded(name):
    """Record one of the functions."""
    function, arguments = FUNCTIONS[name]
    return crashlab.record(function, *arguments(), max_events=2_000)


@cache
def film_of(name):
    return recorded(name)


@cache
def asked_of(name):
    return questions(FilmStory(film_of(name)))


TREE = [[3, [5, 1]], [[2, 9], [0, 1]]]


def alphabeta(node, alpha, beta, best_is_high):
    if isinstance(node, int):
        return node
    for below in node:
        value = alphabeta(below, alpha, beta, not best_is_high)
        if best_is_high:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return alpha if best_is_high else beta


def beat_of(film, question):
    return film.events[question.reason].beat


def plain(html):
    return unescape(re.sub("<[^>]*>", " ", html))


@pytest.fixture
def watch():
    panel = Watch(steps_from, GRAPH, "a", predict=True, animate=False)
    yield panel
    panel.close()


# The questions


@pytest.mark.few(8)
@each_film
def test_the_film_itself_answers(name):
    """The right answer appears in the film at the beat of the question."""
    film = film_of(name)
    for question in asked_of(name):
        event, right = film.events[question.reason], question.answers[question.right]
        if question.text.startswith("What is taken"):
            here, after = (film.at(beat, event.owner)[event.name] for beat in (event.beat - 1, event.beat))
            assert len(here) == len(after) + 1
            assert sorted([*map(in_words, after), right]) == sorted(map(in_words, here))
        elif question.text == "Which call comes next?":
            call = next(call for call in film.calls if call.number == event.call and call.first == event.beat)
            arguments = ", ".join(f"{name}={in_words(value)}" for name, value in call.arguments.items())
            assert right == f"{call.name}({arguments})"
        elif question.text.endswith(" return?"):
            call = film.calls[event.call]
            assert event.kind == "return" and event.beat == call.last and in_words(call.result) == right
            assert question.text.startswith(f"What does {call.name}(")
        else:
            assert right == in_words(event.after)
            assert event.target in question.text


@pytest.mark.few(15)
@each_film
def test_answers_are_different_and_of_one_kind_and_the_words_of_the_question_tell_none(name):
    for question in asked_of(name):
        assert 1 < len(question.answers) == len(set(question.answers)) <= 4
        assert not stands_in(question.answers[question.right], question.text)
        kinds = {type(eval(answer)) for answer in question.answers if re.fullmatch(r"-?\d+|'\w*'|True|False", answer)}
        assert len(kinds) <= 1, question


@pytest.mark.few(10)
@each_film
def test_questions_are_few_apart_from_each_other_and_always_the_same(name):
    film, quiz = film_of(name), asked_of(name)
    beats = [beat_of(film, question) for question in quiz]
    assert len(quiz) <= MOST and 1 < beats[0] and all(b - a >= 2 for a, b in pairwise(beats))
    assert questions(FilmStory(recorded(name))) == quiz


@pytest.mark.parametrize("name", UNASKED)
def test_of_what_fails_at_once_nothing_is_asked(name):
    assert asked_of(name) == ()


def test_a_search_is_asked_about_from_its_beginning_to_its_end():
    film = crashlab.record(steps_from, LANES, (0, 0, 0))
    quiz = questions(FilmStory(film, CITY))
    beats = [beat_of(film, question) for question in quiz]
    assert len(quiz) == MOST and beats[0] < film.beats / 6 and beats[-1] > 5 * film.beats / 6
    begins = {" ".join(question.text.split()[:2]) for question in quiz}
    assert {"What is", "steps[there] =", "for there"} <= begins


def test_cut_branches_are_asked_about_as_the_tree_has_them():
    film = crashlab.record(alphabeta, TREE, -99, 99, True)
    show = {"alpha": tree.left, "beta": tree.right}
    story = FilmStory(film, show=show)
    quiz = [question for question in questions(story) if "cut off" in question.text]
    assert quiz and {question.answers for question in quiz} == {("yes, it is cut off", "no, it goes on")}
    for question in quiz:
        event = film.events[question.reason]
        now = film.at(event.beat, event.owner)
        assert question.answers[question.right].startswith("yes") == (now["alpha"] >= now["beta"])


def test_of_a_place_the_answers_are_clicked_on_the_board():
    film = crashlab.record(steps_from, LANES, (0, 0, 0))
    panel = Watch(film, board=CITY, show={"queue": on_board(ring=True)}, predict=True, animate=False)
    sent = Sent(panel)
    while not panel.quiz.quiz.question.places:
        panel.show(film.beats)
        panel.answer(0)
    number = panel.quiz.quiz.asked
    question = panel.quiz.quiz.question
    assert [CITY.place(eval(answer)) for answer in question.answers] == [*question.places]
    panel.show(film.beats)
    assert words(panel).endswith("Click it on the board or in the list.")
    sent.press(*question.places[question.right])
    assert len(panel.now.answers) == number + 1 and panel.now.answers[-1] == question.right and panel.error is None
    panel.close()


# Answers stay hidden


def on_page(panel, page):
    """Return all texts on the page except the question, the source and the length of the film."""
    picture = panel.board.picture
    shapes = [shape for piece in picture.pieces for shape in placed(piece)] + list(picture.board)
    texts = [shape.text for shape in shapes if isinstance(shape, Text)]
    texts += [piece.label for piece in picture.pieces]
    _, beats, events = page.film
    texts += [part for beat in beats.values() for part in (*beat.get("values", {}).values(), beat.get("printed", ""))]
    texts += [event["text"] for event in events.values()]
    texts += [re.sub(r"Beat \d+ of \d+|has \d+ beats|line \d+", "", text) for text in (words(panel), picture.words)]
    return texts


@pytest.mark.few(2)
@each_film
def test_no_answer_stands_in_anything_shown_before_it_is_given(name):
    """An answer may appear earlier only as the value of something in a beat that was already played."""
    film = film_of(name)
    panel = Watch(film, predict=True, animate=False)
    page, texts, beat = Page(panel.board.page), [], 0
    for question in panel.quiz.quiz.questions:
        answered_at = beat_of(film, question)
        event = film.events[question.reason]
        panel.board.run_alone(panel.steps.jump, film.beats)  # as far as the question
        assert panel.beat == answered_at - 1 == panel.steps.last == panel.steps.page.last
        question_words = words(panel)
        assert question_words.startswith(question.text)
        for at in range(max(beat, panel.beat - 3), panel.beat + 1):
            panel.show(at)
            assert panel.beat == at
            page.ask_for_all()
            texts += [text for text in on_page(panel, page) if text]
        texts = [text for text in texts if text != question_words]
        played = [event for event in film.events if event.beat < answered_at]
        if not question.text.endswith(" return?"):  # for these questions the event only shows that the call has ended
            assert event.words in [other.words for other in played] or not [
                text for text in texts if event.words in text
            ]
        right = question.answers[question.right]
        values = [in_words(value) for at in range(answered_at) for value in film.at(at).values()]
        before = " ".join([*(other.sentence for other in played), *values, *map(in_words, ended(film, answered_at))])
        if not stands_in(right, before) and not re.fullmatch(r"\d\d?|True|False", right):  # such values are also sizes
            assert not [text for text in texts if stands_in(right, text)], (question.text, right)
        head, beats, _ = page.film
        assert not any("runs" in source for source in head["sources"]) and max(beats) == panel.beat
        panel.answer(question.right)
        assert panel.beat == answered_at
        beat = answered_at
    assert panel.now.answers == tuple(q.right for q in panel.quiz.quiz.questions) and panel.error is None
    panel.close()


def ended(film, beat):
    """Yield the arguments of calls that began before a beat and the results of those that ended."""
    for call in film.calls:
        if call.first < beat:
            yield from call.arguments.values()
        if call.last + 1 < beat:
            yield call.result


def test_what_leads_on_ends_at_the_question(watch):
    sent = Sent(watch)
    stop = beat_of(watch.film, watch.quiz.quiz.question) - 1
    watch.beat = watch.film.beats
    assert watch.beat == stop
    sent.key("End")
    assert watch.beat == stop and watch.error is None


def test_what_stands_in_tells_of_no_later_question(watch):
    first, *later = watch.quiz.quiz.questions
    picture, text = watch.still()
    assert first.text in text and not [question for question in later if question.text in text]
    assert str(watch.film.result) not in text and picture == watch.story.captioned(0)


# Predicting


def test_keys_answer_and_then_step_again(watch):
    sent = Sent(watch)
    sent.key("End")
    question = watch.quiz.quiz.question
    where = " Click it on the board or in the list." if question.places else ""  # a node of the graph can be clicked
    assert words(watch) == question.text + where and watch.quiz.quiz.picker.menu.index is None
    sent.key("ArrowDown")
    assert words(watch) == f"1 of {len(question.answers)}: {question.answers[0]}. Enter takes it."
    sent.key("Enter")
    beat = beat_of(watch.film, question)
    assert watch.now.answers == (0,) and watch.beat == beat
    sent.key("ArrowRight")
    assert watch.beat == beat + 1
    sent.key("ArrowLeft")
    assert watch.beat == beat


def test_a_verdict_says_what_is_right_why_and_how_many_were(watch):
    quiz = watch.quiz.quiz.questions
    for number, question in enumerate(quiz):
        watch.show(watch.film.beats)
        answer = question.right if number else (question.right + 1) % len(question.answers)
        take(watch.quiz.quiz, answer)
        text = plain(watch.quiz.verdict.value)
        right = question.answers[question.right]
        verdict = f"✓ Right: {right}." if number else f"✗ No: {right}, not {question.answers[answer]}."
        assert verdict in text and f"{number} of {number + 1} right." in text and words(watch).startswith(verdict)
    assert watch.quiz.is_over and watch.quiz.again.layout.display is None
    watch.show(watch.film.beats)
    assert watch.beat == watch.film.beats
    click(watch.quiz.again)
    assert watch.now.answers == () and watch.beat == 0
    watch.show(watch.film.beats)
    assert watch.beat == beat_of(watch.film, quiz[0]) - 1


def test_a_class_is_counted():
    panel = Watch(steps_from, GRAPH, "a", predict=True, poll=True, animate=False)
    quiz = panel.quiz.quiz.questions
    assert panel.counts == {}  # no question was asked yet
    for number, question in enumerate(quiz):
        panel.show(panel.film.beats)
        assert panel.quiz.quiz.question.text in words(panel)
        heading = plain(panel.quiz.heading.value)
        assert f"Question {number + 1} of {len(quiz)}" in heading and question.text in heading
        assert len(panel.counts) == number + 1
        panel.answer([3 if place == question.right else 1 for place in range(len(question.answers))])
    every = sum(len(question.answers) + 2 for question in quiz)
    assert f"{3 * len(quiz)} of {every} hands right." in plain(panel.quiz.verdict.value)
    panel.close()


@pytest.mark.parametrize(("board", "letters"), [(CITY, "PQ"), (None, "AB")])
def test_on_the_board_of_a_game_no_answer_has_the_letter_of_a_player(board, letters):
    panel = Watch(steps_from, LANES, (0, 0, 0), board=board, predict=True, animate=False)
    panel.quiz.quiz.count()  # the panel has a new quiz now
    panel.show(panel.film.beats)
    rows = [plain(row[2].value).split()[0] for row in panel.quiz.quiz.hands.rows]
    assert rows[:2] == [f"{letter})" for letter in letters]
    panel.close()


def test_questions_that_read_alike_have_votes_of_their_own():
    def fact(n):
        return 1 if n < 2 else n * fact(n - 1)

    panel = Watch(fact, 5, predict=True, poll=True, animate=False)
    phones, messages = panel.quiz.quiz.hands.phones, []
    phones.send = messages.append
    panel.board.run_alone(phones.switch)
    texts = [question.text for question in panel.quiz.quiz.questions]
    assert len({*texts}) < len(texts)
    for number, question in enumerate(panel.quiz.quiz.questions):
        panel.show(panel.film.beats)
        request, nobody = messages[-1]["ask"], [0] * (len(question.answers) - 1)
        assert panel.quiz.quiz.hands.counts == (0, *nobody)
        reply = {"counts": [7, *nobody], "question": request["key"], "vote": request["vote"], "phones": 7, "here": 7}
        phones._handle_custom_msg({**reply, "aside": [], "last": 0, "round": 1, "locked": False, "crowd": 0}, [])
        panel.answer(panel.quiz.quiz.hands.counts if number else None)
        assert messages[-1]["ask"]["stage"] == ("shown" if number else "closed")
    assert [sum(counts.values()) for counts in panel.counts.values()] == [7] * (len(texts) - 1)
    click(panel.quiz.again)
    panel.show(panel.film.beats)
    assert panel.quiz.quiz.hands.counts == (0,) * len(panel.quiz.quiz.question.answers)
    panel.close()


@pytest.mark.parametrize("answer", [-1, 9, "b", None, (1, 0)])
def test_what_is_no_answer_is_refused(watch, answer):
    watch.show(watch.film.beats)
    with pytest.raises(CrashlabError, match="is not an answer: give a number from 0 to"):
        watch.answer(answer)
    assert watch.now.answers == () and watch.quiz.is_open


def test_no_answer_is_taken_before_the_question(watch):
    with pytest.raises(CrashlabError, match="no question is shown now"):
        watch.answer(0)
    assert watch.now.answers == () and watch.beat == 0


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(CrashlabError, match="there is nothing to predict"):
        Watch(lambda n: n, 1, predict=True)
    with pytest.raises(CrashlabError, match="give predict=True with poll=True"):
        Watch(steps_from, GRAPH, "a", poll=True)
    plain_one = Watch(steps_from, GRAPH, "a", animate=False)
    with pytest.raises(CrashlabError, match="this Watch asks no questions"):
        plain_one.answer(0)
    plain_one.close()


# Recursion, reasons, and answers that are already visible


def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)


def test_a_recursion_without_variables_is_asked_about_its_calls():
    film = crashlab.record(factorial, 4)
    quiz = questions(FilmStory(film))
    assert len(quiz) >= 2
    assert {question.text.split()[0] + question.text.split()[1] for question in quiz} == {"Whatdoes", "Whichcall"}


def relaxed(roads, start):
    far = {start: 0}
    for here, there, more in roads:
        new = far[here] + more
        if new < far.get(there, 99):
            far[there] = new
    return far


def test_nothing_is_asked_whose_answer_stands_beside_it():
    film = crashlab.record(relaxed, [("a", "b", 4), ("a", "c", 1), ("c", "b", 2), ("b", "d", 5), ("c", "d", 1)], "a")
    quiz = questions(FilmStory(film))
    assert quiz
    for question in quiz:
        event = film.events[question.reason]
        assert event.source != "far[there] = new"


def joined(lanes, pairs):
    forest = {lane: lane for lane in lanes}

    def root(lane):
        while forest[lane] != lane:
            lane = forest[lane]
        return lane

    for here, there in pairs:
        mine, yours = root(here), root(there)
        if mine != yours:
            forest[mine] = yours
    return forest


@pytest.mark.parametrize("returns", (False, True))
def test_a_result_is_asked_for_only_if_the_film_has_its_reason(returns):
    pairs = [(1, 2), (3, 4), (2, 3), (5, 6), (4, 6), (1, 5), (2, 6)]
    film = crashlab.record(joined, range(1, 7), pairs, watch=["forest", "here", "there"], returns=returns)
    quiz = [question for question in questions(FilmStory(film)) if question.text.endswith(" return?")]
    assert bool(quiz) is returns
    assert all("because lane is" in film.events[question.reason].sentence for question in quiz)


def test_a_wrong_answer_gets_the_reason():
    roads = [("a", "b", 4), ("a", "c", 1), ("c", "b", 2), ("b", "d", 5)]
    panel = Watch(relaxed, roads, "a", predict=True, animate=False)
    try:
        quiz = panel.quiz
        panel.show(panel.film.beats)
        question = quiz.quiz.questions[0]
        panel.answer((question.right + 1) % len(question.answers))
        events = [panel.film.events[question.reason] for question in quiz.quiz.questions]
        text = plain(quiz.verdict.value)
        assert (events[0].sentence in text) if events[0].causes or events[0].since else "because" not in text
        assert any(event.causes for event in events)
        assert events[0].sentence in quiz.question_document(quiz.quiz.questions[0])["why"]
    finally:
        panel.close()
