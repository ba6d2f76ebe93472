"""Bodies for one text: a game's rules and the functions that play with them, interpreted or compiled.

    interpreted(rules)   tables are objects with rows of Python ints; a trace is a `happen.Trace`
    compiled(rules)      tables are records in one array; built from the very same functions when they are first called
    quickest(rules, ...) the compiled body if it is ready, else the interpreted one, while a thread makes it ready;
                         the numbers are the same

What compiles is WebAssembly (`crashlab.compiled.wasm`), which is ready within a second, by wasmtime or by the browser;
where Numba is installed, it goes on with what has run for LONG seconds, since its code is faster, or does everything
where there is no wasmtime. CRASHLAB_COMPILER, `wasm` or `numba`, leaves only one of them.

A body binds plain functions to a game: `body.bind(playout.play_games)` is that function with the name `rules` in it
standing for the rules of the game. No rule knows of this: their functions are copied, with constants as arrays and
the doors of `happen` in a form that Numba can compile.

Compiled code is kept on disk under a key made of everything that went into it: the code and the constants of every
function that can be reached, and the versions of Python, Numba and NumPy. So it cannot be stale.
"""

from __future__ import annotations

import logging  # noqa: F401  (its lock is taken for a copy after ours, since it is registered before)
import os
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib import metadata, util
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from crashlab.base.errors import IN_BROWSER, CrashlabError, how_to_get
from crashlab.compiled.code_fingerprint import everything, fingerprint, told_of, used
from crashlab.compiled.disk_cache import cache_folder, say
from crashlab.compiled.wasm import doors
from crashlab.engine import table as happen
from crashlab.engine.house_rules.modules import cannot, yours
from crashlab.engine.table import FIELD, FIRST, MOVING, NOTE, NOWHERE, ROLE, SIZE, SPOT, STILL, Table, Trace

if TYPE_CHECKING:
    import numpy as np

    from crashlab.compiled.wasm.wasm_body import Wasm

SLOWLY = (
    "crashlab: this browser compiles nothing. Everything works, but slowly, so play fewer games."
    if IN_BROWSER
    else "crashlab: without wasmtime everything works, but slowly; pip install 'crashlab[fast]' makes it fast."
)
LONG = 10.0  # seconds that WebAssembly has run after which it is worth while to have Numba compile the same
Function = Callable[..., Any]
CACHE_DIR = "CACHE_DIR"  # Numba makes the names of its settings when it is imported

CACHE_LINE = 128  # bytes, at most; often 64, and then two are fetched together

# No interpreter's lock; no counting of references, since nothing is allocated (counting costs two thirds of the
# speed of counted games); no check for division by zero.
OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False, "error_model": "numpy", "no_cfunc_wrapper": True}


class Interpreted:
    """Plain Python."""

    is_compiled = False
    is_slow_to_compile = False

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self._bound: dict[Function, Function] = {}

    def bind(self, function: Function) -> Function:
        """This function with the rules of the game."""
        with _lock:
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
        """The same tables, as `happen.resemble` takes them."""
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


class Compiled:
    """The same functions as machine code, by Numba; it runs without the interpreter's lock."""

    is_compiled = True
    is_slow_to_compile = True  # so that what is called together is compiled together

    def __init__(self, rules: Any, forgetful: bool = False, checked: bool = False) -> None:
        self.rules = rules
        self._options = {"boundscheck": True} if checked else {}  # whether every index is looked at
        self._parts, self._wholes = pipelines(plain=forgetful, forward=not yours(rules))
        self.is_kept = True  # on disk
        self._forgetful = forgetful  # whether to compile anew what is on disk, where that cannot be read
        self._table = table_class(rules)
        self._twins: dict[Function, Any] = {}
        self._entries: dict[Function, Function] = {}
        self._doors: dict[Function, Function] = {
            happen.happen: door, happen.note: note, happen.next_beat: next_beat, happen.latest: latest,
            happen.lay: lay, happen.tally: tally, happen.clear: clear, **doors.PLAIN,
        }  # fmt: skip
        constants = {
            "NOTE": NOTE, "NOWHERE": NOWHERE, "RULES": len(rules.BOOK), "FIRST": FIRST, "SIZE": SIZE, "ROLE": ROLE,
            "FIELD": FIELD, "STILL": STILL, "MOVING": MOVING, "SPOT": SPOT,
        }  # fmt: skip
        self._constants = {name: sized(number) for name, number in constants.items()}
        # Machine code from disk is linked by name: rules that differ must not have functions of the same name.
        self._mark = self._key(*(rule for _, rule in own_functions(rules)))[:8]

    def bind(self, function: Function) -> Function:
        """This function with the rules of the game; compiled when first called, or read from disk."""
        with _lock:
            if function not in self._entries:
                self._entries[function] = self._cached(function)
            return self._entries[function]

    def _cached(self, function: Function) -> Function:
        """A function that is called from outside, with its machine code on disk."""
        from numba.core import config

        folder = None if self._forgetful else cache_folder(self._key(function))
        if folder is None:
            self.is_kept = False
            return self._built(function, compiler(**self._wholes, **self._options), {})
        before = getattr(config, CACHE_DIR)
        setattr(config, CACHE_DIR, str(folder))  # Numba asks for it when it decorates
        try:
            return self._built(function, compiler(cache=True, **self._wholes, **self._options), {})
        finally:
            setattr(config, CACHE_DIR, before)

    def _built(self, function: Function, decorate: Function, twins: dict[Function, Any]) -> Function:
        """A compiled copy of the function, put among the twins before it is asked for its own twins."""
        text = self._doors.get(function, function)
        names: dict[str, Any] = {"__builtins__": __builtins__, "__name__": __name__}
        copy = types.FunctionType(plain_ints(text.__code__), names, function.__name__, function.__defaults__)
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{function.__qualname__}_{self._mark}"
        twin: Function = decorate(copy)
        twins[function] = twin
        names.update(self._constants if function in self._doors else self._needed(function))
        return twin

    def _needed(self, function: Function) -> dict[str, Any]:
        """Twins of all that a function refers to."""
        names: dict[str, Any] = {}
        for name, value in used(function):
            if name == "rules":
                names[name] = self._rules()
            elif isinstance(value, types.FunctionType):
                names[name] = self._twin(value)
            else:
                names[name] = constant(name, value, function)
        return names

    def _twin(self, function: Function) -> Any:
        """The twin of a function that is called by others."""
        if function not in self._twins:
            self._built(function, compiler(**self._parts, **self._options), self._twins)
        return self._twins[function]

    def _rules(self) -> types.ModuleType:
        """The twins of all rules, as a module."""
        module = types.ModuleType("rules")
        for name, value in own_functions(self.rules):
            setattr(module, name, self._twin(value))
        return module

    def _key(self, *functions: Function) -> str:
        """A fingerprint of all that these functions can reach, and of what compiles it."""
        parts = [sys.version, metadata.version("numba"), metadata.version("numpy")]
        parts += [repr(OPTIONS | self._options), repr(self._wholes), repr(self._constants)]
        parts += [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")]
        parts += [f"{name} {size}" for name, size in zip(self._table.NAMES, self._table.SIZES, strict=True)]
        parts += told_of([*self._doors.values(), *everything(self.rules, self._doors, *functions)])
        return fingerprint(parts)

    def tables(self, tables: Iterable[Table]) -> np.ndarray[Any, Any]:
        """These tables as records of one array; each is asked for when those before it are no longer needed."""
        import numpy as np

        numbers = np.fromiter(chain.from_iterable(row for table in tables for row in table.rows()), np.int64)
        flat = apart(len(numbers), np.int64)
        flat[:] = numbers
        records: np.ndarray[Any, Any] = flat.view(record(self._table))
        return records

    def table(self, tables: np.ndarray[Any, Any], place: int) -> Table:
        """A record of an array as a table."""
        table = self._table()
        for name in table.NAMES:
            table.__dict__[name][:] = tables[name][place].tolist()
        return table

    def windows(self, numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Room for a table in each of these rows of numbers, from its beginning: what is laid there, stands there."""
        import numpy as np

        return np.ndarray(len(numbers), record(self._table), buffer=numbers, strides=numbers.strides[:1])

    def flat(self, tables: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The numbers of these tables in rows: the same memory."""
        import numpy as np

        return tables.view(np.int64).reshape(len(tables), -1)

    def array(self, shape: tuple[int, ...], dtype: Any = int) -> Any:
        """An array of zeros."""
        return interpreted(self.rules).array(shape, dtype)

    def row(self, size: int) -> Any:
        """A row of zeros."""
        import numpy as np

        return apart(size, np.int64)

    def numbers(self, size: int) -> Any:
        """A row of zeros that takes fractions."""
        import numpy as np

        return apart(size, np.float64)

    def luck(self, luck: int) -> Any:
        """A source of chance in this state."""
        import numpy as np

        source = apart(1, np.uint64)
        source[0] = luck
        return source

    def counter(self, size: int) -> Any:
        """A trace whose events can be counted by `tally`."""
        return self.row(size)

    def trace(self, capacity: int) -> Any:
        """A trace that keeps `capacity` events: row 0 is (beat, how many there were, 0 ...), then the rows."""
        import numpy as np

        trace = apart(8 * (capacity + 1), np.int64).reshape(-1, 8)
        trace[0, 0] = 1
        return trace


Body: TypeAlias = "Interpreted | Compiled | Wasm"


def apart(size: int, kind: Any) -> Any:
    """A row of zeros on cache lines that it shares with nothing else.

    NumPy hands out small rows side by side, to whichever thread asks. Two threads whose sources of chance, of 8 bytes,
    lie on one line take half as long again.
    """
    import numpy as np

    spare = CACHE_LINE // 8
    numbers = np.zeros(size + 2 * spare, dtype=kind)
    first = -numbers.ctypes.data % CACHE_LINE // 8
    return numbers[first : first + size]


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


# The doors of `happen`, for arrays. A trace is None, a row of counts, or rows of events.


def door(field, number, index, new, rule, cause, trace):  # type: ignore[no-untyped-def]
    """`happen.happen`."""
    if trace is None:
        field[index] = new
        return NOWHERE
    before = field[index]
    if before == new:
        return cause
    field[index] = new
    if trace.ndim == 1:
        trace[RULES + rule] += 1  # type: ignore[name-defined]  # noqa: F821
        trace[2 * RULES + number] += 1  # type: ignore[name-defined]  # noqa: F821
        return NOWHERE
    told = trace[0, 1]
    trace[0, 1] = told + 1
    if told + 1 < len(trace):
        event = trace[told + 1]
        event[0] = trace[0, 0]
        event[1] = rule
        event[2] = cause
        event[3] = number
        event[4] = index
        event[5] = before
        event[6] = new
        event[7] = 0
    return told


def note(rule, cause, a, b, c, d, trace):  # type: ignore[no-untyped-def]
    """`happen.note`."""
    if trace is None:
        return NOWHERE
    if trace.ndim == 1:
        trace[rule] += 1
        return NOWHERE
    told = trace[0, 1]
    trace[0, 1] = told + 1
    if told + 1 < len(trace):
        event = trace[told + 1]
        event[0] = trace[0, 0]
        event[1] = rule
        event[2] = cause
        event[3] = NOTE
        event[4], event[5], event[6], event[7] = a, b, c, d
    return told


def next_beat(trace):  # type: ignore[no-untyped-def]
    """`happen.next_beat`."""
    if trace is not None and trace.ndim == 2:
        trace[0, 0] += 1


def latest(number, index, trace):  # type: ignore[no-untyped-def]
    """`happen.latest`; of a trace that is full only what it has kept."""
    if trace is None:
        return NOWHERE
    if trace.ndim == 1:
        return NOWHERE
    for event in range(min(trace[0, 1], len(trace) - 1), 0, -1):
        if trace[event, 3] == number and trace[event, 4] == index:
            return event - 1
    return NOWHERE


def lay(tables, place, table):  # type: ignore[no-untyped-def]
    """`happen.lay`."""
    tables[place] = table


def tally(trace, counts, first, rules):  # type: ignore[no-untyped-def]
    """`happen.tally`."""
    if trace is not None:
        for kind in range(len(trace)):
            counts[first + kind] += trace[kind]
            trace[kind] = 0


def clear(row, first, last):  # type: ignore[no-untyped-def]
    """`happen.clear`."""
    for place in range(first, last):
        row[place] = 0


# What a function needs


def own_functions(module: Any) -> Iterator[tuple[str, Function]]:
    """The functions that a module defines."""
    for name, value in sorted(vars(module).items()):
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
            yield name, value


def plain_ints(code: types.CodeType) -> types.CodeType:
    """The code with NumPy's ints as constants: for each Python int Numba would compile what is called with it anew."""
    return code.replace(co_consts=tuple(map(plain, code.co_consts)))


def plain(value: Any) -> Any:
    """A constant of the code; `0, 0` is one, too."""
    if type(value) is tuple:
        return tuple(map(plain, value))
    return sized(value) if type(value) is int else value


def sized(number: int) -> np.signedinteger[Any] | np.unsignedinteger[Any]:
    """A number of 64 bits; only the large ones of `chance` have no sign."""
    import numpy as np

    return np.int64(number) if number < 1 << 63 else np.uint64(number)


def constant(name: str, value: object, function: Function) -> Any:
    """A constant as compiled code can use it: ints as they are, rows of ints as arrays."""
    import numpy as np

    if isinstance(value, int):
        return sized(value)
    if isinstance(value, tuple) and all(isinstance(number, int) for number in value):
        return np.array(value, dtype=np.int64)
    where = f"{function.__module__}.{function.__qualname__}"
    raise CrashlabError(f"{where} refers to {name} = {value!r:.60}; compiled rules know ints, rows of ints, functions")


def table_class(rules: Any) -> type[Table]:
    """The class of the tables that these rules are for."""
    found = [value for value in vars(rules).values() if isinstance(value, type) and issubclass(value, Table)]
    return next(kind for kind in found if kind is not Table)


def record(kind: type[Table]) -> Any:
    """The fields of a table as a NumPy dtype."""
    import numpy as np

    return np.dtype([(name, np.int64, (size,)) for name, size in zip(kind.NAMES, kind.SIZES, strict=True)])


def compiler(**options: Any) -> Function:
    """Numba's decorator, as we use it."""
    import numba

    decorate: Function = numba.njit(**OPTIONS, **options)
    return decorate


def pipelines(plain: bool, forward: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """How to compile what other compiled functions call, and what Python calls: options for `compiler`.

    `forward` says that no index counts from the end of a row.
    """
    if plain:
        return {}, {}
    try:
        from crashlab.compiled import numba_pipeline

        is_known = numba_pipeline.is_known()
    except (ImportError, AttributeError):  # a Numba that has not the names that linking takes from it
        is_known = False
    if not is_known:
        say(f"Numba {metadata.version('numba')} is new here, so compiling takes three times as long")
        return {}, {}
    part, whole = (
        (numba_pipeline.ForwardCalledCompiler, numba_pipeline.ForwardEntryCompiler)
        if forward
        else (numba_pipeline.CalledCompiler, numba_pipeline.EntryCompiler)
    )
    return {"pipeline_class": part, "no_cpython_wrapper": True}, {"pipeline_class": whole}


# Which body to use

_lock = threading.RLock()  # one for all bodies: the place of the cache is a setting of the whole process
_interpreted: dict[Any, Interpreted] = {}
_compiled: dict[tuple[Any, str], tuple[object, Any]] = {}  # by compiler, with what the rules were when it was made
_preparing: dict[tuple[Any, str, str], threading.Thread] = {}  # by rules, compiler and purpose
_failed: dict[tuple[Any, str, str], Exception] = {}


def interpreted(rules: Any) -> Interpreted:
    """The interpreted body of these rules."""
    with _lock:
        return _interpreted.setdefault(rules, Interpreted(rules))


def compiled(rules: Any, by: str = "") -> Any:
    """The compiled body of these rules as they are now, by this compiler or by that which is ready first."""
    missing = "" if can_compile() else f"compiling needs wasmtime: {how_to_get('wasmtime', 'fast')}"
    if reason := cannot(rules) or missing:
        raise CrashlabError(reason)
    by = by or compilers()[0]
    with _lock:
        if (rules, by) not in _compiled or _compiled[rules, by][0] != state_of(rules):
            _renew(rules, by, forgetful=False)
        return _compiled[rules, by][1]


def checked(rules: Any) -> Any:
    """A compiled body of these rules in which every index is looked at."""
    return made(rules, compilers()[0], checked=True)


def made(rules: Any, by: str, forgetful: bool = False, checked: bool = False) -> Any:
    """A new body of these rules by this compiler."""
    if by == "numba":
        return Compiled(rules, forgetful, checked)
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


def _renew(rules: Any, by: str, forgetful: bool, purpose: str = "") -> None:
    """Begin a new body, for this purpose; for all others the old one was ready, and this one is not."""
    _compiled[rules, by] = state_of(rules), made(rules, by, forgetful)
    for key in [key for key in _preparing if key[0] is rules and key[1] == by and key[2] != purpose]:
        del _preparing[key]
        _failed.pop(key, None)


def compilers() -> tuple[str, ...]:
    """What compiles here: first what is ready soon, then what makes faster code."""
    wanted = os.environ.get("CRASHLAB_COMPILER", "")
    return tuple(name for name in installed() if wanted in ("", name))


@cache
def installed() -> tuple[str, ...]:
    """The compilers that there are."""
    found = {"wasm": runs_in_browser() if IN_BROWSER else util.find_spec("wasmtime"), "numba": util.find_spec("numba")}
    return tuple(name for name, there in found.items() if there)


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
    if not compilers():
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
    if reason := cannot(rules):
        say(f"these rules are played interpreted: {reason}")
    if reason or not can_compile():
        return interpreted(rules)
    first, *slower = compilers()
    _begin(rules, first, purpose, use, wait)
    if not is_ready(rules, purpose):
        return interpreted(rules)
    body: Body = compiled(rules, first)
    if slower and getattr(body, "spent", 0.0) > LONG:
        _begin(rules, slower[0], purpose, use, wait=False)
        if is_ready(rules, purpose, slower[0]):
            body = compiled(rules, slower[0])
    return body


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


def _begin(rules: Any, by: str, purpose: str, use: Callable[[Body], object], wait: bool) -> None:
    """Start a thread that makes the body of this compiler ready, if that is not done yet."""
    with _lock:
        compiled(rules, by)  # if they have changed, nothing is ready any more
        thread = _preparing.get((rules, by, purpose))
        if thread is None:
            thread = threading.Thread(target=_prepare, args=(rules, by, purpose, use), daemon=True)
            _preparing[rules, by, purpose] = thread
            try:
                thread.start()
            except RuntimeError:
                _prepare(rules, by, purpose, use)
    if wait and thread.is_alive():
        thread.join()


def is_ready(rules: Any, purpose: str, by: str = "") -> bool:
    """Whether the compiled body of the rules as they are has been made ready for this purpose."""
    by = by or (compilers() or ("",))[0]
    with _lock:
        if (rules, by) in _compiled and _compiled[rules, by][0] != state_of(rules):
            return False
        thread = _preparing.get((rules, by, purpose))
        return thread is not None and not thread.is_alive() and (rules, by, purpose) not in _failed


def trouble(rules: Any, purpose: str) -> Exception | None:
    """Why the compiled body could not be made ready for this purpose, if it could not."""
    return next((_failed[rules, by, purpose] for by in compilers() if (rules, by, purpose) in _failed), None)


def _prepare(rules: Any, by: str, purpose: str, use: Callable[[Body], object]) -> None:
    """Make the compiled body ready; if what is on disk cannot be read, without it."""
    try:
        try:
            use(compiled(rules, by))
        except Exception as error:
            with _lock:
                _renew(rules, by, forgetful=True, purpose=purpose)
            use(compiled(rules, by))
            if by == "numba":
                say(f"compiled anew in Numba's own way, which takes longer: {error}")
    except Exception as error:
        _failed[rules, by, purpose] = error
        warnings.warn(f"crashlab goes on interpreted: compiling failed with {cannot(rules, error)}", RuntimeWarning, 2)


def wait_for_the_compiler() -> None:
    """Wait until no other thread compiles."""
    own = threading.current_thread()
    for thread in list(_preparing.values()):
        if thread is not own and thread.is_alive():
            thread.join()


def _hold_the_locks() -> None:
    """A process that is copied must not be copied while another thread holds the compiler's locks, or ours."""
    own = threading.current_thread()
    _lock.acquire()
    while any(thread is not own and thread.is_alive() for thread in _preparing.values()):
        _lock.release()
        wait_for_the_compiler()
        _lock.acquire()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold_the_locks, after_in_parent=_lock.release, after_in_child=_lock.release)
