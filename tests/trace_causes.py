"""Outline the causes in a trace, for the tests of causes.

An outline lists each event in words, and below it, indented, the events that it caused. The expected outlines are in
`outlines/GAME.txt`, those of a test below its name (fixture `outlines`):

    car 1 is next with 1 FF
      number 1 is crossed out
      car 1 goes from speed 1 to 2
        car 1 drives from 2,1 to 2,2
"""

from collections.abc import Sequence
from typing import Any

from crashlab.engine.table import NOTE, NOWHERE, Row


def words(text: Any, after: Any, rows: Sequence[tuple[int, ...]]) -> list[str]:
    """Return each event in words, undoing the events one by one on a copy of the table after them."""
    table, lines = after.copy(), []
    fields = table.rows()
    for row in reversed(rows):
        if row[3] != NOTE:
            fields[row[3]][row[4]] = row[5]
        lines.append(text.event_text(table, row))
    return lines[::-1]


def outline(text: Any, after: Any, rows: Sequence[tuple[int, ...]], *roots: str) -> str:
    """Return the outline below the events with these words; without any, of the whole trace."""
    texts = words(text, after, rows)
    assert set(roots) <= set(texts), texts
    effects: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        effects.setdefault(row[2], []).append(number)

    def lines(number: int, depth: int) -> list[str]:
        below = [line for effect in effects.get(number, ()) for line in lines(effect, depth + 1)]
        return ["  " * depth + texts[number], *below]

    first = [number for number, event in enumerate(texts) if event in roots] if roots else effects[NOWHERE]
    return "\n".join(line for number in first for line in lines(number, 0))


def follows(text: Any, play: Any, *roots: str) -> str:
    """Outline the effects of a driver's events with these words, or of all decisions."""
    return outline(text, play.table, list(map(Row._make, play.trace.rows)), *roots)
