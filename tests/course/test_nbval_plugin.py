"""The comparison of notebooks includes pictures."""

import json
import re
import subprocess
import sys
from base64 import b64encode

import pytest
from checkout import ROOT

import crashlab

pytest.importorskip("nbval")

from patience import PATIENCE

GAME = crashlab.game("crash_and_grab")
FIRST = "import crashlab\nfrom IPython.display import Image\nGAME = crashlab.game('crash_and_grab')"


def cell(number, seed, shown):
    """Return a cell that shows the position of a seed, stored with the picture `shown`."""
    source = f"Image(GAME.start({seed}).png())" if number else FIRST
    data = {"text/plain": "<IPython.core.display.Image object>", "image/png": b64encode(shown).decode()}
    result = {"output_type": "execute_result", "execution_count": number + 1, "metadata": {}, "data": data}
    return {
        "cell_type": "code",
        "id": f"cell{number}",
        "metadata": {},
        "execution_count": number + 1,
        "source": source,
        "outputs": [result] if number else [],
    }


@pytest.mark.slow
def test_a_stored_picture_of_something_else_is_a_failure(tmp_path):
    pictures = [b"", GAME.start(7).png(), GAME.start(8).png(), GAME.start(7).png(scale=0.5), GAME.start(7).png("dark")]
    cells = [cell(number, 7, shown) for number, shown in enumerate(pictures)]
    path = tmp_path / "pictures.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    words = ["-q", "-p", "tests.nbval_plugin", "--nbval", "--nbval-current-env", "--rootdir", tmp_path]
    command = [sys.executable, "-m", "pytest", *words, path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    failed = re.findall(r"^FAILED \S+::(Cell \d+)", done.stdout, re.MULTILINE)
    assert failed == ["Cell 2", "Cell 3", "Cell 4"], done.stdout
    assert "shapes" in done.stdout
