"""The costs of the decisions of a game: computed in the background on request, listed, each with a comparison."""

import time
from collections.abc import Callable
from functools import partial

import ipywidgets as widgets

from crashlab.analysis.review.appraisal import Appraisal, JudgedDecision
from crashlab.analysis.review.review import Reviewing
from crashlab.drawing.html import element
from crashlab.engine.game import State
from crashlab.engine.notation import capital
from crashlab.lab import page_module
from crashlab.lab.board import ROW, Board, Panel, button, html
from crashlab.lab.jobs import BackgroundJob
from crashlab.lab.stepper import Beside
from crashlab.play.summary import Summary
from crashlab.watch.views import StoryPair, StorySide

SLICE = 0.3  # seconds of work between two updates
PACE = 1.5  # seconds between two redraws of the results
MOST = 30  # maximum number of decisions in the list
ASK, STOP, GO_ON = "What did it cost?", "Stop", "Go on"
LISTED = "<b>The costliest decisions</b>: choose one to see what would have been better."
WAIT = "starting; the rules may have to be compiled first …"


class DecisionCosts(widgets.VBox):  # type: ignore[misc]
    """The controls of a review below its board.

    `tell` is called with the results and `show` with a panel to display; `explore` creates a panel in which to play on.
    `seats` is a table of the results by seat, to be placed below the displayed panel.
    """

    def __init__(
        self,
        board: Board,
        summary: Summary,
        tell: Callable[[Appraisal], object],
        show: Callable[[Panel], object],
        explore: Callable[[State, int], Panel],
    ) -> None:
        self.board, self.tell, self.show, self.make_explorer = board, tell, show, explore
        # A review takes a moment, so it starts only on request.
        self.begin = partial(Reviewing, summary.turns, summary.winners, summary.forfeits)
        self.reviewing: Reviewing | None = None
        self.appraisal: Appraisal | None = None
        self.listed: tuple[JudgedDecision, ...] = ()
        self._drawn = 0.0  # time of the last redraw
        self.work = BackgroundJob(board, self._report)
        on = board.guard
        self.ask = button(ASK, on(self.stop_or_go_on), "Look at every decision again", "search", once=True)
        self.progress = html()
        self.menu = widgets.Select(
            options=(), rows=7, tooltip="The costliest decisions", layout={"width": "auto", "flex": "1"}
        )
        self.menu.observe(on(lambda _: self.look_at(self.menu.index)), "index")
        self.why = html("crashlab-more", layout={"flex": "1", "min_width": "260px"})
        self.play_on = button(
            "Play on from here", on(self.explore), "Play on from this decision and do better", "play", once=True
        )
        self.seats = html()
        texts = widgets.VBox([self.why, self.play_on], layout={"flex": "1"})
        self.details = widgets.HBox([self.menu, texts])
        page_module.show(self.details, False)
        page_module.show(self.play_on, False)
        super().__init__([widgets.HBox([self.ask, self.progress], layout=ROW), self.details])

    # Actions of the user

    def stop_or_go_on(self) -> None:
        """Start, stop, or resume the review."""
        if self.work.busy:
            self.work.stop()
            self._show()
        elif self.reviewing is None or not self.reviewing.done:
            self.work.start(self._think, self._thought)

    def finish(self) -> None:
        """Finish the review, and wait for it."""
        self.board.run_alone(self.work.stop)
        with self.work.thinking:
            work = self._begun()
            while not work.done:
                work.step()
        self.board.run_alone(self._show)

    def look_at(self, index: int | None) -> None:
        """Show a decision of the list: the game as played, beside the better action."""
        if index is None or self.appraisal is None or index >= len(self.listed):
            return
        decision = self.listed[index]
        appraisal = self.appraisal
        actual, better = appraisal.course(decision), appraisal.better(decision)
        sides = (
            StorySide.of(*actual, title=f"played: {decision.action}"),
            StorySide.of(*better, title=f"better: {decision.best}"),
        )
        words = f"{appraisal.line(decision)}. {capital(appraisal.why(decision))}."
        self.why.value = element("div", words, style="line-height: 1.4")
        page_module.show(self.play_on, True)
        self.show(Beside(StoryPair(*sides), self.board.theme, None, self.board.animate))
        self.board.say(f"{appraisal.line(decision)}. Both are shown below.")

    def explore(self) -> None:
        """Play on from the selected decision, as the seat that took it."""
        if self.menu.index is not None and self.appraisal:
            decision = self.listed[self.menu.index]
            self.show(self.make_explorer(self.appraisal.turns[decision.turn].before, decision.seat))

    # Background work

    def _begun(self) -> Reviewing:
        """Return the review, created on the first call."""
        self.reviewing = self.reviewing or self.begin()
        return self.reviewing

    def _think(self) -> Reviewing:
        """Work on the review for a moment, and return it."""
        work = self._begun()
        until = time.monotonic() + SLICE
        while not work.done and time.monotonic() < until:
            work.step()
        return work

    def _thought(self, work: Reviewing) -> float:
        """Show the progress, and sometimes the results; return the seconds to wait."""
        if work.done:
            self.work.stop()
            self.board.say(
                "Done. Click on the curves to see a turn, or on the list to see what would have been better."
            )
        if work.done or (work.decisions and time.monotonic() - self._drawn > PACE):
            self._show()
        self._report()
        return 0.05

    def _show(self) -> None:
        """Show the current results."""
        if self.reviewing is None:
            return
        self._drawn = time.monotonic()
        self.appraisal = appraisal = self.reviewing.result()
        self.tell(appraisal)
        index = self.menu.index
        previous = self.listed[index] if index is not None else None
        self.listed = appraisal.blunders[:MOST]
        lines = tuple((appraisal.line(decision), place) for place, decision in enumerate(self.listed))
        same = [
            place
            for place, blunder in enumerate(self.listed)
            if previous and ((blunder.turn, blunder.seat) == (previous.turn, previous.seat))
        ]
        with self.menu.hold_trait_notifications():
            self.menu.options = lines
            self.menu.index = same[0] if same else None
        note = element("p", appraisal.note, style="opacity: 0.75; line-height: 1.4")
        self.seats.value = f"{appraisal.seat_table()}{note}"
        page_module.show(self.details, appraisal.decisions)
        self._report()

    def _report(self) -> None:
        """Show the progress, and update the button."""
        work, busy = self.reviewing, self.work.busy
        steps = work.steps if work else 0
        self.ask.description, self.ask.icon = (STOP, "pause") if busy else (GO_ON if steps else ASK, "search")
        page_module.show(self.ask, not (work and work.done))
        if not steps or work is None:
            self.progress.value = WAIT if busy else ""
        elif work.done:
            self.progress.value = LISTED if self.listed else "No decision clearly cost anything."
        else:
            bar = element("progress", style="width: 140px", max=str(work.total), value=str(steps))
            self.progress.value = f"{bar} {steps} of {work.total}"
