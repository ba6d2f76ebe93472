"""The syntax trees of functions, read once, with the facts about each part that hold for all arguments.

Every expression has these attributes:

    parts   the number of its subexpressions, itself included; statements have it as well
    rows    the rows it takes numbers from
    calls   whether it contains a call
    cheap   whether it may be evaluated even if its value is not needed
    needs   the names it depends on, if it can be computed once they are known; else None
"""

import ast
import inspect
import linecache
import threading
import types
from collections.abc import Callable, Iterator
from textwrap import dedent
from typing import Any

from crashlab.base.errors import CrashlabError
from crashlab.base.syntax import module_tree
from crashlab.compiled.code_fingerprint import records

Function = Callable[..., Any]

FOLD: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: a**b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.LShift: lambda a, b: a << b,
    ast.RShift: lambda a, b: a >> b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.Gt: lambda a, b: a > b,
    ast.LtE: lambda a, b: a <= b,
    ast.GtE: lambda a, b: a >= b,
}
HARMLESS = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Compare)
NOTHING: frozenset[str] = frozenset()


class CannotEmit(CrashlabError):
    """The error for a part of a rule that cannot be compiled, with its line."""


class FunctionText:
    """A function's syntax tree and the facts about it that hold for all arguments."""

    def __init__(self, function: Function, rules: Any, constants: dict[str, int]) -> None:
        self.function, self.rules = function, rules
        self.tree = prepared(function)
        self.params = [arg.arg for arg in self.tree.args.args]
        self.defaults = dict(zip(self.params[::-1], self.tree.args.defaults[::-1], strict=False))
        self.nodes: list[ast.AST] = self.tree.nodes  # type: ignore[attr-defined]
        self.sets: list[ast.AST] = [node for node in self.nodes if isinstance(node, SETS)]
        stored = [node.id for node in self.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        self.stored, self.once = set(stored), {name for name in stored if stored.count(name) == 1}
        self.forward = {name for name in self.once if is_set_first(self.nodes, name)} - set(self.params)
        self.is_door = function.__module__.startswith("crashlab.compiled.wasm")
        self.names = self.stored | set(self.params)
        self.private = private(self.nodes, stored) - set(self.params)
        self.size = sum(getattr(node, "parts", 0) for node in self.tree.body)
        self.static: dict[ast.AST, Any] = {}
        self._named: dict[str, Any] = {**constants} if self.is_door else {}

    def named(self, node: ast.AST) -> Any:
        """Return the global value of a name or of `module.name`; None for local names."""
        if isinstance(node, ast.Name):
            return None if node.id in self.names else self.outer(node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id not in self.names:
            return self.outer(f"{node.value.id}.{node.attr}")
        return None

    def outer(self, name: str) -> Any:
        """Return the global value of a name or of `module.name`, looked up once."""
        if name not in self._named:
            self._named[name] = self._look_up(name)
        return self._named[name]

    def _look_up(self, name: str) -> Any:
        names = self.function.__globals__
        module, _, inner = name.partition(".")
        if inner:
            owner = self.rules if module == "rules" else names.get(module)
            return getattr(owner, inner, None) if isinstance(owner, types.ModuleType) else None
        if name == "HOUSE" and name not in names:  # its value is the number of the function's own house rule
            name = next((other for other in self.function.__code__.co_names if other.startswith("HOUSE_")), name)
        return names.get(name)

    def wrong(self, node: ast.AST, words: str) -> CannotEmit:
        """Return the error for a part that cannot be compiled, with its line."""
        code = self.function.__code__
        number = getattr(node, "lineno", code.co_firstlineno)
        line = linecache.getline(code.co_filename, number).strip()
        place = f'File "{code.co_filename}", line {number}, in {self.function.__name__}'
        return CannotEmit(f"{place}: `{line}`: {words}; compiled rules can use only whole numbers, rows and the table")


SETS = (ast.For, ast.Assign, ast.Return, ast.AugAssign)
_prepared: dict[types.CodeType, ast.FunctionDef] = {}
_files: dict[str, tuple[list[str], dict[int, ast.FunctionDef]]] = {}
_preparing = threading.RLock()  # two backends may compile at once, and a tree is changed in place


def prepared(function: Function) -> ast.FunctionDef:
    """Return a function's syntax tree, without docstring and records and with all facts, prepared once."""
    code = function.__code__
    with _preparing:
        if code not in _prepared:
            tree = Plainer().visit(Unpacked(records(function)).visit(text_of(code)))
            if ast.get_docstring(tree, clean=False) is not None:
                del tree.body[0]
            tree.nodes = [inner for node in tree.body for inner in walk(node)]
            for node in (*tree.body, *tree.args.defaults):
                learn(node)
            _prepared[code] = tree
        return _prepared[code]


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all nodes in it, in source order."""
    yield node
    for inner in ast.iter_child_nodes(node):
        yield from walk(inner)


def private(nodes: list[ast.AST], stored: list[str]) -> set[str]:
    """Return the names that are only loop targets and are not used outside their loops."""
    loops: dict[str, list[ast.For]] = {}
    for node in nodes:
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            loops.setdefault(node.target.id, []).append(node)
    names = set()
    for name, uses in loops.items():
        everywhere = sum(isinstance(node, ast.Name) and node.id == name for node in nodes)
        bodies = [statement for loop in uses for statement in loop.body]
        inside = sum(isinstance(n, ast.Name) and n.id == name for statement in bodies for n in walk(statement))
        # nested loops over one name fail this, as they count twice
        if stored.count(name) == len(uses) and everywhere == inside + len(uses):
            names.add(name)
    return names


def is_set_first(nodes: list[ast.AST], name: str) -> bool:
    """Return whether a name that is set only once is set by an assignment before the source uses it."""
    uses = [node for node in nodes if isinstance(node, ast.Name) and node.id == name]
    setting = [node for node in nodes if isinstance(node, ast.Assign) and uses[0] in node.targets]
    inside = list(walk(setting[0].value)) if setting else []
    return bool(setting) and not any(use in inside for use in uses)


def text_of(code: types.CodeType) -> ast.FunctionDef:
    """Return the syntax tree of a function from its file or notebook cell; raise CannotEmit without a source."""
    lines = linecache.getlines(code.co_filename)
    cached = _files.get(code.co_filename)
    if cached is None or cached[0] is not lines:
        try:
            whole = {node.lineno: node for node in functions("".join(lines))}
        except SyntaxError:  # a notebook cell can contain more than Python
            whole = {}
        cached = _files[code.co_filename] = lines, whole
    first = code.co_firstlineno
    if first not in cached[1]:
        try:
            (function,) = functions(dedent("".join(inspect.getblock(lines[first - 1 :]))))
        except (SyntaxError, ValueError, IndexError):
            raise CannotEmit(f"the source of {code.co_name} cannot be found") from None
        cached[1][first] = ast.increment_lineno(function, first - 1)
    return cached[1][first]


def functions(lines: str) -> Iterator[ast.FunctionDef]:
    """Yield the functions defined in these lines, lambdas as functions with a `return`."""
    for node in ast.walk(module_tree(lines)):
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.Lambda):
            # `type_params` is a field since Python 3.12
            rest: dict[str, Any] = {"body": [ast.Return(node.body, lineno=node.lineno)], "type_params": []}
            yield ast.FunctionDef("<lambda>", node.args, decorator_list=[], lineno=node.lineno, **rest)


class Unpacked(ast.NodeTransformer):
    """A transformer that replaces each record by its fields, which are names like `record.field`."""

    def __init__(self, records: dict[str, tuple[str, ...]]) -> None:
        self.parts = {
            name: [ast.Name(f"{name}.{field}", ast.Load()) for field in fields] for name, fields in records.items()
        }

    def visit_arg(self, node: ast.arg) -> Any:
        """Make each field of a record a parameter."""
        return [ast.arg(part.id) for part in self.parts[node.arg]] if node.arg in self.parts else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Make each field of a record an argument."""
        self.generic_visit(node)
        node.args = [part for value in node.args for part in self.parts.get(getattr(value, "id", ""), [value])]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Write a field of a record as a name."""
        is_field = isinstance(node.value, ast.Name) and node.value.id in self.parts
        return ast.Name(ast.unparse(node), node.ctx, lineno=node.lineno) if is_field else self.generic_visit(node)


class Plainer(ast.NodeTransformer):
    """A transformer that reduces statements to fewer kinds with the same meaning."""

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """Split `a, b = (c, d) if test else (e, f)` into an `if` with two assignments."""
        if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.IfExp):
            ways = [
                [self.visit(ast.Assign(node.targets, value, lineno=node.lineno))]
                for value in (node.value.body, node.value.orelse)
            ]
            return ast.If(node.value.test, *ways, lineno=node.lineno)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Drop the annotation."""
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else ast.Pass()

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Write `a += b` as `a = a + b`; keep it for items, whose index must be evaluated only once."""
        if not isinstance(node.target, ast.Name):
            return node
        name = ast.Name(node.target.id, ast.Load(), lineno=node.lineno)
        value = ast.BinOp(name, node.op, node.value, lineno=node.lineno)
        return ast.Assign([node.target], value, lineno=node.lineno)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Transform the statements of the body."""
        node.body = [self.visit(statement) for statement in node.body]
        return node


def learn(node: Any) -> None:
    """Set the attributes listed at the top of this module on a node and on all nodes in it."""
    for child in ast.iter_child_nodes(node):
        learn(child)
    node.parts = sum(getattr(child, "parts", 0) for child in ast.iter_child_nodes(node))
    if isinstance(node, ast.expr):
        learn_value(node)


def learned(node: Any, model: ast.expr) -> Any:
    """Prepare a generated node: copy the position of `model`, and set the attributes as `learn` does."""
    learn(ast.copy_location(node, model))
    return node


def learn_value(node: Any) -> None:
    """Set the attributes of an expression from those of its parts."""
    inner: list[Any] = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    kind = type(node)
    node.parts += 1
    node.rows = [row for child in inner for row in child.rows]
    node.rows += [node.value] if kind is ast.Subscript else []
    node.calls = kind is ast.Call or any(child.calls for child in inner)
    node.cheap = kind in HARMLESS and all(child.cheap for child in inner) and is_safe(node)
    node.needs = needs(node, inner)


def is_safe(node: Any) -> bool:
    """Return whether an expression can be evaluated early: it divides only by non-zero constants and nests no index."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv | ast.Mod | ast.Pow | ast.Div):
        return isinstance(node.right, ast.Constant) and node.right.value != 0
    if isinstance(node, ast.Subscript):  # a value read from beyond the end of a row must not become an index
        return not any(isinstance(inner, ast.Subscript) for inner in ast.walk(node.slice))
    return True


def needs(node: Any, inner: list[Any]) -> frozenset[str] | None:
    """Return the names that an expression depends on; None if it cannot be computed from them."""
    match node:
        case ast.Constant(value=int() | float()) | ast.Call(func=ast.Name(id="len"), args=[ast.Attribute()]):
            return NOTHING
        case ast.Name(id=name):
            return frozenset([name])
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return frozenset([f"{module}.{name}"])
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            return frozenset([name])
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            of_index: frozenset[str] | None = index.needs  # type: ignore[attr-defined]
            return None if of_index is None else of_index | {name}
        case ast.UnaryOp() | ast.BinOp() | ast.IfExp() | ast.BoolOp() | ast.Compare(ops=[_]):
            names = [part.needs for part in inner]
            return None if None in names else frozenset().union(*names)
    return None
