"""Intervals contain the truth, by repeated sampling from distributions of games and from worse ones."""

import re
from itertools import product

import numpy as np
import pytest

import crashlab
from crashlab.agents import greedy
from crashlab.base.ratings import ELO, ratings
from crashlab.base.statistics import ALIKE, FEWEST, half_width, half_width_of, share_interval, student

LEAST = 0.92  # least share of intervals that contain the truth
GAMES = (3, 4, 5, 6, 8, 12, 20, 50, 200)
SAMPLES = 1500

# Counts of games by number, of a thousand games: A's chits with two random drivers, barrier hits without a debt, and
# cars that a bomb throws off the floor (none or many).
CHITS = (592, 76, 44, 34, 30, 28, 24, 22, 23, 17, 18, 15, 13, 10, 9, 8, 6, 5, 4, 3, 2, 3, 1, 1)
DEBTS = (490, 79, 66, 59, 54, 47, 39, 34, 26, 22, 15, 15, 11, 8, 6, 5, 4, 3, 2, 2, 1)
BOMBS = (778, *[0] * 10, 1, 2, 2, 3, 3, 4, 6, 8, 11, 13, 24, 118, *[0] * 18, 1, 1, 1, 3, 6)


def of_games(counts, rng, shape):
    return rng.choice(len(counts), shape, p=np.array(counts) / sum(counts)).astype(float)


KINDS = {
    "normal": (lambda rng, shape: rng.normal(30, 9, shape), 30.0),
    "exponential": (lambda rng, shape: rng.exponential(5, shape), 5.0),
    "lognormal": (lambda rng, shape: rng.lognormal(1, 1, shape), np.exp(1.5)),
    "geometric": (lambda rng, shape: rng.geometric(0.2, shape).astype(float), 5.0),
    "rare events": (lambda rng, shape: rng.poisson(0.1, shape).astype(float), 0.1),
    "a rare event": (lambda rng, shape: rng.binomial(1, 0.034, shape).astype(float), 0.034),
    "events": (lambda rng, shape: rng.poisson(1.0, shape).astype(float), 1.0),
    "won, drawn or lost": (lambda rng, shape: rng.choice([1.0, 0, -1], shape, p=[0.7, 0.05, 0.25]), 0.45),
    "mostly won": (lambda rng, shape: rng.choice([1.0, 0], shape, p=[0.97, 0.03]), 0.97),
    "pairs that mostly agree": (lambda rng, shape: rng.choice([0.0, 2, -3], shape, p=[0.8, 0.15, 0.05]), 0.15),
    "chits": (lambda rng, shape: of_games(CHITS, rng, shape), float(np.average(range(len(CHITS)), weights=CHITS))),
    "debts": (lambda rng, shape: of_games(DEBTS, rng, shape), float(np.average(range(len(DEBTS)), weights=DEBTS))),
    "bombs": (lambda rng, shape: of_games(BOMBS, rng, shape), float(np.average(range(len(BOMBS)), weights=BOMBS))),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", KINDS)
def test_an_interval_holds_the_mean_whatever_the_games_give(kind):
    draw, mean = KINDS[kind]
    for games in GAMES:
        samples = draw(np.random.default_rng(games), (SAMPLES, games))
        squares = samples.var(axis=1) * games
        halves = [half_width_of(games, square) for square in squares.tolist()]
        hits = np.abs(samples.mean(axis=1) - mean) <= np.array(halves) + 1e-9
        assert hits.mean() >= LEAST, games
        assert half_width(samples[0]) == pytest.approx(halves[0]) == half_width(samples[0].tolist())


def test_with_many_games_an_interval_is_hardly_wider_than_students():
    sample = np.random.default_rng(1).normal(30, 9, 10_000)
    assert half_width(sample) == pytest.approx(1.96 * sample.std() / 100, rel=0.02)


def test_ten_games_more_are_feared_that_lie_as_far_away_as_those_that_were_played():
    """Squares of 2 in five games are a variance of 1/2, so ten more games add 5; for 40 they add 10, the maximum."""
    assert half_width_of(5, 2) / half_width_of(5, 40) == pytest.approx(((2 + 5) / (40 + 10)) ** 0.5)


def test_of_a_few_games_that_are_all_alike_nothing_is_known():
    assert half_width([5.0] * (ALIKE - 1)) == half_width([1.0, 9.0]) == half_width([]) == np.inf
    assert 0.2 < half_width([5.0] * ALIKE) < 0.5
    assert half_width([5.0] * 10_000) < 0.001


def test_students_quantiles_are_those_of_the_tables():
    table = {1: 12.706, 2: 4.303, 3: 3.182, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980, 1_000_000: 1.960}
    assert {free: round(student(free), 3) for free in table} == table


def test_the_interval_of_a_share_is_clopper_and_pearsons():
    assert share_interval(0, 10) == pytest.approx((0, 0.3085), abs=1e-4)
    assert share_interval(5, 10) == pytest.approx((0.1871, 0.8129), abs=1e-4)
    assert share_interval(10, 10) == pytest.approx((0.6915, 1), abs=1e-4)
    assert share_interval(0, 0) == share_interval(2, 2) == (0, 1)
    assert share_interval(520_000, 1_000_000) == pytest.approx((0.51902, 0.52098), abs=1e-5)


@pytest.mark.few(2)
@pytest.mark.parametrize("games", [3, 4, 7, 20, 60])
def test_the_interval_of_a_share_holds_it_wherever_it_is(games):
    """The check is exact: it adds the binomial chances of all numbers of wins whose interval contains the share."""
    shares = np.linspace(0, 1, 401)
    chances = np.ones((1, shares.size))  # chances of each number of wins, game by game
    for _ in range(games):
        chances = np.pad(chances * (1 - shares), ((0, 1), (0, 0))) + np.pad(chances * shares, ((1, 0), (0, 0)))
    ends = np.array([share_interval(won, games) for won in range(games + 1)])
    contains = (ends[:, :1] <= shares) & (shares <= ends[:, 1:])
    assert (chances * contains).sum(axis=0).min() >= 0.95 - 1e-9


@pytest.mark.few(2)
@pytest.mark.parametrize(("games", "drawn"), list(product([3, 6, 20], [0.1, 0.5])))
def test_draws_are_half_a_win(games, drawn):
    rng = np.random.default_rng(games)
    for won in (0.05, 0.3, 0.45):
        points = rng.choice([1.0, 0.5, 0.0], (SAMPLES, games), p=[won, drawn, 1 - won - drawn]).sum(axis=1)
        ends = {point: share_interval(point, games) for point in set(points.tolist())}
        hits = [ends[point][0] <= won + drawn / 2 <= ends[point][1] for point in points.tolist()]
        assert np.mean(hits) >= LEAST


FIELDS = {  # agents' strengths on Elo's scale, relative to the first, and the number of games
    "two alike": ((0, 0), 4),
    "two apart": ((0, 600), 10),
    "two far apart": ((0, 1000), 10),
    "a class": ((0, 150, 300, 450, 600), 4),
    "far apart": ((0, 460, 920, 1380), 6),
    "one ahead": ((0, 0, 0, 800), 3),
    "a ladder": (tuple(range(0, 1440, 205)), 20),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("anchor", [0, None])
@pytest.mark.parametrize("field", FIELDS)
def test_ratings_hold_the_truth_also_at_the_ends(field, anchor):
    elo, games = FIELDS[field]
    strengths = np.array(elo) / ELO
    reach = 2 if field == "a ladder" else len(elo)
    chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    truth = 1000 + np.array(elo) - (elo[anchor] if anchor is not None else np.mean(elo))
    rng, hits = np.random.default_rng(5), []
    for _ in range(150):
        won = np.tril(rng.binomial(games, chances), -1)
        near = np.tril(np.abs(np.subtract.outer(range(len(elo)), range(len(elo)))) <= reach, -1)
        values, halves = ratings((won * near + ((games - won) * near).T).astype(float), anchor)
        hits.append(np.abs(values - truth) <= np.array(halves) + 1e-6)
    assert np.delete(np.mean(hits, axis=0), [] if anchor is None else anchor).min() >= LEAST


def test_below_three_games_no_interval_is_told_anywhere():
    game = crashlab.game("autoscooter", players=2)
    for games in range(1, FEWEST):
        results = crashlab.simulate(game, games, progress=False)
        compared = crashlab.compare(game, "standstill", ["none", "about_face"], games, progress=False)
        state = game.start(7)
        thoughts = greedy(1, worlds=games).think(state, 0)
        rows, columns = ["1 FLL", "1 F"], ["63 F"]
        few = crashlab.duel(state, rows=rows, columns=columns, playouts=games, decisions=None, progress=False)
        part = crashlab.differ(game, game.changed(standstill="none"), games, progress=False)
        for text in (str(results), str(compared), str(thoughts), str(few), str(part)):
            assert not re.search(r"± (?!95 %)\d|\(\d[\d.]* to", text), text
            assert "too few games to say" in text, text
    league = crashlab.tournament(game, ["random", "greedy"], games=1, progress=False)
    assert "± ?" in str(league) and "too few games to say" in str(league)
    assert league.title.startswith("2 agents, 1 game of ")
    assert "too few games to say" in league._repr_html_()


def test_from_three_games_on_an_interval_is_told():
    game = crashlab.game("autoscooter", players=2)
    text = str(crashlab.simulate(game, 3, seed=2, progress=False))
    assert "± ?" not in text.splitlines()[2] and "(" in text.splitlines()[2], text
