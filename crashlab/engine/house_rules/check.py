"""Rules of one's own: functions and constants that take the place of some of the book's.

`Game.with_rules` is given them. Here they are checked against the rules of the game; `source` reads one function, and
`modules` makes the modules of a game in which they hold.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from hashlib import sha256
from types import FunctionType, ModuleType
from typing import Any

from crashlab.base.errors import CrashlabError, integer, require, shown
from crashlab.engine.house_rules.source import HOUSE, RuleSource, is_known, refuse
from crashlab.engine.options import Option
from crashlab.engine.table import Table

YOURS = "yours"  # the mark of a rule of one's own
LARGEST = 1000  # that a constant of one's own can be
NEAREST = 3  # names of rules that are offered for one that there is not


@dataclass(frozen=True)
class House:
    """Rules of one's own: the texts of their functions, and constants with their values."""

    texts: tuple[RuleSource, ...]
    constants: tuple[tuple[str, int], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What the functions are called."""
        return tuple(text.name for text in self.texts)

    @property
    def rules(self) -> tuple[RuleSource, ...]:
        """Those of its functions that make a rule, since they say which: HOUSE-1, HOUSE-2 ..."""
        return tuple(text for text in self.texts if text.doc)

    @property
    def options(self) -> tuple[Option, ...]:
        """Its constants as options of the game."""
        values = range(-LARGEST, LARGEST + 1)
        return tuple(Option(name, value, values, "a constant of your own rules") for name, value in self.constants)

    @property
    def fingerprint(self) -> str:
        """What tells it from others."""
        digest = sha256(repr([(text.name, text.lines.splitlines()) for text in self.texts]).encode())
        digest.update(repr(self.constants).encode())
        return digest.hexdigest()[:16]

    @property
    def words(self) -> str:
        """Its functions, in words."""
        return ", ".join(self.names)

    def standing(self, name: str) -> str:
        """One of its functions, as it stands in the place of one of the book's: with a remark that it does."""
        text = next(text for text in self.texts if text.name == name)
        own = f"your {HOUSE}-{self.rules.index(text) + 1}" if text in self.rules else "a function of yours"
        return f"# {own} stands in the place of the book's {name}\n{text.lines}"

    def with_values(self, options: Mapping[str, object]) -> House:
        """The same with the values that its constants have among these options, where they have one."""
        given = {name: integer(options.get(name)) for name, _ in self.constants}
        return replace(
            self,
            constants=tuple((name, old if (new := given[name]) is None else new) for name, old in self.constants),
        )

    def more(self, other: House) -> House:
        """Both; of functions and constants with the same name those of the other."""
        texts = {text.name: text for text in (*self.texts, *other.texts)}
        return House(tuple(texts.values()), tuple({**dict(self.constants), **dict(other.constants)}.items()))

    def to_dict(self) -> dict[str, Any]:
        """Its functions as text, its constants, and what tells it from others, as plain JSON."""
        functions = {text.name: text.lines.splitlines() for text in self.texts}
        return {"functions": functions, "constants": dict(self.constants), "fingerprint": self.fingerprint}

    def difference(self, other: House | None) -> str:
        """Where others differ from these rules, in words; empty if they do not."""
        mine, theirs = ({text.name: text.lines for text in each.texts} for each in (self, other or House(())))
        for name in (*mine, *(name for name in theirs if name not in mine)):
            if name not in theirs or name not in mine:
                return f"only one of them has {name}"
            if mine[name].splitlines() != theirs[name].splitlines():
                return f"{name} is another function"
        constants = other.constants if other else ()
        return "" if dict(self.constants) == dict(constants) else "the constants differ"


def house_of(data: object) -> House:
    """The rules that `to_dict` has written, as text alone; nothing is run."""
    try:
        functions, constants = data["functions"], data["constants"]  # type: ignore[index]
        texts = tuple(RuleSource(name, "".join(f"{line}\n" for line in lines)) for name, lines in functions.items())
        house = House(texts, tuple(constants.items()))
        is_whole = house.fingerprint == data["fingerprint"]  # type: ignore[index]
    except (TypeError, KeyError, AttributeError):
        is_whole = False
    require(is_whole, "the rules that it states are not those of their fingerprint: somebody has changed them")
    return house


# What can be wrong


def house(
    rules: ModuleType, functions: Iterable[object], constants: Mapping[str, object], taken: Iterable[str] = ()
) -> House:
    """These functions and constants in the place of some of these rules; refused with the reason if they make none.

    No constant can have one of the names that are taken.
    """
    texts = tuple(map(RuleSource.of, functions))
    require(texts, "with_rules() wants a function that takes the place of a rule, as in with_rules(my_rule)")
    names = [text.name for text in texts]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise CrashlabError(f"two of these functions are called {twice}")
    values = tuple((name, constant(name, value, {*taken, *names, HOUSE})) for name, value in constants.items())
    for text in texts:
        refuse(text)
    for text in texts:
        fit(rules, text)
    known = vars(rules) | {text.name: text for text in texts} | dict(values)
    for text in texts:
        check_names(text, known)
        check_fields(text, rules)
        check_calls(text, known)
    check_use(rules, texts)
    return House(texts, values)


def constant(name: str, value: object, taken: set[str]) -> int:
    """The value of a constant of one's own."""
    found = integer(value)
    if found is None or not -LARGEST <= found <= LARGEST:
        raise CrashlabError(f"{name}={shown(value)}: a constant is a whole number from {-LARGEST} to {LARGEST}")
    require(name not in taken, f"the rules have a {name} of their own: give your constant another name")
    return found


def fit(rules: ModuleType, text: RuleSource) -> None:
    """Refuse a function that cannot stand where it would in these rules."""
    old: Any = vars(rules).get(text.name)
    if text.name in own_names(rules):
        wanted = list(inspect.signature(old).parameters)
        if len(text.parameters) != len(wanted):
            given = ", ".join(text.parameters)
            raise text.wrong(text.tree.lineno, f"{text.name} is called with ({', '.join(wanted)}); yours has ({given})")
    elif text.name in vars(rules) or text.name == HOUSE or is_known(text.name):
        words = f"{text.name} is not a rule of this game but a helper of its rules: choose another name"
        raise text.wrong(text.tree.lineno, words)


def check_names(text: RuleSource, known: Mapping[str, object]) -> None:
    """Refuse a function that refers to what the rules do not know."""
    for name, line in text.free:
        if name not in known and name != HOUSE and not is_known(name):
            near = get_close_matches(name, known, 1)
            meant = f"; did you mean {near[0]}?" if near else f"; a constant is given as with_rules(..., {name}=1)"
            raise text.wrong(line, f"the rules know no name {name}{meant}")


def check_fields(text: RuleSource, rules: ModuleType) -> None:
    """Refuse a function that asks the table for what it does not have, or changes an index."""
    kinds = [value for value in vars(rules).values() if isinstance(value, type) and issubclass(value, Table)]
    fields, indexes = next((tuple(kind.ROWS), kind.INDEXES) for kind in kinds if kind is not Table)
    for node in ast.walk(text.tree):
        match node:
            case ast.Call(func=ast.Name("happen"), args=[ast.Attribute(attr=name), *_]) if name in indexes:
                words = f"{name} follows from {indexes[name].field}: change that"
                raise text.wrong(node.lineno, words)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "table":
            if "table" in text.parameters and node.attr not in fields and not hasattr(Table, node.attr):
                near = get_close_matches(node.attr, fields, 1)
                meant = f"did you mean {near[0]}?" if near else f"it has {', '.join(fields)}"
                raise text.wrong(node.lineno, f"the table has no {node.attr}; {meant}")


def check_calls(text: RuleSource, known: Mapping[str, object]) -> None:
    """Refuse a function that calls a rule with more or fewer numbers than it takes."""
    for node in ast.walk(text.tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
            continue
        called = known.get(node.func.id)
        if any(isinstance(given, ast.Starred) for given in node.args) or not isinstance(
            called, RuleSource | FunctionType
        ):
            continue
        wanted, optional = taken_by(called)
        if not len(wanted) - optional <= len(node.args) <= len(wanted):
            words = f"{node.func.id} is called with ({', '.join(wanted)}), not with {len(node.args)} values"
            raise text.wrong(node.lineno, words)


def taken_by(called: RuleSource | FunctionType) -> tuple[list[str], int]:
    """What a function is called with, and how much of it can be left out."""
    if isinstance(called, RuleSource):
        return called.parameters, len(called.tree.args.defaults)
    return list(inspect.signature(called).parameters), len(called.__defaults__ or ())


def check_use(rules: ModuleType, texts: tuple[RuleSource, ...]) -> None:
    """Refuse a function that is no rule, and of no use to one of the others."""
    known = own_names(rules)
    for text in texts:
        if text.name in known or text.name in {name for other in texts if other is not text for name, _ in other.free}:
            continue
        near = ", ".join(get_close_matches(text.name, known, NEAREST, 0.0))
        words = f"the rules have no function {text.name}, and none of your functions uses it; the nearest are {near};"
        raise text.wrong(text.tree.lineno, f"{words} game.functions names them all")


def own_names(rules: ModuleType) -> list[str]:
    """The names of the functions that are rules."""
    return [
        name
        for name, value in vars(rules).items()
        if isinstance(value, FunctionType) and value.__module__ == rules.__name__
    ]
