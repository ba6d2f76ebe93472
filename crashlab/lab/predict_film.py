"""Predict on a film: it stops before what is asked, and goes on when that is answered."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import ipywidgets as widgets

from crashlab.base.errors import require
from crashlab.drawing.film_json import Document
from crashlab.drawing.shapes import Picture, Piece
from crashlab.engine.prompts import Question
from crashlab.lab.board import FAR, button, html, known_as
from crashlab.lab.page_module import show
from crashlab.lab.predict_questions import QuestionsSoFar, Quiz, asked, favoured
from crashlab.lab.show_of_hands import KEYS as POLL_KEYS
from crashlab.lab.stepper import FILM_KEYS, Steps
from crashlab.watch.views import FilmStory

KEYS = "arrows choose and Enter answers"


class FilmQuiz:
    """The questions about a film, and `box`, in which they are asked.

    Until a question is answered the film leads no farther than to the beat before the one that answers it, and nothing
    that is shown is of later beats. `changed()` is called when a question has come up or been answered.
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
        self.is_open = False  # whether a question is on the page
        on = board.guard
        self.heading, self.verdict = html("crashlab-asks", FAR), html("crashlab-asks", FAR)
        self.again = button("Again", on(self.begin), "Forget the answers and begin again", "undo", once=True)
        self.next = button("Next question", on(self.play_on), "Play on, to the next question", "arrow-right", once=True)
        known_as(self.next, FAR)
        self.resume = resume
        self.buttons = known_as(widgets.HBox(layout={"flex_flow": "row wrap"}), "crashlab-row")
        self.box = widgets.VBox()
        self._furnish(is_poll)
        steps.arrived = self._arrive

    def _furnish(self, is_poll: bool) -> None:
        """Put the questions above the source, for one person or for a class."""
        self.quiz = Quiz(self.board, self.questions, is_poll, self.answer, self.point, self._recount)
        self.buttons.children = [*self.quiz.row, self.next, self.again]
        self.box.children = [self.verdict, self.resume, self.heading, *self.quiz.parts, self.buttons]

    def _recount(self) -> Quiz:
        """Let a class answer from here on."""
        self._furnish(is_poll=True)
        self.is_open = False
        self._arrive()
        return self.quiz

    @property
    def is_over(self) -> bool:
        """Whether all is answered: then nothing is hidden any more."""
        return self.quiz.is_over

    @property
    def keys(self) -> str:
        """What the keys on the board do at a question."""
        return f"at a question {POLL_KEYS if self.quiz.is_poll else f'{KEYS}; if hands are counted, {POLL_KEYS}'}"

    def beat(self, question: Question) -> int:
        """The beat that answers a question."""
        return self.story.film.events[question.reason].beat

    def question_document(self, question: Question) -> Document:
        """A question for a document: it is asked just before the beat that answers it."""
        event = self.story.film.events[question.reason]
        beat = {"at": event.beat - 1, "beat": event.beat, "because": question.reason}
        return {**asked(question), **beat, "why": f" {event.sentence} [line {event.line}]"}

    # What the user does

    def begin(self) -> None:
        """Go to the beginning; the first question comes up in its time."""
        self.quiz.begin()
        self._await()
        self.steps.go(0)

    def answer(self, given: object) -> None:
        """Take an answer, and go on to the beat that tells whether it is right."""
        require(self.is_open, "no question is on the page: play the film until there is one")
        self.board.owner.now = self.quiz.with_answer(given)
        self._go_on()

    def play_on(self) -> None:
        """Play on from the beat that has told the last answer."""
        self.steps.start(self.steps.beat)

    def go_on(self, now: QuestionsSoFar) -> None:
        """Go on with answers that were given before."""
        self.board.owner.now = now
        self._go_on()

    def _go_on(self) -> None:
        """Show the beat that answers the last question that was answered."""
        number = len(self.quiz.answers) - 1
        question = self.quiz.questions[number]
        self._await()
        if self.quiz.answers[number] is None:  # a poll has skipped it
            self.quiz.tell_phones("closed")
            self.play_on()
            return
        self.steps.tell(question.reason)
        self.quiz.tell_phones("shown", self.because(number).strip())
        self.board.say(f"{self.quiz.result(number, known=True)} {self.story.film.events[question.reason].words}.")

    def because(self, number: int) -> str:
        """Why the right answer is right, if another one was given; empty if that cannot be told."""
        question = self.quiz.questions[number]
        event = self.story.film.events[question.reason]
        is_right = question.right in favoured(self.quiz.answers[number]) and not self.quiz.is_poll
        return "" if is_right or event.sentence == event.words else f" {event.sentence} (line {event.line})."

    def _await(self) -> None:
        """Lead to the next question, or to the end."""
        self.is_open = False
        self.steps.until(self.story.beats if self.is_over else self.beat(self.quiz.question) - 1)
        self._parts()

    def _arrive(self) -> None:
        """The film has come as far as it may: ask."""
        if not self.is_over and not self.is_open:
            self.is_open = True
            self.quiz.ask(self._pictured)
            self._parts()
            self.point()
            self.board.say(self.quiz.asking)

    def _pictured(self) -> Picture:
        """What is on the board, for phones."""
        picture = self.story.picture(self.steps.beat)
        return replace(picture, pieces=(Piece("marks", 0, 0, tuple(self.quiz.offered())), *picture.pieces))

    def key(self, name: str) -> bool:
        """Whether a key was for the question."""
        was_open = self.is_open
        if was_open and self.quiz.key(name):
            self.point()
        return was_open

    def click(self, x: float, y: float) -> bool:
        """Return whether a click was an answer."""
        return self.is_open and self.quiz.click(x, y)

    # What is shown

    def point(self) -> None:
        """Show on the board what can be answered."""
        if self.is_open:
            self.board.show(self.story.picture(self.steps.beat), self.quiz.offered(), (), self.quiz.targets())

    def _parts(self) -> None:
        """Show the question that is open, and what the last answer was worth."""
        number = len(self.quiz.answers) - 1
        self.steps.take(() if self.is_open else FILM_KEYS)
        self.heading.value = self.quiz.heading if self.is_open else self._ahead
        self.verdict.value = ""
        if number >= 0 and not (self.quiz.is_poll and self.is_open):
            self.verdict.value = self.quiz.status([self.quiz.verdict(number, True, self.because(number))], tally=True)
            self.board.owner.left = None  # they have been used, or others have been given
        shown = {
            self.quiz.picker.menu: self.is_open,
            **dict.fromkeys(self.quiz.buttons, self.is_open),
            self.next: self.quiz.is_poll and number >= 0 and not self.is_open and not self.is_over,
            self.again: self.is_over,
            self.resume: bool(self.board.owner.left),
        }
        for part, is_visible in shown.items():
            show(part, is_visible)
        self.changed()

    @property
    def _ahead(self) -> str:
        """What is to be done while no question is open."""
        number, count = self.quiz.asked + 1, len(self.quiz.questions)
        return "" if self.is_over else f"Keep playing: question {number} of {count} is coming up."

    def words(self) -> str:
        """The question that comes next, with its answers; of later ones only how many there are."""
        question = self.quiz.question
        more = len(self.quiz.questions) - self.quiz.asked - 1
        rest = [f"And {more} more question{'s' if more > 1 else ''}."] if more else []
        return "\n".join([f"{question.text} ({' | '.join(question.answers)})", *rest])
