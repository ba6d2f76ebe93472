"""A second, slow interpreter of a subset of Python, whose values carry the reads that they were computed from.

A write stores another value in a variable or in a container at a key. Its reads are the sources of the new value: for
`a if b else c` the chosen operand, for `min(row)` the least element, for `a + b` both operands, for `len(row)` the
list. A read is a place, its value as text, and the number of the write that stored it.
"""

import ast
import bisect
import builtins
import heapq
import operator as op
from collections import ChainMap, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Semaphore, Thread
from types import ModuleType, SimpleNamespace
from typing import Any

from crashlab.base.errors import truncate
from crashlab.watch.film_data import written
from crashlab.watch.things import Words, in_words

Tag = tuple[str, str | None, int]  # a place, its value as text (None: a container), the number of its write
NONE: tuple[Tag, ...] = ()
GONE = type("Gone", (), {"__repr__": lambda self: "GONE"})()
STEPS, LONGEST, LARGEST = 400, 30, 250
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: op.add,
    ast.Sub: op.sub,
    ast.Mult: op.mul,
    ast.Mod: op.mod,
    ast.FloorDiv: op.floordiv,
    ast.Lt: op.lt,
    ast.Gt: op.gt,
    ast.LtE: op.le,
    ast.GtE: op.ge,
    ast.Eq: op.eq,
    ast.NotEq: op.ne,
    ast.BitAnd: op.and_,
    ast.BitOr: op.or_,
    ast.BitXor: op.xor,
    ast.USub: op.neg,
    ast.Not: op.not_,
    ast.Div: op.truediv,
    ast.Pow: op.pow,
    ast.Is: op.is_,
    ast.IsNot: op.is_not,
    ast.RShift: op.rshift,
}
ASKED = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Lt: "lt",
    ast.Gt: "gt",
    ast.LtE: "le",
    ast.Eq: "eq",
}  # special methods that objects may define
Env = ChainMap[str, Any]


@dataclass(eq=False)
class Tagged:
    """A value with its reads, the place it was read from unchanged, and the number of the write that stored it."""

    value: Any
    tags: tuple[Tag, ...] = NONE
    place: str | None = None
    number: int | None = None
    since: Any = None  # the test of a comprehension that let it through

    def __lt__(self, other: "Tagged") -> bool:
        return bool(plain(self) < plain(other))


ZERO, NOBODY = Tagged(0), Tagged(None)


@dataclass(eq=False)
class Row:
    """A list."""

    items: list[Tagged]
    changed: int = -1
    is_claimed: bool = False
    is_answer: bool = False  # returned by a call


@dataclass(eq=False)
class Table:
    """A dict; a set, whose values are its keys; or an object with attributes."""

    items: dict[Any, tuple[Tagged, Tagged]] = field(default_factory=dict)
    is_set: bool = False
    changed: int = -1
    is_claimed: bool = False
    is_answer: bool = False  # returned by a call
    sizes: int = 0  # count of insertions and removals
    missing: Callable[[], Tagged] | None = None  # creates the missing values of a defaultdict
    is_counter: bool = False
    of: ast.ClassDef | None = None

    def __repr__(self) -> str:
        return f"{self.of.name if self.of else ''}..."


@dataclass(frozen=True)
class Write:
    """A write that changed something; `place` is (name, None) for a variable and (`[]`, key) in a container."""

    number: int
    line: int
    place: tuple[str, Any]
    before: str
    after: str
    sources: tuple[Tag, ...]
    since: tuple[int, bool, tuple[Tag, ...]] | None = None  # the line of the test, whether it holds, its reads
    ran: tuple[int, bool, tuple[Tag, ...]] | None = None  # the test that let the statement run, whatever the value


class TooLong(Exception):
    """Raised if a program runs too long or makes too large values."""


class Leave(Exception):
    """Raised to leave a loop or a function."""

    def __init__(self, how: str, value: Tagged | None = None) -> None:
        super().__init__(how)
        self.how, self.value = how, value


def union(values: Any) -> tuple[Tag, ...]:
    """Return the reads of some values, in their order and without duplicates."""
    return once(tag for value in values for tag in value.tags)


def once(tags: Any) -> tuple[Tag, ...]:
    by_place: dict[tuple[str, int], Tag] = {}
    for tag in tags:
        by_place.setdefault((tag[0], tag[2]), tag)
    return tuple(by_place.values())


def after(value: Tagged, since: Any) -> Tagged:
    """Return a value with the test of a comprehension that let it through, if there is one."""
    return value if since is None else replace(value, since=since)


def is_atom(value: Any) -> bool:
    """Return whether a value is reported as text, not only by its place."""
    return (
        value is None
        or type(value) in (int, float, str, bool)
        or isinstance(value, tuple)
        and all(is_atom(part.value if isinstance(part, Tagged) else part) for part in value)
    )


def leaves(block: list[ast.stmt]) -> bool:
    """Return whether a block always ends with return, break, continue or raise."""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return leaves(last.body) and leaves(last.orelse)
    return isinstance(last, ast.Return | ast.Break | ast.Continue | ast.Raise)


def plain(value: Any) -> Any:
    """Return a value without tags."""
    if isinstance(value, Tagged):
        return plain(value.value)
    if isinstance(value, Row):
        return [plain(item) for item in value.items]
    if isinstance(value, Table):
        if value.of is not None:
            return value
        if value.is_set:
            return set(value.items)
        return {key: plain(item) for key, (_, item) in value.items.items()}
    return tuple(map(plain, value)) if isinstance(value, tuple) else value


def same(one: Any, other: Any) -> bool:
    """Return whether a value is unchanged: the same container, or equal and of the same type."""
    if isinstance(one, Tagged) and isinstance(other, Tagged):
        return same(one.value, other.value)
    if isinstance(one, Row | Table) or isinstance(other, Row | Table):
        return one is other
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def short(value: Any) -> str:
    """Describe a value as in the two logs that are compared."""
    bare = plain(value)
    if isinstance(bare, Table):
        return repr(bare)
    if type(bare).__name__ == "Instance":
        return f"{bare.name}..."
    if isinstance(bare, tuple):
        return f"({', '.join(map(short, bare))})"
    return next((kind.__name__ for kind in (dict, set) if isinstance(bare, kind)), "") or (
        "list" if isinstance(bare, list | deque) else repr(bare)
    )


def is_named(node: Any, name: str) -> bool:
    """Return whether a definition has a decorator of this name."""
    return any(
        name in (getattr(decorator, "id", ""), getattr(decorator, "attr", "")) for decorator in node.decorator_list
    )


class Coroutine:
    """A generator that receives values, whose body runs in a thread of its own while another one waits for it."""

    def __init__(self, run: "Interpreter", node: ast.FunctionDef, env: Env) -> None:
        self.run, self.name = run, node.name
        self.goes, self.stops = Semaphore(0), Semaphore(0)
        self.state: Any = (node.lineno, {}, None, {})
        self.sent, self.value, self.end = NOBODY, NOBODY, None
        self.thread = Thread(target=self.work, args=(node, env), daemon=True)

    def __repr__(self) -> str:
        return f"<generator object {self.name}>"

    def work(self, node: ast.FunctionDef, env: Env) -> None:
        """Run the body until it ends; an exception is raised again where the generator was resumed."""
        self.goes.acquire()
        try:
            self.run.block(node.body, env)
            self.end = Leave("return", Tagged(None))
        except Exception as error:
            self.end = error
        self.stops.release()

    def resume(self, sent: Tagged) -> Tagged:
        """Continue the body with what was sent, and return the next value."""
        run, self.sent = self.run, sent
        outer, run.state = run.state, self.state
        if not self.thread.is_alive():
            self.thread.start()
        self.goes.release()
        self.stops.acquire()
        self.state, run.state = run.state, outer
        if self.end is not None:
            raise self.end
        return self.value

    def pause(self, value: Tagged) -> Tagged:
        """Return a value to the caller, and wait for what is sent."""
        self.value = value
        self.stops.release()
        self.goes.acquire()
        return self.sent


class Interpreter:
    """One run of a program.

    is_bounded whether long runs and large values, as in random programs, raise TooLong
    outside    the names defined outside the program
    """

    def __init__(self, text: str, is_bounded: bool = True, outside: Mapping[str, Any] = {}) -> None:
        self.is_bounded, self.outside = is_bounded, outside
        self.since: Any = None  # the test that let the statement run
        self.bound: dict[str, Tagged] = {}  # variables bound by the current statement
        self.defaults: dict[int, dict[str, Tagged]] = {}  # by the id of a function's node
        self.shared: Env = ChainMap()
        self.classes: dict[str, ast.ClassDef] = {}
        self.tables: dict[str, Tagged] = {}  # the attributes of classes
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                self.do_FunctionDef(node, self.shared)
            elif isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
                self.shared[node.name] = Tagged(self.maker(node))
                is_plain = not node.decorator_list
                data = [part for part in node.body if isinstance(part, ast.Assign) and is_plain]
                items = {ast.unparse(part.targets[0]): self.of(part.value, self.shared) for part in data}
                self.tables[node.name] = Tagged(
                    Table({name: (Tagged(name), part) for name, part in items.items()}, of=node)
                )
                self.claim(self.tables[node.name], -1)
        self.writes: list[Write] = []
        self.path: list[int] = []
        self.number = self.line = 0
        self.later: dict[Any, tuple[Table, Tagged, Any]] = {}  # entries added to dicts at the end of a statement

    @property
    def state(self) -> Any:
        """The state of the running statement."""
        return self.line, self.later, self.since, self.bound

    @state.setter
    def state(self, state: Any) -> None:
        self.line, self.later, self.since, self.bound = state

    def run(self, name: str, *args: Any) -> Any:
        """Call a function and return its plain result."""
        result = self.shared[name].value(*(self.from_plain(arg) for arg in args))
        return plain(result)

    def from_plain(self, value: Any) -> Tagged:
        """Return a plain value as one without sources."""
        if isinstance(value, list | deque):
            return Tagged(Row([self.from_plain(item) for item in value]))
        if isinstance(value, dict):
            return Tagged(Table({key: (Tagged(key), self.from_plain(item)) for key, item in value.items()}))
        if isinstance(value, set):
            return Tagged(Table({key: (self.from_plain(key),) * 2 for key in value}, is_set=True))
        if type(value).__name__ in self.classes:
            items = {key: (Tagged(key), self.from_plain(item)) for key, item in vars(value).items()}
            return Tagged(Table(items, of=self.classes[type(value).__name__]))
        return Tagged(tuple(map(self.from_plain, value)) if isinstance(value, tuple) else value)

    def ancestry(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        """Return a class and the classes it inherits from."""
        bases = [self.classes[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in self.classes]
        return [node, *(part for base in bases for part in self.ancestry(base))]

    def methods(self, classes: list[ast.ClassDef]) -> dict[str, ast.FunctionDef]:
        """Return the methods of classes by name; earlier classes override later ones."""
        return {
            method.name: method for cls in classes[::-1] for method in cls.body if isinstance(method, ast.FunctionDef)
        }

    # Writes

    def write(self, place: tuple[str, Any], before: Tagged | None, value: Tagged) -> Tagged:
        """Record a write and return the stored value, with the write's number instead of its reads."""
        if callable(value.value):
            return value
        is_large = type(value.value) is int and abs(value.value) > LARGEST
        if self.is_bounded and (is_large or type(value.value) is str and len(value.value) > LONGEST):
            raise TooLong
        if before is not None and same(before, value):
            return Tagged(value.value, number=-1 if before.number is None else before.number)
        self.number += 1
        self.note(self.number, place, before, value, value.tags, value.since)
        self.claim(value, self.number)
        return Tagged(value.value, number=self.number)

    def note(
        self, number: int, place: Any, before: Any, after: Any, sources: tuple[Tag, ...], since: Any = None
    ) -> None:
        texts = ["GONE" if value is None else short(value) for value in (before, after)]
        self.writes.append(Write(number, self.line, place, *texts, sources, since or self.since, self.since))

    def note_removal(self, key: Any, before: Tagged) -> None:
        """Record the removal of an element."""
        self.number += 1
        self.note(self.number, ("[]", key), before, None, NONE)

    def claim(self, value: Any, number: int) -> None:
        """Store the number of a write in all contents of a new container."""
        if isinstance(value, Tagged):
            self.claim(value.value, number)
        elif isinstance(value, tuple):
            for item in value:
                self.claim(item, number)
        elif isinstance(value, Row | Table) and not value.is_claimed:
            value.is_claimed, value.changed = True, number
            if isinstance(value, Row):
                value.items = [Tagged(item.value, number=number) for item in value.items]
                items = value.items
            else:
                for key, pair in value.items.items():
                    value.items[key] = tuple(Tagged(item.value, number=number) for item in pair)  # type: ignore[assignment]
                items = [one for _, one in value.items.values()]
            for item in items:
                self.claim(item, number)

    # Reads

    def read(self, place: str, stored: Tagged) -> Tagged:
        """Return a stored value as read from its place; a container has the number of its last change."""
        value, number = stored.value, -1 if stored.number is None else stored.number
        if isinstance(value, Row | Table):
            number = max(number, value.changed)
        return self.at(place, value, number)

    def at(self, place: str, value: Any, number: int) -> Tagged:
        words = in_words(plain(value)) if is_atom(value) else None
        return Tagged(value, ((place, words, number),), place)

    def part(self, box: Tagged, key: Any, stored: Tagged) -> Tagged:
        """Return an element of a container as read from its key."""
        if not getattr(box.value, "is_claimed", True):  # made by the current statement
            if not box.value.is_answer or box.place is None:
                return stored
            stored = Tagged(stored.value, number=box.tags[0][2])
        if box.place is None:
            return Tagged(stored.value, box.tags)
        if isinstance(box.value, str | tuple):
            stored = Tagged(stored.value, number=box.tags[0][2])
        is_object = getattr(box.value, "of", None) is not None
        return self.read(box.place + (f".{key}" if is_object else written(plain(key))), stored)

    def key(self, box: Tagged, stored: Tagged) -> Tagged:
        """Return a key of a dict or an element of a set, whose source is the whole container."""
        if not box.value.is_claimed:
            return stored
        tags = box.tags if box.place is None else ((box.place, None, -1 if stored.number is None else stored.number),)
        return Tagged(stored.value, tags)

    def answer(self, place: str, result: Tagged) -> Tagged:
        """Return the result of a call as read from that call."""
        if isinstance(result.value, Row | Table):
            result.value.is_answer = True
        return self.at(place, result.value, max((tag[2] for tag in result.tags), default=-1))

    def argument(self, value: Tagged) -> Any:
        return plain(value) if is_atom(value.value) else Words(value.place or "...", 0)

    def called(self, name: str, args: Any, named: Mapping[str, Tagged]) -> str:
        """Return a call as it would be written."""
        words = [truncate(in_words(self.argument(arg)), 16) for arg in args]
        words += [truncate(f"{key}={in_words(self.argument(arg))}", 16) for key, arg in named.items()]
        return name + truncate(f"({', '.join(words)})", 40)

    def arrange(self, row: Row, new: list[Tagged], at: int | None = None) -> None:
        """Replace the elements of a list and record the writes between its unchanged beginning and end."""
        old = row.items
        if self.is_bounded and len(new) > LONGEST:
            raise TooLong
        if not row.is_claimed:  # not stored anywhere yet
            row.items = new
            return
        most = min(len(old), len(new))
        first = next((n for n in range(most) if not same(old[n], new[n])), most)
        first = first if at is None else min(first, at)
        behind = 0
        while behind < most - first and same(old[-1 - behind], new[-1 - behind]):
            behind += 1
        end, fresh = len(old) - behind, len(new) - behind
        items, before = old[:first], self.number
        items += [self.write(("[]", n), old[n], new[n]) for n in range(first, min(end, fresh))]
        for n in range(fresh, end):
            self.note_removal(fresh, old[n])
        items += [self.write(("[]", n), None, new[n]) for n in range(end, fresh)]
        row.items = items + old[end:]
        row.changed = self.number if self.number > before else row.changed

    def enter(self, table: Table, key: Tagged, value: Tagged) -> None:
        """Put a value into a dict, or an element into a set."""
        before = table.items.get(plain(key))
        if self.later.pop((id(table), plain(key)), None):
            before = None
        last = self.number
        if not table.is_claimed:
            table.items[plain(key)] = (before or (key,))[0], value
        elif before is None:
            stored = self.write(("[]", plain(key)), None, value)
            table.items[plain(key)] = Tagged(key.value, number=stored.number), stored
            table.sizes += 1
        elif not table.is_set:
            table.items[plain(key)] = before[0], self.write(("[]", plain(key)), before[1], value)
        table.changed = self.number if self.number > last else table.changed

    def drop(self, table: Table, key: Any) -> None:
        self.note_removal(key, table.items.pop(key)[1])
        table.changed, table.sizes = self.number, table.sizes + 1

    def bind(self, target: ast.expr, value: Tagged, env: Env) -> None:
        """Assign a value to a target."""
        if isinstance(target, ast.Name):
            scope = env.maps[0]
            if target.id in env.maps[0].get("nonlocal", ()):
                scope = next(outer for outer in env.maps[1:] if target.id in outer)
            scope[target.id] = self.write((target.id, None), scope.get(target.id), value)
            self.bound[target.id] = value
        elif isinstance(target, ast.Tuple):
            for inner, part in self.spread(target, value):
                self.bind(inner, part, env)
        elif isinstance(target, ast.Attribute):
            box = self.tables.get(ast.unparse(target.value)) or self.of(target.value, env)
            self.enter(box.value, Tagged(target.attr), value)
        elif isinstance(target, ast.Subscript):
            box = self.of(target.value, env).value
            if isinstance(target.slice, ast.Slice):
                cut = self.cut(target.slice, env)
                items, fresh = list(box.items), self.elements(value)
                items[cut] = fresh
                self.arrange(box, items, cut.indices(len(box.items))[0] if len(items) != len(box.items) else None)
                return
            key = self.of(target.slice, env)
            if isinstance(box, Table):
                self.enter(box, key, value)
            else:
                place, last = range(len(box.items))[key.value], self.number
                box.items[place] = self.write(("[]", place), box.items[place], value)
                box.changed = self.number if self.number > last else box.changed

    def spread(self, target: ast.Tuple, value: Tagged) -> list[tuple[ast.expr, Tagged]]:
        """Return the targets of an assignment with their values."""
        parts = list(self.elements(value))
        for place, element in enumerate(target.elts):
            if isinstance(element, ast.Starred):
                end = len(parts) - (len(target.elts) - place - 1)
                parts[place:end] = [self.row(parts[place:end])]
        inner = [element.value if isinstance(element, ast.Starred) else element for element in target.elts]
        return [(element, after(part, value.since)) for element, part in zip(inner, parts, strict=True)]

    # Statements

    def call(self, node: ast.FunctionDef, outer: Env, args: list[Tagged], named: dict[str, Tagged]) -> Tagged:
        """Run a function, or a generator completely, and return its result."""
        state, self.state = self.state, (node.lineno, {}, None, {})
        env = outer.new_child()
        owner = next((cls for cls in self.classes.values() if node in cls.body), None)
        env["super()"] = node.args.args[0].arg if node.args.args else "", owner
        self.path.append(self.line)
        names = [arg.arg for arg in node.args.args]
        defaults = self.defaults.get(id(node)) or self.defaults_of(node, outer)
        bound = defaults | dict(zip(names, args, strict=False)) | named
        names += [arg.arg for arg in node.args.kwonlyargs]
        for name in names:
            env[name] = self.write((name, None), None, bound[name])
        assigned = [part.value for part in ast.walk(node) if isinstance(part, ast.Assign)]
        if any(isinstance(value, ast.Yield | ast.YieldFrom) for value in assigned):
            env["yield"] = Coroutine(self, node, env)
            self.state = state
            return Tagged(env["yield"])
        if any(isinstance(inner, ast.Yield | ast.YieldFrom) for part in node.body for inner in ast.walk(part)):
            env["yield"] = []
        result = Tagged(None)
        try:
            self.block(node.body, env)
        except Leave as leave:
            result = leave.value or result
        self.state = state
        if "yield" in env.maps[0]:
            generator = self.lazy(lambda: env["yield"])
            generator.value.is_generator = True
            return generator
        return result

    def defaults_of(self, node: ast.FunctionDef, env: Env) -> dict[str, Tagged]:
        """Return the defaults of a function, which its calls share."""
        args = node.args
        named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
        pairs = [*zip(args.args[::-1], args.defaults[::-1], strict=False), *named]
        return {arg.arg: Tagged(self.of(default, env).value) for arg, default in pairs if default is not None}

    def maker(self, node: ast.ClassDef) -> Callable[..., Tagged]:
        """Return a function that creates objects of a class."""

        def make(*args: Tagged, **named: Tagged) -> Tagged:
            box = Tagged(Table(of=node))
            begins = self.methods(self.ancestry(node)).get("__init__")
            if begins is not None:
                self.call(begins, self.shared, [box, *args], named)
            fields = [attribute for attribute in node.body if isinstance(attribute, ast.AnnAssign)]
            for number, attribute in enumerate(fields):
                assert isinstance(attribute.target, ast.Name)
                default = self.of(attribute.value, self.shared) if attribute.value is not None else Tagged(None)
                value = args[number] if number < len(args) else named.get(attribute.target.id, default)
                self.enter(box.value, Tagged(attribute.target.id), value)
            return Tagged(box.value, union([*args, *named.values()]))

        return make

    def block(self, nodes: list[ast.stmt], env: Env, test: Any = None) -> None:
        outer = self.since
        self.since = test or outer
        try:
            for node in nodes:
                self.step(node)
                after = getattr(self, f"do_{type(node).__name__}")(node, env)
                self.finish()
                self.since = after or self.since
        finally:
            self.since = outer

    def test(self, node: ast.expr, env: Env) -> tuple[bool, tuple[Tag, ...]]:
        """Return whether a test holds, and its reads."""
        if isinstance(node, ast.BoolOp):
            tags: tuple[Tag, ...] = NONE
            for operand in node.values:
                holds, more = self.test(operand, env)
                tags = once((*tags, *more))
                if holds is isinstance(node.op, ast.Or):
                    break
            return holds, tags
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            holds, tags = self.test(node.operand, env)
            return not holds, tags
        if isinstance(node, ast.Compare):
            one, tags, holds = self.of(node.left, env), NONE, True
            tags = one.tags
            for kind, operand in zip(map(type, node.ops), node.comparators, strict=True):
                other = self.of(operand, env)
                tags = once((*tags, *other.tags))
                if not (holds := bool(plain(self.compared(kind, one, other)))):
                    break
                one = other
            return holds, tags
        value = self.of(node, env)
        return bool(plain(value)), value.tags

    def tested(self, node: Any, env: Env) -> Any:
        """Return the outcome of a test: its line, whether it holds, and its reads."""
        return node.lineno, *self.test(node.test, env)

    def step(self, node: Any) -> None:
        self.finish()
        self.line, self.bound = node.lineno, {}
        self.path.append(self.line)
        if self.is_bounded and len(self.path) > STEPS:
            raise TooLong

    def finish(self) -> None:
        """Finish a statement: store the entries that it added to dicts."""
        for table, key, since in list(self.later.values()):
            value, outer = table.items[plain(key)][1], self.since
            items = getattr(value.value, "items", ())
            parts = items if isinstance(value.value, Row) else [one for one, _ in items.values()] if items else []
            self.since = since
            self.enter(table, key, Tagged(value.value, union([value, *parts])))
            self.since = outer

    def do_FunctionDef(self, node: ast.FunctionDef, env: Env) -> None:
        results: dict[Any, Tagged] = {}

        def function(*args: Tagged, **named: Tagged) -> Tagged:
            mark = tuple(map(plain, args))
            if not is_named(node, "cache"):
                return self.call(node, env, list(args), named)
            if mark not in results:
                results[mark] = self.call(node, env, list(args), named)
            return results[mark]

        function.is_own = True  # type: ignore[attr-defined]
        env[node.name] = Tagged(function)
        self.defaults[id(node)] = self.defaults_of(node, env)

    def do_Nonlocal(self, node: ast.Nonlocal, env: Env) -> None:
        env["nonlocal"] = node.names

    def do_Raise(self, node: ast.Raise, env: Env) -> None:
        assert isinstance(node.exc, ast.Call) and isinstance(node.exc.func, ast.Name)
        raise getattr(builtins, node.exc.func.id)

    def do_Try(self, node: ast.Try, env: Env) -> None:
        try:
            self.block(node.body, env)
        except (ArithmeticError, LookupError, ValueError, TypeError) as error:
            kinds = [
                getattr(builtins, handler.type.id) for handler in node.handlers if isinstance(handler.type, ast.Name)
            ]
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
                    self.block(case.body, env, (case.pattern.lineno, True, subject.tags))
                    return

    def matches(self, pattern: Any, value: Tagged, bound: list[tuple[str, Tagged]]) -> bool:
        """Return whether a value matches a pattern; append the names that it binds to `bound`."""
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
            self.arrange(old.value, [*self.elements(old), *self.elements(more)], len(old.value.items))
        elif isinstance(old.value, Table) and old.value.is_set:
            assert isinstance(node.op, ast.BitOr)
            for element in sorted(self.elements(more), key=plain):  # they come at once; a film tells the least first
                self.enter(old.value, element, element)
        else:
            self.bind(place, self.operated(type(node.op), old, more), env)

    def do_For(self, node: ast.For, env: Env) -> None:
        place, many = 0, self.of(node.iter, env)
        while place < len(now := self.elements(many)) and now[place] is not None:
            if place:
                self.step(node)
            value = now[place]
            if getattr(many.value, "is_generator", False):
                value = self.answer(f"next({ast.unparse(node.iter)})", value)
            self.bind(node.target, value, env)
            place += 1
            if self.body(node.body, env):
                return
        self.block(node.orelse, env)

    def do_While(self, node: ast.While, env: Env) -> None:
        is_test = not isinstance(node.test, ast.Constant)
        while (test := self.tested(node, env))[1]:
            if self.body(node.body, env, test if is_test else None):
                return
            self.step(node)
        self.block(node.orelse, env, test)

    def body(self, nodes: list[ast.stmt], env: Env, test: Any = None) -> bool:
        """Run one iteration of a loop and return whether it ended with break."""
        try:
            self.block(nodes, env, test)
        except Leave as leave:
            if leave.how == "return":
                raise
            return leave.how == "break"
        return False

    def do_If(self, node: ast.If, env: Env) -> Any:
        """Run a branch; if exactly one leaves the block, return the test, on which the next statements depend."""
        test = self.tested(node, env)
        inner = None
        if test[1]:
            self.block(node.body, env, test)
        elif len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            outer, self.since = self.since, test
            self.step(node.orelse[0])
            inner = self.do_If(node.orelse[0], env)
            self.since = outer
        else:
            self.block(node.orelse, env, test)
        if leaves(node.body) is leaves(node.orelse):
            return None
        return inner or test

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
            self.out(Tagged(box), self.of(target.slice, env).value)

    def out(self, box: Tagged, key: int) -> Tagged:
        """Remove an element from a list and return it."""
        items = box.value.items
        place = range(len(items))[key]
        element = self.part(box, key, items[place])
        self.arrange(box.value, [*items[:place], *items[place + 1 :]], place)
        return element

    # Expressions

    def of(self, node: ast.expr, env: Env) -> Tagged:
        """Evaluate an expression."""
        value: Tagged = getattr(self, f"on_{type(node).__name__}")(node, env)
        return value

    def elements(self, many: Tagged) -> list[Tagged]:
        """Return the elements of a container in order, or the letters of a string with its sources."""
        value = many.value
        if isinstance(value, Row):
            return [self.part(many, n, item) for n, item in enumerate(value.items)]
        if isinstance(value, Table):
            return [self.key(many, key) for key, _ in value.items.values()]
        if isinstance(value, str):
            return [self.part(many, n, Tagged(letter)) for n, letter in enumerate(value)]
        if isinstance(value, SimpleNamespace):
            return value.rows()  # type: ignore[no-any-return]
        if many.place is None:
            return list(value) if many.tags == union(value) else [Tagged(item.value, many.tags) for item in value]
        return [self.part(many, n, item) for n, item in enumerate(value)]

    def on_Constant(self, node: ast.Constant, env: Env) -> Tagged:
        return Tagged(node.value)

    def on_Name(self, node: ast.Name, env: Env) -> Tagged:
        if node.id in env:
            stored = env[node.id]
            return stored if stored.number is None else self.bound.get(node.id) or self.read(node.id, stored)
        builtin = getattr(self, f"call_{node.id}", None)
        if builtin is not None:
            return Tagged(builtin)
        value = self.outside[node.id]
        return Tagged(value) if callable(value) else self.at(node.id, value, -1)

    def on_NamedExpr(self, node: ast.NamedExpr, env: Env) -> Tagged:
        value = self.of(node.value, env)
        self.bind(node.target, value, env)
        return value

    def on_Tuple(self, node: ast.Tuple, env: Env) -> Tagged:
        parts = self.evaluate_all(node.elts, env)
        return Tagged(tuple(parts), union(parts))

    def evaluate_all(self, nodes: list[ast.expr], env: Env) -> list[Tagged]:
        """Evaluate several expressions, unpacking the starred ones."""
        values: list[Tagged] = []
        for node in nodes:
            is_many = isinstance(node, ast.Starred)
            values += self.elements(self.of(node.value, env)) if is_many else [self.of(node, env)]
        return values

    def on_List(self, node: ast.List, env: Env) -> Tagged:
        return self.row(self.evaluate_all(node.elts, env))

    def on_JoinedStr(self, node: ast.JoinedStr, env: Env) -> Tagged:
        parts = [self.of(part.value if isinstance(part, ast.FormattedValue) else part, env) for part in node.values]
        return Tagged("".join(str(plain(part)) for part in parts), union(parts))

    def on_Lambda(self, node: ast.Lambda, env: Env) -> Tagged:
        def function(*args: Tagged) -> Tagged:
            inner = env.new_child(dict(zip((arg.arg for arg in node.args.args), args, strict=True)))
            for name in [part.id for part in ast.walk(node.body) if isinstance(part, ast.Name)]:
                scope = next((scope for scope in inner.maps if name in scope), {})
                if "done" in scope:  # a variable of a comprehension, which keeps its last value
                    inner[name] = self.read(name, Tagged(scope[name].value, number=-1))
            return self.of(node.body, inner)

        return Tagged(function)

    def on_Yield(self, node: ast.Yield, env: Env) -> Tagged:
        assert node.value is not None
        value = self.of(node.value, env)
        if isinstance(env["yield"], Coroutine):
            return env["yield"].pause(value)
        env["yield"].append(value)
        return Tagged(None)

    def on_YieldFrom(self, node: ast.YieldFrom, env: Env) -> Tagged:
        source = self.of(node.value, env)
        if isinstance(source.value, Coroutine):
            value = source.value.resume(NOBODY)
            try:
                while True:
                    value = source.value.resume(env["yield"].pause(value))
            except Leave as end:
                return self.answer(source.place or "", end.value or NOBODY)
        env["yield"].extend(self.elements(source))
        return Tagged(None)

    def on_Attribute(self, node: ast.Attribute, env: Env) -> Tagged:
        if isinstance(node.value, ast.Name) and isinstance(self.outside.get(node.value.id), ModuleType):
            name = node.attr
            function = getattr(self, f"call_{name}", None)
            return Tagged(getattr(self.outside[node.value.id], name) if function is None else function)
        if node.attr == "fromkeys":
            return Tagged(lambda keys, one: self.table([(key, one) for key in self.elements(keys)], [keys, one]))
        if ast.unparse(node.value) == "super()":
            first, owner = env["super()"]
            method, stored = self.methods(self.ancestry(owner)[1:])[node.attr], env[first]
            does = partial(self.call, method, self.shared)
            me = self.at("super()", stored.value, self.read(first, stored).tags[0][2])
            place = f"super().{node.attr}"
            return Tagged(lambda *args, **named: self.answer(self.called(place, args, named), does([me, *args], named)))
        table = self.tables.get(ast.unparse(node.value))
        box = self.of(node.value, env) if table is None else Tagged(table.value, place=ast.unparse(node.value))
        if getattr(box.value, "of", None) is not None and node.attr not in box.value.items:
            tables = [self.tables[cls.name].value.items for cls in self.ancestry(box.value.of)]
            stored = next((items[node.attr][1] for items in tables if node.attr in items), None)
            if stored is not None:
                return self.part(box, node.attr, stored)
        if node.attr in getattr(box.value, "items", ()) and getattr(box.value, "of", None) is not None:
            return self.part(box, node.attr, box.value.items[node.attr][1])
        method = self.asked(box, node.attr)
        if method is not None and is_named(method, "property"):
            return self.answer(f"{box.place}.{node.attr}", self.call(method, self.shared, [box], {}))
        if method is not None:
            name = f"{box.place}.{node.attr}" if box.place is not None else ast.unparse(node)
            does = partial(self.call, method, self.shared)
            return Tagged(lambda *args: self.answer(self.called(name, args, {}), does([box, *args], {})))
        function = getattr(self, f"method_{node.attr}", None) or self.text(node.attr)
        return Tagged(lambda *args, **named: function(box, *args, **named))

    def asked(self, box: Tagged, name: str) -> ast.FunctionDef | None:
        """Return an object's method of this name, or None."""
        is_object = isinstance(box.value, Table) and box.value.of is not None
        return self.methods(self.ancestry(box.value.of)).get(name) if is_object else None

    def text(self, name: str) -> Callable[..., Tagged]:
        """Return a function that calls a method of a string."""

        def method(box: Tagged, *args: Tagged) -> Tagged:
            result = getattr(box.value, name)(*map(plain, args))
            tags = union((box, *args))
            tagged = Tagged(result, tags)
            return self.row([Tagged(part, tags) for part in result], tags) if isinstance(result, list) else tagged

        return method

    def row(self, parts: list[Tagged], tags: tuple[Tag, ...] | None = None) -> Tagged:
        """Return a new list with the reads of its elements, or with tags."""
        if self.is_bounded and len(parts) > LONGEST:
            raise TooLong
        return Tagged(Row(list(parts)), union(parts) if tags is None else tags)

    def on_Dict(self, node: ast.Dict, env: Env) -> Tagged:
        pairs: list[tuple[Tagged, Tagged]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            one = self.of(key, env) if key is not None else None
            more = self.of(value, env)
            pairs += [(one, more)] if one is not None else self.pairs_of(more)
        return self.table(pairs)

    def pairs_of(self, box: Tagged) -> list[tuple[Tagged, Tagged]]:
        """Return the keys and values of a dict."""
        return [(self.key(box, key), self.part(box, key.value, item)) for key, item in box.value.items.values()]

    def table(self, pairs: list[tuple[Tagged, Tagged]], sources: Any = None) -> Tagged:
        """Return a new dict of the last pair of each key, with the reads of these pairs, or of `sources`."""
        items = {plain(key): (key, value) for key, value in pairs}
        tags = union(one for pair in items.values() for one in pair) if sources is None else union(sources)
        return Tagged(Table(items), tags)

    def on_DictComp(self, node: ast.DictComp, env: Env) -> Tagged:
        both = ast.ListComp(ast.Tuple([node.key, node.value]), node.generators)
        return self.table([tuple(after(part, pair.since) for part in pair.value) for pair in self.rounds(both, env)])

    def on_Set(self, node: ast.Set, env: Env) -> Tagged:
        return self.bag([self.of(element, env) for element in node.elts])

    def bag(self, parts: list[Tagged], sources: Any = None) -> Tagged:
        """Return a new set of the first of equal elements, with the reads of its elements, or of `sources`."""
        items: dict[Any, tuple[Tagged, Tagged]] = {}
        for part in parts:
            items.setdefault(plain(part), (part, part))
        items = {key: items[key] for key in set(items)}
        return Tagged(Table(items, True), union(parts if sources is None else sources))

    def on_Subscript(self, node: ast.Subscript, env: Env) -> Tagged:
        box = self.of(node.value, env)
        if isinstance(node.slice, ast.Slice):
            at = self.cut(node.slice, env)
            ends = [at.start, at.stop, *([] if at.step is None else [at.step])]
            place = f"{box.place}[{':'.join('' if end is None else str(end) for end in ends)}]"
            is_row = isinstance(box.value, Row)
            result = self.row(self.elements(box)[at], box.tags) if is_row else Tagged(box.value[at], box.tags)
            if box.place is None:
                return result
            words = in_words(plain(result)) if is_atom(result.value) else None
            return Tagged(result.value, ((place, words, box.tags[0][2]),), place)
        key = self.of(node.slice, env)
        if isinstance(box.value, Table):
            if plain(key) not in box.value.items and box.value.is_counter:
                return Tagged(0)
            if plain(key) not in box.value.items and box.value.missing is not None:
                return self.default(box.value, key, box.value.missing())
            if (id(box.value), plain(key)) in self.later:  # inserted by this statement
                return box.value.items[plain(key)][1]
            return self.part(box, key.value, box.value.items[plain(key)][1])
        items = box.value.items if isinstance(box.value, Row) else self.elements(box)
        result = items[plain(key)]
        if isinstance(box.value, Row):
            return self.part(box, key.value, result)
        if box.place is not None:
            return self.part(box, key.value, Tagged(result.value))
        return result

    def default(self, table: Table, key: Tagged, value: Tagged) -> Tagged:
        """Insert a missing value into a dict and record it after the statement, which may still fill it."""
        table.items[plain(key)] = key, value
        self.later[id(table), plain(key)] = table, key, self.since
        return value

    def cut(self, node: ast.Slice, env: Env) -> slice:
        """Evaluate the indices of a slice."""
        return slice(*(self.of(end, env).value if end else None for end in (node.lower, node.upper, node.step)))

    def on_BinOp(self, node: ast.BinOp, env: Env) -> Tagged:
        return self.operated(type(node.op), self.of(node.left, env), self.of(node.right, env))

    def operated(self, kind: type, one: Tagged, other: Tagged) -> Tagged:
        """Apply an operator and return the result with the reads of both operands."""
        for box, more, mark in ((one, other, ""), (other, one, "r")):
            method = self.asked(box, f"__{mark}{ASKED.get(kind)}__")
            if method is not None:
                return Tagged(self.call(method, self.shared, [box, more], {}).value, union([box, more]))
        tags = union([one, other])
        if isinstance(one.value, tuple) and kind is ast.Add:
            return Tagged((*self.elements(one), *self.elements(other)), tags)
        if isinstance(one.value, Row) and isinstance(other.value, Row):
            return self.row([*self.elements(one), *self.elements(other)], tags)
        if isinstance(one.value, Row):
            return self.row(self.elements(one) * other.value, tags)
        if isinstance(one.value, Table):
            left, right = set(one.value.items), set(other.value.items)
            keys = left - right if kind is ast.Sub else OPERATORS[kind](left, right)
            parts = [part for box in (one, other) for part in self.elements(box) if plain(part) in keys]
            return self.bag(parts, [one, other])
        return Tagged(OPERATORS[kind](one.value, other.value), tags)

    def on_UnaryOp(self, node: ast.UnaryOp, env: Env) -> Tagged:
        one = self.of(node.operand, env)
        return Tagged(OPERATORS[type(node.op)](plain(one)), one.tags)

    def on_Compare(self, node: ast.Compare, env: Env) -> Tagged:
        one, tags = self.of(node.left, env), NONE
        for kind, comparator in zip(map(type, node.ops), node.comparators, strict=True):
            other = self.of(comparator, env)
            result = self.compared(kind, one, other)
            if not plain(result):
                return Tagged(result.value, result.tags)
            one, tags = other, once((*tags, *result.tags))
        return Tagged(result.value, tags)

    def compared(self, kind: type, one: Tagged, other: Tagged) -> Tagged:
        """Return the result of a comparison."""
        method, tags = self.asked(one, f"__{ASKED.get(kind)}__"), union([one, other])
        if method is not None:
            return Tagged(self.call(method, self.shared, [one, other], {}).value, tags)
        if kind in (ast.In, ast.NotIn):
            many = other.value if isinstance(other.value, str) else [plain(element) for element in self.elements(other)]
            return Tagged((plain(one) in many) is (kind is ast.In), tags)
        if kind in (ast.Is, ast.IsNot):
            return Tagged(OPERATORS[kind](one.value, other.value), tags)
        return Tagged(OPERATORS[kind](plain(one), plain(other)), tags)

    def on_BoolOp(self, node: ast.BoolOp, env: Env) -> Tagged:
        for operand in node.values:
            value = self.of(operand, env)
            if bool(plain(value)) is isinstance(node.op, ast.Or):
                break
        return value

    def on_IfExp(self, node: ast.IfExp, env: Env) -> Tagged:
        return self.of(node.body if plain(self.of(node.test, env)) else node.orelse, env)

    def on_ListComp(self, node: Any, env: Env) -> Tagged:
        return self.row(list(self.rounds(node, env)))

    def on_SetComp(self, node: Any, env: Env) -> Tagged:
        return self.bag(list(self.rounds(node, env)))

    on_GeneratorExp = on_ListComp

    def rounds(self, node: Any, env: Env) -> Any:
        """Yield the elements of a comprehension."""
        inner = env.new_child()
        yield from self.level(node, list(node.generators), inner)
        inner["done"] = True

    def level(self, node: Any, generators: list[Any], env: Env, since: Any = None) -> Any:
        """Yield the elements of a comprehension's remaining `for` clauses, let through by the test `since`."""
        if not generators:
            yield after(self.of(node.elt, env), since)
            return
        generator, *more = generators
        place, many = 0, self.of(generator.iter, env)
        while place < len(now := self.elements(many)):
            self.hide(generator.target, now[place], env)
            place += 1
            test = since
            for clause in generator.ifs:
                test = self.line, *self.test(clause, env)
                if not test[1]:
                    break
            else:
                yield from self.level(node, more, env, test)

    def hide(self, target: ast.expr, value: Tagged, env: Env) -> None:
        """Bind a variable of a comprehension, which counts as no write."""
        if isinstance(target, ast.Name):
            env[target.id] = value
        elif isinstance(target, ast.Tuple):
            for inner, part in self.spread(target, value):
                self.hide(inner, part, env)

    # Calls

    def on_Call(self, node: ast.Call, env: Env) -> Tagged:
        name = getattr(node.func, "id", "")
        if name in ("any", "all") and isinstance(node.args[0], ast.GeneratorExp):
            elements = []
            for element in self.rounds(node.args[0], env):
                elements.append(element)
                if bool(plain(element)) is (name == "any"):
                    return Tagged(name == "any", element.tags)
            return Tagged(name == "all", union(elements))
        does = self.of(node.func, env).value
        args = self.evaluate_all(node.args, env)
        named = {word.arg: self.of(word.value, env) for word in node.keywords if word.arg}
        result: Tagged = does(*args, **named)
        is_own = getattr(does, "is_own", False)
        return self.answer(self.called(ast.unparse(node.func), args, named), result) if is_own else result

    def call_next(self, generator: Tagged) -> Tagged:
        return self.answer(self.called("next", [generator], {}), generator.value.resume(NOBODY))

    def method_send(self, generator: Tagged, value: Tagged) -> Tagged:
        place = self.called(f"{generator.place}.send", [value], {})
        return self.answer(place, generator.value.resume(value))

    def call_len(self, box: Tagged) -> Tagged:
        return Tagged(len(plain(box)), box.tags)

    def call_abs(self, one: Tagged) -> Tagged:
        return Tagged(abs(one.value), one.tags)

    def call_sum(self, box: Tagged) -> Tagged:
        return Tagged(sum(map(plain, self.elements(box))), box.tags)

    def best(self, does: Any, args: tuple[Tagged, ...], key: Tagged | None, default: Tagged | None) -> Tagged:
        parts = self.elements(args[0]) if len(args) == 1 else args
        if not parts and default is not None:
            return default
        keys = [self.applied(key, part) if key else part for part in parts]
        place: int = does(range(len(parts)), key=lambda n: plain(keys[n]))
        if key is None:
            return parts[place]
        return Tagged(parts[place].value, keys[place].tags or parts[place].tags)

    def applied(self, does: Tagged, one: Tagged) -> Tagged:
        """Call a function with a value; a result of one of the program's own functions gets the reads of that value."""
        result: Tagged = does.value(one)
        return Tagged(result.value, one.tags) if getattr(does.value, "is_own", False) else result

    def call_min(self, *args: Tagged, key: Tagged | None = None, default: Tagged | None = None) -> Tagged:
        return self.best(min, args, key, default)

    def call_max(self, *args: Tagged, key: Tagged | None = None, default: Tagged | None = None) -> Tagged:
        return self.best(max, args, key, default)

    def call_sorted(self, box: Tagged, key: Tagged | None = None, reverse: Tagged | None = None) -> Tagged:
        by = key.value if key else plain
        return self.row(sorted(self.elements(box), key=by, reverse=bool(reverse and reverse.value)), box.tags)

    def call_map(self, does: Tagged, box: Tagged) -> Tagged:
        parts = [self.applied(does, element) for element in self.elements(box)]
        return self.lazy(lambda: parts, union(parts))

    def computed(self, does: Any) -> Callable[..., Tagged]:
        """Return a function that applies `does` to plain values; its result has the reads of all arguments."""

        def function(*args: Tagged) -> Tagged:
            result, tags = does(*map(plain, args)), union(args)
            return Tagged(tuple(Tagged(part, tags) for part in result) if isinstance(result, tuple) else result, tags)

        return function

    def __getattr__(self, name: str) -> Any:
        plainly = {f"call_{does.__name__}": does for does in (int, float, str, ord, chr, round, divmod, bool, pow)}
        if name not in plainly:
            raise AttributeError(name)
        return self.computed(plainly[name])

    def call_isinstance(self, one: Tagged, kind: Tagged) -> Tagged:
        return Tagged(isinstance(one.value, int))

    def call_dict(self, box: Tagged | None = None, **named: Tagged) -> Tagged:
        if box is None:
            return self.table([(Tagged(key), value) for key, value in named.items()])
        return self.table(self.pairs_of(box), [box])

    call_OrderedDict = call_dict

    def call_defaultdict(self, kind: Tagged) -> Tagged:
        return Tagged(Table(missing=kind.value))

    def call_Counter(self, box: Tagged | None = None) -> Tagged:
        counts: dict[Any, tuple[Tagged, Tagged]] = {}
        for element in self.elements(box) if box else ():
            key, count = counts.get(plain(element), (element, Tagged(0)))
            counts[plain(element)] = key, Tagged(count.value + 1, union([count, element]))
        table = self.table(list(counts.values()), [box] if box else [])
        table.value.is_counter = True
        return table

    def call_heappush(self, heap: Tagged, value: Tagged) -> Tagged:
        items = self.elements(heap)
        heapq.heappush(items, value)
        self.arrange(heap.value, items)
        return Tagged(None)

    def call_heappop(self, heap: Tagged) -> Tagged:
        items = self.elements(heap)
        least = heapq.heappop(items)
        self.arrange(heap.value, items)
        return least

    def call_heapify(self, heap: Tagged) -> Tagged:
        items = self.elements(heap)
        heapq.heapify(items)
        self.arrange(heap.value, items)
        return Tagged(None)

    def call_bisect_left(self, box: Tagged, value: Tagged) -> Tagged:
        return Tagged(bisect.bisect_left(self.elements(box), value), value.tags)

    def call_list(self, box: Tagged | None = None) -> Tagged:
        return self.container_of(box, self.row)

    def container_of(self, box: Tagged | None, does: Any) -> Tagged:
        """Return a new container with the elements of another one."""
        if box is None:
            return does([])  # type: ignore[no-any-return]
        parts = self.elements(box)
        if getattr(box.value, "is_generator", False):
            parts = [Tagged(part.value, box.tags) for part in parts]
        container: Tagged = does(parts)
        return Tagged(container.value, box.tags)

    call_deque = call_list

    def call_set(self, box: Tagged | None = None) -> Tagged:
        return self.container_of(box, self.bag)

    def call_range(self, *ends: Tagged) -> Tagged:
        return Tagged(Row([Tagged(n) for n in range(*map(plain, ends))]), union(ends))

    def lazy(self, rows: Callable[[], list[Tagged]], tags: tuple[Tag, ...] = NONE) -> Tagged:
        return Tagged(SimpleNamespace(rows=rows), tags)

    def call_enumerate(self, box: Tagged, start: Tagged = ZERO) -> Tagged:
        return self.lazy(
            lambda: [
                self.pair(Tagged(n, start.tags), element) for n, element in enumerate(self.elements(box), start.value)
            ],
            union([box, start]),
        )

    def call_zip(self, *boxes: Tagged) -> Tagged:
        rows = lambda: [self.pair(*row) for row in zip(*map(self.elements, boxes), strict=False)]  # noqa: E731
        return self.lazy(rows, union(boxes))

    def call_reversed(self, box: Tagged) -> Tagged:
        size = len(self.elements(box))

        def rows() -> list[Any]:
            now = self.elements(box)
            return [now[n] if n < len(now) else None for n in reversed(range(size))]

        return self.lazy(rows, box.tags)

    def pair(self, *parts: Tagged) -> Tagged:
        return Tagged(tuple(parts), union(parts))

    def method_items(self, box: Tagged) -> Tagged:
        return self.lazy(self.still(box.value, lambda: [self.pair(*pair) for pair in self.pairs_of(box)]), box.tags)

    def still(self, table: Table, rows: Callable[[], list[Tagged]]) -> Callable[[], list[Tagged]]:
        """Guard the rows of a dict: raise RuntimeError if entries were added or removed, as Python does."""
        sizes = table.sizes

        def guard() -> list[Tagged]:
            if table.sizes != sizes:
                raise RuntimeError
            return rows()

        return guard

    def method_move_to_end(self, box: Tagged, key: Tagged) -> Tagged:
        one, value = box.value.items[plain(key)]
        self.drop(box.value, plain(key))
        self.enter(box.value, one, Tagged(value.value))
        return Tagged(None)

    def method_popitem(self, box: Tagged, last: Tagged) -> Tagged:
        key = list(box.value.items)[-1 if last.value else 0]
        one, item = box.value.items[key]
        pair = self.pair(self.key(box, one), self.part(box, key, item))
        self.drop(box.value, key)
        return pair

    def method_most_common(self, box: Tagged, *most: Tagged) -> Tagged:
        pairs = sorted(self.pairs_of(box), key=lambda pair: -plain(pair[1]))
        return self.row([self.pair(*pair) for pair in pairs[: most[0].value if most else None]])

    def method_values(self, box: Tagged) -> Tagged:
        return self.lazy(self.still(box.value, lambda: [value for _, value in self.pairs_of(box)]), box.tags)

    def method_get(self, box: Tagged, key: Tagged, instead: Tagged = NOBODY) -> Tagged:
        entry = box.value.items.get(plain(key))
        return self.part(box, key.value, entry[1]) if entry else instead

    def method_setdefault(self, box: Tagged, key: Tagged, instead: Tagged) -> Tagged:
        if plain(key) not in box.value.items:
            return self.default(box.value, key, instead)
        return self.part(box, key.value, box.value.items[plain(key)][1])

    def method_update(self, box: Tagged, more: Tagged) -> Tagged:
        keys = [key for key in more.value.items if key not in box.value.items]
        for key in [*keys, *(key for key in [*box.value.items] if key in more.value.items and key not in keys)]:
            self.enter(box.value, *more.value.items[key])
        return Tagged(None)

    def method_append(self, box: Tagged, value: Tagged) -> Tagged:
        self.arrange(box.value, [*self.elements(box), value], len(box.value.items))
        return Tagged(None)

    def method_popleft(self, box: Tagged) -> Tagged:
        return self.out(box, 0)

    def method_insert(self, box: Tagged, key: Tagged, value: Tagged) -> Tagged:
        items = self.elements(box)
        items.insert(key.value, value)
        self.arrange(box.value, items, next(n for n, item in enumerate(items) if item is value))
        return Tagged(None)

    def method_extend(self, box: Tagged, more: Tagged) -> Tagged:
        self.arrange(box.value, [*self.elements(box), *self.elements(more)], len(box.value.items))
        return Tagged(None)

    def method_pop(self, box: Tagged, *args: Tagged) -> Tagged:
        if isinstance(box.value, Row):
            return self.out(box, args[0].value if args else -1)
        if plain(args[0]) not in box.value.items and len(args) > 1:
            return args[1]
        item = self.part(box, args[0].value, box.value.items[plain(args[0])][1])
        self.drop(box.value, plain(args[0]))
        return item

    def method_remove(self, box: Tagged, value: Tagged) -> Tagged:
        if isinstance(box.value, Table):
            self.drop(box.value, plain(value))
            return Tagged(None)
        self.out(box, [plain(item) for item in box.value.items].index(plain(value)))
        return Tagged(None)

    def method_reverse(self, box: Tagged) -> Tagged:
        self.arrange(box.value, self.elements(box)[::-1])
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
        equal = [element for element in self.elements(box) if plain(element) == plain(value)]
        return Tagged(len(equal), union([box, value]))

    def method_copy(self, box: Tagged) -> Tagged:
        return self.row(self.elements(box), box.tags)
