"""The site of `make docs`: every name with an example that runs, every rule, and lessons whose films play."""

import doctest
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pages
import pytest
import rule_pages
from bs4 import BeautifulSoup
from checkout import ROOT
from patience import PATIENCE

import crashlab
from crashlab.compiled import choose_backend
from crashlab.engine.game import Game
from crashlab.games import NAMES

WITHIN = {"crashlab.watch.views"}  # its public names are listed as `crashlab.lab`
LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


# Names and their examples


def test_every_module_with_public_names_is_listed():
    """A game's modules are used through the game; `crashlab.engine.contract` describes them."""
    names = ["crashlab", *(module.name for module in pkgutil.walk_packages(crashlab.__path__, "crashlab."))]
    outside = [name for name in names if not name.startswith("crashlab.games.")]
    public = {name for name in outside if "\n__all__" in Path(find_spec(name).origin).read_text("utf-8")}
    assert public == {*pages.MODULES, *WITHIN}


def docstrings(module):
    """Yield (name, docstring) of a module's public names and their members."""
    for name in import_module(module).__all__:
        thing = getattr(import_module(module), name)
        yield name, pages.described(module, name, thing)
        for member, inner in vars(thing).items() if inspect.isclass(thing) else ():
            if not member.startswith("_") and (words := inspect.getdoc(getattr(inner, "func", inner))):
                yield f"{name}.{member}", words


@pytest.mark.parametrize("module", pages.MODULES)
def test_every_public_name_has_an_example(module):
    assert [name for name, words in docstrings(module) if "." not in name and ">>> " not in words] == []


@pytest.mark.few(1)
@pytest.mark.parametrize("module", pages.MODULES)
def test_every_example_prints_what_it_says(module, tmp_path, monkeypatch):
    """The examples run interpreted: compiled numbers are equal, but compiling takes time."""
    monkeypatch.chdir(tmp_path)  # some write a file
    monkeypatch.setattr(choose_backend, "can_compile", lambda: False)
    for name, words in docstrings(module):
        names, wrong = {}, []
        exec(pages.beginning(module), names)
        test = doctest.DocTestParser().get_doctest(words, names, name, None, 0)
        assert not doctest.DocTestRunner().run(test, out=wrong.append).failed, "".join(wrong)


# Games


@pytest.mark.parametrize("name", NAMES)
def test_every_position_of_the_notation_is_read_and_printed_back(name):
    game = crashlab.game(name)
    words = f"{inspect.getdoc(game.decisions)}\n\n{inspect.getdoc(game.position)}\n"
    blocks = [dedent(block).strip() for block in re.findall(r"(?:^ {4}.*\n)+", words, re.M)]
    assert len(blocks) >= 2
    for block in blocks:
        for position in [json.loads(block)] if block.startswith("{") else block.splitlines():
            state = game.read(position, forced=False)
            assert game.read(state.text, forced=False).text == state.text
            assert game.read(state.to_dict(), forced=False) == state


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_of_the_notation_is_read_and_printed_back(name):
    game = crashlab.game(name)
    met = rule_pages.examples(game)
    assert {*met} == {decision.name for decision in game.decisions.DECISIONS} - {"over"}
    for state, seat in met.values():
        shown = rule_pages.answers(state, seat)
        asked = crashlab.game(name, players=state.game.options["players"]).read(state.text)
        for answer in re.findall(r"^- `(.*)`$", shown, re.M):
            assert asked.game.say(asked.table, seat, asked.legal_code(seat, answer)) == answer


# Additions


def python_of(page, folder):
    pages.write_own(folder)
    return re.findall(r"^```python\n(.*?)^```", (folder / f"{page}.md").read_text("utf-8"), re.M | re.S)


def test_a_game_is_tried_as_the_page_says(tmp_path, monkeypatch):
    """The files of the page are those of the toy race and work in another folder."""
    first, second = python_of("add-a-game", tmp_path)
    words = (tmp_path / "add-a-game.md").read_text("utf-8")
    (tmp_path / "bumper").mkdir()
    files = re.findall(r"^## `tests/toy/(\S+)`\n\n````\w+\n(.*?)^````", words, re.M | re.S)
    for name, text in files:
        assert text == (ROOT / "tests/toy" / name).read_text("utf-8")
        (tmp_path / "bumper" / name).write_text(text.replace("from toy", "from bumper"), encoding="utf-8")
    assert {name for name, _ in files} == {path.name for path in (ROOT / "tests/toy").glob("*.*")}
    run_in(tmp_path, first)
    assert (tmp_path / "bumper.png").read_bytes().startswith(b"\x89PNG")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(ROOT / "tests/engine")
    exec(second, {"Game": Game})


def run_in(folder, code):
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=PATIENCE, cwd=folder)


@pytest.mark.parametrize("page", ["add-an-agent", "add-a-lesson"])
def test_the_code_of_the_guides_runs(page, tmp_path):
    for code in python_of(page, tmp_path):
        run_in(tmp_path, code)


# The built pages


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder of the built pages; a warning fails the build."""
    out = tmp_path_factory.mktemp("docs")
    subprocess.run([sys.executable, pages.__file__, out], check=True, timeout=PATIENCE, cwd=ROOT)
    return out


@pytest.fixture(scope="module")
def texts(folder):
    files = [path for path in folder.rglob("*.html") if "_static" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


@pytest.mark.slow
def test_every_name_has_its_page_and_example(texts):
    seen = set()
    for module in pages.MODULES:
        for name in import_module(module).__all__:
            thing = getattr(import_module(module), name)
            file = f"names/{module}.{name}.html"
            if file in texts:
                assert f'id="{module}.{name}"' in texts[file] and "&gt;&gt;&gt; " in texts[file], file
                seen.add((name, id(thing)))
            assert (name, id(thing)) in seen, file
    assert texts["names/crashlab.lab.Stepper.html"].count("<img") == 2  # light and dark


@pytest.mark.slow
def test_every_rule_is_on_the_page_of_its_game_with_an_anchor(texts):
    for name in NAMES:
        game, words = crashlab.game(name), texts[f"rules/{name}.html"]
        for rule in game.rulebook:
            assert words.count(f'id="{rule.id.lower()}"') == 1, rule.id
        page = BeautifulSoup(words, "html.parser")
        assert {f"{rule.id} {rule.title}" for rule in game.rulebook} <= {
            heading.get_text().rstrip("#") for heading in page.find_all("h3")
        }
        strips = game.posters.strips(game.options)
        assert len(page.select("img.only-light")) == len(page.select("img.only-dark")) >= 1 + len(strips)


@pytest.mark.slow
def test_every_link_leads_somewhere_and_no_page_loads_anything_from_elsewhere(folder, texts):
    ids = {file: set(re.findall(r'\bid="([^"]+)"', text)) for file, text in texts.items()}
    for file, text in texts.items():
        for tag, link in re.findall(r'<(\w+)\b[^>]*?\s(?:href|src)="([^"]*)"', text):
            if re.match(r"https?:|mailto:", link):
                assert tag == "a", (file, link)
                continue
            path, _, place = link.partition("#")
            target = ((folder / file).parent / path.partition("?")[0]).resolve() if path else folder.resolve() / file
            assert link.startswith("data:") or target.exists(), (file, link)
            file_name = target.relative_to(folder.resolve()).as_posix() if place else ""
            assert not place or file_name not in ids or place in ids[file_name] or "genindex" in file_name, (file, link)
        assert all(alt.strip() for alt in re.findall(r'<img\b[^>]*?\balt="([^"]*)"', text)), file


@pytest.mark.slow
def test_a_lesson_has_its_title_and_says_how_it_is_run_and_what_needs_python(texts):
    for name in LESSONS:
        page = BeautifulSoup(texts[f"lessons/{name}.html"], "html.parser")
        cells = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text("utf-8"))["cells"]
        title = "".join(cells[0]["source"]).splitlines()[0].removeprefix("# ").partition(" [!")[0]
        assert [node.get_text().rstrip("#") for node in page.find_all("h1")] == [title]
        assert any(f"{name}.ipynb" in node["href"] for node in page.select("a.reference.external"))
        exercises = sum("crashlab.check(" in "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        assert page.get_text().count("This exercise needs Python") == exercises, name
        assert not re.search(r"\$\$|\\frac|\\text", "".join(node.get_text() for node in page.find_all("p")))
    assert "<math" in texts["lessons/45_chance.html"]


# In Chromium


def frames(page):
    """Yield the frames of the films, scrolling to each."""
    for place in range(page.locator(".crashlab-film iframe").count()):
        page.locator(".crashlab-film iframe").nth(place).scroll_into_view_if_needed()
        frame = page.frame_locator(".crashlab-film iframe").nth(place)
        frame.locator("canvas").wait_for()
        yield frame


@pytest.mark.slow
@pytest.mark.chromium
def test_films_play_and_questions_are_asked(folder, offline):
    page = offline(folder / "lessons" / "10a_angles_and_crashes.html")
    assert page.locator(".crashlab-film").count() >= 5
    asking = next(frame for frame in frames(page) if frame.locator(".quiz b").count())
    while asking.locator(".quiz b").count():
        asking.locator(".quiz button").first.click()
    asking.get_by_text(re.compile(r"\d of \d right")).wait_for()
    telling = next(frame for frame in frames(page) if not frame.locator(".quiz:not(.hidden)").count())
    telling.get_by_label("One beat on (→)").click()
    assert telling.locator(".count").inner_text().startswith("1 ")
    telling.locator("li button").last.click()
    assert "because" in telling.locator(".why").inner_text()
    page = offline(folder / "lessons" / "42_union_find_and_hashing.html")
    frame = next(frame for frame in frames(page) if frame.locator(".code > button").count())
    frame.get_by_label("One beat on (→)").click()
    frame.locator(".code .lit").wait_for()


@pytest.mark.slow
@pytest.mark.firefox
def test_a_lesson_plays_in_firefox(folder, firefox, tmp_path):
    pytest.importorskip("websocket")
    from firefox_driver import Firefox

    with Firefox(firefox, tmp_path) as driven:
        page = driven.open((folder / "lessons" / "00_start_here.html").as_uri())
        page.wait_for("() => document.querySelectorAll('.crashlab-film iframe').length > 1")
        film = page.frames()[0]
        film.click(".quiz button")
        film.expect(lambda: any("of 1 right" in words for words in film.find(".quiz")), True)
        page.close()


@pytest.mark.slow
@pytest.mark.chromium
def test_a_rule_and_a_name_are_found_without_a_server(folder, bare_browser):
    page = bare_browser.new_page()
    for words, address in (("AS-C4", "rules/autoscooter.html#"), ("Stepper", "names/crashlab.lab.Stepper.html")):
        page.goto((folder / "rules" / "crash_city-notation.html").as_uri())
        page.keyboard.press("Control+k")
        page.keyboard.type(words)
        page.keyboard.press("Enter")
        page.locator(f"#search-results a[href*='{address}']").first.click()
        page.wait_for_url(f"**/{address}*")
    page.close()


# Returns the lowest contrast of visible text with its background, and the place of it.
CONTRAST = """() => {
  const light = colour => {
    const linear = c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
    const [r, g, b] = colour.match(/[\\d.]+/g).map(n => linear(n / 255));
    return .2126 * r + .7152 * g + .0722 * b; };
  const ground = node => { for (; node; node = node.parentElement) {
    const colour = getComputedStyle(node).backgroundColor;
    if (!/, 0\\)|transparent/.test(colour)) return colour; } return 'rgb(255, 255, 255)'; };
  let least = [99, ''];
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.data.trim(), node = walker.currentNode.parentElement;
    if (!words || !node.checkVisibility() || node.closest('svg, script, style, .skip-link, .headerlink')) continue;
    const [a, b] = [light(getComputedStyle(node).color), light(ground(node))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < least[0]) least = [ratio, words];
  }
  return least; }"""


@pytest.mark.slow
@pytest.mark.chromium
def test_no_page_is_wider_than_a_phone_and_dark_ones_are_legible(folder, texts, bare_browser):
    page = bare_browser.new_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    names = sorted(file for file in texts if file.startswith("names/"))
    for file in [*(file for file in texts if file not in names), *names[::10]]:
        page.goto((folder / file).as_uri(), wait_until="domcontentloaded")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, file
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        least, words = page.evaluate(CONTRAST)
        assert least >= 4.5, (file, words)
    page.close()
