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

from crashlab.base.groups import grouped
from crashlab.watch.film_data import Arguments, written
from crashlab.watch.origins import (
    CODE,
    LONGEST,
    SETS,
    TABLES,
    UNKNOWN,
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
    obscure,
    pairs_of,
    tupled,
    union,
    without_text,
)
from crashlab.watch.reading import Env, Reading, Steps, Waiting, code_of, has_hash
from crashlab.watch.snapshots import asks, is_array
from crashlab.watch.statements import MOVES, SET_MOVES
from crashlab.watch.things import ABSENT

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


def stopped(does: Any, elements: list[Value]) -> Value:
    """Return the result of `any` or `all`, with the origins up to the deciding element."""
    truths = [is_true(element.value) for element in elements]
    is_hit = does is any
    end = truths.index(is_hit) + 1 if is_hit in truths else len(truths)
    if None in truths[:end]:
        return obscure()
    return Value(is_hit, elements[end - 1].reads) if is_hit in truths else Value(not is_hit, union(elements))


def function(
    beside: Reading, node: ast.Call, does: Any, args: list[Value], words: dict[str, Value], env: Env | None
) -> Steps:
    """Return the result of a function that is not traced."""
    if type(does) not in CODE and (has_hash(does) or asks(type(does), "__getattr__", "__getattribute__")):
        return beside.disturbed()  # the comparisons below may call its methods
    one = args[0] if args else Value()
    codes = [code for arg in args if (code := code_of(arg))]
    if codes and len(args) == 1 and (does is next or does in DRAINING):
        result = yield Waiting(node, codes[0], {}, is_all=does is not next)
        if does is next:
            return beside.answer(result, ("next", Arguments([beside.argument(one)])))
        result.leaves = one.reads
        result.parts = [Value(part.value, one.reads) for part in result.parts or ()]
        return (yield from function(beside, node, does, [result], words, env))
    if codes:
        return beside.disturbed()
    if one.value is None and does in (*DRAINING, len, any, all, enumerate, zip, reversed, iter):
        raise beside.fails([one])
    if does in (min, max, sorted):
        return (yield from chosen(beside, node, does, args, words, env))
    model = FUNCTIONS.get(does)
    if model is not None and not set(words) - {"start", "initial", "strict", "key"}:
        return model(beside, args, words)
    if does in HEAPS and args or does in INSERTS and len(args) == 2 and not words:
        return heaped(beside, does, args)
    module = getattr(does, "__module__", "")
    if module == "random":
        if getattr(does, "__name__", "") == "shuffle" and args:
            return lost(beside, one.value)
        return obscure() if union(args) else Value()
    if does is map and len(args) == 2 and node.args and isinstance(node.args[0], ast.Lambda | ast.Name):
        parts = beside.parts(args[1])
        if parts is None:
            return obscure()
        results = []
        for arg in parts:
            results.append((yield from applied(beside, node, node.args[0], one, arg, env)))
        return Value(ABSENT, union(results), results)
    if does in SIMPLE or module == "math":
        if any(arg.value is ABSENT for arg in args):
            return made_of(args)
        is_known = args and are_plain(args) and not words
        are_small = all(type(arg.value) in (int, float) and abs(arg.value) < LONGEST for arg in args)
        is_big = does is pow or module == "math" and not are_small
        try:
            return Value(does(*(arg.value for arg in args)) if is_known and not is_big else ABSENT, union(args))
        except Exception as error:  # the program's own operation fails too
            raise beside.fails(args[isinstance(error, ZeroDivisionError) :]) from error
    if does in SILENT:
        return Value()
    if does is filter or module in PURE:
        return made_of(arg for arg in args if type(arg.value) is not FunctionType)
    kind = f"{module}.{type(does).__module__}."
    if "numpy" in kind and "random" not in kind and "out" not in words:
        return made_of(args)
    if isinstance(does, type) and issubclass(does, BaseException):
        return made_of(args)
    return obscure() if type(getattr(does, "__self__", None)) in (int, float, str) else beside.disturbed()


def applied(beside: Reading, node: ast.Call, key: ast.expr, does: Value, part: Value, env: Env | None) -> Steps:
    """Return the result of a function for one value, evaluating the body if it is a `lambda`."""
    function = does.value
    if isinstance(key, ast.Lambda) and len(key.args.args) == 1:
        return (yield from beside.of(key.body, {**(env or {}), key.args.args[0].arg: part}))
    if beside.runs(function):
        value = yield from beside.wait(node, function, [part])
        return Value(value.value, part.reads, value.parts, value.by_key)
    if type(function) is itemgetter and len(args := function.__reduce__()[1]) == 1:
        return beside.at(part, args[0])
    if type(function) in (BuiltinFunctionType, type) and function in SIMPLE and is_plain(part.value):
        return Value(function(part.value), part.reads)
    if type(function) in (BuiltinFunctionType, type) and function in FUNCTIONS:
        return FUNCTIONS[function](beside, [part], {})
    if isinstance(key, ast.Attribute) and key.attr in ("get", "__getitem__"):
        return beside.at((yield from beside.of(key.value, env)), part.value)
    if function is str.lower and type(part.value) is str:
        return Value(part.value.lower(), part.reads)
    return obscure() if is_plain(function) or function is ABSENT else beside.disturbed()


def chosen(
    beside: Reading, node: ast.Call, does: Any, args: list[Value], words: dict[str, Value], env: Env | None
) -> Steps:
    """Return the result of `min`, `max` or `sorted`."""
    many = beside.parts(args[0]) if len(args) == 1 else args
    if many is None:
        return made_of(args) if is_array(args[0].value) else obscure()
    if not many:
        if does is not sorted and "default" not in words:
            raise beside.fails(args)
        return listed([], args) if does is sorted else words["default"]
    key = next((word.value for word in node.keywords if word.arg == "key"), None)
    items: list[SortItem] = []
    for part in many:
        by = part if key is None else (yield from applied(beside, node, key, words["key"], part, env))
        items.append(SortItem(part, by))
    backwards = is_true(words["reverse"].value) if "reverse" in words else False
    if backwards is None or not are_plain(item.by for item in items):
        return made_of(many) if does is sorted else obscure()
    if does is sorted:
        return listed([item.part for item in sorted(items, reverse=backwards)], args)
    best: SortItem = does(items)
    part = best.part
    return part if key is None else Value(part.value, best.by.reads or part.reads, part.parts, part.by_key)


# Functions of Python

Model = Callable[[Reading, list[Value], dict[str, Value]], Value]  # called with positional and keyword arguments


def of_parts(does: Callable[[list[Value], list[Value]], Value]) -> Model:
    """Turn a function of the first argument's elements and all arguments into a Model."""

    def of(beside: Reading, args: list[Value], words: dict[str, Value]) -> Value:
        parts = beside.parts(args[0]) if args else []
        return made_of(args) if parts is None else does(parts, args)

    return of


def unknown(value: Value) -> Value:
    """Return a Value with the same origins but an unknown object, for a container such as a deque or a Counter."""
    return Value(ABSENT, value.reads, value.parts, value.by_key)


def total(beside: Reading, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `sum`."""
    parts = beside.parts(args[0])
    start = args[1:] or [words.get("start", Value(0))]
    if parts is None:
        return made_of([args[0], *start])
    are_numbers = all(type(part.value) in (int, float) for part in [*parts, *start]) and start[0].value == 0
    return Value(sum(part.value for part in parts) if are_numbers else ABSENT, union([args[0], *start]))


def counted_up(beside: Reading, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `enumerate`."""
    first = args[1] if len(args) > 1 else words.get("start", Value(0))
    walk, start = beside.walk(args[0]), first.value
    if walk is None or type(start) is not int:
        return obscure()
    text = f"the next of enumerate{written(Arguments(map(beside.argument, [*args, *words.values()])))}"
    return Value(ABSENT, union(args), walk=pairs_of([lambda n: Value(start + n, first.reads, text=text), walk]))


def side_by_side(beside: Reading, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `zip`."""
    walks = [walk for arg in args if (walk := beside.walk(arg)) is not None]
    return Value(ABSENT, union(args), walk=pairs_of(walks)) if len(walks) == len(args) > 0 else obscure()


def turned(beside: Reading, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `reversed`."""
    walk, container = beside.walk(args[0]), args[0].value
    if walk is None:
        return obscure()
    last = len(beside.parts(args[0]) or ()) if container is ABSENT else len(container)

    def from_end(number: int) -> Value | None:
        return without_text(walk(last - 1 - number) or Value()) if number < last else None

    return Value(ABSENT, args[0].reads, walk=from_end)


def dict_of(beside: Reading, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `dict`."""
    if not args:
        return mapped([(Value(key), value) for key, value in words.items()])
    parts = beside.parts(args[0])
    if parts is None:
        return obscure()
    if type(args[0].value) in TABLES:
        return mapped([(part, beside.at(args[0], part.value)) for part in parts], args)
    pairs = [beside.parts(part) for part in parts]
    valid_pairs = [(pair[0], pair[1]) for pair in pairs if pair is not None and len(pair) == 2]
    return mapped(valid_pairs) if len(valid_pairs) == len(parts) else made_of(parts)


def same_for_all(beside: Reading, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `dict.fromkeys`."""
    keys = beside.parts(args[0])
    return obscure() if keys is None else mapped([(key, [*args, Value(None)][1]) for key in keys], args)


def tally(beside: Reading, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `Counter`."""
    parts = beside.parts(args[0]) if args else []
    if parts is None or not are_plain(parts) or args and type(args[0].value) in TABLES:
        return obscure()
    hits = grouped((part.value, part) for part in parts)
    return unknown(mapped([(same[0], Value(len(same), union(same))) for same in hits.values()], args))


def first_of(beside: Reading, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `next` for an iterator that the statement has created."""
    parts, walk = args[0].parts, args[0].walk
    if parts is None and walk is None:
        is_builtin = type(args[0].value).__module__ == "builtins" and type(args[0].value) is not GeneratorType
        return made_of(args[:1]) if is_builtin else beside.disturbed()
    first = walk(0) if parts is None and walk is not None else next(iter(parts or ()), None)
    return without_text(first or (args[1] if len(args) > 1 else Value()))


def one_after_the_other(beside: Reading, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of `chain`."""
    rows = [beside.parts(arg) for arg in args]
    return obscure() if None in rows else unknown(listed([part for row in rows for part in row or ()]))


FUNCTIONS: dict[Any, Model] = {
    len: lambda beside, args, words: beside.size(args[0]),
    iter: lambda beside, args, words: Value(ABSENT, args[0].reads, walk=beside.walk(args[0])),
    defaultdict: lambda beside, args, words: Value(parts=[], by_key={}) if len(args) == 1 else obscure(),
    OrderedDict: lambda beside, args, words: unknown(dict_of(beside, args, words)),
    list: of_parts(listed), tuple: of_parts(tupled), deque: of_parts(lambda *args: unknown(listed(*args))),
    set: of_parts(gathered), frozenset: of_parts(lambda *args: unknown(gathered(*args))),
    any: of_parts(lambda parts, _: stopped(any, parts)), all: of_parts(lambda parts, _: stopped(all, parts)),
    sum: total, enumerate: counted_up, zip: side_by_side,
    reversed: turned, dict: dict_of, Counter: tally, vars(dict)["fromkeys"]: same_for_all, next: first_of,
    chain: one_after_the_other, **dict.fromkeys(SEARCHES, lambda beside, args, words: made_of(args[1:2])),
}  # fmt: skip


# Methods


def method(beside: Reading, name: str, me: Value, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of a method of a container, a string or a number."""
    container: Any = beside.check(me)
    is_moved = type(me.value) in (list, deque) and name in MOVES and me.parts is None
    if is_moved and container is ABSENT and not beside.is_disturbed:  # changed by this statement, in a known way
        container = me.value
    if is_plain(me.value) and not is_box(me.value) or type(me.value) is str:
        return of_text(name, me, args, words)
    is_new = me.parts is not None and type(container) is not tuple
    if is_new and name in ADDS or container is ABSENT and (me.parts is not None or me.by_key is not None):
        return of_new(name, me, args)
    if type(container) in TABLES:
        return of_table(beside, name, me, args, words)
    if type(container) in (list, deque) and name in MOVES:
        return moved(beside, name, me, args, words)
    if type(container) in SETS and name in SET_MOVES:
        return of_set(beside, name, me, args)
    if type(container) in SETS and name in UNIONS and len(args) == 1 and not words:
        return beside_set(beside, UNIONS[name], me, args[0])
    if name in ("count", "index") and (parts := beside.parts(me)) is not None and args:
        if not are_plain([*parts, *args]):
            return made_of([me, *args])
        hits = [n for n, part in enumerate(parts) if part.value == args[0].value]
        if name == "count":
            return Value(len(hits), union([me, *args]))
        return Value(hits[0] if len(args) == 1 else ABSENT, union([me, *args]))
    if name == "copy" and type(container) in (list, deque, *SETS) and (parts := beside.parts(me)) is not None:
        return (gathered if type(container) in SETS else listed)(parts, [me])
    if is_array(container) and name not in CHANGES_ARRAY:
        return made_of([me, *args])
    return lost(beside, container) if is_box(container) else beside.disturbed()


def of_text(name: str, me: Value, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of a method of a string or a number."""
    values = [me, *args, *words.values()]
    reads = union(values)
    is_known = all(type(value.value) in (str, int) for value in values) and type(me.value) is str
    if not is_known or name not in COMPUTED:
        return Value(ABSENT, reads)
    value = getattr(me.value, name)(*(arg.value for arg in args), **{key: word.value for key, word in words.items()})
    return Value(value, reads, [Value(word, reads) for word in value] if type(value) is list else None)


def of_new(name: str, me: Value, args: list[Value]) -> Value:
    """Apply a method to a container that the statement has created, and return its result."""
    if name in ADDS and me.parts is not None and args:
        me.add(args[0])
        return Value(None)
    if name in ("items", "most_common") and me.parts is not None and me.by_key is not None:
        values = [me.by_key.get(key.value, Value()) for key in me.parts]
        if name == "most_common":
            return commonest(me.parts, values, args)
        return Value(ABSENT, me.reads, [tupled([*pair]) for pair in zip(me.parts, values, strict=True)])
    if name == "copy":
        return me
    me.parts = me.by_key = None
    me.leaves, me.place = (UNKNOWN,), None
    return obscure()


def commonest(keys: list[Value], counts: list[Value], args: list[Value]) -> Value:
    """Return the pairs of a Counter, the largest counts first."""
    if not all(type(count.value) is int for count in counts):
        return obscure()
    pairs = sorted(zip(keys, counts, strict=True), key=lambda pair: pair[1].value, reverse=True)
    most = args[0].value if args else None
    return listed([tupled([*pair]) for pair in pairs][: most if type(most) is int else None])


def of_table(beside: Reading, name: str, me: Value, args: list[Value], words: dict[str, Value]) -> Value:
    """Return the result of a method of a dict."""
    table = me.value
    if name in ("get", "pop", "setdefault") and args:
        key = args[0].value
        if not is_plain(key) and (key is ABSENT or has_hash(key)):
            beside.changed.add(id(table))
            return obscure()
        if dict.__contains__(table, key):
            result = beside.at(me, key)
        elif name == "pop" and len(args) == 1:
            raise KeyError
        else:
            result = args[1] if len(args) > 1 else Value(None)
            if name == "setdefault":
                beside.cells.append((me, key, result))
        if name == "pop":
            beside.changed.add(id(table))
        return result
    if name in ("keys", "values", "items"):
        keys, walk = list(table), beside.walk(me)
        if walk is None or name == "keys":
            return Value(ABSENT, me.reads, walk=walk)

        def value_at(number: int) -> Value | None:
            return beside.at(me, keys[number]) if number < len(keys) else None

        return Value(ABSENT, me.reads, walk=value_at if name == "values" else pairs_of([walk, value_at]))
    if name == "copy":
        return dict_of(beside, [me], {})
    if name == "most_common" and (parts := beside.parts(me)) is not None:
        return commonest(parts, [beside.at(me, part.value) for part in parts], args)
    if name == "popitem":
        last = is_true(words["last"].value) if "last" in words else True
        if last is None:
            return obscure()
        key = list(table)[-1 if last else 0]
        pair = tupled([beside.came(me, key), beside.at(me, key)])
        beside.changed.add(id(table))
        return pair
    if name == "update" and len(args) == 1:
        beside.cells += [(me, key, value) for key, value in (dict_of(beside, args, {}).by_key or {}).items()]
    beside.changed.add(id(table))
    return Value(None) if name in ("update", "clear") else obscure()


def of_set(beside: Reading, name: str, me: Value, args: list[Value]) -> Value:
    """Record the changes made by a method of a set, and return its result."""
    beside.changed.add(id(me.value))
    new = args[:1] if name == "add" else []
    if name == "update":
        new = [part for arg in args for part in beside.parts(arg) or ()]
    beside.cells += [(me, part.value, part) for part in new]
    return obscure() if name == "pop" else Value(None)


def beside_set(beside: Reading, kind: type, one: Value, other: Value) -> Value:
    """Return the result of an operator on two sets."""
    left, right = beside.parts(one), beside.parts(other)
    if left is None or right is None or not are_plain([*left, *right]):
        return obscure()
    if kind not in SET_OPERATORS:
        return obscure()
    keys = SET_OPERATORS[kind](*({element.value for element in row} for row in (left, right)))
    return gathered([element for element in (*left, *right) if element.value in keys], [one, other])


def moved(beside: Reading, name: str, me: Value, args: list[Value], words: dict[str, Value]) -> Value:
    """Record the changes made by a method of a list or a deque, and return its result."""
    container = me.value
    if id(container) in beside.changed:  # changed by this statement
        before = beside.arranged.get(id(container))
        if before is not None and before.does is not None and len(container) <= LONGEST:
            del beside.arranged[id(container)]
            beside.changed.discard(id(container))
            arranged(beside, me, before.does)
            before = beside.arranged[id(container)]
        if before is None or before.parts is None:
            return lost(beside, container)
        return again(beside, name, container, before.parts, args)
    keys = [arg.value for arg in args]
    if name == "append" and args and not (type(container) is deque and container.maxlen is not None):
        beside.cells.append((me, len(container), args[0]))
        beside.changed.add(id(container))
        return Value(None)
    if name in ("pop", "popleft"):
        key = keys[0] if keys else -1 if name == "pop" else 0
        if type(key) is not int:
            return lost(beside, container)
        place = range(len(container))[key]
        element = beside.at(me, key)
        if keys or name == "popleft":
            shifted(beside, me, place)
        beside.changed.add(id(container))
        return element
    if name in ("sort", "reverse", "rotate", "extend", "extendleft"):
        backwards = is_true(words["reverse"].value) if "reverse" in words else False
        more = beside.parts(args[0]) if args and name in ("extend", "extendleft") else []
        old = beside.parts(me) or [] if name == "sort" else None
        if "key" in words or backwards is None or more is None or old and not are_plain(old):
            return lost(beside, container, old)
        its: list[Any] = [[SortItem(part) for part in more]] if name in ("extend", "extendleft") else keys
        ways = {"reverse": True} if backwards else {}
        at = {"extend": len(container), "extendleft": 0}.get(name)
        return arranged(beside, me, lambda row: getattr(row, name)(*its, **ways), name == "sort", at)
    if name == "insert":
        at = keys[0] if type(keys[0]) is int else 0
        at = max(at + len(container), 0) if at < 0 else at
        return shifted(beside, me, min(at, len(container)), args[1])
    if name == "appendleft":
        return shifted(beside, me, 0, args[0])
    if name == "remove":
        parts = beside.parts(me)
        if parts is None or not are_plain([*parts, *args]):
            return lost(beside, container)
        return shifted(beside, me, [part.value for part in parts].index(keys[0]))
    beside.changed.add(id(container))  # the list is empty now
    return Value(None)


def again(beside: Reading, name: str, container: Any, parts: list[Value], args: list[Value]) -> Value:
    """Record that a method removes or appends an element of a list that the statement has already changed."""
    keys = [arg.value for arg in args]
    parts, element = list(parts), Value(None)
    if name in ("pop", "popleft") and all(type(key) is int for key in keys):
        element = parts.pop(keys[0] if keys else -1 if name == "pop" else 0)
    elif name == "append" and args:
        parts.append(args[0])
    else:
        return lost(beside, container)
    beside.arranged[id(container)] = Arrangement(parts)
    return element


def shifted(beside: Reading, me: Value, at: int, new: Value | None = None) -> Value:
    """Record that `new` is inserted into a list at an index or, if `new` is None, that an element is removed."""
    container = me.value
    if type(container) is deque and container.maxlen is not None:
        return lost(beside, container)
    beside.changed.add(id(container))
    if new is not None:
        beside.cells.append((me, at, new))

    def does(row: Any) -> object:
        return row.__delitem__(at) if new is None else row.insert(at, SortItem(new))

    beside.arranged[id(container)] = Arrangement(None, at, does)
    return Value(None)


def lost(beside: Reading, container: Any, before: list[Value] | None = None) -> Value:
    """Record that the order of a list is unknown; with `before`, its elements are still recognised by identity."""
    beside.changed.add(id(container))
    beside.arranged[id(container)] = Arrangement(None, before=before)
    return obscure()


def arranged(
    beside: Reading, me: Value, does: Callable[[Any], object], is_ordered: bool = False, at: int | None = None
) -> Value:
    """Repeat an operation on the origins of a list's elements, record their new order, and return the result."""
    container, parts = me.value, beside.parts(me)
    if parts is None or is_ordered and not are_plain(parts):
        return lost(beside, container)
    row: Any = [SortItem(part) for part in parts]
    row = deque(row, container.maxlen) if type(container) is deque else row
    gives = does(row)
    beside.changed.add(id(container))
    beside.arranged[id(container)] = Arrangement([item.part for item in row], at)
    return gives.part if isinstance(gives, SortItem) else Value(None)


def heaped(beside: Reading, does: Any, args: list[Value]) -> Value:
    """Record the changes made by a function of `heapq` or `bisect`, and return its result."""
    heap, more = args[0], args[1:]
    if type(beside.check(heap)) is not list:
        return beside.disturbed()
    top = beside.at(heap, 0) if does in (heapq.heappop, heapq.heapreplace) else obscure()
    if are_plain(more):
        result = arranged(beside, heap, lambda row: does(row, *map(SortItem, more)), is_ordered=True)
    else:
        result = lost(beside, heap.value)
    return result if beside.arranged[id(heap.value)].parts is not None else top


def cut_in(beside: Reading, me: Value, cut: slice, value: Value) -> None:
    """Record that a slice of a list is replaced."""
    container, more = beside.check(me), beside.parts(value)
    if type(container) is list and more is not None:
        at = cut.indices(len(container))[0] if len(range(*cut.indices(len(container)))) != len(more) else None
        arranged(beside, me, lambda row: row.__setitem__(cut, [SortItem(part) for part in more]), at=at)
    elif type(me.value) is list:
        lost(beside, me.value)
    elif not is_array(container):
        beside.disturbed()
