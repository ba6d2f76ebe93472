"""What is where while a statement runs: what containers hold, with where it comes from, as far as that is known."""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Generator, Mapping, Sequence
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
    tupled,
    union,
)
from crashlab.watch.snapshots import PLAIN, Shadow, is_array
from crashlab.watch.things import ABSENT, NOTHING, Thing, Words

Env = Mapping[str, Value]
Steps = Generator["Waiting", Value, Value]


class Waiting:
    """Code of the program that is called at a place of a statement, with what its parameters get.

    is_all   whether a generator is asked for all that it makes
    """

    def __init__(self, node: ast.expr, code: CodeType, given: dict[str, Value], is_all: bool = False) -> None:
        self.node, self.code, self.given, self.is_all = node, code, given, is_all
        self.found: list[Value] = []  # what the generator has made

    def is_at(self, code: CodeType, spot: tuple[int, int] | None) -> bool:
        """Whether this is the call of some code from where a line and a column end."""
        return code is self.code and spot == (self.node.end_lineno, self.node.end_col_offset)


class Unforeseen(Exception):
    """The statement fails, or cannot be followed."""


class Reading:
    """What a statement finds where it looks, and what it has changed already.

    seen     the variables that it names
    cells    what it puts where: the container, the key and the value
    arranged the lists that it arranges anew, by their identities
    changed  the containers that it has changed, by their identities
    """

    def __init__(self, so_far: EventsSoFar) -> None:
        self.so_far = so_far
        self.seen: dict[str, Value] = {}
        self.cells: list[tuple[Value, Any, Value]] = []
        self.arranged: dict[int, Arrangement] = {}
        self.changed: set[int] = set()
        self.failed: tuple[Value, ...] = ()  # what the operation read that fails
        self.is_disturbed = False  # whether containers may have changed since it began
        self.parts_of_test: dict[ast.expr, Value] | None = None  # while a test is evaluated

    def of(self, node: ast.expr, env: Env | None = None) -> Steps:
        """The value of an expression, in a comprehension with the variables of that."""
        if isinstance(node, ast.Constant):
            return Value(node.value)
        if isinstance(node, ast.Name):
            value = env[node.id] if env and node.id in env else self.seen.get(node.id) or Value()
        else:
            does = getattr(self, f"on_{type(node).__name__}", None)
            value = self.disturbed() if does is None else (yield from does(node, env))
        if self.parts_of_test is not None:
            self.parts_of_test[node] = value
        return value

    def disturbed(self) -> Value:
        """Something unknown, which may have changed any container."""
        self.is_disturbed = True
        return Value()

    def fails(self, values: Sequence[Value]) -> Unforeseen:
        """Note which operands are to blame for an exception: those that are None, else all."""
        self.failed = union([value for value in values if value.value is None] or values)
        return Unforeseen()

    def runs(self, does: Any) -> bool:
        """Whether it is a function that is traced."""
        return type(does) is FunctionType and self.so_far.shadows.runs(does.__code__, does.__globals__)

    def wait(self, node: ast.expr, does: Any, given: list[Value], words: dict[str, Value] | None = None) -> Steps:
        """What code of the program returns; a generator only when it is asked."""
        if not self.runs(does):
            return self.disturbed()
        bound = bound_to(does, given, words or {})
        code: CodeType = does.__code__
        if code.co_flags & 0x20:
            self.so_far.unbegun.setdefault(code, []).append(bound)
            return Value(held={code: Value()})
        return (yield Waiting(node, code, bound))

    def answer(self, value: Value, place: Place) -> Value:
        """Return what code of the program returned as read from a place: the call as it would be written."""
        events = [leaf.event for leaf in value.reads]
        return Value(value.value).at(place, max(events, default=NOTHING))

    def argument(self, value: Value) -> Any:
        """Return an argument of a call as it would be written."""
        if is_plain(value.value):
            return value.value
        return Words("..." if value.place is None else spelled(value.place), 0)

    def shadow(self, value: Any) -> Shadow | None:
        """What is known of an object that is watched."""
        found = self.so_far.shadows.by_id.get(id(value))
        return found if found is not None and found.get() is value else None

    def check(self, box: Value) -> Any:
        """The container itself, if what is in it is known."""
        made = box.value
        is_new = box.parts is not None or box.held is not None
        return made if is_new or not (self.is_disturbed or id(made) in self.changed) else ABSENT

    def at(self, box: Value, key: Any) -> Value:
        """What is in a container at a key."""
        made = self.check(box)
        if box.held is not None and is_plain(key):
            if key in box.held or made is ABSENT:
                return box.held.get(key) or Value()
            raise KeyError
        if box.parts is not None and type(key) is int and (made is ABSENT or type(made) in ROWS):
            return box.parts[key]
        if is_array(made):
            return self.cell(box, made, key)
        if not (type(made) in ROWS or type(made) in TABLES) or self.kept(key) is ABSENT:
            return Value()
        if type(made) in ROWS:
            return self.element(box, key, made[key], self.brought(box, range(len(made))[key]))
        if not is_plain(key) and has_hash(key):
            return Value()
        if dict.__contains__(made, key):
            return self.element(box, key, dict.__getitem__(made, key), self.brought(box, key))
        kind = made.default_factory if type(made) is defaultdict else None
        if kind is not None:  # without making what it does not have yet
            if kind not in (int, float, str, bool, list, dict, set, deque):
                raise Unforeseen
            parts: list[Value] | None = [] if kind in (list, dict, set, deque) else None
            value = Value(kind() if kind in (int, float, str, bool) else ABSENT, parts=parts)
            value.held = {} if kind is dict else None
            self.cells.append((box, key, value))
            return value
        if type(made) is Counter:
            return Value(0)
        raise KeyError

    def cell(self, box: Value, made: Any, key: Any) -> Value:
        """What is in an array at an index; of several cells, all of them."""
        if type(key) is tuple and len(key) == made.ndim and all(type(each) is int for each in key):
            return self.one_cell(box, made, tuple(range(n)[each] for each, n in zip(key, made.shape, strict=True)))
        places = places_in(made, key)
        return Value() if places is None else self.cells_at(box, made, places, key)

    def cells_at(self, box: Value, made: Any, places: Any, key: Any = ABSENT) -> Value:
        """Return some cells of an array by their numbers: one place, if their index is known."""
        if places.ndim == 0:
            return self.one_cell(box, made, index_of(made, places))
        inner = [self.cells_at(box, made, each) for each in places]
        if box.place is None or key is ABSENT:
            return Value(ABSENT, union(inner), inner)
        known = [key] if type(key) is not tuple else key
        text = Words(", ".join(str(in_place(one)) if not is_array(one) else "..." for one in known), 0)
        return Value(ABSENT, parts=inner).at((box.place, text), box.event)

    def one_cell(self, box: Value, made: Any, many: tuple[int, ...]) -> Value:
        """Return what is in one cell of an array."""
        key = many[0] if len(many) == 1 else many
        return element(box, key, made[many].item(), self.event_at(made, key))

    def kept(self, key: Any) -> Any:
        """A key as it is kept; ABSENT if it is an object that is not known."""
        known = None if is_plain(key) else self.shadow(key)
        return key if is_plain(key) else ABSENT if known is None else known.what

    def element(self, box: Value, key: Any, value: Any, event: int) -> Value:
        """Return what is in a container at a key; of a container its last change counts."""
        if event >= len(self.so_far.entries):  # what holds it is new, and nothing has brought it yet
            event = box.event
        if type(value) not in PLAIN:
            event = self.so_far.last_change(value, event)
        return element(box, key, value, event)

    def event_at(self, made: Any, key: Any) -> int:
        """Return the number of the event that brought what is in a thing at a key."""
        shadow = self.shadow(made)
        if shadow is None or not isinstance(shadow.what, Thing):
            return NOTHING
        try:
            return int((shadow.held.get(key, shadow.held[...]) if is_array(made) else shadow.held[key]).by)
        except (LookupError, TypeError):
            return NOTHING

    def brought(self, box: Value, key: Any) -> int:
        """Return the number of the event that brought what is in a container at a key."""
        return box.event if type(box.value) in (str, tuple) else self.event_at(box.value, self.kept(key))

    def came(self, box: Value, key: Any) -> Value:
        """Return a key of a dict, or an element of a set, which comes from all of that."""
        shadow = self.shadow(box.value)
        if box.place is None:
            return Value(key, box.leaves)
        one = shadow.held.get(self.kept(key)) if shadow is not None and isinstance(shadow.what, Thing) else None
        event = NOTHING if one is None else one.came
        return Value(key, (Value().at(box.place, event),))

    def parts(self, box: Value) -> list[Value] | None:
        """The elements of a container, of a dict its keys; None if they are not known."""
        if box.parts is not None:
            return box.parts
        walk = self.walk(box)
        if walk is None:
            return None
        found: list[Value] = []
        while (each := walk(len(found))) is not None:
            found.append(each)
            if len(found) > LONGEST:
                return None
        return found

    def walk(self, box: Value) -> Walk | None:
        """The elements of a container one after the other, as a loop comes to them."""
        made, parts = self.check(box), box.parts
        if box.walk is not None:
            return box.walk
        if parts is not None:
            return lambda number: parts[number] if number < len(parts) else None
        if type(made) in (list, deque, tuple, str):
            return lambda number: self.in_row(box, made, number) if number < len(made) else None
        if type(made) is range:
            text = f"the next of {made}"
            return lambda number: Value(made[number], told=text) if number < len(made) else None
        if type(made) in TABLES or type(made) in SETS:
            keys = list(made)
            return lambda number: self.came(box, keys[number]) if number < len(keys) else None
        if is_array(made) and made.ndim:
            return lambda number: self.cell(box, made, number) if number < len(made) else None
        return None

    def in_row(self, box: Value, made: Any, number: int) -> Value:
        """Return an element of a list, a tuple or a string."""
        return self.element(box, number, made[number], self.brought(box, number))

    def size(self, box: Value) -> Value:
        """Return how many are in a container."""
        made = self.check(box)
        if box.parts is not None and not is_plain(made):
            return Value(len(box.parts), box.reads)
        return Value(len(made), box.reads) if is_plain(made) or is_array(made) or is_box(made) else Value()


def bound_to(does: FunctionType, given: list[Value], words: dict[str, Value]) -> dict[str, Value]:
    """What each parameter of a function gets."""
    code = does.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    found = dict(zip(names[: code.co_argcount], given, strict=False))
    found.update({name: value for name, value in words.items() if name in names})
    if code.co_flags & 0x04:
        found[code.co_varnames[len(names)]] = tupled(given[code.co_argcount :])
    defaults = does.__defaults__ or ()
    by_name = {
        **dict(zip(names[: code.co_argcount][::-1], defaults[::-1], strict=False)),
        **(does.__kwdefaults__ or {}),
    }
    for name, value in by_name.items():
        if is_box(value) and not is_plain(value):
            found.setdefault(name, Value(value, told=f"the default {type(value).__name__}, shared between calls"))
    return found


def code_of(value: Value) -> CodeType | None:
    """The code of a generator of the program."""
    made = value.value
    marks = (key for key in value.held or () if type(key) is CodeType)
    return made.gi_code if type(made) is GeneratorType else next(marks, None)


def places_in(made: Any, key: Any) -> Any:
    """The numbers of the cells of an array at an index, in the shape of what is there; None if they are not known."""
    many = key if type(key) is tuple else (key,)
    known = all(type(each) in (int, slice) or each is ... or is_array(each) for each in many)
    if not known or made.size > LONGEST:
        return None
    numbers: Any = sys.modules["numpy"].arange(made.size).reshape(made.shape)
    return sys.modules["numpy"].asarray(numbers[key])


def index_of(made: Any, number: Any) -> tuple[int, ...]:
    """The index of a cell of an array."""
    return tuple(int(each) for each in sys.modules["numpy"].unravel_index(int(number), made.shape))


def has_hash(key: Any) -> bool:
    """Whether a method of the program may tell where a key is."""
    hashes: Any = type(key).__hash__
    return hashes is not object.__hash__
