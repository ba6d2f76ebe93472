"""A game to look back on: who won, the curves of the scores, and its greatest moments, each a click away."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import dist

import ipywidgets as widgets

from crashlab.errors import CrashlabError, integer, shown
from crashlab.lab.board import Board, Panel, button, expect
from crashlab.lab.moment import Moment
from crashlab.lab.stepper import Stepper
from crashlab.match import Match
from crashlab.shapes import Picture
from crashlab.state import Turn
from crashlab.summary import RADIUS, Highlight, Summary, places, summary


class Review(Panel):
    """How a game went. `played` is a Match or a list of turns, to the end or as far as they go.

    `review.summary` has the moments, and `show(1)` shows the first one in a Stepper, which is then `review.stepper`.

        >>> played = crashlab.Match(crashlab.game("autoscooter", players=2), "random", seed=3)
        >>> end = played.run()
        >>> review = Review(played)
        >>> len(review.moments)
        3
    """

    def __init__(
        self, played: Match | Sequence[Turn], *, theme: str | None = None, scale: float | None = 0.9,
        animate: bool = True,
    ) -> None:
        self.summary = summary(played) if isinstance(played, Match) else Summary(checked(played))
        self.now = None
        self.stepper: Stepper | None = None
        self.animate = animate
        self.board = Board(self.summary.picture(), theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        on = self.board.guard
        self.buttons = [
            button(f"{number} {moment.kind}", on(lambda number=number: self._show(number)), moment.words, once=True)
            for number, moment in enumerate(self.summary.moments, 1)
        ]
        self.stage = widgets.VBox([])
        self.board.on_click(self._click)
        self.board.on_key(self._key, leave=self._next)
        row = widgets.HBox(self.buttons, layout={"flex_flow": "row wrap"})
        super().__init__([self.board, row, self.stage])
        self.board.say("A click on a number, or on a button, shows that moment below." if self.moments else "")

    @property
    def moments(self) -> tuple[Highlight, ...]:
        """The greatest moments."""
        return self.summary.moments

    def show(self, number: int) -> None:
        """Show the moment with this number, from 1."""
        found = integer(number)
        if found is None or not 1 <= found <= len(self.moments):
            raise CrashlabError(f"there is no moment {shown(number)}; they have the numbers 1 to {len(self.moments)}")
        self.board.alone(self._show, found)

    def _show(self, number: int) -> None:
        moment = self.moments[number - 1]
        turn = self.summary.turns[moment.turn]
        before = self.stepper
        self.stepper = Stepper(turn, theme=self.board.theme, animate=self.animate)
        self.stage.children = [self.stepper]
        if before:
            before.close()
        if turn.events and moment.event:
            self.stepper.board.alone(self.stepper.steps.tell, moment.event)
        self.board.say(f"{moment.kind}: {moment.words}. It is shown below.")

    def _next(self) -> widgets.DOMWidget:
        return self.buttons[0] if self.buttons else self.board.zoom.children[0]

    def _click(self, x: float, y: float) -> None:
        for number, spots in enumerate(places(self.summary), 1):
            if any(dist(spot, (x, y)) <= 2 * RADIUS for spot in spots):
                self._show(number)
                return

    def _key(self, name: str) -> None:
        if name in map(str, range(1, len(self.moments) + 1)):
            self._show(int(name))

    def _end(self) -> None:
        if self.stepper:
            self.stepper.close()

    def still(self) -> tuple[Picture, str]:
        """The summary."""
        return self.summary.picture(), str(self.summary)


def checked(turns: object) -> list[Turn]:
    """Turns, each of which begins where the one before ended."""
    expect(turns, list | tuple, "a Review looks back on a Match or on turns")
    assert isinstance(turns, list | tuple)
    for turn in turns:
        expect(turn, Turn, "a Review looks back on turns")
    for number, (early, late) in enumerate(pairwise(turns), 1):
        if early.after != late.before:
            raise CrashlabError(f"turn {number + 1} does not begin where turn {number} ended")
    return list(turns)


def turns_of(moment: Moment) -> list[Turn]:
    """The turns that led to a moment of an Explorer, back to where a position was set up."""
    found: list[Turn] = []
    group: tuple[Turn, ...] = ()
    here: Moment | None = moment
    while here and here.turns:  # a position that was set up has none
        if here.turns is not group:
            found[:0] = group = here.turns
        here = here.before
    return found


class Ending(widgets.VBox):  # type: ignore[misc]
    """Where a game is looked back on as soon as it is over; before, it is empty."""

    def __init__(self, theme: str | None, animate: bool) -> None:
        self.theme, self.animate = theme, animate
        self.turns: list[Turn] = []
        self.review: Review | None = None
        super().__init__([])

    def tell(self, turns: Sequence[Turn]) -> None:
        """Look back on these turns; on nothing, if there are none."""
        if list(turns) == self.turns:
            return
        self.turns = list(turns)
        if self.review:
            self.review.close()
        self.review = Review(self.turns, theme=self.theme, animate=self.animate) if turns else None
        self.children = [self.review] if self.review else []
