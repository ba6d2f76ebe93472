"""Copies of the modules of a game with some rules replaced by the user's own.

Rules refer to each other by name. So the module of rules is copied, with some names bound to other functions. Every
module of the game that refers to the rules is copied as well; the others are shared. The original modules never change.
"""

import ast
import builtins
import inspect
import linecache
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import RLock
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

from crashlab.base.syntax import module_tree
from crashlab.engine import contract
from crashlab.engine.house_rules.check import YOURS, House
from crashlab.engine.house_rules.source import HOUSE, RuleSource, in_our_words
from crashlab.engine.rulebook import Rule, Rulebook
from crashlab.engine.rules import BESIDE, LISTS, SHORTCUTS, called, readable, whole
from crashlab.engine.table import NOTE, Row


class Folder:
    """The modules of a game with some rules replaced by the user's own."""

    def __init__(self, folder: str, house: House) -> None:
        self.folder = folder
        is_other = called(readable(folder), *LISTS).intersection(house.names)
        beside = BESIDE if is_other else (*BESIDE, SHORTCUTS)  # the shortcuts know only the book's legal actions
        self.rules: Any = whole(folder, *beside)
        if is_other:
            vars(self.rules)["BY_THE_BOOK"] = 0
        self._modules: dict[str, ModuleType] = {
            f"{folder}.{name}": self.rules for name in ("rules", *BESIDE, SHORTCUTS)
        }
        self._shared = reached(f"{folder}.rules", folder) - {f"{folder}.rules"}
        self.stands: dict[int, int] = {}  # by the number of a user's rule: the book's rule that it replaces, or -1
        self._builtins = {**vars(builtins), "__import__": self._import}
        self._furnish(self.rules, house)

    def module(self, name: str) -> Any:
        """Return a module of the game by its name, such as "text": a copy if it refers to the rules."""
        full = f"{self.folder}.{name}"
        if full in self._shared or not find_spec(full):
            return import_module(full)
        if full not in self._modules:
            spec = find_spec(full)
            assert spec and spec.loader
            import_module(full)  # dataclasses look up their module by name
            module = self._modules[full] = ModuleType(full)
            module.__dict__.update(__file__=spec.origin, __spec__=spec, __builtins__=self._builtins)
            exec(spec.loader.get_code(full), module.__dict__)  # type: ignore[attr-defined]
        return self._modules[full]

    def banned(self, table: Any, seat: int) -> set[int]:
        """Return the actions that are legal by the book but not by these rules."""
        legal = contract.legal_actions(self.rules, table, seat)
        try:
            return set(contract.legal_actions(readable(self.folder), table, seat)).difference(legal)
        except Exception:  # a table that the book's rules cannot reach
            return set()

    def _import(self, name: str, *context: Any) -> Any:
        """Replace `__import__` in the copied modules, so that they import the game's modules from this folder."""
        names = context[2] if len(context) > 2 and context[2] else ()
        if (name == self.folder or name.startswith(f"{self.folder}.")) and names:
            here = name.removeprefix(self.folder).removeprefix(".")
            inner = {one: f"{here}.{one}".removeprefix(".") for one in names if spec_of(f"{name}.{one}")}
            whole = vars(self.module(here)) if here else {}
            return SimpleNamespace(**{**whole, **{one: self.module(path) for one, path in inner.items()}})
        return builtins.__import__(name, *context)

    def _furnish(self, rules: ModuleType, house: House) -> None:
        """Replace rules by functions and constants, and add their texts to the rulebook."""
        book: Rulebook = vars(rules)["BOOK"]
        own_rules = house.rules
        entries = []
        for number, text in enumerate(own_rules, 1):
            old = vars(rules).get(text.name)
            base = first_cited(book, inspect.getdoc(old) or "") if old else None
            self.stands[len(book) + number - 1] = -1 if base is None else book.cite(base.id)[0]
            title = text.name.replace("_", " ")
            words = " ".join(text.doc.split())
            entries.append(Rule(f"{HOUSE}-{number}", title, words, YOURS, numbers=base.numbers if base else ()))
        longer = Rulebook(book.title, book.credit, [*book, *entries], events=book.events)
        vars(rules).update(dict(house.constants), BOOK=longer)
        for text in house.texts:
            number = len(book) + own_rules.index(text) if text in own_rules else -1
            vars(rules)[f"{HOUSE}_{number}"] = number
            vars(rules)[text.name] = build_function(text, vars(rules), f"{HOUSE}_{number}")
        vars(rules)["YOURS"] = Yours(house.texts, trouble(rules, house))


@dataclass(frozen=True)
class Yours:
    """The user's own rules, stored as YOURS in the module of rules that they are part of."""

    texts: tuple[RuleSource, ...]
    trouble: str  # why they cannot be compiled, as found in their source; empty if no reason is known


def yours(rules: Any) -> Yours | None:
    """Return the user's own rules among rules; None if there are none."""
    return getattr(rules, "YOURS", None)


def cannot(rules: Any, error: BaseException | None = None) -> str:
    """Return why rules cannot be compiled, from an error of the compiler or from their source; empty if unknown."""
    house = yours(rules)
    if error:
        return in_our_words(error, house.texts) if house else str(error)
    return house.trouble if house else ""


def trouble(rules: ModuleType, house: House) -> str:
    """Return why rules cannot be compiled, as found in their source; empty if no reason is known."""
    kinds = int | FunctionType
    names = {name for name, value in vars(rules).items() if isinstance(value, kinds) or is_row(value)}
    return next(filter(None, (text.trouble({*names, HOUSE}) for text in house.texts)), "")


def is_row(value: object) -> bool:
    """Return whether a value is a tuple of ints."""
    return isinstance(value, tuple) and all(isinstance(number, int) for number in value)


def build_function(text: RuleSource, names: dict[str, Any], replacement: str) -> FunctionType:
    """Build the function of a source with these globals, with HOUSE replaced by `replacement`."""
    if not linecache.getline(text.place, text.first):  # in a process that does not have the notebook cell
        lines = ["\n"] * (text.first - 1) + text.lines.splitlines(True)
        linecache.cache[text.place] = len(text.lines), None, lines, text.place
    function = text.function_in(names)
    function.__code__ = renamed(function.__code__, replacement)
    return function


def renamed(code: CodeType, replacement: str) -> CodeType:
    """Return code with the name HOUSE replaced."""
    return code.replace(
        co_names=tuple(replacement if name == HOUSE else name for name in code.co_names),
        co_consts=tuple(
            renamed(value, replacement) if isinstance(value, CodeType) else value for value in code.co_consts
        ),
    )


def first_cited(book: Rulebook, words: str) -> Rule | None:
    """Return the first rule that some words mention, or None."""
    return next((book[name] for name in re.findall(r"[A-Z]+-[A-Z]*\d+\w*", words) if name in book), None)


def spec_of(name: str) -> ModuleSpec | None:
    """Return the spec of a module, or None if no module has this name."""
    try:
        return find_spec(name)
    except ModuleNotFoundError:
        return None


@cache
def reached(name: str, folder: str) -> frozenset[str]:
    """Return the name of a module and the names of the modules of the folder that it imports, even indirectly."""
    spec = spec_of(name)
    if not spec or not spec.loader:
        return frozenset()
    tree = module_tree(spec.loader.get_source(name) or "")  # type: ignore[attr-defined]
    modules = {name}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(folder):
            for module in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                modules |= reached(module, folder)
    return frozenset(modules)


def copied(folder: str, house: House) -> Folder:
    """Return the modules of a game with these rules, cached by the rules and the places of their source."""
    with _lock:
        return _copied(folder, house, tuple((text.file, text.first) for text in house.texts))


@lru_cache(maxsize=64)
def _copied(folder: str, house: House, places: tuple[tuple[str, int], ...]) -> Folder:
    return Folder(folder, house)


_lock = RLock()


class AsInTheBook:
    """A wrapper that passes events to a module of a game, replacing each user's rule by the book's rule."""

    def __init__(self, module: Any, folder: Folder) -> None:
        self._module, self._folder, self._stands = module, folder, folder.stands

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def _by_the_book(self, row: Row) -> Row:
        return row._replace(rule=max(self._stands.get(row.rule, row.rule), 0))


class OwnText(AsInTheBook):
    """The module `text`: events in words, and their secrecy."""

    def is_secret(self, table: Any, row: Row, seat: int) -> bool:
        """Return whether a row is secret from a seat."""
        return bool(self._module.is_secret(table, self._by_the_book(row), seat))

    def event_text(self, table: Any, row: Row) -> str:
        """Describe a row of a trace in words."""
        if row.rule not in self._stands:
            return str(self._module.event_text(table, row))
        try:
            if self._stands[row.rule] >= 0:
                return str(self._module.event_text(table, self._by_the_book(row)))
        except Exception:  # the template of the book may not fit
            pass
        return self._plain(table, row)

    def _plain(self, table: Any, row: Row) -> str:
        """Describe a row without a template."""
        if row.field == NOTE:
            return f"your rule applies: {', '.join(map(str, row.numbers))}"
        name = table.NAMES[row.field]
        change = self._module.CHANGES[name]
        thing = f"{change.index.name} {change.index.format(table, row.index)}: " if change.index else ""
        return f"{thing}{name} {change.value.format(table, row.before)} to {change.value.format(table, row.after)}"


class OwnRender(AsInTheBook):
    """The module `render`; events that no rule of the book can cause have no effects and no paths."""

    def effects(self, table: Any, rows: Iterable[Row], all_of_them: Iterable[Row]) -> Any:
        """Return the effects of a beat, or none if the module fails."""
        try:
            return self._module.effects(
                table, list(map(self._by_the_book, rows)), list(map(self._by_the_book, all_of_them))
            )
        except Exception:
            return ()

    def paths(self, table: Any, rows: Iterable[Row]) -> Any:
        """Return the paths driven, or none if the module fails."""
        try:
            return self._module.paths(table, list(map(self._by_the_book, rows)))
        except Exception:
            return ()


class OwnUI(AsInTheBook):
    """The module `ui`, with questions about turns under the user's own rules."""

    def questions(self, turn: Any) -> Any:
        """Return the questions about a turn, or () if the module fails, as on a turn that is impossible by the book."""
        codes = {seat: action.code for seat, action in turn.actions.items()}
        try:
            book_turn = type(turn)(turn.before, turn.after, codes, list(map(self._by_the_book, turn.rows)))
            return self._module.questions(book_turn)
        except Exception:  # questions may look for events that do not occur
            return ()
