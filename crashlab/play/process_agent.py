"""Agents in separate processes, where they can be stopped whatever they do, and the channels to them.

The process is a fork of this one, made at the agent's first decision. So the agent can be any function, even one
defined in a notebook cell, and keeps its state between decisions. Its changes do not affect this process.
Running threads and the memory of a graphics card are not copied. The agent's output is printed here.

On systems without fork (Windows, Python in a browser), the agent runs in a thread: see `clock.in_thread`.
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
from crashlab.base.errors import CrashlabError, printable, short_repr, short_str
from crashlab.compiled import choose_backend
from crashlab.engine.game import Action, State

T = TypeVar("T")

LARGEST = 1 << 20  # most bytes of an agent's answer
MOST_HEARD = 1 << 30  # most bytes of a message between the two processes
PIECE = 1 << 16  # most bytes per system call
MOST_SAID = 20_000  # most letters that an agent can print per decision
START = 60.0  # seconds for a process to start
GRACE = 5.0  # seconds after the time limit at which a process ends itself, in case its parent is gone


class Failed(Exception):
    """The failure of an agent in its process."""


class Closed(CrashlabError):
    """Raised if the process was ended on request."""


# Channels


class Channel:
    """One end of a channel between two processes; each message is preceded by its length.

    With a clock, sending and receiving raise TimeIsUp when its time is up. Without a clock, as in the process of an
    agent, they block, and use only the system calls read and write.
    """

    def __init__(self, end: socket, most: int = LARGEST) -> None:
        self.end, self.most = end, most

    def tell(self, message: bytes, clock: Clock | None = None) -> None:
        """Send a whole message."""
        rest = memoryview(len(message).to_bytes(4, "big") + message)
        while rest:
            rest = rest[self._in_time(clock, partial(self._write, rest[:PIECE])) :]

    def hear(self, clock: Clock | None = None) -> bytes:
        """Return the next message; raise EOFError if the channel is closed."""
        size = int.from_bytes(self._exactly(4, clock), "big")
        if size > self.most:
            raise ValueError("the message is too large")
        return self._exactly(size, clock)

    def _exactly(self, size: int, clock: Clock | None) -> bytes:
        content = b""
        while len(content) < size:
            more = self._in_time(clock, partial(self._read, min(size - len(content), PIECE)))
            if not more:
                raise EOFError
            content += more
        return content

    def _in_time(self, clock: Clock | None, do: Callable[[], T]) -> T:
        """Call `do`, which reads or writes; raise TimeIsUp after the clock's time, EOFError for a closed channel."""
        seconds = clock.left if clock else None
        if clock and seconds is not None and seconds < 0:
            raise TimeIsUp(clock.verdict)
        try:
            if clock:
                self.end.settimeout(seconds if seconds is None else max(seconds, SHORTEST))
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
        """Peek at the input: its first byte, b"" if the channel is closed, None if nothing has arrived."""
        try:
            self.end.settimeout(0)
            return self.end.recv(1, MSG_PEEK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def close(self) -> None:
        self.end.close()


class ProcessAgent:
    """An agent in a separate process, from its first decision until it exceeds its time or is closed."""

    def __init__(self, agent: Callable[[State, int], object]) -> None:
        self.agent = agent
        self._child: Child | None = None

    def __call__(self, state: State, seat: int) -> object:
        """Return the agent's answer, without a limit of time."""
        return self.ask(state, seat, Clock(UNLIMITED))

    def ask(self, view: State, seat: int, clock: Clock) -> object:
        """Return the agent's answer within the time of the clock; end the process on timeout or interruption."""
        if not self.start():
            with clock:
                return in_thread(partial(self.agent, view, seat), clock)
        child = self._child
        assert child is not None
        try:
            with clock:
                return child.ask(view, seat, clock)
        except Failed:
            raise  # an agent that fails can be asked again
        except BaseException:
            self.close()
            raise

    def start(self) -> bool:
        """Start the process if necessary; return whether there is one."""
        if self._child is None and hasattr(os, "fork"):
            with suppress(OSError):
                self._child = Child(self.agent)
        return self._child is not None

    def close(self) -> None:
        """End the process; the next question starts a new one."""
        child = self._child
        self._child = None
        if child is not None:
            child.end()

    def __reduce__(self) -> tuple[object, ...]:
        return ProcessAgent, (self.agent,)


class Child:
    """The parent's end of the process of an agent."""

    def __init__(self, agent: Callable[[State, int], object]) -> None:
        self._line, pid = fork(agent)
        self.end = weakref.finalize(self, end, os.getpid(), pid, self._line)
        try:
            with Clock(Time(START), "to begin") as clock:
                self._line.hear(clock)
        except (EOFError, TimeIsUp):
            self.end()
            raise OSError("the copy of the process does not start") from None

    def ask(self, view: State, seat: int, clock: Clock) -> object:
        """Return the agent's answer within the time of the clock, and print the agent's output."""
        try:
            self._line.tell(pickle.dumps((view, seat, clock.left)), clock)
            while True:
                kind, *words = pickle.loads(self._line.hear(clock))
                if kind != "said":
                    return result(kind, words, view)
                print(words[1], end="", file=getattr(sys, words[0]))
                clock.look()
        except EOFError:
            raise lost(self.end()) from None


def result(kind: str, words: list[Any], view: State) -> object:
    """Return the answer of an agent, or raise Failed with the reason."""
    if kind == "played":
        return Action(view, *words)
    if kind == "answered":
        return words[0]
    failure = Failed(words[0])
    failure.add_note(words[1])
    raise failure


def lost(status: int | None) -> Exception:
    """Return the error about a process that has ended."""
    if status is None:
        return Closed("the match was closed while an agent was thinking")
    if status < 0:
        return Failed(f"its process was ended by {signal.Signals(-status).name}")
    return Failed(f"it ended its process, with status {status}")


def end(owner: int, pid: int, line: Channel) -> int:
    """End a process and its children; return its exit status, negative if a signal ended it."""
    if os.getpid() != owner:  # a fork of the owner
        return 0
    line.close()
    for kill in (os.kill, os.killpg):
        with suppress(OSError):
            kill(pid, signal.SIGKILL)
    try:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:  # already waited for
        return 0


# Forks

_forking = threading.RLock()
_lines: weakref.WeakSet[Channel] = weakref.WeakSet()  # channels to all processes of agents


def fork(agent: Callable[[State, int], object]) -> tuple[Channel, int]:
    """Fork the process of an agent; return the channel to it and its pid."""
    choose_backend.wait_for_the_compiler()  # can still be interrupted here
    with _forking, warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # about threads that hold locks; see `choose_backend` and `settle_in`
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
            os.setpgid(pid, pid)  # also set by the child, to avoid a race
    return ours, pid


def live(agent: Callable[[State, int], object], line: Channel, others: list[Channel], luck: Any) -> NoReturn:
    """Run the process of an agent."""
    try:
        settle_in(others, luck)
        sys.stdout, sys.stderr = voices = voice("stdout", line), voice("stderr", line)
        line.tell(b"")
        serve(agent, line, voices)
    finally:
        os._exit(0)  # skips the cleanup inherited from the parent


def settle_in(others: list[Channel], luck: Any) -> None:
    """Detach this process from everything that belongs to its parent."""
    gc.freeze()
    random.setstate(luck)  # Python reseeds after a fork
    with suppress(OSError):
        os.setpgid(0, 0)  # interrupts are for the parent
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    for other in others:
        other.close()
    sys.stdin = open(os.devnull)


def serve(agent: Callable[[State, int], object], line: Channel, voices: tuple[SentOutput, SentOutput]) -> None:
    """Answer questions until the channel is closed."""
    while True:
        try:
            view, seat, seconds = pickle.loads(line.hear())
        except EOFError:
            return
        for voice in voices:
            voice.left = MOST_SAID
        signal.setitimer(signal.ITIMER_REAL, seconds + GRACE if seconds else 0)
        reply = replied(agent, view, seat)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for voice in voices:
            voice.flush()
        send(line, reply)


_sending = threading.Lock()


def send(line: Channel, message: bytes) -> None:
    """Send a whole message, from any thread of the agent."""
    with _sending:
        line.tell(message)


def voice(name: str, line: Channel) -> SentOutput:
    """Return an output stream that sends everything printed to the parent process."""
    return SentOutput(lambda words: send(line, pickle.dumps(("said", name, words))), MOST_SAID)


def replied(agent: Callable[[State, int], object], view: State, seat: int) -> bytes:
    """Return the agent's answer as a message."""
    try:
        action = agent(view, seat)
        if type(action) is Action and action.state is view:
            return pickle.dumps(("played", action.seat, action.code))
        if type(action) is Action:
            action = Action(State(action.game, action.state.table), action.seat, action.code)
    except BaseException as error:
        return failure(f"{type(error).__name__}: {short_str(error)}", traceback.format_exc())
    try:
        answer = pickle.dumps(("answered", action))
        reason = "the message is too large" if len(answer) > LARGEST else ""
    except BaseException as error:
        answer = b""
        reason = short_str(error)
    return failure(f"its answer {short_repr(action)} cannot be sent: {reason}") if reason else answer


def failure(words: str, trace: str = "") -> bytes:
    """Return the reason for a missing answer as a message."""
    return pickle.dumps(("failed", printable(words)[:MOST_SAID], printable(trace)[-MOST_SAID:]))


class SentOutput(TextIOBase):
    """An output stream that passes lines on, up to a limit."""

    encoding = "utf-8"

    def __init__(self, write: Callable[[str], object], most: int) -> None:
        self._put = write
        self._lock = threading.RLock()
        self._words, self.left = "", most  # letters that can still be printed; negative after the warning

    def write(self, words: str) -> int:
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
        """Pass on the output so far."""
        with self._lock:
            words = self._words
            self._words = ""
            if words:
                self._put(words)

    def writable(self) -> bool:
        """Return True."""
        return True
