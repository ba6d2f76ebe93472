"""A phone's page, with answers of the server that come late, in another order, or not at all."""

import json

import pytest

pytest.importorskip("playwright")

from patience import PATIENCE

from crashlab.vote.handlers import PAGE

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

HOME = "http://phone.example/ABCD"
HINT, SENDING, COUNTED = "Tap your answer.", "Sending …", "Counted. You can change your answer until it is shown."
LOST = "Not counted: answer again."
SHOWS = """words => JSON.stringify(words) === JSON.stringify(
    [...document.querySelectorAll('button[aria-pressed=true], #said')].map(part => part.textContent))"""


class Phone:
    """A phone's page, whose requests wait until the test answers them: `questions` for news, and `votes`."""

    def __init__(self, browser):
        self.page = browser.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.questions, self.votes, self.number = [], [], 0
        page = PAGE.replace("BASE", "/")
        self.page.route(HOME, lambda route: route.fulfill(body=page, content_type="text/html"))
        self.page.route(f"{HOME}/question*", lambda route: self.questions.append(route))
        self.page.route(f"{HOME}/vote", lambda route: self.votes.append(route))
        self.page.goto(HOME)

    def request(self, kind):
        while not kind:
            self.page.wait_for_timeout(10)
        return kind.pop(0)

    def news(self, mine=None, key="q1", **more):
        """Answer the waiting request for news with another number, and wait until the page asks again."""
        self.number += 1
        question = {"text": "Where?", "options": ["here", "there"], "letters": "", "most": 0, "several": False}
        content = {"number": self.number, "key": key, "stage": "open", "mine": mine, **question, **more}
        self.request(self.questions).fulfill(body=json.dumps(content), content_type="application/json")
        while not self.questions:
            self.page.wait_for_timeout(10)

    def tap(self, option):
        self.page.click(f"#options button:nth-child({option + 1})")

    def answer(self, status=200):
        """Answer the vote that is on its way, and return its choice."""
        route = self.request(self.votes)
        choice = json.loads(route.request.post_data)["choice"]
        route.fulfill(status=status, body=json.dumps({"mine": choice}), content_type="application/json")
        return choice

    def shows(self, chosen, said):
        """Wait until the page shows the chosen options and says this."""
        self.page.wait_for_function(SHOWS, arg=[*chosen, said])


@pytest.fixture
def phone(bare_browser):
    phone = Phone(bare_browser)
    yield phone
    phone.page.unroute_all(behavior="ignoreErrors")
    phone.page.close()


def test_an_answer_is_said_to_be_counted_only_when_it_is(phone):
    phone.news()
    phone.shows([], HINT)
    phone.tap(0)
    phone.shows(["Ahere…"], SENDING)
    phone.answer()
    phone.shows(["Ahere✓"], COUNTED)
    phone.tap(1)
    phone.answer(429)
    phone.shows(["Btherenot counted, too fast: tap again"], LOST)
    phone.tap(1)
    phone.request(phone.votes).abort()
    phone.shows(["Btherenot counted: tap again"], LOST)
    phone.news(mine=0)
    phone.news(mine=0)  # asked for after the vote was lost
    phone.shows(["Ahere✓"], COUNTED)
    phone.tap(1)
    phone.answer()
    phone.shows(["Bthere✓"], COUNTED)


def test_news_from_before_a_vote_does_not_hide_it(phone):
    phone.news()
    phone.tap(0)
    phone.shows(["Ahere…"], SENDING)
    phone.news()  # a countdown, for example
    phone.news()
    phone.shows(["Ahere…"], SENDING)
    phone.answer()
    phone.shows(["Ahere✓"], COUNTED)
    phone.tap(1)
    phone.answer()
    phone.shows(["Bthere✓"], COUNTED)
    phone.news(mine=0)  # written before the vote, and delivered after its answer
    phone.shows(["Bthere✓"], COUNTED)


def test_a_vote_that_is_answered_late_leaves_the_next_question_alone(phone):
    phone.news()
    for _ in range(2):
        phone.tap(0)
    phone.news(key="q2")
    phone.shows([], HINT)
    phone.answer(409)
    phone.page.wait_for_timeout(100)
    phone.shows([], HINT)
    assert phone.votes == []  # the second tap was for the question before
    phone.tap(1)
    phone.news(key="q2", stage="closed")
    phone.shows([], "The vote is closed.")
    phone.answer(409)
    phone.news(key="q2")
    phone.shows([], HINT)
