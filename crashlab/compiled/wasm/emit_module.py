"""All functions that one function can reach, as one module of WebAssembly: from `ast` to bytes, and nothing besides."""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable
from typing import Any

from crashlab.compiled.wasm import doors, helpers
from crashlab.compiled.wasm.emit_function import Code
from crashlab.compiled.wasm.encoding import (
    CALL,
    CONST32,
    END,
    EXTEND_U,
    F64,
    GET,
    I32,
    I64,
    LOAD32,
    LOAD64,
    LOAD_F64,
    STORE64,
    STORE_F64,
    leb,
    name,
    section,
    uleb,
    vector,
)  # fmt: skip
from crashlab.compiled.wasm.function_text import Function, Text
from crashlab.compiled.wasm.type_inference import TYPE, Spec
from crashlab.engine import table as happen

MOST_PAGES = 1 << 16
LARGE, LATER = 40_000, 400  # bytes


class Module:
    """A function with these kinds of arguments, and all that it calls, for the tables of a game.

    `base` is the address at which its constants can stand. With `wary` an index can count from the end of its row, and
    a shift can be by more than 63; with `checked` an index beyond its row is told.

    A text of up to `inline` expressions is put where it is called, and up to `single` where that is one place, as long
    as the caller is shorter than `longest` bytes: browsers do not optimise what is longer. Loops whose length is known
    are written out up to `unroll` bytes, and up to LATER ones once the module has LARGE bytes. What has up to `cheap`
    expressions is found even if it is not wanted, to save a jump, and up to `choose` what an `if` only gives to a name;
    a test of up to `twice` stands at both ends of a loop.
    """

    def __init__(
        self, rules: Any, table: type[happen.Table], base: int = 1024, wary: bool = False, checked: bool = False,
        inline: int = 60, single: int = 300, longest: int = 12000, unroll: int = 3000, cheap: int = 6, choose: int = 8,
        twice: int = 12,
    ) -> None:  # fmt: skip
        self.rules, self.base, self.wary, self.checked = rules, base, wary or checked, checked
        self.inline, self.single, self.longest, self.unroll = inline, single, longest, unroll
        self._written = 0
        self.cheap, self.choose, self.twice = cheap, choose, twice
        self.helpers = helpers.HELPERS
        self.fields: dict[str, tuple[int, int]] = {}
        self.size = 0
        for field, size in zip(table.NAMES, table.SIZES, strict=True):
            self.fields[field] = self.size, size
            self.size += 8 * size
        self.constants = {"RULES": len(rules.BOOK)} if rules is not None else {}
        self.data = bytearray()
        self.faults: list[str] = []  # where an index can be beyond its row
        self.told: dict[Spec, set[Function]] = {}  # what was put into each function
        self._rows: dict[tuple[int, ...], int] = {}
        self._texts: dict[Function, Text] = {}
        self._specs: dict[Any, Spec] = {}
        self._numbers: dict[Spec, int] = {}
        self._waiting: list[Spec] = []
        self._callers: dict[Any, int] | None = None

    def text(self, function: Function) -> Text:
        """A function's text."""
        if function not in self._texts:
            self._texts[function] = Text(function, self.rules, self.constants)
        return self._texts[function]

    def spec(self, function: Function, given: tuple[str, ...]) -> Spec:
        """The function for these kinds."""
        key = function, given
        if key not in self._specs:
            self._specs[key] = Spec(self, self.text(function), given)
            self._specs[key].settle()
        return self._specs[key]

    def door(self, function: Function, node: ast.Call, spec: Spec) -> Function:
        """What is emitted for a function: of a door, what is left of it with this trace."""
        if function in doors.PLAIN:
            return doors.PLAIN[function]  # type: ignore[no-any-return]
        if function not in doors.UNTOLD:
            return function
        trace = node.args[0 if function is happen.tally else -1]
        return doors.BY_TRACE[spec.kind(trace) or "none"][function]  # type: ignore[no-any-return]

    def field(self, name: str, node: ast.AST, text: Text) -> tuple[int, int]:
        """Where a field of the table begins, and how many numbers it has."""
        if name not in self.fields:
            raise text.wrong(node, f"the table has no {name}")
        return self.fields[name]

    def is_small(self, spec: Spec) -> bool:
        """Whether a function is put where it is called."""
        if self._callers is None:
            self._callers = {}
            for text in list(self._texts.values()):
                for node in text.nodes:
                    if isinstance(node, ast.Call):
                        called = text.named(node.func)
                        self._callers[called] = self._callers.get(called, 0) + 1
        size = spec.text.size
        return size <= self.inline or (size <= self.single and self._callers.get(spec.text.function) == 1)

    def row(self, numbers: tuple[Any, ...], wrong: Callable[[], Exception] | None = None) -> int:
        """The address of a constant row; its length stands before it."""
        if numbers not in self._rows:
            if not all(isinstance(number, int) for number in numbers):
                raise wrong() if wrong else TypeError(f"{numbers!r:.60} is no row of whole numbers")
            self.data += struct.pack("<q", len(numbers))
            self._rows[numbers] = self.base + len(self.data)
            self.data += struct.pack(f"<{len(numbers)}q", *numbers)
        return self._rows[numbers]

    def number(self, spec: Spec) -> int:
        """The number of a function in the module."""
        if spec not in self._numbers:
            self._numbers[spec] = len(self._numbers)
            self._waiting.append(spec)
        return self._numbers[spec]

    def fault(self, text: Text, node: ast.AST) -> int:
        """The number of a place at which an index can be beyond its row."""
        self.faults.append(str(text.wrong(node, "this index is beyond its row")).partition(";")[0])
        return len(self.faults)

    def binary(self, function: Function, kinds: tuple[str, ...], shared: bool = True) -> bytes:
        """The module. What it exports is called with an address, at which its arguments stand in turn, 8 bytes each.

        There it leaves its result. Its memory is given to it, as that may be shared by threads.
        """
        spec = self.spec(function, kinds)
        first = self.number(spec)
        if isinstance(spec.result, tuple):
            raise spec.text.wrong(spec.text.tree, "what is called from outside has one result")
        self.result: str = spec.result
        spec._needed = {name for name in spec.text.params if TYPE[spec.of[name]]}
        shapes: dict[int, bytes] = {}
        codes: dict[int, bytes] = {}
        while self._waiting:
            each = self._waiting.pop()
            code = Code(self, each, [name for name in each.text.params if name in each.needed])
            results = [TYPE[kind] for kind in (each.result if isinstance(each.result, tuple) else (each.result,))]
            given, found = (bytes([kind]) for kind in code.params if kind), (bytes([kind]) for kind in results if kind)
            self._written += len(code.binary)
            if self._written > LARGE:
                self.unroll = min(self.unroll, LATER)
            number = self._numbers[each]
            shapes[number], codes[number] = b"\x60" + vector(given) + vector(found), code.binary
        number = len(codes)
        shapes[number], codes[number] = b"\x60" + vector([bytes([I32])]) + vector([]), self._entry(spec, first)
        order = range(len(codes))
        kinds_ = list(dict.fromkeys(shapes[each] for each in order))
        pages = b"\3" + uleb(1) + uleb(MOST_PAGES) if shared else b"\0" + uleb(1)
        data = [b"\0" + bytes([CONST32]) + leb(self.base) + bytes([END]) + uleb(len(self.data)) + bytes(self.data)]
        return b"\0asm\1\0\0\0" + b"".join([
            section(1, vector(kinds_)),
            section(2, vector([name("host") + name("memory") + b"\2" + pages])),
            section(3, vector(uleb(kinds_.index(shapes[each])) for each in order)),
            section(7, vector([name("run") + b"\0" + uleb(number)])),
            section(10, vector(uleb(len(codes[each])) + codes[each] for each in order)),
            section(11, vector(data)),
        ])  # fmt: skip

    def _entry(self, spec: Spec, number: int) -> bytes:
        """The function that takes its arguments from memory."""
        out = bytearray()
        if TYPE[spec.result]:
            out += bytes([GET, 0])
        for place, param in enumerate(spec.text.params):
            if param in spec.needed:
                kind = spec.of[param]
                load = {I64: LOAD64, F64: LOAD_F64, I32: LOAD32}[TYPE[kind] or I64]
                out += bytes([GET, 0, load, 2]) + uleb(8 * place)
        out += bytes([CALL]) + uleb(number)
        if spec.result == "b":
            out.append(EXTEND_U)
        if TYPE[spec.result]:
            out += bytes([STORE_F64 if spec.result == "f" else STORE64, 3, 0])
        return vector([]) + bytes(out) + bytes([END])
