"""Solved endgames, compared with plain backward induction on public states and with every reply."""

import random

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.agents import random as at_random
from crashlab.analysis.endgame import Endgame, RoundPlan, checked, obstacle, passes_of, solve
from crashlab.analysis.matrix_game import Duel, linear_programming
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import backward_induction

HEXES = [f"{row}{column}" for row in range(7) for column in range(5 + row % 2)]
GAME = crashlab.game("autoscooter", players=2)


def position(cars, left=1, game=GAME, **more):
    return game.read({"round": 12 - left, "cars": cars, **more})


def bluff(left):
    return position({"1": "11SW3", "2": "41NW2"}, left)


def somewhere(seed, left=1, speeds=(0, 1, 2, 3), cars=("1", "2"), **options):
    """Return a random position: cars near each other, and purses that may run out."""
    rng = random.Random(seed)
    middle = rng.choice(HEXES)
    near = sorted(HEXES, key=lambda place: abs(int(place[0]) - int(middle[0])) + abs(int(place[1]) - int(middle[1])))
    places = rng.sample(near[:9], len(cars))
    way = ("E", "NE", "NW", "W", "SW", "SE")
    standing = {car: f"{place}{rng.choice(way)}{rng.choice(speeds)}" for car, place in zip(cars, places, strict=True)}
    chits = {"A": rng.choice((2, 5, 20)), "B": rng.choice((1, 4, 20))}
    return position(standing, left, crashlab.game("autoscooter", players=2, **options), chits=chits)


def plain(state, cache):
    """Return the value by plain backward induction: a full matrix for every round, on public states."""
    if state.over:
        return float(state.scores[0] - state.scores[1])
    if state.key not in cache:
        cache[state.key] = Duel.of(plain_matrix(state, cache)).reduced().solve().value
    return cache[state.key]


def plain_matrix(state, cache):
    """Return the matrix of A's plans against B's for this round; several cars of a seat plan in separate passes."""
    passes = passes_of(state)
    lists = [[[action.code for action in there.actions(seat)] for there in passes] for seat in (0, 1)]
    rows, columns = (joint(codes) for codes in lists)
    return [[plain(played(state, row, column), cache) for column in columns] for row in rows]


def joint(lists):
    """Return all combinations of one code from each list, in the order of plans: the first list changes fastest."""
    combinations = [()]
    for codes in reversed(lists):
        combinations = [(code, *rest) for rest in combinations for code in codes]
    return combinations


def played(state, row, column):
    for mine, yours in zip(row, column, strict=True):
        state = state.play_codes({0: mine, 1: yours})
    return state


def assert_guaranteed(solution, values):
    """Check in the true matrix that no reply beats either mixture's bound."""
    assert solution.row.sum() == pytest.approx(1) and solution.column.sum() == pytest.approx(1)
    assert (solution.row >= 0).all() and (solution.column >= 0).all()
    assert (solution.row @ values).min() >= solution.lower - 1e-9
    assert (values @ solution.column).max() <= solution.upper + 1e-9


# Values


@pytest.mark.parametrize(("left", "value"), [(1, -4 / 3), (2, -11 / 7), (3, -34 / 21)])
def test_what_is_known_of_the_bluff(left, value):
    solution = solve(bluff(left), rounds=3)
    assert solution.exact and solution.value == pytest.approx(value, abs=1e-9)
    assert solution.lower == pytest.approx(solution.upper) and solution.rounds == left
    assert solution.equilibrium.value == pytest.approx(value) and solution.equilibrium.gap < 1e-9
    assert solution.duel.solve().value == pytest.approx(value)


@pytest.mark.few(6)
@pytest.mark.parametrize("seed", range(24))
def test_last_rounds_made_at_random(seed):
    variants = ({}, {"standstill": "pivot_first"}, {"rear_push": True}, {"standstill": "none", "own_car": "speed"})
    state = somewhere(seed, **variants[seed % 4])
    solution = solve(state)
    values = np.array(plain_matrix(state, {}))
    assert np.array_equal(solution.duel.values, values)
    assert solution.exact and solution.games == 1
    assert solution.value == pytest.approx(Duel.of(values).solve().value, abs=1e-9)
    assert_guaranteed(solution, values)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (2, {}),
        (3, {"rear_push": True}),
        (12, {}),  # purses distinguish positions that are equal otherwise
        (5, {"last_row_reversed": True, "legality": "at_planning"}),
        (11, {"last_row_reversed": True, "own_car": "speed"}),
    ],
)
def test_two_rounds_made_at_random(seed, options):
    state = somewhere(seed, 2, speeds=(0, 3), **options)
    solution = solve(state)
    values = np.array(plain_matrix(state, {}))
    np.testing.assert_allclose(solution.duel.values, values, atol=1e-9)
    assert solution.exact and solution.value == pytest.approx(Duel.of(values).solve().value, abs=1e-9)
    assert_guaranteed(solution, values)


@pytest.mark.parametrize("seed", [1, 2])
def test_two_cars_each(seed):
    """All passes are secret: a row is a plot for each car."""
    state = somewhere(seed, speeds=(0, 3), cars=("1", "2", "3", "4"))
    solution = solve(state)
    values = np.array(plain_matrix(state, {}))
    assert np.array_equal(solution.duel.values, values)
    assert solution.exact and solution.value == pytest.approx(Duel.of(values).reduced().solve().value, abs=1e-9)
    assert_guaranteed(solution, values)
    plan = solution.duel.rows[7]
    assert isinstance(plan, RoundPlan) and plan.seat == 0 and str(plan) == f"{plan[0]}, {plan[1]}"
    assert str(plan[0]).split()[0] == "81" and str(plan[1]).split()[0] == "83"


def test_two_rounds_with_two_cars_each():
    """Only the part of the matrix that matters is computed, and no other plan gains anything."""
    state = position({"1": "11SW3", "2": "41NW3", "3": "24W3", "4": "32E3"}, 2)
    solution = solve(state)
    assert solution.exact and not solution.duel.half_widths.any()
    assert len(solution.duel.rows) < 50 and "plans that matter" in solution.duel.title
    assert solution.duel.solve().value == pytest.approx(solution.value)
    rng = random.Random(1)
    passes = passes_of(state)
    for _ in range(3):  # some plans of B against A's mixture
        answer = [rng.choice(list(there.actions(1))).code for there in passes]
        wins = sum(
            chance * solve(played(state, [action.code for action in plan], answer)).value
            for plan, chance in zip(solution.duel.rows, solution.row, strict=True)
            if chance > 0
        )
        assert wins >= solution.value - 1e-9


@pytest.mark.slow
def test_purses_are_part_of_the_position():
    cars = {"1": "61E2", "2": "50E3"}
    full, empty = position(cars, 2), position(cars, 2, chits={"A": 3, "B": 1})
    for state, value in ((full, -15), (empty, -4)):
        assert plain(state, {}) == pytest.approx(value)
        assert solve(state).value == value


def test_chits_tell_positions_apart_as_far_as_they_can_be_lost():
    """Two cars that move once each cost a seat at most 12 chits."""

    def outline(mine, yours):
        table = position({"1": "11SW3", "2": "41NW2"}, 1, chits={"A": mine, "B": yours}).table
        out = [0] * GAME.rules.MOST_ACTIONS
        return out[: GAME.rules.outline(table, out)]

    assert outline(12, 20) == outline(13, 12) == outline(25, 15)
    assert len({tuple(outline(mine, yours)) for mine in range(13) for yours in range(13)}) == 13 * 13


def test_what_seats_have_now_counts():
    rich = position({"1": "11SW3", "2": "41NW2"}, 1, chits={"A": 30, "B": 10})
    assert solve(rich).value == pytest.approx(20 - 4 / 3)


def test_only_the_order_of_the_numbers_matters():
    def with_numbers(mine, other):
        cars = {
            "1": {"hex": [1, 1], "facing": "SW", "speed": 3, "unused": mine},
            "2": {"hex": [4, 1], "facing": "NW", "speed": 2, "unused": other},
        }
        return solve(position(cars, 2))

    one, same = with_numbers([1, 17], [15, 31]), with_numbers([48, 64], [50, 66])
    assert one.value == same.value and np.array_equal(one.duel.values, same.duel.values)
    turned = with_numbers([16, 17], [2, 15])
    assert not np.array_equal(one.duel.values, turned.duel.values)


def test_any_two_seats_that_alone_decide():
    """In a game of four, two seats have a car on the board."""
    two = crashlab.game("autoscooter").read({"round": 11, "cars": {"2": "11SW3", "3": "41NW2"}})
    solution = solve(two)
    assert solution.duel.names == ("B", "C")
    assert np.array_equal(solution.duel.values, plain_of(two, 1, 2))


def plain_of(state, first, second):
    values = []
    for row in state.actions(first):
        after = [state.play_codes({first: row.code, second: column.code}) for column in state.actions(second)]
        values.append([there.scores[first] - there.scores[second] for there in after])
    return np.array(values)


# Two backends


@pytest.mark.parametrize("make", [lambda: bluff(2), lambda: somewhere(5, 1, (0, 3), ("1", "2", "3", "4"))])
def test_both_bodies_find_the_same(make):
    solutions = []
    for backend in (choose_backend.interpreted(GAME.rules), choose_backend.compiled(GAME.rules)):
        endgame = Endgame(make(), passes_of(make()), backend)
        endgame.run(10_000, False)
        solutions.append(endgame.solution())
    plainly, compiled = solutions
    assert np.array_equal(plainly.duel.values, compiled.duel.values)
    assert np.array_equal(plainly.row, compiled.row) and np.array_equal(plainly.column, compiled.column)
    assert (plainly.value, plainly.games) == (compiled.value, compiled.games)


def test_twice_the_same():
    one, other = solve(bluff(2)), solve(bluff(2))
    assert np.array_equal(one.row, other.row) and str(one) == str(other)


def test_the_programme_solves_any_matrix():
    """The simplex method of the kernels agrees with `matrix_game`, with ties and without."""
    backend = choose_backend.interpreted(GAME.rules)
    settle = backend.bind(backward_induction.settle)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        rows, columns = (int(size) for size in rng.integers(1, 13, 2))
        kinds = rng.normal(size=(rows, columns)), rng.integers(-2, 3, (rows, columns)).astype(float)
        values = kinds[seed % 2]
        stack, chosen, scratch = backend.row(32), backend.row(99), backend.numbers(400)
        (
            stack[backward_induction.HEAD + backward_induction.ROWS],
            stack[backward_induction.HEAD + backward_induction.COLUMNS],
        ) = rows, columns
        row, column = backend.numbers(rows), backend.numbers(columns)
        value = settle(stack, chosen, values.ravel().tolist(), scratch, row, column)
        right = linear_programming(values)
        assert value == pytest.approx(right[0] @ values @ right[1], abs=1e-9), seed
        assert (np.array(row) @ values).min() == pytest.approx(value, abs=1e-8), seed
        assert (values @ np.array(column)).max() == pytest.approx(value, abs=1e-8), seed


# Bounds


@pytest.mark.few(2)
@pytest.mark.parametrize("most", [1, 20, 60, 100, 150])
def test_with_too_few_matrix_games_there_are_bounds(most):
    right = solve(bluff(2))
    solution = solve(bluff(2), max_matrix_games=most)
    assert solution.games == most
    assert solution.lower <= right.value + 1e-9 and solution.upper >= right.value - 1e-9
    if not solution.exact:
        assert np.isnan(solution.value) and "Not exact" in str(solution) and "from" in repr(solution)
        assert (abs(solution.duel.values - right.duel.values) <= solution.duel.half_widths + 1e-9).all()
    rows = [right.duel.rows.index(action) for action in solution.duel.rows]
    columns = [right.duel.columns.index(action) for action in solution.duel.columns]
    assert (solution.row @ right.duel.values[rows]).min() >= solution.lower - 1e-9
    assert (right.duel.values[:, columns] @ solution.column).max() <= solution.upper + 1e-9


@pytest.mark.parametrize("purses", [{"A": 0, "B": 20}, {"A": 20, "B": 2}])
def test_bounds_are_what_each_of_the_two_can_still_win_from_the_other(purses):
    """A seat with little to lose cannot fall far behind, however much it could win."""
    state = position({"1": "11SW3", "2": "41NW2"}, 2, chits=purses)
    right, bounded = solve(state), solve(state, max_matrix_games=1)
    rows = [right.duel.rows.index(action) for action in bounded.duel.rows]
    columns = [right.duel.columns.index(action) for action in bounded.duel.columns]
    off = abs(bounded.duel.values - right.duel.values[rows][:, columns])
    assert (off <= bounded.duel.half_widths + 1e-9).all() and (bounded.duel.half_widths > 0).any()
    assert bounded.lower <= right.value <= bounded.upper
    assert bounded.lower >= -purses["B"] - 2 * purses["A"] and bounded.upper <= purses["A"] + 2 * purses["B"]


def test_more_matrix_games_bring_the_bounds_together():
    widths = [solution.upper - solution.lower for solution in (solve(bluff(3), 3, most) for most in (1, 1000, 100_000))]
    assert widths[0] > widths[1] > 1 and widths[2] == pytest.approx(0)


@pytest.mark.few(3)
@pytest.mark.parametrize("options", [{}, {"rear_push": True}, {"own_car": "speed"}])
@pytest.mark.parametrize("seed", range(3))
def test_nobody_wins_more_than_is_at_stake(options, seed):
    """Checked in random games, from the start of each of the last rounds to the end."""
    state = crashlab.game("autoscooter", players=2, **options).start()
    rng = crashlab.Random(seed)
    rules = state.game.rules
    seen = []
    while not state.over:
        if state.table.asking[0] == 0:
            stakes = rules.at_stake(state.table, 0, 1), rules.at_stake(state.table, 1, 0)
            seen.append((rules.rounds_left(state.table), state.scores[0] - state.scores[1], stakes))
        state = state.sample(rng).after
    end = state.scores[0] - state.scores[1]
    assert [left for left, *_ in seen] == list(range(11, 0, -1))
    for _, lead, (up, down) in seen:
        assert lead - down <= end <= lead + up


def test_stopped_by_somebody_it_tells_what_it_knows(monkeypatch):
    grow = Endgame.grow

    def stopped(self, until):
        if self.games > 10:
            raise KeyboardInterrupt
        return grow(self, until)

    monkeypatch.setattr(Endgame, "grow", stopped)
    solution = solve(bluff(2))
    assert 10 < solution.games < 153 and solution.lower <= -11 / 7 <= solution.upper


def test_stopped_before_anything_is_known(monkeypatch):
    def stopped(self, until):
        raise KeyboardInterrupt

    monkeypatch.setattr(Endgame, "grow", stopped)
    with pytest.raises(KeyboardInterrupt):
        solve(bluff(2))


# Errors


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: "11SW3", "takes a state, not"),
        (lambda: None, "takes a state, not"),
        (
            lambda: crashlab.game("autoscooter", players=4).read(
                {"round": 11, "cars": {"1": "11E1", "2": "22E1", "3": "33E1", "4": "44E1"}}
            ),
            "two seats decide, but here A, B, C and D decide",
        ),
        (lambda: position({"1": "11E1"}), "two seats decide, but here A decides"),
        (
            lambda: position({"1": "11E1", "2": "33E1", "4": "55E1", "3": "22E1"}).play({0: "81 F", 1: "82 F"}).after,
            "written already",
        ),
        (lambda: position({"1": "11E1", "2": "33E1"}).play({0: "81 F", 1: "82 F"}).after, "the game is over"),
        (lambda: GAME.start(), "rounds are left, more than rounds=2"),
        (lambda: bluff(3), "3 rounds are left, more than rounds=2"),
        (lambda: GAME.read({"round": 11, "cars": {str(car): f"{car - 1}2E2" for car in range(1, 8)}}), "cells"),
        (lambda: crashlab.game("crash_city", players=2).start(1), "crash_city cannot be solved"),
        (lambda: crashlab.game("crash_and_grab", players=2).start(1), "crash_and_grab cannot be solved"),
        (lambda: crashlab.game("crash_by_crash", players=2).start(1), "crash_by_crash cannot be solved"),
    ],
)
def test_what_is_no_endgame_is_refused(make, words):
    state = make()
    with pytest.raises(CrashlabError, match=words):
        solve(state)
    assert words in obstacle(state)


@pytest.mark.parametrize(
    "bad", [{"rounds": 0}, {"rounds": "2"}, {"rounds": 1.5}, {"max_matrix_games": 0}, {"max_matrix_games": None}]
)
def test_bad_numbers_are_refused(bad):
    with pytest.raises(CrashlabError, match=f"{next(iter(bad))}="):
        solve(bluff(1), **bad)


def test_what_can_be_solved_has_no_obstacle():
    assert obstacle(bluff(2)) == "" and obstacle(bluff(3), 3) == ""
    assert len(checked(bluff(2), 2)) == 1


# As text and as a duel


def test_it_reads_as_a_table():
    solution = solve(bluff(1))
    text = str(solution)
    assert text.startswith("A's score less B's, at the end, with best play from both; exact: solved to the end")
    assert text.endswith("neither can do better than -1.3333 for A (1 round left, 1 matrix game solved).")
    assert repr(solution) == "<Solution: value -1.3333, 1 matrix game>"
    assert "neither can do better" in solution._repr_html_() and "<table" in solution._repr_html_()


def test_a_duel_of_two_rounds_is_exact():
    state = bluff(2)
    game = crashlab.duel(state)
    assert game.solve().value == pytest.approx(-11 / 7) and not game.half_widths.any()
    assert "exact" in game.title and "at the end" in game.title
    assert np.array_equal(game.values, solve(state).duel.values)
    assert np.array_equal(crashlab.duel(state, decisions=None).values, game.values)
    turned = crashlab.duel(state, (1, 0))
    assert np.array_equal(turned.values, -game.values.T) and turned.names == ("B", "A")
    few = crashlab.duel(state, rows=["80 FLF", "80 FFR"], columns=["82 FFF"])
    places = [list(map(str, game.rows)).index(row) for row in ("80 FLF", "80 FFR")]
    assert few.values[:, 0].tolist() == game.values[places, list(map(str, game.columns)).index("82 FFF")].tolist()


def test_a_duel_counts_what_is_gained():
    state = position({"1": "11SW3", "2": "41NW2"}, 2, chits={"A": 25, "B": 12})
    assert crashlab.duel(state, value="gain").solve().value == pytest.approx(-11 / 7)
    assert crashlab.duel(state).solve().value == pytest.approx(13 - 11 / 7)


def test_a_duel_of_some_decisions_is_what_it_was():
    state = bluff(2)
    assert "after this decision;" in crashlab.duel(state, decisions=1).title
    assert "playouts" in crashlab.duel(state, decisions=2, playouts=3, rows=["80 FF"], columns=["82 FF"]).title
    assert set(np.unique(crashlab.duel(state, value="win").values)) <= {-1.0, 0.0, 1.0}
    assert "after this decision;" in crashlab.duel(bluff(1)).title
    assert np.array_equal(crashlab.duel(bluff(1)).values, solve(bluff(1)).duel.values)


def test_a_solution_beats_who_plays_at_random():
    """In 60 games with its mixture against random plots, A leads by more than the value on average."""
    solution = solve(bluff(1))
    rng, other = random.Random(3), at_random(seed=1)
    leads = []
    for _ in range(60):
        plot = rng.choices(solution.duel.rows, solution.row)[0]
        after = bluff(1).play({0: plot, 1: other(bluff(1).seen_by(1), 1)}).after
        leads.append(after.scores[0] - after.scores[1])
    assert sum(leads) / 60 > solution.value
