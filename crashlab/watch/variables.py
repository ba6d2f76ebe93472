"""The variables visible to a call, and the paths from them to a thing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from crashlab.watch.snapshots import Shadows
from crashlab.watch.things import Thing, ThingKind, elements


@dataclass(eq=False)
class Scope:
    """The watched variables of one call.

    number the number of the call, or GLOBAL
    flat   their values as flat copies; see `crashlab.watch.things`
    raw    the objects themselves, or their Shadows
    """

    number: int
    flat: dict[str, Any] = field(default_factory=dict)
    raw: dict[str, Any] = field(default_factory=dict)


Variable = tuple[str, Scope]  # a name and the scope of its variable
Names = dict[str, Scope]  # the scope of each name visible to a call
Keys = tuple[Any, ...]


def path_to(thing: Thing, variables: Sequence[Variable], shadows: Shadows) -> tuple[str, Scope, Keys] | None:
    """Return the first variable that holds or else leads to a thing, its scope, and the keys to the thing; or None."""
    for name, scope in variables:
        if scope.flat.get(name) is thing:
            return name, scope, ()
    for name, scope in variables:
        keys = way(scope.flat.get(name), thing, shadows)
        if keys is not None:
            return name, scope, keys
    return None


def way(value: object, thing: Thing, shadows: Shadows) -> Keys | None:
    """Return the shortest path of keys from a flat value to a thing in it; None if there is none."""
    todo: list[tuple[Keys, object]] = [((), value)]
    visited: set[object] = set()
    for keys, here in todo:  # todo grows in this loop
        if here is thing:
            return keys
        if here not in visited:
            visited.add(here)
            todo += [((*keys, key), part) for key, part in parts_of(here, shadows)]
    return None


def parts_of(value: object, shadows: Shadows) -> Iterator[tuple[Any, object]]:
    """Yield the keys and parts of a flat value that may lead to a thing."""
    pairs: Iterable[tuple[Any, object]] = enumerate(value) if isinstance(value, tuple) else ()
    if type(value) is Thing and value in shadows.of and value.kind is not ThingKind.SET:
        pairs = elements(value, shadows.of[value].flat)
    return ((key, part) for key, part in pairs if type(part) is Thing or isinstance(part, tuple))
