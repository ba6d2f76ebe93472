"""A walk through every lesson in Chromium: no cell fails, every widget is drawn, and its buttons work.

The outputs of the cells are compared without a browser, by nbval.
"""

import shutil

import pytest
from checkout import ROOT

pytest.importorskip("playwright")

pytestmark = pytest.mark.chromium

NOTEBOOKS = ROOT / "notebooks"


@pytest.fixture(scope="module")
def notebooks(folder):
    shutil.copytree(NOTEBOOKS, folder, dirs_exist_ok=True)


# The number of visible lists of answers, and the questions.
ASKED = """() => [[...document.querySelectorAll('.crashlab-choices[aria-label=Answers]')].filter(
        list => list.checkVisibility()).length,
    ...[...document.querySelectorAll('.crashlab-question')].map(question => question.innerText)]"""


@pytest.mark.slow(apart=True)
@pytest.mark.parametrize("name", sorted(path.name for path in NOTEBOOKS.glob("*.ipynb")))
def test_every_widget_of_a_delivered_notebook_works(opened, name):
    page = opened(name)
    if not page.canvases().count():
        return
    for number in range(page.canvases().count()):
        is_watch = (
            page.canvases().nth(number).evaluate("canvas => !!canvas.closest('.crashlab-panel:has(.crashlab-aside)')")
        )
        # A diagram without a board may consist of thin lines of one colour.
        page.expect_colours(number, *((5, 7) if is_watch else (20,)))
    for words in ("One beat on (→)", "More", "Agents play on", "Undo"):
        press = page.click  # the first one with the mouse; the others have the same place in their panels
        for button in page.page.locator(f"button:text-is('{words}'), button[title='{words}']").all():
            if button.is_visible() and button.is_enabled():
                press(button)
                page.expect_paint()
                press = page.press
    answers = page.page.locator(".crashlab-choices[aria-label=Answers] button >> visible=true")
    while answers.count():
        before = page.page.evaluate(ASKED)
        page.click(answers.first)
        page.expect(lambda before=before: page.page.evaluate(ASKED) != before, True)  # the next question, or the film
        now = None
        while now != (now := page.page.evaluate(ASKED)):  # its text appears before its buttons
            page.python("0")
            page.page.wait_for_timeout(100)
    assert not page.page.get_by_text("Nothing has changed").count()
