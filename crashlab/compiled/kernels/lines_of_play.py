"""Lines of play for searches over many positions of one game: plain functions for backends, as in `random_play`.

The tables of a game differ only in a few fields. So the array `fields` (see `table`) has a role for each field: STILL
at first, and MOVING from the field's first change on. Only moving fields are copied and compared.
"""

from typing import Any, NamedTuple

from crashlab.engine.table import CHANCE, FIELD, MOVING, NOWHERE, ROLE, STILL, Ints, tally

rules: Any = None  # the rules of a game, bound by a backend

NOBODY = -2  # no actor


class Lines(NamedTuple):
    """The rows of a search."""

    work: Any  # tables, all equal in the still fields; moving fields are compared with those of the first table
    fields: Ints  # the description of each field (see `table`)
    key: Ints  # room for the longest possible key
    keys: Ints  # the known positions: see `hash_table`, as for `buckets`
    buckets: Ints
    out: Ints
    trace: Any  # counts the changes by field
    counts: Ints  # receives these counts (see `table.tally`)


def play(table: Any, actor: int, code: int, out: Ints, trace: Any) -> int:
    """Play one actor's action and all forced decisions; return the next actors as in `settle`."""
    decide(table, rules.actors(table), actor, code, out, trace)
    return settle(table, out, trace)


def settle(table: Any, out: Ints, trace: Any) -> int:
    """Play all forced decisions; return the actors with a choice, as bits or CHANCE, 0 at the end."""
    bits = rules.actors(table)
    free = with_choice(table, bits, out)
    while bits != 0 and free == 0:
        decide(table, bits, NOBODY, NOWHERE, out, trace)
        bits = rules.actors(table)
        free = with_choice(table, bits, out)
    return free


def with_choice(table: Any, bits: int, out: Ints) -> int:
    """Return the actors that have a choice, as bits or CHANCE; 0 if there are none."""
    if bits == CHANCE:
        return CHANCE if rules.only_action(table, CHANCE, out) == NOWHERE else 0
    free, seat = 0, 0
    while bits >> seat != 0:
        if bits >> seat & 1 and rules.only_action(table, seat, out) == NOWHERE:
            free |= 1 << seat
        seat += 1
    return free


def decide(table: Any, bits: int, actor: int, code: int, out: Ints, trace: Any) -> None:
    """Play one decision: `code` for the actor, the only action for the others."""
    if bits == CHANCE:
        rules.apply(table, CHANCE, code if actor == CHANCE else rules.only_action(table, CHANCE, out), trace)
        return
    seat = 0
    while bits >> seat != 0:
        if bits >> seat & 1:
            rules.apply(table, seat, code if actor == seat else rules.only_action(table, seat, out), trace)
        seat += 1


def seat_of(bits: int) -> int:
    """Return the seat, 0 or 1, if it alone has a choice; NOBODY if both, neither or chance decide."""
    return bits - 1 if bits == 1 or bits == 2 else NOBODY


def note_fields(lines: Lines) -> None:
    """Mark the fields that the trace has counted as MOVING."""
    count = len(lines.fields) // FIELD
    first = len(lines.counts) - count
    tally(lines.trace, lines.counts, 0, first // 2)
    for field in range(count):
        if lines.counts[first + field] > 0 and lines.fields[FIELD * field + ROLE] == STILL:
            lines.fields[FIELD * field + ROLE] = MOVING
