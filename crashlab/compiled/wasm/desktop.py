"""WebAssembly run by wasmtime, which compiles in hundredths of a second and runs without the GIL."""

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

ROWS = CONSTANTS << 8  # address of the first row, after the places for constants; the first place stays free


def let_go(resource: Any, is_ending: Callable[[], bool] = sys.is_finalizing) -> None:
    """Free an object of wasmtime, except at the exit of Python, when the library may be gone already."""
    if not is_ending():
        resource.close()


Managed.__del__ = let_go  # type: ignore[method-assign]


@cache
def engine() -> Any:
    """Return the wasmtime engine that all compiled backends share."""
    config = wasmtime.Config()
    config.wasm_threads = True
    config.shared_memory = True
    return wasmtime.Engine(config)


class Desktop:
    """The wasmtime engine, with one memory shared by all threads; implements `memory.Host`."""

    is_shared, unroll = True, 3000

    def __init__(self) -> None:
        limits = wasmtime.Limits(ROWS // PAGE, MOST // PAGE)
        try:
            self._memory = Shared(engine(), wasmtime.MemoryType(limits, shared=True))
        except wasmtime.WasmtimeError:
            raise CrashlabError(
                f"compiled rules need {MOST >> 30} GB of address space, more than is available"
            ) from None
        self.begin = ctypes.addressof(self._memory.data_ptr().contents)
        self.room = Memory(self.begin, self._grow, ROWS).room
        self._taken = {0}

    def _grow(self, size: int) -> None:
        more = size - self._memory.data_len()
        if more > 0:
            self._memory.grow(-(-more // PAGE))

    def constants(self, words: str) -> int:
        """Reserve CONSTANTS bytes for the module named by `words`, and return their address.

        The address is usually the same in every process, since cached modules contain it.
        """
        places = ROWS // CONSTANTS
        require(len(self._taken) != places, f"these rules have {places} compiled modules already and cannot have more")
        place = crc32(words.encode()) % places
        while place in self._taken:
            place = (place + 1) % places
        self._taken.add(place)
        return place * CONSTANTS

    def compiled(self, binary: bytes) -> Any:
        return wasmtime.Module(engine(), binary)

    def started(self, module: Any) -> Callable[[int], None]:
        """Return the function that a module exports, for this thread."""
        store = wasmtime.Store(engine())
        run: Any = wasmtime.Instance(store, module, [self._memory]).exports(store)["run"]
        return quick_call(store, run)


def quick_call(store: Any, run: Any) -> Callable[[int], None]:
    """Return a direct call of an exported function, 20 times as fast as the library's call, which checks types."""
    raw = (ffi.wasmtime_val_raw_t * 1)()
    function = ctypes.byref(run._func)

    def call(address: int) -> None:
        context = store._context()  # must outlive the call
        raw[0].i32 = address
        trap = ctypes.POINTER(ffi.wasm_trap_t)()
        if error := ffi.wasmtime_func_call_unchecked(context, function, raw, 1, ctypes.byref(trap)):
            raise wasmtime.WasmtimeError._from_ptr(error)
        if trap:
            raise Broken(wasmtime.Trap._from_ptr(trap).message.strip().rpartition("wasm trap: ")[2])

    return call


class Shared(wasmtime.SharedMemory):
    """A shared memory that is passed by value, as the library requires; wasmtime 50 passes a pointer to it."""

    def _as_extern(self) -> Any:
        union = ffi.wasmtime_extern_union(sharedmemory=self.ptr())
        return ffi.wasmtime_extern_t(ffi.WASMTIME_EXTERN_SHAREDMEMORY, union)
