"""Agents with a time limit: the match always continues, and agents within their time play as without a limit."""

import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from checkout import TESTS
from fake_page import wait_for
from patience import PATIENCE

import crashlab
from crashlab import CrashlabError, Match, agents, record, tournament
from crashlab.base import clock
from crashlab.compiled import choose_backend
from crashlab.engine.game import Game
from crashlab.play import process_agent
from crashlab.play.process_agent import ProcessAgent

CAR, TOY = crashlab.game("autoscooter", players=3), Game("toy", "toy", {})
SHORT, LONG = 0.2, 60.0  # seconds, for agents that never answer and agents that answer at once

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be copied here"),
    pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning"),  # from the tests themselves
]


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """Disable compilation in the processes of agents."""
    monkeypatch.setattr(choose_backend, "can_compile", lambda: False)


@pytest.fixture(params=["process", "thread"])
def place(request, monkeypatch):
    """Return the place of agents that cannot be stopped otherwise: a process, or a thread without fork."""
    if request.param == "thread":
        monkeypatch.delattr(os, "fork")
    return request.param


def first(state, seat):
    return state.actions(seat)[0]


def loops(state, seat):
    while True:
        pass


def next_number(number):
    number += 1
    return number


def sleeps(state, seat):
    time.sleep(1e9)


def computes(state, seat):
    """Compute forever in one call of C code, which blocks all other threads."""
    return re.match(r"(a+)+$", "a" * 64 + "b")


def catches(state, seat):
    while True:
        try:
            time.sleep(0.001)
        except Exception:
            pass


def floods(state, seat):
    while True:
        print("and so on")


def noting_pid(path, then=first):
    """Return an agent that writes its process id to path."""

    def tells(state, seat):
        path.write_text(str(os.getpid()))
        return then(state, seat)

    return tells


def is_gone(path):
    """Return whether the recorded process does not exist, or none was recorded."""
    try:
        os.kill(int(path.read_text()), 0)
    except (ProcessLookupError, FileNotFoundError, ValueError):
        return True
    return False


def has_ended(path):
    """Return whether the recorded process has ended, even if its exit status was not collected."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return ") Z" in Path(f"/proc/{path.read_text()}/stat").read_text()
    return is_gone(path)


linux_only = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="Linux says here which process has ended")


# Agents over their time


@pytest.mark.parametrize("agent", [loops, sleeps, computes, catches, floods])
def test_an_agent_that_never_answers_forfeits(agent, tmp_path, capsys):
    match = Match(
        CAR, {0: agents.random(1), 1: noting_pid(tmp_path / "pid", agent), 2: agents.random(2)}, 5, True, SHORT
    )
    match.run()
    assert match.state.over and is_gone(tmp_path / "pid")
    assert match.forfeits[1] == "B forfeits at decision 1: the agent of B took more than 0.2 s for a decision"


def test_without_forfeits_it_stops_the_match(tmp_path):
    match = Match(TOY, noting_pid(tmp_path / "pid", loops), limit=SHORT)
    with pytest.raises(CrashlabError, match=r"^the agent of A took more than 0\.2 s for a decision$"):
        match.run()
    assert is_gone(tmp_path / "pid") and match.turns == [] and match.forfeits == {}
    match.agents[0] = match.agents[1] = first
    match.time = clock.Time(limit=LONG)
    assert match.run().over


@pytest.mark.parametrize("agent", [loops, catches, sleeps])
def test_where_no_process_can_be_copied_a_thread_is_stopped(agent, monkeypatch):
    """A sleeping agent is stopped when it wakes up, without anything waiting for it."""
    monkeypatch.delattr(os, "fork")
    before = set(threading.enumerate())
    match = Match(TOY, {0: agent, 1: agents.random(1)}, forfeits=True, limit=SHORT)
    assert match.run().over and "took more than 0.2 s for a decision" in match.forfeits[0]
    assert record(next_number, 1).result == 2  # no restart of a traced function
    if agent is not sleeps:
        wait_for(lambda: set(threading.enumerate()) <= before)


def test_a_search_is_stopped_where_it_is():
    """A search needs no process: it checks the clock between its playouts."""
    match = Match(CAR, {0: agents.mcts(1, playouts=10**9), 1: first, 2: first}, forfeits=True, limit=SHORT)
    match.run(1)
    assert "A forfeits at decision 1: the agent of A took more than 0.2 s for a decision" in match.forfeits[0]
    assert [room.agent for room in match._apart] == [first]


def test_an_agent_derived_from_ours_may_not_look_at_the_clock():
    class Endless(agents.Thinker):
        def think(self, state, seat):
            return loops(state, seat)

    class Random(type(agents.random(1))):
        def __call__(self, state, seat):
            return loops(state, seat)

    for agent in (Endless(), Random()):
        match = Match(TOY, {0: agent, 1: agents.random(1)}, forfeits=True, limit=SHORT)
        assert match.run().over and "took more than" in match.forfeits[0]


@pytest.fixture
def hands(monkeypatch):
    """Return the time of a clock that tests set, as a list of one number."""
    hands = [0.0]
    monkeypatch.setattr(clock, "now", lambda: hands[0])
    return hands


def needing(hands, *needs):
    """Return an agent that takes these seconds for its decisions."""

    @clock.looks
    class Needing:
        def __init__(self):
            self.left = list(needs)

        def __call__(self, state, seat):
            hands[0] += self.left.pop(0)
            return "1"

    return Needing()


def test_a_budget_is_for_all_decisions_of_a_seat(hands):
    spent = needing(hands, 4, 5, 3, 9)
    match = Match(TOY, {0: spent, 1: needing(hands, 1, 1, 1, 1, 1)}, forfeits=True, budget=10)
    match.run()
    assert match.forfeits == {0: "A forfeits at decision 5: the agent of A took more than 10 s for all its decisions"}


def test_a_limit_and_a_budget_hold_both(hands):
    match = Match(TOY, {0: needing(hands, 4, 4, 4), 1: needing(hands, 1, 6)}, forfeits=True, limit=5, budget=10)
    match.run()
    assert "decision 3: the agent of B took more than 5 s for a decision" in match.forfeits[1]
    assert "decision 5: the agent of A took more than 10 s for all its decisions" in match.forfeits[0]


def test_each_seat_has_a_budget_of_its_own(hands):
    match = Match(TOY, needing(hands, *[1] * 20), forfeits=True, budget=4)
    assert match.run().over and match.forfeits == {} and hands[0] > 4


def test_what_is_exactly_in_time_is_in_time(hands):
    match = Match(TOY, needing(hands, *[2] * 20), forfeits=True, limit=2)
    assert match.run().over and match.forfeits == {}


def test_a_budget_stops_who_never_answers():
    match = Match(TOY, {0: loops, 1: agents.random(1)}, forfeits=True, budget=SHORT)
    assert match.run().over and "took more than 0.2 s for all its decisions" in match.forfeits[0]


@pytest.mark.parametrize("value", [0, -1, "2", float("nan"), float("inf"), True, [1], 10**400])
@pytest.mark.parametrize("name", ["limit", "budget"])
def test_what_is_no_number_of_seconds_is_refused(name, value):
    for make in (partial(Match, TOY), partial(tournament, TOY, ["random", "greedy"])):
        with pytest.raises(CrashlabError, match=rf"^{name}=.*: give a number from 0\.001 to 86400"):
            make(**{name: value})


def test_what_our_agents_need_is_compiled_before_their_time_is_counted(monkeypatch):
    compiled = []
    monkeypatch.setattr(choose_backend, "warm", lambda game, *_purposes: compiled.append(game))
    cast = {0: agents.random(1), 1: agents.mcts(1, playouts=5), 2: first}
    Match(CAR, cast).run(2)
    assert compiled == []
    match = Match(CAR, cast, limit=LONG)
    match.run(2)
    assert compiled == [CAR]  # for the agent that searches
    match.close()


# Agents within their time


def wrapped(agent):
    """Wrap an agent so that it does not look interruptible."""
    return lambda state, seat: agent(state, seat)


MAKERS = {
    "random": agents.random,
    "greedy": partial(agents.greedy, max_actions=9),
    "mcts": partial(agents.mcts, playouts=12),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("wrap", [lambda agent: agent, wrapped])
@pytest.mark.parametrize("name", ["random", "greedy", "mcts"])
def test_who_keeps_within_it_plays_the_same(name, wrap, place):
    def cast():
        return {seat: wrap(MAKERS[name](seed)) for seat, seed in enumerate((3, 4, 3))}

    free, limited = Match(CAR, cast(), 5), Match(CAR, cast(), 5, limit=LONG, budget=10 * LONG)
    assert free.run(4) == limited.run(4)
    limited.close()


def elsewhere(state, seat):
    """Return an action that fits a guess of the hidden information; it may be illegal."""
    return state.guess(crashlab.Random(1)).actions(seat)[-1]


def others(state, seat):
    return crashlab.game("crash_city").start().actions(0)[0]


def mumbles(state, seat):
    raise ValueError("half a letter: \ud800")


class Mute(Exception):
    def __str__(self):
        raise ValueError("not telling")


def says_nothing(state, seat):
    raise Mute


@pytest.mark.few(7)
@pytest.mark.parametrize(
    "agent",
    [
        lambda state, seat: str(state.actions(seat)[-1]),
        lambda state, seat: state.actions(seat)[::-1],
        lambda state, seat: (state.actions(seat)[-1], None),
        lambda state, seat: None,
        lambda state, seat: 42,
        lambda state, seat: "99 Z",
        lambda state, seat: 1 / 0,
        lambda state, seat: sys.exit("bye"),
        lambda state, seat: input("your move?"),
        lambda state, seat: state.play(),
        elsewhere,
        others,
        mumbles,
        says_nothing,
    ],
)
def test_an_answer_is_the_same_wherever_it_is_given(agent, place):
    free, limited = (Match(CAR, {1: agent} | {0: first, 2: first}, 5, True, limit) for limit in (None, LONG))
    assert free.run(2) == limited.run(2)
    if "input" not in agent.__code__.co_names:  # pytest replaces Python's message about it
        assert free.forfeits == limited.forfeits
    limited.close()


def test_an_agent_remembers_what_it_has_seen_at_all_of_its_seats(place):
    def counting():
        asked = []

        def counts(state, seat):
            asked.append(seat)
            return state.actions(seat)[len(asked) % 5]

        return counts

    free, limited = Match(CAR, counting(), 5), Match(CAR, counting(), 5, limit=LONG)
    assert free.run() == limited.run() and len(free.turns) > 5


def test_numbers_drawn_from_python_are_those_that_would_come_here():
    def draws(state, seat):
        return random.choice(state.actions(seat))

    ends = []
    for limit in (None, LONG):
        random.seed(7)
        ends.append(Match(CAR, {0: draws, 1: first, 2: first}, 5, limit=limit).run())
    assert ends[0] == ends[1]


def test_what_it_prints_is_printed_here(capsys, place):
    def speaks(state, seat):
        print("I bid", 1, flush=True)
        print("I am not sure", file=sys.stderr, end="")
        return "1"

    Match(TOY, {0: speaks, 1: first}, limit=LONG).run(1)
    printed = capsys.readouterr()
    assert printed.out == "I bid 1\n" and printed.err == "I am not sure"


def test_what_it_prints_and_raises_does_nothing_to_a_terminal(capsys):
    def paints(state, seat):
        print("\x1b[2J\x1b]0;title\x07red\u202e\r", end="\n\t")
        raise type("\x1b[31mOops", (Exception,), {})("\x9b5m\u2066")

    match = Match(TOY, {0: paints, 1: first}, forfeits=True, limit=LONG)
    match.run(1)
    assert capsys.readouterr().out == r"\x1b[2J\x1b]0;title\x07red\u202e\r" + "\n\t"
    (words,) = match.forfeits.values()
    assert r"\x1b[31mOops: \x9b5m\u2066" in words and words.isprintable()
    record = {**Match(CAR, seed=1).to_dict(), "forfeits": {"A": "\x1b[31m"}}
    assert Match.from_dict(record).forfeits[0].isprintable()


def test_what_it_prints_has_an_end(capsys):
    def talks(state, seat):
        for number in range(10_000):
            print("word", number)
        return "1"

    match = Match(TOY, {0: talks, 1: first}, forfeits=True, limit=LONG)
    match.run(3)  # a gust of wind comes between the bids
    printed = capsys.readouterr().out
    assert 2 * process_agent.MOST_SAID < len(printed) < 2 * process_agent.MOST_SAID + 200 and match.forfeits == {}
    assert printed.count("word 0\n") == printed.count("(it prints more than can be shown)") == 2
    match.close()


def test_a_position_is_seen_as_it_is_seen_here():
    seen, limited_output = [], []

    def spies(state, seat):
        print(state.text, state.closed, state.actions(seat), state.actors, sep="\n", end="\n\n")
        return state.actions(seat)[0]

    class Said:
        def write(self, words):
            (limited_output if limited else seen).append(words)

        def flush(self):
            pass

    out = sys.stdout
    for limited in (False, True):
        sys.stdout = Said()
        try:
            Match(CAR, spies, 5, limit=LONG if limited else None).run()
        finally:
            sys.stdout = out
    assert "".join(seen) == "".join(limited_output) and "?" in "".join(limited_output)


# Errors in a process


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (lambda state, seat: os._exit(3), "failed: it ended its process, with status 3"),
        (lambda state, seat: os.kill(os.getpid(), signal.SIGTERM), "failed: its process was ended by SIGTERM"),
        (lambda state, seat: lambda: 1, "failed: its answer <function .* cannot be sent: "),
        (
            lambda state, seat: "1" * 2_000_000,
            r"failed: its answer '1+ \.\.\. cannot be sent: the message is too large",
        ),
        (lambda state, seat: os.closerange(0, 1000), "failed: "),
    ],
)
def test_a_process_that_fails_is_a_forfeit_with_its_reason(agent, words):
    match = Match(TOY, {0: agent, 1: agents.random(1)}, forfeits=True, limit=LONG)
    assert match.run().over and re.match(f"A forfeits at decision 1: the agent of A {words}", match.forfeits[0])


@linux_only
def test_a_process_that_ends_between_two_questions_is_one_too(tmp_path):
    def leaves(state, seat):
        threading.Timer(0.01, os._exit, [4]).start()
        return "1"

    match = Match(TOY, {0: noting_pid(tmp_path / "pid", leaves), 1: agents.random(1)}, forfeits=True, limit=LONG)
    match.run(1)
    wait_for(partial(has_ended, tmp_path / "pid"))
    match.run(2)
    assert "it ended its process, with status 4" in match.forfeits[0]
    match.close()


def test_an_error_is_told_with_the_line_where_it_was():
    def divides(state, seat):
        return 1 / 0

    match = Match(TOY, divides, limit=LONG)
    with pytest.raises(CrashlabError, match="the agent of A failed: ZeroDivisionError: division by zero") as caught:
        match.play()
    assert "return 1 / 0" in caught.value.__cause__.__notes__[0]
    match.close()


@linux_only
def test_what_an_agent_has_begun_ends_with_it(tmp_path):
    def begins(state, seat):
        begun = subprocess.Popen(["sleep", "1000"])
        (tmp_path / "pid").write_text(str(begun.pid))
        return "1"

    Match(TOY, {0: begins, 1: first}, limit=LONG).run()
    wait_for(partial(has_ended, tmp_path / "pid"))


# Nothing is left behind


def test_a_match_that_is_over_has_no_processes(tmp_path):
    match = Match(TOY, {0: noting_pid(tmp_path / "pid"), 1: first}, limit=LONG)
    match.run(1)
    assert not is_gone(tmp_path / "pid")
    match.run()
    assert is_gone(tmp_path / "pid")


def test_a_match_that_is_closed_has_none_and_can_go_on(tmp_path):
    match = Match(TOY, noting_pid(tmp_path / "pid"), limit=LONG)
    match.run(1)
    match.close()
    assert is_gone(tmp_path / "pid")
    assert match.run().over and is_gone(tmp_path / "pid")


def test_a_match_that_is_forgotten_has_none(tmp_path):
    match = Match(TOY, noting_pid(tmp_path / "pid"), limit=LONG)
    match.run(1)
    del match
    assert is_gone(tmp_path / "pid")


def test_the_stop_button_ends_them(tmp_path):
    def stopped(state, seat):
        os.kill(os.getppid(), signal.SIGINT)
        return loops(state, seat)

    ours, other = tmp_path / "pid", tmp_path / "other"
    match = Match(TOY, {0: noting_pid(other), 1: noting_pid(ours, stopped)}, forfeits=True, limit=LONG)
    with pytest.raises(KeyboardInterrupt):
        match.run()
    assert is_gone(ours) and is_gone(other) and match.forfeits == {}


def test_a_match_that_is_closed_while_an_agent_thinks_has_no_forfeit(tmp_path):
    match = Match(TOY, noting_pid(tmp_path / "pid", loops), forfeits=True, limit=LONG)
    with ThreadPoolExecutor(1) as threads:
        playing = threads.submit(match.run)
        wait_for(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
        match.close()
        with pytest.raises(CrashlabError, match="closed while an agent was thinking"):
            playing.result()
    assert is_gone(tmp_path / "pid") and match.forfeits == {} and match.turns == []


ALONE = """
import os, signal, sys
import crashlab
from crashlab.play import process_agent
from crashlab.engine.game import Game
process_agent.GRACE = 0.1

def first(state, seat):
    return state.actions(seat)[0]

def loops(state, seat):
    os.kill(os.getppid(), signal.SIGKILL)
    while True:
        pass

match = crashlab.Match(Game("toy", "toy", {}), {0: first, 1: THEN}, forfeits=True, limit=4)
match.run(1)
print("played", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("then", ["loops", "lambda state, seat: first(state, seat)"])
def test_nothing_outlives_a_program_that_is_killed(then):
    """A survivor would keep its output open."""
    code = ALONE.replace("THEN", then)
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)
    assert done.returncode == -signal.SIGKILL and done.stdout == ("" if then == "loops" else "played\n")


# Matches in other places


def plays(loser):
    """Play a match in which one agent exceeds its time; return whether it is over and whether that is the reason."""
    match = Match(TOY, {0: loser, 1: agents.random(1)}, forfeits=True, limit=SHORT)
    return match.run().over, "took more than" in match.forfeits[0]


def test_agents_are_stopped_from_any_thread():
    with ThreadPoolExecutor(3) as threads:
        assert list(threads.map(plays, [loops, computes, sleeps])) == [(True, True)] * 3


def test_agents_are_stopped_in_workers():
    with ProcessPoolExecutor(1, get_context("fork")) as processes:
        assert processes.submit(plays, loops).result() == (True, True)


def say(answer, queue):
    queue.put(answer())


def test_agents_are_stopped_in_a_process_that_may_have_no_children():
    """The workers of a cluster are like that: `multiprocessing` starts no processes there."""
    queue = get_context("fork").SimpleQueue()
    worker = get_context("fork").Process(target=say, args=(partial(plays, computes), queue), daemon=True)
    worker.start()
    assert queue.get() == (True, True)
    worker.join()
    assert multiprocessing.active_children() == []


def test_where_no_copy_can_be_made_it_is_asked_in_a_thread(monkeypatch):
    def full():
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", full)
    assert plays(loops) == (True, True)
    assert Match(TOY, first, 3, limit=LONG).run() == Match(TOY, first, 3).run()


def test_where_there_are_no_threads_either_who_was_too_slow_is_known_afterwards(monkeypatch):
    def none(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.delattr(os, "fork")
    monkeypatch.setattr(threading.Thread, "start", none)
    match = Match(TOY, {0: lambda state, seat: time.sleep(2 * SHORT) or "1", 1: first}, forfeits=True, limit=SHORT)
    match.run(1)
    assert "took more than 0.2 s for a decision" in match.forfeits[0]


def test_on_a_clock_of_work_a_busy_machine_does_not_count(hands, monkeypatch):
    """The alarm uses real time; code that has not worked that long continues, up to ten times as long."""
    monkeypatch.setattr(clock, "worked", lambda: 0.0)

    def asleep():
        hands[0] += 0.6
        time.sleep(1e9)

    with clock.WorkClock(clock.Time(0.05)) as mine:
        assert clock.in_place(lambda: time.sleep(0.3) or "done", mine) == "done"
        with pytest.raises(clock.TimeIsUp, match=r"took more than 0\.05 s"):
            clock.in_place(asleep, mine)


# Tournaments


def outcomes(table):
    return [(game.number, game.seats, game.scores, game.winners, dict(game.forfeits)) for game in table.played]


def test_a_tournament_goes_on_without_those_who_never_answer():
    table = tournament(TOY, {"good": "random", "bad": loops, "worse": computes}, games=1, limit=SHORT)
    assert len(table.played) == 3 and table["bad"].forfeits == table["worse"].forfeits == 2
    assert "seed 1, at most 0.2 s for a decision\n" in str(table)
    assert "bad against good, game 1: A forfeits at decision 1: the agent of A took more than 0.2 s" in str(table)


def learning():
    """Return an agent that remembers all games of a tournament."""
    games = []

    def learns(state, seat):
        games.append(seat)
        return state.actions(seat)[len(games) % 2]

    return learns


@pytest.mark.few(1)
def test_a_limit_changes_no_tournament_of_those_who_keep_within_it(place):
    def play(**time):
        players = {"a": learning(), "b": "random", "c": agents.random, "d": lambda seed: wrapped(agents.random(seed))}
        return tournament(TOY, players, games=3, seed=4, **time)

    assert outcomes(play(limit=LONG, budget=10 * LONG)) == outcomes(play())
    assert "seed 4, at most 60 s for a decision and 600 s for a game" in play(limit=LONG, budget=10 * LONG).title


def test_a_tournament_leaves_no_process_behind(tmp_path):
    pid = tmp_path / "pid"
    tournament(TOY, {"a": noting_pid(pid), "b": "random"}, games=2, limit=LONG)
    assert is_gone(pid)
    tournament(TOY, {"a": lambda seed: noting_pid(pid), "b": "random"}, games=2, limit=LONG)
    assert is_gone(pid)


def test_the_games_of_a_tournament_are_limited_wherever_they_are_played():
    players = {"a": first, "b": "random", "c": loops}
    with ProcessPoolExecutor(1, get_context("fork")) as processes:
        table = tournament(TOY, players, games=1, limit=SHORT, workers=processes)
    assert len(table.played) == 3 and table["c"].forfeits == 2


def test_a_maker_is_limited_too(place):
    def makes(seed):
        while True:
            pass

    for limits in ({"limit": SHORT}, {"budget": SHORT}, {"limit": SHORT, "budget": SHORT / 2}):
        table = tournament(TOY, {"a": makes, "b": "random"}, games=1, **limits)
        assert table["a"].forfeits == 1 and "took more than 0.2 s to be made" in table.forfeits[0]


def test_an_interrupted_tournament_gives_what_is_done_and_leaves_no_process(tmp_path):
    asked = []

    def stops(state, seat):
        asked.append(seat)
        if len(asked) == 30:
            os.kill(os.getppid(), signal.SIGINT)
            time.sleep(1e9)
        return "1"

    pid = tmp_path / "pid"
    table = tournament(TOY, {"a": noting_pid(pid, stops), "b": "random"}, games=100, limit=LONG)
    assert 1 < len(table.played) < 30 and table.forfeits == [] and is_gone(pid)


def test_an_agent_in_a_process_can_be_sent(tmp_path):
    import pickle

    agent = ProcessAgent(first)
    there = pickle.loads(pickle.dumps(agent))
    assert there.agent is first and Match(TOY, {0: there, 1: agent}).run().over
    there.close()
    agent.close()
