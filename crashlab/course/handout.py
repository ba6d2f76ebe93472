"""Notebooks as learners get them: not run yet, so that no answer stands below its question.

The project stores its notebooks with all that they put out, for its tests compare it. But learners are asked all the
time what will happen, by widgets and in the prose; so none of it is handed to them.
Pictures in the prose stay, but for the badge of Binder.

    python -m crashlab.course.handout FOLDER

does it to all notebooks of a folder. It needs nothing but Python, because wheels are built with it, too.
"""

import json
import re
import sys
from pathlib import Path

SUFFIX = ".ipynb"
BADGE = re.compile(r"\s*\[!\[Open in Binder\]\([^)]*\)\]\([^)]*\)")  # needs the network


def content(path: Path) -> bytes:
    """What a learner gets of this file."""
    stored = path.read_bytes()
    return unrun(stored) if path.suffix == SUFFIX else stored


def unrun(stored: bytes) -> bytes:
    """A notebook without what its cells have put out, and without the badge; what is no notebook stays as it is."""
    try:
        notebook = json.loads(stored)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for cell in notebook["cells"][:1]:
            cell["source"] = BADGE.sub("", "".join(cell["source"])).splitlines(keepends=True)
    except (ValueError, TypeError, KeyError):
        return stored
    for cell in cells:
        cell["outputs"], cell["execution_count"] = [], None
    return f"{json.dumps(notebook, indent=1, ensure_ascii=False)}\n".encode()


def main(folder: str) -> None:
    """Do it to all notebooks of a folder."""
    for path in sorted(Path(folder).glob(f"*{SUFFIX}")):
        path.write_bytes(content(path))


if __name__ == "__main__":
    main(*sys.argv[1:])
