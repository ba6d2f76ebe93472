"""Positions of Crash by Crash that cannot be."""

from __future__ import annotations

from crashlab.engine.notation import counted, together
from crashlab.engine.table import NOWHERE
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.games.crash_by_crash.decisions import DECISIONS
from crashlab.games.crash_by_crash.table import CrashByCrash

COUNTS = ("turn", "acted", "placed", "scored", "owed", "scorings")


def impossible(table: CrashByCrash) -> list[str]:
    """What is wrong with the stage of the game that the table is said to be at."""
    phase = table.phase[0]
    name = DECISIONS[table.phase[0]].name
    if phase == t.SET_UP:
        return wrong_set_up(table)
    wrong = [*wrong_end(table), *wrong_counts(table)]
    if table.turn[0] == 0:
        wrong.append(f"in the phase {name} it is at least turn 1 (CB-T1)")
    if phase == t.OVER:
        return wrong
    if phase == t.ACTION:
        idle = not table.owed[0] and table.drawn.count(NOWHERE) == 2
        return (
            wrong if idle else [*wrong, "no cards are drawn before an action; write another phase, as in 'phase pile'"]
        )
    return [*wrong, *wrong_draw(table, name)]


def wrong_set_up(table: CrashByCrash) -> list[str]:
    """CB-S2: what is wrong at set-up."""
    wrong = []
    cells = [cell for cell in table.cell[: t.CARS] if cell != NOWHERE]
    numbers = [sum(cell != NOWHERE for cell in table.cell[t.FLEET * side :][: t.FLEET]) for side in range(2)]
    second = 1 - (table.first[0] & 1)
    if any(vars(table)[key][0] for key in COUNTS) or table.bound[0] != NOWHERE or any(table.gone):
        wrong.append("at set-up no turn has begun and nothing is bound, drawn or scored (CB-S2)")
    if len(cells) > 7 or numbers[1 - second] - numbers[second] != len(cells) % 2:
        wrong.append(
            f"{numbers[0]} and {numbers[1]} cars: both sides place four cars by turns, and then turn 1 begins (CB-S2)"
        )
    if len({t.TILE[cell] for cell in cells}) < len(cells):
        wrong.append("no two cars begin on the same tile (CB-S2)")
    if any(table.cell[t.FLEET * side + t.STANDARD] != NOWHERE for side in range(2)):
        wrong.append("no magnetic car is placed at set-up (CB-S2)")
    if table.asked[0] != t.seat_to_place(table):
        wrong.append(
            f"the next car is placed by {w.SEATS[t.seat_to_place(table)]}, not by {w.SEATS[table.asked[0]]} (CB-S2)"
        )
    return wrong


def wrong_end(table: CrashByCrash) -> list[str]:
    """CB-E4, CB-E5: whether the game is over or not as it should be."""
    bare = [w.SIDES[side] for side in range(2) if not rules.is_there(table.cell, 0, side)]
    at_limit = table.turn[0] == table.turn_limit[0]
    if table.phase[0] == t.OVER:
        is_over = bare or at_limit or table.scorings[0] == rules.LAST
        return [] if is_over else ["the game is not over before the seventh scoring while both sides have cars (CB-E4)"]
    if table.scorings[0] == rules.LAST:
        return ["after the seventh scoring the game is over; write 'phase over' (CB-E4)"]
    return (
        [f"{together(bare)} has no car on the floor, so the game is over; write 'phase over' (CB-E4)"] if bare else []
    )


def wrong_counts(table: CrashByCrash) -> list[str]:
    """CB-T1, CB-T2, CB-E2: what is wrong with the count of actions, placements and scorings of the turn."""
    wrong = []
    acted = table.acted[0]
    phase = table.phase[0]
    bound = table.bound[0]
    name = DECISIONS[phase].name
    if acted > 3 or (phase == t.ACTION and acted > 1) or (phase == t.REFILL and acted < 3):
        wrong.append(f"acted {acted} is not possible in the phase {name}; a turn has two actions (CB-T1)")
    if table.placed[0] > min(acted, 2):
        wrong.append(f"{table.placed[0]} cars were placed with {acted} actions (CB-T1)")
    if bound != NOWHERE and (acted == 0 or bound < t.POWERLESS_BELL or not t.copies(table, bound)):
        title = w.TITLES[bound]
        wrong.append(f"nothing is bound by {title} here: that does a blue or yellow card, played first (CB-K7)")
    scored = table.scored[0]
    if scored > table.scorings[0] or (scored and acted == 0) or (scored > 1 and table.edition[0] == t.CZECH):
        wrong.append(f"{counted(scored, 'scoring')} in this turn: that is more than can be (CB-E2)")
    if scored and table.turn[0] < rules.EARLIEST:
        wrong.append(f"a scoring in turn {table.turn[0]}: the first one comes in turn 6 at the earliest (CB-E2)")
    return wrong


def wrong_draw(table: CrashByCrash, name: str) -> list[str]:
    """CB-T4, CB-V1: what is wrong while cards are drawn."""
    phase = table.phase[0]
    owed = table.owed[0]
    held = table.held[table.asked[0]]
    drawn = 2 - table.drawn.count(NOWHERE)
    if phase in (t.DRAWING, t.REFILL) and table.players[0] == 4 or phase == t.KEEP and table.players[0] == 2:
        return [f"there is no phase {name} with {table.players[0]} players (CB-V1)"]
    if phase in (t.PILE, t.REFILL) and t.pile_size(table) == 0:
        return ["a card comes from the pile, and the pile is empty; discards are shuffled into it first (CB-T4)"]
    if phase == t.REFILL:
        full = NOWHERE not in table.display
        return (
            ["cards are turned up after those of the hand are drawn, where one is missing (CB-T4)"]
            if owed or full
            else []
        )
    if not 0 < owed <= t.HAND - held:
        return [f"{w.SEATS[table.asked[0]]} is to draw {counted(owed, 'card')} and has {held}; a hand is three (CB-T4)"]
    if table.acted[0] == 0:
        return ["cards are drawn after an action; say after how many, as in 'acted 3' (CB-T4)"]
    if phase == t.DRAWING and table.display.count(NOWHERE) == 3:
        return ["there are no face-up cards to choose from (CB-T4)"]
    fewest, most = (2, 2) if phase == t.KEEP else (0, int(phase == t.PILE and table.players[0] == 4))
    if not fewest <= drawn <= most:
        return [f"{counted(drawn, 'card')} drawn: in the phase {name} that cannot be (CB-V1)"]
    return []
