"""Report the processor time of a run's tests by kind, child processes included.

A quick run lists the functions that took more than a second: each needs a smaller number or a mark (`effort.py`).
"""

import os
from collections import defaultdict
from pathlib import Path

import pytest
from checkout import TESTS
from effort import LEVEL

LONGEST = 25  # longest list of files
DEAR = 1.0  # seconds of processor time from which on a quick run lists a function
BEFORE = pytest.StashKey[float]()


def kind_of(item):
    """Return the kind of a test."""
    for browser in ("chromium", "firefox"):
        if item.get_closest_marker(browser):
            return browser.title()
    if item.path.suffix == ".ipynb":
        return "notebooks"
    return item.path.relative_to(TESTS).parts[0]


def spent():
    """Return the processor time of this process and its descendants, in seconds."""
    return sum(os.times()[:4]) + sum(map(seconds, running(os.getpid())))  # ended processes, then running ones


def running(number):
    """Yield the running descendants of a process."""
    try:
        tasks = os.listdir(f"/proc/{number}/task")
    except OSError:  # it has just ended
        return
    for task in tasks:
        try:
            children = Path(f"/proc/{number}/task/{task}/children").read_text().split()
        except OSError:  # it has just ended, too
            continue
        for child in children:
            yield child
            yield from running(child)


def seconds(number):
    """Return the processor time of a process, including its finished children."""
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Clock:
    """A pytest plugin that measures each test with its fixtures; a worker sends the time with its report."""

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
                kind, seconds = value
                function = report.nodeid.partition("[")[0]
                for sums in self.kinds[kind], self.files[report.nodeid.partition("::")[0]], self.functions[function]:
                    sums[0] += 1
                    sums[1] += seconds

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("seconds of the processor")
        for sums, most in (self.kinds, None), (self.files, LONGEST):
            for name, (tests, seconds) in sorted(sums.items(), key=lambda pair: -pair[1][1])[:most]:
                terminalreporter.line(f"{seconds:8.1f}  {tests:5} tests  {name}")
        if LEVEL == "quick" and (dear := {name: pair for name, pair in self.functions.items() if pair[1] > DEAR}):
            terminalreporter.section(f"functions of more than {DEAR:g} s")
            for name, (tests, seconds) in sorted(dear.items(), key=lambda pair: -pair[1][1]):
                terminalreporter.line(f"{seconds:8.1f}  {tests:5} tests  {name}")
