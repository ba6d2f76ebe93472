"""Notebooks run and converted by nbconvert, whose films play without a kernel."""

import json
import subprocess
import sys

import pytest
from patience import PATIENCE

pytest.importorskip("nbconvert")
pytest.importorskip("playwright")

from lab_in_chromium import notebook

CELLS = [
    "import crashlab.lab, ipywidgets\n"
    'crash = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}}).play({0: "1 FF", 1: "82 FF"})\n'
    "crashlab.lab.Stepper(crash)",
    "crashlab.lab.Board(crash.after)",
    "ipywidgets.IntSlider(3)",
]
STATE = "application/vnd.jupyter.widget-state+json"
SIZES = """frame => [frame.offsetWidth, frame.offsetHeight,
    frame.contentDocument.documentElement.offsetHeight]"""
VIEW = "application/vnd.jupyter.widget-view+json"


def convert(folder, *words):
    command = [sys.executable, "-m", "nbconvert", *words]
    subprocess.run(command, check=True, timeout=PATIENCE, cwd=folder, capture_output=True)


@pytest.mark.slow
@pytest.mark.chromium
@pytest.mark.parametrize("is_stored", [True, False])
def test_films_play_whether_or_not_the_state_of_widgets_is_stored(bare_browser, tmp_path, is_stored):
    (tmp_path / "cells.ipynb").write_text(notebook(CELLS))
    stores = f"--ExecutePreprocessor.store_widget_state={is_stored}"
    convert(tmp_path, "--to", "notebook", "--execute", stores, "cells.ipynb", "--output", "run")
    run = json.loads((tmp_path / "run.ipynb").read_text("utf-8"))
    assert (STATE in run["metadata"].get("widgets", {})) == is_stored
    assert all(VIEW in output["data"] for cell in run["cells"] for output in cell["outputs"])
    convert(tmp_path, "--to", "html", "run.ipynb")
    page = bare_browser.new_context(offline=True).new_page()
    page.goto((tmp_path / "run.html").as_uri(), wait_until="domcontentloaded")
    film = page.frame_locator(".crashlab-film iframe")
    film.locator("canvas").wait_for(state="attached", timeout=1000 * PATIENCE)
    film.get_by_label("One beat on (→)").evaluate("button => button.click()")
    assert film.locator(".count").inner_text().startswith("1 ")
    assert page.locator(".jp-RenderedImage img, img[src^='data:image/png']").count() >= 1  # the board
    frame = page.locator(".crashlab-film iframe")
    before = frame.evaluate(SIZES)
    film.locator("body").evaluate("body => addEventListener('beforeprint', () => { body.dataset.printed = 1; })")
    page.pdf()
    assert film.locator("body").get_attribute("data-printed") == "1"  # the browser also notifies frames
    film.locator("body").evaluate("() => dispatchEvent(new Event('beforeprint'))")
    width, height, needed = frame.evaluate(SIZES)
    assert width == 480 and height == needed and needed > before[2]
    film.locator("body").evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert frame.evaluate(SIZES) == before
    page.context.close()
