"""Decisions by number, for the environments of other libraries.

An action is spelled as a sequence of letters, which are numbers (`spell` in the rules of its game defines them). A
letter without an alternative is not asked for. In a game with a vocabulary, an action is one letter. The number of an
outcome of chance is its index among the outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from crashlab.agents.base import leads_of
from crashlab.base.errors import CrashlabError, require, short_repr
from crashlab.engine.game import Game, State, Turn
from crashlab.engine.observation import observed
from crashlab.engine.table import CHANCE, MOST_LETTERS, NOT_CHOSEN

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

WIDEST = 512  # maximum number of outcomes of chance
MOST_SEED = 1 << 62
Spelling = tuple[int, ...]
IntOrStr = TypeVar("IntOrStr", int, str)
UTILITIES = ("lead", "share")
FAR = 1_000_000  # substitute for a missing bound of scores or length


class Begun(NamedTuple):
    """A partial choice: the first letters of an action, or the action's integer once only one action is left."""

    letters: Spelling = ()
    code: int | None = None


class PartialChoice:
    """A position with the partial choices of its seats; immutable.

    `turn` is the turn of the last choice if that choice completed a decision and was watched, else None.
    """

    def __init__(self, state: State, begun: Mapping[int, Begun] | None = None, turn: Turn | None = None) -> None:
        self.state, self.begun, self.turn = state, dict(begun or {}), turn
        self._left: dict[int, dict[Spelling, int]] = {}
        self._options: dict[int, dict[int, dict[Spelling, int]]] = {}
        self._views: dict[int | None, State] = {}

    @cached_property
    def actors(self) -> tuple[int, ...]:
        """The seats that must still choose, or (CHANCE,); empty at the end of the game."""
        return tuple(seat for seat in self.state.actors if self.so_far(seat).code is None)

    def so_far(self, seat: int) -> Begun:
        """Return the partial choice of a seat."""
        return self.begun.get(seat, Begun())

    def left(self, seat: int) -> dict[Spelling, int]:
        """Return the remaining actions of an actor by spelling; empty for other seats."""
        if seat not in self._left:
            start, whole = self.so_far(seat).letters, spelled(self.state, seat) if seat in self.actors else {}
            self._left[seat] = {letters: code for letters, code in whole.items() if letters[: len(start)] == start}
        return self._left[seat]

    def letters(self, seat: int) -> Spelling:
        """Return the letters chosen by a seat, and the letters that follow without an alternative."""
        spellings = list(self.left(seat))
        if len(spellings) == 1:
            return spellings[0][:-1]
        return shared(spellings) if spellings else self.so_far(seat).letters

    def options(self, seat: int) -> dict[int, dict[Spelling, int]]:
        """Return an actor's next numbers, sorted, each with its remaining actions; empty for other seats."""
        if seat not in self._options:
            place, options = len(self.letters(seat)), dict[int, dict[Spelling, int]]()
            for whole, code in self.left(seat).items():
                options.setdefault(whole[place], {})[whole] = code
            self._options[seat] = dict(sorted(options.items()))
        return self._options[seat]

    def word(self, seat: int, number: int) -> str:
        """Return the words for one of the next numbers of an actor."""
        return said(self.state, seat, self.options(seat)[number].values())

    def so_far_said(self, seat: int) -> str:
        """Return a seat's partial choice in words; empty before its first choice."""
        so_far = self.so_far(seat)
        if so_far == Begun():
            return ""
        return said(self.state, seat, self.left(seat).values() if so_far.code is None else [so_far.code])

    def after(self, numbers: Mapping[int, int], watched: bool = False) -> PartialChoice:
        """Return the step after choices, given as numbers by seat.

        If the actions of all seats are complete, they are played. The turn is stored only if `watched`.
        """
        longer: dict[int, Begun] = {}
        for seat, number in numbers.items():
            require(
                number in self.options(seat),
                f"{self.state.game.seat_name(seat)} cannot choose {short_repr(number)} now",
            )
            actions = self.options(seat)[number]
            longer[seat] = Begun(shared(list(actions)), next(iter(actions.values())) if len(actions) == 1 else None)
        return self._with(longer, watched)

    def taken(self, codes: Mapping[int, int]) -> PartialChoice:
        """Return the step after complete actions, given as integers by seat."""
        return self._with({seat: Begun(code=code) for seat, code in codes.items()}, False)

    def _with(self, more: Mapping[int, Begun], watched: bool) -> PartialChoice:
        choices = {**self.begun, **more}
        codes = {seat: choices[seat].code for seat in self.state.actors if seat in choices}
        whole = {seat: code for seat, code in codes.items() if code is not None}
        if len(whole) < len(self.state.actors):
            return PartialChoice(self.state, choices)
        if not watched:
            return PartialChoice(self.state.play_codes(whole))
        turn = self.state.play_codes(whole, trace=True)
        return PartialChoice(turn.after, turn=turn)

    def seen_by(self, seat: int | None) -> State:
        """Return the view of a seat; with None, the public view."""
        if seat not in self._views:
            self._views[seat] = self.state.seen_by(seat)
        return self._views[seat]

    def observation(self, seat: int | None) -> Ints:
        """Return the table as a seat sees it, then its letters so far, padded; for None, the public view."""
        import numpy as np

        letters = () if seat is None else self.letters(seat)
        row = [*letters, *[NOT_CHOSEN] * (MOST_LETTERS - len(letters))]
        return np.concatenate([observed(self.seen_by(seat).table), np.array(row, dtype=np.int64)])

    def __deepcopy__(self, memo: object) -> PartialChoice:
        return self


def spelled(state: State, seat: int) -> dict[Spelling, int]:
    """Return the legal actions of an actor by spelling."""
    codes = state.actions(seat).codes
    if seat == CHANCE:
        return {(place,): code for place, code in enumerate(codes)}
    spell, row = state.game.rules.spell, [0] * MOST_LETTERS
    return {tuple(row[: spell(state.table, seat, code, row)]): code for code in codes}


def said(state: State, seat: int, codes: Iterable[int]) -> str:
    """Return the first words that actions share; if there are none, the words that occur in all actions."""
    words = [tuple(state.game.say(state.table, seat, code).split()) for code in codes]
    return " ".join(shared(words) or [word for word in words[0] if all(word in other for other in words)])


def shared(rows: Sequence[tuple[IntOrStr, ...]]) -> tuple[IntOrStr, ...]:
    """Return the common prefix of sequences."""
    pairs = zip(min(rows), max(rows), strict=False)
    return tuple(part for part, other in takewhile(lambda pair: pair[0] == pair[1], pairs))


def width(game: Game) -> int:
    """Return how many numbers a game needs for choices: its largest number plus one."""
    return game.rules.LETTERS


def utilities(state: State, utility: str) -> list[float]:
    """Return each seat's lead over the average of the others, or its share of the win at the end of the game."""
    seats = state.game.seats
    if utility == "share":
        return [1 / len(state.winners) if seat in state.winners else 0.0 for seat in seats]
    return leads_of(state.scores)


def bounds(game: Game, utility: str) -> tuple[float, float]:
    """Return the smallest and the largest utility."""
    least, greatest = game.facts.scores
    most = FAR if greatest is None else greatest - least
    return (0, 1) if utility == "share" else (-most, most)


def check_utility(utility: object) -> str:
    """Return the name of a utility, checked."""
    if not isinstance(utility, str) or utility not in UTILITIES:
        raise CrashlabError(f"utility={short_repr(utility)}: choose one of {', '.join(map(repr, UTILITIES))}")
    return utility


def beginning(start: object, seed: int = 0) -> State:
    """Return the first state: a new game with a seed, or the position itself."""
    if isinstance(start, Game):
        return cast("State", start.start(seed))
    if not isinstance(start, State):
        raise CrashlabError(f"an adapter needs a game or a position, not {short_repr(start)}")
    require(not start.closed, f"this position cannot be played: {start.closed}")
    return start
