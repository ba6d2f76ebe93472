"""How a page shows a board: in which theme, with how many pixels, and whether a finger touches it.

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
    pixels: int  # of the screen
    touched: int = 0  # pixels of the page that it is wide, if a finger was the last that came down on it


def read(words: str) -> Appearance:
    """What the page has written."""
    try:
        found = json.loads(words)
        sight = Appearance(found["theme"], found["pixels"], found.get("touched", 0))
    except (ValueError, RecursionError, KeyError, TypeError):
        raise CrashlabError(f"the page does not say how it shows the board: {shown(words)}") from None
    wide = type(sight.pixels) is type(sight.touched) is int and sight.pixels in PIXELS
    if sight.theme not in THEMES or not wide or sight.touched not in (0, *PIXELS):
        raise CrashlabError(f"a board cannot be shown so: {shown(words)}")
    return sight
