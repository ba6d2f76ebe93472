"""How much goes between a board and its page."""

import pytest

import crashlab

pytest.importorskip("ipycanvas")

from crashlab.cli import traffic
from crashlab.lab import board, page_module

GAMES = "autoscooter", "crash_and_grab", "crash_by_crash", "crash_city"


@pytest.mark.few(2)
@pytest.mark.parametrize("name", GAMES)
def test_an_explorer_opens_and_shows_a_decision_with_little(name, monkeypatch):
    monkeypatch.setattr(page_module, "_given", [])  # the first board of a kernel
    monkeypatch.setattr(board, "_styles", {})
    monkeypatch.setattr(traffic, "DECISIONS", 3)
    opens, *_, decision = [each.value for each in traffic.lines(crashlab.game(name)) if each.unit == "kB"]
    assert 10 < opens < 250 and 1 < decision < 60
