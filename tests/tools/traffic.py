"""Measure the messages between a board and its page, when an explorer opens and for each decision with its film.

There is no browser: a simulated page asks for the whole film and reports each beat.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from statistics import fmean
from typing import Any, ClassVar

import comm
from bench import BenchReport, Measurement, machine
from comm.base_comm import BaseComm

from crashlab.engine.game import Game
from crashlab.lab import Explorer
from crashlab.lab import jobs as lab_jobs

HEADERS = 620  # bytes of a message without its content, approximately
DECISIONS = 10
SEED = 7
PATIENCE = 60.0  # the longest decision of an agent, in seconds

Message = tuple[int, Any]  # bytes and content


class CountedComm(BaseComm):
    """A comm that counts its messages."""

    sent: ClassVar[list[Message]] = []

    def publish_msg(
        self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **keys: Any
    ) -> None:
        size = HEADERS + len(json.dumps(data, default=str)) + sum(map(len, buffers or ()))
        packed = buffers if buffers and (data or {}).get("method") == "custom" else ()
        self.sent.append((size, {"content": json.loads(zlib.decompress(packed[0]))} if packed else data or {}))


def traffic(game: Game) -> BenchReport:
    """Measure the traffic of an explorer of this game."""
    return BenchReport(machine(), repr(game), tuple(lines(game)))


def lines(game: Game) -> Generator[Measurement]:
    """Measure opening an explorer, and a decision with its film, in bytes, messages and processor time."""
    with counted() as sent:
        start = time.process_time()
        explorer = Explorer(game.start(SEED))
        say = answering(explorer, sent)
        say(ready=True)
        yield from summed("an Explorer opens", [(*total(sent), time.process_time() - start)])
        costs: list[tuple[float, float, float]] = []
        while len(costs) < DECISIONS and not explorer.state.over:
            sent.clear()
            start = time.process_time()
            explorer.board.guard(explorer.run_round)()
            watched(explorer, say)
            costs.append((*total(sent), time.process_time() - start))
        yield from summed("a decision with its film", costs)


def summed(name: str, costs: list[tuple[float, float, float]]) -> Generator[Measurement]:
    """Yield the averages of bytes, messages and seconds."""
    kilobytes, messages, seconds = (fmean(column) for column in zip(*costs, strict=True))
    yield Measurement(f"{name}, sent", kilobytes, "kB")
    yield Measurement(f"{name}, messages", messages, "messages")
    yield Measurement(f"{name}, in the kernel", 1000 * seconds, "ms")


@contextmanager
def counted() -> Generator[list[Message]]:
    """Count the messages of widgets instead of sending them, and wait for agents."""
    create, soon = comm.create_comm, lab_jobs.SOON
    CountedComm.sent = []
    comm.create_comm, lab_jobs.SOON = CountedComm, PATIENCE
    try:
        yield CountedComm.sent
    finally:
        comm.create_comm, lab_jobs.SOON = create, soon


def total(sent: list[Message]) -> tuple[float, float]:
    """Return the kilobytes and the number of messages."""
    return sum(size for size, _ in sent) / 1000, float(len(sent))


def answering(explorer: Explorer, sent: list[Message]) -> Callable[..., None]:
    """Return a function that answers as a page would after it has received all messages."""

    def say(**content: Any) -> None:
        runs = [message["run"] for message in messages_of(sent) if "run" in message]
        run = {"run": runs[-1] if runs else 0} if "at" in content else {}
        explorer.board.page._handle_custom_msg({**content, **run}, [])

    return say


def messages_of(sent: list[Message]) -> list[dict[str, Any]]:
    """Return the messages for the board's page."""
    contents = [data["content"] for _, data in sent if "do" in data.get("content", ())]
    return [message for content in contents for message in content.get("each", [content])]


def watched(explorer: Explorer, say: Callable[..., None]) -> None:
    """Act as a page that fetches the film and plays it to the end."""
    page = explorer.board.page
    while page.last and (missing := [beat for beat in range(page.last + 1) if beat not in page._has]):
        say(want=missing[0], film=page._film)
    for beat in range(1, page.last + 1):
        if page.playing:
            say(at=beat, playing=beat < page.last)
