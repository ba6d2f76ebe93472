"""Checks of JSON from files that users may have changed."""

from typing import Any

from crashlab.base.errors import MOST, as_float, integer, short_repr

COUNT, WHOLE = range(MOST + 1), range(-MOST, MOST + 1)
KINDS = {str: "a text", bool: "True or False", dict: "a table"}


def misfit(value: object, shape: Any, name: str = "it") -> str:
    """Describe the misfit of a value, such as "rating is inf: it must be a finite number"; empty if it fits.

    A shape is one of KINDS; float, for a number up to MOST; a range of whole numbers; [shape] for a list; {str: shape}
    for a table with any keys; or a table of shapes by key, where a key that ends in "?" may be missing.
    """
    if isinstance(shape, dict | list):
        if not isinstance(value, type(shape)):
            return f"{name} is {short_repr(value)}: it must be {'a list' if isinstance(shape, list) else KINDS[dict]}"
        return parts_misfit(value, shape, name)
    if shape is float:
        fits, requirement = abs(as_float(value)) <= MOST, "a finite number"
    elif isinstance(shape, range):
        number = integer(value)
        fits = number is not None and number in shape
        requirement = f"a whole number from {shape[0]} to {shape[-1]}"
    else:
        fits, requirement = isinstance(value, shape), KINDS[shape]
    return "" if fits else f"{name} is {short_repr(value)}: it must be {requirement}"


def parts_misfit(value: Any, shape: Any, name: str) -> str:
    """Describe the first part of a list or table that does not fit, or the missing keys; empty if all fit."""
    if isinstance(shape, list):
        parts = [(one, shape[0], f"{name}[{place}]") for place, one in enumerate(value)]
    elif str in shape:
        parts = [(one, shape[str], f"{name}[{short_repr(key)}]") for key, one in value.items()]
    else:
        if missing := [key for key in shape if key[-1] != "?" and key not in value]:
            return f"{name} lacks {', '.join(missing)}"
        inner = {key.rstrip("?"): one for key, one in shape.items()}
        parts = [(value[key], one, key) for key, one in inner.items() if key in value]
    return next(filter(None, (misfit(*part) for part in parts)), "")
