"""The statements of a file or a cell: which lines they take, what they read. Nothing is evaluated."""

from __future__ import annotations

import ast
import dis
import inspect
import linecache
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from textwrap import dedent
from types import CodeType
from typing import Any

from crashlab.base.syntax import module_tree

LEAVES = (ast.Return, ast.Break, ast.Continue)  # what ends an exception where it stands in `finally`

PLAIN = (
    *(ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.While, ast.For, ast.Return, ast.Pass, ast.Break),
    *(ast.Continue, ast.Assert, ast.Delete, ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop),
    *(ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Slice, ast.Attribute),
    *(ast.Tuple, ast.List, ast.Dict, ast.Set, ast.IfExp, ast.Starred, ast.JoinedStr, ast.FormattedValue, ast.NamedExpr),
    *(ast.keyword, ast.Yield, ast.ExceptHandler, ast.Raise, ast.Nonlocal, ast.Global),
)  # what a statement may be made of of which is known what it can change
HARMLESS = frozenset(
    "len range min max abs int str float bool sum sorted list dict set tuple enumerate zip reversed all any round"
    " isinstance ord chr repr print divmod frozenset deque".split()
)  # functions that change nothing
METHODS = frozenset({*dir(list), *dir(dict), *dir(set), *dir(str), *dir(deque)})
MOVES = frozenset("append appendleft insert extend extendleft pop popleft remove reverse sort clear rotate".split())
SET_MOVES = frozenset(
    "add discard remove clear pop update intersection_update difference_update symmetric_difference_update".split()
)
CHANGING = MOVES | SET_MOVES | {"move_to_end", "popitem", "setdefault"}  # what changes a container, and nothing else
METHODS = CHANGING | frozenset(
    "get items keys values count index copy join split strip lower upper startswith endswith".split()
)
CHANGING_FIRST = frozenset(
    "heapify heappop heappush heappushpop heapreplace insort insort_left insort_right shuffle".split()
)  # functions that change what they are given first


CLEARS = "LOAD_FAST_AND_CLEAR"  # the step that begins a comprehension in the frame of its function
PARTS_OF_TESTS = (
    *(ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.Lambda, ast.IfExp),
)  # what is spelled by its value
OPPOSITES: dict[type, type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}  # of < it is not >= for all values
PLACES = (ast.Name, ast.Attribute)  # where something is found without calling anything
SourceSpot = tuple[int, int]  # a line and a column


@dataclass(frozen=True, eq=False)
class Touch:
    """A container that a statement may change in place, and where, if it is only at one key."""

    place: ast.expr
    key: ast.expr | None = None
    is_read: bool = False  # it is only asked for what it holds, which a container may make, or a generator, just then
    is_called: bool = False  # it is called, which changes nothing unnoticed if it is a function that is traced


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement, or the head of one that has others in it, or all that stand on one line."""

    line: int
    last: int
    source: str = ""
    nodes: tuple[ast.AST, ...] = ()
    names: Sequence[str] = ()  # in it, in their order
    stores: Sequence[str] = ()  # those that it binds
    touches: tuple[Touch, ...] | None = None  # all that it may change in place; None if it may change anything
    sorts: bool = False  # whether it sorts a list, which is empty meanwhile
    is_caught: bool = False  # whether something round it in the same file catches every exception
    calls: bool = False  # whether functions are called in it that may do anything to what they can reach
    parts: tuple[tuple[SourceSpot, SourceSpot, Statement], ...] = ()  # of one line: where each begins and ends
    test: ast.expr | None = None  # that decides whether its body is run
    body: tuple[int, int] = (0, 0)  # the lines of that, if they are others


Test = ast.If | ast.While | ast.Assert | ast.match_case


class Condition:
    """A test as it is written.

    line, source  the statement that has it
    leaves, parts its parts that have values of their own, and their sources
    spellings     its text if it fails and if it holds, with marks for these parts; None for one part alone
    is_negated    whether one part alone is negated
    """

    def __init__(self, node: Test, subject: ast.expr | None, at: Statement) -> None:
        self.line, self.source, self.is_negated = at.line, at.source, False
        self.leaves: list[ast.expr] = []
        self.spellings: tuple[str, str] | None = None
        test = marked(node.test if not isinstance(node, ast.match_case) else subject or ast.Constant(None), self.leaves)
        self.parts = [ast.unparse(leaf) for leaf in self.leaves]
        if isinstance(node, ast.match_case):
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
    """Return a copy of a test with marks for its parts that have values of their own, and list these."""
    if isinstance(node, PARTS_OF_TESTS) or not is_test and isinstance(node, ast.BoolOp | ast.Compare):
        leaves.append(node)
        return ast.Name(f"«{len(leaves) - 1}»", ast.Load())
    made = copy(node)
    is_test = is_test and (isinstance(node, ast.BoolOp) or isinstance(getattr(node, "op", None), ast.Not))
    for name, part in ast.iter_fields(node):
        if isinstance(part, list):
            new = [marked(each, leaves, is_test) if isinstance(each, ast.expr) else each for each in part]
            setattr(made, name, new)
        elif isinstance(part, ast.expr):
            setattr(made, name, marked(part, leaves, is_test))
    return made


def leaves_block(block: Sequence[ast.stmt]) -> bool:
    """Return whether a block never comes to its end."""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return leaves_block(last.body) and leaves_block(last.orelse)
    return isinstance(last, (*LEAVES, ast.Raise))


class SourceText:
    """The statements of a file or a cell by their lines. Without the source there are only the lines."""

    def __init__(self, file: str) -> None:
        self.file = file
        known = [] if file == "<string>" else linecache.getlines(file)  # what `exec` runs has no lines
        self.lines = [line.rstrip("\n") for line in known]
        self._statements: dict[int, Statement] = {}
        self._apart: list[CodeType] | None = None
        try:
            tree = module_tree("\n".join(self.lines))
        except (SyntaxError, ValueError, RecursionError):  # it is not what was run
            self.lines, tree = [], ast.Module([], [])
        self._find(tree)
        self._tests: dict[int, tuple[Test, bool]] = {}  # by statements the test that lets them run
        self._subjects: dict[int, ast.expr] = {}  # by cases
        self._conditions: dict[int, Condition] = {}
        self._govern(getattr(tree, "body", []), None)

    def _govern(self, block: Sequence[ast.stmt], test: tuple[Test, bool] | None) -> None:
        """Note which test lets each statement of a block run, and whether it has to hold."""
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
        """Return the test that lets what is below an `if` run, one of whose branches does not come to its end."""
        holds = leaves_block(node.orelse)
        last = node.orelse[-1] if node.orelse else None
        while not holds and isinstance(last, ast.If) and len(node.orelse) == 1 and leaves_block(last.body):
            node, last = last, last.orelse[-1] if last.orelse else None
        return node, holds

    def test_of(self, node: ast.AST) -> tuple[Test, bool] | None:
        """Return the innermost test that let a statement run, and whether it held."""
        return self._tests.get(id(node))

    def condition(self, node: Test) -> Condition:
        """Return what is known of a test."""
        if id(node) not in self._conditions:
            line = node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno
            self._conditions[id(node)] = Condition(node, self._subjects.get(id(node)), self[line])
        return self._conditions[id(node)]

    def __getitem__(self, line: int) -> Statement:
        """The statement that takes this line."""
        if line not in self._statements:
            source = self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""
            self._statements[line] = Statement(line, line, source)
        return self._statements[line]

    def block(self, first: int) -> tuple[str, ...]:
        """The text of the function that begins here."""
        return tuple(self.lines[first - 1 : getattr(self._function(first), "end_lineno", first)])

    def _function(self, first: int) -> ast.AST:
        """The function that begins here; nothing if its text is not known."""
        return self._functions.get(first, ast.Module([], []))

    def lambda_of(self, code: CodeType) -> ast.Lambda | None:
        """The `lambda` with this code: the one in whose text its steps are."""
        steps = [(line or 0, column or 0) for line, _, column, end in code.co_positions() if column != end]
        for made in reversed(self._lambdas.get(code.co_firstlineno, ())):  # the inner ones before those round them
            first, last = extent(made.body)
            if steps and first <= steps[-1] < last:
                return made if len(made.args.args) == code.co_argcount and not made.args.defaults else None
        return None

    def calls_itself(self, first: int, name: str) -> bool:
        """Return whether the function that begins here names itself; a method of containers may be that of a list."""
        inner = (node for node in ast.walk(self._function(first)) if not ast.unparse(node).startswith("super()."))
        own = {"id"} if name in METHODS else {"id", "attr"}
        return any(getattr(node, field, "") == name for node in inner for field in own)

    def apart(self, code: CodeType) -> CodeType:
        """Return a code with comprehensions as functions of their own, which has the same variables on every Python.

        Since Python 3.12 those of the comprehensions in a function are among its own, in another order.
        """
        if not has_inlined(code):
            return code
        if not code.co_flags & inspect.CO_OPTIMIZED:  # a cell or a class, whose variables are in a dict
            return compile("", self.file, "exec")
        if self._apart is None:
            self._apart = codes_in(separated("\n".join(self.lines), self.file))
        names = {*code.co_varnames, *code.co_cellvars}
        mark = code.co_name, code.co_firstlineno, parameters(code)
        same = (one for one in self._apart if (one.co_name, one.co_firstlineno, parameters(one)) == mark)
        return next((one for one in same if names.issuperset((*one.co_varnames, *one.co_cellvars))), code)

    def changing(self, first: int) -> set[str]:
        """The names that the function that begins here declares as global, and those of what it changes in place."""
        found: set[str] = set()
        for node in ast.walk(self._function(first)):
            inside: ast.expr | None = None
            if isinstance(node, ast.Global):
                found.update(node.names)
            elif isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
                inside = node.value
            elif isinstance(node, ast.Call):
                name = ast.unparse(node.func).rpartition(".")[2]
                if isinstance(node.func, ast.Attribute) and name in CHANGING:
                    inside = node.func.value
                elif node.args and name in CHANGING_FIRST:
                    inside = node.args[0]
            if inside is not None and (name := root(inside)):
                found.add(name)
        return found

    def _find(self, tree: ast.AST) -> None:
        """Notice the statements of the whole file, the outer ones before those inside them."""
        self._functions: dict[int, ast.AST] = {}  # by their first lines
        self._lambdas: dict[int, list[ast.Lambda]] = {}  # the same
        found: dict[int, list[ast.AST]] = {}
        caught: set[int] = set()
        ending: dict[int, list[str]] = {}  # names that an exception has only until the end of its handler
        for node in ast.walk(tree):
            if isinstance(node, ast.Try) and catches_all(node):
                caught.update(range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1))
            if isinstance(node, ast.ExceptHandler) and node.name:
                for line in range(node.lineno, (node.body[-1].end_lineno or 0) + 1):
                    ending.setdefault(line, []).append(node.name)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                self._functions[first_line(node)] = node
            if isinstance(node, ast.Lambda):
                self._lambdas.setdefault(node.lineno, []).append(node)
            if not isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
                continue
            first, last = head(node)
            for line in range(first, last + 1):
                nodes = found.get(line, [])
                found[line] = [*nodes, node] if nodes and head(nodes[0]) == (first, last) else [node]
        made: dict[tuple[int, ...], Statement] = {}
        for line, nodes in found.items():
            key, beside = tuple(map(id, nodes)), (line in caught, ending.get(line, []))
            if key not in made:
                whole = self._statement(nodes, *beside)
                if len(nodes) > 1 and not any(isinstance(node, ast.match_case) for node in nodes):
                    parts = ((*extent(node), self._statement([node], *beside)) for node in nodes)
                    whole = replace(whole, parts=tuple(parts))
                made[key] = whole
            self._statements[line] = made[key]

    def _statement(self, nodes: list[ast.AST], is_caught: bool, ending: list[str]) -> Statement:
        """All that stands on the same lines as one statement."""
        first, last = head(nodes[0])
        line = nodes[0].lineno if isinstance(nodes[0], ast.stmt | ast.ExceptHandler) else first
        source = dedent("\n".join(self.lines[line - 1 : last])).strip()
        parts = [part for node in nodes for top in tops(node) for part in ast.walk(top)]
        names = [part.id for part in parts if isinstance(part, ast.Name)]
        stores = ending + [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
        stores += [part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)]
        names, stores = (list(dict.fromkeys(found)) for found in (names, stores))
        touches = touched_by(nodes, parts)
        sorts = any(isinstance(part, ast.Attribute) and part.attr == "sort" for part in parts)
        reads = names, stores, touches, sorts, is_caught, any(each.is_called for each in touches or ())
        found = Statement(line, last, source, tuple(nodes), *reads)
        if len(nodes) == 1 and isinstance(node := nodes[0], ast.If | ast.While) and node.body[0].lineno > last:
            return replace(found, test=node.test, body=(first_line(node.body[0]), node.body[-1].end_lineno or 0))
        return found


class Separate(ast.NodeTransformer):
    """Makes generators of comprehensions."""

    def visit_ListComp(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        made = ast.Tuple([node.key, node.value], ast.Load()) if isinstance(node, ast.DictComp) else node.elt
        return ast.copy_location(ast.GeneratorExp(made, node.generators), node)

    visit_SetComp = visit_DictComp = visit_ListComp


def separated(text: str, file: str) -> CodeType:
    """Compile a text with generators instead of comprehensions; without warnings, which it has given before."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.fix_missing_locations(Separate().visit(module_tree(text, file)))
            made: CodeType = compile(tree, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
            return made
    except (SyntaxError, ValueError, RecursionError):  # it is not what was run
        return compile("", file, "exec")


def has_inlined(code: CodeType) -> bool:
    """Return whether comprehensions run in the frame of a code itself, as they do since Python 3.12."""
    return dis.opmap.get(CLEARS) in set(code.co_code[::2])


def codes_in(code: CodeType) -> list[CodeType]:
    """Return a code and all those inside it."""
    inside = [part for part in code.co_consts if isinstance(part, CodeType)]
    return [code, *(inner for part in inside for inner in codes_in(part))]


def parameters(code: CodeType) -> tuple[str, ...]:
    """Return the names of the parameters of a function."""
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


def extent(node: Any) -> tuple[SourceSpot, SourceSpot]:
    """Where a statement begins and ends."""
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def touched_by(nodes: list[ast.AST], parts: list[ast.AST]) -> tuple[Touch, ...] | None:
    """What a statement may change in place; None if that cannot be told from how it is written."""
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
                touches += [Touch(given, is_read=True) for given in part.args if isinstance(given, PLACES)]
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


def is_bare(node: ast.FunctionDef) -> bool:
    """Whether nothing is called when a function is made."""
    given = (*node.args.defaults, *node.args.kw_defaults)
    return not node.decorator_list and all(default is None or isinstance(default, ast.Constant) for default in given)


def is_method(call: ast.Call) -> bool:
    """Whether a call looks like that of a method of a container which calls nothing else."""
    return isinstance(call.func, ast.Attribute) and call.func.attr in METHODS and not call.keywords


def catches_all(node: ast.Try) -> bool:
    """Whether no exception comes out of the body of a `try`."""
    handlers = [handler.type for handler in node.handlers]
    return any(kind is None or isinstance(kind, ast.Name) and kind.id == "BaseException" for kind in handlers) or any(
        isinstance(part, LEAVES) for statement in node.finalbody for part in ast.walk(statement)
    )


def first_line(node: Any) -> int:
    """Where a statement begins, with its decorators."""
    if type(node) is ast.match_case:
        return node.pattern.lineno
    lines: list[int] = [part.lineno for part in (node, *getattr(node, "decorator_list", ()))]
    return min(lines)


def head(node: ast.AST) -> tuple[int, int]:
    """The first and the last line of a statement, without those inside it."""
    first = first_line(node)
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if isinstance(body, list):
        return first, max(first, getattr(node, "lineno", first), first_line(body[0]) - 1)
    return first, getattr(node, "end_lineno", None) or first


def tops(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a statement, without the statements inside it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield part


def root(place: ast.expr) -> str:
    """The name with which a place begins."""
    while isinstance(place, ast.Subscript | ast.Attribute):
        place = place.value
    return place.id if isinstance(place, ast.Name) else ""


def loaded(place: ast.expr) -> ast.expr:
    """A place that is assigned to, as one that is read."""
    if isinstance(place, ast.Subscript):
        return ast.Subscript(place.value, place.slice, ast.Load())
    if isinstance(place, ast.Attribute):
        return ast.Attribute(place.value, place.attr, ast.Load())
    return ast.Name(place.id, ast.Load()) if isinstance(place, ast.Name) else place
