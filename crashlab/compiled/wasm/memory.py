"""Arrays of numbers shared by NumPy and WebAssembly, and the allocation of their memory."""

import ctypes
import threading
import weakref
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

PAGE = 1 << 16
LINE = 128  # bytes of a cache line, which the data of two threads must not share
MOST = 1 << 32
CONSTANTS = 1 << 17  # bytes for the constants of a module, more than any needs


class MemoryRow(np.ndarray[Any, Any]):
    """An array in the memory of compiled rules; slices of it have no `address`."""

    address: int | None = None
    kind = ""


class Host(Protocol):
    """An engine that runs WebAssembly."""

    begin: int  # the address of the engine's memory in this process
    is_shared: bool  # whether threads share the memory
    unroll: int  # most bytes of an unrolled loop

    def room(self, size: int) -> tuple[Any, int]:
        """Allocate `size` zero bytes after an unused cache line; return a buffer and its address."""
        ...

    def constants(self, words: str) -> int:
        """Reserve CONSTANTS bytes for the module named by `words`, and return their address."""
        ...

    def compiled(self, binary: bytes) -> Any:
        """Compile a module."""
        ...

    def started(self, module: Any) -> Callable[[int], None]:
        """Return the function that a module exports, for this thread; it takes the address of its arguments."""
        ...


class Broken(Exception):
    """The error of a module that trapped, with its reason."""


class Memory:
    """A memory that allocates and frees blocks.

    `grow` sets its length in bytes, and `begin` is its address in this process, which never changes.
    """

    def __init__(self, begin: int, grow: Callable[[int], None], first: int) -> None:
        self.begin, self._grow, self._top, self._size = begin, grow, first, first
        self._free: dict[int, list[int]] = {}
        self._lock = threading.Lock()

    def room(self, size: int) -> tuple[Any, int]:
        """Allocate `size` zero bytes after an unused cache line; return a buffer and its address.

        The bytes are freed when the buffer is garbage-collected.
        """
        whole = rounded(size + LINE)
        try:
            # pop is atomic: other threads and finalizers may change the list
            at = self._free.setdefault(whole, []).pop()
        except IndexError:
            at = self._more(whole)
        else:
            ctypes.memset(self.begin + at, 0, size)
        buffer = (ctypes.c_char * max(size, 1)).from_address(self.begin + at)
        weakref.finalize(buffer, self._take_back, whole, at).atexit = False
        return buffer, at

    def _more(self, whole: int) -> int:
        with self._lock:
            at, self._top = self._top + LINE, self._top + whole
            if self._top > MOST - PAGE:
                raise MemoryError("the rows of the compiled rules need more than 4 GB")
            if self._top > self._size:
                self._size = min(-(-self._top * 9 // 8 // PAGE) * PAGE, MOST)
                self._grow(self._size)
        return at

    def _take_back(self, whole: int, at: int) -> None:
        self._free.setdefault(whole, []).append(at)


def rounded(size: int) -> int:
    """Round a size up to one of a few sizes, so that freed blocks can be reused."""
    size = -(-size // LINE)
    step = 1 << max(size.bit_length() - 3, 0)
    return -(-size // step) * step * LINE
