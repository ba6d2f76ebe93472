"""What goes between a board and its page: how much an explorer sends as it opens, and with each decision and its film.

There is no browser: a page is played that asks for all of a film, and tells of each of its beats.
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

HEADERS = 620  # bytes of a message besides what it says, about
DECISIONS = 10
SEED = 7
PATIENCE = 60.0  # seconds in which an agent has decided

Message = tuple[int, Any]  # bytes, and what is said


class CountedComm(BaseComm):
    """A widget's line to its page, of which every message is counted."""

    sent: ClassVar[list[Message]] = []

    def publish_msg(
        self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **keys: Any
    ) -> None:
        """Count a message."""
        size = HEADERS + len(json.dumps(data, default=str)) + sum(map(len, buffers or ()))
        packed = buffers if buffers and (data or {}).get("method") == "custom" else ()
        self.sent.append((size, {"content": json.loads(zlib.decompress(packed[0]))} if packed else data or {}))


def traffic(game: Game) -> BenchReport:
    """Measure what an explorer of this game sends."""
    return BenchReport(machine(), repr(game), tuple(lines(game)))


def lines(game: Game) -> Generator[Measurement]:
    """Bytes, messages and the time of the processor, of opening an explorer, and of a decision with its film."""
    with counted() as sent:
        begun = time.process_time()
        explorer = Explorer(game.start(SEED))
        say = answering(explorer, sent)
        say(ready=True)
        yield from summed("an Explorer opens", [(*total(sent), time.process_time() - begun)])
        found: list[tuple[float, float, float]] = []
        while len(found) < DECISIONS and not explorer.state.over:
            sent.clear()
            begun = time.process_time()
            explorer.board.guard(explorer.run_round)()
            watched(explorer, sent, say)
            found.append((*total(sent), time.process_time() - begun))
        yield from summed("a decision with its film", found)


def summed(name: str, found: list[tuple[float, float, float]]) -> Generator[Measurement]:
    """The averages of bytes, messages and seconds."""
    kilobytes, messages, seconds = (fmean(column) for column in zip(*found, strict=True))
    yield Measurement(f"{name}, sent", kilobytes, "kB")
    yield Measurement(f"{name}, messages", messages, "messages")
    yield Measurement(f"{name}, in the kernel", 1000 * seconds, "ms")


@contextmanager
def counted() -> Generator[list[Message]]:
    """Widgets that are made here send to nobody, and are counted; agents are waited for."""
    made, soon = comm.create_comm, lab_jobs.SOON
    CountedComm.sent = []
    comm.create_comm, lab_jobs.SOON = CountedComm, PATIENCE
    try:
        yield CountedComm.sent
    finally:
        comm.create_comm, lab_jobs.SOON = made, soon


def total(sent: list[Message]) -> tuple[float, float]:
    """Kilobytes and messages."""
    return sum(size for size, _ in sent) / 1000, float(len(sent))


def answering(explorer: Explorer, sent: list[Message]) -> Callable[..., None]:
    """A page that has heard of all that was sent before it says something."""

    def say(**said: Any) -> None:
        runs = [each["run"] for each in told(sent) if "run" in each]
        run = {"run": runs[-1] if runs else 0} if "at" in said else {}
        explorer.board.page._handle_custom_msg({**said, **run}, [])

    return say


def told(sent: list[Message]) -> list[dict[str, Any]]:
    """What the board's page is told."""
    contents = [data["content"] for _, data in sent if "do" in data.get("content", ())]
    return [said for content in contents for said in content.get("each", [content])]


def watched(explorer: Explorer, sent: list[Message], say: Callable[..., None]) -> None:
    """The page fetches the film and plays it to its end."""
    page = explorer.board.page
    while page.last and (missing := [beat for beat in range(page.last + 1) if beat not in page._has]):
        say(want=missing[0], film=page._film)
    for beat in range(1, page.last + 1):
        if page.playing:
            say(at=beat, playing=beat < page.last)
