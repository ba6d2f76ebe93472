"""Every notebook is stored in a good state: run in order, clean, described, and not too large."""

import json
import re
import subprocess
import sys
from functools import cache

import pytest
from checkout import ROOT, TESTS
from patience import PATIENCE

from crashlab.course.exercises import CHECKS

FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_BYTES = 2**20  # including films

BOARD = "application/vnd.crashlab.panel+json"  # MIME type of our stored widgets
START, TEACHERS = FOLDER / "00_start_here.ipynb", FOLDER / "01_for_teachers.ipynb"
MORE = FOLDER / "02_more_for_teachers.ipynb"
GALLERIES = sorted(FOLDER.glob("5*.ipynb"))
LESSONS = [path for path in NOTEBOOKS if path not in (START, TEACHERS, MORE, *GALLERIES)]
FEWEST_CELLS, MOST_CELLS, MOST_OF_ALGORITHMS = 20, 45, 40
MOST_WORDS = 60  # before the first board
MOST_WORDS_FOR_TEACHERS = 1500

each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.name)
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)


RUN = TESTS / "tools" / "run_notebooks.py"


@cache
def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def source(cell):
    return "".join(cell["source"])


def tags(cell):
    return cell["metadata"].get("tags", [])


def code(path):
    return [cell for cell in read(path)["cells"] if cell["cell_type"] == "code"]


def kinds(cell):
    """Return the MIME types of a code cell's output."""
    return {kind for output in cell["outputs"] for kind in output.get("data", {})}


def prose(path):
    return "\n\n".join(source(cell) for cell in read(path)["cells"] if cell["cell_type"] == "markdown")


def exercises(path):
    """Return the names of the exercises that a notebook checks."""
    return re.findall(r"""check\(["']([\w-]+)["']""", "\n".join(map(source, code(path))))


def test_the_first_cell_of_the_first_notebook_is_a_board_and_little_is_read_before_it():
    before = []
    for cell in read(START)["cells"]:
        if cell["cell_type"] == "code":
            break
        before.append(re.sub(r"\[!\[.*?\)\]\(.*?\)", "", source(cell)))  # without the badge
    assert len(re.findall(r"\w+", " ".join(before))) <= MOST_WORDS
    first = code(START)[0]
    assert BOARD in kinds(first)
    assert source(first).startswith("import crashlab")


def test_the_page_for_teachers_is_read_in_ten_minutes_and_leads_to_the_rest():
    assert len(prose(TEACHERS).split()) <= MOST_WORDS_FOR_TEACHERS
    assert f"]({MORE.name})" in prose(TEACHERS) and f"]({TEACHERS.name})" in prose(MORE)


@each_lesson
def test_a_lesson_has_the_size_of_a_lesson_and_begins_with_the_rules_and_a_board(path):
    most = MOST_OF_ALGORITHMS if path.name.startswith("4") else MOST_CELLS
    assert FEWEST_CELLS <= len(read(path)["cells"]) <= most
    rules, board = code(path)[:2]
    assert ".poster(" in source(rules).splitlines()[-1] and "image/png" in kinds(rules)
    assert BOARD in kinds(board)


@each_notebook
def test_its_badge_opens_it(path):
    badge = re.search(r"\]\(https://mybinder\.org/\S+/notebooks/(\S+)\)", source(read(path)["cells"][0]))
    assert badge and badge[1] == path.name


@each_lesson
def test_a_lesson_says_what_it_is_for_what_is_needed_and_where_to_go(path):
    first, last = source(read(path)["cells"][0]), source(read(path)["cells"][-1])
    for words in ("**You will be able to**", "**Time**", "**Lessons before**", "**Python you need**"):
        assert words in first
    assert "**Next:**" in last
    assert START.name in last


@each_lesson
def test_the_sections_of_a_lesson_are_counted_from_1(path):
    numbers = [int(number) for number in re.findall(r"^## (\d+) ", prose(path), re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1)) and len(numbers) >= 3


@each_lesson
def test_a_lesson_marks_what_goes_beyond_45_minutes_and_has_a_cost_and_a_reason_why_it_is_right(path):
    time, text = re.search(r"\*\*Time\*\* (.*?) \*\*Lessons before", source(read(path)["cells"][0]))[1], prose(path)
    assert time.startswith("45 minutes") and "marked *Further*" in time
    marked = {int(number) for number in re.findall(r"^## (\d+) Further", text, re.MULTILINE)}
    assert marked or re.search("^### Further", text, re.MULTILINE)
    if named := re.search(r"sections? (\d)(?: (?:to|and) (\d))? (?:is|are) marked", time):
        assert marked == set(range(int(named[1]), int(named[2] or named[1]) + 1))
    assert "O(" in text and re.search("Why it is right|\u220e", text)


def test_every_exercise_is_in_one_lesson_and_the_teachers_table_says_in_which():
    assert sorted(name for path in LESSONS for name in exercises(path)) == sorted(CHECKS)
    rows = [row for row in prose(TEACHERS).splitlines() if row.startswith("| [")]
    listed = {re.search(r"\]\((\S+)\)", row)[1]: row.split("|")[-2].strip() for row in rows}
    assert listed == {path.name: ", ".join(exercises(path)) for path in LESSONS}


def test_the_first_notebook_leads_to_every_lesson():
    assert all(f"]({path.name})" in prose(START) for path in [*LESSONS, *GALLERIES, TEACHERS])


def test_every_algorithm_of_the_galleries_is_watched_and_has_its_cost_a_question_and_why_it_is_right():
    cells = [cell for path in GALLERIES for cell in read(path)["cells"]]
    titled = [number for number, cell in enumerate(cells) if source(cell).startswith("### ")]
    assert len(titled) >= 20
    for number in titled:
        said, code = source(cells[number]), cells[number + 1]
        assert "**Cost** O(" in said and "**Predict:**" in said and "Why it is right" in said
        assert source(code).split("\n")[-1].startswith("Watch(") and BOARD in kinds(code)


@each_notebook
def test_every_code_cell_was_run_in_order(path):
    assert all(source(cell).strip() for cell in code(path)), "an empty code cell"
    assert [cell["execution_count"] for cell in code(path)] == list(range(1, len(code(path)) + 1))


@each_notebook
def test_no_error_but_where_it_is_the_lesson(path):
    for cell in code(path):
        failed = any(output["output_type"] == "error" for output in cell["outputs"])
        assert failed <= ("raises-exception" in tags(cell)), source(cell)


@each_notebook
def test_nothing_of_the_machine_is_stored(path):
    metadata = read(path)["metadata"]
    assert "widgets" not in metadata
    assert metadata["kernelspec"]["name"] == "python3"
    stored = [kind for cell in code(path) for output in cell["outputs"] for kind in output.get("data", {})]
    assert "application/vnd.jupyter.widget-view+json" not in stored, "run `make notebooks`"
    assert not any("execution" in cell["metadata"] for cell in code(path)), "run `make notebooks`"


@each_notebook
def test_every_cell_has_an_id_of_its_own(path):
    ids = [cell.get("id") for cell in read(path)["cells"]]
    assert all(ids)
    assert len(set(ids)) == len(ids)


@each_notebook
def test_it_begins_with_its_title(path):
    first = read(path)["cells"][0]
    assert first["cell_type"] == "markdown"
    assert re.match(r"# \S", source(first))


@each_notebook
def test_every_picture_in_the_prose_is_described(path):
    for cell in read(path)["cells"]:
        if cell["cell_type"] == "markdown":
            assert not re.search(r"!\[\s*\]\(", source(cell)), source(cell)
            for image in re.findall(r"<img\b[^>]*>", source(cell)):
                assert re.search(r"""\balt=["'][^"']""", image), image


@each_notebook
def test_the_pictures_and_notebooks_that_it_links_travel_with_it(path):
    for cell in read(path)["cells"]:
        if cell["cell_type"] == "markdown":
            for link in re.findall(r"\]\(([^)#:\s]+)[^):]*\)", source(cell)):
                assert (FOLDER / link).exists() and (FOLDER / link).resolve().is_relative_to(FOLDER), link


@each_notebook
def test_it_is_small_and_ends_as_a_text_file_does(path):
    content = path.read_bytes()
    assert len(content) <= MOST_BYTES
    assert b"\r" not in content
    assert content.endswith(b"}\n")


@pytest.mark.slow
def test_running_again_changes_nothing_and_saves_no_widget(tmp_path):
    sources = ["import ipywidgets\nipywidgets.Button()", "1 / 0", "for i in range(3): print(i)"]
    cells = [
        {"cell_type": "code", "metadata": {}, "source": text, "outputs": [], "execution_count": None}
        for text in sources
    ]
    cells[1]["metadata"] = {"tags": ["raises-exception"], "execution": {"iopub.status.busy": "then"}}
    path = tmp_path / "toy.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))

    output = subprocess.check_output([sys.executable, RUN, path, path], timeout=PATIENCE, text=True)
    assert [line.split()[-3] for line in output.splitlines()] == ["rewritten,", "unchanged,"]
    button, failure, words = json.loads(path.read_text("utf-8"))["cells"]
    assert list(button["outputs"][0]["data"]) == ["text/plain"]
    assert failure["outputs"][0]["ename"] == "ZeroDivisionError"
    assert failure["metadata"] == {"tags": ["raises-exception"]}
    assert words["outputs"][0]["text"] == ["0\n", "1\n", "2\n"]
    assert [words["id"], words["execution_count"]] == ["cell-02", 3]
