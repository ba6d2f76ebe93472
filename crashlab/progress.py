"""A bar for what takes longer than a second."""

from __future__ import annotations

import os
import sys
from typing import Any


def bar(total: int, unit: str, wanted: bool = True) -> Any:
    """A progress bar that shows itself after a second, where somebody can see it: a terminal or a notebook.

    TQDM_DISABLE=1 hides all bars.
    """
    from tqdm.auto import tqdm

    seen = "ipykernel" in sys.modules or sys.stderr.isatty()
    hidden = not wanted or not seen or bool(os.environ.get("TQDM_DISABLE"))
    return tqdm(total=total, unit=f" {unit}", delay=1.0, leave=False, disable=hidden)
