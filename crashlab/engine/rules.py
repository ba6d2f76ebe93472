"""The rules of a game as one module, as programs that play ask them and as they are compiled.

A game's `rules.py` reads like its rules. What only programs want of them may stand in files beside it; what is the
same in most games stands in `default_rules`.
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
"""The files beside `rules.py`: how a position stands and what a playout does; what an endgame is solved with."""

SHORTCUTS = "legal_shortcuts"
"""The file with functions that find the same as those of the rules whose names they have, but sooner."""

LISTS = "legal", "only_action", "draw", "at_random"
"""What such functions are for."""


@cache
def readable(folder: str) -> ModuleType:
    """The rules of the game in this folder as they are read, and as others of one's own take their places."""
    return whole(folder, *BESIDE)


@cache
def quickest(folder: str) -> ModuleType:
    """The same as they are played: legal actions are found as soon as can be."""
    return whole(folder, *BESIDE, SHORTCUTS) if find_spec(f"{folder}.{SHORTCUTS}") else readable(folder)


def played(rules: Any) -> Any:
    """These rules as they are played, if it is the file of a game that is meant."""
    return quickest(rules.__package__) if rules.__package__ else rules


def whole(folder: str, *beside: str) -> ModuleType:
    """One module made of a game's rules and these files, where it has them: of functions with one name the last one.

    They are copies that call each other by name. So one that is put in the place of another is called by all.
    """
    rules = import_module(f"{folder}.rules")
    others = [import_module(f"{folder}.{name}") for name in beside if find_spec(f"{folder}.{name}")]
    made = ModuleType(rules.__name__)
    made.__file__ = rules.__file__
    vars(made).update((name, None) for name in vars(rules) if not name.startswith("__"))  # in the order of the rules
    for module in (default_rules, rules, *others):
        for name, value in vars(module).items():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                copy = FunctionType(value.__code__, vars(made), name, value.__defaults__)
                copy.__doc__, copy.__annotations__ = value.__doc__, value.__annotations__
                copy.__module__ = made.__name__
                vars(made)[name] = copy
            elif isinstance(value, FunctionType):
                vars(made)[name] = vars(made).get(name) or value
            elif not name.startswith("__"):
                vars(made)[name] = value
    return made


def called(rules: ModuleType, *names: str) -> set[str]:
    """The functions of these rules that some of them call, themselves included."""
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found and isinstance(function := vars(rules).get(name), FunctionType):
            found.add(name)
            waiting += function.__code__.co_names
    return found


def own_functions(module: Any) -> Iterator[tuple[str, FunctionType]]:
    """The functions that a module defines."""
    for name, value in sorted(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield name, value


def table_class(rules: Any) -> type[Table]:
    """The class of the tables that these rules are for."""
    found = [value for value in vars(rules).values() if isinstance(value, type) and issubclass(value, Table)]
    return next(kind for kind in found if kind is not Table)
