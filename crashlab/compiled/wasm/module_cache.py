"""Emitted modules on disk, under a key made of all that went into them; so what is found there cannot be stale.

A module is no program that could do anything but reckon in the memory that it is given: who reads one that somebody
else has written gets wrong numbers, at worst.
"""

from __future__ import annotations

import hashlib
import json
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
    """The module with this key, emitted if it is not on disk."""
    folder = cache_folder()
    path = folder / f"{key}.wasm" if folder else None
    if path:
        with suppress(OSError, ValueError, TypeError):
            head, _, binary = path.read_bytes().partition(b"\n")
            about = json.loads(head)
            if about["length"] == len(binary):
                return Emitted(binary, str(about["result"]))
    emitted = emit()
    if path:
        about = {"length": len(emitted.binary), "result": emitted.result}
        with suppress(OSError):
            own = path.with_suffix(f".{os.getpid()}")  # another process may write the same one
            own.write_bytes(json.dumps(about).encode() + b"\n" + emitted.binary)
            own.replace(path)
    return emitted


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
