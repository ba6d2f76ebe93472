"""One of several things: picked from a list with a button, with a click on the board, or with arrows and Enter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from crashlab.drawing.canvas import Shapes
from crashlab.drawing.shapes import Point
from crashlab.lab import hit_test
from crashlab.lab.board import Board, button, rim

WAYS = {"ArrowRight": 1, "ArrowDown": 1, "ArrowLeft": -1, "ArrowUp": -1}


class SingleChoice:
    """The list is `menu`, the button `button`. `pick(index)` is called with what is picked, `point()` when something
    else is pointed at.
    """

    def __init__(
        self, board: Board, menu: Any, words: str, pick: Callable[[int], object], point: Callable[[], object]
    ) -> None:
        self.board, self.menu, self._pick = board, menu, pick
        self.places: Sequence[Point] = ()
        self.button = button(words, board.guard(self.take), "Choose what is selected in the list", once=True)
        self.menu.observe(board.guard(lambda _: point()), "index")

    def offer(self, texts: Sequence[str], places: Sequence[Point] = ()) -> None:
        """Offer these; nothing is pointed at yet."""
        self.places = places
        if tuple(self.menu.options) != tuple(texts):
            self.menu.options = tuple(texts)
        self.menu.index = None

    def label(self, index: int) -> str:
        """Return one of the things as it is listed."""
        return str(self.menu.options[index])

    @property
    def index(self) -> int | None:
        """What is pointed at."""
        index: int | None = self.menu.index
        return index

    @property
    def words(self) -> str:
        """What is pointed at, in words."""
        count = len(self.menu.options)
        return "" if self.index is None else f"{self.index + 1} of {count}: {self.menu.options[self.index]}."

    def take(self) -> bool:
        """Pick what is pointed at."""
        if self.index is None:
            hint = "Select one in the list first, or click it on the board."
            self.board.say(hint if self.menu.options else "There is nothing to choose.")
            return False
        self._pick(self.index)
        return True

    def click(self, x: float, y: float) -> bool:
        """Pick what is clicked, of what the board shows as targets; return whether there is something."""
        meant = hit_test.meant(self.board.page.targets.each, x, y, self.board.finger(x, y))
        if meant:
            self.take_one_of(meant)
        return bool(meant)

    def take_one_of(self, meant: Sequence[int]) -> None:
        """Pick what is meant; if that is several, ask which."""
        if len(meant) == 1:
            self._pick(meant[0])
            return
        places = [self.places[number] for number in meant]  # what is listed may be sorted anew
        texts = [self.menu.options[number] for number in meant]
        self.board.ask_which(texts, lambda number: self._pick(self.places.index(places[number])))

    def key(self, name: str) -> bool:
        """Arrows point at the next, Enter picks; whether the key meant something. The owner redraws."""
        count = len(self.menu.options)
        if name in WAYS and count:
            step = WAYS[name]
            self.menu.index = (0 if step > 0 else -1) % count if self.index is None else (self.index + step) % count
            return True
        return name in ("Enter", " ") and self.take()

    def mark(self) -> Shapes:
        """A ring round what is pointed at."""
        if self.index is None or self.index >= len(self.places):
            return ()
        x, y = self.places[self.index]
        return rim(x, y, 17 * self.board.small, self.board.small)
