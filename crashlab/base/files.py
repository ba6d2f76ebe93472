"""Atomic writing of files, locks, and checks of paths."""

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

from crashlab.base.errors import CrashlabError, require, short_repr, truncate

SYSTEM = (Path("/dev"), Path("/proc"))  # links here name open files, such as /dev/stdout
TAKEN = errno.EACCES if sys.platform == "win32" else errno.EAGAIN  # errno of a lock held by another process
SOON, LOOK = 1.0, 0.02  # seconds before the error that a lock is taken, and between attempts to get it


def whole_path(path: object) -> Path:
    """Check a path and return it; raise CrashlabError if it cannot name a file."""
    try:
        possible = isinstance(path, str | Path) and str(path) and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        possible = False
    require(possible, f"{short_repr(path)}: give a path, such as 'match.json'")
    return Path(path)  # type: ignore[arg-type]  # checked above


def path_to_write(path: object) -> Path:
    """Check the path of a file to write later; raise CrashlabError if it is already clear that writing would fail."""
    target = whole_path(path)
    try:
        there = status(target)
        if there is not None:
            require(not stat.S_ISDIR(there.st_mode), f"{truncate(str(target))}: cannot be written: it is a folder")
            refuse_fixed(target, there)
        elif not target.parent.is_dir():
            raise CrashlabError(
                f"{truncate(str(target))}: cannot be written: there is no folder {truncate(str(target.parent))}"
            )
        elif not os.access(target.parent, os.W_OK):
            raise CrashlabError(f"{truncate(str(target))}: cannot be written: its folder is read-only")
    except OSError as error:
        raise CrashlabError(f"{truncate(str(target))}: cannot be written: {error.strerror}") from error
    return target


def refuse_fixed(path: Path, state: os.stat_result) -> None:
    """Raise CrashlabError for a file without write permission, even for root."""
    require(
        state.st_mode & 0o222 and os.access(path, os.W_OK), f"{truncate(str(path))}: cannot be written: it is read-only"
    )


def write(path: str | Path, content: bytes) -> None:
    """Write a file atomically: other processes see the old content or the new, even if the write fails.

    Links are followed and kept, permissions are kept, and a read-only file is refused even for root. Devices, pipes
    and other users' files are written in place.
    """
    path = whole_path(path)
    try:
        target = Path(os.path.realpath(path))
        state = status(path)
        if state is not None:
            refuse_fixed(path, state)
        if state is None or is_ours(state) and is_plain(path, state) and os.access(target.parent, os.W_OK):
            replace(target, content, state)
        else:
            with path.open("wb" if is_plain(path, state) else "ab") as file:
                file.write(content)
    except OSError as error:
        raise CrashlabError(f"{truncate(str(path))}: cannot be written: {error.strerror}") from error


def read_regular(path: Path, most: int = -1) -> bytes:
    """Return the content of a file; raise ValueError for a link, a pipe, a device or more than `most` bytes."""
    careful = sum(
        getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK")
    )  # in case the file is replaced between the two checks
    if stat.S_ISREG(path.lstat().st_mode):
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | careful)) as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                content = file.read(most + 1 if most >= 0 else -1)
                if len(content) > most >= 0:
                    raise ValueError(f"is larger than {most:,} bytes")
                return content
    raise ValueError("is not a regular file")


@contextmanager
def locked(path: Path, busy: str = "") -> Iterator[None]:
    """Lock a path against other processes, after waiting for any process that has locked it.

    With `busy`, the wait ends after SOON seconds with a CrashlabError that contains this text. The lock is a file next
    to the path, and is not removed. On systems without locks, nothing is locked.
    """
    try:
        lock = path.with_name(f".{path.name}.lock").open("ab")
    except OSError as error:
        raise CrashlabError(f"{truncate(str(path))}: cannot be written: {error.strerror}") from error
    with lock:
        end = time.monotonic() + (SOON if busy else math.inf)
        with suppress(ImportError):
            while hold(lock, True) == TAKEN:
                require(time.monotonic() <= end, f"{truncate(str(path))}: {busy}")
                time.sleep(LOOK)
        try:
            yield
        finally:  # closing the file is not enough: a forked copy of this process may still have it open
            with suppress(ImportError):
                hold(lock, False)


def hold(lock: IO[bytes], is_wanted: bool) -> int | None:
    """Lock or unlock a file for this process; return the errno if that fails, else None."""
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


def replace(target: Path, content: bytes, state: os.stat_result | None) -> None:
    """Write a new file and move it to `target`, with the permissions and the group in `state` (if any)."""
    part = target.with_name(f".crashlab-{secrets.token_hex(8)}")
    rights = 0o666 if state is None else stat.S_IMODE(state.st_mode)
    try:
        with open(part, "xb", opener=lambda name, flags: os.open(name, flags, rights)) as file:
            if state is not None:
                if hasattr(os, "chown"):
                    os.chown(part, -1, state.st_gid)
                os.chmod(part, rights)
            file.write(content)
        os.replace(part, target)
    finally:
        with suppress(OSError):
            part.unlink()


def status(path: Path) -> os.stat_result | None:
    """Return the status of a file, None if it does not exist."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def is_ours(state: os.stat_result) -> bool:
    """Return whether a new file of ours can have this owner and group; True on Windows."""
    if not hasattr(os, "geteuid"):
        return True
    return state.st_uid == os.geteuid() and state.st_gid in (os.getegid(), *os.getgroups())


def is_plain(path: Path, state: os.stat_result) -> bool:
    """Return whether a path is a regular file, and not a link to an open file such as /dev/stdout."""
    open_somewhere = path.is_symlink() and any(folder in path.absolute().parents for folder in SYSTEM)
    return stat.S_ISREG(state.st_mode) and not open_somewhere
