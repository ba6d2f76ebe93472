"""The second gear: what has run for some seconds goes on as machine code that LLVM makes of it, in the same memory.

LLVM takes longer than wasmtime and makes faster code; so a thread does it meanwhile, and nothing is kept on disk. For
that a function is emitted anew: nothing is put where it is called, since LLVM does so, and every index is looked at,
since no memory has an end here. What breaks off by wasmtime breaks off here, too, and so does what is beyond its row.
`llvmlite` is LLVM for Python. Without it, and where it fails, everything goes on as it was.

CRASHLAB_COMPILER=llvm takes the second gear at once, and waits for it; `wasm` never takes it.
"""

import atexit
import ctypes
import os
import threading
from collections.abc import Callable
from functools import cache
from importlib import util
from typing import Any

from crashlab.base.errors import IN_BROWSER
from crashlab.compiled.disk_cache import say
from crashlab.compiled.locks import llvm_lock
from crashlab.compiled.wasm.emit_function import FAULT
from crashlab.compiled.wasm.lift import lifted, reason
from crashlab.compiled.wasm.memory import Broken

LONG = 3.0  # seconds that a function has run before it is worth while
INLINE = 225  # up to what size LLVM puts a function where it is called


def has_llvm() -> bool:
    """Whether there is LLVM for Python, and it is wanted."""
    return is_installed() and os.environ.get("CRASHLAB_COMPILER") != "wasm"


def is_forced() -> bool:
    """Whether the second gear is taken at once."""
    return os.environ.get("CRASHLAB_COMPILER") == "llvm"


@cache
def is_installed() -> bool:
    """Whether there is LLVM for Python."""
    return not IN_BROWSER and util.find_spec("llvmlite") is not None


class Gearbox:
    """A function in its first gear, until that has run for long and the second one is ready."""

    def __init__(self, emit: Callable[[], bytes], begin: int) -> None:
        self._emit, self._begin = emit, begin
        self.second: Any = None
        self._spent = 0.0
        self._thread: threading.Thread | None = None
        self._has_failed = False

    def has_run(self, seconds: float) -> None:
        """Count for how long the first gear has run, and begin to make the second one in time."""
        self._spent += seconds
        if self._spent < LONG or self._has_failed or (self._thread and self._thread.is_alive()):
            return
        self._thread = threading.Thread(target=self._shift)
        try:
            self._thread.start()
        except RuntimeError:  # no thread can be started here
            self._has_failed = True

    def shift(self) -> None:
        """Make the second gear."""
        with llvm_lock:  # one module at a time, and no process is copied meanwhile
            self.second = compiled(self._emit(), self._begin)

    def _shift(self) -> None:
        try:
            self.shift()
        except Exception as error:
            self._has_failed = True
            say(f"goes on without LLVM: {error}")


def is_ending() -> bool:
    """Return whether Python ends: other threads may still run, but need no faster code."""
    return not threading.main_thread().is_alive()


@atexit.register
def wait_for_llvm() -> None:
    """Let LLVM finish what another thread compiles: it would crash when the process takes its own data away."""
    with llvm_lock:
        pass


def compiled(binary: bytes, begin: int) -> Callable[[int], None] | None:
    """What a module exports, as machine code for the memory that begins there; None if Python ends meanwhile."""
    if is_ending():
        return None
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    text, constants = lifted(binary, begin)
    features = llvm.get_host_cpu_features().flatten()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, jit=True
    )
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = llvm.get_process_triple(), str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.inlining_threshold = INLINE
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    if is_ending():
        return None
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    run = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64)(engine.get_function_address("run"))
    for at, numbers in constants:
        ctypes.memmove(begin + at, numbers, len(numbers))

    def call(address: int, kept: Any = engine) -> None:
        if why := run(address):
            words, place = reason(why)
            ctypes.c_int64.from_address(begin + FAULT).value = place
            raise Broken(words)

    return call
