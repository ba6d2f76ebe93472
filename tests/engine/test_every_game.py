"""The conformance suite of all games and all their options.

One game of each variant is played at random, and all tests of whole games use that one.
"""

import itertools
import json
import pickle
import re
from functools import lru_cache

import numpy as np
import pytest
from effort import effort
from game_variants import examples, one_by_one

import crashlab
from crashlab import CHANCE, CrashlabError, Random
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import random_play
from crashlab.engine import contract, position
from crashlab.engine.chance import next_luck
from crashlab.engine.game import names_of
from crashlab.engine.next_decision import deciding
from crashlab.engine.table import HIDDEN, NOWHERE, Trace, replay

VARIANTS = list(one_by_one())
MOMENTS = effort(300, 900)
ROUND_TRIPS = 60  # positions of a game to write and read, at most; one in seven
# By module, so that all tests of one game follow one another.
every_variant = pytest.mark.parametrize("game", VARIANTS, ids=repr, scope="module")
every_game = pytest.mark.parametrize("game", [*map(crashlab.game, crashlab.games())], ids=repr, scope="module")


def play(game, seed):
    """Yield the turns of a game played at random."""
    state, rng = game.start(seed), Random(seed)
    while not state.over:
        turn = state.sample(rng)
        yield turn
        state = turn.after


@lru_cache(1)
def played(game):
    """Return the turns of the game that all tests use."""
    return [*play(game, 1)]


@pytest.mark.few(7)
@every_variant
def test_a_game_played_at_random_ends_and_has_winners(game):
    *_, last = played(game)
    assert last.after.over and last.after.actors == () and game.problems(last.after) == []
    best = max(last.after.scores)
    assert last.after.winners == tuple(s for s in game.seats if last.after.scores[s] == best)


@pytest.mark.few(2)
@every_variant
def test_the_invariants_hold_after_every_beat(game):
    for turn in played(game):
        assert game.problems(turn.after) == []
        table = turn.before.table.copy()
        for _, rows in itertools.groupby(turn.rows, key=lambda row: row[0]):
            replay(table, rows)
            if table != turn.after.table:
                assert not [p for p in game.problems(crashlab.State(game, table)) if "chits" not in p]


@pytest.mark.few(4)
@every_variant
def test_the_events_alone_rebuild_the_table(game):
    for turn in played(game):
        table = turn.before.table.copy()
        replay(table, turn.rows)
        assert table == turn.after.table


@pytest.mark.few(16)
@every_variant
def test_the_trace_changes_nothing(game):
    """The same actions lead to the same table with and without a trace."""
    watched, alone = game.start(2).table.copy(), game.start(2).table.copy()
    backend = choose_backend.interpreted(game.rules)
    decide, out, trace = backend.bind(random_play.decide), backend.row(game.rules.MOST_ACTIONS), Trace()
    luck, other = backend.luck(2), backend.luck(2)
    while bits := game.rules.actors(watched):
        decide(watched, bits, luck, out, trace)
        decide(alone, bits, other, out, None)
        assert watched == alone and luck == other


@pytest.mark.few(13)
@every_variant
def test_who_decides_at_the_same_time_decides_alone(game):
    """A seat's actions and its random choice do not depend on whether the others have decided before it."""
    for turn in played(game)[:4]:
        actors, table = turn.before.actors, turn.before.table.copy()
        out = [0] * game.rules.MOST_ACTIONS
        for place, seat in enumerate(actors[:-1]):
            game.rules.apply(table, seat, turn.actions[seat].code, None)
            for later in actors[place + 1 :]:
                legal = out[: game.rules.legal(table, later, out)]
                assert legal == turn.before.actions(later).codes
                after, before = (game.rules.draw(it, later, 12345, out) for it in (table, turn.before.table))
                assert after == before


@pytest.mark.few(6)
@every_variant
def test_rows_keep_their_sizes_and_hold_numbers(game):
    """Compiled rules need rows of 32-bit integers, with none hidden, and of fixed length."""
    for turn in played(game):
        table = turn.after.table
        assert tuple(map(len, table.rows())) == table.SIZES and tuple(vars(table)) == (*table.NAMES, *table.INDEXES)
        numbers = [*itertools.chain(*table.rows())]
        assert {*map(type, numbers)} == {int} and HIDDEN not in numbers and max(map(abs, numbers)) < 1 << 31


@every_game
def test_what_a_state_tells_hides_no_name_of_its_own(game):
    state = game.start(1)
    names = names_of(game.position.Facts)
    assert names and not set(names) & {*dir(crashlab.State), *vars(state)}


def moments(game, seed, most):
    """Yield the tables of a random game at which a seat or chance decides, even with a single action."""
    table, rng, out = game.start(seed).table.copy(), Random(seed), [0] * game.rules.MOST_ACTIONS
    while (seats := deciding(game.rules, table)) and most:
        yield table, seats
        table = table.copy()
        for seat in seats:
            game.rules.apply(table, seat, rng.choice(out[: game.rules.legal(table, seat, out)]), None)
        most -= 1
    yield table, ()


@pytest.mark.few(8)
@every_variant
def test_every_moment_is_read_as_it_was_written(game):
    """A position is read back from its line, from its JSON, and from JSON with the defaults."""
    parts = game.position.PARTS
    for number, (table, _) in enumerate(moments(game, 5, MOMENTS)):
        every = position.to_dict(parts, table, defaults=True)
        assert [*every] == [part.key for part in parts]
        ways = position.write(parts, table), *(json.dumps(text) for text in (position.to_dict(parts, table), every))
        text = ways[number % 3]
        assert game.read(json.loads(text) if number % 3 else text, forced=False).table == table, text


@pytest.mark.few(8)
@every_variant
def test_every_answer_is_written_uniquely_and_read_again(game):
    rng, decisions = Random(1), set()
    for table, seats in itertools.islice(moments(game, 6, MOMENTS), 0, None, 3):
        for seat in seats:
            legal = contract.legal_actions(game.rules, table, seat)
            words = [game.say(table, seat, action) for action in legal]
            assert len(set(words)) == len(words)
            for place in rng.shuffled(range(len(legal)))[:4]:
                for text in (words[place], words[place].upper(), words[place].lower()):
                    assert game.read_action(table, seat, text) == legal[place]
                assert game.refuse(table, seat, legal[place], legal) == ""
            if game.decision(table, seat).name not in decisions:
                decisions.add(game.decision(table, seat).name)
                for text in (3, 3.5, {}, [7], b"no", "99 ZZZ", "999999999999 F", "\u00b2", "+", "()"):
                    with pytest.raises(CrashlabError, match="cannot read"):
                        game.read_action(table, seat, text)


@pytest.mark.few(5)
@every_variant
def test_text_and_json_round_trip(game):
    turns = played(game)
    for turn in turns[:: max(7, len(turns) // ROUND_TRIPS)]:
        state = turn.after
        again = game.read(state.text)
        assert again == state and hash(again) == hash(state)
        assert game.read(json.loads(json.dumps(state.to_dict()))) == state


@pytest.mark.few(13)
@every_variant
def test_same_seed_same_game(game):
    again = [turn.after for turn in itertools.islice(play(game, 1), 40)]
    assert again == [turn.after for turn in played(game)[:40]]


@pytest.mark.few(2)
@every_game
def test_a_state_never_changes(game):
    for turn in played(game):
        text = turn.before.text
        turn.before.sample(Random(99))
        assert turn.before.text == text


@every_game
def test_states_and_turns_can_be_sent_elsewhere(game):
    turn = played(game)[0]
    twin = pickle.loads(pickle.dumps(turn))
    assert twin.after == turn.after and twin.rows == turn.rows and twin.events == turn.events


@every_game
def test_the_notation_is_documented_by_examples_that_can_be_read(game):
    """Every indented line of the notation that looks like a position is one."""
    lines, *others = re.findall(r"(?:^    .*\n)+", game.notation, re.MULTILINE)
    (data,) = [example for example in others if example.lstrip().startswith("{")]
    assert game.read(lines.strip()).text == lines.strip()
    assert game.read(json.loads(data)) == game.read(lines.strip())


@every_game
def test_beats_and_causes_go_forward(game):
    for turn in played(game):
        beats = [row[0] for row in turn.rows]
        assert beats == sorted(beats) and (not beats or beats[0] >= 1)
        for event in turn.events:
            assert event.cause is None or event.cause < event.number
            assert event.rule in game.rulebook
            assert event.text and "None" not in event.text
        assert turn.at(0) == turn.before and turn.at(turn.beats) == turn.after


@pytest.mark.few(18)
@every_variant
def test_only_what_a_decision_itself_does_has_no_cause(game):
    """The first event of a decision has no cause; a plan written in secret causes nothing until it is taken up."""
    backend, table, plans = choose_backend.interpreted(game.rules), game.start(7).table.copy(), {}
    choose, luck, out = backend.bind(random_play.choose), backend.luck(7), backend.row(game.rules.MOST_ACTIONS)
    while bits := game.rules.actors(table):
        seats = [CHANCE] if bits == CHANCE else [seat for seat in game.seats if bits >> seat & 1]
        for seat in seats:
            trace = Trace()
            game.rules.apply(table, seat, choose(table, seat, luck, out), trace)
            (_, _, _, *number, _, after, _), *others = trace.rows
            if len(seats) > 1:
                plans[tuple(number)] = after
            for row in others:
                _, _, cause, field, index, before, _, _ = row
                assert cause != NOWHERE or plans.pop((field, index), None) == before, (row, table)


@every_game
def test_asked_is_said_only_where_somebody_is(game):
    """Only the last question of a turn can be open: the others were answered by their only answer."""
    for turn in played(game):
        questions = [event for event in turn.events if event.field == "phase"]
        for event in questions[:-1]:
            assert "is asked" not in event.text, event


@every_game
def test_every_event_has_its_chain_of_causes_in_words(game):
    for turn in played(game)[:12]:
        for event in turn.events:
            words = " ".join(turn.why(event).split())
            assert event.rule in words and game.rulebook[event.rule].text in words


@every_game
def test_legal_actions_apply_and_are_accepted_in_notation(game):
    for turn in played(game)[:12]:
        state = turn.before
        rng = Random(9)
        for seat in state.actors:
            actions = state.actions(seat)
            assert len(actions) == len(set(actions)) == len(set(map(str, actions)))
            for action in actions:
                assert state.refusal(seat, action) == state.refusal(seat, str(action)) == ""
                assert str(action) in actions
            choice = rng.choice(actions)
            joint = {other: rng.choice(state.actions(other)) for other in state.actors}
            by_object = state.play({**joint, seat: choice})
            by_word = state.play({other: str(action) for other, action in {**joint, seat: choice}.items()})
            assert by_object.after == by_word.after


@every_game
def test_an_action_of_another_position_is_what_its_notation_says(game):
    """Even if its integer means something else there, a stored action is played as written or refused."""
    stored, refused = {}, 0
    for turn in played(game)[:60]:
        state = turn.before
        for seat in state.actors:
            view = state.seen_by(seat) if seat != CHANCE else state
            assert list(map(str, view.actions(seat))) == list(map(str, state.actions(seat)))
            for action in stored.get(seat, ()):
                reason = state.refusal(seat, action)
                assert reason == state.refusal(seat, str(action)) and (action in state.actions(seat)) == (not reason)
                if reason:
                    refused += 1
                else:
                    assert state.code(seat, action) == state.code(seat, str(action))
            stored[seat] = Random(9).shuffled(state.actions(seat))[:5]
    assert refused


@every_game
def test_what_is_no_seat_is_refused_and_what_a_seat_sees_is_right(game):
    state = game.start(1)
    for seat in ("Z", None, 1.0, True, (), 10**5000):
        assert "does not decide" in state.refusal(seat, "x") and game.seat_name(seat).startswith("seat ")
        asks = (state.actions, game.seat, state.sample(Random(1)).seen_by)
        for ask in asks if seat is None else (*asks, state.seen_by):  # seen_by(None) is the public view
            with pytest.raises(CrashlabError):
                ask(seat)
    for turn in played(game)[:8]:
        for seat in game.seats:
            assert game.problems(turn.after.seen_by(np.int64(seat))) == []
        for seat in turn.before.actors:
            assert {type(action.seat) for action in turn.before.actions(np.int64(seat))} == {int}


@pytest.mark.few(16)
@every_variant
def test_every_legal_action_is_drawn_equally_often(game):
    """Luck runs from 0 to 2 ** 31: the list of legal actions is laid along it in equal parts."""
    out = [0] * game.rules.MOST_ACTIONS
    for turn in played(game)[:5]:
        table = turn.before.table
        for seat in turn.before.actors:
            codes = turn.before.actions(seat).codes
            starts = [-(-(place << 31) // len(codes)) for place in range(len(codes) + 1)]
            ends = [start - 1 for start in starts[1:]]
            assert [game.rules.draw(table, seat, luck, out) for luck in starts[:-1]] == codes
            assert [game.rules.draw(table, seat, luck, out) for luck in ends] == codes


@every_variant
def test_at_random_a_seat_does_what_it_must_or_draws(game):
    """Luck is used only if there is a choice."""
    row, luck = [0] * game.rules.MOST_ACTIONS, [Random(15).luck]
    for turn in played(game)[:20]:
        for seat in turn.before.actors if turn.before.actors != (CHANCE,) else ():
            expected = luck[:]
            action = game.rules.only_action(turn.before.table, seat, row)
            if action == NOWHERE:
                action = game.rules.draw(turn.before.table, seat, next_luck(expected), row)
            assert game.rules.at_random(turn.before.table, seat, luck, row) == action and luck == expected


@every_game
def test_codes_that_are_not_listed_are_refused(game):
    """Every int near a legal one is either listed or refused, and so are some of the others."""
    state = game.start(1)
    seat = state.actors[0]
    legal = set(state.actions(seat).codes)
    near = {code + apart for code in legal for apart in range(-40, 41) if code + apart > 0}
    unlisted = near.union(range(1, max(legal), 1 + max(legal) // 10_000)) - legal
    assert unlisted
    for code in unlisted:
        assert state.refusal(seat, crashlab.Action(state, seat, code)), code


@every_game
def test_nonsense_is_refused_in_words_and_changes_nothing(game):
    state = game.start(1)
    text, seat = state.text, state.actors[0]
    for nonsense in ("", "xyzzy", "99 ZZZ", 3.5, [], "999999999999 F"):
        assert state.refusal(seat, nonsense)
        with pytest.raises(CrashlabError):
            state.play(dict.fromkeys(state.actors, nonsense))
    for missing in ({}, {seat: state.actions(seat)[0], 17: "x"}, "x", None):
        with pytest.raises(CrashlabError):
            state.play(missing)
    with pytest.raises(CrashlabError):
        state.actions(55)
    assert state.text == text


OTHER_DIGITS = [str.maketrans("0123456789", digits) for digits in ("٠١٢٣٤٥٦٧٨٩", "０１２３４５６７８９", "⁰¹²³⁴⁵⁶⁷⁸⁹")]


def in_other_digits(words):
    """Yield the words with one digit replaced by that of another script, for every seventh digit."""
    for number, match in enumerate([*re.finditer("[0-9]", words)][::7]):
        digit = match[0].translate(OTHER_DIGITS[number % 3])
        yield words[: match.start()] + digit + words[match.end() :]


@every_game
def test_only_the_digits_from_0_to_9_are_digits(game):
    """Digits of other scripts are refused in actions, positions, JSON and luck."""
    refused = 0
    for turn in played(game)[5:60:7]:
        state = turn.before
        for seat in state.actors:
            for action in state.actions(seat)[:5]:
                for words in in_other_digits(str(action)):
                    assert state.refusal(seat, words), words
                    refused += 1
        for words in in_other_digits(state.text):
            with pytest.raises(CrashlabError):
                game.read(words)
        data = json.dumps(state.to_dict())
        for quoted in re.finditer('"[^"]*"', data):
            for words in in_other_digits(quoted[0]):
                with pytest.raises(CrashlabError):
                    game.read(json.loads(data[: quoted.start()] + words + data[quoted.end() :]))
    assert refused


@every_game
def test_nonsense_options_and_positions_are_refused_in_words(game):
    with pytest.raises(CrashlabError, match="there is no option 'colour'"):
        crashlab.game(game.name, colour=3)
    for option in game.choices:
        with pytest.raises(CrashlabError, match=f"option {option.name}"):
            crashlab.game(game.name, **{option.name: "nonsense"})
    for words in ("", "nonsense", "round", ";;;", {}, {"nonsense": 1}, 7, None):
        with pytest.raises(CrashlabError):
            game.read(words)


def test_unknown_games_are_refused():
    with pytest.raises(CrashlabError, match="the games are autoscooter"):
        crashlab.game("ludo")


@every_game
def test_a_view_hides_what_is_secret_and_a_guess_fills_it_in(game):
    for turn in played(game)[:10]:
        state = turn.after
        for seat in game.seats:
            view = state.seen_by(seat)
            assert view.luck == 0 and view.table is not state.table
            assert view.actors == state.actors and view.scores == state.scores
            if seat in state.actors:  # agents choose from their view
                assert view.actions(seat).codes == state.actions(seat).codes
            guess = view.guess(Random(3))
            assert guess.seen_by(seat) == view
            assert game.problems(guess) == []
            if not guess.over:
                guess.sample(Random(4))


@every_game
def test_what_a_seat_may_know_of_a_turn_leads_to_what_it_sees(game):
    """The events that it may know, applied to its old view, give its new view, no less and no more."""
    for turn in played(game)[:12]:
        for seat in game.seats:
            view = turn.before.seen_by(seat).table.copy()
            fields = view.rows()
            for event in turn.seen_by(seat):
                if event.field is not None:
                    fields[view.NAMES.index(event.field)][event.index] = event.after
            after = turn.after.seen_by(seat).table
            for actual, expected in zip(fields, after.rows(), strict=True):
                assert all(a == b or HIDDEN == b for a, b in zip(actual, expected, strict=True))


@every_game
def test_every_option_says_what_it_is_and_cites_its_rule(game):
    for option in game.choices:
        values = set(examples(option))
        assert option.text and option.default in values
        assert len({option.inside(value) for value in values}) == len(values)
        assert option.rule in game.rulebook


@every_game
def test_the_rulebook_is_complete(game):
    ids = [rule.id for rule in game.rulebook]
    assert len(ids) == len(set(ids))
    for rule in game.rulebook:
        assert rule.title and rule.text.endswith(".") and rule.mark in crashlab.engine.rulebook.MARKS
        assert len(rule.numbers) <= 4


RULINGS = [  # rules, with phrases of their texts and phrases that must not return
    *(("crash_by_crash", f"CB-K{card}", "a car, a standard one (inferred)", "") for card in (9, 10, 11, 13)),
    ("crash_by_crash", "CB-V1", "House rulings: a team has four first cars, and", "belong to the team. At"),
    ("crash_by_crash", "CB-V1", "with its lower-numbered seat. If the sums are equal, the seat that put the first", ""),
    ("crash_and_grab", "CG-S2", "recovered: so do both saucers", "house ruling"),
    ("crash_and_grab", "CG-H1", "Recovered: buy as often", "ouse ruling"),
    ("crash_and_grab", "CG-M4", "recovered: even if it is the player's own second saucer", ""),
    ("crash_and_grab", "CG-R9", "wins, or tied players share the win", "draw"),
    ("crash_city", "CC-E2", "the same ranking decides a game", "without a winner"),
]


@pytest.mark.parametrize(("name", "rule", "phrase", "old_phrase"), RULINGS)
def test_a_text_marks_what_is_inferred_recovered_or_a_house_ruling_and_says_who_wins(name, rule, phrase, old_phrase):
    text = crashlab.game(name).rulebook[rule].text
    assert phrase in text and (not old_phrase or old_phrase not in text)


def test_what_both_rulebooks_of_crash_by_crash_say_has_no_other_source():
    game = crashlab.game("crash_by_crash")
    assert game.rulebook["CB-K5"].source == ""
    editions = {rule: dict(game.rulebook[rule].editions) for rule in ("CB-K9", "CB-V1")}
    assert "in two directions" in editions["CB-K9"]["czech"] and "one or two" in editions["CB-K9"]["english"]
    assert "for each card that was played" in editions["CB-V1"]["czech"]
    assert "at every draw" in editions["CB-V1"]["english"]
    assert "nobody may pass is stated" in editions["CB-V1"]["english"]


def test_the_option_of_the_last_round_promises_no_draw():
    (limit,) = [option for option in crashlab.game("crash_and_grab").choices if option.name == "round_limit"]
    assert "draw" not in limit.text


@every_game
def test_one_decision_at_a_time_and_chance_has_odds(game):
    for turn in played(game):
        state = turn.before
        if state.actors == (CHANCE,):
            assert abs(sum(state.odds().values()) - 1) < 1e-9
        for seat in state.actors:
            out = [0] * game.rules.MOST_ACTIONS
            assert game.rules.only_action(state.table, seat, out) == NOWHERE and len(state.actions(seat)) > 1
