"""A teacher's page and the phones of a class, each a real browser."""

import re

import pytest

pytest.importorskip("playwright")

from lab_in_chromium import notebook

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

CELLS = (
    """import crashlab
from crashlab.lab import Predict
game = crashlab.game("autoscooter")
turn = game.read({"cars": {"1": "21E2", "2": "23SE2"}}).play({0: "1 FF", 1: "82 FF"})""",
    "poll = Predict(turn)\npoll",
    "from crashlab.lab import Poll\nready = Poll('Ready?', ['yes, for the most part', *'BCDEFGH'])\nready",
    "both = Poll('Which two?', ['one', 'two', 'three'], answer=['one', 'three'])\nboth",
    "other = Predict(turn, max_questions=1)\nother",
    "from crashlab.lab import Stepper\nStepper(turn)",
    "Poll('Done?', 'AB')",
)
COUNTS = "poll.poll and poll.counts.get(poll.questions[0].text)"
PLACES = "poll.poll and (poll.quiz.hands.phones.places or poll.quiz.hands.phones.trouble)"
ANSWERS = ("1,2", "2,1", "2,2", "2,3", "2,4")
# The parts of a phone's page that report a vote but are not visible without scrolling.
SEEN = """() => ['#said', 'button[aria-pressed=true]'].filter(name => {
    const {top, bottom, left} = document.querySelector(name).getBoundingClientRect();
    const shown = document.elementFromPoint(left + 9, (top + bottom) / 2)?.closest(name);
    return top < 0 || bottom > innerHeight || !shown; })"""
# Another tab that resumes the poll, as a duplicated one does.
OTHER_TAB = """() => { const { token } = JSON.parse(document.getElementById('jupyter-config-data').textContent);
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/crashlab/vote/teacher?token=${token}`);
    socket.onopen = () => socket.send(JSON.stringify({begin: true, key: sessionStorage.getItem('crashlab-poll')})); }"""
SAYS = "() => getComputedStyle(document.querySelector('.crashlab-screen .crashlab-phones'), '::after').content"
ANSWERS_SHOWN = """() => { const list = document.querySelector('.crashlab-roomy .crashlab-by-phone');
    const lines = [...list.children].map(line => line.getBoundingClientRect()).filter(box => box.height);
    const { top, bottom } = list.getBoundingClientRect();
    return { hidden: [list, list.parentElement].map(part => part.scrollHeight - part.clientHeight),
        keyboard: list.tabIndex, lines: lines.filter(line => line.top >= top && line.bottom <= bottom).length }; }"""
PICTURE = "() => document.getElementById('picture').naturalWidth"


@pytest.fixture(scope="module")
def notebooks(folder):
    (folder / "vote.ipynb").write_text(notebook(CELLS))


def press(page, words):
    page.page.wait_for_timeout(400)  # otherwise it is a double click
    page.page.locator(f".crashlab-screen button:has-text('{words}') >> visible=true").first.click()


def test_phones_vote_hear_whether_they_were_right_and_outlive_a_kernel(browser, tmp_path):
    page = browser.open("vote.ipynb", width=1920, height=1080)
    page.run_all()
    page.page.locator("button.crashlab-present").click()
    press(page, "By phone")
    page.expect(lambda: bool(page.python(PLACES)), True)
    places = page.python(PLACES)
    if not isinstance(places, list):
        pytest.skip("this machine is in no network")
    phones = []
    for size in ({"width": 390, "height": 664}, {"width": 360, "height": 640}):
        context = page.page.context.browser.new_context(viewport=size, has_touch=True, is_mobile=True)
        phones.append(context.new_page())
        phones[-1].goto(places[0])
        phones[-1].locator("#options button").first.wait_for()
        page.expect(lambda: phones[-1].evaluate(PICTURE) > 0, True)
    right, wrong = phones

    def on_phones(words, name="#text"):
        page.expect(lambda: [words in phone.inner_text(name) for phone in phones], [True, True])

    def vote(right_one, wrong_one):
        right.tap(f"#options button:nth-child({right_one})")
        wrong.tap(f"#options button:nth-child({wrong_one})")

    counts = lambda *numbers: dict(zip(ANSWERS, numbers, strict=True))  # noqa: E731
    side = page.page.locator(".crashlab-screen .crashlab-side").inner_text
    vote(1, 2)
    page.expect(lambda: page.python(COUNTS), counts(1, 1, 0, 0, 0))
    page.expect(lambda: "2 of 2 have voted" in side(), True)
    assert not re.search(r"1,2 \d", side())  # the votes stay hidden
    on_phones("✓", "button[aria-pressed=true]")
    assert [phone.evaluate(SEEN) for phone in phones] == [[], []]
    page.page.context.grant_permissions(["clipboard-write"])
    page.page.locator(".crashlab-screen .crashlab-copy-link").press("Enter")
    page.expect(page.page.locator(".crashlab-screen .crashlab-copy-link").inner_text, "copied")
    press(page, "End the vote")
    on_phones("The vote is closed.", "#said")
    assert page.python(COUNTS) == counts(1, 1, 0, 0, 0)
    press(page, "Go on voting")
    page.expect(lambda: right.is_enabled("#options button"), True)
    right.context.set_offline(True)
    right.tap("#options button:nth-child(3)")
    page.expect(lambda: "not counted: tap again" in right.inner_text("#options button:nth-child(3)"), True)
    page.expect(lambda: "No connection" in right.inner_text("#said"), True)
    right.context.set_offline(False)
    page.expect(lambda: "No connection" in right.inner_text("#said"), False)
    vote(3, 2)  # one phone changes its vote
    page.expect(lambda: page.python(COUNTS), counts(0, 1, 1, 0, 0))
    page.page.screenshot(path=tmp_path / "votes.png")

    page.key("Escape")
    page.wait_for("() => !document.querySelector('.crashlab-screen')")
    page.restart()  # the lesson is run again: another panel's phones bring this one
    page.wait_for_kernel()
    page.run_all()
    page.page.locator("button.crashlab-present").click()
    page.expect(lambda: page.python(PLACES), places)  # the code is the same, and the votes are there
    page.expect(lambda: page.python(COUNTS), counts(0, 1, 1, 0, 0))

    page.key("Escape")
    for width, height in ((1280, 800), (1920, 1080)):  # in a notebook, answers and buttons need no scrolling
        page.page.set_viewport_size({"width": width, "height": height})
        page.expect(lambda: page.page.evaluate(ANSWERS_SHOWN), {"hidden": [0, 0], "keyboard": 0, "lines": 5})
        page.page.screenshot(path=tmp_path / f"{width}.png")
    page.save()
    page.reload()
    page.canvases().first.wait_for()
    vote(3, 1)
    page.expect(lambda: page.python(COUNTS), counts(1, 0, 1, 0, 0))
    vote(3, 2)
    page.expect(lambda: page.python(COUNTS), counts(0, 1, 1, 0, 0))
    page.page.locator("button.crashlab-present").click()
    page.page.locator(".crashlab-screen .crashlab-phones img").wait_for()
    page.key("q")
    poster = page.page.locator(".crashlab-poster img")
    assert poster.bounding_box()["height"] > 700
    page.key("q")

    page.key("Enter")  # the board receives the keys although a button was pressed
    for phone, words in ((right, "Right. Car 1 is stopped"), (wrong, "No: R. Car 1 is stopped")):
        page.expect(lambda phone=phone, words=words: words in phone.inner_text("#said"), True)
        phone.screenshot(path=tmp_path / f"{words[:2]}.png")
    page.page.screenshot(path=tmp_path / "shown.png")
    page.expect(lambda: page.python("poll.steps.page.playing"), False)
    page.key("Enter")
    page.expect(lambda: "which case is it?" in right.inner_text("#text"), True)
    page.expect(lambda: bool(right.evaluate(PICTURE)), True)
    page.key("PageDown")  # the phones follow to the next panel and back
    on_phones("Ready?")
    vote(1, 8)
    page.expect(lambda: [*page.python("ready.counts")["Ready?"].values()], [1, *[0] * 6, 1])
    on_phones("✓", "button[aria-pressed=true]")
    assert wrong.evaluate(SEEN) == []
    wrong.screenshot(path=tmp_path / "eight.png")
    page.page.screenshot(path=tmp_path / "next.png")
    page.key("PageUp")
    on_phones("which case is it?")
    page.key("PageDown")
    on_phones("Ready?")
    page.page.evaluate(OTHER_TAB)
    page.expect(lambda: "goes on in another tab" in page.page.evaluate(SAYS), True)
    page.page.locator(".crashlab-screen .crashlab-phones").click()  # to bring it back
    page.expect(lambda: page.page.evaluate(SAYS), "none")
    vote(1, 7)
    page.expect(lambda: [*page.python("ready.counts")["Ready?"].values()], [1, *[0] * 5, 1, 0])
    page.key("PageDown")
    on_phones("Tap all that are right.", "#said")
    vote(3, 1)
    vote(1, 2)
    page.expect(lambda: page.python("both.quiz.hands.phones.votes"), [[0, 1], [0, 2]])
    page.key("Enter")
    page.expect(lambda: [phone.inner_text("#said") for phone in phones], ["Right.", "No: A, C."])
    page.expect(lambda: "Exactly these: 1 of 2 (50 %)" in side(), True)
    page.page.screenshot(path=tmp_path / "several.png")
    page.key("PageDown")  # the panel that nobody has answered asks the phones by itself
    on_phones("Where does car 1 end?")
    on_phones("Counted.", "#said")  # it is the question of the first panel
    page.key("PageDown")
    on_phones("The vote is closed.", "#said")
    page.key("PageDown")
    on_phones("Done?")
    on_phones("Tap your answer.", "#said")
    page.key("PageDown")  # beyond the last panel
    on_phones("The vote is closed.", "#said")
    page.key("PageUp")
    on_phones("Tap your answer.", "#said")
    page.key("PageUp")
    on_phones("The vote is closed.", "#said")
    page.key("PageUp")
    on_phones("Counted.", "#said")
    page.key("PageUp")
    on_phones("Which two?")
    page.key("PageUp")
    on_phones("Ready?")
    right.goto(places[0].rpartition("/")[0])  # the page for phones without a camera
    right.fill("#code input", "aaaa")
    right.tap("#code button")
    page.expect(lambda: right.inner_text("#said"), "There is no vote here: look at the board again.")
    right.fill("#code input", places[0][-4:].lower())
    right.tap("#code button")
    page.expect(lambda: right.inner_text("#text"), "Ready?")
    for phone in phones:
        phone.context.close()
    page.key("Escape")
    page.end()
