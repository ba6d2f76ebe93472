"""A position as one row of numbers, for programs that learn: what a seat sees, field by field.

The numbers are those of the table, in the order of its fields; HIDDEN (-2) stands for what the seat does not know.
`described` says of each field where its numbers stand and between which bounds they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crashlab.engine.table import Table

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Observed:
    """Where the numbers of a field stand in an observation, and the least and the greatest that each can be."""

    field: str
    first: int
    size: int
    low: int
    high: int


def described(kind: type[Table]) -> tuple[Observed, ...]:
    """What an observation of such a table holds."""
    found = []
    first = 0
    for name, size, known in zip(kind.NAMES, kind.SIZES, kind.RANGES, strict=True):
        found.append(Observed(name, first, size, known[0], known[-1]))
        first += size
    return tuple(found)


def observed(view: Table) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The numbers of a view, one after the other."""
    import numpy as np

    return np.array([number for row in view.rows() for number in row], dtype=np.int64)
