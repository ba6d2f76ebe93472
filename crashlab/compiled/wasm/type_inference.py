"""What is known of a value before anything runs: its kind.

    i     a whole number: i64               u     one without a sign: i64 (the state of a source of chance)
    b     True or False: i32                f     a fraction: f64
    n     always -1, so it is nowhere: causes, where nobody watches
    none  None: a trace where nobody watches, and what returns nothing
    row, urow, frow, bytes   the address of numbers, before which stands how many they are; of row:7 they are 7, and of
                      row? nobody knows it
    table             the address of a table's rows
    tables:96         the address of tables that begin every 96 bytes; their number stands before them
    windows:96        the same where before them stands how many numbers they have
    flat:96           the same tables, each a row of numbers
    counts, told      the address of a trace, in which events are counted or kept

A tuple of kinds is the kind of several results. A function is emitted once for each list of kinds it is called with.
"""

from __future__ import annotations

import ast
import struct
import types
from collections.abc import Callable, Mapping
from typing import Any

from crashlab.compiled.kernels import tree_search
from crashlab.compiled.wasm import table_doors
from crashlab.compiled.wasm.encoding import F64, I32, I64
from crashlab.compiled.wasm.read_function import Function, FunctionText, learn, walk
from crashlab.engine.table import Table, clear, happen, lay, tally

Kind = str | tuple[str, ...]

LOGICAL = (ast.BitAnd, ast.BitOr, ast.BitXor)
NUMBERS = frozenset("iubnf")
AMONG = ("tables", "windows", "flat")
RESULTS: dict[Any, str] = {  # of what is written by hand
    lay: "none",
    clear: "none",
    tree_search.same: "b",
    tree_search.best_child: "i",
}
ANNOTATED = {"bool": "b", "int": "i", "float": "f", "None": "none"}


class Types(dict[str, int | None]):
    """The type of WebAssembly for each kind of value; None where nothing is handed over."""

    def __missing__(self, kind: str) -> int | None:
        found = {"i": I64, "u": I64, "b": I32, "f": F64, "n": None, "none": None}.get(kind, I32)
        self[kind] = found
        return found


TYPE = Types()


def joined(one: Any, other: Any) -> Any:
    """The kind of what can be of either kind."""
    if one is None or one == other:
        return other
    if other is None:
        return one
    if type(one) is type(other) is tuple and len(one) == len(other):
        return tuple(map(joined, one, other))
    if one in NUMBERS and other in NUMBERS:
        return "f" if "f" in (one, other) else "i"
    base = one.partition(":")[0].rstrip("?")
    if base in ("row", "urow", "frow") and base == other.partition(":")[0].rstrip("?"):
        return f"{base}?"
    return "none" if "none" in (one, other) else "i"


def of_items(kind: str) -> str:
    """The kind of what stands in a row, or among tables."""
    base = kind.partition(":")[0]
    if base in AMONG:
        return f"row:{int(kind.partition(':')[2]) // 8}" if base == "flat" else "table"
    return {"urow": "u", "frow": "f"}.get(base.rstrip("?"), "i")


class Spec:
    """A function called with these kinds: the kinds of all in it, and of what it returns."""

    def __init__(self, module: ModuleDraft, text: FunctionText, given: tuple[str, ...]) -> None:
        self.module, self.text = module, text
        self.of: dict[str, Any] = dict(zip(text.params, given, strict=True))
        self.result: Any = None
        self.is_settled = False
        self._known: dict[ast.AST, Any] = {}
        self._needed: set[str] | None = None

    def settle(self) -> None:
        """Find the kinds of the names and of the result: what they are called at first can turn out to be more."""
        before: object = None
        while before != (self.of, self.result):
            before = dict(self.of), self.result
            for node in self.text.sets:
                if isinstance(node, ast.For):
                    self._set(node.target, self._each(node.iter))
                elif isinstance(node, ast.Return):
                    self.result = joined(self.result, self.kind(node.value) if node.value else "none")
                elif isinstance(node, ast.Assign):
                    for target in node.targets:
                        self._assign(target, node.value)
        self.result = self.result or "none"
        self.is_settled = True

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if not isinstance(target, ast.Tuple):
            self._set(target, self.kind(value))
        elif isinstance(value, ast.Tuple):
            for part, each in zip(target.elts, value.elts, strict=True):
                self._set(part, self.kind(each))
        else:
            kinds = self.kind(value)
            for part, kind in zip(target.elts, kinds, strict=True) if isinstance(kinds, tuple) else ():
                self._set(part, kind)

    def _set(self, target: ast.expr, kind: Any) -> None:
        if isinstance(target, ast.Name) and kind:
            self.of[target.id] = joined(self.of.get(target.id), kind)

    def _each(self, source: ast.expr) -> Any:
        """The kind of what a loop goes through."""
        if isinstance(source, ast.Tuple):
            kind = None
            for value in source.elts:
                kind = joined(kind, self.kind(value))
            return "i" if kind == "n" else kind
        return "i" if isinstance(source, ast.Call) else of_items(self.kind(source) or "row")

    def given(self, function: Function, node: ast.Call) -> tuple[str, ...]:
        """The kinds of the arguments of a call."""
        return tuple(self.kind(value) or "i" for value in arguments(self.module.text(function), node))

    def kind(self, node: ast.expr) -> Any:
        """The kind of an expression; None where it is not known yet."""
        if not self.is_settled:
            return self._kind(node)
        if node not in self._known:
            self._known[node] = self._kind(node)
        return self._known[node]

    def _kind(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name):
                return self.of[name] if name in self.of else self._outer(node)
            case ast.Constant(value=value):
                if not isinstance(value, int | float | None):
                    raise self.text.wrong(node, f"{value!r:.40} cannot be compiled")
                return "none" if value is None else of_number(value)
            case ast.Attribute():
                if (found := self.text.named(node)) is not None:
                    return of_number(found) if isinstance(found, int) else "row"
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
                known = [kind for kind in kinds if kind]
                return None if not known else known[0] if len(set(known)) == 1 else joined(known[0], known[-1])
            case ast.IfExp(body=one, orelse=other):
                return joined(self.kind(one), self.kind(other))
            case ast.BinOp(left=left, op=op, right=right):
                return of_two(self.kind(left), op, self.kind(right))
            case ast.Call():
                return self._call(node)
        return "i"

    def _outer(self, node: ast.Name) -> Any:
        """The kind of what stands outside the function."""
        found = self.text.named(node)
        if isinstance(found, int | float):
            return of_number(found)
        return "row" if isinstance(found, tuple) else None

    def _call(self, node: ast.Call) -> Any:
        called = self.text.named(node.func)
        if called in RESULTS:
            return RESULTS[called]
        if isinstance(called, types.FunctionType):
            called, node = self.module.door(called, node, self)
            spec = self.module.spec(called, self.given(called, node))
            return spec.result or ANNOTATED.get(ast.unparse(spec.text.tree.returns or ast.Name("int")), "i")
        words = node.func.id if isinstance(node.func, ast.Name) else ""
        if words in ("min", "max", "abs"):
            kind = None
            for value in node.args:
                kind = joined(kind, self.kind(value))
            return None if kind is None else "f" if kind == "f" else "i"
        return {"bool": "b", "float": "f"}.get(words, "i")

    @property
    def needed(self) -> set[str]:
        """The parameters that are used for more than telling what happens."""
        if self._needed is None:
            handed = {name for name in self.text.params if TYPE[self.of[name]]}
            self._needed = handed  # while it is looked for, in a function that calls itself
            used: set[str] = set()
            for node in self.text.tree.body:
                self._use(node, used)
            self._needed = handed & used
        return self._needed

    def _use(self, node: ast.AST, used: set[str]) -> None:
        if isinstance(node, ast.Name):
            used.add(node.id)
            return
        called = self.text.named(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and isinstance(called, types.FunctionType) and called not in RESULTS:
            called, node = self.module.door(called, node, self)
            spec = self.module.spec(called, self.given(called, node))
            for name, value in zip(spec.text.params, node.args, strict=False):
                if name in spec.needed or value.calls:  # type: ignore[attr-defined]
                    self._use(value, used)
            return
        for inner in ast.iter_child_nodes(node):
            self._use(inner, used)


class ModuleDraft:
    """What is known of a module before it is written: its functions for these kinds of arguments, its constants.

    `base` is the address at which its constants can stand. With `wary` an index can count from the end of its row, and
    a shift can be by more than 63; with `checked` an index beyond its row is told.

    A text of up to `inline` expressions is put where it is called, and up to `single` where that is one place, as long
    as the caller is shorter than `longest` bytes: browsers do not optimise what is longer. Loops whose length is known
    are written out up to `unroll` bytes, and up to LATER ones once the module has LARGE bytes. What has up to `cheap`
    expressions is found even if it is not wanted, to save a jump, and up to `choose` what an `if` only gives to a name;
    a test of up to `twice` stands at both ends of a loop.
    """

    @property
    def handwritten(self) -> Mapping[Function, Callable[..., Any]]:
        """What writes by hand what a call of these does."""
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
        self.faults: list[str] = []  # where an index can be beyond its row
        self._rows: dict[tuple[int, ...], int] = {}
        self._texts: dict[Function, FunctionText] = {}
        self._specs: dict[Any, Spec] = {}
        self._numbers: dict[Spec, int] = {}
        self._waiting: list[Spec] = []
        self._callers: dict[Any, int] | None = None

    def text(self, function: Function) -> FunctionText:
        """A function's text."""
        if function not in self._texts:
            self._texts[function] = FunctionText(function, self.rules, self.constants)
        return self._texts[function]

    def spec(self, function: Function, given: tuple[str, ...]) -> Spec:
        """The function for these kinds."""
        key = function, given
        if key not in self._specs:
            self._specs[key] = Spec(self, self.text(function), given)
            self._specs[key].settle()
        return self._specs[key]

    def door(self, function: Function, node: ast.Call, spec: Spec) -> tuple[Function, ast.Call]:
        """What is emitted for a function, and for its call: of a door, what is left of it with this trace."""
        if function in table_doors.PLAIN:
            return table_doors.PLAIN[function], node
        if function not in table_doors.UNTOLD:
            return function, node
        if function is happen and self.kept and not spec.text.is_door:
            if not isinstance(node.args[0], ast.Attribute):
                raise spec.text.wrong(node, "happen() is told the field by its name, since that may have an index")
            if node.args[0].attr in self.kept:
                return table_doors.set_kept, self.keeping(node, node.args[0])
        trace = node.args[0 if function is tally else -1]
        return table_doors.BY_TRACE[spec.kind(trace) or "none"][function], node

    def keeping(self, node: ast.Call, field: ast.Attribute) -> ast.Call:
        """The call of a door to a field that has an index, with the index."""
        if node not in self._keeping:
            name, index = self.kept[field.attr]
            row = ast.Attribute(field.value, name, ast.Load(), lineno=node.lineno)
            flag = ast.Constant(int(index.is_bits), lineno=node.lineno)
            made = ast.Call(node.func, [field, row, flag, *node.args[1:]], node.keywords, lineno=node.lineno)
            learn(made)
            self._keeping[node] = made
        return self._keeping[node]

    def field(self, name: str, node: ast.AST, text: FunctionText) -> tuple[int, int]:
        """Where a field of the table begins, and how many numbers it has."""
        if name not in self.fields:
            raise text.wrong(node, f"the table has no {name}")
        return self.fields[name]

    def is_small(self, spec: Spec) -> bool:
        """Whether a function is put where it is called."""
        if self._callers is None:
            self._callers = {}
            for text in list(self._texts.values()):
                for node in text.nodes:
                    if isinstance(node, ast.Call):
                        called = text.named(node.func)
                        self._callers[called] = self._callers.get(called, 0) + 1
        size = spec.text.size
        return size <= self.inline or (size <= self.single and self._callers.get(spec.text.function) == 1)

    def row(self, numbers: tuple[Any, ...], wrong: Callable[[], Exception] | None = None) -> int:
        """The address of a constant row; its length stands before it."""
        if numbers not in self._rows:
            if not all(isinstance(number, int) for number in numbers):
                raise wrong() if wrong else TypeError(f"{numbers!r:.60} is not a row of whole numbers")
            self.data += struct.pack("<q", len(numbers))
            self._rows[numbers] = self.base + len(self.data)
            self.data += struct.pack(f"<{len(numbers)}q", *numbers)
        return self._rows[numbers]

    def number(self, spec: Spec) -> int:
        """The number of a function in the module."""
        if spec not in self._numbers:
            self._numbers[spec] = len(self._numbers)
            self._waiting.append(spec)
        return self._numbers[spec]

    def fault(self, text: FunctionText, node: ast.AST) -> int:
        """The number of a place at which an index can be beyond its row."""
        self.faults.append(str(text.wrong(node, "this index is beyond its row")).partition(";")[0])
        return len(self.faults)


def arguments(text: FunctionText, node: ast.Call) -> list[ast.expr]:
    """What a function is called with, and what it takes where nothing is said."""
    given = list(node.args)
    by_name = {each.arg: each.value for each in node.keywords}
    for name in text.params[len(given) :]:
        if name not in by_name and name not in text.defaults:
            raise text.wrong(node, f"{text.tree.name} is called without {name}")
        given.append(by_name[name] if name in by_name else text.defaults[name])
    return given


def of_number(value: float) -> str:
    """The kind of a number that is known."""
    if isinstance(value, bool):
        return "b"
    if not isinstance(value, int):
        return "f"
    return "n" if value == -1 else "u" if value >> 63 > 0 else "i"


def of_two(one: Any, op: ast.operator, other: Any) -> Any:
    """The kind of what an operator makes of two values."""
    if one is None or other is None:
        return None
    if isinstance(op, ast.Div) or "f" in (one, other):
        return "f"
    if isinstance(op, LOGICAL) and one == other == "b":
        return "b"
    if isinstance(op, ast.RShift | ast.LShift):
        return "u" if one == "u" else "i"
    return "u" if one == other == "u" else "i"


__all__ = ["NUMBERS", "TYPE", "Kind", "ModuleDraft", "Spec", "arguments", "joined", "of_items", "walk"]
