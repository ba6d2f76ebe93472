"""`%load_ext crashlab`, `%watch` and `%%watch`: cells and calls of a notebook run unchanged and are recorded."""

import re
import subprocess
import sys

import pytest

pytest.importorskip("ipycanvas")

from IPython.core.interactiveshell import InteractiveShell

from crashlab import CrashlabError
from crashlab.lab import Watch
from crashlab.lab.magics import OPTIONS


@pytest.fixture
def shell():
    instance = InteractiveShell()
    instance.run_line_magic("load_ext", "crashlab")
    return instance


def test_a_cell_is_run_as_it_is_and_watched(shell):
    result = shell.run_cell("%%watch\nrow = [3, 1]\nrow.sort()\ntotal = 0\nfor n in row:\n    total += n\ntotal * 2")
    assert result.success and shell.user_ns["row"] == [1, 3] and shell.user_ns["total"] == 4
    assert shell.user_ns["_"] == 8
    film = shell.user_ns["_watch"].film
    changes = [(event.target, event.after) for event in film.events]
    assert changes[:4] == [("row", [3, 1]), ("row[0]", 1), ("row[1]", 3), ("total", 0)]
    assert film.events[-1].words == "total = 4 (was 1)" and film.events[-1].source == "total += n"
    assert film.sources[0].lines[0] == "row = [3, 1]"
    assert "_crashlab_last" not in shell.user_ns
    assert shell.user_ns["_watch"].beat == 1  # the first beat with something to see


@pytest.mark.parametrize("line", ["--predict --poll", "--poll", "--poll --every total"])
def test_a_class_votes_on_what_comes_next(shell, line):
    cell = "total = 0\nfor n in [3, 1]:\n    total += n"
    assert shell.run_cell(f"%%watch {line}\n{cell}").success
    shell.run_cell(f"def added():\n    {cell.replace(chr(10), chr(10) + '    ')}")
    of_a_call = shell.run_line_magic("watch", f"{line} added()")
    for film in (shell.user_ns["_watch"], of_a_call):
        assert film.quiz.quiz.is_poll and film.counts == {}  # nothing is asked at the first beat
    shell.run_cell(f"%%watch --predict\n{cell}")
    assert not shell.user_ns["_watch"].quiz.quiz.is_poll


def test_the_flags_of_the_magic_are_those_that_its_help_tells(shell, capsys):
    shell.run_line_magic("watch", "--help")
    usage = capsys.readouterr().out
    assert all(name in usage and name in shell.find_line_magic("watch").__doc__ for name in OPTIONS if name[0] == "-")


def test_functions_of_this_and_other_cells_are_watched(shell):
    shell.run_cell("def twice(n):\n    double = 2 * n\n    return double")
    shell.run_cell(
        "%%watch --watch double,triple,got\ndef three(n):\n    triple = twice(n) + n\n    return triple\ngot = three(2)"
    )
    film = shell.user_ns["_watch"].film
    assert [(event.name, event.after) for event in film.events] == [("double", 4), ("triple", 6), ("got", 6)]
    assert film.events[1].sentence == "triple = 6 because twice(2) returns 4 and n is 2"
    assert [film.events[cause.event].words for cause in film.events[2].causes] == ["triple = 6"]


def test_a_cell_that_is_run_again_tells_nothing_of_the_time_before(shell):
    for _ in range(2):
        shell.run_cell("%%watch\nrow = [1]\nrow.append(2)\nprint(row)")
        film = shell.user_ns["_watch"].film
        assert [event.words for event in film.events] == ["row = [1]", "row[1] = 2"]


def test_an_error_is_the_last_beat_and_is_raised(shell):
    result = shell.run_cell("%%watch\na = 1\nb = a / 0")
    assert isinstance(result.error_in_exec, ZeroDivisionError)
    assert shell.user_ns["_watch"].film.events[-1].name == ""


def test_the_traceback_is_that_of_the_cell_without_the_magic(shell):
    tracebacks = []
    shell._showtraceback = lambda kind, error, lines: tracebacks.append(
        [line.partition(", in half")[0] for line in lines]
    )
    shell.run_cell("def half(n):\n    return n / 0", store_history=True)
    for magic in ("", "%%watch\n"):
        for mode in ("Context", "Verbose", "Plain", "Minimal"):
            shell.InteractiveTB.set_mode(mode)
            shell.run_cell(f"{magic}a = 1\nfor i in range(2):\n    b = half(a)\nb", store_history=True)
    plain, watched = tracebacks[:4], tracebacks[4:]
    for before, after in zip(plain, watched, strict=True):
        text = "\n".join(after)
        assert "magics.py" not in text and "run_cell_magic" not in text and len(after) == len(before)
    number = int(re.search(r"<ipython-input-(\d+)-[^>]*>:3", "\n".join(plain[0]))[1])
    again = "\n".join(watched[0]).replace(f"<ipython-input-{number + 4}-", f"<ipython-input-{number}-")
    assert again == "\n".join(plain[0])


def test_a_call_is_watched(shell):
    shell.run_cell("def fib(n, *, deep=1):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nnumbers = [4]")
    shell.run_cell("panel = get_ipython().run_line_magic('watch', '--watch n fib(*numbers, deep=2)')")
    panel = shell.user_ns["panel"]
    assert type(panel) is Watch and panel.film.result == 3 and panel.film.counts.names == {"n": 9}


@pytest.mark.parametrize("line", ["", "3 + 4", "fib(", "--watch", "--weather x f(3)", "--show '{ f(3)"])
def test_what_cannot_be_watched_is_refused(shell, line):
    with pytest.raises(CrashlabError, match="watch"):
        shell.run_line_magic("watch", line)


@pytest.mark.parametrize("option", ["--show {'a': 3", '--show {"a": 3}', "--show {'a':bras}", "--max-events 2,000x"])
def test_an_option_that_is_no_python_is_refused_with_the_usage(shell, option):
    with pytest.raises(CrashlabError, match=r"cannot be understood .*: write %%watch"):
        shell.run_cell_magic("watch", option, "a = 1")
    assert "a" not in shell.user_ns


@pytest.mark.parametrize("line", ["--watch a,b", "--watch a, b", "--watch a,  b --every b", "--watch 'a, b'"])
def test_names_to_watch_can_stand_apart(shell, line):
    assert shell.run_cell(f"%%watch {line}\na = 1\nb = 2\nc = 3").success
    assert [event.name for event in shell.user_ns["_watch"].film.events] == ["a", "b"]


@pytest.mark.parametrize("cell", ["%watch -h", "%watch --help", "%%watch -h\na = 1"])
def test_the_usage_is_printed_when_it_is_asked_for(shell, cell, capsys):
    assert shell.run_cell(cell).success and "a" not in shell.user_ns
    assert capsys.readouterr().out.startswith("%%watch [--watch a,b]")


@pytest.mark.parametrize("line", ["--watch=n fib(3)", "--watch n --max-events=90 fib(3)", "--tests fib( 3 )"])
def test_options_are_written_as_usual(shell, line):
    shell.run_cell("def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)")
    assert shell.run_line_magic("watch", line).film.result == 2


def test_a_view_is_one_though_the_notebook_has_a_variable_of_its_name(shell):
    shell.run_cell("table = 3")
    assert shell.run_cell("%%watch --show \"{'a': table}\"\na = [1]\na.append(2)").success
    assert list(shell.user_ns["_watch"].story.views) == ["a"]


def test_what_is_no_view_is_refused_before_the_cell_is_run_and_a_film_is_not_lost(shell):
    with pytest.raises(CrashlabError, match="give on_board"):
        shell.run_cell_magic("watch", "--show {'a':3}", "a = 1")
    assert "a" not in shell.user_ns
    with pytest.raises(CrashlabError, match="there is no variable 'b'"):
        shell.run_cell_magic("watch", "--show {'b':bars}", "a = 1")
    assert shell.user_ns["a"] == 1 and shell.user_ns["_watch"].film.beats == 1


def test_views_are_known(shell):
    shell.run_cell("%%watch --show \"{'row': bars}\"\nrow = [3, 1]\nrow.sort()")
    assert list(shell.user_ns["_watch"].story.views) == ["row"]


def test_watch_alone_needs_neither_games_nor_numpy_nor_widgets():
    code = (
        "import sys, crashlab.watch; print([m for m in sys.modules if m.startswith('crashlab.games.') or "
        "m.split('.')[0] in ('numpy', 'ipywidgets', 'ipycanvas', 'PIL', 'IPython')])"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == "[]"
