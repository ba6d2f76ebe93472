"""List the test files for a change: `python tests/tools/touched.py [COMMIT]`, as used by `make check`.

For a module these are the few files that use its names most, or those of its package if none does; for a game also the
files with its name. So a change in one package takes a minute or two; `make test` runs everything. The change is the
difference from the commit, by default HEAD.
"""

import ast
import subprocess
import sys
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
sys.path[:0] = [str(ROOT), str(TESTS), str(TESTS / "house")]

from test_architecture import MODULES, NAMES, imported, module_name  # noqa: E402

MOST = 8  # test files of one module
OTHERS = {  # for files that are not modules
    "notebooks": "course/test_notebook_hygiene.py",
    "examples": "commands/test_examples.py",
    "binder": "commands/test_docs.py",
}


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


@cache
def used(path):
    """Count how often a test file uses each module or its names."""
    nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
    counts, names = Counter(imported(nodes)), {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "crashlab":
            names |= {alias.asname or alias.name: home(node.module, alias.name) for alias in node.names}
    for node in nodes:
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "crashlab":
            counts[home("crashlab", node.attr)] += 1
        elif isinstance(node, ast.Name) and node.id in names:
            counts[names[node.id]] += 1
    return counts


def home(module, name):
    """Return the module that defines this name."""
    if f"{module}.{name}" in MODULES:
        return f"{module}.{name}"
    return str(getattr(getattr(import_module(module), name, None), "__module__", ""))


def about(path, begins):
    """Return the share of a test file's uses that fall on modules starting with `begins`."""
    return sum(count for name, count in used(path).items() if name.startswith(begins)) / max(used(path).total(), 1)


def touched(name):
    """Return the test files for a changed file."""
    files, (top, *inner) = sorted(TESTS.rglob("test_*.py")), Path(name).parts
    if top == "tests":
        return [path for path in files if path.name == inner[-1] or Path(name).stem in used(path)]
    if top != "crashlab" or not name.endswith((".py", ".toml", ".json")):
        return [TESTS / OTHERS.get(top, "commands/test_packaging.py")]
    module = module_name(ROOT / name)
    package = module.rpartition(".")[0]
    its_own = [path for path in files for game in NAMES if game in inner and path.stem.startswith(f"test_{game}")]
    begins = module if any(module in used(path) for path in files) else package
    users = [path for path in files if about(path, begins)]
    return its_own + sorted(users, key=lambda path: -about(path, begins))[:MOST]


def main(commit="HEAD"):
    changed = git("diff", "--name-only", commit) + git("ls-files", "--others", "--exclude-standard")
    paths = {path for name in changed for path in touched(name) if path.exists()}
    print(*sorted(path.relative_to(ROOT).as_posix() for path in paths))


if __name__ == "__main__":
    main(*sys.argv[1:])
