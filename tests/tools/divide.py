"""Divide the slow tests into five parts of about the same time: `python tests/tools/divide.py REPORT`.

The report is of a run in full, `CRASHLAB_EFFORT=full pytest ... --junit-xml REPORT`. The units are assigned from the
longest on, each to the shortest part so far. Units that are not in the report keep their part.
"""

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

sys.path.append(str(Path(__file__).parent.parent))

from checkout import TESTS
from effort import FIFTHS, fifths

APART = "tests/browser/test_notebooks_in_browser.py"  # its cases are divided (`unit` in effort.py)


def main(report):
    seconds = Counter({name: took for name, (_, took) in fifths().items()})
    measured = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        file = case.get("classname").replace(".", "/") + ".py"
        measured[f"{file}::{case.get('name')}" if file == APART else file] += float(case.get("time"))
    seconds.update({name: took - seconds[name] for name, took in measured.items()})
    full, rows = [0.0] * FIFTHS, []
    for name, took in sorted(seconds.items(), key=lambda pair: (-pair[1], pair[0])):
        part = full.index(min(full))
        full[part] += took
        rows.append(f"{part} {took:.0f} {name}")
    (TESTS / "fifths.txt").write_text("\n".join(sorted(rows)) + "\n", "utf-8")
    print(*(f"{took:.0f} s" for took in full))


if __name__ == "__main__":
    main(*sys.argv[1:])
