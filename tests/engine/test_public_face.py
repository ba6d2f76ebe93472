"""The user's first contact: names, packages, types and words of `crashlab`."""

import inspect
import json
import os
import pydoc
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest
from checkout import ROOT
from patience import PATIENCE

import crashlab

PACKAGES = ["adapters", "agents", "course", "lab", "watch"]


def run(code):
    process = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    return process.stdout.strip()


def test_packages_are_there_when_they_are_asked_for():
    lines = "; ".join(f"crashlab.{name}" for name in PACKAGES)
    assert run(f"import crashlab; {lines}; print(crashlab.lab.Stepper.__name__)") == "Stepper"


def test_the_import_alone_loads_neither_widgets_nor_adapters():
    code = "import crashlab, sys; print([n for n in ('lab', 'adapters') if f'crashlab.{n}' in sys.modules])"
    assert run(code) == "[]"


def test_a_name_that_is_not_there_is_an_attribute_error():
    assert not hasattr(crashlab, "stepper")


def test_the_names_are_those_that_are_public_and_the_packages():
    assert dir(crashlab) == sorted([*crashlab.__all__, *PACKAGES, "__version__"])


# Types


def public():
    for module in (crashlab, *(getattr(crashlab, name) for name in ("agents", "adapters", "lab", "watch"))):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                yield f"{module.__name__}.{name}", thing


@pytest.mark.parametrize("thing", [pytest.param(thing, id=name) for name, thing in public()])
def test_the_hints_of_every_public_name_resolve(thing):
    get_type_hints(thing)
    get_type_hints(thing.__init__ if inspect.isclass(thing) else thing)


@pytest.mark.parametrize("thing", [pytest.param(thing, id=name) for name, thing in public()])
def test_no_default_is_an_address(thing):
    assert " object at 0x" not in pydoc.render_doc(thing)


# The findings of a type checker

RULES = """\
from crashlab.games.autoscooter.rules import SPEED, happen, note, pay
HOUSE, FINE = 0, 2
"""  # names in scope for a function in the place of a rule
FACTS = {
    "autoscooter": "cars",
    "crash_and_grab": "saucers",
    "crash_by_crash": "sides",
    "crash_city": "tiles",
}


def pyright(project):
    """Run Pyright over a project; return its errors, each with its line, its message and its file."""
    program = shutil.which("pyright", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if not program:
        pytest.skip("no pyright here, which `make test` gets from npm")
    command = [program, "--outputjson", "--pythonpath", sys.executable, "--project", str(project)]
    process = subprocess.run(command, capture_output=True, text=True, timeout=5 * PATIENCE)
    errors = [error for error in json.loads(process.stdout)["generalDiagnostics"] if error["severity"] == "error"]
    return [(error["range"]["start"]["line"], error["message"], error["file"]) for error in errors]


def pyright_on(folder, code):
    """Run Pyright on a module of this code."""
    (folder / "code.py").write_text(code, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT)]}), encoding="utf-8")
    return pyright(folder)


@pytest.mark.slow
def test_pyright_accepts_the_package():
    assert pyright(ROOT) == []


PAGES = [ROOT / "README.md", *sorted((ROOT / "binder/site/docs/manual").glob("*.md"))]
BLOCKS = {
    f"{page.stem} {number}": block
    for page in PAGES
    for number, block in enumerate(re.findall(r"^```py(?:thon)?\n(.*?)^```", page.read_text("utf-8"), re.M | re.S))
}
SECONDS_LONG = "numbers 0", "own_rules 0", "playing 0"


@pytest.mark.slow
def test_pyright_accepts_every_block_of_the_readme_and_the_manual(tmp_path):
    assert len(BLOCKS) == 9
    assert pyright_on(tmp_path, RULES + "\n".join(BLOCKS.values())) == []


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SECONDS_LONG)) for name in BLOCKS]
)
def test_a_block_of_the_readme_or_the_manual_runs_in_a_fresh_session(name, tmp_path):
    if name.startswith("libraries"):
        pytest.importorskip("pyspiel")
    file = tmp_path / "copied.py"
    file.write_text(BLOCKS[name], encoding="utf-8")
    process = subprocess.run([sys.executable, file], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert process.returncode == 0, process.stderr


@pytest.mark.slow
def test_pyright_knows_what_states_tell_and_refuses_the_rest(tmp_path):
    right = [
        f'{name} = crashlab.game("{name}").start()\n{name}.sample(crashlab.Random(1)).after.{fact}.items()'
        for name, fact in FACTS.items()
    ]
    wrong = [f"{name}.legal()" for name in FACTS]
    wrong += ['crashlab.game("autoscooter").start().saucers', "crashlab.game(str(1)).start().legal()"]
    code = "\n".join(["import crashlab", *right])
    lines = len(code.splitlines())
    errors = pyright_on(tmp_path, "\n".join([code, *wrong]))
    assert [line for line, *_ in errors] == [*range(lines, lines + len(wrong))]


# Words


FUNCTIONS = [pytest.param(thing, id=name) for name, thing in public() if inspect.isfunction(thing)]


@pytest.mark.parametrize("thing", FUNCTIONS)
def test_every_parameter_of_a_public_function_is_told_of(thing):
    words = inspect.getdoc(thing)
    section = re.search(r"^Parameters\n-+\n(.*?)(?:\n\n|\Z)", words, re.M | re.S)
    named = re.findall(r"^\**(\w+) : ", section[1] if section else "", re.M)
    assert named == list(inspect.signature(thing).parameters)
