"""A decision made by numbers: what the environments of other libraries choose from.

Where a game numbers its actions (`game.vocabulary`), those numbers are chosen. Elsewhere an action is said word by
word, as at the board (`state.choices`), and a number is the place of a word among those that can follow. An outcome of
chance is its place among the outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from crashlab.errors import CrashlabError, shown
from crashlab.happen import CHANCE
from crashlab.observation import observed
from crashlab.state import State, Turn
from crashlab.variant import Game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

WIDEST = 512  # words that can follow, and outcomes of chance; the most are the streets of a large city, about 260
DEEPEST = 6  # words of an action
NOT_CHOSEN = -1  # in an observation: a word that is not said yet
UTILITIES = ("lead", "share")
FAR = 1_000_000  # further ahead, or longer, than any game that has no bound of its own


class Begun(NamedTuple):
    """What a seat has chosen of an action: numbers and their words; the action, as an integer, once it is whole."""

    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    code: int | None = None


class Option(NamedTuple):
    """What a number means: the word that it adds, and the action, if it is whole then."""

    word: str
    code: int | None


class Step:
    """A position, and how far each seat has chosen its action there; it never changes.

    `turn` is what the last choice brought about, where it was the last one of a decision and was watched.
    """

    def __init__(self, state: State, begun: Mapping[int, Begun] | None = None, turn: Turn | None = None) -> None:
        self.state, self.begun, self.turn = state, dict(begun or {}), turn
        self._options: dict[int, dict[int, Option]] = {}
        self._views: dict[int | None, State] = {}

    @cached_property
    def actors(self) -> tuple[int, ...]:
        """Who still has to choose: seats, or (CHANCE,); nobody when the game is over."""
        return tuple(seat for seat in self.state.actors if self.so_far(seat).code is None)

    def so_far(self, seat: int) -> Begun:
        """What a seat has chosen here."""
        return self.begun.get(seat, Begun())

    def options(self, seat: int) -> dict[int, Option]:
        """What an actor can choose, by number, in the order of the numbers; nothing for anybody else."""
        if seat not in self._options:
            self._options[seat] = self._listed(seat) if seat in self.actors else {}
        return self._options[seat]

    def _listed(self, seat: int) -> dict[int, Option]:
        state = self.state
        if seat == CHANCE:
            return {place: Option(str(action), action.code) for place, action in enumerate(state.actions(CHANCE))}
        if state.game.vocabulary:
            numbered = {state.number(seat, action): action for action in state.actions(seat)}
            return {number: Option(str(numbered[number]), numbered[number].code) for number in sorted(numbered)}
        words = state.choices(seat, *self.so_far(seat).words)
        if len(words) > WIDEST:
            raise CrashlabError(f"{len(words)} words can follow; the adapters number {WIDEST}")
        return {
            place: Option(one.word, state.code(seat, one.action) if one.action else None)
            for place, one in enumerate(words)
        }

    def after(self, numbers: Mapping[int, int], watched: bool = False) -> Step:
        """The step after these choices; once every action is whole, they are played, and a turn is kept if watched."""
        begun = {**self.begun, **{seat: self._longer(seat, number) for seat, number in numbers.items()}}
        codes = {seat: begun[seat].code for seat in self.state.actors if seat in begun}
        whole = {seat: code for seat, code in codes.items() if code is not None}
        if len(whole) < len(self.state.actors):
            return Step(self.state, begun)
        if not watched:
            return Step(self.state.play_codes(whole))
        turn = self.state.play_codes(whole, trace=True)
        return Step(turn.after, turn=turn)

    def _longer(self, seat: int, number: int) -> Begun:
        options = self.options(seat)
        if number not in options:
            raise CrashlabError(f"{shown(number)} cannot be chosen by {self.state.game.seat_name(seat)} now")
        chosen, so_far = options[number], self.so_far(seat)
        return Begun((*so_far.numbers, number), (*so_far.words, chosen.word), chosen.code)

    def seen_by(self, seat: int | None) -> State:
        """The position as a seat sees it; None: what everybody knows."""
        if seat not in self._views:
            self._views[seat] = self.state.seen_by(seat)
        return self._views[seat]

    def told(self, seat: int | None) -> Ints:
        """What a seat sees, and the numbers that it has chosen here; None: what everybody knows."""
        import numpy as np

        numbers = () if seat is None else self.so_far(seat).numbers
        chosen = [*numbers, *[NOT_CHOSEN] * (DEEPEST - len(numbers))]
        return np.concatenate([observed(self.seen_by(seat).table), np.array(chosen, dtype=np.int64)])

    def __deepcopy__(self, memo: object) -> Step:
        return self


def width(game: Game) -> int:
    """How many numbers a seat can choose from."""
    return game.vocabulary or min(WIDEST, game.rules.MOST_ACTIONS)


def utilities(state: State, utility: str) -> list[float]:
    """What each seat has: its lead over the average of the others, or its share of the win, once the game is over."""
    seats = state.game.seats
    if utility == "share":
        return [1 / len(state.winners) if seat in state.winners else 0.0 for seat in seats]
    total = sum(state.scores)
    return [score - (total - score) / (len(seats) - 1) for score in state.scores]


def bounds(game: Game, utility: str) -> tuple[float, float]:
    """The least and the greatest utility."""
    least, greatest = game.facts.scores
    most = FAR if greatest is None else greatest - least
    return (0, 1) if utility == "share" else (-most, most)


def check_utility(utility: object) -> str:
    """The utility that is meant."""
    if not isinstance(utility, str) or utility not in UTILITIES:
        raise CrashlabError(f"utility={shown(utility)}: choose one of {', '.join(map(repr, UTILITIES))}")
    return utility


def beginning(start: object, seed: int = 0) -> State:
    """Where a game begins: a new game with this seed, or the position itself."""
    if isinstance(start, Game):
        return start.start(seed)
    if not isinstance(start, State):
        raise CrashlabError(f"an adapter is made of a game or a position, not of {shown(start)}")
    if start.closed:
        raise CrashlabError(f"there is nothing to play here: {start.closed}")
    return start
