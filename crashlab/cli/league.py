"""Let the agents in a folder play, each in its own process."""

import argparse
import re

import crashlab
from crashlab.base import files, interrupt
from crashlab.cli.arguments import add_options, chosen_game, decimal, integer


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", help="the folder of agents: each file has agent(state, seat), or make() that returns one"
    )
    parser.add_argument("--game", help="the game (the folder's last game, or autoscooter)")
    parser.add_argument("--players", type=integer, help="number of seats, short for -o players=N")
    add_options(parser)
    parser.add_argument("--games", type=integer, default=10, help="number of games for each pair, even (%(default)s)")
    parser.add_argument("--rounds", default="robin", help="robin, swiss, or a number of Swiss rounds (%(default)s)")
    parser.add_argument("--limit", type=decimal, metavar="SECONDS", help="time for a decision (1)")
    parser.add_argument("--memory", type=integer, metavar="MB", help="memory for an agent's process (512)")
    parser.add_argument("--seed", type=integer, help="a number of at least 40 digits (default: random and secret)")
    parser.add_argument("--html", metavar="FILE", help="also save the table as a page")


def run(arguments: argparse.Namespace) -> int:
    """Let the agents in a folder play, and print the standings."""
    if arguments.players is not None:
        arguments.option.append(f"players={arguments.players}")
    if arguments.game is None and arguments.option:
        arguments.game = "autoscooter"
    path = None if arguments.html is None else files.path_to_write(arguments.html)
    rounds = int(arguments.rounds) if re.fullmatch("[0-9]{1,9}", arguments.rounds) else arguments.rounds
    season = crashlab.league(
        arguments.folder,
        None if arguments.game is None else chosen_game(arguments),
        arguments.games,
        rounds,
        arguments.limit,
        arguments.memory,
        arguments.seed,
    )
    print(season, flush=True)
    if path is not None:
        season.save(path)
    if len(season.played) < season.planned_games:
        print("Interrupted; run the same command again to continue.")
        return interrupt.INTERRUPTED
    return 0
