"""Events as sentences: the rulebook has a text for each kind of event, filled with what its numbers mean.

In `rulebook.toml` a rule has the `event` of the notes that cite it, and the table `events` the texts of changes: by the
field and the new value, as in "speed 0", else by the field and the rule, else by the field alone. In a text stand

    {car}              a number of a note, by its name; of a change `index`, `before` and `after`
    {by}, {rise}       by how much a number changes, and whether it grows
    {turn}             what is in another field that is a single number
    {paid:chit}        1 chit, 2 chits
    {rise:gets|pays}   the first words if there is such a thing, or any; else the others
    {turn:-nobody}     these words if there is no such thing

What no text can say a game says by a function of the table and the row, which gives a text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crashlab.base.errors import CrashlabError
from crashlab.engine.notation import counted
from crashlab.engine.rulebook import Rulebook
from crashlab.engine.table import NOTE, Row, Table
from crashlab.engine.value_kinds import Change, Kind
from crashlab.engine.value_kinds import counted as a_count

COUNT = a_count("count")
Texts = Mapping[str, Callable[[Any, Row], str]]


class Said:
    """A number of an event, to be formatted in a text."""

    def __init__(self, kind: Kind[Any], table: Table, number: int) -> None:
        self.kind, self.table, self.number = kind, table, number

    def __format__(self, spec: str) -> str:
        if "|" in spec:
            return spec.split("|")[not self.kind.tell(self.table, self.number)]
        if spec.startswith("-") and self.number < 0:
            return spec[1:]
        if spec and not spec.startswith("-"):
            return counted(self.number, spec)
        return (self.kind.words or self.kind.say)(self.table, self.number)


class Words(dict[str, Said]):
    """What a text can name; single fields of the table are found when they are needed."""

    def __init__(self, table: Table, changes: Mapping[str, Change]) -> None:
        super().__init__()
        self.table, self.changes = table, changes

    def __missing__(self, name: str) -> Said:
        return Said(self.changes[name].value, self.table, vars(self.table)[name][0])


def teller(
    book: Rulebook, names: Sequence[str], changes: Mapping[str, Change], notes: Mapping[str, Kind[Any]], special: Texts
) -> Callable[[Any, Row], str]:
    """What tells a row of a trace in words; the table is as it was just before."""

    def tell(table: Table, row: Row) -> str:
        rule, words = book[row.rule], Words(table, changes)
        if row.field == NOTE:
            keys: tuple[str, ...] = (rule.id,)
            for name, number in zip(rule.numbers, row.numbers, strict=False):
                words[name] = Said(notes[name], table, number)
        else:
            name, change = names[row.field], changes[names[row.field]]
            keys = f"{name} {change.value.say(table, row.after)}", f"{name} {rule.id}", name
            words["before"], words["after"] = (Said(change.value, table, n) for n in (row.before, row.after))
            words["by"] = Said(COUNT, table, abs(row.after - row.before))
            words["rise"] = Said(COUNT, table, int(row.after > row.before))
            if change.index:
                words["index"] = Said(change.index, table, row.index)
        key = next((key for key in keys if key in special or key in book.events), None)
        if key is None:
            raise CrashlabError(f"rulebook.toml has no words for the event {keys[-1]!r} of {rule.id}; add them")
        text = special[key](table, row) if key in special else book.events[key]
        return text.format_map(words)

    return tell
