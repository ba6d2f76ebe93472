"""The code generator for one function, in which small called functions are inlined."""

from __future__ import annotations

import ast
import struct
import types
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.encoding import CodeWriter, Local, address, load, store, uleb, vector, whole
from crashlab.compiled.wasm.read_function import FOLD, NOTHING, learned
from crashlab.compiled.wasm.type_inference import AMONG, TYPE, ModuleDraft, Spec, joined, of_items, of_two

FAULT = 16  # the address at which the number of an index out of range is stored
TIMES_8 = address(3) + bytes([wasm.SHL32])
ELSE_NO = bytes([wasm.ELSE]) + address(0)


class Frame:
    """A function being emitted, on its own or inlined: the meaning of its names, and the label of its end."""

    def __init__(self, spec: Spec, end: int, results: list[Local] | None = None) -> None:
        self.spec, self.text, self.end, self.results = spec, spec.text, end, results
        self.places: dict[str, Local] = {}
        self.constants: dict[str, Any] = {}  # name -> its constant value here
        # name -> the expression of the row that the name refers to, preceded by the frame of that expression
        self.rows: dict[str, tuple[Frame, ast.expr]] = {}
        self.loops: list[tuple[int, int]] = []  # the labels of break and continue
        self.rounds = 0  # the number of unrolled loops around the current code; constants set in a loop end with it


class FunctionCode(CodeWriter):
    """The writer of one function of the module."""

    def __init__(self, module: ModuleDraft, spec: Spec, handed: Sequence[str]) -> None:
        super().__init__([TYPE[spec.of[name]] for name in handed])
        self.module, self.frame, self.active = module, Frame(spec, 0), [spec]
        self.frame.places = {name: Local(place) for place, name in enumerate(handed)}
        self.body()
        kinds = [uleb(len(list(alike))) + bytes([kind]) for kind, alike in groupby(self.locals)]
        self.binary = vector(kinds) + bytes(self.out) + bytes([wasm.END])

    def body(self) -> None:
        """Write the statements of a function."""
        self.block(self.frame.text.tree.body)
        if self.frame.spec.result != "none":
            self.op(wasm.UNREACHABLE)  # every path returns a value

    # Helpers

    def kind(self, node: ast.expr) -> Any:
        """Return the kind of an expression."""
        return self.frame.spec.kind(node)

    def place(self, name: str) -> Local:
        """Return the local of a name, created at its first use."""
        frame = self.frame
        if name not in frame.places:
            frame.places[name] = self.local(TYPE[frame.spec.of[name]])
        return frame.places[name]

    def wrong(self, node: ast.AST, words: str) -> Exception:
        """Return the error for a part that cannot be compiled."""
        return self.frame.text.wrong(node, words)

    # Constant folding

    def value(self, node: Any) -> Any:
        """Return the constant value of an expression, or None."""
        needs = node.needs
        if needs is None:
            return None
        frame, text = self.frame, self.frame.text
        if node in text.static:
            return text.static[node]
        inside = [name for name in needs if name in text.names or name[0] == "."]
        for name in inside:
            if name not in frame.constants and not frame.spec.of[name].startswith(("n", "row:", "frow:")):
                return None
        value = self._value(node)
        if not inside and isinstance(node, ast.Constant | ast.Name | ast.BinOp | ast.Subscript):
            text.static[node] = value
        return value

    def _value(self, node: Any) -> Any:
        match node:
            case ast.Constant(value=number):
                return number
            case ast.Name(id=name):
                if name in self.frame.constants:
                    return self.frame.constants[name]
                if name in self.frame.text.names:
                    return -1 if self.frame.spec.of.get(name) == "n" else None
                return number_or_none(self.frame.text.outer(name))
            case ast.Attribute():
                return number_or_none(self.frame.text.named(node))
            case ast.Call(args=[row]):
                return self.length(row)
            case ast.UnaryOp(op=op, operand=part):
                if (value := self.value(part)) is None:
                    return None
                return -value if isinstance(op, ast.USub) else ~value if isinstance(op, ast.Invert) else not value
            case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
                if type(op) not in FOLD or (one := self.value(left)) is None or (other := self.value(right)) is None:
                    return None
                try:
                    return FOLD[type(op)](one, other)
                except (ArithmeticError, ValueError):
                    return None
            case ast.Subscript(value=row, slice=index):
                value = self.frame.text.named(row)
                if isinstance(value, tuple) and (at := self.value(index)) is not None:
                    return value[at] if -len(value) <= at < len(value) else None
            case ast.IfExp(test=test, body=one, orelse=other):
                if (value := self.value(test)) is not None:
                    return self.value(one if value else other)
            case ast.BoolOp(op=op, values=parts):
                for part in parts[:-1]:
                    if (value := self.value(part)) is None or bool(value) == isinstance(op, ast.Or):
                        return value
                return self.value(parts[-1])
        return None

    def is_cheap(self, node: Any, most: int = 0) -> bool:
        """Return whether an expression may be evaluated even if unused: it is short and cannot fail."""
        if not node.cheap or node.parts > (most or self.module.cheap) or (self.module.checked and node.rows):
            return False
        return not any(isinstance(self.frame.text.named(row), tuple) for row in node.rows)

    # Expressions: each pushes one value

    def expr(self, node: Any, want: Any = None) -> Any:
        """Write an expression, converted to the kind `want` if given; return the kind."""
        if node.needs is not None and (constant := self.value(node)) is not None:
            return self.constant(constant, want or self.kind(node))
        return self.convert(self.raw(node), want, node)

    def exprs(self, want: Any, *nodes: Any) -> None:
        """Write several expressions, converted to one kind."""
        for node in nodes:
            self.expr(node, want)

    def set_local(self, place: Local, node: Any, want: Any = None) -> None:
        """Write an expression and pop its value, converted to the kind `want` if given, into a local."""
        self.expr(node, want)
        self.op(place.set)

    def constant(self, number: Any, kind: Any) -> Any:
        """Write a constant of this kind; return the kind."""
        if kind == "b":
            self.op(address(bool(number)))
        elif kind == "f":
            self.op(wasm.CONST_F64, struct.pack("<d", number))
        elif kind != "n":
            self.op(whole(int(number)))
        return kind

    def convert(self, kind: Any, want: Any, node: ast.AST) -> Any:
        """Convert the value on the stack from kind to want; return its new kind."""
        if want is None or want == kind or (TYPE[kind] == wasm.I32 == TYPE[want] and "b" not in (kind, want)):
            return want or kind
        if kind == "n" and want in ("i", "u", "f", "b"):
            return self.constant(-1, want)
        match kind, want:
            case _, "n":
                self.op(wasm.DROP if TYPE[kind] else b"")
            case "b", "i" | "u":
                self.op(wasm.EXTEND_U)
            case "b" | "i" | "u", "f":
                self.op({"b": wasm.FLOAT_B, "i": wasm.FLOAT_I, "u": wasm.FLOAT_U}[kind])
            case "i" | "u", "b":
                self.op(wasm.CONST64, 0, wasm.NE64)
            case "f", "b":
                self.op(wasm.CONST_F64, bytes(8), wasm.FRACTIONS[ast.NotEq])
            case _ if TYPE[kind] != TYPE[want]:
                words = {"none": "nothing", "f": "a fraction", "i": "a whole number"}
                raise self.wrong(node, f"this must be {words.get(want, want)}, not {words.get(kind, kind)}")
        return want

    def raw(self, node: Any) -> Any:
        match node:
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Subscript(value=row, slice=index):
                return self.item(row, index)
            case ast.Compare(left=left, ops=ops, comparators=rest):
                return self.compare(node, left, ops, rest)
            case ast.BinOp(left=left, op=op, right=right):
                kind = self.kind(node)
                self.operate(node, op, kind, self.kind(left), lambda want: self.expr(left, want), right)
                return kind
            case ast.Attribute(value=table, attr=name):
                constant = self.frame.text.named(node)
                if isinstance(constant, tuple):
                    self.op(address(self.module.row(constant)))
                    return "row"
                offset, size = self.module.field(name, node, self.frame.text)
                self.expr(table)
                if offset:
                    self.op(address(offset), wasm.ADD32)
                return f"row:{size}"
            case ast.UnaryOp(op=op, operand=part):
                return self.turned(op, part)
            case ast.BoolOp(op=op, values=parts):
                return self.both(op, parts, self.kind(node))
            case ast.IfExp(test=test, body=one, orelse=other):
                return self.either(test, one, other, self.kind(node))
            case ast.Call():
                return self.call(node)
            case ast.Constant(value=None):
                return "none"
        raise self.wrong(node, f"{ast.unparse(node)} cannot be compiled")

    def name(self, node: ast.Name, name: str) -> Any:
        """Write the value of a name; return its kind."""
        frame = self.frame
        if name in frame.spec.of:
            kind = frame.spec.of[name]
            if not TYPE[kind]:
                return kind
            if name in frame.rows:
                self.frame, row = frame.rows[name]
                self.expr(row)
                self.frame = frame
            else:
                self.op(self.place(name))
            return kind
        constant = frame.text.named(node)
        if isinstance(constant, tuple):
            self.op(address(self.constant_row(node, constant)))
            return "row"
        raise self.wrong(node, f"{name} cannot be compiled")

    def item(self, row: ast.expr, index: ast.expr) -> Any:
        """Write an item of a row, or the address of one of several tables; return its kind."""
        kind = self.kind(row)
        if kind.partition(":")[0] in AMONG:
            self.element_address(row, index, kind)
        else:
            self.op(load(kind, self.spot(row, index)))
        return of_items(kind)

    def turned(self, op: ast.unaryop, part: ast.expr) -> Any:
        """Write a unary operator, `not`, `-` or `~`; return the kind."""
        if isinstance(op, ast.Not):
            self.expr(part, "b")
            self.op(wasm.EQZ32)
            return "b"
        if self.kind(part) == "f":
            self.expr(part)
            self.op(wasm.NEG_F64)
            return "f"
        before, after = INTEGER[type(op)]
        self.op(before)
        self.expr(part, "i")
        self.op(after)
        return "i"

    def either(self, test: Any, one: Any, other: Any, kind: Any) -> Any:
        """Write a conditional expression; if both values are cheap, both are evaluated, to avoid a jump."""
        if (constant := self.value(test)) is not None:
            return self.expr(one if constant else other, kind)
        if not TYPE[kind]:
            return kind
        if self.is_cheap(one) and self.is_cheap(other) and not test.calls:
            self.exprs(kind, one, other)
            self.expr(test, "b")
            self.op(wasm.SELECT)
            return kind
        self.expr(test, "b")
        with self.inside(wasm.IF, TYPE[kind]):
            self.expr(one, kind)
            self.op(wasm.ELSE)
            self.expr(other, kind)
        return kind

    def compare(self, node: Any, left: Any, ops: list[Any], rest: list[Any]) -> str:
        """Write a comparison or a chain; an operand with calls is evaluated only if all comparisons before it hold."""
        if len(ops) == 1:
            self.compare_two(node, left, ops[0], rest[0])
            return "b"
        opened, one, middle = 0, left, None
        for number, (op, other) in enumerate(zip(ops, rest, strict=True)):
            is_last = number == len(ops) - 1
            kind = self.common(one, other)
            self.expr(one, kind) if middle is None else self.op(middle)
            self.expr(other, kind)
            if not is_last:
                middle = self.local(TYPE[kind])
                self.op(middle.tee)
            self.op(self.comparison(kind)[type(op)])
            if number and not opened:
                self.op(wasm.AND32)
            if not is_last and rest[number + 1].calls:
                self.open_if()
                opened += 1
            one = other
        for _ in range(opened):
            self.close_if(ELSE_NO)
        return "b"

    def open_if(self, when_true: bytes = b"") -> None:
        """Begin an `if` with a boolean result; `when_true` is code for its first branch."""
        self.op(wasm.IF, wasm.I32, when_true)
        self.depth += 1

    def close_if(self, when_false: bytes) -> None:
        """End the latest `if`; `when_false` is ELSE with its code, or empty if ELSE is written already."""
        self.op(when_false, wasm.END)
        self.depth -= 1

    def common(self, one: Any, other: Any) -> str:
        """Return the kind in which two values are compared."""
        kinds = {self.kind(one), self.kind(other)}
        if not kinds <= {"i", "u", "b", "n", "f"}:
            raise self.wrong(one, "only numbers can be compared")
        return "f" if "f" in kinds else "u" if kinds == {"u"} else "i"

    def comparison(self, kind: str) -> dict[Any, int]:
        """Return the instructions that compare values of this kind."""
        return wasm.FRACTIONS if kind == "f" else wasm.UNSIGNED if kind == "u" else wasm.SIGNED

    def compare_two(self, node: Any, one: Any, op: Any, other: Any) -> None:
        if isinstance(op, ast.In | ast.NotIn) and isinstance(other, ast.Tuple) and not one.calls:
            parts = [learned(ast.Compare(one, [ast.Eq()], [value]), node) for value in other.elts]
            self.expr(learned(ast.BoolOp(ast.Or(), parts), node), "b")
            if isinstance(op, ast.NotIn):
                self.op(wasm.EQZ32)
            return
        if type(op) not in wasm.SIGNED:
            raise self.wrong(node, f"{ast.unparse(node)} cannot be compiled")
        if self.kind(one) == self.kind(other) == "b" and isinstance(op, ast.Eq | ast.NotEq):
            self.exprs("b", one, other)
            self.op(wasm.EQ32 if isinstance(op, ast.Eq) else wasm.NE32)
            return
        kind = self.common(one, other)
        self.expr(one, kind)
        if isinstance(op, ast.Eq) and kind != "f" and self.value(other) == 0:
            self.op(wasm.EQZ64)
        else:
            self.expr(other, kind)
            self.op(self.comparison(kind)[type(op)])

    def both(self, op: ast.boolop, parts: list[Any], kind: Any) -> Any:
        """Write `and` or `or`; a part that is not cheap is evaluated only if the result is still open."""
        is_or = isinstance(op, ast.Or)
        needed_parts = []
        for part in parts:
            constant = self.value(part)
            if constant is None or part is parts[-1] or bool(constant) == is_or:
                needed_parts.append(part)
            if constant is not None and bool(constant) == is_or:
                break
        if len(needed_parts) == 1:
            return self.expr(needed_parts[0], kind)
        if kind != "b":  # the result is the last part evaluated, not a boolean
            result = self.local(TYPE[kind])
            with self.inside(wasm.BLOCK) as label:
                for part in needed_parts[:-1]:
                    self.expr(part, kind)
                    self.op(result.tee)
                    self.convert(kind, "b", part)
                    self.op(b"" if is_or else wasm.EQZ32)
                    self.br(label, wasm.BR_IF)
                self.set_local(result, needed_parts[-1], kind)
            self.op(result)
            return kind
        opened = 0
        self.expr(needed_parts[0], "b")
        for part in needed_parts[1:]:
            if self.is_cheap(part):
                self.expr(part, "b")
                self.op(wasm.OR32 if is_or else wasm.AND32)
            else:
                self.open_if(address(1) + bytes([wasm.ELSE]) if is_or else b"")
                opened += 1
                self.expr(part, "b")
        for _ in range(opened):
            self.close_if(b"" if is_or else ELSE_NO)
        return "b"

    def operate(self, node: Any, op: Any, kind: str, left_kind: Any, left: Callable[[Any], Any], right: Any) -> None:
        """Write an operator; `left(kind)` writes the first operand, converted to that kind."""
        codes = {"b": wasm.LOGIC, "f": wasm.FLOATING}.get(kind)
        if codes is None:
            self.reckon(node, op, kind, left_kind, left, right)
        elif type(op) not in codes:
            raise self.wrong(node, f"{ast.unparse(node)} cannot be compiled for fractions")
        else:
            left(kind)
            self.expr(right, kind)
            self.op(codes[type(op)])

    def reckon(self, node: Any, op: Any, kind: str, left_kind: Any, left: Callable[[Any], Any], right: Any) -> None:
        """Write an operator for integers; see `operate`."""
        by = self.value(right)
        left("u" if left_kind == "u" else "i")
        match op:
            case ast.Pow():
                self.power(node, by)
            case ast.LShift() | ast.RShift():
                self.shift(op, kind, by, right)
            case ast.FloorDiv() | ast.Mod() if kind == "u":
                self.expr(right, "u")
                self.op(wasm.DIV_U if isinstance(op, ast.FloorDiv) else wasm.REM_U)
            case ast.FloorDiv() | ast.Mod() if by is not None and by > 0 and by & by - 1 == 0:
                is_rest = isinstance(op, ast.Mod)
                self.op(whole(by - 1 if is_rest else by.bit_length() - 1), wasm.AND64 if is_rest else wasm.SHR_S)
            case ast.FloorDiv() | ast.Mod():
                self.divide(isinstance(op, ast.Mod), by, right)
            case ast.Add() | ast.Sub() if by == 0:
                pass
            case ast.BitAnd() if by == (1 << 64) - 1:
                pass
            case _ if type(op) in wasm.WHOLE:
                self.expr(right, "u" if self.kind(right) == "u" else "i")
                self.op(wasm.WHOLE[type(op)])
            case _:
                raise self.wrong(node, f"{ast.unparse(node)} cannot be compiled")

    def power(self, node: Any, by: Any) -> None:
        """Write a power with a constant exponent, by multiplication."""
        if not isinstance(by, int) or not 1 <= by <= 8:
            raise self.wrong(node, f"{ast.unparse(node)}: an exponent must be a constant from 1 to 8")
        base = self.local(wasm.I64)
        self.op(base.tee, *[base, wasm.MUL64] * (by - 1))

    def shift(self, op: Any, kind: str, by: Any, right: Any) -> None:
        """Write a shift; if `wary`, a shift by 64 or more bits gives 0, or the sign for `>>`, as in Python."""
        code = wasm.SHL64 if isinstance(op, ast.LShift) else wasm.SHR_U if kind == "u" else wasm.SHR_S
        self.expr(right, "i")
        if by is not None or not self.module.wary:
            self.op(code)
            return
        number, places = self.local(wasm.I64), self.local(wasm.I64)
        self.op(places.set, number.set, number, places)
        if code == wasm.SHR_S:  # a shift by 63 leaves only the sign
            self.op(whole(63), places, whole(63), wasm.UNSIGNED[ast.Lt], wasm.SELECT, code)
        else:
            self.op(code, whole(0), places, whole(64), wasm.UNSIGNED[ast.Lt], wasm.SELECT)

    def divide_by(self, is_rest: bool, by: int) -> None:
        """Write a division by a constant; a dividend below 2**31, the usual case, is multiplied instead."""
        number, times = self.local(wasm.I64), self.local(wasm.I64)
        bits = 31 + by.bit_length()
        self.op(number.tee, whole(1 << 31), wasm.UNSIGNED[ast.Lt])
        with self.inside(wasm.IF, wasm.I64):
            self.op(number, whole(-(-(1 << bits) // by)), wasm.MUL64, whole(bits), wasm.SHR_U, wasm.ELSE)
            self.op(number, whole(by), wasm.DIV_S, times.tee)
            self.op(number, times, whole(by), wasm.MUL64, wasm.SUB64, whole(63), wasm.SHR_S, wasm.ADD64)
        if is_rest:
            self.op(times.set, number, times, whole(by), wasm.MUL64, wasm.SUB64)

    def divide(self, is_rest: bool, by: Any, right: Any) -> None:
        """Write `//` or `%` as in Python: the quotient is rounded down, the remainder has the divisor's sign."""
        if by is not None and 0 < by < 1 << 31:
            self.divide_by(is_rest, by)
            return
        number, divisor, rest = (self.local(wasm.I64) for _ in range(3))
        self.op(number.set)
        self.expr(right, "i")
        self.op(divisor.set, number, divisor, wasm.REM_S, rest.set)
        self.op(*((rest,) if is_rest else (number, divisor, wasm.DIV_S)))
        self.op(rest, divisor, wasm.XOR64, whole(63), wasm.SHR_S, rest)
        # subtract 1 if the signs differ and the remainder is not 0
        self.op(wasm.EQZ64, wasm.EXTEND_U, whole(1), wasm.SUB64, wasm.AND64)
        self.op(*((divisor, wasm.AND64) if is_rest else ()), wasm.ADD64)

    # Rows

    def base(self, row: Any) -> tuple[bool, int]:
        """Write the address of a row. Return whether it was pushed, and the offset to add (all of it if not pushed)."""
        frame = self.frame
        constant = frame.text.named(row)
        if isinstance(constant, tuple):
            return False, self.constant_row(row, constant)
        if isinstance(row, ast.Attribute):
            self.expr(row.value)
            return True, self.module.field(row.attr, row, frame.text)[0]
        if isinstance(row, ast.Name) and row.id in frame.rows:
            self.frame, node = frame.rows[row.id]
            left = self.base(node)
            self.frame = frame
            return left
        self.expr(row)
        return True, 0

    def constant_row(self, node: ast.expr, numbers: tuple[Any, ...]) -> int:
        """Return the address of a row defined outside the function."""
        return self.module.row(numbers, lambda: self.wrong(node, f"{ast.unparse(node)} is not a row of whole numbers"))

    def length(self, row: ast.expr) -> int | None:
        """Return the length of a row, or None if it is not constant."""
        constant, kind = self.frame.text.named(row), self.kind(row)
        if isinstance(constant, tuple):
            return len(constant)
        return int(kind.partition(":")[2]) if "row:" in kind else None

    def spot(self, row: ast.expr, index: Any) -> int:
        """Write the address of an item of a row; return the offset to add to it."""
        kind = self.kind(row)
        if TYPE[kind] != wasm.I32 or kind in ("b", "table"):
            raise self.wrong(row, f"{ast.unparse(row)} is not a row of numbers")
        size, constant = self.length(row), self.value(index)
        if constant is not None and constant < 0 and size is not None:
            constant += size
        is_sure = constant is not None and size is not None and 0 <= constant < size
        if not is_sure and (self.module.checked or (self.module.wary and not self.frame.text.is_door)):
            return self.watched_spot(row, index, size, kind)
        left, offset = self.base(row)
        width = 1 if kind == "bytes" else 8
        if constant is not None:
            self.op(b"" if left else address(0))
            return int(max(0, offset + width * constant))
        if left and isinstance(index, ast.BinOp) and isinstance(index.op, ast.Add | ast.Sub):
            sign = 1 if isinstance(index.op, ast.Add) else -1
            for part, rest in ((index.right, index.left), (index.left, index.right))[: sign + 1 or 1]:
                more = self.value(part)
                if more is not None and offset + width * sign * more >= 0 and self.value(rest) is None:
                    index, offset = rest, offset + width * sign * more
                    break
        self.low(index)
        self.op(TIMES_8 if width == 8 else b"", wasm.ADD32 if left else b"")
        return offset

    def watched_spot(self, row: ast.expr, index: ast.expr, size: int | None, kind: str) -> int:
        """Write the address of an item, with support for negative indexes (`wary`) or a range check (`checked`)."""
        begin, at = self.local(wasm.I32), self.local(wasm.I64)
        left, offset = self.base(row)
        if left:
            self.op(begin.set)
        self.set_local(at, index, "i")
        if self.module.wary:
            length = self.local(wasm.I64)
            self.extent(row, begin, size)
            # add the length if the index is negative
            self.op(length.set, at, length, at, whole(63), wasm.SHR_S, wasm.AND64, wasm.ADD64, at.set)
        if self.module.checked:
            self.op(at)
            self.extent(row, begin, size)
            self.fault(index, wasm.UNSIGNED[ast.GtE])
        self.op(at, wasm.WRAP, b"" if kind == "bytes" else TIMES_8, *((begin, wasm.ADD32) if left else ()))
        return offset

    def extent(self, row: ast.expr, begin: Local, size: int | None) -> None:
        """Write the length of the row that begins at `begin`, or the number of tables there."""
        kind = self.kind(row)
        if size is not None:
            self.op(whole(size))
            return
        self.op(begin, *self.length_before(row))
        if kind.startswith("windows"):
            self.op(whole(int(kind.partition(":")[2]) // 8), wasm.DIV_U)

    def length_before(self, row: ast.expr) -> Sequence[int | bytes]:
        """Return the code that replaces the address of a row by its length, stored before it."""
        if self.kind(row).endswith("?"):
            raise self.wrong(row, f"the length of {ast.unparse(row)} is known only when the rule runs")
        return address(8), wasm.SUB32, load("row", 0)

    def fault(self, node: ast.AST, *test: int) -> None:
        """Write code that reports an index out of range and traps if `test` of the values on the stack is true."""
        self.op(*test)
        with self.inside(wasm.IF):
            number = self.module.fault(self.frame.text, node)
            self.op(address(FAULT), whole(number), store("row", 0), wasm.UNREACHABLE)

    def element_address(self, tables: ast.expr, index: Any, kind: str) -> None:
        """Write the address of tables[index]."""
        size = int(kind.partition(":")[2])
        self.expr(tables)
        if not self.module.checked:
            self.scaled(index, size)
            return
        begin, at = self.keep(wasm.I32), self.local(wasm.I64)
        self.expr(index, "i")
        self.op(at.tee)
        self.extent(tables, begin, None)
        self.fault(index, wasm.UNSIGNED[ast.GtE])
        self.op(begin, at, wasm.WRAP, address(size), wasm.MUL32, wasm.ADD32)

    def low(self, node: Any) -> None:
        """Write the low 32 bits of an integer, enough for an index."""
        kind = self.expr(node)
        if kind == "n":
            self.op(address(-1))
        elif kind == "f":
            raise self.wrong(node, "an index must be a whole number")
        elif kind != "b":
            self.op(wasm.WRAP)

    def scaled(self, index: Any, size: int) -> None:
        """Write the addition of index * size to the address on the stack."""
        if (constant := self.value(index)) is None:
            self.low(index)
            self.op(address(size), wasm.MUL32, wasm.ADD32)
        elif constant:
            self.op(address(constant * size), wasm.ADD32)

    # Calls

    def call(self, node: ast.Call) -> Any:
        """Write a call with one result or none; return its kind."""
        kind, results = self.called(node)
        if len(results) > 1:
            raise self.wrong(node, "several results need several names: a, b = ...")
        return kind

    def called(self, node: ast.Call) -> tuple[Any, list[Local]]:
        """Write a call; return the kind of its result, and the locals that hold several results."""
        called = self.frame.text.named(node.func)
        if not isinstance(called, types.FunctionType):
            return self.builtin(node), []
        if called in self.module.handwritten:
            return self.module.handwritten[called](self, node), []
        spec, values = self.frame.spec.callee(called, node)
        if spec not in self.active and self.module.is_small(spec) and len(self.out) < self.module.longest:
            return self.inlined(spec, values)
        number = self.module.number(spec)
        for name, value in zip(spec.text.params, values, strict=True):
            if name in spec.needed:
                self.expr(value, spec.of[name])
            elif value.calls:
                self.drop(value)
        self.op(wasm.CALL, uleb(number))
        if isinstance(spec.result, tuple):
            places = [self.local(TYPE[kind]) for kind in spec.result]
            self.pop(places, spec.result)
            return spec.result, places
        return spec.result, []

    def pop(self, places: list[Local], kinds: Sequence[Any]) -> None:
        """Pop several results into their locals, the last one first."""
        for place, kind in zip(places[::-1], kinds[::-1], strict=True):
            if TYPE[kind]:
                self.op(place.set)

    def push(self, place: Local, kind: Any, want: Any, node: ast.AST) -> None:
        """Push a local of this kind, converted to the kind `want`."""
        if TYPE[kind]:
            self.op(place)
        self.convert(kind, want, node)

    def drop(self, node: ast.expr) -> None:
        """Write an expression and discard its value."""
        kind, results = self.called(node) if isinstance(node, ast.Call) else (self.expr(node), [])
        if not results and TYPE[kind]:
            self.op(wasm.DROP)

    def inlined(self, spec: Spec, values: list[Any]) -> tuple[Any, list[Local]]:
        """Write a called function inline; return the kind of its result, and the locals that hold several results."""
        several = spec.result if isinstance(spec.result, tuple) else ()
        places = [self.local(TYPE[kind]) for kind in several]
        frame = Frame(spec, self.depth + 1, places if several else None)
        for name, value in zip(spec.text.params, values, strict=True):
            self.hand(frame, name, value)
        with self.inside(wasm.BLOCK, None if isinstance(spec.result, tuple) else TYPE[spec.result]):
            outer, self.frame = self.frame, frame
            self.active.append(spec)
            self.body()
            self.active.pop()
            self.frame = outer
        return spec.result, places

    def hand(self, frame: Frame, name: str, value: Any) -> None:
        """Bind a parameter of an inlined function to its argument; create a new local only if necessary."""
        kind = frame.spec.of[name]
        if name not in frame.spec.needed:
            if value.calls:
                self.drop(value)
            return
        is_set = name in frame.text.stored
        if not is_set and (constant := self.value(value)) is not None:
            frame.constants[name] = float(constant) if kind == "f" else constant
        elif not is_set and isinstance(value, ast.Name) and value.id in self.frame.rows:
            frame.rows[name] = self.frame.rows[value.id]
        elif not is_set and self.is_row(value):
            frame.rows[name] = self.frame, value
        elif not is_set and isinstance(value, ast.Name) and self.frame.spec.of.get(value.id) == kind:
            frame.places[name] = self.place(value.id)
        else:
            frame.places[name] = place = self.local(TYPE[kind])
            self.set_local(place, value, kind)

    def is_row(self, value: Any) -> bool:
        """Return whether an expression is a constant row or a field of a table, which need no local."""
        return bool(row_of(value)) or isinstance(self.frame.text.named(value), tuple)

    def builtin(self, node: ast.Call) -> str:
        """Write a call of a builtin; return its kind."""
        words, values = ast.unparse(node.func), node.args
        kind: str = self.kind(node)
        match words, len(values):
            case "len", 1:
                length = self.length_before(values[0])
                self.expr(values[0])
                self.op(*length)
            case "int", 1 if self.kind(values[0]) == "f":
                self.expr(values[0])
                self.op(wasm.TRUNCATE)
            case "int" | "bool" | "float", 1:
                self.expr(values[0], kind)
            case "abs", 1 if kind == "f":
                self.expr(values[0], kind)
                self.op(wasm.ABS_F64)
            case "abs", 1:
                self.expr(values[0], kind)
                number = self.local(wasm.I64)
                self.op(number.tee, whole(0), number, wasm.SUB64, number, whole(0), wasm.SIGNED[ast.GtE], wasm.SELECT)
            case "min" | "max", count if count > 1:
                better = self.comparison(kind)[ast.Lt if words == "min" else ast.Gt]
                self.expr(values[0], kind)
                for value in values[1:]:
                    one, other = self.keep(TYPE[kind]), self.local(TYPE[kind])
                    self.expr(value, kind)
                    self.op(other.tee, one, other, one, better, wasm.SELECT)
            case _:
                raise self.wrong(node, f"{words} cannot be compiled")
        return kind

    # Statements

    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Write statements up to the first that ends the path; return whether there was one."""
        return any(self.statement(statement) for statement in statements)

    def statement(self, node: Any) -> bool:
        """Write a statement; return whether the code after it is unreachable."""
        match node:
            case ast.Assign():
                self.assign(node)
            case ast.If():
                return self.branch(node)
            case ast.Return(value=value):
                self.give(value)
                return True
            case ast.Expr(value=value):
                self.drop(value)
            case ast.For(target=ast.Name() as target, iter=source, body=body, orelse=[]):
                self.loop(target, source, body)
            case ast.While(test=test, body=body, orelse=[]):
                self.repeat(test, body)
            case ast.AugAssign(target=ast.Subscript(value=row, slice=index), op=op, value=value):
                stands, kind = self.kind(row), of_items(self.kind(row))
                if of_two(kind, op, self.kind(value)) == "f" != kind:
                    raise self.wrong(node, "a fraction does not fit into a row of whole numbers")
                at = self.local(wasm.I32)
                offset = self.spot(row, index)
                self.op(at.tee)

                def before(want: Any) -> None:
                    self.op(at, load(stands, offset))
                    self.convert(kind, want, node)

                self.operate(node, op, "u" if kind == "u" else of_two(kind, op, self.kind(value)), kind, before, value)
                self.op(store(stands, offset))
            case ast.Break():
                self.br(self.frame.loops[-1][0])
                return True
            case ast.Continue():
                self.br(self.frame.loops[-1][1])
                return True
            case ast.Pass():
                pass
            case _:
                raise self.wrong(node, f"{type(node).__name__.lower()} cannot be compiled")
        return False

    def give(self, value: Any) -> None:
        """Write `return`."""
        frame = self.frame
        result = frame.spec.result
        if isinstance(result, tuple):
            if isinstance(value, ast.Tuple):
                for element, kind in zip(value.elts, result, strict=True):
                    self.expr(element, kind)
            else:
                kinds, places = self.called(value)
                for place, kind, want in zip(places, kinds, result, strict=True):
                    self.push(place, kind, want, value)
            if frame.results is not None:
                self.pop(frame.results, result)
        elif value is not None:
            self.drop(value) if result == "none" else self.expr(value, result)
        elif TYPE[result]:
            raise self.wrong(frame.text.tree, "the function returns a value in one place and nothing in another")
        self.br(frame.end)

    def branch(self, node: Any) -> bool:
        """Write `if`; return whether the code after it is unreachable."""
        test, body, orelse = node.test, node.body, node.orelse
        if (constant := self.value(test)) is not None:
            return self.block(body if constant else orelse)
        if self.chosen(test, body, orelse):
            return False
        if not orelse:
            self.guarded(test, body)
            return False
        with self.inside(wasm.BLOCK) as end:
            is_over = self.guarded(test, body, end)
            return self.block(orelse) and is_over

    def guarded(self, test: Any, body: list[Any], end: int | None = None) -> bool:
        """Write statements guarded by a test, then a jump to `end`; return whether their end is unreachable."""
        with self.inside(wasm.BLOCK) as other:
            self.jump(test, other, when=False)
            is_over = self.block(body)
            if end is not None and not is_over:
                self.br(end)
        return is_over

    def chosen(self, test: Any, body: list[Any], orelse: list[Any]) -> bool:
        """Write an `if` that only sets one number as a select, if its values are cheap; return whether it did."""
        if len(body) != 1 or len(orelse) > 1 or test.calls:
            return False
        names = set()
        for statement in body + orelse:
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if self.is_cheap(value, self.module.choose):
                    names.add(name)
                case _:
                    return False
        frame, kind = self.frame, self.frame.spec.of[name]
        if (
            len(names) > 1
            or kind not in ("i", "b", "f")
            or name in frame.constants
            or not (orelse or name in frame.places)
        ):
            return False
        self.expr(body[0].value, kind)
        if orelse:
            self.expr(orelse[0].value, kind)
        else:
            self.op(self.place(name))
        self.expr(test, "b")
        self.op(wasm.SELECT, self.place(name).set)
        return True

    def assign(self, node: ast.Assign) -> None:
        """Write an assignment: first the value, then the targets from the left."""
        match node.targets, node.value:
            case [ast.Tuple(elts=targets)], ast.Tuple(elts=values):
                if all(self.value(element) is not None for element in values):
                    for target, element in zip(targets, values, strict=True):
                        self.put(target, element)
                    return
                pairs = list(zip(targets, map(self.hold, values), strict=True))
            case [ast.Tuple(elts=targets)], ast.Call() as call:
                kinds, places = self.called(call)
                if not isinstance(kinds, tuple) or len(kinds) != len(targets):
                    raise self.wrong(node, f"{len(targets)} names need a call with {len(targets)} results")
                pairs = list(zip(targets, zip(kinds, places, strict=True), strict=True))
            case [ast.Tuple()], _:
                raise self.wrong(node, "only a call or a tuple can be assigned to several names")
            case [target], value:
                self.put(target, value)
                return
            case targets, value:
                if any(isinstance(target, ast.Tuple) for target in targets):
                    raise self.wrong(node, "a chained assignment (a = b = ...) cannot unpack several values")
                held = self.hold(value)
                pairs = [(target, held) for target in targets]
        for target, (kind, place) in pairs:
            self.put_held(target, kind, place, node)

    def is_steady(self, node: Any) -> bool:
        """Return whether an expression is a local that the function never sets."""
        return isinstance(node, ast.Name) and node.id in self.frame.places and node.id not in self.frame.text.stored

    def hold(self, value: Any) -> tuple[Any, Local]:
        """Write an expression and pop its value into a local; return its kind and the local."""
        kind = self.kind(value)
        if not TYPE[kind] and not value.calls:
            return kind, Local(0)
        if self.is_steady(value):
            return kind, self.frame.places[value.id]
        kind = self.expr(value)
        return kind, self.keep(TYPE[kind]) if TYPE[kind] else self.local(None)

    def put_held(self, target: Any, kind: Any, place: Local, node: ast.AST) -> None:
        """Write the assignment of a local to a target."""
        match target:
            case ast.Subscript(value=row, slice=index):
                item = self.target_kind(target, node)
                offset = self.spot(row, index)
                self.push(place, kind, item, node)
                self.op(store(self.kind(row), offset))
            case ast.Name(id=name):
                want = self.frame.spec.of[name]
                self.push(place, kind, want, node)
                if TYPE[want]:
                    self.op(self.place(name).set)
            case _:
                raise self.wrong(node, f"{ast.unparse(target)} cannot be set")

    def target_kind(self, target: ast.Subscript, node: ast.AST) -> str:
        """Return the kind of the item to assign; raise CannotEmit if the target cannot be set."""
        kind = self.kind(target.value)
        if isinstance(self.frame.text.named(target.value), tuple) or kind.partition(":")[0] in (*AMONG, "table"):
            raise self.wrong(node, f"{ast.unparse(target)} cannot be set")
        return of_items(kind)

    def put(self, target: Any, value: Any) -> None:
        """Write the assignment of an expression to a single target."""
        frame = self.frame
        if isinstance(target, ast.Subscript):
            item = self.target_kind(target, target)
            if value.calls:  # a call may change the index of the target
                self.put_held(target, *self.hold(value), target)
                return
            offset = self.spot(target.value, target.slice)
            self.expr(value, item)
            self.op(store(self.kind(target.value), offset))
            return
        if not isinstance(target, ast.Name):
            raise self.wrong(target, f"{ast.unparse(target)} cannot be set")
        kind = frame.spec.of[target.id]
        if isinstance(kind, tuple):
            raise self.wrong(target, "several results need several names")
        if target.id in frame.text.forward:
            if (constant := self.value(value)) is not None:
                frame.constants[target.id] = float(constant) if kind == "f" else constant
                if not frame.rounds:
                    return
            if (row := row_of(value)) in frame.text.params and row not in frame.text.stored:
                frame.rows[target.id] = frame, value
                return
        if kind == "n" and not value.calls:
            return
        self.expr(value, kind)
        if TYPE[kind]:
            self.op(self.place(target.id).set)

    def jump(self, test: Any, label: int, when: bool) -> None:
        """Write a jump to a label if the truth of the test equals `when`."""
        if (constant := self.value(test)) is not None:
            if bool(constant) == when:
                self.br(label)
            return
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=part):
                self.jump(part, label, not when)
            case ast.BoolOp(op=op, values=parts) if not all(map(self.is_cheap, parts)):
                if isinstance(op, ast.Or) == when:
                    for part in parts:
                        self.jump(part, label, when)
                else:
                    with self.inside(wasm.BLOCK) as out:
                        for part in parts[:-1]:
                            self.jump(part, out, not when)
                        self.jump(parts[-1], label, when)
            case _:
                kind = self.expr(test)
                is_whole = kind in ("i", "u") and not when
                if not is_whole:
                    self.convert(kind, "b", test)
                self.op(b"" if when else wasm.EQZ64 if is_whole else wasm.EQZ32)
                self.br(label, wasm.BR_IF)

    # Loops

    def repeat(self, test: Any, body: list[Any]) -> None:
        """Write `while`; a short test is written at both ends, so that each round has only one jump."""
        is_short = test.parts <= self.module.twice
        with self.inside(wasm.BLOCK) as end:
            if is_short:
                self.jump(test, end, when=False)
            with self.inside(wasm.LOOP) as begin:
                if not is_short:
                    self.jump(test, end, when=False)
                self.round(body, end)
                self.jump(test, begin, when=True) if is_short else self.br(begin)

    def round(self, body: list[Any], end: int) -> None:
        """Write one round of a loop: `continue` jumps to its end, `break` to `end`."""
        with self.inside(wasm.BLOCK) as again:
            self.frame.loops.append((end, again))
            self.block(body)
            self.frame.loops.pop()

    def loop(self, target: ast.Name, source: ast.expr, body: list[Any]) -> None:
        """Write `for`."""
        match source:
            case ast.Tuple(elts=values):
                self.written_out(target, values, body)
            case ast.Call(func=ast.Name(id="range"), args=bounds):
                self.count(target, bounds, body)
            case _:
                self.go_through(target, source, body)

    def written_out(self, target: ast.Name, values: Sequence[Any], body: list[Any]) -> None:
        """Write a loop over a tuple of expressions: its body once for each expression."""
        with self.inside(wasm.BLOCK) as end:
            for value in values:
                self.set_local(self.place(target.id), value, self.frame.spec.of[target.id])
                self.round(body, end)

    def go_through(self, target: ast.Name, source: ast.expr, body: list[Any]) -> None:
        """Write a loop over the items of a row, as a loop over its indexes."""
        item, number = of_items(self.kind(source)), "." + target.id
        self.frame.spec.of[number] = "i"
        length = learned(ast.Call(ast.Name("len", ast.Load()), [source], []), source)
        inner = learned(ast.Subscript(source, ast.Name(number, ast.Load()), ast.Load()), source)
        self.frame.spec.of[target.id] = joined(self.frame.spec.of[target.id], item)
        first: Any = ast.Assign([target], inner, lineno=source.lineno)
        first.parts = 3
        self.count(ast.Name(number, ast.Store()), [length], [first, *body], is_private=True)

    def count(self, target: ast.Name, bounds: list[Any], body: list[Any], is_private: bool = False) -> None:
        """Write a loop over a range."""
        frame, name = self.frame, target.id
        first, last = (ZERO, bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = self.value(bounds[2]) if len(bounds) == 3 else 1
        if not step:
            raise self.wrong(bounds[-1], "the step of a range must be a constant other than 0")
        begin_at, end_at = self.value(first), self.value(last)
        steps = range(begin_at, end_at, step) if begin_at is not None and end_at is not None else None
        if steps is not None and not steps:
            return
        is_private = is_private or name in frame.text.private
        if steps and is_private and self.unrolled(name, steps, body):
            return
        counter = self.place(name) if is_private else self.local(wasm.I64)
        self.set_local(counter, first, "i")
        limit: bytes | Local
        if end_at is not None:
            limit = whole(end_at)
        elif self.is_steady(last) and self.kind(last) == "i":
            limit = frame.places[last.id]
        else:
            limit = self.local(wasm.I64)
            self.set_local(limit, last, "i")
        with self.inside(wasm.BLOCK) as end:
            if not steps:  # the range may be empty
                self.op(counter, limit, wasm.SIGNED[ast.GtE if step > 0 else ast.LtE])
                self.br(end, wasm.BR_IF)
            with self.inside(wasm.LOOP) as begin:
                self.op(*(() if is_private else (counter, self.place(name).set)))
                self.round(body, end)
                self.op(counter, whole(step), wasm.ADD64, counter.set)
                self.op(counter, limit, wasm.SIGNED[ast.Lt if step > 0 else ast.Gt])
                self.br(begin, wasm.BR_IF)

    def unrolled(self, name: str, steps: range, body: list[Any]) -> bool:
        """Unroll a short loop, but undo that if the code becomes too long; return whether the loop is unrolled."""
        if 2 * len(steps) * sum(statement.parts for statement in body) > self.module.unroll:
            return False
        frame = self.frame
        length, locals_, places, constants = len(self.out), len(self.locals), dict(frame.places), dict(frame.constants)
        is_over = False
        frame.rounds += 1
        with self.inside(wasm.BLOCK) as end:
            for round_, number in enumerate(steps):
                frame.constants[name] = number
                self.round(body, end)
                size = len(self.out) - length
                if size > self.module.unroll or (not round_ and size * len(steps) > self.module.unroll):
                    is_over = True
                    break
        frame.constants = constants
        frame.rounds -= 1
        if is_over:
            del self.out[length:], self.locals[locals_:]
            frame.places = places
        return not is_over


def number_or_none(value: Any) -> Any:
    """Return a number; None for anything else."""
    return value if isinstance(value, int | float) else None


def row_of(node: Any) -> str:
    """Return the name of the table in `table.field`; empty for anything else."""
    match node:
        case ast.Attribute(value=ast.Name(id=name)):
            return name
    return ""


ZERO: Any = ast.Constant(0)
ZERO.needs, ZERO.cheap, ZERO.calls, ZERO.parts, ZERO.rows = NOTHING, True, False, 1, []
INTEGER: dict[type[ast.unaryop], tuple[bytes, bytes]] = {  # the code before and after an integer operand
    ast.USub: (whole(0), bytes([wasm.SUB64])),
    ast.Invert: (b"", whole(-1) + bytes([wasm.XOR64])),
    ast.UAdd: (b"", b""),
}
