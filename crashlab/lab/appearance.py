"""How a page shows a board: in which theme, and with how many pixels.

`crashlab/lab/page` writes it into a hidden text field of each board. Where there is no such page nobody ever does.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from crashlab.base.errors import CrashlabError, shown

THEMES = "light", "dark"  # those of JupyterLab, which are two of ours
PIXELS = range(1, 20_001)  # that a board can be wide


class Appearance(NamedTuple):
    """A board as somebody sees it."""

    theme: str
    pixels: int


def read(words: str) -> Appearance:
    """What the page has written."""
    try:
        found = json.loads(words)
        sight = Appearance(found["theme"], found["pixels"])
    except (ValueError, RecursionError, KeyError, TypeError):
        raise CrashlabError(f"the page does not say how it shows the board: {shown(words)}") from None
    if sight.theme not in THEMES or type(sight.pixels) is not int or sight.pixels not in PIXELS:
        raise CrashlabError(f"a board cannot be shown so: {shown(words)}")
    return sight
