"""What a statement computes, evaluated beside it: where each of its values comes from.

The expressions of a statement are evaluated with what is known before it runs, each value together with the events
that brought it: of `min(a, b)` those of the winner, of `a if b else c` those of the branch that is taken, of `a + b`
those of both. Only plain values are computed with, and nothing of the program is called. What cannot be evaluated has
no cause.
"""

from __future__ import annotations

import ast
import builtins
import heapq
import operator as op
from bisect import bisect, bisect_left, bisect_right
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Protocol
from weakref import ref

from crashlab.watch.heap import ABSENT, Attribute, Thing, ThingKind
from crashlab.watch.snapshots import PLAIN, Shadow, Shadows, attribute
from crashlab.watch.statements import Statement, loaded, tops
from crashlab.watch.variables import Names

NOTHING = -1
NONE: frozenset[int] = frozenset()
LONGEST = 2000  # elements of a container that are looked at one by one
LARGEST = 1 << 64  # a number that is computed with
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: op.add, ast.Sub: op.sub, ast.Mult: op.mul, ast.FloorDiv: op.floordiv, ast.Mod: op.mod, ast.Div: op.truediv,
    ast.BitAnd: op.and_, ast.BitOr: op.or_, ast.BitXor: op.xor, ast.Lt: op.lt, ast.Gt: op.gt, ast.LtE: op.le,
    ast.GtE: op.ge, ast.Eq: op.eq, ast.NotEq: op.ne, ast.Is: op.is_, ast.IsNot: op.is_not, ast.USub: op.neg,
    ast.Not: op.not_, ast.UAdd: op.pos,
    ast.In: lambda one, many: one in many, ast.NotIn: lambda one, many: one not in many,
}  # fmt: skip
ROWS = (list, tuple, deque, str)
TABLES = (dict, defaultdict, OrderedDict, Counter)
BOXES = frozenset({*ROWS, *TABLES, set, frozenset})
SIMPLE = (abs, len, int, float, str, bool, range, ord, chr, round, divmod, pow)  # of plain values
SEARCHES = (bisect, bisect_left, bisect_right)
PUTS = frozenset("append appendleft add insert".split())
TESTS = (ast.Compare, ast.BoolOp)
INNER = (ast.Lambda, ast.SetComp, ast.DictComp)
TEXTS = frozenset("split join strip lower upper replace count index find startswith endswith copy".split())


class Literal(dict[Any, "Value"]):
    """A dict that is written in an expression."""


STRONG = frozenset({*PLAIN, *BOXES, Literal, FunctionType, BuiltinFunctionType, ModuleType, type, type(ABSENT)})


class Value:
    """A value, ABSENT if it is not known, the events that it comes from, and its elements if these have their own."""

    __slots__ = ("held", "is_weak", "origins", "parts")

    def __init__(self, value: Any = ABSENT, origins: frozenset[int] = NONE, parts: list[Value] | None = None) -> None:
        self.held, self.is_weak, self.origins, self.parts = value, False, origins, parts
        if type(value) not in STRONG:
            try:
                self.held, self.is_weak = ref(value), True
            except TypeError:
                pass

    @property
    def value(self) -> Any:
        """The value; an object is not kept alive, because its program may notice."""
        found = self.held() if self.is_weak else self.held
        return ABSENT if self.is_weak and found is None else found


@lru_cache(maxsize=8)
def range_parts(made: range) -> list[Value]:
    """The elements of a range, which a loop asks for in every round."""
    return [Value(part) for part in made]


Env = Mapping[str, Value]
Put = Callable[[ast.expr, Value], object]


def union(values: list[Value]) -> frozenset[int]:
    """The events that any of some values comes from."""
    return NONE.union(*(value.origins for value in values))


def is_plain(value: Any) -> bool:
    """Whether a value can be computed with: a plain one, of no great size."""
    kind = type(value)
    if kind is int:
        return bool(-LARGEST < value < LARGEST)
    if kind is tuple or kind is frozenset:
        return len(value) < LONGEST and all(map(is_plain, value))
    return kind in PLAIN and (kind not in (str, bytes) or len(value) < LONGEST)


def is_box(value: Any) -> bool:
    """Whether it is a container without methods of its own."""
    return type(value) in BOXES


def is_true(value: Any) -> bool | None:
    """Whether a condition with this value holds; None if that is not known."""
    if value is ABSENT:
        return None
    return bool(value) if is_plain(value) or is_box(value) else True if type(value).__module__ != "builtins" else None


class EventsSoFar(Protocol):
    """What is known already of where values come from: all events until now, and which of them have brought what."""

    shadows: Shadows
    brought: dict[tuple[int, str], frozenset[int]]  # the events that the values of variables come from
    inside: dict[int, dict[Any, frozenset[int]]]  # the same in containers that are not watched

    @property
    def entries(self) -> Sequence[object]:
        """The events."""


class RunningCall(Protocol):
    """The call to which a statement belongs."""

    names: Names
    locals: frozenset[str]
    shared: Mapping[str, Any]  # the global variables that it sees
    rounds: dict[ast.AST, int]  # which element each loop has come to

    def slot(self, name: str) -> tuple[int, str] | None:
        """Whose variable a name is; None if that is not known."""


class Evaluation:
    """A statement of a call while it runs.

    bound   what it binds, by names
    cells   what it puts where: the container, the key and the value
    given   what it hands to a method that changes a container
    result  what it returns or yields
    failed  what the operation was about that failed
    """

    def __init__(self, so_far: EventsSoFar, run: RunningCall, statement: Statement, values: Mapping[str, Any]) -> None:
        self.so_far, self.run, self.statement = so_far, run, statement
        self.memo: dict[int, Value] = {}
        self.old: dict[int, Value] = {}
        self.results: list[tuple[CodeType, Value]] = []
        self.begun: dict[CodeType, int] = {}
        self.was: dict[int, list[tuple[Any, int]]] = {}
        self.bound: dict[str, Value] | None = None
        self.cells: list[tuple[Value, Any, Value]] = []
        self.given: list[Value] = []
        self.result: Value | None = None
        self.failed: frozenset[int] = NONE
        self.is_over = False
        self.first = len(so_far.entries)
        self.values = values
        self.tops = [top for node in statement.nodes for top in tops(node)]
        for top in self.tops:
            self.foresee(top)
        for node in statement.nodes:
            if isinstance(node, ast.AugAssign):
                self.old[id(node)] = self.safe(loaded(node.target), keep=False)
        for value in list(self.memo.values()):
            shadow = self.shadow(value.value)
            if shadow is not None and type(shadow.last) is list and id(value.value) not in self.was:
                self.was[id(value.value)] = list(zip(shadow.flat, shadow.last, strict=True))
        self.values = {}

    def foresee(self, node: ast.AST) -> None:
        """Evaluate what can be evaluated before the statement runs."""
        if isinstance(node, INNER):
            return
        if not isinstance(node, ast.GeneratorExp | ast.ListComp):
            for child in ast.iter_child_nodes(node):
                self.foresee(child)
        if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            self.safe(node)

    def safe(self, node: ast.expr, keep: bool = True) -> Value:
        """The value of an expression; without any cause if something does not work out."""
        try:
            return self.of(node, keep=keep)
        except (Pending, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RuntimeError):
            return Value()

    def of(self, node: ast.expr, env: Env | None = None, keep: bool = True) -> Value:
        """The value of an expression, in a comprehension with the variables of that."""
        if not env and id(node) in self.memo:
            return self.memo[id(node)]
        made: Callable[[Any, Env | None], Value] = getattr(self, f"_{type(node).__name__}", self._other)
        found = made(node, env)
        if not env and keep:
            self.memo[id(node)] = found
        return found

    # What is where

    def shadow(self, value: Any) -> Shadow | None:
        """What is known of an object that is watched."""
        found = self.so_far.shadows.by_id.get(id(value))
        return found if found is not None and found.get() is value else None

    def at(self, box: Value, key: Any) -> Value:
        """What is in a container at a key."""
        made = box.value
        if not (type(made) in ROWS or type(made) in TABLES) or not is_plain(key):
            raise KeyError
        if type(made) in TABLES:  # without making what a defaultdict does not have
            if not dict.__contains__(made, key):
                return Value(0 if type(made) is Counter else ABSENT)
            found = dict.__getitem__(made, key)
        else:
            found = made[key]
        if box.parts is not None and type(key) is int and len(box.parts) == len(made):
            return Value(found, box.parts[key].origins)
        return Value(found, self.brought(box, key, found))

    def brought(self, box: Value, key: Any, value: Any) -> frozenset[int]:
        """The events that brought what is at a key."""
        shadow = self.shadow(box.value)
        if shadow is not None and isinstance(shadow.what, Thing):
            known = None if is_plain(key) else self.shadow(key)
            event = event_at(shadow, known.what if known is not None else key) if known or is_plain(key) else NOTHING
            return frozenset({event}) if event >= 0 else NONE
        mark = key if type(box.value) in TABLES else value
        inside = self.so_far.inside.get(id(box.value))
        return inside.get(mark, box.origins) if inside and is_plain(mark) else box.origins

    def parts(self, box: Value) -> list[Value] | None:
        """The elements of a container, of a dict its keys; None if they are not known."""
        if box.parts is not None:
            return box.parts
        made = box.value
        if not (is_box(made) or type(made) is range) or len(made) > LONGEST:
            return None
        if type(made) in (tuple, str):
            return [Value(part, box.origins) for part in made]
        if type(made) is range:
            return range_parts(made)
        if type(made) in (list, deque):
            return [Value(part, self.brought(box, key, part)) for key, part in enumerate(made)]
        return [Value(part, self.brought(box, part, part)) for part in made]

    # Expressions

    def _other(self, node: ast.AST, env: Env | None) -> Value:
        """What is computed in a way that is not known is known not to be known."""
        return Value()

    def _JoinedStr(self, node: ast.JoinedStr, env: Env | None) -> Value:
        return Value(ABSENT, union([self.of(part, env) for part in node.values]))

    def _FormattedValue(self, node: ast.FormattedValue, env: Env | None) -> Value:
        return self.of(node.value, env)

    def _Constant(self, node: ast.Constant, env: Env | None) -> Value:
        return Value(node.value)

    def _Name(self, node: ast.Name, env: Env | None) -> Value:
        name = node.id
        if env and name in env:
            return env[name]
        run = self.run
        scope = run.names.get(name)
        if name not in self.values and name not in run.locals:
            value = run.shared.get(name, getattr(builtins, name, ABSENT))
            if scope is None:
                return Value(value)
        else:
            value = self.values.get(name, ABSENT)
        slot = run.slot(name)
        origins = None if slot is None else self.so_far.brought.get(slot)
        if origins is None and scope is not None and name in scope.last:
            origins = frozenset({scope.last[name]})
        return Value(value, origins or NONE)

    def whole(self, box: Value) -> Value:
        """A container as something that is computed from all that is in it: by what has changed it last."""
        shadow = self.shadow(box.value)
        if shadow is None or shadow.latest <= max(box.origins, default=NOTHING):
            return box
        return Value(box.value, frozenset({shadow.latest}), box.parts)

    def _NamedExpr(self, node: ast.NamedExpr, env: Env | None) -> Value:
        return self.of(node.value, env)

    def _Starred(self, node: ast.Starred, env: Env | None) -> Value:
        return self.of(node.value, env)

    def _Tuple(self, node: ast.Tuple | ast.List, env: Env | None) -> Value:
        parts: list[Value] = []
        for each in node.elts:
            value = self.of(each, env)
            inner = self.parts(value) if isinstance(each, ast.Starred) else [value]
            if inner is None:
                return Value(ABSENT, union([*parts, value]))
            parts += inner
        values = [part.value for part in parts]
        known = ABSENT if any(value is ABSENT for value in values) else values
        return Value(tuple(known) if isinstance(node, ast.Tuple) and known is values else known, union(parts), parts)

    _List = _Tuple

    def _Dict(self, node: ast.Dict, env: Env | None) -> Value:
        if any(key is None for key in node.keys):
            return Value()
        keys = [self.of(key, env).value for key in node.keys if key is not None]
        values = [self.of(value, env) for value in node.values]
        return Value(Literal(zip(keys, values, strict=True)) if all(map(is_plain, keys)) else ABSENT, union(values))

    def _Subscript(self, node: ast.Subscript, env: Env | None) -> Value:
        box = self.of(node.value, env)
        if isinstance(node.slice, ast.Slice):
            ends = (node.slice.lower, node.slice.upper, node.slice.step)
            cut = slice(*(None if end is None else self.of(end, env).value for end in ends))
            if type(box.value) not in (list, str, tuple):
                return Value(ABSENT, box.origins)
            parts = self.parts(box)
            return Value(box.value[cut], self.whole(box).origins, parts[cut] if parts is not None else None)
        key = self.of(node.slice, env).value
        if isinstance(box.value, Literal):
            return box.value[key]
        return self.at(box, key)

    def _Attribute(self, node: ast.Attribute, env: Env | None) -> Value:
        held = self.of(node.value, env)
        if type(held.value) is ModuleType:
            return Value(vars(held.value).get(node.attr, ABSENT))
        found = attribute(held.value, node.attr) if held.value is not ABSENT else ABSENT
        shadow = self.shadow(held.value)
        event = event_at(shadow, Attribute(node.attr)) if shadow is not None and found is not ABSENT else NOTHING
        return Value(found, frozenset({event}) if event >= 0 else NONE)

    def _BinOp(self, node: ast.BinOp, env: Env | None) -> Value:
        one, other = self.of(node.left, env), self.of(node.right, env)
        origins = union([self.whole(one), self.whole(other)])
        if isinstance(node.left, TESTS) != isinstance(node.right, TESTS):  # what a condition adds is decided, not moved
            origins = (other if isinstance(node.left, TESTS) else one).origins or origins
        if isinstance(node.op, ast.Add) and type(one.value) is type(other.value) and type(one.value) in (list, tuple):
            parts = [*(self.parts(one) or ()), *(self.parts(other) or ())]
            return Value(one.value + other.value, origins, parts)
        if isinstance(node.op, ast.Mult) and list in (type(one.value), type(other.value)):
            return Value(ABSENT, one.origins if type(one.value) is list else other.origins)
        return Value(self.applied(node.op, one, other), origins)

    def applied(self, operation: ast.AST, *given: Value) -> Any:
        """What an operation gives for plain values; ABSENT if it is not known."""
        does = OPERATORS.get(type(operation))
        values = [one.value for one in given]
        is_in = isinstance(operation, ast.In | ast.NotIn)
        is_same = isinstance(operation, ast.Is | ast.IsNot)
        if does is None or any(value is ABSENT for value in values):
            return ABSENT
        if not is_same and not all(is_plain(value) or is_in and is_box(value) for value in values):
            return ABSENT
        if isinstance(operation, ast.Mult) and not all(isinstance(value, int | float) for value in values):
            return ABSENT
        try:
            return does(*values)
        except Exception:  # so it is with the program's own
            self.failed = self.failed or union(list(given))
            return ABSENT

    def _UnaryOp(self, node: ast.UnaryOp, env: Env | None) -> Value:
        one = self.of(node.operand, env)
        return Value(self.applied(node.op, one), one.origins)

    def _Compare(self, node: ast.Compare, env: Env | None) -> Value:
        values = [self.of(node.left, env), *(self.of(each, env) for each in node.comparators)]
        told = [self.applied(*pair) for pair in zip(node.ops, values, values[1:], strict=False)]
        known = ABSENT if any(each is ABSENT for each in told) else all(told)
        return Value(False if any(each is False for each in told) else known, union(values))

    def _BoolOp(self, node: ast.BoolOp, env: Env | None) -> Value:
        for each in node.values:
            value = self.of(each, env)
            truth = is_true(value.value)
            if truth is None:
                return Value()
            if truth == isinstance(node.op, ast.Or):
                return value
        return value

    def _IfExp(self, node: ast.IfExp, env: Env | None) -> Value:
        truth = is_true(self.of(node.test, env).value)
        return Value() if truth is None else self.of(node.body if truth else node.orelse, env)

    def _ListComp(self, node: ast.ListComp | ast.GeneratorExp, env: Env | None) -> Value:
        """The elements of a comprehension, each with where it comes from."""
        found: list[Value] = []

        def go(level: int, inner: dict[str, Value]) -> bool:
            if level == len(node.generators):
                found.append(self.of(node.elt, inner or {"": Value()}))
                return len(found) < LONGEST
            each = node.generators[level]
            parts = self.parts(self.of(each.iter, inner))
            for part in parts if parts is not None else ():
                own = dict(inner)
                self.spread(each.target, part, lambda target, value, own=own: bind(own, target, value))  # type: ignore[misc]
                truths = [is_true(self.of(test, own).value) for test in each.ifs]
                if None in truths or all(truths) and not go(level + 1, own):
                    return False
            return parts is not None

        if not go(0, dict(env or {})):
            return Value()
        values = [each.value for each in found]
        is_known = isinstance(node, ast.ListComp) and all(value is not ABSENT for value in values)
        return Value(values if is_known else ABSENT, union(found), found)

    _GeneratorExp = _ListComp

    def spread(self, target: ast.expr, value: Value, put: Put) -> None:
        """Give each target of an assignment its value."""
        if not isinstance(target, ast.Tuple | ast.List):
            put(target, value)
            return
        parts = self.parts(value)
        stars = [n for n, each in enumerate(target.elts) if isinstance(each, ast.Starred)]
        if parts is not None and stars:
            behind = len(target.elts) - stars[0] - 1
            rest = parts[stars[0] : len(parts) - behind]
            whole = Value([part.value for part in rest], union(rest), rest)
            parts = [*parts[: stars[0]], whole, *parts[len(parts) - behind :]]
        for number, each in enumerate(target.elts):
            inner = each.value if isinstance(each, ast.Starred) else each
            is_known = parts is not None and len(parts) == len(target.elts)
            self.spread(inner, parts[number] if parts is not None and is_known else Value(), put)

    # Calls

    def _Call(self, node: ast.Call, env: Env | None) -> Value:
        code, _ = self.target(node, env)
        if code is not None:
            return self.returned(node, code, env)
        if isinstance(node.func, ast.Attribute):
            box = self.of(node.func.value, env)
            if type(box.value) is not ModuleType:
                return self.method(node, node.func.attr, box, env)
        does = self.of(node.func, env).value
        words = {word.arg: word.value for word in node.keywords}
        given: list[Value] = []
        for each in node.args:
            value = self.of(each, env)
            given += (self.parts(value) or [Value()]) if isinstance(each, ast.Starred) else [value]
        return self.known(does, given, words, env)

    def returned(self, node: ast.Call, code: CodeType, env: Env | None) -> Value:
        """What a traced function has returned."""
        if not self.is_over:
            raise Pending
        given = [self.of(each, env) for each in (*node.args, *(word.value for word in node.keywords))]
        for number, (made, value) in enumerate(self.results):
            if made is code:
                del self.results[number]
                return Value(ABSENT, union(given)) if code.co_name == "__init__" else value
        return Value(ABSENT, union(given)) if code.co_name == "__init__" else Value()

    def method(self, node: ast.Call, name: str, box: Value, env: Env | None) -> Value:
        """What a method of a container or a string gives."""
        made, given = box.value, [self.of(each, env) for each in node.args]
        if type(made) in TABLES:
            if name in ("get", "pop", "setdefault") and given:
                if not is_plain(given[0].value):
                    return Value()
                if dict.__contains__(made, given[0].value):
                    return self.at(box, given[0].value)
                return given[1] if len(given) > 1 else Value(None)
            if name == "keys":
                return box
            if name == "values":
                return Value(ABSENT, box.origins, [self.at(box, key) for key in made])
            if name == "items":
                pairs = [(Value(key, self.brought(box, key, key)), self.at(box, key)) for key in made]
                return Value(ABSENT, box.origins, [Value((key.value, each.value), union([key, each]), [key, each])
                                                   for key, each in pairs])  # fmt: skip
            if name == "popitem":
                last = all(is_true(self.of(word.value, env).value) for word in node.keywords)
                key = list(made)[-1 if last else 0]
                pair = [Value(key, self.brought(box, key, key)), self.at(box, key)]
                return Value((key, pair[1].value), union(pair), pair)
        elif type(made) in (list, deque) and name in ("pop", "popleft"):
            return self.at(box, 0 if name == "popleft" else given[0].value if given else -1)
        elif name in TEXTS and (type(made) is str or is_box(made)):
            return Value(ABSENT, union([self.whole(each) for each in (box, *given)]))
        return Value()

    def known(self, does: Any, given: list[Value], words: dict[str | None, ast.expr], env: Env | None) -> Value:
        """What a function gives of which is known what it does."""
        one = self.parts(given[0]) if len(given) == 1 else None
        if does is heapq.heappop and given:
            return self.at(given[0], 0)
        if does in (min, max) and given:
            return self.best(does, one if len(given) == 1 else given, words, env)
        if does in (any, all) and one is not None:
            truths = [is_true(each.value) for each in one]
            won = [each for each, truth in zip(one, truths, strict=True) if truth is (does is any)]
            if None in truths:
                return Value()
            return Value(bool(won) == (does is any), won[0].origins if won else union(one))
        if does is sum and one is not None:
            numbers = all(type(each.value) in (int, float) for each in one)
            start = given[1:] or [Value(0)]
            return Value(sum(each.value for each in one) if numbers else ABSENT, union([*one, *start]))
        if does in (sorted, list, tuple, reversed, set, deque) and one is not None:
            return self.ordered(does, given[0], one, words)
        if does is enumerate and given and (rest := self.parts(given[0])) is not None:
            first = given[1].value if len(given) > 1 else 0
            first = self.of(words["start"], env).value if "start" in words else first
            pairs = [(Value(first + key if type(first) is int else ABSENT), each) for key, each in enumerate(rest)]
            return Value(ABSENT, given[0].origins, [Value((a.value, b.value), b.origins, [a, b]) for a, b in pairs])
        if does is zip and given:
            rows = [self.parts(each) for each in given]
            if any(row is None for row in rows):
                return Value()
            told = [list(each) for each in zip(*(row for row in rows if row is not None), strict=False)]
            made = [Value(tuple(part.value for part in each), union(each), each) for each in told]
            return Value(ABSENT, union(given), made)
        if does in SEARCHES and len(given) == 2:
            return Value(ABSENT, given[1].origins)
        if does in SIMPLE or getattr(does, "__module__", "") == "math":
            is_known = does in SIMPLE and all(is_plain(each.value) or is_box(each.value) for each in given)
            value = does(*(each.value for each in given)) if is_known and given and not words else ABSENT
            return Value(value, union([self.whole(each) for each in given]))
        return Value()

    def ordered(self, does: Any, box: Value, parts: list[Value], words: dict[str | None, ast.expr]) -> Value:
        """A container made of another one."""
        box = self.whole(box)
        if does is sorted:
            if words or not all(is_plain(each.value) for each in parts):
                return Value(ABSENT, box.origins)
            parts = sorted(parts, key=lambda each: each.value)
        elif does is reversed:
            parts = parts[::-1]
        elif does in (set, deque):
            return Value(ABSENT, box.origins)
        values = [each.value for each in parts]
        return Value(tuple(values) if does is tuple else values, box.origins, parts)

    def best(self, does: Any, many: list[Value] | None, words: dict[str | None, ast.expr], env: Env | None) -> Value:
        """The winner of `min` or `max`."""
        if many is None:
            return Value()
        if not many:
            return self.of(words["default"], env) if "default" in words else Value()
        by = [self.judged(words["key"], each, env) for each in many] if "key" in words else many
        if not all(is_plain(each.value) for each in by):
            return Value()
        won = does(range(len(by)), key=lambda number: by[number].value)
        return many[won] if many[won].origins or "key" not in words else Value(many[won].value, by[won].origins)

    def judged(self, key: ast.expr, value: Value, env: Env | None) -> Value:
        """What a key function gives for a value."""
        if isinstance(key, ast.Lambda) and len(key.args.args) == 1:
            return self.of(key.body, {**(env or {}), key.args.args[0].arg: value})
        if isinstance(key, ast.Attribute) and key.attr in ("get", "__getitem__"):
            return self.at(self.of(key.value, env), value.value)
        does = self.of(key, env).value
        return Value(does(value.value), value.origins) if does in (len, abs, str) and is_plain(value.value) else Value()

    def target(self, node: ast.Call, env: Env | None = None) -> tuple[CodeType | None, Value | None]:
        """The code of the program that a call runs, and the object if it is a method."""
        if isinstance(node.func, ast.Attribute):
            base = self.of(node.func.value, env)
            if base.value is ABSENT or type(base.value) is ModuleType or is_plain(base.value):
                return None, None
            own = attribute(base.value, node.func.attr)
            kinds = base.value.__mro__ if type(base.value) is type else type(base.value).__mro__
            made: Any = next((vars(cls)[node.func.attr] for cls in kinds if node.func.attr in vars(cls)), None)
            if own is not ABSENT:
                made, base = own, Value()
            if type(made) in (staticmethod, classmethod):
                return (made.__func__.__code__, None if type(made) is staticmethod else base)
            return (made.__code__, base if own is ABSENT else None) if type(made) is FunctionType else (None, None)
        does = self.of(node.func, env).value
        if type(does) is MethodType:
            return does.__func__.__code__, Value(does.__self__)
        if isinstance(does, type) and isinstance(vars(does).get("__init__"), FunctionType):
            return vars(does)["__init__"].__code__, Value()
        return (does.__code__, None) if type(does) is FunctionType else (None, None)

    def arguments(self, code: CodeType) -> dict[str, Value]:
        """Where the parameters of a traced function get their values from that the statement has called."""
        calls = [node for top in self.tops for node in in_order(top) if isinstance(node, ast.Call)]
        number = self.begun.get(code, 0)
        self.begun[code] = number + 1
        fitting = []
        for node in calls:
            try:
                found = self.target(node)
            except Exception:  # what is called cannot be told
                continue
            if found[0] is code:
                fitting.append((node, found[1]))
        found_: dict[str, Value] = {}
        if not fitting or self.is_over:
            return found_
        node, me = fitting[min(number, len(fitting) - 1)]
        kept = self.is_over, list(self.results), dict(self.memo)
        self.is_over = True
        names, place = code.co_varnames[: code.co_argcount], 0
        if me is not None and names:
            found_[names[0]], place = me, 1
        for each in node.args:
            value = self.safe(each)
            for part in (self.parts(value) or []) if isinstance(each, ast.Starred) else [value]:
                if place < len(names):
                    found_[names[place]] = part
                place += 1
        found_.update({word.arg: self.safe(word.value) for word in node.keywords if word.arg})
        self.is_over, self.results, self.memo = kept
        return found_

    # Statements

    def finish(self, values: Mapping[str, Any]) -> None:
        """The statement has run: where comes from what it has bound, put and returned?"""
        if self.bound is not None:
            return
        self.is_over, self.bound, self.values = True, {}, values
        for node in self.statement.nodes:
            finish = getattr(self, f"finish_{type(node).__name__}", None)
            if finish is not None:
                finish(node)
        for top in self.tops:
            for inner in ast.walk(top):
                if isinstance(inner, ast.NamedExpr) and isinstance(inner.target, ast.Name):
                    self.bound[inner.target.id] = self.safe(inner.value)
        self.values = {}

    def put(self, target: ast.expr, value: Value) -> None:
        """The statement has put a value there."""
        if isinstance(target, ast.Name) and self.bound is not None:
            self.bound[target.id] = value
        elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            self.given += self.parts(value) or []
        elif isinstance(target, ast.Subscript):
            self.cells.append((self.safe(target.value), self.safe(target.slice).value, value))
        elif isinstance(target, ast.Attribute):
            self.cells.append((self.safe(target.value), Attribute(target.attr), value))

    def finish_Assign(self, node: ast.Assign) -> None:
        value = self.safe(node.value)
        for target in node.targets:
            self.spread(target, value, self.put)

    def finish_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.spread(node.target, self.safe(node.value), self.put)

    def finish_AugAssign(self, node: ast.AugAssign) -> None:
        old, more = self.old.get(id(node)) or Value(), self.safe(node.value)
        self.put(node.target, Value(ABSENT, union([old, more])))
        self.given += [*(self.parts(more) or []), more]

    def finish_For(self, node: ast.For) -> None:
        made = self.results[-1][1] if self.results else Value()  # perhaps by a generator
        value, now = self.safe(node.iter), self.now(node.target)
        parts = self.parts(value)
        if parts is None:
            self.spread(node.target, made, self.put)
            return
        found = self.run.rounds.get(node, NOTHING) + 1
        if found >= len(parts) or not is_same(parts[found], now):  # what follows is not what came last time
            hits = [number for number, part in enumerate(parts) if is_same(part, now)]
            found = hits[0] if len({parts[number].origins for number in hits}) == 1 else NOTHING
        self.run.rounds[node] = found
        self.spread(node.target, parts[found] if found >= 0 else Value(), self.put)

    def now(self, target: ast.expr) -> Any:
        """What a target of an assignment holds."""
        if isinstance(target, ast.Name):
            return self.values.get(target.id, ABSENT)
        if isinstance(target, ast.Tuple | ast.List):
            return tuple(self.now(each) for each in target.elts)
        return ABSENT

    def finish_Return(self, node: ast.Return) -> None:
        self.result = self.safe(node.value) if node.value is not None else None

    def finish_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Yield) and node.value.value is not None:
            self.result = self.safe(node.value.value)
        elif isinstance(node.value, ast.Call):
            for each in node.value.args:
                value = self.safe(each)
                self.given += [*(self.parts(value) or []), value] if self.is_spread(node.value) else [value]

    @staticmethod
    def is_spread(call: ast.Call) -> bool:
        """Whether a method takes the elements of what it is given."""
        return isinstance(call.func, ast.Attribute) and call.func.attr in ("extend", "update", "extendleft")

    # What is told

    def stored(self) -> Iterator[tuple[Any, Value]]:
        """What a method has put into a container."""
        for node in self.statement.nodes:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and self.given:
                call = node.value
                if isinstance(call.func, ast.Attribute) and call.func.attr in PUTS:
                    yield self.safe(call.func.value).value, self.given[-1]
                elif len(call.args) > 1:
                    yield self.given[0].value, self.given[-1]

    def of_variable(self, name: str) -> frozenset[int]:
        """The events that explain what a variable has come to hold."""
        return (self.bound or {}).get(name, Value()).origins

    def of_part(self, thing: Any, key: Any, after: Any) -> frozenset[int]:
        """The events that explain what has come into a thing at a key."""
        fits = [value for box, place, value in self.cells if box.value is thing and is_place(place, key, thing)]
        if fits:
            return fits[-1].origins
        if self.cells and not self.given:
            return NONE
        equal = [value for value in self.given if value.value is not ABSENT and self.is_value(value.value, after)]
        if equal:
            return equal[0].origins
        moved = [event for value, event in self.was.get(id(thing), ()) if value is after or alike(value, after)]
        if moved:
            return frozenset(moved[-1:])
        return NONE if any(is_plain(value.value) for value in self.given[-1:]) else union(self.given[-1:])

    def is_value(self, value: Any, after: Any) -> bool:
        """Whether a value is what a flat one stands for."""
        shadow = self.shadow(value)
        return shadow is not None and shadow.what is after or alike(value, after)


class Pending(Exception):
    """What a traced function returns is not known before it has."""


def is_same(part: Value, now: Any) -> bool:
    """Whether an element is what a variable holds now."""
    value = part.value
    return value is now or alike(value, now)


def alike(one: Any, other: Any) -> bool:
    """Whether two plain values are the same."""
    return type(one) is type(other) and is_plain(one) and is_plain(other) and bool(one == other)


def is_place(place: Any, key: Any, thing: Any) -> bool:
    """Whether the key that a statement has written is the one at which a thing has changed."""
    if type(place) is int and place < 0 and type(thing) in (list, deque):
        place += len(thing)
    is_known = type(place) is type(key) and (isinstance(place, Attribute) or is_plain(place))
    return place is key or is_known and bool(place == key)


def bind(env: dict[str, Value], target: ast.expr, value: Value) -> None:
    """Bind a variable of a comprehension."""
    if isinstance(target, ast.Name):
        env[target.id] = value


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """A node after those inside it, as they are evaluated."""
    for child in ast.iter_child_nodes(node):
        yield from in_order(child)
    yield node


def event_at(shadow: Shadow, key: Any) -> int:
    """The event that brought what is in a thing at a key."""
    if not isinstance(shadow.what, Thing):
        return NOTHING
    try:
        if shadow.what.kind is ThingKind.ARRAY:
            return int(shadow.last.get(key, shadow.last[...]))
        return int(shadow.last[key])
    except (LookupError, TypeError):
        return NOTHING
