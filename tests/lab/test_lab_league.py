"""The league on the projector, without a browser: it plays while it is shown, and every game can be viewed."""

import shutil
import time

import pytest

import crashlab
from crashlab import CrashlabError
from crashlab.engine.game import Game
from crashlab.play.league import page

pytest.importorskip("ipycanvas")

from fake_page import Sent, click, quick_fingers, wait_for, words  # noqa: F401
from patience import PATIENCE

from crashlab.drawing.shapes import Polygon, Text
from crashlab.lab import League

TOY = Game("toy", "toy", {})
FIRST = "def agent(state, seat):\n    return state.actions(seat)[0]\n"
LAST = "def agent(state, seat):\n    return state.actions(seat)[-1]\n"
LATE = "def agent(state, seat):\n    return state.actions(seat)[10]\n"
ENDLESS = "def agent(state, seat):\n    while True:\n        pass\n"
FOUR = {"fast": LAST, "slow": FIRST, "late": LATE, "typo": "def agent(:\n"}


def league(folder, game=TOY, **texts):
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    return League(folder, game, games=2, limit=PATIENCE, seed=7 * 10**39)


@pytest.fixture
def shown(tmp_path):
    panel = league(tmp_path, **FOUR)
    yield panel
    panel.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return the folder of a finished league; playing it takes long, as the guests of six games must start."""
    folder = tmp_path_factory.mktemp("played")
    league(folder, **FOUR).finish().close()
    return folder


@pytest.fixture
def finished(played, tmp_path):
    """Return the finished league, reopened in a copy of its folder."""
    panel = league(shutil.copytree(played, tmp_path / "league")).finish()
    yield panel
    panel.close()


def appear(panel):
    """Report a view of the panel, as a browser does."""
    panel.board.surface.widget[-1]._client_ready_callbacks()


def texts(panel):
    return [shape.text for shape in panel.board.picture.board if isinstance(shape, Text)]


def test_it_plays_while_it_is_on_a_page_and_tells_what_broke(shown):
    assert shown.season.played == [] and "0 of 0" not in shown.progress.value and "has not played" in texts(shown)
    appear(shown)
    wait_for(lambda: shown.now.is_loaded and not shown.work.busy)
    with shown.board.lock:
        assert shown.now.games == 6 and shown.error is None and "6 of 6 games" in shown.progress.value
        title = f"{TOY.title}: 4 agents, 1 of them broken, 6 of 6 games"
        assert {title, "4 of 4", "cannot be loaded", "4 forfeited"} <= set(texts(shown))
        assert "fast has won." in texts(shown) and "fast has won." in shown.heading.value
        assert "IndexError" in shown.reports.value and "cannot be loaded: SyntaxError" in shown.reports.value
        assert "won-drawn-lost" in shown.table.value and len(shown.list.options) == 6
    click(shown.stop)
    assert "all games have been played" in words(shown) and not shown.work.busy


def test_those_who_have_won_equally_have_both_won(tmp_path):
    panel = league(tmp_path, fast=LAST, faster=LAST)
    panel.finish()
    assert "fast and faster have won." in texts(panel)
    panel.close()


def test_games_that_only_repeat_another_one_are_told_of(tmp_path):
    for name, text in (("slow", FIRST), ("fast", LAST)):
        (tmp_path / f"{name}.py").write_text(text)
    start = TOY.read("squares 3 3")  # over before any wind: one game for each side and no others
    panel = League(tmp_path, start, games=4, limit=PATIENCE, seed=7 * 10**39).finish()
    for shown in (panel.table.value, panel.season.html, str(panel.season).replace("\n", " ")):
        assert "Different games: 2 of 4. The others repeat one of them move for move" in shown
    panel.close()


def test_who_is_playing_is_marked(shown):
    def bands(playing=()):
        picture = page.pictured(shown.season, playing)
        return [shape for shape in picture.board if isinstance(shape, Polygon) and shape.fill == "flash"]

    assert bands() == [] and len(bands(("fast", "slow"))) == 2


def test_a_click_on_a_game_shows_it_below_and_a_click_on_a_name_its_games(finished):
    number = next(number for number, kept in enumerate(finished.season.played, 1) if "late" in kept.pair)
    finished.list.value = number
    assert finished.review.summary.turns[-1].after.text == finished.season.played[number - 1].match["end"]
    assert "It is shown below." in words(finished) and "late: IndexError" in words(finished)
    first = finished.review
    finished.show(1)
    assert finished.review is not first and first.closed and finished.stage.children == (finished.review,)
    names = [row.name for row in finished.season.standings.ranking]
    Sent(finished).press(100, 100)
    assert finished.now.name == names[0] and len(finished.list.options) == 4
    click(finished.all)
    assert len(finished.list.options) == 6
    finished.choose("typo")
    assert "cannot be loaded" in words(finished) and finished.list.options == ()
    for wrong in (lambda: finished.choose("nobody"), lambda: finished.show(7)):
        with pytest.raises(CrashlabError, match=r"(its agents are|games are numbered) "):
            wrong()


def test_keys_choose_a_game_and_show_it(finished):
    sent = Sent(finished)
    sent.key("ArrowDown")
    assert finished.list.index == 0 and finished.review is None
    sent.key("ArrowUp")
    assert finished.list.index == 5
    sent.key("Enter")
    assert finished.review.summary.turns[0].before == finished.season.match(1).start


def test_it_stops_in_the_middle_of_a_game_and_goes_on(tmp_path):
    panel = league(tmp_path, crashlab.game("autoscooter", players=2), a=ENDLESS, b=FIRST)
    appear(panel)
    wait_for(lambda: any(guest._asked for guest in panel.season._playing))
    click(panel.stop)
    assert not panel.work.busy and panel.stop.description == "Go on"
    with panel.work.thinking:  # the last computation has finished
        assert not any(guest._process for guest in panel.season._playing)
    assert panel.season.played == [] and panel.error is None
    (tmp_path / "a.py").write_text(LAST)
    panel.close()
    again = league(tmp_path, crashlab.game("autoscooter", players=2))
    assert again.finish().now.games == 2
    again.close()


def test_closing_it_ends_the_game(tmp_path):
    panel = league(tmp_path, a=ENDLESS, b=FIRST)
    season, work = panel.season, panel.work
    appear(panel)
    wait_for(lambda: any(guest._asked for guest in season._playing))
    panel.close()
    with work.thinking:
        pass
    time.sleep(0.1)
    assert panel.closed and season.played == [] and not any(guest._process for guest in season._playing)


def test_with_too_few_agents_it_says_so(tmp_path):
    panel = league(tmp_path, a=FIRST)
    appear(panel)
    wait_for(lambda: panel.error is not None)
    assert "needs two agents" in words(panel) and not panel.work.busy
    panel.close()


def test_what_stands_in_for_it_is_the_table(finished):
    bundle = finished._repr_mimebundle_()
    assert bundle["text/plain"] == str(finished.season) and bundle["image/png"]


def test_the_page_is_saved(shown, tmp_path):
    shown.save(tmp_path / "table.html")
    assert (tmp_path / "table.html").read_text("utf-8") == shown.season.html
