"""Polls, and which phone has voted for what. Nothing here knows of a server, and nothing is kept of a person.

A poll has a code, by which phones find it, and one question at a time. Whatever comes from a phone is checked against
the options of the question; what is wrong is `VoteRefused`, with the status that HTTP has for it.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which are read as digits
CODE = 4  # letters
PHONE = re.compile(r"[\w-]{22}", re.ASCII)  # the random name of a phone, its cookie
MOST_POLLS = 20
MOST_QUESTIONS = 50  # of which the votes are kept
MOST_PHONES = 500  # that vote in a poll
MOST_A_SECOND = 5  # requests of a phone
MOST_BYTES = 2048  # of a request
PACE = 0.25  # seconds between two messages to the teacher
PATIENCE = 25.0  # seconds that a phone waits for news, before it asks again
GRACE = 120.0  # seconds for which a poll waits for a page that was lost, or loads again
LESSON = 90 * 60.0  # seconds after the last vote, when whoever asks the same in another session has another class
MOST_ASIDE = 10  # votes of earlier sessions for a question that are told
STAGES = ("open", "closed", "shown")  # votes count; they do not; the answer is on the page

Message = dict[str, Any]


class VoteRefused(Exception):
    """Raised for what a phone may not do."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True)
class BallotQuestion:
    """A question as the teacher's page tells it. `key` is its name: each has votes of its own.

    `session` is who asks. A `vote` with a name of its own begins with no votes; one without goes on with the last.
    """

    key: str
    text: str
    options: tuple[str, ...]
    stage: str = "open"
    picture: str = ""  # as SVG
    right: int | None = None  # once it is shown
    reason: str = ""
    session: str = ""
    vote: str = ""

    def __post_init__(self) -> None:
        words = (self.key, self.text, self.picture, self.reason, self.session, self.vote, *self.options)
        if not (self.stage in STAGES and self.options and all(isinstance(word, str) for word in words)):
            raise ValueError("that is no question")


@dataclass(eq=False)
class BallotVote:
    """One vote on a question: who has voted for what; `last` is when, in seconds since 1970.

    Another session may have gone on with it, `heir`, when the last vote was at `since`.
    """

    key: str  # by which phones know it
    session: str
    name: str = ""
    votes: dict[str, int] = field(default_factory=dict)  # by phone
    last: float = 0.0
    heir: str = ""
    since: float = 0.0

    def counts(self, options: int) -> list[int]:
        """How many phones have voted for each option."""
        chosen = [*self.votes.values()]
        return [chosen.count(option) for option in range(options)]


@dataclass(eq=False)
class Ballot:
    """One poll; `tell(message)` hears what is counted, every quarter of a second at most."""

    code: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(16))  # by which its teacher comes back
    tell: Callable[[Message], object] = lambda message: None
    asked: BallotQuestion | None = None
    number: int = 0  # of the last change that a phone has to hear of
    _votes: dict[str, list[BallotVote]] = field(default_factory=dict)  # by question, those asked lately last
    _here: dict[str, float] = field(default_factory=dict)  # when a phone was last seen
    _waiting: dict[str, asyncio.Event] = field(default_factory=dict)
    _times: dict[str, deque[float]] = field(default_factory=dict)
    _timer: asyncio.TimerHandle | None = None

    # The teacher

    def ask(self, asked: BallotQuestion) -> None:
        """Ask this; the votes for it stay, also while another question is asked, and when a kernel begins anew.

        Those of another session that are older than a lesson are put aside: they are another class's.
        """
        every = self._votes[asked.key] = self._votes.pop(asked.key, [])
        last = every[-1] if every else None
        is_new = last is None or (asked.vote != "" and asked.vote != last.name)
        if last and asked.session not in (last.session, last.heir):
            is_new = is_new or (asked.stage == "open" and bool(last.votes) and time.time() - last.last > LESSON)
            last.heir, last.since = ("", 0.0) if is_new else (asked.session, last.last)
        if is_new:
            name = asked.key if last is None else f"{asked.key}.{len(every) + 1}"
            every.append(BallotVote(name, asked.session, asked.vote))
        while len(self._votes) > MOST_QUESTIONS:
            del self._votes[next(iter(self._votes))]
        self.asked = asked
        self.number += 1
        for waiting in self._waiting.values():
            waiting.set()
        self.count_soon()

    @property
    def counted(self) -> BallotVote:
        """The vote on the question that is asked."""
        return self._votes[self.asked.key][-1] if self.asked else BallotVote("", "")

    @property
    def votes(self) -> dict[str, int]:
        """What each phone has voted for."""
        return self.counted.votes

    @property
    def counts(self) -> list[int]:
        """How many phones have voted for each option."""
        return self.counted.counts(len(self.asked.options)) if self.asked else []

    def _earlier(self) -> Iterator[BallotVote]:
        """The votes of earlier sessions on the question that is asked, which are put aside."""
        if self.asked:
            aside = self._votes[self.asked.key][:-1]
            mine = self.asked.session
            yield from [vote for vote in aside if vote.votes and mine not in (vote.session, vote.heir)][-MOST_ASIDE:]

    @property
    def here(self) -> int:
        """How many phones have asked or waited lately."""
        since = time.monotonic() - 2 * PATIENCE
        return sum(seen > since for seen in self._here.values())

    def count_soon(self) -> None:
        """Tell the teacher, but not at once, as more may come."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PACE, self._count)

    def _count(self) -> None:
        self._timer = None
        asked, last = self.asked, self.counted
        if asked is None:
            return
        aside = [[vote.last, vote.counts(len(asked.options))] for vote in self._earlier()]
        self.tell({
            "counts": self.counts, "question": asked.key, "vote": asked.vote, "phones": len(self.votes),
            "here": self.here, "aside": aside, "since": last.since if last.heir == asked.session else 0,
        })  # fmt: skip

    def end(self) -> None:
        """Nobody waits for it any more."""
        self.asked = None
        for waiting in self._waiting.values():
            waiting.set()
        if self._timer:
            self._timer.cancel()

    # A phone

    def admit(self, phone: str | None) -> str:
        """The phone, if it has a name and does not ask too often."""
        if not phone or not PHONE.fullmatch(phone):
            raise VoteRefused(403)
        now = time.monotonic()
        times = self._times.pop(phone, None) or deque(maxlen=MOST_A_SECOND)
        self._times[phone] = times  # at the end: whoever was here longest ago is forgotten first
        if len(self._times) > 2 * MOST_PHONES:
            del self._times[next(iter(self._times))]
        if len(times) == MOST_A_SECOND and now - times[0] < 1:
            raise VoteRefused(429)
        times.append(now)
        return phone

    async def news(self, phone: str, seen: int) -> None:
        """Wait until there is more than a phone has seen, or it has waited long enough."""
        if phone not in self._here:
            if len(self._here) >= MOST_PHONES:
                del self._here[next(iter(self._here))]
            self.count_soon()
        self._here[phone] = time.monotonic()
        if seen != self.number or (phone not in self._waiting and len(self._waiting) >= MOST_PHONES):
            return
        if earlier := self._waiting.pop(phone, None):
            earlier.set()  # it is answered: a phone waits once
        mine = self._waiting[phone] = asyncio.Event()
        try:
            await asyncio.wait_for(mine.wait(), PATIENCE)
        except TimeoutError:
            pass
        finally:
            if self._waiting.get(phone) is mine:
                del self._waiting[phone]

    def question(self, phone: str, pictured: str) -> Message:
        """What a phone shows; it has the picture of the question with this key already."""
        asked = self.asked
        if asked is None:
            return {"number": self.number, "stage": "none"}
        told = {
            "number": self.number, "key": self.counted.key, "stage": asked.stage, "text": asked.text,
            "options": asked.options, "mine": self.votes.get(phone),
        }  # fmt: skip
        if asked.stage == "shown":
            told |= {"right": asked.right, "reason": asked.reason}
        return told if pictured == told["key"] else {**told, "picture": asked.picture}

    def vote(self, phone: str, body: bytes) -> Message:
        """Count a vote for the question that is open; a second one takes the place of the first."""
        asked = self.asked
        try:
            said = json.loads(body)
            key, choice = said["question"], said["choice"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise VoteRefused(400) from None
        if asked is None or asked.stage != "open" or key != self.counted.key:
            raise VoteRefused(409)
        if type(choice) is not int or not 0 <= choice < len(asked.options):
            raise VoteRefused(400)
        if phone not in self.votes and len(self.votes) >= MOST_PHONES:
            raise VoteRefused(429)
        self.votes[phone] = choice
        self.counted.last = time.time()
        self.count_soon()
        return {"mine": choice}


class Broker:
    """All polls of a server, by their codes."""

    def __init__(self) -> None:
        self.polls: dict[str, Ballot] = {}

    def begin(self) -> Ballot:
        """A new poll."""
        if len(self.polls) >= MOST_POLLS:
            raise VoteRefused(429)
        while (code := "".join(secrets.choice(LETTERS) for _ in range(CODE))) in self.polls:
            pass
        self.polls[code] = Ballot(code)
        return self.polls[code]

    def again(self, key: object) -> Ballot | None:
        """The poll to which its teacher comes back."""
        return next((poll for poll in self.polls.values() if poll.key == key), None)

    def end(self, poll: Ballot) -> None:
        """Its code is no one's any more."""
        if self.polls.pop(poll.code, None):
            poll.end()

    def poll(self, code: str) -> Ballot:
        """The poll with this code."""
        found = self.polls.get(code.upper())
        if found is None:
            raise VoteRefused(404)
        return found
