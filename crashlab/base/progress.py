"""Progress bars for anything that takes longer than a second."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import closing
from time import monotonic
from typing import Any, TypeVar

from crashlab.base.errors import truth

T = TypeVar("T")

DELAY = 1.0  # seconds before a bar appears
PACE = 0.2  # seconds between updates of a bar in a notebook


def bar(total: int, unit: str, is_shown: bool = True) -> Any:
    """Return a progress bar that appears after a second, in a terminal or a notebook.

    TQDM_DISABLE=1 hides all bars.
    """
    from tqdm import tqdm

    class Bar(tqdm):  # type: ignore[misc]
        monitor_interval = 0  # no monitor thread: browsers have no threads

    is_hidden = not truth("progress", is_shown) or bool(os.environ.get("TQDM_DISABLE"))
    if in_notebook() and not is_hidden:
        return BarLine(total, unit)
    is_hidden = is_hidden or not sys.stderr.isatty()
    return Bar(total=total, unit=f" {unit}", delay=DELAY, miniters=1, leave=False, disable=is_hidden)


def gathered(
    steps: Generator[T], total: int, unit: str, is_shown: bool = True, size: Callable[[T], int] = lambda step: 1
) -> list[T]:
    """Return the list of all steps, showing a bar meanwhile.

    On Ctrl-C, return the steps so far, or raise KeyboardInterrupt if there are none.
    """
    results: list[T] = []
    with bar(total, unit, is_shown) as progress, closing(steps):
        try:
            for step in steps:
                results.append(step)
                progress.update(size(step))
        except KeyboardInterrupt:
            if not results:
                raise
    return results


def in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class BarLine:
    """A progress bar in a notebook: a line of HTML that is updated and finally emptied.

    It is not a widget, because a saved notebook would keep a view of the widget without its model.
    """

    def __init__(self, total: int, unit: str) -> None:
        self.total, self.unit = total, unit
        self.done = 0
        self._began = self._shown = monotonic()
        self._place: Any = None  # the display handle

    def __enter__(self) -> BarLine:
        return self

    def __exit__(self, *error: object) -> None:
        if self._place:
            self._place.update({}, raw=True)

    def update(self, more: int = 1) -> None:
        """Add `more` to the steps done, and redraw the bar if it is due."""
        self.done += more
        now = monotonic()
        if now - self._began >= DELAY and (self._place is None or now - self._shown >= PACE):
            self._show(now)

    def _show(self, now: float) -> None:
        from IPython.display import display

        minutes, seconds = divmod(round((now - self._began) * (self.total / self.done - 1)), 60)
        words = f"{self.done:,} of {self.total:,} {self.unit}, {minutes}:{seconds:02} left"
        gauge = f"<progress max='{self.total}' value='{self.done}' style='vertical-align: middle'></progress>"
        look = {"text/html": f"{gauge} {words}", "text/plain": words}
        if self._place:
            self._place.update(look, raw=True)
        else:
            self._place = display(look, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        self._shown = now
