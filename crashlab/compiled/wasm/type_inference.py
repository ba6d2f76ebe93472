"""Type inference: the kind of each value, known before any code runs.

    i     an integer: i64                   u     an unsigned integer: i64 (the state of a source of chance)
    b     True or False: i32                f     a float: f64
    n     always -1, so it needs no local: causes without a trace
    none  None: an absent trace, or the result of a function that returns nothing
    row, urow, frow, bytes   the address of numbers, preceded by their count; row:7 has 7 numbers, and the length of
                      row? is unknown
    table             the address of a table's rows
    tables:96         the address of tables of 96 bytes each, preceded by the count of tables
    windows:96        the address of tables of 96 bytes each, preceded by the total count of their numbers
    flat:96           tables:96 in functions that compare tables, which read each table as a row of numbers
    counts, told      the address of a trace that counts events, or that keeps events

A tuple of kinds is the kind of several results. A function is emitted once for each list of argument kinds.
"""

from __future__ import annotations

import ast
import struct
import types
from collections import Counter
from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

from crashlab.compiled.kernels import tree_search
from crashlab.compiled.wasm import table_doors
from crashlab.compiled.wasm.encoding import F64, I32, I64
from crashlab.compiled.wasm.read_function import Function, FunctionText, learned
from crashlab.engine.table import Table, clear, happen, lay, tally

LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)
NUMBERS = frozenset("iubnf")
AMONG = ("tables", "windows", "flat")
RESULTS: dict[Any, str] = {  # the kinds of results of handwritten functions
    lay: "none",
    clear: "none",
    tree_search.same: "b",
    tree_search.best_child: "i",
}
ANNOTATED = {"bool": "b", "int": "i", "float": "f", "None": "none"}


class Types(dict[str, int | None]):
    """The WebAssembly type of each kind of value; None for kinds without a value at run time."""

    def __missing__(self, kind: str) -> int | None:
        return self.setdefault(kind, {"i": I64, "u": I64, "b": I32, "f": F64, "n": None, "none": None}.get(kind, I32))


TYPE = Types()


def joined(one: Any, other: Any) -> Any:
    """Return the kind of a value that may have either kind."""
    if one is None or one == other:
        return other
    if other is None:
        return one
    if type(one) is type(other) is tuple and len(one) == len(other):
        return tuple(map(joined, one, other))
    if one in NUMBERS and other in NUMBERS:
        return "f" if "f" in (one, other) else "i"
    base = base_of(one)
    if base in ("row", "urow", "frow") and base == base_of(other):
        return f"{base}?"
    return "none" if "none" in (one, other) else "i"


def base_of(kind: str) -> str:
    """Return a kind without its size, such as row for row:7 and for row?."""
    return kind.partition(":")[0].rstrip("?")


def size_of(kind: str) -> Any:
    """Return the size in a kind, such as 7 for row:7; None if it has none."""
    size = kind.partition(":")[2]
    return int(size) if size else None


def of_items(kind: str) -> str:
    """Return the kind of an item of a row or of several tables."""
    base = base_of(kind)
    if base in AMONG:
        return f"row:{size_of(kind) // 8}" if base == "flat" else "table"
    return {"urow": "u", "frow": "f"}.get(base, "i")


class Spec:
    """A function with given kinds of arguments, and the kinds of its names and of its result."""

    def __init__(self, module: ModuleDraft, text: FunctionText, kinds: tuple[str, ...]) -> None:
        self.module, self.text = module, text
        self.of: dict[str, Any] = dict(zip(text.params, kinds, strict=True))
        self.result: Any = None
        self.is_settled = False
        self._kinds: dict[ast.AST, Any] = {}
        self._needed: set[str] | None = None

    def settle(self) -> None:
        """Infer the kinds of the names and of the result, repeated until no kind changes."""
        before: object = None
        while before != (self.of, self.result):
            before = dict(self.of), self.result
            for node in self.text.sets:
                if isinstance(node, ast.For):
                    self._set(node.target, self._item_kind(node.iter))
                elif isinstance(node, ast.Return):
                    self.result = joined(self.result, self.kind(node.value) if node.value else "none")
                elif isinstance(node, ast.Assign):
                    for target in node.targets:
                        self._assign(target, node.value)
        self.result = self.result or "none"
        self.is_settled = True

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(elts=targets), ast.Tuple(elts=values):
                for part, element in zip(targets, values, strict=True):
                    self._set(part, self.kind(element))
            case ast.Tuple(elts=targets), _:
                kinds = self.kind(value)
                for part, kind in zip(targets, kinds, strict=True) if isinstance(kinds, tuple) else ():
                    self._set(part, kind)
            case _:
                self._set(target, self.kind(value))

    def _set(self, target: ast.expr, kind: Any) -> None:
        if isinstance(target, ast.Name) and kind:
            self.of[target.id] = joined(self.of.get(target.id), kind)

    def _item_kind(self, source: ast.expr) -> Any:
        """Return the kind of the items of a loop's source."""
        if isinstance(source, ast.Tuple):
            kind = reduce(joined, map(self.kind, source.elts), None)
            return "i" if kind == "n" else kind
        return "i" if isinstance(source, ast.Call) else of_items(self.kind(source) or "row")

    def callee(self, function: Function, node: ast.Call) -> tuple[Spec, list[Any]]:
        """Return the called function and its arguments; to functions that compare tables, tables are rows."""
        function, node = self.module.door(function, node, self)
        values = arguments(self.module.text(function), node)
        kinds = tuple(self.kind(value) or "i" for value in values)
        if function in table_doors.PLAIN.values():
            kinds = kinds[0].replace("tables", "flat"), *kinds[1:]
        return self.module.spec(function, kinds), values

    def kind(self, node: ast.expr) -> Any:
        """Return the kind of an expression; None if it is not known yet."""
        if not self.is_settled:
            return self._kind(node)
        if node not in self._kinds:
            self._kinds[node] = self._kind(node)
        return self._kinds[node]

    def _kind(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return self.of[name] if name in self.of else self._outer(node)
            case ast.Constant(value=value):
                if not isinstance(value, int | float | None):
                    raise self.text.wrong(node, f"{value!r:.40} cannot be compiled")
                return "none" if value is None else of_number(value)
            case ast.Attribute():
                if (constant := self.text.named(node)) is not None:
                    return of_number(constant) if isinstance(constant, int) else "row"
                return f"row:{self.module.field(node.attr, node, self.text)[1]}"
            case ast.Subscript(value=value):
                return of_items(self.kind(value) or "row")
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return "b"
            case ast.UnaryOp(op=op, operand=part):
                if isinstance(op, ast.USub) and isinstance(part, ast.Constant):
                    return of_number(-part.value)  # type: ignore[operator,arg-type]
                return "f" if self.kind(part) == "f" else "i"
            case ast.BoolOp(values=parts) | ast.Tuple(elts=parts):
                kinds = tuple(map(self.kind, parts))
                if isinstance(node, ast.Tuple):
                    return None if None in kinds else kinds
                certain = [kind for kind in kinds if kind]
                if not certain:
                    return None
                return certain[0] if len(set(certain)) == 1 else joined(certain[0], certain[-1])
            case ast.IfExp(body=one, orelse=other):
                return joined(self.kind(one), self.kind(other))
            case ast.BinOp(left=left, op=op, right=right):
                return of_two(self.kind(left), op, self.kind(right))
            case ast.Call():
                return self._call(node)
        return "i"

    def _outer(self, node: ast.Name) -> Any:
        """Return the kind of a global; None if it is neither a number nor a row."""
        constant = self.text.named(node)
        if isinstance(constant, int | float):
            return of_number(constant)
        return "row" if isinstance(constant, tuple) else None

    def _call(self, node: ast.Call) -> Any:
        called = self.text.named(node.func)
        if called in RESULTS:
            return RESULTS[called]
        if isinstance(called, types.FunctionType):
            spec, _ = self.callee(called, node)
            return spec.result or ANNOTATED.get(ast.unparse(spec.text.tree.returns or ast.Name("int")), "i")
        words = node.func.id if isinstance(node.func, ast.Name) else ""
        if words in ("min", "max", "abs"):
            kind = reduce(joined, map(self.kind, node.args), None)
            return None if kind is None else "f" if kind == "f" else "i"
        return {"bool": "b", "float": "f"}.get(words, "i")

    @property
    def needed(self) -> set[str]:
        """The parameters whose values are used; passing a value to a parameter that is not needed is not a use."""
        if self._needed is None:
            handed = {name for name in self.text.params if TYPE[self.of[name]]}
            self._needed = handed  # the preliminary result, for functions that call themselves
            names: set[str] = set()
            for node in self.text.tree.body:
                self._use(node, names)
            self._needed = handed & names
        return self._needed

    def _use(self, node: ast.AST, names: set[str]) -> None:
        if isinstance(node, ast.Name):
            names.add(node.id)
            return
        called = self.text.named(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and isinstance(called, types.FunctionType) and called not in RESULTS:
            spec, values = self.callee(called, node)
            for name, value in zip(spec.text.params, values, strict=True):
                if name in spec.needed or value.calls:
                    self._use(value, names)
            return
        for inner in ast.iter_child_nodes(node):
            self._use(inner, names)


class ModuleDraft:
    """The data of a module before it is written: its functions by kinds of arguments, and its constants.

    `base` is the address of its constants. With `wary`, negative indexes and shifts by more than 63 work as in Python;
    with `checked`, an index out of range is reported.

    The parameters from `inline` on are maxima. The sizes of functions and expressions are counted in subexpressions. A
    function is inlined up to size `inline`, or up to size `single` if only one call of it exists. Nothing is inlined
    into a function that has reached `longest` bytes, because browsers do not optimise longer functions. Loops of known
    length are unrolled up to `unroll` bytes, or up to LATER bytes once the module has LARGE bytes. Expressions
    of size `cheap` are evaluated even if unused, to save a jump; so are expressions of size `choose` that an `if` only
    assigns to a name. A test of size `twice` is written at both ends of a loop.
    """

    @property
    def handwritten(self) -> Mapping[Function, Callable[..., Any]]:
        """The functions with handwritten code, mapped to the writers of their calls."""
        return {}

    def __init__(
        self,
        rules: Any,
        table: type[Table],
        base: int = 1024,
        wary: bool = False,
        checked: bool = False,
        inline: int = 60,
        single: int = 300,
        longest: int = 12000,
        unroll: int = 3000,
        cheap: int = 6,
        choose: int = 8,
        twice: int = 12,
    ) -> None:
        self.rules, self.base, self.wary, self.checked = rules, base, wary, checked
        self.inline, self.single, self.longest, self.unroll = inline, single, longest, unroll
        self._written = 0
        self.cheap, self.choose, self.twice = cheap, choose, twice
        self.fields: dict[str, tuple[int, int]] = {}
        self.size = 0
        for field, size in table.ROWS.items():
            self.fields[field] = self.size, size
            self.size += 8 * size
        self.kept = {index.field: (name, index) for name, index in table.INDEXES.items()}
        self._keeping: dict[ast.AST, ast.Call] = {}
        self.constants = {"RULES": len(rules.BOOK)} if rules is not None else {}
        self.data = bytearray()
        self.faults: list[str] = []  # the messages about indexes that may be out of range
        self._rows: dict[tuple[int, ...], int] = {}
        self._texts: dict[Function, FunctionText] = {}
        self._specs: dict[Any, Spec] = {}
        self._numbers: dict[Spec, int] = {}
        self._waiting: list[Spec] = []
        self._callers: Counter[Any] | None = None

    def text(self, function: Function) -> FunctionText:
        """Return a function's text, read once."""
        if function not in self._texts:
            self._texts[function] = FunctionText(function, self.rules, self.constants)
        return self._texts[function]

    def spec(self, function: Function, kinds: tuple[str, ...]) -> Spec:
        """Return the Spec of a function for these kinds of arguments, its kinds inferred once."""
        key = function, kinds
        if key not in self._specs:
            self._specs[key] = Spec(self, self.text(function), kinds)
            self._specs[key].settle()
        return self._specs[key]

    def door(self, function: Function, node: ast.Call, spec: Spec) -> tuple[Function, ast.Call]:
        """Return the function and the call to emit; a door is replaced by the version for its kind of trace."""
        if function in table_doors.PLAIN:
            return table_doors.PLAIN[function], node
        if function not in table_doors.UNTOLD:
            return function, node
        if function is happen and self.kept and not spec.text.is_door:
            if not isinstance(node.args[0], ast.Attribute):
                raise spec.text.wrong(node, "write the field in happen() as table.name, as it may be indexed")
            if node.args[0].attr in self.kept:
                return table_doors.set_kept, self.keeping(node, node.args[0])
        trace = node.args[0 if function is tally else -1]
        return table_doors.BY_TRACE[spec.kind(trace) or "none"][function], node

    def keeping(self, node: ast.Call, field: ast.Attribute) -> ast.Call:
        """Return a call of `happen` on an indexed field, with the index and whether it holds bits as arguments."""
        if node not in self._keeping:
            name, index = self.kept[field.attr]
            row = ast.Attribute(field.value, name, ast.Load(), lineno=node.lineno)
            flag = ast.Constant(int(index.is_bits), lineno=node.lineno)
            call = ast.Call(node.func, [field, row, flag, *node.args[1:]], node.keywords)
            self._keeping[node] = learned(call, node)
        return self._keeping[node]

    def field(self, name: str, node: ast.AST, text: FunctionText) -> tuple[int, int]:
        """Return the offset of a field in the table, in bytes, and its size."""
        if name not in self.fields:
            raise text.wrong(node, f"the table has no {name}")
        return self.fields[name]

    def is_small(self, spec: Spec) -> bool:
        """Return whether a function is small enough to be inlined."""
        if self._callers is None:
            self._callers = Counter(
                text.named(node.func)
                for text in self._texts.values()
                for node in text.nodes
                if isinstance(node, ast.Call)
            )
        size = spec.text.size
        return size <= self.inline or (size <= self.single and self._callers[spec.text.function] == 1)

    def row(self, numbers: tuple[Any, ...], wrong: Callable[[], Exception] | None = None) -> int:
        """Return the address of a constant row, stored once and preceded by its length."""
        if numbers not in self._rows:
            if not all(isinstance(number, int) for number in numbers):
                raise wrong() if wrong else TypeError(f"{numbers!r:.60} is not a row of whole numbers")
            self.data += struct.pack("<q", len(numbers))
            self._rows[numbers] = self.base + len(self.data)
            self.data += struct.pack(f"<{len(numbers)}q", *numbers)
        return self._rows[numbers]

    def number(self, spec: Spec) -> int:
        """Return a function's index in the module; a new function is scheduled to be written."""
        if spec not in self._numbers:
            self._numbers[spec] = len(self._numbers)
            self._waiting.append(spec)
        return self._numbers[spec]

    def fault(self, text: FunctionText, node: ast.AST) -> int:
        """Add a message for an index that may be out of range, and return its number, from 1."""
        self.faults.append(str(text.wrong(node, "this index is beyond its row")).partition(";")[0])
        return len(self.faults)


def arguments(text: FunctionText, node: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call in order of the parameters, defaults included."""
    values = list(node.args)
    by_name = {keyword.arg: keyword.value for keyword in node.keywords}
    for name in text.params[len(values) :]:
        if name not in by_name and name not in text.defaults:
            raise text.wrong(node, f"{text.tree.name} is called without {name}")
        values.append(by_name[name] if name in by_name else text.defaults[name])
    return values


def of_number(value: float) -> str:
    """Return the kind of a constant."""
    if isinstance(value, bool):
        return "b"
    if not isinstance(value, int):
        return "f"
    return "n" if value == -1 else "u" if value >> 63 > 0 else "i"


def of_two(one: Any, op: ast.operator, other: Any) -> Any:
    """Return the kind of the result of an operator; None if an operand's kind is not known yet."""
    if one is None or other is None:
        return None
    if isinstance(op, ast.Div) or "f" in (one, other):
        return "f"
    if isinstance(op, LOGICAL) and one == other == "b":
        return "b"
    if isinstance(op, ast.RShift | ast.LShift):
        return "u" if one == "u" else "i"
    return "u" if one == other == "u" else "i"


__all__ = ["NUMBERS", "TYPE", "ModuleDraft", "Spec", "arguments", "base_of", "joined", "of_items", "of_two", "size_of"]
