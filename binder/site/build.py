"""Build the site of `make site`: the pages of `docs`, and JupyterLab with Python and the lessons in the browser.

    python binder/site/build.py OUT                      browsers load NumPy and the like from Pyodide's address
    python binder/site/build.py OUT --whole              they are fetched now and served by the site
    python binder/site/build.py OUT --compiled FOLDER    their wheels are copied from a folder

In each case a browser checks their hashes against the site's lock file. The build runs in the environment of `make`,
with the versions of constraints.txt, and needs npm to fetch Pyodide.

Compiled packages have the versions of Pyodide's lock file. A package with a missing requirement is refused. To update
Pyodide to the version of a newer JupyterLite kernel, change `KERNEL`, `PYODIDE` and `INTEGRITY` (`npm view
pyodide@VERSION dist.integrity`). `tests/browser/test_site.py` replaces NumPy, Pillow and Matplotlib by dummies, since
their wheels for the browser exist only at Pyodide's address, and so tests no numbers and plots.
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

# JupyterLite's kernel. It is not installed: its extension, meant for the site only, would fail in JupyterLab.
KERNEL = "jupyterlite-pyodide-kernel==0.8.6"
KERNELS_OWN = ("ipykernel", "piplite", "pyodide_kernel")  # wheels inside it that the site needs
# Pyodide: the kernel's version of it, as npm has it, and the address of its larger part.
PYODIDE = "314.0.6"
INTEGRITY = "sha512-BKDTJyIqFxC4BExLqeRS3f5xvXZIjOt8C3zGLN/Cc7tFxSwvKVhVkchQQ2AGLOtR4YrVOIFxbV8poyDOOmWwxQ=="
ADDRESS = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"

# Compiled packages with wheels from Pyodide only.
COMPILED = ("contourpy", "kiwisolver", "matplotlib", "numpy", "pillow", "scipy")
# Other packages, from the package index, with the versions of constraints.txt (micropip: Pyodide's).
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
EXTRAS = {"crashlab": ("widgets",)}  # extras that `import crashlab` loads
ON_THE_PAGE = ("jupyterlab-widgets", "widgetsnbextension")  # required by ipywidgets, but without Python code
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
PYTHON = "3.14"  # Pyodide's version of Python
MARKERS = {"python_version": PYTHON, "sys_platform": "emscripten", "platform_system": "Emscripten"}
TAGS = ("--platform=pyemscripten_2026_0_wasm32", "--implementation=cp", "--abi=cp314", f"--python-version={PYTHON}")

BADGE = re.compile(rb" ?\[!\[Open in Binder\]\([^)]*\)\]\([^)]*\)(\\n)?")  # not needed on the site


class Trouble(Exception):
    """The reason why the site cannot be built, in one sentence."""


def main() -> None:
    """Run the command."""
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
    """Build the site in a folder, whose other files are kept."""
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
        site = work / "site"  # JupyterLite would empty `out`
        run_jupyterlite(work, extension, site)
        shutil.copytree(kernel, site / "static" / "pyodide")
        take(site, out)
    (out / ".nojekyll").touch()  # without it GitHub Pages ignores some files
    run([sys.executable, HERE / "docs" / "pages.py", out, "--lessons", lessons, "--lab", "../"])


def take(site: Path, out: Path) -> None:
    """Move the built site into a folder, replacing files of the same names."""
    out.mkdir(parents=True, exist_ok=True)
    for path in site.iterdir():
        place = out / path.name
        if place.is_dir():
            shutil.rmtree(place)
        shutil.move(path, place)


# Parts of the site


def fetch_pyodide(folder: Path) -> dict[str, Any]:
    """Fetch Pyodide from npm and return its own lock file."""
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
    """Build crashlab's wheel and download those of the package index."""
    pins = dict(pinned()) | {"micropip": theirs["packages"]["micropip"]["version"]}
    wishes = [f"{name}=={pins[name]}" for name in OTHERS]
    run([*PIP, "download", "--no-deps", "--only-binary=:all:", *TAGS, "-d", folder, *wishes], fetches=True)
    run([*PIP, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, ROOT])


def fetch_extension(work: Path, folder: Path) -> Path:
    """Fetch the wheel of JupyterLite's kernel and extract its Python wheels; return its path."""
    run([*PIP, "download", "--no-deps", "-d", work, KERNEL], fetches=True)
    extension = next(work.glob("*.whl"))
    with ZipFile(extension) as inside:
        for name in inside.namelist():
            if name.endswith(".whl") and "/pypi/" in name and Path(name).name.split("-")[0] in KERNELS_OWN:
                (folder / Path(name).name).write_bytes(inside.read(name))
    return extension


def pinned() -> Iterator[tuple[str, str]]:
    """Yield the names and versions in constraints.txt that apply to Python in the browser."""
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            pin = Requirement(line)
            if pin.marker is None or pin.marker.evaluate(MARKERS):
                yield canonicalize_name(pin.name), str(pin.specifier)[2:]


def fetch_compiled(folder: Path, theirs: dict[str, Any]) -> None:
    """Fetch the compiled wheels from Pyodide's address and check their hashes."""
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
    """Copy the lessons as learners get them, without hidden files and caches."""
    for path in sorted(lessons.rglob("*")):
        name = path.relative_to(lessons)
        if path.is_file() and not any(part.startswith((".", "__")) for part in name.parts):
            copy = folder / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(BADGE.sub(b"", handout.content(path)))


# The lock file: packages, their addresses, hashes and requirements


def lock(theirs: dict[str, Any], wheels: list[Path]) -> dict[str, Any]:
    """Build the site's lock file from these wheels; compiled packages without a wheel keep Pyodide's address."""
    entries = {entry["name"]: entry for entry in map(described, wheels)}
    names = {*entries, *COMPILED}
    for name in sorted(names - entries.keys()):
        entry = theirs["packages"][name]
        depends = [needed for needed in entry["depends"] if needed in names]  # some listed ones are unused
        entries[name] = entry | {"depends": depends, "file_name": ADDRESS + entry["file_name"]}
    for wheel in wheels:
        check(wheel, {name: entry["version"] for name, entry in entries.items()})
    return theirs | {"packages": dict(sorted(entries.items()))}


def described(wheel: Path) -> dict[str, Any]:
    """Return the entry of a wheel in a lock file."""
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
    """Return the names that can be imported from a wheel."""
    with ZipFile(wheel) as inside:
        tops = {name.split("/")[0] for name in inside.namelist() if name.endswith((".py", ".so"))}
    return sorted(top.split(".")[0] for top in tops if not top.endswith((".dist-info", ".data")))


def requirements(wheel: Path) -> list[Requirement]:
    """Return a wheel's requirements in the browser."""
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
    """Raise Trouble if a requirement of a wheel is not in the site."""
    for wish in requirements(wheel):
        version = versions.get(canonicalize_name(wish.name))
        if version is None or not wish.specifier.contains(version, prereleases=True):
            raise Trouble(f"{wheel.name} needs {wish}, and the site has {version or 'none'}")


# The pages


def run_jupyterlite(work: Path, extension: Path, out: Path) -> None:
    """Build JupyterLab with the lessons and the extension."""
    folders = ["--lite-dir", work, "--contents", work / "lessons", "--output-dir", out]
    folders.append(f"--LiteBuildConfig.federated_extensions={extension}")
    run([sys.executable, "-m", "jupyterlite_core", "build", "--apps", "lab", "--no-sourcemaps", *folders], cwd=work)


def run(command: Iterable[object], fetches: bool = False, **options: Any) -> None:
    """Run a program; raise Trouble with its output if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        what = "cannot fetch what the site needs; is there a network?" if fetches else "failed:"
        raise Trouble(f"{' '.join(words)} {what}\n{done.stdout}".strip())


if __name__ == "__main__":
    main()
