"""What will happen? Questions about a turn, asked before it is shown; the turn itself answers."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import ipywidgets as widgets

from crashlab.asking import Choice, Question
from crashlab.errors import CrashlabError
from crashlab.film import motion
from crashlab.lab import cells
from crashlab.lab.board import FAR, PAIRS, Board, Panel, button, expect, known_as, rim
from crashlab.lab.picker import Picker
from crashlab.lab.stepper import Steps, beside
from crashlab.shapes import Circle, Picture, faint, spots
from crashlab.stage.canvas import Shapes
from crashlab.state import Turn
from crashlab.why import Event

KEYS = "arrows choose, Enter answers; then left and right step, space plays and pauses; Tab leaves"
RIGHT, WRONG = "border-left: 5px solid #009E73", "border-left: 5px solid #D55E00"


@dataclass(frozen=True)
class Asked:
    """How far the questions have come."""

    answers: tuple[int, ...] = ()
    revealed: bool = False  # the last of these answers is on the page


class Predict(Panel):
    """The position before a turn, one question after another, and the reason for each answer.

    `KEYS` says what the keys on the board do.
    """

    now: Asked

    def __init__(
        self, turn: Turn, *, theme: str | None = None, scale: float | None = None, animate: bool = True
    ) -> None:
        expect(turn, Turn, "Predict asks about a Turn, as state.play(...) gives it")
        self.turn = turn
        self.questions: tuple[Question, ...] = turn.before.game.ask.questions(turn)
        if not self.questions:
            raise CrashlabError("there is nothing to predict: no question can be asked about this turn")
        actions = {seat: action.code for seat, action in turn.actions.items()}
        self.plans: tuple[Choice, ...] = turn.before.game.ask.plans(turn.before.table, actions)
        self.about = turn.before, actions
        self.now, self.left = Asked(), cells.left(Predict, self.about)  # by whoever was here before
        self.board = Board(turn.before, theme=theme, scale=scale, animate=animate, follows=True)
        self.board.owner = self
        on = self.board.guard
        self.steps = Steps(self.board, self._layers, self._judge)
        self.opening = max(motion(turn) - 1, 0)  # up to here there is nothing to look at
        self.heading, self.verdict = widgets.HTML(), widgets.HTML()
        known_as(self.heading, "crashlab-question", FAR)
        radio = known_as(widgets.RadioButtons(options=(), layout={"width": "auto"}), "crashlab-answers", FAR)
        self.picker = Picker(self.board, radio, "That is my answer", self.answer, self._point)
        self.next = button("Next question", on(self.go_on), icon="arrow-right", button_style="primary", once=True)
        self.again = button("Again", on(self.begin), "Forget the answers and begin again", "undo", once=True)
        self.resume = self._resume("Go on with your answers", self.resume_answers)
        self.board.on_click(self._click)
        self.board.on_key(self._key, leave=lambda: self.steps.play if self.now.revealed else self.picker.button)
        buttons = widgets.GridBox([self.picker.button, self.next, self.again], layout=PAIRS)
        foot = known_as(widgets.VBox([buttons, self.steps]), "crashlab-foot")
        side = widgets.VBox([self.heading, self.picker.menu, self.verdict, self.resume, foot])
        known_as(side, "crashlab-short")
        super().__init__([beside(self.board, side, KEYS), self.steps.story])
        self.board.alone(self.begin)

    @property
    def asked(self) -> int:
        """The number of the question that is on the page."""
        return len(self.now.answers) - self.now.revealed

    @property
    def question(self) -> Question:
        """The question that is on the page."""
        return self.questions[self.asked]

    @property
    def right(self) -> int:
        """How many answers were right."""
        return sum(given == asked.right for given, asked in zip(self.now.answers, self.questions, strict=False))

    # What the user does

    def begin(self) -> None:
        """Ask the first question."""
        self.now = Asked()
        self._ask()

    def go_on(self) -> None:
        """Ask the next question."""
        if self.now.revealed and len(self.now.answers) < len(self.questions):
            self.now = Asked(self.now.answers)
            self._ask()

    def answer(self, index: int) -> None:
        """Take this answer and show what happens."""
        if not self.now.revealed:
            self.now = Asked((*self.now.answers, index), True)
            self._reveal()

    def resume_answers(self) -> None:
        """Go on with the answers that were given before this cell was run again."""
        if not self.left:
            raise CrashlabError("no answers were given here")
        self.now = self.left.now
        if self.now.revealed:
            self._reveal(film=False)
        else:
            self._ask()

    # What is shown

    def _ask(self) -> None:
        question = self.question
        self.steps.load(None)
        self._parts()
        self.picker.offer(question.answers, question.places)
        where = " Answer on the board or in the list." if question.places else ""
        self._point()
        self.board.say(f"{question.text}{where}")

    @property
    def _reason(self) -> Event | None:
        """What decides the question."""
        return self.turn.events[self.question.reason] if self.question.reason >= 0 else None

    def _reveal(self, film: bool = True) -> None:
        reason = self._reason
        last = reason.beat if reason else self.turn.beats
        self.verdict.value = ""
        self.steps.load(self.turn, last)
        self._parts()
        if film and self.board.animate:
            self.steps.start(min(self.opening, last))
        else:
            self.steps.go(last, reason)

    def _judge(self) -> None:
        """Now that it has been shown what happens: was the answer right, and why?"""
        self._parts()
        question = self.question
        index = self.now.answers[-1]
        reason = self._reason
        is_right = index == question.right
        right = question.answers[question.right]
        said = question.answers[index]
        verdict = f"Right: {right}." if is_right else f"No: {right}, not {said}."
        because = f" {reason.text[0].upper()}{reason.text[1:]} [{reason.rule}]." if reason else ""
        self.verdict.value = (
            f"<div role='status' aria-live='polite' style='{RIGHT if is_right else WRONG}; padding-left: 8px;"
            f" line-height: 1.4; font-size: {round(16 * self.board.scale)}px'><b>{'✓' if is_right else '✗'}"
            f" {escape(verdict)}</b>{escape(because)}<br>{self._tally()}</div>"
        )

    def _tally(self) -> str:
        done = len(self.now.answers) == len(self.questions)
        return f"{self.right} of {len(self.now.answers)} right{', and that was all' if done else ' so far'}."

    def _parts(self) -> None:
        """Show what belongs to a question, or to its answer."""
        revealed = self.now.revealed
        seen = self.steps.seen
        more = len(self.now.answers) < len(self.questions)
        size = round(17 * self.board.scale)
        plans = "".join(f"<li>{escape(plan.text)}</li>" for plan in self.plans)
        self.heading.value = (
            "<div style='line-height: 1.4'>What is planned:"
            f"<ul style='margin: 0 0 8px; padding-left: 1.4em'>{plans}</ul>"
            f"Question {self.asked + 1} of {len(self.questions)}<br>"
            f"<b style='font-size: {size}px'>{escape(self.question.text)}</b></div>"
        )
        question = (self.picker.menu,)
        answer = (self.verdict, self.steps.story)  # which would be given away before the film has come to it
        shown = {**dict.fromkeys(question, not revealed), **dict.fromkeys(answer, revealed and seen)}
        kept = {self.steps: revealed, self.picker.button: not revealed, self.again: revealed}
        for part, visible in {**kept, self.next: revealed and more}.items():
            part.layout.visibility = "visible" if visible else "hidden"  # their place is kept
        if self.now.answers:
            self.left = None  # they have been used, or others have been given
        shown |= {self.resume: bool(self.left)}
        for part, visible in shown.items():
            part.layout.display = None if visible else "none"

    def _point(self) -> None:
        if not self.now.revealed:
            ways = [faint(shape, 0.8) for plan in self.plans for shape in plan.shapes]
            picture = self.turn.before.picture()
            self.board.look_at(picture, [*self.question.places, *spots(ways), *((p.x, p.y) for p in self.plans)])
            self.board.show(picture, ways, self._places())

    def _places(self) -> Shapes:
        small = self.board.small
        rims = [Circle(x, y, 17 * small, "", "path edge", 6 * small, 0.8) for x, y in self.question.places]
        rings = [Circle(x, y, 17 * small, "", "path", 3 * small) for x, y in self.question.places]
        return (*rims, *rings, *self.picker.mark())

    def _layers(self, beat: int) -> tuple[Shapes, Shapes]:
        """The ways that were driven, and at the end the right answer: in gold where answers are places."""
        ways, _ = self.steps.watch(beat)
        if beat < self.steps.last:
            return ways, ()
        if not self.question.places:
            return ways, self.question.shapes
        x, y = self.question.places[self.question.right]
        return ways, rim(x, y, 17 * self.board.small, self.board.small)

    def _click(self, x: float, y: float) -> None:
        if not self.now.revealed:
            self.picker.click(x, y)

    def _key(self, name: str) -> None:
        if self.now.revealed:
            self.steps.key(name)
        elif self.picker.key(name) and not self.now.revealed:
            self._point()
            self.board.say(f"{self.picker.words} Enter takes it.")

    def done(self) -> cells.Left | None:
        """The answers, if there are any."""
        given = self.now.answers
        return cells.Left(self.now, self.about, f"{len(given)} of {len(self.questions)}") if given else None

    def still(self) -> tuple[Picture, str]:
        """The position before, and the questions."""
        lines = [f"{number}. {q.text} ({' | '.join(q.answers)})" for number, q in enumerate(self.questions, 1)]
        plans = "; ".join(plan.text for plan in self.plans)
        return self.turn.before.picture(), "\n".join(["What will happen?", f"Planned: {plans}.", *lines])
