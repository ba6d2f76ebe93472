"""Recordings of plain functions: how their variables change, line by line, and why.

The function itself is not modified. It runs once, each change of a variable is an event, and a `Film` shows the events
beat by beat.

The modules, from the program to the picture:

traced_code   the traced code (`Traced`) and the static facts of each function (`Body`)
tracer        the trace function that Python calls while the program runs: `Tracer`
statements    the source: `SourceText`, its `Statement`s, and the containers each may change: `Touch`
things        the copies of values: `Thing` for a mutable object, `Words` for an object that is not inspected
snapshots     a `Shadow` for each thing: its copy from the last comparison, which yields its `KeyChange`s
touched       the shadows that a statement may have changed, so that not all are compared
variables     the variables of a call: `Scope`
recorder      runs the function: a `TracedCall` for each call, an entry for each change
origins       a `Value` and its origins, the places that a statement read
events_so_far the events until now, and the event that set each variable: `EventsSoFar`
reading       the values that a running statement reads, as `Value`s
known_calls   the results of Python's functions and methods on `Value`s
evaluation    a statement evaluated in step with the program: `Evaluation` finds the reason of each change
film_data     the events of a film, replayed: `VariableChange`, `Call`, `Why`
film          the `Film`, with its pictures; views/ draws them
"""

from crashlab.watch.film import Film
from crashlab.watch.film_data import Call, Cause, Counts, Since, Source, VariableChange, Why
from crashlab.watch.film_difference import Difference, first_difference
from crashlab.watch.recorder import record
from crashlab.watch.things import ABSENT, Instance, Path, Words

__all__ = [
    "ABSENT",
    "Call",
    "Cause",
    "Counts",
    "Difference",
    "Film",
    "Instance",
    "Path",
    "Since",
    "Source",
    "VariableChange",
    "Why",
    "Words",
    "first_difference",
    "record",
]
