"""Rows of numbers that NumPy and WebAssembly both see, and where they lie."""

import ctypes
import threading
import weakref
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

PAGE = 1 << 16
LINE = 128  # bytes: what two threads write to must not lie on one line of their caches
MOST = 1 << 32
CONSTANTS = 1 << 17  # bytes: more than any module needs for its constants


class MemoryRow(np.ndarray[Any, Any]):
    """Numbers that lie where compiled rules see them; of a part of them the address is not known."""

    address: int | None = None
    kind = ""


class Host(Protocol):
    """What runs WebAssembly."""

    begin: int  # where its memory lies in this process
    is_shared: bool  # whether threads share the memory
    unroll: int  # up to how many bytes loops are written out

    def room(self, size: int) -> tuple[Any, int]:
        """So many bytes of zeros with a free line before them: as a buffer, and their address."""
        ...

    def constants(self, words: str) -> int:
        """The address of room for CONSTANTS bytes that stay, for a module which these words tell from others."""
        ...

    def compiled(self, binary: bytes) -> Any:
        """A module."""
        ...

    def started(self, module: Any) -> Callable[[int], None]:
        """What it exports, in this thread: called with the address of its arguments."""
        ...


class Broken(Exception):
    """A module broke off, and why."""


class Memory:
    """A memory from which rooms are handed out and taken back.

    `grow` makes it as long as it is told, and `begin` is where it lies in this process, which never changes.
    """

    def __init__(self, begin: int, grow: Callable[[int], None], first: int) -> None:
        self.begin, self._grow, self._top, self._size = begin, grow, first, first
        self._free: dict[int, list[int]] = {}
        self._lock = threading.Lock()

    def room(self, size: int) -> tuple[Any, int]:
        """So many bytes of zeros with a free line before them; once nobody looks at them, they are free again."""
        whole = rounded(size + LINE)
        try:
            at = self._free.setdefault(whole, []).pop()  # another thread, or the end of a row, may come between
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
                raise MemoryError("compiled rules have 4 GB for all their rows, and that is not enough")
            if self._top > self._size:
                self._size = min(-(-self._top * 9 // 8 // PAGE) * PAGE, MOST)
                self._grow(self._size)
        return at

    def _take_back(self, whole: int, at: int) -> None:
        self._free.setdefault(whole, []).append(at)


def rounded(size: int) -> int:
    """A size of which there are few others, so that what is taken back is of use for something else."""
    size = -(-size // LINE)
    step = 1 << max(size.bit_length() - 3, 0)
    return -(-size // step) * step * LINE
