"""Report which tests prove each rule: `python tests/rule_coverage.py`, or `pytest --rules` with all tests.

A rule that events cite is proven by a passing test marked with it, `@pytest.mark.rule("AS-C4")`, in which such an event
happened, either in a turn or in a trace that the test filled itself. A rule that changes nothing by itself is proven by
a passing test marked with it.
"""

import importlib
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import crashlab
from crashlab.engine.rulebook import Rulebook
from crashlab.engine.table import Trace

TESTS = Path(__file__).parent


class Witness:
    """A pytest plugin that records which marked tests passed, and which rules the events of their traces cite."""

    def __init__(self):
        self.games = [crashlab.game(name) for name in crashlab.games()]
        self.numbers = {rule.id: number for game in self.games for number, rule in enumerate(game.rulebook)}
        self.named = defaultdict(list)  # rule -> passed tests marked with it
        self.shown = defaultdict(list)  # rule -> those of them in which an event cites it
        self.proofs = {}  # rule -> the tests that prove it; filled at the end

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        rules = [mark.args[0] for mark in item.iter_markers("rule")]
        if not rules:
            return (yield)  # unwatched, since a watched trace keeps all its events: thousands of games leave millions
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
        for rule in rules:
            self.named[rule].append(item.name)
            if self.numbers.get(rule) in cited:  # a game outside the package has no rule numbers
                self.shown[rule].append(item.name)
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        """Add the records of a worker of pytest-xdist."""
        records = getattr(node, "workeroutput", {}).get("rules", ({}, {}))
        for mine, theirs in zip((self.named, self.shown), records, strict=True):
            for rule, tests in theirs.items():
                mine[rule] += tests

    def pytest_sessionfinish(self, session):
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["rules"] = dict(self.named), dict(self.shown)
            return
        cited = cited_by_rules(self.games)
        self.proofs = {rule: (self.shown if rule in cited else self.named)[rule] for rule in self.numbers}
        if session.exitstatus == pytest.ExitCode.OK and not all(self.proofs.values()):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        missing = [rule for rule, tests in self.proofs.items() if not tests]
        proven = len(self.proofs) - len(missing)
        terminalreporter.section("rules")
        terminalreporter.line(f"{proven} of {len(self.proofs)} rules are proven by a test")
        for rule in missing:
            terminalreporter.line(f"{rule} is NOT PROVEN")


def cited_by_rules(games):
    """Return the rules that the functions of the games, and so their events, cite; reloads the rules."""
    cited, cite = set(), Rulebook.cite

    def watched(book, *ids):
        cited.update(ids)
        return cite(book, *ids)

    Rulebook.cite = watched
    try:
        for game in games:
            importlib.reload(importlib.import_module(game.rules.__name__))
    finally:
        Rulebook.cite = cite
    return cited


def main():
    witness = Witness()
    marked = [str(path) for path in sorted(TESTS.rglob("test_*.py")) if "mark.rule(" in path.read_text("utf-8")]
    failed = pytest.main(["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", *marked], plugins=[witness])
    for rule, tests in witness.proofs.items():
        print(f"{rule:7} {len(tests):3}  {tests[0] if tests else 'NOT PROVEN'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
