"""Compiled code always belongs to the current rules, and no caller waits for it."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from threading import Event

import pytest
from checkout import ROOT, TESTS
from patience import PATIENCE

from crashlab.compiled import choose_backend, disk_cache
from crashlab.compiled.wasm import module_cache
from crashlab.engine.game import Game
from crashlab.play import simulation
from crashlab.play.simulation import Job

pytest.importorskip("wasmtime")

PLAY = """
from crashlab.compiled.choose_backend import interpreted
from crashlab.engine.game import Game
from crashlab.play.simulation import Job, backend_for
import threading
job = Job(Game("toy", "toy", {}), {}, 1, True)
backend = backend_for(job, 9, wait=True)
slow = interpreted(job.game.rules)
played, plainly = (job.play(0, 50, by, threading.Event()).scores.tolist() for by in (backend, slow))
assert played == plainly
print(backend.is_compiled, played)
"""


def python(code, folder, *more):
    """Return the output of a new interpreter that imports from this folder and caches compiled code below it."""
    path = os.pathsep.join(map(str, (folder, *more, ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "CRASHLAB_CACHE": f"{folder}/cache"}
    command = [sys.executable, "-W", "error", "-c", code]
    process = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.fixture
def toy(tmp_path):
    """Return the folder of a copy of the toy game that can be changed."""
    shutil.copytree(TESTS / "toy", tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def changed(path, before, after):
    """Change a file but neither its size nor its time, as an upgrade may."""
    text, when = path.read_text("utf-8"), path.stat()
    assert before in text and len(before) == len(after)
    path.write_text(text.replace(before, after))
    os.utime(path, ns=(when.st_atime_ns, when.st_mtime_ns))
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)


def modules(folder):
    """Return the cached modules with their times."""
    return {path: path.stat().st_mtime_ns for path in (folder / "cache").rglob("*.wasm")}


@pytest.mark.slow
def test_nobody_gets_code_of_other_rules_and_what_is_broken_is_compiled_again(toy):
    played = python(PLAY, toy)
    stored = modules(toy)
    assert played.startswith("True") and stored and python(PLAY, toy) == played and modules(toy) == stored
    for path in stored:
        path.write_bytes(path.read_bytes()[:40])
    assert python(PLAY, toy) == played
    changed(toy / "toy" / "rules.py", "GUSTS = (1, 2, 1)", "GUSTS = (2, 1, 1)")
    second = python(PLAY, toy)
    changed(toy / "toy" / "rules.py", "+ action, GUST_RULE", "- action, GUST_RULE")
    assert len({played, second, python(PLAY, toy)}) == 3


def test_a_helper_in_another_file_counts(tmp_path):
    """A change to a function elsewhere in the package that the rules call also makes a new module necessary."""
    shutil.copytree(ROOT / "crashlab", tmp_path / "crashlab", ignore=shutil.ignore_patterns("__pycache__", "*.ipynb"))
    first = python(PLAY, tmp_path, TESTS)
    changed(tmp_path / "crashlab" / "engine" / "chance.py", "0x94D049BB133111EB", "0x94D049BB133111ED")
    second = python(PLAY, tmp_path, TESTS)
    assert first.startswith("True") and second.startswith("True") and first != second


def test_where_nothing_can_be_written_it_compiles_all_the_same(toy):
    (toy / "cache").write_text("this is not a folder")
    assert python(PLAY, toy).startswith("True")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
def test_the_folder_of_compiled_code_is_made_for_its_owner_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("CRASHLAB_CACHE", str(tmp_path / "above" / "cache"))
    folder = disk_cache.cache_folder()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder.parent)] == [0o700] * 2


def test_a_module_with_a_wrong_byte_anywhere_is_made_anew_and_is_right_then(tmp_path, monkeypatch):
    monkeypatch.setenv("CRASHLAB_CACHE", str(tmp_path))
    modules = []

    def emit():
        modules.append(module_cache.Emitted(b"\0asm" + bytes(range(40)), "i64"))
        return modules[-1]

    right = module_cache.load("key", emit)
    path = tmp_path / "key.wasm"
    content = path.read_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        modules.clear()
        assert module_cache.load("key", emit) == right and len(modules) == 1, place
        assert module_cache.load("key", emit) == right and len(modules) == 1 and path.read_bytes() == content
    path.write_bytes(b'{"length": 44, "result": "i64"}\n' + right.binary)  # the format of an earlier version
    assert module_cache.load("key", emit) == right and len(modules) == 2


def test_a_home_that_is_unknown_keeps_nothing(monkeypatch, capsys):
    def unknown():
        raise RuntimeError("Could not determine home directory.")

    for name in ("CRASHLAB_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    disk_cache.say.cache_clear()
    assert disk_cache.cache_folder() is None and "home" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there are no such limits")
def test_with_little_address_space_it_says_so_once_and_plays_on(toy):
    little = "import resource, sys\nsys.stderr = sys.stdout\nresource.setrlimit(resource.RLIMIT_AS, (2 << 30,) * 2)\n"
    message, played = python(little + PLAY + "backend_for(job, 9, wait=True)", toy).splitlines()
    assert message.startswith("crashlab: these rules are not compiled: compiled rules need 4 GB of address space")
    assert played == python(PLAY, toy).strip().replace("True", "False", 1)
    warm = "from crashlab.cli.main import main\nassert main(['warm', 'crash_city']) == 2"
    assert python(little + warm, toy).startswith("crashlab: compiled rules need 4 GB of address space")


def test_without_wasmtime_it_says_so_once_and_plays_on(toy):
    hidden = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "wasmtime" else find(name, package)
"""
    lines = python(hidden + PLAY + "backend_for(job, 9, wait=True)", toy).splitlines()
    assert [line.startswith("crashlab: without wasmtime") for line in lines] == [True, False]
    assert lines[1] == python(PLAY, toy).strip().replace("True", "False", 1)


def test_while_it_compiles_one_can_play_on_leave_and_interrupt(toy):
    """The message is printed inside the try, so that a reader may interrupt at once.

    An interrupt just before a sleep takes effect only after it, so the sleeps are short.
    """
    code = """
import crashlab, time
from crashlab.compiled import choose_backend
game, never = crashlab.game("autoscooter"), __import__("threading").Event()
assert not choose_backend.quickest(game.rules, "games", lambda backend: never.wait()).is_compiled
game.start().play(dict.fromkeys(range(4), "-"))
try:
    print("played", flush=True)
    for _ in range(100 * WAIT):
        time.sleep(0.1)
except KeyboardInterrupt:
    print("interrupted")
"""
    assert python(f"WAIT = 0{code}", toy) == "played\n"
    environment = {**os.environ, "CRASHLAB_CACHE": f"{toy}/cache"}
    command = [sys.executable, "-c", f"WAIT = 6{code}"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "played\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted\n" and process.wait(PATIENCE) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be copied here")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
@pytest.mark.parametrize("name", ["lock", "llvm_lock"])
def test_a_copy_of_a_process_has_our_locks(name):
    """Another thread may hold them when the process is copied, and would never release them in the copy."""
    is_held, lock = threading.Event(), getattr(choose_backend, name)

    def hold():
        with lock:
            is_held.set()
            time.sleep(0.1)

    thread = threading.Thread(target=hold)
    thread.start()
    assert is_held.wait(PATIENCE)
    pid = os.fork()
    if not pid:
        os._exit(0 if lock.acquire(timeout=5) else 1)
    assert os.waitpid(pid, 0)[1] == 0
    thread.join()


def test_rules_that_are_changed_in_a_running_program_are_compiled_anew(monkeypatch):
    game = Game("toy", "toy", {})
    job = Job(game, {}, 1, True)
    before = job.play(0, 20, choose_backend.compiled(game.rules), Event()).scores
    monkeypatch.setattr(game.rules.score, "__code__", (lambda table, seat: 100 + table.square[seat]).__code__)
    assert not choose_backend.is_ready(game.rules, "games")
    assert (job.play(0, 20, choose_backend.compiled(game.rules), Event()).scores == before + 100).all()
    monkeypatch.undo()
    assert (job.play(0, 20, choose_backend.compiled(game.rules), Event()).scores == before).all()


def test_pieces_are_played_by_what_is_ready_then_and_the_numbers_are_those_of_one_body(monkeypatch):
    may_end, play, backends, pieces = Event(), Job.play, [], []

    def noted(job, first, games, backend, stop):
        backends.append(type(backend).__name__)
        return play(job, first, games, backend, stop)

    for name in ("_preparing", "_compiled"):
        monkeypatch.setattr(choose_backend, name, {})
    purpose = choose_backend.Purpose(lambda game: True, lambda game, backend: may_end.wait(PATIENCE))
    monkeypatch.setitem(choose_backend.PURPOSES, "games", purpose)
    monkeypatch.setattr(simulation, "PATIENCE", 0.0)
    monkeypatch.setattr(Job, "play", noted)
    game = Game("toy", "toy", {})
    job = Job(game, {}, 3, False)
    for piece in simulation.own_pieces(job, 0, 200, 1):
        pieces.append(piece)
        may_end.set()
        choose_backend.wait_for_the_compiler()
    assert backends[0] == "Interpreted" and backends[-1] == "Wasm"
    alone = play(job, 0, 200, choose_backend.interpreted(game.rules), Event())
    assert (simulation.joined(pieces).scores == alone.scores).all()
