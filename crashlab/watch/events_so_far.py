"""The events of a recording until now, and the events that set its variables and contents."""

from collections import defaultdict
from types import CodeType
from typing import Any

from crashlab.watch.film_data import RecordedEntry, Slot
from crashlab.watch.origins import Value
from crashlab.watch.snapshots import Shadows, is_known
from crashlab.watch.statements import SourceText, codes_in
from crashlab.watch.things import Thing, elements, things_in
from crashlab.watch.variables import Scope


class EventsSoFar:
    """The events until now, and the event that set each variable.

    brought   the last event that changed each variable
    moves     the number of changes in containers
    cached    the results of functions with a cache, by the function's id and the arguments
    unbegun   the arguments of generators that have not started
    scopes    the variables that inner functions can read, by the code of their function, one for each call
    claimed   the things whose first contents are attributed to an event
    """

    def __init__(self, entries: list[RecordedEntry], shadows: Shadows) -> None:
        self.entries, self.shadows = entries, shadows
        self.brought: dict[Slot, int] = {}
        self.moves = 0
        self.cached: dict[tuple[int, Any], Value] = {}
        self.unbegun: dict[CodeType, list[dict[str, Value]]] = {}
        self.scopes: defaultdict[CodeType, list[Scope]] = defaultdict(list)
        self.claimed: set[Thing] = set()

    def owners(self, code: CodeType, name: str, obj: Any, text: SourceText) -> list[int]:
        """Return the calls that may own a variable of an inner function, by its value."""
        return [
            scope.number
            for outer, scopes in self.scopes.items()
            if code in codes_in(outer) and name in text.apart(outer).co_cellvars
            for scope in scopes
            if is_known(obj, scope.raw.get(name, obj))
        ]

    def append(self, entry: RecordedEntry) -> int:
        """Add an event and return its number."""
        self.entries.append(entry)
        number = len(self.entries) - 1
        if entry.thing is not None:
            self.shadows.of[entry.thing].changed = number
        for thing in things_in(entry.after) if entry.slot[1] else ():  # a result is claimed once a variable has it
            if type(thing) is Thing and thing not in self.claimed:
                self.claim(thing, number)
        return number

    def claim(self, thing: Thing, number: int) -> None:
        """Attribute the first contents of a thing and its parts to the event that bound the thing."""
        todo = [thing]
        while todo:
            thing = todo.pop()
            shadow = self.shadows.of.get(thing)
            if shadow is None or thing in self.claimed:
                continue
            self.claimed.add(thing)
            for one in shadow.elements if type(shadow.elements) is list else shadow.elements.values():
                one.by = number if self.is_first(one.by, number, thing) else one.by
                one.came = number if self.is_first(one.came, number, thing) else one.came
            shadow.changed = number if self.is_first(shadow.changed, number, thing) else shadow.changed
            todo += [
                part for _, inner in elements(thing, shadow.flat) for part in things_in(inner) if type(part) is Thing
            ]

    def is_first(self, event: int, number: int, thing: Thing) -> bool:
        """Return whether an event is at most `number` and is not an earlier change of the thing itself."""
        return event <= number and (not 0 <= event < number or self.entries[event].thing is not thing)

    def last_change(self, value: Any, event: int) -> int:
        """Return the later of the event that stored a value and the last change inside the value."""
        shadow = self.shadows.by_id.get(id(value))
        if shadow is None or shadow.get() is not value or type(shadow.what) is not Thing:
            return event
        return max(event, shadow.changed) if shadow.changed < len(self.entries) else event
