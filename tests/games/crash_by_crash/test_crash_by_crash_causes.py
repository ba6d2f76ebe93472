"""Causes in Crash by Crash, from the rules text alone; the mark names the rules whose causes a test proves."""

from functools import partial

import pytest
import trace_causes
from crash_by_crash_positions import *

from crashlab.engine.chance import Random
from crashlab.engine.options import settle
from crashlab.engine.table import Trace
from crashlab.games.crash_by_crash import state as tables
from crashlab.games.crash_by_crash import text
from crashlab.games.crash_by_crash.state import *

STROLL = walk(W, W)  # the operator, in his corner, meets no car


follows = partial(trace_causes.follows, text)


def after(kind, *rows, **more):
    """Return a turn in which this card has been played, with a trace from the second action on."""
    play = board(*rows, hands={0: [kind]}, **more).do(card(kind))
    play.trace = Trace()
    return play


# Set-up


@pytest.mark.rule("CB-S2")
@pytest.mark.rule("CB-T1")
def test_each_car_hands_the_set_up_on_and_the_eighth_begins_the_first_turn(outlines):
    play = Play(tables.set_up(settle(tables.OPTIONS, {}), Random(1)))
    while play.table.turn[0] == 0:
        if sum(spot >= 0 for spot in play.table.cell[:22]) == 6:
            play.trace = Trace()
        play.do(play.actions()[0])
    assert follows(play) == next(outlines)


# Actions


@pytest.mark.rule("CB-P1")
@pytest.mark.rule("CB-P2")
@pytest.mark.rule("CB-T1")
def test_a_hit_follows_from_the_car_that_is_placed(outlines):
    play = board("7,2: . b").do(car((7, 2), E, batteries=1))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-T2")
@pytest.mark.rule("CB-T4")
def test_a_second_car_costs_points_because_it_is_the_second(outlines):
    play = board("7,2: . b", placed=1, acted=1).do(car((7, 2), E))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-P3")
@pytest.mark.rule("CB-P5")
def test_the_hit_is_handed_on_by_the_car_that_meets_another(outlines):
    play = board("7,8: . b . b").do(car((7, 8), E, batteries=2))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-P4")
def test_the_operator_stops_a_hit(outlines):
    play = board("7,2: . b . o").do(car((7, 2), E, batteries=2))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-P6")
@pytest.mark.rule("CB-E1")
@pytest.mark.rule("CB-E2")
@pytest.mark.rule("CB-F3")
@pytest.mark.rule("CB-F5")
def test_a_scoring_follows_from_the_bell_and_that_from_the_car(outlines):
    """The counting, the points and the flower that leaves all follow from the scoring."""
    rows = ("7,0: . b . *", "6,3: o", "9,9: b")
    play = board(*rows, values={(7, 3): 2, (9, 9): 1}).do(car((7, 0), E, batteries=2))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-M1")
@pytest.mark.rule("CB-M3")
def test_pulls_follow_from_the_action(outlines):
    play = board("7,0: a . . . B . b", "9,9: b").do(magnet((7, 2)))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-M3")
@pytest.mark.rule("CB-E3")
def test_a_bell_onto_which_a_magnet_pulls_rings_because_of_the_pull(outlines):
    play = board("7,1: A * b", "11,1: a b").do(STROLL)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-O1")
@pytest.mark.rule("CB-O2")
def test_steps_and_pushes_follow_from_the_operators_walk(outlines):
    play = board("7,0: o b a . .", "9,9: b").do(walk(E, E, NW, NW))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-O2")
@pytest.mark.rule("CB-O3")
def test_points_follow_from_the_car_that_falls_off(outlines):
    play = board("4,10: o b b", "9,9: b").do(walk(E, E))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-T1")
def test_an_exchange_owes_cards_and_each_card_that_is_drawn_follows_from_its_choice(outlines):
    play = board(hands={0: [LAMBADA, LAMBADA, SABOTEUR]}, display=[BELL_CHARMS, FLYING_DUTCHMAN, DOUBLE_HIT])
    play.do(exchange(SABOTEUR, LAMBADA), TAKE + DOUBLE_HIT, TAKE + FROM_PILE, TURN_UP + TANDEM)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-T1")
def test_a_forfeited_action_is_an_action(outlines):
    play = board("7,2: a b", acted=1)
    play.apply(FORFEIT)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-O3")
def test_the_operator_comes_into_a_hole_by_his_walk_and_out_of_it(outlines):
    play = board("7,1: o", gone=(11,)).go((7, 3), (7, 5))
    assert follows(play) == next(outlines)


# Cards


@pytest.mark.rule("CB-K1")
def test_a_bell_is_moved_by_the_card(outlines):
    play = board("7,2: *", hands={0: [BELL_CHARMS]}).do(card(BELL_CHARMS, (7, 2), (7, 3)))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-K2")
def test_two_cars_swap_because_of_the_card(outlines):
    play = board("7,2: a b", hands={0: [LAMBADA]}).do(swap((7, 2), (7, 3)))
    assert follows(play, "A plays Lambada") == next(outlines)


@pytest.mark.rule("CB-K3")
@pytest.mark.rule("CB-E1")
def test_a_car_rides_because_of_the_card_and_rings(outlines):
    play = board("7,1: a *", "9,9: b", hands={0: [FREE_RIDE]}).do(card(FREE_RIDE, (7, 1), (7, 2)))
    assert follows(play, "A plays Free Ride") == next(outlines)


@pytest.mark.rule("CB-K4")
def test_a_car_is_sent_home_by_the_card(outlines):
    play = board("7,2: a b", "9,9: b", hands={0: [SABOTEUR]}).do(card(SABOTEUR, (7, 3)))
    assert follows(play, "A plays Saboteur") == next(outlines)


@pytest.mark.rule("CB-K5")
def test_the_operator_flies_because_of_the_card(outlines):
    play = board(hands={0: [FLYING_DUTCHMAN]}).do(card(FLYING_DUTCHMAN, (7, 3)))
    assert follows(play, "A plays Flying Dutchman") == next(outlines)


@pytest.mark.rule("CB-K6")
def test_a_battery_and_the_ban_are_the_cards_and_the_ban_ends_with_its_turn(outlines):
    play = board(hands={0: [DEAD_ACCUMULATOR]}).do(card(DEAD_ACCUMULATOR))
    assert follows(play, "A plays Dead Accumulator") == next(outlines)
    play = board()
    play.table.banned[0] = 1
    play.do(STROLL, walk(W, W))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-K7")
def test_a_powerless_bell_leaves_the_flower_because_of_the_scoring(outlines):
    play = board("7,0: . b *", "9,9: b", hands={0: [POWERLESS_BELL]})
    play.do(card(POWERLESS_BELL), car((7, 0), E))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-K8")
def test_a_shady_exception_counts_other_values_in_the_scoring(outlines):
    play = after(SHADY_EXCEPTION, "7,0: . b *", "9,9: b").do(car((7, 0), E))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-K9")
def test_both_hits_follow_from_the_car_that_is_placed(outlines):
    play = after(DOUBLE_HIT, "7,3: a . b").do(car((7, 4), E, W))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-K10")
def test_a_racket_flies_step_by_step_and_hits_with_what_is_left(outlines):
    play = after(CAR_RACKET, "7,2: . b . . b").do(car((7, 2), E))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-K11")
def test_both_cars_of_a_tandem_follow_from_the_car_that_is_placed(outlines):
    play = after(TANDEM, "7,1: . a b").do(car((7, 1), E))
    assert follows(play) == next(outlines)
    play = after(TANDEM, "7,1: . b o").do(car((7, 1), E))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-K12")
def test_expansion_places_a_car_that_hits_nobody(outlines):
    play = after(EXPANSION).do(car((7, 4)))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-K13")
def test_the_reaction_follows_from_the_car_that_is_placed(outlines):
    play = after(ACTION_AND_REACTION, "7,3: . b").do(car((7, 3), E))
    assert follows(play) == next(outlines)


# The end of a turn and of the game


@pytest.mark.rule("CB-T4")
def test_cards_are_drawn_because_two_actions_are_done_and_the_pile_is_made_when_a_card_is_asked_of_it(outlines):
    hands = {0: [LAMBADA, LAMBADA, SABOTEUR], 1: [DEAD_ACCUMULATOR] * 3}
    play = board("7,4: a b", hands=hands, display=[BELL_CHARMS, FLYING_DUTCHMAN, DOUBLE_HIT], discards="all")
    play.do(swap((7, 4), (7, 5)))
    play.trace = Trace()
    play.do(swap((7, 4), (7, 5)))
    assert follows(play) == next(outlines)
    play.trace = Trace()
    play.do(TAKE + FROM_PILE, TURN_UP + TANDEM, TAKE + DOUBLE_HIT, TURN_UP + TANDEM)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-V1")
def test_of_two_cards_one_is_kept(outlines):
    play = board(players=4, acted=1, hands={0: [LAMBADA, LAMBADA]}, full=False).do(STROLL)
    play.do(TURN_UP + TANDEM, TURN_UP + EXPANSION, DISCARD + TANDEM)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-T4")
@pytest.mark.rule("CB-V1")
def test_the_pile_is_made_for_the_second_card_because_of_the_first(outlines):
    play = board(players=4, acted=1, hands={0: [LAMBADA, LAMBADA]}, full=False, discards="all")
    play.table.discards[TANDEM] -= 1
    play.do(STROLL, TURN_UP + TANDEM)
    assert follows(play, "A draws Tandem") == next(outlines)


@pytest.mark.rule("CB-T1")
def test_the_turn_that_begins_takes_back_what_counted_in_the_last_one(outlines):
    play = after(SHADY_EXCEPTION, "7,0: . b *", "9,9: b").do(car((7, 0), E)).draws()
    assert follows(play, "turn 9 begins") == next(outlines)


@pytest.mark.rule("CB-E4")
def test_the_game_is_over_because_of_the_seventh_scoring(outlines):
    play = board("7,0: . b *", "9,9: b", scorings=6).do(car((7, 0), E))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-E4")
def test_the_game_is_over_because_of_the_action_that_leaves_a_side_without_cars(outlines):
    play = board("7,2: a b", corners=False, hands={0: [SABOTEUR]}).do(card(SABOTEUR, (7, 3)))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-E3")
def test_a_bell_after_the_seventh_scoring_is_not_scored(outlines):
    """Two bells ring in one action, and the first scoring is the last of the game."""
    play = after(DOUBLE_HIT, "7,3: * a . b *", "11,1: b", edition="english", scorings=6).do(car((7, 5), E, W))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CB-E5")
def test_the_last_turn_is_why_the_game_is_over(outlines):
    play = board(turn=8, turn_limit=8, acted=1).do(STROLL)
    assert follows(play) == next(outlines)
