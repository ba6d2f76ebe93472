"""Runs a plain function under a tracer, and notes after every statement what it has changed.

The functions of the same file, cell or notebook are traced, which are those with the same global variables. What other
code does is noticed by what it has changed when the statement that called it is over.
"""

from __future__ import annotations

import ast
import dis
import inspect
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import ref

from crashlab.base.errors import told, whole
from crashlab.engine.notation import counted
from crashlab.watch.causes import NONE, NOTHING, Evaluation, Value, is_box, is_plain
from crashlab.watch.film import Film
from crashlab.watch.film_data import GLOBAL, CallEntry, Counts, RecordedEntry, Slot, Source
from crashlab.watch.heap import ABSENT, Path, Thing, ThingKind
from crashlab.watch.snapshots import TOO_DEEP, KeyChange, Shadow, Shadows, args_of, asks, flat_parts, is_known, same
from crashlab.watch.snapshots import is_plain as is_kept
from crashlab.watch.statements import SourceText, Statement
from crashlab.watch.traced_code import Traced, codes_in, listed_kwargs, traceable, watched
from crashlab.watch.variables import Names, Scope, path_to
from crashlab.watch.write_set import Values, Writable, touched

LAST = "_crashlab_last"  # holds the value of the last line of a cell, which the notebook shows
PATIENT = 1000  # lines in which recording waits for one where it can be stopped
LESS = "take a smaller example, watch fewer names, or give every= or a larger max_events="
LINES = 25  # lines that may run for each event that may be recorded
ROOM = 100  # calls that the recorder needs for itself, on top of those that the program may make
DEEPEST = 200  # calls in calls from which the end of the tracer is taken for that of the stack
TOO_DEEP_CALLS = "its calls are too deep"
HOLDERS = 4  # of a copy of variables: the call, the tracer and the one before, and whoever counts them
KEEPS_COPY = sys.version_info < (3, 13)  # whether Python makes a copy of the variables for a tracer
UNWATCHED = (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type)  # where nobody has named the variables
RETURNS = ("RETURN_VALUE", "RETURN_CONST")

TraceFunction = Callable[[FrameType, str, Any], Any]


class Stop(BaseException):
    """Enough is recorded. Where a program swallows it, it is raised again at the next line."""

    def __init__(self, again: Callable[[], object]) -> None:
        super().__init__()
        self.again = again

    def __del__(self) -> None:
        self.again()


def record(
    function: Callable[..., Any],
    *args: Any,
    watch: str | Iterable[str] | None = None,
    also: object = (),
    every: str | None = None,
    max_events: int = 20_000,
    kwargs: Mapping[str, Any] | None = None,
    **named: Any,
) -> Film:
    """Call a function and record how its variables change.

    Parameters
    ----------
    function : Callable[..., Any]
        The function that is called.
    *args : Any
        Its arguments.
    watch : str | Iterable[str] | None
        The names of the variables to watch; None for all that belong to the traced functions, and the global ones
        that these change.
    also : object
        What else to trace: functions, classes, modules, or the names of files.
    every : str | None
        The name of a variable: one beat for each of its changes, with all that has changed since the last beat.
    max_events : int
        After how many events recording, and with it the function, stops; it also stops after 25 times as many lines.
    kwargs : Mapping[str, Any] | None
        Arguments of the function whose names are also parameters of `record`.
    **named : Any
        Its arguments by name.

    Returns
    -------
    Film
        How the variables changed.

    Examples
    --------
    >>> def total(numbers):
    ...     found = 0
    ...     for number in numbers:
    ...         found += number
    ...     return found
    >>> film = crashlab.record(total, [2, 3], watch="found")
    >>> print(film.why(film.events[-1]))
    found = 5 (was 2)   [line 4: found += number]
      because found = 2 (was 0)   [line 4: found += number]
      because found = 0   [line 2: found = 0]
    """
    target = traceable(function)
    scope = Traced.of(target, also)
    names = watched(watch, every, target, scope)
    given = {**listed_kwargs(kwargs), **named}
    recorder = Recorder(scope, names, every, whole("max_events", max_events))
    return recorder.film(function, args, given, target.__code__)


class Recorder:
    """One recording: what is known of the running program, and the events so far."""

    def __init__(self, traced: Traced, watch: frozenset[str] | None, every: str | None, max_events: int) -> None:
        self.traced, self.watch, self.every, self.max_events = traced, watch, every, max_events
        self.entries: list[RecordedEntry] = []
        self.calls: list[CallEntry] = []
        self.shadows = Shadows(traced.opens, self.entries.__len__, traced.runs)
        self.texts: dict[str, SourceText] = {}
        self.bodies: dict[CodeType, Body] = {}
        self.ran: Counter[tuple[str, int]] = Counter()
        self.stack: list[TracedCall] = []
        self.scopes: defaultdict[CodeType, list[Scope]] = defaultdict(list)  # that functions inside may see, by code
        self.globals = Scope(GLOBAL)
        self.leaving: list[Any] = []  # what calls held that are over, until their caller has taken what it wants
        self.beat = 0
        self.looks = self.told = 0  # looks that found something, and the one of the event before
        self.changed: set[str] = set()  # names, in this look
        self.turned = False  # whether `every` has changed, so that the next event is in another beat
        self.arguments = 0  # how many events are the arguments of the first call
        self.lines = self.last_line = 0
        self.brought: dict[Slot, frozenset[int]] = {}  # the events that the values of variables come from
        self.inside: dict[int, dict[Any, frozenset[int]]] = {}  # the same in containers that are not watched
        self.boxes: dict[int, Any] = {}  # these containers
        self.depths: list[int] = []  # how long the chain of causes of each event is
        self.claimed: set[Thing] = set()  # things of which is known what has brought what they held at first
        self.raised: tuple[TracedCall, frozenset[int]] | None = (
            None  # where an exception comes from, and what was read there
        )
        self.stopped = ""
        self.is_ending = False  # whether the program is stopped, too
        self.done = False

    def film(self, function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any], own: CodeType) -> Film:
        """Call the function and tell what it has done."""
        result, error = None, None
        before, limit = sys.gettrace(), sys.getrecursionlimit()
        sys.setrecursionlimit(limit + ROOM)
        sys.settrace(self.begin)
        try:
            result = function(*args, **named)
        except Stop:
            self.done = True
        except KeyboardInterrupt:
            self.stopped = "recording was interrupted"
        except BaseException as raised:
            error = None if self.is_ending else raised
        finally:
            self.done = True
            if isinstance(error, RecursionError) and not self.is_ending:
                self.stopped = ""  # it ends where the program does
            elif sys.gettrace() != self.begin and not self.stopped:
                deep = len(self.stack) > DEEPEST
                self.lose(TOO_DEEP_CALLS if deep else "the function has switched it off")
            sys.settrace(before)
            if sys.getrecursionlimit() == limit + ROOM:
                sys.setrecursionlimit(limit)
        if error is not None:
            self.fail(error, own)
            error = error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)
        return self.made(own.co_name, result, error)

    def fail(self, error: BaseException, own: CodeType) -> None:
        """The function has ended with an exception: the last event."""
        run, why = self.raised or (self.stack[-1] if self.stack else None, NONE)
        self.looks += 1
        self.turned = True
        if run is None:  # it was not even called
            run = TracedCall(self, own, self.body(own), Scope(NOTHING))
        self.add(run, (run.scope.number, ""), None, None, None, ABSENT, in_a_word(error), self.best(why))

    def made(self, name: str, result: Any, error: BaseException | None) -> Film:
        """The film of what was recorded."""
        counts = Counts(
            dict(self.ran),
            dict(Counter(call.name for call in self.calls)),
            dict(Counter(entry.slot[1] for entry in self.entries if entry.slot[1])),
        )
        outer = [body for body in self.bodies.values() if not any(body.is_in(other) for other in self.bodies.values())]
        sources = [Source(body.code.co_name, body.text.file, body.first, body.lines) for body in outer]
        return Film(name, self.entries, self.calls, self.shadows.met, counts, sources, result, error, self.stopped)

    def begin(self, frame: FrameType, event: str, arg: Any) -> TraceFunction | None:
        """A function is called, or a generator goes on."""
        if self.done or frame not in self.traced:
            return None
        if self.stopped:
            return self.halt if self.is_ending else None
        tracer = Tracer(self.count)
        if not frame.f_code.co_name.startswith("<") or frame.f_code in self.traced.codes:
            try:
                tracer.trace = self.run(frame).trace
            except Exception as fault:  # of the recorder: the program must not notice
                self.lose(TOO_DEEP_CALLS if isinstance(fault, RecursionError) else in_a_word(fault))
                return None
        tracer.hold(frame)
        return tracer

    def run(self, frame: FrameType) -> TracedCall:
        """The call that begins, or the one of the generator that goes on."""
        run = getattr(getattr(frame.f_trace, "trace", None), "__self__", None)
        if not isinstance(run, TracedCall) or run.recorder is not self:
            run = self.enter(frame)
        elif self.stack:
            self.look(self.stack[-1], None)
        self.stack.append(run)
        return run

    def count(self, frame: FrameType, event: str, arg: Any) -> bool:
        """Count the rounds of an expression: what it does belongs to its statement, but it may be endless."""
        if event == "line" and not self.done:
            self.lines += 1
            if self.lines >= LINES * self.max_events and not self.stopped:
                self.enough()
            if self.is_ending:
                raise Stop(self.again)
        return not self.done

    def halt(self, frame: FrameType, event: str, arg: Any) -> TraceFunction | None:
        """Stop the program at its next line."""
        if event == "line" and not self.done:
            raise Stop(self.again)
        return None if self.done else self.halt

    def again(self) -> None:
        """The program has swallowed what was to stop it, and Python has switched the tracer off."""
        frame: FrameType | None = None if self.done else sys._getframe(2)
        if frame is not None:
            sys.settrace(self.begin)
        while frame is not None and frame.f_code is not Recorder.film.__code__:
            if frame in self.traced:
                frame.f_trace = self.halt
            frame = frame.f_back

    def lose(self, reason: str) -> None:
        """Go on without recording: the program is not to notice anything."""
        line = f"in line {self.stack[-1].statement.line} " if self.stack else ""
        self.stopped = f"recording stopped {line}after {counted(len(self.entries), 'change')}: {reason}"

    def enter(self, frame: FrameType) -> TracedCall:
        """A call begins: its parameters get their values."""
        parent = self.stack[-1] if self.stack else None
        body = self.body(frame.f_code)
        given_by: dict[str, Value] = {}
        if parent is not None:
            self.look(parent, None)
            if parent.evaluation is not None and parent.evaluation.bound is None:
                given_by = parent.evaluation.arguments(frame.f_code)
        names = self.names(frame)
        scope = Scope(len(self.calls))
        run = TracedCall(self, frame.f_code, body, scope)
        run.shared = frame.f_globals
        outer = self.outer(frame, names)
        for name in names:
            own = scope if name in body.variables and not body.is_cell else self.globals
            run.names[name] = outer.get(name, own) if name in frame.f_code.co_freevars else own
        if frame.f_code.co_cellvars:
            self.scopes[frame.f_code].append(scope)
        values = frame.f_locals
        given = {name: self.shadows.flat(values[name]) for name in parameters(frame.f_code) if name in values}
        for value in given.values():
            self.shadows.hold(value)
        number = parent.scope.number if parent else NOTHING
        line = body.statement.line
        call = CallEntry(scope.number, number, frame.f_code.co_name, line, given, len(self.entries), self.next_beat())
        self.calls.append(call)
        first = len(self.entries)
        run.entering = given_by
        if not body.is_cell:  # else what there is already comes from other cells
            self.look(run, frame)
        run.entering = {}
        self.settle(run, given_by, first)
        if parent is None:
            self.arguments = len(self.entries)
        for value in given.values():
            self.shadows.leave(value)
        return run

    def line(self, run: TracedCall, frame: FrameType) -> None:
        """The next statement of a call begins, or another line of the one that runs."""
        line = frame.f_lineno
        statement = run.body.text[line]
        self.ran[run.body.text.file, line] += 1
        self.lines += 1
        if bool(statement.parts) is not frame.f_trace_opcodes:
            frame.f_trace_opcodes = bool(statement.parts)
        if statement.parts:
            statement = run.body.part(statement, frame.f_lasti)
        if statement is run.statement and statement.goes_on:
            return
        self.turn(run, frame, statement)

    def step(self, run: TracedCall, frame: FrameType) -> None:
        """The next step of a line with several statements: perhaps of another one, or one that turns on the spot."""
        if frame.f_lineno is None:  # an instruction of no line
            return
        place, run.place = run.place, frame.f_lasti
        statement = run.body.part(run.body.text[frame.f_lineno], frame.f_lasti)
        if place == frame.f_lasti:
            self.lines += 1
        if statement is not run.statement or place == frame.f_lasti:
            self.turn(run, frame, statement)

    def turn(self, run: TracedCall, frame: FrameType, statement: Statement) -> None:
        """One statement is over, the next one begins."""
        if not self.stopped:
            values = frame.f_locals
            self.finish(run, frame, values)
            self.raised = None
            run.statement = statement
            run.spots = [] if statement.touches == () else None
            if statement.touches:
                run.spots = touched(statement, Values(values, frame.f_globals), self.shadows)
            run.evaluation = Evaluation(self, run, statement, values)
            run.is_idle = run.spots == [] and not self.leaving and run.names.keys().isdisjoint(statement.stores)
            if len(self.entries) >= self.max_events or self.lines >= LINES * self.max_events:
                self.enough()
        if self.is_ending and (not statement.is_caught or self.lines > self.last_line):
            raise Stop(self.again)

    def finish(self, run: TracedCall, frame: FrameType, values: Mapping[str, Any]) -> None:
        """A statement is over: notice what it has changed, and where that comes from."""
        evaluation = run.evaluation
        if evaluation is not None:
            evaluation.finish(values)
        if not run.is_idle:
            self.look(run, frame)
        if evaluation is not None and evaluation.bound is not None:
            self.settle(run, evaluation.bound, evaluation.first)
            for box, key, value in evaluation.cells:
                self.store(box.value, key if type(box.value) is not list else value.value, value)
            for box, value in evaluation.stored():
                self.store(box, value.value, value)

    def settle(self, run: TracedCall, bound: Mapping[str, Value], first: int) -> None:
        """Keep where the variables that a statement has bound come from, when its events are known."""
        for name, value in bound.items():
            slot = run.slot(name)
            if slot is None:
                continue
            new = [n for n in range(first, len(self.entries)) if self.entries[n].slot == slot]
            new = [n for n in new if self.entries[n].thing is None]
            self.brought[slot] = frozenset(new[-1:]) or value.origins

    def store(self, box: Any, mark: Any, value: Value) -> None:
        """Keep where what was put into a container comes from that is not watched, if only plain values are in it."""
        if not is_box(box) or id(box) in self.shadows.by_id or type(box) is tuple:
            return
        if id(box) not in self.boxes and not all(map(is_plain, box)):
            return
        if not is_plain(mark) or not is_plain(value.value):
            self.boxes.pop(id(box), None)
            self.inside.pop(id(box), None)
            return
        self.boxes[id(box)] = box
        self.inside.setdefault(id(box), {})[mark] = value.origins

    def best(self, origins: frozenset[int]) -> int:
        """Of several true causes the one that is told: no argument, the one with the longest history, the latest."""
        told = [event for event in origins if event < len(self.entries)]
        return max(told, key=lambda event: (event >= self.arguments, self.depths[event], event), default=NOTHING)

    def claim(self, thing: Thing, number: int) -> None:
        """What a container holds at first is brought by the event that binds it."""
        todo = [thing]
        while todo:
            thing = todo.pop()
            shadow = self.shadows.of.get(thing)
            if shadow is None or thing in self.claimed:
                continue
            self.claimed.add(thing)
            keys = range(len(shadow.last)) if type(shadow.last) is list else list(shadow.last)
            for key in keys:
                event = shadow.last[key]
                if event < number and (event >= len(self.entries) or self.entries[event].thing is not thing):
                    shadow.last[key] = number
            if thing.kind is not ThingKind.ARRAY:
                held = shadow.flat if type(shadow.flat) is list else shadow.flat.values()
                todo += [part for part in held if type(part) is Thing]

    def enough(self) -> None:
        """Stop where there is enough; where a handler would catch that, a few lines later."""
        if len(self.entries) >= self.max_events:
            self.stopped = f"recording stopped after {len(self.entries)} changes; {LESS}"
        else:
            self.stopped = f"recording stopped after {self.lines} lines; {LESS}"
        self.is_ending = True
        self.last_line = self.lines + PATIENT

    def exception(self, run: TracedCall) -> None:
        """An exception is raised, or goes through a call."""
        if self.raised is None and not self.stopped:
            self.raised = run, run.evaluation.failed if run.evaluation is not None else NONE

    def back(self, run: TracedCall, frame: FrameType, result: Any) -> None:
        """A call is over, or a generator pauses."""
        step = run.body.step(frame.f_lasti)
        if self.stack and self.stack[-1] is run:
            self.stack.pop()
        if self.stopped:
            return
        self.finish(run, frame, frame.f_locals)
        evaluation, run.evaluation = run.evaluation, None
        frame.f_trace_opcodes = False
        pauses, returns = step == "YIELD_VALUE" and run.error is None, step in RETURNS
        flat: Any = ABSENT
        if pauses or returns:
            flat = self.shadows.flat(result)
            self.shadows.hold(flat)
            self.leaving.append(flat)
        caller = self.stack[-1].evaluation if self.stack else None
        if caller is not None and (pauses or returns):
            told = evaluation.result if evaluation is not None and evaluation.result is not None else Value()
            value = result if is_plain(result) or is_box(result) else ABSENT
            caller.results.append((run.code, Value(value, told.origins, told.parts)))
        if not pauses:
            error = "" if returns or run.error is None else in_a_word(run.error)
            self.calls[run.scope.number].end(flat, error, len(self.entries), self.beat)
            self.leave(run)

    def leave(self, run: TracedCall) -> None:
        """The variables of a call are gone, but for those that a function inside it may still see."""
        scope = run.scope
        for name in [name for name in scope.raw if name not in run.code.co_cellvars]:
            self.leaving.append(scope.flat.pop(name, ABSENT))
            del scope.raw[name]

    def names(self, frame: FrameType) -> list[str]:
        """The watched names that a function sees, in their order."""
        body = self.body(frame.f_code)
        if self.watch is None:
            return body.variables + body.shared
        found = [name for name in body.variables if name in self.watch]
        named = self.watch & {*frame.f_code.co_names}  # a global that no function names is another one of that name
        return found + sorted(name for name in named if name in frame.f_globals and name not in body.variables)

    def outer(self, frame: FrameType, names: Sequence[str]) -> Names:
        """Whose the variables are that a function sees of those round it: of the last calls that agree."""
        code, values = frame.f_code, frame.f_locals
        free = [name for name in names if name in code.co_freevars]
        found: Names = {}
        for around, scopes in self.scopes.items():
            seen = [name for name in free if name in around.co_cellvars]
            if seen and code in self.body(around).inner:
                for scope in reversed(scopes):
                    if all(is_known(values.get(name, ABSENT), scope.raw.get(name, ABSENT)) for name in seen):
                        found.update(dict.fromkeys(seen, scope))
                        break
        return found

    def body(self, code: CodeType) -> Body:
        """What is known of a function without running it."""
        if code not in self.bodies:
            text = self.texts.get(code.co_filename)
            if text is None:
                text = self.texts[code.co_filename] = SourceText(code.co_filename)
            is_cell = code is self.traced.own.__code__ and not code.co_flags & inspect.CO_OPTIMIZED
            self.bodies[code] = Body(code, text, is_cell)
        return self.bodies[code]

    def look(self, run: TracedCall, frame: FrameType | None) -> None:
        """Notice what the running statement has changed; without its frame, only in what variables hold."""
        shadows = self.shadows
        spots = run.spots
        if spots is not None and run.statement.calls and frame is not None:  # what was called may have moved something
            again = touched(run.statement, Values(frame.f_locals, frame.f_globals), shadows)
            spots = None if again is None else spots + again
        if spots is None:
            stale = [(shadow, ABSENT) for shadow in shadows.of.values() if not shadow.is_still()]
        else:
            stale = [
                (shadow, key) for shadow, key in spots if shadow.what in shadows.of and not shadow.is_still_at(key)
            ]
        bound = self.bound(run, frame) if frame is not None else ()
        if not stale and not bound:
            return self.release()
        evaluation = run.evaluation
        self.looks += 1
        for shadow, place in stale:
            for difference in shadows.changes(shadow) if place is ABSENT else shadows.change_at(shadow, place):
                assert isinstance(shadow.what, Thing)
                origins = NONE
                if evaluation is not None and evaluation.bound is not None and difference.after is not ABSENT:
                    origins = evaluation.of_part(shadow.get(), difference.key, difference.after)
                known = difference.brought if difference.after is ABSENT else difference.origin
                cause = self.best(origins or frozenset({known} - {NOTHING}))
                shadow.latest = len(self.entries)
                self.tell(run, shadow.what, difference, cause)
        for name, scope, value in bound:
            entering = run.entering.get(name)
            origins = entering.origins if entering is not None else NONE
            if evaluation is not None and evaluation.bound is not None:
                origins = evaluation.of_variable(name)
            self.bind(run, name, scope, value, origins)
        self.turned = self.turned or self.every in self.changed
        self.changed.clear()
        self.release()

    def bound(self, run: TracedCall, frame: FrameType) -> list[tuple[str, Scope, Any]]:
        """The variables that hold another object than before."""
        found = []
        values, names = frame.f_locals, run.names
        is_entered, is_cell = run.statement is run.body.statement, run.body.is_cell
        for name in names if run.spots is None or is_entered else run.statement.stores:
            if name not in names or is_cell and name not in names[name].raw and name not in run.statement.stores:
                continue
            scope = names[name]
            value = (frame.f_globals if scope is self.globals else values).get(name, ABSENT)
            raw = scope.raw.get(name, ABSENT)
            if value is not raw and not is_known(value, raw):
                found.append((name, scope, value))
        return found

    def bind(self, run: TracedCall, name: str, scope: Scope, value: Any, origins: frozenset[int]) -> None:
        """A variable has come to hold something else."""
        before = scope.flat.get(name, ABSENT)
        if value is ABSENT or self.watch is None and issubclass(type(value), UNWATCHED):
            after: Any = ABSENT
            scope.raw[name] = value if value is ABSENT else Shadow(TOO_DEEP, ref(value), object)
        else:
            after = self.shadows.flat(value)
            self.shadows.hold(after)
            scope.raw[name] = self.shadows.kept(value, after)
        if not same(before, after):
            scope.flat[name] = after
            number = self.add(run, (scope.number, name), None, None, None, before, after, self.best(origins))
            scope.last[name] = number
        if after is ABSENT:
            scope.flat.pop(name, None)
        self.shadows.leave(before)

    def tell(self, run: TracedCall, thing: Thing, difference: KeyChange, cause: int) -> None:
        """A thing has changed."""
        named = [(name, run.names[name]) for name in run.statement.names if name in run.names]
        found = path_to(thing, named, self.shadows) or path_to(thing, list(self.in_sight(run)), self.shadows)
        if found is None:  # nothing leads to it any more
            self.shadows.forget(thing)
            return
        name, scope, keys = found
        own = difference.key
        key = Path((*keys, own)) if keys else own
        self.add(run, (scope.number, name), key, thing, own, difference.before, difference.after, cause)

    def in_sight(self, run: TracedCall) -> Iterator[tuple[str, Scope]]:
        """The variables that may have led a statement to what it changed, the likeliest first."""
        yield from run.names.items()
        for other in reversed(self.stack):
            yield from other.names.items()
        for scope in (*(scope for scopes in self.scopes.values() for scope in scopes), self.globals):
            yield from ((name, scope) for name in scope.flat)

    def add(
        self, run: TracedCall, slot: Slot, key: Any, thing: Thing | None, own: Any, before: Any, after: Any, cause: int
    ) -> int:
        """One more event; its number."""
        if self.looks > self.told if self.every is None else self.turned or not self.beat:
            self.beat, self.turned = self.beat + 1, False
        self.told = self.looks
        self.changed.add(slot[1])
        where = (run.body.text.file, run.statement.line, run.statement.source, run.scope.number)
        self.depths.append(self.depths[cause] + 1 if cause >= 0 else 0)
        self.entries.append(RecordedEntry(self.beat, *where, slot, key, thing, own, before, after, cause))
        number = len(self.entries) - 1
        for part in flat_parts(after):
            if type(part) is Thing:
                self.claim(part, number)
        return number

    def next_beat(self) -> int:
        """The beat in which the next event will be."""
        return self.beat + 1 if self.every is None or self.turned or not self.beat else self.beat

    def release(self) -> None:
        """Forget what only calls held that are over."""
        for value in self.leaving:
            self.shadows.leave(value)
        self.leaving = []
        self.shadows.tidy()


def in_a_word(error: BaseException) -> str:
    """An exception as the last line of a traceback has it, but for words that the program would have to find."""
    said = "" if asks(type(error), "__str__", "__repr__") or not all(map(is_kept, args_of(error))) else told(error)
    return type(error).__name__ + (f": {said}" if said else "")


def parameters(code: CodeType) -> tuple[str, ...]:
    """The names of the parameters of a function."""
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


class Body:
    """What is known of a function, or of a whole cell of a notebook, without running it."""

    def __init__(self, code: CodeType, text: SourceText, is_cell: bool = False) -> None:
        self.code, self.text = code, text
        self.first = code.co_firstlineno
        self.is_cell = is_cell
        self.lines = tuple(text.lines) if is_cell else text.block(self.first)
        self.statement = Statement(self.first, self.first) if is_cell else text[self.first]
        self.inner = frozenset(codes_in(code)[1:])
        names = dict.fromkeys((*code.co_varnames, *code.co_cellvars, *code.co_freevars))
        if is_cell:
            names = dict.fromkeys(step.argval for step in dis.get_instructions(code) if step.opname == "STORE_NAME")
        hidden = {"__class__", LAST, *text.passing(self.first)}
        self.variables = [name for name in names if name not in hidden]
        changing = text.changing(self.first) & {*code.co_names}
        self.shared = [] if is_cell else sorted(changing.difference(names))  # global variables that it changes
        self._steps = code.co_code
        self._parts: dict[int, Statement] = {}

    def step(self, place: int) -> str:
        """The name of the step of machine code at a place."""
        return dis.opname[self._steps[place]] if 0 <= place < len(self._steps) else ""

    def part(self, whole: Statement, place: int) -> Statement:
        """The one of several statements on a line that a step of machine code belongs to."""
        if place not in self._parts:
            line, _, column, _ = next(islice(self.code.co_positions(), place // 2, None), (None,) * 4)
            at = (line or 0, column or 0)
            inside = [part for first, last, part in whole.parts if first <= at < last]
            self._parts[place] = inside[-1] if inside else whole.parts[0][2] if whole.parts else whole
        return self._parts[place]

    def is_in(self, other: Body) -> bool:
        """Whether it is written inside another one."""
        return self.code in other.inner


class TracedCall:
    """A call that is traced, while it lasts."""

    def __init__(self, recorder: Recorder, code: CodeType, body: Body, scope: Scope) -> None:
        self.recorder, self.code, self.body, self.scope = recorder, code, body, scope
        self.names: Names = {}
        self.locals = frozenset((*code.co_varnames, *code.co_cellvars, *code.co_freevars))
        self.shared: Mapping[str, Any] = {}  # the global variables that it sees
        self.evaluation: Evaluation | None = None  # of its statement
        self.rounds: dict[ast.AST, int] = {}  # which element each loop has come to
        self.entering: dict[str, Value] = {}  # where its parameters come from, while it begins
        self.statement: Statement = body.statement
        self.spots: list[Writable] | None = []  # all that the statement may change in place, if that is known
        self.is_idle = False  # whether the statement changes nothing that is watched
        self.place = NOTHING  # of the step that runs, in a line with several statements
        self.error: BaseException | None = None  # that was raised in it last, until its next line

    def slot(self, name: str) -> Slot | None:
        """Whose variable a name is; None if that is not known."""
        if name in self.names:
            return self.names[name].number, name
        return (self.scope.number, name) if name in self.code.co_varnames else None

    def trace(self, frame: FrameType, event: str, arg: Any) -> bool:
        """What happens while the call runs; whether the next event is wanted, too."""
        recorder = self.recorder
        if recorder.done or recorder.stopped and not recorder.is_ending:
            return False  # it is a generator that has outlived the recording, or recording is over
        try:
            if event == "line":
                self.error = None
                recorder.line(self, frame)
            elif event == "opcode":
                recorder.step(self, frame)
            elif event == "exception":
                self.error = arg[1]
                recorder.exception(self)
            elif event == "return":
                recorder.back(self, frame, arg)
                self.error = None
        except Exception as fault:  # of the recorder: the program must not notice
            recorder.lose(TOO_DEEP_CALLS if isinstance(fault, RecursionError) else in_a_word(fault))
            return False
        return True


class Tracer:
    """What Python calls at the next event in a call.

    Up to Python 3.12 a tracer makes Python copy the variables of the call, and write them back when it is through. Each
    event has a tracer of its own, because the one before is let go after that: then the copy is emptied, so that it
    keeps nothing alive. One that the program has asked for, too, stays as it is.
    """

    __slots__ = ("copy", "trace")

    def __init__(self, trace: Callable[[FrameType, str, Any], bool]) -> None:
        self.trace = trace
        self.copy: Any = None

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Tracer | None:
        if not self.trace(frame, event, arg):
            self.copy = None  # it is not yet written back when this tracer goes
            frame.f_trace = None
            return None
        following = Tracer(self.trace)
        following.hold(frame)
        return following

    def hold(self, frame: FrameType) -> None:
        """Bring the copy up to date, because it is written back."""
        if KEEPS_COPY and frame.f_code.co_flags & inspect.CO_OPTIMIZED:
            self.copy = frame.f_locals

    def __del__(self) -> None:
        if self.copy is not None and sys.getrefcount(self.copy) <= HOLDERS:
            self.copy.clear()
