"""Writes a file so that it is whole or stays as it was, and respects what stands at its place."""

from __future__ import annotations

import errno
import math
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from crashlab.base.errors import CrashlabError, cut, shown

SYSTEM = (Path("/dev"), Path("/proc"))  # a link there is the name of something open, as /dev/stdout
TAKEN = errno.EACCES if sys.platform == "win32" else errno.EAGAIN  # the error of a lock that another process has
SOON, LOOK = 1.0, 0.02  # seconds until somebody is told that it is taken; between two tries


def whole_path(path: object) -> Path:
    """The path of a file; what is none is refused."""
    try:
        possible = isinstance(path, str | Path) and str(path) and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise CrashlabError(f"{shown(path)}: give a path, as in 'match.json'")
    return Path(path)  # type: ignore[arg-type]  # it is one


def path_to_write(path: object) -> Path:
    """The path of a file that is to be written later; refused where that cannot be, as far as it is known now."""
    found = whole_path(path)
    try:
        there = status(found)
        if there is not None:
            if stat.S_ISDIR(there.st_mode):
                raise CrashlabError(f"{cut(str(found))}: cannot be written: it is a folder")
            refuse_fixed(found, there)
        elif not found.parent.is_dir():
            raise CrashlabError(f"{cut(str(found))}: cannot be written: there is no folder {cut(str(found.parent))}")
        elif not os.access(found.parent, os.W_OK):
            raise CrashlabError(f"{cut(str(found))}: cannot be written: its folder is read-only")
    except OSError as error:
        raise CrashlabError(f"{cut(str(found))}: cannot be written: {error.strerror}") from error
    return found


def refuse_fixed(path: Path, found: os.stat_result) -> None:
    """Refuse a file that nobody may write, to root too, or that we may not."""
    if not (found.st_mode & 0o222 and os.access(path, os.W_OK)):
        raise CrashlabError(f"{cut(str(path))}: cannot be written: it is read-only")


def write(path: str | Path, content: bytes) -> None:
    """Write a file: whoever else writes or reads it meanwhile, and whatever fails, it is whole or as it was.

    A link stays, and what it points at is written. A file keeps its rights; one that nobody may write is refused, to
    root too. What is not ours to replace is written where it stands: a device, a pipe, a file of somebody else.
    """
    path = whole_path(path)
    try:
        target = Path(os.path.realpath(path))
        found = status(path)
        if found is not None:
            refuse_fixed(path, found)
        if found is None or is_ours(found) and is_plain(path, found) and os.access(target.parent, os.W_OK):
            replace(target, content, found)
        else:
            with path.open("wb" if is_plain(path, found) else "ab") as file:
                file.write(content)
    except OSError as error:
        raise CrashlabError(f"{cut(str(path))}: cannot be written: {error.strerror}") from error


def read_regular(path: Path, most: int = -1) -> bytes:
    """Return the content of a file; ValueError if it is a link, a pipe or a device, or has more than `most` bytes."""
    careful = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK"))  # should it be replaced just now
    if stat.S_ISREG(path.lstat().st_mode):
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | careful)) as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                content = file.read(most + 1 if most >= 0 else -1)
                if len(content) > most >= 0:
                    raise ValueError(f"is larger than {most:,} bytes")
                return content
    raise ValueError("is no regular file")


@contextmanager
def locked(path: Path, busy: str = "") -> Iterator[None]:
    """Keep other processes out that want the same: they wait, or with `busy` soon raise an error with these words.

    The lock is a file beside it that stays. On a system without locks nothing happens.
    """
    try:
        lock = path.with_name(f".{path.name}.lock").open("ab")
    except OSError as error:
        raise CrashlabError(f"{cut(str(path))}: cannot be written: {error.strerror}") from error
    with lock:
        end = time.monotonic() + (SOON if busy else math.inf)
        with suppress(ImportError):
            while hold(lock, True) == TAKEN:
                if time.monotonic() > end:
                    raise CrashlabError(f"{cut(str(path))}: {busy}")
                time.sleep(LOOK)
        try:
            yield
        finally:  # also where a copy of this process still has it open
            with suppress(ImportError):
                hold(lock, False)


def hold(lock: IO[bytes], is_wanted: bool) -> int | None:
    """Lock a file for this process, or unlock it; return the number of the error, if there is one."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK if is_wanted else msvcrt.LK_UNLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB if is_wanted else fcntl.LOCK_UN)
    except OSError as error:
        return error.errno
    return None


def replace(target: Path, content: bytes, found: os.stat_result | None) -> None:
    """Put a new file in the place of the one that was found there, with the same rights."""
    part = target.with_name(f".crashlab-{secrets.token_hex(8)}")
    rights = 0o666 if found is None else stat.S_IMODE(found.st_mode)
    try:
        with open(part, "xb", opener=lambda name, flags: os.open(name, flags, rights)) as file:
            if found is not None:
                if hasattr(os, "chown"):
                    os.chown(part, -1, found.st_gid)
                os.chmod(part, rights)
            file.write(content)
        os.replace(part, target)
    finally:
        with suppress(OSError):
            part.unlink()


def status(path: Path) -> os.stat_result | None:
    """What the system knows of a file; None if it is not there."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def is_ours(found: os.stat_result) -> bool:
    """Whether a file that we make can have this owner and this group; Windows does not tell."""
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid == os.geteuid() and found.st_gid in (os.getegid(), *os.getgroups())


def is_plain(path: Path, found: os.stat_result) -> bool:
    """Whether it is a file that is known by its name alone."""
    open_somewhere = path.is_symlink() and any(folder in path.absolute().parents for folder in SYSTEM)
    return stat.S_ISREG(found.st_mode) and not open_somewhere
