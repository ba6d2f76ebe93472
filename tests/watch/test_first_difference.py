"""The first difference of two films, by values in their order, not by names or structure; and its use in `check`."""

import sys
from collections import deque

import pytest
from recorded_algorithms import GRAPH, RETURNING, insertion, unions
from watched_functions import steps_from

import crashlab
from crashlab import CrashlabError
from crashlab.course.exercises import CHECKS
from crashlab.course.lessons.crash_and_grab import flown
from crashlab.course.lessons.crash_by_crash import hit
from crashlab.watch import first_difference, record

LENGTH = 8  # spaces in a line of Crash & Grab


def far_from(graph, start):
    """Compute the same distances as `steps_from`, but with an index into a list and an inner function."""
    far, row, place = {}, [], 0

    def reach(vertex, steps):
        far[vertex] = steps
        row.append(vertex)

    reach(start, 0)
    while place < len(row):
        vertex = row[place]
        for other in graph[vertex]:
            if other in far:
                continue
            reach(other, far[vertex] + 1)
        place += 1
    return far


def taking_the_last(graph, start):
    far, todo = {start: 0}, [start]
    while todo:
        vertex = todo.pop()
        for other in graph[vertex]:
            if other not in far:
                far[other] = far[vertex] + 1
                todo.append(other)
    return far


def without_a_step(graph, start):
    steps, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in graph[here]:
            if there not in steps:
                steps[there] = steps[here]
                queue.append(there)
    return steps


def stopping_early(graph, start):
    steps, queue = {start: 0}, deque([start])
    while queue and len(steps) < 4:
        here = queue.popleft()
        for there in graph[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return steps


def going_on(graph, start):
    steps = steps_from(graph, start)
    steps["nowhere"] = 9
    return steps


def fly_on(line, place, distance, pads):
    """Fly as in the lesson, but one space less after an accelerator."""
    mover, left = line.pop(place), distance
    while left > 0:
        place, left = place + 1, left - 1
        if place == LENGTH:
            return
        if place in line:
            line[place], mover = mover, line[place]
            left = distance
        if place in pads:
            left = distance - 1
    line[place] = mover


def hit_through(row, at, strength, operator):
    """Hit a car as in the lesson, but ignore the operator."""
    while strength > 0:
        while at + 1 in row:
            at += 1
        car = row.pop(at)
        at, strength = at + 1, strength - 1
        if at == 12:
            return
        row[at] = car


def diameter_depth_first(graph):
    return max(max(taking_the_last(graph, vertex).values()) for vertex in graph)


@pytest.fixture(scope="module")
def right():
    return record(steps_from, GRAPH, "a")


# Two films


@pytest.mark.few(6)
@pytest.mark.parametrize("name", RETURNING)
def test_a_film_does_not_differ_from_one_like_it(name):
    function, arguments = RETURNING[name]
    films = [record(function, *arguments(), max_events=2_000) for _ in range(2)]
    assert first_difference(*films) is None
    for variable in dict.fromkeys(event.name for event in films[1].events if event.name):
        assert first_difference(*films, variable) is None


def test_other_names_and_another_structure_are_no_difference(right):
    assert first_difference(record(far_from, GRAPH, "a"), right, "steps") is None
    assert first_difference(right, record(far_from, GRAPH, "a"), "far") is None


def test_what_is_taken_in_another_order_is_told_as_a_question(right):
    mine = record(taking_the_last, GRAPH, "a")
    difference = first_difference(mine, right, "queue")
    assert difference.words == "yours took 'c' here, but a right one took 'b'. Why?"
    event = difference.mine.event
    assert (difference.name, difference.beat) == ("todo", event.beat) and event.before == "c"
    assert mine.at(difference.beat)["vertex"] == "c" and mine.at(difference.beat - 1)["vertex"] == "a"


def test_a_wrong_value_is_told_at_the_beat_that_makes_it(right):
    mine = record(without_a_step, GRAPH, "a")
    difference = first_difference(mine, right, "steps")
    assert difference.words == "yours set steps['b'] = 0 here, but a right one set steps['b'] = 1. Why?"
    assert mine.at(difference.beat)["steps"] == {"a": 0, "b": 0} and mine.at(difference.beat - 1)["steps"] == {"a": 0}
    assert difference.agreed == 1 and difference.film is mine


def test_a_film_that_ends_too_early_differs_at_its_end(right):
    mine = record(stopping_early, GRAPH, "a")
    difference = first_difference(mine, right, "steps")
    assert difference.words == "yours ends here, but a right one set steps['e'] = 2. Why?"
    assert difference.beat == mine.beats


def test_a_film_that_goes_on_differs_where_it_does(right):
    difference = first_difference(record(going_on, GRAPH, "a"), right, "steps")
    assert difference.words == "yours set steps['nowhere'] = 9 here, but nothing more was expected. Why?"


def test_one_that_stops_with_an_error_is_compared_up_to_there(right):
    mine = record(steps_from, {vertex: others for vertex, others in GRAPH.items() if vertex != "c"}, "a")
    assert isinstance(mine.error, KeyError)
    difference = first_difference(mine, right, "steps")
    assert difference.words == "yours ends here, but a right one set steps['e'] = 2. Why?"
    assert difference.beat == mine.beats


def test_what_is_set_and_removed_together_has_no_order():
    def one(row):
        row["b"] = row["a"]
        del row["a"]

    def other(row):
        row["b"] = row.pop("a")

    assert first_difference(record(one, {"a": 1}), record(other, {"a": 1}), "row") is None


def test_changes_of_a_number_are_compared():
    def one(n):
        total = 0
        for number in range(n):
            total += number
        return total

    def other(n):
        count = 0
        for number in range(n + 1):
            count += number
        return count

    difference = first_difference(record(other, 3), record(one, 3), "total")
    assert difference.words == "yours set count = 6 here, but nothing more was expected. Why?"


def test_sets_are_compared_by_what_comes_and_goes():
    def one(row):
        seen = set()
        for number in row:
            seen.add(number)
        return seen

    difference = first_difference(record(one, [1, 2, 4]), record(one, [1, 2, 3]), "seen")
    assert difference.words == "yours added 4 here, but a right one added 3. Why?"


def test_films_that_have_nothing_in_common_are_not_compared(right):
    assert first_difference(record(lambda n: n + 1, 1), right, "steps") is None


def test_a_variable_that_is_not_there_is_refused(right):
    with pytest.raises(CrashlabError, match="there is no variable 'stepps' in this film; its variables are graph"):
        first_difference(right, right, "stepps")


@pytest.mark.parametrize(("function", "arguments"), [(insertion, [5, 2, 4]), (unions, [(0, 1)])])
def test_a_list_that_is_put_together_differs_where_an_element_does(function, arguments):
    arguments = (arguments,) if function is insertion else (arguments, 3)
    other = ([5, 1, 4],) if function is insertion else ([(1, 2)], 3)
    difference = first_difference(record(function, *other), record(function, *arguments))
    assert difference and difference.words.endswith(". Why?") and difference.mine


# Exercises

WRONG = [
    ("cg-2", fly_on, "yours set line[4] = 'R' here, but a right one set line[5] = 'R'. Why?"),
    ("cb-2", hit_through, "yours removed row[1] here, but nothing more was expected. Why?"),
    ("cc-3", diameter_depth_first, "yours set far["),
]


@pytest.mark.parametrize(("name", "answer", "message"), WRONG)
def test_a_wrong_algorithm_is_shown_where_it_goes_wrong(capsys, name, answer, message):
    verdict = crashlab.check(name, answer)
    assert not verdict and f"Step by step: {message}" in verdict.hint == verdict.to_dict()["hint"]
    assert verdict.hint in capsys.readouterr().out
    assert verdict.difference.film.name == answer.__name__ and verdict.difference.words in verdict.hint


def test_a_right_algorithm_has_no_difference_whatever_its_form():
    def in_place(line, place, distance, pads):
        now = flown(line, place, distance, pads)
        line.clear()
        line.update(now)

    def operator(line, place, strength, operator):
        line.update({None: None}) or line.pop(None)
        now = hit(line, place, strength, operator)
        line.clear()
        line.update(now)

    assert CHECKS["cg-2"].check(in_place) and CHECKS["cb-2"].check(operator)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [name for name, check in CHECKS.items() if getattr(check, "follows", "")])
def test_an_exercise_follows_a_variable_of_what_is_right(name):
    exercise = CHECKS[name]
    for arguments in list(exercise.cases())[:5]:
        film = record(exercise.right, *arguments)
        assert exercise.follows in film.counts.names and first_difference(film, film, exercise.follows) is None


def test_what_cannot_be_watched_is_judged_all_the_same(capsys):
    class Flight:
        def __call__(self, line, place, distance, pads):
            line.clear()

    def endless(line, place, distance, pads):
        line["x"] = 0
        while True:
            line["x"] += 1
            if line["x"] > 10_000:
                return

    for answer in (Flight(), dict.fromkeys, endless):
        verdict = CHECKS["cg-2"].check(answer)
        assert not verdict and ("accelerators" in verdict.hint or "stops with" in verdict.hint)


def test_an_answer_that_prints_is_heard_once(capsys):
    def talking(line, place, distance, pads):
        print("here")

    CHECKS["cg-2"].check(talking)
    assert capsys.readouterr().out.count("here") == 1


def test_a_verdict_shows_the_film_where_there_are_widgets(monkeypatch):
    pytest.importorskip("ipycanvas")
    import IPython.display
    from fake_page import words

    from crashlab.course.exercises import verdict as shown
    from crashlab.lab import Watch

    outputs = []
    monkeypatch.setattr(shown, "in_notebook", lambda: True)
    monkeypatch.setattr(IPython.display, "display", lambda thing, **options: outputs.append(thing))
    verdict = crashlab.check("cg-2", fly_on)
    (panel,) = [thing for thing in outputs if isinstance(thing, Watch)]
    assert panel.beat == verdict.difference.beat and panel.film is verdict.difference.film
    assert words(panel) == "Yours set line[4] = 'R' here, but a right one set line[5] = 'R'. Why?"
    panel.close()
    outputs.clear()
    monkeypatch.setitem(sys.modules, "crashlab.lab", None)  # no widgets
    crashlab.check("cg-2", fly_on)
    assert len(outputs) == 1 and "Step by step" in outputs[0]["text/plain"]
