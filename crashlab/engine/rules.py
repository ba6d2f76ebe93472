"""The rules of a game as one module, both as written and as played.

A game's `rules.py` reads like its rules. Additional functions for programs can be in files next to it; the defaults for
most games are in `default_rules`.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import FunctionType, ModuleType
from typing import Any

from crashlab.engine import default_rules
from crashlab.engine.table import Table

BESIDE = "evaluate", "endgame"
"""The files next to `rules.py`: evaluation and playouts; solving of endgames."""

SHORTCUTS = "legal_shortcuts"
"""The file with faster versions of functions of the rules."""

LISTS = "legal", "only_action", "draw", "at_random"
"""The functions that can have faster versions."""


@cache
def readable(folder: str) -> ModuleType:
    """Return the rules of a game as written, which the user's own rules can replace."""
    return whole(folder, *BESIDE)


@cache
def quickest(folder: str) -> ModuleType:
    """Return the rules of a game as played, with the faster versions of functions, if there are any."""
    return whole(folder, *BESIDE, SHORTCUTS) if find_spec(f"{folder}.{SHORTCUTS}") else readable(folder)


def played(rules: Any) -> Any:
    """Return the rules as played (`quickest`) for a game's module `rules.py`; return other rules unchanged."""
    return quickest(rules.__package__) if rules.__package__ else rules


def whole(folder: str, *beside: str) -> ModuleType:
    """Combine a game's rules and the files `beside` them, if they exist; later functions replace earlier ones.

    The functions are copies that call each other by name, so a replaced function is replaced for all callers.
    """
    rules = import_module(f"{folder}.rules")
    others = [import_module(f"{folder}.{name}") for name in beside if find_spec(f"{folder}.{name}")]
    result = ModuleType(rules.__name__)
    result.__file__ = rules.__file__
    names = (name for name in vars(rules) if not name.startswith("__"))
    vars(result).update(dict.fromkeys(names))  # keeps the order of the rules
    for module in (default_rules, rules, *others):
        for name, value in vars(module).items():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                copy = FunctionType(value.__code__, vars(result), name, value.__defaults__)
                copy.__doc__, copy.__annotations__ = value.__doc__, value.__annotations__
                copy.__module__ = result.__name__
                vars(result)[name] = copy
            elif isinstance(value, FunctionType):
                vars(result)[name] = vars(result).get(name) or value
            elif not name.startswith("__"):
                vars(result)[name] = value
    return result


def called(rules: ModuleType, *names: str) -> set[str]:
    """Return the names of some functions of the rules and of all functions that they call."""
    names_of_rules, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in names_of_rules and isinstance(function := vars(rules).get(name), FunctionType):
            names_of_rules.add(name)
            waiting += function.__code__.co_names
    return names_of_rules


def own_functions(module: Any) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions that a module defines."""
    for name, value in sorted(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield name, value


def table_class(rules: Any) -> type[Table]:
    """Return the class of the rules' tables."""
    kinds = [value for value in vars(rules).values() if isinstance(value, type) and issubclass(value, Table)]
    return next(kind for kind in kinds if kind is not Table)
