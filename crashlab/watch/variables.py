"""Whose the variables are that a call sees, and which of them leads to a thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from crashlab.watch.snapshots import Shadows
from crashlab.watch.things import Thing, ThingKind, elements


@dataclass(eq=False)
class Scope:
    """The watched variables of one call.

    flat   what they hold; see `crashlab.watch.things`
    raw    the same as the objects themselves, or their Shadows
    """

    number: int
    flat: dict[str, Any] = field(default_factory=dict)
    raw: dict[str, Any] = field(default_factory=dict)


Variable = tuple[str, Scope]  # a name, and whose variable it is
Names = dict[str, Scope]  # whose variable each name is that a call sees
Keys = tuple[Any, ...]


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
    pairs: Iterable[tuple[Any, object]] = enumerate(value) if isinstance(value, tuple) else ()
    if type(value) is Thing and value in shadows.of and value.kind is not ThingKind.SET:
        pairs = elements(value, shadows.of[value].flat)
    return ((key, part) for key, part in pairs if type(part) is Thing or isinstance(part, tuple))
