"""Any plain function, watched while it runs: what its variables were, line by line, and why.

The function stays as it is. It is run once, changes of its variables are events, and a `Film` tells them beat by beat.

What is what, from the program to the picture, each in the module of its name:

traced_code   which code is followed: `Traced`, and what is known of each function: `Body`
tracer        what Python calls while it runs: `Tracer`
statements    the text: `SourceText`, its `Statement`s, and what each may `Touch`
things        what is kept of values: `Thing` for what changes in place, `Words` for what is not looked into
snapshots     a thing beside its copy of the last look: `Shadow`; comparing the two gives `KeyChange`s
touched       which shadows a statement may have changed, so that not all are compared
variables     the variables of a call: `Scope`
recorder      runs it: `TracedCall` for each call, an entry for each change
origins       a `Value`, and the places that it was read from
events_so_far all events until now, and which of them have brought what: `EventsSoFar`
reading       what is where while a statement runs, as `Value`s
known_calls   what functions and methods of Python make of `Value`s
evaluation    a statement in step with the program: `Evaluation` has the reason of each change
film_data     the events of a film, played back: `VariableChange`, `Call`, `Why`
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
