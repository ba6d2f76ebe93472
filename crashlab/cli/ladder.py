"""Show the built-in agents, and how strong they are."""

import argparse

import crashlab


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="the game")


def run(arguments: argparse.Namespace) -> int:
    """Print the measured ladder of a game."""
    print(crashlab.agents.ladder(crashlab.game(arguments.game).name))
    return 0
