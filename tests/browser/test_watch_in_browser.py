"""A search, a recursion and a table watched in JupyterLab: steps, runs to a variable or a line, and the layout."""

from inspect import getsource

import pytest

pytest.importorskip("playwright")

from lab_in_chromium import notebook
from watched_functions import common, fib, steps_from

pytestmark = [pytest.mark.chromium, pytest.mark.slow]


def long_sum(numbers):
    """Use more variables than the panel has room for."""
    first = second = third = 0
    fourth = fifth = sixth = 0
    seventh = eighth = ninth = 0
    for number in numbers:
        first += number
        sixth += number
        ninth += number
    return first + second + third, fourth + fifth + sixth, seventh + eighth + ninth


CELLS = (
    """import crashlab
from collections import deque
from crashlab.course.lessons.crash_city import history
from crashlab.lab import Watch, on_board
city = history(seed=1, players=2)[-1]
lanes = {lane: city.streets.beside(lane) for lane in city.streets.lanes()}
"""
    + "".join(map(getsource, (steps_from, fib, common, long_sum))),
    "search = Watch(steps_from, lanes, (0, 0, 0), board=city, animate=False,\n"
    "    show={'steps': on_board(number=True), 'queue': on_board(ring=True), 'here': on_board(mark=True)})\nsearch",
    "calls = Watch(fib, 6, animate=False)\ncalls",
    "cells = Watch(common, 'crash', 'catch', animate=False)\ncells",
    "many = Watch(long_sum, [2, 3, 4])\nmany",
    "asked = Watch(fib, 4, predict=True)\nasked",
)
NAMES = "search", "calls", "cells"
SEARCH, CALLS, TABLE, MANY, ASKED = range(5)
PANEL = "[...document.querySelectorAll('.crashlab-panel')].filter(p => !p.parentElement.closest('.jupyter-widgets'))"

# The positions of the parts that must not move: the buttons, the lines of source (which may scroll), the reason
PARTS = f"""number => {{ const panel = {PANEL}[number], all = panel.getBoundingClientRect();
    return [...panel.querySelectorAll('*')]
        .flatMap(part => [...(part.shadowRoot?.querySelectorAll('.bar > *, .code > button, .why') ?? [])])
        .map(part => [part.getBoundingClientRect(), part.closest('.code')?.scrollTop ?? 0]).filter(([box]) => box.width)
        .map(([box, scrolled]) => [box.left - all.left, box.top - all.top + scrolled].map(Math.round)); }}"""
# The hidden part of a panel, and the sizes of the board and the other parts
ROOM = f"""number => {{ const panel = {PANEL}[number];
    panel.scrollIntoView({{block: 'start'}});
    const box = part => part.getBoundingClientRect();
    const view = box(panel.closest('.jp-WindowedPanel-outer'));
    const [board, status, room, side, reason] = ['board', 'status', 'room', 'reading', 'reason']
        .map(name => box(panel.querySelector(`.crashlab-${{name}}`)));
    const inner = panel.querySelector('.crashlab-reading');
    const [rows, line] = ['.rows', '.code button span'].map(name => within(panel, name)[0]);
    line.append(document.createElement('span'));
    Object.assign(line.lastChild, {{ textContent: '0'.repeat(100), style: 'white-space: pre' }});
    const letter = box(line.lastChild).width / 100;
    line.lastChild.remove();
    return {{ hidden: inner.scrollHeight - inner.clientHeight, board: board.width, high: board.height,
        free: view.height - status.height, wide: panel.parentElement.clientWidth, reason: reason.height,
        letters: line.clientWidth / letter, lines: rows.clientHeight / 22,
        beside: side.left - board.right, under: side.top - status.bottom,
        all: room.height, view: view.height, right: room.right - box(panel.parentElement).left }}; }}"""


@pytest.fixture(scope="module")
def notebooks(folder):
    (folder / "watch.ipynb").write_text(notebook(CELLS))


@pytest.fixture(scope="module")
def page(browser):
    page = browser.open("watch.ipynb", width=1280, height=800)
    page.run_all()
    yield page
    page.end()


def bring(page, number):
    """Scroll to a panel, wait until its layout is stable, and return its locator."""
    room = None
    while room != (room := page.page.evaluate(ROOM, number)):
        page.page.wait_for_timeout(150)
    return page.page.locator(".jp-OutputArea-output .crashlab-panel:has(.crashlab-aside)").nth(number)


def fill_screen(page, number):
    """Show a panel on the full screen and return its locator."""
    panel = bring(page, number)
    panel.locator("canvas").click(position={"x": 3, "y": 3})
    page.page.keyboard.press("f")
    page.wait_for("() => document.querySelector('.crashlab-screen:popover-open')")
    page.page.wait_for_timeout(600)
    return panel


def leave_screen(page):
    page.page.keyboard.press("Escape")
    page.wait_for("() => !document.querySelector('.crashlab-screen') && !document.fullscreenElement")


def beat(page, number):
    return page.python(f"{NAMES[number]}.beat")


def expect_beat(page, number, expected):
    """Wait until the status line shows the expected beat."""
    page.expect(lambda: beat(page, number), expected)
    page.expect_status(number, page.python(f"{NAMES[number]}.story.words({expected})"))


@pytest.mark.parametrize("number", range(3), ids=NAMES)
def test_one_steps_with_keys_buttons_and_the_slider(page, number, tmp_path):
    panel = bring(page, number)
    page.expect_colours(number, 3)
    panel.locator("canvas").click(position={"x": 3, "y": 3})
    for steps in (1, 2, 3):
        page.key("ArrowRight")
        page.expect_paint()
        expect_beat(page, number, steps)
    page.click(panel.locator("button[title^='One beat on']"))
    expect_beat(page, number, 4)
    line = page.python(f"{NAMES[number]}.film.line(4)[1]")
    page.expect(lambda: panel.locator(".code .lit > b").inner_text().strip(), str(line))
    slider = panel.get_by_role("slider", name="Beat").bounding_box()
    page.page.mouse.move(slider["x"] + 12, slider["y"] + slider["height"] / 2)
    page.page.mouse.down()
    page.page.mouse.move(slider["x"] + slider["width"] + 30, slider["y"] + 3, steps=12)
    page.page.mouse.up()
    expect_beat(page, number, page.python(f"{NAMES[number]}.film.beats"))
    page.page.screenshot(path=tmp_path / "end.png")
    page.click(panel.locator("button[title^='To the beginning']"))
    expect_beat(page, number, 0)


def test_a_click_on_a_name_and_on_a_line_runs_there(page):
    panel = bring(page, SEARCH)
    panel.locator("canvas").click(position={"x": 3, "y": 3})
    page.key("Home")
    expect_beat(page, SEARCH, 0)
    stops = page.python("search.story.stops_of('here')[:3]")
    for target in stops:
        page.click(panel.get_by_role("button", name="here", exact=True))
        expect_beat(page, SEARCH, target)
    line = page.python("search.film.line(search.story.stops_of('steps')[1])[1]")
    for _ in range(2):  # the second time the line is highlighted
        target = page.python(f"next(b for b in range(search.beat + 1, 999) if search.film.line(b)[1] == {line})")
        page.click(panel.locator(".code > button", has=page.page.locator(f"b:text-is('{line:>4}')")))
        expect_beat(page, SEARCH, target)
    page.key("1")  # the film receives the keys
    page.expect(lambda: beat(page, SEARCH) > target, True)


def test_what_is_called_is_stepped_over(page):
    panel = bring(page, CALLS)
    panel.locator("canvas").click(position={"x": 3, "y": 3})
    page.python("calls.show(3)")
    expect_beat(page, CALLS, 3)
    deep = "len(calls.film.running({}))"
    for _ in range(4):
        later = "range(calls.beat + 1, calls.film.beats)"
        here, there = deep.format("calls.beat"), deep.format("at")
        target = page.python(f"next((at for at in {later} if {there} <= {here}), calls.film.beats)")
        page.key("o")
        expect_beat(page, CALLS, target)


def test_a_click_on_the_board_asks_why(page):
    bring(page, SEARCH)
    page.python("search.show(search.film.beats)")
    zoom = page.python("search.board.surface.zoom")
    spot = page.python("[*city.place(max(search.film.result, key=search.film.result.get))]")
    page.wait_until_quiet()
    page.click_canvas(SEARCH, *spot, zoom=zoom)
    page.expect_status(SEARCH, "since beat")


def test_a_node_that_the_mouse_is_over_says_which_call_it_is(page):
    bring(page, CALLS)
    page.python("calls.show(calls.film.beats)")
    page.wait_until_quiet()
    spot = page.spot(
        CALLS,
        *page.python("[*calls.story.tree.layout(calls.beat).places[3]]"),
        zoom=page.python("calls.board.surface.zoom"),
    )
    page.forget()
    page.page.mouse.move(spot[0] - 2, spot[1])
    page.page.mouse.move(*spot)
    page.expect(lambda: page.python("calls._pointed"), 3)
    page.expect_paint()


@pytest.mark.parametrize("number", range(3), ids=NAMES)
def test_nothing_moves_while_one_steps(page, number):
    bring(page, number)
    layouts = []
    for share in (0.1, 0.3, 0.6, 0.9):
        page.python(f"{NAMES[number]}.show(round({share} * {NAMES[number]}.film.beats))")
        page.expect_status(number, page.python(f"{NAMES[number]}.story.words({NAMES[number]}.beat)"))
        page.page.wait_for_timeout(200)
        layouts.append(page.page.evaluate(PARTS, number))
    assert layouts[0] and all(places == layouts[0] for places in layouts)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_beside_the_files_there_is_room_for_the_code_the_variables_and_the_reason(page, size, tmp_path):
    page.page.set_viewport_size({"width": size[0], "height": size[1]})
    page.page.evaluate("() => window.jupyterapp.shell.expandLeft()")
    page.page.wait_for_timeout(300)
    for number in range(3):
        bring(page, number)
        room = page.page.evaluate(ROOM, number)
        page.page.screenshot(path=tmp_path / f"{number}.png")
        assert room["letters"] >= 45 and room["lines"] >= 8 and room["reason"] >= 128 and room["beside"] > 0, room
        assert room["board"] >= 0.5 * room["wide"] - 6 or room["high"] >= 0.6 * room["free"], room
        assert room["all"] <= room["view"] and room["right"] <= room["wide"] + 1 and room["hidden"] <= 0, room
    page.page.evaluate("() => window.jupyterapp.shell.collapseLeft()")


def test_in_a_narrow_window_the_code_stands_below_the_picture(page, tmp_path):
    page.page.set_viewport_size({"width": 1024, "height": 768})
    page.page.wait_for_timeout(300)
    bring(page, CALLS)
    room = page.page.evaluate(ROOM, CALLS)
    page.page.screenshot(path=tmp_path / "narrow.png")
    assert room["under"] >= 0 and room["beside"] < 0 and room["letters"] >= 45 and room["lines"] >= 8, room


def test_on_the_full_screen_the_source_stands_beside_the_board(page, tmp_path):
    panel = fill_screen(page, SEARCH)
    page.page.keyboard.press("End")
    expect_beat(page, SEARCH, page.python("search.film.beats"))
    boxes = [panel.locator(name).bounding_box() for name in ("canvas", ".code >> nth=0", ".crashlab-status")]
    page.page.screenshot(path=tmp_path / "full.png")
    board, source, status = boxes
    assert board["x"] + board["width"] <= source["x"] and source["height"] > 100
    assert status["y"] >= board["y"] + board["height"] - 1
    leave_screen(page)


# The highlighted and hidden rows of the list of variables, its scroll position, and the positions of the other parts
LIT = """() => { const screen = document.querySelector('.crashlab-screen'), box = part => part.getBoundingClientRect();
    const [list] = within(screen, '.rows'), [code] = within(screen, '.code'), lit = within(list, '.lit');
    const isSeen = (row, {top, bottom}) => box(row).top >= top - 1 && box(row).bottom <= bottom + 1;
    return { lit: lit.length, more: list.scrollHeight - list.clientHeight, scrolled: list.scrollTop,
        unseen: lit.filter(row => !isSeen(row, box(list))).map(row => row.innerText),
        line: within(code, '.lit').every(row => isSeen(row, box(code))),
        asks: [...screen.querySelectorAll('.crashlab-asks .widget-html-content, .crashlab-asks b')]
            .filter(part => part.innerText).map(part => parseFloat(getComputedStyle(part).fontSize)),
        rest: [...within(screen, 'canvas, section, .bar')].map(box).map(({x, y}) => [x, y])
            .concat([[scrollX, scrollY]]) }; }"""


def test_what_has_changed_is_seen_on_the_full_screen_and_nothing_else_moves(page, tmp_path):
    page.page.set_viewport_size({"width": 1280, "height": 800})
    panel = fill_screen(page, MANY)
    states = []
    for beat in range(page.python("many.film.beats") + 1):
        words = page.python(f"[many.show({beat}), many.story.words({beat})][1]")
        page.expect(lambda words=words: panel.locator(".crashlab-status").inner_text().strip(), words)
        page.page.wait_for_timeout(100)
        states.append(page.page.evaluate(LIT))
        page.page.screenshot(path=tmp_path / f"{beat}.png")
    leave_screen(page)
    assert states[-1]["more"] > 0 and sum(state["lit"] == 1 for state in states) > 9
    assert not [state["unseen"] for state in states if state["lit"] == 1 and state["unseen"]]
    assert all(len(state["unseen"]) < max(state["lit"], 1) for state in states)  # at least one of several
    assert [state["rest"] for state in states] == len(states) * [states[0]["rest"]]
    assert len({state["scrolled"] for state in states}) < len(states) / 2  # it scrolls only to hidden rows


def test_what_is_asked_on_the_full_screen_is_large_and_leaves_room_for_what_is_lit(page, tmp_path):
    page.page.set_viewport_size({"width": 1280, "height": 800})
    panel = fill_screen(page, ASKED)
    page.page.keyboard.press("End")
    page.expect_status(ASKED, page.python("asked.quiz.quiz.question.text"))
    page.page.wait_for_timeout(600)
    state = page.page.evaluate(LIT)
    page.page.screenshot(path=tmp_path / "asked.png")
    answers = [panel.locator(".crashlab-answers"), panel.locator(".crashlab-choices button").first]
    visible = [part.is_visible() for part in answers]
    leave_screen(page)
    assert visible == [True, True]
    assert state["lit"] and not state["unseen"] and state["line"], state
    assert len(state["asks"]) == 2 and min(state["asks"]) >= 20
