"""The reference pages: whole, linked, the same each time, and every block of code on them runs."""

import ast
import doctest
import json
import os
import pkgutil
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from checkout import ROOT
from effort import effort
from patience import PATIENCE

import crashlab
from crashlab.compiled import choose_body
from crashlab.engine.game import Game
from crashlab.games import NAMES

BUILD = ROOT / "binder" / "site" / "reference" / "build.py"
MODULES = (
    "crashlab",
    "crashlab.lab",
    "crashlab.agents",
    "crashlab.watch",
    "crashlab.adapters",
    "crashlab.engine.table",
    "crashlab.engine.value_codecs",
)
WITHIN = {"crashlab.watch.views"}  # what is public of it is so as `crashlab.lab`
BLOCKS = {"example", "python", "begin", "position", "listing", "signature", "source", "data"}


def build(folder, **environment):
    """Build the pages somewhere else, where the examples leave no file."""
    (away := folder.with_name("away")).mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-W", "error", BUILD, folder]
    subprocess.run(command, check=True, timeout=PATIENCE, cwd=away, env={**os.environ, **environment})
    assert not [*away.iterdir()]
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return build(tmp_path_factory.mktemp("reference"))


@pytest.fixture(scope="module")
def pages(folder):
    """Every page by its name."""
    return {path.stem: BeautifulSoup(path.read_text("utf-8"), "html.parser") for path in folder.glob("*.html")}


def ids(page):
    return [tag["id"] for tag in page.find_all(id=True)]


def texts(page, kind):
    return [block.get_text() for block in page.find_all("pre", class_=kind)]


# The pages themselves


@pytest.mark.slow
def test_two_builds_are_equal_byte_for_byte(folder, tmp_path):
    again = build(tmp_path / "deep" / "again", PYTHONHASHSEED="7", LC_ALL="C", TZ="Asia/Tokyo")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        path.name: path.read_bytes() for path in again.iterdir()
    }


def test_without_a_folder_it_says_how_it_is_called():
    done = subprocess.run([sys.executable, BUILD], capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT)
    assert (done.returncode, done.stderr) == (1, "usage: python binder/site/reference/build.py OUT\n")


class Nested(HTMLParser):
    """Whether every tag is closed in its order."""

    VOID = ("meta", "link", "img", "input", "source", "br")

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open += [tag] * (tag not in self.VOID)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, self.getpos()


def test_every_tag_is_closed_and_no_id_stands_twice(folder, pages):
    for name, page in pages.items():
        Nested((folder / f"{name}.html").read_text("utf-8"))
        assert len(ids(page)) == len(set(ids(page))), name


def test_headings_have_an_order_and_pictures_have_words(pages):
    for name, page in pages.items():
        levels = [int(tag.name[1]) for tag in page.main.find_all(re.compile("^h[1-6]$"))]
        assert levels[0] == 1 and levels.count(1) == 1, name
        assert all(after - before <= 1 for before, after in pairwise(levels)), name
        assert all(picture["alt"] for picture in page.find_all("img")), name


MANUAL = ROOT / "binder/site/reference/manual"
IN_THE_MANUAL = {"py", "text", "sh", "bat", "html"}  # Pyright is asked about the first
TO_TRY_IT = ("https://mybinder.org/v2/gh/crashlab/", "https://crashlab.github.io/crashlab/")


def test_every_link_leads_somewhere_on_these_pages(folder, pages):
    known = {f"{name}.html": set(ids(page)) for name, page in pages.items()}
    for name, page in pages.items():
        for tag in page.find_all(True):
            for link in (tag[key] for key in ("href", "src", "srcset", "action") if tag.has_attr(key)):
                file, _, place = link.partition("#")
                elsewhere = name == "installing" and tag.name == "a" and link.startswith(TO_TRY_IT)
                assert file in ("", "data:,") or (folder / file).is_file() or elsewhere, (name, link)
                assert not place or place in known[file or f"{name}.html"], (name, link)


def test_no_other_host_is_needed(folder):
    for path in folder.iterdir():
        words = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        words = re.sub(rf'<a href="({"|".join(TO_TRY_IT)})', "", words)
        assert not re.search(r"""(?:href|src|srcset)=["']?[a-z]*:?//|url\(|@import|fetch\(""", words), path.name


@pytest.mark.slow
def test_what_can_be_found_is_there(folder, pages):
    words = (folder / "entries.js").read_text("utf-8")
    found = json.loads(words.removeprefix("const ENTRIES = ").rstrip().removesuffix(";"))
    for name, _kind, place, _words in found:
        file, _, anchor = place.partition("#")
        assert name and (not anchor or anchor in ids(pages[file.removesuffix(".html")])), place
    assert {f"crashlab.{name}" for name in crashlab.__all__} | {"AS-C4 Side crash"} <= {name for name, *_ in found}


# Public names


def test_every_module_with_public_names_has_a_page(pages):
    """The modules of a game are reached through it: what they offer stands in `crashlab.engine.contract`."""
    names = ["crashlab", *(each.name for each in pkgutil.walk_packages(crashlab.__path__, "crashlab."))]
    outside = [name for name in names if not name.startswith("crashlab.games.")]
    public = {name for name in outside if "\n__all__" in Path(find_spec(name).origin).read_text("utf-8")}
    assert public == {*MODULES, *WITHIN} and set(MODULES) <= set(pages)


@pytest.mark.few(2)
@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_an_entry_with_an_example(module, pages):
    for name in import_module(module).__all__:
        entry = pages[module].find(id=f"{module}.{name}")
        assert entry, f"{module}.{name} has no entry"
        is_elsewhere = entry.p.get_text().startswith("The same as")
        assert is_elsewhere or entry.find("pre", "signature").get_text().startswith(name)
        assert is_elsewhere or entry.find("pre", "example"), f"{module}.{name} has no example in its docstring"


@pytest.mark.few(1)
@pytest.mark.parametrize("module", MODULES)
def test_every_example_prints_what_it_says(module, pages, tmp_path, monkeypatch):
    """Interpreted: compiled, the numbers are the same, and the compiler takes its time."""
    monkeypatch.chdir(tmp_path)  # some write a file
    monkeypatch.setattr(choose_body, "can_compile", lambda: False)
    for block in pages[module].find_all("pre", class_="example"):
        names = {}
        exec(pages[module].find("pre", class_="begin").get_text(), names)
        run_example(block, names)


def run_example(block, names):
    """Run what is typed, and compare what is printed; what is typed has a text, as in a notebook."""
    parts = [[tag.get_text() for tag in block.find_all(kind)] for kind in ("code", "samp")]
    examples = [doctest.Example(typed, printed) for typed, printed in zip(*parts, strict=True)]
    where = block.find_parent(id=True)["id"]
    told = []
    done = doctest.DocTestRunner().run(doctest.DocTest(examples, names, where, None, 0, ""), out=told.append)
    assert examples and not done.failed, "".join(told)


def test_no_block_is_of_a_kind_that_is_not_tried(pages):
    for name, page in pages.items():
        kinds = {*BLOCKS, *(IN_THE_MANUAL if (MANUAL / f"{name}.md").is_file() else ())}
        assert {tuple(block["class"]) for block in page.find_all("pre")} <= {(kind,) for kind in kinds}
        assert not page.find_all("pre", class_="example") or page.find("pre", class_="begin")
        for words in texts(page, "listing"):
            assert not is_python(words), words


def is_python(words):
    """Whether something is called there."""
    try:
        return any(isinstance(node, ast.Call) for node in ast.walk(ast.parse(words)))
    except SyntaxError:
        return False


# Games


def test_every_rule_stands_there_once_with_its_mark(pages):
    found = [each for page in pages.values() for each in ids(page)]
    for name in NAMES:
        for rule in crashlab.game(name).rulebook:
            entry = pages[f"rules-{name}"].find("article", id=rule.id)
            assert found.count(rule.id) == 1 and entry.find(class_="mark").get_text() == rule.mark
            assert rule.title in entry.h3.get_text() and entry.p.get_text() == rule.text


@pytest.mark.parametrize("name", NAMES)
def test_the_code_of_a_rule_is_what_runs(name, pages):
    blocks = pages[f"rules-{name}"].find_all("pre", class_="source")
    assert blocks
    for block in blocks:
        assert block.get_text() == crashlab.game(name).source(block.find_parent("article")["id"]).rstrip()


@pytest.mark.parametrize("name", NAMES)
def test_every_position_of_the_text_is_read_and_printed_back(name, pages):
    game = crashlab.game(name)
    blocks = pages[f"notation-{name}"].find_all("pre", class_="position")
    found = [block.get_text() for block in blocks if not block.find_parent("details")]
    assert len(found) >= 2
    for words in found:
        for position in [json.loads(words)] if words.startswith("{") else words.splitlines():
            state = game.read(position, forced=False)
            assert game.read(state.text, forced=False).text == state.text
            assert game.read(state.to_dict(), forced=False) == state


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_read_and_printed_back(name, pages):
    asked = pages[f"notation-{name}"].find_all("div", class_="answers")
    decisions = crashlab.game(name).decisions.DECISIONS
    assert len(asked) == len([each for each in decisions if each.name != "over"])
    for block in asked:
        words = block.find("pre", class_="position").get_text()
        state = crashlab.game(name, players=int(block["data-players"])).read(words)
        assert state.text == words
        for answer in (item.get_text() for item in block.find_all("li")):
            actor = state.game.actor(block["data-seat"])
            assert state.game.say(state.table, actor, state.legal_code(actor, answer)) == answer


def test_the_parts_and_the_decisions_are_those_that_are_declared(pages):
    for name in NAMES:
        game, page = crashlab.game(name), pages[f"notation-{name}"]
        parts = [tag.get_text() for tag in page.find(id="parts").find_next("dl").find_all("dt")]
        assert parts == [part.key for part in game.position.PARTS]
        assert [f"decision-{each.name}" for each in game.decisions.DECISIONS] == [
            each for each in ids(page) if each.startswith("decision-")
        ]


# How to add something


def test_a_game_is_tried_as_the_page_says(pages, tmp_path, monkeypatch):
    """The toy race, from the files of the page, in a folder of its own."""
    page = pages["add-a-game"]
    folder = tmp_path / "bumper"
    folder.mkdir()
    for block in page.find_all("pre", class_=["source", "data"]):
        file = Path(block.find_previous("h3").get_text())
        assert block.get_text() == (ROOT / file).read_text("utf-8").rstrip()
        (folder / file.name).write_text(block.get_text().replace("from toy", "from bumper") + "\n", encoding="utf-8")
    assert {path.name for path in folder.iterdir()} == {path.name for path in (ROOT / "tests/toy").glob("*.*")}
    first, second = texts(page, "python")
    run_in(tmp_path, first)
    assert (tmp_path / "bumper.png").read_bytes().startswith(b"\x89PNG")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(ROOT / "tests/engine")
    exec(second, {"Game": Game})


def run_in(folder, code):
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=PATIENCE, cwd=folder)


@pytest.mark.parametrize("file", ["add-an-agent", "add-a-lesson"])
def test_the_code_of_the_guides_runs(file, pages, tmp_path):
    for code in texts(pages[file], "python"):
        run_in(tmp_path, code)
    for block in pages[file].find_all("pre", class_="source"):  # which tests/test_examples.py runs
        assert block.get_text() == (ROOT / block.find_previous("h3").get_text()).read_text("utf-8").rstrip()


# In a browser


@pytest.mark.slow
@pytest.mark.chromium
def test_a_rule_is_found_by_the_keys_without_a_server(folder, bare_browser):
    page, asked = bare_browser.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((folder / "notation-crash_city.html").as_uri())
    page.keyboard.press("/")
    page.keyboard.type("as-c4")
    page.keyboard.press("Enter")
    page.wait_for_selector("#found a", timeout=1000 * PATIENCE)
    page.keyboard.press("Enter")
    assert re.match("[0-9]+ found for “as-c4”", page.locator("[role=status]").inner_text())
    assert page.locator("#found a").first.inner_text() == "AS-C4 Side crash"
    page.wait_for_function("document.activeElement.closest('#found')", timeout=1000 * PATIENCE)
    page.keyboard.press("Enter")
    page.wait_for_url("**/rules-autoscooter.html#AS-C4", timeout=1000 * PATIENCE)
    assert asked and all(address.startswith(("file:", "data:")) for address in asked)
    page.close()


@pytest.mark.chromium
def test_no_page_is_wider_than_a_phone(folder, bare_browser):
    page = bare_browser.new_page(viewport={"width": 360, "height": 740})
    for path in sorted(folder.glob("*.html"))[:: effort(4, 1)]:
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path.name
    page.close()
