"""A teacher's page and the phones of a class, each a real browser."""

import pytest

pytest.importorskip("playwright")

from lab_in_chromium import notebook

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

CELLS = (
    """import crashlab
from crashlab.lab import Predict
game = crashlab.game("autoscooter")
turn = game.read({"cars": {"1": "21E2", "2": "23SE2"}}).play({0: "1 FF", 1: "82 FF"})""",
    "poll = Predict(turn, poll=True)\npoll",
    "from crashlab.lab import Poll\nready = Poll('Ready?', 'AB')\nready",
)
COUNTS = "poll.counts.get(poll.questions[0].text)"
ANSWERS = ("(1,2)", "(2,1)", "(2,2)", "(2,3)", "(2,4)")
PICTURE = "() => document.getElementById('picture').naturalWidth"


@pytest.fixture(scope="module")
def notebooks(folder):
    (folder / "vote.ipynb").write_text(notebook(CELLS))


def press(page, words):
    page.page.wait_for_timeout(400)  # else it is a double click
    page.page.locator(f".crashlab-screen button:has-text('{words}') >> visible=true").first.click()


def test_phones_vote_hear_whether_they_were_right_and_outlive_a_kernel(browser, tmp_path):
    page = browser.open("vote.ipynb", width=1920, height=1080)
    page.run_all()
    page.page.locator("button.crashlab-present").click()
    press(page, "Let phones vote")
    page.expect(lambda: bool(page.python("poll.quiz.hands.phones.where or poll.quiz.hands.phones.trouble")), True)
    where = page.python("poll.quiz.hands.phones.where")
    if not where:
        pytest.skip("this machine is in no network")
    phones = []
    for _ in range(2):
        context = page.page.context.browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        phones.append(context.new_page())
        phones[-1].goto(where)
        phones[-1].locator("#options button").first.wait_for()
        assert phones[-1].evaluate(PICTURE)
    right, wrong = phones

    def vote(right_one, wrong_one):
        right.tap(f"#options button:nth-child({right_one})")
        wrong.tap(f"#options button:nth-child({wrong_one})")

    counts = lambda *given: dict(zip(ANSWERS, given, strict=True))  # noqa: E731
    vote(1, 2)
    page.expect(lambda: page.python(COUNTS), counts(1, 1, 0, 0, 0))
    vote(3, 2)  # one of them changes its mind
    page.expect(lambda: page.python(COUNTS), counts(0, 1, 1, 0, 0))
    page.page.screenshot(path=tmp_path / "votes.png")

    page.key("Escape")  # the kernel is restarted, and the lesson is run again
    page.restart()
    page.wait_for_kernel()
    page.run_all()
    page.page.locator("button.crashlab-present").click()  # phones still vote
    page.expect(lambda: page.python("poll.quiz.hands.phones.where"), where)
    page.expect(lambda: page.python(COUNTS), counts(0, 1, 1, 0, 0))

    page.key("Escape")
    page.save()
    page.reload()
    page.canvases().first.wait_for()
    vote(3, 1)
    page.expect(lambda: page.python(COUNTS), counts(1, 0, 1, 0, 0))
    vote(3, 2)
    page.page.locator("button.crashlab-present").click()

    page.key("Enter")  # the keys are the board's, though a button was pressed
    for phone, words in ((right, "Right. Car 1 is stopped"), (wrong, "No: C. Car 1 is stopped")):
        page.expect(lambda phone=phone, words=words: words in phone.inner_text("#said"), True)
        phone.screenshot(path=tmp_path / f"{words[:2]}.png")
    page.page.screenshot(path=tmp_path / "shown.png")
    page.expect(lambda: page.python("poll.steps.page.playing"), False)
    page.key("Enter")
    page.expect(lambda: "which case is it?" in right.inner_text("#text"), True)
    page.expect(lambda: bool(right.evaluate(PICTURE)), True)
    page.key("PageDown")  # phones come along to the next panel, and back
    page.expect(lambda: right.inner_text("#text"), "Ready?")
    vote(1, 1)
    page.expect(lambda: page.python("ready.counts"), {"Ready?": {"A": 2, "B": 0}})
    page.page.screenshot(path=tmp_path / "next.png")
    page.key("PageUp")
    page.expect(lambda: "which case is it?" in right.inner_text("#text"), True)
    page.key("PageDown")
    page.expect(lambda: page.python("ready.counts"), {"Ready?": {"A": 2, "B": 0}})
    for phone in phones:
        phone.context.close()
    page.key("Escape")
    page.end()
