"""Helpers of all notations: writing and reading values, and refusing wrong ones.

    some, together, counted, capital, called, winners_words  writing
    chosen, read_seat, whole, flag, nothing, pair           reading a value from user input
    pieces, as_list, unique, trimmed                        lists of values
    sections, check_keys, fields, refuse, about             parts of a position, and their errors

A parameter `word` is user input where a word is expected; it can be any JSON value.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from crashlab.base.errors import MOST, CrashlabError, integer, require, short_repr

K = TypeVar("K")
T = TypeVar("T")

SEATS = "ABCDEFGH"  # letters of the seats; no game has more


# Writing


def some(things: Iterable[object]) -> str:
    """Join things with commas; `none` if there are none."""
    return ", ".join(map(str, things)) or "none"


def together(things: Iterable[object]) -> str:
    """Join things with commas and a final `and`: N, S and W."""
    *most, last = [*map(str, things)] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def deciding(names: Iterable[object]) -> str:
    """Return a sentence about the actors: A decides, or A and B decide."""
    seats = [*names]
    return f"{together(seats)} decide{'s' * (len(seats) == 1)}"


def counted(number: float, one: str) -> str:
    """Return a number with its noun: 1 car, 2 cars, 2 batteries, 2 passes."""
    more = f"{one[:-1]}ies" if one.endswith("y") else f"{one}{'es' * one.endswith('ss') or 's'}"
    return f"{f'{number:g}' if isinstance(number, float) else number} {one if number == 1 else more}"


def capital(words: str) -> str:
    """Capitalise the first letter of words."""
    return f"{words[:1].upper()}{words[1:]}"


def called(names: Sequence[str], number: int, what: str) -> str:
    """Return names[number], or a phrase such as `seat 9` if there is no such name."""
    return names[number] if 0 <= number < len(names) else f"{what} {short_repr(number)}"


def winners_words(bits: int) -> str:
    """Return a sentence about the winners (bits): A wins, or A and C share the win."""
    names = [letter for seat, letter in enumerate(SEATS) if bits >> seat & 1]
    return f"{together(names)} {'wins' if len(names) == 1 else 'share the win'}"


# Any object

LONG = 40  # longest name of a thing, in letters
MANY, DEEP = 4, 3  # most elements of a list, and deepest nesting


def plain(value: Any, deep: int = 0) -> str | int | tuple[object, ...] | None:
    """Convert a name, a number, or a short list of them to built-in str, int or tuple; None for anything else.

    The only method of a user's class that is called is its conversion to int.
    """
    kind = type(value)
    if issubclass(kind, str):
        words = str.__str__(value)
        return words if len(words) <= LONG else None
    if issubclass(kind, tuple | list):
        base: Any = tuple if issubclass(kind, tuple) else list
        is_short = base.__len__(value) <= MANY and deep < DEEP
        return tuple([plain(part, deep + 1) for part in base.__iter__(value)]) if is_short else None
    number = integer(value)
    return number if number is not None and abs(number) < MOST else None


# Reading a value


def chosen(word: object, names: Sequence[str | Sequence[str]], what: str, more: str = "") -> int:
    """Return the index of the name that equals a word, or of the only name that begins with the word.

    The word may also be the beginning of a later word in the name. `names` can contain lists of synonyms. `more` is
    added to the list of names in the error.
    """
    sought = " ".join(word.casefold().split()) if isinstance(word, str) else ""
    spellings = [
        [name.casefold() for name in ([spelling] if isinstance(spelling, str) else spelling)] for spelling in names
    ]
    matches = [place for place, spelling in enumerate(spellings) if sought in spelling] or [
        place
        for place, spelling in enumerate(spellings)
        if sought and any(part.startswith(sought) for name in spelling for part in (name, *name.split()))
    ]
    if len(matches) != 1:
        how = "could mean several" if matches else "is not one"
        first = [spelling if isinstance(spelling, str) else spelling[0] for spelling in names]
        raise CrashlabError(f"{what}: {short_repr(word)} {how} of {some([*first, more] if more else first)}")
    return matches[0]


def read_seat(word: object, players: int, key: str) -> int:
    """Return the seat with a letter among `players` seats."""
    letter = word.strip().upper() if isinstance(word, str) else ""
    if len(letter) != 1 or letter not in SEATS[:players]:
        raise CrashlabError(f"{key}: there is no seat {short_repr(word)}; the seats are {some(SEATS[:players])}")
    return SEATS.index(letter)


def whole(word: object, where: str) -> int:
    """Return a whole number from 0 of at most nine digits; raise CrashlabError for anything else."""
    if isinstance(word, str) and re.fullmatch("[0-9]{1,9}", word.strip()):
        return int(word)
    if type(word) is not int or not 0 <= word < 10**9:
        raise CrashlabError(f"{where}: {short_repr(word)} is not a whole number from 0 to 999,999,999")
    return word


def flag(word: object, where: str) -> bool:
    """Return a bool; raise CrashlabError for anything else."""
    if not isinstance(word, bool):
        raise CrashlabError(f"{where}: give true or false, not {short_repr(word)}")
    return word


def nothing(word: object, mark: str) -> bool:
    """Return whether a word stands for nothing: None, or this mark.

    >>> nothing("-", "-"), nothing("", "-"), nothing("red", "-")
    (True, False, False)
    """
    return word is None or (isinstance(word, str) and word == mark)


def pair(word: object, pattern: str) -> tuple[int, int] | None:
    """Return two whole numbers from [2, 0] or from a word that matches a pattern; None for anything else."""
    if isinstance(word, (list, tuple)):
        is_pair = len(word) == 2 and all(type(part) is int and abs(part) < 10**9 for part in word)
        return (word[0], word[1]) if is_pair else None
    match = re.fullmatch(pattern, word.strip()) if isinstance(word, str) else None
    return (int(match[1]), int(match[2])) if match else None


# Lists of values


def pieces(line: str, mark: str) -> list[str]:
    """Split a line at a mark, without empty pieces."""
    return [piece.strip() for piece in line.split(mark) if piece.strip()]


def as_list(entry: object, message: str) -> Sequence[Any]:
    """Return a list unchanged; raise CrashlabError with the message for anything else."""
    if not isinstance(entry, (list, tuple)):
        raise CrashlabError(f"{message}, not {short_repr(entry)}")
    return entry


def unique(key: str, pairs: Iterable[tuple[K, T]], name: Callable[[K], object] = str) -> dict[K, T]:
    """Return pairs as a dict; raise CrashlabError if a key appears twice."""
    data: dict[K, T] = {}
    for thing, value in pairs:
        if thing in data:
            raise CrashlabError(f"{key}: {name(thing)} appears twice")
        data[thing] = value
    return data


def trimmed(things: Iterable[T]) -> list[T]:
    """Return things without trailing Nones."""
    result = list(things)
    while result and result[-1] is None:
        result.pop()
    return result


# The parts of a position


def sections(line: str, keys: Sequence[str]) -> dict[str, Any]:
    """Split a position `key rest; key rest` into its parts, by key."""
    data: dict[str, Any] = {}
    for section in pieces(line, ";"):
        key, _, rest = section.partition(" ")
        require(
            key in keys, f"cannot read {short_repr(section)}: a position has the parts {some(keys)}, separated by ;"
        )
        require(key not in data, f"the part {short_repr(key)} appears twice in the position")
        data[key] = rest.strip()
    return data


def check_keys(data: Mapping[str, Any], keys: Sequence[str]) -> None:
    """Raise CrashlabError if a position in JSON has keys other than these."""
    for key in data:
        require(key in keys, f"position: there is no key {short_repr(key)}; the keys are {some(keys)}")


def fields(entry: object, keys: Sequence[str], where: str, example: str) -> Mapping[str, Any]:
    """Check that an entry of a position is a mapping with only these keys, and return it."""
    if not isinstance(entry, Mapping) or not set(entry) <= set(keys):
        raise CrashlabError(f"{where}: give {some(keys)}, or write it like {example!r}, not {short_repr(entry)}")
    return entry


def refuse(wrong: Sequence[str]) -> None:
    """Raise CrashlabError with all problems of a position, if there are any."""
    require(not wrong, "this position is impossible: " + "; ".join(wrong))


class about:  # lower case like a context manager function, which would be ten times slower with contextlib
    """A context manager that prefixes a CrashlabError with a description and the input concerned."""

    __slots__ = ("what", "written")

    def __init__(self, what: str, *written: object) -> None:
        self.what, self.written = what, written

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, CrashlabError):
            raise CrashlabError(f"{', '.join([self.what, *map(short_repr, self.written)])}: {error}") from None
