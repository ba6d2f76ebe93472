"""Emitted modules on disk, under a key computed from all their inputs, so that no cached module is stale.

A module can only compute in the memory passed to it: at worst, a module written by someone else yields wrong numbers.
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
    """A module, and the kind of its result."""

    binary: bytes
    result: str


def is_possible() -> bool:
    """Return whether modules can be stored on disk."""
    return cache_folder() is not None


def load(key: str, emit: Callable[[], Emitted]) -> Emitted:
    """Return the module with this key; emit and store it if it is missing on disk or damaged."""
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
            # the name contains the process id, since another process may write the same module
            temporary = path.with_suffix(f".{os.getpid()}")
            temporary.write_bytes(digest(content) + b"\n" + content)
            temporary.replace(path)
    return emitted


def digest(content: bytes) -> bytes:
    """Return the hash in the first line of a file with this content."""
    return hashlib.sha256(content).hexdigest().encode()


def fingerprint(rules: Any, table: type[Table], function: Function, kinds: tuple[str, ...], more: str) -> str:
    """Return a key of the module: a hash of all code that the function can reach, and of the emitter."""
    parts = [sys.version, emitter(), repr(kinds), more, str(len(rules.BOOK))]
    parts += [f"{name} {size} {table.INDEXES.get(name)}" for name, size in table.ROWS.items()]
    doors = {**table_doors.UNTOLD, **table_doors.PLAIN}
    parts += code_fingerprint.told_of(code_fingerprint.everything(rules, doors, function))
    return code_fingerprint.fingerprint(parts)


@cache
def emitter() -> str:
    """Return a hash of the emitter's source."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
