"""Questions about a turn, all asked before it is shown; the turn itself gives the answers."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import ipywidgets as widgets

from crashlab.base.errors import expect, require, truth, whole
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.charts import dashed
from crashlab.drawing.film_json import Document
from crashlab.drawing.html import Html, element
from crashlab.drawing.shapes import Circle, Picture, Piece, Polygon, Shape, Text, faint, spots
from crashlab.engine.game import Event, Turn, titled
from crashlab.engine.notation import capital, counted
from crashlab.engine.prompts import Choice, Question
from crashlab.engine.turn_film import TurnStory, story_of
from crashlab.lab import show_of_hands
from crashlab.lab.board import FAR, PAIRS, Board, Panel, button, html, with_classes
from crashlab.lab.page_module import show
from crashlab.lab.phones import are_voting
from crashlab.lab.playback import alone
from crashlab.lab.predict_questions import Answer, QuestionsSoFar, Quiz, Resumable, asked, favoured, gold, outline
from crashlab.lab.stepper import FILM_KEYS, Steps, beside

KEYS = "arrows choose, Enter answers; then left and right step, space plays and pauses; Tab leaves"
POLL_KEYS = f"{show_of_hands.KEYS}; then left and right step, space plays and pauses; Tab leaves"
DASHES = 8.0, 6.0  # lengths of the dashes around an answer


class Predict(Resumable, Panel):
    """The position before a turn, one question after another, and then the turn with the reason for each answer.

    It asks at most `max_questions` questions. The answers given stay on the board, dashed, while the turn is shown.

    With `poll` a class votes, with hands or phones, on one question at a time, and may vote again. Then the turn is
    shown up to the beat that decides the question, and the next question is asked. `counts` has the votes, and
    `save("monday.csv")` writes them into a file. `KEYS` and `POLL_KEYS` list the keys on the board.

        >>> state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
        >>> predict = Predict(state.play({"A": "17 FF", "B": None}), max_questions=1)
        >>> predict.question.text
        'Where does car 1 end?'
    """

    now: QuestionsSoFar

    def __init__(
        self,
        turn: Turn,
        *,
        max_questions: int | None = None,
        poll: bool = False,
        theme: str | None = None,
        scale: float | None = None,
        animate: bool = True,
    ) -> None:
        expect(turn, Turn, "Predict asks about a Turn, as returned by state.play(...)")
        self.turn, self.poll = turn, truth("poll", poll) or are_voting()
        few = None if max_questions is None else whole("max_questions", max_questions)
        self.questions: tuple[Question, ...] = turn.before.game.ui.questions(turn)[:few]
        require(self.questions, "there is nothing to predict: no question can be asked about this turn")
        actions = {seat: action.code for seat, action in turn.actions.items()}
        self.plans: tuple[Choice, ...] = turn.before.game.ui.plans(turn.before.table, actions)
        self.about = turn.before, actions, self.poll, few
        self.now, self.left = QuestionsSoFar(), self._answers_left(self.questions, self.poll)
        self.reached = 0  # the last beat shown so far
        self.board = Board(turn.before, theme=theme, scale=scale, animate=animate, follows=True)
        self.board.owner = self
        on = self.board.guard
        self.steps = Steps(self.board, self._layers, self._arrived, stepped=self._judge)
        self.heading, self.verdict = html("crashlab-question", FAR), html("crashlab-verdict", FAR, layout={})
        self.back = button("Back", on(self.go_back), "Forget the last answer", "undo", once=True)
        self.again = button("Again", on(self.begin), "Forget the answers and begin again", "undo", once=True)
        self.next = button("Next question", on(self.ask_next), "Ask the next question", "arrow-right", once=True)
        self.resume = self._resume("Go on with your answers", self.resume_answers)
        self.board.on_click(self._click)
        self.board.on_key(self._key)
        for part in (self.back, self.again, self.next):
            with_classes(part, FAR)
        self.buttons, self.side = with_classes(widgets.GridBox(layout=PAIRS), "crashlab-row"), widgets.VBox()
        self.foot = with_classes(widgets.VBox([self.buttons, self.steps]), "crashlab-foot")
        self._furnish()
        keys = POLL_KEYS if self.poll else f"{KEYS}. If hands are counted: {POLL_KEYS}"
        super().__init__([beside(self.board, self.side, keys), self.steps.events])
        self.board.run_alone(self.begin)

    def _furnish(self) -> None:
        """Create the controls of the questions, for one person or for a class."""
        if self.poll:  # the film is shown in between, so the questions are in the order of their decisions
            self.questions = tuple(sorted(self.questions, key=self._beat))
        self.quiz = Quiz(self.board, self.questions, self.poll, self.answer, self._point, self._recount)
        self.picker = self.quiz.picker
        self.buttons.children = [*self.quiz.row, self.next, self.back, self.again]
        self.side.children = [self.heading, *self.quiz.parts, self.verdict, self.resume, self.foot]
        if self.quiz.hands:
            self.quiz.hands.letters = show_of_hands.of_a_game()
            self.side.remove_class("crashlab-short")  # the bars of a poll are as high as the board
        else:
            self.side.add_class("crashlab-short")

    def _recount(self) -> Quiz:
        self.poll, self.left = True, None
        self.about = *self.about[:2], True, self.about[3]
        answers = self.now.answers
        self._furnish()
        self.begin()
        if answers:
            self.board.say(f"The class begins with the first question; your answers are forgotten.\n{self.board.said}")
        return self.quiz

    @cached_property
    def turn_story(self) -> TurnStory:
        """The film of the turn."""
        return story_of([self.turn])

    @property
    def revealed(self) -> bool:
        """Whether all questions are answered."""
        return self.quiz.is_over

    @property
    def asked(self) -> int:
        """The index of the current question, or of the last one when all are answered."""
        return self.quiz.asked

    @property
    def question(self) -> Question:
        """The current question."""
        return self.quiz.question

    @property
    def right(self) -> int:
        """The number of right answers, or of hands for them."""
        return self.quiz.right

    # Actions of the user

    @alone
    def begin(self) -> None:
        """Ask the first question."""
        self.quiz.begin()
        self.reached = 0
        self.steps.load(None)
        self._ask()

    @alone
    def go_back(self) -> None:
        """Ask the previous question again."""
        if self.now.answers and not self.revealed:
            self.now = QuestionsSoFar(self.now.answers[:-1])
            self._ask()

    @alone
    def ask_next(self) -> None:
        """Go to the next question of a poll."""
        if self.now.is_disclosed and not self.revealed:
            self.steps.rest()
            self._ask()

    @alone
    def answer(self, choice: object) -> None:
        """Take the index of an answer, or in a poll the hands for each; after the last answer, show the turn."""
        if not self.revealed:
            self.now = self.quiz.with_answer(choice)
            self._go_on()

    @alone
    def skip(self) -> None:
        """Skip this question of a poll."""
        self.answer(None)

    @alone
    def resume_answers(self) -> None:
        """Resume the answers given before this cell was run again."""
        self.now = require(self.left, "there are no earlier answers to resume").now
        self._go_on(film=False)

    def _go_on(self, film: bool = True) -> None:
        if self.revealed or self.now.is_disclosed:
            self._reveal(film)
        else:
            self._ask()

    # Display

    def _ask(self) -> None:
        if not self.poll:
            self.steps.load(None)
        self.quiz.ask(self._pictured)  # the answers are listed before the question can be read
        self._parts()
        self._point()
        self.board.say(self.quiz.asking)

    def _pictured(self) -> Picture:
        """Return the picture of the question for phones."""
        picture = self._standing()
        marks = Piece("marks", 0, 0, (*self._ways(), *self.quiz.offered()))
        return replace(picture, pieces=(marks, *picture.pieces))

    def _reveal(self, film: bool) -> None:
        begin = self.steps.beat if self.poll and self.steps.story else 0
        film = film and self.board.animate
        if not begin:
            self.reached = 0
        self.steps.load(self.turn_story)  # with the current marks on its beats
        if self.poll:
            self.steps.until(self._limit(self.quiz.disclosed))
            self.quiz.tell_phones("closed")
        elif film:
            self.steps.until(self._decided)  # it stops at the last decision, and Play continues
        self._parts()
        if film and begin < self.steps.last:
            self.steps.start(begin)
        else:
            self.steps.go(self.steps.last)

    def _arrived(self) -> None:
        """Update the controls at the end of the shown part of the film."""
        if not self.poll and self.steps.last < self.turn_story.beats:
            self.steps.until(self.turn_story.beats)
            self.board.say(f"{self.board.said} Press Play to see what happens next.")
        self._parts()

    @property
    def _decided(self) -> int:
        """The beat in which the last question is decided."""
        return max(map(self._beat, self.questions))

    def _limit(self, number: int) -> int:
        """Return the last beat that a poll may show after this question without deciding the next question."""
        if number + 1 >= len(self.questions):
            return self.turn_story.beats
        return max(min(self._beat(self.questions[number]), self._beat(self.questions[number + 1]) - 1), 0)

    def _reason(self, question: Question) -> Event | None:
        """Return the event that decides a question, or None."""
        return self.turn.events[question.reason] if question.reason >= 0 else None

    def _beat(self, question: Question) -> int:
        """Return the beat of the film in which a question is decided."""
        story = self.turn_story
        return next((beat for beat, event in story.events if event.number == question.reason), story.beats)

    def _verdicts(self) -> str:
        """Write the answers and, as far as the turn has been shown, the right answers and the reasons, as HTML."""
        if self.poll:  # one at a time, with room for its bars
            return self.quiz.status([self._verdict(self.quiz.disclosed)], self._has_seen_all)
        numbers = self.quiz.wrong_first if self._has_seen_all else range(len(self.questions))
        return self.quiz.status([self._verdict(number) for number in numbers], self._has_seen_all)

    @property
    def _has_seen_all(self) -> bool:
        return self.revealed and self.reached >= self._decided

    def _verdict(self, number: int) -> Html:
        is_known, because = self._judgement(number)
        return self.quiz.verdict(number, is_known, because)

    def _tells_no_other(self, number: int) -> bool:
        """Return whether the reason for an answer reveals no answer to a later question."""
        reason = self._reason(self.questions[number])
        text = reason.text if reason else ""
        later = [
            (question.reason, re.escape(question.answers[question.right])) for question in self.questions[number + 1 :]
        ]
        mine = self.questions[number].reason
        return not any(its == mine or re.search(rf"(?<!\w){right}(?!\w)", text) for its, right in later)

    def _told_at(self, number: int) -> int:
        """Return the beat in which the right answer is marked."""
        beat = self._beat(self.questions[number])
        return min(beat, self._limit(number)) if self.poll else beat

    def _judgement(self, number: int) -> tuple[bool, str]:
        """Return whether the answer may be shown, and the reason (empty while it would reveal a later answer)."""
        question, beat = self.questions[number], self._beat(self.questions[number])
        is_known = self.reached >= self._told_at(number)
        reason = self._reason(question) if self.reached >= beat or (is_known and self._tells_no_other(number)) else None
        return is_known, f" {capital(reason.text)} [{reason.rule}]." if reason else ""

    def _parts(self) -> None:
        """Show the controls of a question, or the controls of the turn."""
        is_revealed, is_told = self.revealed, self.revealed or self.now.is_disclosed
        items = [element("li", plan.text) for plan in self.plans]
        plans = element("ul", *items, style="margin: 0 0 8px; padding-left: 1.4em")
        self.heading.value = element(
            "div",
            "What is planned:",
            plans,
            "" if is_revealed and not self.poll else self.quiz.heading,
            style="line-height: 1.4",
        )
        self.steps.take([key for key in FILM_KEYS if not self.poll or key != "Enter"] if is_told else ())
        self.verdict.value = self._verdicts() if is_told else ""
        if self.now.answers:
            self.left = None  # the earlier answers have been used or replaced
        placeholders = {  # hidden parts that keep their space
            **dict.fromkeys([] if self.poll else self.quiz.buttons, not is_revealed),
            self.back: bool(self.now.answers) and not is_revealed,
            self.steps: is_told,
            self.again: is_revealed,
        }
        visible = {
            **dict.fromkeys(self.quiz.buttons if self.poll else [], not is_told),
            self.next: self.poll and is_told and not is_revealed,
            self.picker.menu: not is_told,
            self.verdict: is_told,
            self.steps.events: self._has_seen_all,  # they reveal all answers
            self.resume: bool(self.left),
        }
        if self.poll:
            visible |= {self.back: False, self.again: is_revealed}
        for part in {**placeholders, **visible}:
            show(part, visible.get(part, True), placeholders.get(part, True))

    def _standing(self) -> Picture:
        """Return the picture before the turn, or in a poll the last beat shown."""
        return self.steps.scene(self.steps.beat)[0] if self.steps.story else self.turn.before.picture()

    def _ways(self) -> list[Shape]:
        ways = [] if self.question.hides_ways or self.steps.story else [s for plan in self.plans for s in plan.shapes]
        return [faint(shape, 0.8) for shape in ways]

    def _point(self) -> None:
        if self.revealed or self.now.is_disclosed:
            return
        ways, picture = self._ways(), self._standing()
        self.board.look_at(picture, [*self.question.places, *spots(ways), *((p.x, p.y) for p in self.plans)])
        self.board.show(picture, (*ways, *self.quiz.offered()), (), self.quiz.targets())

    def _judge(self) -> None:
        """Update the verdicts to the beat on the board."""
        self.reached = max(self.reached, self.steps.beat)
        verdicts = self._verdicts()
        if verdicts != self.verdict.value:
            self.verdict.value = verdicts
        if self.poll:
            is_known, because = self._judgement(self.quiz.disclosed)
            if is_known:
                self.quiz.tell_phones("shown", because.strip())

    def _layers(self, beat: int) -> tuple[Shapes, Shapes]:
        """Return the paths driven, the answers, and the right places once they are known."""
        ways, _ = self.steps.watch(beat)
        marks: list[Shape] = [*ways]
        top: list[Shape] = []
        for number, (answer, question) in enumerate(self.quiz.answered):
            marks += self._ghosts(question, answer)
            if question.places and answer is not None and beat >= self._told_at(number):
                marks += gold(outline(question, question.right), self.board.small)
            if beat == self.turn_story.beats:
                top += question.shapes
        for number, (answer, question) in enumerate(self.quiz.answered):  # on top of all outlines
            marks += self._numbers(number, question, answer)
        return tuple(marks), tuple(top)

    def _ghosts(self, question: Question, answer: Answer) -> Iterator[Shape]:
        """Return dashes around the places of the answer."""
        small = self.board.small
        for index in favoured(answer) if question.places else ():
            corners = outline(question, index)
            yield Polygon(corners, "", "path edge", 5 * small, 0.6)
            yield from dashed((*corners, corners[0]), "path", 3 * small, [small * length for length in DASHES])

    def _numbers(self, number: int, question: Question, answer: Answer) -> Iterator[Shape]:
        """Draw a question's number at a corner of each answered place."""
        small = self.board.small
        for index in favoured(answer) if question.places else ():
            corners = outline(question, index)
            x, y = corners[number % len(corners)]
            yield from (
                Circle(x, y, 9 * small, "target", "path edge", 1.5 * small),
                Text(x, y, str(number + 1), 13 * small, "target ink", bold=True),
            )

    def _click(self, x: float, y: float) -> None:
        if not self.revealed and not self.now.is_disclosed:
            self.quiz.click(x, y)

    def _key(self, name: str) -> None:
        if self.now.is_disclosed and not self.revealed and name == "Enter":
            self.ask_next()
            return
        if self.revealed or self.now.is_disclosed:
            self.steps.key(name)
            return
        if self.quiz.key(name):
            self._point()

    def film_document(self) -> Document:
        """Return the film of the turn as JSON, with all its questions."""
        events = [event.number for _, event in self.turn_story.events]
        documents: list[Document] = []
        for question in self.questions:
            times = {"at": 0, "beat": self._beat(question)}
            because: Document = {}
            if question.reason in events:
                because = {"because": events.index(question.reason)}
                event = self.turn.events[question.reason]
                because["why"] = f" {event.text} [{event.rule}]"
            places = [outline(question, index) for index in range(len(question.places))]
            corners = {"places": [[round(part, 1) for point in place for part in point] for place in places]}
            documents.append({**asked(question), **times, **because, **(corners if places else {})})
        plans = [plan.text for plan in self.plans]
        return self.turn_story.document(titled(self.turn), plans=plans, questions=documents)

    def still(self) -> tuple[Picture, str]:
        """Return the position before the turn and the first question; later ones could reveal its answer."""
        first, more = self.questions[0], len(self.questions) - 1
        plans = "; ".join(plan.text for plan in self.plans)
        lines = ["What will happen?", f"Planned: {plans}.", f"{first.text} ({' | '.join(first.answers)})"]
        if more:
            lines.append(f"And {counted(more, 'more question')}.")
        return self.turn.before.picture(), "\n".join(lines)
