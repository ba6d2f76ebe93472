"""What a function refers to outside of itself, and all that it can call: by that it is known whether it has changed."""

import hashlib
import types
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any


def used(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """The globals that a function refers to, builtins and names of attributes left out."""
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield name, function.__globals__[name]


def said(value: object) -> str:
    """What a name stands for, in words that change with it."""
    if isinstance(value, types.FunctionType):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value) if isinstance(value, int | tuple) else type(value).__name__


def everything(rules: Any, doors: Container[Callable[..., Any]], *functions: Callable[..., Any]) -> set[Any]:
    """All functions that these can call, themselves included, but for the doors of tables."""
    reached: set[Any] = set()
    waiting = list(functions)
    while waiting:
        here = waiting.pop()
        if here in reached or here in doors:
            continue
        reached.add(here)
        for name, value in used(here):
            names = here.__code__.co_names if name == "rules" else ()
            called = [getattr(rules, rule, None) for rule in names] or [value]
            waiting += [each for each in called if isinstance(each, types.FunctionType)]
    return reached


def told_of(functions: Iterable[Any]) -> Iterator[str]:
    """All that makes functions what they are, in an order of its own."""
    for each in sorted(functions, key=lambda each: (each.__module__, each.__qualname__)):
        yield each.__qualname__
        yield from told_of_code(each.__code__)
        yield repr(each.__defaults__)
        yield from (f"{name} {said(value)}" for name, value in used(each))


def told_of_code(code: types.CodeType) -> Iterator[str]:
    """All that makes up code, the same in every process: so no address, and sets in an order of their own."""
    yield from (code.co_code.hex(), repr(code.co_names), repr(code.co_varnames))
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            yield from told_of_code(value)
        else:
            yield repr(sorted(map(repr, value)) if isinstance(value, frozenset) else value)


def fingerprint(parts: Iterable[str]) -> str:
    """What tells these parts from all others."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:24]
