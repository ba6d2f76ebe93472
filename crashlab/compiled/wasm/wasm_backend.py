"""The compiled backend of a game's rules: WebAssembly, on a desktop and in a browser.

A module is emitted at a function's first call with each combination of kinds of arguments, and cached on disk. All
modules of a backend share one memory, which contains the rows passed to them.
"""

import ctypes
import math
import struct
import threading
import time
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from crashlab.base.errors import IN_BROWSER, CrashlabError, require
from crashlab.compiled.wasm import module_cache
from crashlab.compiled.wasm.emit_module import Module
from crashlab.compiled.wasm.emit_rows import FAULT
from crashlab.compiled.wasm.memory import CONSTANTS, Broken, Host, MemoryRow
from crashlab.compiled.wasm.second_gear import TieredFunction, has_llvm, is_forced
from crashlab.engine.table import NOWHERE, Table

Function = Callable[..., Any]
NUMBERS = {
    np.dtype(np.int64): "row",
    np.dtype(np.uint64): "urow",
    np.dtype(np.float64): "frow",
    np.dtype(np.int8): "bytes",
}
MOST_ARGUMENTS = 32


def host() -> Host:
    """Return a new engine for WebAssembly: the browser's or wasmtime."""
    if IN_BROWSER:
        from crashlab.compiled.wasm.browser import Browser

        return Browser()
    from crashlab.compiled.wasm.desktop import Desktop

    return Desktop()


class Compiled(NamedTuple):
    """A compiled function: its module, messages for bad indexes, its result's kind, and its compiler tiers or None."""

    module: Any
    faults: list[str]
    result: str
    gears: TieredFunction | None


class Running(threading.local):
    """The data of each thread: the functions it has called, and room for their arguments."""

    def __init__(self) -> None:
        self.functions: dict[Any, tuple[Any, str, Any, TieredFunction | None]] = {}
        self.arguments: MemoryRow | None = None


class Wasm:
    """The backend that runs the rules of a game, and functions bound to it, as WebAssembly."""

    is_compiled = True

    def __init__(self, rules: Any, table: type[Table], wary: bool = False, checked: bool = False) -> None:
        self.rules, self._table, self._wary, self._checked = rules, table, wary or checked, checked
        self._host = host()
        self.is_kept = module_cache.is_possible()
        self._modules: dict[Any, Compiled] = {}
        self._running = Running()
        self._lock = threading.RLock()
        self._bound: dict[Function, Function] = {}
        self._size = 8 * sum(table.ROWS.values())

    # Rows

    def row(self, size: int) -> Any:
        """Return a row of zeros."""
        return self._row(size, "row", np.int64)

    def _row(self, count: int, kind: str, dtype: Any, length: int | None = None) -> MemoryRow:
        """Return a row of zeros of this kind, with `length` (by default `count`) stored in the 8 bytes before it."""
        buffer, at = self._host.room(np.dtype(dtype).itemsize * count)
        row = np.frombuffer(buffer, dtype=dtype, count=count).view(MemoryRow)
        row.address, row.kind = at, kind
        ctypes.c_int64.from_address(self._host.begin + at - 8).value = count if length is None else length
        return row

    def _address(self, array: np.ndarray[Any, Any]) -> int:
        """Return the address of a contiguous array in our memory that is preceded by its length, else NOWHERE."""
        at = int(array.__array_interface__["data"][0]) - self._host.begin
        is_ours = isinstance(array, MemoryRow) and array.flags.c_contiguous
        return at if is_ours and ctypes.c_int64.from_address(self._host.begin + at - 8).value == array.size else NOWHERE

    def numbers(self, size: int) -> Any:
        """Return a row of zeros for floats."""
        return self._row(size, "frow", np.float64)

    def array(self, shape: tuple[int, ...], dtype: Any = np.int64) -> Any:
        """Return an array of zeros in the memory of compiled rules."""
        return self._row(math.prod(shape), NUMBERS[np.dtype(dtype)], dtype).reshape(shape)

    def luck(self, luck: int) -> Any:
        """Return a source of chance with this RNG state."""
        source = self._row(1, "urow", np.uint64)
        source[0] = luck
        return source

    def counter(self, size: int) -> Any:
        """Return a trace whose events `tally` can count."""
        return self._row(size, "counts", np.int64)

    def trace(self, capacity: int) -> Any:
        """Return a trace for `capacity` events; row 0 is (beat, number of events, 0 ...), the others are events."""
        flat = self._row(8 * (capacity + 1), "told", np.int64)
        flat[0] = 1
        return also(flat.reshape(-1, 8), flat, "told")

    def tables(self, tables: Iterable[Table]) -> Any:
        """Copy the tables to records of one array. The iterable may reuse one Table object for all tables."""
        numbers = np.fromiter(chain.from_iterable(row for table in tables for row in table.all_rows()), np.int64)
        count = len(numbers) * 8 // self._size
        flat = self._row(len(numbers), f"tables:{self._size}", np.int64, count)
        flat[:] = numbers
        return also(flat.view(record(self._table)), flat, flat.kind)

    def table(self, tables: Any, place: int) -> Table:
        """Return a record of an array as a table."""
        table = self._table()
        for name in table.NAMES:
            table.__dict__[name][:] = tables[name][place].tolist()
        return table

    def windows(self, numbers: Any) -> Any:
        """Return tables that are views of the beginnings of the rows of `numbers`."""
        steps = numbers.strides[:1]
        view = np.ndarray(len(numbers), record(self._table), buffer=numbers, strides=steps).view(MemoryRow)
        view.address, view.kind = self._address(numbers), f"windows:{numbers.strides[0]}"
        return view

    # Calls

    def bind(self, function: Function) -> Function:
        """Return a function bound to the rules. It is compiled at its first call with each combination of kinds."""
        if function not in self._bound:

            def call(*arguments: Any) -> Any:
                return self._call(function, arguments)

            self._bound[function] = call
        return self._bound[function]

    def _call(self, function: Function, arguments: tuple[Any, ...]) -> Any:
        running, kinds, values, lent = self._running, [], [], []
        for argument in chain.from_iterable(part if isinstance(part, tuple) else (part,) for part in arguments):
            if isinstance(argument, MemoryRow) and argument.address is not None:
                kinds.append(argument.kind)
                values.append(argument.address)
                continue
            kind, value, row = self._handed(argument)
            kinds.append(kind)
            values.append(value)
            if row is not None:
                lent.append((argument, row))
        key = function, *kinds
        if key not in running.functions:
            running.functions[key] = self._started(function, tuple(kinds))
        run, form, result, gears = running.functions[key]
        place = running.arguments
        if place is None:
            place = running.arguments = self._row(MOST_ARGUMENTS, "row", np.int64)
        struct.pack_into(form, place.data, 0, *values)
        start = time.perf_counter()
        try:
            if gears and gears.second:
                gears.second(place.address)
            else:
                run(place.address)
                if gears:
                    gears.has_run(time.perf_counter() - start)
        except Broken as error:
            raise self._broken(error, key) from None
        for argument, row in lent:
            argument[...] = row.reshape(argument.shape)
        return result(place)

    def _handed(self, argument: Any) -> tuple[str, Any, MemoryRow | None]:
        """Return an argument's kind, its value or address, and the copy of an array outside our memory, or None."""
        if argument is None:
            return "none", 0, None
        if isinstance(argument, float):
            return "f", argument, None
        if isinstance(argument, np.ndarray) and argument.dtype in NUMBERS:
            kind = NUMBERS[argument.dtype]
            if (at := self._address(argument)) != NOWHERE:
                return kind, at, None
            row = self._row(argument.size, kind, argument.dtype)
            row[:] = argument.reshape(-1)
            return kind, row.address, row
        if isinstance(argument, np.void):
            return "table", argument.__array_interface__["data"][0] - self._host.begin, None
        return "i", int(argument), None

    def _started(self, function: Function, kinds: tuple[str, ...]) -> tuple[Any, str, Any, TieredFunction | None]:
        """Return a function for this thread: its call, argument format, result reader and compiler tiers."""
        with self._lock:
            if (function, kinds) not in self._modules:
                self._modules[function, kinds] = self._compiled(function, kinds)
            compiled = self._modules[function, kinds]
        form = "=" + "".join("d" if kind == "f" else "q" for kind in kinds)
        return self._host.started(compiled.module), form, RESULTS[compiled.result], compiled.gears

    def _compiled(self, function: Function, kinds: tuple[str, ...]) -> Compiled:
        """Compile a function to a module, or load it from disk."""
        words = f"{function.__qualname__} {kinds}"
        base = self._host.constants(words)
        faults: list[str] = []

        def emit(base: int, wary: bool, checked: bool, **how: int) -> module_cache.Emitted:
            module = Module(self.rules, self._table, base, wary, checked, **how)
            binary = module.binary(function, kinds, self._host.is_shared)
            faults[:] = module.faults
            require(len(module.data) <= CONSTANTS, "the constants of these rules need too much room to be compiled")
            return module_cache.Emitted(binary, module.result)

        def first_gear() -> module_cache.Emitted:
            return emit(base, self._wary, self._checked, unroll=self._host.unroll)

        def key() -> str:
            return module_cache.fingerprint(self.rules, self._table, function, kinds, f"{base} {self._wary}")

        def second_gear() -> bytes:
            binary = emit(self._host.constants(words), False, True, inline=0, single=0, unroll=0).binary
            require(key() == fingerprint, "the rules have changed in the meantime")
            return binary

        if self._checked or not self._host.is_shared:
            emitted = first_gear()
            return Compiled(self._host.compiled(emitted.binary), faults, emitted.result, None)
        fingerprint = key()
        emitted = module_cache.load(fingerprint, first_gear)
        gears = TieredFunction(second_gear, self._host.begin) if has_llvm() and not self._wary else None
        if gears and is_forced():
            gears.shift()
        return Compiled(self._host.compiled(emitted.binary), faults, emitted.result, gears)

    def _broken(self, error: Broken, key: Any) -> Exception:
        """Return the exception for a trap: an IndexError with its place in the rules, or a CrashlabError."""
        place = ctypes.c_int64.from_address(self._host.begin + FAULT)
        number, place.value = place.value, 0
        if number:
            return IndexError(self._modules[key[0], key[1:]].faults[number - 1])
        return CrashlabError(f"the compiled rules stopped with an error: {error}")


def also(view: Any, row: Any, kind: str) -> MemoryRow:
    """Give a view of a row the row's address and the kind `kind`; return the view."""
    result: MemoryRow = view
    result.address, result.kind = row.address, kind
    return result


def record(kind: type[Table]) -> Any:
    """Return the NumPy dtype of a table's record."""
    return np.dtype([(name, np.int64, (size,)) for name, size in kind.ROWS.items()])


RESULTS: dict[str, Callable[[Any], Any]] = {
    "none": lambda place: None,
    "b": lambda place: bool(place[0]),
    "f": lambda place: float(place.view(np.float64)[0]),
    "n": lambda place: -1,
    "i": lambda place: int(place[0]),
    "u": lambda place: int(place[0]) & (1 << 64) - 1,
}
