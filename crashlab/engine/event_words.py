"""Events as sentences, from the templates in the rulebook.

In `rulebook.toml`, `event` of a rule is the template of the notes that cite it. The table `events` has the templates of
changes: by field and new value, as in "speed 0", else by field and rule, else by field. A template can contain

    {car}              a number of a note by its name; `index`, `before` or `after` of a change
    {by}, {rise}       the size of a change, and whether it is an increase
    {turn}             the value of another field of a single number
    {paid:chit}        a count with its noun: 1 chit, 2 chits
    {rise:gets|pays}   the first words if the value is true or not 0, else the second ones
    {turn:-nobody}     these words if the value is negative

For other cases a game has a function of the table and the row that returns the template.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from string import Formatter
from typing import Any

from crashlab.base.errors import CrashlabError
from crashlab.engine.notation import counted
from crashlab.engine.rulebook import Rulebook
from crashlab.engine.table import NOTE, Row, Table
from crashlab.engine.value_codecs import Change, Codec
from crashlab.engine.value_codecs import counted as a_count

COUNT = a_count("count")
NUMBERS = tuple(map(attrgetter, ("index", "before", "after", "last")))  # the numbers of a note
OF_CHANGES: Mapping[str, Callable[[Row], int]] = {
    "before": attrgetter("before"),
    "after": attrgetter("after"),
    "index": attrgetter("index"),
    "by": lambda row: abs(row.after - row.before),
    "rise": lambda row: int(row.after > row.before),
}
Words = Callable[[Any, Row], str]
Texts = Mapping[str, Words]


def teller(
    book: Rulebook, names: Sequence[str], changes: Mapping[str, Change], notes: Mapping[str, Codec[Any]], special: Texts
) -> Words:
    """Return a function (table, row) that describes an event in words, given the table before the event."""
    templates = {*special, *book.events}
    finer = {key.partition(" ")[0] for key in templates if " " in key}  # fields with templates for a value or a rule

    def tell(table: Table, row: Row) -> str:
        key, rule = key_of(table, row), row.rule
        text = special[key](table, row) if key in special else book.events[key]
        return "".join([words(table, row) for words in filled(text, row.field, rule)])

    def key_of(table: Table, row: Row) -> str:
        rule_id = book.rules[row.rule].id
        keys: tuple[str, ...] = (rule_id,) if row.field == NOTE else (names[row.field],)
        if keys[0] in finer:
            keys = f"{keys[0]} {changes[keys[0]].value.format(table, row.after)}", f"{keys[0]} {rule_id}", *keys
        key = next((key for key in keys if key in templates), None)
        if key is None:
            raise CrashlabError(f"rulebook.toml has no words for the event {keys[-1]!r} of {rule_id}; add them")
        return key

    @lru_cache(4096)
    def filled(text: str, field: int, rule: int) -> list[Words]:
        """Return the pieces of a template: literal text, and functions for the numbers."""
        parts: list[Words] = []
        for literal, name, spec, _ in Formatter().parse(text):
            parts += [plain(literal)] if literal else []
            if name:
                codec, number = meant(name, field, rule)
                way = spec or ""
                words = nested(codec, number, filled(way, field, rule)) if "{" in way else said(codec, number, way)
                parts.append(words)
        return parts

    def meant(name: str, field: int, rule: int) -> tuple[Codec[Any], Callable[[Any, Row], int]]:
        """Return the type of a name in a template, and the function that reads its number."""
        numbers = book.rules[rule].numbers
        if field == NOTE and name in numbers:
            number = NUMBERS[numbers.index(name)]
            return notes[name], lambda table, row: number(row)
        if field != NOTE and name in OF_CHANGES:
            change, of_row = changes[names[field]], OF_CHANGES[name]
            codec = COUNT if name in ("by", "rise") else change.index if name == "index" else change.value
            if codec:
                return codec, lambda table, row: of_row(row)
        return changes[name].value, lambda table, row: int(vars(table)[name][0])

    return tell


def plain(text: str) -> Words:
    """Return a function that writes literal text."""
    return lambda table, row: text


def nested(codec: Codec[Any], number: Callable[[Any, Row], int], spec: Sequence[Words]) -> Words:
    """Return a function that writes a number whose format contains others, as in `{hit:car {hit}|the barrier}`."""
    return lambda table, row: said(codec, number, "".join([words(table, row) for words in spec]))(table, row)


def said(codec: Codec[Any], number: Callable[[Any, Row], int], spec: str) -> Words:
    """Return a function that writes a number of an event in the format given after its name."""
    if "|" in spec:
        there, missing = spec.split("|")
        return lambda table, row: there if codec.to_json(table, number(table, row)) else missing
    say = codec.words or codec.format
    if spec.startswith("-"):
        return lambda table, row: spec[1:] if number(table, row) < 0 else say(table, number(table, row))
    if spec:
        return lambda table, row: counted(number(table, row), spec)
    return lambda table, row: say(table, number(table, row))
