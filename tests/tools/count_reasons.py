"""Count the reasons that Watch gives, in functions of lesson 50 and of `tests/first_course.py`.

    python tests/tools/count_reasons.py            prints the sums
    python tests/tools/count_reasons.py --each     and each function

An event has a data cause if the second interpreter of the tests finds an earlier event that its value was made of.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from reason_count import Count, count, course_cases, lesson_cases

HEAD = ("functions", "events", "with a data cause", "told", "false", "missing")


def row(name: str, counts: list[Count]) -> str:
    """Format a line of the table."""
    reasons, false, missing = (
        sum(len(getattr(one, what)) for one in counts) for what in ("reasons", "false", "missing")
    )
    numbers = len(counts), sum(count.events for count in counts), reasons, reasons - missing, false, missing
    return f"{name:24}" + "".join(f"{number:>{len(head) + 3},}" for head, number in zip(HEAD, numbers, strict=True))


def main() -> None:
    """Print the table."""
    print(" " * 24 + "".join(f"{head:>{len(head) + 3}}" for head in HEAD))
    every = []
    for name, cases in (("lesson 50", lesson_cases), ("our own", course_cases)):
        counts = [count(*case) for case in cases().values()]
        for one in counts if "--each" in sys.argv else ():
            print(row(one.name, [one]))
            print("".join(f"    {words}\n" for words in one.false + one.missing), end="")
        print(row(name, counts))
        every += counts
    print(row("all", every))


if __name__ == "__main__":
    main()
