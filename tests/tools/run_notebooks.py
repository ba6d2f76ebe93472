"""Run notebooks from top to bottom and store them clean, so that their outputs are never edited by hand.

    python tests/tools/run_notebooks.py notebooks/*.ipynb

The cells and their outputs are stored, without details of the machine. Live widgets are left out (their models die with
the kernel); the picture and the words that a widget also shows stay. A cell that fails stops everything, unless it is
tagged `raises-exception`.
"""

import json
import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

MARK = "crashlab"  # metadata of a verdict, for graders
WIDGET = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def read(text: str) -> nbformat.NotebookNode:
    """Parse a notebook and give an id to each cell without one."""
    notebook = json.loads(text) | {"nbformat": 4, "nbformat_minor": 5}
    ids: set[str] = set()
    for cell in notebook["cells"]:
        if not cell.get("id") or cell["id"] in ids:
            cell["id"] = next(name for n in range(10_000) if (name := f"cell-{n:02}") not in ids)
        ids.add(cell["id"])
    return nbformat.reads(json.dumps(notebook), as_version=4)


def run(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Execute all cells in the notebook's folder, without progress bars."""
    os.environ["TQDM_DISABLE"] = "1"
    NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
    ).execute()


def clean(notebook: nbformat.NotebookNode) -> None:
    """Remove everything that differs from machine to machine or from run to run."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for cell in notebook.cells:
        for key in ("execution", "ExecuteTime", "collapsed", "scrolled", "trusted"):
            cell.metadata.pop(key, None)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET, None)
            output.get("metadata", {}).pop(MARK, None)


def main(paths: list[str]) -> None:
    """Rewrite each notebook that came out differently."""
    for path in map(Path, paths):
        old = path.read_bytes()
        notebook = read(old.decode())
        run(notebook, path.parent)
        clean(notebook)
        nbformat.validate(notebook)
        new = (nbformat.writes(notebook).rstrip("\n") + "\n").encode()
        path.write_bytes(new)
        print(f"{path}: {'unchanged' if new == old else 'rewritten'}, {len(new) / 1000:.0f} KB", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
