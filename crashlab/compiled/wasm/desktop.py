"""WebAssembly run by wasmtime: it compiles in hundredths of a second, and runs without the interpreter's lock."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from crashlab.base.errors import CrashlabError
from crashlab.compiled.wasm.memory import LINE, MOST, PAGE, Broken, Memory

CONSTANTS, ROWS = 1024, 1 << 22  # where constants begin, and rows behind them


@cache
def engine() -> Any:
    """What compiles modules, for all bodies."""
    import wasmtime

    config = wasmtime.Config()
    config.wasm_threads = True
    config.shared_memory = True
    return wasmtime.Engine(config)


class Desktop:
    """wasmtime, with one memory that all threads share."""

    is_shared = True

    def __init__(self) -> None:
        import wasmtime

        self._memory = shared_memory(wasmtime)
        self.begin = ctypes.addressof(self._memory.data_ptr().contents)
        self.room = Memory(self.begin, self._grow, ROWS).room
        self._constants = CONSTANTS

    def _grow(self, size: int) -> None:
        more = size - self._memory.data_len()
        if more > 0:
            self._memory.grow(-(-more // PAGE))

    def constants(self, size: int) -> int:
        """The address of room for so many bytes that stay; of none, where the next ones will."""
        at = self._constants
        self._constants += -(-size // LINE) * LINE
        if self._constants > ROWS:
            raise CrashlabError("the constants of these rules need too much room to be compiled")
        return at

    def compiled(self, binary: bytes) -> Any:
        """A module."""
        import wasmtime

        return wasmtime.Module(engine(), binary)

    def started(self, module: Any) -> Callable[[int], None]:
        """What it exports, in this thread."""
        import wasmtime

        store = wasmtime.Store(engine())
        run: Any = wasmtime.Instance(store, module, [self._memory]).exports(store)["run"]

        def call(address: int) -> None:
            try:
                run(store, address)
            except wasmtime.Trap as trap:
                raise Broken(trap.message.strip().rpartition("wasm trap: ")[2]) from None

        return call


def shared_memory(wasmtime: Any) -> Any:
    """A memory that threads share."""
    from wasmtime import _ffi as ffi

    class Shared(wasmtime.SharedMemory):  # type: ignore[misc]
        """It is handed over as the library means it; wasmtime 50 hands over a pointer to what it should."""

        def _as_extern(self) -> Any:
            union = ffi.wasmtime_extern_union(sharedmemory=self.ptr())
            return ffi.wasmtime_extern_t(ffi.WASMTIME_EXTERN_SHAREDMEMORY, union)

    return Shared(engine(), wasmtime.MemoryType(wasmtime.Limits(ROWS // PAGE, MOST // PAGE), shared=True))
