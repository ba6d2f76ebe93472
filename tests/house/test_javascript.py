"""The JavaScript that needs no browser: its tests in Node, and its types."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1] / "javascript"
TSC = shutil.which("tsc", path=Path(sys.prefix) / "bin")


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node")
@pytest.mark.parametrize("script", sorted(TESTS.glob("*.test.mjs")), ids=lambda script: script.stem)
def test_the_tests_in_javascript_pass(script):
    done = subprocess.run(["node", "--test", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not TSC, reason="needs TypeScript: npm install --global --prefix .venv typescript")
def test_the_types_in_comments_fit():
    done = subprocess.run([TSC, "--project", TESTS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
