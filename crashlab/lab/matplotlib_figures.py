"""Figures of a running cell stay open while widgets send messages.

A kernel treats a widget's message like a small cell: `pre_execute` and `post_execute` are triggered round it, while a
cell is running in another thread. Matplotlib's inline backend shows and closes every figure at `post_execute`, also one
that the cell has only begun, which then comes out blank. So while a cell is running, the end of a message is not told.
Nor do a cell and a message show figures at the same time: two threads that draw one figure spoil it.
"""

import threading
from typing import Any, cast

from IPython import get_ipython


def keep_open() -> None:
    """Let only the end of a cell close the figures of a cell, from now on in this kernel."""
    shell = get_ipython()
    if shell is not None and not isinstance(shell.events.trigger, Trigger):
        shell.events.trigger = Trigger(shell.events.trigger)


class Trigger:
    """Triggers IPython's events, but not the end of a message while a cell is running."""

    def __init__(self, trigger: Any) -> None:
        self._trigger = trigger
        self._here = threading.local()  # .open: what has begun in this thread, whether it is a cell
        self._cells = 0  # are running, or showing their figures
        self._lock = threading.RLock()

    def __call__(self, event: str, *arguments: Any, **named: Any) -> None:
        """Tell everybody who waits for this event."""
        if event == "pre_execute":
            self._open.append(False)
        elif event == "pre_run_cell" and self._open and not self._open[-1]:
            self._open[-1] = True
            self._count(1)
        if event == "post_execute":
            self._end(event, *arguments, **named)
        else:
            self._trigger(event, *arguments, **named)

    @property
    def _open(self) -> list[bool]:
        return cast("list[bool]", self._here.__dict__.setdefault("open", []))

    def _end(self, *event: Any, **named: Any) -> None:
        """Tell the end of what began last in this thread, unless it is a message and a cell is running."""
        if self._open and self._open.pop():
            try:
                self._trigger(*event, **named)
            finally:
                self._count(-1)
        else:
            with self._lock:  # a cell that begins waits for this
                if self._cells == 0:
                    self._trigger(*event, **named)

    def _count(self, more: int) -> None:
        with self._lock:
            self._cells += more
