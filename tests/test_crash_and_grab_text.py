"""Crash & Grab in words: what is written is read again, and what is wrong is refused with the reason."""

import json
import re

import pytest

from crashlab import CHANCE, Random
from crashlab.game import Game
from crashlab.games.crash_and_grab import rules, text
from crashlab.games.crash_and_grab import table as tables
from crashlab.happen import HIDDEN, replay


def crash_and_grab(**options):
    return Game("crash_and_grab", "crashlab.games.crash_and_grab", options)


GAMES = [crash_and_grab(players=players) for players in range(2, 7)]
each_number = pytest.mark.parametrize("game", GAMES, ids=repr)
FOUR = crash_and_grab()


def played(game, seed, decisions=10_000):
    """The turns of a game played at random."""
    state, rng = game.start(seed), Random(seed)
    while not state.over and decisions:
        turn = state.sample(rng)
        yield turn
        state, decisions = turn.after, decisions - 1


def tables_met(game, seed, decisions):
    """Every table of a random game at which anybody or chance is asked, also where there is no choice."""
    table, rng, out = game.set_up(Random(seed)), Random(seed), [0] * rules.MOST_ACTIONS
    while (bits := rules.actors(table)) and decisions:
        yield table
        for seat in [CHANCE] if bits == CHANCE else [seat for seat in game.seats if bits >> seat & 1]:
            rules.apply(table, seat, rng.choice(out[: rules.legal(table, seat, out)]), None)
        decisions -= 1
    yield table


@each_number
def test_every_position_of_a_game_is_read_as_it_was_written(game):
    for seed in range(6):
        for table in tables_met(game, seed, 1200):
            line, data = text.write(table), text.to_dict(table)
            assert text.read(game.options, line) == table, line
            assert text.from_dict(game.options, json.loads(json.dumps(data))) == table
            assert tables.problems(table) == []


@each_number
def test_every_legal_answer_is_written_uniquely_and_read_again(game):
    out = [0] * rules.MOST_ACTIONS
    for table in tables_met(game, 77, 1200):
        bits = rules.actors(table)
        for seat in [CHANCE] if bits == CHANCE else [seat for seat in game.seats if bits >> seat & 1]:
            legal = out[: rules.legal(table, seat, out)]
            words = [text.action_text(table, seat, action) for action in legal]
            assert len(set(words)) == len(words)
            for action, word in zip(legal, words, strict=True):
                assert text.read_action(table, seat, word) == text.read_action(table, seat, word.upper()) == action
                assert text.refusal(table, seat, action) == ""
            for action in {*range(60), *(action + 1 for action in legal), 10_000} - {*legal}:
                assert text.refusal(table, seat, action)


@each_number
def test_every_event_has_words_of_its_own_and_problems_never_come(game):
    for turn in played(game, 5, 400):
        table = turn.before.table.copy()
        for beat in range(1, turn.beats + 1):
            replay(table, [row for row in turn.rows if row[0] == beat])
            assert tables.problems(table) == []
        for event in turn.events:
            assert event.text and not re.search(r"None|nobody (heads|travels|has)|saucer -|saucer \d", event.text)
            assert event.text == event.text.strip()


@each_number
def test_plans_of_others_are_hidden_until_they_are_revealed(game):
    for turn in played(game, 8, 60):
        state = turn.after
        for seat in game.seats:
            view = state.seen_by(seat)
            for saucer in range(state.table.saucers[0]):
                hidden = view.table.plan[saucer] == HIDDEN
                own = tables.owner(state.table, saucer) == seat
                if own or state.table.plan[saucer] < 0:
                    assert not hidden
                elif saucer != state.table.turn[0]:
                    assert hidden
                elif state.table.distance[0]:
                    assert not hidden
            assert view.actors == state.actors
            assert view.guess(Random(3)).seen_by(seat) == view
            assert game.read(view.text).table == view.table
