"""Where a drive, or a car that makes way, leads in CrashCity, and by which manoeuvre."""

from __future__ import annotations

from typing import NamedTuple

from crashlab.engine.table import NOWHERE, Row, Trace
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import table as t

# The marks of the manoeuvres (CC-R3) on the cars that stand where they lead to.
FORWARD, DRIFT, TURN, BACK, BACK_TURN, U_TURN = "F", "D", "T", "R", "Y", "U"
STRAIGHT, CORNER, SPIN = "S", "T", "U"  # of a car that was hit (CC-C1 to CC-C3)


class Move(NamedTuple):
    """Where a car goes: by which manoeuvre, through which spaces, how it faces then, and whom it hits going where."""

    car: int
    mark: str
    words: str
    spaces: tuple[int, ...]
    facing: int
    hit: int
    push: int


def move(table: t.CrashCity, code: int) -> Move:
    """What becomes of a drive, or of a car that makes way."""
    after = table.copy()
    trace = Trace()
    rules.apply(after, 0, code, trace)
    is_drive = t.sort_of(code) == t.DRIVE
    car = code % t.SORT // t.SPACE if is_drive else table.hit[0]
    rows = map(Row._make, trace.rows)
    spaces = tuple(row.after for row in rows if row.field == rules.WHERE and row.index == car)
    mark, words = manoeuvre(table, car, code % t.SPACE) if is_drive else dodge(table, code % t.SORT)
    hit = after.hit[0] if after.phase[0] == t.ANSWER else NOWHERE
    return Move(car, mark, words, (table.where[car], *spaces), after.facing[car], hit, after.push[0])


def manoeuvre(table: t.CrashCity, car: int, space: int) -> tuple[str, str]:
    """CC-R3: the manoeuvre by which a car comes to a space: its mark, and in words."""
    start, facing = table.where[car], table.facing[car]
    found = rules.route(table, start, facing, space, rules.FORWARD)
    if found != NOWHERE:
        steps = found >> 2
        is_corner = found & 3 != facing
        if not is_corner:
            return FORWARD, f"forward {steps + 1}"
        return (DRIFT, f"forward {steps} and drift") if steps else (TURN, "turn forward")
    found = rules.route(table, start, facing ^ 2, space, rules.BACKWARD)
    if found == NOWHERE:
        return U_TURN, "U-turn"
    steps = found >> 2
    is_corner = found & 3 != facing ^ 2
    if not is_corner:
        return BACK, f"reverse {steps + 1}"
    return BACK_TURN, "reverse and turn" if steps else "turn backward"


def dodge(table: t.CrashCity, space: int) -> tuple[str, str]:
    """CC-C1 to CC-C3: how a car that was hit comes to a space: the mark, and in words."""
    here = table.where[table.hit[0]]
    pushed = table.push[0]
    if rules.other_lane(table, here) == space:
        return SPIN, "spin"
    is_corner = rules.route(table, here, pushed, space, 1) & 3 != pushed
    return (CORNER, "round the corner") if is_corner else (STRAIGHT, "straight on")
