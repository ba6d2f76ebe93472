"""Programs that would make a recorder hang, change what they do, or lose their results."""

import enum
import itertools
import sys
import threading
from bisect import insort
from collections import OrderedDict, defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass

import pytest
from watched_functions import nothing

from crashlab import record

# Recording ends


def endless_list(n):
    return [x + n for x in itertools.count()]


def endless_dict(n):
    return {x: x for x in itertools.count()}


def endless_sum(n):
    return sum(1 for x in itertools.count(n))


def endless_lambda(n):
    return max(iter(lambda: n, None))


def on_one_line(n):
    while True: pass  # fmt: skip  # noqa: E701


def swallowed_by_finally(n):
    while True:
        try: n += 1  # fmt: skip  # noqa: E701
        finally: continue  # fmt: skip  # noqa: B012, E701


def swallowed_by_with(n):
    while True:
        with suppress(BaseException):
            n += 1


def going_round():
    while True:
        len([])


def swallowed_by_the_caller(n):
    while True:
        try:
            going_round()
        except BaseException:
            pass


def kept_by_the_program(n):
    kept = []
    while True:
        try:
            n += 1
        except BaseException as error:
            kept.append(error)


def raised_as_another(n):
    try:
        while True:
            n += 1
    finally:
        raise ValueError(n)


ENDLESS = [
    *(endless_list, endless_dict, endless_sum, endless_lambda, on_one_line, swallowed_by_finally, swallowed_by_with),
    *(swallowed_by_the_caller, kept_by_the_program, raised_as_another),
]


@pytest.mark.parametrize("function", ENDLESS)
def test_what_never_ends_is_stopped(function):
    film = record(function, 1, max_events=100)
    assert "recording stopped after" in film.stopped and film.result is film.error is None
    assert sys.gettrace() is threading.gettrace()


def test_as_many_lines_run_as_are_promised():
    film = record(on_one_line, 1, max_events=7)
    assert film.stopped.startswith(f"recording stopped after {7 * 10} lines")

    def idle():
        while True:
            pass

    film = record(idle, max_events=7)
    assert film.stopped.startswith(f"recording stopped after {7 * 10} lines")
    assert sum(film.counts.lines.values()) == 7 * 10


# Linear effort


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


class Slots:
    __slots__ = ("following", "value")

    def __init__(self, value, following=None):
        self.value, self.following = value, following


@dataclass
class Data:
    value: int
    following: object = None


def reversed_list(n, make):
    head = None
    for value in range(n):
        head = make(value, head)
    before = None
    while head:
        head.following, before, head = before, head, head.following
    return before.value


class Branch:
    def __init__(self, key):
        self.key = key
        self.left = self.right = None


def grown(tree, key):
    if tree is None:
        return Branch(key)
    if key < tree.key:
        tree.left = grown(tree.left, key)
    else:
        tree.right = grown(tree.right, key)
    return tree


def search_tree(n, make):
    root, key = None, 7
    for _ in range(n):
        key = (key * 1103515245 + 12345) % 2**31
        root = grown(root, key)
    return root.key


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "function, make", [(reversed_list, Node), (reversed_list, Slots), (reversed_list, Data), (search_tree, None)]
)
def test_what_is_looked_at_is_in_proportion_to_what_happens(function, make, monkeypatch):
    """Count, instead of timing, the objects that are examined for each event."""
    from crashlab.watch.snapshots import Shadow, Shadows

    looks = 0
    for owner, name in ((Shadow, "is_still"), (Shadow, "is_still_at"), (Shadows, "_read")):
        was = getattr(owner, name)

        def counted(*args, was=was):
            nonlocal looks
            looks += 1
            return was(*args)

        monkeypatch.setattr(owner, name, counted)
    ratios = []
    for n in (20, 160):
        looks = 0
        film = record(function, n, make, watch=["head", "before", "root", "tree"])
        ratios.append(looks / len(film._entries))
    assert ratios[1] < 2 * ratios[0]


# The order of dicts


class Cache:
    def __init__(self, room):
        self.room, self.entries = room, OrderedDict()

    def get(self, key):
        if key not in self.entries:
            return None
        self.entries.move_to_end(key)
        return self.entries[key]

    def put(self, key, value):
        self.entries[key] = value
        self.entries.move_to_end(key)
        if len(self.entries) > self.room:
            self.entries.popitem(last=False)


def cached():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    return list(cache.entries)


def moved(kind):
    table = kind(a=1, b=2, c=3, d=4)
    table["a"] = table.pop("a")
    yield list(table)
    table["b"], table["a"] = table.pop("b"), table.pop("a")
    yield list(table)
    if kind is OrderedDict:
        table.move_to_end("d", last=False)
        yield list(table)
    del table["c"]
    table["c"] = 5
    yield list(table)


def all_moved(kind):
    orders = []
    for order in moved(kind):
        orders.append(order)
    return orders


def test_the_order_of_a_cache_is_told():
    film = record(cached)
    assert film.result == ["a", "c"]
    orders = [film.at(beat)["cache"].attributes["entries"] for beat in range(film.beats) if "cache" in film.at(beat)]
    assert {tuple(order) for order in orders} >= {("a",), ("a", "b"), ("b", "a")}
    assert list(film.at(film.beats)["cache"].attributes["entries"]) == ["a", "c"]
    words = [event.words for event in film.events if event.source == "self.entries.move_to_end(key)"]
    assert words == ["self.entries['a'] goes (was 1)", "self.entries['a'] = 1"]


@pytest.mark.parametrize("kind", [dict, OrderedDict])
def test_the_order_of_a_dict_is_the_order_it_has(kind):
    film = record(all_moved, kind, watch="table")
    orders = [list(film.at(beat, 1)["table"]) for beat in range(1, film.beats + 1)]
    for order in film.result:
        assert order in orders
    assert orders[-1] == film.result[-1]


# Only methods that the program calls itself are run


def counting(*names):
    """Return a log, and methods that write their names into it when they run."""
    ran = []

    def method(name):
        def run(self, *others):
            ran.append(name)
            return {"__hash__": lambda: 7, "__eq__": lambda: self is others[0]}.get(name, lambda: "said")()

        return run

    return ran, {name: method(name) for name in names}


SEEN, METHODS = counting("__eq__", "__hash__", "__repr__", "__str__", "__len__", "__bool__", "__getattr__", "__iter__")
Key = type("Key", (), {**METHODS, "__init__": lambda self, n: None})
Word = type("Word", (str,), {name: METHODS[name] for name in ("__eq__", "__hash__", "__repr__")})
Pair = type("Pair", (tuple,), {name: METHODS[name] for name in ("__eq__", "__hash__", "__repr__")})
Number = type("Number", (int,), {name: METHODS[name] for name in ("__eq__", "__hash__", "__repr__")})
Failure = type("Failure", (Exception,), {name: METHODS[name] for name in ("__str__", "__repr__")})
Frozen = dataclass(frozen=True)(type("Frozen", (), {"__annotations__": {"n": int}, "n": 1, **METHODS}))
Colour = enum.Enum("Colour", "RED GREEN")
Colour.__hash__ = METHODS["__hash__"]
Colour.__repr__ = METHODS["__repr__"]


def keyed(make):
    one, other = make(1), make(2)
    numbers = {one: 1}
    numbers[other] = 2
    numbers[one] = 3
    some = {one}
    some.add(other)
    row = [one, (other, [one])]
    row.append(one)
    row[0] = other
    some.discard(one)
    return len(numbers)


def failing(make):
    caught = []
    for _ in range(3):
        try:
            raise Failure(make)
        except Failure as error:
            caught.append(error)
    return len(caught)


MAKES = [
    *(Key, lambda n: Word(str(n)), lambda n: Pair((n, 2)), Number, lambda n: Frozen(n)),
    lambda n: Colour(n),
]


@pytest.mark.parametrize("make", MAKES)
@pytest.mark.parametrize("also", ["opened", "unopened"])
def test_only_the_methods_run_that_the_program_runs(make, also, monkeypatch):
    if also == "unopened":
        for kind in (Key, Word, Pair, Number, Frozen, Colour):
            monkeypatch.setattr(kind, "__module__", "elsewhere")
    SEEN.clear()
    keyed(make)
    expected = list(SEEN)
    SEEN.clear()
    film = record(keyed, make)
    assert SEEN == expected and film.result == 2 and film.error is None
    assert film.stopped == ""


def test_no_words_are_asked_of_an_exception():
    SEEN.clear()
    film = record(failing, Key(1))
    assert film.result == 3 and SEEN == []


COUNTED = """
class Counted:
    calls = 0

    def count(self, *others):
        self.calls += 1
        return self.calls

    __call__ = __eq__ = __hash__ = __index__ = __getattr__ = __add__ = count

    def __lt__(self, other):
        return self.count() > 0
"""


def indexed(i):
    row = list(range(30))
    first = row[i], "abcdefghij"[i], (1, 2, 3, 4)[i]
    row[i] = 5
    del row[i]
    return first


def called_as_a_function(i):
    first = i(2)
    second = i([1]), i(n for n in range(2))
    return first, second, max([1, 2], key=i)


def called_for_a_missing_key(i):
    table = defaultdict(i)
    first = table["a"]
    return first, table["b"]


def added_up(i):
    first = sum([1, 2], start=i)
    return first


def inserted(i):
    row = [i]
    insort(row, i)
    return row


@pytest.mark.parametrize("function", [indexed, called_as_a_function, called_for_a_missing_key, added_up, inserted])
@pytest.mark.parametrize("space", [globals(), {"__name__": "elsewhere"}], ids=["traced", "untraced"])
def test_a_look_at_an_object_calls_none_of_its_methods(function, space):
    exec(compile(COUNTED, "counted.py", "exec"), space)
    plain, recorded = space["Counted"](), space["Counted"]()
    function(plain)
    film = record(function, recorded)
    assert film.error is None and film.stopped == "" and recorded.calls == plain.calls


def test_a_hash_that_raises_the_second_time():
    class Once:
        asked = 0

        def __hash__(self):
            self.asked += 1
            if self.asked > 1:
                raise RuntimeError("asked again")
            return 1

    def function():
        table = {Once(): 1}
        n = len(table)
        n += 1
        return n

    film = record(function)
    assert film.result == 2 and film.error is None


class Noisy:
    def __init__(self, log):
        self.log = log

    def __del__(self):
        self.log.append("gone")


class Tight:
    __slots__ = ("log",)

    def __init__(self, log):
        self.log = log

    def __del__(self):
        self.log.append("gone")


def let_go(make):
    log = []
    a = make(log)
    a = None; log.append("x")  # fmt: skip  # noqa: E702, F841
    b = [make(log)]
    b.clear(); log.append("y")  # fmt: skip  # noqa: E702
    c = [make(log)]
    del c; log.append("z")  # fmt: skip  # noqa: E702
    return log


def let_go_in_an_expression():
    log = []
    d = Noisy(log)
    return [d := None, log.append("x"), *log], d


@pytest.mark.parametrize("make", [Noisy, Tight])
def test_what_is_let_go_goes_when_it_goes(make):
    expected = let_go(make)
    assert record(let_go, make).result == expected
    assert record(let_go_in_an_expression).result == let_go_in_an_expression()


def test_the_variables_that_a_program_asks_for_stay():
    def function(n):
        first = locals()
        n += 1
        double = n * 2
        del double
        return {**first}, sorted(locals())

    variables, names = record(function, 3).result
    assert {"n", "first"} <= {*variables, "first"} and names == ["first", "n"]


# Nothing is changed or lost


def test_a_deque_that_another_thread_changes():
    def function():
        line, stop = deque(range(50)), threading.Event()

        def other():
            while not stop.is_set():
                line.append(1)
                line.popleft()

        worker = threading.Thread(target=other)
        worker.start()
        count = 0
        for n in range(300):
            line.append(n)
            count += len(line) > 0
        stop.set()
        worker.join()
        return count

    was = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        film = record(function, max_events=100_000)
    finally:
        sys.setswitchinterval(was)
    assert film.result == 300 and film.error is None


def test_numbers_of_thousands_of_digits():
    def function(n):
        huge = 10**n
        some = {huge, -huge}
        lists = {huge: [huge]}
        return huge, len(some), len(lists)

    film = record(function, 5000)
    assert film.result[0] == 10**5000 and film.stopped == ""
    assert "huge = <an int of about 5,001 digits>" in str(film)
    assert "5,001 digits" in str(film.why(film.events[-1]))
    assert film.svg().startswith("<svg")


def deep(n):
    return deep(n + 1)


def caught_at_depth():
    result = 0
    try:
        deep(0)
    except RecursionError:
        result = 7
    return result


def test_a_recursion_error_that_the_program_catches():
    film = record(caught_at_depth)
    assert film.result == 7 and film.error is None
    assert "recording stopped in line" in film.stopped and "its calls are too deep" in film.stopped


def test_calls_as_deep_as_without_recording():
    def down(n):
        return 0 if n == 0 else 1 + down(n - 1)

    depth = sys.getrecursionlimit() - 150
    while True:
        try:
            down(depth)
            break
        except RecursionError:
            depth -= 10
    film = record(down, depth - 10, watch="n")
    assert film.result == depth - 10 and film.stopped == "" and film.error is None


def test_a_program_that_switches_the_tracer_off():
    def function():
        n = 1
        sys.settrace(None)
        n += 1
        return n

    film = record(function)
    assert film.result == 2 and film.error is None
    line = function.__code__.co_firstlineno + 2
    assert film.stopped == f"recording stopped in line {line} after 1 change: the function has switched recording off"
    assert film.stopped in str(film) and "returned 2" in str(film)


def test_a_fault_of_the_recorder_is_not_the_programs(monkeypatch):
    from crashlab.watch.recorder import Recorder

    def fail(*args):
        raise KeyError("a fault")

    monkeypatch.setattr(Recorder, "bind", fail)
    film = record(nothing)
    film = record(caught_at_depth)
    assert film.result == 7 and film.error is None and "KeyError" in film.stopped


# One line with several changes


def test_statements_on_one_line_are_told_one_by_one():
    def function():
        a = 1; b = a + 1; a = b * 2  # fmt: skip  # noqa: E702
        return a

    film = record(function)
    assert [(event.name, event.after) for event in film.events] == [("a", 1), ("b", 2), ("a", 4)]
    assert film.beats == 3


def test_a_loop_whose_body_does_nothing_is_told_round_by_round():
    def function(row):
        for x in row: pass  # fmt: skip  # noqa: B007, E701
        for y in row: continue  # fmt: skip  # noqa: B007, E701
        return x + y

    sentences = [event.sentence for event in record(function, [5, 6], watch=["x", "y"]).events]
    expected = ["{0} = 5 because row[0] is 5", "{0} = 6 (was 5), because row[1] is 6"]
    assert sentences == [sentence.format(name) for name in "xy" for sentence in expected]


def test_the_later_of_two_equal_values_that_leave():
    def function():
        row = []
        row.append(7)
        row.append(8)
        row.append(7)
        last = [row.pop(0), row.pop()][1]
        return last

    film = record(function)
    last = next(event for event in film.events if event.name == "last")
    assert [event.key for event in film.why(last).events[:2]] == [None, 2]


def test_where_an_inserted_element_comes_from():
    def function():
        row = [float("0.5")]
        row.append(float("0.5"))
        first = row[0]
        row[:] = ["x", "y", first]
        return row

    film = record(function)
    come = [event for event in film.events if event.target == "row[2]"][-1]
    assert come.after == 0.5 and "row.append" not in str(film.why(come))


def test_a_variable_belongs_to_the_last_call_that_fits():
    def count(depth):
        total = 0

        def add():
            nonlocal total
            total += 1

        if depth:
            count(depth - 1)
        add()
        return total

    film = record(count, 2, watch="total")
    owners = [film.calls[event.owner] for event in film.events if event.name and event.after == 1]
    assert [call.arguments["depth"] for call in owners] == [0, 1, 2]


def test_how_much_of_a_long_film_is_left_out():
    def function(n):
        for value in range(n):
            last = value
        return last

    lines = str(record(function, 70, watch="last")).split("\n")
    assert lines[41] == "  ...  20 more" and len(lines) == 1 + 40 + 1 + 10 + 1
