"""An agent in a process of its own, where it can be stopped whatever it does.

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
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import TextIOBase
from typing import TYPE_CHECKING, Any, NoReturn

from crashlab.base.clock import UNLIMITED, Clock, TimeIsUp, in_thread
from crashlab.base.errors import CrashlabError, printable, shown, told
from crashlab.compiled import bodies as twin
from crashlab.engine.game import Action, State

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

LARGEST = 1 << 20  # bytes of an answer
MOST_SAID = 20_000  # letters that an agent can print in one decision
START = 60.0  # seconds in which a process must have begun
GRACE = 5.0  # seconds after its time in which a process ends by itself, should nobody be there to end it


class Failed(Exception):
    """What went wrong with an agent in its process, in words."""


class Closed(CrashlabError):
    """The process was ended by those who had asked for it."""


class Apart:
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
        return Apart, (self.agent,)


class Child:
    """The process of an agent, from here."""

    def __init__(self, agent: Callable[[State, int], object]) -> None:
        self._line, pid = fork(agent)
        self.end = weakref.finalize(self, end, os.getpid(), pid)
        if not self._line.poll(START):
            self.end()
            raise OSError("the copy of the process does not begin")
        self._line.recv_bytes()

    def ask(self, seen: State, seat: int, clock: Clock) -> object:
        """Its answer, in time."""
        for kind, *words in self._replies((seen, seat, clock.left), clock):
            if kind != "said":
                return result(kind, words, seen)
            print(words[1], end="", file=getattr(sys, words[0]))
            clock.look()
        raise TimeIsUp(clock.verdict)

    def _replies(self, question: object, clock: Clock) -> Iterator[Any]:
        """What comes from it after a question, as long as there is time."""
        try:
            self._line.send_bytes(pickle.dumps(question))
            while self._line.poll(clock.left):
                yield pickle.loads(self._line.recv_bytes())
        except (EOFError, OSError):
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


def end(owner: int, pid: int) -> int:
    """End a process, and all that it has begun, unless it has ended; its exit status, below 0 if it was a signal."""
    if os.getpid() != owner:  # a copy of the process whose child it is
        return 0
    for kill in (os.kill, os.killpg):
        with suppress(OSError):
            kill(pid, signal.SIGKILL)
    try:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:  # somebody else has waited for it
        return 0


# A copy of this process

_forking = threading.RLock()
_lines: weakref.WeakSet[Connection] = weakref.WeakSet()  # to all processes of agents


def fork(agent: Callable[[State, int], object]) -> tuple[Connection, int]:
    """Begin the process of an agent: the line to it, and its number."""
    from multiprocessing import Pipe

    twin.wait_for_the_compiler()  # here it can be interrupted
    with _forking, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # for what other threads hold; see `twin` and `settle_in`
        ours, theirs = Pipe()
        luck = random.getstate()
        pid = os.fork()
        if pid == 0:
            live(agent, theirs, [*_lines, ours], luck)
        theirs.close()
        _lines.add(ours)
        with suppress(OSError):
            os.setpgid(pid, pid)  # here and there, whoever is first
    return ours, pid


def live(agent: Callable[[State, int], object], line: Connection, others: list[Connection], luck: Any) -> NoReturn:
    """What the process does, all its life."""
    try:
        settle_in(others, luck)
        sys.stdout, sys.stderr = voices = Voice("stdout", line), Voice("stderr", line)
        send(line, b"")
        serve(agent, line, voices)
    finally:
        os._exit(0)  # nothing is tidied up here that belongs to the process that was copied


def settle_in(others: list[Connection], luck: Any) -> None:
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


def serve(agent: Callable[[State, int], object], line: Connection, voices: tuple[Voice, Voice]) -> None:
    """Answer, until nobody asks any more."""
    while True:
        try:
            seen, seat, seconds = pickle.loads(line.recv_bytes())
        except (EOFError, OSError):
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


def send(line: Connection, message: bytes) -> None:
    """Send a message, whole, whichever thread of the agent it comes from."""
    with _sending:
        line.send_bytes(message)


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


class Voice(TextIOBase):
    """What is printed in the process is sent where the question came from, line by line, if it is not too much."""

    encoding = "utf-8"

    def __init__(self, name: str, line: Connection) -> None:
        self._name = name
        self._line = line
        self._lock = threading.RLock()
        self._words, self.left = "", MOST_SAID  # letters that can still be printed; below 0 once that was told

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
        """Send what was printed."""
        with self._lock:
            words = self._words
            self._words = ""
            if words:
                send(self._line, pickle.dumps(("said", self._name, words)))

    def writable(self) -> bool:
        """Whether it can be written to: always."""
        return True
