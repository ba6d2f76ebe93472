"""What a house rule does, by simulation."""

import numpy as np
import pytest

import crashlab
from crashlab import Comparison, CrashlabError, compare

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
    assert standstill.difference("AS-C5", "none", "none") == (0, 0)


def test_the_table_has_a_column_for_each_value_and_a_row_for_each_rule(standstill):
    lines = str(standstill).splitlines()
    assert all(value in lines[1] for value in standstill.results)
    assert sum(line.startswith("AS-") for line in lines) == len(standstill.told()) >= 8
    assert "± " in lines[-1]
    highest = standstill["none"].scores.max(axis=1).mean()
    assert lines[3].startswith("highest score") and f"{highest:.2f} ±" in lines[3]


def test_columns_of_large_numbers_stay_apart():
    """A game of CrashCity can have thousands of decisions, so that its numbers are long."""
    results = [Long(number) for number in (1541.45, 1500.9)]
    table = str(Comparison(GAME, "rear_push", dict(zip((False, True), results, strict=True))))
    (line,) = (line for line in table.splitlines() if line.startswith("decisions"))
    assert line.split()[1:] == ["1541.45", "±", "1568.00", "1500.90", "±", "1568.00"]


class Long:
    """Two results that are far apart."""

    def __init__(self, mean):
        self.decisions = np.array([mean - 800, mean + 800])
        self.scores, self.notes = np.array([[1, 2], [3, 4]]), {}

    def __len__(self):
        return 2


def test_a_comparison_shows_itself(standstill):
    shown = []
    standstill._repr_pretty_(type("Page", (), {"text": staticmethod(shown.append)}), False)
    assert shown == [str(standstill)] and "'about_face', 'pivot_first'" in repr(standstill)


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
    with pytest.raises(CrashlabError, match="there is no option 'wind'; the options are players"):
        compare(GAME, "wind")
    with pytest.raises(CrashlabError, match=r"there is no option \['standstill'\]"):
        compare(GAME, ["standstill"])
    with pytest.raises(CrashlabError, match="values='none': give a list"):
        compare(GAME, "standstill", "none")
    with pytest.raises(CrashlabError, match="turn_limit can be a whole number"):
        compare(crashlab.game("crash_by_crash"), "turn_limit")
    with pytest.raises(CrashlabError, match="standstill"):
        compare(GAME, "standstill", ["none", "fly"])
    with pytest.raises(CrashlabError, match="at least one value"):
        compare(GAME, "standstill", [])
    with pytest.raises(CrashlabError, match="not of 'autoscooter'"):
        compare("autoscooter", "standstill")
    with pytest.raises(CrashlabError, match="'fly' is not compared"):
        standstill["fly"]
    with pytest.raises(CrashlabError, match="is not compared"):
        standstill[["none"]]
