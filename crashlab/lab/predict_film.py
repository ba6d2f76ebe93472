"""Questions on a film: it stops before each decision, and continues after the answer."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import ipywidgets as widgets

from crashlab.base.errors import require
from crashlab.drawing.film_json import Document
from crashlab.drawing.shapes import Picture, Piece
from crashlab.engine.prompts import Question
from crashlab.lab.board import FAR, button, html, with_classes
from crashlab.lab.page_module import show
from crashlab.lab.predict_questions import QuestionsSoFar, Quiz, asked, favoured
from crashlab.lab.show_of_hands import KEYS as POLL_KEYS
from crashlab.lab.show_of_hands import of_a_game
from crashlab.lab.stepper import FILM_KEYS, Steps
from crashlab.watch.views import FilmStory

KEYS = "arrows choose and Enter answers"


class FilmQuiz:
    """The questions about a film, and `box`, which contains their controls.

    Until a question is answered, the film stops one beat before its decision, and no later beat is shown.
    `changed()` is called when a question has appeared or been answered.
    """

    def __init__(
        self,
        story: FilmStory,
        questions: Sequence[Question],
        steps: Steps,
        is_poll: bool,
        resume: widgets.Button,
        changed: Callable[[], object],
    ) -> None:
        self.story, self.steps, self.changed = story, steps, changed
        self.board = board = steps.board
        self.questions = questions
        self.is_open = False  # whether a question is open
        on = board.guard
        self.heading, self.verdict = html("crashlab-asks", FAR), html("crashlab-asks", FAR)
        self.again = button("Again", on(self.begin), "Forget the answers and begin again", "undo", once=True)
        self.next = button("Next question", on(self.play_on), "Play to the next question", "arrow-right", once=True)
        with_classes(self.next, FAR)
        self.resume = resume
        self.buttons = with_classes(widgets.HBox(layout={"flex_flow": "row wrap"}), "crashlab-row")
        self.box = widgets.VBox()
        self._furnish(is_poll)
        steps.arrived = self._arrive

    def _furnish(self, is_poll: bool) -> None:
        """Create the controls of the questions, for one person or for a class."""
        self.quiz = Quiz(self.board, self.questions, is_poll, self.answer, self.point, self._recount)
        if self.quiz.hands and self.story.board:
            self.quiz.hands.letters = of_a_game()
        self.buttons.children = [*self.quiz.row, self.next, self.again]
        self.box.children = [self.verdict, self.resume, self.heading, *self.quiz.parts, self.buttons]

    def _recount(self) -> Quiz:
        """Let a class answer the questions; return the new quiz."""
        self._furnish(is_poll=True)
        self.board.owner.about, self.board.owner.left = (self.questions, True), None
        was_open, self.is_open = self.is_open, False
        (self._arrive if was_open else self._parts)()
        return self.quiz

    @property
    def is_over(self) -> bool:
        """Whether all questions are answered, so that nothing is hidden."""
        return self.quiz.is_over

    @property
    def keys(self) -> str:
        """The description of the keys on the board."""
        return f"at a question {POLL_KEYS if self.quiz.is_poll else f'{KEYS}; if hands are counted, {POLL_KEYS}'}"

    def beat(self, question: Question) -> int:
        """Return the beat that answers a question."""
        return self.story.film.events[question.reason].beat

    def question_document(self, question: Question) -> Document:
        """Return a question as JSON, asked just before the beat that answers it."""
        event = self.story.film.events[question.reason]
        beat = {"at": event.beat - 1, "beat": event.beat, "because": question.reason}
        return {**asked(question), **beat, "why": f" {event.sentence} [line {event.line}]"}

    # Actions of the user

    def begin(self) -> None:
        """Return to the start, and ask the questions again."""
        self.quiz.begin()
        self._await()
        self.steps.go(0)

    def answer(self, value: object) -> None:
        """Take an answer, and show the beat that answers the question."""
        require(self.is_open, "no question is shown now: play the film to the next one")
        self.board.owner.now = self.quiz.with_answer(value)
        self._go_on()

    def play_on(self) -> None:
        """Play on after the last answer."""
        self.steps.start(self.steps.beat)

    def go_on(self, now: QuestionsSoFar) -> None:
        """Resume earlier answers."""
        self.board.owner.now = now
        self._go_on()

    def _go_on(self) -> None:
        """Show the beat that answers the last question."""
        number = len(self.quiz.answers) - 1
        question = self.quiz.questions[number]
        self._await()
        if self.quiz.answers[number] is None:  # a poll has skipped the question
            self.quiz.tell_phones("closed")
            self.play_on()
            return
        self.steps.tell(question.reason)
        self.quiz.tell_phones("shown", self.because(number).strip())
        self.board.say(f"{self.quiz.result(number, is_known=True)} {self.story.film.events[question.reason].words}.")

    def because(self, number: int) -> str:
        """Return the reason after a wrong answer or in a poll; empty if the event has no further explanation."""
        question = self.quiz.questions[number]
        event = self.story.film.events[question.reason]
        is_right = question.right in favoured(self.quiz.answers[number]) and not self.quiz.is_poll
        return "" if is_right or event.sentence == event.words else f" {event.sentence} (line {event.line})."

    def _await(self) -> None:
        """Let the film run up to the next question, or to the end."""
        self.is_open = False
        self.steps.until(self.story.beats if self.is_over else self.beat(self.quiz.question) - 1)
        self._parts()

    def _arrive(self) -> None:
        """Ask the next question once the film has reached its limit."""
        if not self.is_over and not self.is_open:
            self.is_open = True
            self.quiz.ask(self._pictured)
            self._parts()
            self.point()
            self.board.say(self.quiz.asking)

    def _pictured(self) -> Picture:
        """Return the picture of the question for phones."""
        picture = self.story.picture(self.steps.beat)
        return replace(picture, pieces=(Piece("marks", 0, 0, tuple(self.quiz.offered())), *picture.pieces))

    def key(self, name: str) -> bool:
        """Handle a key at an open question; return whether a question was open."""
        was_open = self.is_open
        if was_open and self.quiz.key(name):
            self.point()
        return was_open

    def click(self, x: float, y: float) -> bool:
        """Return whether a click was an answer."""
        return self.is_open and self.quiz.click(x, y)

    # Display

    def point(self) -> None:
        """Show the places of the answers on the board."""
        if self.is_open:
            self.board.show(self.story.picture(self.steps.beat), self.quiz.offered(), (), self.quiz.targets())

    def _parts(self) -> None:
        """Show the open question, and the verdict on the last answer."""
        number = len(self.quiz.answers) - 1
        self.steps.take(() if self.is_open else FILM_KEYS)
        self.heading.value = self.quiz.heading if self.is_open else self._ahead
        self.verdict.value = ""
        if number >= 0 and not (self.quiz.is_poll and self.is_open):
            self.verdict.value = self.quiz.status([self.quiz.verdict(number, True, self.because(number))], tally=True)
            self.board.owner.left = None  # the earlier answers have been used or replaced
        visible = {
            self.quiz.picker.menu: self.is_open,
            **dict.fromkeys(self.quiz.buttons, self.is_open),
            self.next: self.quiz.is_poll and number >= 0 and not self.is_open and not self.is_over,
            self.again: self.is_over,
            self.resume: bool(self.board.owner.left),
        }
        for part, is_visible in visible.items():
            show(part, is_visible)
        self.changed()

    @property
    def _ahead(self) -> str:
        """A hint while no question is open; empty at the end."""
        number, count = self.quiz.asked + 1, len(self.quiz.questions)
        return "" if self.is_over else f"Keep playing: question {number} of {count} is coming up."

    def words(self) -> str:
        """Return the next question with its answers, and the number of later questions."""
        question = self.quiz.question
        more = len(self.quiz.questions) - self.quiz.asked - 1
        rest = [f"And {more} more question{'s' if more > 1 else ''}."] if more else []
        return "\n".join([f"{question.text} ({' | '.join(question.answers)})", *rest])
