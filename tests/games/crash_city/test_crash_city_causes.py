"""Causes in CrashCity, from the rules text alone; the mark names the rules whose causes a test proves."""

from functools import partial

import pytest
import trace_causes
from crash_city_positions import city

from crashlab.games.crash_city import text
from crashlab.games.crash_city.state import PASS, ROLL, ROLLED, SITE

LONG = ("1,0 N", "2,0 N", "3,0 N")


follows = partial(trace_causes.follows, text)


@pytest.mark.rule("CC-B2")
@pytest.mark.rule("CC-B2a")
@pytest.mark.rule("CC-B3")
@pytest.mark.rule("CC-B4")
@pytest.mark.rule("CC-B5")
@pytest.mark.rule("CC-G5")
def test_a_turn_of_the_construction_is_decided_step_by_step(outlines):
    """The site, the revealed tile, its rotation and the building are decided: no other event is without a cause."""
    play = city(phase=SITE)
    play.turn("1,0", "L", "NE", "shop")
    assert follows(play) == next(outlines)


@pytest.mark.rule("CC-B3")
def test_a_ban_that_is_lifted_is_why_the_site_can_be_chosen(outlines):
    """Seat 0 has only houses left, and there are factories beside the square and around it."""
    play = city(
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
        phase=SITE,
    )
    play.do(play.site("2,1"))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CC-B6")
def test_a_house_asks_for_a_car_and_the_car_ends_the_turn(outlines):
    play = city(phase=SITE)
    play.turn("1,0", "I", "N", "house", "1,0 N E")
    assert follows(play, "a house is built on 1,0", "A1 is put on the N lane of 1,0") == next(outlines)


@pytest.mark.rule("CC-R1")
def test_the_last_building_is_why_the_race_is_rolled_for(outlines):
    """31 of 32 tiles form a row; only a factory is left."""
    left = ["house A"] * 8 + ["house B"] * 8 + ["shop A"] * 4 + ["shop B"] * 4 + ["factory A"] * 4 + ["factory B"] * 3
    row = [f"{x},0 {'N' if x < 17 else 'NS'} {building}" for x, building in enumerate(left, 1)]
    play = city(*row, seat=1, phase=SITE)
    play.turn("0,1", "L", "NE", "factory")
    assert follows(play, "a factory is built on 0,1") == next(outlines)


@pytest.mark.rule("CC-R2")
@pytest.mark.rule("CC-R1")
def test_parking_takes_the_passes_back_and_ends_the_turn(outlines):
    play = city("1,0 N shop A", cars=["A 1,0 N E", "B 0,0 S E"])
    play.table.passes[0] = 1
    play.do(play.parks("A1"))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CC-R3")
@pytest.mark.rule("CC-R1")
def test_a_drive_follows_from_its_first_step_and_takes_the_passes_back(outlines):
    play = city("1,0 N", "2,0 NE", cars=["A 0,0 N E", "B 0,0 S E"])
    play.table.passes[0] = 1
    play.do(play.drives("A1", "2,0 E"))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CC-R3")
def test_a_drive_of_one_step_follows_from_it(outlines):
    play = city(cars=["A 0,0 N E", "B 0,0 S E"])
    play.table.passes[0] = 1
    play.do(play.drives("A1", "0,0 E"))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CC-R4")
@pytest.mark.rule("CC-R6")
@pytest.mark.rule("CC-C1")
def test_a_car_makes_way_because_it_was_hit(outlines):
    play = city(*LONG, cars=["A 0,0 N E", "B 2,0 N E"])
    play.do(play.drives("A1", "2,0 N")).settle()
    assert follows(play) == next(outlines)


@pytest.mark.rule("CC-C2")
@pytest.mark.rule("CC-C3")
def test_a_car_turns_because_it_makes_way(outlines):
    play = city("1,0 N", "2,0 NE", cars=["A 0,0 N E", "B 2,0 N W"])
    play.do(play.drives("A1", "2,0 N")).settle()
    assert follows(play, "B1 is to make way") == next(outlines)
    play = city("1,0 N", "2,0 N", "2,1 S", cars=["A 0,0 N E", "B 2,0 N W"])
    play.do(play.drives("A1", "2,0 N")).settle()
    assert follows(play, "B1 is to make way") == next(outlines)


@pytest.mark.rule("CC-C4")
def test_in_a_chain_each_car_is_hit_by_the_one_before(outlines):
    play = city("1,0 N", "2,0 N", "3,0 NE", cars=["A 0,0 N E", "B 2,0 N E", "A 3,0 N E"], chains=True)
    play.do(play.drives("A1", "2,0 N")).settle()
    assert follows(play) == next(outlines)


@pytest.mark.rule("CC-R1")
def test_the_roll_begins_the_race_and_as_many_passes_as_players_end_it(outlines):
    play = city("1,0 N", phase=ROLL)
    play.apply(ROLLED + 1)
    assert follows(play) == next(outlines)
    play = city("1,0 N", parked=[])
    play.apply(PASS)
    play.apply(PASS)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CC-E1")
def test_the_eighth_parked_car_is_why_the_game_is_over(outlines):
    tiles = [f"{x},0 N shop A" for x in range(1, 5)] + [f"{-x},0 N factory A" for x in range(1, 5)]
    parked = [f"A {x},0" for x in (1, 2, 3, -1, -2, -3, -4)]
    play = city(*tiles, cars=["A 4,0 N E", "B 0,0 S E"], parked=parked)
    play.do(play.parks("A1"))
    assert follows(play) == next(outlines)
