"""Measure the speed of a game on this machine, all figures in one run, so that their ratios are comparable.

python tests/tools/bench.py                                       autoscooter: interpreted, compiled, searches, phones
python tests/tools/bench.py crash_city --traffic --json now.json  what an Explorer sends to its page
python tests/tools/bench.py --clicks --before earlier.json        what a click costs, beside an earlier run
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from importlib import metadata
from importlib.util import find_spec
from itertools import cycle
from threading import Event
from typing import Any

import crashlab
from crashlab import agents
from crashlab.adapters.batch import batch_env
from crashlab.agents import minimax
from crashlab.agents.minimax import suits
from crashlab.analysis.tablebase import Race
from crashlab.base import files
from crashlab.base.errors import CrashlabError, number_between, truncate
from crashlab.base.progress import gathered
from crashlab.base.workers import cores
from crashlab.cli.arguments import SECONDS as ALLOWED
from crashlab.cli.arguments import add_options, chosen_game, decimal
from crashlab.compiled import choose_backend
from crashlab.compiled.kernels import random_play
from crashlab.drawing.player import page
from crashlab.drawing.story import film
from crashlab.engine.chance import Random
from crashlab.engine.game import Game, State
from crashlab.engine.table import NOWHERE, Trace
from crashlab.play.simulation import Job, simulate
from crashlab.watch import record

SECONDS = 1.0  # for each measurement
FIGURES = {True: 18, False: 9}  # their number, by whether there is a compiler
PROCESSES = {True: 3, False: 1}  # more if there are other processes
POSITIONS = 200  # the texts to read
BEATS = 20  # numbers that the watched function sorts
DEEP = 1000  # nested calls of another watched function
PHONES = 2  # figures of voting phones
VOTERS, WITHIN = 300, 5.0  # their number, and the seconds in which they vote
BATCH = 1024  # games in a batch
BY_TURNS = 4  # more with a compiler, for games of two who take turns and see everything
AHEAD = 3  # decisions of lookahead
SAMPLE = {True: 1000, False: 20}  # games to estimate the usual length from
IMPORT = "import time; begun = time.perf_counter(); import crashlab; print(time.perf_counter() - begun)"
COLD = """
import time, crashlab
from crashlab.play.simulation import Job, backend_for
job = Job(crashlab.game({name!r}, **{options!r}), {{}}, 1, False)
begun = time.perf_counter()
backend_for(job, 9, wait=True)
print(time.perf_counter() - begun)
"""


@dataclass(frozen=True)
class Measurement:
    """One figure: a value in its unit, and its ratio to another line."""

    name: str
    value: float
    unit: str
    ratio: float | None = None
    to: str = ""  # the name of the line that the ratio refers to


@dataclass(frozen=True)
class BenchReport:
    """All figures of one run."""

    machine: dict[str, Any]
    game: str
    lines: tuple[Measurement, ...]
    stopped: bool = False  # before the last figure
    before: Mapping[str, float] = field(default_factory=dict)  # the figures of an earlier run, by name

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __getitem__(self, name: str) -> Measurement:
        return next(line for line in self.lines if line.name == name)

    def __str__(self) -> str:
        about = [f"{name:10} {value}" for name, value in self.machine.items()]
        rows = []
        for line in self.lines:
            times = "" if line.ratio is None else f"{line.ratio:8.2f} x {line.to}"
            then = f"{figure(self.before[line.name]):>12} before   " if line.name in self.before else ""
            rows.append(f"{line.name:44}{figure(line.value):>12} {line.unit:14}{then}{times}".rstrip())
        stopped = ["(stopped before all was measured)"] if self.stopped else []
        return "\n".join([*about, f"{'game':10} {self.game}", "", *rows, *stopped])


def figures_in(path: str) -> dict[str, float]:
    """Read the figures that an earlier run wrote to a file, by name."""
    try:
        lines = json.loads(files.whole_path(path).read_text(encoding="utf-8"))["lines"]
        return {str(line["name"]): float(line["value"]) for line in lines}
    except (ValueError, TypeError, LookupError, RecursionError):
        raise CrashlabError(f"{truncate(path)} has no figures of bench.py --json") from None


def figure(value: float) -> str:
    """Write a number with three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def machine() -> dict[str, Any]:
    """Describe the machine and the versions."""
    facts = {
        "processor": processor(),
        "cores": cores(),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
    }
    for package in ("crashlab", "numpy", "wasmtime", "llvmlite"):
        try:
            facts[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            facts[package] = "not installed"
    return facts


def processor() -> str:
    """Return the processor's name, if the system provides it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def rate(work: Callable[[], int], seconds: float = SECONDS) -> float:
    """Return the operations per second, the best of three measurements of a third of the time each."""
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        count = 0
        while (passed := time.perf_counter() - start) < seconds / 3:
            count += work()
        best = max(best, count / passed)
    return best


def rate_of_pieces(work: Callable[[int], int], seconds: float) -> float:
    """Return the operations per second of work that takes a size, chosen to last a tenth of the time."""
    size = 1
    passed = 0.0
    while passed < seconds / 10:
        size = 2 * size
        start = time.perf_counter()
        work(size)
        passed = time.perf_counter() - start
    return rate(lambda: work(size), seconds)


@dataclass(frozen=True)
class Length:
    """The usual length of a game. Games differ, so decisions are measured and the rest is computed from them."""

    decisions: float  # decisions with a choice, in a game
    actions: float  # single actions, one seat's choice each, in a decision

    @classmethod
    def of(cls, game: Game) -> Length:
        """Return the length of this game, played at random."""
        sample = simulate(game, SAMPLE[choose_backend.can_compile()], events=False, progress=False)
        turns = sample.match(0).turns
        return cls(float(sample.decisions.mean()), sum(len(turn.actions) for turn in turns) / len(turns))

    def games(self, base: Measurement, name: str) -> Measurement:
        return Measurement(f"whole games, {name}", base.value / self.actions / self.decisions, "games/s")


def bench(game: Game, seconds: float = SECONDS, progress: bool = True) -> BenchReport:
    """Measure this game: single actions (one seat's choice each), whole games, searches, compiling, reading, a click.

    An interrupted run reports the figures so far.
    """
    compiles = choose_backend.can_compile()
    count = FIGURES[compiles] + BY_TURNS * (compiles and is_by_turns(game)) + PROCESSES[compiles]
    count += PHONES * has_server()
    lines = gathered(figures(game, seconds), count, "figures", progress)
    return BenchReport(machine(), repr(game), tuple(lines), stopped=len(lines) < count)


def figures(game: Game, seconds: float) -> Generator[Measurement]:
    """Yield all figures as they are measured."""
    if choose_backend.can_compile():
        choose_backend.warm(game, "games", "counted games", "search", "lookahead")
    length = Length.of(game)
    plain = yield from interpreted_lines(game, length, seconds)
    if choose_backend.can_compile():
        yield from compiled_lines(game, length, seconds, plain)
        yield from search_lines(game, seconds)
        if is_by_turns(game):
            yield from turn_lines(game, seconds)
    if choose_backend.can_compile():
        yield from compile_lines(game)
    yield Measurement("import crashlab", min(float(fresh(IMPORT)) for _ in range(3)), "s")
    yield reading(game, seconds)
    yield click(game, seconds)
    yield from watching(seconds)
    if has_server():
        yield from voting()


def interpreted_lines(game: Game, length: Length, seconds: float) -> Generator[Measurement, None, Measurement]:
    """Measure interpreted random play: without a trace, with one, by the public API; return the first figure."""
    backend = choose_backend.interpreted(game.rules)
    numbers = iter(range(1 << 60))
    start = game.start(1)
    out = backend.row(game.rules.MOST_ACTIONS)
    luck = backend.luck(0)
    play_on, begin = backend.bind(random_play.play_on), backend.bind(random_play.begin_luck)

    def play(trace: Callable[[], Trace | None]) -> int:
        begin(luck, backend.luck(1), next(numbers))
        return int(play_on(start.table.copy(), NOWHERE, luck, out, trace()))

    def sample() -> int:
        state = start
        rng = Random(next(numbers))
        count = 0
        while not state.over:
            state = state.sample(rng).after
            count = count + 1
        return count

    plain = Measurement("interpreted", length.actions * rate(lambda: play(lambda: None), seconds), "actions/s")
    yield plain
    traced = length.actions * rate(lambda: play(Trace), seconds)
    yield Measurement("interpreted, every event kept", traced, "actions/s", traced / plain.value, plain.name)
    public = length.actions * rate(sample, seconds)
    yield Measurement("state.sample, a State for each decision", public, "actions/s", public / plain.value, plain.name)
    yield length.games(plain, "interpreted")
    return plain


def compiled_lines(game: Game, length: Length, seconds: float, base: Measurement) -> Generator[Measurement]:
    """Measure compiled random play: on one core, with events counted, on all cores, and in a batch."""

    def games(events: bool) -> Callable[[int], int]:
        job = Job(game, {}, 1, events)
        backend = choose_backend.compiled(game.rules)
        return lambda number: int(job.play(0, number, backend, Event()).decisions.sum())

    value = length.actions * rate_of_pieces(games(False), seconds)
    plain = Measurement("compiled, one core", value, "actions/s", value / base.value, base.name)
    yield plain
    counted = length.actions * rate_of_pieces(games(True), seconds)
    yield Measurement("compiled, events counted", counted, "actions/s", counted / plain.value, plain.name)
    many = max(cores(), round(length.games(plain, "").value * seconds))
    both = rate(lambda: int(simulate(game, many, events=False, progress=False).decisions.sum()), seconds)
    value = length.actions * both
    name = f"compiled, {cores()} cores"
    all_cores = Measurement(name, value, "actions/s", value / plain.value, plain.name)
    yield all_cores
    yield length.games(plain, plain.name)
    yield length.games(all_cores, name)
    games_at_once, rng = batch_env(game), Random(1)
    games_at_once.reset(BATCH, seed=1)
    # One decision in each of them, with its observation and its legal actions.
    many_at_once = rate(lambda: len(games_at_once.step(games_at_once.sample(rng))[-1]), seconds)
    yield Measurement(
        f"batch of {BATCH:,} games, one core", many_at_once, "decisions/s", many_at_once / plain.value, plain.name
    )


def search_lines(game: Game, seconds: float) -> Generator[Measurement]:
    """Measure searches from the start, with playouts to the end of the game."""
    state = game.start(1)
    while NOWHERE in state.actors:  # chance
        state = state.play().after
    seat = state.actors[0]
    job = Job(state, {}, 1, False)
    backend = choose_backend.compiled(game.rules)
    playouts = rate_of_pieces(lambda number: len(job.play(0, number, backend, Event())), seconds)
    yield Measurement("1,000 playouts from a position", 1e6 / playouts, "ms")
    for method in ("flat", "mcts"):
        value = rate_of_pieces(growing(state, seat, method), seconds)
        yield Measurement(f"{method} search, playouts", value, "games/s", value / playouts, "playouts")


def growing(state: State, seat: int, method: str) -> Callable[[int], int]:
    """Return work for `rate_of_pieces`: a new search, grown by a number of playouts."""

    def work(playouts: int) -> int:
        agents.Search(state, seat, method=method, decisions=None, worlds=1).grow(playouts)
        return playouts

    return work


def is_by_turns(game: Game) -> bool:
    """Return whether this is a game of two who take turns and see everything."""
    return len(game.seats) == 2 and suits(game)


def turn_lines(game: Game, seconds: float) -> Generator[Measurement]:
    """Measure lookahead and the first positions of an endgame table, from the middle of a random game."""
    choose_backend.warm(game, "retrograde")
    turns = simulate(game, 1, events=False, progress=False).match(0).turns
    state = turns[len(turns) // 2].after
    for name, work in (("alphabeta", looking_ahead), ("retrograde", meeting)):
        slow = rate(work(state, choose_backend.interpreted(game.rules), 100), seconds)
        plain = Measurement(f"{name}, interpreted", slow, "positions/s")
        yield plain
        value = rate(work(state, choose_backend.compiled(game.rules), 10_000), seconds)
        yield Measurement(f"{name}, compiled", value, "positions/s", value / slow, plain.name)


def looking_ahead(state: State, backend: choose_backend.Backend, max_positions: int) -> Callable[[], int]:
    """Return work for `rate`: a search of at most max_positions."""
    seat = state.actors[0]

    def work() -> int:
        search = minimax.DepthSearch("alphabeta", state, seat, max_positions, backend)
        search.look_ahead(list(state.actions(seat).codes), AHEAD, max_positions)
        return search.met

    return work


def meeting(state: State, backend: choose_backend.Backend, max_positions: int) -> Callable[[], int]:
    """Return work for `rate`: the exploration of a race's first positions."""

    def work() -> int:
        race = Race(state, backend=backend)
        with suppress(CrashlabError):  # there are more positions
            race.explore(max_positions, progress=False)
        return len(race)

    return work


def compile_lines(game: Game) -> Generator[Measurement]:
    """Measure compilation in a fresh process, first with an empty cache, then with the one just filled."""
    code = COLD.format(name=game.name, options=game.options)
    with tempfile.TemporaryDirectory() as folder:
        cold = float(fresh(code, CRASHLAB_CACHE=folder))
        yield Measurement("compile random play, cold", cold, "s")
        warmed = float(fresh(code, CRASHLAB_CACHE=folder))
        yield Measurement("compile random play, from the cache", warmed, "s", warmed / cold, "cold")


def fresh(code: str, **environment: str) -> str:
    """Return the output of a new interpreter."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True).stdout


def reading(game: Game, seconds: float) -> Measurement:
    """Measure reading a position from its text, on average over the first positions of a game."""
    rng = Random(1)
    state = game.start(1)
    texts: list[str] = []
    while len(texts) < POSITIONS and not state.over:
        texts.append(state.text)
        state = state.sample(rng).after
    lines = cycle(texts)

    def work() -> int:
        game.read(next(lines))
        return 1

    return Measurement("a position read from its text", 1000 / rate(work, seconds), "ms")


def click(game: Game, seconds: float) -> Measurement:
    """Measure a click in Python, on average in a game: playing it, its events in words, and its film."""
    rng = Random(1)
    state = game.start(1)

    def work() -> int:
        nonlocal state
        turn = state.sample(rng)
        str(turn)
        film(turn)
        state = game.start(1) if turn.after.over else turn.after
        return 1

    return Measurement("a click: decision, events in words, film", 1000 / rate(work, seconds), "ms")


def watching(seconds: float) -> Generator[Measurement]:
    """Measure a watched function: its recording and its saved page; then the page of a deep recursion."""
    watched = record(sorting, BEATS)
    recorded = Measurement("beats recorded", rate(lambda: record(sorting, BEATS).beats, seconds), "beats/s")
    yield recorded
    saved = rate(lambda: watched.beats if page(watched.document()) else 0, seconds)
    yield Measurement("beats saved as a page", saved, "beats/s", saved / recorded.value, recorded.name)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + DEEP)
    try:
        deep = record(halting, DEEP)
    finally:
        sys.setrecursionlimit(limit)
    start = time.perf_counter()
    page(deep.document())
    yield Measurement(f"{DEEP:,} calls in calls saved as a page", time.perf_counter() - start, "s")


def has_server() -> bool:
    return find_spec("jupyter_server") is not None


def voting() -> Generator[Measurement]:
    """Measure how soon the phones of a lecture are answered, on a port opened for them."""
    from voters import voted

    waits = sorted(asyncio.run(voted(VOTERS, WITHIN)))
    for share in (0.5, 0.95):
        value = 1000 * waits[round(share * (VOTERS - 1))]
        yield Measurement(f"{VOTERS} phones vote within {WITHIN:.0f} s, {share:.0%} are answered in", value, "ms")


def halting(count: int) -> int:
    return 0 if count == 0 else halting(count - 1)


def sorting(count: int) -> list[int]:
    """Sort numbers from the wrong order by swapping neighbours."""
    row = list(range(count, 0, -1))
    for end in range(len(row) - 1, 0, -1):
        for here in range(end):
            if row[here] > row[here + 1]:
                row[here], row[here + 1] = row[here + 1], row[here]
    return row


def main(words=None):
    parser = argparse.ArgumentParser(description="Measure how fast it is here.")
    parser.add_argument("game", nargs="?", default="autoscooter", help="which game (%(default)s)")
    add_options(parser)
    parser.add_argument("--seconds", type=decimal, default=SECONDS, help="time for each measurement (%(default)s)")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--traffic", action="store_true", help="only what an Explorer sends to its page")
    only.add_argument("--clicks", action="store_true", help="only what a click costs in the kernel and in the page")
    parser.add_argument("--json", metavar="FILE", help="also write the figures to this file")
    parser.add_argument("--before", metavar="FILE", help="show the figures that --json wrote to this file beside them")
    arguments = parser.parse_args(words)
    seconds = number_between("--seconds", arguments.seconds, *ALLOWED)
    before = {} if arguments.before is None else figures_in(arguments.before)
    path = None if arguments.json is None else files.path_to_write(arguments.json)
    if not arguments.option:
        most = max(value for value in crashlab.game(arguments.game).choices[0].values if isinstance(value, int))
        arguments.option = [f"players={most}"]
    game = chosen_game(arguments)
    if arguments.traffic:
        from traffic import traffic

        report = traffic(game)
    elif arguments.clicks:
        from clicks import clicks

        report = clicks(game)
    else:
        report = bench(game, seconds)
    report = replace(report, before=before)
    print(report, flush=True)
    if path is not None:
        files.write(path, f"{json.dumps(report.to_dict(), indent=1)}\n".encode())


if __name__ == "__main__":
    try:
        main()
    except CrashlabError as error:
        sys.exit(f"bench.py: {error}")
