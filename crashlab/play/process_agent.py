"""An agent in a process of its own, where it can be stopped whatever it does; and the line to such a process.

The process is a copy of this one (a fork), made when the agent is first asked. So the agent may be any function, also
of a notebook's cell, and it keeps what it remembers from one decision to the next. But what it changes outside of
itself is changed there and not here, and what cannot be copied is not there: threads that run, the memory of a graphics
card. What it prints is printed here.

Where a process cannot be copied (Windows, Python in a browser), the agent is asked in a thread: see `clock.in_thread`.
"""

from __future__ import annotations

import gc
import os
import pickle
import random
import signal
import sys
import threading
import traceback
import warnings
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from io import TextIOBase
from socket import MSG_PEEK, socket, socketpair
from typing import Any, NoReturn, TypeVar

from crashlab.base.clock import SHORTEST, UNLIMITED, Clock, Time, TimeIsUp, in_thread
from crashlab.base.errors import CrashlabError, printable, shown, told
from crashlab.compiled import choose_body
from crashlab.engine.game import Action, State

T = TypeVar("T")

LARGEST = 1 << 20  # bytes of a message
MOST_HEARD = 1 << 30  # bytes of a message of one's own
PIECE = 1 << 16  # bytes that are taken at once
MOST_SAID = 20_000  # letters that an agent can print in one decision
START = 60.0  # seconds in which a process must have begun
GRACE = 5.0  # seconds after its time in which a process ends by itself, should nobody be there to end it


class Failed(Exception):
    """What went wrong with an agent in its process, in words."""


class Closed(CrashlabError):
    """The process was ended by those who had asked for it."""


# The line to a process


class Channel:
    """One end of a line between two processes, on which messages go: how long one is, and then itself.

    With a clock neither way takes longer than that says. Without one, as a process of an agent has its end, it waits as
    long as it takes, and uses nothing but reading and writing.
    """

    def __init__(self, end: socket, most: int = LARGEST) -> None:
        self.end, self.most = end, most

    def tell(self, message: bytes, clock: Clock | None = None) -> None:
        """Send a message, whole."""
        left = memoryview(len(message).to_bytes(4, "big") + message)
        while left:
            left = left[self._in_time(clock, partial(self._write, left[:PIECE])) :]

    def hear(self, clock: Clock | None = None) -> bytes:
        """The next message; EOFError where none comes any more."""
        size = int.from_bytes(self._exactly(4, clock), "big")
        if size > self.most:
            raise ValueError("it is too large")
        return self._exactly(size, clock)

    def _exactly(self, size: int, clock: Clock | None) -> bytes:
        found = b""
        while len(found) < size:
            more = self._in_time(clock, partial(self._read, min(size - len(found), PIECE)))
            if not more:
                raise EOFError
            found += more
        return found

    def _in_time(self, clock: Clock | None, do: Callable[[], T]) -> T:
        """What is read or written, before the time is up."""
        left = clock.left if clock else None
        if clock and left is not None and left < 0:
            raise TimeIsUp(clock.verdict)
        try:
            if clock:
                self.end.settimeout(left if left is None else max(left, SHORTEST))
            return do()
        except TimeoutError:
            assert clock is not None
            raise TimeIsUp(clock.verdict) from None
        except OSError:
            raise EOFError from None

    def _read(self, most: int) -> bytes:
        if os.name == "posix" and self.end.gettimeout() is None:
            return os.read(self.end.fileno(), most)
        return self.end.recv(most)

    def _write(self, words: memoryview) -> int:
        if os.name == "posix" and self.end.gettimeout() is None:
            return os.write(self.end.fileno(), words)
        return self.end.send(words)

    def waiting(self) -> bytes | None:
        """The beginning of what has come already, nothing if the line was closed; None if nothing has come."""
        try:
            self.end.settimeout(0)
            return self.end.recv(1, MSG_PEEK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def close(self) -> None:
        """Close this end."""
        self.end.close()


class ProcessAgent:
    """An agent that thinks in a process of its own, from its first decision until it oversteps or is closed."""

    def __init__(self, agent: Callable[[State, int], object]) -> None:
        self.agent = agent
        self._child: Child | None = None

    def __call__(self, state: State, seat: int) -> object:
        """Its answer, however long it takes."""
        return self.ask(state, seat, Clock(UNLIMITED))

    def ask(self, seen: State, seat: int, clock: Clock) -> object:
        """Its answer, while the clock runs; the process ends where there is none."""
        if not self.start():
            with clock:
                return in_thread(partial(self.agent, seen, seat), clock)
        child = self._child
        assert child is not None
        try:
            with clock:
                return child.ask(seen, seat, clock)
        except Failed:
            raise  # as any agent that fails, it can be asked again
        except BaseException:
            self.close()
            raise

    def start(self) -> bool:
        """Have its process begin, if it has not; whether there is one."""
        if self._child is None and hasattr(os, "fork"):
            with suppress(OSError):
                self._child = Child(self.agent)
        return self._child is not None

    def close(self) -> None:
        """End its process. If it is asked again, it begins anew."""
        child = self._child
        self._child = None
        if child is not None:
            child.end()

    def __reduce__(self) -> tuple[object, ...]:
        return ProcessAgent, (self.agent,)


class Child:
    """The process of an agent, from here."""

    def __init__(self, agent: Callable[[State, int], object]) -> None:
        self._line, pid = fork(agent)
        self.end = weakref.finalize(self, end, os.getpid(), pid, self._line)
        try:
            with Clock(Time(START), "to begin") as clock:
                self._line.hear(clock)
        except (EOFError, TimeIsUp):
            self.end()
            raise OSError("the copy of the process does not begin") from None

    def ask(self, seen: State, seat: int, clock: Clock) -> object:
        """Its answer, in time."""
        try:
            self._line.tell(pickle.dumps((seen, seat, clock.left)), clock)
            while True:
                kind, *words = pickle.loads(self._line.hear(clock))
                if kind != "said":
                    return result(kind, words, seen)
                print(words[1], end="", file=getattr(sys, words[0]))
                clock.look()
        except EOFError:
            raise lost(self.end()) from None


def result(kind: str, words: list[Any], seen: State) -> object:
    """What an agent has answered, or why there is no answer."""
    if kind == "played":
        return Action(seen, *words)
    if kind == "answered":
        return words[0]
    failed = Failed(words[0])
    failed.add_note(words[1])
    raise failed


def lost(status: int | None) -> Exception:
    """What has become of a process that is no longer there."""
    if status is None:
        return Closed("the match was closed while an agent was thinking")
    if status < 0:
        return Failed(f"its process was ended by {signal.Signals(-status).name}")
    return Failed(f"it ended its process, with status {status}")


def end(owner: int, pid: int, line: Channel) -> int:
    """End a process, and all that it has begun, unless it has ended; its exit status, below 0 if it was a signal."""
    if os.getpid() != owner:  # a copy of the process whose child it is
        return 0
    line.close()
    for kill in (os.kill, os.killpg):
        with suppress(OSError):
            kill(pid, signal.SIGKILL)
    try:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:  # somebody else has waited for it
        return 0


# A copy of this process

_forking = threading.RLock()
_lines: weakref.WeakSet[Channel] = weakref.WeakSet()  # to all processes of agents


def fork(agent: Callable[[State, int], object]) -> tuple[Channel, int]:
    """Begin the process of an agent: the line to it, and its number."""
    choose_body.wait_for_the_compiler()  # here it can be interrupted
    with _forking, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # for what others hold; see `choose_body` and `settle_in`
        ours, theirs = (Channel(end, MOST_HEARD) for end in socketpair())
        luck = random.getstate()
        try:
            pid = os.fork()
        except OSError:
            ours.close()
            theirs.close()
            raise
        if pid == 0:
            live(agent, theirs, [*_lines, ours], luck)
        theirs.close()
        _lines.add(ours)
        with suppress(OSError):
            os.setpgid(pid, pid)  # here and there, whoever is first
    return ours, pid


def live(agent: Callable[[State, int], object], line: Channel, others: list[Channel], luck: Any) -> NoReturn:
    """What the process does, all its life."""
    try:
        settle_in(others, luck)
        sys.stdout, sys.stderr = voices = voice("stdout", line), voice("stderr", line)
        line.tell(b"")
        serve(agent, line, voices)
    finally:
        os._exit(0)  # nothing is tidied up here that belongs to the process that was copied


def settle_in(others: list[Channel], luck: Any) -> None:
    """Leave alone what belongs to the process that was copied."""
    gc.freeze()
    random.setstate(luck)  # Python gives a copy other random numbers
    with suppress(OSError):
        os.setpgid(0, 0)  # the stop button is for the process that asks
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    for other in others:
        other.close()
    sys.stdin = open(os.devnull)


def serve(agent: Callable[[State, int], object], line: Channel, voices: tuple[SentOutput, SentOutput]) -> None:
    """Answer, until nobody asks any more."""
    while True:
        try:
            seen, seat, seconds = pickle.loads(line.hear())
        except EOFError:
            return
        for voice in voices:
            voice.left = MOST_SAID
        signal.setitimer(signal.ITIMER_REAL, seconds + GRACE if seconds else 0)
        reply = replied(agent, seen, seat)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for voice in voices:
            voice.flush()
        send(line, reply)


_sending = threading.Lock()


def send(line: Channel, message: bytes) -> None:
    """Send a message, whole, whichever thread of the agent it comes from."""
    with _sending:
        line.tell(message)


def voice(name: str, line: Channel) -> SentOutput:
    """What is printed is sent where the question came from."""
    return SentOutput(lambda words: send(line, pickle.dumps(("said", name, words))), MOST_SAID)


def replied(agent: Callable[[State, int], object], seen: State, seat: int) -> bytes:
    """What the agent answers, as it can be sent."""
    try:
        action = agent(seen, seat)
        if type(action) is Action and action.state is seen:
            return pickle.dumps(("played", action.seat, action.code))
        if type(action) is Action:
            action = Action(State(action.game, action.state.table), action.seat, action.code)
    except BaseException as error:
        return failure(f"{type(error).__name__}: {told(error)}", traceback.format_exc())
    try:
        answer = pickle.dumps(("answered", action))
        reason = "it is too large" if len(answer) > LARGEST else ""
    except BaseException as error:
        answer = b""
        reason = told(error)
    return failure(f"it answered {shown(action)}, which cannot be sent: {reason}") if reason else answer


def failure(words: str, trace: str = "") -> bytes:
    """Why there is no answer, as it can be sent."""
    return pickle.dumps(("failed", printable(words)[:MOST_SAID], printable(trace)[-MOST_SAID:]))


class SentOutput(TextIOBase):
    """What is printed in the process is put elsewhere, line by line, if it is not too much."""

    encoding = "utf-8"

    def __init__(self, put: Callable[[str], object], most: int) -> None:
        self._put = put
        self._lock = threading.RLock()
        self._words, self.left = "", most  # letters that can still be printed; below 0 once that was told

    def write(self, words: str) -> int:
        """Print it."""
        words = printable(words)
        with self._lock:
            if self.left >= 0:
                more = " ... (it prints more than can be shown)\n" if len(words) > self.left else ""
                self._words += words[: self.left] + more
                self.left -= len(words)
            if "\n" in self._words:
                self.flush()
        return len(words)

    def flush(self) -> None:
        """Put there what was printed."""
        with self._lock:
            words = self._words
            self._words = ""
            if words:
                self._put(words)

    def writable(self) -> bool:
        """Whether it can be written to: always."""
        return True
