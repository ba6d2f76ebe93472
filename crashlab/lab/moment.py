"""What an explorer remembers: a position, what is planned in it, and how one such moment leads to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from crashlab.agents import Agent
from crashlab.asking import Choice
from crashlab.errors import CrashlabError
from crashlab.film import motion
from crashlab.happen import CHANCE
from crashlab.lab.offers import Offers
from crashlab.match import answer
from crashlab.shapes import Piece
from crashlab.stage.canvas import Shapes
from crashlab.state import State, Turn

REST, ONE = "Agents plan the rest", "Let an agent choose"


@dataclass(frozen=True)
class Plan:
    """What a seat has chosen: the words so far, how they look, and the action when they are complete."""

    words: tuple[str, ...] = ()
    shapes: Shapes = ()
    action: object = None


@dataclass(frozen=True)
class Moment:
    """A position, what is planned in it, the turn that led to it, and what undo and redo lead to."""

    offers: Offers  # of the position
    seat: int | None = None
    plans: Mapping[int, Plan] = field(default_factory=dict)
    turn: Turn | None = None
    quiet: bool = False  # nothing moved in that turn
    yours: frozenset[int] = frozenset()  # the seats that you play: you have chosen for them, and no agent has since
    before: Moment | None = field(default=None, repr=False)
    undone: Moment | None = field(default=None, repr=False)

    # How it stands

    @property
    def state(self) -> State:
        """The position."""
        return self.offers.state

    @property
    def missing(self) -> list[int]:
        """The seats that have still to plan."""
        return [seat for seat in self.state.actors if self.plans.get(seat, Plan()).action is None]

    @property
    def waiting(self) -> list[int]:
        """The seats among them that you play."""
        return [seat for seat in self.missing if seat in self.yours]

    @property
    def ready(self) -> bool:
        """Whether it can be played without another plan."""
        return self.missing in ([], [CHANCE])

    @property
    def begun(self) -> Plan:
        """What the seat that is asked has chosen so far."""
        plan = self.plans.get(self.seat, Plan()) if self.seat is not None else Plan()
        return plan if plan.action is None else Plan()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What the seat that is asked can choose next."""
        return self.offers.choices(self.seat, self.begun.words) if self.seat is not None else ()

    @property
    def subject(self) -> Piece | None:
        """The piece that the seat is asked about."""
        return self.offers.subject(self.seat)

    @property
    def actions(self) -> dict[int, object]:
        """What is planned completely."""
        return {seat: plan.action for seat, plan in self.plans.items() if plan.action is not None}

    @property
    def filling(self) -> str:
        """What the agents can do here, in words."""
        return ONE if len(self.state.actors) == 1 else REST

    # What follows

    def planned(self, seat: int, plan: Plan) -> Moment:
        """The moment with this plan of yours, and the next seat to plan if it is complete."""
        yours = self.yours if seat == CHANCE else self.yours | {seat}
        after = replace(self, plans={**self.plans, seat: plan}, yours=yours)
        return replace(after, seat=seat if plan.action is None else next(iter(after.missing), None))

    def filled(self, agents: Mapping[int, Agent]) -> Moment:
        """The moment with a plan for every seat."""
        if self.state.over:
            raise CrashlabError("the game is over; undo, or set up another position")
        plans = dict(self.plans)
        for seat in self.missing:
            if seat != CHANCE:
                action = answer(agents[seat], self.state, seat)
                plans[seat] = Plan((str(action),), (), action)
        return replace(self, plans=plans, seat=None)

    def played(self) -> Moment:
        """The moment after this decision."""
        if self.missing == [CHANCE]:
            turn = self.state.play()
        elif self.missing:
            raise self.unplanned(self.missing)
        else:
            turn = self.state.play(self.actions)
        return replace(fresh(turn.after, self.yours), turn=turn, quiet=not motion(turn))

    def unplanned(self, seats: Sequence[int]) -> CrashlabError:
        """What to say where these seats have to choose first."""
        names = ", ".join(map(self.state.game.seat_name, seats))
        has = "has" if len(seats) == 1 else "have"
        return CrashlabError(f"{names} still {has} to choose: on the board, from the list, or press '{self.filling}'")


def fresh(state: State, yours: frozenset[int] = frozenset()) -> Moment:
    """A position in which nothing is planned."""
    return Moment(Offers(state), state.actors[0] if state.actors else None, yours=yours)
