"""`crashlab watch file.py function args --html out.html`: a student's own file, watched from the command line."""

import json
import re

import pytest

from crashlab.cli.main import main

PROGRAM = """
import helper

def total(numbers, start=0):
    amount = start
    for number in numbers:
        amount += helper.twice(number)
    return amount

def failing(word):
    rest = word + "<b>"
    return 1 / 0

def both(first, /, second, *, third=0):
    values = [first, second, third]
    return values

if __name__ == "__main__":
    raise SystemExit("is not run")
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    (tmp_path / "helper.py").write_text("def twice(n):\n    return 2 * n\n", encoding="utf-8")
    (tmp_path / "students_own.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path / "students_own.py"


def film_of(html):
    return json.loads(re.search(r'id="film">(.*?)</script>', html, re.S)[1])


def test_a_page_tells_every_beat(program, tmp_path, capsys):
    out = tmp_path / "out.html"
    assert main(["watch", str(program), "total", "[3, 4]", "1", "--html", str(out)]) == 0
    assert "total, 6 beats" in capsys.readouterr().out
    html = out.read_text("utf-8")
    film = film_of(html)
    beats = film["beats"]
    assert len(beats) == 7 and beats[-1]["words"].endswith("It returned 15.")
    assert beats[-1]["values"] == {"amount": "15"} and film["events"][-1]["text"] == "amount = 15 (was 7)"
    source, line = beats[-1]["line"]
    text = film["sources"][source]["lines"][line - film["sources"][source]["first"]]
    assert text == "        amount += helper.twice(number)"
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")


def test_without_a_page_the_changes_are_printed(program, capsys):
    assert main(["watch", str(program), "total", "[3]", "--watch", "amount"]) == 0
    assert capsys.readouterr().out.startswith("total: 2 changes in 2 beats")


def test_beats_can_be_the_changes_of_one_variable(program, capsys):
    assert main(["watch", str(program), "total", "[3, 4]", "--every", "amount"]) == 0
    assert capsys.readouterr().out.startswith("total: 7 changes in 3 beats")  # the arguments included


def test_a_function_that_fails_has_its_page_and_words_are_no_markup(program, tmp_path):
    out = tmp_path / "out.html"
    assert main(["watch", str(program), "failing", "</script><i>", "--html", str(out)]) == 1
    html = out.read_text("utf-8")
    assert html.count("</script>") == 2 and "<i>" not in html.replace("<\\/script><i>", "")
    assert "ZeroDivisionError" in film_of(html)["beats"][-1]["words"]


@pytest.mark.parametrize(
    "words, message",
    [
        (["nowhere.py", "f"], "there is no file 'nowhere.py'"),
        (["PROGRAM", "totally"], "its functions are: total, failing, both"),
        (["PROGRAM", "total", "[]", "--watch", "amuont"], "did you mean 'amount'"),
        (["PROGRAM", "total", "[]", "--every", "amuont"], "did you mean 'amount'"),
        (["PROGRAM", "total", "[1,"], "'[1,' is not a Python value; put text in quotes"),
        (["PROGRAM", "total", "numbers={1"], "'{1' is not a Python value"),
        (["PROGRAM", "total"], "total(numbers, start=0): missing a required argument: 'numbers'"),
        (["PROGRAM", "total", "1", "2", "3"], "total(numbers, start=0): too many positional arguments"),
        (["PROGRAM", "total", "1", "numbers=2"], "multiple values for argument 'numbers'"),
    ],
)
def test_what_cannot_be_watched_is_told_in_a_sentence(program, words, message, capsys):
    assert main(["watch", *(str(program) if word == "PROGRAM" else word for word in words)]) == 2
    output = capsys.readouterr()
    assert message in output.err and output.out == ""


def test_arguments_are_given_by_place_and_by_name_and_what_is_no_parameter_is_text(program, capsys):
    assert main(["watch", str(program), "both", "first=1", "second=[2]", "third='[3]'"]) == 0
    assert capsys.readouterr().out.endswith("both returned ['first=1', [2], '[3]']\n")
