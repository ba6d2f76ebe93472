"""What was wrong with what somebody gave, in words; and checks of what somebody gives, which say it."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from math import nan
from numbers import Real
from operator import index
from typing import Any

LONGEST = 200  # letters of what somebody gave that an error repeats
WORDY = 1000  # letters of what an error of somebody's own code says
MOST = 10**9  # of whatever is counted, where nothing else is said
KEPT = "\n\t\u00a0"  # signs that are not printed, but only make room
LINE_END = re.compile(r"\s*\n\s*")
IN_BROWSER = sys.platform == "emscripten"  # there Python has no threads, and no compiler


class CrashlabError(ValueError):
    """What is wrong, where, and what would be right; nothing has been changed.

    >>> try:
    ...     crashlab.game("chess")
    ... except crashlab.CrashlabError as error:
    ...     print(error)
    there is no game 'chess'; the games are autoscooter, crash_and_grab, crash_by_crash, crash_city
    """

    def __init__(self, words: str = "") -> None:
        super().__init__(printable(words))


def how_to_get(library: str, extra: str) -> str:
    """What to do about a library that is lacking, which an extra of crashlab brings."""
    return f"Python in this browser has no {library}" if IN_BROWSER else f"pip install 'crashlab[{extra}]'"


def shown(word: object) -> str:
    """What somebody gave, as it was written, but not thousands of letters or digits of it."""
    try:
        return printable(cut(repr(word[: LONGEST + 1] if type(word) is str else word)))
    except Exception as error:  # it is nested too deep, or somebody's own class does not tell
        if "Exceeds the limit" in told(error):
            return "a number of thousands of digits"
        return f"{printable(cut(type(word).__name__))} that cannot be shown ({type(error).__name__}: {told(error)})"


def told(thing: object) -> str:
    """What an error of somebody's own code says, or what a thing is in words, whatever becomes of asking it."""
    try:
        return printable(cut(str(thing), WORDY))
    except KeyboardInterrupt:
        raise
    except BaseException:  # also one that leaves the program
        return "it cannot be told"


def cut(words: str, most: int = LONGEST) -> str:
    """Words, or the beginning of very many."""
    return words if len(words) <= most else f"{words[:most]} ..."


def one_line(words: str) -> str:
    """Join the lines of a text with single blanks; blanks within a line are kept, because they may be in a string."""
    return LINE_END.sub(" ", words.strip())


def printable(words: str) -> str:
    """Words as a page or a terminal can show them; what else a terminal would do by a sign is written as its number.

    So are escape sequences, marks that turn the direction of what follows, and half a letter.
    """
    if words.isprintable():
        return words
    return "".join(sign if sign.isprintable() or sign in KEPT else ascii(sign)[1:-1] for sign in words)


def integer(number: object) -> int | None:
    """A whole number of Python's or NumPy's kind as an int; None of anything else."""
    try:
        return None if isinstance(number, bool) else index(number)  # type: ignore[arg-type]
    except Exception:  # its own class may not want to
        return None


def real(number: object) -> float:
    """A number of Python's or NumPy's kind as a float; nan of anything else."""
    try:
        return nan if isinstance(number, bool) or not isinstance(number, Real) else float(number)
    except OverflowError:
        return nan


def whole(name: str, number: object, least: int = 1, more: str = "", most: int = MOST) -> int:
    """A whole number that is neither too small nor too large; anything else is refused."""
    found = integer(number)
    if found is None or found < least:
        raise CrashlabError(f"{name}={shown(number)}: give a whole number from {least}{more}")
    if found > most:
        raise CrashlabError(f"{name}={shown(number)}: give a whole number from {least} to {most}")
    return found


def within(name: str, number: object, least: float, most: float) -> float:
    """A number between these; anything else is refused."""
    found = real(number)
    if not least <= found <= most:
        raise CrashlabError(f"{name}={shown(number)}: give a number from {least} to {most}")
    return found


def truth(name: str, value: object) -> bool:
    """Whether something is wanted; what is neither true nor false is refused."""
    with suppress(Exception):  # what it is may not want to be compared
        if value in (True, False):
            return bool(value)
    raise CrashlabError(f"{name}={shown(value)}: give True or False")


def listed(things: object) -> list[Any] | None:
    """All things of a list, or of anything else that can be gone through; None of what cannot."""
    try:
        return list(things)  # type: ignore[call-overload, no-any-return]
    except Exception:
        return None
