"""Where the parts of a picture lie: wide ones below each other, narrow ones two and two."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from crashlab.drawing.shapes import Point

WIDE = 560.0  # pixels of a picture
HALF = WIDE / 2
LEAST, MOST = 100.0, 560.0  # pixels that it is high


@dataclass(frozen=True)
class FlowPart:
    """What it is, whether it needs the whole width, and how high it wants to be."""

    key: Hashable
    is_wide: bool
    high: float


def flow(parts: Iterable[FlowPart]) -> tuple[float, Mapping[Hashable, tuple[Point, Point]]]:
    """How high the picture is, and by their keys the corners and the sizes of the parts."""
    rows: list[list[FlowPart]] = []
    for part in parts:
        waits = next((row for row in rows if len(row) == 1 and not row[0].is_wide), None)
        if part.is_wide or waits is None:
            rows.append([part])
        else:
            waits.append(part)
    highs = [max(part.high for part in row) for row in rows]
    total = sum(highs) or LEAST
    share = min(max(total, LEAST), MOST) / total
    places: dict[Hashable, tuple[Point, Point]] = {}
    top = 0.0
    for row, high in zip(rows, highs, strict=True):
        for number, part in enumerate(row):
            places[part.key] = (WIDE / len(row) * number, top), (WIDE / len(row), high * share)
        top += high * share
    return max(top, LEAST), places


def start(count: int, fit: int, at: int) -> int:
    """Where a part of so many begins that holds `at`; it stays where it is while `at` moves on in it."""
    step = max(fit // 2, 1)
    return min(max((at - fit // 4) // step * step, 0), max(count - fit, 0))
