"""A function, watched while it runs: its variables on the board of a game, its source, and why everything is as it is.

    Watch(steps_from, graph, (0, 0, "N"), board=city, show={"steps": on_board(number=True)})

The function is run once, unchanged, and recorded (`crashlab.record`); then one goes through the film beat by beat, as
through a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import ipywidgets as widgets

from crashlab.base.errors import CrashlabError, cut, truth
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.film_json import Document
from crashlab.drawing.player import KEPT
from crashlab.drawing.shapes import Picture
from crashlab.engine.game import State
from crashlab.lab import notebook_cells
from crashlab.lab.board import FAR, Board, Panel, button, known_as
from crashlab.lab.predict_film import FilmQuiz
from crashlab.lab.predict_questions import QuestionsSoFar
from crashlab.lab.stepper import Beside, Steps, beside
from crashlab.lab.watched_source import STYLE, explained, listing, variables, wrapped
from crashlab.watch import Film, Source, VariableChange, record
from crashlab.watch.views import FilmStory, StoryPair
from crashlab.watch.views.choose_view import is_container
from crashlab.watch.views.questions import questions

KEYS = (
    "left and right step, o steps over a call, 1 to 9 run to the next change of a variable, c and C go to the next"
    " and to the previous ✸, Home and End jump, p shows the position of a call, space plays and pauses, + and − set the"
    " speed; Tab leaves"
)
LINE = 380  # pixels in which a line of the source finds room
HINT = "Step through the function, or click on a variable or on a line to run to where it changes or runs next."


class Watch(Panel):
    """A function with these arguments, or a film of one, to be stepped through.

    `board` is a State on whose picture places are shown, `show` says how: `{"steps": on_board(number=True)}`, with the
    views `on_board`, `on_graph`, `tree`, `cells`, `table`, `heap`, `forest`, `trie`, `objects`, `bars` and `curve`.
    Without it, places are shown on the board, dicts and lists as tables, and recursion as a tree; without a board,
    everything as you would draw it: lists with their indices, graphs, trees, objects with arrows, and the calls that
    run. `watch`, `also`, `every`, `max_events` and `kwargs` are those of `crashlab.record`, which gets all other
    arguments.

    With `predict` the film stops before something that can be predicted, asks, and goes on when it is answered; with
    `poll` the hands of a class are counted.

    A click on a variable runs to its next change, one on a line to where it changes something next, one on a number on
    the board asks why it is what it is. `KEYS` says what the keys on the board do.

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
            if arguments or named:
                raise CrashlabError("a film already has its arguments; give arguments only with a function")
            self.film = function
        else:
            options: dict[str, Any] = {"watch": watch, "also": also, "every": every, "kwargs": kwargs}
            self.film = record(function, *arguments, max_events=max_events, **options, **named)
        self.story = FilmStory(self.film, board, show)
        if truth("poll", poll) and not truth("predict", predict):
            raise CrashlabError("hands are counted for questions: give predict=True with poll=True")
        self.now = QuestionsSoFar() if predict else None
        self.board = Board(self.story.picture(0), theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        self._make_controls()
        self.quiz = self._quiz(poll) if truth("predict", predict) else None
        containers = [name for name, held in self.story.values.items() if any(map(is_container, held))]
        self._large = [name for name in containers if len(self.story.stops_of(name)) > 1]
        self._pointed: int | None = None  # the call whose position is shown
        self._asked: tuple[int, VariableChange] | None = None  # the change that somebody has asked for, in which beat
        self.board.on_click(self._click)
        self.board.on_hover(self._hover, lambda: self._point(None))
        self.board.on_key(self._key, leave=lambda: self.steps.play)
        keys = f"{self.quiz.keys}; else {KEYS}" if self.quiz else KEYS
        super().__init__([beside(self.board, self._side(), keys, LINE)])
        self.board.alone(self._begin)

    def _quiz(self, poll: bool) -> FilmQuiz:
        """The questions; answers that were left here by a film with the same ones can be gone on with."""
        asked = questions(self.story)
        if not asked:
            raise CrashlabError(f"there is nothing to predict: no question can be asked about {self.film.name}")
        self.about = asked, poll
        self.left = notebook_cells.left(Watch, self.about)
        resume = self._resume("Go on with your answers", self.resume_answers)
        return FilmQuiz(self.story, asked, self.steps, poll, resume, self._show)

    def _make_controls(self) -> None:
        on = self.board.guard
        self.over = button("↷", on(self._over), "Step over the call")
        self.steps = Steps(self.board, stepped=self._show, explain=self._explain, more=[self.over])
        self.steps.stop_back.tooltip, self.steps.stop_on.tooltip = "The previous change", "The next change"
        aims: list[tuple[str, str]] = [("nothing yet", "")]
        aims += [(f"changes of {name}", f"name {name}") for name in self.story.names]
        aims += [(f"line {n}: {cut(text.strip(), 40)}", f"line {n}") for n, text in self._numbered()]
        self.aim = widgets.Dropdown(
            options=aims, description="✸ goes to", tooltip="What the buttons with ✸ go to",
            layout={"width": "auto"}, style={"description_width": "initial"},
        )  # fmt: skip
        self.aim.observe(on(lambda change: self._aim(change["new"])), "value")
        self.picked = known_as(widgets.Text(continuous_update=False, layout={"display": "none"}), "crashlab-picked")
        self.picked.observe(on(lambda change: self._pick(change["new"])), "value")
        self.source = known_as(widgets.HTML(layout={"margin": "4px 0", "width": "auto"}), FAR)
        self.values = known_as(widgets.HTML(layout={"margin": "0", "width": "auto"}), FAR)

    def _side(self) -> widgets.Widget:
        aside = widgets.VBox([self.source, self.values], layout={"overflow": "hidden auto"})
        self.steps.reason.layout = {"flex": "0 0 auto", "height": "118px", "overflow": "auto", "margin": "4px 0 0"}
        known_as(aside, "crashlab-aside")
        quiz = [self.quiz.box] if self.quiz else []
        return widgets.VBox([widgets.HTML(STYLE), self.steps, *quiz, self.aim, self.picked, aside, self.steps.reason])

    def _begin(self) -> None:
        self.steps.load(self.story)
        if self.quiz:
            self.quiz.begin()
        else:
            self.steps.go(0)

    @property
    def beat(self) -> int:
        """The beat that is shown."""
        return self.steps.beat

    def show(self, beat: int) -> None:
        """Go to this beat."""
        self.board.alone(self.steps.jump, beat)

    @staticmethod
    def beside(
        one: Film, other: Film, *, board: State | None = None, show: object = None, theme: str | None = None,
        scale: float | None = None, animate: bool = True,
    ) -> Beside:  # fmt: skip
        """Two films on the same board, beat by beat with one slider, with what each has done so far."""
        return Beside(StoryPair(FilmStory(one, board, show), FilmStory(other, board, show)), theme, scale, animate)

    # What the user does

    def answer(self, given: object) -> None:
        """Take the number of an answer to the question that is on the page, in a poll the hands for each."""
        if self.quiz is None:
            raise CrashlabError("nothing is asked here: a Watch with predict=True asks")
        self.board.alone(self.quiz.answer, given)

    def resume_answers(self) -> None:
        """Go on with the answers that were given before this cell was run again."""
        if self.quiz is None or not self.left:
            raise CrashlabError("no answers were given here")
        self.quiz.go_on(self.left.now)

    @property
    def _is_hidden(self) -> bool:
        """Whether what comes later must not be told."""
        return self.quiz is not None and not self.quiz.is_over

    def _pick(self, told: str) -> None:
        """A click on a variable or a line: run there. The page tells it with a number behind it, so each is new."""
        wanted = told.rpartition(" ")[0]
        if self._is_hidden:
            self.board.say("Answer all the questions first; then you can jump there.")
        elif wanted in [value for _, value in self.aim.options]:
            self.aim.value = wanted
            self._aim(wanted)
        elif wanted.startswith("line "):
            self.board.say(f"{wanted.capitalize()} changes nothing that is watched.")

    def _aim(self, wanted: str) -> None:
        """Run to the next change of a variable, or to where a line changes something next."""
        kind, _, which = wanted.partition(" ")
        if kind == "name":
            self.steps.aim(self.story.stops_of(which), f"change of {which}")
        elif kind == "line":
            self.steps.aim(self.story.stops_at(*self._file_of(int(which))), f"change by line {which}")
        else:
            self.steps.aim((), "")
        self.steps.jump_to_stop(1)

    def _over(self) -> None:
        self.steps.jump(self.story.over(self.steps.beat))

    def _key(self, name: str) -> None:
        if self.quiz and self.quiz.key(name):
            return
        names = self.story.names
        if name in ("o", "O"):
            self._over()
        elif name in ("p", "P"):
            self._point(None if self._pointed is not None else self.film.call(self.beat))
        elif name.isdigit() and 0 < int(name) <= len(names):
            self._pick(f"name {names[int(name) - 1]} 0")
        else:
            self.steps.key(name)

    def _click(self, x: float, y: float) -> None:
        """On a node of the tree: to where the call begins. On the board: why is this so?"""
        if self.quiz and self.quiz.click(x, y):
            return
        call = self.story.call_at(self.beat, x, y)
        if call is not None:
            self.steps.jump(self.film.calls[call].first)
            return
        change = self.story.change_at(self.beat, x, y)
        if change:
            self._asked = self.beat, change
            self.steps.explain_again()
            self.board.show(self.board.picture, tuple(self.story.way(change)))
            self.board.say(f"{change.words}, since beat {change.beat} (line {change.line}).")

    def _hover(self, x: float, y: float) -> None:
        self._point(self.story.call_at(self.beat, x, y))

    def done(self) -> notebook_cells.Left | None:
        """The answers, if there are any."""
        given = self.now.answers if self.now else ()
        return notebook_cells.Left(self.now, self.about, f"{len(given)} of {len(self.about[0])}") if given else None

    def _point(self, call: int | None) -> None:
        """Show what a call was given."""
        if self.story.tree and call != self._pointed:
            self._pointed = call
            self.board.surface.point(self._pointing())

    def _pointing(self) -> Shapes:
        return () if self._pointed is None else self.story.pointed(self._pointed, self.beat)

    # What is shown

    def _show(self) -> None:
        """Show the source and the variables as they are in this beat."""
        file, line = self.film.line(self.beat)
        counts = None if self._is_hidden else self.film.counts.lines
        self.aim.layout.display = "none" if self._is_hidden else ""
        self.source.value = listing(self._source(file, line), line, self._rows, counts, bool(self.beat))
        changes = self.story.changes(self.beat)
        self.values.value = variables(self.story.names, self._large, self.story.variables(self.beat), changes)
        if self._pointed is not None:
            self.board.surface.point(self._pointing())

    def _explain(self, event: VariableChange | None) -> str:
        if self._asked and self._asked[0] == self.steps.beat:
            event = self._asked[1]
        return explained(self.film.why(event).events) if event else f"<div class='crashlab-why'>{escape(HINT)}</div>"

    @property
    def _rows(self) -> int:
        """How many rows of source there is room for: as many as the longest function needs."""
        return max((wrapped(source.lines) for source in self.film.sources), default=0)

    def _source(self, file: str, line: int) -> Source | None:
        """The function that a line is in: of those round it the smallest."""
        inside = [
            source
            for source in self.film.sources
            if source.file == file and source.first <= line < source.first + len(source.lines)
        ]
        return min(inside, key=lambda source: len(source.lines), default=None)

    def _numbered(self) -> Sequence[tuple[int, str]]:
        """The lines that changed something, with their numbers."""
        seen = dict.fromkeys(event.line for event in self.film.events)
        texts = {s.first + n: text for s in self.film.sources for n, text in enumerate(s.lines)}
        return [(line, texts.get(line, "")) for line in sorted(seen)]

    def _file_of(self, line: int) -> tuple[str, int]:
        """The line with its file."""
        beat = next(event.beat for event in self.film.events if event.line == line)
        return self.film.line(beat)

    def film_document(self) -> Document | None:
        """The film, with the questions where it asks any."""
        if self.story.beats > KEPT:
            return None
        if self.quiz is None:
            return self.story.document()
        return self.story.document(questions=[self.quiz.told(question) for question in self.quiz.quiz.questions])

    def still(self) -> tuple[Picture, str]:
        """The last beat, and the film in words; of what is still asked nothing."""
        if self.quiz and not self.quiz.is_over:
            return self.story.captioned(self.beat), self.quiz.words()
        return self.story.captioned(self.story.beats), str(self.film)
