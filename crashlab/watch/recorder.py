"""The recorder, which runs a plain function under a tracer and records the changes of each statement.

The functions of the same file, cell or notebook are traced: those with the same global variables. Changes by other code
are recorded when the statement that called it is finished.
"""

from __future__ import annotations

import ast
import inspect
import sys
import threading
from collections import ChainMap, Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType, TracebackType
from typing import Any
from weakref import ref

from crashlab.base.errors import short_str, truth, whole
from crashlab.engine.notation import counted
from crashlab.watch.evaluation import Evaluation, RunningCall
from crashlab.watch.events_so_far import EventsSoFar
from crashlab.watch.film import Film
from crashlab.watch.film_data import GLOBAL, CallEntry, Counts, RecordedEntry, Slot, Source, since_of
from crashlab.watch.origins import Value, made_of, matches, read_of
from crashlab.watch.snapshots import KINDS, KeyChange, Shadow, Shadows, attributes, has_plain_message, is_known, same
from crashlab.watch.statements import Extent, SourceText, Statement, parameters
from crashlab.watch.things import ABSENT, NOTHING, TOO_DEEP, Path, Thing
from crashlab.watch.touched import Writable, touched
from crashlab.watch.traced_code import Body, Traced, listed_kwargs, traceable, watched
from crashlab.watch.tracer import Echo, Stop, Tracer, trace_steps
from crashlab.watch.variables import Names, Scope, path_to

PATIENT = 1000  # maximum number of lines to wait for a line at which the program can be stopped
LESS = "take a smaller example, watch fewer names, or give every= or a larger max_events="
LINES = 10  # lines allowed for each allowed event
ROOM = 100  # calls that the recorder needs, in addition to those of the program
DEEPEST = 200  # depth of calls above which a lost tracer means a full stack
TOO_DEEP_CALLS = "its calls are too deep"
UNWATCHED = (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type)  # watched only if `watch` names them
RETURNS = ("RETURN_VALUE", "RETURN_CONST")
PAUSES = ("YIELD_VALUE", "RESUME")  # since Python 3.13, the latter resumes the generator
INLINED = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")  # code that is recorded as part of its statement
ENDS = ("FOR_ITER", "SEND", "END_SEND")  # instructions at which a finished iterator raises
THREADS = "other threads ran and were not followed: their changes are reported when they are noticed"

TraceFunction = Callable[[FrameType, str, Any], Any]


def record(
    function: Callable[..., Any],
    *args: Any,
    watch: str | Iterable[str] | None = None,
    also: object = (),
    every: str | None = None,
    returns: bool | None = None,
    tests: bool = False,
    max_events: int = 20_000,
    kwargs: Mapping[str, Any] | None = None,
    **named: Any,
) -> Film:
    """Call a function and record how its variables change.

    Parameters
    ----------
    function : Callable[..., Any]
        The function to call.
    *args : Any
        Its positional arguments.
    watch : str | Iterable[str] | None
        The names of the variables to watch; None for all variables of the traced functions, and the global variables
        that these functions change.
    also : object
        Further code to trace: functions, classes, modules, or the names of files.
    every : str | None
        The name of a variable: each of its changes is one beat, with all changes since the last beat.
    returns : bool | None
        Whether the return of a call is a beat; None for recursive functions only, and only without `every`.
    tests : bool
        Whether the result of an `if`, an `elif` or a `while` is a beat, such as "4 < 7: yes".
    max_events : int
        The maximum number of events: then recording and the function stop. Both also stop after 10 lines for each
        allowed event.
    kwargs : Mapping[str, Any] | None
        Arguments of the function whose names are also parameters of `record`.
    **named : Any
        Its keyword arguments.

    Returns
    -------
    Film
        The recording.

    Examples
    --------
    >>> def total(numbers):
    ...     amount = 0
    ...     for number in numbers:
    ...         amount += number
    ...     return amount
    >>> film = crashlab.record(total, [2, 3], watch="amount")
    >>> print(film.why(film.events[-1]))
    amount = 5 (was 2), because amount is 2 and number is 3   [line 4: amount += number]
      amount = 2 (was 0), because amount is 0 and number is 2   [line 4: amount += number]
        amount = 0   [line 2: amount = 0]
    """
    target = traceable(function)
    scope = Traced.of(target, also)
    names = watched(watch, every, target, scope)
    keywords = {**listed_kwargs(kwargs), **named}
    options = returns if returns is None else truth("returns", returns), truth("tests", tests)
    recorder = Recorder(scope, names, whole("max_events", max_events), every, *options)
    return recorder.film(function, args, keywords, target.__code__)


class Recorder:
    """One recording: the state of the running program, and the events so far."""

    def __init__(
        self,
        traced: Traced,
        watch: frozenset[str] | None,
        max_events: int,
        every: str | None = None,
        returns: bool | None = None,
        tests: bool = False,
    ) -> None:
        self.traced, self.watch, self.max_events = traced, watch, max_events
        self.every, self.returns, self.tests = every, returns, tests
        self.recursive: set[CodeType] = set()  # functions that were called again while they ran
        self.printed: list[tuple[int, str]] = []  # printed texts, each with the number of events before
        self.has_threads = False
        self.entries: list[RecordedEntry] = []
        self.calls: list[CallEntry] = []
        self.shadows = Shadows(traced.opens, self.entries.__len__, traced.runs)
        self.so_far = EventsSoFar(self.entries, self.shadows)
        self.texts: dict[str, SourceText] = {}
        self.bodies: dict[CodeType, Body] = {}
        self.ran: Counter[tuple[str, int]] = Counter()
        self.stack: list[TracedCall] = []
        self.globals = Scope(GLOBAL)
        self.classes: dict[type, list[str]] = {}  # results of classes_of by class
        self.leaving: list[Any] = []  # flat values of finished calls and statements
        self.beat = 0
        self.looks = self.last_look = 0  # number of looks that found a change; its value at the last event
        self.changed: set[str] = set()  # names that changed in this call of `look`
        self.turned = False  # whether `every` has changed, so that the next event begins a beat
        self.lines = self.last_line = 0
        self.spots: dict[tuple[CodeType, int], tuple[int, int] | None] = {}  # the ends of calls in the source
        self.raised: tuple[TracedCall, tuple[Value, ...]] | None = None  # the call that raised, and the values it read
        self.stopped = ""
        self.is_ending = False  # whether the program is being stopped, not only the recording
        self.done = False

    def film(self, function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any], code: CodeType) -> Film:
        """Call the function and return its film."""
        result, error = None, None
        before, limit = sys.gettrace(), sys.getrecursionlimit()
        threads, out = threading.gettrace(), sys.stdout
        sys.setrecursionlimit(limit + ROOM)
        threading.settrace(self.notice_thread)
        sys.stdout = echo = Echo(out, lambda text: self.printed.append((len(self.entries), text)))
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
                self.stopped = ""  # the recording ends with the program
            elif sys.gettrace() != self.begin and not self.stopped:
                self.lose(TOO_DEEP_CALLS if len(self.stack) > DEEPEST else "the function has switched recording off")
            sys.settrace(before)
            if threading.gettrace() == self.notice_thread:
                threading.settrace(threads)
            if sys.stdout is echo:
                sys.stdout = out
            if sys.getrecursionlimit() == limit + ROOM:
                sys.setrecursionlimit(limit)
        if error is not None:
            self.fail(error, code)
            error = error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)
        return self.film_of(code, result, error)

    def fail(self, error: BaseException, code: CodeType) -> None:
        """Record the exception that ended the function, or even prevented its call, as the last event."""
        run, why = self.raised or ([TracedCall(self, code, self.body(code), Scope(NOTHING)), *self.stack][-1], ())
        self.turned = True
        self.say(run, "error", in_a_word(error), Value(ABSENT, why))

    def film_of(self, code: CodeType, result: Any, error: BaseException | None) -> Film:
        """Build the film of the recording."""
        counts = Counts(
            dict(self.ran),
            dict(Counter(call.name for call in self.calls)),
            dict(Counter(entry.slot[1] for entry in self.entries if entry.slot[1])),
        )
        bodies = self.bodies.values()
        outer = [body for body in bodies if not any(body.code in other.inner for other in bodies)]
        sources = [Source(body.code.co_name, body.text.file, body.first, body.lines) for body in outer]
        was_run = code in self.bodies or self.stopped
        remark = "" if was_run else f"{code.co_name} was not run: a wrapper, such as a cache, already had the result"
        ends = result, error, self.stopped, THREADS if self.has_threads else remark, self.printed
        return Film(code.co_name, self.entries, self.calls, self.shadows.first_contents, counts, sources, *ends)

    def notice_thread(self, frame: FrameType, event: str, arg: Any) -> None:
        """Note that another thread has started; it is not traced."""
        self.has_threads = True
        sys.settrace(None)

    def begin(self, frame: FrameType, event: str, arg: Any) -> TraceFunction | None:
        """Start tracing a function that is called or a generator that is resumed."""
        if self.done or frame not in self.traced:
            return None
        if self.stopped:
            return self.halt if self.is_ending else None
        tracer = Tracer(self.count)
        name = frame.f_code.co_name
        if not name.startswith("<") or frame.f_code in self.traced.codes and name not in INLINED:
            try:
                tracer.trace = self.run(frame).trace
            except Exception as fault:  # a fault of the recorder, hidden from the program
                self.lose(fault)
                return None
        tracer.hold(frame)
        return tracer

    def run(self, frame: FrameType) -> TracedCall:
        """Return the TracedCall of a new call or of a resumed generator."""
        run = getattr(getattr(frame.f_trace, "trace", None), "__self__", None)
        if not isinstance(run, TracedCall) or run.recorder is not self:
            run = self.enter(frame)
        elif self.stack:
            self.look(self.stack[-1], None)
            caller = self.stack[-1].evaluation
            if caller is not None and any(map(receives, run.statement.nodes)):
                sent = caller.enter(frame.f_code, self.spot(frame.f_back)).get("") or Value()
                run.evaluation = Evaluation(self.so_far, run, run.statement, run.variables(frame), sent=sent)
        if self.stack:
            run.is_in_sort = self.stack[-1].is_in_sort or self.stack[-1].statement.sorts
        self.stack.append(run)
        return run

    def count(self, frame: FrameType, event: str, arg: Any) -> bool:
        """Count the lines of an expression (a comprehension may be endless); return whether to continue tracing."""
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
        """Stop the program again after it swallowed the exception and Python removed the tracer."""
        frame: FrameType | None = None if self.done else sys._getframe(2)
        if frame is not None:
            sys.settrace(self.begin)
        while frame is not None and frame.f_code is not Recorder.film.__code__:
            if frame in self.traced:
                frame.f_trace = self.halt
            frame = frame.f_back

    def lose(self, fault: str | Exception) -> None:
        """Stop recording because of a fault, unnoticed by the program."""
        reason = (
            TOO_DEEP_CALLS
            if isinstance(fault, RecursionError)
            else fault
            if isinstance(fault, str)
            else in_a_word(fault)
        )
        line = f"in line {self.stack[-1].statement.line} " if self.stack else ""
        self.stopped = f"recording stopped {line}after {counted(len(self.entries), 'change')}: {reason}"

    def enter(self, frame: FrameType) -> TracedCall:
        """Begin a call and record the values of its parameters."""
        parent = self.stack[-1] if self.stack else None
        body = self.body(frame.f_code)
        origins: dict[str, Value] = {}
        if parent is not None:
            self.look(parent, None)
            if parent.evaluation is not None:
                origins = parent.evaluation.enter(frame.f_code, self.spot(frame.f_back))
        if frame.f_code.co_flags & inspect.CO_GENERATOR:
            waiting = self.so_far.unbegun.pop(frame.f_code, [])
            origins = waiting[0] if len(waiting) == 1 else {}
        values = frame.f_locals
        names = self.names(frame, values)
        scope = Scope(len(self.calls))
        run = TracedCall(self, frame.f_code, body, scope)
        run.shared = frame.f_globals
        outer = self.outer(frame, names) if frame.f_code.co_freevars else {}
        for name in names:
            default = scope if name in body.variables and not body.is_cell else self.globals
            run.names[name] = outer.get(name, default) if name in frame.f_code.co_freevars else default
        if body.apart.co_cellvars:
            self.so_far.scopes[frame.f_code].append(scope)
        arguments = {name: self.shadows.flat(values[name]) for name in parameters(frame.f_code) if name in values}
        for value in arguments.values():
            self.shadows.hold(value)
        by, source_line = (parent.scope.number, parent.statement.line) if parent else (NOTHING, 0)
        first, beat = len(self.entries), self.beat + (self.every is None or self.turned or not self.beat)
        self.calls.append(
            CallEntry(scope.number, by, frame.f_code.co_name, body.statement.line, arguments, first, beat, source_line)
        )
        if any(other.code is frame.f_code for other in self.stack):
            self.recursive.add(frame.f_code)
        if not body.is_cell:  # the variables of a cell may come from earlier cells
            self.look(run, frame, origins)
        for value in arguments.values():
            self.shadows.leave(value)
        return run

    def spot(self, caller: FrameType | None) -> tuple[int, int] | None:
        """Return the end of the caller's current call in the source as line and column, or None."""
        if caller is None:
            return None
        mark = caller.f_code, caller.f_lasti
        if mark not in self.spots:
            _, line, _, column = next(islice(caller.f_code.co_positions(), caller.f_lasti // 2, None), (None,) * 4)
            self.spots[mark] = None if line is None or column is None else (line, column)
        return self.spots[mark]

    def line(self, run: TracedCall, frame: FrameType) -> None:
        """Begin the next statement of a call, unless the line belongs to the running statement."""
        statement = run.body.text[frame.f_lineno]
        self.lines += 1
        if bool(statement.parts) is not frame.f_trace_opcodes:
            trace_steps(frame, bool(statement.parts))
        place, following = run.body.landing(frame.f_lasti), run.began + 1
        if statement.parts:
            statement, following = run.body.part(statement, place), run.place
        if statement is run.statement and place >= following:  # else a loop begins its next round
            return
        for number in range(statement.line, statement.last + 1):
            self.ran[run.body.text.file, number] += 1
        self.turn(run, frame, statement, place)

    def step(self, run: TracedCall, frame: FrameType) -> None:
        """Handle the next instruction of a line with several statements, which may begin or repeat a statement."""
        if frame.f_lineno is None:  # an instruction without a line
            return
        place, run.place = run.place, frame.f_lasti
        statement = run.body.part(run.body.text[frame.f_lineno], frame.f_lasti)
        if place == frame.f_lasti:
            self.lines += 1
        if statement is not run.statement or place == frame.f_lasti:
            self.turn(run, frame, statement, frame.f_lasti)

    def turn(self, run: TracedCall, frame: FrameType, statement: Statement, place: int) -> None:
        """End a statement and begin the next one at an instruction."""
        if not self.stopped:
            values = run.variables(frame)
            self.finish(run, frame, values)
            self.decide(run, frame.f_lineno)
            run.caught = self.raised[1] if self.raised is not None and self.raised[0] is run else ()
            self.raised = None
            run.statement, run.began = statement, place
            again = run.body.step(place) == "FOR_ITER"
            while run.loops and not run.goes_on(statement, again):
                self.leaving += run.loops.pop().results
            run.spots = [] if statement.touches == () else None
            if statement.touches:
                run.spots = touched(statement, ChainMap(values, frame.f_globals), self.shadows)
            run.evaluation = Evaluation(self.so_far, run, statement, values, again)
            run.is_idle = run.spots == [] and not self.leaving and run.names.keys().isdisjoint(statement.stores)
            if len(self.entries) >= self.max_events or self.lines >= LINES * self.max_events:
                self.enough()
        if self.is_ending and (not statement.is_caught or self.lines > self.last_line):
            raise Stop(self.again)

    def finish(self, run: TracedCall, frame: FrameType, values: Mapping[str, Any]) -> None:
        """Finish a statement: record its changes and their origins."""
        evaluation = run.evaluation
        if evaluation is not None:
            evaluation.finish(values)
        results, run.results = run.results, []
        if results and run.loops and run.loops[-1].node in run.statement.nodes:
            run.loops[-1].results += results
        else:
            self.leaving += results
        if not run.is_idle:
            self.look(run, frame)

    def enough(self) -> None:
        """Stop at the limit of events or lines; if a handler would catch Stop, wait up to PATIENT lines."""
        if len(self.entries) >= self.max_events:
            self.stopped = f"recording stopped after {len(self.entries)} changes; {LESS}"
        else:
            self.stopped = f"recording stopped after {LINES * self.max_events} lines; {LESS}"
        self.is_ending = True
        self.last_line = self.lines + PATIENT

    def exception(self, run: TracedCall, error: BaseException, trace: TracebackType | None) -> None:
        """Note an exception that is raised in a call or passes through it."""
        if run.evaluation is not None and not isinstance(error, StopIteration):
            run.evaluation.is_lost = True
        if self.raised is None and not self.stopped:
            blamed = (
                run.evaluation.to_blame(raised_at(trace)) if run.evaluation is not None and trace is not None else ()
            )
            self.raised = run, blamed

    def back(self, run: TracedCall, frame: FrameType, result: Any) -> None:
        """End a call, or pause a generator."""
        step = run.body.step(frame.f_lasti)
        if self.stack and self.stack[-1] is run:
            self.stack.pop()
        is_closed = step in PAUSES and isinstance(run.error, GeneratorExit)  # Python 3.13 does not report the closing
        if self.stopped or is_closed:
            return
        self.finish(run, frame, run.variables(frame))
        evaluation, run.evaluation = run.evaluation, None
        frame.f_trace_opcodes = False
        pauses, returns = step in PAUSES and run.error is None, step in RETURNS
        if returns:
            self.decide(run, NOTHING)
        flat: Any = ABSENT
        if pauses or returns:
            flat = self.shadows.flat(result)
            results = [flat, run.scope.flat.get("self") if run.code.co_name == "__init__" else None]  # the new object
            for value in results:
                self.shadows.hold(value)
            (self.stack[-1].results if self.stack else self.leaving).extend(results)
        caller = self.stack[-1].evaluation if self.stack else None
        origin = evaluation.result if evaluation is not None and evaluation.result is not None else Value()
        origin = origin if matches(origin, result) else Value()
        leaves = origin.reads
        if returns and self.is_written(run):
            leaves = (Value().at("", self.say(run, "return", flat, origin)),)
        if caller is not None:
            value = Value(result, leaves, origin.parts, origin.by_key) if pauses or returns else None
            caller.leave(run.code, self.spot(frame.f_back), value, pauses)
        if not pauses:
            call = self.calls[run.scope.number]
            call.result, call.error = flat, "" if returns or run.error is None else in_a_word(run.error)
            call.ended, call.last = len(self.entries), max(call.first, self.beat)
            self.leave(run)

    def leave(self, run: TracedCall) -> None:
        """Release the variables of a call, except those that inner functions may still use."""
        scope = run.scope
        self.leaving += [flat for loop in run.loops for flat in loop.results]
        for name in [name for name in scope.raw if name not in run.body.apart.co_cellvars]:
            self.leaving.append(scope.flat.pop(name, ABSENT))
            del scope.raw[name]

    def names(self, frame: FrameType, values: Mapping[str, Any]) -> list[str]:
        """Return the watched names that are visible to a function, in order."""
        body = self.body(frame.f_code)
        if self.watch is None:
            first = values.get(frame.f_code.co_varnames[0]) if frame.f_code.co_argcount else None
            classes = self.classes_of(type(first), frame.f_globals)
            return body.variables + body.shared + [name for name in classes if name not in body.shared]
        # a global that the function does not name is another variable
        free = (self.watch & {*frame.f_code.co_names}).intersection(frame.f_globals).difference(body.variables)
        return [name for name in body.variables if name in self.watch] + sorted(free)

    def classes_of(self, cls: type, space: Mapping[str, Any]) -> list[str]:
        """Return the names of a class and its bases that are global variables and have containers as attributes."""
        if cls not in self.classes:
            opened = (base for base in cls.__mro__ if self.shadows.opens_class(base))
            shared = (base for base in opened if any(type(value) in KINDS for value in attributes(base).values()))
            self.classes[cls] = [base.__name__ for base in shared if space.get(base.__name__) is base]
        return self.classes[cls]

    def outer(self, frame: FrameType, names: Sequence[str]) -> Names:
        """Return the scope of each free variable of a function: the last call around it that holds the same objects."""
        code, values = frame.f_code, frame.f_locals
        free = [name for name in names if name in code.co_freevars]
        outer_scopes: Names = {}
        for around, scopes in self.so_far.scopes.items():
            cells = [name for name in free if name in self.body(around).apart.co_cellvars]
            if cells and code in self.body(around).inner:
                for scope in reversed(scopes):
                    if all(is_known(values.get(name, ABSENT), scope.raw.get(name, ABSENT)) for name in cells):
                        outer_scopes.update(dict.fromkeys(cells, scope))
                        break
        return outer_scopes

    def body(self, code: CodeType) -> Body:
        """Return the cached Body of a code."""
        if code not in self.bodies:
            text = self.texts.get(code.co_filename)
            if text is None:
                text = self.texts[code.co_filename] = SourceText(code.co_filename)
            is_cell = code is self.traced.function.__code__ and not code.co_flags & inspect.CO_OPTIMIZED
            self.bodies[code] = Body(code, text, is_cell)
        return self.bodies[code]

    def look(self, run: TracedCall, frame: FrameType | None, arguments: Mapping[str, Value] | None = None) -> None:
        """Record the changes of the running statement; without its frame, only the changes in place."""
        shadows = self.shadows
        spots = run.spots
        if spots is not None and run.statement.shifts and frame is not None:  # its places may be others now
            again = touched(run.statement, ChainMap(run.variables(frame), frame.f_globals), shadows)
            spots = None if again is None else spots + again
        if spots is None:
            spots = [(shadow, ABSENT) for shadow in shadows.of.values()]
        stale = [(shadow, key) for shadow, key in spots if shadow.what in shadows.of and not shadow.is_still_at(key)]
        if run.is_in_sort or frame is None and run.statement.sorts:  # a list is empty while it is sorted
            stale = [(shadow, key) for shadow, key in stale if shadow.base is not list or shadow.get()]
        bound = self.bound(run, frame) if frame is not None else ()
        if not stale and not bound:
            return self.release()
        evaluation = run.evaluation
        self.looks += 1
        for shadow, place in stale:
            obj = shadow.get()
            arranged = evaluation.arranged.get(id(obj)) if evaluation is not None else None
            at = arranged.at if arranged is not None else None
            thing, is_seen = shadow.what, True
            assert isinstance(thing, Thing)
            for difference in shadows.changes(shadow, at) if place is ABSENT else shadows.change_at(shadow, place):
                value = Value()
                if evaluation is not None and not evaluation.is_lost and difference.after is not ABSENT:
                    value = evaluation.of_part(obj, difference.key)
                self.so_far.moves += 1
                is_seen = self.tell(run, thing, difference, value)
            if not is_seen:
                shadows.forget(thing)
        for name, scope, value in bound:
            puts = evaluation.puts if evaluation is not None and evaluation.is_finished else arguments or {}
            self.bind(run, name, scope, value, puts.get(name) or Value())
        self.turned = self.turned or self.every in self.changed
        self.changed.clear()
        self.release()

    def bound(self, run: TracedCall, frame: FrameType) -> list[tuple[str, Scope, Any]]:
        """Return (name, scope, value) for each variable that holds another object than before."""
        changes = []
        values, names = run.variables(frame), run.names
        is_entered, is_cell = run.statement is run.body.statement, run.body.is_cell
        hidden = run.body.inlined.get(frame.f_lasti, ())
        for name in names if run.spots is None or is_entered else run.statement.stores:
            if name not in names or name in hidden:
                continue
            scope = names[name]
            if is_cell and name not in scope.raw and name not in run.statement.stores:
                continue
            value = (frame.f_globals if scope is self.globals else values).get(name, ABSENT)
            raw = scope.raw.get(name, ABSENT)
            if value is not raw and not is_known(value, raw):
                changes.append((name, scope, value))
        return changes

    def bind(self, run: TracedCall, name: str, scope: Scope, value: Any, origin: Value) -> None:
        """Record the new value of a variable."""
        before = scope.flat.get(name, ABSENT)
        is_code = issubclass(type(value), UNWATCHED) and not self.shadows.opens_class(value)
        if value is ABSENT or self.watch is None and is_code:
            after: Any = ABSENT
            scope.raw[name] = value if value is ABSENT else Shadow(TOO_DEEP, ref(value), object)
        else:
            after = self.shadows.flat(value)
            self.shadows.hold(after)
            scope.raw[name] = self.shadows.kept(value, after)
        if not same(before, after):
            scope.flat[name] = after
            slot = scope.number, name
            self.so_far.brought[slot] = self.add(
                run, slot, None, None, None, before, after, origin, "change", origin.text
            )
        if after is ABSENT:
            scope.flat.pop(name, None)
        self.shadows.leave(before)

    def tell(self, run: TracedCall, thing: Thing, difference: KeyChange, value: Value) -> bool:
        """Record a change of a thing and return True; return False if no variable leads to it."""
        named = [(name, run.names[name]) for name in run.statement.names if name in run.names]
        path = path_to(thing, named, self.shadows) or path_to(thing, list(self.in_sight(run)), self.shadows)
        if path is None:
            return False
        name, scope, keys = path
        key = Path((*keys, difference.key)) if keys else difference.key
        self.add(run, (scope.number, name), key, thing, difference.key, difference.before, difference.after, value)
        return True

    def in_sight(self, run: TracedCall) -> Iterator[tuple[str, Scope]]:
        """Yield the variables that may have led a statement to its change, the likeliest first."""
        yield from run.names.items()
        for other in reversed(self.stack):
            yield from other.names.items()
        for scope in (*(scope for scopes in self.so_far.scopes.values() for scope in scopes), self.globals):
            yield from ((name, scope) for name in scope.flat)

    def is_written(self, run: TracedCall) -> bool:
        """Return whether the return of a call is an event."""
        if run.body.is_cell or run.code.co_flags & inspect.CO_GENERATOR:
            return False
        if self.returns is None:
            return self.every is None and (run.body.calls_itself or run.code in self.recursive)
        return self.returns

    def decide(self, run: TracedCall, line: int) -> None:
        """Record the result of a test: it holds if the next line is in its body."""
        if self.tests and run.statement.test is not None and self.raised is None:
            holds = run.statement.body[0] <= line <= run.statement.body[1]
            node = run.statement.nodes[0]
            assert isinstance(node, ast.If | ast.While)
            text = f"{since_of(run.tested(node, True)).compared}: {'yes' if holds else 'no'}"
            self.say(run, "test", holds, made_of(filter(None, run.parts_of(node))), text)

    def say(self, run: TracedCall, kind: str, value: Any, origin: Value, words: str = "") -> int:
        """Record an event that is not a change, as a beat of its own, and return its number."""
        self.looks += 1
        number = self.add(run, (run.scope.number, ""), None, None, None, ABSENT, value, origin, kind, words)
        self.turned = True
        return number

    def add(
        self,
        run: TracedCall,
        slot: Slot,
        key: Any,
        thing: Thing | None,
        thing_key: Any,
        before: Any,
        after: Any,
        value: Value,
        *kind: str,
    ) -> int:
        """Record an event and return its number."""
        if self.looks > self.last_look if self.every is None else self.turned or not self.beat:
            self.beat, self.turned = self.beat + 1, False
        self.last_look = self.looks
        self.changed.add(slot[1])
        where = (run.body.text.file, run.statement.line, run.statement.source, run.scope.number)
        is_entered = run.statement is run.body.statement and not run.body.is_cell
        since = value.since or (run.since(run.statement) if not is_entered else None)
        return self.so_far.append(
            RecordedEntry(
                self.beat, *where, slot, key, thing, thing_key, before, after, read_of(value.reads), since, *kind
            )
        )

    def release(self) -> None:
        """Forget the things that only finished calls and statements held."""
        for value in self.leaving:
            self.shadows.leave(value)
        self.leaving = []
        self.shadows.tidy()


def raised_at(trace: TracebackType) -> Extent:
    """Return the place of the operation that raised an exception in a call, its comprehensions or its lambdas."""
    while trace.tb_next is not None and trace.tb_next.tb_frame.f_code.co_name.startswith("<"):
        trace = trace.tb_next
    positions = trace.tb_frame.f_code.co_positions()
    line, last, column, end = next(islice(positions, trace.tb_lasti // 2, None), (None,) * 4)
    return (line or 0, column or 0), (last or 0, end or 0)


def receives(node: Any) -> bool:
    """Return whether a statement is a `yield from`, or uses the value of a `yield` and reads nothing before it."""
    kinds = ast.YieldFrom if type(node) is ast.Expr else ast.Yield | ast.YieldFrom
    return isinstance(node, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr) and isinstance(node.value, kinds)


def in_a_word(error: BaseException) -> str:
    """Write an exception as a traceback does, but omit its text if that would call the program's code."""
    text = short_str(error) if has_plain_message(error) else ""
    return type(error).__name__ + (f": {text}" if text else "")


class TracedCall(RunningCall):
    """A running call that is traced."""

    def __init__(self, recorder: Recorder, code: CodeType, body: Body, scope: Scope) -> None:
        super().__init__(code, body.apart, body.text, scope)
        self.recorder, self.body = recorder, body
        self.evaluation: Evaluation | None = None  # the evaluation of its statement
        self.results: list[Any] = []  # flat values returned to its statement
        self.statement: Statement = body.statement
        self.spots: list[Writable] | None = []  # things the statement may change in place; None if unknown
        self.is_in_sort = False  # whether it is called while a list is sorted
        self.is_idle = False  # whether the statement changes no watched variable
        self.began = len(code.co_code)  # the offset at which the statement began; before that, the end of the code
        self.place = NOTHING  # the offset of the running instruction, on a line with several statements
        self.error: BaseException | None = None  # the last exception in the call, until its next line

    def variables(self, frame: FrameType) -> dict[str, Any]:
        """Return the variables of a call; for a cell its globals, because Python 3.12 mixes others into f_locals.

        While a comprehension awaits, its variables are omitted: reading them can crash Python 3.13.0 to 3.13.2.
        """
        hidden = self.body.inlined.get(frame.f_lasti)
        if self.body.is_cell or hidden is None:
            return frame.f_globals if self.body.is_cell else frame.f_locals
        names = [name for name in self.body.variables if name not in hidden]
        return {name: frame.f_locals[name] for name in names if name in frame.f_locals}

    def goes_on(self, statement: Statement, again: bool) -> bool:
        """Return whether the innermost loop continues with a statement."""
        node = self.loops[-1].node
        return again if node in statement.nodes else node.lineno <= statement.line <= (node.end_lineno or 0)

    def belongs(self, frame: FrameType, event: str, arg: Any) -> bool:
        """Return whether an event belongs only to a comprehension, which until Python 3.11 had a call of its own."""
        if event == "exception":
            ends = self.body.step(frame.f_lasti) in ENDS or isinstance(arg[1], StopAsyncIteration)
            return ends and isinstance(arg[1], StopIteration | StopAsyncIteration)
        return event in ("line", "opcode")

    def trace(self, frame: FrameType, event: str, arg: Any) -> bool:
        """Handle an event of the running call; return whether to continue tracing."""
        recorder = self.recorder
        if recorder.done or recorder.stopped and not recorder.is_ending:
            return False  # recording is over; perhaps a generator outlives it
        if frame.f_lasti in self.body.inlined and self.belongs(frame, event, arg):
            return recorder.count(frame, event, arg)
        try:
            if event == "line":
                self.error = None
                recorder.line(self, frame)
            elif event == "opcode":
                recorder.step(self, frame)
            elif event == "exception":
                self.error = arg[1]
                recorder.exception(self, *arg[1:])
            elif event == "return":
                recorder.back(self, frame, arg)
                self.error = None
        except Exception as fault:  # a fault of the recorder, hidden from the program
            recorder.lose(fault)
            return False
        return True
