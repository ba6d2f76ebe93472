"""What nbval lacks: patience, and eyes. `pytest -p tests.nbval_plugin --nbval ...`

It waits for a kernel, for a cell, and for each of its outputs, as long as all tests do. And it compares outputs as the
walk through notebooks in Chromium does (`stored_outputs`), pictures and films included.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # as for the tests, which come later

from patience import PATIENCE
from stored_outputs import seen

PNG = "iVBORw0KGgo"  # so begins each in base64


def pytest_configure(config):
    config.option.nbval_cell_timeout = config.option.nbval_kernel_startup_timeout = PATIENCE


def pytest_itemcollected(item):
    if item.path.suffix != ".ipynb":
        return
    item.output_timeout = PATIENCE
    item.parent.skip_compare = [key for key in item.parent.skip_compare if key != "image/png"]
    item.sanitize = lambda output: seen("image/png" if str(output).startswith(PNG) else "text/plain", output)
