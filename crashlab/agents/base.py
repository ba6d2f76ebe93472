"""The thoughts of agents: the visits and the result of each action."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Self

from crashlab.base.errors import expect, whole
from crashlab.base.statistics import half_width_of, noted, plus_minus
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import flat_search
from crashlab.engine.chance import Random
from crashlab.engine.game import Action, Actions, Game, State
from crashlab.engine.notation import counted

DIGITS = 6  # digits of a lead, which is a sum of hundredths


@dataclass(frozen=True)
class Thought:
    """An action with its visits, its mean result, and half the width of the 95 % interval.

    In a search that samples, an action without visits has the value `nan`, and one with few visits an infinite half
    width.

        >>> state = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "21E2", "2": "23SE2"}})
        >>> first = greedy(seed=1).think(state, 0).rows[0]
        >>> first.action, first.visits, first.value
        (<81 FFF>, 4, 11.25)
    """

    action: Action
    visits: int
    value: float
    half_width: float

    @classmethod
    def of(cls, action: Action, visits: int, total: float, squares: float) -> Thought:
        """Build the thought of an action from the sums of its values and their squares."""
        value = total / visits if visits else math.nan
        return cls(action, visits, value, half_width_of(visits, max(squares - total * value, 0.0)))


@dataclass(frozen=True)
class Thoughts:
    """A seat's evaluation of its actions in a state, best first; `what` names the value: "lead", "win" or "judged".

    >>> state = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "21E2", "2": "23SE2"}})
    >>> thoughts = greedy(seed=1).think(state, 0)
    >>> [(str(row.action), row.value) for row in thoughts.rows[:3]]
    [('81 FFF', 11.25), ('81 FF', 9.25), ('81 FFR', 9.25)]
    """

    state: State
    seat: int
    rows: tuple[Thought, ...]
    playouts: int
    what: str

    @property
    def best(self) -> Action:
        """The action to play."""
        return self.rows[0].action

    def table(self, max_rows: int = 10) -> str:
        """Return a table of the best actions as text: notation, visits, value ± interval."""
        max_rows = whole("max_rows", max_rows, least=0)
        words = [(str(row.action), str(row.visits), *_numbers(row)) for row in self.rows[:max_rows]]
        head = (f"{self.state.game.seat_name(self.seat)}, {counted(self.playouts, 'playout')}", "visits", self.what, "")
        wide = [max(len(line[column]) for line in [head, *words]) for column in range(4)]
        lines = [
            f"{name:{wide[0]}}  {visits:>{wide[1]}}  {value:>{wide[2]}}{interval:{wide[3]}}".rstrip()
            for name, visits, value, interval in [head, *words]
        ]
        left = len(self.rows) - len(words)
        return "\n".join(noted([*lines, f"... and {left} more"] if left else lines))

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        name = self.state.game.seat_name(self.seat)
        actions, playouts = counted(len(self), "action"), counted(self.playouts, "playout")
        return f"<Thoughts of {name}: {self.best} of {actions} after {playouts}>"

    def __iter__(self) -> Iterator[Thought]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def _numbers(row: Thought) -> tuple[str, str]:
    """Format the value and its interval; "-" without visits."""
    value = f"{row.value:.2f}" if row.visits else "-"
    return value, f" {plus_minus(row.half_width)}" if row.visits else ""


def choices(state: State, seat: int) -> Actions:
    """Return the legal actions of a seat; raise CrashlabError if it does not decide now."""
    expect(state, State, "an agent needs a state")
    return state.actions(seat)


def lead(state: State, seat: int) -> float:
    """Return the lead of a seat over the average of the others, in points, including points within reach (`evaluate`).

    Parameters
    ----------
    state : State
        The position.
    seat : int
        The seat.

    Returns
    -------
    float
        The lead, in points.

    Examples
    --------
    >>> game = crashlab.game("autoscooter", players=3)
    >>> state = game.read({"cars": {"1": "21E2"}, "chits": {"A": 25, "B": 15}})
    >>> state.scores, lead(state, 0)
    ((25, 15, 20), 7.5)
    """
    values = [0] * state.game.rules.MOST_ACTIONS
    state.game.rules.evaluate(state.table, values)
    return round(flat_search.lead(seat, len(state.game.seats), values), DIGITS)


def leads_of(scores: Sequence[float]) -> list[float]:
    """Return the lead of each seat over the average of the others."""
    others = max(len(scores) - 1, 1)
    return [score - (sum(scores) - score) / others for score in scores]


class Thinker(ABC):
    """An agent that can explain its choice: a function `(view, seat) -> action` with a method `think`.

    >>> state = crashlab.game("autoscooter", players=2).read({"round": 11, "cars": {"1": "21E2", "2": "23SE2"}})
    >>> thinker = greedy(seed=1)
    >>> thinker(state, 0), isinstance(thinker, Thinker)
    (<81 FFF>, True)
    """

    __name__: str  # the agent's name in messages; functions have the same attribute
    purpose = ""  # the purpose that `choose_backend.warm` compiles for; empty for an agent that does not search
    _rng: Random

    def get_ready(self, game: Game) -> None:
        """Compile the search, so that compilation does not use up the agent's time."""
        if self.purpose:
            choose_backend.warm(game, self.purpose)

    def seeded(self, seed: int) -> Self:
        """Return a copy with a new seed, so that a game does not depend on earlier ones."""
        other = copy(self)
        other._rng = Random(seed)
        return other

    @abstractmethod
    def think(self, state: State, seat: int) -> Thoughts:
        """Return the evaluation of each action of the seat."""

    def __call__(self, state: State, seat: int) -> Action:
        return self.think(state, seat).best
