"""Run notebooks and report on their exercises."""

import argparse
import json
import sys

import crashlab
from crashlab.base.errors import number_between
from crashlab.cli.arguments import decimal


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK", help="the notebooks to grade; they are not changed")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each notebook")
    parser.add_argument("--timeout", type=decimal, metavar="SECONDS", help="time limit of a cell (120)")


def run(arguments: argparse.Namespace) -> int:
    """Grade notebooks; return 0 if all exercises are right, 1 if some are not, 2 if a notebook cannot be read."""
    from crashlab.course import grading

    timeout = number_between(
        "--timeout", grading.TIMEOUT if arguments.timeout is None else arguments.timeout, *grading.SECONDS
    )
    reports = []
    for path in arguments.notebooks:
        try:
            reports.append(grading.grade(path, timeout))
        except crashlab.CrashlabError as error:
            print(f"crashlab: {error}", file=sys.stderr)
            if arguments.json:
                print(json.dumps(grading.failure(path, str(error))), flush=True)
            continue
        print(json.dumps(reports[-1].to_dict()) if arguments.json else reports[-1], flush=True)
    if len(reports) > 1 and not arguments.json:
        print("", grading.table(reports), sep="\n")
    if len(reports) < len(arguments.notebooks):
        return 2
    return 0 if all(reports) else 1
