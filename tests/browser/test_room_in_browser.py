"""Boards in JupyterLab: their size, stable positions, the full screen, the theme, and errors."""

import pytest

pytest.importorskip("playwright")

from lab_in_chromium import notebook

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

CELLS = (
    """import crashlab
from crashlab.lab import Arena, Bluff, Board, Explorer, Heat, Predict, Puzzle, Stepper
from crashlab.games.autoscooter.render import CENTRES
game = crashlab.game("autoscooter")
turn = game.read({"cars": {"1": "21E2", "2": "23SE2"}}).play({0: "1 FF", 1: "82 FF"})
start = game.start(seed=7)""",
    "stepper = Stepper(turn)\nstepper",
    "explorer = Explorer(start)\nexplorer",
    "predict = Predict(turn)\npredict",
    "board = Board(start)\nprint('A long sentence. ' * 20)\nboard",
    "Board(start, theme='projector', scale=0.5)",
    "arena = Arena(start, 'random', speed='turn by turn')\narena",
    "heat = Heat(start, limit=400)\nheat",
    "bluff = Bluff(crashlab.Duel.of([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]), steps=50)\nbluff",
    "poll = Predict(turn, poll=True)\npoll",
    "puzzle = Puzzle('autoscooter', file='rating.json')\npuzzle",
    "square = Explorer(crashlab.game('crash_by_crash').start(seed=1), you='A')\nsquare",
)
STEPPER, EXPLORER, PREDICT, BOARD, SMALL, ARENA, HEAT, BLUFF, POLL, PUZZLE, SQUARE = range(11)
SIZES = (1280, 800), (1920, 1080)
PANEL = "[...document.querySelectorAll('.crashlab-panel')].filter(p => !p.parentElement.closest('.jupyter-widgets'))"

# The lengths of a panel, in pixels of the page
MEASURE = f"""number => {{
    const panel = {PANEL}[number];
    panel.scrollIntoView({{block: 'start'}});
    const box = part => part?.getBoundingClientRect();
    const view = box(panel.closest('.jp-WindowedPanel-outer'));
    const [board, status] = ['.crashlab-board', '.crashlab-status'].map(name => box(panel.querySelector(name)));
    const side = panel.querySelector('.crashlab-side');
    const parts = [board, status, ...(side ? [box(side)] : [])];
    return {{
        whole: view.width, board: board.width, wide: panel.parentElement.clientWidth, high: board.height,
        free: view.height - status.height, view: view.height,
        all: Math.max(...parts.map(part => part.bottom)) - Math.min(...parts.map(part => part.top)),
        right: Math.max(...parts.map(part => part.right)) - box(panel.parentElement).left,
        hidden: side ? side.scrollHeight - side.clientHeight : 0,
        list: side ? Math.max(0, ...within(side, 'ol, ul, select[size]').map(part => box(part).height)) : 0,
        line: side ? box(side).width : 0,
        lines: (side ? within(side, 'li > button') : [])
            .filter(line => line.scrollWidth > line.clientWidth).map(line => line.innerText),
        words: panel.querySelector('.crashlab-status').scrollHeight
            - panel.querySelector('.crashlab-status').clientHeight,
        cut: [...panel.querySelectorAll('.crashlab-foot .jupyter-button, .crashlab-foot label')]
            .filter(part => part.scrollWidth > part.clientWidth || part.scrollHeight > part.clientHeight + 1)
            .map(part => part.innerText),
    }}; }}"""


@pytest.fixture(scope="module")
def notebooks(folder):
    (folder / "room.ipynb").write_text(notebook(CELLS))


@pytest.fixture(scope="module")
def page(browser):
    page = browser.open("room.ipynb", width=1280, height=800)
    page.run_all()
    yield page
    page.end()


def measured(page, number):
    """Return the lengths of a panel once they are stable."""
    lengths = None
    while lengths != (lengths := page.page.evaluate(MEASURE, number)):
        page.page.wait_for_timeout(150)
    return lengths


def set_up(page, size, files):
    """Set the size of the window, and show or hide the list of files."""
    page.page.evaluate("() => document.fullscreenElement && document.exitFullscreen()")  # after a failed test
    page.page.set_viewport_size({"width": size[0], "height": size[1]})
    page.page.evaluate("open => window.jupyterapp.shell[open ? 'expandLeft' : 'collapseLeft']()", files)
    page.page.wait_for_timeout(300)


# The size


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("files", (True, False))
def test_a_board_fills_the_room_and_all_that_is_needed_is_in_view(page, size, files, tmp_path):
    set_up(page, size, files)
    for number in (STEPPER, EXPLORER, PREDICT, BOARD):
        lengths = measured(page, number)
        page.page.screenshot(path=tmp_path / f"{number}.png")
        assert lengths["board"] >= 0.65 * lengths["wide"] or lengths["high"] >= 0.85 * lengths["free"], lengths
        assert lengths["all"] <= lengths["view"] and lengths["right"] <= lengths["wide"] + 1, lengths
        assert lengths["hidden"] <= 0, lengths  # the column needs no scrolling
        assert not lengths["cut"] and not lengths["lines"], lengths  # and no words are cut
        assert lengths["board"] >= 0.62 * lengths["whole"] or lengths["high"] >= 0.8 * lengths["view"], lengths
    for number in (STEPPER, EXPLORER):
        assert measured(page, number)["list"] >= 90
        assert measured(page, number)["line"] > (375 if size == (1920, 1080) else 240)


def fill_screen(page, number):
    page.page.wait_for_timeout(400)  # otherwise it is a double click
    measured(page, number)
    panel = page.page.locator(".crashlab-panel:not(.crashlab-panel .crashlab-panel)").nth(number)
    panel.locator(".crashlab-full").first.click()
    page.wait_for("() => document.querySelector('.crashlab-screen:popover-open')")
    page.page.wait_for_timeout(600)


def leave_screen(page):
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.crashlab-screen') && !document.fullscreenElement")


def test_a_poll_on_the_full_screen_is_read_from_the_last_row_with_the_button_that_goes_on(page, tmp_path):
    for size in SIZES:
        set_up(page, size, True)
        fill_screen(page, POLL)
        page.page.screenshot(path=tmp_path / f"poll {size[0]}.png")
        rows = page.page.evaluate("""() => within(document.querySelector('.crashlab-screen'),
            '.crashlab-poll > *, .crashlab-row button, .bar button, .crashlab-board, .crashlab-question b')
            .filter(part => part.checkVisibility({visibilityProperty: true}))
            .map(part => [part.getBoundingClientRect(), parseFloat(getComputedStyle(part).fontSize), part.innerText])
            .map(([box, size, words]) => [box.left, box.top, box.right, box.bottom, size, words])""")
        right, low = page.page.evaluate("() => [innerWidth, innerHeight]")
        boxes = [row[:4] for row in rows]
        assert all(0 <= box[0] < box[2] <= right and 0 <= box[1] < box[3] <= low for box in boxes), rows
        for place, one in enumerate(boxes):  # none covers another
            for other in boxes[place + 1 :]:
                assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1], rows
        assert sum("Show it" in row[5] for row in rows) == 1
        fonts = page.page.evaluate("""() => [...document.querySelectorAll(
            '.crashlab-screen .crashlab-poll input, .crashlab-screen .crashlab-poll .widget-html-content')]
            .filter(part => part.checkVisibility()).map(part => parseFloat(getComputedStyle(part).fontSize))""")
        assert fonts and min(fonts) >= 24
        leave_screen(page)


VERDICT = """() => { const all = document.querySelector('.crashlab-screen') ?? PANEL;
    const box = part => part.getBoundingClientRect();
    const verdict = all.querySelector('.crashlab-verdict');
    const parts = [verdict, ...within(all.querySelector('.crashlab-side'), 'button')]
        .filter(part => part.checkVisibility({visibilityProperty: true}));
    return {
        words: verdict.innerText, more: verdict.scrollHeight - verdict.clientHeight,
        type: parseFloat(getComputedStyle(verdict.querySelector('b')).fontSize),
        parts: parts.map(part => part.innerText || part.title), low: Math.max(...parts.map(part => box(part).bottom)),
        end: all.matches('.crashlab-screen') ? innerHeight : box(all.querySelector('.crashlab-side')).bottom + 1,
        all: all.innerText,
    }; }"""


def test_the_hands_of_a_poll_and_what_is_right_are_read_on_the_full_screen(page, tmp_path):
    for size in SIZES:
        set_up(page, size, True)
        fill_screen(page, POLL)
        while not page.python("poll.revealed"):
            page.python("poll.board.run_alone(poll.answer, [*range(3, 3 + len(poll.question.answers))])")
        page.python("poll.board.run_alone(poll.steps.jump, poll.steps.last)")
        page.page.wait_for_timeout(500)
        page.page.screenshot(path=tmp_path / f"hands {size[0]}.png")
        verdict = page.page.evaluate(VERDICT)
        number = page.python("len(poll.questions)")
        text, answers, right = page.python("[poll.question.text, poll.question.answers, poll.question.right]")
        assert f"{number}. {text}" in verdict["words"] and verdict["words"].count("✓") == 1, verdict
        assert all(f"{answer}: {3 + place}" in verdict["words"] for place, answer in enumerate(answers)), verdict
        assert 0 <= right < len(answers)
        assert "hands right" in verdict["words"] and verdict["type"] >= 24
        assert verdict["more"] <= 2 and verdict["low"] <= verdict["end"] and "Again" in verdict["parts"], verdict
        leave_screen(page)
        page.python("poll.board.run_alone(poll.begin)")


def test_the_verdict_on_a_puzzle_and_the_buttons_after_it_are_seen_at_once(page, tmp_path):
    set_up(page, (1280, 800), True)
    worst = "min(puzzle.problem.proof.worths, key=lambda words: puzzle.problem.proof.worths[words].value)"
    page.python(f"puzzle.board.run_alone(puzzle.answer, {worst})")
    page.expect(lambda: page.python("bool(puzzle.now.continuations)"), True)
    page.expect(lambda: page.python("puzzle.steps.beat == puzzle.steps.last"), True)
    measured(page, PUZZLE)
    page.page.screenshot(path=tmp_path / "puzzle.png")
    verdicts = [page.page.evaluate(VERDICT.replace("PANEL", f"{PANEL}[{PUZZLE}]"))]
    fill_screen(page, PUZZLE)
    page.page.screenshot(path=tmp_path / "puzzle full.png")
    verdicts.append(page.page.evaluate(VERDICT))
    leave_screen(page)
    assert verdicts[1]["type"] >= 24
    for verdict in verdicts:
        assert "Not the best. You chose" in verdict["words"] and "What is best?" not in verdict["all"], verdict
        assert verdict["more"] <= 2 and verdict["low"] <= verdict["end"], verdict
        assert {"Your answer", "The best", "Next puzzle"} <= {part.strip() for part in verdict["parts"]}, verdict


def test_on_a_phone_no_words_are_cut_and_no_keys_are_told(page, tmp_path):
    set_up(page, (412, 839), False)
    keys = page.page.get_by_text("Keys", exact=True).nth(1)
    assert keys.is_visible()
    touch = page.page.context.new_cdp_session(page.page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for number in (EXPLORER, SQUARE):
        assert measured(page, number)["words"] <= 0
    assert not keys.is_visible()
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    touch.detach()
    fill_screen(page, EXPLORER)
    page.page.screenshot(path=tmp_path / "phone.png")
    rows = page.page.evaluate("""() => within(document.querySelector('.crashlab-screen'),
        '.crashlab-row button, .bar button, .crashlab-question b, .crashlab-status div, .crashlab-board')
        .filter(part => part.checkVisibility({visibilityProperty: true}))
        .map(part => [part.getBoundingClientRect(), part.scrollWidth - part.clientWidth, part.innerText])
        .map(([box, more, words]) => [box.left, box.right, box.bottom, more, words])""")
    assert {"Undo"} <= {row[4].strip() for row in rows}
    assert all(row[0] >= 0 and row[1] <= 412 and row[2] <= 839 and row[3] <= 1 for row in rows), rows
    leave_screen(page)


def test_the_size_follows_the_window_and_the_list_of_files(page):
    set_up(page, (1280, 800), True)
    small = measured(page, EXPLORER)["board"]
    set_up(page, (1280, 800), False)
    large = measured(page, EXPLORER)["board"]
    set_up(page, (1280, 600), False)
    low = measured(page, EXPLORER)["board"]
    assert small < large > low
    set_up(page, (700, 800), True)  # too narrow for a column, which is then below
    assert 200 < measured(page, EXPLORER)["board"] <= measured(page, EXPLORER)["wide"]


def test_who_has_chosen_a_size_and_a_theme_keeps_them(page):
    set_up(page, (1920, 1080), False)
    assert measured(page, SMALL)["board"] == 380


def test_printed_sentences_break_between_words(page):
    """JupyterLab itself breaks them inside words."""
    printed = page.page.locator(".jp-OutputArea-output pre")
    assert printed.first.evaluate("text => getComputedStyle(text).wordBreak") == "normal"


def test_a_click_hits_at_any_size(page):
    for size in SIZES:
        set_up(page, size, False)
        measured(page, EXPLORER)
        for car, seat in ((3, 2), (2, 1), (1, 0)):
            spot = page.python(f"[*next((p.x, p.y) for p in explorer.board.picture.pieces if p.key == 'car {car}')]")
            page.page.wait_for_timeout(400)  # otherwise it is a double click
            page.click_canvas(EXPLORER, *spot, zoom=page.python("explorer.board.surface.zoom"))
            page.expect(lambda: page.python("explorer.now.seat"), seat)


# Places


def test_no_button_moves_while_a_round_is_played(page, tmp_path):
    set_up(page, (1280, 800), True)
    measured(page, EXPLORER)
    places = f"""() => {{ const panel = {PANEL}[{EXPLORER}], all = panel.getBoundingClientRect();
        return [...panel.querySelectorAll('.crashlab-foot .widget-gridbox > *')]
            .map(part => part.getBoundingClientRect())
            .map(box => [box.left - all.left, box.top - all.top, box.width, box.height].map(Math.round)); }}"""
    page.button("More", 0)
    page.page.get_by_text("Finish the round").first.wait_for()
    before = page.page.evaluate(places)
    assert len(before) >= 8
    for words in ("Agents plan the rest", "Run", "Agents play on", "Undo", "Ask"):
        page.page.locator(f"button:has-text('{words}') >> visible=true").first.click()
        page.page.wait_for_timeout(500)
        page.page.screenshot(path=tmp_path / f"{words}.png")
        assert page.page.evaluate(places) == before, words
    page.expect(lambda: page.python("explorer.awaited.busy"), False)
    page.python("explorer.board.run_alone(explorer.play_again)")  # so that nothing is planned for the tests below
    page.button("More", 0)
    page.wait_until_quiet()


PRESSED = {  # by panel: the buttons pressed in it, by title or text
    ARENA: ("One decision forward", "One decision forward", "Change players", "Play to the end", "One decision back"),
    HEAT: ("Stop", "Back"),
    BLUFF: ("To the end", "solution", "learning"),
}


@pytest.mark.parametrize("number", PRESSED)
def test_no_button_moves_while_others_are_pressed(page, number, tmp_path):
    set_up(page, (1280, 800), True)
    measured(page, number)
    places = f"""() => {{ const panel = {PANEL}[{number}], all = panel.getBoundingClientRect();
        return within(panel.querySelector('.crashlab-side'), 'button').filter(part => part.checkVisibility())
            .map(part => part.getBoundingClientRect())
            .map(box => [Math.round(box.left - all.left), Math.round(box.top - all.top)]); }}"""
    before = page.page.evaluate(places)
    assert len(before) >= 3
    if number == HEAT:
        page.python("heat.board.run_alone(heat.choose, 0)")  # so that Back is possible
    side = page.page.locator(".crashlab-panel:not(.crashlab-panel .crashlab-panel)").nth(number)
    for words in PRESSED[number]:
        side.locator(f"button[title^='{words}'], button:has-text('{words}')").first.click()
        page.page.wait_for_timeout(500)
        page.wait_until_quiet()
        page.page.screenshot(path=tmp_path / f"{words}.png")
        after = page.page.evaluate(places)
        assert [place for place in after if place in before] == before, words


def test_an_error_stands_beside_its_button_if_the_status_line_is_out_of_view(page):
    set_up(page, (1280, 800), True)
    measured(page, EXPLORER)
    page.python("explorer.board.run_alone(explorer.ask, explorer.state.actors[0])")
    page.button("More", 0)
    choose = page.page.locator("button:has-text('Run') >> visible=true").first
    page.page.wait_for_timeout(400)
    explorer = page.page.locator(".crashlab-panel:not(.crashlab-panel .crashlab-panel)").nth(EXPLORER)
    note, status = page.page.locator(".crashlab-said"), explorer.locator(".crashlab-status >> visible=true").first
    choose.click()
    page.expect(lambda: "still have to choose" in status.inner_text(), True)
    assert not note.count()  # the status line is in view
    page.key("Shift")
    choose.evaluate("part => part.scrollIntoView({ block: 'end' })")
    assert not status.is_hidden() and status.bounding_box()["y"] > 800 - 40
    page.page.wait_for_timeout(400)  # otherwise it is a double click
    choose.click()
    page.expect(note.count, 1)
    assert "still have to choose" in note.inner_text()
    button, words = choose.bounding_box(), note.bounding_box()
    apart = max(button["y"] - words["y"] - words["height"], words["y"] - button["y"] - button["height"])
    assert 0 <= apart < 20 and words["x"] < button["x"] + button["width"] and button["x"] < words["x"] + words["width"]
    page.key("Shift")  # any next action
    page.expect(note.count, 0)
    page.button("More", 0)


# The full screen

FULL = """() => { const all = document.querySelector('.crashlab-screen');
    const scroller = part => ['auto', 'scroll'].includes(getComputedStyle(part).overflowY)
        ? part : scroller(part.parentElement ?? part.getRootNode().host);
    if (!all) return null;
    const seen = within(all, 'canvas, button, select, input, .crashlab-status, .crashlab-question')
        .filter(part => part.checkVisibility({visibilityProperty: true}) && part.getBoundingClientRect().height);
    const rest = seen.filter(part => !part.closest('.crashlab-choices'));
    return {
        boxes: [...rest, ...within(all, '.crashlab-choices').map(scroller)]
            .map(part => part.getBoundingClientRect()).map(box => [box.left, box.top, box.right, box.bottom]),
        titles: seen.filter(part => part.matches('button:not(.crashlab-choices *)')).map(part => part.title),
        others: seen.filter(part => !['BUTTON', 'CANVAS'].includes(part.tagName)).map(part => part.className),
        type: parseFloat(getComputedStyle(all.querySelector('[role=status]')).fontSize),
        high: all.querySelector('canvas').getBoundingClientRect().height, wide: innerWidth, all: innerHeight,
        board: all.querySelector('canvas').getBoundingClientRect().width,
        words: all.querySelector('.crashlab-status').innerText,
        lists: within(all, '.crashlab-choices').filter(part => part.checkVisibility()).length,
    }; }"""
NEXT = [
    "To the beginning (Home)",
    "The crash before (C)",
    "One beat back (←)",
    "Play (space)",
    "One beat on (→)",
    "The next crash (c)",
    "To the end (End)",
    "What has happened, and why",
]
PHONES = ["Let a class answer by phone", "Let a class answer by show of hands"]
NAMED = ["Take the last step back"]  # the buttons named in the texts of an Explorer


@pytest.mark.parametrize("size", SIZES)
def test_on_the_full_screen_there_is_the_board_its_words_and_what_leads_on(page, size, tmp_path):
    set_up(page, size, True)
    film = NEXT if page.python("explorer.turn is not None") else []
    expected = {STEPPER: NEXT, EXPLORER: [*NAMED, *film], PREDICT: PHONES, BOARD: [], SQUARE: NAMED}
    for number, titles in expected.items():
        fill_screen(page, number)
        page.page.screenshot(path=tmp_path / f"{number}.png")
        screen = page.page.evaluate(FULL)
        assert screen["type"] >= 24 and screen["high"] >= 0.68 * screen["all"], screen
        is_small = size[0] < 1920
        assert screen["high"] >= (0.8 if is_small else 0.85) * screen["all"] or (
            is_small and screen["board"] >= 0.62 * screen["wide"]
        ), screen
        assert screen["titles"] == titles and ("in the list" in screen["words"]) <= screen["lists"], screen
        assert all(
            left >= 0 and top >= 0 and right <= screen["wide"] and low <= screen["all"]
            for left, top, right, low in screen["boxes"]
        ), screen
        leave_screen(page)


def test_the_keys_work_on_the_full_screen(page):
    set_up(page, (1280, 800), True)
    measured(page, STEPPER)
    page.click_canvas(STEPPER, 700, 300)
    page.python("stepper.board.run_alone(stepper.steps.jump, 0)")
    page.key("f")
    page.expect(lambda: bool(page.page.evaluate(FULL)), True)
    page.key("ArrowRight")
    page.expect(lambda: page.python("stepper.steps.beat"), 1)
    page.button("The next crash (c)")
    page.expect(lambda: page.python("stepper.steps.beat == stepper.steps.turn_story.stops[0]"), True)
    page.key("ArrowRight")  # even after a click on a button
    page.expect(lambda: page.python("stepper.steps.beat == stepper.steps.turn_story.stops[0] + 1"), True)
    page.key("f")
    page.expect(lambda: page.page.evaluate(FULL), None)


TWEEN = "__import__('crashlab').drawing.tween"


def test_on_the_full_screen_a_film_waits_until_it_can_be_read(page):
    set_up(page, (1280, 800), True)
    fill_screen(page, STEPPER)
    page.python("stepper.board.run_alone(stepper.steps.jump, 3)")
    read = page.python(f"{TWEEN}.reading(stepper.steps.story.words(4))")
    began = page.page.evaluate("() => performance.now()")
    page.key(" ")
    page.page.wait_for_function(
        """() => /^Beat 5/.test(document.querySelector('.crashlab-screen [role=status]').innerText)""", polling=20
    )
    assert page.page.evaluate("() => performance.now()") - began >= read > 3000
    page.key(" ")  # it stops at once
    page.expect(lambda: page.python("stepper.steps.page.playing"), False)
    leave_screen(page)


def test_on_the_full_screen_nobody_has_to_wait_for_the_next_beat(page):
    """Each beat of this film is held for longer than a test waits."""
    set_up(page, (1280, 800), True)
    fill_screen(page, STEPPER)
    page.python(f"[setattr({TWEEN}, 'BOUNDS', (10**6, 10**6)), stepper.board.run_alone(stepper.steps.load, turn)][:0]")
    page.python("stepper.board.run_alone(stepper.steps.jump, 3)")
    page.key(" ")
    page.expect(lambda: page.python("stepper.steps.beat"), 4)
    page.key("ArrowRight")
    page.expect(lambda: page.python("stepper.steps.beat"), 5)
    assert page.python("stepper.steps.page.playing")
    page.page.locator(".crashlab-screen").get_by_title("Go on (→)").click()
    page.expect(lambda: page.python("stepper.steps.beat"), 6)
    assert page.python("stepper.steps.page.playing")
    leave_screen(page)
    fill_screen(page, EXPLORER)  # where this key otherwise chooses
    page.python("[explorer.board.run_alone(explorer.run_round)][:0]")
    page.expect(lambda: page.python("explorer.steps.page.playing and explorer.steps.beat"), 1)
    page.key("ArrowRight")
    page.expect(lambda: page.python("explorer.steps.beat"), 2)
    assert page.python("explorer.steps.page.playing")
    page.python(f"[setattr({TWEEN}, 'BOUNDS', (1000, 5000)), explorer.board.run_alone(explorer.undo)][:0]")
    page.python("[stepper.board.run_alone(stepper.steps.load, turn)][:0]")
    leave_screen(page)


def test_while_a_film_plays_on_the_full_screen_its_events_have_the_room_of_the_answers(page, tmp_path):
    panel = page.page.locator(".crashlab-screen")
    answers, story = panel.locator(".crashlab-side > .crashlab-answers"), panel.locator(".crashlab-story")
    fold = panel.get_by_title("What has happened, and why")
    for size in SIZES:
        set_up(page, size, True)
        fill_screen(page, EXPLORER)
        page.python(f"[setattr({TWEEN}, 'BOUNDS', (10**6, 10**6)), explorer.board.run_alone(explorer.run_round)][:0]")
        page.expect(lambda: page.python("explorer.steps.page.playing and explorer.steps.beat"), 1)
        page.expect(story.is_visible, True)
        page.page.wait_for_timeout(300)
        page.page.screenshot(path=tmp_path / f"{size[0]}.png")
        room, events = answers.bounding_box(), story.bounding_box()
        assert all(abs(room[side] - events[side]) <= 4 for side in room), (room, events)
        lines = story.locator("li").all()
        assert len(lines) > 5 and lines[0].is_visible()
        assert page.page.evaluate("""() => within(document.querySelector('.crashlab-screen .crashlab-story'), 'li')
            .every(line => line.scrollWidth <= line.clientWidth)""")
        assert (answers.is_visible(), fold.is_visible()) == (False, False)
        page.key("End")
        page.expect(answers.is_visible, True)
        assert (story.is_visible(), fold.is_visible()) == (False, True)
        page.python(f"[setattr({TWEEN}, 'BOUNDS', (1000, 5000)), explorer.board.run_alone(explorer.undo)][:0]")
        leave_screen(page)


def test_where_the_full_screen_is_refused_the_panel_fills_the_window(page):
    set_up(page, (1280, 800), True)
    page.page.evaluate("""() => { Element.prototype.kept = Element.prototype.requestFullscreen;
        Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('no')); }""")
    fill_screen(page, BOARD)
    screen = page.page.evaluate(FULL)
    assert not page.page.evaluate("() => document.fullscreenElement") and screen["high"] >= 0.68 * screen["all"], screen
    leave_screen(page)
    page.page.evaluate("() => { Element.prototype.requestFullscreen = Element.prototype.kept; }")


# Theme and accessibility


def test_a_board_has_jupyterlabs_theme_and_carries_its_words(page, tmp_path):
    set_up(page, (1280, 800), True)
    change = "name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})"
    for theme in ("dark", "light", "dark"):
        page.page.evaluate(change, f"JupyterLab {theme.capitalize()}")
        for number, name in ((STEPPER, "stepper.board"), (EXPLORER, "explorer.board"), (BOARD, "board")):
            page.page.evaluate(MEASURE, number)  # panels out of sight are updated once they are visible
            page.expect(lambda name=name: page.python(f"{name}.theme"), theme)
    page.wait_until_quiet()
    page.page.screenshot(path=tmp_path / "dark.png")
    canvas = page.canvases()
    for number, role in ((STEPPER, "application"), (EXPLORER, "application"), (BOARD, "img")):
        assert canvas.nth(number).get_attribute("role") == role
        label, status = canvas.nth(number).evaluate(
            """canvas => [canvas.getAttribute('aria-label'),
                canvas.closest('.crashlab-panel').querySelector('.crashlab-status').textContent.trim()]"""
        )
        assert label and label == status
