"""WebAssembly run by the browser itself, in the memory of Pyodide: what NumPy has there, compiled rules see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from crashlab.compiled.wasm.memory import LINE, Broken

CONSTANTS = 1 << 18  # bytes: more than any game needs


class Browser:
    """The browser's own engine."""

    is_shared, begin = False, 0

    def __init__(self) -> None:
        import js
        import pyodide_js

        self._engine = js.WebAssembly
        self._imports = js.Object.fromEntries(
            listed([["host", js.Object.fromEntries(listed([["memory", pyodide_js._module.memory]]))]])
        )
        self._kept: list[Any] = []

    def room(self, size: int) -> tuple[Any, int]:
        """So many bytes of zeros with a free line before them."""
        buffer = np.zeros(size + 2 * LINE, np.int8)
        first = LINE + -address(buffer) % LINE
        return buffer[first : first + max(size, 1)], address(buffer) + first

    def constants(self, size: int) -> int:
        """The address of room for so many bytes that stay; of none, where the next ones will."""
        if size == 0:
            self._kept.append(np.zeros(CONSTANTS, np.int8))
        return -(-address(self._kept[-1]) // LINE) * LINE

    def compiled(self, binary: bytes) -> Any:
        """A module."""
        from pyodide.ffi import to_js

        return self._engine.Module.new(to_js(binary))

    def started(self, module: Any) -> Callable[[int], None]:
        """What it exports."""
        from pyodide.ffi import JsException

        run = self._engine.Instance.new(module, self._imports).exports.run

        def call(address: int) -> None:
            try:
                run(address)
            except JsException as error:
                raise Broken(str(error)) from None

        return call


def listed(parts: list[Any]) -> Any:
    """Lists as the browser has them."""
    from pyodide.ffi import to_js

    return to_js(parts)


def address(array: np.ndarray[Any, Any]) -> int:
    """Where an array lies."""
    return int(array.__array_interface__["data"][0])
