"""Interpreted and compiled rules do the same, event by event."""

import numpy as np
import pytest
from effort import effort
from game_variants import combined

import crashlab
from crashlab import Random
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import random_play
from crashlab.engine.table import NOWHERE, Trace

# Games of each game, shared among its combinations of options, each of which gets at least one; fewer of slow games
# (thousands of events; or decisions with 600 actions each). In `make proof` it is the full number of every game.
GAMES = 5000
SHARES = {"toy": 20, "autoscooter": 20, "crash_and_grab": 50, "crash_by_crash": 300, "crash_city": 100}
FEWER = effort({name: 5 * share for name, share in SHARES.items()}, SHARES, {})
DECISIONS = effort(150, NOWHERE)  # in each game


def play(backend, game, number, trace, decisions=NOWHERE):
    """Play a game; return the table after it, the number of decisions and the luck."""
    work, luck = backend.tables([game.start(number).table]), backend.luck(Random(number).luck)
    played = backend.bind(random_play.play_on)(work[0], decisions, luck, backend.row(game.rules.MOST_ACTIONS), trace)
    table = backend.table(work, 0)
    if backend.is_compiled:
        assert {name: work[name][0].tolist() for name in table.INDEXES} == table.looked_up()
    return table, played, int(luck[0])


def rows(trace):
    """Return the events of a compiled trace."""
    count = trace[0, 1]
    assert count < len(trace)
    return [tuple(row) for row in trace[1 : count + 1].tolist()]


@pytest.mark.parametrize(("name", "folder"), [("toy", "toy"), *((n, f"crashlab.games.{n}") for n in crashlab.games())])
def test_interpreted_equals_compiled_in_every_state_and_every_event(name, folder):
    games, count = list(combined(name, folder)), GAMES // FEWER.get(name, 1)
    for number in range(max(count, len(games))):
        game = games[number % len(games)]
        trace, events = choose_backend.compiled(game.rules).trace(1_000_000), Trace()
        fast = play(choose_backend.compiled(game.rules), game, number, trace, DECISIONS)
        slow = play(choose_backend.interpreted(game.rules), game, number, events, DECISIONS)
        assert fast == slow and rows(trace) == events.rows and trace[0, 0] == events.beat, (game, number)
        assert play(choose_backend.compiled(game.rules), game, number, None, DECISIONS) == slow


@pytest.mark.parametrize("decisions", range(4))
def test_so_many_decisions_and_no_more(decisions):
    game = crashlab.game("autoscooter")
    for backend in (choose_backend.interpreted(game.rules), choose_backend.compiled(game.rules)):
        assert play(backend, game, 1, None, decisions)[1] == decisions


def test_a_trace_that_is_full_keeps_what_it_has_and_counts_the_rest():
    game = crashlab.game("autoscooter")
    small, large = choose_backend.compiled(game.rules).trace(100), choose_backend.compiled(game.rules).trace(10_000)
    for trace in (small, large):
        play(choose_backend.compiled(game.rules), game, 1, trace)
    assert small[0, 1] == large[0, 1] > 100 and np.array_equal(small[1:], large[1:101])


def test_counters_count_what_the_interpreter_tells():
    game = crashlab.game("autoscooter", players=8)
    counted = []
    for backend in (choose_backend.interpreted(game.rules), choose_backend.compiled(game.rules)):
        rules, seats, games = len(game.rulebook), len(game.seats), 30
        width = 2 * rules + len(game.start().table.NAMES)
        lengths, scores, winners = backend.row(games), backend.row(games * seats), backend.row(games * seats)
        counts = backend.row(games * width)
        starts, work = backend.tables([game.start().table]), backend.tables([game.start().table])
        backend.bind(random_play.play_games)(
            starts,
            games,
            7,
            seats,
            rules,
            width,
            backend.luck(5),
            backend.luck(0),
            backend.row(game.rules.MOST_ACTIONS),
            work,
            backend.counter(width),
            lengths,
            scores,
            winners,
            counts,
        )
        counted.append([list(map(int, row)) for row in (lengths, scores, winners, counts)])
    assert counted[0] == counted[1] and sum(counted[0][3]) > 1000 * 30
