"""The evaluation of a statement in step with the program, to find the places that its values were read from.

The expressions of a statement are evaluated when it begins, in Python's order. Each value is kept with the values that
were read for it: for `min(a, b)` the smaller one, for `a if b else c` the chosen branch, for `a + b` both. At a call of
the program's code the evaluation waits until this call has returned, and continues with its result. Only plain values
are computed, and the program's code is never called. Values that an unknown function may have changed become unknown;
after an unforeseen event, the whole statement is unknown.
"""

import ast
import builtins
import operator as op
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeVar

from crashlab.watch import known_calls
from crashlab.watch.events_so_far import EventsSoFar
from crashlab.watch.film_data import Arguments, Place, Read, SinceEntry, Slot, spelled
from crashlab.watch.origins import (
    CODE,
    LONGEST,
    SETS,
    TABLES,
    Value,
    Walk,
    are_plain,
    element,
    gathered,
    in_place,
    is_box,
    is_plain,
    is_true,
    listed,
    made_of,
    mapped,
    matches,
    obscure,
    read_of,
    tupled,
    union,
    without_text,
)
from crashlab.watch.reading import Env, Reading, Steps, Unforeseen, Waiting, bound_to, code_of, index_of, places_in
from crashlab.watch.snapshots import GENERATED, PLAIN, attribute, has_plain_message, in_class, is_array, is_number
from crashlab.watch.statements import Condition, Extent, SourceText, Statement, Test, codes_in, extent, loaded
from crashlab.watch.things import ABSENT, NOTHING, Attribute, Thing, Words
from crashlab.watch.variables import Names, Scope

OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: op.add, ast.Sub: op.sub, ast.Mult: op.mul, ast.FloorDiv: op.floordiv, ast.Mod: op.mod, ast.Div: op.truediv,
    ast.MatMult: op.matmul, ast.Pow: op.pow, ast.LShift: op.lshift, ast.RShift: op.rshift, ast.BitAnd: op.and_,
    ast.BitOr: op.or_, ast.BitXor: op.xor, ast.Lt: op.lt, ast.Gt: op.gt, ast.LtE: op.le, ast.GtE: op.ge, ast.Eq: op.eq,
    ast.NotEq: op.ne, ast.Is: op.is_, ast.IsNot: op.is_not, ast.USub: op.neg, ast.UAdd: op.pos, ast.Invert: op.invert,
    ast.In: lambda one, many: one in many, ast.NotIn: lambda one, many: one not in many,
}  # fmt: skip
T = TypeVar("T")
Doing = Generator[Waiting, Value, Any]  # the steps of a statement
FEW = 200  # maximum number of cells of an array that are examined one by one
MADE_BY: dict[type, Callable[[list[Any]], Value]] = {
    ast.ListComp: listed, ast.SetComp: gathered, ast.DictComp: mapped, ast.List: listed, ast.Set: gathered,
    ast.GeneratorExp: lambda parts: Value(ABSENT, union(parts), parts), ast.Tuple: tupled,
}  # fmt: skip


@dataclass(eq=False)
class Loop:
    """A running loop: its iterable, its position, and flat values that it keeps alive."""

    node: ast.For
    walk: Walk | None
    number: int = 0
    results: list[Any] = field(default_factory=list)


class RunningCall:
    """The state of the call to which a statement belongs."""

    def __init__(self, code: CodeType, apart: CodeType, text: SourceText, scope: Scope) -> None:
        self.code, self.apart, self.text, self.scope = code, apart, text, scope
        self.names: Names = {}
        self.locals = frozenset((*apart.co_varnames, *apart.co_cellvars, *code.co_freevars))
        self.first = (*apart.co_varnames, "")[0]  # the name of its first parameter, or empty
        self.shared: Mapping[str, Any] = {}  # the global variables visible to it
        self.loops: list[Loop] = []  # the running loops, the innermost last
        self.subject = Value()  # the subject of its last `match`
        self.source = Value()  # the iterable of its last `yield from`
        self.caught: tuple[Value, ...] = ()  # values read by the operation whose exception is handled
        self.tests: dict[Test, dict[ast.expr, Value]] = {}  # values of the parts of each test at its last evaluation

    def lambda_of(self, code: CodeType) -> ast.Lambda | None:
        """Return the source of a `lambda` in the same file if it uses no global names, else None."""
        is_simple = code.co_name == "<lambda>" and not any(inner.co_names for inner in codes_in(code))
        return self.text.lambda_of(code) if is_simple and code.co_filename == self.text.file else None

    def slot(self, name: str) -> Slot | None:
        """Return the owner and the name of a variable; None if the owner is unknown."""
        if name in self.names:
            return self.names[name].number, name
        return (self.scope.number, name) if name in self.apart.co_varnames else None

    def since(self, statement: Statement) -> SinceEntry | None:
        """Return the test that let a statement of this call run, or None."""
        node = self.text.test_of(statement.nodes[0]) if statement.nodes else None
        return self.tested(*node) if node is not None else None

    def tested(self, node: Test, holds: bool) -> SinceEntry:
        """Return a SinceEntry: a test with the values that its parts had at its last evaluation."""
        condition, parts = self.text.condition(node), self.parts_of(node)
        reads = read_of(union(filter(None, parts)))
        return condition, holds, tuple(self.part(condition, value, holds) for value in parts), reads

    def parts_of(self, node: Test) -> list[Value | None]:
        """Return the values of a test's parts at its last evaluation; None for a part that was not evaluated."""
        values = self.tests.get(node, {})
        return [values.get(leaf) for leaf in self.text.condition(node).leaves]

    def part(self, condition: Condition, value: Value | None, holds: bool) -> Read | None:
        """Return a part of a test as a Read, with the place None if it was computed; None if its value is unknown."""
        if value is None or value.place is None and not is_plain(value.value):
            return None
        obj = value.value
        if value.place is None:
            return None, obj, NOTHING
        (read,) = read_of([value])
        if condition.spellings is None and read[1] is ABSENT and (is_box(obj) or obj is not ABSENT):
            is_full = holds is not condition.is_negated
            name = type(obj).__name__
            article = "an" if name[0] in "AEIOaeio" else "a"
            words = f"{'not ' if is_full else ''}empty" if is_box(obj) else f"{article} {name}"
            return read[0], Words(words, 0), read[2]
        return read


class Evaluation(Reading):
    """A statement of a call while it runs.

    puts      the variables that it binds, in order, with their values
    result    the value that it returns or yields
    """

    def __init__(
        self,
        so_far: EventsSoFar,
        run: RunningCall,
        statement: Statement,
        values: Mapping[str, Any],
        again: bool = False,
        sent: Value | None = None,
    ) -> None:
        super().__init__(so_far)
        self.run, self.statement = run, statement
        self.sent = sent  # what its `yield` returns, if a paused generator continues with this statement
        self.moves = so_far.moves
        self.puts: dict[str, Value] = {}
        self.result: Value | None = None
        self.is_lost = self.is_finished = False
        self.yielded = 0
        self.last_yield: Value | None = None
        self.waiting: Waiting | None = None
        self.is_drained = False  # whether the arguments are for a function that exhausts them
        self.again = again  # whether this is a later round of a `for`, whose iterable was evaluated in the first
        self.events: dict[str, int] = {}
        named = (*statement.names, "__class__", run.first) if "super" in statement.names else statement.names
        self.variables = {name: self.read(name, values) for name in named}
        self.steps = self.all_steps()
        self.go_on(None)

    # Running in step with the program

    def all_steps(self) -> Doing:
        """Evaluate the whole statement."""
        for node in self.statement.nodes:
            yield from getattr(self, f"do_{type(node).__name__}", lambda node: ())(node)

    def go_on(self, value: Value | None) -> None:
        """Continue with the result of a call, up to the next call of the program's code or to the end."""
        self.waiting = None
        try:
            self.waiting = self.steps.send(value)  # type: ignore[arg-type]
        except StopIteration:
            pass
        except (Unforeseen, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RuntimeError):
            self.is_lost = True

    def to_blame(self, place: Extent) -> tuple[Value, ...]:
        """Return the values to blame for an exception that was raised at a place of the source.

        There are none unless the operation at this place is the one that the evaluation expected to fail.
        """
        nodes: list[Any] = [self.failing, *(part.iter for part in getattr(self.failing, "generators", ()))]
        if self.failing is None:  # the operation of a statement itself
            nodes = [node for node in self.statement.nodes if isinstance(node, ast.stmt)]
            nodes += [part for node in nodes for part in getattr(node, "targets", ())]
            parts = [getattr(node, field, None) for node in nodes for field in ("target", "iter", "test")]
            nodes += filter(None, parts)
            for node in nodes:
                nodes += getattr(node, "elts", ())  # targets of targets
        return self.failed if place in map(extent, nodes) else ()

    def enter(self, code: CodeType, spot: tuple[int, int] | None) -> dict[str, Value]:
        """Return the values of a called function's parameters; empty if the evaluation does not wait for this call."""
        waiting = self.waiting if not self.is_lost else None
        return waiting.arguments if waiting is not None and waiting.is_at(code, spot) else {}

    def leave(self, code: CodeType, spot: tuple[int, int] | None, value: Value | None, pauses: bool) -> None:
        """Continue with the value that a call returned or yielded, which is None if an exception ended the call."""
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
        self.variables = {name: self.fresh(name, old) for name, old in self.variables.items()}
        if pauses and (waiting.is_all or isinstance(waiting.node, ast.YieldFrom)):
            waiting.yields += [value] if value is not None else []
        elif waiting.is_all and value is not None:
            self.go_on(Value(ABSENT, (), waiting.yields))
        elif value is None:
            self.is_lost = True
        else:
            self.go_on(value)

    def fresh(self, name: str, old: Value) -> Value:
        """Return a variable after the program's code ran; it is unknown if the code changed it."""
        code, slot, obj = self.run.apart, self.run.slot(name), old.value
        if name in self.puts:
            return old
        if slot is None and name not in self.run.locals:
            return self.read(name, {})
        event = NOTHING if slot is None else self.so_far.brought.get(slot, NOTHING)
        is_safe = name in code.co_varnames and name not in code.co_cellvars
        is_changed = event != self.events.get(name, NOTHING) if slot is not None else name in self.run.text.nonlocals
        if not is_safe and is_changed:
            return obscure()
        if type(obj) in PLAIN or old.place is None:
            return old
        return Value(obj).at(name, self.so_far.last_change(obj, event))

    # Variables

    def read(self, name: str, values: Mapping[str, Any]) -> Value:
        """Return the value of a variable at the start of the statement."""
        run, slot = self.run, self.run.slot(name)
        value = values.get(name, ABSENT)
        if name not in values and name not in run.locals:
            value = run.shared.get(name, getattr(builtins, name, ABSENT))
        event = self.events[name] = NOTHING if slot is None else self.so_far.brought.get(slot, NOTHING)
        if value is ABSENT or type(value) in CODE:
            return Value(value)
        return Value(value).at(name, event if type(value) in PLAIN else self.so_far.last_change(value, event))

    # Expressions

    def all_of(self, nodes: Sequence[ast.expr], env: Env | None) -> Generator[Waiting, Value, list[Value]]:
        """Evaluate several expressions and return their values; a starred expression yields its elements."""
        values: list[Value] = []
        for node in nodes:
            value = yield from self.of(node.value if isinstance(node, ast.Starred) else node, env)
            values += required(self.parts(value)) if isinstance(node, ast.Starred) else [value]
        return values

    def on_JoinedStr(self, node: ast.JoinedStr, env: Env | None) -> Steps:
        return made_of((yield from self.all_of(node.values, env)))

    def on_FormattedValue(self, node: ast.FormattedValue, env: Env | None) -> Steps:
        value = yield from self.of(node.value, env)
        if not (is_plain(value.value) or is_box(value.value) or has_plain_message(value.value)):
            self.is_disturbed = True
        return made_of([value])

    def on_NamedExpr(self, node: ast.NamedExpr, env: Env | None) -> Steps:
        value = yield from self.of(node.value, env)
        self.put_name(node.target.id, value)
        return value

    def on_List(self, node: ast.List | ast.Tuple | ast.Set, env: Env | None) -> Steps:
        return MADE_BY[type(node)]((yield from self.all_of(node.elts, env)))

    on_Tuple = on_Set = on_List

    def on_Dict(self, node: ast.Dict, env: Env | None) -> Steps:
        pairs: list[tuple[Value, Value]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                more = yield from self.of(value, env)
                pairs += [(part, self.at(more, part.value)) for part in required(self.parts(more))]
            else:
                pairs.append(((yield from self.of(key, env)), (yield from self.of(value, env))))
        return mapped(pairs)

    def on_Subscript(self, node: ast.Subscript, env: Env | None) -> Steps:
        box = yield from self.of(node.value, env)
        key = yield from self.of(node.slice, env)
        if isinstance(node.slice, ast.Slice):
            return self.cut_out(box, key.value)
        return (yield from self.asked(node, "__getitem__", [box, key])) or self.item(node, box, key)

    def item(self, node: ast.Subscript, box: Value, key: Value) -> Value:
        """Return the value at a key of a container; if there is none, blame the key and the container."""
        if box.value is None:
            raise self.fails([box])
        try:
            return self.at(box, key.value)
        except LookupError as error:
            text = ast.unparse(node.value) if box.place is None else spelled(box.place)
            size = self.answer(Value(len(box.value), box.reads), ("len", Arguments([Words(text, 0)])))
            raise self.fails([key, box if type(box.value) in TABLES else size]) from error

    def cut_out(self, box: Value, cut: slice) -> Value:
        """Return a slice of a sequence, a string or an array."""
        kind = type(box.value)
        if kind in (str, bytes) and is_plain(box.value) or kind is tuple and box.parts is None:
            return element(box, cut, box.value[cut], box.event)
        if is_array(box.value):
            return self.at(box, cut)
        parts = self.parts(box)
        if parts is None:
            return obscure()
        part = (tupled if kind is tuple else listed)(parts[cut], [box])
        return part if box.place is None else part.at((box.place, in_place(cut)), box.event)

    def on_Slice(self, node: ast.Slice, env: Env | None) -> Steps:
        ends: list[Any] = []
        for end in (node.lower, node.upper, node.step):
            ends.append(None if end is None else (yield from self.of(end, env)).value)
        if any(end is not None and type(end) is not int for end in ends):
            raise Unforeseen
        return Value(slice(*ends))

    def not_none(self, node: ast.expr, env: Env | None = None) -> Steps:
        """Evaluate an expression and return its value; blame it if it is None."""
        value = yield from self.of(node, env)
        if value.value is None:
            raise self.fails([value])
        return value

    def on_Attribute(self, node: ast.Attribute, env: Env | None) -> Steps:
        box = yield from self.not_none(node.value, env)
        obj = box.value
        if type(obj) is ModuleType:
            return Value(vars(obj).get(node.attr, ABSENT))
        if obj is ABSENT or type(obj) in PLAIN:
            return obscure()
        lines = (obj if type(obj) is type else type(obj)).__mro__
        owner = next((cls for cls in lines if node.attr in vars(cls)), None)
        of_class = vars(owner)[node.attr] if owner is not None else ABSENT
        if type(obj) is type and box.place is None:
            box = Value(obj).at(ast.unparse(node.value), NOTHING)
        if type(of_class) is property and of_class.fget is not None:
            return self.answer((yield from self.wait(node, of_class.fget, [box])), (box.place, Attribute(node.attr)))
        if self.is_disturbed:
            return obscure()
        if is_array(obj):
            return Value(ABSENT, box.reads) if node.attr == "T" else obscure()
        value = attribute(obj, node.attr)
        if value is ABSENT and of_class is not ABSENT:
            key, is_data = Attribute(node.attr), is_plain(of_class) or is_box(of_class)
            other = Value() if callable(of_class) else obscure()
            return self.element(box, key, of_class, self.event_at(owner, key)) if is_data else other
        return self.attribute_of(box, node.attr)

    def attribute_of(self, box: Value, name: str) -> Value:
        """Return an attribute of an object; an unknown value if it is missing."""
        value, key = attribute(box.value, name), Attribute(name)
        return obscure() if value is ABSENT else self.element(box, key, value, self.event_at(box.value, key))

    def on_BinOp(self, node: ast.BinOp, env: Env | None) -> Steps:
        one = yield from self.of(node.left, env)
        return (yield from self.operated(node, node.op, one, (yield from self.of(node.right, env))))

    def operated(self, node: Any, operation: ast.AST, one: Value, other: Value) -> Steps:
        """Return the result of a binary operator."""
        for prefix, operands in (("", [one, other]), ("r", [other, one])):
            if result := (yield from self.asked(node, name_of(operation, prefix), operands)):
                return result
        kinds = type(one.value), type(other.value)
        both = [one, other]
        rows = [
            operand
            for operand in both
            if type(operand.value) is list or operand.value is ABSENT and operand.parts is not None
        ]
        if kinds[0] in SETS and kinds[1] in SETS:
            return known_calls.beside_set(self, type(operation), one, other)
        if isinstance(operation, ast.Add) and kinds in ((list, list), (tuple, tuple)):
            left, right = self.parts(one), self.parts(other)
            if left is None or right is None:
                return obscure()
            return (listed if kinds[0] is list else tupled)([*left, *right], both)
        if isinstance(operation, ast.Mult) and rows:
            many, times = rows[0], other if rows[0] is one else one
            parts = self.parts(many)
            if parts is None or type(times.value) is not int or len(parts) * times.value > LONGEST:
                return made_of(both)
            return listed(parts * times.value, both)
        return Value(self.applied(operation, one, other), union(both))

    def applied(self, operation: ast.AST, *operands: Value) -> Any:
        """Return the result of an operation on plain values; ABSENT if it is unknown."""
        does = OPERATORS[type(operation)]
        values = [one.value for one in operands]
        if isinstance(operation, ast.operator) and any(value is None for value in values):
            raise self.fails(operands)
        if any(value is ABSENT for value in values) or not (
            isinstance(operation, ast.Is | ast.IsNot) or are_plain(operands)
        ):
            return ABSENT
        are_numbers = all(type(value) in (int, float, bool) or is_number(value) for value in values)
        if isinstance(operation, ast.Mult) and {*map(type, values)} == {str, int}:
            text, times = values if type(values[0]) is str else values[::-1]
            return text * times if len(text) * times < LONGEST else ABSENT
        if isinstance(operation, ast.Mult | ast.Pow | ast.LShift) and not are_numbers:
            return ABSENT
        if isinstance(operation, ast.Pow | ast.LShift) and not -64 < values[1] < 64:
            return ABSENT
        try:
            return does(*values)
        except Exception as error:  # the program's own operation fails too
            raise self.fails(operands[1:] if isinstance(error, ZeroDivisionError) else operands) from error

    def on_UnaryOp(self, node: ast.UnaryOp, env: Env | None) -> Steps:
        one = yield from self.of(node.operand, env)
        if isinstance(node.op, ast.Not):
            truth = is_true(one.value)
            return Value(ABSENT if truth is None else not truth, one.reads)
        return (yield from self.asked(node, name_of(node.op), [one])) or Value(self.applied(node.op, one), one.reads)

    def on_Compare(self, node: ast.Compare, env: Env | None) -> Steps:
        one = yield from self.of(node.left, env)
        results = [one]
        for operation, comparator in zip(node.ops, node.comparators, strict=True):
            other = yield from self.of(comparator, env)
            result = yield from self.asked(node, name_of(operation), [one, other])
            results.append(result or self.compared(operation, one, other))
            if results[-1].value is ABSENT and len(node.ops) > 1:
                raise Unforeseen
            if is_true(results[-1].value) is False:
                return results[-1]
            one = other
        return Value(results[-1].value, union(results[1:]))

    def compared(self, operation: ast.AST, one: Value, other: Value) -> Value:
        """Return the result of a comparison, with the origins of the compared values."""
        if not isinstance(operation, ast.In | ast.NotIn):
            is_known = isinstance(operation, ast.Is | ast.IsNot) or are_plain([one, other])
            return Value(self.applied(operation, one, other) if is_known else ABSENT, union([one, other]))
        if other.value is None:
            raise self.fails([other])
        if self.check(other) is ABSENT and other.parts is None:
            return obscure()
        many = other.value
        if type(many) not in (str, *TABLES, *SETS):
            parts = self.parts(other)
            many = ABSENT if parts is None or not are_plain(parts) else [part.value for part in parts]
        is_known = many is not ABSENT and is_plain(one.value)
        truth = (one.value in many) is isinstance(operation, ast.In) if is_known else ABSENT
        return Value(truth, union([one, other]))

    def on_BoolOp(self, node: ast.BoolOp, env: Env | None) -> Steps:
        for operand in node.values:
            value = yield from self.of(operand, env)
            if operand is node.values[-1] or required(is_true(value.value)) == isinstance(node.op, ast.Or):
                return value
        raise Unforeseen

    def on_IfExp(self, node: ast.IfExp, env: Env | None) -> Steps:
        truth = yield from self.of(node.test, env)
        return (yield from self.of(node.body if required(is_true(truth.value)) else node.orelse, env))

    def rounds(
        self,
        node: Any,
        env: Env | None,
        results: list[Any],
        until: bool | None = None,
        level: int = 0,
        since: SinceEntry | None = None,
    ) -> Generator[Waiting, Value, bool]:
        """Append the elements of a comprehension to results, beginning with its `for` number `level`.

        Return whether to continue: False as soon as the truth value of an element is `until`.
        """
        if level == len(node.generators):
            if isinstance(node, ast.DictComp):
                pair = (yield from self.of(node.key, env)), (yield from self.of(node.value, env))
                results.append(tuple(part.after(since) for part in pair))
            else:
                results.append((yield from self.of(node.elt, env)).after(since))
            if len(results) > LONGEST:
                raise Unforeseen
            return until is None or required(is_true(results[-1].value)) is not until
        part = node.generators[level]
        walk, place = self.walk((yield from self.not_none(part.iter, env))), 0
        if walk is None or part.is_async:
            raise Unforeseen
        while (item := walk(place)) is not None:
            place += 1
            inner, test = {**(env or {}), **self.bound(part.target, without_text(item))}, since
            for clause in part.ifs:
                truth = yield from self.tested(clause, clause, inner)
                if not required(is_true(truth.value)):
                    break
                test = self.run.tested(clause, True)
            else:
                if not (yield from self.rounds(node, inner, results, until, level + 1, test)):
                    return False
            if place > LONGEST:
                raise Unforeseen
        return True

    def on_ListComp(self, node: ast.expr, env: Env | None) -> Steps:
        results: list[Any] = []
        yield from self.rounds(node, env, results)
        return MADE_BY[type(node)](results)

    on_SetComp = on_DictComp = on_ListComp

    def on_GeneratorExp(self, node: ast.GeneratorExp, env: Env | None) -> Steps:
        if self.is_drained:
            return (yield from self.on_ListComp(node, env))
        yield from self.of(node.generators[0].iter, env)  # it runs later, with the values at that time
        return Value()

    def on_Lambda(self, node: ast.Lambda, env: Env | None) -> Steps:
        yield from ()  # its body is evaluated when it is called
        return Value()

    def on_Yield(self, node: ast.Yield, env: Env | None) -> Steps:
        if self.sent is not None:
            return self.sent
        if node.value is not None:
            self.result = yield from self.of(node.value, env)
        return self.disturbed()

    def on_YieldFrom(self, node: ast.YieldFrom, env: Env | None) -> Steps:
        if self.sent is None:
            self.run.source = yield from self.of(node.value, env)
        code = code_of(self.run.source)
        if code is None:
            return self.disturbed()
        value = yield Waiting(node, code, {"": self.sent or Value()})
        return self.answer(value, self.run.source.place) if isinstance(node.value, ast.Call) else obscure()

    def spread(self, target: ast.expr, value: Value) -> list[tuple[ast.expr, Value]]:
        """Return the simple targets of an assignment with their values."""
        if not isinstance(target, ast.Tuple | ast.List):
            return [(target, value)]
        parts = self.parts(value)
        if parts is not None:
            parts = self.gathered_star(parts, [isinstance(node, ast.Starred) for node in target.elts])
        if parts is None or len(parts) != len(target.elts):
            parts = [obscure() for _ in target.elts]
        inner = [node.value if isinstance(node, ast.Starred) else node for node in target.elts]
        pairs = zip(inner, parts, strict=True)
        return [pair for node, part in pairs for pair in self.spread(node, part.after(value.since))]

    def gathered_star(self, parts: list[Value], stars: list[bool]) -> list[Value]:
        """Return elements for the targets of an assignment, with those for a starred target combined into one list."""
        if True not in stars:
            return parts
        first, end = stars.index(True), len(parts) - (len(stars) - stars.index(True) - 1)
        return [*parts[:first], listed(parts[first:end]), *parts[end:]]

    def bound(self, target: ast.expr, value: Value) -> dict[str, Value]:
        """Return the variables that a loop binds, with their values."""
        return {node.id: part for node, part in self.spread(target, value) if isinstance(node, ast.Name)}

    # Calls

    def on_Call(self, node: ast.Call, env: Env | None) -> Steps:
        name, me = "", None
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            box = yield from self.of(node.func.value, env)
            if box.value is None:
                self.failing = node.func
                raise self.fails([box])
            does, me = self.method(box, name)
        else:
            does = (yield from self.of(node.func, env)).value
        if does is super:
            return self.super_of(node)
        if (does is any or does is all) and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            results: list[Value] = []
            yield from self.rounds(node.args[0], env, results, does is any)
            return known_calls.stopped(does, results)
        was_drained, self.is_drained = self.is_drained, type(does) not in (FunctionType, MethodType)
        args = yield from self.all_of(node.args, env)
        words: dict[str, Value] = {}
        for word in node.keywords:
            value = yield from self.of(word.value, env)
            if word.arg is None:
                words |= {key.value: self.at(value, key.value) for key in required(self.parts(value))}
            else:
                words[word.arg] = value
        self.is_drained = was_drained
        if does is None:
            yield from self.not_none(node.func, env)
        return (yield from self.called(node, does, name, me, args, words, env))

    def super_of(self, node: ast.Call) -> Value:
        """Return the result of `super()` in a method."""
        super_args = self.variables.get("__class__", Value()).value, self.variables.get(self.run.first, Value()).value
        if node.args or not (type(super_args[0]) is type and issubclass(type(super_args[1]), super_args[0])):
            raise Unforeseen
        return Value(super(super_args[0], super_args[1])).at("super()", self.variables[self.run.first].event)

    def method(self, me: Value, name: str) -> tuple[Any, Value | None]:
        """Return the function behind a method and its first argument or None; ABSENT for a container's method."""
        obj = me.value
        if type(obj) is super:
            instance, lines = obj.__self__, type(obj.__self__).__mro__  # type: ignore[attr-defined]
            classes = lines[lines.index(obj.__thisclass__) + 1 :]  # type: ignore[attr-defined]
            function = next((vars(cls)[name] for cls in classes if name in vars(cls)), ABSENT)
            return function, Value(instance).at("super()", me.event)
        if obj is ABSENT or is_plain(obj) or is_box(obj) or is_array(obj):
            return ABSENT, me
        if type(obj) is ModuleType or attribute(obj, name) is not ABSENT:
            return attribute(obj, name), None
        cls = obj if type(obj) is type else type(obj)
        function = in_class(cls, name)
        if type(function) in (staticmethod, classmethod):
            return function.__func__, Value(cls) if type(function) is classmethod else None
        return function, None if cls is obj else me

    def method_of(self, obj: Any, name: str) -> FunctionType | None:
        """Return the program's method for an operator on this object, or None."""
        if obj is ABSENT or type(obj) in PLAIN or is_box(obj):
            return None
        function = in_class(type(obj), name)
        return function if self.runs(function) else None

    def asked(self, node: ast.expr, name: str, operands: list[Value]) -> Generator[Waiting, Value, Value | None]:
        """Return the result of the program's method `name` of the first operand; None if it has no such method."""
        does = self.method_of(operands[0].value, name)
        if does is None:
            return None
        value = yield from self.wait(node, does, operands)
        return Value(value.value, union(operands), value.parts, value.by_key)

    def called(
        self,
        node: ast.Call,
        does: Any,
        name: str,
        me: Value | None,
        args: list[Value],
        words: dict[str, Value],
        env: Env | None,
    ) -> Steps:
        """Return the result of a call of `does`, or of the method `name` of `me`, as far as it is known."""
        if type(does) is MethodType:
            does, me = does.__func__, Value(does.__self__)
        if (calls := self.method_of(does, "__call__")) is not None:
            does, me = calls, Value(does)
        inner: Any = getattr(does, "__wrapped__", None) if type(does).__name__ == "_lru_cache_wrapper" else None
        if self.runs(inner):
            value = yield from self.remembered(node, does, inner, args, words)
            return self.answer(value, self.place_of(node, me, args, words))
        text = self.run.lambda_of(does.__code__) if type(does) is FunctionType and not words else None
        outer = self.outer(does, text) if text is not None else None
        if text is not None and outer is not None:
            return (yield from self.of(text.body, outer | bound_to(does, args, {})))
        if self.runs(does):
            value = yield from self.wait(node, does, [*([me] if me is not None else []), *args], words)
            place = self.place_of(node, me, args, words)
            return self.answer(value, place) if code_of(value) is None else value.at(place, NOTHING)
        init = init_of(does)
        if type(init) is FunctionType and init.__code__.co_filename == GENERATED:
            return Value(ABSENT, union([*args, *words.values()]))
        if self.runs(init):
            yield from self.wait(node, init, [Value(), *args], words)
            return made_of([*args, *words.values()])
        if me is not None and name == "send" and (generator := code_of(me)) is not None:
            value = yield Waiting(node, generator, {"": args[0]})
            return self.answer(value, self.place_of(node, me, args, words))
        if does is ABSENT and me is not None:
            try:
                return known_calls.method(self, name, me, args, words)
            except (LookupError, ValueError) as error:
                raise self.fails([*args, me]) from error
        return (yield from known_calls.function(self, node, does, args, words, env))

    def outer(self, does: FunctionType, node: ast.Lambda) -> dict[str, Value] | None:
        """Return the variables of outer functions that a `lambda` reads, as they are now; None if one is unknown."""
        code, values = does.__code__, {}
        for name, cell in zip(code.co_freevars, does.__closure__ or (), strict=True):
            obj = cell.cell_contents
            is_argument = self.run.text.hidden.get(node, {}).get(name)
            owners = self.so_far.owners(code, name, obj, self.run.text) if is_argument is None else []
            event = self.so_far.brought.get((owners[0], name), NOTHING) if len(owners) == 1 else NOTHING
            if is_argument or is_argument is None and len(owners) != 1 or name in self.puts or type(obj) in CODE:
                return None
            values[name] = Value(obj).at(name, event if type(obj) in PLAIN else self.so_far.last_change(obj, event))
        return values

    def place_of(self, node: ast.Call, me: Value | None, args: list[Value], words: dict[str, Value]) -> Place:
        """Return a call as it would be written, with the values of its arguments."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        does = me.place if me is not None and name else None
        box = ast.unparse(node.func) if does is None else (does, Attribute(name))
        named = (f"{key}={spelled(self.argument(value))}" for key, value in words.items())
        return box, Arguments([*map(self.argument, args), *(Words(text, 0) for text in named)])

    def remembered(
        self, node: ast.Call, does: Any, inner: FunctionType, args: list[Value], words: dict[str, Value]
    ) -> Steps:
        """Return the result of a function with `lru_cache`: for equal arguments, the result of the first call."""
        mark = tuple(arg.value for arg in args)
        if words or not is_plain(mark):
            raise Unforeseen
        if (id(does), mark) not in self.so_far.cached:
            self.so_far.cached[id(does), mark] = yield from self.wait(node, inner, args)
        return self.so_far.cached[id(does), mark]

    # Statements

    def put_name(self, name: str, value: Value) -> None:
        self.puts[name] = self.variables[name] = value

    def do_Assign(self, node: ast.Assign) -> Doing:
        value = yield from self.of(node.value)
        for target in node.targets:
            yield from self.assign(target, value)

    def do_AnnAssign(self, node: ast.AnnAssign) -> Doing:
        if node.value is not None:
            yield from self.assign(node.target, (yield from self.of(node.value)))

    def assign(self, target: ast.expr, value: Value) -> Doing:
        if value.value is None and isinstance(target, ast.Tuple | ast.List):
            raise self.fails([value])
        for node, part in self.spread(target, value):
            if isinstance(node, ast.Name):
                self.put_name(node.id, part)
            elif isinstance(node, ast.Attribute):
                box = yield from self.not_none(node.value)
                self.cells.append((box, Attribute(node.attr), part))
            elif isinstance(node, ast.Subscript):
                box = yield from self.of(node.value)
                key = yield from self.of(node.slice)
                if is_array(box.value):
                    self.put_cells(box, key.value, part)
                elif isinstance(node.slice, ast.Slice):
                    known_calls.cut_in(self, box, key.value, part)
                elif self.method_of(box.value, "__setitem__") is not None:
                    raise Unforeseen
                else:
                    if type(box.value) not in TABLES:
                        self.item(node, box, key)
                    self.cells.append((box, key.value, part))
                    self.changed.add(id(box.value))

    def put_cells(self, box: Value, key: Any, value: Value) -> None:
        """Record an assignment to cells of an array: of one value to all of them, or of one element to each.

        The key `...` stands for all changed cells.
        """
        array = box.value
        places = places_in(array, key) if key is not ABSENT else None
        parts = self.deep_parts(value)
        if is_plain(value.value) and (places is None or places.ndim):
            self.cells.append((box, ..., value))
        elif places is None or len(parts) != places.size or places.size > FEW:
            self.cells.append((box, ..., Value()))
        else:
            indices = [index_of(array, place) for place in places.flat]
            keys = [index[0] if len(index) == 1 else index for index in indices]
            self.cells += [(box, cell, part) for cell, part in zip(keys, parts, strict=True)]

    def deep_parts(self, value: Value) -> list[Value]:
        """Return the numbers in a value: in nested lists, in an array, or the value itself."""
        parts = self.parts(value) if not is_plain(value.value) else None
        return [value] if parts is None else [number for part in parts for number in self.deep_parts(part)]

    def put_sums(self, box: Value, key: Any, more: Value) -> None:
        """Record an augmented assignment to cells of an array; `more` is one value for all or has one for each."""
        old = self.deep_parts(self.cell(box, box.value, key) if key is not ABSENT else Value())
        parts = self.deep_parts(more)
        if is_plain(more.value):
            parts *= len(old)
        sums = [made_of(pair) for pair in zip(old, parts, strict=True)] if len(old) == len(parts) else []
        self.put_cells(box, key, Value(ABSENT, union(sums), sums))

    def do_AugAssign(self, node: ast.AugAssign) -> Doing:
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
            key = yield from self.of(node.target.slice)
            if is_array(box.value):
                self.put_sums(box, key.value, (yield from self.of(node.value)))
                return box
            if isinstance(node.target.slice, ast.Slice):
                raise Unforeseen
            old = self.item(node.target, box, key)
        more = yield from self.of(node.value)
        obj = old.value
        if type(obj) in (list, deque) and isinstance(node.op, ast.Add):
            return known_calls.method(self, "extend", old, [more], {})
        if type(obj) is set and type(node.op) in known_calls.IN_PLACE:
            return known_calls.method(self, known_calls.IN_PLACE[type(node.op)], old, [more], {})
        if type(obj) in TABLES or is_array(obj) or self.method_of(obj, name_of(node.op, "i")):
            raise Unforeseen
        value = yield from self.operated(node, node.op, old, more)
        if isinstance(node.target, ast.Name):
            self.put_name(node.target.id, value)
        else:
            self.cells.append((box, key.value, value))

    def do_For(self, node: ast.For) -> Doing:
        if not self.again:
            value = yield from self.not_none(node.iter)
            loop = Loop(node, self.walk(value))
            for leaf in value.reads:  # keep the container alive, even if its variable is bound to another one
                if type(what := getattr(self.shadow(leaf.value), "what", None)) is Thing:
                    self.so_far.shadows.hold(what)
                    loop.results.append(what)
            self.run.loops.append(loop)

    def do_Return(self, node: ast.Return) -> Doing:
        if node.value is not None:
            self.result = yield from self.of(node.value)

    def do_Expr(self, node: ast.Expr) -> Doing:
        return (yield from self.of(node.value))

    def do_If(self, node: ast.If | ast.While | ast.Assert) -> Doing:
        yield from self.tested(node, node.test)
        if isinstance(node, ast.Assert):
            self.failed = union(filter(None, self.run.parts_of(node)))

    def tested(self, node: Test, test: ast.expr, env: Env | None = None) -> Steps:
        """Evaluate a test and store the values of its parts."""
        outer = self.parts_of_test
        self.run.tests[node] = self.parts_of_test = {}
        value = yield from self.of(test, env)
        self.parts_of_test = outer
        return value

    do_While = do_Assert = do_If

    def do_Raise(self, node: ast.Raise) -> Doing:
        if node.exc is not None:
            self.failed = (yield from self.of(node.exc)).reads

    def do_Delete(self, node: ast.Delete) -> Doing:
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                box = yield from self.of(target.value)
                key = yield from self.of(target.slice)
                if isinstance(target.slice, ast.Slice):
                    known_calls.cut_in(self, box, key.value, listed([]))
                elif type(box.value) in (list, dict, type(None)):
                    self.item(target, box, key)
                    if type(box.value) is list:
                        known_calls.method(self, "pop", box, [key], {})
            elif isinstance(target, ast.Attribute):
                yield from self.not_none(target.value)

    def do_Match(self, node: ast.Match) -> Doing:
        self.run.subject = yield from self.of(node.subject)
        self.run.tests.update({case: dict.fromkeys([node.subject], self.run.subject) for case in node.cases})

    def do_match_case(self, node: ast.match_case) -> Doing:
        self.match(node.pattern, self.run.subject)
        if node.guard is not None:
            yield from self.tested(node, node.guard)

    def match(self, pattern: ast.pattern, value: Value) -> None:
        """Bind the names of a pattern."""
        pairs: Iterable[tuple[ast.pattern, Value]] = ()
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
            pairs = [(pattern.pattern, value)]
        elif isinstance(pattern, ast.MatchSequence):
            parts, stars = self.parts(value) or [], [isinstance(inner, ast.MatchStar) for inner in pattern.patterns]
            if len(parts) + any(stars) >= len(stars):
                pairs = zip(pattern.patterns, self.gathered_star(parts, stars), strict=True)
        elif isinstance(pattern, ast.MatchClass):
            names = getattr(type(value.value), "__match_args__", ())
            names = *names[: len(pattern.patterns)], *pattern.kwd_attrs
            values = (self.attribute_of(value, name) for name in names)
            pairs = zip((*pattern.patterns, *pattern.kwd_patterns), values, strict=False)
        elif isinstance(pattern, ast.MatchMapping) and type(value.value) in TABLES:
            keys = [key.value if isinstance(key, ast.Constant) else ABSENT for key in pattern.keys]
            both = zip(keys, pattern.patterns, strict=True)
            pairs = [(inner, self.at(value, key)) for key, inner in both if key in value.value]
        for inner, part in pairs:
            self.match(inner, part)
        if isinstance(pattern, ast.MatchAs | ast.MatchStar) and pattern.name is not None:
            self.put_name(pattern.name, value)

    def do_ExceptHandler(self, node: ast.ExceptHandler) -> Iterable[Any]:
        if node.name is not None:
            self.put_name(node.name, Value(ABSENT, self.run.caught))
        return ()

    # After the statement

    def finish(self, values: Mapping[str, Any]) -> None:
        """Finish the statement; computed values that differ from the actual values become unknown."""
        if self.is_finished:
            return
        self.is_finished = True
        if self.waiting is not None or self.is_lost:
            self.is_lost = True
            self.puts, self.cells, self.arranged, self.result = {}, [], {}, None
            for node in self.statement.nodes:
                self.run.tests.pop(node, None)  # type: ignore[call-overload]
        for node in self.statement.nodes:
            if isinstance(node, ast.For) and self.run.loops and self.run.loops[-1].node is node:
                self.next_round(node, values)
            elif isinstance(node, ast.Expr | ast.Assign | ast.Return) and isinstance(node.value, ast.YieldFrom):
                self.result = self.last_yield
        for name, value in self.puts.items():
            if not matches(value, values.get(name, self.run.shared.get(name, ABSENT))):
                self.puts[name] = Value()
        self.variables, self.parts_of_test = {}, None

    def next_round(self, node: ast.For, values: Mapping[str, Any]) -> None:
        """Bind the variables of a loop to its next element."""
        loop = self.run.loops[-1]
        value = None
        if loop.walk is None and self.yielded == 1 and self.last_yield is not None:
            value = self.answer(self.last_yield, f"next({ast.unparse(node.iter)})")
        if loop.walk is not None:
            try:
                value = loop.walk(loop.number)
            except (LookupError, RuntimeError):
                pass
        loop.number += 1
        bound = self.bound(node.target, value or Value())
        all_match = all(matches(part, values.get(name, ABSENT)) for name, part in bound.items())
        self.puts.update(bound if all_match else dict.fromkeys(bound, Value()))

    # Origins of changes

    def of_part(self, thing: Any, key: Any) -> Value:
        """Return the origin of the new value at a key of a thing."""
        arranged = self.arranged.get(id(thing))
        if arranged is not None and arranged.does is None:
            parts = arranged.parts or ()
            if arranged.before is not None and type(key) is int and key < len(thing):
                same = [part for part in arranged.before if part.value is thing[key]]
                return same[0] if len(same) == 1 else Value()
            is_known = type(key) is int and key < len(parts) == len(thing) and matches(parts[key], thing[key])
            return parts[key] if is_known else Value()
        hits = [value for box, place, value in self.cells if box.value is thing and self.is_place(place, key, thing)]
        return hits[-1] if hits else Value()

    def is_place(self, place: Any, key: Any, thing: Any) -> bool:
        """Return whether the key that a statement assigned is the key at which a thing changed."""
        if type(place) is int and place < 0 and type(thing) in (list, deque):
            place += len(thing)
        if is_array(thing) and type(place) is tuple:
            pairs = zip(place, thing.shape, strict=False)
            place = tuple(size + index if type(index) is int and index < 0 else index for index, size in pairs)
        if type(place) is not Attribute and not is_plain(place):
            return self.kept(place) is key
        return place is key or place is ... and is_array(thing) or type(place) is type(key) and bool(place == key)


def required(result: T | None) -> T:
    """Return a result; raise Unforeseen if it is None."""
    if result is None:
        raise Unforeseen
    return result


def name_of(operation: ast.AST, prefix: str = "") -> str:
    """Return the name of the method behind an operator, such as `__add__`."""
    return f"__{prefix}{OPERATORS[type(operation)].__name__.strip('_')}__"


def init_of(does: Any) -> Any:
    """Return the `__init__` that a call runs; None unless its class has the ordinary `__new__`."""
    return in_class(does, "__init__") if type(does) is type and in_class(does, "__new__") is object.__new__ else None
