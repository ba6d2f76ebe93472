"""The public names: what `__all__` of each module has, with signatures and docstrings."""

from __future__ import annotations

import ast
import doctest
import inspect
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

MODULES = {  # what they are for
    "crashlab": "Games, their states, and what is done with them in large numbers.",
    "crashlab.lab": "The widgets of a notebook.",
    "crashlab.agents": "Who chooses.",
    "crashlab.watch": "Functions that are watched while they run.",
    "crashlab.adapters": "The games in other libraries.",
    "crashlab.engine.table": "For games of your own: tables, and the one door through which they change.",
    "crashlab.engine.value_codecs": "For games of your own: things in words.",
}
LONG = 100  # letters, of a signature that goes into one line


@dataclass(frozen=True)
class Name:
    """A public name, or a member of a class; `same` is the name by which it is told of elsewhere."""

    full: str
    kind: str
    signature: str
    doc: str
    members: tuple[Name, ...] = ()
    same: str = ""
    parameters: tuple[str, ...] = ()

    @property
    def short(self) -> str:
        """The name without its module."""
        return self.full.rpartition(".")[2]


@cache
def public() -> dict[str, tuple[Name, ...]]:
    """The names of each module, in the order of the alphabet. What stands in two modules is told of in the first."""
    seen: dict[str, str] = {}
    found: dict[str, tuple[Name, ...]] = {}
    for module in MODULES:
        names = [named(import_module(module), each, seen) for each in import_module(module).__all__]
        found[module] = tuple(sorted(names, key=lambda name: name.short.lower()))
    return found


def named(module: ModuleType, name: str, seen: dict[str, str]) -> Name:
    """What is to be said of a name; `seen` are those that were told of, by where they are made."""
    thing, full = getattr(module, name), f"{module.__name__}.{name}"
    made = f"{home(module, name)}.{name}"
    if made in seen:
        return Name(full, "", "", "", same=seen[made])
    seen[made] = full
    if inspect.isclass(thing) and thing.__module__.startswith("crashlab"):
        inside = tuple(members(full, thing))
        return Name(full, "class", signature(thing), doc(thing), inside, parameters=parameters(thing))
    told, value = declared(module, name)
    if is_called(thing):
        return Name(full, "function", signature(thing), told or doc(thing), parameters=parameters(thing))
    return Name(full, "value", f" = {value}", told)


def members(full: str, kind: type) -> Iterator[Name]:
    """What a class offers by name, in its own text."""
    for name, thing in vars(kind).items():
        inner = getattr(thing, "func", thing)  # of a property that is computed once
        told = inspect.getdoc(inner)
        if name.startswith("_") or not told or inspect.isclass(thing):
            continue
        if isinstance(thing, property) or inner is not thing:
            yield Name(f"{full}.{name}", "property", "", told)
        elif inspect.isroutine(thing) or isinstance(thing, classmethod | staticmethod):
            method = getattr(kind, name)
            yield Name(f"{full}.{name}", "method", signature(method), told, parameters=parameters(method))


def is_called(thing: object) -> bool:
    """Whether it is called like a function: one, or a thing of ours that can be called."""
    return inspect.isroutine(thing) or (callable(thing) and type(thing).__module__.startswith("crashlab"))


def doc(thing: Any) -> str:
    """What is said of a thing; of a module that can be called, what its call says."""
    return inspect.getdoc(type(thing).__call__ if isinstance(thing, ModuleType) else thing) or ""


def parameters(thing: Any) -> tuple[str, ...]:
    """The names of what it is called with."""
    return tuple(inspect.signature(thing).parameters)


class Bare(str):
    """An annotation as it is written."""

    __slots__ = ()
    __repr__ = str.__str__


def bare(annotation: Any) -> Any:
    """An annotation that shows itself as it is written."""
    if annotation is inspect.Signature.empty:
        return annotation
    return Bare(getattr(annotation, "__forward_arg__", annotation))


def plain(default: Any) -> Any:
    """A default as it is shown; one that only stands for nothing is `...`."""
    return Bare("...") if default is ... else default


def signature(thing: Any) -> str:
    """How it is called, in one line or with a line for each parameter; `self` is left out."""
    found = inspect.signature(thing)
    given = [
        each.replace(annotation=bare(each.annotation), default=plain(each.default))
        for each in found.parameters.values()
        if each.name != "self"
    ]
    returns = found.return_annotation if not inspect.isclass(thing) else found.empty
    line = str(found.replace(parameters=given, return_annotation=bare(returns)))
    if len(line) <= LONG:
        return line
    rows = "".join(f"    {str(each).strip()},\n" for each in starred(given))
    return f"(\n{rows}){line.rpartition(')')[2] if ' -> ' in line else ''}"


def starred(given: list[inspect.Parameter]) -> Iterator[object]:
    """The parameters, and the star before those that are given by name only."""
    is_open = False
    for each in given:
        is_open = is_open or each.kind is each.VAR_POSITIONAL
        if each.kind is each.KEYWORD_ONLY and not is_open:
            is_open = True
            yield "*"
        yield each


# The examples


def begin(module: str) -> str:
    """The lines with which the examples of a module begin."""
    lines = ["import crashlab", *([f"from {module} import *"] if module != "crashlab" else [])]
    more = ["from crashlab.engine.table import Table"] if module == "crashlab.engine.value_codecs" else []
    return "\n".join([*lines, *more])


def played(name: Name) -> dict[str, Any]:
    """What the example of a name has made, by the names that it has there."""
    made: dict[str, Any] = {}
    exec(begin(name.full.rpartition(".")[0]), made)
    known = len(made)
    test = doctest.DocTest(doctest.DocTestParser().get_examples(name.doc), made, name.full, None, 0, "")
    with TemporaryDirectory() as folder, chdir(folder):  # some examples write a file
        results = doctest.DocTestRunner().run(test, clear_globs=False)
    if results.failed:
        raise SystemExit(f"the example of {name.full} does not run")
    return dict(list(test.globs.items())[known:])


# What only the text of a module says


@cache
def tree(module: str) -> ast.Module:
    """A module as it is written."""
    return ast.parse(inspect.getsource(import_module(module)))


def home(module: ModuleType, name: str) -> str:
    """The module in which a name is made, and not only imported."""
    source = imported(module.__name__).get(name, module.__name__)
    return source if source == module.__name__ else home(import_module(source), name)


@cache
def imported(module: str) -> dict[str, str]:
    """The names that a module imports, each with where it is imported from."""
    nodes = [node for node in ast.walk(tree(module)) if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in nodes for alias in node.names}


def declared(module: ModuleType, name: str) -> tuple[str, str]:
    """What is said of a value below the line in which it is made, and what it is."""
    body = tree(home(module, name)).body
    for node, after in pairwise(body):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value and name in made_by(node):
            told = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            return inspect.cleandoc(str(told)), ast.unparse(node.value)
    return "", ""


def made_by(node: ast.Assign | ast.AnnAssign) -> list[str]:
    """The names that a line makes."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]
