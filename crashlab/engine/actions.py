"""What a seat can do: one action, and the list of the legal ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from crashlab.base.errors import CrashlabError
from crashlab.engine import contract
from crashlab.engine.table import Table

if TYPE_CHECKING:
    from crashlab.engine.game import Game
    from crashlab.engine.state import State


class Action:
    """One thing a seat can do in a state; `str(action)` is its notation.

        >>> state = crashlab.game("autoscooter").start(seed=7)
        >>> action = state.actions("A")[0]
        >>> print(action)
        1 FLL
        >>> action.parts
        {'number': 1, 'manoeuvre': 'FLL'}
    """

    __slots__ = ("code", "seat", "state")

    def __init__(self, state: State, seat: int, code: int) -> None:
        self.state, self.seat, self.code = state, seat, code  # where it can be done, by whom, and its integer

    @property
    def game(self) -> Game:
        """The game in which it can be done."""
        return self.state.game

    def __str__(self) -> str:
        return self.game.say(self.state.table, self.seat, self.code)

    @property
    def parts(self) -> dict[str, object]:
        """The things in it by name (number, manoeuvre, car, target), as plain values in the words of positions."""
        table = self.state.table
        parts: dict[str, object] = self.game.decision(table, self.seat).answer.parts(table, self.code)
        return parts

    def __repr__(self) -> str:
        return f"<{self}>"

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def is_of(self, table: Table) -> bool:
        """Whether it is an action of this very position."""
        return self.state.table is table or self.state.table == table

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Action)
            and (self.seat, self.code, self.game.book) == (other.seat, other.code, other.game.book)
            and (self.is_of(other.state.table) or str(self) == str(other))
        )

    def __hash__(self) -> int:
        return hash((self.seat, self.code))


class Actions(Sequence[Action]):
    """The legal actions of a seat; action objects are made only when looked at.

        >>> actions = crashlab.game("autoscooter").start(seed=7).actions("A")
        >>> len(actions), actions[0], "17 FLF" in actions
        (66, <1 FLL>, False)
    """

    def __init__(self, state: State, seat: int, known: Sequence[int] | None = None) -> None:
        self._state, self._seat = state, seat
        self.codes = contract.listed(state.game.rules, state.table, seat) if known is None else list(known)

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [Action(self._state, self._seat, code) for code in self.codes[place]]
        return Action(self._state, self._seat, self.codes[place])

    def __iter__(self) -> Iterator[Action]:
        return (Action(self._state, self._seat, code) for code in self.codes)

    def __contains__(self, action: object) -> bool:
        try:
            return self._state.code(self._seat, action) in self.codes
        except CrashlabError:
            return False

    def __repr__(self) -> str:
        some = ", ".join(map(repr, self[:5]))
        return f"[{some}{', ...' if len(self) > 5 else ''}] ({len(self)} actions)"
