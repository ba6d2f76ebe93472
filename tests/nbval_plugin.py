"""A plugin for nbval with our time limits and comparisons: `pytest -p tests.nbval_plugin --nbval ...`

It waits for a kernel, a cell and each output as long as other tests do, and compares outputs by `stored_outputs`, with
pictures and films, like the walk through notebooks in Chromium.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # later imports come from the tests

from patience import PATIENCE
from stored_outputs import seen

PNG = "iVBORw0KGgo"  # start of a PNG in base64


def pytest_configure(config):
    config.option.nbval_cell_timeout = config.option.nbval_kernel_startup_timeout = PATIENCE


def pytest_itemcollected(item):
    if item.path.suffix != ".ipynb":
        return
    item.output_timeout = PATIENCE
    item.parent.skip_compare = [key for key in item.parent.skip_compare if key != "image/png"]
    item.sanitize = lambda output: seen("image/png" if str(output).startswith(PNG) else "text/plain", output)
