"""Tablebases of small races, compared with searches forwards and with brute force."""

import pickle
from itertools import count

import pytest

import crashlab
from crashlab import CrashlabError, Match, Outcome, Random, retrograde
from crashlab.agents import alphabeta
from crashlab.analysis import tablebase
from crashlab.compiled import choose_backend
from crashlab.course.lessons.crash_city import TOWN

HAMLET = "tiles 1,0 NS shop A / 0,1 NS house B; cars A 0,0N>E / B 0,0S>W"
TWO_EACH = "tiles 1,0 N shop A / -1,0 S house B; cars A 0,0N>E 0,0E>N / B 0,0S>W"


@pytest.fixture(scope="module")
def city():
    return crashlab.game("crash_city", players=2)


@pytest.fixture(scope="module")
def town(city):
    return city.read(TOWN + "cars A 0,0N>E / B 1,1N>W")


@pytest.fixture(scope="module")
def table(town):
    return retrograde(town)


def test_the_town_of_the_lesson(table, town):
    """Together with forced decisions there would be 2,524 positions, and at most 7 decisions to the end."""
    assert len(table) == 2484 and table.counts == {"A": 1242, "B": 1242, "nobody": 0}
    assert table.longest == 6 and table.value(town) == Outcome(0, 3)
    assert sum(len(table.layer(decisions)) for decisions in range(7)) == 2484
    assert all(max(state.scores) == 1 for state in table.layer(0)) and not table.layer(7) and not table.layer(None)
    assert len(list(table)) == 2484 and all(state in table for state in list(table)[::100])


# Against brute force


def brute_force(start, goal):
    """Return all positions with their outcomes by repeated passes over them; a position left open is a draw."""
    states, numbers, after = [start], {start.key("turn"): 0}, {}
    for here, state in enumerate(states):  # the list grows in this loop
        if goal(state) is None and not state.over:
            after[here] = []
            (seat,) = state.actors
            for action in state.actions(seat):
                end = state.play(action).after
                there = numbers.setdefault(end.key("turn"), len(states))  # the next number for a new position
                if there == len(states):
                    states.append(end)
                after[here].append(there)
    outcomes = {here: (goal(state), 0) for here, state in enumerate(states) if goal(state) is not None}
    steps, more = 0, True
    while more:
        steps, more = steps + 1, {}
        for here, ends in after.items():
            winners = [outcomes.get(end, (None, 0))[0] for end in ends]
            mover = states[here].actors[0]
            if here not in outcomes and (mover in winners or winners == [1 - mover] * len(winners)):
                more[here] = (mover if mover in winners else 1 - mover), steps
        outcomes |= more
    return [(state, Outcome(*outcomes.get(here, (None, None)))) for here, state in enumerate(states)]


def scored(state):
    return 0 if state.scores > (0, 0) and state.scores[0] else 1 if state.scores[1] else None


def only_a(state):
    return "A" if state.scores[0] else None


def only_a_by_number(state):
    return 0 if state.scores[0] else None


@pytest.mark.slow
@pytest.mark.parametrize("line", [HAMLET, TWO_EACH])
def test_the_table_is_that_of_brute_force(city, line):
    start = city.read(line)
    table, outcomes = retrograde(start), brute_force(start, scored)
    assert len(table) == len(outcomes)
    assert all(table.value(state) == outcome for state, outcome in outcomes)


@pytest.mark.slow
def test_the_whole_town_is_that_of_brute_force(table, town):
    outcomes = brute_force(town, scored)
    assert len(table) == len(outcomes)
    assert all(table.value(state) == outcome for state, outcome in outcomes)


def test_who_cannot_win_may_still_go_on_for_ever(city):
    """Only A can win; B draws if it can block the way permanently."""
    start = city.read("tiles 1,0 N shop B; cars A 0,0W>N / B 0,0E>N")
    table, outcomes = retrograde(start, only_a), brute_force(start, only_a_by_number)
    assert all(table.value(state) == outcome for state, outcome in outcomes)
    assert table.counts["B"] == 0 < table.counts["nobody"]


def test_a_race_that_nobody_can_win_is_a_draw(city):
    start = city.read("tiles 1,0 NS house A; cars A 0,0N>E / B 0,0S>W")
    table = retrograde(start)
    assert table.counts == {"A": 0, "B": 0, "nobody": len(table)} and table.value(start) == Outcome(None, None)
    assert table.longest == 0 and "nobody wins" in str(table) and len(table.layer(None)) == len(table)


def test_without_a_goal_of_its_own_the_game_decides(city):
    """Seven cars of A are at work, and the eighth can park."""
    seven = " ".join(f"{x},0" for x in range(1, 8))
    tiles = " / ".join(f"{x},0 N shop {'AB'[x > 4]}" for x in range(1, 9))
    start = city.read(f"tiles {tiles}; cars A 8,0N>E {seven} / B 0,0N>E")
    assert retrograde(start, lambda state: None).value(start) == Outcome(0, 1)


# Two backends


def retrograde_in(monkeypatch, later, start, goal=None):
    """Build a table, at first interpreted, and compiled after `later` slices; with None it stays interpreted."""
    slices = count()
    rules = start.game.rules
    monkeypatch.setattr(choose_backend, "is_ready", lambda *_: later is not None and next(slices) >= later)
    monkeypatch.setattr(
        choose_backend,
        "quickest",
        lambda *_: (choose_backend.interpreted if later is None else choose_backend.compiled)(rules),
    )
    monkeypatch.setattr(tablebase, "SMALL", 1 << 60)
    return retrograde(start, goal)


BLOCKED = "tiles 1,0 N shop B; cars A 0,0W>N / B 0,0E>N"


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "line, goal",
    [
        (HAMLET, None),
        (TWO_EACH, None),
        (TOWN + "cars A 0,0N>E / B 1,1N>W", None),
        (BLOCKED, only_a),
        (BLOCKED, None),
        (HAMLET, lambda state: None),
        (TWO_EACH, lambda state: 1 - scored(state) if any(state.scores) else None),
    ],
)
def test_both_bodies_find_every_position_in_the_same_order(monkeypatch, city, line, goal):
    start = city.read(line)
    plain, compiled, later = (retrograde_in(monkeypatch, when, start, goal) for when in (None, 0, 3))
    states = list(plain)
    assert list(compiled) == list(later) == states and str(compiled) == str(later) == str(plain)
    for decisions in (None, *range(plain.longest + 1)):
        assert plain.layer(decisions) == compiled.layer(decisions) == later.layer(decisions)
    for state in states:
        assert plain.value(state) == compiled.value(state) == later.value(state)
        if plain.value(state).decisions != 0 and not state.over:
            assert plain.best(state) == compiled.best(state) == later.best(state)


def test_what_grows_beyond_its_rows_is_the_same(monkeypatch, table, town):
    monkeypatch.setattr(tablebase, "SHORT", 4)
    for later in (None, 0):
        assert str(retrograde_in(monkeypatch, later, town)) == str(table)


def test_a_larger_race_is_solved_where_it_is_compiled(monkeypatch, city):
    """Two cars of A play against one in 82,256 positions; the winner's best decision brings the end nearer by one."""
    table = retrograde_in(monkeypatch, 0, city.read(TOWN + "cars A 0,0N>E 1,0S>E / B 1,1N>W"))
    assert len(table) == 82256 and table.counts == {"A": 52840, "B": 29416, "nobody": 0}
    for number in range(0, len(table), 997):
        state = table._race.state(number)
        worth = table.value(state)
        if worth.decisions:
            (seat,) = state.actors
            outcomes = [table.value(state.play(action).after) for action in state.actions(seat)]
            winning = [end.decisions for end in outcomes if end.winner == seat]
            assert worth.decisions - 1 == (min(winning) if winning else max(end.decisions for end in outcomes))


def test_where_nothing_compiles_it_is_solved_all_the_same(monkeypatch, table, town):
    monkeypatch.setattr(choose_backend, "can_compile", lambda: False)
    monkeypatch.setattr(choose_backend, "is_ready", lambda *_: False)
    monkeypatch.setattr(tablebase, "SMALL", 0)
    assert str(retrograde(town)) == str(table)


def test_a_race_in_which_anything_is_left_to_chance_is_refused_in_both_bodies(monkeypatch):
    start = crashlab.game("crash_city", players=2).start(1)
    for later in (None, 0):
        with pytest.raises(CrashlabError, match="games without chance, but chance decides at"):
            retrograde_in(monkeypatch, later, start)


# Against searches forwards


def wins(state, seat, depth):
    """Return whether a seat can force the first score within `depth` decisions, by alpha-beta with two values."""
    if any(state.scores) or not depth:
        return bool(state.scores[seat])
    (mover,) = state.actors
    ends = (wins(state.play(action).after, seat, depth - 1) for action in state.actions(mover))
    return any(ends) if mover == seat else all(ends)


def test_a_search_forwards_finds_each_win_and_none_sooner(table):
    rng = Random(1)
    for decisions in range(1, 5):
        for state in rng.shuffled(table.layer(decisions))[: 40 if decisions < 4 else 8]:
            seat = table.value(state).winner
            assert wins(state, seat, decisions) and not wins(state, seat, decisions - 1)


def test_alphabeta_sees_what_the_table_knows(table):
    """A seat that can park now does so at any depth."""
    for state in table.layer(1)[::40]:
        (seat,) = state.actors
        assert str(alphabeta(depth=1)(state, seat)).startswith("park") == (table.value(state).winner == seat)


# Playing


def test_perfect_players_need_as_long_as_the_table_says(table):
    for decisions in range(1, 7):
        for start in table.layer(decisions)[::37]:
            match = Match(start, table.agent, 1)
            while not any(match.state.scores):
                match.play()
            assert len(match.turns) == decisions and scored(match.state) == table.value(start).winner


def test_against_anybody_it_wins_at_least_as_soon(table):
    for number, start in enumerate(table.layer(4)):
        seat = table.value(start).winner
        match = Match(start, {seat: table.agent, 1 - seat: "random"}, number)
        while not any(match.state.scores):
            match.play()
        assert len(match.turns) <= 4 and scored(match.state) == seat


def test_a_draw_is_kept(city):
    table = retrograde(city.read("tiles 1,0 N shop B; cars A 0,0W>N / B 0,0E>N"), only_a)
    for number, start in enumerate(table.layer(None)[::9]):
        if not start.over:
            match = Match(start, {0: "random", 1: table.agent}, number)
            match.run(60)
            assert match.state.scores[0] == 0


def test_the_agent_plays_on_where_the_race_is_decided(table, town):
    match = Match(town, table.agent)
    match.run(12)
    assert match.state.over or match.state.scores == (1, 1)
    assert table.agent.__name__ == "perfect"
    there = pickle.loads(pickle.dumps(table.agent))
    assert there(town, 0) == table.best(town)


def test_best_is_refused_where_the_race_is_over(table):
    with pytest.raises(CrashlabError, match=r"the race is over here: [AB] has won"):
        table.best(table.layer(0)[0])


def test_the_turn_tells_no_positions_apart(table, town, city):
    later = city.read({**town.to_dict(), "turn": 33})
    assert table.value(later) == table.value(town) and table.best(later) == table.best(town)
    assert table.value(town.seen_by(1)) == table.value(town)


def test_in_print(table):
    lines = str(table).split("\n")
    assert lines[0] == "CrashCity: 2,484 positions; A wins 1,242, B wins 1,242, nobody wins 0"
    assert lines[1].split() == ["decisions", "A", "B"] and lines[-2].split() == ["6", "4", "4"]
    assert lines[-1] == "at the start: A wins in 3 decisions"
    assert repr(table) == "<Tablebase of CrashCity: 2,484 positions>"


# Errors


def test_too_many_positions_are_refused_with_how_many_were_met(town):
    with pytest.raises(CrashlabError, match=r"more than 500 positions .* 50[0-9] were found after expanding [0-9]+"):
        retrograde(town, max_positions=500)
    assert len(retrograde(town, max_positions=2484)) == 2484


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: retrograde("town"), "takes a state, not 'town'"),
        (
            lambda: retrograde(crashlab.game("crash_city", players=3).start()),
            "retrograde is for two players, but here 3",
        ),
        (lambda: retrograde(crashlab.game("autoscooter", players=2).start()), "take turns, but A and B decide at"),
        (
            lambda: retrograde(crashlab.game("crash_city", players=2).start(1)),
            "games without chance, but chance decides",
        ),
        (lambda: retrograde(crashlab.game("crash_by_crash", players=2).start(1)), "something is hidden"),
        (
            lambda: retrograde(crashlab.game("crash_city", players=2).read(HAMLET), goal="first"),
            "'first': give a function",
        ),
        (lambda: retrograde(crashlab.game("crash_city", players=2).read(HAMLET), lambda state: 7), "seat 7"),
        (lambda: retrograde(crashlab.game("crash_city", players=2).read(HAMLET), max_positions=0), "max_positions=0"),
    ],
)
def test_what_does_not_suit_is_refused(make, words):
    with pytest.raises(CrashlabError, match=words):
        make()


def test_other_positions_are_refused(table, city):
    for state, words in [
        (city.read(HAMLET), "cannot be reached from"),
        (crashlab.game("crash_city").start(), "cannot be reached"),
        (3, "give a state to look up, not 3"),
    ]:
        with pytest.raises(CrashlabError, match=words):
            table.value(state)
    assert city.read(HAMLET) not in table and 3 not in table


def test_it_can_be_interrupted(town, monkeypatch):
    def stop():
        raise KeyboardInterrupt

    monkeypatch.setattr("crashlab.analysis.tablebase.look", stop)
    with pytest.raises(KeyboardInterrupt):
        retrograde(town)
