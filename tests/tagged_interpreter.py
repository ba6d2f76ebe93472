"""A second, slow interpreter of a small part of Python, in which every value carries the writes that it came from.

A write puts a value into a variable, or into a container at a key, where another value was. Its sources are the writes
that the new value came from: of `a if b else c` those of the one that was taken, of `min(row)` those of the least
element, of `a + b` those of both, of `len(row)` the writes that gave it its length.
"""

import ast
import bisect
import builtins
import heapq
import operator as op
from collections import ChainMap, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

NONE: frozenset[int] = frozenset()
GONE = type("Gone", (), {"__repr__": lambda self: "GONE"})()
STEPS, LONGEST, LARGEST = 400, 30, 250
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: op.add, ast.Sub: op.sub, ast.Mult: op.mul, ast.Mod: op.mod, ast.FloorDiv: op.floordiv, ast.Lt: op.lt,
    ast.Gt: op.gt, ast.LtE: op.le, ast.GtE: op.ge, ast.Eq: op.eq, ast.NotEq: op.ne, ast.BitAnd: op.and_,
    ast.BitOr: op.or_, ast.BitXor: op.xor, ast.USub: op.neg, ast.Not: op.not_, ast.Div: op.truediv, ast.Pow: op.pow,
    ast.Is: op.is_, ast.IsNot: op.is_not, ast.RShift: op.rshift,
}  # fmt: skip
ASKED = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Lt: "lt", ast.Gt: "gt", ast.LtE: "le", ast.Eq: "eq",
}  # fmt: skip  # of an object
Env = ChainMap[str, Any]


@dataclass(eq=False)
class Tagged:
    """A value with its tags; `decided` if it is what a comparison found."""

    value: Any
    tags: frozenset[int] = NONE
    decided: bool = False

    def __lt__(self, other: "Tagged") -> bool:
        return bool(plain(self) < plain(other))


ZERO, NOBODY = Tagged(0), Tagged(None)


@dataclass(eq=False)
class Row:
    """A list."""

    items: list[Tagged]
    sized: frozenset[int] = NONE
    is_claimed: bool = False


@dataclass(eq=False)
class Table:
    """A dict, or a set, whose values are its keys; or an object with attributes."""

    items: dict[Any, tuple[Tagged, Tagged]] = field(default_factory=dict)
    is_set: bool = False
    sized: frozenset[int] = NONE
    is_claimed: bool = False
    missing: Callable[[], Tagged] | None = None  # what a defaultdict makes
    is_counter: bool = False
    of: ast.ClassDef | None = None

    def __repr__(self) -> str:
        return f"{self.of.name if self.of else ''}..."


@dataclass(frozen=True)
class Write:
    """One write that changed something; `place` is the name of a variable, or the key in a container."""

    number: int
    step: tuple[int, Any]  # when it was, and where
    line: int
    place: tuple[str, Any]
    before: str
    after: str
    sources: frozenset[int]
    made: str  # all of the new value
    held: Any = None  # the new value, if it is a container


def other(value: Any, number: int) -> Any:
    """Another value in the place of one: a container with other numbers in it."""
    if isinstance(value, Row):
        value.items = [Tagged(other(each.value, number + n), each.tags) for n, each in enumerate(value.items)]
        value.items += value.items[: abs(number) % 3]
    elif isinstance(value, Table):
        pairs = [(key, Tagged(other(held.value, number))) for key, held in value.items.values()]
        if value.is_set:
            pairs = [(Tagged(n),) * 2 for n in {plain(key) for key, _ in pairs} ^ {abs(number) % 6}]
        value.items = {plain(key): (key, held) for key, held in pairs}
    elif isinstance(value, tuple):
        return tuple(Tagged(other(each.value, number + n), each.tags) for n, each in enumerate(value))
    elif isinstance(value, str):
        return value + "x" * (abs(number) % 7)
    return number if type(value) is int else value


class TooLong(Exception):
    """The program does not end soon."""


class Leave(Exception):
    """A loop or a function is left."""

    def __init__(self, how: str, value: Tagged | None = None) -> None:
        super().__init__(how)
        self.how, self.value = how, value


def union(values: Any) -> frozenset[int]:
    """All tags of some values."""
    return NONE.union(*map(flow, values))


def flow(value: Tagged) -> frozenset[int]:
    """All tags of a value; of a tuple also those of its parts."""
    return value.tags | union(value.value) if isinstance(value.value, tuple) else value.tags


def plain(value: Any) -> Any:
    """A value without tags."""
    if isinstance(value, Tagged):
        return plain(value.value)
    if isinstance(value, Row):
        return [plain(each) for each in value.items]
    if isinstance(value, Table):
        if value.of is not None:
            return value
        if value.is_set:
            return set(value.items)
        return {key: plain(held) for key, (_, held) in value.items.items()}
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def same(one: Any, other: Any) -> bool:
    """Whether nothing has changed: the same container, or an equal value."""
    if isinstance(one, Tagged) and isinstance(other, Tagged):
        return same(one.value, other.value)
    if isinstance(one, Row | Table) or isinstance(other, Row | Table):
        return one is other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def short(value: Any) -> str:
    """A value as the two logs are compared by."""
    made = plain(value)
    if isinstance(made, Table):
        return repr(made)
    if type(made).__name__ == "Instance":
        return f"{made.name}..."
    if isinstance(made, tuple):
        return f"({', '.join(map(short, made))})"
    return next((kind.__name__ for kind in (dict, set) if isinstance(made, kind)), "") or (
        "list" if isinstance(made, list | deque) else repr(made)
    )


def words(node: ast.ClassDef) -> dict[str, ast.FunctionDef]:
    """The methods of a class."""
    return {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}


def is_named(node: Any, name: str) -> bool:
    """Whether a decorator has this name."""
    return any(name in (getattr(each, "id", ""), getattr(each, "attr", "")) for each in node.decorator_list)


class Interpreter:
    """One run of a program.

    forced     values of writes that are exchanged
    is_bounded whether long and large things end it, as chance makes them
    known      what is defined outside the program
    """

    def __init__(
        self, text: str, forced: dict[Any, int] | None = None, is_bounded: bool = True, known: Mapping[str, Any] = {}
    ) -> None:
        self.forced, self.is_bounded, self.known = forced or {}, is_bounded, known
        self.shared: Env = ChainMap()
        self.classes: dict[str, ast.ClassDef] = {}
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                self.do_FunctionDef(node, self.shared)
            elif isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
                self.shared[node.name] = Tagged(self.maker(node))
        self.writes: list[Write] = []
        self.path: list[int] = []
        self.number = self.line = 0
        self.later: dict[Any, tuple[Table, Tagged]] = {}  # what is put into dicts when the statement is over

    def run(self, name: str, *given: Any) -> Any:
        """Call a function; its plain result."""
        found = self.shared[name].value(*(self.made(each) for each in given))
        return plain(found)

    def made(self, value: Any) -> Tagged:
        """A plain value as one that comes from nowhere."""
        if isinstance(value, list | deque):
            return Tagged(Row([self.made(each) for each in value]))
        if isinstance(value, dict):
            return Tagged(Table({key: (Tagged(key), self.made(held)) for key, held in value.items()}))
        if isinstance(value, set):
            return Tagged(Table({key: (self.made(key),) * 2 for key in value}, is_set=True))
        if type(value).__name__ in self.classes:
            held = {key: (Tagged(key), self.made(each)) for key, each in vars(value).items()}
            return Tagged(Table(held, of=self.classes[type(value).__name__]))
        return Tagged(tuple(map(self.made, value)) if isinstance(value, tuple) else value)

    # Writes

    def write(self, place: tuple[str, Any], before: Tagged | None, value: Tagged) -> Tagged:
        """Put a value somewhere; what is then there, with its tags."""
        self.number += 1
        sources = flow(value)
        if callable(value.value):
            return value
        is_large = type(value.value) is int and abs(value.value) > LARGEST
        if self.is_bounded and (is_large or type(value.value) is str and len(value.value) > LONGEST):
            raise TooLong
        forced = self.forced.get((len(self.path), place))
        if forced is not None:
            value = Tagged(other(value.value, forced), value.tags)
        if before is not None and same(before, value):
            return Tagged(value.value, sources)
        self.note(self.number, place, before, value, sources)
        self.claim(value, self.number)
        return Tagged(value.value, frozenset({self.number}))

    def note(self, number: int, place: Any, before: Any, after: Any, sources: frozenset[int]) -> None:
        told = ["GONE" if each is None else short(each) for each in (before, after)]
        held = getattr(after, "value", None)
        held = held if isinstance(held, Row | Table) else None
        step = len(self.path), place
        self.writes.append(Write(number, step, self.line, place, *told, sources, repr(plain(after)), held))

    def gone(self, key: Any, before: Tagged) -> frozenset[int]:
        """Something is taken away."""
        self.number += 1
        self.note(self.number, ("[]", key), before, None, NONE)
        return frozenset({self.number})

    def claim(self, value: Any, number: int) -> None:
        """What a container holds when it is first put somewhere came with that, too."""
        if isinstance(value, Tagged):
            self.claim(value.value, number)
        elif isinstance(value, tuple):
            for each in value:
                self.claim(each, number)
        elif isinstance(value, Row | Table) and not value.is_claimed:
            value.is_claimed, here = True, frozenset({number})
            value.sized |= here
            if isinstance(value, Row):
                value.items = [Tagged(each.value, each.tags | here) for each in value.items]
                held = value.items
            else:
                for key, pair in value.items.items():
                    value.items[key] = tuple(Tagged(each.value, each.tags | here) for each in pair)  # type: ignore[assignment]
                held = [one for _, one in value.items.values()]
            for each in held:
                self.claim(each, number)

    def arrange(self, row: Row, new: list[Tagged], at: int | None = None) -> None:
        """A list has other elements: what is told is what is not the same at its beginning and its end."""
        old = row.items
        if self.is_bounded and len(new) > LONGEST:
            raise TooLong
        if not row.is_claimed:  # nobody has seen it yet
            row.items, row.sized = new, row.sized | union(new)
            return
        most = min(len(old), len(new))
        first = next((n for n in range(most) if not same(old[n], new[n])), most)
        first = first if at is None else min(first, at)
        behind = 0
        while behind < most - first and same(old[-1 - behind], new[-1 - behind]):
            behind += 1
        end, fresh = len(old) - behind, len(new) - behind
        made = list(new)
        sized: frozenset[int] = NONE
        for n in range(first, min(end, fresh)):
            made[n] = self.write(("[]", n), old[n], new[n])
        for n in range(fresh, end):
            sized |= self.gone(fresh, old[n])
        for n in range(end, fresh):
            made[n] = self.write(("[]", n), None, new[n])
            sized |= made[n].tags
        row.items, row.sized = made, sized or row.sized

    def enter(self, table: Table, key: Tagged, value: Tagged) -> None:
        """Put a value into a dict, or an element into a set."""
        before = table.items.get(plain(key))
        if self.later.pop((id(table), plain(key)), None):
            before = None
        if not table.is_claimed:
            table.items[plain(key)] = (before or (key,))[0], value
            table.sized |= value.tags
        elif before is None:
            made = self.write(("[]", plain(key)), None, value)
            table.items[plain(key)] = Tagged(key.value, made.tags), made
            table.sized = made.tags
        elif not table.is_set:
            table.items[plain(key)] = before[0], self.write(("[]", plain(key)), before[1], value)

    def drop(self, table: Table, key: Any) -> None:
        table.sized = self.gone(key, table.items.pop(key)[1])

    def bind(self, target: ast.expr, value: Tagged, env: Env) -> None:
        """Give a target of an assignment its value."""
        if isinstance(target, ast.Name):
            own = env.maps[0]
            if target.id in env.maps[0].get("nonlocal", ()):
                own = next(each for each in env.maps[1:] if target.id in each)
            own[target.id] = self.write((target.id, None), own.get(target.id), value)
        elif isinstance(target, ast.Tuple):
            for each, part in self.spread(target, value):
                self.bind(each, part, env)
        elif isinstance(target, ast.Attribute):
            self.enter(self.of(target.value, env).value, Tagged(target.attr), value)
        elif isinstance(target, ast.Subscript):
            box = self.of(target.value, env).value
            if isinstance(target.slice, ast.Slice):
                cut = self.cut(target.slice, env)
                made, fresh = list(box.items), self.elements(value)
                made[cut] = fresh
                self.arrange(box, made, cut.indices(len(box.items))[0] if len(made) != len(box.items) else None)
                return
            key = self.of(target.slice, env)
            if isinstance(box, Table):
                self.enter(box, key, value)
            else:
                place = range(len(box.items))[key.value]
                box.items[place] = self.write(("[]", place), box.items[place], value)

    def spread(self, target: ast.Tuple, value: Tagged) -> list[tuple[ast.expr, Tagged]]:
        """The targets of an assignment, each with its value."""
        parts = list(self.elements(value))
        for place, each in enumerate(target.elts):
            if isinstance(each, ast.Starred):
                end = len(parts) - (len(target.elts) - place - 1)
                parts[place:end] = [self.row(parts[place:end])]
        pairs = zip(target.elts, parts, strict=True)
        return [(each.value if isinstance(each, ast.Starred) else each, part) for each, part in pairs]

    # Statements

    def call(self, node: ast.FunctionDef, outer: Env, given: list[Tagged], named: dict[str, Tagged]) -> Tagged:
        """Run a function; of a generator all that it makes."""
        line, self.line = self.line, node.lineno
        env, later = outer.new_child(), self.later
        self.later = {}
        self.path.append(self.line)
        names, rest = [arg.arg for arg in node.args.args], given[len(node.args.args) :]
        defaults = [self.of(each, outer) for each in node.args.defaults]
        bound = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
        bound |= dict(zip(names, given, strict=False)) | named
        for name in names:
            env[name] = self.write((name, None), None, bound[name])
        if node.args.vararg is not None:
            name = node.args.vararg.arg
            env[name] = self.write((name, None), None, Tagged(tuple(rest)))
        if any(isinstance(each, ast.Yield | ast.YieldFrom) for part in node.body for each in ast.walk(part)):
            env["yield"] = []
        found = Tagged(None)
        try:
            self.block(node.body, env)
        except Leave as leave:
            found = leave.value or found
        self.line, self.later = line, later
        if "yield" in env.maps[0]:
            return self.lazy(lambda: env["yield"])
        return found

    def maker(self, node: ast.ClassDef) -> Callable[..., Tagged]:
        """What makes the objects of a class."""

        def make(*given: Tagged, **named: Tagged) -> Tagged:
            box = Tagged(Table(of=node))
            begins = words(node).get("__init__")
            if begins is not None:
                self.call(begins, self.shared, [box, *given], named)
            fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
            for number, each in enumerate(fields):
                assert isinstance(each.target, ast.Name)
                default = self.of(each.value, self.shared) if each.value is not None else Tagged(None)
                value = given[number] if number < len(given) else named.get(each.target.id, default)
                self.enter(box.value, Tagged(each.target.id), value)
            return Tagged(box.value, union([*given, *named.values()]))

        return make

    def block(self, nodes: list[ast.stmt], env: Env) -> None:
        for node in nodes:
            self.step(node)
            getattr(self, f"do_{type(node).__name__}")(node, env)
            self.finish()

    def step(self, node: Any) -> None:
        self.finish()
        self.line = node.lineno
        self.path.append(self.line)
        if self.is_bounded and len(self.path) > STEPS:
            raise TooLong

    def finish(self) -> None:
        """A statement is over."""
        for table, key in list(self.later.values()):
            value = table.items[plain(key)][1]
            self.enter(table, key, Tagged(value.value, value.tags | self.all_of(value).tags))

    def do_FunctionDef(self, node: ast.FunctionDef, env: Env) -> None:
        known: dict[Any, Tagged] = {}

        def made(*given: Tagged, **named: Tagged) -> Tagged:
            mark = tuple(map(plain, given))
            if not is_named(node, "cache"):
                return self.call(node, env, list(given), named)
            if mark not in known:
                known[mark] = self.call(node, env, list(given), named)
            return known[mark]

        env[node.name] = Tagged(made)

    def do_Pass(self, node: ast.Pass, env: Env) -> None:
        pass

    def do_Nonlocal(self, node: ast.Nonlocal, env: Env) -> None:
        env["nonlocal"] = node.names

    def do_Raise(self, node: ast.Raise, env: Env) -> None:
        assert isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name)
        raise getattr(builtins, node.exc.func.id)

    def do_Try(self, node: ast.Try, env: Env) -> None:
        try:
            self.block(node.body, env)
        except (ArithmeticError, LookupError, ValueError, TypeError) as error:
            kinds = [getattr(builtins, each.type.id) for each in node.handlers if isinstance(each.type, ast.Name)]
            number = next((n for n, kind in enumerate(kinds) if isinstance(error, kind)), None)
            if number is None:
                raise
            self.step(node.handlers[number])
            self.block(node.handlers[number].body, env)
        else:
            self.block(node.orelse, env)

    def do_Match(self, node: ast.Match, env: Env) -> None:
        subject = self.of(node.subject, env)
        for case in node.cases:
            self.line = case.pattern.lineno
            bound: list[tuple[str, Tagged]] = []
            if self.matches(case.pattern, subject, bound):
                for name, value in bound:
                    self.bind(ast.Name(name), value, env)
                if case.guard is None or plain(self.of(case.guard, env)):
                    self.block(case.body, env)
                    return

    def matches(self, pattern: Any, value: Tagged, bound: list[tuple[str, Tagged]]) -> bool:
        """Whether a value has a pattern, and the names that this binds."""
        if isinstance(pattern, ast.MatchValue):
            return bool(plain(value) == ast.literal_eval(pattern.value))
        if isinstance(pattern, ast.MatchSequence):
            if not isinstance(value.value, tuple | Row):
                return False
            parts = self.elements(value)
            pairs = zip(pattern.patterns, parts, strict=False)
            return len(parts) == len(pattern.patterns) and all(self.matches(*pair, bound) for pair in pairs)
        assert isinstance(pattern, ast.MatchAs)
        if pattern.name is not None:
            bound.append((pattern.name, value))
        return True

    def do_Assign(self, node: ast.Assign, env: Env) -> None:
        value = self.of(node.value, env)
        for target in node.targets:
            self.bind(target, value, env)

    def do_AugAssign(self, node: ast.AugAssign, env: Env) -> None:
        place: Any = node.target
        old = self.of(place, env)
        more = self.of(node.value, env)
        if isinstance(old.value, Row) and isinstance(node.op, ast.Add):
            self.arrange(old.value, [*old.value.items, *self.elements(more)], len(old.value.items))
        elif isinstance(old.value, Table) and old.value.is_set:
            assert isinstance(node.op, ast.BitOr)
            for each in self.elements(more):
                self.enter(old.value, each, each)
        else:
            self.bind(place, self.operated(type(node.op), old, more), env)

    def do_For(self, node: ast.For, env: Env) -> None:
        place, many = 0, self.of(node.iter, env)
        while place < len(now := self.elements(many)) and now[place] is not None:
            if place:
                self.step(node)
            self.bind(node.target, now[place], env)
            place += 1
            if self.body(node.body, env):
                return
        self.block(node.orelse, env)

    def do_While(self, node: ast.While, env: Env) -> None:
        while plain(self.of(node.test, env)):
            if self.body(node.body, env):
                return
            self.step(node)
        self.block(node.orelse, env)

    def body(self, nodes: list[ast.stmt], env: Env) -> bool:
        """One round of a loop; whether it is left."""
        try:
            self.block(nodes, env)
        except Leave as leave:
            if leave.how == "return":
                raise
            return leave.how == "break"
        return False

    def do_If(self, node: ast.If, env: Env) -> None:
        self.block(node.body if plain(self.of(node.test, env)) else node.orelse, env)

    def do_Break(self, node: ast.Break, env: Env) -> None:
        raise Leave("break")

    def do_Continue(self, node: ast.Continue, env: Env) -> None:
        raise Leave("continue")

    def do_Return(self, node: ast.Return, env: Env) -> None:
        raise Leave("return", self.of(node.value, env) if node.value else None)

    def do_Expr(self, node: ast.Expr, env: Env) -> None:
        self.of(node.value, env)

    def do_Delete(self, node: ast.Delete, env: Env) -> None:
        for target in node.targets:
            assert isinstance(target, ast.Subscript)
            box = self.of(target.value, env).value
            if isinstance(box, Table):
                self.drop(box, plain(self.of(target.slice, env)))
            else:
                self.out(box, self.of(target.slice, env).value)

    def out(self, row: Row, key: int) -> Tagged:
        """Take an element out of a list."""
        place = range(len(row.items))[key]
        found = row.items[place]
        self.arrange(row, [*row.items[:place], *row.items[place + 1 :]], place)
        return found

    # Expressions

    def of(self, node: ast.expr, env: Env) -> Tagged:
        """The value of an expression."""
        found: Tagged = getattr(self, f"on_{type(node).__name__}")(node, env)
        return found

    def elements(self, many: Tagged) -> list[Tagged]:
        """What is in a container, in its order; of a string, letters that come from where it does."""
        held = many.value
        if isinstance(held, Row):
            return held.items
        if isinstance(held, Table):
            return [key for key, _ in held.items.values()]
        if isinstance(held, str):
            return [Tagged(letter, many.tags) for letter in held]
        if isinstance(held, SimpleNamespace):
            return held.rows()  # type: ignore[no-any-return]
        return [Tagged(each.value, many.tags | each.tags) for each in held]

    def on_Constant(self, node: ast.Constant, env: Env) -> Tagged:
        return Tagged(node.value)

    def on_Name(self, node: ast.Name, env: Env) -> Tagged:
        if node.id in env:
            return env[node.id]  # type: ignore[no-any-return]
        known = getattr(self, f"call_{node.id}", None)
        return Tagged(self.known[node.id] if known is None else known)

    def on_NamedExpr(self, node: ast.NamedExpr, env: Env) -> Tagged:
        value = self.of(node.value, env)
        self.bind(node.target, value, env)
        return value

    def on_Tuple(self, node: ast.Tuple, env: Env) -> Tagged:
        return Tagged(tuple(self.each(node.elts, env)))

    def each(self, nodes: list[ast.expr], env: Env) -> list[Tagged]:
        """Several expressions, those with a star as all their elements."""
        found: list[Tagged] = []
        for node in nodes:
            is_many = isinstance(node, ast.Starred)
            found += self.elements(self.of(node.value, env)) if is_many else [self.of(node, env)]
        return found

    def on_List(self, node: ast.List, env: Env) -> Tagged:
        return self.row(self.each(node.elts, env))

    def on_JoinedStr(self, node: ast.JoinedStr, env: Env) -> Tagged:
        parts = [self.of(each.value if isinstance(each, ast.FormattedValue) else each, env) for each in node.values]
        return Tagged("".join(str(plain(each)) for each in parts), union(map(self.all_of, parts)))

    def all_of(self, value: Tagged) -> Tagged:
        """A container as something that is computed from all that is in it."""
        is_box = isinstance(value.value, Row | Table | tuple) and getattr(value.value, "of", None) is None
        return Tagged(plain(value), union(self.elements(value)) if is_box else value.tags)

    def on_Lambda(self, node: ast.Lambda, env: Env) -> Tagged:
        def made(*given: Tagged) -> Tagged:
            return self.of(node.body, env.new_child(dict(zip((arg.arg for arg in node.args.args), given, strict=True))))

        return Tagged(made)

    def on_Yield(self, node: ast.Yield, env: Env) -> Tagged:
        assert node.value is not None
        env["yield"].append(self.of(node.value, env))
        return Tagged(None)

    def on_YieldFrom(self, node: ast.YieldFrom, env: Env) -> Tagged:
        env["yield"].extend(self.elements(self.of(node.value, env)))
        return Tagged(None)

    def on_Attribute(self, node: ast.Attribute, env: Env) -> Tagged:
        if isinstance(node.value, ast.Name) and isinstance(self.known.get(node.value.id), ModuleType):
            name = node.attr
            own = getattr(self, f"call_{name}", None)
            return Tagged(getattr(self.known[node.value.id], name) if own is None else own)
        if node.attr == "fromkeys":
            return Tagged(lambda keys, one: self.table([(each, one) for each in self.elements(keys)]))
        box = self.of(node.value, env)
        if node.attr in getattr(box.value, "items", ()) and getattr(box.value, "of", None) is not None:
            return box.value.items[node.attr][1]  # type: ignore[no-any-return]
        asked = self.asked(box, node.attr)
        if asked is not None and is_named(asked, "property"):
            return self.call(asked, self.shared, [box], {})
        if asked is not None:
            return Tagged(lambda *given: self.call(asked, self.shared, [box, *given], {}))
        own = getattr(self, f"method_{node.attr}", None) or self.text(node.attr)
        return Tagged(lambda *given, **named: own(box, *given, **named))

    def asked(self, box: Tagged, name: str) -> ast.FunctionDef | None:
        """The method of an object."""
        is_object = isinstance(box.value, Table) and box.value.of is not None
        return words(box.value.of).get(name) if is_object else None

    def text(self, name: str) -> Callable[..., Tagged]:
        """A method of a string."""

        def made(box: Tagged, *given: Tagged) -> Tagged:
            found = getattr(box.value, name)(*map(plain, given))
            tags = union(map(self.all_of, (box, *given)))
            return self.row([Tagged(each, tags) for each in found]) if isinstance(found, list) else Tagged(found, tags)

        return made

    def row(self, parts: list[Tagged], more: frozenset[int] = NONE) -> Tagged:
        """A new list; `more` decides how long it is."""
        if self.is_bounded and len(parts) > LONGEST:
            raise TooLong
        parts = [Tagged(each.value, each.tags) for each in parts]
        return Tagged(Row(parts, union(parts) | more), union(parts) | more)

    def on_Dict(self, node: ast.Dict, env: Env) -> Tagged:
        pairs: list[tuple[Tagged, Tagged]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            one = self.of(key, env) if key is not None else None
            more = self.of(value, env)
            pairs += [(one, more)] if one is not None else list(more.value.items.values())
        return self.table(pairs)

    def table(self, pairs: list[tuple[Tagged, Tagged]]) -> Tagged:
        """A new dict."""
        tags = union(one for pair in pairs for one in pair)
        keys = {plain(key): key for key, _ in reversed(pairs)}
        return Tagged(Table({plain(key): (keys[plain(key)], value) for key, value in pairs}, sized=tags), tags)

    def on_DictComp(self, node: ast.DictComp, env: Env) -> Tagged:
        both = ast.ListComp(ast.Tuple([node.key, node.value]), node.generators)
        return self.table([tuple(pair.value) for pair in self.rounds(both, env)])

    def on_Set(self, node: ast.Set, env: Env) -> Tagged:
        return self.bag([self.of(each, env) for each in node.elts])

    def bag(self, parts: list[Tagged]) -> Tagged:
        """A new set; equal elements may come from each of them."""
        found: dict[Any, tuple[Tagged, Tagged]] = {}
        for each in {plain(each): each for each in parts[::-1]}.values():
            tags = union(one for one in parts if plain(one) == plain(each))
            found[plain(each)] = (Tagged(each.value, tags),) * 2
        found = {key: found[key] for key in set(found)}
        return Tagged(Table(found, True, union(parts)), union(parts))

    def on_Subscript(self, node: ast.Subscript, env: Env) -> Tagged:
        box = self.of(node.value, env)
        if isinstance(node.slice, ast.Slice):
            cut = self.cut(node.slice, env)
            if isinstance(box.value, Row):
                return self.row(box.value.items[cut])
            return Tagged(box.value[cut], box.tags)
        key = self.of(node.slice, env)
        asked = self.asked(box, "__getitem__")
        if asked is not None:
            return self.call(asked, self.shared, [box, key], {})
        if isinstance(box.value, Table):
            if plain(key) not in box.value.items and box.value.is_counter:
                return Tagged(0)
            if plain(key) not in box.value.items and box.value.missing is not None:
                return self.default(box.value, key, box.value.missing())
            return box.value.items[plain(key)][1]
        return self.elements(box)[plain(key)]

    def default(self, table: Table, key: Tagged, value: Tagged) -> Tagged:
        """What a dict does not have: a container in it may still be filled by the statement."""
        table.items[plain(key)] = key, value
        self.later[id(table), plain(key)] = table, key
        return value

    def cut(self, node: ast.Slice, env: Env) -> slice:
        """The indices of a slice."""
        return slice(*(self.of(end, env).value if end else None for end in (node.lower, node.upper, node.step)))

    def on_BinOp(self, node: ast.BinOp, env: Env) -> Tagged:
        return self.operated(type(node.op), self.of(node.left, env), self.of(node.right, env))

    def operated(self, kind: type, one: Tagged, other: Tagged) -> Tagged:
        """What an operator gives; what a comparison adds was decided, not moved."""
        for box, more, mark in ((one, other, ""), (other, one, "r")):
            asked = self.asked(box, f"__{mark}{ASKED.get(kind)}__")
            if asked is not None:
                return self.call(asked, self.shared, [box, more], {})
        if isinstance(one.value, tuple) and kind is ast.Add:
            return Tagged((*one.value, *other.value))
        if isinstance(one.value, Row) and isinstance(other.value, Row):
            more = union(each for each in (one, other) if not each.value.is_claimed)
            return self.row([*one.value.items, *other.value.items], more)
        if isinstance(one.value, Row):
            return self.row(one.value.items * other.value, other.tags)
        if isinstance(one.value, Table):
            left, right = set(one.value.items), set(other.value.items)
            keys = left - right if kind is ast.Sub else OPERATORS[kind](left, right)
            return self.bag([pair[0] for box in (one, other) for key, pair in box.value.items.items() if key in keys])
        tags = one.tags | other.tags
        if one.decided is not other.decided:
            tags = (other if one.decided else one).tags
        return Tagged(OPERATORS[kind](one.value, other.value), tags)

    def on_UnaryOp(self, node: ast.UnaryOp, env: Env) -> Tagged:
        one = self.of(node.operand, env)
        return Tagged(OPERATORS[type(node.op)](plain(one)), one.tags, isinstance(node.op, ast.Not))

    def on_Compare(self, node: ast.Compare, env: Env) -> Tagged:
        one, tags = self.of(node.left, env), NONE
        for kind, each in zip(map(type, node.ops), node.comparators, strict=True):
            other = self.of(each, env)
            found = self.compared(kind, one, other)
            if not plain(found):
                return Tagged(found.value, found.tags, True)
            one, tags = other, tags | found.tags
        return Tagged(found.value, tags, True)

    def compared(self, kind: type, one: Tagged, other: Tagged) -> Tagged:
        """What a comparison finds."""
        asked = self.asked(one, f"__{ASKED.get(kind)}__")
        if asked is not None:
            return self.call(asked, self.shared, [one, other], {})
        if kind in (ast.In, ast.NotIn):
            if isinstance(other.value, str):
                is_in, tags = plain(one) in other.value, one.tags | other.tags
            else:
                hits = [each for each in self.elements(other) if plain(each) == plain(one)]
                is_in, tags = bool(hits), one.tags | union(hits)
            return Tagged(is_in is (kind is ast.In), tags)
        if kind in (ast.Is, ast.IsNot):
            return Tagged(OPERATORS[kind](one.value, other.value), one.tags | other.tags)
        return Tagged(OPERATORS[kind](plain(one), plain(other)), one.tags | other.tags)

    def on_BoolOp(self, node: ast.BoolOp, env: Env) -> Tagged:
        for each in node.values:
            found = self.of(each, env)
            if bool(plain(found)) is isinstance(node.op, ast.Or):
                break
        return found

    def on_IfExp(self, node: ast.IfExp, env: Env) -> Tagged:
        return self.of(node.body if plain(self.of(node.test, env)) else node.orelse, env)

    def on_ListComp(self, node: Any, env: Env) -> Tagged:
        return self.row(list(self.rounds(node, env)))

    def on_SetComp(self, node: Any, env: Env) -> Tagged:
        return self.bag(list(self.rounds(node, env)))

    on_GeneratorExp = on_ListComp

    def rounds(self, node: Any, env: Env) -> Any:
        """The elements of a comprehension, one after the other."""
        yield from self.level(node, list(node.generators), env)

    def level(self, node: Any, generators: list[Any], env: Env) -> Any:
        """One `for` of a comprehension."""
        if not generators:
            yield self.of(node.elt, env)
            return
        each, *more = generators
        place, many = 0, self.of(each.iter, env)
        while place < len(now := self.elements(many)):
            inner = env.new_child()
            self.hide(each.target, now[place], inner)
            place += 1
            if all(plain(self.of(test, inner)) for test in each.ifs):
                yield from self.level(node, more, inner)

    def hide(self, target: ast.expr, value: Tagged, env: Env) -> None:
        """Bind a variable of a comprehension, which is no write."""
        if isinstance(target, ast.Name):
            env[target.id] = value
        elif isinstance(target, ast.Tuple):
            for each, part in self.spread(target, value):
                self.hide(each, part, env)

    # Calls

    def on_Call(self, node: ast.Call, env: Env) -> Tagged:
        name = getattr(node.func, "id", "")
        if name in ("any", "all") and isinstance(node.args[0], ast.GeneratorExp):
            seen = []
            for each in self.rounds(node.args[0], env):
                seen.append(each)
                if bool(plain(each)) is (name == "any"):
                    return Tagged(name == "any", each.tags, True)
            return Tagged(name == "all", union(seen), True)
        does = self.of(node.func, env).value
        given = self.each(node.args, env)
        named = {word.arg: self.of(word.value, env) for word in node.keywords if word.arg}
        if getattr(does, "__module__", "") == "math":
            return Tagged(does(*map(plain, given)), union(given))
        made: Tagged = does(*given, **named)
        return made

    def call_len(self, box: Tagged) -> Tagged:
        return Tagged(len(plain(box)), box.value.sized if isinstance(box.value, Row | Table) else box.tags)

    def call_abs(self, one: Tagged) -> Tagged:
        return Tagged(abs(one.value), one.tags)

    def call_sum(self, box: Tagged) -> Tagged:
        return Tagged(sum(map(plain, self.elements(box))), union(self.elements(box)))

    def best(self, does: Any, given: tuple[Tagged, ...], key: Tagged | None, default: Tagged | None) -> Tagged:
        parts = self.elements(given[0]) if len(given) == 1 else given
        if not parts and default is not None:
            return default
        return does(parts, key=key.value if key else plain)  # type: ignore[no-any-return]

    def call_min(self, *given: Tagged, key: Tagged | None = None, default: Tagged | None = None) -> Tagged:
        return self.best(min, given, key, default)

    def call_max(self, *given: Tagged, key: Tagged | None = None, default: Tagged | None = None) -> Tagged:
        return self.best(max, given, key, default)

    def call_sorted(self, box: Tagged, key: Tagged | None = None, reverse: Tagged | None = None) -> Tagged:
        by = key.value if key else plain
        return self.row(sorted(self.elements(box), key=by, reverse=bool(reverse and reverse.value)))

    def call_any(self, box: Tagged) -> Tagged:
        parts = self.elements(box)
        hit = next((each for each in parts if plain(each)), None)
        return Tagged(hit is not None, hit.tags if hit else union(parts), True)

    def call_all(self, box: Tagged) -> Tagged:
        parts = self.elements(box)
        miss = next((each for each in parts if not plain(each)), None)
        return Tagged(miss is None, miss.tags if miss else union(parts), True)

    def call_map(self, does: Tagged, box: Tagged) -> Tagged:
        return self.lazy(lambda: [does.value(each) for each in self.elements(box)])

    def computed(self, does: Any) -> Callable[..., Tagged]:
        """A function of plain values."""


        def made(*given: Tagged) -> Tagged:
            found, tags = does(*map(plain, given)), union(map(self.all_of, given))
            return Tagged(tuple(Tagged(each, tags) for each in found) if isinstance(found, tuple) else found, tags)

        return made

    def __getattr__(self, name: str) -> Any:
        plainly = {f"call_{does.__name__}": does for does in (int, float, str, ord, chr, round, divmod, bool, pow)}
        if name not in plainly:
            raise AttributeError(name)
        return self.computed(plainly[name])

    def call_isinstance(self, one: Tagged, kind: Tagged) -> Tagged:
        return Tagged(isinstance(one.value, int))

    def call_print(self, *given: Tagged) -> Tagged:
        return Tagged(None)

    def call_dict(self, box: Tagged | None = None, **named: Tagged) -> Tagged:
        if box is None:
            return self.table([(Tagged(key), value) for key, value in named.items()])
        if isinstance(box.value, Table):
            return self.table(list(box.value.items.values()))
        return self.table([tuple(self.elements(pair)) for pair in self.elements(box)])  # type: ignore[misc]

    call_OrderedDict = call_dict

    def call_defaultdict(self, kind: Tagged) -> Tagged:
        return Tagged(Table(missing=kind.value))

    def call_Counter(self, box: Tagged | None = None) -> Tagged:
        counts: dict[Any, tuple[Tagged, Tagged]] = {}
        for each in self.elements(box) if box else ():
            key, held = counts.get(plain(each), (each, Tagged(0)))
            counts[plain(each)] = key, Tagged(held.value + 1, held.tags | each.tags)
        found = self.table(list(counts.values()))
        found.value.is_counter = True
        return found

    def call_heappush(self, heap: Tagged, value: Tagged) -> Tagged:
        made = list(heap.value.items)
        heapq.heappush(made, value)
        self.arrange(heap.value, made)
        return Tagged(None)

    def call_heappop(self, heap: Tagged) -> Tagged:
        made = list(heap.value.items)
        found = heapq.heappop(made)
        self.arrange(heap.value, made)
        return found

    def call_heapify(self, heap: Tagged) -> Tagged:
        made = list(heap.value.items)
        heapq.heapify(made)
        self.arrange(heap.value, made)
        return Tagged(None)

    def call_bisect_left(self, box: Tagged, value: Tagged) -> Tagged:
        return Tagged(bisect.bisect_left(self.elements(box), value), value.tags)

    def call_list(self, box: Tagged | None = None) -> Tagged:
        return self.row(list(self.elements(box)) if box else [])

    call_deque = call_list

    def call_set(self, box: Tagged | None = None) -> Tagged:
        return self.bag(list(self.elements(box)) if box else [])

    def call_tuple(self, box: Tagged) -> Tagged:
        return Tagged(tuple(self.elements(box)))

    def call_range(self, *ends: Tagged) -> Tagged:
        return Tagged(Row([Tagged(n) for n in range(*map(plain, ends))], union(ends), True), union(ends))

    def lazy(self, rows: Callable[[], list[Tagged]]) -> Tagged:
        return Tagged(SimpleNamespace(rows=rows))

    def call_enumerate(self, box: Tagged, start: Tagged = ZERO) -> Tagged:
        return self.lazy(
            lambda: [self.pair(Tagged(n, start.tags), each) for n, each in enumerate(self.elements(box), start.value)]
        )

    def call_zip(self, *given: Tagged) -> Tagged:
        return self.lazy(lambda: [self.pair(*each) for each in zip(*map(self.elements, given), strict=False)])

    def call_reversed(self, box: Tagged) -> Tagged:
        size = len(self.elements(box))

        def rows() -> list[Any]:
            now = self.elements(box)
            return [now[n] if n < len(now) else None for n in reversed(range(size))]

        return self.lazy(rows)

    def pair(self, *parts: Tagged) -> Tagged:
        return Tagged(tuple(parts))

    def method_items(self, box: Tagged) -> Tagged:
        return self.lazy(self.still(box.value, lambda: [self.pair(*each) for each in box.value.items.values()]))

    def still(self, table: Table, rows: Callable[[], list[Tagged]]) -> Callable[[], list[Tagged]]:
        """What is in a dict while nothing comes or goes: what is gone through then is chance, in Python too."""
        sized = table.sized

        def made() -> list[Tagged]:
            if table.sized != sized:
                raise RuntimeError
            return rows()

        return made

    def method_keys(self, box: Tagged) -> Tagged:
        return self.lazy(lambda: self.elements(box))

    def method_move_to_end(self, box: Tagged, key: Tagged) -> Tagged:
        pair = box.value.items[plain(key)]
        self.drop(box.value, plain(key))
        self.enter(box.value, *pair)
        return Tagged(None)

    def method_popitem(self, box: Tagged, last: Tagged) -> Tagged:
        key = list(box.value.items)[-1 if last.value else 0]
        found = self.pair(*box.value.items[key])
        self.drop(box.value, key)
        return found

    def method_most_common(self, box: Tagged, *most: Tagged) -> Tagged:
        pairs = sorted(box.value.items.values(), key=lambda pair: -plain(pair[1]))
        return self.row([self.pair(*pair) for pair in pairs[: most[0].value if most else None]])

    def method_values(self, box: Tagged) -> Tagged:
        return self.lazy(self.still(box.value, lambda: [each for _, each in box.value.items.values()]))

    def method_get(self, box: Tagged, key: Tagged, instead: Tagged = NOBODY) -> Tagged:
        found = box.value.items.get(plain(key))
        return found[1] if found else instead

    def method_setdefault(self, box: Tagged, key: Tagged, instead: Tagged) -> Tagged:
        if plain(key) not in box.value.items:
            return self.default(box.value, key, instead)
        return box.value.items[plain(key)][1]  # type: ignore[no-any-return]

    def method_append(self, box: Tagged, value: Tagged) -> Tagged:
        self.arrange(box.value, [*box.value.items, value], len(box.value.items))
        return Tagged(None)

    def method_appendleft(self, box: Tagged, value: Tagged) -> Tagged:
        self.arrange(box.value, [value, *box.value.items], 0)
        return Tagged(None)

    def method_popleft(self, box: Tagged) -> Tagged:
        return self.out(box.value, 0)

    def method_clear(self, box: Tagged) -> Tagged:
        self.arrange(box.value, [])
        return Tagged(None)

    def method_insert(self, box: Tagged, key: Tagged, value: Tagged) -> Tagged:
        made = list(box.value.items)
        made.insert(key.value, value)
        self.arrange(box.value, made, next(n for n, each in enumerate(made) if each is value))
        return Tagged(None)

    def method_extend(self, box: Tagged, more: Tagged) -> Tagged:
        self.arrange(box.value, [*box.value.items, *self.elements(more)], len(box.value.items))
        return Tagged(None)

    def method_pop(self, box: Tagged, *given: Tagged) -> Tagged:
        if isinstance(box.value, Row):
            return self.out(box.value, given[0].value if given else -1)
        if plain(given[0]) not in box.value.items and len(given) > 1:
            return given[1]
        found = box.value.items[plain(given[0])][1]
        self.drop(box.value, plain(given[0]))
        return found  # type: ignore[no-any-return]

    def method_update(self, box: Tagged, more: Tagged) -> Tagged:
        for each in self.elements(more):
            self.enter(box.value, each, each if box.value.is_set else more.value.items[plain(each)][1])
        return Tagged(None)

    def method_remove(self, box: Tagged, value: Tagged) -> Tagged:
        if isinstance(box.value, Table):
            self.drop(box.value, plain(value))
            return Tagged(None)
        self.out(box.value, [plain(each) for each in box.value.items].index(plain(value)))
        return Tagged(None)

    def method_reverse(self, box: Tagged) -> Tagged:
        self.arrange(box.value, box.value.items[::-1])
        return Tagged(None)

    def method_sort(self, box: Tagged, key: Tagged | None = None, reverse: Tagged | None = None) -> Tagged:
        self.arrange(box.value, self.call_sorted(box, key, reverse).value.items)
        return Tagged(None)

    def method_add(self, box: Tagged, value: Tagged) -> Tagged:
        self.enter(box.value, value, value)
        return Tagged(None)

    def method_discard(self, box: Tagged, value: Tagged) -> Tagged:
        if plain(value) in box.value.items:
            self.drop(box.value, plain(value))
        return Tagged(None)

    def method_count(self, box: Tagged, value: Tagged) -> Tagged:
        if isinstance(box.value, str):
            return self.text("count")(box, value)
        found = [each for each in self.elements(box) if plain(each) == plain(value)]
        return Tagged(len(found), value.tags | union(found))

    def method_index(self, box: Tagged, value: Tagged) -> Tagged:
        place = [plain(each) for each in self.elements(box)].index(plain(value))
        return Tagged(place, value.tags | self.elements(box)[place].tags)

    def method_copy(self, box: Tagged) -> Tagged:
        return self.row(list(self.elements(box)))


def differ(one: Interpreter, other: Interpreter, write: Write) -> bool:
    """Whether two runs differ in a write, or one of them does not come to it."""
    found = [next((each.made for each in run.writes if each.step == write.step), None) for run in (one, other)]
    return None in found or found[0] != found[1]
