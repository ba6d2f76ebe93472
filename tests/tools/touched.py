"""The test files that a change touches: `python tests/tools/touched.py [COMMIT]`, as `make check` asks.

Of a module they are those that use it; where none does, those that use its package; of a game those with its name, too.
The change is what differs from the commit, HEAD if none is named.
"""

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
sys.path[:0] = [str(ROOT), str(TESTS)]

from test_architecture import NAMES, imports, module_name  # noqa: E402

import crashlab  # noqa: E402

OTHERS = {"notebooks": "test_notebook_hygiene.py", "examples": "test_examples.py", "binder": "test_reference.py"}


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


@cache
def used(path):
    """The modules that a test file imports, and those of the names that it finds in `crashlab`."""
    found = set(imports(path))
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "crashlab":
            found.add(str(getattr(getattr(crashlab, node.attr, None), "__module__", "")))
    return found


def touched(name):
    """The test files for a changed file."""
    files, (top, *inner) = sorted(TESTS.glob("test_*.py")), Path(name).parts
    if top == "tests":
        return [path for path in files if path.name == inner[-1] or Path(name).stem in used(path)]
    if top != "crashlab" or not name.endswith((".py", ".toml", ".json")):
        return [TESTS / OTHERS.get(top, "test_packaging.py")]
    module = module_name(ROOT / name)
    package = module.rpartition(".")[0]
    its_own = [path for path in files for game in NAMES if game in inner and path.stem.startswith(f"test_{game}")]
    users = [path for path in files if module in used(path)]
    return its_own + (users or [path for path in files if any(other.startswith(package) for other in used(path))])


def main(commit="HEAD"):
    changed = git("diff", "--name-only", commit) + git("ls-files", "--others", "--exclude-standard")
    found = {path for name in changed for path in touched(name) if path.exists()}
    print(*sorted(path.relative_to(ROOT).as_posix() for path in found))


if __name__ == "__main__":
    main(*sys.argv[1:])
