"""A sheet: a picture to look at, to project or to hand out, such as the poster of a game."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

from crashlab.drawing import png, svg
from crashlab.drawing.shapes import Picture

STORED = 0.8  # scale of the pictures that notebooks keep: about as large as a board on the page
PRINTED = 2.0  # times its size a sheet is saved as PNG, for paper


class Sheet:
    """A picture that shows itself in a notebook, with its words; `save` writes it to a file."""

    def __init__(self, drawn: Picture) -> None:
        self._picture = drawn

    def picture(self) -> Picture:
        """The sheet as shapes."""
        return self._picture

    def svg(self, theme: str = "light", scale: float = 1.0) -> str:
        """The sheet as SVG: sharp on paper and on a wall."""
        return svg.paint(self._picture, theme, scale)

    def png(self, theme: str = "light", scale: float = 1.0) -> bytes:
        """The sheet as PNG."""
        return png.paint(self._picture, theme, scale)

    def save(self, path: str | Path, theme: str = "light") -> None:
        """Write it to a file, whose name ends in .svg or .png."""
        from crashlab.drawing import player

        kinds: dict[str, Callable[[], str | bytes]] = {
            ".svg": lambda: self.svg(theme),
            ".png": lambda: self.png(theme, PRINTED),
        }
        player.save(path, kinds, "a sheet")

    def __str__(self) -> str:
        return self._picture.words

    def __repr__(self) -> str:
        return f"<Sheet: {self._picture.words.partition('.')[0]}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        return mimebundle(self._picture, str(self), scale=1.0)


def mimebundle(picture: Picture, text: str, theme: str = "light", scale: float = STORED) -> dict[str, object]:
    """A picture as a notebook keeps it: PNG and words; without Pillow, SVG and words."""
    try:
        return {"image/png": b64encode(png.paint(picture, theme, scale)).decode("ascii"), "text/plain": text}
    except ImportError:
        return {"image/svg+xml": svg.paint(picture, theme), "text/plain": text}
