"""Jobs of a panel, in threads of their own: one that somebody waits for, and one that goes on beside the page.

A job thinks in its thread, and shows what it has found under the lock of the board.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from html import escape
from typing import Any

import ipywidgets as widgets

from crashlab.base import clock
from crashlab.base.errors import CrashlabError
from crashlab.lab.board import Board, Panel, button, html
from crashlab.lab.page_module import shared, show

SOON = 0.7  # seconds for which nobody is told anything
PACE = 1.0  # seconds between two looks at how far it is


class CountedClock(clock.Clock):
    """A clock without an end that counts how far a thought is, and can be stopped by hand."""

    def __init__(self, tell: Callable[[CountedClock], object]) -> None:
        super().__init__(clock.UNLIMITED)
        self.begun = self._told = time.monotonic()
        self.stopped = False
        self.steps = 0
        self._tell = tell

    def look(self) -> None:
        """Stop here if somebody wants that; else say how far it is."""
        if self.stopped:
            raise clock.TimeIsUp("was stopped")
        self.steps += 1
        if time.monotonic() - max(self._told, self.begun + SOON - PACE) > PACE:
            self._told = time.monotonic()
            self._tell(self)


class AwaitedJob(widgets.HBox):  # type: ignore[misc]
    """One thought at a time that somebody waits for: at first without a word, then with a line that says how far it is,
    and a button.

    The thinking is done in a thread of its own. As long as it is not done nothing has changed; when it is stopped,
    nothing will. Where there are no threads, as for Python in a browser, one has to wait.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._watch: CountedClock | None = None
        self._what = ""
        super().__init__(layout=shared(display="none", align_items="center"))

    @cached_property
    def words(self) -> widgets.HTML:
        """The line that says how far it is."""
        return html()

    @cached_property
    def stop(self) -> widgets.Button:
        """The button that stops it."""
        return button("Stop", lambda: self.cancel(True), "Stop thinking; nothing has changed", "stop")

    @property
    def busy(self) -> bool:
        """Whether something is thought."""
        return self._watch is not None

    def start(self, what: str, think: Callable[[], Any], then: Callable[[Any], object]) -> None:
        """Have something thought, and go on with it; what was thought before is stopped."""
        self.cancel()
        self._watch = watch = CountedClock(self._tell)
        self._what = what
        done = threading.Event()
        found: list[Any] = []
        failed: list[BaseException] = []

        def work() -> None:
            try:
                with watch:
                    found.append(think())
            except BaseException as error:  # also one that stops a thread
                failed.append(error)
            done.set()
            if late.is_set():
                self._arrive(watch, found, failed, then)

        late = threading.Event()
        thread = threading.Thread(target=work, daemon=True)
        try:
            thread.start()
        except RuntimeError:
            work()
        if not done.wait(SOON):
            late.set()
            self._tell(watch)
            show(self, True, children=(self.words, self.stop))
            if not done.is_set():
                return
        if self._watch is watch:
            self._end(found, failed, then)

    def cancel(self, by_hand: bool = False) -> None:
        """Stop what is thought; nothing has changed."""
        if self._watch:
            self._watch.stopped = True
            self._watch = None
            show(self, False)
            if by_hand:
                self.board.say("Stopped. Nothing has changed.")

    def _arrive(
        self, watch: CountedClock, found: list[Any], failed: list[BaseException], then: Callable[[Any], object]
    ) -> None:
        """Go on, in the thread of the thought, unless it was stopped in the meantime."""

        def arrive() -> None:
            if self._watch is watch:
                self._end(found, failed, then)

        self.board.guard(arrive)()

    def _end(self, found: list[Any], failed: list[BaseException], then: Callable[[Any], object]) -> None:
        self._watch = None
        show(self, False)
        if failed:
            raise failed[0]
        then(found[0])

    def _tell(self, watch: CountedClock) -> None:
        seconds = time.monotonic() - watch.begun
        steps = f", {watch.steps:,} steps" if watch.steps else ""
        self.words.value = f"<progress style='width: 90px'></progress> {escape(self._what)}: {seconds:.0f} s{steps}"


class BackgroundJob:
    """One work at a time, in rounds: `think()` takes as long as it takes, `show(thought)` changes what is shown.

    `show` gives the seconds to rest before the next round; a work that is done calls `stop()`. After `stop()` nothing
    of the work is shown any more, not even what is being thought. Thoughts never overlap, also of a work that was
    stopped and of the next one.

    Where no thread can be started the work is a task of the event loop, and clicks wait until a thought is finished.
    """

    def __init__(self, board: Board, turned: Callable[[], object] = lambda: None) -> None:
        self.board = board
        self.lock = board.lock
        self.turned = turned  # called when work begins and when it ends
        self._ended: threading.Event | None = None
        self.thinking = threading.Lock()  # held while something is thought
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether something is going on."""
        return self._ended is not None

    def start(self, think: Callable[[], Any], show: Callable[[Any], float]) -> None:
        """Begin a work; the one before is ended."""
        self.stop()
        self._ended = ended = threading.Event()
        rounds = self._rounds(ended, think, show)
        try:
            threading.Thread(target=_in_thread, args=(rounds, ended), daemon=True).start()
        except RuntimeError:  # Python in a browser has no threads
            self._begin_task(rounds, ended)
        self.turned()

    def stop(self) -> None:
        """End the work."""
        if self._ended:
            self._ended.set()
            self._ended = None
            self.turned()

    def _begin_task(self, rounds: Iterator[float], ended: threading.Event) -> None:
        try:
            self._task = asyncio.get_running_loop().create_task(_in_loop(rounds, ended))
        except RuntimeError:
            self._ended = None
            raise CrashlabError("nothing can run in the background here: no threads, and no event loop") from None

    def _rounds(
        self, ended: threading.Event, think: Callable[[], Any], show: Callable[[Any], float]
    ) -> Iterator[float]:
        while not ended.is_set():
            thought, error = None, None
            with self.thinking:
                if ended.is_set():
                    return
                try:
                    thought = think()
                except Exception as raised:
                    error = raised
            with self.lock:
                if ended.is_set():
                    return
                rest = self._shown(show, thought, error)
            yield rest

    def _shown(self, show: Callable[[Any], float], thought: Any, error: Exception | None) -> float:
        """Show a thought; an error ends the work, and is told."""
        rest = 0.0
        before = self.board.owner.now

        def attempt() -> None:
            nonlocal rest
            if error:
                raise error
            rest = show(thought)

        try:
            self.board.alone(attempt)
        except Exception as raised:
            self.board.owner.now = before
            self.stop()
            self.board.complain(raised)
        return rest


def _in_thread(rounds: Iterator[float], ended: threading.Event) -> None:
    for rest in rounds:
        if ended.wait(rest):
            return


async def _in_loop(rounds: Iterator[float], ended: threading.Event) -> None:
    for rest in rounds:
        await asyncio.sleep(rest)
        if ended.is_set():
            return


class GrowingPanel(Panel):
    """What goes on by itself while it is on the page, until that is enough; it can be stopped, and go on."""

    board: Board
    work: BackgroundJob
    _wanted = False  # whether to go on

    @property
    def _enough(self) -> bool:
        """Whether there is nothing left to do."""
        raise NotImplementedError

    def _want_more(self) -> None:
        """Have enough be about twice as much."""
        raise NotImplementedError

    def _think(self) -> Any:
        """A little more of the work."""
        raise NotImplementedError

    def _show(self, thought: Any, /) -> float:
        """Show what has come of it; the seconds to rest."""
        raise NotImplementedError

    def stop_or_go_on(self) -> None:
        """Stop, or go on; where there was enough, until there is about twice as much."""
        self._wanted = not self.work.busy
        if self.work.busy:
            self.work.stop()
            return
        if self._enough:
            self._want_more()
        self._begin()

    def _go_with_the_page(self) -> None:
        """Begin when it is shown, and stop when it is shown no more."""
        self.board.surface.widget.on_client_ready(self.board.guard(self._appear))
        self.board.on_gone(self.work.stop)

    def _end(self) -> None:
        self.work.stop()

    def _appear(self) -> None:
        """Begin, now that there is a page to show it on."""
        self._wanted = True
        self._begin()

    def _begin(self) -> None:
        """Go on, if somebody looks and wants it, and unless there is enough."""
        if self._wanted and not self._enough and not self.work.busy:
            self.work.start(self._think, self._show)
