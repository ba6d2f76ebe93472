"""Why an action of CrashCity cannot be played now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from crashlab.engine.notation import together
from crashlab.engine.table import NOWHERE
from crashlab.engine.words import seat_name
from crashlab.games.boards import streets
from crashlab.games.boards.streets import ARMS, DIRECTIONS, OTHER_STRAIGHT, STRAIGHT, letters, turned
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city.table import CrashCity
from crashlab.games.crash_city.words import MANOEUVRES, sides_words


def site_refusal(table: CrashCity, action: int) -> str:
    """CC-B3: why no tile can be laid there."""
    spot = action - t.SELECT
    seat = seat_name(table.asked[0])
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
    lanes = action - t.LAY
    kind = table.kind[table.laid[0] - 1]
    if t.KIND_OF[lanes] != kind:
        ways = " or ".join(map(letters, turned(t.LANES[kind])))
        name = "lane" if t.LANES[kind] == 1 else "lanes"
        return f"a tile {t.KIND_NAMES[kind]} has {name} {ways}, and never {letters(lanes)} (CC-G6)"
    return f"with {sides_words(lanes)} the tile would not be connected to the streets of the square (CC-B4)"


def build_refusal(table: CrashCity, action: int) -> str:
    """CC-B5: why this cannot be built."""
    building = action - t.ERECT
    tile = table.laid[0] - 1
    seat = table.asked[0]
    name = t.BUILDING_NAMES[building]
    if table.stock[3 * seat + building] < 1:
        return f"{seat_name(seat)} has no {name} left (CC-B1)"
    unwanted = t.FACTORY if building == t.HOME else t.HOME
    sides = (t.tile_at(table, *streets.beside(*t.place(table, tile), way)) for way in range(4))
    near = [t.tile_words(table, other) for other in sides if other != NOWHERE and table.building[other] == unwanted]
    return f"no {name} is built beside a {t.BUILDING_NAMES[unwanted]}, and there is one on {together(near)} (CC-B5)"


def put_refusal(table: CrashCity, action: int) -> str:
    """CC-B6: why the house's car cannot be put there."""
    space = (action - t.PUT) // 4
    tile = table.laid[0] - 1
    if space // 4 != tile:
        return f"the car is put on a lane of the new tile, which is {t.tile_words(table, tile)} (CC-B6)"
    if not table.joined[space]:
        return f"{t.lane_words(table, space)} is not connected to the streets of the square (CC-B6)"
    return f"a car on {t.lane_words(table, space)} faces {along(space)}, along its street (CC-G2)"


def roll_refusal(table: CrashCity, action: int) -> str:
    """CC-R1: any seat can be rolled."""
    return f"{seat_name(action - t.ROLLED)} does not play (CC-R1)"


def along(space: int) -> str:
    """The two directions of a street."""
    return f"{DIRECTIONS[(space + 1) % 2]} or {DIRECTIONS[(space + 1) % 2 + 2]}"


def pass_refusal(table: CrashCity, action: int) -> str:
    """CC-R1: why the seat cannot pass."""
    return f"{seat_name(table.asked[0])} can park or drive, and who can must (CC-R1)"


def car_refusal(table: CrashCity, car: int) -> str:
    """CC-R1, CC-R2: why nothing can be done with a car in this turn; empty if something can."""
    seat = table.asked[0]
    name = t.car_name(car)
    where = table.where[car]
    if car // t.OWN != seat:
        return f"{name} is a car of {seat_name(car // t.OWN)}, and it is the turn of {seat_name(seat)} (CC-R1)"
    if where == NOWHERE:
        return f"{name} is not on the table (CC-B6)"
    return f"{name} is parked on {t.tile_words(table, where - t.ROOF)}, for good (CC-R2)" if where >= t.ROOF else ""


def park_refusal(table: CrashCity, action: int) -> str:
    """CC-R2: why a car cannot be parked."""
    car = action - t.PARK
    if reason := car_refusal(table, car):
        return reason
    tile = table.where[car] // 4
    if table.building[tile] not in (t.SHOP, t.FACTORY):
        return f"{t.car_name(car)} is on {t.tile_words(table, tile)}, where there is no shop or factory (CC-R2)"
    (other,) = t.standing(table, t.ROOF + tile)
    name = t.BUILDING_NAMES[table.building[tile]]
    return f"{t.car_name(other)} is parked at the {name} on {t.tile_words(table, tile)} already (CC-R2)"


def drive_refusal(table: CrashCity, action: int) -> str:
    """CC-R3 to CC-R5: why a car cannot drive there."""
    car, space = divmod(action - t.DRIVE, t.SPACE)
    if reason := car_refusal(table, car):
        return reason
    name = t.car_name(car)
    alone = without(table, [other for other in range(t.CARS) if other != car])
    if space == table.where[car]:
        return f"{name} is on {t.lane_words(table, space)} already (CC-R3)"
    others = t.standing(table, space)
    if space in reached(alone, car, 1):
        return f"{on(table, others, space)}, and a move of one space never ends on an occupied one (CC-R4)"
    if space not in reached(alone, car, rules.FORWARD):
        return f"no move of {name} ends on {t.lane_words(table, space)}: {MANOEUVRES} (CC-R3)"
    if others and space in reached(without(table, others), car, rules.FORWARD):
        return f"{t.car_name(others[0])} is blocked: it could not make way, and so it cannot be hit (CC-R5)"
    return way_refusal(table, car, space, alone)


def way_refusal(table: CrashCity, car: int, space: int, alone: CrashCity) -> str:
    """CC-R3: which cars are in the way to a space that can be reached on an empty board."""
    is_forward = space in ends(alone, car, alone.facing[car], rules.FORWARD)
    way = alone.facing[car] ^ (0 if is_forward else 2)
    here = table.where[car]
    while True:
        bits, first = rules.arms_ahead(table, here, way), ARMS * (4 * (here & 3) + way)
        straight = [
            rules.arm_space(table, table.spot[here >> 2], first + arm)
            for arm in (STRAIGHT, OTHER_STRAIGHT)
            if bits >> arm & 1
        ]
        if table.lanes[0] != t.EVERY_STEP:
            del straight[1:]
        free = [lane for lane in straight if not t.standing(table, lane)]
        if not free:
            break
        here = free[0]
    others = [other for lane in straight for other in t.standing(table, lane)]
    names = together([f"{t.car_name(other)} on {t.lane_words(table, table.where[other])}" for other in others])
    stays = "" if table.lanes[0] == t.EVERY_STEP else ", and only the last step changes lanes"
    return f"the way is blocked by {names}; every space that is passed must be empty{stays} (CC-R3)"


def on(table: CrashCity, cars: Sequence[int], space: int) -> str:
    """B1 is on the N lane of (2,0)."""
    names = together([t.car_name(car) for car in cars])
    return f"{names} {'is' if len(cars) == 1 else 'are'} on {t.lane_words(table, space)}"


def without(table: CrashCity, cars: Iterable[int]) -> CrashCity:
    """The table without these cars."""
    bare = table.copy()
    for car in cars:
        bare.where[car] = NOWHERE
    return bare


def laid_out(table: CrashCity) -> list[int]:
    """Room for a list of actions, and where the cars are."""
    out = [0] * rules.MOST_ACTIONS
    rules.lay_out(table, out)
    return out


def reached(table: CrashCity, car: int, most: int) -> set[int]:
    """CC-R3: where a car can end with `most` steps."""
    facing = table.facing[car]
    other = rules.other_lane(table, table.where[car])
    found = ends(table, car, facing, most) | ends(table, car, facing ^ 2, min(most, rules.BACKWARD))
    return found | ({other} if other != NOWHERE and not t.standing(table, other) else set())


def ends(table: CrashCity, car: int, way: int, most: int) -> set[int]:
    """CC-R3: where a car can end in one direction."""
    out = laid_out(table)
    return {action % t.SPACE for action in out[: rules.drives(table, out, 0, car, way, most)]}


def answer_refusal(table: CrashCity, action: int) -> str:
    """CC-C1 to CC-C4: why a car that was hit cannot go there."""
    space = action - t.MAKE_WAY
    hit = table.hit[0]
    name, here = t.car_name(hit), table.where[hit]
    out = laid_out(without(table, range(t.CARS)))
    open_ways = out[: rules.ways_out(table, out, 0, rules.ALL, here, table.push[0])]
    if action not in open_ways:
        ways = "one space straight on, round a corner at the far end, or to the other lane of its street"
        return f"{name} was hit going {DIRECTIONS[table.push[0]]}, and can go {ways} (CC-C1, CC-C2, CC-C3)"
    others = on(table, t.standing(table, space), space)
    if not table.chains[0]:
        return f"{others}, and a car that was hit goes to an empty space (CC-C1)"
    if space == rules.other_lane(table, here):
        return f"{others}, and a car spins only to an empty lane (CC-C3)"
    if any(table.moved[other] for other in t.standing(table, space)):
        return f"{others}, and no car is moved twice in a turn (CC-C4)"
    return f"{others}, and a chain that begins there could not be completed (CC-C4)"
