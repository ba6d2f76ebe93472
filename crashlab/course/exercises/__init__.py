"""Exercises that check themselves: `check("as-1", answer)` shows whether the answer is right, or a hint.

A lesson declares its exercises (`crashlab.course.exercises.exercise_types`); `CHECKS` contains all of them by name.
The lessons are imported when `CHECKS` is first used, so that `import crashlab` stays fast.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from crashlab.base.errors import require, short_repr
from crashlab.course.exercises.exercise_types import Exercise
from crashlab.course.exercises.verdict import Verdict
from crashlab.course.lessons import NAMES as ALGORITHMS
from crashlab.games import NAMES as GAMES

if TYPE_CHECKING:
    CHECKS: dict[str, Exercise]

LESSONS = (
    *(f"crashlab.course.lessons.{game}" for game in GAMES),
    "crashlab.course.lessons.speed_and_statistics",
    *(f"crashlab.course.lessons.{subject}" for subject in ALGORITHMS),
)


@cache
def exercises() -> dict[str, Exercise]:
    """Return all exercises by their names."""
    return {exercise.name: exercise for lesson in LESSONS for exercise in import_module(lesson).CHECKS}


def __getattr__(name: str) -> dict[str, Exercise]:
    if name == "CHECKS":
        return exercises()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def check(name: str, answer: object) -> Verdict:
    """Check an answer to an exercise; show and return the verdict, with a hint if the answer is wrong.

    A function that takes too long is stopped. On Windows, and outside the main thread, another thread stops the
    function, but cannot interrupt sleep or one long call of C code.

    Parameters
    ----------
    name : str
        The name of the exercise.
    answer : object
        The answer: a value or a function.

    Returns
    -------
    Verdict
        Whether the answer is right, with a hint if it is not.

    Examples
    --------
    >>> verdict = crashlab.check("as-1", ...)
    as-1: not written yet. Replace the ... with your answer.
    """
    by_name = exercises()
    require(
        isinstance(name, str) and name in by_name,
        f"there is no exercise {short_repr(name)}; the exercises are {', '.join(by_name)}",
    )
    verdict = by_name[name].check(answer)
    verdict.show()
    return verdict
