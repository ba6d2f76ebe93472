"""Code for `if`, `while` and `for`; short loops of known length are unrolled."""

import ast
from collections.abc import Sequence
from typing import Any

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_values import ValueCode
from crashlab.compiled.wasm.encoding import Local, whole
from crashlab.compiled.wasm.read_function import NOTHING, learned
from crashlab.compiled.wasm.type_inference import joined, of_items

ZERO: Any = ast.Constant(0)
ZERO.needs, ZERO.cheap, ZERO.calls, ZERO.parts, ZERO.rows = NOTHING, True, False, 1, []


class ControlFlowCode(ValueCode):
    """The writer of statements that contain statements."""

    # Conditions

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
                case ast.Assign(targets=[ast.Name(id=target)], value=value) if self.is_cheap(value, self.module.choose):
                    names.add(target)
                case _:
                    return False
        (name, *others), frame = names, self.frame
        kind = frame.spec.of[name]
        if others or kind not in ("i", "b", "f") or name in frame.constants or not (orelse or name in frame.places):
            return False
        self.expr(body[0].value, kind)
        if orelse:
            self.expr(orelse[0].value, kind)
        else:
            self.op(self.place(name))
        self.expr(test, "b")
        self.op(wasm.SELECT, self.place(name).set)
        return True

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
