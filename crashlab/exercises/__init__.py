"""Exercises that check themselves: `check("as-1", answer)` says whether it is right, and if not, what to look at.

A lesson declares its exercises (`crashlab.exercises.shape`); `CHECKS` has them all by name.
"""

from __future__ import annotations

from importlib import import_module

from crashlab.errors import CrashlabError, shown
from crashlab.exercises import statistics
from crashlab.exercises.shape import Exercise
from crashlab.exercises.verdict import Verdict
from crashlab.games import NAMES as GAMES
from crashlab.lessons import NAMES as ALGORITHMS

LESSONS = (
    *(import_module(f"crashlab.games.{game}.lessons") for game in GAMES),
    statistics,
    *(import_module(f"crashlab.lessons.{subject}") for subject in ALGORITHMS),
)
CHECKS: dict[str, Exercise] = {exercise.name: exercise for lesson in LESSONS for exercise in lesson.CHECKS}


def check(name: str, answer: object) -> Verdict:
    """Say whether this answer to an exercise is right, with a hint if it is not.

    An answer that is a function is stopped if it needs too long. On Windows and outside of the main thread that is
    done from another thread: it is left alone where it sleeps or computes in one long call of C code.
    """
    if not isinstance(name, str) or name not in CHECKS:
        raise CrashlabError(f"there is no exercise {shown(name)}; the exercises are {', '.join(CHECKS)}")
    verdict = CHECKS[name].check(answer)
    verdict.show()
    return verdict
