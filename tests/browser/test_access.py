"""What axe-core finds in our outputs: nothing critical, nothing serious."""

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
    "Poll('Which?', ['a', 'b'], answer='a')",
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


@pytest.mark.parametrize("name", ["film", "phone"])
def test_a_page_of_ours_has_no_fault_for_those_who_cannot_see(browser, tmp_path, name):
    file = ROOT / "crashlab" / "vote" / "phone.html"
    if name == "film":
        file = tmp_path / "crash.html"
        state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}})
        state.play({0: "1 FF", 1: "82 FF"}).save(file)
    page = browser.browser.chromium.new_page()
    page.goto(file.as_uri())
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(FAULTS, None) == []
    page.close()
