"""Why something changed: which earlier event explains it best. Only what is kept of a run is looked at."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import add, floordiv, mod, mul, sub
from typing import Any

from crashlab.watch.heap import ABSENT, Kind, Thing
from crashlab.watch.snapshots import Shadow, Shadows, same
from crashlab.watch.statements import Rank, Statement

NOTHING = -1  # the number of no event
SUMS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.FloorDiv: floordiv,
    ast.Mod: mod,
}


@dataclass(eq=False)
class Scope:
    """The watched variables of one call.

    flat   what they hold; see `crashlab.watch.heap`
    raw    the same as the objects themselves, or their Shadows
    last   the numbers of the events that changed them last
    """

    number: int
    flat: dict[str, Any] = field(default_factory=dict)
    raw: dict[str, Any] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)


Variable = tuple[str, Scope]  # a name, and whose variable it is
Keys = tuple[Any, ...]


Names = dict[str, Scope]  # whose variable each name is that a call sees


@dataclass(eq=False)
class Sight:
    """What a call sees: where its watched variables are, and the plain values of those that are not, as keys."""

    names: dict[str, Scope] = field(default_factory=dict)
    keys: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Reason:
    """An event that may explain what a statement changed.

    value   what it brought
    thing   the thing that was read, whose own change this does not explain
    """

    event: int
    rank: Rank
    value: Any
    thing: object


@dataclass
class Reasons:
    """All that may explain what a statement changes."""

    read: list[Reason] = field(default_factory=list)
    gone: list[tuple[Any, int]] = field(default_factory=list)  # what left a container, and the event that put it there
    returned: int = NOTHING  # why the function called last returned what it did
    arguments: int = 0  # events before this one are arguments, at which a chain ends

    def best(self, value: object, thing: object = None) -> int:
        """The event that explains best that this value came, into this thing; see `Film.why` for the order."""
        read = [one for one in self.read if thing is None or one.thing is not thing or one.rank is Rank.PLACE]
        told = [reason for reason in read if reason.event >= self.arguments]
        places = [reason for reason in told if reason.rank is Rank.PLACE]
        if places:
            equal = [reason for reason in places if same(reason.value, value)]
            return max(reason.event for reason in equal or places)
        put = [event for left, event in self.gone if event >= 0 and holds(left, value)]
        if put:
            return put[-1]
        if self.returned >= 0:
            return self.returned
        for reasons in (
            [reason for reason in told if reason.rank is Rank.NAME],
            [reason for reason in told if reason.rank is Rank.KEY],
            read,
            self.read,
        ):
            if reasons:
                return max(reason.event for reason in reasons)
        return NOTHING


def holds(left: object, value: object) -> bool:
    """Whether a value is what left a container, or a part of it."""
    return same(left, value) or isinstance(left, tuple) and any(holds(part, value) for part in left)


def reasons(statement: Statement, sight: Sight, shadows: Shadows, arguments: int) -> Reasons:
    """What a statement reads, with the events that brought it; looked up before anything that it changes is noticed."""
    found = Reasons(arguments=arguments)
    for read in statement.reads:
        value, event, thing = looked_up(read.place, sight, shadows)
        if event >= 0:
            found.read.append(Reason(event, read.rank, value, thing))
    return found


def looked_up(place: ast.expr, sight: Sight, shadows: Shadows) -> tuple[Any, int, object]:
    """What is in a variable, or at a key of something: its flat value, the event that brought it, the thing it is in.

    For a variable that holds a thing the event is the last that changed it or something in the thing, and the thing is
    this one.
    """
    if isinstance(place, ast.Name):
        scope = sight.names.get(place.id)
        if scope is None:
            return sight.keys.get(place.id, ABSENT), NOTHING, None
        if place.id not in scope.flat:
            return ABSENT, NOTHING, None
        value = scope.flat[place.id]
        shadow = shadows.of.get(value) if type(value) is Thing else None
        return value, max(scope.last[place.id], shadow.latest if shadow else NOTHING), value if shadow else None
    if isinstance(place, ast.Subscript | ast.Attribute):
        holder, _, _ = looked_up(place.value, sight, shadows)
        key = place.attr if isinstance(place, ast.Attribute) else known(place.slice, sight, shadows)
        if isinstance(holder, tuple) and isinstance(key, int) and -len(holder) <= key < len(holder):
            return holder[key], NOTHING, None
        if type(holder) is Thing and holder in shadows.of and key is not ABSENT:
            if isinstance(place, ast.Attribute) == (holder.kind is Kind.OBJECT):
                return element(shadows.of[holder], key)
    return ABSENT, NOTHING, None


def element(shadow: Shadow, key: Any) -> tuple[Any, int, object]:
    """What is at a key of a thing, the event that brought it, and the thing."""
    assert isinstance(shadow.what, Thing)
    kind = shadow.what.kind
    try:
        if kind is Kind.ROW:
            return shadow.flat[key], shadow.last[key], shadow.what
        if kind is Kind.ARRAY:
            return shadow.flat[key], shadow.last.get(key, shadow.last[...]), shadow.what
        return shadow.flat[key], shadow.last[key], shadow.what
    except (KeyError, IndexError, TypeError):
        return ABSENT, NOTHING, None


def known(key: ast.expr, sight: Sight, shadows: Shadows) -> Any:
    """The flat value of a key that is made of variables, numbers and sums of them; ABSENT of any other."""
    if isinstance(key, ast.Constant):
        return key.value
    if isinstance(key, ast.Tuple):
        parts = [known(part, sight, shadows) for part in key.elts]
        return ABSENT if any(part is ABSENT for part in parts) else tuple(parts)
    if isinstance(key, ast.UnaryOp) and isinstance(key.op, ast.USub):
        number = known(key.operand, sight, shadows)
        return -number if type(number) is int else ABSENT
    if isinstance(key, ast.BinOp) and type(key.op) in SUMS:
        left, right = known(key.left, sight, shadows), known(key.right, sight, shadows)
        if type(left) is not int or type(right) is not int or max(abs(left), abs(right)) > 1 << 64:
            return ABSENT
        return SUMS[type(key.op)](left, right) if right or type(key.op) in (ast.Add, ast.Sub, ast.Mult) else ABSENT
    return looked_up(key, sight, shadows)[0]


def path_to(thing: Thing, variables: Sequence[Variable], shadows: Shadows) -> tuple[str, Scope, Keys] | None:
    """The first of some variables that holds a thing, or else the first that leads to it, and the keys on the way."""
    for name, scope in variables:
        if scope.flat.get(name) is thing:
            return name, scope, ()
    for name, scope in variables:
        found = way(scope.flat.get(name), thing, shadows)
        if found is not None:
            return name, scope, found
    return None


def way(value: object, thing: Thing, shadows: Shadows) -> Keys | None:
    """The shortest way of keys from a flat value to a thing in it."""
    todo: list[tuple[Keys, object]] = [((), value)]
    seen: set[object] = set()
    for keys, here in todo:  # it grows
        if here is thing:
            return keys
        if here not in seen:
            seen.add(here)
            todo += [((*keys, key), part) for key, part in parts_of(here, shadows)]
    return None


def parts_of(value: object, shadows: Shadows) -> Iterator[tuple[Any, object]]:
    """What is in a flat value and may lead further, with its keys."""
    if type(value) is Thing:
        shadow = shadows.of.get(value)
        if shadow is None or value.kind in (Kind.ARRAY, Kind.SET):
            return
        held = enumerate(shadow.flat) if value.kind is Kind.ROW else shadow.flat.items()
        yield from ((key, part) for key, part in held if type(part) is Thing or isinstance(part, tuple))
    elif isinstance(value, tuple):
        yield from ((key, part) for key, part in enumerate(value) if type(part) is Thing or isinstance(part, tuple))
