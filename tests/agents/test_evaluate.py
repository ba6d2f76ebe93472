"""The prospects of a seat count in part until the game is over, and guide playouts; CrashCity has its own test."""

import pytest
from crash_by_crash_positions import board as floor

import crashlab
from crashlab import Random
from crashlab.compiled import choose_backend
from crashlab.engine.rules import quickest
from crashlab.engine.table import CHANCE, NOWHERE
from crashlab.games.autoscooter.state import CODES, SPEED_OF
from crashlab.games.crash_by_crash.state import OVER

driving, bumping = quickest("crashlab.games.autoscooter"), quickest("crashlab.games.crash_by_crash")


def seen(rules, table):
    """Return the prospects of a table, whatever the row contained."""
    out = [7] * rules.MOST_ACTIONS
    rules.evaluate(table, out)
    return out[: table.players[0]]


# Both backends

rules = None  # of a game; bound by `choose_backend`


def judge(tables, seat, luck, out):
    """Choose a sensible action for a seat that has a choice; then compute the prospects."""
    action = NOWHERE if seat < 0 else rules.rollout_policy(tables[0], seat, luck, out)
    rules.evaluate(tables[0], out)
    return action


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["autoscooter", "crash_and_grab", "crash_by_crash"])
@pytest.mark.parametrize("players", [2, 4])
def test_both_bodies_judge_alike_change_nothing_and_do_only_what_is_legal(name, players):
    game, rng = crashlab.game(name, players=players), Random(players)
    slow, fast = choose_backend.interpreted(game.rules), choose_backend.compiled(game.rules)
    state = game.start(3)
    for step in range(60 if name == "crash_by_crash" else 150):
        free = [] if state.actors == (CHANCE,) else [seat for seat in state.actors if len(state.actions(seat)) > 1]
        seat, results = free[0] if free else NOWHERE, []
        for backend in (slow, fast):
            work, out = backend.tables([state.table]), backend.row(game.rules.MOST_ACTIONS)
            luck = backend.luck(step)
            action = int(backend.bind(judge)(work, seat, luck, out))
            results.append((action, int(luck[0]), [int(out[other]) for other in range(players)]))
            assert backend.table(work, 0) == state.table
        assert results[0] == results[1] and (seat < 0 or results[0][0] in state.actions(seat).codes)
        state = state.sample(rng).after
        if state.over:
            assert seen(game.rules, state.table) == [100 * score for score in state.scores]
            state = game.start(step)


# Autoscooter


def test_a_driver_who_thinks_a_little_seldom_meets_the_barrier():
    """Facing the barrier, car 1 can only turn round or crash; a car with room drives at random."""
    game = crashlab.game("autoscooter", players=2)

    def rammed(car):
        table, luck, out = game.read({"cars": {"1": car, "2": "30E0"}}).table, [5], [0] * driving.MOST_ACTIONS
        drives = [driving.rollout_policy(table, 0, luck, out) % CODES for _ in range(300)]
        return sum(driving.meets_barrier(table, 0, manoeuvre) for manoeuvre in drives) / 300, drives

    share, _ = rammed("24E0")
    assert 0.4 < share < 0.75, "five of six manoeuvres crash: at random it is 0.83"
    share, drives = rammed("31E1")
    assert share == 0 and {SPEED_OF[manoeuvre] for manoeuvre in drives} == {1, 2}


# Crash by Crash


def test_what_stands_under_cars_counts_in_part_and_more_the_more_scorings_are_to_come():
    def of(**more):
        return seen(bumping, floor("7,3: a . b A", values={(7, 3): 2, (7, 5): 1, (7, 6): 1}, **more).table)

    early, late = of(scorings=0), of(scorings=6)
    assert early[0] - 1000 == 3 * (early[1] - 1000) and late[0] - 1000 == 3 * (late[1] - 1000)
    assert 0 < late[1] - 1000 < 100 < early[1] - 1000
    assert of(scores=(14, 9))[0] - of()[0] == 400 and of(scores=(14, 9))[1] - of()[1] == -100


def test_four_players_share_what_their_side_has():
    prospects = seen(bumping, floor("7,3: a . b", values={(7, 3): 2}, players=4).table)
    assert prospects[0] == prospects[2] > prospects[1] == prospects[3] == 1000


def test_at_the_end_only_points_count():
    table = floor("7,3: a . b", values={(7, 3): 2}, scores=(12, 9)).table
    table.phase[0] = OVER
    assert seen(bumping, table) == [1200, 900]
