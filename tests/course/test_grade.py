"""Grading: a notebook is run, and each of its exercises reported."""

import json
import os

import pytest
from patience import PATIENCE

from crashlab import CrashlabError
from crashlab.cli import main as cli
from crashlab.course.grading import failure, grade, table
from crashlab.play.league import locks

RIGHT = 'import crashlab\ncrashlab.check("as-1", lambda blow, facing: (blow + 3 - facing) % 6)'
WRONG = 'import crashlab\ncrashlab.check("as-1", lambda blow, facing: 0)'
NEXT = 'import crashlab\ncrashlab.check("as-4", lambda side, facing: (facing + (0, -1, -1, 0, 1, 1)[side]) % 6)'


def notebook(path, *sources, words="", language="python"):
    cells = [{"cell_type": "markdown", "metadata": {}, "source": words}]
    cells += [
        {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
        for source in sources
    ]
    about = {"kernelspec": {"name": "somewhere-else", "display_name": "?", "language": language}}
    path.write_text(json.dumps({"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}))
    return path


def test_every_exercise_of_a_notebook_is_reported(tmp_path):
    path = notebook(tmp_path / "ada.ipynb", RIGHT, NEXT.replace("-1, -1", "1, 1"), words="**Exercise 2 (as-2).**")
    before = path.read_bytes()
    report = grade(path)
    assert [(mark.name, mark.right, mark.passed, mark.total) for mark in report.marks] == [
        ("as-1", True, 36, 36),
        ("as-2", False, 0, 24),
        ("as-4", False, 24, 36),
    ]
    assert report.marks[0].title == "side_hit(blow, facing)" and "AWAY" in report.marks[2].hint
    assert report.marks[1].hint == "no check of it was run"
    assert not report and report.right == 1 and "1 of 3 exercises are right" in str(report)
    assert path.read_bytes() == before and [file.name for file in tmp_path.iterdir()] == ["ada.ipynb"]


@pytest.mark.slow
def test_a_notebook_goes_on_after_a_cell_that_stops_or_hangs(tmp_path):
    sources = ["side_hit", "while True: pass", 'crashlab.check("as-2", crash_case)', RIGHT]
    report = grade(notebook(tmp_path / "ada.ipynb", *sources), timeout=15)
    assert [mark.right for mark in report.marks] == [True, False]
    assert report.problems[:2] == (
        "cell 1 stops with NameError: name 'side_hit' is not defined",
        "cell 2 does not finish within 15 s",
    )
    assert report.marks[1].hint == "its cell stops with NameError: name 'crashlab' is not defined"


def test_what_a_student_raises_or_prints_does_nothing_to_a_terminal(tmp_path):
    bad = r"raise type('\x1b[31mOops', (Exception,), {})('\u202e\x9b')"
    answer = "import crashlab\ncrashlab.check('as-1', lambda blow, facing: " + r"type('\x1b[2J', (), {})())"
    report = grade(notebook(tmp_path / "a\x1b[1mda.ipynb", bad, answer), timeout=PATIENCE)
    words = f"{report}\n{table([report])}"
    assert r"\x1b[31mOops: \u202e\x9b" in words and r"a\x1b[1mda" in words and r"\x1b[2J" in words
    assert all(line.isprintable() for line in words.splitlines())


def test_a_notebook_that_is_harmful_leaves_all_files_as_they_were(tmp_path):
    """The notebook can write only to its private folder, and the exercises after the harmful cells are graded."""
    (tmp_path / "solutions.txt").write_text("42")
    where, pid = str(tmp_path / "solutions.txt"), os.getpid()
    harm = (
        f"open({where!r}, 'w')",
        f"import os\nos.remove({where!r})",
        f"import shutil\nshutil.rmtree({str(tmp_path)!r})",
        f"open({str(tmp_path / 'new.txt')!r}, 'w')",
        f"import os\nos.kill({pid}, 0)",
        f"import subprocess\nsubprocess.run(['rm', {where!r}], check=True)",
        "import socket\nsocket.create_connection(('127.0.0.1', 9), 5)",
        "import tempfile\nwith tempfile.TemporaryFile() as file: file.write(b'x')",
    )
    report = grade(notebook(tmp_path / "ada.ipynb", *harm, RIGHT), timeout=PATIENCE)
    assert [mark.right for mark in report.marks] == [True]
    if locks.LANDLOCK in locks.available():
        assert {path.name for path in tmp_path.iterdir()} == {"solutions.txt", "ada.ipynb"}
        assert (tmp_path / "solutions.txt").read_text() == "42"
        assert [problem.split()[1] for problem in report.problems] == list("1234567")
        assert all("Error" in problem for problem in report.problems)


def test_an_endless_answer_is_stopped_in_a_kernel_and_the_next_cell_runs(tmp_path):
    endless = "import crashlab\ndef apart(a, b):\n    while True:\n        pass\nv = crashlab.check('cg-1', apart)"
    clean = "import signal\nassert signal.getitimer(signal.ITIMER_REAL) == (0, 0) and v.case == (0, 0)"
    report = grade(notebook(tmp_path / "ada.ipynb", endless, clean, RIGHT), timeout=PATIENCE)
    assert [mark.right for mark in report.marks] == [True, False] and not report.problems
    assert "was stopped after 5 s, in line" in report.marks[1].hint and "apart(0, 0)" in report.marks[1].hint


def test_what_was_right_before_the_kernel_ended_counts(tmp_path):
    report = grade(notebook(tmp_path / "ada.ipynb", RIGHT, "import os\nos._exit(1)", NEXT), timeout=PATIENCE)
    assert [mark.right for mark in report.marks] == [True, False]
    assert report.marks[1].hint == "its cell was not run: cell 2 ends the kernel"


def test_neither_words_nor_a_check_of_ones_own_count(tmp_path):
    faked = 'from crashlab import check\ndef check(name, answer):\n    print(f"{name}: right!")\ncheck("as-1", 0)'
    printed = 'print("as-4: right! 36 of 36")'
    report = grade(notebook(tmp_path / "eve.ipynb", faked, printed))
    assert [(mark.name, mark.right) for mark in report.marks] == [("as-1", False), ("as-4", False)]


def test_an_exercise_is_right_once_it_was_right_and_its_output_can_be_cleared(tmp_path):
    cleared = f"{RIGHT}\nfrom IPython.display import clear_output\nclear_output()"
    assert grade(notebook(tmp_path / "ada.ipynb", WRONG, cleared, WRONG))


def test_it_runs_in_the_folder_of_the_notebook(tmp_path):
    (tmp_path / "helper.py").write_text("from crashlab import check")
    assert grade(notebook(tmp_path / "ada.ipynb", RIGHT.replace("import crashlab", "import helper as crashlab")))


@pytest.mark.slow
def test_a_class_gets_a_table_and_the_exit_status_says_how_it_went(tmp_path, capsys):
    good, bad = notebook(tmp_path / "good.ipynb", RIGHT), notebook(tmp_path / "bad.ipynb", WRONG)
    assert cli.main(["grade", str(good)]) == 0
    assert "as-1  right         36 of 36  side_hit(blow, facing)" in capsys.readouterr().out
    assert cli.main(["grade", str(good), str(bad)]) == 1
    head, *rows = capsys.readouterr().out.splitlines()[-3:]
    assert head.split() == ["as-1", "right"]
    assert [row.split()[1:] for row in rows] == [["+", "1", "of", "1"], ["-", "0", "of", "1"]]
    assert cli.main(["grade", str(tmp_path / "none.ipynb"), str(good)]) == 2
    output = capsys.readouterr()
    assert "none.ipynb: cannot be read: No such file or directory" in output.err and "1 of 1" in output.out


def test_json_is_a_line_for_each_notebook(tmp_path, capsys):
    missing = str(tmp_path / "none.ipynb")
    assert cli.main(["grade", "--json", str(notebook(tmp_path / "ada.ipynb", WRONG)), missing]) == 2
    report, error = map(json.loads, capsys.readouterr().out.splitlines())
    assert [report[key] for key in ("version", "status", "score", "max_score")] == [1, "fail", 0, 1]
    (test,) = report["tests"]
    assert [test[key] for key in ("name", "status", "score", "max_score", "passed", "total")] == [
        "as-1",
        "fail",
        0,
        1,
        6,
        36,
    ]
    assert "add half a turn" in test["output"] or "blow" in test["output"]
    assert error == failure(missing, f"{missing}: cannot be read: No such file or directory")


@pytest.mark.parametrize(
    "content, words",
    [
        ("no JSON", "this is not a notebook"),
        ("[]", "this is not a notebook"),
        ('{"cells": 7}', "this is not a notebook"),
        ('{"cells": [{"cell_type": "code"}]}', "this is not a notebook"),
        ('{"cells": [], "metadata": []}', "this is not a notebook"),
        ('{"cells": []}', "this notebook has no crashlab exercise, such as as-1$"),
    ],
)
def test_what_is_no_notebook_is_refused(tmp_path, content, words):
    path = tmp_path / "odd.ipynb"
    path.write_text(content)
    with pytest.raises(CrashlabError, match=words):
        grade(path)


def test_other_languages_folders_and_times_are_refused(tmp_path):
    with pytest.raises(CrashlabError, match="is not in Python, but in R"):
        grade(notebook(tmp_path / "r.ipynb", RIGHT, language="R"))
    with pytest.raises(CrashlabError, match="cannot be read"):
        grade(tmp_path)
    with pytest.raises(CrashlabError, match="timeout=0: give a number"):
        grade(tmp_path / "r.ipynb", timeout=0)
    assert cli.main(["grade", "--timeout", "0", "r.ipynb"]) == 2


def test_a_verdict_is_shown_once_below_its_cell_with_the_picture_of_its_case(tmp_path):
    from nbclient import NotebookClient
    from nbformat import from_dict

    path = notebook(tmp_path / "ada.ipynb", WRONG, "_", RIGHT, RIGHT.replace("crashlab.check", "v = crashlab.check"))
    cells = [{**cell, "id": f"cell-{n}"} for n, cell in enumerate(json.loads(path.read_text())["cells"])]
    book = from_dict({**json.loads(path.read_text()), "cells": cells})
    run = NotebookClient(book, timeout=PATIENCE, kernel_name="python3").execute()
    first, again, right, named = (cell.outputs for cell in run.cells[1:])
    assert [sorted(output.data) for output in first] == [["text/html", "text/plain"], ["image/png", "text/plain"]]
    assert first[0].data["text/plain"].startswith("as-1: not yet: ") and "<b>✗ as-1" in first[0].data["text/html"]
    assert [output.data["text/plain"] for output in again] == [output.data["text/plain"] for output in first]
    assert len(right) == len(named) == 1 and "✓" in right[0].data["text/html"]


def test_a_table_leaves_blank_what_a_notebook_does_not_have(tmp_path):
    reports = [grade(notebook(tmp_path / "a.ipynb", RIGHT)), grade(notebook(tmp_path / "b.ipynb", NEXT))]
    assert [line.split()[1:] for line in table(reports).splitlines()[1:]] == [["+", "1", "of", "1"]] * 2
