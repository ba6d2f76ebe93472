"""One text, two bodies: interpreted and compiled rules do the same, and nobody gets a stale one."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from variants import combined

import crashlab
from crashlab import Random, playout, twin
from crashlab.game import Game
from crashlab.happen import NOWHERE, Trace
from crashlab.simulate import Job

# Of each game, shared among its combinations of options; fewer where every index is checked besides, and of games that
# take long (thousands of events; or decisions with 600 actions each).
# With CRASHLAB_PROOF=1 (`make proof`) it is the full number of every game.
GAMES = 500 if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else 5000
FEWER = {} if os.environ.get("CRASHLAB_PROOF") == "1" else {"crash_and_grab": 5, "crash_by_crash": 100, "crash_city": 5}


def play(body, game, number, trace, decisions=NOWHERE):
    """The table after a game with this number, and how many decisions there were."""
    work, luck = body.tables([game.start(number).table]), body.luck(Random(number).luck)
    played = body.bind(playout.play_on)(work[0], decisions, luck, body.row(game.rules.MOST_ACTIONS), trace)
    return body.table(work, 0), played, int(luck[0])


def rows(trace):
    """The events that a compiled trace has kept."""
    told = trace[0, 1]
    assert told < len(trace)
    return [tuple(row) for row in trace[1 : told + 1].tolist()]


@pytest.mark.parametrize(("name", "folder"), [("toy", "toy"), *((n, f"crashlab.games.{n}") for n in crashlab.games())])
def test_interpreted_equals_compiled_in_every_state_and_every_event(name, folder):
    games = list(combined(name, folder))
    for number in range(max(GAMES // FEWER.get(name, 1), len(games))):
        game = games[number % len(games)]
        trace, events = twin.compiled(game.rules).trace(1_000_000), Trace()
        fast = play(twin.compiled(game.rules), game, number, trace)
        slow = play(twin.interpreted(game.rules), game, number, events)
        assert fast == slow and rows(trace) == events.rows and trace[0, 0] == events.beat, (game, number)
        assert play(twin.compiled(game.rules), game, number, None) == slow


@pytest.mark.parametrize("decisions", range(4))
def test_so_many_decisions_and_no_more(decisions):
    game = crashlab.game("autoscooter")
    for body in (twin.interpreted(game.rules), twin.compiled(game.rules)):
        assert play(body, game, 1, None, decisions)[1] == decisions


def test_a_trace_that_is_full_keeps_what_it_has_and_counts_the_rest():
    game = crashlab.game("autoscooter")
    small, large = twin.compiled(game.rules).trace(100), twin.compiled(game.rules).trace(10_000)
    for trace in (small, large):
        play(twin.compiled(game.rules), game, 1, trace)
    assert small[0, 1] == large[0, 1] > 100 and np.array_equal(small[1:], large[1:101])


def test_counters_count_what_the_interpreter_tells():
    game = crashlab.game("autoscooter", players=8)
    counted = []
    for body in (twin.interpreted(game.rules), twin.compiled(game.rules)):
        known, seats, games = len(game.rulebook), len(game.seats), 30
        width = 2 * known + len(game.start().table.NAMES)
        lengths, scores, winners = body.row(games), body.row(games * seats), body.row(games * seats)
        counts = body.row(games * width)
        starts, work = body.tables([game.start().table]), body.tables([game.start().table])
        body.bind(playout.play_games)(
            starts, games, 7, seats, known, width, body.luck(5), body.luck(0), body.row(game.rules.MOST_ACTIONS),
            work, body.counter(width), lengths, scores, winners, counts,
        )  # fmt: skip
        counted.append([list(map(int, row)) for row in (lengths, scores, winners, counts)])
    assert counted[0] == counted[1] and sum(counted[0][3]) > 1000 * 30


def test_a_changed_helper_or_constant_has_another_key(monkeypatch):
    """The name under which machine code is kept depends on everything that it was made of."""
    game = crashlab.game("autoscooter")

    def key():
        return twin.Compiled(game.rules)._key(playout.play_games)

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
PLAY = """
from crashlab.game import Game
from crashlab.simulate import Job, body_for
import crashlab.simulate, threading
job = Job(Game("toy", "toy", {}), {}, 1, False)
body = body_for(job, 9, wait=True)
print(body.is_compiled, job.play(0, 50, body, threading.Event()).scores.tolist())
"""


def python(code, folder, *more):
    """What a new interpreter prints, with modules from this folder and compiled code kept below it."""
    path = os.pathsep.join(map(str, (folder, *more)))
    environment = {**os.environ, "PYTHONPATH": path, "CRASHLAB_CACHE": f"{folder}/cache"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def toy(tmp_path):
    """A copy of the toy game that can be changed."""
    shutil.copytree(Path(__file__).parent / "toy", tmp_path / "toy", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def changed(path, before, after):
    """Change a file so that neither its size nor its time tells, as an upgrade may."""
    text, when = path.read_text("utf-8"), path.stat()
    assert before in text and len(before) == len(after)
    path.write_text(text.replace(before, after))
    os.utime(path, ns=(when.st_atime_ns, when.st_mtime_ns))
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)


def test_nobody_gets_machine_code_of_other_rules(toy):
    first = python(PLAY, toy)
    stored = {path: path.stat().st_mtime_ns for path in (toy / "cache").rglob("*.nbc")}
    assert first.startswith("True") and stored and python(PLAY, toy) == first
    assert {path: path.stat().st_mtime_ns for path in (toy / "cache").rglob("*.nbc")} == stored  # not compiled again
    changed(toy / "toy" / "rules.py", "GUSTS = (1, 2, 1)", "GUSTS = (2, 1, 1)")
    second = python(PLAY, toy)
    changed(toy / "toy" / "rules.py", "+ action, GUST_RULE", "- action, GUST_RULE")
    third = python(PLAY, toy)
    assert len({first, second, third}) == 3
    changed(toy / "toy" / "rules.py", "- action, GUST_RULE", "+ action, GUST_RULE")
    changed(toy / "toy" / "rules.py", "GUSTS = (2, 1, 1)", "GUSTS = (1, 2, 1)")
    assert python(PLAY, toy) == first


def test_a_helper_in_another_file_counts(tmp_path):
    """Also a function that the rules only call, in the package itself, makes new machine code necessary."""
    shutil.copytree(ROOT / "crashlab", tmp_path / "crashlab", ignore=shutil.ignore_patterns("__pycache__", "*.ipynb"))
    tests = Path(__file__).parent
    first = python(PLAY, tmp_path, tests)
    changed(tmp_path / "crashlab" / "chance.py", "0x94D049BB133111EB", "0x94D049BB133111ED")
    second = python(PLAY, tmp_path, tests)
    assert first.startswith("True") and second.startswith("True") and first != second


def test_where_nothing_can_be_written_it_compiles_all_the_same(toy):
    (toy / "cache").write_text("this is no folder")
    assert python(PLAY, toy).startswith("True")


def test_without_numba_it_says_so_once_and_plays_on(toy):
    hidden = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "numba" else find(name, package)
"""
    told = python(hidden + PLAY + "body_for(job, 9, wait=True)", toy).splitlines()
    assert [line.startswith("crashlab: without Numba") for line in told] == [True, False]
    assert told[1] == python(PLAY, toy).strip().replace("True", "False", 1)


def test_while_it_compiles_one_can_play_on_leave_and_interrupt(toy):
    begin = """
import crashlab, time
from crashlab.simulate import Job, body_for
game = crashlab.game("autoscooter")
body = body_for(Job(game, {}, 1, True), 9)
assert not body.is_compiled
game.start().play(dict.fromkeys(range(4), "-"))
"""
    begun = time.monotonic()
    assert python(begin + "print('played')\ntime.sleep(1.5)", toy) == "played\n"
    assert time.monotonic() - begun < 30
    # It is told from inside the try: whoever reads it may interrupt at once.
    wait = """
try:
    print("played", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    print("interrupted")
"""
    environment = {**os.environ, "CRASHLAB_CACHE": f"{toy}/cache"}
    command = [sys.executable, "-c", begin + wait]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "played\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted\n" and process.wait(30) == 0


def test_a_process_can_be_copied_while_it_compiles(toy):
    """The copy would inherit locks that nobody there gives back."""
    code = """
import crashlab
from concurrent.futures import ProcessPoolExecutor
from crashlab.simulate import Job, body_for
if __name__ == "__main__":
    game = crashlab.game("autoscooter")
    body_for(Job(game, {}, 1, True), 9)
    with ProcessPoolExecutor(1) as processes:
        print(len(crashlab.simulate(game, 3000, workers=processes)))
"""
    assert python(code.replace('"__main__"', "__name__"), toy) == "3000\n"


def test_rules_that_are_changed_in_a_running_program_are_compiled_anew(monkeypatch):
    game = Game("toy", "toy", {})
    job = Job(game, {}, 1, False)
    before = job.play(0, 20, twin.compiled(game.rules), Event()).scores
    monkeypatch.setattr(game.rules.score, "__code__", (lambda table, seat: 100 + table.square[seat]).__code__)
    assert not twin.is_ready(game.rules, "games")
    assert (job.play(0, 20, twin.compiled(game.rules), Event()).scores == before + 100).all()
    monkeypatch.undo()
    assert (job.play(0, 20, twin.compiled(game.rules), Event()).scores == before).all()


def test_what_is_broken_on_disk_is_compiled_again(toy):
    first = python(PLAY, toy)
    for path in (toy / "cache").rglob("*.nb*"):
        path.write_bytes(path.read_bytes()[:40])
    assert python(PLAY, toy) == first and first.startswith("True")
