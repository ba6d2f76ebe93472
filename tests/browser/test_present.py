"""Lessons presented panel by panel, with the keys of a clicker and those for answers."""

import json
import re
import shutil

import pytest
from checkout import ROOT

pytest.importorskip("playwright")

from lab_in_chromium import NOTEBOOK, notebook

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

NOTEBOOKS = ROOT / "notebooks"
COURSES = (  # one lesson of each course
    "10a_angles_and_crashes",
    "11a_momentum",
    "12a_forces_and_magnets",
    "13a_growing_city",
    "20_your_own_rule",
    "30a_how_sure",
    "43_minimax",
    "60_puzzles_and_leagues",
)
PANEL = "application/vnd.crashlab.panel+json"
DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACw="  # a picture
SMALL = [
    ("markdown", "# The lesson\n\n## `First` steps"),
    ("code", "import crashlab\nfrom crashlab.lab import Board, Poll"),
    ("markdown", "```python\n# no heading\n```"),
    ("code", "Board(crashlab.game('autoscooter').start(seed=1))"),
    ("code", "print('no panel')"),
    ("markdown", f"### A [poll](https://example.org) [![of a class]({DOT})](https://example.org)"),
    ("code", "poll = Poll('Which?', 'AB', answer='B')\npoll"),
    ("code", "raise ValueError('a mistake')"),
    ("code", "Board(crashlab.game('autoscooter').start(seed=2))"),
]
SHOWN = """() => { const panel = document.querySelector('.crashlab-screen:popover-open');
    const words = name => document.querySelector(name).textContent;
    return [words('.crashlab-heading'), panel ? 'panel' : words('.crashlab-stage-said')]; }"""
STAGE = "() => document.querySelector('.crashlab-stage')?.checkVisibility() ?? false"
AT = f"() => {NOTEBOOK}.content.activeCellIndex"
# Whether a new panel is shown, completely in the window, or the end is announced; it marks the panel as seen.
NEXT = """() => { const panel = document.querySelector('.crashlab-screen:popover-open');
    if (!panel) return /last panel|has failed/.exec(document.querySelector('.crashlab-stage-said')?.textContent)?.[0];
    if (panel.dataset.seen || !panel.querySelector('.crashlab-status').innerText.trim()) return false;
    const {left, top, right, bottom} = panel.querySelector('.crashlab-board').getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight || right - left < 300) return false;
    return panel.dataset.seen = 'panel'; }"""
ANSWERS = """() => [...document.querySelectorAll('.crashlab-screen [aria-label=Answers] button')].some(button =>
    button.checkVisibility({visibilityProperty: true}))"""
ASKED = "() => document.querySelector('.crashlab-screen .crashlab-side')?.innerText"


@pytest.fixture(scope="module")
def notebooks(folder):
    shutil.copytree(NOTEBOOKS, folder, dirs_exist_ok=True)
    document = json.loads(notebook([source for _, source in SMALL]))
    for cell, (kind, _) in zip(document["cells"], SMALL, strict=True):
        if kind == "markdown":
            cell["cell_type"] = kind
            del cell["outputs"], cell["execution_count"]
    (folder / "small.ipynb").write_text(json.dumps(document))


@pytest.mark.slow(apart=True)
@pytest.mark.parametrize("name", COURSES)
def test_a_lesson_is_presented_to_its_end_with_page_down_and_answers(browser, name, tmp_path):
    page = browser.open(f"{name}.ipynb", width=1280, height=800)
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    panels = sum(PANEL in output.get("data", {}) for output in outputs)
    for number, cell in enumerate(cells):
        page.run_cell(number)
        if any(PANEL in output.get("data", {}) for output in cell.get("outputs", [])):
            break
    page.page.locator("button.crashlab-present").click()
    for number in range(panels):
        page.wait_for(NEXT)
        assert page.page.evaluate(SHOWN)[0], "a panel without a heading"
        while page.page.evaluate(ANSWERS):
            before = page.page.evaluate(ASKED)
            page.key("ArrowDown")
            page.key("Enter")
            page.expect(lambda before=before: page.page.evaluate(ASKED) != before, True)
            page.page.wait_for_timeout(400)  # otherwise it is a double click
        page.page.screenshot(path=tmp_path / f"{number}.png")
        page.key("PageDown")
    page.wait_for(NEXT)
    assert "last panel" in page.page.evaluate(SHOWN)[1]
    page.key("Escape")
    page.expect(lambda: page.page.evaluate(STAGE), False)
    page.end()


@pytest.fixture
def small(browser):
    page = browser.open("small.ipynb", width=1280, height=800)
    yield page
    page.errors.clear()
    page.stop_films()
    page.shut_down()
    page.page.close()


def test_from_the_address_a_lesson_begins_runs_what_it_reaches_and_comes_back_to_the_cell(small, tmp_path):
    page = small
    page.page.goto(f"{page.page.url.partition('?')[0]}?present", wait_until="domcontentloaded")
    page.page.get_by_text("The lesson begins").wait_for()
    page.wait_for(NEXT)  # it fills the window before any key is pressed
    page.page.get_by_text("The lesson begins").wait_for(state="hidden")
    assert page.page.evaluate(SHOWN) == ["First steps", "panel"]
    assert [bool(cell.get("execution_count")) for cell in page.cells()] == [n in (1, 3) for n in range(len(SMALL))]
    page.key("PageDown")
    page.wait_for(NEXT)
    assert page.page.evaluate(SHOWN) == ["A poll", "panel"]
    page.expect(lambda: bool(page.page.evaluate("() => document.fullscreenElement")), True)
    page.key("ArrowDown")  # the panel receives the keys
    page.key("3")
    page.expect(lambda: page.python("poll.counts"), {"Which?": {"A": 3, "B": 0}})
    page.key("PageUp")
    page.expect(lambda: page.page.evaluate(SHOWN)[0], "First steps")
    page.key("PageDown")
    page.expect(lambda: page.page.evaluate(SHOWN)[0], "A poll")
    assert page.python("poll.counts") == {"Which?": {"A": 3, "B": 0}}  # it has not been run again
    page.key("PageDown")
    page.wait_for(NEXT)
    message = "This cell has failed.\na mistake\nPageDown goes on, Escape goes to the cell."
    assert page.page.evaluate(SHOWN)[1] == message
    page.key("PageDown")
    page.wait_for(NEXT)
    page.page.screenshot(path=tmp_path / "last.png")
    page.key("Escape")
    page.expect(lambda: page.page.evaluate(STAGE), False)
    assert page.page.evaluate(AT) == len(SMALL) - 1 and not page.page.evaluate("() => document.fullscreenElement")


def test_a_page_that_loads_again_in_a_lesson_is_back_at_its_panel_with_everything_in_it(small):
    page = small
    address = f"{page.page.url.partition('?')[0]}?present"
    page.page.goto(address, wait_until="domcontentloaded")
    page.wait_for(NEXT)
    page.key("PageDown")
    page.wait_for(NEXT)
    page.key("ArrowDown")
    page.key("3")
    page.expect(lambda: page.python("poll.counts"), {"Which?": {"A": 3, "B": 0}})
    for _ in range(2):
        page.errors.clear()
        page.page.goto(address, wait_until="domcontentloaded")
        page.wait_for(NEXT)
        assert page.page.evaluate(SHOWN) == ["A poll", "panel"]
        assert page.python("poll.counts") == {"Which?": {"A": 3, "B": 0}}
        assert not page.errors and "not found" not in page.text()
    page.key("PageUp")
    page.expect(lambda: page.page.evaluate(SHOWN)[0], "First steps")


def test_the_screen_can_be_black_and_a_pen_draws_on_it_until_escape(small, tmp_path):
    page = small
    page.run_cell(1)
    page.run_cell(3)
    page.click_canvas(0, 20, 20)
    page.key("f")
    page.wait_for(NEXT)
    pixel = lambda: page.page.screenshot(clip={"x": 400, "y": 400, "width": 1, "height": 1})  # noqa: E731
    plain = pixel()
    page.key("b")
    black = pixel()
    page.key("PageDown")  # any key brings the panel back
    assert black != plain and page.page.evaluate(SHOWN) == ["First steps", "panel"]
    page.expect(lambda: pixel() == plain, True)
    page.key("p")
    page.page.mouse.move(300, 400)
    page.page.mouse.down()
    page.page.mouse.move(500, 400, steps=5)
    page.page.mouse.up()
    assert pixel() not in (plain, black)
    page.page.screenshot(path=tmp_path / "pen.png")
    page.key("Escape")
    assert pixel() == plain and page.page.evaluate(STAGE)
    page.key("Escape")
    page.expect(lambda: page.page.evaluate(STAGE), False)
    assert page.page.evaluate(AT) == 3


def test_the_ten_minutes_of_the_teachers_page_are_done_by_keys_alone(browser, tmp_path):
    page = browser.open("01_for_teachers.ipynb", width=1920, height=1080)
    page.page.goto(f"{page.page.url.partition('?')[0]}?present", wait_until="domcontentloaded")
    page.wait_for(NEXT)
    side, status = (
        lambda name=name: page.page.locator(f".crashlab-screen {name}").inner_text()
        for name in (".crashlab-side", ".crashlab-status")
    )

    def keys(*names):
        for name in names:
            page.key(name)

    keys("ArrowDown", "3", "ArrowDown", "9", "ArrowDown", "2")
    page.expect(lambda: all(words in side() for words in ("1,2 3", "2,1 9", "2,2 2")), True)
    keys("a")  # a second vote after a discussion
    page.expect(lambda: "2,1 9 → 0" in side(), True)
    keys("ArrowDown", "ArrowDown", "ArrowDown", "9")
    page.expect(lambda: "2,2 2 → 9" in side(), True)
    keys("Enter")
    page.expect(lambda: "Right: 2,2. Car 1 is stopped by car 2" in side() and "Pause" not in side(), True)
    page.page.screenshot(path=tmp_path / "shown.png")
    keys("Enter")
    page.expect(lambda: "which case is it?" in side(), True)
    keys("b", "b", "PageDown")
    page.wait_for(NEXT)
    page.expect(status, "You are A. Car 1: choose where it drives. 15 choices: click one, on the board or in the list.")
    keys(*["ArrowDown"] * 10, "Enter")
    page.expect(lambda: "FF, choose when it moves" in status(), True)
    keys("ArrowDown", "Enter")
    page.expect(lambda: status().startswith("Beat"), True)
    keys("x")  # any key ends the film
    page.expect(lambda: bool(re.match(r"[A-D] [+−]\d", status())), True)
    page.page.screenshot(path=tmp_path / "played.png")
    keys("Backspace", "Backspace")
    page.expect(lambda: "15 choices" in status(), True)
    keys("PageDown")
    page.wait_for(NEXT)
    keys("c", "ArrowRight")
    why = page.page.locator(".crashlab-screen .why").last.inner_text
    page.expect(lambda: "because" in why() and "pays" in why(), True)
    page.page.screenshot(path=tmp_path / "why.png")
    keys("Escape")
    page.expect(lambda: page.page.evaluate(STAGE), False)
    page.end()
