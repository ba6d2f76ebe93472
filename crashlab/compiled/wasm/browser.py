"""WebAssembly run by the browser in Pyodide's memory, which Python and compiled rules share."""

# These imports exist only in Pyodide.
# pyright: reportMissingImports=false

import ctypes
from collections.abc import Callable
from typing import Any

from crashlab.compiled.wasm.memory import CONSTANTS, LINE, Broken


class Browser:
    """The browser's engine; implements `memory.Host`."""

    is_shared, begin, unroll = False, 0, 600  # shorter unrolled loops, since the emitter is slower in a browser

    def __init__(self) -> None:
        import js
        import pyodide_js
        from pyodide.ffi import to_js

        self._engine = js.WebAssembly
        memory = js.Object.fromEntries(to_js([["memory", pyodide_js._module.memory]]))
        self._imports = js.Object.fromEntries(to_js([["host", memory]]))
        self._kept: list[Any] = []

    def room(self, size: int) -> tuple[Any, int]:
        """Allocate `size` zero bytes after an unused cache line; return a buffer and its address."""
        whole = (ctypes.c_char * (size + 2 * LINE))()
        first = LINE + -ctypes.addressof(whole) % LINE
        buffer = (ctypes.c_char * max(size, 1)).from_buffer(whole, first)
        return buffer, ctypes.addressof(buffer)

    def constants(self, words: str) -> int:
        """Allocate CONSTANTS bytes for constants, and return their address."""
        self._kept.append(self.room(CONSTANTS))
        return int(self._kept[-1][1])

    def compiled(self, binary: bytes) -> Any:
        from pyodide.ffi import to_js

        return self._engine.Module.new(to_js(binary))

    def started(self, module: Any) -> Callable[[int], None]:
        """Return the function that a module exports."""
        from pyodide.ffi import JsException

        run = self._engine.Instance.new(module, self._imports).exports.run

        def call(address: int) -> None:
            try:
                run(address)
            except JsException as error:
                raise Broken(str(error)) from None

        return call
