"""Any plain function, watched while it runs: what its variables were, line by line, and why.

The function stays as it is. It is run once, changes of its variables are events, and a `Film` tells them beat by beat.
"""

from crashlab.watch.film import Film
from crashlab.watch.film_data import Call, Counts, Source, VariableChange, Why
from crashlab.watch.film_difference import Difference, first_difference
from crashlab.watch.heap import ABSENT, Instance, Path, Words
from crashlab.watch.recorder import record

__all__ = [
    "ABSENT",
    "Call",
    "Counts",
    "Difference",
    "Film",
    "Instance",
    "Path",
    "Source",
    "VariableChange",
    "Why",
    "Words",
    "first_difference",
    "record",
]
