"""No output has a critical or serious accessibility fault by axe-core."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from checkout import ROOT
from lab_in_chromium import NOTEBOOK, notebook

import crashlab

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

AXE = Path(sys.prefix) / "lib" / "node_modules" / "axe-core" / "axe.min.js"
BEGIN = """import os, crashlab
from crashlab.lab import *
from crashlab.analysis.matrix_game import Duel
game = crashlab.game("autoscooter")
turn = game.read({"cars": {"1": "21E2", "2": "23SE2"}}).play({0: "1 FF", 1: "82 FF"})
match = crashlab.Match(crashlab.game("autoscooter", players=2), "greedy", seed=1)
match.run(3)
os.makedirs("hand-ins", exist_ok=True)
with open("hand-ins/first.py", "w") as file:
    file.write("def agent(state, seat): return state.actions(seat)[0]")
def total(row):
    result = 0
    for x in row:
        if x > 2:
            result += x
    return result"""
PANELS = (
    "Explorer(turn.before)",
    "Predict(turn)",
    "Predict(turn, poll=True)",
    "Stepper(turn)",
    "Watch(total, [1, 2, 3, 4])",
    "Watch(total, [1, 2, 3, 4], predict=True)",
    "poll = Poll('Which?', ['a', 'b'], answer='a')\npoll.quiz.hands.phones.switch()\npoll",
    "Puzzle(crashlab.puzzles('autoscooter')[:3])",
    "Arena(game, seed=3)",
    "Guess('How many?', ['a', 'b'], most=9)",
    "Heat(turn.before, limit=1)",
    "Dial()",
    "Bluff(Duel.of([[0, -1], [1, 0]]), steps=50)",
    "Rules(game)",
    "Review(match)",
    "game.poster()",
    "League('hand-ins')",
)
PHONE = {"number": 1, "key": "q", "stage": "open", "text": "Which?", "options": ["first", "second"], "letters": ""}
PHONE |= {"most": 0, "several": False, "mine": None, "picture": "<svg xmlns='http://www.w3.org/2000/svg'/>"}
PHONES = {
    "code": None,
    "open": {"mine": 1, "left": 20},
    "many": {"mine": 7, "options": [*"ABCDEFG", "none of these seven"]},
    "several": {"mine": [0, 1], "several": True},
    "number": {"mine": 7, "options": [], "most": 100},
    "right": {"mine": 0, "stage": "shown", "right": [0], "reason": "Because."},
    "wrong": {"mine": [1], "several": True, "stage": "shown", "right": [0], "reason": "Because."},
    "none": {"stage": "none"},
}
FAULTS = """async root => (await axe.run(root ?? document, {resultTypes: ['violations']})).violations
    .filter(fault => ['critical', 'serious'].includes(fault.impact))
    .flatMap(fault => fault.nodes.map(node => `${fault.id}: ${node.html}`))"""


@pytest.fixture(scope="module")
def notebooks(folder):
    if not AXE.exists():
        pytest.skip("no axe-core here, which `make fifth` gets from npm")
    (folder / "panels.ipynb").write_text(notebook([BEGIN, *PANELS]))


def test_a_panel_has_no_fault_for_those_who_cannot_see(browser):
    page = browser.open("panels.ipynb")
    page.run_all()
    page.page.evaluate(AXE.read_text("utf-8"))
    faults = {}
    for number, panel in enumerate(PANELS, start=1):
        page.page.evaluate(f"place => {NOTEBOOK}.content.scrollToItem(place)", number)
        output = page.page.evaluate_handle(f"place => {NOTEBOOK}.content.widgets[place].outputArea.node", number)
        page.wait_for("output => output.firstElementChild", output)
        faults[panel] = page.page.evaluate(FAULTS, output)
    assert {panel: lines for panel, lines in faults.items() if lines} == {}
    page.end()


def test_a_saved_film_has_no_fault_for_those_who_cannot_see(browser, tmp_path):
    state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
    state.play({0: "1 FF", 1: "82 FF"}).save(tmp_path / "crash.html")
    page = browser.browser.chromium.new_page()
    page.goto((tmp_path / "crash.html").as_uri())
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(FAULTS, None) == []
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_of_a_phone_has_no_fault_for_those_who_cannot_see(browser, scheme, tmp_path):
    viewport = {"width": 360, "height": 640}
    context = browser.browser.chromium.new_context(viewport=viewport, has_touch=True, color_scheme=scheme)
    html, faults = (ROOT / "crashlab" / "vote" / "phone.html").read_text("utf-8").replace("BASE", "/"), {}
    for name, change in PHONES.items():
        page = context.new_page()
        page.route("http://phone.test/ABCD", lambda route: route.fulfill(body=html, content_type="text/html"))

        def answer(route, *, change=change):
            route.fulfill(json={**PHONE, **change}) if change else route.fulfill(status=404)

        page.route("http://phone.test/ABCD/question*", answer)
        page.goto("http://phone.test/ABCD")
        page.wait_for_function("() => !text.textContent.startsWith('One moment')")
        page.evaluate(AXE.read_text("utf-8"))
        faults[name] = page.evaluate(FAULTS, None)
        page.screenshot(path=tmp_path / f"{name}.png")
        page.close()
    context.close()
    assert {name: lines for name, lines in faults.items() if lines} == {}
