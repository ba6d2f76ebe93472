"""Damaged files are read without their damaged parts, or refused with one message."""

import json
import random
import warnings
from contextlib import suppress

import pytest
from effort import effort
from mutations import damaged, damaged_lines, damaged_text

import crashlab
from crashlab import CrashlabError, Match
from crashlab.analysis.puzzles import collection, solver_rating
from crashlab.play.league.season import KEPT, Season

OFTEN = effort(500, 20_000)  # mutations for each reader
LEAGUES = effort(500, 5_000)  # each is opened as a season, and its new standings are written as a page
GAME = crashlab.game("autoscooter", players=2)
FIRST = "def agent(state, seat):\n    return state.actions(seat)[0]\n"
LATE = "def agent(state, seat):\n    return state.actions(seat)[0 if state.round < 3 else 10**6]\n"


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """Return a league with a game that is won and one that is forfeited."""
    folder = tmp_path_factory.mktemp("league")
    for name, text in (("first", FIRST), ("second", FIRST), ("late", LATE)):
        (folder / f"{name}.py").write_text(text)
    return crashlab.league(folder, GAME, games=2, limit=60, seed=10**39, progress=False)


def test_a_league(season):
    rng, text = random.Random(1), season.path.read_text()
    whole = {json.dumps(kept.to_dict()) for kept in season.played}
    refused = reported = 0
    seen = set()
    for _ in range(LEAGUES):
        (season.folder / KEPT).write_text(damaged_lines(text, rng))
        try:
            again = Season(season.folder, games=2)
        except CrashlabError:
            refused += 1
            continue
        reported += "damaged and was left out" in again.damage
        games = tuple(json.dumps(kept.to_dict()) for kept in again.played)
        if games not in seen:
            seen.add(games)
            assert str(again).startswith(again.title) and again.damage in str(again)
            assert "</html>" in again.html and again.rounds
        for number in [number for number, game in enumerate(games, 1) if game not in whole]:
            with suppress(CrashlabError):
                again.match(number)
    assert refused > LEAGUES // 20 and reported > LEAGUES // 5


@pytest.mark.parametrize("name", crashlab.games())
def test_puzzles(name, tmp_path):
    rng, path = random.Random(1), tmp_path / "puzzles.json"
    lines = (collection.FOLDER / f"{name}.json").read_text("utf-8").splitlines(True)[:3]
    reported = 0
    for _ in range(OFTEN // 4):
        path.write_text(damaged_lines("".join(lines), rng), "utf-8")
        with warnings.catch_warnings(record=True) as heard, suppress(CrashlabError):
            warnings.simplefilter("always")
            problems = collection.read(name, path, is_strict=False)
            assert len(problems) + len(heard) == len(path.read_text("utf-8").splitlines())
            reported += len(heard)
            assert all("left out" in str(warning.message) for warning in heard)
            for problem in problems:
                assert problem.level and problem.id
                with suppress(CrashlabError):
                    assert problem.claim and str(problem) and problem.score(problem.best[0]) == 100
                    problem.score(problem.rival), problem.turns(problem.rival)
    assert reported > OFTEN // 20


def test_ratings(tmp_path):
    rng, path = random.Random(1), tmp_path / "ratings.json"
    problem = crashlab.puzzles("crash_city")[0]
    solver_rating.note(path, problem, True)
    solver_rating.note(path, crashlab.puzzles("autoscooter")[0], False)
    data, text = json.loads(path.read_text()), path.read_text()
    for _ in range(OFTEN):
        path.write_text(json.dumps(damaged(data, rng)) if rng.random() < 0.8 else damaged_text(text, rng))
        before = path.read_bytes()
        try:
            for rating in solver_rating.load(path).values():
                assert abs(rating.rating) < 1e6 and all(type(name) is str for name in rating.solved)
            solver_rating.note(path, crashlab.puzzles("crash_city")[1], True)
            json.loads(path.read_text(), parse_constant=pytest.fail)
        except CrashlabError:
            assert path.read_bytes() == before


def test_records_of_matches(tmp_path):
    rng, path = random.Random(1), tmp_path / "match.json"
    match = crashlab.Match(crashlab.game("crash_city", players=2), {0: "random", 1: "random"}, seed=1)
    match.run(12)
    match.save(path)
    data, text = json.loads(path.read_text()), path.read_text()
    for _ in range(OFTEN):
        path.write_text(json.dumps(damaged(data, rng)) if rng.random() < 0.8 else damaged_text(text, rng))
        with suppress(CrashlabError):
            Match.load(path)
