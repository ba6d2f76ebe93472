"""The values that a running statement reads, with their origins as far as these are known."""

import ast
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Generator, Mapping, Sequence
from itertools import takewhile
from types import CodeType, FunctionType, GeneratorType
from typing import Any

from crashlab.watch.events_so_far import EventsSoFar
from crashlab.watch.film_data import Place, spelled
from crashlab.watch.origins import (
    LONGEST,
    ROWS,
    SETS,
    TABLES,
    Arrangement,
    Value,
    Walk,
    element,
    in_place,
    is_box,
    is_plain,
    obscure,
    tupled,
    union,
    without_text,
)
from crashlab.watch.snapshots import PLAIN, Shadow, is_array
from crashlab.watch.things import ABSENT, NOTHING, Thing, Words

Env = Mapping[str, Value]
Steps = Generator["Waiting", Value, Value]


class Waiting:
    """A call of the program's code at a node of a statement, with the values of its parameters.

    is_all   whether the call exhausts a generator
    """

    def __init__(self, node: ast.expr, code: CodeType, arguments: dict[str, Value], is_all: bool = False) -> None:
        self.node, self.code, self.arguments, self.is_all = node, code, arguments, is_all
        self.yields: list[Value] = []  # the values of the generator so far

    def is_at(self, code: CodeType, spot: tuple[int, int] | None) -> bool:
        """Return whether this is the call of `code` that ends at `spot`, a line and a column of the source."""
        return code is self.code and spot == (self.node.end_lineno, self.node.end_col_offset)


class Unforeseen(Exception):
    """Raised if the statement fails or cannot be followed."""


class Reading:
    """The values that a statement reads, and its changes so far.

    variables the variables that it names
    cells    its assignments to containers: the container, the key and the value
    arranged the lists that it has rearranged, by id
    changed  the ids of the containers that it has changed
    """

    def __init__(self, so_far: EventsSoFar) -> None:
        self.so_far = so_far
        self.variables: dict[str, Value] = {}
        self.cells: list[tuple[Value, Any, Value]] = []
        self.arranged: dict[int, Arrangement] = {}
        self.changed: set[int] = set()
        self.failing: ast.AST | None = None  # the innermost expression whose operation fails
        self.failed: tuple[Value, ...] = ()  # the values read by the failing operation
        self.is_disturbed = False  # whether any container may have changed since the statement began
        self.parts_of_test: dict[ast.expr, Value] | None = None  # values of the parts of a test while it is evaluated

    def of(self, node: ast.expr, env: Env | None = None) -> Steps:
        """Evaluate an expression; `env` holds the variables of a comprehension."""
        if isinstance(node, ast.Constant):
            return Value(node.value)
        if isinstance(node, ast.Name):
            value = env[node.id] if env and node.id in env else self.variables.get(node.id) or obscure()
        else:
            does = getattr(self, f"on_{type(node).__name__}", None)
            try:
                value = self.disturbed() if does is None else (yield from does(node, env))
            except Exception:
                self.failing = self.failing or node
                raise
        if self.parts_of_test is not None:
            self.parts_of_test[node] = value
        return value

    def disturbed(self) -> Value:
        """Return an unknown value, and assume that any container may have changed."""
        self.is_disturbed = True
        return obscure()

    def fails(self, values: Sequence[Value]) -> Unforeseen:
        """Blame an exception on those operands that are None, or on all; return the exception to raise."""
        self.failed = union([value for value in values if value.value is None] or values)
        return Unforeseen()

    def runs(self, does: Any) -> bool:
        """Return whether a value is a traced function."""
        return type(does) is FunctionType and self.so_far.shadows.runs(does.__code__, does.__globals__)

    def wait(self, node: ast.expr, does: Any, args: list[Value], words: dict[str, Value] | None = None) -> Steps:
        """Wait for a call of the program's code and return its result; do not wait for a generator."""
        if not self.runs(does):
            return self.disturbed()
        bound = bound_to(does, args, words or {})
        code: CodeType = does.__code__
        if code.co_flags & 0x20:
            self.so_far.unbegun.setdefault(code, []).append(bound)
            return Value(by_key={code: Value()})
        return (yield Waiting(node, code, bound))

    def answer(self, value: Value, place: Place) -> Value:
        """Return a result of the program's code as read from a place: the call as it would be written."""
        return Value(value.value).at(place, max((leaf.event for leaf in value.reads), default=NOTHING))

    def argument(self, value: Value) -> Any:
        """Return an argument as it would be written in a call: a plain value, or else its place."""
        if is_plain(value.value):
            return value.value
        return Words("..." if value.place is None else spelled(value.place), 0)

    def shadow(self, value: Any) -> Shadow | None:
        """Return the Shadow of an object, or None if it is not watched."""
        shadow = self.so_far.shadows.by_id.get(id(value))
        return shadow if shadow is not None and shadow.get() is value else None

    def check(self, box: Value) -> Any:
        """Return a container itself if its contents are known, else ABSENT."""
        container = box.value
        is_new = box.parts is not None or box.by_key is not None
        return container if is_new or not (self.is_disturbed or id(container) in self.changed) else ABSENT

    def at(self, box: Value, key: Any) -> Value:
        """Return the value at a key of a container; raise LookupError if it is missing."""
        container = self.check(box)
        if box.by_key is not None and is_plain(key):
            if key in box.by_key or container is ABSENT:
                return box.by_key.get(key) or obscure()
            raise KeyError
        if box.parts is not None and type(key) is int and (container is ABSENT or type(container) in ROWS):
            return box.parts[key]
        if is_array(container):
            return self.cell(box, container, key)
        if not (type(container) in ROWS or type(container) in TABLES) or self.kept(key) is ABSENT:
            return obscure()
        if not is_plain(key) and (type(container) in ROWS or has_hash(key)):
            return obscure()
        if type(container) in ROWS:
            return self.element(box, key, container[key], self.brought(box, range(len(container))[key]))
        if dict.__contains__(container, key):
            return self.element(box, key, dict.__getitem__(container, key), self.brought(box, key))
        kind = container.default_factory if type(container) is defaultdict else None
        if kind is not None:  # the missing value is not created here
            if type(kind) is not type or kind not in (int, float, str, bool, list, dict, set, deque):
                raise Unforeseen
            parts: list[Value] | None = [] if kind in (list, dict, set, deque) else None
            value = Value(kind() if kind in (int, float, str, bool) else ABSENT, parts=parts)
            value.by_key = {} if kind is dict else None
            self.cells.append((box, key, value))
            return value
        if type(container) is Counter:
            return Value(0)
        raise KeyError

    def cell(self, box: Value, array: Any, key: Any) -> Value:
        """Return the value at an index of an array; for several cells, all their values."""
        if type(key) is tuple and len(key) == array.ndim and all(type(index) is int for index in key):
            return self.one_cell(box, array, tuple(range(n)[index] for index, n in zip(key, array.shape, strict=True)))
        places = places_in(array, key)
        return obscure() if places is None else self.cells_at(box, array, places, key)

    def cells_at(self, box: Value, array: Any, places: Any, key: Any = ABSENT) -> Value:
        """Return cells of an array by their numbers in flat order; with `key`, as one value read at this index."""
        if places.ndim == 0:
            return self.one_cell(box, array, index_of(array, places))
        inner = [self.cells_at(box, array, place) for place in places]
        if box.place is None or key is ABSENT:
            return Value(ABSENT, union(inner), inner)
        indices = [key] if type(key) is not tuple else key
        text = Words(", ".join(str(in_place(one)) if not is_array(one) else "..." for one in indices), 0)
        return Value(ABSENT, parts=inner).at((box.place, text), box.event)

    def one_cell(self, box: Value, array: Any, many: tuple[int, ...]) -> Value:
        """Return the value of one cell of an array."""
        key = many[0] if len(many) == 1 else many
        return element(box, key, array[many].item(), self.event_at(array, key))

    def kept(self, key: Any) -> Any:
        """Return a key in its flat form; ABSENT if it is an unknown object."""
        shadow = None if is_plain(key) else self.shadow(key)
        return key if is_plain(key) else ABSENT if shadow is None else shadow.what

    def element(self, box: Value, key: Any, value: Any, event: int) -> Value:
        """Return the value at a key of a container; for a mutable value, its last change is the event."""
        if event >= len(self.so_far.entries):  # its container is new and is not stored anywhere yet
            event = box.event
        if type(value) not in PLAIN:
            event = self.so_far.last_change(value, event)
        return element(box, key, value, event)

    def event_at(self, obj: Any, key: Any) -> int:
        """Return the event that stored the value at a key of a thing; NOTHING if it is unknown."""
        shadow = self.shadow(obj)
        if shadow is None or not isinstance(shadow.what, Thing):
            return NOTHING
        try:
            return int((shadow.elements.get(key, shadow.elements[...]) if is_array(obj) else shadow.elements[key]).by)
        except (LookupError, TypeError):
            return NOTHING

    def brought(self, box: Value, key: Any) -> int:
        """Return the event that stored the value at a key of a container."""
        return box.event if type(box.value) in (str, tuple) else self.event_at(box.value, self.kept(key))

    def came(self, box: Value, key: Any) -> Value:
        """Return a key of a dict or an element of a set as a Value whose origin is the whole container."""
        shadow = self.shadow(box.value)
        if box.place is None:
            return Value(key, box.leaves)
        one = shadow.elements.get(self.kept(key)) if shadow is not None and isinstance(shadow.what, Thing) else None
        return Value(key, (Value().at(box.place, NOTHING if one is None else one.came),))

    def parts(self, box: Value) -> list[Value] | None:
        """Return the elements of a container, or the keys of a dict; None if they are unknown."""
        if box.parts is not None:
            return box.parts
        walk = self.walk(box)
        if walk is None:
            return None
        values = [*map(without_text, takewhile(bool, map(walk, range(LONGEST + 1))))]  # type: ignore[arg-type]
        return values if len(values) <= LONGEST else None

    def walk(self, box: Value) -> Walk | None:
        """Return a walk over the elements of a container in the order of a loop; None if they are unknown."""
        container, parts = self.check(box), box.parts
        if box.walk is not None:
            return box.walk
        if parts is not None:
            return lambda number: parts[number] if number < len(parts) else None
        if type(container) in (list, deque, tuple, str):
            return lambda number: self.in_row(box, container, number) if number < len(container) else None
        if type(container) is range:
            text = f"the next of {container}"
            return lambda number: Value(container[number], text=text) if number < len(container) else None
        if type(container) in TABLES or type(container) in SETS:
            keys = list(container)
            return lambda number: self.came(box, keys[number]) if number < len(keys) else None
        if is_array(container) and container.ndim:
            return lambda number: self.cell(box, container, number) if number < len(container) else None
        return None

    def in_row(self, box: Value, row: Any, number: int) -> Value:
        """Return an element of a list, a tuple or a string."""
        return self.element(box, number, row[number], self.brought(box, number))

    def size(self, box: Value) -> Value:
        """Return the number of elements in a container."""
        container = self.check(box)
        if box.parts is not None and not is_plain(container):
            return Value(len(box.parts), box.reads)
        return (
            Value(len(container), box.reads)
            if is_plain(container) or is_array(container) or is_box(container)
            else obscure()
        )


def bound_to(does: FunctionType, args: list[Value], words: dict[str, Value]) -> dict[str, Value]:
    """Return the values of a function's parameters in a call; a default counts only if it is a mutable container."""
    code = does.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    values = dict(zip(names[: code.co_argcount], args, strict=False))
    values.update({name: value for name, value in words.items() if name in names})
    if code.co_flags & 0x04:
        values[code.co_varnames[len(names)]] = tupled(args[code.co_argcount :])
    defaults = does.__defaults__ or ()
    by_name = {
        **dict(zip(names[: code.co_argcount][::-1], defaults[::-1], strict=False)),
        **(does.__kwdefaults__ or {}),
    }
    for name, value in by_name.items():
        if is_box(value) and not is_plain(value):
            values.setdefault(name, Value(value, text=f"the default {type(value).__name__}, shared between calls"))
    return values


def code_of(value: Value) -> CodeType | None:
    """Return the code of a generator of the program; None for other values."""
    obj = value.value
    marks = (key for key in value.by_key or () if type(key) is CodeType)
    return obj.gi_code if type(obj) is GeneratorType else next(marks, None)


def places_in(array: Any, key: Any) -> Any:
    """Return the numbers of the cells at an index of an array, in the shape of the result.

    Return None if the array is large, or if the index has parts other than ints, slices, `...` and arrays.
    """
    many = key if type(key) is tuple else (key,)
    is_valid = all(type(part) in (int, slice) or part is ... or is_array(part) for part in many)
    if not is_valid or array.size > LONGEST:
        return None
    numbers: Any = sys.modules["numpy"].arange(array.size).reshape(array.shape)
    return sys.modules["numpy"].asarray(numbers[key])


def index_of(array: Any, number: Any) -> tuple[int, ...]:
    """Return the index of a cell of an array by its number."""
    return tuple(int(index) for index in sys.modules["numpy"].unravel_index(int(number), array.shape))


def has_hash(key: Any) -> bool:
    """Return whether the lookup of a key may call a method of the program."""
    hashes: Any = type(key).__hash__
    return hashes is not object.__hash__
