"""The tests that `make check` selects for a changed file: at least one, and few enough to wait for."""

import subprocess
import sys

import pytest
from checkout import TESTS

sys.path.append(str(TESTS / "tools"))

from test_architecture import FILES
from touched import MOST, ROOT, TESTS, touched


def names(changed):
    return [path.name for path in touched(changed)]


@pytest.mark.slow
def test_every_module_has_some_tests_and_not_too_many():
    for path in FILES:
        selected = names(path.relative_to(ROOT).as_posix())
        of_a_game = [name for name in selected if path.parent.name in name]
        assert selected and len(selected) <= MOST + len(of_a_game), path


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ("crashlab/lab/puzzle.py", "test_lab_puzzle.py"),  # imports names from the package only
        ("crashlab/play/simulation.py", "test_simulate.py"),  # found only through `crashlab`
        ("crashlab/cli/main.py", "test_cli.py"),  # a module imported from its package
        ("crashlab/games/crash_city/rules.py", "test_crash_city_rules.py"),
        ("crashlab/engine/chance.py", "test_core.py"),
        ("tests/game_variants.py", "test_every_game.py"),
        ("tests/commands/test_cli.py", "test_cli.py"),
        ("examples/one_crash.py", "test_examples.py"),
        ("README.md", "test_packaging.py"),
    ],
)
def test_of_a_file_those_that_use_it_are_found(changed, expected):
    assert expected in names(changed) and (ROOT / changed).exists()


def test_it_runs_as_make_check_runs_it():
    command = [sys.executable, str(TESTS / "tools" / "touched.py"), "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert all((ROOT / name).exists() for name in done.stdout.split())
