"""The results of Python's own functions and methods, with the origins of their values.

A method that changes a list is repeated on the origins of the elements, so that the origin at each index is known
afterwards.
"""

from __future__ import annotations

import ast
import heapq
from bisect import bisect, bisect_left, bisect_right, insort, insort_left, insort_right
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from itertools import chain
from operator import itemgetter
from types import BuiltinFunctionType, FunctionType, GeneratorType
from typing import Any

from crashlab.watch.film_data import Arguments, written
from crashlab.watch.origins import (
    LONGEST,
    SETS,
    TABLES,
    Arrangement,
    Value,
    are_plain,
    gathered,
    is_box,
    is_plain,
    is_true,
    listed,
    made_of,
    mapped,
    pairs_of,
    tupled,
    union,
)
from crashlab.watch.reading import Env, Reading, Steps, Waiting, code_of, has_hash
from crashlab.watch.snapshots import is_array
from crashlab.watch.statements import MOVES, SET_MOVES
from crashlab.watch.things import ABSENT

STOPPING = (any, all)
PURE = ("itertools", "functools", "_functools", "copy", "statistics", "heapq")  # modules without side effects
SIMPLE = (abs, int, float, str, bool, ord, chr, round, divmod, pow, range, hash, bin, hex)  # functions of plain values
SEARCHES = (bisect, bisect_left, bisect_right)
INSERTS = (insort, insort_left, insort_right)
HEAPS = (heapq.heappush, heapq.heappop, heapq.heapify, heapq.heapreplace, heapq.heappushpop)
SILENT = (print, isinstance, issubclass, callable, id, type, input)
DRAINING = (list, tuple, sum, sorted, set, min, max, deque)  # functions that exhaust a generator
IN_PLACE: dict[type, str] = {
    ast.BitOr: "update",
    ast.BitAnd: "intersection_update",
    ast.Sub: "difference_update",
    ast.BitXor: "symmetric_difference_update",
}
TEXTS = frozenset(
    "join strip lstrip rstrip lower upper title replace index find startswith endswith zfill center"
    " isdigit isalpha isupper islower isspace isalnum swapcase capitalize format ljust rjust rfind"
    " bit_length as_integer_ratio is_integer partition rpartition".split()
)
COMPUTED = (TEXTS | {"split", "splitlines", "count"}) - {"zfill", "center", "ljust", "rjust", "format"}
ADDS = frozenset({"append", "appendleft", "add"})
UNIONS = {"union": ast.BitOr, "intersection": ast.BitAnd, "difference": ast.Sub, "symmetric_difference": ast.BitXor}
SET_OPERATORS: dict[type, Callable[..., set[Any]]] = {
    ast.BitOr: set.union,
    ast.BitAnd: set.intersection,
    ast.Sub: set.difference,
    ast.BitXor: set.symmetric_difference,
}
CHANGES_ARRAY = ("sort", "fill", "resize", "put", "itemset", "partition")


class SortItem:
    """An element of a list with its origin, ordered by its value or by the result of a key function."""

    __slots__ = ("by", "part")

    def __init__(self, part: Value, by: Value | None = None) -> None:
        self.part, self.by = part, by or part

    def __lt__(self, other: SortItem) -> bool:
        return bool(self.by.value < other.by.value)


def stopped(does: Any, found: list[Value]) -> Value:
    """Return the result of `any` or `all`, with the origins up to the deciding element."""
    truths = [is_true(each.value) for each in found]
    is_hit = does is any
    end = truths.index(is_hit) + 1 if is_hit in truths else len(truths)
    if None in truths[:end]:
        return Value()
    return Value(is_hit, found[end - 1].reads) if is_hit in truths else Value(not is_hit, union(found))


def function(
    beside: Reading, node: ast.Call, does: Any, given: list[Value], words: dict[str, Value], env: Env | None
) -> Steps:
    """Return the result of a function that is not traced."""
    one = given[0] if given else Value()
    codes = [code for each in given if (code := code_of(each))]
    if codes and len(given) == 1 and (does is next or does in DRAINING):
        made = yield Waiting(node, codes[0], {}, is_all=does is not next)
        if does is next:
            return beside.answer(made, ("next", Arguments([beside.argument(one)])))
        made.leaves = one.reads
        made.parts = [Value(each.value, one.reads) for each in made.parts or ()]
        return (yield from function(beside, node, does, [made], words, env))
    if codes:
        return beside.disturbed()
    if does in (min, max, sorted):
        return (yield from chosen(beside, node, does, given, words, env))
    try:
        known = FUNCTIONS.get(does)
    except TypeError:
        known = None
    if known is not None and not set(words) - {"start", "initial", "strict", "key"}:
        return known(beside, given, words)
    if does in HEAPS and given:
        return heaped(beside, does, given)
    if does in INSERTS and len(given) == 2 and not words:
        return arranged(beside, one, lambda row: does(row, SortItem(given[1])))
    module = getattr(does, "__module__", "")
    if module == "random":
        return lost(beside, one.value) if getattr(does, "__name__", "") == "shuffle" and given else Value()
    if does is map and len(given) == 2 and node.args and isinstance(node.args[0], ast.Lambda | ast.Name):
        parts = beside.parts(given[1])
        if parts is None:
            return Value()
        found = []
        for each in parts:
            found.append((yield from applied(beside, node, node.args[0], one, each, env)))
        return Value(ABSENT, union(found), found)
    if does in SIMPLE or module == "math":
        if any(each.value is ABSENT for each in given):
            return made_of(given)
        is_known = given and are_plain(given) and not words
        are_small = all(type(each.value) in (int, float) and abs(each.value) < LONGEST for each in given)
        is_big = does is pow or module == "math" and not are_small
        try:
            return Value(does(*(each.value for each in given)) if is_known and not is_big else ABSENT, union(given))
        except Exception as error:  # the program's own operation fails too
            raise beside.fails(given[isinstance(error, ZeroDivisionError) :]) from error
    if does in SILENT:
        return Value()
    if does is filter or module in PURE:
        return made_of(each for each in given if type(each.value) is not FunctionType)
    kind = f"{module}.{type(does).__module__}."
    if "numpy" in kind and "random" not in kind and "out" not in words:
        return made_of(given)
    if isinstance(does, type) and issubclass(does, BaseException):
        return made_of(given)
    return Value() if type(getattr(does, "__self__", None)) in (int, float, str) else beside.disturbed()


def applied(beside: Reading, node: ast.Call, key: ast.expr, does: Value, part: Value, env: Env | None) -> Steps:
    """Return the result of a function for one value, evaluating the body if it is a `lambda`."""
    made = does.value
    if isinstance(key, ast.Lambda) and len(key.args.args) == 1:
        return (yield from beside.of(key.body, {**(env or {}), key.args.args[0].arg: part}))
    if beside.runs(made):
        value = yield from beside.wait(node, made, [part])
        return Value(value.value, part.reads, value.parts, value.held)
    if type(made) is itemgetter and len(args := made.__reduce__()[1]) == 1:
        return beside.at(part, args[0])
    if type(made) in (BuiltinFunctionType, type) and made in SIMPLE and is_plain(part.value):
        return Value(made(part.value), part.reads)
    if type(made) in (BuiltinFunctionType, type) and made in FUNCTIONS:
        return FUNCTIONS[made](beside, [part], {})
    if isinstance(key, ast.Attribute) and key.attr in ("get", "__getitem__"):
        box = yield from beside.of(key.value, env)
        return beside.at(box, part.value)
    if made is str.lower and type(part.value) is str:
        return Value(part.value.lower(), part.reads)
    return Value() if is_plain(made) or made is ABSENT else beside.disturbed()


def chosen(
    beside: Reading, node: ast.Call, does: Any, given: list[Value], words: dict[str, Value], env: Env | None
) -> Steps:
    """Return the result of `min`, `max` or `sorted`."""
    many = beside.parts(given[0]) if len(given) == 1 else given
    if many is None:
        return made_of(given) if is_array(given[0].value) else Value()
    if not many:
        if does is not sorted and "default" not in words:
            raise beside.fails(given)
        return listed([], given) if does is sorted else words["default"]
    key = next((word.value for word in node.keywords if word.arg == "key"), None)
    twins: list[SortItem] = []
    for part in many:
        by = part if key is None else (yield from applied(beside, node, key, words["key"], part, env))
        twins.append(SortItem(part, by))
    backwards = is_true(words["reverse"].value) if "reverse" in words else False
    if backwards is None or not are_plain(twin.by for twin in twins):
        return made_of(many) if does is sorted else Value()
    if does is sorted:
        return listed([each.part for each in sorted(twins, reverse=backwards)], given)
    best: SortItem = does(twins)
    part = best.part
    return part if key is None else Value(part.value, best.by.reads or part.reads, part.parts, part.held)


# Functions of Python

Known = Callable[[Reading, list[Value], dict[str, Value]], Value]  # called with positional and keyword arguments


def of_parts(does: Callable[[list[Value], list[Value]], Value]) -> Known:
    """Turn a function of all elements and the arguments into a function of the arguments."""

    def of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
        parts = beside.parts(given[0]) if given else []
        return made_of(given) if parts is None else does(parts, given)

    return of


def unknown(made: Value) -> Value:
    """Return a value with the same origins for a container that is no plain list, dict or set."""
    return Value(ABSENT, made.reads, made.parts, made.held)


def total(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `sum`."""
    parts = beside.parts(given[0])
    start = given[1:] or [words.get("start", Value(0))]
    if parts is None:
        return made_of([given[0], *start])
    are_numbers = all(type(each.value) in (int, float) for each in parts) and start[0].value == 0
    return Value(sum(each.value for each in parts) if are_numbers else ABSENT, union([given[0], *start]))


def counted_up(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `enumerate`."""
    first = given[1] if len(given) > 1 else words.get("start", Value(0))
    walk, start = beside.walk(given[0]), first.value
    if walk is None or type(start) is not int:
        return Value()
    text = f"the next of enumerate{written(Arguments([beside.argument(given[0])]))}"
    return Value(ABSENT, union(given), walk=pairs_of([lambda n: Value(start + n, first.reads, told=text), walk]))


def side_by_side(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `zip`."""
    walks = [walk for each in given if (walk := beside.walk(each)) is not None]
    return Value(ABSENT, union(given), walk=pairs_of(walks)) if len(walks) == len(given) > 0 else Value()


def turned(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `reversed`."""
    walk, made = beside.walk(given[0]), given[0].value
    if walk is None:
        return Value()
    last = len(beside.parts(given[0]) or ()) if made is ABSENT else len(made)
    return Value(ABSENT, given[0].reads, walk=lambda number: walk(last - 1 - number) if number < last else None)


def dict_of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `dict`."""
    if not given:
        return mapped([(Value(key), value) for key, value in words.items()])
    parts = beside.parts(given[0])
    if parts is None:
        return Value()
    if type(given[0].value) in TABLES:
        return mapped([(each, beside.at(given[0], each.value)) for each in parts], given)
    pairs = [beside.parts(each) for each in parts]
    found = [(pair[0], pair[1]) for pair in pairs if pair is not None and len(pair) == 2]
    return mapped(found) if len(found) == len(parts) else made_of(parts)


def same_for_all(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `dict.fromkeys`."""
    keys = beside.parts(given[0])
    return Value() if keys is None else mapped([(key, [*given, Value(None)][1]) for key in keys], given)


def tally(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `Counter`."""
    parts = beside.parts(given[0]) if given else []
    if parts is None or not are_plain(parts) or given and type(given[0].value) in TABLES:
        return Value()
    hits: dict[Any, list[Value]] = {}
    for each in parts:
        hits.setdefault(each.value, []).append(each)
    return unknown(mapped([(same[0], Value(len(same), union(same))) for same in hits.values()], given))


def first_of(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `next` for an iterator that the statement has created."""
    parts, walk = given[0].parts, given[0].walk
    if parts is None and walk is None:
        is_builtin = type(given[0].value).__module__ == "builtins" and type(given[0].value) is not GeneratorType
        return made_of(given[:1]) if is_builtin else beside.disturbed()
    first = walk(0) if parts is None and walk is not None else next(iter(parts or ()), None)
    return first or (given[1] if len(given) > 1 else Value())


def one_after_the_other(beside: Reading, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `chain`."""
    rows = [beside.parts(each) for each in given]
    return Value() if None in rows else unknown(listed([part for row in rows for part in row or ()]))


FUNCTIONS: dict[Any, Known] = {
    len: lambda beside, given, words: beside.size(given[0]),
    iter: lambda beside, given, words: Value(ABSENT, given[0].reads, walk=beside.walk(given[0])),
    defaultdict: lambda beside, given, words: Value(parts=[], held={}) if len(given) == 1 else Value(),
    OrderedDict: lambda beside, given, words: unknown(dict_of(beside, given, words)),
    list: of_parts(listed), tuple: of_parts(tupled), deque: of_parts(lambda *given: unknown(listed(*given))),
    set: of_parts(gathered), frozenset: of_parts(lambda *given: unknown(gathered(*given))),
    any: of_parts(lambda parts, _: stopped(any, parts)), all: of_parts(lambda parts, _: stopped(all, parts)),
    sum: total, enumerate: counted_up, zip: side_by_side,
    reversed: turned, dict: dict_of, Counter: tally, vars(dict)["fromkeys"]: same_for_all, next: first_of,
    chain: one_after_the_other, **dict.fromkeys(SEARCHES, lambda beside, given, words: made_of(given[1:2])),
}  # fmt: skip


# Methods


def method(beside: Reading, name: str, me: Value, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of a method of a container, a string or a number."""
    made: Any = beside.check(me)
    is_moved = type(me.value) in (list, deque) and name in MOVES and me.parts is None
    if is_moved and made is ABSENT and not beside.is_disturbed:  # already changed by this statement, in a known way
        made = me.value
    if is_plain(me.value) and not is_box(me.value) or type(me.value) is str:
        return of_text(beside, name, me, given)
    is_new = me.parts is not None and type(made) is not tuple
    if is_new and name in ADDS or made is ABSENT and (me.parts is not None or me.held is not None):
        return of_new(name, me, given)
    if type(made) in TABLES:
        return of_table(beside, name, me, given, words)
    if type(made) in (list, deque) and name in MOVES:
        return moved(beside, name, me, given, words)
    if type(made) in SETS and name in SET_MOVES:
        return of_set(beside, name, me, given)
    if type(made) in SETS and name in UNIONS and len(given) == 1 and not words:
        return beside_set(beside, UNIONS[name], me, given[0])
    if name in ("count", "index") and (parts := beside.parts(me)) is not None and given:
        if not are_plain([*parts, *given]):
            return made_of([me, *given])
        hits = [n for n, each in enumerate(parts) if each.value == given[0].value]
        if name == "count":
            return Value(len(hits), union([me, *given]))
        return Value(hits[0] if len(given) == 1 else ABSENT, union([me, *given]))
    if name == "copy" and type(made) in (list, deque, *SETS) and (parts := beside.parts(me)) is not None:
        return (gathered if type(made) in SETS else listed)(parts, [me])
    if is_array(made) and name not in CHANGES_ARRAY:
        return made_of([me, *given])
    return lost(beside, made) if is_box(made) else beside.disturbed()


def of_text(beside: Reading, name: str, me: Value, given: list[Value]) -> Value:
    """Return the result of a method of a string or a number."""
    reads = union([me, *given])
    is_known = all(type(each.value) in (str, int) for each in (me, *given)) and type(me.value) is str
    if not is_known or name not in COMPUTED:
        return Value(ABSENT, reads)
    value = getattr(me.value, name)(*(each.value for each in given))
    return Value(value, reads, [Value(each, reads) for each in value] if type(value) is list else None)


def of_new(name: str, me: Value, given: list[Value]) -> Value:
    """Apply a method to a container that the statement has created, and return its result."""
    if name in ADDS and me.parts is not None and given:
        me.add(given[0])
        return Value(None)
    if name in ("items", "most_common") and me.parts is not None and me.held is not None:
        held = [me.held.get(key.value, Value()) for key in me.parts]
        if name == "most_common":
            return commonest(me.parts, held, given)
        return Value(ABSENT, me.reads, [tupled([*pair]) for pair in zip(me.parts, held, strict=True)])
    if name == "copy":
        return me
    me.parts = me.held = None
    me.leaves, me.place = (), None
    return Value()


def commonest(keys: list[Value], counts: list[Value], given: list[Value]) -> Value:
    """Return the pairs of a Counter, the largest counts first."""
    if not all(type(each.value) is int for each in counts):
        return Value()
    pairs = sorted(zip(keys, counts, strict=True), key=lambda pair: pair[1].value, reverse=True)
    most = given[0].value if given else None
    return listed([tupled([*pair]) for pair in pairs][: most if type(most) is int else None])


def of_table(beside: Reading, name: str, me: Value, given: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of a method of a dict."""
    made = me.value
    if name in ("get", "pop", "setdefault") and given:
        key = given[0].value
        if not is_plain(key) and (key is ABSENT or has_hash(key)):
            beside.changed.add(id(made))
            return Value()
        if dict.__contains__(made, key):
            found = beside.at(me, key)
        elif name == "pop" and len(given) == 1:
            raise KeyError
        else:
            found = given[1] if len(given) > 1 else Value(None)
            if name == "setdefault":
                beside.cells.append((me, key, found))
        if name == "pop":
            beside.changed.add(id(made))
        return found
    if name in ("keys", "values", "items"):
        keys, walk = list(made), beside.walk(me)
        if walk is None or name == "keys":
            return Value(ABSENT, me.reads, walk=walk)

        def held(number: int) -> Value | None:
            return beside.at(me, keys[number]) if number < len(keys) else None

        return Value(ABSENT, me.reads, walk=held if name == "values" else pairs_of([walk, held]))
    if name == "copy":
        return dict_of(beside, [me], {})
    if name == "most_common" and (parts := beside.parts(me)) is not None:
        return commonest(parts, [beside.at(me, each.value) for each in parts], given)
    if name == "popitem":
        last = is_true(words["last"].value) if "last" in words else True
        if last is None:
            return Value()
        key = list(made)[-1 if last else 0]
        pair = tupled([beside.came(me, key), beside.at(me, key)])
        beside.changed.add(id(made))
        return pair
    if name == "update" and len(given) == 1:
        beside.cells += [(me, key, value) for key, value in (dict_of(beside, given, {}).held or {}).items()]
    beside.changed.add(id(made))
    return Value(None if name in ("update", "clear") else ABSENT)


def of_set(beside: Reading, name: str, me: Value, given: list[Value]) -> Value:
    """Record the changes of a method of a set and return its result."""
    beside.changed.add(id(me.value))
    new = given[:1] if name == "add" else []
    if name == "update":
        new = [part for each in given for part in beside.parts(each) or ()]
    beside.cells += [(me, part.value, part) for part in new]
    return Value() if name == "pop" else Value(None)


def beside_set(beside: Reading, kind: type, one: Value, other: Value) -> Value:
    """Return the result of an operator on two sets."""
    left, right = beside.parts(one), beside.parts(other)
    if left is None or right is None or not are_plain([*left, *right]):
        return Value()
    if kind not in SET_OPERATORS:
        return Value()
    keys = SET_OPERATORS[kind](*({each.value for each in row} for row in (left, right)))
    return gathered([each for each in (*left, *right) if each.value in keys], [one, other])


def moved(beside: Reading, name: str, me: Value, given: list[Value], words: dict[str, Value]) -> Value:
    """Record the changes of a method of a list or a deque and return its result."""
    made = me.value
    if id(made) in beside.changed:  # changed by this statement
        before = beside.arranged.get(id(made))
        if before is not None and before.does is not None and len(made) <= LONGEST:
            del beside.arranged[id(made)]
            beside.changed.discard(id(made))
            arranged(beside, me, before.does)
            before = beside.arranged[id(made)]
        if before is None or before.parts is None:
            return lost(beside, made)
        return again(beside, name, made, before.parts, given)
    keys = [each.value for each in given]
    if name == "append" and given and not (type(made) is deque and made.maxlen is not None):
        beside.cells.append((me, len(made), given[0]))
        beside.changed.add(id(made))
        return Value(None)
    if name in ("pop", "popleft"):
        key = keys[0] if keys else -1 if name == "pop" else 0
        if type(key) is not int:
            return lost(beside, made)
        place = range(len(made))[key]
        found = beside.at(me, key)
        if keys or name == "popleft":
            shifted(beside, me, place)
        beside.changed.add(id(made))
        return found
    if name in ("sort", "reverse", "rotate", "extend", "extendleft"):
        backwards = is_true(words["reverse"].value) if "reverse" in words else False
        more = beside.parts(given[0]) if given and name in ("extend", "extendleft") else []
        old = beside.parts(me) or [] if name == "sort" else None
        if "key" in words or backwards is None or more is None or old and not are_plain(old):
            return lost(beside, made, old)
        its: list[Any] = [[SortItem(each) for each in more]] if name in ("extend", "extendleft") else keys
        ways = {"reverse": True} if backwards else {}
        at = {"extend": len(made), "extendleft": 0}.get(name)
        return arranged(beside, me, lambda row: getattr(row, name)(*its, **ways), name == "sort", at)
    if name == "insert":
        at = keys[0] if type(keys[0]) is int else 0
        at = max(at + len(made), 0) if at < 0 else at
        return shifted(beside, me, min(at, len(made)), given[1])
    if name == "appendleft":
        return shifted(beside, me, 0, given[0])
    if name == "remove":
        parts = beside.parts(me)
        if parts is None or not are_plain([*parts, *given]):
            return lost(beside, made)
        return shifted(beside, me, [each.value for each in parts].index(keys[0]))
    beside.changed.add(id(made))  # the list is empty now
    return Value(None)


def again(beside: Reading, name: str, made: Any, parts: list[Value], given: list[Value]) -> Value:
    """Remove or append an element of a list that the statement has changed already."""
    keys = [each.value for each in given]
    parts, found = list(parts), Value(None)
    if name in ("pop", "popleft") and all(type(key) is int for key in keys):
        found = parts.pop(keys[0] if keys else -1 if name == "pop" else 0)
    elif name == "append" and given:
        parts.append(given[0])
    else:
        return lost(beside, made)
    beside.arranged[id(made)] = Arrangement(parts)
    return found


def shifted(beside: Reading, me: Value, at: int, new: Value | None = None) -> Value:
    """Insert an element at an index of a list, or remove the element there."""
    made = me.value
    if type(made) is deque and made.maxlen is not None:
        return lost(beside, made)
    beside.changed.add(id(made))
    if new is not None:
        beside.cells.append((me, at, new))

    def does(row: Any) -> object:
        return row.__delitem__(at) if new is None else row.insert(at, SortItem(new))

    beside.arranged[id(made)] = Arrangement(None, at, does)
    return Value(None)


def lost(beside: Reading, made: Any, before: list[Value] | None = None) -> Value:
    """Note that the order of a list is unknown; with before, its elements are still recognised by identity."""
    beside.changed.add(id(made))
    beside.arranged[id(made)] = Arrangement(None, before=before)
    return Value()


def arranged(
    beside: Reading, me: Value, does: Callable[[Any], object], is_ordered: bool = False, at: int | None = None
) -> Value:
    """Repeat an operation on a list with the origins of its elements."""
    made, parts = me.value, beside.parts(me)
    if parts is None or is_ordered and not are_plain(parts):
        return lost(beside, made)
    row: Any = [SortItem(part) for part in parts]
    row = deque(row, made.maxlen) if type(made) is deque else row
    gives = does(row)
    beside.changed.add(id(made))
    beside.arranged[id(made)] = Arrangement([each.part for each in row], at)
    return gives.part if isinstance(gives, SortItem) else Value(None)


def heaped(beside: Reading, does: Any, given: list[Value]) -> Value:
    """Record the changes of a function of `heapq` and return its result."""
    heap, more = given[0], given[1:]
    if type(beside.check(heap)) is not list:
        return beside.disturbed()
    top = beside.at(heap, 0) if does in (heapq.heappop, heapq.heapreplace) else Value()
    if are_plain(more):
        found = arranged(beside, heap, lambda row: does(row, *map(SortItem, more)), is_ordered=True)
    else:
        found = lost(beside, heap.value)
    return found if beside.arranged[id(heap.value)].parts is not None else top


def cut_in(beside: Reading, me: Value, cut: slice, value: Value) -> None:
    """Replace a slice of a list."""
    made, more = beside.check(me), beside.parts(value)
    if type(made) is list and more is not None:
        at = cut.indices(len(made))[0] if len(range(*cut.indices(len(made)))) != len(more) else None
        arranged(beside, me, lambda row: row.__setitem__(cut, [SortItem(each) for each in more]), at=at)
    elif type(me.value) is list:
        lost(beside, me.value)
    elif not is_array(made):
        beside.disturbed()
