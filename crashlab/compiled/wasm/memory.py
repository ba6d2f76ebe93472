"""The memory that compiled rules share with Python: rows of numbers that NumPy and WebAssembly both see."""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from crashlab.happen import NOWHERE

PAGE = 1 << 16
LINE = 128  # bytes: what two threads write to must not lie on one line of their caches
MOST = 1 << 32
CONSTANTS = 1024  # where the constants of modules begin; before them lie a few numbers of their own


class Row(np.ndarray[Any, Any]):
    """Numbers that lie in the memory of compiled rules; of a part of them the address is not known."""

    address: int | None = None
    kind = ""


class Memory:
    """A memory in which rows are handed out and taken back.

    `grow` makes it as long as it is told, and `begin` is where it lies in this process, which never changes. Before
    each row stands how long it is.
    """

    def __init__(self, begin: int, grow: Callable[[int], None], first: int) -> None:
        self.begin, self._grow, self._top, self._size = begin, grow, first, 0
        self._free: dict[int, list[int]] = {}
        self._lock = threading.Lock()

    def row(self, count: int, kind: str, dtype: Any, length: int | None = None) -> Row:
        """A row of zeros; `length` is what stands before it, where that is not how many numbers it has."""
        width = np.dtype(dtype).itemsize
        at, size = self.room(width * count)
        buffer = (ctypes.c_char * max(width * count, 1)).from_address(self.begin + at)
        weakref.finalize(buffer, self.take_back, size, at).atexit = False
        row = np.frombuffer(buffer, dtype=dtype, count=count).view(Row)
        row.address, row.kind = at, kind
        ctypes.c_int64.from_address(self.begin + at - 8).value = count if length is None else length
        return row

    def take_back(self, size: int, at: int) -> None:
        """What was handed out is free again."""
        self._free.setdefault(size, []).append(at)

    def address(self, array: np.ndarray[Any, Any]) -> int:
        """Where an array lies in this memory, in one piece and behind its length; NOWHERE if it does not."""
        at = int(array.__array_interface__["data"][0]) - self.begin
        if not LINE <= at < self._size or not array.flags.c_contiguous:
            return NOWHERE
        return at if ctypes.c_int64.from_address(self.begin + at - 8).value == array.size else NOWHERE

    def room(self, size: int) -> tuple[int, int]:
        """So many bytes of zeros behind a line that is free, too; where they begin, and how many there are in all."""
        whole = rounded(size + LINE)
        try:
            at = self._free.setdefault(whole, []).pop()  # another thread, or the end of a row, may come between
        except IndexError:
            with self._lock:
                at, self._top = self._top + LINE, self._top + whole
                if self._top > MOST - PAGE:
                    raise MemoryError("compiled rules have 4 GB for all their rows, and that is not enough") from None
                if self._top > self._size:
                    self._size = min(-(-self._top * 9 // 8 // PAGE) * PAGE, MOST)
                    self._grow(self._size)
        else:
            ctypes.memset(self.begin + at, 0, size)
        return at, whole


def rounded(size: int) -> int:
    """A size of which there are few others, so that what is taken back is of use for something else."""
    size = -(-size // LINE)
    step = 1 << max(size.bit_length() - 3, 0)
    return -(-size // step) * step * LINE
