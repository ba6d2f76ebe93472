"""Why an action of CrashCity cannot be played now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crashlab.boards import streets
from crashlab.boards.streets import ARMS, DIRECTIONS, OTHER_STRAIGHT, STRAIGHT, letters, turned
from crashlab.errors import CrashlabError, shown
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city.table import CrashCity
from crashlab.games.crash_city.words import (
    MANOEUVRES,
    action_text,
    car_name,
    lane_words,
    place,
    question,
    read_action,
    seat_name,
    sides_words,
    standing,
    tile_words,
)
from crashlab.happen import NOWHERE
from crashlab.notation import (
    together,
)

# What cannot be done

FITTING = {
    t.SITE: (t.SELECT,),
    t.REVEAL: (t.REVEALED,),
    t.ROTATE: (t.LAY,),
    t.BUILD: (t.ERECT,),
    t.CAR: (t.PUT,),
    t.ROLL: (t.ROLLED,),
    t.RACE: (t.PARK, t.DRIVE, t.PASS),
    t.ANSWER: (t.MAKE_WAY,),
}


def listed(table: CrashCity) -> list[int]:
    """All legal actions of the seat that decides."""
    out = [0] * rules.MOST_ACTIONS
    return out[: rules.legal(table, table.asked[0], out)]


def refusal(table: CrashCity, seat: int, action: int) -> str:
    """Why this seat cannot do so now, with the rule that forbids it; empty if it can."""
    phase = table.phase[0]
    if action // t.SORT * t.SORT not in FITTING.get(phase, ()):
        return f"{question(phase)} is asked for now, not code {action}"
    try:
        said = action_text(table, seat, action)
        if read_action(table, seat, said) != action:
            return f"{shown(said)} is never done with code {action}"
    except CrashlabError as error:
        return str(error)
    return "" if action in listed(table) else REASONS[phase](table, action)


def site_refusal(table: CrashCity, action: int) -> str:
    """CC-B3: why no tile can be laid there."""
    spot, seat = action - t.SELECT, seat_name(table.asked[0])
    x, y = streets.xy(spot)
    where = t.place_words((x, y))
    if t.tile_at(table, x, y) != NOWHERE:
        return f"there is a tile on {where} already (CC-B3)"
    if all(t.tile_at(table, *streets.beside(x, y, way)) == NOWHERE for way in range(4)):
        return f"{where} is not beside a tile or the square; beside means at a side, not at a corner (CC-B3)"
    if not rules.can_be_paved(table, spot):
        return f"the site {where} is not connected: no lane there would meet a street from the square (CC-B3)"
    return f"nothing that {seat} has left may be built on {where}, and there are sites where it may (CC-B3, CC-B5)"


def reveal_refusal(table: CrashCity, action: int) -> str:
    """CC-G6, CC-B2a: why it cannot be this tile."""
    kind = action - t.REVEALED
    if t.COUNTS[t.KINDS * table.tiles[0] + kind] == 0:
        return f"there is no tile {t.KIND_NAMES[kind]} in this set (CC-G6)"
    return f"all tiles {t.KIND_NAMES[kind]} of the set have been revealed (CC-B2a)"


def rotate_refusal(table: CrashCity, action: int) -> str:
    """CC-B4: why the tile cannot be turned like this."""
    lanes, kind = action - t.LAY, table.kind[table.laid[0] - 1]
    if t.KIND_OF[lanes] != kind:
        ways = " or ".join(map(letters, turned(t.LANES[kind])))
        name = "lane" if t.LANES[kind] == 1 else "lanes"
        return f"a tile {t.KIND_NAMES[kind]} has {name} {ways}, and never {letters(lanes)} (CC-G6)"
    return f"with {sides_words(lanes)} the tile would not be connected to the streets of the square (CC-B4)"


def build_refusal(table: CrashCity, action: int) -> str:
    """CC-B5: why this cannot be built."""
    building, tile, seat = action - t.ERECT, table.laid[0] - 1, table.asked[0]
    name = t.BUILDING_NAMES[building]
    if table.stock[3 * seat + building] < 1:
        return f"{seat_name(seat)} has no {name} left (CC-B1)"
    unwanted = t.FACTORY if building == t.HOUSE else t.HOUSE
    sides = (t.tile_at(table, *streets.beside(*place(table, tile), way)) for way in range(4))
    near = [tile_words(table, other) for other in sides if other != NOWHERE and table.building[other] == unwanted]
    return f"no {name} is built beside a {t.BUILDING_NAMES[unwanted]}, and there is one on {together(near)} (CC-B5)"


def put_refusal(table: CrashCity, action: int) -> str:
    """CC-B6: why the house's car cannot be put there."""
    space, tile = (action - t.PUT) // 4, table.laid[0] - 1
    if space // 4 != tile:
        return f"the car is put on a lane of the new tile, which is {tile_words(table, tile)} (CC-B6)"
    if not table.joined[space]:
        return f"{lane_words(table, space)} is not connected to the streets of the square (CC-B6)"
    return f"a car on {lane_words(table, space)} faces {along(space)}, along its street (CC-G2)"


def roll_refusal(table: CrashCity, action: int) -> str:
    """CC-R1: any seat can be rolled."""
    return f"{seat_name(action - t.ROLLED)} does not play (CC-R1)"


def along(space: int) -> str:
    """The two directions of a street."""
    return f"{DIRECTIONS[(space + 1) % 2]} or {DIRECTIONS[(space + 1) % 2 + 2]}"


def race_refusal(table: CrashCity, action: int) -> str:
    """CC-R1: why this is no turn of the race."""
    seat, rest = table.asked[0], action % t.SORT
    if action == t.PASS:
        return f"{seat_name(seat)} can park or drive, and who can must (CC-R1)"
    is_park = action // t.SORT * t.SORT == t.PARK
    car = rest if is_park else rest // t.SPACE
    name, where = car_name(car), table.where[car]
    if car // t.OWN != seat:
        return f"{name} is a car of {seat_name(car // t.OWN)}, and it is the turn of {seat_name(seat)} (CC-R1)"
    if where == NOWHERE:
        return f"{name} is not on the table (CC-B6)"
    if where >= t.ROOF:
        return f"{name} is parked on {tile_words(table, where - t.ROOF)}, for good (CC-R2)"
    return park_refusal(table, car) if is_park else drive_refusal(table, car, rest % t.SPACE)


def park_refusal(table: CrashCity, car: int) -> str:
    """CC-R2: why a car on the street cannot be parked."""
    tile = table.where[car] // 4
    if table.building[tile] not in (t.SHOP, t.FACTORY):
        return f"{car_name(car)} is on {tile_words(table, tile)}, where there is no shop or factory (CC-R2)"
    (other,) = standing(table, t.ROOF + tile)
    name = t.BUILDING_NAMES[table.building[tile]]
    return f"{car_name(other)} is parked at the {name} on {tile_words(table, tile)} already (CC-R2)"


def drive_refusal(table: CrashCity, car: int, space: int) -> str:
    """CC-R3 to CC-R5: why a car on the street cannot drive there."""
    start, name = table.where[car], car_name(car)
    alone = without(table, [other for other in range(t.CARS) if other != car])
    if space == start:
        return f"{name} is on {lane_words(table, space)} already (CC-R3)"
    others = standing(table, space)
    if space in reached(alone, car, 1):
        return f"{on(table, others, space)}, and a move of one space never ends on an occupied one (CC-R4)"
    if space not in reached(alone, car, rules.FORWARD):
        return f"no move of {name} ends on {lane_words(table, space)}: {MANOEUVRES} (CC-R3)"
    if others and space in reached(without(table, others), car, rules.FORWARD):
        return f"{car_name(others[0])} is blocked: it could not make way, and so it cannot be hit (CC-R5)"
    return way_refusal(table, car, space, alone)


def way_refusal(table: CrashCity, car: int, space: int, alone: CrashCity) -> str:
    """CC-R3: which cars are in the way to a space that can be reached on an empty board."""
    is_forward = space in ends(alone, car, alone.facing[car], rules.FORWARD)
    way, here = alone.facing[car] ^ (0 if is_forward else 2), table.where[car]
    while True:
        bits, first = rules.arms_ahead(table, here, way), ARMS * (4 * (here & 3) + way)
        straight = [
            rules.arm_space(table, table.spot[here >> 2], first + arm)
            for arm in (STRAIGHT, OTHER_STRAIGHT)
            if bits >> arm & 1
        ]
        if table.lanes[0] != t.EVERY_STEP:
            del straight[1:]
        free = [lane for lane in straight if not standing(table, lane)]
        if not free:
            break
        here = free[0]
    others = [other for lane in straight for other in standing(table, lane)]
    names = together([f"{car_name(other)} on {lane_words(table, table.where[other])}" for other in others])
    stays = "" if table.lanes[0] == t.EVERY_STEP else ", and only the last step changes lanes"
    return f"the way is blocked by {names}; every space that is passed must be empty{stays} (CC-R3)"


def on(table: CrashCity, cars: Sequence[int], space: int) -> str:
    """B1 is on the N lane of (2,0)."""
    names = together([car_name(car) for car in cars])
    return f"{names} {'is' if len(cars) == 1 else 'are'} on {lane_words(table, space)}"


def without(table: CrashCity, cars: Iterable[int]) -> CrashCity:
    """The table without these cars."""
    bare = table.copy()
    for car in cars:
        bare.where[car] = NOWHERE
    return bare


def reached(table: CrashCity, car: int, most: int) -> set[int]:
    """CC-R3: where a car can end with so many steps at most."""
    facing, other = table.facing[car], rules.other_lane(table, table.where[car])
    found = ends(table, car, facing, most) | ends(table, car, facing ^ 2, min(most, rules.BACKWARD))
    return found | ({other} if other != NOWHERE and not standing(table, other) else set())


def ends(table: CrashCity, car: int, way: int, most: int) -> set[int]:
    """CC-R3: where a car can end in one direction."""
    out = [0] * rules.MOST_ACTIONS
    rules.lay_out(table, out)
    return {action % t.SPACE for action in out[: rules.drives(table, out, 0, car, way, most)]}


def answer_refusal(table: CrashCity, action: int) -> str:
    """CC-C1 to CC-C4: why a car that was hit cannot go there."""
    space, hit = action - t.MAKE_WAY, table.hit[0]
    name, here = car_name(hit), table.where[hit]
    out = [0] * rules.MOST_ACTIONS
    rules.lay_out(without(table, range(t.CARS)), out)
    open_ways = out[: rules.ways_out(table, out, 0, rules.ALL, here, table.push[0])]
    if action not in open_ways:
        ways = "one space straight on, round a corner at the far end, or to the other lane of its street"
        return f"{name} was hit going {DIRECTIONS[table.push[0]]}, and can go {ways} (CC-C1, CC-C2, CC-C3)"
    others = on(table, standing(table, space), space)
    if not table.chains[0]:
        return f"{others}, and a car that was hit goes to an empty space (CC-C1)"
    if space == rules.other_lane(table, here):
        return f"{others}, and a car spins only to an empty lane (CC-C3)"
    if any(table.moved[other] for other in standing(table, space)):
        return f"{others}, and no car is moved twice in a turn (CC-C4)"
    return f"{others}, and a chain that begins there could not be completed (CC-C4)"


REASONS = {
    t.SITE: site_refusal,
    t.REVEAL: reveal_refusal,
    t.ROTATE: rotate_refusal,
    t.BUILD: build_refusal,
    t.CAR: put_refusal,
    t.ROLL: roll_refusal,
    t.RACE: race_refusal,
    t.ANSWER: answer_refusal,
}
