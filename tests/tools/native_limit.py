"""Compare our compiled rules with C++ written by hand for a single game, the limit of their speed.

    python tests/tools/native_limit.py autoscooter --seconds 5

The programs are in `yardsticks`. Each plays a number of games at random, and prints the number of single actions, the
seconds of the processor, and statistics of the games by which a test checks that the rules are the same. A text file
beside a program is the position in which its games start, sent to it as the rows of the table. Further lines of that
file set fields, each to one number: `holder -5` leaves no upgrade in play in Crash & Grab.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path
from statistics import median
from threading import Event
from time import thread_time

from bench import BenchReport, Measurement, machine

import crashlab
from crashlab.base.errors import CrashlabError
from crashlab.compiled import choose_backend
from crashlab.engine.game import Game, State
from crashlab.engine.notation import together
from crashlab.engine.options import Value
from crashlab.play.simulation import Job

YARDSTICKS = Path(__file__).parent / "yardsticks"
OPTIONS: dict[str, dict[str, Value]] = {  # the options that the programs play
    "autoscooter": {"players": 8},
    "crash_and_grab": {},
    "crash_city": {},
}
ACTIONS_IN_DECISION = {"autoscooter": 8, "crash_and_grab": 1, "crash_city": 1}
COMPILERS = ("c++", "g++", "clang++")
PAIRS = 5  # pairs of measurements; the result is the median of their ratios


def limit(game: Game, seconds: float) -> BenchReport:
    """Measure a game against its yardstick, with the same options, for about this many seconds a line."""
    if game.name not in OPTIONS:
        raise CrashlabError(f"there is a yardstick in C++ for {together(OPTIONS)}, not for {game.name}")
    if not choose_backend.can_compile():
        raise CrashlabError("the limit is for compiled rules, which need wasmtime: pip install 'crashlab[fast]'")
    measured = game.changed(**OPTIONS[game.name])
    with tempfile.TemporaryDirectory() as folder:
        program = build(game.name, Path(folder))
        return BenchReport(machine(), repr(measured), tuple(pairs(first(measured), program, seconds)))


def first(game: Game) -> Game | State:
    """Return the start of a yardstick's games: the position beside it, or the game itself."""
    position = YARDSTICKS / f"{game.name}.txt"
    if not position.exists():
        return game
    line, *rows = position.read_text(encoding="utf-8").splitlines()
    state = game.read(line)
    for name, number in map(str.split, rows):
        (field,) = state.table.numbers(name)
        row = [int(number)] * state.table.SIZES[field]
        state = State(game, state.table.changed(((field, *row),)), state.luck)
    return state


def build(name: str, folder: Path) -> Path:
    """Compile the yardstick of a game in this folder; return the program."""
    compiler = shlex.split(os.environ.get("CXX", "")) or [name for name in COMPILERS if shutil.which(name)][:1]
    if not compiler:
        raise CrashlabError(f"a C++ compiler is needed: {together(COMPILERS)} were not found, and CXX names none")
    program = folder / name
    command = [*compiler, "-O3", "-march=native", "-o", str(program), str(YARDSTICKS / f"{name}.cpp")]
    try:
        process = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise CrashlabError(f"{compiler[0]} cannot be started: {error.strerror}") from None
    if process.returncode != 0:
        raise CrashlabError(f"{compiler[0]} did not build the yardstick: {process.stderr.strip()[:300]}")
    return program


def numbers(program: Path, games: int, start: Game | State) -> list[float]:
    """Return the numbers that a yardstick prints after this many games from this start."""
    table = (start.start() if isinstance(start, Game) else start).table
    rows = zip(table.NAMES, table.rows(), strict=True)
    text = "".join(f"{name} {len(row)} {' '.join(map(str, row))}\n" for name, row in rows)
    printed = subprocess.run([str(program), str(games)], input=text, capture_output=True, text=True, check=True).stdout
    return [float(word) for word in printed.split()]


def pairs(start: Game | State, program: Path, seconds: float) -> Generator[Measurement]:
    """Measure both alternately, so that a temporary slowdown of the machine affects both."""
    job = Job(start, {}, 1, False)
    backend = choose_backend.compiled(job.game.rules)
    job.play(0, 1, backend, Event())
    count, took, *_ = numbers(program, 20, start)
    games = max(2, round(20 * seconds / PAIRS / max(took, 1e-6)))
    theirs, ours = [], []
    for _ in range(PAIRS):
        count, took, *_ = numbers(program, games, start)
        theirs.append(count / took)
        begin = thread_time()
        decisions = int(job.play(0, games // 2, backend, Event()).decisions.sum())
        ours.append(ACTIONS_IN_DECISION[job.game.name] * decisions / (thread_time() - begin))
    name = "C++ by hand, one core"
    yield Measurement(name, median(theirs), "actions/s")
    ratio = median(our / their for our, their in zip(ours, theirs, strict=True))
    yield Measurement("compiled rules, one core", median(ours), "actions/s", ratio, name)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=[*OPTIONS])
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each measurement (%(default)s)")
    arguments = parser.parse_args()
    print(limit(crashlab.game(arguments.game), arguments.seconds))
