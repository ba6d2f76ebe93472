"""Tournaments: a round robin in which each pair plays on both sides of the table, with ratings.

    tournament(game("autoscooter", players=2), ["random", "greedy"])
    tournament(game, {"mine": my_agent, "patient": lambda seed: greedy(seed, worlds=8), "random": "random"})

Two agents share a table: one has the seats 0, 2, ..., the other the seats 1, 3, ... In the next game they swap, with
the same start and the same luck, so that neither is favoured. All pairs of agents play from the same starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from inspect import Parameter, signature
from itertools import combinations
from math import inf
from operator import itemgetter
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

from crashlab import agents as players
from crashlab.agents import Agent
from crashlab.base.clock import UNLIMITED, Clock, Time, can_be_stopped, in_thread, looks
from crashlab.base.errors import CrashlabError, listed, printable, require, short_repr, whole
from crashlab.base.groups import grouped
from crashlab.base.progress import gathered
from crashlab.base.ratings import ANCHOR, ANCHORED, ratings
from crashlab.base.statistics import FEWEST, UNSURE, ends, plus_minus, share_interval
from crashlab.base.workers import done_by, executor_of, is_executor
from crashlab.drawing.html import PAPER, WHITE, Html, columns, element, joined, ranked, ranked_table
from crashlab.engine.chance import Random, whole_seed
from crashlab.engine.game import Game, State
from crashlab.play.match import Match, check_start
from crashlab.play.process_agent import ProcessAgent

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Entrant = str | Agent | Callable[[int], Agent]  # a name, an agent, or a maker (seed) -> agent

MOST_GAMES = 1_000_000  # most games of a pair
MAX_FORFEITS = 5  # most forfeits listed below a table
UNDECIDED = "± ?: too few wins or draws to say how certain the rating is."


def tournament(
    start: Game | State,
    agents: Mapping[str, Entrant] | Iterable[str],
    games: int = 10,
    seed: int = 1,
    workers: Executor | None = None,
    progress: bool = True,
    limit: float | None = None,
    budget: float | None = None,
) -> Standings:
    """Let each pair of agents play `games` games. The same seed gives the same games, whatever their order.

    An agent that fails, plays an illegal action or takes too long forfeits the game, and the tournament continues. With
    a limit or a budget, your agents run in separate processes: see `Match`. On interruption, the games played so far
    are returned.

    Parameters
    ----------
    start : Game | State
        The game, or the first position of every game.
    agents : Mapping[str, Entrant] | Iterable[str]
        Names of built-in agents; or a dict {name: agent}, in which an agent is such a name, a function
        (state, seat) -> action, or a maker (seed) -> agent.
    games : int
        The number of games of each pair.
    seed : int
        The same seed gives the same games.
    workers : Executor | None
        Any `concurrent.futures.Executor`, such as a ProcessPoolExecutor.
    progress : bool
        Whether to show a progress bar if the computation takes longer than a second.
    limit : float | None
        Seconds for a decision, and for making an agent.
    budget : float | None
        Seconds for all decisions of a seat in a game.

    Returns
    -------
    Standings
        The table of the agents, with all games.

    Examples
    --------
    >>> standings = crashlab.tournament(crashlab.game("autoscooter"), ["random", "greedy"], games=2)
    >>> print(standings.title)
    2 agents, 2 games of game('autoscooter'), seed 1
    >>> [standing.name for standing in standings.ranking]
    ['greedy', 'random']
    """
    check_start(start, "a tournament")
    entrants = entered(agents)
    time = Time.of(limit, budget)
    workers = executor_of(workers)
    with ExitStack() as rooms:
        if time and workers is None:
            entrants = {name: kept(entrant, rooms) for name, entrant in entrants.items()}
        jobs = round_robin(start, entrants, whole("games", games, most=MOST_GAMES), whole_seed(seed), time)
        results = play_all(jobs, workers, progress)
    game = start if isinstance(start, Game) else start.game
    return Standings(game, tuple(sorted(entrants)), results, len(jobs), whole_seed(seed), time)


def entered(agents: object) -> dict[str, Entrant]:
    """Check the agents of a tournament, and return them by name."""
    names = listed(agents)
    if isinstance(agents, str) or names is None:
        raise CrashlabError(f"agents={short_repr(agents)}: give a list of names, or a dict {{name: agent}}")
    pairs = list(agents.items()) if isinstance(agents, Mapping) else [(name, name) for name in names]
    entrants: dict[str, Entrant] = {}
    for key, entrant in pairs:
        name = printable(key) if isinstance(key, str) else key
        require(
            isinstance(name, str),
            f"the name of an agent must be text, not {short_repr(name)}; give functions as a dict {{name: agent}}",
        )
        require(
            name not in entrants,
            f"{short_repr(name)} takes part twice; give a dict {{name: agent}} with a name for each",
        )
        players.agent(entrant)  # raises CrashlabError for anything else
        entrants[name] = entrant
    require(len(entrants) >= 2, f"a tournament needs two agents, not {len(entrants)}")
    return entrants


def kept(entrant: Entrant, rooms: ExitStack) -> Entrant:
    """Return an agent in a process that lasts for all of its games; an entrant that needs no process is unchanged."""
    if isinstance(entrant, str) or can_be_stopped(entrant) or not is_agent(entrant):
        return entrant
    return rooms.enter_context(closing(ProcessAgent(entrant)))  # type: ignore[arg-type]


# Games


@dataclass(frozen=True)
class PlayedGame:
    """A game of a tournament."""

    number: int  # the number of the game among those of its pair, from 0
    seats: tuple[str, ...]  # the agent of each seat
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    forfeits: Mapping[int, str]  # reasons by seat
    course: str = ""  # a hash of all positions; empty if unknown

    def points(self, name: str) -> float:
        """Return 1 for a win, 0.5 for a draw, 0 for a loss; an agent that forfeits loses, even if both do."""
        guilty = {self.seats[seat] for seat in self.forfeits}
        if guilty:
            return float(name not in guilty)
        winners = {self.seats[seat] for seat in self.winners}
        return float(name in winners) if len(winners) == 1 else 0.5

    def score(self, name: str) -> float:
        """Return the mean score of the agent's seats."""
        scores = [score for score, holder in zip(self.scores, self.seats, strict=True) if holder == name]
        return sum(scores) / len(scores)


@dataclass(frozen=True)
class TournamentGame:
    """A scheduled game; can be sent to another process."""

    start: Game | State
    number: int
    sides: tuple[tuple[str, Entrant], tuple[str, Entrant]]  # names and agents of the even and of the odd seats
    seed: int
    time: Time

    def play(self) -> PlayedGame:
        """Play the game to its end."""
        match = self.match()
        match.run()
        return self.played(match)

    def match(self) -> Match:
        """Return the match before its first decision.

        Two games with swapped sides have the same luck, but the agents get new seeds in each game.
        """
        rng = Random(self.seed).split(("game", self.number // 2))
        luck = Random(self.seed).split(("agents", self.number))
        return self.seeded(rng.luck, rng.below(1 << 32), lambda seat: luck.split(seat).below(1 << 32))

    def seeded(self, luck: int, seed: int, seeds: Callable[[int], int]) -> Match:
        """Return the match before its first decision; `seeds` returns the seed of the agent of a seat.

        If the tournament starts from a State, `luck` becomes its luck; if it starts from a Game, `seed` is used.
        """
        start = self.start
        if isinstance(start, State):
            start = State(start.game, start.table, luck)
        seats = (start if isinstance(start, Game) else start.game).seats
        sitting = {seat: agent_of(self.sides[seat % 2][1], seeds(seat), self.time) for seat in seats}
        limit, budget = self.time
        return Match(start, sitting, seed, forfeits=True, limit=limit, budget=budget)

    def played(self, match: Match) -> PlayedGame:
        """Return the result of a finished match."""
        names = tuple(self.sides[seat % 2][0] for seat in match.game.seats)
        result = match.state.scores, match.winners, dict(match.forfeits)
        return PlayedGame(self.number, names, *result, course_of(match))


def course_of(match: Match) -> str:
    """Return a hash of all positions of a match; two matches with the same course have the same hash."""
    digest = sha256()
    for state in (match.start, *(turn.after for turn in match.turns)):
        digest.update(repr(state.table.rows()).encode())
    return digest.hexdigest()[:16]


def agent_of(entrant: Entrant, seed: int, time: Time) -> Agent:
    """Make the agent of a seat; a failure or a timeout of its maker is raised at its first decision."""
    if isinstance(entrant, str) or is_agent(entrant):
        return players.for_one_game(entrant, seed)
    try:
        make: Callable[[], Agent] = partial(entrant, seed)  # type: ignore[arg-type, assignment]
        if time:  # the maker has the time of a decision
            with Clock(Time(time.limit or time.budget), "to be made") as clock:
                agent = in_thread(make, clock)
        else:
            agent = make()
        if not callable(agent):
            raise TypeError(
                f"called with a seed, it returns {short_repr(agent)}, not a function (state, seat) -> action"
            )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # user code can raise anything
        return Unmade(error)
    return agent


@looks
@dataclass(frozen=True)
class Unmade:
    """An agent whose maker failed."""

    error: BaseException

    def __call__(self, state: State, seat: int) -> object:
        """Raise the error that the maker raised."""
        raise self.error


def is_agent(function: Callable[..., object]) -> bool:
    """Return whether a function is an agent (two required parameters) rather than a maker (at most one)."""
    try:
        parameters = signature(function).parameters.values()
    except Exception:  # no signature
        return True
    places = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in places and one.default is one.empty for one in parameters) >= 2


def round_robin(
    start: Game | State, entrants: Mapping[str, Entrant], games: int, seed: int, time: Time
) -> list[TournamentGame]:
    """Schedule one game of each pair after another, so that at any time all agents have played about equally many."""
    jobs = []
    for number in range(games):
        for first, second in combinations(sorted(entrants), 2):
            names = (second, first) if number % 2 else (first, second)
            sides = (names[0], entrants[names[0]]), (names[1], entrants[names[1]])
            jobs.append(TournamentGame(start, number, sides, seed, time))
    return jobs


def play_all(jobs: Sequence[TournamentGame], workers: Executor | None, progress: bool) -> tuple[PlayedGame, ...]:
    """Play all games and return them in the order of the jobs; on interruption, return the finished ones."""
    require(
        workers is None or is_executor(workers),
        f"workers={short_repr(workers)}: give a concurrent.futures.Executor; threads do not make agents faster",
    )
    here = ((place, job.play()) for place, job in enumerate(jobs))
    results = here if workers is None else done_by(workers, [job.play for job in jobs], PlayedGame)
    return tuple(game for _, game in sorted(gathered(results, len(jobs), "games", progress), key=itemgetter(0)))


# Standings


class Standing(NamedTuple):
    """The result of an agent."""

    name: str
    games: int
    points: float
    rate: float  # points per game, with the ends of its 95 % interval
    low: float
    high: float
    rating: float
    half_width: float  # half the width of the rating's 95 % interval
    score: float  # mean score per game
    forfeits: int


class Meeting(NamedTuple):
    """The result of an agent against another one."""

    wins: int
    draws: int
    losses: int
    lead: float  # mean difference of the two agents' scores


@dataclass(frozen=True, eq=False)
class Standings:
    """The results of a tournament.

    >>> standings = crashlab.tournament(crashlab.game("autoscooter"), ["random", "greedy"], games=2)
    >>> [(standing.name, standing.points) for standing in standings.ranking]
    [('greedy', 2.0), ('random', 0.0)]
    """

    game: Game
    names: tuple[str, ...]  # in alphabetical order
    played: tuple[PlayedGame, ...]
    planned_games: int  # number of scheduled games
    seed: int | None  # None if it is secret
    time: Time = UNLIMITED  # time limits of the agents

    @cached_property
    def ranking(self) -> tuple[Standing, ...]:
        """All agents, best first."""
        values, half_widths = ratings(self.points, self.names.index(ANCHOR) if ANCHOR in self.names else None)
        rows = []
        for name, rating, half in zip(self.names, values, half_widths, strict=True):
            games = [game for game in self.played if name in game.seats]
            points = sum(game.points(name) for game in games)
            rate, ends = points / len(games) if games else 0.5, share_interval(points, len(games))
            score = sum(game.score(name) for game in games) / max(len(games), 1)
            forfeits = sum(name in {game.seats[seat] for seat in game.forfeits} for game in games)
            rows.append(Standing(name, len(games), points, rate, *ends, rating, half, score, forfeits))
        return tuple(
            sorted(rows, key=lambda row: (-round(row.rating, 6), row.name))
        )  # rounded, so that the order is equal on all machines

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """The points of each agent (row) against each other agent (column), in the order of `names`."""
        import numpy as np

        points = np.zeros((len(self.names), len(self.names)))
        for game in self.played:
            first, second = map(self.names.index, game.seats[:2])
            points[first, second] += game.points(game.seats[0])
            points[second, first] += game.points(game.seats[1])
        return points

    def __getitem__(self, name: str) -> Standing:
        for row in self.ranking:
            if isinstance(name, str) and row.name == name:
                return row
        raise CrashlabError(f"{short_repr(name)} did not take part; {', '.join(self.names)} did")

    def between(self, name: str, other: str) -> Meeting:
        """Return the result of one agent against another."""
        for one in (name, other):
            self[one]  # raises CrashlabError for unknown names
        games = self._meetings.get(frozenset((name, other)), [])
        points = [game.points(name) for game in games]
        lead = sum(game.score(name) - game.score(other) for game in games) / max(len(games), 1)
        return Meeting(points.count(1), points.count(0.5), points.count(0), lead)

    @cached_property
    def _meetings(self) -> dict[frozenset[str], list[PlayedGame]]:
        """The games by pair."""
        return grouped((frozenset(game.seats), game) for game in self.played)

    @property
    def forfeits(self) -> list[str]:
        """All forfeits, in words."""
        return [
            f"{game.seats[seat]} against {(set(game.seats) - {game.seats[seat]}).pop()}, game {game.number + 1}: {why}"
            for game in self.played
            for seat, why in game.forfeits.items()
        ]

    def __str__(self) -> str:
        return "\n".join([self.title, *self.lines, *(fill(remark, 100) for remark in self.remarks)])

    def __repr__(self) -> str:
        return f"<Standings: {', '.join(f'{row.name} {row.rating:.0f}' for row in self.ranking)}>"

    def _repr_html_(self) -> str:
        tables = ranked_table(HEADS, self.table()), self.cross_table()
        remarks = (element("div", remark) for remark in self.remarks)
        return element("div", element("b", self.title), *tables, *remarks, style=f"{PAPER};max-width:60em")

    @property
    def lines(self) -> list[str]:
        """The table and the cross table, as lines of text."""
        ranks = [str(rank) for rank in range(1, len(self.names) + 1)]
        table, cross = [["", *HEADS], *ranked(self.table())], [["", "", *ranks], *ranked(self.cross())]
        return [*columns(table, left=1), AGAINST, *columns(cross, left=1)]

    def cross_table(self, paper: str = WHITE) -> Html:
        """Return the cross table as HTML; `paper` is the CSS of its background."""
        ranks = [str(rank) for rank in range(1, len(self.names) + 1)]
        return joined([element("div", AGAINST), ranked_table(["agent", *ranks], self.cross(), paper)])

    @property
    def is_whole(self) -> bool:
        """Whether all requested games were played, without an interruption."""
        return len(self.played) == self.planned_games

    @property
    def title(self) -> str:
        """The title: agents, games, seed and limits."""
        interruption = "" if self.is_whole else f" (stopped; {self.planned_games:,} were requested)"
        time = f", at most {self.time}" if self.time else ""
        games = f"{len(self.played):,} game{'s' * (len(self.played) != 1)}"
        seed = "" if self.seed is None else f", seed {self.seed}"
        return f"{len(self.names)} agents, {games} of {self.game!r}{seed}{time}{interruption}"

    @property
    def remarks(self) -> list[str]:
        """Explanations of the numbers, and the forfeits."""
        lines = self.forfeits
        if len(lines) > MAX_FORFEITS:
            lines = [*lines[:MAX_FORFEITS], f"and {len(lines) - MAX_FORFEITS} more, see .forfeits"]
        return [*self.meaning, *lines]

    @property
    def meaning(self) -> list[str]:
        """Explanations of the numbers."""
        anchor = ANCHOR if ANCHOR in self.names else "the average"
        return [
            f"Ratings: Bradley-Terry on Elo's scale, {anchor} has {ANCHORED}; ± and ( to ) are 95 % intervals."
            " A draw is half a win; each agent counts as having drawn one more game, against an imaginary one.",
            "Forfeits: an agent that fails or plays something illegal has lost the game (both, if both do)"
            " and continues at random; scores count unchanged.",
            *[UNSURE] * any(row.games < FEWEST for row in self.ranking),
            *[UNDECIDED] * any(row.games >= FEWEST and row.half_width == inf for row in self.ranking),
            *[self.repeated] * bool(self.repeated),
        ]

    @property
    def repeated(self) -> str:
        """A remark about games that repeat another game move for move; empty if all games are different."""
        different = len({(game.seats, game.course or number) for number, game in enumerate(self.played)})
        if different == len(self.played):
            return ""
        return (
            f"Different games: {different:,} of {len(self.played):,}. The others repeat one of them move for move and"
            " prove nothing new; all are counted, so the intervals are too narrow."
        )

    def table(self) -> list[list[str]]:
        """Return the row of each agent, as text."""
        return [
            [
                row.name,
                f"{row.rating:.0f}" + (f" {plus_minus(row.half_width, 0)}" * (row.half_width != 0)),
                f"{row.points:g} of {row.games}",
                f"{100 * row.rate:.0f} % {ends(row.low, row.high)}",
                f"{row.score:.1f}",
                str(row.forfeits or "-"),
            ]
            for row in self.ranking
        ]

    def cross(self) -> list[list[str]]:
        """Return the row of each agent in the cross table."""
        names = [row.name for row in self.ranking]
        return [[name, *(self._cell(name, other) for other in names)] for name in names]

    def _cell(self, name: str, other: str) -> str:
        if name == other:
            return "."
        wins, draws, losses, lead = self.between(name, other)
        return f"{wins}-{draws}-{losses} ({lead:+.1f})" if wins + draws + losses else "-"


AGAINST = "won-drawn-lost (average lead) against"
HEADS = ["agent", "rating", "points", "win rate", "score", "forfeits"]
