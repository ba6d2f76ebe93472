"""The file of all votes of a lesson: a table for a spreadsheet, with a line for each option of each question."""

import csv
import io
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Protocol

from crashlab.base import files

COLUMNS = "time", "question", "option", "right", "first vote", "second vote"


@dataclass(frozen=True)
class Tally:
    """The votes on a question; `votes` has a tuple of counts by option for the first vote (if any) and the last."""

    time: float
    question: str
    options: tuple[str, ...]
    right: tuple[int, ...]
    votes: tuple[tuple[int, ...], ...]


class Voted(Protocol):
    """A panel with questions on which a class votes."""

    @property
    def tallies(self) -> list[Tally]:
        """All votes on the questions of this panel."""
        ...


_panels: dict[Voted, None] = {}  # the open panels
_closed: list[Tally] = []  # the votes of closed panels
_saved: list[Path] = []  # the file of this lesson


def follow(panel: Voted) -> None:
    """Include the votes of this panel in the file."""
    _panels[panel] = None


def let_go(panel: Voted) -> None:
    """Store the votes of a panel that is closed."""
    if panel in _panels:
        _closed.extend(panel.tallies)
        del _panels[panel]


def votes(path: str | Path | None = None) -> Path:
    """Write all votes of this notebook into a CSV file, and return its path.

    The file has a line for each option of each question: time, question, option, whether it is right, and the counts of
    the first and of the second vote. It contains no personal data.

    Parameters
    ----------
    path : the file; by default, a file named after today's date in the notebook's folder

        >>> votes("monday.csv").name
        'monday.csv'
    """
    if path is None:
        if not _saved:
            names = (f"votes-{datetime.now():%Y-%m-%d}{f'-{n}' if n else ''}.csv" for n in count())
            _saved.append(next(name for name in map(Path, names) if not name.exists()))
        path = _saved[0]
    return write(path, [*_closed, *(tally for panel in _panels for tally in panel.tallies)])


def write(path: str | Path, tallies: Iterable[Tally]) -> Path:
    """Write votes into a CSV file, the earliest first, without questions that have no votes."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for tally in sorted(tallies, key=lambda tally: tally.time):
        votes = [vote for vote in tally.votes if any(vote)]
        for place, option in enumerate(tally.options if votes else ()):
            numbers = [vote[place] for vote in votes]
            right = "yes" if place in tally.right else ""
            table.writerow([clock(tally.time), cell(tally.question), cell(option), right, *numbers])
    target = files.path_to_write(path)
    files.write(target, text.getvalue().encode("utf-8-sig"))  # Excel needs the BOM to recognise UTF-8
    return target


def clock(seconds: float) -> str:
    """Write a time, in seconds since 1970, as local date and time; 0 stands for now."""
    return datetime.fromtimestamp(seconds or time.time()).strftime("%Y-%m-%d %H:%M")


def cell(words: str) -> str:
    """Return words for a table so that no program takes them for a formula."""
    return f"'{words}" if words.startswith(("=", "+", "-", "@")) else words
