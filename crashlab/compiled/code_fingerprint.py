"""Fingerprints of functions: their code, their globals and all functions that they can call."""

import hashlib
import types
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any


def used(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """Yield the globals that a function refers to, as (name, value); builtins and attributes are left out."""
    for name in function.__code__.co_names:
        if name in function.__globals__:
            yield name, function.__globals__[name]


def records(function: Callable[..., Any]) -> dict[str, tuple[str, ...]]:
    """Return the fields of each parameter that is annotated as a record, a NamedTuple."""
    return {name: hint._fields for name, hint in function.__annotations__.items() if hasattr(hint, "_fields")}


def said(value: object) -> str:
    """Return a text that identifies a value: a function's name, the repr of ints and tuples, or a type."""
    if isinstance(value, types.FunctionType):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value) if isinstance(value, int | tuple) else type(value).__name__


def everything(rules: Any, doors: Container[Callable[..., Any]], *functions: Callable[..., Any]) -> set[Any]:
    """Return all functions that `functions` can reach, themselves included; `doors` of tables are left out."""
    functions_and_values: set[Any] = set()
    waiting = list(functions)
    while waiting:
        here = waiting.pop()
        if here in functions_and_values or here in doors:
            continue
        functions_and_values.add(here)
        for name, value in used(here):
            names = here.__code__.co_names if name == "rules" else ()
            called = [getattr(rules, rule, None) for rule in names] or [value]
            waiting += [function for function in called if isinstance(function, types.FunctionType)]
    return functions_and_values


def told_of(functions: Iterable[Any]) -> Iterator[str]:
    """Yield the texts that identify functions by their code, in a fixed order."""
    for function in sorted(functions, key=lambda function: (function.__module__, function.__qualname__)):
        yield function.__qualname__
        yield from told_of_code(function.__code__)
        yield repr((function.__defaults__, records(function)))
        yield from (f"{name} {said(value)}" for name, value in used(function))


def told_of_code(code: types.CodeType) -> Iterator[str]:
    """Yield the texts that identify a code object, equal in every process: no addresses, sets sorted."""
    yield from (code.co_code.hex(), repr(code.co_names), repr(code.co_varnames))
    for value in code.co_consts:
        if isinstance(value, types.CodeType):
            yield from told_of_code(value)
        else:
            yield repr(sorted(map(repr, value)) if isinstance(value, frozenset) else value)


def fingerprint(parts: Iterable[str]) -> str:
    """Return a hash of these parts, in 24 hexadecimal digits."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:24]
