"""How much is tried: quickly in `make test`, in full in `make test-all`, and for hours in `make proof`.

CRASHLAB_EFFORT is `quick` (where nothing is said), `full` or `proof`. Three things go by it, and nothing else does:

- `effort(20, 200)` is a number: of games, say. What `make proof` tries even more often has a third one.
- `@pytest.mark.few(3)`: quickly, three of the cases of a test, evenly spread.
- `@pytest.mark.slow`: quickly, none of them. It is for what has no small form.

A test that is named on the command line, or whose file is, runs with all its cases, whatever its mark.

With CRASHLAB_FIFTH (0 to 4, in full) only a fifth of the tests runs that a quick run does not do in full. `fifths.txt`
says which files are in it, and so five landings in a row run all of them.
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
    """The number for this run."""
    return {"quick": quick, "full": full, "proof": full if proof is None else proof}[LEVEL]


def spread(cases, count):
    """So many of the cases, evenly spread, the first among them."""
    count = min(count, len(cases))
    return [cases[number * len(cases) // count] for number in range(count)]


def left_out(items, named=()):
    """What does not run of the collected tests; `named` are the files of the command line."""
    if FIFTH:
        return {item for item in items if not is_slow(item) or fifth(unit(item)) != int(FIFTH)}
    return not_quick(items, named) if LEVEL == "quick" else set()


def not_quick(items, named=()):
    """What a quick run leaves out."""
    dear = defaultdict(list)  # the cases of each function that is marked
    for item in items:
        if most_cases(item) is not None and item.path not in named:
            dear[item.path, item.originalname].append(item)
    return {item for cases in dear.values() for item in {*cases} - {*spread(cases, most_cases(cases[0]))}}


def most_cases(item):
    """How many of the cases of a test run quickly; None where all do."""
    if item.get_closest_marker("slow"):
        return 0
    few = item.get_closest_marker("few")
    return few.args[0] if few else None


def is_slow(item):
    """Whether a quick run does not do all of it."""
    return most_cases(item) is not None or hasattr(getattr(item, "module", None), "effort")


def unit(item):
    """What is never divided: a file, which shares what is made for it, or one walk through a notebook."""
    file = item.path.relative_to(ROOT).as_posix()
    apart = item.get_closest_marker("slow") and item.get_closest_marker("slow").kwargs.get("apart")
    return f"{file}::{item.name}" if apart else file


def fifths():
    """In which fifth each unit is, as far as it was said, and how many seconds it took then."""
    rows = (line.split(None, 2) for line in (TESTS / "fifths.txt").read_text("utf-8").splitlines())
    return {name: (int(number), float(seconds)) for number, seconds, name in rows}


def fifth(unit):
    """The one fifth in which it is."""
    return fifths().get(unit, (zlib.crc32(unit.encode()) % FIFTHS, 0.0))[0]
