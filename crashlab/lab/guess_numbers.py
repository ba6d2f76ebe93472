"""Guesses of numbers by hand: drag bars, draw a curve or a funnel, then compare with the truth.

    Guess("What share of all crashes is of this kind?", ["front", "rear", "side"], [21, 9, 70], unit=" %")

If the truth is computed later, leave it out and end a later cell with `guess.reveal(numbers)`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from statistics import median

import ipywidgets as widgets

from crashlab.base.errors import CrashlabError, as_float, listed, require, short_repr, short_str
from crashlab.drawing.charts import round_up
from crashlab.drawing.guess_chart import BARS, KINDS, Sketch, closeness, picture
from crashlab.drawing.html import table
from crashlab.drawing.shapes import Picture
from crashlab.drawing.styles import LEADING
from crashlab.lab import notebook_cells, vote_file
from crashlab.lab.board import FAR, ROW, Board, Panel, button, with_classes
from crashlab.lab.page_module import show
from crashlab.lab.phones import Phones
from crashlab.lab.playback import alone
from crashlab.lab.stepper import beside
from crashlab.vote.broker import BallotQuestion

KEYS = "left and right choose, up and down change the guess, page up and down by ten steps, Enter takes it; Tab leaves"
STEPS = {"ArrowUp": 1, "ArrowDown": -1, "PageUp": 10, "PageDown": -10}
MOST_NAMES = 60
FINE = 100  # number of steps from 0 to `most` by default


ASK_FIRST = (
    "The truth is ready. Guess in the chart above and press 'That is my guess': then the chart shows both."
    " (Run this cell again to see it without a guess.)"
)


@dataclass(frozen=True)
class Revealed:
    """The sentence that a cell shows below a chart whose truth was revealed."""

    words: str

    def __repr__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Guessed:
    """The guesses (None if missing), whether they are final, and the truth once it is shown."""

    values: tuple[float | None, ...]
    is_taken: bool = False
    truth: tuple[float, ...] | None = None
    last: int | None = None  # index of the guess changed last


class Guess(Panel):
    """A chart to guess before the truth is shown: a number from 0 to `most` for each of the names.

    `drawn` is the kind of chart: "bars", a "curve", or a "funnel", which reaches as far below 0 as above. Numbers are
    rounded to multiples of `step`. `KEYS` lists the keys on the chart; `guess.values` are the guesses.

        >>> guess = Guess("How many cars are hit in a game?", ["in the side", "from behind"], [3.2, 1.3], most=10)
        >>> guess.put(0, 4)
        >>> guess.values
        (4.0, None)
    """

    now: Guessed

    def __init__(
        self,
        question: str,
        names: object,
        truth: object = None,
        *,
        drawn: str = BARS,
        most: float = 100,
        step: float | None = None,
        unit: str = "",
        theme: str | None = None,
        scale: float = 1.0,
    ) -> None:
        self.names = names_of(names)
        require(
            isinstance(drawn, str) and drawn in KINDS, f"drawn={short_repr(drawn)}: choose one of {', '.join(KINDS)}"
        )
        self.question, self.drawn, self.unit = short_str(question), drawn, short_str(unit)
        self.most = positive("most", most)
        self.step = round_up(self.most / FINE) if step is None else positive("step", step)
        self._truth = None if truth is None else self._numbers(truth)
        self.about = self.question, self.names, self.drawn, self.most, self.step, self._truth
        self.now, self.left = Guessed((None,) * len(self.names)), notebook_cells.left(Guess, self.about)
        self.board = Board(picture(self.sketch), theme=theme, scale=scale, animate=False)
        self.board.owner = self
        on = self.board.guard
        self.result = widgets.HTML()
        self.take = button("That is my guess", on(self.make), "Take the guess", button_style=LEADING, once=True)
        self.again = button("Again", on(self.begin), "Forget the guess and begin again", "undo", once=True)
        self.resume = self._resume("Go on with your guess", self.resume_guess)
        self.phones = Phones(self.board, self._arrived, self._renew)
        self.numbers: dict[int, tuple[float, ...]] = {}  # numbers from phones, by index of the name
        self._times: dict[int, float] = {}  # the times of these numbers
        self._aside: list[vote_file.Tally] = []  # numbers that were replaced
        self.board.surface.on_draw(on(self._draw))
        self.board.on_key(self._key)
        buttons = [self.take, self.again, self.phones.button, *self.phones.tools]
        row = with_classes(widgets.HBox([with_classes(part, FAR) for part in buttons], layout=ROW), "crashlab-row")
        side = widgets.VBox([self.phones.card, self.phones.menu, row, self.resume, self.result, self.phones])
        super().__init__([beside(self.board, side, KEYS)])
        self.board.run_alone(self.refresh)

    def _numbers(self, values: object) -> tuple[float, ...]:
        """Return the values as one number for each name; raise CrashlabError if they are anything else."""
        numbers = [as_float(number) for number in listed(values) or ()]
        require(
            len(numbers) == len(self.names) and all(isfinite(number) and number >= 0 for number in numbers),
            f"truth={short_repr(values)}: give {len(self.names)} numbers of at least 0, one for each name",
        )
        return tuple(numbers)

    @property
    def values(self) -> tuple[float | None, ...]:
        """The guesses, None if missing."""
        return self.now.values

    @property
    def sketch(self) -> Sketch:
        """The current chart."""
        return Sketch(self.question, self.names, self.now.values, self.now.truth, self.drawn, self.most, self.unit)

    # Actions of the user

    @alone
    def begin(self) -> None:
        """Restart without guesses; phones must answer again, and earlier numbers are kept for the file."""
        self._renew()
        self.now = replace(self.now, last=0 if self.phones.is_on else None)
        self.phones.forget()
        self._ask()
        self.refresh()

    def _renew(self) -> None:
        """Put the numbers from phones aside, and remove all guesses."""
        self._aside += self._counted()
        self.numbers.clear()
        self.now = Guessed((None,) * len(self.names), last=self.now.last)

    def _ask(self, stage: str = "open", reason: str = "") -> None:
        """Ask phones for the number of the current name."""
        place = self.now.last or 0
        text = f"{self.question} {self.names[place]}:"
        self.phones.ask(place, BallotQuestion(text, (), stage, reason=reason, most=self.most))

    def _arrived(self) -> None:
        """Store the numbers sent by phones; their median is the guess of the class."""
        vote_file.follow(self)
        if self.phones.asked is None:
            self.now = replace(self.now, last=self.now.last or 0)
            self._ask()
        if self.phones.votes:
            self.numbers[self.phones.number] = tuple(self.phones.votes)
            self._times[self.phones.number] = self.phones.time
        if not self.phones.is_secret:
            self._put_middles()
        self.refresh()

    def _put_middles(self) -> None:
        last = self.now.last
        self._put({place: median(numbers) for place, numbers in self.numbers.items()})
        self.now = replace(self.now, last=last)

    @property
    def tallies(self) -> list[vote_file.Tally]:
        """The numbers from phones, with the count of each."""
        earlier = [self._tally(place, at, numbers) for place, rows in self.phones.aside.items() for at, numbers in rows]
        return [*self._aside, *self._counted(), *earlier]

    def _counted(self) -> list[vote_file.Tally]:
        return [self._tally(place, self._times[place], numbers) for place, numbers in self.numbers.items()]

    def _tally(self, place: int, at: float, numbers: Sequence[float]) -> vote_file.Tally:
        """Return numbers as an entry of the file; the truth, once it is shown, is one of the options."""
        counts, right = Counter(numbers), None
        if self.now.truth:
            right = self.now.truth[place]
            counts[right] += 0
        options = sorted(counts)
        return vote_file.Tally(
            at,
            f"{self.question} {self.names[place]}",
            tuple(f"{number:g}" for number in options),
            tuple(n for n, number in enumerate(options) if number == right),
            (tuple(counts[number] for number in options),),
        )

    def _end(self) -> None:
        vote_file.let_go(self)

    @alone
    def put(self, place: int, value: float) -> None:
        """Guess this number, rounded, for the name at this index."""
        require(
            0 <= place < len(self.names),
            f"there is no name {short_repr(place)}: the names have the indices 0 to {len(self.names) - 1}",
        )
        self._put({place: value})

    def _put(self, guesses: Mapping[int, float]) -> None:
        """Store these guesses, by index, rounded to the step."""
        if self.now.is_taken or not guesses:
            return
        values = list(self.now.values)
        for place, value in guesses.items():
            number = round(round(value / self.step) * self.step, 10)
            values[place] = min(max(number, 0.0), self.most)
        self.now = replace(self.now, values=tuple(values), last=list(guesses)[-1])
        self.refresh()

    @alone
    def make(self) -> None:
        """Accept the guess, and show the truth if it is already known."""
        if self.now.is_taken:
            return
        self._put_middles()
        missing = [name for name, value in zip(self.names, self.now.values, strict=True) if value is None]
        if missing:
            self.board.say(f"Guess {missing[0]} as well: drag, or use the keys.")
            return
        self._show(self._truth)

    def _show(self, truth: tuple[float, ...] | None) -> None:
        self.now = replace(self.now, is_taken=True, truth=truth)
        numbers = [f"{name}: {number:g}{self.unit}" for name, number in zip(self.names, truth or (), strict=False)]
        self._ask("shown" if truth else "closed", ", ".join(numbers))
        self.refresh()

    @alone
    def reveal(self, truth: object) -> Revealed:
        """Show the truth beside the guess in the chart, or ask for a guess first if there is none; return a sentence.

        A second call with the same numbers shows them without a guess.
        """
        numbers = self._numbers(truth)
        self._put_middles()
        is_asked_again, self._truth = numbers == self._truth, numbers
        if not is_asked_again and not self.now.is_taken and self.now.values == (None,) * len(self.names):
            return Revealed(ASK_FIRST)
        self.board.run_alone(self._show, numbers)
        return Revealed(f"{self._words()} The chart above shows it.")

    @alone
    def resume_guess(self) -> None:
        """Resume the guess made before this cell was run again."""
        self.now = require(self.left, "there is no earlier guess to resume").now
        self.refresh()

    def _draw(self, x: float, y: float, begins: bool) -> None:
        """Guess the value at (x, y); unless a stroke begins here, also fill the columns since its last point."""
        if self.now.is_taken:
            self.board.say_below(f"Press '{self.again.description}' to guess again.")
        sketch, before = self.sketch, self.now.last
        place, value = sketch.place_at(x), sketch.value_at(y)
        values = {}
        if not begins and before is not None and (start := self.now.values[before]) is not None:
            way = 1 if place > before else -1
            for between in range(before + way, place, way):
                values[between] = start + (value - start) * (between - before) / (place - before)
        self._put({**values, place: value})
        if self.now.last != before:
            self._ask()

    def _key(self, name: str) -> None:
        if name in ("Enter", " "):
            self.make()
        elif self.now.is_taken:
            self.board.say(self._words())
        elif name in ("ArrowLeft", "ArrowRight"):
            way = 1 if name == "ArrowRight" else -1
            first = 0 if way > 0 else -1
            last = (first if self.now.last is None else self.now.last + way) % len(self.names)
            self.now = replace(self.now, last=last)
            self._ask()
            self.refresh()
        elif name in STEPS and self.now.last is not None:
            self._put({self.now.last: (self.now.values[self.now.last] or 0.0) + STEPS[name] * self.step})

    # Display

    def refresh(self) -> None:
        """Update the chart and the words."""
        is_taken = self.now.is_taken
        if self.now.values != (None,) * len(self.names):
            self.left = None  # it has been used or replaced
        self.result.value = self._result()
        for part, is_shown in ((self.take, not is_taken), (self.again, is_taken), (self.resume, bool(self.left))):
            show(part, is_shown)
        self.board.show(picture(self.sketch, None if is_taken else self.now.last))
        self.board.say(self._words())

    def _words(self) -> str:
        """Return the text of the status line."""
        sketch, now = self.sketch, self.now
        if now.truth:
            distance = closeness(now.values, now.truth)
            return "This is the truth." if distance is None else f"On average you were {sketch.said(distance)} off."
        if now.is_taken:
            return "The guess is noted. Now find out."
        count = sum(value is not None for value in now.values)
        if self.phones.is_secret and now.last is not None:
            return f"{self.names[now.last]}: {self.phones.progress}. Left and right choose another one."
        if now.last is None:
            return "Drag on the chart, or use the keys."
        value = now.values[now.last]
        guess = "no guess yet" if value is None else sketch.said(value)
        take = f"'{self.take.description}'" if self.board.touched else "Enter"
        ready = f" {take} takes the guess." if count == len(now.values) else f" {count} of {len(now.values)} guessed."
        return f"{self.names[now.last]}: {guess}.{ready}"

    def _result(self) -> str:
        """Write the guesses and the truth as an HTML table; empty until the truth is known."""
        now, sketch = self.now, self.sketch
        if not now.truth:
            return ""
        rows = [
            (name, "–" if mine is None else sketch.said(mine), sketch.said(true))
            for name, mine, true in zip(self.names, now.values, now.truth, strict=True)
        ]
        return table(("", "guess", "truth"), rows, "padding-right: 1em", "line-height: 1.4")

    def done(self) -> notebook_cells.SavedWork | None:
        """Return the guesses, or None if there are none."""
        count = sum(value is not None for value in self.now.values)
        return (
            notebook_cells.SavedWork(self.now, self.about, f"{count} of {len(self.names)} guessed") if count else None
        )

    def still(self) -> tuple[Picture, str]:
        """Return the current chart and its words."""
        return picture(self.sketch), self.sketch.words


def names_of(values: object) -> tuple[str, ...]:
    """Return the names as texts; raise CrashlabError without names or with too many."""
    names = None if isinstance(values, str | bytes) else listed(values)
    if not names or len(names) > MOST_NAMES:
        raise CrashlabError(f"names={short_repr(values)}: give a list of 1 to {MOST_NAMES} names or numbers")
    return tuple(short_str(name) for name in names)


def positive(name: str, number: object) -> float:
    """Return number as a float; raise CrashlabError if it is not above 0."""
    value = as_float(number)
    require(0 < value < float("inf"), f"{name}={short_repr(number)}: give a number above 0")
    return value
