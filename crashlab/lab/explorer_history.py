"""The memory of an explorer: positions with their plans, and the moves from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from crashlab.agents import Agent
from crashlab.base.errors import CrashlabError, require
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.shapes import Piece
from crashlab.drawing.story import motion
from crashlab.engine.game import State, Turn
from crashlab.engine.prompts import Choice
from crashlab.engine.table import CHANCE
from crashlab.lab.board_choices import BoardChoices
from crashlab.play.match import answer

ENOUGH = 60  # maximum number of decisions that agents play in a row
REST, ONE = "Agents plan the rest", "Let an agent choose"


@dataclass(frozen=True)
class SeatPlan:
    """The choices of a seat: the words so far, their marks, and the action when it is complete."""

    words: tuple[str, ...] = ()
    shapes: Shapes = ()
    action: Any = None

    def then(self, choice: Choice) -> SeatPlan:
        """Return the plan with one more choice."""
        return SeatPlan((*self.words, choice.word), (*self.shapes, *choice.shapes), choice.action or None)


@dataclass(frozen=True)
class ExplorerState:
    """A moment of an explorer: a position, its plans, the turns that led to it, and the moments for undo and redo."""

    offers: BoardChoices  # choices of the position
    seat: int | None = None
    plans: Mapping[int, SeatPlan] = field(default_factory=dict)
    turns: tuple[Turn, ...] = ()  # turns since the previous moment
    quiet: bool = True  # whether all pieces stayed in place in these turns
    yours: frozenset[int] = frozenset()  # the seats that you play: you have chosen for them, and no agent has since
    you: frozenset[int] = frozenset()  # your own seats, with agents at all others; empty if you may play any seat
    answers: dict[int, tuple[Agent, object]] = field(
        default_factory=dict, repr=False, compare=False
    )  # cached actions of agents, by seat
    before: ExplorerState | None = field(default=None, repr=False)
    undone: ExplorerState | None = field(default=None, repr=False)

    # State

    @property
    def state(self) -> State:
        """The position."""
        return self.offers.state

    @property
    def turn(self) -> Turn | None:
        """The last turn before the position, or None."""
        return self.turns[-1] if self.turns else None

    @property
    def missing(self) -> list[int]:
        """The seats without a complete plan."""
        return [seat for seat in self.state.actors if self.plans.get(seat, SeatPlan()).action is None]

    @property
    def waiting(self) -> list[int]:
        """Your seats without a complete plan."""
        return [seat for seat in self.missing if seat in self.yours]

    @property
    def decided(self) -> bool:
        """Whether all your seats have plans or, if you have no seat of your own, the only current seat has a plan."""
        if self.you:
            return bool(self.actions) and not self.waiting and self.seat is None
        return len(self.state.actors) == 1 and not self.missing

    @property
    def is_worth_a_film(self) -> bool:
        """Whether a piece has moved, or other seats have decided after you."""
        yours = self.yours | {CHANCE}
        return not self.quiet or (bool(self.you) and any(not yours & set(turn.actions) for turn in self.turns))

    def is_yours(self) -> bool:
        """Return whether one of your seats must decide."""
        return bool(self.waiting)

    def is_anybodys(self) -> bool:
        """Return whether the next decision is one of seats, not of chance."""
        return self.state.actors != (CHANCE,)

    def is_next_round(self, rounds: int) -> bool:
        """Return whether more than this number of rounds have started, and you (or any seat) must decide."""
        return self.offers.rounds > rounds and (self.is_yours() if self.you else self.is_anybodys())

    def is_news(self) -> bool:
        """Return whether you must decide, or a piece has moved."""
        return self.is_yours() or not self.quiet

    @property
    def ready(self) -> bool:
        """Whether the decision can be played with the current plans."""
        return self.missing in ([], [CHANCE])

    @property
    def begun(self) -> SeatPlan:
        """The unfinished plan of the current seat."""
        plan = self.plans.get(self.seat, SeatPlan()) if self.seat is not None else SeatPlan()
        return plan if plan.action is None else SeatPlan()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The next choices of the current seat."""
        return self.offers.choices(self.seat, self.begun.words) if self.seat is not None else ()

    @property
    def subject(self) -> Piece | None:
        """The piece that the current decision is about, or None."""
        return self.offers.subject(self.seat)

    @property
    def actions(self) -> dict[int, object]:
        """The completed plans, by seat."""
        return {seat: plan.action for seat, plan in self.plans.items() if plan.action is not None}

    @property
    def plans_to_keep(self) -> list[tuple[int, tuple[str, ...], str | None]]:
        """The plans as JSON, for `replanned`: seat, words, and the action if it is complete."""
        return [(seat, it.words, None if it.action is None else str(it.action)) for seat, it in self.plans.items()]

    @property
    def filling(self) -> str:
        """The label of the button that lets agents plan."""
        return ONE if len(self.state.actors) == 1 else REST

    # Transitions

    def planned(self, seat: int, plan: SeatPlan) -> ExplorerState:
        """Return the moment with this plan of yours; if it is complete, the next seat without one is current."""
        yours = self.yours if seat == CHANCE else self.yours | {seat}
        after = replace(self, plans={**self.plans, seat: plan}, yours=yours)
        remaining = after.waiting if self.you else after.missing
        return replace(after, seat=seat if plan.action is None else next(iter(remaining), None))

    def replanned(self, seat: int, words: Sequence[str], action: str | None) -> ExplorerState:
        """Return the moment with a saved plan, rebuilt choice by choice, or from its action if an agent made it."""
        moment = replace(self, seat=seat)
        try:
            for word in words:
                choice = {choice.word: choice for choice in moment.choices}[word]
                moment = moment.planned(seat, moment.begun.then(choice))
        except KeyError:
            self.state.legal_code(seat, action)
            return self.planned(seat, SeatPlan((str(action),), (), action))
        return moment

    def filled(self, agents: Mapping[int, Agent], sparing: frozenset[int] = frozenset()) -> ExplorerState:
        """Return the moment with a plan for every seat; sparing seats skip optional actions."""
        require(not self.state.over, "the game is over; undo, or set up another position")
        plans = dict(self.plans)
        for seat in self.missing:
            if seat != CHANCE:
                without = self.state.game.decision(self.state.table, seat).without if seat in sparing else ""
                action = without or self.answered(agents[seat], seat)
                plans[seat] = SeatPlan((str(action),), (), action)
        return replace(self, plans=plans, seat=None)

    def answered(self, agent: Agent, seat: int) -> object:
        """Return the agent's action in this position; it is cached, so that the agent repeats it after Undo."""
        if seat not in self.answers or self.answers[seat][0] is not agent:
            self.answers[seat] = agent, answer(agent, self.state, seat)
        return self.answers[seat][1]

    def played(self) -> ExplorerState:
        """Return the moment after this decision."""
        if self.missing == [CHANCE]:
            turn = self.state.play()
        elif self.missing:
            raise self.unplanned(self.missing)
        else:
            turn = self.state.play(self.actions)
        return replace(self.at(turn.after), turns=(turn,), quiet=not motion(turn))

    def played_on(
        self,
        agents: Mapping[int, Agent],
        enough: Callable[[ExplorerState], bool],
        sparing: frozenset[int] = frozenset(),
    ) -> ExplorerState:
        """Return the moment after this decision and others, played until enough(moment).

        Agents choose for all seats without a plan; `sparing` seats skip optional actions.
        """
        after = self
        turns: tuple[Turn, ...] = ()
        quiet = True
        for _ in range(ENOUGH):
            after = after.filled(agents, sparing).played()
            turns += after.turns
            quiet = quiet and after.quiet
            if after.state.over or enough(after):
                break
        return replace(after, turns=turns, quiet=quiet)

    def at(self, state: State) -> ExplorerState:
        """Return the moment of another position with the same roles and no plans."""
        return fresh(state, self.yours, self.you, self.offers.seats)

    def seen_by(self, seats: frozenset[int]) -> ExplorerState:
        """Return the moment as these seats see it; with no seats, everything is visible."""
        return replace(self, offers=BoardChoices(self.state, seats))

    def unplanned(self, seats: Sequence[int]) -> CrashlabError:
        """Return the error that asks these seats to choose first."""
        names = ", ".join(map(self.state.game.seat_name, seats))
        has = "has" if len(seats) == 1 else "have"
        return CrashlabError(f"{names} still {has} to choose: on the board, from the list, or press '{self.filling}'")


def fresh(
    state: State,
    yours: frozenset[int] = frozenset(),
    you: frozenset[int] = frozenset(),
    seats: frozenset[int] = frozenset(),
) -> ExplorerState:
    """Return a moment without plans; with `you`, its current seat is one of yours, CHANCE or None."""
    actors = [seat for seat in state.actors if not you or seat in yours | {CHANCE}]
    return ExplorerState(BoardChoices(state, seats), next(iter(actors), None), yours=yours, you=you)
