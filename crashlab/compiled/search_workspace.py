"""The tables and arrays of a search over many positions of one game; see `lines_of_play`."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from crashlab.compiled import choose_body
from crashlab.compiled.kernels import hash_table
from crashlab.engine.table import CLOCK, FIELD, FIRST, INDEX, IS_BITS, NOWHERE, ROLE, SIZE, STILL, Table


class SearchWorkspace:
    """The tables and arrays for lines of play from one position, in a body that can be exchanged."""

    def __init__(self, body: choose_body.Body, start: Table, clocks: tuple[str, ...] = ()) -> None:
        self.start = start
        self.fields = body.row(FIELD * len(start.SIZES))
        for field, size in enumerate(start.SIZES):
            self.fields[FIELD * field + FIRST] = sum(start.SIZES[:field])
            self.fields[FIELD * field + SIZE] = size
            self.fields[FIELD * field + ROLE] = CLOCK if start.NAMES[field] in clocks else STILL
            self.fields[FIELD * field + INDEX] = NOWHERE
        places = dict(zip(start.ROWS, accumulate(start.ROWS.values(), initial=0), strict=False))
        for name, index in start.INDEXES.items():
            (field,) = start.numbers(index.field)
            self.fields[FIELD * field + INDEX], self.fields[FIELD * field + IS_BITS] = places[name], index.is_bits
        self.body = body
        self._lay([start] * 4)
        self.keys, self.buckets = body.row(4 * len(self.key)), body.row(1 << 8)  # room for at least one key

    def _lay(self, tables: Sequence[Table]) -> None:
        """Create these tables and the scratch arrays, which hold nothing between two calls."""
        body = self.body
        self.work: Any = body.tables(tables)
        self.key, self.out = body.row(2 * sum(self.start.SIZES) + 2), body.row(body.rules.MOST_ACTIONS)
        width = 2 * len(body.rules.BOOK) + len(self.start.SIZES)
        self.trace, self.counts = body.counter(width), body.row(width)

    @property
    def rows(self) -> tuple[Any, ...]:
        """The arguments that the functions of `lines_of_play` share."""
        flat = self.body.flat(self.work)
        return self.work, flat, self.fields, self.key, self.keys, self.buckets, self.out, self.trace, self.counts

    def move(self, body: choose_body.Body) -> None:
        """Move the workspace to another body."""
        tables = [self.body.table(self.work, place) for place in range(len(self.work))]
        self.body = body
        self.fields, self.keys, self.buckets = (
            choose_body.same(row, body.row) for row in (self.fields, self.keys, self.buckets)
        )
        self._lay(tables)

    def add_tables(self) -> None:
        """Double the number of tables."""
        tables = [self.body.table(self.work, place) for place in range(len(self.work))]
        self._lay(tables + [self.start] * len(tables))

    def widen(self) -> None:
        """Lengthen the arrays if there is no room for another position."""
        keys, buckets = self.keys, self.buckets
        if hash_table.next_key(keys) + len(self.key) > len(keys):
            self.keys = choose_body.longer(keys, self.body.row)
        if hash_table.known(keys) == len(buckets):
            self.buckets = self.body.row(2 * len(buckets))
            self.body.bind(hash_table.spread)(self.keys, self.buckets)
