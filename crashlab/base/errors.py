"""The error of crashlab, checks of arguments, and safe texts of values for messages."""

import re
import sys
from contextlib import suppress
from math import nan
from numbers import Real
from operator import index
from typing import Any, TypeVar

T = TypeVar("T")
LONGEST = 200  # longest repr in an error message
WORDY = 1000  # longest message of an exception from user code
MOST = 10**9  # default upper bound of a count
KEPT = "\n\t\u00a0"  # whitespace that may stay although it is not printable
LINE_END = re.compile(r"\s*\n\s*")
IN_BROWSER = sys.platform == "emscripten"  # Pyodide has no threads and no compiler


class CrashlabError(ValueError):
    """The error for invalid input. Its message says what is wrong, where, and what would be right.

    When it is raised, nothing has been changed.

    >>> try:
    ...     crashlab.game("chess")
    ... except crashlab.CrashlabError as error:
    ...     print(error)
    there is no game 'chess'; the games are autoscooter, crash_and_grab, crash_by_crash, crash_city
    """

    def __init__(self, words: str = "") -> None:
        super().__init__(printable(words))


def require(value: T | None, words: str) -> T:
    """Return a value; raise a CrashlabError with these words if it is false."""
    if not value:
        raise CrashlabError(words)
    return value


def expect(value: object, kind: Any, words: str) -> None:
    """Raise a CrashlabError unless value is of this kind."""
    if not isinstance(value, kind):
        raise CrashlabError(f"{words}, not {short_repr(value)}")


def require_in(valid: range, number: object, words: str) -> int:
    """Return number as an int; raise a CrashlabError with these words if it is no whole number in a range."""
    value = integer(number)
    if value is None or value not in valid:
        raise CrashlabError(words)
    return value


def install_hint(library: str, extra: str) -> str:
    """Return how to install a missing library with an extra of crashlab, or that a browser does not have it."""
    return f"Python in this browser has no {library}" if IN_BROWSER else f"pip install 'crashlab[{extra}]'"


def short_repr(word: object) -> str:
    """Return the repr of a value from the user, shortened, for an error message."""
    try:
        return printable(truncate(repr(word[: LONGEST + 1] if type(word) is str else word)))
    except Exception as error:  # nested too deep, or its class has a broken repr
        if "Exceeds the limit" in short_str(error):
            return "a number with thousands of digits"
        kind = printable(truncate(type(word).__name__))
        return f"{kind} that cannot be shown ({type(error).__name__}: {short_str(error)})"


def short_str(thing: object) -> str:
    """Return the str of an exception or object of user code, shortened; raise nothing but KeyboardInterrupt."""
    try:
        return printable(truncate(str(thing), WORDY))
    except KeyboardInterrupt:
        raise
    except BaseException:  # SystemExit included
        return "its text cannot be shown"


def truncate(words: str, most: int = LONGEST) -> str:
    """Cut words off after `most` characters and append " ..."; return shorter words unchanged."""
    return words if len(words) <= most else f"{words[:most]} ..."


def one_line(words: str) -> str:
    """Join the lines of a text with single blanks; keep blanks within a line, which may be in a string literal."""
    return LINE_END.sub(" ", words.strip())


def printable(words: str) -> str:
    """Return words with every unprintable character escaped, for a page or a terminal.

    Escape sequences, marks that change the direction of writing, and lone surrogates are unprintable.
    """
    if words.isprintable():
        return words
    return "".join(sign if sign.isprintable() or sign in KEPT else ascii(sign)[1:-1] for sign in words)


def integer(number: object) -> int | None:
    """Return an integer of Python or NumPy as an int, None for anything else."""
    try:
        return None if isinstance(number, bool) else index(number)  # type: ignore[arg-type]
    except Exception:  # its class may raise anything
        return None


def as_float(number: object) -> float:
    """Return a number of Python or NumPy as a float, nan for anything else."""
    try:
        return nan if isinstance(number, bool) or not isinstance(number, Real) else float(number)
    except OverflowError:
        return nan


def whole(name: str, number: object, least: int = 1, more: str = "", most: int = MOST) -> int:
    """Return number as an int; raise CrashlabError if it is not a whole number from least to most."""
    value = integer(number)
    if value is None or value < least:
        raise CrashlabError(f"{name}={short_repr(number)}: give a whole number from {least}{more}")
    if value > most:
        raise CrashlabError(f"{name}={short_repr(number)}: give a whole number from {least} to {most}")
    return value


def number_between(name: str, number: object, least: float, most: float) -> float:
    """Return number as a float; raise CrashlabError if it is not from least to most."""
    value = as_float(number)
    if not least <= value <= most:
        raise CrashlabError(f"{name}={short_repr(number)}: give a number from {least} to {most}")
    return value


def truth(name: str, value: object) -> bool:
    """Return value as a bool; raise CrashlabError if it is neither True nor False."""
    with suppress(Exception):  # its class may not allow comparisons
        if value in (True, False):
            return bool(value)
    raise CrashlabError(f"{name}={short_repr(value)}: give True or False")


def listed(things: object) -> list[Any] | None:
    """Return the elements of an iterable as a list, None for anything else."""
    try:
        return list(things)  # type: ignore[call-overload, no-any-return]
    except Exception:
        return None
