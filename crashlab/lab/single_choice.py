"""A choice of one option: with a click in a list or on the board, or with arrows and Enter."""

from collections.abc import Callable, Sequence
from typing import Any

import traitlets

from crashlab.drawing.canvas import Shapes
from crashlab.drawing.shapes import Point
from crashlab.lab import hit_test
from crashlab.lab.board import FAR, Board, rim
from crashlab.lab.playback import PagePart

WAYS = {"ArrowRight": 1, "ArrowDown": 1, "ArrowLeft": -1, "ArrowUp": -1}
FIRST = "Choose one first: click it on the board or in the list."


class ChoiceList(PagePart):
    """A list in the page: a click or Enter takes a line, arrows and the mouse select one, which the board shows."""

    options = traitlets.Tuple().tag(sync=True)
    index = traitlets.Int(None, allow_none=True).tag(sync=True)  # index of the selected line
    words = traitlets.Unicode().tag(sync=True)  # description of the list, for screen readers

    def __init__(self, board: Board, words: str, take: Callable[[int], object]) -> None:
        self._take = take
        self.on_msg(board.guard(self._hear))
        super().__init__(board.page, "choices", "crashlab-answers", FAR, words=words)

    def _hear(self, _: object, message: dict[str, Any], __: object) -> None:
        """Handle a click on a line, unless the page showed an earlier list."""
        place = message.get("take", -1)
        if self.options[place : place + 1] == (message.get("text"),):
            self._take(place)


class SingleChoice:
    """A choice of one option, from a list (`menu`) or on the board.

    `pick(index)` is called with the index of a choice, `point()` when the selection changes.
    """

    def __init__(
        self, board: Board, pick: Callable[[int], object], point: Callable[[], object], words: str = "Choices"
    ) -> None:
        self.board, self._pick = board, pick
        self.places: Sequence[Point] = ()
        self.menu = ChoiceList(board, words, pick)
        self.menu.observe(board.guard(lambda _: point()), "index")

    def offer(self, texts: Sequence[str], places: Sequence[Point] = ()) -> None:
        """List these options, with no selection."""
        self.places = places
        with self.menu.hold_sync():
            self.menu.options, self.menu.index = tuple(texts), None

    def label(self, index: int) -> str:
        """Return the text of an option in the list."""
        return str(self.menu.options[index])

    @property
    def index(self) -> int | None:
        """The index of the selected option, or None."""
        index: int | None = self.menu.index
        return index if index is not None and 0 <= index < len(self.menu.options) else None

    @property
    def words(self) -> str:
        """The selected option, in words."""
        count = len(self.menu.options)
        return "" if self.index is None else f"{self.index + 1} of {count}: {self.label(self.index)}."

    def take(self) -> bool:
        """Take the selected option; return False with a hint if there is none."""
        if self.index is None:
            self.board.say(FIRST if self.menu.options else "There is nothing to choose.")
            return False
        self._pick(self.index)
        return True

    def click(self, x: float, y: float) -> bool:
        """Take the clicked target of the board; return whether there is one."""
        numbers = hit_test.meant(self.board.page.targets.items, x, y, self.board.finger(x, y))
        if len(numbers) == 1:
            self._pick(numbers[0])
        elif numbers:
            places = [self.places[number] for number in numbers]  # the list may be sorted again meanwhile
            texts = [self.label(number) for number in numbers]
            self.board.ask_which(texts, lambda number: self._pick(self.places.index(places[number])))
        return bool(numbers)

    def key(self, name: str) -> bool:
        """Handle a key: arrows select, Enter takes; return whether it had an effect."""
        count = len(self.menu.options)
        if name in WAYS and count:
            step = WAYS[name]
            self.menu.index = (0 if step > 0 else -1) % count if self.index is None else (self.index + step) % count
            return True
        return name in ("Enter", " ") and self.take()

    def mark(self) -> Shapes:
        """Return a ring around the selected place."""
        if self.index is None or self.index >= len(self.places):
            return ()
        x, y = self.places[self.index]
        return rim(x, y, 17 * self.board.small, self.board.small)
