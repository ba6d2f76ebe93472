"""What an explorer remembers: a position, what is planned in it, and how one such moment leads to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from crashlab.agents import Agent
from crashlab.base.errors import CrashlabError
from crashlab.drawing.canvas import Shapes
from crashlab.drawing.shapes import Piece
from crashlab.drawing.story import motion
from crashlab.engine.game import State, Turn
from crashlab.engine.prompts import Choice
from crashlab.engine.table import CHANCE
from crashlab.lab.board_choices import BoardChoices
from crashlab.play.match import answer

ENOUGH = 60  # decisions after which one has played on for long enough, whatever happens
REST, ONE = "Agents plan the rest", "Let an agent choose"


@dataclass(frozen=True)
class SeatPlan:
    """What a seat has chosen: the words so far, how they look, and the action when they are complete."""

    words: tuple[str, ...] = ()
    shapes: Shapes = ()
    action: Any = None

    def then(self, choice: Choice) -> SeatPlan:
        """The plan with one more choice."""
        return SeatPlan((*self.words, choice.word), (*self.shapes, *choice.shapes), choice.action or None)


@dataclass(frozen=True)
class Moment:
    """A position, what is planned in it, the turn that led to it, and what undo and redo lead to."""

    offers: BoardChoices  # of the position
    seat: int | None = None
    plans: Mapping[int, SeatPlan] = field(default_factory=dict)
    turns: tuple[Turn, ...] = ()  # that led here from the moment before
    quiet: bool = True  # nothing moved in them
    yours: frozenset[int] = frozenset()  # the seats that you play: you have chosen for them, and no agent has since
    you: frozenset[int] = frozenset()  # the seats that you are: agents play all others; none, if you play what you like
    answers: dict[int, tuple[Agent, object]] = field(default_factory=dict, repr=False, compare=False)  # of agents
    before: Moment | None = field(default=None, repr=False)
    undone: Moment | None = field(default=None, repr=False)

    # How it stands

    @property
    def state(self) -> State:
        """The position."""
        return self.offers.state

    @property
    def turn(self) -> Turn | None:
        """The turn that led here."""
        return self.turns[-1] if self.turns else None

    @property
    def missing(self) -> list[int]:
        """The seats that have still to plan."""
        return [seat for seat in self.state.actors if self.plans.get(seat, SeatPlan()).action is None]

    @property
    def waiting(self) -> list[int]:
        """The seats among them that you play."""
        return [seat for seat in self.missing if seat in self.yours]

    @property
    def decided(self) -> bool:
        """Whether you have decided all that is yours to decide here, and nobody else does at the same time by hand."""
        if self.you:
            return bool(self.actions) and not self.waiting and self.seat is None
        return len(self.state.actors) == 1 and not self.missing

    @property
    def is_worth_a_film(self) -> bool:
        """Whether something has moved, or others have decided something after you."""
        known = self.yours | {CHANCE}
        return not self.quiet or (bool(self.you) and any(not known & set(turn.actions) for turn in self.turns))

    def is_yours(self) -> bool:
        """Whether you are asked."""
        return bool(self.waiting)

    def is_anybodys(self) -> bool:
        """Whether anybody but chance is asked."""
        return self.state.actors != (CHANCE,)

    def is_next_round(self, rounds: int) -> bool:
        """Whether more rounds than these have begun, and whoever you are is asked."""
        return self.offers.rounds > rounds and (self.is_yours() if self.you else self.is_anybodys())

    def is_news(self) -> bool:
        """Whether you are asked, or something has moved."""
        return self.is_yours() or not self.quiet

    @property
    def ready(self) -> bool:
        """Whether it can be played without another plan."""
        return self.missing in ([], [CHANCE])

    @property
    def begun(self) -> SeatPlan:
        """What the seat that is asked has chosen so far."""
        plan = self.plans.get(self.seat, SeatPlan()) if self.seat is not None else SeatPlan()
        return plan if plan.action is None else SeatPlan()

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
    def plans_to_keep(self) -> list[tuple[int, tuple[str, ...], str | None]]:
        """The plans as JSON, for `replanned`: seat, words, and the action where it is complete."""
        return [(seat, it.words, None if it.action is None else str(it.action)) for seat, it in self.plans.items()]

    @property
    def filling(self) -> str:
        """What the agents can do here, in words."""
        return ONE if len(self.state.actors) == 1 else REST

    # What follows

    def planned(self, seat: int, plan: SeatPlan) -> Moment:
        """The moment with this plan of yours, and the next seat to plan if it is complete."""
        yours = self.yours if seat == CHANCE else self.yours | {seat}
        after = replace(self, plans={**self.plans, seat: plan}, yours=yours)
        left = after.waiting if self.you else after.missing
        return replace(after, seat=seat if plan.action is None else next(iter(left), None))

    def replanned(self, seat: int, words: Sequence[str], action: str | None) -> Moment:
        """Return the moment with a plan that was kept, by its choices, or by its action if an agent has planned it."""
        moment = replace(self, seat=seat)
        try:
            for word in words:
                choice = {choice.word: choice for choice in moment.choices}[word]
                moment = moment.planned(seat, moment.begun.then(choice))
        except KeyError:
            self.state.legal_code(seat, action)
            return self.planned(seat, SeatPlan((str(action),), (), action))
        return moment

    def filled(self, agents: Mapping[int, Agent], sparing: frozenset[int] = frozenset()) -> Moment:
        """The moment with a plan for every seat; those that are `sparing` do without what they can do without."""
        if self.state.over:
            raise CrashlabError("the game is over; undo, or set up another position")
        plans = dict(self.plans)
        for seat in self.missing:
            if seat != CHANCE:
                without = self.state.game.decision(self.state.table, seat).without if seat in sparing else ""
                action = without or self.answered(agents[seat], seat)
                plans[seat] = SeatPlan((str(action),), (), action)
        return replace(self, plans=plans, seat=None)

    def answered(self, agent: Agent, seat: int) -> object:
        """What an agent plays here; asked again, as after Undo, it plays the same, so that only you have changed."""
        if seat not in self.answers or self.answers[seat][0] is not agent:
            self.answers[seat] = agent, answer(agent, self.state, seat)
        return self.answers[seat][1]

    def played(self) -> Moment:
        """The moment after this decision."""
        if self.missing == [CHANCE]:
            turn = self.state.play()
        elif self.missing:
            raise self.unplanned(self.missing)
        else:
            turn = self.state.play(self.actions)
        return replace(self.at(turn.after), turns=(turn,), quiet=not motion(turn))

    def played_on(
        self, agents: Mapping[int, Agent], enough: Callable[[Moment], bool], sparing: frozenset[int] = frozenset()
    ) -> Moment:
        """The moment after this decision and others, with agents at all seats that have no plan, until it is enough."""
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

    def at(self, state: State) -> Moment:
        """The same you at another position, in which nothing is planned."""
        return fresh(state, self.yours, self.you, self.offers.seats)

    def seen_by(self, seats: frozenset[int]) -> Moment:
        """The same, as these seats see it; all, if there are none."""
        return replace(self, offers=BoardChoices(self.state, seats))

    def unplanned(self, seats: Sequence[int]) -> CrashlabError:
        """What to say where these seats have to choose first."""
        names = ", ".join(map(self.state.game.seat_name, seats))
        has = "has" if len(seats) == 1 else "have"
        return CrashlabError(f"{names} still {has} to choose: on the board, from the list, or press '{self.filling}'")


def fresh(
    state: State,
    yours: frozenset[int] = frozenset(),
    you: frozenset[int] = frozenset(),
    seats: frozenset[int] = frozenset(),
) -> Moment:
    """A position in which nothing is planned; the seat that is asked is one of yours, if you are somebody."""
    asked = [seat for seat in state.actors if not you or seat in yours | {CHANCE}]
    return Moment(BoardChoices(state, seats), next(iter(asked), None), yours=yours, you=you)
