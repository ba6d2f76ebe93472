"""The doors of `crashlab.engine.table` as they are emitted: for each kind of trace the text that is left of them.

Tables are rows here where they are compared. A trace that counts is a row, as `tally` empties it; one that keeps events
has rows of eight numbers: the beat and how many events there were, and then the events.
"""

from typing import Any

from crashlab.engine import table
from crashlab.engine.table import (
    FIELD,
    FIRST,
    INDEX,
    IS_BITS,
    MOVING,
    NOTE,
    NOWHERE,
    ROLE,
    SIZE,
    SPOT,
    STILL,
    Ints,
    happen,
)

RULES = 0  # how many rules there are; each module says it
Doors = dict[Any, Any]


def set_untold(field: Ints, number: int, index: int, new: int, rule: int, cause: int, trace: Any) -> int:
    """`table.happen` where nobody watches."""
    field[index] = new
    return NOWHERE


def set_counted(field: Ints, number: int, index: int, new: int, rule: int, cause: int, trace: Ints) -> int:
    """`table.happen` where it is counted."""
    if field[index] == new:
        return cause
    field[index] = new
    trace[RULES + rule] += 1
    trace[2 * RULES + number] += 1
    return NOWHERE


def set_told(field: Ints, number: int, index: int, new: int, rule: int, cause: int, trace: Ints) -> int:
    """`table.happen` where it is told."""
    before = field[index]
    if before == new:
        return cause
    field[index] = new
    return tell(rule, cause, number, index, before, new, 0, trace)


def tell(rule: int, cause: int, number: int, a: int, b: int, c: int, d: int, trace: Ints) -> int:
    """Keep an event, if there is room; its number."""
    told = trace[1]
    trace[1] = told + 1
    place = 8 * told + 8
    if place < len(trace):
        trace[place], trace[place + 1], trace[place + 2], trace[place + 3] = trace[0], rule, cause, number
        trace[place + 4], trace[place + 5], trace[place + 6], trace[place + 7] = a, b, c, d
    return told


def note_untold(rule: int, cause: int, a: int, b: int, c: int, d: int, trace: Any) -> int:
    """`note` where nobody watches."""
    return NOWHERE


def note_counted(rule: int, cause: int, a: int, b: int, c: int, d: int, trace: Ints) -> int:
    """`note` where it is counted."""
    trace[rule] += 1
    return NOWHERE


def note_told(rule: int, cause: int, a: int, b: int, c: int, d: int, trace: Ints) -> int:
    """`note` where it is told."""
    return tell(rule, cause, NOTE, a, b, c, d, trace)


def no_beat(trace: Any) -> None:
    """`next_beat` where nothing is told."""


def beat_told(trace: Ints) -> None:
    """`next_beat` where it is told."""
    trace[0] += 1


def nothing_latest(number: int, index: int, trace: Any) -> int:
    """`latest` where nothing is told."""
    return NOWHERE


def latest_told(number: int, index: int, trace: Ints) -> int:
    """`latest`; of a trace that is full only what it has kept."""
    for event in range(min(trace[1], len(trace) // 8 - 1), 0, -1):
        if trace[8 * event + 3] == number and trace[8 * event + 4] == index:
            return event - 1
    return NOWHERE


def nothing_counted(trace: Any, counts: Ints, first: int, rules: int) -> None:
    """`tally` where nobody watches."""


def tally_counted(trace: Ints, counts: Ints, first: int, rules: int) -> None:
    """`tally` of what was counted."""
    for kind in range(len(trace)):
        counts[first + kind] += trace[kind]
        trace[kind] = 0


def set_kept(
    field: Ints, index: Ints, is_bits: int, number: int, place: int, new: int, rule: int, cause: int, trace: Any
) -> int:
    """`table.happen` for a field that has an index."""
    mark = 1 << place if is_bits else place
    if field[place] >= 0:
        index[field[place]] -= mark
    if new >= 0:
        index[new] += mark
    return happen(field, number, place, new, rule, cause, trace)


def resemble(tables: Any, place: int, other: int, fields: Ints) -> None:
    """`table.resemble`."""
    copy, model = tables[place], tables[other]
    for field in range(0, len(fields), FIELD):
        if fields[field + ROLE] != STILL:
            first = fields[field + FIRST]
            for place in range(fields[field + SIZE]):
                put(copy, fields, field, place, model[first + place])


def differences(tables: Any, place: int, other: int, fields: Ints, key: Ints, first: int) -> int:
    """`table.differences`."""
    copy, model = tables[place], tables[other]
    for field in range(len(fields) // FIELD):
        if fields[FIELD * field + ROLE] == MOVING:
            begin = fields[FIELD * field + FIRST]
            for index in range(fields[FIELD * field + SIZE]):
                if copy[begin + index] != model[begin + index]:
                    key[first] = SPOT * field + index
                    key[first + 1] = copy[begin + index]
                    first += 2
    return first


def amend(tables: Any, place: int, fields: Ints, keys: Ints, first: int, last: int) -> None:
    """`table.amend`."""
    for number in range(first, last, 2):
        put(tables[place], fields, FIELD * (keys[number] // SPOT), keys[number] % SPOT, keys[number + 1])


def put(row: Ints, fields: Ints, field: int, place: int, new: int) -> None:
    """Set a number of a table, given as a row, and keep the index of its field."""
    at, index = fields[field + FIRST] + place, fields[field + INDEX]
    if index != NOWHERE:
        mark = 1 << place if fields[field + IS_BITS] else place
        if row[at] >= 0:
            row[index + row[at]] -= mark
        if new >= 0:
            row[index + new] += mark
    row[at] = new


UNTOLD: Doors = {
    table.happen: set_untold,
    table.note: note_untold,
    table.next_beat: no_beat,
    table.latest: nothing_latest,
    table.tally: nothing_counted,
}
COUNTED: Doors = {
    table.happen: set_counted,
    table.note: note_counted,
    table.next_beat: no_beat,
    table.latest: nothing_latest,
    table.tally: tally_counted,
}
TOLD: Doors = {
    table.happen: set_told,
    table.note: note_told,
    table.next_beat: beat_told,
    table.latest: latest_told,
}
PLAIN: Doors = {table.resemble: resemble, table.differences: differences, table.amend: amend}
BY_TRACE = {"none": UNTOLD, "counts": COUNTED, "told": TOLD}
