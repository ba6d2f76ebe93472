"""Where compiled code is kept: a folder of the user's own, in which nobody else could have put anything."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

from crashlab.base.errors import CrashlabError


def cache_folder(key: str = "") -> Path | None:
    """The folder for compiled code; None where there is none to trust, and why is said once."""
    try:
        return trusted_folder(key)
    except CrashlabError as error:
        say(f"compiled code is not kept: {error}")
        return None


@cache
def say(words: str) -> None:
    """Say once why something is not as fast as it could be."""
    print(f"crashlab: {words}", file=sys.stderr)


def trusted_folder(key: str = "") -> Path:
    """The folder for compiled code, made for its owner alone if it is not there.

    With the machine code lies an index of pickled Python objects, and these can run any code when they are read. So a
    folder is refused in which somebody else could have put them.
    """
    try:
        base = cache_base()
        for folder in (base, base / key):
            make_private(folder)
            if found := distrust(folder):
                raise CrashlabError(f"{folder} {found}; remove it, or name another folder with CRASHLAB_CACHE")
    except RuntimeError:
        raise CrashlabError("your home folder is unknown; name a folder with CRASHLAB_CACHE") from None
    except OSError as error:
        raise CrashlabError(f"{error.filename}: {error.strerror}; CRASHLAB_CACHE names another folder") from error
    return folder


def make_private(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for its owner alone."""
    if not folder.parent.exists():
        make_private(folder.parent)
    folder.mkdir(0o700, exist_ok=True)


def distrust(folder: Path) -> str:
    """What is wrong with a folder in which only we should be able to write; Windows has other ways to see to that."""
    if hasattr(os, "geteuid"):
        if {folder.lstat().st_uid, folder.stat().st_uid} != {os.geteuid()}:  # of a link, and of what it leads to
            return "belongs to somebody else"
        if folder.stat().st_mode & 0o022:
            return "can be written by others"
    return "" if os.access(folder, os.W_OK) else "cannot be written"


def cache_base() -> Path:
    """Where this user's programs keep what they can make again."""
    if chosen := os.environ.get("CRASHLAB_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "crashlab" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "crashlab"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "crashlab"
