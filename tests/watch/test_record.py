"""The promises of `crashlab.record`: it changes nothing, reports every change, and explains each."""

import asyncio
import bdb
import copy
import random
import sys
import threading
import weakref
from collections import deque
from heapq import heappush
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
import recorded_algorithms as algorithms
import watched_functions as watched
from reason_count import space_of
from watched_functions import steps_from

from crashlab import CrashlabError, record
from crashlab.watch import ABSENT, Instance, Words
from crashlab.watch import Path as Keys
from crashlab.watch.recorder import Recorder
from crashlab.watch.snapshots import Shadows

HIDDEN = (FunctionType, type, type(sys), type(len), type([].append))


def plain(value, path=()):
    """Convert a live or a recorded value into a form that can be compared, types of numbers included."""
    if id(value) in path:
        return "...", len(path) - path.index(id(value))
    inner = (*path, id(value))
    if isinstance(value, np.ndarray):
        return "array", value.tolist()
    if isinstance(value, dict):
        return "dict", sorted(repr((plain(key, inner), plain(item, inner))) for key, item in value.items())
    if isinstance(value, set):
        return "set", sorted(repr(plain(one, inner)) for one in value)
    if isinstance(value, list | tuple | deque):
        kind = next(kind for kind in (deque, list, tuple) if isinstance(value, kind))
        return kind.__name__, [plain(one, inner) for one in value]
    if isinstance(value, Instance):
        return value.name, plain(value.attributes, inner)
    if type(value).__module__ == algorithms.__name__:
        slots = {name: getattr(value, name) for name in getattr(value, "__slots__", ()) if hasattr(value, name)}
        return type(value).__name__, plain(slots if hasattr(value, "__slots__") else vars(value), inner)
    if isinstance(value, Words):
        return "words"
    if type(value).__module__ not in ("builtins", __name__) or hasattr(value, "__next__"):
        return "words"
    return "words" if isinstance(value, BaseException) else (type(value).__name__, repr(value))


@pytest.fixture
def truths(monkeypatch):
    """Collect the actual variables of each call whenever the recorder has looked at them."""
    snapshots = []
    look = Recorder.look

    def looks(recorder, run, frame, *args):
        look(recorder, run, frame, *args)
        if frame is not None and not recorder.stopped:
            variables = {name: value for name, value in frame.f_locals.items() if not isinstance(value, HIDDEN)}
            for scope in set(run.names.values()):
                in_scope = {name: plain(value) for name, value in variables.items() if run.names.get(name) is scope}
                snapshots.append((recorder.beat, scope.number, scope is run.scope, in_scope))

    monkeypatch.setattr(Recorder, "look", looks)
    return snapshots


def check(film, truths):
    """Check that a film has the actual variables of every beat."""
    assert truths
    for beat, call, is_all, expected in truths:
        actual = {name: plain(value) for name, value in film.at(beat, call).items()}
        assert {name: actual.get(name) for name in (actual if is_all else expected)} == expected, beat


@pytest.mark.few(9)
@pytest.mark.parametrize("name", algorithms.RETURNING)
def test_the_film_is_what_happened_and_recording_changes_nothing(name, truths):
    function, arguments = algorithms.RETURNING[name]
    args, others = arguments(), arguments()
    result = function(*args)
    film = record(function, *others)
    assert plain(film.result) == plain(result) and plain(others) == plain(args)
    assert film.error is None and film.stopped == ""
    check(film, truths)


@pytest.mark.few(3)
@pytest.mark.parametrize("name", algorithms.RAISING)
def test_an_exception_is_the_last_beat(name, truths):
    function, arguments, error = algorithms.RAISING[name]
    film = record(function, *arguments())
    last = film.events[-1]
    assert type(film.error) is error and film.result is None and film.stopped == ""
    assert last.name == "" and last.after.startswith(error.__name__) and last.beat == film.beats
    assert film.line(film.beats) == (algorithms.__file__, last.line)
    assert last.source in Path(algorithms.__file__).read_text("utf-8")
    assert error.__name__ in str(film) and error.__name__ in str(film.why(last))


def test_the_line_that_raises_explains_itself():
    film = record(algorithms.raising, [1, 0])
    assert [event.name for event in film.why(film.events[-1]).events] == ["", "value", "row"]
    assert film.events[-1].source == "total += 10 // value"


@pytest.mark.parametrize("name", algorithms.ENDLESS)
def test_an_endless_loop_ends(name):
    film = record(algorithms.ENDLESS[name], 1, max_events=200)
    assert "recording stopped after" in film.stopped and film.result is film.error is None
    assert len(film.events) <= 202 and film.stopped in str(film)
    assert film.at(film.beats)["n"] >= 1


def apply(model, event, things):
    """Replay one event from its own data alone."""
    slot = event.owner, event.name
    if not event.name:  # it changes nothing
        return
    if event.key is None:
        model.pop(slot, None)
        if event.after is not ABSENT:
            value = things.setdefault(event.thing, event.after) if event.thing >= 0 else event.after
            model[slot] = value
        return
    value = model[slot]
    keys = event.key if isinstance(event.key, Keys) else (event.key,)
    for key in keys[:-1]:
        value = value.attributes[key] if isinstance(value, Instance) else value[key]
    if isinstance(value, Instance):
        value, keys = value.attributes, [str(key) for key in keys]
    if isinstance(value, set):
        value.discard(event.before) if event.after is ABSENT else value.add(event.after)
    elif event.after is ABSENT:
        del value[keys[-1]]
    elif event.before is ABSENT and not isinstance(value, dict):
        value.insert(keys[-1], event.after)
    else:
        value[keys[-1]] = event.after


def replayed(film):
    """Return the variables of every call, beat by beat, computed from the events alone."""
    model, things, moments = {}, {}, [{}]
    for event in copy.deepcopy(film.events):
        moments += [copy.deepcopy(model)] * (event.beat - len(moments))
        apply(model, event, things)
        if event.beat == len(moments):
            moments.append({})
        moments[event.beat] = copy.deepcopy(model)
    return moments


SHARED = {"aliases", "itself", "linked", "fixed_point"}  # containers in containers that also have names of their own


@pytest.mark.few(9)
@pytest.mark.parametrize("name", [name for name in algorithms.RETURNING if name not in SHARED])
def test_replaying_the_events_gives_every_moment(name):
    function, arguments = algorithms.RETURNING[name]
    film = record(function, *arguments())
    for beat, moment in enumerate(replayed(film)):
        if name == "payments" or beat == 0:
            continue
        for call in {owner for owner, _ in moment if owner >= 0}:
            expected = {name: plain(value) for (owner, name), value in moment.items() if owner == call}
            assert {name: plain(value) for name, value in film.at(beat, call).items()} == expected, beat
    assert film.beats == (film.events[-1].beat if film.events else 0)


@pytest.mark.parametrize(
    "text, name, expected",
    [
        ("i, a[i] = 2, 99", "a", [3, 1, 99]),
        ("i = 0\n    a[i], a[a[i] - 1] = a[a[i] - 1], a[i]", "a", [2, 3, 2]),
        ("i = a[i] = 0", "a", [0, 1, 2]),
        ("j = i = a[i] = 0", "a", [0, 1, 2]),
        ("a[i] = (i := 0)", "a", [0, 1, 2]),
        ("a[i] = 7 + (i := 2)", "a", [3, 1, 9]),
        ("for i, a[i] in enumerate((7, 8)): pass", "a", [7, 8, 2]),
        ("for i, a[i] in enumerate((7, 8)):\n        pass", "a", [7, 8, 2]),
        ("m[0], m[0][1] = m[1], 7", "m", [[3, 7], [3, 7]]),
        ("m[0], m[0][1], m[1] = m[1], 7, m[0]", "m", [[3, 7], [1, 2]]),
        ("m[i][0], m[0][0] = m[0][0], m[i][0]", "m", [[3, 2], [1, 4]]),
        ("(m := m[1]) and m.append(5)", "m", [3, 4, 5]),
        ("a[0], m[0][a[0]] = 1, 9", "m", [[1, 9], [3, 4]]),
        ("p, p.v = p.nxt, 77", "p", "Node(v=77, nxt=None)"),
        ("p.nxt, p.nxt.v = Node(3, None), 77", "p", "Node(v=1, nxt=Node(v=77, nxt=None))"),
        ("p.v, p.nxt, p = 3, None, p.nxt", "p", "Node(v=2, nxt=None)"),
        ("del m[0], m[0][0]", "m", [[4]]),
    ],
)
def test_a_target_is_found_when_it_is_assigned(text, name, expected):
    """A target may read what the same statement has assigned before."""
    head = "class Node:\n    def __init__(self, v, nxt):\n        self.v, self.nxt = v, nxt\n\ndef f():\n"
    head += "    a, m, i, p = [3, 1, 2], [[1, 2], [3, 4]], 1, Node(1, Node(2, None))\n    "
    film = record(space_of(f"{head}{text}\n    return {name}\n", "<targets>")["f"])
    assert str(film.at(film.beats, 0)[name]) == str(expected)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("tail = tail.nxt = Node(v)", "Node(v=0, nxt=None)"),
        ("tail = tail.nxt = tail.prev = Node(v)", "Node(v=0, nxt=None)"),
        ("tail.nxt = tail = Node(v)", "Node(v=0, nxt=Node(v=1, nxt=Node(v=2, nxt=None)))"),
    ],
)
def test_an_object_that_changes_before_a_variable_leads_to_it(text, expected):
    head = "class Node:\n    def __init__(self, v):\n        self.v, self.nxt = v, None\n\n"
    head += "def f():\n    head = tail = Node(0)\n    for v in (1, 2):\n        "
    film = record(space_of(f"{head}{text}\n    return head\n", "<a linked list>")["f"])
    head, tail = (film.at(film.beats, 0)[name] for name in ("head", "tail"))
    assert film.stopped == "" and str(head) == expected
    assert tail.attributes["v"] == 2 and tail.attributes["nxt"] is (tail if "= tail.nxt" in text else None)


def program(rng):
    """Return the text of a function of random statements on dicts, lists and numbers."""
    lines = ["def program(rng):", "    a, b, d, e, n = [3, 1, 2], [], {'x': 1}, {}, 0"]
    for _ in range(rng.randrange(5, 25)):
        one, other = rng.sample(["a", "b"], 2)
        lines.append(
            "    "
            + rng.choice(
                [
                    f"{one}.append(rng.randrange(5))",
                    f"{one}.insert(rng.randrange(len({one}) + 1), n)",
                    f"{one} and {one}.pop(rng.randrange(len({one})))",
                    f"{one}[:] = {other}",
                    f"{one} = {other}",
                    f"{one} = {one} + [True, 1, 1.0, None][: rng.randrange(5)]",
                    f"{one} += [n, 1]",
                    f"{one}.sort(key=str); {one}.reverse()",
                    f"if {one}: {one}[rng.randrange(len({one}))] = rng.choice("
                    "[0, False, 0.0, 1, True, 'x', float('nan')])",
                    f"del {one}[1:2]",
                    "d[rng.choice('xyz')] = n",
                    "e[len(d), n] = rng.choice([a[:], (1, 2), 'word', 1])",
                    "d.pop(rng.choice('xyz'), None)",
                    "d, e = e, d",
                    "d = {**d, n: a[:]}",
                    "e.setdefault('rows', []).append(n)",
                    "for i in range(rng.randrange(3)): n += i",
                    "n = n + 1 if n < 3 else 0",
                    "d.clear()",
                    "e |= {n: n}",
                    "s = set(str(d)); s.add(n)",
                    "m = {key: value for key, value in d.items() if key}",
                ]
            )
        )
    return "\n".join([*lines, "    return a, b, d, e, n"])


@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed, truths, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(program(random.Random(seed)), encoding="utf-8")
    space = {"__name__": "program"}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), space)
    expected = space["program"](random.Random(seed))
    film = record(space["program"], random.Random(seed))
    assert plain(film.result) == plain(expected) and film.error is None
    check(film, truths)
    assert str(film) == str(record(space["program"], random.Random(seed)))


# Events and their reasons


GRAPH = {1: [2, 3], 2: [4], 3: [4], 4: [5], 5: []}


def test_an_event_tells_its_line_its_call_and_what_changed():
    film = record(steps_from, GRAPH, 1, watch="steps")
    first, *others = film.events
    line = steps_from.__code__.co_firstlineno
    assert (first.number, first.beat, first.line, first.key, first.before, first.after) == (
        0,
        1,
        line + 1,
        None,
        ABSENT,
        {1: 0},
    )
    assert [(event.key, event.before, event.after) for event in others] == [
        (2, ABSENT, 1),
        (3, ABSENT, 1),
        (4, ABSENT, 2),
        (5, ABSENT, 3),
    ]
    assert {event.source for event in others} == {"steps[there] = steps[here] + 1"}
    assert {event.name for event in film.events} == {"steps"} and {event.call for event in film.events} == {0}
    assert film.beats == 5 and film.result == film.at(5)["steps"] and film.at(0) == {}
    assert film.line(3) == (watched.__file__, line + 6) and film.line(0) == (watched.__file__, line)
    assert [source.lines[0] for source in film.sources] == ["def steps_from(graph, start):"]
    assert film.counts.names == {"steps": 5} and film.counts.calls == {"steps_from": 1}
    assert film.counts.lines[watched.__file__, line + 3] == 5


@pytest.mark.parametrize("watch", ["steps", ["steps", "queue"], None])
def test_why_is_the_shortest_path(watch):
    film = record(steps_from, GRAPH, 1, watch=watch)
    last = next(event for event in reversed(film.events) if event.name == "steps")
    path = [event.key for event in film.why(last).events if event.name == "steps"]
    assert path[:4] == [5, 4, 2, None]
    text = str(film.why(last))
    assert text.startswith("steps[5] = 3 because steps[4] is 2, since 5 not in steps   [line ")
    assert "\n  steps[4] = 2 because steps[2] is 1, since 4 not in steps   [line " in text


def test_why_ends_at_the_arguments():
    film = record(steps_from, GRAPH, 1)
    for event in film.events:
        rows = list(film.why(event).rows())
        assert len({why.event.number for _, why in rows}) == len(rows)
        assert all(reason.event.number < why.event.number for _, why in rows for reason in why.reasons)
        ends = [why.event for _, why in rows if not why.event.causes and not why.event.since]
        assert all(end.name in ("graph", "start") for end in ends)


def test_what_left_a_queue_was_put_there():
    film = record(steps_from, GRAPH, 1)
    events = [event for event in film.events if event.name == "here" and event.after == 4]
    assert film.why(events[0]).events[1].source == "queue.append(there)"


def test_a_table_is_explained_by_the_cell_that_gave_the_value():
    film = record(algorithms.knapsack, [(2, 3), (3, 4)], 5, watch="table")
    last = film.events[-1]
    assert last.key == Keys((2, 5)) and last.target == "table[2][5]" and last.after == 7
    assert [event.key for event in film.why(last).events] == [(2, 5), (1, 2), None]


def test_calls_are_a_tree():
    film = record(algorithms.fibonacci, 3)
    assert [(call.parent, call.arguments["n"], call.result) for call in film.calls] == [
        (-1, 3, 2),
        (0, 2, 1),
        (1, 1, 1),
        (1, 0, 0),
        (0, 1, 1),
    ]
    assert all(film.calls[call.parent].first <= call.first <= call.last <= film.beats for call in film.calls[1:])
    assert [film.at(call.first, call.number)["n"] for call in film.calls] == [3, 2, 1, 0, 1]


def test_a_generator_is_one_call():
    film = record(algorithms.generators, 4)
    assert film.counts.calls == {"generators": 1, "squares": 1, "naturals": 1}
    assert film.calls[2].name == "naturals" and film.calls[2].parent == 1


def test_every_makes_one_beat_of_all_changes_since():
    film = record(algorithms.bubble, [3, 2, 1], every="end", watch="row")
    assert film.beats == 3
    assert [{event.beat for event in film.events if event.name == "end"}] == [{1, 2}]
    assert film.at(2)["row"] == [2, 1, 3] and film.at(3)["row"] == [1, 2, 3]


def test_parameters_with_our_names_are_reached():
    def function(watch, max_events, every=0):
        total = watch + max_events + every
        return total

    film = record(function, kwargs={"watch": 1, "max_events": 2, "every": 3}, watch="total")
    assert film.result == 6 and film.beats == 1


# Traps


def test_what_looks_the_same_is_told_apart():
    def function():
        row = [1, 0.0, 5]
        row[0] = True
        row[0] = 1.0
        row[1] = float("nan")
        row[1] = float("nan")
        row[2] = 10**3
        row[2] = 10**3
        n = 1
        n = True
        return n

    film = record(function)
    changes = [(event.target, repr(event.after)) for event in film.events]
    assert changes[1:] == [
        ("row[0]", "True"),
        ("row[0]", "1.0"),
        ("row[1]", "nan"),
        ("row[2]", "1000"),
        ("n", "1"),
        ("n", "True"),
    ]


class Odd:
    """An object whose methods must not be called."""

    def __eq__(self, other):
        raise AssertionError("compared")

    def __repr__(self):
        raise AssertionError("told")

    def __hash__(self):
        return 1

    def __getattribute__(self, name):
        raise AssertionError(f"asked for {name}")


ODD = Odd()  # a global variable of the programs recorded here


def test_odd_objects_are_neither_compared_nor_asked():
    def function():
        odd, row = Odd(), [Odd(), np.zeros(2)]
        row.append(odd)
        table = {odd: 1}
        table[odd] = 2
        return len(row)

    film = record(function)
    assert film.error is None and film.result == 3
    assert [event.target for event in film.events][-1].startswith("table[")


def test_two_names_for_one_list_are_one_thing():
    def function():
        one = [1]
        two = one
        two.append(2)
        rows = [one, one]
        rows[0].append(3)
        return rows

    film = record(function)
    assert [event.target for event in film.events] == ["one", "two", "two[1]", "rows", "rows[0][2]"]
    assert film.at(film.beats) == {"one": [1, 2, 3], "two": [1, 2, 3], "rows": [[1, 2, 3]] * 2}
    assert film.at(3)["one"] == [1, 2] and film.events[0].thing == film.events[1].thing


def test_what_a_set_holds_from_the_beginning_is_told_once():
    def grow(some):
        members = set(some)
        members.add(3)
        members.discard(1)
        return members

    changes = [(event.key, event.before, event.after) for event in record(grow, [1, 2], watch="members").events]
    assert changes == [(None, ABSENT, {1, 2}), (3, ABSENT, 3), (1, 1, ABSENT)]


def test_self_is_looked_into():
    film = record(algorithms.heaps, [2, 1], watch="self")
    assert "self.row[0] = 1 (was 2)" in [event.words for event in film.events]
    assert film.at(film.beats)["self"].attributes == {"row": [1, 2], "size": 2}


def test_an_effect_of_a_library_is_seen():
    def function(row):
        random.Random(1).shuffle(row)
        return row

    film = record(function, [1, 2, 3, 4])
    assert film.at(film.beats)["row"] == film.result and film.counts.calls == {"function": 1}


def test_nothing_is_kept_alive():
    class Thing:
        pass

    def function():
        things = [Thing()]
        seen = weakref.ref(things[0])
        one = Thing()
        other = weakref.ref(one)
        one = None
        things.clear()
        again = weakref.WeakSet([Thing()])
        return seen() is None, other() is None, len(again), one

    assert record(function).result == function() == (True, True, 0, None)


def test_an_array_is_followed_cell_by_cell():
    film = record(algorithms.relax, 5, watch="values")
    assert film.events[1].target == "values[0]" and film.events[1].after == 1.0
    assert film.at(film.beats)["values"].tolist() == film.result
    film = record(algorithms.life, [[1] * 12 for _ in range(12)], 1, watch="board")
    assert film.events[-1].key is ... and film.at(film.beats)["board"].tolist() == film.result


def test_names_of_comprehensions_and_lines_of_one_statement():
    film = record(algorithms.several_lines, 3)
    assert [event.name for event in film.events] == ["n", "table", "total"] and film.beats == 3
    assert film.events[1].source.startswith("table = {\n") and "\n    ]\n" in film.events[1].source


def test_a_generator_that_outlives_its_film_is_not_recorded_again():
    generators = []

    def function():
        numbers = algorithms.naturals(5)
        generators.append(numbers)
        return next(numbers)

    film = record(function, also=algorithms)
    events = film.events
    again = record(lambda: list(generators[0]), also=algorithms)
    assert again.result == [1, 2, 3, 4] and film.events is events and len(film._entries) == len(events)


def test_a_closure_that_outlives_its_maker():
    def counter():
        count, past = 0, []

        def more():
            nonlocal count
            count += 1
            past.append(count)
            return count

        return more

    def function():
        one, other = counter(), counter()
        return one(), one(), other()

    film = record(function, watch=["count", "past"])
    assert film.result == (1, 2, 1)
    assert [event.after for event in film.events if event.target == "count"] == [0, 0, 1, 2, 1]
    assert [film.at(film.beats, call)["past"] for call in (1, 2)] == [[1, 2], [1]]


SHARED_ROW = []


def global_row(n):
    SHARED_ROW.append(n)
    return len(SHARED_ROW)


def test_a_global_variable_is_watched_by_its_name():
    SHARED_ROW.clear()
    film = record(global_row, 3, watch="SHARED_ROW")
    assert film.events[-1].target == "SHARED_ROW[0]" and film.at(film.beats) == {"SHARED_ROW": [3]}


MEMO, COUNT, HEAP = {}, 0, []


def counted_fib(n):
    global COUNT
    COUNT += 1
    if n not in MEMO:
        MEMO[n] = n if n < 2 else counted_fib(n - 1) + counted_fib(n - 2)
    return MEMO[n]


def pushed(n):
    heappush(HEAP, n)
    return min(SHARED_ROW, default=n)


def test_the_global_variables_that_functions_change_are_watched():
    MEMO.clear()
    film = record(counted_fib, 3)
    changes = [(event.target, event.after) for event in film.events]
    assert [after for target, after in changes if target == "COUNT"][-1] == COUNT == 5
    assert [(target, after) for target, after in changes if target.startswith("MEMO[")] == [
        ("MEMO[1]", 1),
        ("MEMO[0]", 0),
        ("MEMO[2]", 1),
        ("MEMO[3]", 2),
    ]
    last = next(event for event in film.events if event.target == "MEMO[3]")
    assert "MEMO[2] = 1" in str(film.why(last))
    targets = {event.target for event in record(pushed, 3).events}
    assert "HEAP[0]" in targets and not any(target.startswith("SHARED_ROW") for target in targets)


def turned_round(ages):
    ages = dict(reversed(ages.items()))
    return ages


def test_a_dict_is_told_in_its_own_order():
    text = str(record(turned_round, {"b": 1, "a": 2}))
    assert "ages = {'a': 2, 'b': 1} (was {'b': 1, 'a': 2})" in text and "returned {'a': 2, 'b': 1}" in text


LEFT_OVER = "of another cell"


def half(number):
    return number // 2


def halves_of(LEFT_OVER):
    return [half(LEFT_OVER), half(LEFT_OVER + 1)]


def test_a_global_variable_that_no_function_names_is_not_watched():
    film = record(halves_of, 4, watch="LEFT_OVER")
    assert [(event.target, event.after) for event in film.events] == [("LEFT_OVER", 4)]


# Tracers, threads, ends


def test_the_tracer_that_was_there_is_put_back():
    trace_events = []

    def tracer(frame, event, arg):
        trace_events.append(event)

    def interrupted():
        raise KeyboardInterrupt

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        for function in (lambda: 1, interrupted, lambda: 1 / 0, lambda: sys.exit(3)):
            record(function)
            assert sys.gettrace() is tracer
        record(algorithms.endless, 1, max_events=10)
        assert sys.gettrace() is tracer
        with pytest.raises(CrashlabError):
            record(3)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)
    assert trace_events


def test_a_debugger_goes_on_after_a_recording():
    lines = []

    class Debugger(bdb.Bdb):
        def user_line(self, frame):
            lines.append(frame.f_lineno)
            self.set_step()

    def program():
        film = record(lambda n: n + 1, 2)
        after = film.result
        return after

    first_line = program.__code__.co_firstlineno
    before = sys.gettrace()
    try:
        assert Debugger().runcall(program) == 3
    finally:
        sys.settrace(before)
    assert [line - first_line for line in lines if first_line < line <= first_line + 3][-2:] == [2, 3]


def test_ctrl_c_and_exit_end_with_the_film_so_far():
    def function(error):
        n = 1
        n += 1
        raise error

    film = record(function, KeyboardInterrupt)
    assert film.stopped == "recording was interrupted" and film.error is None and film.at(film.beats)["n"] == 2
    film = record(function, SystemExit(3))
    assert type(film.error) is SystemExit and film.events[-1].after == "SystemExit: 3"


def test_other_threads_are_not_traced():
    def function():
        row = [0]
        worker = threading.Thread(target=algorithms.sieve, args=(50,))
        worker.start()
        worker.join()
        row[0] = 1
        return row

    film = record(function, also=algorithms)
    assert film.counts.calls == {"function": 1} and film.result == [1] and sys.gettrace() is threading.gettrace()


def test_a_variable_that_another_thread_changes_keeps_its_value():
    def function():
        count, go = 0, threading.Event()

        def other():
            nonlocal count
            for _ in range(2000):
                count += 1
            go.set()

        worker = threading.Thread(target=other)
        worker.start()
        while not go.is_set():
            pass
        worker.join()
        return count

    assert record(function, watch="count", max_events=100_000).result == 2000


def test_in_a_notebook_two_cells_are_one_program():
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()
    shell.run_cell("from crashlab import record\ndef twice(n):\n    double = n * 2\n    return double")
    shell.run_cell("class Box:\n    def __init__(self, n):\n        self.n = twice(n)")
    shell.run_cell("def boxed(n):\n    box = Box(n)\n    return box.n\nfilm = record(boxed, 4)")
    film = shell.user_ns["film"]
    assert film.result == 8 and [call.name for call in film.calls] == ["boxed", "__init__", "twice"]
    assert "double = n * 2" in [event.source for event in film.events]
    assert len({source.file for source in film.sources}) == 3 and all(source.lines for source in film.sources)
    assert repr(film.at(film.beats)["box"]) == "Box(n=8)"


def test_without_its_source_there_are_line_numbers():
    space = {"__name__": "nowhere"}
    exec("def function(n):\n    row = [n]\n    row.append(n + 1)\n    return row", space)
    film = record(space["function"], 1)
    assert [(event.line, event.source, event.target) for event in film.events] == [
        (1, "", "n"),
        (2, "", "row"),
        (3, "", "row[1]"),
    ]
    assert film.sources[0].lines == ()


def test_one_change_is_not_told_as_several():
    film = record(lambda n: n, {3})
    assert str(film).startswith("<lambda>: 1 change in 1 beat\n") and repr(film) == "<Film of <lambda>: 1 beat>"


# Bad input


def maker():
    yield 1


async def waiting(n):
    total = n
    return total


async def waiting_maker():
    yield 1


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((len,), "is not written in Python"),
        ((int,), "no __init__ written in Python"),
        ((3,), "cannot be called"),
        ((None,), "cannot be called"),
        ((maker,), r"only starts when something iterates over .* `lambda: list\(maker\(\.\.\.\)\)`$"),
        ((waiting,), r"only starts when something awaits it: give `lambda: asyncio\.run\(waiting\(\.\.\.\)\)`"),
        ((waiting_maker,), "iterates over it: give a function that does$"),
    ],
)
def test_what_cannot_be_watched_is_refused(arguments, message):
    with pytest.raises(CrashlabError, match=message):
        record(*arguments)


def test_a_coroutine_is_watched_as_its_refusal_says():
    film = record(lambda: asyncio.run(waiting(3)))
    assert film.result == 3 and [event.words for event in film.events] == ["n = 3", "total = 3"]


@pytest.mark.parametrize(
    "named, message",
    [
        ({"watch": "stepz"}, "did you mean 'steps'"),
        ({"watch": "qqqq"}, "those of steps_from are: graph, start"),
        ({"watch": 3}, "give a list of names of variables"),
        ({"watch": []}, "give a list of names of variables"),
        ({"watch": [3]}, "give a list of names of variables"),
        ({"every": ["steps"]}, "give the name of one variable"),
        ({"every": "stepz"}, "did you mean 'steps'"),
        ({"max_events": 0}, "give a whole number from 1"),
        ({"max_events": "x"}, "give a whole number from 1"),
        ({"also": 3}, "cannot be called"),
        ({"also": [len]}, "is not written in Python"),
        ({"kwargs": 3}, "give a dict of keyword arguments"),
        ({"kwargs": {3: 4}}, "give a dict of keyword arguments"),
        ({"also": "nowhere.py"}, "no file"),
    ],
)
def test_a_bad_parameter_is_refused(named, message):
    with pytest.raises(CrashlabError, match=message):
        record(steps_from, GRAPH, 1, **named)


@pytest.mark.parametrize("beat", [-1, 99, "x", None, 1.5])
def test_a_film_has_only_its_beats(beat):
    film = record(steps_from, GRAPH, 1, watch="steps")
    for ask in (film.at, film.line, film.call):
        with pytest.raises(CrashlabError, match="this film has the beats 0 to 5"):
            ask(beat)
    with pytest.raises(CrashlabError, match="its events are 0 to 4"):
        film.why(beat)
    with pytest.raises(CrashlabError, match="its calls are 0 to 0"):
        film.at(1, 3)


def test_lambdas_methods_classes_and_decorated_functions_are_recorded():
    assert record(lambda n: n + 1, 2).result == 3
    assert record(algorithms.Node, 3).events[-1].target == "self.following"
    assert record(algorithms.Heap().push, 3, watch="self").beats >= 2
    assert record(algorithms.cached_afresh, 3).result == 2
    assert record(algorithms.cached, 3).result == 2


def test_a_film_is_read():
    film = record(steps_from, GRAPH, 1, watch="steps")
    line = steps_from.__code__.co_firstlineno + 6
    assert str(film).split("\n") == [
        "steps_from: 5 changes in 5 beats",
        f"    1  line {line - 5:<4} steps = {{1: 0}} because start is 1",
        f"    2  line {line:<4} steps[2] = 1 because steps[1] is 0, since 2 not in steps",
        f"    3  line {line:<4} steps[3] = 1 because steps[1] is 0, since 3 not in steps",
        f"    4  line {line:<4} steps[4] = 2 because steps[2] is 1, since 4 not in steps",
        f"    5  line {line:<4} steps[5] = 3 because steps[4] is 2, since 5 not in steps",
        "steps_from returned {1: 0, 2: 1, 3: 1, 4: 2, 5: 3}",
    ]
    lines = str(record(algorithms.sieve, 200)).split("\n")
    assert len(lines) == 53 and lines[41].endswith("more")


def test_a_film_is_the_same_each_time():
    one, other = record(algorithms.flood, algorithms.MAZE, (0, 0)), record(algorithms.flood, algorithms.MAZE, (0, 0))
    assert str(one) == str(other) and one.counts == other.counts and one.events == other.events


@pytest.mark.parametrize("values", [{"a": 0.5, "b": 1.5}, [0.5, 1.5]], ids=["dict", "list"])
def test_an_element_that_is_another_object_of_the_same_value_is_compared_once(values):
    """Otherwise every look would read a large dict of numbers again, and a recording would take minutes."""
    shadows = Shadows(lambda kind: False, lambda: 0, lambda code, space: False)
    flat = shadows.flat(values)
    shadows.hold(flat)
    shadow = shadows.of[flat]
    values["a" if isinstance(values, dict) else 0] = float("0.5")
    assert not shadow.is_still()
    assert not list(shadows.changes(shadow))
    assert shadow.is_still()


def test_a_large_list_may_be_written_to():
    def change(n):
        row = list(range(n))
        row[0] = -1
        row.append(5)
        return len(row)

    for size in (20_000, 100_000, 300_000):  # the largest list is recorded only as text
        film = record(change, size)
        assert not film.stopped and film.result == size + 1
        assert [event.words for event in film.events[2:]] == (
            [] if size > 200_000 else ["row[0] = -1 (was 0)", f"row[{size}] = 5"]
        )


def test_the_most_that_a_printed_film_leaves_out_is_not_one_line():
    def function(n):
        for value in range(n):
            last = value
        return last

    assert "more" not in str(record(function, 51, watch="last"))


def test_elements_that_enter_or_leave_a_set_together_are_told_in_their_order():
    def change(bag):
        bag |= {10, 9, 100}
        bag -= {100, 20, 3}
        return len(bag)

    words = [event.words for event in record(change, {3, 20}).events[1:]]
    assert words == ["bag gets 9", "bag gets 10", "bag gets 100", "bag loses 3", "bag loses 20", "bag loses 100"]
