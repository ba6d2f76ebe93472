"""What a user meets first: names, packages, types and words of `crashlab`."""

import subprocess
import sys

import crashlab

PACKAGES = ["adapters", "agents", "course", "lab", "watch"]


def run(code):
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_packages_are_there_when_they_are_asked_for():
    asked = "; ".join(f"crashlab.{name}" for name in PACKAGES)
    assert run(f"import crashlab; {asked}; print(crashlab.lab.Stepper.__name__)") == "Stepper"


def test_the_import_alone_loads_neither_widgets_nor_adapters():
    code = "import crashlab, sys; print([n for n in ('lab', 'adapters') if f'crashlab.{n}' in sys.modules])"
    assert run(code) == "[]"


def test_a_name_that_is_not_there_is_an_attribute_error():
    assert not hasattr(crashlab, "stepper")


def test_the_names_are_those_that_are_public_and_the_packages():
    assert dir(crashlab) == sorted([*crashlab.__all__, *PACKAGES, "__version__"])
