"""A text search: the pattern is drawn below the text, and shifted from step to step."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

from crashlab.watch.film_data import Recording
from crashlab.watch.views.code_reading import Code, Compared, names_in, worked_out
from crashlab.watch.views.rows import Below


class TextSearch:
    """Two texts that a film compares letter by letter; the shorter one, the pattern, is below the longer one."""

    def __init__(self, film: Recording, code: Code, compared: Compared, texts: tuple[str, str]) -> None:
        self.film, self.code, self.compared = film, code, compared
        below = 1 if len(texts[0]) >= len(texts[1]) else 0
        self.name, self.pattern = compared.names[1 - below], compared.names[below]
        self.text, self.letters = texts[1 - below], texts[below]
        self.top, self.under = compared.indices[1 - below], compared.indices[below]

    @classmethod
    def of(
        cls, film: Recording, code: Code, values: Mapping[str, Sequence[Any]], rows: Collection[str]
    ) -> TextSearch | None:
        """Return the search for the first two compared texts that never change.

        Return None if there are none, or if the longer text is not shown as a row.
        """
        for compared in code.compared:
            one, other = (values.get(name) or [None] for name in compared.names)
            if all(isinstance(text, str) and text == samples[0] for samples in (one, other) for text in samples):
                search = cls(film, code, compared, (one[0], other[0]))
                return search if search.name in rows else None
        return None

    def below(self, beat: int, cursors: Mapping[str, Any]) -> Below:
        """Return the pattern and its position below the text after a beat; `cursors` are its indices."""
        most = max(shift for shift in [0, *self.shifts] if shift < len(self.text))
        return Below(self.letters, self.shifts[beat], cursors, max(most + len(self.letters) - len(self.text), 0))

    @cached_property
    def shifts(self) -> list[int]:
        """The position of the pattern in each beat: the index of the letter of the text above its first letter."""
        shifts, here, ahead = [0], 0, ""
        events = iter(self.film.events)
        event = next(events, None)
        for beat in range(1, self.film.beats + 1):
            line = self.film.line(beat)
            grown, follows = self.code.steps.get(line, ("", ""))
            while event is not None and event.beat == beat:
                if event.name == grown and self.grow_apart(grown, follows):
                    ahead = follows
                elif event.name == ahead:
                    ahead = ""
                event = next(events, None)
            if line[0] == self.compared.file and line[1] in self.compared.function:
                values = self.film.shared(beat)
                if isinstance(values.get(ahead), int):  # only the first of the two indices has grown in this step
                    values[ahead] += 1
                places = worked_out(self.top, values, 0), worked_out(self.under, values, 0)
                if places[0] is not None and places[1] is not None and places[1] >= 0:
                    here = places[0] - places[1]
            shifts.append(here)
        return shifts

    def grow_apart(self, one: str, other: str) -> bool:
        """Return whether two names occur in the indices of different texts, each in only one."""
        names = [names_in(index) if index is not None else [] for index in (self.top, self.under)]
        return sorted((one in part, other in part) for part in names) == [(False, True), (True, False)]
