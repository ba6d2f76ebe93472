"""Copies of the notebooks for learners, without outputs, so that no answer is shown below its question.

The project stores its notebooks with their outputs, because its tests compare them. But the widgets and the prose keep
asking learners to predict the outputs, so learners get notebooks without any. Pictures in the prose stay, except the
badge of Binder.

    python -m crashlab.course.handout FOLDER

replaces all notebooks of a folder by such copies. The module needs only Python, because the build of wheels uses it.
"""

import json
import re
import sys
from pathlib import Path

SUFFIX = ".ipynb"
BADGE = re.compile(r"\s*\[!\[Open in Binder\]\([^)]*\)\]\([^)]*\)")  # the badge is loaded from the network


def content(path: Path) -> bytes:
    """Return the bytes that a learner gets for a file: notebooks without outputs, other files unchanged."""
    stored = path.read_bytes()
    return unrun(stored) if path.suffix == SUFFIX else stored


def unrun(stored: bytes) -> bytes:
    """Return a notebook without its outputs and without the badge; bytes that are not a notebook are unchanged."""
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
    """Replace all notebooks of a folder by copies without outputs."""
    for path in sorted(Path(folder).glob(f"*{SUFFIX}")):
        path.write_bytes(content(path))


if __name__ == "__main__":
    main(*sys.argv[1:])
