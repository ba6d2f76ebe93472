"""A function watched while it runs: its variables on the board of a game, its source, and the reasons.

    Watch(steps_from, graph, (0, 0, "N"), board=city, show={"steps": on_board(number=True)})

The function is run once, unchanged, and recorded (`crashlab.record`); then the user steps through the film beat by
beat, as through a turn.
"""

from typing import Any

import ipywidgets as widgets

from crashlab.base.errors import CrashlabError, require, truth
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.film_json import Document
from crashlab.drawing.player import KEPT
from crashlab.drawing.shapes import Picture
from crashlab.engine.game import State
from crashlab.lab.board import FAR, Board, with_classes
from crashlab.lab.phones import are_voting
from crashlab.lab.playback import PagePart, alone
from crashlab.lab.predict_film import FilmQuiz
from crashlab.lab.predict_questions import QuestionsSoFar, Resumable
from crashlab.lab.stepper import Beside, Steps, StoryPanel, beside
from crashlab.watch import Film, record
from crashlab.watch.views import FilmStory, StoryPair
from crashlab.watch.views.questions import questions

KEYS = (
    "left and right step, o steps over a call, 1 to 9 run to the next change of a variable, c and C go to the next"
    " and to the previous ✸, Home and End jump, p shows the position of a call, space plays and pauses, + and − set the"
    " speed; Tab leaves"
)
LINE = 380  # minimum width in pixels for a line of the source


class Watch(Resumable, StoryPanel):
    """A call of a function, or its recorded film, to step through.

    `board` is a State whose picture shows places. `show` chooses the views, as in `{"steps": on_board(number=True)}`:
    `on_board`, `on_graph`, `tree`, `cells`, `table`, `heap`, `forest`, `trie`, `objects`, `bars` and `curve`. By
    default, places are shown on the board, dicts and lists as tables, and recursion as a tree; without a board, every
    variable is drawn as on a blackboard: lists with their indices, graphs, trees, objects with arrows, and the running
    calls. `watch`, `also`, `every`, `returns`, `tests`, `max_events`, `kwargs` and all other arguments are passed to
    `crashlab.record`.

    With `predict` the film stops before each predictable event, asks a question, and continues after the answer; with
    `poll` a class votes, with hands or phones: `counts` has the votes, and `save("monday.csv")` writes them into a
    file.

    A click on a variable runs to its next change, and a click on a line to its next effect. A click on a number on the
    board shows the reason for its value. `KEYS` lists the keys on the board.

        >>> def halves(number):
        ...     while number:
        ...         number //= 2
        ...     return number
        >>> watch = Watch(halves, 12, watch="number")
        >>> watch.show(2)
        >>> watch.film.at(2)
        {'number': 6}
    """

    def __init__(
        self,
        function: Any,
        *arguments: Any,
        board: State | None = None,
        show: object = None,
        watch: object = None,
        also: object = (),
        every: str | None = None,
        returns: bool | None = None,
        tests: bool = False,
        max_events: int = 20_000,
        kwargs: dict[str, Any] | None = None,
        predict: bool = False,
        poll: bool = False,
        theme: str | None = None,
        scale: float | None = None,
        animate: bool = True,
        **named: Any,
    ) -> None:
        if isinstance(function, Film):
            require(
                not arguments and not named, "a film already has its arguments; give arguments only with a function"
            )
            self.film = function
        else:
            options: dict[str, Any] = {"watch": watch, "also": also, "every": every, "kwargs": kwargs}
            options |= {"returns": returns, "tests": tests}
            self.film = record(function, *arguments, max_events=max_events, **options, **named)
        self.story = FilmStory(self.film, board, show)
        require(
            not truth("poll", poll) or truth("predict", predict),
            "a poll needs questions: give predict=True with poll=True",
        )
        self.story.asks = truth("predict", predict)
        self.now = QuestionsSoFar() if predict else None
        self.board = Board(self.story.picture(0), theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        self.steps = Steps(self.board, stepped=self._show)
        self.quiz = self._quiz(poll or are_voting()) if truth("predict", predict) else None
        self._pointed: int | None = None  # the call whose position is shown
        self.board.on_click(self._click)
        self.board.page.on_point(self._point)
        self.board.on_key(self._key)
        keys = f"{self.quiz.keys}; else {KEYS}" if self.quiz else KEYS
        super().__init__([beside(self.board, self._side(), keys, LINE)])
        self.board.run_alone(self._begin)

    def _quiz(self, poll: bool) -> FilmQuiz:
        """Create the questions, and look for earlier answers to the same questions."""
        film_questions = questions(self.story)
        require(film_questions, f"there is nothing to predict: no question can be asked about {self.film.name}")
        self.about = film_questions, poll
        self.left = self._answers_left(film_questions, poll)
        resume = self._resume("Go on with your answers", self.resume_answers)
        return FilmQuiz(self.story, film_questions, self.steps, poll, resume, self._show)

    def _side(self) -> widgets.Box:
        page = self.board.page
        source, values = (with_classes(PagePart(page, part), FAR) for part in ("source", "values"))
        aside = with_classes(widgets.VBox([source, values], layout={"overflow": "hidden auto"}), "crashlab-aside")
        quiz = [self.quiz.box] if self.quiz else []
        reading = with_classes(widgets.VBox([self.steps, *quiz, aside]), "crashlab-reading")
        return widgets.VBox([reading, with_classes(PagePart(page, "why"), "crashlab-reason", FAR)])

    def _begin(self) -> None:
        self.steps.load(self.story)
        if self.quiz:
            self.quiz.begin()
        else:  # a cell has no arguments: its first beat would be empty
            is_empty = not (self.story.opening or self.story.board)
            self.steps.go(min(int(is_empty), self.story.beats))
        self.follow()

    def show(self, beat: int) -> None:
        """Go to this beat."""
        self.board.run_alone(self.steps.jump, beat)

    @staticmethod
    def beside(
        one: Film,
        other: Film,
        *,
        board: State | None = None,
        show: object = None,
        theme: str | None = None,
        scale: float | None = None,
        animate: bool = True,
    ) -> Beside:
        """Show two films on the same board, beat by beat with one slider, with the counts of both so far."""
        return Beside(StoryPair(FilmStory(one, board, show), FilmStory(other, board, show)), theme, scale, animate)

    # Actions of the user

    def answer(self, choice: object) -> None:
        """Take the index of an answer to the current question, or in a poll the hands for each answer."""
        quiz = require(self.quiz, "this Watch asks no questions: create it with predict=True")
        self.board.run_alone(quiz.answer, choice)

    @alone
    def resume_answers(self) -> None:
        """Resume the answers given before this cell was run again."""
        if self.quiz is None or not self.left:
            raise CrashlabError("there are no earlier answers to resume")
        self.quiz.go_on(self.left.now)

    def _key(self, name: str) -> None:
        if self.quiz and self.quiz.key(name):
            return
        if name in ("p", "P"):
            self._point(None if self._pointed is not None else self.film.call(self.beat))
        else:
            self.steps.key(name)

    def _click(self, x: float, y: float) -> None:
        """Go to the start of a clicked call, or explain a clicked place of the board."""
        if self.quiz and self.quiz.click(x, y):
            return
        call = self.story.call_at(self.beat, x, y)
        if call is not None:
            self.steps.jump(self.film.calls[call].first)
            return
        change = self.story.change_at(self.beat, x, y)
        if change:
            self.board.show(self.board.picture, tuple(self.story.way(change)))
            self.board.page.explain(self.film.events.index(change))
            self.board.say(f"{change.words}, since beat {change.beat} (line {change.line}).")
        elif not (self.quiz and self.quiz.is_open):  # a question has a hint of its own
            has_numbers = any(sign.view.number for sign in self.story.signs.values())
            where = "a call, or " if self.story.tree else "a number, or " if has_numbers else ""
            self.board.say_below(f"Click {where}a variable or a line beside the board.")

    def _point(self, call: int | None) -> None:
        """Show the position of a call."""
        if self.story.tree and call != self._pointed:
            self._pointed = call
            self.board.page.point(self._pointing())

    def _pointing(self) -> Shapes:
        return () if self._pointed is None else self.story.pointed(self._pointed, self.beat)

    # Display

    def _show(self) -> None:
        """Update the position of the pointed call to this beat."""
        if self._pointed is not None:
            self.board.page.point(self._pointing())

    def film_document(self) -> Document | None:
        """Return the film as JSON, with its questions; None if it is too long."""
        if self.story.beats > KEPT:
            return None
        if self.quiz is None:
            return self.story.document()
        documents = [self.quiz.question_document(question) for question in self.quiz.quiz.questions]
        return self.story.document(questions=documents)

    def still(self) -> tuple[Picture, str]:
        """Return the last beat and the film in words, without the answers to open questions."""
        if self.quiz and not self.quiz.is_over:
            return self.story.captioned(self.beat), self.quiz.words()
        return self.story.captioned(self.story.beats), str(self.film)
