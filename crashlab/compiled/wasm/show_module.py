"""A module to read: the text format of WebAssembly (WAT), of one rule or of whatever `emit_module` has made.

    print(rule_text(game.rules, game.rules.hit_side))
"""

from __future__ import annotations

import inspect
import struct
from collections.abc import Callable, Iterator
from textwrap import fill
from typing import Any

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_module import Module
from crashlab.compiled.wasm.read_function import Function
from crashlab.engine.rules import table_class

KINDS = {"table": "table", "trace": "none", "out": "row"}  # of the arguments of rules, by name; all others are ints
VALUES = {wasm.I32: "i32", wasm.I64: "i64", wasm.F64: "f64", wasm.VECTOR: "v128"}
COMPARISONS = "eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"
WHOLE = "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr"
FRACTIONS = "abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign"
PLAIN = {
    wasm.UNREACHABLE: "unreachable", wasm.ELSE: "else", wasm.END: "end", wasm.DROP: "drop", wasm.SELECT: "select",
    wasm.WRAP: "i32.wrap_i64", wasm.EXTEND_U: "i64.extend_i32_u", wasm.FLOAT_B: "f64.convert_i32_u",
    wasm.FLOAT_I: "f64.convert_i64_s", wasm.FLOAT_U: "f64.convert_i64_u",
}  # fmt: skip
for first, kind, words in (
    (0x45, "i32", COMPARISONS), (0x50, "i64", COMPARISONS), (0x61, "f64", "eq ne lt gt le ge"),
    (0x67, "i32", WHOLE), (0x79, "i64", WHOLE), (0x99, "f64", FRACTIONS),
):  # fmt: skip
    PLAIN |= {first + place: f"{kind}.{word}" for place, word in enumerate(words.split())}
BLOCKS = {wasm.BLOCK: "block", wasm.LOOP: "loop", wasm.IF: "if"}
NUMBERED = {
    wasm.BR: "br", wasm.BR_IF: "br_if", wasm.CALL: "call", wasm.GET: "local.get", wasm.SET: "local.set",
    wasm.TEE: "local.tee",
}  # fmt: skip
MEMORY = {  # with how many bytes are taken at once, as a power of 2
    wasm.LOAD8_S: ("i64.load8_s", 0), wasm.STORE8: ("i64.store8", 0), wasm.LOAD32: ("i32.load", 2),
    wasm.LOAD64: ("i64.load", 3), wasm.LOAD_F64: ("f64.load", 3),
    wasm.STORE64: ("i64.store", 3), wasm.STORE_F64: ("f64.store", 3), wasm.LOAD_V: ("v128.load", 4),
}  # fmt: skip
LONG = {  # with how many bytes follow that always say the same
    wasm.TRUNCATE: ("i64.trunc_sat_f64_s", 0), wasm.COPY[:2]: ("memory.copy", 2), wasm.FILL[:2]: ("memory.fill", 1),
    wasm.SPLAT_I64: ("i64x2.splat", 0), wasm.SPLAT_F64: ("f64x2.splat", 0), wasm.GT_V: ("f64x2.gt", 0),
    wasm.OR_V: ("v128.or", 0), wasm.XOR_V: ("v128.xor", 0), wasm.CHOOSE_V: ("v128.bitselect", 0),
    wasm.ANY_V: ("v128.any_true", 0), wasm.ADD_V: ("f64x2.add", 0), wasm.MUL_V: ("f64x2.mul", 0),
    wasm.ADD_I_V: ("i64x2.add", 0),
}  # fmt: skip
LANES = {wasm.LANE_I64: "i64x2.extract_lane", wasm.LANE_F64: "f64x2.extract_lane"}


def rule_text(rules: Any, function: Function) -> str:
    """What becomes of a rule where nobody watches, and what was put into it."""
    module = Module(rules, table_class(rules))
    binary = module.binary(function, tuple(KINDS.get(name, "i") for name in inspect.signature(function).parameters))
    told = []
    for spec, put in module.told.items():
        inside = ", ".join(sorted(each.__name__ for each in put))
        words = f"{spec.text.function.__name__}, with {inside} put where they are called"
        told.append(fill(words, 100, initial_indent=";; ", subsequent_indent=";; "))
    return "\n".join([*told, module_text(binary)])


def module_text(binary: bytes) -> str:
    """A module of ours as text."""
    return "\n".join(["(module", *("  " + line for line in Reader(binary).module()), ")"])


class Reader:
    """Goes through a module."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 8

    def take(self, count: int) -> bytes:
        """The next bytes."""
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, signed: bool = False) -> int:
        """The next number, written as `encoding.uleb` or `encoding.leb` does."""
        found, shift = 0, 0
        while True:
            (byte,) = self.take(1)
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found - (1 << shift) if signed and byte & 64 else found

    def each(self, read: Callable[[], Any]) -> list[Any]:
        """As many of these as the next number says."""
        return [read() for _ in range(self.number())]

    def word(self) -> str:
        """A name in quotes."""
        return f'"{self.take(self.number()).decode()}"'

    def module(self) -> Iterator[str]:
        """The lines of a module."""
        shapes: list[str] = []
        kinds: list[int] = []
        ends: list[str] = []
        while self.at < len(self.data):
            section, _size = self.take(1)[0], self.number()
            if section == 1:
                shapes = self.each(self.shape)
            elif section == 2:
                yield from self.each(self.memory)
            elif section == 3:
                kinds = self.each(self.number)
            elif section == 7:
                ends = self.each(lambda: f"(export {self.word()} (func {self.take(1) and self.number()}))")
            elif section == 10:
                for place in range(self.number()):
                    yield from self.function(f"(func (;{place};){shapes[kinds[place]]}")
                yield from ends
            else:
                yield from self.each(self.constants)

    def shape(self) -> str:
        """What a function takes and gives."""
        self.take(1)
        given, found = self.each(self.value), self.each(self.value)
        return "".join(f" ({word} {' '.join(each)})" for word, each in (("param", given), ("result", found)) if each)

    def value(self) -> str:
        """A type."""
        return VALUES[self.take(1)[0]]

    def memory(self) -> str:
        """The memory that is given to it."""
        module, name, (_, form) = self.word(), self.word(), self.take(2)
        limits = [str(self.number()) for _ in range(2 if form & 1 else 1)]
        return f"(import {module} {name} (memory {' '.join(limits)}{' shared' if form & 2 else ''}))"

    def function(self, head: str) -> Iterator[str]:
        """The lines of a function."""
        end = self.number() + self.at
        alike = self.each(lambda: (self.number(), self.value()))
        kinds = [kind for count, kind in alike for _ in range(count)]
        yield head
        yield from (f"  (local {' '.join(kinds[at : at + 16])})" for at in range(0, len(kinds), 16))
        depth = 1
        while self.at < end - 1:
            line = self.instruction()
            yield "  " * (depth - (line in ("end", "else"))) + line
            depth += line.startswith(tuple(BLOCKS.values())) - (line == "end")
        self.take(1)
        yield ")"

    def instruction(self) -> str:
        """The next instruction."""
        (code,) = key = self.take(1)
        if code in PLAIN:
            return PLAIN[code]
        if code in NUMBERED:
            return f"{NUMBERED[code]} {self.number()}"
        if code in BLOCKS:
            (kind,) = self.take(1)
            return BLOCKS[code] if kind == wasm.VOID else f"{BLOCKS[code]} (result {VALUES[kind]})"
        if code in (wasm.CONST32, wasm.CONST64):
            return f"{'i32' if code == wasm.CONST32 else 'i64'}.const {self.number(signed=True)}"
        if code == wasm.CONST_F64:
            return f"f64.const {struct.unpack('<d', self.take(8))[0].hex()}"
        if code in (0xFC, 0xFD):
            key += wasm.uleb(self.number())
        if key == wasm.CONST_V:
            return f"v128.const i64x2 {' '.join(map(str, struct.unpack('<2q', self.take(16))))}"
        if key == wasm.SHUFFLE:
            return f"i8x16.shuffle {' '.join(map(str, self.take(16)))}"
        if key in LANES:
            return f"{LANES[key]} {self.number()}"
        if key in LONG:
            self.take(LONG[key][1])
            return LONG[key][0]
        word, whole = MEMORY[key if code == 0xFD else code]
        power, offset = self.number(), self.number()
        return f"{word}{f' offset={offset}' * (offset > 0)}{f' align={1 << power}' * (power != whole)}"

    def constants(self) -> str:
        """Some of the memory as it begins."""
        self.take(2)
        begin = self.number(signed=True)
        self.take(1)
        content = "".join(f"\\{byte:02x}" for byte in self.take(self.number()))
        return f'(data (i32.const {begin}) "{content}")'
