"""The second compiler tier: functions that have run for some seconds are recompiled with LLVM, on the same memory.

LLVM is slower than wasmtime but produces faster code, so a thread runs LLVM in the background; nothing is cached on
disk. The function is emitted a second time: without inlining, since LLVM inlines, and with a check of every index,
since the machine code does not trap at the end of the memory. Errors that trap in wasmtime raise here as well, as do
indexes out of range. `llvmlite` is LLVM for Python. If it is missing or fails, wasmtime's code stays in use.

CRASHLAB_COMPILER=llvm compiles the second tier immediately, and waits for it; `wasm` disables it.
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
from crashlab.compiled.wasm.emit_rows import FAULT
from crashlab.compiled.wasm.lift import lifted, reason
from crashlab.compiled.wasm.memory import Broken

LONG = 3.0  # seconds that a function must have run before it is recompiled
INLINE = 225  # LLVM's inlining threshold


def has_llvm() -> bool:
    """Return whether LLVM for Python is installed and not disabled."""
    return is_installed() and os.environ.get("CRASHLAB_COMPILER") != "wasm"


def is_forced() -> bool:
    """Return whether the second tier is compiled immediately."""
    return os.environ.get("CRASHLAB_COMPILER") == "llvm"


@cache
def is_installed() -> bool:
    """Return whether LLVM for Python is installed."""
    return not IN_BROWSER and util.find_spec("llvmlite") is not None


class TieredFunction:
    """A function of the first compiler tier that changes to the second once it has run long enough."""

    def __init__(self, emit: Callable[[], bytes], begin: int) -> None:
        self._emit, self._begin = emit, begin
        self.second: Any = None
        self._spent = 0.0
        self._thread: threading.Thread | None = None
        self._has_failed = False

    def has_run(self, seconds: float) -> None:
        """Add to the running time of the first tier; start compiling the second after LONG seconds."""
        self._spent += seconds
        if self._spent < LONG or self._has_failed or (self._thread and self._thread.is_alive()):
            return
        self._thread = threading.Thread(target=self._shift)
        try:
            self._thread.start()
        except RuntimeError:  # threads are not available here
            self._has_failed = True

    def shift(self) -> None:
        """Compile the second tier."""
        with llvm_lock:  # one module at a time, and no fork during it
            self.second = compiled(self._emit(), self._begin)

    def _shift(self) -> None:
        try:
            self.shift()
        except Exception as error:
            self._has_failed = True
            say(f"continues without LLVM: {error}")


def is_ending() -> bool:
    """Return whether Python is exiting, so that threads that still run need no faster code."""
    return not threading.main_thread().is_alive()


@atexit.register
def wait_for_llvm() -> None:
    """Wait for LLVM in other threads, which would crash when the exiting process frees its data."""
    with llvm_lock:
        pass


def compiled(binary: bytes, begin: int) -> Callable[[int], None] | None:
    """Compile the exported function of a module for the memory at `begin`; return None if Python is exiting."""
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

    def call(address: int, alive: Any = engine) -> None:
        if why := run(address):
            words, place = reason(why)
            ctypes.c_int64.from_address(begin + FAULT).value = place
            raise Broken(words)

    return call
