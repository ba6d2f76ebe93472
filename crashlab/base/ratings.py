"""Ratings on Elo's scale, from a table of results."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from crashlab.base.statistics import FEWEST, ROUNDING, student

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ANCHOR, ANCHORED = "random", 1000  # name and rating of the fixed agent; without it the average is fixed
ELO = 400 / log(10)  # rating points per unit of strength: 400 points are odds of ten to one


def ratings(points: NDArray[np.float64], anchor: int | None = None) -> tuple[list[float], list[float]]:
    """Return Bradley-Terry ratings on Elo's scale, and half the widths of their 95 % intervals.

    `points[i, j]` is the number of points that i won from j. An agent stronger by s than another wins from it with
    probability 1 / (1 + e^-s); Newton's method computes the maximum-likelihood strengths, in steps short enough never
    to overshoot. Each agent also draws one imaginary game against an agent of strength 0, which keeps ratings finite.
    The rating of the agent `anchor` (by default the average rating) is 1000, and the intervals are those of differences
    from 1000. The imaginary game pulls ratings towards the middle, so each interval is widened by twice this pull. The
    interval of an agent with fewer than three games is infinite.
    """
    import numpy as np

    number = len(points)
    if not number:
        return [], []
    games = points + points.T
    strengths, pull, bend = np.zeros(number), np.zeros(number), np.eye(number)
    for _ in range(200):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        alone = 1 / (1 + np.exp(-strengths))
        pull = 0.5 - alone
        slope = (points - games * chances).sum(1) + pull
        bends = games * chances * (1 - chances)
        bend = np.diag(bends.sum(1) + alone * (1 - alone)) - bends
        step = np.linalg.solve(bend, slope)
        far = np.ptp([0, *step])
        strengths = strengths + step * (np.log1p(far) / far if far else 1.0)
        if far < 1e-10:
            break
    origin = np.full(number, 1 / number) if anchor is None else np.eye(number)[anchor]
    relative = np.eye(number) - origin
    inverse = np.linalg.inv(bend)
    errors = np.sqrt(np.maximum((relative @ inverse @ relative.T).diagonal(), 0.0))
    widths = np.array([student(int(count) - 1) if count >= FEWEST else np.inf for count in games.sum(1)])
    widths[errors < ROUNDING] = 0.0  # the anchor itself
    half_widths = ELO * (widths * errors + 2 * abs(relative @ inverse @ pull))
    return (ANCHORED + ELO * (relative @ strengths)).tolist(), half_widths.tolist()
