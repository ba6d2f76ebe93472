"""The agents that come along: what they find, what they may know, and that both bodies think the same."""

import pytest

import crashlab
from crashlab import CrashlabError, Match, agents, twin
from crashlab.agents import search
from crashlab.game import Game

GAME = crashlab.game("autoscooter")
TOY = Game("toy", "toy", {})
STUCK = GAME.read({"round": 11, "cars": {"1": "24E0"}})  # its nose to the barrier: to drive costs a chit
PREY = GAME.read({"round": 11, "cars": {"1": "20E2", "2": "22E0"}})


def rows(thoughts):
    return sorted((str(row.action), row.visits, row.value, row.interval) for row in thoughts)


def grown(state, seat, method, playouts, body=None, monkeypatch=None, **more):
    if body is not None:
        monkeypatch.setattr(search.twin, "quickest", lambda rules, *_: body(rules))
    found = agents.Search(state, seat, seed=3, method=method, **more)
    for part in (1, 20, playouts - 21):
        found.grow(part)
    return found.thoughts()


def test_random_plays_the_same_from_the_same_seed():
    first, second = ([str(agents.random(seed)(GAME.start(), 0)) for seed in range(9)] for _ in range(2))
    assert first == second and len(set(first)) > 3


@pytest.mark.parametrize("method", ["flat", "mcts"])
@pytest.mark.parametrize("state", [GAME.start(), PREY, TOY.read("0 0 0"), TOY.read("3 4 0")], ids=str)
def test_both_bodies_think_the_same(state, method, monkeypatch):
    seat = state.actors[0]
    both = [grown(state, seat, method, 400, body, monkeypatch) for body in (twin.interpreted, twin.compiled)]
    assert rows(both[0]) == rows(both[1]) and both[0].best == both[1].best


@pytest.mark.parametrize("method", ["flat", "mcts"])
def test_every_playout_is_one_visit_of_a_legal_action(method):
    thoughts = grown(GAME.start(), 1, method, 700)
    assert sum(row.visits for row in thoughts) == thoughts.playouts == 700
    assert {row.action for row in thoughts} == set(GAME.start().actions(1))


@pytest.mark.parametrize("maker", [agents.greedy, agents.flat, agents.mcts])
def test_they_turn_away_from_the_barrier_and_ram_who_stands_there(maker):
    assert str(maker(1)(STUCK, 0)).endswith(" P")
    after = PREY.play({0: maker(1)(PREY, 0), 1: "82 P"}).after
    assert after.scores[0] >= 22  # a standing car pays the speed, 2 or 3


def test_flat_values_are_those_of_the_rules():
    """Alone with the barrier: driving costs one of 20 chits, turning nothing; the others have 20 each."""
    for row in grown(STUCK, 0, "flat", 400, decisions=1):
        assert (row.value, row.interval) == ((0, 0) if str(row.action).endswith(" P") else (-1, 0))


def test_tree_search_prefers_what_it_finds_good():
    thoughts = grown(STUCK, 0, "mcts", 400, decisions=1)
    assert str(thoughts.best).endswith(" P") and thoughts.rows[0].visits > 100


def test_nobody_looks_at_hidden_plots():
    """Two states that differ only in what B has written in secret give A's second car the same thoughts."""
    plots = [GAME.start().play({0: "17 F", 1: plot, 2: "19 F", 3: "20 F"}).after for plot in ("18 FLL", "2 P")]
    for method in ("flat", "mcts"):
        one, other = (grown(state, 0, method, 300) for state in plots)
        assert rows(one) == rows(other)


def test_a_search_can_be_cut_into_pieces():
    whole = agents.Search(GAME.start(), 0, seed=3, method="mcts")
    whole.grow(500)
    assert rows(whole.thoughts()) == rows(grown(GAME.start(), 0, "mcts", 500))


def test_with_seconds_an_agent_thinks_for_a_while():
    assert agents.mcts(seconds=0.05).think(GAME.start(), 0).playouts >= 1


def test_thoughts_are_a_table_best_first():
    thoughts = grown(STUCK, 0, "flat", 400, decisions=1)
    assert str(thoughts.best) in str(thoughts).splitlines()[1] and len(thoughts) == len(thoughts.rows)
    assert [row.value for row in thoughts] == sorted((row.value for row in thoughts), reverse=True)


def test_agents_are_made_by_name():
    assert set(agents.MAKERS) == {"random", "greedy", "flat", "mcts"}
    assert str(agents.named("greedy", 4)(STUCK, 0)) == str(agents.greedy(4)(STUCK, 0))
    with pytest.raises(CrashlabError, match="there is no agent 'clever'; the agents are random"):
        agents.named("clever")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: agents.flat(decisions=0)(STUCK, 0), "decisions=0"),
        (lambda: agents.mcts(worlds=0)(STUCK, 0), "worlds=0"),
        (lambda: agents.mcts(exploration=-1)(STUCK, 0), "exploration=-1"),
        (lambda: agents.flat(value="fun")(STUCK, 0), "value='fun'"),
        (lambda: agents.mcts(seconds=0)(STUCK, 0), "seconds=0"),
        (lambda: agents.mcts(playouts="many")(STUCK, 0), "playouts='many'"),
        (lambda: agents.Search(STUCK, 0, method="luck"), "method='luck'"),
        (lambda: agents.Search(STUCK, 1), "does not decide now"),
    ],
)
def test_nonsense_is_refused_in_words(make, reason):
    with pytest.raises(CrashlabError, match=reason):
        make()


def test_greedy_beats_random():
    for seed in range(2):
        match = Match(GAME, {0: agents.greedy(seed)} | {seat: agents.random(seat) for seat in (1, 2, 3)}, seed)
        assert match.run().winners == (0,)
