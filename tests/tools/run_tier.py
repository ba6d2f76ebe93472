"""Run `make test` or `make test-all` and, in turn, a fifth of the remaining cases for `.ci/run`; print a table.

    python tests/tools/run_tier.py quick|full|fifth|part NUMBER [WORD FOR PYTEST ...]

tests/effort.py describes the tiers. The fifth is chosen by the number of landings: the commits of the first parents,
modulo five, so that five in a row run all. FIFTH=2 chooses one, FIFTH=all takes everything. A part of the quick tier is
for `make another`, on another version of Python: the types, and the tests most likely to differ.
"""

import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
BIN = Path(sys.executable).parent
PYRIGHT = BIN / "pyright"  # missing without npm
FIFTHS = 5
# One more than processors, as some always wait for a page. If one dies the run ends: another one would die as well.
WORKERS = ["-n", "3", "--dist", "loadscope", "--max-worker-restart=0"]
NOTEBOOKS = ["-p", "tests.nbval_plugin", "--nbval", "--nbval-current-env", "notebooks"]
PARTS = [["tests/watch"], ["tests/course", "tests/play"], NOTEBOOKS]
# Seconds, for tests that wait for a lost message: the process of such a test ends, after it has shown its stack.
LIMIT = ["--timeout", "300", "--timeout-method", "thread", "-o", "faulthandler_timeout=290"]


def main(tier, *words):
    """Run a tier and return the status of the process, 0 if nothing failed."""
    number = chosen_fifth() if tier == "fifth" else ""
    level = "quick" if tier in ("quick", "part") else "full"
    turn, *words = words if tier == "part" else ("0", *words)
    part = int(turn) % len(PARTS)
    pytest = [BIN / "python", "-m", "pytest", *WORKERS, *(LIMIT if level == "quick" else []), *words]
    steps = {
        "lint": [BIN / "ruff", "check", "."],
        "format": [BIN / "ruff", "format", "--check", "--quiet", "."],
        "plain English": [BIN / "python", "tests/tools/plain_english.py"],
        "types": [BIN / "mypy"],
        "tests and notebooks": [*pytest, "--rules", *NOTEBOOKS, "tests"],
    }
    if tier == "part":
        extra = {"types by Pyright": [PYRIGHT, "--pythonpath", sys.executable]} if PYRIGHT.exists() else {}
        steps = {"types": steps["types"], **extra, f"part {part + 1} of {len(PARTS)}": [*pytest, *PARTS[part]]}
    if number:
        steps = {f"fifth {number} of the slow tests": [*pytest, "tests"]}
    environment = {**os.environ, "CRASHLAB_EFFORT": level, "CRASHLAB_FIFTH": number, "TQDM_DISABLE": "1"}
    rows, failed = [], False
    for name, command in steps.items():
        print(f"== {name}", flush=True)
        start = time.monotonic()
        code, totals = run(command, environment)
        rows.append((name, time.monotonic() - start, "passed" if code == 0 else "FAILED", totals))
        failed |= code != 0
    print(f"\n== what has run on Python {platform.python_version()}")
    for name, seconds, outcome, totals in rows:
        print(f"{name:28} {seconds:6.0f} s  {outcome}  {totals}")
    if tier == "quick":
        print("`make test-all` does the same with full numbers, and what its fifths hold: tests/fifths.txt")
    return int(failed)


def run(command, environment):
    """Run a command and show its output; return its exit code and the totals that pytest prints at the end."""
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    end = b""
    while piece := os.read(process.stdout.fileno(), 4096):
        sys.stdout.buffer.write(piece)
        sys.stdout.flush()
        end = (end + piece)[-400:]
    sums = re.findall(r"(\d+ (?:failed|passed|errors?)\b[^=\n]*?) in \d", end.decode(errors="replace"))
    return process.wait(), sums[-1] if sums else ""


def chosen_fifth():
    """Return the number of a fifth, "" for all of them."""
    choice = os.environ.get("FIFTH")
    if choice == "all":
        return ""
    if choice:
        return choice
    count = ["git", "rev-list", "--first-parent", "--count", "HEAD"]
    return str(int(subprocess.run(count, cwd=ROOT, capture_output=True, text=True, check=True).stdout) % FIFTHS)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
