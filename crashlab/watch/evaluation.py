"""What a statement computes, evaluated in step with it: where each of its values comes from.

The expressions of a statement are evaluated when it begins, in Python's own order, each value together with the events
that brought it: of `min(a, b)` those of the winner, of `a if b else c` those of the branch that is taken, of `a + b`
those of both. Where code of the program is called the evaluation waits: it goes on when that very call has returned,
with what it has returned. Only plain values are computed with, and nothing of the program is called. What an unknown
function may have changed is not known any more; if anything happens that was not foreseen, nothing of the statement is.
"""

from __future__ import annotations

import ast
import builtins
import operator as op
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Protocol

from crashlab.watch import known_calls
from crashlab.watch.events_so_far import EventsSoFar
from crashlab.watch.origins import (
    LONGEST,
    NONE,
    NOTHING,
    SETS,
    TABLES,
    Value,
    Walk,
    decided,
    fits,
    gathered,
    is_box,
    is_plain,
    is_true,
    listed,
    mapped,
    union,
)  # fmt: skip
from crashlab.watch.reading import Env, Reading, Steps, Unforeseen, Waiting, event_at, index_of, places_in
from crashlab.watch.snapshots import GENERATED, PLAIN, attribute, is_array, is_number
from crashlab.watch.statements import Statement, loaded
from crashlab.watch.things import ABSENT, Attribute
from crashlab.watch.variables import Names

OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: op.add, ast.Sub: op.sub, ast.Mult: op.mul, ast.FloorDiv: op.floordiv, ast.Mod: op.mod, ast.Div: op.truediv,
    ast.BitAnd: op.and_, ast.BitOr: op.or_, ast.BitXor: op.xor, ast.LShift: op.lshift, ast.RShift: op.rshift,
    ast.Pow: op.pow, ast.Lt: op.lt, ast.Gt: op.gt, ast.LtE: op.le, ast.GtE: op.ge, ast.Eq: op.eq, ast.NotEq: op.ne,
    ast.Is: op.is_, ast.IsNot: op.is_not, ast.USub: op.neg, ast.Not: op.not_, ast.UAdd: op.pos, ast.Invert: op.invert,
    ast.In: lambda one, many: one in many, ast.NotIn: lambda one, many: one not in many,
}  # fmt: skip
FEW = 200  # cells of an array that are looked at one by one
CANCELS = ast.Sub, ast.BitXor, ast.Mod, ast.FloorDiv, ast.Div  # a value and itself give always the same
METHODS: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Div: "truediv",
    ast.MatMult: "matmul", ast.Pow: "pow", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.Lt: "lt",
    ast.Gt: "gt", ast.LtE: "le", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne", ast.USub: "neg", ast.Invert: "invert",
}  # fmt: skip  # by which operators ask an object
MADE_BY: dict[type, Callable[[list[Any]], Value]] = {
    ast.ListComp: listed, ast.SetComp: gathered, ast.DictComp: mapped,
    ast.GeneratorExp: lambda found: Value(ABSENT, union(found), found),
}  # fmt: skip  # comprehensions
Put = Callable[[ast.expr, Value], None]


@dataclass(eq=False)
class Loop:
    """A loop that runs: what it goes through, how far it is, and what calls have returned for that."""

    node: ast.For
    walk: Walk | None
    number: int = 0
    results: list[Any] = field(default_factory=list)


class RunningCall(Protocol):
    """The call to which a statement belongs."""

    code: CodeType
    names: Names
    locals: frozenset[str]
    shared: Mapping[str, Any]  # the global variables that it sees
    loops: list[Loop]  # that run
    subject: Value  # of its last `match`
    caught: frozenset[int]  # where the exception comes from that is handled

    def lambda_of(self, code: CodeType) -> ast.Lambda | None:
        """The text of a `lambda` in the same file, if it needs nothing but what it is given."""

    def slot(self, name: str) -> tuple[int, str] | None:
        """Whose variable a name is; None if that is not known."""


class Evaluation(Reading):
    """A statement of a call while it runs.

    puts      what it binds: a name and its value, in this order
    result    what it returns or yields
    failed    what the operation was about that failed
    """

    def __init__(
        self, so_far: EventsSoFar, run: RunningCall, statement: Statement, values: Mapping[str, Any], again: bool
    ) -> None:
        super().__init__(so_far)
        self.run, self.statement = run, statement
        self.moves = so_far.moves
        self.puts: dict[str, Value] = {}
        self.result: Value | None = None
        self.failed: frozenset[int] = NONE
        self.is_lost = self.is_finished = False
        self.entered = self.yielded = 0
        self.last_yield: Value | None = None
        self.waiting: Waiting | None = None
        self.again = again  # whether it is the next round of a loop, which is evaluated before anything is called
        self.known: dict[str, Value | None] = {}
        self.seen: dict[str, Value] = {name: self.read(name, values) for name in statement.names}
        self.steps = self.all_steps()
        self.go_on(None)

    # In step with the program

    def all_steps(self) -> Steps:
        """Evaluate all of the statement."""
        for node in self.statement.nodes:
            does = getattr(self, f"do_{type(node).__name__}", None)
            if does is not None:
                yield from does(node)
        return Value()

    def go_on(self, value: Value | None) -> None:
        """Evaluate until code of the program is called, or the end."""
        self.waiting = None
        try:
            self.waiting = self.steps.send(value)  # type: ignore[arg-type]
        except StopIteration:
            pass
        except (Unforeseen, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RuntimeError):
            self.is_lost = True

    def enter(self, code: CodeType, spot: tuple[int, int] | None) -> dict[str, Value]:
        """Code of the program is called: where its parameters come from, as far as that was foreseen."""
        self.entered += 1
        waiting = self.waiting
        if self.is_lost or waiting is None or not waiting.is_at(code, spot):
            return {}
        return waiting.given

    def leave(self, code: CodeType, spot: tuple[int, int] | None, value: Value | None, pauses: bool) -> None:
        """The code has returned a value, or makes one of several; None if it was left by an exception."""
        waiting = self.waiting
        if pauses and value is not None:
            self.yielded += 1
            self.last_yield = value
        if self.is_lost:
            return
        if waiting is None or not waiting.is_at(code, spot):
            if self.so_far.moves != self.moves:
                self.is_disturbed = True
                self.is_lost = not self.again
            return
        self.moves = self.so_far.moves
        self.seen = {name: self.fresh(name, old) for name, old in self.seen.items()}
        if waiting.is_all and pauses:
            waiting.found += [value] if value is not None else []
        elif waiting.is_all and value is not None:
            self.go_on(Value(ABSENT, union(waiting.found), waiting.found))
        elif value is None:
            self.is_lost = True
        else:
            self.go_on(value)

    def fresh(self, name: str, old: Value) -> Value:
        """A variable that something else may have changed while code of the program ran is not known any more."""
        code, slot = self.run.code, self.run.slot(name)
        if slot is None or name in self.puts or name in code.co_varnames and name not in code.co_cellvars:
            return old
        return old if self.so_far.brought.get(slot) is self.known.get(name) else Value()

    # What is where

    def read(self, name: str, values: Mapping[str, Any]) -> Value:
        """What a variable holds when the statement begins."""
        run = self.run
        scope = run.names.get(name)
        if name not in values and name not in run.locals:
            value = run.shared.get(name, getattr(builtins, name, ABSENT))
            if scope is None:
                return Value(value)
        else:
            value = values.get(name, ABSENT)
        slot = run.slot(name)
        known = self.known[name] = None if slot is None else self.so_far.brought.get(slot)
        if known is None:
            return Value(value, frozenset({scope.last[name]}) if scope is not None and name in scope.last else NONE)
        return Value(value, known.origins, known.parts if type(value) is tuple else None)

    # Expressions

    def of(self, node: ast.expr, env: Env | None = None) -> Steps:
        """The value of an expression, in a comprehension with the variables of that."""
        kind = type(node)
        if kind is ast.Constant:
            return Value(node.value)  # type: ignore[attr-defined]
        if kind is ast.Name:
            name: str = node.id  # type: ignore[attr-defined]
            return env[name] if env and name in env else self.seen.get(name) or Value()
        made = getattr(self, f"on_{kind.__name__}", None)
        if made is None:
            self.is_disturbed = True
            return Value()
        found: Value = yield from made(node, env)
        return found

    def each(self, nodes: Sequence[ast.expr], env: Env | None) -> Generator[Waiting, Value, list[Value]]:
        """Several expressions, those with a star as all their elements."""
        found: list[Value] = []
        for node in nodes:
            value = yield from self.of(node.value if isinstance(node, ast.Starred) else node, env)
            inner = self.parts(value) if isinstance(node, ast.Starred) else [value]
            if inner is None:
                raise Unforeseen
            found += inner
        return found

    def on_JoinedStr(self, node: ast.JoinedStr, env: Env | None) -> Steps:
        return Value(ABSENT, union((yield from self.each(node.values, env))))

    def on_FormattedValue(self, node: ast.FormattedValue, env: Env | None) -> Steps:
        value = yield from self.of(node.value, env)
        if not is_plain(value.value) and not is_box(value.value):
            self.is_disturbed = True
        return self.whole(value)

    def on_NamedExpr(self, node: ast.NamedExpr, env: Env | None) -> Steps:
        value = yield from self.of(node.value, env)
        self.put_name(node.target.id, value)
        return value

    def on_Tuple(self, node: ast.Tuple, env: Env | None) -> Steps:
        parts = yield from self.each(node.elts, env)
        values = [part.value for part in parts]
        known = ABSENT if any(value is ABSENT for value in values) else tuple(values)
        return Value(known, union(parts), parts)

    def on_List(self, node: ast.List, env: Env | None) -> Steps:
        return listed((yield from self.each(node.elts, env)))

    def on_Set(self, node: ast.Set, env: Env | None) -> Steps:
        return gathered((yield from self.each(node.elts, env)))

    def on_Dict(self, node: ast.Dict, env: Env | None) -> Steps:
        pairs: list[tuple[Value, Value]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                more = yield from self.of(value, env)
                rows = self.parts(more)
                if rows is None:
                    raise Unforeseen
                pairs += [(each, self.at(more, each.value)) for each in rows]
            else:
                one = yield from self.of(key, env)
                pairs.append((one, (yield from self.of(value, env))))
        return mapped(pairs)

    def on_Subscript(self, node: ast.Subscript, env: Env | None) -> Steps:
        box = yield from self.of(node.value, env)
        if isinstance(node.slice, ast.Slice):
            cut = yield from self.cut(node.slice, env)
            if type(box.value) in (str, bytes) and is_plain(box.value):
                return Value(box.value[cut], box.origins)
            if type(box.value) is tuple and box.parts is None:
                return Value(box.value[cut], box.origins)
            parts = self.parts(box)
            if parts is None:
                return Value()
            made = parts[cut]
            if type(box.value) is tuple:
                return Value(box.value[cut], union(made), made)
            return listed(made) if type(box.value) is not type(ABSENT) or box.parts is not None else Value()
        key = yield from self.of(node.slice, env)
        asked = self.method_of(box.value, "__getitem__")
        if asked is not None:
            return (yield from self.wait(node, asked, [box, key]))
        return self.at(box, key.value)

    def cut(self, node: ast.Slice, env: Env | None) -> Generator[Waiting, Value, slice]:
        """The ends of a slice."""
        ends: list[Any] = []
        for end in (node.lower, node.upper, node.step):
            ends.append(None if end is None else (yield from self.of(end, env)).value)
        if any(end is not None and type(end) is not int for end in ends):
            raise Unforeseen
        return slice(*ends)

    def on_Attribute(self, node: ast.Attribute, env: Env | None) -> Steps:
        box = yield from self.of(node.value, env)
        made = box.value
        if type(made) is ModuleType:
            return Value(vars(made).get(node.attr, ABSENT))
        if box.held is not None and Attribute(node.attr) in box.held:
            return box.held[Attribute(node.attr)]
        if made is ABSENT or type(made) in PLAIN:
            return Value()
        kinds = made.__mro__ if type(made) is type else type(made).__mro__
        of_class = next((vars(cls)[node.attr] for cls in kinds if node.attr in vars(cls)), ABSENT)
        if type(of_class) is property and of_class.fget is not None:
            return (yield from self.wait(node, of_class.fget, [box]))
        if self.is_disturbed:
            return Value()
        if is_array(made):
            return Value(ABSENT, self.whole(box).origins if node.attr == "T" else NONE)
        found = attribute(made, node.attr)
        if found is ABSENT and of_class is not ABSENT:
            return Value(of_class if is_plain(of_class) or is_box(of_class) else ABSENT)
        shadow = self.shadow(made)
        event = event_at(shadow, Attribute(node.attr)) if shadow is not None and found is not ABSENT else NOTHING
        return Value(found, frozenset({event}) if event >= 0 else NONE)

    def on_BinOp(self, node: ast.BinOp, env: Env | None) -> Steps:
        one = yield from self.of(node.left, env)
        other = yield from self.of(node.right, env)
        return (yield from self.operated(node, node.op, one, other))

    def operated(self, node: Any, operation: ast.AST, one: Value, other: Value) -> Steps:
        """What an operator gives."""
        name = METHODS.get(type(operation))
        asked = self.method_of(one.value, f"__{name}__") if name else None
        if asked is not None:
            return (yield from self.wait(node, asked, [one, other]))
        asked = self.method_of(other.value, f"__r{name}__") if name else None
        if asked is not None:
            return (yield from self.wait(node, asked, [other, one]))
        kinds = type(one.value), type(other.value)
        both = one, other
        rows = [each for each in both if type(each.value) is list or each.value is ABSENT and each.parts is not None]
        if kinds[0] in SETS and kinds[1] in SETS:
            return known_calls.beside_set(self, type(operation), one, other)
        if isinstance(operation, ast.Add) and kinds in ((list, list), (tuple, tuple)):
            left, right = self.parts(one), self.parts(other)
            if left is None or right is None:
                return Value()
            if kinds[0] is list:
                return listed([*left, *right], [each for each in (one, other) if each.parts is not None])
            return Value(one.value + other.value, union([*left, *right]), [*left, *right])
        if isinstance(operation, ast.Mult) and rows:
            many, times = rows[0], other if rows[0] is one else one
            parts = self.parts(many)
            if parts is None or type(times.value) is not int or len(parts) * times.value > LONGEST:
                return Value(ABSENT, self.whole(many).origins)
            return listed(parts * times.value, [times])
        origins = union([self.whole(one), self.whole(other)])
        if one.decided is not other.decided:  # what a condition adds is decided, not moved
            origins = (other if one.decided else one).origins
        if isinstance(operation, CANCELS) and (one is other or is_doubled(node)):
            origins = NONE  # x - x is 0, and x - min(x, x) is, whatever brought x
        return Value(self.applied(operation, one, other), origins)

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
        are_numbers = all(type(value) in (int, float, bool) or is_number(value) for value in values)
        if isinstance(operation, ast.Mult) and {*map(type, values)} == {str, int} and are_few(values):
            return does(*values)
        if isinstance(operation, ast.Mult | ast.Pow | ast.LShift) and not are_numbers:
            return ABSENT
        if isinstance(operation, ast.Pow | ast.LShift) and not -64 < values[1] < 64:
            return ABSENT
        try:
            return does(*values)
        except Exception as error:  # so it is with the program's own
            self.failed = self.failed or union(list(given))
            raise Unforeseen from error

    def on_UnaryOp(self, node: ast.UnaryOp, env: Env | None) -> Steps:
        one = yield from self.of(node.operand, env)
        if isinstance(node.op, ast.Not):
            truth = is_true(one.value)
            return decided(ABSENT if truth is None else not truth, one.origins)
        asked = self.method_of(one.value, f"__{METHODS.get(type(node.op), '')}__")
        if asked is not None:
            return (yield from self.wait(node, asked, [one]))
        return Value(self.applied(node.op, one), self.whole(one).origins)

    def on_Compare(self, node: ast.Compare, env: Env | None) -> Steps:
        one = yield from self.of(node.left, env)
        seen = [one]
        for operation, each in zip(node.ops, node.comparators, strict=True):
            other = yield from self.of(each, env)
            name = METHODS.get(type(operation))
            asked = self.method_of(one.value, f"__{name}__") if name else None
            if asked is not None:
                told = yield from self.wait(node, asked, [one, other])
                found, origins = told.value, told.origins
            else:
                found, origins = self.compared(operation, one, other)
            seen.append(Value(found, origins))
            if found is ABSENT and len(node.ops) > 1:
                raise Unforeseen
            if found is not ABSENT and not is_true(found):
                return decided(found, origins)
            one = other
        return decided(seen[-1].value, union(seen[1:]))

    def compared(self, operation: ast.AST, one: Value, other: Value) -> tuple[Any, frozenset[int]]:
        """What a comparison finds, and what it has looked at."""
        if isinstance(operation, ast.In | ast.NotIn):
            if self.check(other) is ABSENT and other.parts is None:
                return ABSENT, NONE
            if type(other.value) is str or type(other.value) in TABLES or type(other.value) in SETS:
                if not is_plain(one.value):
                    return ABSENT, one.origins
                found = one.value in other.value
                more = other.origins if type(other.value) is str else self.came(other, one.value) if found else NONE
                return found is isinstance(operation, ast.In), one.origins | more
            parts = self.parts(other)
            if parts is None or not all(is_plain(each.value) for each in (one, *parts)):
                return ABSENT, one.origins
            hits = [each for each in parts if each.value == one.value]
            return bool(hits) is isinstance(operation, ast.In), union([one, *hits])
        if isinstance(operation, ast.Is | ast.IsNot) or is_plain(one.value) and is_plain(other.value):
            return self.applied(operation, one, other), one.origins | other.origins
        return ABSENT, union([self.whole(one), self.whole(other)])

    def on_BoolOp(self, node: ast.BoolOp, env: Env | None) -> Steps:
        for each in node.values:
            value = yield from self.of(each, env)
            truth = is_true(value.value)
            if each is node.values[-1]:
                return value
            if truth is None:
                raise Unforeseen
            if truth == isinstance(node.op, ast.Or):
                return value
        raise Unforeseen

    def on_IfExp(self, node: ast.IfExp, env: Env | None) -> Steps:
        truth = is_true((yield from self.of(node.test, env)).value)
        if truth is None:
            raise Unforeseen
        return (yield from self.of(node.body if truth else node.orelse, env))

    def rounds(
        self, node: Any, env: Env | None, found: list[Any], until: bool | None = None
    ) -> Generator[Waiting, Value, None]:
        """The elements of a comprehension, each with where it comes from; `until` one of them is true, or false."""
        yield from self.level(node, 0, dict(env or {}), found, until)

    def level(
        self, node: Any, level: int, env: dict[str, Value], found: list[Any], until: bool | None
    ) -> Generator[Waiting, Value, bool]:
        """One `for` of a comprehension; whether it goes on."""
        if level == len(node.generators):
            if isinstance(node, ast.DictComp):
                key = yield from self.of(node.key, env)
                found.append((key, (yield from self.of(node.value, env))))
            else:
                found.append((yield from self.of(node.elt, env)))
            if len(found) > LONGEST:
                raise Unforeseen
            if until is None:
                return True
            truth = is_true(found[-1].value)
            if truth is None:
                raise Unforeseen
            return truth is not until
        part = node.generators[level]
        walk, place = self.walk((yield from self.of(part.iter, env))), 0
        if walk is None or part.is_async:
            raise Unforeseen
        while (each := walk(place)) is not None:
            inner, place = dict(env), place + 1
            self.spread(part.target, each, lambda target, value, own=inner: bind(own, target, value))  # type: ignore[misc]
            goes = True
            for test in part.ifs:
                truth = is_true((yield from self.of(test, inner)).value)
                if truth is None:
                    raise Unforeseen
                if not truth:
                    goes = False
                    break
            if goes and not (yield from self.level(node, level + 1, inner, found, until)):
                return False
            if place > LONGEST:
                raise Unforeseen
        return True

    def on_ListComp(self, node: ast.expr, env: Env | None) -> Steps:
        found: list[Any] = []
        yield from self.rounds(node, env, found)
        return MADE_BY[type(node)](found)

    on_GeneratorExp = on_SetComp = on_DictComp = on_ListComp

    def on_Lambda(self, node: ast.Lambda, env: Env | None) -> Steps:
        yield from ()  # it is only looked at where it is called
        return Value()

    def on_Yield(self, node: ast.Yield, env: Env | None) -> Steps:
        if node.value is not None:
            self.result = yield from self.of(node.value, env)
        self.is_disturbed = True
        return Value()

    def on_YieldFrom(self, node: ast.YieldFrom, env: Env | None) -> Steps:
        self.walked = yield from self.of(node.value, env)
        self.is_disturbed = True
        return Value()

    def on_Starred(self, node: ast.Starred, env: Env | None) -> Steps:
        return (yield from self.of(node.value, env))

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
            parts = [*parts[: stars[0]], listed(rest), *parts[len(parts) - behind :]]
        for number, each in enumerate(target.elts):
            inner = each.value if isinstance(each, ast.Starred) else each
            is_known = parts is not None and len(parts) == len(target.elts)
            self.spread(inner, parts[number] if parts is not None and is_known else Value(), put)

    # Calls

    def on_Call(self, node: ast.Call, env: Env | None) -> Steps:
        name, me = "", None
        if isinstance(node.func, ast.Attribute):
            me = yield from self.of(node.func.value, env)
            if type(me.value) is ModuleType:
                does: Any = vars(me.value).get(node.func.attr, ABSENT)
                me = None
            else:
                name = node.func.attr
                does, me = self.method(me, name)
        else:
            does = (yield from self.of(node.func, env)).value
        if isinstance(node.func, ast.Name) and node.func.id == "super" or does is super:
            raise Unforeseen
        if does in known_calls.STOPPING and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            found: list[Value] = []
            yield from self.rounds(node.args[0], env, found, does is any)
            return known_calls.stopped(does, found)
        given = yield from self.each(node.args, env)
        words: dict[str, Value] = {}
        for word in node.keywords:
            if word.arg is None:
                raise Unforeseen
            words[word.arg] = yield from self.of(word.value, env)
        return (yield from self.called(node, does, name, me, given, words, env))

    def method(self, me: Value, name: str) -> tuple[Any, Value | None]:
        """What is called by the name of a method, and the object if it gets that; its name alone for a container."""
        made = me.value
        if made is ABSENT or is_plain(made) or is_box(made) or is_array(made):
            return ABSENT, me
        own = attribute(made, name)
        if own is not ABSENT:
            return own, None
        kinds = made.__mro__ if type(made) is type else type(made).__mro__
        found = next((vars(cls)[name] for cls in kinds if name in vars(cls)), ABSENT)
        if type(found) is staticmethod:
            return found.__func__, None
        if type(found) is classmethod:
            return found.__func__, Value(made if type(made) is type else type(made))
        return found, None if type(made) is type else me

    def method_of(self, made: Any, name: str) -> FunctionType | None:
        """The method of the program by which an object answers an operator."""
        if made is ABSENT or type(made) in PLAIN or is_box(made):
            return None
        found = next((vars(cls)[name] for cls in type(made).__mro__ if name in vars(cls)), None)
        return found if type(found) is FunctionType and self.runs(found) else None

    def called(
        self, node: ast.Call, does: Any, name: str, me: Value | None, given: list[Value], words: dict[str, Value],
        env: Env | None,
    ) -> Steps:  # fmt: skip
        """What a call gives."""
        if type(does) is MethodType:
            does, me = does.__func__, Value(does.__self__)
        inner: Any = getattr(does, "__wrapped__", None) if type(does).__name__ == "_lru_cache_wrapper" else None
        if self.runs(inner):
            return (yield from self.remembered(node, does, inner, given, words))
        text = self.run.lambda_of(does.__code__) if type(does) is FunctionType and not words else None
        if text is not None:
            return (yield from self.of(text.body, bound_to(does, given, {})))
        if self.runs(does):
            return (yield from self.wait(node, does, [*([me] if me is not None else []), *given], words))
        if type(does) is type and (made := self.makes(does)) is not None:
            if made.__code__.co_filename == GENERATED:
                bound = bound_to(made, [Value(), *given], words)
                fields = {Attribute(key): value for key, value in bound.items() if value.value is not ABSENT}
                return Value(ABSENT, union([*given, *words.values()]), held=fields)
            if self.runs(made):
                yield from self.wait(node, made, [Value(), *given], words)
                return Value(ABSENT, union([*given, *words.values()]))
        if does is ABSENT and me is not None:
            return known_calls.method(self, name, me, given, words)
        found = yield from known_calls.function(self, node, does, given, words, env)
        return found

    def makes(self, cls: type) -> FunctionType | None:
        """The `__init__` of a class, if there is nothing else that makes its objects."""
        made = next((vars(each)["__init__"] for each in cls.__mro__ if "__init__" in vars(each)), None)
        news: Any = cls.__new__
        return made if type(made) is FunctionType and news is object.__new__ else None

    def wait(self, node: ast.expr, does: Any, given: list[Value], words: dict[str, Value] | None = None) -> Steps:
        """What code of the program returns; a generator only when it is asked."""
        if not self.runs(does):
            self.is_disturbed = True
            return Value()
        bound = bound_to(does, given, words or {})
        code: CodeType = does.__code__
        if code.co_flags & 0x20:
            self.so_far.unbegun.setdefault(code, []).append(bound)
            return Value(ABSENT, NONE, held={code: Value()})
        found = yield Waiting(node, code, bound)
        return found

    def drained(self, node: ast.expr, value: Value, is_all: bool) -> Steps:
        """What a generator of the program makes next, or all of it."""
        code = next(iter(value.held or {}), None)
        made = value.value
        if code is None and type(made).__name__ == "generator":
            code = made.gi_code
        if not isinstance(code, CodeType):
            raise Unforeseen
        return (yield Waiting(node, code, {}, is_all))

    def remembered(
        self, node: ast.Call, does: Any, inner: FunctionType, given: list[Value], words: dict[str, Value]
    ) -> Steps:
        """What a function gives that remembers what it has returned."""
        mark = tuple(each.value for each in given)
        if words or not is_plain(mark):
            raise Unforeseen
        known = self.so_far.cached.get((id(does), mark))
        if known is not None:
            return known
        found = yield from self.wait(node, inner, given)
        self.so_far.cached[id(does), mark] = found
        return found

    # Statements

    def put_name(self, name: str, value: Value) -> None:
        """The statement binds a name."""
        self.puts[name] = self.seen[name] = value

    def do_Assign(self, node: ast.Assign) -> Steps:
        value = yield from self.of(node.value)
        for target in node.targets:
            yield from self.assign(target, value)
        return value

    def do_AnnAssign(self, node: ast.AnnAssign) -> Steps:
        if node.value is not None:
            yield from self.assign(node.target, (yield from self.of(node.value)))
        return Value()

    def assign(self, target: ast.expr, value: Value) -> Steps:
        """Give a target its value."""
        pairs: list[tuple[ast.expr, Value]] = []
        self.spread(target, value, lambda each, part: pairs.append((each, part)))
        for each, part in pairs:
            if isinstance(each, ast.Name):
                self.put_name(each.id, part)
            elif isinstance(each, ast.Attribute):
                box = yield from self.of(each.value)
                self.cells.append((box, Attribute(each.attr), part))
            elif isinstance(each, ast.Subscript):
                box = yield from self.of(each.value)
                if is_array(box.value):
                    self.put_cells(box, (yield from self.of(each.slice)).value, part)
                    continue
                if isinstance(each.slice, ast.Slice):
                    cut = yield from self.cut(each.slice, None)
                    known_calls.cut_in(self, box, cut, part)
                    continue
                key = yield from self.of(each.slice)
                if self.method_of(box.value, "__setitem__") is not None:
                    raise Unforeseen
                self.cells.append((box, key.value, part))
        return value

    def put_cells(self, box: Value, key: Any, value: Value) -> None:
        """Put a value, or each of several, into cells of an array; `...` stands for all that have changed."""
        made, new = box.value, value
        places = places_in(made, key) if key is not ABSENT else None
        if is_plain(value.value) and (places is None or places.ndim):
            self.cells.append((box, ..., value))
            return
        parts = [new] if is_plain(value.value) else self.deep_parts(new)
        if places is None or len(parts) != places.size or places.size > FEW:
            self.cells.append((box, ..., Value()))
            return
        for place, part in zip(places.flat, parts, strict=True):
            index = index_of(made, place)
            self.cells.append((box, index[0] if len(index) == 1 else index, part))

    def deep_parts(self, value: Value) -> list[Value]:
        """The numbers in a list, an array or a row of it."""
        parts = self.parts(value) if not is_plain(value.value) else None
        return [value] if parts is None else [each for part in parts for each in self.deep_parts(part)]

    def put_sums(self, box: Value, key: Any, more: Value) -> None:
        """Change cells of an array, each by a value or by the one of several in its place."""
        old = self.deep_parts(self.cell(box, box.value, key) if key is not ABSENT else Value())
        parts = self.deep_parts(more)
        if is_plain(more.value):
            parts *= len(old)
        pairs = zip(old, parts, strict=False) if len(old) == len(parts) else ()
        sums = [Value(ABSENT, union(pair)) for pair in pairs]
        self.put_cells(box, key, Value(ABSENT, union(sums), sums))

    def on_Slice(self, node: ast.Slice, env: Env | None) -> Steps:
        return Value((yield from self.cut(node, env)))

    def do_AugAssign(self, node: ast.AugAssign) -> Steps:
        box, key = Value(), Value()
        if isinstance(node.target, ast.Name):
            old = yield from self.of(loaded(node.target))
            if is_array(old.value):
                self.put_sums(old, ..., (yield from self.of(node.value)))
                return old
        elif isinstance(node.target, ast.Attribute):
            old = yield from self.on_Attribute(node.target, None)
            box = yield from self.of(node.target.value)
            key = Value(Attribute(node.target.attr))
        else:
            box = yield from self.of(node.target.value)
            if is_array(box.value):
                key = yield from self.of(node.target.slice)
                self.put_sums(box, key.value, (yield from self.of(node.value)))
                return box
            if isinstance(node.target.slice, ast.Slice):
                raise Unforeseen
            key = yield from self.of(node.target.slice)
            old = self.at(box, key.value)
        more = yield from self.of(node.value)
        made = old.value
        if type(made) in (list, deque) and isinstance(node.op, ast.Add):
            known_calls.method(self, "extend", old, [more], {})
            return old
        if type(made) is set and type(node.op) in known_calls.IN_PLACE:
            return known_calls.method(self, known_calls.IN_PLACE[type(node.op)], old, [more], {})
        if type(made) in TABLES or is_array(made) or self.method_of(made, f"__i{METHODS.get(type(node.op))}__"):
            raise Unforeseen
        value = yield from self.operated(node, node.op, old, more)
        if isinstance(node.target, ast.Name):
            self.put_name(node.target.id, value)
        else:
            self.cells.append((box, key.value, value))
        return value

    def do_For(self, node: ast.For) -> Steps:
        if not self.again:
            value = yield from self.of(node.iter)
            self.run.loops.append(Loop(node, self.walk(value)))
        return Value()

    def do_Return(self, node: ast.Return) -> Steps:
        if node.value is not None:
            self.result = yield from self.of(node.value)
        return Value()

    def do_Expr(self, node: ast.Expr) -> Steps:
        return (yield from self.of(node.value))

    def do_If(self, node: ast.If | ast.While | ast.Assert) -> Steps:
        return (yield from self.of(node.test))

    do_While = do_Assert = do_If

    def do_Raise(self, node: ast.Raise) -> Steps:
        if node.exc is not None:
            self.failed = (yield from self.of(node.exc)).origins
            if isinstance(node.exc, ast.Call):
                self.failed |= union((yield from self.each(node.exc.args, None)))
        return Value()

    def do_Delete(self, node: ast.Delete) -> Steps:
        for each in node.targets:
            if isinstance(each, ast.Subscript):
                box = yield from self.of(each.value)
                if isinstance(each.slice, ast.Slice):
                    known_calls.cut_in(self, box, (yield from self.cut(each.slice, None)), listed([]))
                else:
                    key = yield from self.of(each.slice)
                    if type(box.value) is list:
                        known_calls.method(self, "pop", box, [key], {})
        return Value()

    def do_Match(self, node: ast.Match) -> Steps:
        self.run.subject = yield from self.of(node.subject)
        return Value()

    def do_match_case(self, node: ast.match_case) -> Steps:
        self.match(node.pattern, self.run.subject)
        if node.guard is not None:
            yield from self.of(node.guard)
        return Value()

    def match(self, pattern: ast.pattern, value: Value) -> None:
        """Bind the names of a pattern."""
        if isinstance(pattern, ast.MatchAs):
            if pattern.pattern is not None:
                self.match(pattern.pattern, value)
            if pattern.name is not None:
                self.put_name(pattern.name, value)
        elif isinstance(pattern, ast.MatchSequence):
            parts = self.parts(value)
            stars = [each for each in pattern.patterns if isinstance(each, ast.MatchStar)]
            if parts is None or stars or len(parts) != len(pattern.patterns):
                return
            for each, part in zip(pattern.patterns, parts, strict=True):
                self.match(each, part)
        elif isinstance(pattern, ast.MatchClass):
            kind = getattr(type(value.value), "__match_args__", ())
            names = *kind[: len(pattern.patterns)], *pattern.kwd_attrs
            for name, each in zip(names, (*pattern.patterns, *pattern.kwd_patterns), strict=False):
                shadow = self.shadow(value.value)
                event = event_at(shadow, Attribute(name)) if shadow is not None else NOTHING
                self.match(each, Value(attribute(value.value, name), frozenset({event}) if event >= 0 else NONE))
        elif isinstance(pattern, ast.MatchMapping):
            for key, each in zip(pattern.keys, pattern.patterns, strict=True):
                if isinstance(key, ast.Constant) and type(value.value) in TABLES and key.value in value.value:
                    self.match(each, self.at(value, key.value))

    def do_ExceptHandler(self, node: ast.ExceptHandler) -> Steps:
        if node.name is not None:
            self.put_name(node.name, Value(ABSENT, self.run.caught))
        yield from ()
        return Value()

    # The statement is over

    def finish(self, values: Mapping[str, Any]) -> None:
        """The statement has run. Only what has come out as it was computed is known to come from there."""
        if self.is_finished:
            return
        self.is_finished = True
        if self.waiting is not None or self.is_lost:
            self.is_lost = True
            self.puts, self.cells, self.arranged, self.result = {}, [], {}, None
        loops = self.run.loops
        for node in self.statement.nodes:
            if isinstance(node, ast.For) and loops and loops[-1].node is node:
                self.next_round(node, values)
            elif isinstance(node, ast.Expr | ast.Assign | ast.Return) and isinstance(node.value, ast.YieldFrom):
                self.result = self.last_yield
        for name, value in self.puts.items():
            if not fits(value, values.get(name, self.run.shared.get(name, ABSENT))):
                self.puts[name] = Value()
        self.seen = {}

    def next_round(self, node: ast.For, values: Mapping[str, Any]) -> None:
        """A loop has come to its next element."""
        loop = self.run.loops[-1]
        walk, number = loop.walk, loop.number
        value = self.last_yield if walk is None and self.yielded == 1 else None
        if walk is not None:
            try:
                value = walk(number)
            except (LookupError, RuntimeError):
                value = None
        loop.number += 1
        if value is None:
            value = Value()
        elif not is_now(node.target, value, values, self):
            value = Value()
        self.spread(node.target, value, self.put_loop)

    def put_loop(self, target: ast.expr, value: Value) -> None:
        """Give a variable of a loop its element."""
        if isinstance(target, ast.Name):
            self.puts[target.id] = value

    # What is told

    def of_variable(self, name: str) -> Value:
        """What explains what a variable has come to hold."""
        return self.puts.get(name) or Value()

    def of_part(self, thing: Any, key: Any) -> Value:
        """What explains what has come into a thing at a key."""
        arranged = self.arranged.get(id(thing))
        if arranged is not None and arranged.does is None:
            parts = arranged.parts
            known = type(key) is int and parts is not None and key < len(parts) == len(thing)
            return parts[key] if known and parts is not None and fits(parts[key], thing[key]) else Value()
        hits = [value for box, place, value in self.cells if box.value is thing and self.is_place(place, key, thing)]
        return hits[-1] if hits else Value()

    def is_place(self, place: Any, key: Any, thing: Any) -> bool:
        """Whether the key that a statement has written is the one at which a thing has changed."""
        if type(place) is int and place < 0 and type(thing) in (list, deque):
            place += len(thing)
        if is_array(thing) and type(place) is tuple:
            place = tuple(
                size + each if type(each) is int and each < 0 else each
                for each, size in zip(place, thing.shape, strict=False)
            )
        if type(place) is not Attribute and not is_plain(place):
            return self.flat(place) is key
        if place is ... and is_array(thing):
            return True
        is_known = type(place) is type(key) and (type(place) is Attribute or is_plain(place))
        return place is key or is_known and bool(place == key)


def is_doubled(node: ast.expr | ast.AugAssign) -> bool:
    """Whether both sides of an operator are written in the same way."""
    return isinstance(node, ast.BinOp) and ast.dump(node.left) == ast.dump(node.right)


def are_few(values: Sequence[Any]) -> bool:
    """Whether a text, so many times, is no long one."""
    text, times = sorted(values, key=lambda value: type(value) is int)
    return bool(len(text) * times < LONGEST)


def is_now(target: ast.expr, value: Value, values: Mapping[str, Any], beside: Evaluation) -> bool:
    """Whether a variable of a loop, or each of several, holds an element now."""
    if isinstance(target, ast.Name):
        return fits(value, values.get(target.id, ABSENT))
    if isinstance(target, ast.Tuple | ast.List) and not any(isinstance(each, ast.Starred) for each in target.elts):
        parts = beside.parts(value)
        return (
            parts is None
            or len(parts) == len(target.elts)
            and all(is_now(each, part, values, beside) for each, part in zip(target.elts, parts, strict=True))
        )
    return True


def bound_to(does: FunctionType, given: list[Value], words: dict[str, Value]) -> dict[str, Value]:
    """What each parameter of a function gets."""
    code = does.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    found = dict(zip(names[: code.co_argcount], given, strict=False))
    found.update({name: value for name, value in words.items() if name in names})
    rest = given[code.co_argcount :]
    if code.co_flags & 0x04:
        values = [each.value for each in rest]
        known = ABSENT if any(value is ABSENT for value in values) else tuple(values)
        found[code.co_varnames[len(names)]] = Value(known, union(rest), rest)
    return found


def bind(env: dict[str, Value], target: ast.expr, value: Value) -> None:
    """Bind a variable of a comprehension."""
    if isinstance(target, ast.Name):
        env[target.id] = value
