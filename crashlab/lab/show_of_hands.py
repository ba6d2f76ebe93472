"""A count of hands for each of several options: by buttons, typing, clicks, keys, or phones.

A class votes, discusses, and votes again: the hands of the first vote stay visible next to the hands of the second.
"""

from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple

import ipywidgets as widgets

from crashlab.drawing.html import element
from crashlab.drawing.shapes import Point
from crashlab.drawing.styles import BLUE, UNKNOWN
from crashlab.engine.notation import counted
from crashlab.lab import hit_test
from crashlab.lab.board import FAR, Board, button, with_classes
from crashlab.lab.page_module import show
from crashlab.lab.phones import Phones

KEYS = (
    "up and down choose, right and left count one hand more or one fewer, digits enter the number, a votes again,"
    " s skips, Enter shows it"
)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # names of the answers
OF_A_GAME = "PQRSTUVWXYZ"  # used in games, because no player, car or card has such a name
MOST = 999  # maximum number of hands
STEPS = {"ArrowUp": -1, "ArrowDown": 1}
HANDS = {"ArrowRight": 1, "ArrowLeft": -1}


class VoteCounts(NamedTuple):
    """The hands for each option, in this vote and in the first one, and the voters of both votes if they are shown."""

    now: Sequence[int]
    before: Sequence[int] = ()
    totals: Sequence[int] = ()


class ShowOfHands:
    """The controls of a vote: the rows of `menu`, the buttons `button`, `again` and `skip`, and those of `phones`.

    `take(counts)` is called with the hands, or with None if the question is skipped, `point()` when the selected option
    or a count changes.
    """

    def __init__(
        self, board: Board, most: int, take: Callable[[Sequence[int] | None], object], point: Callable[[], object]
    ) -> None:
        self.board, self._take, self._point = board, take, point
        self.arrived: Callable[[], object] = lambda: None  # called when votes from phones have arrived
        self.keep: Callable[..., object] = lambda *_: None  # called with votes that are removed: counts, and by phone
        self.letters: Sequence[str] = LETTERS
        self.before: Sequence[int] = ()  # the counts of the first vote
        self.first: Sequence[Any] = ()  # the votes by phone in the first vote
        self.rights: Sequence[int] = ()  # the options that are right together, if phones choose several
        board.surface.counts_all = True
        self.texts: Sequence[str] = ()
        self.places: Sequence[Point] = ()
        self.index: int | None = None
        self._is_typing = False  # whether the next digit continues a number
        self.rows = [self._row(place) for place in range(most)]
        rows = widgets.VBox([row for row, *_ in self.rows], layout={"width": "100%"})
        self.menu = with_classes(rows, "crashlab-poll", "crashlab-answers", FAR)
        on = board.guard
        self.button = button("Show it", on(self.take), "Show what happens, even without votes", once=True)
        self.again = button(
            "Vote again", on(self.vote_again), "Keep these counts, discuss, and count once more", once=True
        )
        self.skip = button("Skip", on(lambda: self._take(None)), "Go on without this question", once=True)
        self.phones = Phones(board, self._arrived, self._renew)

    def _row(self, place: int) -> tuple[widgets.HBox, widgets.BoundedIntText, widgets.HTML]:
        on = self.board.guard
        number = widgets.BoundedIntText(0, 0, MOST, layout={"width": "64px"})
        number.observe(on(lambda change: self.put(place, change.new)), "value")
        fewer = button("", on(lambda: self.add(place, -1)), "One hand fewer", "minus", layout={"width": "38px"})
        more = button("", on(lambda: self.add(place, 1)), "One hand more", "plus", layout={"width": "38px"})
        label = widgets.HTML(layout={"flex": "1 1 0", "min_width": "0"})
        return widgets.HBox([fewer, number, more, label], layout={"align_items": "center"}), number, label

    def offer(self, texts: Sequence[str], places: Sequence[Point] = ()) -> None:
        """Start a count for these options, with no hands and no selection."""
        self.texts, self.places = texts, places
        self._begin()

    def _clear(self) -> None:
        texts = self.texts
        for place, (row, number, _) in enumerate(self.rows):
            show(row, place < len(texts))
            number.value = 0
        self._draw()

    def label(self, index: int) -> str:
        """Return the text of an option with its letter."""
        return lettered(self.letters[index], self.texts[index])

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of hands for each option, including the phones."""
        votes = self.per_option(self.phones.votes)
        votes = votes if len(votes) == len(self.texts) else (0,) * len(self.texts)
        return tuple(a + b for a, b in zip(self._hands, votes, strict=True))

    def per_option(self, votes: Sequence[Any]) -> Sequence[int]:
        """Return the number of phones that chose each option; counts of single choices are returned unchanged."""
        return [sum(n in vote for vote in votes) for n in range(len(self.texts))] if self.rights else votes

    def exact(self, votes: Sequence[Any]) -> int:
        """Return the number of phones that chose exactly the right options."""
        return [*votes].count([*self.rights])

    def with_totals(self, now: Sequence[int], before: Sequence[int]) -> VoteCounts:
        """Add the numbers of voters in the first and the current vote to their counts; a number is 0 if unknown."""
        voters = [len(votes) * (not any(self._hands)) for votes in (self.first, self.phones.votes)]
        return VoteCounts(now, before, voters if self.rights else (sum(before), sum(now)))

    @property
    def _hands(self) -> tuple[int, ...]:
        return tuple(number.value for _, number, _ in self.rows[: len(self.texts)])

    @property
    def seen(self) -> VoteCounts:
        """The counts that the class may see: only the current hands while the votes by phone are secret."""
        return VoteCounts(self._hands) if self.phones.is_secret else VoteCounts(self.counts, self.before)

    @property
    def words(self) -> str:
        """A description of the selected option and the total."""
        total = f"{sum(self.seen.now)} in all."
        if self.index is None:
            return f"Nothing is chosen; {total}"
        return f"{self.texts[self.index]}: {hands(self.seen.now[self.index])}; {total}"

    def add(self, place: int, count: int) -> None:
        """Add count hands to an option."""
        self.put(place, self._hands[place] + count)

    def put(self, place: int, count: int) -> None:
        """Set the number of hands for an option, and select it."""
        self.rows[place][1].value = count
        self.index = place
        self._draw()
        self._point()

    def take(self) -> bool:
        """Take the current counts, and return True."""
        self._take(self.counts)
        return True

    def vote_again(self) -> None:
        """Start another vote, keeping the hands of this one visible."""
        if not any(self.counts):
            self.board.say("Nobody has voted yet.")
            return
        if self.before:
            self.keep((self.before, self.first))
        self.before, self.first, self.index = self.counts, self.phones.votes, None
        self.phones.anew()
        self._clear()
        self._point()
        self.board.say("Discuss it with your neighbour; then vote again.")

    def _begin(self) -> None:
        self.before = self.first = ()
        self.index = None
        self._clear()

    def _renew(self) -> None:
        """Start from zero for another class."""
        self.keep((self.before, self.first), (self.counts, self.phones.votes))
        self._begin()
        self._point()

    def _arrived(self) -> None:
        self._draw()
        self.arrived()

    def click(self, x: float, y: float) -> bool:
        """Count one more hand for the place at (x, y); return whether there is a place."""
        places = hit_test.meant(self.board.page.targets.items, x, y, self.board.finger(x, y))
        if len(places) > 1:
            self.board.ask_which([self.texts[place] for place in places], lambda number: self.add(places[number], 1))
        elif places:
            self.add(places[0], 1)
        return bool(places)

    def key(self, name: str) -> bool:
        """Handle a key of `KEYS`; return whether the display must be updated."""
        if name in ("Enter", " "):
            return self.take()
        if name in ("a", "A"):
            self.vote_again()  # this shows a message of its own
            return False
        if name in ("s", "S") and self.skip.layout.display != "none":
            self._take(None)
            return False
        if name in STEPS:
            first = 0 if STEPS[name] > 0 else -1
            self.index = (first if self.index is None else self.index + STEPS[name]) % len(self.texts)
            self._is_typing = False
            self._draw()
            return True
        if self.index is None:
            return False
        if name in HANDS:
            self._is_typing = False
            self.add(self.index, HANDS[name])
        elif name == "Backspace":
            self.put(self.index, self._hands[self.index] // 10)
        elif len(name) == 1 and name in "0123456789":
            before = self._hands[self.index] if self._is_typing else 0
            self.put(self.index, min(10 * before + int(name), MOST))
            self._is_typing = True
        else:
            return False
        return True

    def _draw(self) -> None:
        (self.menu.add_class if self.phones.is_on else self.menu.remove_class)("crashlab-by-phone")
        for place in range(len(self.texts)):
            self.rows[place][2].value = bar(self.label(place), place, self.seen, place == self.index)


def hands(count: int) -> str:
    """Write a number of hands."""
    return counted(count, "hand")


def of_a_game(in_use: Container[str] = ()) -> list[str]:
    """Return the letters of choices in a game, without letters in use; after Z come doubled letters."""
    single = [letter for letter in OF_A_GAME if letter not in in_use]
    return [*single, *(2 * letter for letter in single)]


def lettered(letter: str, text: str) -> str:
    """Return the text of an option with its letter, if that is not the text itself."""
    return text if text == letter else f"{letter}) {text}"


def share(count: int, total: int) -> str:
    """Return the share of a count in per cent, or an empty string if the total is 0."""
    return f"{round(100 * count / total)} %" if total else ""


def bar(text: str, place: int, votes: VoteCounts, is_marked: bool = False) -> str:
    """Draw a text with its counts and their shares of totals, above the bars of a first vote (if any) and this vote."""
    most = max(*votes.now, *votes.before, 1)
    shades = [(votes.before, UNKNOWN), (votes.now, BLUE)] if votes.before else [(votes.now, BLUE)]
    has_begun = votes.totals or any((*votes.now, *votes.before))
    numbers = " → ".join(str(counts[place]) for counts, _ in shades) if has_begun else ""
    shares = " → ".join(
        share(counts[place], total) for (counts, _), total in zip(shades, votes.totals[-len(shades) :], strict=False)
    )
    line = (
        element("span", text),
        " ",
        element("b", numbers),
        f" ({shares})" if shares.strip(" →") else "",
        *(
            element("i", style=f"background: {shade}; width: {round(100 * counts[place] / most)}%")
            for counts, shade in shades
        ),
    )
    style = f"line-height: 1.25; padding: 2px 6px{'; font-weight: 700' * is_marked}"
    return element("div", *line, class_="crashlab-bar", style=style)
