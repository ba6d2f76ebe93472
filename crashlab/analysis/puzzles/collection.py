"""The puzzles of the package, and the puzzle of the day.

    crashlab.puzzles("autoscooter", theme="side crash", level="easy")   a list of puzzles
    crashlab.today("crash_and_grab")                                    a new one each day, the same for everybody
    crashlab.lab.Puzzle("autoscooter")                                  a board to solve them on

The puzzles were found by searching played games. The folder `stored` has a file of them for each game.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date as Date
from functools import cache
from pathlib import Path
from typing import overload

from crashlab.analysis.puzzles.puzzle import LEVELS, QUIET, Problem
from crashlab.analysis.puzzles.worksheet import Worksheet
from crashlab.base.errors import CrashlabError, require, short_repr, short_str, truncate
from crashlab.drawing.html import element
from crashlab.drawing.sheet import mimebundle
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.engine.notation import counted
from crashlab.games import NAMES

FOLDER = Path(__file__).parent / "stored"


class Puzzles(Sequence[Problem]):
    """The puzzles of a game, easiest first; shown as a table in notebooks.

    >>> problems = crashlab.puzzles("autoscooter", level="easy")
    >>> all(problem.level == "easy" for problem in problems)
    True
    """

    def __init__(self, name: str, problems: Iterable[Problem]) -> None:
        self.name = name
        self._problems = tuple(problems)

    def __len__(self) -> int:
        return len(self._problems)

    @overload
    def __getitem__(self, place: int) -> Problem: ...

    @overload
    def __getitem__(self, place: slice) -> Puzzles: ...

    def __getitem__(self, place: int | slice) -> Problem | Puzzles:
        return Puzzles(self.name, self._problems[place]) if isinstance(place, slice) else self._problems[place]

    @property
    def themes(self) -> dict[str, int]:
        """The number of puzzles of each theme."""
        every = [theme for problem in self for theme in problem.themes]
        return {theme: every.count(theme) for theme in sorted(set(every))}

    def sheet(self, path: str | Path | None = None, answers: bool = False) -> Worksheet:
        """Return the first six puzzles as a worksheet to print, optionally with answers; save it if a path is given.

        >>> crashlab.puzzles("autoscooter").sheet()
        <Worksheet: Autoscooter: six puzzles>
        """
        worksheet = Worksheet(self, answers)
        if path is not None:
            worksheet.save(path)
        return worksheet

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'puzzle')} of {self.name}: {', '.join(self.themes)}>"

    def _repr_html_(self) -> str:
        heads = (element("th", head) for head in ("", "id", "rating", "level", "themes", "question"))
        rows = (
            (str(number), element("code", one.id), str(one.rating), one.level, ", ".join(one.themes), one.question)
            for number, one in enumerate(self)
        )
        body = (element("tr", *(element("td", word) for word in row)) for row in rows)
        return element("table", element("thead", element("tr", *heads)), element("tbody", *body))


def puzzles(name: str, /, theme: str | None = None, level: str | None = None) -> Puzzles:
    """Return the puzzles of a game: all, or those with a theme or level.

    Parameters
    ----------
    name : str
        The name of the game.
    theme : str | None
        A theme of puzzles; by default any.
    level : str | None
        "easy", "medium" or "hard"; by default any.

    Returns
    -------
    Puzzles
        The puzzles, which can be printed as a sheet.

    Examples
    --------
    >>> crashlab.puzzles("crash_city")[0].name
    'crash_city'
    """
    every = stored(name)
    themes = sorted({label for problem in every for label in problem.themes})
    for word, value, values in (("theme", theme, themes), ("level", level, list(LEVELS))):
        require(
            value is None or value in values,
            f"{word}={short_repr(value)}: choose one of {', '.join(map(repr, values))}",
        )
    problems = [
        problem
        for problem in every
        if (theme is None or theme in problem.themes) and (level is None or level == problem.level)
    ]
    return Puzzles(name, sorted(problems, key=lambda problem: problem.rating))


def stored(name: str) -> tuple[Problem, ...]:
    """Return the stored puzzles of a game."""
    require(
        isinstance(name, str) and name in NAMES,
        f"there is no game {short_repr(name)}; the games are {', '.join(NAMES)}",
    )
    return loaded(name)


@cache
def loaded(name: str) -> tuple[Problem, ...]:
    """Read the stored puzzles of a game; cached."""
    return tuple(read(name, FOLDER / f"{name}.json", is_strict=False))


def read(name: str, path: Path, is_strict: bool = True) -> list[Problem]:
    """Return the puzzles of a file, one per line; empty if there is no file.

    A damaged line raises CrashlabError or, if not strict, is skipped with a warning.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise CrashlabError(f"{truncate(str(path))}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CrashlabError(f"{truncate(str(path))} contains no puzzles: it is not UTF-8 text") from error
    problems = []
    for number, line in enumerate(lines, 1):
        try:
            problems.append(Problem.from_dict(name, json.loads(line)))
        except (ValueError, RecursionError) as error:
            fate = "" if is_strict else " and was left out"
            words = f"{truncate(str(path))}: line {number} is not a puzzle{fate}: {short_str(error)}"
            if is_strict:
                raise CrashlabError(words) from error
            warnings.warn(words, RuntimeWarning, stacklevel=2)
    return problems


@dataclass(frozen=True)
class Today:
    """The puzzle of a day, the same for all users.

    >>> crashlab.today("crash_and_grab", "2026-11-23").date.isoformat()
    '2026-11-23'
    """

    date: Date
    problem: Problem

    @property
    def state(self) -> State:
        return self.problem.state

    def score(self, action: object) -> int:
        """Return the score of an action, from 0 for the worst to 100 for the best."""
        return self.problem.score(action)

    @property
    def measure(self) -> str:
        """A line for the blackboard that explains the score."""
        return f"100 for the best, 0 for the worst. Measured: {self.problem.proof.measure}."

    @property
    def title(self) -> str:
        """The title: the game and the day."""
        return f"{self.state.game.title}, {self.date.day} {self.date:%B %Y}"

    def __str__(self) -> str:
        return f"{self.title}\n{self.problem}\n{self.measure}"

    def __repr__(self) -> str:
        return f"<Today {self.date.isoformat()}: {self.problem!r}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        return mimebundle(self.problem.seen.picture(), str(self))


def today(name: str, /, date: Date | str | None = None) -> Today:
    """Return the puzzle of a day, by default today's.

    The puzzles with an immediate event are shown in a random order, one a day. After all have been shown, a new order
    is drawn. No puzzle is repeated before half of the others have been shown.

    Parameters
    ----------
    name : str
        The name of the game.
    date : Date | str | None
        The day; by default today.

    Returns
    -------
    Today
        The puzzle of that day.

    Examples
    --------
    >>> crashlab.today("crash_city", "2026-11-23") == crashlab.today("crash_city", "2026-11-23")
    True
    """
    day = the_day(date)
    every = sorted((one for one in stored(name) if QUIET not in one.themes), key=lambda problem: problem.id)
    require(every, f"there are no puzzles of {name} yet")
    lap, place = divmod(day.toordinal(), len(every))
    mixed = Random(0).shuffled(every)
    halves = (
        mixed[: len(mixed) // 2],
        mixed[len(mixed) // 2 :],
    )  # each half is shuffled separately, so that recent puzzles are not repeated soon
    return Today(day, [problem for half in halves for problem in Random(lap).shuffled(half)][place])


def the_day(entry: object) -> Date:
    """Return a date from a date, a text or None (today)."""
    if entry is None:
        return Date.today()
    if isinstance(entry, Date):
        return entry
    try:
        return Date.fromisoformat(entry)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise CrashlabError(f"date={short_repr(entry)}: write a day as '2026-11-23'") from None
