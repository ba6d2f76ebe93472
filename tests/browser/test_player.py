"""The player, in a real browser: saved films open from a disk without a network, step, play, and explain events."""

import json
import re
import zlib
from base64 import b64encode
from html import escape
from pathlib import Path

import pytest
from fake_page import Page
from lab_in_chromium import COVERED
from watched_functions import steps_from

import crashlab
from crashlab.drawing import film_json, player, story, svg
from crashlab.engine import turn_film
from crashlab.games import NAMES
from crashlab.lab import Board, Poll, Predict, Stepper, Watch, page_module
from crashlab.watch.things import ABSENT
from crashlab.watch.views import FilmStory

SCHEMA = json.loads(Path(film_json.__file__).with_name("film.schema.json").read_text("utf-8"))
MOST_BYTES = 48_000  # of the player in a saved page
TURN, GAME = 300_000, 3_000_000  # largest files, in bytes

# The mean difference of the canvas from a picture of the same size, up to 255.
DIFFERENCE = """async text => {
  const canvas = document.body.lastElementChild.shadowRoot.querySelector('canvas');
  const image = new Image();
  image.src = 'data:image/svg+xml;base64,' + btoa(unescape(encodeURIComponent(text)));
  await image.decode();
  const other = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
  other.drawImage(image, 0, 0, canvas.width, canvas.height);
  const [a, b] = [canvas.getContext('2d'), other].map(ctx => ctx.getImageData(0, 0, canvas.width, canvas.height).data);
  return a.reduce((sum, value, n) => sum + Math.abs(value - b[n]), 0) / a.length;
}"""

CANVAS = "document.body.lastElementChild.shadowRoot.querySelector('canvas')"

# A model of a board for its page; `ink()` returns whether anything is drawn on its canvas.
BOARD = """
const sent = (window.sent = []), canvas = document.createElement('canvas');
const layers = [1, 2].map(() => ({ canvas: canvas.cloneNode(), on() {} }));
layers.forEach(layer => (layer.ctx = layer.canvas.getContext('2d')));
const board = { canvas, get: () => layers, on() {}, updateCanvas: () => (window.painted = (window.painted ?? 0) + 1) };
const models = { canvas: 'IPY_MODEL_canvas', this_model: 'IPY_MODEL_me' };
const values = { ...models, mark: 'mark', width: 760, first: {}, letters: 15 };
const manager = { get_model: async name => (name === 'canvas' ? board : {}) };
let hear = null;
const on = (_, react) => (hear = react);
initialize({ model: { widget_manager: manager, get: name => values[name], on, send: it => sent.push(it) } });
window.tell = messages => messages.forEach(it => hear(it, []));
window.ink = () => layers[0].ctx.getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean);
"""


@pytest.fixture
def page(offline):
    """Return a function that opens a saved film."""

    def show(path, **options):
        tab = offline(path, **options)
        tab.wait_for_selector("canvas, iframe")
        return tab

    return show


@pytest.fixture(scope="module")
def turn():
    """Play a turn in which two cars crash and a third one hits the barrier."""
    state = crashlab.game("autoscooter").read({"cars": {"1": "21E2", "2": "23SE2", "3": "53E2"}})
    return state.play({"A": "17 FF", "B": None, "C": "83 FFF"})


@pytest.fixture(scope="module")
def saved(turn, tmp_path_factory):
    path = tmp_path_factory.mktemp("films") / "crash.html"
    turn.save(path)
    return path


def words(page):
    return page.locator(".words").inner_text()


def beat(page):
    return int(page.locator(".count").inner_text().split("/")[0])


def test_the_player_is_small_and_the_files_are():
    text = player.player()
    assert len(text.encode()) <= MOST_BYTES
    assert "export default { render }" in text


def test_files_are_as_small_as_is_promised(turn, saved, tmp_path):
    assert saved.stat().st_size <= TURN
    graph = {n: [n + 1, n + 2] for n in range(40)} | {40: [41], 41: []}
    film = crashlab.record(steps_from, graph, 0)
    assert film.beats > 100
    film.save(tmp_path / "steps.html")
    assert (tmp_path / "steps.html").stat().st_size <= TURN
    match = crashlab.Match(crashlab.game("autoscooter"), "random", seed=1)
    match.run()
    match.save(tmp_path / "game.html")
    assert (tmp_path / "game.html").stat().st_size <= GAME


@pytest.mark.chromium
def test_the_keys_lead_through_a_saved_turn(page, saved, turn):
    turn_story = turn_film.story_of([turn])
    tab = page(saved)
    assert words(tab) == turn_story.words(0)
    for number in (1, 2):
        tab.keyboard.press("ArrowRight")
        assert words(tab) == turn_story.words(number)
    tab.keyboard.press("ArrowLeft")
    assert beat(tab) == 1
    for stop in turn_story.stops:
        tab.keyboard.press("c")
        assert beat(tab) == stop
    tab.keyboard.press("c")
    assert words(tab) == "There is no crash after this beat."
    tab.keyboard.press("C")
    assert beat(tab) == turn_story.stops[-2]
    tab.keyboard.press("End")
    assert words(tab) == turn_story.words(turn_story.beats)
    tab.keyboard.press("Home")
    assert beat(tab) == 0


@pytest.mark.slow
@pytest.mark.chromium
def test_it_plays_to_the_end_and_pauses_at_once(page, saved, turn):
    tab = page(saved)
    tab.keyboard.press("-")  # slowly, so that it does not end before the pause
    tab.keyboard.press(" ")
    tab.wait_for_function("document.body.lastElementChild.shadowRoot.querySelector('.count').textContent[0] > 1")
    tab.keyboard.press(" ")
    here = beat(tab)
    assert tab.get_by_label("Play (space)").count() == 1
    tab.wait_for_timeout(600)
    assert beat(tab) == here
    tab.keyboard.press("+")
    tab.get_by_label("Play (space)").click()
    beats = turn_film.story_of([turn]).beats
    tab.locator(".count", has_text=f"{beats} / {beats}").wait_for()
    tab.get_by_label("Play (space)").wait_for()


@pytest.mark.chromium
def test_an_event_and_a_piece_tell_why(page, saved, turn):
    tab = page(saved)
    pays = next(event for event in turn.events if event.text.startswith("B pays 4 chits"))
    tab.locator("li button", has_text=pays.text).click()
    why = tab.locator(".why").inner_text()
    rule = turn.before.game.rulebook[pays.rule]
    assert pays.text in why and rule.text in why and rule.mark in why
    causes = [event.text for event in (turn.events[pays.cause], turn.events[turn.events[pays.cause].cause])]
    assert all(f"because {text}" in why for text in causes)
    tab.keyboard.press("End")
    x, y = turn.after.place("car 3")
    edge, size = tab.locator("canvas").bounding_box(), turn.after.picture()
    tab.mouse.click(edge["x"] + x * edge["width"] / size.width, edge["y"] + y * edge["height"] / size.height)
    assert words(tab).startswith("Car 3 of C") and "car 3" in tab.locator(".why button").first.inner_text()


@pytest.mark.chromium
def test_a_watched_function_shows_its_line_and_its_variables(page, tmp_path):
    film = crashlab.record(steps_from, {"a": ["b", "c"], "b": ["c"], "c": []}, "a")
    film.save(tmp_path / "steps.html", "dark")
    tab = page(tmp_path / "steps.html")
    first = {event.beat: event for event in reversed(film.events)}
    for number in (3, max(number for number, event in first.items() if "because" in str(film.why(event)))):
        while beat(tab) < number:
            tab.keyboard.press("ArrowRight")
        line = film.line(number)[1]
        assert tab.locator(".code .lit").inner_text().split()[0] == str(line)
        names = tab.locator("td:first-child").all_inner_texts()
        assert set(names) >= {name for name in film.at(number) if name}
    assert "because" in tab.locator(".why").inner_text()
    tab.keyboard.press("Home")
    removal = next(event for event in film.events if event.after is ABSENT)  # shown with the next event
    while beat(tab) < removal.beat:
        tab.keyboard.press("ArrowRight")
    assert tab.locator(".why button").first.inner_text() == film.events[removal.number + 1].words
    last = next(event for event in film.events if event.target == "steps['c']")
    while beat(tab) < last.beat:
        tab.keyboard.press("ArrowRight")
    why = tab.locator(".why")
    assert why.locator("summary, p").all_inner_texts() == ["because steps['a'] is 0", str(last.since)]
    why.get_by_text("because steps['a'] is 0").click()  # a value that was read leads to the event that set it
    why.get_by_text("steps = {'a': 0}").click()
    assert beat(tab) == film.events[last.causes[0].event].beat
    tab.keyboard.press("Home")
    name = next(iter(film.at(film.beats)))
    tab.keyboard.press("ArrowRight")
    tab.get_by_role("button", name=name, exact=True).click()
    assert any(event.name == name and event.beat == beat(tab) for event in film.events)


def stars(rows):
    line = ""
    for row in range(rows):
        line = " " * (rows - row) + "*"
    return line


@pytest.mark.chromium
def test_blanks_of_a_text_are_seen(page, tmp_path):
    film = crashlab.record(stars, 3, watch="line")
    film.save(tmp_path / "stars.html")
    tab = page(tmp_path / "stars.html")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowRight")
    parts = [tab.locator(name).inner_text() for name in (".words", ".lit td >> nth=1", ".why button >> nth=0")]
    assert all("'   *'" in text for text in parts), parts


def total(numbers):
    amount = 0
    for number in numbers:
        amount += number
    return amount


@pytest.mark.chromium
def test_a_wide_film_in_a_folded_output_waits_for_its_room(offline, tmp_path):
    film = FilmStory(crashlab.record(total, range(14))).document()
    frame = f"<iframe style='width: 0' srcdoc='{escape(player.page(film, 'dark'))}'></iframe>"
    (tmp_path / "folded.html").write_text(frame, encoding="utf-8")
    tab = offline(tmp_path / "folded.html")
    canvas = tab.frames[1].locator("canvas")
    canvas.wait_for(state="attached")
    assert canvas.evaluate("canvas => canvas.width && canvas.height") == 1
    tab.locator("iframe").evaluate("frame => { frame.style.width = '900px'; }")
    tab.frames[1].wait_for_function("document.body.lastElementChild.shadowRoot.querySelector('canvas').width > 99")


@pytest.mark.few(1)
@pytest.mark.chromium
@pytest.mark.parametrize("name", [*NAMES, "search"])
def test_the_canvas_shows_what_the_painters_paint(page, name, tmp_path):
    if name == "search":
        film_story = FilmStory(crashlab.record(steps_from, {"a": ["b", "c"], "b": ["c"], "c": []}, "a"))
    else:
        match = crashlab.Match(crashlab.game(name), "random", seed=3)
        match.run(8)
        film_story = turn_film.story_of([max(match.turns, key=lambda turn: turn.beats)])
    film = film_story.document("a film") if name != "search" else film_story.document()
    (tmp_path / "film.html").write_text(player.page(film, "dark"), encoding="utf-8")
    tab = page(tmp_path / "film.html", reduced_motion="reduce")
    for number in range(film_story.beats + 1)[:: max(1, film_story.beats // 3)]:
        while beat(tab) < number:
            tab.keyboard.press("ArrowRight")
        tab.wait_for_function("new Promise(requestAnimationFrame)")
        here, before = (svg.paint(story.summary(film_story, at), "dark") for at in (number, max(number - 1, 0)))
        assert tab.evaluate(DIFFERENCE, here) < 1.5
    assert number == 0 or here == before or tab.evaluate(DIFFERENCE, before) > tab.evaluate(DIFFERENCE, here)
    tab.evaluate(f"""() => {{ window.restored = new Promise(
        react => {CANVAS}.addEventListener('contextrestored', () => react(true))); }}""")
    tab.context.browser.new_browser_cdp_session().send("Browser.crashGpuProcess")  # the content of canvases is lost
    tab.wait_for_function("window.restored")
    tab.wait_for_function("new Promise(requestAnimationFrame)")
    assert tab.evaluate(DIFFERENCE, here) < 1.5


@pytest.mark.few(1)
@pytest.mark.chromium
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_it_fits_from_a_phone_to_a_wall(page, saved, width):
    tab = page(saved, viewport={"width": width, "height": 844})
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    picture, side = tab.locator("canvas").bounding_box(), tab.locator(".side").bounding_box()
    assert picture["x"] >= 0 and picture["x"] + picture["width"] <= width
    assert picture["y"] + picture["height"] <= 844
    assert (side["x"] > picture["x"] + picture["width"] - 1) == (width > 390)


@pytest.mark.slow
@pytest.mark.chromium
def test_it_is_as_dark_as_the_page(page, saved):
    colours = []
    for scheme in ("light", "dark"):
        tab = page(saved, color_scheme=scheme)
        colours.append(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colours == ["rgb(255, 250, 240)", "rgb(23, 25, 30)"]  # the colour `panel` of both themes


@pytest.mark.slow
@pytest.mark.chromium
def test_who_wishes_no_motion_sees_beats_alone(page, saved):
    count = (
        "window.drawn = 0; const draw = CanvasRenderingContext2D.prototype.drawImage;"
        "CanvasRenderingContext2D.prototype.drawImage = function (...all) { window.drawn++; draw.apply(this, all); };"
        "undefined"
    )
    counts = {}
    for wish in ("reduce", "no-preference"):
        tab = page(saved, reduced_motion=wish)
        tab.evaluate(count)
        tab.keyboard.press("ArrowRight")
        if wish == "reduce":
            tab.wait_for_timeout(500)
        else:
            tab.wait_for_function("window.drawn > 2")
        counts[wish] = tab.evaluate("window.drawn")
    assert counts["reduce"] <= 2 < counts["no-preference"]


@pytest.mark.chromium
def test_a_frame_plays_in_the_output_of_a_notebook(page, turn, tmp_path):
    html = turn._repr_mimebundle_()["text/html"]
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><body>{html}</body>", encoding="utf-8")
    tab = page(tmp_path / "page.html")
    frame = tab.frame_locator("iframe")
    frame.locator("canvas").wait_for()
    assert tab.evaluate(COVERED)  # the film covers the picture
    frame.get_by_label("One beat on (→)").click()
    assert frame.locator(".words").inner_text() == turn_film.story_of([turn]).words(1)
    high = frame.locator(".film").evaluate("film => film.getBoundingClientRect().height")
    tab.wait_for_function(f"Math.abs(document.querySelector('iframe').offsetHeight - {high}) < 3")
    assert len(html.encode()) < 60_000


@pytest.mark.chromium
def test_where_no_script_runs_there_is_the_picture(page, turn, tmp_path):
    html = turn._repr_mimebundle_()["text/html"]
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><body>{html}</body>", encoding="utf-8")
    tab = page(tmp_path / "page.html", java_script_enabled=False)
    assert tab.locator("img").is_visible()
    assert tab.evaluate("document.querySelector('img').naturalWidth") > 200


def test_a_notebook_keeps_the_film_of_what_has_one(turn):
    def fib(number):
        return number if number < 2 else fib(number - 1) + fib(number - 2)

    film = crashlab.record(fib, 3)
    panels = [Stepper(turn), Stepper.beside(turn, turn), Predict(turn), Watch(film), Watch(film, predict=True)]
    for item in (turn, film, *panels):
        bundle = item._repr_mimebundle_()
        assert bundle["text/html"].startswith(f'<div class="{player.MARK}"') and bundle["image/png"]
    assert "text/html" not in Board(turn.before)._repr_mimebundle_()
    long = crashlab.record(fib, 12)
    assert long.beats > player.KEPT
    assert not any("text/html" in item._repr_mimebundle_() for item in (long, Watch(long)))


def test_questions_are_asked_before_what_answers_them(turn):
    import jsonschema  # slow to import

    document = Predict(turn).film_document()
    jsonschema.validate(document, SCHEMA)
    for question, original in zip(document["questions"], turn.before.game.ui.questions(turn), strict=True):
        assert (question["text"], question["answers"][question["right"]]) == (
            original.text,
            original.answers[original.right],
        )
        assert question["at"] == 0 < question["beat"] and len(question.get("places", ())) == len(original.places)
        if "because" in question:
            event = document["events"][question["because"]]
            assert (event["text"], event["beat"]) == (turn.events[original.reason].text, question["beat"])
    film = crashlab.record(steps_from, {n: [n + 1, n + 2] for n in range(5)} | {5: [6], 6: []}, 0)
    watch_document = Watch(film, predict=True).film_document()
    jsonschema.validate(watch_document, SCHEMA)
    for question in watch_document["questions"]:
        assert question["at"] == question["beat"] - 1
        assert watch_document["events"][question["because"]]["beat"] == question["beat"]


@pytest.mark.chromium
def test_the_list_of_events_ends_with_the_last_beat_before_the_question(page, tmp_path):
    film = crashlab.record(steps_from, {n: [n + 1, n + 2] for n in range(5)} | {5: [6], 6: []}, 0)
    document = Watch(film, predict=True).film_document()
    (tmp_path / "asked.html").write_text(player.page(document), encoding="utf-8")
    tab = page(tmp_path / "asked.html")
    tab.keyboard.press("End")
    at = document["questions"][0]["at"]
    beats = [event["beat"] for event in document["events"] if event["beat"] <= at]
    assert beat(tab) == at == beats[-1] and len(beats) < len(document["events"])
    rows = tab.locator("ol[aria-label=Events] li")
    assert [*map(int, rows.locator("b").all_inner_texts())] == beats
    assert rows.last.get_attribute("class") == "now"


@pytest.mark.chromium
def test_anywidget_drives_it_by_the_beat(page, turn, tmp_path):
    (tmp_path / "page.html").write_text(
        f"<!DOCTYPE html><body><script type=module>{player.player()}\n"
        "const kept = {film: " + player.compact(turn.film()) + ", beat: 2}, handlers = {}, sent = [];"
        "window.sent = sent; window.kept = kept;"
        "const model = {get: name => kept[name], "
        "set: (name, value) => { kept[name] = value; sent.push([name, value]); }, "
        "save_changes() {}, on: (name, react) => { handlers[name] = react; }, off() {}};"
        "window.close = render({model, el: document.body});"
        "window.change = (name, value) => { kept[name] = value; handlers['change:' + name](); };"
        "</script></body>",
        encoding="utf-8",
    )
    tab = page(tmp_path / "page.html")
    assert beat(tab) == 2
    tab.evaluate("change('beat', 4)")
    assert beat(tab) == 4
    tab.get_by_label("One beat on (→)").click()
    assert tab.evaluate("sent.at(-1)") == ["beat", 5]
    tab.evaluate("change('playing', true)")
    tab.wait_for_function("!kept.playing")
    assert tab.evaluate("kept.beat") == turn_film.story_of([turn]).beats
    tab.evaluate("close()")
    assert tab.locator("canvas").count() == 0


@pytest.mark.chromium
def test_a_page_that_loads_again_paints_nothing_before_the_kernel_knows_of_it(offline, tmp_path):
    """Votes that arrive meanwhile change a picture whose drawings only the previous page had."""
    poll, urls = Poll("Which?", "AB", animate=False), {}
    kernel = Page(poll.board.page)
    poll.board.run_alone(poll.hands.put, 0, 3)
    first = len(kernel.heard)
    poll.board.run_alone(poll.hands.put, 1, 9)
    late = len(kernel.heard)
    kernel.say(ready=True)
    for name, text in json.loads(zlib.decompress(page_module.packed())).items():
        linked = re.sub(r"'\./([\w.]+\.js)'", lambda match: f"'{urls[match[1]]}'", text)
        urls[name] = f"data:text/javascript;base64,{b64encode(linked.encode()).decode()}"
    script = f"import {{ initialize }} from '{urls['board_page.js']}';{BOARD}"
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><body><script type=module>{script}</script>", "utf-8")
    tab = offline(tmp_path / "page.html")
    tab.wait_for_function("window.sent?.some(it => it.ready)")
    tab.evaluate("tell", kernel.heard[first:late])
    tab.wait_for_function("new Promise(requestAnimationFrame)")
    tab.evaluate("tell", kernel.heard[late:])
    tab.wait_for_function("window.painted")
    assert tab.evaluate("ink()")


def test_what_is_saved_is_of_a_known_kind(turn, tmp_path):
    for kind, begins in ((".gif", b"GIF8"), (".png", b"\x89PNG"), (".svg", b"<svg"), (".HTML", b"<!DOCTYPE html>")):
        turn.save(tmp_path / f"crash{kind}")
        assert (tmp_path / f"crash{kind}").read_bytes().startswith(begins)
    with pytest.raises(crashlab.CrashlabError, match=r"a turn is saved as .html, .gif, .png or .svg"):
        turn.save(tmp_path / "crash.doc")
    with pytest.raises(crashlab.CrashlabError, match="there is no theme 'pink'"):
        turn.save(tmp_path / "pink.html", "pink")
    assert not (tmp_path / "pink.html").exists()


def test_words_are_no_markup():
    recorded = crashlab.record(steps_from, {"</script><!--<script>": []}, "</script><!--<script>")
    film = film_json.document(FilmStory(recorded), "<b>")
    html = player.page(film)
    assert html.count("</script>") == 2 and "<title>&lt;b&gt;</title>" in html
