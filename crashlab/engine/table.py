"""The door: the only functions that change a table, and the only ones that record an event.

A *table* is the state of a game: named fields, each an array of ints. A *trace* is the log of its events.

    happen     set one value of a field, and record the event
    note       record an event that changes no field (a crash, a limit, a ruling)
    next_beat  start a new beat; events of one beat are simultaneous
    latest     find the last event that changed a value, to cite it as a cause
    replay     repeat the changes of a trace, without any rule
    lay, tally                      for many games in a row: copy a table; empty a trace into counts
    copy_moving, write_pairs, apply_pairs    for many positions of one game: only the fields that ever change in it
    clear      set a part of a scratch row to 0; this changes no table

A table can have an *index* of a field (`Index`): the places of each value, which rules then look up instead of
searching. An indexed field is an `IndexedRow`, which updates its index on every change.

The signatures serve the compiler: a rule passes the field (`table.speed`) and the field's number, because compiled code
takes arrays as arguments but cannot look up names. With `trace=None` nothing is recorded, and `happen` is only an
assignment. An event's number is returned, so that later events can cite it as their cause.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, NamedTuple, Self, get_type_hints

Ints = list[int]
"""A field of a table: a list of ints.

    >>> row: Ints = crashlab.game("autoscooter", players=3).start().table.players
    >>> row
    [3]
"""

Numbers = list[float]  # a row of fractions, as kernels use it
Changes = tuple[tuple[int, ...], ...]  # fields of a table, each preceded by its number

NOWHERE = -1
"""The number for no cell, no car, no seat or no event.

    >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
    >>> state.play({"A": "17 FF", "B": None}).rows[0].cause == NOWHERE
    True
"""

CHANCE = -1
"""The seat of chance among the actors.

    >>> state = crashlab.game("crash_city", players=2).start(seed=1)
    >>> turn = state.play(state.actions(state.actors[0])[0])
    >>> turn.after.actors == (crashlab.CHANCE,)
    True
"""

HIDDEN = -2
"""The number that replaces a secret value in a seat's view.

    >>> state = crashlab.game("crash_by_crash", players=4).start(seed=1)
    >>> [seat for seat in range(4) if HIDDEN in state.seen_by(seat).table.hand]
    [0, 1, 2, 3]
"""

NOTE = -1
"""The field of a note, which changes no field.

    >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
    >>> [row.numbers for row in state.play({"A": "17 FF", "B": None}).rows if row.field == NOTE]
    [(1, 2, 1, 2), (1, 2, 2, 2), (2, 0, 1, 2), (2, 0, 2, 0)]
"""

MOST_LETTERS = 6  # longest spelling of an action, for programs that choose letter by letter
NOT_CHOSEN = -1  # in an observation: a letter not chosen yet

# The description of a field for searches over many positions of one game: its offset, its size, its role,
# the offset of its index (or NOWHERE), and whether the index has bits. A STILL field never changes in this game;
# a CLOCK changes but does not distinguish positions.
FIRST, SIZE, ROLE, INDEX, IS_BITS = range(5)
FIELD = 5
STILL, MOVING, CLOCK = range(3)
SPOT = 1 << 16  # the spot of a value is SPOT * field + index


class Row(NamedTuple):
    """An event: a change of one value of a field, or a note.

    The field of a note is NOTE; its four `numbers` have names in the rulebook.

        >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
        >>> row = state.play({"A": "17 FF", "B": None}).rows[6]
        >>> row
        Row(beat=5, rule=7, cause=4, field=13, index=0, before=12, after=13, last=0)
    """

    beat: int
    rule: int
    cause: int  # the number of an earlier event, or NOWHERE
    field: int
    index: int  # type: ignore[assignment]  # hides tuple.index, which is not needed
    before: int
    after: int
    last: int = 0  # the fourth number of a note

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        """The four numbers of a note."""
        return self.index, self.before, self.after, self.last


class Trace:
    """The log of events in order: tuples with the fields of a Row, as tuples are twice as fast to create.

    >>> trace, speed = Trace(), [0, 0]
    >>> first = happen(speed, 3, 1, 2, 7, NOWHERE, trace)
    >>> trace.rows
    [(1, 7, -1, 3, 1, 0, 2, 0)]
    """

    __slots__ = ("beat", "rows")

    def __init__(self) -> None:
        self.beat = 1  # beat 0 is the table before the first event
        self.rows: list[tuple[int, ...]] = []


def happen(field: Ints, number: int, index: int, new: int, rule: int, cause: int, trace: Trace | None) -> int:
    """Set field[index] to new and return the event's number (`cause` if unchanged, NOWHERE without a trace).

    >>> trace, speed = Trace(), [0, 0]
    >>> happen(speed, 3, 1, 2, 7, NOWHERE, trace)
    0
    >>> speed, Row(*trace.rows[0]).after
    ([0, 2], 2)
    """
    before = field[index]
    if before == new:
        return cause
    field[index] = new
    if trace is None:
        return NOWHERE
    rows = trace.rows
    rows.append((trace.beat, rule, cause, number, index, before, new, 0))
    return len(rows) - 1


def note(rule: int, cause: int, a: int, b: int, c: int, d: int, trace: Trace | None) -> int:
    """Record a note, an event that changes no field, and return its number (NOWHERE without a trace).

    >>> trace = Trace()
    >>> bump = note(7, NOWHERE, 1, 2, 3, 0, trace)
    >>> Row(*trace.rows[bump]).numbers
    (1, 2, 3, 0)
    """
    if trace is None:
        return NOWHERE
    rows = trace.rows
    rows.append((trace.beat, rule, cause, NOTE, a, b, c, d))
    return len(rows) - 1


def next_beat(trace: Trace | None) -> None:
    """Start a new beat: later events happen after those recorded so far.

    >>> trace, speed = Trace(), [0, 0]
    >>> for car in range(2):
    ...     number = happen(speed, 3, car, 1, 7, NOWHERE, trace)
    ...     next_beat(trace)
    >>> [Row(*row).beat for row in trace.rows]
    [1, 2]
    """
    if trace is not None:
        trace.beat += 1


def latest(number: int, index: int, trace: Trace | None) -> int:
    """Return the number of the last event that changed field[index]; NOWHERE if there is none, or no trace.

    >>> trace, speed = Trace(), [0, 0]
    >>> first = happen(speed, 3, 1, 2, 7, NOWHERE, trace)
    >>> latest(3, 1, trace), latest(3, 0, trace) == NOWHERE
    (0, True)
    """
    if trace is not None:
        for event in range(len(trace.rows) - 1, -1, -1):
            if trace.rows[event][3] == number and trace.rows[event][4] == index:
                return event
    return NOWHERE


BITS, PLACES = tuple(1 << place for place in range(63)), tuple(range(4096))  # the marks of the places in a field


class Index(NamedTuple):
    """An index of a field: for each value from 0, the places that hold it.

    An entry has the places as bits: each place adds 1 << place. With `is_bits=False`, each place adds its own number;
    this is for fields in which no value occurs twice. Negative values are not indexed.

    An index is declared next to the fields, `name: Annotated[Ints, size, Index("field")]`, but is derived from its
    field: it has no events, is no part of a position, and is not compared.

        >>> from typing import Annotated
        >>> class Race(Table):
        ...     square: Annotated[Ints, 3, range(-1, 4)]
        ...     runners_at: Annotated[Ints, 4, Index("square")]
        >>> race = Race()
        >>> happen(race.square, 0, 1, 2, 7, NOWHERE, None) == happen(race.square, 0, 2, -1, 7, NOWHERE, None) == NOWHERE
        True
        >>> race.square, race.runners_at, Race.NAMES
        ([0, 2, -1], [1, 0, 2, 0], ('square',))
    """

    field: str
    is_bits: bool = True

    @property
    def marks(self) -> tuple[int, ...]:
        """The numbers that the places in the field add to an entry of the index."""
        return BITS if self.is_bits else PLACES


class IndexedRow(Ints):
    """A field with an index."""

    __slots__ = ("kept", "marks")

    def __init__(self, numbers: Ints, index: Ints, marks: tuple[int, ...]) -> None:
        list.__init__(self, numbers)
        self.kept, self.marks = index, marks

    def __setitem__(self, place: Any, new: Any) -> None:
        """Set a value or a slice, and update the index."""
        if place.__class__ is slice:
            numbers = self[:]
            numbers[place] = new
            for at, number in enumerate(numbers):
                if number != self[at]:
                    self[at] = number
            return
        index, before, mark = self.kept, self[place], self.marks[place]
        if 0 <= before < len(index):
            index[before] -= mark
        if 0 <= new < len(index):
            index[new] += mark
        list.__setitem__(self, place, new)


class Layout:
    """Named arrays of ints, `name: Annotated[Ints, size]`, laid out one after another in a longer array.

    >>> from typing import Annotated
    >>> class Notes(Layout):
    ...     seen: Annotated[Ints, 9]
    ...     count: Annotated[Ints, 1]
    >>> Notes.places(100), sum(Notes.SIZES)
    ((100, 109), 10)
    """

    NAMES: ClassVar[tuple[str, ...]] = ()
    SIZES: ClassVar[tuple[int, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Read the names and sizes from the annotations."""
        fields = cls.declared()
        cls.NAMES = tuple(fields)
        cls.SIZES = tuple(size for size, *_ in fields.values())

    @classmethod
    def declared(cls) -> dict[str, tuple[Any, ...]]:
        """Return the metadata of each annotation: the size of the array first."""
        hints = get_type_hints(cls, include_extras=True)
        return {name: hint.__metadata__ for name, hint in hints.items() if hasattr(hint, "__metadata__")}

    @classmethod
    def places(cls, first: int) -> tuple[int, ...]:
        """Return the start of each array, if the first one starts at `first`."""
        return tuple(first + sum(cls.SIZES[:number]) for number in range(len(cls.SIZES)))


class Table(Layout):
    """The state of a game: each annotated field `name: Annotated[Ints, size, range]` is a list of `size` ints.

    The range holds all values of the field at any moment of any game (except HIDDEN, in views).

    A field's number is its position among the annotations. A subclass adds only fields and indexes, so that copying a
    table copies its lists, and tables are equal if their fields are.

        >>> from typing import Annotated
        >>> class Race(Table):
        ...     square: Annotated[Ints, 2, range(11)]
        ...     windy: Annotated[Ints, 1, range(2)]
        >>> table = Race()
        >>> table.square, table.windy, Race.numbers("square", "windy")
        ([0, 0], [0], (0, 1))
    """

    RANGES: ClassVar[tuple[range, ...]] = ()
    INDEXES: ClassVar[dict[str, Index]] = {}
    ROWS: ClassVar[dict[str, int]] = {}  # sizes of all fields, followed by those of the indexes

    def __init_subclass__(cls) -> None:
        """Read the fields from the annotations, and their indexes."""
        declarations = cls.declared()
        cls.INDEXES = {name: what for name, (_, what) in declarations.items() if isinstance(what, Index)}
        fields = {name: declarations[name] for name in declarations if name not in cls.INDEXES}
        cls.NAMES, cls.SIZES = tuple(fields), tuple(size for size, _ in fields.values())
        cls.RANGES = tuple(values for _, values in fields.values())
        for name, index in cls.INDEXES.items():
            if declarations[name][0] < declarations[index.field][1].stop:
                raise TypeError(f"{name} is too short for the largest value of {index.field}")
        cls.ROWS = {name: declarations[name][0] for name in (*fields, *cls.INDEXES)}

    def __init__(self) -> None:
        for name, size in self.ROWS.items():
            setattr(self, name, [0] * size)
        for name, row in self.looked_up().items():
            getattr(self, name)[:] = row
        self._keep()

    def _keep(self) -> None:
        """Connect the indexed fields with their indexes."""
        rows = self.__dict__
        for name, index in self.INDEXES.items():
            rows[index.field] = IndexedRow(rows[index.field], rows[name], index.marks)

    def looked_up(self) -> dict[str, Ints]:
        """Compute each index from its field."""
        rows = {}
        for name, index in self.INDEXES.items():
            row = rows[name] = [0] * self.ROWS[name]
            for number, mark in zip(getattr(self, index.field), index.marks, strict=False):
                if 0 <= number < len(row):
                    row[number] += mark
        return rows

    @classmethod
    def numbers(cls, *names: str) -> tuple[int, ...]:
        """Return the numbers of the fields with these names."""
        return tuple(cls.NAMES.index(name) for name in names)

    def beyond(self) -> list[str]:
        """Describe each value that is outside the range of its field."""
        errors = []
        for name, row, values in zip(self.NAMES, self.rows(), self.RANGES, strict=True):
            if min(row) < values.start or max(row) >= values.stop:
                wrong = {number for number in row if number not in values and number != HIDDEN}
                errors += [
                    f"{name} is {number}, but must be from {values[0]} to {values[-1]}" for number in sorted(wrong)
                ]
        return errors

    def since(self, start: Table, ignore: Collection[int] = ()) -> Changes:
        """Return the fields that differ from another table, except those to ignore; the result is hashable."""
        pairs = enumerate(zip(self.rows(), start.rows(), strict=True))
        return tuple((number, *row) for number, (row, first) in pairs if row != first and number not in ignore)

    def changed(self, changes: Changes) -> Self:
        """Return a copy with these fields replaced."""
        other = self.copy()
        for number, *row in changes:
            other.rows()[number][:] = row
        return other

    def rows(self) -> tuple[Ints, ...]:
        """Return all fields, in the order of their numbers."""
        return tuple(self.__dict__.values())[: len(self.NAMES)]

    def all_rows(self) -> tuple[Ints, ...]:
        """Return the fields, followed by their indexes."""
        return tuple(self.__dict__.values())

    def copy(self) -> Self:
        copy = object.__new__(type(self))
        copy.__dict__ = {name: row[:] for name, row in self.__dict__.items()}
        if self.INDEXES:
            copy._keep()
        return copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.rows() == other.rows()

    __hash__ = None  # type: ignore[assignment]  # a table is mutable


def lay(tables: list[Table], place: int, table: Table) -> None:
    """Set tables[place] to an independent copy of a table.

    >>> table = crashlab.game("autoscooter").start(seed=7).table
    >>> tables = [table, table]
    >>> lay(tables, 1, table)
    >>> tables[1] == table, tables[1] is table
    (True, False)
    """
    tables[place] = table.copy()


def tally(trace: Trace | None, counts: Ints, first: int, rules: int) -> None:
    """Empty a trace into counts[first:]: notes by rule, changes by rule, changes by field.

    >>> trace, counts = Trace(), [0] * 8
    >>> bump = note(0, NOWHERE, 1, 2, 0, 0, trace)
    >>> paid = happen([5, 5], 2, 1, 3, 1, bump, trace)
    >>> tally(trace, counts, first=0, rules=2)
    >>> counts
    [1, 0, 0, 1, 0, 0, 1, 0]
    """
    if trace is None:
        return
    for _beat, rule, _cause, field, *_ in trace.rows:
        if field == NOTE:
            counts[first + rule] += 1
        else:
            counts[first + rules + rule] += 1
            counts[first + 2 * rules + field] += 1
    trace.rows.clear()


def copy_moving(tables: list[Table], place: int, other: int, fields: Ints) -> None:
    """Copy the fields that can change from tables[other] to tables[place]."""
    copy, model = tables[place].rows(), tables[other].rows()
    for field in range(len(copy)):
        if fields[FIELD * field + ROLE] != STILL:
            copy[field][:] = model[field]


def write_pairs(tables: list[Table], place: int, other: int, fields: Ints, key: Ints, first: int) -> int:
    """Write a (spot, value) pair to key[first:] for each MOVING value of tables[place] that differs in tables[other].

    Return the end of the pairs. Among the tables of one game, the pairs identify the position.
    """
    model = tables[other].rows()
    for field, row in enumerate(tables[place].rows()):
        if fields[FIELD * field + ROLE] == MOVING and row != model[field]:
            for index in range(len(row)):
                if row[index] != model[field][index]:
                    key[first], key[first + 1] = SPOT * field + index, row[index]
                    first += 2
    return first


def apply_pairs(tables: list[Table], place: int, fields: Ints, keys: Ints, first: int, last: int) -> None:
    """Apply the (spot, value) pairs in keys[first:last] to tables[place]."""
    rows = tables[place].rows()
    for number in range(first, last, 2):
        rows[keys[number] // SPOT][keys[number] % SPOT] = keys[number + 1]


def clear(row: Ints, first: int, last: int) -> None:
    """Set row[first:last] to 0, such as a scratch range of `out` in `legal`.

    >>> row = [1, 2, 3, 4]
    >>> clear(row, 1, 3)
    >>> row
    [1, 0, 0, 4]
    """
    row[first:last] = [0] * (last - first)


def replay(table: Table, rows: Iterable[tuple[int, ...]]) -> None:
    """Repeat the changes of a trace on a table; notes change nothing.

    >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
    >>> turn = state.play({"A": "17 FF", "B": None})
    >>> table = turn.before.table.copy()
    >>> replay(table, turn.rows)
    >>> table == turn.after.table
    True
    """
    fields = table.rows()
    for _beat, _rule, _cause, field, index, before, after, _ in rows:
        if field == NOTE:
            continue
        if fields[field][index] != before:
            raise ValueError(f"replay: {table.NAMES[field]}[{index}] is {fields[field][index]}, not {before}")
        fields[field][index] = after


__all__ = [
    "CHANCE",
    "HIDDEN",
    "NOTE",
    "NOWHERE",
    "Index",
    "Ints",
    "Layout",
    "Row",
    "Table",
    "Trace",
    "clear",
    "happen",
    "latest",
    "lay",
    "next_beat",
    "note",
    "replay",
    "tally",
]
