"""The site without a server, built and opened in a browser that reaches no other machine.

NumPy, Pillow and matplotlib are stand-ins here, as their wheels are only at Pyodide's address. So the pictures in
notebooks are SVG, and nothing is computed in arrays; the widgets, the rules and all the rest are as users get them.
"""

import json
import re
import shutil
import urllib.error
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from zipfile import ZipFile

import pytest
from checkout import ROOT

pytest.importorskip("playwright")

from lab_in_chromium import Site, notebook
from test_browser import ALONE, CELLS, STEPPER, WIDGETS, explore, predict, python, step
from test_browser import test_agents_are_watched_paused_and_gone_back_to as test_agents_are_watched  # noqa: F401

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

SENTENCE = "run the cells from the top down to this one"


# The parts of NumPy that ipycanvas needs to send drawings, and IPython to display values.
STAND_INS = {
    "numpy": {
        "numpy/__init__.py": """
class int64: pass
class float16: pass
class float64: pass
class generic: pass
class number: pass
class bool_: pass
uint8 = "uint8"

class ndarray(bytes):
    dtype, flags = uint8, {"C_CONTIGUOUS": True}
    shape = property(lambda self: (len(self),))

def frombuffer(content, dtype):
    return ndarray(content)
""",
        "numpy/typing.py": "",
    },
    "pillow": {"PIL/__init__.py": "", "PIL/Image.py": ""},
    "matplotlib": {"matplotlib/__init__.py": ""},
}


def build_module():
    spec = spec_from_file_location("build_site", ROOT / "binder" / "site" / "build.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stand_in(folder, name, version, files, wishes=""):
    """Build a wheel of these files."""
    with ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
        about = f"{name}-{version}.dist-info"
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{wishes}")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site with stand-ins and notebooks of the tests, and return its folder."""
    if not shutil.which("npm"):
        pytest.skip("no npm here, from which Pyodide comes")
    compiled, lessons = tmp_path_factory.mktemp("compiled"), tmp_path_factory.mktemp("lessons")
    builder = build_module()
    for name, files in STAND_INS.items():
        stand_in(compiled, name, "99", files)
    shutil.copytree(ROOT / "notebooks", lessons, dirs_exist_ok=True)
    (lessons / ".left").mkdir()
    (lessons / ".left" / "behind").touch()
    for name, cells in {WIDGETS: CELLS, **ALONE}.items():
        (lessons / name).write_text(notebook(cells))
    out = tmp_path_factory.mktemp("site")
    for name in ("more", "files", "lessons"):  # other files, and those of an earlier site
        (out / name).mkdir()
        (out / name / "old.html").touch()
    builder.build(out, lessons, compiled=compiled)
    return out


@pytest.fixture(scope="module")
def browser(chromium, site):
    with Site(site) as served, served.browser(chromium) as browser:
        yield browser


@pytest.fixture(scope="module")
def page(browser):
    """Open a page whose Python, which is slow to start, serves all tests."""
    page = browser.open(WIDGETS)
    page.run_cell(0)
    return page


@pytest.fixture
def opened(page, site, tmp_path):
    """Return a function that runs another notebook's cells on the page; check at the end that nothing failed."""

    def fill_and_run(name):
        page.fill(json.loads((site / "files" / name).read_text("utf-8")))
        page.run_all()
        return page

    yield fill_and_run
    page.page.screenshot(path=tmp_path / "end.png")
    page.check()


@pytest.mark.parametrize("name", ["00_start_here.ipynb", "10a_angles_and_crashes.ipynb", "13a_growing_city.ipynb"])
def test_a_lesson_runs_in_the_browser(opened, name):
    page = opened(name)
    assert page.canvases().count()
    for number in range(page.canvases().count()):
        page.expect_colours(number, 20)


def test_the_widgets_are_clicked_and_stepped_and_after_a_reload_run_again(opened):
    page = opened(WIDGETS)
    step(page)
    explore(page)
    predict(page)
    page.save()
    page.reload()
    page.page.get_by_text(SENTENCE).first.wait_for()
    page.run_all()
    python(page, "stepper.steps.beat", 0)
    page.button("One beat on")
    page.expect_paint()
    page.expect_status(STEPPER, "Beat 1")


def test_all_of_it_is_on_the_site_or_at_pyodides_address_with_its_hash(site):
    builder, folder = build_module(), site / "static" / "pyodide"
    packages = json.loads((folder / builder.LOCK).read_text("utf-8"))["packages"]
    here = {name: entry for name, entry in packages.items() if (folder / entry["file_name"]).is_file()}
    assert {"crashlab", "ipycanvas", "networkx", "hypothesis", *STAND_INS} <= here.keys()
    assert all(sha256((folder / one["file_name"]).read_bytes()).hexdigest() == one["sha256"] for one in here.values())
    elsewhere = [entry for name, entry in packages.items() if name not in here]
    assert {entry["name"] for entry in elsewhere} == {*builder.COMPILED} - {*STAND_INS}
    assert all(entry["file_name"].startswith(builder.ADDRESS) and len(entry["sha256"]) == 64 for entry in elsewhere)
    assert all(needed in packages for entry in packages.values() for needed in entry["depends"])
    assert {*STAND_INS, "ipywidgets", "ipycanvas", "tqdm"} <= {*packages["crashlab"]["depends"]}


def test_pyodide_is_the_one_that_the_kernel_was_made_for(site):
    builder = build_module()
    extension = site / "extensions" / "@jupyterlite" / "pyodide-kernel-extension"
    schema = json.loads((extension / "static" / "schema" / "kernel.v0.schema.json").read_text("utf-8"))
    assert schema["properties"]["pyodideUrl"]["default"] == f"{builder.ADDRESS}pyodide.mjs"


def test_a_wheel_that_needs_what_is_not_there_is_refused(tmp_path):
    builder = build_module()
    stand_in(tmp_path, "wishful", "1", {}, "Requires-Dist: numpy>=2\nRequires-Dist: threads; sys_platform == 'linux'\n")
    wheel = next(tmp_path.glob("*.whl"))
    builder.check(wheel, {"numpy": "2.4"})
    for versions, version in (({}, "none"), ({"numpy": "1.9"}, "1.9")):
        with pytest.raises(builder.Trouble, match=f"needs numpy>=2, and the site has {version}"):
            builder.check(wheel, versions)


def test_learners_get_notebooks_that_have_not_been_run_and_are_sent_nowhere_else(site):
    for path in (site / "files").glob("*.ipynb"):
        text = path.read_text("utf-8")
        assert "mybinder" not in text
        assert not any(cell.get("outputs") for cell in json.loads(text)["cells"])


def test_the_pages_beside_it_lead_to_every_lesson_in_the_browser_and_to_the_manual(site):
    page = (site / "lessons" / "index.html").read_text("utf-8")
    linked = set(re.findall(r'href="\.\./lab/index.html\?path=([^"]+)"', page))
    assert linked == {path.name for path in (site / "files").glob("*.ipynb")} and "mybinder" not in page
    assert all((site / "lessons" / name.replace(".ipynb", ".html")).is_file() for name in linked)
    assert 'href="manual/index.html"' in (site / "index.html").read_text("utf-8")


def test_a_site_takes_the_place_of_an_earlier_one_and_all_else_in_the_folder_stays(site):
    assert (site / "more" / "old.html").is_file()
    assert not any((site / name / "old.html").exists() for name in ("files", "lessons"))


def test_what_is_fetched_has_to_have_the_hash_of_the_lock_file(tmp_path, monkeypatch):
    builder = build_module()
    monkeypatch.setattr(builder, "COMPILED", ("numpy",))
    monkeypatch.setattr(builder.urllib.request, "urlopen", lambda address: BytesIO(address.encode()))
    right = sha256(f"{builder.ADDRESS}numpy.whl".encode()).hexdigest()
    builder.fetch_compiled(tmp_path, {"packages": {"numpy": {"file_name": "numpy.whl", "sha256": right}}})
    assert (tmp_path / "numpy.whl").read_text() == f"{builder.ADDRESS}numpy.whl"
    with pytest.raises(builder.Trouble, match=r"other.whl at Pyodide's address is not what its lock file says"):
        builder.fetch_compiled(tmp_path, {"packages": {"numpy": {"file_name": "other.whl", "sha256": right}}})
    assert not (tmp_path / "other.whl").exists()


def test_where_pyodides_address_is_not_reached_one_sentence_says_so(tmp_path, monkeypatch):
    builder = build_module()

    def unreachable(address):
        raise urllib.error.URLError(OSError(-3, "Temporary failure in name resolution"))

    monkeypatch.setattr(builder.urllib.request, "urlopen", unreachable)
    with pytest.raises(builder.Trouble) as refused:
        builder.fetch_compiled(tmp_path, {"packages": {name: {"file_name": "a.whl"} for name in builder.COMPILED}})
    reason = "[Errno -3] Temporary failure in name resolution"
    assert str(refused.value) == f"--whole cannot fetch a.whl from {builder.ADDRESS}: {reason}"


def test_where_no_registry_is_reached_the_site_says_that_it_needs_a_network(tmp_path, monkeypatch):
    builder = build_module()
    monkeypatch.setattr(builder.shutil, "which", lambda name: "/bin/false")
    with pytest.raises(builder.Trouble, match=r"^/bin/false pack .* cannot fetch .*; is there a network\?$"):
        builder.fetch_pyodide(tmp_path / "pyodide")
