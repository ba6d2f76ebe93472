"""Autoscooter's rules in the order of the book: the docstring of a function that implements a rule begins with
the rule's id.

A round is planned in passes (AS-R1) and then driven (AS-R2). Rules change the table only through `happen`, often by way
of the verbs at the end. `cause` is the index of the causing event; `trace` collects the events.
"""

from __future__ import annotations

from pathlib import Path

from crashlab.engine import rulebook
from crashlab.engine.chance import next_luck
from crashlab.engine.default_rules import winners
from crashlab.engine.table import NOWHERE, Ints, Trace, happen, latest, next_beat, note
from crashlab.games.autoscooter.state import *

BOOK = rulebook.read(str(Path(__file__).parent))
AHEAD = BOARD.ahead

M1, M2, M5, L2 = BOOK.cite("AS-M1", "AS-M2", "AS-M5", "AS-L2")
R1, R2, R3, R4, R6, R7, R8 = BOOK.cite("AS-R1", "AS-R2", "AS-R3", "AS-R4", "AS-R6", "AS-R7", "AS-R8")
C1, C2, C3, C4, C5, C6, C7 = BOOK.cite("AS-C1", "AS-C2", "AS-C3", "AS-C4", "AS-C5", "AS-C6", "AS-C7")
E1, V1 = BOOK.cite("AS-E1", "AS-V1")

ROUND, ASKING, BOX, CHITS = Autoscooter.numbers("round", "asking", "box", "chits")
CELL, FACING, SPEED, PLOT, USED = Autoscooter.numbers("cell", "facing", "speed", "plot", "used")

MOST_ACTIONS = ROUNDS * (ABOUT_FACE + 1)
LETTERS = 1 + MOST_ACTIONS


# Seats to decide, and legal actions


def actors(table: Autoscooter) -> int:
    """AS-R1: return as bits the seats to decide now: all with a car to plan in this pass; 0 when the game is over."""
    seats = 0
    if table.round[0] <= ROUNDS:
        for car in range(CARS):
            if table.asked[car] == table.asking[0] and table.plot[car] == UNPLANNED:
                seats |= 1 << table.driver[car]
    return seats


def car_asked(table: Autoscooter, seat: int) -> int:
    """Return the car that this seat plans in this pass, or NOWHERE."""
    for car in range(CARS):
        if table.driver[car] == seat and table.asked[car] == table.asking[0]:
            return car
    return NOWHERE


def fits(table: Autoscooter, car: int, manoeuvre: int) -> bool:
    """AS-M3, AS-M5: return whether a manoeuvre is allowed at the car's speed.

    The speed may change by at most 1; the about-face needs speed 0 and its option.
    """
    if manoeuvre == ABOUT_FACE:
        return table.standstill[0] == STANDSTILL_ABOUT_FACE and table.speed[car] == 0
    return abs(SPEED_OF[manoeuvre] - table.speed[car]) <= 1


def legal(table: Autoscooter, seat: int, out: Ints) -> int:
    """AS-R1, AS-L2: list every unused number of the car with every manoeuvre that fits; return the count of actions."""
    car = car_asked(table, seat)
    first = FIRST_FIT[table.speed[car]]
    turns_round = fits(table, car, ABOUT_FACE)
    count = 0
    for row in range(ROUNDS):
        if table.used[ROUNDS * car + row]:
            continue
        number = number_in(table, car, row)
        for manoeuvre in range(first, first + FITS[table.speed[car]]):
            out[count] = number * CODES + manoeuvre
            count += 1
        if turns_round:
            out[count] = number * CODES + ABOUT_FACE
            count += 1
    return count


def unused_number(table: Autoscooter, car: int, place: int) -> int:
    """Return the car's unused number at this index, in the order of the log sheet."""
    row = 0
    while place > 0 or table.used[ROUNDS * car + row]:
        place -= table.used[ROUNDS * car + row] == 0
        row += 1
    return number_in(table, car, row)


def number_in(table: Autoscooter, car: int, row: int) -> int:
    """AS-L1: return the car's number in this row of the log sheet."""
    return NUMBERS[88 * table.last_row_reversed[0] + ROUNDS * car + row]


def score(table: Autoscooter, seat: int) -> int:
    """AS-E1: return the seat's chits; the highest score wins."""
    return table.chits[seat]


def spell(table: Autoscooter, seat: int, action: int, out: Ints) -> int:
    """AS-L2: write one letter: 0 for the empty plot, else 1 + 16 * row of the log sheet + manoeuvre; return 1."""
    row = (action // CODES - 1) // CARS
    out[0] = 0 if action == NOTHING else 1 + row * (ABOUT_FACE + 1) + action % CODES
    return 1


def observe(view: Autoscooter, seat: int) -> None:
    """AS-R1: hide the plots of the other seats."""
    for car in range(CARS):
        if view.plot[car] != UNPLANNED and view.driver[car] != seat:
            happen(view.plot, PLOT, car, HIDDEN, R1, NOWHERE, None)


def determinize(view: Autoscooter, luck: Ints, out: Ints) -> None:
    """AS-R1: replace each hidden plot by a random legal one."""
    for car in range(CARS):
        if view.plot[car] == HIDDEN:
            fitting = FITS[view.speed[car]] + fits(view, car, ABOUT_FACE)
            number = unused_number(view, car, next_luck(luck) * (ROUNDS + 1 - view.round[0]) >> 31)
            place = next_luck(luck) * fitting >> 31
            manoeuvre = ABOUT_FACE if place == FITS[view.speed[car]] else FIRST_FIT[view.speed[car]] + place
            happen(view.plot, PLOT, car, number * CODES + manoeuvre, R1, NOWHERE, None)


# Planning


def apply(table: Autoscooter, seat: int, action: int, trace: Trace | None) -> None:
    """AS-R1: write the plot of the seat's current car; the last plot of a pass starts the next pass or the driving."""
    plot = happen(table.plot, PLOT, car_asked(table, seat), action, R1, NOWHERE, trace)
    if somebody_plans(table):
        return
    next_beat(trace)
    planned = happen(table.asking, ASKING, 0, table.asking[0] + 1, R1, plot, trace)
    if not somebody_plans(table):
        drive_round(table, planned, trace)


def somebody_plans(table: Autoscooter) -> bool:
    """Return whether a car of this pass has no plot.

    The search begins with the last car, since seats usually plan in order.
    """
    for car in range(CARS - 1, -1, -1):
        if table.plot[car] == UNPLANNED and table.asked[car] == table.asking[0]:
            return True
    return False


def drive_round(table: Autoscooter, cause: int, trace: Trace | None) -> None:
    """AS-R2: move the cars one after another, the lowest number first; then start the next round or end the game."""
    for car in range(CARS):
        if table.asked[car] != NOWHERE:
            settle_plot(table, car, cause, trace)
    order = by_number(table)
    while order != 0:
        cause = move_car(table, order % 16 - 1, trace)
        order //= 16
    next_beat(trace)
    happen(table.asking, ASKING, 0, 0, R1, cause, trace)
    end = happen(table.round, ROUND, 0, table.round[0] + 1, L2, cause, trace)
    if table.round[0] > ROUNDS:
        end_game(table, end, trace)


def by_number(table: Autoscooter) -> int:
    """AS-R2: return the cars in driving order as hexadecimal digits, counted from 1; the last digit drives first.

    If changed rules allow equal numbers, the car with the lower index drives first.
    """
    order = 0
    for car in range(CARS):
        if table.plot[car] != UNPLANNED:
            earlier = 0
            for other in range(CARS):
                earlier += UNPLANNED < table.plot[other] < table.plot[car] + (other < car)
            order += (car + 1) << 4 * earlier
    return order


def settle_plot(table: Autoscooter, car: int, cause: int, trace: Trace | None) -> None:
    """AS-R7: replace an empty plot by the highest unused number and straight on. AS-M5: mark a turn before driving."""
    plot = table.plot[car]
    if plot == NOTHING:
        next_beat(trace)
        happen(table.plot, PLOT, car, highest_unused(table, car) * CODES + STRAIGHT, R7, cause, trace)
    elif (
        table.standstill[0] == STANDSTILL_PIVOT_FIRST
        and table.legality[0] != AT_MOVE
        and table.speed[car] == 0
        and SPEED_OF[plot % CODES] == 1
    ):
        happen(table.plot, PLOT, car, plot + PIVOT, M5, cause, trace)


def highest_unused(table: Autoscooter, car: int) -> int:
    """Return the car's highest unused number."""
    highest = 0
    for row in range(ROUNDS):
        if not table.used[ROUNDS * car + row]:
            highest = max(highest, number_in(table, car, row))
    return highest


# Driving


def move_car(table: Autoscooter, car: int, trace: Trace | None) -> int:
    """AS-R2: turn up the car's plot, mark its number as used, and drive. Return the index of the first event.

    The event that wrote the plot is the cause of the first event only if a rule wrote it: AS-R7, AS-M5.
    """
    number, manoeuvre = table.plot[car] // CODES, table.plot[car] % CODES
    cause = latest(PLOT, car, trace) if manoeuvre == STRAIGHT or manoeuvre >= PIVOT else NOWHERE
    next_beat(trace)
    start = happen(table.plot, PLOT, car, UNPLANNED, R2, cause, trace)
    happen(table.used, USED, ROUNDS * car + (number - 1) // CARS, 1, L2, start, trace)
    carry_out(table, car, manoeuvre, start, trace)
    return start


def carry_out(table: Autoscooter, car: int, manoeuvre: int, start: int, trace: Trace | None) -> None:
    """AS-R3: let the car take its plotted speed and drive. AS-R6, AS-R8: a plot that has become illegal is noted.

    AS-R6, AS-R7: straight on keeps the speed; it replaces such a plot if plots are judged at the move. AS-M5: a car
    that turns first does not turn again.
    """
    if manoeuvre == ABOUT_FACE:
        turn(table, car, 3, M5, start, trace)
        return
    pivots = manoeuvre >= PIVOT or turns_first(table, car, manoeuvre)
    if manoeuvre >= PIVOT:
        manoeuvre -= PIVOT
    if manoeuvre != STRAIGHT and abs(SPEED_OF[manoeuvre] - table.speed[car]) > 1:
        if table.legality[0] == AT_MOVE:
            start = note(R6, start, car + 1, SPEED_OF[manoeuvre], table.speed[car], 0, trace)
            manoeuvre = STRAIGHT
        else:
            start = note(R8, start, car + 1, SPEED_OF[manoeuvre], table.speed[car], 0, trace)
    if manoeuvre == STRAIGHT:
        manoeuvre = WITHOUT_TURNS
    else:
        start = happen(table.speed, SPEED, car, SPEED_OF[manoeuvre], R3, start, trace)
        if pivots:
            turn(table, car, TURNS[3 * manoeuvre], M5, start, trace)
            manoeuvre = WITHOUT_TURNS
    drive(table, car, manoeuvre, start, trace)


def turns_first(table: Autoscooter, car: int, manoeuvre: int) -> bool:
    """AS-M5: return whether a move turns before it drives: `pivot_first`, judged at the move, from speed 0 to 1."""
    return (
        table.standstill[0] == STANDSTILL_PIVOT_FIRST
        and table.legality[0] == AT_MOVE
        and table.speed[car] == 0
        and manoeuvre < ABOUT_FACE
        and SPEED_OF[manoeuvre] == 1
    )


def drive(table: Autoscooter, car: int, manoeuvre: int, cause: int, trace: Trace | None) -> None:
    """AS-M1, AS-M2: move as many hexes as the speed, with the turn after each; a crash ends the move (AS-R4)."""
    v = table.speed[car]
    for step in range(v):
        if not step_ahead(table, car, v, step, cause, trace):
            if v == 1 and table.standstill[0] == STANDSTILL_TURN_ANYWAY:
                turn(table, car, TURNS[3 * manoeuvre], M5, cause, trace)
            return
        turn(table, car, TURNS[3 * manoeuvre + step], M2, cause, trace)


def step_ahead(table: Autoscooter, car: int, v: int, step: int, cause: int, trace: Trace | None) -> bool:
    """AS-R4: move one hex ahead, or crash into the obstacle; return whether the car has moved."""
    blow = table.facing[car]
    target = AHEAD[6 * table.cell[car] + blow]
    hit = car_on(table, target)
    next_beat(trace)
    if target != NOWHERE and hit == NOWHERE:
        happen(table.cell, CELL, car, target, M1, cause, trace)
        return True
    cause = note(R4, cause, car + 1, hit + 1, step, v, trace)
    shoves = table.rear_push[0] == 1 and is_rear(table, hit, blow)
    crash = settle_crash(table, car, hit, blow, v, cause, trace)
    if shoves:
        shove(table, hit, blow, crash, trace)
    return False


def car_on(table: Autoscooter, cell: int) -> int:
    """Return the car on this cell, or NOWHERE."""
    if cell != NOWHERE:
        for car in range(CARS):
            if table.cell[car] == cell:
                return car
    return NOWHERE


# Crashes: first the chits, then speeds and facings. `blow` is the direction of the blocked step. The functions return
# the event of the crash.


def settle_crash(table: Autoscooter, car: int, hit: int, blow: int, v: int, cause: int, trace: Trace | None) -> int:
    """AS-C5, C2, C1, C3, C4: apply the first of these rules that fits; return the index of the crash's event."""
    if hit == NOWHERE or table.driver[hit] == NOBODY:
        return hit_barrier(table, car, hit, v, cause, trace)
    if table.speed[hit] == 0:
        return hit_standing(table, car, hit, v, cause, trace)
    side = (blow + 3 - table.facing[hit]) % 6  # side of the hit car: 0 the nose, 3 the tail
    if side == 0:
        return hit_front(table, car, hit, v, cause, trace)
    if side == 3:
        return hit_rear(table, car, hit, v, cause, trace)
    return hit_side(table, car, hit, side, v, cause, trace)


def is_rear(table: Autoscooter, hit: int, blow: int) -> bool:
    """Return whether a blow against this car is a rear hit (AS-C3)."""
    return hit != NOWHERE and table.driver[hit] != NOBODY and table.speed[hit] > 0 and table.facing[hit] == blow


def hit_front(table: Autoscooter, car: int, hit: int, v: int, cause: int, trace: Trace | None) -> int:
    """AS-C1: the slower driver pays the faster one the difference; both cars stop."""
    w = table.speed[hit]
    crash = note(C1, cause, car + 1, hit + 1, v, w, trace)
    if v >= w:
        pay(table, hit, car, v - w, v, C1, crash, trace)
    else:
        pay(table, car, hit, w - v, v, C1, crash, trace)
    next_beat(trace)
    happen(table.speed, SPEED, car, 0, C1, crash, trace)
    happen(table.speed, SPEED, hit, 0, C1, crash, trace)
    return crash


def hit_standing(table: Autoscooter, car: int, hit: int, v: int, cause: int, trace: Trace | None) -> int:
    """AS-C2: a standing car pays the rammer's speed, hit from any side; the rammer stops."""
    crash = note(C2, cause, car + 1, hit + 1, v, 0, trace)
    pay(table, hit, car, v, v, C2, crash, trace)
    next_beat(trace)
    happen(table.speed, SPEED, car, 0, C2, crash, trace)
    return crash


def hit_rear(table: Autoscooter, car: int, hit: int, v: int, cause: int, trace: Trace | None) -> int:
    """AS-C3: the car hit from behind pays the rammer's speed; both keep their speeds."""
    crash = note(C3, cause, car + 1, hit + 1, v, table.speed[hit], trace)
    pay(table, hit, car, v, v, C3, crash, trace)
    return crash


def hit_side(table: Autoscooter, car: int, hit: int, side: int, v: int, cause: int, trace: Trace | None) -> int:
    """AS-C4: the car hit in the side pays both speeds and is turned a sixth away from the blow."""
    w = table.speed[hit]
    crash = note(C4, cause, car + 1, hit + 1, v, w, trace)
    pay(table, hit, car, v + w, v, C4, crash, trace)
    turn(table, hit, -1 if side <= 2 else 1, C4, crash, trace)
    return crash


def hit_barrier(table: Autoscooter, car: int, hit: int, v: int, cause: int, trace: Trace | None) -> int:
    """AS-C5: a rammer that hits the barrier or a driverless car pays its speed into the box and stops."""
    crash = note(C5, cause, car + 1, hit + 1, v, 0, trace)
    pay_box(table, table.driver[car], v, C5, crash, trace)
    next_beat(trace)
    happen(table.speed, SPEED, car, 0, C5, crash, trace)
    return crash


def shove(table: Autoscooter, car: int, blow: int, cause: int, trace: Trace | None) -> bool:
    """AS-V1: shove a car one hex; if it is blocked, it first crashes as a rammer. Return whether it has moved."""
    target = AHEAD[6 * table.cell[car] + blow]
    hit = car_on(table, target)
    next_beat(trace)
    push = note(V1, cause, car + 1, 0, 0, 0, trace)
    if target == NOWHERE or hit != NOWHERE:
        passes_on = is_rear(table, hit, blow)
        crash = settle_crash(table, car, hit, blow, table.speed[car], push, trace)
        if not passes_on or not shove(table, hit, blow, crash, trace):
            return False
        next_beat(trace)
    happen(table.cell, CELL, car, target, V1, push, trace)
    return True


def end_game(table: Autoscooter, cause: int, trace: Trace | None) -> None:
    """AS-E1: note that the game is over, with the chits of a winner, and the winners as bits."""
    most, bits = 0, winners(table)
    for seat in range(table.players[0]):
        if bits >> seat & 1:
            most = max(most, table.chits[seat])
    note(E1, cause, most, bits, 0, 0, trace)


# Verbs


def turn(table: Autoscooter, car: int, sixths: int, rule: int, cause: int, trace: Trace | None) -> None:
    """Turn a car to the left by `sixths` of a full turn."""
    if sixths != 0:
        next_beat(trace)
    happen(table.facing, FACING, car, (table.facing[car] + sixths) % 6, rule, cause, trace)


def pay(
    table: Autoscooter, loser: int, winner: int, amount: int, v: int, rule: int, cause: int, trace: Trace | None
) -> None:
    """Let the driver of car `loser` pay the driver of car `winner`. AS-C6: a driver of both pays into the box."""
    payer, payee = table.driver[loser], table.driver[winner]
    if payer == payee:
        pay_box(table, payer, v if table.own_car[0] == BY_SPEED else amount, C6, cause, trace)
        return
    next_beat(trace)
    paid = min(amount, table.chits[payer])
    if paid < amount:
        cause = note(C7, cause, payer, amount, paid, 0, trace)
    happen(table.chits, CHITS, payer, table.chits[payer] - paid, rule, cause, trace)
    happen(table.chits, CHITS, payee, table.chits[payee] + paid, rule, cause, trace)


def pay_box(table: Autoscooter, payer: int, amount: int, rule: int, cause: int, trace: Trace | None) -> None:
    """Let a driver pay into the box. AS-C7: at most all of the driver's chits."""
    next_beat(trace)
    paid = min(amount, table.chits[payer])
    if paid < amount:
        cause = note(C7, cause, payer, amount, paid, 0, trace)
    happen(table.chits, CHITS, payer, table.chits[payer] - paid, rule, cause, trace)
    happen(table.box, BOX, 0, table.box[0] + paid, rule, cause, trace)
