"""Show the built-in agents, and how strong they are."""

import argparse

import crashlab


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="the game")


def run(arguments: argparse.Namespace) -> int:
    """Print the ladder of a game as it was measured."""
    print(crashlab.agents.ladder(crashlab.game(arguments.game).name))
    return 0
