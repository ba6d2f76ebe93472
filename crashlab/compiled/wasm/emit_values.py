"""Code for values: constants, folding, the locals of names, and conversion between kinds."""

import ast
import struct
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.encoding import CodeWriter, Local, address, whole
from crashlab.compiled.wasm.read_function import FOLD
from crashlab.compiled.wasm.type_inference import AMONG, TYPE, ModuleDraft, Spec, base_of, size_of


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


class ValueCode(CodeWriter, ABC):
    """The writer of values; its subclasses write the expressions and statements of a function."""

    def __init__(self, module: ModuleDraft, spec: Spec, handed: Sequence[str]) -> None:
        super().__init__([TYPE[spec.of[name]] for name in handed])
        self.module, self.frame, self.active = module, Frame(spec, 0), [spec]
        self.frame.places = {name: Local(place) for place, name in enumerate(handed)}

    @abstractmethod
    def raw(self, node: Any) -> Any:
        """Write an expression that is not constant; return its kind."""

    @abstractmethod
    def block(self, statements: Sequence[ast.stmt]) -> bool:
        """Write statements up to the first that ends the path; return whether there was one."""

    def kind(self, node: ast.expr) -> Any:
        """Return the kind of an expression."""
        return self.frame.spec.kind(node)

    def place(self, name: str) -> Local:
        """Return the local of a name, created at its first use."""
        if name not in self.frame.places:
            self.frame.places[name] = self.local(TYPE[self.frame.spec.of[name]])
        return self.frame.places[name]

    def wrong(self, node: ast.AST, words: str) -> Exception:
        """Return the error for a part that cannot be compiled."""
        return self.frame.text.wrong(node, words)

    def is_steady(self, node: Any) -> bool:
        """Return whether an expression is a local that the function never sets."""
        return isinstance(node, ast.Name) and node.id in self.frame.places and node.id not in self.frame.text.stored

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
            if (
                name not in frame.constants
                and (kind := frame.spec.of[name]) not in ("n", "none")
                and size_of(kind) is None
            ):
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

    def length(self, row: ast.expr) -> int | None:
        """Return the length of a row, or None if it is not constant."""
        constant, kind = self.frame.text.named(row), self.kind(row)
        if isinstance(constant, tuple):
            return len(constant)
        return None if base_of(kind) in AMONG else size_of(kind)

    def is_cheap(self, node: Any, most: int = 0) -> bool:
        """Return whether an expression may be evaluated even if unused: it is short and cannot fail."""
        if not node.cheap or node.parts > (most or self.module.cheap) or (self.module.checked and node.rows):
            return False
        return not any(isinstance(self.frame.text.named(row), tuple) for row in node.rows)

    # Values on the stack

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

    def push(self, place: Local, kind: Any, want: Any, node: ast.AST) -> None:
        """Push a local of this kind, converted to the kind `want`."""
        if TYPE[kind]:
            self.op(place)
        self.convert(kind, want, node)

    def pop(self, places: list[Local], kinds: Sequence[Any]) -> None:
        """Pop several results into their locals, the last one first."""
        for place, kind in zip(places[::-1], kinds[::-1], strict=True):
            if TYPE[kind]:
                self.op(place.set)


def number_or_none(value: Any) -> Any:
    """Return a number; None for anything else."""
    return value if isinstance(value, int | float) else None
