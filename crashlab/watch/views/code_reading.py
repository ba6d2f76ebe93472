"""What the code of a film tells about its variables: which are indices of which, what is a heap, what is sliced."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import dedent
from typing import Any

from crashlab.base.errors import integer
from crashlab.watch.film_data import Recording

ENDS = (("lo", "hi"), ("low", "high"), ("left", "right"), ("l", "r"), ("start", "end"), ("first", "last"), ("i", "j"))
HEAPQ = ("heappush", "heappop", "heapify", "heapreplace", "heappushpop")
SIMPLE = ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context
Slice = tuple[str, ast.expr | None, ast.expr | None]  # of which variable, from where, to where
Used = dict[str, dict[str, None]]  # names by names, in their order


@dataclass
class Code:
    """What the code of a film tells.

    cursors  by lists and texts their indices
    across   by tables the indices of their columns
    pairs    by tables the indices of rows and of columns that stand together, as in `cost[i][j]`
    along    by what is looked into in a loop, as in `for there in graph[here]`, the names of what is found
    heaps    by lists that are heaps the index of the top
    slices   by file and line what is sliced there
    open     ends that are behind the last index, as in `high = len(row)`
    made     indices that are computed from several names, by their words
    """

    cursors: Used = field(default_factory=dict)
    across: Used = field(default_factory=dict)
    pairs: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    along: Used = field(default_factory=dict)
    heaps: dict[str, int] = field(default_factory=dict)
    slices: dict[tuple[str, int], list[Slice]] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    made: dict[str, ast.expr] = field(default_factory=dict)

    @classmethod
    def of(cls, film: Recording) -> Code:
        """What can be read in the sources of a film."""
        found = cls()
        made_of: dict[str, set[str]] = {}
        doubled: dict[str, int] = {}
        for source in film.sources:
            try:
                tree = ast.parse(dedent("\n".join(source.lines)))
            except SyntaxError:
                continue
            for node in ast.walk(tree):
                found._read(node, source.file, source.first - 1)
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
            self._pair(inner.value.id, inner.slice, node.slice)
        if not isinstance(inner, ast.Name):
            return
        name, index = inner.id, node.slice
        if isinstance(index, ast.Slice):
            if index.step is None:
                self.slices.setdefault((file, node.lineno + above), []).append((name, index.lower, index.upper))
        elif isinstance(index, ast.Tuple) and len(index.elts) == 2:
            add(self.cursors, name, self._index(index.elts[0]))
            self._pair(name, *index.elts)
        else:
            add(self.cursors, name, self._index(index))
            if (top := doubling(index)) is not None:
                self.heaps.setdefault(name, top)

    def _pair(self, name: str, row: ast.expr, column: ast.expr) -> None:
        """Two indices that stand together."""
        across, down = self._index(column), self._index(row)
        add(self.across, name, across)
        self.pairs.setdefault(name, {})[(*down, "")[0], (*across, "")[0]] = None

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
        if called(over) == "enumerate" and isinstance(over.args[0], ast.Name) and first is not target:
            add(self.cursors, over.args[0].id, [first.id])
        elif called(over) == "range":
            for node in ast.walk(over):
                if is_len(node):
                    add(self.cursors, node.args[0].id, [first.id])  # type: ignore[attr-defined]

    def over(self, indices: Mapping[str, None], but: str) -> list[str]:
        """The lists and texts, other than one, that have one of these indices."""
        return [name for name, cursors in self.cursors.items() if name != but and cursors.keys() & indices.keys()]

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
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
    else:
        pairs = [(target, value)]
    return [(name.id, held) for name, held in pairs if isinstance(name, ast.Name)]


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
