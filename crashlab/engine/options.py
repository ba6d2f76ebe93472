"""House rules and table sizes as data: each option has a name, a default and the values that it can have.

Outside, a value is what a person writes (`"about_face"`, `4`, `True`, `None`); inside, it is an int in a field of the
table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TypeVar

from crashlab.base.errors import CrashlabError, cut, require, shown
from crashlab.engine.table import Table

T = TypeVar("T", bound=Table)
Value = int | str | bool | None

NO_LIMIT = -1  # None, inside


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
        if type(plain) is int and isinstance(self.values, range) and plain in self.values:  # found without a search
            return plain
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


def filled(table: T, options: Sequence[Option], values: Mapping[str, Value]) -> T:
    """The table with the value of every option in the field of its name."""
    for option in options:
        vars(table)[option.name][0] = option.inside(values[option.name])
    return table


def settle(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option with its value, defaults filled in; unknown names and values are refused."""
    names = [option.name for option in options]
    for name in given:
        require(name in names, f"there is no option {shown(name)}; the options are {', '.join(names)}")
    return {option.name: option.settled(given.get(option.name, option.default)) for option in options}
