"""What can be asked about a turn of Crash & Grab before it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crashlab.drawing import primitives as kit
from crashlab.drawing.shapes import Point
from crashlab.engine.prompts import Question
from crashlab.engine.table import NOTE, NOWHERE, Row
from crashlab.games import toolkit
from crashlab.games.crash_and_grab import board, rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w


def questions(turn: Any) -> tuple[Question, ...]:
    """What to ask about a turn before it is shown: where saucers stop, who is off the board, who gets what."""
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    moved = list(dict.fromkeys(row.index for row in rows if row.field == rules.CELL and row.before != NOWHERE))
    asked = [where_question(before, after, rows, saucer, place) for place, saucer in enumerate(moved[:3])]
    if any(row.field == NOTE and row.rule == rules.M3 for row in rows) or any(is_crash(row) for row in rows):
        asked.append(off_question(after, rows, moved))
    asked += [reward_question(before, rows, number) for number, row in enumerate(rows) if is_reward(row)][:1]
    return tuple(asked)


def is_crash(row: Row) -> bool:
    """Whether a saucer leaves the board in this event."""
    return row.field == rules.CELL and row.after == NOWHERE


def is_reward(row: Row) -> bool:
    """CG-C2: whether somebody gets something for a crash in this event."""
    return row.rule == rules.C2 and row.field in (rules.ENERGY, rules.WHERE)


PUSHED = ("", "first", "second")  # by the order in which they move; which ones they are is not told
ENERGY = "1 energy"
MOST_REWARDS = 8  # among which to choose
OFF_PLACE, OFF_SIZE = (17.0, 17.0), 8.0  # what is clicked for "off the board", and half as wide as it is
BADGE = 17.0  # half as wide as the badge of a saucer


def where_question(
    before: t.CrashAndGrab, after: t.CrashAndGrab, rows: Sequence[Row], saucer: int, place: int
) -> Question:
    """Where does the saucer stop that is in this place of those that move? The answers are its way, what lies ahead of
    it, off the board, and spaces of others or round it.
    """
    moves = [number for number, row in enumerate(rows) if row.field == rules.CELL and row.index == saucer]
    end = after.cell[saucer]
    start = before.cell[saucer]
    near = [end, NOWHERE, start, *(rows[number].after for number in moves)]
    if place:
        near += [cell for cell in before.cell[: before.saucers[0]] if cell != NOWHERE]
    near += [*beyond(after, end, start), *(rules.ahead(after, start, direction) for direction in range(4))]
    cells = sorted(list(dict.fromkeys(near))[:6])

    def name(cell: int) -> str:
        return board.OFF if cell == NOWHERE else t.place_words(cell)

    def spot(cell: int) -> Point:
        if cell != NOWHERE:
            return board.centre(after, cell)
        return OFF_PLACE if place else board.badge_at(after.saucers[0], saucer)

    def outline(cell: int) -> tuple[Point, ...]:
        if cell != NOWHERE:
            return kit.square(spot(cell), board.unit(after) / 2 - 1)
        return kit.square(spot(cell), OFF_SIZE if place else BADGE)

    who = f"the {PUSHED[place]} saucer that is pushed" if place else w.saucer_name(saucer)
    return toolkit.where(f"Where does {who} stop?", cells, end, moves[-1], name, spot, outline)


def beyond(table: t.CrashAndGrab, end: int, start: int) -> list[int]:
    """Two spaces further on than where a saucer ends that has moved in a line."""
    if end == NOWHERE or start == end or end // 10 != start // 10 and end % 10 != start % 10:
        return []
    direction = (1 if end > start else 3) if end // 10 == start // 10 else (2 if end > start else 0)
    first = rules.ahead(table, end, direction)
    return [first, rules.ahead(table, first, direction)] if first != NOWHERE else []


def off_question(after: t.CrashAndGrab, rows: Sequence[Row], moved: Sequence[int]) -> Question:
    """Who is off the board at the end?"""
    gone = [saucer for saucer in range(after.saucers[0]) if after.cell[saucer] == NOWHERE]
    wrong = [[], *([saucer] for saucer in moved), sorted(moved), sorted({*gone, *moved}), gone[1:]]
    names = sorted(dict.fromkeys(map(names_of, (gone, *wrong))))
    if len(names) < 3:
        names.append(names_of(range(after.saucers[0])))
    last = [number for number, row in enumerate(rows) if row.field == rules.CELL]
    crashes = [number for number in last if is_crash(rows[number])]
    return toolkit.question("Who is off the board at the end?", names, names_of(gone), (crashes or last)[-1])


def names_of(saucers: Sequence[int]) -> str:
    """Saucers by name."""
    return " and ".join(map(w.saucer_name, saucers)) or "nobody"


def reward_question(before: t.CrashAndGrab, rows: Sequence[Row], number: int) -> Question:
    """CG-C2: who is rewarded for a crash, and with what? For each saucer there are equally many answers."""
    row = rows[number]
    winner = row.index if row.field == rules.ENERGY else row.after % t.ABOARD
    prizes = [ENERGY] if row.field == rules.ENERGY else [ENERGY, t.crew_name(row.index)]
    saucers = list(range(before.saucers[0]))
    if len(prizes) * len(saucers) > MOST_REWARDS:
        saucers = sorted({winner, *[other for other in saucers if other != winner][: MOST_REWARDS // len(prizes) - 1]})
    names = ["nobody", *(f"{w.saucer_name(saucer)}: {prize}" for saucer in saucers for prize in prizes)]
    right = f"{w.saucer_name(winner)}: {prizes[-1]}"
    return toolkit.question("Who is rewarded, and with what?", names, right, number)
