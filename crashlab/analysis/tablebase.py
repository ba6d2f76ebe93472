"""Tablebases of small races: the winner and the number of decisions for every reachable position.

    table = crashlab.retrograde(position)
    print(table)                  # the number of positions that each seat wins, by decisions
    table.value(state)            # Outcome(winner=0, decisions=3)
    table.best(state)             # an action: wins as soon as it can, loses as late as it can
    Arena(position, {1: table.agent})

The table is computed backwards (retrograde analysis). First all positions reachable from the start are listed. Decided
positions have a known winner, 0 decisions before the end. A position is won in n + 1 decisions if an action leads to a
position won in n; it is lost once all of its actions are known to lose. Positions that remain are draws: the player who
would otherwise lose can play forever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from crashlab.agents import alphabeta
from crashlab.agents.minimax import suits, unfit
from crashlab.base.clock import look
from crashlab.base.errors import CrashlabError, require, short_repr, whole
from crashlab.base.progress import bar
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import hash_table
from crashlab.compiled.kernels.lines_of_play import Lines
from crashlab.compiled.kernels.retrograde import (
    ASK,
    DONE,
    DRAWN,
    FIRST_WINS,
    HEAD,
    LINKS,
    LOOKED,
    MORE,
    ODD,
    OPEN,
    OTHER_SCORE,
    ROOM,
    SCORE,
    WON,
    RaceGraph,
    explore,
    solve,
)
from crashlab.compiled.search_workspace import SearchWorkspace
from crashlab.engine import contract, next_decision
from crashlab.engine.game import Action, Game, Seat, State
from crashlab.engine.next_decision import seats_of
from crashlab.engine.notation import counted
from crashlab.engine.table import CHANCE, FIELD, NOWHERE, ROLE, STILL, Table, apply_pairs, write_pairs

MOST = 1_000_000  # default limit of positions, which take up to 500 MB
SHORT = 1 << 10  # initial length of rows
SMALL = 3_000  # number of positions below which compiling does not pay
SLICE = {False: 20, True: 2000}  # positions per kernel call, by whether it is compiled; interrupts come between calls
Goal = Callable[[State], Seat | None]


class Outcome(NamedTuple):
    """The winner with best play, and the number of decisions of both players; None for a draw.

    >>> crashlab.Outcome(winner=0, decisions=5)
    Outcome(winner=0, decisions=5)
    """

    winner: int | None
    decisions: int | None


DRAW = Outcome(None, None)


def retrograde(
    position: State, goal: Goal | None = None, max_positions: int = MOST, progress: bool = True
) -> Tablebase:
    """Return the complete table of all positions that can be reached from this one, solved backwards.

    It is for games without chance, of two players who take turns and see everything. A decision without a choice is not
    a position of its own, and positions that differ only in clocks (`game.facts.clocks`) count as one. The search
    begins in plain Python, at some 5,000 positions a second, and continues with compiled rules as soon as they are
    ready, at some 150,000 a second. A goal of your own is called in Python, position by position. A position takes up
    to 500 bytes.

    Parameters
    ----------
    position : State
        The start of the race.
    goal : Goal | None
        A function of a State that returns the winner of the race, or None; by default the first seat to score wins. At
        the end of the game its winner wins the race, unless there are several.
    max_positions : int
        The largest number of positions to allow; CrashlabError is raised if there are more.
    progress : bool
        Whether to show a progress bar if the computation takes longer than a second.

    Returns
    -------
    Tablebase
        The value of every position.

    Examples
    --------
    >>> city = crashlab.game("crash_city", players=2)
    >>> tablebase = crashlab.retrograde(city.read("tiles 1,0 NS shop A; cars A 0,0N>E / B 0,0S>W"))
    >>> tablebase.counts, tablebase.longest
    ({'A': 124, 'B': 124, 'nobody': 0}, 4)
    """
    require(isinstance(position, State), f"retrograde() takes a state, not {short_repr(position)}")
    require(
        goal is None or callable(goal),
        f"goal={short_repr(goal)}: give a function that takes a State and returns the winning seat",
    )
    whole("max_positions", max_positions)
    if reason := unfit(position):
        raise CrashlabError(f"retrograde is {reason}")
    race = Race(position, goal)
    race.explore(max_positions, progress)
    return Tablebase(race.positions, race.solved())


@dataclass(frozen=True)
class RacePositions:
    """The positions of a race, each with a number (see `kernels.retrograde`)."""

    start: State
    lines: Lines
    places: Any

    def __len__(self) -> int:
        return int(hash_table.size(self.lines.keys))

    def state(self, number: int) -> State:
        """Return a position as a State."""
        table, first = self.start.table.copy(), self.places[number]
        key = [int(value) for value in self.lines.keys[first : hash_table.key_end(first, self.lines.keys)]]
        apply_pairs([table], 0, self.lines.fields, key, 0, len(key))
        return State(self.start.game, table)

    def number(self, table: Table) -> int:
        """Return the number of a position; NOWHERE if it is not part of the race."""
        clocks = table.numbers(*self.start.game.facts.clocks)
        changed = [field for field, *_ in table.since(self.start.table, clocks)]
        if any(self.lines.fields[FIELD * field + ROLE] == STILL for field in changed):
            return NOWHERE
        key = [0] * (2 * sum(table.SIZES))
        length = write_pairs([self.start.table, table], 1, 0, self.lines.fields, key, 0)
        return int(hash_table.find(key, length, self.lines.keys, self.lines.buckets))


class PositionValues(RaceGraph):
    """The positions of a solved race."""

    def outcome(self, number: int) -> Outcome:
        """Return the outcome of a position: its winner, and the number of decisions."""
        end = int(self.ends[number])
        return Outcome(end - WON, int(self.steps[number])) if end >= WON else DRAW

    def after(self, number: int) -> list[int]:
        """Return the number of the position after each action, in the order of the legal actions."""
        return [int(end) for end in self.links[self.firsts[number] : self.firsts[number + 1]]]


class Race:
    """The positions that can be reached from a start, numbered in order of discovery (see `kernels.retrograde`)."""

    def __init__(self, start: State, goal: Goal | None = None, backend: choose_backend.Backend | None = None) -> None:
        self.start, self.goal = start, goal
        self._stays = backend is not None  # whether to keep the given backend
        backend = backend or choose_backend.interpreted(start.game.rules)
        self.workspace = SearchWorkspace(backend, start.table, start.game.facts.clocks)
        self.graph = RaceGraph(*map(backend.row, (HEAD, backend.rules.MOST_ACTIONS, *[SHORT] * 6)))
        self.graph.head[FIRST_WINS] = int(goal is None)
        self.graph.head[SCORE], self.graph.head[OTHER_SCORE] = start.scores
        self.asked = 0  # number of positions for which the goal was called

    def __len__(self) -> int:
        return hash_table.size(self.workspace.lines.keys)

    def explore(self, max_positions: int, progress: bool) -> None:
        """Discover all positions; raise CrashlabError for too many positions or an unsuitable game."""
        with bar(1, "positions looked at", progress) as shown_bar:
            status = MORE
            while status != DONE:
                look()
                self._choose_backend()
                before = self.looked_at
                status = self._go_on(max_positions)
                require(
                    len(self) <= max_positions,
                    f"more than {max_positions:,} positions can be reached from this one: {len(self):,} were found"
                    f" after expanding {self.looked_at:,}. Start from a smaller race, or give a"
                    " larger max_positions=",
                )
                shown_bar.total = len(self)
                shown_bar.update(self.looked_at - before)

    @property
    def looked_at(self) -> int:
        """The number of expanded positions."""
        return int(self.graph.head[LOOKED])

    def _go_on(self, max_positions: int) -> int:
        """Expand some positions and return the status of the kernel, after handling its request."""
        backend = self.workspace.backend
        status = backend.bind(explore)(
            self.looked_at + SLICE[backend.is_compiled], max_positions, self.graph, self.workspace.lines
        )
        if status == ROOM:
            self._widen()
        elif status == ASK:
            self._ask()
        elif status == ODD:
            state = self.positions.state(self.looked_at)
            if state.actors == (CHANCE,):
                raise CrashlabError(f"retrograde is for games without chance, but chance decides at {state.text}")
            raise CrashlabError(f"retrograde is for players who take turns, but both decide at once at {state.text}")
        return int(status)

    def _choose_backend(self) -> None:
        """Switch to the compiled backend if it is ready; with more than SMALL positions, also start to prepare it."""
        may_move = not (self._stays or self.workspace.backend.is_compiled)
        if may_move and (len(self) > SMALL or choose_backend.is_ready(self.start.game.rules, "retrograde")):
            backend = choose_backend.ready(self.start.game, "retrograde")
            if backend.is_compiled:
                self.workspace.move(backend)
                self._remake()

    def _widen(self) -> None:
        """Lengthen the rows that are full."""
        self.workspace.widen()
        is_full = len(self) + 2 > len(self.graph.places), self.graph.head[LINKS] == len(self.graph.links)
        self._remake(*(2 if full else 1 for full in is_full))

    def _remake(self, positions: int = 1, links: int = 1) -> None:
        """Copy the rows into the current backend, lengthened by the factors positions and links."""
        by_position = dict.fromkeys(("places", "actors", "ends", "firsts", "steps"), positions)
        self.graph = choose_backend.moved(self.graph, self.workspace.backend, **by_position, links=links)

    def _ask(self) -> None:
        """Call the goal for all new positions."""
        assert self.goal is not None
        positions = self.positions
        for number in range(self.asked, len(positions)):
            state = positions.state(number)
            winner = self.goal(state)
            winners = state.winners if winner is None else (state.game.seat(winner),)
            is_over = state.over or winner is not None
            self.graph.ends[number] = OPEN if not is_over else DRAWN if len(winners) != 1 else (WON + winners[0])
        self.asked = len(self)

    def solved(self) -> PositionValues:
        """Solve all positions backwards from the end and return their values."""
        backend, positions = self.workspace.backend, len(self)
        ways, befores, queue = map(backend.row, (positions, positions + 1, positions))
        backend.bind(solve)(positions, self.graph, ways, befores, backend.row(int(self.graph.head[LINKS])), queue)
        return PositionValues(*self.graph)

    @property
    def positions(self) -> RacePositions:
        """The positions discovered so far."""
        return RacePositions(self.start, self.workspace.lines, self.graph.places)


class Tablebase:
    """A solved race: the outcome and the best action of every position.

    counts   the number of positions that each seat wins, by name, and of draws
    longest  the number of decisions of the longest win

        >>> city = crashlab.game("crash_city", players=2)
        >>> town = city.read("tiles 1,0 NS shop A / 0,1 NS house B; cars A 0,0N>E / B 0,0S>W")
        >>> tablebase = crashlab.retrograde(town)
        >>> tablebase.value(town), tablebase.best(town), tablebase.counts
        (Outcome(winner=0, decisions=3), <drive A1 1,0N>, {'A': 186, 'B': 186, 'nobody': 0})
    """

    def __init__(self, race: RacePositions, solved: PositionValues) -> None:
        self._race, self._solved = race, solved
        self.start = race.start
        self._counts = Counter(map(solved.outcome, range(len(race))))  # number of positions by outcome
        names = {seat: self.start.game.seat_name(seat) for seat in self.start.game.seats} | {None: "nobody"}
        self.counts = dict.fromkeys(names.values(), 0)
        for outcome, positions in self._counts.items():
            self.counts[names[outcome.winner]] += positions
        self.longest = max(outcome.decisions or 0 for outcome in self._counts)

    def __len__(self) -> int:
        return len(self._race)

    def __contains__(self, state: object) -> bool:
        return isinstance(state, State) and self._number(state) != NOWHERE

    def value(self, state: State) -> Outcome:
        """Return the outcome of a position with best play: its winner, and the number of decisions."""
        return self._solved.outcome(self._looked_up(state))

    def best(self, state: State) -> Action:
        """Return the action that wins soonest; if none wins, one that draws; if all lose, the one that loses latest."""
        number = self._looked_up(state)
        if self._is_over(number):
            raise CrashlabError(f"the race is over here: {told_of(self.start.game, self._solved.outcome(number))}")
        (seat,) = seats_of(int(self._solved.actors[number]))
        codes = contract.legal_actions(self.start.game.rules, self._race.state(number).table, seat)
        ends = dict(zip(codes, self._solved.after(number), strict=True))
        return Action(state, seat, max(ends, key=lambda code: promise(self._solved.outcome(ends[code]), seat)))

    def layer(self, decisions: int | None) -> list[State]:
        """Return the positions won in a number of decisions; with None, the draws."""
        numbers = (number for number in range(len(self)) if self._solved.outcome(number).decisions == decisions)
        return [self._race.state(number) for number in numbers]

    def __iter__(self) -> Iterator[State]:
        return map(self._race.state, range(len(self)))

    @property
    def agent(self) -> Callable[[State, int], Action]:
        """An agent with perfect play in this race; in other positions it plays like `alphabeta(depth=1)`."""
        return self.perfect

    def perfect(self, state: State, seat: int) -> Action:
        """Return the action that `agent` plays."""
        number = self._number(state)
        return alphabeta(depth=1)(state, seat) if number == NOWHERE or self._is_over(number) else self.best(state)

    def _is_over(self, number: int) -> bool:
        """Return whether the race or the game is over at a position."""
        return not self._solved.after(number)

    def _number(self, state: State) -> int:
        """Return the number of a position, after forced decisions; NOWHERE if it is not in the table."""
        if state.game != self.start.game:
            return NOWHERE
        table = state.table.copy()
        next_decision.settle(state.game.rules, table, None)
        return self._race.number(table)

    def _looked_up(self, state: object) -> int:
        """Return the number of a position; raise CrashlabError if it has none."""
        if not isinstance(state, State):
            raise CrashlabError(f"give a state to look up, not {short_repr(state)}")
        number = self._number(state)
        if number == NOWHERE:
            raise CrashlabError(f"this position cannot be reached from the table's start, {self.start.text}")
        return number

    def __str__(self) -> str:
        names = list(self.counts)
        total = ", ".join(f"{name} wins {number:,}" for name, number in self.counts.items())
        lines = [f"{self.start.game.title}: {len(self):,} position{'s' * (len(self) != 1)}; {total}"]
        lines.append(" ".join(["decisions", *(f"{name:>8}" for name in names[:-1])]))
        for decisions in range(self.longest + 1):
            numbers = (self._counts[Outcome(seat, decisions)] for seat in self.start.game.seats)
            lines.append(" ".join([f"{decisions:9}", *(f"{number:8}" for number in numbers)]))
        return "\n".join([*lines, f"at the start: {told_of(self.start.game, self.value(self.start))}"])

    def __repr__(self) -> str:
        return f"<Tablebase of {self.start.game.title}: {len(self):,} position{'s' * (len(self) != 1)}>"


def promise(outcome: Outcome, seat: int) -> tuple[int, int]:
    """Return the sort key of an outcome for a seat: early wins, draws, late losses."""
    if outcome.decisions is None:
        return 1, 0
    return (2, -outcome.decisions) if outcome.winner == seat else (0, outcome.decisions)


def told_of(game: Game, outcome: Outcome) -> str:
    """Describe an outcome, as in "A wins in 3 decisions"."""
    if outcome.winner is None or outcome.decisions is None:
        return "nobody wins"
    name = game.seat_name(outcome.winner)
    return f"{name} wins in {counted(outcome.decisions, 'decision')}" if outcome.decisions else f"{name} has won"


@choose_backend.prepares("retrograde", suits)
def prepare(game: Game, backend: choose_backend.Backend) -> None:
    """Compile the kernels by running them on no positions."""
    lines, graph = (
        SearchWorkspace(backend, game.start().table).lines,
        RaceGraph(*(backend.row(64) for _ in RaceGraph._fields)),
    )
    backend.bind(explore)(0, 0, graph, lines)
    backend.bind(solve)(0, graph, *[backend.row(1)] * 4)
    backend.bind(hash_table.spread)(lines.keys, lines.buckets)
