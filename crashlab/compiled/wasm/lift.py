"""The translation of our WebAssembly modules to LLVM's text format, which LLVM optimises for this processor.

A trap becomes a return value: after its results each function returns 0 or the code of an error (`reason`), and on an
error its caller returns as well. The module itself checks that indexes are in range, since it is emitted as `checked`.

All 32-bit numbers are addresses or booleans. An address is 64 bits wide, relative to the beginning of the memory, and
is kept as a sum of terms for as long as possible, so that LLVM can distinguish the fields of a table.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_rows import FAULT

BROKEN = ("", "integer divide by zero", "integer overflow", "call stack exhausted", "unreachable")
ZERO, OVERFLOW, EXHAUSTED, UNREACHABLE = range(
    1, len(BROKEN)
)  # a greater code is UNREACHABLE plus the number of an index out of range
STACK = 512 * 1024  # bytes of stack, as in wasmtime
HEAD = """
declare ptr @llvm.frameaddress.p0(i32)
declare double @llvm.fabs.f64(double)
declare i64 @llvm.fptosi.sat.i64.f64(double)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
!0 = !{}
!1 = !{!"branch_weights", i32 1, i32 100000}
"""
TYPES = {wasm.I32: "i64", wasm.I64: "i64", wasm.F64: "double"}
# The instructions with one operand and with two: LLVM's text, the type of the operands, the type of the result.
ONE = {
    wasm.EQZ32: ("xor i1 {}, true", "i1", "i1"),
    wasm.EQZ64: ("icmp eq i64 {}, 0", "i64", "i1"),
    wasm.EXTEND_U: ("zext i1 {} to i64", "i1", "i64"),
    wasm.NEG_F64: ("fneg double {}", "double", "double"),
    wasm.ABS_F64: ("call double @llvm.fabs.f64(double {})", "double", "double"),
    wasm.FLOAT_B: ("uitofp i1 {} to double", "i1", "double"),
    wasm.FLOAT_I: ("sitofp i64 {} to double", "i64", "double"),
    wasm.FLOAT_U: ("uitofp i64 {} to double", "i64", "double"),
    wasm.TRUNCATE: ("call i64 @llvm.fptosi.sat.i64.f64(double {})", "double", "i64"),
}
TWO = {
    **{
        getattr(wasm, f"{word.upper()}64"): (f"{word} i64 {{}}, {{}}", "i64", "i64")
        for word in ("add", "sub", "mul", "and", "or", "xor")
    },
    **{getattr(wasm, f"{word.upper()}32"): (f"{word} i1 {{}}, {{}}", "i1", "i1") for word in ("and", "or", "xor")},
    **{
        getattr(wasm, f"{word.upper()}_F64"): (f"f{word} double {{}}, {{}}", "double", "double")
        for word in ("add", "sub", "mul", "div")
    },
    wasm.EQ32: ("icmp eq i1 {}, {}", "i1", "i1"),
    wasm.NE32: ("icmp ne i1 {}, {}", "i1", "i1"),
    **{
        wasm.EQ64 + place: (f"icmp {word} i64 {{}}, {{}}", "i64", "i1")
        for place, word in enumerate("eq ne slt ult sgt ugt sle ule sge uge".split())
    },
    **{
        wasm.EQ_F64 + place: (f"fcmp {word} double {{}}, {{}}", "double", "i1")
        for place, word in enumerate("oeq une olt ogt ole oge".split())
    },
}
SHIFTS = {wasm.SHL64: "shl", wasm.SHR_S: "ashr", wasm.SHR_U: "lshr"}
DIVISIONS = {wasm.DIV_S: "sdiv", wasm.DIV_U: "udiv", wasm.REM_S: "srem", wasm.REM_U: "urem"}
ITEMS = {  # the type in memory of each load and store
    wasm.LOAD8_S: "i8",
    wasm.LOAD32: "i64",
    wasm.LOAD64: "i64",
    wasm.LOAD_F64: "double",
    wasm.STORE8: "i8",
    wasm.STORE64: "i64",
    wasm.STORE_F64: "double",
}
NUMBERED = bytes([wasm.BR, wasm.BR_IF, wasm.CALL, wasm.GET, wasm.SET, wasm.TEE, wasm.CONST32, wasm.CONST64])
OPERANDS = {  # the number of immediate operands of an instruction
    **{bytes([code]): 1 for code in NUMBERED},
    **{bytes([code]): 2 for code in ITEMS},
    wasm.COPY[:2]: 2,
    wasm.FILL[:2]: 1,
}
INDEX_FAULT = bytes([wasm.CONST32, FAULT])  # the beginning of the code that reports an index out of range
STORES = (wasm.STORE8, wasm.STORE64, wasm.STORE_F64)
PUT = {"i1": "zext i1 {} to i64", "i64": "icmp ne i64 {}, 0"}  # the conversions of a boolean to a number and back


class Operand(NamedTuple):
    """A value on the stack: a name, a number, or an address as a sum of names with factors and a constant."""

    type: str
    text: str = ""
    parts: tuple[tuple[str, int], ...] | None = None
    number: int = 0

    def sum(self) -> tuple[tuple[tuple[str, int], ...], int]:
        """Return the terms and the constant of this address."""
        return (((self.text, 1),), 0) if self.parts is None else (self.parts, self.number)

    def times(self, count: int) -> Operand:
        """Return this address multiplied by count."""
        parts, number = self.sum()
        return Operand("i64", "", tuple((part, scale * count) for part, scale in parts), number * count)

    def plus(self, other: Operand) -> Operand:
        """Return the sum of two addresses."""
        (parts, number), (more, further) = self.sum(), other.sum()
        return Operand("i64", "", parts + more, number + further)


class Block(NamedTuple):
    """An open block: the label to jump to, the stack height outside it, and the slots of its results."""

    code: int
    label: str
    height: int
    left: Sequence[tuple[str, str]] = ()
    other: str = ""  # the label of the `else` branch of an `if`, until that has begun


def lifted(binary: bytes, begin: int) -> tuple[str, list[tuple[int, bytes]]]:
    """Translate a module to LLVM's text for the memory at `begin`; return the text and [(address, constants)].

    The exported function is named `run` in the text; it returns 0, or the code of an error.
    """
    module = Lifter(binary, begin)
    return module.lift(), module.rows


def reason(why: int) -> tuple[str, int]:
    """Return the message for an error code, and the number of the index that was out of range, or 0."""
    return BROKEN[min(why, UNREACHABLE)], max(why - UNREACHABLE, 0)


class Lifter(wasm.Reader):
    """The translator of one module."""

    def __init__(self, data: bytes, begin: int) -> None:
        super().__init__(data)
        self.begin = begin
        self.rows: list[tuple[int, bytes]] = []
        self.lines = [HEAD]

    def lift(self) -> str:
        """Translate the module, and return LLVM's text."""
        shapes: list[tuple[list[str], list[str]]] = []
        while self.at < len(self.data):
            section, size = self.take(1)[0], self.number()
            end = self.at + size
            if section == 1:
                shapes = self.items(self.block_types)
            elif section == 3:
                self.shapes = [shapes[kind] for kind in self.items(self.number)]
            elif section == 10:
                for place in range(self.number()):
                    self.function_text(place)
            elif section == 11:
                self.items(self.kept_row)
            self.at = end
        params, _ = self.shapes[-1]  # the exported function is the last one
        self.lines += [
            f"define i32 @run({params[0]} %address) {{",
            "  %frame = call ptr @llvm.frameaddress.p0(i32 0)",
            f"  %floor = getelementptr i8, ptr %frame, i64 {-STACK}",
            f"  %found = call fastcc {{ i32 }} @f{len(self.shapes) - 1}({params[0]} %address, ptr %floor)",
            "  %why = extractvalue { i32 } %found, 0",
            "  ret i32 %why",
            "}",
        ]
        return "\n".join(self.lines)

    def block_types(self) -> tuple[list[str], list[str]]:
        """Read the types of a function's parameters and results."""
        self.take(1)
        params, results = (self.items(lambda: TYPES[self.take(1)[0]]) for _ in range(2))
        return params, results

    def kept_row(self) -> None:
        """Read a part of the memory's initial content into `rows`."""
        self.take(2)
        at = self.number(signed=True)
        self.take(1)
        self.rows.append((at, self.take(self.number())))

    # Functions

    def function_text(self, place: int) -> None:
        """Translate a function; locals and results of blocks are stack slots, which LLVM turns into registers."""
        end = self.number() + self.at
        params_, results = self.shapes[place]
        alike = self.items(lambda: (self.number(), self.take(1)[0]))
        self.types = params_ + [TYPES[kind] for count, kind in alike for _ in range(count)]
        self.place, self.names, self.is_dead, self.skipped = place, 0, False, 0
        self.stack: list[Operand] = []
        self.heads: list[str] = []
        self.out: list[str] = []
        for number, type_ in enumerate(self.types):
            first = f"%p{number}" if number < len(params_) else zero(type_)
            self.keep(f"%l{number}", type_, first)
        self.keep("%why", "i32", "0")
        values = [(f"%r{number}", type_) for number, type_ in enumerate(results)]
        for slot, type_ in values:
            self.keep(slot, type_, zero(type_))
        self.blocks = [Block(wasm.BLOCK, "end", 0, values)]
        while self.at < end:
            self.instruction_text()
        self.begin_block("end")
        value, type_ = "zeroinitializer", several(results)
        for number, (slot, kind) in enumerate(values):
            value = self.new(f"insertvalue {type_} {value}, {kind} {self.new(f'load {kind}, ptr {slot}')}, {number}")
        self.write(f"ret {type_} {value}")
        self.begin_block("broken")
        why = self.new("load i32, ptr %why")
        self.write(f"ret {type_} {self.new(f'insertvalue {type_} zeroinitializer, i32 {why}, {len(results)}')}")
        params = ", ".join([*(f"{type_} %p{number}" for number, type_ in enumerate(params_)), "ptr %floor"])
        self.lines.append(f"define internal fastcc {type_} @f{place}({params}) nounwind {{")
        self.lines += [*self.heads, "  br label %start", "start:", *self.out, "}"]

    # Helpers

    def write(self, line: str) -> None:
        """Write an instruction without a result."""
        self.out.append("  " + line)

    def new(self, line: str) -> str:
        """Write an instruction, and return the name of its result."""
        self.names += 1
        self.out.append(f"  %v{self.names} = {line}")
        return f"%v{self.names}"

    def label(self) -> str:
        self.names += 1
        return f"b{self.names}"

    def begin_block(self, label: str) -> None:
        """Write a label, which begins a basic block."""
        self.out.append(f"{label}:")

    def keep(self, slot: str, type_: str, first: str | None = None) -> None:
        """Allocate a stack slot, and store its first value, if any."""
        self.heads.append(f"  {slot} = alloca {type_}")
        if first:
            self.heads.append(f"  store {type_} {first}, ptr {slot}")

    def push(self, type_: str, text: str) -> None:
        self.stack.append(Operand(type_, text))

    def pop(self, type_: str) -> str:
        """Pop the top value, and return it as this type."""
        return self.named(self.stack.pop(), type_)

    def named(self, value: Operand, type_: str) -> str:
        """Return a value as a name or a number of this type; write the code for a sum."""
        text = value.text
        if value.parts is not None:
            text = str(value.number) if value.number or not value.parts else ""
            for part, scale in value.parts:
                part = part if scale == 1 else self.new(f"mul nsw i64 {part}, {scale}")
                text = self.new(f"add nsw i64 {part}, {text}") if text else part
        return text if value.type == type_ else self.new(PUT[value.type].format(text))

    def number_of(self, value: Operand) -> Operand:
        """Return a boolean as 0 or 1, and other values unchanged."""
        return Operand("i64", self.named(value, "i64")) if value.type == "i1" else value

    def pointer(self, value: Operand, offset: int = 0) -> str:
        """Write the pointer for an address: the base of the memory plus one step for each term."""
        parts, number = value.sum()
        at = f"inttoptr (i64 {self.begin} to ptr)"
        for part, scale in sorted(parts, key=lambda part: part[1]):
            at = self.new(f"getelementptr [{scale} x i8], ptr {at}, i64 {part}")
        return self.new(f"getelementptr i8, ptr {at}, i64 {number + offset}")

    def break_off(self, why: str, test: str) -> None:
        """Write a return with error code `why` if `test` is true."""
        on = self.label()
        self.write(f"store i32 {why}, ptr %why")
        self.write(f"br i1 {test}, label %broken, label %{on}, !prof !1")
        self.begin_block(on)

    def go(self, block: Block) -> None:
        """Store the results of a block (a loop has none), and jump to its label."""
        if block.code != wasm.LOOP:
            for (slot, type_), value in zip(block.left[::-1], self.stack[::-1], strict=False):
                self.write(f"store {type_} {self.named(value, type_)}, ptr {slot}")
        self.write(f"br label %{block.label}")

    # Instructions

    def instruction_text(self) -> None:
        """Translate the next instruction."""
        (code,) = self.take(1)
        if self.is_dead:
            self.skip(code)
            return
        key: int | bytes = code if code not in (0xFC, 0xFD) else bytes([code]) + wasm.uleb(self.number())
        match key:
            case wasm.BLOCK | wasm.LOOP | wasm.IF:
                self.open(code)
            case wasm.ELSE:
                self.other_half()
            case wasm.END:
                self.close()
            case wasm.BR:
                self.go(self.blocks[-1 - self.number()])
                self.is_dead = True
            case wasm.BR_IF:
                block, test, yes, no = self.blocks[-1 - self.number()], self.pop("i1"), self.label(), self.label()
                self.write(f"br i1 {test}, label %{yes}, label %{no}")
                self.begin_block(yes)
                self.go(block)
                self.begin_block(no)
            case wasm.UNREACHABLE:
                self.write(f"store i32 {UNREACHABLE}, ptr %why")
                self.write("br label %broken")
                self.is_dead = True
            case wasm.GET:
                number = self.number()
                self.push(self.types[number], self.new(f"load {self.types[number]}, ptr %l{number}"))
            case wasm.SET | wasm.TEE:
                number = self.number()
                text = self.pop(self.types[number])
                self.write(f"store {self.types[number]} {text}, ptr %l{number}")
                if code == wasm.TEE:
                    self.push(self.types[number], text)
            case wasm.CALL:
                self.call(self.number())
            case wasm.DROP:
                self.stack.pop()
            case wasm.SELECT:
                test, type_ = self.pop("i1"), self.stack[-1].type
                other, one = self.pop(type_), self.pop(type_)
                self.push(type_, self.new(f"select i1 {test}, {type_} {one}, {type_} {other}"))
            case wasm.CONST32:
                self.stack.append(Operand("i64", "", (), self.number(signed=True)))
            case wasm.CONST64:
                self.push("i64", str(self.number(signed=True)))
            case wasm.CONST_F64:
                self.push("double", f"0x{struct.unpack('<Q', self.take(8))[0]:016X}")
            case wasm.WRAP:
                pass
            case _ if key in ONE:
                line, type_, pushed_type = ONE[key]
                self.push(pushed_type, self.new(line.format(self.pop(type_))))
            case _ if code in TWO:
                line, type_, pushed_type = TWO[code]
                other, one = self.pop(type_), self.pop(type_)
                self.push(pushed_type, self.new(line.format(one, other)))
            case wasm.ADD32 | wasm.SUB32 | wasm.SHL32 | wasm.MUL32:
                self.reckon_address(code)
            case _ if code in SHIFTS:
                by, one = self.new(f"and i64 {self.pop('i64')}, 63"), self.pop("i64")
                self.push("i64", self.new(f"{SHIFTS[code]} i64 {one}, {by}"))
            case _ if code in DIVISIONS:
                self.divide(code)
            case _ if code in ITEMS:
                self.access(code)
            case _:
                self.long(key)

    def skip(self, code: int) -> None:
        """Skip an unreachable instruction."""
        match code:
            case wasm.BLOCK | wasm.LOOP | wasm.IF:
                self.take(1)
                self.skipped += 1
            case wasm.END if self.skipped:
                self.skipped -= 1
            case wasm.END:
                self.close()
            case wasm.ELSE if not self.skipped:
                self.other_half()
            case wasm.CONST_F64:
                self.take(8)
            case _:
                long = wasm.uleb(self.number()) if code == wasm.COPY[0] else b""
                for _ in range(OPERANDS.get(bytes([code]) + long, 0)):
                    self.number()

    def open(self, code: int) -> None:
        """Begin a block, or translate the report of an index out of range."""
        (kind,) = self.take(1)
        left = []
        if kind != wasm.VOID:
            left = [(f"%s{self.label()}", TYPES[kind])]
            self.keep(*left[0])
        if code == wasm.IF and self.data.startswith(INDEX_FAULT, self.at):  # the report of an index out of range
            self.take(len(INDEX_FAULT) + 1)
            self.break_off(str(UNREACHABLE + self.number(signed=True)), self.pop("i1"))
            self.take(5)  # the store of its number, and the trap
            return
        label, other = self.label(), ""
        if code == wasm.IF:
            test, yes, other = self.pop("i1"), self.label(), self.label()
            self.write(f"br i1 {test}, label %{yes}, label %{other}")
            self.begin_block(yes)
        elif code == wasm.LOOP:
            self.write(f"br label %{label}")
            self.begin_block(label)
        self.blocks.append(Block(code, label, len(self.stack), left, other))

    def other_half(self) -> None:
        """Translate `else`."""
        block = self.blocks.pop()
        self.go(block) if not self.is_dead else None
        self.is_dead = False
        del self.stack[block.height :]
        self.begin_block(block.other)
        self.blocks.append(block._replace(other=""))

    def close(self) -> None:
        """End a block; `function_text` writes the end of the outermost one."""
        block = self.blocks.pop()
        if block.code == wasm.LOOP:  # our loops have no results, and end by a jump or by falling through
            return
        self.go(block) if not self.is_dead else None
        if block.other:
            self.begin_block(block.other)
            self.write(f"br label %{block.label}")
        self.is_dead = not self.blocks
        del self.stack[block.height :]
        if self.blocks:
            self.begin_block(block.label)
            for slot, type_ in block.left:
                self.push(type_, self.new(f"load {type_}, ptr {slot}"))

    def call(self, place: int) -> None:
        """Translate a call; a call that may recurse checks the stack first and is never a tail call."""
        params, results = self.shapes[place]
        values = [self.pop(type_) for type_ in params[::-1]][::-1]
        how = "call"
        if place <= self.place:
            how = "notail call"
            frame = self.new("call ptr @llvm.frameaddress.p0(i32 0)")
            self.break_off(str(EXHAUSTED), self.new(f"icmp ult ptr {frame}, %floor"))
        words = [f"{type_} {value}" for type_, value in zip(params, values, strict=True)]
        type_ = several(results)
        result = self.new(f"{how} fastcc {type_} @f{place}({', '.join([*words, 'ptr %floor'])})")
        why = self.new(f"extractvalue {type_} {result}, {len(results)}")
        self.break_off(why, self.new(f"icmp ne i32 {why}, 0"))
        for number, kind in enumerate(results):
            self.push(kind, self.new(f"extractvalue {type_} {result}, {number}"))

    def reckon_address(self, code: int) -> None:
        """Fold address arithmetic into an Operand."""
        other, one = self.number_of(self.stack.pop()), self.number_of(self.stack.pop())
        if code == wasm.ADD32:
            self.stack.append(one.plus(other))
        elif code == wasm.SUB32:
            self.stack.append(one.plus(other.times(-1)))
        else:
            self.stack.append(one.times(1 << other.number if code == wasm.SHL32 else other.number))

    def divide(self, code: int) -> None:
        """Translate a division, with an error for a divisor of 0 and for overflow."""
        by, one = self.pop("i64"), self.pop("i64")
        if by.startswith("%"):
            self.break_off(str(ZERO), self.new(f"icmp eq i64 {by}, 0"))
            if code == wasm.DIV_S:
                ends = self.new(f"icmp eq i64 {by}, -1"), self.new(f"icmp eq i64 {one}, {-(1 << 63)}")
                self.break_off(str(OVERFLOW), self.new(f"and i1 {ends[0]}, {ends[1]}"))
            elif code == wasm.REM_S:  # the remainder by -1 is 0, but the processor would trap
                by = self.new(f"select i1 {self.new(f'icmp eq i64 {by}, -1')}, i64 1, i64 {by}")
        self.push("i64", self.new(f"{DIVISIONS[code]} i64 {one}, {by}"))

    def access(self, code: int) -> None:
        """Translate a load or a store."""
        self.number()
        offset, type_ = self.number(), ITEMS[code]
        wide = "i64" if type_ == "i8" else type_
        how = f"align {1 if type_ == 'i8' else 8}"
        if code in STORES:
            text = self.pop(wide)
            text = self.new(f"trunc i64 {text} to i8") if type_ == "i8" else text
            self.write(f"store {type_} {text}, ptr {self.pointer(self.stack.pop(), offset)}, {how}")
            return
        at = self.stack.pop()
        parts, number = at.sum()
        if number + offset == -8 or all(scale > 1 for _, scale in parts):  # lengths and constant rows never change
            how += ", !invariant.load !0"
        text = self.new(f"load {type_}, ptr {self.pointer(at, offset)}, {how}")
        self.push(wide, self.new(f"sext i8 {text} to i64") if type_ == "i8" else text)

    def long(self, code: int | bytes) -> None:
        """Translate a copy or a fill of many bytes."""
        if code == wasm.COPY[:2]:
            self.take(2)
            size = self.pop("i64")
            source, target = (f"ptr align 8 {self.pointer(self.stack.pop())}" for _ in range(2))
            self.write(f"call void @llvm.memmove.p0.p0.i64({target}, {source}, i64 {size}, i1 0)")
        elif code == wasm.FILL[:2]:
            self.take(1)
            size, byte = self.pop("i64"), self.new(f"trunc i64 {self.pop('i64')} to i8")
            target = self.pointer(self.stack.pop())
            self.write(f"call void @llvm.memset.p0.i64(ptr align 8 {target}, i8 {byte}, i64 {size}, i1 0)")
        else:
            raise ValueError(f"LLVM has nothing for instruction {code!r}")


def several(types: list[str]) -> str:
    """Return the type of a function's results followed by its error code."""
    return "{ " + ", ".join([*types, "i32"]) + " }"


def zero(type_: str) -> str:
    """Return the zero of this type."""
    return "0" if type_ == "i64" else "0.0"
