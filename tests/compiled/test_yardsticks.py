"""The yardsticks play by the same rules; no test depends on speed."""

import shutil

import native_limit
import pytest

import crashlab
from crashlab.games.crash_and_grab.state import ABSENT

pytestmark = pytest.mark.slow

compiles = pytest.mark.skipif(
    not any(map(shutil.which, native_limit.COMPILERS)), reason="no C++ compiler is here to build the yardstick"
)
GAMES = 20_000


def played(name, games, folder):
    """Return the output of a game's yardstick, and the start of its games."""
    start = native_limit.first(crashlab.game(name, **native_limit.OPTIONS[name]))
    return native_limit.numbers(native_limit.build(name, folder), games, start), start


@compiles
def test_the_yardstick_of_autoscooter_plays_autoscooter(tmp_path):
    """The averages of crashes and chits agree; with 20,000 games of each they are known to half a percent."""
    (actions, _, crashes, chits), start = played("autoscooter", GAMES, tmp_path)
    assert actions == GAMES * 88
    ours = crashlab.simulate(start, GAMES, progress=False)
    assert crashes / GAMES == pytest.approx(float(ours.notes["AS-R4"].mean()), rel=0.005)
    assert chits / GAMES == pytest.approx(float(ours.scores.sum(axis=1).mean()), rel=0.01)


@compiles
def test_the_yardstick_of_crash_city_races_as_crash_city(tmp_path):
    """Races differ in length by half of it, so 2,000 of ours give the mean to a percent or two."""
    (decisions, _, crashes, parked), start = played("crash_city", GAMES, tmp_path)
    assert not start.game.options["chains"] and start.text.startswith("phase race")
    ours = crashlab.simulate(start, 2000, progress=False)
    assert decisions / GAMES == pytest.approx(float(ours.decisions.mean()), rel=0.02)
    assert crashes / GAMES == pytest.approx(float(ours.notes["CC-R4"].mean()), rel=0.02)
    assert parked / GAMES == pytest.approx(float(ours.scores.sum(axis=1).mean()), rel=0.005)


@compiles
def test_the_yardstick_of_crash_and_grab_plays_without_upgrades(tmp_path):
    """Games end after 2 to 60 rounds and a tenth of them dominates the mean, so 20,000 give it to a percent."""
    (decisions, _, collisions, accelerations, types), start = played("crash_and_grab", GAMES, tmp_path)
    assert set(start.table.holder) == {ABSENT}
    ours = crashlab.simulate(start, GAMES, progress=False)
    assert decisions / GAMES == pytest.approx(float(ours.decisions.mean()), rel=0.015)
    assert collisions / GAMES == pytest.approx(float(ours.notes["CG-M3"].mean()), rel=0.02)
    assert accelerations / GAMES == pytest.approx(float(ours.notes["CG-M4"].mean()), rel=0.02)
    assert types / GAMES == pytest.approx(float(ours.scores.sum(axis=1).mean()), rel=0.005)


@compiles
def test_the_limit_is_a_table_with_a_ratio():
    words = str(native_limit.limit(crashlab.game("autoscooter"), 0.02))
    assert "players=8" in words and "C++ by hand, one core" in words
    assert words.splitlines()[-1].endswith("x C++ by hand, one core")
