"""The layout of a picture: wide parts below each other, narrow parts in pairs."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from crashlab.drawing.shapes import Point

WIDE = 560.0  # the width of a picture, in pixels
HALF = WIDE / 2
LEAST, MOST = 100.0, 560.0  # limits of its height, in pixels


@dataclass(frozen=True)
class FlowPart:
    """A part of a picture: its key, whether it needs the whole width, and its preferred height."""

    key: Hashable
    is_wide: bool
    high: float


def flow(parts: Iterable[FlowPart]) -> tuple[float, Mapping[Hashable, tuple[Point, Point]]]:
    """Return the height of the picture, and the corner and size of each part by its key."""
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
    """Return the first of `fit` consecutive indices below `count` that include `at`.

    The result changes in steps of half of `fit`, so that the range stays in place while `at` moves within it.
    """
    step = max(fit // 2, 1)
    return min(max((at - fit // 4) // step * step, 0), max(count - fit, 0))
