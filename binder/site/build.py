"""The site of `make site`: the pages of `docs`, and beside them JupyterLab, Python and the lessons in the browser.

    python binder/site/build.py OUT                      NumPy and the like come from Pyodide's address when asked for
    python binder/site/build.py OUT --whole              they are fetched now, and the site asks nobody else
    python binder/site/build.py OUT --compiled FOLDER    their wheels are taken from a folder

Whatever way they come, a browser takes them only if they have the hash that is in the site's lock file. It runs in the
environment of `make`, whose versions constraints.txt pins, and needs npm, from which Pyodide itself comes.

The versions of compiled packages are those of Pyodide's lock file. A build refuses a package that needs another one
that is not there. For a newer Pyodide, which has to be that of JupyterLite's kernel, change `KERNEL`, `PYODIDE` and
`INTEGRITY` (`npm view pyodide@VERSION dist.integrity`). In `tests/browser/test_site.py` NumPy, Pillow and Matplotlib
are stand-ins, because their wheels for the browser are only at Pyodide's address; so numbers and plots are not tested
there.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.request
from base64 import b64encode
from collections.abc import Iterable, Iterator
from email.parser import HeaderParser
from hashlib import sha256, sha512
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

from crashlab.course import handout

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
LESSONS = ROOT / "notebooks"

# JupyterLite's kernel. It is not installed: its extension, which is for the site alone, would fail in JupyterLab.
KERNEL = "jupyterlite-pyodide-kernel==0.8.6"
KERNELS_OWN = ("ipykernel", "piplite", "pyodide_kernel")  # the wheels in it that are needed
# Pyodide: the version for which the kernel was made, as npm has it, and its larger rest.
PYODIDE = "314.0.6"
INTEGRITY = "sha512-BKDTJyIqFxC4BExLqeRS3f5xvXZIjOt8C3zGLN/Cc7tFxSwvKVhVkchQQ2AGLOtR4YrVOIFxbV8poyDOOmWwxQ=="
ADDRESS = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"

# Compiled packages for which only Pyodide has wheels.
COMPILED = ("contourpy", "kiwisolver", "matplotlib", "numpy", "pillow", "scipy")
# All others, from the package index, with the versions of constraints.txt (micropip: of Pyodide).
OTHERS = (
    "anywidget",
    "asttokens",
    "comm",
    "cycler",
    "executing",
    "fonttools",
    "hypothesis",
    "ipycanvas",
    "ipython",
    "ipython-pygments-lexers",
    "ipywidgets",
    "jedi",
    "matplotlib-inline",
    "micropip",
    "networkx",
    "packaging",
    "parso",
    "prompt-toolkit",
    "psygnal",
    "pure-eval",
    "pygments",
    "pyparsing",
    "python-dateutil",
    "segno",
    "sortedcontainers",
    "stack-data",
    "tqdm",
    "traitlets",
    "typing-extensions",
    "tzdata",
    "wcwidth",
)
EXTRAS = {"crashlab": ("widgets",)}  # what `import crashlab` loads, too
ON_THE_PAGE = ("jupyterlab-widgets", "widgetsnbextension")  # required by ipywidgets, and no Python
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
PYTHON = "3.14"  # Pyodide's
MARKERS = {"python_version": PYTHON, "sys_platform": "emscripten", "platform_system": "Emscripten"}
TAGS = ("--platform=pyemscripten_2026_0_wasm32", "--implementation=cp", "--abi=cp314", f"--python-version={PYTHON}")

BADGE = re.compile(rb" ?\[!\[Open in Binder\]\([^)]*\)\]\([^)]*\)(\\n)?")  # who reads this here is not sent elsewhere


class Trouble(Exception):
    """Why there is no site, in one sentence."""


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Build the site without a server.")
    parser.add_argument("out", type=Path, help="the folder of the site")
    parser.add_argument("--lessons", type=Path, metavar="FOLDER", default=LESSONS, help="other notebooks than ours")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--whole", action="store_true", help="fetch the compiled packages now")
    source.add_argument("--compiled", type=Path, metavar="FOLDER", help="take their wheels from here")
    arguments = parser.parse_args()
    try:
        build(arguments.out.resolve(), arguments.lessons, arguments.whole, arguments.compiled)
    except Trouble as trouble:
        sys.exit(f"no site: {trouble}")
    print(f"The site is in {arguments.out}. To look at it: python3 -m http.server --directory {arguments.out}")


def build(out: Path, lessons: Path = LESSONS, whole: bool = False, compiled: Path | None = None) -> None:
    """Make the site in a folder; what else is there stays."""
    with TemporaryDirectory() as temporary:
        work = Path(temporary)
        kernel = work / "pyodide"
        theirs = fetch_pyodide(kernel)
        fetch_wheels(kernel, theirs)
        extension = fetch_extension(work, kernel)
        if whole:
            fetch_compiled(kernel, theirs)
        for wheel in sorted(compiled.glob("*.whl")) if compiled else ():
            shutil.copy(wheel, kernel)
        (kernel / LOCK).write_text(json.dumps(lock(theirs, sorted(kernel.glob("*.whl")))), encoding="utf-8")
        hand_out(lessons, work / "lessons")
        for name in ("jupyter-lite.json", "overrides.json"):
            shutil.copy(HERE / name, work)
        site = work / "site"  # not in `out`, where JupyterLite would remove all that is there
        run_jupyterlite(work, extension, site)
        shutil.copytree(kernel, site / "static" / "pyodide")
        take(site, out)
    (out / ".nojekyll").touch()  # or GitHub Pages leaves files out
    run([sys.executable, HERE / "docs" / "pages.py", out, "--lessons", lessons, "--lab", "../"])


def take(site: Path, out: Path) -> None:
    """Put what was made into a folder, in the place of what has the same names there."""
    out.mkdir(parents=True, exist_ok=True)
    for path in site.iterdir():
        place = out / path.name
        if place.is_dir():
            shutil.rmtree(place)
        shutil.move(path, place)


# What the site is made of


def fetch_pyodide(folder: Path) -> dict[str, Any]:
    """Pyodide from npm; the packages in its own lock file."""
    folder.mkdir(parents=True)
    if not (npm := shutil.which("npm")):
        raise Trouble("npm is missing, which brings Pyodide; it comes with Node.js")
    run([npm, "pack", "--silent", f"pyodide@{PYODIDE}"], fetches=True, cwd=folder)
    archive = folder / f"pyodide-{PYODIDE}.tgz"
    integrity = f"sha512-{b64encode(sha512(archive.read_bytes()).digest()).decode()}"
    if integrity != INTEGRITY:
        raise Trouble(f"what npm has as pyodide {PYODIDE} is another one: {integrity}")
    with tarfile.open(archive) as inside:
        for name in (*CORE, LOCK):
            (folder / name).write_bytes(inside.extractfile(f"package/{name}").read())  # type: ignore[union-attr]
    archive.unlink()
    return json.loads((folder / LOCK).read_text("utf-8"))  # type: ignore[no-any-return]


def fetch_wheels(folder: Path, theirs: dict[str, Any]) -> None:
    """The wheels that stand on the site itself: crashlab's and those of the package index."""
    pins = dict(pinned()) | {"micropip": theirs["packages"]["micropip"]["version"]}
    wishes = [f"{name}=={pins[name]}" for name in OTHERS]
    run([*PIP, "download", "--no-deps", "--only-binary=:all:", *TAGS, "-d", folder, *wishes], fetches=True)
    run([*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT])


def fetch_extension(work: Path, folder: Path) -> Path:
    """The wheel of JupyterLite's kernel, and what it carries for Python."""
    run([*PIP, "download", "--no-deps", "-d", work, KERNEL], fetches=True)
    extension = next(work.glob("*.whl"))
    with ZipFile(extension) as inside:
        for name in inside.namelist():
            if name.endswith(".whl") and "/pypi/" in name and Path(name).name.split("-")[0] in KERNELS_OWN:
                (folder / Path(name).name).write_bytes(inside.read(name))
    return extension


def pinned() -> Iterator[tuple[str, str]]:
    """The names and versions in constraints.txt that hold for Python in the browser."""
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            pin = Requirement(line)
            if pin.marker is None or pin.marker.evaluate(MARKERS):
                yield canonicalize_name(pin.name), str(pin.specifier)[2:]


def fetch_compiled(folder: Path, theirs: dict[str, Any]) -> None:
    """The compiled wheels from Pyodide's address, if they have the hashes of its lock file."""
    for name in COMPILED:
        entry = theirs["packages"][name]
        try:
            with urllib.request.urlopen(ADDRESS + entry["file_name"]) as answer:
                content = answer.read()
        except OSError as error:
            reason = getattr(error, "reason", error)
            raise Trouble(f"--whole cannot fetch {entry['file_name']} from {ADDRESS}: {reason}") from None
        if sha256(content).hexdigest() != entry["sha256"]:
            raise Trouble(f"{entry['file_name']} at Pyodide's address is not what its lock file says")
        (folder / entry["file_name"]).write_bytes(content)


def hand_out(lessons: Path, folder: Path) -> None:
    """The lessons as learners get them, without what tools have left behind there."""
    for path in sorted(lessons.rglob("*")):
        name = path.relative_to(lessons)
        if path.is_file() and not any(part.startswith((".", "__")) for part in name.parts):
            copy = folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(BADGE.sub(b"", handout.content(path)))


# The lock file: which packages there are, where, with which hash, and what they need


def lock(theirs: dict[str, Any], wheels: list[Path]) -> dict[str, Any]:
    """The site's own lock file: these wheels, and the compiled packages at their address where there is no wheel."""
    entries = {entry["name"]: entry for entry in map(described, wheels)}
    names = {*entries, *COMPILED}
    for name in sorted(names - entries.keys()):
        entry = theirs["packages"][name]
        depends = [needed for needed in entry["depends"] if needed in names]  # it lists some that are not needed
        entries[name] = entry | {"depends": depends, "file_name": ADDRESS + entry["file_name"]}
    for wheel in wheels:
        check(wheel, {name: entry["version"] for name, entry in entries.items()})
    return theirs | {"packages": dict(sorted(entries.items()))}


def described(wheel: Path) -> dict[str, Any]:
    """A wheel, as a lock file describes it."""
    name, version, *_ = parse_wheel_filename(wheel.name)
    return {
        "name": name,
        "version": str(version),
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": imports(wheel),
        "depends": sorted({canonicalize_name(wish.name) for wish in requirements(wheel)}),
        "unvendored_tests": False,
    }


def imports(wheel: Path) -> list[str]:
    """What can be imported from a wheel."""
    with ZipFile(wheel) as inside:
        tops = {name.split("/")[0] for name in inside.namelist() if name.endswith((".py", ".so"))}
    return sorted(top.split(".")[0] for top in tops if not top.endswith((".dist-info", ".data")))


def requirements(wheel: Path) -> list[Requirement]:
    """What a wheel needs in the browser."""
    name = parse_wheel_filename(wheel.name)[0]
    with ZipFile(wheel) as inside:
        metadata = next(one for one in inside.namelist() if one.endswith(".dist-info/METADATA"))
        lines = HeaderParser().parsestr(inside.read(metadata).decode()).get_all("Requires-Dist") or []
    extras = ("", *EXTRAS.get(name, ()))
    wishes = [Requirement(line) for line in lines]
    return [
        wish
        for wish in wishes
        if canonicalize_name(wish.name) not in ON_THE_PAGE
        and (wish.marker is None or any(wish.marker.evaluate(MARKERS | {"extra": extra}) for extra in extras))
    ]


def check(wheel: Path, versions: dict[str, str]) -> None:
    """Refuse a wheel that needs what is not there."""
    for wish in requirements(wheel):
        version = versions.get(canonicalize_name(wish.name))
        if version is None or not wish.specifier.contains(version, prereleases=True):
            raise Trouble(f"{wheel.name} needs {wish}, and the site has {version or 'none'}")


# The pages


def run_jupyterlite(work: Path, extension: Path, out: Path) -> None:
    """JupyterLab with all this."""
    folders = ["--lite-dir", work, "--contents", work / "lessons", "--output-dir", out]
    folders.append(f"--LiteBuildConfig.federated_extensions={extension}")
    run([sys.executable, "-m", "jupyterlite_core", "build", "--apps", "lab", "--no-sourcemaps", *folders], cwd=work)


def run(command: Iterable[object], fetches: bool = False, **options: Any) -> None:
    """Run a program; what it says is told where it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        what = "cannot fetch what the site needs; is there a network?" if fetches else "failed:"
        raise Trouble(f"{' '.join(words)} {what}\n{done.stdout}".strip())


if __name__ == "__main__":
    main()
