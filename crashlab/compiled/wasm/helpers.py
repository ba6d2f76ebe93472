"""What is written by hand in WebAssembly, because an instruction does it at once, or several numbers together."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from crashlab.compiled.wasm.encoding import ADD32, CONST32, COPY, FILL, SHL32, SUB32
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


HELPERS: dict[Any, Any] = {happen.lay: lay, happen.clear: clear}
RESULTS: dict[Any, str] = {happen.lay: "none", happen.clear: "none"}
__all__ = ["HELPERS", "RESULTS"]
