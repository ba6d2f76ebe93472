"""Calls of a student's function: its arguments, its printed output, its time limit and the line where it stops."""

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
from crashlab.base.errors import CrashlabError, short_str

LIMIT = 5.0  # seconds for one call; a student waits for the hint
BUDGET = 60.0  # seconds for all calls of a function
MOST_HEARD = 200  # longest printed output in a hint, in characters
EMPTY = {"RESUME", "NOP", "RETURN_VALUE"}  # instructions of an empty body, besides those that return None


class Unwritten(CrashlabError):
    """The error of an answer that is not written yet; its message names the text to replace."""


class TimedFunction:
    """A function that is called with a time limit, and a record of its last call."""

    def __init__(self, answer: Callable[..., Any], time: Time | None = None) -> None:
        self.answer = answer
        self.arguments: tuple[Any, ...] | None = None  # arguments of the last call
        self.printed = ""
        self.late: TimeIsUp | None = None  # the error that stopped the last call
        self.quiet = False  # whether its printed output is hidden
        self.clock = Clock(time or Time(LIMIT, BUDGET))

    def __call__(self, *arguments: Any) -> Any:
        self.arguments = arguments
        voice = HeardOutput(None if self.quiet else sys.stdout)
        try:
            with redirect_stdout(voice), self.clock:
                return in_place(partial(self.answer, *arguments), self.clock)
        except TimeIsUp as error:
            self.late = error
            raise
        finally:
            self.printed = voice.heard

    def stopped(self, error: BaseException) -> str:
        """Describe the error that stopped the function, and the line where it happened."""
        line = where(self.answer, self.late or error)
        if self.late:
            limit, budget = self.clock.time
            if budget is not None and self.clock.used >= budget:
                return f"your answer is too slow: all calls together took more than {budget:g} s{line}"
            return f"your answer does not finish: it was stopped after {limit:g} s{line}. Is there an endless loop?"
        return f"your answer stops with {type(error).__name__}: {short_str(error)}{line}"


class HeardOutput(io.StringIO):
    """A stream that records the start of the printed output, and passes the whole output on."""

    def __init__(self, place: Any) -> None:
        super().__init__()
        self._place = place
        self.heard = ""  # the first MOST_HEARD characters

    def write(self, words: str) -> int:
        """Record the text and pass it on."""
        self.heard += words[: MOST_HEARD - len(self.heard)]
        if self._place is not None:
            self._place.write(words)
        return len(words)

    def flush(self) -> None:
        """Flush the stream that gets the output."""
        if self._place is not None:
            self._place.flush()


def name_of(answer: object) -> str:
    """Return the name of a function, or of the class of an object without a name."""
    return short_str(getattr(answer, "__name__", type(answer).__name__))


def is_unwritten(error: BaseException) -> bool:
    """Return whether this error, or its cause, is a NotImplementedError: the answer or agent is not written yet."""
    return NotImplementedError in (type(error), type(error.__cause__))


def is_empty(answer: object) -> bool:
    """Return whether the body of a function does nothing but return None or `...`; False for a lambda."""
    code = getattr(answer, "__code__", None)
    if code is None or code.co_name == "<lambda>":
        return False
    return all(
        step.opname in EMPTY or (step.opname in ("LOAD_CONST", "RETURN_CONST") and step.argval in (None, ...))
        for step in dis.get_instructions(code)
    )


def misfit(answer: Callable[..., Any], call: str, number: int) -> str:
    """Explain why a function cannot be called with this many arguments; empty if it can."""
    try:
        parameters = inspect.signature(answer)
    except (TypeError, ValueError):  # it has no signature
        return ""
    try:
        parameters.bind(*range(number))
    except TypeError as error:
        return (
            f"your answer stops with TypeError: {short_str(error)}. It is called as {call};"
            f" yours is {name_of(answer)}{parameters}."
        )
    return ""


def where(answer: object, error: BaseException) -> str:
    """Describe the last line of a function that ran before an error; empty if none of its lines did."""
    top = getattr(inspect.unwrap(answer) if callable(answer) else answer, "__code__", None)
    if top is None:
        return ""
    place = ""
    for frame, number in walk_tb((error.__cause__ or error).__traceback__):  # the cause is the error of an agent
        code = frame.f_code
        if code.co_filename == top.co_filename and f"{code.co_qualname}.".startswith(f"{top.co_qualname}."):
            words = linecache.getline(code.co_filename, number).strip()
            place = f", in line {number - top.co_firstlineno + 1} of {top.co_name}" + (f": `{words}`" if words else "")
    return place
