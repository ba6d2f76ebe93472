"""The widgets in JupyterLab in Chromium, as readers use them. Screenshots go to each test's tmp_path."""

import shutil
from base64 import b64decode
from io import BytesIO

import pytest
from checkout import ROOT
from PIL import Image, ImageChops

pytest.importorskip("playwright")

from lab_in_chromium import MOST_NOTEBOOKS, NOTEBOOK, notebook

pytestmark = pytest.mark.chromium

NOTEBOOKS = ROOT / "notebooks"
WIDGETS, FIRST = "widgets.ipynb", "00_start_here.ipynb"
CELLS = (
    """import crashlab
from crashlab.lab import Board, Explorer, Predict, Stepper
from crashlab.games.autoscooter.state import CELL_AT
from crashlab.games.autoscooter.render import CENTRES
game = crashlab.game("autoscooter")
state = game.read({"cars": {"1": "21E2", "2": "23SE2"}})
turn = state.play({0: "1 FF", 1: "82 FF"})""",
    "stepper = Stepper(turn)\nstepper",
    "explorer = Explorer(game.start(seed=7))\nexplorer",
    "predict = Predict(turn)\npredict",
    "Board(state, theme='dark', scale=0.5)",
)
STEPPER, EXPLORER, PREDICT = range(3)
# The other widgets, drawn on the same page, and again after a reload.
OTHERS = (
    """from crashlab.lab import Arena, Bluff, Guess, Heat, League, Puzzle, Rules, Watch
start = game.start(seed=7)
def spread(numbers):
    total = 0
    for number in numbers:
        total += number
    return total""",
    "Arena(start, 'random')",
    "Heat(start, limit=400)",
    "Bluff(crashlab.Duel.of([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]), steps=50)",
    "Predict(turn, poll=True)",
    "Puzzle('autoscooter', file='rating.json')",
    "Explorer(crashlab.game('crash_by_crash').start(seed=1), you='A')",
    "watch = Watch(spread, [3, 4, 5])\nwatch",
    "Guess('What share?', ['front', 'rear', 'side'], [21, 9, 70])",
    "Rules(game)",
)

# Notebooks with one widget each, in their second cell
ALONE = {
    "arena.ipynb": (
        "import crashlab\nfrom crashlab.lab import Arena",
        "arena = Arena(crashlab.game('autoscooter'), {0: 'greedy'}, seed=3)\narena",
    ),
    "growing.ipynb": (
        "import crashlab\nfrom crashlab.lab import Arena",
        "arena = Arena(crashlab.game('crash_city', players=2), seed=5)\narena",
    ),
    "heat.ipynb": (
        "import crashlab\nfrom crashlab.lab import Heat",
        "heat = Heat(crashlab.game('autoscooter').start(7), precision=0.0, limit=10**9)\nheat",
    ),
    "figure.ipynb": (
        """import time
import matplotlib.pyplot as plt
import crashlab
from crashlab.lab import Arena
messages = []
get_ipython().events.register("pre_execute", lambda: messages.append(1))""",
        """arena = Arena(crashlab.game('autoscooter'), seed=3)
arena""",
        """figure, axes = plt.subplots(figsize=(3, 2))
arena.board.say("A figure is drawn meanwhile.")  # once a cell has spoken to the page, too
enough, patience = len(messages) + 5 * arena.work.busy, time.monotonic() + 300
while len(messages) < enough and time.monotonic() < patience:
    time.sleep(0.02)
axes.barh([0], [1], color="#d55e00")""",
    ),
    "far.ipynb": (
        CELLS[0],
        "stepper = Stepper(turn)\nstepper",
    ),
    "guess.ipynb": (
        """import crashlab
from crashlab.lab import Guess, Predict
game = crashlab.game("autoscooter")
turn = game.read({"cars": {"1": "21E2", "2": "23SE2"}}).play({0: "1 FF", 1: "82 FF"})
def spot(place, value):
    return [guess.sketch.middle(place), guess.sketch.up(value)]""",
        "guess = Guess('What share of all crashes?', ['front', 'rear', 'side'], [21, 9, 70], unit=' %')\nguess",
        "poll = Predict(turn, poll=True)\npoll",
        "funnel = Guess('How wide?', [100, 200, 400, 800], [8, 6, 4, 3], drawn='funnel', most=12, step=1)\nfunnel",
    ),
    "bluff.ipynb": (
        "from crashlab.analysis.matrix_game import Duel\nfrom crashlab.lab import Bluff",
        "bluff = Bluff(Duel.of([[0, -1, 1], [1, 0, -2], [-1, 2, 0]]), theme='dark')\nbluff",
    ),
}

CRASH_AND_GRAB = (
    """import crashlab
from crashlab.lab import Explorer, Predict, Stepper
game = crashlab.game("crash_and_grab", players=3)
saucers = {"red": "10 3>", "green": "12 2v", "blue": "14 2^"}
state = game.read({"tiles": ["1A0", "2B0", "3A0", "4A0"], "saucers": saucers, "phase": "rotation", "probe": "A",
                   "upgrades": {"Airlock": "green"}})
turn = state.play("clockwise")
def piece(key):
    return next([p.x, p.y] for p in explorer.board.picture.pieces if p.key == key)""",
    "stepper = Stepper(turn)\nstepper",
    "explorer = Explorer(state)\nexplorer",
    "predict = Predict(turn)\npredict",
)

# A turn of A: a car that hits an orange one, the operator, and a card to draw.
CRASH_BY_CRASH = (
    """import crashlab
from crashlab.lab import Explorer
game = crashlab.game("crash_by_crash")
state = game.read("turn 3; asked A; blue 6.4; orange 6.6; operator 10.5; bells 1.3 1.8 4.11 13.8 10.11 10.1; "
                  "hands A Lambada Shady, B Ride Hit Tandem; display Racket Saboteur Charms")
def said():
    return [[plan.words, str(plan.action)] for plan in explorer.now.plans.values()]
def place(word):
    return next([choice.x, choice.y] for choice in explorer.choices() if choice.word == word)""",
    "explorer = Explorer(state)\nexplorer",
)

# A small city to be built, and one in which A drives into B.
CRASH_CITY = (
    """import crashlab
from crashlab.lab import Explorer, Stepper
game = crashlab.game("crash_city", players=2)
building = game.read("asked A; tiles 1,0 NS factory B")
row = " / ".join(f"{x},0 NS" for x in range(1, 14))
racing = game.read(f"asked A; tiles {row} / 14,0 NES shop B / 14,1 S; cars A 11,0N>E 1,0N>E / B 13,0N>W")
def shown(panel, x, y):
    return panel.board.lens.at(x, y) if panel.board.lens.map.holds(x, y) else [x, y]
def place(panel, word):
    return next(list(shown(panel, c.x, c.y)) for c in panel.choices() if c.word.split()[-1] == word)""",
    "builder = Explorer(building)\nbuilder",
    "racer = Explorer(racing)\nracer",
    "stepper = Stepper(racing.play({0: 'drive A1 13,0N'}))\nstepper",
)

# A game in which the reader is A.
KEYS = (
    "import crashlab\nfrom crashlab.lab import Explorer\nstart = {}",
    "explorer = Explorer(start, 'random', you='A')\nexplorer",
)

# A cell that is run repeatedly, and one that shows its result.
AGAIN = (
    """import crashlab
from crashlab.lab import Explorer, Stepper, page_module
from ipywidgets.widgets import widget
def models():
    return len(widget._instances) - len(page_module._shared)  # shared layouts are kept
game = crashlab.game("autoscooter")
turn = game.start(7).sample(crashlab.Random(1))""",
    "explorer = Explorer(game.start(7), animate=False)\nexplorer",
    "Stepper(turn)",
    "explorer",
)


@pytest.fixture(scope="module")
def notebooks(folder):
    shutil.copy(NOTEBOOKS / FIRST, folder)
    by_name = {WIDGETS: CELLS + OTHERS, "crash_and_grab.ipynb": CRASH_AND_GRAB, "crash_by_crash.ipynb": CRASH_BY_CRASH}
    by_name |= {f"keys_{name}.ipynb": (KEYS[0].format(start), KEYS[1]) for name, (start, _) in ROUNDS.items()}
    by_name |= {"crash_city.ipynb": CRASH_CITY, "again.ipynb": AGAIN, **ALONE}
    for name, cells in by_name.items():
        (folder / name).write_text(notebook(cells))


@pytest.mark.slow
def test_the_widgets_are_clicked_stepped_and_reloaded(opened, tmp_path):
    page = opened(WIDGETS)
    every_widget_is_drawn(page)
    step(page)
    explore(page)
    predict(page)
    page.page.screenshot(path=tmp_path / "widgets.png", full_page=True)
    come_back(page)


def every_widget_is_drawn(page):
    panels = page.page.locator(".crashlab-panel:not(.crashlab-panel .crashlab-panel)")
    page.expect(panels.count, len(CELLS + OTHERS) - 2)  # except the first cells of both
    for panel in panels.all():
        page.expect(lambda panel=panel: bool(panel.text_content().strip()), True)
    page.expect(lambda: [words_beside(page, n) for n in range(page.canvases().count()) if page.colours(n, 7) <= 5], [])


def words_beside(page, number):
    """Return the words of the panel of a canvas, which say what went wrong."""
    return page.canvases().nth(number).evaluate("canvas => canvas.closest('.crashlab-panel')?.innerText ?? ''")


def step(page):
    """Step through the turn with buttons, keys, the slider and the list, which send no pictures."""
    python(page, "stepper.steps.page.ready", True)
    waits = []
    for _ in range(7):
        count = page.python("stepper.board.page.pictures")
        page.button("One beat on")
        waits.append(page.expect_paint())
        page.wait_until_quiet()
        assert page.python("stepper.board.page.pictures") == count
    assert page.python("stepper.steps.beat") == 7
    page.expect_status(STEPPER, "Beat 7")
    print("click to repaint, milliseconds:", [round(wait) for wait in waits])
    page.click_canvas(STEPPER, 700, 300)
    page.key("ArrowLeft")
    page.expect_paint()
    page.expect_status(STEPPER, "Beat 6")
    page.page.get_by_role("slider", name="Beat").first.press("ArrowRight")
    page.expect_status(STEPPER, "Beat 7")
    page.page.locator("ol button").nth(4).click()
    rule = page.python("turn.events[4].rule")
    page.expect(lambda: rule in page.page.locator(".why").first.inner_text(), True)
    page.wait_until_quiet()
    page.button("Play")
    python(page, "stepper.steps.beat == stepper.steps.last", True)  # by itself
    python(page, "stepper.steps.page.playing", False)
    wait_long_between_beats(page, "stepper")
    page.button("Play")
    python(page, "[stepper.steps.page.playing, stepper.steps.beat < 2]", [True, True])
    page.page.wait_for_timeout(600)  # otherwise it is a double click
    page.button("Pause")
    python(page, "stepper.steps.page.playing", False)


# A slow connection: each message to or from the kernel takes `far` milliseconds.
FAR = """
window.far = 0;
const late = async (before, act) => {
    const due = new Promise(later => setTimeout(later, window.far));
    await before.catch(() => {}); // in the order in which they were sent
    await due;
    act(); };
window.WebSocket = class extends WebSocket {
    sent = Promise.resolve();
    heard = Promise.resolve();
    send(data) { this.sent = late(this.sent, () => super.send(data)); }
    set onmessage(hear) {
        super.onmessage = event => { this.heard = late(this.heard, () => hear.call(this, event)); }; }
};
"""
PAUSE = """() => new Promise(paused => {  // once the second beat or a later one is visible
    const parts = document.querySelector('.crashlab-steps > div').shadowRoot;
    const button = parts.querySelector('.play');
    const board = document.querySelector('.crashlab-board');
    const seen = () => parts.querySelector('.count').innerText.split(' ')[0];
    const stood = new Set(); // the frames shown until the kernel has received the pause
    const look = () => {
        stood.add(seen() + board.toDataURL());
        if (button.title.includes('Pause')) requestAnimationFrame(look);
        else paused([seen(), stood.size]); };
    const wait = () => {
        if (!(parseInt(seen()) > 1)) return requestAnimationFrame(wait);
        button.click();
        requestAnimationFrame(() => requestAnimationFrame(look)); };
    wait(); })"""


def test_a_film_that_is_paused_far_from_the_kernel_stands_at_the_beat_that_was_seen(opened, tmp_path):
    page = opened("far.ipynb")
    page.page.add_init_script(FAR)
    page.notebooks = MOST_NOTEBOOKS  # no other test may use this page
    page.reload()
    page.run_all()
    page.page.evaluate("() => { window.far = 450; }")
    page.button("Play")
    beat, pictures = page.ask(PAUSE)
    assert pictures == 1
    page.page.evaluate("() => { window.far = 0; }")
    page.expect_status(0, f"Beat {beat} ")
    python(page, "stepper.steps.beat", int(beat))
    page.page.screenshot(path=tmp_path / "paused.png")
    page.button("One beat on")
    python(page, "stepper.steps.beat", int(beat) + 1)


def wait_long_between_beats(page, panel):
    """Slow the film down, so that a beat in its middle can be examined."""
    page.python(f"{panel}.steps.pace({{'normal': 10**6}})")


def explore(page):
    """Click a car, choose its plot on the board, leave the rest to agents, run the round and undo it."""
    spot = page.python("CENTRES[CELL_AT[(2, 4)]]")
    page.click_canvas(EXPLORER, *spot)
    page.expect_paint()
    page.wait_for("() => document.querySelectorAll('.crashlab-status')[1].innerText.includes('Car 3')")
    for _ in range(2):
        choice = page.python("[(c.x, c.y) for c in explorer.choices()][2]")
        page.click_canvas(EXPLORER, *choice)
        page.expect_paint()
        page.wait_after_click()
    assert page.python("str(explorer.now.plans[2].action)").endswith(" F")
    page.button("More")
    page.button("Agents plan the rest")
    page.expect_paint()
    page.wait_after_click()
    page.button("Run")
    page.expect_paint()
    page.wait_after_click()
    page.button("Agents play on")
    page.expect_status(EXPLORER, "C still has to choose")  # the planner of the first car also plans the second
    page.button("Agents plan the rest")
    python(page, "explorer.now.missing", [])
    page.wait_after_click()
    wait_long_between_beats(page, "explorer")
    page.button("Agents play on")
    page.expect_status(EXPLORER, "Beat ")
    assert page.python("explorer.state.round") == 2
    choose = page.page.locator(".crashlab-choices").first
    assert not choose.is_visible()  # no choices of the next round before the film has ended
    page.canvases().nth(EXPLORER).focus()
    page.key("Enter")  # any key ends the film
    page.expect_status(EXPLORER, "A. Car 1: choose where it drives")
    page.expect(choose.is_visible, True)
    page.button("Undo")
    python(page, "explorer.state.round", 1)
    page.wait_until_quiet()
    page.button("Change the position")
    page.wait_for("() => document.body.innerText.includes('Car 1: click where')")
    page.click_canvas(EXPLORER, *page.python("CENTRES[CELL_AT[(3, 2)]]"))
    python(page, "explorer.state.cars[1].hex", [3, 2])
    page.button("Change the position")
    page.page.locator("button:has-text('The position as text') >> visible=true").first.press("Enter")
    page.page.locator("textarea >> visible=true").first.fill("round 99")
    page.button("Set up this position")
    page.wait_for("() => document.body.innerText.includes('Nothing has changed')")
    page.wait_after_click()
    page.page.locator("textarea >> visible=true").first.fill(page.python("turn.after.text"))
    page.button("Set up this position")
    python(page, "explorer.state == turn.after", True)
    page.click_canvas(EXPLORER, 400, 260)
    place = f"document.querySelectorAll('.crashlab-board')[{EXPLORER}].compareDocumentPosition(document.activeElement)"
    page.key("Tab")  # to the element after the board, and back
    follows = f"{place} & Node.DOCUMENT_POSITION_FOLLOWING"
    page.wait_for(f"() => {follows} && !({place} & Node.DOCUMENT_POSITION_CONTAINED_BY)")
    page.key("Shift+Tab")
    page.wait_for(f"() => {place} === 0 || {place} & Node.DOCUMENT_POSITION_CONTAINED_BY")


def predict(page):
    """Answer questions on the board, in the list and with the keyboard, and watch the board play the turn."""
    page.click_canvas(PREDICT, *page.python("predict.board.lens.at(*predict.question.places[0])"))
    page.page.get_by_text("Question 2 of").wait_for()
    page.take(page.python("predict.question.answers[1]"))
    page.page.get_by_text("Question 3 of").wait_for()
    while not page.python("predict.revealed"):
        answers = page.python("len(predict.now.answers)")
        page.click_canvas(PREDICT, 5, 5)
        page.key("ArrowDown")
        page.key("Enter")
        python(page, "len(predict.now.answers)", answers + 1)
    page.expect_paint()
    page.button("To the end", 1)
    page.page.get_by_text(f"of {page.python('len(predict.questions)')} right.").wait_for()


def come_back(page):
    """Reload the page: the kernel restores the pictures, and the widgets work."""
    page.wait_until_quiet(1500)
    before = pictures(page)[:4]
    page.save()
    page.reload()
    page.canvases().nth(3).wait_for()
    every_widget_is_drawn(page)
    page.expect(lambda: [how_far(*pair) < 40 for pair in zip(before, pictures(page)[:4], strict=True)], [True] * 4)
    page.button("To the beginning")
    page.expect_paint()
    page.wait_until_quiet()
    page.button("One beat on")
    page.expect_paint()
    page.expect_status(STEPPER, "Beat 1")


def pictures(page):
    """Return the pictures on the canvases."""
    images = [canvas.evaluate("canvas => canvas.toDataURL().split(',')[1]") for canvas in page.canvases().all()]
    return [Image.open(BytesIO(b64decode(picture))).convert("RGB") for picture in images]


def how_far(one, other):
    """Return the largest difference of two pictures, up to 255, averaged over squares of 16 pixels."""
    return max(most for _, most in ImageChops.difference(one.reduce(16), other.reduce(16)).getextrema())


AS_PNG = """
import base64, dataclasses, io
from crashlab.drawing import png, shapes
from crashlab.lab.playback import layered
def silent(some):
    return tuple(shape for shape in some if not isinstance(shape, shapes.Text))
def as_png(panel):
    picture, marks, top, _ = panel.board.page._shown
    pieces = tuple(dataclasses.replace(piece, shapes=silent(piece.shapes)) for piece in picture.pieces)
    picture = dataclasses.replace(picture, board=silent(picture.board), pieces=pieces)
    panel.board.page.draw(picture, silent(marks), silent(top), panel.board.lens)
    whole, out = dataclasses.replace(picture, pieces=tuple(layered(picture, silent(marks), silent(top)))), io.BytesIO()
    png.rendered(whole, panel.board.theme, panel.board.scale).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()
"""


def painted_as_png_paints(page, number, panel):
    """Check that the page paints a board like the kernel's PNG, except for edges and the font."""
    page.python(f"exec({AS_PNG!r}, globals())")
    page.python(f"{panel}.board.run_alone({panel}.board.let_go)")
    expected = Image.open(BytesIO(b64decode(page.python(f"as_png({panel})")))).convert("RGB")
    page.wait_until_quiet(1000)
    page.expect(lambda: how_far(expected.resize((actual := pictures(page)[number]).size), actual) < 60, True)


def python(page, expression, expected):
    """Wait until an expression has this value in the kernel."""
    page.expect(lambda: page.python(expression), expected)


@pytest.mark.slow
def test_agents_are_watched_paused_and_gone_back_to(opened):
    page = opened("arena.ipynb")
    page.button("Play")
    python(page, "arena.now.place > 1 and arena.steps.beat > 0", True)  # from one decision to the next, and into it
    page.button("Pause")
    python(page, "arena.work.busy", False)
    if not page.python("arena.steps.beat"):  # it reached the next decision before the pause
        page.button("One beat on")
        python(page, "arena.steps.beat", 1)
    where = "[arena.board.page.pictures, arena.now.place, arena.steps.beat]"
    paused = page.python(where)
    page.wait_until_quiet(1200)
    assert page.python(where) == paused
    page.button("One beat back")
    python(page, "arena.steps.beat", paused[2] - 1)
    messages, *_ = page.python(where)
    page.button("One beat on")
    python(page, where, [messages, *paused[1:]])  # the page draws it
    page.page.get_by_title("The speed of play", exact=True).select_option("turn by turn")
    page.button("Play")
    python(page, "arena.now.place > 3", True)
    page.button("Play to the end")
    page.wait_for("() => document.querySelector('.crashlab-status').innerText.includes('The game is over')")
    assert page.python("arena.now.place") == 22
    assert page.page.locator("svg:has-text('Score') polyline").count() > 8
    page.click_canvas(0, 700, 300)
    page.key("ArrowLeft")
    page.expect_paint()
    python(page, "arena.now.place", 21)
    page.key("Home")
    page.expect_status(0, "The start")
    page.button("Change players")
    page.page.get_by_label("B", exact=True).select_option("greedy")
    page.button("New game")
    page.expect(lambda: page.page.locator("td:has-text('greedy')").count(), 2)


@pytest.mark.slow
def test_a_figure_that_takes_a_while_is_whole_though_widgets_send_messages(opened):
    page = opened("figure.ipynb")
    page.button("Play")
    python(page, "arena.work.busy and arena.steps.beat > 0", True)
    page.run_cell(2)
    assert page.python("len(messages) >= enough")
    pictures = page.page.evaluate(
        f"""() => {NOTEBOOK}.content.model.toJSON().cells[2].outputs.map(output => output.data['image/png'])
            .filter(picture => picture)"""
    )
    assert len(pictures) == 1
    with Image.open(BytesIO(b64decode(pictures[0]))) as picture:
        counts = {colour: count for count, colour in picture.convert("RGB").getcolors(1 << 16)}
    assert counts.get((0xD5, 0x5E, 0x00), 0) > 1000  # the bar, drawn last
    page.button("Pause")
    page.wait_until_quiet(700)


@pytest.mark.slow
def test_a_heat_refines_while_it_is_clicked(opened):
    page = opened("heat.ipynb")
    python(page, "heat.now.playouts > 500", True)  # by itself
    assert page.page.locator("svg:has-text('lead over the average')").count() == 1
    place = page.python("next([b.choice.x, b.choice.y] for b in heat.branches if b.choice.word == 'FL')")
    page.click_canvas(0, *place)
    python(page, "heat.now.words", ["FL"])
    page.expect_status(0, "11 choices")
    listed = page.page.get_by_label("Choices, the best first").locator("button")
    page.expect(listed.count, 11)
    page.button("Stop")
    page.expect(page.page.get_by_text("playouts, stopped").count, 1)
    python(page, "heat.work.busy", False)
    page.wait_until_quiet(700)
    stopped = page.python("heat.now.playouts")
    listed.nth(2).focus()
    page.key("ArrowDown")
    page.expect_status(0, "4 of 11")
    page.click(listed.nth(3))
    page.expect_status(0, "playouts. ")
    assert page.python("heat.now.playouts") == stopped
    page.button("Go on")
    python(page, f"heat.now.playouts > {stopped}", True)
    car = page.python("next([p.x, p.y] for p in heat.board.picture.pieces if p.key == 'car 3')")
    page.click_canvas(0, *car)
    page.page.get_by_text("C decides on car 3").wait_for()
    python(page, "[heat.now.seat, heat.now.words, heat.now.playouts > 200]", [2, [], True])
    page.save()
    page.reload()
    page.canvases().first.wait_for()
    page.expect_colours(0, 20)
    page.button("Stop")
    page.wait_until_quiet(700)


@pytest.mark.slow
def test_what_goes_on_stops_when_its_cell_is_run_again(opened):
    page = opened("heat.ipynb")
    page.python("exec('old, heat.limit, heat.precision = heat, 10**9, 0.0')")
    page.run_all()
    python(page, "[old is heat, old.work.busy, heat.work.busy]", [False, False, True])


@pytest.mark.slow
def test_in_a_fast_arena_the_city_grows_at_once(opened):
    """A report of an earlier beat by the page must not stop the play."""
    page = opened("growing.ipynb")
    page.button("Play")
    python(page, "arena.state.phase", "race")
    assert page.python("arena.now.place") > 100
    page.python("arena.board.run_alone(arena.pause)")
    page.wait_until_quiet(700)


@pytest.mark.slow
def test_a_bluff_is_followed_to_its_solution(opened):
    page = opened("bluff.ipynb")
    page.expect_status(0, "After 1 of 2,000 steps")
    page.button("Play")
    python(page, "bluff.now > 4", True)
    page.button("solution")
    page.expect_status(0, "The solution: row wins +0.000")
    page.wait_until_quiet(700)
    page.expect_status(0, "The solution")
    page.click_canvas(0, *page.python("bluff.story.grid.middle(1, 2)"))
    page.expect_status(0, "row 2 against column 3: -2 for row")
    page.key("End")
    page.expect_paint()
    page.button("learning")
    page.expect_status(0, "After 2,000 of 2,000 steps")
    page.click_canvas(0, 300, 20)
    page.key("ArrowLeft")
    python(page, "bluff.now == bluff.story.beats - 1", True)


@pytest.mark.slow
def test_a_game_of_decisions_one_by_one_is_stepped_clicked_and_predicted(opened, tmp_path):
    """Red hits green, green hits blue, blue flies over an accelerator off the board (CG-M3, CG-M4)."""
    page = opened("crash_and_grab.ipynb")
    for number in range(3):
        page.expect_colours(number, 20)
    follow_a_chain(page)
    decide_one_by_one(page)
    page.page.screenshot(path=tmp_path / "explorer.png")
    answer_where_saucers_stop(page)


def follow_a_chain(page):
    """Step through the blows, each in a beat of its own drawn by the page."""
    python(page, "stepper.steps.page.ready", True)
    lines = []
    for _ in range(page.python("stepper.steps.last")):
        count = page.python("stepper.board.page.pictures")
        page.button("One beat on")
        page.expect_paint()
        page.wait_until_quiet(200)
        assert page.python("stepper.board.page.pictures") == count
        lines.append(page.status(STEPPER))
    order = [
        next(place for place, words in enumerate(lines) if phrase in words)
        for phrase in ("red hits green", "green hits blue", "blue crashes off the board")
    ]
    assert order == sorted(set(order)), lines
    painted_as_png_paints(page, STEPPER, "stepper")


def decide_one_by_one(page):
    """Read a card's rule, run chance, and make all decisions of the first saucer's turn on the board."""
    page.click_canvas(EXPLORER, *page.python("piece('upgrade 20')"))
    page.expect_status(EXPLORER, "green: Airlock [CG-U20]. When the saucer picks up a crewmember")
    page.page.wait_for_timeout(400)
    prompts, clicks = [], 0
    while page.python("explorer.state.table.acted[1]") == 0 and clicks < 30:
        prompts.append(page.python("explorer.board.picture.words.split('. ')[1]"))
        if page.python("explorer.state.actors == (-1,)"):
            page.button("Run")
        else:
            page.click_canvas(EXPLORER, *page.python("[[c.x, c.y] for c in explorer.choices()][-1]"))
        page.expect_paint()
        see_to_the_end(page, "explorer", 1)
        page.page.wait_for_timeout(400)
        clicks += 1
    assert page.python("explorer.error is None") and clicks < 30, prompts
    assert page.python("explorer.state.saucers['blue'].space is None")
    assert any("buy an upgrade" in words for words in prompts)


def see_to_the_end(page, panel, place):
    """Press the button to the end, unless the film has ended by itself."""
    button = page.page.get_by_title("To the end (End)").locator("visible=true").nth(place)
    page.expect(lambda: page.python(f"{panel}.steps.seen") or (button.is_enabled() and page.press(button)), True)


def answer_where_saucers_stop(page):
    """Answer the first question on the board: red stops where green was."""
    page.page.get_by_text("Where does red stop?").first.wait_for()
    spot = page.python("predict.question.places[predict.question.answers.index('1,2')]")
    page.click_canvas(PREDICT, *spot)
    page.python("[predict.board.run_alone(predict.answer, 0) for _ in predict.questions[1:]] and None")
    page.expect_paint()
    see_to_the_end(page, "predict", 2)
    page.page.get_by_text("✓ Right: 1,2.").wait_for()


@pytest.mark.slow
def test_a_turn_of_crash_by_crash_is_clicked(opened, tmp_path):
    """A pushes a car two cells with a battery (CB-P2), moves the operator (CB-O1) and draws a card (CB-T4)."""
    page = opened("crash_by_crash.ipynb")
    page.expect_colours(0, 20)
    page.button("More")
    page.page.get_by_title("An action in notation").fill("play Shady")
    page.key("Enter")
    page.expect_status(0, "(CB-K8)")
    page.page.get_by_text("CB-K8 Shady Exception").first.wait_for()  # the rule itself
    decide(page, ["car", "6.5", "E", "+1"], "car 6.5 E +1")
    page.page.screenshot(path=tmp_path / "pushed.png")
    assert page.python("explorer.state.to_dict()['orange']['cars'][0]") == [6, 8]
    assert page.python("explorer.state.to_dict()['blue']['batteries']") == 3
    decide(page, ["walk", "E", "NE", "stop"], "walk E NE")
    assert page.python("explorer.state.to_dict()['operator']") == [9, 6]
    decide(page, ["take Saboteur"], "take Saboteur")
    assert "Saboteur" in page.python("explorer.state.to_dict()['hands']['A']")
    page.expect_status(0, "B. What is your first action?")  # chance has turned a card up
    assert page.python("'(CB-K8)' in str(explorer.error)")  # no other error followed


def decide(page, words, action):
    """Click these words one after another, run the action, and see its film to the end."""

    for word in words:
        before = page.python("[said(), explorer.state.text]")
        page.page.wait_for_timeout(400)  # sooner, it would be a double click
        page.click_canvas(0, *page.python(f"place({word!r})"))
        page.expect(lambda before=before: page.python("[said(), explorer.state.text]") != before, True)
    page.expect(lambda: page.python("[str(turn.actions.get(0)) for turn in explorer.now.turns][:1]"), [action])
    see_to_the_end(page, "explorer", 0)


BUILDER, RACER, FILM = range(3)


@pytest.mark.slow
def test_a_city_is_built_raced_through_and_looked_at_from_nearer(opened, tmp_path):
    page = opened("crash_city.ipynb")
    for number in range(3):
        page.expect_colours(number, 20)
    build(page)
    page.page.screenshot(path=tmp_path / "built.png")
    crash(page)
    page.page.screenshot(path=tmp_path / "crash.png")
    look_around(page)
    follow_the_crash(page)


def take(page, number, word):
    """Click a choice where the map shows it, and wait for the repaint."""
    panel = ("builder", "racer")[number]
    page.wait_after_click()
    page.wait_until_quiet()
    page.click_canvas(number, *page.python(f"place({panel}, {word!r})"))
    page.expect_paint()
    page.page.wait_for_timeout(100)


def run(page, number, phase):
    """Wait until the game has reached a phase and its film has ended."""
    panel = ("builder", "racer")[number]
    python(page, f"{panel}.state.table.phase[0]", phase)
    python(page, f"{panel}.steps.beat == {panel}.steps.last", True)


def build(page):
    """Choose a site, turn the tile that chance draws, and add a building and a car (CC-B2 to CC-B6)."""
    page.button("More", BUILDER)
    page.button("Who plays")
    page.page.get_by_text("a click plays").locator("visible=true").first.click()
    python(page, "builder.acts.value", False)
    take(page, BUILDER, "2,0")
    page.button("Run", BUILDER)
    run(page, BUILDER, 1)
    page.take("tile U", BUILDER)
    python(page, "bool(builder.now.plans)", True)
    page.button("Run", BUILDER)
    run(page, BUILDER, 2)
    page.page.get_by_text("a click plays").locator("visible=true").first.click()
    python(page, "builder.acts.value", True)
    words = page.python("sorted(c.word for c in builder.choices())")
    assert words == ["lanes ESW", "lanes NES", "lanes NEW", "lanes NSW"]
    take(page, BUILDER, "NES")
    run(page, BUILDER, 3)
    assert page.python("[c.text for c in builder.choices()]") == ["shop, 4 left", "factory, 4 left"]
    take(page, BUILDER, "shop")
    run(page, BUILDER, 0)
    assert page.python("[builder.state.tiles[(2, 0)].lanes, builder.error is None]") == ["NES", True]


def crash(page):
    """Click A1, then the lane of B1, and answer for B1's owner with a click (CC-R4, CC-C1 to CC-C3)."""
    assert page.python("racer.board.lens.zoom") < 2  # all of A's cars are visible for the choice
    take(page, RACER, "A1")
    python(page, "racer.board.lens.zoom > 2", True)
    page.wait_until_quiet()
    assert page.python("[c.text[:13] for c in racer.choices() if c.word.endswith('13,0N')]") == ["crash into B1"]
    take(page, RACER, "13,0N")
    run(page, RACER, 7)
    python(page, "racer.now.seat", 1)
    page.expect_status(RACER, "B. B1 was hit: where does it go?")
    answer = page.python("racer.choices()[0].word.split()[-1]")
    take(page, RACER, answer)
    run(page, RACER, 6)
    lane = page.python("[*racer.state.cars['B1'].lane]")
    assert f"{lane[0]},{lane[1]}{lane[2]}" == answer


def look_around(page):
    """Move the map with buttons, with keys and by dragging."""
    page.button("Nearer", RACER)
    page.expect_paint()
    page.wait_until_quiet()
    zoom = page.python("racer.board.lens.zoom")
    page.click_canvas(RACER, 700, 300)
    page.wait_until_quiet()
    page.key("-")
    python(page, f"racer.board.lens.zoom < {zoom}", True)
    page.key("+")
    python(page, f"abs(racer.board.lens.zoom - {zoom}) < 1e-9", True)
    x = page.python("racer.board.lens.x")
    page.key("Shift+ArrowLeft")
    page.expect(lambda: page.python("racer.board.lens.x") < x, True)
    x, moment = page.python("racer.board.lens.x"), page.python("racer.state.text")
    box = page.canvases().nth(RACER).bounding_box()
    mouse = page.page.mouse
    mouse.move(box["x"] + 150, box["y"] + 60)
    mouse.down()
    mouse.move(box["x"] + 120, box["y"] + 60, steps=4)
    mouse.move(box["x"] + 50, box["y"] + 60, steps=4)
    mouse.up()
    page.expect(lambda: page.python("racer.board.lens.x") > x, True)
    assert page.python("racer.state.text") == moment and page.python("racer.error is None")
    page.page.wait_for_timeout(400)
    page.button("Follow the game", RACER)
    python(page, "[racer.board.lens.zoom, racer.board.is_zoomed]", [1, False])
    page.wait_until_quiet()


def follow_the_crash(page):
    """Step through a turn on a zoomed map, whose beats the page draws."""
    assert page.python("stepper.board.lens.zoom") > 1
    python(page, "stepper.steps.page.ready", True)
    for beat in range(1, page.python("stepper.turn.beats") + 1):
        count = page.python("stepper.board.page.pictures")
        page.button("One beat on", FILM)
        page.expect_paint()
        python(page, "stepper.steps.beat", beat)
        assert page.python("stepper.board.page.pictures") == count
        page.wait_until_quiet(200)
    page.expect_status(FILM, "A1 crashes into B1")
    painted_as_png_paints(page, FILM, "stepper")


ROUNDS = {  # the start of each round, and the condition of its end
    "autoscooter": ("crashlab.game('autoscooter').start(3)", "explorer.state.round > 1"),
    "crash_and_grab": ("crashlab.game('crash_and_grab').start(3)", "explorer.state.round > 1"),
    "crash_by_crash": ("crashlab.game('crash_by_crash').start(3)", "explorer.state.to_dict().get('turn', 0) > 2"),
    "crash_city": ("crashlab.game('crash_city').start(3)", "len(explorer.state.tiles) > 6"),
    "race": (
        "crashlab.game('crash_city', players=2).read("
        "'asked A; tiles 1,0 NS / 2,0 NS / 3,0 NS / 4,0 NES shop B / 4,1 S; cars A 1,0N>E / B 3,0N>W')",
        "explorer.state.turn > 3",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_is_played_by_keyboard_and_words_alone(opened, name):
    """The choices are made by the status line alone; the kernel only reports the end of the round."""
    page = opened(f"keys_{name}.ipynb")
    page.wait_until_quiet()  # JupyterLab may still move the focus
    page.canvases().first.focus()
    _, over = ROUNDS[name]
    for _ in range(60):
        status = page.status(0)
        if page.python(over):
            break
        press_for_an_answer(page, "ArrowDown" if " list" in status else "Enter", status)
        if "Enter takes it" in (status := page.status(0)):
            press_for_an_answer(page, "Enter", status)
    assert page.python(over) and page.python("explorer.error is None")


def press_for_an_answer(page, key, status):
    """Press a key on a board whose status line then changes; a failure says where the focus is and what was shown."""
    page.key(key)
    focus = "document.activeElement.tagName + ' ' + document.activeElement.className"
    page.expect(lambda: page.status(0) != status or [key, status, page.page.evaluate(focus)], True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_a_board_is_painted_as_png_paints_it(opened, name):
    """Compare a board with its choices, in the middle of a film, and with the choices at its end."""
    page = opened(f"keys_{name}.ipynb")
    painted_as_png_paints(page, 0, "explorer")
    page.python(
        "[explorer.board.run_alone(explorer.finish_round), explorer.board.run_alone(explorer.steps.jump, 1)] and None"
    )
    painted_as_png_paints(page, 0, "explorer")
    page.python("explorer.board.run_alone(explorer.steps.jump, explorer.steps.last)")
    painted_as_png_paints(page, 0, "explorer")
    assert page.python("[explorer.steps.beat == explorer.steps.last > 1, explorer.error is None]") == [True, True]


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_a_hover_shows_and_says_what_a_click_would_take_while_the_kernel_is_busy(opened, name, folder):
    page = opened(f"keys_{name}.ipynb")
    rests = "[explorer.steps.page.playing, explorer.steps.beat == explorer.steps.last]"  # the agents' film is over
    page.expect(lambda: page.python(rests), [False, True])
    page.wait_until_quiet()
    offered = page.python(
        "[[c.text, *(explorer.board.lens.at(c.x, c.y) if explorer.board.lens else (c.x, c.y)),"
        " crashlab.lab.hit_test.meant(explorer.board.page.targets.items, c.x, c.y) == [n]]"
        " for n, c in enumerate(explorer.choices())]"
    )
    words, x, y = next((words, x, y) for words, x, y, is_meant in offered[1:] if is_meant and x >= 0)
    prompt, zoom = page.python("[explorer.board.said, explorer.board.surface.zoom]")
    place, beside = page.spot(0, x, y, zoom), page.spot(0, 2, 2, zoom)
    moves = "explorer.board.surface.widget.on_mouse_move(lambda *at: moves.append(at))"
    page.python(f"globals().update(moves=[]) or {moves}")
    code = f"import os, time\nwhile not os.path.exists('go_{name}'): time.sleep(0.02)"
    begin = f"code => {{ window.done = {NOTEBOOK}.sessionContext.session.kernel.requestExecute({{code}}).done; }}"
    page.page.evaluate(begin, code)
    page.forget()
    page.page.mouse.move(*place)
    page.expect_status(0, f"{words}. Click to choose it.")
    page.expect_paint()
    page.page.mouse.move(*beside)
    page.expect_status(0, prompt)
    (folder / f"go_{name}").touch()
    assert page.python("[moves, bool(explorer.now.plans)]") == [[], False]


# The points of a grid on the canvas, each with the status line while the mouse is there
POINTED = """([canvas, status, columns, rows]) => {
    const {left, top, width, height} = canvas.getBoundingClientRect(), results = [];
    for (let row = 0.5; row < rows; row++) for (let column = 0.5; column < columns; column++) {
        const [x, y] = [(column * width) / columns, (row * height) / rows];
        const mouse = {clientX: left + x, clientY: top + y, pointerType: 'mouse', bubbles: true};
        canvas.dispatchEvent(new PointerEvent('pointermove', mouse));
        results.push([(x * canvas.width) / width, (y * canvas.width) / width, status.innerText.trim()]); }
    canvas.dispatchEvent(new PointerEvent('pointerleave'));
    return results; }"""
# The choices of a click at each of these points and next to it, as the page rounds positions to two decimals.
TAKEN = """[[[explorer.choices()[n].text for n in meant(targets, *(lens.back(x, y) if lens else (x, y)))]
    for x, y in ((x, y), (x + hair, y), (x - hair, y), (x, y + hair), (x, y - hair))]
    for meant, targets in [(crashlab.lab.hit_test.meant, explorer.board.page.targets.items)]
    for lens, hair in [(explorer.board.lens, 0.02)] for x, y in {points}]"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_wherever_the_mouse_is_it_points_at_what_a_click_would_take(opened, name):
    """The page (`pointing.js`) and the kernel (hit_test.py) agree, also after a zoom."""
    page = opened(f"keys_{name}.ipynb")
    rests = "[explorer.steps.page.playing, explorer.steps.beat == explorer.steps.last]"  # the agents' film is over
    page.expect(lambda: page.python(rests), [False, True])
    zoom, has_map = page.python("[explorer.board.surface.zoom, bool(explorer.board.lens)]")
    parts = [page.canvases().first, page.page.locator(".crashlab-status").first]
    for near in (False, True)[: 1 + has_map]:
        if near:
            page.python("explorer.board.guard(explorer.board._near)('nearer')")
        page.wait_until_quiet()
        lines = page.page.evaluate(POINTED, [part.element_handle() for part in parts] + [25, 20])
        points = [(x / zoom, y / zoom) for x, y, _ in lines]
        pointed = [[words.removesuffix(". Click to choose it.")] * ("Click to choose" in words) for *_, words in lines]
        choices = page.python(TAKEN.format(points=points))
        assert len(lines) == 500 and sum(map(bool, pointed)) > 5
        differs = [case for case in zip(points, pointed, choices, strict=True) if case[1] not in case[2]]
        assert not differs, (len(differs), differs[:5])


@pytest.mark.slow
def test_a_cell_that_is_run_again_gives_back_what_it_had_but_the_game(opened, tmp_path):
    page = opened("again.ipynb")
    models = page.python("models()")
    for _ in range(3):
        page.run_cell(2)
        page.expect(lambda: page.python("models()"), models)
    page.button("More")
    page.button("Agents play on")
    page.expect(lambda: page.python("explorer.state.round"), 2)
    text = page.python("explorer.state.text")
    page.run_cell(1)
    assert page.python("models()") > models + 20  # the last cell still shows the old one
    page.run_cell(3)
    page.expect(lambda: page.python("models()"), models)
    assert page.python("explorer.state.round") == 1
    page.page.get_by_text("Go on with the game").first.hover()
    page.page.screenshot(path=tmp_path / "offered.png")
    page.button("Go on with the game you left")
    page.expect(lambda: page.python("explorer.state.text"), text)
    page.wait_for("() => !document.body.innerText.includes('Go on with the game')")
    page.button("Undo")
    page.expect(lambda: page.python("explorer.state.round"), 1)
    for number in range(3):
        page.expect_colours(number, 20)


def test_the_first_notebook_needs_one_cell_and_one_click(browser):
    page = browser.open(FIRST, width=1280, height=800)
    page.run_cell(1)
    page.canvases().first.wait_for()
    page.wait_until_quiet()
    page.python("globals().update(first=_)")
    box = page.canvases().first.bounding_box()
    shrunk = box["width"] / page.python("first.board.picture.width")
    corners = page.python("[first.board.lens.at(*point) for point in first.question.outlines[first.question.right]]")
    middle = [sum(part) / len(corners) for part in zip(*corners, strict=True)]
    spots = [
        [box[side] + shrunk * (at + 0.9 * (end - at)) for side, at, end in zip("xy", middle, corner, strict=True)]
        for corner in corners
    ]
    for spot in spots:  # everywhere in the outline the mouse is recognized
        page.page.mouse.move(box["x"] + 2, box["y"] + 2)
        page.page.mouse.move(*spot)
        page.expect_status(0, "2,2. Click to answer.")
    # at its position in the window: with a part of the board out of view, the page would scroll under the mouse
    page.page.mouse.click(*spots[0])
    # the film stops when car 1 stops
    page.expect(lambda: page.python("[first.right, first.steps.beat, first.steps.playing]"), [1, 3, False])
    assert "✓ Right: 2,2." in page.text()
    assert not page.errors
    page.leave()


@pytest.mark.slow
def test_numbers_are_guessed_and_hands_counted_by_mouse_and_by_keyboard(opened, tmp_path):
    page = opened("guess.ipynb")
    draw(page, 0, [page.python("spot(0, 90)"), page.python("spot(0, 30)")])
    python(page, "guess.values", [30, None, None])
    for key in ("ArrowRight", "PageUp", "ArrowRight", "PageUp", "PageUp", "ArrowUp"):
        page.key(key)
    page.expect_status(0, "side: 21 %. Enter takes the guess.")
    page.page.screenshot(path=tmp_path / "guess.png")
    page.key("Enter")
    page.expect_status(0, "On average you were")
    page.page.screenshot(path=tmp_path / "truth.png")
    page.click_canvas(1, 5, 5)
    for key in ("ArrowDown", "1", "2", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.key(key)
    page.button("One hand more", 0)
    python(page, "poll.picker.counts", [13, 2, 0, 0, 0])
    cell = page.spot(1, *page.python("poll.board.lens.at(*poll.question.places[3])"))
    for _ in range(6):
        page.page.mouse.click(*cell)
    python(page, "poll.picker.counts", [13, 2, 0, 6, 0])
    page.page.screenshot(path=tmp_path / "poll.png")
    page.button("Show it")
    python(page, "poll.asked", 1)
    ends = "[[funnel.sketch.middle(n), funnel.sketch.up(value)] for n, value in ((0, 12), (3, 3))]"
    draw(page, 2, page.python(ends))
    python(page, "funnel.values", [12, 9, 6, 3])
    page.page.screenshot(path=tmp_path / "funnel.png")
    draw_by_finger(page, 2, page.python("[[funnel.sketch.middle(n), funnel.sketch.up(2)] for n in (0, 3)]"))
    python(page, "funnel.values", [2, 2, 2, 2])
    assert page.python("str(guess.error or poll.error or funnel.error)") == "None" and not page.errors


def draw(page, number, points):
    """Draw a line with the mouse on a canvas."""
    page.canvases().nth(number).scroll_into_view_if_needed()
    places = [page.spot(number, *point) for point in points]
    page.page.mouse.move(*places[0])
    page.page.mouse.down()
    page.page.mouse.move(*places[1])
    page.page.mouse.up()


def draw_by_finger(page, number, points):
    """Draw a line with a finger on a canvas that is in view."""
    touch = page.page.context.new_cdp_session(page.page)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for kind, point in zip(("touchStart", "touchMove"), points, strict=True):
        x, y = page.spot(number, *point)
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    touch.detach()


def test_every_widget_is_drawn_and_a_turn_is_stepped(opened):
    """The last test of this browser, which loses its GPU process."""
    page = opened(WIDGETS)
    every_widget_is_drawn(page)
    step(page)
    lose_canvases(page)
    every_widget_is_drawn(page)
    page.expect(lambda: page.ask(RESTORED), [])


# The boards that stay blank when their canvases are the last ones that the browser restores.
RESTORED = """async () => {
    const canvases = [...document.querySelectorAll('.crashlab-board')];
    for (const canvas of canvases) {
        canvas.getContext('2d').reset();
        canvas.dispatchEvent(new Event('contextrestored'));
    }
    await new Promise(later => setTimeout(later, 500));
    const inked = canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean);
    return [...canvases.keys()].filter(n => !inked(canvases[n])); }"""


def lose_canvases(page):
    """Let the browser lose the content of all canvases, as it may when a laptop wakes up."""
    page.page.evaluate("""() => document.querySelectorAll('canvas').forEach(canvas => canvas.addEventListener(
        'contextrestored', () => { window.restored = true; }))""")
    page.page.context.browser.new_browser_cdp_session().send("Browser.crashGpuProcess")
    page.wait_for("() => window.restored")
