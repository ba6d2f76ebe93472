"""What the process of a guest does: it loads an agent from its text, shows it positions, and sends back its actions.

A line of JSON comes in for each question and a line goes out for each answer. All that the process is told is the text
of the agent, the game, and positions as a seat sees them; so all that it hides is hidden by not being there.

What an agent may do is limited by the system (memory, the size of files, processes and threads, though not those of
root) and by Python: an audit hook refuses files, processes, signals and the network. Python itself says that such hooks
keep nobody in who is bent on getting out, as by machine code of their own. They keep out what a program does by mistake
or for fun, and say so.
"""

from __future__ import annotations

import ctypes
import io
import json
import linecache
import os
import pickle
import random
import signal
import sys
import traceback
from base64 import b64decode
from collections.abc import Callable, Collection
from contextlib import redirect_stdout, suppress
from types import ModuleType
from typing import Any, BinaryIO

from crashlab.base.errors import CrashlabError, cut, shown, told
from crashlab.compiled import bodies as twin
from crashlab.engine.game import Game, State

if sys.platform != "win32":
    import resource

LARGEST = 1 << 16  # bytes of an answer
MOST_TRACED = 4000  # letters of a traceback
GRACE = 5.0  # seconds after its time in which a process ends by itself, should nobody be there to end it
MEGABYTE = 1 << 20
PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl
NO_ANSWER = "it must return an action"

# Events of Python's audit hooks, as far as their names begin so, and what an agent would do by them.
REFUSED = {
    "os.fork": "begin processes", "os.forkpty": "begin processes", "os.exec": "begin processes",
    "os.posix_spawn": "begin processes", "os.spawn": "begin processes", "os.system": "begin processes",
    "os.startfile": "begin processes", "subprocess.": "begin processes", "pty.": "begin processes",
    "os.kill": "send signals", "signal.pthread_kill": "send signals", "socket.": "use the network",
    "os.mkdir": "write files", "os.rename": "write files", "os.remove": "write files", "os.rmdir": "write files",
    "os.link": "write files", "os.symlink": "write files", "os.chmod": "write files", "os.chown": "write files",
    "os.truncate": "write files", "os.utime": "write files", "shutil.": "write files", "tempfile.": "write files",
    "sqlite3.connect": "write files", "resource.": "change its limits", "gc.get_": "look into this process",
    "ctypes.dlsym": "call machine code", "ctypes.call_function": "call machine code",
}  # fmt: skip
LOOKS = ("open", "os.listdir", "os.scandir", "os.chdir")  # what reads a file or a folder
NOTHING = os.devnull, "/dev/urandom"


class Refused(PermissionError):
    """An agent did what no agent of a league may do."""


def main() -> None:
    """Be the process of a guest, until nobody asks any more."""
    heard, said = private_lines()
    invitation = json.loads(heard.readline())
    game = pickle.loads(b64decode(invitation["game"]))
    without_compiler()
    end_with(invitation["parent"])
    limit(invitation["memory"])
    random.seed(invitation["seed"])
    send(said, {"begun": True})
    sys.addaudithook(guard(allowed(), tuple(invitation["closed"])))
    try:
        agent = loaded(invitation["name"], invitation["text"])
        seed_numpy(invitation["seed"])
    except BaseException as error:  # whatever a student's code can think of
        send(said, failure(error, invitation["memory"]))
        return
    send(said, {"ready": True})
    while question := heard.readline():
        send(said, answer(agent, game, invitation["memory"], **json.loads(question)))


def private_lines() -> tuple[BinaryIO, BinaryIO]:
    """What comes in and what goes out, where no `print` and no `input` gets at it; what is printed goes to stderr."""
    heard, said = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # so that nothing is lost, however the process ends
    return os.fdopen(heard, "rb"), os.fdopen(said, "wb")


def without_compiler() -> None:
    """Have all be interpreted: to compile takes longer than a move, and its cache is not for guests."""
    for compiler in ("numba", "wasmtime"):
        sys.modules[compiler] = None  # type: ignore[assignment]
    with redirect_stdout(None):
        twin.can_compile()  # it says once that it cannot


def end_with(parent: int) -> None:
    """Have this process end with the one that has begun it, also while it is held; only Linux can be asked for that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:  # it has ended already
            os._exit(1)


def limit(megabytes: int) -> None:
    """What the system sees to, where it does: memory, files, processes and threads, and no core dumps."""
    if sys.platform == "win32":
        return
    most = {resource.RLIMIT_AS: megabytes * MEGABYTE, resource.RLIMIT_FSIZE: 0, resource.RLIMIT_CORE: 0}
    if hasattr(resource, "RLIMIT_NPROC"):
        most[resource.RLIMIT_NPROC] = 0
    for what, number in most.items():
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (number, number))


def allowed() -> tuple[str, ...]:
    """The folders from which a guest can read: those of Python and of what can be imported, and its own."""
    folders = {sys.prefix, sys.base_prefix, sys.exec_prefix, os.getcwd(), "/usr/share", "/usr/lib", *sys.path}
    return tuple(os.path.realpath(folder) for folder in folders if folder)


def guard(open_to: tuple[str, ...], closed: tuple[str, ...]) -> Callable[[str, tuple[Any, ...]], None]:
    """A hook that refuses what no agent may do; it can be asked for nothing and changed by nothing."""
    refused, looks, nothing, within = tuple(REFUSED.items()), LOOKS, NOTHING, is_within
    is_kind, plain, text, decode, whole = isinstance, (str, bytes), str, os.fsdecode, os.path.realpath
    reading = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_DIRECTORY", 0)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in looks:
            path = arguments[0]
            if not is_kind(path, plain):  # a number: it is open already
                return
            path = decode(path)
            if path in nothing:
                return
            writes = event == "open" and arguments[2] & ~reading & WRITING
            where = whole(path)
            if writes or within(where, closed) or not within(where, open_to):
                raise Refused(f"an agent of a league may not {'write' if writes else 'read'} {cut(path)}")
            return
        for begin, what in refused:
            if event.startswith(begin):
                raise Refused(f"an agent of a league may not {what} ({text(event)})")

    return hook


WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def is_within(path: str, folders: Collection[str]) -> bool:
    """Whether a path is one of these folders, or below one."""
    return any(path == folder or path.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)


def loaded(name: str, text: str) -> Callable[[State, int], object]:
    """The agent of a file: its function `agent`, or what its function `make` gives."""
    file = f"{name}.py"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)  # for tracebacks
    module = ModuleType(name)
    module.__file__ = file
    sys.modules.setdefault(name, module)
    exec(compile(text, file, "exec", dont_inherit=True), vars(module))
    make, agent = vars(module).get("make"), vars(module).get("agent")
    if make is None and agent is None:
        raise CrashlabError("it has no function agent(state, seat), and no make() that gives one")
    found = agent if make is None else make()
    if not callable(found):
        raise CrashlabError(f"{'make() gives' if make else 'agent is'} {shown(found)}, no function (state, seat)")
    return found  # type: ignore[no-any-return]


def seed_numpy(seed: int) -> None:
    """Have NumPy's own random numbers be the same when the game is played again."""
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % (1 << 32))


def answer(
    agent: Callable[[State, int], object], game: Game, memory: int, seat: int, position: str, seconds: float
) -> dict[str, Any]:
    """What the agent answers at a position, as notation, or why there is no answer."""
    try:
        seen = game.read(position, forced=False).seen_by(seat)
        ring_after(seconds + GRACE)
        action = agent(seen, seat)
        ring_after(0)
        reason = NO_ANSWER if action is None else seen.refusal(seat, action)
        if reason:
            return {"failed": f"answered {shown(action)}: {reason}", "trace": ""}
        return {"played": game.say(seen.table, seat, seen.code(seat, action))}
    except BaseException as error:  # whatever a student's code can think of
        ring_after(0)
        return failure(error, memory)


def ring_after(seconds: float) -> None:
    """End this process then, where there are alarms; 0: do not."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def failure(error: BaseException, memory: int) -> dict[str, Any]:
    """What went wrong, in words, with the lines of the agent that led to it."""
    kind = type(error).__name__
    words = f"needs more than {memory} MB of memory" if isinstance(error, MemoryError) else f"{kind}: {told(error)}"
    with suppress(Exception):  # an error can be so made that it cannot be told
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
        return {"failed": words, "trace": "".join(traceback.format_list(own))[-MOST_TRACED:]}
    return {"failed": words, "trace": ""}


def send(said: BinaryIO, reply: dict[str, Any]) -> None:
    """Send an answer, as one line."""
    said.write(json.dumps(reply).encode() + b"\n")
    said.flush()
