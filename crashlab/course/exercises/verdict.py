"""What is said of an answer: whether it is right, what to look at if not, and what to try next if it is."""

import re
import sys
from dataclasses import dataclass, field
from html import escape
from typing import Any

from crashlab.base.errors import printable
from crashlab.base.progress import in_notebook
from crashlab.drawing.styles import BAD, GOOD, UNKNOWN
from crashlab.engine.game import State
from crashlab.engine.notation import capital
from crashlab.watch import Difference

MARK = "crashlab"  # the part of an output's metadata by which a verdict is known; see `crashlab.course.grading`
SCALE = 0.4  # of the picture of a case, times its size; a notebook stores it
BORDERS = {"right": ("✓", GOOD), "not yet": ("✗", BAD), "not written yet": ("…", UNKNOWN)}


@dataclass(eq=False)
class Verdict:
    """What is said of an answer. It is true if the answer is right.

    passed, total   how much of it is right; all of it only if the answer is
    hint            what to look at; empty if the answer is right
    then            what to try next; empty if the answer is wrong
    case            where it goes wrong: a State to look at, or what the function was called with; None if nowhere
    written         whether there is an answer at all
    difference      the first step at which it does something else than a right one; None if that is not known
    """

    name: str
    title: str
    passed: int
    total: int
    hint: str = ""
    then: str = ""
    case: object = None
    written: bool = True
    difference: Difference | None = None
    _shown: object = field(default=None, init=False)  # the number of the cell below which it stands already

    def __post_init__(self) -> None:
        self.hint = printable(self.hint)

    def __bool__(self) -> bool:
        return not self.hint

    @property
    def grade(self) -> str:
        """It in two or three words."""
        return "right" if self else "not yet" if self.written else "not written yet"

    @property
    def words(self) -> str:
        """What is said behind the grade."""
        return self.hint or self.then

    def to_dict(self) -> dict[str, Any]:
        """It as plain values."""
        about = {"id": self.name, "title": self.title, "right": bool(self), "written": self.written}
        return {**about, "passed": self.passed, "total": self.total, "hint": self.hint}

    def show(self) -> None:
        """Show it: as a line of words, and in a notebook with the picture of the case."""
        self._shown = cell()
        if not in_notebook():
            print(self)
            return
        from IPython.display import display

        look = {"text/plain": str(self), "text/html": self._repr_html_()}
        display(look, raw=True, metadata={MARK: self.to_dict()})  # type: ignore[no-untyped-call]
        if isinstance(self.case, State):
            display(picture(self.case), raw=True)  # type: ignore[no-untyped-call]
        if self.difference and (panel := watched(self.difference)):
            display(panel)  # type: ignore[no-untyped-call]

    def _ipython_display_(self) -> None:
        """Show it, but not twice below one cell: `check` has shown it there."""
        if self._shown is None or self._shown != cell():
            self.show()

    def _repr_html_(self) -> str:
        sign, colour = BORDERS[self.grade]
        words = re.sub("`([^`]+)`", r"<code>\1</code>", escape(self.words, quote=False))
        said = f"<b>{sign} {self.name}: {self.grade}{'!' if self else '.'}</b> {words}"
        return f'<div style="border-left: 4px solid {colour}; padding-left: 8px">{said}</div>'

    def __str__(self) -> str:
        return f"{self.name}: {self.grade}{'! ' if self else ': ' if self.written else '. '}{self.words}"

    def __repr__(self) -> str:
        return f"<Verdict on {self.name}: {self.grade}, {self.passed} of {self.total}>"


def watched(difference: Difference) -> object:
    """The answer as a film, where it does something else than a right one; None where there are no widgets."""
    try:
        from crashlab.lab import Watch
    except ImportError:
        return None
    panel = Watch(difference.film, animate=False)
    panel.show(difference.beat)
    panel.board.say(capital(difference.words))
    return panel


def picture(state: State) -> dict[str, object]:
    """A small picture of a position, for a notebook; without Pillow, its words."""
    from base64 import b64encode

    try:
        return {"image/png": b64encode(state.png(scale=SCALE)).decode("ascii"), "text/plain": state.text}
    except ImportError:
        return {"text/plain": state.text}


def cell() -> object:
    """The number of the cell that runs; None outside of IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return None if shell is None else shell.execution_count
