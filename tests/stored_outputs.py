"""What a notebook puts out, as it is compared with what is stored in it.

Pictures by their size, and by the fingerprint of the shapes that are drawn, which stands in each PNG that crashlab
paints; of a picture that somebody else has painted (Matplotlib) only that there is one; of a film that is stored what
it tells, and not with which player. Addresses and timings may
differ, and whatever a cell with the tag `nbval-ignore-output` says.
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
    """Without what varies."""
    text = "".join(text)
    for varying, instead in VARYING:
        text = varying.sub(instead, text)
    return text


def seen(mime, data):
    """What is compared of a result in this form."""
    if is_film(data):
        return re.search('data-film="([0-9a-f]+)"', "".join(data))[1]
    if mime == "image/png":
        with Image.open(BytesIO(b64decode("".join(data)))) as image:
            shapes = image.info.get(SHAPES)
            return f"{image.width} x {image.height} pixels, shapes {shapes}" if shapes else "a picture"
    return words(data) if isinstance(data, list | str) else data
