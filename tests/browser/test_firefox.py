"""Firefox: lessons in a JupyterLab, and a saved film."""

import shutil

import pytest
from checkout import ROOT

import crashlab
from crashlab.engine import turn_film

pytest.importorskip("jupyterlab")
pytest.importorskip("websocket")

from firefox_driver import Firefox
from lab_in_chromium import NOTEBOOK, Lab

pytestmark = pytest.mark.firefox

FIRST, STEPPER = 1, 7  # cells of the first lesson
HIT = 0.347, 0.378  # where car 1 stops, in shares of the board
ASIDE = 0.9, 0.9  # a place on a board without a meaning
LESSON = "00_start_here.ipynb"
WALKED = "10a_angles_and_crashes.ipynb", "13a_growing_city.ipynb", "43_minimax.ipynb", "50_gallery.ipynb"
# The number of boards in a notebook with fewer than six colours, on which nothing is drawn
BARE = """() => [...document.querySelectorAll('.crashlab-board')].map(board => {
    const {data} = board.getContext('2d').getImageData(0, 0, board.width, board.height), seen = new Set();
    for (let n = 0; n < data.length; n += 28) seen.add((data[n] << 16) + (data[n + 1] << 8) + data[n + 2]);
    return seen.size; }).filter(colours => colours < 6).length"""
FAILED = f"""() => {NOTEBOOK}.content.model.toJSON().cells.filter(cell => cell.cell_type === 'code')
    .filter(cell => !(cell.metadata.tags ?? []).includes('raises-exception'))
    .flatMap(cell => cell.outputs).filter(output => output.output_type === 'error').map(output => output.evalue)"""


@pytest.fixture(scope="module")
def browser(firefox, tmp_path_factory):
    with Firefox(firefox, tmp_path_factory.mktemp("firefox")) as driven:
        yield driven


@pytest.fixture
def opened(browser, tmp_path):
    """Open addresses, and check at the end that their consoles have no errors."""
    pages = []

    def show(address, **size):
        pages.append(browser.open(address, **size))
        return pages[-1]

    yield show
    for number, page in enumerate(pages):
        page.screenshot(tmp_path / f"end{number}.png")
        page.close()
        assert [error for error in page.errors if "favicon" not in error] == []


@pytest.fixture(scope="module")
def turn():
    """Play a turn in which two cars crash and a third one hits the barrier."""
    state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2", "3": "53E2"}})
    return state.play({"A": "17 FF", "B": None, "C": "83 FFF"})


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder, work = tmp_path_factory.mktemp("lessons"), tmp_path_factory.mktemp("work")
    for name in (LESSON, *WALKED):
        shutil.copy(ROOT / "notebooks" / name, folder)
    with Lab(folder, work) as started:
        yield started


@pytest.fixture(params=[LESSON])
def lesson(lab, opened, request):
    """Open the first lesson, or another one, in a JupyterLab."""
    page = opened(lab.url(request.param))
    page.wait_for(f"() => Boolean(window.jupyterapp && {NOTEBOOK}?.content?.widgets.length)")
    page.js(f"async () => {{ await {NOTEBOOK}.sessionContext.ready; }}")
    return page


def run(page, number):
    page.js(
        f"""async number => {{
            {NOTEBOOK}.content.activeCellIndex = number;
            await window.jupyterapp.commands.execute('notebook:run-cell'); }}""",
        number,
    )


def cell(number):
    return f".jp-Cell[data-windowed-list-index='{number}']"


@pytest.mark.slow
def test_the_first_lesson_is_answered_played_and_stepped_through(lesson):
    run(lesson, FIRST)
    board = f"{cell(FIRST)} >> .crashlab-board"
    lesson.wait_for(f"() => document.querySelector('.crashlab-board') && ({BARE})() === 0")  # earlier clicks are lost
    lesson.click(board, x=HIT[0], y=HIT[1])
    lesson.expect(lambda: any("1 of 1 right" in words for words in lesson.find(f"{cell(FIRST)} >> *")), True)
    run(lesson, STEPPER)
    panel = cell(STEPPER)

    def expect(beat):
        lesson.expect(lambda: any(f"Beat {beat}" in words for words in lesson.find(f"{panel} >> [role=status]")), True)

    for beat in ("1", "2"):
        lesson.click(f"{panel} >> button", "One beat on (→)")
        expect(beat)
    lesson.click(f"{panel} >> .crashlab-board", x=ASIDE[0], y=ASIDE[1])
    for key, beat in (("ArrowRight", "3"), ("ArrowLeft", "2"), ("End", "7 of 7")):
        lesson.press(key)
        expect(beat)
    lesson.press("Home")
    lesson.press(" ")
    expect("7 of 7")
    lesson.click(f"{panel} >> button", "To the beginning (Home)")
    lesson.click(f"{panel} >> button", "Play (space)")
    expect("7 of 7")


@pytest.mark.slow
@pytest.mark.parametrize("lesson", WALKED, indirect=True)
def test_all_cells_of_a_lesson_run_and_its_boards_are_drawn_and_stepped(lesson):
    lesson.js("async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    assert lesson.js(FAILED) == []
    assert lesson.find(".crashlab-board")
    lesson.expect(lambda: lesson.js(BARE), 0)
    lesson.wait_for("() => window.findThings('button:not(:disabled)', 'One beat on (→)').length")
    statuses = "() => window.findThings('[role=status]').map(part => part.textContent)"  # also out of view
    before = lesson.js(statuses)
    lesson.js("() => window.findThings('button:not(:disabled)', 'One beat on (→)')[0].click()")  # wherever it is now
    lesson.expect(lambda: lesson.js(statuses) != before, True)


def plays(page, story):
    """Step a film with a button and with a key, then play the rest."""
    page.click("button", "One beat on (→)")
    page.expect(lambda: page.find(".words"), [story.words(1)])
    page.press("ArrowRight")
    page.expect(lambda: page.find(".words"), [story.words(2)])
    page.click("button", "Play (space)")
    page.expect(lambda: page.find(".count"), [f"{story.beats} / {story.beats}"])


def test_a_saved_film_plays_and_fits(opened, turn, tmp_path):
    turn.save(tmp_path / "crash.html")
    page = opened((tmp_path / "crash.html").as_uri())
    plays(page, turn_film.story_of([turn]))
    assert not [address for address in page.requests if address.startswith("http")]
    cut = "() => window.findThings('li button').filter(line => line.scrollWidth > line.clientWidth).length"
    assert page.js(cut) == 0  # long lines are wrapped
