"""What is written by hand in WebAssembly, because an instruction does it at once, or several numbers together."""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable
from math import inf
from typing import Any

from crashlab.compiled.kernels import tree_search
from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_function import FunctionCode, Local
from crashlab.engine import table


def lay(code: FunctionCode, node: ast.Call) -> str:
    """`table.lay`: a table is copied."""
    tables, place, copied = node.args
    code.among(tables, place, code.kind(tables))
    code.expr(copied)
    code.address(code.module.size)
    code.op(wasm.COPY)
    return "none"


def clear(code: FunctionCode, node: ast.Call) -> str:
    """`table.clear`: a part of a row is filled with zeros."""
    row, first, last = node.args
    if code.module.checked:
        begin, ends = code.local(wasm.I32), [code.local(wasm.I64), code.local(wasm.I64)]
        code.expr(row)
        code.set(begin)
        for end, value in zip(ends, (first, last), strict=True):
            code.expr(value, "i")
            code.set(end)
        code.op(ends[1])
        code.extent(row, begin, code.length(row))
        code.fault(last, wasm.UNSIGNED[ast.Gt])
        code.op(*ends)
        code.fault(first, wasm.UNSIGNED[ast.Gt])
    left, offset = code.base(row)
    code.address(offset)
    if left:
        code.op(wasm.ADD32)
    code.low(first)
    code.op(wasm.CONST32, 3, wasm.SHL32, wasm.ADD32)
    code.op(wasm.CONST32, 0)
    code.low(last)
    code.low(first)
    code.op(wasm.SUB32, wasm.CONST32, 3, wasm.SHL32, wasm.FILL)
    return "none"


def same(code: FunctionCode, node: ast.Call) -> str:
    """`tree_search.same`: two rows are compared four numbers at a time."""
    first, count, trees, out = node.args
    one, other, left, different = map(code.local, (wasm.I32, wasm.I32, wasm.I64, wasm.VECTOR))
    code.expr(trees)
    code.scaled(first, 8)
    code.set(one)
    code.expr(out)
    code.set(other)
    code.expr(count, "i")
    code.set(left)
    code.op(wasm.CONST_V, bytes(16))
    code.set(different)
    walk(code, (one, other), left, 4, lambda: four(code, one, other, different))
    rest = code.local(wasm.I64)
    code.whole(0)
    code.set(rest)
    walk(code, (one, other), left, 1, lambda: single(code, one, other, rest))
    code.op(different, wasm.ANY_V, rest, wasm.CONST64, 0, wasm.NE64, wasm.OR32, wasm.EQZ32)
    return "b"


def four(code: FunctionCode, one: Local, other: Local, different: Local) -> None:
    """Note in which bits four numbers are not like four others."""
    code.op(different)
    for offset in (0, 16):
        for row in (one, other):
            code.op(row, wasm.LOAD_V, 3, offset)
        code.op(wasm.XOR_V, wasm.OR_V)
    code.set(different)


def single(code: FunctionCode, one: Local, other: Local, different: Local) -> None:
    """Note in which bits a number is not like another one."""
    code.op(different)
    for row in (one, other):
        code.op(row)
        code.load("row", 0)
    code.op(wasm.XOR64, wasm.OR64)
    code.set(different)


def walk(
    code: FunctionCode, rows: tuple[Local, ...], left: Local, steps: int, body: Callable[[], None], width: int = 8
) -> None:
    """Do this for so many numbers of these rows at a time, as long as as many are left."""
    end = code.open(wasm.BLOCK)
    again = code.open(wasm.LOOP)
    code.op(left)
    code.whole(steps)
    code.op(wasm.SIGNED[ast.Lt])
    code.br(end, wasm.BR_IF)
    body()
    for row in rows:
        code.op(row)
        code.address(width * steps)
        code.op(wasm.ADD32)
        code.set(row)
    code.op(left)
    code.whole(steps)
    code.op(wasm.SUB64)
    code.set(left)
    code.br(again)
    code.close()
    code.close()


def best_child(code: FunctionCode, node: ast.Call) -> str:
    """`tree_search.best_child`: the bounds of two edges are reckoned and compared at a time."""
    first, count, width, values = node.args
    edge, left, more = code.local(wasm.I32), code.local(wasm.I64), code.local(wasm.F64)
    code.expr(values)
    code.scaled(first, 8)
    code.set(edge)
    code.expr(count, "i")
    code.set(left)
    code.expr(width, "f")
    code.set(more)
    most, best, here, bound = (code.local(wasm.VECTOR) for _ in range(4))
    for place, lanes in ((most, struct.pack("<2d", -inf, -inf)), (best, bytes(16)), (here, struct.pack("<2q", 0, 1))):
        code.op(wasm.CONST_V, lanes)
        code.set(place)
    walk(code, (edge,), left, 2, lambda: two_bounds(code, edge, more, (most, best, here, bound)), width=16)
    at, highest = code.local(wasm.I64), code.local(wasm.F64)
    one_of_two(code, most, best, at, highest)
    walk(code, (), left, 1, lambda: last_bound(code, edge, more, here, highest, at))
    code.op(at)
    return "i"


def two_bounds(code: FunctionCode, edge: Local, more: Local, vectors: tuple[Local, ...]) -> None:
    """Keep for each half the highest bound and its place."""
    most, best, here, bound = vectors
    for half in (0, 8):
        for offset in (0, 16):
            code.op(edge, wasm.LOAD_V, 3, offset)
        code.op(wasm.SHUFFLE, bytes([*range(half, half + 8), *range(half + 16, half + 24)]))
        if half:
            code.op(more, wasm.SPLAT_F64, wasm.MUL_V, wasm.ADD_V)
    code.set(bound)
    for one, other in ((here, best), (bound, most)):  # the place first, as long as the old bound is known
        code.op(one, other, bound, most, wasm.GT_V, wasm.CHOOSE_V)
        code.set(other)
    code.op(here, wasm.CONST64, 2, wasm.SPLAT_I64, wasm.ADD_I_V)
    code.set(here)


def one_of_two(code: FunctionCode, most: Local, best: Local, at: Local, highest: Local) -> None:
    """The higher of the two bounds that were kept, and its place; of two equal ones that which comes first."""
    lanes = [(code.local(wasm.F64), code.local(wasm.I64)) for _ in range(2)]
    for lane, (bound, place) in enumerate(lanes):
        code.op(most, wasm.LANE_F64, lane)
        code.set(bound)
        code.op(best, wasm.LANE_I64, lane)
        code.set(place)
    (bound, place), (other, there) = lanes
    is_other = code.local(wasm.I32)
    for comparison in (ast.Gt, ast.Eq):
        code.op(other, bound, wasm.FRACTIONS[comparison])
    code.op(there, place, wasm.SIGNED[ast.Lt], wasm.AND32, wasm.OR32)
    code.set(is_other)
    for found, one, instead in ((highest, bound, other), (at, place, there)):
        code.op(instead, one, is_other, wasm.SELECT)
        code.set(found)


def last_bound(code: FunctionCode, edge: Local, more: Local, here: Local, highest: Local, at: Local) -> None:
    """The last edge, where their number is odd."""
    code.op(here, wasm.LANE_I64, 0, at, edge)
    code.load("frow", 0)
    code.op(more, edge)
    code.load("frow", 8)
    code.op(wasm.MUL_F64, wasm.ADD_F64, highest, wasm.FRACTIONS[ast.Gt], wasm.SELECT)
    code.set(at)


CHECKED: dict[Any, Any] = {table.lay: lay, table.clear: clear}  # that look at their indexes
HANDWRITTEN = CHECKED | {tree_search.same: same, tree_search.best_child: best_child}
