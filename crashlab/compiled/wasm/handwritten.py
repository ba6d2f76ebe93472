"""Functions written in WebAssembly by hand, to use block instructions and vectors."""

import ast
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from crashlab.compiled.kernels import tree_search
from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_function import FunctionCode
from crashlab.compiled.wasm.emit_rows import TIMES_8
from crashlab.compiled.wasm.encoding import Local, address, load, whole
from crashlab.engine import table


def lay(code: FunctionCode, node: ast.Call) -> str:
    """Write `table.lay`: copy a table."""
    tables, place, copied = node.args
    code.element_address(tables, place, code.kind(tables))
    code.expr(copied)
    code.op(address(code.module.size), wasm.COPY)
    return "none"


def clear(code: FunctionCode, node: ast.Call) -> str:
    """Write `table.clear`: fill a part of a row with zeros."""
    row, first, last = node.args
    if code.module.checked:
        begin, ends = code.local(wasm.I32), [code.local(wasm.I64), code.local(wasm.I64)]
        code.set_local(begin, row)
        for end, value in zip(ends, (first, last), strict=True):
            code.set_local(end, value, "i")
        code.op(ends[1])
        code.extent(row, begin, code.length(row))
        code.fault(last, wasm.UNSIGNED[ast.Gt])
        code.op(*ends)
        code.fault(first, wasm.UNSIGNED[ast.Gt])
    left, offset = code.base(row)
    code.op(address(offset), wasm.ADD32 if left else b"")
    code.low(first)
    code.op(TIMES_8, wasm.ADD32, address(0))
    code.low(last)
    code.low(first)
    code.op(wasm.SUB32, TIMES_8, wasm.FILL)
    return "none"


def same(code: FunctionCode, node: ast.Call) -> str:
    """Write `tree_search.same`: compare two rows, four numbers at a time."""
    first, count, trees, out = node.args
    one, other, left, different = map(code.local, (wasm.I32, wasm.I32, wasm.I64, wasm.VECTOR))
    code.expr(trees)
    code.scaled(first, 8)
    code.op(one.set)
    code.set_local(other, out)
    code.set_local(left, count, "i")
    code.op(wasm.CONST_V, bytes(16), different.set)
    with steps(code, (one, other), left, 4):
        code.op(different)
        for offset in (0, 16):
            vectors = [part for row in (one, other) for part in (row, wasm.LOAD_V, 3, offset)]
            code.op(*vectors, wasm.XOR_V, wasm.OR_V)
        code.op(different.set)
    rest = code.local(wasm.I64)
    code.op(whole(0), rest.set)
    with steps(code, (one, other), left, 1):
        code.op(rest, one, load("row", 0), other, load("row", 0), wasm.XOR64, wasm.OR64, rest.set)
    code.op(different, wasm.ANY_V, rest, whole(0), wasm.NE64, wasm.OR32, wasm.EQZ32)
    return "b"


@contextmanager
def steps(code: FunctionCode, rows: tuple[Local, ...], left: Local, count: int, width: int = 8) -> Iterator[None]:
    """Write a loop around the code of the context, which takes `count` numbers of each row per round.

    `rows` are addresses, advanced by `width` bytes per number; `left` counts the numbers left. The loop ends when fewer
    than `count` are left.
    """
    with code.inside(wasm.BLOCK) as end, code.inside(wasm.LOOP) as again:
        code.op(left, whole(count), wasm.SIGNED[ast.Lt])
        code.br(end, wasm.BR_IF)
        yield
        for row in rows:
            code.op(row, address(width * count), wasm.ADD32, row.set)
        code.op(left, whole(count), wasm.SUB64, left.set)
        code.br(again)


def best_child(code: FunctionCode, node: ast.Call) -> str:
    """Write `tree_search.best_child`: compute and compare the bounds of two edges at a time."""
    first, count, width, values = node.args
    edge, left, more = code.local(wasm.I32), code.local(wasm.I64), code.local(wasm.F64)
    code.expr(values)
    code.scaled(first, 8)
    code.op(edge.set)
    code.set_local(left, count, "i")
    code.set_local(more, width, "f")
    most, best, here, bound = (code.local(wasm.VECTOR) for _ in range(4))
    for place, lanes in ((most, struct.pack("<2d", -inf, -inf)), (best, bytes(16)), (here, struct.pack("<2q", 0, 1))):
        code.op(wasm.CONST_V, lanes, place.set)
    with steps(code, (edge,), left, 2, width=16):
        for half in (0, 8):
            lanes = bytes([*range(half, half + 8), *range(half + 16, half + 24)])
            code.op(edge, wasm.LOAD_V, 3, 0, edge, wasm.LOAD_V, 3, 16, wasm.SHUFFLE, lanes)
        code.op(more, wasm.SPLAT_F64, wasm.MUL_V, wasm.ADD_V, bound.set)
        for one, other in ((here, best), (bound, most)):  # the place first, while the old bound is still available
            code.op(one, other, bound, most, wasm.GT_V, wasm.CHOOSE_V, other.set)
        code.op(here, whole(2), wasm.SPLAT_I64, wasm.ADD_I_V, here.set)
    at, highest = code.local(wasm.I64), code.local(wasm.F64)
    one_of_two(code, most, best, at, highest)
    with steps(code, (), left, 1):  # the last edge of an odd number
        code.op(here, wasm.LANE_I64, 0, at, edge, load("frow", 0), more, edge, load("frow", 8))
        code.op(wasm.MUL_F64, wasm.ADD_F64, highest, wasm.FRACTIONS[ast.Gt], wasm.SELECT, at.set)
    code.op(at)
    return "i"


def one_of_two(code: FunctionCode, most: Local, best: Local, at: Local, highest: Local) -> None:
    """Write the choice between the two bounds of `most` and their places in `best`.

    `highest` receives the higher bound and `at` its place; if the bounds are equal, the lower place wins.
    """
    lanes = [(code.local(wasm.F64), code.local(wasm.I64)) for _ in range(2)]
    for lane, (bound, place) in enumerate(lanes):
        code.op(most, wasm.LANE_F64, lane, bound.set, best, wasm.LANE_I64, lane, place.set)
    (bound, place), (other, there) = lanes
    is_other = code.local(wasm.I32)
    for comparison in (ast.Gt, ast.Eq):
        code.op(other, bound, wasm.FRACTIONS[comparison])
    code.op(there, place, wasm.SIGNED[ast.Lt], wasm.AND32, wasm.OR32, is_other.set)
    code.op(other, bound, is_other, wasm.SELECT, highest.set, there, place, is_other, wasm.SELECT, at.set)


CHECKED: dict[Any, Any] = {table.lay: lay, table.clear: clear}  # functions that check their indexes themselves
HANDWRITTEN = CHECKED | {tree_search.same: same, tree_search.best_child: best_child}
