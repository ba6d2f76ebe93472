"""The process of a guest: it restricts itself, loads an agent from its source, and answers questions.

    nursery   the server from which guests are forked, with everything imported, but no agent's source
    guest     a fork for one agent, with its source, the game, and views of its seat

Secrets are safe because they are not in the process. The abilities of the process are limited in layers (`locks`):
Landlock and seccomp, enforced by the kernel for any code, and limits of resources. In addition, an audit hook of Python
raises an error that says what an agent may not do. By itself, the hook stops mistakes, but not an attacker.
"""

import ast
import gc
import importlib
import json
import linecache
import os
import pickle
import random
import select
import signal
import sys
import traceback
from base64 import b64decode
from collections.abc import Callable, Collection, Iterator
from contextlib import redirect_stdout, suppress
from socket import recv_fds, socket
from types import ModuleType
from typing import Any

from crashlab.base.errors import CrashlabError, require, short_repr, short_str, truncate
from crashlab.base.syntax import module_tree
from crashlab.compiled import choose_backend
from crashlab.engine.game import Game, State
from crashlab.games import NAMES, game
from crashlab.play.league import locks
from crashlab.play.process_agent import Channel, SentOutput

if sys.platform != "win32" and sys.platform != "emscripten":
    import fcntl
    import resource

LARGEST = 1 << 26  # most bytes of a question
MOST_SAID = 4000  # most letters of a guest's output per game
MOST_TRACED = 4000  # most letters of a traceback
GRACE = 5.0  # seconds after the time limit at which a process ends itself, in case its parent is gone
IDLE = 60.0  # seconds without a request after which a nursery ends
LOOK = 1.0  # seconds between checks that its parent is alive
RUNNING = 1 << 20  # reported instead of an exit status
NO_ANSWER = "it must return an action"

# Refused audit events, by prefixes of their names, and descriptions of the action.
REFUSED = {
    "os.fork": "begin processes",
    "os.forkpty": "begin processes",
    "os.exec": "begin processes",
    "os.posix_spawn": "begin processes",
    "os.spawn": "begin processes",
    "os.system": "begin processes",
    "os.startfile": "begin processes",
    "subprocess.": "begin processes",
    "pty.": "begin processes",
    "os.kill": "send signals",
    "signal.pthread_kill": "send signals",
    "socket.": "use the network",
    "os.mkdir": "write files",
    "os.rename": "write files",
    "os.remove": "write files",
    "os.rmdir": "write files",
    "os.link": "write files",
    "os.symlink": "write files",
    "os.chmod": "write files",
    "os.chown": "write files",
    "os.truncate": "write files",
    "os.utime": "write files",
    "shutil.": "write files",
    "tempfile.": "write files",
    "sqlite3.connect": "write files",
    "resource.": "change its limits",
    "gc.get_": "look into this process",
    "ctypes.dlsym": "call machine code",
    "ctypes.call_function": "call machine code",
}
LOOKS = ("open", "os.listdir", "os.scandir", "os.chdir")  # audit events of reading files and folders
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Modules with side effects on import, which are not imported in advance.
LEFT_OUT = {"antigravity", "this", "test", "tests", "idlelib", "turtledemo", "lib2to3", "ensurepip", "venv", "__main__"}
ERRORS_NEED = "linecache", "tokenize", "traceback", "encodings.idna", "encodings.latin_1", "numpy.random"


class Refused(PermissionError):
    """Raised if an agent does something forbidden."""


# The nursery


def nursery(control: int, parent: int) -> None:
    """Run the server from which guests are forked, until its parent ends or it has no guests and no requests."""
    line = socket(fileno=control)
    with redirect_stdout(None):
        prepare()
    children: set[int] = set()
    line.sendall(b"\0")
    idle = 0.0
    while children or idle < IDLE:
        if not select.select([line], [], [], LOOK)[0]:
            idle += LOOK
            if os.getppid() == parent:
                continue
            break
        idle = 0.0
        word, lines, _, _ = recv_fds(line, 8, 2)
        if not word:
            break
        if lines:
            children.add(child := copied(lines, line))
            line.sendall(child.to_bytes(8, "big"))
        else:
            line.sendall(status_of(int.from_bytes(word, "big"), children).to_bytes(8, "big", signed=True))
    for pid in children:
        os.kill(pid, signal.SIGKILL)


def prepare() -> None:
    """Import everything that guests need, so that they start quickly."""
    without_compiler()
    for name in NAMES:
        state = game(name).start(0)
        seat = max(state.actors[0], 0)
        game(name).read(state.text).seen_by(seat)
    for name in ERRORS_NEED:
        importlib.import_module(name)
    sys.path[:] = [folder for folder in sys.path if is_within(os.path.realpath(folder), locks.readable())]
    gc.collect()
    gc.freeze()


def copied(lines: list[int], control: socket) -> int:
    """Fork the process of a guest, with its channel and a file for its output; return its pid."""
    parent = os.getpid()
    pid = os.fork()
    if pid:
        for line in lines:
            os.close(line)
        return pid
    try:
        end_with(parent)
        with socket(fileno=settled(*lines)) as channel:
            guest(Channel(channel, LARGEST))
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def status_of(pid: int, children: set[int]) -> int:
    """Return the exit status of a guest, negative for a signal; RUNNING before its end, 0 if it is no child."""
    if pid not in children:
        return 0
    end, status = os.waitpid(pid, os.WNOHANG)
    if not end:
        return RUNNING
    children.discard(pid)
    return os.waitstatus_to_exitcode(status)


def alone() -> None:
    """Run the process of a guest on systems without fork; its output is not redirected."""
    from socket import fromshare  # type: ignore[attr-defined]

    without_compiler()
    with fromshare(b64decode(sys.stdin.buffer.readline())) as line:
        guest(Channel(line, LARGEST))


def end_with(parent: int) -> None:
    """Make this process end with its parent, even while suspended; only effective on Linux."""
    if sys.platform == "linux":
        locks.control(locks.PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # the parent has ended already
        os._exit(1)


def settled(line: int, output: int) -> int:
    """Close all files except an empty input, the output and the channel; return the channel's descriptor."""
    descriptors = os.open(os.devnull, os.O_RDONLY), output, output, line
    for place, high in enumerate([fcntl.fcntl(number, fcntl.F_DUPFD, 10) for number in descriptors]):
        os.dup2(high, place)
    os.closerange(len(descriptors), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return len(descriptors) - 1


# A guest


def guest(line: Channel) -> None:
    """Load the agent and answer questions until the channel is closed."""
    invitation = json.loads(line.hear())
    rules = game_of(b64decode(invitation["game"]), invitation["home"])
    name, text, memory = invitation["name"], invitation["text"], invitation["memory"]
    voice = sys.stdout = sys.stderr = SentOutput(print_words, MOST_SAID)
    seed_all(invitation.pop("seed"))
    try:
        lock(tuple(invitation["layers"]), text, memory, invitation["home"])
    except RuntimeError as error:  # its imports have started threads
        for reply in ({"begun": True}, failure(error, memory)):
            send(line, reply)
        return
    send(line, {"begun": True})
    try:
        agent = loaded(name, text)
    except BaseException as error:  # user code can raise anything
        send(line, failure(error, memory))
        return
    finally:
        voice.flush()
    send(line, {"ready": True})
    while True:
        try:
            question = json.loads(line.hear())
        except EOFError:
            return
        reply = answer(agent, rules, memory, **question)
        voice.flush()
        send(line, reply)


def seed_all(seed: int) -> None:
    """Seed the generators of Python and NumPy, leaving the seed in no frame that the agent can inspect."""
    random.seed(seed)
    sys.modules["numpy"].random.seed([seed >> place & 0xFFFFFFFF for place in range(0, 128, 32)])


def game_of(content: bytes, home: str) -> Game:
    """Unpickle a game, even if its package is in a folder that is not in `sys.path`."""
    root = os.path.dirname(home)
    while os.path.exists(os.path.join(root, "__init__.py")):
        root = os.path.dirname(root)
    sys.path.append(root)
    try:
        game: Game = pickle.loads(content)
        game.start(0).seen_by(0)
    finally:
        sys.path.pop()
    return game


def lock(layers: tuple[str, ...], text: str, memory: int, home: str) -> None:
    """Import the agent's modules, and then restrict this process, before its source runs."""
    os.chdir(os.path.abspath(os.sep))
    with redirect_stdout(None):
        for module in named(text):
            with suppress(BaseException):
                importlib.import_module(module)
    places = *locks.readable(), os.path.realpath(home)
    locks.lock(layers, memory, 4 * MOST_SAID, places)
    if locks.HOOK in layers:
        sys.addaudithook(guard(places))


def named(text: str) -> Iterator[str]:
    """Yield the modules of Python, NumPy, SciPy and crashlab that an agent's source imports, without running it."""
    packages = (sys.stdlib_module_names - LEFT_OUT) | {"numpy", "scipy", "crashlab"}
    try:
        nodes = list(ast.walk(module_tree(text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in nodes:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            parts = name.split(".")
            if parts[0] in packages and not LEFT_OUT & set(parts):
                yield name


def print_words(words: str) -> None:
    """Write an agent's output to its file, as long as there is room."""
    with suppress(OSError):
        os.write(1, words.encode(errors="backslashreplace"))


def without_compiler() -> None:
    """Disable the compiler, which takes longer than a move and whose cache guests must not use."""
    sys.modules["wasmtime"] = None  # type: ignore[assignment]
    with redirect_stdout(None):
        choose_backend.can_compile()  # prints its message about the compiler once, here


def guard(open_to: tuple[str, ...]) -> Callable[[str, tuple[Any, ...]], None]:
    """Return an audit hook that raises Refused for forbidden actions, with an explanation."""
    refusals, looks, nothing, within = tuple(REFUSED.items()), LOOKS, locks.READABLE_FILES, is_within
    is_kind, plain, text, decode, whole = isinstance, (str, bytes), str, os.fsdecode, os.path.realpath
    reading = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_DIRECTORY", 0)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in looks:
            path = arguments[0]
            if not is_kind(path, plain):  # the descriptor of an open file
                return
            path = decode(path)
            if path in nothing:
                return
            writes = event == "open" and arguments[2] & ~reading & WRITING
            where = whole(path)
            if writes or not within(where, open_to):
                raise Refused(f"an agent of a league may not {'write' if writes else 'read'} {truncate(path)}")
            return
        for begin, what in refusals:
            if event.startswith(begin):
                raise Refused(f"an agent of a league may not {what} ({text(event)})")

    return hook


def is_within(path: str, folders: Collection[str]) -> bool:
    """Return whether a path is one of some folders, or below one."""
    return any(path == folder or path.startswith(folder.rstrip(os.sep) + os.sep) for folder in folders)


def loaded(name: str, text: str) -> Callable[[State, int], object]:
    """Return the agent of a file: its function `agent`, or the result of its function `make`."""
    file = f"{name}.py"
    module_name = f"{name}, a guest"  # distinct, so that `random.py` does not shadow a module
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)  # for tracebacks
    sys.modules[module_name] = module = ModuleType(module_name)
    module.__file__ = file
    exec(compile(text, file, "exec", dont_inherit=True), vars(module))
    make, agent = vars(module).get("make"), vars(module).get("agent")
    require(
        make is not None or agent is not None,
        "it needs a function agent(state, seat), or a function make() that returns one",
    )
    result = agent if make is None else make()
    if not callable(result):
        what = "make() returns" if make else "agent is"
        raise CrashlabError(f"{what} {short_repr(result)}, which is not a function (state, seat)")
    return result  # type: ignore[no-any-return]


def answer(
    agent: Callable[[State, int], object], game: Game, memory: int, seat: int, position: str, seconds: float
) -> dict[str, Any]:
    """Return a message with the agent's answer at a position, in notation, or with the reason why there is none."""
    try:
        view = game.read(position, forced=False).seen_by(seat)
        ring_after(seconds + GRACE)
        action = agent(view, seat)
        ring_after(0)
        reason = NO_ANSWER if action is None else view.refusal(seat, action)
        if reason:
            return {"failed": f"answered {short_repr(action)}: {reason}", "trace": ""}
        return {"played": game.say(view.table, seat, view.code(seat, action))}
    except BaseException as error:  # user code can raise anything
        ring_after(0)
        return failure(error, memory)


def ring_after(seconds: float) -> None:
    """Set an alarm that ends this process, if supported; 0 cancels it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def failure(error: BaseException, memory: int) -> dict[str, Any]:
    """Describe an error, with the traceback within the agent."""
    kind = type(error).__name__
    words = (
        f"needs more than {memory} MB of memory" if isinstance(error, MemoryError) else f"{kind}: {short_str(error)}"
    )
    with suppress(Exception):  # an exception of user code may be impossible to format
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
        return {"failed": words, "trace": "".join(traceback.format_list(frames))[-MOST_TRACED:]}
    return {"failed": words, "trace": ""}


def send(line: Channel, reply: dict[str, Any]) -> None:
    """Send an answer."""
    line.tell(json.dumps(reply).encode())
