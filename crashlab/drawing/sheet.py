"""Sheets: pictures to project or to print, such as the poster of a game."""

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

from crashlab.drawing import png, svg
from crashlab.drawing.shapes import Picture

STORED = 0.8  # scale of pictures stored in notebooks: about the size of a board on the page
PRINTED = 2.0  # scale of a PNG for print


class Sheet:
    """A picture with a description, which displays itself in a notebook; `save` writes it to a file."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def picture(self) -> Picture:
        """Return the sheet as shapes."""
        return self._picture

    def svg(self, theme: str = "light", scale: float = 1.0) -> str:
        """Return the sheet as SVG, sharp on paper and on a wall."""
        return svg.paint(self._picture, theme, scale)

    def png(self, theme: str = "light", scale: float = 1.0) -> bytes:
        """Return the sheet as PNG."""
        return png.paint(self._picture, theme, scale)

    def save(self, path: str | Path, theme: str = "light") -> None:
        """Write the sheet to a .svg or .png file."""
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
    """Return the MIME bundle of a picture: PNG and text; without Pillow SVG and text."""
    try:
        return {"image/png": b64encode(png.paint(picture, theme, scale)).decode("ascii"), "text/plain": text}
    except ImportError:
        return {"image/svg+xml": svg.paint(picture, theme), "text/plain": text}
