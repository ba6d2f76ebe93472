"""The traffic to JupyterLab when an Explorer opens and when a decision is made, by frames of the websocket."""

from base64 import b64decode

import pytest

pytest.importorskip("playwright")

from lab_in_chromium import notebook

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

GAMES = "autoscooter", "crash_and_grab", "crash_by_crash", "crash_city"
MODULE = 30_000  # bytes of the page's module, which only the first panel of a kernel sends
START = "import crashlab\nfrom crashlab.lab import Explorer"
CELL = "explorer = Explorer(crashlab.game('{}').start(7), 'greedy')\nexplorer"


@pytest.fixture(scope="module")
def notebooks(folder):
    (folder / "wire.ipynb").write_text(notebook((START, *map(CELL.format, GAMES))))


@pytest.fixture(scope="module")
def page(browser):
    page = browser.open("wire.ipynb", height=800)
    page.run_cell(0)
    yield page
    page.leave()


@pytest.fixture
def frames(page):
    """Collect the sizes of the frames that the page receives."""
    sizes = []

    def count(event):
        data = event["response"]["payloadData"]
        sizes.append(len(b64decode(data) if event["response"]["opcode"] == 2 else data.encode()))

    session = page.page.context.new_cdp_session(page.page)
    session.send("Network.enable")
    session.on("Network.webSocketFrameReceived", count)
    yield sizes
    session.detach()


@pytest.mark.parametrize("place", range(len(GAMES)), ids=GAMES)
def test_an_explorer_opens_and_decides_with_little(page, frames, place):
    page.run_cell(place + 1)
    page.expect_colours(0, 5)
    page.wait_until_quiet(1000)
    assert sum(frames) + (MODULE if place else 0) < 250_000 and len(frames) <= 90
    frames.clear()
    before = page.status(0)
    page.take("", 0)
    page.expect(lambda: page.status(0) != before, True)
    page.wait_until_quiet(1000)
    assert sum(frames) < 30_000
    page.python("explorer.close()")
