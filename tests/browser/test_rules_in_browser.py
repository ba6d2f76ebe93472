"""A rulebook on the page: a rule is chosen, and its code is inserted into the next cell."""

import pytest

pytest.importorskip("playwright")

from lab_in_chromium import NOTEBOOK, notebook

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

CELLS = (
    "import crashlab\nfrom crashlab.lab import Rules\nfrom crashlab.course.lessons import example_rules",
    """game = crashlab.game("autoscooter", players=2)
rules = Rules(game.with_rules(*example_rules.FINED_SIDE, FINE=2), "AS-C3")
rules""",
    "print('the cell below')",
)
SOURCES = f"() => {NOTEBOOK}.content.widgets.map(cell => cell.model.sharedModel.getSource())"
# The parts of a panel that are wider than their room; the code may be, in a box that scrolls.
WIDER = """() => [...document.querySelectorAll('.crashlab-rules .widget-html, .crashlab-rules .crashlab-side > *')]
    .filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.textContent)"""


@pytest.fixture(scope="module")
def notebooks(folder):
    (folder / "rules.ipynb").write_text(notebook(CELLS))


@pytest.fixture
def page(opened):
    return opened("rules.ipynb", width=1280, height=800)


def test_the_code_of_a_rule_goes_into_the_next_cell_and_ones_own_is_switched_off(page):
    page.page.locator("select[size]").select_option(label="AS-C1  Front crash")
    page.expect(lambda: page.python("rules.rule.id"), "AS-C1")
    page.click_canvas(0, 100, 100)
    page.key("ArrowDown")
    page.expect(lambda: page.python("rules.rule.id"), "AS-C2")
    page.key("ArrowUp")
    page.expect(lambda: page.python("rules.rule.id"), "AS-C1")
    assert page.page.evaluate(WIDER) == []
    assert not page.page.locator(".crashlab-cell").is_visible()
    page.button("Into the next cell")
    page.expect(lambda: len(page.page.evaluate(SOURCES)), len(CELLS) + 1)
    page.expect(lambda: page.page.evaluate(SOURCES)[2], page.python("rules.cell.rstrip()"))
    page.run_cell(2)
    page.expect(lambda: page.python("mine.rulebook['HOUSE-1'].mark"), "yours")
    page.page.locator(".crashlab-rules input[type=checkbox]").click()
    page.expect(lambda: page.python("rules.game == game"), True)


def test_where_no_cell_can_be_written_the_text_is_there(page):
    page.page.evaluate("() => { window.jupyterapp.commands.hasCommand = () => false; }")
    page.button("Into the next cell")
    box = page.page.locator(".crashlab-cell")
    box.wait_for(state="visible")
    assert "This page cannot write cells: copy this text" in box.inner_text() and "mine = game" in box.inner_text()
    page.page.evaluate("() => { delete window.jupyterapp.commands.hasCommand; }")  # the next notebook uses this page
