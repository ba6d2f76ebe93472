"""`%watch` and `%%watch`: a call, or a whole cell, is run as it is, and watched."""

from __future__ import annotations

import ast
import shlex
from argparse import ArgumentParser, Namespace
from io import StringIO
from types import FunctionType
from typing import Any, NoReturn

from IPython.core.magic import Magics as Base
from IPython.core.magic import line_cell_magic, magics_class
from IPython.display import display

from crashlab import watch
from crashlab.base.errors import CrashlabError, cut, shown, told
from crashlab.lab.watch import Watch
from crashlab.watch import views
from crashlab.watch.recorder import LAST

VIEWS = {name: getattr(views, name) for name in views.__all__ if name.islower()}
USAGE = (
    "%%watch [--watch a,b] [--show \"{'a': bars}\"] [--every a] [--max-events 20000] [--board state] [--predict] [f(3)]"
)


class Options(ArgumentParser):
    """What can stand behind the name of the magic; what is wrong is told in one sentence."""

    def __init__(self) -> None:
        super().__init__("watch", add_help=False)
        for name in ("watch", "show", "every", "max-events", "board"):
            self.add_argument(f"--{name}")
        self.add_argument("--predict", action="store_true")

    def error(self, message: str) -> NoReturn:
        raise CrashlabError(f"{message}: write {USAGE}")


@magics_class
class Magics(Base):
    """The magics of `%load_ext crashlab`."""

    shell: Any

    @line_cell_magic
    def watch(self, line: str, cell: str | None = None) -> Watch | None:
        """Watch a call, as in `%watch fib(5)`, or with `%%watch` all that a cell does."""
        if line.strip() in ("-h", "--help"):
            print(USAGE)
            return None
        found, rest = self.options(line)
        space = self.shell.user_ns
        given: dict[str, Any] = {"every": found.every, "predict": found.predict}
        given["watch"] = [name.strip() for name in found.watch.split(",")] if found.watch else None
        given["show"] = self.value(found.show, VIEWS) if found.show else None
        given["board"] = self.value(found.board, {}) if found.board else None
        given["max_events"] = self.value(found.max_events, {}) if found.max_events else 20_000
        if cell is None:
            function, arguments, named = self.call(rest)
            return Watch(function, *arguments, kwargs=named, **given)
        if rest:
            raise CrashlabError(f"{cut(rest, 40)!r} cannot be understood: write {USAGE}")
        own = {name: given.pop(name) for name in ("watch", "every", "max_events")}
        film = watch.record(self.function(cell), **own)
        value = space.pop(LAST, None)
        if value is not None:
            self.shell.displayhook(value)
        shown = space["_watch"] = Watch(film, **given)
        display(shown)  # type: ignore[no-untyped-call]
        if film.error is not None:
            raise film.error
        return None

    def options(self, line: str) -> tuple[Namespace, str]:
        """The options at the beginning of a line, and what stands behind them."""
        parser = Options()
        words = line.split(maxsplit=1)
        given: list[str] = []
        while words and words[0].startswith("--"):
            if words[0] == "--predict":
                given.append(words[0])
                words = words[1].split(maxsplit=1) if len(words) > 1 else []
                continue
            try:
                stream = StringIO(words[1] if len(words) > 1 else "")
                lexer = shlex.shlex(stream, posix=True)
                lexer.whitespace_split = True
                value = lexer.get_token() or ""
                while words[0] == "--watch" and value.endswith(",") and (more := lexer.get_token()):
                    value += more
                behind = stream.read()
            except ValueError as error:
                parser.error(str(error))
            given += [words[0], value]
            words = behind.split(maxsplit=1)
        return parser.parse_args(given), " ".join(words).strip()

    def value(self, text: str, more: dict[str, Any]) -> Any:
        """What an option says, with the variables of the notebook."""
        try:
            return eval(text, {**more, **self.shell.user_ns})
        except (SyntaxError, NameError) as error:
            raise CrashlabError(f"{shown(text)} cannot be understood ({told(error)}): write {USAGE}") from None

    def call(self, text: str) -> tuple[Any, list[Any], dict[str, Any]]:
        """What a line calls, and with what."""
        try:
            node = ast.parse(text, mode="eval").body
        except SyntaxError:
            node = None
        if not isinstance(node, ast.Call):
            raise CrashlabError(f"give a call to watch, as in %watch fib(5), or watch a cell with {USAGE}")
        space = self.shell.user_ns
        made = ast.Expression(ast.Tuple([node.func, list_of(node), dict_of(node)], ast.Load()))
        function, arguments, named = eval(compile(ast.fix_missing_locations(made), "<watch>", "eval"), space)
        return function, arguments, named

    def function(self, cell: str) -> FunctionType:
        """A cell as a function without parameters, whose variables are those of the notebook."""
        text = self.shell.transform_cell(cell)
        name = self.shell.compile.cache(text, self.shell.execution_count, raw_code=cell)
        tree = ast.parse(text, name)
        if tree.body and isinstance(tree.body[-1], ast.Expr) and not cell.rstrip().endswith(";"):
            last = tree.body[-1]
            tree.body[-1] = ast.copy_location(ast.Assign([ast.Name(LAST, ast.Store())], last.value), last)
        code = compile(ast.fix_missing_locations(tree), name, "exec", self.shell.compile.flags)
        return FunctionType(code.replace(co_name="cell"), self.shell.user_ns, "cell")


def list_of(node: ast.Call) -> ast.expr:
    """The arguments of a call by their places."""
    return ast.List(node.args, ast.Load())


def dict_of(node: ast.Call) -> ast.expr:
    """The arguments of a call by their names."""
    keys: list[ast.expr | None] = [None if word.arg is None else ast.Constant(word.arg) for word in node.keywords]
    return ast.Dict(keys, [word.value for word in node.keywords])
