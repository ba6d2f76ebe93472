"""What the code of a film tells about its variables: which are indices of which, what is a heap, what is sliced."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from textwrap import dedent
from typing import Any

from crashlab.base.errors import integer
from crashlab.base.syntax import expression_tree, module_tree
from crashlab.watch.film_data import Recording

ENDS = (("lo", "hi"), ("low", "high"), ("left", "right"), ("l", "r"), ("start", "end"), ("first", "last"), ("i", "j"))
HEAPQ = ("heappush", "heappop", "heapify", "heapreplace", "heappushpop")
SIMPLE = ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context
Slice = tuple[str, ast.expr | None, ast.expr | None]  # of which variable, from where, to where
Used = dict[str, dict[str, None]]  # names by names, in their order


@dataclass(frozen=True)
class Compared:
    """Two things that are compared letter by letter in a function: their names, and the index in each; None is 0."""

    names: tuple[str, str]
    indices: tuple[ast.expr | None, ast.expr | None]
    file: str
    function: range


@dataclass
class Code:
    """What the code of a film tells.

    cursors  by lists and texts their indices
    across   by tables the indices of their columns
    pairs    by tables the indices of rows and of columns that stand together, as in `cost[i][j]`, with the lines
    loops    by names that only loops give values these loops: the file, its lines and those of the function
    along    by what is looked into in a loop, as in `for there in graph[here]`, the names of what is found
    heaps    by lists that are heaps the index of the top
    slices   by file and line what is sliced there
    open     ends that are behind the last index, as in `high = len(row)`
    made     indices that are computed from several names, by their words
    letters  the elements of what a loop numbers, with that and the number
    compared what is compared letter by letter
    steps    by file and line an index that grows there by one and another one that does so in the same step, after it
    """

    cursors: Used = field(default_factory=dict)
    across: Used = field(default_factory=dict)
    pairs: dict[str, dict[tuple[str, str], set[tuple[str, int]]]] = field(default_factory=dict)
    loops: dict[str, list[tuple[str, range, range]]] = field(default_factory=dict)
    along: Used = field(default_factory=dict)
    heaps: dict[str, int] = field(default_factory=dict)
    slices: dict[tuple[str, int], list[Slice]] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    made: dict[str, ast.expr] = field(default_factory=dict)
    letters: dict[str, tuple[str, ast.expr]] = field(default_factory=dict)
    compared: list[Compared] = field(default_factory=list)
    steps: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, film: Recording) -> Code:
        """What can be read in the sources of a film."""
        found = cls()
        made_of: dict[str, set[str]] = {}
        doubled: dict[str, int] = {}
        for source in film.sources:
            try:
                tree = module_tree(dedent("\n".join(source.lines)))
            except SyntaxError:
                continue
            function = range(source.first, source.first + len(source.lines))
            found._loops(tree, source.file, function)
            for node in ast.walk(tree):
                found._read(node, source.file, source.first - 1)
                found._compare(node, source.file, function)
                found._step(node, source.file, source.first - 1)
                for name, value in assigned(node):
                    made_of.setdefault(name, set()).update(names_in(value))
                    if is_len(value):
                        found.open.add(name)
                    if (top := doubling(value)) is not None:
                        doubled[name] = top
        for name, cursors in found.cursors.items():
            for cursor in [*cursors]:  # an index that is made of two others, as the middle of them
                pair = next((pair for pair in ENDS if set(pair) <= made_of.get(cursor, set())), ())
                cursors.update(dict.fromkeys(pair))
                if cursor in doubled:
                    found.heaps.setdefault(name, doubled[cursor])
        return found

    def _read(self, node: ast.AST, file: str, above: int) -> None:
        if isinstance(node, ast.Subscript):
            self._subscript(node, file, above)
        elif isinstance(node, ast.For | ast.comprehension):
            self._loop(node.target, node.iter)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name):
            if called(node) in HEAPQ:
                self.heaps[node.args[0].id] = 0

    def _subscript(self, node: ast.Subscript, file: str, above: int) -> None:
        inner = node.value
        if isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Name):
            self._pair(inner.value.id, inner.slice, node.slice, (file, node.lineno + above))
        if not isinstance(inner, ast.Name):
            return
        name, index = inner.id, node.slice
        if isinstance(index, ast.Slice):
            if index.step is None:
                self.slices.setdefault((file, node.lineno + above), []).append((name, index.lower, index.upper))
        elif isinstance(index, ast.Tuple) and len(index.elts) == 2:
            add(self.cursors, name, self._index(index.elts[0]))
            self._pair(name, index.elts[0], index.elts[1], (file, node.lineno + above))
        else:
            add(self.cursors, name, self._index(index))
            if (top := doubling(index)) is not None:
                self.heaps.setdefault(name, top)

    def _pair(self, name: str, row: ast.expr, column: ast.expr, line: tuple[str, int]) -> None:
        """Two indices that stand together."""
        add(self.across, name, self._index(column))
        self.pairs.setdefault(name, {}).setdefault((self._exact(row), self._exact(column)), set()).add(line)

    def _exact(self, index: ast.expr) -> str:
        """An index in words, with what it is computed from as it is written, as `k + 1`."""
        if isinstance(index, ast.Name) or not is_simple(index):
            return getattr(index, "id", "")
        self.made[ast.unparse(index)] = index
        return ast.unparse(index)

    def pairs_at(self, name: str, file: str, line: int) -> list[tuple[str, str]]:
        """The indices of cells of a table: those that are plain names, and those that the line has."""
        return [pair for pair, lines in self.pairs.get(name, {}).items() if (file, line) in lines or are_names(pair)]

    def _loops(self, tree: ast.Module, file: str, function: range) -> None:
        """The names that only loops give values, with these."""
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.For)]
        targets = {id(name) for node in nodes for name in ast.walk(node.target)}
        others = {
            getattr(node, "id", getattr(node, "arg", ""))
            for node in ast.walk(tree)
            if isinstance(node, ast.arg) or isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
            if id(node) not in targets
        }
        for node in nodes:
            first = node.lineno + function.start - 1
            lines = range(first, (node.end_lineno or 0) + function.start)
            for name in {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)} - others:
                self.loops.setdefault(name, []).append((file, lines, function))

    def is_over(self, name: str, file: str, line: int) -> bool:
        """Whether a variable is that of loops which are over in a line of their function."""
        loops = [each for each in self.loops.get(name, ()) if each[0] == file and line in each[2]]
        return bool(loops) and not any(line in lines for _, lines, _ in loops)

    def _compare(self, node: ast.AST, file: str, function: range) -> None:
        """`text[i] == word[k]`, `text[i : i + 3] == word` and `text.startswith(word, i)`."""
        sides: list[tuple[str, ast.expr | None]] = []
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            sides = [self._letter(each) for each in (node.left, node.comparators[0])]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
            sides = [(getattr(node.func.value, "id", ""), (*node.args, None)[1]), self._letter(node.args[0])]
        if len({name for name, _ in sides if name}) == 2 and any(index is not None for _, index in sides):
            (one, at), (other, there) = sides
            self.compared.append(Compared((one, other), (at, there), file, function))

    def _letter(self, node: ast.expr) -> tuple[str, ast.expr | None]:
        """Of which text it is a letter or more, and from which index on; "" if it is something else."""
        if isinstance(node, ast.Name):
            return self.letters.get(node.id, (node.id, None))
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return node.value.id, node.slice.lower if isinstance(node.slice, ast.Slice) else node.slice
        return "", None

    def _step(self, node: ast.AST, file: str, above: int) -> None:
        """`i += 1` with `k += 1` behind it, or `k += 1` in a loop whose index is `i`."""
        for body in (getattr(node, "body", ()), getattr(node, "orelse", ())):
            block = body if isinstance(body, list) else ()
            grown = [(each, counts_up(each)) for each in block if counts_up(each)]
            for (each, name), (_, follows) in pairwise(grown):
                self.steps[file, each.lineno + above] = name, follows
        if isinstance(node, ast.For):
            index = next((part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)), "")
            for each in ast.walk(node):
                if name := counts_up(each):
                    self.steps.setdefault((file, getattr(each, "lineno", 0) + above), (name, index))

    def _index(self, index: ast.expr) -> list[str]:
        """The name of an index, or what it is computed from, as `amount - coin`."""
        names = names_in(index)
        if len(names) < 2 or not is_simple(index):
            return names
        self.made[ast.unparse(index)] = index
        return [ast.unparse(index)]

    def with_made(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Variables together with the indices that are computed from them."""
        found = {words: worked_out(index, values, 0) for words, index in self.made.items()}
        return {**values, **{words: place for words, place in found.items() if place is not None}}

    def _loop(self, target: ast.expr, over: ast.expr) -> None:
        """`for i, each in enumerate(row)` and `for i in range(len(row))`: `i` is an index of `row`."""
        first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
        held = over.func.value if isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) else over
        if isinstance(held, ast.Subscript) and isinstance(held.value, ast.Name) and isinstance(first, ast.Name):
            add(self.along, held.value.id, [first.id])
        if not isinstance(over, ast.Call) or not over.args or not isinstance(first, ast.Name):
            return
        counted = over.args[0]
        if called(over) == "enumerate" and isinstance(counted, ast.Name) and isinstance(target, ast.Tuple):
            add(self.cursors, counted.id, [first.id])
            if isinstance(target.elts[-1], ast.Name):
                self.letters[target.elts[-1].id] = counted.id, expression_tree(first.id)
        elif called(over) == "range":
            for node in ast.walk(over):
                if is_len(node):
                    add(self.cursors, node.args[0].id, [first.id])  # type: ignore[attr-defined]

    def shaded(self, file: str, line: int, values: Mapping[str, Any]) -> dict[str, list[tuple[int, int]]]:
        """By names what a line slices, from the first index to the one behind the last."""
        found: dict[str, list[tuple[int, int]]] = {}
        for name, *ends in self.slices.get((file, line), ()):
            if isinstance(values.get(name), str | list | tuple):
                long = len(values[name])
                low, high = (worked_out(end, values, default) for end, default in zip(ends, (0, long), strict=True))
                if low is not None and high is not None:
                    found.setdefault(name, []).append(slice(low, high).indices(long)[:2])
        return found


def are_names(pair: tuple[str, str]) -> bool:
    """Whether both indices of a table are plain names, as in `grid[r][c]` and in `steps[r, c]`."""
    return all(each.isidentifier() for each in pair)


def add(used: Used, name: str, names: list[str]) -> None:
    """Put names beside a name."""
    if names:
        used.setdefault(name, {}).update(dict.fromkeys(names))


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
