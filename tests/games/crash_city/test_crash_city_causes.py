"""What causes what in CrashCity, from the rules text alone; the mark says whose causes a test proves."""

import pytest
from crash_city_positions import city
from trace_causes import outline, read

from crashlab.engine.table import Row
from crashlab.games.crash_city import text
from crashlab.games.crash_city.state import PASS, ROLL, ROLLED, SITE

LONG = ("1,0 N", "2,0 N", "3,0 N")


def follows(play, *roots):
    """What follows from the events with these words, or from everything that is decided."""
    return outline(text, play.table, list(map(Row._make, play.trace.rows)), *roots)


@pytest.mark.rule("CC-B2")
@pytest.mark.rule("CC-B2a")
@pytest.mark.rule("CC-B3")
@pytest.mark.rule("CC-B4")
@pytest.mark.rule("CC-B5")
@pytest.mark.rule("CC-G5")
def test_a_turn_of_the_construction_is_decided_step_by_step():
    """The site, the tile that is revealed, how it is turned, and the building: nothing else is without a cause."""
    play = city(phase=SITE)
    play.turn("1,0", "L", "NE", "shop")
    assert follows(play) == read("""
        A chooses the site (1,0)
          tile 1 lies on (1,0)
          there is 1 tile besides the square
          chance is asked for the next tile
        the tile for (1,0) is an L
          A is asked for the lanes of the new tile
        the tile is laid on (1,0) with lanes N and E
          the N lane of (1,0) is connected to the square
          the E lane of (1,0) is connected to the square
          A is asked for a building
        a shop is built on (1,0)
          the shop on (1,0) belongs to A
          A has 3 shops left to build
          B is to have the next turn
          B is asked for a site for the next tile
    """)


@pytest.mark.rule("CC-B3")
def test_a_ban_that_is_lifted_is_why_the_site_can_be_chosen():
    """Seat 0 has only houses left, and beside the square and round it there are factories."""
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
    assert follows(play) == read("""
        no site allows what A has left, so all of it may be built on (2,1)
          A chooses the site (2,1)
            tile 13 lies on (2,1)
            there are 13 tiles besides the square
            chance is asked for the next tile
    """)


@pytest.mark.rule("CC-B6")
def test_a_house_asks_for_a_car_and_the_car_ends_the_turn():
    play = city(phase=SITE)
    play.turn("1,0", "I", "N", "house", "1,0 N E")
    assert follows(play, "a house is built on (1,0)", "A1 is put on the N lane of (1,0)") == read("""
        a house is built on (1,0)
          the house on (1,0) belongs to A
          A has 7 houses left to build
          A is asked for a place for the new car
        A1 is put on the N lane of (1,0)
          A1 faces E
          B is to have the next turn
          B is asked for a site for the next tile
    """)


@pytest.mark.rule("CC-R1")
def test_the_last_building_is_why_the_race_is_rolled_for():
    """31 of 32 tiles lie in a row; only a factory is left."""
    left = ["house A"] * 8 + ["house B"] * 8 + ["shop A"] * 4 + ["shop B"] * 4 + ["factory A"] * 4 + ["factory B"] * 3
    row = [f"{x},0 {'N' if x < 17 else 'NS'} {building}" for x, building in enumerate(left, 1)]
    play = city(*row, seat=1, phase=SITE)
    play.turn("0,1", "L", "NE", "factory")
    assert follows(play, "a factory is built on (0,1)") == read("""
        a factory is built on (0,1)
          the factory on (0,1) belongs to B
          B has 0 factories left to build
          chance is asked for the seat that begins the race
    """)


@pytest.mark.rule("CC-R2")
@pytest.mark.rule("CC-R1")
def test_parking_takes_the_passes_back_and_ends_the_turn():
    play = city("1,0 N shop A", cars=["A 1,0 N E", "B 0,0 S E"])
    play.table.passes[0] = 1
    play.do(play.parks("A1"))
    assert follows(play) == read("""
        A1 is parked at the shop on (1,0)
          A1 is off the street
          passes in a row are counted anew
          turn 1 of the race is over
            B is to have the next turn
    """)


@pytest.mark.rule("CC-R3")
@pytest.mark.rule("CC-R1")
def test_a_drive_follows_from_its_first_step_and_takes_the_passes_back():
    play = city("1,0 N", "2,0 NE", cars=["A 0,0 N E", "B 0,0 S E"])
    play.table.passes[0] = 1
    play.do(play.drives("A1", "2,0 E"))
    assert follows(play) == read("""
        A1 drives from the N lane of (0,0) to the N lane of (1,0)
          A1 drives from the N lane of (1,0) to the N lane of (2,0)
          A1 drives from the N lane of (2,0) to the E lane of (2,0)
            A1 faces S
            passes in a row are counted anew
            turn 1 of the race is over
              B is to have the next turn
    """)


@pytest.mark.rule("CC-R3")
def test_a_drive_of_one_step_follows_from_it():
    play = city(cars=["A 0,0 N E", "B 0,0 S E"])
    play.table.passes[0] = 1
    play.do(play.drives("A1", "0,0 E"))
    assert follows(play) == read("""
        A1 drives from the N lane of (0,0) to the E lane of (0,0)
          A1 faces S
          passes in a row are counted anew
          turn 1 of the race is over
            B is to have the next turn
    """)


@pytest.mark.rule("CC-R4")
@pytest.mark.rule("CC-R6")
@pytest.mark.rule("CC-C1")
def test_a_car_makes_way_because_it_was_hit():
    play = city(*LONG, cars=["A 0,0 N E", "B 2,0 N E"])
    play.do(play.drives("A1", "2,0 N")).settle()
    assert follows(play) == read("""
        A1 drives from the N lane of (0,0) to the N lane of (1,0)
          A1 drives from the N lane of (1,0) to the N lane of (2,0)
            A1 crashes into B1 on the N lane of (2,0), going E
              B1 is to make way
                B1 is pushed straight on from the N lane of (2,0) to the N lane of (3,0)
                  B1 is pushed no further
                  B1 has made way
                  the crash is over
                  turn 1 of the race is over
                    B is to have the next turn
              B1 is pushed towards E
              B is not asked where B1 goes: there is no choice
        B passes, number 1 in a row
          turn 2 of the race is over
            A is to have the next turn
    """)


@pytest.mark.rule("CC-C2")
@pytest.mark.rule("CC-C3")
def test_a_car_turns_because_it_makes_way():
    play = city("1,0 N", "2,0 NE", cars=["A 0,0 N E", "B 2,0 N W"])
    play.do(play.drives("A1", "2,0 N")).settle()
    assert follows(play, "B1 is to make way") == read("""
        B1 is to make way
          B1 is pushed round a corner from the N lane of (2,0) to the E lane of (2,0)
            B1 faces N
            B1 is pushed no further
            B1 has made way
            the crash is over
            turn 1 of the race is over
              B is to have the next turn
    """)
    play = city("1,0 N", "2,0 N", "2,1 S", cars=["A 0,0 N E", "B 2,0 N W"])
    play.do(play.drives("A1", "2,0 N")).settle()
    assert follows(play, "B1 is to make way") == read("""
        B1 is to make way
          B1 spins from the N lane of (2,0) to the S lane of (2,1)
            B1 faces E
            B1 is pushed no further
            B1 has made way
            the crash is over
            turn 1 of the race is over
              B is to have the next turn
    """)


@pytest.mark.rule("CC-C4")
def test_in_a_chain_each_car_is_hit_by_the_one_before():
    play = city("1,0 N", "2,0 N", "3,0 NE", cars=["A 0,0 N E", "B 2,0 N E", "A 3,0 N E"], chains=True)
    play.do(play.drives("A1", "2,0 N")).settle()
    assert follows(play) == read("""
        A1 drives from the N lane of (0,0) to the N lane of (1,0)
          A1 drives from the N lane of (1,0) to the N lane of (2,0)
            A1 crashes into B1 on the N lane of (2,0), going E
              A1 cannot be hit any more in this turn
              B1 is to make way
                B1 is pushed straight on from the N lane of (2,0) to the N lane of (3,0)
                  B1 is pushed into A2 on the N lane of (3,0), going E
                    B1 cannot be hit any more in this turn
                    A2 is to make way
                      A2 is pushed round a corner from the N lane of (3,0) to the E lane of (3,0)
                        A2 faces S
                        A2 is pushed no further
                        A2 has made way
                        A1 can be hit again
                        B1 can be hit again
                        the crash is over
                        turn 1 of the race is over
                          B is to have the next turn
              B1 is pushed towards E
              B is not asked where B1 goes: there is no choice
        B passes, number 1 in a row
          turn 2 of the race is over
            A is to have the next turn
    """)


@pytest.mark.rule("CC-R1")
def test_the_roll_begins_the_race_and_as_many_passes_as_players_end_it():
    play = city("1,0 N", phase=ROLL)
    play.apply(ROLLED + 1)
    assert follows(play) == read("""
        B begins the race
          the race begins
    """)
    play = city("1,0 N", parked=[])
    play.apply(PASS)
    play.apply(PASS)
    assert follows(play) == read("""
        A passes, number 1 in a row
          turn 1 of the race is over
            B is to have the next turn
        B passes, number 2 in a row
          turn 2 of the race is over
            the game is over because all have passed: A and B share the win with 0 cars parked
    """)


@pytest.mark.rule("CC-E1")
def test_the_eighth_parked_car_is_why_the_game_is_over():
    tiles = [f"{x},0 N shop A" for x in range(1, 5)] + [f"{-x},0 N factory A" for x in range(1, 5)]
    parked = [f"A {x},0" for x in (1, 2, 3, -1, -2, -3, -4)]
    play = city(*tiles, cars=["A 4,0 N E", "B 0,0 S E"], parked=parked)
    play.do(play.parks("A1"))
    assert follows(play) == read("""
        A1 is parked at the shop on (4,0)
          A1 is off the street
          turn 1 of the race is over
          the game is over: A wins with 8 cars parked
    """)
