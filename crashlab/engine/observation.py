"""Observations for learning programs: the view of a seat as one array, field by field.

The values are those of the table, in the order of its fields, with HIDDEN (-2) for unknown ones. `described` returns
the position and the bounds of each field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from crashlab.engine.table import Table

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Observed:
    """A field of an observation: the position of its values, and their bounds."""

    field: str
    first: int
    size: int
    low: int
    high: int


def described(kind: type[Table]) -> tuple[Observed, ...]:
    """Return the fields of an observation of a table of this class."""
    fields = []
    first = 0
    for name, size, values in zip(kind.NAMES, kind.SIZES, kind.RANGES, strict=True):
        fields.append(Observed(name, first, size, values[0], values[-1]))
        first += size
    return tuple(fields)


def observed(view: Table) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return all values of a view as one array."""
    import numpy as np

    return np.array([number for row in view.rows() for number in row], dtype=np.int64)
