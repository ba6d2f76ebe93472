"""No invariant is ever broken: in a million games of every game, in `make proof`; here in some.

The compiled rules play games at random, with one combination of options after another. Each game is checked at its
start, once in between, and at its end.
"""

import pytest
from effort import effort
from game_variants import combined

import crashlab
from crashlab import Random, State
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import random_play
from crashlab.engine.table import NOWHERE

BLOCKS, SIZE = effort((1, 100), (1, 300), (40, 25_000))
LENGTHS = {"autoscooter": 22, "crash_and_grab": 750, "crash_by_crash": 480, "crash_city": 1650}  # turns, roughly


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("name", LENGTHS)
def test_no_game_breaks_an_invariant(name, block):
    games = list(combined(name, f"crashlab.games.{name}"))
    backend = choose_backend.compiled(games[0].rules)
    play_on, out = backend.bind(random_play.play_on), backend.row(games[0].rules.MOST_ACTIONS)
    for number in range(block * SIZE, (block + 1) * SIZE):
        game, luck = games[number % len(games)], backend.luck(Random(number).luck)
        first = game.start(number)
        work = backend.tables([first.table])
        check(first, number)
        for decisions in (Random(number).below(LENGTHS[name]), NOWHERE):
            play_on(work[0], decisions, luck, out, None)
            state = State(game, backend.table(work, 0), 0)
            check(state, number)
        assert state.over and state.winners, (game, number)


def check(state, number):
    faults = [*state.game.problems(state), *state.game.position.stuck(state.table)]
    assert not faults, (state.game, number, state.text, faults)


def test_every_game_is_played_so_often():
    assert {*LENGTHS} == {*crashlab.games()}
