"""Exercises that check themselves: `check("as-1", answer)` says whether it is right, and if not, what to look at.

A check is a function `answer -> hint`; an empty hint means that the answer is right. `CHECKS` names them all.
"""

from __future__ import annotations

import linecache
from importlib import import_module
from traceback import walk_tb

from crashlab.errors import CrashlabError, shown, told
from crashlab.exercises import statistics
from crashlab.games import NAMES

CHECKS = {
    name: check for game in NAMES for name, check in import_module(f"crashlab.games.{game}.lessons").CHECKS.items()
} | statistics.CHECKS


def check(name: str, answer: object) -> None:
    """Print whether this answer to an exercise is right, with a hint if it is not."""
    if not isinstance(name, str) or name not in CHECKS:
        raise CrashlabError(f"there is no exercise {shown(name)}; the exercises are {', '.join(CHECKS)}")
    try:
        hint = CHECKS[name](answer)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever a student's code can think of
        if NotImplementedError in (type(error), type(error.__cause__)):
            print(f"{name}: not written yet. Replace the line with NotImplementedError by your answer.")
            return
        hint = f"your answer stops with {type(error).__name__}: {told(error)}{where(answer, error)}"
        if not callable(answer):
            hint = f"a function is wanted, not {shown(answer)}. Give its name alone, without brackets behind it."
    print(f"{name}: {'right!' if not hint else 'not yet: ' + hint}")


def where(answer: object, error: BaseException) -> str:
    """The last line of a function that was run before it stopped, in words; empty if it did not come that far."""
    own = getattr(answer, "__code__", None)
    if own is None:
        return ""
    found = ""
    for frame, number in walk_tb((error.__cause__ or error).__traceback__):  # the cause is what an agent stopped with
        code = frame.f_code
        if code.co_filename == own.co_filename and f"{code.co_qualname}.".startswith(f"{own.co_qualname}."):
            words = linecache.getline(code.co_filename, number).strip()
            found = f", in line {number - own.co_firstlineno + 1} of {own.co_name}" + (f": `{words}`" if words else "")
    return found
