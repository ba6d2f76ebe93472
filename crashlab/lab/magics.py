"""The magics `%watch` and `%%watch`, which run a call or a whole cell unchanged, and watch it."""

import ast
from argparse import REMAINDER, Namespace
from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics as Base
from IPython.core.magic import line_cell_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import display

from crashlab import watch
from crashlab.base.errors import CrashlabError, require, short_repr, short_str, truncate
from crashlab.base.syntax import expression_tree, module_tree
from crashlab.lab.watch import Watch
from crashlab.watch import views
from crashlab.watch.traced_code import LAST
from crashlab.watch.views.choose_view import kinds

VIEWS = {name: getattr(views, name) for name in views.__all__ if name.islower()}
USAGE = (
    "%%watch [--watch a,b] [--show \"{'a': bars}\"] [--every a] [--max-events 20000] [--board state] [--returns]"
    " [--tests] [--predict] [--poll] [f(3)]"
)


OPTIONS: dict[str, dict[str, Any]] = {
    "--watch": {"metavar": "a,b", "help": "the variables to watch"},
    "--show": {"metavar": "DICT", "help": "how variables are drawn, such as {'a': bars}"},
    "--every": {"metavar": "a", "help": "one beat for each change of this variable"},
    "--max-events": {"metavar": "N", "help": "the maximum number of changes to record"},
    "--board": {"metavar": "STATE", "help": "show the film on the board of this state"},
    "--returns": {"action": "store_true", "help": "also record every return of a call"},
    "--tests": {"action": "store_true", "help": "also record the outcome of every test"},
    "--predict": {"action": "store_true", "help": "ask what comes next"},
    "--poll": {"action": "store_true", "help": "let a class vote on what comes next"},
    "call": {"nargs": REMAINDER, "help": "the call to watch, such as fib(3); not needed for a cell"},
}  # the options after the name of the magic


def with_options(magic: Callable[..., Any]) -> Any:
    """Return a magic with OPTIONS added, for IPython's parser and help."""
    for name, settings in reversed(OPTIONS.items()):
        magic = argument(name, **settings)(magic)  # type: ignore[no-untyped-call]
    return magic_arguments()(magic)  # type: ignore[no-untyped-call]


@magics_class
class Magics(Base):
    """The magics of `%load_ext crashlab`."""

    shell: Any

    @with_options
    @line_cell_magic
    def watch(self, line: str, cell: str | None = None) -> Watch | None:
        """Watch a call, as in `%watch fib(5)`, or with `%%watch` a whole cell."""
        if line.strip() in ("-h", "--help"):
            print(USAGE)
            return None
        options, rest = self.options(line)
        space = self.shell.user_ns
        keywords: dict[str, Any] = {
            "every": options.every,
            "predict": options.predict or options.poll,
            "tests": options.tests,
        }
        keywords["poll"] = options.poll
        keywords["returns"] = options.returns or None
        keywords["watch"] = [name.strip() for name in options.watch.split(",")] if options.watch else None
        keywords["show"] = kinds(self.value(options.show, VIEWS)) if options.show else None
        keywords["board"] = self.value(options.board, {}) if options.board else None
        keywords["max_events"] = self.value(options.max_events, {}) if options.max_events else 20_000
        if cell is None:
            function, arguments, named_arguments = self.call(rest)
            return Watch(function, *arguments, kwargs=named_arguments, **keywords)
        require(not rest, f"{truncate(rest, 40)!r} cannot be understood: write {USAGE}")
        recording = {name: keywords.pop(name) for name in ("watch", "every", "max_events", "returns", "tests")}
        film = watch.record(self.function(cell), **recording)
        value = space.pop(LAST, None)
        if value is not None:
            self.shell.displayhook(value)
        try:
            panel = Watch(film, **keywords)
        except CrashlabError:  # the cell has been run, so its film must stay available
            space["_watch"] = Watch(film)
            display(space["_watch"])  # type: ignore[no-untyped-call]
            raise
        space["_watch"] = panel
        display(panel)  # type: ignore[no-untyped-call]
        if film.error is not None:
            trace = film.error.__traceback__
            film.error._render_traceback_ = lambda: self.traceback(film.error, trace)  # type: ignore[attr-defined]
            raise film.error
        return None

    def traceback(self, error: BaseException | None, trace: TracebackType | None) -> list[str]:
        """Return the traceback of an error without the frames of crashlab, as in a plain cell."""
        lines: list[str] = self.shell.InteractiveTB.structured_traceback(type(error), error, trace, tb_offset=0)
        for number, line in enumerate(lines):
            header, end, rest = line.partition("\n")
            if header.find("cell") > (place := header.find(", in ")) >= 0 and "()" in header:
                lines[number] = header[:place] + end + rest
                break
        return lines

    def options(self, line: str) -> tuple[Namespace, str]:
        """Return the options at the start of a line, and the rest of the line."""
        try:
            options: Namespace = parse_argstring(self.watch, line)  # type: ignore[no-untyped-call]
        except (UsageError, ValueError) as error:
            raise CrashlabError(f"{short_str(error)}: write {USAGE}") from None
        for name, value in vars(options).items():
            if isinstance(value, str) and value[:1] == value[-1:] in ("'", '"'):
                setattr(options, name, value[1:-1])
        while options.watch and options.watch.endswith(",") and options.call:  # as in `--watch a, b`
            options.watch += options.call.pop(0)
        if options.call and options.call[0].startswith("--"):  # more options follow
            more, rest = self.options(" ".join(options.call))
            return Namespace(
                **{**vars(options), **{name: setting for name, setting in vars(more).items() if setting}}
            ), rest
        words = " ".join(options.call)
        place = next((n for n in range(len(line)) if line[n:].split() == words.split()), len(line))
        return options, line[place:].strip() if words else ""

    def value(self, text: str, more: dict[str, Any]) -> Any:
        """Return the value of an option, evaluated with the variables of the notebook."""
        try:
            return eval(text, {**self.shell.user_ns, **more})
        except (SyntaxError, NameError) as error:
            raise CrashlabError(
                f"{short_repr(text)} cannot be understood ({short_str(error)}): write {USAGE}"
            ) from None

    def call(self, text: str) -> tuple[Any, list[Any], dict[str, Any]]:
        """Return the function, the arguments and the keywords of a call."""
        try:
            node = expression_tree(text)
        except SyntaxError:
            node = None
        if not isinstance(node, ast.Call):
            raise CrashlabError(f"give a call to watch, such as %watch fib(5), or watch a cell with {USAGE}")
        space = self.shell.user_ns
        tree = ast.Expression(ast.Tuple([node.func, ast.List(node.args, ast.Load()), dict_of(node)], ast.Load()))
        function, arguments, named_arguments = eval(compile(ast.fix_missing_locations(tree), "<watch>", "eval"), space)
        return function, arguments, named_arguments

    def function(self, cell: str) -> FunctionType:
        """Return a cell as a function without parameters; its globals are the variables of the notebook.

        The function stores the value of a last expression in the variable LAST.
        """
        text = self.shell.transform_cell(cell)
        is_counted = (
            self.shell.history_manager.input_hist_raw[-1].rstrip().endswith(cell.rstrip())
        )  # already by IPython
        name = self.shell.compile.cache(text, self.shell.execution_count - is_counted, raw_code=cell)
        tree = module_tree(text, name)
        if tree.body and isinstance(tree.body[-1], ast.Expr) and not cell.rstrip().endswith(";"):
            last = tree.body[-1]
            tree.body[-1] = ast.copy_location(ast.Assign([ast.Name(LAST, ast.Store())], last.value), last)
        code = compile(ast.fix_missing_locations(tree), name, "exec", self.shell.compile.flags)
        return FunctionType(code.replace(co_name="cell"), self.shell.user_ns, "cell")


def dict_of(node: ast.Call) -> ast.expr:
    """Return the keyword arguments of a call as a dict expression."""
    keys: list[ast.expr | None] = [None if word.arg is None else ast.Constant(word.arg) for word in node.keywords]
    return ast.Dict(keys, [word.value for word in node.keywords])
