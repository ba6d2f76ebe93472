"""The `crashlab` command: its output, its errors, and notebooks that are never overwritten once changed."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest
from checkout import ROOT
from patience import PATIENCE

import crashlab
from crashlab.adapters import batch_env
from crashlab.cli import lab
from crashlab.cli import main as cli


def crashlab_command(*words, **options):
    return subprocess.run([sys.executable, "-m", "crashlab", *words], timeout=PATIENCE, **options)


@pytest.fixture
def folders(tmp_path):
    """Return folders of delivered notebooks, which a test may update, and of a user's copies."""
    source, target = tmp_path / "delivered", tmp_path / "copies"
    (source / "images").mkdir(parents=True)
    (source / "00_start_here.ipynb").write_text("start, first version")
    (source / "10_game.ipynb").write_text("game, first version")
    (source / "images" / "board.png").write_bytes(b"picture")
    (source / ".ipynb_checkpoints").mkdir()
    (source / ".ipynb_checkpoints" / "old.ipynb").write_text("not for anybody")
    return source, target


# Notebooks


def test_all_notebooks_are_copied_and_nothing_hidden(folders):
    source, target = folders
    assert lab.copy_notebooks(source, target) == []
    copied = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    assert copied == {"00_start_here.ipynb", "10_game.ipynb", "images/board.png", lab.MANIFEST}


def test_a_changed_notebook_is_kept_and_named_and_an_untouched_one_is_updated(folders):
    source, target = folders
    lab.copy_notebooks(source, target)
    (target / "10_game.ipynb").write_text("my answers")
    for name in ("00_start_here.ipynb", "10_game.ipynb"):
        (source / name).write_text("second version")
    for _ in range(2):
        assert lab.copy_notebooks(source, target) == ["10_game.ipynb"]
        assert (target / "10_game.ipynb").read_text("utf-8") == "my answers"
        assert (target / "00_start_here.ipynb").read_text("utf-8") == "second version"


def test_a_deleted_notebook_comes_back_and_files_of_the_user_stay(folders):
    source, target = folders
    lab.copy_notebooks(source, target)
    (target / "10_game.ipynb").unlink()
    (target / "mine.ipynb").write_text("mine")
    assert lab.copy_notebooks(source, target) == []
    assert (target / "10_game.ipynb").read_text("utf-8") == "game, first version"
    assert (target / "mine.ipynb").read_text("utf-8") == "mine"


@pytest.mark.parametrize("manifest", [None, "not JSON", "[1]", "7", '"ab"'])
def test_without_a_manifest_whatever_differs_is_kept(folders, manifest):
    source, target = folders
    lab.copy_notebooks(source, target)
    (source / "10_game.ipynb").write_text("second version")
    if manifest is None:
        (target / lab.MANIFEST).unlink()
    else:
        (target / lab.MANIFEST).write_text(manifest)
    assert lab.copy_notebooks(source, target) == ["10_game.ipynb"]
    assert (target / "10_game.ipynb").read_text("utf-8") == "game, first version"


def test_the_delivered_notebooks_are_their_own_copies(folders):
    source, _ = folders
    before = {path: path.read_bytes() for path in source.rglob("*") if path.is_file()}
    assert lab.copy_notebooks(source, source) == []
    assert {path: path.read_bytes() for path in source.rglob("*") if path.is_file()} == before


def test_the_copies_have_not_been_run_and_one_that_the_user_has_run_is_kept(folders):
    source, target = folders
    cell = {"cell_type": "code", "source": ["6 * 7"], "outputs": [{"output_type": "stream"}], "execution_count": 1}
    run = json.dumps({"cells": [cell, {"cell_type": "markdown", "source": ["Why, ÄÖÜ?"]}], "nbformat": 4})
    (source / "10_game.ipynb").write_text(run, encoding="utf-8")
    assert lab.copy_notebooks(source, target) == []
    copy = json.loads((target / "10_game.ipynb").read_text("utf-8"))
    assert copy["cells"][0] == cell | {"outputs": [], "execution_count": None}
    assert copy | {"cells": []} == json.loads(run) | {"cells": []} and copy["cells"][1:] == json.loads(run)["cells"][1:]
    (target / "10_game.ipynb").write_text(run, encoding="utf-8")
    assert lab.copy_notebooks(source, target) == ["10_game.ipynb"]
    assert (target / "10_game.ipynb").read_text("utf-8") == run
    assert (source / "10_game.ipynb").read_text("utf-8") == run


def test_a_checkout_finds_its_notebooks():
    assert lab.notebooks() == ROOT / "notebooks"


def test_lab_copies_and_says_what_it_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lab", "--copy-only"]) == 0
    (tmp_path / "crashlab-notebooks" / lab.FIRST).write_text("mine")
    assert cli.main(["lab", "--copy-only"]) == 0
    assert f"Kept your {lab.FIRST}" in capsys.readouterr().out


@pytest.fixture
def started(monkeypatch):
    """Return the list of JupyterLab's options at each start, for a user other than root."""
    options = []
    monkeypatch.setattr("jupyterlab.labapp.main", options.append)
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    return options


@pytest.mark.slow
def test_lab_hands_its_options_to_jupyterlab(tmp_path, started):
    words = ["--no-browser", "--port", "9123", "--", "--IdentityProvider.token=secret", "--debug"]
    assert cli.main(["lab", "--dir", str(tmp_path / "here"), *words]) == 0
    (options,) = started
    assert options[0] == f"--ServerApp.root_dir={tmp_path / 'here'}"
    assert options[1].endswith(f"/lab/tree/{lab.FIRST}")
    assert options[2:] == ["--no-browser", "--port=9123", "--IdentityProvider.token=secret", "--debug"]


def test_lab_opens_a_lesson_by_the_beginning_of_its_name_and_presents_it(tmp_path, started, capsys):
    begin = ["lab", "--no-warm", "--dir", str(tmp_path / "here")]
    present = "--ServerApp.tornado_settings={'page_config_data': {'crashlabPresent': True}}"
    for words, page, more in (
        (["10a", "--present"], "10a_angles_and_crashes.ipynb", [present]),
        (["10a_angles", "--", "--debug"], "10a_angles_and_crashes.ipynb", ["--debug"]),
        (["10a", "--present", "--", "--debug"], "10a_angles_and_crashes.ipynb", [present, "--debug"]),
        (["--present"], lab.FIRST, [present]),
        (["--phones", "10.0.0.5"], lab.FIRST, ["--ServerApp.tornado_settings={'crashlab_phones': '10.0.0.5'}"]),
    ):
        assert cli.main([*begin, *words]) == 0
        assert started[-1][1] == f"--LabApp.default_url=/lab/tree/{page}" and started[-1][2:] == more
    capsys.readouterr()
    every = "00, 01, 02, 10a"
    for wrong, message in (("10", "10a_angles_and_crashes.ipynb, 10b"), ("99", every), ("../secret", every)):
        assert cli.main([*begin, wrong]) == 2 and message in capsys.readouterr().err
    for wrong in ("http://x/", "10.0.0.5:65536", "10.0.0.5:99999"):
        assert cli.main([*begin, "--phones", wrong]) == 2 and "such as 10.0.0.5" in capsys.readouterr().err
    assert cli.main([*begin, "10a", "11a"]) == 2 and "give one lesson only, without '11a'" in capsys.readouterr().err
    (tmp_path / "file").touch()
    assert cli.main(["lab", "--dir", str(tmp_path / "file")]) == 2
    assert "is a file: give a folder" in capsys.readouterr().err
    assert len(started) == 5


@pytest.mark.parametrize("path", [None, "/somewhere"])
def test_lab_leaves_the_places_of_settings_as_they_were(tmp_path, monkeypatch, path):
    monkeypatch.delenv("JUPYTER_CONFIG_PATH", raising=False)
    if path:
        monkeypatch.setenv("JUPYTER_CONFIG_PATH", path)
    seen = []
    monkeypatch.setattr("jupyterlab.labapp.main", lambda options: seen.append(os.environ["JUPYTER_CONFIG_PATH"]))
    assert cli.main(["lab", "--no-warm", "--dir", str(tmp_path)]) == 0
    first, *others = seen[0].split(os.pathsep)
    assert others == ([path] if path else []) and not Path(first).exists()
    assert os.environ.get("JUPYTER_CONFIG_PATH") == path


def test_root_is_served_on_the_loopback_address_only_and_told_so(tmp_path, started, monkeypatch, capsys):
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert cli.main(["lab", "--dir", str(tmp_path)]) == 0
    assert started[0][2:] == ["--allow-root", "--ServerApp.ip=127.0.0.1"]
    (said,) = [line for line in capsys.readouterr().out.splitlines() if "You are root" in line]
    assert said == "You are root, so JupyterLab answers on the loopback address 127.0.0.1 only."


@pytest.mark.parametrize("words", [["--ip=0.0.0.0"], ["--ip", "0.0.0.0"], ["--ServerApp.ip=0.0.0.0", "--allow-root"]])
def test_for_root_at_another_address_jupyterlab_decides(tmp_path, started, monkeypatch, capsys, words):
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert cli.main(["lab", "--dir", str(tmp_path), "--", *words]) == 0
    assert started[0][2:] == words and "You are root" not in capsys.readouterr().out


@pytest.fixture
def begun(monkeypatch):
    """Return the list of processes that a command starts."""
    import_module("jupyterlab.labapp")  # asks for the version of node, once
    processes = []

    class Watched(subprocess.Popen):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            processes.append(self)

    monkeypatch.setattr(subprocess, "Popen", Watched)
    return processes


def test_while_jupyterlab_runs_a_process_of_low_priority_compiles_the_games(tmp_path, monkeypatch, begun):
    monkeypatch.setattr("jupyterlab.labapp.main", lambda options: running.append(begun[0].poll() is None))
    running = []
    assert cli.main(["lab", "--dir", str(tmp_path)]) == 0
    (process,) = begun
    assert running == [True] and process.args[1:] == ["-m", "crashlab", "warm", "--nice"]
    assert process.poll() is not None  # it ends with JupyterLab


@pytest.mark.parametrize("why", ["asked", "no compiler"])
def test_lab_compiles_nothing_where_it_need_not_or_cannot(tmp_path, started, monkeypatch, begun, why):
    find_spec = lab.util.find_spec
    if why == "no compiler":
        monkeypatch.setattr(lab.util, "find_spec", lambda part: None if part == "wasmtime" else find_spec(part))
    assert cli.main(["lab", "--dir", str(tmp_path), *(["--no-warm"] if why == "asked" else [])]) == 0
    assert started and not begun


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no os.nice")
@pytest.mark.parametrize("words", [[], ["--nice"]])
def test_warm_steps_back_when_it_is_asked_to(monkeypatch, words):
    steps = []
    monkeypatch.setattr(os, "nice", steps.append)
    monkeypatch.setattr("crashlab.games", lambda: ())
    assert cli.main(["warm", *words]) == 0
    assert steps == ([19] if words else [])


def test_lab_without_jupyterlab_says_what_to_install_and_copies_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(lab.util, "find_spec", lambda part: None if part == "jupyterlab" else part)
    assert cli.main(["lab", "--dir", str(tmp_path / "here")]) == 2
    assert capsys.readouterr().err == "crashlab: not installed: jupyterlab; run: pip install 'crashlab[lab]'\n"
    assert not (tmp_path / "here").exists()


@contextmanager
def page_of(command, folder, home):
    """Yield JupyterLab's address opened by a command, for a user without settings; then end all it has started."""
    home.mkdir()
    foreign = ("JUPYTER", "MAKE", "MFLAGS")  # variables of the test run and of a surrounding make
    environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    environment |= {f"JUPYTER_{name}_DIR": str(home / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    log = home / "log"
    with (
        log.open("w") as output,
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        ) as server,
    ):
        try:
            deadline = time.monotonic() + PATIENCE
            while not (address := re.search(r"http://\S+?/lab/tree/\S+\?token=\w+", log.read_text("utf-8"))):
                assert server.poll() is None and time.monotonic() < deadline, log.read_text("utf-8")
                time.sleep(0.1)
            yield address.group()
        finally:
            if server.poll() is None:
                os.killpg(server.pid, signal.SIGTERM)


def answer(address):
    """Return a server's answer; retry, as Jupyter's prints its address before it listens."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address) as page:
                assert page.status == 200
                return page.read().decode()
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError) or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="stops the server by a signal that Windows lacks")
def test_lab_serves_the_first_notebook(tmp_path):
    with page_of([sys.executable, "-m", "crashlab", "lab", "--no-browser"], tmp_path, tmp_path / "home") as page:
        assert f"/lab/tree/{lab.FIRST}?" in page and "JupyterLab" in answer(page)
        assert json.loads(answer(page.replace("/lab/tree/", "/api/contents/")))["name"] == lab.FIRST
        place = "/lab/api/settings/@jupyterlab/apputils-extension:notification"
        settings = json.loads(answer(page.replace(f"/lab/tree/{lab.FIRST}", place)))["schema"]["properties"]
        assert settings["fetchNews"]["default"] == "false"  # otherwise a question would cover our buttons


@pytest.fixture
def clone(tmp_path):
    """Return a copy of this checkout as a fresh clone, uncommitted files included."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    for name in names:
        if (ROOT / name).exists():
            (tmp_path / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / "clone" / name)
    return tmp_path / "clone"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no make on Windows")
@pytest.mark.parametrize(("target", "folder"), [("lab", "crashlab-notebooks"), ("edit", "notebooks")])
def test_make_lab_serves_copies_and_make_edit_the_notebooks_of_a_fresh_clone(clone, tmp_path, target, folder):
    """Both commands use the environment of the tests unchanged, which `make test` builds like `make lab`."""
    environment = [f"VENV={sys.prefix}", f"--assume-old={sys.prefix}/.for-the-notebooks"]
    before = sorted(clone.rglob("*"))
    with page_of(["make", target, *environment, "ARGS=--no-browser"], clone, tmp_path / "home") as page:
        assert f"/lab/tree/{lab.FIRST}?" in page and "JupyterLab" in answer(page)
        (clone / folder / "mine.ipynb").write_text("{}")
        served = json.loads(answer(re.sub(r"/lab/tree/[^?]*", "/api/contents", page)))["content"]
        assert {"mine.ipynb", lab.FIRST} <= {file["name"] for file in served}
    shutil.rmtree(clone / "crashlab-notebooks", ignore_errors=True)  # ignored by git
    (clone / "notebooks" / "mine.ipynb").unlink(missing_ok=True)
    left = [path for path in clone.rglob("*") if path not in before and "__pycache__" not in path.parts]
    assert left == []
    assert "/crashlab-notebooks/" in (clone / ".gitignore").read_text("utf-8").splitlines()


# Rules


def test_the_games_are_listed(capsys):
    assert cli.main(["rules"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(crashlab.games())


@pytest.mark.parametrize("name", crashlab.games())
def test_a_rulebook_is_printed_whole(name, capsys):
    assert cli.main(["rules", name]) == 0
    words = " ".join(capsys.readouterr().out.split())
    for rule in crashlab.game(name).rulebook:
        assert f"{rule.id} {rule.mark} {rule.title} {rule.text}" in words


def test_one_rule_or_one_group(capsys):
    assert cli.main(["rules", "autoscooter", "as-c1"]) == 0
    assert re.findall(r"^AS-\S+", capsys.readouterr().out, re.M) == ["AS-C1"]
    assert cli.main(["rules", "autoscooter", "AS-M"]) == 0
    assert re.findall(r"^AS-\w", capsys.readouterr().out, re.M) == ["AS-M"] * 5


def test_a_rule_that_differs_between_the_editions_is_told_for_each(capsys):
    rule = crashlab.game("crash_by_crash").rulebook["CB-K3"]
    assert cli.main(["rules", "crash_by_crash", "CB-K3"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for edition, words in rule.editions:
        assert f"{edition}: {words}" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rules", "chess"], "autoscooter"),
        (["rules", "autoscooter", "AS-X9"], "AS-C4"),
    ],
)
def test_an_error_is_one_line_that_says_what_would_be_right(words, said, capsys):
    assert cli.main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith("crashlab: ") and error.count("\n") == 1
    assert words[-1] in error and said in error


@pytest.mark.parametrize("digit", ["\u0663", "\uff13", "\u00b3"])
@pytest.mark.parametrize(
    "words",
    [
        ["lab", "--port"],
        ["simulate", "autoscooter", "--games"],
        ["simulate", "autoscooter", "--workers"],
        ["simulate", "autoscooter", "--seed"],
        ["tournament", "autoscooter", "--games"],
        ["league", "class", "--games"],
    ],
    ids=" ".join,
)
def test_digits_of_other_scripts_are_no_numbers(words, digit, capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.parser().parse_args([*words, digit])
    assert stopped.value.code == 2 and f"value: {digit!r}" in capsys.readouterr().err


def test_digits_of_other_scripts_are_no_options(capsys):
    assert cli.main(["simulate", "autoscooter", "-o", "players=\u0663"]) == 2
    assert "option players=" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["nonsense"], ["lab", "--port", "x"]])
def test_wrong_usage_ends_with_status_2(words, capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(words)
    assert stopped.value.code == 2
    assert "usage: crashlab" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "unknown"),
    [(["tournament", "autoscooter", "random", "greedy"], "random greedy"), (["warm", "--fast"], "--fast")],
)
def test_what_a_command_does_not_know_is_refused_with_its_own_usage(words, unknown, capsys):
    with pytest.raises(SystemExit):
        cli.main(words)
    error = capsys.readouterr().err
    assert error.startswith(f"usage: crashlab {words[0]} ")
    assert error.endswith(f"crashlab {words[0]}: error: unrecognized arguments: {unknown}\n")


def test_a_default_is_shown_as_it_is_typed(capsys):
    with pytest.raises(SystemExit):
        cli.main(["tournament", "--help"])
    assert "names of the agents (random greedy)" in " ".join(capsys.readouterr().out.split())


def test_the_version_is_the_one_of_the_package():
    printed = crashlab_command("--version", capture_output=True, text=True, check=True).stdout
    assert printed == f"crashlab {crashlab.__version__}\n"


def test_a_reader_who_has_read_enough_sees_no_traceback():
    reading, writing = os.pipe()
    os.close(reading)
    done = crashlab_command("rules", "autoscooter", stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such shell")
def test_where_nobody_listens_there_is_no_traceback():
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "crashlab", "rules", "autoscooter"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_file_in_the_way_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    assert cli.main(["lab", "--copy-only", "--dir", str(tmp_path / "file")]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"crashlab: {tmp_path / 'file'}") and "Errno" not in error
    assert (tmp_path / "file").read_text() == "mine"


def test_a_terminal_that_knows_only_ascii_gets_its_rules():
    plain = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = crashlab_command("rules", "autoscooter", env=plain, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.few(2)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize("late", ["difflib", "argparse", "jupyterlab"])
@pytest.mark.parametrize("begin", ["module", "script"])
def test_control_c_is_quiet_also_while_the_command_is_loaded(begin, late, tmp_path):
    """Control-C arrives during the import of the package, its command, or their dependencies."""
    (tmp_path / late).mkdir()
    (tmp_path / late / "__init__.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    (tmp_path / late / "labapp.py").write_text("")
    script = tmp_path / "crashlab-command" / "crashlab"  # as pip writes it
    script.parent.mkdir()
    script.write_text("import sys\nfrom crashlab.cli.main import main\nsys.exit(main())\n")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    command = [sys.executable, *(["-m", "crashlab"] if begin == "module" else [str(script)]), "lab"]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path}, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (130, "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_control_c_stays_as_it_is_for_every_other_program(tmp_path):
    code = "import signal; before = signal.getsignal(signal.SIGINT)\nimport crashlab\n"
    code += "print(signal.getsignal(signal.SIGINT) is before)"
    (tmp_path / "lesson.py").write_text(code)
    for words in (["-c", code, "-m", "crashlab"], [str(tmp_path / "lesson.py"), "-m", "crashlab"]):
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True)
        assert done.stdout == "True\n"


NOTHING_SENSIBLE = {
    "empty": "",
    "letter": "x",
    "half a letter": "\udcff",
    "letters": "x" * 100_000,
    "digits": "9" * 5000,
    "nan": "nan",
    "inf": "inf",
    "beyond": "1e999",
    "minus": "-1",
    "zero": "0",
    "deep": "[" * 2000,
    "equals": "=",
    "line": "a\nb",
    "name=": "players=",
    "=value": "=2",
    "huge": "players=" + "9" * 5000,
    "seat": "A=",
    "comma": ",",
}
PLACES = {
    "command": ["?"],
    "lab dir": ["lab", "--copy-only", "--dir", "?"],
    "lab port": ["lab", "--port=?"],
    "rules game": ["rules", "?"],
    "rules id": ["rules", "autoscooter", "?"],
    **{
        f"{command} {option}": [command, "autoscooter", f"{option}?"]
        for command, options in {
            "simulate": ("--option=", "--games=", "--agents=", "--compare=", "--seed=", "--workers="),
            "tournament": ("--option=", "--agents=", "--games=", "--seed=", "--limit=", "--budget="),
        }.items()
        for option in options
    },
    "league folder": ["league", "?"],
    **{
        f"league {option}": ["league", ".", f"--{option}=?"]
        for option in ("game", "players", "option", "games", "rounds", "limit", "memory", "seed", "html")
    },
    "simulate game": ["simulate", "?"],
    "tournament game": ["tournament", "?"],
    "warm game": ["warm", "?"],
}


def few(function):
    """Return the function limited to one game."""

    def play(game, *words, games=1, **how):
        return function(game, *words, games=min(games, 1), **how)

    return play


FEW = {"simulate": few(crashlab.simulate), "compare": few(crashlab.compare)}


@pytest.mark.few(4)
@pytest.mark.parametrize("place", PLACES)
def test_whatever_is_typed_is_done_or_refused_in_few_words(place, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("jupyterlab.labapp.main", lambda options: None)
    monkeypatch.setattr("crashlab.play.tournament.round_robin", lambda *_: [])
    for name, play in FEW.items():
        monkeypatch.setattr(f"crashlab.{name}", play)
    wrong = []
    for name, words in NOTHING_SENSIBLE.items():
        try:
            status = cli.main([word.replace("?", words) for word in PLACES[place]])
        except SystemExit as stopped:
            status = stopped.code
        except BaseException as error:
            status = f"{type(error).__name__}: {error}"[:200]
        message = capsys.readouterr().err
        if status not in (0, 2) or len(message) > 3000 or (status == 2) != bool(message):
            wrong.append((name, status, len(message), message[-200:]))
    assert wrong == []


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["simulate", "autoscooter", "--compare", ""], "there is no option ''"),
        (["lab", "--copy-only", "--port", "70000"], "--port=70000: give a whole number from 0 to 65535"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_done(words, reason, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(words) == 2
    output = capsys.readouterr()
    assert output.err.startswith(f"crashlab: {reason}") and output.out == "" and list(tmp_path.iterdir()) == []


# Large numbers


def said(*words):
    done = crashlab_command(*words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*words):
    done = crashlab_command(*words, capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    return done.stderr


def test_simulate_says_what_the_function_says():
    words = said("simulate", "autoscooter", "-o", "players=5", "-o", "rear_push=true", "--games", "30", "--seed", "4")
    game = crashlab.game("autoscooter", players=5, rear_push=True)
    assert words.strip() == str(crashlab.simulate(game, 30, seed=4)).strip()


@pytest.mark.slow
def test_simulate_seats_agents_and_compares_options():
    words = said("simulate", "autoscooter", "--games", "3", "--agents", "A=greedy", "--compare", "own_car")
    assert "case" in words and "speed" in words and "AS-C5" in words
    assert said("simulate", "autoscooter", "--games", "2", "--agents", "greedy").startswith("2 games")


def test_some_values_of_an_option_are_compared():
    words = said("simulate", "crash_by_crash", "--games", "3", "--compare", "turn_limit=2,None,3")
    assert words.splitlines()[1].split() == ["2", "None", "3"]


@pytest.mark.few(1)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "autoscooter"),
        ("simulate", "autoscooter", "--compare", "standstill"),
        ("tournament", "autoscooter", "-o", "players=2"),
    ],
)
def test_control_c_leaves_what_is_done(words):
    """Control-C arrives as soon as the bar reports finished games."""
    code = f"""
import signal, sys, threading
import crashlab
from crashlab.cli import main as cli

class Bar:
    def __init__(self, total, unit, is_shown): pass
    def __enter__(self): return self
    def __exit__(self, *why): pass
    def update(self, done=1): signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

crashlab.base.progress.bar = Bar
sys.exit(cli.main({[*words, "--games", "3000"]!r}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (130, "")
    assert ("(stopped)" if "--compare" in words else "(stopped; 3,000 were requested)") in done.stdout


def test_tournament_prints_the_standings():
    words = said("tournament", "autoscooter", "-o", "players=2", "--agents", "random", "greedy", "--games", "2")
    assert "random" in words and "greedy" in words and "rating" in words


def test_a_league_prints_its_table_saves_its_page_and_goes_on(tmp_path):
    for name, place in (("first", 0), ("last", -1)):
        (tmp_path / f"{name}.py").write_text(f"def agent(state, seat):\n    return state.actions(seat)[{place}]\n")
    page = tmp_path / "table.html"
    command = ["league", str(tmp_path), "--players", "2", "--games", "2", "--limit", "600", "--html", str(page)]
    words = said(*command)
    assert "2 agents, 2 of 2 games" in words and "first" in words and "last" in page.read_text("utf-8")
    before = (tmp_path / "league.jsonl").read_bytes()
    again = said("league", str(tmp_path), "--games", "2", "--rounds", "1")
    assert again.replace(", round 1 of 1", "") == words
    assert (tmp_path / "league.jsonl").read_bytes() == before


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--html", ("league", ".")),
        ("--html", ("review", "match.json")),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(tmp_path, option, words):
    """The inputs of the commands do not exist either."""
    path = tmp_path / "no" / "page.html"
    assert "there is no folder" in refused(*words, option, str(path))


def test_a_league_that_was_interrupted_says_how_it_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(crashlab, "league", lambda folder, *_: crashlab.Season(folder, games=2))
    for name in "ab":
        (tmp_path / f"{name}.py").write_text("")
    assert cli.main(["league", str(tmp_path)]) == 130
    assert "run the same command again to continue" in capsys.readouterr().out


def test_a_tournament_can_be_limited(monkeypatch, capsys):
    assert "limit=0.0: give a number from 0.001" in refused("tournament", "autoscooter", "--limit", "0")
    done = type("Done", (dict,), {"is_whole": True})
    monkeypatch.setattr(crashlab, "tournament", lambda game, agents, **how: done(how))
    assert cli.main(["tournament", "autoscooter", "--limit", "2"]) == 0
    assert cli.main(["tournament", "autoscooter", "--budget", "60"]) == 0
    words = capsys.readouterr().out.splitlines()
    assert "'limit': 2.0, 'budget': None" in words[0] and "'limit': None, 'budget': 60.0" in words[1]


@pytest.mark.slow
def test_warm_says_where_it_keeps_the_code_and_leaves_nothing_of_a_batch_to_compile(tmp_path, monkeypatch):
    monkeypatch.setenv("CRASHLAB_CACHE", str(tmp_path))
    assert str(tmp_path) in said("warm", "autoscooter")

    def compiled_files():
        return sorted(tmp_path.rglob("*.wasm"))

    kept = compiled_files()
    assert kept
    three = crashlab.game("autoscooter", players=3)
    for games in (batch_env(crashlab.game("autoscooter")), batch_env(three, {1: "greedy"})):
        games.reset(4)
        games.step(games.sample(crashlab.Random(1)))
    assert compiled_files() == kept


@pytest.fixture
def two_processors(monkeypatch):
    monkeypatch.setattr("crashlab.base.workers.cores", lambda: 2)


class Compiling:
    """A process that compiles a game and has finished at the third poll."""

    def __init__(self, words, log, ends=0):
        self.words, self.log, self.looks, self.returncode, self._ends = words, log, 0, None, ends
        log.append(("begun", words[4]))

    def poll(self):
        self.looks += 1
        if self.looks == 3 and self.returncode is None:
            self.returncode = self._ends
            self.log.append(("ended", self.words[4]))
        return self.returncode

    def terminate(self):
        self.log.append(("stopped", self.words[4]))
        self.returncode = -signal.SIGTERM

    def wait(self):
        assert self.returncode is not None, "it would never end"


def test_games_are_compiled_side_by_side_as_many_as_there_are_processors(monkeypatch, two_processors):
    log, words = [], []

    def begin(line):
        words.append(line[1:])
        return Compiling(line, log)

    monkeypatch.setattr(subprocess, "Popen", begin)
    assert cli.main(["warm", "--nice"]) == 0
    assert words == [["-m", "crashlab", "warm", name, "--nice"] for name in crashlab.games()]
    running, most = set(), 0
    for event, name in log:
        (running.add if event == "begun" else running.remove)(name)
        most = max(most, len(running))
    assert most == 2 and not running


def test_a_game_that_cannot_be_compiled_keeps_no_other_from_it_and_is_not_forgotten(monkeypatch, two_processors):
    log = []
    monkeypatch.setattr(subprocess, "Popen", lambda line: Compiling(line, log, ends=2 if len(log) == 1 else 0))
    assert cli.main(["warm"]) == 2
    assert [name for event, name in log if event == "ended"] == list(crashlab.games())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process at once, and no other with it")
def test_a_process_that_is_just_being_started_when_the_end_comes_is_ended_too(monkeypatch, two_processors):
    log = []

    def begin(line):
        process = Compiling(line, log)
        if len(log) == 2:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0)  # the signal is handled here at the latest
        return process

    monkeypatch.setattr(subprocess, "Popen", begin)
    assert cli.main(["warm"]) == 128 + signal.SIGTERM
    begun = [name for event, name in log if event == "begun"]
    assert begun == [*crashlab.games()][:2]
    assert [name for event, name in log if event == "stopped"] == begun


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process at once, and no other with it")
def test_those_who_compile_end_with_who_began_them(tmp_path):
    """JupyterLab ends one process, and its children must end with it."""
    endless = tmp_path / "endless"
    endless.write_text(f"#!/bin/sh\necho >> {tmp_path}/begun\nexec sleep {2 * PATIENCE}\n")
    endless.chmod(0o700)
    code = (
        "import sys; from crashlab.cli import main as cli; from crashlab.base import workers;"
        " workers.cores = lambda: 2;"
        f" sys.executable = {str(endless)!r}; cli.main(['warm'])"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, start_new_session=True) as process:
        wait_until(lambda: (tmp_path / "begun").exists() and len((tmp_path / "begun").read_text()) == 2)
        process.terminate()
    wait_until(lambda: not is_any_left(process.pid))


def is_any_left(group):
    """Return whether any process of this group runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(condition):
    """Wait until a condition holds, at most PATIENCE seconds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.02)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("simulate", "chess"), "there is no game 'chess'"),
        (("simulate", "autoscooter", "-o", "players"), "write NAME=VALUE"),
        (("simulate", "autoscooter", "-o", "playrs=4"), "there is no option playrs; the options are players"),
        (("simulate", "autoscooter", "-o", "players=9"), "option players=9: choose one of 2"),
        (("simulate", "autoscooter", "--games", "0"), "games=0"),
        (("simulate", "autoscooter", "--agents", "Z=greedy"), "the seats are A, B, C, D"),
        (("simulate", "autoscooter", "--agents", "clever"), "no agent 'clever'"),
        (("simulate", "autoscooter", "--compare", "wind"), "there is no option 'wind'"),
        (("simulate", "autoscooter", "--compare", "wind=1"), "there is no option 'wind'"),
        (("simulate", "autoscooter", "--compare", "own_car=case,fly"), "option own_car=fly"),
        (("simulate", "crash_by_crash", "--compare", "turn_limit"), "give the values to compare"),
        (("tournament", "autoscooter", "--agents", "random", "clever"), "clever"),
        (("league", "no such folder"), "this is not a folder"),
        (("league", ".", "--game", "chess"), "there is no game 'chess'"),
        (("league", ".", "--games", "3"), "games=3: give an even number"),
        (("league", ".", "--rounds", "knockout"), "rounds='knockout'"),
        (("warm", "chess"), "there is no game 'chess'"),
    ],
)
def test_what_is_wrong_is_said_in_words(words, reason):
    assert reason in refused(*words)
