"""The statements of a file or cell, with their lines and names, from the source alone."""

from __future__ import annotations

import ast
import dis
import inspect
import linecache
import warnings
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from textwrap import dedent
from types import CodeType
from typing import Any

from crashlab.base.syntax import module_tree

LEAVES = (ast.Return, ast.Break, ast.Continue)  # statements that swallow an exception if they are in `finally`

PLAIN = (
    *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.While, ast.For, ast.Return, ast.Pass, ast.Break),
    *(ast.Continue, ast.Assert, ast.Delete, ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop),
    *(ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Slice, ast.Attribute),
    *(ast.Tuple, ast.List, ast.Dict, ast.Set, ast.IfExp, ast.Starred, ast.JoinedStr, ast.FormattedValue, ast.NamedExpr),
    *(ast.keyword, ast.Yield, ast.ExceptHandler, ast.Raise, ast.Nonlocal, ast.Global),
)  # nodes with known effects
HARMLESS = frozenset(
    "len range min max abs int str float bool sum sorted list dict set tuple enumerate zip reversed all any round"
    " isinstance ord chr repr print divmod frozenset deque".split()
)  # functions that change nothing
MOVES = frozenset("append appendleft insert extend extendleft pop popleft remove reverse sort clear rotate".split())
SET_MOVES = frozenset(
    "add discard remove clear pop update intersection_update difference_update symmetric_difference_update".split()
)
CHANGING = MOVES | SET_MOVES | {"move_to_end", "popitem", "setdefault"}  # methods that change only their container
METHODS = CHANGING | frozenset(
    "get items keys values count index copy join split strip lower upper startswith endswith".split()
)
CHANGING_FIRST = frozenset(
    "heapify heappop heappush heappushpop heapreplace insort insort_left insort_right shuffle".split()
)  # functions that change their first argument


CLEARS = "LOAD_FAST_AND_CLEAR"  # the instruction that begins a comprehension in the frame of its function
PARTS_OF_TESTS = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.Lambda, ast.IfExp),
)  # parts of a test that are replaced by their values
OPPOSITES: dict[type, type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}  # without <, because its negation is not >= for all values
PLACES = (ast.Name, ast.Attribute)  # nodes that refer to an object without a call
TARGETS = (*PLACES, ast.Subscript)
SourceSpot = tuple[int, int]  # a line and a column
Extent = tuple[SourceSpot, SourceSpot]  # the start and the end of a node


@dataclass(frozen=True, eq=False)
class Touch:
    """A container that a statement may change in place, and its key if only one may change."""

    place: ast.expr
    key: ast.expr | None = None
    is_read: bool = False  # only read, which may still create an element or resume a generator
    is_called: bool = False  # called, which makes no unnoticed change if the function is traced


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement, the head of a compound statement, or all statements on one line."""

    line: int
    last: int
    source: str = ""
    nodes: tuple[ast.AST, ...] = ()
    names: Sequence[str] = ()  # the names in it, in order
    stores: Sequence[str] = ()  # the names that it binds
    touches: tuple[Touch, ...] | None = None  # containers it may change; None if it may change anything
    sorts: bool = False  # whether it sorts a list, which is empty meanwhile
    is_caught: bool = False  # whether code around it in the same file catches every exception
    shifts: bool = False  # whether its places may change while it runs, because of a call or an earlier target
    parts: tuple[tuple[SourceSpot, SourceSpot, Statement], ...] = ()  # statements of one line, with their extents
    test: ast.expr | None = None  # the test that decides whether its body runs
    body: tuple[int, int] = (0, 0)  # the first and last line of the body, if it has lines of its own


Test = ast.If | ast.While | ast.Assert | ast.match_case | ast.expr  # the last in a comprehension


class Condition:
    """A test as it is written.

    line, source  the line and the text of its statement
    leaves, parts its parts with values of their own, and their sources
    spellings     its text if it fails and if it holds, with marks for the parts; None for a single part
    is_negated    whether a single part is negated
    """

    def __init__(self, node: Test, subject: ast.expr | None, at: Statement) -> None:
        self.line, self.source, self.is_negated = at.line, at.source, False
        self.leaves: list[ast.expr] = []
        self.spellings: tuple[str, str] | None = None
        guard = node.guard if isinstance(node, ast.match_case) else None
        test: Any = guard or (node if isinstance(node, ast.expr) else getattr(node, "test", subject))
        test = marked(test or ast.Constant(None), self.leaves)
        self.parts = [source_of(leaf) for leaf in self.leaves]
        if isinstance(node, ast.match_case) and guard is None:
            self.spellings = "", f"{ast.unparse(test)} matches {ast.unparse(node.pattern)}"
            return
        opposite: ast.expr = ast.UnaryOp(ast.Not(), test)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            opposite = test.operand
        elif isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in OPPOSITES:
            opposite = ast.Compare(test.left, [OPPOSITES[type(test.ops[0])]()], test.comparators)
        self.is_negated = isinstance(opposite, ast.Name)
        if not isinstance(test, ast.Name) and not self.is_negated:
            self.spellings = ast.unparse(opposite), ast.unparse(test)


def marked(node: ast.expr, leaves: list[ast.expr], is_test: bool = True) -> ast.expr:
    """Return a copy of a test with marks for the parts that have values, and append these to `leaves`."""
    if isinstance(node, PARTS_OF_TESTS) or not is_test and isinstance(node, ast.BoolOp | ast.Compare):
        leaves.append(node)
        return ast.Name(f"«{len(leaves) - 1}»", ast.Load())
    duplicate = copy(node)
    is_test = is_test and (isinstance(node, ast.BoolOp) or isinstance(getattr(node, "op", None), ast.Not))
    for name, part in ast.iter_fields(node):
        if isinstance(part, list):
            new = [marked(child, leaves, is_test) if isinstance(child, ast.expr) else child for child in part]
            setattr(duplicate, name, new)
        elif isinstance(part, ast.expr):
            setattr(duplicate, name, marked(part, leaves, is_test))
    return duplicate


def source_of(node: ast.expr) -> str:
    """Return the source of an expression, without brackets around a generator that is the only argument of a call."""
    text = ast.unparse(node)
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and not call.keywords and [*map(type, call.args)] == [ast.GeneratorExp]:
            generator = ast.unparse(call.args[0])
            text = text.replace(f"({generator})", generator)
    return text


def leaves_block(block: Sequence[ast.stmt]) -> bool:
    """Return whether a block never reaches its end."""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return leaves_block(last.body) and leaves_block(last.orelse)
    return isinstance(last, (*LEAVES, ast.Raise))


class SourceText:
    """The statements of a file or cell by line. Without its source, a statement has only its line number."""

    def __init__(self, file: str) -> None:
        self.file = file
        raw_lines = [] if file == "<string>" else linecache.getlines(file)  # code run by `exec` has no lines
        self.lines = [line.rstrip("\n") for line in raw_lines]
        self._statements: dict[int, Statement] = {}
        self._apart: list[CodeType] | None = None
        try:
            tree = module_tree("\n".join(self.lines))
        except (SyntaxError, ValueError, RecursionError):  # not the source of the code that ran
            self.lines, tree = [], ast.Module([], [])
        self._find(tree)
        self._tests: dict[int, tuple[Test, bool]] = {}  # by id of a statement, the test that lets it run
        self._subjects: dict[int, ast.expr] = {}  # by id of a case, the subject of its match
        self._conditions: dict[int, Condition] = {}
        self._govern(getattr(tree, "body", []), None)

    def _govern(self, block: Sequence[ast.stmt], test: tuple[Test, bool] | None) -> None:
        """Record the test that lets each statement of a block run, and whether it must hold."""
        for node in block:
            if test is not None:
                self._tests[id(node)] = test
            inner = None if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else test
            is_test = isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Constant)
            for case in getattr(node, "cases", ()):
                self._subjects[id(case)] = node.subject  # type: ignore[attr-defined]
                self._govern(case.body, (case, True))
            self._govern(getattr(node, "body", ()), (node, True) if is_test else inner)  # type: ignore[arg-type]
            self._govern(getattr(node, "orelse", ()), (node, False) if is_test else inner)  # type: ignore[arg-type]
            self._govern(getattr(node, "finalbody", ()), inner)
            for handler in getattr(node, "handlers", ()):
                self._govern(handler.body, inner)
            if isinstance(node, ast.Assert):
                test = node, True
            elif isinstance(node, ast.If) and leaves_block(node.body) is not leaves_block(node.orelse):
                test = self._after(node)

    def _after(self, node: ast.If) -> tuple[Test, bool]:
        """Return the test that lets the statements below an `if` run when one of its branches leaves the block."""
        holds = leaves_block(node.orelse)
        last = node.orelse[-1] if node.orelse else None
        while not holds and isinstance(last, ast.If) and len(node.orelse) == 1 and leaves_block(last.body):
            node, last = last, last.orelse[-1] if last.orelse else None
        return node, holds

    def test_of(self, node: ast.AST) -> tuple[Test, bool] | None:
        """Return the innermost test that lets a statement run, and whether it must hold, or None."""
        return self._tests.get(id(node))

    def condition(self, node: Test) -> Condition:
        """Return the Condition of a test, built once."""
        if id(node) not in self._conditions:
            line = node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno
            self._conditions[id(node)] = Condition(node, self._subjects.get(id(node)), self[line])
        return self._conditions[id(node)]

    def __getitem__(self, line: int) -> Statement:
        """Return the statement on a line."""
        if line not in self._statements:
            source = self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""
            self._statements[line] = Statement(line, line, source)
        return self._statements[line]

    def block(self, first: int) -> tuple[str, ...]:
        """Return the lines of the function that begins on a line."""
        return tuple(self.lines[first - 1 : getattr(self._function(first), "end_lineno", first)])

    def _function(self, first: int) -> ast.AST:
        """Return the function that begins on a line; an empty module if it is unknown."""
        return self._functions.get(first, ast.Module([], []))

    def lambda_of(self, code: CodeType) -> ast.Lambda | None:
        """Return the `lambda` whose body contains a code's instructions; None if it is missing or has defaults."""
        steps = [(line or 0, column or 0) for line, _, column, end in code.co_positions() if column != end]
        for node in reversed(self._lambdas.get(code.co_firstlineno, ())):  # inner ones first
            first, last = extent(node.body)
            if steps and first <= steps[-1] < last:
                return node if len(node.args.args) == code.co_argcount and not node.args.defaults else None
        return None

    def calls_itself(self, first: int, name: str) -> bool:
        """Return whether a function names itself; an attribute with the name of a container's method does not count."""
        inner = (node for node in ast.walk(self._function(first)) if not ast.unparse(node).startswith("super()."))
        fields = {"id"} if name in METHODS else {"id", "attr"}
        return any(getattr(node, field, "") == name for node in inner for field in fields)

    def apart(self, code: CodeType) -> CodeType:
        """Return an equivalent code whose comprehensions are functions, with the same variables on every Python.

        Since Python 3.12 the variables of a function include those of its comprehensions, in another order.
        """
        if not has_inlined(code):
            return code
        if not code.co_flags & inspect.CO_OPTIMIZED:  # a cell or a class, with its variables in a dict
            return compile("", self.file, "exec")
        if self._apart is None:
            self._apart = codes_in(separated("\n".join(self.lines), self.file))
        names = {*code.co_varnames, *code.co_cellvars}
        mark = code.co_name, code.co_firstlineno, parameters(code)
        same = (one for one in self._apart if (one.co_name, one.co_firstlineno, parameters(one)) == mark)
        return next((one for one in same if names.issuperset((*one.co_varnames, *one.co_cellvars))), code)

    def changing(self, first: int) -> set[str]:
        """Return the names that a function declares global or whose values it changes in place."""
        names: set[str] = set()
        for node in ast.walk(self._function(first)):
            inside: ast.expr | None = None
            if isinstance(node, ast.Global):
                names.update(node.names)
            elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
                inside = node.value
            elif isinstance(node, ast.Call):
                name = ast.unparse(node.func).rpartition(".")[2]
                if isinstance(node.func, ast.Attribute) and name in CHANGING:
                    inside = node.func.value
                elif node.args and name in CHANGING_FIRST:
                    inside = node.args[0]
            if inside is not None and (name := root(inside)):
                names.add(name)
        return names

    def _find(self, tree: ast.AST) -> None:
        """Index the statements of the whole file, the outer ones before the inner ones."""
        self._functions: dict[int, ast.AST] = {}  # by first line
        self._lambdas: dict[int, list[ast.Lambda]] = {}  # by first line, outer ones first
        self.hidden: dict[ast.AST, dict[str, bool]] = {}  # outer variables: of a `lambda` (True), a comprehension
        self.nonlocals: set[str] = set()  # the names that an inner function may bind
        by_line: dict[int, list[ast.AST]] = {}
        caught: set[int] = set()
        ending: dict[int, list[str]] = {}  # by line, the names bound to exceptions until the end of a handler
        for node in ast.walk(tree):
            if isinstance(node, ast.Nonlocal):
                self.nonlocals.update(node.names)
            if isinstance(node, ast.Try) and catches_all(node):
                caught.update(range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1))
            if isinstance(node, ast.ExceptHandler) and node.name:
                for line in range(node.lineno, (node.body[-1].end_lineno or 0) + 1):
                    ending.setdefault(line, []).append(node.name)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                self._functions[first_line(node)] = node
            if isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
                targets = [node.args] if isinstance(node, ast.Lambda) else [part.target for part in node.generators]
                names = [getattr(part, "arg", getattr(part, "id", "")) for top in targets for part in ast.walk(top)]
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Lambda) and inner is not node:
                        self.hidden.setdefault(inner, {}).update(dict.fromkeys(names, isinstance(node, ast.Lambda)))
            if isinstance(node, ast.Lambda):
                self._lambdas.setdefault(node.lineno, []).append(node)
            if not isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
                continue
            first, last = head(node)
            for line in range(first, last + 1):
                nodes = by_line.get(line, [])
                by_line[line] = [*nodes, node] if nodes and head(nodes[0]) == (first, last) else [node]
        statements: dict[tuple[int, ...], Statement] = {}
        for line, nodes in by_line.items():
            key, beside = tuple(map(id, nodes)), (line in caught, ending.get(line, []))
            if key not in statements:
                whole = self._statement(nodes, *beside)
                if len(nodes) > 1:
                    parts = ((*extent(node), self._statement([node], *beside)) for node in nodes)
                    whole = replace(whole, parts=tuple(parts))
                statements[key] = whole
            self._statements[line] = statements[key]

    def _statement(self, nodes: list[ast.AST], is_caught: bool, ending: list[str]) -> Statement:
        """Build the Statement of nodes that share their lines."""
        first, last = head(nodes[0])
        line = nodes[0].lineno if isinstance(nodes[0], ast.stmt | ast.ExceptHandler) else first
        source = dedent("\n".join(self.lines[line - 1 : last])).strip()
        parts = [part for node in nodes for top in tops(node) for part in ast.walk(top)]
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        stores = ending + [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
        stores += [part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)]
        names, stores = (list(dict.fromkeys(row)) for row in (names, stores))
        touches = touched_by(nodes, parts)
        sorts = any(isinstance(part, ast.Attribute) and part.attr == "sort" for part in parts)
        shifts = any(touch.is_called for touch in touches or ()) or shifts_places(parts)
        reads = names, stores, touches, sorts, is_caught, shifts
        statement = Statement(line, last, source, tuple(nodes), *reads)
        if len(nodes) == 1 and isinstance(node := nodes[0], ast.If | ast.While) and node.body[0].lineno > last:
            return replace(statement, test=node.test, body=(first_line(node.body[0]), node.body[-1].end_lineno or 0))
        return statement


class Separate(ast.NodeTransformer):
    """A transformer that turns comprehensions into generator expressions."""

    def visit_ListComp(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        element = ast.Tuple([node.key, node.value], ast.Load()) if isinstance(node, ast.DictComp) else node.elt
        return ast.copy_location(ast.GeneratorExp(element, node.generators), node)

    visit_SetComp = visit_DictComp = visit_ListComp


def separated(text: str, file: str) -> CodeType:
    """Compile a source with generators instead of comprehensions, without repeating its warnings."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.fix_missing_locations(Separate().visit(module_tree(text, file)))
            code: CodeType = compile(tree, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
            return code
    except (SyntaxError, ValueError, RecursionError):  # not the source of the code that ran
        return compile("", file, "exec")


def has_inlined(code: CodeType) -> bool:
    """Return whether a code object runs comprehensions in its own frame, as Python 3.12 and later do."""
    return dis.opmap.get(CLEARS) in set(code.co_code[::2])


def codes_in(code: CodeType) -> list[CodeType]:
    """Return a code and all codes nested in it."""
    inside = [part for part in code.co_consts if isinstance(part, CodeType)]
    return [code, *(inner for part in inside for inner in codes_in(part))]


def parameters(code: CodeType) -> tuple[str, ...]:
    """Return the names of the parameters of a function."""
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


def extent(node: Any) -> Extent:
    """Return the start and the end of a node, each as a line and a column; of a case without its body."""
    if isinstance(node, ast.match_case):
        return extent(node.pattern)[0], extent(node.guard or node.pattern)[1]
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def touched_by(nodes: list[ast.AST], parts: list[ast.AST]) -> tuple[Touch, ...] | None:
    """Return the containers that a statement may change in place; None if it may change anything."""
    touches: list[Touch] = []
    nodes = [node for node in nodes if not (isinstance(node, ast.FunctionDef) and is_bare(node))]
    methods = {id(part.func) for part in parts if isinstance(part, ast.Call) and is_method(part)}
    for part in (*nodes, *parts):
        if isinstance(part, ast.Call):
            if is_method(part) and isinstance(part.func, ast.Attribute):
                touches.append(Touch(part.func.value))
            elif isinstance(part.func, ast.Name) and part.func.id in HARMLESS:
                if any(word.arg == "key" for word in part.keywords):
                    return None
                touches += [Touch(arg, is_read=True) for arg in part.args if isinstance(arg, PLACES)]
            elif isinstance(part.func, PLACES):
                touches.append(Touch(part.func, is_called=True))
                name = part.func.attr if isinstance(part.func, ast.Attribute) else part.func.id
                if name in CHANGING_FIRST and part.args:
                    touches.append(Touch(part.args[0]))
            else:
                return None
        elif isinstance(part, ast.For) and isinstance(part.iter, PLACES):
            touches.append(Touch(part.iter, is_read=True))
        elif isinstance(part, ast.AugAssign):
            touches.append(Touch(loaded(part.target)))
        elif isinstance(part, ast.Subscript):
            is_one = isinstance(part.ctx, ast.Store) and not isinstance(part.slice, ast.Slice)
            touches.append(Touch(part.value, part.slice if is_one else None, isinstance(part.ctx, ast.Load)))
        elif isinstance(part, ast.Attribute) and not isinstance(part.ctx, ast.Load):
            touches.append(Touch(part.value))
        elif not isinstance(part, PLAIN) and id(part) not in methods:
            return None
    return tuple(touches)


def shifts_places(parts: list[ast.AST]) -> bool:
    """Return whether a statement assigns something that it reads to find a later target."""
    inner = {part.target.id for part in parts if isinstance(part, ast.NamedExpr)}  # assigned before all targets
    if any(isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and part.id in inner for part in parts):
        return True
    targets = [part for part in parts if isinstance(part, TARGETS) and not isinstance(part.ctx, ast.Load)]
    stored: set[object] = {*inner}
    for target in sorted(targets, key=extent):
        if any(mark(part) in stored for part in ast.walk(target) if part is not target):
            return True
        stored.add(mark(target))
    return False


def mark(node: ast.AST) -> object:
    """Return what two nodes have in common if they may be one variable, attribute or element."""
    return getattr(node, "id", getattr(node, "attr", type(node)))


def is_bare(node: ast.FunctionDef) -> bool:
    """Return whether the definition of a function calls no code: no decorators, only constants as defaults."""
    defaults = (*node.args.defaults, *node.args.kw_defaults)
    return not node.decorator_list and all(default is None or isinstance(default, ast.Constant) for default in defaults)


def is_method(call: ast.Call) -> bool:
    """Return whether a call looks like a container's method, which calls no other code."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in METHODS and not call.keywords


def catches_all(node: ast.Try) -> bool:
    """Return whether a `try` lets no exception out of its body."""
    handlers = [handler.type for handler in node.handlers]
    return any(kind is None or isinstance(kind, ast.Name) and kind.id == "BaseException" for kind in handlers) or any(
        isinstance(part, LEAVES) for statement in node.finalbody for part in ast.walk(statement)
    )


def first_line(node: Any) -> int:
    """Return the first line of a statement, with its decorators."""
    if type(node) is ast.match_case:
        return node.pattern.lineno
    lines: list[int] = [part.lineno for part in (node, *getattr(node, "decorator_list", ()))]
    return min(lines)


def head(node: ast.AST) -> tuple[int, int]:
    """Return the first and the last line of a statement without its body."""
    first = first_line(node)
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if isinstance(body, list):
        return first, max(first, getattr(node, "lineno", first), first_line(body[0]) - 1)
    return first, getattr(node, "end_lineno", None) or first


def tops(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a statement that are not statements."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield part


def root(place: ast.expr) -> str:
    """Return the name at the start of a place, or an empty string."""
    while isinstance(place, ast.Subscript | ast.Attribute):
        place = place.value
    return place.id if isinstance(place, ast.Name) else ""


def loaded(place: ast.expr) -> ast.expr:
    """Return the target of an assignment as an expression that reads it."""
    if isinstance(place, ast.Subscript):
        return ast.Subscript(place.value, place.slice, ast.Load())
    if isinstance(place, ast.Attribute):
        return ast.Attribute(place.value, place.attr, ast.Load())
    return ast.Name(place.id, ast.Load()) if isinstance(place, ast.Name) else place
