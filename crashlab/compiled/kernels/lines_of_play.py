"""Lines of play, for what looks at very many positions of one game: plain functions for `twin`, as in `playout`.

The tables of a game differ in a few fields only. So each field has a role in the row `fields` (see `happen`): all are
STILL at first, and one that anything has changed is MOVING from then on. Only such fields are copied and compared.

    work     tables, all alike in the fields that are still; the first one is what the others are compared with
    flat     the same tables, as `twin.Body.flat` gives them
    trace    notes which fields change; `counts` takes what it has noted (see `happen.tally`)
    key      a row for one key, as long as the longest can be
    keys, buckets  the positions that are known (see `register`)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crashlab.compiled import bodies as twin
from crashlab.compiled.kernels import hash_table as register
from crashlab.engine.table import CHANCE, CLOCK, FIELD, FIRST, MOVING, NOWHERE, ROLE, SIZE, STILL, Ints, Table, tally

rules: Any = None  # the rules of a game; bound by `twin`

NOBODY = -2  # no actor


def play(table: Any, actor: int, code: int, out: Ints, trace: Any) -> int:
    """An action of one actor, and what follows without a choice; who decides then, as `settle` says it."""
    decide(table, rules.actors(table), actor, code, out, trace)
    return settle(table, out, trace)


def settle(table: Any, out: Ints, trace: Any) -> int:
    """Take every decision in which nobody has a choice; who has one then, as bits: CHANCE, or 0 at the end."""
    bits = rules.actors(table)
    free = with_choice(table, bits, out)
    while bits != 0 and free == 0:
        decide(table, bits, NOBODY, NOWHERE, out, trace)
        bits = rules.actors(table)
        free = with_choice(table, bits, out)
    return free


def with_choice(table: Any, bits: int, out: Ints) -> int:
    """Those of the actors that have a choice."""
    if bits == CHANCE:
        return CHANCE if rules.forced(table, CHANCE, out) == NOWHERE else 0
    free, seat = 0, 0
    while bits >> seat != 0:
        if bits >> seat & 1 and rules.forced(table, seat, out) == NOWHERE:
            free |= 1 << seat
        seat += 1
    return free


def decide(table: Any, bits: int, actor: int, code: int, out: Ints, trace: Any) -> None:
    """Play one decision: the actor this action, the others the only one that they have."""
    if bits == CHANCE:
        rules.apply(table, CHANCE, code if actor == CHANCE else rules.forced(table, CHANCE, out), trace)
        return
    seat = 0
    while bits >> seat != 0:
        if bits >> seat & 1:
            rules.apply(table, seat, code if actor == seat else rules.forced(table, seat, out), trace)
        seat += 1


def seat_of(bits: int) -> int:
    """The one of two seats that has a choice alone; NOBODY if there is none, or chance decides."""
    return bits - 1 if bits == 1 or bits == 2 else NOBODY


def note_fields(trace: Any, counts: Ints, fields: Ints) -> None:
    """Have the fields that were changed move from now on."""
    known = len(fields) // FIELD
    first = len(counts) - known
    tally(trace, counts, 0, first // 2)
    for field in range(known):
        if counts[first + field] > 0 and fields[FIELD * field + ROLE] == STILL:
            fields[FIELD * field + ROLE] = MOVING


class Desk:
    """The tables and rows on which lines are played from one position, in one body or another."""

    def __init__(self, body: twin.Body, start: Table, clocks: tuple[str, ...] = ()) -> None:
        self.start = start
        self.fields = body.row(FIELD * len(start.SIZES))
        for field, size in enumerate(start.SIZES):
            self.fields[FIELD * field + FIRST] = sum(start.SIZES[:field])
            self.fields[FIELD * field + SIZE] = size
            self.fields[FIELD * field + ROLE] = CLOCK if start.NAMES[field] in clocks else STILL
        self.body = body
        self._lay([start] * 4)
        self.keys, self.buckets = body.row(4 * len(self.key)), body.row(1 << 8)  # room for a key at least

    def _lay(self, tables: Sequence[Table]) -> None:
        """Lay these tables, and rows beside them that are empty between two calls."""
        body = self.body
        self.work: Any = body.tables(tables)
        self.key, self.out = body.row(2 * sum(self.start.SIZES) + 2), body.row(body.rules.MOST_ACTIONS)
        width = 2 * len(body.rules.BOOK) + len(self.start.SIZES)
        self.trace, self.counts = body.counter(width), body.row(width)

    @property
    def rows(self) -> tuple[Any, ...]:
        """What the functions take."""
        flat = self.body.flat(self.work)
        return self.work, flat, self.fields, self.key, self.keys, self.buckets, self.out, self.trace, self.counts

    def move(self, body: twin.Body) -> None:
        """Go on in this body."""
        tables = [self.body.table(self.work, place) for place in range(len(self.work))]
        self.body = body
        self.fields, self.keys, self.buckets = (
            twin.same(row, body.row) for row in (self.fields, self.keys, self.buckets)
        )
        self._lay(tables)

    def add_tables(self) -> None:
        """Lay twice as many tables."""
        tables = [self.body.table(self.work, place) for place in range(len(self.work))]
        self._lay(tables + [self.start] * len(tables))

    def widen(self) -> None:
        """Make room for a position, if there is none."""
        keys, buckets = self.keys, self.buckets
        if register.next_key(keys) + len(self.key) > len(keys):
            self.keys = twin.longer(keys, self.body.row)
        if register.known(keys) == len(buckets):
            self.buckets = self.body.row(2 * len(buckets))
            self.body.bind(register.spread)(self.keys, self.buckets)
