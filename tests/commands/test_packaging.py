"""Distribution: the wheel, the pins, Binder, the README, and a test run without skips."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import metadata
from itertools import chain, product
from pathlib import Path

import pytest
from checkout import ROOT
from hatchling.build import build_sdist, build_wheel
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from patience import PATIENCE
from run_tier import PARTS
from trove_classifiers import classifiers

from crashlab.cli.news import NO_NEWS

README = (ROOT / "README.md").read_text(encoding="utf-8")
MANUAL = "".join(path.read_text("utf-8") for path in sorted((ROOT / "binder/site/docs/manual").glob("*.md")))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
HOME = PROJECT["urls"]["Homepage"]
PINS = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
SITE = "https://crashlab.github.io/crashlab/"  # address of `make site` when published
NEXT = "3.14"  # tested only in a browser so far
PYTHONS = re.findall(r"Programming Language :: Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))


def run_python(*words, **options):
    return subprocess.run([sys.executable, *words], timeout=PATIENCE, capture_output=True, text=True, **options)


# The wheel


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a folder with the unpacked wheel, outside of the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    here = Path.cwd()
    os.chdir(ROOT)
    try:
        wheel = build_wheel(str(folder))
    finally:
        os.chdir(here)
    zipfile.ZipFile(folder / wheel).extractall(folder / "site")
    return folder / "site"


def test_the_source_has_the_notebooks_as_learners_get_them_and_the_tests(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    source = tarfile.open(tmp_path / build_sdist(str(tmp_path)))
    inside = {name.partition("/")[2]: source.extractfile(name) for name in source.getnames()}
    notebooks = {path.relative_to(ROOT).as_posix() for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {name for name in inside if name.endswith(".ipynb")} == notebooks
    for name in notebooks:
        assert not any(cell.get("outputs") for cell in json.load(inside[name])["cells"]), name
    assert {"tests/conftest.py", "constraints.txt", "Makefile"} <= {*inside}


PAGE = ROOT / "crashlab" / "lab" / "page"


def test_the_wheel_holds_the_package_and_its_data_and_nothing_else(site):
    version = PROJECT["version"]
    assert {path.name for path in site.iterdir()} == {
        "crashlab",
        f"crashlab-{version}.dist-info",
        f"crashlab-{version}.data",
    }
    inside = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    delivered = [path for kind in ("py", "toml", "json") for path in (ROOT / "crashlab").rglob(f"*.{kind}")]
    delivered = [ROOT / "crashlab/py.typed", *(path for path in delivered if PAGE not in path.parents)]
    assert {path.relative_to(ROOT).as_posix() for path in delivered} <= inside
    notebooks = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert {path.name for path in (site / "crashlab" / "notebooks").glob("*.ipynb")} == notebooks
    assert not [name for name in inside if re.search(r"\.pyc$|checkpoint", name)]


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_wheel_brings_the_extension_to_where_jupyterlab_looks_for_it(site):
    data = site / f"crashlab-{PROJECT['version']}.data" / "data"
    assert files(data / "share" / "jupyter" / "labextensions" / "crashlab") == files(PAGE)
    extension = {f"share/jupyter/labextensions/crashlab/{name}" for name in files(PAGE)}
    enabled = {"etc/jupyter/jupyter_nbconvert_config.json", "etc/jupyter/jupyter_server_config.d/crashlab.json"}
    assert set(files(data)) == {*extension, *enabled}
    assert not (site / "crashlab" / "lab" / "page").exists()  # it is elsewhere in the wheel


def test_the_extension_is_described_as_what_it_is():
    described = json.loads((PAGE / "package.json").read_text("utf-8"))
    assert described["version"] == PROJECT["version"] and described["license"] == PROJECT["license"]
    assert (PAGE / described["jupyterlab"]["_build"]["load"]).is_file()


@pytest.mark.slow
def test_jupyterlab_has_the_extension_as_it_is_here(tmp_path):
    """Installing crashlab copies it, and `make` installs again after a change."""
    pytest.importorskip("jupyterlab")
    listed = run_python("-m", "jupyter", "labextension", "list", env=os.environ | {"NO_COLOR": "1"}, cwd=tmp_path)
    plain = re.sub(r"\x1b\[\d*m", "", listed.stdout + listed.stderr)
    assert re.search(rf"crashlab v{PROJECT['version']} enabled +OK \(python, crashlab\)", plain), plain
    assert files(Path(sys.prefix) / "share" / "jupyter" / "labextensions" / "crashlab") == files(PAGE)


def test_an_installed_package_works_without_the_checkout(site, tmp_path):
    alone = os.environ | {"PYTHONPATH": str(site)}
    where = run_python("-c", "import crashlab; print(crashlab.__file__)", env=alone, cwd=tmp_path, check=True).stdout
    assert Path(where.strip()).is_relative_to(site)
    run_python("-m", "crashlab", "lab", "--copy-only", env=alone, cwd=tmp_path, check=True)
    copies = {path.name for path in (tmp_path / "crashlab-notebooks").glob("*.ipynb")}
    assert copies == {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    rules = run_python("-m", "crashlab", "rules", "autoscooter", env=alone, cwd=tmp_path, check=True)
    assert "AS-C4" in rules.stdout


# Learners' notebooks


def from_the_wheel(site, folder):
    return site / "crashlab" / "notebooks"


def by_crashlab_lab(site, folder):
    run_python("-m", "crashlab", "lab", "--copy-only", "--dir", folder, cwd=ROOT, check=True)
    return folder


def on_binder(site, folder):
    """Run `postBuild` in a copy of the checkout without compiling games; return its notebooks."""
    for name in ("binder", "crashlab", "notebooks"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "bin").mkdir()
    (folder / "bin" / "crashlab").symlink_to("/bin/true")
    (folder / "bin" / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (folder / "bin" / "python").chmod(0o755)
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    here = os.environ | {"PATH": path, "PYTHONPATH": str(folder)}
    subprocess.run([folder / "binder" / "postBuild"], cwd=folder, env=here, check=True, timeout=PATIENCE)
    return folder / "notebooks"


@pytest.mark.few(1)
@pytest.mark.skipif(sys.platform == "win32", reason="Binder is no Windows")
@pytest.mark.parametrize("way", [from_the_wheel, by_crashlab_lab, on_binder])
def test_nothing_is_told_before_it_is_asked(way, site, tmp_path):
    """Learners get the project's notebooks without outputs and the badge, a broken picture without a network."""
    stored = {path.name: json.loads(path.read_text("utf-8"))["cells"] for path in (ROOT / "notebooks").glob("*.ipynb")}
    folder = way(site, tmp_path)
    got = {path.name: json.loads(path.read_text("utf-8"))["cells"] for path in folder.glob("*.ipynb")}
    for name, cells in stored.items():
        first, begun = ("".join(notebook[0]["source"]) for notebook in (got[name], cells))
        assert "badge" not in first and first.split() == re.sub(r"\[!\[Open in Binder\]\S* ?", "", begun).split()
        assert [cell["source"] for cell in got[name][1:]] == [cell["source"] for cell in cells[1:]]
        code = [cell for cell in got[name] if cell["cell_type"] == "code"]
        assert [cell for cell in code if cell["outputs"] or cell["execution_count"]] == []
        assert any(cell.get("outputs") for cell in cells)  # stored for the tests
    assert got.keys() == stored.keys()
    pictures = {path.name for path in (ROOT / "notebooks" / "images").iterdir()}
    assert {path.name for path in (folder / "images").iterdir()} == pictures


# The package index


def test_the_classifiers_are_known_there():
    assert set(PROJECT["classifiers"]) <= classifiers
    assert PROJECT["requires-python"] == f">={PYTHONS[0]}"
    assert [f"3.{11 + place}" for place in range(len(PYTHONS))] == PYTHONS


def in_the_checkout(link):
    """Return the file of an address in the project's repository, or None."""
    repository = HOME.removeprefix("https://github.com/")
    places = (
        rf"{HOME}/blob/HEAD",
        rf"https://raw\.githubusercontent\.com/{repository}/HEAD",
        rf"https://mybinder\.org/v2/gh/{repository}/HEAD\?.*tree",
    )
    match = re.fullmatch(rf"(?:{'|'.join(places)})/(.+)", link)
    return ROOT / match[1] if match else None


def test_the_addresses_of_the_project_lead_to_what_is_there():
    addresses = {name: link for name, link in PROJECT["urls"].items() if link not in (HOME, f"{HOME}/issues")}
    assert set(addresses) == {"Changelog", "In the browser"}
    assert [link for link in addresses.values() if not in_the_checkout(link).is_file()] == []
    assert f"({addresses['In the browser']})" in README


def test_every_picture_and_page_that_is_linked_is_in_the_repository():
    """Links use whole addresses: a package index shows the README without its neighbouring files."""
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README + MANUAL) if "badge" not in link and link != SITE]
    assert len(links) >= 8
    assert [link for link in links if not (in_the_checkout(link) or Path("nowhere")).is_file()] == []
    assert not re.search(r"!\[\s*\]", README)


# The pins


def pinned(python=None):
    """Return all pins, or those that apply to a version of Python."""
    pins = [Requirement(line) for line in PINS if line and not line.startswith("#")]
    here = {"python_version": python} if python else {}
    return [pin for pin in pins if not (python and pin.marker) or pin.marker.evaluate(here)]


OURS = [  # from this checkout, not from the installed metadata
    *PROJECT["dependencies"],
    *(f'{wish} ; extra == "{extra}"' for extra, wishes in PROJECT["optional-dependencies"].items() for wish in wishes),
]


def brought_in(name, extras, **elsewhere):
    """Return the names of all packages that a package requires, here or on another Python."""
    pairs, waiting = set(), [(name, extra) for extra in extras]
    while waiting:
        name, extra = pair = waiting.pop()
        if pair not in pairs:
            pairs.add(pair)
            wishes = [Requirement(line) for line in (OURS if name == "crashlab" else metadata.requires(name) or [])]
            for wish in wishes:
                if wish.marker is None or wish.marker.evaluate({"extra": extra, **elsewhere}):
                    waiting += [(canonicalize_name(wish.name), extra) for extra in ("", *wish.extras)]
    return {name for name, extra in pairs}


def test_every_pin_is_a_name_and_a_version_in_order():
    marker = r" ; (sys_platform == \"\w+\"|python_version (<|>=) \"3\.\d+\")"
    pin = re.compile(rf"[A-Za-z0-9._-]+==[0-9][0-9a-z.]*({marker})?")
    assert [line for line in PINS if not line.startswith("#") and not pin.fullmatch(line)] == []


@pytest.mark.parametrize("python", PYTHONS)
def test_everything_is_pinned_once_on_each_python(python):
    names = [canonicalize_name(pin.name) for pin in pinned(python)]
    assert len(set(names)) == len(names)
    anywhere = {canonicalize_name(pin.name) for pin in pinned() if "sys_platform" not in str(pin.marker)}
    assert anywhere <= set(names)


def test_everything_that_the_extras_bring_in_is_pinned():
    names = {canonicalize_name(pin.name) for pin in pinned()}
    brought = brought_in("crashlab", ["lab", "fast", "test"]) - {"crashlab"}
    assert {"numpy", "jupyterlab", "llvmlite", "pytest", "pyzmq", "hatchling"} <= brought
    assert brought <= names


def test_the_pins_are_within_the_bounds():
    wishes = map(Requirement, chain(PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()))
    bounds = {canonicalize_name(wish.name): wish.specifier for wish in wishes if wish.name != "crashlab"}
    for pin in pinned():
        assert bounds.get(canonicalize_name(pin.name), SpecifierSet()).contains(str(pin.specifier)[2:]), pin
    assert bounds.keys() <= {canonicalize_name(pin.name) for pin in pinned()}


def unfit(pins, wishes, needed, python):
    """Return the conflicts of pins with other requirements and with this exact Python."""
    versions = {canonicalize_name(pin.name): str(pin.specifier)[2:] for pin in pins}
    conflicts = [
        f"{wish}: {versions.get(name)} is pinned"
        for name, wish in wishes
        if not wish.specifier.contains(versions.get(name, "0"), prereleases=True)
    ]
    return conflicts + [
        f"{name}=={versions[name]} wants Python {needs}"
        for (name, version), needs in needed.items()
        if versions.get(name) == version and not SpecifierSet(needs).contains(python)
    ]


def test_the_pins_fit_the_first_release_of_this_python():
    """Debian 12 has 3.11.2. `make pins` resolves for 3.11.0; this checks the metadata of installed packages."""
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    oldest = {"python_version": python, "python_full_version": f"{python}.0"}
    pins = [pin for pin in pinned() if pin.marker is None or pin.marker.evaluate(oldest)]
    brought = brought_in("crashlab", ["test"], **oldest)
    there = {canonicalize_name(package.name): package for package in metadata.distributions()}
    needed = {(name, package.version): package.metadata.get("Requires-Python", "") for name, package in there.items()}
    wishes = [
        (canonicalize_name(wish.name), wish)
        for name in brought & there.keys()
        for wish in map(Requirement, there[name].requires or [])
        if canonicalize_name(wish.name) in brought - {"crashlab"}
        and (wish.marker is None or wish.marker.evaluate({"extra": "", **oldest}))
    ]
    as_pinned = {(canonicalize_name(pin.name), str(pin.specifier)[2:]) for pin in pins}
    assert len(wishes) > 150 and len(needed.keys() & as_pinned) > 100
    assert unfit(pins, wishes, needed, f"{python}.0") == []
    late = {("soupsieve", "9.9"): ">=3.11.5"}
    assert unfit([Requirement("soupsieve==9.9")], [], late, "3.11.2") == ["soupsieve==9.9 wants Python >=3.11.5"]
    assert unfit([Requirement("soupsieve==9.9")], [], late, "3.11.5") == []


def test_numpy_and_a_progress_bar_are_all_that_the_core_needs():
    assert [Requirement(line).name for line in PROJECT["dependencies"]] == ["numpy", "tqdm"]


# Packages for the notebooks

FOR_THE_NOTEBOOKS = ["lab", "fast", "algorithms"]


def test_make_lab_installs_what_the_notebooks_need_and_no_more():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert f"--editable '.[{'$(COMMA)'.join(FOR_THE_NOTEBOOKS)}]'" in makefile
    brought = brought_in("crashlab", FOR_THE_NOTEBOOKS)
    for_tests = {"pytest", "ruff", "mypy", "playwright", "dask", "open-spiel", "pettingzoo", "gymnasium", "hatchling"}
    assert for_tests <= brought_in("crashlab", ["test"])
    assert not for_tests & brought
    (count,) = re.findall(r"what the notebooks need into .*: some (\d+) packages", makefile)
    assert abs(len(brought) - int(count)) <= 8


def test_what_the_notebooks_import_is_there_or_they_say_what_to_install():
    whose, brought = metadata.packages_distributions(), brought_in("crashlab", FOR_THE_NOTEBOOKS)
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            code = "".join(cell["source"]) if cell["cell_type"] == "code" else ""
            names = re.findall(r"^ *(?:from|import) (\w+)", code, re.M)
            missing = [
                name
                for name in set(names) - sys.stdlib_module_names
                if not brought & {canonicalize_name(package) for package in whose.get(name, [name])}
            ]
            assert not missing or ("except " in code and "pip install" in code), (path.name, missing)


# Promised versions of Python


def test_github_runs_every_promised_python_and_the_next_one_and_the_manual_says_which_were_tried():
    workflow = (ROOT / ".github/workflows/checks.yml").read_text("utf-8")
    oldest, *others = [*PYTHONS, NEXT]
    assert re.findall(r"python: \[(.*)\]", workflow) == [", ".join(f'"{python}"' for python in others)]
    assert re.search(r"python-version: \|.*\n((?: +3\.\d+\n)+)", workflow)[1].split() == [*reversed(others), oldest]
    tried = f"{', '.join(PYTHONS[:-1])} and {PYTHONS[-1]}"
    assert tried in README and tried in MANUAL


# Binder


def test_binder_installs_this_checkout_with_the_pins():
    folder = ROOT / "binder"
    lines = [line for line in (folder / "requirements.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    assert lines == ["-c ../constraints.txt", f"-e .[{','.join(FOR_THE_NOTEBOOKS)}]"]
    assert (folder / "runtime.txt").read_text("utf-8").strip() == f"python-{PYTHONS[-1]}"
    assert all(os.access(folder / name, os.X_OK) for name in ("postBuild", "start")) or sys.platform == "win32"


def test_learners_never_get_llvm():
    """`make lab`, Binder and the site install without llvmlite, which is large."""
    assert "llvmlite" in brought_in("crashlab", ["fastest"])
    assert "llvmlite" not in brought_in("crashlab", FOR_THE_NOTEBOOKS)
    assert "llvmlite" not in (ROOT / "binder" / "site" / "build.py").read_text("utf-8")


def test_on_binder_jupyterlab_does_not_ask_about_its_news():
    started = subprocess.run(
        [ROOT / "binder" / "start", "env"], capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
    )
    path = dict(line.partition("=")[::2] for line in started.stdout.splitlines())["JUPYTER_CONFIG_PATH"]
    defaults = Path(path.split(os.pathsep)[0], "labconfig", "default_setting_overrides.json")
    assert json.loads(defaults.read_text("utf-8")) == NO_NEWS


# The README


@pytest.mark.parametrize("words", [README, MANUAL], ids=["readme", "manual"])
def test_an_example_prints_what_is_said_beside_it(words, tmp_path):
    [example] = re.findall(r"```python\n(.*?)```", words, re.S)
    printed = [block.split() for block in re.findall(r"```text\n(.*?)```", words, re.S)]
    (tmp_path / "example.py").write_text(example, encoding="utf-8")
    done = run_python("-W", "error", "example.py", cwd=tmp_path, check=True)
    assert done.stdout.split() in printed


def test_the_readme_is_short_and_names_the_commands():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert len(README.splitlines()) <= 120
    for target in ("lab", "test", "site"):
        assert f"make {target}" in README
        assert re.search(rf"^{target}:", makefile, re.M)


def make(*words):
    """Return what `make` prints."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    options = {"capture_output": True, "text": True, "timeout": PATIENCE, "check": True}
    return subprocess.run(["make", *words], cwd=ROOT, env=plain, **options).stdout


HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
has_make = pytest.mark.skipif(sys.platform == "win32", reason="there is no make on Windows")


@has_make
def test_where_no_other_python_is_it_is_said_in_one_sentence():
    said = make("newest", f"PYTHON={sys.executable}", f"NEWEST={sys.executable}")
    assert said == f"No newer Python is here than Python {HERE}, on which everything is tested.\n"
    assert make("another", f"PYTHON={sys.executable}", "OTHERS=") == f"No other Python is here than Python {HERE}.\n"


@pytest.mark.slow
@has_make
def test_five_landings_and_one_run_every_part_on_every_other_python(tmp_path):
    """Each version has its own environment; PYTHON=... selects one that is not .venv."""
    others = [tmp_path / "one", tmp_path / "two"]
    for other in others:
        other.symlink_to(sys.executable)
    words = [make("another", "MAKE=echo", f"OTHERS={' '.join(map(str, others))}", f"TURN={turn}") for turn in range(6)]
    runs = [re.fullmatch(r"part PART=(\d+) PYTHON=(\S+) VENV=(\S+)\n", line).groups() for line in words]
    parts = {(int(part) % len(PARTS), Path(python)) for part, python, _ in runs}
    assert parts == {*product(range(len(PARTS)), others)}
    assert {venv for *_, venv in runs} == {f".venv-{HERE}"}
    assert f".venv-{HERE}/" in make("--dry-run", "lint", f"PYTHON={sys.executable}")
