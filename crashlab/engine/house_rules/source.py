"""The source of a user's rule, and the checks that need no game.

RuleSource          a function with its lines and their place
refuse              raise CrashlabError for a function that cannot be a rule of any game
RuleSource.trouble  why a function cannot be compiled, although it runs interpreted
"""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePath
from textwrap import dedent
from types import CodeType, FunctionType

from crashlab.base.errors import CrashlabError, short_repr
from crashlab.base.groups import grouped
from crashlab.base.syntax import module_tree

NO_FILE = "<string>"  # file of functions from `exec`; since Python 3.13 also of `python -c`
HOUSE = "HOUSE"  # in a function: the number of the rule that it defines
ALLOWED = "compiled rules can use only whole numbers and the table"
BUILTINS = {"abs", "min", "max", "range", "len", "bool", "int"}  # builtins available to compiled rules
BARRED = {"setattr", "delattr", "vars", "globals", "locals", "exec", "eval", "compile", "__import__"}
CHANGING = {
    "append", "extend", "insert", "pop", "clear", "remove", "sort", "reverse", "update", "__setitem__", "__delitem__",
    "__setattr__", "__delattr__", "__iadd__", "__imul__",
}  # fmt: skip
FRESH = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
UNKNOWN = {  # syntax that the compiler of rules refuses, in words
    ast.Dict: "a dict", ast.Set: "a set", ast.List: "a list", ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension", ast.DictComp: "a comprehension", ast.GeneratorExp: "a comprehension",
    ast.JoinedStr: "a string", ast.Raise: "an exception", ast.Try: "an exception", ast.TryStar: "an exception",
    ast.Assert: "an exception", ast.With: "a with", ast.Lambda: "a lambda", ast.Match: "a match",
    ast.FunctionDef: "a function within a function", ast.AsyncFunctionDef: "a function within a function",
    ast.ClassDef: "a class", ast.Import: "an import", ast.ImportFrom: "an import", ast.Slice: "a slice",
    ast.Starred: "a star", ast.Div: "a fraction (// gives a whole number)",
}  # fmt: skip


@dataclass(frozen=True)
class RuleSource:
    """The source of a function: its name and its lines; file and line number are not compared."""

    name: str
    lines: str
    file: str = field(default="", compare=False)
    first: int = field(default=1, compare=False)  # number of the first line in the file

    @classmethod
    def of(cls, function: object) -> RuleSource:
        """Return the source of a function; raise CrashlabError if the source is not available."""
        if not isinstance(function, FunctionType) or function.__name__ == "<lambda>":
            raise CrashlabError(f"a rule is a function, not {short_repr(function)}; write it with def")
        try:
            if function.__code__.co_filename == NO_FILE:
                raise OSError
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError):
            raise CrashlabError(
                f"the source of {function.__name__} cannot be found: define it in a cell or in a file"
            ) from None
        return cls(function.__code__.co_name, dedent("".join(lines)), function.__code__.co_filename, first)

    @property
    def tree(self) -> ast.FunctionDef:
        """The syntax tree of the function."""
        return parsed(self.lines)

    @property
    def doc(self) -> str:
        """The docstring, which is the text of the rule, or an empty string."""
        return ast.get_docstring(self.tree) or ""

    @property
    def parameters(self) -> list[str]:
        """The names of the parameters."""
        arguments = self.tree.args
        return [name.arg for name in (*arguments.posonlyargs, *arguments.args)]

    def at(self, number: int) -> str:
        """Describe a line for a message, with its number in the cell or file."""
        words = self.lines.splitlines()[number - 1].strip()
        return f"line {self.first + number - 1}, in {self.name}: `{words}`"

    def wrong(self, number: int, words: str) -> CrashlabError:
        """Return the error about a line."""
        return CrashlabError(f"{self.at(number)}: {words}")

    @property
    def free(self) -> tuple[tuple[str, int], ...]:
        """The global names that the function uses, with their lines."""
        return free_names(self.lines)

    def function_in(self, names: dict[str, object]) -> FunctionType:
        """Compile the function with these globals and the line numbers of the cell or file."""
        place: dict[str, FunctionType] = {}
        tree = ast.increment_lineno(bare(self.lines), self.first - 1)
        exec(compile(ast.Module([tree], []), self.place, "exec"), names, place)
        return place[self.name]

    @property
    def place(self) -> str:
        """The name of the file, or a substitute for code without a file."""
        return self.file or f"<your rule {self.name}>"

    def trouble(self, compiled: set[str]) -> str:
        """Return why the function cannot be compiled with only the names in `compiled`; empty if no reason is known."""
        for node in ast.walk(ast.Module(self.tree.body[bool(self.doc) :], [])):
            what = UNKNOWN.get(type(node), "") or unknown_value(node)
            if what:
                return f"{self.at(line_of(node, self.tree))}: {what} cannot be compiled; {ALLOWED}"
        for name, line in self.free:
            if name not in compiled and name not in BUILTINS:
                return f"{self.at(line)}: {name} cannot be compiled; {ALLOWED}"
        return ""


@lru_cache(maxsize=1024)
def parsed(lines: str) -> ast.FunctionDef:
    """Parse the source of a function; raise CrashlabError if it is anything else."""
    try:
        body = module_tree(lines).body
    except SyntaxError:
        body = []
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef):
        words = lines.strip().partition("\n")[0]
        raise CrashlabError(f"`{words}` is not a plain function: write a rule with def, on lines of its own")
    return body[0]


@lru_cache(maxsize=1024)
def free_names(lines: str) -> tuple[tuple[str, int], ...]:
    """Return the global names that a function uses, with their lines."""
    return tuple(globals_of(code_of(bare(lines))))


def bare(lines: str) -> ast.FunctionDef:
    """Parse a function without its annotations, whose names may be undefined."""
    node = module_tree(lines).body[0]
    assert isinstance(node, ast.FunctionDef)
    node.returns = None
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if argument:
            argument.annotation = None
    return node


def unannotated(lines: str) -> str:
    """Return the source of a function for a cell, without decorators, annotations and the comments above."""
    tree, plain = parsed(lines), bare(lines)
    first = tree.body[0]
    if first.lineno == tree.lineno:
        return f"{ast.unparse(plain)}\n"
    body = "".join(lines.splitlines(True)[first.lineno - 1 :])
    return f"def {tree.name}({ast.unparse(plain.args)}):\n{body}"


def code_of(tree: ast.FunctionDef) -> CodeType:
    """Return the code object of a function."""
    module = compile(ast.Module([tree], []), "<rule>", "exec")
    return next(inner for inner in module.co_consts if isinstance(inner, CodeType) and inner.co_name == tree.name)


def globals_of(code: CodeType) -> Iterator[tuple[str, int]]:
    """Yield the global names that code uses, with their lines."""
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        line = step.positions.lineno or line if step.positions else line
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "DELETE_GLOBAL"):
            yield str(step.argval), line
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from globals_of(inner)


def line_of(node: ast.AST, tree: ast.FunctionDef) -> int:
    """Return the line of a node; operators have no line, so they get the line of their expression."""
    around = next((outer for outer in ast.walk(tree) if getattr(outer, "op", None) is node), node)
    return int(getattr(around, "lineno", tree.lineno))


def unknown_value(node: ast.AST) -> str:
    """Describe a constant that is not a whole number; empty for whole numbers, None and other nodes."""
    if not isinstance(node, ast.Constant) or isinstance(node.value, int | None):
        return ""
    return "a string" if isinstance(node.value, str | bytes) else f"the number {node.value!r}"


# Checks without a game


def refuse(text: RuleSource) -> None:
    """Raise CrashlabError, with the line, for a function that cannot be a rule."""
    tree, arguments = text.tree, text.tree.args
    if tree.decorator_list:
        raise text.wrong(1, "a rule must not have a decorator")
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        raise text.wrong(tree.lineno, "a rule takes its arguments by position: write its parameters without *")
    for value in arguments.defaults:
        if not (isinstance(value, ast.Constant) and type(value.value) is int):
            raise text.wrong(value.lineno, "the default of a parameter must be a whole number")
    for node in ast.walk(tree):
        if isinstance(node, ast.Yield | ast.YieldFrom):
            raise text.wrong(node.lineno, "a rule must not use yield")
        if isinstance(node, ast.Global | ast.Nonlocal):
            raise text.wrong(node.lineno, "a rule must not use global or nonlocal: store lasting values in the table")
        if isinstance(node, ast.Name) and node.id == HOUSE and not text.doc:
            raise text.wrong(node.lineno, "a function that uses HOUSE needs a docstring: the text of its rule")
    if line := writes(text):
        raise text.wrong(line, "change a table only with happen(), which records the change and its rule")


def writes(text: RuleSource) -> int:
    """Return the first line found in which a function may change a table without `happen`; 0 if there is none."""
    local_rows = own_rows(text)

    def is_own(node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id in local_rows

    for node in ast.walk(text.tree):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            if not (isinstance(node, ast.Subscript) and is_own(node.value)):
                return node.lineno
        if isinstance(node, ast.Attribute) and node.attr in CHANGING and not is_own(node.value):
            return node.lineno
        if isinstance(node, ast.Name) and node.id in BARRED:
            return node.lineno
    return 0


def own_rows(text: RuleSource) -> set[str]:
    """Return the local names that are never fields of a table: new lists, and `out`, the list of results."""
    assignments = grouped(
        (target.id, node.value)
        for node in ast.walk(text.tree)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    )
    stored = [node.id for node in ast.walk(text.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    fresh = {
        name for name, values in assignments.items() if all(map(is_fresh, values)) and stored.count(name) == len(values)
    }
    return {"out"} - set(stored) | fresh - set(text.parameters)


def is_fresh(value: ast.expr | None) -> bool:
    """Return whether an expression creates a new list, dict or set."""
    if isinstance(value, ast.BinOp):
        return is_fresh(value.left)
    is_made = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
    return isinstance(value, FRESH) or (is_made and value.func.id in ("list", "dict", "set"))  # type: ignore[union-attr]


def is_known(name: str) -> bool:
    """Return whether a name is a builtin."""
    return hasattr(builtins, name)


# Errors of the compiler


def in_our_words(error: BaseException, texts: tuple[RuleSource, ...]) -> str:
    """Translate an error of the compiler into the line of the rule that caused it."""
    for file, number in reversed(re.findall(r'File "([^"]+)", line (\d+)', str(error))):
        for text in texts:
            line = int(number) - text.first + 1
            if PurePath(file).name == PurePath(text.place).name and 0 < line <= len(text.lines.splitlines()):
                return f"{text.at(line)}: this cannot be compiled; {ALLOWED}"
    return f"{', '.join(text.name for text in texts)} cannot be compiled; {ALLOWED}"
