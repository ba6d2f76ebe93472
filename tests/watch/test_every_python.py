"""The film of a program is the same on every Python, and no recorded program crashes it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from checkout import ROOT
from comprehensions import CASES

PROGRAM = ROOT / "tests" / "comprehensions.py"


def begun(python):
    """Start a process that writes the films with a Python, which needs no packages."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}
    return subprocess.Popen([python, PROGRAM], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def others():
    """Return the other supported Pythons of this machine, one of each version, those of pyenv included."""
    pythons = {}
    for name in (f"python3.{minor}" for minor in range(11, 15) if minor != sys.version_info.minor):
        pyenv = Path.home().glob(f".pyenv/versions/{name.removeprefix('python')}.*/bin/python3")
        for python in filter(None, (shutil.which(name), *sorted(pyenv))):
            if (
                subprocess.run([python, "-c", ""], capture_output=True).returncode == 0
            ):  # otherwise a shim of pyenv without this version
                pythons[name] = python
    return pythons


def test_films_of_forty_functions_are_the_same_on_every_python_and_end_none():
    runs = {"this Python": begun(sys.executable), **{name: begun(python) for name, python in others().items()}}
    films = {}
    for name, run in runs.items():
        out, error = run.communicate()
        assert (run.returncode, error) == (0, ""), name
        films[name] = json.loads(out)
    reference = films.pop("this Python")
    assert len(reference) == len(CASES) > 40
    for name, other in films.items():
        for function, film in reference.items():
            assert other[function] == film, (name, function)
