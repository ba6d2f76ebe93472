"""Puzzles at the board: one try, then the consequences of your answer and the best one, and the reason."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from crashlab.analysis.puzzles import solver_rating
from crashlab.analysis.puzzles.collection import Puzzles, Today, puzzles
from crashlab.analysis.puzzles.continuation import Continuations
from crashlab.analysis.puzzles.proof import signed
from crashlab.analysis.puzzles.puzzle import QUIET, Problem
from crashlab.analysis.puzzles.solver_rating import SolverRating
from crashlab.base import files
from crashlab.base.errors import CrashlabError, listed, require, short_repr
from crashlab.drawing import svg
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.html import LINE_BREAK, element, joined
from crashlab.drawing.shapes import Picture, Piece
from crashlab.drawing.styles import LEADING, RIGHT, WRONG
from crashlab.engine.game import Turn
from crashlab.engine.notation import counted
from crashlab.engine.turn_film import story_of
from crashlab.lab import choice_letters, notebook_cells, vote_file
from crashlab.lab.action_chooser import ActionChooser
from crashlab.lab.board import FAR, PAIRS, Board, button, html, piece_at, with_classes
from crashlab.lab.explorer_history import ExplorerState, SeatPlan, fresh
from crashlab.lab.jobs import AwaitedJob
from crashlab.lab.page_module import show
from crashlab.lab.phones import Phones
from crashlab.lab.playback import alone
from crashlab.lab.show_of_hands import share
from crashlab.lab.single_choice import SingleChoice
from crashlab.lab.stepper import Steps, beside
from crashlab.vote.broker import BallotQuestion

KEYS = (
    "arrows choose, Enter takes, Backspace begins again; then left and right step, space plays and pauses, y and b show"
    " your answer and the best (or the next best), n goes on to the next puzzle; Tab leaves"
)


@dataclass(frozen=True)
class Attempt:
    """A puzzle, and the progress of its answer."""

    number: int  # index in the list of puzzles
    moment: ExplorerState  # the position with the current choices
    answer: str = ""
    shows: str = ""  # the answer whose film is shown
    standing: tuple[SolverRating, SolverRating] | None = None  # rating before and after the answer
    continuations: Continuations | None = None  # consequences of the answer and of another one, once computed


class Puzzle(ActionChooser):
    """A puzzle: one try, and then films of the consequences of your answer and the best one, with the reason.

    `which` is the name of a game, a list of puzzles from `crashlab.puzzles`, a single puzzle, or the puzzle of a day
    (`crashlab.today`). Of a game's puzzles, those that you have not tried come first, sorted by the distance of their
    rating from yours. Your rating is stored in `file`, by default one file for all notebooks (see
    `crashlab.analysis.puzzles.solver_rating`). `KEYS` lists the keys on the board.

        >>> panel = Puzzle(crashlab.puzzles("crash_and_grab"))
        >>> panel.problem.is_solved_by(panel.problem.best[0])
        True
    """

    now: Attempt

    def __init__(
        self,
        which: str | Problem | Today | Sequence[Problem],
        *,
        file: str | Path | None = None,
        theme: str | None = None,
        scale: float | None = None,
        animate: bool = True,
    ) -> None:
        self.file = solver_rating.usual() if file is None else files.whole_path(file)
        self.today = which if isinstance(which, Today) else None
        self.problems = self._ordered(which)
        self.now = Attempt(0, asked(self.problems[0]))
        self.left = notebook_cells.left(Puzzle, self._about, self._read)  # left by an earlier run of this cell
        self.board = Board(self.problem.seen, theme=theme, scale=scale, animate=animate)
        self.board.owner = self
        on = self.board.guard
        self.steps = Steps(self.board, self._layers, self.view)
        self.heading, self.verdict = html("crashlab-question", FAR), html("crashlab-verdict", FAR)
        self.awaited = AwaitedJob(self.board)
        self.film = widgets.HTML()
        self.picker = SingleChoice(self.board, self.choose, self._point)
        self.back = button("Begin again", on(self.go_back), "Take back the choices so far", "undo", once=True)
        self.yours = button("Your answer", on(self.show_yours), "Show what your answer leads to (y)", "film", once=True)
        self.best = button("The best", on(self.show_best), "Show what the best answer leads to (b)", "star", once=True)
        self.next = button("Next puzzle", on(self.go_on), "Go on to the next puzzle (n)", "forward", once=True)
        self.resume = self._resume("Go on with the puzzle you left", self.resume_puzzle)
        self.phones = Phones(self.board, self._arrived_votes, self._put_aside)
        self._aside: list[vote_file.Tally] = []  # the votes on completed choices, and those that were replaced
        self.board.on_click(self._click)
        self.board.zoomed = self._resize
        self.board.on_key(self._key)
        parts = (self.back, self.yours, self.best, self.next, self.phones.button, *self.phones.tools)
        buttons = with_classes(
            widgets.GridBox([with_classes(part, FAR) for part in parts], layout=PAIRS), "crashlab-row"
        )
        foot = with_classes(widgets.VBox([buttons, self.steps]), "crashlab-foot")
        answers = [self.phones.card, self.phones.menu, self.picker.menu, self.phones]
        side = widgets.VBox([self.heading, *answers, self.verdict, self.resume, self.awaited, foot])
        super().__init__([beside(self.board, side, KEYS), self.film, self.steps.events])
        self.board.run_alone(self._begin)

    def _ordered(self, which: object) -> tuple[Problem, ...]:
        """Return the given puzzles or, for the name of a game, its puzzles as sorted by `suiting`."""
        puzzles: Sequence[object]
        if isinstance(which, str):
            puzzles = suiting(which, self.file)
        elif isinstance(which, Problem | Today):
            puzzles = [which]
        else:
            puzzles = which if isinstance(which, Puzzles) else listed(which) or ()
        plain = [one.problem if isinstance(one, Today) else one for one in puzzles]
        require(
            plain and all(isinstance(one, Problem) for one in plain),
            f"{short_repr(which)}: give the name of a game, or the result of crashlab.puzzles or crashlab.today",
        )
        return tuple(one for one in plain if isinstance(one, Problem))

    @property
    def problem(self) -> Problem:
        """The current puzzle."""
        return self.problems[self.now.number]

    @property
    def moment(self) -> ExplorerState:
        """The current position and its choices."""
        return self.now.moment

    @property
    def _is_open(self) -> bool:
        return not self.now.answer

    # Actions of the user

    def _plan(self, plan: SeatPlan) -> None:
        require(not self.now.answer, "you have answered; go on to the next puzzle")
        if plan.action is not None:
            self.answer(str(plan.action))
        else:
            self._put_aside()
            self.now = replace(self.now, moment=self.moment.planned(self.problem.seat, plan))
            self._ask()

    @alone
    def answer(self, action: object) -> None:
        """Answer with an action; the first answer to a puzzle counts."""
        require(not self.now.answer, "you have answered; go on to the next puzzle")
        words = self.problem.words(action)
        self._put_aside()
        try:
            stands = solver_rating.note(self.file, self.problem, self.problem.is_solved_by(words))
            complaint = None
        except CrashlabError as error:
            stands, complaint = None, error
        self.now = replace(self.now, answer=words, shows=words, standing=stands)
        self._follow()
        if complaint:
            self.board.complain(complaint)

    # A class that votes on the next choice

    def _ask_phones(self, stage: str = "open", reason: str = "") -> None:
        """Let phones vote on the choices, if there are letters for all of them."""
        texts = tuple(choice.text for choice in self.moment.choices)
        if not self.phones.is_on:
            return
        letters = choice_letters.names(self.moment.choices)
        if len(texts) > len(letters):
            self.phones.pause()
            self.board.say(
                f"{len(texts)} choices are too many for phones: choose one yourself, and phones can vote on the next."
            )
            return
        picture, marks = self.moment.offers.picture, Piece("marks", 0, 0, tuple(self._above(self._targets())))
        question = BallotQuestion(
            self._question(),
            texts,
            stage,
            picture=svg.paint(replace(picture, pieces=(*picture.pieces, marks)), self.board.theme),
            right=self._solutions if stage == "shown" else (),
            reason=reason,
            letters=" ".join(letters[: len(texts)]),
        )
        self.phones.ask(self.now.number, question)

    @property
    def _solutions(self) -> tuple[int, ...]:
        """The indices of the right choices among those that complete an action."""
        choices = enumerate(self.moment.choices)
        return tuple(n for n, choice in choices if choice.action and self.problem.is_solved_by(choice.action))

    def _arrived_votes(self) -> None:
        vote_file.follow(self)
        if self._is_open and self.phones.asked is None:
            self._ask_phones()
        self._count()

    def _count(self) -> None:
        """Show the votes in the list once the vote is closed, and select the choice with the most votes."""
        votes, phones = self.phones.votes, self.phones
        if not self._is_open:
            return
        self._offer()
        if len(votes) == len(self.moment.choices) and any(votes) and not (phones.is_secret and phones.is_open):
            texts = [f"{self.picker.label(n)}: {count} ({share(count, sum(votes))})" for n, count in enumerate(votes)]
            self.picker.menu.options = tuple(texts)
            self.picker.menu.index = votes.index(max(votes))
        self._draw()

    def _counted(self) -> list[vote_file.Tally]:
        if not any(self.phones.votes) or len(self.phones.votes) != len(self.moment.choices):
            return []
        texts = tuple(choice.text for choice in self.moment.choices)
        at, votes = self.phones.time, tuple(self.phones.votes)
        return [vote_file.Tally(at, self._question(), texts, self._solutions, (votes,))]

    def _put_aside(self) -> None:
        """Keep the votes on the open choices for the file."""
        self._aside += self._counted()

    @property
    def tallies(self) -> list[vote_file.Tally]:
        """The votes by phone on each choice."""
        return [*self._aside, *([] if self.now.answer else self._counted())]

    def _follow(self) -> None:
        """Show the verdict, and compute the consequences of the answer in the background."""
        self.left = None
        self._ask_phones("shown", f"The best: {' or '.join(map(str, self.problem.best[:2]))}.")
        self.view()
        self.board.show(self.problem.seen.picture())
        self.board.say(self._words())
        problem, words = self.problem, self.now.answer
        self.awaited.start("What follows", lambda: problem.against(words), self._show_continuations)

    def _show_continuations(self, continuations: Continuations) -> None:
        """Store the consequences, and show the film of the answer."""
        self.now = replace(self.now, continuations=continuations)
        self._show(self.now.answer)

    @alone
    def go_back(self) -> None:
        """Take back the choices of an unfinished answer."""
        if not self.now.answer:
            self._put_aside()
            self.phones.forget()
            self.now = Attempt(self.now.number, asked(self.problem))
            self._ask()

    @alone
    def show_yours(self) -> None:
        """Show the consequences of your answer."""
        self._answered()
        self._show(self.now.answer)

    @alone
    def show_best(self) -> None:
        """Show the consequences of the best answer, or of the next best if yours was the best."""
        self._answered()
        self._show(self.other)

    def _answered(self) -> None:
        require(self.now.answer, "answer this puzzle first")

    @property
    def other(self) -> str:
        """The answer to compare with yours: the best one, or the next best if yours was the best."""
        return self.problem.rival if self.problem.is_solved_by(self.now.answer) else self.problem.best[0]

    @alone
    def go_on(self) -> None:
        """Go to the next puzzle, or from the last to the first."""
        self._answered()
        require(len(self.problems) != 1, "this list has no other puzzle")
        self.awaited.cancel()
        number = (self.now.number + 1) % len(self.problems)
        self.now = Attempt(number, asked(self.problems[number]))
        self._begin()

    @alone
    def resume_puzzle(self) -> None:
        """Resume the puzzle of an earlier run of this cell."""
        saved = require(self.left, "there is no earlier puzzle to resume")
        self.awaited.cancel()
        self.now, self.left = self._attempt(saved.now), None
        self._begin()
        if self.now.answer:
            self._follow()

    def _end(self) -> None:
        vote_file.let_go(self)

    # Display

    def _begin(self) -> None:
        self.steps.load(None)
        self._ask()

    def _ask(self) -> None:
        self._offer()
        self.view()
        self._draw()
        self.board.say(self._words())
        self._ask_phones()

    def _show(self, words: str) -> None:
        """Show the film of an answer, up to the decisive difference once that is computed."""
        self.now = replace(self.now, shows=words)
        self.steps.load(story_of(self._turns(words), {self.problem.seat}))
        self.view()
        if self.board.animate:
            self.steps.start()
        else:
            self.steps.go(self.steps.last)

    def _turns(self, words: str) -> tuple[Turn, ...]:
        """Return the turns that follow your answer, or the answer compared with it."""
        if not self.now.continuations:
            return self.problem.turns(words)
        better, worse = self.now.continuations.better, self.now.continuations.worse
        is_better = (words == self.now.answer) == self.problem.is_solved_by(self.now.answer)
        return (better if is_better else worse).turns

    def _draw(self) -> None:
        if self._is_open:
            self._show_choices()

    def _layers(self, beat: int) -> tuple[Shapes, Shapes]:
        return self.steps.watch(beat)

    def view(self) -> None:
        """Set all controls from the attempt; nothing else sets them."""
        is_answered = bool(self.now.answer)
        is_solved = is_answered and self.problem.is_solved_by(self.now.answer)
        leads_on = is_solved or self.now.shows != self.now.answer
        self.heading.value = self._heading()
        self.verdict.value = self._verdict() if is_answered else ""
        self.film.value = escape(self._film())
        show(self.back, not is_answered, disabled=not self.moment.begun.words)
        show(self.picker.menu, not is_answered)
        show(self.yours, is_answered)
        best = "The next best" if is_solved else "The best"
        show(self.best, is_answered, description=best, button_style=LEADING if is_answered and not leads_on else "")
        show(self.next, is_answered and len(self.problems) > 1, button_style=LEADING if leads_on else "")
        show(self.resume, self.left)
        show(self.steps, True, self.steps.story)
        show(self.steps.events, self.steps.story, self.steps.seen)

    def _question(self) -> str:
        """Return the question, or the prompt for the next word of an unfinished answer."""
        words = self.moment.begun.words
        if not words:
            return self.problem.question
        prompt = self.moment.offers.prompt(self.problem.seat, words)
        return prompt + ("" if prompt[-1] in "?!.…" else ".")

    def _heading(self) -> str:
        """Return the title of the puzzle and, until it is answered, the question, as HTML."""
        problem = self.problem
        title = self.today.title if self.today else f"Puzzle {self.now.number + 1} of {len(self.problems)}"
        lines = [f"{title} · {problem.level}, {problem.rating}"]
        if not self.now.answer:
            lines.append(self.board.headline(self._question()))
            if words := self.moment.begun.words:
                lines.append(f"So far: {' '.join(words)}.")
            if self.today:
                lines.append(self.today.measure)
        return element("div", joined(lines, LINE_BREAK), style="line-height: 1.4")

    def _verdict(self) -> str:
        """Write the verdict, the best answer, the reason and the new rating, as HTML."""
        problem, answer = self.problem, self.now.answer
        is_solved = problem.is_solved_by(answer)
        best = problem.best[:2]
        are = f"{'best is' if len(best) == 1 else 'best are'} {' and '.join(map(str, best))}"
        first = f"✓ {answer} is the best." if is_solved else f"✗ Not the best. You chose {answer}; {are}."
        worth = "" if is_solved else f" Yours: {signed(problem.proof.worths[answer].value)}."
        themes = ", ".join(theme for theme in problem.themes if theme != QUIET)
        leads_to = f"What the best answer leads to: {themes}." if themes else ""
        why = self.now.continuations.why if self.now.continuations else ""
        lines = [self._score(), why, f"{problem.claim}{worth}", leads_to, self._rating()]
        reasons = element("span", joined(filter(None, lines), LINE_BREAK), class_="crashlab-reasons")
        style = f"{RIGHT if is_solved else WRONG}; padding-left: 8px; line-height: 1.4"
        return element("div", element("b", first), LINE_BREAK, reasons, role="status", aria_live="polite", style=style)

    def _score(self) -> str:
        """Describe the score of today's puzzle; empty for other puzzles."""
        if not self.today:
            return ""
        score = self.today.score(self.now.answer)
        return f"You score {score} of 100. {self.today.measure}"

    def _film(self) -> str:
        """Name the answer whose film is shown."""
        if not self.steps.story:
            return ""
        subject = "your answer" if self.now.shows == self.now.answer else self.best.description.lower()
        return f"The film shows {subject}: {self.problem.offered(self.now.shows)}."

    def _rating(self) -> str:
        if not self.now.standing:
            return ""
        before, after = self.now.standing
        if after is before:
            return f"You have tried this one before; your rating stays at {before.rating:.0f}."
        return f"Your rating: {after.rating:.0f} (was {before.rating:.0f})."

    def _words(self) -> str:
        if self.now.answer:
            key = "Press 'Next puzzle' to go on" if self.board.touched else "n goes on to the next puzzle"
            return f"You have answered.{f' {key}.' if len(self.problems) > 1 else ''}"
        count = len(self.moment.choices)
        return f"{self._question()} {counted(count, 'choice')}: click one, on the board or in the list."

    def _click(self, x: float, y: float) -> None:
        if self.now.answer or not self._click_choice(x, y):
            self._miss(piece_at(self.board.picture, x, y))

    def _key(self, name: str) -> None:
        if self.now.answer:
            acts = {"n": self.go_on, "y": self.show_yours, "b": self.show_best}
            acts.get(name.lower(), lambda: self.steps.key(name))()
        elif name == "Backspace":
            self.go_back()
        elif self.picker.key(name) and name not in ("Enter", " "):
            self._draw()
            self.board.say(f"{self.picker.words} Enter takes it, Backspace begins again.")

    def done(self) -> notebook_cells.SavedWork | None:
        """Return the puzzle as work to resume; None if it is the first and nothing was chosen in it."""
        saved = self.kept()
        return self._read(saved) if saved else None

    @property
    def _about(self) -> frozenset[str]:
        """The ids of the current puzzles."""
        return frozenset(problem.id for problem in self.problems)

    def kept(self) -> dict[str, Any] | None:
        """Return the puzzle and the choices made in it; None if it is the first and nothing was chosen."""
        words = self.moment.begun.words
        if not words and not self.now.answer and not self.now.number:
            return None
        line = f"\nChosen: {self.now.answer or ' '.join(words)}." if words or self.now.answer else ""
        return {
            "words": f"{self.problem}{line}",
            "puzzle": self.problem.id,
            "chosen": words,
            "answer": self.now.answer,
        }

    def _read(self, saved: Any) -> notebook_cells.SavedWork:
        """Return the saved puzzle; raise KeyError if it is not in this list."""
        question = self.problems[self._attempt(saved).number].question
        return notebook_cells.SavedWork(saved, self._about, question)

    def _attempt(self, saved: Any) -> Attempt:
        number = {problem.id: number for number, problem in enumerate(self.problems)}[saved["puzzle"]]
        problem = self.problems[number]
        moment = asked(problem)
        for word in saved["chosen"]:
            choice = {choice.word: choice for choice in moment.choices}[word]
            moment = moment.planned(problem.seat, moment.begun.then(choice))
        answer = problem.words(saved["answer"]) if saved["answer"] else ""
        return Attempt(number, moment, answer, answer)

    def still(self) -> tuple[Picture, str]:
        """Return the picture of the position and the question."""
        return self.problem.seen.picture(), str(self.problem)


def asked(problem: Problem) -> ExplorerState:
    """Return the moment in which the seat of a puzzle chooses, without the secrets of others."""
    you = frozenset({problem.seat})
    return fresh(problem.state, you, you, you)


def suiting(name: str, file: Path) -> list[Problem]:
    """Return the puzzles of a game, first the untried ones, sorted by distance from the user's rating."""
    try:
        here = solver_rating.load(file).get(name, SolverRating())
    except CrashlabError:  # reported when an answer is stored
        here = SolverRating()
    return sorted(puzzles(name), key=lambda one: (one.id in here.solved, abs(one.rating - here.rating)))
