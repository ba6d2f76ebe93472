"""The options of games, house rules included: each has a name, a default and allowed values.

Users write a value as `"about_face"`, `4`, `True` or `None`; in the table it is an int in a field.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TypeVar

from crashlab.base.errors import CrashlabError, require, short_repr, truncate
from crashlab.engine.table import Table

T = TypeVar("T", bound=Table)
Value = int | str | bool | None

NO_LIMIT = -1  # the int for None


@dataclass(frozen=True)
class Option:
    """An option; `rule` is the id of the rule that it varies.

    `values` is a tuple, or a range for whole numbers between two limits. An `optional` option can also be None, for no
    limit.
    """

    name: str
    default: Value
    values: Sequence[Value]
    text: str
    rule: str = ""
    optional: bool = False

    def settled(self, value: object) -> Value:
        """Return the allowed value equal to a value; raise CrashlabError if there is none."""
        if value is None and self.optional:
            return None
        plain = value.item() if getattr(value, "shape", None) == () else value  # type: ignore[attr-defined]  # NumPy's
        if type(plain) is int and isinstance(self.values, range) and plain in self.values:  # avoids a search
            return plain
        for allowed in self.values if isinstance(plain, str | Real) else ():  # other classes may not allow comparisons
            if plain == allowed and isinstance(plain, bool) == isinstance(allowed, bool):
                return allowed
        raise CrashlabError(f"option {self.name}={short_repr(value)}: choose {self.allowed}")

    def read(self, word: str) -> Value:
        """Parse a value of the command line, as in `players=8`."""
        if self.optional and word.lower() == "none":
            return None
        for allowed in self.values:
            if word.lower() == str(allowed).lower():
                return allowed
        raise CrashlabError(f"option {self.name}={truncate(word)}: choose {self.allowed}")

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        if isinstance(self.values, range):
            words = f"a whole number from {self.values[0]} to {self.values[-1]}"
        else:
            words = f"one of {', '.join(map(repr, self.values))}"
        return f"{words}, or None" if self.optional else words

    def inside(self, value: object) -> int:
        """Return the int in the table for a value: a number itself, anything else as its index among the values."""
        settled = self.settled(value)
        if settled is None:
            return NO_LIMIT
        return settled if type(settled) is int else self.values.index(settled)


def number(options: Mapping[str, Value], name: str) -> int:
    """Return the value of a numeric option."""
    value = options[name]
    assert isinstance(value, int)
    return value


def filled(table: T, options: Sequence[Option], values: Mapping[str, Value]) -> T:
    """Set the field of every option in a table, and return the table."""
    for option in options:
        vars(table)[option.name][0] = option.inside(values[option.name])
    return table


def settle(options: Sequence[Option], values: Mapping[str, object]) -> dict[str, Value]:
    """Return all options with values and defaults; raise CrashlabError for unknown names or values."""
    names = [option.name for option in options]
    for name in values:
        require(name in names, f"there is no option {short_repr(name)}; the options are {', '.join(names)}")
    return {option.name: option.settled(values.get(option.name, option.default)) for option in options}
