"""The tables and arrays of a search over many positions of one game; see `lines_of_play`."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import hash_table
from crashlab.compiled.kernels.lines_of_play import Lines
from crashlab.engine.table import CLOCK, FIELD, FIRST, INDEX, IS_BITS, NOWHERE, ROLE, SIZE, STILL, Table


class SearchWorkspace:
    """The tables and arrays for lines of play from one position; `move` copies them to another backend."""

    def __init__(self, backend: choose_backend.Backend, start: Table, clocks: tuple[str, ...] = ()) -> None:
        self.start = start
        fields = backend.row(FIELD * len(start.SIZES))
        for field, size in enumerate(start.SIZES):
            fields[FIELD * field + FIRST] = sum(start.SIZES[:field])
            fields[FIELD * field + SIZE] = size
            fields[FIELD * field + ROLE] = CLOCK if start.NAMES[field] in clocks else STILL
            fields[FIELD * field + INDEX] = NOWHERE
        places = dict(zip(start.ROWS, accumulate(start.ROWS.values(), initial=0), strict=False))
        for name, index in start.INDEXES.items():
            (field,) = start.numbers(index.field)
            fields[FIELD * field + INDEX], fields[FIELD * field + IS_BITS] = places[name], index.is_bits
        self.backend = backend
        # room for at least one key
        self._lay([start] * 4, fields, backend.row(8 * sum(start.SIZES) + 8), backend.row(1 << 8))

    def _lay(self, tables: Sequence[Table], fields: Any, keys: Any, buckets: Any) -> None:
        """Copy these tables into the backend, and create the scratch arrays, which hold nothing between two calls."""
        backend = self.backend
        width = 2 * len(backend.rules.BOOK) + len(self.start.SIZES)
        self.lines = Lines(
            work=backend.tables(tables),
            fields=fields,
            key=backend.row(2 * sum(self.start.SIZES) + 2),
            keys=keys,
            buckets=buckets,
            out=backend.row(backend.rules.MOST_ACTIONS),
            trace=backend.counter(width),
            counts=backend.row(width),
        )

    @property
    def tables(self) -> list[Table]:
        """Copies of the tables."""
        return [self.backend.table(self.lines.work, place) for place in range(len(self.lines.work))]

    def move(self, backend: choose_backend.Backend) -> None:
        """Move the workspace to another backend."""
        tables, lines, self.backend = self.tables, self.lines, backend
        self._lay(
            tables, *(choose_backend.copied(row, backend.row) for row in (lines.fields, lines.keys, lines.buckets))
        )

    def add_tables(self) -> None:
        """Double the number of tables."""
        lines = self.lines
        self._lay(self.tables + [self.start] * len(lines.work), lines.fields, lines.keys, lines.buckets)

    def widen(self) -> None:
        """Lengthen the arrays if there is no room for another position."""
        keys, buckets = self.lines.keys, self.lines.buckets
        if hash_table.next_key(keys) + len(self.lines.key) > len(keys):
            self.lines = self.lines._replace(keys=choose_backend.copied(keys, self.backend.row, 2))
        if hash_table.size(keys) == len(buckets):
            self.lines = self.lines._replace(buckets=self.backend.row(2 * len(buckets)))
            self.backend.bind(hash_table.spread)(self.lines.keys, self.lines.buckets)
