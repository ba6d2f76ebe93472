"""Jobs of a panel in threads of their own: one that the user waits for, and one that runs in the background.

A job computes in its thread, and shows its result under the lock of the board.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import ipywidgets as widgets

from crashlab.base import clock
from crashlab.base.errors import CrashlabError
from crashlab.drawing.html import element, joined
from crashlab.lab.board import Board, Panel, button, html
from crashlab.lab.page_module import shared, show
from crashlab.lab.playback import alone

SOON = 0.7  # seconds before a progress message appears
PACE = 1.0  # seconds between two progress messages


class CountedClock(clock.Clock):
    """An unlimited clock that counts the steps of a computation, and can be stopped by hand."""

    def __init__(self, tell: Callable[[CountedClock], object]) -> None:
        super().__init__(clock.UNLIMITED)
        self.begun = self._last_report = time.monotonic()
        self.stopped = False
        self.steps = 0
        self._tell = tell

    def look(self) -> None:
        """Raise TimeIsUp if stopped by hand; else report the progress from time to time."""
        if self.stopped:
            raise clock.TimeIsUp("was stopped")
        self.steps += 1
        if time.monotonic() - max(self._last_report, self.begun + SOON - PACE) > PACE:
            self._last_report = time.monotonic()
            self._tell(self)


class AwaitedJob(widgets.HBox):  # type: ignore[misc]
    """A computation that the user waits for; after a moment a line shows its progress, with a Stop button.

    The computation runs in a thread of its own. Nothing changes before it has finished, or if it is stopped. Without
    threads, as for Python in a browser, `start` blocks.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._watch: CountedClock | None = None
        self._what = ""
        super().__init__(layout=shared(display="none", align_items="center"))

    @cached_property
    def words(self) -> widgets.HTML:
        """The line that shows the progress."""
        return html()

    @cached_property
    def stop(self) -> widgets.Button:
        """The button that stops the computation."""
        return button("Stop", lambda: self.cancel(True), "Stop thinking; nothing has changed", "stop")

    @property
    def busy(self) -> bool:
        """Whether a computation is running."""
        return self._watch is not None

    def start(self, what: str, think: Callable[[], Any], then: Callable[[Any], object]) -> None:
        """Cancel the previous job, run `think` in the background and pass its result to `then`."""
        self.cancel()
        self._watch = watch = CountedClock(self._tell)
        self._what = what
        end = threading.Event()
        results: list[Any] = []
        errors: list[BaseException] = []

        def arrive() -> None:
            if self._watch is watch:
                self._end(results, errors, then)

        arrive_alone = self.board.guard(arrive)  # now, as a closed board has no guard

        def work() -> None:
            try:
                with watch:
                    results.append(think())
            except BaseException as error:  # including exceptions that stop a thread
                errors.append(error)
            end.set()
            if late.is_set():
                arrive_alone()

        late = threading.Event()
        thread = threading.Thread(target=work, daemon=True)
        try:
            thread.start()
        except RuntimeError:
            work()
        if not end.wait(SOON):
            late.set()
            self._tell(watch)
            show(self, True, children=(self.words, self.stop))
            if not end.is_set():
                return
        arrive()

    def close(self) -> None:
        """Stop the computation, and remove the line from the page."""
        self.cancel()
        super().close()

    def cancel(self, by_hand: bool = False) -> None:
        """Stop the computation and drop its result; with `by_hand`, say so in the status line."""
        if self._watch:
            self._watch.stopped = True
            self._watch = None
            show(self, False)
            if by_hand:
                self.board.say("Stopped. Nothing has changed.")

    def _end(self, results: list[Any], errors: list[BaseException], then: Callable[[Any], object]) -> None:
        self._watch = None
        show(self, False)
        if errors:
            raise errors[0]
        then(results[0])

    def _tell(self, watch: CountedClock) -> None:
        seconds = time.monotonic() - watch.begun
        steps = f", {watch.steps:,} steps" if watch.steps else ""
        self.words.value = joined([element("progress", style="width: 90px"), f" {self._what}: {seconds:.0f} s{steps}"])


class BackgroundJob:
    """A job in rounds, one at a time: `think()` computes, and `show(thought)` displays the result.

    `show` returns the seconds to rest before the next round; a finished job calls `stop()`. After `stop()` no result of
    the job is shown, not even of a running `think()`. Calls of `think` never overlap, not even those of a stopped job
    and its successor.

    Without threads the job is a task of the event loop, and clicks wait until `think()` returns.
    """

    def __init__(self, board: Board, on_turn: Callable[[], object] = lambda: None) -> None:
        self.board = board
        self.lock = board.lock
        self.turned = on_turn  # called when a job starts or ends
        self._ended: threading.Event | None = None
        self.thinking = threading.Lock()  # held during `think()`
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        """Whether a job is running."""
        return self._ended is not None

    def start(self, think: Callable[[], Any], show: Callable[[Any], float]) -> None:
        """Stop the previous job, and start a new one."""
        self.stop()
        self._ended = end = threading.Event()
        rounds = self._rounds(end, think, show)
        try:
            threading.Thread(target=_in_thread, args=(rounds, end), daemon=True).start()
        except RuntimeError:  # Python in a browser has no threads
            self._begin_task(rounds, end)
        self.turned()

    def stop(self) -> None:
        """Stop the job."""
        if self._ended:
            self._ended.set()
            self._ended = None
            self.turned()

    def _begin_task(self, rounds: Iterator[float], end: threading.Event) -> None:
        try:
            self._task = asyncio.get_running_loop().create_task(_in_loop(rounds, end))
        except RuntimeError:
            self._ended = None
            raise CrashlabError(
                "nothing can run in the background here: there are neither threads nor an event loop"
            ) from None

    def _rounds(self, end: threading.Event, think: Callable[[], Any], show: Callable[[Any], float]) -> Iterator[float]:
        while not end.is_set():
            thought, error = None, None
            with self.thinking:
                if end.is_set():
                    return
                try:
                    thought = think()
                except Exception as exception:
                    error = exception
            with self.lock:
                if end.is_set():
                    return
                rest = self._shown(show, thought, error)
            yield rest

    def _shown(self, show: Callable[[Any], float], thought: Any, error: Exception | None) -> float:
        """Show a result, and return the seconds to rest; an error stops the job and is reported."""
        rest = 0.0
        before = self.board.owner.now

        def attempt() -> None:
            nonlocal rest
            if error:
                raise error
            rest = show(thought)

        try:
            self.board.run_alone(attempt)
        except Exception as exception:
            self.board.owner.now = before
            self.stop()
            self.board.complain(exception)
        return rest


def _in_thread(rounds: Iterator[float], end: threading.Event) -> None:
    for rest in rounds:
        if end.wait(rest):
            return


async def _in_loop(rounds: Iterator[float], end: threading.Event) -> None:
    for rest in rounds:
        await asyncio.sleep(rest)
        if end.is_set():
            return


class GrowingPanel(Panel):
    """A panel that works in rounds while it is visible, until `_enough`; the work can be stopped and resumed."""

    board: Board
    work: BackgroundJob
    _should_run = False

    @property
    def _enough(self) -> bool:
        """Whether the work is finished."""
        raise NotImplementedError

    def _want_more(self) -> None:
        """Raise the limits so that about twice as much work is needed."""
        raise NotImplementedError

    def _think(self) -> Any:
        """Do a little more of the work, and return its result."""
        raise NotImplementedError

    def _show(self, thought: Any, /) -> float:
        """Show the result of a round; return the seconds to rest."""
        raise NotImplementedError

    @alone
    def stop_or_go_on(self) -> None:
        """Stop or resume the work; if it was finished, do about twice as much."""
        self._should_run = not self.work.busy
        if self.work.busy:
            self.work.stop()
            return
        if self._enough:
            self._want_more()
        self._begin()

    def _go_with_the_page(self) -> None:
        """Start when the panel becomes visible, and stop when it has left the page."""
        self.board.surface.widget.on_client_ready(self.board.guard(self._appear))
        self.board.on_gone(self.work.stop)

    def _end(self) -> None:
        self.work.stop()

    def _appear(self) -> None:
        """Start the work when a page shows the panel."""
        self._should_run = True
        self._begin()

    def _begin(self) -> None:
        """Resume the work if it is wanted and not finished."""
        if self._should_run and not self._enough and not self.work.busy:
            self.work.start(self._think, self._show)
