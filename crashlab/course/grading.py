"""Grade a notebook by running it and counting its exercises: `grade("10a_angles_and_crashes.ipynb")`.

A notebook runs in a fresh Jupyter kernel, in its own folder, and its file does not change. The verdicts are read from
the metadata that `check` adds to its output: printed text and a `check` written by the student do not count. If Linux
has Landlock, the kernel and its child processes can write only into a temporary folder, cannot reach any server, and
can end only their own processes; otherwise they have all rights of the user who grades. This is no protection against
cheating: a student can send such metadata without any check, or change `crashlab` in the kernel, and can read the files
of the user.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Empty
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from crashlab.base.errors import CrashlabError, number_between, printable, require, truncate
from crashlab.course.exercises import CHECKS
from crashlab.course.exercises.verdict import MARK

TIMEOUT = 120.0  # seconds for a cell
SECONDS = 0.1, 86_400  # the least and the greatest timeout of a cell
GRACE = 10.0  # seconds that an interrupted cell has to end
START = 120.0  # seconds that a kernel has to start
VERSION = 1  # version of the JSON format
KEPT_BY = "IPYTHONDIR", "MPLCONFIGDIR", "XDG_CACHE_HOME"  # folders of the caches and settings of libraries
NAMES = re.compile(rf"\b({'|'.join(sorted(CHECKS))})\b")


@dataclass(frozen=True)
class Mark:
    """The result of an exercise: the number of right cases of `total`, and a hint unless all of them are right."""

    name: str
    title: str
    right: bool
    passed: int
    total: int
    hint: str

    def to_dict(self) -> dict[str, Any]:
        """Return the mark as a test worth one point, with the keys that GitHub Classroom and Gradescope (Otter) use."""
        points = {"score": int(self.right), "max_score": 1}
        counts = {"passed": self.passed, "total": self.total}
        status = "pass" if self.right else "fail"
        return {"name": self.name, "title": self.title, "status": status, **points, **counts, "output": self.hint}


@dataclass(frozen=True)
class Report:
    """The result of a notebook: its marks, and its `problems` (the cells that failed). True if all marks are right."""

    path: str
    marks: tuple[Mark, ...]
    problems: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.right == len(self.marks)

    @property
    def right(self) -> int:
        """The number of exercises that are right."""
        return sum(mark.right for mark in self.marks)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values."""
        tests = [mark.to_dict() for mark in self.marks]
        points = {"score": self.right, "max_score": len(self.marks)}
        status = "pass" if self else "fail"
        about = {"version": VERSION, "notebook": self.path, "status": status}
        return {**about, **points, "tests": tests, "problems": list(self.problems)}

    def __str__(self) -> str:
        lines = [f"{self.path}: {self.right} of {len(self.marks)} exercises are right"]
        for mark in self.marks:
            share = f"{mark.passed} of {mark.total}"
            lines.append(f"  {mark.name:5} {'right' if mark.right else 'not yet':8} {share:>13}  {mark.title}")
            lines += [f"        {mark.hint}"] if mark.hint else []
        return printable("\n".join([*lines, *(f"  {problem}" for problem in self.problems)]))


def table(reports: Sequence[Report]) -> str:
    """Return the results of a class as a text table, with a row for each notebook and a column for each exercise."""
    names = [name for name in CHECKS if any(name == mark.name for report in reports for mark in report.marks)]
    width = max(len(report.path) for report in reports)
    rows = ["  ".join([" " * width, *names, "right"])]
    for report in reports:
        signs = {mark.name: "+" if mark.right else "-" for mark in report.marks}
        cells = [f"{signs.get(name, ' '):^{len(name)}}" for name in names]
        rows.append("  ".join([f"{report.path:{width}}", *cells, f"{report.right} of {len(report.marks)}"]))
    return printable("\n".join(rows))


def grade(path: str | Path, timeout: float = TIMEOUT) -> Report:
    """Run a notebook, with `timeout` seconds for each cell, and return the report on its exercises.

    An exercise that the notebook names but never checks is not right. An exercise that is checked several times is
    right if one of the checks was.
    """
    number_between("timeout", timeout, *SECONDS)
    place = Path(path)
    cells = cells_of(place)
    exercises = [name for name in CHECKS if any(name in NAMES.findall(source) for _, source in cells)]
    require(exercises, f"{truncate(str(path))}: this notebook has no crashlab exercise, such as {next(iter(CHECKS))}")
    run = NotebookRun(timeout)
    run.all([source for kind, source in cells if kind == "code"], place.resolve().parent)
    marks = [run.mark(name) for name in CHECKS if name in exercises or name in run.verdicts]
    return Report(str(path), tuple(marks), tuple(f"cell {number} {words}" for number, words in run.problems.items()))


def failure(path: str, reason: str) -> dict[str, Any]:
    """Return the report of a notebook that cannot be graded, as plain values."""
    about = {"version": VERSION, "notebook": path, "status": "error"}
    return {**about, "score": 0, "max_score": 0, "tests": [], "problems": [reason]}


def cells_of(path: Path) -> list[tuple[str, str]]:
    """Return all cells of a notebook as (type, source)."""
    where = truncate(str(path))
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
        kernel = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
    except OSError as error:
        raise CrashlabError(f"{where}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise CrashlabError(f"{where}: this is not a notebook in Jupyter's format 4 (.ipynb)") from None
    require(kernel == "python", f"{where}: this notebook is not in Python, but in {truncate(str(kernel))}")
    return cells


def locked(folder: str) -> dict[str, Any]:
    """Return keywords for starting a process that can write only into a folder; empty if the system has no Landlock."""
    from crashlab.play.league import locks

    places = folder, "/dev/null"
    return {"preexec_fn": partial(locks.write_only_in, *places)} if locks.LANDLOCK in locks.available() else {}


class NotebookRun:
    """The run of a notebook: its verdicts by exercise, and its problems by the number of the cell, from 1."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self.verdicts: dict[str, dict[str, Any]] = {}
        self.problems: dict[int, str] = {}
        self._sources: list[str] = []
        self._kernel: Any = None
        self._client: Any = None

    def all(self, sources: list[str], folder: Path) -> None:
        """Run all cells in a new kernel, but stop early if the kernel ends or hangs."""
        try:
            from jupyter_client.manager import start_new_kernel
        except ImportError:
            raise CrashlabError("not installed: jupyter_client; run: pip install 'crashlab[lab]'") from None
        self._sources = sources
        with TemporaryDirectory(prefix="crashlab-grade-", ignore_cleanup_errors=True) as home:
            environment = {**os.environ, "TQDM_DISABLE": "1", **dict.fromkeys(("TMPDIR", *KEPT_BY), home)}
            start = partial(start_new_kernel, START, "python3", cwd=str(folder), env=environment)
            try:
                # -3 is subprocess.DEVNULL: the output of the kernel process itself is dropped.
                self._kernel, self._client = start(stdout=-3, stderr=-3, **locked(home))
            except (RuntimeError, OSError) as error:
                raise CrashlabError(f"no kernel can be started: {error}") from error
            try:
                for number, source in enumerate(sources, 1):
                    if source.strip() and not self._cell(number, source):
                        return
            finally:
                self._client.stop_channels()
                self._kernel.shutdown_kernel(now=True)
                self._kernel.cleanup_resources()

    def _cell(self, number: int, source: str) -> bool:
        """Run a cell and return whether the kernel can run the next one."""
        request = self._client.execute(source, allow_stdin=False, stop_on_error=False)
        deadline = monotonic() + self.timeout
        for message in self._messages():
            kind, content = message["msg_type"], message["content"]
            if kind == "display_data" and MARK in content["metadata"]:
                self._count(content["metadata"][MARK])
            is_answer = message["parent_header"].get("msg_id") == request
            if is_answer and kind == "error":
                words = truncate(f"{content['ename']}: {content['evalue']}")
                self.problems.setdefault(number, f"stops with {words}")
            if is_answer and kind == "status" and content["execution_state"] == "idle":
                return True
            if monotonic() > deadline and number not in self.problems:
                self.problems[number] = f"does not finish within {self.timeout:g} s"
                self._kernel.interrupt_kernel()
                deadline += GRACE
            elif monotonic() > deadline:
                self.problems[number] += " and cannot be interrupted"
                return False
            if not kind and not self._kernel.is_alive():
                self.problems[number] = "ends the kernel"
                return False
        return False

    def _messages(self) -> Iterator[dict[str, Any]]:
        """Yield the messages of the kernel, and an empty one after each 0.2 s without a message."""
        while True:
            try:
                yield self._client.get_iopub_msg(timeout=0.2)
            except Empty:
                yield {"msg_type": "", "content": {}, "parent_header": {}}

    def _count(self, verdict: Any) -> None:
        """Store a verdict, unless an earlier verdict on the exercise was right."""
        try:
            name = verdict["id"]
            if name in CHECKS and not self.verdicts.get(name, {}).get("right"):
                self.verdicts[name] = {key: verdict[key] for key in ("right", "passed", "total", "hint")}
        except (TypeError, KeyError):  # metadata that is not from crashlab
            return

    def mark(self, name: str) -> Mark:
        """Return the mark of an exercise; an exercise without a verdict is not right."""
        exercise = CHECKS[name]
        if verdict := self.verdicts.get(name):
            return Mark(name, exercise.title, **verdict)
        return Mark(name, exercise.title, False, 0, exercise.total, self._missing(name))

    def _missing(self, name: str) -> str:
        """Explain why an exercise has no verdict."""
        cells = [number for number, source in enumerate(self._sources, 1) if name in NAMES.findall(source)]
        for number in cells:
            if words := self.problems.get(number):
                return f"its cell {words}"
        last = max(self.problems, default=0)
        if (
            cells
            and last
            and cells[0] > last
            and self.problems[last].endswith(("ends the kernel", "cannot be interrupted"))
        ):
            return f"its cell was not run: cell {last} {self.problems[last]}"
        return "no check of it was run"
