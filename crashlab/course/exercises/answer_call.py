"""An answer that is a function, while it is asked: what it is called with, what it prints, where it stops."""

import dis
import inspect
import io
import linecache
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from traceback import walk_tb
from typing import Any

from crashlab.base.clock import Clock, Time, TimeIsUp, in_place
from crashlab.base.errors import CrashlabError, told

LIMIT = 5.0  # seconds for one call; a student waits for the hint
BUDGET = 60.0  # seconds for all calls of a function
MOST_HEARD = 200  # letters of what is printed that a hint repeats
EMPTY = {"RESUME", "NOP", "RETURN_VALUE"}  # all that a body without a line does, but for giving nothing back


class Unwritten(CrashlabError):
    """There is no answer yet; the words say what to replace."""


class TimedFunction:
    """A function that is asked, within its time, and what is known of its last call."""

    def __init__(self, answer: Callable[..., Any], time: Time | None = None) -> None:
        self.answer = answer
        self.given: tuple[Any, ...] | None = None  # what it was called with last
        self.printed = ""
        self.late: TimeIsUp | None = None  # by which it was stopped
        self.quiet = False  # whether what it prints is shown to nobody
        self.clock = Clock(time or Time(LIMIT, BUDGET))

    def __call__(self, *given: Any) -> Any:
        self.given = given
        voice = HeardOutput(None if self.quiet else sys.stdout)
        try:
            with redirect_stdout(voice), self.clock:
                return in_place(partial(self.answer, *given), self.clock)
        except TimeIsUp as error:
            self.late = error
            raise
        finally:
            self.printed = voice.heard

    def stopped(self, error: BaseException) -> str:
        """Why there is no answer from it, in words."""
        line = where(self.answer, self.late or error)
        if self.late:
            limit, budget = self.clock.time
            if budget is not None and self.clock.used >= budget:
                return f"your answer is too slow: all calls together took more than {budget:g} s{line}"
            return f"your answer does not finish: it was stopped after {limit:g} s{line}. Is there an endless loop?"
        return f"your answer stops with {type(error).__name__}: {told(error)}{line}"


class HeardOutput(io.StringIO):
    """What is printed is heard, and shown where it would have been."""

    def __init__(self, place: Any) -> None:
        super().__init__()
        self._place = place
        self.heard = ""  # the beginning of it

    def write(self, words: str) -> int:
        """Print it."""
        self.heard += words[: MOST_HEARD - len(self.heard)]
        if self._place is not None:
            self._place.write(words)
        return len(words)

    def flush(self) -> None:
        """Have it seen."""
        if self._place is not None:
            self._place.flush()


def name_of(answer: object) -> str:
    """What a function is called."""
    return told(getattr(answer, "__name__", type(answer).__name__))


def is_unwritten(error: BaseException) -> bool:
    """Whether an answer, or an agent, says that it is not written yet."""
    return NotImplementedError in (type(error), type(error.__cause__))


def is_empty(answer: object) -> bool:
    """Whether a function has no line that does anything; one that is written in a single line has."""
    code = getattr(answer, "__code__", None)
    if code is None or code.co_name == "<lambda>":
        return False
    return all(
        step.opname in EMPTY or (step.opname in ("LOAD_CONST", "RETURN_CONST") and step.argval in (None, ...))
        for step in dis.get_instructions(code)
    )


def misfit(answer: Callable[..., Any], call: str, number: int) -> str:
    """What is wrong with the parameters of a function that is called with this many arguments; empty if nothing is."""
    try:
        parameters = inspect.signature(answer)
    except (TypeError, ValueError):  # it does not tell
        return ""
    try:
        parameters.bind(*range(number))
    except TypeError as error:
        return (
            f"your answer stops with TypeError: {told(error)}. It is called as {call};"
            f" yours is {name_of(answer)}{parameters}."
        )
    return ""


def where(answer: object, error: BaseException) -> str:
    """The last line of a function that was run before it stopped, in words; empty if it did not come that far."""
    own = getattr(inspect.unwrap(answer) if callable(answer) else answer, "__code__", None)
    if own is None:
        return ""
    found = ""
    for frame, number in walk_tb((error.__cause__ or error).__traceback__):  # the cause is what an agent stopped with
        code = frame.f_code
        if code.co_filename == own.co_filename and f"{code.co_qualname}.".startswith(f"{own.co_qualname}."):
            words = linecache.getline(code.co_filename, number).strip()
            found = f", in line {number - own.co_firstlineno + 1} of {own.co_name}" + (f": `{words}`" if words else "")
    return found
