"""Thinking that somebody waits for: at first without a word, then with a line that says how far it is, and a button.

The thinking is done in a thread of its own. As long as it is not done nothing has changed; when it is stopped, nothing
will. Where there are no threads, as for Python in a browser, one has to wait.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from html import escape
from typing import Any

import ipywidgets as widgets

from crashlab.base import clock
from crashlab.lab.board import Board, button

SOON = 0.7  # seconds for which nobody is told anything
PACE = 0.2  # seconds between two looks at how far it is


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


class Errand(widgets.HBox):  # type: ignore[misc]
    """One thought at a time that somebody waits for."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.words = widgets.HTML()
        self.stop = button("Stop", lambda: self.cancel(True), "Stop thinking; nothing has changed", "stop")
        self._watch: CountedClock | None = None
        self._what = ""
        super().__init__([self.words, self.stop], layout={"display": "none", "align_items": "center"})

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
            self.layout.display = ""
            if not done.is_set():
                return
        if self._watch is watch:
            self._end(found, failed, then)

    def cancel(self, by_hand: bool = False) -> None:
        """Stop what is thought; nothing has changed."""
        if self._watch:
            self._watch.stopped = True
            self._watch = None
            self.layout.display = "none"
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
        self.layout.display = "none"
        if failed:
            raise failed[0]
        then(found[0])

    def _tell(self, watch: CountedClock) -> None:
        seconds = time.monotonic() - watch.begun
        steps = f", {watch.steps:,} steps" if watch.steps else ""
        self.words.value = f"<progress style='width: 90px'></progress> {escape(self._what)}: {seconds:.0f} s{steps}"
