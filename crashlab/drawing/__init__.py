"""The stage: frames between pictures, and painters of pictures: SVG, PNG, canvas."""

from __future__ import annotations

from base64 import b64encode

from crashlab.drawing.shapes import Picture

SCALES = 0.1, 10  # times its size at which a picture can be painted
STORED = 0.8  # scale of the pictures that notebooks keep: about as large as a board on the page


def mimebundle(picture: Picture, text: str, theme: str = "light", scale: float = STORED) -> dict[str, object]:
    """A picture as a notebook keeps it: PNG and words; without Pillow, SVG and words."""
    from crashlab.drawing import png, svg

    try:
        return {"image/png": b64encode(png.paint(picture, theme, scale)).decode("ascii"), "text/plain": text}
    except ImportError:
        return {"image/svg+xml": svg.paint(picture, theme), "text/plain": text}
