"""The compiled versions of the doors of `crashlab.engine.table`, one version for each kind of trace.

A door is a function that changes a table or records an event. A function that compares tables takes them as rows. A
counting trace is a row of counts, which `tally` empties. A trace that keeps events has rows of eight numbers: the first
row has the beat and the number of events, each other row is an event.
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

RULES = 0  # the number of rules, replaced in each module
Doors = dict[Any, Any]


def set_untold(field: Ints, number: int, index: int, new: int, rule: int, cause: int, trace: Any) -> int:
    """Set field[index] to new: `table.happen` without a trace."""
    field[index] = new
    return NOWHERE


def set_counted(field: Ints, number: int, index: int, new: int, rule: int, cause: int, trace: Ints) -> int:
    """Set field[index] to new and count the change: `table.happen` for a counting trace."""
    if field[index] == new:
        return cause
    field[index] = new
    trace[RULES + rule] += 1
    trace[2 * RULES + number] += 1
    return NOWHERE


def set_told(field: Ints, number: int, index: int, new: int, rule: int, cause: int, trace: Ints) -> int:
    """Set field[index] to new and record the event: `table.happen` for a trace that keeps events."""
    before = field[index]
    if before == new:
        return cause
    field[index] = new
    return tell(rule, cause, number, index, before, new, 0, trace)


def tell(rule: int, cause: int, number: int, a: int, b: int, c: int, d: int, trace: Ints) -> int:
    """Record an event if there is room, and return its number."""
    count = trace[1]
    trace[1] = count + 1
    place = 8 * count + 8
    if place < len(trace):
        trace[place], trace[place + 1], trace[place + 2], trace[place + 3] = trace[0], rule, cause, number
        trace[place + 4], trace[place + 5], trace[place + 6], trace[place + 7] = a, b, c, d
    return count


def note_untold(rule: int, cause: int, a: int, b: int, c: int, d: int, trace: Any) -> int:
    """Return NOWHERE: `table.note` without a trace."""
    return NOWHERE


def note_counted(rule: int, cause: int, a: int, b: int, c: int, d: int, trace: Ints) -> int:
    """Count the rule: `table.note` for a counting trace."""
    trace[rule] += 1
    return NOWHERE


def note_told(rule: int, cause: int, a: int, b: int, c: int, d: int, trace: Ints) -> int:
    """Record the note: `table.note` for a trace that keeps events."""
    return tell(rule, cause, NOTE, a, b, c, d, trace)


def no_beat(trace: Any) -> None:
    """Do nothing: `table.next_beat` for a trace without events."""


def beat_told(trace: Ints) -> None:
    """Start the next beat: `table.next_beat` for a trace that keeps events."""
    trace[0] += 1


def nothing_latest(number: int, index: int, trace: Any) -> int:
    """Return NOWHERE: `table.latest` for a trace without events."""
    return NOWHERE


def latest_told(number: int, index: int, trace: Ints) -> int:
    """Search the recorded events: `table.latest` for a trace that keeps events.

    Events without room in the trace are not found.
    """
    for event in range(min(trace[1], len(trace) // 8 - 1), 0, -1):
        if trace[8 * event + 3] == number and trace[8 * event + 4] == index:
            return event - 1
    return NOWHERE


def nothing_counted(trace: Any, counts: Ints, first: int, rules: int) -> None:
    """Do nothing: `table.tally` without a trace."""


def tally_counted(trace: Ints, counts: Ints, first: int, rules: int) -> None:
    """Add the counts of the trace to `counts` and clear them: `table.tally` for a counting trace."""
    for kind in range(len(trace)):
        counts[first + kind] += trace[kind]
        trace[kind] = 0


def set_kept(
    field: Ints, index: Ints, is_bits: int, number: int, place: int, new: int, rule: int, cause: int, trace: Any
) -> int:
    """Update the index of a field and set the value: `table.happen` for an indexed field."""
    mark = 1 << place if is_bits else place
    if field[place] >= 0:
        index[field[place]] -= mark
    if new >= 0:
        index[new] += mark
    return happen(field, number, place, new, rule, cause, trace)


def copy_moving(tables: Any, place: int, other: int, fields: Ints) -> None:
    """Copy the changing fields of tables[other] to tables[place]: `table.copy_moving`."""
    copy, model = tables[place], tables[other]
    for field in range(0, len(fields), FIELD):
        if fields[field + ROLE] != STILL:
            first = fields[field + FIRST]
            for place in range(fields[field + SIZE]):
                put(copy, fields, field, place, model[first + place])


def write_pairs(tables: Any, place: int, other: int, fields: Ints, key: Ints, first: int) -> int:
    """Write the differences of two tables to `key` and return their end: `table.write_pairs`."""
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


def apply_pairs(tables: Any, place: int, fields: Ints, keys: Ints, first: int, last: int) -> None:
    """Apply the (spot, value) pairs in keys[first:last] to tables[place]: `table.apply_pairs`."""
    for number in range(first, last, 2):
        put(tables[place], fields, FIELD * (keys[number] // SPOT), keys[number] % SPOT, keys[number + 1])


def put(row: Ints, fields: Ints, field: int, place: int, new: int) -> None:
    """Set a value of a table, passed as a row, and update the index of its field."""
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
RECORDED: Doors = {
    table.happen: set_told,
    table.note: note_told,
    table.next_beat: beat_told,
    table.latest: latest_told,
}
PLAIN: Doors = {table.copy_moving: copy_moving, table.write_pairs: write_pairs, table.apply_pairs: apply_pairs}
BY_TRACE = {"none": UNTOLD, "counts": COUNTED, "told": RECORDED}
