"""The backends that run a game's rules and the functions that use them, interpreted or compiled.

    interpreted(rules)   tables are objects with lists of Python ints; a trace is a `table.Trace`
    compiled(rules)      tables are records of one array; the same functions are compiled at their first call
    quickest(rules, ...) the compiled backend if it is ready, else the interpreted one, while a thread prepares the
                         compiled one; the results are equal

The compiled backend uses WebAssembly (`wasm.wasm_backend`), which is ready within a second and is run by wasmtime or by
the browser.

A backend binds plain functions to a game: `backend.bind(random_play.play_games)` is a copy of that function with its
global `rules` set to the rules of the game. The original function stays unchanged.
"""

from __future__ import annotations

import logging  # noqa: F401  (imported first, so that a fork takes its lock after ours)
import os
import threading
import types
import warnings
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib import util
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from crashlab.base.errors import IN_BROWSER, CrashlabError, install_hint
from crashlab.compiled.code_fingerprint import used
from crashlab.compiled.disk_cache import say
from crashlab.compiled.locks import llvm_lock, lock
from crashlab.engine.house_rules.modules import cannot, yours
from crashlab.engine.rules import table_class
from crashlab.engine.table import Table, Trace

if TYPE_CHECKING:
    import numpy as np

    from crashlab.compiled.wasm.wasm_backend import Wasm

SLOWLY = (
    "crashlab: this browser cannot compile the rules. Everything works, but slowly, so play fewer games."
    if IN_BROWSER
    else "crashlab: without wasmtime everything works, but slowly; pip install 'crashlab[fast]' makes it fast."
)
Function = Callable[..., Any]


class Interpreted:
    """The backend that runs the rules as plain Python."""

    is_compiled = False

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self._bound: dict[Function, Function] = {}

    def bind(self, function: Function) -> Function:
        """Return a copy of a function that is bound to the rules of the game."""
        with lock:
            if function not in self._bound:
                names: dict[str, Any] = dict(function.__globals__)
                self._bound[function] = types.FunctionType(function.__code__, names, function.__name__)
                names["rules"] = self.rules
                for name, value in used(function):
                    if isinstance(value, types.FunctionType) and "rules" in value.__globals__:
                        names[name] = self.bind(value)
            return self._bound[function]

    def tables(self, tables: Iterable[Table]) -> list[Table]:
        """Return copies of the tables."""
        return [table.copy() for table in tables]

    def table(self, tables: list[Table], place: int) -> Table:
        """Return a copy of one of the tables."""
        return tables[place].copy()

    def windows(self, numbers: np.ndarray[Any, Any]) -> list[Table]:
        """Return an empty table for each row of `numbers`."""
        kind = table_class(self.rules)
        return [kind() for _ in numbers]

    def array(self, shape: tuple[int, ...], dtype: Any = int) -> Any:
        """Return an array of zeros."""
        import numpy as np

        return np.zeros(shape, np.int64 if dtype is int else dtype)

    def row(self, size: int) -> list[int]:
        """Return a row of zeros."""
        return [0] * size

    def numbers(self, size: int) -> list[float]:
        """Return a row of zeros for floats."""
        return [0.0] * size

    def luck(self, luck: int) -> list[int]:
        """Return a source of chance with this RNG state."""
        return [luck]

    def counter(self, size: int) -> Trace:
        """Return a trace whose events `tally` can count."""
        return Trace()


Backend: TypeAlias = "Interpreted | Wasm"


def copied(row: Any, make: Callable[[int], Any], times: int = 1) -> Any:
    """Copy a row into one `times` as long, padded with zeros; `make` is the backend's method that creates it."""
    return filled(row, make(times * len(row)))


def moved(record: Any, backend: Backend, **times: int) -> Any:
    """Copy the rows of a record to a backend, each row times[name] as long (by default 1), padded with zeros."""
    makers = {list[int]: backend.row, list[float]: backend.numbers}
    return type(record)(
        *(
            copied(getattr(record, name), makers[kind], times.get(name, 1))
            for name, kind in type(record).__annotations__.items()
        )
    )


def filled(row: Any, longer: Any) -> Any:
    """Copy a row to the beginning of `longer`, and return `longer`."""
    longer[: len(row)] = row
    return longer


# The choice of a backend

_interpreted: dict[Any, Interpreted] = {}
_compiled: dict[Any, tuple[object, Any]] = {}  # the state of the rules (`state_of`) and the backend made for it
_preparing: dict[tuple[Any, str], threading.Thread] = {}  # by rules and purpose
_failed: dict[tuple[Any, str], Exception] = {}


def interpreted(rules: Any) -> Interpreted:
    """Return the interpreted backend of these rules."""
    with lock:
        return _interpreted.setdefault(rules, Interpreted(rules))


def compiled(rules: Any) -> Any:
    """Return the compiled backend of the rules in their current state; raise CrashlabError if there is none."""
    missing = "" if can_compile() else f"compiling needs wasmtime: {install_hint('wasmtime', 'fast')}"
    if reason := cannot(rules) or missing:
        raise CrashlabError(reason)
    with lock:
        state = state_of(rules)
        if rules not in _compiled or _compiled[rules][0] != state:
            _compiled[rules] = state, compiled_backend(rules)
            for key in [key for key in _preparing if key[0] is rules]:
                del _preparing[key]
                _failed.pop(key, None)
        return _compiled[rules][1]


def compiled_backend(rules: Any, checked: bool = False) -> Any:
    """Create a compiled backend of these rules; with `checked` every index is checked."""
    from crashlab.compiled.wasm.wasm_backend import Wasm

    return Wasm(rules, table_class(rules), wary=bool(yours(rules)), checked=checked)


def state_of(rules: Any) -> object:
    """Return a key that changes when a function or constant of the rules is replaced, as users do in notebooks."""
    return tuple(
        (name, id(value.__code__ if isinstance(value, types.FunctionType) else value))
        for name, value in vars(rules).items()
        if isinstance(value, types.FunctionType | int | tuple)
    )


@cache
def is_installed() -> bool:
    """Return whether an engine for WebAssembly is available."""
    return runs_in_browser() if IN_BROWSER else util.find_spec("wasmtime") is not None


def runs_in_browser() -> bool:
    """Return whether the browser runs WebAssembly in the memory of NumPy."""
    try:
        from crashlab.compiled.wasm.wasm_backend import host

        host()
    except Exception:  # any cause: everything works without compiling
        return False
    return True


def can_compile() -> bool:
    """Return whether rules can be compiled; print a note once if they cannot."""
    if not is_installed():
        say_slowly()
    return is_installed()


@cache
def say_slowly() -> None:
    """Print once that rules cannot be compiled."""
    print(SLOWLY)


def quickest(rules: Any, purpose: str, use: Callable[[Backend], object], wait: bool = False) -> Backend:
    """Return the compiled backend if it is ready for this purpose, else the interpreted one.

    The first call starts a thread that prepares the compiled backend by calling `use` with it; with `wait` the call
    waits for the thread. If no thread can be started, the caller prepares the backend itself.
    """
    if not (reason := cannot(rules)) and can_compile():
        try:
            _begin(rules, purpose, use, wait)
            return compiled(rules) if is_ready(rules, purpose) else interpreted(rules)
        except CrashlabError as error:
            reason = str(error)
    if reason:
        say(f"these rules are not compiled: {reason}")
    return interpreted(rules)


class Purpose(NamedTuple):
    """A purpose for backends: the games it suits, and a function that prepares a backend by a minimal use."""

    suits: Callable[[Any], bool]
    prepare: Callable[[Any, Backend], object]


PURPOSES: dict[str, Purpose] = {}


def prepares(purpose: str, suits: Callable[[Any], bool] = lambda game: True) -> Callable[[Function], Function]:
    """Return a decorator that registers a function as the preparation of a backend for `purpose`."""

    def keep(prepare: Function) -> Function:
        PURPOSES[purpose] = Purpose(suits, prepare)
        return prepare

    return keep


def ready(game: Any, purpose: str, wait: bool = False) -> Backend:
    """Return the quickest backend of a game for a purpose registered by `prepares`."""
    return quickest(game.rules, purpose, partial(PURPOSES[purpose].prepare, game), wait)


def warm(game: Any, *purposes: str) -> list[str]:
    """Prepare the compiled backend for purposes, by default all that suit the game; return those that suit it."""
    suited = [purpose for purpose in purposes or PURPOSES if PURPOSES[purpose].suits(game)]
    for purpose in suited:
        ready(game, purpose, wait=True)
    return suited


def _begin(rules: Any, purpose: str, use: Callable[[Backend], object], wait: bool) -> None:
    """Start a thread that prepares the compiled backend, unless one was started before."""
    with lock:
        compiled(rules)  # forgets all preparations if the rules have changed
        thread = _preparing.get((rules, purpose))
        if thread is None:
            thread = threading.Thread(target=_prepare, args=(rules, purpose, use), daemon=True)
            _preparing[rules, purpose] = thread
            try:
                thread.start()
            except RuntimeError:
                _prepare(rules, purpose, use)
    if wait and thread.is_alive():
        thread.join()


def is_ready(rules: Any, purpose: str) -> bool:
    """Return whether the compiled backend of the current rules is ready for this purpose."""
    with lock:
        if rules in _compiled and _compiled[rules][0] != state_of(rules):
            return False
        thread = _preparing.get((rules, purpose))
        return thread is not None and not thread.is_alive() and (rules, purpose) not in _failed


def trouble(rules: Any, purpose: str) -> Exception | None:
    """Return the error that kept the compiled backend from being ready for this purpose, or None."""
    return _failed.get((rules, purpose))


def _prepare(rules: Any, purpose: str, use: Callable[[Backend], object]) -> None:
    """Prepare the compiled backend; record an error and warn about it."""
    try:
        use(compiled(rules))
    except Exception as error:
        _failed[rules, purpose] = error
        warnings.warn(
            f"crashlab plays the rules interpreted, because compiling failed: {cannot(rules, error)}", RuntimeWarning, 2
        )


def wait_for_the_compiler() -> None:
    """Wait until no other thread compiles."""
    current = threading.current_thread()
    for thread in list(_preparing.values()):
        if thread is not current and thread.is_alive():
            thread.join()


def _hold_the_locks() -> None:
    """Wait for compiling threads and take the locks, before a fork.

    Otherwise a child could inherit a lock that it cannot release.
    """
    current = threading.current_thread()
    lock.acquire()
    while any(thread is not current and thread.is_alive() for thread in _preparing.values()):
        lock.release()
        wait_for_the_compiler()
        lock.acquire()
    llvm_lock.acquire()


def _let_go() -> None:
    llvm_lock.release()
    lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold_the_locks, after_in_parent=_let_go, after_in_child=_let_go)
