"""What can be asked about a turn of Crash & Grab before it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crashlab import kit
from crashlab.asking import Question
from crashlab.games.crash_and_grab import board, rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w
from crashlab.happen import NOTE, NOWHERE, Row
from crashlab.shapes import Point


def questions(turn: Any) -> tuple[Question, ...]:
    """What to ask about a turn before it is shown: where saucers stop, who is off the board, who gets what."""
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    moved = list(dict.fromkeys(row.index for row in rows if row.field == rules.CELL and row.before != NOWHERE))
    asked = [where_question(before, after, rows, saucer) for saucer in moved[:3]]
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


def where_question(before: t.CrashAndGrab, after: t.CrashAndGrab, rows: Sequence[Row], saucer: int) -> Question:
    """Where does a saucer stop? The answers are its way, what is round its end, and off the board."""
    moves = [number for number, row in enumerate(rows) if row.field == rules.CELL and row.index == saucer]
    end = after.cell[saucer]
    base = end if end != NOWHERE else rows[moves[-1]].before
    near = [end, NOWHERE, before.cell[saucer], *(rows[number].after for number in moves)]
    near += [rules.ahead(after, base, direction) for direction in range(4)]
    cells = sorted(list(dict.fromkeys(near))[:6])

    def name(cell: int) -> str:
        return board.OFF if cell == NOWHERE else t.place_words(cell)

    def place(cell: int) -> Point:
        return board.badge_at(after.saucers[0], saucer) if cell == NOWHERE else board.centre(after, cell)

    return kit.where(f"Where does {w.saucer_name(saucer)} stop?", cells, end, moves[-1], name, place)


def off_question(after: t.CrashAndGrab, rows: Sequence[Row], moved: Sequence[int]) -> Question:
    """Who is off the board at the end?"""
    gone = [saucer for saucer in range(after.saucers[0]) if after.cell[saucer] == NOWHERE]
    wrong = [[], *([saucer] for saucer in moved), sorted(moved), sorted({*gone, *moved}), gone[1:]]
    names = sorted(dict.fromkeys(map(names_of, (gone, *wrong))))
    if len(names) < 3:
        names.append(names_of(range(after.saucers[0])))
    last = [number for number, row in enumerate(rows) if row.field == rules.CELL]
    crashes = [number for number in last if is_crash(rows[number])]
    return kit.question("Who is off the board at the end?", names, names_of(gone), (crashes or last)[-1])


def names_of(saucers: Sequence[int]) -> str:
    """Saucers by name."""
    return " and ".join(map(w.saucer_name, saucers)) or "nobody"


def reward_question(before: t.CrashAndGrab, rows: Sequence[Row], number: int) -> Question:
    """CG-C2: who is rewarded for a crash, and with what?"""
    row = rows[number]
    winner = row.index if row.field == rules.ENERGY else row.after % t.ABOARD
    right = reward_words(winner, row)
    wrong = ["nobody"]
    for saucer in range(before.saucers[0]):
        wrong.append(f"{w.saucer_name(saucer)}: 1 energy")
    wrong.append(f"{w.saucer_name(winner)}: 1 booster")
    names = sorted({right, *[words for words in wrong if words != right][:5]})
    return kit.question("Who is rewarded, and with what?", names, right, number)


def reward_words(winner: int, row: Row) -> str:
    """A reward in words."""
    return f"{w.saucer_name(winner)}: {'1 energy' if row.field == rules.ENERGY else t.crew_name(row.index)}"
