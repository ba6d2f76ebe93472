"""A value that a statement computes, with the events that brought it."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any
from weakref import ref

from crashlab.watch.snapshots import PLAIN, is_number
from crashlab.watch.things import ABSENT

NONE: frozenset[int] = frozenset()
LONGEST = 2000  # elements of a container that are looked at one by one
LARGEST = 1 << 64  # a number that is computed with
ROWS = (list, tuple, deque, str)
TABLES = (dict, defaultdict, OrderedDict, Counter)
SETS = (set, frozenset)
BOXES = frozenset({*ROWS, *TABLES, *SETS})
STRONG = frozenset({*PLAIN, *BOXES, FunctionType, BuiltinFunctionType, ModuleType, type, type(ABSENT)})

Walk = Callable[[int], "Value | None"]  # the n-th element of what a loop goes through; None behind the last


class Value:
    """A value, ABSENT if it is not known, and the events that it comes from.

    parts   its elements, if these have their own; of a dict its keys
    held    by key what a dict or an object has, if that has its own
    walk    the elements of what is made while a loop asks for it
    decided whether it is what a comparison found
    """

    __slots__ = ("_object", "decided", "held", "is_weak", "origins", "parts", "walk")

    def __init__(
        self,
        value: Any = ABSENT,
        origins: frozenset[int] = NONE,
        parts: list[Value] | None = None,
        held: dict[Any, Value] | None = None,
        walk: Walk | None = None,
    ) -> None:
        self._object, self.is_weak, self.decided = value, False, False
        self.origins, self.parts, self.held, self.walk = origins, parts, held, walk
        if type(value) not in STRONG:
            try:
                self._object, self.is_weak = ref(value), True
            except TypeError:
                pass

    @property
    def value(self) -> Any:
        """The value; an object is not kept alive, because its program may notice."""
        found = self._object() if self.is_weak else self._object
        return ABSENT if self.is_weak and found is None else found

    def add(self, part: Value) -> None:
        """One more element of a container that a statement has just made."""
        assert self.parts is not None
        self.parts.append(part)
        self.origins |= part.origins
        self._object = ABSENT


class Arrangement:
    """Where the elements of a list come from when a method has moved them; None if only they themselves tell that.

    at     the first index at which something may have come or gone
    does   what does the same to another list, if one element has come or gone there: then no more has to be known
    """

    def __init__(
        self, box: Any, parts: list[Value] | None, at: int | None = None, does: Callable[[Any], object] | None = None
    ) -> None:
        self.box, self.parts, self.at, self.does = box, parts, at, does


def union(values: Iterable[Value]) -> frozenset[int]:
    """The events that any of some values comes from."""
    return NONE.union(*(value.origins for value in values))


def is_plain(value: Any) -> bool:
    """Whether a value can be computed with: a plain one, of no great size."""
    kind = type(value)
    if kind is int:
        return bool(-LARGEST < value < LARGEST)
    if kind is tuple or kind is frozenset:
        return len(value) < LONGEST and all(map(is_plain, value))
    return kind in PLAIN and (kind not in (str, bytes) or len(value) < LONGEST) or is_number(value)


def only(event: int) -> frozenset[int]:
    """An event alone; none if there is none."""
    return frozenset({event}) if event >= 0 else NONE


def are_plain(values: Iterable[Value]) -> bool:
    """Whether all of these are plain."""
    return all(is_plain(each.value) for each in values)


def is_box(value: Any) -> bool:
    """Whether it is a container without methods of its own."""
    return type(value) in BOXES


def is_true(value: Any) -> bool | None:
    """Whether a condition with this value holds; None if that is not known."""
    if value is ABSENT:
        return None
    if is_plain(value) or is_box(value):
        return bool(value)
    asked = any("__bool__" in vars(cls) or "__len__" in vars(cls) for cls in type(value).__mro__)
    return None if asked else True


def fits(value: Value, now: Any) -> bool:
    """Whether what was computed is what is there; what could not be computed is believed."""
    made = value.value
    if made is ABSENT or made is now or now is ABSENT:
        return True
    if type(made) is type(now) and is_plain(made) and is_plain(now):
        return bool(made == now) or made != made
    if type(made) is not type(now):
        return is_number(now) and (is_number(made) or type(made) in (int, float)) and bool(made == now)
    return value.parts is not None or value.held is not None


def decided(value: Any, origins: frozenset[int]) -> Value:
    """What a comparison found."""
    found = Value(value, origins)
    found.decided = True
    return found


def made_of(values: Iterable[Value]) -> Value:
    """Something that is computed from all of these."""
    return Value(ABSENT, union(values))


def listed(parts: list[Value], sizes: Sequence[Value] = ()) -> Value:
    """A new list; `sizes` are what has told how long it is."""
    values = [part.value for part in parts]
    return Value(ABSENT if any(value is ABSENT for value in values) else values, union([*parts, *sizes]), parts)


def tupled(parts: list[Value]) -> Value:
    """A new tuple."""
    values = tuple(part.value for part in parts)
    return Value(ABSENT if any(value is ABSENT for value in values) else values, union(parts), parts)


def gathered(parts: list[Value]) -> Value:
    """A new set; an element may come from each that is equal to it."""
    if not are_plain(parts):
        return made_of(parts)
    found: dict[Any, Value] = {}
    for part in parts:
        had = found.get(part.value)
        found[part.value] = Value(part.value, part.origins | (had.origins if had else NONE))
    made = set(found)
    return Value(made, union(parts), [found[each] for each in made], found)


def mapped(pairs: list[tuple[Value, Value]]) -> Value:
    """A new dict."""
    origins = union([each for pair in pairs for each in pair])
    if not are_plain(key for key, _ in pairs):
        return Value(ABSENT, origins)
    held = {key.value: value for key, value in pairs}
    keys = {key.value: key for key, _ in reversed(pairs)}
    is_known = all(value.value is not ABSENT for value in held.values())
    made = {key: value.value for key, value in held.items()} if is_known else ABSENT
    return Value(made, origins, [keys[key] for key in held], held)


def pairs_of(walks: list[Walk]) -> Walk:
    """The elements of several walks side by side."""

    def go(number: int) -> Value | None:
        parts: list[Value] = []
        for walk in walks:
            if (part := walk(number)) is None:
                return None
            parts.append(part)
        return tupled(parts)

    return go
