"""What is written by hand in WebAssembly, because an instruction does it at once, or several numbers together."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from crashlab.compiled.kernels import tree_search
from crashlab.compiled.wasm.encoding import (
    ADD32,
    ANY_V,
    BLOCK,
    BR_IF,
    CONST32,
    CONST64,
    CONST_V,
    COPY,
    EQZ32,
    FILL,
    I32,
    I64,
    LOAD_V,
    LOOP,
    NE64,
    OR32,
    OR64,
    OR_V,
    SHL32,
    SIGNED,
    SUB32,
    SUB64,
    VECTOR,
    XOR64,
    XOR_V,
)  # fmt: skip
from crashlab.engine import table as happen

if TYPE_CHECKING:
    from crashlab.compiled.wasm.code import Code


def lay(code: Code, node: ast.Call) -> str:
    """`happen.lay`: a table is copied."""
    tables, place, table = node.args
    kind = code.expr(tables)
    code.scaled(place, int(kind.partition(":")[2]))
    code.expr(table)
    code.address(code.module.size)
    code.op(COPY)
    return "none"


def clear(code: Code, node: ast.Call) -> str:
    """`happen.clear`: a part of a row is filled with zeros."""
    row, first, last = node.args
    offset = code.spot(row, first)
    if offset:
        code.address(offset)
        code.op(ADD32)
    code.op(CONST32, 0)
    code.low(last)
    code.low(first)
    code.op(SUB32, CONST32, 3, SHL32, FILL)
    return "none"


def same(code: Code, node: ast.Call) -> str:
    """`tree_search.same`: two rows are compared four numbers at a time."""
    first, count, trees, out = node.args
    one, other, left, different = code.local(I32), code.local(I32), code.local(I64), code.local(VECTOR)
    code.expr(trees)
    code.scaled(first, 8)
    code.set(one)
    code.expr(out)
    code.set(other)
    code.expr(count, "i")
    code.set(left)
    code.op(CONST_V, bytes(16))
    code.set(different)
    walk(code, (one, other), left, 4, lambda: four(code, one, other, different))
    rest = code.local(I64)
    code.whole(0)
    code.set(rest)
    walk(code, (one, other), left, 1, lambda: single(code, one, other, rest))
    code.get(different)
    code.op(ANY_V)
    code.get(rest)
    code.op(CONST64, 0, NE64, OR32, EQZ32)
    return "b"


def four(code: Code, one: int, other: int, different: int) -> None:
    """Note in which bits four numbers are not like four others."""
    code.get(different)
    for offset in (0, 16):
        for row in (one, other):
            code.get(row)
            code.op(LOAD_V, 3, offset)
        code.op(XOR_V, OR_V)
    code.set(different)


def single(code: Code, one: int, other: int, different: int) -> None:
    """Note in which bits a number is not like another one."""
    code.get(different)
    for row in (one, other):
        code.get(row)
        code.load("row", 0)
    code.op(XOR64, OR64)
    code.set(different)


def walk(code: Code, rows: tuple[int, ...], left: int, steps: int, body: Callable[[], None], width: int = 8) -> None:
    """Do this for so many numbers of these rows at a time, as long as as many are left."""
    end = code.open(BLOCK)
    again = code.open(LOOP)
    code.get(left)
    code.whole(steps)
    code.op(SIGNED[ast.Lt])
    code.br(end, BR_IF)
    body()
    for row in rows:
        code.get(row)
        code.address(width * steps)
        code.op(ADD32)
        code.set(row)
    code.get(left)
    code.whole(steps)
    code.op(SUB64)
    code.set(left)
    code.br(again)
    code.close()
    code.close()


HELPERS: dict[Any, Any] = {happen.lay: lay, happen.clear: clear, tree_search.same: same}
RESULTS: dict[Any, str] = {happen.lay: "none", happen.clear: "none", tree_search.same: "b"}
__all__ = ["HELPERS", "RESULTS"]
