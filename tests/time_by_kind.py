"""Where the time of a run goes: the processor's seconds of its tests, those of their processes included, by kind.

A quick run names the functions that took more than a second: each wants a smaller number, or a mark (`effort.py`).
"""

import os
from collections import defaultdict
from pathlib import Path

import pytest
from checkout import TESTS
from effort import LEVEL

LONGEST = 25  # files that are named
DEAR = 1.0  # seconds of a function in a quick run
BEFORE = pytest.StashKey[float]()


def kind_of(item):
    """What sort of test it is."""
    for browser in ("chromium", "firefox"):
        if item.get_closest_marker(browser):
            return browser.title()
    if item.path.suffix == ".ipynb":
        return "notebooks"
    return item.path.relative_to(TESTS).parts[0]


def spent():
    """The processor's seconds of this process and of all that it has started."""
    return sum(os.times()[:4]) + sum(map(seconds, running(os.getpid())))  # those that have ended; those that run


def running(number):
    """The processes that this one has started and that still run, and theirs."""
    try:
        tasks = os.listdir(f"/proc/{number}/task")
    except OSError:  # it has just ended
        return
    for task in tasks:
        try:
            children = Path(f"/proc/{number}/task/{task}/children").read_text().split()
        except OSError:  # so has it
            continue
        for child in children:
            yield child
            yield from running(child)


def seconds(number):
    """Of a process, and of those it has waited for."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Clock:
    """Measures each test with its fixtures; a worker of pytest-xdist tells it with the report."""

    def __init__(self):
        self.kinds, self.files, self.functions = (defaultdict(lambda: [0, 0.0]) for _ in range(3))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        item.stash[BEFORE] = spent()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if report.when == "teardown":
            report.user_properties.append(("spent", (kind_of(item), spent() - item.stash[BEFORE])))
        return report

    def pytest_runtest_logreport(self, report):
        for name, value in report.user_properties:
            if name == "spent":
                kind, used = value
                function = report.nodeid.partition("[")[0]
                for found in self.kinds[kind], self.files[report.nodeid.partition("::")[0]], self.functions[function]:
                    found[0] += 1
                    found[1] += used

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("seconds of the processor")
        for found, most in (self.kinds, None), (self.files, LONGEST):
            for name, (tests, used) in sorted(found.items(), key=lambda pair: -pair[1][1])[:most]:
                terminalreporter.line(f"{used:8.1f}  {tests:5} tests  {name}")
        if LEVEL == "quick" and (dear := {name: pair for name, pair in self.functions.items() if pair[1] > DEAR}):
            terminalreporter.section(f"functions of more than {DEAR:g} s")
            for name, (tests, used) in sorted(dear.items(), key=lambda pair: -pair[1][1]):
                terminalreporter.line(f"{used:8.1f}  {tests:5} tests  {name}")
