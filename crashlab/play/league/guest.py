"""Other people's agents, each in a process of its own that knows nothing but what a seat sees.

The process is a copy of one that was begun for this and has everything ready (a nursery, see `sandbox`), and no copy
of this one: it gets the text of the agent, the game, and positions as text, no open files, and no variables of the
environment. It locks itself in before it runs the agent's text. Only the one that is asked runs; the others are held.
A guest that takes too long, speaks without being asked, or has run while it was held is ended.

What a guest is kept from depends on what the system has (`promise` says it in a sentence). It is never kept from using
its time as it likes, from what can be learnt from timing, or from exploiting faults of the kernel. Its seed is for one
game, and tells nothing of the season's (`fixtures.derived`); the manual says what else is left to it.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
import weakref
from base64 import b64encode
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from hashlib import sha256
from socket import SHUT_RDWR, send_fds, socket, socketpair
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any

from crashlab.base.clock import Clock, Time, TimeIsUp
from crashlab.base.errors import CrashlabError, cut, printable, told
from crashlab.engine.game import Game, State
from crashlab.play.league import locks
from crashlab.play.league.sandbox import MOST_SAID, RUNNING, is_within
from crashlab.play.process_agent import Channel, Closed, Failed, lost

LARGEST = 1 << 16  # bytes of an answer
STARTING = 120.0  # seconds in which a process has to begin
LOADING = 30.0  # seconds in which an agent has to be loaded and made
ENDING = 1.0  # seconds in which a process that has closed its line has to end, or one that is held to stop
LOOK = 0.0005  # seconds between two looks at whether it has
SLIP = 0.004  # seconds of the processor that a guest that is held may seem to have had
PROGRAM = "import sys; sys.path[:] = {path!r}; from crashlab.play.league import sandbox; sandbox.{be}"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
STOPPED = "the game was stopped"
KILL = 9  # SIGKILL, which Windows has no name for
MOST_READ = 4 * MOST_SAID  # bytes of what it has printed
NONSENSE = "sent nonsense"
UNASKED = "spoke without being asked"
IS_POSIX = os.name == "posix"
ONLY_NAMED = "This kernel has no Landlock: agents can import only what their file names."
ONLY_MISTAKES = "Agents are kept from mistakes, not from malice: use Linux or a container for agents you do not trust."


def promise() -> str:
    """What is not promised on this system, in a sentence; empty where all layers of the box are there."""
    layers = locks.available()
    if locks.SECCOMP not in layers:
        return ONLY_MISTAKES
    return "" if locks.LANDLOCK in layers else ONLY_NAMED


@dataclass(frozen=True)
class Participant:
    """An agent that takes part: its name, and the text of its file."""

    name: str
    text: str

    @property
    def fingerprint(self) -> str:
        """What tells this text from others."""
        return sha256(self.text.encode(errors="surrogateescape")).hexdigest()[:16]


@dataclass(frozen=True)
class Limits:
    """What a guest may use: seconds for a decision, and megabytes of memory."""

    seconds: float
    memory: int


@dataclass(frozen=True)
class Trouble:
    """What broke: whose agent, in which position as its seat saw it, and what it had printed."""

    name: str
    words: str
    seat: str = ""
    position: str = ""  # as text; `game.read` reads it
    trace: str = ""  # the lines of the agent that led to it
    said: str = ""

    def __post_init__(self) -> None:
        for name in ("name", "words", "trace", "said"):  # a page or a terminal could do something else with them
            object.__setattr__(self, name, printable(getattr(self, name)))

    def __str__(self) -> str:
        where = f" (seat {self.seat}, position: {self.position})" if self.position else ""
        return f"{self.name}: {self.words}{where}"


@dataclass(frozen=True)
class Invitation:
    """What makes a guest for a game, from a seed; it can be sent to another machine."""

    entry: Participant
    game: Game
    limits: Limits

    def __call__(self, seed: int) -> Guest:
        return Guest(self, seed)


class Guest:
    """An agent in a process of its own, for one seat in one game."""

    def __init__(self, invitation: Invitation, seed: int) -> None:
        self.invitation, self.seed = invitation, seed
        self.trouble: Trouble | None = None
        self.said = ""  # what it has printed, once it has ended
        self._process: Process | None = None
        self._is_ready = False
        self._is_closed = False
        self._failed: BaseException | None = None  # why it was not loaded
        self._had = 0.0  # seconds of the processor, when it was held
        self._changing = Lock()  # one may want to begin it, and two to end it, at once
        self._asked: State | None = None  # what it was shown last
        self._seat = ""

    def begin(self) -> None:
        """Start the process, where the agent is loaded meanwhile."""
        entry, limits = self.invitation.entry, self.invitation.limits
        invitation = {
            "name": entry.name,
            "text": entry.text,
            "seed": self.seed,
            "memory": limits.memory,
            "game": b64encode(pickle.dumps(self.invitation.game)).decode(),
            "home": self.invitation.game.home,
            "layers": locks.available(),
        }
        ours, theirs = socketpair()
        said = file_in_memory()
        with self._changing, theirs:
            try:
                if self._is_closed:
                    raise Closed(STOPPED)
                self._process = begun(theirs, said)
            except OSError as error:
                raise CrashlabError(f"no process can be begun for {entry.name}: {error}") from error
            finally:
                self._line, self._file = Channel(ours, LARGEST), said
                if self._process is None:
                    self._put_away()
        with suppress(Failed), Clock(Time(STARTING), "to begin") as clock:  # if it has gone, it will not answer either
            self._tell(invitation, clock)

    def get_ready(self) -> None:
        """Wait until the agent is loaded, and hold it; raises what went wrong with that, whenever it is called."""
        if self._failed:
            raise self._failed
        if self._is_ready:
            return
        try:
            with Clock(Time(STARTING), "to begin") as clock:
                self._hear(clock)
        except (Failed, TimeIsUp) as error:  # that is not the agent's fault
            self._end()
            name = self.invitation.entry.name
            raise CrashlabError(f"no process can be begun for {name}: {told(error)}. {self.said}") from error
        try:
            with Clock(Time(LOADING), "to be loaded") as clock:
                self._hear(clock)
            self._hold()
        except (Failed, TimeIsUp) as error:
            self._end()
            self._failed = error
            raise
        self._is_ready = True

    def __call__(self, seen: State, seat: int) -> str:
        """Its action at what a seat sees, as notation."""
        self._asked, self._seat = seen, seen.game.seat_name(seat)
        limit = self.invitation.limits.seconds
        try:
            self.get_ready()
            self._let_go()
            with Clock(Time(limit)) as clock:
                self._tell({"seat": seat, "position": seen.text, "seconds": limit}, clock)
                reply = self._hear(clock)
            self._hold()
            return str(reply["played"])
        except KeyError:
            raise self._broken(Failed(NONSENSE)) from None
        except (Failed, TimeIsUp) as error:
            raise self._broken(error) from None

    def _broken(self, error: BaseException) -> BaseException:
        """The error, after which it is not asked again; it is kept with all that may help."""
        self._end()
        self.trouble = self.troubled(told(error), trace_of(error))
        return error

    def troubled(self, words: str, trace: str = "") -> Trouble:
        """What broke, at what it was shown last."""
        position = self._asked.text if self._asked else ""
        return Trouble(self.invitation.entry.name, words, self._seat, position, trace, self.said)

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._is_closed = True
        self._end()

    # The line to the process

    def _tell(self, message: dict[str, Any], clock: Clock) -> None:
        """Send a message, while the clock runs."""
        try:
            self._line.tell(json.dumps(message).encode(), clock)
        except EOFError:
            raise self._gone(ENDING) from None

    def _hear(self, clock: Clock) -> dict[str, Any]:
        """What it answers, while the clock runs."""
        try:
            reply = json.loads(self._line.hear(clock))
        except EOFError:
            raise self._gone(ENDING) from None
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise Failed(NONSENSE)
        if "failed" in reply:
            failed = Failed(cut(str(reply["failed"]), 1000))
            failed.add_note(cut(str(reply.get("trace", "")), MOST_SAID))
            raise failed
        return reply

    def _begun(self) -> Process:
        """The process; another thread may end it at any moment."""
        process = self._process
        if self._is_closed or process is None:
            raise Closed(STOPPED)
        return process

    def _gone(self, seconds: float) -> Exception:
        """What has become of a process that has closed its line, if it ends by then."""
        try:
            status = ended(self._begun(), seconds)
        except Closed as closed:
            return closed
        if self._is_closed:
            return Closed(STOPPED)
        return Failed("closed its line") if status is None else lost(status)

    def _hold(self) -> None:
        """Have it rest; on Windows nobody can be held."""
        if IS_POSIX:
            process = self._begun()
            process.signal(signal.SIGSTOP)
            end = time.monotonic() + ENDING
            while not is_at_rest(process.pid) and time.monotonic() < end:
                time.sleep(LOOK)
            self._had = worked(process.pid)

    def _let_go(self) -> None:
        """Have it run, if it has rested and kept silent."""
        process = self._begun()
        if (word := self._line.waiting()) is not None:
            raise Failed(UNASKED) if word else self._gone(10 * LOOK)
        if IS_POSIX:
            if worked(process.pid) - self._had > SLIP:
                raise Failed("ran while it was held")
            process.signal(signal.SIGCONT)

    def _end(self) -> None:
        """End the process; what it has printed stays."""
        with self._changing:
            process = self._process
            if process is None:
                return
            process.signal(KILL)
            ended(process, ENDING)
            process.close()
            self._process = None
            self._put_away()

    def _put_away(self) -> None:
        """Close what is open here."""
        self._line.close()
        with self._file as file:
            file.seek(0)
            self.said = file.read(MOST_READ).decode(errors="replace")


def trace_of(error: BaseException) -> str:
    """The lines of an agent that led to an error."""
    return "".join(getattr(error, "__notes__", ()))


def file_in_memory() -> IO[bytes]:
    """A file that has no name, and is gone when nobody has it open."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("said"), "w+b", buffering=0)
    return TemporaryFile(buffering=0)


def is_at_rest(pid: int) -> bool:
    """Whether a process is stopped, or has ended; only Linux tells."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in b"TtZX"
    except OSError:
        return True


def worked(pid: int) -> float:
    """The seconds of the processor that a process has had; only Linux tells."""
    if sys.platform == "linux":
        with suppress(OSError):
            return time.clock_gettime(~pid << 3 | 2)
    return 0.0


# Processes


class Process:
    """The process of a guest, as a copy of the nursery."""

    def __init__(self, nursery: Nursery, line: socket, said: IO[bytes]) -> None:
        self._nursery = nursery
        self._status: int | None = None
        self.pid = nursery.ask(bytes(8), line.fileno(), said.fileno())
        if self.pid < 2:  # a number that means others, or all of them
            raise OSError("no copy can be made")
        # Where its nursery has been ended, another process may get its number, but not this handle.
        self._handle = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else None

    def signal(self, number: int) -> None:
        """Send it a signal, unless it is known that it has ended."""
        if self._status is None:
            with suppress(OSError):
                if self._handle is None:
                    os.kill(self.pid, number)
                else:
                    signal.pidfd_send_signal(self._handle, number)

    def close(self) -> None:
        """Let go of it; it has ended, or nobody asks it any more."""
        if self._status is None:  # it was ended, and nobody has seen it go
            self._status = -KILL
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def status(self) -> int | None:
        """How it has ended; None if it runs."""
        if self._status is None:
            try:
                found = self._nursery.ask(self.pid.to_bytes(8, "big"))
            except OSError:  # it ends with its nursery
                found = -KILL
            self._status = None if found == RUNNING else found
        return self._status


class Spawned(Process):
    """The process of a guest where none can be copied: a new one, which gets its line from this one."""

    def __init__(self, line: socket, said: IO[bytes]) -> None:
        self._own = subprocess.Popen(
            python("alone()"), stdin=subprocess.PIPE, stdout=said, stderr=said, env=environment(), cwd=os.sep
        )
        self.pid = self._own.pid
        with self._own.stdin as words:  # type: ignore[union-attr]
            words.write(b64encode(line.share(self.pid)) + b"\n")  # type: ignore[attr-defined]

    def signal(self, number: int) -> None:
        """End it; there is no other signal."""
        self._own.kill()

    def close(self) -> None:
        """Nothing is to be let go of."""

    def status(self) -> int | None:
        """How it has ended; None if it runs."""
        return self._own.poll()


def ended(process: Process, seconds: float) -> int | None:
    """How a process has ended, if it has by then."""
    end = time.monotonic() + seconds
    while (status := process.status()) is None and time.monotonic() < end:
        time.sleep(LOOK)
    return status


class Nursery:
    """The process from which guests are copied, with everything ready and no agent's text in it."""

    def __init__(self) -> None:
        self._asking = Lock()
        self._control, theirs = socketpair()
        with theirs, TemporaryFile() as words, ExitStack() as undone:
            undone.enter_context(self._control)
            process = subprocess.Popen(
                python(f"nursery({theirs.fileno()}, {os.getpid()})"),
                pass_fds=[theirs.fileno()],
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=words,
                cwd=os.sep,
                process_group=0,
            )
            theirs.close()
            self.pid = process.pid
            self.end = weakref.finalize(self, shut, os.getpid(), self._control, process)
            self._control.settimeout(STARTING)
            if self._control.recv(1):
                undone.pop_all()
                return
            status = process.wait(ENDING)
            words.seek(0)
            self.end()
            raise OSError(f"{told(lost(status))}. {printable(words.read()[-MOST_SAID:].decode(errors='replace'))}")

    def ask(self, word: bytes, *lines: int) -> int:
        """What it answers."""
        with self._asking:
            send_fds(self._control, [word], lines)
            answer = b""
            while len(answer) < len(word):
                if not (more := self._control.recv(len(word) - len(answer))):
                    raise OSError("the process has ended from which guests are copied")
                answer += more
        return int.from_bytes(answer, "big", signed=True)


def shut(owner: int, control: socket, process: subprocess.Popen[bytes]) -> None:
    """End a nursery, with all guests that came from it; in a copy of its owner leave it alone."""
    if os.getpid() == owner:
        with suppress(OSError):
            control.shutdown(SHUT_RDWR)
        try:
            process.wait(ENDING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    process.returncode = process.returncode or 0
    control.close()


_nurseries: list[Nursery] = []  # at most one
_beginning = Lock()


def forget() -> None:
    """Begin anew in a copy of this process: the nursery belongs to the other one."""
    global _beginning
    _beginning = Lock()
    _nurseries.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget)


def begun(line: socket, said: IO[bytes]) -> Process:
    """A process for a guest, with its line and a file for what it prints."""
    if not hasattr(os, "fork"):
        return Spawned(line, said)
    with _beginning:
        if _nurseries:
            try:
                return Process(_nurseries[0], line, said)
            except OSError:  # nobody has wanted anything of it for a while, or somebody has ended it
                _nurseries.pop().end()
        _nurseries.append(Nursery())
        return Process(_nurseries[0], line, said)


def python(be: str) -> list[str]:
    """The command that begins a Python which knows what is installed and this package, and does this."""
    places = locks.readable()
    path = [os.path.abspath(folder) for folder in sys.path if folder and is_within(os.path.realpath(folder), places)]
    return [sys.executable, "-I", "-B", "-c", PROGRAM.format(path=[*path, os.path.dirname(locks.PACKAGE)], be=be)]


def environment() -> dict[str, str]:
    """All the variables that a guest has."""
    needed = {name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    return {**needed, **ONE_THREAD, "LC_ALL": "C.UTF-8", "PATH": os.defpath}
