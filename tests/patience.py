"""How long the tests wait for what has to come. One that passes never waits for so long; a busy machine is no fault.

`pytest -p tests.patience` gives nbval the same patience: for a kernel, for a cell, and for each of its outputs.
"""

PATIENCE = 600  # seconds


def pytest_configure(config):
    config.option.nbval_cell_timeout = config.option.nbval_kernel_startup_timeout = PATIENCE


def pytest_itemcollected(item):
    item.output_timeout = PATIENCE
