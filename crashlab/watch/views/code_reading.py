"""What the code of a film tells about its variables: which are indices of which, what is a heap, what is sliced.

The sources are read once, into a list of facts; `Code` finds them by what they are about.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from textwrap import dedent
from typing import Any, NamedTuple

from crashlab.base.errors import integer
from crashlab.base.syntax import expression_tree, module_tree
from crashlab.watch.film_data import Recording

ENDS = (("lo", "hi"), ("low", "high"), ("left", "right"), ("l", "r"), ("start", "end"), ("first", "last"), ("i", "j"))
HEAPQ = ("heappush", "heappop", "heapify", "heapreplace", "heappushpop")
SIMPLE = ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context
Used = dict[str, dict[str, None]]  # names by names, in their order
LineSpot = tuple[str, int]  # a file and a line


class Fact(NamedTuple):
    """One thing that the code tells of a name: its kind, its value, and the line where it is written.

    index    the words of an index of a list or a text
    column   the words of an index of the columns of a table
    pair     the words of the indices of a row and a column that stand together, as in `cost[i][j]`; "" if unknown
    along    what is found in what a loop looks into, as `there` in `for there in graph[here]`
    heap     the index of the top of a list that is a heap
    slice    the two ends of a slice
    letter   of the elements of what `enumerate` numbers, that and the index
    assigned the expression that a variable gets
    loop     of a name that only loops give values, the lines of a loop and those of its function
    step     with a name that grows by one, another one that does so in the same step, after it
    """

    kind: str
    name: str
    value: Any
    at: LineSpot = ("", 0)


@dataclass(frozen=True)
class Compared:
    """Two things that are compared letter by letter in a function: their names, and the index in each; None is 0."""

    names: tuple[str, str]
    indices: tuple[ast.expr | None, ast.expr | None]
    file: str
    function: range


class Code:
    """What the code of a film tells.

    cursors  by lists and texts their indices
    across   by tables the indices of their columns
    along    by what is looked into in a loop the names of what is found
    heaps    by lists that are heaps the index of the top
    open     ends that are behind the last index, as in `high = len(row)`
    made     indices that are computed, by their words
    compared what is compared letter by letter
    steps    by file and line an index that grows there by one and another one that does so in the same step, after it
    """

    def __init__(self, film: Recording) -> None:
        self.facts: list[Fact] = []
        self.compared: list[Compared] = []
        for source in film.sources:
            try:
                tree = module_tree(dedent("\n".join(source.lines)))
            except SyntaxError:
                continue
            function = range(source.first, source.first + len(source.lines))
            self.facts += [*loops(tree, source.file, function), *facts_in(tree, source.file, source.first - 1)]
            letters = {fact.name: fact.value for fact in self.of("letter")}
            for names, indices in filter(None, (comparison(node, letters) for node in ast.walk(tree))):
                self.compared.append(Compared(names, indices, source.file, function))
        self.cursors, self.across, self.along = map(self.used, ("index", "column", "along"))
        self.pairs, self.slices = [*self.of("pair")], [*self.of("slice")]
        self.heaps = {fact.name: fact.value for fact in [*self.of("heap")][::-1]}
        self.steps = {fact.at: (fact.name, fact.value) for fact in [*self.of("step")][::-1]}
        self.open = {fact.name for fact in self.of("assigned") if is_len(fact.value)}
        words = [fact.value for kind in ("index", "column") for fact in self.of(kind)]
        words += [each for fact in self.pairs for each in fact.value]
        self.made = {each: expression_tree(each) for each in words if each and not each.isidentifier()}
        for name, cursors in self.cursors.items():
            for cursor in [*cursors]:  # an index that is made of two others, as the middle of them
                values = [fact.value for fact in self.of("assigned") if fact.name == cursor]
                parts = {each for value in values for each in names_in(value)}
                cursors.update(dict.fromkeys(next((pair for pair in ENDS if parts.issuperset(pair)), ())))
                for top in (top for value in values if (top := doubling(value)) is not None):
                    self.heaps.setdefault(name, top)

    def of(self, kind: str) -> Iterator[Fact]:
        """Yield all facts of a kind."""
        return (fact for fact in self.facts if fact.kind == kind)

    def used(self, kind: str) -> Used:
        """Return the values of all facts of a kind by their names."""
        used: Used = {}
        for fact in self.of(kind):
            used.setdefault(fact.name, {})[fact.value] = None
        return used

    def pairs_at(self, name: str, file: str, line: int) -> list[tuple[str, str]]:
        """Return the indices of cells of a table: those that are plain names, and those that the line has."""
        pairs = (fact for fact in self.pairs if fact.name == name)
        return [*dict.fromkeys(fact.value for fact in pairs if fact.at == (file, line) or are_names(fact.value))]

    def is_over(self, name: str, file: str, line: int) -> bool:
        """Return whether a variable is that of loops which are over in a line of their function."""
        spans = [fact.value for fact in self.of("loop") if fact.name == name and fact.at[0] == file]
        lines = [lines for lines, function in spans if line in function]
        return bool(lines) and not any(line in each for each in lines)

    def with_made(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return variables together with the indices that are computed from them."""
        places = {words: worked_out(index, values, 0) for words, index in self.made.items()}
        return {**values, **{words: place for words, place in places.items() if place is not None}}

    def shaded(self, file: str, line: int, values: Mapping[str, Any]) -> dict[str, list[tuple[int, int]]]:
        """Return by names what a line slices, from the first index to the one behind the last."""
        ranges: dict[str, list[tuple[int, int]]] = {}
        for fact in self.slices:
            row = values.get(fact.name)
            if fact.at == (file, line) and isinstance(row, str | list | tuple):
                ends = zip(fact.value, (0, len(row)), strict=True)
                low, high = (worked_out(end, values, default) for end, default in ends)
                if low is not None and high is not None:
                    ranges.setdefault(fact.name, []).append(slice(low, high).indices(len(row))[:2])
        return ranges


def facts_in(tree: ast.Module, file: str, above: int) -> Iterator[Fact]:
    """Yield what the statements and expressions of a source tell that begins below so many lines."""
    for node in ast.walk(tree):
        at = file, getattr(node, "lineno", 0) + above
        if isinstance(node, ast.Subscript):
            yield from subscript(node, at)
        elif isinstance(node, ast.For | ast.comprehension):
            yield from loop(node.target, node.iter)
        elif isinstance(node, ast.Call) and called(node) in HEAPQ and isinstance((*node.args, None)[0], ast.Name):
            yield Fact("heap", node.args[0].id, 0)  # type: ignore[attr-defined]
        for block in (getattr(node, "body", ()), getattr(node, "orelse", ())):
            grown = [(each, counts_up(each)) for each in block if counts_up(each)] if isinstance(block, list) else []
            for (each, name), (_, follows) in pairwise(grown):
                yield Fact("step", name, follows, (file, each.lineno + above))
        if isinstance(node, ast.For):  # `k += 1` in a loop whose index is `i`
            index = next((part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)), "")
            for each in filter(counts_up, ast.walk(node)):
                yield Fact("step", counts_up(each), index, (file, each.lineno + above))  # type: ignore[attr-defined]
        for name, value in assigned(node):
            yield Fact("assigned", name, value, at)


def subscript(node: ast.Subscript, at: LineSpot) -> Iterator[Fact]:
    """Yield what an index in brackets tells."""
    box, index = node.value, node.slice
    if isinstance(box, ast.Subscript) and isinstance(box.value, ast.Name):
        yield from pair(box.value.id, box.slice, index, at)
    if not isinstance(box, ast.Name):
        return
    if isinstance(index, ast.Slice):
        if index.step is None:
            yield Fact("slice", box.id, (index.lower, index.upper), at)
    elif isinstance(index, ast.Tuple) and len(index.elts) == 2:
        yield from (Fact("index", box.id, words) for words in indices(index.elts[0]))
        yield from pair(box.id, index.elts[0], index.elts[1], at)
    else:
        yield from (Fact("index", box.id, words) for words in indices(index))
        if (top := doubling(index)) is not None:
            yield Fact("heap", box.id, top)


def pair(name: str, row: ast.expr, column: ast.expr, at: LineSpot) -> Iterator[Fact]:
    """Yield what two indices tell that stand together."""
    yield from (Fact("column", name, words) for words in indices(column))
    yield Fact("pair", name, tuple(ast.unparse(each) if is_simple(each) else "" for each in (row, column)), at)


def indices(index: ast.expr) -> list[str]:
    """Return the name of an index, or what it is computed from, as `amount - coin`."""
    names = names_in(index)
    return [ast.unparse(index)] if len(names) > 1 and is_simple(index) else names


def loop(target: ast.expr, over: ast.expr) -> Iterator[Fact]:
    """Yield what a loop tells: of `for i, each in enumerate(row)` and `for i in range(len(row))` the index `i`."""
    first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    inside = over.func.value if isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) else over
    if not isinstance(first, ast.Name):
        return
    if isinstance(inside, ast.Subscript) and isinstance(inside.value, ast.Name):
        yield Fact("along", inside.value.id, first.id)
    if not isinstance(over, ast.Call):
        return
    row = (*over.args, None)[0]
    if called(over) == "enumerate" and isinstance(row, ast.Name) and isinstance(target, ast.Tuple):
        yield Fact("index", row.id, first.id)
        if isinstance(target.elts[-1], ast.Name):
            yield Fact("letter", target.elts[-1].id, (row.id, expression_tree(first.id)))
    elif called(over) == "range":
        yield from (Fact("index", node.args[0].id, first.id) for node in ast.walk(over) if is_len(node))  # type: ignore[attr-defined]


def loops(tree: ast.Module, file: str, function: range) -> Iterator[Fact]:
    """Yield the names that only loops give values, with these."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.For)]
    targets = {id(name) for node in nodes for name in ast.walk(node.target)}
    others = {
        getattr(node, "id", getattr(node, "arg", ""))
        for node in ast.walk(tree)
        if isinstance(node, ast.arg) or isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        if id(node) not in targets
    }
    for node in nodes:
        lines = range(node.lineno + function.start - 1, (node.end_lineno or 0) + function.start)
        for name in {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)} - others:
            yield Fact("loop", name, (lines, function), (file, lines.start))


def comparison(node: ast.AST, letters: Mapping[str, tuple[str, ast.expr]]) -> tuple[Any, Any] | None:
    """Return names and indices of `text[i] == word[k]`, `text[i : i + 3] == word` or `text.startswith(word)`."""

    def letter(node: ast.expr) -> tuple[str, ast.expr | None]:
        if isinstance(node, ast.Name):
            return letters.get(node.id, (node.id, None))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return node.value.id, node.slice.lower if isinstance(node.slice, ast.Slice) else node.slice
        return "", None

    sides: list[tuple[str, ast.expr | None]] = []
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        sides = [letter(each) for each in (node.left, node.comparators[0])]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
        sides = [(getattr(node.func.value, "id", ""), (*node.args, None)[1]), letter(node.args[0])]
    names, places = tuple(name for name, _ in sides), tuple(index for _, index in sides)
    return (names, places) if len({*names} - {""}) == 2 and places != (None, None) else None


def are_names(pair: tuple[str, str]) -> bool:
    """Whether both indices of a table are plain names, as in `grid[r][c]` and in `steps[r, c]`."""
    return all(each.isidentifier() for each in pair)


def names_in(node: ast.AST) -> list[str]:
    """The names in an index, but for those in what is called or looked up for it."""
    if isinstance(node, ast.Call | ast.Subscript | ast.Attribute | ast.Lambda | ast.Slice):
        return []
    inner = [name for child in ast.iter_child_nodes(node) for name in names_in(child)]
    return [*inner, node.id] if isinstance(node, ast.Name) else inner


def assigned(node: ast.AST) -> list[tuple[str, ast.expr]]:
    """The names that a statement gives values, each with what it is given."""
    if isinstance(node, ast.NamedExpr):
        return [(node.target.id, node.value)]
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return []
    target, value = node.targets[0], node.value
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
    return [(name.id, held) for name, held in pairs if isinstance(name, ast.Name)]


def counts_up(node: ast.AST) -> str:
    """The name of what grows by one in a statement."""
    is_one = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and ast.unparse(node.value) == "1"
    return getattr(node.target, "id", "") if is_one and isinstance(node, ast.AugAssign) else ""


def called(node: ast.Call) -> str:
    """The name of a function that is called."""
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


def is_len(node: ast.AST) -> bool:
    """Whether it is `len(name)`."""
    return isinstance(node, ast.Call) and called(node) == "len" and isinstance((*node.args, None)[0], ast.Name)


def doubling(node: ast.AST) -> int | None:
    """The index of the top where children are at `2 * i + 1` or at `2 * i`; None if it is something else."""
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
    twice = node.left if isinstance(node, ast.BinOp) and is_sum else node
    if not isinstance(twice, ast.BinOp) or not isinstance(twice.op, ast.Mult):
        return None
    factors = [twice.left, twice.right]
    is_two = any(isinstance(factor, ast.Constant) and factor.value == 2 for factor in factors)
    return (0 if is_sum else 1) if is_two and any(isinstance(factor, ast.Name) for factor in factors) else None


def is_simple(node: ast.expr) -> bool:
    """Whether it is made of names, numbers and lengths only."""
    return all(isinstance(part, SIMPLE) or is_len(part) for part in ast.walk(node))


def worked_out(node: ast.expr | None, values: Mapping[str, Any], default: int) -> int | None:
    """An end of a slice, if only numbers are computed with."""
    if node is None:
        return default
    if not is_simple(node):
        return None
    try:
        made = eval(compile(ast.Expression(node), "<slice>", "eval"), {"__builtins__": {}, "len": len}, {**values})
    except Exception:  # a name is not there any more, or not yet
        return None
    return integer(made)
