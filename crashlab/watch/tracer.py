"""The trace function, the exception that stops the program, and the copy of its output."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

HOLDERS = 4  # references to a copy of the variables: the call, this and the previous tracer, getrefcount
KEEPS_COPY = sys.version_info < (3, 13)  # whether Python copies the variables for a trace function


class Stop(BaseException):
    """The exception that stops the program; it is raised again at the next line if the program swallows it."""

    def __init__(self, again: Callable[[], object]) -> None:
        super().__init__()
        self.again = again

    def __del__(self) -> None:
        self.again()


class Echo:
    """An output stream that also passes the printed text to a callback."""

    def __init__(self, out: Any, tell: Callable[[str], object]) -> None:
        self._out, self._tell = out, tell

    def write(self, text: str) -> Any:
        self._tell(text)
        return self._out.write(text)

    def writelines(self, texts: Iterable[str]) -> None:
        for text in texts:
            self.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


def trace_steps(frame: FrameType, is_wanted: bool) -> None:
    """Start or stop tracing each bytecode instruction of a call.

    Python 3.12 applies the change only when a trace function is set, and only in the call that sets it.
    """
    frame.f_trace_opcodes = is_wanted
    if sys.version_info[:2] == (3, 12):
        sys._getframe().f_trace_opcodes = True
        sys.settrace(sys.gettrace())


class Tracer:
    """The trace function for the next event of a call.

    Up to Python 3.12, a trace function makes Python copy the variables of the call and write them back afterwards. Each
    event has its own tracer: Python deletes the previous tracer after writing back, and the deleted tracer empties its
    copy, so that the copy keeps no objects alive. A copy that the program also uses is left unchanged.
    """

    __slots__ = ("copy", "trace")

    def __init__(self, trace: Callable[[FrameType, str, Any], bool]) -> None:
        self.trace = trace
        self.copy: Any = None

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Tracer | None:
        if not self.trace(frame, event, arg):
            self.copy = None  # not written back yet when this tracer is deleted
            frame.f_trace = None
            return None
        following = Tracer(self.trace)
        following.hold(frame)
        return following

    def hold(self, frame: FrameType) -> None:
        """Update the copy of the variables, because Python writes it back."""
        if KEEPS_COPY and frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            self.copy = frame.f_locals

    def __del__(self) -> None:
        if self.copy is not None and sys.getrefcount(self.copy) <= HOLDERS:
            self.copy.clear()
