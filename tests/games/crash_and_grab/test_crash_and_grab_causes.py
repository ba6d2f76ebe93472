"""Causes in Crash & Grab, from the rules text alone; the mark names the rules whose causes a test proves."""

from functools import partial

import pytest
import trace_causes
from crash_and_grab_positions import BLUE, GREEN, RED, YELLOW, Play, board, crew_name

from crashlab.engine.chance import Random
from crashlab.engine.options import settle
from crashlab.engine.table import Trace
from crashlab.games.crash_and_grab import state as tables
from crashlab.games.crash_and_grab import text
from crashlab.games.crash_and_grab.state import *

follows = partial(trace_causes.follows, text)


def fresh(play):
    """Empty the game's trace, so that earlier events are ignored."""
    play.trace = Trace()
    return play


def rested(card, at, **more):
    """Return the end of a turn in which RED, the owner of this upgrade, did not move."""
    return fresh(board(at, more.pop("players", 4), upgrades={RED: [card]}, **more).ride(RED, 0, UP))


# Set-up


@pytest.mark.rule("CG-S5")
@pytest.mark.rule("CG-P1")
@pytest.mark.rule("CG-R1")
def test_two_players_choose_and_the_die_places_what_they_have_chosen(outlines):
    play = Play(tables.set_up(settle(tables.OPTIONS, {"players": 2}), Random(1)))
    probe = play.table.probe[0]
    free = [n for n in range(1, 13) if play.table.ground.index(n) not in play.table.cell]
    play.answer(PILOT_CHOICE, 2 * probe).answer(SET_UP_DIE, free[0])
    play.answer(BOOSTER_CHOICE, 2 * (1 - probe)).answer(SET_UP_DIE, free[1])
    assert follows(play) == next(outlines)


# Rounds and turns


@pytest.mark.rule("CG-R1")
@pytest.mark.rule("CG-R2")
@pytest.mark.rule("CG-R4")
def test_the_last_one_to_plan_has_the_die_rolled_and_that_begins_the_first_turn(outlines):
    play = board({RED: 33, GREEN: 0, BLUE: 2, YELLOW: 4}).go()
    assert follows(play) == next(outlines)


@pytest.mark.rule("CG-R1")
@pytest.mark.rule("CG-R2")
def test_two_players_plan_twice_and_choose_who_is_first(outlines):
    play = board({RED: 33, GREEN: 0, BLUE: 2, YELLOW: 4}, 2, probe=1).go(first=YELLOW)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CG-R4")
def test_the_end_of_a_turn_takes_off_its_marks_and_begins_the_next_one(outlines):
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
    assert follows(play, "red buys nothing more in this turn") == next(outlines)


@pytest.mark.rule("CG-R2")
def test_the_second_saucer_of_a_player_follows_on_the_others_first(outlines):
    play = board({RED: 0, GREEN: 2, BLUE: 4, YELLOW: 6}, 2).go(first=GREEN).answer(DISTANCE, 0).answer(FIRST, BLUE)
    assert follows(fresh(play).answer(DISTANCE, 0)) == next(outlines)


@pytest.mark.rule("CG-R7")
@pytest.mark.rule("CG-R8")
@pytest.mark.rule("CG-R4")
def test_after_the_last_turn_the_crashed_are_placed_and_the_next_round_begins(outlines):
    play = board({RED: 0, GREEN: 1, BLUE: 2, YELLOW: 3}, aboard={RED: "red pilot"}).go({YELLOW: "2 up"})
    for _ in range(3):
        play.answer(DISTANCE, 0)
    assert follows(play, "the turn of yellow is over") == next(outlines)
    fresh(play).answer(DIE, 5)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CG-R9")
def test_the_last_round_is_why_the_game_is_over(outlines):
    play = board({RED: 0, GREEN: 1, BLUE: 2, YELLOW: 3}, round_limit=1).go()
    for _ in range(4):
        play.answer(DISTANCE, 0)
    assert follows(play, "the turn of yellow is over") == next(outlines)


@pytest.mark.rule("CG-R5")
@pytest.mark.rule("CG-P1")
@pytest.mark.rule("CG-U10")
def test_a_saucer_is_placed_because_its_turn_begins(outlines):
    """CG-U10: its gift follows from being placed, and so do the other events of its turn."""
    play = board({GREEN: 33, BLUE: 34, YELLOW: 35}, upgrades={RED: [SCAVENGER]}).go({RED: "2 right"}).answer(DIE, 3)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CG-U13")
def test_the_gateway_asks_for_a_site_and_may_have_the_die_rolled(outlines):
    play = fresh(board({GREEN: 33}, upgrades={RED: [GATEWAY]}))
    play.go()
    assert follows(play, "the turns go clockwise") == next(outlines)
    other = fresh(Play(play.table.copy())).answer(SITE, 4)
    assert follows(other) == next(outlines)
    assert follows(fresh(play).answer(SITE, None)) == next(outlines)


@pytest.mark.rule("CG-U1")
def test_a_first_step_comes_before_the_reveal(outlines):
    play = board({RED: 33, GREEN: 0}, upgrades={RED: [BLAST_OFF]}).go()
    assert follows(play, "the turns go clockwise") == next(outlines)
    assert follows(fresh(play).answer(STEP, RIGHT)) == next(outlines)


@pytest.mark.rule("CG-U1")
@pytest.mark.rule("CG-W4")
def test_a_first_step_to_the_partner_lets_crew_pass(outlines):
    play = board({RED: 33, GREEN: 44}, 2, upgrades={RED: [BLAST_OFF]}, aboard={RED: "green pilot"}).go(first=RED)
    assert follows(fresh(play).answer(STEP, RIGHT)) == next(outlines)


@pytest.mark.rule("CG-U19")
def test_the_stabilizer_asks_for_the_direction_after_the_first_turn(outlines):
    play = fresh(board({RED: 0, GREEN: 33, BLUE: 44, YELLOW: 55}, upgrades={BLUE: [STABILIZER]}))
    play.go()
    assert follows(play, "yellow plans 0-5^") == next(outlines)
    play.answer(DISTANCE, 0)
    assert follows(play, "a movement begins: its card") == next(outlines)
    other = Play(play.table.copy())
    assert follows(other.answer(NAMING, 1)) == next(outlines)
    assert follows(fresh(play).answer(NAMING, 2)) == next(outlines)


# Movement


@pytest.mark.rule("CG-M1")
@pytest.mark.rule("CG-M2")
@pytest.mark.rule("CG-W3")
def test_steps_and_pick_ups_follow_from_the_distance_that_was_chosen(outlines):
    play = fresh(board({RED: 30}, lost={"blue pilot": 31})).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == next(outlines)
    fresh(play).answer(REFILL, GREEN).answer(REFILL_DIE, 9)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CG-M1")
@pytest.mark.rule("CG-M7")
def test_the_bonus_and_the_movement_follow_from_the_card(outlines):
    play = board({RED: 30}).go({RED: "2 right"})
    assert follows(play, "red is to move 2 spaces") == next(outlines)
    assert follows(fresh(play).answer(BOOST, (2, DOWN))) == next(outlines)
    play = board({RED: 30}).go({RED: "3 right"})
    assert follows(play, "red is to move 3 spaces") == next(outlines)


@pytest.mark.rule("CG-U9")
@pytest.mark.rule("CG-U12")
def test_a_free_direction_is_asked_for_because_of_the_distance(outlines):
    play = board({RED: 0}, upgrades={RED: [HYPERDRIVE, TIME_MACHINE]}).go({RED: "2 right"}).answer(DISTANCE, 4)
    assert follows(play, "red is to move 4 spaces") == next(outlines)
    assert follows(fresh(play).answer(DIRECTION, DOWN)) == next(outlines)


@pytest.mark.rule("CG-R3")
def test_an_override_token_frees_the_direction(outlines):
    play = board({saucer: 10 * saucer + 3 for saucer in range(5)}, 5).go()
    for _ in range(5):
        play.answer(DISTANCE, 1)
    assert follows(play, "purple is to move 1 space") == next(outlines)


@pytest.mark.rule("CG-R5")
def test_who_was_placed_has_a_free_direction(outlines):
    play = board({GREEN: 33, BLUE: 34, YELLOW: 35}).go({RED: "3 left"}).answer(DIE, 1)
    assert follows(play, "red is to move 3 spaces") == next(outlines)


@pytest.mark.rule("CG-M3")
def test_whoever_is_hit_moves_because_of_the_hit(outlines):
    play = board({RED: 30, GREEN: 31, BLUE: 33}).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == next(outlines)


@pytest.mark.rule("CG-B5")
@pytest.mark.rule("CG-C1")
def test_an_own_crash_is_why_a_penalty_is_asked_for(outlines):
    play = board({RED: 37, GREEN: 3}, aboard={RED: "green pilot"}, lost={"blue pilot": 60}).ride(RED, 1, RIGHT)
    assert follows(play, "red is to move 1 space") == next(outlines)
    fresh(play).answer(PENALTY, (GREEN, "green pilot"))
    assert follows(play, "own crashes still to be paid for: 0") == next(outlines)


@pytest.mark.rule("CG-C1")
def test_who_has_nothing_to_give_has_paid(outlines):
    play = board({RED: 37, GREEN: 3}).ride(RED, 1, RIGHT)
    assert follows(play, "red crashes off the board from 3,7") == next(outlines)


@pytest.mark.rule("CG-C2")
def test_anothers_crash_is_why_a_reward_is_asked_for(outlines):
    play = board({RED: 35, GREEN: 36}, aboard={GREEN: "red doctor"}).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == next(outlines)
    other = Play(play.table.copy())
    assert follows(fresh(play).answer(REWARD, "red doctor")) == next(outlines)
    assert follows(other.answer(REWARD, None), "the crash of green is settled") == next(outlines)


@pytest.mark.rule("CG-C1")
def test_a_crash_before_the_last_boost_is_paid_for_after_it(outlines):
    play = board({RED: 35, GREEN: 36, BLUE: 3}, 2, boosters={RED: 1}, aboard={RED: "blue pilot"}).ride(RED, 2, RIGHT)
    assert follows(fresh(play).answer(BOOST, (2, UP))) == next(outlines)


@pytest.mark.rule("CG-C1")
@pytest.mark.rule("CG-C2")
def test_a_penalty_that_is_paid_leads_to_the_reward(outlines):
    play = board(
        {RED: 35, GREEN: 36, BLUE: 3, YELLOW: 5},
        boosters={RED: 1},
        aboard={RED: "red pilot, blue doctor", GREEN: "blue pilot"},
    )
    play.ride(RED, 2, RIGHT).answer(BOOST, (2, RIGHT))
    assert follows(fresh(play).answer(PENALTY, (BLUE, "blue doctor"))) == next(outlines)


@pytest.mark.rule("CG-M4")
@pytest.mark.rule("CG-M5")
def test_off_an_accelerator_the_way_follows_from_the_turn(outlines):
    play = board({RED: 30}, accelerators=[32]).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == next(outlines)
    assert follows(fresh(play).answer(TURN_OFF, DOWN)) == next(outlines)


@pytest.mark.rule("CG-M4")
def test_who_goes_straight_on_begins_with_the_step(outlines):
    play = fresh(board({RED: 30}, accelerators=[32]).ride(RED, 2, RIGHT)).answer(TURN_OFF, RIGHT)
    assert follows(play) == next(outlines)
    play = fresh(board({RED: 34}, accelerators=[36]).ride(RED, 2, RIGHT)).answer(TURN_OFF, RIGHT)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CG-M5")
@pytest.mark.rule("CG-U8")
@pytest.mark.rule("CG-U21")
def test_from_the_13th_accelerator_on_the_way_goes_on_because_of_it(outlines):
    def thirteenth(**more):
        play = board({RED: 30}, **more)
        play.table.leaps[0] = 12
        return play.ride(RED, 2, RIGHT)

    assert follows(thirteenth(accelerators=[32]), "red is accelerated: 2 spaces again") == next(outlines)
    play = fresh(thirteenth(upgrades={RED: [WASTE]}, sites={1: 32})).answer(WASTE_USE, 1)
    assert follows(play) == next(outlines)
    play = fresh(thirteenth(upgrades={RED: [REGULATOR]}, accelerators=[32])).answer(LEG, 1)
    assert follows(play, "red travels 1 space at a time") == next(outlines)


@pytest.mark.rule("CG-M4")
def test_a_pushed_saucer_is_accelerated_because_of_its_step(outlines):
    play = board({RED: 30, GREEN: 31}, accelerators=[32]).ride(RED, 1, RIGHT)
    assert follows(play, "red is to move 1 space") == next(outlines)


@pytest.mark.rule("CG-U21")
def test_the_regulator_chooses_how_far_and_then_where_to(outlines):
    play = board({RED: 30}, upgrades={RED: [REGULATOR]}, accelerators=[32]).ride(RED, 2, RIGHT)
    assert follows(play, "red is accelerated: 2 spaces again") == next(outlines)
    assert follows(fresh(play).answer(LEG, 1)) == next(outlines)


@pytest.mark.rule("CG-U8")
def test_a_crash_site_accelerates_because_the_card_is_used(outlines):
    play = board({RED: 30}, upgrades={RED: [WASTE]}, sites={1: 32}).ride(RED, 3, RIGHT)
    assert follows(play, "red is to move 3 spaces") == next(outlines)
    other = Play(play.table.copy())
    assert follows(fresh(play).answer(WASTE_USE, 1)) == next(outlines)
    assert follows(other.answer(WASTE_USE, 0), "red moves from 3,2 to 3,3") == next(outlines)


@pytest.mark.rule("CG-U16")
def test_a_mine_crashes_what_is_hit(outlines):
    play = board({RED: 30, GREEN: 31}, upgrades={RED: [MINES]}, boosters={RED: 1}).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == next(outlines)
    other = Play(play.table.copy())
    assert follows(fresh(play).answer(PUSH, 1)) == next(outlines)
    assert follows(other.answer(PUSH, 0)) == next(outlines)


@pytest.mark.rule("CG-U14")
def test_the_siphons_booster_follows_from_the_push(outlines):
    play = board({RED: 30, GREEN: 31}, upgrades={RED: [SIPHON]}).ride(RED, 1, RIGHT)
    assert follows(play, "red hits green, which is pushed right by 1 space") == next(outlines)


# Crew


@pytest.mark.rule("CG-U20")
def test_an_exchange_is_asked_for_because_of_the_pick_up(outlines):
    lost = {"blue pilot": 31, "green doctor": 70}
    play = board({RED: 30}, upgrades={RED: [AIRLOCK]}, lost=lost).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == next(outlines)
    other = Play(play.table.copy())
    assert follows(fresh(play).answer(EXCHANGE, "green doctor")) == next(outlines)
    assert follows(other.answer(EXCHANGE, None)) == next(outlines)


@pytest.mark.rule("CG-U20")
@pytest.mark.rule("CG-W4")
def test_who_may_be_passed_can_be_no_longer_when_put_down(outlines):
    lost = {"green pilot": 31, "green doctor": 70}
    play = board({RED: 30, GREEN: 41}, 2, upgrades={RED: [AIRLOCK]}, lost=lost).ride(RED, 1, RIGHT)
    assert follows(play, "red is to move 1 space") == next(outlines)
    assert follows(fresh(play).answer(EXCHANGE, "green doctor")) == next(outlines)


@pytest.mark.rule("CG-W4")
def test_partners_are_asked_when_the_movement_is_over(outlines):
    aboard = {RED: "green pilot, green doctor"}
    play = board({RED: 30, GREEN: 42}, 2, aboard=aboard).ride(RED, 2, RIGHT)
    assert follows(play, "red is to move 2 spaces") == next(outlines)
    other = Play(play.table.copy())
    assert follows(fresh(play).answer(PASS, "green pilot"), "red passes the green pilot to green") == next(outlines)
    assert follows(other.answer(PASS, None)) == next(outlines)


@pytest.mark.rule("CG-W4")
def test_when_the_last_one_is_passed_the_turn_goes_on(outlines):
    play = board({RED: 30, GREEN: 42}, 2, aboard={RED: "green pilot, blue pilot", BLUE: "red pilot"})
    assert follows(fresh(play.ride(RED, 2, RIGHT)).answer(PASS, "green pilot")) == next(outlines)


@pytest.mark.rule("CG-W4")
def test_the_other_one_is_asked_when_the_first_one_has_passed(outlines):
    """RED stops beside GREEN, BLUE is pushed past YELLOW."""
    aboard = {RED: "green pilot", BLUE: "yellow pilot"}
    play = board({RED: 20, GREEN: 32, BLUE: 22, YELLOW: 34}, 2, aboard=aboard).ride(RED, 3, RIGHT)
    assert follows(fresh(play).answer(PASS, "green pilot")) == next(outlines)


@pytest.mark.rule("CG-W4")
@pytest.mark.rule("CG-M3")
@pytest.mark.rule("CG-U16")
def test_who_stops_beside_its_partner_may_pass_because_of_that_step(outlines):
    """RED takes the space of BLUE, by a push or by a mine."""
    position = {RED: 26, GREEN: 37, BLUE: 27}
    play = board(position, 2, aboard={RED: "green pilot"}).ride(RED, 3, RIGHT)
    assert follows(play, "red is to move 3 spaces") == next(outlines)
    play = board(position, 2, aboard={RED: "green pilot"}, upgrades={RED: [MINES]}).ride(RED, 3, RIGHT)
    assert follows(fresh(play).answer(PUSH, 1)) == next(outlines)


@pytest.mark.rule("CG-W5")
def test_the_crewmember_that_was_lacking_is_why_the_game_is_over(outlines):
    aboard = {RED: "red pilot, red engineer, red doctor"}
    play = board({RED: 30}, lost={"blue scientist": 31}, aboard=aboard).ride(RED, 2, RIGHT)
    assert follows(play, "red picks up the blue scientist from 3,1") == next(outlines)


# The end of a turn


@pytest.mark.rule("CG-R6")
@pytest.mark.rule("CG-M7")
def test_the_end_of_the_movement_asks_for_the_upgrades(outlines):
    play = board({RED: 33, GREEN: 0}, upgrades={RED: [CLOAK, AMPLIFIER]}, boosters={RED: 1}).ride(RED, 0, UP)
    assert follows(play, "all saucers have come to rest") == next(outlines)
    assert follows(fresh(play).answer(BOOST, None)) == next(outlines)


@pytest.mark.rule("CG-R6")
def test_after_the_upgrades_the_turn_is_over(outlines):
    play = board({RED: 33, GREEN: 0}, upgrades={RED: [CLOAK]}).ride(RED, 0, UP)
    assert follows(play, "all saucers have come to rest") == next(outlines)
    assert follows(fresh(play).answer(END, None)) == next(outlines)


@pytest.mark.rule("CG-H1")
def test_a_purchase_from_energy_to_card(outlines):
    play = fresh(board({RED: 33}, energy={RED: 4}).ride(RED, 0, UP))
    play.answer(BUY, 1).answer(DRAW, CARGO_HOLD).answer(DRAW, QUAKE).answer(KEEP, CARGO_HOLD)
    assert follows(play) == next(outlines)
    assert follows(fresh(play).answer(BUY, 0), "red buys nothing more in this turn") == next(outlines)


@pytest.mark.rule("CG-H1")
def test_the_discards_are_shuffled_because_a_card_is_drawn(outlines):
    owned = {GREEN: [card for card in range(23) if card not in (QUAKE, MINES)]}
    play = fresh(board({RED: 33}, energy={RED: 2}, deck=[], upgrades=owned).ride(RED, 0, UP)).answer(BUY, 1)
    assert follows(play) == next(outlines)


@pytest.mark.rule("CG-H1")
def test_the_discards_are_shuffled_because_the_last_card_of_the_deck_is_drawn(outlines):
    owned = {GREEN: [card for card in range(23) if card not in (QUAKE, MINES)]}
    play = board({RED: 33}, energy={RED: 2}, deck=[QUAKE], upgrades=owned).ride(RED, 0, UP)
    assert follows(play.answer(BUY, 1), "Quake Maker is drawn") == next(outlines)


@pytest.mark.rule("CG-U2")
def test_two_saucers_swap_places_because_the_card_is_used(outlines):
    play = rested(WORMHOLE, {RED: 33, BLUE: 1, YELLOW: 2}, players=2, aboard={BLUE: "yellow pilot"})
    assert follows(play.answer(END, (WORMHOLE, BLUE))) == next(outlines)
    play = rested(WORMHOLE, {RED: 3, BLUE: 1, YELLOW: 2}, players=2, aboard={BLUE: "yellow pilot"})
    play = play.answer(END, (WORMHOLE, BLUE))
    assert follows(play) == next(outlines)


@pytest.mark.rule("CG-U3")
@pytest.mark.rule("CG-U6")
@pytest.mark.rule("CG-U23")
def test_a_jump_follows_from_the_card(outlines):
    play = rested(AFTERBURNER, {RED: 33, GREEN: 45}, players=2, aboard={RED: "green pilot"})
    assert follows(play.answer(END, (AFTERBURNER, 35))) == next(outlines)


@pytest.mark.rule("CG-U4")
@pytest.mark.rule("CG-U14")
def test_the_pulse_pushes_because_the_card_is_used(outlines):
    play = fresh(board({RED: 30, GREEN: 33}, upgrades={RED: [PULSE_CANNON, SIPHON]}).ride(RED, 0, UP))
    assert follows(play.answer(END, (PULSE_CANNON, GREEN))) == next(outlines)


@pytest.mark.rule("CG-U17")
def test_landing_legs_move_because_the_card_is_used(outlines):
    play = rested(LANDING_LEGS, {RED: 30})
    assert follows(play.answer(END, (LANDING_LEGS, RIGHT))) == next(outlines)


@pytest.mark.rule("CG-U5")
def test_the_beam_takes_a_crewmember_because_the_card_is_used(outlines):
    play = rested(TRACTOR_BEAM, {RED: 30}, lost={"blue pilot": 31})
    assert follows(play.answer(END, (TRACTOR_BEAM, 8))) == next(outlines)


@pytest.mark.rule("CG-U5")
@pytest.mark.rule("CG-W3")
def test_where_nobody_waits_the_beam_ends_the_turn(outlines):
    others = [name for name in map(crew_name, range(24)) if name != "blue pilot"]
    play = rested(TRACTOR_BEAM, {RED: 30, GREEN: 0}, lost={"blue pilot": 31}, gone=others)
    assert follows(play.answer(END, (TRACTOR_BEAM, 8))) == next(outlines)


@pytest.mark.rule("CG-U6")
def test_the_teleporter_takes_a_saucer_out_of_its_cloak(outlines):
    play = board({RED: 33, GREEN: 0}, upgrades={RED: [TELEPORTER, CLOAK]}).ride(RED, 0, UP).answer(END, (CLOAK, 0))
    assert follows(fresh(play).answer(END, (TELEPORTER, 71))) == next(outlines)


@pytest.mark.rule("CG-U7")
def test_the_cloak_takes_the_saucer_off_the_board(outlines):
    play = rested(CLOAK, {RED: 30})
    assert follows(play.answer(END, (CLOAK, 0))) == next(outlines)


@pytest.mark.rule("CG-U11")
def test_crew_is_swapped_because_the_card_is_used(outlines):
    play = rested(DISTRESS, {RED: 30, GREEN: 0}, aboard={RED: "green pilot", GREEN: "red pilot"})
    assert follows(play.answer(END, (DISTRESS, 4))) == next(outlines)


@pytest.mark.rule("CG-U18")
def test_all_on_a_tile_turns_because_the_card_is_used(outlines):
    """RED is on site 1 and the blue pilot on site 2 of an otherwise plain tile in the upper left corner."""
    play = board({RED: 1, GREEN: 77}, upgrades={RED: [QUAKE]}, sites={1: 1, 2: 12}, lost={"blue pilot": 12})
    tables.lay_tile(play.table, 0, 0, 0)
    play.ride(RED, 0, UP).answer(END, (QUAKE, 2))
    assert follows(play, "Quake Maker is used") == next(outlines)
