"""How sure the numbers of a sample are: intervals in which the truth lies in 95 of 100 cases."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Z = 1.96  # standard deviations of a mean, for 95 %


def half_width(sample: NDArray[Any]) -> float:
    """Half the width of the 95 % confidence interval of the sample's mean."""
    return float(Z * sample.std(ddof=1) / len(sample) ** 0.5) if len(sample) > 1 else float("inf")


def wilson(points: float, games: int) -> tuple[float, float]:
    """The ends of Wilson's 95 % interval of a share of games won; it stays between 0 and 1, and is sane for few."""
    if not games:
        return 0.0, 1.0
    share = points / games
    more = Z * Z / games
    middle = share + more / 2
    half = Z * sqrt(share * (1 - share) / games + more / games / 4)
    return max((middle - half) / (1 + more), 0.0), min((middle + half) / (1 + more), 1.0)
