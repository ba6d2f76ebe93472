"""WebAssembly run by wasmtime: it compiles in hundredths of a second, and runs without the interpreter's lock."""

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from typing import Any
from zlib import crc32

import wasmtime
from wasmtime import _ffi as ffi
from wasmtime._managed import Managed

from crashlab.base.errors import CrashlabError, require
from crashlab.compiled.wasm.memory import CONSTANTS, MOST, PAGE, Broken, Memory

ROWS = CONSTANTS << 8  # where rows begin, behind the places of constants; the first place is free


def let_go(held: Any, is_ending: Callable[[], bool] = sys.is_finalizing) -> None:
    """Delete what nobody needs any more, but not when Python ends: what it takes to delete it may be gone by then."""
    if not is_ending():
        held.close()


Managed.__del__ = let_go  # type: ignore[method-assign]


@cache
def engine() -> Any:
    """What compiles modules, for all bodies."""
    config = wasmtime.Config()
    config.wasm_threads = True
    config.shared_memory = True
    return wasmtime.Engine(config)


class Desktop:
    """wasmtime, with one memory that all threads share."""

    is_shared, unroll = True, 3000

    def __init__(self) -> None:
        limits = wasmtime.Limits(ROWS // PAGE, MOST // PAGE)
        try:
            self._memory = Shared(engine(), wasmtime.MemoryType(limits, shared=True))
        except wasmtime.WasmtimeError:
            raise CrashlabError(f"compiled rules need {MOST >> 30} GB of address space, which are not free") from None
        self.begin = ctypes.addressof(self._memory.data_ptr().contents)
        self.room = Memory(self.begin, self._grow, ROWS).room
        self._taken = {0}

    def _grow(self, size: int) -> None:
        more = size - self._memory.data_len()
        if more > 0:
            self._memory.grow(-(-more // PAGE))

    def constants(self, words: str) -> int:
        """The address of room for constants: usually the same for the same module, which is kept with it."""
        places = ROWS // CONSTANTS
        require(len(self._taken) != places, f"of these rules there are {places} modules already")
        place = crc32(words.encode()) % places
        while place in self._taken:
            place = (place + 1) % places
        self._taken.add(place)
        return place * CONSTANTS

    def compiled(self, binary: bytes) -> Any:
        """A module."""
        return wasmtime.Module(engine(), binary)

    def started(self, module: Any) -> Callable[[int], None]:
        """What it exports, in this thread."""
        store = wasmtime.Store(engine())
        run: Any = wasmtime.Instance(store, module, [self._memory]).exports(store)["run"]
        return quick_call(store, run)


def quick_call(store: Any, run: Any) -> Callable[[int], None]:
    """A function of one address, called as C does: the library looks at types anew for each call, 20 times as long."""
    raw = (ffi.wasmtime_val_raw_t * 1)()
    function = ctypes.byref(run._func)

    def call(address: int) -> None:
        context = store._context()  # which must not end before
        raw[0].i32 = address
        trap = ctypes.POINTER(ffi.wasm_trap_t)()
        if error := ffi.wasmtime_func_call_unchecked(context, function, raw, 1, ctypes.byref(trap)):
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            raise Broken(wasmtime.Trap._from_ptr(trap).message.strip().rpartition("wasm trap: ")[2])

    return call


class Shared(wasmtime.SharedMemory):
    """A memory that threads share, handed over as the library means it; wasmtime 50 hands over a pointer to that."""

    def _as_extern(self) -> Any:
        union = ffi.wasmtime_extern_union(sharedmemory=self.ptr())
        return ffi.wasmtime_extern_t(ffi.WASMTIME_EXTERN_SHAREDMEMORY, union)
