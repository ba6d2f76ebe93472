"""The selection of tests: a quick part, the rest in five disjoint fifths, skips that fail, and workers that die."""

import os
import shutil
import signal
import subprocess
import sys

import effort
import pytest
from checkout import ROOT
from conftest import COLLECTED
from effort import FIFTHS, fifth, fifths, is_slow, left_out, not_quick, spread, unit
from patience import PATIENCE
from run_tier import WORKERS


def test_five_fifths_hold_every_slow_test_exactly_once(request, monkeypatch):
    items = request.config.stash[COLLECTED]
    run = []
    for number in range(FIFTHS):
        monkeypatch.setattr(effort, "FIFTH", str(number))
        run += {*items} - left_out(items)
    assert len(run) == len({*run}) and {*run} == {item for item in items if is_slow(item)}
    assert not_quick(items) <= {*run}  # so a quick run and its five fifths cover everything


def test_a_file_is_never_divided_and_what_is_new_has_a_place(request):
    units = {unit(item) for item in request.config.stash[COLLECTED]}
    assert all(fifth(name) in range(FIFTHS) for name in [*units, "tests/test_new.py"])
    assert fifth("tests/test_new.py") == fifth("tests/test_new.py")


def test_the_fifths_take_about_the_same_time():
    seconds = [sum(took for number, took in fifths().values() if number == one) for one in range(FIFTHS)]
    assert max(seconds) <= 1.3 * sum(seconds) / FIFTHS


def test_some_of_the_cases_are_evenly_spread():
    assert spread("abcdefghij", 3) == [*"adg"]
    assert spread([1, 2, 3], 5) == [1, 2, 3] and spread([1, 2, 3], 0) == []


@pytest.fixture
def run(tmp_path):
    """Return a function that runs a small test file under this project's conftest; it returns counts and output."""
    (tmp_path / "tests").mkdir()
    for name in ("conftest.py", "checkout.py", "effort.py", "fifths.txt", "patience.py", "time_by_kind.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("CRASHLAB_", "PYTEST_"))}

    def counts(source, *words, **environment):
        (tmp_path / "tests/test_it.py").write_text("import pytest\n" + source)
        command = [sys.executable, "-m", "pytest", "-q", *words]
        plain_or_not = {"env": plain | environment, "cwd": tmp_path, "timeout": PATIENCE}
        done = subprocess.run(command, capture_output=True, text=True, **plain_or_not)
        return done.stdout.splitlines()[-1].partition(" in ")[0], done.stdout

    return counts


@pytest.mark.slow
def test_what_is_named_runs_whatever_its_mark(run):
    cases = """
@pytest.mark.slow
def test_it(): pass

@pytest.mark.few(2)
@pytest.mark.parametrize('number', range(9))
def test_some(number): pass
"""
    look = "--collect-only"
    last, said = run(cases, look)
    assert last == "2/10 tests collected (8 deselected)" and "8 tests that only `make test-all` runs" in said
    assert run(cases, look, "tests/test_it.py")[0] == "10 tests collected"
    assert run(cases, look, "tests/test_it.py::test_it")[0] == "1 test collected"
    assert run(cases, look, CRASHLAB_EFFORT="full")[0] == "10 tests collected"


DIES = f"""
import os, signal, time, warnings

def test_it(): pass

def test_dies():
    warnings.simplefilter("ignore")  # from Python 3.12 on there is one about threads
    child = os.fork()
    if not child:
        time.sleep({2 * PATIENCE})
    open("child", "w").write(str(child))
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are copied here")
def test_a_worker_that_dies_ends_the_run_with_its_name_although_a_copy_of_it_lives(run, tmp_path):
    last, said = run(DIES, "-p", "no:nbval", *WORKERS)
    os.kill(int((tmp_path / "child").read_text()), signal.SIGKILL)
    failures, _, _ = said.partition("short test summary info")  # which names it again where lines are not cut, as in CI
    assert last == "1 failed, 1 passed" and failures.count("crashed while running 'tests/test_it.py::test_dies'") == 1


# Skipping

NEEDS_CHROMIUM = "@pytest.mark.chromium\ndef test_it(chromium): assert chromium"
SKIPS = ["def test_it(): pytest.skip('because')", "pytest.importorskip('no_such_module')"]


@pytest.mark.slow
def test_without_chromium_its_tests_are_skipped_with_the_reason(run):
    last, said = run(NEEDS_CHROMIUM, CRASHLAB_CHROMIUM="no-such-browser")
    assert last.startswith("1 skipped") and "no Chromium here" in said
    last, said = run(NEEDS_CHROMIUM, CRASHLAB_CHROMIUM="no-such-browser", CRASHLAB_NO_SKIP="1")
    assert last.startswith(("1 failed", "1 error")) and "no Chromium here" in said


@pytest.mark.slow
@pytest.mark.few(1)
@pytest.mark.parametrize("source", SKIPS)
def test_any_skip_is_a_failure_where_nothing_may_be_skipped(run, source):
    assert run(source)[0].startswith("1 skipped")
    assert run(source, CRASHLAB_NO_SKIP="1")[0].startswith(("1 failed", "1 error"))
