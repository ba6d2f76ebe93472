"""The code generator for one function: the choice of the code for each expression and statement, and assignments."""

import ast
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_calls import CallCode, row_of
from crashlab.compiled.wasm.emit_control_flow import ControlFlowCode
from crashlab.compiled.wasm.encoding import Local, address, load, store, uleb, vector
from crashlab.compiled.wasm.type_inference import AMONG, TYPE, ModuleDraft, Spec, base_of, of_items, of_two


class FunctionCode(CallCode, ControlFlowCode):
    """The writer of one function of the module."""

    def __init__(self, module: ModuleDraft, spec: Spec, handed: Sequence[str]) -> None:
        super().__init__(module, spec, handed)
        self.body()
        kinds = [uleb(len(list(alike))) + bytes([kind]) for kind, alike in groupby(self.locals)]
        self.binary = vector(kinds) + bytes(self.out) + bytes([wasm.END])

    # Expressions: each pushes one value

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
        frame, result = self.frame, self.frame.spec.result
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

    # Assignments

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
                source = self.hold(value)
                pairs = [(target, source) for target in targets]
        for target, (kind, place) in pairs:
            self.put_held(target, kind, place, node)

    def hold(self, value: Any) -> tuple[Any, Local]:
        """Write an expression and pop its value into a local; return its kind and the local."""
        kind = self.kind(value)
        if not TYPE[kind] and not value.calls:
            return kind, Local(0)
        if self.is_steady(value):
            return kind, self.frame.places[value.id]
        kind = self.expr(value)
        return kind, self.keep(TYPE[kind]) if TYPE[kind] else self.local(None)

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
        if isinstance(self.frame.text.named(target.value), tuple) or base_of(kind) in (*AMONG, "table"):
            raise self.wrong(node, f"{ast.unparse(target)} cannot be set")
        return of_items(kind)
