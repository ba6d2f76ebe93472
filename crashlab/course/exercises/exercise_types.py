"""The types of exercises: the answer is a function, a value or an agent. Lessons declare their exercises with them.

The hints for mistakes that are possible in every exercise are here as well.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, is_dataclass, replace
from functools import cached_property, partial
from inspect import getsource, isgenerator
from numbers import Number
from sys import modules
from typing import Any
from zlib import crc32

from crashlab.base.clock import Time
from crashlab.base.errors import CrashlabError, short_repr, short_str
from crashlab.course.exercises.answer_call import TimedFunction, Unwritten, is_empty, is_unwritten, misfit
from crashlab.course.exercises.verdict import Verdict
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.engine.notation import counted
from crashlab.watch import Difference, first_difference, record

STEPS = 2_000  # most events of an answer that are compared with those of the right function
DRAWN = 12  # number of random cases for each answer
MOVES = 30.0  # time limit of a decision of an agent, in seconds
KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "True or False"),
    (Number, "a number"),
    (Mapping, "a dict"),
    (set, "a set"),
    (tuple, "a tuple"),
)
PLACEHOLDER = "Replace the ... with your answer."
NOT_WRITTEN = "Replace the line that raises NotImplementedError with your answer."


@dataclass(frozen=True)
class Exercise:
    """An exercise: its name, its title (a short form of the task), and an idea to try next."""

    name: str
    title: str
    then: str

    def check(self, answer: object) -> Verdict:
        """Return the verdict on any answer, even if it is `...` or empty."""
        try:
            if answer is ... or is_empty(answer):
                raise Unwritten(PLACEHOLDER if answer is ... else "It contains no line that does anything.")
            return self.judge(answer)
        except Unwritten as error:
            return Verdict(self.name, self.title, 0, self.total, str(error), written=False)

    def judge(self, answer: Any) -> Verdict:
        """Return the verdict on an answer that is not empty."""
        raise NotImplementedError

    @property
    def total(self) -> int:
        """The number of cases, games or points for a right answer."""
        raise NotImplementedError

    def verdict(self, passed: int, hint: str = "", case: object = None) -> Verdict:
        """Return a verdict, which is right if there is no hint."""
        return Verdict(self.name, self.title, passed, self.total, hint, "" if hint else self.then, case)

    def stopped(self, function: TimedFunction, error: BaseException) -> str:
        """Describe the error that stopped an answer; raise Unwritten if it is a NotImplementedError."""
        if is_unwritten(error):
            raise Unwritten(NOT_WRITTEN)
        words = function.stopped(error)
        return words if words[-1] in ".?!" else f"{words}."


def no_function(answer: object) -> str:
    """Return the hint for an answer that cannot be called."""
    if isinstance(answer, str) and answer.isidentifier():
        return f"give a function, not the string {short_repr(answer)}. Give its name alone, without quotation marks."
    return f"give a function, not {short_repr(answer)}. Give its name alone, without brackets after it."


def uncallable(answer: Any, call: str, number: int) -> str:
    """Explain why an answer cannot be called with this number of arguments, as in `call`; empty if it can."""
    return misfit(answer, call, number) if callable(answer) else no_function(answer)


@dataclass(frozen=True)
class FunctionWanted(Exercise):
    """An exercise whose answer is a function. It is called with all cases, the small ones first.

    title    a call with the names of its parameters, such as `apart(a, b)`
    cases    the arguments of each fixed case
    right    the right result for these arguments; if the answer `changes` its first argument, the right content of that
             argument after the call
    hint     the hint for a wrong result: (result, right result, arguments ...) -> text
    returns  whether an answer that changes its first argument is judged by its return value as well; then `right` and
             the result that is compared are pairs: (return value, first argument after the call)
    same     whether a result is right: (result, right result) -> bool
    catches  errors that get a hint of the exercise: `hint` gets the error in place of a result
    shows    the position that shows a case, from its arguments
    follows  a variable of `right`; every right answer makes the same changes of it, one by one. Empty: no such variable
    draw     a random case; DRAWN cases are drawn for each answer, so that a table of right results does not pass
    more     the number of further cases drawn with a fixed seed, the same for every answer
    wrongs   hint -> a typical mistake as a function, or several in a tuple; the hint is shown only if the answer
             returns the result of such a function in every case
    alike    whether a result equals the result of a mistake: (result, mistake's result) -> bool; `same` by default
    """

    cases: Callable[[], Iterable[tuple[Any, ...]]]
    right: Callable[..., Any]
    hint: Callable[..., str]
    same: Callable[[Any, Any], bool] = lambda got, want: bool(got == want)
    changes: bool = False
    returns: bool = False
    catches: tuple[type[Exception], ...] = ()
    shows: Callable[..., State] | None = None
    follows: str = ""
    draw: Callable[[Random], tuple[Any, ...]] | None = None
    more: int = 0
    wrongs: Mapping[str, Callable[..., Any] | tuple[Callable[..., Any], ...]] = field(default_factory=dict)
    alike: Callable[[Any, Any], bool] | None = None

    @cached_property
    def fixed_cases(self) -> tuple[tuple[Any, ...], ...]:
        """The cases that are the same for every answer."""
        rng = Random(1)
        return (*self.cases(), *(self.draw(rng) for _ in range(self.more) if self.draw))

    @property
    def total(self) -> int:
        """The number of cases."""
        return len(self.fixed_cases) + (DRAWN if self.draw else 0)

    def _drawn(self, answer: object) -> list[tuple[Any, ...]]:
        """Draw cases that differ at each check, but are repeated if the same cells are run in the same order."""
        rng = Random(seed_of(self.name, answer))
        return [self.draw(rng) for _ in range(DRAWN)] if self.draw else []

    def judge(self, answer: Any) -> Verdict:
        """Call the function with all cases and return the verdict, with a hint for the first wrong one."""
        cases = [*self.fixed_cases, *self._drawn(answer)]
        if words := uncallable(answer, self.title, max(map(len, cases))):
            return self.verdict(0, words)
        function = TimedFunction(answer)
        passed, wrong, case, difference, is_judged = 0, "", None, None, False
        answers: list[tuple[tuple[Any, ...], Any]] = []  # (arguments, result) of each case that has a result
        for arguments in cases:
            hint = self._hint(function, arguments, answers, bool(wrong))
            passed += not hint
            if hint and not wrong:
                wrong, case = hint, self.shows(*arguments) if self.shows else fresh(arguments)
                is_judged = bool(answers) and answers[-1][0] is arguments
                function.quiet = True  # one case has shown what it prints
                difference = None if function.late else self._difference(answer, arguments)
            if function.late:
                break
        if wrong and is_judged and (words := self._mistake(answers)):
            wrong = f"{wrong} {words}"
        if wrong and passed:
            wrong += f" ({passed} of {counted(len(cases), 'case')} {'is' if passed == 1 else 'are'} right.)"
        if difference:
            wrong += f" Step by step: {difference.words}"
        return replace(self.verdict(passed, wrong, case), difference=difference)

    def _difference(self, answer: Any, arguments: tuple[Any, ...]) -> Difference | None:
        """Return the first step at which the answer differs from the right one, or None if steps cannot be compared."""
        if not self.follows:
            return None
        recording = TimedFunction(partial(record, answer, max_events=STEPS))
        recording.quiet = True
        try:
            return first_difference(recording(*fresh(arguments)), record(self.right, *fresh(arguments)), self.follows)
        except KeyboardInterrupt:
            raise
        except BaseException:  # an answer that cannot be recorded still has its verdict
            return None

    def _mistake(self, answers: Sequence[tuple[tuple[Any, ...], Any]]) -> str:
        """Return the hint for a mistake that explains every result; empty if none does."""
        alike = self.alike or self.same

        def explains(mistake: Callable[..., Any]) -> bool:
            try:
                return all(alike(got, mistake(*fresh(arguments))) for arguments, got in answers)
            except (ArithmeticError, LookupError, TypeError, ValueError):
                return False

        for words, mistakes in self.wrongs.items():
            if any(map(explains, mistakes if isinstance(mistakes, tuple) else (mistakes,))):
                return words
        return ""

    def _hint(
        self,
        function: TimedFunction,
        arguments: tuple[Any, ...],
        answers: list[tuple[tuple[Any, ...], Any]],
        is_known: bool,
    ) -> str:
        """Return the hint for one case, empty if its result is right; add a comparable result to `answers`.

        If the answer `is_known` to be wrong already, the hint is never shown and may be any text.
        """
        try:
            return self._wrong(function, arguments, answers, is_known)
        except (KeyboardInterrupt, Unwritten):
            raise
        except BaseException as error:  # a student's code can raise anything
            if isinstance(error, self.catches):
                return self.hint(error, self.right(*fresh(arguments)), *arguments)
            return f"{self.stopped(function, error)} It was called as {call(self.title, arguments)}."

    def _prepared(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the arguments for a call of the answer, with mutable ones copied."""
        return fresh(arguments)

    def _beside(self, got: Any, arguments: tuple[Any, ...], now: tuple[Any, ...]) -> str:
        """Return the hint for a right result whose call has changed its arguments; empty if they are unchanged."""
        words = "" if self.changes else changed(got, arguments, now)
        return f"{call(self.title, arguments)} {words}" if words else ""

    def _wrong(
        self,
        function: TimedFunction,
        arguments: tuple[Any, ...],
        answers: list[tuple[tuple[Any, ...], Any]],
        is_known: bool,
    ) -> str:
        """Call the answer with one case and return the hint if its result is wrong, else an empty text."""
        now = self._prepared(arguments)
        got = function(*now)
        if got is ...:
            raise Unwritten(PLACEHOLDER)
        if self.changes:
            got = (got, now[0]) if self.returns else now[0]
        if name := stranger(got):
            return (
                f"{call(self.title, arguments)} returns an object of class {name}, which defines its own"
                " equality. Return plain numbers, strings or collections."
            )
        want = self.right(*fresh(arguments))
        if self.same(got, want):
            answers.append((arguments, got))
            return self._beside(got, arguments, now)
        if is_known:
            answers.append((arguments, got))
            return "wrong"
        if not self.changes and (words := mistaken(got, want, function.printed)):
            return f"{call(self.title, arguments)} {words}"
        answers.append((arguments, got))
        hint = self.hint(got, want, *arguments)
        if got is None and "return" not in hint:
            hint += " (A function returns None if it reaches no `return`.)"
        return hint


@dataclass(frozen=True)
class ThingWanted(Exercise):
    """An exercise whose answer is a value. `hint` is empty for a right value; `shows` returns the position after it."""

    hint: Callable[[Any], str]
    shows: Callable[[Any], State | None] = lambda answer: None

    @property
    def total(self) -> int:
        """The number of values: 1."""
        return 1

    def judge(self, answer: Any) -> Verdict:
        """Return the verdict on the value."""
        try:
            hint = self.hint(answer)
        except (KeyboardInterrupt, Unwritten):
            raise
        except BaseException as error:
            hint = f"your answer cannot be read: {type(error).__name__}: {short_str(error)}"
        return self.verdict(int(not hint), hint, self._case(answer) if hint else None)

    def _case(self, answer: Any) -> object:
        """Return the position after the answer, or the answer itself if it leads to no position."""
        try:
            return self.shows(answer) or answer
        except CrashlabError:
            return answer


@dataclass(frozen=True)
class AgentWanted(Exercise):
    """An exercise whose answer is an agent, which needs `goal` points. `play` returns its points and a hint."""

    goal: int
    play: Callable[[Any], tuple[float, str]]

    @property
    def total(self) -> int:
        """The points that the agent needs."""
        return self.goal

    def judge(self, answer: Any) -> Verdict:
        """Let the agent play and return the verdict."""
        if words := uncallable(answer, "my_agent(state, seat)", 2):
            return self.verdict(0, words)
        function = TimedFunction(answer, Time(MOVES))
        try:
            score, words = self.play(function)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            state, seat = function.arguments or (None, None)
            words = self.stopped(function, error)
            if function.printed and "must return" in words:
                words += f" It prints {short_repr(function.printed.strip())}; return the action instead of printing it."
            if isinstance(state, State):
                words += f" It was asked to act for {state.game.seat_name(seat)} in this position: {state.text}"
            return self.verdict(0, words, state)
        return self.verdict(max(0, min(int(score), self.goal)), words if score < self.goal else "")


# Mistakes that are possible in every exercise


def call(title: str, arguments: tuple[Any, ...]) -> str:
    """Write a call as Python code."""
    return f"{title.partition('(')[0]}({', '.join(map(short_repr, arguments))})"


def mistaken(got: Any, want: Any, printed: str) -> str:
    """Return the hint for a result of a wrong type, or for `print` in place of `return`; empty for other mistakes."""
    kind = next((words for types, words in KINDS if isinstance(want, types)), "")
    if got is None and printed:
        return (
            f"prints {short_repr(printed.strip())} and returns nothing. `print` only shows something: write `return`"
            " in its place."
        )
    if isinstance(got, str) and isinstance(want, str):
        if tidy(got) == tidy(want):
            return f"returns {short_repr(got)}, but must return exactly {want!r}: capital letters and spaces count."
    elif isinstance(got, str) and kind:
        return f"returns the string {short_repr(got)}, but must return {kind}, without quotation marks."
    if isgenerator(got):
        return "returns a generator. Write `return` in place of `yield`."
    if callable(got):
        return f"returns a function, {short_repr(got)}. Put brackets after its name to call it."
    if isinstance(want, Number) and isinstance(got, Sequence | Mapping | set) and not isinstance(got, str):
        return f"returns {short_repr(got)}, but must return one number."
    return ""


def tidy(words: str) -> str:
    """Return a text in lower case and without spaces."""
    return "".join(words.lower().split())


def changed(got: Any, arguments: tuple[Any, ...], now: tuple[Any, ...]) -> str:
    """Return the hint for a right result of a function that has changed its arguments; empty if they are unchanged."""
    for before, after in zip(arguments, now, strict=True):
        if can_change(before) and repr(before) != repr(after) and not is_same(before, after):
            return (
                f"returns {short_repr(got)}, which is right, but its argument has changed, from"
                f" {short_repr(before)} to {short_repr(after)}. The caller may still need the argument: work on a copy."
            )
    return ""


def is_same(one: Any, two: Any) -> bool:
    """Return whether two collections, or two arrays of NumPy, are equal."""
    equal = one == two
    return bool(equal.all() if hasattr(equal, "all") else equal)


def can_change(thing: object) -> bool:
    """Return whether this is a collection that a function could change."""
    return isinstance(thing, dict | set | list) or hasattr(thing, "setflags")  # only NumPy's arrays have setflags


def fresh(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the arguments of a call, with copies of all collections that it could change."""
    return tuple(deepcopy(thing) if can_change(thing) else thing for thing in arguments)


# Answers that only look right

ASKED: Counter[str] = Counter()  # checks of each exercise in this process
OURS = {"collections", "crashlab", "decimal", "fractions", "numpy"}  # packages whose classes are safe to compare
HEAP = 1 << 9  # the flag of classes written in Python, unlike int (Py_TPFLAGS_HEAPTYPE)
EQUALITY_METHODS = {  # methods that could make a class seem equal to the right result
    *(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge", "hash", "add", "radd", "sub", "rsub", "abs")),
    *(f"__{name}__" for name in ("bool", "int", "float", "index", "len", "iter", "getitem", "contains", "class")),
    *("__getattribute__", "__getattr__", "__array__", "__array_ufunc__", "keys", "values", "items", "get"),
}


def stranger(thing: object) -> str:
    """Return the name of a class in this value that defines its own equality; empty if there is none."""
    todo, ids = [thing], set()
    while todo:
        one = todo.pop()
        if id(one) in ids:
            continue
        ids.add(id(one))
        for kind in type(one).__mro__:
            if kind.__flags__ & HEAP and not is_ours(kind) and EQUALITY_METHODS & vars(kind).keys():
                return kind.__name__
        if isinstance(one, dict):
            todo += [*dict.keys(one), *dict.values(one)]
        elif isinstance(one, list | tuple | set | frozenset | deque):
            todo += one
        elif is_dataclass(one) and not isinstance(one, type):
            todo += vars(one).values()
    return ""


def is_ours(kind: type) -> bool:
    """Return whether a class is from one of the trusted packages."""
    module = kind.__module__
    return module.partition(".")[0] in OURS and getattr(modules.get(module), kind.__name__, None) is kind


def seed_of(name: str, answer: object) -> int:
    """Return a seed that depends on the source of the answer and on the number of checks so far."""
    ASKED[name] += 1
    try:
        text = getsource(answer)  # type: ignore[arg-type]
    except (OSError, TypeError):
        text = ""
    return crc32(f"{name} {ASKED[name]} {text}".encode(errors="replace"))
