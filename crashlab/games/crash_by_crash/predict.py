"""What can be asked about a turn of Crash by Crash before it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crashlab import kit
from crashlab.asking import Question
from crashlab.games.crash_by_crash import board, rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.happen import NOTE, NOWHERE
from crashlab.kit import Row
from crashlab.shapes import Point

OFF = "off the floor"


def questions(turn: Any) -> tuple[Question, ...]:
    """What to ask about a turn before it is shown: where cars stop, what rings, who gets what, which flower leaves."""
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    moves = [row for row in rows if row[3] == rules.PLACES and row[4] < t.CARS and row[5] != NOWHERE]
    stopped = [row for row in rows if row[3] == NOTE and row[1] == rules.P4]
    cars = [row[4] for row in moves if row[1] != rules.E1]
    cars += [car for row in stopped for car in range(t.CARS) if after.cell[car] == row[4]]
    asked = [where_question(before, rows, car) for car in list(dict.fromkeys(cars))[:3]]
    if cars:
        asked.append(bell_question(before, rows))
    scored = [number for number, row in enumerate(rows) if row[3] == rules.SCORINGS]
    if scored:
        return (*asked, score_question(rows, scored[0]), flower_question(before, rows, scored[0]))
    gains = [number for number, row in enumerate(rows) if row[3] == rules.SCORE and row[6] > row[5]]
    return (*asked, points_question(rows, gains)) if gains else tuple(asked)


def where_question(before: t.CrashByCrash, rows: Sequence[Row], car: int) -> Question:
    """Where does a car stop? The answers are its way, what is round its end, and off the floor."""
    start = before.cell[car]
    moves = [
        number
        for number, row in enumerate(rows)
        if row[3] == rules.PLACES and row[4] == car and row[1] != rules.E1  # going home with a flower is another thing
    ]
    end = rows[moves[-1]][6] if moves else start
    notes = [number for number, row in enumerate(rows) if row[3] == NOTE and row[1] == rules.P4 and row[4] == end]
    near = [end, NOWHERE, start, *(rows[number][6] for number in moves)]
    base = end if end != NOWHERE else rows[moves[-1]][5]
    near += [cell for cell in t.AHEAD[6 * base : 6 * base + 6] if cell != t.OUTSIDE and not before.gone[t.TILE[cell]]]
    cells = sorted(list(dict.fromkeys(near))[:6])
    name = (
        f"the {w.piece_name(car).split(' ', 1)[1]} on {w.place_words(start)}"
        if start != NOWHERE
        else "the car that is placed"
    )
    home = board.stock_place(before.players[0], car)

    def place_name(cell: int) -> str:
        return OFF if cell == NOWHERE else w.place_words(cell)

    def place(cell: int) -> Point:
        return home if cell == NOWHERE else board.CENTRES[cell]

    return kit.where(f"Where does {name} stop?", cells, end, (moves or notes)[-1], place_name, place)


def bell_question(before: t.CrashByCrash, rows: Sequence[Row]) -> Question:
    """Which bell rings? The answers are those nearest to what moves, and none."""
    rung = [
        number for number, row in enumerate(rows) if row[3] == rules.PLACES and row[4] >= t.BELL and row[6] >= t.RINGING
    ]
    moves = [number for number, row in enumerate(rows) if row[3] in (rules.PLACES, NOTE)]
    right = " and ".join(w.place_words(rows[number][6]) for number in rung) or "none"
    x, y = board.CENTRES[
        next(row[6] if row[6] != NOWHERE else row[5] for row in rows if row[3] == rules.PLACES) % t.RINGING
    ]
    near = sorted(
        {cell for cell in before.cell[t.BELL :] if cell != NOWHERE},
        key=lambda cell: (board.CENTRES[cell][0] - x) ** 2 + (board.CENTRES[cell][1] - y) ** 2,
    )
    others = [name for name in ("none", *map(w.place_words, near)) if name != right]
    return kit.question("Which bell rings?", sorted([right, *others[:4]]), right, (rung or moves)[-1])


def score_words(points: Sequence[int]) -> str:
    """What both sides get."""
    return ", ".join(f"{w.SIDES[side]} {points[side]}" for side in range(2))


def score_question(rows: Sequence[Row], start: int) -> Question:
    """CB-E1: what does each side get in the scoring?"""
    paid = [number for number, row in enumerate(rows) if row[3] == rules.SCORE and row[2] == start]
    points = [0, 0]
    for number in paid:
        points[rows[number][4]] += rows[number][6] - rows[number][5]
    first, second = points
    wrong = [(second, first), (first + 1, second), (first, second + 1), (first + 2, max(0, second - 1))]
    names = [score_words(points), *(score_words(pair) for pair in wrong if list(pair) != points)]
    answers = sorted(dict.fromkeys(names))
    asking = "The bell rings: what do the cars bring?"
    return kit.question(asking, answers, names[0], (paid or [start])[-1])


def flower_question(before: t.CrashByCrash, rows: Sequence[Row], start: int) -> Question:
    """CB-E1, CB-K7: which flower leaves the game?"""
    gone = [
        number for number, row in enumerate(rows) if row[3] == rules.GONE and row[2] >= 0 and start in causes(rows, row)
    ]
    right = t.cells_of(rows[gone[0]][4])[0] if gone else NOWHERE
    standing = [t.cells_of(tile)[0] for tile in range(1, t.TILES, 2) if not before.gone[tile]]
    x, y = board.CENTRES[right if gone else standing[0]]
    near = sorted(standing, key=lambda cell: (board.CENTRES[cell][0] - x) ** 2 + (board.CENTRES[cell][1] - y) ** 2)
    cells = sorted(dict.fromkeys([right, *near[:4], NOWHERE]))
    names = tuple("none" if cell == NOWHERE else f"the one round {w.place_words(cell)}" for cell in cells)
    reason = gone[0] if gone else start
    return Question("Which flower leaves the game?", names, cells.index(right), reason)


def causes(rows: Sequence[Row], row: Row) -> set[int]:
    """The numbers of the events that led to this one."""
    found = set()
    while row[2] != NOWHERE:
        found.add(row[2])
        row = rows[row[2]]
    return found


def points_question(rows: Sequence[Row], gains: Sequence[int]) -> Question:
    """CB-P5, CB-O2: how many points for cars that fall off?"""
    side = rows[gains[0]][4]
    total = sum(rows[number][6] - rows[number][5] for number in gains if rows[number][4] == side)
    numbers = sorted({0, 1, 2, 4, total})
    asking = f"How many points does {w.SIDES[side]} get for cars that fall off?"
    return kit.question(asking, tuple(map(str, numbers)), str(total), gains[-1])
