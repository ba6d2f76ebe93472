"""What `jupyter nbconvert` shows of a panel: the film or the picture that stands in, also where widgets are stored.

A notebook that nbclient or papermill has run keeps the state of all widgets, and nbconvert then prefers them to what
stands in; but without a kernel a panel is empty. `nbconvert.json`, installed as its settings, names the function below.
"""

from typing import Any

from crashlab.lab.board import MARK

WIDGET = "application/vnd.jupyter.widget-view+json"


def instead_of_panels(notebook: Any, resources: Any) -> tuple[Any, Any]:
    """The notebook with what stands in for panels in their place; a preprocessor of nbconvert's."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if MARK.keys() & data.keys():
                data.pop(WIDGET, None)
    return notebook, resources
