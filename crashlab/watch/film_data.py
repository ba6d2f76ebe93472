"""The data of a film: the changes of variables, beat by beat, with their lines, calls and causes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from crashlab.base.errors import CrashlabError, integer, one_line, short_repr, truncate
from crashlab.engine.notation import counted
from crashlab.watch.statements import Condition
from crashlab.watch.things import (
    ABSENT,
    ADDRESS,
    Attribute,
    Contents,
    Thing,
    ThingKind,
    Words,
    as_words,
    exchanged,
    in_words,
    keys_of,
    put,
    whole,
)

HEAD, TAIL = 40, 10  # numbers of lines printed from the start and from the end of a long film
BRIEF, CALL = 16, 40  # longest texts of an argument and a call in the event of a return
APART = 256  # entries between two saved states, from which a replay can start
GLOBAL = -1  # the owner of variables that belong to no call
REASONS, SHOWN = 4, 3  # maximum number of causes that are all written; number written if there are more
MAX_LINES = 60  # lines of a printed `Why`
PART, TEST = 20, 80  # longest texts of a value in a test and of a test
MARK = re.compile("«([0-9]+)»")
NO_WORDS = (type(ABSENT), Words)  # types of values that are described only by their place
Slot = tuple[int, str]  # the call that owns a variable, and its name
Place = Any  # the name of a variable or the text of a call; or a tuple of a Place and a key
Read = tuple[Place, Any, int]  # a place, its value if it is plain, and the event that stored it


class Arguments(tuple[Any, ...]):
    """The arguments of a call, as the key that follows its name in a Place."""

    __slots__ = ()


@dataclass(frozen=True)
class Cause:
    """One value that a statement read to compute a change.

    place  its place, with the values of indices: "a[0][1]", "p.x", "fib(2)"
    value  its text; None for a container or an object
    event  the number of the event that stored it, for a container its last change; -1 if it came from outside

        >>> def total(numbers):
        ...     amount = 0
        ...     for number in numbers:
        ...         amount += number
        ...     return amount
        >>> [str(cause) for cause in record(total, [2, 3]).events[-1].causes]
        ['amount is 2', 'number is 3']
    """

    place: str
    value: str | None
    event: int

    def __str__(self) -> str:
        if self.value is None:
            return self.place
        if self.place.startswith("len("):
            return f"{self.place[4:-1]} has {counted(int(self.value), 'element')}"
        return f"{self.place} {'returns' if self.place.endswith(')') else 'is'} {self.value}"


@dataclass(frozen=True)
class Since:
    """The innermost test that let a statement run.

    line, source  the line and the text of its statement
    compared      the test with the compared values: "3 < 4"
    holds         whether the test had to hold; if False, it had to fail
    causes        the values that were read for the test

        >>> def largest(numbers):
        ...     best = numbers[0]
        ...     for number in numbers:
        ...         if number > best:
        ...             best = number
        ...     return best
        >>> since = record(largest, [2, 3]).events[-1].since
        >>> since.line, since.source, since.compared
        (4, 'if number > best:', '3 > 2')
    """

    line: int
    source: str
    compared: str
    holds: bool = True
    causes: tuple[Cause, ...] = ()

    def __str__(self) -> str:
        return f"since {self.compared}"


def causes_of(reads: Sequence[Read]) -> tuple[Cause, ...]:
    """Return `reads` as the Causes that users see."""
    return tuple(
        Cause(spelled(place), None if type(value) in NO_WORDS else in_words(value), event)
        for place, value, event in reads
    )


def spelled(place: Place) -> str:
    """Return a place as it would be written in code."""
    return f"{spelled(place[0])}{written(place[1])}" if type(place) is tuple else str(place)


# A test, whether it held, its parts, and all its reads.
SinceEntry = tuple[Condition, bool, tuple[Read | None, ...], tuple[Read, ...]]


def since_of(entry: SinceEntry) -> Since:
    """Return a recorded test as the Since that users see."""
    condition, holds, parts, reads = entry
    texts, outcome = list(condition.parts), ""
    for number, read in enumerate(parts):
        if read is not None:
            place, value, _ = read
            words = "" if value is ABSENT or type(value) is Words else in_words(value)
            if place is not None and (not words or len(words) > PART or condition.spellings is None):
                texts[number] = spelled(place)
            elif words and condition.spellings is not None:
                texts[number] = words
    if condition.spellings is not None:
        compared = MARK.sub(lambda mark: texts[int(mark[1])], condition.spellings[holds])
    elif parts and parts[0] is not None and parts[0][1] is not ABSENT:
        compared, outcome = texts[0], f" is {in_words(parts[0][1])}"
    else:
        compared = texts[0] if holds is not condition.is_negated else f"not {texts[0]}"
    compared = truncate(one_line(compared), TEST) + outcome
    return Since(condition.line, one_line(condition.source), compared, holds, causes_of(reads))


@dataclass(frozen=True)
class VariableChange:
    """A change of a watched variable, a returning call, a deciding test or the exception at the end.

    kind           "change", "return", "test" or "error"
    beat           the number of its beat; without `every`, the events of a beat belong to one statement
    line, source   the statement that made it: its line in its file or cell, and its text
    call           the number of the call that ran this statement
    name, key      the variable that changed (key None), or the variable and the key, index or attribute at which its
                   value changed; a Path of keys for nested containers, and `...` for a whole array.
                   The name of other events is empty; `after` is then the returned value, whether the test
                   holds, or the text of the exception
    before, after  copies; ABSENT for a missing value. In a list, an insertion or deletion shifts the later elements
    causes         the places that the statement read for the new value, with their values, in the order of the line
    since          the innermost test that let the statement run, or None
    owner          the call that owns the variable; -1 for a variable outside all calls
    thing          the number of the list, dict, ... that changed in place or that the variable now holds, or -1
    is_element     whether the key is an element that a set got or lost

        >>> def total(numbers):
        ...     amount = 0
        ...     for number in numbers:
        ...         amount += number
        ...     return amount
        >>> change = record(total, [2, 3], watch="amount").events[-1]
        >>> change.name, change.before, change.after, change.line
        ('amount', 2, 5, 4)
        >>> change.sentence
        'amount = 5 (was 2), because amount is 2 and number is 3'
    """

    number: int
    beat: int
    line: int
    source: str
    call: int
    name: str
    key: Any
    before: Any
    after: Any
    causes: tuple[Cause, ...]
    since: Since | None
    owner: int
    thing: int
    kind: str = "change"
    text: str = ""
    is_element: bool = False

    @property
    def target(self) -> str:
        """The changed place as it would be written, such as `steps[here]`; for an element of a set, the set."""
        keys = keys_of(self.key)
        return self.name + "".join(map(written, keys[:-1] if self.is_element else keys))

    @property
    def words(self) -> str:
        """The change in words."""
        if not self.name:
            return self.text or str(self.after)
        if self.is_element and self.after is ABSENT:
            return f"{self.target} loses {in_words(self.before)}"
        if self.is_element:
            return f"{self.target} gets {in_words(self.after)}"
        before, after = in_words(self.before), in_words(self.after)
        was = "" if self.before is ABSENT else f" (was {before})"
        if before == after and "..." not in after:  # another object with the same text
            was = f", another {getattr(self.after, 'name', type(self.after).__name__)} that is equal"
        return f"{self.target} goes{was}" if self.after is ABSENT else f"{self.target} = {after}{was}"

    @property
    def sentence(self) -> str:
        """The change in words, with its causes and the test that let it happen."""
        few = phrases(self.causes)[: REASONS if len(self.causes) <= REASONS else SHOWN]
        more = [f"and {len(self.causes) - len(few)} more"] if len(few) < len(self.causes) else []
        comma = "," if self.name and self.before is not ABSENT and few else ""
        words = " ".join([self.words + comma, *few, *more]) + (f", {self.text}" if self.name and self.text else "")
        return f"{words}, {self.since}" if self.since else words

    def __str__(self) -> str:
        return f"{self.beat:5}  line {self.line:<4} {self.sentence}"


def phrases(causes: Sequence[Cause]) -> list[str]:
    """Return the causes as parts of a sentence: "because d is 1", "and w is 2", "and because of xs"."""
    parts: list[str] = []
    last: bool | None = None  # whether the previous cause has no value
    for cause in causes:
        is_box = cause.value is None
        words = f"of {cause}" if is_box else str(cause)
        parts.append(f"{'and ' if parts else ''}{'' if is_box is last else 'because '}{words}")
        last = is_box
    return parts


def written(key: object) -> str:
    """Write a key in the way it follows the name of its container, such as `[0]` or `.x`."""
    if isinstance(key, Attribute):
        return f".{key}"
    if type(key) is Arguments:
        return truncate(f"({', '.join(truncate(in_words(value), BRIEF) for value in key)})", CALL)
    if type(key) is tuple and len(key) > 1:
        return f"[{', '.join(map(in_words, key))}]"
    return f"[{'...' if key is ... else in_words(key)}]"


@dataclass(frozen=True)
class Call:
    """One call of a traced function; a generator is one call from its first step to its last.

    parent       the number of the call that made it; -1 for the first
    arguments    its arguments, by the names of its parameters
    result       its return value; ABSENT if it has not returned
    error        the text of the exception that ended it, or empty
    first, last  the beats in which it began and ended
    line         the line of its `def`
    source_line  the line that called it, where its caller continues; 0 for the first

        >>> def factorial(number):
        ...     return 1 if number == 0 else number * factorial(number - 1)
        >>> film = record(factorial, 3)
        >>> [(call.arguments["number"], call.result) for call in film.calls]
        [(3, 6), (2, 2), (1, 1), (0, 1)]
    """

    number: int
    parent: int
    name: str
    arguments: Mapping[str, Any]
    result: Any
    error: str
    first: int
    last: int
    line: int
    source_line: int = 0

    @property
    def brief(self) -> str:
        """The call in short, as it would be written: `fact(3)`."""
        return truncate(
            f"{self.name}({', '.join(truncate(in_words(value), BRIEF) for value in self.arguments.values())})", CALL
        )

    def __str__(self) -> str:
        arguments = ", ".join(f"{name}={in_words(value)}" for name, value in self.arguments.items())
        result = "" if self.result is ABSENT else f" -> {in_words(self.result)}"
        return f"{self.name}({arguments}){f' raises {self.error}' if self.error else result}"


@dataclass(frozen=True)
class Counts:
    """The number of runs of each line (by file and number), of calls by function, and of changes by name.

    >>> def total(numbers):
    ...     amount = 0
    ...     for number in numbers:
    ...         amount += number
    ...     return amount
    >>> record(total, [2, 3]).counts.names
    {'numbers': 1, 'amount': 3, 'number': 2}
    """

    lines: Mapping[tuple[str, int], int]
    calls: Mapping[str, int]
    names: Mapping[str, int]


@dataclass(frozen=True)
class Source:
    """The source of a traced function; `first` is the number of its first line in its file or cell.

    >>> def double(number):
    ...     return 2 * number
    >>> record(double, 4).sources[0].lines
    ('def double(number):', '    return 2 * number')
    """

    name: str
    file: str
    first: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Why:
    """An event with its reasons, the reasons of these and so on, back to the arguments.

    event    the event
    reasons  the Whys of the events that stored its causes and those of its test (`since`); events that are already in
             the tree are omitted

        >>> def total(numbers):
        ...     amount = 0
        ...     for number in numbers:
        ...         amount += number
        ...     return amount
        >>> film = record(total, [2, 3], watch="amount")
        >>> print(film.why(film.events[-1]))
        amount = 5 (was 2), because amount is 2 and number is 3   [line 4: amount += number]
          amount = 2 (was 0), because amount is 0 and number is 2   [line 4: amount += number]
            amount = 0   [line 2: amount = 0]
    """

    event: VariableChange
    reasons: tuple[Why, ...] = ()

    @property
    def events(self) -> tuple[VariableChange, ...]:
        """All events of the tree, each once and before its reasons."""
        return tuple(why.event for _, why in self.rows())

    def rows(self) -> Iterator[tuple[int, Why]]:
        """Yield each node of the tree with its depth."""
        todo = [(0, self)]
        while todo:
            depth, why = todo.pop()
            yield depth, why
            todo += [(depth + 1, reason) for reason in reversed(why.reasons)]

    def __str__(self) -> str:
        rows = list(self.rows())
        lines = [
            f"{'  ' * depth}{why.event.sentence}   [line {why.event.line}: {one_line(why.event.source)}]"
            for depth, why in rows[:MAX_LINES]
        ]
        return "\n".join([*lines, *([f"  ... and {len(rows) - MAX_LINES} more"] if len(rows) > MAX_LINES else [])])


@dataclass(frozen=True)
class RecordedEntry:
    """A recorded event with flat values; see `crashlab.watch.things`.

    It binds the variable `slot` or changes a `thing` at `thing_key`. An event without a change has an empty variable
    name.
    """

    beat: int
    file: str
    line: int
    source: str
    call: int
    slot: Slot
    key: Any
    thing: Thing | None
    thing_key: Any
    before: Any
    after: Any
    reads: tuple[Read, ...]
    since: SinceEntry | None
    kind: str = "change"
    text: str = ""


@dataclass
class CallEntry:
    """A recorded call with flat values, and the numbers of entries at its start and end."""

    number: int
    parent: int
    name: str
    line: int
    arguments: dict[str, Any]
    began: int
    first: int
    source_line: int = 0
    result: Any = ABSENT
    error: str = ""
    ended: int = -1
    last: int = -1

    def as_call(self, arguments: Mapping[str, Any], result: Any, beats: int) -> Call:
        """Return the call as users see it; an unfinished call lasts until the last beat."""
        first, last = min(self.first, beats), beats if self.last < 0 else min(self.last, beats)
        where = first, last, self.line, self.source_line
        return Call(self.number, self.parent, self.name, arguments, result, self.error, *where)


Saved = tuple[dict[int, dict[str, Any]], dict[Thing, Contents], dict[Thing, int]]


class ReplayedVariables:
    """The variables and their contents during a replay of the entries.

    variables  the values of the variables, by owner and name
    things     the contents of the things
    versions   the last entry that changed each thing
    """

    def __init__(self, entries: Sequence[RecordedEntry], first_contents: Mapping[int, dict[Thing, Contents]]) -> None:
        self.entries = entries
        self.first_contents = first_contents  # contents of the new things, by the number of the next entry
        self.variables: dict[int, dict[str, Any]] = {}
        self.things: dict[Thing, Contents] = {}
        self.versions: dict[Thing, int] = {}
        self.number = 0  # the number of replayed entries
        self._saved: dict[int, Saved] = {}  # states by the number of replayed entries
        # Plain copies, with the versions of all things in them.
        self._copies: dict[Thing, tuple[Any, list[tuple[Thing, int]]]] = {}
        self._meet()

    def go_on(self) -> None:
        """Replay the next entry."""
        entry = self.entries[self.number]
        if entry.thing is not None:
            contents = self.things[entry.thing]
            self.things[entry.thing] = put(entry.thing, contents, entry.thing_key, entry.after, entry.before)
            self.versions[entry.thing] = self.number
        elif entry.slot[1]:
            owner, name = entry.slot
            if entry.after is ABSENT:
                self.variables.get(owner, {}).pop(name, None)
            else:
                self.variables.setdefault(owner, {})[name] = entry.after
        self.number += 1
        self._meet()

    def go_to(self, number: int) -> None:
        """Move to the state after `number` entries; to go back, replay from the last saved state before it."""
        if number < self.number:
            self.number = max(start for start in self._saved if start <= number)
            self.variables, self.things, self.versions = copied(self._saved[self.number])
        while self.number < number:
            if self.number % APART == 0 and self.number not in self._saved:
                self._saved[self.number] = copied((self.variables, self.things, self.versions))
            self.go_on()

    def _meet(self) -> None:
        """Add the things that first appear before the next entry."""
        for thing, contents in self.first_contents.get(self.number, {}).items():
            self.things[thing] = contents.copy()

    def copy(self, value: Any) -> Any:
        """Return a plain copy of a flat value; for an unchanged thing, the copy that was returned before."""
        if type(value) is not Thing:
            return whole(value, self.things)[0]
        cached = self._copies.get(value)
        if cached is None or any(self.versions.get(thing, -1) != version for thing, version in cached[1]):
            plain, things = whole(value, self.things)
            cached = self._copies[value] = plain, [(thing, self.versions.get(thing, -1)) for thing in things]
        return cached[0]


def copied(state: Saved) -> Saved:
    """Return independent copies of the variables, the contents of things and their versions."""
    variables, things, versions = state
    copies = {thing: contents.copy() for thing, contents in things.items()}
    return {owner: dict(by_name) for owner, by_name in variables.items()}, copies, dict(versions)


class Recording:
    """The recorded data of a `Film`, without its pictures.

    remark   a further remark on the recording, or empty
    """

    def __init__(
        self,
        name: str,
        entries: Sequence[RecordedEntry],
        calls: Sequence[CallEntry],
        first_contents: Mapping[int, dict[Thing, Contents]],
        counts: Counts,
        sources: Sequence[Source],
        result: Any = None,
        error: BaseException | None = None,
        stopped: str = "",
        remark: str = "",
        printed: Sequence[tuple[int, str]] = (),
    ) -> None:
        self.name = name
        self.result, self.error, self.stopped, self.remark = result, error, stopped, remark
        self._printed = printed  # printed texts, each with the number of events before
        self.sources, self.counts = tuple(sources), counts
        self._entries, self._call_entries, self._first_contents = tuple(entries), tuple(calls), first_contents
        self._moment = ReplayedVariables(self._entries, first_contents)
        self._last_stack: list[int] = []  # the last result of _stack
        self._last = [0] * (self.beats + 1)  # the number of events up to each beat
        for number, entry in enumerate(self._entries, 1):
            self._last[entry.beat] = number

    @property
    def beats(self) -> int:
        """The number of the last beat."""
        return self._entries[-1].beat if self._entries else 0

    @property
    def events(self) -> tuple[VariableChange, ...]:
        """All events, in order."""
        return self._events_and_calls[0]

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls of traced functions, ordered by their starts."""
        return self._events_and_calls[1]

    @cached_property
    def _events_and_calls(self) -> tuple[tuple[VariableChange, ...], tuple[Call, ...]]:
        """All events and calls, with copies of their values at the time."""
        moment = ReplayedVariables(self._entries, self._first_contents)
        starts, ends = (defaultdict(list), defaultdict(list))
        for call in self._call_entries:
            starts[call.began].append(call)
            ends[call.ended].append(call)
        events, arguments, results = [], {}, {}
        for number in range(len(self._entries) + 1):
            for call in starts[number]:
                arguments[call.number] = {name: moment.copy(value) for name, value in call.arguments.items()}
            for call in ends[number]:
                results[call.number] = moment.copy(call.result)
            if number < len(self._entries):
                events.append(self._change(moment, arguments))
        calls = self._call_entries
        public_calls = (
            call.as_call(arguments[call.number], results.get(call.number, ABSENT), self.beats) for call in calls
        )
        return tuple(events), tuple(public_calls)

    def _change(self, moment: ReplayedVariables, arguments: Mapping[int, Mapping[str, Any]]) -> VariableChange:
        """Return the next entry as users see it, and replay it in `moment`."""
        entry, number = moment.entries[moment.number], moment.number
        before = moment.copy(entry.before)
        moment.go_on()
        after = moment.copy(entry.after)
        subject = entry.thing or (entry.after if entry.slot[1] and type(entry.after) is Thing else None)
        key = exchanged(entry.key, as_words)
        where = entry.line, entry.source, entry.call, entry.slot[1], key, before, after
        text = entry.text
        if entry.kind == "return":
            way = [call_id for call_id in (entry.call, self._call_entries[entry.call].parent) if call_id >= 0]
            call, *over = (self._call_entries[call_id].as_call(arguments[call_id], after, 0) for call_id in way)
            caller = f" to {over[0].brief}, line {call.source_line}" if over else ""
            text = f"{call.brief} returns{'' if after is None else f' {in_words(after)}'}{caller}"
        kinds = entry.kind, text, entry.thing is not None and entry.thing.kind is ThingKind.SET
        why = causes_of(entry.reads), entry.since and since_of(entry.since), entry.slot[0]
        return VariableChange(number, entry.beat, *where, *why, subject.number if subject else -1, *kinds)

    def at(self, beat: int, call: int | None = None) -> dict[str, Any]:
        """Return the watched variables after a beat: those of a call, or of the running call and its callers.

        A variable of a caller is omitted if a variable of the same name hides it.
        """
        things = self.moment(beat).things
        return {name: whole(value, things)[0] for name, value in self._seen(beat, call).items()}

    def shared(self, beat: int, call: int | None = None) -> dict[str, Any]:
        """Return the variables as `at` does, but share unchanged objects, which callers must not modify."""
        moment = self.moment(beat)
        return {name: moment.copy(value) for name, value in self._seen(beat, call).items()}

    def _seen(self, beat: int, call: int | None) -> dict[str, Any]:
        """Return the flat values of the variables visible to a call after a beat."""
        running = self.call(beat) if call is None else self._number("call", call, len(self.calls))
        variables = self.moment(beat).variables
        values: dict[str, Any] = {}
        for owner in [*reversed(self._stack(running)), GLOBAL] if call is None else [running]:
            by_name = variables.get(owner, {})
            if not by_name.keys() <= values.keys():
                values = {**values, **{name: value for name, value in by_name.items() if name not in values}}
        return values

    def line(self, beat: int) -> tuple[str, int]:
        """Return the file and line of the statement that made a beat; for beat 0, of the function's `def`."""
        beat = self._beat(beat)
        if beat == 0:
            return (self.sources[0].file, self.sources[0].first) if self.sources else ("", 0)
        entry = self._entries[self._last[beat] - 1]
        return entry.file, entry.line

    def call(self, beat: int) -> int:
        """Return the number of the call that ran in a beat; 0 for beat 0."""
        beat = self._beat(beat)
        return self._entries[self._last[beat] - 1].call if beat else 0

    def running(self, beat: int) -> list[int]:
        """Return the calls that run in a beat, the outermost first."""
        return [*self._stack(self.call(beat))] if self._call_entries else []

    def moment(self, beat: int) -> ReplayedVariables:
        """Return the flat variables after a beat; two names for one object share one Thing."""
        self._moment.go_to(self._last[self._beat(beat)])
        return self._moment

    def printed(self, beat: int) -> str:
        """Return the text printed up to the end of a beat; for the last beat, all of it."""
        most = self._last[beat] if self._beat(beat) < self.beats else len(self._entries) + 1
        return "".join(text for _, text in self._printed[: bisect_left(self._printed, most, key=lambda one: one[0])])

    def prints(self, beat: int) -> str:
        """Return the text printed in a beat."""
        return self.printed(beat)[len(self.printed(beat - 1)) if beat else 0 :] if self._printed else ""

    def touched(self) -> Iterator[tuple[ReplayedVariables, list[Thing]]]:
        """Yield the flat variables at the start and after each change, with the things that are new or changed."""
        moment = ReplayedVariables(self._entries, self._first_contents)
        yield moment, list(self._first_contents.get(0, ()))
        while moment.number < len(self._entries):
            thing = self._entries[moment.number].thing
            moment.go_on()
            yield moment, [*self._first_contents.get(moment.number, ()), *([thing] if thing else [])]

    def why(self, event: VariableChange | int) -> Why:
        """Return an event as a tree of the events that caused it, directly or indirectly; each event appears once.

        The causes of an event are the values that its statement read for the new value: the chosen operand of `min` or
        `or`, the result of a call. Uncertain causes are omitted.
        """
        children = self.behind(event)
        whys: dict[int, Why] = {}
        for number in reversed(children):
            whys[number] = Why(self.events[number], tuple(whys[cause] for cause in children[number]))
        return whys[next(iter(children))]

    def behind(self, event: VariableChange | int, has_tests: bool = True) -> dict[int, list[int]]:
        """Return a dict from the numbers of an event and its direct and indirect causes to the numbers of their causes.

        The order is from the nearest to the farthest; each event is listed only once as a cause.
        """
        number = event.number if isinstance(event, VariableChange) else event
        queue = deque([self._number("event", number, len(self.events))])
        children: dict[int, list[int]] = {queue[0]: []}
        while queue:
            change = self.events[queue.popleft()]
            since = change.since.causes if change.since is not None and has_tests else ()
            for cause in (*change.causes, *since):
                if cause.event >= 0 and cause.event not in children:
                    children[cause.event] = []
                    children[change.number].append(cause.event)
                    queue.append(cause.event)
        return children

    def way(self, event: VariableChange) -> Iterator[VariableChange]:
        """Yield an event, the nearest event of the same variable that led to it, and so on."""
        step: VariableChange | None = event
        while step is not None:
            yield step
            behind = map(self.events.__getitem__, [*self.behind(step, has_tests=False)][1:])
            step = next((change for change in behind if change.name == event.name), None)

    def __str__(self) -> str:
        lines = [str(event) for event in self.events]
        if len(lines) > HEAD + TAIL + 1:  # a single line is not replaced, because the replacement is as long
            lines[HEAD:-TAIL] = [f"  ...  {len(lines) - HEAD - TAIL} more"]
        ends = (
            f"{self.name} ended with {type(self.error).__name__}"
            if self.error
            else f"{self.name} returned {self.returned}"
        )
        if self.stopped:
            ends = self.stopped + ("" if self.result is None else f"; {self.name} returned {self.returned}")
        changes = sum(event.kind in ("change", "error") for event in self.events)
        heading = f"{self.name}: {counted(changes, 'change')} in {counted(self.beats, 'beat')}"
        return "\n".join([heading, *lines, ends, *filter(None, [self.remark])])

    @property
    def returned(self) -> str:
        """The function's return value in words, at the time of the return and without memory addresses."""
        is_own = bool(self._call_entries) and self._call_entries[0].name == self.name
        is_thing = is_own and type(self._call_entries[0].result) is Thing
        return in_words(self.calls[0].result) if is_thing else ADDRESS.sub("", in_words(self.result))

    def __repr__(self) -> str:
        return f"<Film of {self.name}: {counted(self.beats, 'beat')}>"

    def _stack(self, call: int) -> Sequence[int]:
        """Return a call and its callers, the outermost first."""
        last = self._last_stack
        if last[-1:] != [call]:
            over = self._call_entries[call].parent if 0 <= call < len(self._call_entries) else -1
            if over >= 0 and last[-1:] == [over]:
                self._last_stack = [*last, call]
            elif last[-2:-1] == [call]:
                self._last_stack = last[:-1]
            else:
                stack = [call]
                while over >= 0:
                    stack.append(over)
                    over = self._call_entries[over].parent
                self._last_stack = stack[::-1]
        return self._last_stack

    def _beat(self, beat: object) -> int:
        """Return a beat as an int; raise CrashlabError if the film has no such beat."""
        number = integer(beat)
        if number is None or not 0 <= number <= self.beats:
            raise CrashlabError(f"there is no beat {short_repr(beat)}: this film has the beats 0 to {self.beats}")
        return number

    def _number(self, what: str, number: object, count: int) -> int:
        """Return the number of an event or a call as an int; raise CrashlabError if it does not exist."""
        index = integer(number)
        if index is None or not 0 <= index < count:
            has = f"its {what}s are 0 to {count - 1}" if count else f"it has no {what}s"
            raise CrashlabError(f"this film has no {what} {short_repr(number)}; {has}")
        return index
