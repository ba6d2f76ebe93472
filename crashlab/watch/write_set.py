"""Which things the statement that runs next may change, so that not all of them need to be looked at.

Only exact lists, dicts and the like are trusted to do what they are known for. What cannot be told is not guessed: then
everything is looked at.
"""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crashlab.watch.heap import ABSENT
from crashlab.watch.snapshots import PLAIN, Shadow, Shadows, instance_dict, is_plain
from crashlab.watch.statements import Statement

FIXED = frozenset({*PLAIN, tuple, frozenset})  # nothing that is done with them changes anything
QUIET = frozenset({list, dict, deque, set, bytearray})  # looking something up in them changes nothing, either
CONTAINERS = frozenset({*QUIET, defaultdict, OrderedDict, Counter})
Spot = tuple[Shadow, Any]  # a thing, and the only key at which it may change; ABSENT if it may anywhere


@dataclass(frozen=True, slots=True)
class Values:
    """What the variables that a statement sees hold."""

    own: Mapping[str, Any]
    shared: Mapping[str, Any]

    def get(self, name: str) -> Any:
        """The value of a variable, or ABSENT."""
        found = self.own.get(name, ABSENT)
        return self.shared.get(name, ABSENT) if found is ABSENT else found


def touched(statement: Statement, values: Values, shadows: Shadows) -> list[Spot] | None:
    """What a statement may change in place, by the values of its variables before it runs; None if it may anything."""
    if statement.touches is None:
        return None
    spots: list[Spot] = []
    for touch in statement.touches:
        made = found(touch.place, values)
        kind = type(made)
        if kind in FIXED or touch.is_read and kind in QUIET:
            continue
        if kind not in CONTAINERS and (made is ABSENT or not shadows.opens(kind)):
            return None
        shadow = shadows.by_id.get(id(made))
        if shadow is not None:
            key = found(touch.key, values) if touch.key is not None and kind in (list, dict) else ABSENT
            spots.append((shadow, key if is_plain(key) else ABSENT))
    return spots


def found(place: ast.expr, values: Values) -> Any:
    """The object at a place, as far as nothing has to be called for it; else ABSENT."""
    if isinstance(place, ast.Name):
        return values.get(place.id)
    if isinstance(place, ast.Constant):
        return place.value
    if isinstance(place, ast.Attribute):
        return (instance_dict(found(place.value, values)) or {}).get(place.attr, ABSENT)
    if isinstance(place, ast.Tuple):
        parts = [found(part, values) for part in place.elts]
        return ABSENT if any(part is ABSENT for part in parts) else tuple(parts)
    if isinstance(place, ast.BinOp) and isinstance(place.op, ast.Add | ast.Sub):
        left, right = found(place.left, values), found(place.right, values)
        if type(left) is int and type(right) is int:
            return left + right if isinstance(place.op, ast.Add) else left - right
    if isinstance(place, ast.Subscript):
        made, key = found(place.value, values), found(place.slice, values)
        if type(made) in (list, tuple) and type(key) is int and -len(made) <= key < len(made):
            return made[key]
        if type(made) is dict and is_plain(key):
            return made.get(key, ABSENT)
    return ABSENT
