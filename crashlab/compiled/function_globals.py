"""What a function refers to outside of itself, by which it is known whether it has changed."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
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
