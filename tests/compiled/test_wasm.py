"""Rules in WebAssembly behave like the same text in Python: first single constructs, then whole games.

The functions at the top are compiled and run in both tiers; their results and the contents of their rows are compared
with Python's.
"""

import ast
import os
import random
import struct
import subprocess
import sys
import threading
import types
from typing import Annotated, Any, NamedTuple

import pytest
from patience import PATIENCE

import crashlab
from crashlab.compiled.kernels import random_play, tree_search
from crashlab.engine import chance
from crashlab.engine.table import (
    MOVING,
    NOWHERE,
    SPOT,
    STILL,
    Index,
    Ints,
    Table,
    Trace,
    apply_pairs,
    clear,
    copy_moving,
    happen,
    latest,
    lay,
    next_beat,
    note,
    tally,
    write_pairs,
)

pytest.importorskip("wasmtime")

from crashlab.compiled.wasm import module_cache, read_function
from crashlab.compiled.wasm import wasm_backend as wasm
from crashlab.compiled.wasm.emit_module import Module
from crashlab.compiled.wasm.read_function import CannotEmit

ROW = (3, -1, 4, 1, 5)
HALF = 0.5


class Race(Table):
    """A table of two fields."""

    square: Annotated[Ints, 3, range(100)]
    windy: Annotated[Ints, 1, range(2)]
    runners_at: Annotated[Ints, 100, Index("square")]


RULES = types.ModuleType("rules")
RULES.BOOK = range(7)


@pytest.fixture(scope="module", params=["wasm", "llvm"])
def backend(request):
    if request.param == "llvm":
        pytest.importorskip("llvmlite")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRASHLAB_COMPILER", request.param)
        yield wasm.Wasm(RULES, Race)


def handed(backend, value):
    """Convert an argument for compiled code."""
    if isinstance(value, list):
        row = (
            backend.numbers(len(value))
            if any(isinstance(number, float) for number in value)
            else backend.row(len(value))
        )
        row[:] = value
        return row
    return value


def check(backend, function, *arguments):
    """Check that a compiled function returns the same and leaves the same in its rows."""
    ours = [value[:] if isinstance(value, list) else value for value in arguments]
    theirs = [handed(backend, value) for value in arguments]
    expected, result = function(*ours), backend.bind(function)(*theirs)
    assert result == expected and isinstance(result, type(expected)), (function.__name__, arguments, result, expected)
    for one, other in zip(ours, theirs, strict=True):
        if isinstance(one, list):
            assert other.tolist() == one, (function.__name__, arguments)
    return result


NUMBERS = (-9, -8, -3, -2, -1, 0, 1, 2, 3, 7, 8, 1 << 35)


def signs(a: int, b: int) -> int:
    return (a // 3) * 1000003 + a % 3 * 10007 + (a // 8) * 101 + a % 8 * 11 + -a + ~b + abs(a - b) + (a << 2) + (b >> 1)


def by(a: int, b: int) -> int:
    return a // b * 1000 + a % b


def logic(a: int, b: int) -> int:
    result = 0
    if a < b <= 7 and not (a == 3 or b == 2):
        result += 1
    if a and b or a > 100:
        result += 2
    result += 4 * (a != b) + 8 * (0 < a < b < 8) + 16 * bool(a) + 32 * (a or b) + 64 * (a and b) + (a in (1, 2, 7))
    return result if a not in (0, 8) else -result


def squares(a: int, b: int) -> int:
    return min((a % 1000) ** 2, (b % 1000) ** 3, 1000) + max(a, b, -2) - min(a, b)


@pytest.mark.parametrize("function", [signs, by, logic, squares])
def test_whole_numbers_are_as_in_python_with_every_sign(backend, function):
    for a in NUMBERS:
        for b in NUMBERS:
            if b or function is not by:
                check(backend, function, a, b)


def fractions(a: float, b: int, row: list[float]) -> float:
    row[0] += a / 4
    row[1] = b
    row[2] -= row[0] * 2 if row[0] > HALF else -a
    row[0] /= 3
    return abs(min(row[0], a)) + max(b, row[2]) / 8 - (1 << 3) * a + 0.25 * (a == row[1])


def whole(a: float) -> int:
    return int(a * 3)


@pytest.mark.parametrize("a", [-7.3, -0.0, 0.5, 1e9])
def test_fractions_are_as_in_python(backend, a):
    check(backend, fractions, a, 5, [0.1, 2.5, -3.25])
    check(backend, whole, a)


def loops(n: int, row: Ints) -> int:
    total, last = 0, 0
    for i in range(n):
        for j in range(i, 0, -2):
            total += i * j
            last = j
        if i == 5:
            break
        if i % 2 == 0:
            continue
        total += 1
    while total > 50:
        total -= 7
        if total == 60:
            break
    for value in (3, n, 4):
        total = total * 3 + value
    for value in row:
        total ^= value
    for value in ROW:
        total += value
    for k in range(4):
        row[k] += k + last
        constant = ROW[k]
    return total + constant + k + i


def test_loops_end_where_they_do_in_python_and_leave_the_same_numbers(backend):
    for n in range(1, 9):
        check(backend, loops, n, [5, 6, 7, 8, 9])


def chained(a: int, row: Ints) -> int:
    first = row[a] = row[a + 1] = a + 10
    row[0], row[1] = row[1], row[0]
    a, row[a] = a + 1, row[a - 1]
    row[bump(row)] += bump(row) * 100
    row[row[3] % 2] = bump(row)
    row[2] = row[2] if row[0] > row[1] else bump(row)
    return first + a


def bump(row: Ints) -> int:
    row[3] += 1
    return row[3] % 3


def test_what_is_set_is_set_in_the_order_of_python(backend):
    for a in (1, 2):
        check(backend, chained, a, [4, 8, 15, 16, 23])


def several(a: int, b: int) -> tuple[int, float]:
    if a > b:
        return a, b / 2
    return swapped(b, a)


def swapped(a: int, b: int) -> tuple[int, float]:
    return a - b, 1.5


def uses_several(a: int, b: int) -> float:
    one, other = several(a, b)
    two, another = swapped(one, a)
    return one * other + two * another


def test_several_results(backend):
    for a, b in ((1, 2), (5, 2), (0, 0)):
        check(backend, uses_several, a, b)


def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)


def is_even(n: int) -> bool:
    return n == 0 or is_odd(n - 1)


def is_odd(n: int) -> bool:
    return n != 0 and is_even(n - 1)


def test_functions_that_call_themselves_and_each_other(backend):
    assert check(backend, factorial, 12) == 479001600
    assert [check(backend, is_even, n) for n in range(4)] == [True, False, True, False]


def stateful(luck: Ints, rounds: int) -> int:
    total = 0
    for _ in range(rounds):
        total += chance.next_luck(luck) % 6
    return total


def test_chance_is_reckoned_without_a_sign(backend):
    ours, theirs = [(1 << 64) - 5], backend.luck((1 << 64) - 5)
    assert backend.bind(stateful)(theirs, 50) == stateful(ours, 50)
    assert int(theirs[0]) == ours[0]


class Shop(NamedTuple):
    """A record with a row of whole numbers, a row of fractions, a number, and tables."""

    stock: Ints
    prices: list[float]
    first: int
    races: Any


def sell(count: int, shop: Shop, more: Ints) -> float:
    total, stock = 0.0, shop.stock
    for place in range(shop.first, len(shop.prices)):
        total += sell_one(place, shop) * count
        stock[place] -= count
    more[0] += shop.races[shop.first].square[2]
    return total


def sell_one(place: int, shop: Shop) -> float:
    shop.stock[place] *= 2
    happen(shop.races[shop.first].square, 0, place, 7 + place, 3, NOWHERE, None)
    return shop.prices[place]


def test_a_record_is_passed_by_its_fields(backend):
    """This holds for calls from Python and for calls between compiled functions."""
    ours = Shop([5, 6, 7], [0.5, 1.5, 2.5], 1, [Race(), Race()])
    theirs = Shop(handed(backend, ours.stock), handed(backend, ours.prices), 1, backend.tables([Race(), Race()]))
    more, copy = [100], handed(backend, [100])
    assert sell(2, ours, more) == backend.bind(sell)(2, theirs, copy) == 8.0
    assert theirs.stock.tolist() == ours.stock == [5, 10, 12] and copy.tolist() == more
    for place, race in enumerate(ours.races):
        assert backend.table(theirs.races, place).square == race.square


def test_the_fields_of_a_record_are_part_of_a_modules_key():
    """A module takes them in their order."""

    def stocks(shop: Shop) -> int:
        return shop.first

    def key() -> str:
        return module_cache.fingerprint(RULES, Race, stocks, ("row", "i"), "")

    before = key()
    stocks.__annotations__["shop"] = NamedTuple("Shop", [(name, Any) for name in reversed(Shop._fields)])
    assert key() != before


def nowhere(row: Ints, place: int) -> int:
    cause, best = NOWHERE, NOWHERE
    for i in range(len(row)):
        if row[i] == place:
            best = i
    return best * 10 + cause if best != NOWHERE else cause


def with_default(a: int, b: int = 7) -> int:
    return a * b


def calls_by_name(a: int) -> int:
    return with_default(a) + with_default(b=a, a=3)


def hands_on_by_name(a: int, b: int) -> int:
    return with_default(a, b=b)


def calls_what_hands_on(a: int) -> int:
    return hands_on_by_name(a, a + 1)


def test_a_number_that_is_always_nowhere_and_defaults(backend):
    for place in (5, 9):
        check(backend, nowhere, [4, 5, 6], place)
    check(backend, calls_by_name, 4)


def test_an_argument_that_is_handed_on_by_name_is_used(backend):
    check(backend, calls_what_hands_on, 4)


def drive(table, seat, action, trace):
    moved = happen(table.square, 0, seat, action, 2, NOWHERE, trace)
    next_beat(trace)
    bumped = note(3, moved, seat, 2, 3, 4, trace)
    happen(table.square, 0, seat, action, 4, bumped, trace)
    happen(table.windy, 1, 0, 1 - table.windy[0], 5, latest(0, seat, trace), trace)
    return len(table.square)


def drives(tables, counts, trace):
    for seat in range(3):
        drive(tables[1], seat, seat + 5 * tables[0].windy[0], trace)
        tally(trace, counts, 0, 7)
    lay(tables, 0, tables[1])
    clear(counts, 0, 2)
    return tables[0].square[2]


def test_changes_are_made_counted_and_told(backend):
    for kind in ("untold", "counted", "told"):
        tables, counts = [Race(), Race()], [1] * 20
        tables[0].windy[0] = 1
        theirs = backend.tables(tables), handed(backend, counts)
        trace, compiled = None, None
        if kind == "counted":
            trace, compiled = Trace(), backend.counter(16)
        if kind == "told":
            trace, compiled = Trace(), backend.trace(3)
            assert drive(tables[0], 1, 5, trace) == backend.bind(drive)(theirs[0][0], 1, 5, compiled) == 3
            assert compiled[0, :2].tolist() == [trace.beat, len(trace.rows)]
            assert [tuple(row) for row in compiled[1:].tolist()] == trace.rows[:3]
        else:
            assert drives(tables, counts, trace) == backend.bind(drives)(*theirs, compiled)
            assert theirs[1].tolist() == counts
        assert [backend.table(theirs[0], place) for place in range(2)] == tables


def keyed(flat, fields, key, place):
    copy_moving(flat, 1, 0, fields)
    apply_pairs(flat, 1, fields, key, 0, 2)
    return write_pairs(flat, 1, 0, fields, key, place)


def test_tables_are_compared_and_amended_by_their_numbers(backend):
    tables = [Race(), Race()]
    tables[0].square[:] = 4, 5, 6
    fields, key = [0, 3, MOVING, 4, 1, 3, 1, STILL, NOWHERE, 0], [SPOT * 0 + 2, 9] + [0] * 6
    theirs = backend.tables(tables)
    rows = handed(backend, fields), handed(backend, key)
    assert keyed(tables, fields, key, 2) == backend.bind(keyed)(theirs, *rows, 2) == 4
    assert rows[1].tolist() == key and [backend.table(theirs, place) for place in range(2)] == tables
    for place, table in enumerate(tables):
        assert theirs["runners_at"][place].tolist() == table.runners_at == table.looked_up()["runners_at"]


def marks(row, numbers):
    for place in range(len(row)):
        row[place] = (row[place] + numbers[place]) % 100 - 50
    return row[1]


def test_rows_of_small_numbers_and_rows_that_lie_elsewhere(backend):
    import numpy as np

    small, elsewhere = backend.array((2, 3), np.int8), np.arange(20)[::2]
    small[:] = 7
    assert backend.bind(marks)(small.reshape(-1), elsewhere) == -41
    assert small.tolist() == [[-43, -41, -39], [-37, -35, -33]] and elsewhere.tolist() == list(range(0, 20, 2))


# More that users' rules may do


def from_the_end(row: Ints, place: int) -> int:
    return row[place] * 100 + row[-2] + ROW[-1] + (1 << place + 3 >> place + 2 if place > -3 else 0)


@pytest.fixture(scope="module")
def checked():
    return wasm.Wasm(RULES, Race, checked=True)


def test_an_index_can_count_from_the_end_and_beyond_it_is_told(checked):
    wary = wasm.Wasm(RULES, Race, wary=True)
    for place in range(-3, 3):
        check(wary, from_the_end, [1, 2, 3], place)
        check(checked, from_the_end, [1, 2, 3], place)
    for place in (-4, 3):
        with pytest.raises(IndexError, match=r"in from_the_end: `return row\[place\].*this index is beyond its row"):
            checked.bind(from_the_end)(handed(checked, [1, 2, 3]), place)


def field_beyond(table, place):
    return table.square[place] if place != 7 else 0


def test_a_field_ends_where_it_ends(checked):
    table = checked.tables([Race(), Race()])[0]
    assert checked.bind(field_beyond)(table, 7) == 0
    with pytest.raises(IndexError, match="field_beyond"):
        checked.bind(field_beyond)(table, 3)


def shifted(a: int, by: int) -> int:
    return (a >> by) * 2 + (1 if a << by == 0 else 0)


def test_nothing_is_left_behind_64_places(checked):
    for a in (5, -5, 0):
        for places in (0, 3, 62, 63, 64, 70):
            if abs(a) << places < 1 << 63:
                check(checked, shifted, a, places)
        assert checked.bind(shifted)(a, 70) == (a >> 70) * 2 + 1


def makes_a_list(a):
    return [a]


def gives_words(a):
    return "no"


def catches(a):
    try:
        return a
    except ValueError:
        return 0


def halves(row, a):
    row[0] += a / 2
    return 0


def asks_a_field(table):
    return table.wheels[0]


def calls_print(a):
    print(a)
    return a


def names_no_field(table):
    row = table.square
    return happen(row, 0, 1, 2, 3, NOWHERE, None)


def unpacks(row):
    a, b = row
    return a + b


@pytest.mark.parametrize(
    ("function", "kinds"),
    [
        (makes_a_list, "i"),
        (gives_words, "i"),
        (catches, "i"),
        (halves, "row i"),
        (asks_a_field, "table"),
        (calls_print, "i"),
        (unpacks, "row"),
        (names_no_field, "table"),
    ],
)
def test_what_cannot_be_emitted_is_said_with_its_line(function, kinds):
    with pytest.raises(CannotEmit, match=rf'File ".*test_wasm.py", line \d+, in {function.__name__}: `'):
        Module(RULES, Race).binary(function, tuple(kinds.split()))


def test_rows_are_taken_back_and_begin_with_zeros(backend):
    first = backend.row(300)
    first[:] = 9
    at = first.address
    view = first[5:9]
    del first
    assert backend.row(300).address != at  # a reference to it remains
    del view
    again = backend.row(300)
    assert again.address == at and not again.any()


ENDS = '''
import ctypes, sys
from crashlab.compiled.wasm.desktop import Desktop

host = Desktop()
module = host.compiled("""
    (module (import "host" "memory" (memory 1 65536 shared)) (func (export "run") (param i32) unreachable))
""")
run, kept = host.started(module), []
for call in (lambda: run(0), lambda: host.compiled(b"no")):
    try:
        call()
    except Exception as error:
        kept.append(error)
assert len(kept) == 2
for name in ("wasmtime._bindings", "__main__"):  # who is kept beyond the end is emptied, the latest first
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(sys.modules[name]))
'''


def test_nothing_complains_when_python_ends():
    """The objects of wasmtime are deleted by functions that Python may already have removed."""
    process = subprocess.run([sys.executable, "-c", ENDS], capture_output=True, text=True, timeout=PATIENCE)
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")


# Whole games


def test_a_module_says_the_same_each_time():
    """A module is stored under a key that does not depend on how it was emitted."""
    rules = crashlab.game("autoscooter").rules
    table = type(crashlab.game("autoscooter").start().table)
    kinds = ("table", "i", "urow", "row", "none")
    one, other = (Module(rules, table).binary(random_play.play_on, kinds) for _ in range(2))
    assert one == other and one[:8] == b"\0asm\1\0\0\0" and sys.byteorder == "little" and struct.calcsize("q") == 8


KEYS = """
import importlib, pkgutil, crashlab
from crashlab.compiled import code_fingerprint, kernels
from crashlab.engine.rules import own_functions

modules = [importlib.import_module(f"{kernels.__name__}.{one.name}") for one in pkgutil.iter_modules(kernels.__path__)]
functions = [function for module in modules for _, function in own_functions(module)]
for name in crashlab.games():
    rules = crashlab.game(name).rules
    text = code_fingerprint.told_of(code_fingerprint.everything(rules, {}, *functions))
    print(name, code_fingerprint.fingerprint(text))
"""


def test_what_is_kept_is_found_again_by_another_process():
    """The key must not depend on an address or on the order of a set, which differ between processes."""

    def keys(seed):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", KEYS]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    first = keys("1")
    assert first == keys("2") and len(first.splitlines()) == len(crashlab.games())


# Modules written by hand


def is_same(first: int, count: int, trees: Ints, out: Ints) -> bool:
    return tree_search.same(first, count, trees, out)


def test_rows_are_compared_to_their_ends(backend):
    for count in range(11):
        for wrong in range(-1, count):
            trees, out = [9, 9, *range(100, 120)], list(range(100, 115))
            if wrong >= 0:
                trees[2 + wrong] ^= 1 << 40
            assert check(backend, is_same, 2, count, trees, out) == (wrong < 0)


def best(first: int, count: int, width: float, values: list[float]) -> int:
    return tree_search.best_child(first, count, width, values)


def test_the_first_of_the_best_children_is_found(backend):
    rng = random.Random(1)
    for count in range(1, 12):
        for _ in range(20):
            values = [float(rng.randrange(4)) for _ in range(2 * count + 2)]
            check(backend, best, 2, count, rng.choice([0.0, 0.5, 1.0]), values)


def test_a_function_is_prepared_once_when_two_threads_compile(monkeypatch):
    """Its syntax tree is changed in place: a second preparation would cut off another statement."""

    def documented(rows):
        """Return the first row."""
        first = rows[0]
        return first

    docstring, is_inside, go_on, trees = ast.get_docstring, threading.Event(), threading.Event(), []

    def slow_docstring(tree, clean):
        text = docstring(tree, clean)
        is_inside.set()
        go_on.wait(PATIENCE)
        return text

    monkeypatch.setattr(ast, "get_docstring", slow_docstring)
    threads = [threading.Thread(target=lambda: trees.append(read_function.prepared(documented))) for _ in range(2)]
    threads[0].start()
    assert is_inside.wait(PATIENCE)
    threads[1].start()
    threads[1].join(0.2)
    go_on.set()
    for thread in threads:
        thread.join()
    assert trees[0] is trees[1] and len(trees[0].body) == 2
