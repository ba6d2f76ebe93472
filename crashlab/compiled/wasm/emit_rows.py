"""Code for rows and tables: the addresses of their items, their lengths, and the check of indexes."""

import ast
from collections.abc import Sequence
from typing import Any

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_values import ValueCode
from crashlab.compiled.wasm.encoding import Local, address, load, store, whole
from crashlab.compiled.wasm.type_inference import AMONG, TYPE, base_of, of_items, size_of

FAULT = 16  # the address at which the number of an index out of range is stored
TIMES_8 = address(3) + bytes([wasm.SHL32])


class RowCode(ValueCode):
    """The writer of items of rows, and of the address of one of several tables."""

    def item(self, row: ast.expr, index: ast.expr) -> Any:
        """Write an item of a row, or the address of one of several tables; return its kind."""
        kind = self.kind(row)
        if base_of(kind) in AMONG:
            self.element_address(row, index, kind)
        else:
            self.op(load(kind, self.spot(row, index)))
        return of_items(kind)

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

    # Addresses of items

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

    def element_address(self, tables: ast.expr, index: Any, kind: str) -> None:
        """Write the address of tables[index]."""
        self.expr(tables)
        if not self.module.checked:
            self.scaled(index, size_of(kind))
            return
        begin, at = self.keep(wasm.I32), self.local(wasm.I64)
        self.expr(index, "i")
        self.op(at.tee)
        self.extent(tables, begin, None)
        self.fault(index, wasm.UNSIGNED[ast.GtE])
        self.op(begin, at, wasm.WRAP, address(size_of(kind)), wasm.MUL32, wasm.ADD32)

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

    # Lengths and range checks

    def length_before(self, row: ast.expr) -> Sequence[int | bytes]:
        """Return the code that replaces the address of a row by its length, stored before it."""
        if self.kind(row).endswith("?"):
            raise self.wrong(row, f"the length of {ast.unparse(row)} is known only when the rule runs")
        return address(8), wasm.SUB32, load("row", 0)

    def extent(self, row: ast.expr, begin: Local, size: int | None) -> None:
        """Write the length of the row that begins at `begin`, or the number of tables there."""
        kind = self.kind(row)
        if size is not None:
            self.op(whole(size))
            return
        self.op(begin, *self.length_before(row))
        if base_of(kind) == "windows":
            self.op(whole(size_of(kind) // 8), wasm.DIV_U)

    def fault(self, node: ast.AST, *test: int) -> None:
        """Write code that reports an index out of range and traps if `test` of the values on the stack is true."""
        self.op(*test)
        with self.inside(wasm.IF):
            number = self.module.fault(self.frame.text, node)
            self.op(address(FAULT), whole(number), store("row", 0), wasm.UNREACHABLE)
