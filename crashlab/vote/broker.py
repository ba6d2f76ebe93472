"""Polls and the votes of phones. This module knows no server, and keeps nothing about persons.

A poll has a code, which phones type or scan, and one question at a time. Every request of a phone is checked against
the current question. An invalid request raises `VoteRefused` with the HTTP status for it.
"""

import asyncio
import hashlib
import hmac
import json
import re
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which are read as digits
CODE = 4  # letters of a code
PHONE = re.compile(r"[\w-]{22}", re.ASCII)  # the random name of a phone, the first part of its cookie
MAX_POLLS = 20
MAX_QUESTIONS = 50  # questions of a poll whose votes are kept
MAX_PHONES = 500  # phones that vote in a poll
MAX_BYTES = 2048  # length of a request
MAX_KEYS = 2000  # phones or addresses that a limit remembers
PACE = 0.25  # seconds between two messages to the teacher
RETRY = 1.05  # seconds, on average, between two tries of a phone to be let in (phone.html)
PATIENCE = 25.0  # seconds until a waiting phone is answered without news
# Seconds without votes until the next vote counts for another class, or without a teacher's page until a poll ends.
LESSON = 90 * 60.0
MAX_ASIDE = 10  # earlier votes on a question that are reported
STAGES = ("open", "closed", "shown")  # votes count; votes are ignored; the answer is shown

Message = dict[str, Any]


@dataclass(eq=False)
class VoteRefused(Exception):
    """Raised for a request that is not allowed; the reason is for the teacher's page."""

    status: int
    reason: str = ""


class Limit:
    """A rate limit: at most `most` events in `seconds` for each key, which is a phone or an address."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most, self.seconds = most, seconds
        self.times: dict[str, deque[float]] = {}

    def is_reached(self, key: str) -> bool:
        """Return whether the limit is reached, so that no event is allowed now."""
        times = self.times.get(key, deque())
        return len(times) == self.most and time.monotonic() - times[0] < self.seconds

    def take(self, key: str) -> bool:
        """Count one event if it is allowed; return whether it is allowed."""
        if self.is_reached(key):
            return False
        times = self.times.pop(key, None) or deque(maxlen=self.most)
        self.times[key] = times  # at the end of the dict, because the oldest key is forgotten first
        if len(self.times) > MAX_KEYS:
            del self.times[next(iter(self.times))]
        times.append(time.monotonic())
        return True


@dataclass(frozen=True)
class BallotQuestion:
    """A question from the teacher's page. Votes are stored by its `key`, which `lab.phones` sets.

    If `vote` is a new name, the question starts again without votes; if it is the last name or empty, the last votes
    are kept. An answer is the index of an option, a sorted list of indices if `several` is true, or a number from 0 to
    `most` if `most` is positive.
    """

    text: str
    options: tuple[str, ...]
    stage: str = "open"
    picture: str = ""  # as SVG
    right: tuple[int, ...] = ()  # the right options, once the answer is shown
    reason: str = ""
    letters: str = ""  # letters of the options, separated by blanks, if they are not A, B, C
    most: float = 0
    several: bool = False
    until: float = 0  # the end of a countdown, in seconds since 1970
    key: str = ""
    vote: str = ""

    def __post_init__(self) -> None:
        texts = (self.key, self.text, self.picture, self.reason, self.vote, self.letters, *self.options)
        fields = isinstance(self.options, tuple), isinstance(self.right, tuple), isinstance(self.until, int | float)
        is_valid = all(fields) and self.stage in STAGES and (self.options or self.most > 0)
        if not is_valid or not all(isinstance(text, str) for text in texts):
            raise ValueError("this is not a question")

    def accepts(self, choice: object) -> bool:
        """Return whether choice is a valid answer."""
        if self.most:
            return isinstance(choice, int | float) and not isinstance(choice, bool) and 0 <= choice <= self.most
        if self.several:
            return isinstance(choice, list) and all(map(self.has, choice)) and choice == sorted({*choice})
        return self.has(choice)

    def has(self, place: object) -> bool:
        """Return whether this is the index of an option."""
        return type(place) is int and 0 <= place < len(self.options)


@dataclass(eq=False)
class BallotVote:
    """One vote on a question: the answer of each phone; `last` is the time of the last answer, in Unix time."""

    key: str  # its name for phones
    name: str = ""
    votes: dict[str, Any] = field(default_factory=dict)  # by phone
    last: float = 0.0

    def counts(self, question: BallotQuestion) -> list[Any]:
        """Return how many phones chose each option; if answers are numbers or lists, return all of them, sorted."""
        choices = [*self.votes.values()]
        return (
            sorted(choices)
            if question.most or question.several
            else [choices.count(option) for option in range(len(question.options))]
        )


@dataclass(eq=False)
class Ballot:
    """A poll. `tell(message)` receives the counts, at most every quarter of a second."""

    code: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(16))  # lets the teacher's page resume the poll
    tell: Callable[[Message], object] | None = None  # None without a teacher's page
    pages: int = 0  # number of connections of a teacher's page so far
    asked: BallotQuestion | None = None
    number: int = 0  # number of changes that phones must show
    is_locked: bool = False  # no further phone may join
    _secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))  # signs the cookies
    _votes: dict[str, list[BallotVote]] = field(default_factory=dict)  # by key of a question, in order of asking
    _seen: dict[str, float] = field(default_factory=dict)  # time of the last request of each phone
    _waiting: dict[str, asyncio.Event] = field(default_factory=dict)
    _turned_away: deque[float] = field(default_factory=lambda: deque(maxlen=2 * MAX_PHONES))  # when phones were refused
    _pace: Limit = field(default_factory=lambda: Limit(5, 1.0))  # requests of a phone
    _timer: asyncio.TimerHandle | None = None

    # The teacher

    def ask(self, question: BallotQuestion) -> None:
        """Ask a question. Its votes are kept while other questions are asked, and when a kernel is restarted.

        Votes older than a lesson belong to another class and are set aside.
        """
        votes = self._votes[question.key] = self._votes.pop(question.key, [])
        last = votes[-1] if votes else None
        is_stale = last is not None and question.stage == "open" and is_old(last)
        if last is None or is_stale or question.vote not in ("", last.name):
            name = question.key if last is None else f"{question.key}.{len(votes) + 1}"
            votes.append(BallotVote(name, question.vote))
        while len(self._votes) > MAX_QUESTIONS:
            del self._votes[next(iter(self._votes))]
        self.asked = question
        self._wake()
        self.count_soon()

    def _wake(self) -> None:
        self.number += 1
        for waiting in self._waiting.values():
            waiting.set()

    @property
    def counted(self) -> BallotVote:
        """The vote on the current question."""
        return self._votes[self.asked.key][-1] if self.asked else BallotVote("")

    @property
    def votes(self) -> dict[str, Any]:
        """The answer of each phone."""
        return self.counted.votes

    @property
    def counts(self) -> list[Any]:
        """The counts of the current vote."""
        return self.counted.counts(self.asked) if self.asked else []

    @property
    def here(self) -> int:
        """The number of phones that have asked for news in the last 2 * PATIENCE seconds."""
        since = time.monotonic() - 2 * PATIENCE
        return sum(moment > since for moment in self._seen.values())

    @property
    def crowd(self) -> int:
        """The number of phones that wait to be let in, estimated: each has been refused about twice in 2 * RETRY."""
        since = time.monotonic() - 2 * RETRY
        return (sum(moment > since for moment in self._turned_away) + 1) // 2

    def count_soon(self) -> None:
        """Send the counts to the teacher after PACE seconds, so that several votes share one message."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PACE, self._count)

    def _count(self) -> None:
        self._timer = None
        question, crowd = self.asked, self.crowd
        if question is None or self.tell is None:
            return
        if crowd:
            asyncio.get_running_loop().call_later(2 * RETRY, self.count_soon)  # they may be in by then
        earlier = [vote for vote in self._votes[question.key][:-1] if vote.votes][-MAX_ASIDE:]
        self.tell(
            {
                "counts": self.counts,
                "question": question.key,
                "vote": question.vote,
                "phones": len(self.votes),
                "here": self.here,
                "aside": [[vote.last, vote.counts(question)] for vote in earlier],
                "last": self.counted.last,
                "round": len(self._votes[question.key]),
                "locked": self.is_locked,
                "crowd": crowd,
            }
        )

    def lock(self, is_locked: bool) -> None:
        """Lock the poll for new phones, or unlock it."""
        self.is_locked = is_locked
        self._turned_away.clear()
        self.count_soon()

    def end(self) -> None:
        """Withdraw the question, answer all waiting phones, and stop counting."""
        self.asked = None
        self._wake()
        if self._timer:
            self._timer.cancel()

    # A phone

    def _signed(self, name: str) -> str:
        return f"{name}.{hmac.new(self._secret, name.encode(), hashlib.sha256).hexdigest()}"

    def new_phone(self) -> str:
        """Return the cookie of a new phone."""
        return self._signed(secrets.token_urlsafe(16))

    def knows(self, cookie: str | None) -> bool:
        """Return whether this poll has signed a cookie."""
        name = (cookie or "").partition(".")[0]
        is_name = PHONE.fullmatch(name) is not None
        return is_name and hmac.compare_digest(self._signed(name).encode(), (cookie or "").encode())

    def turn_away(self) -> None:
        """Record that a new phone must wait, because its address has sent too many."""
        self._turned_away.append(time.monotonic())
        self.count_soon()

    def admit(self, cookie: str | None) -> str:
        """Return the name of a phone; raise VoteRefused if this poll has not signed its cookie or it asks too often."""
        if not cookie or not self.knows(cookie):
            raise VoteRefused(423 if self.is_locked else 403)
        phone = cookie.partition(".")[0]
        if not self._pace.take(phone):
            raise VoteRefused(429)
        return phone

    async def news(self, phone: str, number: int) -> None:
        """Wait until there are changes after `number`, the last one that the phone has, or for PATIENCE seconds."""
        if phone not in self._seen:
            if len(self._seen) >= MAX_PHONES:
                del self._seen[next(iter(self._seen))]
            self.count_soon()
        self._seen[phone] = time.monotonic()
        if number != self.number or (phone not in self._waiting and len(self._waiting) >= MAX_PHONES):
            return
        if earlier := self._waiting.pop(phone, None):
            earlier.set()  # only the latest request of a phone waits
        mine = self._waiting[phone] = asyncio.Event()
        try:
            await asyncio.wait_for(mine.wait(), PATIENCE)
        except TimeoutError:
            pass
        finally:
            if self._waiting.get(phone) is mine:
                del self._waiting[phone]

    def question(self, phone: str, picture_key: str) -> Message:
        """Return the question for a phone, without the picture if `picture_key` says that the phone already has it."""
        question = self.asked
        if question is None:
            return {"number": self.number, "stage": "none"}
        message = {
            "number": self.number,
            "key": self.counted.key,
            "stage": question.stage,
            "text": question.text,
            "options": question.options,
            "letters": question.letters,
            "most": question.most,
            "several": question.several,
            "mine": self.votes.get(phone),
        }
        if question.stage == "open" and question.until:
            message["left"] = max(question.until - time.time(), 0)
        if question.stage == "shown":
            message |= {"right": question.right, "reason": question.reason}
        return message if picture_key == message["key"] else {**message, "picture": question.picture}

    def vote(self, phone: str, body: bytes) -> Message:
        """Count a vote on the open question and return it as a message; a second vote of a phone replaces its first."""
        question = self.asked
        try:
            content = json.loads(body)
            key, choice = content["question"], content["choice"]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise VoteRefused(400) from None
        if question is None or question.stage != "open" or key != self.counted.key:
            raise VoteRefused(409)
        if not question.accepts(choice):
            raise VoteRefused(400)
        if is_old(self.counted):  # the votes so far are of another class
            self.ask(replace(question, until=0))
        if phone not in self.votes and len(self.votes) >= MAX_PHONES:
            raise VoteRefused(429)
        self.votes[phone] = choice
        if choice == []:  # an empty answer withdraws the vote
            del self.votes[phone]
        self.counted.last = time.time()
        self.count_soon()
        return {"mine": choice}


def is_old(vote: BallotVote) -> bool:
    """Return whether the last vote was cast in an earlier lesson."""
    return bool(vote.votes) and time.time() - vote.last > LESSON


class Broker:
    """All polls of a server, by their codes."""

    def __init__(self) -> None:
        self.polls: dict[str, Ballot] = {}
        self.new_phones = Limit(60, 10.0)  # per address, in all polls
        self.wrong_codes = Limit(20, 60.0)  # per address
        self.repeated_codes = Limit(1, 60.0)  # per address and wrong code

    def begin(self) -> Ballot:
        """Return a new poll.

        If there are MAX_POLLS, it replaces the oldest poll without a teacher's page; raise VoteRefused if all have one.
        """
        if len(self.polls) >= MAX_POLLS:
            oldest = next((poll for poll in self.polls.values() if poll.tell is None), None)
            if oldest is None:
                raise VoteRefused(429)
            self.end(oldest)
        while (code := "".join(secrets.choice(LETTERS) for _ in range(CODE))) in self.polls:
            pass
        self.polls[code] = Ballot(code)
        return self.polls[code]

    def again(self, key: object) -> Ballot | None:
        """Return the poll with this key, which a teacher's page wants to resume; None if it has ended."""
        return next((poll for poll in self.polls.values() if poll.key == key), None)

    def end(self, poll: Ballot) -> None:
        """Remove a poll, and free its code."""
        if self.polls.pop(poll.code, None):
            poll.end()

    def poll(self, code: str, cookie: str | None, address: str) -> Ballot:
        """Return the poll with this code; raise VoteRefused if there is none.

        An address that has tried many wrong codes is refused for a minute, except for phones with a cookie of the poll.
        A code counts once a minute, because the pages of a poll that has ended ask for it again and again.
        """
        poll = self.polls.get(code.upper())
        if poll and poll.knows(cookie):
            return poll
        if self.wrong_codes.is_reached(address):
            raise VoteRefused(429)
        if poll is None:
            if self.repeated_codes.take(f"{address} {code.upper()}"):
                self.wrong_codes.take(address)
            raise VoteRefused(404)
        return poll

    def join(self, code: str, cookie: str | None, address: str) -> str | None:
        """Return the cookie of a new phone; None for a known phone, a locked poll or an address at its limit."""
        poll = self.poll(code, cookie, address)
        if poll.is_locked or poll.knows(cookie):
            return None
        if not self.new_phones.take(address):
            poll.turn_away()
            return None
        return poll.new_phone()
