"""How large the package is: what is added is paid for in the same commit, or it says why not."""

from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "crashlab"
LINES = {  # of Python; whoever exceeds one by more than 1 % changes it, with a reason in the message of the commit
    "adapters": 1407, "agents": 1410, "analysis": 4474, "base": 911, "cli": 1280, "compiled": 6198, "course": 6618,
    "drawing": 3407, "engine": 5327, "games": 17794, "lab": 8510, "play": 4978, "watch": 7696,
}  # fmt: skip


def lines(folder):
    return sum(len(path.read_text("utf-8").splitlines()) for path in folder.rglob("*.py"))


def test_every_package_has_a_figure():
    assert set(LINES) == {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


@pytest.mark.parametrize("package", LINES)
def test_no_package_grows_unnoticed(package):
    found = lines(PACKAGE / package)
    assert found <= 1.01 * LINES[package], f"{package} has {found} lines instead of {LINES[package]}"
