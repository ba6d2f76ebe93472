"""The page of a board: the wheel, touch, keys, and the picture of a board in a notebook reopened later."""

import json
import re
from base64 import b64decode
from io import BytesIO

import pytest
from PIL import Image, ImageChops

pytest.importorskip("playwright")

from lab_in_chromium import NOTEBOOK, notebook

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

EXPLORERS = (
    """import crashlab
from crashlab.lab import Explorer
game = crashlab.game("crash_city", players=2)
row = " / ".join(f"{x},0 NS" for x in range(1, 14))
racing = game.read(f"asked A; tiles {row} / 14,0 NES shop B / 14,1 S; cars A 11,0N>E 1,0N>E / B 13,0N>W")""",
    "explorer = Explorer(crashlab.game('autoscooter').start(seed=7))\nexplorer",
    "city = Explorer(racing)\ncity",
    """from crashlab.lab import Board
clicks, board = [], Board(crashlab.game('autoscooter').start(seed=7))
board.on_click(lambda *place: clicks.append(place))
board""",
)
EXPLORER, CITY, BOARD = range(3)

# A panel, and a bar that waits in the middle until the test has seen it.
DAYS = (
    """import os, time, crashlab
from pathlib import Path
from crashlab.base import progress
from crashlab.lab import Explorer
os.environ.pop("TQDM_DISABLE", None)
progress.DELAY = 0.0""",
    "explorer = Explorer(crashlab.game('autoscooter').start(seed=7))\nexplorer",
    """with progress.bar(4, "games") as shown:
    shown.update(3)
    while not Path("seen").exists():
        time.sleep(0.02)""",
    "len(crashlab.simulate(crashlab.game('autoscooter'), 20))",
)
# A game and a film.
ENDS = (
    DAYS[0],
    DAYS[1],
    """from crashlab.lab import Stepper
turn = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2"}}).play({0: "1 FF", 1: "82 FF"})""",
    "stepper = Stepper(turn)\nstepper",
)
OPEN = """[panel.home.split(":")[0] for panel in __import__("crashlab.lab").lab.notebook_cells._open
    if panel.board.owner is panel]"""
CHOOSE = ".jupyter-button:has-text('More')"
SENTENCE = "run the cells from the top down to this one"
LEFT = "This is a picture of where you left off."
WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def notebooks(folder):
    for name, cells in {"page.ipynb": EXPLORERS, "days.ipynb": DAYS, "ends.ipynb": ENDS, "copy.ipynb": ENDS}.items():
        (folder / name).write_text(notebook(cells))


@pytest.fixture(scope="module")
def page(browser):
    """Open both explorers on a touch screen."""
    page = browser.open("page.ipynb", height=800, has_touch=True)
    page.run_all()
    yield page
    page.end()
    page.page.close()


@pytest.fixture
def finger(page):
    """Return a function that moves a finger over the page in steps."""
    touch = page.page.context.new_cdp_session(page.page)

    def at(kind, *points):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def move(start, across, down, steps=8):
        x, y = start
        at("touchStart", (x, y))
        for step in range(1, steps + 1):
            page.page.wait_for_timeout(20)
            at("touchMove", (x + across * step / steps, y + down * step / steps))
        page.page.wait_for_timeout(100)
        at("touchEnd")

    return move


def top(page, number):
    """Return the position of a board's upper edge on the page, once it is stable."""
    edge = None
    while edge != (edge := round(page.canvases().nth(number).bounding_box()["y"])):
        page.page.wait_for_timeout(150)
    return edge


def cells(page):
    """Return the number of cells, the index of the active one, and the widget of each output."""
    return page.page.evaluate(
        f"""() => {{
            const notebook = {NOTEBOOK}.content;
            const outputs = notebook.model.toJSON().cells.flatMap(cell => cell.outputs);
            const shown = outputs.map(output => output.data?.['{WIDGET}'].model_id);
            return [notebook.widgets.length, notebook.activeCellIndex, shown]; }}"""
    )


# Before the kernel has started


def test_cells_that_are_run_before_the_kernel_is_there_run_when_it_is(browser, folder):
    document = json.loads(notebook(["1 + 1", "2 + 2", "3 + 3"]))
    title = {"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# A title"}
    (folder / "early.ipynb").write_text(json.dumps(document | {"cells": [title, *document["cells"]]}))
    page, waiting = browser.browser.chromium.new_page(), []

    def hold(route):
        waiting.append(route) if route.request.method == "POST" else route.continue_()

    page.route(re.compile("/api/sessions"), hold)
    page.goto(browser.browser.server.url(f"{folder.name}/early.ipynb"), wait_until="domcontentloaded")
    page.wait_for_function(f"() => window.jupyterapp && {NOTEBOOK}?.content?.widgets.length === 4")
    page.locator(".jp-MarkdownCell").first.click()
    prompts = page.locator(".jp-InputPrompt")
    for _ in range(3):
        page.keyboard.press("Shift+Enter")
    assert prompts.all_inner_texts() == ["", "[*]:", "[*]:", "[ ]:"]
    while not waiting:
        page.wait_for_timeout(50)
    waiting.pop().continue_()
    page.wait_for_function("() => document.querySelectorAll('.jp-OutputArea-output').length === 2")
    assert prompts.all_inner_texts() == ["", "[1]:", "[2]:", "[ ]:"]
    page.evaluate(f"() => {NOTEBOOK}.sessionContext.shutdown()")
    page.close()


# The wheel and a finger


def test_the_wheel_over_a_board_scrolls_the_page(page):
    page.page.mouse.move(*page.spot(EXPLORER, 300, 200))
    before = top(page, EXPLORER)
    page.page.mouse.wheel(0, 160)
    page.expect(lambda: top(page, EXPLORER), before - 160)
    page.page.mouse.wheel(0, -160)
    page.expect(lambda: top(page, EXPLORER), before)


def test_a_click_on_a_board_that_is_not_all_in_view_means_what_is_there_and_leaves_the_page(page):
    x, y = page.spot(BOARD, 100, 60)
    bottom = page.page.locator(".jp-WindowedPanel-outer").evaluate("view => view.getBoundingClientRect().bottom")
    page.page.mouse.move(x, y)
    page.page.mouse.wheel(0, y - bottom + 40)  # only 40 pixels below it remain in view
    page.expect(lambda: round(page.canvases().nth(BOARD).bounding_box()["y"]) > bottom - 200, True)
    before = top(page, BOARD)
    page.page.evaluate("() => document.activeElement.blur()")
    page.page.mouse.click(x, bottom - 40)
    page.expect(lambda: page.python("[[round(x), round(y)] for x, y in clicks]"), [[100, 60]])
    assert top(page, BOARD) == before


def test_a_finger_scrolls_the_page_and_a_tap_is_a_click(page, finger):
    spot = page.spot(EXPLORER, 300, 300)
    before, now = top(page, EXPLORER), page.python("repr(explorer.now)")
    finger(spot, 0, -150)
    page.expect(lambda: before - 150 <= top(page, EXPLORER) < before - 100, True)
    assert page.python("repr(explorer.now)") == now  # it was no click
    car = page.python("[*next((p.x, p.y) for p in explorer.board.picture.pieces if p.key == 'car 3')]")
    page.page.touchscreen.tap(*page.spot(EXPLORER, *car))
    page.expect(lambda: page.python("explorer.now.seat"), 2)


def test_a_finger_drags_a_map_that_is_looked_at_from_near(page, finger):
    assert page.python("city.board.lens.zoom") == 1
    spot = page.spot(CITY, 300, 200)
    before = top(page, CITY)
    finger(spot, -20, -100)
    page.expect(lambda: before - 100 <= top(page, CITY) < before - 60, True)
    page.button("Nearer")
    page.page.wait_for_timeout(600)
    spot = page.spot(CITY, 300, 200)
    before, x, now = top(page, CITY), page.python("city.board.lens.x"), page.python("repr(city.now)")
    finger(spot, -100, -20)
    page.expect(lambda: page.python("city.board.lens.x") > x, True)
    assert top(page, CITY) == before and page.python("repr(city.now)") == now
    page.button("Follow the game")


def test_on_a_phone_a_finger_is_asked_which_of_the_targets_it_means_that_lie_close(page, tmp_path):
    before = page.page.viewport_size
    page.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")
    page.page.set_viewport_size({"width": 412, "height": 839})
    page.python("explorer.board.run_alone(explorer.ask, 0)")
    page.expect(lambda: page.canvases().nth(EXPLORER).bounding_box()["width"] <= 412, True)
    page.page.wait_for_timeout(700)  # until the board has its place on the narrow page
    target = page.python("[(target := explorer.choices()[1]).x, target.y, target.word]")
    page.page.touchscreen.tap(*page.spot(EXPLORER, *target[:2]))
    buttons = page.page.locator(".crashlab-which button")
    page.expect(lambda: buttons.count() > 1, True)
    assert page.python("[explorer.now.seat, len(explorer.now.plans)]") == [0, 0]
    page.expect_status(EXPLORER, "Which one?")
    boxes = [button.bounding_box() for button in buttons.all()]
    assert all(box["height"] >= 40 and box["x"] >= 0 and box["x"] + box["width"] <= 412 for box in boxes)
    page.page.screenshot(path=tmp_path / "phone.png")
    offered = page.python("[child.description.endswith(target.text) for child in explorer.board.which.children]")
    buttons.nth(offered.index(True)).tap()
    page.expect(lambda: page.python("[list(plan.words) for plan in explorer.now.plans.values()]"), [target[2:]])
    page.expect(buttons.count, 0)
    page.button("Undo")
    page.wait_after_click()
    page.click_canvas(EXPLORER, *target[:2])  # with the mouse, as usual
    page.expect(lambda: page.python("[list(plan.words) for plan in explorer.now.plans.values()]"), [target[2:]])
    page.button("Undo")
    page.page.set_viewport_size(before)
    page.page.evaluate("() => window.jupyterapp.shell.expandLeft()")
    page.wait_after_click()


# Keys


@pytest.mark.parametrize("key", ["Shift+Enter", "Control+Enter", "Alt+Enter"])
def test_a_key_that_runs_cells_neither_plays_nor_ends_a_game(page, key):
    page.click_canvas(EXPLORER, 10, 10)
    page.key("ArrowRight")
    page.expect(lambda: page.python("explorer.picker.index is None"), False)
    before, now = cells(page), page.python("repr(explorer.now)")
    page.key(key)
    page.page.wait_for_timeout(300)
    down = key == "Shift+Enter"  # this key selects the next cell
    assert cells(page) == [before[0], before[1] + down, before[2]]
    assert page.python("[repr(explorer.now), explorer.picker.index is None]") == [now, False]
    page.page.locator(CHOOSE).first.focus()
    page.key(key)
    page.page.wait_for_timeout(300)
    assert cells(page) == [before[0], before[1] + down, before[2]] and page.python("repr(explorer.now)") == now


def test_without_another_key_enter_plays(page):
    page.click_canvas(EXPLORER, 10, 10)
    page.key("ArrowRight")
    now = page.python("repr(explorer.now)")
    page.key("Enter")
    page.expect(lambda: page.python("repr(explorer.now)") != now, True)
    page.key("Backspace")
    page.expect(lambda: page.python("repr(explorer.now)"), now)


def test_a_key_with_control_goes_past_the_board(page):
    page.click_canvas(EXPLORER, 10, 10)
    folded = page.page.evaluate("() => window.jupyterapp.shell.leftCollapsed")
    for expected in (not folded, folded):
        page.key("Control+b")
        page.expect(lambda: page.page.evaluate("() => window.jupyterapp.shell.leftCollapsed"), expected)


def test_a_key_on_a_control_does_nothing_to_the_cells(page):
    """Otherwise JupyterLab would cut the cell, select another one, or start editing it."""
    before = cells(page)
    page.page.locator(CHOOSE).first.focus()
    for key in ("x", "d", "d", "ArrowDown"):
        page.key(key)
    page.key("Enter")  # presses the button
    page.expect(lambda: page.python("explorer.more.value"), True)
    page.key("Enter")
    assert cells(page) == before


# The next day


def test_on_the_next_day_a_board_is_a_picture_of_what_was_left_until_its_cell_is_run(browser, folder, tmp_path):
    (folder / "seen").touch()
    page = browser.open("days.ipynb", height=800)
    page.run_all()
    page.save()
    before = saved(folder)
    assert before["metadata"] == {} and {"image/png", "text/plain"} < before["outputs"][0]["data"].keys()
    page.button("More")
    for turn in (2, 3):
        page.button("Agents play on")
        page.expect(lambda turn=turn: page.python("explorer.state.round"), turn)
        page.wait_after_click()
    page.click_canvas(0, 10, 10)  # the film ends
    page.expect(lambda: page.page.evaluate(f"() => {NOTEBOOK}.context.model.dirty"), True)
    page.expect(lambda: "choices" in page.status(0), True)
    page.wait_until_quiet()
    position = page.python("explorer.state.text")
    picture = page.canvases().first.evaluate("canvas => canvas.toDataURL().split(',')[1]")
    page.save()
    page.shut_down()
    page.page.close()
    after = saved(folder)
    assert after["metadata"]["crashlab"]["Explorer"]["position"] == position
    assert position != before["outputs"][0]["data"]["text/plain"]
    assert "".join(after["outputs"][0]["data"]["text/plain"]) == f"Explorer of Autoscooter: {position}"
    stored = after["outputs"][0]["data"]["image/jpeg"]
    assert len(stored) < 100_000 and "image/png" not in after["outputs"][0]["data"]
    assert furthest(stored, picture) < 20 < 60 < furthest(stored, before["outputs"][0]["data"]["image/png"])

    stranger = json.loads((folder / "days.ipynb").read_text())
    stranger["metadata"]["authors"] = [{"name": "somebody else"}]  # so that JupyterLab does not trust it
    (folder / "stranger.ipynb").write_text(json.dumps(stranger))
    page = browser.open("stranger.ipynb", height=800)
    expect_picture(page, position)
    page.page.close()

    page = browser.open("days.ipynb", height=800)
    expect_picture(page, position)
    page.page.screenshot(path=tmp_path / "next_day.png")
    page.run_all()
    page.expect_colours(0, 20)
    assert not page.page.locator(".jp-OutputArea-output img").count() and SENTENCE not in page.text()
    assert page.python("explorer.state.round") == 1
    page.button("Go on with the game you left")
    page.expect(lambda: page.python("explorer.state.text"), position)
    page.wait_after_click()
    page.click_canvas(0, 10, 10)
    page.key("ArrowRight")
    page.expect_paint()
    page.button("More")
    page.button("Agents play on")
    page.expect(lambda: page.python("explorer.state.round"), 4)
    position = page.python("explorer.state.text")

    page.save()
    page.reload()  # the kernel still has it
    page.expect(lambda: page.canvases().count() and page.colours(0) > 20, True)
    assert not page.page.locator(".jp-OutputArea-output img").count() and SENTENCE not in page.text()
    page.canvases().first.evaluate("canvas => canvas.remove()")  # as if saved before the board is drawn
    page.save()
    page.check()

    page.restart()
    expect_picture(page, position)
    page.check()
    page.page.close()


def saved(folder):
    """Return the explorer's cell from the saved file."""
    return json.loads((folder / "days.ipynb").read_text())["cells"][1]


def furthest(*pictures):
    """Return the largest difference of two pictures, up to 255, after shrinking them."""
    read = [Image.open(BytesIO(b64decode(picture))).convert("RGB") for picture in pictures]
    samples = [picture.resize((48, 36), Image.Resampling.BOX) for picture in read]
    return max(most for _, most in ImageChops.difference(*samples).getextrema())


def expect_picture(page, position, boards=0):
    picture = page.page.locator(".jp-OutputArea-output img")
    page.expect(picture.count, 1)
    assert picture.get_attribute("alt") == f"Explorer of Autoscooter: {position}"
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 500
    page.expect(lambda: SENTENCE in page.text(), True)
    assert LEFT in page.text() and page.canvases().count() == boards
    for words in ("not found", "Error displaying", "Loading widget", "Javascript Error"):
        assert words not in page.text()


# Copies, lost connections and untrusted notebooks


@pytest.fixture
def ends(browser):
    page = browser.open("ends.ipynb", height=800)
    page.run_all()
    yield page
    page.page.context.set_offline(False)
    page.page.close()


def test_the_copy_of_a_cell_is_a_picture_when_the_first_one_is_run_again(ends, tmp_path):
    for command in ("copy-cell", "paste-cell-below"):
        ends.page.evaluate(
            f"""command => {{ {NOTEBOOK}.content.activeCellIndex = 1;
                return window.jupyterapp.commands.execute(command); }}""",
            f"notebook:{command}",
        )
    ends.expect(ends.canvases().count, 3)
    ends.button("More")
    ends.button("Agents play on")
    ends.expect(lambda: ends.python("explorer.state.round"), 2)
    ends.wait_until_quiet()
    position = ends.python("explorer.state.text")
    ends.run_cell(1)
    expect_picture(ends, position, 2)
    ends.page.screenshot(path=tmp_path / "copy.png")
    ends.run_cell(2)
    ends.expect(ends.canvases().count, 3)
    ends.check()
    ends.shut_down()  # otherwise the next test meets the panel of the copied cell


def test_a_copied_notebook_on_the_same_kernel_takes_no_panel_away(ends, browser, tmp_path):
    first = ends.page.evaluate_handle(f"() => {NOTEBOOK}")
    kernel = ends.page.evaluate(f"() => {NOTEBOOK}.sessionContext.session.kernel.id")
    ends.show(f"{browser.folder.name}/copy.ipynb")
    ends.ask(f"id => {NOTEBOOK}.sessionContext.changeKernel({{ id }})", kernel)
    ends.ask("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    notes = ends.page.locator(".crashlab-note >> visible=true")
    ends.expect(lambda: "another notebook is already using this one" in (notes.all_inner_texts() or [""])[0], True)
    paths = [f"{browser.folder.name}/{name}.ipynb" for name in ("copy", "copy", "ends", "ends")]
    ends.expect(lambda: sorted(ends.python(OPEN)), paths)
    ends.run_cell(1)
    ends.expect(lambda: sorted(ends.python(OPEN)), paths)
    ends.page.screenshot(path=tmp_path / "shared.png")
    ends.page.evaluate("first => window.jupyterapp.shell.activateById(first.id)", first)
    board = ends.page.locator(".jp-OutputArea-output .crashlab-board >> visible=true").first
    ends.expect(lambda: board.evaluate("canvas => canvas.toDataURL().length > 20_000"), True)
    assert not ends.page.locator(".jp-OutputArea-output img >> visible=true").count()
    ends.check()


def test_without_a_connection_a_press_says_so_and_is_forgotten(ends, tmp_path):
    context, kernel = ends.page.context, f"{NOTEBOOK}.sessionContext.session.kernel"
    ends.button("More")
    before = ends.status(0)
    context.set_offline(True)
    ends.page.evaluate(f"() => {{ {kernel}.reconnect().catch(() => null); }}")
    ends.expect(lambda: ends.page.evaluate(f"() => {kernel}.connectionStatus") == "connected", False)
    dialog = ends.page.locator(".jp-Dialog-footer button")  # JupyterLab may notice at any time
    ends.page.add_locator_handler(dialog, lambda buttons: buttons.last.click())
    for _ in range(2):
        ends.button("Agents play on")
        ends.expect(lambda: "Not connected" in ends.status(0), True)
    ends.page.screenshot(path=tmp_path / "cut.png")
    ends.click_canvas(0, 100, 100)
    ends.key("ArrowRight")
    ends.button("Play (space)")  # the film itself is on the page
    ends.expect(lambda: "Not connected" in ends.status(1), False)
    context.set_offline(False)
    ends.page.evaluate(f"() => {kernel}.reconnect()")
    ends.expect(lambda: ends.status(0), before)
    ends.expect(lambda: ends.python("stepper.steps.beat == stepper.steps.last"), True)
    assert ends.python("[explorer.state.round, explorer.now.before is None, explorer.picker.index]") == [1, True, None]
    assert not ends.page.locator(".crashlab-said").count()
    ends.button("Agents play on")
    ends.expect(lambda: ends.python("explorer.state.round"), 2)


def test_a_notebook_that_is_not_trusted_says_how_its_film_is_seen(ends, browser, folder, tmp_path):
    ends.save()
    ends.shut_down()
    stranger = json.loads((folder / "ends.ipynb").read_text())
    stranger["metadata"]["authors"] = [{"name": "somebody else"}]  # so that JupyterLab does not trust it
    (folder / "stranger.ipynb").write_text(json.dumps(stranger))
    ends.show(f"{browser.folder.name}/stranger.ipynb")
    notes = ends.page.locator(".crashlab-note >> visible=true")
    ends.expect(lambda: ["Trust Notebook" in words for words in notes.all_inner_texts()], [False, True])
    ends.page.screenshot(path=tmp_path / "stranger.png")
    ends.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:trust'); }")
    ends.page.locator(".jp-Dialog .jp-mod-accept").click()
    ends.expect(ends.page.locator(".crashlab-film iframe >> visible=true").count, 1)
    ends.expect(lambda: ["This is a stored film" in words for words in notes.all_inner_texts()], [False, True])


def test_a_bar_is_seen_while_it_runs_and_then_nothing_is_left(browser, folder):
    (folder / "seen").unlink(missing_ok=True)
    page = browser.open("days.ipynb", height=800)
    page.page.evaluate("() => { window.ran = window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
    bar = page.page.locator(".jp-OutputArea-output progress")
    page.expect(lambda: bar.count() and bar.get_attribute("value"), "3")
    assert "3 of 4 games" in page.text()
    (folder / "seen").touch()
    page.page.evaluate("() => window.ran")
    page.expect(bar.count, 0)
    page.check()
    outputs = page.page.evaluate(
        f"() => {NOTEBOOK}.content.model.toJSON().cells.slice(2).flatMap(cell => cell.outputs)"
    )
    assert [output["data"] for output in outputs if output["output_type"] == "display_data"] == [{}, {}]
    assert not page.page.locator(".jp-Cell-outputArea").nth(2).locator(".jp-OutputArea-child").count()
    page.page.close()
