"""Compile games in advance."""

import argparse
import os
import signal
import subprocess
import sys
import time

import crashlab


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("games", nargs="*", metavar="GAME", help="the games to compile (all)")
    parser.add_argument(
        "--nice", action="store_true", help="run at low priority, so that other programs are not slowed down"
    )


def run(arguments: argparse.Namespace) -> int:
    """Compile the rules and searches of games into the cache."""
    from crashlab.base.workers import cores
    from crashlab.compiled import choose_backend, disk_cache

    if not choose_backend.can_compile():
        return 1
    names = arguments.games or crashlab.games()
    if len(names) > 1 and cores() > 1:
        disk_cache.own_folder()
        return warm_together([crashlab.game(name).name for name in names], cores(), arguments.nice)
    if arguments.nice and hasattr(os, "nice"):
        os.nice(19)
    for name in names:
        warm_game(crashlab.game(name))
    return 0


def warm_together(names: list[str], most: int, nice: bool) -> int:
    """Compile games in at most `most` processes at a time; return the first exit status that is not 0."""
    waiting = list(names)
    running: list[subprocess.Popen[bytes]] = []
    statuses: list[int] = []
    is_terminated = False

    def stop(*_: object) -> None:
        # An exception here could interrupt Popen after it has started a process, which nobody would end.
        nonlocal is_terminated
        is_terminated = True

    before = signal.signal(signal.SIGTERM, stop)
    try:
        while (waiting or running) and not is_terminated:
            while waiting and len(running) < most:
                words = [sys.executable, "-m", "crashlab", "warm", waiting.pop(0), *(["--nice"] if nice else [])]
                running.append(subprocess.Popen(words))
            time.sleep(0.05)
            statuses += [process.returncode for process in running if process.poll() is not None]
            running = [process for process in running if process.returncode is None]
    finally:
        for process in running:
            process.terminate()
            process.wait()
        signal.signal(signal.SIGTERM, before)
    return 128 + signal.SIGTERM if is_terminated else next(filter(None, statuses), 0)


def warm_game(game: crashlab.Game) -> None:
    """Compile the rules, searches and batches of a game."""
    import crashlab.adapters.batch  # registers its purpose, batches; the other purposes are already registered
    from crashlab.compiled import choose_backend, disk_cache

    choose_backend.compiled(game.rules)  # raises an error with the reason if it fails

    start = time.perf_counter()
    folder = disk_cache.own_folder()
    for purpose in choose_backend.warm(game):
        if not choose_backend.is_ready(game.rules, purpose):
            raise crashlab.CrashlabError(
                f"{game.name} cannot be compiled: {choose_backend.trouble(game.rules, purpose)}"
            )
    if not choose_backend.compiled(game.rules).is_kept:
        raise crashlab.CrashlabError(f"{game.name} is compiled, but the result cannot be saved in {folder}")
    print(f"{game.name}: ready after {time.perf_counter() - start:.1f} s, in {folder}", flush=True)
