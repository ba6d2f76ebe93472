"""Time limits of agents: a clock that runs while an agent thinks, and ways to stop it.

An agent that calls `look()` regularly stops itself when its time is up; its class is marked with `@looks`. Other agents
are stopped from outside: in a separate process (`play.process_agent`), by an alarm (`in_place`), or, within limits, in
a thread (`in_thread`).
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import ContextVar
from threading import Thread, current_thread, get_ident, main_thread
from time import monotonic
from types import FrameType
from typing import Any, NamedTuple, TypeVar

from crashlab.base.errors import IN_BROWSER, number_between

T = TypeVar("T")

SHORTEST, LONGEST = 0.001, 86_400  # bounds of a time limit, in seconds
RING = 0.05  # seconds between alarms
SLOWEST = 10  # wall-clock seconds per second of work beyond which code counts as waiting, not as working
now = monotonic
worked = getattr(time, "thread_time", monotonic)  # thread_time is missing in Pyodide


class TimeIsUp(BaseException):
    """Raised when a time limit is exceeded; `except Exception` does not catch it."""


class Time(NamedTuple):
    """The limit for a decision and the budget for all decisions of a seat, in seconds; None means no limit."""

    limit: float | None = None
    budget: float | None = None

    @classmethod
    def of(cls, limit: object, budget: object) -> Time:
        """Check a limit and a budget in seconds, and return them as a Time."""
        return cls(seconds("limit", limit), seconds("budget", budget))

    def __bool__(self) -> bool:
        return self.limit is not None or self.budget is not None

    def __str__(self) -> str:
        words = {"for a decision": self.limit, "for a game": self.budget}
        return " and ".join(f"{number:g} s {what}" for what, number in words.items() if number is not None)


UNLIMITED = Time()


def seconds(name: str, value: object) -> float | None:
    """Return a number of seconds as a float, or None for no limit; raise CrashlabError if it is out of bounds."""
    return None if value is None else number_between(name, value, SHORTEST, LONGEST)


class Clock:
    """The clock of a seat. It runs inside `with clock:`; `used` holds the seconds of earlier decisions."""

    def __init__(self, time: Time, purpose: str = "for a decision") -> None:
        self.time = time
        self.used = 0.0
        self._begun = 0.0
        self._purpose = purpose

    @property
    def left(self) -> float | None:
        """The remaining seconds, negative if the time is up; None without a limit."""
        limit, budget = self.time
        ends = [] if limit is None else [limit]
        ends += [] if budget is None else [budget - self.used]
        return min(ends) - (self.now() - self._begun) if ends else None

    def now(self) -> float:
        """Return the current time of this clock, in seconds."""
        return now()

    def look(self) -> None:
        """Raise TimeIsUp if the time is up."""
        if (left := self.left) is not None and left < 0:
            raise TimeIsUp(self.verdict)

    @property
    def verdict(self) -> str:
        """The message about an agent that exceeded its time."""
        limit, budget = self.time
        if budget is not None and (limit is None or budget - self.used < limit):
            return f"took more than {budget:g} s for all its decisions"
        return f"took more than {limit:g} s {self._purpose}"

    def __enter__(self) -> Clock:
        self._begun = self.now()
        self._outer = _running.set(self)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        _running.reset(self._outer)
        try:
            if kind is None:
                self.look()
        finally:
            self.used += self.now() - self._begun


class WorkClock(Clock):
    """A clock that counts the processor time of its thread, so that a busy machine does not matter."""

    def now(self) -> float:
        """Return the processor time of this thread, in seconds."""
        return worked()


_running: ContextVar[Clock | None] = ContextVar("running", default=None)
_looking: set[type] = set()


def look() -> None:
    """Raise TimeIsUp if the running clock has no time left; agents call this between the steps of a search."""
    if clock := _running.get():
        clock.look()


def looks(kind: type[T]) -> type[T]:
    """Mark a class whose agents call `look()` often enough to be limited without a separate process."""
    _looking.add(kind)
    return kind


def can_be_stopped(agent: object) -> bool:
    """Return whether an agent stops itself: its class, not just a base class, is marked with `@looks`."""
    return type(agent) in _looking


def in_thread(think: Callable[[], T], clock: Clock) -> T:
    """Run `think` in a thread and return its result; raise TimeIsUp when the time is up.

    The thread then stops at its next line of Python, so not while it sleeps, waits or runs a long call of C code. A
    call that keeps other threads from running cannot be stopped at all. Without threads, as in a browser, `think` is
    never stopped.
    """
    thought: Future[T] = Future()

    def work() -> None:
        try:
            thought.set_result(think())
        except BaseException as error:
            thought.set_exception(error)

    thread = Thread(target=work, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # Python in a browser
        return think()
    try:
        wait([thought], clock.left)
    finally:
        if not thought.done():
            stop(thread)
    if not thought.done():
        raise TimeIsUp(clock.verdict)
    return thought.result()


def stop(thread: Thread) -> None:
    """Raise TimeIsUp in another thread at its next step.

    Until that step, a flag of the interpreter says that some thread has a pending exception, but not which thread, so
    every thread checks at each step. In CPython 3.11 a traced call then restarts forever. To clear the flag, this
    thread throws an exception at itself and catches it; the flag is set again when the other thread wakes up.
    """
    import ctypes

    throw = ctypes.pythonapi.PyThreadState_SetAsyncExc
    thread_id, forget = ctypes.c_ulong(get_ident()), ctypes.py_object(Forget)
    throw(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TimeIsUp))
    try:
        throw(thread_id, forget)
        while True:  # until the exception arrives
            pass
    except Forget:
        return


class Forget(BaseException):
    """The exception that a thread throws at itself in `stop`."""


def in_place(think: Callable[[], T], clock: Clock) -> T:
    """Run `think` in this thread and return its result; raise TimeIsUp when the time is up, even during a sleep.

    A long call of C code is not interrupted. If `think` catches TimeIsUp, the exception is raised again at every later
    line. Only the main thread has an alarm; other threads, Windows and browsers use `in_thread`.
    """
    if clock.left is None:
        return think()
    if not has_alarm():
        return in_thread(think, clock)
    thinking, rung, verdict, start, seconds = True, 0, clock.verdict, now(), max(clock.left, SHORTEST)

    def ring(_: int, frame: FrameType | None) -> None:
        nonlocal rung
        if (clock.left or 0) > 0 and now() - start < SLOWEST * seconds:
            return
        rung += 1
        if rung > 1:  # think has caught TimeIsUp
            sys.settrace(stop_here)
            while frame is not None and frame.f_code is not in_place.__code__:
                frame.f_trace = stop_here
                frame = frame.f_back
        if thinking:  # raised here, because a call of stop_here would itself be traced
            raise TimeIsUp(verdict)

    def stop_here(_: FrameType, event: str, __: object) -> Any:
        if thinking and event == "line":
            raise TimeIsUp(verdict)
        return stop_here

    handler, trace = signal.signal(signal.SIGALRM, ring), sys.gettrace()
    wait, again = signal.setitimer(signal.ITIMER_REAL, seconds, RING)
    try:
        try:
            return think()
        finally:
            thinking = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, max(wait - now() + start, SHORTEST) if wait else 0, again)
        signal.signal(signal.SIGALRM, handler)
        if rung > 1:
            sys.settrace(trace)


def has_alarm() -> bool:
    """Return whether a signal can interrupt this thread."""
    return hasattr(signal, "setitimer") and not IN_BROWSER and current_thread() is main_thread()
