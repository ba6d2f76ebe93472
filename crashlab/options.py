"""House rules and table sizes as data: each option has a name, a default and the values that it can have.

Outside, a value is what a person writes (`"about_face"`, `4`, `True`, `None`); inside, it is an int in a field of the
table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from numbers import Real
from operator import index
from typing import Any

Value = int | str | bool | None

NO_LIMIT = -1  # None, inside
LONGEST = 200  # letters of what somebody gave that an error repeats
WORDY = 1000  # letters of what an error of somebody's own code says
MOST = 10**9  # of whatever is counted, where nothing else is said


class CrashlabError(ValueError):
    """What was wrong, where, and what would be right; nothing was changed."""

    def __init__(self, words: str = "") -> None:
        super().__init__(printable(words))


def shown(word: object) -> str:
    """What somebody gave, as it was written, but not thousands of letters or digits of it."""
    try:
        return cut(repr(word))
    except Exception as error:  # it is nested too deep, or somebody's own class does not tell
        if "Exceeds the limit" in told(error):
            return "a number of thousands of digits"
        return f"{cut(type(word).__name__)} that cannot be shown ({type(error).__name__}: {told(error)})"


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


def printable(words: str) -> str:
    """Words as a page or a terminal can show them: half a letter is written as its number."""
    return words.encode(errors="backslashreplace").decode()


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
    try:
        return bool(value)
    except Exception:
        raise CrashlabError(f"{name}={shown(value)}: give True or False") from None


def listed(things: object) -> list[Any] | None:
    """All things of a list, or of anything else that can be gone through; None of what cannot."""
    try:
        return list(things)  # type: ignore[call-overload, no-any-return]
    except Exception:
        return None


@dataclass(frozen=True)
class Option:
    """One option; `rule` is the id of the rule that it varies.

    `values` is a tuple, or a range where any whole number between two limits will do. An `optional` one may also be
    None, which means that there is no limit.
    """

    name: str
    default: Value
    values: Sequence[Value]
    text: str
    rule: str = ""
    optional: bool = False

    def settled(self, value: object) -> Value:
        """The allowed value that is equal to this one."""
        if value is None and self.optional:
            return None
        plain = value.item() if getattr(value, "shape", None) == () else value  # type: ignore[attr-defined]  # NumPy's
        for allowed in self.values if isinstance(plain, str | Real) else ():  # others may not want to be compared
            if plain == allowed and isinstance(plain, bool) == isinstance(allowed, bool):
                return allowed
        raise CrashlabError(f"option {self.name}={shown(value)}: choose {self.allowed}")

    def read(self, word: str) -> Value:
        """The value that is written like this, as in `players=8` on a command line."""
        if self.optional and word.lower() == "none":
            return None
        for allowed in self.values:
            if word.lower() == str(allowed).lower():
                return allowed
        raise CrashlabError(f"option {self.name}={cut(word)}: choose {self.allowed}")

    @property
    def allowed(self) -> str:
        """The values that it can have, in words."""
        if isinstance(self.values, range):
            words = f"a whole number from {self.values[0]} to {self.values[-1]}"
        else:
            words = f"one of {', '.join(map(repr, self.values))}"
        return f"{words}, or None" if self.optional else words

    def inside(self, value: object) -> int:
        """The int in the table for this value: a number itself, of anything else its place among the values."""
        settled = self.settled(value)
        if settled is None:
            return NO_LIMIT
        return settled if type(settled) is int else self.values.index(settled)


def number(options: Mapping[str, Value], name: str) -> int:
    """The value of an option that is always a number."""
    value = options[name]
    assert isinstance(value, int)
    return value


def settle(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option with its value, defaults filled in; unknown names and values are refused."""
    names = [option.name for option in options]
    for name in given:
        if name not in names:
            raise CrashlabError(f"there is no option {shown(name)}; the options are {', '.join(names)}")
    return {option.name: option.settled(given.get(option.name, option.default)) for option in options}
