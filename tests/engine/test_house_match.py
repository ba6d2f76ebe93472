"""A match by a user's rules stores their text, and loading it never runs them."""

import json

import pytest
from cell_functions import cell

import crashlab
from crashlab import CrashlabError, Match
from crashlab.engine.house_rules.check import House
from crashlab.engine.house_rules.source import RuleSource

GAME = crashlab.game("autoscooter", players=2)
SOURCE = '''
def hit_side(table, car, hit, side, v, cause, trace):
    """A car that is hit in the side pays a fine."""
    crash = note(HOUSE, cause, car + 1, hit + 1, v, table.speed[hit], trace)
    pay(table, hit, car, FINE, v, HOUSE, crash, trace)
    return crash
'''


def with_side(source=SOURCE, fine=3):
    return GAME.with_rules(cell(source)["hit_side"], FINE=fine)


MINE = with_side()


@pytest.fixture
def saved(tmp_path):
    match = Match(MINE, "random", seed=3)
    match.run(6)
    match.save(tmp_path / "mine.json")
    return tmp_path / "mine.json", match


def test_it_keeps_the_text_and_the_fingerprint(saved):
    record = json.loads(saved[0].read_text())
    assert record["game"] == "autoscooter" and record["options"]["FINE"] == 3
    assert record["rules"]["functions"] == {"hit_side": SOURCE.strip().splitlines()}
    assert record["rules"]["fingerprint"] == MINE.house.fingerprint and record["rules"]["constants"] == {"FINE": 3}


def test_it_is_verified_against_the_game_that_is_given(saved):
    path, match = saved
    again = Match.load(path, game=with_side())
    assert again.state == match.state and again.game == MINE and len(again.turns) == 6
    assert [turn.rows for turn in again.turns] == [turn.rows for turn in match.turns]


def test_without_the_game_it_is_read_and_not_played_and_says_why(saved):
    with pytest.raises(CrashlabError, match=r"mine.json: it was played by house rules \(hit_side\).*never runs"):
        Match.load(saved[0])


def test_loading_runs_nothing(tmp_path, saved):
    """Not even code smuggled into the text, with a fingerprint that fits, is run."""
    record = json.loads(saved[0].read_text())
    marker = tmp_path / "run"
    evil = SOURCE.replace("trace):", f"trace, x=open({str(marker)!r}, 'w')):").strip().splitlines()
    record["rules"]["functions"]["hit_side"] = evil
    texts = House((RuleSource("hit_side", "\n".join(evil)),), (("FINE", 3),))
    record["rules"]["fingerprint"] = texts.fingerprint
    for game in (None, MINE):
        with pytest.raises(
            CrashlabError, match="loading never runs it" if game is None else "the function hit_side differs"
        ):
            Match.from_dict(record, game=game)
    assert not marker.exists()


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (GAME, "different rules from the given game: only one of them has hit_side"),
        (with_side(SOURCE.replace("FINE,", "2 * FINE,")), "the function hit_side differs"),
        (with_side(fine=4), "the constants differ"),
        (MINE.changed(players=3), "it is a match of autoscooter with .*, not of game"),
        ("mine", "game='mine': give the game that was played"),
    ],
)
def test_another_game_is_refused(saved, game, words):
    with pytest.raises(CrashlabError, match=rf"mine\.json: .*{words}"):
        Match.load(saved[0], game=game)


def test_a_match_by_the_book_is_refused_by_rules_of_ones_own(tmp_path):
    match = Match(GAME, "random", seed=3)
    match.run(2)
    match.save(tmp_path / "book.json")
    assert "rules" not in json.loads((tmp_path / "book.json").read_text())
    assert Match.load(tmp_path / "book.json", game=GAME).state == Match.load(tmp_path / "book.json").state
    with pytest.raises(CrashlabError, match="was played by the book, but the given game has hit_side"):
        Match.load(tmp_path / "book.json", game=MINE)


@pytest.mark.parametrize(
    "rules",
    [
        3,
        {},
        {"functions": {"hit_side": ["pass"]}, "constants": {}, "fingerprint": "0"},
        {"functions": ["hit_side"], "constants": {}, "fingerprint": "0"},
        {"functions": {"hit_side": 3}, "constants": {}, "fingerprint": "0"},
    ],
)
def test_rules_that_somebody_has_changed_are_refused(saved, rules):
    record = json.loads(saved[0].read_text()) | {"rules": rules}
    with pytest.raises(CrashlabError, match="do not match their fingerprint"):
        Match.from_dict(record, game=MINE)
