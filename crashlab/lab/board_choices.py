"""The choices of a game at the board in one state, computed once, as a state never changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from crashlab.drawing.shapes import Picture, Piece
from crashlab.engine.game import State
from crashlab.engine.prompts import Choice, Edit
from crashlab.engine.table import CHANCE
from crashlab.engine.turn_film import view

NOWHERE = -1000.0, -1000.0  # a place outside all clicks
Choices = tuple[Choice, ...]


@dataclass(frozen=True)
class BoardChoices:
    """The choices, plans and edits of a state, and the pieces to decide about; all of them are cached.

    If `seats` is not empty, nothing here reveals more than these seats may know.
    """

    state: State
    seats: frozenset[int] = frozenset()
    _choices: dict[tuple[int, tuple[str, ...]], Choices] = field(default_factory=dict, compare=False, repr=False)
    _prompts: dict[tuple[int, tuple[str, ...]], str] = field(default_factory=dict, compare=False, repr=False)
    _plans: dict[tuple[tuple[int, int], ...], Choices] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def seen(self) -> State:
        """The state to draw: as `seats` may see it, or the full state if `seats` is empty."""
        return view(self.state, self.seats) if self.seats else self.state

    @property
    def picture(self) -> Picture:
        """The picture of the state."""
        return self.seen.picture()

    @property
    def rounds(self) -> int:
        """The number of rounds, or turns, started so far."""
        return self.state.game.ui.rounds(self.state.table)

    def prompt(self, seat: int, words: tuple[str, ...] = ()) -> str:
        """Return the question to a seat after these words."""
        if seat == CHANCE:
            return "Chance decides"
        if (seat, words) not in self._prompts:
            self._prompts[seat, words] = self.state.game.ui.prompt(self.seen.table, seat, words)
        return self._prompts[seat, words]

    @cached_property
    def subjects(self) -> dict[int, str]:
        """The key of the piece that each current seat decides about, by seat; an empty key if there is no piece."""
        ask = self.state.game.ui
        table = self.seen.table
        return {seat: ask.subject(table, seat) for seat in self.state.actors if seat != CHANCE}

    def subject(self, seat: int | None) -> Piece | None:
        """Return the piece that a seat decides about, or None."""
        key = self.subjects.get(seat) if seat is not None else None
        pieces = self.picture.pieces if key else ()
        return next((piece for piece in pieces if piece.key == key), None)

    def choices(self, seat: int, words: tuple[str, ...] = ()) -> Choices:
        """Return the choices of a seat after these words."""
        if (seat, words) not in self._choices:
            choices = self._outcomes() if seat == CHANCE else self.state.game.ui.choices(self.seen.table, seat, words)
            self._choices[seat, words] = choices
        return self._choices[seat, words]

    def _outcomes(self) -> Choices:
        """Return the outcomes of chance; each can be clicked on the piece with the same key."""
        at = {piece.key: (piece.x, piece.y) for piece in self.picture.pieces}
        words = [str(action) for action in self.state.actions(CHANCE)]
        return tuple(Choice(word, word, *at.get(word, NOWHERE), action=word) for word in words)

    def plans(self, actions: Mapping[int, int]) -> Choices:
        """Return the marks of planned actions, given as integers by seat."""
        key = tuple(actions.items())
        if key not in self._plans:
            self._plans[key] = self.state.game.ui.plans(self.seen.table, actions)
        return self._plans[key]

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """The edits that the position allows."""
        return self.state.game.ui.edits(self.state.table)
