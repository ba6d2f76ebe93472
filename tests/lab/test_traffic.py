"""The traffic between a board and its page, and the cost of a click for both."""

import sys

import pytest

import crashlab

pytest.importorskip("ipycanvas")

import clicks
import traffic

from crashlab.lab import page_module

GAMES = "autoscooter", "crash_and_grab", "crash_by_crash", "crash_city"


@pytest.mark.few(2)
@pytest.mark.parametrize("name", GAMES)
def test_an_explorer_opens_and_shows_a_decision_with_little(name, monkeypatch):
    monkeypatch.setattr(page_module, "_modules", [])  # as for the first board of a kernel
    monkeypatch.setattr(page_module, "_shared", {})
    monkeypatch.setattr(traffic, "DECISIONS", 3)
    lines = list(traffic.lines(crashlab.game(name)))
    opens, decision = [line.value for line in lines if line.unit == "kB"]
    assert 10 < opens < 150 and 1 < decision < 25
    opens, decision = [line.value for line in lines if line.unit == "messages"]
    assert opens <= 75 and decision <= 20


@pytest.mark.slow
@pytest.mark.chromium
@pytest.mark.parametrize("name", GAMES)
def test_a_click_on_a_choice_is_measured_in_the_kernel_and_in_the_page(name, monkeypatch):
    monkeypatch.setattr(clicks, "CLICKS", 2)
    in_kernel, in_page, together = [line.value for line in clicks.clicks(crashlab.game(name)).lines]
    assert 0 < in_kernel < together and 0 < in_page < together


def test_without_chromium_it_is_said_what_clicks_need(monkeypatch):
    monkeypatch.setattr(clicks, "CHROMIUM", ())
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", "/nowhere")
    with pytest.raises(crashlab.CrashlabError, match="clicks need Chromium: install it"):
        clicks.clicks(crashlab.game("autoscooter"))
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    with pytest.raises(crashlab.CrashlabError, match="clicks need playwright: pip install"):
        clicks.clicks(crashlab.game("autoscooter"))
