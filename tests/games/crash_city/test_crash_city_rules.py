"""Each rule of CrashCity is tested from the rules text alone; the mark names the rule that a test proves."""

import pytest
from crash_city_positions import SIDES, Play, bits, city, lay

from crashlab.base.errors import CrashlabError
from crashlab.engine.chance import Random
from crashlab.engine.options import settle
from crashlab.engine.table import CHANCE
from crashlab.games.boards import streets
from crashlab.games.crash_city import evaluate, positions, rules
from crashlab.games.crash_city import state as tables
from crashlab.games.crash_city.state import (
    ANSWER,
    BUILD,
    CAR,
    KINDS,
    PARK,
    PASS,
    RACE,
    REVEAL,
    ROLL,
    ROLLED,
    ROTATE,
    SITE,
    SORT,
)

TWO_TURNS = {"0,0 E": "S", "0,0 W": "N"}  # by a car on (0, 0, N) that faces east


def start(players=4, seed=0, **options):
    return Play(tables.set_up(settle(tables.OPTIONS, {"players": players, **options}), Random(seed)))


def building(*tiles, **more):
    return city(*tiles, phase=SITE, **more)


# Worked examples


@pytest.mark.rule("CC-B4")
@pytest.mark.parametrize(
    ("kind", "turned"),
    [
        ("I", {"N", "S", "W"}),
        ("L", {"NE", "ES", "SW", "NW"}),
        ("H", {"NS", "EW"}),
        ("U", {"NES", "ESW", "NSW", "NEW"}),
    ],
)
def test_example_1_the_first_tile(kind, turned):
    play = building()
    assert play.do(play.site("1,0"), play.shows(kind)).rotations() == turned
    for letters in turned:
        assert "CC-B4" in play.copy().do(play.turned(letters)).cited()


@pytest.mark.rule("CC-B4")
def test_a_ring_has_one_rotation_which_is_taken_by_itself():
    play = building(tiles="rings")
    play.do(play.site("1,0"), play.shows("O"))
    assert play.rotations() == {"NESW"}
    assert rules.only_action(play.table, 0, [0] * rules.MOST_ACTIONS) == play.turned("NESW")


@pytest.mark.rule("CC-B6")
@pytest.mark.parametrize(
    ("letters", "places"),
    [
        ("NS", {"1,0 N E", "1,0 N W", "1,0 S E", "1,0 S W"}),
        ("EW", {"1,0 W N", "1,0 W S"}),  # its lane E is not connected
    ],
)
def test_example_1_where_the_first_car_goes(letters, places):
    play = building()
    play.do(play.site("1,0"), play.shows("H"), play.turned(letters), play.builds("house"))
    assert play.places() == places
    for words in places:
        assert play.copy().do(play.puts(words)).car("A1") == words


@pytest.mark.rule("CC-R3")
@pytest.mark.rule("CC-G3")
def test_example_2_the_square_alone():
    assert city(cars=["A 0,0 N E"]).moves() == TWO_TURNS


@pytest.mark.rule("CC-R3")
def test_example_3_forward_and_drift():
    play = city("1,0 NS", "2,0 NE", cars=["A 0,0 N E"])
    assert play.moves() == TWO_TURNS | {"1,0 N": "E", "2,0 N": "E", "2,0 E": "S"}


@pytest.mark.rule("CC-R4")
@pytest.mark.rule("CC-C2")
def test_example_4_a_rival_in_the_way():
    play = city("1,0 NS", "2,0 NE", cars=["A 0,0 N E", "B 2,0 N W"])
    assert play.moves() == TWO_TURNS | {"1,0 N": "E", "2,0 N": "E!"}
    play.do(play.drives("A1", "2,0 N"))
    assert play.asks(1, ANSWER) and play.answers() == {"2,0 E": "N"}
    assert play.settle().car("B1") == "2,0 E N" and play.car("A1") == "2,0 N E"
    near = city("1,0 NS", "2,0 NE", cars=["A 0,0 N E", "B 1,0 N W"])
    assert near.moves() == TWO_TURNS


@pytest.mark.rule("CC-R5")
def test_example_5_a_blocked_car():
    play = city("1,0 NS", "2,0 N", cars=["A 0,0 N E", "B 2,0 N W"])
    assert play.moves() == TWO_TURNS | {"1,0 N": "E"}


@pytest.mark.rule("CC-C3")
def test_example_6_a_spin():
    play = city("1,0 NS", "2,0 N", "2,1 S", cars=["A 0,0 N E", "B 2,0 N W"])
    assert play.moves() == TWO_TURNS | {"1,0 N": "E", "2,1 S": "E", "2,0 N": "E!"}
    play.do(play.drives("A1", "2,0 N"))
    assert play.answers() == {"2,1 S": "E"}
    assert play.settle().car("B1") == "2,1 S E"


@pytest.mark.rule("CC-G4")
@pytest.mark.rule("CC-B3")
def test_example_7_a_crossing_that_splits():
    tiles = ("1,0 NS", "2,0 S")
    assert (2, 1) not in building(*tiles).sites()
    play = building(*tiles, corners="loose", cars=["A 1,0 N E"])
    assert (2, 1) in play.sites()
    play.do(play.site("2,1"), play.shows("I"))
    assert "W" in play.rotations()
    play.do(play.turned("W"), play.builds("shop"))
    assert "2,1 W" in play.connected()
    play.table.phase[0], play.table.asked[0] = RACE, 0
    assert play.moves()["2,1 W"] == "N"


# Streets


@pytest.mark.rule("CC-G1")
def test_a_street_has_two_lanes_where_both_tiles_have_one():
    one, two = (city("1,0 N", tile, cars=["A 1,0 N E"]) for tile in ("1,1 W", "1,1 SW"))
    back = {"0,0 N": "E", "0,0 W": "N", "0,0 E": "N", "1,1 W": "S"}
    assert one.moves() == back and two.moves() == back | {"1,1 S": "W"}


@pytest.mark.rule("CC-G2")
def test_a_tile_and_its_sides():
    """The N side of (x, y) is the edge from (x, y + 1) to the east, the W side the edge from (x, y) to the north."""
    board = streets.Streets({(3, 5): 15, (3, 6): 4, (4, 5): 8})
    ends = {letter: board.ends((3, 5, side)) for side, letter in enumerate(SIDES)}
    assert ends == {"N": ((3, 6), (4, 6)), "S": ((3, 5), (4, 5)), "W": ((3, 5), (3, 6)), "E": ((4, 5), (4, 6))}
    assert board.other((3, 5, 0)) == (3, 6, 2) and board.other((3, 5, 1)) == (4, 5, 3)
    assert board.other((3, 5, 2)) is None
    assert board.ends((3, 6, 2)) == board.ends((3, 5, 0)) and board.ends((4, 5, 3)) == board.ends((3, 5, 1))


@pytest.mark.rule("CC-G2")
@pytest.mark.parametrize(
    ("where", "facing", "words"),
    [
        ("0,0 N", "E", "too many cars on the N lane of 0,0: A1 and B1"),
        ("0,0 W", "E", "across"),
        ("1,0 E", "N", "connected lane"),
    ],
)
def test_a_space_holds_one_car_that_faces_along_the_street(where, facing, words):
    play = city("1,0 EW", cars=["A 0,0 N E", "B 0,0 S E"])
    play.table.where[8], play.table.facing[8] = play.space(where), SIDES.index(facing)
    assert any(words in wrong for wrong in positions.problems(play.table))


def test_turns_are_counted_up_to_the_limit():
    play = city(cars=["A 0,0 N E"])
    play.table.turn[0], play.table.turn_limit[0] = 11, 10
    (wrong,) = positions.problems(play.table)
    assert "at most 10" in wrong


@pytest.mark.rule("CC-G3")
def test_the_square_has_streets_and_no_work():
    play = city(cars=["A 0,0 N E"])
    assert play.connected() == {"0,0 N", "0,0 E", "0,0 S", "0,0 W"} and not play.sort(PARK)
    play.table.building[0], play.table.owner[0] = 1, 0
    assert any("CC-G3" in wrong for wrong in positions.problems(play.table))


CORNERS = ("1,0 N", "0,1 E", "1,1 N", "2,1 W")  # at (2, 1) only tiles (1, 0) and (2, 1) are paved
FROM_1_0 = {"0,1 E": "S", "0,0 E": "N", "0,0 N": "E", "0,0 W": "N"}


@pytest.mark.rule("CC-G4")
@pytest.mark.parametrize(
    ("more", "corners", "moves"),
    [
        ((), "strict", {}),
        ((), "loose", {"2,1 W": "N"}),
        (("2,0 W",), "strict", {"2,1 W": "N", "2,0 W": "S"}),  # a third tile is paved
        (("0,-1 N", "1,-1 N", "2,-1 N", "2,0 S"), "strict", {}),  # a third tile, not paved there
    ],
)
def test_a_crossing_of_two_opposite_tiles_splits(more, corners, moves):
    play = city(*CORNERS, *more, corners=corners, cars=["A 1,0 N E"])
    assert play.moves() == FROM_1_0 | moves


def test_one_row_serves_one_city_after_another():
    """Arms of other streets, or with other corners, are forgotten."""
    roads = [((), "strict"), ((), "loose"), (("2,0 W",), "strict"), (("2,0 SW",), "strict"), ((), "strict")]
    old, lists = [0] * rules.MOST_ACTIONS, []
    for more, corners in roads:
        table, new = city(*CORNERS, *more, corners=corners, cars=["A 1,0 N E"]).table, [0] * rules.MOST_ACTIONS
        lists.append(old[: rules.legal(table, 0, old)])
        assert lists[-1] == new[: rules.legal(table, 0, new)]
        for row in (old, new):
            evaluate.evaluate(table, row)
        assert old[:2] == new[:2]
    assert lists[0] == lists[-1] and lists[0] not in lists[1:3]


@pytest.mark.rule("CC-G4")
def test_the_lanes_of_one_tile_stay_connected_where_a_crossing_splits():
    """At (2, 1), cars on (1, 0, N) and on (2, 1, W) can each turn around the corner of their own tile."""
    tiles = ("1,0 NE", "0,1 E", "1,1 N", "2,1 SW")
    assert city(*tiles, cars=["A 1,0 N E"]).moves() == FROM_1_0 | {"1,0 E": "S"}
    assert city(*tiles, cars=["A 2,1 W S"]).moves()["2,1 S"] == "E"
    assert "1,0 E" not in city(*tiles, cars=["A 2,1 W S"]).moves()
    assert {"1,0 E", "1,0 N"} <= set(city(*tiles, cars=["A 2,1 W S"], corners="loose").moves())


@pytest.mark.rule("CC-G5")
def test_lanes_become_connected_when_the_city_grows():
    play = building("1,0 EW")
    assert "1,0 E" not in play.connected()
    play.turn("1,1", "L", "ES", "shop")
    assert {"1,0 E", "1,1 E", "1,1 S"} <= play.connected() and "CC-G5" in play.cited()


@pytest.mark.rule("CC-G5")
def test_a_third_tile_connects_a_crossing_that_was_split():
    """The lane (2, 1, W) is not connected, though (1, 0, N) ends at the same crossing; with tile (2, 0) it is."""
    play = building("1,0 N", "0,-1 N", "1,-1 N", "2,-1 N", "3,-1 N", "3,0 W", "3,1 W", "2,1 EW")
    assert "2,1 E" in play.connected() and "2,1 W" not in play.connected()
    play.turn("2,0", "I", "N", "shop")
    assert "2,1 W" in play.connected()


@pytest.mark.rule("CC-G6")
@pytest.mark.parametrize(
    ("tiles", "counts"),
    [
        ("even", {"I": 16, "L": 16, "H": 16, "U": 16}),
        ("plain", {"I": 20, "L": 20, "H": 12, "U": 12}),
        ("rings", {"I": 16, "L": 16, "H": 12, "U": 16, "O": 4}),
        ("minimal", {"I": 32, "H": 32}),
    ],
)
def test_the_tiles_of_a_set(tiles, counts):
    play = building(tiles=tiles)
    play.do(play.site("1,0"))
    out = [0] * KINDS
    weights = out[: rules.odds(play.table, out)]
    assert dict(zip([tables.KIND_NAMES[kind] for kind in play.sort(tables.REVEALED)], weights, strict=True)) == counts
    assert sum(counts.values()) == 64


@pytest.mark.rule("CC-G6")
def test_the_lanes_of_a_kind():
    sides = {"I": "N", "L": "NE", "H": "NS", "U": "NES", "O": "NESW"}
    assert dict(zip(tables.KIND_NAMES, map(streets.letters, tables.LANES), strict=True)) == sides
    assert [len(streets.turned(lanes)) for lanes in tables.LANES] == [4, 4, 2, 4, 1]


# Construction


@pytest.mark.rule("CC-B1")
def test_everybody_begins_with_the_same_and_anybody_may_begin():
    for players in (2, 3, 4):
        table = start(players).table
        assert table.stock == [8, 4, 4] * players + [0, 0, 0] * (4 - players)
        assert table.where == [-1] * 32 and table.laid == [1]
        assert {start(players, seed).seat() for seed in range(40)} == set(range(players))


@pytest.mark.rule("CC-B2")
def test_a_turn_is_a_site_a_tile_and_a_building():
    play = start(3, seed=5)
    first = play.seat()
    for phase, action in [
        (SITE, play.site("1,0")),
        (REVEAL, play.shows("H")),
        (ROTATE, play.turned("NS")),
        (BUILD, play.builds("house")),
    ]:
        assert play.asks(CHANCE if phase == REVEAL else first, phase)
        play.do(action)
    assert play.asks(first, CAR)
    play.do(play.puts("1,0 S W"))
    assert play.asks((first + 1) % 3, SITE)
    play.turn("0,1", "I", "S", "shop").turn("-1,0", "I", "S", "factory")
    assert play.asks(first, SITE) and "CC-B2" in play.cited()
    assert play.table.owner[1:4] == [first, (first + 1) % 3, (first + 2) % 3]
    assert play.table.stock[3 * first] == 7 and play.table.stock[3 * ((first + 1) % 3) + 1] == 3


@pytest.mark.rule("CC-B2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_sixteen_turns_each_and_all_is_built(players):
    play, rng, turns = start(players), Random(3), []
    while play.table.phase[0] != ROLL:
        turns += [play.seat()] if play.table.phase[0] == SITE else []
        play.apply(rng.choice(play.actions()))
    assert turns == [(turns[0] + turn) % players for turn in range(16 * players)]
    assert play.table.stock == [0] * 12 and play.table.laid[0] == 16 * players + 1
    assert sum(space >= 0 for space in play.table.where) == 8 * players


@pytest.mark.rule("CC-B2a")
def test_the_next_tile_is_any_that_nobody_has_seen():
    play = building()
    play.do(play.site("1,0"), play.shows("U"), play.turned("NES"), play.builds("shop"), play.site("0,1"))
    out = [0] * KINDS
    assert out[: rules.odds(play.table, out)] == [16, 16, 16, 15] and "CC-B2a" in play.cited()
    assert play.asks(CHANCE, REVEAL)


@pytest.mark.rule("CC-B2a")
def test_the_unused_tiles_may_come_to_the_last():
    play, rng = start(2), Random(1)
    while play.table.laid[0] < 33:
        play.apply(rng.choice(play.actions()))
    out = [0] * KINDS
    assert sum(out[: rules.odds(play.table, out)]) == 64 - 31


@pytest.mark.rule("CC-B2a")
def test_a_kind_that_is_used_up_does_not_come():
    play = building(*(f"{x},0 N" for x in range(1, 17)))
    play.do(play.site("0,1"))
    assert play.sort(tables.REVEALED) == [1, 2, 3]


@pytest.mark.rule("CC-B3")
@pytest.mark.parametrize("corners", ["strict", "loose"])
def test_the_first_site_is_beside_the_square(corners):
    assert building(corners=corners).sites() == {(1, 0), (0, 1), (-1, 0), (0, -1)}


@pytest.mark.rule("CC-B3")
def test_a_site_must_have_a_side_that_can_be_connected():
    """Tile (1, 0) has lanes W and E, but E is not connected, so a tile at (2, 0) would not be connected."""
    assert building("1,0 EW").sites() == {(0, 1), (-1, 0), (0, -1), (1, 1), (1, -1)}
    assert (2, 0) in building("1,0 NS").sites()
    assert (2, 0) in building("1,0 NE").sites()


BUSY = (*(f"{x},0 N shop A" for x in range(1, 5)), *(f"{x},0 N factory A" for x in range(5, 9)))


@pytest.mark.rule("CC-B3")
def test_a_site_must_suit_a_building_that_is_left():
    """Seat 0 has only houses left, which cannot be beside a factory; seat 1 has everything."""
    mine, yours = building(*BUSY).sites(), building(*BUSY, seat=1).sites()
    beside = {(x, 1) for x in range(5, 9)} | {(x, -1) for x in range(5, 9)} | {(9, 0)}
    assert not mine & beside and {(x, 1) for x in range(5, 9)} | {(9, 0)} <= yours
    assert mine == yours - beside and (4, 1) in mine


WALLED = (
    "1,0 NES shop A",
    "0,1 NEW shop A",
    "-1,0 NSW shop A",
    "0,-1 ESW shop A",
    "1,1 NES factory A",
    "-1,1 NSW factory A",
    "1,-1 ESW factory A",
    "-1,-1 NSW factory A",
    "2,0 NES factory B",
    "0,2 NEW factory B",
    "-2,0 NSW factory B",
    "0,-2 ESW factory B",
)


@pytest.mark.rule("CC-B3")
def test_the_ban_is_lifted_where_no_site_suits():
    """Every site is beside a factory, and seat 0 has only houses left; seat 1 still has shops."""
    around = {(x, y) for x in range(-3, 4) for y in range(-3, 4) if abs(x) + abs(y) == 3}
    play = building(*WALLED)
    assert play.sites() == around
    play.do(play.site("2,1"), play.shows("H"), play.turned("EW"))
    assert play.buildings() == {"house"} and play.noted("CC-B3") == [(0, streets.spot_of(2, 1), 0, 0)]
    play.do(play.builds("house"), play.puts("2,1 W N"))
    assert play.sites() == around - {(2, 1)} | {(3, 1), (2, 2)} and play.asks(1, SITE)
    play.do(play.site("1,2"), play.shows("H"), play.turned("EW"))
    assert play.buildings() == {"shop"} and len(play.noted("CC-B3")) == 1


@pytest.mark.rule("CC-B3")
def test_with_the_ban_lifted_whatever_is_left_may_go_there():
    """Neither fits beside a house and a factory, and seat 0 has no shop left."""
    shops = tuple(f"{-x},0 N shop A" for x in range(1, 5))
    play = city("1,0 N house B", "0,1 E factory B", *shops, "1,1 S", phase=BUILD)
    assert play.buildings() == {"house", "factory"}


@pytest.mark.rule("CC-B5")
def test_houses_and_factories_keep_apart():
    """(1, 1) is beside the house and the factory of others; (2, 1) and (0, 2) only beside one; (-1, 0) beside none."""
    for site, allowed in [
        ("1,1", {"shop"}),
        ("2,0", {"house", "shop"}),
        ("0,2", {"shop", "factory"}),
        ("-1,0", {"house", "shop", "factory"}),
    ]:
        play = building("1,0 NS house B", "0,1 EW factory B")
        play.do(play.site(site), play.shows("U"))
        play.do(play.actions()[0])
        assert play.buildings() == allowed, site
        play.do(play.builds("shop"))
        assert "CC-B5" in play.cited()


@pytest.mark.rule("CC-B6")
def test_a_house_brings_the_next_car_of_its_owner():
    play = building("-1,0 N house A", cars=["A -1,0 N E"], seat=0)
    play.do(play.site("1,0"), play.shows("I"), play.turned("N"), play.builds("house"))
    assert play.places() == {"1,0 N E", "1,0 N W"}
    play.do(play.puts("1,0 N W"))
    assert (play.car("A1"), play.car("A2")) == ("-1,0 N E", "1,0 N W") and "CC-B6" in play.cited()


@pytest.mark.parametrize(
    ("tiles", "words"),
    [
        (("2,0 N",), "not beside"),
        (("1,0 N", "1,0 N"), "two tiles"),
        (("0,0 N",), "two tiles"),
        ([f"{x},0 N" for x in range(1, 66)], "one too many"),
    ],
)
def test_tiles_that_cannot_be_laid_by_hand_are_refused(tiles, words):
    with pytest.raises(CrashlabError, match=words):
        city(*tiles)


def test_a_city_that_is_a_line_has_no_edge():
    """There are 63 tiles in a row, with lanes along it: the last site is as good as the first."""
    for letters, right, up in [("N", 1, 0), ("N", -1, 0), ("E", 0, 1), ("E", 0, -1)]:
        table = tables.empty(settle(tables.OPTIONS, {}))
        lay(table, *(f"{right * n},{up * n} {letters}" for n in range(1, 64)))
        along = {(right * n + (letters == "E"), up * n + (letters == "N")) for n in range(64)}
        around = {(1, 0), (0, 1), (-1, 0), (0, -1)} - {(right, up)}
        assert Play(table).sites() == along | around | {(64 * right, 64 * up)}


def test_spots_of_one_city_never_share_a_place():
    """Within a city of 65 tiles and its surroundings two spots are at most 66 steps apart."""
    for right in range(-66, 67):
        for up in range(-66 + abs(right), 67 - abs(right)):
            apart = streets.spot_of(right, up) - streets.spot_of(0, 0)
            assert (apart % streets.CELLS == 0) == ((right, up) == (0, 0))
            assert streets.xy(streets.spot_of(right, up)) == (right, up)


# Racing


@pytest.mark.rule("CC-R1")
def test_a_roll_decides_who_begins_the_race():
    play, rng = start(3), Random(2)
    while play.table.phase[0] != ROLL:
        play.apply(rng.choice(play.actions()))
    out = [0] * 3
    assert play.seat() == CHANCE and out[: rules.odds(play.table, out)] == [1, 1, 1]
    assert play.sort(ROLLED) == [0, 1, 2]
    play.do(ROLLED + 1)
    assert play.asks(1) and "CC-R1" in play.cited()


@pytest.mark.rule("CC-R1")
def test_the_turn_goes_round_and_who_can_act_must():
    play = city("1,0 NS", players=3, seat=1, cars=["A 0,0 N E", "B 0,0 S E", "C 1,0 S E"])
    assert PASS not in play.actions()
    play.do(play.drives("B1", "0,0 W"))
    assert play.asks(2)
    play.do(play.drives("C1", "0,0 S"))
    assert play.asks(0) and play.table.turn == [2]


@pytest.mark.rule("CC-R1")
def test_who_can_do_nothing_passes():
    play = city(cars=["A 0,0 N E", "B 0,0 E S", "B 0,0 W N"])
    assert play.actions() == [PASS]
    play.settle()
    assert play.asks(1) and play.table.passes == [1] and play.table.turn == [1]
    play.do(play.drives("B1", "0,0 S"))
    assert play.asks(0) and play.table.passes == [0] and PASS not in play.actions()


@pytest.mark.rule("CC-R1")
@pytest.mark.rule("CC-E2")
def test_when_all_pass_the_game_ends():
    """Every lane is taken, and no move of one space hits a car; seat 1 has parked a car."""
    cars = ["A 0,0 N E", "B 0,0 E S", "C 0,0 S W", "A 0,0 W N", "C 1,0 N E"]
    play = city("1,0 N shop A", cars=cars, parked=["B 1,0"], players=3, seat=2)
    play.settle()
    assert play.is_over() and play.table.turn == [3] and play.winners() == {1}


@pytest.mark.rule("CC-R1")
def test_the_turn_limit_counts_the_turns_of_all():
    """The answer to a crash belongs to its turn."""
    cars = ["A 0,0 N E", "B 2,0 N W", "B 0,0 S W"]
    play = city("1,0 N", "2,0 NE", "2,1 S", cars=cars, turn_limit=2)
    play.do(play.drives("A1", "2,0 N"), play.makes_way("2,1 S"))
    assert not play.is_over() and play.asks(1) and play.table.turn == [1]
    play.do(play.drives("B2", "0,0 W"))
    assert play.is_over() and play.table.turn == [2]
    last = city("1,0 N", "2,0 NE", "2,1 S", cars=cars, turn_limit=1)
    last.do(last.drives("A1", "2,0 N"))
    assert last.asks(1, ANSWER)
    last.do(last.makes_way("2,0 E"))
    assert last.is_over()


@pytest.mark.rule("CC-R2")
@pytest.mark.parametrize("work", ["shop", "factory"])
def test_parking(work):
    """A car parks from any lane of any seat's tile; one car fits on a roof; its space is free then."""
    play = city(f"1,0 NS {work} B", cars=["A 1,0 S W", "A 1,0 N E", "B 0,0 S E"])
    assert play.sort(PARK) == [0, 1]
    play.do(play.parks("A1"))
    assert play.car("A1") == "1,0" and play.scores() == (1, 0) and "CC-R2" in play.cited()
    assert play.asks(1) and play.moves("B1")["1,0 S"] == "E"
    play.do(play.drives("B1", "1,0 S"))
    assert play.sort(PARK) == [] and play.moves("A1") == {}


@pytest.mark.rule("CC-R2")
def test_no_parking_elsewhere():
    """It is refused at a house, at a tile without a building, and from the lane of the tile across the street."""
    for tiles, car in [
        (("1,0 N house B",), "A 1,0 N E"),
        (("1,0 N",), "A 1,0 N E"),
        (("1,0 N shop A", "1,1 S"), "A 1,1 S E"),
    ]:
        assert not city(*tiles, cars=[car]).sort(PARK)


LONG = ("1,0 N", "2,0 N", "3,0 N")


@pytest.mark.rule("CC-R3")
def test_forward_and_drift():
    """A car drives forward any number of spaces, or around one corner at any crossing on the way, and no further."""
    play = city(*LONG, "1,1 E", "1,2 E", cars=["A 0,0 N E"])
    assert play.moves() == TWO_TURNS | {"1,0 N": "E", "2,0 N": "E", "3,0 N": "E", "1,1 E": "N"}


@pytest.mark.rule("CC-R3")
def test_backward():
    """A car backs up one or two spaces, not three; or around a corner, at once or after one. The rear goes ahead."""
    play = city(*LONG, "1,1 E", "0,1 E", "-1,0 N", cars=["A 2,0 N E"])
    assert play.moves() == {"3,0 N": "E", "1,1 E": "S", "1,0 N": "E", "0,0 N": "E", "0,1 E": "S", "0,0 E": "N"}
    west = city(*LONG, "1,1 E", "0,1 E", "-1,0 N", cars=["A 2,0 N W"])
    assert west.moves() == {
        "3,0 N": "W",
        "1,1 E": "N",
        "1,0 N": "W",
        "0,1 E": "N",
        "0,0 E": "S",
        "0,0 N": "W",
        "0,0 W": "S",
        "-1,0 N": "W",
    }


@pytest.mark.rule("CC-R3")
@pytest.mark.parametrize(
    ("facing", "turns"), [("E", {"0,0 E": "S", "0,0 W": "N"}), ("W", {"0,0 E": "N", "0,0 W": "S"})]
)
def test_a_turn_keeps_the_front_or_the_rear_ahead(facing, turns):
    assert city(cars=[f"A 0,0 N {facing}"]).moves() == turns


@pytest.mark.rule("CC-R3")
def test_a_u_turn_needs_an_empty_second_lane():
    tiles = ("1,0 N", "1,1 S")
    free, taken = city(*tiles, cars=["A 1,0 N E"]), city(*tiles, cars=["A 1,0 N E", "B 1,1 S W"])
    assert free.moves()["1,1 S"] == "W" and "1,1 S" not in taken.moves()
    free.do(free.drives("A1", "1,1 S"))
    assert free.way("A1") == ["1,1 S"]


TWO_LANES = ("1,0 N", "2,0 N", "3,0 N", "0,1 S", "1,1 S", "2,1 S", "3,1 S")


@pytest.mark.rule("CC-R3")
@pytest.mark.parametrize(
    ("lanes", "blocked", "ends"),
    [
        ("every_step", ["2,0 N"], {"1,0 N", "1,1 S", "2,0 N!", "2,1 S", "3,0 N", "3,1 S"}),
        ("last_step", ["2,0 N"], {"1,0 N", "1,1 S", "2,0 N!", "2,1 S"}),
        ("every_step", ["1,0 N"], {"1,1 S", "2,0 N", "2,1 S", "3,0 N", "3,1 S"}),
        ("last_step", ["1,0 N"], {"1,1 S"}),
        ("every_step", ["1,1 S", "2,0 N"], {"1,0 N", "2,0 N!", "2,1 S", "3,0 N", "3,1 S"}),
        ("every_step", ["1,0 N", "1,1 S"], set()),
    ],
)
def test_lanes_may_be_changed_at_every_step_or_at_the_last(lanes, blocked, ends):
    """A car on (0, 0, N) drives east among other cars."""
    play = city(*TWO_LANES, lanes=lanes, cars=["A 0,0 N E", *(f"B {space} E" for space in blocked)])
    east = {space + "!" * facing.endswith("!") for space, facing in play.moves().items() if facing[0] == "E"}
    assert east == ends


@pytest.mark.rule("CC-R3")
def test_last_step_keeps_the_lane_that_it_had_to_take():
    """There is no lane (1, 0, N): the car changes to (1, 1, S), and stays on that side."""
    tiles = ("1,0 S", "2,0 N", "3,0 N", "0,1 S", "1,1 S", "2,1 S", "3,1 S")
    free = city(*tiles, lanes="last_step", cars=["A 0,0 N E"])
    free.do(free.drives("A1", "3,0 N"))
    assert free.way("A1") == ["1,1 S", "2,1 S", "3,0 N"]
    near = {"1,1 S", "2,0 N", "2,1 S"}
    for blocker, ends in [("2,1 S", near), ("2,0 N", near | {"3,0 N", "3,1 S"})]:
        play = city(*tiles, lanes="last_step", cars=["A 0,0 N E", f"B {blocker} E"])
        assert {space for space, facing in play.moves().items() if facing[0] == "E"} == ends


@pytest.mark.rule("CC-R3")
def test_last_step_holds_for_backing_and_before_a_corner():
    """A car that backs up two, or one and a corner, keeps to its side in the first step; a drift, up to the corner."""
    for lanes, ends in {"every_step": {"2,1 S", "1,0 N", "1,1 S"}, "last_step": {"2,1 S"}}.items():
        play = city(*TWO_LANES, lanes=lanes, cars=["A 3,0 N E", "B 2,0 N E"])
        assert set(play.moves()) == ends | {"3,1 S"}
    for lanes, can in {"every_step": True, "last_step": False}.items():
        play = city("1,0 NE", "0,1 S", "1,1 S", lanes=lanes, cars=["A 0,0 N E", "B 1,0 N W"])
        assert ("1,0 E" in play.moves()) == can


@pytest.mark.rule("CC-R3")
@pytest.mark.parametrize(
    ("blocked", "end", "way"),
    [
        ([], "3,0 N", ["1,0 N", "2,0 N", "3,0 N"]),
        ([], "3,1 S", ["1,0 N", "2,0 N", "3,1 S"]),
        (["2,0 N"], "3,1 S", ["1,0 N", "2,1 S", "3,1 S"]),
        (["2,0 N"], "3,0 N", ["1,0 N", "2,1 S", "3,0 N"]),
        (["1,0 N", "2,1 S"], "3,0 N", ["1,1 S", "2,0 N", "3,0 N"]),
    ],
)
def test_the_way_has_few_and_late_changes_of_lane(blocked, end, way):
    """Each step is one beat."""
    play = city(*TWO_LANES, cars=["A 0,0 N E", *(f"B {space} E" for space in blocked)])
    play.do(play.drives("A1", end))
    assert play.way("A1") == way and play.car("A1") == f"{end} E"


@pytest.mark.rule("CC-R3")
def test_a_drift_is_seen_step_by_step():
    play = city("1,0 N", "2,0 NE", cars=["A 0,0 N E"])
    play.do(play.drives("A1", "2,0 E"))
    assert play.way("A1") == ["1,0 N", "2,0 N", "2,0 E"] and play.car("A1") == "2,0 E S"


@pytest.mark.rule("CC-R4")
def test_one_space_is_no_momentum():
    """Forward 1, a turn forward or backward, back up 1, and a U-turn end on empty spaces only."""
    tiles = ("1,0 N", "2,0 N", "1,1 ES", "0,1 E")
    spaces = ("2,0 N", "1,1 E", "0,1 E", "0,0 E", "0,0 N", "1,1 S")
    free = city(*tiles, cars=["A 1,0 N E"])
    assert set(spaces) <= set(free.moves())
    for space in spaces:
        taken = city(*tiles, cars=["A 1,0 N E", f"B {space} {'E' if space[-1] in 'NS' else 'N'}"])
        assert space not in taken.moves()


@pytest.mark.rule("CC-R4")
@pytest.mark.rule("CC-C2")
@pytest.mark.parametrize(("faced", "faces"), [("W", "S"), ("E", "N")])
def test_a_crash_while_backing_up_two(faced, faces):
    play = city(*LONG, cars=["A 2,0 N E", f"B 0,0 N {faced}"])
    assert play.moves()["0,0 N"] == "E!"
    play.do(play.drives("A1", "0,0 N"))
    assert play.way("A1") == ["1,0 N", "0,0 N"] and play.crashes() == ["A1 B1 0,0 N W"]
    assert play.answers() == {"0,0 W": faces}


@pytest.mark.rule("CC-R4")
@pytest.mark.rule("CC-C2")
@pytest.mark.parametrize(("faced", "faces"), [("S", "W"), ("N", "E")])
def test_a_crash_while_backing_round_a_corner(faced, faces):
    play = city(*LONG, cars=["A 2,0 N E", f"B 0,0 E {faced}"])
    assert play.moves()["0,0 E"] == "N!"
    play.do(play.drives("A1", "0,0 E"))
    assert play.way("A1") == ["1,0 N", "0,0 E"] and play.crashes() == ["A1 B1 0,0 E S"]
    assert play.answers() == {"0,0 S": faces}
    assert play.settle().car("A1") == "0,0 E N"


@pytest.mark.rule("CC-R4")
def test_a_crash_by_drift():
    """The hit car is pushed in the new direction."""
    play = city("1,0 NES", cars=["A 0,0 N E", "B 1,0 E S"])
    play.do(play.drives("A1", "1,0 E"))
    assert play.crashes() == ["A1 B1 1,0 E S"] and play.answers() == {"1,0 S": "W"}


@pytest.mark.rule("CC-R4")
def test_no_way_through_a_car():
    play = city(*LONG, "1,1 E", cars=["A 0,0 N E", "B 2,0 N E"])
    assert "3,0 N" not in play.moves() and play.moves()["2,0 N"] == "E!"


@pytest.mark.rule("CC-R5")
def test_a_car_that_cannot_make_way_cannot_be_hit():
    """Its own moves do not matter: at the end of the street it could drive back, but not be pushed on."""
    tiles = ("1,0 N", "2,0 NE")
    assert city(*tiles, cars=["A 0,0 N E", "B 2,0 N W"]).moves()["2,0 N"] == "E!"
    assert "2,0 N" not in city(*tiles, cars=["A 0,0 N E", "B 2,0 N W", "B 2,0 E S"]).moves()
    assert "2,0 N" not in city("1,0 N", "2,0 N", cars=["A 0,0 N E", "B 2,0 N W"]).moves()


@pytest.mark.rule("CC-R6")
def test_one_may_hit_oneself_and_stays_where_one_is():
    play = city(*LONG, "2,1 S", cars=["A 0,0 N E", "A 2,0 N E", "B 0,0 S E"])
    play.do(play.drives("A1", "2,0 N"))
    assert play.asks(0, ANSWER) and "CC-R6" in play.cited()
    play.do(play.makes_way("3,0 N"))
    assert (play.car("A1"), play.car("A2")) == ("2,0 N E", "3,0 N E") and play.asks(1)


# Crash


@pytest.mark.rule("CC-C1")
@pytest.mark.rule("CC-C2")
@pytest.mark.rule("CC-C3")
@pytest.mark.parametrize(
    ("faced", "ways"),
    [
        ("E", {"3,0 N": "E", "3,1 S": "E", "2,1 E": "N", "2,0 E": "S", "2,1 S": "W"}),
        ("W", {"3,0 N": "W", "3,1 S": "W", "2,1 E": "S", "2,0 E": "N", "2,1 S": "E"}),
    ],
)
def test_where_a_car_goes_that_was_hit(faced, ways):
    """It can continue to either lane, around either corner, or spin, but not go back. Its owner decides."""
    tiles = ("1,0 N", "2,0 NE", "3,0 N", "2,1 ES", "3,1 S", "1,1 E")
    play = city(*tiles, cars=["A 0,0 N E", f"B 2,0 N {faced}"])
    play.do(play.drives("A1", "2,0 N"))
    assert play.asks(1, ANSWER) and play.answers() == ways
    for space, facing in ways.items():
        after = play.copy().do(play.makes_way(space))
        rule = "CC-C3" if space == "2,1 S" else "CC-C2" if space[-1] == "E" else "CC-C1"
        assert after.car("B1") == f"{space} {facing}" and after.car("A1") == "2,0 N E"
        assert rule in after.cited() and after.asks(1) and after.table.hit == [-1]


@pytest.mark.rule("CC-C1")
def test_only_empty_spaces_take_a_car_that_was_hit():
    tiles = ("1,0 N", "2,0 NE", "3,0 N", "2,1 ES", "3,1 S")
    cars = ["A 0,0 N E", "B 2,0 N E", "B 3,0 N E", "A 2,1 E N", "A 2,1 S E"]
    play = city(*tiles, cars=cars)
    play.do(play.drives("A1", "2,0 N"))
    assert play.answers() == {"3,1 S": "E", "2,0 E": "S"}


RING = ["A -2,0 N E", "B 0,0 N E", "C 0,0 E S", "D 0,0 S W", "A 0,0 W N"]


@pytest.mark.rule("CC-C4")
def test_a_chain_round_a_ring_of_four():
    """All four lanes of the square are taken. The last car cannot hit the first one, which began."""
    tiles = ("-1,0 N", "-2,0 N")
    assert city(*tiles, players=4, cars=RING).moves() == {"-1,0 N": "E"}
    play = city(*tiles, players=4, cars=RING, chains=True)
    assert play.moves() == {"-1,0 N": "E", "0,0 N": "E!", "0,0 W": "S!"}
    play.do(play.drives("A1", "0,0 N"))
    for seat, ways in [(1, {"0,0 E": "S!"}), (2, {"0,0 S": "W!"}), (3, {"0,0 W": "N!"}), (0, {"-1,0 N": "W"})]:
        assert play.asks(seat, ANSWER) and play.answers() == ways
        play.do(play.actions()[0])
    assert [play.car(car) for car in ("A1", "B1", "C1", "D1", "A2")] == [
        "0,0 N E",
        "0,0 E S",
        "0,0 S W",
        "0,0 W N",
        "-1,0 N W",
    ]
    assert play.crashes() == ["A1 B1 0,0 N E"] and play.asks(1) and play.table.turn == [1]
    assert play.crashes("CC-C4") == ["B1 C1 0,0 E S", "C1 D1 0,0 S W", "D1 A2 0,0 W N"]
    assert play.table.moved == [0] * 32


@pytest.mark.rule("CC-C4")
@pytest.mark.rule("CC-R5")
def test_a_chain_round_a_ring_of_six():
    """It ends on the space that the first car left, or on the space that it drove over."""
    cars = ["A 0,0 N E", "B 1,0 E S", "C 1,0 S W", "D 0,0 S E", "A 0,0 W N", "B 0,0 E N"]
    assert "1,0 E" not in city("1,0 NES", players=4, cars=cars).moves()
    play = city("1,0 NES", players=4, cars=cars, chains=True)
    assert play.moves()["1,0 E"] == "S!"
    play.do(play.drives("A1", "1,0 E"))
    assert play.asks(1, ANSWER) and play.answers() == {"1,0 S": "W!"}
    play.settle()
    assert play.asks(2, ANSWER) and play.answers() == {"0,0 S": "W!", "0,0 E": "N!"}
    middle = play.copy().do(play.makes_way("0,0 E"))
    assert middle.asks(1, ANSWER) and middle.answers() == {"0,0 N": "W", "1,0 N": "E"}
    play.do(play.makes_way("0,0 S"))
    assert play.answers() == {"0,0 W": "S!"}
    play.settle(play.makes_way("0,0 N"))
    assert play.asks(0, ANSWER) and play.answers() == {"0,0 N": "E"}
    play.do(play.makes_way("0,0 N"))
    assert (play.car("D1"), play.car("A2"), play.car("B2")) == ("0,0 W S", "0,0 N E", "0,0 E N") and play.asks(1)


@pytest.mark.rule("CC-C4")
@pytest.mark.rule("CC-R5")
def test_the_space_that_the_first_car_left_counts_as_empty():
    """The chain goes around the tiles (2, 0) and (3, 0); all lanes of the square and the lane to it are taken."""
    ring = ["B 3,0 E S", "B 3,0 S W", "B 2,0 S W", "A 2,0 W N"]
    rest = ["A 1,0 N W", "B 0,0 N W", "B 0,0 E S", "B 0,0 S W", "B 0,0 W N"]
    play = city("1,0 N", "2,0 NSW", "3,0 NES", cars=["A 2,0 N E", *ring, *rest], chains=True)
    play.do(play.drives("A1", "3,0 E"), *map(play.makes_way, ("3,0 S", "2,0 S", "2,0 W")))
    assert play.asks(0, ANSWER) and play.answers() == {"2,0 N": "E"}


@pytest.mark.rule("CC-C4")
def test_a_chain_must_end_somewhere():
    """With a car in it, (3, 0) is a dead end, unless there is a lane around its corner."""
    cars = ["A 0,0 N E", "B 2,0 N W", "B 3,0 N W"]
    assert "2,0 N" not in city(*LONG, cars=cars, chains=True).moves()
    assert city("1,0 N", "2,0 N", "3,0 NE", cars=cars, chains=True).moves()["2,0 N"] == "E!"
    assert "2,0 N" not in city("1,0 N", "2,0 N", "3,0 NE", cars=cars).moves()
    fork = city("1,0 N", "2,0 NE", "3,0 N", cars=cars, chains=True)
    fork.do(fork.drives("A1", "2,0 N"))
    assert fork.answers() == {"2,0 E": "N"}


@pytest.mark.rule("CC-C4")
def test_a_car_may_hit_another_one_though_the_other_lane_is_free():
    play = city("1,0 N", "2,0 N", "3,0 NE", "3,1 S", cars=["A 0,0 N E", "B 2,0 N E", "A 3,0 N E"], chains=True)
    play.do(play.drives("A1", "2,0 N"))
    assert play.answers() == {"3,0 N": "E!", "3,1 S": "E"}
    play.do(play.makes_way("3,0 N"))
    assert play.asks(0, ANSWER) and play.answers() == {"3,0 E": "S", "3,1 S": "W"}


@pytest.mark.rule("CC-C4")
def test_nobody_spins_into_a_car():
    cars = ["A 0,0 N E", "B 2,0 N W", "B 2,1 S W"]
    tiles = ("1,0 N", "2,0 N", "2,1 S")
    assert "2,0 N" not in city(*tiles, cars=cars, chains=True).moves()
    assert city(*tiles, cars=cars[:2], chains=True).moves()["2,0 N"] == "E!"


def around(x):
    """Return cars on all lanes of a tile."""
    return [f"A {x},0 N E", f"B {x},0 E S", f"A {x},0 S W", f"B {x},0 W N"]


@pytest.mark.rule("CC-C4")
def test_no_car_is_moved_twice():
    """All lanes of tile (3, 0) are taken: the chain goes around and returns to its start."""
    tiles, cars = ("1,0 N", "2,0 N", "3,0 NESW"), ["A 0,0 N E", "B 2,0 N E", *around(3)]
    assert "2,0 N" not in city(*tiles, tiles="rings", cars=cars, chains=True).moves()
    assert city(*tiles, tiles="rings", cars=cars[:-1], chains=True).moves()["2,0 N"] == "E!"


@pytest.mark.rule("CC-C4")
def test_a_chain_does_not_come_back_over_a_bridge():
    """Around tile (4, 0) it would return to (3, 0), and from there to the other lane of (2, 0), and out."""
    tiles = ("1,0 N", "2,0 N", "2,1 S", "3,0 N", "4,0 NESW")
    cars = ["A 0,0 N E", "B 2,0 N E", "B 2,1 S W", "A 3,0 N E", *around(4)]
    assert not {"2,0 N", "2,1 S"} & set(city(*tiles, tiles="rings", cars=cars, chains=True).moves())
    wide = city(*tiles, "3,1 S", tiles="rings", cars=[*cars, "B 3,1 S E"], chains=True)
    assert wide.moves()["2,0 N"] == "E!"


# End


def jobs(turn_limit=5000):
    """Return a city in which seat 0 has 7 cars parked and the eighth at its work; seat 1 has 2."""
    shops = [f"{x},0 N shop {'AB'[x > 4]}" for x in range(1, 9)]
    factories = [f"{x},0 S factory {'AB'[x < -4]}" for x in range(-1, -9, -1)]
    parked = [f"A {x},0" for x in range(1, 8)] + ["B -1,0", "B -2,0"]
    cars = ["A 8,0 N E", "B 0,0 S W"]
    return city(*shops, *factories, parked=parked, cars=cars, turn_limit=turn_limit)


@pytest.mark.rule("CC-E1")
def test_the_eighth_parked_car_wins_at_once():
    play = jobs()
    assert play.scores() == (7, 2)
    play.do(play.parks("A1"))
    assert play.is_over() and play.winners() == {0} and play.scores() == (8, 2) and "CC-E1" in play.cited()
    assert play.table.turn == [1]


@pytest.mark.rule("CC-E2")
def test_at_the_limit_the_most_parked_cars_win():
    play = jobs(turn_limit=1)
    play.do(play.drives("A1", "7,0 N"))
    assert play.is_over() and play.winners() == {0} and play.scores() == (7, 2)


@pytest.mark.rule("CC-E2")
def test_equal_numbers_share_the_rank():
    play = city(
        "1,0 NS shop A",
        "2,0 N shop B",
        players=3,
        turn_limit=1,
        cars=["C 0,0 N E", "A 1,0 N E"],
        seat=2,
        parked=["A 1,0", "B 2,0"],
    )
    play.do(play.drives("C1", "0,0 W"))
    assert play.is_over() and play.scores() == (1, 1, 0) and play.winners() == {0, 1}


def test_every_action_is_below_its_sort():
    play = city(*LONG, cars=["A 0,0 N E"])
    assert all(0 <= action < 10 * SORT for action in play.actions()) and bits("NESW") == 15
