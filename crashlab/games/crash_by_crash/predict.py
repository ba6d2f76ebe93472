"""What can be asked about a turn of Crash by Crash before it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist
from typing import Any

from crashlab.drawing import primitives as kit
from crashlab.drawing.shapes import Point
from crashlab.engine.prompts import Question
from crashlab.engine.table import NOTE, NOWHERE, Row
from crashlab.games import toolkit
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import board, rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w

OFF = "off the floor"


def found(rows: Sequence[Row], fits: Callable[[Row], bool]) -> list[int]:
    """The numbers of the rows that fit."""
    return [number for number, row in enumerate(rows) if fits(row)]


def questions(turn: Any) -> tuple[Question, ...]:
    """What to ask about a turn before it is shown: where cars stop, what rings, who gets what, which flower leaves."""
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    moves = [row for row in rows if row.field == rules.PLACES and row.index < t.CARS and row.before != NOWHERE]
    stopped = [row for row in rows if row.field == NOTE and row.rule == rules.P4]
    cars = [row.index for row in moves if row.rule != rules.E1]
    cars += [car for row in stopped for car in range(t.CARS) if after.cell[car] == row.index]
    asked = [where_question(before, rows, car, place) for place, car in enumerate(list(dict.fromkeys(cars))[:3])]
    if cars:
        asked.append(bell_question(before, rows))
    scored = found(rows, lambda row: row.field == rules.SCORINGS)
    if scored:
        return (*asked, score_question(rows, scored[0]), flower_question(before, rows, scored[0]))
    gains = found(rows, lambda row: row.field == rules.SCORE and row.after > row.before)
    return (*asked, points_question(rows, gains)) if gains else tuple(asked)


ORDER = ("first", "second", "third")
OFF_PLACE, OFF_SIZE = (18.0, 18.0), 9.0  # what is clicked for "off the floor", and half as wide as it is
OTHERS = 2  # cars that could be set going instead


def where_question(before: t.CrashByCrash, rows: Sequence[Row], car: int, place: int) -> Question:
    """Where does the car stop that is in this place of those set going? Which one it is, is not told. The answers are
    its way, what is round it, off the floor, and where others stand.
    """
    start = before.cell[car]
    moves = found(rows, lambda row: row.field == rules.PLACES and row.index == car and row.rule != rules.E1)
    end = rows[moves[-1]].after if moves else start
    notes = found(rows, lambda row: row.field == NOTE and row.rule == rules.P4 and row.index == end)
    base = end if end != NOWHERE else rows[moves[-1]].before
    near = [end, NOWHERE, *([start] if start != NOWHERE else []), *others(before, base)[:OTHERS]]
    near += [rows[number].after for number in moves]
    near += [*round_it(before, start), *round_it(before, base)]
    cells = sorted(list(dict.fromkeys(near))[:7])
    who = f"the {ORDER[place]} car that is set going" if start != NOWHERE else "the car that is placed"

    def place_name(cell: int) -> str:
        return OFF if cell == NOWHERE else w.place_words(cell)

    def spot(cell: int) -> Point:
        return OFF_PLACE if cell == NOWHERE else board.CENTRES[cell]

    def outline(cell: int) -> tuple[Point, ...]:
        return kit.square(OFF_PLACE, OFF_SIZE) if cell == NOWHERE else hexes.corners(spot(cell), board.SIZE)

    asking = f"Where does {who} stop?"
    return toolkit.where(asking, cells, end, (moves or notes)[-1], place_name, spot, outline)


def others(table: t.CrashByCrash, cell: int) -> list[int]:
    """The cells on which cars stand, those nearest to this one first."""
    standing = [there for there in table.cell[: t.CARS] if there not in (NOWHERE, cell)]
    return sorted(standing, key=lambda there: dist(board.CENTRES[there], board.CENTRES[cell]))


def round_it(table: t.CrashByCrash, cell: int) -> list[int]:
    """The floor round a cell, if it is one."""
    if cell == NOWHERE:
        return []
    there = t.AHEAD[6 * cell : 6 * cell + 6]
    return [near for near in there if near != t.OUTSIDE and not table.gone[t.TILE[near]]]


def bell_question(before: t.CrashByCrash, rows: Sequence[Row]) -> Question:
    """Which bell rings? The answers are those nearest to what moves, and none."""
    rung = found(rows, lambda row: row.field == rules.PLACES and row.index >= t.BELL and row.after >= t.RINGING)
    moves = found(rows, lambda row: row.field in (rules.PLACES, NOTE))
    right = " and ".join(w.place_words(rows[number].after) for number in rung) or "none"
    bells = {cell for cell in before.cell[t.BELL :] if cell != NOWHERE}
    near = sorted(bells, key=lambda cell: dist(board.CENTRES[cell], board.CENTRES[begin(rows)]))
    wrong = [name for name in ("none", *map(w.place_words, near)) if name != right]
    return toolkit.question("Which bell rings?", sorted([right, *wrong[:4]]), right, (rung or moves)[-1])


def begin(rows: Sequence[Row]) -> int:
    """The cell of what moves first."""
    first = next(row for row in rows if row.field == rules.PLACES)
    return (first.after if first.after != NOWHERE else first.before) % t.RINGING


def score_words(points: Sequence[int]) -> str:
    """What both sides get."""
    return ", ".join(f"{w.SIDES[side]} {points[side]}" for side in range(2))


def score_question(rows: Sequence[Row], start: int) -> Question:
    """CB-E1: what does each side get in the scoring?"""
    paid = found(rows, lambda row: row.field == rules.SCORE and row.cause == start)
    points = [0, 0]
    for number in paid:
        points[rows[number].index] += rows[number].after - rows[number].before
    first, second = points
    wrong = [(second, first), (first + 1, second), (first, second + 1), (first + 2, max(0, second - 1))]
    names = [score_words(points), *(score_words(pair) for pair in wrong if list(pair) != points)]
    answers = sorted(dict.fromkeys(names))
    asking = "The bell rings: what do the cars bring?"
    return toolkit.question(asking, answers, names[0], (paid or [start])[-1])


def flower_question(before: t.CrashByCrash, rows: Sequence[Row], start: int) -> Question:
    """CB-E1, CB-K7: which flower leaves the game?"""
    gone = found(rows, lambda row: row.field == rules.GONE and row.cause >= 0 and start in causes(rows, row))
    right = t.cells_of(rows[gone[0]].index)[0] if gone else NOWHERE
    standing = [t.cells_of(tile)[0] for tile in range(1, t.TILES, 2) if not before.gone[tile]]
    near = sorted(standing, key=lambda cell: dist(board.CENTRES[cell], board.CENTRES[begin(rows)]))
    cells = sorted(dict.fromkeys([right, *near[:4], NOWHERE]))
    names = tuple("none" if cell == NOWHERE else f"the one round {w.place_words(cell)}" for cell in cells)
    reason = gone[0] if gone else start
    return Question("Which flower leaves the game?", names, cells.index(right), reason)


def causes(rows: Sequence[Row], row: Row) -> set[int]:
    """The numbers of the events that led to this one."""
    found = set()
    while row.cause != NOWHERE:
        found.add(row.cause)
        row = rows[row.cause]
    return found


def points_question(rows: Sequence[Row], gains: Sequence[int]) -> Question:
    """CB-P5, CB-O2: how many points for cars that fall off?"""
    side = rows[gains[0]].index
    total = sum(rows[number].after - rows[number].before for number in gains if rows[number].index == side)
    numbers = sorted({0, 1, 2, 4, total})
    asking = f"How many points does {w.SIDES[side]} get for cars that fall off?"
    return toolkit.question(asking, tuple(map(str, numbers)), str(total), gains[-1])
