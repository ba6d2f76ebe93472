"""Simulations: many games from one seed.

    simulate(game, games=10_000)                     every actor plays at random
    simulate(game, games=100, agents={0: "greedy"})  an agent at some seats, random play at the others
    simulate(..., workers=client)                    spread over a cluster

The luck of a game depends only on the seed and the number of the game. So the same seed gives the same results,
whatever the workers, their order, or the state of the compiler. Every game can be replayed: `results.match(17)`.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from concurrent import futures
from concurrent.futures import Executor, Future
from contextlib import closing
from dataclasses import dataclass, fields
from functools import cached_property, partial
from itertools import accumulate
from threading import Event
from typing import TYPE_CHECKING, Any

from crashlab.agents import Agent, Agents, by_seat, for_one_game
from crashlab.base.errors import IN_BROWSER, CrashlabError, integer, require, short_repr, truth, whole
from crashlab.base.progress import gathered
from crashlab.base.statistics import beams, ends, half_width, noted, plus_minus, share_interval
from crashlab.base.workers import MOST_PIECES, cores, crowd, cut, done_by, executor_of, is_executor, pool, share
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import random_play
from crashlab.drawing.styles import BLUE
from crashlab.engine.chance import Dice, Random, whole_seed
from crashlab.engine.game import Action, Game, State
from crashlab.engine.table import Table, Trace, tally
from crashlab.play.match import Match, check_start

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PATIENCE = 0.5 if IN_BROWSER else 0.1  # seconds of interpreted play after which compiling pays
PIECE = 0.1  # target duration of a piece of games, in seconds
MOST_THREADS = 1000


@dataclass(frozen=True)
class GamesPiece:
    """The results of consecutive games; every array has a row per game."""

    numbers: NDArray[np.int64]
    decisions: NDArray[np.int64]
    scores: NDArray[np.int64]
    winners: NDArray[np.bool_]
    forfeits: NDArray[np.object_]  # reasons by seat; empty without a failure
    counts: NDArray[Any]  # counts of `table.tally`; no columns if events are not counted

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class Job:
    """The settings of a simulation, which determine each game by its number; can be sent to another machine."""

    start: Game | State
    agents: Mapping[int, str | Agent]  # agents of the seats that are not random
    seed: int
    events: bool

    @property
    def game(self) -> Game:
        """The game of the job."""
        return self.start if isinstance(self.start, Game) else self.start.game

    @property
    def width(self) -> int:
        """The number of counts per game."""
        return 2 * len(self.game.rulebook) + len(self.table.NAMES) if self.events else 0

    @property
    def table(self) -> Table:
        """The first table of a game, for its layout."""
        return (self.start.start() if isinstance(self.start, Game) else self.start).table

    def first_state(self, number: int) -> State:
        """Return the start of the game with a number."""
        rng = Random(self.seed).split(("start", number))
        if isinstance(self.start, Game):
            return self.start.start(rng.below(1 << 32))
        return State(self.game, self.start.table, rng.luck)

    def first_tables(self, first: int, games: int) -> Iterator[Table]:
        """Return the first table of each game, or a single one if the set-up is not random.

        This is an iterator, so that each table can be dropped once it is copied.
        """
        if isinstance(self.start, Game) and draws_at_the_start(self.start):
            return (self.first_state(number).table for number in range(first, first + games))
        return iter([self.table])

    def match(self, number: int) -> Match:
        """Play the game with a number to its end, and return the match."""
        return self._agents_match(number, Event()) if self.agents else self._random_match(number)

    def _agents_match(self, number: int, stop: Event) -> Match:
        seeds = {seat: Random(self.seed).split((number, seat)).below(1 << 32) for seat in self.game.seats}
        lineup = {seat: self.agents.get(seat, "random") for seat in self.game.seats}
        sitting = {seat: for_one_game(who, seeds[seat]) for seat, who in lineup.items()}
        match = Match(self.first_state(number), sitting, number, forfeits=True)
        while not match.state.over:
            if stop.is_set():
                raise futures.CancelledError
            match.play()
        return match

    def _random_match(self, number: int) -> Match:
        backend = choose_backend.interpreted(self.game.rules)
        choose = backend.bind(random_play.choose)
        luck = backend.luck(0)
        out = backend.row(self.game.rules.MOST_ACTIONS)
        backend.bind(random_play.begin_luck)(luck, backend.luck(Random(self.seed).luck), number)
        match = Match(self.first_state(number))
        while not match.state.over:
            state = match.state
            match.play({seat: Action(state, seat, choose(state.table, seat, luck, out)) for seat in state.actors})
        return match

    def play(self, first: int, games: int, backend: choose_backend.Backend, stop: Event) -> GamesPiece:
        """Play games numbered from `first`, and return their results; games with agents end when `stop` is set."""
        return self._play_agents(first, games, stop) if self.agents else self._play_random(first, games, backend)

    def _play_random(self, first: int, games: int, backend: choose_backend.Backend) -> GamesPiece:
        rules, seats = self.game.rules, len(self.game.seats)
        decisions, scores, winners, counts = (backend.row(games * width) for width in (1, seats, seats, self.width))
        backend.bind(random_play.play_games)(
            backend.tables(self.first_tables(first, games)),
            games,
            first,
            seats,
            len(rules.BOOK),
            self.width,
            backend.luck(Random(self.seed).luck),
            backend.luck(0),
            backend.row(rules.MOST_ACTIONS),
            backend.tables([self.table]),
            backend.counter(self.width) if self.events else None,
            decisions,
            scores,
            winners,
            counts,
        )
        return piece(first, games, decisions, scores, winners, [""] * games, counts)

    def _play_agents(self, first: int, games: int, stop: Event) -> GamesPiece:
        decisions: list[int] = []
        scores: list[int] = []
        winners: list[int] = []
        forfeits: list[str] = []
        counts = [0] * (games * self.width)
        for place in range(games):
            match = self._agents_match(first + place, stop)
            decisions.append(len(match.turns))
            scores += match.state.scores
            winners += [seat in match.winners for seat in self.game.seats]
            forfeits += [match.forfeits.get(seat, "") for seat in self.game.seats]
            if self.events:
                trace = Trace()
                trace.rows = [row for turn in match.turns for row in turn.rows]
                tally(trace, counts, place * self.width, len(self.game.rulebook))
        return piece(first, games, decisions, scores, winners, forfeits, counts)


def piece(first: int, games: int, decisions: Any, scores: Any, winners: Any, forfeits: Any, counts: Any) -> GamesPiece:
    """Convert lists of results to arrays with a row per game, in small signed types if possible."""
    import numpy as np

    table = np.asarray(counts, dtype=np.int64).reshape(games, len(counts) // games)
    if not table.size or table.max() < 1 << 15:
        table = table.astype(np.int16)
    return GamesPiece(
        np.arange(first, first + games, dtype=np.int64),  # NumPy defaults to 32 bits in a browser
        np.asarray(decisions, dtype=np.int64),
        np.asarray(scores, dtype=np.int64).reshape(games, -1),
        np.asarray(winners, dtype=np.bool_).reshape(games, -1),
        np.asarray(forfeits, dtype=np.object_).reshape(games, -1),
        table,
    )


def draws_at_the_start(game: Game) -> bool:
    """Return whether the set-up is random, by trying it with empty dice."""
    try:
        game.set_up(Dice())  # raises on the first draw
    except ValueError:
        return True
    return False


def joined(pieces: list[GamesPiece]) -> GamesPiece:
    """Join pieces in the order of the games' numbers."""
    import numpy as np

    pieces = sorted(pieces, key=lambda piece: int(piece.numbers[0]))
    names = [field.name for field in fields(GamesPiece)]
    return GamesPiece(*(np.concatenate([getattr(piece, name) for piece in pieces]) for name in names))


class Results:
    """The results of a simulation. Every array has a row per game.

    scores, winners     by seat
    forfeits            by seat: whether its agent failed; a single column if all seats are random
    decisions           the number of decisions with a choice
    notes, changes      by rule: the number of notes or changes that cite it
    fields              by field of the table: the number of its changes
    numbers             the numbers of the games: 0, 1, 2, ..., with gaps after an interruption

        >>> results = crashlab.simulate(crashlab.game("autoscooter", players=2), games=20)
        >>> results.mean("AS-C4"), results.scores[:3].tolist()
        (3.2, [[0, 0], [0, 0], [0, 6]])
    """

    def __init__(self, job: Job, asked: int, played: GamesPiece) -> None:
        self.job, self.asked = job, asked
        self.game = job.game
        self.numbers, self.decisions = played.numbers, played.decisions
        self.scores = played.scores
        self.winners = played.winners
        self.forfeits = played.forfeits != ""
        self._reasons, self._counts = played.forfeits, played.counts

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def notes(self) -> dict[str, NDArray[Any]]:
        """Arrays by rule id: the number of notes that cite the rule in each game."""
        columns = self._columns(0, len(self.game.rulebook))
        return {rule.id: column for rule, column in zip(self.game.rulebook, columns, strict=True) if rule.numbers}

    @cached_property
    def changes(self) -> dict[str, NDArray[Any]]:
        """Arrays by rule id: the number of changes that cite the rule in each game."""
        rules = len(self.game.rulebook)
        columns = self._columns(rules, 2 * rules)
        return {rule.id: column for rule, column in zip(self.game.rulebook, columns, strict=True) if column.any()}

    @cached_property
    def fields(self) -> dict[str, NDArray[Any]]:
        """Arrays by name of a field of the table: the number of changes of the field in each game."""
        columns = self._columns(2 * len(self.game.rulebook), self.job.width)
        return {name: column for name, column in zip(self.job.table.NAMES, columns, strict=True) if column.any()}

    def _columns(self, first: int, last: int) -> list[NDArray[Any]]:
        require(self.job.events, "no events were counted: simulate(..., events=True) counts them")
        return list(self._counts.T[first:last])

    def column(self, what: str) -> NDArray[Any]:
        """Return the array of a rule in `notes` (`"AS-C5"`), else in `changes`, or of a field in `fields`."""
        for counts in (self.notes, self.changes, self.fields):
            if isinstance(what, str) and what in counts:
                return counts[what]
        raise CrashlabError(
            f"nothing is counted under {short_repr(what)}:"
            f" no note or change cites it, and it is not a field that changes."
            f" Notes cite {', '.join(self.notes)}; changes {', '.join(self.changes)}; the fields are"
            f" {', '.join(self.fields)}"
        )

    def mean(self, what: str) -> float:
        """Return the mean per game of a count (`column`)."""
        return float(self.column(what).mean())

    def half_width(self, what: str) -> float:
        """Return half the width of the 95 % interval of the mean of a count; infinite for too few games."""
        return half_width(self.column(what))

    def wins(self, seat: int) -> tuple[float, float, float]:
        """Return a seat's share of wins, and the ends of its 95 % interval (0 and 1 for too few games)."""
        seat = self.game.seat(seat)
        wins = int(self.winners[:, seat].sum())
        return wins / len(self), *share_interval(wins, len(self))

    def match(self, number: int) -> Match:
        """Replay the game with a number, and return the match."""
        index = integer(number)
        if index is None or not 0 <= index < self.asked or index not in self.numbers:
            raise CrashlabError(f"there is no game {short_repr(number)}; the games are 0 to {self.asked - 1}")
        return self.job.match(index)

    def plot(self, *what: str, axes: Any = None) -> Any:
        """Plot mean counts per game (by default of all notes), with intervals; return the Matplotlib axes."""
        rules = list(what) or [rule for rule, counts in self.notes.items() if counts.any()]
        heights, half_widths = [self.mean(rule) for rule in rules], beams([self.half_width(rule) for rule in rules])
        names = [rule if rule in self.fields else f"{rule} {self.game.rulebook[rule].title}" for rule in rules]
        bars = axes_for(axes, 0.6 + 0.32 * len(rules))
        bars.barh(names, heights, xerr=half_widths, color=BLUE, ecolor="#000000", capsize=3)
        bars.invert_yaxis()
        bars.set_xlabel(f"a game, mean of {len(self):,} games with 95 % intervals")
        return bars

    @property
    def is_whole(self) -> bool:
        """Whether all requested games were played, without an interruption."""
        return len(self) == self.asked

    def __str__(self) -> str:
        interruption = "" if self.is_whole else f" (stopped; {self.asked:,} were requested)"
        lines = [f"{counted(len(self))} of {self.game!r}{interruption}", "seat          score             wins"]
        for seat in self.game.seats:
            score = self.scores[:, seat]
            share, low, high = self.wins(seat)
            lines.append(
                f"{self.game.seat_name(seat):4} {score.mean():10.2f} {plus_minus(half_width(score)):8}"
                f" {100 * share:6.1f} % {ends(low, high, 1)}"
            )
        for seat in self.game.seats if self.forfeits.any() else ():
            forfeits = self.forfeits[:, seat]
            if forfeits.any():
                why, games = self._reasons[forfeits.argmax(), seat], counted(int(forfeits.sum()))
                lines.append(f"{self.game.seat_name(seat)} forfeited {games}; the first one: {why}")
        few, many = self.decisions.min(), self.decisions.max()
        mean, half = self.decisions.mean(), half_width(self.decisions)
        lines.append(f"decisions {mean:6.1f} {plus_minus(half, 1)}, from {few} to {many}")
        if self.job.events:
            for rule, counts in self.notes.items():
                if counts.any():
                    title = self.game.rulebook[rule].title
                    lines.append(f"{rule:6} {title:34} {self.mean(rule):7.2f} {plus_minus(half_width(counts))} a game")
        return "\n".join(noted(lines))

    def __repr__(self) -> str:
        return f"<Results of {counted(len(self))} of {self.game!r}>"

    def _repr_pretty_(self, page: Any, cycle: bool) -> None:
        page.text(str(self))  # shows the table in notebooks


def axes_for(axes: Any, height: float) -> Any:
    """Return the given Matplotlib axes, or new ones of a height in inches."""
    if axes is None:
        from matplotlib import pyplot

        return pyplot.figure(figsize=(7, height), layout="constrained").subplots()
    require(
        callable(getattr(axes, "barh", None)),
        f"axes={short_repr(axes)}: give Matplotlib axes, or None for new ones",
    )
    return axes


def counted(games: int) -> str:
    """Return a number of games with its noun."""
    return f"{games:,} game{'s' * (games != 1)}"


def simulate(
    start: Game | State,
    games: int = 10_000,
    agents: Agents = "random",
    seed: int = 1,
    workers: int | Executor | None = None,
    events: bool = True,
    progress: bool = True,
) -> Results:
    """Play many games and count their events. The same seed gives the same results.

    On interruption, the games played so far are returned.

    Parameters
    ----------
    start : Game | State
        The game, or the first position of every game.
    games : int
        The number of games.
    agents : Agents
        "random", or another agent's name, or a function, for all seats; or a dict for some.
    seed : int
        The same seed gives the same numbers.
    workers : int | Executor | None
        The number of threads (by default the number of cores), any `concurrent.futures.Executor`, or a Dask client.
    events : bool
        Whether to count events; without counts, random play is a little faster and needs less memory.
    progress : bool
        Whether to show a progress bar if the computation takes longer than a second.

    Returns
    -------
    Results
        The results, with 95 % intervals.

    Examples
    --------
    >>> print(crashlab.simulate(crashlab.game("autoscooter", players=2), games=20))
    20 games of game('autoscooter', players=2)
    seat          score             wins
    A          1.30 ± 2.10     70.0 % (45.7 to 88.1)
    B          2.85 ± 2.95     85.0 % (62.1 to 96.8)
    decisions   44.0 ± 0.5, from 44 to 44
    AS-R4  No jumping                           48.75 ± 3.84 a game
    AS-R6  A plot that has become illegal        0.10 ± 0.24 a game
    AS-C1  Front crash                           0.60 ± 0.58 a game
    AS-C2  Crash into a standing car            12.95 ± 4.17 a game
    AS-C3  Rear crash                            1.25 ± 0.90 a game
    AS-C4  Side crash                            3.20 ± 1.55 a game
    AS-C5  Into the barrier                     30.75 ± 4.75 a game
    AS-C7  No debts                             12.60 ± 4.06 a game
    AS-E1  The end                               1.00 ± 0.45 a game
    """
    check_start(start, "simulate()", may_be_over=True)
    games = whole("games", games)
    game = start if isinstance(start, Game) else start.game
    job = Job(start, not_random(game, agents), whole_seed(seed), truth("events", events))
    return Results(job, games, joined(gathered(pieces(job, games, workers), games, "games", progress, len)))


def not_random(game: Game, agents: Agents) -> dict[int, str | Agent]:
    """Return the agents by seat, without random ones."""
    lineup = by_seat(game, agents)
    return {seat: agent for seat, agent in lineup.items() if not (isinstance(agent, str) and agent == "random")}


# Distribution to workers


def pieces(job: Job, games: int, workers: int | Executor | None) -> Generator[GamesPiece]:
    """Yield all games in pieces, in the order in which they finish."""
    pool = cores() if workers is None else workers
    executor = executor_of(pool)
    if is_executor(executor):
        return sent_pieces(job, games, executor, crowd(pool))
    threads = whole(
        "workers", pool, more=", the number of threads, or a concurrent.futures.Executor", most=MOST_THREADS
    )
    return own_pieces(job, 0, games, threads)


def own_pieces(job: Job, first: int, games: int, threads: int) -> Generator[GamesPiece]:
    """Play games in threads and yield them in pieces; play interpreted until the compiler is done.

    The compiler starts after PATIENCE seconds.
    """
    start = time.monotonic()
    end = first + games
    size = {True: 1, False: 1}  # size of the next piece, by whether the code is compiled
    running: dict[Future[tuple[GamesPiece, float]], bool] = {}
    players = pool(threads)
    stop = Event()
    try:
        while first < end or running:
            backend = backend_for(job, time.monotonic() - start)
            is_compiled = backend.is_compiled
            busy = threads if is_compiled or job.agents else 1
            while first < end and len(running) < busy + (busy > 1):  # one piece more than there are threads
                count = share(end - first, size[is_compiled], busy)
                running[players.submit(timed, job, first, count, backend, stop)] = is_compiled
                first += count
            for future in futures.wait(running, return_when=futures.FIRST_COMPLETED).done:
                kind = running.pop(future)
                piece, seconds = future.result()
                size[kind] = min(max(1, round(len(piece) * PIECE / seconds)), 8 * len(piece))
                yield piece
    finally:
        stop.set()
        players.shutdown(cancel_futures=True)


def timed(job: Job, first: int, games: int, backend: choose_backend.Backend, stop: Event) -> tuple[GamesPiece, float]:
    """Play a piece; return it and its duration."""
    start = time.monotonic()
    return job.play(first, games, backend, stop), max(time.monotonic() - start, 1e-6)


def backend_for(job: Job, seconds: float, wait: bool = False) -> choose_backend.Backend:
    """Return the backend to play with, compiled if it is ready; short jobs do not start the compiler."""
    is_brief = seconds < PATIENCE and not choose_backend.is_ready(job.game.rules, PURPOSES[job.events])
    if job.agents or is_brief:
        return choose_backend.interpreted(job.game.rules)
    return choose_backend.ready(job.game, PURPOSES[job.events], wait)


@choose_backend.prepares("games")
def prepare(game: Game, backend: choose_backend.Backend, events: bool = False) -> None:
    """Compile the kernel by playing a game."""
    Job(game, {}, 1, events).play(0, 1, backend, Event())


choose_backend.prepares("counted games")(partial(prepare, events=True))
PURPOSES = {False: "games", True: "counted games"}  # purpose by whether events are counted


def sent_pieces(job: Job, games: int, executor: Executor, workers: int) -> Generator[GamesPiece]:
    """Play games on the workers of an executor, and yield them in pieces."""
    singly = job.agents and games <= 16 * MOST_PIECES  # games with agents take long
    sizes = [1] * games if singly else cut(games, workers)
    firsts = [0, *accumulate(sizes[:-1])]
    calls = [partial(whole_piece, job, first, size) for first, size in zip(firsts, sizes, strict=True)]
    with closing(done_by(executor, calls, GamesPiece)) as results:
        for _, piece in results:
            yield piece


def whole_piece(job: Job, first: int, games: int) -> GamesPiece:
    """Play a piece in this process, in one thread."""
    return joined(list(own_pieces(job, first, games, 1)))


def affordable(compiled: int, interpreted: int) -> int:
    """Return how many games a lesson plays: `compiled`, or without a compiler `interpreted`, with a printed message."""
    if choose_backend.can_compile():
        return compiled
    print(f"The rules are not compiled here, so this plays {counted(interpreted)} instead of {compiled:,}.")
    return interpreted


def warm(game: Game, events: bool | None = None) -> None:
    """Compile random play with or without counts of events (None for both), or load it from the cache."""
    choose_backend.warm(game, *(PURPOSES.values() if events is None else [PURPOSES[events]]))
