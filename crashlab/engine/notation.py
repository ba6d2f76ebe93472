"""What all notations have in common: things in words, things from words, and what is refused in a position.

    some, together, counted, capital, called, winners_words  words for things
    chosen, read_seat, whole, flag, nothing, pair           one thing from a word of somebody who may be wrong
    pieces, as_list, unique, trimmed                        several things
    sections, check_keys, fields, refuse, about             the parts of a position, and what is wrong with them

A word is whatever a person gives where a word is expected; it can be anything that JSON knows.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from crashlab.base.errors import MOST, CrashlabError, integer, shown

K = TypeVar("K")
T = TypeVar("T")

SEATS = "ABCDEFGH"  # their letters; no game has more


# Words for things


def some(things: Iterable[object]) -> str:
    """The things with commas between, or `none`."""
    return ", ".join(map(str, things)) or "none"


def together(things: Iterable[object]) -> str:
    """The things with commas between, and `and` before the last: N, S and W."""
    *most, last = [*map(str, things)] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def deciding(names: Iterable[object]) -> str:
    """Who decides: A decides, or A and B decide."""
    known = [*names]
    return f"{together(known)} decide{'s' * (len(known) == 1)}"


def counted(number: float, one: str) -> str:
    """1 car, 2 cars; a battery makes batteries, a pass makes passes."""
    more = f"{one[:-1]}ies" if one.endswith("y") else f"{one}{'es' * one.endswith('ss') or 's'}"
    return f"{f'{number:g}' if isinstance(number, float) else number} {one if number == 1 else more}"


def capital(words: str) -> str:
    """The words as a sentence begins."""
    return f"{words[:1].upper()}{words[1:]}"


def called(names: Sequence[str], number: int, what: str) -> str:
    """The name with this number; `seat 9` where there is none."""
    return names[number] if 0 <= number < len(names) else f"{what} {shown(number)}"


def winners_words(bits: int) -> str:
    """A wins, or A and C share the win; the winning seats are bits."""
    names = [letter for seat, letter in enumerate(SEATS) if bits >> seat & 1]
    return f"{together(names)} {'wins' if len(names) == 1 else 'share the win'}"


# Anything

LONG = 40  # letters, of words that name a thing
MANY, DEEP = 4, 3  # parts of a row, and rows in rows


def plain(value: object, deep: int = 0) -> str | int | tuple[object, ...] | None:
    """A name, a number, or a short row of them, as Python's own str, int or tuple; None of anything else.

    Nothing of the value's own class is called but what makes it an int, so that none can be in the way.
    """
    kind = type(value)
    if issubclass(kind, str):
        words = str.__str__(value)
        return words if len(words) <= LONG else None
    if issubclass(kind, tuple | list):
        own: Any = tuple if issubclass(kind, tuple) else list
        is_short = own.__len__(value) <= MANY and deep < DEEP
        return tuple([plain(part, deep + 1) for part in own.__iter__(value)]) if is_short else None
    number = integer(value)
    return number if number is not None and abs(number) < MOST else None


# One thing from a word


def chosen(word: object, names: Sequence[str | Sequence[str]], what: str, more: str = "") -> int:
    """The place of the thing of which a name is this word, or which alone has a name that begins with it.

    Each word of a name may be the beginning. `more` is said behind the names that can be chosen.
    """
    sought = " ".join(word.casefold().split()) if isinstance(word, str) else ""
    known = [[name.casefold() for name in ([own] if isinstance(own, str) else own)] for own in names]
    found = [place for place, own in enumerate(known) if sought in own] or [
        place
        for place, own in enumerate(known)
        if sought and any(part.startswith(sought) for name in own for part in (name, *name.split()))
    ]
    if len(found) != 1:
        how = "could be several" if found else "is none"
        first = [own if isinstance(own, str) else own[0] for own in names]
        raise CrashlabError(f"{what}: {shown(word)} {how} of {some([*first, more] if more else first)}")
    return found[0]


def read_seat(word: object, players: int, key: str) -> int:
    """The seat with this letter, where `players` play."""
    letter = word.strip().upper() if isinstance(word, str) else ""
    if len(letter) != 1 or letter not in SEATS[:players]:
        raise CrashlabError(f"{key}: there is no seat {shown(word)}; the seats are {some(SEATS[:players])}")
    return SEATS.index(letter)


def whole(word: object, where: str) -> int:
    """A whole number from 0, of at most nine digits."""
    if isinstance(word, str) and re.fullmatch("[0-9]{1,9}", word.strip()):
        return int(word)
    if type(word) is not int or not 0 <= word < 10**9:
        raise CrashlabError(f"{where}: {shown(word)} is not a whole number from 0 of at most nine digits")
    return word


def flag(word: object, where: str) -> bool:
    """True or false."""
    if not isinstance(word, bool):
        raise CrashlabError(f"{where}: give true or false, not {shown(word)}")
    return word


def nothing(word: object, mark: str) -> bool:
    """Whether it says that there is nothing: no word at all, or this mark.

    >>> nothing("-", "-"), nothing("", "-"), nothing("red", "-")
    (True, False, False)
    """
    return word is None or (isinstance(word, str) and word == mark)


def pair(word: object, pattern: str) -> tuple[int, int] | None:
    """Two whole numbers, from [2, 0] or from a word with this pattern, spaces around it; None if it is neither."""
    if isinstance(word, (list, tuple)):
        is_pair = len(word) == 2 and all(type(part) is int and abs(part) < 10**9 for part in word)
        return (word[0], word[1]) if is_pair else None
    found = re.fullmatch(pattern, word.strip()) if isinstance(word, str) else None
    return (int(found[1]), int(found[2])) if found else None


# Several things


def pieces(line: str, mark: str) -> list[str]:
    """What stands between the marks, nothing left out but what is empty."""
    return [piece.strip() for piece in line.split(mark) if piece.strip()]


def as_list(entry: object, wanted: str) -> Sequence[Any]:
    """A list as it is; for anything else it is said what is wanted."""
    if not isinstance(entry, (list, tuple)):
        raise CrashlabError(f"{wanted}, not {shown(entry)}")
    return entry


def unique(key: str, pairs: Iterable[tuple[K, T]], name: Callable[[K], object] = str) -> dict[K, T]:
    """The pairs as a dict; a thing that comes twice is refused by its name."""
    data: dict[K, T] = {}
    for thing, value in pairs:
        if thing in data:
            raise CrashlabError(f"{key}: {name(thing)} appears twice")
        data[thing] = value
    return data


def trimmed(things: Iterable[T]) -> list[T]:
    """The things without the last ones that are None."""
    kept = list(things)
    while kept and kept[-1] is None:
        kept.pop()
    return kept


# The parts of a position


def sections(line: str, keys: Sequence[str]) -> dict[str, Any]:
    """The parts `key rest; key rest` of a position's line, by key."""
    data: dict[str, Any] = {}
    for section in pieces(line, ";"):
        key, _, rest = section.partition(" ")
        if key not in keys:
            raise CrashlabError(f"cannot read {shown(section)}: a position has the parts {some(keys)}, with ; between")
        if key in data:
            raise CrashlabError(f"the part {shown(key)} appears twice in the position")
        data[key] = rest.strip()
    return data


def check_keys(data: Mapping[str, Any], keys: Sequence[str]) -> None:
    """Refuse a position in JSON that says anything by another name than these."""
    for key in data:
        if key not in keys:
            raise CrashlabError(f"position: there is no {shown(key)}; the keys are {some(keys)}")


def fields(entry: object, keys: Sequence[str], where: str, example: str) -> Mapping[str, Any]:
    """What is said by these names about one thing; there is a shorter way, as in the example."""
    if not isinstance(entry, Mapping) or not set(entry) <= set(keys):
        raise CrashlabError(f"{where}: give {some(keys)}, or write it like {example!r}, not {shown(entry)}")
    return entry


def refuse(wrong: Sequence[str]) -> None:
    """Refuse a position with all that is wrong with it, if anything is."""
    if wrong:
        raise CrashlabError("this position is impossible: " + "; ".join(wrong))


class about:  # it is called as a function; a generator as a context takes ten times as long
    """Whatever is refused meanwhile is refused with these words before the reason, and what it is about as written."""

    __slots__ = ("what", "written")

    def __init__(self, what: str, *written: object) -> None:
        self.what, self.written = what, written

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, CrashlabError):
            raise CrashlabError(f"{', '.join([self.what, *map(shown, self.written)])}: {error}") from None
