"""What is told of an event: which reason, of several that are true."""

from copy import deepcopy
from itertools import pairwise

import numpy as np
import pytest
from first_course import CASES

from crashlab import record
from crashlab.watch.origins import fits
from crashlab.watch.things import ABSENT

LIBRARY = """
from collections import Counter
from functools import cache
from heapq import heappop, heappush

@cache
def stairs(k):
    return k if k < 2 else stairs(k - 1) + k

class Place:
    def __init__(self, x):
        self.x = x

    @property
    def twice(self):
        return 2 * self.x

def inner(q):
    yield q

def both(p, q):
    yield p
    yield from inner(q)
"""


def causes(function, *given, watch=None):
    """What each change is told to come from, by what changed."""
    film = record(function, *given, watch=watch)
    return {event.target: film.events[event.cause].target if event.cause >= 0 else "" for event in film.events}


def test_each_parameter_has_its_own_argument():
    def inner(p, q, *, r):
        return q

    def outer(u, v):
        w = 3
        got = inner(u, v, r=w)
        return got

    film = record(outer, 1, 2)
    told = {event.name: film.events[event.cause].target for event in film.events if event.cause >= 0}
    assert told == {"p": "u", "q": "v", "r": "w", "got": "q"}


def test_each_target_has_its_own_expression():
    def function(a):
        low, high = 0, len(a)
        (x, y), z = (low, high), a[0]
        return x, y, z

    told = causes(function, [5, 6])
    assert told == {"a": "", "low": "", "high": "a", "x": "low", "y": "high", "z": "a"}


def test_what_would_be_the_same_for_any_value_has_no_reason():
    def function(a, b):
        none = (a - a) % 20
        one = a // a
        some = a - b
        zero = 9
        zero = b - min(b, b)
        left = b
        left -= left
        return none, one, some, zero, left

    told = causes(function, 7, 7)
    assert [told[name] for name in ("none", "one", "some", "zero", "left")] == ["", "", "b", "", ""]


def test_what_a_caught_exception_says_comes_from_it_as_long_as_it_says_that():
    def function(n):
        try:
            if n < 0:
                raise ValueError(n)
            return 10 // n
        except (ValueError, ZeroDivisionError) as e:
            said = str(e)
            told = f"no: {e}"
            e.args = ("another",)
            other = str(e)
        return said, told, other

    for given in (-1, 0):
        film = record(function, given)
        come = [event for event in film.events if event.after is not ABSENT]
        found = {event.name: film.events[event.cause].name if event.cause >= 0 else "" for event in come}
        assert found == {"n": "", "e": "n", "said": "e", "told": "e", "other": ""}


def test_what_is_not_watched_hands_its_reasons_on():
    def function(far, more):
        first = far["a"]
        new = first + more
        pair = (new, "x")
        got, word = pair
        far["b"] = got
        return word

    film = record(function, {"a": 1}, 2, watch="far")
    last = film.events[-1]
    assert last.target == "far['b']" and film.events[last.cause].target == "far"


def test_an_equal_value_renews_its_reasons():
    def function(row):
        row[0] = 1
        got = row[0]
        row[1] = 1
        got = row[1]
        made = got * 2
        return made

    film = record(function, [5, 5], watch=["row", "made"])
    made = next(event for event in film.events if event.name == "made")
    assert film.events[made.cause].target == "row[1]"


@pytest.mark.parametrize(
    "text, cause",
    [
        ("max(a, b)", "b"), ("min(a, b)", "a"), ("a if a > b else b", "b"), ("a and b", "b"), ("a or b", "a"),
        ("max([a, b], key=lambda n: -n)", "a"), ("d.get('k', b)", "d"), ("d.get('z', b)", "b"), ("[a, b][1]", "b"),
        ("any(n > 1 for n in [a, b])", "b"), ("sum([a, b])", "b"), ("[n for n in row if n > 2][0]", "row"),
        ("(lambda: b)()", ""), ("unknown(a, b)", ""), ("7", ""), ("row.pop()", "row"), ("abs(-b)", "b"), ("-a", "a"),
        ("f'{b}'", "b"), ("len(row)", "row"), ("sorted([b, a])[0]", "a"), ("[x for x, y in zip([b], [a])][0]", "b"),
        ("{'k': a}['k']", "a"), ("next(iter([a]))", "a"), ("(a, b)[0]", "a"), ("(c := b)", "b"), ("[*row, b][-1]", "b"),
        ("[q for p, q in enumerate([a, b])][1]", "b"), ("str(b)", "b"), ("b - (a > 0)", "b"),
        ("a if a & b else b", "b"), ("a if a | b else b", "a"),
    ],
)  # fmt: skip
def test_of_an_expression_what_counts_is_told(text, cause, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"def f(a, b, d, row):\n    a += 0\n    found = {text}\n    return found\n", encoding="utf-8")
    space = {"__name__": "program", "unknown": vars(__import__("operator"))["add"]}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), space)
    film = record(space["f"], 1, 2, {"k": 1}, [1, 2, 3])
    last = next(event for event in film.events if event.name == "found")
    assert (film.events[last.cause].name if last.cause >= 0 else "") == cause


def test_nothing_of_the_program_is_changed_by_looking():
    from collections import defaultdict

    def function(table):
        found = table["x"] if "x" in table else 0
        seen = max((table[key] for key in ("y", "z") if key in table), default=found)
        return seen

    table = defaultdict(list)
    record(function, table)
    assert not table


def test_the_way_behind_a_distance_is_a_way():
    for name in ("dijkstra_lesson", "dijkstra_scan", "bfs"):
        function, given = next((each, given) for each, given in CASES if each.__name__ == name)
        film = record(function, *deepcopy(given))
        graph = given[0]
        far = "level" if name == "bfs" else "far" if name == "dijkstra_lesson" else "dist"
        for event in film.events:
            if event.name == far and event.key is not None:
                way = [one.key for one in film.why(event).events if one.name == far and one.key is not None][::-1]
                way = way if way[0] == given[1] else [given[1], *way]
                assert all(there in graph[here] for here, there in pairwise(way)), (name, way)


def test_a_loop_does_not_look_at_all_that_it_goes_through_in_every_round(monkeypatch):
    def looked_at(given):
        calls = []
        monkeypatch.setattr("crashlab.watch.evaluation.fits", lambda one, other: calls.append(1) or fits(one, other))
        assert record(walk, given).result == given[-1]
        return len(calls)

    def walk(given):
        last = 0
        for each in given:
            last = each
        return last

    for made in (range, lambda n: list(range(n))):
        assert looked_at(made(300)) < 4 * looked_at(made(100))


def told_of(film):
    """The reason of each change that has one, by what changed last: both as they are written."""
    return {event.target: film.events[event.cause].target for event in film.events if event.cause >= 0}


def test_cells_of_arrays_have_reasons():
    def function(a, b, n):
        a[1, 0] = a[0, 0] + b[0]
        a[1, -1] = n
        row = a[1]
        a[2] = row
        a[0, :2] = b[1:]
        least = a[2, 1]
        b[b > 4] = n
        b += 1
        total = a.sum()
        return row, least, total

    film = record(function, np.arange(9).reshape(3, 3), np.array([5, 7, 4]), 3)
    assert film.stopped == "" and film.result[1] == 4
    told = told_of(film)
    assert told.pop("row") in ("a[1, 0]", "a[1, 2]") and told.pop("total").startswith("a[")
    assert told == {  # whether b[2] was put there again is not known
        "a[1, 0]": "b", "a[1, 2]": "n", "a[2, 0]": "row", "a[2, 1]": "row", "a[2, 2]": "row", "a[0, 0]": "b",
        "a[0, 1]": "b", "least": "a[2, 1]", "b[0]": "b[0]", "b[1]": "b[1]",
    }  # fmt: skip


def test_an_equal_number_in_an_array_renews_its_reason():
    def function(a, x, y):
        a[0] = x
        a[0] = y
        one = a[0]
        a[1:] = y
        other = a[1]
        return one, other

    film = record(function, np.array([1, 3]), 3, 3)
    told = told_of(film)
    assert told == {"a[0]": "x", "one": "y"}, "what has come with a slice to where it was is not known"


def test_what_changed_is_told_as_it_is_written():
    def inner():
        return 1

    def function():
        seen, known, far = {"a"}, {}, {"b": set()}
        seen.add("c")
        seen.remove("a")
        far["b"].add(1)
        known[0, 1] = np.float64(2.5)
        known["k",] = [np.int64(4)]
        does = {"+": max, "-": inner, "*": lambda x: x, "/": int}
        return known, does

    words = [event.words for event in record(function).events[3:]]
    does = "does = {'+': max, '-': inner, '*': lambda, '/': int}"
    changes = ["seen gets 'c'", "seen loses 'a'", "far['b'] gets 1", "known[0, 1] = 2.5", "known[('k',)] = [4]"]
    assert words == [*changes, does]


@pytest.mark.parametrize("text, causes", [
    ("got = stairs(n)", {"got": "k"}),
    ("first = stairs(n)\n    got = stairs(n)", {"first": "k", "got": "k"}),
    ("match (n, m):\n        case (one, 4):\n            got = one", {"one": "n", "got": "one"}),
    ("here = Place(n)\n    got = here.twice", {"got": "self.x"}),
    ("got = list(both(n, m))[1]", {"got": "q"}),
    ("got = Counter([n, m, m]).most_common()[0][0]", {"got": "m"}),
    ("heap = [m]\n    heappush(heap, n)\n    got = heappop(heap)", {"got": "heap[0]"}),
    ("got = next(each for each in (n, m) if each > 3)", {"got": "m"}),
    ("seen = {m}\n    seen |= {n}\n    got = min(seen)", {"got": "seen"}),
])  # fmt: skip
def test_what_a_first_course_calls_has_its_reason(text, causes, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"{LIBRARY}\n\ndef f(n, m):\n    {text}\n    return got\n", encoding="utf-8")
    space = {"__name__": "program"}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), space)
    film = record(space["f"], 3, 4)
    told = {}
    for event in film.events:
        cause = film.events[event.cause] if event.cause >= 0 else None
        while cause is not None and cause.kind == "return":
            cause = film.events[cause.cause] if cause.cause >= 0 else None
        told[event.name] = cause.target if cause is not None else ""
    assert {name: told[name] for name in causes} == causes
