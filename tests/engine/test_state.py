"""Properties of states, turns and actions for programs, without reading text."""

import copy
import json

import pytest

import crashlab
from crashlab import CHANCE, CrashlabError, Random
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import random_play
from crashlab.engine import next_decision
from crashlab.engine.game import Game
from crashlab.games import NAMES

GAMES = [Game("toy", "toy", {}), *map(crashlab.game, NAMES), crashlab.game("crash_and_grab", players=2)]
each_game = pytest.mark.parametrize("game", GAMES, ids=repr)
TOY = GAMES[0]


def walk(game, seed, decisions):
    """Yield turns of a random game."""
    state, rng = game.start(seed), Random(seed)
    for _ in range(decisions):
        if state.over:
            return
        turn = state.sample(rng)
        yield turn
        state = turn.after


@each_game
def test_a_seat_is_a_number_or_a_letter(game):
    state = game.start(3)
    assert game.seat("b") == game.seat(1) == 1 and game.seat(" A ") == 0
    for seat in state.actors:
        letter = game.seat_name(seat)
        assert state.actions(letter) is state.actions(seat)
        assert state.code(letter, state.actions(seat)[0]) == state.actions(seat).codes[0]
    assert state.seen_by("A") == state.seen_by(0)
    for wrong in ("Z", "AB", "", 17, None, 1.5):
        with pytest.raises(CrashlabError, match=r"there is no seat .*; the seats are 0 or A, 1 or B"):
            game.seat(wrong)


def test_actions_are_given_by_letter_too():
    game = crashlab.game("autoscooter", players=8)
    state = game.start()
    plots = {letter: state.actions(letter)[0] for letter in "ABCDEFGH"}
    turn = state.play(plots)
    assert turn.rows == state.play({game.seat(letter): plot for letter, plot in plots.items()}).rows
    assert turn.seen_by("C") == turn.seen_by(2)
    with pytest.raises(CrashlabError, match=r"A, B, .* and H decide now, but actions are given for"):
        state.play(plots | {0: plots["A"]})


@each_game
def test_it_is_said_who_is_asked_what_about_which_piece(game):
    for turn in walk(game, 5, 12):
        state = turn.after
        keys = {piece.key for piece in state.picture().pieces}
        assert [question.seat for question in state.asked] == list(state.actors)
        for question in state.asked:
            assert question.name == game.seat_name(question.seat) and question.decision and question.about
            assert question.piece in keys | {""}


def test_of_autoscooter_it_is_said_which_car_is_planned():
    state = crashlab.game("autoscooter", players=2).start()
    assert [(question.name, question.decision, question.piece) for question in state.asked] == [
        ("A", "plot", "car 1"),
        ("B", "plot", "car 2"),
    ]


@each_game
def test_the_parts_of_actions_and_events_are_plain_values(game):
    for turn in walk(game, 8, 25):
        for seat, action in turn.actions.items():
            assert json.loads(json.dumps(action.parts)) == action.parts
            assert turn.before.code(seat, str(action)) == action.code
        for event in turn.events:
            assert json.loads(json.dumps(event.what)) == event.what and (event.what or event.field is None)


def test_a_crash_is_told_in_the_words_of_the_position():
    game = crashlab.game("autoscooter", players=2)
    state = game.read({"cars": {"1": "21E2", "2": "23W1"}})
    turn = state.play({0: "1 FF", 1: "2 F"})
    assert turn.actions[0].parts == {"number": 1, "manoeuvre": "FF"}
    crash = next(event for event in turn.events if event.rule == "AS-C1")
    assert crash.what == {"rammer": "1", "hit": "2", "v": 2, "w": 1}
    drive = next(event for event in turn.events if event.field == "cell")
    assert drive.what == {"car": "1", "hex": [2, 2], "was": [2, 1]}
    state = game.read({"round": 11, "cars": {"1": "21E0"}})
    assert state.play("-").events[-1].what == {"most": 20, "winners": ["A", "B"]}


@each_game
def test_copies_are_the_same_thing(game):
    turn = next(walk(game, 1, 1))
    action = next(iter(turn.actions.values()))
    for thing in (game, turn, turn.before, turn.after, action):
        assert copy.copy(thing) is thing and copy.deepcopy([thing])[0] is thing


@each_game
def test_playing_by_code_leads_where_playing_leads(game):
    for turn in walk(game, 21, 40):
        codes = {seat: action.code for seat, action in turn.actions.items()}
        after = turn.before.play_codes(codes)
        assert after.table == turn.after.table
        again = turn.before.play_codes(codes, trace=True)
        assert again.rows == turn.rows and again.after == after
        assert turn.before.play({seat: turn.actions[seat] for seat in codes}).after == after


@each_game
def test_a_turn_is_its_decision_and_what_followed_by_itself(game):
    several = 0
    for turn in walk(game, 33, 60):
        first, *others = turn.parts
        several += bool(others)
        assert first.before == turn.before and turn.parts[-1].after is turn.after
        assert turn.actions.items() <= first.actions.items()
        assert sum(len(part.rows) for part in turn.parts) == len(turn.rows)
        assert [event.text for part in turn.parts for event in part.events] == [event.text for event in turn.events]
        for before, after in zip(turn.parts, others, strict=False):
            assert before.after is after.before and after.beats >= 1
        for part in others:  # every choice is forced: each driver is asked for his one action
            for seat, action in part.actions.items():
                assert list(part.before.actions(seat)) == [action] and seat in part.before.actors
            assert part.before.play().rows == part.rows or len(turn.parts) > 2
    assert several or game.name != "crash_and_grab"


def test_a_position_can_stop_before_what_is_forced():
    forced = TOY.read("squares 4 4", forced=False)
    assert forced.actors == (0, 1) and not forced.over and TOY.read("squares 4 4").over
    assert [list(map(str, forced.actions(seat))) for seat in (0, 1)] == [["1"], ["1"]]
    turn = forced.play()
    assert turn.after == TOY.read("squares 4 4") and turn.after.winners == (0, 1)
    assert {seat: str(action) for seat, action in turn.parts[0].actions.items()} == {0: "1", 1: "1"}
    assert forced.play({0: "1", 1: "1"}).rows == turn.rows
    undecided = type("Undecided", (), {"__bool__": lambda self: 1 / 0})()
    with pytest.raises(CrashlabError, match=r"forced=.*give True or False"):
        TOY.read("squares 4 4", forced=undecided)


def test_a_key_forgets_what_it_is_told_to():
    game = crashlab.game("autoscooter", players=2)
    first, later = game.read({"cars": {"1": "21E0"}}), game.read({"cars": {"1": "21E0"}, "round": 3})
    assert first.key() != later.key() and first.key() == game.read({"cars": {"1": "21E0"}, "luck": "ff"}).key()
    assert first.key(ignore=["round", "used"]) == later.key(ignore=("used", "round"))
    assert {first.key(): 1}[first.key()] == 1
    with pytest.raises(CrashlabError, match="there is no field 'rounds'; the fields are players, "):
        first.key(ignore=["rounds"])


@each_game
def test_what_everybody_knows_is_what_no_seat_has_alone(game):
    for turn in walk(game, 4, 30):
        public, views = turn.after.seen_by(None), [turn.after.seen_by(seat) for seat in game.seats]
        for place, row in enumerate(public.table.rows()):
            for index, value in enumerate(row):
                values = [view.table.rows()[place][index] for view in views]
                assert value == (-2 if -2 in values else values[0])
        assert "the public view" in public.closed


@each_game
def test_there_is_one_random_player(game):
    """A playout plays like `sample`: the same numbers lead to the same games."""
    backend = choose_backend.interpreted(game.rules)
    decide = backend.bind(random_play.play_on)
    state, rng = game.start(9), Random(9)
    table, luck = state.table.copy(), [rng.luck]
    out = [0] * game.rules.MOST_ACTIONS
    for _ in range(40):
        if state.over:
            break
        state = state.sample(rng).after
        decide(table, 1, luck, out, None)
        while game.rules.actors(table) and all(
            game.rules.only_action(table, seat, out) != -1 for seat in next_decision.deciding(game.rules, table)
        ):
            next_decision.decide(game.rules, table, {}, None)
        assert table == state.table and luck == [rng.luck]


def test_a_picture_is_made_once():
    state = crashlab.game("crash_and_grab").start(2)
    assert state.picture() is state.picture()


@each_game
def test_chance_is_called_so(game):
    for turn in walk(game, 6, 60):
        if turn.before.actors == (CHANCE,):
            assert turn.before.actions("chance") is turn.before.actions(CHANCE)
            assert turn.before.asked[0].name == "chance"
            return


@each_game
def test_what_is_said_of_a_game_is_true_of_its_games(game):
    facts, chance, secrets, together = game.facts, False, False, False
    low, high = facts.scores
    for seed in range(3):
        decisions = 0
        for turn in walk(game, seed, 150):
            state, decisions = turn.before, decisions + 1
            chance |= state.actors == (CHANCE,)
            together |= len(state.actors) > 1
            secrets |= any(-2 in row for seat in game.seats for row in state.seen_by(seat).table.rows())
            assert all(low <= score and (high is None or score <= high) for score in turn.after.scores)
        assert facts.longest is None or decisions <= facts.longest
    assert (facts.chance, facts.secrets, facts.simultaneous) == (chance, secrets, together)


@each_game
def test_an_observation_is_what_is_said_of_it(game):
    assert sum(section.size for section in game.observation) == len(game.start(1).observation(0))
    for turn in walk(game, 12, 60):
        for seat in (*game.seats, None):
            numbers = turn.after.observation(seat)
            view = turn.after.seen_by(seat).table
            for section in game.observation:
                part = numbers[section.first : section.first + section.size].tolist()
                assert part == vars(view)[section.field]
                assert all(number == -2 or section.low <= number <= section.high for number in part), section


@pytest.mark.few(2)
@each_game
def test_actions_are_numbered_or_built_word_by_word(game):
    for turn in walk(game, 14, 40):
        state = turn.before
        for seat in state.actors:
            actions = state.actions(seat)
            if game.vocabulary:
                numbers = [state.number(seat, action) for action in actions]
                assert len(set(numbers)) == len(numbers) and all(0 <= n < game.vocabulary for n in numbers)
                assert [state.numbered(seat, number) for number in numbers] == list(actions)
            else:
                with pytest.raises(CrashlabError, match="too many actions to number them"):
                    state.number(seat, actions[0])
            if seat != CHANCE:
                assert {str(action) for action in built(state, seat)} == {str(action) for action in actions}
            else:
                with pytest.raises(CrashlabError, match=r"^chance has no choices; odds\(\) lists"):
                    state.choices(seat)


def built(state, seat, *chosen):
    """Yield all actions that further words can make."""
    for choice in state.choices(seat, *chosen):
        yield from [choice.action] if choice.action else built(state, seat, *chosen, choice.word)


def test_plots_are_numbered_by_row_of_the_log_sheet_and_manoeuvre():
    game = crashlab.game("autoscooter", players=2)
    state = game.start()
    assert game.vocabulary == 177 and state.number(0, "-") == 0 and str(state.numbered("A", 0)) == "-"
    assert state.number("A", "1 FLL") == 1 and state.number("B", "15 FLL") == 17
    assert state.number("A", "1 P") == 16 and str(state.numbered("B", 17)) == "15 FLL"
    with pytest.raises(CrashlabError, match=r"3 F is not a plot of this car"):
        state.number("A", "3 F")
    with pytest.raises(CrashlabError, match=r"number=177"):
        state.numbered("A", 177)


@pytest.mark.parametrize("word", [("2",), 2, None, ["card", "2"]])
def test_choices_are_asked_for_word_by_word(word):
    state = crashlab.game("crash_and_grab").start(1)
    with pytest.raises(CrashlabError, match=r"choices\(\) takes words, as in"):
        state.choices(0, word)
