"""Many games: one seed gives the same numbers, whatever plays them."""

import itertools
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from threading import Event, Thread, main_thread
from types import SimpleNamespace

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError, agents, simulate
from crashlab.base import progress, workers
from crashlab.base.statistics import half_width, share_interval
from crashlab.base.workers import cut
from crashlab.compiled import choose_backend
from crashlab.engine.game import Game, State
from crashlab.play.simulation import Job, affordable, draws_at_the_start, own_pieces, warm

TOY = Game("toy", "toy", {})
CAR = crashlab.game("autoscooter", players=5)


def same(first, second):
    parts = ("numbers", "scores", "winners", "decisions", "_counts")
    return all(np.array_equal(getattr(first, part), getattr(second, part)) for part in parts)


@pytest.fixture
def no_threads(monkeypatch):
    """Make starting a thread fail, as in a browser."""

    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)


# One seed, the same games


@pytest.mark.parametrize("game", [CAR, TOY, CAR.start().play(dict.fromkeys(range(5), "-")).after], ids=repr)
def test_the_same_seed_gives_the_same_numbers_whatever_plays_them(game):
    one = simulate(game, 300, seed=1, workers=1)
    assert same(one, simulate(game, 300, seed=1, workers=2))
    with ThreadPoolExecutor(3) as threads:
        assert same(one, simulate(game, 300, seed=1, workers=threads))
    for backend in (choose_backend.interpreted(one.game.rules), choose_backend.compiled(one.game.rules)):
        piece = one.job.play(100, 50, backend, Event())
        assert np.array_equal(piece.scores, one.scores[100:150])
        assert np.array_equal(piece.counts, one._counts[100:150])
    assert not np.array_equal(one.scores, simulate(game, 300, seed=2).scores)


def test_other_processes_give_the_same_numbers():
    with ProcessPoolExecutor(2) as processes:
        assert same(simulate(CAR, 100, workers=processes), simulate(CAR, 100))


def test_more_games_begin_with_the_same_ones():
    few, many = simulate(CAR, 10), simulate(CAR, 30)
    assert np.array_equal(few.scores, many.scores[:10])


def test_agents_give_the_same_numbers_whatever_the_workers():
    one, two = (simulate(CAR, 4, agents={0: "random", 3: "greedy"}, workers=workers) for workers in (1, 2))
    assert same(one, two)
    with ThreadPoolExecutor(2) as threads:
        assert same(one, simulate(CAR, 4, agents={3: "greedy"}, workers=threads))


def test_without_events_the_games_are_the_same():
    counted, plain = simulate(CAR, 50), simulate(CAR, 50, events=False)
    assert np.array_equal(counted.scores, plain.scores)
    with pytest.raises(CrashlabError, match="no events were counted"):
        plain.mean("AS-C5")
    assert "AS-C5" not in str(plain) and "AS-C5" in str(counted)


# Counts


@pytest.mark.parametrize(("game", "who"), [(CAR, "random"), (TOY, "random"), (CAR, {1: "greedy"})], ids=repr)
def test_every_game_can_be_looked_at(game, who):
    results = simulate(game, 12, agents=who)
    for number in (0, 5, 11):
        match = results.match(number)
        rows = [row for turn in match.turns for row in turn.rows]
        assert match.state.scores == tuple(results.scores[number])
        assert len(match.turns) == results.decisions[number]
        assert match.winners == tuple(np.flatnonzero(results.winners[number]))
        for rule, counts in results.notes.items():
            assert counts[number] == sum(row[3] == -1 and game.rulebook[row[1]].id == rule for row in rows), rule
        for rule, counts in results.changes.items():
            assert counts[number] == sum(row[3] != -1 and game.rulebook[row[1]].id == rule for row in rows), rule
        names = match.state.table.NAMES
        for name, counts in results.fields.items():
            assert counts[number] == sum(row[3] != -1 and names[row[3]] == name for row in rows), name
    with pytest.raises(CrashlabError, match="there is no game 12"):
        results.match(12)


def test_results_count_what_was_told():
    results = simulate(crashlab.game("autoscooter"), 20)
    assert len(results) == 20 and results.scores.shape == results.winners.shape == (20, 4)
    assert np.all(results.decisions == 22)  # 11 rounds of two passes
    assert np.all(results.notes["AS-E1"] == 1)
    crashes = sum(results.notes[f"AS-C{case}"] for case in range(1, 6))
    assert np.array_equal(crashes, results.notes["AS-R4"])  # every blocked step is one crash
    assert results.mean("AS-E1") == 1 and results.half_width("AS-E1") == half_width([1.0] * len(results))
    assert np.all(results.fields["round"] == 11) and np.all(results.changes["AS-L2"] >= 88)
    assert "Into the barrier" in str(results)


def test_the_difference_of_two_counts_can_be_below_0():
    """Barrier hits outnumber front crashes, so unsigned numbers would wrap around."""
    results = simulate(crashlab.game("autoscooter"), 50)
    less = results.column("AS-C1") - results.column("AS-C5")
    assert less.mean() == pytest.approx(results.mean("AS-C1") - results.mean("AS-C5"))
    assert less.mean() < 0


def test_winners_have_the_best_score():
    results = simulate(crashlab.game("autoscooter", players=8), 20)
    for scores, winners in zip(results.scores, results.winners, strict=True):
        assert {s for s, won in zip(scores, winners, strict=True) if won} == {max(scores)}


def test_a_position_can_be_simulated():
    state = crashlab.game("autoscooter").read({"round": 11, "cars": {"1": "21E2", "2": "23W1"}})
    assert np.all(simulate(state, 10).decisions == 1)


def test_chance_follows_its_odds():
    """From squares 0 and 0 in the wind: gusts weigh 1, 2, 1, so the first one moves A by 0, 1 or 2."""
    windy = TOY.read("squares 0 0; windy")
    results = simulate(windy, 800)
    gusts = [results.match(number).turns[0].after.squares[0] for number in range(800)]
    assert 160 < gusts.count(0) < 240 and 360 < gusts.count(1) < 440


def test_a_set_up_by_chance_differs_from_game_to_game():
    assert draws_at_the_start(TOY) and not draws_at_the_start(CAR)
    results = simulate(TOY, 40)
    assert len({results.match(number).start.squares for number in range(40)}) == 4


def test_decisions_with_one_option_are_no_decisions():
    """Both runners on square 4 can only bid 1 and arrive; neither they nor chance decide anything."""
    assert simulate(TOY.read("squares 4 3"), 20).decisions.max() <= 1
    assert simulate(TOY.read("squares 4 4; windy"), 300).decisions.max() == 1


def test_a_share_of_wins_has_an_interval_that_is_honest_at_its_ends():
    """At 0 of n its upper end makes 0 wins a 2.5 % chance; at n of n it is the mirror image."""
    far = 1 - 0.025 ** (1 / 10)
    assert share_interval(0, 10) == pytest.approx((0, far)) and share_interval(10, 10) == pytest.approx((1 - far, 1))
    last = crashlab.game("autoscooter").read(
        {"round": 11, "cars": {"1": "21E0"}, "chits": {"A": 80, "B": 0, "C": 0, "D": 0}}
    )
    results = simulate(last, 10)  # A cannot lose more than a few chits
    assert results.wins(0) == (1, *share_interval(10, 10)) and results.wins(1) == (0, *share_interval(0, 10))
    words = str(results)
    assert f"100.0 % ({100 - 100 * far:.1f} to 100.0)" in words and f"0.0 % (0.0 to {100 * far:.1f})" in words
    with pytest.raises(CrashlabError, match="there is no seat 4"):
        results.wins(4)


def test_wins_and_lengths_are_told_with_their_intervals():
    results = simulate(TOY, 50)
    share, low, high = results.wins(0)
    assert share == results.winners[:, 0].mean() and 0 < low < share < high < 1
    assert f"decisions {results.decisions.mean():6.1f} ± {half_width(results.decisions):.1f}, from" in str(results)


def test_what_no_note_cites_can_be_counted_by_its_changes():
    """AS-M1 moves cars and needs no note; AS-C5 has one note for each hit and changes the speed as well."""
    results = simulate(CAR, 5)
    assert "AS-M1" not in results.notes and np.array_equal(results.column("AS-M1"), results.changes["AS-M1"])
    assert results.mean("AS-M1") == results.changes["AS-M1"].mean() > 0 < results.half_width("AS-M1")
    assert np.array_equal(results.column("AS-C5"), results.notes["AS-C5"])


def test_results_show_themselves():
    """They are a table in a notebook and a few words in an error message."""
    shown = []
    one, many = simulate(CAR, 1), simulate(CAR, 1200)
    many._repr_pretty_(type("Page", (), {"text": staticmethod(shown.append)}), False)
    assert shown == [str(many)] and str(many).startswith("1,200 games of")
    assert repr(one) == f"<Results of 1 game of {CAR!r}>" and str(one).startswith("1 game of")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
@pytest.mark.parametrize(("seconds", "seen"), [(1.3, True), (0, False)])
def test_what_takes_longer_than_a_second_shows_a_bar(seconds, seen):
    import pty
    import termios

    code = f"""
from tqdm import std
from crashlab.base.progress import bar
now = 0
std.time = lambda: now
with bar(2, "games") as shown:
    now += {seconds}
    shown.update()
    shown.update()
"""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    environment = {name: value for name, value in os.environ.items() if name != "TQDM_DISABLE"}
    subprocess.run([sys.executable, "-c", code], stderr=theirs, check=True, env=environment)
    os.write(theirs, b"end")
    assert (b"games" in os.read(ours, 10_000)) is seen
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stderr == b""  # no terminal


def test_in_a_notebook_the_bar_is_a_line_that_is_empty_in_the_end(monkeypatch):
    """A widget would be stored without its model, and be missing when the notebook is opened again."""
    display = pytest.importorskip("IPython.display")
    shown, clock = [], iter([0.0, 0.5, 1.5, 1.6, 0.0])
    place = SimpleNamespace(update=lambda look, raw: shown.append(look))
    monkeypatch.setattr(display, "display", lambda look, raw, display_id: shown.append(look) or place)
    monkeypatch.setattr(progress, "in_notebook", lambda: True)
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    with progress.bar(4000, "games") as line:
        line.update(10)
        assert not shown  # less than a second has passed
        line.update(990)
        line.update(500)  # too soon for the next update
    assert shown[0]["text/plain"] == "1,000 of 4,000 games, 0:04 left" and shown[1:] == [{}]
    assert "<progress max='4000' value='1000'" in shown[0]["text/html"]
    monkeypatch.setenv("TQDM_DISABLE", "1")
    assert progress.bar(2, "games").disable and progress.bar(2, "games", is_shown=False).disable


def test_random_play_hits_the_barrier_most():
    """The rules' designers measured 58 % barrier hits among the crashes of eight random drivers."""
    results = simulate(crashlab.game("autoscooter", players=8), 2000)
    crashes = sum(results.notes[f"AS-C{case}"].sum() for case in range(1, 6))
    assert 0.57 < results.notes["AS-C5"].sum() / crashes < 0.60


def test_a_plot_has_a_bar_for_each_rule():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = simulate(CAR, 20).plot("AS-C4", "AS-C5")
    assert [label.get_text()[:5] for label in axes.get_yticklabels()] == ["AS-C4", "AS-C5"]


# Errors


def test_an_agent_that_fails_loses_its_games_and_no_other():
    def broken(state, seat):
        raise RuntimeError("lost")

    results = simulate(CAR, 6, agents={2: broken})
    assert len(results) == 6 and not results.winners[:, 2].any() and results.winners.any(axis=1).all()
    assert "lost" in results.match(0).forfeits[2]


def test_an_interrupted_simulation_gives_what_is_done():
    """Control-C during the games returns the finished ones, and says how many were requested."""
    decisions, played = itertools.count(), Event()

    def slow(state, seat):
        if next(decisions) == 500:  # some dozens of games are done, on a machine of any speed
            played.set()
        time.sleep(0.002)
        return state.actions(seat)[0]

    def interrupt():
        played.wait()
        signal.pthread_kill(main_thread().ident, signal.SIGINT)

    Thread(target=interrupt, daemon=True).start()
    results = simulate(CAR, 100_000, agents={0: slow}, workers=1)
    assert 0 < len(results) < 100_000 and np.array_equal(results.numbers, np.arange(len(results)))
    assert "stopped; 100,000 were requested" in str(results)
    assert same(simulate(CAR, 1, agents={0: slow}), simulate(CAR, 1, agents={0: slow}))


@pytest.mark.parametrize("games", [0, -1, "many", 2.5, None, True, np.int64(0), np.float64(3)])
def test_no_games_are_refused(games):
    with pytest.raises(CrashlabError, match="games="):
        simulate(CAR, games)


def test_numbers_may_be_those_of_numpy():
    assert same(simulate(CAR, np.int64(3), seed=np.int32(2), workers=np.int64(2)), simulate(CAR, 3, seed=2))


@pytest.mark.parametrize("workers", [0, -2, "two", 1.5, False, True])
def test_nobody_to_play_them_is_refused(workers):
    with pytest.raises(CrashlabError, match="workers="):
        simulate(CAR, 2, workers=workers)


def test_nonsense_is_refused_in_words():
    for words, call in (
        ("from a game or a state, not from str", lambda: simulate("autoscooter")),
        ("seed='x'", lambda: simulate(CAR, 1, seed="x")),
        ("clever", lambda: simulate(CAR, 1, agents="clever")),
        (r"or the name of one, not \['clever'\]", lambda: agents.agent(["clever"])),
        ("there is no seat 7", lambda: simulate(CAR, 1, agents={7: "random"})),
        ("an agent is a function", lambda: simulate(CAR, 1, agents={0: 5})),
        (
            "this state cannot be played: it is closed",
            lambda: simulate(State(CAR, CAR.start().table, 0, "it is closed"), 1),
        ),
    ):
        with pytest.raises(CrashlabError, match=words):
            call()
    results = simulate(CAR, 2)
    for what in ("AS-S1", "AS-X", None, ["AS-C5"]):  # no event of a game cites AS-S1
        with pytest.raises(CrashlabError, match="no note or change cites"):
            results.mean(what)
        with pytest.raises(CrashlabError, match="no note or change cites"):
            results.half_width(what)


# Before anything is compiled


def test_short_jobs_do_not_compile_and_do_without_wasmtime():
    """A few games start interpreted without importing wasmtime; a long PATIENCE makes five games few on any machine."""
    code = (
        "import sys, crashlab; from crashlab.play import simulation; simulation.PATIENCE = 600;"
        " print(crashlab.simulate(crashlab.game('autoscooter'), 5).scores.tolist());"
        " sys.exit('wasmtime' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(simulate(crashlab.game("autoscooter"), 5).scores.tolist())


def test_pieces_cover_every_game_once():
    numbers = np.concatenate([piece.numbers for piece in own_pieces(Job(CAR, {}, 1, True), 5, 200, 2)])
    assert sorted(numbers.tolist()) == list(range(5, 205))


@pytest.mark.slow
def test_random_agents_are_random_play():
    """An agent that plays at random differs from random play by less than four intervals."""
    plain, seated = simulate(CAR, 400), simulate(CAR, 400, agents={0: agents.random(3)})
    difference = plain.scores[:, 0].mean() - seated.scores[:, 0].mean()
    assert abs(difference) < 2 * (half_width(plain.scores[:, 0]) + half_width(seated.scores[:, 0]))


def test_agents_with_luck_of_their_own_begin_each_game_afresh():
    """Agent objects give the same numbers with any number of workers, and each game can be replayed."""
    who = {0: agents.random(3), 1: agents.greedy(4, worlds=1)}
    one = simulate(CAR, 8, agents=who, workers=1)
    assert same(one, simulate(CAR, 8, agents=who, workers=2)) and same(one, simulate(CAR, 8, agents=who))
    assert one.match(5).state.scores == tuple(one.scores[5])
    assert len({tuple(row) for row in one.scores.tolist()}) > 4  # the luck differs between games


def test_who_forfeits_is_named():
    results = simulate(CAR, 3, agents={0: lambda state, seat: 1 / 0})
    assert results.forfeits[:, 0].all() and not results.forfeits[:, 1:].any()
    assert "A forfeited 3 games; the first one: A forfeits at decision 1" in str(results)
    assert "A forfeited 1 game; the first" in str(simulate(CAR, 1, agents={0: lambda state, seat: 1 / 0}))
    assert "forfeited" not in str(simulate(CAR, 3))


def test_each_forfeit_has_its_own_reason_which_need_not_come_again():
    """The counted game gives the reason, even if a replay would not fail."""
    left = itertools.repeat("slow"), iter(["tired"])

    def failing(state, seat):
        raise RuntimeError(next(left[seat], "never told"))

    def tired_once(state, seat):
        if next(left[1], None):
            raise RuntimeError("tired")
        return state.actions(seat)[0]

    text = str(simulate(CAR, 3, agents={0: failing, 1: tired_once}, workers=1))
    assert "A forfeited 3 games; the first one: A forfeits at decision 1: " in text and "RuntimeError: slow" in text
    assert "B forfeited 1 game; the first one: B forfeits at decision 1: " in text and "RuntimeError: tired" in text


def test_warm_compiles_only_what_is_wanted(monkeypatch):
    purposes = []
    monkeypatch.setattr("crashlab.compiled.choose_backend.ready", lambda game, purpose, wait: purposes.append(purpose))
    warm(CAR)
    warm(CAR, events=True)
    warm(CAR, events=False)
    assert purposes == ["games", "counted games", "counted games", "games"]


# Without threads and compiler


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_without_threads_the_same_games_are_played(no_threads, agent):
    played = simulate(TOY, 20, agents=agent, seed=1, workers=3)
    assert len(played) == 20
    assert [list(played.match(number).state.scores) for number in range(20)] == played.scores.tolist()


def test_without_threads_a_bar_comes_without_a_word(no_threads, capsys, monkeypatch):
    from tqdm import tqdm

    monkeypatch.setattr(tqdm, "monitor", None)
    with progress.bar(2, "games") as shown:
        shown.update()
    assert capsys.readouterr().err == "" and tqdm.monitor is None


def test_a_lesson_plays_fewer_games_where_nothing_is_compiled_and_says_so(monkeypatch, capsys):
    monkeypatch.setattr(choose_backend, "can_compile", lambda: True)
    assert affordable(10_000, 1) == 10_000 and capsys.readouterr().out == ""
    monkeypatch.setattr(choose_backend, "can_compile", lambda: False)
    assert affordable(10_000, 1) == 1
    assert capsys.readouterr().out == "The rules are not compiled here, so this plays 1 game instead of 10,000.\n"


@pytest.mark.few(9)
@pytest.mark.parametrize("workers", (1, 2, 5, 16, 1000))
@pytest.mark.parametrize("games", (1, 2, 63, 64, 65, 1000, 999_983))
def test_games_are_cut_into_few_pieces_that_get_smaller(games, workers):
    sizes = cut(games, workers)
    assert sum(sizes) == games and len(sizes) <= 64 and sizes == sorted(sizes, reverse=True)
    if games >= 64 * workers:
        assert max(sizes) * 2 * workers <= games or len(sizes) > 32  # no worker has more than half of its share at once
        assert sizes[-1] <= -(-games // 64)


def test_two_workers_get_a_quarter_of_the_games_each_at_first():
    assert cut(6400, 2)[:3] == [1600, 1200, 900]


class Refuses:
    """An object that is no executor and fails when asked."""

    def ncores(self):
        raise OSError("gone")


def test_an_executor_tells_how_many_work_there():
    with ThreadPoolExecutor(3) as threads:
        assert workers.crowd(threads) == 3
    assert workers.crowd(Refuses()) == workers.crowd(object()) == workers.MANY
