"""The tables and arrays of a search over many positions of one game; see `lines_of_play`."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import hash_table
from crashlab.engine.table import CLOCK, FIELD, FIRST, INDEX, IS_BITS, NOWHERE, ROLE, SIZE, STILL, Table


class SearchWorkspace:
    """The tables and arrays for lines of play from one position; `move` copies them to another backend."""

    def __init__(self, backend: choose_backend.Backend, start: Table, clocks: tuple[str, ...] = ()) -> None:
        self.start = start
        self.fields = backend.row(FIELD * len(start.SIZES))
        for field, size in enumerate(start.SIZES):
            self.fields[FIELD * field + FIRST] = sum(start.SIZES[:field])
            self.fields[FIELD * field + SIZE] = size
            self.fields[FIELD * field + ROLE] = CLOCK if start.NAMES[field] in clocks else STILL
            self.fields[FIELD * field + INDEX] = NOWHERE
        places = dict(zip(start.ROWS, accumulate(start.ROWS.values(), initial=0), strict=False))
        for name, index in start.INDEXES.items():
            (field,) = start.numbers(index.field)
            self.fields[FIELD * field + INDEX], self.fields[FIELD * field + IS_BITS] = places[name], index.is_bits
        self.backend = backend
        self._lay([start] * 4)
        self.keys, self.buckets = backend.row(4 * len(self.key)), backend.row(1 << 8)  # room for at least one key

    def _lay(self, tables: Sequence[Table]) -> None:
        """Copy these tables into the backend, and create the scratch arrays, which hold nothing between two calls."""
        backend = self.backend
        self.work: Any = backend.tables(tables)
        self.key, self.out = backend.row(2 * sum(self.start.SIZES) + 2), backend.row(backend.rules.MOST_ACTIONS)
        width = 2 * len(backend.rules.BOOK) + len(self.start.SIZES)
        self.trace, self.counts = backend.counter(width), backend.row(width)

    @property
    def rows(self) -> tuple[Any, ...]:
        """The arguments that the functions of `lines_of_play` share."""
        flat = self.backend.flat(self.work)
        return self.work, flat, self.fields, self.key, self.keys, self.buckets, self.out, self.trace, self.counts

    def move(self, backend: choose_backend.Backend) -> None:
        """Move the workspace to another backend."""
        tables = [self.backend.table(self.work, place) for place in range(len(self.work))]
        self.backend = backend
        self.fields, self.keys, self.buckets = (
            choose_backend.same(row, backend.row) for row in (self.fields, self.keys, self.buckets)
        )
        self._lay(tables)

    def add_tables(self) -> None:
        """Double the number of tables."""
        tables = [self.backend.table(self.work, place) for place in range(len(self.work))]
        self._lay(tables + [self.start] * len(tables))

    def widen(self) -> None:
        """Lengthen the arrays if there is no room for another position."""
        keys, buckets = self.keys, self.buckets
        if hash_table.next_key(keys) + len(self.key) > len(keys):
            self.keys = choose_backend.longer(keys, self.backend.row)
        if hash_table.size(keys) == len(buckets):
            self.buckets = self.backend.row(2 * len(buckets))
            self.backend.bind(hash_table.spread)(self.keys, self.buckets)
