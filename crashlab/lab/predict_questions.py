"""Questions that are asked one after another, and what was answered: by one person, or by the hands of a class."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

import ipywidgets as widgets

from crashlab.base import files
from crashlab.base.errors import CrashlabError, integer, listed, shown
from crashlab.drawing import primitives, svg
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.film_json import Document
from crashlab.drawing.shapes import Circle, Picture, Point, Polygon, Shape, Text, slab
from crashlab.drawing.styles import OPEN, RIGHT, WRONG
from crashlab.engine.prompts import Question
from crashlab.lab import show_of_hands
from crashlab.lab.board import FAR, Board, known_as
from crashlab.lab.phones import when
from crashlab.lab.playback import Target, Targets
from crashlab.lab.show_of_hands import ShowOfHands
from crashlab.lab.single_choice import SingleChoice

RING = 17.0  # the radius of what is round a place that has no outline

Given = int | tuple[int, ...] | None  # the number of the answer, or the hands for each; a poll may skip a question


@dataclass(frozen=True)
class QuestionsSoFar:
    """How far the questions have come."""

    answers: tuple[Given, ...] = ()
    before: tuple[tuple[int, ...], ...] = ()  # of a poll, for each answer the hands of a first vote, if there was one
    is_told: bool = False  # in a poll, the last answer is on the page, and the next question waits


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
        self._open: int | None = None  # the number of the question that was asked last
        self._aside: list[tuple[float, int, tuple[int, ...]]] = []  # when, on which question and what was voted before
        self.picker: SingleChoice | ShowOfHands
        self.hands: ShowOfHands | None = None
        if is_poll:
            most = max(len(question.answers) for question in questions)
            self.picker = self.hands = ShowOfHands(board, most, answer, point)
            phones = self.hands.phones
            self.parts: list[widgets.Widget] = [phones.card, self.hands.menu, phones]
            self.buttons = [self.hands.button, self.hands.again, self.hands.skip, phones.button]
        else:
            radio = widgets.RadioButtons(options=(), layout={"width": "auto"})
            self.picker = SingleChoice(board, radio, "That is my answer", answer, point)
            self.parts, self.buttons = [self.picker.menu], [self.picker.button]
        known_as(self.picker.menu, "crashlab-answers", FAR)
        self.row = [*self.buttons, self.hands.phones.fresh] if self.hands else self.buttons  # beside each other
        for part in self.buttons:
            known_as(part, FAR)

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

    def begin(self) -> None:
        """Forget the answers; phones will have to vote anew. What was counted is kept for the file."""
        if self.hands and self.answers:
            self._aside += [(time.time(), number, given) for number, _, given in self._counted() if any(given)]
            self.hands.phones.forget()
        self.board.owner.now, self._open = QuestionsSoFar(), None

    def with_answer(self, given: object) -> QuestionsSoFar:
        """How far it has come with one answer more, or the reason why it is none."""
        taken, now = self._taken(given), self.board.owner.now
        if not self.is_poll:
            return QuestionsSoFar((*now.answers, taken))
        first = tuple(self.hands.before) if self.hands and taken else ()
        return QuestionsSoFar((*now.answers, taken), (*now.before, first), is_told=taken is not None)

    @property
    def disclosed(self) -> int:
        """The number of the question whose answer a poll has on the page."""
        return len(self.answers) - 1

    def _taken(self, given: object) -> Given:
        count = len(self.question.answers)
        if not self.is_poll:
            index = integer(given)
            if index is None or not 0 <= index < count:
                raise CrashlabError(f"{shown(given)} is not an answer: give a number from 0 to {count - 1}")
            return index
        if given is None:
            return None
        counts = tuple(integer(number) for number in listed(given) or ())
        if len(counts) != count or not all(n is not None and n >= 0 for n in counts):
            raise CrashlabError(
                f"{shown(given)} is not a count of hands: give {count} whole numbers of at least 0, one for each answer"
            )
        return tuple(number or 0 for number in counts)

    # What is shown

    def ask(self, pictured: Callable[[], Picture] | None = None) -> None:
        """Offer the answers of the question; phones have a picture with it from the beginning, if there is one."""
        self.picker.offer(self.question.answers, self.question.places)
        self.board.owner.now, self._open = replace(self.board.owner.now, is_told=False), self.asked
        if self.hands:
            self.tell_phones("open", picture=pictured() if pictured else None)

    def tell_phones(self, stage: str, reason: str = "", picture: Picture | None = None) -> None:
        """Phones show the question that is asked; "closed" and "shown" is that which was answered last."""
        if self.hands:
            number = self.asked if stage == "open" else self.disclosed
            question = self.questions[number]
            right = question.right if stage == "shown" and question.right >= 0 else None
            drawn = svg.paint(picture, self.board.theme) if picture else ""
            self.hands.phones.ask(number, question.text, question.answers, drawn, stage, right, reason)

    @property
    def asking(self) -> str:
        """The question in words, with what one has to do."""
        where = " Answer on the board or in the list." if self.question.places and not self.is_poll else ""
        return f"{self.question.text}{where}"

    @property
    def heading(self) -> str:
        """The question for the page, with its number; in a poll that whose answer is told, until the next is asked."""
        now: QuestionsSoFar = self.board.owner.now
        number = self.disclosed if now.is_told else self.asked
        size = round(17 * self.board.scale)
        return (
            f"Question {number + 1} of {len(self.questions)}<br>"
            f"<b style='font-size: {size}px'>{escape(self.questions[number].text)}</b>"
        )

    def key(self, name: str) -> bool:
        """A key for the picker; whether the answer is still open and the page has to show what is pointed at."""
        before = self.answers
        if not self.picker.key(name) or self.answers is not before:
            return False
        self.board.say(f"{self.picker.words} Enter {'shows it' if self.is_poll else 'takes it'}.")
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
        if self.is_poll:
            found += lettered(self.question, small)
        return tuple(found)

    def targets(self) -> Targets:
        """Return the places that can be answered; a mouse that points at one shows it golden."""
        question, small, what = self.question, self.board.small, "count one more" if self.is_poll else "answer"
        found = []
        for index, place in enumerate(question.places):
            corners = outline(question, index)
            words = f"{self.picker.label(index)}. Click to {what}."
            found.append(Target(place, words, (), tuple(gold(corners, small)), (Polygon(corners),)))
        return Targets(found)

    def click(self, x: float, y: float) -> bool:
        """Return whether a click was an answer; say so if it was none."""
        is_answer = self.picker.click(x, y)
        if not is_answer:
            where = "in one of the outlines" if self.question.places else "an answer in the list"
            self.board.say(f"That is no answer: click {where}.\n{self.question.text}")
        return is_answer

    def result(self, number: int, known: bool) -> str:
        """What was answered to a question, in words; if it is known, also what is right."""
        question, given = self.questions[number], self.answers[number]
        if given is None:
            return "Skipped."
        if self.is_poll and not any(hands(given).values()):
            return f"✓ {question.answers[question.right]}." if known and question.right >= 0 else "Nobody has voted."
        if not known:
            return f"{'The class says' if self.is_poll else 'You say'}: {said(question, given)}."
        if question.right in favoured(given):
            return f"✓ Right: {question.answers[question.right]}."
        return f"✗ No: {question.answers[question.right]}, not {said(question, given)}."

    def verdict(self, number: int, known: bool, because: str = "") -> str:
        """A question, what was answered, and, if that is known, what is right and why, for the page."""
        question, given = self.questions[number], self.answers[number]
        known = known and question.right >= 0
        style = (RIGHT if question.right in favoured(given) else WRONG) if known and hands(given) else OPEN
        return (
            f"<div style='{style}; padding-left: 8px; margin: 0 0 6px'>{escape(f'{number + 1}. {question.text} ')}<br>"
            f"<b>{escape(self.result(number, known))}</b>"
            f"<span class='crashlab-close-by'>{escape(because)}</span>{self._bars(number, known)}</div>"
        )

    def status(self, verdicts: Iterable[str], tally: bool) -> str:
        """Write how many answers are right, and the verdicts, as text that a screen reader announces."""
        done = f"<div style='margin-bottom: 6px'>{self.tally}</div>" if tally else ""
        style = f"line-height: 1.4; font-size: {round(16 * self.board.scale)}px"
        return f"<div role='status' aria-live='polite' style='{style}'>{done}{''.join(verdicts)}</div>"

    @property
    def wrong_first(self) -> list[int]:
        """The numbers of the questions, those with a wrong answer first."""
        return sorted(range(len(self.questions)), key=lambda n: self.questions[n].right in favoured(self.answers[n]))

    @property
    def tally(self) -> str:
        """How many answers, or hands, were right."""
        every = sum(sum(hands(given).values()) for given in self.answers)
        return f"{self.right} of {show_of_hands.hands(every) if self.is_poll else every} right."

    def _bars(self, number: int, known: bool) -> str:
        """The hands of a poll as bars, those of a first vote above them; the right ones are marked once it is known."""
        question, given = self.questions[number], self.answers[number]
        if not isinstance(given, tuple):
            return ""
        now: QuestionsSoFar = self.board.owner.now
        before = now.before[number] if number < len(now.before) else ()
        most = max(*given, *before, 0)
        told = []
        for place, text in enumerate(question.answers):
            is_right = known and place == question.right
            words = f"{'✓ ' if is_right else ''}{show_of_hands.lettered(place, text)}:"
            earlier = before[place] if before else None
            told.append(show_of_hands.bar(words, given[place], most, is_right, earlier))
        return f"<div class='crashlab-hands'>{''.join(told)}</div>"

    # What a poll has counted

    def _name(self, number: int) -> str:
        """The text of a question, with its number where others have the same."""
        text = self.questions[number].text
        return text if [question.text for question in self.questions].count(text) == 1 else f"{number + 1}. {text}"

    def _counted(self) -> Iterator[tuple[int, str, tuple[int, ...]]]:
        """Each question that was counted, or is being counted: its number, its name, its hands."""
        for number in range(len(self.questions)):
            given = self.answers[number] if number < len(self.answers) else None
            if self.hands and number == len(self.answers) == self._open:
                given = self.hands.counts
            if isinstance(given, tuple):
                yield number, self._name(number), given

    def _put_aside(self) -> list[tuple[float, int, tuple[int, ...]]]:
        """What was counted before, here and by phones in earlier sessions, and until when; in its order."""
        if not self.hands:
            return []
        phones = self.hands.phones
        earlier = [(until, number, counts) for number, votes in phones.aside.items() for until, counts in votes]
        of_others = [(until, number, tuple(counts)) for until, number, counts in [*earlier, *phones.kept]]
        return sorted([*of_others, *self._aside])

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """What was counted, and is being counted: for each question its answers with their hands and phones."""
        return {
            text: dict(zip(self.questions[number].answers, given, strict=True))
            for number, text, given in self._counted()
        }

    def save(self, path: str) -> None:
        """Write what was counted into a CSV file: a line for each answer, with the hands of a first vote, if any.

        What was counted before the vote began anew follows, with the time until which it was.
        """
        now: QuestionsSoFar = self.board.owner.now
        file = io.StringIO()
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["question", "option", "count", "first count", "counted until"])
        for number, text, given in self._counted():
            first = now.before[number] if number < len(now.before) else ()
            for place, option in enumerate(self.questions[number].answers):
                table.writerow([cell(text), cell(option), given[place], first[place] if first else "", ""])
        for until, number, given in self._put_aside():
            for option, count in zip(self.questions[number].answers, given, strict=True):
                table.writerow([cell(self._name(number)), cell(option), count, "", when(until)])
        files.write(files.path_to_write(path), file.getvalue().encode())


class Polled:
    """What a panel with a poll, whose questions are its `quiz`, can be asked for."""

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """What a poll has counted: for each question its answers with their hands and phones."""
        return dict(self._polled().counts)

    def save(self, path: str) -> None:
        """Write it into a CSV file: question, option, count; nothing about persons."""
        self._polled().save(path)

    def _polled(self) -> Quiz:
        held = vars(self)["quiz"]
        quiz: Quiz | None = getattr(held, "quiz", held)
        if quiz is None or not quiz.is_poll:
            raise CrashlabError("nothing is counted here: give poll=True")
        return quiz


def cell(words: str) -> str:
    """Words for a table, where no program takes them for a formula."""
    return f"'{words}" if words.startswith(("=", "+", "-", "@")) else words


def lettered(question: Question, small: float) -> list[Shape]:
    """The letters by which places are called out, each at the top of what is round its place."""
    found: list[Shape] = []
    for index in range(len(question.places)):
        x, y = min(outline(question, index), key=lambda point: (point[1], point[0]))
        found += [
            Circle(x, y, 10 * small, "target", "path edge", 1.5 * small),
            Text(x, y, show_of_hands.LETTERS[index], 14 * small, "target ink", bold=True),
        ]
    return found


def hands(given: Given) -> dict[int, int]:
    """How many hands there are for the answers that have any."""
    counts = {given: 1} if isinstance(given, int) else dict(enumerate(given or ()))
    return {index: count for index, count in counts.items() if count}


def favoured(given: Given) -> list[int]:
    """The answers with the most hands."""
    counts = hands(given)
    return [index for index, count in counts.items() if count == max(counts.values())]  # nobody's: none


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
