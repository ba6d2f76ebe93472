"""What causes what in Autoscooter, from the rules text alone; the mark says whose causes a test proves."""

import pytest
from autoscooter_positions import early, late, play_round
from autoscooter_positions import read as position
from trace_causes import outline, read


def follows(turn, *roots):
    """What follows from the events with these words, or from everything that is decided."""
    return outline(turn.before.game.text, turn.after.table, turn.rows, *roots)


def crash(words, manoeuvre, other, chits=None, **options):
    """What follows from the move of car 1, driving into B on (2,3)."""
    state = position({1: words, 2: f"(2,3) {other}"}, {"chits": chits or {}}, **options)
    return follows(play_round(state, {1: f"{early(1)} {manoeuvre}", 2: "-"}), f"car 1 is next with 1 {manoeuvre}")


@pytest.mark.rule("AS-R1")
@pytest.mark.rule("AS-L2")
def test_the_last_one_to_write_ends_the_pass_and_the_last_one_to_move_the_round():
    """What a driver has written is his own doing; so is the move that he makes of it."""
    state = position({1: "(0,0) E s1", 2: "(4,0) E s1"})
    assert follows(play_round(state, {1: "1 F", 2: "2 F"})) == read("""
        A plans car 1: 1 F
        B plans car 2: 2 F
          everybody has planned
        car 1 is next with 1 F
          number 1 is crossed out
          car 1 drives from (0,0) to (0,1)
        car 2 is next with 2 F
          number 2 is crossed out
          car 2 drives from (4,0) to (4,1)
          the next round is to be planned
          round 1 is over, round 2 begins
    """)
    state = position({1: "(0,0) E s1", 5: "(4,0) E s1"})
    turn = state.play({0: "1 F"})
    assert follows(turn) == read("""
        A plans car 1: 1 F
          everybody has planned 1 of their cars
    """)


@pytest.mark.rule("AS-R7")
def test_where_nothing_is_written_the_rule_writes():
    turn = play_round(position({1: "(3,1) E s1"}), {1: "-"})
    assert follows(turn) == read("""
        A plans car 1: -
          everybody has planned
            nothing is written for car 1: 81 straight on
              car 1 is next with 81 straight on
                number 81 is crossed out
                car 1 drives from (3,1) to (3,2)
                the next round is to be planned
                round 1 is over, round 2 begins
    """)


@pytest.mark.rule("AS-M5")
def test_an_about_face_is_what_was_plotted():
    turn = play_round(position({1: "(2,4) E s0"}), {1: "1 P"})
    assert follows(turn, "car 1 is next with 1 P") == read("""
        car 1 is next with 1 P
          number 1 is crossed out
          car 1 turns round, now facing W
          the next round is to be planned
          round 1 is over, round 2 begins
    """)


@pytest.mark.rule("AS-M5")
def test_pivot_first_turns_because_the_car_stands():
    """At planning that is seen when all have planned, at the move it is seen then."""
    state = position({1: "(2,4) E s0"}, standstill="pivot_first", legality="at_planning")
    assert follows(play_round(state, {1: "1 FL"})) == read("""
        A plans car 1: 1 FL
          everybody has planned
            car 1 stands, so it will turn before it drives
              car 1 is next with 1 FL
                number 1 is crossed out
                car 1 goes from speed 0 to 1
                  car 1 turns 60° left, now facing NE
                  car 1 drives from (2,4) to (1,5)
                the next round is to be planned
                round 1 is over, round 2 begins
    """)
    state = position({1: "(2,4) E s0"}, standstill="pivot_first", legality="at_move")
    assert follows(play_round(state, {1: "1 FL"}), "car 1 is next with 1 FL") == read("""
        car 1 is next with 1 FL
          number 1 is crossed out
          car 1 goes from speed 0 to 1
            car 1 turns 60° left, now facing NE
            car 1 drives from (2,4) to (1,5)
          the next round is to be planned
          round 1 is over, round 2 begins
    """)


@pytest.mark.rule("AS-M5")
def test_turn_anyway_turns_because_of_the_plot_and_not_of_the_crash():
    turn = play_round(position({1: "(2,4) E s0"}, standstill="turn_anyway"), {1: "1 FL"})
    assert follows(turn, "car 1 is next with 1 FL") == read("""
        car 1 is next with 1 FL
          number 1 is crossed out
          car 1 goes from speed 0 to 1
            car 1 is stopped by the barrier after 0 of 1 hexes
              car 1 at speed 1 runs into the barrier
                A pays 1 chit (20 to 19)
                1 chit into the box (0 to 1)
                car 1 stops (speed 1 to 0)
            car 1 turns 60° left, now facing NE
          the next round is to be planned
          round 1 is over, round 2 begins
    """)


@pytest.mark.rule("AS-M1")
@pytest.mark.rule("AS-M2")
@pytest.mark.rule("AS-R3")
def test_steps_and_turns_follow_from_taking_the_speed():
    turn = play_round(position({1: "(3,1) E s1"}), {1: "1 FLFR"})
    assert follows(turn, "car 1 is next with 1 FLFR") == read("""
        car 1 is next with 1 FLFR
          number 1 is crossed out
          car 1 goes from speed 1 to 2
            car 1 drives from (3,1) to (3,2)
            car 1 turns 60° left, now facing NE
            car 1 drives from (3,2) to (2,2)
            car 1 turns 60° right, now facing E
          the next round is to be planned
          round 1 is over, round 2 begins
    """)


@pytest.mark.rule("AS-M1")
def test_at_its_old_speed_steps_and_turns_follow_from_the_move():
    turn = play_round(position({1: "(3,1) E s2"}), {1: "1 FLF"})
    assert follows(turn, "car 1 is next with 1 FLF") == read("""
        car 1 is next with 1 FLF
          number 1 is crossed out
          car 1 drives from (3,1) to (3,2)
          car 1 turns 60° left, now facing NE
          car 1 drives from (3,2) to (2,2)
          the next round is to be planned
          round 1 is over, round 2 begins
    """)


@pytest.mark.rule("AS-R6")
@pytest.mark.rule("AS-R8")
def test_a_plot_that_no_longer_fits_is_why_a_car_drives_otherwise():
    """Car 2 stops both; then car 1, which has plotted FFF, has speed 0."""
    cars, plots = {1: "(2,2) E s2", 2: "(2,3) W s2"}, {1: "81 FFF", 2: "2 FF"}
    turn = play_round(position(cars, legality="at_move"), plots)
    assert follows(turn, "car 1 is next with 81 FFF") == read("""
        car 1 is next with 81 FFF
          number 81 is crossed out
          the plot of car 1 (speed 3) no longer fits its speed 0: it stays
          the next round is to be planned
          round 1 is over, round 2 begins
    """)
    turn = play_round(position(cars, legality="at_planning"), plots)
    assert follows(turn, "car 1 is next with 81 FFF") == read("""
        car 1 is next with 81 FFF
          number 81 is crossed out
          car 1 has speed 0 now, but drives at 3 as planned
            car 1 goes from speed 0 to 3
              car 1 is stopped by car 2 after 0 of 3 hexes
                car 1 at speed 3 hits car 2, which stands
                  B pays 3 chits (20 to 17)
                  A gets 3 chits (20 to 23)
                  car 1 stops (speed 3 to 0)
          the next round is to be planned
          round 1 is over, round 2 begins
    """)


@pytest.mark.rule("AS-R4")
@pytest.mark.rule("AS-C1")
def test_a_front_crash():
    """The payment and both stops follow from the crash, and that from being stopped."""
    assert crash("(2,1) E s2", "FFF", "W s1") == read("""
        car 1 is next with 1 FFF
          number 1 is crossed out
          car 1 goes from speed 2 to 3
            car 1 drives from (2,1) to (2,2)
            car 1 is stopped by car 2 after 1 of 3 hexes
              car 1 at speed 3 hits the front of car 2 at speed 1
                B pays 2 chits (20 to 18)
                A gets 2 chits (20 to 22)
                car 1 stops (speed 3 to 0)
                car 2 stops (speed 1 to 0)
    """)
    assert crash("(2,2) E s1", "F", "W s3") == read("""
        car 1 is next with 1 F
          number 1 is crossed out
          car 1 is stopped by car 2 after 0 of 1 hexes
            car 1 at speed 1 hits the front of car 2 at speed 3
              A pays 2 chits (20 to 18)
              B gets 2 chits (20 to 22)
              car 1 stops (speed 1 to 0)
              car 2 stops (speed 3 to 0)
    """)


@pytest.mark.rule("AS-C2")
def test_a_crash_into_a_standing_car():
    assert crash("(2,2) E s1", "FF", "W s0") == read("""
        car 1 is next with 1 FF
          number 1 is crossed out
          car 1 goes from speed 1 to 2
            car 1 is stopped by car 2 after 0 of 2 hexes
              car 1 at speed 2 hits car 2, which stands
                B pays 2 chits (20 to 18)
                A gets 2 chits (20 to 22)
                car 1 stops (speed 2 to 0)
    """)


@pytest.mark.rule("AS-C3")
def test_a_rear_crash():
    assert crash("(2,2) E s2", "FF", "E s1") == read("""
        car 1 is next with 1 FF
          number 1 is crossed out
          car 1 is stopped by car 2 after 0 of 2 hexes
            car 1 at speed 2 hits the rear of car 2 at speed 1
              B pays 2 chits (20 to 18)
              A gets 2 chits (20 to 22)
    """)


@pytest.mark.rule("AS-C4")
def test_a_side_crash():
    assert crash("(2,2) E s2", "FF", "SE s2") == read("""
        car 1 is next with 1 FF
          number 1 is crossed out
          car 1 is stopped by car 2 after 0 of 2 hexes
            car 1 at speed 2 hits the side of car 2 at speed 2
              B pays 4 chits (20 to 16)
              A gets 4 chits (20 to 24)
              car 2 is turned 60° left, now facing E
    """)


@pytest.mark.rule("AS-C5")
def test_into_the_barrier():
    turn = play_round(position({1: "(2,4) E s2"}), {1: "1 FF"})
    assert follows(turn, "car 1 is next with 1 FF") == read("""
        car 1 is next with 1 FF
          number 1 is crossed out
          car 1 is stopped by the barrier after 0 of 2 hexes
            car 1 at speed 2 runs into the barrier
              A pays 2 chits (20 to 18)
              2 chits into the box (0 to 2)
              car 1 stops (speed 2 to 0)
          the next round is to be planned
          round 1 is over, round 2 begins
    """)


@pytest.mark.rule("AS-C6")
def test_into_ones_own_car():
    state = position({1: "(2,2) E s2", 5: "(2,3) SE s2"})
    turn = play_round(state, {1: "1 FF", 5: "5 FF"})
    assert follows(turn, "car 1 is next with 1 FF") == read("""
        car 1 is next with 1 FF
          number 1 is crossed out
          car 1 is stopped by car 5 after 0 of 2 hexes
            car 1 at speed 2 hits the side of car 5 at speed 2
              A pays 4 chits (20 to 16)
              4 chits into the box (0 to 4)
              car 5 is turned 60° left, now facing E
    """)


@pytest.mark.rule("AS-C7")
def test_who_has_too_little_pays_what_he_has_because_he_has_no_more():
    assert crash("(2,2) E s2", "FF", "SE s2", chits={"B": 1}) == read("""
        car 1 is next with 1 FF
          number 1 is crossed out
          car 1 is stopped by car 2 after 0 of 2 hexes
            car 1 at speed 2 hits the side of car 2 at speed 2
              B owes 4 chits and has only 1
                B pays 1 chit (1 to 0)
                A gets 1 chit (20 to 21)
              car 2 is turned 60° left, now facing E
    """)


@pytest.mark.rule("AS-C7")
def test_so_it_is_with_the_box():
    turn = play_round(position({1: "(2,4) E s2"}, {"chits": {"A": 1}}), {1: "1 FF"})
    assert follows(turn, "car 1 is next with 1 FF") == read("""
        car 1 is next with 1 FF
          number 1 is crossed out
          car 1 is stopped by the barrier after 0 of 2 hexes
            car 1 at speed 2 runs into the barrier
              A owes 2 chits and has only 1
                A pays 1 chit (1 to 0)
                1 chit into the box (19 to 20)
              car 1 stops (speed 2 to 0)
          the next round is to be planned
          round 1 is over, round 2 begins
    """)


@pytest.mark.rule("AS-C7")
@pytest.mark.rule("AS-C6")
def test_and_with_ones_own_car():
    state = position({1: "(2,2) E s2", 5: "(2,3) E s2"}, {"chits": {"A": 1}})
    turn = play_round(state, {1: "1 FF", 5: "5 FF"})
    assert follows(turn, "car 1 is next with 1 FF") == read("""
        car 1 is next with 1 FF
          number 1 is crossed out
          car 1 is stopped by car 5 after 0 of 2 hexes
            car 1 at speed 2 hits the rear of car 5 at speed 2
              A owes 2 chits and has only 1
                A pays 1 chit (1 to 0)
                1 chit into the box (19 to 20)
    """)


@pytest.mark.rule("AS-V1")
def test_a_shove_follows_from_the_rear_crash_and_the_next_one_from_the_shove():
    """The cars move up one by one, each because it was shoved itself."""
    state = position({1: "(3,0) E s2", 2: "(3,1) E s2", 3: "(3,2) E s1"}, rear_push=True)
    turn = play_round(state, {1: "1 FF", 2: f"{late(2)} F", 3: f"{late(3)} F"})
    assert follows(turn, "car 1 is next with 1 FF") == read("""
        car 1 is next with 1 FF
          number 1 is crossed out
          car 1 is stopped by car 2 after 0 of 2 hexes
            car 1 at speed 2 hits the rear of car 2 at speed 2
              B pays 2 chits (20 to 18)
              A gets 2 chits (20 to 22)
              car 2 is shoved
                car 2 at speed 2 hits the rear of car 3 at speed 1
                  C pays 2 chits (20 to 18)
                  B gets 2 chits (18 to 20)
                  car 3 is shoved
                    car 3 is shoved from (3,2) to (3,3)
                car 2 is shoved from (3,1) to (3,2)
    """)


@pytest.mark.rule("AS-V1")
def test_a_crash_of_a_shoved_car_follows_from_the_shove():
    state = position({1: "(3,0) E s2", 2: "(3,1) E s2", 3: "(3,2) W s3"}, rear_push=True)
    turn = play_round(state, {1: "1 FF", 2: f"{late(2)} F", 3: f"{late(3)} FF"})
    assert follows(turn, "car 1 is next with 1 FF") == read("""
        car 1 is next with 1 FF
          number 1 is crossed out
          car 1 is stopped by car 2 after 0 of 2 hexes
            car 1 at speed 2 hits the rear of car 2 at speed 2
              B pays 2 chits (20 to 18)
              A gets 2 chits (20 to 22)
              car 2 is shoved
                car 2 at speed 2 hits the front of car 3 at speed 3
                  B pays 1 chit (18 to 17)
                  C gets 1 chit (20 to 21)
                  car 2 stops (speed 2 to 0)
                  car 3 stops (speed 3 to 0)
    """)


@pytest.mark.rule("AS-E1")
def test_the_game_is_over_because_the_last_round_is():
    sheet = {"round": 11, "cars": {"1": {"hex": [3, 1], "facing": "E", "speed": 1}}}
    turn = play_round(position({}, sheet), {1: "81 F"})
    assert follows(turn, "car 1 is next with 81 F") == read("""
        car 1 is next with 81 F
          number 81 is crossed out
          car 1 drives from (3,1) to (3,2)
          nothing is left to plan
          round 11 is over
            the game is over: A, B, C and D share the win with 20 chits
    """)
