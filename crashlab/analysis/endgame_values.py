"""Exact action values in solved endgames, with the interface of a search."""

from crashlab.agents import Thought
from crashlab.analysis.endgame import RoundPlan, Solution, obstacle, passes_of, solve
from crashlab.base.errors import whole
from crashlab.engine.game import State


class Solved:
    """A solved endgame in place of an `agents.Search`: one step of growth gives the exact result.

    The value of an action is the seat's final lead against the other's mixture, if the seat continues with best play.
    """

    value = "lead"

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.playouts = 0  # 1 once it is solved
        self._solution: Solution | None = None

    @classmethod
    def suits(cls, state: State) -> bool:
        """Return whether a position is quick to solve: two seats with two rounds left, or one if each has two cars."""
        if len(state.game.seats) != 2 or obstacle(state):
            return False
        return len(passes_of(state)) == 1 or not obstacle(state, rounds=1)

    def grow(self, playouts: int) -> None:
        """Solve the endgame, unless it is solved already or `playouts` is 0."""
        whole("playouts", playouts, least=0)
        if playouts and self._solution is None:
            self._solution = solve(self.state, progress=False)
            self.playouts = 1

    def grow_for(self, seconds: float) -> None:
        """Solve the endgame, ignoring the time limit."""
        self.grow(1)

    def thoughts(self) -> list[Thought]:
        """Return the value of every action, best first; empty before it is solved."""
        best = self._leads()
        rows = [Thought(action, 1, best[action.code], 0.0) for action in self.state.actions(self.seat) if best]
        return sorted(rows, key=lambda row: -row.value)

    def chances(self) -> dict[int, float]:
        """Return the probabilities of the seat's actions by code; with two cars, of the first car's actions."""
        chances: dict[int, float] = {}
        if self._solution is not None:
            plans, mixture = self._side(self._solution)
            for plan, chance in zip(plans, mixture, strict=True):
                chances[first_code(plan)] = chances.get(first_code(plan), 0.0) + float(chance)
        return chances

    def _leads(self) -> dict[int, float]:
        """Return the best final lead after each action, by code; empty before it is solved."""
        leads: dict[int, float] = {}
        if self._solution is not None:
            duel = self._solution.duel
            is_row = self.seat == self.state.actors[0]
            worths = duel.values @ self._solution.column if is_row else -(self._solution.row @ duel.values)
            for plan, lead in zip(self._side(self._solution)[0], worths.round(9).tolist(), strict=True):
                leads[first_code(plan)] = max(leads.get(first_code(plan), lead), lead) + 0.0
        return leads

    def _side(self, solution: Solution) -> tuple[tuple[object, ...], list[float]]:
        """Return the seat's plans and its mixture."""
        if self.seat == self.state.actors[0]:
            return solution.duel.rows, solution.row.tolist()
        return solution.duel.columns, solution.column.tolist()


def first_code(plan: object) -> int:
    """Return the code of a plan's first action."""
    action = plan[0] if isinstance(plan, RoundPlan) else plan
    return int(action.code)  # type: ignore[attr-defined]
