"""Questions that are asked one after another, and what was answered: by one person, or by the hands of a class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape

import ipywidgets as widgets

from crashlab.base.errors import CrashlabError, integer, listed, shown
from crashlab.drawing import primitives
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.film_json import Document
from crashlab.drawing.shapes import Point, Polygon, Shape, slab
from crashlab.drawing.styles import OPEN, RIGHT, WRONG
from crashlab.engine.prompts import Question
from crashlab.lab import show_of_hands
from crashlab.lab.board import FAR, Board, known_as
from crashlab.lab.show_of_hands import ShowOfHands
from crashlab.lab.single_choice import SingleChoice

RING = 17.0  # the radius of what is round a place that has no outline

Given = int | tuple[int, ...]  # the number of the answer, or the hands for each


@dataclass(frozen=True)
class QuestionsSoFar:
    """How far the questions have come."""

    answers: tuple[Given, ...] = ()


class Quiz:
    """The questions of a panel, whose `now` is an `Asked`, and the `picker` that takes the answers.

    `answer(given)` is called with the number of an answer, in a poll with the hands for each; `point()` when one is
    pointed at.
    """

    def __init__(
        self, board: Board, questions: Sequence[Question], is_poll: bool, answer: Callable[..., object],
        point: Callable[[], object],
    ) -> None:  # fmt: skip
        self.board, self.questions, self.is_poll = board, questions, is_poll
        self.picker: SingleChoice | ShowOfHands
        if is_poll:
            most = max(len(question.answers) for question in questions)
            self.picker = ShowOfHands(board, most, "All hands are counted", answer, point)
        else:
            radio = widgets.RadioButtons(options=(), layout={"width": "auto"})
            self.picker = SingleChoice(board, radio, "That is my answer", answer, point)
        known_as(self.picker.menu, "crashlab-answers", FAR)
        known_as(self.picker.button, FAR)

    # How far it has come

    @property
    def answers(self) -> tuple[Given, ...]:
        """What was answered."""
        asked: QuestionsSoFar = self.board.owner.now
        return asked.answers

    @property
    def is_over(self) -> bool:
        """Whether all questions are answered."""
        return len(self.answers) == len(self.questions)

    @property
    def asked(self) -> int:
        """The number of the question that is on the page; of the last one, when all are answered."""
        return min(len(self.answers), len(self.questions) - 1)

    @property
    def question(self) -> Question:
        """The question that is on the page."""
        return self.questions[self.asked]

    @property
    def right(self) -> int:
        """How many answers, or how many hands, were right."""
        return sum(hands(given).get(asked.right, 0) for given, asked in self.answered)

    @property
    def answered(self) -> Iterable[tuple[Given, Question]]:
        """Each answer with its question."""
        return zip(self.answers, self.questions, strict=False)

    def with_answer(self, given: object) -> QuestionsSoFar:
        """How far it has come with one answer more, or the reason why it is none."""
        return QuestionsSoFar((*self.answers, self._taken(given)))

    def _taken(self, given: object) -> Given:
        count = len(self.question.answers)
        if not self.is_poll:
            index = integer(given)
            if index is None or not 0 <= index < count:
                raise CrashlabError(f"{shown(given)} is not an answer: give a number from 0 to {count - 1}")
            return index
        counts = tuple(integer(number) for number in listed(given) or ())
        if len(counts) != count or not all(n is not None and n >= 0 for n in counts) or not any(counts):
            raise CrashlabError(
                f"{shown(given)} is not a count of hands: give {count} whole numbers of at least 0, one for each answer"
            )
        return tuple(number or 0 for number in counts)

    # What is shown

    def ask(self) -> None:
        """Offer the answers of the question."""
        self.picker.offer(self.question.answers, self.question.places)

    @property
    def asking(self) -> str:
        """The question in words, with what one has to do."""
        where = " Answer on the board or in the list." if self.question.places else ""
        return f"{self.question.text}{' How many hands for each?' if self.is_poll else where}"

    @property
    def heading(self) -> str:
        """The question for the page, with its number."""
        size = round(17 * self.board.scale)
        return (
            f"Question {self.asked + 1} of {len(self.questions)}<br>"
            f"<b style='font-size: {size}px'>{escape(self.question.text)}</b>"
        )

    def key(self, name: str) -> bool:
        """A key for the picker; whether the answer is still open and the page has to show what is pointed at."""
        before = self.answers
        if not self.picker.key(name) or self.answers is not before:
            return False
        self.board.say(f"{self.picker.words} Enter {'goes on' if self.is_poll else 'takes it'}.")
        return True

    def offered(self) -> Shapes:
        """An outline round each place that can be answered, a golden one round that which is pointed at."""
        small = self.board.small
        found: list[Shape] = []
        for index in range(len(self.question.places)):
            round_it = outline(self.question, index)
            found += [
                Polygon(round_it, "", "path edge", 5 * small, 0.8),
                Polygon(round_it, "", "path", 2.5 * small),
            ]
        pointed = self.picker.index
        if pointed is not None and pointed < len(self.question.places):
            found += gold(outline(self.question, pointed), small)
        return tuple(found)

    def result(self, number: int, known: bool) -> str:
        """What was answered to a question, in words; if it is known, also what is right."""
        question, given = self.questions[number], self.answers[number]
        if not known:
            return f"{'The class says' if self.is_poll else 'You say'}: {said(question, given)}."
        if question.right in favoured(given):
            return f"✓ Right: {question.answers[question.right]}."
        return f"✗ No: {question.answers[question.right]}, not {said(question, given)}."

    def verdict(self, number: int, known: bool, because: str = "") -> str:
        """A question, what was answered, and, if that is known, what is right and why, for the page."""
        question, given = self.questions[number], self.answers[number]
        style = (RIGHT if question.right in favoured(given) else WRONG) if known else OPEN
        return (
            f"<div style='{style}; padding-left: 8px; margin: 0 0 6px'>{escape(f'{number + 1}. {question.text} ')}<br>"
            f"<b>{escape(self.result(number, known))}</b>"
            f"<span class='crashlab-close-by'>{escape(because)}</span>{self._bars(question, given, known)}</div>"
        )

    def status(self, verdicts: Iterable[str], tally: bool) -> str:
        """Verdicts, and with them how many are right, told to who cannot see them."""
        done = f"<div>{self.tally}</div>" if tally else ""
        style = f"line-height: 1.4; font-size: {round(16 * self.board.scale)}px"
        return f"<div role='status' aria-live='polite' style='{style}'>{''.join(verdicts)}{done}</div>"

    @property
    def tally(self) -> str:
        """How many answers, or hands, were right."""
        every = sum(sum(hands(given).values()) for given in self.answers)
        return f"{self.right} of {show_of_hands.hands(every) if self.is_poll else every} right."

    def _bars(self, question: Question, given: Given, known: bool) -> str:
        """The hands of a poll as bars; the right ones are marked once that is known."""
        if not self.is_poll:
            return ""
        counts = hands(given)
        most = max(counts.values())
        told = []
        for place, text in enumerate(question.answers):
            is_right = known and place == question.right
            count = counts.get(place, 0)
            told.append(show_of_hands.bar(f"{'✓ ' if is_right else ''}{text}: {count}", count, most, is_right))
        return f"<div class='crashlab-hands'>{''.join(told)}</div>"


def hands(given: Given) -> dict[int, int]:
    """How many hands there are for the answers that have any."""
    counts = {given: 1} if isinstance(given, int) else dict(enumerate(given))
    return {index: count for index, count in counts.items() if count}


def favoured(given: Given) -> list[int]:
    """The answers with the most hands."""
    counts = hands(given)
    return [index for index, count in counts.items() if count == max(counts.values())]


def said(question: Question, given: Given) -> str:
    """The answers with the most hands, in words."""
    return " or ".join(question.answers[index] for index in favoured(given))


def outline(question: Question, index: int) -> tuple[Point, ...]:
    """What is drawn round the place of an answer: the outline of its cell, or a ring."""
    if question.outlines:
        return question.outlines[index]
    x, y = question.places[index]
    return slab(x - RING, y - RING, x + RING, y + RING, RING)


def gold(corners: tuple[Point, ...], small: float) -> list[Shape]:
    """A golden outline."""
    return [Polygon(corners, "", primitives.GLOW, 5.5 * small), Polygon(corners, "", "flash", 3.5 * small)]


def asked(question: Question) -> Document:
    """A question for a document, without when it is asked and answered."""
    return {"text": question.text, "answers": list(question.answers), "right": question.right}
