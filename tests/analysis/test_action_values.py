"""Action values: exact in solvable endgames, equal interpreted and compiled, independent of hidden information."""

import itertools
import math

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.analysis import action_values
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import careful_play, flat_search
from crashlab.engine import next_decision
from crashlab.games import NAMES

TWO = crashlab.game("autoscooter", players=2)
BLUFF = TWO.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}})


def test_an_endgame_of_two_is_exact():
    solution = crashlab.solve(BLUFF, progress=False)
    leads = dict(zip(map(str, solution.duel.rows), solution.duel.values @ solution.column, strict=True))
    worths = crashlab.worths(BLUFF, 0)
    assert worths.exact and worths.rows[0].cost == 0
    assert worths.rows[0].value == pytest.approx(solution.value)
    for row in worths.rows:
        assert row.cost >= 0
        if str(row.action) in leads:
            assert row.value == pytest.approx(leads[str(row.action)])


def test_who_ends_the_game_knows_the_lead_exactly():
    city = crashlab.game("crash_city", players=2)
    match = crashlab.Match(city, "greedy", seed=2)
    match.run()
    turn = next(turn for turn in reversed(match.turns) if len(turn.before.actions(turn.before.actors[0])) > 1)
    assert turn.after.over
    seat = turn.before.actors[0]
    worths = crashlab.worths(turn.before, seat, playouts=100, keep=list(turn.actions.values()))
    row = worths.of(turn.actions[seat])
    lead = match.state.scores[seat] - match.state.scores[1 - seat]
    assert (row.exact, row.value, row.half_width) == (True, lead, 0)


@pytest.mark.parametrize("name", NAMES)
def test_interpreted_and_compiled_the_values_are_the_same(name):
    game = crashlab.game(name)
    start = game.start(seed=3)
    values = []
    for backend in (choose_backend.interpreted(game.rules), choose_backend.compiled(game.rules)):
        workspace = action_values.PlayoutRows(backend, game, [start.table], 5)
        codes = start.actions(start.actors[0]).codes[:3]
        values.append((workspace.weigh(start.actors[0], codes, 2, 2, 6, 3), workspace.expect(1, 2, 6)))
    for one, other in zip(*values, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("name", NAMES)
def test_what_an_action_is_worth_is_no_matter_of_what_else_is_weighed(name):
    game = crashlab.game(name)
    start = game.start(seed=3)
    workspace = action_values.PlayoutRows(choose_backend.interpreted(game.rules), game, [start.table], 5)
    seat = start.actors[0]
    codes = start.actions(seat).codes[:3]
    together = workspace.weigh(seat, codes, 0, 3, 6, 3)
    assert np.array_equal(together[:, ::-1], workspace.weigh(seat, codes[::-1], 0, 3, 6, 3))
    for place, code in enumerate(codes):
        assert np.array_equal(together[:, [place]], workspace.weigh(seat, [code], 0, 3, 6, 3))


@pytest.mark.parametrize("name", NAMES)
def test_a_playout_can_be_played_again(name):
    """The recorded actions, played by the plain rules, reach a position with the recorded value."""
    game = crashlab.game(name)
    start = game.start(seed=3)
    seat = start.actors[0]
    code = start.actions(seat).codes[1]
    workspace = action_values.PlayoutRows(choose_backend.interpreted(game.rules), game, [start.table], 5)
    world, played = workspace.played(2, seat, code)
    table, left, out = world.copy(), iter(played), [0] * game.rules.MOST_ACTIONS
    for code in left:
        seats = next_decision.deciding(game.rules, table)
        for actor, choice in zip(seats, [code, *itertools.islice(left, len(seats) - 1)], strict=True):
            game.rules.apply(table, actor, choice, None)
    game.rules.evaluate(table, out)
    value = flat_search.lead(seat, len(game.seats), out)
    assert value == workspace.weigh(seat, [start.actions(seat).codes[1]], 2, 1, action_values.DECISIONS, 3)[0, 0]


def test_the_same_seed_gives_the_same_numbers():
    state = crashlab.game("autoscooter").start(seed=7)
    tables = [crashlab.worths(state, 1, seed=seed, playouts=200).table() for seed in (4, 4, 5)]
    assert tables[0] == tables[1] != tables[2]


@pytest.mark.few(1)
@pytest.mark.parametrize("name", NAMES)
def test_a_seat_is_judged_by_what_it_saw(name):
    """Information hidden from a seat does not change its action values."""
    match = crashlab.Match(crashlab.game(name), "greedy", seed=1)
    for _ in range(12):
        match.play()
        state = match.state
        seat = state.actors[0]
        if seat == crashlab.CHANCE:
            continue
        other = state.seen_by(seat).guess(crashlab.Random(9))
        one, two = (crashlab.worths(position, seat, playouts=20, max_actions=4).table() for position in (state, other))
        assert one == two


def test_what_is_kept_is_compared_to_the_end():
    state = crashlab.game("autoscooter").start(seed=7)
    worst = crashlab.worths(state, 0, playouts=400).rows[-1].action
    kept = crashlab.worths(state, 0, playouts=400, keep=[worst]).of(worst)
    assert kept.laps >= action_values.FEWEST[1]


def test_of_a_long_list_some_are_not_played_out():
    state = crashlab.game("autoscooter").start(seed=7)
    worths = crashlab.worths(state, 0, playouts=100, max_actions=5)
    left_out = [row for row in worths.rows if math.isnan(row.value)]
    assert len(left_out) == len(worths.rows) - 5 and not worths.is_clear()
    assert all(math.isinf(row.cost_half_width) for row in left_out)


@pytest.mark.slow
def test_an_interval_holds_what_many_more_playouts_say():
    """At most four of twenty 95 % intervals miss; five miss by chance once in four hundred times."""
    state = crashlab.game("crash_and_grab").start(seed=2)
    seat = state.actors[0]
    action = state.actions(seat)[3]
    long = crashlab.worths(state, seat, playouts=200_000, seed=99, keep=[action]).of(action).value
    short = [crashlab.worths(state, seat, playouts=400, seed=seed, keep=[action]).of(action) for seed in range(20)]
    assert sum(abs(row.value - long) > row.half_width for row in short) <= 4


def trying(many):
    """Return an agent that plays like the seats of a playout, trying `many` actions."""

    def play(state, seat):
        game, rng = state.game, crashlab.Random(7)
        backend = choose_backend.interpreted(game.rules)
        work = backend.tables([state.guess(rng).table] * 4)
        luck, out = backend.luck(rng.below(1 << 64)), backend.row(game.rules.MOST_ACTIONS)
        bits, seats = game.rules.actors(work[0]), len(game.seats)
        code = backend.bind(careful_play.pick)(work, bits, seat, many, seats, luck, backend.luck(0), out)
        return next(action for action in state.actions(seat) if action.code == code)

    return play


def test_the_seats_of_a_playout_play_better_than_at_random():
    games = [crashlab.Match(TWO, {0: trying(8), 1: trying(1)}, seed=seed) for seed in range(6)]
    ends = [game.run().scores for game in games]
    assert sum(one - other for one, other in ends) > 0


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"playouts": 0}, "playouts=0"),
        ({"max_actions": 1}, "max_actions=1"),
        ({"seconds": -1}, "seconds=-1"),
        ({"keep": ["99 FFF"]}, "cannot play '99 FFF'"),
        ({"keep": "17 FF"}, "give a list of actions"),
        ({"seed": "x"}, "seed"),
    ],
)
def test_what_cannot_be_asked_is_refused(asked, words):
    with pytest.raises(CrashlabError, match=words):
        crashlab.worths(TWO.start(seed=1), 0, **asked)


def test_a_view_is_refused_and_a_seat_that_does_not_decide():
    state = TWO.start(seed=1)
    with pytest.raises(CrashlabError, match="the whole state"):
        crashlab.worths(state.seen_by(0), 0)
    with pytest.raises(CrashlabError, match="seat 2 does not decide now"):
        crashlab.worths(state, 2)
