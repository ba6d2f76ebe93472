"""The agents that search every move and every answer, against a second implementation of minimax."""

import pickle
from functools import cache

import numpy  # noqa: F401  # the thread that compiles imports it, and `approx` cannot stand half of it
import pytest

import crashlab
from crashlab import CHANCE, CrashlabError, Match, Random, agents
from crashlab.agents import minimax, textbook
from crashlab.compiled import choose_backend
from crashlab.course.lessons.crash_city import TOWN, race
from crashlab.engine.game import Game

TOY = Game("toy", "toy", {})
ONE_EACH = TOWN + "cars A 0,0N>E / B 1,1N>W"
TWO_EACH = TOWN + "cars A 0,0N>E 1,0S>E / B 1,1N>W -1,0N>E"
TWO_JOBS = TOWN + "cars A 0,0N>E 1,0S>E 2,0 / B 1,1N>W 0,0W>N 0,-1"  # for four cars


RACE = race(1, 10)


@pytest.fixture
def city():
    return crashlab.game("crash_city", players=2)


@pytest.fixture
def town(city):
    return city.read(ONE_EACH)


def positions(start, number, seed=1):
    """Yield positions with a single seat to decide, from random games; the first game begins with start(0)."""
    rng, state, count = Random(seed), start(0), 0
    while count < number:
        state = state.sample(rng).after if not state.over else start(count)
        if len(state.actors) == 1 and state.actors != (CHANCE,):
            count += 1
            yield state


def ahead(state, seat):
    """Return the lead, by the points that a game's `evaluate` reports."""
    out = [0] * state.game.rules.MOST_ACTIONS
    state.game.rules.evaluate(state.table, out)
    return (out[seat] - out[1 - seat]) / 100


@cache  # a town is small: the same positions recur
def worth(state, seat, depth):
    """Return the plain minimax value."""
    if state.over or not depth or len(state.actors) > 1:
        return ahead(state, seat)
    if CHANCE in state.actors:
        return sum(share * worth(state.play(what).after, seat, depth) for what, share in state.odds().items())
    (mover,) = state.actors
    values = [worth(state.play(action).after, seat, depth - 1) for action in state.actions(mover)]
    return max(values) if mover == seat else min(values)


def same_as_everything(state, agent, depth):
    """Check the agent's value of every action against plain minimax; return the best value."""
    (seat,) = state.actors
    thoughts = agent.think(state.seen_by(seat), seat)
    plain = {str(action): worth(state.play(action).after, seat, depth - 1) for action in state.actions(seat)}
    assert {str(row.action): row.value for row in thoughts} == pytest.approx(plain)
    assert thoughts.rows[0].value == pytest.approx(max(plain.values()))
    return max(plain.values())


@pytest.mark.few(1)
@pytest.mark.parametrize("line", [ONE_EACH, TWO_EACH])
@pytest.mark.parametrize("name, method", [("alphabeta", textbook.alphabeta), ("expectimax", textbook.expectimax)])
def test_the_values_in_a_race_are_those_of_minimax(city, line, name, method):
    depth, number = (3, 20) if line == ONE_EACH else (2, 5)
    agent = agents.MAKERS[name](1, depth=depth, max_positions=10**6)
    for state in positions(lambda seed: city.read(line), number):
        best = same_as_everything(state, agent, depth)
        assert method(state, state.actors[0], depth) == pytest.approx(best)


@pytest.mark.few(1)
@pytest.mark.parametrize("alpha, beta", [(-9, -0.1), (-9, 0.3), (0.1, 9), (0.5, 9), (-0.1, 0.2)])
def test_what_is_remembered_of_a_narrow_window_is_a_bound(city, alpha, beta):
    for state in positions(lambda seed: city.read(ONE_EACH), 8, seed=2):
        (seat,) = state.actors
        search, codes = minimax.DepthSearch("alphabeta", state, seat, 1), list(state.actions(seat).codes)
        values = [worth(state.play(action).after, seat, 3) for action in state.actions(seat)]
        search.look_ahead(codes, 4, alpha=alpha, beta=beta)
        for bound, value in zip(search.tree.results[0 : 2 * len(codes) : 2], values, strict=True):
            if bound <= alpha:
                assert value <= bound + 1e-9
            elif bound >= beta:
                assert value >= bound - 1e-9
            else:
                assert bound == pytest.approx(value)
        search.look_ahead(codes, 4)
        assert search.tree.results[0 : 2 * len(codes) : 2] == pytest.approx(values)


def test_deeper_positions_come_about_in_several_ways_and_are_still_worth_the_same(city):
    for state in positions(lambda seed: city.read(ONE_EACH), 2, seed=2):
        (seat,) = state.actors
        deep = agents.alphabeta(depth=6, max_positions=10**6).think(state, seat)
        assert deep.rows[0].value == pytest.approx(textbook.alphabeta(state, seat, 6))


@pytest.mark.slow
@pytest.mark.parametrize("name, number", [("crash_and_grab", 150), ("crash_city", 60)])
def test_the_values_with_chance_are_averages(name, number):
    agent = agents.expectimax(1, depth=2, max_positions=10**6)
    looked_at = 0
    for state in positions(crashlab.game(name, players=2).start, number):
        (seat,) = state.actors
        if is_open(state) and len(state.actions(seat)) < 7:
            best = same_as_everything(state, agent, 2)
            assert textbook.expectimax(state, seat, 2) == pytest.approx(best)
            looked_at += 1
    assert looked_at > 10


# Two backends, one text


def thoughts_in(monkeypatch, backend, agent, state, seat):
    """Return the agent's thoughts in this backend, or on a list of backends, one after the other."""
    backends = list(backend) if isinstance(backend, list) else [backend]
    monkeypatch.setattr(
        choose_backend, "quickest", lambda *_, **__: backends.pop(0) if len(backends) > 1 else backends[0]
    )
    return agent.think(state, seat)


def same_in_both(monkeypatch, states, name, depth):
    """Check that both backends find the same values and search as many positions; return how many."""
    count = 0
    for number, state in enumerate(states):
        (seat,) = state.actors
        rules = state.game.rules
        plain, compiled = (
            thoughts_in(
                monkeypatch, make(rules), agents.MAKERS[name](number, depth=depth, max_positions=10**6), state, seat
            )
            for make in (choose_backend.interpreted, choose_backend.compiled)
        )
        assert plain == compiled
        count += plain.playouts
    return count


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "line, depth, number",
    [(ONE_EACH, 1, 300), (ONE_EACH, 2, 100), (ONE_EACH, 4, 20), (ONE_EACH, 6, 5), (TWO_EACH, 3, 12), (TWO_JOBS, 2, 20)],
)
@pytest.mark.parametrize("name", ["alphabeta", "expectimax"])
def test_both_bodies_think_the_same_of_small_races(monkeypatch, city, name, line, depth, number):
    assert same_in_both(monkeypatch, positions(lambda seed: city.read(line), number), name, depth) > 900


@pytest.mark.slow
@pytest.mark.few(1)
@pytest.mark.parametrize("game", [crashlab.game("crash_city", players=2), crashlab.game("crash_and_grab", players=2)])
@pytest.mark.parametrize("name", ["alphabeta", "expectimax"])
def test_both_bodies_think_the_same_of_whole_games(monkeypatch, game, name):
    """Some positions are taken from the growing city, with chance, and from the race."""
    apart = 7 if game.name == "crash_city" else 3
    open_ones = [state for state in positions(game.start, 250, seed=3) if is_open(state)][::apart]
    few = [state for state in open_ones if len(state.actions(state.actors[0])) < 20]
    assert same_in_both(monkeypatch, few, name, 2) > 400


def test_a_search_goes_on_compiled_as_soon_as_it_can(monkeypatch, town):
    agent, rules = agents.alphabeta(depth=6, max_positions=10**6), town.game.rules
    plain = thoughts_in(monkeypatch, choose_backend.interpreted(rules), agent.seeded(0), town, 0)
    backends = [choose_backend.interpreted(rules)] * 9 + [choose_backend.compiled(rules)]
    assert thoughts_in(monkeypatch, backends, agent.seeded(0), town, 0) == plain


@pytest.mark.parametrize("make", [choose_backend.interpreted, choose_backend.compiled])
@pytest.mark.parametrize("most, depth", [(50, 2), (100, 3)])
def test_the_budget_is_the_same_in_both_bodies(monkeypatch, town, make, most, depth):
    limited = thoughts_in(monkeypatch, make(town.game.rules), agents.alphabeta(1, depth=9, max_positions=most), town, 0)
    assert limited.playouts == most
    assert values(limited) == values(agents.alphabeta(1, depth=depth).think(town, 0))


@pytest.mark.parametrize("make", [choose_backend.interpreted, choose_backend.compiled])
def test_its_time_is_limited_in_both_bodies(monkeypatch, make):
    """It looks at the clock after every slice, and before the first one."""
    looked = []
    monkeypatch.setattr(minimax, "SLICE", {False: 20, True: 200})
    monkeypatch.setattr(minimax, "look", lambda: looked.append(1))
    count = thoughts_in(monkeypatch, make(RACE.game.rules), agents.alphabeta(depth=2), RACE, RACE.actors[0]).playouts
    assert len(looked) > count / minimax.SLICE[make is choose_backend.compiled]


def is_open(state):
    """Return whether both seats see everything."""
    return all("?" not in state.seen_by(seat).text for seat in (0, 1))


def test_who_has_one_action_only_plays_it_with_the_other_one():
    state = TOY.read("squares 4 3")
    assert state.actors == (1,)
    same_as_everything(state, agents.expectimax(1, depth=1), 1)


def test_cutting_off_saves_most_of_the_work(town):
    calls = {name: len(agents.MAKERS[name](1, depth=4).tree(town, 0).calls) for name in ("alphabeta", "expectimax")}
    count = agents.alphabeta(1, depth=4).think(town, 0).playouts
    assert calls["alphabeta"] < calls["expectimax"] / 2 and count < calls["expectimax"]


@pytest.mark.parametrize("most, depth", [(1, 1), (50, 2), (100, 3)])
def test_with_few_positions_it_plays_what_was_best_at_the_last_depth_that_was_done(town, most, depth):
    limited = agents.alphabeta(1, depth=9, max_positions=most).think(town, 0)
    assert values(limited) == values(agents.alphabeta(1, depth=depth).think(town, 0))


def values(thoughts):
    return {str(row.action): row.value for row in thoughts}


def test_of_what_is_equally_good_the_seed_chooses(city):
    town = city.read(TOWN + "cars A 0,0E>S / B 0,1N>W")
    thoughts = agents.alphabeta(depth=1).think(town, 0)
    best = {str(row.action) for row in thoughts if row.value == thoughts.rows[0].value}
    assert {str(agents.alphabeta(seed, depth=1)(town, 0)) for seed in range(20)} == best and len(best) > 1


def test_who_can_win_now_does_not_wait(city):
    """Three decisions ahead, parking in the next turn is as good."""
    state = city.read(TOWN + "cars A 0,-1E>S / B -1,0N>W")
    for seed in range(8):
        thoughts = agents.alphabeta(seed, depth=3).think(state, 0)
        assert str(thoughts.best) == "park A1"
    assert len([row for row in thoughts if row.value == thoughts.rows[0].value]) > 1


def test_it_plays_what_it_thinks_best_and_can_be_sent_elsewhere(town):
    for name in ("alphabeta", "expectimax"):
        agent = agents.agent(name, 7)
        there = pickle.loads(pickle.dumps(agent))
        assert there(town, 0) == agent.think(town, "A").best
        assert str(agent.think(town, 0)).startswith("A, ") and agent.__name__ == name


@pytest.mark.parametrize("other", ["random", "greedy"])
def test_it_gets_more_of_the_jobs(city, other):
    lead = 0
    for seat in (0, 1):
        for number in range(2):
            end = Match(city.read(TWO_JOBS), {seat: agents.alphabeta(number), 1 - seat: other}, number).run(24)
            lead += end.scores[seat] - end.scores[1 - seat]
    assert lead > 0


def test_a_lead_is_in_hundredths(town):
    leads = [agents.lead(town.play(action).after, 0) for action in town.actions(0)]
    assert leads == [0.06, 0.12, 0.06, 0.06] and agents.lead(town, 1) == -0.06


# The tree


def test_the_tree_has_a_node_for_each_position_and_shows_what_is_cut_off(town):
    film = agents.alphabeta(depth=3).tree(town.seen_by(0), 0)
    assert film.result == pytest.approx(worth(town, 0, 3)) and not film.stopped
    assert film.calls[0].arguments["state"] == town and film.calls[0].parent == -1
    cut = 0
    for call in film.calls:
        state, variables = call.arguments["state"], film.at(call.last, call.number)
        below = [other.arguments["state"] for other in film.calls if other.parent == call.number]
        expected = [state.play(action).after for action in state.actions(state.actors[0])]
        assert variables["best"] == call.result
        if call.arguments["depth"]:
            assert below == expected[: len(below)]
            assert (variables["alpha"] >= variables["beta"]) or below == expected
            cut += below != expected
    assert cut > 3


def test_the_tree_of_chance_has_its_outcomes():
    state = next(filter(is_open, positions(crashlab.game("crash_and_grab", players=2).start, 150)))
    film = agents.expectimax(depth=1).tree(state, state.actors[0])
    assert film.result == pytest.approx(worth(state, state.actors[0], 1))


def test_a_tree_that_is_too_large_stops(city):
    film = agents.alphabeta(depth=3).tree(race(1, 10), 1, max_events=50)
    assert film.stopped and len(film.events) <= 51


# Unsuitable games


def test_what_is_not_for_these_agents_is_refused_with_a_reason(city):
    for name, state, words in [
        ("alphabeta", crashlab.game("autoscooter", players=2).start(), "A and B decide at once; use greedy"),
        ("expectimax", crashlab.game("autoscooter").start(), "expectimax is for two players, but here 4 play"),
        ("expectimax", TOY.start(1), "A and B decide at once"),
        ("expectimax", crashlab.game("crash_by_crash", players=2).start(1), "something is hidden"),
    ]:
        seat = state.actors[0]
        for ask in (agents.MAKERS[name]().think, agents.MAKERS[name](), agents.MAKERS[name]().tree):
            with pytest.raises(CrashlabError, match=words):
                ask(state, seat)
    with pytest.raises(CrashlabError, match="seat 1 does not decide now"):
        agents.alphabeta()(city.read(ONE_EACH), 1)


def test_alphabeta_looks_no_further_than_to_chance(city):
    state = city.start(1)
    one, three = (agents.alphabeta(depth=depth).think(state, state.actors[0]) for depth in (1, 3))
    assert values(one) == values(three) == {str(action): 0 for action in state.actions(state.actors[0])}


def test_both_play_a_whole_game(city):
    """The game starts from the first tile; its race has few turns."""
    few = city.changed(turn_limit=3)
    for name in ("alphabeta", "expectimax"):
        assert Match(few, {0: agents.MAKERS[name](depth=1), 1: "random"}, 1).run().over


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "settings", [{"depth": 0}, {"depth": 101}, {"depth": "3"}, {"max_positions": 0}, {"max_positions": None}]
)
@pytest.mark.parametrize("maker", [agents.alphabeta, agents.expectimax])
def test_settings_are_looked_at(maker, settings):
    (name,) = settings
    with pytest.raises(CrashlabError, match=f"^{name}="):
        maker(1, **settings)


def test_in_a_match_it_fails_or_forfeits_where_it_cannot_decide():
    game = crashlab.game("autoscooter", players=2)
    with pytest.raises(CrashlabError, match=r"the agent of A failed: .*decide at once"):
        Match(game, "alphabeta").run()
    match = Match(game, {0: "alphabeta", 1: "random"}, forfeits=True)
    match.run(2)
    assert list(match.forfeits) == [0] and "decide at once" in match.forfeits[0]
