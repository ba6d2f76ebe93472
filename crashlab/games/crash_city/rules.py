"""CrashCity's rules: the docstring of a function that implements a rule, or a part of one, begins with its id.

The search for legal drives tries hypothetical moves: `gone` cars drive off or make way, and `fixed` cars cannot be hit
because they move or have moved in this turn (CC-C4). Both are sets of cars, as bits.
"""

from __future__ import annotations

from pathlib import Path

from crashlab.engine import rulebook
from crashlab.engine.table import CHANCE, NOWHERE, Ints, Trace, happen, latest, next_beat, note
from crashlab.games.boards.streets import (
    ARM_SIDE,
    ARM_STEP,
    ARM_WAY,
    ARMS,
    CELLS,
    OTHER_STRAIGHT,
    STEP,
    STRAIGHT,
)
from crashlab.games.crash_city.state import *

BOOK = rulebook.read(str(Path(__file__).parent))

G5, B2, B2A, B3, B4, B5, B6 = BOOK.cite("CC-G5", "CC-B2", "CC-B2a", "CC-B3", "CC-B4", "CC-B5", "CC-B6")
R1, R2, R3, R4, R6 = BOOK.cite("CC-R1", "CC-R2", "CC-R3", "CC-R4", "CC-R6")
C1, C2, C3, C4, E1 = BOOK.cite("CC-C1", "CC-C2", "CC-C3", "CC-C4", "CC-E1")

LAID, TILE, SPOT, KIND, STREET = CrashCity.numbers("laid", "tile", "spot", "kind", "street")
BUILDING, OWNER, JOINED, WHERE, FACING = CrashCity.numbers("building", "owner", "joined", "where", "facing")
STOCK, PHASE, ASKED, TURN, PASSES = CrashCity.numbers("stock", "phase", "asked", "turn", "passes")
HIT, PUSH, MOVED = CrashCity.numbers("hit", "push", "moved")

ALL = 1 << 30  # more than there are actions
BACKWARD, FORWARD = 2, 1 << 30  # maximum numbers of steps (CC-R3)
NO_SPLIT = 0b011001  # arms on the tiles beside the path: a crossing with any of them is not split (CC-G4)

STACK, SEEN, QUEUE, PAVED, STREETS, CROSSING = LegalScratch.places(FLEET * (SPACES + 1))
MOST_ACTIONS = STACK + sum(LegalScratch.SIZES)
LETTERS = SPACES + 1
CACHED = 1 << ARMS


# Seats to decide, and legal actions


def actors(table: CrashCity) -> int:
    """CC-B2, CC-R1: the current seat, as a bit; CHANCE for tiles and the roll; 0 when the game is over."""
    phase = table.phase[0]
    if phase == OVER:
        return 0
    if phase == REVEAL or phase == ROLL:
        return CHANCE
    return 1 << (table.hit[0] // FLEET if phase == ANSWER else table.asked[0])


def legal(table: CrashCity, seat: int, out: Ints) -> int:
    """List the legal actions and return their count."""
    return some_actions(table, out, ALL)


def only_action(table: CrashCity, seat: int, out: Ints) -> int:
    """Return the only action, or NOWHERE if there is a choice."""
    return out[0] if some_actions(table, out, 2) == 1 else NOWHERE


def some_actions(table: CrashCity, out: Ints, most: int) -> int:
    """List the legal actions, all or at least the first `most` of them, and return their count."""
    phase = table.phase[0]
    if phase == RACE:
        return race_actions(table, out, most)
    if phase == ANSWER:
        keep_streets(table, out)
        hit = table.hit[0]
        return ways_out(table, out, 0, most, table.where[hit], table.push[0], 1 << hit, table.moved_at[1])
    if phase == SITE:
        count = sites(table, out, most, 0)
        return count if count > 0 else sites(table, out, most, 1)
    if phase == ROTATE:
        return rotations(table, out)
    if phase == BUILD:
        return buildings(table, out)
    if phase == CAR:
        return car_places(table, out)
    return outcomes(table, out)


def outcomes(table: CrashCity, out: Ints) -> int:
    """CC-B2a, CC-R1: list the outcomes of chance: the kinds of unrevealed tiles, or the seats."""
    count = 0
    for number in range(KINDS if table.phase[0] == REVEAL else table.players[0]):
        if table.phase[0] == ROLL:
            out[count] = ROLLED + number
            count += 1
        elif unrevealed(table, number) > 0:
            out[count] = REVEALED + number
            count += 1
    return count


def odds(table: CrashCity, out: Ints) -> int:
    """CC-B2a, CC-R1: write the weights of the outcomes: all unrevealed tiles are equally likely, as are all seats."""
    count = outcomes(table, out)
    for place in range(count):
        out[place] = 1 if table.phase[0] == ROLL else unrevealed(table, out[place] - REVEALED)
    return count


def score(table: CrashCity, seat: int) -> int:
    """CC-E1, CC-E2: the number of parked cars of a seat; all seats with the highest score win."""
    parked = 0
    for car in range(FLEET * seat, FLEET * seat + FLEET):
        if table.where[car] >= ROOF:
            parked += 1
    return parked


def spell(table: CrashCity, seat: int, action: int, out: Ints) -> int:
    """CC-R1: spell the car and its last space, or SPACES if it parks; CARS alone for a pass. Return the count.

    CC-B3 to CC-B6: spell one letter: `beside` of a site, lanes, a building, or 4 * side + direction for a car.
    """
    sort, rest = action - action % SORT, action % SORT
    if sort == DRIVE:
        out[0], out[1] = rest // SPACE, rest % SPACE
        return 2
    if sort == PARK:
        out[0], out[1] = rest, SPACES
        return 2
    if sort == SELECT:
        out[0] = beside(table, rest)
    elif sort == PUT:
        out[0] = rest % 16
    else:
        out[0] = CARS if sort == PASS else rest
    return 1


def beside(table: CrashCity, spot: int) -> int:
    """CC-B3: return 4 * tile + side: the first tile beside a spot, and its side towards the spot."""
    first = SPACES
    for way in range(4):
        tile = table.tile[(spot + STEP[way]) % CELLS]
        if tile != NOWHERE:
            first = min(first, 4 * tile + (way ^ 2))
    return first


# Streets


def lanes_at(table: CrashCity, spot: int) -> int:
    """CC-G1: the lanes of the tile on a spot, as bits; 0 if there is no tile."""
    tile = table.tile[spot % CELLS]
    return 0 if tile == NOWHERE else table.street[tile]


def arms(table: CrashCity, spot: int, lanes: int, side: int, way: int) -> int:
    """CC-G4: the lanes that continue a lane in a direction, as bits; see `streets`.

    The lane is on `side` of a tile on `spot`, and the tile has `lanes`.
    """
    across, onward = lanes_at(table, spot + STEP[side]), lanes_at(table, spot + STEP[way])
    back, rear = side ^ 2, way ^ 2
    bits = onward >> side & 1 | (lanes >> way & 1) << 2 | (onward >> rear & 1) << 3 | (across >> way & 1) << 4
    beyond = lanes_at(table, spot + STEP[side] + STEP[way])
    if table.corners[0] == STRICT and bits & NO_SPLIT == 0 and across >> back & 1 == 0:
        return bits
    return bits | (beyond >> back & 1) << 1 | (beyond >> rear & 1) << 5


def arms_ahead(table: CrashCity, space: int, way: int) -> int:
    """CC-G4: the lanes that continue a space in a direction, as bits."""
    tile = space >> 2
    return arms(table, table.spot[tile], table.street[tile], space & 3, way)


def known_arms(table: CrashCity, out: Ints, space: int, way: int) -> int:
    """CC-G4: the lanes that continue a space in a direction, cached in `out` after `keep_streets`."""
    place = CROSSING + 2 * space + (way >> 1)
    if out[place] == 0:
        out[place] = arms_ahead(table, space, way) | CACHED
    return out[place]


def keep_streets(table: CrashCity, out: Ints) -> None:
    """Clear the cached arms if the streets have changed since; in the race they never do."""
    paved = 2 * table.laid[0] + table.corners[0]
    others = out[PAVED] != paved
    out[PAVED] = paved
    for tile in range(table.laid[0]):
        street = 16 * table.spot[tile] + table.street[tile]
        if out[STREETS + tile] != street:
            out[STREETS + tile] = street
            others = True
    if others:
        for place in range(CROSSING, CROSSING + 2 * SPACES):
            out[place] = 0


def arm_space(table: CrashCity, spot: int, number: int) -> int:
    """Return the space of an arm of a lane on this spot; `number` is ARMS * (4 * side + way) + arm."""
    return 4 * table.tile[(spot + ARM_STEP[number]) % CELLS] + ARM_SIDE[number]


def other_lane(table: CrashCity, space: int) -> int:
    """CC-G2: the other lane of the same segment, or NOWHERE."""
    side = space & 3
    tile = table.tile[(table.spot[space >> 2] + STEP[side]) % CELLS]
    if tile == NOWHERE or table.street[tile] >> (side ^ 2) & 1 == 0:
        return NOWHERE
    return 4 * tile + (side ^ 2)


def touches(table: CrashCity, spot: int, lanes: int, side: int) -> bool:
    """CC-G5: return whether a lane shares a segment with a connected one, or meets one at a crossing."""
    tile = table.tile[(spot + STEP[side]) % CELLS]
    if tile != NOWHERE and table.joined[4 * tile + (side ^ 2)] == 1:
        return True
    for turn in range(1, 4, 2):
        way = side ^ turn
        bits = arms(table, spot, lanes, side, way)
        for arm in range(ARMS):
            if bits >> arm & 1:
                if table.joined[arm_space(table, spot, ARMS * (4 * side + way) + arm)] == 1:
                    return True
    return False


def any_touches(table: CrashCity, spot: int, lanes: int) -> bool:
    """CC-B4: return whether any of these lanes of a tile on this spot would be connected."""
    for side in range(4):
        if lanes >> side & 1 and touches(table, spot, lanes, side):
            return True
    return False


def spread(table: CrashCity, tile: int, cause: int, trace: Trace | None) -> None:
    """CC-G5: connect the lanes of a new tile that touch connected ones, and so on from there."""
    again = True
    while again:
        again = False
        for space in range(4 * tile + 4):
            if table.street[space >> 2] >> (space & 3) & 1 and table.joined[space] == 0:
                if touches(table, table.spot[space >> 2], table.street[space >> 2], space & 3):
                    happen(table.joined, JOINED, space, 1, G5, cause, trace)
                    again = True


# Construction


def sites(table: CrashCity, out: Ints, most: int, lifted: int) -> int:
    """CC-B3: list the spots where a tile can be connected and, unless `lifted` is 1, the seat may build."""
    count = 0
    for tile in range(table.laid[0]):
        for way in range(4):
            spot = table.spot[tile] + STEP[way]
            if table.tile[spot % CELLS] == NOWHERE and is_first_beside(table, spot, tile):
                if (lifted == 1 or any_allowed(table, spot)) and can_be_paved(table, spot):
                    out[count] = SELECT + spot
                    count += 1
                    if count == most:
                        return count
    return count


def is_first_beside(table: CrashCity, spot: int, tile: int) -> bool:
    """Return whether this tile is the first one beside a spot, so that each site is listed once."""
    for way in range(4):
        other = table.tile[(spot + STEP[way]) % CELLS]
        if NOWHERE < other < tile:
            return False
    return True


def can_be_paved(table: CrashCity, spot: int) -> bool:
    """CC-B3: return whether a single lane on some side would be connected."""
    for side in range(4):
        if touches(table, spot, 1 << side, side):
            return True
    return False


def is_allowed(table: CrashCity, spot: int, building: int) -> bool:
    """CC-B5: return whether a building is allowed: a house and a factory are never adjacent, a shop may be anywhere."""
    if building == SHOP:
        return True
    unwanted = FACTORY if building == HOME else HOME
    for way in range(4):
        tile = table.tile[(spot + STEP[way]) % CELLS]
        if tile != NOWHERE and table.building[tile] == unwanted:
            return False
    return True


def any_allowed(table: CrashCity, spot: int) -> bool:
    """CC-B3: return whether the seat has a building left that is allowed on a spot."""
    for building in range(3):
        if table.stock[3 * table.asked[0] + building] > 0 and is_allowed(table, spot, building):
            return True
    return False


def rotations(table: CrashCity, out: Ints) -> int:
    """CC-B4: list the rotations of the new tile that connect at least one lane."""
    tile = table.laid[0] - 1
    count = 0
    for lanes in range(1, 16):
        if KIND_OF[lanes] == table.kind[tile] and any_touches(table, table.spot[tile], lanes):
            out[count] = LAY + lanes
            count += 1
    return count


def buildings(table: CrashCity, out: Ints) -> int:
    """CC-B5: list the buildings allowed on the new tile; CC-B3: if there are none, list all remaining ones."""
    spot = table.spot[table.laid[0] - 1]
    count = 0
    lifted = not any_allowed(table, spot)
    for building in range(3):
        if table.stock[3 * table.asked[0] + building] > 0 and (lifted or is_allowed(table, spot, building)):
            out[count] = ERECT + building
            count += 1
    return count


def car_places(table: CrashCity, out: Ints) -> int:
    """CC-B6: list the connected lanes of the new tile, with both directions."""
    count = 0
    first = 4 * (table.laid[0] - 1)
    for space in range(first, first + 4):
        if table.joined[space] == 1:
            for turn in range(1, 4, 2):
                out[count] = PUT + 4 * space + (space & 3 ^ turn)
                count += 1
    return count


# Racing


def race_actions(table: CrashCity, out: Ints, most: int) -> int:
    """CC-R1: list the actions of the seat's cars, or a pass if there are no others."""
    keep_streets(table, out)
    count = 0
    first = FLEET * table.asked[0]
    for car in range(first, first + FLEET):
        space = table.where[car]
        if NOWHERE < space < ROOF:
            if can_park(table, space >> 2):
                out[count] = PARK + car
                count += 1
            count = drives(table, out, count, car, table.facing[car], FORWARD)
            count = drives(table, out, count, car, table.facing[car] ^ 2, BACKWARD)
            other = other_lane(table, space)
            if other != NOWHERE and table.cars_at[other] == 0:
                out[count] = DRIVE + SPACE * car + other
                count += 1
            if count >= most:
                return count
    if count == 0:
        out[0], count = PASS, 1
    return count


def can_park(table: CrashCity, tile: int) -> bool:
    """CC-R2: return whether a tile has free work."""
    return table.building[tile] != NOWHERE and table.building[tile] != HOME and table.cars_at[ROOF + tile] == 0


def drives(table: CrashCity, out: Ints, count: int, car: int, way: int, most: int) -> int:
    """CC-R3: add the drives of a car in a direction, of at most `most` steps; return the count.

    Only the last step may turn a corner, and only it may end in a crash.
    """
    here = table.where[car]
    step = 1
    while True:
        bits = known_arms(table, out, here, way)
        spot, first = table.spot[here >> 2], ARMS * (4 * (here & 3) + way)
        for arm in range(ARMS):
            if bits >> arm & 1:
                space = arm_space(table, spot, first + arm)
                fits = table.cars_at[space] == 0
                if not fits and step > 1:
                    fits = can_be_hit(table, out, count, car, space, ARM_WAY[first + arm])
                if fits:
                    out[count] = DRIVE + SPACE * car + space
                    count += 1
        here = onward(table, bits, spot, first)
        if here == NOWHERE or step == most:
            return count
        step += 1


def onward(table: CrashCity, bits: int, spot: int, first: int) -> int:
    """CC-R3: return the next lane straight on, on the car's own side if possible; NOWHERE if blocked."""
    if bits >> STRAIGHT & 1:
        space = arm_space(table, spot, first + STRAIGHT)
        if table.cars_at[space] == 0:
            return space
        if table.lanes[0] != EVERY_STEP:
            return NOWHERE
    if bits >> OTHER_STRAIGHT & 1:
        space = arm_space(table, spot, first + OTHER_STRAIGHT)
        if table.cars_at[space] == 0:
            return space
    return NOWHERE


def can_be_hit(table: CrashCity, out: Ints, count: int, car: int, space: int, way: int) -> bool:
    """CC-R5: return whether the car on a space can make way for a car that enters in a direction."""
    return ways_out(table, out, count, count + 1, space, way, 1 << car, table.cars_at[space]) > count


def ways_out(table: CrashCity, out: Ints, count: int, most: int, space: int, way: int, gone: int, fixed: int) -> int:
    """CC-C1 to CC-C4: add spaces for a car hit in a direction to go to, until there are `most`; return the count."""
    bits = known_arms(table, out, space, way)
    spot, first = table.spot[space >> 2], ARMS * (4 * (space & 3) + way)
    for arm in range(ARMS):
        if bits >> arm & 1 and count < most:
            there = arm_space(table, spot, first + arm)
            if is_free(table, there, gone) or (
                table.chains[0] == 1 and can_go_on(table, out, there, ARM_WAY[first + arm], gone, fixed)
            ):
                out[count] = MAKE_WAY + there
                count += 1
    other = other_lane(table, space)
    if other != NOWHERE and is_free(table, other, gone) and count < most:
        out[count] = MAKE_WAY + other
        count += 1
    return count


def is_free(table: CrashCity, space: int, gone: int) -> bool:
    """CC-C1: return whether a space has no cars, apart from gone ones."""
    return table.cars_at[space] & ~gone == 0


# Chains


def can_go_on(table: CrashCity, out: Ints, space: int, way: int, gone: int, fixed: int) -> bool:
    """CC-C4: return whether a chain that hits the car on a space in this direction can be completed.

    A chain hits no car twice, so this is a depth-first search with backtracking; `leads_out` prunes it.
    """
    if not leads_out(table, out, space, way, gone, fixed):
        return False
    depth, is_possible = 0, False
    fixed |= push(table, out, depth, space, way)
    while depth >= 0 and not is_possible:
        top = STACK + 3 * depth
        here, heading, arm = out[top], out[top + 1], out[top + 2]
        is_possible = arm == 0 and has_room(table, out, here, heading, gone)
        out[top + 2] = arm + 1
        if arm == ARMS:
            fixed &= ~table.cars_at[here]
            depth -= 1
        elif not is_possible and known_arms(table, out, here, heading) >> arm & 1:
            number = ARMS * (4 * (here & 3) + heading) + arm
            there = arm_space(table, table.spot[here >> 2], number)
            if leads_out(table, out, there, ARM_WAY[number], gone, fixed):
                depth += 1
                fixed |= push(table, out, depth, there, ARM_WAY[number])
    return is_possible


def push(table: CrashCity, out: Ints, depth: int, space: int, way: int) -> int:
    """CC-C4: push a hit on the stack of the chain, and return the bit of the hit car, which is now fixed."""
    top = STACK + 3 * depth
    out[top], out[top + 1], out[top + 2] = space, way, 0
    return table.cars_at[space]


def can_be_next(table: CrashCity, space: int, gone: int, fixed: int) -> bool:
    """CC-C4: return whether a space has a car that a chain can hit."""
    there = table.cars_at[space] & ~gone
    return there != 0 and there & fixed == 0


def has_room(table: CrashCity, out: Ints, space: int, way: int, gone: int) -> bool:
    """CC-C1 to CC-C3: return whether a car hit in a direction has a free space to go to."""
    bits = known_arms(table, out, space, way)
    for arm in range(ARMS):
        if bits >> arm & 1:
            there = arm_space(table, table.spot[space >> 2], ARMS * (4 * (space & 3) + way) + arm)
            if is_free(table, there, gone):
                return True
    other = other_lane(table, space)
    return other != NOWHERE and is_free(table, other, gone)


def leads_out(table: CrashCity, out: Ints, space: int, way: int, gone: int, fixed: int) -> bool:
    """CC-C4: return whether hits from here reach a free space, if cars could be hit more than once."""
    if not can_be_next(table, space, gone, fixed):
        return False
    for place in range(SPACES):
        out[SEEN + place] = 0
    out[SEEN + space], out[QUEUE] = 1 << way, 4 * space + way
    looked, length = 0, 1
    while looked < length:
        here, heading = out[QUEUE + looked] >> 2, out[QUEUE + looked] & 3
        if has_room(table, out, here, heading, gone):
            return True
        bits = known_arms(table, out, here, heading)
        for arm in range(ARMS):
            if bits >> arm & 1:
                number = ARMS * (4 * (here & 3) + heading) + arm
                there = arm_space(table, table.spot[here >> 2], number)
                if can_be_next(table, there, gone, fixed) and out[SEEN + there] >> ARM_WAY[number] & 1 == 0:
                    out[SEEN + there] |= 1 << ARM_WAY[number]
                    out[QUEUE + length] = 4 * there + ARM_WAY[number]
                    length += 1
        looked += 1
    return False


# Effects of actions


def apply(table: CrashCity, seat: int, action: int, trace: Trace | None) -> None:
    """Apply one decision. CC-B2: a turn of the construction has several."""
    sort, rest = action // SORT * SORT, action % SORT
    tile = table.laid[0] - 1
    if sort == SELECT:
        select(table, rest, trace)
    elif sort == REVEALED:
        cause = happen(table.kind, KIND, tile, rest, B2A, NOWHERE, trace)
        happen(table.phase, PHASE, 0, ROTATE, B2A, cause, trace)
    elif sort == LAY:
        cause = happen(table.street, STREET, tile, rest, B4, NOWHERE, trace)
        next_beat(trace)
        spread(table, tile, cause, trace)
        happen(table.phase, PHASE, 0, BUILD, B2, cause, trace)
    elif sort == ERECT:
        erect(table, tile, rest, trace)
    elif sort == PUT:
        put(table, rest >> 2, rest & 3, trace)
    elif sort == ROLLED:
        cause = happen(table.asked, ASKED, 0, rest, R1, NOWHERE, trace)
        happen(table.phase, PHASE, 0, RACE, R1, cause, trace)
    elif sort == DRIVE:
        drive(table, rest // SPACE, rest % SPACE, trace)
    elif sort == PARK:
        park(table, rest, trace)
    elif sort == MAKE_WAY:
        make_way(table, rest, trace)
    else:
        cause = happen(table.passes, PASSES, 0, table.passes[0] + 1, R1, NOWHERE, trace)
        end_turn(table, cause, trace)


def select(table: CrashCity, spot: int, trace: Trace | None) -> None:
    """CC-B2, CC-B3: the seat selects a spot for its next tile."""
    tile = table.laid[0]
    cause = NOWHERE
    if not any_allowed(table, spot):
        cause = note(B3, NOWHERE, table.asked[0], spot, 0, 0, trace)
    cause = happen(table.spot, SPOT, tile, spot, B3, cause, trace)
    happen(table.tile, TILE, spot % CELLS, tile, B3, cause, trace)
    happen(table.laid, LAID, 0, tile + 1, B3, cause, trace)
    happen(table.phase, PHASE, 0, REVEAL, B2, cause, trace)


def erect(table: CrashCity, tile: int, building: int, trace: Trace | None) -> None:
    """CC-B5: put a building on the new tile; CC-B6: a house brings a car."""
    seat = table.asked[0]
    cause = happen(table.building, BUILDING, tile, building, B5, NOWHERE, trace)
    happen(table.owner, OWNER, tile, seat, B5, cause, trace)
    place = 3 * seat + building
    happen(table.stock, STOCK, place, table.stock[place] - 1, B5, cause, trace)
    if building == HOME:
        happen(table.phase, PHASE, 0, CAR, B6, cause, trace)
    else:
        next_site(table, cause, trace)


def put(table: CrashCity, space: int, facing: int, trace: Trace | None) -> None:
    """CC-B6: put the house's car on the street."""
    car = FLEET * table.asked[0]
    while table.where[car] != NOWHERE:
        car += 1
    cause = happen(table.where, WHERE, car, space, B6, NOWHERE, trace)
    happen(table.facing, FACING, car, facing, B6, cause, trace)
    next_site(table, cause, trace)


def next_site(table: CrashCity, cause: int, trace: Trace | None) -> None:
    """CC-B2, CC-R1: the next seat selects a site; after 16 turns of each seat, chance rolls for the race."""
    next_beat(trace)
    if table.laid[0] > TURNS * table.players[0]:
        happen(table.phase, PHASE, 0, ROLL, R1, cause, trace)
    else:
        happen(table.asked, ASKED, 0, (table.asked[0] + 1) % table.players[0], B2, cause, trace)
        happen(table.phase, PHASE, 0, SITE, B2, cause, trace)


def park(table: CrashCity, car: int, trace: Trace | None) -> None:
    """CC-R2: a car leaves the street for good; CC-E1: the last one of a seat wins the game."""
    cause = happen(table.where, WHERE, car, ROOF + (table.where[car] >> 2), R2, NOWHERE, trace)
    happen(table.facing, FACING, car, NOWHERE, R2, cause, trace)
    happen(table.passes, PASSES, 0, 0, R1, cause, trace)
    if score(table, car // FLEET) == FLEET:
        happen(table.turn, TURN, 0, table.turn[0] + 1, R1, cause, trace)
        happen(table.phase, PHASE, 0, OVER, E1, cause, trace)
    else:
        end_turn(table, cause, trace)


def drive(table: CrashCity, car: int, space: int, trace: Trace | None) -> None:
    """CC-R3: a car drives to a space: forward, backward, or by a U-turn."""
    start, facing, hit = table.where[car], table.facing[car], car_at(table, space)
    forward, backward = route(table, start, facing, space, FORWARD), NOWHERE
    if forward == NOWHERE:
        backward = route(table, start, facing ^ 2, space, BACKWARD)
    if forward != NOWHERE:
        way = turned = forward & 3
        cause = follow(table, car, facing, forward >> 2, trace)
    elif backward != NOWHERE:
        way, turned = backward & 3, backward & 3 ^ 2
        cause = follow(table, car, facing ^ 2, backward >> 2, trace)
    else:
        way = turned = facing ^ 2
        cause = NOWHERE
    cause = happen(table.where, WHERE, car, space, R3, cause, trace)
    happen(table.facing, FACING, car, turned, R3, cause, trace)
    happen(table.passes, PASSES, 0, 0, R1, cause, trace)
    if hit == NOWHERE:
        end_turn(table, cause, trace)
    else:
        crash(table, car, hit, space, way, R4, cause, trace)


def route(table: CrashCity, start: int, way: int, space: int, most: int) -> int:
    """CC-R3: return the route to a space, as 4 * (steps - 1) + the direction of the last step, or NOWHERE."""
    here = start
    for step in range(most):
        bits = arms_ahead(table, here, way)
        spot, first = table.spot[here >> 2], ARMS * (4 * (here & 3) + way)
        for arm in range(ARMS):
            if bits >> arm & 1 and arm_space(table, spot, first + arm) == space:
                return 4 * step + ARM_WAY[first + arm]
        if bits >> STRAIGHT & 1:
            here = arm_space(table, spot, first + STRAIGHT)
        elif bits >> OTHER_STRAIGHT & 1:
            here = arm_space(table, spot, first + OTHER_STRAIGHT)
        else:
            return NOWHERE
    return NOWHERE


def follow(table: CrashCity, car: int, way: int, steps: int, trace: Trace | None) -> int:
    """CC-R3: drive a car straight on, on its own side if free; return the event of the first step, or NOWHERE."""
    start = NOWHERE
    for _ in range(steps):
        here = table.where[car]
        bits = arms_ahead(table, here, way)
        spot, first = table.spot[here >> 2], ARMS * (4 * (here & 3) + way)
        arm = STRAIGHT
        if bits >> STRAIGHT & 1 == 0 or car_at(table, arm_space(table, spot, first + STRAIGHT)) != NOWHERE:
            arm = OTHER_STRAIGHT
        moved = happen(table.where, WHERE, car, arm_space(table, spot, first + arm), R3, start, trace)
        start = moved if start == NOWHERE else start
        next_beat(trace)
    return start


def car_at(table: CrashCity, space: int) -> int:
    """Return the car on a space, or NOWHERE."""
    if table.cars_at[space] == 0:
        return NOWHERE
    for car in range(FLEET * table.players[0]):
        if table.where[car] == space:
            return car
    return NOWHERE


def crash(
    table: CrashCity, car: int, hit: int, space: int, way: int, rule: int, cause: int, trace: Trace | None
) -> None:
    """CC-R4, CC-C4: a car has hit another one; CC-R6: the hit car has to make way."""
    cause = note(rule, cause, car, hit, space, way, trace)
    if table.chains[0] == 1:
        happen(table.moved, MOVED, car, 1, C4, cause, trace)
    happen(table.hit, HIT, 0, hit, R6, cause, trace)
    happen(table.push, PUSH, 0, way, R6, cause, trace)
    happen(table.phase, PHASE, 0, ANSWER, R6, cause, trace)


def make_way(table: CrashCity, space: int, trace: Trace | None) -> None:
    """CC-C1 to CC-C3: the hit car goes to a space; CC-C4: it may hit another one there."""
    car, push_way = table.hit[0], table.push[0]
    here, facing, next_hit = table.where[car], table.facing[car], car_at(table, space)
    way, rule = push_way, C3
    if other_lane(table, here) != space:
        way = route(table, here, push_way, space, 1) & 3
        rule = C1 if way == push_way else C2
    cause = happen(table.where, WHERE, car, space, rule, latest(HIT, 0, trace), trace)
    if rule == C3:
        happen(table.facing, FACING, car, facing ^ 2, C3, cause, trace)
    elif rule == C2:
        happen(table.facing, FACING, car, way if facing == push_way else way ^ 2, C2, cause, trace)
    if next_hit != NOWHERE:
        crash(table, car, next_hit, space, way, C4, cause, trace)
        return
    happen(table.push, PUSH, 0, NOWHERE, R6, cause, trace)
    happen(table.hit, HIT, 0, NOWHERE, R6, cause, trace)
    for moved in range(FLEET * table.players[0]):
        happen(table.moved, MOVED, moved, 0, C4, cause, trace)
    happen(table.phase, PHASE, 0, RACE, R6, cause, trace)
    end_turn(table, cause, trace)


def end_turn(table: CrashCity, cause: int, trace: Trace | None) -> None:
    """CC-R1: begin the next seat's turn; end the game if all seats have passed in a row, or after the last turn."""
    next_beat(trace)
    cause = happen(table.turn, TURN, 0, table.turn[0] + 1, R1, cause, trace)
    if table.passes[0] == table.players[0] or table.turn[0] == table.turn_limit[0]:
        happen(table.phase, PHASE, 0, OVER, R1, cause, trace)
    else:
        happen(table.asked, ASKED, 0, (table.asked[0] + 1) % table.players[0], R1, cause, trace)
