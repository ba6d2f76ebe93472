"""The lab's Watch: a function stepped through beat by beat, on a board."""

import re
from html import escape
from itertools import count

import pytest

pytest.importorskip("ipycanvas")

from hands import Sent, click, words
from hands import quick_fingers as quick_fingers
from watched import failing, fib, nothing, steps_from

import crashlab
from crashlab import CrashlabError
from crashlab.course.lessons.crash_city import history
from crashlab.lab import Watch, on_board, tree
from crashlab.lab.stepper import Steps

CITY = history(seed=1, players=2)[-1]
LANES = {lane: CITY.streets.beside(lane) for lane in CITY.streets.lanes()}
VIEWS = {"steps": on_board(number=True), "queue": on_board(ring=True), "here": on_board(mark=True)}


NUMBERS = count()


@pytest.fixture(scope="module")
def film():
    return crashlab.record(steps_from, LANES, (0, 0, 0))


@pytest.fixture
def watch(film):
    panel = Watch(film, board=CITY, show=VIEWS, animate=False)
    yield panel
    panel.close()


def lit(panel):
    """The lit line of the source, and its text."""
    found = re.search(r"data-pick='line (\d+)'[^>]*class=crashlab-lit><i>.*?</i>(.*?)</div>", panel.source.value)
    return (int(found[1]), found[2].strip()) if found else None


def pick(panel, what):
    """A click on a line or a name, as the page tells it."""
    panel.picked.value = f"{what} {next(NUMBERS)}"


def test_a_function_is_run_and_shown_from_its_beginning():
    panel = Watch(steps_from, LANES, (0, 0, 0), board=CITY, watch="steps", animate=False)
    assert panel.film.result == steps_from(LANES, (0, 0, 0)) and panel.beat == 0
    assert words(panel) == f"Before steps_from. It has {panel.film.beats} beats." and panel.error is None
    assert panel.film.counts.names.keys() == {"steps"}


def test_a_watch_is_led_by_the_steps_of_a_turn(watch):
    assert type(watch.steps) is Steps and watch.steps.told is watch.story and watch.steps.last == watch.film.beats


def test_every_way_of_stepping_leads_to_the_same_picture(watch):
    sent = Sent(watch)
    sent.key("ArrowRight")
    assert watch.beat == 1
    click(watch.steps.forward)
    assert watch.beat == 2
    sent.key("End")
    assert watch.beat == watch.film.beats
    sent.key("ArrowLeft")
    watch.steps.slider.value = 50
    assert watch.beat == 50 and watch.board.picture == watch.story.picture(50) and words(watch) == watch.story.words(50)
    watch.show(7)
    assert watch.beat == 7 and watch.board.picture == watch.story.picture(7)
    click(watch.steps.first)
    assert watch.beat == 0 and watch.error is None


def test_the_source_has_the_running_line_and_the_variables_what_has_changed(watch):
    for beat in (2, 5, 60, 200):
        watch.show(beat)
        events = watch.story.changes(beat)
        number, text = lit(watch)
        assert number == events[-1].line and events[-1].source.startswith(text)
        assert f">{number:>3}  </i>".strip(">") in watch.source.value
        assert watch.values.value.count("crashlab-lit") >= 1
        for name in watch.story.names:
            assert f"data-pick='name {name}'" in watch.values.value
    watch.show(0)
    assert lit(watch) is None


def test_long_lines_of_source_are_whole_and_the_running_one_is_always_shown():
    def long(row):
        first = [number for number in row if number > 0 and number % 2 == 0 and number % 3 == 0 and number % 5 == 0]
        second = [number for number in row if number > 0 and number % 2 == 0 and number % 3 == 0 and number % 7 == 0]
        third = [number for number in row if number > 0 and number % 2 == 0 and number % 3 == 0 and number % 11 == 0]
        fourth = [number for number in row if number > 0 and number % 2 == 0 and number % 3 == 0 and number % 13 == 0]
        fifth = [number for number in row if number > 0 and number % 2 == 0 and number % 3 == 0 and number % 17 == 0]
        return first, second, third, fourth, fifth

    panel = Watch(long, [30], animate=False)
    assert panel.source.value.count("data-pick='line ") == 7  # a full screen, which wraps none, has room for all
    for beat in range(1, panel.film.beats + 1):
        panel.show(beat)
        number, text = lit(panel)
        assert number == panel.film.line(beat)[1]
        assert escape(panel.story.changes(beat)[-1].source) == text
    assert "next change" in panel.steps.stop_on.tooltip.lower() and "crash" not in panel.steps.stop_back.tooltip


def test_nothing_moves_while_one_steps(watch):
    """All that stands in the column has a height of its own, the same in every beat."""
    seen = set()
    for beat in range(0, watch.film.beats, 23):
        watch.show(beat)
        heights = re.search(r"style='height: ([\d.]+)em", watch.source.value)[1]
        parts = re.findall(r"class='(crashlab-value[^']*)'><button[^>]*data-pick='name (\w+)'", watch.values.value)
        seen.add((heights, tuple(parts)))
    assert len(seen) == 1


def test_a_click_on_a_name_runs_to_its_next_change(watch):
    stops = watch.story.stops_of("here")
    for beat in stops[:4]:
        pick(watch, "name here")
        assert watch.beat == beat and watch.aim.value == "name here"
    click(watch.steps.stop_back)
    assert watch.beat == stops[2]
    Sent(watch).key("c")
    assert watch.beat == stops[3]
    watch.show(stops[-1])
    pick(watch, "name here")
    assert watch.beat == stops[-1] and words(watch) == "There is no change of here after this beat."


def test_a_click_on_a_line_runs_to_where_it_changes_something_next(watch):
    event = next(event for event in watch.film.events if event.name == "steps" and event.key is not None)
    stops = [beat for beat in range(1, watch.film.beats + 1) if watch.film.line(beat)[1] == event.line]
    for beat in stops[:3]:
        pick(watch, f"line {event.line}")
        assert watch.beat == beat and lit(watch)[0] == event.line
    before = watch.beat
    pick(watch, "name nobody")
    pick(watch, "line 1")
    assert watch.beat == before and watch.error is None
    assert "changes nothing" in words(watch)


def test_the_list_says_the_same_without_the_page(watch):
    names = [value for _, value in watch.aim.options]
    assert {f"name {name}" for name in watch.story.names} <= set(names)
    watch.aim.value = "name steps"
    assert watch.beat == watch.story.stops_of("steps")[0]
    watch.aim.value = ""
    assert watch.steps.stop_on.disabled and watch.steps.stop_back.disabled


def test_keys_run_to_variables_and_step_over_calls():
    panel = Watch(fib, 4, animate=False)
    sent = Sent(panel)
    sent.key("1")
    assert panel.beat == panel.story.stops_of("n")[0]
    sent.key("9")  # there are not so many
    before = panel.beat
    sent.key("o")
    assert panel.beat == panel.story.over(before) and panel.error is None
    panel.show(before)
    click(panel.over)
    assert panel.beat == panel.story.over(before)


def test_a_click_on_a_number_asks_why_it_is_so(watch):
    sent = Sent(watch)
    watch.show(watch.film.beats)
    far = max(watch.film.result, key=watch.film.result.__getitem__)
    sent.press(*CITY.place(far))
    event = next(event for event in watch.film.events if event.name == "steps" and event.key == far)
    assert words(watch).startswith(f"{event.target} = {event.after}") and f"since beat {event.beat} " in words(watch)
    assert f"<b>{event.target} = {event.after}</b>" in watch.steps.reason.value
    assert watch.beat == watch.film.beats
    sent.key("ArrowLeft")
    assert f"<b>{event.target} = {event.after}</b>" not in watch.steps.reason.value


def test_the_reason_is_the_chain_of_causes(watch):
    beat = watch.story.stops_of("steps")[-1]
    watch.show(beat)
    chain = watch.film.why(watch.story.changes(beat)[0]).events
    told = re.sub("<.*?>", "", watch.steps.reason.value)
    assert all(event.words in told for event in chain[:5]) and "back to" in told


def test_a_node_that_is_pointed_at_is_drawn_as_a_board():
    def look(state, depth):
        if depth:
            look(state.play(state.actions(state.actors[0])[0]).after, depth - 1)

    panel = Watch(look, crashlab.game("crash_by_crash").start(seed=3), 2, show={"depth": tree.value}, animate=False)
    panel.show(panel.film.beats)
    sent = Sent(panel)
    sent.surface.point = lambda shapes: sent.messages.append(shapes)
    x, y = panel.story.tree.layout(panel.beat).places[1]
    panel.board.alone(panel._hover, x, y)
    assert len(sent.messages[-1]) > 100
    panel.board.alone(panel._hover, x + 1, y)
    assert len(sent.messages) == 1  # the same node
    panel.board.alone(panel._point, None)
    assert sent.messages[-1] == ()
    sent.key("p")
    assert len(sent.messages[-1]) > 100
    panel.board.alone(panel._click, x, y)
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


def test_where_widgets_do_not_run_there_are_a_picture_and_words(watch):
    bundle = watch._repr_mimebundle_()
    assert bundle["image/png"] and bundle["text/plain"] == str(watch.film)


def test_two_films_have_one_slider_and_both_counts(film):
    other = crashlab.record(steps_from, LANES, (0, 0, 0), watch="steps")
    panel = Watch.beside(other, film, board=CITY, show={"steps": on_board(number=True)}, animate=False)
    assert panel.steps.last == film.beats
    panel.steps.slider.value = 20
    assert "beats" in panel.counts.value and f"20 of {film.beats}" in panel.counts.value
    assert f"20 of {other.beats}" in panel.counts.value and panel.error is None
    Sent(panel).key("End")
    assert f"{other.beats} of {other.beats}" in panel.counts.value
    assert f"{film.beats} of {film.beats}" in panel._repr_mimebundle_()["text/plain"]
    panel.show(3)
    assert panel.steps.beat == 3


def test_its_source_may_not_be_there():
    made = {}
    exec("def add(n):\n    total = 0\n    for k in range(n):\n        total += k\n    return total", made)
    try:
        panel = Watch(made["add"], 3, animate=False)
    except CrashlabError:
        pytest.skip("such a function cannot be recorded")
    Sent(panel).key("End")
    assert "cannot be found" in panel.source.value and panel.error is None


def test_html_in_names_and_values_is_only_text():
    def tags():
        row = ["<b>bold</b>"]
        word = "<script>"
        return row, word

    panel = Watch(tags, animate=False)
    panel.show(panel.film.beats)
    assert "<b>bold" not in panel.values.value and "<script>" not in panel.values.value
    assert "&lt;script&gt;" in panel.values.value and "<script>" not in panel.steps.reason.value


def test_a_closed_watch_gives_all_back(film):
    panel = Watch(film, animate=False)
    panel.close()
    assert panel.closed and "closed" in repr(panel)


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
