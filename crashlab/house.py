"""Rules of one's own in the place of the book's.

    House     functions and constants, checked: what `Game.with_rules` is given
    Folder    the modules of a game once more, in which the rules are these

A rule refers to other rules by their names. So the rules are made once more, as a module in which some names stand for
other functions, and so is every module of the game that refers to the rules; all others are shared. Nothing of the
book's own modules is changed.
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import linecache
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from textwrap import dedent
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

from crashlab.errors import CrashlabError, integer, shown
from crashlab.happen import NOTE, Row
from crashlab.options import Option
from crashlab.rulebook import Rule, Rulebook

HOUSE = "HOUSE"  # in a function: the number of the rule that it makes
YOURS = "yours"  # the mark of such a rule
LARGEST = 1000  # that a constant of one's own can be
BUILTINS = {"abs", "min", "max", "range", "len", "bool", "int"}  # that compiled rules know, too
UNKNOWN = {  # what a compiler of rules does not know, in words
    ast.Dict: "a dict", ast.Set: "a set", ast.List: "a list", ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension", ast.DictComp: "a comprehension", ast.GeneratorExp: "a comprehension",
    ast.JoinedStr: "a string", ast.Raise: "an exception", ast.Try: "an exception", ast.Assert: "an exception",
    ast.With: "a with", ast.Lambda: "a lambda", ast.FunctionDef: "a function within a function",
    ast.ClassDef: "a class", ast.Import: "an import", ast.ImportFrom: "an import", ast.Yield: "a yield",
    ast.YieldFrom: "a yield", ast.Slice: "a slice", ast.Starred: "a star",
}  # fmt: skip


@dataclass(frozen=True)
class Text:
    """A function as it is written: its name, its lines, and where they stand."""

    name: str
    lines: str
    file: str = ""
    first: int = 1  # the number of its first line there

    @classmethod
    def of(cls, function: object) -> Text:
        """The text of a function; what has none is refused."""
        if not isinstance(function, FunctionType) or not function.__name__.isidentifier():
            raise CrashlabError(f"a rule is a function, not {shown(function)}; write it with def")
        try:
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError):
            raise CrashlabError(
                f"the text of {function.__name__} is not known: write it in a cell or in a file, so that it can be read"
            ) from None
        return cls(function.__name__, dedent("".join(lines)), function.__code__.co_filename, first)

    @cached_property
    def tree(self) -> ast.FunctionDef:
        """What is written."""
        node = ast.parse(self.lines).body[0]
        if not isinstance(node, ast.FunctionDef):
            raise CrashlabError(f"{self.name} is no plain function: write it with def")
        return node

    def at(self, number: int) -> str:
        """A line of it, in words."""
        words = self.lines.splitlines()[number - 1].strip()
        return f"line {number} of {self.name}, `{words}`"

    def trouble(self) -> str:
        """Why it cannot be compiled; empty if nothing is known."""
        body = self.tree.body[bool(ast.get_docstring(self.tree)) :]
        for node in (node for statement in body for node in ast.walk(statement)):
            what = UNKNOWN.get(type(node), "")
            if isinstance(node, ast.Constant) and not isinstance(node.value, int | None):
                what = "a string" if isinstance(node.value, str) else f"the number {node.value!r}"
            if what:
                line = getattr(node, "lineno", 1)
                return f"{self.at(line)}: {what} cannot be compiled; compiled rules know whole numbers and the table"
        return ""


@dataclass(frozen=True)
class House:
    """Rules of one's own: the texts of their functions, and constants with their values."""

    texts: tuple[Text, ...]
    constants: tuple[tuple[str, int], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What the functions are called."""
        return tuple(text.name for text in self.texts)

    @property
    def options(self) -> tuple[Option, ...]:
        """Its constants as options of the game."""
        values = range(-LARGEST, LARGEST + 1)
        return tuple(Option(name, value, values, "a constant of your own rules") for name, value in self.constants)

    @property
    def fingerprint(self) -> str:
        """What tells it from others."""
        digest = sha256(repr((self.names, [text.lines for text in self.texts], self.constants)).encode())
        return digest.hexdigest()[:16]

    @property
    def words(self) -> str:
        """Its functions, in words."""
        return ", ".join(self.names)

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

    def trouble(self) -> str:
        """Why it cannot be compiled; empty if nothing is known."""
        return next(filter(None, (text.trouble() for text in self.texts)), "")


# What can be wrong


def house(rules: ModuleType, functions: Iterable[object], constants: Mapping[str, object]) -> House:
    """These functions and constants in the place of some of these rules; refused with the reason if they make none."""
    texts = tuple(map(Text.of, functions))
    if not texts:
        raise CrashlabError("with_rules() wants a function that takes the place of a rule, as in with_rules(my_rule)")
    names = [text.name for text in texts]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise CrashlabError(f"two of these functions are called {twice}")
    values = tuple((name, constant(rules, name, value)) for name, value in constants.items())
    for text in texts:
        check(rules, text, {*names, *constants})
    known = own_names(rules)
    for text in [text for text in texts if text.name not in known]:
        if not any(text.name == name for other in texts if other is not text for name, _ in free(other)):
            near = get_close_matches(text.name, known, 1)
            meant = f"; did you mean {near[0]}?" if near else f"; they are {', '.join(known)}"
            raise CrashlabError(f"the rules have no function {text.name}, and none of your functions uses it{meant}")
    return House(texts, values)


def constant(rules: ModuleType, name: str, value: object) -> int:
    """The value of a constant of one's own."""
    found = integer(value)
    if found is None or not -LARGEST <= found <= LARGEST:
        raise CrashlabError(f"{name}={shown(value)}: a constant is a whole number from {-LARGEST} to {LARGEST}")
    if name in vars(rules) or name == HOUSE:
        raise CrashlabError(f"the rules have a {name} of their own: give your constant another name")
    return found


def check(rules: ModuleType, text: Text, yours: set[str]) -> None:
    """Refuse a function that cannot be one of these rules."""
    if text.tree.decorator_list:
        raise CrashlabError(f"{text.at(1)}: a rule has no decorator")
    old: Any = vars(rules).get(text.name)
    is_rule = text.name in own_names(rules)
    if is_rule and len(parameters(text)) != len(inspect.signature(old).parameters):
        wanted = ", ".join(inspect.signature(old).parameters)
        mine = ", ".join(parameters(text))
        raise CrashlabError(f"{text.name} is called with ({wanted}); yours has ({mine})")
    if not is_rule and text.name in vars(rules):
        raise CrashlabError(f"{text.name} is no rule of this game, but something that its rules use: take another name")
    known = {*vars(rules), *yours, HOUSE, *dir(builtins)}
    for name, line in free(text):
        if name not in known:
            near = get_close_matches(name, known, 1)
            meant = f"; did you mean {near[0]}?" if near else f"; a constant is given as with_rules(..., {name}=1)"
            raise CrashlabError(f"{text.at(line)}: the rules know no name {name}{meant}")
        if name == HOUSE and not ast.get_docstring(text.tree):
            raise CrashlabError(
                f"{text.at(line)}: HOUSE is the rule that a function makes; say in its docstring what it is"
            )
    if line := writes(text):
        raise CrashlabError(f"{text.at(line)}: a table is changed only through happen(), or nobody could tell of it")


def parameters(text: Text) -> list[str]:
    """What a function is called with."""
    given = text.tree.args
    names = [*given.posonlyargs, *given.args, *([given.vararg] if given.vararg else [])]
    return [name.arg for name in (*names, *given.kwonlyargs)]


def free(text: Text) -> Iterator[tuple[str, int]]:
    """The names that a function takes from around it, each with its line in the text."""
    yield from globals_of(compiled(text, 1, "<rule>"))


def globals_of(code: CodeType) -> Iterator[tuple[str, int]]:
    """The names that code takes from around it, each with its line."""
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        line = step.positions.lineno or line if step.positions else line
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL"):
            yield str(step.argval), line
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from globals_of(inner)


def compiled(text: Text, first: int, file: str) -> CodeType:
    """The code of a function whose first line has this number in this file."""
    tree = ast.Module([ast.increment_lineno(ast.parse(text.lines).body[0], first - 1)], [])
    module = compile(tree, file, "exec")
    return next(inner for inner in module.co_consts if isinstance(inner, CodeType) and inner.co_name == text.name)


def writes(text: Text) -> int:
    """The line in which a function changes a table otherwise than through `happen`; 0 if in none."""
    changing = {"append", "extend", "insert", "pop", "clear", "remove", "sort", "reverse"}
    for node in ast.walk(text.tree):
        if not isinstance(node, ast.stmt | ast.Call):
            continue
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign | ast.Delete):
            targets = list(node.targets)
        elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For):
            targets = [node.target]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in changing:
            targets = [node.func] if isinstance(node.func.value, ast.Attribute) else []
        for target in targets:
            for part in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
                own = isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and part.value.id == "out"
                if isinstance(part, ast.Subscript | ast.Attribute) and not own:
                    return node.lineno
    return 0


def own_names(rules: ModuleType) -> list[str]:
    """The names of the functions that are rules."""
    return [
        name
        for name, value in vars(rules).items()
        if isinstance(value, FunctionType) and value.__module__ == rules.__name__
    ]


# The game's modules once more


class Folder:
    """The modules of a game in which some rules are one's own."""

    def __init__(self, folder: str, house: House) -> None:
        self.folder = folder
        self._made: dict[str, ModuleType] = {}
        self._shared = reached(f"{folder}.rules", folder) - {f"{folder}.rules"}
        self.stands: dict[int, int] = {}  # for which rule of the book a rule of one's own stands
        self._builtins = {**vars(builtins), "__import__": self._import}
        self._furnish(self.module("rules"), house)

    def module(self, name: str) -> Any:
        """A module of the game."""
        full = f"{self.folder}.{name}"
        if full in self._shared or not find_spec(full):
            return import_module(full)
        if full not in self._made:
            spec = find_spec(full)
            assert spec and spec.loader
            made = self._made[full] = ModuleType(full)
            made.__dict__.update(__file__=spec.origin, __spec__=spec, __builtins__=self._builtins)
            exec(spec.loader.get_code(full), made.__dict__)  # type: ignore[attr-defined]
        return self._made[full]

    def _import(self, name: str, *context: Any) -> Any:
        """`import`, in a module of this folder."""
        wanted = context[2] if len(context) > 2 and context[2] else ()
        if name == self.folder and wanted:
            return SimpleNamespace(**{one: self.module(one) for one in wanted})
        if name.startswith(f"{self.folder}.") and wanted:
            return self.module(name.removeprefix(f"{self.folder}."))
        return builtins.__import__(name, *context)

    def _furnish(self, rules: ModuleType, house: House) -> None:
        """Put functions and constants in the place of some of the rules, and their texts into the book."""
        book: Rulebook = vars(rules)["BOOK"]
        own = [text for text in house.texts if ast.get_docstring(text.tree)]
        entries = []
        for number, text in enumerate(own, 1):
            old = vars(rules).get(text.name)
            base = first_cited(book, inspect.getdoc(old) or "") if old else None
            self.stands[len(book) + number - 1] = -1 if base is None else book.cite(base.id)[0]
            words = " ".join((ast.get_docstring(text.tree) or "").split())
            title = text.name.replace("_", " ")
            entries.append(Rule(f"{HOUSE}-{number}", title, words, YOURS, numbers=base.numbers if base else ()))
        vars(rules).update(dict(house.constants), BOOK=Rulebook(book.title, book.credit, [*book, *entries]))
        for text in house.texts:
            number = len(book) + own.index(text) if text in own else -1
            vars(rules)[f"{HOUSE}_{number}"] = number
            vars(rules)[text.name] = made(text, vars(rules), f"{HOUSE}_{number}")


def made(text: Text, names: dict[str, Any], own: str) -> FunctionType:
    """The function of a text among these names, in which HOUSE is `own`."""
    file = text.file or f"<house rule {text.name}>"
    if not linecache.getline(file, text.first):
        linecache.cache[file] = len(text.lines), None, ["\n"] * (text.first - 1) + text.lines.splitlines(True), file
    tree = ast.Module([ast.increment_lineno(ast.parse(text.lines).body[0], text.first - 1)], [])
    place: dict[str, Any] = {}
    exec(compile(tree, file, "exec"), names, place)
    function: FunctionType = place[text.name]
    function.__code__ = renamed(function.__code__, own)
    return function


def renamed(code: CodeType, own: str) -> CodeType:
    """Code in which HOUSE has another name."""
    return code.replace(
        co_names=tuple(own if name == HOUSE else name for name in code.co_names),
        co_consts=tuple(renamed(value, own) if isinstance(value, CodeType) else value for value in code.co_consts),
    )


def first_cited(book: Rulebook, words: str) -> Rule | None:
    """The first rule that is named in these words."""
    return next((book[name] for name in re.findall(r"[A-Z]+-[A-Z]*\d+\w*", words) if name in book), None)


@cache
def reached(name: str, folder: str) -> frozenset[str]:
    """The modules of a folder that one of them imports, itself included, and what those import."""
    spec = find_spec(name)
    if not spec or not spec.loader:
        return frozenset()
    tree = ast.parse(spec.loader.get_source(name) or "")  # type: ignore[attr-defined]
    found = {name}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(folder):
            inner = [node.module] if node.module != folder else [f"{folder}.{alias.name}" for alias in node.names]
            for module in inner:
                found |= reached(module, folder)
    return frozenset(found)


@lru_cache(maxsize=64)
def copied(folder: str, house: House) -> Folder:
    """The modules of a game with these rules; the same for the same rules."""
    return Folder(folder, house)


class AsInTheBook:
    """A module of a game to which a rule of one's own is the one of the book for which it stands."""

    def __init__(self, module: Any, folder: Folder) -> None:
        self._module, self._stands = module, folder.stands

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def _known(self, row: Row) -> Row:
        return row._replace(rule=max(self._stands.get(row.rule, row.rule), 0))


class Events(AsInTheBook):
    """The words of events."""

    def event_text(self, table: Any, row: Row) -> str:
        """One row of a trace in words."""
        if row.rule not in self._stands:
            return str(self._module.event_text(table, row))
        try:
            if self._stands[row.rule] >= 0:
                return str(self._module.event_text(table, self._known(row)))
        except Exception:  # the words of the book do not fit what is done here
            pass
        return self._plain(table, row)

    def _plain(self, table: Any, row: Row) -> str:
        """A row without words of its own."""
        if row.field == NOTE:
            return f"your rule applies: {', '.join(map(str, row.numbers))}"
        name = table.NAMES[row.field]
        change = self._module.CHANGES[name]
        thing = f"{change.index.name} {change.index.say(table, row.index)}: " if change.index else ""
        return f"{thing}{name} {change.value.say(table, row.before)} to {change.value.say(table, row.after)}"


class Secrets(AsInTheBook):
    """What is secret."""

    def is_secret(self, table: Any, row: Row, seat: int) -> bool:
        """Whether a row is secret to a seat."""
        return bool(self._module.is_secret(table, self._known(row), seat))


class Look(AsInTheBook):
    """How it looks."""

    def effects(self, table: Any, rows: Iterable[Row], all_of_them: Iterable[Row]) -> Any:
        """What flies and flashes."""
        return self._module.effects(table, list(map(self._known, rows)), list(map(self._known, all_of_them)))

    def paths(self, table: Any, rows: Iterable[Row]) -> Any:
        """The ways that are gone."""
        return self._module.paths(table, list(map(self._known, rows)))


class Ask(AsInTheBook):
    """What a person is asked."""

    def questions(self, turn: Any) -> Any:
        """What to predict of a turn."""
        codes = {seat: action.code for seat, action in turn.actions.items()}
        return self._module.questions(type(turn)(turn.before, turn.after, codes, list(map(self._known, turn.rows))))
