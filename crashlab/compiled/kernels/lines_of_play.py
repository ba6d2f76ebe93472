"""Lines of play, for what looks at very many positions of one game: plain functions for bodies, as in `random_play`.

The tables of a game differ in a few fields only. So each field has a role in the row `fields` (see `table`): all are
STILL at first, and one that anything has changed is MOVING from then on. Only such fields are copied and compared.

    work     tables, all alike in the fields that are still; the first one is what the others are compared with
    flat     the same tables, as `choose_body.Body.flat` gives them
    trace    notes which fields change; `counts` takes what it has noted (see `table.tally`)
    key      a row for one key, as long as the longest can be
    keys, buckets  the positions that are known (see `hash_table`)
"""

from typing import Any

from crashlab.engine.table import CHANCE, FIELD, MOVING, NOWHERE, ROLE, STILL, Ints, tally

rules: Any = None  # the rules of a game; bound by a body

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
        return CHANCE if rules.only_action(table, CHANCE, out) == NOWHERE else 0
    free, seat = 0, 0
    while bits >> seat != 0:
        if bits >> seat & 1 and rules.only_action(table, seat, out) == NOWHERE:
            free |= 1 << seat
        seat += 1
    return free


def decide(table: Any, bits: int, actor: int, code: int, out: Ints, trace: Any) -> None:
    """Play one decision: the actor this action, the others the only one that they have."""
    if bits == CHANCE:
        rules.apply(table, CHANCE, code if actor == CHANCE else rules.only_action(table, CHANCE, out), trace)
        return
    seat = 0
    while bits >> seat != 0:
        if bits >> seat & 1:
            rules.apply(table, seat, code if actor == seat else rules.only_action(table, seat, out), trace)
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
