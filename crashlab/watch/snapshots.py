"""What the things in a running program held when they were looked at last, and what has changed in them since.

Nothing is kept alive that a weak reference can tell from being gone, no method of a watched class is called, and values
are compared by what they are, not by what their `==` says.
"""

from __future__ import annotations

import sys
from array import array
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial
from itertools import takewhile
from operator import attrgetter, eq, is_
from sysconfig import get_path
from types import BuiltinFunctionType, CodeType, FunctionType, MappingProxyType, MemberDescriptorType, MethodType
from typing import Any
from weakref import ref

from crashlab.base.errors import cut, printable
from crashlab.engine.game import Action
from crashlab.engine.game import State as Position
from crashlab.engine.notation import counted
from crashlab.watch import things
from crashlab.watch.things import ABSENT, NOTHING, Attribute, Contents, Thing, ThingKind, Words

RAW, FLAT = attrgetter("raw"), attrgetter("flat")
GENERATED = "<string>"  # the file of code that a library has made up, as that of a dataclass
MANY = 100  # cells of an array that change at once and are told one by one
LARGE = 200_000  # elements of a container that are followed
DEEP = 20  # tuples in tuples that are copied
NUMBERS = (int, float, complex, bool, Fraction, Decimal)
TIMES = (date, datetime, time, timedelta)
PLAIN = frozenset({*NUMBERS, *TIMES, str, bytes, type(None), range, type(...), Position, Action})
KEPT = (*PLAIN, Enum)  # they never change
KINDS: dict[Any, ThingKind] = dict.fromkeys((list, deque, bytearray, array), ThingKind.ROW)
KINDS |= {OrderedDict: ThingKind.MAP, dict: ThingKind.MAP, set: ThingKind.SET}
DATA = PLAIN | KINDS.keys() | {tuple, frozenset}  # types of what a class has that is no code
WALKS: dict[type, Callable[[Any], Iterator[Any]]] = {kind: kind.__iter__ for kind in KINDS}
COMPARED = ("__eq__", "__hash__", "__repr__")  # what is called of a value that is kept
PLAINLY: dict[type, Callable[[Any], Any]] = {str: str.__str__, int: int.__pos__, float: float.__pos__}
LIBRARIES = tuple({"<", *map(get_path, ("stdlib", "platstdlib", "purelib", "platlib"))})  # where their files are
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
ASKING = (*VIEWS, MappingProxyType, MethodType, partial)  # whose words are those of others


@dataclass(eq=False, slots=True)
class Held:
    """One element of a watched container, or one attribute.

    raw    the object itself; for one that must not be kept, its Shadow
    flat   its copy; see `crashlab.watch.things`
    by     the number of the event that brought it
    came   the number of the event that brought its key
    """

    raw: Any
    flat: Any
    by: int
    came: int = NOTHING


@dataclass(eq=False, slots=True)
class Shadow:
    """What is known of one thing, or of an object that is only told in words.

    get    the object, or None if it is gone
    held   its elements: a list for a row, else by key; an array has all of it at `...`, and cells only by their events
    changed the number of the event that changed it last
    refs   how many variables and contents hold it
    place  the number by which Python knew the object while it was there
    """

    what: Thing | Words
    get: Callable[[], Any]
    base: type  # whose methods read it
    held: Any = None
    changed: int = NOTHING
    refs: int = 0
    place: int = 0

    @property
    def flat(self) -> Contents:
        """A copy of its contents."""
        if isinstance(self.what, Thing) and self.what.kind is ThingKind.ARRAY:
            return self.held[...].flat
        return [*map(FLAT, self.held)] if type(self.held) is list else {key: one.flat for key, one in self.held.items()}

    def is_still(self) -> bool:
        """Return whether it holds the very objects that it held."""
        made, held, base = self.get(), self.held, self.base
        if type(self.what) is Words or made is None:
            return True
        if base is list:
            return list.__len__(made) == len(held) and all(map(is_, list.__iter__(made), map(RAW, held)))
        if base is dict or base is object:
            new, is_key = (made, is_) if base is dict else (attributes(made), eq)
            if dict.__len__(new) != len(held) or not all(map(is_key, dict.__iter__(new), held)):
                return False
            return all(map(is_, dict.values(new), map(RAW, held.values())))
        new = contents(made, base)
        if base not in WALKS:
            return bool(new == held[...].raw)
        raw = [*map(RAW, held if type(held) is list else held.values())]
        old = [*held, *raw] if base is OrderedDict else raw
        return len(new) == len(old) and all(map(is_, new, old))

    def is_still_at(self, key: Any) -> bool:
        """Return whether a list or dict holds the same object at a key, and as many; ABSENT is anywhere."""
        if key is ABSENT or type(self.what) is Words:
            return self.is_still()
        made, held = self.get(), self.held
        if len(made) != len(held):
            return False
        if self.base is dict:
            return key in held and made.get(key, ABSENT) is held[key].raw
        return type(key) is int and -len(held) <= key < len(held) and made[key] is held[key].raw


def is_known(value: Any, raw: Any) -> bool:
    """Whether this is the object that was kept, or the one of a shadow."""
    return value is raw or type(raw) is Shadow and value is not None and raw.get() is value


def is_array(value: Any) -> bool:
    """Whether it is an array of NumPy whose cells are numbers, and not objects."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and issubclass(type(value), numpy.ndarray) and not value.dtype.hasobject


def is_number(value: Any) -> bool:
    """Whether it is a number of NumPy."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and issubclass(type(value), numpy.number | numpy.bool_)


def contents(made: Any, base: type) -> list[Any]:
    """What a thing holds now, keys before values."""
    if base is OrderedDict:
        order = ordered(made)
        values = dict(zip(map(id, dict.__iter__(made)), dict.values(made), strict=True))
        return [*order, *(values[id(key)] for key in order)]
    if base is dict:
        pairs = list(dict.items(made))  # in one step, because another thread may change it
        return [*(key for key, _ in pairs), *(value for _, value in pairs)]
    if base is object:
        found = attributes(made)
        return [*found, *found.values()]
    while base in WALKS:
        try:
            return list(WALKS[base](made))
        except RuntimeError:  # another thread has changed it meanwhile
            continue
    return [made.tobytes(), made.shape, made.dtype.str]


def ordered(made: Any) -> list[Any]:
    """The keys of an OrderedDict in their order, as far as that can be had without a method of the program's."""
    keys = list(dict.__iter__(made))
    return list(OrderedDict.__iter__(made)) if all(map(is_plain, keys)) else keys


def attribute(made: object, name: str) -> Any:
    """An attribute of an object, without asking its class; or ABSENT."""
    found = instance_dict(made)
    if found is not None and name in found:
        return found[name]
    has_slots = any("__slots__" in vars(cls) for cls in type(made).__mro__)
    return attributes(made).get(name, ABSENT) if has_slots else ABSENT


def in_class(kind: type, name: str) -> Any:
    """What a class has by a name; or ABSENT."""
    return next((vars(cls)[name] for cls in kind.__mro__ if name in vars(cls)), ABSENT)


def attributes(made: Any) -> dict[str, Any]:
    """The attributes of an object, without asking its class; of a class its data."""
    if issubclass(type(made), type):
        own = {} if issubclass(made, tuple | Enum) or "__dataclass_fields__" in vars(made) else vars(made)
        return {name: value for name, value in own.items() if type(value) in DATA and not name.startswith("__")}
    found = dict(instance_dict(made) or {})
    for cls in type(made).__mro__:
        names = cls.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            slot = cls.__dict__.get(f"_{cls.__name__.lstrip('_')}{name}" if name.startswith("__") else name)
            if isinstance(slot, MemberDescriptorType):
                try:
                    found.setdefault(name, slot.__get__(made))
                except AttributeError:  # it has not been given a value yet
                    continue
    return found


def instance_dict(made: object) -> dict[str, Any] | None:
    """Its `__dict__`, if it has one."""
    try:
        found = object.__getattribute__(made, "__dict__")
    except AttributeError:
        return None
    return found if isinstance(found, dict) else None


def same(one: object, other: object) -> bool:
    """Whether two flat values are the same value of the same type; not a number is itself."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if type(one) in PLAIN or isinstance(one, Words):
        return bool(one == other or one != one and other != other)
    return False


@dataclass(frozen=True, slots=True)
class KeyChange:
    """One change in a thing: at which key, from what to what."""

    key: Any
    before: Any
    after: Any


def alike(new: list[Any], held: list[Held], but: int) -> int:
    """Return how many elements are the same from the beginning, when the last ones of either do not count."""
    most = min(len(new), len(held)) - but
    pairs = zip(range(most), new, held, strict=False)
    return next((n for n, value, one in pairs if value is not one.raw and not is_known(value, one.raw)), most)


def moved(old: list[Any], new: list[Any]) -> list[Any]:
    """The keys that have to be taken out and put behind all others, one by one, so that the order is the new one."""
    known, rest = set(old), iter(old)
    order = [key for key in new if key in known]
    stays = list(takewhile(lambda key: key in rest, order))
    return order[len(stays) :]


def in_order(keys: list[Any], is_set: bool) -> list[Any]:
    """Keys in an order that is the same each time; that of a set depends on chance."""
    return sorted(keys, key=things.by_words) if is_set else keys


class Shadows:
    """All things that watched variables lead to, and their contents."""

    def __init__(
        self, opens: Callable[[type], bool], count: Callable[[], int], runs: Callable[[CodeType, dict[str, Any]], bool]
    ) -> None:
        self.opens = opens  # whether objects of a class are looked into
        self.runs = runs  # whether all that code does is noticed while it does it
        self.count = count  # of events: the number of the next one
        self.by_id: dict[int, Shadow] = {}
        self.of: dict[Thing | Words, Shadow] = {}
        self.met: dict[int, dict[Thing, Contents]] = {}  # things as they were when met, by the next event's number
        self.made = 0
        self._left: list[Thing | Words] = []  # what is held by one less
        self._todo: list[Shadow] = []  # things whose contents are not read yet

    def flat(self, value: Any) -> Any:
        """A value as it is kept; what is met first is brought by the next event."""
        found = self._flat(value, 0)
        while self._todo:  # not by recursion: a chain of objects can be long
            shadow = self._todo.pop()
            self._read(shadow)
            assert isinstance(shadow.what, Thing)
            self.met.setdefault(self.count(), {})[shadow.what] = shadow.flat.copy()
        return found

    def hold(self, value: object) -> None:
        """A flat value is held by one more."""
        for part in things.held(value):
            self.of[part].refs += 1

    def leave(self, value: object) -> None:
        """A flat value is held by one less; what nobody holds is forgotten at the next `tidy`."""
        self._left += things.held(value)

    def tidy(self) -> None:
        """Forget what nobody holds: not before all of a statement is seen, which may only have moved it."""
        gone, self._left = self._left, []
        while gone:
            shadow = self.of.get(gone.pop())
            if shadow is None:
                continue
            shadow.refs -= 1
            if shadow.refs <= 0:
                del self.of[shadow.what]
                if self.by_id.get(shadow.place) is shadow:  # else it is gone, and its place is another's already
                    del self.by_id[shadow.place]
                for each in inside(shadow):
                    gone += things.held(each)

    def forget(self, thing: Thing) -> None:
        """Nothing is known of a thing any more; met again, it is another one."""
        if thing in self.of:
            self.of[thing].refs = 1
            others = self._left
            self._left = [thing]
            self.tidy()
            self._left = others

    def kept(self, value: Any, flat: object) -> Any:
        """What to know a value by later: itself, or its shadow where keeping it would be noticed."""
        if type(flat) is Thing or type(flat) is Words:
            shadow = self.of[flat]
            return shadow if isinstance(shadow.get, ref) else value
        return value if flat is value else flat

    def changes(self, shadow: Shadow, at: int | None = None) -> Iterator[KeyChange]:
        """What has changed in a thing, one after the other; the shadow knows it when the next is asked for.

        In a list nothing has come or gone before the index `at`, if that is known.
        """
        made = shadow.get()
        new = contents(made, shadow.base)
        assert isinstance(shadow.what, Thing)
        if shadow.what.kind is ThingKind.ROW:
            yield from self._row(shadow.held, new, at)
        elif shadow.what.kind is ThingKind.ARRAY:
            yield from self._array(shadow, plain_array(made), new)
        else:
            yield from self._keyed(shadow, new)

    def change_at(self, shadow: Shadow, key: Any) -> Iterator[KeyChange]:
        """What has changed in an exact list or dict, if it is at most what is at a key."""
        made, held = shadow.get(), shadow.held
        try:
            value = made[key]
        except (LookupError, TypeError):  # it is gone, or never came
            key = value = ABSENT
        is_new = shadow.base is dict and key not in held
        if len(made) != len(held) + is_new or shadow.base is not dict and type(key) is not int or key is ABSENT:
            yield from self.changes(shadow)
            return
        if shadow.base is list and key < 0:
            key += len(held)
        after = self.flat(value)
        if is_new:
            held[key] = Held(ABSENT, ABSENT, NOTHING, self.count())
        if is_new or not same(held[key].flat, after):
            yield self._exchange(held, key, value, after)
        else:
            held[key].raw = self.kept(value, after)

    def _row(self, held: list[Held], new: list[Any], at: int | None) -> Iterator[KeyChange]:
        """Yield what has changed, come or gone: all that is not the same at the beginning and at the end."""
        first = alike(new, held, 0)
        first = first if at is None else min(first, at)
        behind = alike(new[::-1], held[::-1], first)
        end = len(held) - behind
        fresh = new[first : len(new) - behind]
        for key, value in enumerate(fresh[: end - first], first):
            after = self.flat(value)
            if not same(held[key].flat, after):
                yield self._exchange(held, key, value, after)
            else:
                held[key].raw, held[key].flat = self.kept(value, after), after
        for _ in range(end - first - len(fresh)):
            key = first + len(fresh)
            old = held.pop(key).flat
            self.leave(old)
            yield KeyChange(key, old, ABSENT)
        for key, value in enumerate(fresh[end - first :], end):
            after = self.flat(value)
            self.hold(after)
            held.insert(key, Held(self.kept(value, after), after, self.count()))
            yield KeyChange(key, ABSENT, after)

    def _exchange(self, held: Any, key: Any, value: Any, after: object) -> KeyChange:
        """Put another value at a key of a list or dict."""
        one, old = held[key], held[key].flat
        self.hold(after)
        self.leave(old)
        one.raw, one.flat, one.by = self.kept(value, after), after, self.count()
        return KeyChange(key, old, after)

    def _keyed(self, shadow: Shadow, new: list[Any]) -> Iterator[KeyChange]:
        """Yield what has gone, what has changed, what has come."""
        assert isinstance(shadow.what, Thing)
        kind, held = shadow.what.kind, shadow.held
        is_set, is_map = kind is ThingKind.SET, kind is ThingKind.MAP
        half = len(new) if is_set else len(new) // 2
        keys = map(Attribute if kind is ThingKind.OBJECT else self.flat, new[:half])
        now = dict(zip(keys, new[:half] if is_set else new[half:], strict=True))
        for key in in_order([key for key in held if key not in now], is_set):
            old = held.pop(key).flat
            yield KeyChange(key, old, ABSENT)
            self.leave(old)
            self.leave(key if is_map else ABSENT)
        for key in moved(list(held), list(now)) if is_map else ():
            one = held.pop(key)
            yield KeyChange(key, one.flat, ABSENT)
            held[key] = Held(one.raw, one.flat, self.count(), self.count())
            yield KeyChange(key, ABSENT, one.flat)
        for key in in_order([key for key in now if key not in held], is_set) + [key for key in now if key in held]:
            after, one = key if is_set else self.flat(now[key]), held.get(key)
            if one is None or not same(one.flat, after):
                self.hold(key if is_map and one is None else ABSENT)
                self.hold(after)
                held[key] = Held(ABSENT, after, self.count(), self.count() if one is None else one.came)
                yield KeyChange(key, ABSENT if one is None else one.flat, after)
                self.leave(ABSENT if one is None else one.flat)
            one = held[key]
            one.flat, one.raw = after, self.kept(now[key], after)  # perhaps another object that is the same
        shadow.held = {key: held[key] for key in now}

    def _array(self, shadow: Shadow, made: Any, new: list[Any]) -> Iterator[KeyChange]:
        """The cells that have changed; all of it if they are very many, or if its shape is another one."""
        np = sys.modules["numpy"]
        whole = shadow.held[...]
        old, whole.flat, whole.raw = whole.flat, made, new
        if old.shape == made.shape and old.dtype == made.dtype:
            size = made.dtype.itemsize
            before, after = (np.frombuffer(one.tobytes(), np.uint8).reshape(-1, size) for one in (old, made))
            places = np.flatnonzero((before != after).any(axis=1))
            if len(places) <= MANY:
                for place in places:
                    index = tuple(int(part) for part in np.unravel_index(place, made.shape))
                    key = index[0] if len(index) == 1 else index
                    shadow.held[key] = Held(ABSENT, ABSENT, self.count())
                    yield KeyChange(key, old[index].item(), made[index].item())
                return
        shadow.held = {...: Held(new, made, self.count())}
        yield KeyChange(..., old, made.copy())

    def _flat(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in PLAIN:
            return value
        if issubclass(kind, KEPT):
            if not asks(kind, *COMPARED):
                return value
            if not issubclass(kind, Enum):
                bases = (plainly for base, plainly in PLAINLY.items() if issubclass(kind, base))
                value = next(bases, lambda own: own)(value)  # of a class with methods of its own a plain one
                if type(value) in PLAIN:
                    return value
        if issubclass(kind, tuple):
            if depth > DEEP:
                return things.TOO_DEEP
            parts = [self._flat(part, depth + 1) for part in tuple.__iter__(value)]
            if asks(kind, *COMPARED):
                return tuple(parts)
            return value if all(map(is_, parts, tuple.__iter__(value))) else tuple.__new__(kind, parts)
        if is_frozen(value):
            return value
        known = self.by_id.get(id(value))
        return known.what if known is not None and known.get() is value else self._meet(value)

    def _meet(self, value: Any) -> Thing | Words:
        """An object that is met first."""
        self.made += 1
        base, kind = self._sort(value)
        name = f"class {value.__name__}" if issubclass(type(value), type) else type(value).__name__
        name = "deque" if kind is ThingKind.ROW and base is deque else name
        what = Words(words(value), self.made) if kind is None else Thing(self.made, kind, name)
        shadow = self.by_id[id(value)] = self.of[what] = Shadow(what, lambda: value, base, place=id(value))
        with suppress(TypeError):
            shadow.get = ref(value)
        if kind is not None:
            self._todo.append(shadow)
        return what

    def _sort(self, value: Any) -> tuple[type, ThingKind | None]:
        """By which methods it is read, and what kind of thing it is; no kind if it is not looked into."""
        for base, kind in KINDS.items():
            if issubclass(type(value), base):
                return base, kind if len(list(WALKS[base](value))) <= LARGE else None
        if is_array(value):
            return type(value), ThingKind.ARRAY if value.size <= LARGE else None
        return object, ThingKind.OBJECT if self.opens(type(value)) or self.opens_class(value) else None

    def opens_class(self, value: Any) -> bool:
        """Return whether a value is a class that is looked into: one with data."""
        return type(value) is type and self.opens(value) and bool(attributes(value))

    def _read(self, shadow: Shadow) -> None:
        """Read all that a thing holds."""
        number = shadow.changed = self.count()
        assert isinstance(shadow.what, Thing)
        made = shadow.get()
        raw = contents(made, shadow.base)
        kind = shadow.what.kind
        if kind is ThingKind.ARRAY:
            shadow.held = {...: Held(raw, plain_array(made), number)}
            return
        flat = [self._flat(value, 0) for value in raw]
        for value in flat:
            self.hold(value)
        held = [Held(self.kept(*pair), pair[1], number, number) for pair in zip(raw, flat, strict=True)]
        half = len(flat) if kind is ThingKind.SET else len(flat) // 2
        keys = map(Attribute, flat[:half]) if kind is ThingKind.OBJECT else flat[:half]
        shadow.held = held if kind is ThingKind.ROW else dict(zip(keys, held[-half:] if half else (), strict=True))


def is_plain(value: Any) -> bool:
    """Whether it is kept as it is."""
    return type(value) in PLAIN or is_frozen(value)


def is_frozen(value: Any) -> bool:
    """Whether it is a value that never changes, of a kind that can say so, as a frozen dataclass."""
    if type(value) in (frozenset, tuple):
        return all(map(is_plain, value))
    parameters = type(value).__dict__.get("__dataclass_params__")
    if parameters is not None and getattr(parameters, "frozen", False) and not asks(type(value), *COMPARED):
        return all(map(is_plain, attributes(value).values()))
    numpy = sys.modules.get("numpy")
    return numpy is not None and issubclass(type(value), numpy.generic)


def asks(kind: type, *methods: str) -> bool:
    """Whether one of these methods of a class is written in Python by somebody else than its library."""
    for name in methods:
        made = in_class(kind, name)
        if type(made) is FunctionType and not made.__code__.co_filename.startswith(LIBRARIES):
            return True
    return False


def args_of(error: BaseException) -> tuple[Any, ...]:
    """The arguments of an exception, without asking its class."""
    found: tuple[Any, ...] = vars(BaseException)["args"].__get__(error)
    return found


def speaks(error: Any) -> bool:
    """Whether an exception says its arguments, and nothing that the program would have to find."""
    is_own = isinstance(error, BaseException) and not asks(type(error), "__str__", "__repr__")
    return is_own and all(map(is_plain, args_of(error)))


def words(value: Any) -> str:
    """What an object says of itself, of a function or a class the name; no method of the program is run."""
    kind = type(value)
    if kind in (FunctionType, BuiltinFunctionType, type):
        return printable(cut(value.__name__.strip("<>"), things.LETTERS))
    if issubclass(kind, Enum) and asks(kind, *COMPARED):
        return f"{kind.__name__}.{(instance_dict(value) or {}).get('_name_', '?')}"
    for base in KINDS:
        if issubclass(kind, base):
            return f"<{kind.__name__} with {counted(sum(1 for _ in WALKS[base](value)), 'element')}>"
    if asks(kind, "__repr__") or issubclass(kind, ASKING):
        return f"<{kind.__name__}>"
    if isinstance(value, BaseException) and not all(map(is_plain, args_of(value))):
        return f"<{kind.__name__}>"
    try:
        return printable(cut(things.ADDRESS.sub("", repr(value)), things.LETTERS))
    except Exception:  # its own class does not want to
        return f"<{type(value).__name__}>"


def plain_array(made: Any) -> Any:
    """A copy of an array that is nothing but an array."""
    return sys.modules["numpy"].array(made, copy=True, subok=False)


def inside(shadow: Shadow) -> Iterable[Any]:
    """All flat values in a thing, with its keys."""
    if isinstance(shadow.what, Words) or shadow.what.kind is ThingKind.ARRAY:
        return ()
    if shadow.what.kind in (ThingKind.ROW, ThingKind.SET):
        return list(shadow.flat)
    return [*shadow.flat, *shadow.flat.values()]
