"""Bodies for one text: a game's rules and the functions that play with them, interpreted or compiled.

    interpreted(rules)   tables are objects with rows of Python ints; a trace is a `table.Trace`
    compiled(rules)      tables are records in one array; built from the very same functions when they are first called
    quickest(rules, ...) the compiled body if it is ready, else the interpreted one, while a thread makes it ready;
                         the numbers are the same

What compiles is WebAssembly (`wasm.wasm_body`), which is ready within a second, by wasmtime or by the browser.

A body binds plain functions to a game: `body.bind(random_play.play_games)` is that function with the name `rules` in it
standing for the rules of the game. No rule knows of this: their functions are copied.
"""

from __future__ import annotations

import logging  # noqa: F401  (its lock is taken for a copy after ours, since it is registered before)
import os
import threading
import types
import warnings
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib import util
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from crashlab.base.errors import IN_BROWSER, CrashlabError, how_to_get
from crashlab.compiled.code_fingerprint import used
from crashlab.compiled.disk_cache import say
from crashlab.compiled.locks import llvm_lock, lock
from crashlab.engine.house_rules.modules import cannot, yours
from crashlab.engine.rules import table_class
from crashlab.engine.table import Table, Trace

if TYPE_CHECKING:
    import numpy as np

    from crashlab.compiled.wasm.wasm_body import Wasm

SLOWLY = (
    "crashlab: this browser compiles nothing. Everything works, but slowly, so play fewer games."
    if IN_BROWSER
    else "crashlab: without wasmtime everything works, but slowly; pip install 'crashlab[fast]' makes it fast."
)
Function = Callable[..., Any]


class Interpreted:
    """Plain Python."""

    is_compiled = False

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self._bound: dict[Function, Function] = {}

    def bind(self, function: Function) -> Function:
        """This function with the rules of the game."""
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
        """A row of these tables, copied."""
        return [table.copy() for table in tables]

    def table(self, tables: list[Table], place: int) -> Table:
        """A table of a row."""
        return tables[place].copy()

    def windows(self, numbers: np.ndarray[Any, Any]) -> list[Table]:
        """Room for a table for each of these rows of numbers."""
        kind = table_class(self.rules)
        return [kind() for _ in numbers]

    def flat(self, tables: list[Table]) -> list[Table]:
        """The same tables, as `table.resemble` takes them."""
        return tables

    def array(self, shape: tuple[int, ...], dtype: Any = int) -> Any:
        """An array of zeros."""
        import numpy as np

        return np.zeros(shape, np.int64 if dtype is int else dtype)

    def row(self, size: int) -> list[int]:
        """A row of zeros."""
        return [0] * size

    def numbers(self, size: int) -> list[float]:
        """A row of zeros that takes fractions."""
        return [0.0] * size

    def luck(self, luck: int) -> list[int]:
        """A source of chance in this state."""
        return [luck]

    def counter(self, size: int) -> Trace:
        """A trace whose events can be counted by `tally`."""
        return Trace()


Body: TypeAlias = "Interpreted | Wasm"


def same(row: Any, make: Callable[[int], Any]) -> Any:
    """A row with the same numbers, made by this method of a body."""
    return longer(row, make, 1)


def longer(row: Any, make: Callable[[int], Any], times: int = 2) -> Any:
    """The same row, so many times as long, with zeros at the end; made by this method of a body."""
    return filled(row, make(times * len(row)))


def filled(row: Any, longer: Any) -> Any:
    """This longer row, beginning with the numbers of the other one."""
    longer[: len(row)] = row
    return longer


# Which body to use

_interpreted: dict[Any, Interpreted] = {}
_compiled: dict[Any, tuple[object, Any]] = {}  # with what the rules were when it was made
_preparing: dict[tuple[Any, str], threading.Thread] = {}  # by rules and purpose
_failed: dict[tuple[Any, str], Exception] = {}


def interpreted(rules: Any) -> Interpreted:
    """The interpreted body of these rules."""
    with lock:
        return _interpreted.setdefault(rules, Interpreted(rules))


def compiled(rules: Any) -> Any:
    """The compiled body of these rules as they are now."""
    missing = "" if can_compile() else f"compiling needs wasmtime: {how_to_get('wasmtime', 'fast')}"
    if reason := cannot(rules) or missing:
        raise CrashlabError(reason)
    with lock:
        state = state_of(rules)
        if rules not in _compiled or _compiled[rules][0] != state:
            _compiled[rules] = state, made(rules)
            for key in [key for key in _preparing if key[0] is rules]:
                del _preparing[key]
                _failed.pop(key, None)
        return _compiled[rules][1]


def made(rules: Any, checked: bool = False) -> Any:
    """A new compiled body of these rules; if it is `checked`, every index is looked at."""
    from crashlab.compiled.wasm.wasm_body import Wasm

    return Wasm(rules, table_class(rules), wary=bool(yours(rules)), checked=checked)


def state_of(rules: Any) -> object:
    """What the rules are at this moment; somebody may change them in a notebook."""
    parts = []
    for name, value in vars(rules).items():
        if isinstance(value, types.FunctionType):
            parts.append((name, id(value.__code__)))
        elif isinstance(value, int | tuple):
            parts.append((name, id(value)))
    return tuple(parts)


@cache
def is_installed() -> bool:
    """Whether something runs WebAssembly here."""
    return runs_in_browser() if IN_BROWSER else util.find_spec("wasmtime") is not None


def runs_in_browser() -> bool:
    """Whether the browser runs WebAssembly in the memory that NumPy has there."""
    try:
        from crashlab.compiled.wasm.wasm_body import host

        host()
    except Exception:  # whatever is missing: everything works without it
        return False
    return True


def can_compile() -> bool:
    """Whether anything compiles; said once if nothing does."""
    if not is_installed():
        say_slowly()
        return False
    return True


@cache
def say_slowly() -> None:
    """Say once that nothing compiles."""
    print(SLOWLY)


def quickest(rules: Any, purpose: str, use: Callable[[Body], object], wait: bool = False) -> Body:
    """The compiled body if it is ready for this purpose, else the interpreted one.

    The first call starts a thread that makes it ready: it calls `use` with the compiled body. With `wait` the call
    waits for that. Where no thread can be started, it is done at once.
    """
    if not (reason := cannot(rules)) and can_compile():
        try:
            _begin(rules, purpose, use, wait)
            return compiled(rules) if is_ready(rules, purpose) else interpreted(rules)
        except CrashlabError as error:
            reason = str(error)
    if reason:
        say(f"these rules are played interpreted: {reason}")
    return interpreted(rules)


class Purpose(NamedTuple):
    """Something that bodies are made ready for: of which games, and how, by doing next to nothing of it."""

    suits: Callable[[Any], bool]
    prepare: Callable[[Any, Body], object]


PURPOSES: dict[str, Purpose] = {}


def prepares(purpose: str, suits: Callable[[Any], bool] = lambda game: True) -> Callable[[Function], Function]:
    """What the function below does with a game and a body makes the body ready for this purpose."""

    def keep(prepare: Function) -> Function:
        PURPOSES[purpose] = Purpose(suits, prepare)
        return prepare

    return keep


def ready(game: Any, purpose: str, wait: bool = False) -> Body:
    """The quickest body of a game for a purpose that was told of by `prepares`."""
    return quickest(game.rules, purpose, partial(PURPOSES[purpose].prepare, game), wait)


def warm(game: Any, *purposes: str) -> list[str]:
    """Compile what this game needs for these purposes, by default all, or find it on disk; for which that was done."""
    suited = [purpose for purpose in purposes or PURPOSES if PURPOSES[purpose].suits(game)]
    for purpose in suited:
        ready(game, purpose, wait=True)
    return suited


def _begin(rules: Any, purpose: str, use: Callable[[Body], object], wait: bool) -> None:
    """Start a thread that makes the compiled body ready, if that is not done yet."""
    with lock:
        compiled(rules)  # if they have changed, nothing is ready any more
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
    """Whether the compiled body of the rules as they are has been made ready for this purpose."""
    with lock:
        if rules in _compiled and _compiled[rules][0] != state_of(rules):
            return False
        thread = _preparing.get((rules, purpose))
        return thread is not None and not thread.is_alive() and (rules, purpose) not in _failed


def trouble(rules: Any, purpose: str) -> Exception | None:
    """Why the compiled body could not be made ready for this purpose, if it could not."""
    return _failed.get((rules, purpose))


def _prepare(rules: Any, purpose: str, use: Callable[[Body], object]) -> None:
    """Make the compiled body ready."""
    try:
        use(compiled(rules))
    except Exception as error:
        _failed[rules, purpose] = error
        warnings.warn(f"crashlab goes on interpreted: compiling failed with {cannot(rules, error)}", RuntimeWarning, 2)


def wait_for_the_compiler() -> None:
    """Wait until no other thread compiles."""
    own = threading.current_thread()
    for thread in list(_preparing.values()):
        if thread is not own and thread.is_alive():
            thread.join()


def _hold_the_locks() -> None:
    """A process is not copied while another thread compiles, or holds our locks."""
    own = threading.current_thread()
    lock.acquire()
    while any(thread is not own and thread.is_alive() for thread in _preparing.values()):
        lock.release()
        wait_for_the_compiler()
        lock.acquire()
    llvm_lock.acquire()


def _let_go() -> None:
    llvm_lock.release()
    lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold_the_locks, after_in_parent=_let_go, after_in_child=_let_go)
