"""The outputs of a notebook in the form in which they are compared with the stored ones.

Pictures are compared by their size and by the fingerprint of their shapes, which crashlab stores in each PNG; other
pictures (Matplotlib) only have to exist; films are compared by their content, not by their player. Addresses and
timings may differ, and so may all outputs of a cell with the tag `nbval-ignore-output`.
"""

import re
from base64 import b64decode
from io import BytesIO

from PIL import Image

from crashlab.drawing.player import MARK as FILM
from crashlab.drawing.png import SHAPES

VARYING = (
    (re.compile(r"0x[0-9a-fA-F]{6,16}"), "0xADDRESS"),
    (re.compile(r"\d+(\.\d+)?\s?(s|ms|us|µs|μs|ns)\b"), "TIME"),
)


def is_film(data):
    return isinstance(data, list | str) and "".join(data).startswith(f'<div class="{FILM}"')


def words(text):
    """Replace the addresses and timings in a text."""
    text = "".join(text)
    for varying, instead in VARYING:
        text = varying.sub(instead, text)
    return text


def seen(mime, data):
    """Return the part of an output that is compared."""
    if is_film(data):
        return re.search('data-film="([0-9a-f]+)"', "".join(data))[1]
    if mime == "image/png":
        with Image.open(BytesIO(b64decode("".join(data)))) as image:
            shapes = image.info.get(SHAPES)
            return f"{image.width} x {image.height} pixels, shapes {shapes}" if shapes else "a picture"
    return words(data) if isinstance(data, list | str) else data
