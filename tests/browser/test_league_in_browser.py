"""A league on the page: its table fills, a broken agent is listed, and one of its games is replayed."""

import pytest

pytest.importorskip("playwright")

from lab_in_chromium import notebook

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

AGENTS = {
    "first": "def agent(state, seat):\n    return state.actions(seat)[0]\n",
    "last": "def agent(state, seat):\n    return state.actions(seat)[-1]\n",
    "broken": "def agent(:\n",
}
CELLS = (
    "import crashlab\nfrom crashlab.lab import League",
    """game = crashlab.game("autoscooter", players=2, cars=3)
late = game.read({"round": 10, "cars": {"1": "21E2", "2": "23SE2"}})
league = League("class", late, games=2, seed=10**39)
league""",
)


@pytest.fixture(scope="module")
def notebooks(folder):
    (folder / "league.ipynb").write_text(notebook(CELLS))
    (folder / "class").mkdir()
    for name, text in AGENTS.items():
        (folder / "class" / f"{name}.py").write_text(text)


def test_the_table_fills_what_broke_is_told_and_a_game_is_played_again(opened):
    page = opened("league.ipynb", width=1280, height=800)
    page.expect(lambda: page.python("len(league.season.played) == league.season.planned_games > 0"), True)
    page.expect(lambda: page.page.locator("table").first.is_visible(), True)
    for name in ("first", "last"):
        assert name in page.page.locator("table").first.inner_text()
    page.page.get_by_text("What broke").click()
    page.expect(lambda: "broken" in page.page.locator("details li").first.inner_text(), True)
    assert "SyntaxError" in page.page.locator("details li").first.inner_text()
    page.page.locator("select[size]").first.select_option(index=0)
    page.expect(lambda: page.python("league.review is not None and len(league.review.summary.turns) > 0"), True)
    page.expect(lambda: page.canvases().count(), 2)
    page.button(page.python("league.review.buttons[0].description"))
    page.expect(lambda: page.canvases().count(), 3)
    page.expect(lambda: page.python("league.review.panel.steps.last > 0"), True)
    page.wait_until_quiet()
    page.expect_colours(2, 5)
