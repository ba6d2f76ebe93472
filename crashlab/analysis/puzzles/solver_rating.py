"""The rating of a solver of puzzles: for each game a rating and the puzzles tried, stored in a file of the user.

The file is `puzzles.json` in the folder CRASHLAB_DATA, or else in the user's folder for application data. An unreadable
file is not changed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from crashlab.analysis.puzzles.puzzle import Problem, chance
from crashlab.base import files
from crashlab.base.errors import CrashlabError, truncate
from crashlab.base.records import misfit

BEGIN = 1000.0  # initial rating
FIRM, FAST = 16.0, 48.0  # largest change of a rating per puzzle: after the first FIRST puzzles, and before
MOST = 1e6  # bound of valid ratings
FIRST = 10  # number of puzzles with large changes


@dataclass(frozen=True)
class SolverRating:
    """A rating in a game, and whether each puzzle tried was solved at the first attempt, by id."""

    rating: float = BEGIN
    solved: Mapping[str, bool] = field(default_factory=dict)

    def after(self, problem: Problem, solved: bool) -> SolverRating:
        """Return the rating after a puzzle; a puzzle tried before does not count."""
        if problem.id in self.solved:
            return self
        most = FAST if len(self.solved) < FIRST else FIRM
        gain = most * (solved - chance(self.rating, problem.rating))
        return SolverRating(self.rating + gain, {**self.solved, problem.id: solved})


def usual() -> Path:
    """Return the path of the user's file of ratings."""
    if folder := os.environ.get("CRASHLAB_DATA"):
        return Path(folder) / "puzzles.json"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "crashlab" / "puzzles.json"


def load(path: Path) -> dict[str, SolverRating]:
    """Read the ratings of a file, by game; empty if there is no file."""
    try:
        data = json.loads(path.read_text("utf-8"))
        is_damaged = misfit(data, {str: {"rating": float, "solved": {str: bool}}})
        if is_damaged or any(abs(entry["rating"]) >= MOST for entry in data.values()):
            raise ValueError
        return {name: SolverRating(float(entry["rating"]), entry["solved"]) for name, entry in data.items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CrashlabError(f"{truncate(str(path))}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError):
        raise CrashlabError(
            f"{truncate(str(path))} contains no ratings of puzzles and was not changed; move it away to start again"
        ) from None


def note(path: Path, problem: Problem, solved: bool) -> tuple[SolverRating, SolverRating]:
    """Record the result of a puzzle; return the ratings before and after."""
    before = load(path).get(problem.name, SolverRating())
    if problem.id in before.solved:
        return before, before
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrashlabError(f"{truncate(str(path.parent))}: cannot be created: {error.strerror}") from error
    with files.locked(path):  # keeps changes by other notebooks
        every = load(path)
        before = every.get(problem.name, SolverRating())
        after = before.after(problem, solved)
        every[problem.name] = replace(after, rating=round(after.rating, 1))
        records = {name: {"rating": rating.rating, "solved": rating.solved} for name, rating in every.items()}
        files.write(path, f"{json.dumps(records, indent=1)}\n".encode())
    return before, after
