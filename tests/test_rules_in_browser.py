"""A rulebook on the page: a rule is chosen, and its code goes into the next cell."""

import pytest

pytest.importorskip("playwright")

from browser import Lab, notebook

pytestmark = pytest.mark.chromium

CELLS = (
    "import crashlab\nfrom crashlab.lab import Rules\nfrom crashlab.lessons import own_rules",
    """game = crashlab.game("autoscooter", players=2)
rules = Rules(game.with_rules(*own_rules.FINED_SIDE, FINE=2), "AS-C3")
rules""",
    "print('the cell below')",
)
SOURCES = "() => window.jupyterapp.shell.currentWidget.content.widgets.map(cell => cell.model.sharedModel.getSource())"


def test_the_code_of_a_rule_goes_into_the_next_cell(chromium, tmp_path, tmp_path_factory):
    (tmp_path / "rules.ipynb").write_text(notebook(CELLS))
    with Lab(tmp_path, tmp_path_factory.mktemp("lab")) as lab, lab.browser(chromium) as browser:
        page = browser.open("rules.ipynb", width=1280, height=800)
        page.run_all()
        page.page.locator("select[size]").select_option(label="AS-C4  Side crash")
        page.expect(lambda: page.python("rules.rule.id"), "AS-C4")
        page.page.screenshot(path=tmp_path / "rules.png")
        page.page.locator("button:has-text('Into the next cell')").click()
        page.expect(lambda: len(page.page.evaluate(SOURCES)), len(CELLS) + 1)
        page.expect(lambda: page.page.evaluate(SOURCES)[2].startswith("def hit_side("), True)
        page.page.screenshot(path=tmp_path / "copied.png")
        page.page.locator("label:has-text('hit_side') input, input[type=checkbox]").first.click()
        page.expect(lambda: page.python("rules.game == game"), True)
        page.check()
