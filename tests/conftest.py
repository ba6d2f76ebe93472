"""Fixtures and hooks of all tests: the shared browser, the start of a test, and skips that count as failures.

A test that needs Chromium is marked `@pytest.mark.chromium` and takes the fixture `chromium`, the path of the program;
the same goes for Firefox. If the browser is missing the test is skipped with a message. With CRASHLAB_NO_SKIP=1 every
skip is a failure.
"""

import gc
import os
import shutil
import signal
import stat
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from checkout import ROOT, TESTS
from effort import FIFTH, left_out
from patience import PATIENCE
from time_by_kind import Clock

os.environ.setdefault("CRASHLAB_COMPILER", "wasm")  # LLVM only in tests that ask for it
NO_SKIP = os.environ.get("CRASHLAB_NO_SKIP") == "1"
LOCAL = ("file:", "about:srcdoc", "data:")  # schemes that a page may request without a network
BROWSERS = {"chromium": ("chromium", "chromium-browser", "google-chrome"), "firefox": ("firefox-esr", "firefox")}
COLLECTED = pytest.StashKey[list[pytest.Item]]()
LEFT_OUT = pytest.StashKey[Counter[str]]()  # the number of tests of each area that do not run


def find(browser: str) -> str | None:
    program = os.environ.get(f"CRASHLAB_{browser.upper()}")
    return next(filter(None, map(shutil.which, [program] if program else BROWSERS[browser])), None)


@pytest.fixture(scope="session", autouse=True)
def patient() -> None:
    """Raise the time limits of answers and rules, so that a slow machine does not stop those that finish.

    A test of a limit sets a shorter one.
    """
    from crashlab.course.exercises import answer_call, exercise_types
    from crashlab.play import rule_testing

    answer_call.LIMIT = answer_call.BUDGET = exercise_types.MOVES = rule_testing.PATIENCE = PATIENCE


@pytest.fixture(scope="session", autouse=True)
def looked_up() -> Generator[None]:
    """Check at every new state that the indexes of its table agree with a search."""
    from crashlab.engine.game import State

    begin = State.__init__

    def checked(self, game, table, *rest, **named):
        begin(self, game, table, *rest, **named)
        if table.INDEXES:
            assert {name: getattr(table, name) for name in table.INDEXES} == table.looked_up()

    State.__init__ = checked
    yield
    State.__init__ = begin


@pytest.fixture(scope="session")
def chromium() -> str | None:
    return find("chromium")


@pytest.fixture(scope="session")
def firefox() -> str | None:
    return find("firefox")


@pytest.fixture(scope="module")
def bare_browser(chromium):
    """Launch Chromium without a server."""
    from lab_in_chromium import ARGUMENTS
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS, timeout=1000 * PATIENCE)
        yield browser
        browser.close()


@pytest.fixture
def offline(bare_browser):
    """Return a function that opens files without a network; no page may fail or request anything else."""
    opened = []

    def show(path, **options):
        context = bare_browser.new_context(offline=True, **{"viewport": {"width": 1280, "height": 800}, **options})
        page, wrong = context.new_page(), []
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith(LOCAL) else None)
        page.goto(path.as_uri())
        opened.append((context, wrong))
        return page

    yield show
    for context, wrong in opened:
        context.close()
        assert wrong == []


@pytest.fixture(scope="session")
def shared_lab(tmp_path_factory):
    """Start the JupyterLab that the tests of a worker share."""
    from lab_in_chromium import Lab

    with Lab(tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture(scope="module")
def folder(shared_lab, request):
    """Return the folder for a test file's notebooks, which its fixture `notebooks` fills."""
    folder = shared_lab.folder / request.module.__name__
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def browser(shared_lab, chromium, folder, notebooks):
    """Open the notebooks of a test file; no browser outlives it, because its event loop would disturb others."""
    from lab_in_chromium import Shelf

    with shared_lab.browser(chromium) as browser:
        yield Shelf(browser, folder)


@pytest.fixture
def opened(browser, tmp_path, request):
    """Open notebooks and run them; at the end no cell and no console may have an error.

    The pages of a failed test are closed at once, as one that does not answer would let the next test wait.
    """
    pages, failed = [], request.session.testsfailed

    def open_and_run(name, **size):
        page = browser.open(name, **size)
        pages.append(page)
        page.run_all()
        return page

    yield open_and_run
    for number, page in enumerate(pages):
        if request.session.testsfailed > failed:  # this test has failed
            with suppress(Exception):
                page.page.screenshot(path=tmp_path / f"end{number}.png", timeout=5000)
            print(page.errors)
            page.page.close()
        else:
            page.check()
            page.leave()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rules", action="store_true", help="fail where a rule is proven by none of the tests that run")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Clock())
    # A shell starts background processes with interruptions ignored, but some tests send one to themselves.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--rules"):
        from rule_coverage import Witness

        config.pluginmanager.register(Witness())


def pytest_sessionstart(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput") and hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=partial(hang_up, [number for number in range(3, 64) if is_pipe(number)]))


def is_pipe(number: int) -> bool:
    """Return whether this file descriptor is an open pipe."""
    try:
        return stat.S_ISFIFO(os.fstat(number).st_mode)
    except OSError:
        return False


def hang_up(pipes: list[int]) -> None:
    """Replace the pipes to pytest-xdist in a copy of a worker; open ones hide that the worker has died."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for pipe in pipes:
        os.dup2(nowhere, pipe)
    os.close(nowhere)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here, config.stash[COLLECTED] = config.invocation_params.dir, [*items]
    without = left_out(items, {(here / word.partition("::")[0]).resolve() for word in config.args})
    if without:
        config.hook.pytest_deselected(items=[item for item in items if item in without])
        config.stash[LEFT_OUT] = Counter(Path(item.path).relative_to(ROOT).parts[1] for item in without)
        items[:] = [item for item in items if item not in without]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left out"] = dict(session.config.stash.get(LEFT_OUT, {}))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Record the tests that a worker of pytest-xdist left out, which are the same for all of them."""
    node.config.stash[LEFT_OUT] = Counter(getattr(node, "workeroutput", {}).get("left out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    without = config.stash.get(LEFT_OUT, Counter())
    if without and not FIFTH:
        by_area = ", ".join(f"{area} {count}" for area, count in sorted(without.items()))
        terminalreporter.section(f"{without.total()} tests that only `make test-all` runs")
        terminalreporter.line(by_area)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze the thousands of collected objects, so that the garbage collector skips them during the run."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    for browser, names in BROWSERS.items():
        if item.get_closest_marker(browser) and find(browser) is None:
            pytest.skip(f"no {browser.title()} here (looked for CRASHLAB_{browser.upper()}, {', '.join(names)})")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return must_run((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return must_run((yield))


def must_run(report):
    """Turn the report of a skip into a failure if skips are forbidden (an expected failure is no skip)."""
    if NO_SKIP and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"CRASHLAB_NO_SKIP=1 forbids this. {reason}"
    return report


@pytest.fixture
def outlines(request):
    """Iterate over the outlines of a test in `outlines/GAME.txt`; the test has to use all of them."""
    file = TESTS / f"outlines/{request.path.parent.name}.txt"
    blocks = file.read_text("utf-8").removeprefix("== ").rstrip("\n").split("\n\n== ")
    expected = iter(dict(block.split("\n", 1) for block in blocks)[request.function.__name__].split("\n--\n"))
    yield expected
    assert next(expected, None) is None
