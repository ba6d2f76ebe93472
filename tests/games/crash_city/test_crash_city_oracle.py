"""The engine against the second opinions of `oracles/crash_city_*.py`, on cities built at random."""

import random
from functools import partial

import pytest
import table_play
from oracles import crash_city_drives as drives
from oracles import crash_city_streets as streets_oracle

from crashlab.engine.chance import Random
from crashlab.engine.options import settle
from crashlab.engine.table import NOWHERE
from crashlab.games.boards import streets
from crashlab.games.crash_city import positions, rules
from crashlab.games.crash_city import state as tables
from crashlab.games.crash_city.state import ANSWER, CARS, DRIVE, FLEET, LAY, RACE, ROTATE, SELECT, SITE, SORT, SPACE

SIDES = "NESW"
KINDS_OF_CITIES = [
    {},
    {"corners": "loose", "lanes": "last_step"},
    {"chains": True},
    {"tiles": "rings", "chains": True, "lanes": "last_step"},
    {"tiles": "minimal", "corners": "loose", "chains": True},
    {"tiles": "minimal", "players": 2},
]
each_kind = pytest.mark.parametrize("options", KINDS_OF_CITIES, ids=lambda kind: "-".join(map(str, kind.values())))


legal = partial(table_play.legal_codes, rules)


def grown(options, seed, tiles):
    """Yield the decisions of a random construction, up to a number of tiles."""
    table, rng = tables.set_up(settle(tables.OPTIONS, options), Random(seed)), Random(seed)
    while table.laid[0] <= tiles or table.phase[0] != SITE:
        yield table
        rules.apply(table, table_play.current_seat(rules, table), rng.choice(legal(table)), None)


def lane(table, space):
    """Convert a space for the oracles."""
    return (*streets.xy(table.spot[space // 4]), SIDES[space % 4])


def city(table):
    """Convert the tiles for the oracles, except a tile that still has no rotation."""
    tiles = range(table.laid[0])
    return {streets.xy(table.spot[t]): streets.letters(table.street[t]) for t in tiles if table.street[t]}


def is_strict(table):
    return table.corners[0] == tables.STRICT


# Streets


@pytest.mark.parametrize("is_strict", [True, False])
def test_streets_hang_together_as_one_comes_from_lane_to_lane(is_strict):
    """This holds even if tiles are apart, and without a square."""
    rng = random.Random(1)
    for _ in range(300):
        tiles = {(rng.randrange(5), rng.randrange(5)): rng.randrange(16) for _ in range(rng.randrange(1, 15))}
        roads = streets.Streets(tiles, is_strict)
        for start in tiles:
            reached, waiting = set(), [lane for lane in roads.lanes() if lane[:2] == start]
            while waiting:
                lane = waiting.pop()
                reached.add(lane)
                waiting += set(roads.beside(lane)) - reached
            assert roads.connected(start) == reached, tiles


# The city grows


@pytest.mark.few(2)
@each_kind
def test_connected_lanes_sites_and_rotations(options):
    for table in grown(options, seed=len(str(options)), tiles=20):
        world, strict = city(table), is_strict(table)
        joined = {lane(table, space) for space, flag in enumerate(table.joined) if flag}
        assert joined == streets_oracle.connected(world, strict)
        if table.phase[0] == SITE:
            out = [0] * rules.MOST_ACTIONS
            pavable = out[: rules.sites(table, out, rules.ALL, 1)]
            assert {streets.xy(action - SELECT) for action in pavable} == streets_oracle.sites(world, strict)
        if table.phase[0] == ROTATE:
            here, kind = streets.xy(table.spot[table.laid[0] - 1]), table.kind[table.laid[0] - 1]
            turns = streets_oracle.rotations(world, strict, here, streets.letters(tables.LANES[kind]))
            assert {frozenset(streets.letters(action - LAY)) for action in legal(table, 0)} == turns


@pytest.mark.parametrize("corners", ["strict", "loose"])
def test_the_readable_streets_agree(corners):
    """The arms and the flood fill of `streets.Streets` agree with the oracle."""
    *_, table = grown({"corners": corners}, seed=3, tiles=40)
    board, world = tables.city(table), city(table)
    names = {(x, y, side): (x, y, SIDES[side]) for x, y, side in board.lanes()}
    assert set(names.values()) == streets_oracle.lanes(world)
    assert {names[there] for there in board.connected((0, 0))} == streets_oracle.connected(world, corners == "strict")
    for here, name in names.items():
        for way in ((here[2] + 1) % 4, (here[2] + 3) % 4):
            arms = {(names[there], SIDES[heading]) for there, heading in board.ahead(here, way)}
            assert arms == set(drives.exits({"city": world, "strict": corners == "strict"}, name, SIDES[way]))
        assert drives.edge(name) == frozenset(board.ends(here))


# The cars drive


def crowded(options, seed):
    """Return a city with cars close together."""
    chance = random.Random(seed)
    *_, table = grown(options, seed, chance.choice((6, 12, 30)))
    open_lanes = [space for space, flag in enumerate(table.joined) if flag]
    x, y, _ = lane(table, chance.choice(open_lanes))

    def distance(space):
        right, up, _ = lane(table, space)
        return abs(right - x) + abs(up - y) + 2 * chance.random()

    table.where[:] = table.facing[:] = [NOWHERE] * CARS
    cars = chance.sample(range(FLEET * table.players[0]), chance.choice((6, 10, 14)))
    for car, space in zip(cars, sorted(open_lanes, key=distance), strict=False):
        table.where[car], table.facing[car] = space, (space + chance.choice((1, 3))) % 4
    table.phase[0] = RACE
    assert not positions.problems(table)
    return table, chance


def world_of(table):
    """Return the city with the cars that can be in the way, for the oracles."""
    on_the_street = {
        lane(table, space): SIDES[table.facing[car]]
        for car, space in enumerate(table.where)
        if NOWHERE < space < tables.ROOF and car != table.hit[0]
    }
    return {
        "city": city(table),
        "strict": is_strict(table),
        "cars": on_the_street,
        "chains": bool(table.chains[0]),
        "last_step": table.lanes[0] == tables.LAST_STEP,
    }


@pytest.mark.few(2)
@each_kind
def test_what_a_car_can_do(options):
    """The drives, the facings and the crashes agree, and then the moves of the cars that are hit."""
    crashes = 0
    for seed in range(60):
        table, chance = crowded(options, seed)
        for seat in range(table.players[0]):
            table.asked[0] = seat
            world, actual = world_of(table), {}
            for action in legal(table, seat):
                if action // SORT * SORT == DRIVE:
                    car = (action - DRIVE) // SPACE
                    after = table.copy()
                    rules.apply(after, seat, action, None)
                    crashed = after.phase[0] == ANSWER
                    actual.setdefault(car, {})[lane(table, after.where[car])] = SIDES[after.facing[car]], crashed
                    if crashed:
                        crashes += 1
                        follow(after, chance, {lane(after, after.where[car])})
            for car in range(FLEET * seat, FLEET * seat + FLEET):
                if table.where[car] != NOWHERE:
                    assert actual.get(car, {}) == drives.drives(world, lane(table, table.where[car]))
    assert crashes > 50


def follow(table, chance, moved):
    """Compare the answers to a crash and take one of them, up to the end of the chain."""
    while table.phase[0] == ANSWER:
        hit, way = table.hit[0], SIDES[table.push[0]]
        here, facing = lane(table, table.where[hit]), SIDES[table.facing[hit]]
        expected, actual = drives.ways_out(world_of(table), here, way, facing, moved), {}
        actions = legal(table, hit // FLEET)
        for action in actions:
            after = table.copy()
            rules.apply(after, hit // FLEET, action, None)
            goes_on = after.phase[0] == ANSWER
            actual[lane(table, after.where[hit])] = SIDES[after.facing[hit]], goes_on
        assert actual == expected and len(actions) == len(actual)
        rules.apply(table, hit // FLEET, chance.choice(actions), None)
        moved = moved | {lane(table, table.where[hit])}
