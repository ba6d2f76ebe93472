"""Code for operators: comparisons, `and`, `or`, `not`, conditional expressions and arithmetic as in Python."""

import ast
from collections.abc import Callable
from typing import Any

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_values import ValueCode
from crashlab.compiled.wasm.encoding import address, whole
from crashlab.compiled.wasm.read_function import learned
from crashlab.compiled.wasm.type_inference import TYPE

ELSE_NO = bytes([wasm.ELSE]) + address(0)
INTEGER: dict[type[ast.unaryop], tuple[bytes, bytes]] = {  # the code before and after an integer operand
    ast.USub: (whole(0), bytes([wasm.SUB64])),
    ast.Invert: (b"", whole(-1) + bytes([wasm.XOR64])),
    ast.UAdd: (b"", b""),
}


class ArithmeticCode(ValueCode):
    """The writer of operators."""

    # Comparisons

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

    def common(self, one: Any, other: Any) -> str:
        """Return the kind in which two values are compared."""
        kinds = {self.kind(one), self.kind(other)}
        if not kinds <= {"i", "u", "b", "n", "f"}:
            raise self.wrong(one, "only numbers can be compared")
        return "f" if "f" in kinds else "u" if kinds == {"u"} else "i"

    def comparison(self, kind: str) -> dict[Any, int]:
        """Return the instructions that compare values of this kind."""
        return wasm.FRACTIONS if kind == "f" else wasm.UNSIGNED if kind == "u" else wasm.SIGNED

    # Conditions

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

    def open_if(self, when_true: bytes = b"") -> None:
        """Begin an `if` with a boolean result; `when_true` is code for its first branch."""
        self.op(wasm.IF, wasm.I32, when_true)
        self.depth += 1

    def close_if(self, when_false: bytes) -> None:
        """End the latest `if`; `when_false` is ELSE with its code, or empty if ELSE is written already."""
        self.op(when_false, wasm.END)
        self.depth -= 1

    # Operators

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
