"""The parts of a position: one declaration of a part serves to write, read, convert to JSON and document it.

A game lists its parts in the order of writing:

    PARTS = (
        single("round", "the number of the round, from 1", "round", counted("round"), 1, always=True),
        table_of(
            "saucers", "each with its space, energy and plan", SAUCER,
            (
                Column("space", "cell", SPACE),
                Column("energy", "energy", counted("energy"), 1, "e", in_json=True),
                Column("plan", "plan", PLAN, UNPLANNED),
            ),
            "34 e2 3>", lambda table: range(table.saucers[0]),
        ),
        ...
    )

    single      one value
    row         a field, or a number of its values
    flag        a keyword that is present if true
    set_of      the things whose flag is set
    table_of    things by name, with one or more columns: `red 34 e2 3>, green off`
    record      one thing with its columns: `6.4 6.5 M8.6, score 17`
    Part        anything else

The parts of a position are first put on an empty table one by one. Then missing parts get their defaults, which may
depend on the other parts. Finally a part can derive values from all parts (`settle`).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.engine.notation import as_list, check_keys, fields, pieces, sections, trimmed, unique
from crashlab.engine.table import Table
from crashlab.engine.value_codecs import Codec, truth

T = TypeVar("T", bound=Table)
NEEDED: Any = object()  # returned by a default if the part is required for this table


@dataclass(frozen=True)
class Part(Generic[T]):
    """A part of a position.

    `value` returns JSON. A part is omitted if it has the value of `default`, unless `always` is true (for this table).
    A default that depends on other defaults is `late`. A required part has no default, or one that returns NEEDED.
    """

    key: str
    about: str  # description for the notation
    value: Callable[[T], Any]
    put: Callable[[T, Any], None]  # sets the part from JSON, or raises CrashlabError
    default: Callable[[T], Any] | None  # the value if the part is missing
    line: Callable[[T], str]  # the text of the part in the line, after the key
    read_line: Callable[[str], Any]  # the inverse of line
    always: bool | Callable[[T], bool] = False
    late: bool = False
    settle: Callable[[T], None] | None = None  # derives values after all parts are set
    has_default: Callable[[T], bool] | None = None  # a fast test for the default value, without JSON

    def is_written(self, table: T) -> bool:
        """Return whether the part is written for this table; a default is usually omitted."""
        must = self.always(table) if callable(self.always) else self.always
        if must or self.default is None:
            return True
        return not self.has_default(table) if self.has_default else self.value(table) != self.default(table)

    def fill(self, table: T, data: Mapping[str, Any]) -> None:
        """Set the part from data or to its default; raise CrashlabError if it is required and missing."""
        value = data[self.key] if self.key in data else self.default(table) if self.default else NEEDED
        is_empty = value is None or (isinstance(value, Sequence | Mapping) and not value)
        if value is NEEDED or (self.default is None and is_empty):
            raise CrashlabError(f"position: {short_repr(self.key)} is missing: {self.about}")
        self.put(table, value)


@dataclass(frozen=True)
class Column:
    """A column of a table: the value `field[first(thing)]` of each thing, or `many` values from there.

    In the line the value follows the mark; a mark that ends with a space is a separate word, and a `flag` is its mark
    alone. A default value is omitted, except in JSON with `in_json` and in the line with `in_line`; without a default
    the value is required.
    """

    key: str
    field: str
    codec: Codec[Any]
    default: int | None = None
    mark: str = ""
    in_json: bool = False
    in_line: bool = False
    flag: bool = False
    first: Callable[[int], int] = int
    many: int = 0
    short: bool = True  # whether trailing values can be omitted, if there are `many`

    def numbers(self, table: Table, thing: int) -> list[int]:
        """Return the values of a thing."""
        first = self.first(thing)
        return cast("list[int]", vars(table)[self.field][first : first + (self.many or 1)])

    def is_left_out(self, table: Table, thing: int) -> bool:
        """Return whether all values of a thing have the default."""
        if self.default is None or not self.many:
            return self.default is not None and vars(table)[self.field][self.first(thing)] == self.default
        return self.numbers(table, thing) == [self.default] * self.many

    def value(self, table: Table, thing: int) -> Any:
        """Return the value of a thing as JSON."""
        if not self.many:
            return self.codec.to_json(table, vars(table)[self.field][self.first(thing)])
        values = [self.codec.to_json(table, number) for number in self.numbers(table, thing)]
        return trimmed(values) if self.short else values

    def words(self, table: Table, thing: int) -> str:
        """Return the text of a thing's value in the line."""
        if self.flag:
            return self.mark
        if not self.many:
            return self.mark + self.codec.format(table, vars(table)[self.field][self.first(thing)])
        numbers = self.numbers(table, thing)
        if self.short:
            numbers = numbers[: len(self.value(table, thing))] or numbers[:1]
        return self.mark + " ".join(self.codec.format(table, number) for number in numbers)

    def put(self, table: Table, thing: int, entry: object, where: str) -> None:
        """Set the value of a thing from JSON or text; raise CrashlabError for wrong input."""
        first, row = self.first(thing), vars(table)[self.field]
        if not self.many:
            row[first] = read(self.codec, table, entry, where)
            return
        words = as_list(entry.split() if isinstance(entry, str) else entry, f"{where}: give a list")
        if len(words) > self.many or not (self.short or len(words) == self.many):
            raise CrashlabError(f"{where}: give {'at most ' * self.short}{self.many} values, not {len(words)}")
        row[first : first + len(words)] = [read(self.codec, table, word, where) for word in words]


def read(codec: Codec[Any], table: Table, entry: object, where: str) -> int:
    """Parse a value; an error begins with `where`."""
    try:
        return codec.parse(table, entry)
    except CrashlabError as error:
        raise CrashlabError(f"{where}: {str(error).removeprefix(f'{codec.name}: ')}") from None


# Parts of one column


def single(
    key: str,
    about: str,
    field: str,
    codec: Codec[Any],
    default: int | Callable[[Any], Any] = 0,
    *,
    at: int = 0,
    always: bool | Callable[[Any], bool] = False,
    late: bool = False,
    refuse: Callable[[Any], str] = lambda table: "",
) -> Part[Any]:
    """Return a part that is one value of the table; its default may be a function that may return NEEDED.

    If `refuse` returns a reason, the part does not exist for this table and is null in JSON.
    """
    column = Column(key, field, codec)

    def value(table: Table) -> object:
        return None if refuse(table) else column.value(table, at)

    def put(table: Table, entry: object) -> None:
        reason = refuse(table)
        require(not reason or entry is None, f"{key}: {reason}")
        if not reason:
            column.put(table, at, entry, key)

    def usual(table: Table) -> Any:
        return None if refuse(table) else default(table) if callable(default) else default

    def otherwise(table: Table) -> object:
        number = usual(table)
        return number if number is None or number is NEEDED else codec.to_json(table, number)

    def has_default(table: Table) -> bool:
        number = usual(table)
        return number is None or (number is not NEEDED and vars(table)[field][at] == number)

    return Part(
        key,
        about,
        value,
        put,
        otherwise,
        lambda table: column.words(table, at),
        str,
        always,
        late,
        has_default=has_default,
    )


def row(
    key: str,
    about: str,
    field: str,
    codec: Codec[Any],
    default: Callable[[Any], Any] | None = None,
    *,
    first: int = 0,
    many: int = 0,
    always: bool = False,
) -> Part[Any]:
    """Return a part that is a whole field, or up to `many` values from `first`."""

    def column(table: Table) -> Column:
        return Column(key, field, codec, many=many or len(vars(table)[field]), short=many > 0)

    return Part(
        key,
        about,
        lambda table: column(table).value(table, first),
        lambda table, entry: column(table).put(table, first, entry, key),
        default,
        lambda table: column(table).words(table, first),
        str.split,
        always,
    )


def flag(key: str, about: str, field: str) -> Part[Any]:
    """Return a part that is a keyword in the line if true, and omitted if false."""

    def read_line(rest: str) -> bool:
        require(not rest, f"{key} takes no value: leave out {short_repr(rest)}")
        return True

    return replace(single(key, about, field, truth(key)), line=lambda table: "", read_line=read_line)


def set_of(key: str, about: str, index: Codec[Any], field: str, comma: str = " ") -> Part[Any]:
    """Return a part that lists the things whose flag is set, as in `red pilot, blue doctor`."""

    def there(table: Table) -> list[int]:
        return [thing for thing, flag in enumerate(vars(table)[field]) if flag]

    def put(table: Table, entry: object) -> None:
        words = pieces(entry, comma) if isinstance(entry, str) else as_list(entry, f"{key}: give a list")
        things = [(read(index, table, word, key), 1) for word in words]
        for thing in unique(key, things, lambda thing: index.format(table, thing)):
            vars(table)[field][thing] = 1

    return Part(
        key,
        about,
        lambda table: [index.to_json(table, thing) for thing in there(table)],
        put,
        lambda table: [],
        lambda table: comma.join(index.format(table, thing) for thing in there(table)),
        str,
        has_default=lambda table: not any(vars(table)[field]),
    )


# Parts of several columns


@dataclass(frozen=True)
class Entry:
    """The columns of a thing; `pattern` is the regular expression of an entry that is a single word.

    A column with an empty key must be the only one; JSON then has its value instead of a dict. With `in_words`, JSON
    contains the text of the line. A text that would begin with a comma is preceded by a dash.
    """

    columns: tuple[Column, ...]
    example: str
    pattern: str = ""
    in_words: bool = False

    def value(self, table: Table, thing: int) -> Any:
        """Return the columns of a thing as JSON."""
        if self.in_words:
            return self.words(table, thing)
        values = {
            column.key: column.value(table, thing)
            for column in self.columns
            if column.in_json or not column.is_left_out(table, thing)
        }
        return values[""] if "" in values else values

    def words(self, table: Table, thing: int) -> str:
        """Return the text of a thing in the line."""
        texts = [
            column.words(table, thing)
            for column in self.columns
            if column.in_line or not column.is_left_out(table, thing)
        ]
        text = "".join(texts) if self.pattern else " ".join(texts).replace(" ,", ",")
        return f"-{text}" if text.startswith(",") else text

    def put(self, table: Table, thing: int, entry: object, where: str) -> None:
        """Set the columns of a thing from JSON or text; raise CrashlabError for wrong input."""
        if self.columns[0].key == "":
            self.columns[0].put(table, thing, entry, where)
            return
        raw = self.split(entry, where) if isinstance(entry, str) else entry
        values = fields(raw, [column.key for column in self.columns], where, self.example)
        for column in self.columns:
            if values.get(column.key) is not None or (column.key in values and column.default is None):
                column.put(table, thing, values[column.key], f"{where}, {column.key}")
            elif column.default is None:
                raise CrashlabError(f"{where}: {column.key} is missing, as in {self.example!r}")
            elif not column.many:
                vars(table)[column.field][column.first(thing)] = column.default

    def split(self, text: str, where: str) -> dict[str, Any]:
        """Parse the text of a thing into its columns, as in JSON."""
        cannot = CrashlabError(f"{where}: cannot read {short_repr(text)}; write it like {self.example!r}")
        if self.pattern:
            if not (match := re.fullmatch(self.pattern, text.strip())):
                raise cannot
            return match.groupdict()
        values: dict[str, Any] = {}
        words = iter(text.replace(",", " ").split())
        for word in words:
            column, value = self.meant(word, words, values)
            if column is None or (column.key in values and not column.many):
                raise cannot
            values[column.key] = [*values.get(column.key, ()), value] if column.many else value
        return values

    def meant(self, word: str, more: Iterator[str], values: Mapping[str, Any]) -> tuple[Column | None, Any]:
        """Return the column of a word (or None) and its value.

        The value is the rest of the word after the column's mark, the next word if the word is the mark, True for a
        flag, or the whole word.
        """
        for column in self.columns:
            mark = column.mark.strip(", ")
            if word == mark and (column.flag or column.mark.endswith(" ")):
                return column, True if column.flag else next(more, "")
            if mark and word.startswith(mark) and word[len(mark) :][:1].isdigit():
                return column, word[len(mark) :]
        plain = (column for column in self.columns if not column.mark)
        return next((column for column in plain if column.many or column.key not in values), None), word


def nothing(table: Table) -> dict[str, Any]:
    """Return the default of a table of names: an empty one."""
    return {}


def table_of(
    key: str,
    about: str,
    index: Codec[Any],
    columns: Column | tuple[Column, ...],
    example: str,
    things: Callable[[Any], Iterable[int]],
    *,
    comma: str = ", ",
    colon: str = " ",
    pattern: str = "",
    in_words: bool = False,
    default: Callable[[Any], Any] | None = nothing,
    always: bool = False,
    split: Callable[[Any, str], tuple[str, str]] | None = None,
    then: Callable[[Any], None] = lambda table: None,
    settle: Callable[[Any], None] | None = None,
) -> Part[Any]:
    """Return a part with columns for things by name, as in `red 34 e2 3>, green off`; JSON is a table of names.

    In the line a name is the longest possible prefix, or the text before the colon; with an empty colon, one letter.
    If given, `split` separates name and value instead. `then` runs right after the part is set, before other parts.
    """
    entry = Entry(columns if isinstance(columns, tuple) else (columns,), example, pattern, in_words)

    def value(table: Table) -> dict[str, Any]:
        return {str(index.to_json(table, thing)): entry.value(table, thing) for thing in things(table)}

    def line(table: Table) -> str:
        return comma.join(f"{index.format(table, thing)}{colon}{entry.words(table, thing)}" for thing in things(table))

    def halves(table: Table, text: object) -> tuple[str, str]:
        if not isinstance(text, str):
            raise CrashlabError(f"{key}: cannot read {short_repr(text)}; write a name and its value")
        if split:
            return split(table, text)
        if colon != " ":
            name, _, rest = text.partition(colon) if colon else (text[:1], "", text[1:])
            return name, rest
        words = text.split()
        size = name_length(index, table, words)
        return " ".join(words[:size]), " ".join(words[size:])

    def put(table: Table, source: object) -> None:
        named = pieces(source, comma.strip() or comma) if isinstance(source, str) else source
        if not isinstance(named, Mapping):
            message = f"{key}: give a dict of names and values"
            named = unique(key, (halves(table, text) for text in as_list(named, message)))
        pairs = [(read(index, table, name, key), value) for name, value in named.items()]
        for thing, value in unique(key, pairs, lambda thing: index.format(table, thing)).items():
            entry.put(table, thing, value, f"{key}, {index.format(table, thing)}")
        then(table)

    is_empty = (lambda table: not any(True for _ in things(table))) if default is nothing else None
    return Part(key, about, value, put, default, line, str, always, settle=settle, has_default=is_empty)


def name_length(index: Codec[Any], table: Table, words: Sequence[str]) -> int:
    """Return the length of the longest prefix of words that names a thing; all but the last word if none does."""
    for length in range(len(words) - 1, 0, -1):  # a value follows the name
        try:
            index.parse(table, " ".join(words[:length]))
        except CrashlabError:
            continue
        return length
    return max(len(words) - 1, 1)


def record(
    key: str,
    about: str,
    thing: int,
    columns: tuple[Column, ...],
    example: str,
    default: Callable[[Any], Any] | None,
    always: bool = False,
) -> Part[Any]:
    """Return a part with the columns of one thing, as in `6.4 6.5 M8.6, score 17`."""
    entry = Entry(columns, example)
    return Part(
        key,
        about,
        lambda table: entry.value(table, thing),
        lambda table, value: entry.put(table, thing, value, key),
        default,
        lambda table: entry.words(table, thing),
        str,
        always,
    )


class StateFacts(Generic[T]):
    """The public facts of a state: properties, and annotated parts of the position in their JSON form.

    class Facts(StateFacts[Bumper]):
        round: int
        box: int
    """

    def __init__(self, table: T, parts: Sequence[Part[T]] = ()) -> None:
        self._table, self._parts = table, parts

    if not TYPE_CHECKING:  # type checkers read the annotations

        def __getattr__(self, name: str) -> Any:
            for part in self._parts:
                if part.key == name in type(self).__annotations__:
                    value = part.value(self._table)
                    return tuple(value) if isinstance(value, list) else value  # a state is immutable
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


# Reading and writing positions


def to_dict(parts: Sequence[Part[T]], table: T, defaults: bool = False) -> dict[str, Any]:
    """Return the position as JSON; `defaults` includes default values."""
    return {part.key: part.value(table) for part in parts if defaults or part.is_written(table)}


def write(parts: Sequence[Part[T]], table: T) -> str:
    """Return the position as one line."""
    selection = [part for part in parts if part.is_written(table)]
    return "; ".join(f"{part.key} {part.line(table)}".rstrip() for part in selection)


def read_line(parts: Sequence[Part[T]], line: str) -> dict[str, Any]:
    """Parse a line into JSON."""
    by_key = {part.key: part for part in parts}
    return {key: by_key[key].read_line(rest) for key, rest in sections(line, list(by_key)).items()}


def fill(parts: Sequence[Part[T]], table: T, data: Mapping[str, Any]) -> None:
    """Put a position in JSON on an empty table; raise CrashlabError if it is malformed."""
    check_keys(data, [part.key for part in parts])
    for part in sorted(parts, key=lambda part: 0 if part.key in data else 1 + part.late):
        part.fill(table, data)
    for part in parts:
        if part.settle:
            part.settle(table)


def described(parts: Sequence[Part[T]]) -> str:
    """Return a table of the keys with their descriptions."""
    widest = max(len(part.key) for part in parts)
    return "\n".join(f"    {part.key:{widest}}  {part.about}" for part in parts)
