"""The parts of a position: each is declared once, and written, read, told as JSON and documented from that.

A game lists its parts in the order in which they are written:

    PARTS = (
        single("round", "which round it is, from 1", "round", counted("round"), 1, always=True),
        single("phase", "what is to be decided", "phase", PHASE, PLAN),
        Part("saucers", "the saucers, by their colours", saucers_value, put_saucers, ...),
        ...
    )

What a person gives is put on an empty table first, part by part; then what was left out is set to its default, which
may depend on all that was given; and then a part can settle what follows for it from the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.notation import as_list, check_keys, sections
from crashlab.engine.table import Table
from crashlab.engine.value_kinds import Kind

T = TypeVar("T", bound=Table)
NEEDED: Any = object()  # instead of a default: at this table the part cannot be left out


@dataclass(frozen=True)
class Part(Generic[T]):
    """One part of a position.

    `value` is plain JSON. A part is left out where it has the value that `default` gives, unless it is told `always`,
    or at this table. A default that depends on those of other parts comes `late`.
    Where a position without the part is none, `default` raises a CrashlabError that says so.
    """

    key: str
    about: str  # what it is, for whoever wants to write a position
    value: Callable[[T], Any]
    put: Callable[[T, Any], None]  # set it from JSON, or refuse it with the reason
    default: Callable[[T], Any] | None  # the value of a position in which nothing is said of it
    line: Callable[[Any], str]  # the value as it stands in the line, behind the key
    read_line: Callable[[str], Any]  # and back
    always: bool | Callable[[T], bool] = False
    late: bool = False
    settle: Callable[[T], None] | None = None  # what follows from all parts, once they are there

    def is_told(self, table: T) -> bool:
        """Whether it is worth telling."""
        must = self.always(table) if callable(self.always) else self.always
        return must or self.default is None or self.value(table) != self.default(table)

    def fill(self, table: T, data: Mapping[str, Any]) -> None:
        """Set it to what is said of it, or else to its default; refused where it is needed and nothing is said."""
        value = data[self.key] if self.key in data else self.default(table) if self.default else NEEDED
        is_empty = value is None or (isinstance(value, Sequence | Mapping) and not value)
        if value is NEEDED or (self.default is None and is_empty):
            raise CrashlabError(f"position: {shown(self.key)} is needed: {self.about}")
        self.put(table, value)


def single(
    key: str,
    about: str,
    field: str,
    kind: Kind[Any],
    default: int | Callable[[Any], Any] = 0,
    *,
    always: bool | Callable[[Any], bool] = False,
    late: bool = False,
) -> Part[Any]:
    """A part that is one number of the table: field[0], a thing of a kind; what finds a default can give NEEDED."""

    def value(table: Table) -> object:
        return kind.tell(table, vars(table)[field][0])

    def put(table: Table, entry: object) -> None:
        try:
            vars(table)[field][0] = kind.read(table, entry)
        except CrashlabError as error:
            raise CrashlabError(f"{key}: {str(error).removeprefix(f'{kind.name}: ')}") from None

    def otherwise(table: Table) -> object:
        number = default(table) if callable(default) else default
        return NEEDED if number is NEEDED else kind.tell(table, number)

    return Part(key, about, value, put, otherwise, str, str, always, late)


def row(key: str, about: str, field: str, kind: Kind[Any], default: Callable[[Any], Any] | None = None) -> Part[Any]:
    """A part that is a whole field: things of a kind, one after the other."""

    def value(table: Table) -> list[object]:
        return [kind.tell(table, number) for number in vars(table)[field]]

    def put(table: Table, entry: object) -> None:
        words, numbers = as_list(entry, f"{key}: a list is wanted"), vars(table)[field]
        if len(words) != len(numbers):
            raise CrashlabError(f"{key}: {len(numbers)} are wanted, not {len(words)}")
        numbers[:] = [kind.read(table, word) for word in words]

    return Part(key, about, value, put, default, lambda told: " ".join(map(str, told)), str.split)


def flag(key: str, about: str, field: str) -> Part[Any]:
    """A part that stands alone in the line where it is true, and is left out where it is not."""

    def put(table: Table, entry: object) -> None:
        if not isinstance(entry, bool):
            raise CrashlabError(f"{key}: true or false is wanted, not {shown(entry)}")
        vars(table)[field][0] = int(entry)

    def read_line(rest: str) -> bool:
        if rest:
            raise CrashlabError(f"{key} stands alone, without {shown(rest)}")
        return True

    return Part(
        key, about, lambda table: bool(vars(table)[field][0]), put, lambda table: False, lambda _: "", read_line
    )


class Told(Generic[T]):
    """What a state tells by name: its properties, and as they stand in JSON the parts that are only annotated.

        class Facts(Told[Bumper]):
            round: int
            box: int
    """

    def __init__(self, table: T, parts: Sequence[Part[T]] = ()) -> None:
        self._table, self._parts = table, parts

    if not TYPE_CHECKING:  # a checker reads the annotations

        def __getattr__(self, name: str) -> Any:
            for part in self._parts:
                if part.key == name in type(self).__annotations__:
                    value = part.value(self._table)
                    return tuple(value) if isinstance(value, list) else value  # a state never changes
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


# What becomes of the parts


def to_dict(parts: Sequence[Part[T]], table: T, defaults: bool = False) -> dict[str, Any]:
    """The position as plain JSON; with `defaults` also what need not be said."""
    return {part.key: part.value(table) for part in parts if defaults or part.is_told(table)}


def write(parts: Sequence[Part[T]], table: T) -> str:
    """The position as one line."""
    told = [part for part in parts if part.is_told(table)]
    return "; ".join(f"{part.key} {part.line(part.value(table))}".rstrip() for part in told)


def read_line(parts: Sequence[Part[T]], line: str) -> dict[str, Any]:
    """Such a line as JSON."""
    by_key = {part.key: part for part in parts}
    return {key: by_key[key].read_line(rest) for key, rest in sections(line, list(by_key)).items()}


def fill(parts: Sequence[Part[T]], table: T, data: Mapping[str, Any]) -> None:
    """Put a position in JSON on an empty table; refused with the reason where it is malformed."""
    check_keys(data, [part.key for part in parts])
    for part in sorted(parts, key=lambda part: 0 if part.key in data else 1 + part.late):
        part.fill(table, data)
    for part in parts:
        if part.settle:
            part.settle(table)


def described(parts: Sequence[Part[T]]) -> str:
    """All keys, each with what it is."""
    widest = max(len(part.key) for part in parts)
    return "\n".join(f"    {part.key:{widest}}  {part.about}" for part in parts)
