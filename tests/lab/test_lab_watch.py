"""The lab's Watch: a function stepped through beat by beat on a board."""

import pytest

pytest.importorskip("ipycanvas")

from fake_page import Page, Sent, step_to, words
from fake_page import quick_fingers as quick_fingers
from watched_functions import failing, nothing, steps_from

import crashlab
from crashlab import CrashlabError
from crashlab.course.lessons.crash_city import history
from crashlab.lab import Watch, on_board, tree

CITY = history(seed=1, players=2)[-1]
LANES = {lane: CITY.streets.beside(lane) for lane in CITY.streets.lanes()}
VIEWS = {"steps": on_board(number=True), "queue": on_board(ring=True), "here": on_board(mark=True)}


@pytest.fixture(scope="module")
def film():
    return crashlab.record(steps_from, LANES, (0, 0, 0))


@pytest.fixture
def watch(film):
    panel = Watch(film, board=CITY, show=VIEWS, animate=False)
    yield panel
    panel.close()


def test_a_function_is_run_and_shown_from_its_beginning():
    panel = Watch(steps_from, LANES, (0, 0, 0), board=CITY, watch="steps", animate=False)
    assert panel.film.result == steps_from(LANES, (0, 0, 0)) and panel.beat == 0
    assert words(panel) == panel.story.words(0) and panel.error is None
    assert panel.film.counts.names.keys() == {"steps"}


def test_a_node_that_is_pointed_at_is_drawn_as_a_board():
    def look(state, depth):
        if depth:
            look(state.play(state.actions(state.actors[0])[0]).after, depth - 1)

    panel = Watch(look, crashlab.game("crash_by_crash").start(seed=3), 2, show={"depth": tree.value}, animate=False)
    panel.show(panel.film.beats)
    sent = Sent(panel)
    sent.panel.board.page.point = lambda shapes: sent.messages.append(shapes)
    x, y = panel.story.tree.layout(panel.beat).places[1]
    page = sent.panel.board.page
    page._handle_custom_msg({"call": 1}, [])
    assert len(sent.messages[-1]) > 100
    page._handle_custom_msg({"call": 1}, [])
    assert len(sent.messages) == 1  # the node has not changed
    page._handle_custom_msg({"call": None}, [])
    assert sent.messages[-1] == ()
    sent.key("p")
    assert len(sent.messages[-1]) > 100
    panel.board.run_alone(panel._click, x, y)
    assert panel.beat == panel.film.calls[1].first


def test_an_exception_is_the_last_beat():
    panel = Watch(failing, 3, animate=False)
    panel.show(panel.film.beats)
    assert "ZeroDivisionError" in words(panel) and panel.error is None
    assert "ZeroDivisionError" in panel.still()[1]


def test_a_function_that_changes_nothing_is_shown_too():
    panel = Watch(nothing, animate=False)
    sent = Sent(panel)
    for key in ("ArrowRight", "End", "o", "c", " ", "1", "p", "Home"):
        sent.key(key)
    assert panel.beat == 0 and "It returned 3." in words(panel) and panel.error is None


def test_an_endless_loop_ends_with_what_was_seen():
    def endless():
        n = 0
        while True:
            n += 1

    panel = Watch(endless, max_events=100, animate=False)
    panel.show(panel.film.beats)
    assert panel.film.stopped.rstrip(".") in words(panel).replace(panel.film.stopped[0].upper(), panel.film.stopped[0])


def test_a_click_beside_the_numbers_of_the_board_says_what_can_be_clicked(watch):
    sent = Sent(watch)
    watch.show(watch.film.beats)
    before = words(watch)
    sent.press(2, 2)
    assert words(watch) == f"{before}\nClick a number, or a variable or a line beside the board."
    watch.show(1)
    assert words(watch) == watch.story.words(1)


def test_where_widgets_do_not_run_there_are_a_picture_and_words(watch):
    bundle = watch._repr_mimebundle_()
    assert bundle["image/png"] and bundle["text/plain"] == str(watch.film)


def test_its_pictures_are_drawn_while_no_callback_runs_in_another_thread(watch):
    """A film has one replay, and JupyterLab's subshells handle messages of the page while a cell is running."""
    calls = {name: getattr(watch, name) for name in ("still", "film_document")}
    is_locked = []
    for name, call in calls.items():
        setattr(watch, name, lambda call=call: is_locked.append(watch.board.lock._is_owned()) or call())
    watch._repr_mimebundle_()
    assert is_locked == [True, True]


def test_two_films_have_one_slider_and_both_counts(film):
    other = crashlab.record(steps_from, LANES, (0, 0, 0), watch="steps")
    panel = Watch.beside(other, film, board=CITY, show={"steps": on_board(number=True)}, animate=False)
    assert panel.steps.last == film.beats
    step_to(panel, 20)
    page = Page(panel.board.page)
    for beat in (20, film.beats):
        page.say(want=beat, film=panel.board.page._film)
        text = page.film[1][beat]["values"]["beats"]
        assert text == f"{min(beat, other.beats)} of {other.beats} · {beat} of {film.beats}"
    Sent(panel).key("End")
    assert f"{film.beats} of {film.beats}" in panel._repr_mimebundle_()["text/plain"]
    panel.show(3)
    assert panel.steps.beat == 3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda film: Watch(film, 3), "a film already has its arguments"),
        (lambda film: Watch(film, board="city"), "give a State"),
        (lambda film: Watch(film, show=3), "give a dict"),
        (lambda film: Watch(film, show={"steps": on_board}), "there is no board"),
        (lambda film: Watch(3), "3"),
        (lambda film: Watch.beside(film, 3), "give a film"),
        (lambda film: Watch(film, scale=9), "scale"),
    ],
)
def test_bad_inputs_are_refused(film, make, message):
    with pytest.raises(CrashlabError, match=message):
        make(film)
