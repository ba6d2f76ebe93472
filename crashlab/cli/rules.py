"""Print a game's rulebook, a group of rules, or one rule."""

import argparse
import shutil
import textwrap
from itertools import groupby

import crashlab
from crashlab.base.errors import short_repr


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", help="the game; without it, all games are listed")
    parser.add_argument("id", nargs="?", help="the id of a rule (AS-C4), or the beginning of several ids (AS-C)")


def run(arguments: argparse.Namespace) -> int:
    """Print the games, a rulebook, or the rules with a prefix of their ids."""
    if arguments.game is None:
        for name in crashlab.games():
            print(f"{name:16} {crashlab.game(name).rulebook.title}")
        return 0
    book = crashlab.game(arguments.game).rulebook
    prefix = (arguments.id or "").upper()
    rules = [book[prefix]] if prefix in book else [rule for rule in book if rule.id.startswith(prefix)]
    if not rules:
        ids = ", ".join(rule.id for rule in book)
        raise crashlab.CrashlabError(f"{arguments.game} has no rule {short_repr(arguments.id)}; its rules are {ids}")
    if not prefix:
        print(paragraph(f"{book.title}. {book.credit}", indent=""), end="\n\n")
    for place, (_, group) in enumerate(groupby(rules, key=lambda rule: rule.id.rstrip("0123456789"))):
        print(end="\n" if place else "")
        for rule in group:
            print(f"{rule.id:7} {rule.mark:9} {rule.title}")
            print(paragraph(rule.text))
            for edition, words in rule.editions:
                print(paragraph(f"{edition}: {words}"))
            if rule.source:
                print(paragraph(f"({rule.source})"))
    return 0


def paragraph(text: str, indent: str = " " * 18) -> str:
    """Wrap text to the width of the terminal."""
    width = min(shutil.get_terminal_size().columns, 100)
    return textwrap.fill(text, max(width, 40), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
