"""Agents of others, each in a process of its own that knows nothing but what a seat sees.

The process is a new Python, not a copy of this one: it gets the text of the agent, the game, and positions as text (see
`sandbox`), no open files, no variables of the environment, and an empty folder. Only the one that is asked runs; the
others are held (SIGSTOP), with all the threads that they have. Who takes too long is ended.

What this does not keep out: native code of an agent's own can do what the user can who runs the league, such as read
files, use the network, or end other processes. For agents that are not trusted, run the league in a container. Luck is
SplitMix64, which is no cipher. On Windows there are no limits of memory, and nobody is held.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import IO, Any

from crashlab.base.clock import Clock, Time, TimeIsUp, in_thread
from crashlab.base.errors import CrashlabError, cut, printable, told
from crashlab.engine.game import Game, State
from crashlab.play.process_agent import Closed, Failed, lost

LARGEST = 1 << 16  # bytes of an answer
MOST_SAID = 4000  # bytes that are kept of what a guest prints in a game
STARTING = 120.0  # seconds in which a process has to begin
LOADING = 30.0  # seconds in which an agent has to be loaded and made
ENDING = 5.0  # seconds in which the last words of a process that has ended have to arrive
PROGRAM = "import sys; sys.path[:] = {path!r}; from crashlab.play.league.sandbox import main; main()"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
STOPPED = "the game was stopped"
NONSENSE = "sent what is no answer"
IS_POSIX = os.name == "posix"


@dataclass(frozen=True)
class Entry:
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

    entry: Entry
    game: Game
    limits: Limits
    closed: tuple[str, ...] = ()  # folders that it cannot read, whatever lies round them

    def __call__(self, seed: int) -> Guest:
        return Guest(self, seed)


class Guest:
    """An agent in a process of its own, for one seat in one game."""

    def __init__(self, invitation: Invitation, seed: int) -> None:
        self.invitation = invitation
        self.seed = seed
        self.trouble: Trouble | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._is_ready = False
        self._is_closed = False
        self._failed: BaseException | None = None  # why it was not loaded
        self._said = bytearray()
        self._changing = Lock()  # one may want to begin it, and two to end it, at once
        self._asked: State | None = None  # what it was shown last
        self._seat = ""

    def begin(self) -> None:
        """Start the process, where the agent is loaded meanwhile; it ends with the thread that calls this."""
        self._folder = TemporaryDirectory(prefix="crashlab-guest-")
        os.chmod(self._folder.name, 0o500)
        path = [os.path.abspath(folder) for folder in sys.path]
        with self._changing:
            if self._is_closed:
                self._folder.cleanup()
                raise Closed(STOPPED)
            try:
                self._process = process = subprocess.Popen(
                    [sys.executable, "-I", "-B", "-c", PROGRAM.format(path=path)], cwd=self._folder.name,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                    **({"process_group": 0} if IS_POSIX else {}),  # type: ignore[call-overload]
                )  # fmt: skip
            except OSError as error:
                self._folder.cleanup()
                name = self.invitation.entry.name
                raise CrashlabError(f"no process can be begun for {name}: {error}") from error
            assert process.stderr is not None
            self._ear = Thread(target=keep, args=(process.stderr, self._said), daemon=True)
            self._ear.start()
        entry, limits = self.invitation.entry, self.invitation.limits
        self._tell({
            "name": entry.name, "text": entry.text, "seed": self.seed, "memory": limits.memory,
            "game": b64encode(pickle.dumps(self.invitation.game)).decode(), "closed": self.invitation.closed,
            "parent": os.getpid(),
        })  # fmt: skip

    def get_ready(self) -> None:
        """Wait until the agent is loaded, and hold it; raises what went wrong with that, whenever it is called."""
        if self._failed:
            raise self._failed
        if self._is_ready:
            return
        try:
            self._hear(Clock(Time(STARTING), "to begin"))
        except (Failed, TimeIsUp) as error:  # that is not the agent's fault
            self._end()
            name = self.invitation.entry.name
            raise CrashlabError(f"no process can be begun for {name}: {told(error)}. {self.said}") from error
        try:
            self._hear(Clock(Time(LOADING), "to be loaded"))
        except (Failed, TimeIsUp) as error:
            self._end()
            self._failed = error
            raise
        self._is_ready = True
        self._hold()

    def __call__(self, seen: State, seat: int) -> str:
        """Its action at what a seat sees, as notation."""
        self._asked, self._seat = seen, seen.game.seat_name(seat)
        try:
            self.get_ready()
            self._signal("SIGCONT")
            limit = self.invitation.limits.seconds
            self._tell({"seat": seat, "position": seen.text, "seconds": limit})
            reply = self._hear(Clock(Time(limit)))
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

    @property
    def said(self) -> str:
        """What it has printed, as far as it is kept."""
        return bytes(self._said).decode(errors="replace")

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._is_closed = True
        self._end()

    # The line to the process

    def _tell(self, message: dict[str, Any]) -> None:
        stdin = self._begun().stdin
        assert stdin is not None
        with suppress(OSError, ValueError):  # it has gone, or was closed: that is found when it does not answer
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()

    def _hear(self, clock: Clock) -> dict[str, Any]:
        """What it answers, while the clock runs."""
        process = self._begun()
        assert process.stdout is not None
        with clock:
            line = in_thread(partial(heard, process.stdout), clock)
        if not line:
            raise self._gone(process)
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise Failed(NONSENSE)
        if "failed" in reply:
            failed = Failed(cut(str(reply["failed"]), 1000))
            failed.add_note(cut(str(reply.get("trace", "")), MOST_SAID))
            raise failed
        return reply

    def _begun(self) -> subprocess.Popen[bytes]:
        """The process; another thread may end it at any moment."""
        if self._is_closed or self._process is None:
            raise Closed(STOPPED)
        return self._process

    def _gone(self, process: subprocess.Popen[bytes]) -> Exception:
        """What has become of a process that has closed its line."""
        if self._is_closed:
            return Closed(STOPPED)
        try:
            return lost(process.wait(ENDING))
        except subprocess.TimeoutExpired:
            return Failed("closed its line")

    def _hold(self) -> None:
        self._signal("SIGSTOP")

    def _signal(self, name: str) -> None:
        """Send a signal to the process and all that it has begun."""
        process = self._process
        if IS_POSIX and process and process.returncode is None:
            with suppress(OSError):
                os.killpg(process.pid, getattr(signal, name))

    def _end(self) -> None:
        """End the process; what it has printed stays."""
        with self._changing:
            process = self._process
            if process is None:
                return
            self._signal("SIGKILL")
            process.kill()
            process.wait()
            self._ear.join(ENDING)
            for line in (process.stdin, process.stdout):
                with suppress(OSError):
                    line.close()  # type: ignore[union-attr]
            self._process = None
            self._folder.cleanup()


def trace_of(error: BaseException) -> str:
    """The lines of an agent that led to an error."""
    return "".join(getattr(error, "__notes__", ()))


def heard(stdout: IO[bytes]) -> bytes:
    """A line; nothing where there is none any more."""
    try:
        return stdout.readline(LARGEST)
    except ValueError:  # it was closed meanwhile
        return b""


def keep(stream: IO[bytes], said: bytearray) -> None:
    """Read a stream to its end, and keep its beginning."""
    with suppress(OSError, ValueError), stream:
        while more := os.read(stream.fileno(), 1 << 16):
            if len(said) <= MOST_SAID:
                said += more[: MOST_SAID - len(said)]
                if len(said) >= MOST_SAID:
                    said += b" ... (it prints more than is kept)"


def environment() -> dict[str, str]:
    """All the variables that a guest has."""
    needed = {name: os.environ[name] for name in ("SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    return {**needed, **ONE_THREAD, "LC_ALL": "C.UTF-8", "PATH": os.defpath}
