"""The binary format of WebAssembly: codes of types and instructions, encoding of numbers and sections."""

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

I32, I64, F64, VOID, VECTOR = 0x7F, 0x7E, 0x7C, 0x40, 0x7B

UNREACHABLE, BLOCK, LOOP, IF, ELSE, END = 0, 2, 3, 4, 5, 0x0B
BR, BR_IF, CALL, DROP, SELECT = 0x0C, 0x0D, 0x10, 0x1A, 0x1B
GET, SET, TEE = 0x20, 0x21, 0x22
LOAD8_S, STORE8, LOAD32, LOAD64, LOAD_F64, STORE64, STORE_F64 = 0x30, 0x3C, 0x28, 0x29, 0x2B, 0x37, 0x39
CONST32, CONST64, CONST_F64 = 0x41, 0x42, 0x44
EQZ32, EQ32, NE32, EQZ64, EQ64, NE64, EQ_F64 = 0x45, 0x46, 0x47, 0x50, 0x51, 0x52, 0x61
ADD32, SUB32, MUL32, AND32, OR32, XOR32, SHL32 = 0x6A, 0x6B, 0x6C, 0x71, 0x72, 0x73, 0x74
ADD64, SUB64, MUL64, DIV_S, DIV_U, REM_S, REM_U, AND64, OR64, XOR64, SHL64, SHR_S, SHR_U = range(0x7C, 0x89)
ABS_F64, NEG_F64, ADD_F64, SUB_F64, MUL_F64, DIV_F64 = 0x99, 0x9A, 0xA0, 0xA1, 0xA2, 0xA3
WRAP, EXTEND_U, FLOAT_B, FLOAT_I, FLOAT_U = 0xA7, 0xAD, 0xB8, 0xB9, 0xBA
# Instructions for vectors of two 64-bit numbers.
LOAD_V, CONST_V, SHUFFLE, SPLAT_F64 = (bytes([0xFD, code]) for code in (0, 12, 13, 0x14))
GT_V, OR_V, XOR_V, CHOOSE_V, ANY_V = (bytes([0xFD, code]) for code in (0x4A, 0x50, 0x51, 0x52, 0x53))
SPLAT_I64, LANE_I64, LANE_F64 = (bytes([0xFD, code]) for code in (0x12, 0x1D, 0x21))
ADD_V, MUL_V, ADD_I_V = bytes([0xFD, 0xF0, 1]), bytes([0xFD, 0xF2, 1]), bytes([0xFD, 0xCE, 1])
TRUNCATE, COPY, FILL = bytes([0xFC, 6]), bytes([0xFC, 10, 0, 0]), bytes([0xFC, 11, 0])

WHOLE = {
    ast.Add: ADD64,
    ast.Sub: SUB64,
    ast.Mult: MUL64,
    ast.BitAnd: AND64,
    ast.BitOr: OR64,
    ast.BitXor: XOR64,
    ast.LShift: SHL64,
}
LOGIC = {ast.BitAnd: AND32, ast.BitOr: OR32, ast.BitXor: XOR32}
FLOATING = {ast.Add: ADD_F64, ast.Sub: SUB_F64, ast.Mult: MUL_F64, ast.Div: DIV_F64}
SIGNED = {ast.Eq: 0x51, ast.NotEq: 0x52, ast.Lt: 0x53, ast.Gt: 0x55, ast.LtE: 0x57, ast.GtE: 0x59}
UNSIGNED = {ast.Eq: 0x51, ast.NotEq: 0x52, ast.Lt: 0x54, ast.Gt: 0x56, ast.LtE: 0x58, ast.GtE: 0x5A}
FRACTIONS = {ast.Eq: 0x61, ast.NotEq: 0x62, ast.Lt: 0x63, ast.Gt: 0x64, ast.LtE: 0x65, ast.GtE: 0x66}


def leb(number: int) -> bytes:
    """Encode a signed number."""
    out = bytearray()
    while not -64 <= number < 64:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number & 127)
    return bytes(out)


def uleb(number: int) -> bytes:
    """Encode an unsigned number."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def vector(parts: Iterable[bytes]) -> bytes:
    """Encode a sequence: the number of its parts, then the parts."""
    listed = list(parts)
    return uleb(len(listed)) + b"".join(listed)


def name(text: str) -> bytes:
    """Encode a name: its length, then its bytes."""
    return uleb(len(text.encode())) + text.encode()


def section(number: int, content: bytes) -> bytes:
    """Encode a section of a module."""
    return bytes([number]) + uleb(len(content)) + content


def whole(number: int) -> bytes:
    """Return the instruction that pushes a 64-bit integer."""
    return bytes([CONST64]) + leb(number - (1 << 64) if number >> 63 > 0 else number)


def address(number: int) -> bytes:
    """Return the instruction that pushes an address or a distance in bytes."""
    return bytes([CONST32]) + leb(number)


def load(row: str, offset: int) -> bytes:
    """Return the instruction that replaces an address by the number at address + offset in a row of this kind."""
    code = (LOAD8_S, 0) if row == "bytes" else (LOAD_F64 if row.startswith("frow") else LOAD64, 3)
    return bytes(code) + uleb(offset)


def store(row: str, offset: int) -> bytes:
    """Return the instruction that pops a number and an address, and stores the number at address + offset."""
    code = (STORE8, 0) if row == "bytes" else (STORE_F64 if row.startswith("frow") else STORE64, 3)
    return bytes(code) + uleb(offset)


class Local(int):
    """The index of a local; as an instruction it pushes the local's value."""

    @property
    def set(self) -> bytes:
        """The instruction that pops the top value into the local."""
        return bytes([SET]) + uleb(self)

    @property
    def tee(self) -> bytes:
        """The instruction that copies the top value to the local without popping it."""
        return bytes([TEE]) + uleb(self)


class CodeWriter:
    """A writer of a function's instructions, with its locals and the depth of its blocks."""

    def __init__(self, params: list[int | None]) -> None:
        self.out, self.depth, self.params = bytearray(), 0, params
        self.locals: list[int] = []

    def op(self, *codes: int | bytes) -> None:
        """Write instructions and their operands; a Local pushes its value."""
        for code in codes:
            if isinstance(code, Local):
                self.out.append(GET)
                code = uleb(code)
            self.out += code if isinstance(code, bytes) else bytes([code])

    def local(self, kind: int | None) -> Local:
        """Create a local of this type (i64 if None), and return its index."""
        self.locals.append(kind or I64)
        return Local(len(self.params) + len(self.locals) - 1)

    def keep(self, kind: int | None) -> Local:
        """Pop the top value into a new local."""
        place = self.local(kind)
        self.op(place.set)
        return place

    @contextmanager
    def inside(self, code: int, kind: int | None = VOID) -> Iterator[int]:
        """Write a block, a loop or an `if` around the code of the context, and yield its label."""
        self.op(code, VOID if kind is None else kind)
        self.depth += 1
        yield self.depth
        self.out.append(END)
        self.depth -= 1

    def br(self, label: int, code: int = BR) -> None:
        """Write a jump to a label; `code` may be BR_IF."""
        self.op(code, uleb(self.depth - label))


class Reader:
    """A reader of the bytes of a module, with the current position."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 8

    def take(self, count: int) -> bytes:
        """Read the next `count` bytes."""
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, signed: bool = False) -> int:
        """Read a number encoded by `uleb`, or by `leb` if it is signed."""
        number, shift = 0, 0
        while True:
            (byte,) = self.take(1)
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number - (1 << shift) if signed and byte & 64 else number

    def items(self, read: Callable[[], T]) -> list[T]:
        """Read a count, call `read` that many times, and return the results."""
        return [read() for _ in range(self.number())]
