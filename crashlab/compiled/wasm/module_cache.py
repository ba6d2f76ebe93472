"""Emitted modules on disk, under a key made of all that went into them; so what is found there cannot be stale.

A module is no program that could do anything but reckon in the memory that it is given: who reads one that somebody
else has written gets wrong numbers, at worst.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from crashlab.compiled import code_fingerprint
from crashlab.compiled.disk_cache import cache_folder
from crashlab.compiled.wasm import table_doors
from crashlab.compiled.wasm.read_function import Function
from crashlab.engine.table import Table


class Emitted(NamedTuple):
    """A module, and the kind of what it returns."""

    binary: bytes
    result: str


def is_possible() -> bool:
    """Whether modules can be kept."""
    return cache_folder() is not None


def found(key: str, emit: Callable[[], Emitted]) -> Emitted:
    """Return the module with this key; emit it if it is not on disk, or not as it was written there."""
    folder = cache_folder()
    path = folder / f"{key}.wasm" if folder else None
    if path:
        with suppress(OSError):
            head, _, content = path.read_bytes().partition(b"\n")
            if head == digest(content):
                result, _, binary = content.partition(b"\n")
                return Emitted(binary, result.decode())
    emitted = emit()
    if path:
        content = emitted.result.encode() + b"\n" + emitted.binary
        with suppress(OSError):
            own = path.with_suffix(f".{os.getpid()}")  # another process may write the same one
            own.write_bytes(digest(content) + b"\n" + content)
            own.replace(path)
    return emitted


def digest(content: bytes) -> bytes:
    """Return the hash that stands in the head of a file with this content."""
    return hashlib.sha256(content).hexdigest().encode()


def fingerprint(rules: Any, table: type[Table], function: Function, kinds: tuple[str, ...], more: str) -> str:
    """What tells a module from all others: all that the function can reach, and what emits it."""
    parts = [sys.version, emitter(), repr(kinds), more, str(len(rules.BOOK))]
    parts += [f"{name} {size} {table.INDEXES.get(name)}" for name, size in table.ROWS.items()]
    doors = {**table_doors.UNTOLD, **table_doors.PLAIN}
    parts += code_fingerprint.told_of(code_fingerprint.everything(rules, doors, function))
    return code_fingerprint.fingerprint(parts)


@cache
def emitter() -> str:
    """The text of the emitter."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
