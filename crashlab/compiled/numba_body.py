"""The body of a game's rules that Numba compiles: copies of their functions, with constants as arrays and the doors of
`happen` in a form that it knows.

Machine code is kept on disk under a key made of everything that went into it: the code and the constants of every
function that can be reached, and the versions of Python, Numba and NumPy. So it cannot be stale.
"""

from __future__ import annotations

import os
import sys
import threading
import types
from collections.abc import Callable, Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from crashlab.base.errors import CrashlabError
from crashlab.compiled.code_fingerprint import everything, fingerprint, told_of, used
from crashlab.compiled.disk_cache import cache_folder, say
from crashlab.compiled.wasm import doors
from crashlab.engine import table
from crashlab.engine.house_rules.modules import yours
from crashlab.engine.rules import own_functions, table_class
from crashlab.engine.table import FIELD, FIRST, MOVING, NOTE, NOWHERE, ROLE, SIZE, SPOT, STILL, Table

if TYPE_CHECKING:
    import numpy as np

Function = Callable[..., Any]
CACHE_DIR = "CACHE_DIR"  # Numba makes the names of its settings when it is imported

CACHE_LINE = 128  # bytes, at most; often 64, and then two are fetched together

# No interpreter's lock; no counting of references, since nothing is allocated (counting costs two thirds of the
# speed of counted games); no check for division by zero.
OPTIONS: dict[str, Any] = {"nogil": True, "_nrt": False, "error_model": "numpy", "no_cfunc_wrapper": True}

lock = threading.RLock()  # one for all bodies: the place of the cache is a setting of the whole process


class Numba:
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
        self._copies: dict[Function, Any] = {}
        self._entries: dict[Function, Function] = {}
        self._doors: dict[Function, Function] = {
            table.happen: door, table.note: note, table.next_beat: next_beat, table.latest: latest,
            table.lay: lay, table.tally: tally, table.clear: clear, **doors.PLAIN,
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
        with lock:
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

    def _built(self, function: Function, decorate: Function, copies: dict[Function, Any]) -> Function:
        """A compiled copy of the function, put among the copies before it is asked what it needs itself."""
        text = self._doors.get(function, function)
        names: dict[str, Any] = {"__builtins__": __builtins__, "__name__": __name__}
        copy = types.FunctionType(plain_ints(text.__code__), names, function.__name__, function.__defaults__)
        copy.__module__ = function.__module__
        copy.__qualname__ = f"{function.__qualname__}_{self._mark}"
        made: Function = decorate(copy)
        copies[function] = made
        names.update(self._constants if function in self._doors else self._needed(function))
        return made

    def _needed(self, function: Function) -> dict[str, Any]:
        """Compiled copies of all that a function refers to."""
        names: dict[str, Any] = {}
        for name, value in used(function):
            if name == "rules":
                names[name] = self._rules()
            elif isinstance(value, types.FunctionType):
                names[name] = self._copy(value)
            else:
                names[name] = constant(name, value, function)
        return names

    def _copy(self, function: Function) -> Any:
        """The compiled copy of a function that is called by others."""
        if function not in self._copies:
            self._built(function, compiler(**self._parts, **self._options), self._copies)
        return self._copies[function]

    def _rules(self) -> types.ModuleType:
        """The compiled copies of all rules, as a module."""
        module = types.ModuleType("rules")
        for name, value in own_functions(self.rules):
            setattr(module, name, self._copy(value))
        return module

    def _key(self, *functions: Function) -> str:
        """A fingerprint of all that these functions can reach, and of what compiles it."""
        import numba
        import numpy as np

        parts = [sys.version, numba.__version__, np.__version__]
        parts += [repr(OPTIONS | self._options), repr(self._wholes), repr(self._constants)]
        parts += [f"{name}={value}" for name, value in sorted(os.environ.items()) if name.startswith("NUMBA_")]
        parts += [f"{name} {size}" for name, size in zip(self._table.NAMES, self._table.SIZES, strict=True)]
        parts += told_of([*self._doors.values(), *everything(self.rules, self._doors, *functions)])
        return fingerprint(parts)

    def tables(self, tables: Iterable[Table]) -> np.ndarray[Any, Any]:
        """These tables as records of one array; each is asked for when those before it are no longer needed."""
        import numpy as np

        numbers = np.fromiter(chain.from_iterable(row for each in tables for row in each.rows()), np.int64)
        flat = apart(len(numbers), np.int64)
        flat[:] = numbers
        records: np.ndarray[Any, Any] = flat.view(record(self._table))
        return records

    def table(self, tables: np.ndarray[Any, Any], place: int) -> Table:
        """A record of an array as a table."""
        found = self._table()
        for name in found.NAMES:
            found.__dict__[name][:] = tables[name][place].tolist()
        return found

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
        import numpy as np

        return np.zeros(shape, np.int64 if dtype is int else dtype)

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


# The doors of `happen`, for arrays. A trace is None, a row of counts, or rows of events.


def door(field, number, index, new, rule, cause, trace):  # type: ignore[no-untyped-def]
    """`table.happen`."""
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
    """`table.note`."""
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
    """`table.next_beat`."""
    if trace is not None and trace.ndim == 2:
        trace[0, 0] += 1


def latest(number, index, trace):  # type: ignore[no-untyped-def]
    """`table.latest`; of a trace that is full only what it has kept."""
    if trace is None:
        return NOWHERE
    if trace.ndim == 1:
        return NOWHERE
    for event in range(min(trace[0, 1], len(trace) - 1), 0, -1):
        if trace[event, 3] == number and trace[event, 4] == index:
            return event - 1
    return NOWHERE


def lay(tables, place, record):  # type: ignore[no-untyped-def]
    """`table.lay`."""
    tables[place] = record


def tally(trace, counts, first, rules):  # type: ignore[no-untyped-def]
    """`table.tally`."""
    if trace is not None:
        for kind in range(len(trace)):
            counts[first + kind] += trace[kind]
            trace[kind] = 0


def clear(row, first, last):  # type: ignore[no-untyped-def]
    """`table.clear`."""
    for place in range(first, last):
        row[place] = 0


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
        import numba

        say(f"Numba {numba.__version__} is new here, so compiling takes three times as long")
        return {}, {}
    part, whole = (
        (numba_pipeline.ForwardCalledCompiler, numba_pipeline.ForwardEntryCompiler)
        if forward
        else (numba_pipeline.CalledCompiler, numba_pipeline.EntryCompiler)
    )
    return {"pipeline_class": part, "no_cpython_wrapper": True}, {"pipeline_class": whole}
