"""What causes what in Crash & Grab, from the rules text alone; the mark says whose causes a test proves."""

import pytest
from crash_and_grab_positions import BLUE, GREEN, RED, YELLOW, Play, board, crew_name
from trace_causes import outline, read

from crashlab.engine.chance import Random
from crashlab.engine.options import settle
from crashlab.engine.table import Row, Trace
from crashlab.games.crash_and_grab import state as tables
from crashlab.games.crash_and_grab import text
from crashlab.games.crash_and_grab.state import *


def follows(play, *roots):
    """What follows from the events with these words, or from everything that is decided."""
    return outline(text, play.table, list(map(Row._make, play.trace.rows)), *roots)


def fresh(play):
    """The same game with an empty trace: what has happened so far is not asked about."""
    play.trace = Trace()
    return play


def rested(card, at, **more):
    """At the end of the turn in which RED, who has this upgrade, stayed where it is."""
    return fresh(board(at, more.pop("players", 4), upgrades={RED: [card]}, **more).ride(RED, 0, UP))


# Set-up


@pytest.mark.rule("CG-S5")
@pytest.mark.rule("CG-P1")
@pytest.mark.rule("CG-R1")
def test_two_players_choose_and_the_die_places_what_they_have_chosen():
    play = Play(tables.set_up(settle(tables.OPTIONS, {"players": 2}), Random(1)))
    probe = play.table.probe[0]
    free = [n for n in range(1, 13) if play.table.ground.index(n) not in play.table.cell]
    play.answer(PILOT_CHOICE, 2 * probe).answer(SET_UP_DIE, free[0])
    play.answer(BOOSTER_CHOICE, 2 * (1 - probe)).answer(SET_UP_DIE, free[1])
    assert follows(play) == read("""
        the next question is about the red pilot
          chance is asked: the placement die
        the placement die shows 1
          the red pilot is placed on (7,2)
            the red pilot is dealt with
            the next decision is B's
              B is asked for the saucer that gets a booster
        blue gets 1 booster (0 to 1)
          the next question is about the yellow pilot
          chance is asked: the placement die
        the placement die shows 3
          the yellow pilot is placed on (6,1)
            the yellow pilot is dealt with
            all plan
            planning begins anew
    """)


# Rounds and turns


@pytest.mark.rule("CG-R1")
@pytest.mark.rule("CG-R2")
@pytest.mark.rule("CG-R4")
def test_the_last_one_to_plan_has_the_die_rolled_and_that_begins_the_first_turn():
    play = board({RED: 33, GREEN: 0, BLUE: 2, YELLOW: 4}).go()
    assert follows(play) == read("""
        red plans 0-5^
        green plans 0-5^
        blue plans 0-5^
        yellow plans 0-5^
          chance is asked: the rotation die
        the turns go clockwise
          it is the turn of red
            red has turn 1 of this round
            red takes its card up (0-5^)
              red reveals 0-5^
                A is asked for the distance
    """)


@pytest.mark.rule("CG-R1")
@pytest.mark.rule("CG-R2")
def test_two_players_plan_twice_and_choose_who_is_first():
    play = board({RED: 33, GREEN: 0, BLUE: 2, YELLOW: 4}, 2, probe=1).go(first=YELLOW)
    assert follows(play) == read("""
        red plans 0-5^
        blue plans 0-5^
          the second saucers are planned now
        green plans 0-5^
        yellow plans 0-5^
          B is asked for the saucer that goes first
        it is the turn of yellow
          yellow has turn 1 of this round
          yellow takes its card up (0-5^)
            yellow reveals 0-5^
              B is asked for the distance
    """)


@pytest.mark.rule("CG-R4")
def test_the_end_of_a_turn_takes_off_its_marks_and_begins_the_next_one():
    """RED is placed, accelerated, picks up the last lost crewmember, crashes GREEN, cloaks itself and buys."""
    others = [name for name in map(crew_name, range(24)) if name != "blue pilot"]
    play = board(
        {GREEN: 55, BLUE: 3, YELLOW: 5},
        upgrades={RED: [CLOAK, QUAKE]},
        energy={RED: 3},
        accelerators=[50],
        lost={"blue pilot": 51},
        gone=others,
    ).go()
    play.answer(DIE, 1).answer(DISTANCE, 5).answer(DIRECTION, UP).answer(TURN_OFF, RIGHT)
    play.answer(END, (CLOAK, 0)).answer(END, None)
    play.answer(BUY, 1).answer(DRAW, CARGO_HOLD).answer(DRAW, MINES).answer(KEEP, MINES).answer(BUY, 0)
    assert follows(play, "red buys nothing more in this turn") == read("""
        red buys nothing more in this turn
          the turn of red is over
            Cloaking Device can be used again
            Proximity Mines works from now on
            red takes its card up (0-5^)
            the placing no longer counts
            the distance 5 is used up
            0 crewmembers are to be refilled
            gains of crew are counted anew
            saucers of others crashed in this turn: 0
            upgrades can be used again
            upgrades can be bought again
            nobody is cloaked any more
            accelerators are counted anew
            it is the turn of green
              green has turn 2 of this round
              green is placed before its turn goes on, and its direction is free
              green is to be placed
                chance is asked: the placement die
    """)


@pytest.mark.rule("CG-R2")
def test_the_second_saucer_of_a_player_follows_on_the_others_first():
    play = board({RED: 0, GREEN: 2, BLUE: 4, YELLOW: 6}, 2).go(first=GREEN).answer(DISTANCE, 0).answer(FIRST, BLUE)
    assert follows(fresh(play).answer(DISTANCE, 0)) == read("""
        a movement begins: its card
          blue moves now
          all saucers have come to rest
            the movement by its card is over
              the turn of blue is over
                blue takes its card up (0-5^)
                it is the turn of red
                  red has turn 3 of this round
                  red takes its card up (0-5^)
                    red reveals 0-5^
                      the next decision is A's
    """)


@pytest.mark.rule("CG-R7")
@pytest.mark.rule("CG-R8")
@pytest.mark.rule("CG-R4")
def test_after_the_last_turn_the_crashed_are_placed_and_the_next_round_begins():
    play = board({RED: 0, GREEN: 1, BLUE: 2, YELLOW: 3}, aboard={RED: "red pilot"}).go({YELLOW: "2 up"})
    for _ in range(3):
        play.answer(DISTANCE, 0)
    assert follows(play, "the turn of yellow is over") == read("""
        the turn of yellow is over
          yellow takes its card up (2^)
          the distance 2 is used up
          yellow is to be placed
            chance is asked: the placement die
    """)
    fresh(play).answer(DIE, 5)
    assert follows(play) == read("""
        the placement die shows 5
          yellow is placed on (6,4)
            nobody waits to be placed
            the probe goes from A to D
            red is to have a turn again
            green is to have a turn again
            blue is to have a turn again
            yellow is to have a turn again
            the direction of the turns is open again
            round 2 begins
              all plan
              planning begins anew
    """)


@pytest.mark.rule("CG-R9")
def test_the_last_round_is_why_the_game_is_over():
    play = board({RED: 0, GREEN: 1, BLUE: 2, YELLOW: 3}, round_limit=1).go()
    for _ in range(4):
        play.answer(DISTANCE, 0)
    assert follows(play, "the turn of yellow is over") == read("""
        the turn of yellow is over
          yellow takes its card up (0-5^)
          the probe goes from A to D
          red is to have a turn again
          green is to have a turn again
          blue is to have a turn again
          yellow is to have a turn again
          the direction of the turns is open again
          the game is over after round 1: A, B, C and D share the win
            nothing more is asked
    """)


@pytest.mark.rule("CG-R5")
@pytest.mark.rule("CG-P1")
@pytest.mark.rule("CG-U10")
def test_a_saucer_is_placed_because_its_turn_begins():
    """CG-U10: its gift follows from being placed, and so does the rest of its turn."""
    play = board({GREEN: 33, BLUE: 34, YELLOW: 35}, upgrades={RED: [SCAVENGER]}).go({RED: "2 right"}).answer(DIE, 3)
    assert follows(play) == read("""
        red plans 2>
        green plans 0-5^
        blue plans 0-5^
        yellow plans 0-5^
          chance is asked: the rotation die
        the turns go clockwise
          it is the turn of red
            red has turn 1 of this round
            red is placed before its turn goes on, and its direction is free
            red is to be placed
              chance is asked: the placement die
        the placement die shows 3
          red is placed on (6,2)
            nobody waits to be placed
            red gets 1 booster (0 to 1)
            red gets 1 energy (0 to 1)
            red takes its card up (2>)
              red reveals 2>
                A is not asked for the distance: there is no choice
        red is to move 2 spaces
          A is asked for the direction
    """)


@pytest.mark.rule("CG-U13")
def test_the_gateway_asks_for_a_site_and_may_have_the_die_rolled():
    play = fresh(board({GREEN: 33}, upgrades={RED: [GATEWAY]}))
    play.go()
    assert follows(play, "the turns go clockwise") == read("""
        the turns go clockwise
          it is the turn of red
            red has turn 1 of this round
            red is placed before its turn goes on, and its direction is free
            red is to be placed
              A is asked for the crash site
    """)
    other = fresh(Play(play.table.copy())).answer(SITE, 4)
    assert follows(other) == read("""
        red is placed on (6,3)
          nobody waits to be placed
          red takes its card up (0-5^)
            red reveals 0-5^
              A is asked for the distance
    """)
    assert follows(fresh(play).answer(SITE, None)) == read("""
        chance is asked: the placement die
    """)


@pytest.mark.rule("CG-U1")
def test_a_first_step_comes_before_the_reveal():
    play = board({RED: 33, GREEN: 0}, upgrades={RED: [BLAST_OFF]}).go()
    assert follows(play, "the turns go clockwise") == read("""
        the turns go clockwise
          it is the turn of red
            red has turn 1 of this round
            A is asked for a step before the card is revealed
    """)
    assert follows(fresh(play).answer(STEP, RIGHT)) == read("""
        a movement begins: a first step
          red steps from (3,3) to (3,4)
          Blast Off Thrusters is used
          the movement by a first step is over
            red takes its card up (0-5^)
              red reveals 0-5^
                A is asked for the distance
    """)


@pytest.mark.rule("CG-U1")
@pytest.mark.rule("CG-W4")
def test_a_first_step_to_the_partner_lets_crew_pass():
    play = board({RED: 33, GREEN: 44}, 2, upgrades={RED: [BLAST_OFF]}, aboard={RED: "green pilot"}).go(first=RED)
    assert follows(fresh(play).answer(STEP, RIGHT)) == read("""
        a movement begins: a first step
          red steps from (3,3) to (3,4)
            the green pilot may be passed to its own saucer
          Blast Off Thrusters is used
          A is asked for the passing of crew
    """)


@pytest.mark.rule("CG-U19")
def test_the_stabilizer_asks_for_the_direction_after_the_first_turn():
    play = fresh(board({RED: 0, GREEN: 33, BLUE: 44, YELLOW: 55}, upgrades={BLUE: [STABILIZER]}))
    play.go()
    assert follows(play, "yellow plans 0-5^") == read("""
        yellow plans 0-5^
          it is the turn of red
            red has turn 1 of this round
            red takes its card up (0-5^)
              red reveals 0-5^
                A is asked for the distance
    """)
    play.answer(DISTANCE, 0)
    assert follows(play, "a movement begins: its card") == read("""
        a movement begins: its card
          red moves now
          all saucers have come to rest
            the movement by its card is over
              the turn of red is over
                red takes its card up (0-5^)
                the next decision is C's
                  C is asked for the direction of the turns
    """)
    other = Play(play.table.copy())
    assert follows(other.answer(NAMING, 1)) == read("""
        the turns go counter-clockwise
          it is the turn of yellow
            yellow has turn 2 of this round
            yellow takes its card up (0-5^)
              yellow reveals 0-5^
                the next decision is D's
                  D is asked for the distance
    """)
    assert follows(fresh(play).answer(NAMING, 2)) == read("""
        chance is asked: the rotation die
    """)


# Movement


@pytest.mark.rule("CG-M1")
@pytest.mark.rule("CG-M2")
@pytest.mark.rule("CG-W3")
def test_steps_and_pick_ups_follow_from_the_distance_that_was_chosen():
    play = fresh(board({RED: 30}, lost={"blue pilot": 31})).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == read("""
        red is to move 2 spaces
          a movement begins: its card
            red moves now
            red heads right
            red travels 2 spaces at a time
            red has 2 spaces left to go
            red moves from (3,0) to (3,1)
              red has 1 space left to go
              1 crewmember is to be refilled
                A is asked for the queue to refill from
              red picks up the blue pilot from (3,1)
                red has gained crew in this turn
            red moves from (3,1) to (3,2)
              red has 0 spaces left to go
            all saucers have come to rest
              the movement by its card is over
    """)
    fresh(play).answer(REFILL, GREEN).answer(REFILL_DIE, 9)
    assert follows(play) == read("""
        the next question is about the green pilot
          chance is asked: the placement die
        the placement die shows 9
          the green pilot is placed on (7,2)
            the green pilot is dealt with
            0 crewmembers are to be refilled
            the turn of red is over
              red takes its card up (0-5>)
              the distance 2 is used up
              gains of crew are counted anew
              it is the turn of green
                green has turn 2 of this round
                green is placed before its turn goes on, and its direction is free
                green is to be placed
                  chance is asked: the placement die
    """)


@pytest.mark.rule("CG-M1")
@pytest.mark.rule("CG-M7")
def test_the_bonus_and_the_movement_follow_from_the_card():
    play = board({RED: 30}).go({RED: "2 right"})
    assert follows(play, "red is to move 2 spaces") == read("""
        red is to move 2 spaces
          a movement begins: its card
            red gets 1 booster (0 to 1)
            red moves now
            red heads right
            red travels 2 spaces at a time
            red has 2 spaces left to go
            red moves from (3,0) to (3,1)
              red has 1 space left to go
            red moves from (3,1) to (3,2)
              red has 0 spaces left to go
            all saucers have come to rest
              the movement by its card is over
                A is asked for a boost
    """)
    assert follows(fresh(play).answer(BOOST, (2, DOWN))) == read("""
        red pays 1 booster (1 to 0)
          a movement begins: a boost
            red moves now
            red heads down
            red has 2 spaces left to go
            red moves from (3,2) to (4,2)
              red has 1 space left to go
            red moves from (4,2) to (5,2)
              red has 0 spaces left to go
            all saucers have come to rest
              the movement by a boost is over
                the turn of red is over
                  red takes its card up (2>)
                  the distance 2 is used up
                  it is the turn of green
                    green has turn 2 of this round
                    green is placed before its turn goes on, and its direction is free
                    green is to be placed
                      chance is asked: the placement die
    """)
    play = board({RED: 30}).go({RED: "3 right"})
    assert follows(play, "red is to move 3 spaces") == read("""
        red is to move 3 spaces
          a movement begins: its card
            red gets 1 energy (0 to 1)
            red moves now
            red heads right
            red travels 3 spaces at a time
            red has 3 spaces left to go
            red moves from (3,0) to (3,1)
              red has 2 spaces left to go
            red moves from (3,1) to (3,2)
              red has 1 space left to go
            red moves from (3,2) to (3,3)
              red has 0 spaces left to go
            all saucers have come to rest
              the movement by its card is over
                the turn of red is over
                  red takes its card up (3>)
                  the distance 3 is used up
                  it is the turn of green
                    green has turn 2 of this round
                    green is placed before its turn goes on, and its direction is free
                    green is to be placed
                      chance is asked: the placement die
    """)


@pytest.mark.rule("CG-U9")
@pytest.mark.rule("CG-U12")
def test_a_free_direction_is_asked_for_because_of_the_distance():
    play = board({RED: 0}, upgrades={RED: [HYPERDRIVE, TIME_MACHINE]}).go({RED: "2 right"}).answer(DISTANCE, 4)
    assert follows(play, "red is to move 4 spaces") == read("""
        red is to move 4 spaces
          A is asked for the direction
    """)
    assert follows(fresh(play).answer(DIRECTION, DOWN)) == read("""
        a movement begins: its card
          red gets 1 booster (0 to 1)
          red moves now
          red heads down
          red travels 4 spaces at a time
          red has 4 spaces left to go
          red moves from (0,0) to (1,0)
            red has 3 spaces left to go
          red moves from (1,0) to (2,0)
            red has 2 spaces left to go
          red moves from (2,0) to (3,0)
            red has 1 space left to go
          red moves from (3,0) to (4,0)
            red has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              A is asked for a boost
    """)


@pytest.mark.rule("CG-R3")
def test_an_override_token_frees_the_direction():
    play = board({saucer: 10 * saucer + 3 for saucer in range(5)}, 5).go()
    for _ in range(5):
        play.answer(DISTANCE, 1)
    assert follows(play, "purple is to move 1 space") == read("""
        purple is to move 1 space
          E is asked for the direction
    """)


@pytest.mark.rule("CG-R5")
def test_who_was_placed_has_a_free_direction():
    play = board({GREEN: 33, BLUE: 34, YELLOW: 35}).go({RED: "3 left"}).answer(DIE, 1)
    assert follows(play, "red is to move 3 spaces") == read("""
        red is to move 3 spaces
          A is asked for the direction
    """)


@pytest.mark.rule("CG-M3")
def test_whoever_is_hit_moves_because_of_the_hit():
    play = board({RED: 30, GREEN: 31, BLUE: 33}).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == read("""
        red is to move 2 spaces
          a movement begins: its card
            red moves now
            red heads right
            red travels 2 spaces at a time
            red has 2 spaces left to go
            red hits green, which is pushed right by 2 spaces
              red moves from (3,0) to (3,1)
              green moves now
              green is pushed from (3,1) to (3,2)
                green has 1 space left to go
              green hits blue, which is pushed right by 2 spaces
                green is pushed from (3,2) to (3,3)
                blue moves now
                blue has 2 spaces left to go
                blue is pushed from (3,3) to (3,4)
                  blue has 1 space left to go
                blue is pushed from (3,4) to (3,5)
                  blue has 0 spaces left to go
                all saucers have come to rest
                  the movement by its card is over
                    the turn of red is over
                      red takes its card up (0-5>)
                      the distance 2 is used up
                      it is the turn of green
                        green has turn 2 of this round
                        green takes its card up (0-5^)
                          green reveals 0-5^
                            the next decision is B's
    """)


@pytest.mark.rule("CG-B5")
@pytest.mark.rule("CG-C1")
def test_an_own_crash_is_why_a_penalty_is_asked_for():
    play = board({RED: 37, GREEN: 3}, aboard={RED: "green pilot"}, lost={"blue pilot": 60}).ride(RED, 1, RIGHT)
    assert follows(play, "red is to move 1 space") == read("""
        red is to move 1 space
          a movement begins: its card
            red moves now
            red heads right
            red travels 1 space at a time
            red has 1 space left to go
            red crashes off the board from (3,7)
              own crashes still to be paid for: 1
                A is asked for the crewmember to give away
              red has 0 spaces left to go
              all saucers have come to rest
                the movement by its card is over
    """)
    fresh(play).answer(PENALTY, (GREEN, "green pilot"))
    assert follows(play, "own crashes still to be paid for: 0") == read("""
        own crashes still to be paid for: 0
          red gives the green pilot to green
          the turn of red is over
            red takes its card up (0-5>)
            the distance 1 is used up
            it is the turn of green
              green has turn 2 of this round
              green takes its card up (0-5^)
                green reveals 0-5^
                  the next decision is B's
                    B is asked for the distance
    """)


@pytest.mark.rule("CG-C1")
def test_who_has_nothing_to_give_has_paid():
    play = board({RED: 37, GREEN: 3}).ride(RED, 1, RIGHT)
    assert follows(play, "red crashes off the board from (3,7)") == read("""
        red crashes off the board from (3,7)
          own crashes still to be paid for: 1
            own crashes still to be paid for: 0
              the turn of red is over
                red takes its card up (0-5>)
                the distance 1 is used up
                it is the turn of green
                  green has turn 2 of this round
                  green takes its card up (0-5^)
                    green reveals 0-5^
                      the next decision is B's
          red has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
    """)


@pytest.mark.rule("CG-C2")
def test_anothers_crash_is_why_a_reward_is_asked_for():
    play = board({RED: 35, GREEN: 36}, aboard={GREEN: "red doctor"}).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == read("""
        red is to move 2 spaces
          a movement begins: its card
            red moves now
            red heads right
            red travels 2 spaces at a time
            red has 2 spaces left to go
            red hits green, which is pushed right by 2 spaces
              red moves from (3,5) to (3,6)
              green moves now
              green is pushed from (3,6) to (3,7)
                green has 1 space left to go
              green crashes off the board from (3,7)
                saucers of others crashed in this turn: 1
                the crash of green is to be rewarded
                  A is asked for the reward
                green has 0 spaces left to go
                all saucers have come to rest
                  the movement by its card is over
    """)
    other = Play(play.table.copy())
    assert follows(fresh(play).answer(REWARD, "red doctor")) == read("""
        the crash of green is settled
          red steals the red doctor from green
            red has gained crew in this turn
          the turn of red is over
            red takes its card up (0-5>)
            the distance 2 is used up
            gains of crew are counted anew
            saucers of others crashed in this turn: 0
            it is the turn of green
              green has turn 2 of this round
              green is placed before its turn goes on, and its direction is free
              green is to be placed
                chance is asked: the placement die
    """)
    assert follows(other.answer(REWARD, None), "the crash of green is settled") == read("""
        the crash of green is settled
          red gets 1 energy (0 to 1)
          the turn of red is over
            red takes its card up (0-5>)
            the distance 2 is used up
            saucers of others crashed in this turn: 0
            it is the turn of green
              green has turn 2 of this round
              green is placed before its turn goes on, and its direction is free
              green is to be placed
                chance is asked: the placement die
    """)


@pytest.mark.rule("CG-C1")
def test_a_crash_before_the_last_boost_is_paid_for_after_it():
    play = board({RED: 35, GREEN: 36, BLUE: 3}, 2, boosters={RED: 1}, aboard={RED: "blue pilot"}).ride(RED, 2, RIGHT)
    assert follows(fresh(play).answer(BOOST, (2, UP))) == read("""
        red pays 1 booster (1 to 0)
          a movement begins: a boost
            red moves now
            red heads up
            red has 2 spaces left to go
            red moves from (3,6) to (2,6)
              red has 1 space left to go
            red moves from (2,6) to (1,6)
              red has 0 spaces left to go
            all saucers have come to rest
              the movement by a boost is over
                A is asked for the crewmember to give away
    """)


@pytest.mark.rule("CG-C1")
@pytest.mark.rule("CG-C2")
def test_a_penalty_that_is_paid_leads_to_the_reward():
    play = board(
        {RED: 35, GREEN: 36, BLUE: 3, YELLOW: 5},
        boosters={RED: 1},
        aboard={RED: "red pilot, blue doctor", GREEN: "blue pilot"},
    )
    play.ride(RED, 2, RIGHT).answer(BOOST, (2, RIGHT))
    assert follows(fresh(play).answer(PENALTY, (BLUE, "blue doctor"))) == read("""
        own crashes still to be paid for: 0
          red gives the blue doctor to blue
          A is asked for the reward
    """)


@pytest.mark.rule("CG-M4")
@pytest.mark.rule("CG-M5")
def test_off_an_accelerator_the_way_follows_from_the_turn():
    play = board({RED: 30}, accelerators=[32]).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == read("""
        red is to move 2 spaces
          a movement begins: its card
            red moves now
            red heads right
            red travels 2 spaces at a time
            red has 2 spaces left to go
            red moves from (3,0) to (3,1)
              red has 1 space left to go
            red moves from (3,1) to (3,2)
              red has 0 spaces left to go
              red is accelerated: 2 spaces again
                red has 2 spaces left to go
                accelerators reached by red in this turn: 1
                A is asked for the direction off the accelerator
    """)
    assert follows(fresh(play).answer(TURN_OFF, DOWN)) == read("""
        red heads down
          red moves from (3,2) to (4,2)
            red has 1 space left to go
          red moves from (4,2) to (5,2)
            red has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              the turn of red is over
                red takes its card up (0-5>)
                the distance 2 is used up
                accelerators are counted anew
                it is the turn of green
                  green has turn 2 of this round
                  green is placed before its turn goes on, and its direction is free
                  green is to be placed
                    chance is asked: the placement die
    """)


@pytest.mark.rule("CG-M4")
def test_who_goes_straight_on_begins_with_the_step():
    play = fresh(board({RED: 30}, accelerators=[32]).ride(RED, 2, RIGHT)).answer(TURN_OFF, RIGHT)
    assert follows(play) == read("""
        red moves from (3,2) to (3,3)
          red has 1 space left to go
          red moves from (3,3) to (3,4)
            red has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              the turn of red is over
                red takes its card up (0-5>)
                the distance 2 is used up
                accelerators are counted anew
                it is the turn of green
                  green has turn 2 of this round
                  green is placed before its turn goes on, and its direction is free
                  green is to be placed
                    chance is asked: the placement die
    """)
    play = fresh(board({RED: 34}, accelerators=[36]).ride(RED, 2, RIGHT)).answer(TURN_OFF, RIGHT)
    assert follows(play) == read("""
        red moves from (3,6) to (3,7)
          red has 1 space left to go
          red crashes off the board from (3,7)
            own crashes still to be paid for: 1
              own crashes still to be paid for: 0
                the turn of red is over
                  red takes its card up (0-5>)
                  the distance 2 is used up
                  accelerators are counted anew
                  it is the turn of green
                    green has turn 2 of this round
                    green is placed before its turn goes on, and its direction is free
                    green is to be placed
                      chance is asked: the placement die
            red has 0 spaces left to go
            all saucers have come to rest
              the movement by its card is over
    """)


@pytest.mark.rule("CG-M5")
@pytest.mark.rule("CG-U8")
@pytest.mark.rule("CG-U21")
def test_from_the_13th_accelerator_on_the_way_goes_on_because_of_it():
    def thirteenth(**more):
        play = board({RED: 30}, **more)
        play.table.leaps[0] = 12
        return play.ride(RED, 2, RIGHT)

    assert follows(thirteenth(accelerators=[32]), "red is accelerated: 2 spaces again") == read("""
        red is accelerated: 2 spaces again
          red has 2 spaces left to go
          accelerators reached by red in this turn: 13
          red moves from (3,2) to (3,3)
            red has 1 space left to go
          red moves from (3,3) to (3,4)
            red has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              the turn of red is over
                red takes its card up (0-5>)
                the distance 2 is used up
                accelerators are counted anew
                it is the turn of green
                  green has turn 2 of this round
                  green is placed before its turn goes on, and its direction is free
                  green is to be placed
                    chance is asked: the placement die
    """)
    play = fresh(thirteenth(upgrades={RED: [WASTE]}, sites={1: 32})).answer(WASTE_USE, 1)
    assert follows(play) == read("""
        Waste Accelerator is used
          red is accelerated: 2 spaces again
            red has 2 spaces left to go
            accelerators reached by red in this turn: 13
            red moves from (3,2) to (3,3)
              red has 1 space left to go
            red moves from (3,3) to (3,4)
              red has 0 spaces left to go
            all saucers have come to rest
              the movement by its card is over
                the turn of red is over
                  Waste Accelerator can be used again
                  red takes its card up (0-5>)
                  the distance 2 is used up
                  accelerators are counted anew
                  it is the turn of green
                    green has turn 2 of this round
                    green is placed before its turn goes on, and its direction is free
                    green is to be placed
                      chance is asked: the placement die
    """)
    play = fresh(thirteenth(upgrades={RED: [REGULATOR]}, accelerators=[32])).answer(LEG, 1)
    assert follows(play, "red travels 1 space at a time") == read("""
        red travels 1 space at a time
          red has 1 space left to go
          red moves from (3,2) to (3,3)
            red has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              the turn of red is over
                red takes its card up (0-5>)
                the distance 2 is used up
                accelerators are counted anew
                it is the turn of green
                  green has turn 2 of this round
                  green is placed before its turn goes on, and its direction is free
                  green is to be placed
                    chance is asked: the placement die
    """)


@pytest.mark.rule("CG-M4")
def test_a_pushed_saucer_is_accelerated_because_of_its_step():
    play = board({RED: 30, GREEN: 31}, accelerators=[32]).ride(RED, 1, RIGHT)
    assert follows(play, "red is to move 1 space") == read("""
        red is to move 1 space
          a movement begins: its card
            red moves now
            red heads right
            red travels 1 space at a time
            red has 1 space left to go
            red hits green, which is pushed right by 1 space
              red moves from (3,0) to (3,1)
              green moves now
              green is pushed from (3,1) to (3,2)
                green has 0 spaces left to go
                green is accelerated: 1 space again
                  green has 1 space left to go
                  green is pushed from (3,2) to (3,3)
                    green has 0 spaces left to go
                  all saucers have come to rest
                    the movement by its card is over
                      the turn of red is over
                        red takes its card up (0-5>)
                        the distance 1 is used up
                        it is the turn of green
                          green has turn 2 of this round
                          green takes its card up (0-5^)
                            green reveals 0-5^
                              the next decision is B's
    """)


@pytest.mark.rule("CG-U21")
def test_the_regulator_chooses_how_far_and_then_where_to():
    play = board({RED: 30}, upgrades={RED: [REGULATOR]}, accelerators=[32]).ride(RED, 2, RIGHT)
    assert follows(play, "red is accelerated: 2 spaces again") == read("""
        red is accelerated: 2 spaces again
          red has 2 spaces left to go
          accelerators reached by red in this turn: 1
          A is asked for the distance off the accelerator
    """)
    assert follows(fresh(play).answer(LEG, 1)) == read("""
        red travels 1 space at a time
          red has 1 space left to go
          A is asked for the direction off the accelerator
    """)


@pytest.mark.rule("CG-U8")
def test_a_crash_site_accelerates_because_the_card_is_used():
    play = board({RED: 30}, upgrades={RED: [WASTE]}, sites={1: 32}).ride(RED, 3, RIGHT)
    assert follows(play, "red is to move 3 spaces") == read("""
        red is to move 3 spaces
          a movement begins: its card
            red moves now
            red heads right
            red travels 3 spaces at a time
            red has 3 spaces left to go
            red moves from (3,0) to (3,1)
              red has 2 spaces left to go
            red moves from (3,1) to (3,2)
              red has 1 space left to go
              A is asked for the use of Waste Accelerator
    """)
    other = Play(play.table.copy())
    assert follows(fresh(play).answer(WASTE_USE, 1)) == read("""
        Waste Accelerator is used
          red is accelerated: 3 spaces again
            red has 3 spaces left to go
            accelerators reached by red in this turn: 1
            A is asked for the direction off the accelerator
    """)
    assert follows(other.answer(WASTE_USE, 0), "red moves from (3,2) to (3,3)") == read("""
        red moves from (3,2) to (3,3)
          red has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              the turn of red is over
                red takes its card up (0-5>)
                the distance 3 is used up
                it is the turn of green
                  green has turn 2 of this round
                  green is placed before its turn goes on, and its direction is free
                  green is to be placed
                    chance is asked: the placement die
    """)


@pytest.mark.rule("CG-U16")
def test_a_mine_crashes_what_is_hit():
    play = board({RED: 30, GREEN: 31}, upgrades={RED: [MINES]}, boosters={RED: 1}).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == read("""
        red is to move 2 spaces
          a movement begins: its card
            red moves now
            red heads right
            red travels 2 spaces at a time
            red has 2 spaces left to go
            A is asked for a push or a mine
    """)
    other = Play(play.table.copy())
    assert follows(fresh(play).answer(PUSH, 1)) == read("""
        red mines green
          green is crashed by a mine from (3,1)
            saucers of others crashed in this turn: 1
            the crash of green is to be rewarded
          red moves from (3,0) to (3,1)
          red has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              A is asked for a boost
    """)
    assert follows(other.answer(PUSH, 0)) == read("""
        red hits green, which is pushed right by 2 spaces
          red moves from (3,0) to (3,1)
          green moves now
          green is pushed from (3,1) to (3,2)
            green has 1 space left to go
          green is pushed from (3,2) to (3,3)
            green has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              A is asked for a boost
    """)


@pytest.mark.rule("CG-U14")
def test_the_siphons_booster_follows_from_the_push():
    play = board({RED: 30, GREEN: 31}, upgrades={RED: [SIPHON]}).ride(RED, 1, RIGHT)
    assert follows(play, "red hits green, which is pushed right by 1 space") == read("""
        red hits green, which is pushed right by 1 space
          red gets 1 booster (0 to 1)
          Kinetic Siphon is used
          red moves from (3,0) to (3,1)
          green moves now
          green is pushed from (3,1) to (3,2)
            green has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              A is asked for a boost
    """)


# Crew


@pytest.mark.rule("CG-U20")
def test_an_exchange_is_asked_for_because_of_the_pick_up():
    lost = {"blue pilot": 31, "green doctor": 70}
    play = board({RED: 30}, upgrades={RED: [AIRLOCK]}, lost=lost).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == read("""
        red is to move 2 spaces
          a movement begins: its card
            red moves now
            red heads right
            red travels 2 spaces at a time
            red has 2 spaces left to go
            red moves from (3,0) to (3,1)
              red has 1 space left to go
              1 crewmember is to be refilled
              red picks up the blue pilot from (3,1)
                red has gained crew in this turn
              the next question is about the blue pilot
                A is asked for an exchange
    """)
    other = Play(play.table.copy())
    assert follows(fresh(play).answer(EXCHANGE, "green doctor")) == read("""
        the blue pilot is dealt with
          red puts the blue pilot down on (7,0)
            red takes the green doctor from (7,0)
          red moves from (3,1) to (3,2)
            red has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              A is asked for the queue to refill from
    """)
    assert follows(other.answer(EXCHANGE, None)) == read("""
        the blue pilot is dealt with
          red moves from (3,1) to (3,2)
            red has 0 spaces left to go
          all saucers have come to rest
            the movement by its card is over
              A is asked for the queue to refill from
    """)


@pytest.mark.rule("CG-U20")
@pytest.mark.rule("CG-W4")
def test_who_may_be_passed_can_be_no_longer_when_put_down():
    lost = {"green pilot": 31, "green doctor": 70}
    play = board({RED: 30, GREEN: 41}, 2, upgrades={RED: [AIRLOCK]}, lost=lost).ride(RED, 1, RIGHT)
    assert follows(play, "red is to move 1 space") == read("""
        red is to move 1 space
          a movement begins: its card
            red moves now
            red heads right
            red travels 1 space at a time
            red has 1 space left to go
            red moves from (3,0) to (3,1)
              red has 0 spaces left to go
              1 crewmember is to be refilled
              red picks up the green pilot from (3,1)
                red has gained crew in this turn
                the green pilot may be passed to its own saucer
              the next question is about the green pilot
                A is asked for an exchange
    """)
    assert follows(fresh(play).answer(EXCHANGE, "green doctor")) == read("""
        the green pilot is dealt with
          red puts the green pilot down on (7,0)
            the green pilot can no longer be passed to its own saucer
            red takes the green doctor from (7,0)
              the green doctor may be passed to its own saucer
          all saucers have come to rest
            A is asked for the passing of crew
    """)


@pytest.mark.rule("CG-W4")
def test_partners_are_asked_when_the_movement_is_over():
    aboard = {RED: "green pilot, green doctor"}
    play = board({RED: 30, GREEN: 42}, 2, aboard=aboard).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == read("""
        red is to move 2 spaces
          a movement begins: its card
            red moves now
            red heads right
            red travels 2 spaces at a time
            red has 2 spaces left to go
            red moves from (3,0) to (3,1)
              red has 1 space left to go
            red moves from (3,1) to (3,2)
              red has 0 spaces left to go
              the green pilot may be passed to its own saucer
              the green doctor may be passed to its own saucer
            all saucers have come to rest
              A is asked for the passing of crew
    """)
    other = Play(play.table.copy())
    assert follows(fresh(play).answer(PASS, "green pilot"), "red passes the green pilot to green") == read("""
        red passes the green pilot to green
          the green pilot can no longer be passed to its own saucer
    """)
    assert follows(other.answer(PASS, None)) == read("""
        the green pilot can no longer be passed to its own saucer
          the green doctor can no longer be passed to its own saucer
          the movement by its card is over
            the turn of red is over
              red takes its card up (0-5>)
              the distance 2 is used up
              the next decision is B's
                B is asked for the saucer that goes first
    """)


@pytest.mark.rule("CG-W4")
def test_when_the_last_one_is_passed_the_turn_goes_on():
    play = board({RED: 30, GREEN: 42}, 2, aboard={RED: "green pilot, blue pilot", BLUE: "red pilot"})
    assert follows(fresh(play.ride(RED, 2, RIGHT)).answer(PASS, "green pilot")) == read("""
        red passes the green pilot to green
          the green pilot can no longer be passed to its own saucer
          the movement by its card is over
            the turn of red is over
              red takes its card up (0-5>)
              the distance 2 is used up
              the next decision is B's
                B is asked for the saucer that goes first
    """)


@pytest.mark.rule("CG-W4")
def test_the_other_one_is_asked_when_the_first_one_has_passed():
    """RED stops beside GREEN, BLUE is pushed past YELLOW."""
    aboard = {RED: "green pilot", BLUE: "yellow pilot"}
    play = board({RED: 20, GREEN: 32, BLUE: 22, YELLOW: 34}, 2, aboard=aboard).ride(RED, 3, RIGHT)
    assert follows(fresh(play).answer(PASS, "green pilot")) == read("""
        red passes the green pilot to green
          the green pilot can no longer be passed to its own saucer
          the next decision is B's
    """)


@pytest.mark.rule("CG-W4")
@pytest.mark.rule("CG-M3")
@pytest.mark.rule("CG-U16")
def test_who_stops_beside_its_partner_may_pass_because_of_that_step():
    """RED takes the space of BLUE, by a push or behind a mine."""
    position = {RED: 26, GREEN: 37, BLUE: 27}
    play = board(position, 2, aboard={RED: "green pilot"}).ride(RED, 3, RIGHT)
    assert follows(play, "red is to move 3 spaces") == read("""
        red is to move 3 spaces
          a movement begins: its card
            red moves now
            red heads right
            red travels 3 spaces at a time
            red has 3 spaces left to go
            red hits blue, which is pushed right by 3 spaces
              red moves from (2,6) to (2,7)
                the green pilot may be passed to its own saucer
              blue moves now
              blue crashes off the board from (2,7)
                saucers of others crashed in this turn: 1
                the crash of blue is to be rewarded
                blue has 0 spaces left to go
                all saucers have come to rest
                  A is asked for the passing of crew
    """)
    play = board(position, 2, aboard={RED: "green pilot"}, upgrades={RED: [MINES]}).ride(RED, 3, RIGHT)
    assert follows(fresh(play).answer(PUSH, 1)) == read("""
        red mines blue
          blue is crashed by a mine from (2,7)
            saucers of others crashed in this turn: 1
            the crash of blue is to be rewarded
          red moves from (2,6) to (2,7)
            the green pilot may be passed to its own saucer
          red has 0 spaces left to go
          all saucers have come to rest
            A is asked for the passing of crew
    """)


@pytest.mark.rule("CG-W5")
def test_the_crewmember_that_was_lacking_is_why_the_game_is_over():
    aboard = {RED: "red pilot, red engineer, red doctor"}
    play = board({RED: 30}, lost={"blue scientist": 31}, aboard=aboard).ride(RED, 2, RIGHT)
    assert follows(play, "red picks up the blue scientist from (3,1)") == read("""
        red picks up the blue scientist from (3,1)
          red has gained crew in this turn
          the game is over in round 1: A wins
            red has 0 spaces left to go
            nothing more is asked
    """)


# The end of a turn


@pytest.mark.rule("CG-R6")
@pytest.mark.rule("CG-M7")
def test_the_end_of_the_movement_asks_for_the_upgrades():
    play = board({RED: 33, GREEN: 0}, upgrades={RED: [CLOAK, AMPLIFIER]}, boosters={RED: 1}).ride(RED, 0, UP)
    assert follows(play, "all saucers have come to rest") == read("""
        all saucers have come to rest
          the movement by its card is over
            A is asked for a boost
    """)
    assert follows(fresh(play).answer(BOOST, None)) == read("""
        A is asked for an upgrade to use
    """)


@pytest.mark.rule("CG-R6")
def test_after_the_upgrades_the_turn_is_over():
    play = board({RED: 33, GREEN: 0}, upgrades={RED: [CLOAK]}).ride(RED, 0, UP)
    assert follows(play, "all saucers have come to rest") == read("""
        all saucers have come to rest
          the movement by its card is over
            A is asked for an upgrade to use
    """)
    assert follows(fresh(play).answer(END, None)) == read("""
        red uses no more upgrades in this turn
          the turn of red is over
            red takes its card up (0-5^)
            upgrades can be used again
            it is the turn of green
              green has turn 2 of this round
              green takes its card up (0-5^)
                green reveals 0-5^
                  the next decision is B's
                    B is asked for the distance
    """)


@pytest.mark.rule("CG-H1")
def test_a_purchase_from_energy_to_card():
    play = fresh(board({RED: 33}, energy={RED: 4}).ride(RED, 0, UP))
    play.answer(BUY, 1).answer(DRAW, CARGO_HOLD).answer(DRAW, QUAKE).answer(KEEP, CARGO_HOLD)
    assert follows(play) == read("""
        red pays 2 energy (4 to 2)
          chance is asked: a card from the deck
        Cargo Hold is drawn
        Quake Maker is drawn
          A is asked for the upgrade to keep
        red keeps Cargo Hold
          Quake Maker is discarded
          Cargo Hold works when this turn is over
          red gets 3 boosters (0 to 3)
          A is asked for a purchase
    """)
    assert follows(fresh(play).answer(BUY, 0), "red buys nothing more in this turn") == read("""
        red buys nothing more in this turn
          the turn of red is over
            Cargo Hold works from now on
            red takes its card up (0-5^)
            upgrades can be bought again
            it is the turn of green
              green has turn 2 of this round
              green is placed before its turn goes on, and its direction is free
              green is to be placed
                chance is asked: the placement die
    """)


@pytest.mark.rule("CG-H1")
def test_the_discards_are_shuffled_because_a_card_is_drawn():
    owned = {GREEN: [card for card in range(23) if card not in (QUAKE, MINES)]}
    play = fresh(board({RED: 33}, energy={RED: 2}, deck=[], upgrades=owned).ride(RED, 0, UP)).answer(BUY, 1)
    assert follows(play) == read("""
        red pays 2 energy (2 to 0)
          Proximity Mines is shuffled into the deck
          Quake Maker is shuffled into the deck
          chance is asked: a card from the deck
    """)


@pytest.mark.rule("CG-H1")
def test_the_discards_are_shuffled_because_the_last_card_of_the_deck_is_drawn():
    owned = {GREEN: [card for card in range(23) if card not in (QUAKE, MINES)]}
    play = board({RED: 33}, energy={RED: 2}, deck=[QUAKE], upgrades=owned).ride(RED, 0, UP)
    assert follows(play.answer(BUY, 1), "Quake Maker is drawn") == read("""
        Quake Maker is drawn
          Proximity Mines is shuffled into the deck
    """)


@pytest.mark.rule("CG-U2")
def test_two_saucers_swap_places_because_the_card_is_used():
    play = rested(WORMHOLE, {RED: 33, BLUE: 1, YELLOW: 2}, players=2, aboard={BLUE: "yellow pilot"})
    assert follows(play.answer(END, (WORMHOLE, BLUE))) == read("""
        Wormhole Generator is used
          a movement begins: a jump
          blue swaps places from (0,1) to (3,3)
          red swaps places from (3,3) to (0,1)
          the movement by a jump is over
            the turn of red is over
              Wormhole Generator can be used again
              red takes its card up (0-5^)
              the next decision is B's
                B is asked for the saucer that goes first
    """)
    play = rested(WORMHOLE, {RED: 3, BLUE: 1, YELLOW: 2}, players=2, aboard={BLUE: "yellow pilot"})
    play = play.answer(END, (WORMHOLE, BLUE))
    assert follows(play) == read("""
        Wormhole Generator is used
          a movement begins: a jump
          blue swaps places from (0,1) to (0,3)
            the yellow pilot may be passed to its own saucer
          red swaps places from (0,3) to (0,1)
          the next decision is B's
            B is asked for the passing of crew
    """)


@pytest.mark.rule("CG-U3")
@pytest.mark.rule("CG-U6")
@pytest.mark.rule("CG-U23")
def test_a_jump_follows_from_the_card():
    play = rested(AFTERBURNER, {RED: 33, GREEN: 45}, players=2, aboard={RED: "green pilot"})
    assert follows(play.answer(END, (AFTERBURNER, 35))) == read("""
        Afterburner is used
          a movement begins: a jump
          red jumps from (3,3) to (3,5)
            the green pilot may be passed to its own saucer
          A is asked for the passing of crew
    """)


@pytest.mark.rule("CG-U4")
@pytest.mark.rule("CG-U14")
def test_the_pulse_pushes_because_the_card_is_used():
    play = fresh(board({RED: 30, GREEN: 33}, upgrades={RED: [PULSE_CANNON, SIPHON]}).ride(RED, 0, UP))
    assert follows(play.answer(END, (PULSE_CANNON, GREEN))) == read("""
        Pulse Cannon is used
          red gets 1 booster (0 to 1)
          Kinetic Siphon is used
          a movement begins: Pulse Cannon
            green moves now
            green heads right
            green travels 1 space at a time
            green has 1 space left to go
            green is pushed from (3,3) to (3,4)
              green has 0 spaces left to go
            all saucers have come to rest
              the movement by Pulse Cannon is over
                the turn of red is over
                  Pulse Cannon can be used again
                  Kinetic Siphon can be used again
                  red takes its card up (0-5^)
                  it is the turn of green
                    green has turn 2 of this round
                    green takes its card up (0-5^)
                      green reveals 0-5^
                        the next decision is B's
                          B is asked for the distance
    """)


@pytest.mark.rule("CG-U17")
def test_landing_legs_move_because_the_card_is_used():
    play = rested(LANDING_LEGS, {RED: 30})
    assert follows(play.answer(END, (LANDING_LEGS, RIGHT))) == read("""
        Landing Legs is used
          a movement begins: Landing Legs
            red moves now
            red heads right
            red travels 1 space at a time
            red has 1 space left to go
            red moves from (3,0) to (3,1)
              red has 0 spaces left to go
            all saucers have come to rest
              the movement by Landing Legs is over
                the turn of red is over
                  Landing Legs can be used again
                  red takes its card up (0-5^)
                  it is the turn of green
                    green has turn 2 of this round
                    green is placed before its turn goes on, and its direction is free
                    green is to be placed
                      chance is asked: the placement die
    """)


@pytest.mark.rule("CG-U5")
def test_the_beam_takes_a_crewmember_because_the_card_is_used():
    play = rested(TRACTOR_BEAM, {RED: 30}, lost={"blue pilot": 31})
    assert follows(play.answer(END, (TRACTOR_BEAM, 8))) == read("""
        Tractor Beam is used
          1 crewmember is to be refilled
            A is asked for the queue to refill from
          red picks up the blue pilot from (3,1)
            red has gained crew in this turn
    """)


@pytest.mark.rule("CG-U5")
@pytest.mark.rule("CG-W3")
def test_where_nobody_waits_the_beam_ends_the_turn():
    others = [name for name in map(crew_name, range(24)) if name != "blue pilot"]
    play = rested(TRACTOR_BEAM, {RED: 30, GREEN: 0}, lost={"blue pilot": 31}, gone=others)
    assert follows(play.answer(END, (TRACTOR_BEAM, 8))) == read("""
        Tractor Beam is used
          1 crewmember is to be refilled
          red picks up the blue pilot from (3,1)
            red has gained crew in this turn
          the turn of red is over
            Tractor Beam can be used again
            red takes its card up (0-5^)
            0 crewmembers are to be refilled
            gains of crew are counted anew
            it is the turn of green
              green has turn 2 of this round
              green takes its card up (0-5^)
                green reveals 0-5^
                  the next decision is B's
                    B is asked for the distance
    """)


@pytest.mark.rule("CG-U6")
def test_the_teleporter_takes_a_saucer_out_of_its_cloak():
    play = board({RED: 33, GREEN: 0}, upgrades={RED: [TELEPORTER, CLOAK]}).ride(RED, 0, UP).answer(END, (CLOAK, 0))
    assert follows(fresh(play).answer(END, (TELEPORTER, 71))) == read("""
        Saucer Teleporter is used
          a movement begins: a jump
          red comes back on (7,1)
          nobody is cloaked any more
          the movement by a jump is over
            the turn of red is over
              Saucer Teleporter can be used again
              Cloaking Device can be used again
              red takes its card up (0-5^)
              it is the turn of green
                green has turn 2 of this round
                green takes its card up (0-5^)
                  green reveals 0-5^
                    the next decision is B's
                      B is asked for the distance
    """)


@pytest.mark.rule("CG-U7")
def test_the_cloak_takes_the_saucer_off_the_board():
    play = rested(CLOAK, {RED: 30})
    assert follows(play.answer(END, (CLOAK, 0))) == read("""
        Cloaking Device is used
          red cloaks itself and leaves the board from (3,0)
          red is off the board without a crash
          the turn of red is over
            Cloaking Device can be used again
            red takes its card up (0-5^)
            nobody is cloaked any more
            it is the turn of green
              green has turn 2 of this round
              green is placed before its turn goes on, and its direction is free
              green is to be placed
                chance is asked: the placement die
    """)


@pytest.mark.rule("CG-U11")
def test_crew_is_swapped_because_the_card_is_used():
    play = rested(DISTRESS, {RED: 30, GREEN: 0}, aboard={RED: "green pilot", GREEN: "red pilot"})
    assert follows(play.answer(END, (DISTRESS, 4))) == read("""
        Distress Signaler is used
          red swaps the green pilot to green
          green swaps the red pilot to red
            red has gained crew in this turn
          the turn of red is over
            Distress Signaler can be used again
            red takes its card up (0-5^)
            gains of crew are counted anew
            it is the turn of green
              green has turn 2 of this round
              green takes its card up (0-5^)
                green reveals 0-5^
                  the next decision is B's
                    B is asked for the distance
    """)


@pytest.mark.rule("CG-U18")
def test_all_on_a_tile_turns_because_the_card_is_used():
    """RED stands on site 1 and the blue pilot on site 2 of an otherwise plain tile in the upper left corner."""
    play = board({RED: 1, GREEN: 77}, upgrades={RED: [QUAKE]}, sites={1: 1, 2: 12}, lost={"blue pilot": 12})
    tables.lay_tile(play.table, 0, 0, 0)
    play.ride(RED, 0, UP).answer(END, (QUAKE, 2))
    assert follows(play, "Quake Maker is used") == read("""
        Quake Maker is used
          tile 1 is turned by 180 degrees clockwise
          (0,1) has nothing special now
          (1,2) has nothing special now
          (1,3) has crash site 2 now
          (2,0) has nothing special now
          (2,1) has crash site 3 now
          (3,2) has crash site 1 now
          red is turned with its tile from (0,1) to (3,2)
          the blue pilot is turned with its tile from (1,2) to (2,1)
          the turn of red is over
            Quake Maker can be used again
            red takes its card up (0-5^)
            it is the turn of green
              green has turn 2 of this round
              green takes its card up (0-5^)
                green reveals 0-5^
                  the next decision is B's
                    B is asked for the distance
    """)
