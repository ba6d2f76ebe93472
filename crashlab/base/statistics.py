"""How sure the numbers of a sample are: intervals in which the truth lies in 95 of 100 cases.

Games give few different numbers, many zeros and long tails, so that the textbook's 1.96 standard errors hold the truth
in 70 to 90 of 100 cases where there are few games. What is told here holds it in 92 and more: see its tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, fsum, inf, isfinite, lgamma, log, log1p, nan, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Z = 1.96  # standard deviations of a mean, for 95 %
FEWEST = 3  # games; of fewer no interval is told
ALIKE = 20  # games that have to be alike before an interval is told of them
UNSEEN = 10  # games that might have come besides
LEAST, MOST = 1.0, 10.0  # square points that they add, at least and at most
SKEWED = 1.5  # by so many parts of the root of the number an interval is wider, since games have long tails
ROUNDING = 1e-13
NO_SPREAD = 1e-6  # square points that come of rounding
UNSURE = "± ?: too few games to say how sure this is, or all alike."


def mean(sample: Sequence[float]) -> float:
    """The mean, as exactly as can be."""
    return fsum(sample) / len(sample)


def half_width(sample: Sequence[float] | NDArray[Any]) -> float:
    """Half the width of the 95 % interval of the sample's mean; infinite where there are too few games to say."""
    if (games := len(sample)) < FEWEST:
        return inf
    if isinstance(sample, Sequence):
        middle = mean(sample)
        return half_width_of(games, fsum((value - middle) ** 2 for value in sample))
    return half_width_of(games, games * float(sample.var()))


def half_width_of(games: int, squares: float) -> float:
    """The same of so many games whose squared distances from their mean add up to `squares`.

    It is Student's interval, somewhat wider: by ten games more, as far away as these are on average, since there may be
    kinds that were not met yet (by one square point at least, and ten at most), and by what long tails need. Of a few
    games that are all alike nothing is known: their next one may be anything.
    """
    if games < FEWEST or (squares < NO_SPREAD and games < ALIKE):
        return inf
    variance = squares / (games - 1)
    unseen = min(max(UNSEEN * variance, LEAST), MOST) if squares > NO_SPREAD else MOST
    return student(games - 1) * (1 + SKEWED / sqrt(games)) * sqrt((squares + unseen) / (games - 1) / games)


def plus_minus(half: float, digits: int = 2) -> str:
    """What stands behind a mean."""
    return f"± {half:.{digits}f}" if isfinite(half) else "± ?"


def share_interval(points: float, games: int) -> tuple[float, float]:
    """The ends of the 95 % interval of a share of games won, by Clopper and Pearson; 0 and 1 where there are too few.

    The lower end is the share with which so many points, or more, come in 2.5 of 100 cases, and so with the upper one.
    """
    if games < FEWEST:
        return 0.0, 1.0
    low = quantile(0.025, points, games - points + 1) if points > 0 else 0.0
    return low, quantile(0.975, points + 1, games - points) if points < games else 1.0


def ends(low: float, high: float, digits: int = 0) -> str:
    """The ends of the interval of a share, in brackets."""
    return f"({100 * low:.{digits}f} to {100 * high:.{digits}f})" if (low, high) != (0, 1) else "(± ?)"


def noted(lines: Sequence[str]) -> list[str]:
    """The lines, with what `± ?` means if any of them has it."""
    return [*lines, *[UNSURE] * any("± ?" in line for line in lines)]


def beams(half_widths: Sequence[float]) -> list[float]:
    """Half widths that can be drawn: where there is none, not a number."""
    return [half if isfinite(half) else nan for half in half_widths]


@lru_cache(maxsize=4096)
def student(free: int) -> float:
    """Within so many standard errors lie 95 of 100 means, with so many degrees of freedom."""
    square = quantile(0.95, 0.5, free / 2)
    return sqrt(free * square / (1 - square))


def quantile(share: float, a: float, b: float) -> float:
    """Below what number a beta distribution has this share."""
    low, high = 0.0, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if below(middle, a, b) < share else (low, middle)
    return middle


def below(x: float, a: float, b: float) -> float:
    """The share of a beta distribution that is below x, by its continued fraction, as Lentz goes through it."""
    if x > (a + 1) / (a + b + 2):
        return 1 - below(1 - x, b, a)
    found, over, under, step, turn = 1.0, 1.0, 0.0, 0, 0.0
    while abs(turn - 1) > ROUNDING:
        step += 1
        half, is_odd = divmod(step, 2)
        top = -(a + half) * (a + b + half) if is_odd else half * (b - half)
        ratio = top * x / (a + step - 1) / (a + step)
        over, under = 1 + ratio / over, 1 / (1 + ratio * under)
        turn = over * under
        found *= turn
    return exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a / found
