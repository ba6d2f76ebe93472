"""Questions asked one after another, and their answers by one person or by a show of hands."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from hashlib import sha256
from typing import Any, cast

import ipywidgets as widgets

from crashlab.base.errors import CrashlabError, integer, listed, number_between, require, require_in, short_repr
from crashlab.drawing import primitives, svg
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.film_json import Document
from crashlab.drawing.html import LINE_BREAK, Html, element, joined
from crashlab.drawing.shapes import Circle, Picture, Point, Polygon, Shape, Text, slab
from crashlab.drawing.styles import OPEN, RIGHT, WRONG
from crashlab.engine.prompts import Question
from crashlab.lab import choice_letters, hit_test, notebook_cells, show_of_hands, vote_file
from crashlab.lab.board import FAR, Board, button, parts, with_classes
from crashlab.lab.phones import BEGIN, ICONS, are_voting, individual
from crashlab.lab.playback import Target, Targets
from crashlab.lab.show_of_hands import ShowOfHands, VoteCounts
from crashlab.lab.single_choice import SingleChoice
from crashlab.lab.vote_file import Tally
from crashlab.vote.broker import BallotQuestion

LATEST = 1e11  # latest valid time of an answer, in seconds since 1970
LETTER = 10.0  # radius of the disc of a letter
RING = 17.0  # radius of the ring around a place without an outline

Answer = int | tuple[int, ...] | None  # the index of an answer, or the hands for each answer; None if a poll skipped it


@dataclass(frozen=True)
class QuestionsSoFar:
    """The answers to the questions so far."""

    answers: tuple[Answer, ...] = ()
    before: tuple[tuple[int, ...], ...] = ()  # hands of a poll's first votes, by question and answer
    is_disclosed: bool = False  # whether a poll is showing the last answer before the next question
    times: tuple[float, ...] = field(default=(), compare=False)  # times of the answers, in seconds since 1970


def checked(question: Question, answer: object, is_poll: bool) -> Answer:
    """Return a valid answer, or in a poll the hands for each answer; raise CrashlabError otherwise."""
    count = len(question.answers)
    if not is_poll:
        words = f"{short_repr(answer)} is not an answer: give a number from 0 to {count - 1}"
        return require_in(range(count), answer, words)
    if answer is None:
        return None
    counts = tuple(integer(number) for number in listed(answer) or ())
    require(
        len(counts) == count and all(n is not None and n >= 0 for n in counts),
        f"{short_repr(answer)} is not a count of hands: give {count} whole numbers of at least 0, one for each answer",
    )
    return tuple(number or 0 for number in counts)


class Quiz:
    """The questions of a panel whose `now` is a `QuestionsSoFar`, and the `picker` of their answers.

    `answer(value)` is called with the index of an answer, or in a poll with the hands for each answer; `point()` when
    the selected answer changes.
    """

    def __init__(
        self,
        board: Board,
        questions: Sequence[Question],
        is_poll: bool,
        answer: Callable[..., object],
        point: Callable[[], object],
        recount: Callable[[], Quiz] | None = None,
    ) -> None:
        self.board, self.questions, self.is_poll, self.recount = board, questions, is_poll, recount
        self._open: int | None = None  # index of the question asked last
        self._aside: list[Tally] = []  # votes that were replaced
        self.picker: SingleChoice | ShowOfHands
        self.hands: ShowOfHands | None = None
        if is_poll:
            most = max(len(question.answers) for question in questions)
            self.picker = self.hands = ShowOfHands(board, most, answer, point)
            self.hands.keep = self._keep
            phones = self.hands.phones
            self.parts: list[widgets.Widget] = [phones.card, phones.menu, self.hands.menu, phones]
            self.buttons = [self.hands.button, self.hands.again, self.hands.skip, phones.button]
            keep = button("", board.guard(self.save_lesson), "Save all votes of this lesson in a file", "save")
            self.row = [*self.buttons, *phones.tools, keep]  # shown next to each other
            vote_file.follow(self)
        else:
            self.picker = SingleChoice(board, answer, point, "Answers")
            by_hand = button(
                "Count hands", board.guard(self.count), "Let a class answer by show of hands", "hand-paper-o"
            )
            by_phone = button(BEGIN, board.guard(self.count_phones), "Let a class answer by phone", ICONS[BEGIN])
            self.parts = [self.picker.menu]
            self.row = self.buttons = [by_phone, by_hand]
            individual.add(self)
            board.page.opened = self.join
        for part in self.buttons:
            with_classes(part, FAR)

    def count(self) -> Quiz:
        """Let a class vote on the questions instead of one person; return the quiz of the poll."""
        individual.discard(self)
        quiz = self.recount() if self.recount else self
        for part in parts(*self.parts, *self.row):
            part.close()
        return quiz

    def count_phones(self) -> None:
        """Let a class vote by phone."""
        if hands := self.count().hands:
            hands.phones.switch()

    def join(self) -> None:
        """Let the class that votes by phone in another panel answer here too, if there is no answer yet."""
        # A page that still creates the controls fails when they are replaced.
        if self in individual and self.board.page.ready and are_voting() and not self.answers:
            self.count()

    # Progress

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers so far."""
        progress: QuestionsSoFar = self.board.owner.now
        return progress.answers

    @property
    def is_over(self) -> bool:
        """Whether all questions are answered."""
        return len(self.answers) == len(self.questions)

    @property
    def asked(self) -> int:
        """The index of the current question, or of the last one when all are answered."""
        return min(len(self.answers), len(self.questions) - 1)

    @property
    def question(self) -> Question:
        """The current question."""
        return self.questions[self.asked]

    @property
    def right(self) -> int:
        """The number of right answers, or of hands for them."""
        return sum(hands(answer).get(question.right, 0) for answer, question in self.answered)

    @property
    def answered(self) -> Iterable[tuple[Answer, Question]]:
        """Each answer with its question."""
        return zip(self.answers, self.questions, strict=False)

    def begin(self) -> None:
        """Restart the questions; phones must vote again, and earlier votes are kept for the file."""
        if self.hands and self.answers:
            self._aside += self._current()
            self.hands.phones.forget()
        self.board.owner.now, self._open = QuestionsSoFar(), None

    def with_answer(self, value: object) -> QuestionsSoFar:
        """Return the progress after one more answer; raise CrashlabError if it is not valid."""
        answer, now = checked(self.question, value, self.is_poll), self.board.owner.now
        first = tuple(self.hands.before) if self.hands and answer else ()
        is_disclosed = self.is_poll and answer is not None
        return QuestionsSoFar((*now.answers, answer), (*now.before, first), is_disclosed, (*now.times, time.time()))

    @property
    def disclosed(self) -> int:
        """The index of the question whose answer a poll shows."""
        return len(self.answers) - 1

    # Display

    def ask(self, draw: Callable[[], Picture] | None = None) -> None:
        """Offer the answers of the current question; phones also get the picture that `draw` returns."""
        self.picker.offer(self.question.answers, self.question.places)
        self.board.owner.now, self._open = replace(self.board.owner.now, is_disclosed=False), self.asked
        if self.hands:
            self.tell_phones("open", picture=draw() if draw else None)

    def tell_phones(self, stage: str, reason: str = "", picture: Picture | None = None) -> None:
        """Send a question to the phones: the current question if stage is "open", else the question answered last."""
        if self.hands:
            number = self.asked if stage == "open" else self.disclosed
            question = self.questions[number]
            ballot = BallotQuestion(
                question.text,
                tuple(question.answers),
                stage,
                picture=svg.paint(picture, self.board.theme) if picture else "",
                right=self.rights(question) if stage == "shown" else (),
                reason=reason,
                letters=" ".join(self.letters[: len(question.answers)]),
                several=bool(self.hands.rights),
            )
            self.hands.phones.ask(number, ballot)

    @property
    def asking(self) -> str:
        """The question, with a hint for answering it."""
        where = " Click it on the board or in the list." if self.question.places and not self.is_poll else ""
        return f"{self.question.text}{where}"

    @property
    def heading(self) -> Html:
        """The question with its number, as HTML; in a poll, the previous question while its answer is shown."""
        now: QuestionsSoFar = self.board.owner.now
        number = self.disclosed if now.is_disclosed else self.asked
        question = self.board.headline(self.questions[number].text)
        return joined([f"Question {number + 1} of {len(self.questions)}", question], LINE_BREAK)

    def key(self, name: str) -> bool:
        """Pass a key to the picker; return whether the key only changed the selection."""
        before = self.answers
        if not self.picker.key(name) or self.answers is not before:
            return False
        self.board.say(f"{self.picker.words} Enter {'shows it' if self.is_poll else 'takes it'}.")
        return True

    def offered(self) -> Shapes:
        """Return an outline for each place that is an answer, golden for the selected answer."""
        small = self.board.small
        shapes: list[Shape] = []
        for index in range(len(self.question.places)):
            round_it = outline(self.question, index)
            shapes += [
                Polygon(round_it, "", "path edge", 5 * small, 0.8),
                Polygon(round_it, "", "path", 2.5 * small),
            ]
        selection = self.picker.index
        if selection is not None and selection < len(self.question.places):
            shapes += gold(outline(self.question, selection), small)
        if self.is_poll:
            shapes += letters_in(self.question, self.letters, self.board.picture, small)
        return tuple(shapes)

    @property
    def letters(self) -> Sequence[str]:
        """The letters of the answers, for a class to call out."""
        return self.hands.letters if self.hands else ()

    def targets(self) -> Targets:
        """Return the hover targets of the places that are answers; the hovered one turns golden."""
        question, small, what = self.question, self.board.small, "count one more" if self.is_poll else "answer"
        targets = []
        for index, place in enumerate(question.places):
            corners = outline(question, index)
            words = f"{self.picker.label(index)}. Click to {what}."
            targets.append(Target(place, words, (), tuple(gold(corners, small)), (Polygon(corners),)))
        return Targets(targets)

    def click(self, x: float, y: float) -> bool:
        """Return whether a click was an answer; show a hint if not."""
        is_answer = self.picker.click(x, y)
        if not is_answer:
            where = "in one of the outlines" if self.question.places else "an answer in the list"
            self.board.say(f"That is not an answer: click {where}.\n{self.question.text}")
        return is_answer

    def rights(self, question: Question) -> tuple[int, ...]:
        """Return the indexes of the right answers: empty if there are none, several if all of them must be chosen."""
        together = tuple(self.hands.rights) if self.hands else ()
        return together or ((question.right,) if question.right >= 0 else ())

    def _together(self, question: Question) -> str:
        """Return the answers that are right together, and the number of phones that chose exactly these."""
        hands = self.hands
        assert hands
        votes = [(hands.exact(votes), len(votes)) for votes in (hands.first, hands.phones.votes) if votes]
        counts = " → ".join(f"{count} of {total} ({show_of_hands.share(count, total)})" for count, total in votes)
        texts = ", ".join(question.answers[place] for place in hands.rights)
        return f"✓ Right: {texts}.{counts and f' Exactly these: {counts}.'}"

    def result(self, number: int, is_known: bool) -> str:
        """Describe the answer to a question and, if it is known, the right one."""
        question, answer = self.questions[number], self.answers[number]
        if answer is None:
            return "Skipped."
        if self.hands and self.hands.rights:
            return self._together(question)
        if self.is_poll and not any(hands(answer).values()):
            return f"✓ {question.answers[question.right]}." if is_known and question.right >= 0 else "Nobody has voted."
        if not is_known:
            return f"{'The class says' if self.is_poll else 'You say'}: {said(question, answer)}."
        if question.right in favoured(answer):
            is_tie = len(favoured(answer)) > 1
            return f"{'= A tie. Right' if is_tie else '✓ Right'}: {question.answers[question.right]}."
        return f"✗ No: {question.answers[question.right]}, not {said(question, answer)}."

    def verdict(self, number: int, is_known: bool, because: str = "") -> Html:
        """Write a question with its answer and, if it is known, the right one and the reason, as HTML."""
        question, answer = self.questions[number], self.answers[number]
        is_known = is_known and question.right >= 0
        is_right = question.right in favoured(answer)
        is_tie = is_right and len(favoured(answer)) > 1
        is_open = not is_known or not hands(answer) or is_tie or len(self.rights(question)) > 1
        style = OPEN if is_open else RIGHT if is_right else WRONG
        return element(
            "div",
            f"{number + 1}. {question.text} ",
            LINE_BREAK,
            element("b", self.result(number, is_known)),
            element("span", because, class_="crashlab-close-by"),
            self._bars(number, is_known),
            style=f"{style}; padding-left: 8px; margin: 0 0 6px",
        )

    def status(self, verdicts: Iterable[Html], tally: bool) -> Html:
        """Write the number of right answers or hands, and the verdicts, as HTML that screen readers announce."""
        every = sum(sum(hands(answer).values()) for answer in self.answers)
        count = show_of_hands.hands(every) if self.is_poll else every
        lines = [element("div", f"{self.right} of {count} right.", style="margin-bottom: 6px")] if tally else []
        style = f"line-height: 1.4; font-size: {round(16 * self.board.scale)}px"
        return element("div", *lines, *verdicts, role="status", aria_live="polite", style=style)

    @property
    def wrong_first(self) -> list[int]:
        """The indices of the questions, those with a wrong answer first."""
        return sorted(range(len(self.questions)), key=lambda n: self.questions[n].right in favoured(self.answers[n]))

    def _bars(self, number: int, is_known: bool) -> str:
        """Draw the hands of a poll as bars, below the bars of a first vote; mark right answers once they are known."""
        question, answer = self.questions[number], self.answers[number]
        if not isinstance(answer, tuple):
            return ""
        now: QuestionsSoFar = self.board.owner.now
        before = now.before[number] if number < len(now.before) else ()
        votes = self.hands.with_totals(answer, before) if self.hands else VoteCounts(answer, before)
        bars = []
        for place, text in enumerate(question.answers):
            is_right = is_known and place in self.rights(question)
            words = f"{'✓ ' if is_right else ''}{show_of_hands.lettered(self.letters[place], text)}:"
            bars.append(show_of_hands.bar(words, place, votes, is_right))
        return element("div", *bars, class_="crashlab-hands")

    # The counts of a poll

    def _name(self, number: int) -> str:
        """Return the text of a question, with its number if another question has the same text."""
        text = self.questions[number].text
        return text if [question.text for question in self.questions].count(text) == 1 else f"{number + 1}. {text}"

    def counted(self) -> Iterator[tuple[int, str, tuple[int, ...]]]:
        """Yield the index, the name and the hands of each question counted, including an open one."""
        for number in range(len(self.questions)):
            answer = self.answers[number] if number < len(self.answers) else None
            if self.hands and number == len(self.answers) == self._open:
                answer = self.hands.counts
            if isinstance(answer, tuple):
                yield number, self._name(number), answer

    @property
    def tallies(self) -> list[Tally]:
        """All votes: those put aside, the current ones, and those by phone from before this kernel started."""
        earlier = self.hands.phones.aside if self.hands else {}
        others = [self._tally(at, number, (None, votes)) for number, rows in earlier.items() for at, votes in rows]
        return [*self._aside, *self._current(), *others]

    def _keep(self, *votes: tuple[Sequence[int], Sequence[Any]]) -> None:
        """Put aside votes on the open question."""
        number = len(self.answers)
        if self.hands and self._open == number:
            self._aside.append(self._tally(self.hands.phones.time, number, *votes))

    def _current(self) -> list[Tally]:
        now: QuestionsSoFar = self.board.owner.now
        hands = self.hands
        if not hands:
            return []
        times, before = [*now.times, hands.phones.time], [*now.before, tuple(hands.before)]
        return [
            self._tally(times[number], number, (before[number], hands.first), (counts, hands.phones.votes))
            for number, _, counts in self.counted()
        ]

    def _tally(self, until: float, number: int, *votes: tuple[Sequence[int] | None, Sequence[Any]]) -> Tally:
        """Return votes as an entry of the file; each has its counts (None: only phones count) and the phones' votes."""
        question, hands = self.questions[number], self.hands
        assert hands
        rows = [tuple(hands.per_option(phones) if counts is None else counts) for counts, phones in votes]
        options = question.answers
        if hands.rights and any(phones for _, phones in votes):
            options += ("exactly the right ones",)
            rows = [(*row, hands.exact(phones)) for row, (_, phones) in zip(rows, votes, strict=True)]
        return Tally(until, self._name(number), options, self.rights(question), tuple(rows))

    def save_lesson(self) -> None:
        """Write all votes of the notebook into a file."""
        self.board.say(f"All votes of this lesson are in {vote_file.votes()}.")


class Polled:
    """The votes of a panel whose questions are its `quiz`."""

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        """The votes so far, by question and answer, hands and phones together."""
        quiz = self._polled()
        rows = quiz.counted()
        return {text: dict(zip(quiz.questions[at].answers, counts, strict=True)) for at, text, counts in rows}

    def save(self, path: str) -> None:
        """Write the votes of this panel into a CSV file, as `lab.votes(path)` does for all panels."""
        vote_file.write(path, self._polled().tallies)

    def _polled(self) -> Quiz:
        quiz = self._asking()
        if quiz is None or not quiz.is_poll:
            raise CrashlabError("this panel has no votes: give poll=True, or press By phone or Count hands")
        return quiz

    def _asking(self) -> Quiz | None:
        holder = vars(self)["quiz"]
        return cast("Quiz | None", getattr(holder, "quiz", holder))

    def _end(self) -> None:
        if quiz := self._asking():
            vote_file.let_go(quiz)


class Resumable(Polled):
    """A panel whose answers can be resumed when its cell is run again, even in another kernel."""

    now: Any
    about: Any

    def _answers_left(self, questions: Sequence[Question], is_poll: bool) -> notebook_cells.SavedWork | None:
        """Return the answers to the same questions from an earlier run of this cell, or None."""
        rows = [(question.text, question.answers, question.right) for question in questions]
        self._asked = questions, is_poll, sha256(repr(rows).encode()).hexdigest()[:16]
        return notebook_cells.left(type(self), self.about, self._read)  # type: ignore[arg-type]

    def done(self) -> notebook_cells.SavedWork | None:
        """Return the answers, or None if there are none."""
        answers = self.now.answers if self.now else ()
        return (
            notebook_cells.SavedWork(self.now, self.about, f"{len(answers)} of {len(self._asked[0])}")
            if answers
            else None
        )

    def kept(self) -> dict[str, Any] | None:
        """Return the answers and a fingerprint of the questions, or None without answers."""
        if not (work := self.done()):
            return None
        questions, _, mark = self._asked
        words = f"{questions[0].text} {work.words} questions are answered."
        return {"words": words, "asked": mark, **asdict(self.now)}

    def _read(self, saved: Any) -> notebook_cells.SavedWork | None:
        """Return the saved answers, or None if they belong to other questions."""
        questions, is_poll, mark = self._asked
        answers = tuple(checked(*pair, is_poll) for pair in zip(questions, saved["answers"], strict=False))
        votes = (checked(*pair, True) if pair[1] else () for pair in zip(questions, saved["before"], strict=False))
        before = tuple(vote for vote in votes if isinstance(vote, tuple))
        if saved["asked"] != mark or not answers:
            return None
        is_disclosed = is_poll and saved["is_disclosed"] is True and answers[-1] is not None
        times = tuple(number_between("time", at, 0, LATEST) for _, at in zip(answers, saved["times"], strict=True))
        now = QuestionsSoFar(answers, before, is_disclosed, times)
        return notebook_cells.SavedWork(now, self.about, f"{len(answers)} of {len(questions)}")


def letters_in(question: Question, letters: Sequence[str], picture: Picture, small: float) -> Iterator[Shape]:
    """Draw the letter of each place within its outline, in the corner where it hides least."""
    there = choice_letters.standing_in(picture)
    for index, place in enumerate(question.places):
        corners = Polygon(outline(question, index))
        radius = min(LETTER * small, hit_test.rim(corners, place))
        spots: list[Point] = []
        for end in corners.points:
            steps = (primitives.between(end, place, step / 20) for step in range(21))
            spots.append(next((at for at in steps if hit_test.rim(corners, at) >= radius - 0.5), place))
        x, y = min(spots, key=partial(hides, there, radius))
        yield from (
            Circle(x, y, radius, "target", "path edge", 1.5 * small),
            Text(x, y, letters[index], 1.4 * radius, "target ink", bold=True),
        )


def hides(there: Sequence[choice_letters.Obstacle], radius: float, at: Point) -> float:
    """Return the cost of the obstacles that a disc at a point hides."""
    x, y = at
    return sum(one.cost * choice_letters.hidden(choice_letters.off(x, y, one), radius) for one in there)


def hands(answer: Answer) -> dict[int, int]:
    """Return the number of hands by index of the answer, without zeros."""
    counts = {answer: 1} if isinstance(answer, int) else dict(enumerate(answer or ()))
    return {index: count for index, count in counts.items() if count}


def favoured(answer: Answer) -> list[int]:
    """Return the indexes of the answers with the most hands."""
    counts = hands(answer)
    return [index for index, count in counts.items() if count == max(counts.values())]  # empty without hands


def said(question: Question, answer: Answer) -> str:
    """Return the texts of the answers with the most hands."""
    return " or ".join(question.answers[index] for index in favoured(answer))


def outline(question: Question, index: int) -> tuple[Point, ...]:
    """Return the outline of an answer's place: its cell, or a ring."""
    if question.outlines:
        return question.outlines[index]
    x, y = question.places[index]
    return slab(x - RING, y - RING, x + RING, y + RING, RING)


def gold(corners: tuple[Point, ...], small: float) -> list[Shape]:
    """Return a golden outline."""
    return [Polygon(corners, "", primitives.GLOW, 5.5 * small), Polygon(corners, "", "flash", 3.5 * small)]


def asked(question: Question) -> Document:
    """Return a question as JSON, without the beats at which it is asked and answered."""
    return {"text": question.text, "answers": list(question.answers), "right": question.right}
