"""Measure the processor time of a click, in the kernel and in the page, with an Explorer in JupyterLab and Chromium.

The board shows no films (`animate=False`), so that the work of a click ends with the picture.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

from bench import BenchReport, Measurement, machine

from crashlab.base.errors import CrashlabError, install_hint
from crashlab.cli.news import without_news
from crashlab.engine.game import Game
from crashlab.engine.table import CHANCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from crashlab.lab import Explorer

CLICKS = 9
REST = 1000.0  # milliseconds in which kernel and page finish a click
PATIENCE = 120.0  # seconds
CHROMIUM = "chromium", "chromium-browser", "google-chrome"
FILE = "click.ipynb"
CELL = """import json, sys, time, crashlab
sys.path.append({tools!r})
from clicks import spot
explorer = crashlab.lab.Explorer(crashlab.game({name!r}, **{options!r}).start(7), animate=False)
explorer"""
NOTEBOOK = "window.jupyterapp?.shell.currentWidget"
ASK = f"""async code => {{
    const future = {NOTEBOOK}.sessionContext.session.kernel.requestExecute({{code}});
    let text = '';
    future.onIOPub = message => {{ text += message.content.text ?? message.content.evalue ?? ''; }};
    await future.done;
    return text; }}"""


def clicks(game: Game) -> BenchReport:
    """Measure what a click on a choice costs in an explorer of this game."""
    code = CELL.format(tools=str(Path(__file__).parent), name=game.name, options=dict(game.options))
    cell: dict[str, Any] = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": code}
    kernel = {"name": "python3", "display_name": "Python 3"}
    notebook = {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
    with TemporaryDirectory() as folder, browser() as page:
        Path(folder, FILE).write_text(json.dumps(notebook), encoding="utf-8")
        with lab(Path(folder)) as address:
            page.goto(address)
            return BenchReport(machine(), repr(game), tuple(figures(page)))


@contextmanager
def browser() -> Generator[Page]:
    """Yield a page of a headless Chromium."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise CrashlabError(f"clicks need playwright: {install_hint('playwright', 'test')}") from None
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        except Error:
            raise CrashlabError("clicks need Chromium: install it, or run: playwright install chromium") from None
        page = chromium.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(1000 * PATIENCE)
        yield page


@contextmanager
def lab(folder: Path) -> Generator[str]:
    """Start a JupyterLab on this folder without the user's settings; yield the address of the notebook there."""
    homes = {f"JUPYTER_{name.upper()}_DIR": str(folder / name) for name in ("config", "data", "runtime")}
    options = ["--no-browser", "--allow-root", "--expose-app-in-browser", f"--ServerApp.root_dir={folder}"]
    command = [sys.executable, "-m", "jupyterlab", *options]
    with without_news(), (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, env={**os.environ, **homes}, stdout=log, stderr=log)
    try:
        end = time.monotonic() + PATIENCE
        while not (address := answering(folder)):
            if process.poll() is not None or time.monotonic() > end:
                raise CrashlabError(f"JupyterLab does not start: {install_hint('jupyterlab', 'test')}")
            time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait()


def answering(folder: Path) -> str:
    """Return the address of the notebook once the server on this folder answers, else ""."""
    for path in folder.glob("runtime/jpserver-*.json"):
        with suppress(OSError, ValueError):  # it is still being written, or the server does not listen yet
            server = json.loads(path.read_text(encoding="utf-8"))
            urlopen(f"{server['url']}api", timeout=PATIENCE).close()
            return f"{server['url']}lab/tree/{FILE}?token={server['token']}"
    return ""


def figures(page: Page) -> Generator[Measurement]:
    """Measure some clicks in milliseconds of the processor, the median of them, less the cost of idling."""
    page.wait_for_function(f"() => {NOTEBOOK}?.sessionContext?.session?.kernel?.status === 'idle'", polling=200)
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    board = page.locator("canvas.crashlab-board").first
    board.wait_for()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def kernel(code: str) -> Any:
        return json.loads(page.evaluate(ASK, f"print(json.dumps({code}))"))

    def in_page() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))

    def cost(clicked: bool) -> tuple[float, float]:
        kernel_before, page_before = kernel("time.process_time()"), in_page()
        if clicked:
            page.mouse.down()
            page.mouse.up()
        page.wait_for_timeout(REST)
        page_after, kernel_after = in_page(), kernel("time.process_time()")
        return 1000 * (kernel_after - kernel_before), 1000 * (page_after - page_before)

    costs = []
    for number in range(CLICKS):
        (across, down), box = kernel(f"spot(explorer, {number})"), board.bounding_box()
        assert box
        page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"])
        page.wait_for_timeout(REST)
        moment = kernel("id(explorer.moment)")
        idle = cost(False)
        costs.append([some - none for some, none in zip(cost(True), idle, strict=True)])
        if kernel("id(explorer.moment)") == moment:
            raise CrashlabError("a click on a choice has chosen nothing")
    both = [max(median(column), 0.0) for column in zip(*costs, strict=True)]
    for where, value in (("in the kernel", both[0]), ("in the page", both[1]), ("together", sum(both))):
        yield Measurement(f"a click on a choice, {where}", value, "ms")


def spot(explorer: Explorer, number: int) -> tuple[float, float]:
    """Return the point of the board where a choice is shown, as fractions of its width and height."""
    while not explorer.moment.choices or explorer.moment.seat == CHANCE:
        explorer.board.run_alone(explorer.run if explorer.moment.ready else explorer.run_round)
    offered = explorer.moment.choices
    choice, board = offered[number % len(offered)], explorer.board
    x, y = board.lens.at(choice.x, choice.y) if board.lens else (choice.x, choice.y)
    return x / board.surface.width, y / board.surface.height
