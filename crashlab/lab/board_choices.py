"""What a game offers at the board in one state. A state never changes: the game is asked for each thing once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from crashlab.drawing.shapes import Picture, Piece
from crashlab.engine.game import State
from crashlab.engine.prompts import Choice, Edit
from crashlab.engine.table import CHANCE
from crashlab.engine.turn_film import view

NOWHERE = -1000.0, -1000.0  # where nothing can be clicked
Choices = tuple[Choice, ...]


@dataclass(frozen=True)
class BoardChoices:
    """What can be chosen, planned and changed in a state, and what it is about; what was found is kept.

    With `seats`, what these seats may know of it.
    """

    state: State
    seats: frozenset[int] = frozenset()
    _choices: dict[tuple[int, tuple[str, ...]], Choices] = field(default_factory=dict, compare=False, repr=False)
    _prompts: dict[tuple[int, tuple[str, ...]], str] = field(default_factory=dict, compare=False, repr=False)
    _plans: dict[tuple[tuple[int, int], ...], Choices] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def seen(self) -> State:
        """The state as it is shown."""
        return view(self.state, self.seats) if self.seats else self.state

    @property
    def picture(self) -> Picture:
        """The state as shapes."""
        return self.seen.picture()

    @property
    def rounds(self) -> int:
        """How many rounds, or turns, have begun."""
        return self.state.game.ui.rounds(self.state.table)

    def prompt(self, seat: int, words: tuple[str, ...] = ()) -> str:
        """What a seat is asked after these words."""
        if seat == CHANCE:
            return "Chance decides"
        if (seat, words) not in self._prompts:
            self._prompts[seat, words] = self.state.game.ui.prompt(self.seen.table, seat, words)
        return self._prompts[seat, words]

    @cached_property
    def subjects(self) -> dict[int, str]:
        """The key of the piece that each seat decides about; empty where there is none."""
        ask = self.state.game.ui
        table = self.seen.table
        return {seat: ask.subject(table, seat) for seat in self.state.actors if seat != CHANCE}

    def subject(self, seat: int | None) -> Piece | None:
        """The piece that a seat is asked about."""
        key = self.subjects.get(seat) if seat is not None else None
        pieces = self.picture.pieces if key else ()
        return next((piece for piece in pieces if piece.key == key), None)

    def choices(self, seat: int, words: tuple[str, ...] = ()) -> Choices:
        """What a seat can choose after these words."""
        if (seat, words) not in self._choices:
            found = self._outcomes() if seat == CHANCE else self.state.game.ui.choices(self.seen.table, seat, words)
            self._choices[seat, words] = found
        return self._choices[seat, words]

    def _outcomes(self) -> Choices:
        """What chance can bring; each outcome is clicked on the piece called like it."""
        at = {piece.key: (piece.x, piece.y) for piece in self.picture.pieces}
        words = [str(action) for action in self.state.actions(CHANCE)]
        return tuple(Choice(word, word, *at.get(word, NOWHERE), action=word) for word in words)

    def plans(self, actions: Mapping[int, int]) -> Choices:
        """What is planned with these actions."""
        key = tuple(actions.items())
        if key not in self._plans:
            self._plans[key] = self.state.game.ui.plans(self.seen.table, actions)
        return self._plans[key]

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """What can be changed by hand."""
        return self.state.game.ui.edits(self.state.table)
