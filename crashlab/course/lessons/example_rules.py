"""House rules, an example for each game: arguments for `game.with_rules(*...)`.

    crash_and_grab  WEAKER_PUSH   a push loses strength
    crash_by_crash  FAR_MAGNET    a magnet reaches three cells
    crash_city      NEXT_JOB      a car parks at the next job after a hit
    autoscooter     FINED_SIDE    a car hit in the side stops and pays a fine; needs FINE=2

Their free names are the names in the rules that they replace.
"""

# ruff: noqa: F821
# mypy: ignore-errors
# pyright: reportUndefinedVariable=false


# Autoscooter


def hit_side(table, car, hit, side, v, cause, trace):
    """A car hit in the side pays FINE times the sum of both speeds, and stops."""
    crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
    pay(table, hit, car, FINE * (v + table.speed[hit]), v, HOUSE, crash, trace)
    next_beat(trace)
    happen(table.speed, SPEED, hit, 0, HOUSE, crash, trace)
    return crash


FINED_SIDE = (hit_side,)


# Crash & Grab


def push(table, saucer, hit, cell, cause, trace):
    """The mover stops on the space; the saucer there moves one space less than the mover's leg, at least one."""
    bump = note(HOUSE, cause, saucer, hit, table.heading[0], table.leg[0], trace)
    if moves_itself(table):
        siphon(table, bump, trace)
    moved = happen(table.cell, CELL, saucer, cell, HOUSE, bump, trace)
    next_beat(trace)
    take_over(table, hit, table.heading[0], max(table.leg[0] - 1, 1), HOUSE, bump, trace)
    mark(table, saucer, moved, trace)
    return bump


WEAKER_PUSH = (push,)


# Crash by Crash


def all_pulls(table, out, base):
    """A magnet pulls the nearest car in each direction, at most three cells away, if all cells between are free."""
    bits = 0
    for pull in range(12):
        if out[base + FLEET * (pull // 6) + STANDARD] != NOWHERE:
            near = between_of(out, base, pull)
            far = AHEAD[6 * near + pull % 6]
            end = at(table, out, base, AHEAD[6 * far + pull % 6])
            if reaches(at(table, out, base, near), at(table, out, base, far), end):
                bits |= 1 << pull
    return bits


def reaches(near, far, farthest):
    if near & STOPS != 0:
        return False
    return far & CAR_BITS != 0 or (far & STOPS == 0 and farthest & CAR_BITS != 0)


def end_of_pull(out, base, pull):
    far = AHEAD[6 * between_of(out, base, pull) + pull % 6]
    return AHEAD[6 * far + pull % 6] if car_on(out, base, far) == NOWHERE else far


def car_on(out, base, cell):
    for car in range(CARS):
        if out[base + car] == cell:
            return car
    return NOWHERE


def pull_all(table, out, base, pulls, cause, trace):
    """All cars of a round move at the same time; a magnet moves last."""
    cars, moved = 0, 0
    for pull in range(12):
        if pulls >> pull & 1:
            cars |= (car_on(out, base, end_of_pull(out, base, pull)) + 1) << 5 * pull
    for last in range(2):
        for pull in range(12):
            car = (cars >> 5 * pull & 31) - 1
            if car != NOWHERE and is_magnet(car) == (last == 1):
                put(out, base, car, between_of(out, base, pull), HOUSE, cause, trace)
                moved |= 1 << car
    return moved


FAR_MAGNET = (all_pulls, reaches, end_of_pull, car_on, pull_all)


# CrashCity


def crash(table, car, hit, space, way, rule, cause, trace):
    """After a hit, a car parks at the next job, on the nearest tile with one; if no job is free, it makes way."""
    bump = note(HOUSE, cause, car, hit, space, way, trace)
    tile = next_job(table, space >> 2)
    if tile == NOWHERE:
        if table.chains[0] == 1:
            happen(table.moved, MOVED, car, 1, HOUSE, bump, trace)
        happen(table.hit, HIT, 0, hit, HOUSE, bump, trace)
        happen(table.push, PUSH, 0, way, HOUSE, bump, trace)
        happen(table.phase, PHASE, 0, ANSWER, HOUSE, bump, trace)
        return
    happen(table.where, WHERE, hit, ROOF + tile, HOUSE, bump, trace)
    happen(table.facing, FACING, hit, NOWHERE, HOUSE, bump, trace)
    come_to_rest(table, hit, bump, trace, HOUSE)


def come_to_rest(table, hit, cause, trace, rule):
    happen(table.push, PUSH, 0, NOWHERE, rule, cause, trace)
    happen(table.hit, HIT, 0, NOWHERE, rule, cause, trace)
    for moved in range(FLEET * table.players[0]):
        happen(table.moved, MOVED, moved, 0, rule, cause, trace)
    happen(table.phase, PHASE, 0, RACE, rule, cause, trace)
    if score(table, hit // FLEET) == FLEET:
        happen(table.turn, TURN, 0, table.turn[0] + 1, rule, cause, trace)
        happen(table.phase, PHASE, 0, OVER, rule, cause, trace)
    else:
        end_turn(table, cause, trace)


def next_job(table, here):
    nearest, least = NOWHERE, 0
    for tile in range(table.laid[0]):
        has_job = table.building[tile] == SHOP or table.building[tile] == FACTORY
        if has_job and car_at(table, ROOF + tile) == NOWHERE:
            far = blocks(table.spot[tile] - table.spot[here])
            if nearest == NOWHERE or far < least:
                nearest, least = tile, far
    return nearest


def blocks(apart):
    row = STEP[0]  # from a spot to its northern neighbour
    rows = (apart + row // 2) // row
    return abs(rows) + abs(apart - rows * row)


NEXT_JOB = (crash, come_to_rest, next_job, blocks)
