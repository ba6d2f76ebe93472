"""Figures of a running cell stay open while widgets send messages.

A kernel treats a widget's message like a small cell: it triggers `pre_execute` and `post_execute` around it, while a
cell is running in another thread. Matplotlib's inline backend shows and closes every figure at `post_execute`, even an
unfinished figure of the cell, which is then blank. So the end of a message is not reported while a cell is running. A
cell and a message also never show figures at the same time, as two threads that draw one figure corrupt it.
"""

import threading
from typing import Any, cast

from IPython import get_ipython


def keep_open() -> None:
    """Let only the end of a cell close its figures, for the rest of this kernel."""
    shell = get_ipython()
    if shell is not None and not isinstance(shell.events.trigger, Trigger):
        shell.events.trigger = Trigger(shell.events.trigger)


class Trigger:
    """A trigger of IPython's events that leaves out the end of a message while a cell is running."""

    def __init__(self, trigger: Any) -> None:
        self._trigger = trigger
        self._here = threading.local()  # .open: for each execution in this thread, whether it is a cell
        self._cells = 0  # number of cells running or showing their figures
        self._lock = threading.RLock()

    def __call__(self, event: str, *arguments: Any, **named: Any) -> None:
        """Call all callbacks of this event."""
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
        """Report the end of the latest execution in this thread, unless it is a message during a cell."""
        if self._open and self._open.pop():
            try:
                self._trigger(*event, **named)
            finally:
                self._count(-1)
        else:
            with self._lock:  # a cell that starts now waits for this lock
                if self._cells == 0:
                    self._trigger(*event, **named)

    def _count(self, more: int) -> None:
        with self._lock:
            self._cells += more
