"""Confidence intervals: they contain the true value in 95 of 100 cases.

Results of games have few distinct values, many zeros and long tails. With few games, the textbook's 1.96 standard
errors contain the true value in only 70 to 90 of 100 cases; these intervals do in at least 92 (see their tests).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, fsum, inf, isfinite, lgamma, log, log1p, nan, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Z = 1.96  # standard errors of a 95 % interval for large samples
FEWEST = 3  # minimum number of games for an interval
ALIKE = 20  # minimum number of games for an interval if all results are equal
UNSEEN = 10  # number of imaginary games for results not met yet
LEAST, MOST = 1.0, 10.0  # bounds of the variance of the imaginary games, in square points
SKEWED = 1.5  # intervals widen by the factor 1 + SKEWED / sqrt(games), for long tails
ROUNDING = 1e-13
NO_SPREAD = 1e-6  # sums of squares below this are rounding errors
UNSURE = "± ?: too few games to say how sure this is, or all results are equal."


def mean(sample: Sequence[float]) -> float:
    """Return the mean, computed with exact summation."""
    return fsum(sample) / len(sample)


def half_width(sample: Sequence[float] | NDArray[Any]) -> float:
    """Return half the width of the 95 % interval of a sample's mean; infinite if the sample is too small."""
    if (games := len(sample)) < FEWEST:
        return inf
    if isinstance(sample, Sequence):
        middle = mean(sample)
        return half_width_of(games, fsum((value - middle) ** 2 for value in sample))
    return half_width_of(games, games * float(sample.var()))


def half_width_of(games: int, squares: float) -> float:
    """Return half the width of the 95 % interval from the number of games and the sum of their squared deviations.

    This is Student's interval, widened twice: by ten imaginary games of average variance (in all from 1 to 10 square
    points), since some kinds of results may not have occurred yet, and by a factor for long tails. It is infinite for
    a few games with equal results, as the next result may be anything.
    """
    if games < FEWEST or (squares < NO_SPREAD and games < ALIKE):
        return inf
    variance = squares / (games - 1)
    reserve = min(max(UNSEEN * variance, LEAST), MOST) if squares > NO_SPREAD else MOST
    return student(games - 1) * (1 + SKEWED / sqrt(games)) * sqrt((squares + reserve) / (games - 1) / games)


def plus_minus(half: float, digits: int = 2) -> str:
    """Format a half width, such as "± 0.25"; "± ?" if it is infinite."""
    return f"± {half:.{digits}f}" if isfinite(half) else "± ?"


def share_interval(points: float, games: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a share of games won, by Clopper and Pearson; 0 and 1 for too few games.

    If the true share is the lower end, this number of points or more has a probability of 2.5 %; if it is the upper
    end, this number or fewer has.
    """
    if games < FEWEST:
        return 0.0, 1.0
    low = quantile(0.025, points, games - points + 1) if points > 0 else 0.0
    return low, quantile(0.975, points + 1, games - points) if points < games else 1.0


def ends(low: float, high: float, digits: int = 0) -> str:
    """Format the interval of a share in per cent, such as "(40 to 60)"; "(± ?)" for the whole range."""
    return f"({100 * low:.{digits}f} to {100 * high:.{digits}f})" if (low, high) != (0, 1) else "(± ?)"


def noted(lines: Sequence[str]) -> list[str]:
    """Return the lines, followed by an explanation of `± ?` if one contains it."""
    return [*lines, *[UNSURE] * any("± ?" in line for line in lines)]


def beams(half_widths: Sequence[float]) -> list[float]:
    """Replace infinite half widths by nan, so that they can be drawn."""
    return [half if isfinite(half) else nan for half in half_widths]


@lru_cache(maxsize=4096)
def student(free: int) -> float:
    """Return the two-sided 95 % quantile of Student's t distribution with `free` degrees of freedom."""
    square = quantile(0.95, 0.5, free / 2)
    return sqrt(free * square / (1 - square))


def quantile(share: float, a: float, b: float) -> float:
    """Return the value below which this share of a beta distribution lies."""
    low, high = 0.0, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if below(middle, a, b) < share else (low, middle)
    return middle


def below(x: float, a: float, b: float) -> float:
    """Return the share of a beta distribution below x, by its continued fraction with Lentz's algorithm."""
    if x > (a + 1) / (a + b + 2):
        return 1 - below(1 - x, b, a)
    fraction, over, under, step, turn = 1.0, 1.0, 0.0, 0, 0.0
    while abs(turn - 1) > ROUNDING:
        step += 1
        half, is_odd = divmod(step, 2)
        top = -(a + half) * (a + b + half) if is_odd else half * (b - half)
        ratio = top * x / (a + step - 1) / (a + step)
        over, under = 1 + ratio / over, 1 / (1 + ratio * under)
        turn = over * under
        fraction *= turn
    return exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a / fraction
