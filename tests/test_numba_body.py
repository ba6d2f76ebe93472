"""Nobody gets machine code of other rules, and nobody waits for it."""

import os
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
import types
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest
from patience import PATIENCE

import crashlab
from crashlab.compiled import choose_body, disk_cache, numba_body
from crashlab.compiled.kernels import random_play
from crashlab.compiled.numba_body import Numba
from crashlab.engine.game import Game
from crashlab.play import simulation
from crashlab.play.simulation import Job

pytestmark = pytest.mark.usefixtures("by_numba")


def test_a_changed_helper_or_constant_has_another_key(monkeypatch):
    """The name under which machine code is kept depends on everything that it was made of."""
    game = crashlab.game("autoscooter")

    def key():
        return Numba(game.rules)._key(random_play.play_games)

    first = key()
    assert key() == first
    monkeypatch.setattr(game.rules, "AHEAD", game.rules.AHEAD[::-1])
    assert key() != first
    monkeypatch.undo()
    monkeypatch.setattr(game.rules.pay, "__code__", game.rules.pay_box.__code__)
    assert key() != first
    monkeypatch.undo()
    monkeypatch.setattr(sys, "version", "3.99")
    assert key() != first


# In processes of their own: what is kept on disk, leaving in the middle, no Numba

ROOT = Path(__file__).parent.parent
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such owners and rights")
PLAY = """
from crashlab.compiled.choose_body import interpreted
from crashlab.engine.game import Game
from crashlab.play.simulation import Job, body_for
import threading
job = Job(Game("toy", "toy", {}), {}, 1, True)  # games whose events are counted are compiled alone, so sooner
body = body_for(job, 9, wait=True)
played, plainly = (job.play(0, 50, by, threading.Event()).scores.tolist() for by in (body, interpreted(job.game.rules)))
assert played == plainly
print(body.is_compiled, played)
"""


def python(code, folder, *more):
    """What a new interpreter prints, with modules from this folder and compiled code kept below it."""
    path = os.pathsep.join(map(str, (folder, *more, ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "CRASHLAB_CACHE": f"{folder}/cache"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def toy(tmp_path):
    """A copy of the toy game that can be changed."""
    shutil.copytree(Path(__file__).parent / "toy", tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """What is played with the toy's rules where nothing has been compiled before, and the folder with what is then."""
    folder = tmp_path_factory.mktemp("compiled")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRASHLAB_COMPILER", "numba")
        told = python(PLAY, folder, Path(__file__).parent)
    assert told.startswith("True")
    return told, folder / "cache"


@pytest.fixture
def played(toy, first):
    """What is played with the copy of the toy game, whose rules have been compiled."""
    told, kept = first
    shutil.copytree(kept, toy / "cache")
    return told


def changed(path, before, after):
    """Change a file so that neither its size nor its time tells, as an upgrade may."""
    text, when = path.read_text("utf-8"), path.stat()
    assert before in text and len(before) == len(after)
    path.write_text(text.replace(before, after))
    os.utime(path, ns=(when.st_atime_ns, when.st_mtime_ns))
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)


def test_nobody_gets_machine_code_of_other_rules(toy, played):
    stored = {path: path.stat().st_mtime_ns for path in (toy / "cache").rglob("*.nbc")}
    assert stored and python(PLAY, toy) == played
    assert {path: path.stat().st_mtime_ns for path in (toy / "cache").rglob("*.nbc")} == stored  # not compiled again
    changed(toy / "toy" / "rules.py", "GUSTS = (1, 2, 1)", "GUSTS = (2, 1, 1)")
    second = python(PLAY, toy)
    changed(toy / "toy" / "rules.py", "+ action, GUST_RULE", "- action, GUST_RULE")
    third = python(PLAY, toy)
    assert len({played, second, third}) == 3
    changed(toy / "toy" / "rules.py", "- action, GUST_RULE", "+ action, GUST_RULE")
    changed(toy / "toy" / "rules.py", "GUSTS = (2, 1, 1)", "GUSTS = (1, 2, 1)")
    assert python(PLAY, toy) == played


def test_a_helper_in_another_file_counts(tmp_path):
    """Also a function that the rules only call, in the package itself, makes new machine code necessary."""
    shutil.copytree(ROOT / "crashlab", tmp_path / "crashlab", ignore=shutil.ignore_patterns("__pycache__", "*.ipynb"))
    tests = Path(__file__).parent
    first = python(PLAY, tmp_path, tests)
    changed(tmp_path / "crashlab" / "engine" / "chance.py", "0x94D049BB133111EB", "0x94D049BB133111ED")
    second = python(PLAY, tmp_path, tests)
    assert first.startswith("True") and second.startswith("True") and first != second


def test_where_nothing_can_be_written_it_compiles_all_the_same(toy):
    (toy / "cache").write_text("this is not a folder")
    assert python(PLAY, toy).startswith("True")


# What is kept is read as Python objects: whoever can write there can have any code run


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A folder for compiled code that is not there yet; what was said of another one is forgotten."""
    monkeypatch.setenv("CRASHLAB_CACHE", str(tmp_path / "above" / "cache"))
    disk_cache.say.cache_clear()
    return tmp_path / "above" / "cache"


def rights(folder):
    return stat.S_IMODE(folder.stat().st_mode)


@posix
def test_the_folder_of_compiled_code_is_made_for_its_owner_alone(cache):
    assert disk_cache.cache_folder("key") == cache / "key"
    assert [rights(folder) for folder in (cache / "key", cache, cache.parent)] == [0o700] * 3


@posix
def test_a_folder_that_others_can_only_read_is_used(cache):
    (cache / "key").mkdir(parents=True)
    for folder in (cache / "key", cache):
        folder.chmod(0o755)
    assert disk_cache.cache_folder("key") == cache / "key" and rights(cache) == 0o755


@posix
@pytest.mark.parametrize("where", [".", "key"])
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777 | stat.S_ISVTX])
def test_a_folder_that_others_can_write_is_not_used_and_that_is_said_once(cache, capsys, where, mode):
    (cache / "key").mkdir(parents=True)
    (cache / where).chmod(mode)
    assert [disk_cache.cache_folder("key") for _ in range(2)] == [None] * 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and f"{cache / where} can be written by others" in told and "CRASHLAB_CACHE" in told


@posix
@pytest.mark.parametrize("where", [".", "key"])
def test_a_folder_of_somebody_else_is_not_used_and_nothing_is_made_there(cache, capsys, monkeypatch, where):
    (cache / where).mkdir(parents=True)
    real, theirs = os.stat, real_id((cache / where).stat())

    def stat_(path, **how):
        found = real(path, **how)
        return found if real_id(found) != theirs else os.stat_result((*found[:4], 4242, *found[5:]))

    monkeypatch.setattr(os, "stat", stat_)
    assert disk_cache.cache_folder("key") is None
    assert f"{cache / where} belongs to somebody else" in capsys.readouterr().err
    assert list((cache / where).iterdir()) == []


def real_id(found):
    return found.st_dev, found.st_ino


@posix
def test_nothing_of_ours_is_used_by_somebody_else(cache, capsys, monkeypatch):
    """As when root works with the folders of a user."""
    cache.mkdir(parents=True)
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    assert disk_cache.cache_folder("key") is None and list(cache.iterdir()) == []
    assert f"{cache} belongs to somebody else" in capsys.readouterr().err


@posix
def test_a_link_to_a_folder_must_be_ours_and_so_must_the_folder(cache, tmp_path, capsys, monkeypatch):
    cache.parent.mkdir()
    (tmp_path / "real").mkdir()
    cache.symlink_to(tmp_path / "real")
    assert disk_cache.cache_folder("key") == cache / "key"
    (tmp_path / "real").chmod(0o777)
    assert disk_cache.cache_folder("key") is None and "can be written by others" in capsys.readouterr().err
    (tmp_path / "real").chmod(0o700)
    real = os.stat
    of_the_link = real_id(os.lstat(cache))

    def stat_(path, **how):
        found = real(path, **how)
        return found if real_id(found) != of_the_link else os.stat_result((*found[:4], 4242, *found[5:]))

    monkeypatch.setattr(os, "stat", stat_)
    assert disk_cache.cache_folder("key") is None and "belongs to somebody else" in capsys.readouterr().err


@posix
def test_what_is_compiled_without_a_folder_does_not_claim_to_be_kept(cache):
    rules = Game("toy", "toy", {}).rules
    kept, lost = Numba(rules), Numba(rules)
    kept.bind(random_play.play_games)
    next(cache.iterdir()).chmod(0o777)
    lost.bind(random_play.play_games)
    assert (kept.is_kept, lost.is_kept) == (True, False)


@posix
def test_code_that_others_could_have_written_is_neither_read_nor_written(toy, played):
    """A pickle that prints, if it is read, lies where the index of the machine code is looked for."""
    (index,) = (toy / "cache").rglob("*.nbi")
    index.write_bytes(b"cbuiltins\nprint\n(Vplanted\ntR.")
    (toy / "cache").chmod(0o777)
    before = {path: path.read_bytes() for path in (toy / "cache").rglob("*") if path.is_file()}
    assert python(PLAY, toy) == played
    assert {path: path.read_bytes() for path in (toy / "cache").rglob("*") if path.is_file()} == before


def test_a_home_that_is_unknown_keeps_nothing(monkeypatch, capsys):
    def unknown():
        raise RuntimeError("Could not determine home directory.")

    for name in ("CRASHLAB_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    disk_cache.say.cache_clear()
    assert disk_cache.cache_folder() is None and "home" in capsys.readouterr().err


def test_without_numba_it_says_so_once_and_plays_on(toy, played):
    hidden = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "numba" else find(name, package)
"""
    told = python(hidden + PLAY + "body_for(job, 9, wait=True)", toy).splitlines()
    assert [line.startswith("crashlab: without wasmtime") for line in told] == [True, False]
    assert told[1] == played.strip().replace("True", "False", 1)


def test_while_it_compiles_one_can_play_on_leave_and_interrupt(toy):
    begin = """
import crashlab, time
from crashlab.play.simulation import Job, body_for
game = crashlab.game("autoscooter")
body = body_for(Job(game, {}, 1, True), 9)
assert not body.is_compiled
game.start().play(dict.fromkeys(range(4), "-"))
"""
    assert python(begin + "print('played')\ntime.sleep(1.5)", toy) == "played\n"
    assert not list((toy / "cache").rglob("*.nbc"))  # it has not waited for the compiler
    # It is told from inside the try: whoever reads it may interrupt at once. An interrupt that comes just before a
    # sleep waits for its end, so the sleeps are short.
    wait = """
try:
    print("played", flush=True)
    for _ in range(600):
        time.sleep(0.1)
except KeyboardInterrupt:
    print("interrupted")
"""
    environment = {**os.environ, "CRASHLAB_CACHE": f"{toy}/cache"}
    command = [sys.executable, "-c", begin + wait]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "played\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted\n" and process.wait(PATIENCE) == 0


def test_a_process_can_be_copied_while_it_compiles(toy):
    """The copy would inherit locks that nobody there gives back."""
    code = """
import crashlab
from concurrent.futures import ProcessPoolExecutor
from crashlab.engine.game import Game
from crashlab.play.simulation import Job, body_for
if __name__ == "__main__":
    game = Game("toy", "toy", {})
    body_for(Job(game, {}, 1, True), 9)
    with ProcessPoolExecutor(1) as processes:
        print(len(crashlab.simulate(game, 3000, workers=processes)))
"""
    assert python(code.replace('"__main__"', "__name__"), toy) == "3000\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be copied here")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_copy_of_a_process_has_our_locks():
    """Another thread may hold them when the process is copied; nobody would ever give them back."""
    held = threading.Event()

    def hold():
        with numba_body.lock:
            held.set()
            time.sleep(0.1)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(PATIENCE)
    pid = os.fork()
    if not pid:
        os._exit(0 if numba_body.lock.acquire(timeout=5) else 1)
    assert os.waitpid(pid, 0)[1] == 0
    thread.join()


def test_rules_that_are_changed_in_a_running_program_are_compiled_anew(monkeypatch):
    game = Game("toy", "toy", {})
    job = Job(game, {}, 1, True)
    before = job.play(0, 20, choose_body.compiled(game.rules), Event()).scores
    monkeypatch.setattr(game.rules.score, "__code__", (lambda table, seat: 100 + table.square[seat]).__code__)
    assert not choose_body.is_ready(game.rules, "games")
    assert (job.play(0, 20, choose_body.compiled(game.rules), Event()).scores == before + 100).all()
    monkeypatch.undo()
    assert (job.play(0, 20, choose_body.compiled(game.rules), Event()).scores == before).all()


def test_what_is_broken_on_disk_is_compiled_again(toy, played):
    for path in (toy / "cache").rglob("*.nb*"):
        path.write_bytes(path.read_bytes()[:40])
    assert python(PLAY, toy) == played


def test_a_body_that_replaces_a_broken_one_is_ready_only_for_what_it_was_made_for():
    """Who asks for the other purpose would have to wait for the compiler, in the middle of a click."""
    rules = types.ModuleType("rules")
    vars(rules).update(vars(Game("toy", "toy", {}).rules))
    assert choose_body.quickest(rules, "search", lambda body: None, wait=True) is choose_body.compiled(rules)
    first, reads = choose_body.compiled(rules), iter(["broken"])

    def use(body):
        if next(reads, None):
            raise OSError("what is on disk cannot be read")

    second = choose_body.quickest(rules, "games", use, wait=True)
    assert second is choose_body.compiled(rules) is not first
    assert choose_body.is_ready(rules, "games") and not choose_body.is_ready(rules, "search")
    assert choose_body.quickest(rules, "search", lambda body: None, wait=True) is second


@pytest.mark.parametrize(("long", "last"), [(0.0, "Numba"), (1e9, "Wasm")])
def test_what_runs_long_goes_on_by_numba_and_nobody_waits_for_it(long, last, monkeypatch):
    """Each piece is played by what is ready then, and the numbers are those of one body."""
    pytest.importorskip("wasmtime")
    may_end = {False: Event(), True: Event()}  # by whether it is the slow compiler
    play, used, found = Job.play, [], []

    def prepare(game, body):
        assert may_end[body.is_slow_to_compile].wait(PATIENCE)

    def noted(job, first, games, body, stop):
        used.append(type(body).__name__)
        return play(job, first, games, body, stop)

    monkeypatch.delenv("CRASHLAB_COMPILER")
    monkeypatch.setattr(choose_body, "LONG", long)
    monkeypatch.setattr(choose_body, "_preparing", {})
    monkeypatch.setattr(choose_body, "_compiled", {})
    monkeypatch.setitem(choose_body.PURPOSES, "games", choose_body.Purpose(lambda game: True, prepare))
    monkeypatch.setattr(simulation, "PATIENCE", 0.0)
    monkeypatch.setattr(Job, "play", noted)
    game = Game("toy", "toy", {})
    job = Job(game, {}, 3, False)
    for number, piece in enumerate(simulation.own_pieces(job, 0, 200, 1)):
        found.append(piece)
        if number in (0, 2):
            may_end[number == 2].set()
            choose_body.wait_for_the_compiler()
    assert used[:3] == ["Interpreted", "Wasm", "Wasm"] and set(used[3:]) == {last}
    assert any(by == "numba" for _, by, _ in choose_body._preparing) == (last == "Numba")
    alone = play(job, 0, 200, choose_body.interpreted(game.rules), Event())
    assert (simulation.joined(found).scores == alone.scores).all()


def test_rows_that_are_written_by_two_threads_lie_on_no_common_cache_line():
    """Two sources of chance, of 8 bytes each, are handed out far from each other, and from all that lies between."""
    body = Numba(crashlab.game("autoscooter").rules)
    made = [body.luck(7), body.row(3), body.luck(8), body.numbers(1), body.trace(2), body.tables([body_table()])]
    spans = sorted((row.ctypes.data, row.ctypes.data + row.nbytes) for row in made)
    assert all(begin % 128 == 0 for begin, _ in spans)
    assert all(begin - end >= 0 and begin // 128 > (end - 1) // 128 for (_, end), (begin, _) in pairwise(spans))
    assert (made[0].tolist(), made[1].tolist(), made[2].tolist(), made[3].tolist()) == ([7], [0, 0, 0], [8], [0.0])


def body_table():
    """The table of a new game of Autoscooter."""
    return crashlab.game("autoscooter").start().table
