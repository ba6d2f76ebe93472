"""The `crashlab` command: each subcommand is the module of its name, with `add(parser)` and `run(arguments)`."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import Any, NoReturn

import crashlab
from crashlab.base import interrupt
from crashlab.base.errors import WORDY, printable, truncate
from crashlab.cli import grade, lab, ladder, league, poster, review, rules, simulate, tournament, warm, watch

COMMANDS = lab, rules, poster, simulate, tournament, league, review, ladder, grade, watch, warm


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    try:
        interrupt.usual()
        arguments = parser().parse_args(argv)
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # for terminals that cannot print every letter
        status: int = arguments.run(arguments)
        print(end="", flush=True)
        return status
    except BrokenPipeError:  # the reader of a pipe, such as head, has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return interrupt.INTERRUPTED
    except crashlab.CrashlabError as error:
        print(f"crashlab: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        words = f"crashlab: {truncate(str(error.filename or 'a file'))}: {error.strerror or error}"
        print(printable(words), file=sys.stderr)
        return 2


class Parser(argparse.ArgumentParser):
    """A parser that truncates long input in errors, and refuses unknown arguments of each command."""

    passes_on = False  # whether arguments after two dashes are stored as `passed`, for another program

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:  # pyright: ignore[reportIncompatibleMethodOverride]  # three overloads
        """Parse arguments; refuse unknown arguments here, with the usage of the command."""
        rest = []
        if self.passes_on and "--" in args:
            place = args.index("--")
            args, rest = args[:place], args[place + 1 :]
        result, unknown = super().parse_known_args(args, namespace)
        if self.passes_on:
            result.passed = rest
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return result, unknown

    def error(self, message: str) -> NoReturn:
        """Print the error, shortened, and exit."""
        super().error(printable(truncate(message, WORDY)))


def parser() -> Parser:
    """Return the parser of all commands; the first line of a module says what its command does."""
    top = Parser(prog="crashlab", description="Board games about collisions, in notebooks.")
    top.add_argument("--version", action="version", version=f"crashlab {metadata.version('crashlab')}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    for module in COMMANDS:
        words = str(module.__doc__)
        command = commands.add_parser(module.__name__.rpartition(".")[2], help=words[0].lower() + words[1:-1])
        command.set_defaults(run=module.run)
        command.passes_on = module is lab
        module.add(command)
    return top
