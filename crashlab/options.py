"""House rules and table sizes as data: each option has a name, a default and a list of values.

Outside, a value is what a person writes (`"about_face"`, `4`, `True`); inside, it is an int in a field of the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Value = int | str | bool


class CrashlabError(ValueError):
    """What was wrong, where, and what would be right; nothing was changed."""


@dataclass(frozen=True)
class Option:
    """One option; `rule` is the id of the rule that it varies."""

    name: str
    default: Value
    values: tuple[Value, ...]
    text: str
    rule: str = ""

    def place(self, value: object) -> int:
        """The place of a value among those that are allowed."""
        for place, allowed in enumerate(self.values):
            if value == allowed and isinstance(value, bool) == isinstance(allowed, bool):
                return place
        raise CrashlabError(
            f"option {self.name}={value!r}: choose one of {', '.join(map(repr, self.values))}"
        )

    def inside(self, value: object) -> int:
        """The int in the table for this value."""
        place = self.place(value)
        allowed = self.values[place]
        return allowed if type(allowed) is int else place


def settle(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option with its value, defaults filled in; unknown names and values are refused."""
    names = [option.name for option in options]
    for name in given:
        if name not in names:
            raise CrashlabError(f"there is no option {name!r}; the options are {', '.join(names)}")
    return {option.name: option.values[option.place(given.get(option.name, option.default))] for option in options}
