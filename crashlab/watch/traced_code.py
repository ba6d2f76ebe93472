"""The code that is traced for a function and the variables that are watched; errors for invalid choices.

A `Body` has the static facts about a function or a cell.
"""

from __future__ import annotations

import dis
import functools
import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from os.path import abspath
from pathlib import Path
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

from crashlab.base.errors import CrashlabError, listed, require, short_repr, truncate
from crashlab.watch.snapshots import GENERATED, instance_dict
from crashlab.watch.statements import CLEARS, SourceText, Statement, codes_in, has_inlined

INSTEAD = "give a function that calls it"
TELLS_JUMPS = sys.version_info >= (3, 13)
LAST = "_crashlab_last"  # holds the value of the last line of a cell, which the notebook shows


def traceable(function: object) -> FunctionType:
    """Return the Python function behind a callable; raise CrashlabError if it cannot be traced."""
    target: Any = function
    while True:
        if isinstance(target, functools.partial):
            target = target.func
        elif isinstance(target, MethodType):
            target = target.__func__
        elif isinstance(target, type):
            target = target.__init__  # type: ignore[misc]
            if not isinstance(target, FunctionType):
                raise CrashlabError(f"{short_repr(function)} has no __init__ written in Python; {INSTEAD}")
        elif not isinstance(target, FunctionType) and "__wrapped__" in (instance_dict(target) or {}):
            target = target.__wrapped__
        elif isinstance(target, FunctionType):
            break
        elif isinstance(vars(type(target)).get("__call__"), FunctionType):
            target = vars(type(target))["__call__"]
        elif callable(target):
            raise CrashlabError(
                f"{short_repr(function)} is not written in Python, so it has no lines to watch; {INSTEAD}"
            )
        else:
            raise CrashlabError(f"{short_repr(function)} cannot be called: give a function, followed by its arguments")
    target = inspect.unwrap(target)
    name = target.__name__
    if inspect.isgeneratorfunction(target):
        such = f"something iterates over it: give a function that does, such as `lambda: list({name}(...))`"
    elif inspect.iscoroutinefunction(target):
        such = (
            f"something awaits it: give `lambda: asyncio.run({name}(...))`, but not in a notebook, where an event"
            " loop already runs"
        )
    elif inspect.isasyncgenfunction(target):
        such = "something iterates over it: give a function that does"
    else:
        return target  # type: ignore[no-any-return]
    raise CrashlabError(f"{name} only starts when {such}")


@dataclass
class Traced:
    """The code to trace: all code with certain global variables, all code of certain files, and single functions."""

    function: FunctionType
    spaces: list[dict[str, Any]] = field(default_factory=list)
    files: set[str] = field(default_factory=set)
    codes: set[CodeType] = field(default_factory=set)

    @classmethod
    def of(cls, function: FunctionType, also: object) -> Traced:
        """Collect the code traced for a function and for `also`; raise CrashlabError if any of it cannot be traced."""
        traced = cls(function, [function.__globals__], codes={function.__code__})
        extras = [also] if isinstance(also, str | Path | type) or listed(also) is None else listed(also)
        for thing in extras or ():
            traced.add(thing)
        return traced

    def add(self, thing: object) -> None:
        """Trace a module, a file, a class or a function as well."""
        if isinstance(thing, ModuleType):
            self.spaces.append(vars(thing))
        elif isinstance(thing, str | Path):
            require(Path(thing).is_file(), f"also={short_repr(thing)}: there is no file with this name")
            self.files.add(abspath(thing))
        elif isinstance(thing, type):
            self.codes.update(inner for function in functions_of(thing) for inner in codes_in(function.__code__))
        else:
            self.codes.update(codes_in(traceable(thing).__code__))

    def __contains__(self, frame: FrameType) -> bool:
        """Return whether the code of a frame is traced."""
        return self.has(frame.f_code, frame.f_globals)

    def runs(self, code: CodeType, space: dict[str, Any]) -> bool:
        """Return whether all effects of a code are recorded while it runs."""
        return not code.co_name.startswith("<") and self.has(code, space)

    def has(self, code: CodeType, space: dict[str, Any]) -> bool:
        """Return whether code with these global variables is traced."""
        if code in self.codes:
            return True
        if code.co_filename == GENERATED != self.function.__code__.co_filename:
            return False
        return any(space is traced_space for traced_space in self.spaces) or code.co_filename in self.files

    def opens(self, cls: type) -> bool:
        """Return whether objects of a class are inspected: a class of traced code, but not of exceptions."""
        if issubclass(cls, BaseException):
            return False
        if any(cls.__module__ == space.get("__name__") for space in self.spaces):
            return True
        return any(
            function.__code__ in self.codes or function.__code__.co_filename in self.files
            for function in functions_of(cls)
        )

    def names(self) -> set[str]:
        """Return the names of all variables that can be watched."""
        names: set[str] = set()
        todo = list(self.codes)
        for space in self.spaces:
            names.update(space)
            functions = [one for one in space.values() if type(one) is FunctionType and one.__globals__ is space]
            functions += [one for cls in space.values() if issubclass(type(cls), type) for one in functions_of(cls)]
            todo += [one.__code__ for one in functions]
        for code in todo:
            for inner in codes_in(code):
                names.update(inner.co_varnames, inner.co_cellvars, inner.co_freevars)
            if not code.co_flags & inspect.CO_OPTIMIZED:  # a cell of a notebook
                names.update(code.co_names)
        return names


class Body:
    """The static facts about a function, or about a whole cell of a notebook."""

    def __init__(self, code: CodeType, text: SourceText, is_cell: bool = False) -> None:
        self.code, self.text = code, text
        self.first = code.co_firstlineno
        self.is_cell = is_cell
        self.lines = tuple(text.lines) if is_cell else text.block(self.first)
        self.statement = Statement(self.first, self.first) if is_cell else text[self.first]
        self.inner = frozenset(codes_in(code)[1:])
        self.inlined = inlined(code)
        self.apart = text.apart(code)
        names = dict.fromkeys((*self.apart.co_varnames, *self.apart.co_cellvars, *code.co_freevars))
        if is_cell:
            names = dict.fromkeys(step.argval for step in dis.get_instructions(code) if step.opname == "STORE_NAME")
        self.variables = [name for name in names if name not in ("__class__", LAST)]
        changing = text.changing(self.first) & {*code.co_names}
        self.shared = [] if is_cell else sorted(changing.difference(names))  # global variables that it changes
        self.calls_itself = text.calls_itself(self.first, code.co_name)
        self._steps = code.co_code
        self._parts: dict[int, Statement] = {}
        self._jumps: dict[int, int] = {}  # jumps back within a line, and their targets

    def step(self, place: int) -> str:
        """Return the name of the instruction at an offset, or an empty string."""
        while 0 <= place < len(self._steps) and dis.opname[self._steps[place]] == "EXTENDED_ARG":
            place += 2
        return dis.opname[self._steps[place]] if 0 <= place < len(self._steps) else ""

    def landing(self, place: int) -> int:
        """Return the offset at which a line begins: Python 3.13 reports a jump back within a line before it jumps."""
        if not TELLS_JUMPS or self.step(place) != "JUMP_BACKWARD":
            return place
        if not self._jumps:
            steps = {step.offset: step for step in dis.get_instructions(self.code)}
            jumps = [step for step in steps.values() if step.opname == "JUMP_BACKWARD"]
            self._jumps = {step.offset: step.argval for step in jumps if line(step) == line(steps[step.argval])}
        return self._jumps.get(place, place)

    def part(self, whole: Statement, place: int) -> Statement:
        """Return the statement to which an instruction belongs, if several statements are on one line."""
        if place not in self._parts:
            line, _, column, _ = next(islice(self.code.co_positions(), place // 2, None), (None,) * 4)
            at = (line or 0, column or 0)
            inside = [part for first, last, part in whole.parts if first <= at < last]
            self._parts[place] = inside[-1] if inside else whole.parts[0][2] if whole.parts else whole
        return self._parts[place]


def line(step: dis.Instruction) -> int | None:
    """Return the line of an instruction."""
    return step.positions.lineno if step.positions is not None else None


def functions_of(cls: type) -> list[FunctionType]:
    """Return the functions defined in a class, including static and class methods and property getters."""
    functions = [
        member.__func__ if type(member) in (staticmethod, classmethod) else member for member in vars(cls).values()
    ]
    functions = [member.fget if type(member) is property else member for member in functions]
    return [member for member in functions if type(member) is FunctionType]


def inlined(code: CodeType) -> dict[int, frozenset[str]]:
    """Return the offsets of the instructions of comprehensions inlined in a code, with their variables.

    Since Python 3.12 comprehensions run from the instruction that saves a variable of the function to the end of the
    loop, and in the exception handlers that restore the variable, the only handlers that begin with SWAP.
    """
    if not has_inlined(code):
        return {}
    steps = list(dis.get_instructions(code))
    names = {step.offset: step.opname for step in steps}
    spans: list[tuple[int, int]] = []
    for place in (place for place, name in names.items() if name == CLEARS):
        head = next(offset for offset in names if offset > place and names[offset] in ("FOR_ITER", "GET_ANEXT"))
        ends = [step.offset for step in steps if step.argval == head and "JUMP_BACKWARD" in step.opname]
        spans.append((place, max(ends, default=head)))
    for start in {entry.target for entry in dis.Bytecode(code).exception_entries}:  # type: ignore[attr-defined]
        if names[start] == "SWAP":
            spans.append((start, next(offset for offset in names if offset > start and names[offset] == "RERAISE")))
    hidden = frozenset(step.argval for step in steps if step.opname == CLEARS)
    return {place: hidden for first, last in spans for place in range(first, last + 1, 2)}


def watched(watch: object, every: object, function: FunctionType, traced: Traced) -> frozenset[str] | None:
    """Return the names to watch, or None for all; raise CrashlabError for an unknown name."""
    if every is not None and not isinstance(every, str):
        raise CrashlabError(f"every={short_repr(every)}: give the name of one variable")
    names = [watch] if isinstance(watch, str) else [] if watch is None else listed(watch)
    if names is None or not all(isinstance(name, str) for name in names) or (watch is not None and not names):
        raise CrashlabError(f"watch={short_repr(watch)}: give a list of names of variables, or None for all")
    possible = traced.names()
    if not traced.files:  # their names are not known before they run
        for name in [*names, *([every] if every else [])]:
            if name not in possible:
                local = SourceText(function.__code__.co_filename).apart(function.__code__).co_varnames
                near = get_close_matches(name, local, 1) or get_close_matches(name, possible, 1)
                local_names = ", ".join(local) or "none"
                did = (
                    f"; did you mean {near[0]!r}?"
                    if near
                    else f"; those of {function.__name__} are: {truncate(local_names)}"
                )
                raise CrashlabError(f"there is no variable {short_repr(name)} to watch{did}")
    return None if watch is None else frozenset([*names, *([every] if every else [])])


def listed_kwargs(kwargs: object) -> dict[str, Any]:
    """Return keyword arguments as a dict; raise CrashlabError if they are not a dict with names."""
    if kwargs is None:
        return {}
    if not isinstance(kwargs, Mapping) or not all(isinstance(name, str) for name in kwargs):
        raise CrashlabError(f"kwargs={short_repr(kwargs)}: give a dict of keyword arguments")
    return dict(kwargs)
