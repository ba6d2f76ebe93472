"""The folder for emitted modules, private to the user."""

import os
import sys
from functools import cache
from pathlib import Path

from crashlab.base.errors import CrashlabError, require


def cache_folder() -> Path | None:
    """Return the folder for modules; if it is unusable, print the reason once and return None."""
    try:
        return own_folder()
    except CrashlabError as error:
        say(f"compiled code is not cached: {error}")
        return None


@cache
def say(words: str) -> None:
    """Print a message on stderr, each message only once."""
    print(f"crashlab: {words}", file=sys.stderr)


def own_folder() -> Path:
    """Return the folder for modules, created private to its owner if missing; raise CrashlabError if it is unusable."""
    try:
        folder = cache_base()
        make_private(folder)
    except RuntimeError:
        raise CrashlabError("your home folder is unknown; set CRASHLAB_CACHE to a folder") from None
    except OSError as error:
        raise CrashlabError(f"{error.filename}: {error.strerror}; set CRASHLAB_CACHE to another folder") from error
    require(os.access(folder, os.W_OK), f"{folder} cannot be written; set CRASHLAB_CACHE to another folder")
    return folder


def make_private(folder: Path) -> None:
    """Create a folder and its missing parents, private to the owner."""
    if not folder.parent.exists():
        make_private(folder.parent)
    folder.mkdir(0o700, exist_ok=True)


def cache_base() -> Path:
    """Return the user's cache folder for crashlab."""
    if folder := os.environ.get("CRASHLAB_CACHE"):
        return Path(folder)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "crashlab" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "crashlab"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "crashlab"
