"""Report what each decision of a saved match cost."""

import argparse

import crashlab
from crashlab.base import files
from crashlab.base.errors import number_between, truncate
from crashlab.cli.arguments import SECONDS, decimal, integer


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a match saved with match.save(...)")
    parser.add_argument(
        "--html", metavar="FILE", help="write one page with pictures to this file instead of printing the review"
    )
    parser.add_argument("--seconds", type=decimal, help="time limit of the review, in seconds (40)")
    parser.add_argument("--seed", type=integer, default=0, help="seed of the playouts (%(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Review a saved match, and print the costs of its decisions, or write them to a page."""
    from crashlab.analysis.review.review import SECONDS as USUAL

    path = None if arguments.html is None else files.path_to_write(arguments.html)
    if path is not None and path.suffix.lower() != ".html":
        raise crashlab.CrashlabError(f"--html {truncate(str(path))}: give a name that ends in .html")
    seconds = USUAL if arguments.seconds is None else number_between("--seconds", arguments.seconds, *SECONDS)
    appraisal = crashlab.review(crashlab.Match.load(arguments.file), seconds=seconds, seed=arguments.seed)
    if path is None:
        print(appraisal)
    else:
        appraisal.save(path)
        print(f"The review is in {path}.")
    return 0
