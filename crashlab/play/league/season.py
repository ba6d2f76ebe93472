"""Leagues: every file in a folder is an agent in a separate process, and every game is stored.

    crashlab.league("hand-ins", crashlab.game("autoscooter", players=2))

A file defines a function `agent(state, seat)`, or a function `make()` that returns one. The games are stored in the
file `league.jsonl` of the folder, a line for each game, and a later call continues from there. An agent whose file has
changed plays its games again.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from pathlib import Path
from textwrap import fill
from typing import Any

from crashlab.base import files
from crashlab.base.clock import LONGEST, SHORTEST, UNLIMITED, Time, TimeIsUp
from crashlab.base.errors import (
    IN_BROWSER,
    CrashlabError,
    integer,
    number_between,
    printable,
    require,
    require_in,
    short_repr,
    short_str,
    truncate,
    whole,
)
from crashlab.base.progress import bar
from crashlab.base.workers import done_by, executor_of, is_executor
from crashlab.engine.chance import Random, whole_seed
from crashlab.engine.game import Game, State
from crashlab.engine.notation import counted
from crashlab.games import game as game_of
from crashlab.play.league import locks, pairings
from crashlab.play.league.fixtures import Fixture, Kept, derived
from crashlab.play.league.guest import Guest, GuestSpec, Limits, Participant, Trouble, promise, trace_of
from crashlab.play.league.pairings import NOBODY, Pairing
from crashlab.play.league.sandbox import is_within
from crashlab.play.match import Match, check_start, recorded, recorded_rules
from crashlab.play.process_agent import Closed, Failed
from crashlab.play.tournament import Standings, TournamentGame

KEPT = "league.jsonl"  # the file of the games played
ROBIN, SWISS = "robin", "swiss"
GAMES, SECONDS, MEMORY = 10, 1.0, 512  # defaults: games of a pair; seconds per decision; megabytes
LEAST_MEMORY, MOST_MEMORY = 256, 1 << 20  # bounds in megabytes; Python and the game need some 100
MOST_GAMES = 10_000  # most games of a pair
LARGEST = 1_000_000  # most bytes of an agent's file
LEAST_SEED = 10**39  # 40 digits are more than 128 bits; agents could try all shorter seeds
BUSY = "another program is playing this league; wait until it ends, or stop it"


def league(
    folder: str | Path,
    game: Game | State | None = None,
    games: int = GAMES,
    rounds: str | int = ROBIN,
    limit: float | None = None,
    memory: int | None = None,
    seed: int | None = None,
    workers: Executor | None = None,
    progress: bool = True,
) -> Season:
    """Let the agents in a folder play against each other; a later call continues where this one stopped.

    An agent that fails, plays an illegal action or takes too long forfeits the game. On interruption, the games played
    so far are returned, and another call continues. The restrictions of agents are described in
    `crashlab.play.league.guest`.

    Parameters
    ----------
    folder : str | Path
        The folder with a file for each agent.
    game : Game | State | None
        A Game, or a State to start from; by default the one stored with earlier games, or else Autoscooter.
    games : int
        The number of games of each pair: even, so that both agents have each side equally often.
    rounds : str | int
        "robin": every agent meets every other. "swiss": in each round, every agent meets a new one with a similar
        result, until the best is found. A number: that many Swiss rounds.
    limit : float | None
        Seconds for a decision; by default 1.
    memory : int | None
        Megabytes of memory for an agent's process; by default 512.
    seed : int | None
        A number of at least 40 digits, by default a random one; it is stored with the games. The same seed gives the
        same season, so keep it secret from the authors of agents.
    workers : Executor | None
        Any `concurrent.futures.Executor`, such as a Dask client's.
    progress : bool
        Whether to show a progress bar if the computation takes longer than a second.

    Returns
    -------
    Season
        The table of the agents, with all games.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> for name, place in (("first", 0), ("last", -1)):
    ...     lines = "def agent(state, seat):", f"    return state.actions(seat)[{place}]"
    ...     done = (folder / f"{name}.py").write_text("\\n".join(lines))
    >>> season = crashlab.league(folder, crashlab.game("autoscooter", players=2), games=2, limit=60, seed=10**39)
    >>> season.title
    'Autoscooter: 2 agents, 2 of 2 games'
    >>> season.match(1).run() == season.match(1).state
    True
    """
    season = Season(folder, game, games, rounds, limit, memory, seed)
    try:
        with bar(len(season.entries), "agents loaded", progress) as progress_bar, closing(season.roll_call()) as roll:
            for _ in roll:
                progress_bar.update()
        with (
            bar(season.planned_games, "games", progress) as progress_bar,
            closing(season.play(workers)) as games_played,
        ):
            progress_bar.update(len(season.played))
            for _ in games_played:
                progress_bar.update()
    except KeyboardInterrupt:
        if not season.played:
            raise
    return season


class Season:
    """The season of a league: the games played and those still to play.

    >>> from tempfile import mkdtemp
    >>> season = crashlab.Season(mkdtemp(), crashlab.game("crash_city", players=2))
    >>> season.title
    'CrashCity: 0 agents, 0 of 0 games'
    """

    def __init__(
        self,
        folder: str | Path,
        game: Game | State | None = None,
        games: int = GAMES,
        rounds: str | int = ROBIN,
        limit: float | None = None,
        memory: int | None = None,
        seed: int | None = None,
    ) -> None:
        require(not IN_BROWSER, "a league needs processes, but Python in a browser has none")
        self.folder = whole_folder(folder)
        require(
            not is_within(os.path.realpath(self.folder), locks.readable()),
            f"{truncate(str(folder))}: agents can read this folder; keep the league in another one",
        )
        self.games = whole("games", games, least=2, most=MOST_GAMES)
        require(
            self.games % 2 == 0,
            f"games={self.games}: give an even number, so that each agent has both sides equally often",
        )
        self.broken: dict[str, Trouble] = {}  # agents that cannot take part, with reasons
        self.entries = self._entries()
        self._rounds = number_of_rounds(rounds, len(self.entries))
        options = {"limit": limit, "memory": memory, "seed": seed}
        lines = self._lines()
        self.start, self.seed, self.limits = self._settings(lines[0] if lines else None, game, options)
        self._sound: set[str] = set()  # hashes of agents that have been loaded
        self._stored_games: dict[tuple[Pairing, int], Kept] = {}
        self._playing: list[Guest] = []
        self._is_stopped = False
        self._damaged: dict[int, str] = {}  # reasons by the number of a skipped line
        self._take(lines)

    @property
    def game(self) -> Game:
        """The game."""
        return self.start if isinstance(self.start, Game) else self.start.game

    @property
    def names(self) -> tuple[str, ...]:
        """The participating agents, in alphabetical order."""
        return tuple(sorted(name for name in self.entries if name not in self.broken))

    # The folder

    @property
    def path(self) -> Path:
        """The file of the games played."""
        return self.folder / KEPT

    def _entries(self) -> dict[str, Participant]:
        """Read all files with agents and return them by name; note unreadable ones in `broken`."""
        entries = {}
        for path in sorted(self.folder.glob("*.py")):
            name = printable(path.stem)
            if name.startswith(("_", ".")):
                continue
            entries[name] = Participant(name, "")
            try:
                if name != path.stem:
                    raise ValueError("its name contains characters that cannot be shown")
                entries[name] = Participant(name, files.read_regular(path, LARGEST).decode())
            except (OSError, ValueError) as error:
                self.broken[name] = Trouble(name, f"cannot be read: {short_str(error)}")
        return entries

    def _lines(self) -> list[dict[str, Any]]:
        """Read the lines of the file; a damaged line gives an empty dict."""
        try:
            lines = files.read_regular(self.path).decode().splitlines()
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise CrashlabError(f"{truncate(str(self.path))}: cannot be read: {error}") from error
        records = []
        for line in lines:
            try:
                records.append(json.loads(line))
            except (ValueError, RecursionError):
                records.append(None)
        require(
            not lines or (records and isinstance(records[0], dict) and "league" in records[0]),
            f"{truncate(str(self.path))}: this is not the file of a league; move it away",
        )
        return [line if isinstance(line, dict) else {} for line in records]

    def _settings(
        self, line: Mapping[str, Any] | None, game: Game | State | None, options: Mapping[str, Any]
    ) -> tuple[Game | State, int, Limits]:
        """Return the start, the seed and the limits; raise CrashlabError if given values differ from stored ones."""
        if game is not None:
            check_start(game, "a tournament")
        previous = self._kept_settings(line["league"], game) if line else None
        start = game if game is not None else previous[0] if previous else game_of("autoscooter")
        seconds = number_between("limit", options["limit"], SHORTEST, LONGEST) if options["limit"] is not None else None
        memory = (
            options["memory"]
            if options["memory"] is None
            else whole("memory", options["memory"], least=LEAST_MEMORY, most=MOST_MEMORY)
        )
        seed = None if options["seed"] is None else whole_seed(options["seed"])
        require(
            seed is None or seed >= LEAST_SEED,
            f"seed={short_repr(seed)}: agents could guess this seed;"
            " leave it out for a secret one, or give at least 40 digits",
        )
        if previous is None:
            limits = Limits(SECONDS if seconds is None else seconds, MEMORY if memory is None else memory)
            settings = start, LEAST_SEED + secrets.randbits(256) if seed is None else seed, limits
            with files.locked(self.path, BUSY):
                require(not self._lines(), f"{truncate(str(self.path))}: {BUSY}")
                self._begin(*settings)
            return settings
        for name, new, old in (
            ("game", start, previous[0]),
            ("seed", seed, previous[1]),
            ("limit", seconds, previous[2].seconds),
            ("memory", memory, previous[2].memory),
        ):
            if new is not None and new != old:
                secret = name == "seed"
                words = "another seed" if secret else f"{name}={short_repr(old)}, not {short_repr(new)}"
                raise CrashlabError(
                    f"{truncate(str(self.path))}: this league was played with {words}; leave out {name}= to continue,"
                    " or move the file away to start again"
                )
        return previous

    def _kept_settings(self, line: Any, argument: Game | State | None) -> tuple[Game | State, int, Limits]:
        """Parse the settings in the first line; raise CrashlabError if they are invalid or `argument` differs."""
        variant = argument.game if isinstance(argument, State) else argument
        try:
            if not isinstance(line, dict):
                raise TypeError("its first line has no settings")
            game = recorded(line, variant)
            start = game.read(line["start"]) if "start" in line else game
            require(
                whole_seed(line["seed"]) >= LEAST_SEED,
                "its seed comes from an older crashlab, and agents could compute it",
            )
            seconds = number_between("limit", line["limit"], SHORTEST, LONGEST)
            memory = whole("memory", line["memory"], least=LEAST_MEMORY, most=MOST_MEMORY)
            return start, whole_seed(line["seed"]), Limits(seconds, memory)
        except CrashlabError as error:
            raise CrashlabError(f"{truncate(str(self.path))}: this league cannot continue: {error}") from None
        except (KeyError, TypeError, ValueError) as error:
            raise CrashlabError(
                f"{truncate(str(self.path))}: this is not the file of a league: {short_str(error)}"
            ) from error

    def _begin(self, start: Game | State, seed: int, limits: Limits) -> None:
        """Write the first line: the start, the seed and the limits."""
        record = recorded_rules(start if isinstance(start, Game) else start.game)
        if isinstance(start, State):
            record["start"] = start.to_dict()
        self._write({"league": {**record, "seed": seed, "limit": limits.seconds, "memory": limits.memory}})

    def _write(self, line: Mapping[str, Any]) -> None:
        """Append a line to the file, after completing an incomplete last line."""
        try:
            with self.path.open("a+b") as file:
                file.seek(0, os.SEEK_END)
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    if file.read(1) != b"\n":
                        file.write(b"\n")
                file.write(json.dumps(line).encode() + b"\n")
        except OSError as error:
            raise CrashlabError(f"{truncate(str(self.path))}: cannot be written: {error.strerror}") from error

    def _take(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """Load the games from the lines after the first, if the files of both agents exist and are unchanged."""
        for number, line in enumerate(lines[1:], 2):
            if "sound" in line:
                self._sound.add(str(line["sound"]))
                continue
            try:
                game = Kept.of(line.get("game"), len(self.game.seats))
            except ValueError as error:
                self._damaged[number] = short_str(error)
                continue
            if all(name in self.entries for name in game.pair) and game.fingerprints == self._prints(game.pair):
                self._keep(game)

    def _keep(self, game: Kept) -> None:
        """Add a game to a new dict, so that other threads can still read the old one."""
        self._stored_games = {**self._stored_games, (game.pair, game.number): game}

    def _prints(self, pair: Pairing) -> dict[str, str]:
        return {name: self.entries[name].fingerprint for name in pair}

    # The schedule

    @property
    def swiss(self) -> int | None:
        """The number of rounds of a Swiss league; None for a round robin."""
        return None if self._rounds is None else min(self._rounds, pairings.most(len(self.names)))

    @property
    def rounds(self) -> list[list[Pairing]]:
        """The pairings of the rounds so far; a round is added when all games of the earlier rounds are played."""
        if self.swiss is None:
            return [pairings.everybody(self.names)]
        rounds: list[list[Pairing]] = []
        while len(rounds) < self.swiss and not (rounds and self._lacking(rounds[-1])):
            earlier = [pair for round_ in rounds for pair in round_]
            rounds.append(pairings.swiss(self._order(earlier), earlier))
        return rounds

    def _order(self, earlier: list[Pairing]) -> list[str]:
        """Order agents by points, a bye counting as wins; ties are broken at random."""
        points = dict.fromkeys(self.names, 0.0)
        for pair in earlier:
            for name in pair:
                if NOBODY in pair and name != NOBODY:
                    points[name] += self.games
                elif NOBODY not in pair:
                    both = [
                        self._stored_games[pair, number]
                        for number in range(self.games)
                        if (pair, number) in self._stored_games
                    ]
                    points[name] += sum(game.played.points(name) for game in both)
        return sorted(Random(derived(self.seed, "order")).shuffled(self.names), key=lambda name: -points[name])

    def _lacking(self, round_: list[Pairing]) -> list[tuple[Pairing, int]]:
        """Return the remaining games of a round, in an order that lets all agents play about equally many."""
        pairs = [pair for pair in round_ if NOBODY not in pair]
        return [
            (pair, number) for number in range(self.games) for pair in pairs if (pair, number) not in self._stored_games
        ]

    @property
    def next(self) -> Pairing | tuple[()]:
        """The two agents of the running game, or of the next game; empty if no game remains."""
        rounds = self.rounds
        lacking = self._lacking(rounds[-1]) if rounds else []
        return lacking[0][0] if lacking else ()

    @property
    def planned_games(self) -> int:
        """The total number of games of the league."""
        number = len(self.names)
        if self.swiss is None:
            return self.games * number * (number - 1) // 2
        return self.games * (number // 2) * self.swiss

    @property
    def played(self) -> list[Kept]:
        """The games played, in the order in which they finished."""
        pairs = {pair for round_ in self.rounds for pair in round_}
        return [game for game in self._stored_games.values() if game.pair in pairs and game.number < self.games]

    def _fixture(self, pair: Pairing, number: int) -> Fixture:
        """Return a game of a pair; the agents swap sides in every other game."""
        one, other = pair if number % 2 == 0 else pair[::-1]
        sides = (one, self._invitation(one)), (other, self._invitation(other))
        return Fixture(TournamentGame(self.start, number, sides, self.seed, UNLIMITED), pair, self._prints(pair))

    def _invitation(self, name: str) -> GuestSpec:
        return GuestSpec(self.entries[name], self.game, self.limits)

    # Playing

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock the league against other programs, and read the games that they have played."""
        with files.locked(self.path, BUSY):
            self._take(self._lines())
            yield

    def roll_call(self) -> Generator[str]:
        """Load every agent that has never been loaded and yield its name; agents that fail take no part."""
        self._is_stopped = False
        with self._alone():
            for name, entry in self.entries.items():
                if name in self.broken or entry.fingerprint in self._sound:
                    continue
                self._check(name)
                yield name

    def _check(self, name: str) -> None:
        guest = self._invitation(name)(0)
        self._playing[:] = [guest]
        try:
            guest.begin()
            guest.get_ready()
        except (Failed, TimeIsUp) as error:
            words = f"cannot be loaded: {short_str(error)}"
            self.broken = {**self.broken, name: Trouble(name, words, trace=trace_of(error), said=guest.said)}
        else:
            fingerprint = self.entries[name].fingerprint
            self._sound.add(fingerprint)
            self._write({"sound": fingerprint})
        finally:
            guest.close()

    def play(self, workers: Executor | None = None) -> Generator[Kept]:
        """Play the remaining games; yield each one as it finishes."""
        self._is_stopped = False
        workers = executor_of(workers)
        require(
            workers is None or is_executor(workers),
            f"workers={short_repr(workers)}: give a concurrent.futures.Executor",
        )
        if len(self.names) < 2:
            troubles = "".join(f"; {trouble}" for trouble in self.broken.values())
            raise CrashlabError(
                f"a league needs two agents, but {truncate(str(self.folder))} has {len(self.names)}{troubles}"
            )
        with self._alone():
            while (rounds := self.rounds) and (lacking := self._lacking(rounds[-1])):
                plays = [self._fixture(pair, number).play for pair, number in lacking]
                with closing(self._here(plays) if workers is None else done_by(workers, plays, Kept)) as results:
                    for _, game in results:
                        self._keep(game)
                        self._write({"game": game.to_dict()})
                        yield game

    def _here(self, plays: list[Callable[..., Kept]]) -> Generator[tuple[int, Kept]]:
        for place, play in enumerate(plays):
            if self._is_stopped:
                raise Closed("the league was stopped")
            yield place, play(self._playing)

    def stop(self) -> None:
        """Stop the running game immediately; finished games are kept."""
        self._is_stopped = True
        for guest in self._playing:
            guest.close()

    # Results

    @property
    def standings(self) -> Standings:
        """The table, with ratings and intervals."""
        results = tuple(game.played for game in self.played)
        return Standings(self.game, self.names, results, self.planned_games, None, Time(self.limits.seconds))

    @property
    def troubles(self) -> dict[str, list[Trouble]]:
        """Failures by name: errors of loading, and forfeits."""
        by_name = {name: [trouble] for name, trouble in self.broken.items()}
        for game in self.played:
            for trouble in game.troubles:
                by_name.setdefault(trouble.name, []).append(trouble)
        return dict(sorted(by_name.items()))

    def match(self, number: int) -> Match:
        """Replay the game with a number, without its agents; games are numbered from 1 in the order of `played`."""
        played = self.played
        words = f"there is no game {short_repr(number)}; games are numbered 1 to {len(played)}"
        index = require_in(range(1, len(played) + 1), number, words)
        return Match.from_dict(played[index - 1].match, f"game {index}", self.game)

    @property
    def title(self) -> str:
        """The title: the game and the progress, without the secret seed."""
        out = f", {len(self.broken)} of them broken" if self.broken else ""
        turn = f", round {len(self.rounds)} of {self.swiss}" if self.swiss else ""
        games = f"{len(self.played):,} of {self.planned_games:,} games"
        return f"{self.game.title}: {counted(len(self.entries), 'agent')}{out}{turn}, {games}"

    @property
    def damage(self) -> str:
        """A message about skipped lines of the file; empty if there are none."""
        if not self._damaged:
            return ""
        (first, why), *more = self._damaged.items()
        others = f", and {counted(len(more), 'line')} more" if more else ""
        return f"{KEPT}: line {first} is damaged and was left out ({why}){others}"

    @property
    def reports(self) -> list[str]:
        """A line for each agent that failed, and one if the file is damaged."""
        return [
            f"{trouble}" + (f" (and {counted(len(more), 'time')} more)" if more else "")
            for trouble, *more in self.troubles.values()
        ] + [self.damage] * bool(self.damage)

    @property
    def html(self) -> str:
        """The league as a stand-alone HTML page."""
        from crashlab.play.league.page import page

        return page(self)

    def save(self, path: str | Path) -> None:
        """Save the HTML page."""
        files.write(files.whole_path(path), self.html.encode("utf-8", "backslashreplace"))

    def __str__(self) -> str:
        table = [*self.standings.lines, *(fill(remark, 100) for remark in self.standings.meaning)] if self.names else []
        return "\n".join([self.title, *table, *self.reports, *([missing] if (missing := promise()) else [])])

    def __repr__(self) -> str:
        return f"<Season of {self.title}>"


def whole_folder(folder: object) -> Path:
    """Check that a folder exists, and return its path."""
    path = files.whole_path(folder)
    try:
        is_folder = path.is_dir()
    except OSError:  # no folder can have such a name
        is_folder = False
    require(
        is_folder, f"{truncate(str(path))}: this is not a folder; a league needs a folder with a file for each agent"
    )
    return path


def number_of_rounds(rounds: object, agents: int) -> int | None:
    """Return the number of rounds of a Swiss league; None for a round robin."""
    if isinstance(rounds, str) and rounds == ROBIN:
        return None
    if isinstance(rounds, str) and rounds == SWISS:
        return pairings.enough(agents)
    count = integer(rounds)
    if count is None or count < 1:
        raise CrashlabError(f"rounds={short_repr(rounds)}: give {ROBIN!r}, {SWISS!r}, or a number of rounds")
    most = pairings.most(agents)
    if count > most:
        words = f"{agents} agents can play at most {counted(most, 'round')}"
        raise CrashlabError(f"rounds={short_repr(count)}: {words}; with {ROBIN!r} each agent meets every other one")
    return count
