"""Where emitted modules are kept: a folder of the user's own."""

import os
import sys
from functools import cache
from pathlib import Path

from crashlab.base.errors import CrashlabError, require


def cache_folder() -> Path | None:
    """The folder for modules; None where there can be none, and why is said once."""
    try:
        return own_folder()
    except CrashlabError as error:
        say(f"compiled code is not kept: {error}")
        return None


@cache
def say(words: str) -> None:
    """Say once why something is not as fast as it could be."""
    print(f"crashlab: {words}", file=sys.stderr)


def own_folder() -> Path:
    """The folder for modules, made for its owner alone if it is not there."""
    try:
        folder = cache_base()
        make_private(folder)
    except RuntimeError:
        raise CrashlabError("your home folder is unknown; name a folder with CRASHLAB_CACHE") from None
    except OSError as error:
        raise CrashlabError(f"{error.filename}: {error.strerror}; CRASHLAB_CACHE names another folder") from error
    require(os.access(folder, os.W_OK), f"{folder} cannot be written; name another folder with CRASHLAB_CACHE")
    return folder


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for its owner alone."""
    if not folder.parent.exists():
        make_private(folder.parent)
    folder.mkdir(0o700, exist_ok=True)


def cache_base() -> Path:
    """Where this user's programs keep what they can make again."""
    if chosen := os.environ.get("CRASHLAB_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "crashlab" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "crashlab"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "crashlab"
