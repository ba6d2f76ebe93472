"""Reads a trace: events in words, chains of causes, the table at any beat."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from crashlab.base.errors import CrashlabError, integer, shown
from crashlab.engine.table import NOTE, NOWHERE, Row, Table, replay
from crashlab.engine.words import Change

if TYPE_CHECKING:
    from crashlab.engine.game import Game
    from crashlab.engine.rulebook import Rulebook
    from crashlab.engine.state import Turn

INDENT = " " * 6  # of a rule's text below what it made happen


@dataclass(frozen=True)
class Event:
    """One change (`field`, `index`, `before`, `after`) or one note (`numbers`), with its rule and its cause.

        >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
        >>> turn = state.play({"A": "17 FF", "B": None})
        >>> paid = next(event for event in turn.events if event.field == "chits")
        >>> paid.text, paid.rule, paid.before, paid.after
        ('B pays 4 chits (20 to 16)', 'AS-C4', 20, 16)
    """

    number: int
    beat: int
    rule: str
    cause: int | None  # the number of an earlier event
    field: str | None  # None: a note, which changes nothing by itself
    index: int
    before: int
    after: int
    numbers: dict[str, int]
    text: str
    turn: Turn = dataclasses.field(repr=False, compare=False)

    @cached_property
    def what(self) -> dict[str, object]:
        """The things it is about by name, as plain values in the words of positions."""
        table = self.turn.before.table.copy()
        replay(table, self.turn.rows[: self.number])
        return what(self.turn.before.game, table, self.turn.rows[self.number])

    def __str__(self) -> str:
        return f"{self.beat:3}  {self.rule:6} {self.text}"


def events(turn: Turn) -> tuple[Event, ...]:
    """Every row of the turn's trace as an event."""
    table = turn.before.table.copy()
    told = []
    for number, row in enumerate(turn.rows):
        told.append(event(turn, table, number, row))
        replay(table, [row])
    return tuple(told)


def known(turn: Turn, seat: int) -> tuple[Event, ...]:
    """The events that are not secret to this seat."""
    game, table = turn.before.game, turn.before.table
    return tuple(event for event in turn.events if not game.secrets.is_secret(table, turn.rows[event.number], seat))


def event(turn: Turn, table: Table, number: int, row: Row) -> Event:
    """One row of a trace as an event; the table is as it was just before."""
    game = turn.before.game
    entry = game.rulebook[row.rule]
    is_note = row.field == NOTE
    return Event(
        number,
        row.beat,
        entry.id,
        None if row.cause == NOWHERE else row.cause,
        None if is_note else table.NAMES[row.field],
        NOWHERE if is_note else row.index,
        0 if is_note else row.before,
        0 if is_note else row.after,
        dict(zip(entry.numbers, row.numbers, strict=False)) if is_note else {},
        game.text.event_text(table, row),
        turn,
    )


def what(game: Game, table: Table, row: Row) -> dict[str, object]:
    """What a row is about: of a change the thing, its new value and what it `was`; of a note its numbers."""
    if row.field == NOTE:
        names = zip(game.rulebook[row.rule].numbers, row.numbers, strict=False)
        return {name: declared(game, "NOTES", name).tell(table, number) for name, number in names}
    change: Change = declared(game, "CHANGES", table.NAMES[row.field])
    thing = {change.index.name: change.index.tell(table, row.index)} if change.index else {}
    value = change.value
    return {**thing, value.name: value.tell(table, row.after), "was": value.tell(table, row.before)}


def declared(game: Game, where: str, name: str) -> Any:
    """What the game's `text.py` says of a field or of a number of a note; refused where it says nothing."""
    kinds: Mapping[str, Any] = getattr(game.text, where)
    if name not in kinds:
        wanted = "a Change for the field" if where == "CHANGES" else "a Kind for the number"
        raise CrashlabError(f"{game.name}/text.py: {where} lacks {wanted} {name!r}; add it")
    return kinds[name]


def beats(turn: Turn) -> int:
    """The number of the last beat."""
    return turn.rows[-1].beat if turn.rows else 0


def check_beat(turn: Turn, beat: object) -> int:
    """The beat as an int; what is no beat of this turn is refused."""
    found = integer(beat)
    if found is None or not 0 <= found <= beats(turn):
        raise CrashlabError(f"there is no beat {shown(beat)}: this turn has the beats 0 to {beats(turn)}")
    return found


def moment(turn: Turn, beat: int) -> Table:
    """The table as it was after this beat."""
    table = turn.before.table.copy()
    replay(table, [row for row in turn.rows if row.beat <= beat])
    return table


def chain(turn: Turn, which: Event | int) -> str:
    """The event and its causes; a rule is quoted where it comes first."""
    number = integer(which.number if isinstance(which, Event) else which)
    if number is None or not 0 <= number < len(turn.rows):
        raise CrashlabError(f"this turn has no event {shown(which)}; its events are 0 to {len(turn.rows) - 1}")
    lines: list[str] = []
    told: set[str] = set()
    book: Rulebook = turn.before.game.rulebook
    while number is not None:
        step = turn.events[number]
        rule = book[step.rule]
        lines.append(f"{'  because ' if lines else ''}{step.text}")
        if rule.id not in told:
            quoted = f"[{rule.id}, {rule.mark}] {rule.text}"
            lines += wrap(quoted, 96, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False)
        told.add(rule.id)
        number = step.cause
    return "\n".join(lines)
