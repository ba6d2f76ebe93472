"""A heat map of all choices: colours on the board from playouts that continue while you watch.

A game's choices consist of words. Each word has the colour of the best action that it leads to, and a click on it shows
the words that can follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any

import ipywidgets as widgets

from crashlab.agents import Search, Thought
from crashlab.analysis.endgame_values import Solved
from crashlab.base.errors import CrashlabError, as_float, expect, integer, require, short_repr, short_str, whole
from crashlab.compiled import choose_backend
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.charts import heat, ramp
from crashlab.drawing.html import element
from crashlab.drawing.shapes import Picture, Piece, Point, Shape, faint, spots
from crashlab.engine.chance import whole_seed
from crashlab.engine.game import State
from crashlab.engine.notation import counted
from crashlab.engine.prompts import Choice
from crashlab.engine.table import CHANCE
from crashlab.lab import hit_test
from crashlab.lab.advice import worth
from crashlab.lab.board import Board, button, drawing, piece_at, ring, with_classes
from crashlab.lab.board_choices import BoardChoices
from crashlab.lab.heat_values import HeatChoice, limits, tags, tinted
from crashlab.lab.jobs import BackgroundJob, GrowingPanel
from crashlab.lab.page_module import show
from crashlab.lab.playback import Target, Targets, alone
from crashlab.lab.single_choice import SingleChoice
from crashlab.lab.stepper import beside

KEYS = "arrows point, Enter looks closer, Backspace goes back, space stops and resumes, Tab leaves"
SLICE = 0.05  # seconds of search between two updates
REST = 0.03  # seconds between two slices, for clicks and for the compiler
MORE = 1.15  # growth of the number of playouts between two pictures
CLEAR = 4  # required lead of the best action over the worst, in half-widths
FEW = 200  # minimum playouts of the best action, even if all had the same result
LINES = "Value ± interval, choice, and how often it was played (×):"
EXACT_LINES = "Exact expected lead at the end, choice, and how often best play chooses it:"


@dataclass(frozen=True)
class HeatShown:
    """The decision shown, its choices, and the values found for them."""

    offers: BoardChoices  # choices of the position
    seat: int
    search: Search | Solved
    thoughts: tuple[Thought, ...] = ()  # the actions tried, best first
    playouts: int = 0
    words: tuple[str, ...] = ()  # words chosen so far
    shapes: Shapes = ()  # marks of these words

    @property
    def state(self) -> State:
        """The position."""
        return self.offers.state

    @property
    def subject(self) -> Piece | None:
        """The piece that the decision is about, or None."""
        return self.offers.subject(self.seat)

    @property
    def solved(self) -> Solved | None:
        """The solution of an endgame that is solved exactly, else None."""
        return self.search if isinstance(self.search, Solved) else None


class Heat(GrowingPanel):
    """The actions of a seat, by default of the first seat to decide, coloured by their values.

    The values are refined while the panel is on the page, for at most `limit` playouts. Refining ends earlier if the
    value of the best action is known to `precision` (half of a 95 % interval) and clearly above the worst value.
    `method` and all other options are passed to `agents.Search`. `heat.grow(playouts)` waits for `playouts` more
    playouts, and `heat.thoughts` has the statistics of every action. A lead can include unfinished gains, as `agents`
    explains.

    In an endgame that `crashlab.solve` can solve, and without search options, the values are exact: the lead at the end
    against the best mixture of the other seat.

        >>> game = crashlab.game("autoscooter", players=2)
        >>> heat = Heat(game.read({"round": 11, "cars": {"1": "11SW3", "2": "41NW2"}}))
        >>> same = heat.grow(1)
        >>> heat.thoughts[0].action
        <81 FLF>
    """

    now: HeatShown

    def __init__(
        self,
        state: State,
        seat: int | None = None,
        *,
        precision: float = 0.1,
        limit: int = 200_000,
        seed: int = 1,
        theme: str | None = None,
        scale: float | None = None,
        **search: Any,
    ) -> None:
        expect(state, State, "a Heat shows a State")
        expect(precision, Real, "precision must be a number")
        expect(limit, Integral, "limit must be a whole number of playouts")
        require(as_float(precision) >= 0, f"precision={short_repr(precision)}: give a number of at least 0")
        self.precision = as_float(precision)
        self.limit = whole("limit", limit)
        self.seed = whole_seed(seed)
        self.options = search
        self.now = self._look(BoardChoices(state), seat)
        self.board = Board(state, theme=theme, scale=scale, animate=False, follows=True)
        self.board.owner = self
        self.work = BackgroundJob(self.board, self._report)
        self._drawn = 0  # number of playouts when last drawn
        self.branches: list[HeatChoice] = []  # in the order of the list and of the board
        self._leads_cache: dict[tuple[str, ...], list[tuple[Choice, list[int]]]] = {}  # by the words before the choice
        self._make_controls()
        self.board.on_click(self._click)
        self.board.on_key(self._key)
        self._go_with_the_page()
        super().__init__([beside(self.board, self._side(), KEYS)])
        self.board.run_alone(self.refresh)

    def _make_controls(self) -> None:
        on = self.board.guard
        self.heading, self.progress, self.legend = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.lines = widgets.HTML()
        self.seats = widgets.ToggleButtons(options=(), style={"button_width": "auto"})
        self.seats.observe(on(lambda change: self.ask(change.new)), "value")
        self.picker = SingleChoice(self.board, self.choose, self._point, "Choices, the best first")
        self.up = button("Back", on(self.go_back), "Back to the previous choice", "undo")
        self.stop = button("Stop", on(self.stop_or_go_on), "Stop, or go on", "pause", once=True)

    def _side(self) -> widgets.Box:
        """Lay out the controls; the buttons are at the foot, so that they do not move."""
        buttons = widgets.HBox([self.up, self.stop], layout={"flex_flow": "row wrap"})
        parts = [self.heading, self.seats, self.progress, self.lines, self.picker.menu, self.legend]
        return widgets.VBox([*parts, with_classes(buttons, "crashlab-foot")])

    @property
    def thoughts(self) -> tuple[Thought, ...]:
        """The statistics of every action, best first."""
        return self.now.thoughts

    def grow(self, playouts: int) -> Heat:
        """Wait for `playouts` more playouts, and return this panel."""
        self.board.run_alone(self.work.stop)
        with self.work.thinking:
            self.now.search.grow(playouts)
        self.board.run_alone(lambda: self._show(self._thought(self.now)))
        return self

    def look_at(self, state: State, seat: int | None = None) -> None:
        """Show another position."""
        self.board.run_alone(self._turn_to, BoardChoices(state), seat)

    # Actions of the user

    @alone
    def ask(self, seat: int) -> None:
        """Show the decision of this seat."""
        self._turn_to(self.now.offers, seat)

    @alone
    def choose(self, index: int) -> None:
        """Show the choices that follow the choice with this index, or the action that it completes."""
        now = self.now
        require(index < len(self.branches), "there is nothing to look at: choose from the list")
        choice = self.branches[index].choice
        if choice.action:
            self.picker.menu.index = index
            self._draw()
            self.board.say(f"{choice.action}: {self._known_of(self.branches[index])}. {choice.text}.")
        else:
            self.now = replace(now, words=(*now.words, choice.word), shapes=(*now.shapes, *choice.shapes))
            self.picker.menu.index = None
            self.refresh()

    def _known_of(self, branch: HeatChoice) -> str:
        """Describe the value of an action and its evidence."""
        if branch.chance is None:
            return f"{branch.worth} from {in_playouts(branch.visits)}"
        if not branch.best:
            return branch.worth
        return f"exactly {branch.worth} at the end; best play chooses it {branch.often} of the time"

    @alone
    def go_back(self) -> None:
        """Return to the first choice."""
        require(self.now.words, "this is the first choice: there is no earlier one")
        self.now = replace(self.now, words=(), shapes=())
        self.picker.menu.index = None
        self.refresh()

    def _want_more(self) -> None:
        self.precision = self.precision / 2
        self.limit = max(self.limit, 2 * self.now.playouts)

    # Background work

    def _look(self, offers: BoardChoices, seat: int | None) -> HeatShown:
        """Return the decision of a seat, by default of the first seat to decide, without values."""
        state = offers.state
        require(not state.over, "the game is over: there is nothing left to decide")
        require(state.actors != (CHANCE,), "chance decides now; a Heat shows the choices of a seat")
        actor = state.actors[0] if seat is None else integer(seat)
        if actor is None or actor not in state.actors:
            names = ", ".join(map(state.game.seat_name, state.actors))
            raise CrashlabError(f"seat {short_repr(seat)} does not decide now; choose one of {names}")
        if not self.options and Solved.suits(state):
            return HeatShown(offers, actor, Solved(state, actor))
        try:
            return HeatShown(offers, actor, Search(state, actor, seed=self.seed, **self.options))
        except TypeError as error:
            raise CrashlabError(f"a search has no such option: {short_str(error)}") from None

    def _turn_to(self, offers: BoardChoices, seat: int | None) -> None:
        after = self._look(offers, seat)
        self.work.stop()
        self.now = after
        self._drawn = 0
        self._leads_cache = {}
        self.picker.menu.index = None
        self.refresh()
        self._begin()

    def _think(self) -> HeatShown:
        """Return the values after one more slice of search."""
        now = self.now
        now.search.grow_for(SLICE)
        return self._thought(now)

    def _thought(self, now: HeatShown) -> HeatShown:
        thoughts = tuple(thought for thought in now.search.thoughts() if thought.visits)
        return replace(now, thoughts=thoughts, playouts=now.search.playouts)

    def _show(self, after: HeatShown) -> float:
        """Store the latest values, and redraw if there are many more playouts; return the seconds to wait."""
        self.now = replace(self.now, thoughts=after.thoughts, playouts=after.playouts)
        if self._enough:
            self.work.stop()
        if not self.work.busy or after.playouts >= MORE * self._drawn:
            self._drawn = after.playouts
            self.refresh(say=False)
        return REST

    @property
    def _enough(self) -> bool:
        """Whether the values are precise enough, or the limit is reached."""
        if self.now.solved:
            return self.now.playouts > 0
        values = [thought.value for thought in self.now.thoughts]
        if not values or self.now.playouts >= self.limit:
            return self.now.playouts >= self.limit
        best = self.now.thoughts[0]
        is_clear = CLEAR * best.half_width < max(values) - min(values)
        return best.visits >= FEW and best.half_width <= self.precision and is_clear

    # Display

    def _ranked(self) -> list[HeatChoice]:
        """Return the next choices, the best first and untried ones last."""
        now = self.now
        rank = {now.state.code(now.seat, thought.action): place for place, thought in enumerate(now.thoughts)}
        chances = now.solved.chances() if now.solved else None
        pairs: list[tuple[int, HeatChoice]] = []
        for choice, codes in self._leads(now.words):
            places = sorted(rank[code] for code in codes if code in rank)
            thoughts = [now.thoughts[place] for place in places]
            visits = sum(thought.visits for thought in thoughts)
            chance = None if chances is None else sum(chances.get(code, 0.0) for code in codes)
            branch = HeatChoice(choice, thoughts[0] if thoughts else None, visits, chance)
            pairs.append((places[0] if places else len(rank), branch))
        return [branch for _, branch in sorted(pairs, key=lambda pair: pair[0])]

    def _leads(self, words: tuple[str, ...]) -> list[tuple[Choice, list[int]]]:
        """Return the choices after these words, each with the codes of all actions that it leads to."""
        if words not in self._leads_cache:
            now = self.now
            leads = []
            for choice in now.offers.choices(now.seat, words):
                inner = [] if choice.action else self._leads((*words, choice.word))
                complete = [now.state.code(now.seat, choice.action)] if choice.action else []
                leads.append((choice, complete + [code for _, codes in inner for code in codes]))
            self._leads_cache[words] = leads
        return self._leads_cache[words]

    def refresh(self, say: bool = True) -> None:
        """Update everything from the current values."""
        now = self.now
        game = self.now.state.game
        about = now.offers.subjects[now.seat]
        words = f"{game.seat_name(now.seat)} decides{f' on {about}' if about else ''}"
        self.heading.value = self.board.headline(words, 16)
        self.seats.options = [(game.seat_name(seat), seat) for seat in now.state.actors]
        self.seats.value = now.seat
        show(self.seats, len(now.state.actors) > 1)
        self._offer(self._ranked())
        self.lines.value = element("div", EXACT_LINES if now.solved else LINES, style="line-height: 1.35")
        self.up.disabled = not now.words
        self.legend.value = drawing(self._legend(), self.board)
        self._report()
        self._draw()
        if say:
            self.board.say(self._words())

    def _offer(self, branches: Sequence[HeatChoice]) -> None:
        """List the choices; the selected choice stays selected."""
        index = self.picker.index
        before = self.branches
        word = before[index].choice.word if index is not None and index < len(before) else None
        self.branches = list(branches)
        words = [branch.choice.word for branch in branches]
        with self.picker.menu.hold_sync():
            self.picker.offer(
                [branch.text for branch in branches], [(branch.choice.x, branch.choice.y) for branch in branches]
            )
            if word in words:
                self.picker.menu.index = words.index(word)

    def _report(self) -> None:
        """Show the progress, and update the button."""
        busy = self.work.busy
        now = self.now
        self.stop.description, self.stop.icon = ("Stop", "pause") if busy else ("Go on", "play")
        self.stop.disabled = now.solved is not None and self._enough
        state = self._pace if busy else "done" if self._enough else "stopped"
        words = f"{in_playouts(now.playouts)}, {state}" if now.playouts or busy else "nothing is known yet"
        if now.solved:
            words = self._solved_words(now.solved)
        elif now.thoughts:
            best = now.thoughts[0]
            words += f"\nbest: {best.action} with {worth(best)}"
        self.progress.value = element("div", words, style="line-height: 1.4; min-height: 2.8em; white-space: pre-line")

    def _solved_words(self, solution: Solved) -> str:
        """Describe the progress or the result of the solution."""
        if not self._enough:
            return "solving …" if self.work.busy else "nothing is known yet"
        name = self.now.state.game.seat_name
        other = next(seat for seat in self.now.state.actors if seat != self.now.seat)
        value = worth(self.now.thoughts[0]).partition(" ±")[0]
        how = f"{value[1:]} {'ahead of' if value[0] == '+' else 'behind'}" if value.strip("+-−0.") else "level with"
        words = f"with best play from both, {name(self.now.seat)} finishes {how} {name(other)}"
        return f"exact: solved to the end of the game\n{words}"

    @property
    def _pace(self) -> str:
        """The state of a running search, in words."""
        is_slow = choose_backend.can_compile() and not choose_backend.is_ready(self.now.state.game.rules, "search")
        return "slow while the rules are being compiled …" if is_slow else "refining …"

    def _legend(self) -> Picture:
        """Draw the legend of the colours."""
        name = self.now.state.game.seat_name(self.now.seat)
        if self.now.solved:
            return ramp(*limits(self.branches), f"{name}'s lead at the end, exactly")
        what = {"lead": f"{name}'s lead over the average of the others", "win": f"{name}'s share of the win"}
        return ramp(*limits(self.branches), what.get(self.now.search.value, self.now.search.value))

    def _words(self) -> str:
        now = self.now
        subject = self.now.subject
        count = len(self.branches)
        lead = subject.label if subject else now.state.game.seat_name(now.seat)
        if now.words:
            lead = f"{lead}, {' '.join(now.words)}"
            return f"{lead}: {counted(count, 'choice')}. Click one for more, or press Back to return."
        return f"{lead}: {counted(count, 'choice')}, the brighter the better. Click one to see what can follow."

    def _draw(self) -> None:
        """Draw the position with its choices in their colours."""
        marks = [faint(shape, 0.6) for shape in self.now.shapes]
        picture = self.now.state.picture()
        subject = self.now.subject
        places = [(branch.choice.x, branch.choice.y) for branch in self.branches] + spots(self.now.shapes)
        self.board.look_at(picture, [*places, *([(subject.x, subject.y)] if subject else [])])
        self.board.show(picture, marks, self._targets(self.board.small), self._pointing(places))

    def _pointing(self, places: Sequence[Point]) -> Targets:
        """Return the hover targets: each choice, in the colour of its value."""
        small, subject = self.board.small, self.now.subject
        items = []
        for branch, place in zip(self.branches, places, strict=False):
            shapes = tuple(self._tinted(branch))
            words, area = f"{branch.text}. Click to look closer.", hit_test.area(branch.choice, places)
            items.append(Target(place, words, shapes, shapes, area))
        marks = [*(ring(subject, small) if subject else ()), *tags(self.branches, self.board.picture, small)]
        return Targets(items, marks)

    def _tinted(self, branch: HeatChoice) -> Shapes:
        """Return the marks of a choice in the colour of its value."""
        return tinted(branch.choice, heat(branch.best.value, *limits(self.branches)) if branch.best else "nobody")

    def _targets(self, small: float = 1.0) -> Shapes:
        """Return the marks of all choices, the best on top; `small` scales their size."""
        subject = self.now.subject
        branches = self.branches
        index = self.picker.index
        shapes: list[Shape] = list(ring(subject, small)) if subject else []
        order = [place for place in reversed(range(len(branches))) if place != index]
        for place in order + ([index] if index is not None and index < len(branches) else []):
            alpha = 1 if index in (None, place) else 0.35
            shapes += [faint(shape, alpha) for shape in self._tinted(branches[place])]
        return [*shapes, *self.picker.mark(), *tags(branches, self.board.picture, small)]

    def _click(self, x: float, y: float) -> None:
        if not self.picker.click(x, y):
            self._click_piece(piece_at(self.board.picture, x, y))

    def _click_piece(self, piece: Piece | None) -> None:
        for seat, key in self.now.offers.subjects.items():
            if piece and seat != self.now.seat and key == piece.key:
                self.ask(seat)
                return
        self.board.say(piece.label if piece else self._words())

    def _key(self, name: str) -> None:
        if name == "Backspace":
            self.go_back()
        elif name == " ":
            self.stop_or_go_on()
        elif self.picker.key(name) and name != "Enter":
            self._point()

    def _point(self) -> None:
        """Show the selected choice."""
        self._draw()
        if self.picker.index is not None:
            choice = self.branches[self.picker.index].choice
            self.board.say(f"{self.picker.words} {choice.text}. Enter looks closer, Backspace goes back.")

    def repaint(self) -> None:
        """Redraw the legend in the board's colours."""
        self.refresh(say=False)

    def still(self) -> tuple[Picture, str]:
        """Return the position in its colours, and the best decisions."""
        now = self.now
        targets = self._targets(1.0)
        picture = replace(self.board.picture, pieces=(*self.board.picture.pieces, Piece("heat", 0, 0, tuple(targets))))
        lines = [f"{branch.worth}  {branch.choice.text}" for branch in self.branches[:8]]
        name = now.state.game.seat_name(now.seat)
        precision = "solved exactly" if now.solved and now.playouts else f"after {now.playouts:,} playouts"
        return picture, "\n".join([f"Heat of {name} {precision}: {now.state.text}", *lines])


def in_playouts(playouts: int) -> str:
    """Write a number of playouts."""
    return f"{playouts:,} playout{'s' * (playouts != 1)}"
