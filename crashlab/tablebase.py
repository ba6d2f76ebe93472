"""The complete table of a small race: of every position that can come about, who wins, and in how many decisions.

    table = crashlab.retrograde(position)
    print(table)                  # how many positions, who wins how many of them, in how many decisions
    table.value(state)            # Outcome(winner=0, decisions=3)
    table.best(state)             # an action: wins as soon as it can, loses as late as it can
    Arena(position, {1: table.agent})

It is found backwards (retrograde analysis). First all positions are met, from the given one on. Where the race is
decided, the winner is known, 0 decisions before the end. A position from which the player who decides can come to one
of theirs is won, too, one decision earlier; it is lost once all its actions are known to lose. What is never reached
so is a draw: whoever would lose otherwise can go on for ever.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from crashlab import advance
from crashlab.actions import Action
from crashlab.agents import alphabeta
from crashlab.agents.minimax import unfit
from crashlab.clock import look
from crashlab.errors import CrashlabError, shown, whole
from crashlab.games import contract
from crashlab.happen import CHANCE, NOWHERE, Changes, Table
from crashlab.notation import counted
from crashlab.progress import bar
from crashlab.state import Seat, State
from crashlab.variant import Game

MOST = 100_000  # positions: a minute or so of plain Python
Goal = Callable[[State], Seat | None]


class Outcome(NamedTuple):
    """Who wins a position if nobody errs, and in how many decisions of both; None if nobody does.

        >>> crashlab.Outcome(winner=0, decisions=5)
        Outcome(winner=0, decisions=5)
    """

    winner: int | None
    decisions: int | None


DRAW = Outcome(None, None)


def retrograde(
    position: State, goal: Goal | None = None, most: int = MOST, progress: bool = True
) -> Tablebase:
    """The complete table of all positions that can come about from this one, solved backwards.

    It is for two players who decide by turns, see everything, and meet with no chance. A decision in which nobody has
    a choice is no position of its own, and fields that only count the time (`game.facts.clocks`) tell none apart.

    goal      what decides the race: a function that is given a State and gives the seat that has won it, or None; by
              default whoever scores first wins. At the end of the game its winner has won, unless there are several
    most      how many positions there may be
    progress  whether to show a bar when it takes longer than a second

        >>> city = crashlab.game("crash_city", players=2)
        >>> found = crashlab.retrograde(city.read("tiles 1,0 NS shop A; cars A 0,0N>E / B 0,0S>W"))
        >>> found.counts, found.longest
        ({'A': 124, 'B': 124, 'nobody': 0}, 4)
    """
    if not isinstance(position, State):
        raise CrashlabError(f"retrograde begins with a state, not with {shown(position)}")
    if goal is not None and not callable(goal):
        raise CrashlabError(f"goal={shown(goal)}: a function of a State is wanted, which gives the seat that has won")
    whole("most", most)
    if reason := unfit(position):
        raise CrashlabError(f"retrograde is {reason}")
    race = Race(position, goal or FirstScore(position.scores))
    race.explore(most, progress)
    return Tablebase(race, race.solved())


@dataclass(frozen=True)
class FirstScore:
    """The goal of scoring first: the seat that has more points than at the start has won."""

    before: tuple[int, ...]

    def __call__(self, state: State) -> int | None:
        scored = [seat for seat, points in enumerate(state.scores) if points > self.before[seat]]
        return scored[0] if len(scored) == 1 else None


@dataclass
class Race:
    """All positions that can come about from one, by number in the order in which they were met."""

    start: State
    goal: Goal
    keys: list[Changes] = field(default_factory=list)
    numbers: dict[Changes, int] = field(default_factory=dict)
    actors: list[int] = field(default_factory=list)  # who decides; NOWHERE where the race is over
    winners: dict[int, int | None] = field(default_factory=dict)  # of the positions where the race is over
    before: list[list[int]] = field(default_factory=list)  # the positions from which one action leads here

    def __post_init__(self) -> None:
        self.clocks = type(self.start.table).numbers(*self.start.game.facts.clocks)

    def explore(self, most: int, progress: bool) -> None:
        """Meet them all; refused where they are too many."""
        self._meet(self.start.table)
        with bar(1, "positions looked at", progress) as shown_bar:
            for number, key in enumerate(self.keys):  # they grow meanwhile
                look()
                table = self.start.table.changed(key)
                self.actors.append(self._actor(number, table))
                if self.actors[number] != NOWHERE:
                    for _, after in self.followers(table, self.actors[number]):
                        self.before[self._meet(after)].append(number)
                if len(self.keys) > most:
                    raise CrashlabError(
                        f"more than {most:,} positions can come about from this one: {len(self.keys):,} were met when"
                        f" {number + 1:,} of them had been looked at. Take a smaller race, or give a larger most="
                    )
                shown_bar.total = len(self.keys)
                shown_bar.update(1)

    def key(self, table: Table) -> Changes:
        """What tells a table from all others that can come about."""
        return table.since(self.start.table, self.clocks)

    def state(self, number: int) -> State:
        """A position as a State."""
        return State(self.start.game, self.start.table.changed(self.keys[number]))

    def followers(self, table: Table, actor: int) -> Iterator[tuple[int, Table]]:
        """Each action of who decides, and the table to which it leads."""
        rules = self.start.game.rules
        for code in contract.listed(rules, table, actor):
            after = table.copy()
            advance.decide(rules, after, {actor: code}, None)
            advance.settle(rules, after, None)
            yield code, after

    def _meet(self, table: Table) -> int:
        """The number of a position, a new one if it was not met before."""
        key = self.key(table)
        if key not in self.numbers:
            self.numbers[key] = len(self.keys)
            self.keys.append(key)
            self.before.append([])
        return self.numbers[key]

    def _actor(self, number: int, table: Table) -> int:
        """Who decides; NOWHERE where the race is over, whose winner is written down."""
        state = State(self.start.game, table)
        winner = self.goal(state)
        if winner is not None or state.over:
            winners = state.winners if winner is None else (state.game.seat(winner),)
            self.winners[number] = winners[0] if len(winners) == 1 else None
            return NOWHERE
        if state.actors == (CHANCE,):
            raise CrashlabError(f"retrograde is for games without chance, and it is met with at {state.text}")
        if len(state.actors) > 1:
            raise CrashlabError(f"retrograde is for players who decide by turns; both decide at once at {state.text}")
        return state.actors[0]

    def solved(self) -> list[Outcome]:
        """Who wins each position, from the end backwards: first those that are decided, then those one decision before.

        Since they are settled in the order of their distance, a win is found by its shortest way, and a loss when the
        last and longest way out of it is closed.
        """
        outcomes = [DRAW] * len(self.keys)
        ways = Counter(number for numbers in self.before for number in numbers)  # actions that are not known to lose
        settled = deque(number for number, winner in self.winners.items() if winner is not None)
        for number in settled:
            outcomes[number] = Outcome(self.winners[number], 0)
        while settled:
            here = settled.popleft()
            winner, decisions = outcomes[here]
            assert decisions is not None
            for number in self.before[here]:
                ways[number] -= 1
                if outcomes[number] == DRAW and (self.actors[number] == winner or ways[number] == 0):
                    outcomes[number] = Outcome(winner, decisions + 1)
                    settled.append(number)
        return outcomes


class Tablebase:
    """A solved race: what every position in it is worth, and what to play there.

    counts   how many positions each seat wins, by its name, and how many nobody does
    longest  how many decisions the longest fight has

        >>> city = crashlab.game("crash_city", players=2)
        >>> town = city.read("tiles 1,0 NS shop A / 0,1 NS house B; cars A 0,0N>E / B 0,0S>W")
        >>> found = crashlab.retrograde(town)
        >>> found.value(town), found.best(town), found.counts
        (Outcome(winner=0, decisions=3), <drive A1 1,0N>, {'A': 186, 'B': 186, 'nobody': 0})
    """

    def __init__(self, race: Race, outcomes: list[Outcome]) -> None:
        self._race, self._outcomes = race, outcomes
        self.start = race.start
        names = {seat: self.start.game.seat_name(seat) for seat in self.start.game.seats} | {None: "nobody"}
        self.counts = {name: sum(outcome.winner == seat for outcome in outcomes) for seat, name in names.items()}
        self.longest = max((outcome.decisions or 0 for outcome in outcomes), default=0)

    def __len__(self) -> int:
        return len(self._outcomes)

    def __contains__(self, state: object) -> bool:
        return isinstance(state, State) and self._number(state) is not None

    def value(self, state: State) -> Outcome:
        """Who wins a position if nobody errs, and in how many decisions of both."""
        return self._outcomes[self._known(state)]

    def best(self, state: State) -> Action:
        """What wins as soon as it can, or else keeps the draw, or else loses as late as it can."""
        number = self._known(state)
        seat = self._race.actors[number]
        if seat == NOWHERE:
            raise CrashlabError(f"the race is over here: {told_of(self.start.game, self._outcomes[number])}")
        table = self.start.table.changed(self._race.keys[number])
        ends = {code: self._race.numbers[self._race.key(after)] for code, after in self._race.followers(table, seat)}
        return Action(state, seat, max(ends, key=lambda code: promise(self._outcomes[ends[code]], seat)))

    def layer(self, decisions: int | None) -> list[State]:
        """The positions that are won by somebody in so many decisions; None: those that nobody wins."""
        found = (number for number, outcome in enumerate(self._outcomes) if outcome.decisions == decisions)
        return [self._race.state(number) for number in found]

    def __iter__(self) -> Iterator[State]:
        return map(self._race.state, range(len(self)))

    @property
    def agent(self) -> Callable[[State, int], Action]:
        """An agent that never errs in this race. Behind its end, and elsewhere, it plays as `alphabeta(depth=1)`."""
        return self.perfect

    def perfect(self, state: State, seat: int) -> Action:
        """What the agent plays."""
        number = self._number(state)
        if number is None or self._race.actors[number] == NOWHERE:
            return alphabeta(depth=1)(state, seat)
        return self.best(state)

    def _number(self, state: State) -> int | None:
        """The number of a position, after what follows without a choice; None if it is not in the table."""
        if state.game != self.start.game:
            return None
        table = state.table.copy()
        advance.settle(state.game.rules, table, None)
        return self._race.numbers.get(self._race.key(table))

    def _known(self, state: object) -> int:
        """The number of a position; what has none is refused."""
        if not isinstance(state, State):
            raise CrashlabError(f"the table tells of states, not of {shown(state)}")
        number = self._number(state)
        if number is None:
            raise CrashlabError(f"this position does not come about from the one of the table, {self.start.text}")
        return number

    def __str__(self) -> str:
        names = list(self.counts)
        total = ", ".join(f"{name} wins {number:,}" for name, number in self.counts.items())
        lines = [f"{self.start.game.title}: {len(self):,} positions; {total}"]
        lines.append(" ".join(["decisions", *(f"{name:>8}" for name in names[:-1])]))
        told = Counter((outcome.winner, outcome.decisions) for outcome in self._outcomes)
        for decisions in range(self.longest + 1):
            numbers = (told[seat, decisions] for seat in self.start.game.seats)
            lines.append(" ".join([f"{decisions:9}", *(f"{number:8}" for number in numbers)]))
        return "\n".join([*lines, f"at the start: {told_of(self.start.game, self.value(self.start))}"])

    def __repr__(self) -> str:
        return f"<Tablebase of {self.start.game.title}: {len(self):,} positions>"


def promise(outcome: Outcome, seat: int) -> tuple[int, int]:
    """How good an outcome is for a seat: a win soon, a draw, a loss late."""
    if outcome.decisions is None:
        return 1, 0
    return (2, -outcome.decisions) if outcome.winner == seat else (0, outcome.decisions)


def told_of(game: Game, outcome: Outcome) -> str:
    """An outcome in words."""
    if outcome.winner is None or outcome.decisions is None:
        return "nobody wins"
    name = game.seat_name(outcome.winner)
    return f"{name} wins in {counted(outcome.decisions, 'decision')}" if outcome.decisions else f"{name} has won"
