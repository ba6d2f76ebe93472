"""The verdict on an answer: whether it is right, and a hint if it is not or an idea to try next if it is."""

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

MARK = "crashlab"  # key of a verdict in the metadata of an output; see `crashlab.course.grading`
SCALE = 0.4  # scale of the picture of a case: it is small, as notebooks store it
BORDERS = {"right": ("✓", GOOD), "not yet": ("✗", BAD), "not written yet": ("…", UNKNOWN)}


@dataclass(eq=False)
class Verdict:
    """The verdict on an answer. It is true if the answer is right.

    passed, total   the number of right cases, and the number of cases
    hint            the reason why the answer is wrong; empty if it is right
    then            an idea to try next; empty if the answer is wrong
    case            the first wrong case: a State, or the arguments of the call; None if there is none
    written         whether the answer is written at all
    difference      the first step at which the answer differs from a right one; None if it is unknown
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
    _shown: object = field(default=None, init=False)  # the number of the cell that has shown the verdict already

    def __post_init__(self) -> None:
        self.hint = printable(self.hint)

    def __bool__(self) -> bool:
        return not self.hint

    @property
    def grade(self) -> str:
        """The verdict in one to three words."""
        return "right" if self else "not yet" if self.written else "not written yet"

    @property
    def words(self) -> str:
        """The text after the grade: the hint, or the idea to try next."""
        return self.hint or self.then

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain values."""
        about = {"id": self.name, "title": self.title, "right": bool(self), "written": self.written}
        return {**about, "passed": self.passed, "total": self.total, "hint": self.hint}

    def show(self) -> None:
        """Show the verdict as a line of text; in a notebook, add a picture of the case and a film of the difference."""
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
        """Show the verdict, unless `check` has shown it below the same cell."""
        if self._shown is None or self._shown != cell():
            self.show()

    def _repr_html_(self) -> str:
        sign, colour = BORDERS[self.grade]
        words = re.sub("`([^`]+)`", r"<code>\1</code>", escape(self.words, quote=False))
        text = f"<b>{sign} {self.name}: {self.grade}{'!' if self else '.'}</b> {words}"
        return f'<div style="border-left: 4px solid {colour}; padding-left: 8px">{text}</div>'

    def __str__(self) -> str:
        return f"{self.name}: {self.grade}{'! ' if self else ': ' if self.written else '. '}{self.words}"

    def __repr__(self) -> str:
        return f"<Verdict on {self.name}: {self.grade}, {self.passed} of {self.total}>"


def watched(difference: Difference) -> object:
    """Return a panel with the film of the answer, at the step that differs; None if widgets are not installed."""
    try:
        from crashlab.lab import Watch
    except ImportError:
        return None
    panel = Watch(difference.film, animate=False)
    panel.show(difference.beat)
    panel.board.say(capital(difference.words))
    return panel


def picture(state: State) -> dict[str, object]:
    """Return a small picture of a position for a notebook; without Pillow, only its text."""
    from base64 import b64encode

    try:
        return {"image/png": b64encode(state.png(scale=SCALE)).decode("ascii"), "text/plain": state.text}
    except ImportError:
        return {"text/plain": state.text}


def cell() -> object:
    """Return the number of the running cell; None outside IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return None if shell is None else shell.execution_count
