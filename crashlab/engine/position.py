"""The parts of a position: each is declared once, and written, read, told as JSON and documented from that.

A game lists its parts in the order in which they are written:

    PARTS = (
        single("round", "which round it is, from 1", "round", counted("round"), 1, always=True),
        table_of(
            "saucers", "each with its space, energy and plan", SAUCER,
            (
                Column("space", "cell", SPACE),
                Column("energy", "energy", counted("energy"), 1, "e", told=True),
                Column("plan", "plan", PLAN, UNPLANNED),
            ),
            "34 e2 3>", lambda table: range(table.saucers[0]),
        ),
        ...
    )

    single      one number
    row         a field, or so many numbers of it
    flag        what stands alone where it is true
    set_of      the things of which a flag is set
    table_of    things by name, each with one column or several: `red 34 e2 3>, green off`
    record      one thing with its columns: `6.4 6.5 M8.6, score 17`
    Part        anything else

What a person gives is put on an empty table first, part by part; then what was left out is set to its default, which
may depend on all that was given; and then a part can settle what follows for it from the others.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from crashlab.base.errors import CrashlabError, shown
from crashlab.engine.notation import as_list, check_keys, fields, pieces, sections, trimmed, unique
from crashlab.engine.table import Table
from crashlab.engine.value_codecs import Codec, truth

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
    line: Callable[[T], str]  # as it stands in the line, behind the key
    read_line: Callable[[str], Any]  # and back
    always: bool | Callable[[T], bool] = False
    late: bool = False
    settle: Callable[[T], None] | None = None  # what follows from all parts, once they are there
    has_default: Callable[[T], bool] | None = None  # whether it has its default, where that is seen without any JSON

    def is_told(self, table: T) -> bool:
        """Whether it is worth telling."""
        must = self.always(table) if callable(self.always) else self.always
        if must or self.default is None:
            return True
        return not self.has_default(table) if self.has_default else self.value(table) != self.default(table)

    def fill(self, table: T, data: Mapping[str, Any]) -> None:
        """Set it to what is said of it, or else to its default; refused where it is needed and nothing is said."""
        value = data[self.key] if self.key in data else self.default(table) if self.default else NEEDED
        is_empty = value is None or (isinstance(value, Sequence | Mapping) and not value)
        if value is NEEDED or (self.default is None and is_empty):
            raise CrashlabError(f"position: {shown(self.key)} is needed: {self.about}")
        self.put(table, value)


@dataclass(frozen=True)
class Column:
    """What a position says by one key about each thing: the number `field[first(thing)]`, or `many` numbers from there.

    In the line the value stands behind the mark; a mark that ends with a space is a word of its own, and a `flag` is
    its mark alone. At its default it is left out, unless it is `told` in JSON and `written` in the line all the same;
    without a default it must be said.
    """

    key: str
    field: str
    codec: Codec[Any]
    default: int | None = None
    mark: str = ""
    told: bool = False
    written: bool = False
    flag: bool = False
    first: Callable[[int], int] = int
    many: int = 0
    short: bool = True  # whether the last of many can be left out

    def numbers(self, table: Table, thing: int) -> list[int]:
        """Its numbers of a thing."""
        first = self.first(thing)
        return cast("list[int]", vars(table)[self.field][first : first + (self.many or 1)])

    def is_left_out(self, table: Table, thing: int) -> bool:
        """Whether nothing need be said of it."""
        if self.default is None or not self.many:
            return self.default is not None and vars(table)[self.field][self.first(thing)] == self.default
        return self.numbers(table, thing) == [self.default] * self.many

    def value(self, table: Table, thing: int) -> Any:
        """As JSON."""
        if not self.many:
            return self.codec.to_json(table, vars(table)[self.field][self.first(thing)])
        told = [self.codec.to_json(table, number) for number in self.numbers(table, thing)]
        return trimmed(told) if self.short else told

    def words(self, table: Table, thing: int) -> str:
        """As it stands in the line."""
        if self.flag:
            return self.mark
        if not self.many:
            return self.mark + self.codec.format(table, vars(table)[self.field][self.first(thing)])
        numbers = self.numbers(table, thing)
        if self.short:
            numbers = numbers[: len(self.value(table, thing))] or numbers[:1]
        return self.mark + " ".join(self.codec.format(table, number) for number in numbers)

    def put(self, table: Table, thing: int, entry: object, where: str) -> None:
        """Set it from JSON or words, or refuse them."""
        first, row = self.first(thing), vars(table)[self.field]
        if not self.many:
            row[first] = read(self.codec, table, entry, where)
            return
        words = as_list(entry.split() if isinstance(entry, str) else entry, f"{where}: give a list")
        if len(words) > self.many or not (self.short or len(words) == self.many):
            raise CrashlabError(f"{where}: {'at most ' * self.short}{self.many} are wanted, not {len(words)}")
        row[first : first + len(words)] = [read(self.codec, table, word, where) for word in words]


def read(codec: Codec[Any], table: Table, entry: object, where: str) -> int:
    """A thing of a kind; if it is none, it is said where."""
    try:
        return codec.parse(table, entry)
    except CrashlabError as error:
        raise CrashlabError(f"{where}: {str(error).removeprefix(f'{codec.name}: ')}") from None


# Parts that are one column


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
    """A part that is one number of the table, a thing of a kind; what finds a default can give NEEDED.

    At tables at which `refuse` gives a reason there is no such thing: then it is null in JSON.
    """
    column = Column(key, field, codec)

    def value(table: Table) -> object:
        return None if refuse(table) else column.value(table, at)

    def put(table: Table, entry: object) -> None:
        reason = refuse(table)
        if reason and entry is not None:
            raise CrashlabError(f"{key}: {reason}")
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
    """A part that is a whole field, or up to so many numbers from the first: things of a kind, one after the other."""

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
    """A part that stands alone in the line where it is true, and is left out where it is not."""

    def read_line(rest: str) -> bool:
        if rest:
            raise CrashlabError(f"{key} stands alone, without {shown(rest)}")
        return True

    return replace(single(key, about, field, truth(key)), line=lambda table: "", read_line=read_line)


def set_of(key: str, about: str, index: Codec[Any], field: str, comma: str = " ") -> Part[Any]:
    """The things of which a flag is set, as in `red pilot, blue doctor`."""

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


# Parts with several columns


@dataclass(frozen=True)
class Entry:
    """What is said of one thing in all columns; `pattern` is how it is written where it is a single word.

    One column with no key is all there is to say. With `in_words` JSON has the words of the line. If the first thing
    that is said has a mark behind a comma, a dash stands before it.
    """

    columns: tuple[Column, ...]
    example: str
    pattern: str = ""
    in_words: bool = False

    def value(self, table: Table, thing: int) -> Any:
        """As JSON."""
        if self.in_words:
            return self.words(table, thing)
        told = {
            column.key: column.value(table, thing)
            for column in self.columns
            if column.told or not column.is_left_out(table, thing)
        }
        return told[""] if "" in told else told

    def words(self, table: Table, thing: int) -> str:
        """As it stands in the line."""
        said = [
            column.words(table, thing)
            for column in self.columns
            if column.written or not column.is_left_out(table, thing)
        ]
        text = "".join(said) if self.pattern else " ".join(said).replace(" ,", ",")
        return f"-{text}" if text.startswith(",") else text

    def put(self, table: Table, thing: int, entry: object, where: str) -> None:
        """Set all its columns from JSON or words, or refuse them."""
        if self.columns[0].key == "":
            self.columns[0].put(table, thing, entry, where)
            return
        given = self.split(entry, where) if isinstance(entry, str) else entry
        said = fields(given, [column.key for column in self.columns], where, self.example)
        for column in self.columns:
            if said.get(column.key) is not None or (column.key in said and column.default is None):
                column.put(table, thing, said[column.key], f"{where}, {column.key}")
            elif column.default is None:
                raise CrashlabError(f"{where}: {column.key} is needed, as in {self.example!r}")
            elif not column.many:
                vars(table)[column.field][column.first(thing)] = column.default

    def split(self, text: str, where: str) -> dict[str, Any]:
        """What is written of one thing, as it would stand in JSON."""
        cannot = CrashlabError(f"{where}: cannot read {shown(text)}; write it like {self.example!r}")
        if self.pattern:
            if not (found := re.fullmatch(self.pattern, text.strip())):
                raise cannot
            return found.groupdict()
        said: dict[str, Any] = {}
        words = iter(text.replace(",", " ").split())
        for word in words:
            column, value = self.meant(word, words, said)
            if column is None or (column.key in said and not column.many):
                raise cannot
            said[column.key] = [*said.get(column.key, ()), value] if column.many else value
        return said

    def meant(self, word: str, more: Iterator[str], said: Mapping[str, Any]) -> tuple[Column | None, Any]:
        """What a word is said of, and the value: it, what stands behind its mark, or one more word."""
        for column in self.columns:
            mark = column.mark.strip(", ")
            if word == mark and (column.flag or column.mark.endswith(" ")):
                return column, True if column.flag else next(more, "")
            if mark and word.startswith(mark) and word[len(mark) :][:1].isdigit():
                return column, word[len(mark) :]
        plain = (column for column in self.columns if not column.mark)
        return next((column for column in plain if column.many or column.key not in said), None), word


def nothing(table: Table) -> dict[str, Any]:
    """The default of a table of names in which nothing need be said."""
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
    """Things by name, each with what is said of it: as in `red 34 e2 3>, green off`; JSON is a table of names.

    In the line a name is the longest beginning that is one, or what stands before the colon; without any, a letter.
    Another way to find it is `split`; `then` is what follows at once, before other parts are put.
    """
    entry = Entry(columns if isinstance(columns, tuple) else (columns,), example, pattern, in_words)

    def value(table: Table) -> dict[str, Any]:
        return {str(index.to_json(table, thing)): entry.value(table, thing) for thing in things(table)}

    def line(table: Table) -> str:
        return comma.join(f"{index.format(table, thing)}{colon}{entry.words(table, thing)}" for thing in things(table))

    def halves(table: Table, text: object) -> tuple[str, str]:
        if not isinstance(text, str):
            raise CrashlabError(f"{key}: cannot read {shown(text)}; write a name and what is said of it")
        if split:
            return split(table, text)
        if colon != " ":
            name, _, rest = text.partition(colon) if colon else (text[:1], "", text[1:])
            return name, rest
        words = text.split()
        size = name_length(index, table, words)
        return " ".join(words[:size]), " ".join(words[size:])

    def put(table: Table, given: object) -> None:
        named = pieces(given, comma.strip() or comma) if isinstance(given, str) else given
        if not isinstance(named, Mapping):
            wanted = f"{key}: give a table of names and values"
            named = unique(key, (halves(table, text) for text in as_list(named, wanted)))
        pairs = [(read(index, table, name, key), said) for name, said in named.items()]
        for thing, said in unique(key, pairs, lambda thing: index.format(table, thing)).items():
            entry.put(table, thing, said, f"{key}, {index.format(table, thing)}")
        then(table)

    is_empty = (lambda table: not any(True for _ in things(table))) if default is nothing else None
    return Part(key, about, value, put, default, line, str, always, settle=settle, has_default=is_empty)


def name_length(index: Codec[Any], table: Table, words: Sequence[str]) -> int:
    """How many of these words are the longest beginning that names a thing; all but the last where none does."""
    for length in range(len(words) - 1, 0, -1):  # something is said behind it
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
    """One thing with all that is said of it, as in `6.4 6.5 M8.6, score 17`."""
    entry = Entry(columns, example)
    return Part(
        key,
        about,
        lambda table: entry.value(table, thing),
        lambda table, given: entry.put(table, thing, given, key),
        default,
        lambda table: entry.words(table, thing),
        str,
        always,
    )


class StateFacts(Generic[T]):
    """What a state tells by name: its properties, and as they stand in JSON the parts that are only annotated.

    class Facts(StateFacts[Bumper]):
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
    return "; ".join(f"{part.key} {part.line(table)}".rstrip() for part in told)


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
