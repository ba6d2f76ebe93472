"""Scale the number of cases: few in `make test`, all in `make test-all`, hours of them in `make proof`.

CRASHLAB_EFFORT is `quick` (the default), `full` or `proof`. It decides three things:

- `effort(20, 200)` is a number, of games for instance; a third number is for `make proof`.
- `@pytest.mark.few(3)`: a quick run takes three of the cases of a test, evenly spread.
- `@pytest.mark.slow`: a quick run takes none of them, for tests that cannot be made smaller.

If a test or its file is named on the command line, it runs with all its cases, whatever its mark.

With CRASHLAB_FIFTH (0 to 4, in full) only a fifth of the tests that a quick run shortens is run. `fifths.txt` assigns
the files to fifths, so that five landings in a row run all of them.
"""

import os
import zlib
from collections import defaultdict

from checkout import ROOT, TESTS

LEVELS = ("quick", "full", "proof")
LEVEL = os.environ.get("CRASHLAB_EFFORT") or "quick"
FIFTH = os.environ.get("CRASHLAB_FIFTH", "")
FIFTHS = 5
if LEVEL not in LEVELS or FIFTH not in ("", *map(str, range(FIFTHS))):
    raise SystemExit(f"CRASHLAB_EFFORT is one of {', '.join(LEVELS)}, CRASHLAB_FIFTH below {FIFTHS}")


def effort(quick, full, proof=None):
    """Return the number for this run."""
    return {"quick": quick, "full": full, "proof": full if proof is None else proof}[LEVEL]


def spread(cases, count):
    """Return this many of the cases, evenly spread, the first among them."""
    count = min(count, len(cases))
    return [cases[number * len(cases) // count] for number in range(count)]


def left_out(items, named=()):
    """Return the collected tests that do not run; `named` are the files of the command line."""
    if FIFTH:
        return {item for item in items if not is_slow(item) or fifth(unit(item)) != int(FIFTH)}
    return not_quick(items, named) if LEVEL == "quick" else set()


def not_quick(items, named=()):
    """Return the tests that a quick run omits."""
    dear = defaultdict(list)  # the cases of each marked function
    for item in items:
        if most_cases(item) is not None and item.path not in named:
            dear[item.path, item.originalname].append(item)
    return {item for cases in dear.values() for item in {*cases} - {*spread(cases, most_cases(cases[0]))}}


def most_cases(item):
    """Return how many of the cases of a test a quick run takes; None for all."""
    if item.get_closest_marker("slow"):
        return 0
    few = item.get_closest_marker("few")
    return few.args[0] if few else None


def is_slow(item):
    """Return whether a quick run shortens or omits this test."""
    return most_cases(item) is not None or hasattr(getattr(item, "module", None), "effort")


def unit(item):
    """Return the indivisible unit of a test: its file, which shares fixtures, or one walk through a notebook."""
    file = item.path.relative_to(ROOT).as_posix()
    apart = item.get_closest_marker("slow") and item.get_closest_marker("slow").kwargs.get("apart")
    return f"{file}::{item.name}" if apart else file


def fifths():
    """Return the fifth of each assigned unit, and the seconds that it took when it was assigned."""
    rows = (line.split(None, 2) for line in (TESTS / "fifths.txt").read_text("utf-8").splitlines())
    return {name: (int(number), float(seconds)) for number, seconds, name in rows}


def fifth(unit):
    """Return the fifth of a unit."""
    return fifths().get(unit, (zlib.crc32(unit.encode()) % FIFTHS, 0.0))[0]
