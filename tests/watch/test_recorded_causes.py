"""The reasons of events: the values that their statements read, and the tests that let them run."""

from copy import deepcopy
from itertools import pairwise

import numpy as np
import pytest
from first_course import CASES
from reason_count import space_of

from crashlab import record
from crashlab.watch.film_data import Cause
from crashlab.watch.origins import matches
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

class Dog:
    count, tricks = 0, []

    def __init__(self, trick):
        Dog.count += 1
        self.tricks.append(trick)

class Puppy(Dog):
    def __init__(self, age):
        super().__init__(age)
        self.age = age

def inner(q):
    yield q

def both(p, q):
    yield p
    yield from inner(q)
"""


def reasons(function, *args, watch=None):
    """Return the reason of the latest change of each target, as text."""
    film = record(function, *args, watch=watch)
    return {event.target: event.sentence.removeprefix(event.words).lstrip(", ") for event in film.events}


def test_each_parameter_has_its_own_argument():
    def inner(p, q, *, r):
        return q

    def outer(u, v):
        w = 3
        got = inner(u, v, r=w)
        return got

    sentences = {name: words for name, words in reasons(outer, 1, 2).items() if words}
    arguments = {"p": "because u is 1", "q": "because v is 2", "r": "because w is 3"}
    assert sentences == {**arguments, "got": "because inner(1, 2, r=3) returns 2"}


def test_each_target_has_its_own_expression():
    def function(a):
        low, high = 0, len(a)
        (x, y), z = (low, high), a[0]
        return x, y, z

    lengths = {"a": "", "low": "", "high": "because of a"}
    assert reasons(function, [5, 6]) == {
        **lengths,
        "x": "because low is 0",
        "y": "because high is 2",
        "z": "because a[0] is 5",
    }


def test_a_caught_exception_comes_from_what_the_operation_read():
    def function(n):
        try:
            if n < 0:
                raise ValueError(n)
            return 10 // n
        except (ValueError, ZeroDivisionError) as e:
            message = str(e)
            text = f"no: {e}"
        return message, text

    for number in (-1, 0):
        film = record(function, number)
        come = [event for event in film.events if event.after is not ABSENT and event.name != "n"]
        assert [event.causes[0].place for event in come] == ["n", "e", "e"]


def test_an_exception_of_another_call_is_not_explained_by_variables_of_the_same_name():
    def inverse(b):
        return 1 // b

    def function(b):
        try:
            return inverse(0)
        except ZeroDivisionError as e:
            return str(e), b

    (event,) = [event for event in record(function, 5).events if event.name == "e" and event.after is not ABSENT]
    assert not event.causes


def test_what_is_not_watched_is_named_all_the_same():
    def function(far, more):
        first = far["a"]
        new = first + more
        pair = (new, "x")
        got, word = pair
        far["b"] = got
        return word

    film = record(function, {"a": 1}, 2, watch="far")
    assert film.events[-1].causes == (Cause("got", "3", -1),)


def test_the_event_of_a_read_is_the_last_change_of_its_place():
    def function(row):
        row[0] = 1
        got = row[0]
        row[0] = got
        other = row
        row.append(2)
        size = len(other)
        return size

    film = record(function, [5, 5])
    _, first, got, other, more, size = film.events
    assert [event.words for event in film.events][3:5] == ["other = [1, 5]", "row[2] = 2"]
    assert got.causes == (Cause("row[0]", "1", first.number),)
    assert other.causes == (Cause("row", None, first.number),)
    assert size.causes == (Cause("other", None, more.number),)


@pytest.mark.parametrize(
    "text, words",
    [
        ("max(a, b)", "b is 2"),
        ("min(a, b)", "a is 1"),
        ("a if a > b else b", "b is 2"),
        ("a and b", "b is 2"),
        ("a or b", "a is 1"),
        ("max([a, b], key=lambda n: -n)", "a is 1"),
        ("max(d, key=d.get)", "d['k'] is 1"),
        ("max(row)", "row[2] is 3"),
        ("d.get('k', b)", "d['k'] is 1"),
        ("d.get('z', b)", "b is 2"),
        ("7", ""),
        ("[a, b][1]", "b is 2"),
        ("any(n > 1 for n in [a, b])", "b is 2"),
        ("sum([a, b])", "a is 1 and b is 2"),
        ("[n for n in row if n > 2][0]", "row[2] is 3, since 3 > 2"),
        ("unknown(a, b)", ""),
        ("row.pop()", "row[-1] is 3"),
        ("abs(-b)", "b is 2"),
        ("f'{b}'", "b is 2"),
        ("len(row)", "of row"),
        ("sorted([b, a])[0]", "a is 1"),
        ("[x for x, y in zip([b], [a])][0]", "b is 2"),
        ("{'k': a}['k']", "a is 1"),
        ("next(iter([a]))", "a is 1"),
        ("(a, b)[0]", "a is 1"),
        ("(c := b)", "b is 2"),
        ("[*row, b][-1]", "b is 2"),
        ("row[1:]", "of row[1:]"),
        ("[q for p, q in enumerate([a, b])][1]", "b is 2"),
        ("str(b)", "b is 2"),
        ("'x y z'.split(maxsplit=b)[1] + str(a)", "b is 2 and a is 1"),
        ("a if a | b else b", "a is 1"),
        ("b - (a > 0)", "b is 2 and a is 1"),
        ("a < b < 3", "a is 1 and b is 2"),
        ("a * a + b", "a is 1 and b is 2"),
        ("d['k'] + row[a]", "d['k'] is 1 and row[1] is 2"),
        ("b in row", "b is 2 and because of row"),
        ("[d, a]", "of d and because a is 1"),
        ("min(d.values())", "d['k'] is 1"),
        ("[n * n for n in [*row, *row]]", "row[0] is 1 and row[1] is 2 and row[2] is 3"),
        ("{'k': x for x in row}", "row[2] is 3"),
        ("{x % 2: x for x in row}", "row[2] is 3 and row[1] is 2"),
        ("{**d, 'k': b}", "b is 2"),
        ("{**d, 'z': b}", "of d and because d['k'] is 1 and b is 2"),
        ("d", "of d"),
        ("str(a) + str(b) + str(d['k']) + str(row[0]) + str(row[1])", "a is 1 and b is 2 and d['k'] is 1 and 2 more"),
    ],
)
def test_of_an_expression_the_values_that_flow_are_told(text, words):
    text = f"def f(a, b, d, row):\n    a += 0\n    value = {text}\n    return value\n"
    space = space_of(text, "<an expression>", {"__name__": "program", "unknown": vars(__import__("operator"))["add"]})
    assert reasons(space["f"], 1, 2, {"k": 1}, [1, 2, 3])["value"] == (f"because {words}" if words else "")


@pytest.mark.parametrize(
    "text, words",
    [
        ("if n < m:\n        got = 1", "since 3 < 4"),
        ("if n > m:\n        pass\n    else:\n        got = 1", "since not 3 > 4"),
        ("if n == m:\n        return 2\n    got = 1", "since 3 != 4"),
        (
            "if n > m:\n        pass\n    elif [n][0] == 3 and not m > 5:\n        got = 1",
            "since 3 == 3 and (not 4 > 5)",
        ),
        ("row = [n]\n    while row:\n        got = row.pop()", "because row[-1] is 3, since row is not empty"),
        ("assert m in [n, m], n\n    got = n", "because n is 3, since 4 in [3, 4]"),
        ("done = n > m\n    if not done:\n        got = 1", "since done is False"),
        ("if len([n]) > 0:\n        for got in range(1):\n            pass", "the next of range(0, 1), since 1 > 0"),
        ("match n:\n        case 3:\n            got = m", "because m is 4, since 3 matches 3"),
        (
            "match n:\n        case k if k == m:\n            pass\n        case k if k < m:\n            got = m",
            "because m is 4, since 3 < 4",
        ),
        ("match n, m:\n        case k, 4 if (k - 3) or m:\n            got = k", "because k is 3, since 3 - 3 or 4"),
        ("match n:\n        case 4: got = 1\n        case 3: got = m", "because m is 4, since 3 matches 3"),
        ("match n:\n        case k if k > m: got = 1\n        case k if k < m: got = 2; m = k", "since 3 < 4"),
        ("match n:\n        case got: m = got", "because n is 3"),
        ("item = Exception()\n    if item:\n        got = 1", "since item is an Exception"),
        ("if n:\n        got = stairs(0)", "because stairs(0) returns 0, since n is 3"),
        (
            "if any(any(k > x for x in [n]) for k in [m]):\n        got = 1",
            "since any(any(k > x for x in [n]) for k in [m]) is True",
        ),
        (
            "if all(n + 1000000 < k + 2000000 < 3000000 for k in [m, m, m, m, m, m, m, m, m, m, m]):\n        got = 1",
            "since all(n + 1000000 < k + 2000000 < 3000000 for k in [m, m, m, m, m, m, m, m, m, m,  ... is True",
        ),
    ],
)
def test_the_test_that_let_a_statement_run_is_told(text, words, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"{LIBRARY}\n\ndef f(n, m):\n    {text}\n    return got\n", encoding="utf-8")
    space = {"__name__": "program"}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), space)
    assert reasons(space["f"], 3, 4)["got"] == words


@pytest.mark.parametrize(
    "text, words",
    [
        ("a, got = [x for x in row if x % 2]", "row[2] is 5, since 5 % 2"),
        ("row += [x for x in row if x > 4]\n    got = row[3]", "row[3] is 5"),
        ("for got in [x for x in row if x > 4]:\n        pass", "row[2] is 5, since 5 > 4"),
        ("got = next(x for x in row if x > 4)", "row[2] is 5, since 5 > 4"),
        ("got = max(x + n for x in row if x < m)", "row[0] is 3 and n is 3, since 3 < 4"),
        ("(i, got), = [(i, x) for i, x in enumerate(row) if x > 4 if i]", "row[2] is 5, since i is 2"),
        ("a, got = [y for x in row if x > 3 for y in (x, n)][:2]", "n is 3, since 4 > 3"),
        ("if n < m:\n        got, _, _ = [x for x in row]", "row[0] is 3, since 3 < 4"),
        ("if n < m:\n        got, = [x for x in row if x > 4]", "row[2] is 5, since 5 > 4"),
        ("got = [x for x in row if x > 4]", "row[2] is 5"),
        ("got = sum(x for x in row if x > 4)", "row[2] is 5"),
        ("got, = {x: n for x in row if n < x < m + 2 and x - 4}", "row[2] is 5, since 3 < 5 < 4 + 2 and 5 - 4"),
    ],
)
def test_the_test_of_a_comprehension_that_let_an_element_through_is_told(text, words):
    space = space_of(f"def f(row, n, m):\n    {text}\n    return got\n", "<a comprehension with a test>")
    assert reasons(space["f"], [3, 4, 5], 3, 4)["got"] == f"because {words}"


def test_each_element_that_a_comprehension_adds_has_its_own_test():
    def function(row, table, odd):
        odd += [x for x in row if x % 2]
        table.update({name: x for name, x in zip("ab", row, strict=False) if x})

    sentences = [event.sentence for event in record(function, [3, 4, 5], {}, []).events if event.key is not None]
    assert sentences == [
        "odd[0] = 3 because row[0] is 3, since 3 % 2",
        "odd[1] = 5 because row[2] is 5, since 5 % 2",
        "table['a'] = 3 because row[0] is 3, since row[0] is 3",
        "table['b'] = 4 because row[1] is 4, since row[1] is 4",
    ]


@pytest.mark.parametrize(
    "text, words",
    [
        ("fs = [lambda: i for i in range(n)]\n    got = fs[0]()", "because i is 2"),
        ("fs = []\n    for i in range(n):\n        fs.append(lambda: i)\n    got = fs[0]()", "because i is 2"),
        (
            "fs = [lambda x: x * i + k for i, k in [(n, 0), (m, 1)]]\n    _, got = [f(n) for f in fs]",
            "n is 3 and i is 4 and k is 1",
        ),
        ("add = lambda x: x + k\n    k = m\n    got = add(n)", "because n is 3 and k is 4"),
        ("make = lambda i: lambda: i\n    one = make(n)\n    got = one()", ""),
        ("one, two = make(n), make(n)\n    got = one()", ""),
    ],
)
def test_a_closure_names_its_variables_with_their_values_at_the_call(text, words):
    head = "def make(k):\n    return lambda: k\n\ndef f(n, m):\n"
    space = space_of(f"{head}    {text}\n    return got\n", "<a closure>")
    film = record(space["f"], 3, 4)
    (event,) = [event for event in film.events if event.name == "got"]
    assert event.sentence.removeprefix(event.words).strip().removeprefix("because ") == words.removeprefix("because ")
    names = [film.events[cause.event].target for cause in event.causes if cause.event >= 0]
    assert set(names) <= {"i", "k", "n", "x"} and ("i" in names) is ("for i in range(n):" in text)


GENERATORS = """
def totals(p):
    s = p
    while s < 99:
        q = yield s
        s = s + q
    return s

def through(p):
    r = yield from totals(p)
    yield r + 1

def twice(p):
    yield from (p, p)
    yield from pair(p)

def pair(p):
    yield p
    yield p + 1
"""


@pytest.mark.parametrize(
    "text, words",
    [
        ("got = gen.send(m)", "got = 7 because gen.send(4) returns 7"),
        ("gen.send(m)", "q = 4 because m is 4, since 3 < 99"),
        ("gen.send(m)", "s = 7 (was 3), because s is 3 and q is 4, since 3 < 99"),
        ("next(gen, None) if n > m else gen.send(m + n)", "q = 7 because m is 4 and n is 3, since 3 < 99"),
        ("gen = through(n)\n    next(gen)\n    got = gen.send(m)", "got = 7 because gen.send(4) returns 7"),
        ("gen = through(n)\n    next(gen)\n    gen.send(m)", "q = 4 because m is 4, since 3 < 99"),
        ("gen = through(n)\n    next(gen)\n    gen.send(100)", "r = 103 because totals(3) returns 103"),
        ("for got in twice(n):\n        pass", "got = 4 (was 3), because next(twice(n)) returns 4"),
    ],
)
def test_what_is_sent_to_a_generator_and_what_it_yields_have_reasons(text, words):
    head = f"{GENERATORS}\n\ndef f(n, m):\n    gen = totals(n)\n    next(gen)\n"
    space = space_of(f"{head}    {text}\n", "<a generator>")
    film = record(space["f"], 3, 4)
    assert words in [event.sentence for event in film.events], str(film)
    received = next(event for event in film.events if event.name == "got") if text.startswith("got") else None
    assert received is None or film.events[received.causes[0].event].name == "s"


def test_a_list_is_not_empty_while_it_is_sorted_by_a_function_of_the_program():
    class Card:
        def __init__(self, n):
            self.n = n

        def __lt__(self, other):
            return self.n < other.n

    def length(word):
        return len(word)

    def sort(words, cards):
        words.sort(key=length)
        cards.sort()

    film = record(sort, ["ccc", "a"], [Card(3), Card(1)], also=(length, Card))
    assert [event.sentence for event in film.events if event.key is not None] == [
        "words[0] = 'a' (was 'ccc'), because words[1] is 'a'",
        "words[1] = 'ccc' (was 'a'), because words[0] is 'ccc'",
        "cards[0] = Card(n=1) (was Card(n=3)), because of cards[1]",
        "cards[1] = Card(n=3) (was Card(n=1)), because of cards[0]",
    ]


@pytest.mark.parametrize(
    "text, words",
    [
        ("got = (n * k for k in range(2))", ""),
        ("got = copy.deepcopy([n])", "because n is 3"),
        ("got = functools.reduce(max, [n, m])", "because n is 3 and m is 4"),
        ("it = iter([n])\n    got = next(it)", "because of it"),
        ("got = list(filter(None, [n, m]))", "because n is 3 and m is 4"),
        ("got = frozenset([n])", "because n is 3"),
        ("got = list(itertools.accumulate([n, m]))", "because n is 3 and m is 4"),
        ("got = heapq.nsmallest(1, [n])", "because n is 3"),
        ("a = 'x=y'\n    got, _, _ = a.partition('=')", "because a is 'x=y'"),
        ("p, q = [n], {'k': m}\n    got = both(*p, **q)", "because both(3, k=4) returns 7"),
        ("match (n, m):\n        case (_, *got):\n            pass", "because m is 4"),
        ("add = Adder()\n    got = add(n)", "because add(3) returns 4"),
    ],
)
def test_what_else_a_course_calls_has_its_reason(text, words, tmp_path):
    path = tmp_path / "program.py"
    head = "import copy, functools, heapq, itertools\ndef both(n, k):\n    return n + k\n"
    head += "class Adder:\n    def __call__(self, n):\n        return n + 1\n"
    path.write_text(f"{head}def f(n, m):\n    {text}\n    return got\n", encoding="utf-8")
    space = {"__name__": "program"}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), space)
    assert reasons(space["f"], 3, 4)["got"] == words


@pytest.mark.parametrize(
    "text, words",
    [
        ("got = (n + m) / (m - 4)", "because m is 4"),
        ("got = divmod(n, m - 4)", "because m is 4"),
        ("none = None\n    got = n + none", "because none is None"),
        ("got = n + 'a' * m", "because n is 3 and m is 4"),
        ("a = [n, m]\n    got = a[n]", "because n is 3 and a has 2 elements"),
        ("a = []\n    got = a.pop()", "because of a"),
        ("a = 'xy'\n    got = a[n]", "because n is 3 and a has 2 elements"),
        ("a = n, m\n    got = a[n]", "because n is 3 and a has 2 elements"),
        ("a = 'x y'\n    got = a.split()[n]", "because n is 3 and a.split() has 2 elements"),
        ("got = max([n][1:])", "because n is 3"),
        ("d = {n: m}\n    got = d[m]", "because m is 4 and because of d"),
        ("d = {n: m}\n    got = d.pop(m)", "because m is 4 and because of d"),
        ("none = None\n    got = none.size", "because none is None"),
        ("got = [None][0].size()", ""),
        ("none = {}.get(n)\n    got = none[n]", "because none is None"),
        ("got = later + n\n    later = 1", ""),
        ("word = 'x'\n    got = int(word)", "because word is 'x'"),
        ("got = [n, [m // (k - n) for k in [m, n]]]", "because n is 3"),
        ("got = sorted([m, n], key=lambda k: m // (k - n))", "because n is 3"),
        ("none = None\n    n -= none", "because none is None"),
        ("none = None\n    got = none.upper()", "because none is None"),
        ("none = None\n    none.size += n", "because none is None"),
        ("got = later + [n][m]\n    later = 1", ""),
        ("none, point = None, type('Point', (), {})()\n    got = point.x + none.x", ""),
        ("a, node = [n], type('Node', (), {'next': None})()\n    got = a[0][0] + node.next.size", ""),
        ("assert n > m, n // 0", ""),
        ("raise ValueError(n, later)\n    later = 1", ""),
        ("assert n > m", "because n is 3 and m is 4"),
        ("a = [m, n]\n    assert a[n - 2] > m", "because a[1] is 3 and m is 4"),
        ("if n < m:\n        raise ValueError(n)", "because n is 3, since 3 < 4"),
        ("a = [n]\n    a[n] = m", "because n is 3 and a has 1 element"),
        ("a = [n]\n    a[n] += m", "because n is 3 and a has 1 element"),
        ("a = [n]\n    m, a[m] = n, 0", "because n is 3 and a has 1 element"),
        ("a = [n]\n    del a[n]", "because n is 3 and a has 1 element"),
        ("a = [[n]]\n    a[0][n] += 1", "because n is 3 and a[0] has 1 element"),
        ("a = [[n]]\n    a[n][0] += 1", "because n is 3 and a has 1 element"),
        ("d = {n: m}\n    d[m] += 1", "because m is 4 and because of d"),
        ("d = {n: m}\n    d[m][n] = 1", "because m is 4 and because of d"),
        ("d = {n: m}\n    del d[m]", "because m is 4 and because of d"),
        ("none = [None]\n    none[0].size = n", "because none[0] is None"),
        ("none = [None]\n    none[0].size += n", "because none[0] is None"),
        ("none = [None]\n    del none[0].size", "because none[0] is None"),
        ("none = None\n    none[n] = m", "because none is None"),
        ("none = None\n    none[n] += m", "because none is None"),
        ("none = None\n    del none[n]", "because none is None"),
        ("none = None\n    for got in none:\n        pass", "because none is None"),
        ("none = [None]\n    got = [x for x in none[0]]", "because none[0] is None"),
        ("none = [None]\n    for x in none:\n        for got in x:\n            pass", "because x is None"),
        ("none = None\n    for i, got in enumerate(none):\n        pass", "because none is None"),
        ("none = None\n    got = none(n)", "because none is None"),
        ("def none(n):\n        pass\n    got = none(n)(m)", ""),
        ("class Box:\n        none = None\n    box = Box()\n    got = box.none(n)", "because box.none is None"),
        ("none = [None]\n    n, m = none[0]", "because none[0] is None"),
        ("none = None\n    got = len(none) + n", "because none is None"),
        ("none = None\n    got = max(none)", "because none is None"),
        ("none = None\n    if n in none:\n        got = 1", "because none is None"),
    ],
)
def test_an_exception_names_the_operands_to_blame(text, words, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"def f(n, m):\n    {text}\n    return got\n", encoding="utf-8")
    space = {"__name__": "program"}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), space)
    last = record(space["f"], 3, 4).events[-1]
    assert last.kind == "error" and last.sentence.removeprefix(last.words).lstrip(", ") == words


def test_nothing_of_the_program_is_changed_by_looking():
    from collections import defaultdict

    def function(table):
        first = table["x"] if "x" in table else 0
        seen = max((table[key] for key in ("y", "z") if key in table), default=first)
        return seen

    table = defaultdict(list)
    record(function, table)
    assert not table


def test_the_way_behind_a_distance_is_a_way():
    for name in ("dijkstra_lesson", "dijkstra_scan", "bfs"):
        function, arguments = next((case, arguments) for case, arguments in CASES if case.__name__ == name)
        film = record(function, *deepcopy(arguments))
        graph = arguments[0]
        far = "level" if name == "bfs" else "far" if name == "dijkstra_lesson" else "dist"
        for event in film.events:
            if event.name == far and event.key is not None:
                way = [one.key for one in film.way(event) if one.key is not None][::-1]
                way = way if way[0] == arguments[1] else [arguments[1], *way]
                assert all(there in graph[here] for here, there in pairwise(way)), (name, way)


def test_a_loop_does_not_look_at_all_that_it_goes_through_in_every_round(monkeypatch):
    def looked_at(numbers):
        calls = []
        monkeypatch.setattr(
            "crashlab.watch.evaluation.matches", lambda one, other: calls.append(1) or matches(one, other)
        )
        assert record(walk, numbers).result == numbers[-1]
        return len(calls)

    def walk(numbers):
        last = 0
        for number in numbers:
            last = number
        return last

    for make in (range, lambda n: list(range(n))):
        assert looked_at(make(300)) < 4 * looked_at(make(100))


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
    causes = {event.target: " ".join(map(str, event.causes)) for event in film.events if event.causes}
    assert causes == {
        "a[1, 0]": "a[0, 0] is 0 b[0] is 5",
        "a[1, 2]": "n is 3",
        "row": "a[1]",
        "a[2, 0]": "row[0] is 5",
        "a[2, 1]": "row[1] is 4",
        "a[2, 2]": "row[2] is 3",
        "a[0, 0]": "b[1] is 7",
        "a[0, 1]": "b[2] is 4",
        "least": "a[2, 1] is 4",
        "b[0]": "b[0] is 3",
        "b[1]": "b[1] is 3",
        "b[2]": "b[2] is 4",
        "total": "a",
    }


def test_a_key_that_the_statement_has_just_stored_gives_no_reason_to_another_element():
    def function(x, y):
        a, i = [0, 0, 0], 0
        a[i], a[a[i]] = x, y
        return a

    sentences = [event.sentence for event in record(function, 2, 7).events[-2:]]
    assert sentences == ["a[0] = 2 (was 0), because x is 2", "a[2] = 7 (was 0)"]


@pytest.mark.parametrize(
    "text, words",
    [
        ("got = f'{step()} {n}'", "because step() returns 1 and n is 1"),
        ("got = [step(), n]", "because step() returns 1 and n is 1"),
        ("got = {step(): n}", "because step() returns 1 and n is 1"),
        ("got = step() + (n if n else 5)", "because step() returns 1 and n is 1"),
        ("if step() > 0 and n == 1:\n        got = 1", "since 1 > 0 and 1 == 1"),
        ("got = [*map(step_by, [2]), n]", ""),
        ("got = (rows, replace(), rows[0])[2]", "because rows[0] is 5"),
        ("got = step() + len(rows)", "because step() returns 1 and because of rows"),
    ],
)
def test_a_global_variable_that_a_call_changes_is_told_as_it_is_then(text, words):
    head = "n, rows = 0, [4]\ndef step():\n    return step_by(1)\n\ndef step_by(m):\n    global n\n    n += m\n"
    head += "    return n\n\ndef replace():\n    global rows\n    rows = [5]\n\n"
    space = space_of(f"{head}def f():\n    {text}\n    return got\n", "<a global variable>")
    assert reasons(space["f"])["got"] == words


def test_a_variable_of_an_outer_function_that_a_call_changes_is_told_as_it_is_then():
    def function():
        n, k = 0, 7

        def step():
            nonlocal n
            n += 1
            return n

        def inner():
            got = step() + k
            bad = step() + n
            return got, bad

        return inner()

    for watch in (["got", "bad"], ["got", "bad", "n", "k"]):
        sentences = reasons(function, watch=watch)
        assert sentences["got"] == "because step() returns 1 and k is 7"
        assert "n is" not in sentences["bad"]


def test_what_changed_is_told_as_it_is_written():
    def inner():
        return 1

    def function():
        seen, table, far = {"a"}, {}, {"b": set()}
        seen.add("c")
        seen.remove("a")
        far["b"].add(1)
        table[0, 1] = np.float64(2.5)
        table["k",] = [np.int64(4)]
        here = Place()
        table[here], far[here, 1], far["c"] = 5, 6, {}
        far["c"][here] = 7
        does = {"+": max, "-": inner, "*": lambda x: x, "/": int}
        return table, does

    class Place:
        pass

    words = [event.words for event in record(function).events[3:]]
    does = "does = {'+': max, '-': inner, '*': lambda, '/': int}"
    changes = ["seen gets 'c'", "seen loses 'a'", "far['b'] gets 1", "table[0, 1] = 2.5", "table[('k',)] = [4]"]
    keys = ["table[<Place>] = 5", "far[<Place>, 1] = 6", "far['c'] = {}", "far['c'][<Place>] = 7"]
    assert words == [*changes, "here = Place()", *keys, does]


@pytest.mark.parametrize(
    "text, words",
    [
        ("got = stairs(n)", "stairs(3) returns 6"),
        ("first = stairs(n)\n    got = stairs(n)", "stairs(3) returns 6"),
        ("match (n, m):\n        case (one, 4):\n            got = one", "one is 3, since (n, m) matches [one, 4]"),
        ("here = Place(n)\n    got = here.twice", "here.twice is 6"),
        ("got = list(both(n, m))[1]", "of both(3, 4)"),
        ("got = Counter([n, m, m]).most_common()[0][0]", "m is 4"),
        ("heap = [m]\n    heappush(heap, n)\n    got = heappop(heap)", "heap[0] is 3"),
        ("got = next(x for x in (n, m) if x > 3)", "m is 4, since 4 > 3"),
        ("seen = {m}\n    seen |= {n}\n    got = min(seen)", "of seen"),
        ("first = Dog(n)\n    got = Dog.count", "Dog.count is 1"),
        ("first = Dog(n)\n    Dog(m)\n    got = first.tricks[-1]", "first.tricks[-1] is 4"),
        ("here = Puppy(n)\n    got = here.age", "here.age is 3"),
        ("for got, letter in enumerate('ab'):\n        pass", "the next of enumerate('ab')"),
    ],
)
def test_what_a_first_course_calls_has_its_reason(text, words):
    space = space_of(f"{LIBRARY}\n\ndef f(n, m):\n    {text}\n    return got\n", "<a first course>")
    sentence = reasons(space["f"], 3, 4)["got"]
    assert sentence.removeprefix("because ") == words


UNKNOWN = """
import collections, random

class Sized:
    def __len__(self):
        return 2

class Point:
    def __getattr__(self, name):
        return 1

def f(row, d):
    n, queue, point, sized = 1, collections.deque(row), Point(), Sized()

    def change():
        nonlocal n
        n += 1
        return n

    got = {}
"""


@pytest.mark.parametrize(
    "text",
    [
        "row.pop() + row.pop()",
        "row.pop(0) + row[0]",
        "[row.pop(), row[0]]",
        "[row.pop() for _ in range(2)]",
        "queue.popleft() - queue[0]",
        "d.pop('a') + d.pop('b')",
        "len(sized) + row[0]",
        "[change(), n]",
        "change() - n",
        "hash(unknown()) + row[0]",
        "[*{row[0]}, {row[1]}.pop()]",
        "point.missing + row[0]",
        "random.choice(row) + row[0]",
    ],
)
def test_no_value_is_told_if_another_one_that_flows_is_unknown(text):
    space = {"unknown": vars(__import__("time"))["time"], "__name__": "program"}
    function = space_of(UNKNOWN.format(text), "<unknown values>", space)["f"]
    film = record(function, [1, 2, 3], {"a": 1, "b": 2})
    assert film.events[-1].name == "got" and not film.events[-1].causes


def test_keywords_of_a_format_are_told():
    def function(row):
        template = "{name}-{0}"
        return template.format(row[0], name=row[1])

    (event,) = [event for event in record(function, [1, 2], returns=True).events if event.kind == "return"]
    assert [cause.place for cause in event.causes] == ["template", "row[0]", "row[1]"]


@pytest.mark.parametrize(
    "text, words",
    [
        ("for got in range(n):\n        pass", "the next of range(0, 3)"),
        ("for got, x in zip(range(n), 'abc'):\n        pass", "the next of range(0, 3)"),
        ("for got, x in enumerate('ab', n):\n        pass", "n is 3, the next of enumerate('ab', 3)"),
        ("for got, x in enumerate('ab', start=n):\n        pass", "n is 3, the next of enumerate('ab', 3)"),
        ("got = max(range(n))", ""),
        ("got = list(range(n))[2]", ""),
        ("got = next(iter(range(n)))", ""),
        ("x, got = range(2)", ""),
        ("got = max(enumerate('ab'))[0]", ""),
        ("got = [x for x in range(n)][1]", ""),
        ("for got in reversed(range(n)):\n        pass", ""),
        ("for got in sorted(range(n), reverse=True):\n        pass", ""),
        ("for got in range(n)[::-1]:\n        pass", ""),
        ("for got, x in reversed(list(enumerate('ab'))):\n        pass", ""),
        ("got = stairs(min(range(2)))", "stairs(0) returns 0"),
    ],
)
def test_only_a_loop_over_a_range_or_an_enumeration_takes_the_next_of_it(text, words):
    space = space_of(f"{LIBRARY}\n\ndef f(n):\n    {text}\n    return got\n", "<a range>")
    sentences = reasons(space["f"], 3)
    assert sentences["got"].removeprefix("because ") == words and not sentences.get("k")


def test_a_default_that_calls_share_says_so():
    def add(x, items=[]):  # noqa: B006
        items.append(x)
        return items

    def twice():
        add(1)
        return add(2)

    sentences = [event.sentence for event in record(twice).events if event.name == "items" and event.key is None]
    assert sentences == [f"items = {items}, the default list, shared between calls" for items in ("[]", "[1]")]
