"""What Python calls while a program runs, what stops the program, and where it prints meanwhile."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

HOLDERS = 4  # of a copy of variables: the call, the tracer and the one before, and whoever counts them
KEEPS_COPY = sys.version_info < (3, 13)  # whether Python makes a copy of the variables for a tracer


class Stop(BaseException):
    """Enough is recorded. Where a program swallows it, it is raised again at the next line."""

    def __init__(self, again: Callable[[], object]) -> None:
        super().__init__()
        self.again = again

    def __del__(self) -> None:
        self.again()


class Echo:
    """Where the program prints, which also tells what is printed."""

    def __init__(self, out: Any, tell: Callable[[str], object]) -> None:
        self._out, self._tell = out, tell

    def write(self, text: str) -> Any:
        """Print, and tell it."""
        self._tell(text)
        return self._out.write(text)

    def writelines(self, texts: Iterable[str]) -> None:
        """Print several texts, and tell them."""
        for text in texts:
            self.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._out, name)


def trace_steps(frame: FrameType, is_wanted: bool) -> None:
    """Begin or end the tracing of every step of machine code in a call.

    Python 3.12 notices that only when it is given a tracer, and only in the call that does so.
    """
    frame.f_trace_opcodes = is_wanted
    if sys.version_info[:2] == (3, 12):
        sys._getframe().f_trace_opcodes = True
        sys.settrace(sys.gettrace())


class Tracer:
    """What Python calls at the next event in a call.

    Up to Python 3.12 a tracer makes Python copy the variables of the call, and write them back when it is through. Each
    event has a tracer of its own, because the one before is let go after that: then the copy is emptied, so that it
    keeps nothing alive. One that the program has asked for, too, stays as it is.
    """

    __slots__ = ("copy", "trace")

    def __init__(self, trace: Callable[[FrameType, str, Any], bool]) -> None:
        self.trace = trace
        self.copy: Any = None

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Tracer | None:
        if not self.trace(frame, event, arg):
            self.copy = None  # it is not yet written back when this tracer goes
            frame.f_trace = None
            return None
        following = Tracer(self.trace)
        following.hold(frame)
        return following

    def hold(self, frame: FrameType) -> None:
        """Bring the copy up to date, because it is written back."""
        if KEEPS_COPY and frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            self.copy = frame.f_locals

    def __del__(self) -> None:
        if self.copy is not None and sys.getrefcount(self.copy) <= HOLDERS:
            self.copy.clear()
