"""Codecs: conversions between numbers in tables, words in notation, and JSON values.

A game declares a Codec for each type of value (a car, a hex, a direction, a seat), and uses it for answers
(`action_notation`), parts of positions (`position`) and events.

    format      2 -> "blue"      in notation
    parse       "blue" -> 2      from user input; raises CrashlabError for anything else
    to_json     2 -> "blue"      a JSON value: a word, a number, true or false, null, or a list of these
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from crashlab.base.errors import CrashlabError, short_repr
from crashlab.engine.notation import SEATS, called, chosen, flag, nothing, read_seat, whole, winners_words
from crashlab.engine.table import Table

In = TypeVar("In", bound=Table, contravariant=True)


@dataclass(frozen=True)
class Codec(Generic[In]):
    """A type of values; `name` is what a value is called as a part of an action or an event.

    >>> wind = Codec("wind", lambda table, n: f"gust {n}", lambda table, word: int(word[-1]), lambda table, n: n)
    >>> wind.format(Table(), 2), wind.parse(Table(), "gust 1")
    ('gust 2', 1)
    """

    name: str
    format: Callable[[In, int], str]
    parse: Callable[[In, object], int]
    to_json: Callable[[In, int], object]
    words: Callable[[In, int], str] | None = None  # the form in sentences, if it differs from notation


@dataclass(frozen=True)
class Change:
    """The types of a field's index (None for a single value) and of its values.

    >>> change = Change(numbered("car"), truth("moved"))
    >>> change.index.format(Table(), 0), change.value.to_json(Table(), 1)
    ('1', True)
    """

    index: Codec[Any] | None
    value: Codec[Any]


def named(name: str, names: Sequence[str], other: Sequence[str | Sequence[str]] = (), more: str = "") -> Codec[Any]:
    """Return the codec of named values, in the order of their numbers; `other` lists the names accepted for each value.

    `more` is added to the list of names in the error.

        >>> colour = named("colour", ["red", "green", "blue"])
        >>> colour.format(Table(), 2), colour.parse(Table(), "gr")
        ('blue', 1)
    """
    spellings = other or names
    numbers = {word: number for number, word in enumerate(names)}

    def write(table: Table, number: int) -> str:
        return called(names, number, name)

    def parse(table: Table, word: object) -> int:
        if type(word) is str and word in numbers:  # the written form, without a search
            return numbers[word]
        return chosen(word, spellings, name, more)

    return Codec(name, write, parse, write)


def counted(name: str) -> Codec[Any]:
    """Return the codec of a count, or of an index from 0.

    >>> chits = counted("chits")
    >>> chits.format(Table(), 3), chits.parse(Table(), "12")
    ('3', 12)
    """
    return Codec(name, lambda table, n: str(n), lambda table, word: whole(word, name), lambda table, n: n)


def numbered(name: str, first: int = 1, most: int = 0) -> Codec[Any]:
    """Return the codec of values counted from `first` (perhaps up to `most`) in notation, and from 0 in the table.

    >>> car = numbered("car")
    >>> car.format(Table(), 0), car.parse(Table(), "8")
    ('1', 7)
    """

    def parse(table: Table, word: object) -> int:
        number = whole(word, name)
        if number < first or (most and number > most):
            raise CrashlabError(f"{name}: give a number from {first}{f' to {most}' * (most > 0)}, not {number}")
        return number - first

    return Codec(name, lambda table, n: str(n + first), parse, lambda table, n: str(n + first))


def truth(name: str) -> Codec[Any]:
    """Return the codec of truth values.

    >>> windy = truth("windy")
    >>> windy.format(Table(), 1), windy.to_json(Table(), 0), windy.parse(Table(), True)
    ('yes', False, 1)
    """
    words = ("no", "yes")
    return Codec(
        name, lambda table, n: words[bool(n)], lambda table, word: int(flag(word, name)), lambda table, n: bool(n)
    )


def seat_name(number: int) -> str:
    """Return the letter of a seat.

    >>> seat_name(0), seat_name(3)
    ('A', 'D')
    """
    return called(SEATS, number, "seat")


def seat(name: str = "seat") -> Codec[Any]:
    """Return the codec of seats, written as letters.

    >>> table = crashlab.game("autoscooter", players=3).start().table
    >>> seat().format(table, 2), seat().parse(table, "b")
    ('C', 1)
    """

    def write(table: Any, number: int) -> str:
        return seat_name(number)

    return Codec(name, write, lambda table, word: read_seat(word, table.players[0], name), write)


def seats(name: str = "winners") -> Codec[Any]:
    """Return the codec of sets of seats, stored as bits.

    >>> table = crashlab.game("autoscooter", players=3).start().table
    >>> seats().format(table, 0b101), seats().to_json(table, 0b101), seats().parse(table, "A C")
    ('A C', ['A', 'C'], 5)
    """

    def to_json(table: Any, bits: int) -> list[str]:
        return [letter for number, letter in enumerate(SEATS) if bits >> number & 1]

    def parse(table: Any, words: object) -> int:
        letters = words if isinstance(words, (list, tuple)) else str(words).split()
        return sum({1 << read_seat(letter, table.players[0], name) for letter in letters})

    def write(table: Any, bits: int) -> str:
        return " ".join(to_json(table, bits))

    return Codec(name, write, parse, to_json, lambda table, bits: winners_words(bits))


def fixed(
    name: str,
    format: Callable[[int], str],
    parse: Callable[[object], int],
    to_json: Callable[[int], object] | None = None,
    words: Callable[[int], str] | None = None,
) -> Codec[Any]:
    """Return a codec that does not depend on the table; JSON and sentences default to the notation.

    >>> step = fixed("step", lambda n: f"{n} m", lambda word: int(word[0]), to_json=lambda n: n)
    >>> step.format(Table(), 2), step.parse(Table(), "3 m"), step.to_json(Table(), 2)
    ('2 m', 3, 2)
    """
    telling, in_words = to_json or format, words or format
    return Codec(
        name,
        lambda table, n: format(n),
        lambda table, word: parse(word),
        lambda table, n: telling(n),
        lambda table, n: in_words(n),
    )


def output_only(name: str, to_json: Callable[[In, int], object]) -> Codec[In]:
    """Return the codec of values that appear in events but are never typed.

    >>> total = output_only("total", lambda table, n: n + 1)
    >>> total.format(Table(), 4)
    '5'
    """

    def parse(table: In, word: object) -> int:
        raise CrashlabError(f"{name}: {short_repr(word)} cannot be read, because this value is only for output")

    return Codec(name, lambda table, number: str(to_json(table, number)), parse, to_json)


def maybe(codec: Codec[In], words: Mapping[int, str], none: int | None = None) -> Codec[In]:
    """Extend a codec by words for special numbers, such as `off` for -1; `none` is null in JSON.

    >>> cell = maybe(counted("cell"), {-1: "off"}, none=-1)
    >>> cell.format(Table(), -1), cell.format(Table(), 4), cell.parse(Table(), "off"), cell.to_json(Table(), -1)
    ('off', '4', -1, None)
    """

    def write(table: In, number: int) -> str:
        return words[number] if number in words else codec.format(table, number)

    def parse(table: In, word: object) -> int:
        for number, special in words.items():
            if (number == none and word is None) or (isinstance(word, str) and word.strip().casefold() == special):
                return number
        return codec.parse(table, word)

    def to_json(table: In, number: int) -> object:
        if number in words:
            return None if number == none else words[number]
        return codec.to_json(table, number)

    def in_words(table: In, number: int) -> str:
        return words[number] if number in words or not codec.words else codec.words(table, number)

    return Codec(codec.name, write, parse, to_json, in_words if codec.words else None)


__all__ = [
    "Change",
    "Codec",
    "counted",
    "fixed",
    "maybe",
    "named",
    "nothing",
    "numbered",
    "output_only",
    "seat",
    "seat_name",
    "seats",
    "truth",
]
