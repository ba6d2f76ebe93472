"""The checks of the lesson on speed and statistics."""

from __future__ import annotations

from collections.abc import Callable
from math import isclose, sqrt
from typing import Any

from crashlab.errors import shown

SAMPLES = ((0, 1, 2, 3, 9), (5, 5, 5), (29, 31, 40, 12, 33, 28), (1, 0))
MATRIX = ((2.0, -1.0, 0.0), (-3.0, 1.0, 4.0))


def written(answer: Any) -> str:
    """An answer as a student would write it."""
    import numpy as np

    return f"{answer:.6g}" if isinstance(answer, float | np.floating) else shown(answer)


def half_width(answer: Any) -> str:
    """st-1: half_width(sample): half the width of the 95 % confidence interval of the mean."""
    import numpy as np

    for sample in SAMPLES:
        numbers = np.array(sample)
        got, n = answer(numbers), len(sample)
        want = 1.96 * float(numbers.std(ddof=1)) / sqrt(n)
        if isinstance(got, int | float | np.number) and isclose(got, want, abs_tol=1e-9):
            continue
        where = f"for the games {list(sample)} you say {written(got)}"
        if not isinstance(got, int | float | np.number):
            return f"{where}; a number is wanted. Does your function return something?"
        if isclose(got, 1.96 * float(numbers.std()) / sqrt(n)):
            return f"{where}. Nearly: divide by n - 1 in the standard deviation, with ddof=1."
        if isclose(got, 1.96 * float(numbers.std(ddof=1))):
            return f"{where}. That is how single games spread. The mean spreads less: divide by the root of n."
        if any(isclose(got, 1.96 * float(numbers.std(ddof=ddof)) / n) for ddof in (0, 1)):
            return f"{where}. Divide by the root of n, not by n."
        if any(isclose(got, 1.96 * float(numbers.var(ddof=ddof)) / sqrt(n)) for ddof in (0, 1)):
            return f"{where}. That is made of the variance; the standard deviation is its root."
        if isclose(got, float(numbers.std(ddof=1)) / sqrt(n)):
            return f"{where}. That is one standard deviation of the mean; 95 % need 1.96 of them."
        if isclose(got, 2 * want):
            return f"{where}. That is the whole width; the half of it stands behind ±."
        return f"{where}, but it should be {want:.4f}."
    return ""


def games_needed(answer: Any) -> str:
    """st-2: games_needed(games, width, wanted): how many games bring the half-width down to what is wanted."""
    for games, width, wanted in ((100, 2.0, 1.0), (100, 2.0, 0.2), (2000, 0.5, 0.25), (50, 1.0, 1.0), (400, 1.0, 2.0)):
        got = answer(games, width, wanted)
        want = games * (width / wanted) ** 2
        where = f"{games} games give ± {width}, and ± {wanted} is wanted: you say {written(got)}"
        if not isinstance(got, int | float):
            return f"{where}; a number is wanted."
        if want - 1e-6 <= got <= want + 1:  # rounded up is fine
            continue
        if isclose(got, games * width / wanted):
            return f"{where}. Four times the games halve the width: it goes with the square of the ratio."
        if isclose(got, games * (wanted / width) ** 2):
            return f"{where}. A narrower interval needs more games, not fewer."
        if isclose(got, want - games):
            return f"{where}. So many more; wanted is how many in all."
        return f"{where}, but {want:.0f} are needed."
    return ""


def expected_gain(answer: Any) -> str:
    """st-3: expected_gain(matrix, x, y): what the row player gains on average."""
    import numpy as np

    matrix = np.array(MATRIX)
    for x, y in (((1, 0), (1, 0, 0)), ((0, 1), (0, 0, 1)), ((0.5, 0.5), (1, 0, 0)), ((0.25, 0.75), (0.5, 0.25, 0.25))):
        rows, columns = np.array(x, float), np.array(y, float)
        given = f"matrix {matrix.tolist()}, x = {list(x)}, y = {list(y)}"
        want = float(rows @ matrix @ columns)
        try:
            got = answer(matrix, rows, columns)
        except (IndexError, ValueError) as error:
            return f"{given}: {type(error).__name__}. x[i] belongs to the row matrix[i], and y[j] to matrix[i][j]."
        where = f"{given}: you say {written(got)}"
        if np.ndim(got) != 0 or not isinstance(got, int | float | np.number):
            return f"{where}; one number is wanted: add up the whole table."
        if isclose(got, want, abs_tol=1e-9):
            continue
        if isclose(got, float(matrix.mean()), abs_tol=1e-9) or isclose(got, float(matrix.sum()), abs_tol=1e-9):
            return f"{where}. Each cell counts with the probability that both choose it: x of its row, y of its column."
        for name, one_only in (("y", rows @ matrix.sum(1)), ("x", matrix.sum(0) @ columns)):
            if isclose(got, one_only, abs_tol=1e-9):
                return f"{where}. {name} is missing: a cell counts only as often as both choose it."
        return f"{where}, but it is {want:.4f}."
    return ""


CHECKS: dict[str, Callable[[Any], str]] = {"st-1": half_width, "st-2": games_needed, "st-3": expected_gain}
