"""Leagues of agents in separate processes: their restrictions, continuing a league, and its stored games."""

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from checkout import ROOT
from fake_page import wait_for
from guest_attacks import foretold
from patience import PATIENCE

import crashlab
from crashlab import CHANCE, CrashlabError, Random
from crashlab.base import files
from crashlab.base.clock import TimeIsUp
from crashlab.engine.chance import MASK, STEP, mix
from crashlab.engine.game import Game
from crashlab.play.league import guest, pairings
from crashlab.play.league.fixtures import Fixture, Kept
from crashlab.play.league.guest import Guest, GuestSpec, Limits, Participant, is_at_rest
from crashlab.play.league.sandbox import MOST_SAID
from crashlab.play.league.season import KEPT, LARGEST, Season
from crashlab.play.process_agent import Closed, Failed
from crashlab.play.tournament import PlayedGame

TOY = Game("toy", "toy", {})
GAME = crashlab.game("autoscooter", players=2)
SEED = 7 * 10**39  # seed of a season
SHORT = 1.0  # seconds, for agents that never answer
FIRST = "def agent(state, seat):\n    return state.actions(seat)[0]\n"
LAST = "def agent(state, seat):\n    return state.actions(seat)[-1]\n"
posix = pytest.mark.skipif(os.name != "posix", reason="only there are processes held and limited")


@pytest.fixture
def invited():
    """Yield a function that makes guests, and close them at the end."""
    guests = []

    def invite(text, game=GAME, seconds=PATIENCE, memory=512, seed=1):
        guest = Guest(GuestSpec(Participant("x", text), game, Limits(seconds, memory)), seed)
        guests.append(guest)
        guest.begin()
        return guest

    yield invite
    for one in guests:
        one.close()


def asked(*lines):
    """Return an agent that runs these lines for each question and then plays its first action."""
    body = "".join(f"    {line}\n" for line in lines)
    return f"import os, sys\n\ndef agent(state, seat):\n{body}    return state.actions(seat)[0]\n"


# A guest


def test_a_guest_plays_what_the_function_plays(invited):
    state = GAME.start(3)
    guest = invited(LAST)
    for seat in (0, 1):
        assert guest(state.seen_by(seat), seat) == str(state.actions(seat)[-1])


def test_make_gives_the_agent_and_it_remembers(invited):
    text = "def make():\n    asked = []\n    def agent(state, seat):\n        asked.append(seat)\n"
    guest = invited(text + "        return state.actions(seat)[len(asked)]\n    return agent\n")
    state = GAME.start(3)
    assert [guest(state.seen_by(0), 0) for _ in range(3)] == [str(state.actions(0)[place]) for place in (1, 2, 3)]


def test_the_same_seed_gives_the_same_random_numbers(invited):
    text = "import random, numpy\n\ndef agent(state, seat):\n    n = random.randrange(30) + numpy.random.randint(30)\n"
    text += "    return state.actions(seat)[n]\n"
    view = GAME.start(3).seen_by(0)
    first, again, other = ([guest(view, 0) for _ in range(6)] for guest in (invited(text, seed=s) for s in (1, 1, 2)))
    assert first == again != other


@pytest.mark.parametrize("game", [crashlab.game(name, players=2) for name in crashlab.games()], ids=lambda g: g.name)
def test_a_guest_sees_what_a_seat_sees_in_every_game(game, invited):
    """It answers with a checksum of all that it sees, which the truth or the luck would change."""
    text = (
        "import zlib\n\ndef agent(state, seat):\n"
        "    sight = repr((state.text, state.closed, state.luck, [str(one) for one in state.actions(seat)]))\n"
        "    return state.actions(seat)[zlib.crc32(sight.encode()) % len(state.actions(seat))]\n"
    )
    names = {}
    exec(text, names)
    guest = invited(text, game)
    state, rng, number = game.start(5), Random(1), 0
    while not state.over and number < 12:
        for seat in state.actors:
            if seat != CHANCE:
                number += 1
                view = state.seen_by(seat)
                assert guest(view, seat) == str(names["agent"](view, seat))
        state = state.sample(rng).after


WALK = """
import gc, sys

def reached():
    seen, left, values = set(), [vars(module) for module in list(sys.modules.values()) if module], []
    frame = sys._getframe()
    while frame:
        left.append(dict(frame.f_locals))
        frame = frame.f_back
    while left:
        thing = left.pop()
        if id(thing) in seen or isinstance(thing, type(sys)):
            continue
        seen.add(id(thing))
        if isinstance(thing, dict):
            left += [*thing.keys(), *thing.values()]
        elif isinstance(thing, (list, tuple, set, frozenset)):
            left += thing
        elif isinstance(thing, (int, str)):
            values.append(thing)
        else:
            left += [getattr(thing, "__dict__", None), getattr(thing, "__closure__", None)]
            left += [getattr(thing, name, None) for name in getattr(type(thing), "__slots__", ()) if name != "__dict__"]
            left.append(getattr(thing, "cell_contents", None) if type(thing).__name__ == "cell" else None)
    return values

def agent(state, seat):
    values = reached()
    words = " ".join(thing for thing in values if isinstance(thing, str) and len(thing) < 100_000)
    print("numbers", sum(str(thing)[::-1] in BACKWARDS for thing in values if type(thing) is int))
    print("words", [secret for secret in BACKWARDS if secret[::-1] in words])
    print("seen", state.text in words, len(values) > 1000)
    return state.actions(seat)[0]
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["autoscooter", "crash_and_grab", "crash_by_crash", "crash_city"])
def test_the_truth_behind_what_it_sees_is_nowhere_in_its_process(name, invited):
    """It searches everything reachable there for secrets, which its own text contains only backwards."""
    game, seed = crashlab.game(name, players=2), 987_654_321_123
    state = hiding(game.start(seed))
    seat = next(seat for seat in state.actors if seat != CHANCE)
    secrets = [str(seed), str(state.luck), f"{state.luck:x}", state.text, state.text.partition("; luck")[0]]
    secrets = [secret for secret in secrets if secret not in state.seen_by(seat).text]
    assert len(secrets) > 3
    guest = invited(WALK + f"BACKWARDS = {[secret[::-1] for secret in secrets]!r}\n", game)
    guest(state.seen_by(seat), seat)
    guest.close()
    assert guest.said.splitlines()[:3] == ["numbers 0", "words []", "seen True True"]


def hiding(state):
    """Return a later state with a decision of a seat that does not see everything, if the game has secrets."""
    rng = Random(1)
    while state.actors == (CHANCE,) or state.game.facts.secrets and state.table == state.seen_by(state.actors[0]).table:
        state = state.sample(rng).after
    return state


# Hostile agents

HOSTILE = {
    "raises": (asked("return 5 / 0"), "ZeroDivisionError: division by zero"),
    "nothing": ("def agent(state, seat):\n    pass\n", "answered None: it must return an action"),
    "nonsense": (asked("return '99 X'"), "answered '99 X': cannot read"),
    "illegal": (asked("return '88 FFFFFF'"), "answered '88 FFFFFF'"),
    "an object": (asked("return object"), "answered <class 'object'>"),
    "exits": (asked("sys.exit(4)"), "SystemExit: 4"),
    "exits at once": (asked("os._exit(3)"), "it ended its process, with status 3"),
    "kills itself": (asked("os.abort()"), "its process was ended by SIGABRT"),
    "recursion": ("def agent(state, seat):\n    return agent(state, seat)\n", "RecursionError"),
    "memory": (asked("hog = [0] * 10**9"), "needs more than 512 MB of memory"),
    "memory bit by bit": (asked("hog = []", "while True: hog.append(' ' * 10**6)"), "needs more than 512 MB"),
    "kills its parent": (asked("os.kill(os.getppid(), 9)"), "may not send signals (os.kill)"),
    "forks": (asked("os.fork()"), "may not begin processes (os.fork)"),
    "begins a process": (asked("os.system('true')"), "may not begin processes (os.system)"),
    "another program": (asked("import subprocess", "subprocess.run(['true'])"), "may not begin processes"),
    "network": (asked("import socket", "socket.socket()"), "may not use the network"),
    "writes a file": (asked("open('x', 'w')"), "may not write x"),
    "writes by number": (asked("os.open('x', os.O_WRONLY | os.O_CREAT)"), "may not write x"),
    "makes a folder": (asked("os.mkdir('x')"), "may not write files (os.mkdir)"),
    "reads a file": (asked("open('/etc/passwd')"), "may not read /etc/passwd"),
    "lists a folder": (asked("os.listdir('/')"), "may not read /"),
    "machine code": (asked("import ctypes", "ctypes.CDLL(None).fork()"), "may not call machine code"),
    "lifts its limits": (asked("import resource", "resource.setrlimit(9, (1, 1))"), "may not change its limits"),
    "looks round": (asked("import gc", "gc.get_objects()"), "may not look into this process"),
    "junk on all lines": (
        asked("for line in range(3, 30):", "    try: os.write(line, b'junk\\n')", "    except OSError: pass"),
        "sent nonsense",
    ),
    "a list on all lines": (
        asked("for line in range(3, 30):", "    try: os.write(line, b'[[1]]\\n')", "    except OSError: pass"),
        "sent nonsense",
    ),
    "closes all lines": (asked("os.closerange(0, 30)"), ""),
    "an error that cannot be told": (
        "class Mute(Exception):\n    def __str__(self): raise self\n" + asked("raise Mute"),
        "Mute: its text cannot be shown",
    ),
    "no function": ("x = 1\n", "it needs a function agent(state, seat), or a function make() that returns one"),
    "no function made": ("def make(): return 5\n", "make() returns 5, which is not a function (state, seat)"),
    "not Python": ("def agent(", "SyntaxError"),
    "half a letter": ("raise ValueError('\\ud800')", "ValueError: \\ud800"),
    "import": ("import no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
    "leaves while it is loaded": ("import os\nos._exit(0)\n", "it ended its process, with status 0"),
}


@pytest.mark.few(9)
@posix
@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_an_agent_does_is_said_with_its_position(name, invited):
    text, words = HOSTILE[name]
    guest = invited(text)
    view = GAME.start(3).seen_by(1)
    with pytest.raises(Failed):
        guest(view, 1)
    trouble = guest.trouble
    assert words in trouble.words and trouble.name == "x" and trouble.seat == "B"
    assert GAME.read(trouble.position, forced=False).seen_by(1) == view
    assert "\n" not in trouble.words and len(str(trouble)) < 2000


@posix
def test_what_it_prints_and_raises_does_nothing_to_a_terminal_or_a_page(invited):
    guest = invited(asked(r"print('\x1b[2J\u202e')", r"raise type('\x1b[1mOops', (Exception,), {})('\x9b\r\u2066')"))
    with pytest.raises(Failed):
        guest(GAME.start(3).seen_by(1), 1)
    trouble = guest.trouble
    assert trouble.said == "\\x1b[2J\\u202e\n" and trouble.words == r"\x1b[1mOops: \x9b\r\u2066"
    assert all(line.isprintable() for line in trouble.trace.splitlines())


ENDLESS = {
    "a loop": asked("while True: pass"),
    "a loop that catches all": asked("while True:", "    try:", "        while True: pass", "    except: pass"),
    "sleep": asked("import time", "time.sleep(10**6)"),
    "print": asked("while True: print('y' * 1000)"),
    "no answer": asked("import threading", "threading.Event().wait()"),
}


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ENDLESS)
def test_who_does_not_answer_is_ended(name, invited):
    guest = invited(ENDLESS[name], seconds=SHORT)
    guest.get_ready()
    pid = guest._process.pid
    with pytest.raises(TimeIsUp, match=r"took more than 1 s for a decision"):
        guest(GAME.start(3).seen_by(0), 0)
    wait_for(lambda: not is_there(pid))
    assert "took more than 1 s" in guest.trouble.words and len(guest.said) < 2 * MOST_SAID


def test_a_file_that_is_never_loaded_is_ended(invited, monkeypatch):
    monkeypatch.setattr(guest, "LOADING", SHORT)
    with pytest.raises(TimeIsUp, match="to be loaded"):
        invited("while True: pass\n").get_ready()


def test_a_process_that_does_not_begin_is_not_the_fault_of_the_agent(invited, monkeypatch):
    monkeypatch.setattr(guest, "_nurseries", [])
    monkeypatch.setattr(guest, "PROGRAM", "print('no room', file=__import__('sys').stderr); {path!r}; '{be}'")
    with pytest.raises(CrashlabError, match=r"start a process for x: it ended its process, with status 0\. no room"):
        invited(FIRST)
    monkeypatch.setattr(guest, "python", lambda be: ["/no/such/program"])
    with pytest.raises(CrashlabError, match="cannot start a process for x"):
        invited(FIRST)


def test_what_it_prints_is_kept_and_shown_with_what_broke(invited):
    guest = invited(asked("print('I see', seat)", "print('oh', file=sys.stderr)", "os.write(1, b'low')", "1 / 0"))
    with pytest.raises(Failed):
        guest(GAME.start(3).seen_by(0), 0)
    assert sorted(guest.trouble.said.split()) == ["0", "I", "low", "oh", "see"] or "I see 0" in guest.trouble.said
    assert "line 7, in agent" in guest.trouble.trace and "1 / 0" in guest.trouble.trace


def test_it_can_change_crashlab_for_itself_alone(invited):
    view = GAME.start(3).seen_by(0)
    guest = invited(
        "import crashlab\ncrashlab.State.refusal = lambda *_: ''\ncrashlab.Game.say = lambda *_: '1 X'\n" + FIRST
    )
    assert guest(view, 0) == "1 X"  # refused here later
    assert GAME.start(3).refusal(0, "1 X") and str(GAME.start(3).actions(0)[0]) != "1 X"


@posix
def test_who_is_not_asked_rests(invited):
    """The process is suspended between two questions."""
    guest, view = invited(FIRST), GAME.start(3).seen_by(0)
    for _ in range(2):
        guest(view, 0)
        wait_for(lambda: is_at_rest(guest._process.pid))


ABANDON = """
import os, signal, sys
from crashlab import game
from crashlab.base.clock import Clock, Time
from crashlab.play.league.guest import Participant, Guest, GuestSpec, Limits

def begin(text):
    guest = Guest(GuestSpec(Participant("x", text), game("autoscooter", players=2), Limits(600, 512)), 1)
    guest.begin()
    guest.get_ready()
    print(guest._process.pid, flush=True)
    return guest

idle = begin("def agent(state, seat): pass")
busy = begin("def agent(state, seat): return [0 for _ in iter(int, 1)]")
busy._resume()
with Clock(Time(600)) as clock:
    busy._tell({"seat": 0, "position": game("autoscooter", players=2).start(1).text, "seconds": 600}, clock)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
def test_guests_end_with_the_process_that_has_invited_them():
    done = subprocess.run([sys.executable, "-c", ABANDON], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == -9 and done.stderr == ""
    end = time.monotonic() + PATIENCE
    for pid in done.stdout.split():
        while b"sandbox.nursery" in content(Path(f"/proc/{pid}/cmdline")) and time.monotonic() < end:
            time.sleep(0.01)
        assert b"sandbox.nursery" not in content(Path(f"/proc/{pid}/cmdline"))


def test_it_has_no_variables_and_no_open_files(invited, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    lines = (
        "print(sorted(os.environ))",
        "def is_open(n):",
        "    try: return os.fstat(n) and True",
        "    except OSError: return False",
        "print('abc' in str(os.environ), os.getcwd(), [n for n in range(1000) if is_open(n)])",
    )
    with (tmp_path / "open").open("w"):
        guest = invited(asked(*lines))
        guest(GAME.start(3).seen_by(0), 0)
    guest.close()
    variables, others = guest.said.splitlines()
    assert "SECRET" not in variables and others == "False / [0, 1, 2, 3]"


def test_what_is_neither_installed_nor_python_is_closed(invited, tmp_path, monkeypatch):
    """So is a folder on this process's import path, such as the folder of the league."""
    (tmp_path / "other.py").write_text("SECRET = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    view = GAME.start(3).seen_by(0)
    for line in ("import other", f"open({str(tmp_path / 'other.py')!r})", f"os.listdir({str(tmp_path)!r})"):
        with pytest.raises(Failed, match=r"may not read|No module named"):
            invited(asked(line))(view, 0)


@pytest.mark.parametrize("is_ready", (False, True))
def test_a_guest_that_is_closed_before_it_is_asked_says_so(invited, is_ready):
    guest = invited(asked())
    if is_ready:
        guest.get_ready()
    guest.close()
    with pytest.raises(Closed):
        guest(GAME.start(3).seen_by(0), 0)


def test_a_guest_that_was_closed_does_not_begin(invited):
    guest = Guest(GuestSpec(Participant("late", "x = 1"), GAME, Limits(PATIENCE, 500)), 0)
    guest.close()
    with pytest.raises(Closed):
        guest.begin()


@pytest.mark.parametrize("step", ("_resume", "_tell", "_hear", "_suspend"))
def test_a_guest_that_is_closed_between_two_steps_of_a_question_says_so(invited, monkeypatch, step):
    """Another thread closes it just before it is resumed, asked, heard or suspended."""
    guest = invited(asked())
    guest.get_ready()
    done = getattr(guest, step)

    def closed_before(*arguments):
        guest.close()
        return done(*arguments)

    monkeypatch.setattr(guest, step, closed_before)
    with pytest.raises(Closed):
        guest(GAME.start(3).seen_by(0), 0)


def test_a_guest_that_is_closed_while_it_thinks_says_so(invited):
    guest = invited(asked("while True: pass"))
    guest.get_ready()
    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(guest, GAME.start(3).seen_by(0), 0)
        while guest._asked is None:
            time.sleep(0.01)
        guest.close()
        with pytest.raises(Closed):
            answer.result(PATIENCE)


# A league


def write(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def play(folder, game=GAME, games=2, **how):
    return crashlab.league(folder, game, games=games, **{"limit": PATIENCE, "seed": SEED, "progress": False, **how})


def outcomes(season):
    return sorted((kept.pair, kept.number, kept.played, kept.match["end"]) for kept in season.played)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Return a finished league with an agent that fails in the middle of the game."""
    late = asked("print('round', state.round)", "if state.round == 3: state.actions(seat)[10**6]")
    return play(write(tmp_path_factory.mktemp("league"), first=FIRST, last=LAST, late=late, typo="def agent(:\n"))


def test_everybody_meets_everybody_on_both_sides_with_the_same_start(done):
    assert done.names == ("first", "last", "late") and list(done.broken) == ["typo"] and done.planned_games == 6
    assert sorted(kept.played.seats for kept in done.played) == sorted(
        (one, other) for one in done.names for other in done.names if one != other
    )
    assert len({kept.match["seed"] for kept in done.played}) == 1
    assert done.standings["late"].forfeits == done.standings["late"].games == 4


def test_a_line_on_a_game_says_who_has_won_or_forfeited(done):
    for kept in done.played:
        words = kept.words(GAME.seat_name)
        won = [name for name in kept.pair if kept.played.points(name) == 1]
        if "late" in kept.pair:
            assert words.endswith(", late forfeits") and won == [*{*kept.pair} - {"late"}]
        else:
            assert words.endswith(f", {won[0]} wins" if won else ", a draw")


def test_who_forfeits_gets_no_point_for_it_if_the_other_does_too(tmp_path):
    """Otherwise agents that never play could rise above one that loses all its games."""
    bad = asked("raise ValueError")
    season = play(write(tmp_path, bad=bad, worse=bad, first=FIRST))
    assert [(row.name, row.points) for row in season.standings.ranking] == [("first", 4), ("bad", 0), ("worse", 0)]
    assert season.standings.between("bad", "worse")[:3] == (0, 0, 2)
    assert season.standings.between("worse", "bad")[:3] == (0, 0, 2)
    assert any(kept.words(GAME.seat_name).endswith(", both forfeit") for kept in season.played)


def test_every_game_can_be_played_again(done):
    for number, kept in enumerate(done.played, 1):
        match = done.match(number)
        assert match.state.text == kept.match["end"] and match.state.scores == kept.played.scores
        assert Kept.of(json.loads(json.dumps(kept.to_dict())), 2).played == kept.played and kept.played.course
        for turn in match.turns[:4]:  # two rounds
            for seat, action in turn.actions.items():
                if kept.played.seats[seat] != "late":
                    actions = turn.before.actions(seat)
                    assert action == actions[0 if kept.played.seats[seat] == "first" else -1]
    for number in (0, 7, -1, "1", 1.5):
        with pytest.raises(CrashlabError, match="games are numbered 1 to 6"):
            done.match(number)


def test_what_broke_is_told_with_a_position_that_can_be_read(done):
    typo, late = done.reports[1], done.reports[0]
    assert typo.startswith("typo: cannot be loaded: SyntaxError") and late.startswith("late: IndexError")
    assert "(and 3 times more)" in late and all(line in str(done) for line in (typo, late))
    for trouble in done.troubles["late"]:
        state = GAME.read(trouble.position, forced=False)
        assert state.round == 3 and "luck" not in trouble.position and "round 3" in trouble.said
        assert "10**6" in trouble.trace
    (kept, *_) = [kept for kept in done.played if "late" in kept.pair]
    assert "round 1" in "".join(kept.said.values())
    stored = json.loads(json.dumps(kept.to_dict()))
    stored["troubles"][0]["unknown"] = stored["unknown"] = 1  # as a later version may write
    assert Kept.of(stored, 2) == kept


def test_the_title_keeps_the_seed_to_itself(done):
    assert done.title == "Autoscooter: 4 agents, 1 of them broken, 6 of 6 games"
    assert "seed" not in str(done) and "seed" not in done.html


def test_a_league_on_paper_is_one_whole_page(done, tmp_path):
    done.save(tmp_path / "table.html")
    text = (tmp_path / "table.html").read_text("utf-8")
    page = BeautifulSoup(text, "html.parser")
    assert page.h1.get_text() == done.title and len(page.find_all("svg")) == 2
    assert not page.find_all(["script", "link", "img", "iframe"])
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert page.ul.pre.get_text() == done.troubles["late"][0].position
    assert len(page.ol.find_all("li")) == 6


def test_names_are_escaped_on_the_page(tmp_path):
    write(tmp_path, **{"<b>x": "raise ValueError('<script>')", "a": FIRST, "c": FIRST})
    season = play(tmp_path)
    assert "<script>" not in season.html and "<b>x" not in season.html and "&lt;script&gt;" in season.html


# Continuing


def test_a_league_that_was_interrupted_goes_on(done, tmp_path):
    write(tmp_path, **{path.stem: path.read_text() for path in done.folder.glob("*.py")})
    season = Season(tmp_path, GAME, 2, limit=PATIENCE, seed=SEED)
    for _ in season.roll_call():
        pass
    games = season.play()
    for _ in range(2):
        next(games)
    games.close()
    with (tmp_path / KEPT).open("a") as file:
        file.write('{"game": {"pair": ["first"')  # as after a power failure
    played = []

    class Counted(Fixture):
        def play(self, guests=None):
            played.append((self.pair, self.job.number))
            return super().play(guests)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("crashlab.play.league.season.Fixture", Counted)
        again = play(tmp_path)
        assert len(played) == 4 and outcomes(again) == outcomes(done)
        assert outcomes(play(tmp_path)) == outcomes(done) and len(played) == 4  # there are no games left to play
        write(tmp_path, last=FIRST)
        changed = play(tmp_path)
        assert len(played) == 8 and all("last" in pair for pair, _ in played[4:])
        assert len(changed.played) == 6 and outcomes(changed) != outcomes(done)
        write(tmp_path, last=LAST)
        assert outcomes(play(tmp_path)) == outcomes(done) and len(played) == 8  # those games are still stored
        (tmp_path / "late.py").unlink()
        assert play(tmp_path).names == ("first", "last")


def test_what_a_league_has_been_played_with_stays(done):
    before = done.path.read_bytes()
    for how, words in (
        ({"game": crashlab.game("crash_city", players=2)}, "cannot continue: it is a match of autoscooter"),
        ({"seed": SEED + 1}, "another seed"),
        ({"limit": 5.0}, f"limit={PATIENCE}"),
        ({"memory": 600}, "memory=512, not 600"),
    ):
        with pytest.raises(CrashlabError, match=words):
            play(done.folder, **how)
    assert done.path.read_bytes() == before
    assert outcomes(Season(done.folder, games=2)) == outcomes(done)  # the rest stays as stored


@pytest.mark.few(2)
@pytest.mark.parametrize("content", [b"no league\n", b"[]\n", b'{"league": 5}\n', b'{"league": {}}\n', b"\xff\n"])
def test_a_file_that_is_no_league_is_left_alone(content, tmp_path):
    write(tmp_path, a=FIRST, b=FIRST)
    (tmp_path / KEPT).write_bytes(content)
    with pytest.raises(CrashlabError, match=r"league\.jsonl: "):
        play(tmp_path)
    assert (tmp_path / KEPT).read_bytes() == content


def test_games_that_were_changed_by_hand_are_played_again_or_refused(done, tmp_path):
    for path in done.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = (tmp_path / KEPT).read_text().splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith('{"game"'))
    game = json.loads(lines[place])
    del game["game"]["scores"]
    lines[place] = json.dumps(game)
    (tmp_path / KEPT).write_text("\n".join(lines))
    assert len(Season(tmp_path, games=2).played) == 5
    game = json.loads(lines[place + 1])
    game["game"]["match"]["end"] = "nowhere"
    lines[place + 1] = json.dumps(game)
    (tmp_path / KEPT).write_text("\n".join(lines))
    with pytest.raises(CrashlabError, match="do not lead to the recorded end"):
        Season(tmp_path, games=2).match(1)


def test_what_is_given_is_checked(tmp_path):
    write(tmp_path, a=FIRST, b=FIRST)
    for how, words in (
        ({"games": 3}, "even number"),
        ({"games": 0}, "from 2"),
        ({"rounds": "knockout"}, "'robin', 'swiss'"),
        ({"rounds": 2}, "2 agents can play at most 1"),
        ({"limit": 0}, "limit=0"),
        ({"memory": 10}, "memory=10"),
        ({"seed": "x"}, "seed='x'"),
        ({"seed": 10**39 - 1}, "agents could guess this seed"),
        ({"game": "chess"}, "starts from a game"),
        ({"workers": 2}, "workers=2"),
    ):
        with pytest.raises(CrashlabError, match=words):
            play(tmp_path, **how)
    for folder in (tmp_path / "none", 5, ""):
        with pytest.raises(CrashlabError):
            play(folder)
    (tmp_path / "b.py").unlink()
    with pytest.raises(CrashlabError, match=r"needs two agents, but .* has 1"):
        play(tmp_path)


@posix
def test_files_that_cannot_be_read_take_no_part(tmp_path):
    """A pipe and a device have no end; a link may lead to them, or to files not meant for the class."""
    write(tmp_path, a=FIRST, b=FIRST, _helper="1 / 0")
    (tmp_path / "c.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "d.py").write_text("#" * (LARGEST + 1))
    (tmp_path / "e.py").symlink_to(tmp_path / "a.py")
    (tmp_path / "f.py").symlink_to("/dev/zero")
    (tmp_path / "g.py").mkdir()
    os.mkfifo(tmp_path / "h.py")
    season = play(tmp_path)
    assert season.names == ("a", "b") and list(season.broken) == [*"cdefgh"] and len(season.played) == 2
    assert [trouble.words for trouble in season.broken.values()][1:] == [
        f"cannot be read: is larger than {LARGEST:,} bytes",
        *["cannot be read: is not a regular file"] * 4,
    ]


def test_no_more_of_a_file_is_read_than_the_limit(tmp_path, monkeypatch):
    """This also holds for a file that grows, or is replaced by a device, after its size was checked."""
    (path := tmp_path / "x").write_bytes(b"12345")
    assert files.read_regular(path, 5) == b"12345"
    with pytest.raises(ValueError, match="larger than 4 bytes"):
        files.read_regular(path, 4)
    seen = path.lstat()
    path.unlink()
    path.symlink_to("/dev/zero")
    monkeypatch.setattr(Path, "lstat", lambda path: seen)
    with pytest.raises(OSError, match="symbolic links"):
        files.read_regular(path, 5)


@posix
def test_a_pipe_in_place_of_the_games_is_refused(tmp_path):
    os.mkfifo(write(tmp_path, a=FIRST, b=FIRST) / KEPT)
    with pytest.raises(CrashlabError, match=r"league\.jsonl: cannot be read: is not a regular file"):
        play(tmp_path)


def test_no_seed_is_one_that_nobody_knows(tmp_path):
    write(tmp_path, a=FIRST, b=FIRST)
    first = Season(tmp_path, TOY)
    assert first.seed > 1 << 32 and Season(tmp_path, TOY).seed == first.seed


def test_a_league_of_an_older_version_is_not_continued(tmp_path):
    Season(write(tmp_path, a=FIRST, b=FIRST), TOY)
    (line,) = (tmp_path / KEPT).read_text().splitlines()
    (tmp_path / KEPT).write_text(json.dumps({"league": {**json.loads(line)["league"], "seed": 5}}))
    with pytest.raises(CrashlabError, match="its seed comes from an older crashlab, and agents could compute it"):
        play(tmp_path, TOY)


def test_the_seeds_of_two_guests_foretell_no_other(tmp_path):
    """In a tournament, whose agents need no isolation, two seeds reveal all others."""
    season = Season(write(tmp_path, a=FIRST, b=FIRST, c=FIRST), GAME, 4, seed=SEED)
    fixture = season._fixture(("a", "b"), 0)
    luck = Random(SEED).split(("agents", 0))
    low = mix(luck.split(0).luck + STEP & MASK) & 0xFFFFFFFF
    lows = np.arange(max(low - (1 << 19), 0), low + (1 << 19), dtype=np.uint64)  # a part of all 2 ** 32
    for match, secret in ((fixture.job.match(), [Random(SEED).luck]), (fixture.match(), [])):
        seeds = [match.agents[seat].seed for seat in (0, 1)]
        assert foretold(seeds, (0, 1), ("agents", 0), lows) == secret
    fixtures = [season._fixture(pair, number) for pair in season.rounds[0] for number in range(4)]
    matches = [fixture.match() for fixture in fixtures]
    seeds = [guest.seed for match in matches for guest in match.agents.values()]
    seeds += [match.seed for match in matches[:4:2]]
    assert len(set(seeds)) == 26 and all(1 << 100 < seed < 1 << 128 for seed in seeds)
    write(tmp_path, c=LAST)  # another agent learns nothing from the games against it before
    again = Season(tmp_path, GAME, 4, seed=SEED)._fixture(("a", "c"), 0).match()
    assert again.seed == matches[0].seed and again.agents[0].seed not in seeds


# Two leagues


def test_a_second_league_in_a_folder_says_so_and_ends(tmp_path):
    start = GAME.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
    season, late = (Season(write(tmp_path, a=FIRST, b=LAST), start, 2) for _ in range(2))
    playing = season.play()
    next(playing)
    before = season.path.read_bytes()
    for second in (season, late):
        with pytest.raises(CrashlabError, match=r"league\.jsonl: another program is playing this league"):
            next(second.roll_call())
    command = [sys.executable, "-m", "crashlab", "league", tmp_path, "--games", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and "another program is playing this league" in done.stderr and not done.stdout
    assert season.path.read_bytes() == before
    assert len([*playing]) == 1
    assert [*late.play()] == [] and outcomes(late) == outcomes(season)  # it has read the games played in between


def test_of_two_leagues_that_begin_at_once_one_begins(tmp_path, monkeypatch):
    first = Season(write(tmp_path, a=FIRST, b=LAST), TOY)
    lines = iter([[], first._lines()])
    monkeypatch.setattr(Season, "_lines", lambda season: next(lines))
    with pytest.raises(CrashlabError, match="another program is playing this league"):
        Season(tmp_path, TOY)


def test_a_league_can_start_from_a_position(tmp_path):
    write(tmp_path, a=FIRST, b=LAST)
    state = GAME.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})
    season = play(tmp_path, state)
    assert season.match(1).start.table == state.table and len(season.played) == 2
    assert Season(tmp_path, games=2).start == state


# Swiss system


def test_a_swiss_league_pairs_who_has_done_equally_well_and_nobody_twice(tmp_path, monkeypatch):
    names = "abcdefg"
    write(tmp_path, **dict.fromkeys(names, FIRST))
    season = Season(tmp_path, TOY, 2, "swiss", seed=SEED)
    strength = {name: place for place, name in enumerate(names)}

    def better(fixture, guests=None):
        (one, _), (other, _) = fixture.job.sides
        winner = int(strength[one] < strength[other])
        played = PlayedGame(fixture.job.number, (one, other), (0, 0), (winner,), {})
        return Kept(fixture.pair, fixture.job.number, fixture.fingerprints, played, {})

    monkeypatch.setattr(Fixture, "play", better)
    for _ in season.play():
        pass
    rounds = season.rounds
    assert len(rounds) == 3 and season.planned_games == len(season.played) == 18
    pairs = [pair for round_ in rounds for pair in round_]
    assert len(set(pairs)) == len(pairs) == 12
    for round_ in rounds:
        assert sorted(name for pair in round_ for name in pair) == ["", *names]
    off = [max(pair) for pair in pairs if pairings.NOBODY in pair]
    assert len(set(off)) == 3
    points = dict.fromkeys(names, 0)
    for place, round_ in enumerate(rounds):
        if place == 1:
            winners = {name for name in names if points[name]}
            assert sum(set(pair) <= winners for pair in round_) == 2  # all four winners meet each other
        for pair in round_:
            points[max(pair, key=lambda name: strength.get(name, -1))] += 1
    assert points["g"] == 3 and season.standings.ranking[0].name == "g"
    again = Season(tmp_path, TOY, 2, "swiss")
    assert again.rounds == rounds and again.title.endswith("7 agents, round 3 of 3, 18 of 18 games")
    assert BeautifulSoup(again.html, "html.parser").ol.get_text().count("has a bye") == 3


def test_there_always_are_pairs_whatever_the_results():
    rng = Random(3)
    for number in range(2, 12):
        names = [str(name) for name in range(10, 10 + number)]
        for _ in range(30):
            met = []
            for _ in range(pairings.most(number)):
                round_ = pairings.swiss(rng.shuffled(names), met)
                assert len(round_) == (number + 1) // 2 and not set(round_) & set(met)
                assert sorted(name for pair in round_ for name in pair if name) == names
                met += round_
    assert [pairings.enough(number) for number in (1, 2, 3, 4, 5, 8, 9, 30)] == [0, 1, 2, 2, 3, 3, 4, 5]
    assert all(pairings.enough(number) <= pairings.most(number) for number in range(1, 500))


# Other places


def test_workers_play_the_same_games(done, tmp_path):
    write(tmp_path, **{path.stem: path.read_text() for path in done.folder.glob("*.py")})
    with ThreadPoolExecutor(2) as threads:
        assert outcomes(play(tmp_path, workers=threads)) == outcomes(done)


@pytest.mark.slow
def test_the_example_of_a_league_has_one_broken_agent(tmp_path):
    folder = ROOT / "examples" / "league"
    write(tmp_path, **{path.stem: path.read_text("utf-8") for path in folder.glob("*.py")})
    season = play(tmp_path)
    assert list(season.troubles) == ["tailgater"] and season.standings.ranking[-1].name == "tailgater"
    assert not (folder / KEPT).exists()


def test_stopping_ends_the_game_that_is_played(tmp_path):
    write(tmp_path, a=asked("while True: pass"), b=FIRST)
    season = Season(tmp_path, GAME, 2, limit=PATIENCE, seed=SEED)
    for _ in season.roll_call():
        pass
    with ThreadPoolExecutor(1) as thread:
        game = thread.submit(next, season.play())
        while not any(guest._asked for guest in season._playing):
            time.sleep(0.01)
        season.stop()
        with pytest.raises(Closed):
            game.result(PATIENCE)
    assert season.played == [] and not any(guest._process for guest in season._playing)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells of processes")
def test_a_league_leaves_no_guest_and_no_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "class").mkdir()
    play(write(tmp_path / "class", a=FIRST, b=asked("os._exit(1)")), TOY)
    assert [path.name for path in tmp_path.iterdir()] == ["class"]
    (nursery,) = guest._nurseries
    stats = [content(path).rpartition(b")")[2].split() for path in Path("/proc").glob("[0-9]*/stat")]
    assert not [stat for stat in stats if stat and int(stat[1]) == nursery.pid]


def content(path):
    try:
        return path.read_bytes()
    except OSError:  # the process has ended
        return b""
