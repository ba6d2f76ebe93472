"""WebAssembly run by the browser itself, in the memory of Pyodide: what Python has there, compiled rules see."""

# Pyodide alone has what is imported here.
# pyright: reportMissingImports=false

import ctypes
from collections.abc import Callable
from typing import Any

from crashlab.compiled.wasm.memory import CONSTANTS, LINE, Broken


class Browser:
    """The browser's own engine."""

    is_shared, begin, unroll = False, 0, 600  # there the emitter takes longer

    def __init__(self) -> None:
        import js
        import pyodide_js
        from pyodide.ffi import to_js

        self._engine = js.WebAssembly
        memory = js.Object.fromEntries(to_js([["memory", pyodide_js._module.memory]]))
        self._imports = js.Object.fromEntries(to_js([["host", memory]]))
        self._kept: list[Any] = []

    def room(self, size: int) -> tuple[Any, int]:
        """So many bytes of zeros with a free line before them."""
        whole = (ctypes.c_char * (size + 2 * LINE))()
        first = LINE + -ctypes.addressof(whole) % LINE
        buffer = (ctypes.c_char * max(size, 1)).from_buffer(whole, first)
        return buffer, ctypes.addressof(buffer)

    def constants(self, words: str) -> int:
        """The address of room for constants."""
        self._kept.append(self.room(CONSTANTS))
        return int(self._kept[-1][1])

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
