"""The book: every lesson as a page that loads nothing, whose films play and whose questions are asked."""

import json
import re
import subprocess
import sys

import pytest
from bs4 import BeautifulSoup
from checkout import ROOT
from lab_in_chromium import COVERED
from patience import PATIENCE

pytestmark = pytest.mark.slow

BUILD = ROOT / "binder" / "site" / "book.py"
LESSONS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
MOST_BYTES = 3_000_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("book")
    subprocess.run([sys.executable, BUILD, out], check=True, timeout=PATIENCE, cwd=ROOT)
    return out


@pytest.fixture
def opened(folder, offline):
    """Opens a lesson."""
    return lambda name: offline(folder / f"{name}.html")


def test_every_lesson_is_a_small_page_with_links_that_lead_somewhere(folder):
    assert sorted(path.stem for path in folder.glob("*.html")) == sorted([*LESSONS, "index"])
    for path in folder.glob("*.html"):
        assert path.stat().st_size <= MOST_BYTES, path.name
        page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for link in page.find_all("a", href=True):
            file = link["href"].partition("#")[0]
            assert not file or (folder / file).is_file() or file.startswith("http"), (path.name, file)
        for image in page.find_all("img"):
            assert image["src"].startswith("data:") or (folder / image["src"]).is_file(), (path.name, image["src"])
            assert image["alt"].strip(), path.name
        if path.stem != "index":
            run = [link["href"] for link in page.select(".run a")]
            assert len(run) == 2 and all(f"{path.stem}.ipynb" in each for each in run)


def test_the_heading_of_a_lesson_is_its_title_alone(folder):
    for name in LESSONS:
        page = BeautifulSoup((folder / f"{name}.html").read_text("utf-8"), "html.parser")
        lesson = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
        said = "".join(lesson["cells"][0]["source"]).splitlines()[0].removeprefix("# ").partition(" [!")[0]
        assert [each.get_text().rstrip("¶") for each in page.find_all("h1")] == [said]


def test_exercises_and_boards_say_that_they_need_python(folder):
    page = BeautifulSoup((folder / "10a_angles_and_crashes.html").read_text("utf-8"), "html.parser")
    needs = [each.get_text() for each in page.select(".needs")]
    cells = json.loads((ROOT / "notebooks" / "10a_angles_and_crashes.ipynb").read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    exercises = sum("crashlab.check(" in text for text in code)
    assert sum("This exercise needs Python" in each for each in needs) == exercises > 0
    assert any("To play with this needs Python" in each for each in needs)


def test_formulas_are_shown_by_the_browser(folder):
    for name in ("10a_angles_and_crashes", "30a_how_sure", "45_chance", "46_tree_search", "48_learning"):
        text = (folder / f"{name}.html").read_text("utf-8")
        prose = re.sub("(?s)<math.*?</math>|<pre.*?</pre>|<iframe.*?>", "", text)
        assert "<math" in text and not re.search(r"\$\$|\\frac|\\sqrt|\\text", prose)
        assert "\\" not in "".join(re.findall("(?s)<math.*?</math>", text))


@pytest.mark.chromium
def test_films_play_and_questions_are_asked(opened):
    page = opened("10a_angles_and_crashes")
    assert page.locator(".crashlab-film").count() >= 5
    asking = next(frame for frame in frames(page) if frame.locator(".quiz b").count())
    while asking.locator(".quiz b").count():
        asking.locator(".quiz button").first.click()
    asking.locator(".quiz .verdict.right, .quiz .verdict.wrong").first.wait_for()
    asking.get_by_text(re.compile(r"\d of \d right")).wait_for()
    telling = next(frame for frame in frames(page) if not frame.locator(".quiz:not(.hidden)").count())
    telling.get_by_label("One beat on (→)").click()
    assert telling.locator(".count").inner_text().startswith("1 ")
    telling.locator("li button").last.click()
    assert "because" in telling.locator(".why").inner_text()


def frames(page):
    """The films, as far as they have been looked at."""
    for place in range(page.locator(".crashlab-film iframe").count()):
        page.locator(".crashlab-film iframe").nth(place).scroll_into_view_if_needed()
        frame = page.frame_locator(".crashlab-film iframe").nth(place)
        frame.locator("canvas").wait_for()
        yield frame
    assert page.evaluate(COVERED)  # the film stands in the place of the picture


@pytest.mark.chromium
def test_watched_functions_play_with_their_source(opened):
    page = opened("42_union_find_and_hashing")
    frame = next(frame for frame in frames(page) if frame.locator(".code > button").count())
    frame.get_by_label("One beat on (→)").click()
    frame.locator(".code .lit").wait_for()


@pytest.mark.chromium
def test_no_page_is_wider_than_a_phone(folder, bare_browser):
    page = bare_browser.new_page(viewport={"width": 390, "height": 844})
    for path in sorted(folder.glob("*.html")):
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path.name
    page.close()
