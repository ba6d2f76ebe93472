"""The sandbox of a league's guests: attacks as root and as an ordinary user, with and without Landlock."""

import json
import os
import platform
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path
from shutil import which

import pytest
from checkout import TESTS
from guest_attacks import ATTACKS, MORE
from patience import PATIENCE

import crashlab
from crashlab import Match
from crashlab.base.clock import TimeIsUp
from crashlab.play.league import guest, locks
from crashlab.play.league.guest import SLIP, Guest, GuestSpec, Limits, Participant
from crashlab.play.league.locks import HOOK, LANDLOCK, LIMITS, SECCOMP
from crashlab.play.process_agent import Failed

GAME = crashlab.game("autoscooter", players=2)
VIEW = GAME.start(3).seen_by(0)
FIRST = "def agent(state, seat):\n    return state.actions(seat)[0]\n"
HAS = locks.available()
# An unprivileged user in place of root, but able to read this machine's Python.
RIGHTS = [f"--{kind}=-all,+dac_read_search" for kind in ("inh-caps", "ambient-caps", "bounding-set")]
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *RIGHTS]
# If possible, attacks run in a PID namespace of their own, so that an escape cannot end foreign processes.
ALONE = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", '"$@"; exit $?', "sh"]
if not which(ALONE[0]) or subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode:
    ALONE = []
USERS = {"root": [], "an ordinary user": NOBODY} if os.name == "posix" and os.geteuid() == 0 else {"this user": []}
# The kernel's layers; without Landlock or seccomp there are fewer combinations.
BOXES = {"the whole box": (LIMITS, LANDLOCK, SECCOMP), "no Landlock": (LIMITS, SECCOMP)}
BOXES = {name: layers for name, layers in BOXES.items() if set(layers) <= set(HAS)}


@pytest.fixture
def invited():
    """Yield a function that makes ready guests, and close them at the end."""
    guests = []

    def invite(text, name="x", seconds=PATIENCE):
        guest = Guest(GuestSpec(Participant(name, text), GAME, Limits(seconds, 1024)), 1)
        guests.append(guest)
        guest.begin()
        guest.get_ready()
        return guest

    yield invite
    for one in guests:
        one.close()


# Attacks


@pytest.mark.few(1)
@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("box", BOXES)
def test_no_attack_gets_out_of_the_box(box, user):
    """Without the hook's messages, the kernel and the clock of the league must stop it."""
    command = [*ALONE, *USERS[user], sys.executable, "-B", str(TESTS / "guest_attacks.py"), *BOXES[box]]
    paths = os.pathsep.join([str(Path(crashlab.__file__).parent.parent), str(TESTS)])
    variables = {"PATH": os.environ["PATH"], "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=5 * PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)
    stopped_by = {name: word for name, (*_, word) in (ATTACKS | MORE).items()}
    assert results.keys() == stopped_by.keys() and len(results) > 160
    for name, what in results.items():
        text = what["said"] + what["words"]
        assert stopped_by[name] in text and "done" not in text and "4711" not in text, (name, text)
        assert what["harm"] == [], (name, what)


@pytest.mark.slow
def test_a_league_with_hostile_guests_ends_with_the_right_table(tmp_path):
    """Ten of thirty guests are hostile: they forfeit, the games of the others and all files are unaffected."""
    start = GAME.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
    (tmp_path / "class").mkdir()
    (tmp_path / "grades.csv").write_text("Ada,1\n")
    for number in range(20):
        text = f"def agent(state, seat):\n    return state.actions(seat)[{number} % len(state.actions(seat))]\n"
        (tmp_path / "class" / f"honest{number:02}.py").write_text(text)
    grades = str(tmp_path / "grades.csv")
    hostile = (
        "os.kill(os.getppid(), 0)",
        "[os.kill(int(pid), 0) for pid in os.listdir('/proc') if pid.isdigit()]",
        f"open({grades!r}).read()",
        f"open({grades!r}, 'w')",
        f"os.remove({grades!r})",
        "os.fork()",
        "os.execv('/bin/sh', ['sh', '-c', 'exit'])",
        "[0 for _ in iter(int, 1)]",
        "os._exit(0)",
        f"__import__('shutil').rmtree({str(tmp_path)!r})",
    )
    for number, line in enumerate(hostile):
        text = f"import os\n\ndef agent(state, seat):\n    {line}\n    return state.actions(seat)[0]\n"
        (tmp_path / "class" / f"hostile{number}.py").write_text(text)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    season = crashlab.league(tmp_path / "class", start, games=2, rounds=2, limit=5, seed=10**39, progress=False)
    assert len(season.played) == season.planned_games == 60 and not season.broken
    for kept in season.played:
        for name in kept.pair:
            assert (name in {kept.played.seats[seat] for seat in kept.played.forfeits}) == name.startswith("hostile")
        if not kept.played.forfeits:
            agents = [agent_of(int(name[-2:])) for name in kept.played.seats]
            again = Match(start, dict(enumerate(agents)))
            assert again.run().scores == kept.played.scores
        season.match(season.played.index(kept) + 1)
    points = dict.fromkeys(season.names, 0.0)
    for kept in season.played:
        for name in kept.pair:
            points[name] += kept.played.points(name)
    assert {row.name: row.points for row in season.standings.ranking} == points
    assert all(points[name] == 0 for name in points if name.startswith("hostile"))
    after = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.suffix not in (".jsonl", ".lock")}
    assert after == before


def agent_of(number):
    return lambda state, seat: state.actions(seat)[number % len(state.actions(seat))]


# Layers


@pytest.mark.parametrize(
    ("layers", "words"),
    [
        ((HOOK, LIMITS, LANDLOCK, SECCOMP), ""),
        ((HOOK, LIMITS, SECCOMP), "This kernel has no Landlock: agents can import only what their file names."),
        ((HOOK, LIMITS), guest.ONLY_MISTAKES),
        ((HOOK,), guest.ONLY_MISTAKES),
    ],
)
def test_the_teacher_is_told_what_is_not_promised(layers, words, monkeypatch, tmp_path):
    monkeypatch.setattr(locks, "available", lambda: layers)
    assert guest.promise() == words
    season = crashlab.Season(tmp_path, GAME)
    assert (words in str(season)) and (words in season.html.replace("&#x27;", "'"))
    assert words or str(season) == season.title


def test_what_the_machine_has_is_asked_of_the_kernel(monkeypatch):
    """On other systems and processors fewer layers are available, never more than the sandbox can use."""
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert not {LANDLOCK, SECCOMP} & set(locks.available())
    monkeypatch.setattr(sys, "platform", "darwin")
    assert locks.available() == (HOOK, LIMITS)
    monkeypatch.setattr(sys, "platform", "win32")
    assert locks.available() == (HOOK,)


@pytest.mark.parametrize("layers", [(HOOK, *BOXES.get("no Landlock", (LIMITS,))), (HOOK, LIMITS), (HOOK,)])
def test_honest_agents_play_in_every_box(layers, invited, monkeypatch):
    monkeypatch.setattr(locks, "available", lambda: layers)
    text = (
        "from dataclasses import dataclass\nimport numpy as np, random, collections, crashlab\n"
        "from crashlab.agents import greedy\nfrom crashlab import Duel\n@dataclass(frozen=True)\nclass Weight:\n"
        "    x: int = 1\nINNER = greedy(1, worlds=1, decisions=1, max_actions=3)\ndef agent(state, seat):\n"
        "    assert Weight() in {Weight()} and np.linalg.det(np.eye(2)) == 1 and random.random() < 1\n"
        "    assert Duel.of([[1, 0], [0, 1]]).solve().value == 0.5\n    return INNER(state, seat)\n"
    )
    assert GAME.start(3).refusal(0, invited(text)(VIEW, 0)) == ""


@pytest.mark.parametrize("box", BOXES)
def test_what_is_imported_later_is_there_only_with_landlock(box, invited, monkeypatch):
    monkeypatch.setattr(locks, "available", lambda: BOXES[box])
    text = "def agent(state, seat):\n    __import__('wave')\n    return state.actions(seat)[0]\n"
    if LANDLOCK in BOXES[box]:
        assert invited(text)(VIEW, 0)
    else:
        with pytest.raises(Failed, match=r"No module named 'wave'|PermissionError"):
            invited(text)(VIEW, 0)


THREADS = """
import threading, time
from crashlab.play.league import locks

threading.Thread(target=time.sleep, args=(9,), daemon=True).start()
try:
    locks.lock(("limits", "seccomp"), 1024, 100, ())
except RuntimeError as error:
    print(error)
"""


@pytest.mark.parametrize("_", BOXES)
def test_threads_that_locks_would_not_hold_are_found(_):
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "its imports start threads, but agents must not have threads\n"


# Clocks


def test_all_guests_are_copied_from_one_process(invited):
    one, other = invited(FIRST), invited(FIRST)
    (nursery,) = guest._nurseries
    for copy in (one, other):
        assert parent_of(copy._process.pid) == nursery.pid


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_where_that_process_has_ended_another_one_begins(invited):
    orphan = invited(FIRST)
    (nursery,) = guest._nurseries
    os.kill(nursery.pid, signal.SIGKILL)
    assert invited(FIRST)(VIEW, 0) and guest._nurseries[0].pid != nursery.pid
    orphan._process.pid = os.getpid()  # as if another process had its number; only the handle counts
    with pytest.raises(Failed):
        orphan(VIEW, 0)


def test_who_has_run_while_it_was_held_is_ended(invited):
    guest = invited(FIRST)
    assert guest(VIEW, 0)
    os.kill(guest._process.pid, signal.SIGCONT)  # as a timer of its own would
    guest._had -= 2 * SLIP
    with pytest.raises(Failed, match="ran while it was suspended"):
        guest(VIEW, 0)


@pytest.mark.parametrize("fills", [True, False])
def test_there_is_a_clock_on_what_a_guest_is_told(invited, fills, monkeypatch):
    """The guest never reads, so a long question does not fit into the pipe."""
    guest = invited("def agent(state, seat):\n    while True: pass\n", seconds=0.3)
    monkeypatch.setattr(type(VIEW), "text", property(lambda state: "x" * (1 << 24 if fills else 10)))
    begun = time.monotonic()
    with pytest.raises((TimeIsUp, Failed)):
        guest(VIEW, 0)
    assert time.monotonic() - begun < PATIENCE and guest._process is None


# The filter


def ran(program, machine, number, *arguments):
    """Return a filter's answer to a call; raise IndexError on a jump out of the filter."""
    lines = list(struct.iter_unpack("HBBI", program))
    data = struct.pack("=iIQ6Q", number, machine, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    place = value = 0
    while True:
        code, yes, no, k = lines[place]
        place += 1
        if code == locks.LOAD:
            (value,) = struct.unpack_from("=I", data, k)
        elif code == locks.ANSWER:
            return k
        else:
            holds = {locks.EQUAL: value == k, locks.GREATER: value > k, locks.SOME: bool(value & k)}[code]
            place += yes if holds else no


@pytest.mark.parametrize("opens", [True, False])
@pytest.mark.parametrize("machine", locks.MACHINES)
def test_the_filter_of_either_processor(machine, opens, monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: machine)
    program, (_, name) = locks.filter_program(opens), locks.MACHINES[machine]
    careful, allowed = locks.numbers(locks.CAREFUL), locks.numbers(locks.CALLS)
    looks = locks.numbers(locks.LOOKS)
    refused, denied, missing = (locks.REFUSE | number for number in (1, 13, 38))
    assert {ran(program, name, number) for number in allowed.values()} == {locks.ALLOW}
    assert {ran(program, name, number) for number in looks.values()} == {locks.ALLOW if opens else refused}
    assert ran(program, name, careful["openat"], 0, 0, os.O_CLOEXEC) == (locks.ALLOW if opens else denied)
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_APPEND, 0o10000000, 0o20000000):
        assert ran(program, name, careful["openat"], 0, 0, flags) == denied
    assert ran(program, name, careful["tgkill"], os.getpid(), 1, 2) == locks.ALLOW
    assert ran(program, name, careful["tgkill"], os.getpid() + 1, 1, 2) == refused
    assert ran(program, name, careful["prlimit64"], 0, 7, 0, 1 << 40) == locks.ALLOW
    for arguments in ((1, 7, 0, 0), (0, 7, 1, 0), (0, 7, 1 << 32, 0)):
        assert ran(program, name, careful["prlimit64"], *arguments) == refused
    for command, answer in ((1, locks.ALLOW), (4, refused), (8, refused), (1032, refused)):
        assert ran(program, name, careful["fcntl"], 1, command) == answer
    assert ran(program, name, careful["clone3"]) == ran(program, name, 99999) == missing
    listed = {*allowed.values(), *looks.values(), *careful.values()}
    assert {ran(program, name, number) for number in set(range(457)) - listed} == {refused}
    assert ran(program, 0x40000003, 0) == locks.KILL
