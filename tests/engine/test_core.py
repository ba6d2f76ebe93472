"""The core on a toy game: chance, secret bids, forced decisions, luck, scripted dice."""

import numpy as np
import pytest

import crashlab
from crashlab import CHANCE, CrashlabError, Dice, Random, simulate
from crashlab.engine.game import Game
from crashlab.engine.table import NOWHERE, Trace, happen, latest, next_beat, note, replay


@pytest.fixture
def toy():
    return Game("toy", "toy", {})


def test_chance_lists_its_outcomes_with_their_odds(toy):
    windy = toy.read("squares 0 0").play({0: "1", 1: "2"}).after
    assert windy.actors == (CHANCE,)
    assert [str(outcome) for outcome in windy.actions(CHANCE)] == ["gust 0", "gust 1", "gust 2"]
    assert list(windy.odds().values()) == [0.25, 0.5, 0.25]


def test_chance_can_be_scripted_sampled_or_left_to_the_luck(toy):
    windy = toy.read("squares 1 0; windy")
    assert windy.play("gust 2").after.squares == (3, 2)
    with Dice(1) as dice:
        assert windy.sample(dice).after.squares == (2, 1)
    assert windy.play().after == windy.play().after


def test_luck_steps_once_for_every_decision_of_chance(toy):
    windy = toy.start(seed=3).play({0: "1", 1: "1"}).after
    assert windy.luck == toy.start(seed=3).luck
    turn = windy.play()
    assert turn.after.luck != windy.luck
    assert windy.play(turn.actions[CHANCE]).after == turn.after


def test_luck_follows_the_odds(toy):
    windy = [toy.start(seed=seed).play({0: "1", 1: "1"}).after for seed in range(400)]
    gusts = [str(state.play().actions[CHANCE]) for state in windy if state.actors]
    assert 0.4 < gusts.count("gust 1") / len(gusts) < 0.6
    assert 0.17 < gusts.count("gust 0") / len(gusts) < 0.33


def test_a_seat_with_one_option_is_not_asked(toy):
    state = toy.read("squares 4 0")
    assert state.actors == (1,)
    turn = state.play("2")
    assert turn.after.over and turn.after.squares == (5, 2)
    assert [(event.field, event.index, event.after) for event in turn.events[:2]] == [("bid", 0, 1), ("bid", 1, 2)]


def test_a_decision_with_one_option_for_all_is_taken_by_itself_with_its_events(toy):
    turn = toy.read("squares 2 2; windy").play("gust 2")
    assert turn.after.over and turn.after.squares == (5, 5)
    assert [event.beat for event in turn.events if event.field == "square"] == [1, 1, 3, 3]
    assert toy.read("squares 4 4").over  # also at the start


def test_the_winner_is_who_scores_most(toy):
    assert toy.read("squares 4 0").play("1").after.winners == (0,)
    assert toy.read("squares 4 4").winners == (0, 1)
    assert toy.read("squares 3 0").winners == ()


def test_who_wins_is_for_the_rules_to_say(toy, monkeypatch):
    """The best score need not win: in some games the first to arrive does."""
    state = toy.read("squares 4 0").play("1").after
    assert state.over
    monkeypatch.setattr(toy.rules, "winners", lambda table: 0b10)
    assert state.winners == (1,)
    assert simulate(state, 2).winners.tolist() == [[False, True]] * 2


def test_an_event_is_told_with_the_table_as_it_was_just_before(toy, monkeypatch):
    """So the words can mention the effects of earlier events of the turn."""
    monkeypatch.setattr(toy.text, "event_text", lambda table, row: f"on {table.square[0]}")
    turn = toy.read("squares 2 2; windy").play("gust 2")
    words = [event.text for event in turn.events]
    assert words[0] == "on 2" and words[-1] == "on 5"


def test_set_up_is_drawn_from_the_seed(toy):
    assert {toy.start(seed=seed).squares for seed in range(40)} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert toy.start(seed=5) == toy.start(seed=5) != toy.start(seed=6)


def test_luck_is_part_of_text_and_json_but_not_of_what_a_seat_sees(toy):
    state = toy.start(seed=9)
    assert state.luck and toy.read(state.text) == state and toy.read(state.to_dict()) == state
    assert state.seen_by(0).luck == 0 and "luck" not in state.seen_by(0).text


def test_a_turn_hides_the_bids_of_the_other(toy):
    turn = toy.read("squares 0 0").play({0: "1", 1: "2"})
    bids = [(event.index, event.after) for event in turn.seen_by(0) if event.field == "bid" and event.after]
    assert bids == [(0, 1)]
    assert len(turn.seen_by(1)) == len(turn.events) - 1
    with pytest.raises(CrashlabError, match="no seat 7"):
        turn.seen_by(7)


def test_a_view_is_not_played(toy):
    view = toy.start().seen_by(0)
    with pytest.raises(CrashlabError, match="only the view of A"):
        view.play({0: "1", 1: "1"})
    assert view.guess(Random(1)).play({0: "1", 1: "1"}).after.actors == (CHANCE,)


def test_a_view_that_was_written_down_is_still_a_view():
    """A hidden plot must never be played as if it were a plot."""
    game = crashlab.game("autoscooter")
    view = game.start(seed=1).play({0: "1 F", 1: "2 F", 2: "3 F", 3: "4 F"}).after.seen_by(0)
    for again in (game.read(view.text), game.read(view.to_dict())):
        assert again.text == view.text and again.actors == (0, 1, 2, 3)
        with pytest.raises(CrashlabError, match="some values are hidden"):
            again.play({0: "5 F", 1: "6 F", 2: "7 F", 3: "8 F"})
        with pytest.raises(CrashlabError, match="some values are hidden"):
            crashlab.simulate(again, 1)
        assert again.guess(Random(1)).play({0: "5 F", 1: "6 F", 2: "7 F", 3: "8 F"}).after.round == 2
    with pytest.raises(CrashlabError, match="only the view of A"):
        crashlab.simulate(view, 1)


@pytest.mark.parametrize(
    "actions, words",
    [
        ({0: "1"}, "A and B decide now"),
        ({0: "1", 1: "1", 2: "1"}, "A and B decide now"),
        ("1", "A and B decide now"),
        ({0: "1", 1: "3"}, "B cannot play '3': 3 is not possible: .*TOY-1.*; possible: 1, 2"),
        ({0: "1", 1: "fast"}, "cannot read 'fast' as a bid"),
    ],
)
def test_wrong_actions_are_refused_in_words(toy, actions, words):
    state = toy.read("squares 0 0")
    with pytest.raises(CrashlabError, match=words):
        state.play(actions)
    assert state == toy.read("squares 0 0")


def test_options_are_kept_as_the_game_lists_them():
    """4.0 players are 4, as JSON writes it, and changes to a copy of the options do not reach the game."""
    game = crashlab.game("autoscooter", players=4.0)
    assert repr(game.options["players"]) == "4" and game == crashlab.game("autoscooter", players=4)
    game.options["players"] = 7
    crashlab.Match(game).to_dict()["options"]["rear_push"] = True
    assert game == crashlab.game("autoscooter") and game.seats == range(4)


def test_an_option_can_have_any_name():
    with pytest.raises(CrashlabError, match="there is no option 'name'"):
        crashlab.game("autoscooter", name="x")


def test_a_forgotten_action_is_not_taken_for_one():
    """In Autoscooter None is the action of writing nothing; a bare play() must not mean it."""
    state = crashlab.game("autoscooter").read({"cars": {"1": "21E2"}})
    with pytest.raises(CrashlabError, match=r"A decides now: give play\(\) an action"):
        state.play()
    assert str(state.play(None).actions[0]) == "-"


def test_actions_of_another_game_are_refused(toy):
    action = crashlab.game("autoscooter").start().actions(0)[0]
    with pytest.raises(CrashlabError, match="an action of autoscooter, not of toy"):
        toy.read("squares 0 0").play({0: action, 1: "1"})
    assert action not in toy.read("squares 0 0").actions(0)


def test_a_guess_has_luck_of_its_own(toy):
    view = toy.start(seed=3).seen_by(0)
    assert len({view.guess(Random(seed)).luck for seed in range(5)}) == 5


def test_nothing_is_played_in_the_middle_of_a_turn(toy):
    turn = toy.start(seed=3).play({0: "1", 1: "2"})
    assert turn.beats == 2
    moment = turn.at(1)
    assert moment.luck == turn.before.luck and moment != turn.before
    with pytest.raises(CrashlabError, match="a moment within a turn"):
        moment.play({0: "1", 1: "1"})


def test_only_the_own_random_numbers_can_be_drawn_from(toy):
    for draw in (toy.read("squares 0 0").sample, toy.read("squares 0 0; windy").sample, toy.read("squares 0 0").guess):
        with pytest.raises(CrashlabError, match=r"a crashlab\.Random, such as"):
            draw(7)


def test_an_error_inside_a_property_is_not_taken_for_a_missing_name(toy, monkeypatch):
    monkeypatch.setattr(toy.rules, "score", lambda table, seat: table.purse[seat])
    with pytest.raises(AttributeError, match="'Toy' object has no attribute 'purse'"):
        _ = toy.start().scores
    with pytest.raises(AttributeError, match="'State' object has no attribute 'colour'"):
        _ = toy.start().colour


def test_unknown_beats_events_and_rules_are_refused_in_words(toy):
    turn = toy.read("squares 0 0").play({0: "1", 1: "2"})
    for beat in (-1, 99, None, "1", 0.5):
        with pytest.raises(CrashlabError, match="there is no beat"):
            turn.at(beat)
    for number in (-1, 99, None, "1"):
        with pytest.raises(CrashlabError, match="this turn has no event"):
            turn.why(number)
    with pytest.raises(CrashlabError, match="there is no rule 'TOY-9'; the rules are TOY-1"):
        _ = toy.rulebook["TOY-9"]


def test_actions_of_chance_cannot_be_given_to_a_seat(toy):
    outcome = toy.read("squares 0 0; windy").actions(CHANCE)[0]
    with pytest.raises(CrashlabError, match="action of seat -1"):
        toy.read("squares 0 0").play({0: outcome, 1: "1"})


def test_bad_luck_is_refused(toy):
    for luck in ("xyz", "-1", "1" * 17, "1_0", "0x1f", "1; luck 1"):
        with pytest.raises(CrashlabError, match="luck"):
            toy.read(f"squares 0 0; luck {luck}")
    for number in (10, None, 1.5):  # 10 would be read as 16
        with pytest.raises(CrashlabError, match="hexadecimal"):
            toy.read({"squares": [0, 0], "luck": number})


def test_random_numbers_are_those_of_splitmix64():
    """The published outputs of SplitMix64 for the seed 1234567; records of matches depend on them."""
    rng = Random.at(1234567)
    assert [rng.below(1 << 64) for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_split_gives_independent_sources():
    assert Random(7).split("a").luck == Random(7).split("a").luck != Random(7).split("b").luck
    assert sorted(Random(1).shuffled(range(9))) == list(range(9))


def test_random_numbers_are_even():
    rng = Random(1)
    rolls = [rng.below(6) for _ in range(6000)]
    assert all(900 < rolls.count(face) < 1100 for face in range(6))
    weighted = [Random(seed).weighted([1, 0, 3]) for seed in range(2000)]
    assert weighted.count(1) == 0 and 420 < weighted.count(0) < 580
    assert [Random(7).weighted(np.array([200, 250], np.uint8)), Random(7).below(np.int64(6))] == [
        Random(7).weighted([200, 250]),
        Random(7).below(6),
    ]


def test_nothing_is_drawn_from_nothing():
    for draw in (
        lambda: Random(1).below(0),
        lambda: Random(1).choice([]),
        lambda: Random(1).weighted([]),
        lambda: Random(1).weighted([0, 0]),
    ):
        with pytest.raises(CrashlabError, match="nothing to choose from"):
            draw()


def test_dice_must_be_used_up_and_must_fit():
    with pytest.raises(CrashlabError, match="not used"), Dice(1, 2) as dice:
        dice.below(6)
    with pytest.raises(CrashlabError, match="used up"):
        Dice().below(6)
    with pytest.raises(CrashlabError, match="below 3"):
        Dice(3).below(3)
    with pytest.raises(CrashlabError, match="cannot be split"):
        Dice(3).split("a")


def test_an_event_is_the_change():
    from toy.state import Toy

    table, trace = Toy(), Trace()
    (square,) = Toy.numbers("square")
    first = happen(table.square, square, 1, 4, 0, -1, trace)
    next_beat(trace)
    remark = note(1, first, 7, 8, 9, 10, trace)
    assert happen(table.square, square, 1, 4, 0, remark, trace) == remark  # nothing changed: the cause is returned
    assert trace.rows == [(1, 0, -1, square, 1, 0, 4, 0), (2, 1, first, -1, 7, 8, 9, 10)]
    again = Toy()
    replay(again, trace.rows)
    assert again == table
    with pytest.raises(ValueError, match=r"square\[1\] is 4, not 0"):
        replay(again, trace.rows)


def test_the_latest_change_of_a_number_can_be_found():
    from toy.state import Toy

    table, trace = Toy(), Trace()
    (square,) = Toy.numbers("square")
    assert latest(square, 1, trace) == latest(square, 1, None) == NOWHERE
    for new in (4, 5):
        happen(table.square, square, 1, new, 0, NOWHERE, trace)
    happen(table.square, square, 0, 3, 0, NOWHERE, trace)
    note(0, NOWHERE, square, 1, 5, 0, trace)
    assert (latest(square, 1, trace), latest(square, 0, trace), latest(square + 1, 1, trace)) == (1, 2, NOWHERE)


def test_a_copy_is_independent():
    from toy.state import Toy

    table = Toy()
    twin = table.copy()
    twin.square[0] = 3
    assert table.square == [0, 0] and twin != table
