"""The shapes of exercises: what is wanted is a function, a thing, or an agent. A lesson declares its exercises by them.

What goes wrong with any answer, whatever the exercise, gets its hint here.
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
from crashlab.base.errors import CrashlabError, shown, told
from crashlab.course.exercises.answer_call import TimedFunction, Unwritten, is_empty, is_unwritten, misfit
from crashlab.course.exercises.verdict import Verdict
from crashlab.engine.chance import Random
from crashlab.engine.game import State
from crashlab.engine.notation import counted
from crashlab.watch import Difference, first_difference, record

STEPS = 2_000  # of an answer, that are compared with the right ones
DRAWN = 12  # cases that are drawn anew for each answer
MOVES = 30.0  # seconds that an agent has for a decision
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
    """An exercise: its name, what is asked in a few words, and what to try next when it is done."""

    name: str
    title: str
    then: str

    def check(self, answer: object) -> Verdict:
        """What is said of an answer, whatever it is."""
        try:
            if answer is ... or is_empty(answer):
                raise Unwritten(PLACEHOLDER if answer is ... else "There is no line in it that does anything.")
            return self.judge(answer)
        except Unwritten as error:
            return Verdict(self.name, self.title, 0, self.total, str(error), written=False)

    def judge(self, answer: Any) -> Verdict:
        """What is said of an answer that somebody has written."""
        raise NotImplementedError

    @property
    def total(self) -> int:
        """How much there is to be right."""
        raise NotImplementedError

    def verdict(self, passed: int, hint: str = "", case: object = None) -> Verdict:
        """The verdict: right, if there is no hint."""
        return Verdict(self.name, self.title, passed, self.total, hint, "" if hint else self.then, case)

    def stopped(self, asked: TimedFunction, error: BaseException) -> str:
        """Why there is no answer; if it is not written yet it is none."""
        if is_unwritten(error):
            raise Unwritten(NOT_WRITTEN)
        words = asked.stopped(error)
        return words if words[-1] in ".?!" else f"{words}."


def no_function(answer: object) -> str:
    """What is said of an answer that cannot be called."""
    if isinstance(answer, str) and answer.isidentifier():
        return f"give a function, not the string {shown(answer)}. Give its name alone, without quotation marks."
    return f"give a function, not {shown(answer)}. Give its name alone, without brackets after it."


def uncallable(answer: Any, call: str, number: int) -> str:
    """Why an answer cannot be called with so many arguments, as `call` has it; empty if it can."""
    return misfit(answer, call, number) if callable(answer) else no_function(answer)


@dataclass(frozen=True)
class FunctionWanted(Exercise):
    """What is wanted is a function. It is called with all cases, the small ones first.

    title    how it is called, as `apart(a, b)`
    right    what is right for these arguments; if it `changes` the first one, what that is afterwards
    hint     what to say of a wrong answer: (it, the right one, the arguments ...) -> words
    returns  of one that changes the first argument: whether what it gives counts, too; then what is right, and what is
             compared, are both: (what it gives, the first argument afterwards)
    same     whether an answer is right: (it, the right one) -> bool
    catches  errors that get a hint of the exercise: they are its first argument, in place of an answer
    shows    a position that shows a case
    follows  the variable of `right` whose changes, one by one, are those of any answer; empty if there is none
    draw     one more case, at random: some are drawn anew for each answer, so that no table of right answers will do
    more     how many cases are drawn the same way for every answer, after those of `cases`
    wrongs   mistakes, by what to say of each, as functions or tuples of them: told only where an answer does in every
             case what such a function does
    alike    whether an answer is what a mistake would give: (it, what the mistake gives) -> bool; else as `same`
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
    def known(self) -> tuple[tuple[Any, ...], ...]:
        """The cases that are the same each time."""
        rng = Random(1)
        return (*self.cases(), *(self.draw(rng) for _ in range(self.more) if self.draw))

    @property
    def total(self) -> int:
        """The number of cases."""
        return len(self.known) + (DRAWN if self.draw else 0)

    def _drawn(self, answer: object) -> list[tuple[Any, ...]]:
        """Cases that are new each time, and the same wherever the same cells are run in the same order."""
        rng = Random(seed_of(self.name, answer))
        return [self.draw(rng) for _ in range(DRAWN)] if self.draw else []

    def judge(self, answer: Any) -> Verdict:
        """Ask it for all cases; the first wrong one is told."""
        cases = [*self.known, *self._drawn(answer)]
        if words := uncallable(answer, self.title, max(map(len, cases))):
            return self.verdict(0, words)
        asked = TimedFunction(answer)
        passed, wrong, case, difference, is_judged = 0, "", None, None, False
        answers: list[tuple[tuple[Any, ...], Any]] = []  # as far as there are any
        for given in cases:
            hint = self._hint(asked, given, answers, bool(wrong))
            passed += not hint
            if hint and not wrong:
                wrong, case = hint, self.shows(*given) if self.shows else fresh(given)
                is_judged = bool(answers) and answers[-1][0] is given
                asked.quiet = True  # whoever prints has seen it
                difference = None if asked.late else self._difference(answer, given)
            if asked.late:
                break
        if wrong and is_judged and (words := self._mistake(answers)):
            wrong = f"{wrong} {words}"
        if wrong and passed:
            wrong += f" ({passed} of {counted(len(cases), 'case')} {'is' if passed == 1 else 'are'} right.)"
        if difference:
            wrong += f" Step by step: {difference.words}"
        return replace(self.verdict(passed, wrong, case), difference=difference)

    def _difference(self, answer: Any, given: tuple[Any, ...]) -> Difference | None:
        """The first step at which the answer does something else than what is right, if the steps can be compared."""
        if not self.follows:
            return None
        recording = TimedFunction(partial(record, answer, max_events=STEPS))
        recording.quiet = True
        try:
            return first_difference(recording(*fresh(given)), record(self.right, *fresh(given)), self.follows)
        except KeyboardInterrupt:
            raise
        except BaseException:  # what cannot be watched has been judged all the same
            return None

    def _mistake(self, answers: Sequence[tuple[tuple[Any, ...], Any]]) -> str:
        """What to say of a mistake that explains every answer; empty if none does."""
        alike = self.alike or self.same

        def explains(mistake: Callable[..., Any]) -> bool:
            try:
                return all(alike(got, mistake(*fresh(given))) for given, got in answers)
            except (ArithmeticError, LookupError, TypeError, ValueError):
                return False

        for words, mistakes in self.wrongs.items():
            if any(map(explains, mistakes if isinstance(mistakes, tuple) else (mistakes,))):
                return words
        return ""

    def _hint(
        self, asked: TimedFunction, given: tuple[Any, ...], answers: list[tuple[tuple[Any, ...], Any]], is_known: bool
    ) -> str:
        """What to say of one case; empty if it is right. An answer that can be judged is noted.

        Of one that `is_known` to be wrong nobody reads the words: they are not looked for.
        """
        try:
            return self._wrong(asked, given, answers, is_known)
        except (KeyboardInterrupt, Unwritten):
            raise
        except BaseException as error:  # whatever a student's code can think of
            if isinstance(error, self.catches):
                return self.hint(error, self.right(*fresh(given)), *given)
            return f"{self.stopped(asked, error)} It was called as {call(self.title, given)}."

    def _prepared(self, given: tuple[Any, ...]) -> tuple[Any, ...]:
        """What an answer is called with."""
        return fresh(given)

    def _beside(self, got: Any, given: tuple[Any, ...], now: tuple[Any, ...]) -> str:
        """What to say of an answer that is right but for what it has done meanwhile; empty if nothing."""
        words = "" if self.changes else changed(got, given, now)
        return f"{call(self.title, given)} {words}" if words else ""

    def _wrong(
        self, asked: TimedFunction, given: tuple[Any, ...], answers: list[tuple[tuple[Any, ...], Any]], is_known: bool
    ) -> str:
        """What to say if it does not do what is right."""
        now = self._prepared(given)
        got = asked(*now)
        if got is ...:
            raise Unwritten(PLACEHOLDER)
        if self.changes:
            got = (got, now[0]) if self.returns else now[0]
        if name := stranger(got):
            return (
                f"{call(self.title, given)} returns an object of class {name}, which decides for itself what it equals."
                " Return plain numbers, strings or collections."
            )
        want = self.right(*fresh(given))
        if self.same(got, want):
            answers.append((given, got))
            return self._beside(got, given, now)
        if is_known:
            answers.append((given, got))
            return "wrong"
        if not self.changes and (words := mistaken(got, want, asked.printed)):
            return f"{call(self.title, given)} {words}"
        answers.append((given, got))
        hint = self.hint(got, want, *given)
        if got is None and "return" not in hint:
            hint += " (A function returns None if it reaches no `return`.)"
        return hint


@dataclass(frozen=True)
class ThingWanted(Exercise):
    """What is wanted is a thing, such as an action. `hint` says what is wrong with one, `shows` what it leads to."""

    hint: Callable[[Any], str]
    shows: Callable[[Any], State | None] = lambda answer: None

    @property
    def total(self) -> int:
        """It is one thing."""
        return 1

    def judge(self, answer: Any) -> Verdict:
        """Look at it."""
        try:
            hint = self.hint(answer)
        except (KeyboardInterrupt, Unwritten):
            raise
        except BaseException as error:
            hint = f"your answer cannot be read: {type(error).__name__}: {told(error)}"
        return self.verdict(int(not hint), hint, self._case(answer) if hint else None)

    def _case(self, answer: Any) -> object:
        """The position to look at; the answer itself, if there is none."""
        try:
            return self.shows(answer) or answer
        except CrashlabError:
            return answer


@dataclass(frozen=True)
class AgentWanted(Exercise):
    """What is wanted is an agent. `play` plays with it: (how much of `goal` it has reached, what to say of it)."""

    goal: int
    play: Callable[[Any], tuple[float, str]]

    @property
    def total(self) -> int:
        """How much is wanted."""
        return self.goal

    def judge(self, answer: Any) -> Verdict:
        """Let it play."""
        if words := uncallable(answer, "my_agent(state, seat)", 2):
            return self.verdict(0, words)
        asked = TimedFunction(answer, Time(MOVES))
        try:
            reached, words = self.play(asked)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            state, seat = asked.given or (None, None)
            words = self.stopped(asked, error)
            if asked.printed and "must return" in words:
                words += f" It prints {shown(asked.printed.strip())}; write `return` to give an action back."
            if isinstance(state, State):
                words += f" It was asked for {state.game.seat_name(seat)} in this position: {state.text}"
            return self.verdict(0, words, state)
        return self.verdict(max(0, min(int(reached), self.goal)), words if reached < self.goal else "")


# What can be wrong with any answer


def call(title: str, given: tuple[Any, ...]) -> str:
    """A call, as it can be typed."""
    return f"{title.partition('(')[0]}({', '.join(map(shown, given))})"


def mistaken(got: Any, want: Any, printed: str) -> str:
    """What is wrong with what a function gives, whatever the exercise; empty if it takes the exercise to say it."""
    kind = next((words for types, words in KINDS if isinstance(want, types)), "")
    if got is None and printed:
        return (
            f"prints {shown(printed.strip())} and returns nothing. `print` only shows something: write `return`"
            " in its place."
        )
    if isinstance(got, str) and isinstance(want, str):
        if tidy(got) == tidy(want):
            return f"returns {shown(got)}, but must return exactly {want!r}: capital letters and spaces count."
    elif isinstance(got, str) and kind:
        return f"returns the string {shown(got)}, but must return {kind}, without quotation marks."
    if isgenerator(got):
        return "returns a generator. Write `return` in place of `yield`."
    if callable(got):
        return f"returns a function, {shown(got)}. Put brackets after its name to call it."
    if isinstance(want, Number) and isinstance(got, Sequence | Mapping | set) and not isinstance(got, str):
        return f"returns {shown(got)}, but must return one number."
    return ""


def tidy(words: str) -> str:
    """Words without what is not heard: capital letters and blanks."""
    return "".join(words.lower().split())


def changed(got: Any, given: tuple[Any, ...], now: tuple[Any, ...]) -> str:
    """What to say of a function that gives what is right, and has changed what it was given; empty if it has not."""
    for before, after in zip(given, now, strict=True):
        if can_change(before) and repr(before) != repr(after) and not is_same(before, after):
            return (
                f"returns {shown(got)}, which is right, but what it was given has changed, from"
                f" {shown(before)} to {shown(after)}. The caller may still need it: work on a copy."
            )
    return ""


def is_same(one: Any, two: Any) -> bool:
    """Whether two collections are equal, also of NumPy's kind."""
    equal = one == two
    return bool(equal.all() if hasattr(equal, "all") else equal)


def can_change(thing: object) -> bool:
    """Whether this is a collection that whoever gets it could change."""
    return isinstance(thing, dict | set | list) or hasattr(thing, "setflags")  # the latter is NumPy's


def fresh(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a call, of which nobody else has the collections."""
    return tuple(deepcopy(thing) if can_change(thing) else thing for thing in given)


# Answers that are not what they seem

ASKED: Counter[str] = Counter()  # how often each exercise has been checked here
OURS = {"collections", "crashlab", "decimal", "fractions", "numpy"}  # whose classes can be compared
HEAP = 1 << 9  # among the flags of a class: it is not one of C's, such as int
TOLD = {  # what a class may say itself so that it seems to be equal to what is right
    *(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge", "hash", "add", "radd", "sub", "rsub", "abs")),
    *(f"__{name}__" for name in ("bool", "int", "float", "index", "len", "iter", "getitem", "contains", "class")),
    *("__getattribute__", "__getattr__", "__array__", "__array_ufunc__", "keys", "values", "items", "get"),
}


def stranger(thing: object) -> str:
    """The name of a class in this thing that says by itself what it is equal to; empty if there is none."""
    todo, known = [thing], set()
    while todo:
        one = todo.pop()
        if id(one) in known:
            continue
        known.add(id(one))
        for kind in type(one).__mro__:
            if kind.__flags__ & HEAP and not is_ours(kind) and TOLD & vars(kind).keys():
                return kind.__name__
        if isinstance(one, dict):
            todo += [*dict.keys(one), *dict.values(one)]
        elif isinstance(one, list | tuple | set | frozenset | deque):
            todo += one
        elif is_dataclass(one) and not isinstance(one, type):
            todo += vars(one).values()
    return ""


def is_ours(kind: type) -> bool:
    """Whether a class is of a library that can be trusted."""
    module = kind.__module__
    return module.partition(".")[0] in OURS and getattr(modules.get(module), kind.__name__, None) is kind


def seed_of(name: str, answer: object) -> int:
    """A number that another answer, or the same one the next time, would hardly get."""
    ASKED[name] += 1
    try:
        text = getsource(answer)  # type: ignore[arg-type]
    except (OSError, TypeError):
        text = ""
    return crc32(f"{name} {ASKED[name]} {text}".encode(errors="replace"))
