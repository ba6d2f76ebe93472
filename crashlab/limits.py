"""How far it is to the limit: our compiled rules against C++ that was written by hand for one game and nothing else.

The programs are in `yardsticks`. Each takes a number of games, plays them at random, and prints how many single
actions there were, how many seconds they took, and what happened, by which a test knows that the rules are the same.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path
from statistics import median
from threading import Event
from time import perf_counter

from crashlab import twin
from crashlab.bench import Line, Report, machine
from crashlab.errors import CrashlabError
from crashlab.notation import together
from crashlab.simulation import Job
from crashlab.variant import Game

YARDSTICKS = Path(__file__).parent / "yardsticks"
OPTIONS = {"autoscooter": {"players": 8}}  # what the program of each game plays
COMPILERS = ("c++", "g++", "clang++")
PAIRS = 5  # of measurements, one after the other; what counts is the median of their ratios


def limit(game: Game, seconds: float) -> Report:
    """Measure a game, with the options of its yardstick, against it; for about so many seconds a line."""
    if game.name not in OPTIONS:
        raise CrashlabError(f"there is a yardstick in C++ for {together(OPTIONS)}, not for {game.name}")
    if not twin.can_compile():
        raise CrashlabError("the limit is for compiled rules, which need Numba: pip install 'crashlab[fast]'")
    measured = game.changed(**OPTIONS[game.name])
    with tempfile.TemporaryDirectory() as folder:
        return Report(machine(), repr(measured), tuple(pairs(measured, build(game.name, Path(folder)), seconds)))


def build(name: str, folder: Path) -> Path:
    """The yardstick of a game as a program in this folder."""
    compiler = shlex.split(os.environ.get("CXX", "")) or [name for name in COMPILERS if shutil.which(name)][:1]
    if not compiler:
        raise CrashlabError(f"a C++ compiler is needed: {together(COMPILERS)} were not found, and CXX names none")
    program = folder / name
    command = [*compiler, "-O3", "-march=native", "-o", str(program), str(YARDSTICKS / f"{name}.cpp")]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise CrashlabError(f"{compiler[0]} cannot be started: {error.strerror}") from None
    if done.returncode != 0:
        raise CrashlabError(f"{compiler[0]} did not build the yardstick: {done.stderr.strip()[:300]}")
    return program


def numbers(program: Path, games: int) -> list[float]:
    """What a yardstick prints after so many games."""
    printed = subprocess.run([str(program), str(games)], capture_output=True, text=True, check=True).stdout
    return [float(word) for word in printed.split()]


def pairs(game: Game, program: Path, seconds: float) -> Generator[Line]:
    """Both are measured in turn, so that a machine that is busy for a while slows both."""
    actions = numbers(program, 1)[0]
    job = Job(game, {}, 1, False)
    body = twin.compiled(game.rules)
    job.play(0, 1, body, Event())
    done, took, *_ = numbers(program, 1000)
    games = max(1000, round(done / took / actions * seconds / PAIRS))
    theirs, ours = [], []
    for _ in range(PAIRS):
        done, took, *_ = numbers(program, games)
        theirs.append(done / took)
        begun = perf_counter()
        job.play(0, games // 2, body, Event())
        ours.append(actions * (games // 2) / (perf_counter() - begun))
    name = "C++ by hand, one core"
    yield Line(name, median(theirs), "actions/s")
    ratio = median(our / their for our, their in zip(ours, theirs, strict=True))
    yield Line("compiled rules, one core", median(ours), "actions/s", ratio, name)
