"""The clock of a film or of a curve that grows: it counts in the browser, and stops at what is to be seen there.

However long the way between the page and the kernel is, what the page has counted before it heard of a stop comes too
late, and what the kernel has sent before it heard of the stop is taken back.
"""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets as widgets

from crashlab.lab.board import Board, button, known_as


class BrowserClock(widgets.Play):  # type: ignore[misc]
    """Counts up to the greatest number of a slider, and calls `tick(number)` with each; `button` plays and pauses.

    `tick` and `toggle`, which the button calls, show a number by putting the slider there. `seen` follows the slider in
    the page, and tells which number has come that far.
    """

    def __init__(
        self,
        board: Board,
        slider: widgets.IntSlider,
        tick: Callable[[int], object],
        toggle: Callable[[], object],
        interval: int,
        wide: int,
    ) -> None:
        super().__init__(min=0, max=slider.max, interval=interval, layout={"display": "none"})
        on = board.guard
        self._first = 0  # where it began to count
        self._counts = False  # whether it has not been stopped here
        self.seen = widgets.IntText()
        self.link = widgets.jsdlink((slider, "value"), (self.seen, "value"))
        self.button = button("", on(toggle), "Play from here, or pause", once=True, layout={"width": f"{wide}px"})
        known_as(self.button, "crashlab-play")
        self._name()
        self.observe(on(lambda change: self._counts and tick(change["new"])), "value")
        self.observe(on(lambda _: self._name()), "playing")
        board.surface.widget.on_client_ready(on(self.stop))  # a page that is loaded again has lost its clock

    def start(self, number: int) -> None:
        """Count on from here, if there is a browser to count in."""
        self._first = self.value = number
        self.send_state("value")  # the page may have counted on
        self._counts = self.playing = number < self.max
        self._name()

    def stop(self) -> None:
        """Count no more."""
        self._counts = self.playing = False
        self._name()

    def pause(self, number: int) -> int:
        """Stop where this number is shown; what is to be seen in the page by now."""
        self.stop()
        return self.seen.value if self._first <= self.seen.value < number else number

    def _name(self) -> None:
        self.button.description, self.button.icon = ("Pause", "pause") if self.playing else ("Play", "play")
