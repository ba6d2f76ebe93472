"""Comparing house rules by simulation."""

import numpy as np
import pytest
from cell_functions import cell

import crashlab
from crashlab import Comparison, CrashlabError, compare
from crashlab.base.statistics import half_width

GAME = crashlab.game("autoscooter", players=8)


@pytest.fixture(scope="module")
def standstill():
    return compare(GAME, "standstill", games=400)


def test_every_value_is_played_as_alone(standstill):
    assert list(standstill.results) == ["about_face", "pivot_first", "turn_anyway", "none"]
    alone = crashlab.simulate(crashlab.game("autoscooter", players=8, standstill="none"), 400)
    assert standstill["none"].scores.tolist() == alone.scores.tolist()


def test_pivot_first_doubles_the_front_and_side_crashes(standstill):
    for crash in ("AS-C1", "AS-C4"):
        ratio = standstill["pivot_first"].mean(crash) / standstill["about_face"].mean(crash)
        assert 1.6 < ratio < 2.6


def test_differences_are_taken_game_by_game(standstill):
    more, half = standstill.difference("AS-C5", "none", "about_face")
    means = [standstill[value].mean("AS-C5") for value in ("none", "about_face")]
    assert more == pytest.approx(means[0] - means[1]) and 0 < half < 3
    assert standstill.difference("AS-C5", "none", "none") == (0, half_width([0.0] * 400))


def test_the_table_has_a_column_for_each_value_and_a_row_for_each_rule(standstill):
    lines = str(standstill).splitlines()
    assert all(value in lines[1] for value in standstill.results)
    assert sum(line.startswith("AS-") for line in lines) == len(standstill.cited()) >= 8
    assert "± " in lines[-1]
    highest = standstill["none"].scores.max(axis=1).mean()
    assert lines[3].startswith("highest score") and f"{highest:.2f} ±" in lines[3]


def test_columns_of_large_numbers_stay_apart():
    """A game of CrashCity can have thousands of decisions, which needs wide columns."""
    results = [Long(number) for number in (1541.45, 1500.9)]
    table = str(Comparison(GAME, "rear_push", dict(zip((False, True), results, strict=True))))
    (line,) = (line for line in table.splitlines() if line.startswith("decisions"))
    half = f"{half_width([-800, 0, 800]):.2f}"
    assert line.split()[1:] == ["1541.45", "±", half, "1500.90", "±", half]


class Long:
    """Results of two games with widely differing numbers."""

    def __init__(self, mean):
        self.decisions = np.array([mean - 800, mean, mean + 800])
        self.scores, self.notes = np.array([[1, 2], [3, 4], [5, 6]]), {}

    def __len__(self):
        return 2


def test_a_comparison_shows_itself(standstill):
    shown = []
    standstill._repr_pretty_(type("Page", (), {"text": staticmethod(shown.append)}), False)
    assert shown == [str(standstill)] and "'about_face', 'pivot_first'" in repr(standstill)


@pytest.mark.slow
def test_the_plot_has_a_bar_for_each_value_of_each_rule(standstill):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = standstill.plot("AS-C4", "AS-M1", "speed")
    assert [label.get_text()[:5] for label in axes.get_yticklabels()] == ["AS-C4", "AS-M1", "speed"]
    assert len(axes.patches) == 3 * 4


def test_some_values_in_the_order_that_is_asked_for():
    some = compare(GAME, "rear_push", [True, False], games=20)
    assert list(some.results) == [True, False] and some[True].mean("AS-V1") > 0 == some[False].mean("AS-V1")


def test_nonsense_is_refused_in_words_before_anything_is_played(standstill):
    for words, call in (
        ("there is no option 'wind'; the options are players", lambda: compare(GAME, "wind")),
        (r"there is no option \['standstill'\]", lambda: compare(GAME, ["standstill"])),
        ("values='none': give a list", lambda: compare(GAME, "standstill", "none")),
        ("turn_limit can be a whole number", lambda: compare(crashlab.game("crash_by_crash"), "turn_limit")),
        ("standstill", lambda: compare(GAME, "standstill", ["none", "fly"])),
        ("at least one value", lambda: compare(GAME, "standstill", [])),
        ("takes a game, or a dict of games, not 'autoscooter'", lambda: compare("autoscooter", "standstill")),
        ("'fly' is not among the values compared", lambda: standstill["fly"]),
        ("is not among the values compared", lambda: standstill[["none"]]),
    ):
        with pytest.raises(CrashlabError, match=words):
            call()


# Your own rules


SIDE = cell('''
    def hit_side(table, car, hit, side, v, cause, trace):
        """A car that is hit in the side pays a fine."""
        crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
        pay(table, hit, car, FINE, v, HOUSE, crash, trace)
        return crash
    ''')["hit_side"]
BOOK = crashlab.game("autoscooter", players=2)
MINE = BOOK.with_rules(SIDE, FINE=1)


def test_rulebooks_are_compared_by_their_names():
    both = compare({"the book": BOOK, "mine": MINE}, games=40, progress=False)
    assert list(both.results) == ["the book", "mine"] and both.option == "rules"
    assert both.cited().count("HOUSE-1") == 1 and both.title("HOUSE-1") == "hit side"
    assert both.sample("HOUSE-1", "the book").sum() == 0 < both.sample("HOUSE-1", "mine").sum()
    assert both.sample("AS-C4", "mine").sum() == 0 < both.sample("AS-C4", "the book").sum()
    alone = crashlab.simulate(MINE, 40, progress=False)
    assert both["mine"].scores.tolist() == alone.scores.tolist()
    lines = str(both).splitlines()
    assert lines[1].split() == ["the", "book", "mine"] and any(line.startswith("HOUSE-1 hit side") for line in lines)
    more, half = both.difference("HOUSE-1", "mine", "the book")
    assert more == both.sample("HOUSE-1", "mine").mean() and half > 0


def test_a_constant_of_ones_own_is_compared_like_an_option():
    fines = compare(MINE, "FINE", [0, 3], games=20, progress=False)
    assert list(fines.results) == [0, 3] and fines[0].game.options["FINE"] == 0
    assert (fines[0].scores != fines[3].scores).any()
    with pytest.raises(CrashlabError, match="option FINE can be a whole number from -1000 to 1000: give the values"):
        compare(MINE, "FINE")


def test_rulebooks_of_ones_own_with_the_same_number_have_both_names():
    other = BOOK.with_rules(
        cell('''
        def hit_rear(table, car, hit, v, cause, trace):
            """Nobody pays."""
            return note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
        ''')["hit_rear"]
    )
    assert compare({"a": MINE, "b": other}, games=2, progress=False).title("HOUSE-1") == "hit side / hit rear"


@pytest.mark.parametrize(
    ("games", "words"),
    [
        ({}, "give a dict of games by name"),
        ({1: BOOK}, "give a dict of games by name"),
        ({"a": BOOK, "b": "mine"}, "compares games, not 'mine'"),
        ({"a": BOOK, "b": crashlab.game("crash_city")}, "autoscooter for 2 and crash_city for .* cannot be compared"),
        ({"a": BOOK, "b": BOOK.changed(players=4)}, "autoscooter for 2 and autoscooter for 4 cannot be compared"),
    ],
)
def test_what_cannot_be_compared_is_refused(games, words):
    with pytest.raises(CrashlabError, match=words):
        compare(games)
    with pytest.raises(CrashlabError, match="takes an option and values only for a single game"):
        compare({"a": BOOK}, "standstill")
