"""Values with their origins, as in taint tracking: the places that a statement read them from."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from copy import copy
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import ref

from crashlab.watch.film_data import Place, Read, SinceEntry
from crashlab.watch.snapshots import PLAIN, is_number
from crashlab.watch.things import ABSENT, NOTHING, Attribute, Words

LONGEST = 2000  # maximum number of elements of a container that are examined one by one
LARGEST = 1 << 64  # limit of the ints used in computations
ROWS = (list, tuple, deque, str)
TABLES = (dict, defaultdict, OrderedDict, Counter)
SETS = (set, frozenset)
BOXES = frozenset({*ROWS, *TABLES, *SETS})
CODE = frozenset({FunctionType, BuiltinFunctionType, MethodType, ModuleType, type})  # values that are never causes
STRONG = frozenset({*PLAIN, *BOXES, *CODE, type(ABSENT)} - {MethodType})

Walk = Callable[[int], "Value | None"]  # returns the n-th element of an iterable; None past its end


class Value:
    """A value (ABSENT if it is unknown) and its origins.

    place   the place that it was read from; None if it was computed
    event   the event that stored it there
    leaves  for a computed value, the values that were read for it, in order
    parts   its elements, if these have origins of their own; for a dict its keys
    text    its source in words, if it was not read: "the next of range(0, 5)"
    by_key  the values of a dict by key, if these have origins of their own
    walk    the elements of a lazy iterable
    since   the test of a comprehension that let it through
    """

    _object: Any
    __slots__ = ("_object", "by_key", "event", "is_weak", "leaves", "parts", "place", "since", "text", "walk")

    def __init__(
        self,
        value: Any = ABSENT,
        leaves: tuple[Value, ...] = (),
        parts: list[Value] | None = None,
        by_key: dict[Any, Value] | None = None,
        walk: Walk | None = None,
        text: str = "",
    ) -> None:
        self._object, self.is_weak, self.text = value, False, text
        self.place: Place | None = None
        self.since: SinceEntry | None = None
        self.event, self.leaves, self.parts, self.by_key, self.walk = NOTHING, leaves, parts, by_key, walk
        if type(value) not in STRONG:
            try:
                self._object, self.is_weak = ref(value), True
            except TypeError:
                pass

    @property
    def value(self) -> Any:
        """The value, or ABSENT if its object is gone: the reference is weak, so as not to keep the object alive."""
        obj = self._object() if self.is_weak else self._object
        return ABSENT if self.is_weak and obj is None else obj

    @property
    def reads(self) -> tuple[Value, ...]:
        """The values that were read for this value: only the value itself if it was read from a place."""
        return self.leaves if self.place is None else (self,)

    def at(self, place: Place, event: int) -> Value:
        """Mark this value as read at a place where an event stored it, and return it."""
        self.place, self.event = place, event
        return self

    def after(self, since: SinceEntry | None) -> Value:
        """Return this value with the test of a comprehension that let it through, if there is one."""
        value = self if since is None else copy(self)
        value.since = since or value.since
        return value

    def add(self, part: Value) -> None:
        """Append an element to a container that the statement has just created."""
        assert self.parts is not None
        self.parts.append(part)
        self.leaves, self.place = union([self, part]), None
        self._object = ABSENT


UNKNOWN = Value()  # stands for origins that are unknown: of a value that has it, no origin is told


def obscure() -> Value:
    """Return an unknown value with unknown origins."""
    return Value(ABSENT, (UNKNOWN,))


class Arrangement:
    """The elements of a list after a method has moved them.

    parts  the elements in their new order; None if the order is unknown
    at     the first index at which an element may have been inserted or removed
    does   repeats the method on another list, if the method inserts or removes one element; parts is then None
    before the elements in their old order, if the method only reordered them
    """

    def __init__(
        self,
        parts: list[Value] | None,
        at: int | None = None,
        does: Callable[[Any], object] | None = None,
        before: list[Value] | None = None,
    ) -> None:
        self.parts, self.at, self.does, self.before = parts, at, does, before


def union(values: Iterable[Value]) -> tuple[Value, ...]:
    """Return the distinct origins of several values, in order."""
    return tuple(dict.fromkeys(leaf for value in values for leaf in value.reads))


def element(box: Value, key: Any, value: Any, event: int) -> Value:
    """Return the value that an event stored at a key of a container."""
    if box.place is None:
        return Value(value, box.leaves)
    return Value(value).at((box.place, in_place(key)), event)


def in_place(key: Any) -> Any:
    """Return a key in a form that keeps no object alive, as a part of a place."""
    if type(key) in (int, str, Attribute) or is_plain(key):
        return key
    if type(key) is slice:
        ends = (key.start, key.stop) if key.step is None else (key.start, key.stop, key.step)
        return Words(":".join("" if end is None else str(end) for end in ends), 0)
    return Words(f"<{type(key).__name__}>", 0)


def read_of(values: Iterable[Value]) -> tuple[Read, ...]:
    """Return the distinct places that values were read from, with their values if these are plain.

    The result is empty if any origin is unknown, because a reason is complete.
    """
    reads: dict[tuple[Place, int], Read] = {}
    for leaf in values:
        if leaf is UNKNOWN:
            return ()
        assert leaf.place is not None
        value = leaf.value
        is_shown = type(value) in PLAIN or is_plain(value)
        reads.setdefault((leaf.place, leaf.event), (leaf.place, value if is_shown else ABSENT, leaf.event))
    return tuple(reads.values())


def is_plain(value: Any) -> bool:
    """Return whether a value is plain and small enough for computations."""
    kind = type(value)
    if kind is int:
        return bool(-LARGEST < value < LARGEST)
    if kind is tuple or kind is frozenset:
        return len(value) < LONGEST and all(map(is_plain, value))
    return kind in PLAIN and (kind not in (str, bytes) or len(value) < LONGEST) or is_number(value)


def are_plain(values: Iterable[Value]) -> bool:
    """Return whether all values are plain."""
    return all(is_plain(value.value) for value in values)


def is_box(value: Any) -> bool:
    """Return whether a value is a standard container, not of a subclass."""
    return type(value) in BOXES


def is_true(value: Any) -> bool | None:
    """Return the truth value of a condition; None if it is unknown."""
    if value is ABSENT:
        return None
    if is_plain(value) or is_box(value):
        return bool(value)
    has_method = any("__bool__" in vars(cls) or "__len__" in vars(cls) for cls in type(value).__mro__)
    return None if has_method else True


def matches(value: Value, now: Any) -> bool:
    """Return whether a computed value agrees with the actual value; an unknown value agrees."""
    obj = value.value
    if obj is ABSENT or obj is now or now is ABSENT:
        return True
    if type(obj) is type(now) and is_plain(obj) and is_plain(now):
        return bool(obj == now) or obj != obj
    if type(obj) is not type(now):
        return is_number(now) and (is_number(obj) or type(obj) in (int, float)) and bool(obj == now)
    return value.parts is not None or value.by_key is not None


def made_of(values: Iterable[Value]) -> Value:
    """Return an unknown value that is computed from all these values."""
    return Value(ABSENT, union(values))


def listed(parts: list[Value], sources: Iterable[Value] | None = None) -> Value:
    """Return a new list, with the origins of `sources` or, by default, of its elements."""
    values = [part.value for part in parts]
    container = ABSENT if any(value is ABSENT for value in values) else values
    return Value(container, union(parts if sources is None else sources), parts)


def tupled(parts: list[Value], sources: Iterable[Value] | None = None) -> Value:
    """Return a new tuple, with the origins of `sources` or, by default, of its elements."""
    result = listed(parts, sources)
    result._object = result._object if result._object is ABSENT else tuple(result._object)
    return result


def gathered(parts: list[Value], sources: Iterable[Value] | None = None) -> Value:
    """Return a new set of the first of equal elements, with the origins of `sources` or, by default, of all parts."""
    if not are_plain(parts):
        return made_of(parts if sources is None else sources)
    by_value: dict[Any, Value] = {}
    for part in parts:
        by_value.setdefault(part.value, part)
    return Value({*by_value}, union(parts if sources is None else sources), [*by_value.values()], by_value)


def without_text(part: Value) -> Value:
    """Remove the words "the next of" from an element that no loop takes in its order, and return the element."""
    part.text = ""
    for inner in part.parts or ():
        without_text(inner)
    return part


def mapped(pairs: list[tuple[Value, Value]], sources: Iterable[Value] | None = None) -> Value:
    """Return a new dict of the last pair of each key, with the origins of `sources` or, by default, of these pairs."""
    if not are_plain(key for key, _ in pairs):
        return made_of([part for pair in pairs for part in pair] if sources is None else sources)
    last_pairs = {key.value: (key, value) for key, value in pairs}
    leaves = union([part for pair in last_pairs.values() for part in pair] if sources is None else sources)
    by_key = {key: value for key, (_, value) in last_pairs.items()}
    is_known = all(value.value is not ABSENT for value in by_key.values())
    container = {key: value.value for key, value in by_key.items()} if is_known else ABSENT
    return Value(container, leaves, [key for key, _ in last_pairs.values()], by_key)


def pairs_of(walks: list[Walk]) -> Walk:
    """Return a walk over tuples of elements of several walks, like `zip`."""

    def go(number: int) -> Value | None:
        parts: list[Value] = []
        for walk in walks:
            if (part := walk(number)) is None:
                return None
            parts.append(part)
        return tupled(parts)

    return go
