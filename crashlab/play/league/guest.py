"""Guests: untrusted agents, each in a separate process that gets only the views of its seat.

The process is not a fork of this one, but of a server started for this purpose (a nursery, see `sandbox`). It gets the
source of the agent, the game, and positions as text, but none of our open files or environment variables. It restricts
itself before it runs the agent's source. Only the guest that decides runs; the others are suspended. A guest is ended
if it takes too long, sends a message without being asked, or ran while suspended.

The restrictions depend on the system (`promise` describes what is missing). They never cover what a guest does in its
own time, information from timing, or exploits of the kernel. A guest's seed is unique to a game and reveals nothing
about the seed of the season (`fixtures.derived`). The manual lists what else remains possible.
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
from crashlab.base.errors import CrashlabError, printable, short_str, truncate
from crashlab.engine.game import Game, State
from crashlab.play.league import locks
from crashlab.play.league.sandbox import MOST_SAID, RUNNING, is_within
from crashlab.play.process_agent import Channel, Closed, Failed, lost

LARGEST = 1 << 16  # most bytes of an answer
STARTING = 120.0  # seconds for a process to start
LOADING = 30.0  # seconds for an agent to be loaded and made
ENDING = 1.0  # seconds for a process to end after closing its channel, or to stop when suspended
LOOK = 0.0005  # seconds between checks
SLIP = 0.004  # tolerance of the processor time of a suspended guest, in seconds
PROGRAM = "import sys; sys.path[:] = {path!r}; from crashlab.play.league import sandbox; sandbox.{be}"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
STOPPED = "the game was stopped"
KILL = 9  # SIGKILL, which Windows lacks
MOST_READ = 4 * MOST_SAID  # most bytes read of a guest's output
NONSENSE = "sent nonsense"
UNASKED = "sent a message without being asked"
IS_POSIX = os.name == "posix"
ONLY_NAMED = "This kernel has no Landlock: agents can import only what their file names."
ONLY_MISTAKES = (
    "This protects against mistakes of agents, not against malice:"
    " use Linux or a container for agents you do not trust."
)


def promise() -> str:
    """Describe the restrictions missing on this system; empty if all layers are available."""
    layers = locks.available()
    if locks.SECCOMP not in layers:
        return ONLY_MISTAKES
    return "" if locks.LANDLOCK in layers else ONLY_NAMED


@dataclass(frozen=True)
class Participant:
    """A participating agent: its name and the source of its file."""

    name: str
    text: str

    @property
    def fingerprint(self) -> str:
        """A hash of the source."""
        return sha256(self.text.encode(errors="surrogateescape")).hexdigest()[:16]


@dataclass(frozen=True)
class Limits:
    """The limits of a guest: seconds per decision, and megabytes of memory."""

    seconds: float
    memory: int


@dataclass(frozen=True)
class Trouble:
    """A failure of an agent, with the view of its seat and its output."""

    name: str
    words: str
    seat: str = ""
    position: str = ""  # as text; `game.read` reads it
    trace: str = ""  # the traceback within the agent
    said: str = ""

    def __post_init__(self) -> None:
        for name in ("name", "words", "trace", "said"):  # could contain control characters
            object.__setattr__(self, name, printable(getattr(self, name)))

    def __str__(self) -> str:
        where = f" (seat {self.seat}, position: {self.position})" if self.position else ""
        return f"{self.name}: {self.words}{where}"


@dataclass(frozen=True)
class GuestSpec:
    """The launch data of a guest; can be sent to another machine."""

    entry: Participant
    game: Game
    limits: Limits

    def __call__(self, seed: int) -> Guest:
        return Guest(self, seed)


class Guest:
    """An agent in a separate process, for a seat in a game."""

    def __init__(self, invitation: GuestSpec, seed: int) -> None:
        self.invitation, self.seed = invitation, seed
        self.trouble: Trouble | None = None
        self.said = ""  # the output of the process, available after its end
        self._process: Process | None = None
        self._is_ready = False
        self._is_closed = False
        self._failed: BaseException | None = None  # the error of loading
        self._had = 0.0  # processor time at suspension
        self._changing = Lock()  # guards concurrent starts and ends
        self._asked: State | None = None  # the last view sent to the process
        self._seat = ""

    def begin(self) -> None:
        """Start the process, which loads the agent in the background."""
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
        output = file_in_memory()
        with self._changing, theirs:
            try:
                if self._is_closed:
                    raise Closed(STOPPED)
                self._process = begun(theirs, output)
            except OSError as error:
                raise CrashlabError(f"cannot start a process for {entry.name}: {error}") from error
            finally:
                self._line, self._file = Channel(ours, LARGEST), output
                if self._process is None:
                    self._put_away()
        with (
            suppress(Failed),
            Clock(Time(STARTING), "to begin") as clock,
        ):  # a dead process is noticed at its first answer
            self._tell(invitation, clock)

    def get_ready(self) -> None:
        """Wait until the agent is loaded, and suspend it; if loading fails, every call raises the error."""
        if self._failed:
            raise self._failed
        if self._is_ready:
            return
        try:
            with Clock(Time(STARTING), "to begin") as clock:
                self._hear(clock)
        except (Failed, TimeIsUp) as error:  # not the agent's fault
            self._end()
            name = self.invitation.entry.name
            raise CrashlabError(f"cannot start a process for {name}: {short_str(error)}. {self.said}") from error
        try:
            with Clock(Time(LOADING), "to be loaded") as clock:
                self._hear(clock)
            self._suspend()
        except (Failed, TimeIsUp) as error:
            self._end()
            self._failed = error
            raise
        self._is_ready = True

    def __call__(self, view: State, seat: int) -> str:
        """Return the agent's action for a view, in notation; raise Failed or TimeIsUp if it gives none."""
        self._asked, self._seat = view, view.game.seat_name(seat)
        limit = self.invitation.limits.seconds
        try:
            self.get_ready()
            self._resume()
            with Clock(Time(limit)) as clock:
                self._tell({"seat": seat, "position": view.text, "seconds": limit}, clock)
                reply = self._hear(clock)
            self._suspend()
            return str(reply["played"])
        except KeyError:
            raise self._broken(Failed(NONSENSE)) from None
        except (Failed, TimeIsUp) as error:
            raise self._broken(error) from None

    def _broken(self, error: BaseException) -> BaseException:
        """End the process after an error, record the failure, and return the error."""
        self._end()
        self.trouble = self.troubled(short_str(error), trace_of(error))
        return error

    def troubled(self, words: str, trace: str = "") -> Trouble:
        """Return a Trouble with these words, the last view and the output so far."""
        position = self._asked.text if self._asked else ""
        return Trouble(self.invitation.entry.name, words, self._seat, position, trace, self.said)

    def close(self) -> None:
        """End the process immediately."""
        self._is_closed = True
        self._end()

    # The channel to the process

    def _tell(self, message: dict[str, Any], clock: Clock) -> None:
        """Send a message within the time of the clock."""
        try:
            self._line.tell(json.dumps(message).encode(), clock)
        except EOFError:
            raise self._gone(ENDING) from None

    def _hear(self, clock: Clock) -> dict[str, Any]:
        """Return the next answer of the process, within the time of the clock."""
        try:
            reply = json.loads(self._line.hear(clock))
        except EOFError:
            raise self._gone(ENDING) from None
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise Failed(NONSENSE)
        if "failed" in reply:
            failure = Failed(truncate(str(reply["failed"]), 1000))
            failure.add_note(truncate(str(reply.get("trace", "")), MOST_SAID))
            raise failure
        return reply

    def _begun(self) -> Process:
        """Return the process; raise Closed if another thread has ended it."""
        process = self._process
        if self._is_closed or process is None:
            raise Closed(STOPPED)
        return process

    def _gone(self, seconds: float) -> Exception:
        """Return the error about a process that has closed its channel."""
        try:
            status = ended(self._begun(), seconds)
        except Closed as error:
            return error
        if self._is_closed:
            return Closed(STOPPED)
        return Failed("closed its connection") if status is None else lost(status)

    def _suspend(self) -> None:
        """Suspend the process; does nothing on Windows."""
        if IS_POSIX:
            process = self._begun()
            process.signal(signal.SIGSTOP)
            end = time.monotonic() + ENDING
            while not is_at_rest(process.pid) and time.monotonic() < end:
                time.sleep(LOOK)
            self._had = worked(process.pid)

    def _resume(self) -> None:
        """Resume the process; raise Failed if it ran or sent messages while suspended."""
        process = self._begun()
        if (word := self._line.waiting()) is not None:
            raise Failed(UNASKED) if word else self._gone(10 * LOOK)
        if IS_POSIX:
            if worked(process.pid) - self._had > SLIP:
                raise Failed("ran while it was suspended")
            process.signal(signal.SIGCONT)

    def _end(self) -> None:
        """End the process and keep its output."""
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
        """Close the channel and the file of its output."""
        self._line.close()
        with self._file as file:
            file.seek(0)
            self.said = file.read(MOST_READ).decode(errors="replace")


def trace_of(error: BaseException) -> str:
    """Return the traceback within the agent."""
    return "".join(getattr(error, "__notes__", ()))


def file_in_memory() -> IO[bytes]:
    """Return an anonymous temporary file, in memory if the system supports that."""
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("said"), "w+b", buffering=0)
    return TemporaryFile(buffering=0)


def is_at_rest(pid: int) -> bool:
    """Return whether a process is stopped or has ended; True on systems other than Linux."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] in b"TtZX"
    except OSError:
        return True


def worked(pid: int) -> float:
    """Return the processor time of a process; 0 on systems other than Linux."""
    if sys.platform == "linux":
        with suppress(OSError):
            return time.clock_gettime(~pid << 3 | 2)
    return 0.0


# Processes


class Process:
    """The process of a guest, forked from the nursery."""

    def __init__(self, nursery: ForkServer, line: socket, output: IO[bytes]) -> None:
        self._nursery = nursery
        self._status: int | None = None
        self.pid = nursery.ask(bytes(8), line.fileno(), output.fileno())
        if self.pid < 2:  # numbers that stand for several processes
            raise OSError("the process cannot be copied")
        # When the nursery has ended, another process can get the same pid, but never the same handle.
        self._handle = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else None

    def signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self._status is None:
            with suppress(OSError):
                if self._handle is None:
                    os.kill(self.pid, number)
                else:
                    signal.pidfd_send_signal(self._handle, number)

    def close(self) -> None:
        """Release the handle of the process."""
        if self._status is None:  # killed, but not waited for
            self._status = -KILL
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def status(self) -> int | None:
        """Return the exit status; None while the process runs."""
        if self._status is None:
            try:
                status = self._nursery.ask(self.pid.to_bytes(8, "big"))
            except OSError:  # it ended with its nursery
                status = -KILL
            self._status = None if status == RUNNING else status
        return self._status


class Spawned(Process):
    """A guest's process on systems without fork: a new interpreter, which gets its channel from this process."""

    def __init__(self, line: socket, output: IO[bytes]) -> None:
        self._popen = subprocess.Popen(
            python("alone()"), stdin=subprocess.PIPE, stdout=output, stderr=output, env=environment(), cwd=os.sep
        )
        self.pid = self._popen.pid
        with self._popen.stdin as words:  # type: ignore[union-attr]
            words.write(b64encode(line.share(self.pid)) + b"\n")  # type: ignore[attr-defined]

    def signal(self, number: int) -> None:
        """End the process, whatever the signal."""
        self._popen.kill()

    def close(self) -> None:
        """Do nothing, as there is no handle."""

    def status(self) -> int | None:
        """Return the exit status; None while the process runs."""
        return self._popen.poll()


def ended(process: Process, seconds: float) -> int | None:
    """Wait for a process; return its exit status, or None if it still runs."""
    end = time.monotonic() + seconds
    while (status := process.status()) is None and time.monotonic() < end:
        time.sleep(LOOK)
    return status


class ForkServer:
    """The server from which guests are forked; it has imported everything they need, but no agent's source."""

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
            raise OSError(f"{short_str(lost(status))}. {printable(words.read()[-MOST_SAID:].decode(errors='replace'))}")

    def ask(self, word: bytes, *lines: int) -> int:
        """Send a request and return the answer."""
        with self._asking:
            send_fds(self._control, [word], lines)
            answer = b""
            while len(answer) < len(word):
                if not (more := self._control.recv(len(word) - len(answer))):
                    raise OSError("the process that starts the agents has ended")
                answer += more
        return int.from_bytes(answer, "big", signed=True)


def shut(owner: int, control: socket, process: subprocess.Popen[bytes]) -> None:
    """End a nursery and its guests; in a fork of its owner, only close the channel."""
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


_nurseries: list[ForkServer] = []  # at most one
_beginning = Lock()


def forget() -> None:
    """Forget the nursery in a fork of this process, as it belongs to the parent."""
    global _beginning
    _beginning = Lock()
    _nurseries.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget)


def begun(line: socket, output: IO[bytes]) -> Process:
    """Start the process of a guest, with its channel and a file for its output."""
    if not hasattr(os, "fork"):
        return Spawned(line, output)
    with _beginning:
        if _nurseries:
            try:
                return Process(_nurseries[0], line, output)
            except OSError:  # it has timed out or was ended
                _nurseries.pop().end()
        _nurseries.append(ForkServer())
        return Process(_nurseries[0], line, output)


def python(be: str) -> list[str]:
    """Return the command that runs a function of `sandbox` in a new Python, with the packages that a guest may read."""
    places = locks.readable()
    path = [os.path.abspath(folder) for folder in sys.path if folder and is_within(os.path.realpath(folder), places)]
    return [sys.executable, "-I", "-B", "-c", PROGRAM.format(path=[*path, os.path.dirname(locks.PACKAGE)], be=be)]


def environment() -> dict[str, str]:
    """Return the environment variables of a guest."""
    variables = {name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    return {**variables, **ONE_THREAD, "LC_ALL": "C.UTF-8", "PATH": os.defpath}
