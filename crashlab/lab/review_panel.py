"""A review of a game: the winner, the curves of the scores, and its best moments, each a click away."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import dist

import ipywidgets as widgets

from crashlab.analysis.review.appraisal import Appraisal
from crashlab.base.errors import expect, require, require_in, short_repr
from crashlab.drawing.shapes import Picture, Point
from crashlab.engine.game import State, Turn
from crashlab.engine.notation import capital
from crashlab.lab.board import Board, Panel, button
from crashlab.lab.decision_costs import DecisionCosts
from crashlab.lab.explorer_history import ExplorerState
from crashlab.lab.stepper import Stepper
from crashlab.play.match import Match
from crashlab.play.summary import RADIUS, Highlight, Summary, places, when

HINT = "Click a number or a button to show that moment below."
Explore = Callable[[State, int], Panel]
"""Creates a panel in which a seat plays on from a position."""


class GameOverview(Panel):
    """An overview of a game, as in `crashlab.lab.Review`; `explore` creates a panel in which to play on."""

    def __init__(
        self,
        played: Match | Sequence[Turn],
        explore: Explore,
        *,
        theme: str | None = None,
        scale: float | None = 0.9,
        animate: bool = True,
    ) -> None:
        self.summary = played.summary() if isinstance(played, Match) else Summary(checked(played))
        self.appraisal: Appraisal | None = None
        self.now = None
        self.panel: Panel | None = None  # the displayed panel
        self.animate = animate
        self.board = Board(self.summary.picture(), theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        self.row = widgets.HBox([], layout={"flex_flow": "row wrap"})
        self.stage = widgets.VBox([])
        self.costs = DecisionCosts(self.board, self.summary, self._appraise, self._look, explore)
        self.board.on_click(self._click)
        self.board.on_key(self._key)
        self.board.on_gone(self.costs.work.stop)
        self._offer()
        super().__init__([self.board, self.row, self.costs, self.stage, self.costs.seats])
        self.board.say(HINT if self.moments else "")

    @property
    def moments(self) -> tuple[Highlight, ...]:
        """The best moments, or the turning points once the costs of decisions are known."""
        if self.appraisal is None:
            return self.summary.moments
        return tuple(map(self.appraisal.highlight, self.appraisal.turnings))

    def show(self, number: int) -> None:
        """Show the moment with this number, counted from 1."""
        words = f"there is no moment {short_repr(number)}; moments are numbered 1 to {len(self.moments)}"
        self.board.run_alone(self._show, require_in(range(1, len(self.moments) + 1), number, words))

    def look_closer(self) -> Appraisal:
        """Compute the cost of every decision, and return the result when it is complete."""
        self.costs.finish()
        assert self.appraisal is not None
        return self.appraisal

    def _offer(self) -> None:
        """Create a button for each moment."""
        before, on = self.row.children, self.board.guard
        self.buttons = [
            button(f"{number} {moment.kind}", on(lambda number=number: self._show(number)), moment.words, once=True)
            for number, moment in enumerate(self.moments, 1)
        ]
        self.row.children = self.buttons
        for old in before:
            old.close()

    def _appraise(self, appraisal: Appraisal) -> None:
        """Show the costs known so far."""
        words = [moment.kind for moment in self.moments]
        self.appraisal = appraisal
        if [moment.kind for moment in self.moments] != words:
            self._offer()
        self.board.show(self._picture())

    def _picture(self) -> Picture:
        return self.appraisal.picture() if self.appraisal else self.summary.picture()

    def _show(self, number: int) -> None:
        moment = self.moments[number - 1]
        turn = self.summary.turns[moment.turn]
        stepper = Stepper(turn, *self._rest(number), theme=self.board.theme, animate=self.animate)
        self._look(stepper)
        if turn.events and moment.event:
            stepper.board.run_alone(stepper.steps.tell, moment.event)
        words = f"{moment.kind}: {moment.words}" if moment.words else moment.kind
        self.board.say(f"{words}. It is shown below.")

    def _rest(self, number: int) -> tuple[Turn, ...]:
        """Return the later turns of a turning point; empty if the moment has only one turn."""
        return self.appraisal.scene(self.appraisal.turnings[number - 1])[1:] if self.appraisal else ()

    def _look(self, panel: Panel) -> None:
        """Display this panel instead of the previous one."""
        before, self.panel = self.panel, panel
        self.stage.children = [panel]
        if before:
            before.close()

    def _click(self, x: float, y: float) -> None:
        for number, spots in enumerate(self._places(), 1):
            if any(dist(spot, (x, y)) <= 2 * RADIUS for spot in spots):
                self._show(number)
                return
        turn = self.appraisal.turn_at(x, y) if self.appraisal else None
        if turn is not None:
            self._look(Stepper(self.summary.turns[turn], theme=self.board.theme, animate=self.animate))
            self.board.say(f"{capital(when(self.summary, turn))}, decision {turn + 1}. It is shown below.")
        else:
            self.board.say_below("Click a point on a curve to show its decision below." if self.appraisal else HINT)

    def _places(self) -> Sequence[Sequence[Point]]:
        """Return, for each moment, the positions of its number in the picture."""
        if self.appraisal is None:
            return places(self.summary)
        return [self.appraisal.places(turning) for turning in self.appraisal.turnings]

    def _key(self, name: str) -> None:
        if name in map(str, range(1, len(self.moments) + 1)):
            self._show(int(name))

    def _end(self) -> None:
        self.costs.work.stop()
        if self.panel:
            self.panel.close()

    def still(self) -> tuple[Picture, str]:
        """Return the picture and the text of the summary, or of the costs once these are computed."""
        return self._picture(), str(self.appraisal or self.summary)


def checked(turns: object) -> list[Turn]:
    """Return the turns as a list; raise CrashlabError if one does not start at the end of the previous one."""
    expect(turns, list | tuple, "a Review needs a Match or a list of turns")
    assert isinstance(turns, list | tuple)
    for turn in turns:
        expect(turn, Turn, "a Review needs a list of turns")
    for number, (early, late) in enumerate(pairwise(turns), 1):
        require(early.after == late.before, f"turn {number + 1} does not begin where turn {number} ended")
    return list(turns)


def turns_of(moment: ExplorerState) -> list[Turn]:
    """Return the turns that led to a moment of an Explorer, since a position was set up."""
    turns: list[Turn] = []
    group: tuple[Turn, ...] = ()
    here: ExplorerState | None = moment
    while here and here.turns:  # empty after a position was set up
        if here.turns is not group:
            turns[:0] = group = here.turns
        here = here.before
    return turns


class Ending(widgets.VBox):  # type: ignore[misc]
    """The place of a game's review; empty until the game is over."""

    def __init__(self, theme: str | None, animate: bool, explore: Explore) -> None:
        self.theme, self.animate, self.explore = theme, animate, explore
        self.turns: list[Turn] = []
        self.review: GameOverview | None = None
        super().__init__([])

    def tell(self, turns: Sequence[Turn]) -> None:
        """Show a review of these turns, or remove it if there are none."""
        if list(turns) == self.turns:
            return
        self.turns = list(turns)
        if self.review:
            self.review.close()
        self.review = GameOverview(self.turns, self.explore, theme=self.theme, animate=self.animate) if turns else None
        self.children = [self.review] if self.review else []
