"""Films on a page that is slow."""

import pytest

pytest.importorskip("playwright")

from lab_in_chromium import Lab, notebook

pytestmark = pytest.mark.chromium

CELLS = (
    """import crashlab
from crashlab.lab import Predict, Stepper
game = crashlab.game("autoscooter")
turn = game.read({"cars": {"1": "21E2", "2": "23SE2"}}).play({0: "1 FF", 1: "82 FF"})""",
    "stepper = Stepper(turn)\nstepper",
    "predict = Predict(turn, max_questions=1)\npredict",
)
AT_ONCE = "const limit = AbortSignal.timeout; AbortSignal.timeout = () => limit.call(AbortSignal, 1);"
PLAYING = "[stepper.steps.page.ready, stepper.steps.page.playing]"


@pytest.fixture(scope="module")
def slow_browser(tmp_path_factory, chromium):
    """Start Chromium with a notebook of two films."""
    folder, work = tmp_path_factory.mktemp("slow"), tmp_path_factory.mktemp("slow_work")
    (folder / "films.ipynb").write_text(notebook(CELLS))
    with Lab(folder, work) as lab, lab.browser(chromium) as browser:
        yield browser


@pytest.fixture
def run(slow_browser):
    """Return a function that runs the notebook on a page changed by a script."""
    pages = []

    def open_and_run(script):
        page = slow_browser.open("films.ipynb")
        pages.append(page)
        page.page.add_init_script(script)
        page.reload()
        page.run_all()
        return page

    yield open_and_run
    for page in pages:
        page.stop_films()
        page.shut_down()
        page.page.close()


@pytest.mark.slow
def test_films_play_where_anywidget_gives_up_at_once(run):
    page = run(AT_ONCE)
    page.expect(lambda: page.python(PLAYING), [True, False])
    page.button("Play")
    page.expect(lambda: page.python("stepper.steps.beat == stepper.steps.last"), True)
    page.python("predict.board.run_alone(predict.answer, 0)")
    page.expect(lambda: page.python("[predict.steps.seen, 'do not play' in predict.board.said]"), [True, False])
