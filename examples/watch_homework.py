"""A student's own file, watched: every line of a function, with pictures, as a page that plays anywhere.

    python examples/watch_homework.py [PAGE]

does the same as

    crashlab watch examples/watch_homework.py without_doubles "[5, 2, 5, 1, 2]" --html PAGE
"""

import sys

from crashlab.cli.main import main


def without_doubles(numbers):
    """Return each number once, in its order. Is the homework right? Does it look at all of them?"""
    kept, place = [], 0
    while place < len(numbers):
        if numbers[place] not in kept:
            kept.append(numbers[place])
        place += 1
    return kept


if __name__ == "__main__":
    page = ["--html", sys.argv[1]] if len(sys.argv) > 1 else []
    sys.exit(main(["watch", __file__, "without_doubles", "[5, 2, 5, 1, 2]", *page]))
