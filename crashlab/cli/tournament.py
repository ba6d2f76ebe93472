"""Let agents play against each other."""

import argparse

import crashlab
from crashlab.cli.arguments import add_game, add_seed, chosen_game, decimal, integer
from crashlab.cli.simulate import printed


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_seed(parser)
    parser.add_argument(
        "--agents", nargs="+", default=["random", "greedy"], metavar="NAME", help="names of the agents (random greedy)"
    )
    parser.add_argument("--games", type=integer, default=10, help="number of games for each pair (%(default)s)")
    parser.add_argument(
        "--limit", type=decimal, metavar="SECONDS", help="time for a decision; an agent that takes longer forfeits"
    )
    parser.add_argument("--budget", type=decimal, metavar="SECONDS", help="time for all decisions of a seat in a game")


def run(arguments: argparse.Namespace) -> int:
    """Let agents play against each other, and print the standings."""
    how = {"games": arguments.games, "seed": arguments.seed, "limit": arguments.limit, "budget": arguments.budget}
    return printed(crashlab.tournament(chosen_game(arguments), arguments.agents, **how))
