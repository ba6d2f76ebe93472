"""The things that the next statement may change, so that only these are compared.

Only exact lists, dicts and other standard containers are trusted to behave as documented. If the answer is uncertain,
everything is compared.
"""

import ast
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Mapping
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

from crashlab.watch.snapshots import GENERATED, PLAIN, VIEWS, Shadow, Shadows, attribute, in_class, is_plain
from crashlab.watch.statements import Statement
from crashlab.watch.things import ABSENT

FIXED = frozenset({*PLAIN, tuple, frozenset, *VIEWS})  # no operation on these changes anything
QUIET = frozenset({list, dict, deque, set, bytearray})  # a lookup in these changes nothing
# Modules whose functions change only their first argument.
QUIET_MODULES = frozenset({"math", "heapq", "_heapq", "bisect", "_bisect", "random"})
CONTAINERS = frozenset({*QUIET, defaultdict, OrderedDict, Counter})
Values = Mapping[str, Any]  # the values of the variables that a statement can read
Writable = tuple[Shadow, Any]  # a thing and the only key that may change; ABSENT if any may


def touched(statement: Statement, values: Values, shadows: Shadows) -> list[Writable] | None:
    """Return the things that a statement may change, judged before it runs; None if it may change anything."""
    if statement.touches is None:
        return None
    spots: list[Writable] = []
    for touch in statement.touches:
        if touch.is_called:
            if not is_noticed(called(touch.place, values), shadows):
                return None
            continue
        obj = object_at(touch.place, values)
        kind = type(obj)
        is_quiet = kind in QUIET or kind is GeneratorType and is_noticed(obj, shadows)
        if kind in FIXED or is_quiet and touch.is_read:
            continue
        if kind not in CONTAINERS and (obj is ABSENT or not shadows.opens(kind)):
            return None
        shadow = shadows.by_id.get(id(obj))
        if shadow is not None:
            is_at_one = touch.key is not None and kind in (list, dict) and not statement.shifts
            key = object_at(touch.key, values) if is_at_one and touch.key is not None else ABSENT
            spots.append((shadow, key if is_plain(key) else ABSENT))
    return spots


def called(place: ast.expr, values: Values) -> Any:
    """Return the object called by a name or an attribute, without running code; ABSENT if it is unknown."""
    if not isinstance(place, ast.Attribute):
        return object_at(place, values)
    obj = object_at(place.value, values)
    if type(obj) is ModuleType:
        return vars(obj).get(place.attr, ABSENT)
    member = attribute(obj, place.attr)
    if member is ABSENT:
        member = in_class(obj if type(obj) is type else type(obj), place.attr)
    return member.__func__ if type(member) in (staticmethod, classmethod) else member


def is_noticed(callee: Any, shadows: Shadows) -> bool:
    """Return whether a call makes only changes that are recorded while it runs, except to its first argument."""
    kind = type(callee)
    if kind is MethodType:
        return type(callee.__self__).__module__ == "random" or is_noticed(callee.__func__, shadows)
    if kind is GeneratorType:
        return shadows.runs(callee.gi_code, callee.gi_frame.f_globals if callee.gi_frame else {})
    if kind is FunctionType:
        return shadows.runs(callee.__code__, callee.__globals__) or callee.__module__ in QUIET_MODULES
    if kind is type:
        makes = in_class(callee, "__init__")
        is_generated = type(makes) is FunctionType and makes.__code__.co_filename == GENERATED and shadows.opens(callee)
        is_known = makes is object.__init__ or is_generated or is_noticed(makes, shadows)
        return callee.__new__ is object.__new__ and is_known
    return kind is BuiltinFunctionType and callee.__module__ in QUIET_MODULES


def object_at(place: ast.expr, values: Values) -> Any:
    """Return the object at a place if no call is needed to find it, else ABSENT."""
    if isinstance(place, ast.Name):
        return values.get(place.id, ABSENT)
    if isinstance(place, ast.Constant):
        return place.value
    if isinstance(place, ast.Attribute):
        return attribute(object_at(place.value, values), place.attr)
    if isinstance(place, ast.Tuple):
        parts = [object_at(part, values) for part in place.elts]
        return ABSENT if any(part is ABSENT for part in parts) else tuple(parts)
    if isinstance(place, ast.BinOp) and isinstance(place.op, ast.Add | ast.Sub):
        left, right = object_at(place.left, values), object_at(place.right, values)
        if type(left) is int and type(right) is int:
            return left + right if isinstance(place.op, ast.Add) else left - right
    if isinstance(place, ast.Subscript):
        container, key = object_at(place.value, values), object_at(place.slice, values)
        if type(container) in (list, tuple) and type(key) is int and -len(container) <= key < len(container):
            return container[key]
        if type(container) is dict and is_plain(key):
            return container.get(key, ABSENT)
    return ABSENT
