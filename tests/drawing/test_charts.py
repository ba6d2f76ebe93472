"""Charts: numbers at the right places, and no meaning carried by colour alone."""

from itertools import combinations
from math import dist

import pytest

from crashlab.drawing import charts, png, rank_chart, svg
from crashlab.drawing.charts import Curve, apart, curves, dashed, heat, ramp, ticks
from crashlab.drawing.shapes import Line, Polygon, Text


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
    scores = [Curve("A", "seat 0", [20, 25, 40]), Curve("B", "seat 1", [20, 20, 0])]
    picture = curves(scores, 2, title="Score", across="decisions", mark=1)
    texts = {shape.text: shape for shape in picture.board if isinstance(shape, Text)}
    levels = {shape.text: shape.y for shape in picture.board if isinstance(shape, Text) and shape.align == "right"}
    assert texts["A"].y == levels["40"] and texts["B"].y == levels["0"]
    assert texts["A"].x > texts["2"].x > texts["1"].x
    ends = {line.points[-1] for line in picture.board if isinstance(line, Line) and line.stroke == "seat 0"}
    assert (texts["2"].x, levels["40"]) in ends
    assert picture.words == "Score. Now A 40, B 0."
    assert png.paint(picture, "dark") and "decisions" in svg.paint(picture)


@pytest.mark.parametrize(
    ("values", "least", "most"), [([20, 17], "0", "20"), ([3, -4], "-4", "4"), ([20, 20], "0", "20")]
)
def test_the_axis_begins_at_its_base_so_that_heights_are_true(values, least, most):
    picture = curves([Curve("A", "seat 0", values)], 10, bases=[0])
    numbers = [shape.text for shape in picture.board if isinstance(shape, Text) and shape.align == "right"]
    assert (numbers[0], numbers[-1]) == (least, most)


def test_no_two_of_eight_curves_have_the_same_dashes():
    assert len(charts.DASHES) >= 8
    for one, other in combinations(charts.DASHES, 2):
        assert one != other
    assert curves([Curve("A", "seat 0", [3])], 0).board and curves([], 5).board


def test_the_lowest_value_is_dark_and_the_highest_bright():
    assert [heat(value, -1, 8) for value in (-5, -1, -0.01, 0, 3.5, 7.99, 8, 99)] == [
        f"heat {step}" for step in (0, 0, 0, 1, 4, 8, 8, 8)
    ]
    assert heat(3, 3, 3) == "heat 4"


def test_the_ramp_has_its_numbers_where_their_colours_are():
    shapes = ramp(-2, 5, "lead").board
    numbers = {shape.text: shape.x for shape in shapes if isinstance(shape, Text)}
    assert {"−2", "0", "+4"} <= set(numbers) and "+6" not in numbers
    for words, value in (("−2", -1.99), ("0", 0.01), ("+4", 4.01)):
        box = next(shape for shape in shapes if isinstance(shape, Polygon) and shape.fill == heat(value, -2, 5))
        assert min(x for x, _ in box.points) - 1 <= numbers[words] <= max(x for x, _ in box.points) + 1
    assert ramp(0, 0, "nothing").words


# Ranks


def ranking(number, name="agent"):
    share = [place / number for place in range(number)]
    return [rank_chart.Rank(f"{name} {n}", s, s / 2, (1 + s) / 2, "3 of 4", "1000 ± 99") for n, s in enumerate(share)]


@pytest.mark.parametrize("number", [1, 2, 12, 40])
def test_a_row_is_where_a_click_finds_it_and_its_bar_is_as_long_as_its_share(number):
    picture = rank_chart.ranks(ranking(number), "League", "1 leads.", ("share", "rating"))
    names = {shape.text: shape for shape in picture.board if isinstance(shape, Text)}
    whole = rank_chart.RIGHT - rank_chart.BARS
    for place, row in enumerate(ranking(number)):
        y = names[row.name].y
        assert rank_chart.place_at(number, y) == place and 0 < y < picture.height
        beams = [s.points for s in picture.board if isinstance(s, Line) and s.points[0][1] == s.points[1][1] == y]
        assert [x - rank_chart.BARS for x, _ in beams[0]] == pytest.approx([row.low * whole, row.high * whole])
    assert rank_chart.place_at(number, 1) is None and rank_chart.place_at(number, picture.height - 1) is None


def test_long_names_are_made_smaller_and_then_cut():
    rows = [*ranking(12), *ranking(1, "a name of some thirty letters, or"), *ranking(1, "x" * 500)]
    texts = [shape for shape in rank_chart.ranks(rows, "t" * 200, "", ("", "")).board if isinstance(shape, Text)]
    for shape in texts:
        if shape.x == rank_chart.NAMES:
            width = len(shape.text) * rank_chart.PER_LETTER * shape.size
            assert width <= rank_chart.BARS - rank_chart.NAMES and shape.size >= rank_chart.SMALL - 3
