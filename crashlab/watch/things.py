"""Snapshots of the values of variables, and how they are updated and turned back into plain values.

A container, an object of a watched class or an array is a *thing*. A thing is identified by its number, so two names
for one list are one thing. Its contents are stored separately and flat: atoms, tuples, `Words` and other things.
"""

import re
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import islice
from math import log10
from reprlib import Repr, recursive_repr
from typing import Any, Final, final

from crashlab.base.errors import one_line, truncate

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
LETTERS = 80  # longest text of a value in a line
BARE = frozenset({int, bool, float, str, type(None)})  # types that contain no other values
SHORT, SMALL = frozenset({int, bool, type(None)}), 10**9  # types written by repr, and the limit of such ints


NOTHING = -1  # the number that means no event or no call


@final
class Absent:
    """The type of ABSENT, the mark of a missing value."""

    def __repr__(self) -> str:
        return "ABSENT"

    def __reduce__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()
"""The mark of a missing value.

    >>> def double(number):
    ...     twice = 2 * number
    ...     return twice
    >>> record(double, 4, watch="twice").events[0].before is ABSENT
    True
"""


class Path(tuple[Any, ...]):
    """The keys that lead to a change in a nested container, the outermost first. A plain tuple is one key.

    >>> def paint(board):
    ...     board[1][0] = "x"
    >>> record(paint, [["."], ["."]], watch="board").events[-1].key
    (1, 0)
    """

    __slots__ = ()


def keys_of(key: object) -> tuple[Any, ...]:
    """Return the keys of a change, the outermost first; empty for None."""
    return tuple(key) if isinstance(key, Path) else () if key is None else (key,)


class Attribute(str):
    """The name of an attribute as a key."""

    __slots__ = ()


@dataclass(frozen=True)
class Words:
    """The text of an object that cannot be copied or inspected. The number distinguishes equal texts.

    >>> Words("<a generator>", 1)
    <a generator>
    """

    words: str
    number: int

    def __repr__(self) -> str:
        return self.words


TOO_DEEP = Words("(...)", 0)


@dataclass(repr=False)
class Instance:
    """A copy of an object: the name of its class, and its attributes.

    >>> Instance("Car", {"speed": 1})
    Car(speed=1)
    """

    name: str
    attributes: dict[str, Any] = field(default_factory=dict)

    @recursive_repr()
    def __repr__(self) -> str:
        text = ", ".join(f"{name}={shorter.repr(value)}" for name, value in self.attributes.items())
        return f"{self.name}({text})"


class Shorter(Repr):
    """A `Repr` that writes values in one short line."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother = 4, LETTERS, LETTERS
        self.maxtuple = self.maxlist = self.maxdict = self.maxset = self.maxdeque = self.maxfrozenset = 12

    def repr_int(self, x: int, level: int) -> str:
        """Write an int; give only the count of its digits if Python refuses to write them."""
        try:
            return super().repr_int(x, level)
        except ValueError:
            return f"<an int of about {int(x.bit_length() * log10(2)) + 1:,} digits>"

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:
        """Write a dict in its own order; `reprlib` sorts it."""
        if not x or level <= 0:
            return "{...}" if x else "{}"
        some = islice(x.items(), self.maxdict)
        pairs = [f"{self.repr1(key, level - 1)}: {self.repr1(value, level - 1)}" for key, value in some]
        return f"{{{', '.join(pairs)}{', ...' if len(x) > self.maxdict else ''}}}"

    def repr_instance(self, x: Any, level: int) -> str:
        """Write any other value: NumPy numbers as Python numbers, values whose repr fails as their class name."""
        numpy = sys.modules.get("numpy")
        if numpy is not None and type(x).__module__ == "numpy" and isinstance(x, numpy.number | numpy.bool_):
            return repr(x.item())
        if type(x) is OrderedDict:  # its repr differs since Python 3.12
            return f"OrderedDict({self.repr_dict(x, level) if x else ''})"
        try:
            repr(x)
        except Exception:  # raised by its `__repr__`, or by a long int in it
            return f"<{type(x).__name__}>"
        return super().repr_instance(x, level)

    def repr_Instance(self, value: Instance, level: int) -> str:
        """Write an object with its attributes, nested no deeper than containers."""
        if level <= 0:
            return f"{value.name}(...)"
        text = ", ".join(f"{name}={self.repr1(part, level - 1)}" for name, part in value.attributes.items())
        return f"{value.name}({text})"


shorter = Shorter()


def in_words(value: object) -> str:
    """Write a copied value in one line."""
    if type(value) in SHORT and (type(value) is not int or -SMALL < value < SMALL):
        return repr(value)
    return truncate(one_line(shorter.repr(value)), 2 * LETTERS)


class ThingKind(Enum):
    """The kind of a thing, which determines its keys."""

    ROW = auto()  # list, deque, bytearray, array: indices; an insertion or deletion shifts the later ones
    MAP = auto()  # dict: its keys
    SET = auto()  # set: the elements themselves
    ARRAY = auto()  # NumPy: an index or a tuple of indices; `...` is the whole array
    OBJECT = auto()  # object: the names of its attributes


@dataclass(frozen=True, eq=False)
class Thing:
    """A mutable object. All variables that hold the object hold the same Thing."""

    number: int
    kind: ThingKind
    name: str  # the name of its class


Contents = Any  # the contents of a thing: a list, a dict (a set maps elements to themselves) or an array


def parts_of(value: Iterable[Any]) -> list[Any]:
    """Return the elements of a container as a list, those of a set in a reproducible order."""
    if not isinstance(value, set | frozenset):
        return list(value)
    kinds = {type(element) for element in value}
    if len(kinds) == 1 and not kinds & {frozenset}:  # for frozensets `<` means subset, not order
        with suppress(TypeError):
            return sorted(value)
    return sorted(value, key=lambda element: (type(element).__name__, in_words(element)))


def things_in(value: object) -> Iterator[Thing | Words]:
    """Yield the things and the Words in a flat value."""
    if type(value) is Thing or type(value) is Words and value is not TOO_DEEP:
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from things_in(part)


def elements(thing: Thing, contents: Contents) -> Iterator[tuple[Any, Any]]:
    """Yield the keys and values of a thing; yield no cells of an array."""
    if thing.kind is ThingKind.ROW:
        yield from enumerate(contents)
    elif thing.kind is not ThingKind.ARRAY:
        yield from contents.items()


def put(thing: Thing, contents: Contents, key: Any, value: object, was: object) -> Contents:
    """Set an element, insert one (`was` ABSENT, in a row) or delete one (`value` ABSENT); return the contents."""
    if key is ...:
        return value
    if thing.kind is ThingKind.ROW and was is ABSENT:
        contents.insert(key, value)
    elif value is ABSENT:
        del contents[key]
    else:
        contents[key] = value
    return contents


def whole(value: object, state: Mapping[Thing, Contents]) -> tuple[Any, Iterable[Thing]]:
    """Return a plain value built from a flat one, and the things in it.

    Its lists, dicts, sets, arrays and Instances are new copies, including their contents.
    """
    shells: dict[Thing, Any] = {}
    todo: deque[object] = deque(things_in(value))
    while todo:  # not recursive: a chain of objects may be long or cyclic
        thing = todo.popleft()
        if type(thing) is Thing and thing not in shells:
            contents = state[thing]
            shells[thing] = empty(thing, contents)
            if thing.kind is ThingKind.ROW and are_bare(contents):
                continue
            for key, inner in elements(thing, contents):
                if type(inner) not in BARE:
                    todo += things_in(inner)
                if type(key) not in BARE:
                    todo += things_in(key)
    for thing, shell in shells.items():
        fill(thing, shell, state[thing], shells.__getitem__)
    return exchanged(value, shells.__getitem__), shells


def are_bare(values: Iterable[Any]) -> bool:
    """Return whether all values are of types that contain no others."""
    return BARE.issuperset(map(type, values))


def empty(thing: Thing, contents: Contents) -> Any:
    """Return the empty plain container of a thing; an array is copied whole."""
    if thing.kind is ThingKind.ARRAY:
        return contents.copy()
    if thing.kind is ThingKind.OBJECT:
        return Instance(thing.name)
    if thing.name == "deque":
        return deque()
    return {ThingKind.ROW: list, ThingKind.MAP: dict, ThingKind.SET: set}[thing.kind]()


def fill(thing: Thing, shell: Any, contents: Contents, shell_of: Callable[[Thing], Any]) -> None:
    """Fill the plain container of a thing with its contents."""
    if thing.kind is ThingKind.ROW:
        shell.extend(contents if are_bare(contents) else (exchanged(value, shell_of) for value in contents))
    elif thing.kind is ThingKind.SET:
        shell.update(exchanged(value, as_words) for value in contents)
    elif thing.kind is ThingKind.OBJECT:
        shell.attributes.update((str(key), exchanged(value, shell_of)) for key, value in contents.items())
    elif thing.kind is ThingKind.MAP:
        is_bare = are_bare(contents) and are_bare(contents.values())
        pairs = ((exchanged(key, as_words), exchanged(value, shell_of)) for key, value in contents.items())
        shell.update(contents if is_bare else pairs)


def exchanged(value: object, instead: Callable[[Thing], Any]) -> Any:
    """Return a flat value with each thing replaced by `instead(thing)`."""
    if type(value) is Thing:
        return instead(value)
    if isinstance(value, tuple) and any(True for _ in things_in(value)):
        return tuple.__new__(type(value), [exchanged(part, instead) for part in value])
    return value


def as_words(thing: Thing) -> Words:
    """Return the Words that stand for a thing as a key or an element of a set."""
    return Words(f"<{thing.name}>", thing.number)
