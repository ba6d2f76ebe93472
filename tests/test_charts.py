"""Charts: numbers at the right places, and nothing that only its colour can tell."""

from itertools import combinations
from math import dist

import pytest

from crashlab.shapes import Line, Text
from crashlab.stage import charts, png, svg
from crashlab.stage.charts import Curve, apart, curves, dashed, ticks


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (0, 40, [0, 10, 20, 30, 40]),
        (20, 20, [20, 21]),
        (-3.2, 7.1, [-5, 0, 5, 10]),
        (0.001, 0.0042, [0.001, 0.002, 0.003, 0.004, 0.005]),
    ],
)
def test_ticks_are_round_and_hold_all(low, high, marks):
    assert ticks(low, high) == marks


def test_names_are_moved_apart_and_stay_inside():
    assert apart([5, 5, 5, 80], 10, 0, 60) == [5, 15, 25, 60]
    assert apart([50, 50], 10, 0, 60) == [50, 60]
    assert apart([58, 60, 59], 10, 0, 60) == [40, 60, 50]
    assert apart([], 10, 0, 60) == []


def test_dashes_go_round_corners():
    points = [line.points for line in dashed([(0, 0), (10, 0), (10, 10)], "ink", 1, (4, 3))]
    assert points == [((0, 0), (4, 0)), ((7, 0), (10, 0), (10, 1)), ((10, 4), (10, 8))]
    assert [line.points for line in dashed([(0, 0), (3, 0)], "ink", 1, ())] == [((0, 0), (3, 0))]
    assert dashed([(0, 0)], "ink", 1, ()) == dashed([(0, 0)], "ink", 1, (4, 3)) == []


def test_dashes_have_the_length_they_should_have():
    zigzag = [(10.0 * n, 7.0 * (n % 3)) for n in range(12)]
    for line in dashed(zigzag, "ink", 1, (9, 5))[:-1]:
        assert sum(dist(*ends) for ends in zip(line.points, line.points[1:], strict=False)) == pytest.approx(9)


def test_curves_end_at_their_values_with_their_names():
    shown = [Curve("A", "seat 0", [20, 25, 40]), Curve("B", "seat 1", [20, 20, 0])]
    picture = curves(shown, 2, title="Score", across="decisions", mark=1)
    texts = {shape.text: shape for shape in picture.board if isinstance(shape, Text)}
    levels = {shape.text: shape.y for shape in picture.board if isinstance(shape, Text) and shape.align == "right"}
    assert texts["A"].y == levels["40"] and texts["B"].y == levels["0"]
    assert texts["A"].x > texts["2"].x > texts["1"].x
    ends = {line.points[-1] for line in picture.board if isinstance(line, Line) and line.stroke == "seat 0"}
    assert (texts["2"].x, levels["40"]) in ends
    assert picture.words == "Score. Now A 40, B 0."
    assert png.paint(picture, "dark") and "decisions" in svg.paint(picture)


def test_no_two_of_eight_curves_have_the_same_dashes():
    assert len(charts.DASHES) >= 8
    for one, other in combinations(charts.DASHES, 2):
        assert one != other
    assert curves([Curve("A", "seat 0", [3])], 0).board and curves([], 5).board
