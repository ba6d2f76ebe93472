"""What holds for every test: the one browser, what begins, and when a skipped test has failed.

A test that needs Chromium is marked `@pytest.mark.chromium` and takes the fixture `chromium`, the path of the
program. Where there is none it is skipped, and says so. With CRASHLAB_NO_SKIP=1 every skip is a failure.
"""

import gc
import os
import shutil
import signal
from collections.abc import Generator
from importlib import util

import pytest
from patience import PATIENCE
from time_by_kind import Clock

# What compiles within a second, as it does for readers; Numba, which takes 20 s for a game, where it is asked for.
if util.find_spec("wasmtime"):
    os.environ.setdefault("CRASHLAB_COMPILER", "wasm")
NO_SKIP = os.environ.get("CRASHLAB_NO_SKIP") == "1"
LOCAL = ("file:", "about:srcdoc", "data:")  # what a page without a network may ask for
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# They begin: first what keeps compiled code that the kernels of notebooks need, too, which would compile it again and
# again, as each is ended soon; then what takes so long that no worker may be alone with it at the end.
FIRST = (
    "test_two_bodies.py", "test_simulate.py", "test_agents.py", "test_duel.py", "test_browser.py", "test_site.py",
)  # fmt: skip


def find_chromium() -> str | None:
    chosen = os.environ.get("CRASHLAB_CHROMIUM")
    return next(filter(None, map(shutil.which, [chosen] if chosen else BROWSERS)), None)


@pytest.fixture(scope="session", autouse=True)
def patient() -> None:
    """Answers and rules that come to an end are not stopped because the machine stands still for some seconds.

    What is to be stopped is given less time by its test.
    """
    from crashlab.course.exercises import answer_call, exercise_types
    from crashlab.play import rule_testing

    answer_call.LIMIT = answer_call.BUDGET = exercise_types.MOVES = rule_testing.PATIENCE = PATIENCE


@pytest.fixture(scope="session")
def chromium() -> str | None:
    return find_chromium()


@pytest.fixture(scope="module")
def bare_browser(chromium):
    """Chromium with nothing that serves it."""
    from browser import ARGUMENTS
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS, timeout=1000 * PATIENCE)
        yield found
        found.close()


@pytest.fixture
def offline(bare_browser):
    """Opens files without a network; nothing may fail there, and nothing else may be asked for."""
    opened = []

    def show(path, **options):
        context = bare_browser.new_context(offline=True, **{"viewport": {"width": 1280, "height": 800}, **options})
        page, wrong = context.new_page(), []
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith(LOCAL) else None)
        page.goto(path.as_uri())
        opened.append((context, wrong))
        return page

    yield show
    for context, wrong in opened:
        context.close()
        assert wrong == []


@pytest.fixture
def by_numba(monkeypatch):
    """Numba compiles, and nothing else."""
    pytest.importorskip("numba")
    monkeypatch.setenv("CRASHLAB_COMPILER", "numba")


@pytest.fixture
def opened(browser, tmp_path, request):
    """Opens notebooks, with everything run; at the end no cell and no console may have an error."""
    pages, failed = [], request.session.testsfailed

    def open_and_run(name, **size):
        page = browser.open(name, **size)
        pages.append(page)
        page.run_all()
        return page

    yield open_and_run
    for number, page in enumerate(pages):
        if request.session.testsfailed > failed:  # this one has
            page.page.screenshot(path=tmp_path / f"end{number}.png")
        page.check()
        page.leave()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rules", action="store_true", help="fail where a rule is proven by none of the tests that run")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Clock())
    # A shell has what it starts in the background pass over interruptions, which some tests send to themselves.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if config.getoption("--rules"):
        from rule_coverage import Witness

        config.pluginmanager.register(Witness())


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    place = {name: number for number, name in enumerate(FIRST)}
    items.sort(key=lambda item: place.get(item.path.name, len(FIRST)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What thousands of tests are made of stays to the end: nobody looks for garbage there, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("chromium") and find_chromium() is None:
        pytest.skip("no Chromium here (looked for CRASHLAB_CHROMIUM, " + ", ".join(BROWSERS) + ")")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return must_run((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return must_run((yield))


def must_run(report):
    """The report, turned into a failure where a skip is not allowed (an expected failure is no skip)."""
    if NO_SKIP and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome, report.longrepr = "failed", f"CRASHLAB_NO_SKIP=1 forbids this. {reason}"
    return report
