"""The legal actions of Crash by Crash, found sooner than by trying each: mostly it is clear what one can make ring.

Before anything is done, `survey` notes what is near each cell. An action that moves no magnet makes ring at most the
bells onto which cars are moved, and those that lie between a magnet and a car: where these may ring, it is legal.
"""

from __future__ import annotations

from typing import Annotated

from crashlab.engine.table import NOWHERE, Ints, Layout, clear
from crashlab.games.crash_by_crash.state import *

from crashlab.games.crash_by_crash.rules import (  # isort: skip
    BASE,
    BELL_THERE,
    CAR_BITS,
    FLIGHT,
    FLOOR,
    FOUR_STEPS,
    HOLE,
    LOGGED,
    MIDDLE,
    OPERATOR_THERE,
    RUNG,
    SECOND_CAR,
    STOPS,
    SURVEYED,
    VISITED,
    direction,
    do,
    double_hits,
    ends_well,
    exchanges,
    exits,
    goal,
    is_blue,
    is_least,
    is_magnet,
    is_yellow,
    plays,
    shift,
    shove,
    spare,
    strength,
    undo,
)


class Survey(Layout):
    """Behind the scratch of the rules: what is known of the board before an action is tried."""

    danger: Annotated[Ints, 1]  # pairs of a magnet and a bell beside it
    tense: Annotated[Ints, 1]  # those with a car behind: so many bells can ring in a check, unless a piece moves
    magnets: Annotated[Ints, 2]  # where the two magnets were
    near: Annotated[Ints, CELLS + 1]  # by cell: a sum of WAYS, LOADED and AIMED


DANGER, TENSE, MAGNETS, NEAR = Survey.places(BASE + sum(TrialBoard.SIZES))

WAYS = 63  # the bits of the ways to the cars beside a cell
LOADED = 64  # a car that comes here is behind a bell that is beside a magnet
AIMED = 128  # the bit of a way in which there is a magnet, on the cell or however far, is AIMED << way
WAY_BACK = (8, 16, 32, 1, 2, 4)  # by way: the bit of the opposite one
TWO_AHEAD = tuple(AHEAD[6 * AHEAD[place] + place % 6] for place in range(6 * CELLS))
FREE = 2  # the outlook on a walk: it may end, even after one push more
STIR = 100  # more bells than there are: a magnet would move, and anything may ring


def survey(table: CrashByCrash, out: Ints) -> None:
    """What can be told of all actions at once: what is near cars, where the magnets are, what could ring."""
    clear(out, NEAR, NEAR + CELLS + 1)
    for car in range(CARS):
        if out[BASE + car] != NOWHERE:
            note_hits(out, out[BASE + car])
    out[MAGNETS], out[MAGNETS + 1] = out[BASE + STANDARD], out[BASE + FLEET + STANDARD]
    load(out)
    out[TENSE] = threats(out) if out[DANGER] > 0 else 0
    out[SURVEYED] = out[LOGGED] + 1


def load(out: Ints) -> None:
    """CB-M1: what is in one line with a magnet, and the cells behind each bell beside it: it pulls cars from there."""
    out[DANGER] = 0
    for magnet in range(STANDARD, CARS, FLEET):
        cell = out[BASE + magnet]
        if cell != NOWHERE:
            for way in range(6):
                ahead = AHEAD[6 * cell + way]
                mark = AIMED << (way + 3) % 6
                out[NEAR + cell] |= mark
                if out[FLOOR + ahead] & BELL_THERE:
                    out[DANGER] += 1
                    mark += LOADED
                while ahead != OUTSIDE:
                    out[NEAR + ahead] |= mark
                    ahead = AHEAD[6 * ahead + way]


def threats(out: Ints) -> int:
    """CB-M1: pairs of a magnet and a bell beside it with a car somewhere behind, which it may pull."""
    count = 0
    for magnet in range(STANDARD, CARS, FLEET):
        cell = out[BASE + magnet]
        if cell != NOWHERE:
            for way in range(6):
                bell = AHEAD[6 * cell + way]
                if out[FLOOR + bell] & BELL_THERE and has_car_behind(out, bell, way):
                    count += 1
    return count


def has_car_behind(out: Ints, cell: int, way: int) -> bool:
    """Whether a car is somewhere on the straight line that leads from a cell this way."""
    while cell != OUTSIDE:
        cell = AHEAD[6 * cell + way]
        if out[FLOOR + cell] & CAR_BITS:
            return True
    return False


def note_hits(out: Ints, cell: int) -> None:
    """CB-P1: the cells from which a car can hit the car on this one."""
    for way in range(6):
        out[NEAR + AHEAD[6 * cell + way]] |= WAY_BACK[way]


def with_legal(table: CrashByCrash, out: Ints, count: int, most: int, action: int, limit: int, bound: int) -> int:
    """CB-E2, CB-M1: the action is listed if it ends well; how many are listed then."""
    if count < most and is_clear(out, action, limit, bound):
        out[count] = action
        count += 1
    elif count < most:
        kept = out[LOGGED]
        do(table, out, BASE, action, bound, NOWHERE, None)
        placed = FLEET * (table.asked[0] & 1) + STANDARD if action // SORT * SORT == MAGNET else NOWHERE
        if placed != NOWHERE or moves_bell(action):
            fine = ends_well(table, out, limit, bound, placed)
        else:
            fine = allowed(table, out, limit, bound)
        if fine:
            out[count] = action
            count += 1
        undo(out, kept)
    return count


def moves_bell(action: int) -> bool:
    """CB-K1: whether the action is to move a bell, which may come to stand beside a magnet."""
    return action >= PLAY and action % STEP == BELL_CHARMS


def is_clear(out: Ints, action: int, limit: int, bound: int) -> bool:
    """CB-K1 to CB-K5: whether it is to play a grey card that moves no magnet, and surely rings no bell too many."""
    card, what, where = action % STEP, action // STEP % CELL, action // (STEP * CELL) % CELL
    if action < PLAY or card > FLYING_DUTCHMAN or has_magnet(out, what):
        return False
    if card == BELL_CHARMS:
        return harmless(out, limit, bound, 1 if out[NEAR + where] >= AIMED else 0)
    if card == SABOTEUR or card == FLYING_DUTCHMAN:
        return harmless(out, limit, bound, 0)
    rings = loaded(out, where) + (1 if out[FLOOR + where] & BELL_THERE else 0)
    return not has_magnet(out, where) and harmless(out, limit, bound, rings)


def has_magnet(out: Ints, cell: int) -> bool:
    """Whether there is a magnet on a cell."""
    return out[BASE + STANDARD] == cell or out[BASE + FLEET + STANDARD] == cell


def allowed(table: CrashByCrash, out: Ints, limit: int, bound: int) -> bool:
    """CB-E2: whether what was done on the copy rings, all that follows included, no more bells than may ring.

    After a yellow card it must ring one. Mostly this is clear without trying the magnets.
    """
    known = foreseen(at_most(out), limit, bound)
    return known == 1 if known != NOWHERE else ends_well(table, out, limit, bound, NOWHERE)


def at_most(out: Ints) -> int:
    """How many bells what was done on the copy can ring, all that follows included: no magnet moves any more."""
    if out[LOGGED] + 1 == out[SURVEYED]:
        return out[TENSE]
    if out[DANGER] == 0 and magnets_rest(out):
        return out[RUNG]
    return out[RUNG] + threats(out)


def foreseen(rings: int, limit: int, bound: int) -> int:
    """CB-E2: whether an action that rings so many bells at most is legal: 1 or 0; NOWHERE if it must be tried."""
    if bound == POWERLESS_BELL or bound == SHADY_EXCEPTION:
        return 0 if rings == 0 else NOWHERE
    return 1 if limit == BELLS or rings <= limit else NOWHERE


def magnets_rest(out: Ints) -> bool:
    """Whether the magnets are still where they were."""
    return out[BASE + STANDARD] == out[MAGNETS] and out[BASE + FLEET + STANDARD] == out[MAGNETS + 1]


def harmless(out: Ints, limit: int, bound: int, rings: int) -> bool:
    """CB-E2: whether an action that makes at most `rings` bells more ring, and moves no magnet, is surely legal."""
    return not is_yellow(bound) and (limit == BELLS or rings + out[TENSE] <= limit)


def loaded(out: Ints, cell: int) -> int:
    """How many bells can ring in the check because a car came to this cell."""
    return 1 if out[NEAR + cell] & LOADED else 0


def placements(table: CrashByCrash, out: Ints, count: int, most: int, limit: int, bound: int) -> int:
    """CB-P1: every free cell beside a car."""
    side = table.asked[0] & 1
    if spare(out, BASE, side) == NOWHERE:
        return count
    most_power = strength(table, bound)
    for cell in range(CELLS):
        if (out[NEAR + cell] & WAYS or bound == EXPANSION) and out[FLOOR + cell] == 0 and count < most:
            count = placements_on(table, out, count, most, cell, most_power, limit, bound)
    return count


def placements_on(
    table: CrashByCrash, out: Ints, count: int, most: int, cell: int, most_power: int, limit: int, bound: int
) -> int:
    """CB-P1, CB-P2, CB-K9, CB-K12: on this cell: every car to hit, every strength; two ways; or none."""
    placed = loaded(out, cell)
    if bound == EXPANSION:
        count = with_legal(table, out, count, most, CAR + cell, limit, bound)
    power = FLIGHT if bound == CAR_RACKET else most_power
    ways = out[NEAR + cell]
    known = NOWHERE if out[DANGER] or bound == ACTION_AND_REACTION else foreseen(1, limit, bound)
    for way in range(6):
        if ways >> way & 1:
            sure = known == 1 and out[NEAR + cell] & AIMED << way == 0
            if not sure:
                rings = placed + prospect(out, cell, way, power)
                if bound == ACTION_AND_REACTION:
                    rings += prospect(out, cell, (way + 3) % 6, 1)
                if foreseen(rings + out[TENSE], limit, bound) == 0:
                    continue
                sure = harmless(out, limit, bound, rings)
            for more in range(most_power):
                action = CAR + cell + WAY * (way + 1) + POWER * more
                if sure:
                    out[count] = action
                    count += 1
                else:
                    count = with_legal(table, out, count, most, action, limit, bound)
            if bound == DOUBLE_HIT:
                count = double_hits(table, out, count, most, cell, way, limit)
    return count


def prospect(out: Ints, cell: int, way: int, power: int) -> int:
    """How many bells more can ring at most because of a hit from this cell; STIR if it could move a magnet.

    One onto which a car moves; and one for each cell on its way from where a magnet may pull it onto a bell.
    """
    rings = 0
    ahead = AHEAD[6 * cell + way]
    there = out[FLOOR + ahead]
    while power > 0 and there & (HOLE + OPERATOR_THERE) == 0:
        if there & BELL_THERE:
            return rings + 1
        if there & CAR_BITS == 0:
            power -= 1
            rings += loaded(out, ahead)
        elif is_magnet((there & CAR_BITS) - 1):
            return STIR
        ahead = AHEAD[6 * ahead + way]
        there = out[FLOOR + ahead]
    return rings


def magnet_placements(table: CrashByCrash, out: Ints, count: int, most: int, limit: int, bound: int) -> int:
    """CB-M1: every free cell from which the magnetic car pulls a car; CB-K12: every free cell."""
    magnet = FLEET * (table.asked[0] & 1) + STANDARD
    if out[BASE + magnet] != NOWHERE:
        return count
    for cell in range(CELLS):
        if count < most and out[FLOOR + cell] == 0 and (bound == EXPANSION or could_pull(out, cell)):
            rings = rings_of_pulls(out, cell)
            if rings < STIR and harmless(out, limit, bound, rings):
                out[count] = MAGNET + cell
                count += 1
            else:
                count = with_legal(table, out, count, most, MAGNET + cell, limit, bound)
    return count


def rings_of_pulls(out: Ints, cell: int) -> int:
    """How many bells more a magnet on this cell can make ring at most; STIR if it is not clear that it pulls a car.

    It is clear of a car that stands, and moves, in no line with the other magnet.
    """
    rings, pulls = 0, 0
    if out[NEAR + cell] < AIMED:
        for way in range(6):
            between = AHEAD[6 * cell + way]
            far = AHEAD[6 * between + way]
            if out[FLOOR + between] & BELL_THERE:
                rings += 1
            if out[FLOOR + far] & CAR_BITS and out[FLOOR + between] & STOPS == 0:
                if out[NEAR + between] < AIMED and out[NEAR + far] < AIMED:
                    pulls = 1
    return rings if pulls == 1 else STIR


def could_pull(out: Ints, cell: int) -> bool:
    """CB-M1: whether a magnet on this cell has a car in range and nothing between."""
    for way in range(6):
        if out[FLOOR + AHEAD[6 * cell + way]] & STOPS == 0 and out[FLOOR + TWO_AHEAD[6 * cell + way]] & CAR_BITS:
            return True
    return False


def walks(table: CrashByCrash, out: Ints, count: int, most: int, limit: int, bound: int) -> int:
    """CB-O1: every path of 2 cells, and of 4 for who can pay; cars are pushed on the copy, and put back.

    Meanwhile the operator is not on it.
    """
    start = out[BASE + OPERATOR]
    shift(out, OPERATOR, NOWHERE)
    known = outlook(out, at_most(out), limit, bound)
    if table.score[table.asked[0] & 1] <= FOUR_STEPS:
        count = last_but_one(table, out, count, start, WALK, 1, known, limit, bound)
    else:
        count = first_steps(table, out, count, most, start, known, limit, bound)
    shift(out, OPERATOR, start)
    return count


def first_steps(
    table: CrashByCrash, out: Ints, count: int, most: int, cell: int, known: int, limit: int, bound: int
) -> int:
    """CB-O1: every path of 2 cells from this cell, each followed by those of 4 that begin with it.

    Before a step the outlook is `known`, here and below.
    """
    kept = out[LOGGED]
    out[FLOOR + cell] += VISITED
    for step in range(exits(out, cell)):
        first = next_cell(out, cell, step)
        if first != NOWHERE:
            path, after = WALK + step + 1, known
            if out[FLOOR + first] & (CAR_BITS + HOLE):
                first = shove(table, out, BASE, cell, step, NOWHERE, None)
                after = outlook(out, at_most(out), limit, bound)
            if out[RUNG] <= limit:
                count = second_steps(table, out, count, most, first, path, after, limit, bound)
            undo(out, kept)
    out[FLOOR + cell] -= VISITED
    return count


def second_steps(
    table: CrashByCrash, out: Ints, count: int, most: int, cell: int, path: int, known: int, limit: int, bound: int
) -> int:
    """CB-O1: every second step of a path, from this cell, each followed by what a path of 4 cells goes on with."""
    kept = out[LOGGED]
    out[FLOOR + cell] += VISITED
    for step in range(exits(out, cell)):
        here = next_cell(out, cell, step)
        if count < most and here != NOWHERE:
            longer, after = path + STEP * (step + 1), known
            if out[FLOOR + here] & (CAR_BITS + HOLE):
                here = shove(table, out, BASE, cell, step, NOWHERE, None)
                after = outlook(out, at_most(out), limit, bound)
            if can_stay(table, out, here, after, limit, bound):
                out[count] = longer
                count += 1
            if out[RUNG] <= limit:
                count = last_but_one(table, out, count, here, longer, STEP * STEP, after, limit, bound)
            undo(out, kept)
    out[FLOOR + cell] -= VISITED
    return count


def last_but_one(
    table: CrashByCrash, out: Ints, count: int, cell: int, path: int, unit: int, known: int, limit: int, bound: int
) -> int:
    """CB-O1: the legal last two steps of a path, from this cell.

    A push that leaves it FREE makes no difference to the last step, unless that might move a magnet.
    """
    kept = out[LOGGED]
    inside = out[FLOOR + cell] & HOLE != 0
    out[FLOOR + cell] += VISITED
    for step in range(EXITS if inside else 6):
        here = OUT_OF[EXITS * cell + step] if inside else AHEAD[6 * cell + step]
        there = out[FLOOR + here]
        after = known
        if there != 0 or inside:
            if there & VISITED or ((inside or there & HOLE) and not is_least(out, cell, step, here)):
                continue
            if there & HOLE:
                here = MIDDLE[TILE[here]]
            if there & CAR_BITS:
                way = direction(step, inside)
                after = outlook(out, rings_of_push(out, here, way), limit, bound)
                if after != FREE or may_move_magnet(out, here, way):
                    shove(table, out, BASE, cell, step, NOWHERE, None)
                    if after == NOWHERE:
                        after = outlook(out, at_most(out), limit, bound)
        count = last_steps(table, out, count, here, path + unit * (step + 1), unit * STEP, after, limit, bound)
        if out[LOGGED] > kept:
            undo(out, kept)
    out[FLOOR + cell] -= VISITED
    return count


def may_move_magnet(out: Ints, cell: int, onward: int) -> bool:
    """Whether a step from a cell may push a magnet: in a way with a car beside it, or onward, where one is pushed."""
    if out[NEAR + cell] >= AIMED:
        for way in range(6):
            if out[NEAR + cell] & AIMED << way:
                if way == onward or out[FLOOR + AHEAD[6 * cell + way]] & CAR_BITS:
                    return True
    return False


def outlook(out: Ints, rings: int, limit: int, bound: int) -> int:
    """CB-E2: as `foreseen`, of a walk during which `rings` bells can ring at most; FREE if one more may ring, too.

    That is what a push can bring that moves no magnet.
    """
    known = foreseen(rings, limit, bound)
    if known == 1 and foreseen(rings + 1, limit, bound) == 1 and magnets_rest(out):
        return FREE
    return known


def next_cell(out: Ints, cell: int, step: int) -> int:
    """CB-O1, CB-O3: where a step leads; NOWHERE if outside or where he was, or if it equals a lesser step."""
    inside = out[FLOOR + cell] & HOLE != 0
    target = OUT_OF[EXITS * cell + step] if inside else AHEAD[6 * cell + step]
    there = out[FLOOR + target]
    if there & VISITED or ((inside or there & HOLE) and not is_least(out, cell, step, target)):
        return NOWHERE
    return target


def rings_of_push(out: Ints, cell: int, way: int) -> int:
    """How many bells can ring at most after a push of the car on this cell; STIR if a magnet moves, or has moved."""
    if not magnets_rest(out):
        return STIR
    return at_most(out) + prospect(out, AHEAD[6 * cell + (way + 3) % 6], way, 1)


def can_stay(table: CrashByCrash, out: Ints, cell: int, known: int, limit: int, bound: int) -> bool:
    """CB-E2: whether the operator's move may end on this cell, with what was pushed on the copy; tried, if unknown."""
    if known != NOWHERE:
        return known != 0
    shift(out, OPERATOR, cell)
    fine = ends_well(table, out, limit, bound, NOWHERE)
    shift(out, OPERATOR, NOWHERE)
    return fine


def last_steps(
    table: CrashByCrash, out: Ints, count: int, cell: int, path: int, unit: int, known: int, limit: int, bound: int
) -> int:
    """CB-O1: the legal last steps of a path, from this cell; mostly it is clear that one may be done."""
    if out[FLOOR + cell] & HOLE:
        return last_exits(table, out, count, cell, path, unit, known, limit, bound)
    risky = out[NEAR + cell] if known == FREE else AIMED * WAYS
    for way in range(6):
        path += unit
        there = out[FLOOR + AHEAD[6 * cell + way]]
        if there != 0 or known < 1:
            if there & VISITED or (there & HOLE and not is_least(out, cell, way, AHEAD[6 * cell + way])):
                continue
            if there & CAR_BITS:
                if risky & AIMED << way and not may_end(table, out, cell, way, limit, bound):
                    continue
            elif known == 0 or (known == NOWHERE and not may_end(table, out, cell, way, limit, bound)):
                continue
        out[count] = path
        count += 1
    return count


def last_exits(
    table: CrashByCrash, out: Ints, count: int, cell: int, path: int, unit: int, known: int, limit: int, bound: int
) -> int:
    """CB-O3: the legal last steps of a path, out of the hole round this cell."""
    for step in range(EXITS):
        target = next_cell(out, cell, step)
        if target == NOWHERE:
            continue
        if out[FLOOR + target] & CAR_BITS or known == NOWHERE:
            if not may_end(table, out, cell, step, limit, bound):
                continue
        elif known == 0:
            continue
        out[count] = path + unit * (step + 1)
        count += 1
    return count


def may_end(table: CrashByCrash, out: Ints, cell: int, step: int, limit: int, bound: int) -> bool:
    """CB-E2: whether the operator's move may end with this step; mostly it is clear without a push."""
    inside = out[FLOOR + cell] & HOLE != 0
    target = goal(cell, step, inside)
    if out[FLOOR + target] & CAR_BITS:
        known = foreseen(rings_of_push(out, target, direction(step, inside)), limit, bound)
        if known != NOWHERE:
            return known == 1
    kept = out[LOGGED]
    here = shove(table, out, BASE, cell, step, NOWHERE, None)
    fine = can_stay(table, out, here, foreseen(at_most(out), limit, bound), limit, bound)
    undo(out, kept)
    return fine


def bound_actions(table: CrashByCrash, out: Ints, count: int, most: int, limit: int, bound: int) -> int:
    """CB-K: what can follow a blue or yellow card, or anything where `bound` is NOWHERE; how many are listed."""
    if out[SURVEYED] != out[LOGGED] + 1:
        survey(table, out)
    if table.placed[0] == 0 or table.score[table.asked[0] & 1] > SECOND_CAR:
        count = placements(table, out, count, most, limit, bound)
        if count < most and (not is_blue(bound) or bound == EXPANSION):
            count = magnet_placements(table, out, count, most, limit, bound)
    if is_blue(bound):
        return count
    if count < most:
        count = walks(table, out, count, most, limit, bound)
    count = plays(table, out, count, most, limit, bound)
    if count < most and bound == NOWHERE and allowed(table, out, limit, bound):
        count = exchanges(table, out, count)
    return count
