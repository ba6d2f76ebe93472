"""Code for calls: of builtins, and of functions, which are inlined if they are small."""

import ast
import types
from typing import Any

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_arithmetic import ArithmeticCode
from crashlab.compiled.wasm.emit_rows import RowCode
from crashlab.compiled.wasm.emit_values import Frame
from crashlab.compiled.wasm.encoding import Local, uleb, whole
from crashlab.compiled.wasm.type_inference import TYPE, Spec


class CallCode(ArithmeticCode, RowCode):
    """The writer of calls, and of the bodies of inlined functions."""

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

    def drop(self, node: ast.expr) -> None:
        """Write an expression and discard its value."""
        kind, results = self.called(node) if isinstance(node, ast.Call) else (self.expr(node), [])
        if not results and TYPE[kind]:
            self.op(wasm.DROP)

    # Inlined functions

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

    def body(self) -> None:
        """Write the statements of a function."""
        self.block(self.frame.text.tree.body)
        if self.frame.spec.result != "none":
            self.op(wasm.UNREACHABLE)  # every path returns a value

    # Builtins

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


def row_of(node: Any) -> str:
    """Return the name of the table in `table.field`; empty for anything else."""
    match node:
        case ast.Attribute(value=ast.Name(id=name)):
            return name
    return ""
