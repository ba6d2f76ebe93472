"""Questions about a film, each asked just before the beat that answers it.

The wrong answers are other values from the film that resemble the right answer in kind. A question never contains its
answer.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from crashlab.base.errors import one_line, truncate
from crashlab.engine.prompts import Question
from crashlab.watch.film_data import GLOBAL, Call, VariableChange
from crashlab.watch.things import ABSENT, Instance, in_words
from crashlab.watch.views.film_story import FilmStory

FEWEST, MOST = 3, 8  # the number of questions about a film
APART = 8  # minimum number of beats per question, unless there would be fewer than FEWEST
OTHERS = 3  # wrong answers
LETTERS = 60  # longest answer
GAP = 2  # minimum number of beats between two answers; the first one must be visible before the second question
TAKES = re.compile(r"\b(pop|popleft|heappop)\(")
KINDS = ("taken", "cut", "returned", "call", "value", "variable", "next")  # the kinds of questions, best first
YES, NO = "yes, it is cut off", "no, it goes on"


@dataclass(frozen=True)
class Draft:
    """A possible question: its kind, the event that answers it, and a function that builds it."""

    kind: str
    event: VariableChange
    make: Callable[[], Question | None]


def questions(story: FilmStory) -> tuple[Question, ...]:
    """Choose questions about a film deterministically, spread over its beats and kinds."""
    return Questions(story).chosen()


class Questions:
    """The possible questions about one film."""

    def __init__(self, story: FilmStory) -> None:
        self.story, self.film = story, story.film
        self.named = story.named
        self.returning = {event.call: event for event in self.film.events if event.kind == "return"}

    def chosen(self) -> tuple[Question, ...]:
        """Choose one question from each of several equal parts of the drafts, preferring rare kinds."""

        def worth(draft: Draft) -> tuple[int, int, int]:
            return kinds[draft.kind], KINDS.index(draft.kind), by_line[draft.event.line]

        drafts = sorted(self.drafts(), key=lambda draft: draft.event.beat)
        count = min(MOST, max(FEWEST, self.film.beats // APART))
        by_line: Counter[int] = Counter()  # questions by line
        kinds: Counter[str] = Counter()
        questions: list[Question] = []
        beat = 0
        for part in range(count):
            some = drafts[len(drafts) * part // count : len(drafts) * (part + 1) // count]
            some = some[len(some) // 2 :] + some[: len(some) // 2]
            for draft in sorted(some, key=worth):
                question = draft.make() if not questions or draft.event.beat >= beat + GAP else None
                if question:
                    questions.append(question)
                    beat = draft.event.beat
                    kinds[draft.kind] += 1
                    by_line[draft.event.line] += 1
                    break
        return tuple(questions)

    # Drafts

    def drafts(self) -> Iterator[Draft]:
        """Yield the possible questions."""
        for event in self.film.events:
            if event.beat > 1 and event.name.strip("_") and not re.match(r"\s*(async )?def ", event.source):
                yield from self._about(event)
        for call in self.film.calls[1:]:
            end, start = self.returning.get(call.number), self._begun(call)
            if end and call.result is not None:  # without this event, no beat states the reason for the result
                yield Draft("returned", end, partial(self.returned, call, end))
            if start:
                yield Draft("call", start, partial(self.called, call, start))

    def _about(self, event: VariableChange) -> Iterator[Draft]:
        tree = self.story.tree
        if event.after is ABSENT:
            if isinstance(event.key, int) and TAKES.search(event.source):
                yield Draft("taken", event, lambda: self.taken(event))
        elif tree and event.key is None and event.name in (tree.written.get("left"), tree.written.get("right")):
            yield Draft("cut", event, lambda: self.is_cut(event))
        elif event.key is None and event.source.lstrip().startswith("for "):
            yield Draft("next", event, lambda: self.value(event, f"Which {event.name} comes next?"))
        elif event.key is None and not TAKES.search(event.source):
            yield Draft("variable", event, lambda: self.value(event, f"What does {event.target} become?"))
        elif event.key is not None and not event.is_element:
            yield Draft("value", event, lambda: self.value(event, f"What does {event.target} become?"))

    def _value(self, event: VariableChange, beat: int) -> Any:
        """Return the value of an event's variable after a beat, or ABSENT."""
        owner = None if event.owner == GLOBAL else event.owner
        return self.film.shared(beat, owner).get(event.name, ABSENT)

    def _begun(self, call: Call) -> VariableChange | None:
        """Return the first change of a call in the beat in which it begins; None if there is none."""
        return next((event for event in self.story.changes(call.first) if event.call == call.number), None)

    def _stands_there(self, event: VariableChange) -> bool:
        """Return whether another variable in the event's line already has the value of the answer."""
        values = self.film.shared(event.beat - 1)
        names = set(re.findall(r"\w+", event.source)) - {event.name}
        return any(name in values and in_words(values[name]) == in_words(event.after) for name in names)

    # Questions

    def taken(self, event: VariableChange) -> Question | None:
        """Ask for the next element taken from a list, a queue or a heap."""
        before, after = self._value(event, event.beat - 1), self._value(event, event.beat)
        if before is ABSENT or after is ABSENT or isinstance(before, dict | set | frozenset):
            return None
        rest, missing = [in_words(value) for value in after], []
        for value in before:
            if (words := in_words(value)) in rest:
                rest.remove(words)
            else:
                missing.append(value)
        if rest or len(missing) != 1:
            return None
        ends = [*before][::-1][:1] + [*before]
        return self._question(f"What is taken next from {event.name}?", missing[0], ends, event)

    def value(self, event: VariableChange, prompt: str) -> Question | None:
        """Ask for the new value of a variable, or of one of its elements."""
        is_in_row = event.key is not None and isinstance(self._value(event, event.beat), Sequence | deque)
        comes = event.before is ABSENT and is_in_row  # a new element makes no good question
        if is_large(event.after) or comes or self._stands_there(event):
            return None
        source = one_line(event.source)
        same = self._near(event, self.named[event.name])
        others = (value for name in self.named if name != event.name for value in self._near(event, self.named[name]))
        return self._question(
            f"{truncate(source.rstrip(':'), LETTERS)}: {prompt[0].lower()}{prompt[1:]}",
            event.after,
            [*same, *others],
            event,
        )

    def called(self, call: Call, event: VariableChange) -> Question | None:
        """Ask for the next call."""
        near = sorted(self.film.calls[1:], key=lambda other: abs(other.number - call.number))
        others = [written(other) for other in near if other.name == call.name and other.number != call.number]
        answers = tuple(sorted([*dict.fromkeys([written(call), *others])][: OTHERS + 1]))
        was_before = any(written(other) == written(call) for other in self.film.calls[: call.number])
        has_object = any(isinstance(value, Instance) for value in call.arguments.values())
        if was_before or has_object or len(answers) < 2 or any(len(words) > LETTERS for words in answers):
            return None
        return Question("Which call comes next?", answers, answers.index(written(call)), event.number)

    def returned(self, call: Call, event: VariableChange) -> Question | None:
        """Ask for the result of a call."""
        if is_large(call.result):
            return None
        near = sorted(self.film.calls, key=lambda other: abs(other.number - call.number))
        results = [other.result for other in near[1:] if other.name == call.name]
        values = [value for value in self.film.shared(call.last, call.number).values() if not is_large(value)]
        return self._question(f"What does {written(call)} return?", call.result, [*values, *results], event)

    def is_cut(self, event: VariableChange) -> Question | None:
        """Ask whether the rest of a call is cut off now."""
        tree = self.story.tree
        assert tree is not None
        if event.owner == GLOBAL or self.film.calls[event.owner].last == event.beat:
            return None
        words = tree.words(event.owner, event.beat - 1)
        right = 0 if tree.is_cut(event.owner, event.beat) else 1
        return Question(f"Is the rest of {words} cut off now?", (YES, NO), right, event.number)

    def _near(self, event: VariableChange, events: Iterable[VariableChange]) -> list[Any]:
        """Return the new values of these events, the nearest in time to event first."""
        by_time = sorted(events, key=lambda other: abs(other.number - event.number))
        return [other.after for other in by_time if other.after is not ABSENT and not is_large(other.after)]

    def _question(self, text: str, right: Any, others: Iterable[Any], event: VariableChange) -> Question | None:
        """Build a question with at most OTHERS wrong answers of the same kind.

        Return None if there are no wrong answers, an answer is too long, or the text contains the right one.
        """
        values = {in_words(right): right}
        for other in others:
            if len(values) > OTHERS:
                break
            if is_alike(right, other):
                values.setdefault(in_words(other), other)
        answer = in_words(right)
        if len(values) < 2 or any(len(words) > LETTERS for words in values) or stands_in(answer, text):
            return None
        answers = tuple(sorted(values, key=lambda words: in_order(values[words], words)))
        points = [self.story.place(values[words]) if self.story.place else None for words in answers]
        places = tuple(place for place in points if place)
        if len(set(places)) < len(answers):
            places = ()
        return Question(text, answers, answers.index(answer), event.number, places)


def written(call: Call) -> str:
    """Return a call as code, with keyword arguments."""
    arguments = ", ".join(f"{name}={truncate(in_words(value), 24)}" for name, value in call.arguments.items())
    return f"{call.name}({arguments})"


def is_large(value: object) -> bool:
    """Return whether a value is unsuitable as an answer: a mutable container, or a value with a long text."""
    return isinstance(value, dict | list | set | bytearray) or len(in_words(value)) > LETTERS


def is_alike(right: object, other: object) -> bool:
    """Return whether a value is of the same kind as the right answer, and so a plausible wrong answer."""
    if isinstance(right, tuple) and isinstance(other, tuple):
        return len(right) == len(other)
    return is_number(other) if is_number(right) else type(right) is type(other)


def is_number(value: object) -> bool:
    """Return whether a value is a number; a bool is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def in_order(value: Any, words: str) -> tuple[int | float, str]:
    """Return a sort key: numbers by size, other values by text, so that the order gives no hint."""
    return (value, "") if is_number(value) and value == value else (0.0, words)


def stands_in(answer: str, text: str) -> bool:
    """Return whether an answer occurs in a text as a whole word."""
    return bool(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text))
