"""Copy the notebooks and open them in JupyterLab."""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module, util
from pathlib import Path

import crashlab
from crashlab.base import files
from crashlab.base.errors import short_repr, whole
from crashlab.cli.arguments import integer
from crashlab.cli.news import without_news
from crashlab.course import handout

FIRST = "00_start_here.ipynb"
PRESENTED = {"page_config_data": {"crashlabPresent": True}}  # read by present.js
PLACE = r"[A-Za-z0-9.-]+(:\d{1,5})?"  # a host, perhaps with a port
MANIFEST = ".crashlab.json"  # in the folder of copies: the hashes of the delivered notebooks
PARTS = ("jupyterlab", "ipywidgets", "ipycanvas", "anywidget", "matplotlib")


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dir", default="crashlab-notebooks", help="folder of the copies (%(default)s)")
    parser.add_argument("--copy-only", action="store_true", help="only copy the notebooks, do not start JupyterLab")
    parser.add_argument("--no-browser", action="store_true", help="start JupyterLab without opening a browser")
    parser.add_argument("--no-warm", action="store_true", help="do not compile the games in the background")
    parser.add_argument("--port", type=integer, help="the port that JupyterLab tries first")
    parser.add_argument("--present", action="store_true", help="present the lesson panel by panel, with a clicker")
    parser.add_argument(
        "--phones", metavar="ADDRESS", help="the address that phones use to vote, such as 10.0.0.5 or 10.0.0.5:8040"
    )
    parser.add_argument(
        "lessons",
        nargs="*",
        metavar="[LESSON] [-- OPTION ...]",
        help="the lesson to open, such as 10a; options after two dashes are passed to JupyterLab",
    )


def run(arguments: argparse.Namespace) -> int:
    """Update the copies of the notebooks, and start JupyterLab on them."""
    missing = [part for part in PARTS if util.find_spec(part) is None]
    if missing and not arguments.copy_only:
        raise crashlab.CrashlabError(f"not installed: {', '.join(missing)}; run: pip install 'crashlab[lab]'")
    folder = files.whole_path(arguments.dir)
    if arguments.lessons[1:]:
        raise crashlab.CrashlabError(f"give one lesson only, without {short_repr(arguments.lessons[1])}")
    if folder.exists() and not folder.is_dir():
        raise crashlab.CrashlabError(f"{folder} is a file: give a folder")
    lesson = lesson_file(arguments.lessons[0]) if arguments.lessons else FIRST
    port = None if arguments.port is None else whole("--port", arguments.port, least=0, more=" to 65535", most=65535)
    place = arguments.phones or ""
    if place and not (re.fullmatch(PLACE, place) and int(place.partition(":")[2] or 0) <= 65535):
        raise crashlab.CrashlabError(f"--phones {short_repr(place)}: give an address such as 10.0.0.5 or 10.0.0.5:8040")
    names = copy_notebooks(notebooks(), folder)
    print(f"The notebooks are in {folder}.", flush=True)
    for name in names:
        print(f"Kept your {name}; to get the original, rename yours and run this again.", flush=True)
    if arguments.copy_only:
        return 0
    options = [f"--ServerApp.root_dir={folder}", f"--LabApp.default_url=/lab/tree/{lesson}"]
    # Not in the address, because JupyterLab would append its token with a second question mark.
    settings = {**(PRESENTED if arguments.present else {}), **({"crashlab_phones": place} if place else {})}
    if settings:
        options.append(f"--ServerApp.tornado_settings={settings}")
    if arguments.no_browser:
        options.append("--no-browser")
    if port is not None:
        options.append(f"--port={port}")
    with without_news(), nullcontext() if arguments.no_warm else warming():
        import_module("jupyterlab.labapp").main([*options, *arguments.passed, *options_of_root(arguments.passed)])
    return 0


def lesson_file(name: str) -> str:
    """Return the notebook of a lesson from a prefix of its name."""
    lessons = sorted(path.name for path in notebooks().glob("*.ipynb"))
    matches = [file for file in lessons if file.startswith(name)]
    if len(matches) != 1:
        names = ", ".join(matches or [file.partition("_")[0] for file in lessons])
        raise crashlab.CrashlabError(f"{short_repr(name)} does not name one lesson: choose one of {names}")
    return matches[0]


@contextmanager
def warming() -> Iterator[None]:
    """Compile all games in a background process of low priority, so that users need not wait."""
    if not util.find_spec("wasmtime"):
        yield
        return
    command = [sys.executable, "-m", "crashlab", "warm", "--nice"]
    flags = getattr(subprocess, "IDLE_PRIORITY_CLASS", 0)  # for systems without os.nice
    null = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=null, stdout=null, stderr=null, creationflags=flags) as process:
        try:
            yield
        finally:
            process.terminate()


def options_of_root(options: Sequence[str]) -> list[str]:
    """Return options that let root run JupyterLab on the loopback address; [] for others or with a given address."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not is_root or any(re.match(r"--(ServerApp\.)?ip\b", option) for option in options):
        return []
    print("You are root, so JupyterLab answers on the loopback address 127.0.0.1 only.", flush=True)
    return ["--allow-root", "--ServerApp.ip=127.0.0.1"]


def notebooks() -> Path:
    """Return the folder of the delivered notebooks: in an installed package, or next to it in a checkout."""
    package = Path(crashlab.__file__).parent
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if (folder / FIRST).is_file():
            return folder
    raise crashlab.CrashlabError(f"this installation has no notebooks ({package}); install crashlab again")


def copy_notebooks(source: Path, target: Path) -> list[str]:
    """Copy new notebooks and update unchanged ones; return the names of the files that the user has changed."""
    if target.exists() and target.samefile(source):
        return []
    manifest = target / MANIFEST
    try:
        digests = dict(json.loads(manifest.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, TypeError, RecursionError):
        digests = {}
    names = []
    target.mkdir(parents=True, exist_ok=True)
    for name in sorted(visible_files(source)):
        ours, theirs = source / name, target / name
        content = handout.content(ours)
        new = digest(content)
        present = digest(theirs.read_bytes()) if theirs.exists() else None
        if present not in (None, new, digests.get(name)):
            names.append(name)
            continue
        if present != new:
            theirs.parent.mkdir(parents=True, exist_ok=True)
            files.write(theirs, content)
        digests[name] = new
    files.write(manifest, f"{json.dumps(dict(sorted(digests.items())), indent=1)}\n".encode())
    return names


def visible_files(folder: Path) -> Iterator[str]:
    """Yield the files below a folder as relative paths with slashes, without hidden files and caches."""
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if path.is_file() and not any(part.startswith((".", "__")) for part in name.parts):
            yield name.as_posix()


def digest(content: bytes) -> str:
    """Return a hash of the content of a file."""
    return hashlib.sha256(content).hexdigest()
