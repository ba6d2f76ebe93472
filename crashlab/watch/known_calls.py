"""What functions and methods of Python give of which is known what they do, with where it comes from.

A method that changes a list is done once more with the events that brought its elements, so that it is known afterwards
which of them has come where.
"""

from __future__ import annotations

import ast
import heapq
from bisect import bisect, bisect_left, bisect_right, insort, insort_left, insort_right
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Generator
from itertools import chain
from types import BuiltinFunctionType
from typing import Any

from crashlab.watch.origins import (
    LONGEST,
    NONE,
    SETS,
    TABLES,
    Arrangement,
    Value,
    decided,
    gathered,
    is_box,
    is_plain,
    is_true,
    listed,
    mapped,
    pairs_of,
    union,
)  # fmt: skip
from crashlab.watch.reading import Env, Reading, Steps, Waiting
from crashlab.watch.snapshots import is_array
from crashlab.watch.things import ABSENT

STOPPING = (any, all)
SIMPLE = (abs, int, float, str, bool, ord, chr, round, divmod, pow, range, hash, bin, hex)  # of plain values
SEARCHES = (bisect, bisect_left, bisect_right)
INSERTS = (insort, insort_left, insort_right)
HEAPS = (heapq.heappush, heapq.heappop, heapq.heapify, heapq.heapreplace, heapq.heappushpop)
SILENT = (print, isinstance, issubclass, callable, id, type, input)
IN_PLACE: dict[type, str] = {
    ast.BitOr: "update", ast.BitAnd: "intersection_update", ast.Sub: "difference_update",
    ast.BitXor: "symmetric_difference_update",
}  # fmt: skip
TEXTS = frozenset("join strip lstrip rstrip lower upper title replace index find startswith endswith zfill center"
                  " isdigit isalpha isupper islower isspace isalnum swapcase capitalize format ljust rjust rfind"
                  " bit_length as_integer_ratio is_integer".split())  # fmt: skip
COMPUTED = (TEXTS | {"split", "splitlines", "count"}) - {"zfill", "center", "ljust", "rjust", "format"}
MOVES = frozenset("append appendleft insert extend extendleft pop popleft remove reverse sort clear rotate".split())
ADDS = frozenset({"append", "appendleft", "add"})
SET_MOVES = frozenset("add discard remove clear update intersection_update difference_update pop"
                      " symmetric_difference_update".split())  # fmt: skip
UNIONS = {"union": ast.BitOr, "intersection": ast.BitAnd, "difference": ast.Sub, "symmetric_difference": ast.BitXor}


class Twin:
    """An element of a list, ordered by its value, with where it comes from."""

    __slots__ = ("by", "part")

    def __init__(self, part: Value, by: Any = ABSENT) -> None:
        self.part, self.by = part, part.value if by is ABSENT else by

    def __lt__(self, other: Twin) -> bool:
        return bool(self.by < other.by)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Twin) and bool(self.by == other.by)

    __hash__ = None  # type: ignore[assignment]


def stopped(does: Any, found: list[Value]) -> Value:
    """What `any` or `all` gives when it has looked at these."""
    truths = [is_true(each.value) for each in found]
    if None in truths:
        return Value()
    if found and truths[-1] is (does is any):
        return decided(does is any, found[-1].origins)
    return decided(does is all, union(found))


def function(
    beside: Reading, node: ast.Call, does: Any, given: list[Value], words: dict[str, Value], env: Env | None
) -> Steps:
    """What a function gives."""
    try:
        made = FUNCTIONS.get(does)
    except TypeError:
        made = None
    one = given[0] if given else Value()
    if any(each.held is not None and each.parts is None and any(map(is_code, each.held)) for each in given) or any(
        type(each.value).__name__ == "generator" for each in given
    ):
        if does is next and len(given) == 1:
            return (yield from beside.drained(node, one, False))
        if len(given) == 1 and does in (list, tuple, sum, sorted, set, min, max, deque):
            made_of = yield from beside.drained(node, one, True)
            return (yield from function(beside, node, does, [made_of], words, env))
        beside.is_disturbed = True
        return Value()
    if does in (min, max, sorted):
        return (yield from chosen(beside, node, does, given, words, env))
    if made is not None and not set(words) - {"start", "initial", "strict", "key"}:
        return made(beside, given, words)
    if does in HEAPS and given:
        return heaped(beside, does, given)
    if does in INSERTS and len(given) == 2 and not words:
        return arranged(beside, one, lambda row: does(row, Twin(given[1])))
    is_random, name = getattr(does, "__module__", "") == "random", getattr(does, "__name__", "")
    if is_random and name == "shuffle" and given:
        beside.changed.add(id(one.value))
        beside.arranged[id(one.value)] = Arrangement(one.value, None)
        return Value()
    if does is map and len(given) == 2 and node.args and isinstance(node.args[0], ast.Lambda | ast.Name):
        parts = beside.parts(given[1])
        if parts is None:
            return Value()
        found = []
        for each in parts:
            found.append((yield from applied(beside, node, node.args[0], given[0], each, env)))
        return Value(ABSENT, union(found), found)
    is_math = getattr(does, "__module__", "") == "math"
    if does in SIMPLE or is_math:
        if any(each.value is ABSENT for each in given):
            return Value(ABSENT, union(given))
        is_known = given and all(is_plain(each.value) for each in given) and not words
        if not is_known and does not in (str, bool):
            return Value(ABSENT, union([beside.whole(each) for each in given]))
        are_small = all(type(each.value) in (int, float) and abs(each.value) < LONGEST for each in given)
        is_big = does is pow or is_math and not are_small
        value = does(*(each.value for each in given)) if is_known and not is_big else ABSENT
        return Value(value, union([beside.whole(each) for each in given]))
    if does in SILENT or is_random and name != "shuffle":
        return Value()
    kind = f"{getattr(does, '__module__', '')}.{type(does).__module__}."
    if "numpy" in kind and "random" not in kind and "out" not in words:
        return Value(ABSENT, union([beside.whole(each) for each in given]))
    if isinstance(does, type) and issubclass(does, BaseException):
        return Value(ABSENT, union(given))
    if type(getattr(does, "__self__", None)) in (int, float, str):
        return Value()
    beside.is_disturbed = True
    return Value()


def is_code(key: Any) -> bool:
    """Whether it marks a generator of the program."""
    return type(key).__name__ == "code"


def applied(beside: Reading, node: ast.Call, key: ast.expr, does: Value, part: Value, env: Env | None) -> Steps:
    """What a function gives for a value; that of a `lambda` is evaluated."""
    if isinstance(key, ast.Lambda) and len(key.args.args) == 1:
        return (yield from beside.of(key.body, {**(env or {}), key.args.args[0].arg: part}))
    if beside.runs(does.value):
        return (yield from beside.wait(node, does.value, [part]))
    if type(does.value) in (BuiltinFunctionType, type) and does.value in SIMPLE and is_plain(part.value):
        return Value(does.value(part.value), part.origins)
    if type(does.value) in (BuiltinFunctionType, type) and (made := FUNCTIONS.get(does.value)) is not None:
        return made(beside, [part], {})
    if isinstance(key, ast.Attribute) and key.attr in ("get", "__getitem__"):
        box = yield from beside.of(key.value, env)
        return beside.at(box, part.value)
    if does.value is str.lower and type(part.value) is str:
        return Value(part.value.lower(), part.origins)
    name = type(does.value).__name__
    if name == "itemgetter" and len(args := does.value.__reduce__()[1]) == 1:
        return beside.at(part, args[0])
    if not is_plain(does.value) and does.value is not ABSENT:
        beside.is_disturbed = True
    return Value()


def chosen(
    beside: Reading, node: ast.Call, does: Any, given: list[Value], words: dict[str, Value], env: Env | None
) -> Steps:
    """What `min`, `max` or `sorted` gives."""
    many = beside.parts(given[0]) if len(given) == 1 else given
    if many is None:
        if is_array(given[0].value):
            return Value(ABSENT, beside.whole(given[0]).origins)
        return Value()
    if not many:
        return listed([]) if does is sorted else words.get("default", Value())
    twins = yield from twinned(beside, node, many, words, env)
    backwards = is_true(words["reverse"].value) if "reverse" in words else False
    if twins is None or backwards is None:
        return Value(ABSENT, union(many)) if does is sorted else Value()
    if does is sorted:
        return listed([each.part for each in sorted(twins, reverse=backwards)])
    best = min(twins) if does is min else max(twins, key=lambda each: each)
    if not isinstance(best, Judged):
        return best.part
    return best.part if best.part.origins else Value(best.part.value, best.origins, best.part.parts, best.part.held)


class Judged(Twin):
    """One that is ordered by what a key function gives, and where this comes from."""

    __slots__ = ("origins",)

    def __init__(self, part: Value, by: Value) -> None:
        super().__init__(part, by.value)
        self.origins = by.origins


def twinned(
    beside: Reading, node: ast.Call, many: list[Value], words: dict[str, Value], env: Env | None
) -> Generator[Waiting, Value, list[Twin] | None]:
    """The elements to be ordered; None if their order is not known."""
    key = next((word.value for word in node.keywords if word.arg == "key"), None)
    twins: list[Twin] = []
    for part in many:
        if key is None:
            twins.append(Twin(part))
        else:
            twins.append(Judged(part, (yield from applied(beside, node, key, words["key"], part, env))))
    return twins if all(is_plain(each.by) for each in twins) else None


# Functions by what they are


def total(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `sum` gives."""
    parts = beside.parts(given[0])
    if parts is None:
        return Value(ABSENT, beside.whole(given[0]).origins)
    numbers = all(type(each.value) in (int, float) for each in parts)
    start = given[1:] or [words.get("start", Value(0))]
    return Value(
        sum(each.value for each in parts) if numbers and start[0].value == 0 else ABSENT, union([*parts, *start])
    )


def counted_up(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `enumerate` gives."""
    first = given[1] if len(given) > 1 else words.get("start", Value(0))
    walk = beside.walk(given[0])
    start = first.value
    if walk is None or type(start) is not int:
        return Value()
    return Value(walk=pairs_of([lambda number: Value(start + number, first.origins), walk]))


def side_by_side(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `zip` gives."""
    walks = [walk for each in given if (walk := beside.walk(each)) is not None]
    return Value(walk=pairs_of(walks)) if len(walks) == len(given) > 0 else Value()


def turned(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `reversed` gives."""
    walk, made = beside.walk(given[0]), given[0].value
    if walk is None:
        return Value()
    last = len(beside.parts(given[0]) or ()) if made is ABSENT else len(made)
    return Value(walk=lambda number: walk(last - 1 - number) if number < last else None)


def row_of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `list` gives."""
    if not given:
        return listed([])
    parts = beside.parts(given[0])
    return Value() if parts is None else listed(parts)


def tuple_of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `tuple` gives."""
    found = row_of(beside, given, words)
    return Value(tuple(found.value) if type(found.value) is list else ABSENT, found.origins, found.parts)


def queue_of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `deque` gives."""
    found = row_of(beside, given[:1], words)
    return Value(ABSENT, found.origins, found.parts)


def set_of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `set` gives."""
    parts = beside.parts(given[0]) if given else []
    return Value() if parts is None else gathered(parts)


def dict_of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `dict` gives."""
    if not given:
        return mapped([(Value(key), value) for key, value in words.items()])
    parts = beside.parts(given[0])
    if parts is None:
        return Value()
    if type(given[0].value) in TABLES:
        return mapped([(each, beside.at(given[0], each.value)) for each in parts])
    pairs = [beside.parts(each) for each in parts]
    found = [(pair[0], pair[1]) for pair in pairs if pair is not None and len(pair) == 2]
    return mapped(found) if len(found) == len(parts) else Value(ABSENT, union(parts))


def same_for_all(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `dict.fromkeys` gives."""
    keys = beside.parts(given[0])
    return Value() if keys is None else mapped([(key, [*given, Value(None)][1]) for key in keys])


def ordered_dict(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `OrderedDict` gives."""
    found = dict_of(beside, given, words)
    return Value(ABSENT, found.origins, found.parts, found.held)


def default_dict(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `defaultdict` gives."""
    return Value(ABSENT, NONE, [], {}) if len(given) == 1 else Value()


def counter_of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `Counter` gives."""
    parts = beside.parts(given[0]) if given else []
    if parts is None or not all(is_plain(each.value) for each in parts) or given and type(given[0].value) in TABLES:
        return Value()
    counts = Counter(each.value for each in parts)
    hits = {key: [one for one in parts if one.value == key] for key in counts}
    found = mapped([(hits[key][0], Value(count, union(hits[key]))) for key, count in counts.items()])
    return Value(ABSENT, found.origins, found.parts, found.held)


def first_of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """`next` of what has just been made."""
    if given[0].parts is not None:
        return given[0].parts[0] if given[0].parts else given[1] if len(given) > 1 else Value()
    if given[0].walk is not None:
        return given[0].walk(0) or (given[1] if len(given) > 1 else Value())
    beside.is_disturbed = True
    return Value()


def walked(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `iter` gives."""
    return Value(walk=beside.walk(given[0]))


def searched(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `bisect` gives."""
    return Value(ABSENT, given[1].origins if len(given) > 1 else NONE)


def one_after_the_other(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `chain` gives."""
    rows = [beside.parts(each) for each in given]
    parts = [part for row in rows for part in row or ()]
    return Value() if None in rows else Value(ABSENT, union(parts), parts)


def shaped(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """What `len` gives."""
    return beside.size(given[0])


def tested(does: Any) -> Callable[[Reading, list[Value], dict[str, Value]], Value]:
    """What `any` or `all` gives."""
    def of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
        parts = beside.parts(given[0])
        if parts is None:
            return Value()
        for number, each in enumerate(parts):
            truth = is_true(each.value)
            if truth is None:
                return Value()
            if truth is (does is any):
                return stopped(does, parts[: number + 1])
        return stopped(does, parts)

    return of


FUNCTIONS: dict[Any, Callable[[Reading, list[Value], dict[str, Value]], Value]] = {
    len: shaped, sum: total, enumerate: counted_up, zip: side_by_side, reversed: turned, list: row_of, tuple: tuple_of,
    deque: queue_of, set: set_of, frozenset: set_of, dict: dict_of, OrderedDict: ordered_dict, Counter: counter_of,
    defaultdict: default_dict, vars(dict)["fromkeys"]: same_for_all, next: first_of, iter: walked, any: tested(any),
    all: tested(all), chain: one_after_the_other, **dict.fromkeys(SEARCHES, searched),
}  # fmt: skip


# Methods


def method(beside: Reading, name: str, me: Value, given: list[Value], words: dict[str, Value]) -> Value:
    """What a method of a container or a string gives."""
    made: Any = beside.check(me)
    is_moved = type(me.value) in (list, deque) and name in MOVES and me.parts is None
    if is_moved and made is ABSENT and not beside.is_disturbed:  # it has changed already, in a way that is known
        made = me.value
    if is_plain(me.value) and not is_box(me.value) or type(me.value) is str:
        return of_text(beside, name, me, given)
    is_new = me.parts is not None and type(made) is not tuple
    if is_new and name in ADDS or made is ABSENT and (me.parts is not None or me.held is not None):
        return of_new(beside, name, me, given)
    if type(made) in TABLES:
        return of_table(beside, name, me, given, words)
    if type(made) in (list, deque) and name in MOVES:
        return moved(beside, name, me, given, words)
    if type(made) in SETS and name in SET_MOVES:
        return of_set(beside, name, me, given)
    if type(made) in SETS and name in UNIONS and len(given) == 1 and not words:
        return beside_set(beside, UNIONS[name], me, given[0])
    if name in ("count", "index") and (parts := beside.parts(me)) is not None and given:
        if not all(is_plain(each.value) for each in (*parts, *given)):
            return Value(ABSENT, given[0].origins)
        hits = [n for n, each in enumerate(parts) if each.value == given[0].value]
        if name == "count":
            return Value(len(hits), union([given[0], *(parts[n] for n in hits)]))
        return Value(hits[0] if len(given) == 1 else ABSENT, union([given[0], parts[hits[0]]]))
    if name == "copy" and type(made) in (list, deque, *SETS) and (parts := beside.parts(me)) is not None:
        return gathered(parts) if type(made) in SETS else listed(parts)
    if is_array(made) and name not in ("sort", "fill", "resize", "put", "itemset", "partition"):
        return Value(ABSENT, union([beside.whole(each) for each in (me, *given)]))
    if is_box(made) or type(made) is tuple:
        beside.changed.add(id(made))
        beside.arranged[id(made)] = Arrangement(made, None)
        return Value()
    beside.is_disturbed = True
    return Value()


def of_text(beside: Reading, name: str, me: Value, given: list[Value]) -> Value:
    """What a method of a string or a number gives."""
    origins = union([beside.whole(each) for each in (me, *given)])
    value: Any = ABSENT
    is_known = all(type(each.value) in (str, int) for each in (me, *given)) and type(me.value) is str
    if is_known and name in COMPUTED:
        value = getattr(me.value, name)(*(each.value for each in given))
    if type(value) is list:
        return Value(value, origins, [Value(each, origins) for each in value])
    return Value(value, origins) if name in TEXTS or value is not ABSENT else Value(ABSENT, origins)


def of_new(beside: Reading, name: str, me: Value, given: list[Value]) -> Value:
    """A method of what the statement has just made: what it is given belongs to it."""
    if name in ADDS and me.parts is not None and given:
        me.add(given[0])
        return Value(None)
    if name == "items" and me.parts is not None and me.held is not None:
        held = me.held
        pairs = [[key, held.get(key.value, Value())] for key in me.parts]
        return Value(ABSENT, me.origins, [Value(ABSENT, union(pair), pair) for pair in pairs])
    if name == "most_common" and me.parts is not None and me.held is not None:
        return commonest(me.parts, [me.held.get(key.value, Value()) for key in me.parts], given)
    if name == "copy":
        return me
    me.parts = me.held = None
    me.origins = NONE
    return Value()


def commonest(keys: list[Value], counts: list[Value], given: list[Value]) -> Value:
    """The pairs of a Counter, the greatest first."""
    if not all(type(each.value) is int for each in counts):
        return Value()
    pairs = sorted(zip(keys, counts, strict=True), key=lambda pair: pair[1].value, reverse=True)
    most = given[0].value if given else None
    made = [Value((a.value, b.value), union([a, b]), [a, b]) for a, b in pairs]
    return listed(made[:most] if most is None or type(most) is int else made)


def of_table(beside: Reading, name: str, me: Value, given: list[Value], words: dict[str, Value]) -> Value:
    """What a method of a dict gives."""
    made = me.value
    if name in ("get", "pop", "setdefault") and given:
        key = given[0].value
        if not is_plain(key):
            hashes: Any = type(key).__hash__
            if key is ABSENT or hashes is not object.__hash__:
                beside.changed.add(id(made))
                return Value()
        if dict.__contains__(made, key):
            found = beside.at(me, key)
        else:
            found = given[1] if len(given) > 1 else Value(None)
            if name == "setdefault":
                beside.cells.append((me, key, found))
                beside.keys.append((me, key, given[0]))
        if name == "pop":
            beside.changed.add(id(made))
        return found
    if name == "keys":
        return Value(walk=beside.walk(me))
    if name in ("values", "items"):
        keys, walk = list(made), beside.walk(me)
        if walk is None:
            return Value()

        def held(number: int) -> Value | None:
            return beside.at(me, keys[number]) if number < len(keys) else None

        return Value(walk=held if name == "values" else pairs_of([walk, held]))
    if name == "copy":
        return dict_of(beside, [me], {})
    if name == "most_common" and (keys_ := beside.parts(me)) is not None:
        return commonest(keys_, [beside.at(me, each.value) for each in keys_], given)
    if name == "popitem":
        last = is_true(words["last"].value) if "last" in words else True
        if last is None:
            return Value()
        key = list(made)[-1 if last else 0]
        pair = [Value(key, beside.came(me, key)), beside.at(me, key)]
        beside.changed.add(id(made))
        return Value(ABSENT if pair[1].value is ABSENT else (key, pair[1].value), union(pair), pair)
    if name == "update" and len(given) == 1:
        more = dict_of(beside, given, {})
        for key, value in (more.held or {}).items():
            beside.cells.append((me, key, value))
    beside.changed.add(id(made))
    return Value(None if name in ("update", "clear") else ABSENT)


def of_set(beside: Reading, name: str, me: Value, given: list[Value]) -> Value:
    """A method that changes a set."""
    beside.changed.add(id(me.value))
    if name == "add" and given:
        beside.cells.append((me, given[0].value, given[0]))
    elif name == "update":
        for each in given:
            for part in beside.parts(each) or ():
                beside.cells.append((me, part.value, part))
    elif name == "pop":
        return Value()
    return Value(None)


def beside_set(beside: Reading, kind: type, one: Value, other: Value) -> Value:
    """What a set and another one give."""
    rows = beside.parts(one), beside.parts(other)
    if rows[0] is None or rows[1] is None or not all(is_plain(each.value) for row in rows for each in row or ()):
        return Value()
    left, right = ({each.value for each in row or ()} for row in rows)
    does: dict[type, set[Any]] = {
        ast.BitOr: left | right, ast.BitAnd: left & right, ast.Sub: left - right, ast.BitXor: left ^ right,
    }  # fmt: skip
    if kind not in does:
        return Value()
    keys = does[kind]
    return gathered([each for row in rows for each in row or () if each.value in keys])


def moved(beside: Reading, name: str, me: Value, given: list[Value], words: dict[str, Value]) -> Value:
    """A method that changes a list or a queue."""
    made = me.value
    if id(made) in beside.changed:  # by this statement
        before = beside.arranged.get(id(made))
        if before is not None and before.does is not None and len(made) <= LONGEST:
            del beside.arranged[id(made)]
            beside.changed.discard(id(made))
            arranged(beside, me, before.does)
            before = beside.arranged[id(made)]
        if before is None or before.parts is None:
            return lost(beside, made)
        return again(beside, name, made, before.parts, given)
    if name == "append" and given and not (type(made) is deque and made.maxlen is not None):
        beside.cells.append((me, len(made), given[0]))
        beside.changed.add(id(made))
        return Value(None)
    if name == "pop" and not given:
        found = beside.at(me, len(made) - 1)
        beside.changed.add(id(made))
        return found
    keys = [each.value for each in given]
    if name in ("sort", "reverse"):
        if words.get("key") is not None or words.get("reverse") is not None and is_true(words["reverse"].value) is None:
            return lost(beside, made)
        backwards = "reverse" in words and bool(words["reverse"].value)
        return arranged(
            beside, me, lambda row: row.sort(reverse=backwards) if name == "sort" else row.reverse(), name == "sort"
        )
    if name in ("extend", "extendleft"):
        more = beside.parts(given[0]) if given else None
        if more is None:
            return lost(beside, made)
        at = len(made) if name == "extend" else 0
        return arranged(beside, me, lambda row: getattr(row, name)([Twin(each) for each in more]), at=at)
    if name == "insert":
        at = keys[0] if type(keys[0]) is int else 0
        at = max(at + len(made), 0) if at < 0 else at
        return shifted(beside, me, min(at, len(made)), given[1])
    if name == "appendleft":
        return shifted(beside, me, 0, given[0])
    if name in ("pop", "popleft"):
        key = keys[0] if keys else 0
        if type(key) is not int:
            return lost(beside, made)
        place = range(len(made))[key]
        found = beside.at(me, place)
        shifted(beside, me, place)
        return found
    if name == "remove":
        parts = beside.parts(me)
        if parts is None or not all(is_plain(each.value) for each in (*parts, *given)):
            return lost(beside, made)
        place = [each.value for each in parts].index(keys[0])
        return shifted(beside, me, place)
    if name == "rotate":
        by = keys[0] if keys else 1
        return arranged(beside, me, lambda row: row.rotate(by))
    beside.changed.add(id(made))  # it is empty now
    return Value(None)


def again(beside: Reading, name: str, made: Any, parts: list[Value], given: list[Value]) -> Value:
    """An element leaves or joins a list that the statement has changed already."""
    keys = [each.value for each in given]
    parts, found = list(parts), Value(None)
    if name in ("pop", "popleft") and all(type(key) is int for key in keys):
        found = parts.pop(keys[0] if keys else -1 if name == "pop" else 0)
    elif name == "append" and given:
        parts.append(given[0])
    else:
        return lost(beside, made)
    beside.arranged[id(made)] = Arrangement(made, parts)
    return found


def shifted(beside: Reading, me: Value, at: int, new: Value | None = None) -> Value:
    """One element comes to a list at an index, or goes."""
    made = me.value
    if type(made) is deque and made.maxlen is not None:
        return lost(beside, made)
    beside.changed.add(id(made))
    if new is not None:
        beside.cells.append((me, at, new))

    def does(row: Any) -> object:
        return row.__delitem__(at) if new is None else row.insert(at, Twin(new))

    beside.arranged[id(made)] = Arrangement(made, None, at, does)
    return Value(None)


def lost(beside: Reading, made: Any) -> Value:
    """Where the elements of a list have come is not known."""
    beside.changed.add(id(made))
    beside.arranged[id(made)] = Arrangement(made, None)
    return Value()


def arranged(
    beside: Reading, me: Value, does: Callable[[Any], object], is_ordered: bool = False, at: int | None = None
) -> Value:
    """Do with the elements of a list what is done to the list."""
    made, parts = me.value, beside.parts(me)
    if parts is None or is_ordered and not all(is_plain(each.value) for each in parts):
        return lost(beside, made)
    row: Any = [Twin(part) for part in parts]
    row = deque(row, made.maxlen) if type(made) is deque else row
    does(row)
    beside.changed.add(id(made))
    beside.arranged[id(made)] = Arrangement(made, [each.part for each in row], at)
    return Value(None)


def heaped(beside: Reading, does: Any, given: list[Value]) -> Value:
    """A function of a heap."""
    heap, made = given[0], beside.check(given[0])
    if type(made) is not list:
        beside.is_disturbed = True
        return Value()
    found = Value(None)
    if does in (heapq.heappop, heapq.heapreplace):
        found = beside.at(heap, 0)
    parts = beside.parts(heap)
    more = [Twin(each) for each in given[1:]]
    if parts is None or not all(is_plain(each.value) for each in (*parts, *given[1:])):
        if does is heapq.heappushpop:
            found = Value()
        lost(beside, made)
        return found
    row = [Twin(part) for part in parts]
    gives = does(row, *more)
    beside.changed.add(id(made))
    beside.arranged[id(made)] = Arrangement(made, [each.part for each in row])
    return gives.part if isinstance(gives, Twin) else found


def cut_in(beside: Reading, me: Value, cut: slice, value: Value) -> None:
    """A part of a list is exchanged for other elements."""
    made, more = beside.check(me), beside.parts(value)
    if type(made) is not list or more is None:
        if type(me.value) is list:
            lost(beside, me.value)
        elif not is_array(made):
            beside.is_disturbed = True
        return
    at = cut.indices(len(made))[0] if len(range(*cut.indices(len(made)))) != len(more) else None
    arranged(beside, me, lambda row: row.__setitem__(cut, [Twin(each) for each in more]), at=at)

