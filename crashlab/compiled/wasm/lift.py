"""WebAssembly of ours as the text of LLVM: the same functions, which LLVM then optimises for this very processor.

What breaks off a module of WebAssembly breaks off a function here: behind its results each gives a number that is 0, or
says what was wrong (`reason`), and its caller breaks off in turn. Whether an index is in its row is looked at by the
module itself, since it is emitted as `checked`.

Numbers of 32 bits are addresses and truths, nothing else. An address is 64 bits wide, counted from where the memory
begins, and is kept as the sum that it is for as long as possible: by that LLVM tells two fields of a table apart.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_function import FAULT

BROKEN = ("", "integer divide by zero", "integer overflow", "call stack exhausted", "unreachable")
ZERO, OVERFLOW, EXHAUSTED, UNREACHABLE = range(1, len(BROKEN))  # what is more is where an index is beyond its row
STACK = 512 * 1024  # bytes, as wasmtime has them
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
# What is done with one value or with two: how, of what type they are, and of what type is what is found.
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
ITEMS = {  # what is loaded or stored: as which type it lies in memory
    wasm.LOAD8_S: "i8",
    wasm.LOAD32: "i64",
    wasm.LOAD64: "i64",
    wasm.LOAD_F64: "double",
    wasm.STORE8: "i8",
    wasm.STORE64: "i64",
    wasm.STORE_F64: "double",
}
NUMBERED = bytes([wasm.BR, wasm.BR_IF, wasm.CALL, wasm.GET, wasm.SET, wasm.TEE, wasm.CONST32, wasm.CONST64])
OPERANDS = {  # how many numbers follow an instruction
    **{bytes([code]): 1 for code in NUMBERED},
    **{bytes([code]): 2 for code in ITEMS},
    wasm.COPY[:2]: 2,
    wasm.FILL[:2]: 1,
}
TOLD = bytes([wasm.CONST32, FAULT])  # how it begins where an index is beyond its row
STORES = (wasm.STORE8, wasm.STORE64, wasm.STORE_F64)
PUT = {"i1": "zext i1 {} to i64", "i64": "icmp ne i64 {}, 0"}  # a truth as a number, and a number as a truth


class Operand(NamedTuple):
    """What lies on the stack: a name or a number; or an address as a sum of names, each so many times, and a number."""

    type: str
    text: str = ""
    parts: tuple[tuple[str, int], ...] | None = None
    number: int = 0

    def sum(self) -> tuple[tuple[tuple[str, int], ...], int]:
        """Of what it is the sum."""
        return (((self.text, 1),), 0) if self.parts is None else (self.parts, self.number)

    def times(self, count: int) -> Operand:
        """This address so many times."""
        parts, number = self.sum()
        return Operand("i64", "", tuple((part, scale * count) for part, scale in parts), number * count)

    def plus(self, other: Operand) -> Operand:
        """The sum of two addresses."""
        (parts, number), (more, further) = self.sum(), other.sum()
        return Operand("i64", "", parts + more, number + further)


class Block(NamedTuple):
    """A block that is open: where it goes on, how much lies on the stack outside of it, and where it leaves what."""

    code: int
    label: str
    height: int
    left: Sequence[tuple[str, str]] = ()
    other: str = ""  # where an `if` goes on whose `else` has not come yet


def lifted(binary: bytes, begin: int) -> tuple[str, list[tuple[int, bytes]]]:
    """A module as text of LLVM, for a memory that begins there; and its constants, with their addresses.

    Its function `run` is that which the module exports; what it gives is 0, or says what was wrong.
    """
    module = Lifter(binary, begin)
    return module.lift(), module.rows


def reason(why: int) -> tuple[str, int]:
    """What is said where it broke off, and the number of the place at which an index was beyond its row, or 0."""
    return BROKEN[min(why, UNREACHABLE)], max(why - UNREACHABLE, 0)


class Lifter(wasm.Reader):
    """Goes through a module and writes it anew."""

    def __init__(self, data: bytes, begin: int) -> None:
        super().__init__(data)
        self.begin = begin
        self.rows: list[tuple[int, bytes]] = []
        self.lines = [HEAD]

    def lift(self) -> str:
        """The text."""
        shapes: list[tuple[list[str], list[str]]] = []
        while self.at < len(self.data):
            section, size = self.take(1)[0], self.number()
            end = self.at + size
            if section == 1:
                shapes = self.each(self.given_and_found)
            elif section == 3:
                self.shapes = [shapes[kind] for kind in self.each(self.number)]
            elif section == 10:
                for place in range(self.number()):
                    self.function_text(place)
            elif section == 11:
                self.each(self.kept_row)
            self.at = end
        given, _ = self.shapes[-1]  # what is exported comes last
        self.lines += [
            f"define i32 @run({given[0]} %address) {{",
            "  %frame = call ptr @llvm.frameaddress.p0(i32 0)",
            f"  %floor = getelementptr i8, ptr %frame, i64 {-STACK}",
            f"  %found = call fastcc {{ i32 }} @f{len(self.shapes) - 1}({given[0]} %address, ptr %floor)",
            "  %why = extractvalue { i32 } %found, 0",
            "  ret i32 %why",
            "}",
        ]
        return "\n".join(self.lines)

    def given_and_found(self) -> tuple[list[str], list[str]]:
        """The types of what a function takes and gives."""
        self.take(1)
        given, found = (self.each(lambda: TYPES[self.take(1)[0]]) for _ in range(2))
        return given, found

    def kept_row(self) -> None:
        """Some of the memory as it begins."""
        self.take(2)
        at = self.number(signed=True)
        self.take(1)
        self.rows.append((at, self.take(self.number())))

    # Functions

    def function_text(self, place: int) -> None:
        """A function: its locals and what blocks leave lie in places, which LLVM soon turns into values."""
        end = self.number() + self.at
        given, found = self.shapes[place]
        alike = self.each(lambda: (self.number(), self.take(1)[0]))
        self.types = given + [TYPES[kind] for count, kind in alike for _ in range(count)]
        self.place, self.names, self.is_dead, self.skipped = place, 0, False, 0
        self.stack: list[Operand] = []
        self.heads: list[str] = []
        self.out: list[str] = []
        for number, type_ in enumerate(self.types):
            first = f"%p{number}" if number < len(given) else zero(type_)
            self.keep(f"%l{number}", type_, first)
        self.keep("%why", "i32", "0")
        left = [(f"%r{number}", type_) for number, type_ in enumerate(found)]
        for slot, type_ in left:
            self.keep(slot, type_, zero(type_))
        self.blocks = [Block(wasm.BLOCK, "end", 0, left)]
        while self.at < end:
            self.instruction_text()
        self.begin_block("end")
        made, type_ = "zeroinitializer", several(found)
        for number, (slot, kind) in enumerate(left):
            made = self.new(f"insertvalue {type_} {made}, {kind} {self.new(f'load {kind}, ptr {slot}')}, {number}")
        self.write(f"ret {type_} {made}")
        self.begin_block("broken")
        why = self.new("load i32, ptr %why")
        self.write(f"ret {type_} {self.new(f'insertvalue {type_} zeroinitializer, i32 {why}, {len(found)}')}")
        params = ", ".join([*(f"{type_} %p{number}" for number, type_ in enumerate(given)), "ptr %floor"])
        self.lines.append(f"define internal fastcc {type_} @f{place}({params}) nounwind {{")
        self.lines += [*self.heads, "  br label %start", "start:", *self.out, "}"]

    # Small things

    def write(self, line: str) -> None:
        """An instruction that gives nothing."""
        self.out.append("  " + line)

    def new(self, line: str) -> str:
        """What an instruction gives."""
        self.names += 1
        self.out.append(f"  %v{self.names} = {line}")
        return f"%v{self.names}"

    def label(self) -> str:
        """A new label."""
        self.names += 1
        return f"b{self.names}"

    def begin_block(self, label: str) -> None:
        """What follows is come to by this label."""
        self.out.append(f"{label}:")

    def keep(self, slot: str, type_: str, first: str | None = None) -> None:
        """A place for a value."""
        self.heads.append(f"  {slot} = alloca {type_}")
        if first:
            self.heads.append(f"  store {type_} {first}, ptr {slot}")

    def push(self, type_: str, text: str) -> None:
        """Leave a value."""
        self.stack.append(Operand(type_, text))

    def pop(self, type_: str) -> str:
        """The value that was left last, as this type."""
        return self.made(self.stack.pop(), type_)

    def made(self, value: Operand, type_: str) -> str:
        """A value as a name or a number of this type."""
        text = value.text
        if value.parts is not None:
            text = str(value.number) if value.number or not value.parts else ""
            for part, scale in value.parts:
                part = part if scale == 1 else self.new(f"mul nsw i64 {part}, {scale}")
                text = self.new(f"add nsw i64 {part}, {text}") if text else part
        return text if value.type == type_ else self.new(PUT[value.type].format(text))

    def number_of(self, value: Operand) -> Operand:
        """A truth as 0 or 1."""
        return Operand("i64", self.made(value, "i64")) if value.type == "i1" else value

    def pointer(self, value: Operand, offset: int = 0) -> str:
        """An address as a pointer: from the beginning of the memory step by step."""
        parts, number = value.sum()
        at = f"inttoptr (i64 {self.begin} to ptr)"
        for part, scale in sorted(parts, key=lambda part: part[1]):
            at = self.new(f"getelementptr [{scale} x i8], ptr {at}, i64 {part}")
        return self.new(f"getelementptr i8, ptr {at}, i64 {number + offset}")

    def break_off(self, why: str, test: str) -> None:
        """Break off for this reason, if so."""
        on = self.label()
        self.write(f"store i32 {why}, ptr %why")
        self.write(f"br i1 {test}, label %broken, label %{on}, !prof !1")
        self.begin_block(on)

    def go(self, block: Block) -> None:
        """Leave what the block leaves, and go to where it goes on."""
        if block.code != wasm.LOOP:
            for (slot, type_), value in zip(block.left[::-1], self.stack[::-1], strict=False):
                self.write(f"store {type_} {self.made(value, type_)}, ptr {slot}")
        self.write(f"br label %{block.label}")

    # Instructions

    def instruction_text(self) -> None:
        """The next instruction."""
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
                line, type_, found = ONE[key]
                self.push(found, self.new(line.format(self.pop(type_))))
            case _ if code in TWO:
                line, type_, found = TWO[code]
                other, one = self.pop(type_), self.pop(type_)
                self.push(found, self.new(line.format(one, other)))
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
        """What is never come to."""
        if code in (wasm.BLOCK, wasm.LOOP, wasm.IF):
            self.take(1)
            self.skipped += 1
        elif code == wasm.END and self.skipped:
            self.skipped -= 1
        elif code == wasm.END:
            self.close()
        elif code == wasm.ELSE:
            self.other_half() if not self.skipped else None
        elif code == wasm.CONST_F64:
            self.take(8)
        else:
            long = wasm.uleb(self.number()) if code == wasm.COPY[0] else b""
            for _ in range(OPERANDS.get(bytes([code]) + long, 0)):
                self.number()

    def open(self, code: int) -> None:
        """Begin a block."""
        (kind,) = self.take(1)
        left = []
        if kind != wasm.VOID:
            left = [(f"%s{self.label()}", TYPES[kind])]
            self.keep(*left[0])
        if code == wasm.IF and self.data.startswith(TOLD, self.at):  # an index beyond its row
            self.take(len(TOLD) + 1)
            self.break_off(str(UNREACHABLE + self.number(signed=True)), self.pop("i1"))
            self.take(5)  # it is put there, and that is the end
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
        """`else`."""
        block = self.blocks.pop()
        self.go(block) if not self.is_dead else None
        self.is_dead = False
        del self.stack[block.height :]
        self.begin_block(block.other)
        self.blocks.append(block._replace(other=""))

    def close(self) -> None:
        """End a block; the last one is that of the function, whose end is written by itself."""
        block = self.blocks.pop()
        if block.code == wasm.LOOP:  # ours leave nothing, and are left by a jump or by falling out
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
        """Call a function; where that may be a circle, only while there is room on the stack, and not as a loop."""
        given, found = self.shapes[place]
        values = [self.pop(type_) for type_ in given[::-1]][::-1]
        how = "call"
        if place <= self.place:
            how = "notail call"
            frame = self.new("call ptr @llvm.frameaddress.p0(i32 0)")
            self.break_off(str(EXHAUSTED), self.new(f"icmp ult ptr {frame}, %floor"))
        words = [f"{type_} {value}" for type_, value in zip(given, values, strict=True)]
        type_ = several(found)
        result = self.new(f"{how} fastcc {type_} @f{place}({', '.join([*words, 'ptr %floor'])})")
        why = self.new(f"extractvalue {type_} {result}, {len(found)}")
        self.break_off(why, self.new(f"icmp ne i32 {why}, 0"))
        for number, kind in enumerate(found):
            self.push(kind, self.new(f"extractvalue {type_} {result}, {number}"))

    def reckon_address(self, code: int) -> None:
        """Sums of addresses, and what is added to them."""
        other, one = self.number_of(self.stack.pop()), self.number_of(self.stack.pop())
        if code == wasm.ADD32:
            self.stack.append(one.plus(other))
        elif code == wasm.SUB32:
            self.stack.append(one.plus(other.times(-1)))
        else:
            self.stack.append(one.times(1 << other.number if code == wasm.SHL32 else other.number))

    def divide(self, code: int) -> None:
        """A division breaks off where there is no result."""
        by, one = self.pop("i64"), self.pop("i64")
        if by.startswith("%"):
            self.break_off(str(ZERO), self.new(f"icmp eq i64 {by}, 0"))
            if code == wasm.DIV_S:
                ends = self.new(f"icmp eq i64 {by}, -1"), self.new(f"icmp eq i64 {one}, {-(1 << 63)}")
                self.break_off(str(OVERFLOW), self.new(f"and i1 {ends[0]}, {ends[1]}"))
            elif code == wasm.REM_S:  # by -1 nothing is left, and this processor would break off
                by = self.new(f"select i1 {self.new(f'icmp eq i64 {by}, -1')}, i64 1, i64 {by}")
        self.push("i64", self.new(f"{DIVISIONS[code]} i64 {one}, {by}"))

    def access(self, code: int) -> None:
        """Load or store a number."""
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
        if number + offset == -8 or all(scale > 1 for _, scale in parts):  # lengths and constants never change
            how += ", !invariant.load !0"
        text = self.new(f"load {type_}, ptr {self.pointer(at, offset)}, {how}")
        self.push(wide, self.new(f"sext i8 {text} to i64") if type_ == "i8" else text)

    def long(self, code: int | bytes) -> None:
        """What is done with many bytes."""
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


def several(found: list[str]) -> str:
    """The type of what a function gives, and of why it breaks off."""
    return "{ " + ", ".join([*found, "i32"]) + " }"


def zero(type_: str) -> str:
    """Nothing, of this type."""
    return "0" if type_ == "i64" else "0.0"
