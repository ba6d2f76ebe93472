"""The events of a recording until now, and which of them brought what its variables and containers hold."""

from __future__ import annotations

from types import CodeType
from typing import Any

from crashlab.watch.film_data import RecordedEntry, Slot
from crashlab.watch.origins import Value
from crashlab.watch.snapshots import Shadows
from crashlab.watch.things import Thing, elements, held


class EventsSoFar:
    """All events until now, and which of them brought what.

    brought   the event that changed a variable last
    moves     how often something in containers has changed
    cached    the results of functions that remember them
    unbegun   the parameters of generators that have not begun
    claimed   things of which is known which event brought what they held at first
    """

    def __init__(self, entries: list[RecordedEntry], shadows: Shadows) -> None:
        self.entries, self.shadows = entries, shadows
        self.brought: dict[Slot, int] = {}
        self.moves = 0
        self.cached: dict[tuple[int, Any], Value] = {}
        self.unbegun: dict[CodeType, list[dict[str, Value]]] = {}
        self.claimed: set[Thing] = set()

    def append(self, entry: RecordedEntry) -> int:
        """Add an event and return its number."""
        self.entries.append(entry)
        number = len(self.entries) - 1
        if entry.thing is not None:
            self.shadows.of[entry.thing].changed = number
        for thing in held(entry.after) if entry.slot[1] else ():  # what returns is brought by what binds it
            if type(thing) is Thing and thing not in self.claimed:
                self.claim(thing, number)
        return number

    def claim(self, thing: Thing, number: int) -> None:
        """Note that an event brought what a thing and those in it held when it bound them first."""
        todo = [thing]
        while todo:
            thing = todo.pop()
            shadow = self.shadows.of.get(thing)
            if shadow is None or thing in self.claimed:
                continue
            self.claimed.add(thing)
            for one in shadow.held if type(shadow.held) is list else shadow.held.values():
                one.by = number if self.is_first(one.by, number, thing) else one.by
                one.came = number if self.is_first(one.came, number, thing) else one.came
            shadow.changed = number if self.is_first(shadow.changed, number, thing) else shadow.changed
            todo += [part for _, inner in elements(thing, shadow.flat) for part in held(inner) if type(part) is Thing]

    def is_first(self, event: int, number: int, thing: Thing) -> bool:
        """Return whether a thing itself has not been changed by an event before another one bound it."""
        return event <= number and (not 0 <= event < number or self.entries[event].thing is not thing)

    def last_change(self, value: Any, event: int) -> int:
        """Return the last event that changed a container that an event brought somewhere."""
        shadow = self.shadows.by_id.get(id(value))
        if shadow is None or shadow.get() is not value or type(shadow.what) is not Thing:
            return event
        return max(event, shadow.changed) if shadow.changed < len(self.entries) else event
