"""Facts that the code of a film reveals about its variables: indices, heaps, slices, comparisons.

The sources are read once, into a list of facts; `Code` groups them by kind and name.
"""

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
Used = dict[str, dict[str, None]]  # names by name, in order of appearance
LineSpot = tuple[str, int]  # a file and a line


class Fact(NamedTuple):
    """A fact about a name in the code: its kind, its value, and its line.

    index    an index of a list or a text, as code
    column   an index of the columns of a table, as code
    pair     a row's and a column's index used together, as in `cost[i][j]`, as code; "" if not simple
    turned   for a table: its rows and columns are indexed by the second and the first part of a pair
    cell     for the first of two names in a tuple: the second name
    along    the loop variable over an element of this name, such as `there` in `for there in graph[here]`
    heap     the index of the root of a list that is a heap
    slice    the two ends of a slice
    letter   for a loop variable of `enumerate`: the name of the sequence, and the index
    assigned the expression assigned to a variable
    loop     for a name that only loops bind: the lines of a loop, and the lines of its function
    step     for a name that grows by one: another index, which grows after it in the same step
    """

    kind: str
    name: str
    value: Any
    at: LineSpot = ("", 0)


@dataclass(frozen=True)
class Compared:
    """Two sequences that a function compares letter by letter: their names, and the index in each (None for 0)."""

    names: tuple[str, str]
    indices: tuple[ast.expr | None, ast.expr | None]
    file: str
    function: range


class Code:
    """The facts about the code of a film.

    cursors  the indices of each list or text
    across   the indices of the columns of each table
    turned   the tables whose cells the code writes as (column, row)
    places   the names of a row's and a column's index that are used together
    along    the loop variables over the elements of each name, as in `for there in graph[here]`
    heaps    the index of the root of each list that is a heap
    open     the names of exclusive right ends, as in `high = len(row)`
    expressions the expressions of computed indices, by their code
    compared the pairs of sequences that are compared letter by letter
    steps    by file and line, an index that grows there by one, and another index, which grows next in the same step
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
        self.places = [*dict.fromkeys(fact.value for fact in self.pairs if are_names(fact.value))]
        cells = {(fact.name, fact.value) for fact in self.of("cell")}
        self.turned = {fact.name for fact in self.pairs if fact.value[::-1] in cells and fact.value not in cells}
        self.turned |= {fact.name for fact in self.of("turned")}
        self.heaps = {fact.name: fact.value for fact in [*self.of("heap")][::-1]}
        self.steps = {fact.at: (fact.name, fact.value) for fact in [*self.of("step")][::-1]}
        self.open = {fact.name for fact in self.of("assigned") if is_len(fact.value)}
        words = [fact.value for kind in ("index", "column") for fact in self.of(kind)]
        words += [word for fact in self.pairs for word in fact.value]
        self.expressions = {word: expression_tree(word) for word in words if word and not word.isidentifier()}
        for name, cursors in self.cursors.items():
            for cursor in [*cursors]:  # an index computed from two others, such as the middle of lo and hi
                values = [fact.value for fact in self.of("assigned") if fact.name == cursor]
                parts = {word for value in values for word in names_in(value)}
                cursors.update(dict.fromkeys(next((pair for pair in ENDS if parts.issuperset(pair)), ())))
                for top in (top for value in values if (top := doubling(value)) is not None):
                    self.heaps.setdefault(name, top)

    def of(self, kind: str) -> Iterator[Fact]:
        """Yield all facts of a kind."""
        return (fact for fact in self.facts if fact.kind == kind)

    def used(self, kind: str) -> Used:
        """Return the values of all facts of a kind, grouped by name."""
        by_name: Used = {}
        for fact in self.of(kind):
            by_name.setdefault(fact.name, {})[fact.value] = None
        return by_name

    def pairs_at(self, name: str, file: str, line: int) -> list[tuple[str, str]]:
        """Return the pairs of indices of a table that are plain names or occur in this line."""
        pairs = (fact for fact in self.pairs if fact.name == name)
        return [*dict.fromkeys(fact.value for fact in pairs if fact.at == (file, line) or are_names(fact.value))]

    def is_over(self, name: str, file: str, line: int) -> bool:
        """Return whether loops of a line's function bind a variable, and the line is outside all of them."""
        spans = [fact.value for fact in self.of("loop") if fact.name == name and fact.at[0] == file]
        lines = [lines for lines, function in spans if line in function]
        return bool(lines) and not any(line in span for span in lines)

    def with_indices(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the variables and the computed indices with their values."""
        places = {words: worked_out(index, values, 0) for words, index in self.expressions.items()}
        return {**values, **{words: place for words, place in places.items() if place is not None}}

    def shaded(self, file: str, line: int, values: Mapping[str, Any]) -> dict[str, list[tuple[int, int]]]:
        """Return the slices that a line takes of each variable, as (start, stop)."""
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
    """Yield the facts in a source; `above` is the number of lines before it in its file."""
    for node in ast.walk(tree):
        at = file, getattr(node, "lineno", 0) + above
        if isinstance(node, ast.Subscript):
            yield from subscript(node, at)
        elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and all(isinstance(e, ast.Name) for e in node.elts):
            yield Fact("cell", *(name.id for name in node.elts))  # type: ignore[attr-defined]
        elif isinstance(node, ast.For | ast.comprehension):
            yield from loop(node.target, node.iter)
        elif isinstance(node, ast.Call) and called(node) in HEAPQ and isinstance((*node.args, None)[0], ast.Name):
            yield Fact("heap", node.args[0].id, 0)  # type: ignore[attr-defined]
        for block in (getattr(node, "body", ()), getattr(node, "orelse", ())):
            grown = [(step, counts_up(step)) for step in block if counts_up(step)] if isinstance(block, list) else []
            for (step, name), (_, follows) in pairwise(grown):
                yield Fact("step", name, follows, (file, step.lineno + above))
        if isinstance(node, ast.For):  # `k += 1` in a loop with the index `i`
            index = next((part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)), "")
            for step in filter(counts_up, ast.walk(node)):
                yield Fact("step", counts_up(step), index, (file, step.lineno + above))  # type: ignore[attr-defined]
        for name, value in assigned(node):
            yield Fact("assigned", name, value, at)


def subscript(node: ast.Subscript, at: LineSpot) -> Iterator[Fact]:
    """Yield the facts in an index in brackets."""
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
    """Yield the facts in the indices of a row and a column."""
    yield from (Fact("column", name, words) for words in indices(column))
    if (ast.unparse(row)[-3:], ast.unparse(column)[-3:]) == ("[1]", "[0]"):
        yield Fact("turned", name, "")
    yield Fact("pair", name, tuple(ast.unparse(index) if is_simple(index) else "" for index in (row, column)), at)


def indices(index: ast.expr) -> list[str]:
    """Return the names in an index, or its code if it is computed from several, such as `amount - coin`."""
    names = names_in(index)
    return [ast.unparse(index)] if len(names) > 1 and is_simple(index) else names


def loop(target: ast.expr, over: ast.expr) -> Iterator[Fact]:
    """Yield the facts in a loop, such as the index in `for i, x in enumerate(row)` or `for i in range(len(row))`."""
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
    """Yield the names that only loops bind, with the lines of these loops."""
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
    """Return names and indices of `text[i] == word[k]`, `text[i : i + 3] == word` or `text.startswith(word)`.

    Return None for other code.
    """

    def letter(node: ast.expr) -> tuple[str, ast.expr | None]:
        if isinstance(node, ast.Name):
            return letters.get(node.id, (node.id, None))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return node.value.id, node.slice.lower if isinstance(node.slice, ast.Slice) else node.slice
        return "", None

    sides: list[tuple[str, ast.expr | None]] = []
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        sides = [letter(side) for side in (node.left, node.comparators[0])]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
        sides = [(getattr(node.func.value, "id", ""), (*node.args, None)[1]), letter(node.args[0])]
    names, places = tuple(name for name, _ in sides), tuple(index for _, index in sides)
    return (names, places) if len({*names} - {""}) == 2 and places != (None, None) else None


def are_names(pair: tuple[str, str]) -> bool:
    """Return whether both indices of a table are plain names, as in `grid[r][c]` and in `steps[r, c]`."""
    return all(index.isidentifier() for index in pair)


def names_in(node: ast.AST) -> list[str]:
    """Return the names in an index, except those in calls, subscripts, attributes, lambdas and slices."""
    if isinstance(node, ast.Call | ast.Subscript | ast.Attribute | ast.Lambda | ast.Slice):
        return []
    inner = [name for child in ast.iter_child_nodes(node) for name in names_in(child)]
    return [*inner, node.id] if isinstance(node, ast.Name) else inner


def assigned(node: ast.AST) -> list[tuple[str, ast.expr]]:
    """Return the (name, expression) pairs that a statement assigns."""
    if isinstance(node, ast.NamedExpr):
        return [(node.target.id, node.value)]
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return []
    target, value = node.targets[0], node.value
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
    return [(name.id, expression) for name, expression in pairs if isinstance(name, ast.Name)]


def counts_up(node: ast.AST) -> str:
    """Return the name that a statement increases by one; "" if it does not."""
    is_one = isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add) and ast.unparse(node.value) == "1"
    return getattr(node.target, "id", "") if is_one and isinstance(node, ast.AugAssign) else ""


def called(node: ast.Call) -> str:
    """Return the name of the called function or method, or ""."""
    return getattr(node.func, "id", "") or getattr(node.func, "attr", "")


def is_len(node: ast.AST) -> bool:
    """Return whether a node is `len(name)`."""
    return isinstance(node, ast.Call) and called(node) == "len" and isinstance((*node.args, None)[0], ast.Name)


def doubling(node: ast.AST) -> int | None:
    """Return the index of a heap's root: 0 for children at `2 * i + 1`, 1 for `2 * i`; None for other code."""
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
    twice = node.left if isinstance(node, ast.BinOp) and is_sum else node
    if not isinstance(twice, ast.BinOp) or not isinstance(twice.op, ast.Mult):
        return None
    factors = [twice.left, twice.right]
    is_two = any(isinstance(factor, ast.Constant) and factor.value == 2 for factor in factors)
    return (0 if is_sum else 1) if is_two and any(isinstance(factor, ast.Name) for factor in factors) else None


def is_simple(node: ast.expr) -> bool:
    """Return whether an expression consists of names, constants, operators and `len(name)` only."""
    return all(isinstance(part, SIMPLE) or is_len(part) for part in ast.walk(node))


def worked_out(node: ast.expr | None, values: Mapping[str, Any], default: int) -> int | None:
    """Return the integer value of an index, `default` if `node` is None; None if it is not simple or not an integer."""
    if node is None:
        return default
    if not is_simple(node):
        return None
    try:
        result = eval(compile(ast.Expression(node), "<slice>", "eval"), {"__builtins__": {}, "len": len}, {**values})
    except Exception:  # a name is not bound at this moment
        return None
    return integer(result)
