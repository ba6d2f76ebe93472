"""What nbval lacks: patience, and eyes. `pytest -p tests.nbval_plugin --nbval ...`

It waits for a kernel, for a cell, and for each of its outputs, as long as all tests do. And it compares pictures, which
nbval skips: by their size, and by the fingerprint of the shapes that are drawn, which stands in each PNG that crashlab
paints. Of a film that is stored it compares what is told, and not with which player. Of a picture that somebody else
has painted (Matplotlib) it compares that there is one.
"""

import re
from base64 import b64decode
from io import BytesIO

from nbformat import from_dict
from PIL import Image

from crashlab.drawing.player import MARK
from crashlab.drawing.png import SHAPES
from tests.patience import PATIENCE

PNG = "iVBORw0KGgo"  # so begins each in base64
FILM = f'<div class="{MARK}">'  # the rest of it changes with the player


def pytest_configure(config):
    config.option.nbval_cell_timeout = config.option.nbval_kernel_startup_timeout = PATIENCE


def pytest_itemcollected(item):
    item.output_timeout = PATIENCE
    item.parent.skip_compare = [key for key in item.parent.skip_compare if key != "image/png"]
    words, compare = item.sanitize, item.compare_outputs
    keeps_films = any(FILM in str(output.get("data", "")) for output in item.cell.get("outputs", ()))
    if not keeps_films:
        item.compare_outputs = lambda test, ref, *skip: compare([*without_films(test)], ref, *skip)
    item.sanitize = lambda output: seen(output) if str(output).startswith((PNG, FILM)) else words(output)


def without_films(outputs):
    """The outputs of a cell without the films, for a notebook that keeps none."""
    for output in outputs:
        if str(output.get("data", {}).get("text/html", "")).startswith(FILM):
            held = {kind: each for kind, each in output["data"].items() if kind != "text/html"}
            output = from_dict({**output, "data": held})
        yield output


def seen(picture):
    """What is compared of a picture, or of a film."""
    if str(picture).startswith(FILM):
        return re.search('data-film="([0-9a-f]+)"', picture)[1]
    with Image.open(BytesIO(b64decode(picture))) as image:
        shapes = image.info.get(SHAPES)
        return f"{image.width} x {image.height} pixels, shapes {shapes}" if shapes else "a picture"
