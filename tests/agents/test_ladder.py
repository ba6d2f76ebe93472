"""The built-in agents: ten for each game, chosen by name, and their stored measurements."""

import json
import math
import pickle
import re
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import measure_ladder
import pytest
from test_agents import TOY

import crashlab
from crashlab import CrashlabError, Match, Random, agents
from crashlab.agents import Ladder, ladder
from crashlab.cli.main import main
from crashlab.compiled import choose_backend
from crashlab.engine.table import CHANCE
from crashlab.games.autoscooter.evaluate import meets_barrier
from crashlab.games.autoscooter.rules import car_asked
from crashlab.games.autoscooter.state import CODES, SPEED_OF
from crashlab.play.tournament import PlayedGame

GAMES = crashlab.games()


@pytest.fixture
def slow(monkeypatch):
    """Let searches run without waiting for a compiler."""
    monkeypatch.setattr(
        choose_backend, "quickest", lambda rules, purpose, use, wait=False: choose_backend.interpreted(rules)
    )


@pytest.mark.parametrize("name", GAMES)
def test_each_game_has_ten_with_names_and_a_sentence_and_the_stronger_search_longer(name):
    steps = list(ladder(name))
    assert [step.place for step in steps] == list(range(1, 11))
    assert len({step.name for step in steps}) == len({step.sentence for step in steps}) == 10
    for step in steps:
        assert re.fullmatch("[a-z]+", step.name) and step.agent == f"{name}/{step.name}"
        assert re.fullmatch(r"[A-Z][^.]+\.", step.sentence) and step.make(1).__name__ == step.agent
    budgets: dict[tuple[object, object], list[float]] = {}
    for baseline in (step.baseline for step in steps if isinstance(step.baseline.by, str)):
        much = baseline.settings.get("playouts", baseline.settings.get("max_actions", math.inf))
        budgets.setdefault((baseline.by, baseline.settings.get("decisions")), []).append(much)
    assert all(playouts == sorted(playouts) for playouts in budgets.values())
    assert "dice" in [step.name for step in steps] and not callable(steps[-1].baseline.by)


def quick(step):
    """Return the same agent with few playouts, for interpreted play."""
    settings = {key: 20 if key == "playouts" else value for key, value in step.baseline.settings.items()}
    return replace(step, baseline=replace(step.baseline, settings=settings))


@pytest.mark.few(2)
@pytest.mark.parametrize("name", GAMES)
def test_every_one_decides_legally_and_the_same_with_the_same_seed(name, slow):
    """Each agent decides twice with one seed, in six positions of a random game."""
    rng, count = Random(1), 0
    state = crashlab.game(name, players=2).start(1)
    while count < 6 and not state.over:
        if state.actors != (CHANCE,) and len(state.actions(state.actors[0])) > 1 and rng.below(8) == 0:
            count += 1
            seat = state.actors[0]
            for step in map(quick, ladder(name)):
                view = state.seen_by(seat)
                action, again = step.make(count)(view, seat), step.make(count)(view, seat)
                assert action == again and action in state.actions(seat)
        state = state.sample(rng).after
    assert count == 6


@pytest.mark.parametrize("name", ["autoscooter", "crash_city"])
def test_whoever_judges_by_hand_plays_a_game(name):
    """Two of them at a time play a game to its end, and neither forfeits."""
    by_hand = [step for step in ladder(name) if callable(step.baseline.by)]
    assert len(by_hand) >= 3
    game = crashlab.game(name, players=2)
    for one, other in pairwise(by_hand):
        start = game if name == "autoscooter" else game.changed(turn_limit=30)
        match = Match(start, {0: one.agent, 1: other.agent}, seed=3)
        assert match.run().over and not match.forfeits


# The behaviour of some of them


@pytest.fixture
def near_barrier():
    return crashlab.game("autoscooter", players=2).read({"cars": {"1": "23E1", "2": "31E1"}})


def test_the_lookout_keeps_clear_of_the_barrier_and_the_wrecker_heads_for_it(near_barrier):
    car = car_asked(near_barrier.table, 0)
    drives = {}
    for name in ("wrecker", "dice", "lookout", "snail"):
        agent = ladder("autoscooter")[name].make(3)
        plots = [agent(near_barrier, 0).code % CODES for _ in range(30)]
        drives[name] = {(SPEED_OF[plot], meets_barrier(near_barrier.table, car, plot)) for plot in plots}
    assert drives["wrecker"] == {(2, True)} and drives["lookout"] == {(1, False), (2, False)}
    assert drives["snail"] == {(1, False)} and len(drives["dice"]) == 3


def test_the_nudger_rams_whoever_is_in_its_way():
    state = crashlab.game("autoscooter").read({"round": 11, "cars": {"1": "20E2", "2": "22E0"}})
    assert str(ladder("autoscooter")["nudger"].make()(state, 0)).endswith("FFF")


def test_who_judges_by_hand_says_how_and_draws_lots_among_equals(near_barrier):
    snail = ladder("autoscooter")["snail"]
    thoughts = snail.make(1).think(near_barrier, 0)
    assert thoughts.what == "judged" and thoughts.playouts == 0 and len(thoughts) == len(near_barrier.actions(0))
    assert [row.value for row in thoughts] == sorted((row.value for row in thoughts), reverse=True)
    assert len({str(snail.make(seed)(near_barrier, 0)) for seed in range(12)}) > 3
    assert pickle.loads(pickle.dumps(snail.make(5)))(near_barrier, 0) == snail.make(5)(near_barrier, 0)


# By name


def test_they_sit_down_by_name_wherever_agents_are_named():
    game = crashlab.game("autoscooter", players=2)
    standings = crashlab.tournament(game, ["autoscooter/snail", "autoscooter/wrecker"], games=4, progress=False)
    assert standings.ranking[0].name == "autoscooter/snail" and not standings.forfeits
    assert agents.agent("autoscooter/nudger", 1).__name__ == "autoscooter/nudger"


def test_an_arena_offers_those_of_its_game():
    pytest.importorskip("ipywidgets")
    from crashlab.lab import Arena

    arena = Arena(crashlab.game("autoscooter", players=2), {0: "autoscooter/nudger", 1: "random"}, seed=1)
    menu = arena.casting.children[0]
    offered = [value for _, value in menu.options]
    assert menu.value == "autoscooter/nudger" and "mcts" in offered and "autoscooter/champion" in offered
    assert not [name for name in offered if name.startswith("crash_city/")]
    arena.step()
    assert arena.state.round == 1 and not arena.match.forfeits


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: agents.agent("autoscooter/nugder"), "no agent 'autoscooter/nugder'; the ladder has wrecker, dice"),
        (lambda: agents.agent("chess/dice"), "there is no agent 'chess/dice'"),
        (lambda: ladder("chess"), "no game 'chess'"),
        (lambda: ladder("autoscooter")["king"], "no agent 'autoscooter/king'"),
        (lambda: measure_ladder.measure(crashlab.game("autoscooter"), games=0), "games=0"),
    ],
)
def test_what_is_not_there_is_refused_in_words(ask, words):
    with pytest.raises(CrashlabError, match=words):
        ask()


def test_one_of_another_game_says_so():
    start = crashlab.game("crash_city", players=2).start(1)
    with pytest.raises(CrashlabError, match="autoscooter/nudger plays autoscooter, not crash_city"):
        agents.agent("autoscooter/nudger")(start, start.actors[0])


# Measurements


@pytest.mark.parametrize("name", GAMES)
def test_what_is_stored_has_every_rung_and_says_how_it_was_measured(name):
    stored = json.loads((files(f"crashlab.games.{name}") / "ladder.json").read_text("utf-8"))
    assert list(stored["rungs"]) == [step.name for step in ladder(name)]
    assert re.match(rf"Measured in [\d,]+ games of game\('{name}'[,)]", stored["how"])
    for step in ladder(name):
        assert step.measured == stored["rungs"][step.name]
        assert 0 <= step.measured["points"] <= step.measured["games"] and step.measured["half_width"] >= 0
    assert ladder(name)["dice"].measured["rating"] == 1000


@pytest.mark.parametrize("name", GAMES)
def test_everyone_has_won_60_percent_of_the_games_with_the_one_below(name):
    for step in ladder(name)[1:]:
        share = step.measured["points"] / step.measured["games"]
        assert step.measured["games"] >= 20 and share >= 0.6, step.agent


@pytest.mark.parametrize("name", GAMES)
def test_the_stored_order_is_the_measured_one(name):
    for below, step in pairwise(ladder(name)):
        assert step.measured["rating"] > below.measured["rating"], step.agent


def test_a_ladder_is_a_table_with_the_strongest_on_top():
    steps = ladder("autoscooter")
    text, page = str(steps), steps._repr_html_()
    assert text.index("champion") < text.index("dice") and page.index("champion") < page.index("dice")
    for step in steps:
        assert step.rating in text and step.against_the_one_below in page and step.agent in page
    assert "Measured in" in text and "Measured in" in page


def test_a_ladder_that_was_never_measured_says_so():
    steps = Ladder("autoscooter", crashlab.game("autoscooter").baselines.BASELINES, {})
    assert "never measured" in str(steps) and steps[0].rating == steps[0].against_the_one_below == "-"


def test_ratings_follow_from_the_games_with_the_two_below(monkeypatch):
    """The higher agent wins every game but one."""
    jobs = []

    def played(near, workers, progress):
        jobs.extend(near)
        names = [step.agent for step in ladder("autoscooter")]
        return tuple(
            PlayedGame(
                job.number,
                seats := tuple(name for name, _ in job.sides),
                (0, 0),
                (seats.index(max(seats, key=names.index)) if number else 1,),
                {},
            )
            for number, job in enumerate(near)
        )

    monkeypatch.setattr(measure_ladder, "play_all", played)
    document = measure_ladder.measure(crashlab.game("autoscooter", players=2), games=4)
    assert len(jobs) == 4 * (9 + 8) and "Measured in 68 games of game('autoscooter', players=2)" in document["how"]
    rungs = list(document["rungs"].values())
    assert [rung["rating"] for rung in rungs] == sorted(rung["rating"] for rung in rungs)
    assert document["rungs"]["dice"]["rating"] == 1000 and document["rungs"]["dice"]["half_width"] == 0
    assert [rung["games"] for rung in rungs] == [0] + [4] * 9 and rungs[9]["points"] == 4


def test_the_command_shows_the_ladder(capsys):
    assert main(["ladder", "crash_city"]) == 0
    assert "champion" in capsys.readouterr().out


def test_a_game_without_rungs_has_no_ladder():
    assert TOY.baselines.BASELINES == () and not [name for name in agents.names(TOY) if "/" in name]
