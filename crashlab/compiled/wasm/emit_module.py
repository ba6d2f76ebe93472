"""The compiler from `ast` to a WebAssembly module of all functions that one function can reach."""

from collections.abc import Callable, Mapping
from typing import Any

from crashlab.compiled.wasm import encoding as wasm
from crashlab.compiled.wasm.emit_function import FunctionCode
from crashlab.compiled.wasm.encoding import leb, name, section, uleb, vector
from crashlab.compiled.wasm.handwritten import CHECKED, HANDWRITTEN
from crashlab.compiled.wasm.read_function import Function
from crashlab.compiled.wasm.type_inference import TYPE, ModuleDraft, Spec

MOST_PAGES = 1 << 16
LARGE, LATER = 40_000, 400  # bytes: modules larger than LARGE unroll loops only up to LATER


class Module(ModuleDraft):
    """A module with a function for given kinds of arguments, and all functions that it calls."""

    @property
    def handwritten(self) -> Mapping[Function, Callable[..., Any]]:
        """The functions with handwritten code, mapped to the writers of their calls."""
        return CHECKED if self.checked else HANDWRITTEN

    def binary(self, function: Function, kinds: tuple[str, ...], shared: bool = True) -> bytes:
        """Return the module, which exports one function.

        The exported function takes the address of its arguments, 8 bytes each, and writes its result to that address.
        The memory is imported, so that threads can share it.
        """
        spec = self.spec(function, kinds)
        first = self.number(spec)
        if isinstance(spec.result, tuple):
            raise spec.text.wrong(spec.text.tree, "a function called from Python must have one result")
        self.result: str = spec.result
        spec._needed = {name for name in spec.text.params if TYPE[spec.of[name]]}
        shapes: dict[int, bytes] = {}
        codes: dict[int, bytes] = {}
        while self._waiting:
            draft = self._waiting.pop()
            code = FunctionCode(self, draft, [name for name in draft.text.params if name in draft.needed])
            results = [TYPE[kind] for kind in (draft.result if isinstance(draft.result, tuple) else (draft.result,))]
            params, returns = ((bytes([kind]) for kind in types if kind) for types in (code.params, results))
            self._written += len(code.binary)
            if self._written > LARGE:
                self.unroll = min(self.unroll, LATER)
            number = self._numbers[draft]
            shapes[number], codes[number] = b"\x60" + vector(params) + vector(returns), code.binary
        number = len(codes)
        shapes[number], codes[number] = b"\x60" + vector([bytes([wasm.I32])]) + vector([]), self._entry(spec, first)
        order = range(len(codes))
        kinds_ = list(dict.fromkeys(shapes[draft] for draft in order))
        pages = b"\3" + uleb(1) + uleb(MOST_PAGES) if shared else b"\0" + uleb(1)
        at = bytes([wasm.CONST32]) + leb(self.base) + bytes([wasm.END])
        data = [b"\0" + at + uleb(len(self.data)) + bytes(self.data)]
        return b"\0asm\1\0\0\0" + b"".join(
            [
                section(1, vector(kinds_)),
                section(2, vector([name("host") + name("memory") + b"\2" + pages])),
                section(3, vector(uleb(kinds_.index(shapes[draft])) for draft in order)),
                section(7, vector([name("run") + b"\0" + uleb(number)])),
                section(10, vector(uleb(len(codes[draft])) + codes[draft] for draft in order)),
                section(11, vector(data)),
            ]
        )

    def _entry(self, spec: Spec, number: int) -> bytes:
        """Return the code of the exported function, which reads its arguments from memory."""
        out = bytearray()
        if TYPE[spec.result]:
            out += bytes([wasm.GET, 0])
        for place, param in enumerate(spec.text.params):
            if param in spec.needed:
                kind = spec.of[param]
                load = {wasm.I64: wasm.LOAD64, wasm.F64: wasm.LOAD_F64, wasm.I32: wasm.LOAD32}[TYPE[kind] or wasm.I64]
                out += bytes([wasm.GET, 0, load, 2]) + uleb(8 * place)
        out += bytes([wasm.CALL]) + uleb(number)
        if spec.result == "b":
            out.append(wasm.EXTEND_U)
        if TYPE[spec.result]:
            out += bytes([wasm.STORE_F64 if spec.result == "f" else wasm.STORE64, 3, 0])
        return vector([]) + bytes(out) + bytes([wasm.END])
