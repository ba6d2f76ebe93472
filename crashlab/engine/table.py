"""The one door: the only code that changes a table, and the only code that leaves an event.

A *table* is a game's state: named fields, each a row of ints. A *trace* is the list of what happened to it.

    happen   sets one number of one field and leaves the event
    note     leaves an event that changes nothing by itself (a crash, a limit, a ruling)
    next_beat  what follows happens later; events of one beat happen at the same time
    latest   the last event that changed a number, so that it can be cited much later
    replay   makes the changes of a trace again, knowing nothing of any rule
    lay, tally      for many games in a row: a fresh copy of a table; a trace emptied into counts
    resemble, differences, amend    for many positions of one game: only the fields that ever change in it
    clear    no change of a table: a part of a row on which rules note what they need, set to 0

A table can keep an *index* of a field (`Index`): where in it each number stands, which rules look up instead of looking
for it. The door keeps it: a field that has one is a `KeptRow`, and whatever changes that changes the index too.

Why it looks as it does: a rule passes the field (`table.speed`) and the field's number, because compiled code can
take a row as an argument but cannot look a name up. A rule passes `trace=None` when nobody watches; the door is
then only the assignment. The number of an event is returned, so that later events can cite it as their cause.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, ClassVar, NamedTuple, Self, get_type_hints

Ints = list[int]
"""A row of a table.

    >>> row: Ints = crashlab.game("autoscooter", players=3).start().table.players
    >>> row
    [3]
"""

Changes = tuple[tuple[int, ...], ...]  # rows of a table, each behind the number of its field

NOWHERE = -1
"""No cell, no car, no seat, no event.

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
"""In a view, and nowhere else: a number that the onlooker does not know.

    >>> state = crashlab.game("crash_by_crash", players=4).start(seed=1)
    >>> [seat for seat in range(4) if HIDDEN in state.seen_by(seat).table.hand]
    [0, 1, 2, 3]
"""

NOTE = -1
"""Stands where a change has its field.

    >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
    >>> [row.numbers for row in state.play({"A": "17 FF", "B": None}).rows if row.field == NOTE]
    [(1, 2, 1, 2), (1, 2, 2, 2), (2, 0, 1, 2), (2, 0, 2, 0)]
"""

MOST_LETTERS = 6  # of an action, for programs that choose by these
NOT_CHOSEN = -1  # in an observation: a letter that is not chosen yet

# Where many positions of one game are looked at, of each row of a table five numbers: where it begins among the numbers
# of a table, how many numbers it has, and its role; and of a field with an index where that begins, or NOWHERE, and
# whether it has bits. What is STILL never changes in this game and is alike on all tables; a CLOCK changes, and tells
# no positions apart.
FIRST, SIZE, ROLE, INDEX, IS_BITS = range(5)
FIELD = 5
STILL, MOVING, CLOCK = range(3)
SPOT = 1 << 16  # a number of a table is at SPOT * field + index


class Row(NamedTuple):
    """One thing that happened: a change of one number of a field, or a note.

    A note has NOTE for its field, and then four numbers, `numbers`, whose names are in the rulebook.

        >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
        >>> row = state.play({"A": "17 FF", "B": None}).rows[6]
        >>> row
        Row(beat=5, rule=7, cause=4, field=13, index=0, before=12, after=13, last=0)
    """

    beat: int
    rule: int
    cause: int  # the number of an earlier row, or NOWHERE
    field: int
    index: int  # type: ignore[assignment]  # a tuple's method of this name is not needed
    before: int
    after: int
    last: int = 0  # the fourth number of a note

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        """The four numbers of a note."""
        return self.index, self.before, self.after, self.last


class Trace:
    """What happened, in order: plain tuples with the numbers of a Row, which take half the time to make.

    >>> trace, speed = Trace(), [0, 0]
    >>> first = happen(speed, 3, 1, 2, 7, NOWHERE, trace)
    >>> trace.rows
    [(1, 7, -1, 3, 1, 0, 2, 0)]
    """

    __slots__ = ("beat", "rows")

    def __init__(self) -> None:
        self.beat = 1  # beat 0 is the table before anything
        self.rows: list[tuple[int, ...]] = []


def happen(field: Ints, number: int, index: int, new: int, rule: int, cause: int, trace: Trace | None) -> int:
    """Set field[index] to new; the number of the event, or the cause itself where nothing changed.

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
    """Tell something that changes nothing by itself; the number of the event.

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
    """What follows happens after what went before.

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
    """The number of the last event that changed field[index]; NOWHERE if none did, or nobody watches.

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


BITS, PLACES = tuple(1 << place for place in range(63)), tuple(range(4096))  # what places count


class Index(NamedTuple):
    """Where in a field each number from 0 on stands: as bits, or of what stands there once as its place in the field.

    It is declared beside the fields, `name: Annotated[Ints, size, Index("field")]`, is no field itself, and follows
    from one: no event tells of it, no position says it, and equal fields have equal indexes. Each place in the field
    counts 1 << place, or itself, for the number that stands there. Negative numbers have no place in it.

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
        """What each place in the field counts."""
        return BITS if self.is_bits else PLACES


class KeptRow(Ints):
    """A field that has an index."""

    __slots__ = ("kept", "marks")

    def __init__(self, numbers: Ints, index: Ints, marks: tuple[int, ...]) -> None:
        list.__init__(self, numbers)
        self.kept, self.marks = index, marks

    def __setitem__(self, place: Any, new: Any) -> None:
        """Set one number, or those of a slice, and keep the index."""
        if place.__class__ is slice:
            numbers = self[:]
            numbers[place] = new
            for each, number in enumerate(numbers):
                if number != self[each]:
                    self[each] = number
            return
        index, before, mark = self.kept, self[place], self.marks[place]
        if 0 <= before < len(index):
            index[before] -= mark
        if 0 <= new < len(index):
            index[new] += mark
        list.__setitem__(self, place, new)


class Layout:
    """Named rows of ints, `name: Annotated[Ints, size]`, that lie one after another in a longer row.

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
        """The size of each row, and what else stands in its annotation."""
        hints = get_type_hints(cls, include_extras=True)
        return {name: hint.__metadata__ for name, hint in hints.items() if hasattr(hint, "__metadata__")}

    @classmethod
    def places(cls, first: int) -> tuple[int, ...]:
        """Where each begins, if the first one begins there."""
        return tuple(first + sum(cls.SIZES[:number]) for number in range(len(cls.SIZES)))


class Table(Layout):
    """The state of a game: each annotated field `name: Annotated[Ints, size, range]` is a row of `size` ints.

    The range says which numbers can stand in it at any moment of any game (views aside, where HIDDEN can).

    A field's number is its place among the annotations. A subclass adds fields and their indexes and nothing else, so
    that a copy is a copy of its rows and equality is the equality of its fields.

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
    ROWS: ClassVar[dict[str, int]] = {}  # the sizes of all rows: the fields, and behind them the indexes

    def __init_subclass__(cls) -> None:
        """Read the fields from the annotations, and their indexes."""
        known = cls.declared()
        cls.INDEXES = {name: what for name, (_, what) in known.items() if isinstance(what, Index)}
        fields = {name: known[name] for name in known if name not in cls.INDEXES}
        cls.NAMES, cls.SIZES = tuple(fields), tuple(size for size, _ in fields.values())
        cls.RANGES = tuple(known for _, known in fields.values())
        for name, index in cls.INDEXES.items():
            if known[name][0] < known[index.field][1].stop:
                raise TypeError(f"{name} has no place for the greatest number of {index.field}")
        cls.ROWS = {name: known[name][0] for name in (*fields, *cls.INDEXES)}

    def __init__(self) -> None:
        for name, size in self.ROWS.items():
            setattr(self, name, [0] * size)
        for name, row in self.looked_up().items():
            getattr(self, name)[:] = row
        self._keep()

    def _keep(self) -> None:
        """Tie the fields that have an index to it."""
        rows = self.__dict__
        for name, index in self.INDEXES.items():
            rows[index.field] = KeptRow(rows[index.field], rows[name], index.marks)

    def looked_up(self) -> dict[str, Ints]:
        """What stands in each index, found by looking through its field."""
        found = {}
        for name, index in self.INDEXES.items():
            row = found[name] = [0] * self.ROWS[name]
            for number, mark in zip(getattr(self, index.field), index.marks, strict=False):
                if 0 <= number < len(row):
                    row[number] += mark
        return found

    @classmethod
    def numbers(cls, *names: str) -> tuple[int, ...]:
        """The numbers of these fields."""
        return tuple(cls.NAMES.index(name) for name in names)

    def beyond(self) -> list[str]:
        """What stands in a field and is not in its range, in words."""
        found = []
        for name, row, known in zip(self.NAMES, self.rows(), self.RANGES, strict=True):
            if min(row) < known.start or max(row) >= known.stop:
                wrong = {number for number in row if number not in known and number != HIDDEN}
                found += [f"{name} {number} is not from {known[0]} to {known[-1]}" for number in sorted(wrong)]
        return found

    def since(self, start: Table, ignore: Collection[int] = ()) -> Changes:
        """The rows that are not as in another table, but for fields with these numbers; a key for what came from it."""
        pairs = enumerate(zip(self.rows(), start.rows(), strict=True))
        return tuple((number, *row) for number, (row, first) in pairs if row != first and number not in ignore)

    def changed(self, changes: Changes) -> Self:
        """A copy with these rows."""
        other = self.copy()
        for number, *row in changes:
            other.rows()[number][:] = row
        return other

    def rows(self) -> tuple[Ints, ...]:
        """All fields, in the order of their numbers."""
        return tuple(self.__dict__.values())[: len(self.NAMES)]

    def all_rows(self) -> tuple[Ints, ...]:
        """The fields, and behind them their indexes."""
        return tuple(self.__dict__.values())

    def copy(self) -> Self:
        """An independent copy."""
        made = object.__new__(type(self))
        made.__dict__ = {name: row[:] for name, row in self.__dict__.items()}
        if self.INDEXES:
            made._keep()
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.rows() == other.rows()

    __hash__ = None  # type: ignore[assignment]  # a table changes


def lay(tables: list[Table], place: int, table: Table) -> None:
    """Lay an independent copy of the table on this place of a row of tables.

    >>> table = crashlab.game("autoscooter").start(seed=7).table
    >>> tables = [table, table]
    >>> lay(tables, 1, table)
    >>> tables[1] == table, tables[1] is table
    (True, False)
    """
    tables[place] = table.copy()


def tally(trace: Trace | None, counts: Ints, first: int, rules: int) -> None:
    """Empty the trace into counts, from place `first` on: notes by rule, changes by rule, changes by field.

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


def resemble(tables: list[Table], place: int, other: int, fields: Ints) -> None:
    """Have the table on this place be like another one, in the fields that change."""
    copy, model = tables[place].rows(), tables[other].rows()
    for field in range(len(copy)):
        if fields[FIELD * field + ROLE] != STILL:
            copy[field][:] = model[field]


def differences(tables: list[Table], place: int, other: int, fields: Ints, key: Ints, first: int) -> int:
    """Write to `key`, from `first` on, where a table is not like another one, and what stands there; where that ends.

    That is a key: among the tables of one game, it is like the other one elsewhere.
    """
    model = tables[other].rows()
    for field, row in enumerate(tables[place].rows()):
        if fields[FIELD * field + ROLE] == MOVING and row != model[field]:
            for index in range(len(row)):
                if row[index] != model[field][index]:
                    key[first], key[first + 1] = SPOT * field + index, row[index]
                    first += 2
    return first


def amend(tables: list[Table], place: int, fields: Ints, keys: Ints, first: int, last: int) -> None:
    """Have the table on this place differ so, from `first` on and before `last`, from what it is like."""
    rows = tables[place].rows()
    for number in range(first, last, 2):
        rows[keys[number] // SPOT][keys[number] % SPOT] = keys[number + 1]


def clear(row: Ints, first: int, last: int) -> None:
    """Set the numbers of a row to 0, from `first` on and before `last`, such as those of `out` in `legal`.

    >>> row = [1, 2, 3, 4]
    >>> clear(row, 1, 3)
    >>> row
    [1, 0, 0, 4]
    """
    row[first:last] = [0] * (last - first)


def replay(table: Table, rows: Iterable[tuple[int, ...]]) -> None:
    """Make the changes of these rows on the table; notes change nothing.

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
