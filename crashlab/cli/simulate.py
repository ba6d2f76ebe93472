"""Play many games and report what happened in them."""

import argparse
from collections.abc import Sequence

import crashlab
from crashlab.base import interrupt
from crashlab.base.errors import truncate
from crashlab.cli.arguments import add_game, add_seed, chosen_game, integer
from crashlab.engine.options import Value


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_seed(parser)
    parser.add_argument("--games", type=integer, default=10_000, help="number of games (%(default)s)")
    parser.add_argument(
        "--agents",
        nargs="+",
        default=[],
        metavar="[SEAT=]NAME",
        help="one agent for all seats, such as greedy, or agents for some seats, such as A=greedy; others are random",
    )
    parser.add_argument(
        "--compare", metavar="OPTION[=VALUE,VALUE]", help="compare all values of this option, or only the given ones"
    )
    parser.add_argument("--workers", type=integer, help="number of threads (one for each core)")


def run(arguments: argparse.Namespace) -> int:
    """Play many games, perhaps with each value of an option, and print statistics."""
    game = chosen_game(arguments)
    agents = chosen_agents(game, arguments.agents)
    how = {"games": arguments.games, "agents": agents, "seed": arguments.seed, "workers": arguments.workers}
    if arguments.compare is not None:
        return printed(crashlab.compare(game, *compared(game, arguments.compare), **how))
    return printed(crashlab.simulate(game, **how))


def chosen_agents(game: crashlab.Game, words: Sequence[str]) -> str | dict[int, str]:
    """Return the agents: one name for all seats, or names by seat."""
    seats = {game.seat_name(seat): seat for seat in game.seats}
    if len(words) == 1 and "=" not in words[0]:
        return words[0]
    agents = {}
    for word in words:
        seat, sign, name = word.partition("=")
        if not sign or seat.upper() not in seats:
            raise crashlab.CrashlabError(
                f"--agents {truncate(word)}: write SEAT=NAME; the seats are {', '.join(seats)}"
            )
        agents[seats[seat.upper()]] = name
    return agents or "random"


def compared(game: crashlab.Game, words: str) -> tuple[str, list[Value] | None]:
    """Return the name of an option and its values to compare; None for all values."""
    name, sign, values = words.partition("=")
    options = {option.name: option for option in game.choices}
    return name, [options[name].read(value) for value in values.split(",")] if sign and name in options else None


def printed(result: crashlab.Results | crashlab.Comparison | crashlab.Standings) -> int:
    """Print a result; return the exit status, INTERRUPTED if it is incomplete."""
    print(result, flush=True)
    return 0 if result.is_whole else interrupt.INTERRUPTED
