"""What a seat's actions are worth in an endgame that is solved: exact, where a search has playouts."""

from crashlab.agents import Thought
from crashlab.analysis.endgame import RoundPlan, Solution, obstacle, passes_of, solve
from crashlab.base.errors import whole
from crashlab.engine.game import State


class Solved:
    """An endgame instead of an `agents.Search`: the first thought knows everything.

    The value of an action is the seat's lead at the end against the other's mixture, if it goes on as well as can be.
    """

    value = "lead"

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.playouts = 0  # 1 when it is solved
        self._found: Solution | None = None

    @classmethod
    def suits(cls, state: State) -> bool:
        """Whether this position is solved soon enough to be waited for: not with two cars each in two rounds."""
        if len(state.game.seats) != 2 or obstacle(state):
            return False
        return len(passes_of(state)) == 1 or not obstacle(state, rounds=1)

    def grow(self, playouts: int) -> None:
        """Solve it, unless that has been done."""
        whole("playouts", playouts, least=0)
        if playouts and self._found is None:
            self._found = solve(self.state, progress=False)
            self.playouts = 1

    def grow_for(self, seconds: float) -> None:
        """The same; it takes as long as it takes."""
        self.grow(1)

    def thoughts(self) -> list[Thought]:
        """What every action is worth, the best first; nothing before it is solved."""
        best = self._leads()
        rows = [Thought(action, 1, best[action.code], 0.0) for action in self.state.actions(self.seat) if best]
        return sorted(rows, key=lambda row: -row.value)

    def chances(self) -> dict[int, float]:
        """How likely the seat's mixture plays each action, by its code; with two cars, the action of the first."""
        found: dict[int, float] = {}
        if self._found is not None:
            plans, mixture = self._side(self._found)
            for plan, chance in zip(plans, mixture, strict=True):
                found[first_code(plan)] = found.get(first_code(plan), 0.0) + float(chance)
        return found

    def _leads(self) -> dict[int, float]:
        """The best that each action leads to, by its code."""
        found: dict[int, float] = {}
        if self._found is not None:
            duel = self._found.duel
            is_row = self.seat == self.state.actors[0]
            worths = duel.values @ self._found.column if is_row else -(self._found.row @ duel.values)
            for plan, lead in zip(self._side(self._found)[0], worths.round(9).tolist(), strict=True):
                found[first_code(plan)] = max(found.get(first_code(plan), lead), lead) + 0.0
        return found

    def _side(self, found: Solution) -> tuple[tuple[object, ...], list[float]]:
        """The seat's plans and its mixture."""
        if self.seat == self.state.actors[0]:
            return found.duel.rows, found.row.tolist()
        return found.duel.columns, found.column.tolist()


def first_code(plan: object) -> int:
    """The code of a plan's first action."""
    action = plan[0] if isinstance(plan, RoundPlan) else plan
    return int(action.code)  # type: ignore[attr-defined]
