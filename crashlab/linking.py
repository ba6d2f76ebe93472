"""How Numba compiles rules: functions that only others call are optimised once, and no index counts from the end.

Numba makes every function ready to be called from Python: its code is linked with all that it calls, optimised, and
emitted, before its caller links it and optimises it again. Of a game's rules, a hundred functions and more, that is
two thirds of the time. So here

    Part    the compiler of a function that is called by others: typed, lowered, and left as it is
    Whole   the compiler of the function that Python calls: all the parts that it can reach are linked with it, each
            once, and optimised together

In Python row[-1] is the last number of a row, so Numba asks of every index whether it is negative. Rules ask that
themselves, since -1 is NOWHERE, and have no such index; to ask it again costs a tenth of the speed of Autoscooter. So

    ForwardPart, ForwardWhole    the same compilers, for rules that never count from the end

All are given to Numba as `njit(pipeline_class=...)`. They build on names of Numba that are not public; `is_known`
says whether this Numba has them, and without it everything is compiled in Numba's own way.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from llvmlite.binding import Linkage
from numba.core import types
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler
from numba.np import arrayobj

USED: dict[Callable[..., Any], list[str]] = {
    CPUCodeLibrary.__init__: ["self", "codegen", "name"],
    CPUCodeLibrary.add_linking_library: ["self", "library"],
    CPUCodeLibrary.finalize: ["self"],
    CPUCodeLibrary._optimize_final_module: ["self"],
    CPUCodeLibrary.enable_object_caching: ["self"],
    JITCodeLibrary.get_pointer_to_function: ["self", "name"],
    Compiler.compile_extra: ["self", "func"],
    arrayobj.fix_integer_index: ["context", "builder", "idxty", "idx", "size"],
}


class Unready:
    """The address book of functions that have no address."""

    def set_env(self, name: str, env: object) -> None:
        """Nothing is told: what has no machine code needs no environment."""


class PartLibrary(JITCodeLibrary):
    """The code of one function without that of those that it calls, neither optimised nor emitted."""

    codegen = Unready()

    def finalize(self) -> None:
        """Nothing is added any more."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No function of this library is defined for Python."""
        self._ensure_finalized()
        return 0


class WholeLibrary(JITCodeLibrary):
    """The code of a function and of all parts that it can reach."""

    def finalize(self) -> None:
        """Link each part once, then optimise and emit everything."""
        self._linking_libraries = list(reached(self._linking_libraries))
        super().finalize()

    def _optimize_final_module(self) -> None:
        """First say of the parts that nobody else calls them, so that what one function calls becomes a part of it."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()


def reached(libraries: list[Any]) -> Iterator[Any]:
    """These libraries and those behind parts, each once."""
    waiting, seen = list(reversed(libraries)), set()
    while waiting:
        library = waiting.pop()
        if library not in seen:
            seen.add(library)
            yield library
            if isinstance(library, PartLibrary):
                waiting += reversed(library._linking_libraries)


class Part(Compiler):
    """Compiles what other compiled functions call."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        self.state.library = PartLibrary(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)


class Whole(Compiler):
    """Compiles what Python calls."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        self.state.library = WholeLibrary(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class Forward(Compiler):
    """Compiles what never counts from the end of a row; an index that does is beyond the row, if that is checked."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function; the compiler's lock is held, so nobody else's is compiled meanwhile."""
        before = arrayobj.fix_integer_index
        arrayobj.fix_integer_index = as_it_is
        try:
            return super().compile_extra(func)
        finally:
            arrayobj.fix_integer_index = before


def as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index with 64 bits, not asked whether it is negative."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


class ForwardPart(Forward, Part):
    """Compiles what other compiled functions call, and what never counts from the end."""


class ForwardWhole(Forward, Whole):
    """Compiles what Python calls, and what never counts from the end."""


def is_known() -> bool:
    """Whether this Numba is made as the classes here expect."""
    return all(list(inspect.signature(function).parameters) == names for function, names in USED.items())
