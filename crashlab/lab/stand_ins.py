"""A preprocessor of `jupyter nbconvert` that shows the film or picture of a panel, even with stored widgets.

A notebook run by nbclient or papermill stores the state of all widgets, and nbconvert prefers them to other outputs;
but without a kernel a panel is empty. `nbconvert.json`, installed as its settings, names the function below.
"""

from typing import Any

from crashlab.lab.board import MARK

WIDGET = "application/vnd.jupyter.widget-view+json"


def instead_of_panels(notebook: Any, resources: Any) -> tuple[Any, Any]:
    """Remove the widgets of panels from a notebook, so that nbconvert shows their films or pictures."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if MARK.keys() & data.keys():
                data.pop(WIDGET, None)
    return notebook, resources
