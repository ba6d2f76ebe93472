"""The cells of the notebook that a panel belongs to: the cell that made it, and the cells that show it.

A cell that is run again, without making or showing the panel again, has released it. When all cells of a panel have
released it and no name of the user refers to it, the panel can never be shown again and is closed. A panel that is
scrolled away, folded, or on a reloaded page still belongs to its cell.

The work in a panel survives when the cell that made it is run again: the next panel of the same kind can resume the
work. A cell remembers the last panel of each kind. The notebook also stores the position of a game: on saving, the page
writes it into the metadata of the cell, which JupyterLab sends with every run (`KEPT`).

If the running cell is unknown (in a script, a terminal, under nbval), panels are closed only on request.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

import ipywidgets as widgets
from IPython import get_ipython

from crashlab.base.errors import CrashlabError

KEPT = "crashlab"  # the page's key: see page/static/panels.js
NOTEBOOK = "crashlabNotebook"  # the page's key for the path of the notebook, as a copy has the same cell ids
DEEP = 3  # maximum number of lists, widgets or the like between a name and a panel
HISTORY = ("In", "Out")  # names set by IPython; its other names begin with an underscore


class CellRun(NamedTuple):
    """One run of a cell."""

    cell: str  # the path of the notebook and the id of the cell
    number: str


class SavedWork(NamedTuple):
    """The work done in a panel: its state, the subject it belongs to, and a description of the progress."""

    now: Any
    about: object
    words: str


class CellPanel(Protocol):
    """A panel made by a cell: see `crashlab.lab.board`."""

    board: Any
    cells: dict[str, str]  # ids of the cells that created or showed it, each with the id of that run
    home: str

    def done(self) -> SavedWork | None:
        """Return the work that another panel can resume, or None."""

    def close(self) -> None:
        """Close the panel."""


_open: dict[CellPanel, None] = {}  # in order of creation
_left: dict[tuple[str, type[CellPanel]], SavedWork] = {}


def here() -> CellRun | None:
    """Return the current run of a cell; None in a callback, or if cells have no ids."""
    shell = get_ipython()
    request = shell.get_parent() if hasattr(shell, "get_parent") else {}
    header, metadata = request.get("header", {}), request.get("metadata", {})
    if header.get("msg_type") != "execute_request" or not metadata.get("cellId"):
        return None
    return CellRun(f"{metadata.get(NOTEBOOK, '')}:{metadata['cellId']}", header["msg_id"])


def belongs(panel: CellPanel) -> None:
    """Record that the running cell has made or shown this panel."""
    if run := here():
        panel.cells[run.cell] = run.number
        _open[panel] = None
        get_ipython().events.register("pre_run_cell", _remember)
        get_ipython().events.register("post_run_cell", _let_go)


def forget(panel: CellPanel) -> None:
    """Record that this panel has been closed."""
    _open.pop(panel, None)


def left(
    kind: type[CellPanel], about: object, read: Callable[[Any], SavedWork | None] | None = None
) -> SavedWork | None:
    """Return the work in the last panel of this kind made by this cell, if its subject is `about`.

    Without such work, as in a new kernel, return the result of `read` for the data stored in the notebook, or None.
    """
    run = here()
    work = _left.get((run.cell, kind)) if run else None
    if work and work.about == about:
        return work
    if not run or not read:
        return None
    try:
        return read(get_ipython().get_parent()["metadata"][KEPT][kind.__name__])
    except (CrashlabError, LookupError, TypeError, ValueError):
        return None  # missing or invalid: anyone can edit this metadata


def _remember(_: object) -> None:
    """Store the work in the panels of a cell before the cell is run."""
    if run := here():
        for panel in list(_open):
            if panel.home == run.cell and (work := panel.done()):
                _left[run.cell, type(panel)] = work


def _let_go(_: object) -> None:
    """Close the panels that no cell shows and no name refers to, after a cell has been run."""
    if run := here():
        for panel in list(_open):
            if panel.cells.get(run.cell, run.number) != run.number:
                del panel.cells[run.cell]
        names = {name: value for name, value in get_ipython().user_ns.items() if is_own(name)}
        for panel in [panel for panel in _open if not panel.cells and panel.board.owner is panel]:
            if not leads_to(panel, names):
                panel.close()


def is_own(name: str) -> bool:
    """Return whether a name is the user's own, not a name of IPython for outputs."""
    return not name.startswith("_") and name not in HISTORY


def leads_to(panel: CellPanel, value: object, deep: int = DEEP) -> bool:
    """Return whether a value is this panel or contains it, at most deep + 1 levels down."""
    inner: Iterable[object] = ()
    if isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, list | tuple | set | frozenset):
        inner = value
    elif isinstance(value, widgets.Box):
        inner = value.children
    elif type(value).__module__ == "__main__":  # an instance of a class of the user
        inner = getattr(value, "__dict__", {}).values()
    return value is panel or (deep >= 0 and any(leads_to(panel, element, deep - 1) for element in inner))
