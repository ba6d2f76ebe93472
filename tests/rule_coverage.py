"""Which rule is proven by which test: `python tests/rule_coverage.py`.

A rule that events cite is proven by a passing test that is marked with it, `@pytest.mark.rule("AS-C4")`, and in which
such an event happened, in a turn or in a trace that the test has filled by itself. A rule that changes nothing by
itself is proven by a passing test that is marked with it.
"""

import importlib
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import crashlab
from crashlab.happen import Trace
from crashlab.rulebook import Rulebook

GAMES = [crashlab.game(name) for name in crashlab.games()]
NUMBERS = {rule.id: number for game in GAMES for number, rule in enumerate(game.rulebook)}


class Witness:
    """Watches the marked tests: which passed, and which rules the events of their traces cite."""

    def __init__(self):
        self.named = defaultdict(list)  # rule -> passed tests that are marked with it
        self.shown = defaultdict(list)  # rule -> those of them in which an event cites it

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        make, traces = Trace.__init__, []

        def watched(trace):
            make(trace)
            traces.append(trace)

        Trace.__init__ = watched
        try:
            result = yield
        finally:
            Trace.__init__ = make
        cited = {row[1] for trace in traces for row in trace.rows}
        for mark in item.iter_markers("rule"):
            rule = mark.args[0]
            self.named[rule].append(item.name)
            if NUMBERS.get(rule) in cited:  # a game that is not offered yet has no numbers
                self.shown[rule].append(item.name)
        return result


def cited_by_rules():
    """The rules that the functions of the games cite, and so events too."""
    cited, cite = set(), Rulebook.cite

    def watched(book, *ids):
        cited.update(ids)
        return cite(book, *ids)

    Rulebook.cite = watched
    try:
        for game in GAMES:
            importlib.reload(game.rules)
    finally:
        Rulebook.cite = cite
    return cited


def main():
    tests = Path(__file__).parent
    witness, cited = Witness(), cited_by_rules()
    marked = [str(path) for path in sorted(tests.glob("test_*.py")) if "mark.rule(" in path.read_text("utf-8")]
    failed = pytest.main(["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", *marked], plugins=[witness])
    missing = 0
    for rule in NUMBERS:
        proofs = witness.shown[rule] if rule in cited else witness.named[rule]
        missing += not proofs
        how = "event" if rule in cited else "named"
        print(f"{rule:7} {how} {len(proofs):3}  {proofs[0] if proofs else 'NOT PROVEN'}")
    return bool(failed) or bool(missing)


if __name__ == "__main__":
    sys.exit(main())
