"""Time to think: a clock that runs while an agent is asked, and ways to stop what thinks for too long.

What calls `look()` now and then is stopped there when its time is up; its class says so with `@looks`. Anything else is
stopped from outside: in a process of its own (`play.process_agent`), by an alarm (`in_place`), or, as far as that goes,
in a thread.
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

from crashlab.base.errors import IN_BROWSER, within

T = TypeVar("T")

SHORTEST, LONGEST = 0.001, 86_400  # seconds that can be given to an agent
RING = 0.05  # seconds between two alarms
SLOWEST = 10  # seconds that a busy machine takes at most for one second of work; what takes longer waits
now = monotonic
worked = getattr(time, "thread_time", monotonic)  # which Python in a browser has not


class TimeIsUp(BaseException):
    """Something has thought for too long. No `except Exception` catches it."""


class Time(NamedTuple):
    """How many seconds an agent has, for a decision and for all those of its seat in a game; None is no limit."""

    limit: float | None = None
    budget: float | None = None

    @classmethod
    def of(cls, limit: object, budget: object) -> Time:
        """The time that is given; what is no number of seconds is refused."""
        return cls(seconds("limit", limit), seconds("budget", budget))

    def __bool__(self) -> bool:
        return self.limit is not None or self.budget is not None

    def __str__(self) -> str:
        words = {"for a decision": self.limit, "for a game": self.budget}
        return " and ".join(f"{given:g} s {what}" for what, given in words.items() if given is not None)


UNLIMITED = Time()


def seconds(name: str, given: object) -> float | None:
    """A number of seconds, or None for no limit."""
    return None if given is None else within(name, given, SHORTEST, LONGEST)


class Clock:
    """The clock of one seat: `with clock:` it runs, and stops what looks at it. It knows what was `used` before."""

    def __init__(self, time: Time, purpose: str = "for a decision") -> None:
        self.time = time
        self.used = 0.0
        self._begun = 0.0
        self._purpose = purpose

    @property
    def left(self) -> float | None:
        """Seconds until the time is up, below 0 if it is; None where there is no limit."""
        limit, budget = self.time
        ends = [] if limit is None else [limit]
        ends += [] if budget is None else [budget - self.used]
        return min(ends) - (self.now() - self._begun) if ends else None

    def now(self) -> float:
        """The seconds that count."""
        return now()

    def look(self) -> None:
        """Stop here if the time is up."""
        if (left := self.left) is not None and left < 0:
            raise TimeIsUp(self.verdict)

    @property
    def verdict(self) -> str:
        """What is said of who has overstepped."""
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
    """A clock of the work of one thread, on which a busy machine does not count: for what should end, and need not be
    fast."""

    def now(self) -> float:
        """The seconds that this thread was at work."""
        return worked()


_running: ContextVar[Clock | None] = ContextVar("running", default=None)
_looking: set[type] = set()


def look() -> None:
    """Called between the steps of a long thought: stop here if it has to be over by now."""
    if clock := _running.get():
        clock.look()


def looks(kind: type[T]) -> type[T]:
    """The agents of this very class call `look()` often enough, so that their time can be limited where they are."""
    _looking.add(kind)
    return kind


def can_be_stopped(agent: object) -> bool:
    """Whether the agent itself sees to it that it stops; one of a derived class may not."""
    return type(agent) in _looking


def in_thread(think: Callable[[], T], clock: Clock) -> T:
    """What is thought in a thread, which is left to itself when its time is up.

    It is stopped there if it runs Python code; not while it sleeps or waits, nor within one long call of C code. If
    such a call does not let other threads run, nobody can stop it. Where there are no threads, nothing is stopped.
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
    """Have a thread stop at its next step.

    Until it takes one, Python's interpreter knows that an exception waits, but not for whom, and looks again at each
    step of every thread: in CPython 3.11 a call that is traced begins again and again, for ever. One exception of our
    own, caught at once, makes it forget; a thread that wakes reminds it.
    """
    import ctypes

    throw = ctypes.pythonapi.PyThreadState_SetAsyncExc
    own, forget = ctypes.c_ulong(get_ident()), ctypes.py_object(Forget)
    throw(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TimeIsUp))
    try:
        throw(own, forget)
        while True:  # for a step or two
            pass
    except Forget:
        return


class Forget(BaseException):
    """What a thread throws at itself in `stop`."""


def in_place(think: Callable[[], T], clock: Clock) -> T:
    """What is thought right here, and is stopped when its time is up, also while it sleeps or waits.

    It is not stopped within one long call of C code. If it catches what should stop it, it is stopped again, and then
    at its next line, too. Only the main thread has an alarm; in others, on Windows and in a browser see `in_thread`.
    """
    if clock.left is None:
        return think()
    if not has_alarm():
        return in_thread(think, clock)
    thinking, rung, verdict, begun, given = True, 0, clock.verdict, now(), max(clock.left, SHORTEST)

    def ring(_: int, frame: FrameType | None) -> None:
        nonlocal rung
        if (clock.left or 0) > 0 and now() - begun < SLOWEST * given:
            return
        rung += 1
        if rung > 1:  # it has caught it
            sys.settrace(stop_here)
            while frame is not None and frame.f_code is not in_place.__code__:
                frame.f_trace = stop_here
                frame = frame.f_back
        if thinking:  # not by a call of `stop_here`, which would be traced itself
            raise TimeIsUp(verdict)

    def stop_here(_: FrameType, event: str, __: object) -> Any:
        if thinking and event == "line":
            raise TimeIsUp(verdict)
        return stop_here

    heard, traced = signal.signal(signal.SIGALRM, ring), sys.gettrace()
    wait, again = signal.setitimer(signal.ITIMER_REAL, given, RING)
    try:
        try:
            return think()
        finally:
            thinking = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, max(wait - now() + begun, SHORTEST) if wait else 0, again)
        signal.signal(signal.SIGALRM, heard)
        if rung > 1:
            sys.settrace(traced)


def has_alarm() -> bool:
    """Whether a signal can stop what runs here."""
    return hasattr(signal, "setitimer") and not IN_BROWSER and current_thread() is main_thread()
