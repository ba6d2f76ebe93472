"""Save a game's rules as one page of pictures."""

import argparse

from crashlab.cli.arguments import add_game, chosen_game


def add(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    parser.add_argument("file", nargs="?", help="the file to write, ending in .svg or .png (GAME.svg)")
    parser.add_argument(
        "--picture", metavar="NAME", help="another picture of the game instead of the poster, such as directions"
    )
    parser.add_argument("--theme", default="light", help="light, dark or projector (%(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Save the poster of a game, or another picture of its rules."""
    game = chosen_game(arguments)
    sheet = game.poster() if arguments.picture is None else game.picture(arguments.picture)
    name = game.name if arguments.picture is None else f"{game.name}-{arguments.picture}"
    path = f"{name}.svg" if arguments.file is None else arguments.file
    sheet.save(path, arguments.theme)
    print(f"Saved {path}.")
    return 0
