"""What can be asked about a film: each question just before the beat that answers it.

The answers are values that stand in the film itself, of the same kind as the right one. Nothing is asked that the words
of the question tell.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from crashlab.base.errors import cut, one_line
from crashlab.engine.prompts import Question
from crashlab.watch.film_data import GLOBAL, Call, VariableChange
from crashlab.watch.things import ABSENT, Instance, in_words
from crashlab.watch.views.film_story import FilmStory

FEWEST, MOST = 3, 8  # questions about a film
APART = 8  # beats for each question, at least, where there are so many
OTHERS = 3  # wrong answers
LETTERS = 60  # of an answer, at most
GAP = 2  # beats between two answers, so that the first one has been seen when the second question is asked
TAKES = re.compile(r"\b(pop|popleft|heappop)\(")
KINDS = ("taken", "cut", "returned", "call", "value", "variable", "next")  # the sorts of questions, the best ones first
YES, NO = "yes, it is cut off", "no, it goes on"


@dataclass(frozen=True)
class Draft:
    """Something that may be asked: what sort of question, the event that answers it, and how it is made."""

    kind: str
    event: VariableChange
    make: Callable[[], Question | None]


def questions(story: FilmStory) -> tuple[Question, ...]:
    """Some questions about a film, spread over it, of as many sorts as there are; always the same ones."""
    return Questions(story).chosen()


class Questions:
    """What can be asked about one film."""

    def __init__(self, story: FilmStory) -> None:
        self.story, self.film = story, story.film
        self.named = story.named
        self.returning = {event.call: event for event in self.film.events if event.kind == "return"}

    def chosen(self) -> tuple[Question, ...]:
        """One question from each of some equal parts of all that can be asked, first of the sorts asked least."""

        def worth(draft: Draft) -> tuple[int, int, int]:
            return kinds[draft.kind], KINDS.index(draft.kind), asked[draft.event.line]

        drafts = sorted(self.drafts(), key=lambda draft: draft.event.beat)
        count = min(MOST, max(FEWEST, self.film.beats // APART))
        asked: Counter[int] = Counter()  # of the changes of a line
        kinds: Counter[str] = Counter()
        found: list[Question] = []
        beat = 0
        for part in range(count):
            some = drafts[len(drafts) * part // count : len(drafts) * (part + 1) // count]
            some = some[len(some) // 2 :] + some[: len(some) // 2]
            for draft in sorted(some, key=worth):
                question = draft.make() if not found or draft.event.beat >= beat + GAP else None
                if question:
                    found.append(question)
                    beat = draft.event.beat
                    kinds[draft.kind] += 1
                    asked[draft.event.line] += 1
                    break
        return tuple(found)

    # What may be asked

    def drafts(self) -> Iterator[Draft]:
        """All that may be asked."""
        for event in self.film.events:
            if event.beat > 1 and event.name.strip("_") and not re.match(r"\s*(async )?def ", event.source):
                yield from self._about(event)
        for call in self.film.calls[1:]:
            after, begun = self._after(call), self._begun(call)
            has_result = call.result is not ABSENT and call.result is not None
            told = after or begun  # where nothing changes any more when it returns
            if told and has_result:
                yield Draft("returned", told, partial(self.returned, call, told, "does" if after else "will"))
            if begun:
                yield Draft("call", begun, partial(self.called, call, begun))

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

    def _held(self, event: VariableChange, beat: int) -> Any:
        """The variable of an event, after a beat."""
        owner = None if event.owner == GLOBAL else event.owner
        return self.film.shared(beat, owner).get(event.name, ABSENT)

    def _after(self, call: Call) -> VariableChange | None:
        """The event that tells its result, else the first change after it has ended; until then it is shown nowhere."""
        if call.number in self.returning:
            return self.returning[call.number]
        later = self.story.changes(call.last + 1)
        return later[-1] if later and later[-1].name else None

    def _begun(self, call: Call) -> VariableChange | None:
        """The change with which a call begins."""
        return next((event for event in self.story.changes(call.first) if event.call == call.number), None)

    def _stands_there(self, event: VariableChange) -> bool:
        """Whether the answer is read off a variable in the line that is asked about."""
        seen = self.film.shared(event.beat - 1)
        names = set(re.findall(r"\w+", event.source)) - {event.name}
        return any(name in seen and in_words(seen[name]) == in_words(event.after) for name in names)

    # The questions

    def taken(self, event: VariableChange) -> Question | None:
        """What is taken next from a list, a queue or a heap?"""
        before, after = self._held(event, event.beat - 1), self._held(event, event.beat)
        if before is ABSENT or after is ABSENT or isinstance(before, dict | set | frozenset):
            return None
        left, gone = [in_words(value) for value in after], []
        for value in before:
            if (words := in_words(value)) in left:
                left.remove(words)
            else:
                gone.append(value)
        if left or len(gone) != 1:
            return None
        ends = [*before][::-1][:1] + [*before]
        return self._made(f"What is taken next from {event.name}?", gone[0], ends, event)

    def value(self, event: VariableChange, asked: str) -> Question | None:
        """What does a variable, or what it holds at a key, become?"""
        is_in_row = event.key is not None and isinstance(self._held(event, event.beat), Sequence | deque)
        comes = event.before is ABSENT and is_in_row  # which makes no good question
        if is_large(event.after) or comes or self._stands_there(event):
            return None
        source = one_line(event.source)
        same = self._near(event, self.named[event.name])
        others = (value for name in self.named if name != event.name for value in self._near(event, self.named[name]))
        return self._made(
            f"{cut(source.rstrip(':'), LETTERS)}: {asked[0].lower()}{asked[1:]}", event.after, [*same, *others], event
        )

    def called(self, call: Call, event: VariableChange) -> Question | None:
        """Which call comes next?"""
        near = sorted(self.film.calls[1:], key=lambda other: abs(other.number - call.number))
        others = [written(other) for other in near if other.name == call.name and other.number != call.number]
        answers = tuple(sorted([*dict.fromkeys([written(call), *others])][: OTHERS + 1]))
        was_before = any(written(other) == written(call) for other in self.film.calls[: call.number])
        has_object = any(isinstance(value, Instance) for value in call.arguments.values())
        if was_before or has_object or len(answers) < 2 or any(len(words) > LETTERS for words in answers):
            return None
        return Question("Which call comes next?", answers, answers.index(written(call)), event.number)

    def returned(self, call: Call, event: VariableChange, does: str) -> Question | None:
        """What does a call return?"""
        if is_large(call.result):
            return None
        near = sorted(self.film.calls, key=lambda other: abs(other.number - call.number))
        results = [other.result for other in near[1:] if other.name == call.name]
        held = [value for value in self.film.shared(call.last, call.number).values() if not is_large(value)]
        return self._made(f"What {does} {written(call)} return?", call.result, [*held, *results], event)

    def is_cut(self, event: VariableChange) -> Question | None:
        """Is the rest of a call cut off now?"""
        tree = self.story.tree
        assert tree is not None
        if event.owner == GLOBAL or self.film.calls[event.owner].last == event.beat:
            return None
        words = tree.words(event.owner, event.beat - 1)
        right = 0 if tree.is_cut(event.owner, event.beat) else 1
        return Question(f"Is the rest of {words} cut off now?", (YES, NO), right, event.number)

    def _near(self, event: VariableChange, events: Iterable[VariableChange]) -> list[Any]:
        """What variables came to be, the nearest in time first."""
        by_time = sorted(events, key=lambda other: abs(other.number - event.number))
        return [other.after for other in by_time if other.after is not ABSENT and not is_large(other.after)]

    def _made(self, text: str, right: Any, others: Iterable[Any], event: VariableChange) -> Question | None:
        """The question with a few wrong answers of the same kind; none if there are none, or if its words tell."""
        values = {in_words(right): right}
        for other in others:
            if len(values) > OTHERS:
                break
            if is_alike(right, other):
                values.setdefault(in_words(other), other)
        told = in_words(right)
        if len(values) < 2 or any(len(words) > LETTERS for words in values) or stands_in(told, text):
            return None
        answers = tuple(sorted(values, key=lambda words: in_order(values[words], words)))
        found = [self.story.place(values[words]) if self.story.place else None for words in answers]
        places = tuple(place for place in found if place)
        if len(set(places)) < len(answers):
            places = ()
        return Question(text, answers, answers.index(told), event.number, places)


def written(call: Call) -> str:
    """A call as it is written, with its arguments by their names."""
    given = ", ".join(f"{name}={cut(in_words(value), 24)}" for name, value in call.arguments.items())
    return f"{call.name}({given})"


def is_large(value: object) -> bool:
    """Whether a value is no answer: one that holds others and can be changed."""
    return isinstance(value, dict | list | set | bytearray) or len(in_words(value)) > LETTERS


def is_alike(right: object, other: object) -> bool:
    """Whether a value could be taken for the right one: it is of its kind."""
    if isinstance(right, tuple) and isinstance(other, tuple):
        return len(right) == len(other)
    return is_number(other) if is_number(right) else type(right) is type(other)


def is_number(value: object) -> bool:
    """Whether it is a number, which True is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def in_order(value: Any, words: str) -> tuple[int | float, str]:
    """Numbers by their size, all else by its words: the order tells nothing."""
    return (value, "") if is_number(value) and value == value else (0.0, words)


def stands_in(answer: str, text: str) -> bool:
    """Whether an answer can be read in a text."""
    return bool(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text))
