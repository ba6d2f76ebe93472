"""The user's own rules: functions and constants that replace some of the book's.

They are the arguments of `Game.with_rules`, checked here against the rules of the game; `source` reads a function, and
`modules` builds the modules of a game with them.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from hashlib import sha256
from types import FunctionType, ModuleType
from typing import Any

from crashlab.base.errors import CrashlabError, integer, require, require_in, short_repr
from crashlab.engine.house_rules.source import HOUSE, RuleSource, is_known, refuse
from crashlab.engine.notation import counted
from crashlab.engine.options import Option
from crashlab.engine.table import Table

YOURS = "yours"  # mark of the user's own rules
LARGEST = 1000  # largest value of the user's constants
NEAREST = 3  # number of suggestions for an unknown rule


@dataclass(frozen=True)
class House:
    """The user's own rules: the source of their functions, and constants with values."""

    texts: tuple[RuleSource, ...]
    constants: tuple[tuple[str, int], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the functions."""
        return tuple(text.name for text in self.texts)

    @property
    def rules(self) -> tuple[RuleSource, ...]:
        """The functions with a docstring, which define the rules HOUSE-1, HOUSE-2, ..."""
        return tuple(text for text in self.texts if text.doc)

    @property
    def options(self) -> tuple[Option, ...]:
        """The constants as options of the game."""
        values = range(-LARGEST, LARGEST + 1)
        return tuple(Option(name, value, values, "a constant of your own rules") for name, value in self.constants)

    @property
    def fingerprint(self) -> str:
        """A hash of the rules."""
        digest = sha256(repr([(text.name, text.lines.splitlines()) for text in self.texts]).encode())
        digest.update(repr(self.constants).encode())
        return digest.hexdigest()[:16]

    @property
    def words(self) -> str:
        """The names of the functions, as text."""
        return ", ".join(self.names)

    def standing(self, name: str) -> str:
        """Return the source of a function below a comment that names the book's function it replaces."""
        text = next(text for text in self.texts if text.name == name)
        label = f"your {HOUSE}-{self.rules.index(text) + 1}" if text in self.rules else "a function of yours"
        return f"# {label} replaces the book's {name}\n{text.lines}"

    def with_values(self, options: Mapping[str, object]) -> House:
        """Return the rules with the values of their constants taken from options."""
        values = {name: integer(options.get(name)) for name, _ in self.constants}
        return replace(
            self,
            constants=tuple((name, old if (new := values[name]) is None else new) for name, old in self.constants),
        )

    def more(self, other: House) -> House:
        """Return the union of two sets of rules; if both have a rule with the same name, `other` wins."""
        texts = {text.name: text for text in (*self.texts, *other.texts)}
        return House(tuple(texts.values()), tuple({**dict(self.constants), **dict(other.constants)}.items()))

    def to_dict(self) -> dict[str, Any]:
        """Return the source, the constants and the fingerprint of the rules as JSON."""
        functions = {text.name: text.lines.splitlines() for text in self.texts}
        return {"functions": functions, "constants": dict(self.constants), "fingerprint": self.fingerprint}

    def difference(self, other: House | None) -> str:
        """Describe the first difference from `other` rules (None for the book's); empty if there is none."""
        mine, theirs = ({text.name: text.lines for text in rules.texts} for rules in (self, other or House(())))
        for name in (*mine, *(name for name in theirs if name not in mine)):
            if name not in theirs or name not in mine:
                return f"only one of them has {name}"
            if mine[name].splitlines() != theirs[name].splitlines():
                return f"the function {name} differs"
        constants = other.constants if other else ()
        return "" if dict(self.constants) == dict(constants) else "the constants differ"


def house_of(data: object) -> House:
    """Build the rules from the result of `to_dict`, without running them."""
    with suppress(TypeError, KeyError, AttributeError):
        functions, constants = data["functions"], data["constants"]  # type: ignore[index]
        texts = tuple(RuleSource(name, "".join(f"{line}\n" for line in lines)) for name, lines in functions.items())
        house = House(texts, tuple(constants.items()))
        if house.fingerprint == data["fingerprint"]:  # type: ignore[index]
            return house
    raise CrashlabError("its rules do not match their fingerprint: they have been changed")


# Checks


def house(
    rules: ModuleType, functions: Iterable[object], constants: Mapping[str, object], taken: Iterable[str] = ()
) -> House:
    """Build house rules from functions and constants; raise CrashlabError if they cannot replace rules of the game.

    A constant must not have a name in `taken`.
    """
    texts = tuple(map(RuleSource.of, functions))
    require(texts, "with_rules() needs a function that replaces a rule, as in with_rules(my_rule)")
    names = [text.name for text in texts]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise CrashlabError(f"two of these functions are named {twice}")
    values = tuple((name, constant(name, value, {*taken, *names, HOUSE})) for name, value in constants.items())
    for text in texts:
        refuse(text)
    for text in texts:
        fit(rules, text)
    namespace = vars(rules) | {text.name: text for text in texts} | dict(values)
    for text in texts:
        check_names(text, namespace)
        check_fields(text, rules)
        check_calls(text, namespace)
    check_use(rules, texts)
    return House(texts, values)


def constant(name: str, value: object, taken: set[str]) -> int:
    """Check a user's constant and return its value as an int."""
    words = f"{name}={short_repr(value)}: a constant is a whole number from {-LARGEST} to {LARGEST}"
    number = require_in(range(-LARGEST, LARGEST + 1), value, words)
    require(name not in taken, f"the rules use the name {name} already: give your constant another name")
    return number


def fit(rules: ModuleType, text: RuleSource) -> None:
    """Raise CrashlabError for a function that cannot replace the rule with its name."""
    old: Any = vars(rules).get(text.name)
    if text.name in own_names(rules):
        parameters = list(inspect.signature(old).parameters)
        if len(text.parameters) != len(parameters):
            signature = ", ".join(text.parameters)
            raise text.wrong(
                text.tree.lineno, f"{text.name} must have the parameters ({', '.join(parameters)}), not ({signature})"
            )
    elif text.name in vars(rules) or text.name == HOUSE or is_known(text.name):
        words = f"the name {text.name} is in use, but not for a rule of this game: choose another"
        raise text.wrong(text.tree.lineno, words)


def check_names(text: RuleSource, namespace: Mapping[str, object]) -> None:
    """Raise CrashlabError for a function that uses names unknown to the rules."""
    for name, line in text.free:
        if name not in namespace and name != HOUSE and not is_known(name):
            near = get_close_matches(name, namespace, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; if it is a constant, give with_rules(..., {name}=1)"
            raise text.wrong(line, f"{name} is not defined in the rules{hint}")


def check_fields(text: RuleSource, rules: ModuleType) -> None:
    """Raise CrashlabError for a function that uses unknown fields of the table, or changes an index of a field."""
    kinds = [value for value in vars(rules).values() if isinstance(value, type) and issubclass(value, Table)]
    fields, indexes = next((tuple(kind.ROWS), kind.INDEXES) for kind in kinds if kind is not Table)
    for node in ast.walk(text.tree):
        match node:
            case ast.Call(func=ast.Name("happen"), args=[ast.Attribute(attr=name), *_]) if name in indexes:
                words = f"{name} is computed from {indexes[name].field}: change {indexes[name].field} instead"
                raise text.wrong(node.lineno, words)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "table":
            if "table" in text.parameters and node.attr not in fields and not hasattr(Table, node.attr):
                near = get_close_matches(node.attr, fields, 1)
                hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(fields)}"
                raise text.wrong(node.lineno, f"the table has no {node.attr}; {hint}")


def check_calls(text: RuleSource, namespace: Mapping[str, object]) -> None:
    """Raise CrashlabError for a function that calls a rule with a wrong number of arguments."""
    for node in ast.walk(text.tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
            continue
        called = namespace.get(node.func.id)
        if any(isinstance(argument, ast.Starred) for argument in node.args) or not isinstance(
            called, RuleSource | FunctionType
        ):
            continue
        parameters, optional = taken_by(called)
        if not len(parameters) - optional <= len(node.args) <= len(parameters):
            words = f"{node.func.id} takes ({', '.join(parameters)}), but is given {counted(len(node.args), 'value')}"
            raise text.wrong(node.lineno, words)


def taken_by(called: RuleSource | FunctionType) -> tuple[list[str], int]:
    """Return the parameters of a function, and the number of those with defaults."""
    if isinstance(called, RuleSource):
        return called.parameters, len(called.tree.args.defaults)
    return list(inspect.signature(called).parameters), len(called.__defaults__ or ())


def check_use(rules: ModuleType, texts: tuple[RuleSource, ...]) -> None:
    """Raise CrashlabError for a function that replaces no rule and is not used by another one."""
    names = own_names(rules)
    for text in texts:
        if text.name in names or text.name in {name for other in texts if other is not text for name, _ in other.free}:
            continue
        near = ", ".join(get_close_matches(text.name, names, NEAREST, 0.0))
        words = f"the rules have no function {text.name}, and none of your functions uses it; similar names are {near};"
        raise text.wrong(text.tree.lineno, f"{words} game.functions lists all")


def own_names(rules: ModuleType) -> list[str]:
    """Return the names of the functions that the rules define, without imported ones."""
    return [
        name
        for name, value in vars(rules).items()
        if isinstance(value, FunctionType) and value.__module__ == rules.__name__
    ]
