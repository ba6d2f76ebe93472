"""Arguments shared by several commands."""

import argparse

import crashlab
from crashlab.base.errors import truncate
from crashlab.engine.options import Value

SECONDS = 0.001, 3600  # bounds of the time of a measurement


def integer(word: str) -> int:
    """Parse a whole number in ASCII; `int` alone would accept the digits of all scripts."""
    if not word.isascii():
        raise ValueError
    return int(word)


def decimal(word: str) -> float:
    """Parse a number in ASCII; `float` alone would accept the digits of all scripts."""
    if not word.isascii():
        raise ValueError
    return float(word)


def add_game(command: argparse.ArgumentParser) -> None:
    """Add the arguments for a game and its options."""
    command.add_argument("game", help="the game")
    add_options(command)


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the argument for the options of a game."""
    command.add_argument(
        "-o", "--option", action="append", default=[], metavar="NAME=VALUE", help="a game option, such as players=8"
    )


def add_seed(command: argparse.ArgumentParser) -> None:
    """Add the argument for the seed."""
    command.add_argument("--seed", type=integer, default=1, help="the same seed gives the same numbers (%(default)s)")


def chosen_game(arguments: argparse.Namespace) -> crashlab.Game:
    """Return the game with the given options."""
    game = crashlab.game(arguments.game)
    by_name = {option.name: option for option in game.choices}
    options: dict[str, Value] = {}
    for words in arguments.option:
        name, equals, value = words.partition("=")
        if not equals:
            raise crashlab.CrashlabError(
                f"-o {truncate(words)}: write NAME=VALUE; the options are {', '.join(by_name)}"
            )
        if name not in by_name:
            raise crashlab.CrashlabError(
                f"-o: there is no option {truncate(name)}; the options are {', '.join(by_name)}"
            )
        options[name] = by_name[name].read(value)
    return game.changed(**options)
