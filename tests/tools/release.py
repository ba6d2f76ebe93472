"""Build a release into dist and try it in clean environments: `make release`. It publishes nothing.

It tries the wheel alone, as programs use it, and the source distribution with all that the notebooks need.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent.parent
DIST = ROOT / "dist"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
COMMANDS = ("--version", "rules autoscooter", "simulate autoscooter --games 20", "lab --copy-only")
WITH_NOTEBOOKS = (  # checks that the page has the extension and that the first notebook runs
    "-m jupyter labextension list",
    "-m jupyter execute crashlab-notebooks/00_start_here.ipynb",
)


def run(*words, **options):
    print("$", *words, flush=True)
    return subprocess.run([*map(str, words)], check=True, text=True, **options)


def build():
    """Build the wheel and the source distribution."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "-d", DIST, cwd=ROOT)
    (wheel,), (source,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    return wheel, source


def check(file, extras, more=()):
    """Install a file in an empty environment, far from the checkout, and use it."""
    with TemporaryDirectory() as folder:
        venv.create(Path(folder) / "env", with_pip=True)
        python = next((Path(folder) / "env").glob("[bS]*/python*"))
        pins = str(ROOT / "constraints.txt")
        here = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        here |= {"PIP_CONSTRAINT": pins, "PIP_BUILD_CONSTRAINT": pins}
        run(python, "-m", "pip", "install", "--quiet", f"{file}{extras}", cwd=folder, env=here)
        for words in COMMANDS:
            process = run(python, "-m", "crashlab", *words.split(), cwd=folder, env=here, capture_output=True)
            if words == "--version" and PROJECT["version"] not in process.stdout:
                sys.exit(f"{file.name} says it is {process.stdout}")
        for words in more:
            run(python, *words.split(), cwd=folder, env=here)


def main():
    version = PROJECT["version"]
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changes, re.M):
        sys.exit(f"CHANGELOG.md has no dated section for {version}")
    if subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True).stdout:
        sys.exit("commit the changes of the checkout first")
    wheel, source = build()
    check(wheel, "")
    check(source, "[lab,fast,algorithms]", WITH_NOTEBOOKS)
    for file in (wheel, source):
        content = file.read_bytes()
        print(f"{hashlib.sha256(content).hexdigest()}  {file.relative_to(ROOT)}, {len(content) / 1e6:.1f} MB")
    print(f"{version} could be published, which this does not do: twine upload dist/*")


if __name__ == "__main__":
    main()
