"""What causes what in Crash by Crash, from the rules text alone; the mark says whose causes a test proves."""

import pytest
from crash_by_crash_positions import *
from trace_causes import outline, read

from crashlab.engine.chance import Random
from crashlab.engine.options import settle
from crashlab.engine.table import Row, Trace
from crashlab.games.crash_by_crash import state as tables
from crashlab.games.crash_by_crash import text
from crashlab.games.crash_by_crash.state import *

STROLL = walk(W, W)  # the operator, in his corner, meets nobody


def follows(play, *roots):
    """What follows from the events with these words, or from everything that is decided."""
    return outline(text, play.table, list(map(Row._make, play.trace.rows)), *roots)


def after(kind, *rows, **more):
    """A turn in which this card has been played; its trace begins with the second action."""
    play = board(*rows, hands={0: [kind]}, **more).do(card(kind))
    play.trace = Trace()
    return play


# Set-up


@pytest.mark.rule("CB-S2")
@pytest.mark.rule("CB-T1")
def test_each_car_hands_the_set_up_on_and_the_eighth_begins_the_first_turn():
    play = Play(tables.set_up(settle(tables.OPTIONS, {}), Random(1)))
    while play.table.turn[0] == 0:
        if sum(spot >= 0 for spot in play.table.cell[:22]) == 6:
            play.trace = Trace()
        play.do(play.actions()[0])
    assert follows(play) == read("""
        a blue car is placed on 3.2
          B places the next car
        an orange car is placed on 3.5
          the first cars stand on 7 (blue) and 8 (orange); the lower sum begins
            it is the turn of A
            turn 1 begins
              an action is asked for
    """)


# Actions


@pytest.mark.rule("CB-P1")
@pytest.mark.rule("CB-P2")
@pytest.mark.rule("CB-T1")
def test_a_hit_follows_from_the_car_that_is_placed():
    play = board("7,2: . b").do(car((7, 2), E, batteries=1))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          blue uses 1 battery (4 to 3)
          a blue car is placed on 7.2
            an orange car is pushed from 7.3 to 7.4
              an orange car is pushed from 7.4 to 7.5
          one action is done
    """)


@pytest.mark.rule("CB-T2")
@pytest.mark.rule("CB-T4")
def test_a_second_car_costs_points_because_it_is_the_second():
    play = board("7,2: . b", placed=1, acted=1).do(car((7, 2), E))
    assert follows(play) == read("""
        A places a car, number 2 in this turn
          blue pays 4 points (10 to 6)
          a blue car is placed on 7.2
            an orange car is pushed from 7.3 to 7.4
          both actions are done
          the turn is at its end
          it is the turn of B
          turn 9 begins
            two actions are to be done
            cars placed are counted anew
    """)


@pytest.mark.rule("CB-P3")
@pytest.mark.rule("CB-P5")
def test_the_hit_is_handed_on_by_the_car_that_meets_another():
    play = board("7,8: . b . b").do(car((7, 8), E, batteries=2))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          blue uses 2 batteries (4 to 2)
          a blue car is placed on 7.8
            an orange car is pushed from 7.9 to 7.10
              the car on 7.10 hits the one on 7.11, which has 2 cells to go
                an orange car falls off from 7.11
                  blue gets 2 points (10 to 12)
          one action is done
    """)


@pytest.mark.rule("CB-P4")
def test_the_operator_stops_a_hit():
    play = board("7,2: . b . o").do(car((7, 2), E, batteries=2))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          blue uses 2 batteries (4 to 2)
          a blue car is placed on 7.2
            an orange car is pushed from 7.3 to 7.4
              the operator on 7.5 stops the car on 7.4
          one action is done
    """)


@pytest.mark.rule("CB-P6")
@pytest.mark.rule("CB-E1")
@pytest.mark.rule("CB-E2")
@pytest.mark.rule("CB-F3")
@pytest.mark.rule("CB-F5")
def test_a_scoring_follows_from_the_bell_and_that_from_the_car():
    """Whatever the scoring brings follows from it: the counting, the points, and the flower that leaves."""
    rows = ("7,0: . b . *", "6,3: o", "9,9: b")
    play = board(*rows, values={(7, 3): 2, (9, 9): 1}).do(car((7, 0), E, batteries=2))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          blue uses 2 batteries (4 to 2)
          a blue car is placed on 7.0
            an orange car is pushed from 7.1 to 7.2
              an orange car is pushed from 7.2 to 7.3
                the bell on 7.3 rings
                  scoring 1 of 7 begins
                    scorings in this turn: 1
                    a blue car on 14.0 scores 0, in all 0 points
                    a blue car on 7.0 scores 0, in all 0 points
                    an orange car on 7.3 scores 2, in all 2 points
                    an orange car on 9.9 scores 1, in all 3 points
                    orange gets 3 points (10 to 13)
                    the bell from 7.3 goes to the scoring card
                    an orange car goes home with the flower from 7.3
                    the operator stays where the flower round 7.3 was
                    the flower round 7.3 leaves the game, and there is a hole
                the car that rings on 7.3 loses 1 cell of its way
          one action is done
    """)


@pytest.mark.rule("CB-M1")
@pytest.mark.rule("CB-M3")
def test_pulls_follow_from_the_action():
    play = board("7,0: a . . . B . b", "9,9: b").do(magnet((7, 2)))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          the blue magnetic car is placed on 7.2
          a blue car is pulled by a magnet from 7.0 to 7.1
          an orange car is pulled by a magnet from 7.6 to 7.5
          the orange magnetic car is pulled by a magnet from 7.4 to 7.3
          one action is done
    """)


@pytest.mark.rule("CB-M3")
@pytest.mark.rule("CB-E3")
def test_a_bell_onto_which_a_magnet_pulls_rings_because_of_the_pull():
    play = board("7,1: A * b", "11,1: a b").do(STROLL)
    assert follows(play) == read("""
        the operator sets out from 0.12, for 2 cells
          the operator goes from 0.12 to 0.11
          the operator goes from 0.11 to 0.10
          an orange car is pulled by a magnet from 7.3 to 7.2
            the bell on 7.2 rings
              scoring 1 of 7 begins
                scorings in this turn: 1
                a blue car on 11.1 scores 0, in all 0 points
                the blue magnetic car on 7.1 scores 0, in all 0 points
                an orange car on 7.2 scores 0, in all 0 points
                an orange car on 11.2 scores 0, in all 0 points
                the bell from 7.2 goes to the scoring card
                an orange car goes home with the flower from 7.2
                the flower round 7.3 leaves the game, and there is a hole
          one action is done
    """)


@pytest.mark.rule("CB-O1")
@pytest.mark.rule("CB-O2")
def test_steps_and_pushes_follow_from_the_operators_walk():
    play = board("7,0: o b a . .", "9,9: b").do(walk(E, E, NW, NW))
    assert follows(play) == read("""
        the operator sets out from 7.0, for 4 cells
          blue pays 2 points (10 to 8)
          a blue car is pushed by the operator from 7.2 to 7.3
          an orange car is pushed by the operator from 7.1 to 7.2
          the operator goes from 7.0 to 7.1
          a blue car is pushed by the operator from 7.3 to 7.4
          an orange car is pushed by the operator from 7.2 to 7.3
          the operator goes from 7.1 to 7.2
          the operator goes from 7.2 to 6.2
          the operator goes from 6.2 to 5.1
          one action is done
    """)


@pytest.mark.rule("CB-O2")
@pytest.mark.rule("CB-O3")
def test_points_follow_from_the_car_that_falls_off():
    play = board("4,10: o b b", "9,9: b").do(walk(E, E))
    assert follows(play) == read("""
        the operator sets out from 4.10, for 2 cells
          an orange car falls off from 4.12
            blue gets 2 points (10 to 12)
          an orange car is pushed by the operator from 4.11 to 4.12
          the operator goes from 4.10 to 4.11
          an orange car falls off from 4.12
            blue gets 2 points (12 to 14)
          the operator goes from 4.11 to 4.12
          one action is done
    """)


@pytest.mark.rule("CB-T1")
def test_an_exchange_owes_cards_and_each_card_that_is_drawn_follows_from_its_choice():
    play = board(hands={0: [LAMBADA, LAMBADA, SABOTEUR]}, display=[BELL_CHARMS, FLYING_DUTCHMAN, DOUBLE_HIT])
    play.do(exchange(SABOTEUR, LAMBADA), TAKE + DOUBLE_HIT, TAKE + FROM_PILE, TURN_UP + TANDEM)
    assert follows(play) == read("""
        A discards Lambada
          A has 2 cards in hand
          Lambada goes to the discards
          A discards Saboteur
            A has 1 card in hand
            Saboteur goes to the discards
          A is to draw 2 cards
          one action is done
          a card to draw is asked for
        Double Hit is no longer face up
          A takes Double Hit
            A has 2 cards in hand
            A is to draw 1 card
        chance brings a card from the pile
        A draws Tandem from the pile
          A has 3 cards in hand
          no more cards are to be drawn
          an action is asked for
    """)


@pytest.mark.rule("CB-T1")
def test_a_forfeited_action_is_an_action():
    play = board("7,2: a b", acted=1)
    play.apply(FORFEIT)
    assert follows(play) == read("""
        A can do nothing and forfeits the action
          both actions are done
          the turn is at its end
          it is the turn of B
          turn 9 begins
            two actions are to be done
    """)


@pytest.mark.rule("CB-O3")
def test_the_operator_comes_into_a_hole_by_his_walk_and_out_of_it():
    play = board("7,1: o", gone=(11,)).go((7, 3), (7, 5))
    assert follows(play) == read("""
        the operator sets out from 7.1, for 2 cells
          the operator goes from 7.1 into the hole at 7.3
          the operator goes out of the hole at 7.3 to 7.5
          one action is done
    """)


# Cards


@pytest.mark.rule("CB-K1")
def test_a_bell_is_moved_by_the_card():
    play = board("7,2: *", hands={0: [BELL_CHARMS]}).do(card(BELL_CHARMS, (7, 2), (7, 3)))
    assert follows(play) == read("""
        A plays Bell Charms
          A has 2 cards in hand
          Bell Charms goes to the discards
          the bell moves from 7.2 to 7.3
          one action is done
    """)


@pytest.mark.rule("CB-K2")
def test_two_cars_swap_because_of_the_card():
    play = board("7,2: a b", hands={0: [LAMBADA]}).do(swap((7, 2), (7, 3)))
    assert follows(play, "A plays Lambada") == read("""
        A plays Lambada
          A has 2 cards in hand
          Lambada goes to the discards
          a blue car changes places and goes from 7.2 to 7.3
          an orange car changes places and goes from 7.3 to 7.2
          one action is done
    """)


@pytest.mark.rule("CB-K3")
@pytest.mark.rule("CB-E1")
def test_a_car_rides_because_of_the_card_and_rings():
    play = board("7,1: a *", "9,9: b", hands={0: [FREE_RIDE]}).do(card(FREE_RIDE, (7, 1), (7, 2)))
    assert follows(play, "A plays Free Ride") == read("""
        A plays Free Ride
          A has 2 cards in hand
          Free Ride goes to the discards
          a blue car rides from 7.1 to 7.2
            the bell on 7.2 rings
              scoring 1 of 7 begins
                scorings in this turn: 1
                a blue car on 7.2 scores 0, in all 0 points
                an orange car on 9.9 scores 0, in all 0 points
                the bell from 7.2 goes to the scoring card
                a blue car goes home with the flower from 7.2
                the flower round 7.3 leaves the game, and there is a hole
          one action is done
          the game is over: a draw, 10 to 10
    """)


@pytest.mark.rule("CB-K4")
def test_a_car_is_sent_home_by_the_card():
    play = board("7,2: a b", "9,9: b", hands={0: [SABOTEUR]}).do(card(SABOTEUR, (7, 3)))
    assert follows(play, "A plays Saboteur") == read("""
        A plays Saboteur
          A has 2 cards in hand
          Saboteur goes to the discards
          an orange car is sent home from 7.3
          one action is done
    """)


@pytest.mark.rule("CB-K5")
def test_the_operator_flies_because_of_the_card():
    play = board(hands={0: [FLYING_DUTCHMAN]}).do(card(FLYING_DUTCHMAN, (7, 3)))
    assert follows(play, "A plays Flying Dutchman") == read("""
        A plays Flying Dutchman
          A has 2 cards in hand
          Flying Dutchman goes to the discards
          the operator flies from 0.12 to 7.3
          one action is done
    """)


@pytest.mark.rule("CB-K6")
def test_a_battery_and_the_ban_are_the_cards_and_the_ban_ends_with_its_turn():
    play = board(hands={0: [DEAD_ACCUMULATOR]}).do(card(DEAD_ACCUMULATOR))
    assert follows(play, "A plays Dead Accumulator") == read("""
        A plays Dead Accumulator
          A has 2 cards in hand
          Dead Accumulator goes to the discards
          orange loses 1 battery (4 to 3)
          orange may use no batteries in its next turn
          one action is done
    """)
    play = board()
    play.table.banned[0] = 1
    play.do(STROLL, walk(W, W))
    assert follows(play) == read("""
        the operator sets out from 0.12, for 2 cells
          the operator goes from 0.12 to 0.11
          the operator goes from 0.11 to 0.10
          one action is done
        the operator sets out from 0.10, for 2 cells
          the operator goes from 0.10 to 0.9
          the operator goes from 0.9 to 0.8
          both actions are done
          the turn is at its end
          blue may use batteries again
          it is the turn of B
          turn 9 begins
            two actions are to be done
    """)


@pytest.mark.rule("CB-K7")
def test_a_powerless_bell_leaves_the_flower_because_of_the_scoring():
    play = board("7,0: . b *", "9,9: b", hands={0: [POWERLESS_BELL]})
    play.do(card(POWERLESS_BELL), car((7, 0), E))
    assert follows(play) == read("""
        A plays Powerless Bell
          A has 2 cards in hand
          Powerless Bell goes to the discards
          the second action must bring a scoring, changed by Powerless Bell
          one action is done
        A places a car, number 1 in this turn
          a blue car is placed on 7.0
            an orange car is pushed from 7.1 to 7.2
              the bell on 7.2 rings
                scoring 1 of 7 begins
                  scorings in this turn: 1
                  a blue car on 14.0 scores 0, in all 0 points
                  a blue car on 7.0 scores 0, in all 0 points
                  an orange car on 7.2 scores 0, in all 0 points
                  an orange car on 9.9 scores 0, in all 0 points
                  the bell from 7.2 goes to the scoring card
                  the flower round 7.3 stays, with the cars on it
          both actions are done
          the turn is at its end
          A is to draw 1 card
          a card to draw is asked for
    """)


@pytest.mark.rule("CB-K8")
def test_a_shady_exception_counts_other_values_in_the_scoring():
    play = after(SHADY_EXCEPTION, "7,0: . b *", "9,9: b").do(car((7, 0), E))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          a blue car is placed on 7.0
            an orange car is pushed from 7.1 to 7.2
              the bell on 7.2 rings
                scoring 1 of 7 begins
                  scorings in this turn: 1
                  a blue car on 14.0 scores 3, in all 3 points
                  a blue car on 7.0 scores 3, in all 6 points
                  an orange car on 7.2 scores 3, in all 3 points
                  an orange car on 9.9 scores 3, in all 6 points
                  blue gets 6 points (10 to 16)
                  orange gets 6 points (10 to 16)
                  the bell from 7.2 goes to the scoring card
                  an orange car goes home with the flower from 7.2
                  the flower round 7.3 leaves the game, and there is a hole
          both actions are done
          the turn is at its end
          A is to draw 1 card
          a card to draw is asked for
    """)


@pytest.mark.rule("CB-K9")
def test_both_hits_follow_from_the_car_that_is_placed():
    play = after(DOUBLE_HIT, "7,3: a . b").do(car((7, 4), E, W))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          a blue car is placed on 7.4
            an orange car is pushed from 7.5 to 7.6
            a blue car is pushed from 7.3 to 7.2
          both actions are done
          the turn is at its end
          A is to draw 1 card
          a card to draw is asked for
    """)


@pytest.mark.rule("CB-K10")
def test_a_racket_flies_step_by_step_and_hits_with_what_is_left():
    play = after(CAR_RACKET, "7,2: . b . . b").do(car((7, 2), E))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          a blue car is placed on 7.2
            an orange car is pushed from 7.3 to 7.4
              an orange car is pushed from 7.4 to 7.5
                the car on 7.5 hits the one on 7.6, which has 1 cell to go
                  an orange car is pushed from 7.6 to 7.7
          both actions are done
          the turn is at its end
          A is to draw 1 card
          a card to draw is asked for
    """)


@pytest.mark.rule("CB-K11")
def test_both_cars_of_a_tandem_follow_from_the_car_that_is_placed():
    play = after(TANDEM, "7,1: . a b").do(car((7, 1), E))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          a blue car is placed on 7.1
            an orange car is pushed from 7.3 to 7.4
            a blue car is pushed from 7.2 to 7.3
          both actions are done
          the turn is at its end
          A is to draw 1 card
          a card to draw is asked for
    """)
    play = after(TANDEM, "7,1: . b o").do(car((7, 1), E))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          a blue car is placed on 7.1
            the operator on 7.3 stops the car on 7.2
          both actions are done
          the turn is at its end
          A is to draw 1 card
          a card to draw is asked for
    """)


@pytest.mark.rule("CB-K12")
def test_expansion_places_a_car_that_hits_nobody():
    play = after(EXPANSION).do(car((7, 4)))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          a blue car is placed on 7.4
          both actions are done
          the turn is at its end
          A is to draw 1 card
          a card to draw is asked for
    """)


@pytest.mark.rule("CB-K13")
def test_the_reaction_follows_from_the_car_that_is_placed():
    play = after(ACTION_AND_REACTION, "7,3: . b").do(car((7, 3), E))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          a blue car is placed on 7.3
            an orange car is pushed from 7.4 to 7.5
            a blue car is pushed from 7.3 to 7.2
          both actions are done
          the turn is at its end
          A is to draw 1 card
          a card to draw is asked for
    """)


# The end of a turn and of the game


@pytest.mark.rule("CB-T4")
def test_cards_are_drawn_because_two_actions_are_done_and_the_pile_is_made_when_a_card_is_asked_of_it():
    hands = {0: [LAMBADA, LAMBADA, SABOTEUR], 1: [DEAD_ACCUMULATOR] * 3}
    play = board("7,4: a b", hands=hands, display=[BELL_CHARMS, FLYING_DUTCHMAN, DOUBLE_HIT], discards="all")
    play.do(swap((7, 4), (7, 5)))
    play.trace = Trace()
    play.do(swap((7, 4), (7, 5)))
    assert follows(play) == read("""
        A plays Lambada
          A has 1 card in hand
          Lambada goes to the discards
          an orange car changes places and goes from 7.4 to 7.5
          a blue car changes places and goes from 7.5 to 7.4
          both actions are done
          the turn is at its end
          A is to draw 2 cards
          a card to draw is asked for
    """)
    play.trace = Trace()
    play.do(TAKE + FROM_PILE, TURN_UP + TANDEM, TAKE + DOUBLE_HIT, TURN_UP + TANDEM)
    assert follows(play) == read("""
        chance brings a card from the pile
          shuffled into the pile: 2 discarded cards Bell Charms
          shuffled into the pile: 3 discarded cards Lambada
          shuffled into the pile: 3 discarded cards Free Ride
          shuffled into the pile: 2 discarded cards Saboteur
          shuffled into the pile: 2 discarded cards Flying Dutchman
          shuffled into the pile: 3 discarded cards Powerless Bell
          shuffled into the pile: 3 discarded cards Shady Exception
          shuffled into the pile: 2 discarded cards Double Hit
          shuffled into the pile: 3 discarded cards Car-Racket
          shuffled into the pile: 3 discarded cards Tandem
          shuffled into the pile: 3 discarded cards Expansion Unlimited
          shuffled into the pile: 3 discarded cards Action and Reaction
        A draws Tandem from the pile
          A has 2 cards in hand
          A is to draw 1 card
          a card to draw is asked for
        Double Hit is no longer face up
          A takes Double Hit
            A has 3 cards in hand
            no more cards are to be drawn
            chance brings a card that is turned face up
        Tandem is turned face up
          it is the turn of B
          turn 9 begins
            two actions are to be done
            an action is asked for
    """)


@pytest.mark.rule("CB-V1")
def test_of_two_cards_one_is_kept():
    play = board(players=4, acted=1, hands={0: [LAMBADA, LAMBADA]}, full=False).do(STROLL)
    play.do(TURN_UP + TANDEM, TURN_UP + EXPANSION, DISCARD + TANDEM)
    assert follows(play) == read("""
        the operator sets out from 0.12, for 2 cells
          the operator goes from 0.12 to 0.11
          the operator goes from 0.11 to 0.10
          both actions are done
          the turn is at its end
          A is to draw 1 card
          chance brings a card from the pile
        A draws Tandem
        A draws Expansion Unlimited
          a card for the discards is asked for
        A keeps the other card, not Tandem
          drawn card 1 is cleared away
            drawn card 2 is cleared away
            Tandem goes to the discards
            A draws Expansion Unlimited from the pile
              A has 3 cards in hand
              no more cards are to be drawn
              it is the turn of B
              turn 9 begins
                two actions are to be done
                an action is asked for
    """)


@pytest.mark.rule("CB-T4")
@pytest.mark.rule("CB-V1")
def test_the_pile_is_made_for_the_second_card_because_of_the_first():
    play = board(players=4, acted=1, hands={0: [LAMBADA, LAMBADA]}, full=False, discards="all")
    play.table.discards[TANDEM] -= 1
    play.do(STROLL, TURN_UP + TANDEM)
    assert follows(play, "A draws Tandem") == read("""
        A draws Tandem
          shuffled into the pile: 3 discarded cards Bell Charms
          shuffled into the pile: 1 discarded card Lambada
          shuffled into the pile: 3 discarded cards Free Ride
          shuffled into the pile: 3 discarded cards Saboteur
          shuffled into the pile: 3 discarded cards Flying Dutchman
          shuffled into the pile: 3 discarded cards Dead Accumulator
          shuffled into the pile: 3 discarded cards Powerless Bell
          shuffled into the pile: 3 discarded cards Shady Exception
          shuffled into the pile: 3 discarded cards Double Hit
          shuffled into the pile: 3 discarded cards Car-Racket
          shuffled into the pile: 2 discarded cards Tandem
          shuffled into the pile: 3 discarded cards Expansion Unlimited
          shuffled into the pile: 3 discarded cards Action and Reaction
    """)


@pytest.mark.rule("CB-T1")
def test_the_turn_that_begins_takes_back_what_counted_in_the_last_one():
    play = after(SHADY_EXCEPTION, "7,0: . b *", "9,9: b").do(car((7, 0), E)).draws()
    assert follows(play, "turn 9 begins") == read("""
        turn 9 begins
          two actions are to be done
          cars placed are counted anew
          scorings are counted anew
          any action may follow again
          an action is asked for
    """)


@pytest.mark.rule("CB-E4")
def test_the_game_is_over_because_of_the_seventh_scoring():
    play = board("7,0: . b *", "9,9: b", scorings=6).do(car((7, 0), E))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          a blue car is placed on 7.0
            an orange car is pushed from 7.1 to 7.2
              the bell on 7.2 rings
                scoring 7 of 7 begins
                  scorings in this turn: 1
                  a blue car on 14.0 scores 0, in all 0 points
                  a blue car on 7.0 scores 0, in all 0 points
                  an orange car on 7.2 scores 0, in all 0 points
                  an orange car on 9.9 scores 0, in all 0 points
                  the bell from 7.2 goes to the scoring card
                  an orange car goes home with the flower from 7.2
                  the flower round 7.3 leaves the game, and there is a hole
                  the game is over: a draw, 10 to 10
          one action is done
    """)


@pytest.mark.rule("CB-E4")
def test_the_game_is_over_because_of_the_action_that_leaves_a_side_without_cars():
    play = board("7,2: a b", corners=False, hands={0: [SABOTEUR]}).do(card(SABOTEUR, (7, 3)))
    assert follows(play) == read("""
        A plays Saboteur
          A has 2 cards in hand
          Saboteur goes to the discards
          an orange car is sent home from 7.3
          one action is done
          the game is over: a draw, 10 to 10
    """)


@pytest.mark.rule("CB-E3")
def test_a_bell_after_the_seventh_scoring_is_not_scored():
    """Two bells ring in one action, and the first one's scoring is the last."""
    play = after(DOUBLE_HIT, "7,3: * a . b *", "11,1: b", edition="english", scorings=6).do(car((7, 5), E, W))
    assert follows(play) == read("""
        A places a car, number 1 in this turn
          a blue car is placed on 7.5
            an orange car is pushed from 7.6 to 7.7
              the bell on 7.7 rings
                scoring 7 of 7 begins
                  scorings in this turn: 1
                  a blue car on 7.3 scores 0, in all 0 points
                  a blue car on 7.5 scores 0, in all 0 points
                  an orange car on 7.7 scores 0, in all 0 points
                  an orange car on 11.1 scores 0, in all 0 points
                  the bell from 7.7 goes to the scoring card
                  an orange car goes home with the flower from 7.7
                  the flower round 7.8 leaves the game, and there is a hole
                  the game is over: a draw, 10 to 10
            a blue car is pushed from 7.4 to 7.3
              the bell on 7.3 rings
                the bell on 7.3 is not scored any more
          both actions are done
    """)


@pytest.mark.rule("CB-E5")
def test_the_last_turn_is_why_the_game_is_over():
    play = board(turn=8, turn_limit=8, acted=1).do(STROLL)
    assert follows(play) == read("""
        the operator sets out from 0.12, for 2 cells
          the operator goes from 0.12 to 0.11
          the operator goes from 0.11 to 0.10
          both actions are done
          the turn is at its end
          the game is over: a draw, 10 to 10
    """)
