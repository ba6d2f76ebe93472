"""Which cells of the notebook a panel belongs to: the one that made it, and those that show it.

A cell that is run again, without making the panel again or showing it, has let go of it. When all cells of a panel have
let go of it and no name of the user leads to it, nothing can show it any more, and it is closed. What is scrolled away,
folded, or on a page that is loaded again still belongs to its cell.

What somebody has done in a panel is not lost when the cell that made it is run again: the next panel of that kind which
it makes can go on with it. A cell remembers the last one of each kind. Of a game the notebook keeps the position, too:
when it is saved the page writes that into the metadata of the cell, which JupyterLab sends with every run (`KEPT`).

Where nobody says which cell is running (in a script, a terminal, under nbval) no panel is closed unless it is asked to.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol

import ipywidgets as widgets
from IPython import get_ipython

from crashlab.base.errors import CrashlabError

KEPT = "crashlab"  # what the page calls it: see page/static/panels.js
NOTEBOOK = "crashlabNotebook"  # the path of a cell's notebook, as the page tells it: a copy has the same cells
DEEP = 3  # how many lists, widgets or the like may lie between a name and a panel
HISTORY = ("In", "Out")  # names of IPython; its other ones begin with an underscore


class CellRun(NamedTuple):
    """One run of a cell."""

    cell: str  # with its notebook
    number: str


class Left(NamedTuple):
    """What somebody has done in a panel: all that the panel remembers, what it is about, and how far it has come."""

    now: Any
    about: object
    words: str


class CellPanel(Protocol):
    """What a cell has made: see `crashlab.lab.board`."""

    board: Any
    cells: dict[str, str]  # those it belongs to, each with the run that made or showed it
    home: str

    def done(self) -> Left | None:
        """What somebody has done in it, if it is kept."""

    def close(self) -> None:
        """End it."""


_open: dict[CellPanel, None] = {}  # in the order in which they were made
_left: dict[tuple[str, type[CellPanel]], Left] = {}


def here() -> CellRun | None:
    """The run of a cell in which this happens; in a callback, or where cells have no names, there is none."""
    shell = get_ipython()
    request = shell.get_parent() if hasattr(shell, "get_parent") else {}
    header, metadata = request.get("header", {}), request.get("metadata", {})
    if header.get("msg_type") != "execute_request" or not metadata.get("cellId"):
        return None
    return CellRun(f"{metadata.get(NOTEBOOK, '')}:{metadata['cellId']}", header["msg_id"])


def belongs(panel: CellPanel) -> None:
    """Note that the cell that runs has made this panel, or shows it."""
    if run := here():
        panel.cells[run.cell] = run.number
        _open[panel] = None
        get_ipython().events.register("pre_run_cell", _remember)
        get_ipython().events.register("post_run_cell", _let_go)


def forget(panel: CellPanel) -> None:
    """Note that this panel has been closed."""
    _open.pop(panel, None)


def left(kind: type[CellPanel], about: object, read: Callable[[Any], Left | None] | None = None) -> Left | None:
    """What was left in the last panel of a kind that this cell has made, if it is about the same.

    In another kernel it is what `read` makes of that which the notebook has kept.
    """
    run = here()
    found = _left.get((run.cell, kind)) if run else None
    if found and found.about == about:
        return found
    if not run or not read:
        return None
    try:
        return read(get_ipython().get_parent()["metadata"][KEPT][kind.__name__])
    except (CrashlabError, LookupError, TypeError, ValueError):
        return None  # there is nothing, or nothing of this game: anybody can write there


def _remember(_: object) -> None:
    """A cell is about to be run."""
    if run := here():
        for panel in list(_open):
            if panel.home == run.cell and (found := panel.done()):
                _left[run.cell, type(panel)] = found


def _let_go(_: object) -> None:
    """A cell has been run: close what no cell has and no name leads to."""
    if run := here():
        for panel in list(_open):
            if panel.cells.get(run.cell, run.number) != run.number:
                del panel.cells[run.cell]
        names = {name: value for name, value in get_ipython().user_ns.items() if is_own(name)}
        for panel in [panel for panel in _open if not panel.cells and panel.board.owner is panel]:
            if not leads_to(panel, names):
                panel.close()


def is_own(name: str) -> bool:
    """Whether a name is the user's own, not one by which IPython remembers what was shown."""
    return not name.startswith("_") and name not in HISTORY


def leads_to(panel: CellPanel, value: object, deep: int = DEEP) -> bool:
    """Whether a value is this panel, or has it in it."""
    inner: Iterable[object] = ()
    if isinstance(value, Mapping):
        inner = value.values()
    elif isinstance(value, list | tuple | set | frozenset):
        inner = value
    elif isinstance(value, widgets.Box):
        inner = value.children
    elif type(value).__module__ == "__main__":  # an object of a class of the user's
        inner = getattr(value, "__dict__", {}).values()
    return value is panel or (deep >= 0 and any(leads_to(panel, each, deep - 1) for each in inner))
