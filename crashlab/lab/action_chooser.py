"""A panel for choosing an action at the board, word by word: with clicks, from the list, or with the keys."""

from crashlab.base.errors import require_in, short_repr
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.shapes import Piece, Point, faint, spots
from crashlab.drawing.zoom import Lens
from crashlab.engine.prompts import Choice
from crashlab.engine.table import CHANCE
from crashlab.lab import choice_letters, hit_test
from crashlab.lab.board import Panel, ring
from crashlab.lab.explorer_history import ExplorerState, SeatPlan
from crashlab.lab.playback import NONE, Target, Targets
from crashlab.lab.show_of_hands import lettered
from crashlab.lab.single_choice import SingleChoice

FAINT = 0.35  # opacity of all choices but the selected one, as in board_page.js


class ActionChooser(Panel):
    """A panel that offers the choices of its `moment`.

    A subclass creates the `picker`, defines `_is_open`, draws the position, and handles a new plan (`_plan`).
    """

    picker: SingleChoice
    _lettered: tuple[ExplorerState, Lens | None, Shapes, dict[int, Point]] | None = None  # cache of `_letters`

    @property
    def moment(self) -> ExplorerState:
        """The position and plans to choose from."""
        raise NotImplementedError

    @property
    def _is_open(self) -> bool:
        """Whether choices can be made on the board now."""
        raise NotImplementedError

    def _plan(self, plan: SeatPlan) -> None:
        """Handle a new plan of the current seat."""
        raise NotImplementedError

    def _draw(self) -> None:
        """Draw the position with its choices."""
        raise NotImplementedError

    def _words(self) -> str:
        """Return the question, with a hint for answering it."""
        raise NotImplementedError

    def choices(self) -> tuple[Choice, ...]:
        """Return the next choices of the current seat."""
        return self.moment.choices

    def _offer(self) -> None:
        """List the choices, with their letters."""
        choices = self.moment.choices
        self.board.end_question()
        lettered_choices = choice_letters.lettered(choices, self.moment.offers.picture)
        letters = choice_letters.names(choices) if lettered_choices else []
        texts = [lettered(letters[n], one.text) if n in lettered_choices else one.text for n, one in enumerate(choices)]
        self.picker.offer(texts, [(choice.x, choice.y) for choice in choices])

    # Drawing

    def _show_choices(self) -> None:
        """Show the position with its choices."""
        self._look()
        self._show_offered()

    def _resize(self) -> None:
        """Redraw the marks after a change of the zoom."""
        if self._is_open and not self.board.page.shows_film:
            self._show_offered()

    def _show_offered(self) -> None:
        targets = self._targets()
        layers = self.moment.offers.picture, self._marks(), self._above(targets)
        self.board.show(*layers, targets if self._is_open else NONE)

    def _look(self) -> None:
        """Point the lens at all choices, or at the selected one if the user has set the zoom."""
        choices, index, subject = self.moment.choices, self.picker.index, self.moment.subject
        places = [(choice.x, choice.y) for choice in choices] + spots(self.moment.begun.shapes)
        if self.board.is_zoomed and index is not None and index < len(choices):
            places = places[index : index + 1]
        elif subject and choices:
            places.append((subject.x, subject.y))
        self.board.look_at(self.moment.offers.picture, places)

    def _marks(self) -> Shapes:
        """Return the marks of the plans, including a selected choice that completes an action."""
        now = self.moment
        actions = self._plans
        index = self.picker.index
        if now.seat is not None and index is not None and index < len(now.choices) and now.choices[index].action:
            actions[now.seat] = now.choices[index].action
        seats = {seat for seat in actions if seat != CHANCE and (not now.offers.seats or seat in now.offers.seats)}
        codes = {seat: now.state.code(seat, actions[seat]) for seat in seats}
        ready = [shape for plan in now.offers.plans(codes) for shape in plan.shapes]
        pending = [faint(shape, 0.5) for plan in now.plans.values() if plan.action is None for shape in plan.shapes]
        return [*ready, *pending]

    @property
    def _plans(self) -> dict[int, object]:
        """The completed plans, by seat."""
        return self.moment.actions

    def _above(self, targets: Targets) -> Shapes:
        """Return the marks of the choices; a selected choice shows its effect and makes the others faint."""
        index = self.picker.index
        if index is not None and index < len(targets.items):
            others = [shape for n, target in enumerate(targets.items) if n != index for shape in target.shapes]
            return [*targets.marks, *(faint(shape, FAINT) for shape in others), *targets.items[index].over]
        shapes = [shape for target in targets.items for shape in target.shapes]
        letters = choice_letters.drawn(self.moment.choices, self._letters, self.board.small)
        return [*targets.marks, *shapes, *letters, *self._labels()]

    def _targets(self) -> Targets:
        """Return the hover targets: each choice with its effect and its tooltip."""
        choices, subject, letters, small = self.moment.choices, self.moment.subject, self._letters, self.board.small
        radius = choice_letters.RADIUS * small
        items, places = [], [(choice.x, choice.y) for choice in choices]
        for number, choice in enumerate(choices):
            mine = {number: letters[number]} if number in letters else {}
            over = (*choice.shapes, *choice.ghost, *choice_letters.drawn(choices, mine, small))
            disc = (*letters[number], radius) if mine else None
            tab = choice_letters.tab(choice, letters[number], small) if mine else None
            area = (*hit_test.area(choice, places), *filter(None, [tab]))
            words = f"{choice.text}. Click to choose it."
            items.append(Target(places[number], words, choice.shapes, over, area, disc))
        return Targets(items, (*(ring(subject, small) if subject else ()), *self.picker.mark()))

    @property
    def _letters(self) -> dict[int, Point]:
        """The positions of the letters, by the index of their choice."""
        now, lens, labels = self.moment, self.board.lens, self._labels()
        if self._lettered is None or self._lettered[0] is not now or self._lettered[1:3] != (lens, labels):
            letters = choice_letters.letters(now.choices, now.offers.picture, lens, labels)
            self._lettered = now, lens, labels, letters
        return self._lettered[3]

    def _labels(self) -> Shapes:
        """Return the labels next to choices, which letters must not hide; a hook for subclasses."""
        return []

    # Actions of the user

    def choose(self, index: int) -> None:
        """Take the choice with this index for the current seat."""
        choices = self.moment.choices
        words = f"there is no choice {short_repr(index)}: there are {len(choices)}, from 0 on"
        self._plan(self.moment.begun.then(choices[require_in(range(len(choices)), index, words)]))

    def _click_choice(self, x: float, y: float) -> bool:
        """Handle a click on the choices; return whether it hit one."""
        if self.picker.click(x, y):
            return True
        both = hit_test.shown(self.moment.choices, self._after, x, y, self.board.finger(x, y))
        if both:
            self._plan(self.moment.begun.then(both[0]).then(both[1]))
        return bool(both)

    def _miss(self, piece: Piece | None) -> None:
        """Say that a clicked piece cannot be chosen."""
        there = f"{piece.label}. " if piece and piece.label else ""
        self.board.say(f"{there}There is nothing to choose there.\n{self._words()}" if self._is_open else self._words())

    def _after(self, word: str) -> tuple[Choice, ...]:
        """Return the choices that follow a word."""
        assert self.moment.seat is not None
        return self.moment.offers.choices(self.moment.seat, (*self.moment.begun.words, word))

    def _point(self) -> None:
        """Show the selected choice, and say its full text, as the list may be too narrow."""
        self._draw()
        if self.picker.index is not None:
            self.board.say(f"{self.picker.words} Enter takes it.")
