"""The worked examples of users' rules: the effect of each, and its soundness, interpreted and compiled."""

import crash_and_grab_positions
import crash_by_crash_positions
import crash_city_positions
import pytest
from crash_and_grab_positions import GREEN, RED
from crash_by_crash_positions import magnet

import crashlab
from crashlab.course.lessons import example_rules
from crashlab.games.crash_and_grab.state import RIGHT
from crashlab.play.rule_testing import tried

GAMES = {
    "autoscooter": crashlab.game("autoscooter", players=2).with_rules(*example_rules.FINED_SIDE, FINE=2),
    "crash_and_grab": crashlab.game("crash_and_grab", players=2).with_rules(*example_rules.WEAKER_PUSH),
    "crash_by_crash": crashlab.game("crash_by_crash").with_rules(*example_rules.FAR_MAGNET),
    "crash_city": crashlab.game("crash_city", players=2).with_rules(*example_rules.NEXT_JOB),
}


def play_by(monkeypatch, positions, name):
    """Let positions built by hand be played by the rules of the example."""
    for player in (positions, positions.Play):
        monkeypatch.setattr(player, "rules", GAMES[name].rules)


def test_a_push_loses_strength(monkeypatch):
    play = crash_and_grab_positions.board({RED: 20, GREEN: 22}).ride(RED, 4, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (22, 26)
    play_by(monkeypatch, crash_and_grab_positions, "crash_and_grab")
    play = crash_and_grab_positions.board({RED: 20, GREEN: 22}).ride(RED, 4, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (22, 25) and "HOUSE-1" in play.cited()


def test_a_push_of_one_space_still_makes_room(monkeypatch):
    play_by(monkeypatch, crash_and_grab_positions, "crash_and_grab")
    play = crash_and_grab_positions.board({RED: 20, GREEN: 21}).ride(RED, 1, RIGHT)
    assert (play.at(RED), play.at(GREEN)) == (21, 22)


def test_a_magnet_reaches_three_cells(monkeypatch):
    board = crash_by_crash_positions.board
    assert (7, 5) not in board("7,2: b", "9,9: b").magnet_cells()
    play_by(monkeypatch, crash_by_crash_positions, "crash_by_crash")
    assert (7, 5) in board("7,2: b", "9,9: b").magnet_cells()
    play = board("7,2: b", "9,9: b").do(magnet((7, 5)))
    assert play.lies("7,4: b A", "9,9: b") and any(name.startswith("HOUSE") for name in play.cited())


def test_a_magnet_pulls_the_nearest_car_and_nothing_over_the_operator(monkeypatch):
    play_by(monkeypatch, crash_by_crash_positions, "crash_by_crash")
    play = crash_by_crash_positions.board("7,4: b . . . a", "6,7: o", "5,7: b").do(magnet((7, 6)))
    assert play.lies("7,5: b A a", "6,7: o", "5,7: b")
    play = crash_by_crash_positions.board("11,4: b o")
    assert (11, 7) not in play.magnet_cells() and play.refuses(magnet((11, 7)), "CB-M1")


def test_who_is_hit_parks_at_the_next_job(monkeypatch):
    tiles = ("1,0 N", "2,0 NE", "3,0 N", "4,0 N", "5,0 N shop B", "3,1 S factory A")
    city = crash_city_positions.city
    play_by(monkeypatch, crash_city_positions, "crash_city")
    play = city(*tiles, cars=["A 0,0 N E", "B 2,0 N E"])
    play.do(play.drives("A1", "2,0 N"))
    assert crash_city_positions.tables.tile_at(play.table, 3, 1) + crash_city_positions.ROOF == play.table.where[8]
    assert play.car("A1") == "2,0 N E" and "HOUSE-1" in play.cited()
    assert play.scores() == (0, 1) and play.asks(1)
    play = city("1,0 N", "2,0 NE", "3,0 N", cars=["A 0,0 N E", "B 2,0 N E"])
    play.do(play.drives("A1", "2,0 N"))
    assert play.asks(1, crash_city_positions.ANSWER)  # no job is free: the car makes way as in the book


@pytest.mark.few(1)
@pytest.mark.parametrize("name", GAMES)
def test_it_is_sound_and_makes_a_difference(name):
    game = GAMES[name]
    assert not any(tried(game, seed) for seed in range(3))
    assert game.rulebook["HOUSE-1"].mark == "yours" and len(game.rulebook["HOUSE-1"].text) > 30
    book = crashlab.game(name, players=len(game.seats))
    differences = crashlab.differ(book, game, 6, progress=False)
    assert len(differences) and set(differences.counts) & {"HOUSE-1", "HOUSE-2", "legality"}
