"""Run a function of a file and save a page of how its variables change."""

import argparse
import ast
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import util
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import crashlab
from crashlab.base.errors import printable, short_repr, short_str, truncate
from crashlab.cli.arguments import integer
from crashlab.engine.notation import counted
from crashlab.watch.traced_code import traceable

BY_NAME = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a Python file")
    parser.add_argument("function", help="the name of a function in it")
    parser.add_argument(
        "arguments",
        nargs="*",
        default=[],
        help="its arguments, as Python values or NAME=VALUE; anything else is taken as text",
    )
    parser.add_argument("--html", metavar="FILE", help="save the film as this page instead of printing the changes")
    parser.add_argument("--watch", metavar="NAMES", help="the variables to watch, such as a,b")
    parser.add_argument("--every", metavar="NAME", help="make one beat for each change of this variable")
    parser.add_argument(
        "--tests", action="store_true", help="also record the outcome of every test, such as 4 < 7: yes"
    )
    parser.add_argument(
        "--max-events", type=integer, default=5_000, help="the maximum number of changes to record (%(default)s)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Record a function of a file; save the film as a page, or print it."""
    path = Path(arguments.file)
    if not path.is_file():
        raise crashlab.CrashlabError(f"there is no file {short_repr(arguments.file)}")
    space = vars(imported(path))
    function = space.get(arguments.function)
    if not callable(function):
        functions = ", ".join(name for name, value in space.items() if isinstance(value, FunctionType)) or "none"
        raise crashlab.CrashlabError(
            f"{truncate(arguments.file)} has no function {short_repr(arguments.function)};"
            f" its functions are: {truncate(functions)}"
        )
    names = arguments.watch.split(",") if arguments.watch else None
    values, keywords = call_arguments(function, arguments.function, arguments.arguments)
    options = {"watch": names, "every": arguments.every, "tests": arguments.tests, "max_events": arguments.max_events}
    film = crashlab.record(function, *values, kwargs=keywords, **options)
    if arguments.html is None:
        print("\n".join(map(printable, str(film).split("\n"))))
    else:
        film.save(arguments.html)
        print(f"{arguments.html}: {film.name}, {counted(film.beats, 'beat')}")
    return 0 if film.error is None else 1


def imported(path: Path) -> ModuleType:
    """Import a file as a module, without its `if __name__ == "__main__"` block."""
    spec = util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise crashlab.CrashlabError(f"{short_repr(str(path))} is not a Python file: its name must end in .py")
    module = sys.modules[path.stem] = util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise crashlab.CrashlabError(
            f"{truncate(str(path))} cannot be run: {type(error).__name__}: {short_str(error)}"
        ) from None
    return module


def call_arguments(function: Callable[..., Any], name: str, words: Sequence[str]) -> tuple[list[Any], dict[str, Any]]:
    """Return the positional and named arguments of a call; raise CrashlabError if the function cannot take them."""
    traceable(function)  # raises an error for functions that cannot be watched
    try:
        parameters = inspect.signature(function).parameters
        signature = inspect.signature(
            function, follow_wrapped=not isinstance(function, FunctionType)
        )  # ignore a function that this function wraps
    except ValueError as error:
        raise crashlab.CrashlabError(f"{name} cannot be called: {short_str(error)}") from None
    values: list[Any] = []
    keywords: dict[str, Any] = {}
    for word in words:
        key, sign, value = word.partition("=")
        if sign and key in parameters and parameters[key].kind in BY_NAME:
            keywords[key] = read_value(value)
        else:
            values.append(read_value(word))
    try:
        signature.bind(*values, **keywords)
    except TypeError as error:
        raise crashlab.CrashlabError(f"{truncate(f'{name}{short_str(signature)}')}: {short_str(error)}") from None
    return values, keywords


def read_value(word: str) -> Any:
    """Parse an argument of a function: a Python literal, or else text."""
    try:
        return ast.literal_eval(word)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        if word.startswith(tuple("[({'\"")):
            raise crashlab.CrashlabError(f"{short_repr(word)} is not a Python value; put text in quotes") from None
        return word
