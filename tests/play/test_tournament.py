"""Round robins of agents: fair, reproducible and interruptible; ratings that recover known strengths."""

import sys
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError, agents
from crashlab.base.ratings import ratings
from crashlab.base.statistics import student
from crashlab.engine.game import Game
from crashlab.play.tournament import PlayedGame, Standings, is_agent, tournament

TOY = Game("toy", "toy", {})


def slow(state, seat):
    return "1"


def fast(state, seat):
    """Bid as much as possible."""
    return state.actions(seat)[-1]


def broken(state, seat):
    raise ZeroDivisionError("nothing left")


def cheat(state, seat):
    return "9"


def played(first, second, number=0, winners=(0,), scores=(3, 1), forfeits=None):
    return PlayedGame(number, (first, second), scores, winners, forfeits or {})


def standings(*games):
    names = tuple(sorted({name for game in games for name in game.seats}))
    return Standings(TOY, names, games, len(games), 1)


def outcomes(table):
    return [(game.number, game.seats, game.scores, game.winners, dict(game.forfeits)) for game in table.played]


# Fair games


def test_games_that_repeat_another_one_are_counted_and_said_to_prove_nothing_new():
    players = {"slow": slow, "fast": fast}
    table = tournament(TOY.read("squares 3 3"), players, games=6)  # over before any wind: one game for each side
    assert table.repeated.startswith("Different games: 2 of 6. ") and table.repeated in table.remarks
    assert table.repeated in str(table).replace("\n", " ") and table.repeated in table._repr_html_()
    assert not tournament(TOY.read("squares 3 3"), players, games=2).repeated
    assert not tournament(TOY, players, games=2).repeated


def test_games_with_equal_scores_repeat_each_other_only_if_all_positions_are_equal():
    same, other, unknown = (replace(played("a", "b"), course=course) for course in ("ab", "cd", ""))
    assert not standings(same, other, unknown, unknown).repeated
    assert not standings(same, replace(same, seats=("b", "a"))).repeated
    assert standings(same, other, same).repeated.startswith("Different games: 2 of 3. ")


def test_every_pair_plays_so_many_games_and_the_better_agent_leads():
    table = tournament(TOY, {"slow": slow, "fast": fast, "random": "random"}, games=30)
    assert len(table.played) == 90 and [row.games for row in table.ranking] == [60, 60, 60]
    assert [row.name for row in table.ranking] == ["fast", "random", "slow"]
    assert sum(row.points for row in table.ranking) == 90
    assert sum(table.between("fast", "slow")[:3]) == 30
    assert table.between("fast", "slow").lead == -table.between("slow", "fast").lead > 0


def test_the_same_seed_gives_the_same_games_in_any_order_with_any_workers():
    game = crashlab.game("autoscooter", players=3)
    players = {"random": "random", "first": slow, "b": agents.random}
    players["first"] = first_action
    table = outcomes(tournament(game, players, games=3, seed=5))
    assert outcomes(tournament(game, dict(reversed(players.items())), games=3, seed=5)) == table
    with ThreadPoolExecutor(3) as threads:
        assert outcomes(tournament(game, players, games=3, seed=5, workers=threads)) == table
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        assert outcomes(tournament(game, players, games=3, seed=5, workers=processes)) == table
    assert outcomes(tournament(game, players, games=3, seed=6)) != table


def first_action(state, seat):
    return state.actions(seat)[0]


def test_two_agents_change_places_with_the_same_start_and_the_same_luck():
    seen = []

    def watcher(name):
        def watch(state, seat):
            seen.append((name, seat, state.text))
            return "1"

        return watch

    table = tournament(TOY, {"a": watcher("a"), "b": watcher("b")}, games=8)
    assert [game.seats for game in table.played] == [("a", "b"), ("b", "a")] * 4
    ends = [game.scores for game in table.played]
    assert ends[::2] == ends[1::2] and len(set(ends)) > 1  # both bid 1: only the start and the luck make a difference
    changed = [({"a": "b", "b": "a"}[name], seat, text) for name, seat, text in seen]
    assert sorted(changed) == sorted(seen)


def test_two_agents_sit_alternately_on_all_seats():
    for players, seats in ((3, "aba"), (4, "abab"), (5, "ababa")):
        game = crashlab.game("autoscooter", players=players)
        table = tournament(game, {"b": first_action, "a": "random"}, games=2)
        other = seats.translate(str.maketrans("ab", "ba"))
        assert [game.seats for game in table.played] == [tuple(seats), tuple(other)]


def test_pairs_take_turns_so_that_a_stopped_tournament_is_fair():
    table = tournament(TOY, {"a": slow, "b": slow, "c": slow}, games=2)
    assert [game.number for game in table.played] == [0, 0, 0, 1, 1, 1]
    assert [set(game.seats) for game in table.played[:3]] == [{"a", "b"}, {"a", "c"}, {"b", "c"}]


def test_makers_get_seeds_of_their_own():
    seeds = []

    def maker(seed):
        seeds.append(seed)
        return slow

    tournament(TOY, {"made": maker, "slow": slow}, games=6)
    first = list(seeds)
    assert len(set(first)) == 6  # one for each game
    tournament(TOY, {"made": maker, "slow": slow}, games=6)
    assert seeds == first + first
    seeds.clear()
    tournament(
        crashlab.game("autoscooter", players=4),
        {"a": lambda seed: seeds.append(seed) or first_action, "b": first_action},
        games=1,
    )
    assert len(set(seeds)) == 2  # one for each seat


def test_agents_and_makers_are_told_apart():
    class Thinker:
        def __init__(self, seed=0):
            self.seed = seed

        def __call__(self, state, seat):
            return "1"

    assert is_agent(slow) and is_agent(Thinker()) and is_agent(lambda state, seat, depth=3: "1")
    assert not is_agent(Thinker) and not is_agent(lambda seed: slow)
    assert not is_agent(agents.greedy) and not is_agent(partial(agents.greedy, worlds=2))
    table = tournament(TOY, {"a": Thinker, "b": Thinker(), "c": lambda seed: slow}, games=2)
    assert table.forfeits == []


def test_a_tournament_can_start_from_a_position():
    state = TOY.read("squares 4 0")
    table = tournament(state, {"a": slow, "b": fast}, games=4)
    assert [game.winners for game in table.played] == [(0,)] * 4  # one step from the goal
    windy = tournament(TOY.read("squares 0 0; windy"), {"a": slow, "b": slow}, games=20)
    assert len({game.scores for game in windy.played}) > 1  # the gusts vary
    assert [game.scores for game in windy.played[::2]] == [game.scores for game in windy.played[1::2]]


# Forfeits


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (broken, "ZeroDivisionError: nothing left"),
        (cheat, "answered '9': 9 is not possible"),
        (lambda seed: broken(None, seed), "ZeroDivisionError: nothing left"),
        (lambda seed: 5, "it returns 5, not a function"),
        (lambda seed: sys.exit("bye"), "SystemExit: bye"),
    ],
)
def test_an_agent_that_fails_forfeits_and_stops_nothing(agent, words):
    table = tournament(TOY, {"bad": agent, "slow": slow, "random": "random"}, games=4)
    assert table["bad"].points == 0 and table["bad"].forfeits == table["bad"].games == 8
    assert table["slow"].forfeits == 0 and len(table.played) == 12
    assert len(table.forfeits) == 8 and all(words in line for line in table.forfeits)
    assert "bad against" in str(table) and "and 3 more" in str(table) and "lost the game" in str(table)


def test_two_that_forfeit_both_lose():
    table = tournament(TOY, {"a": broken, "b": cheat}, games=2)
    assert table.between("a", "b")[:3] == table.between("b", "a")[:3] == (0, 0, 2)
    assert {row.points for row in table.ranking} == {0} and "0 of 2" in str(table)


def test_where_nobody_wins_it_is_said_why_nothing_is_sure():
    table = tournament(TOY, dict.fromkeys("abc", broken), games=4)
    lines = [*table.lines, *table.meaning]
    assert sum("1000 ± ?  0 of 8" in line for line in lines) == 3
    assert [line for line in lines if line.startswith("± ?")] == [
        "± ?: too few wins or draws to say how certain the rating is."
    ]
    assert not any("± ?" in line for line in tournament(TOY, {"slow": slow, "random": "random"}, games=4).meaning)


def test_what_a_game_is_worth():
    assert played("a", "b").points("a") == 1 and played("a", "b").points("b") == 0
    assert played("a", "b", winners=(0, 1)).points("a") == 0.5
    assert played("a", "b", winners=()).points("b") == 0.5
    assert played("a", "b", forfeits={0: "failed"}).points("a") == 0
    assert played("a", "b", forfeits={0: "failed"}).points("b") == 1
    assert played("a", "b", forfeits={0: "failed", 1: "failed"}).points("a") == 0
    four = PlayedGame(0, ("a", "b", "a", "b"), (9, 2, 1, 6), (0,), {})
    assert four.points("a") == 1 and four.score("a") == 5 and four.score("b") == 4
    assert PlayedGame(0, ("a", "b", "a", "b"), (9, 2, 9, 6), (0, 2), {}).points("a") == 1
    assert PlayedGame(0, ("a", "b", "a", "b"), (9, 2, 1, 9), (0, 3), {}).points("b") == 0.5
    assert PlayedGame(0, ("a", "b", "a", "b"), (9, 2, 1, 6), (0,), {2: "failed"}).points("a") == 0


# Standings


def test_the_table_adds_up():
    table = standings(
        played("a", "b", 0, (0,), (5, 1)),
        played("b", "a", 1, (0, 1), (4, 4)),
        played("a", "c", 0, (1,), (0, 8)),
        played("b", "c", 0, (0,), (2, 1), {1: "C forfeits at decision 3: too late"}),
    )
    assert table.points.tolist() == [[0, 1.5, 0], [0.5, 0, 1], [1, 0, 0]]
    assert table.between("a", "b") == (1, 1, 0, 2.0) and table.between("b", "a") == (0, 1, 1, -2.0)
    a, b, c = (table[name] for name in "abc")
    assert (a.games, a.points, a.rate, a.score, a.forfeits) == (3, 1.5, 0.5, 3.0, 0)
    assert (b.games, b.points, b.score) == (3, 1.5, 7 / 3) and (c.points, c.forfeits) == (1, 1)
    assert table.forfeits == ["c against b, game 1: C forfeits at decision 3: too late"]
    text = str(table)
    assert "3 agents, 4 games" in text and "1.5 of 3" in text and "50 % (" in text and "1-1-0 (+2.0)" in text
    assert table.forfeits[0] in text and "the average has 1000" in text and "stopped" not in text


def test_who_has_not_played_yet_is_in_the_table():
    table = Standings(TOY, ("a", "b", "random"), (played("a", "b"),), 30, 1)
    assert table["random"][:6] == ("random", 0, 0, 0.5, 0, 1)
    assert "(stopped; 30 were requested)" in str(table) and "random has 1000" in str(table)
    assert table["a"].rating > 1000 > table["b"].rating and table["random"].rating == 1000


def test_the_html_table_is_whole_and_escaped():
    page = standings(played("<a>", "b"), played("b", "<a>", 1))._repr_html_()
    assert "<a>" not in page and page.count("&lt;a&gt;") == 2
    assert page.count('scope="row"') == 4 and page.count("<table") == 2 and "1-0-1 (+0.0)" in page


# Interruptions and executors


def stopping(number):
    """Return an agent that is interrupted by its question of this number."""
    asked = []

    def stop(state, seat):
        asked.append(seat)
        if len(asked) == number:
            raise KeyboardInterrupt
        return "1"

    return stop


def test_the_stop_button_leaves_the_games_that_are_done():
    table = tournament(TOY, {"a": stopping(30), "b": slow}, games=100)
    assert 3 < len(table.played) < 30 and table.planned_games == 100 and "stopped; 100 were requested" in str(table)
    assert outcomes(table) == outcomes(tournament(TOY, {"a": slow, "b": slow}, games=100))[: len(table.played)]
    with pytest.raises(KeyboardInterrupt):
        tournament(TOY, {"a": stopping(1), "b": slow})


class Stopped:
    """An executor that plays four of its games and is interrupted at the third result."""

    def __init__(self):
        self.futures, self.taken = [], 0

    def submit(self, function):
        future = Future()
        if len(self.futures) < 4:
            future.set_result(function())
            future.result = partial(self.take, future.result())
        self.futures.append(future)
        return future

    def take(self, result):
        self.taken += 1
        if self.taken == 3:
            raise KeyboardInterrupt
        return result


def test_the_stop_button_cancels_what_others_have_not_begun():
    workers = Stopped()
    table = tournament(TOY, {"a": slow, "b": slow}, games=8, workers=workers)
    assert len(table.played) == 2 and all(future.cancelled() for future in workers.futures[4:])


def test_a_client_of_a_cluster_has_workers_too():
    client = type("Client", (), {"get_executor": lambda self: ThreadPoolExecutor(2)})()
    table = tournament(TOY, {"a": slow, "b": fast}, games=np.int64(3), workers=client)
    assert outcomes(table) == outcomes(tournament(TOY, {"a": slow, "b": fast}, games=3))


def test_threads_are_no_workers_of_a_tournament():
    for workers in (2, "many"):
        with pytest.raises(CrashlabError, match="threads do not make agents faster"):
            tournament(TOY, {"a": slow, "b": slow}, workers=workers)


# Ratings


def chance(difference):
    """Return Elo's probability of winning."""
    return 1 / (1 + 10 ** (-difference / 400))


def test_ratings_find_known_strengths():
    """With the expected results of 20,000 games a pair, the imaginary draw hardly matters."""
    strengths = np.array([1320.0, 1100, 1000, 940, 640])
    points = 20_000 * chance(strengths[:, None] - strengths[None, :])
    np.fill_diagonal(points, 0)
    values, halves = ratings(points)
    np.testing.assert_allclose(values, strengths, atol=1)
    assert all(1 < half < 6 for half in halves)
    values, halves = ratings(points, 3)
    np.testing.assert_allclose(values, strengths + 60, atol=1)
    assert halves[3] == 0 and min(halves[:3]) > 1


def test_intervals_hold_the_truth_about_95_times_of_100():
    strengths, rng = np.array([1100.0, 1000, 900]), np.random.default_rng(1)
    hits = []
    for _ in range(300):
        points = np.zeros((3, 3))
        for one, other in ((0, 1), (0, 2), (1, 2)):
            points[one, other] = rng.binomial(60, chance(strengths[one] - strengths[other]))
            points[other, one] = 60 - points[one, other]
        values, halves = ratings(points, 1)
        hits += [abs(values[place] - strengths[place]) <= halves[place] for place in (0, 2)]
    assert 0.92 < np.mean(hits) < 0.98


def test_two_equals_are_rated_as_worked_out_by_hand():
    """The variance of their difference is 2 / (100 / 4 * 2 + 1 / 4), on the natural scale."""
    values, halves = ratings(np.array([[0, 50], [50, 0.0]]), 0)
    assert values == pytest.approx([1000, 1000])
    assert halves == pytest.approx([0, student(99) * (2 / 50.25) ** 0.5 * 400 / np.log(10)])
    assert ratings(np.array([[0, 50], [50, 0.0]]))[1] == pytest.approx([halves[1] / 2] * 2)


def test_the_imaginary_draw_keeps_ratings_finite():
    """If the agent at +s wins all n games against -s, n / (1 + e^2s) = 1 / (1 + e^-s) - 1 / 2 at the maximum."""
    for games in (1, 10, 1000, 10**6):
        values, halves = ratings(np.array([[0, games], [0, 0.0]]))
        strength = (values[0] - 1000) * np.log(10) / 400
        assert games / (1 + np.exp(2 * strength)) == pytest.approx(1 / (1 + np.exp(-strength)) - 0.5, rel=1e-6)
        assert values[0] + values[1] == pytest.approx(2000) and halves[0] > 100


def test_lopsided_results_are_no_trouble():
    """Full Newton steps would overshoot here and never converge."""
    points = np.array([[0, 10_000, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [0, 10_000, 10_000, 0]], dtype=float)
    values, halves = ratings(points)
    assert values[3] > values[2] > values[0] > values[1] and np.isfinite(halves).all()


def test_draws_are_half_wins_and_no_games_say_nothing():
    won = ratings(np.array([[0, 30], [10, 0.0]]))
    drawn = ratings(np.array([[0, 20 + 20 / 2], [0 + 20 / 2, 0.0]]))
    assert won == drawn
    values, halves = ratings(np.zeros((3, 3)))
    assert values == [1000] * 3 and min(halves) > 300


# Errors


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"start": "autoscooter"}, "from a game or a state, not from str"),
        ({"start": TOY.read("squares 5 0")}, "the game is over"),
        ({"start": TOY.start().seen_by(0)}, "this is only the view of A"),
        ({"agents": "random"}, "give a list of names"),
        ({"agents": 3}, "give a list of names"),
        ({"agents": ["random"]}, "needs two agents, not 1"),
        ({"agents": ["random", "random"]}, "'random' takes part twice"),
        ({"agents": ["random", "clever"]}, "there is no agent 'clever'"),
        ({"agents": {"a": "random", "b": "clever"}}, "there is no agent 'clever'"),
        ({"agents": [slow, fast]}, "name of an agent must be text"),
        ({"agents": [["random"], "greedy"]}, "name of an agent must be text"),
        ({"agents": {"a": slow, 2: fast}}, "name of an agent must be text, not 2"),
        ({"agents": {"a": slow, "b": 7}}, "or the name of one, not 7"),
        ({"games": 0}, "games=0"),
        ({"games": 2.5}, "games=2.5"),
        ({"games": True}, "games=True"),
        ({"seed": "x"}, "seed='x'"),
    ],
)
def test_nonsense_is_refused_in_words(arguments, words):
    good = {"start": TOY, "agents": ["random", "greedy"]}
    with pytest.raises(CrashlabError, match=words):
        tournament(**{**good, **arguments})


def test_who_did_not_take_part_is_named():
    table = standings(played("a", "b"))
    for ask in (lambda: table["c"], lambda: table.between("a", "c")):
        with pytest.raises(CrashlabError, match="'c' did not take part; a, b did"):
            ask()
