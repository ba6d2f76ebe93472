"""A film in words: its changes, beat by beat, its variables and lines, and its parts of a document."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from crashlab.base.errors import truncate
from crashlab.base.groups import grouped
from crashlab.drawing.film_json import Document
from crashlab.engine.notation import capital, counted
from crashlab.watch.film_data import REASONS, SHOWN, Cause, Recording, VariableChange, phrases
from crashlab.watch.things import ABSENT, in_words
from crashlab.watch.views.call_tree import depths
from crashlab.watch.views.choose_view import names_of

LETTERS = 160  # longest text of a change
VALUE = 300  # longest text of a value in a document
KEPT = 300  # beats whose variables are cached


class FilmText:
    """A film in words: the base class of FilmStory."""

    stop = ""
    stops: Sequence[int] = ()
    asks = False  # whether there are questions; then the counts of runs are withheld

    def __init__(self, film: Recording) -> None:
        self.film, self.name, self.beats = film, film.name, film.beats
        self.names = names_of(film)
        self.events = [(event.beat, event) for event in film.events]
        self._changes = {beat: list(events) for beat, events in groupby(film.events, key=lambda event: event.beat)}
        self.named = grouped((event.name, event) for event in film.events if event.name)  # the changes by variable
        first = self._changes.get(1, ())
        binds = bool(film.calls) and all(event.key is None and event.name in film.calls[0].arguments for event in first)
        self.opening = int(
            binds and bool(first)
        )  # 1 if the first beat only binds the arguments, which are then shown from the start, else 0
        self._depths = depths(film.calls)
        self._values: dict[int, dict[str, Any]] = {}
        self._last_words = 0, ""  # the last beat that was described, and its words
        self._texts: dict[str, tuple[Any, str]] = {}

    def changes(self, beat: int) -> Sequence[VariableChange]:
        return self._changes.get(beat, ())

    def variables(self, beat: int) -> dict[str, Any]:
        """Return the watched variables after a beat; beat 0 has the arguments if the first beat only binds them."""
        beat = max(beat, self.opening)
        if beat not in self._values:
            if len(self._values) >= KEPT:
                self._values.clear()
            self._values[beat] = self.film.shared(beat)
        return self._values[beat]

    def words(self, beat: int) -> str:
        """Describe the changes of a beat and its line, and after the last beat the end of the function."""
        if beat == 0:
            ending = "" if self.beats else self.ending
            call = self.film.calls[0].brief if self.opening else ""
            name = call if call and " ..." not in call else self.film.name
            meaning = "; in each of them something changes" if self.beats else ""
            return f"Before {name}. It has {counted(self.beats, 'beat')}{meaning}.{ending}"
        if self._last_words[0] != beat:  # the picture of a beat repeats its words
            text = "; ".join(truncate(sentence, LETTERS) for sentence in self._sentences(beat))
            ending = self.ending if beat == self.beats else ""
            self._last_words = beat, f"Beat {beat} of {self.beats}: {text} (line {self.film.line(beat)[1]}).{ending}"
        return self._last_words[1]

    def _sentences(self, beat: int) -> Iterator[str]:
        """Yield the changes of a beat with their causes; a test shared by successive changes is only in the last."""
        changes = self.changes(beat)
        for event, following in zip(changes, [*changes[1:], None], strict=True):
            is_last = following is None or following.since != event.since
            yield words_of(event if is_last else replace(event, since=None))

    @property
    def ending(self) -> str:
        """The end of the function in a sentence or two: its result, unless the last event states it, and any remark."""
        remark = f" {capital(self.film.remark)}." if self.film.remark else ""
        if self.film.stopped:
            return f" {capital(self.film.stopped).rstrip('.')}.{remark}"
        is_cell = self.film.name == "cell" and self.film.result is None
        last = self.film.events[-1] if self.film.events else None
        is_told = last is not None and last.kind == "return" and last.call == 0
        if self.film.error or is_cell or is_told:
            return remark
        return f" It returned {truncate(self.film.returned, LETTERS)}.{remark}"

    def stops_of(self, name: str) -> list[int]:
        """Return the beats in which a variable changes."""
        return list(dict.fromkeys(event.beat for event in self.named.get(name, ())))

    def done(self, beat: int) -> dict[str, int]:
        """Count the calls and the changes of each variable until a beat."""
        changes = {name: sum(event.beat <= beat for event in self.named[name]) for name in self.names}
        calls = sum(call.first <= beat for call in self.film.calls)
        return {"calls": calls, **{f"changes of {name}": count for name, count in changes.items()}}

    def frame(self) -> Document:
        """Return the sources with the counts of runs, the variables, and whether there are calls to step over."""
        runs = self.film.counts.lines
        sources: list[Document] = []
        for source in self.film.sources:
            sources.append({"name": source.name, "first": source.first, "lines": list(source.lines)})
            if not self.asks:
                sources[-1]["runs"] = [runs.get((source.file, source.first + n), 0) for n in range(len(source.lines))]
        return {"sources": sources, "names": list(self.names), "calls": len(self.film.calls) > 1}

    def event_documents(self) -> Iterator[Document]:
        """Return the changes for a document, each with its line, its kind and its causes."""
        for event in self.film.events:
            document: Document = {"beat": event.beat, "text": truncate(event.words, LETTERS)}
            document["line"] = self._line(event.beat, event.line)
            kind = "gone" if event.after is ABSENT else event.kind
            if kind != "change":
                document["kind"] = kind
            reasons = list(map(reason_of, phrases(event.causes), event.causes))
            if len(reasons) > REASONS:
                more = {"text": f"and {len(reasons) - SHOWN} more", "causes": reasons[SHOWN:]}
                reasons = [*reasons[:SHOWN], more]
            if event.since is not None:
                line = self._line(event.beat, event.since.line)
                reads = [reason_of(str(cause), cause) for cause in event.since.causes]
                reasons.append({"text": str(event.since), "line": line, **({"causes": reads} if reads else {})})
            if reasons:
                document["causes"] = reasons
            yield document

    def of_beat(self, beat: int, whole: bool = False) -> Document:
        """Return the line of a beat, the depth of its call, the variables whose texts are new, and its output.

        With `whole` it has all variables and the whole output so far. The names of the changed variables are listed if
        they differ from the names with new texts: a change of a long value may not show in its truncated text.
        """
        now = self._in_words(beat)
        document: Document = {"line": self._line(beat, self.film.line(beat)[1])}
        if depth := self._depths[self.film.call(beat)]:
            document["depth"] = depth
        changes = list(dict.fromkeys(event.name for event in self.changes(beat)))
        if whole:
            printed = self.film.printed(beat)
            return {**document, "whole": True, "values": now, "changes": changes, "printed": printed}
        before = self._in_words(beat - 1) if beat else {}
        values: dict[str, str | None] = {name: value for name, value in now.items() if before.get(name) != value}
        values |= {name: None for name in before if name not in now}
        if values:
            document["values"] = values
        if set(values) != set(changes):
            document["changes"] = changes
        if printed := self.film.prints(beat):
            document["printed"] = printed
        return document

    def _in_words(self, beat: int) -> dict[str, str]:
        values = self.variables(beat)
        for name, value in values.items():
            if name not in self._texts or self._texts[name][0] is not value:
                self._texts[name] = value, truncate(in_words(value), VALUE)
        return {name: self._texts[name][1] for name in values}

    def _line(self, beat: int, line: int) -> list[int]:
        """Return the index of the smallest source that contains a line of a beat's file, and the line."""
        file = self.film.line(beat)[0]
        inside = [
            (len(source.lines), number)
            for number, source in enumerate(self.film.sources)
            if source.file == file and source.first <= line < source.first + len(source.lines)
        ]
        return [min(inside, default=(0, 0))[1], line]


def words_of(event: VariableChange) -> str:
    """Describe a change with its reasons, without the old value unless it is a removal or an element of a set."""
    is_said = not event.name or event.after is ABSENT or event.is_element
    return event.sentence if is_said else replace(event, before=ABSENT).sentence


def reason_of(text: str, cause: Cause) -> Document:
    """Return a cause for a document: its text, and the number of its event (if any)."""
    return {"text": truncate(text, LETTERS), **({"event": cause.event} if cause.event >= 0 else {})}
