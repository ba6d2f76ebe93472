"""Which rule is proven by which test: `python tests/rule_coverage.py`.

A rule that events cite is proven by a passing test that is marked with it, `@pytest.mark.rule("AS-C4")`, and in which
such an event happened. A rule that changes nothing by itself is proven by a passing test that is marked with it.
"""

import sys
from collections import defaultdict
from pathlib import Path

import pytest

import crashlab
from crashlab.game import Turn


class Witness:
    """Watches the marked tests: which passed, and which rules the events of their turns cite."""

    def __init__(self):
        self.named = defaultdict(list)  # rule -> passed tests that are marked with it
        self.shown = defaultdict(list)  # rule -> those of them in which an event cites it
        self.cited = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        make, self.cited = Turn.__init__, set()

        def watched(turn, before, after, actions, rows):
            make(turn, before, after, actions, rows)
            self.cited |= {before.game.rulebook[row[1]].id for row in rows}

        Turn.__init__ = watched
        try:
            result = yield
        finally:
            Turn.__init__ = make
        for mark in item.iter_markers("rule"):
            self.named[mark.args[0]].append(item.name)
            if mark.args[0] in self.cited:
                self.shown[mark.args[0]].append(item.name)
        return result


def cited_by_rules(game):
    """The rules that the game's functions cite, and so events too."""
    numbers = {value for name, value in vars(game.rules).items() if name.isupper() and isinstance(value, int)}
    source = Path(game.rules.__file__).read_text()
    return {rule.id for place, rule in enumerate(game.rulebook) if place in numbers and f'"{rule.id}"' in source}


def main():
    tests = Path(__file__).parent
    witness = Witness()
    marked = [str(path) for path in sorted(tests.glob("test_*.py")) if "mark.rule(" in path.read_text()]
    failed = pytest.main(["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", *marked], plugins=[witness])
    missing = 0
    for game in map(crashlab.game, crashlab.games()):
        eventful = cited_by_rules(game)
        for rule in game.rulebook:
            proofs = witness.shown[rule.id] if rule.id in eventful else witness.named[rule.id]
            missing += not proofs
            how = "event" if rule.id in eventful else "named"
            print(f"{rule.id:7} {how} {len(proofs):3}  {proofs[0] if proofs else 'NOT PROVEN'}")
    return bool(failed) or bool(missing)


if __name__ == "__main__":
    sys.exit(main())
