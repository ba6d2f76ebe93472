"""The built-in agents and their searches."""

import math
import pickle
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import crashlab
from crashlab import CrashlabError, Match, Random, agents
from crashlab.agents import Search, Thought, Thoughts, monte_carlo
from crashlab.base.statistics import UNSURE, half_width, half_width_of
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import flat_search, tree_search
from crashlab.engine.game import Action, Game
from crashlab.engine.table import CHANCE, NOWHERE

METHODS = ("flat", "mcts")
EVERYWHERE = ("random", "greedy", "flat", "mcts")  # alphabeta and expectimax are tested in test_minimax
TOY = Game("toy", "toy", {})
PREY = {"round": 11, "cars": {"1": "20E2", "2": "22E0"}}  # car 1 has number 81, car 2 number 82
STUCK = {"cars": {"1": "24E0"}}  # alone, facing the barrier


@pytest.fixture
def game():
    return crashlab.game("autoscooter")


@pytest.fixture
def use(monkeypatch):
    """Return a function that makes searches run on a backend, whatever is ready."""
    return lambda backend: monkeypatch.setattr(
        choose_backend, "quickest", lambda rules, purpose, ready, wait=False: backend
    )


def grown(playouts, *args, **settings):
    search = Search(*args, **settings)
    search.grow(playouts)
    return search


def numbers(thoughts):
    return [(row.action.code, row.visits, repr(row.value), row.half_width) for row in thoughts]


def by_notation(thoughts):
    return {str(row.action): row for row in thoughts}


# The same numbers from both backends


STARTS = {
    "two players": (lambda: crashlab.game("autoscooter", players=2).start(), 60),
    "eight players": (lambda: crashlab.game("autoscooter", players=8).start(), 150),
    "close together": (
        lambda: crashlab.game("autoscooter").read({"round": 8, "cars": {"1": "20E2", "2": "23W2"}}),
        400,
    ),
    "toy": (lambda: TOY.start(1), 400),
    "a forced bid": (lambda: TOY.read("squares 3 4"), 100),
}


@pytest.mark.few(6)
@pytest.mark.parametrize("value", ["lead", "win"])
@pytest.mark.parametrize("decisions", [None, 3])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", STARTS)
def test_interpreted_compiled_and_changing_over_in_between_are_the_same(name, method, decisions, value, use):
    start, playouts = STARTS[name]
    state = start()
    slow, fast = choose_backend.interpreted(state.game.rules), choose_backend.compiled(state.game.rules)
    results = []
    for backends in ((slow,), (fast,), (slow, fast)):
        search = Search(state, 0, 5, method, decisions=decisions, value=value)
        for backend in backends:
            use(backend)
            search.grow(playouts // len(backends))
        rows = [list(map(float, row)) for row in inside(search)]
        results.append((numbers(search.thoughts()), rows))
    assert results[0] == results[1] == results[2]


def inside(search):
    """Return the data of a search, in the used part of the rows."""
    method = search._method
    if isinstance(method, monte_carlo.Flat):
        return method._visits, method._sums, method._squares
    size = int(method._paths[0])
    return method._trees[:size], method._values[:size]


@pytest.mark.parametrize("method", METHODS)
def test_it_does_not_matter_how_playouts_are_divided(method, game, use):
    use(choose_backend.interpreted(game.rules))
    at_once, in_parts = grown(100, game.start(), 1, method=method), Search(game.start(), 1, method=method)
    for part in (1, 2, 40, 0, 57):
        in_parts.grow(part)
    assert numbers(at_once.thoughts()) == numbers(in_parts.thoughts()) and inside(at_once) == inside(in_parts)


# The actions that are tried


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("playouts", [0, 1, 65, 66, 67, 500])
def test_visits_add_up_to_the_playouts_of_the_legal_actions(game, method, playouts):
    state = game.start()
    thoughts = grown(playouts, state, 2, method=method).thoughts()
    assert thoughts.playouts == sum(row.visits for row in thoughts) == playouts
    assert sorted(row.action.code for row in thoughts) == sorted(state.actions(2).codes)
    has_visits = [row.visits > 0 for row in thoughts]
    assert sum(has_visits) == min(playouts, 66), "everything is tried before anything is tried again"
    assert [math.isnan(row.value) for row in thoughts] == [not yes for yes in has_visits]


def test_flat_tries_all_equally_often_and_mcts_what_is_promising_more_often(game):
    stuck = game.read(STUCK)
    assert {row.visits for row in grown(660, stuck, 0).thoughts()} == {10}
    visits = [row.visits for row in grown(660, stuck, 0, method="mcts").thoughts()]
    assert visits == sorted(visits, reverse=True) and visits[0] > 2 * visits[-1]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", STARTS)
def test_only_legal_actions_are_played(name, method, use):
    state = STARTS[name][0]()
    rules, played = state.game.rules, []

    def apply(table, seat, action, trace):
        out = [0] * rules.MOST_ACTIONS
        assert action in out[: rules.legal(table, seat, out)]
        played.append(action)
        rules.apply(table, seat, action, trace)

    use(choose_backend.Interpreted(SimpleNamespace(**{**vars(rules), "apply": apply})))
    grown(60, state, 0, method=method, decisions=None)
    assert len(played) >= 60


def test_one_path_can_lead_to_different_lists(use):
    """The legal actions of car 1 depend on its speed after a crash."""
    state = STARTS["close together"][0]()
    use(choose_backend.interpreted(state.game.rules))
    search = grown(1500, state, 0, method="mcts")
    variants = [nodes for nodes in nodes_by_edge(search, 0).values() if len(nodes) > 1]
    assert variants and all(len({tuple(codes) for _, codes in nodes}) == len(nodes) for nodes in variants)


def nodes_by_edge(search, seat):
    """Return the nodes at each edge of a seat's tree, as (actor, codes)."""
    row, nodes, waiting = search._method._trees, {}, [tree_search.ROOT * seat]
    while waiting:
        edge = waiting.pop()
        node = row[edge]
        while node:
            count = row[node + tree_search.ACTIONS]
            first, codes = node + tree_search.SIZE, node + tree_search.SIZE + 2 * count
            nodes.setdefault(edge, []).append((row[node + tree_search.ACTOR], row[codes : codes + count]))
            waiting += range(first, codes, 2)
            node = row[node + tree_search.NEXT]
    return nodes


def test_a_seat_remembers_what_it_did_and_what_others_did_alone(use):
    """B plans its second car alone; everything else is planned at once, and the wind is chance."""
    state = crashlab.game("autoscooter", players=4).read({"round": 10, "cars": {"1": "20E1", "2": "22W1", "6": "42W1"}})
    use(choose_backend.interpreted(state.game.rules))
    search = grown(1500, state, 0, method="mcts")
    deciders, other = (
        {actor for nodes in nodes_by_edge(search, seat).values() for actor, _ in nodes} for seat in (0, 1)
    )
    assert deciders == {0, 1} and other == {1}
    for seat in (0, 1):
        own_lists = [codes for nodes in nodes_by_edge(search, seat).values() for actor, codes in nodes if actor == seat]
        assert own_lists and min(map(len, own_lists)) > 1, "nobody watches himself"
    assert all(len(codes) == 1 for nodes in nodes_by_edge(search, 0).values() for actor, codes in nodes if actor == 1)
    use(choose_backend.interpreted(TOY.rules))
    search = grown(500, TOY.start(1), 0, method="mcts")
    for seat in (0, 1):
        assert {actor for nodes in nodes_by_edge(search, seat).values() for actor, _ in nodes} == {seat}


def test_full_trees_stop_growing_and_the_search_goes_on(game, use, monkeypatch):
    monkeypatch.setattr(monte_carlo.Mcts, "ROOM", 3000)
    results = []
    for backend in (choose_backend.interpreted(game.rules), choose_backend.compiled(game.rules)):
        use(backend)
        search = grown(400, game.start(), 0, method="mcts")
        assert search._method._paths[0] <= 3000 and len(search._method._trees) <= 3000
        results.append(numbers(search.thoughts()))
    assert results[0] == results[1] and sum(row[1] for row in results[0]) == 400


# The result


def test_the_lead_is_the_score_less_the_average_of_the_others(game):
    state = game.read({"cars": {"1": "21E0"}, "chits": {"A": 10, "B": 30, "C": 20, "D": 13}})
    assert [worth(state, seat) for seat in (0, 1)] == [10 - 21, 30 - 43 / 3]


def worth(state, seat, wins=0):
    """Return the worth of a position at the end of a playout."""
    backend, out = choose_backend.interpreted(state.game.rules), [0] * state.game.rules.MOST_ACTIONS
    state.game.rules.evaluate(state.table, out)
    return backend.bind(flat_search.worth)(state.table, seat, len(state.game.seats), wins, out)


def test_hundredths_of_points_give_the_same_leads_as_points():
    """The leads are equal to the last digit."""
    rng = Random(1)
    for _ in range(2000):
        seats = 2 + rng.below(7)
        scores = [rng.below(300) - 100 for _ in range(seats)]
        plain = scores[0] - sum(scores[1:]) / (seats - 1)
        assert flat_search.lead(0, seats, [100 * score for score in scores]) == plain


@pytest.mark.parametrize("name", ["autoscooter", "crash_and_grab"])
def test_some_games_count_nothing_but_points(name):
    game, rng = crashlab.game(name), Random(2)
    state, out = game.start(2), [0] * game.rules.MOST_ACTIONS
    for _ in range(60):
        game.rules.evaluate(state.table, out)
        assert out[: len(game.seats)] == [100 * score for score in state.scores]
        state = state.sample(rng).after if not state.over else game.start(3)


@pytest.mark.parametrize("method", METHODS)
def test_a_search_counts_what_a_seat_is_near_to(method, use):
    """Here an odd square of the toy race counts a point and a half more, so a bid of 1 is worth more than one of 2."""

    def evaluate(table, out):
        for seat in (0, 1):
            out[seat] = 100 * table.square[seat] + 150 * (table.square[seat] % 2)

    use(choose_backend.Interpreted(SimpleNamespace(**{**vars(TOY.rules), "evaluate": evaluate})))
    rows = by_notation(grown(200, TOY.read("squares 0 0"), 0, method=method, decisions=1).thoughts())
    if method == "flat":
        assert rows["1"].value - rows["2"].value == pytest.approx(1 + 1.5 - 2)
    assert rows["1"].visits >= rows["2"].visits


def test_the_share_of_a_win_is_that_of_those_who_lead_before_the_end(game):
    tied = game.read({"cars": {"1": "21E0"}, "chits": {"A": 20, "B": 20, "C": 7, "D": 0}})
    assert [worth(tied, seat, 1) for seat in range(4)] == [0.5, 0.5, 0, 0]
    over = TOY.read("squares 4 5")  # seat 1 is on the goal and has won
    assert [worth(over, seat, 1) for seat in (0, 1)] == [0, 1]


@pytest.mark.parametrize("method", METHODS)
def test_an_action_is_judged_by_what_itself_brings_about(game, method):
    """Car 1 is alone, facing the barrier: driving costs a chit, turning round costs nothing."""
    state = game.read({**STUCK, "round": 10})  # one more round, which does not count here
    thoughts = grown(120, state, 0, method=method, decisions=1).thoughts()
    assert str(thoughts.best) in ("80 P", "81 P") and len(thoughts) == 12
    for row in thoughts:
        assert row.value == (0 if str(row.action).endswith("P") else -1)
        assert row.half_width == half_width([row.value] * row.visits)


@pytest.mark.parametrize("method", METHODS)
def test_the_last_move_rams_who_stands_there_at_full_speed(game, method):
    """81 moves before 82, so car 2 stands still at (2,2): whatever its plot, FFF takes 3 chits from it."""
    thoughts = grown(400, game.read(PREY), 0, method=method).thoughts()
    rows = by_notation(thoughts)
    assert str(thoughts.best) == "81 FFF" and rows["81 FFF"].value == 23 - (17 + 20 + 20) / 3
    assert rows["81 FF"].value == pytest.approx(22 - (18 + 20 + 20) / 3) and rows["81 FL"].value == 0


def test_mcts_learns_what_the_seat_does_later_and_flat_does_not():
    """After 81 FL car 1 is near the barrier: the last move can miss it, but a random one often does not.

    A playout draws twice more if a move costs something (`rollout_policy`), so such a move is played only if all three
    draws cost something.
    """
    state = crashlab.game("autoscooter").read({"round": 10, "cars": {"1": "23E1"}})
    flat, mcts = (by_notation(grown(20_000, state, 0, method=method, decisions=None).thoughts()) for method in METHODS)
    after = state.play("81 FL").after
    last = [after.play(action).after.scores[0] - 20 for action in after.actions(0)]
    share = sum(value < 0 for value in last) / len(last)
    assert max(last) == 0 and flat["81 FL"].value == pytest.approx(share**2 * sum(last) / len(last), abs=0.1)
    assert flat["81 FL"].value < -0.1 < mcts["81 FL"].value <= 0


def test_what_is_worth_exploring_does_not_shrink_when_a_safe_action_is_found(game):
    backpropagate = choose_backend.interpreted(game.rules).bind(tree_search.backpropagate)
    values, paths = [0.0] * tree_search.ROOT, [tree_search.ROOT, NOWHERE, 0]
    scales = []
    for number, value in enumerate([7, 7, 1, *[0] * 500], 1):
        backpropagate(0, number, value, [0] * tree_search.ROOT, values, paths, [0.0] * 8)
        scales.append(values[2])
    assert scales[:2] == [0, 0], "what lies far from zero may still be all the same"
    assert scales[2] == 2 and min(scales[2:]) == 2 and values[1] < 0.2


@cache
def exact(line, seat, value):
    """Return the mean value of a position of the toy race under random play, over all its continuations."""
    state = TOY.read(line)
    if state.over:
        lead = state.scores[seat] - state.scores[1 - seat]
        return lead if value == "lead" else (seat in state.winners) / len(state.winners)
    if state.actors == (CHANCE,):
        return sum(odds * exact(state.play(gust).after.text, seat, value) for gust, odds in state.odds().items())
    joint = [{}]
    for actor in state.actors:
        joint = [{**actions, actor: action} for actions in joint for action in state.actions(actor)]
    return sum(exact(state.play(actions).after.text, seat, value) for actions in joint) / len(joint)


@pytest.mark.parametrize("value", ["lead", "win"])
@pytest.mark.parametrize("line", ["squares 1 2", "squares 3 3", "squares 2 1"])
def test_flat_values_are_those_of_counting_every_way_it_can_go(line, value):
    state = TOY.read(line)
    for row in grown(40_000, state, 0, value=value, decisions=None).thoughts():
        means = [exact(state.play({0: row.action, 1: bid}).after.text, 0, value) for bid in state.actions(1)]
        assert row.half_width < 0.035 and abs(row.value - sum(means) / len(means)) <= 2 * row.half_width


def test_half_the_width_is_that_of_the_sample(game):
    row = Thought.of(Action(game.start(), 0, 32), 4, 1 + 2 + 3 + 6, 1 + 4 + 9 + 36)
    assert row.value == 3 and row.half_width == pytest.approx(half_width([1, 2, 3, 6]))
    assert Thought.of(row.action, 1, 5, 25).half_width == math.inf


def test_all_actions_meet_the_same_luck():
    """Against the same bids of B a bid of 2 is worth exactly one more than a bid of 1."""
    rows = by_notation(grown(50, TOY.read("squares 0 0"), 0, decisions=1).thoughts())
    assert rows["1"].visits == rows["2"].visits == 25 and 25 * rows["2"].value == 25 * rows["1"].value + 25
    assert -1 < rows["1"].value < 0


@pytest.mark.parametrize("method", METHODS)
def test_intervals_are_those_of_what_came_of_it(method):
    """A bid of 1 is worth 0 or -1, a bid of 2 is worth 1 or 0: the deviation follows from the mean."""
    for row in grown(400, TOY.read("squares 0 0"), 0, method=method, decisions=1, exploration=3).thoughts():
        often = abs(row.value)
        assert row.visits > 20 and 0 < often < 1
        assert row.half_width == pytest.approx(half_width_of(row.visits, often * (1 - often) * row.visits))


# Hidden information is not used


@pytest.mark.parametrize("name", ["greedy", "flat", "mcts"])
def test_nobody_looks_at_hidden_plots(game, name):
    """B has plotted to ram car 1, or to drive away; A cannot know which."""
    state = game.read({"round": 11, "cars": {"1": "20E2", "2": "22W2", "5": "64E1", "6": "11E1"}})
    first, second = (state.play({0: "81 F", 1: f"82 {manoeuvre}"}).after for manoeuvre in ("FF", "FRFR"))
    assert first != second and first.actors == second.actors and 0 in first.actors
    thoughts = [agents.agent(name, 3).think(state, 0) for state in (first, second, first.seen_by(0))]
    assert numbers(thoughts[0]) == numbers(thoughts[1]) == numbers(thoughts[2])


def test_what_is_hidden_is_guessed_differently_in_each_world(game):
    state = game.read({"round": 5, "cars": {"1": "20E2", "2": "22W2", "5": "64E1", "6": "11E1"}})
    later = state.play({0: state.actions(0)[0], 1: state.actions(1)[0]}).after
    guesses = {table.plot[1] for table in Search(later, 0, worlds=20)._method.task.tables}
    assert len(guesses) > 5


# The agents


@pytest.mark.parametrize("name", EVERYWHERE)
def test_the_same_seed_gives_the_same_decisions(game, name):
    state = game.start()
    first, again, other = (
        [str(agent(state, 0)) for _ in range(6)] for agent in (agents.agent(name, seed) for seed in (1, 1, 2))
    )
    assert first == again != other and len(set(first)) > 1


def test_agents_have_names():
    assert [agents.MAKERS[name](1).__name__ for name in agents.MAKERS] == list(agents.MAKERS)


@pytest.mark.parametrize("name", EVERYWHERE)
def test_an_agent_plays_what_it_thinks_best_and_can_be_sent_elsewhere(game, name):
    agent = agents.agent(name, 7)
    there = pickle.loads(pickle.dumps(agent))
    thoughts = agent.think(game.start(), 3)
    assert there(game.start(), 3) == thoughts.best and thoughts.best in game.start().actions(3)
    assert len(thoughts) == 66 and thoughts.seat == 3


def test_budgets(game):
    state = game.start()
    assert agents.flat(playouts=123).think(state, 0).playouts == 123
    assert agents.mcts(playouts=np.int64(77)).think(state, 0).playouts == 77
    assert agents.mcts(seconds=0.01).think(state, 0).playouts > 0
    assert {row.visits for row in agents.greedy(worlds=3).think(state, 0)} == {3}
    few = agents.greedy(worlds=2, max_actions=10).think(state, 0)
    assert len(few) == 10 and few.playouts == 20


def test_greedy_turns_away_from_the_barrier_and_rams_who_stands_there(game):
    assert str(agents.greedy(1, worlds=8, decisions=1)(game.read({**STUCK, "round": 11}), 0)) == "81 P"
    assert str(agents.greedy(1, decisions=1)(game.read(PREY), 0)) == "81 FFF"


@pytest.mark.few(2)
@pytest.mark.parametrize("better, worse", [("greedy", "random"), ("flat", "greedy"), ("mcts", "greedy")])
@pytest.mark.parametrize("seed", range(2))
def test_who_thinks_more_wins(better, worse, seed):
    game = crashlab.game("autoscooter", players=2)
    agents.warm(game)
    settings = {"decisions": 4} if better == "greedy" else {}
    end = Match(game, {0: agents.MAKERS[better](seed, **settings), 1: agents.agent(worse, seed)}, seed).run()
    assert end.winners == (0,)


@pytest.mark.parametrize("name", ["greedy", "flat", "mcts"])
def test_agents_play_games_with_chance_and_bids_that_are_forced(name):
    for seed in range(3):
        assert Match(TOY, agents.agent(name, seed), seed).run().over


# Words


def test_thoughts_as_a_table(game):
    state = game.start()
    rows = [(1 * 32 + 2, 12, 0.5, 0.25), (81 * 32 + 15, 1, -1.0, math.inf), (17 * 32, 0, math.nan, math.inf)]
    thoughts = Thoughts(state, 0, tuple(Thought(Action(state, 0, code), *rest) for code, *rest in rows), 13, "lead")
    assert str(thoughts).split("\n") == [
        "A, 13 playouts  visits   lead",
        "1 F                 12   0.50 ± 0.25",
        "81 P                 1  -1.00 ± ?",
        "17 FLL               0      -",
        UNSURE,
    ]
    assert thoughts.table(1).split("\n")[-1] == "... and 2 more"
    assert str(thoughts.best) == "1 F" and len(thoughts) == 3 and [row.visits for row in thoughts] == [12, 1, 0]


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: agents.agent("negamax", 0), "no agent 'negamax'; the agents are random, greedy, flat, mcts, alpha"),
        (lambda: agents.flat(playouts=0), "playouts=0: give a whole number from 1"),
        (lambda: agents.flat(playouts=2.5), "playouts=2.5"),
        (lambda: agents.mcts(playouts=True), "playouts=True"),
        (lambda: agents.mcts(seconds=0), "seconds=0: give a number above 0"),
        (lambda: agents.mcts(seconds=math.nan), "seconds=nan"),
        (lambda: agents.mcts(seconds="long"), "seconds='long'"),
        (lambda: agents.flat(decisions=0), "decisions=0: give a whole number from 1; None plays to the end"),
        (lambda: agents.flat(worlds=0), "worlds=0"),
        (lambda: agents.flat(value="score"), "value='score': choose one of lead, win"),
        (lambda: agents.mcts(exploration=-1), "exploration=-1: give a number of at least 0"),
        (lambda: agents.mcts(seed="x"), "a seed is a whole number"),
        (lambda: agents.greedy(worlds=0), "worlds=0"),
        (lambda: agents.greedy(max_actions=0), "max_actions=0"),
        (lambda: Search(TOY.start(), 0, method="minimax"), "method='minimax': choose one of flat, mcts"),
        (lambda: Search(TOY.start(), 5), "seat 5 does not decide now"),
        (lambda: Search(TOY.start(), 0).grow(-1), "playouts=-1: give a whole number from 0"),
        (lambda: Search(TOY.start(), 0).grow_for(-1), "seconds=-1"),
        (lambda: Search(TOY.start(), 0, method="mcts", only=[]), "only"),
        (lambda: Search(TOY.read("squares 5 3"), 0), "the game is over"),
    ],
)
def test_nonsense_is_refused_in_words(make, words):
    with pytest.raises(CrashlabError, match=words):
        make()


def test_warming_up_leaves_the_compiled_body_ready():
    game = crashlab.game("autoscooter", players=3)
    agents.warm(game)
    search = grown(1, game.start(), 0)
    assert search._backend is choose_backend.compiled(game.rules)
    assert NOWHERE == -1 and search._method.task.decisions == game.rules.HORIZON


@pytest.mark.parametrize("name", ["autoscooter", "crash_and_grab"])
def test_a_search_explores_as_much_as_pays_off_in_its_game(name):
    start = crashlab.game(name).start()

    def visits(**settings):
        thoughts = grown(300, start, start.actors[0], method="mcts", **settings).thoughts()
        return [(row.action, row.visits) for row in thoughts]

    usual = start.game.rules.EXPLORATION
    assert visits() == visits(exploration=usual) != visits(exploration=usual + 3)
    assert visits(exploration=0) == visits(exploration=0.0) != visits()  # 0 is a setting of its own, not the default


def test_a_search_tries_only_what_its_seat_can_do():
    start = crashlab.game("autoscooter").start()
    search = agents.Search(start, 0, only=["1 F", start.actions(0)[5]])
    search.grow(10)
    assert {str(row.action) for row in search.thoughts()} == {"1 F", str(start.actions(0)[5])}
    for other in (start.actions(1)[0], "2 F", "1 FFF", 5):
        with pytest.raises(CrashlabError):
            agents.Search(start, 0, only=[other])


def test_of_a_long_list_mcts_tries_some_actions_more_than_once_before_it_tries_all():
    """It starts with the first 200, and adds one for every eight playouts."""
    state, rng = crashlab.game("crash_by_crash").start(1), Random(1)
    while state.turn == 0:
        state = state.sample(rng).after
    assert len(state.actions(state.actors[0])) > 300
    for number, actions in ((150, 150), (300, 200)):
        search = Search(state, state.actors[0], method="mcts", decisions=1)
        search.grow(number)
        visits = [row.visits for row in search.thoughts()]
        assert (sum(visits), sum(map(bool, visits))) == (number, actions)
