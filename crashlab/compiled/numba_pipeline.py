"""How Numba compiles rules: functions that only others call are optimised once, and what is never needed is left out.

Numba makes every function ready to be called from Python: its code is linked with all that it calls, optimised, and
emitted, before its caller links it and optimises it again. Of a game's rules, a hundred functions and more, that is
two thirds of the time. So here

    CalledCompiler  the compiler of a function that is called by others: typed, lowered, and left as it is
    EntryCompiler   the compiler of the function that Python calls: all that it can reach is linked with it, each once,
                    and optimised together

Before a function is optimised, half of the time goes into finding its types, so both do without what rules never need:

    PASSES  the steps of compiling that rules need; Numba has as many again, for what rules never are
    Calls   finds once how an operation is called with some types, wherever it stands

In Python row[-1] is the last number of a row, so Numba asks of every index whether it is negative. Rules ask that
themselves, since -1 is NOWHERE, and have no such index; to ask it again costs a tenth of the speed of Autoscooter. So

    ForwardCalledCompiler, ForwardEntryCompiler    the same compilers, for rules that never count from the end

In Python `//` and `%` round down, also below zero. Where the divisor is a constant power of two, as in the codes of
actions, `divided` says so by bits, and no division or test of signs is left.

All are given to Numba as `njit(pipeline_class=...)`. They build on functions of Numba that are not public; `is_known`
says whether this Numba has the very same, and without them everything is compiled in Numba's own way.
"""

from __future__ import annotations

import gc
import hashlib
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from llvmlite import ir
from llvmlite.binding import Linkage
from numba.core import cgutils, typed_passes, types, untyped_passes
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.compiler_machinery import PassManager
from numba.core.targetconfig import ConfigStack
from numba.core.types.functions import BaseFunction
from numba.cpython import numbers
from numba.cpython.numbers import int_divmod_signed
from numba.np import arrayobj

# The functions that are replaced or built on, with the digests of their texts in Numba 0.62 to 0.68. Where a new Numba
# has others, see what they do, run tests/test_numba_pipeline.py with them, and add their digests.
USED: dict[Callable[..., Any], str] = {
    CPUCodeLibrary.__init__: "148569f8 6839ee60",
    CPUCodeLibrary.add_linking_library: "b7c82a3a",
    CPUCodeLibrary.finalize: "022fb07e 4b4c34b8",
    CPUCodeLibrary._optimize_final_module: "e405bd47",
    CPUCodeLibrary.enable_object_caching: "6b5f4c2d",
    JITCodeLibrary.get_pointer_to_function: "1bce3f38",
    Compiler.compile_extra: "09b90ed8",
    Compiler.define_pipelines: "2c6f3cad",
    BaseFunction.get_call_type: "6559c167",
    int_divmod_signed: "fe7bf07c",
    arrayobj.fix_integer_index: "05fc2c98",
}

PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.RewriteSemanticConstants,  # `trace.ndim` is a number
    untyped_passes.DeadBranchPrune,  # and what is only for another kind of trace is left out
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)


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

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.enable_object_caching()

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


class Calls:
    """How what Numba offers is called with arguments of some types, found once for functions with the same flags.

    For `a + b` Numba tries dozens of ways, and would do so twice for each `+` anew: for its type, and for its code.
    """

    KNOWN: ClassVar[dict[str, dict[Any, Any]]] = {}  # by flags
    plain = BaseFunction.get_call_type

    def __init__(self) -> None:
        self._flags: Flags | None = None
        self._known: dict[Any, Any] = {}

    def find(self, function: BaseFunction, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        """In place of `BaseFunction.get_call_type`."""
        flags = ConfigStack.top_or_none()
        if kws or flags is None:
            return Calls.plain(function, context, args, kws)
        if flags is not self._flags:
            self._flags, self._known = flags, self.KNOWN.setdefault(flags.summary(), {})
        known = self._known  # while it is looked for, functions with other flags may be compiled
        if (function, args) not in known:
            known[function, args] = Calls.plain(function, context, args, kws)
        return known[function, args]


@contextmanager
def instead(owner: Any, name: str, other: Any) -> Iterator[None]:
    """Meanwhile something else has this name."""
    before = getattr(owner, name)
    setattr(owner, name, other)
    try:
        yield
    finally:
        setattr(owner, name, before)


class CompiledRule(Compiler):
    """Compiles a function in the steps that rules need."""

    library: type[JITCodeLibrary]

    def compile_extra(self, func: Any) -> Any:
        """Compile a function; the compiler's lock is held, so nobody else's is compiled meanwhile."""
        self.state.library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        calls = Calls()
        with (
            instead(BaseFunction, "get_call_type", lambda *args: calls.find(*args)),
            instead(numbers, "int_divmod_signed", divided),
        ):
            return super().compile_extra(func)

    def define_pipelines(self) -> list[PassManager]:
        """The steps, in order."""
        steps = PassManager("rules")
        for step in PASSES:
            steps.add_pass(step, step.__name__)
        steps.finalize()
        return [steps]


def divided(context: Any, builder: Any, kind: Any, number: Any, by: Any) -> tuple[Any, Any]:
    """What `//` and `%` give. LLVM knows which divisors are constants once all parts are in one piece."""
    bit = ir.IntType(1)
    is_constant = builder.module.declare_intrinsic("llvm.is.constant", [by.type], ir.FunctionType(bit, [by.type]))
    is_known = builder.call(is_constant, [by])
    is_power = builder.icmp_signed("==", builder.ctpop(by), by.type(1))
    is_power = builder.and_(is_power, builder.icmp_signed(">", by, by.type(0)))
    whole, rest = (cgutils.alloca_once(builder, by.type) for _ in range(2))
    with builder.if_else(builder.and_(is_known, is_power)) as (by_bits, by_division):
        with by_bits:
            builder.store(builder.ashr(number, builder.cttz(by, bit(1))), whole)
            builder.store(builder.and_(number, builder.sub(by, by.type(1))), rest)
        with by_division:
            for found, place in zip(int_divmod_signed(context, builder, kind, number, by), (whole, rest), strict=True):
                builder.store(found, place)
    return builder.load(whole), builder.load(rest)


class CalledCompiler(CompiledRule):
    """Compiles what other compiled functions call."""

    library = PartLibrary


class EntryCompiler(CompiledRule):
    """Compiles what Python calls."""

    library = WholeLibrary

    def compile_extra(self, func: Any) -> Any:
        """Compile a function; meanwhile no garbage is looked for, of which there is little among what is kept."""
        was_collecting = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(func)
        finally:
            if was_collecting:
                gc.enable()


class Forward(Compiler):
    """Compiles what never counts from the end of a row; an index that does is beyond the row, if that is checked."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function; the compiler's lock is held, so nobody else's is compiled meanwhile."""
        with instead(arrayobj, "fix_integer_index", as_it_is):
            return super().compile_extra(func)


def as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index with 64 bits, not asked whether it is negative."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


class ForwardCalledCompiler(Forward, CalledCompiler):
    """Compiles what other compiled functions call, and what never counts from the end."""


class ForwardEntryCompiler(Forward, EntryCompiler):
    """Compiles what Python calls, and what never counts from the end."""


def is_known() -> bool:
    """Whether this Numba is made as the classes here expect."""
    return all(digest(function) in known.split() for function, known in USED.items())


def digest(function: Callable[..., Any]) -> str:
    """A digest of the text of a function; empty where Python has no text of it."""
    try:
        return hashlib.sha256(inspect.getsource(function).encode()).hexdigest()[:8]
    except OSError:
        return ""
