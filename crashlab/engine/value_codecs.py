"""Kinds of things: a number in a table, a word in notation, a plain value in JSON, in actions and in events.

A game declares a Kind for each sort of thing it talks about (a car, a hex, a direction, a seat), and makes of it the
answers to its questions (`action_notation`), the parts of its positions (`position`) and what its events tell.

    say     2 -> "blue"      as notation has it
    read    "blue" -> 2      from whatever a person gives; what is no such thing is refused
    tell    2 -> "blue"      as plain JSON: a word, a number, true or false, null, or a list of these
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.notation import SEATS, called, chosen, flag, nothing, read_seat, whole, winners_words
from crashlab.engine.table import Table

In = TypeVar("In", bound=Table, contravariant=True)


@dataclass(frozen=True)
class Kind(Generic[In]):
    """A kind of thing; `name` is what such a thing is called as a part of an action or of an event.

        >>> wind = Kind("wind", lambda table, n: f"gust {n}", lambda table, word: int(word[-1]), lambda table, n: n)
        >>> wind.say(Table(), 2), wind.read(Table(), "gust 1")
        ('gust 2', 1)
    """

    name: str
    say: Callable[[In, int], str]
    read: Callable[[In, object], int]
    tell: Callable[[In, int], object]
    words: Callable[[In, int], str] | None = None  # in a sentence, where that is not as notation has it


@dataclass(frozen=True)
class Change:
    """Of what kinds the numbers of a field are: its index, which a single number does not need, and its values.

        >>> change = Change(numbered("car"), truth("moved"))
        >>> change.index.say(Table(), 0), change.value.tell(Table(), 1)
        ('1', True)
    """

    index: Kind[Any] | None
    value: Kind[Any]


def named(name: str, names: Sequence[str], other: Sequence[str | Sequence[str]] = (), more: str = "") -> Kind[Any]:
    """Things with names, in the order of their numbers; `other` lists all names by which each is read.

    `more` is said behind the names where a word is none of them.

        >>> colour = named("colour", ["red", "green", "blue"])
        >>> colour.say(Table(), 2), colour.read(Table(), "gr")
        ('blue', 1)
    """
    known = other or names
    said = {word: number for number, word in enumerate(names)}

    def say(table: Table, number: int) -> str:
        return called(names, number, name)

    def read(table: Table, word: object) -> int:
        if type(word) is str and word in said:  # as it is written
            return said[word]
        return chosen(word, known, name, more)

    return Kind(name, say, read, say)


def counted(name: str) -> Kind[Any]:
    """How many of something, or which one from 0.

        >>> chits = counted("chits")
        >>> chits.say(Table(), 3), chits.read(Table(), "12")
        ('3', 12)
    """
    return Kind(name, lambda table, n: str(n), lambda table, word: whole(word, name), lambda table, n: n)


def numbered(name: str, first: int = 1, most: int = 0) -> Kind[Any]:
    """Things that people count from `first`, maybe up to `most`, and the table from 0.

        >>> car = numbered("car")
        >>> car.say(Table(), 0), car.read(Table(), "8")
        ('1', 7)
    """

    def read(table: Table, word: object) -> int:
        number = whole(word, name)
        if number < first or (most and number > most):
            raise CrashlabError(f"{name}: {number} is not from {first}{f' to {most}' * (most > 0)}")
        return number - first

    return Kind(name, lambda table, n: str(n + first), read, lambda table, n: str(n + first))


def truth(name: str) -> Kind[Any]:
    """True or false.

        >>> windy = truth("windy")
        >>> windy.say(Table(), 1), windy.tell(Table(), 0), windy.read(Table(), True)
        ('yes', False, 1)
    """
    words = ("no", "yes")
    return Kind(
        name, lambda table, n: words[bool(n)], lambda table, word: int(flag(word, name)), lambda table, n: bool(n)
    )


def seat_name(number: int) -> str:
    """A, B, ...

        >>> seat_name(0), seat_name(3)
        ('A', 'D')
    """
    return called(SEATS, number, "seat")


def seat(name: str = "seat") -> Kind[Any]:
    """A seat, by its letter.

        >>> table = crashlab.game("autoscooter", players=3).start().table
        >>> seat().say(table, 2), seat().read(table, "b")
        ('C', 1)
    """

    def say(table: Any, number: int) -> str:
        return seat_name(number)

    return Kind(name, say, lambda table, word: read_seat(word, table.players[0], name), say)


def seats(name: str = "winners") -> Kind[Any]:
    """Several seats, which are bits.

        >>> table = crashlab.game("autoscooter", players=3).start().table
        >>> seats().say(table, 0b101), seats().tell(table, 0b101), seats().read(table, "A C")
        ('A C', ['A', 'C'], 5)
    """

    def tell(table: Any, bits: int) -> list[str]:
        return [letter for number, letter in enumerate(SEATS) if bits >> number & 1]

    def read(table: Any, words: object) -> int:
        letters = words if isinstance(words, (list, tuple)) else str(words).split()
        return sum({1 << read_seat(letter, table.players[0], name) for letter in letters})

    return Kind(
        name, lambda table, bits: " ".join(tell(table, bits)), read, tell, lambda table, bits: winners_words(bits)
    )


def fixed(
    name: str,
    say: Callable[[int], str],
    read: Callable[[object], int],
    tell: Callable[[int], object] | None = None,
    words: Callable[[int], str] | None = None,
) -> Kind[Any]:
    """Things whose names are the same at every table; they are told, and stand in sentences, as they are said.

        >>> step = fixed("step", lambda n: f"{n} m", lambda word: int(word[0]), tell=lambda n: n)
        >>> step.say(Table(), 2), step.read(Table(), "3 m"), step.tell(Table(), 2)
        ('2 m', 3, 2)
    """
    telling, in_words = tell or say, words or say
    return Kind(
        name,
        lambda table, n: say(n),
        lambda table, word: read(word),
        lambda table, n: telling(n),
        lambda table, n: in_words(n),
    )


def told(name: str, tell: Callable[[In, int], object]) -> Kind[In]:
    """What events tell and nobody says.

        >>> total = told("total", lambda table, n: n + 1)
        >>> total.say(Table(), 4)
        '5'
    """

    def read(table: In, word: object) -> int:
        raise CrashlabError(f"{name}: it is never said, so {shown(word)} cannot be read")

    return Kind(name, lambda table, number: str(tell(table, number)), read, tell)


def maybe(kind: Kind[In], words: Mapping[int, str], none: int | None = None) -> Kind[In]:
    """A kind of which some numbers are no such thing but a word, as -1 is `off`; `none` is null in JSON.

        >>> cell = maybe(counted("cell"), {-1: "off"}, none=-1)
        >>> cell.say(Table(), -1), cell.say(Table(), 4), cell.read(Table(), "off"), cell.tell(Table(), -1)
        ('off', '4', -1, None)
    """

    def say(table: In, number: int) -> str:
        return words[number] if number in words else kind.say(table, number)

    def read(table: In, word: object) -> int:
        for number, special in words.items():
            if (number == none and word is None) or (isinstance(word, str) and word.strip().casefold() == special):
                return number
        return kind.read(table, word)

    def tell(table: In, number: int) -> object:
        if number in words:
            return None if number == none else words[number]
        return kind.tell(table, number)

    def in_words(table: In, number: int) -> str:
        return words[number] if number in words or not kind.words else kind.words(table, number)

    return Kind(kind.name, say, read, tell, in_words if kind.words else None)


__all__ = [
    "Change",
    "Kind",
    "counted",
    "fixed",
    "maybe",
    "named",
    "nothing",
    "numbered",
    "seat",
    "seat_name",
    "seats",
    "told",
    "truth",
]
