"""The events of a recording until now, and where what its variables and containers hold comes from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import CodeType
from typing import Any

from crashlab.watch.film_data import RecordedEntry, Slot
from crashlab.watch.origins import Arrangement, Value, fits, is_box, is_plain, only
from crashlab.watch.snapshots import Shadow, Shadows, is_array
from crashlab.watch.things import ABSENT, NOTHING, Attribute, Thing, ThingKind, elements, held


class EventsSoFar:
    """All events until now, and which of them have brought what.

    brought   where the values of variables come from
    moves     how often something in containers has changed, or has come from somewhere else
    cached    what functions have returned that remember it
    unbegun   the parameters of generators that have not begun
    inside    where what is in containers comes from that are not watched
    arguments how many events are the arguments of the first call
    """

    def __init__(self, entries: list[RecordedEntry], shadows: Shadows) -> None:
        self.entries, self.shadows = entries, shadows
        self.brought: dict[Slot, Value] = {}
        self.moves = self.arguments = 0
        self.cached: dict[tuple[int, Any], Value] = {}
        self.unbegun: dict[CodeType, list[dict[str, Value]]] = {}
        self.inside: dict[int, tuple[Any, dict[Any, frozenset[int]]]] = {}  # each with the container
        self.depths: list[int] = []  # how long the chain of causes of each event is
        self.claimed: set[Thing] = set()  # things of which is known what has brought what they held at first

    def cause(self, origins: frozenset[int]) -> int:
        """The cause that is told of the event that follows."""
        found = self.best(origins)
        self.depths.append(self.depths[found] + 1 if found >= 0 else 0)
        return found

    def append(self, entry: RecordedEntry, value: Value) -> int:
        """One more event, which has brought a value; its number."""
        self.entries.append(entry)
        number = len(self.entries) - 1
        after, parts = entry.after, value.parts
        if type(after) is Thing:
            self.claim(after, number, value)
        elif type(after) is tuple:
            known = parts if parts is not None and len(parts) == len(after) else [Value() for _ in after]
            for part, own in zip(after, known, strict=True):
                for inner in held(part):
                    if type(inner) is Thing:
                        self.claim(inner, number, own if inner is part else Value())
        return number

    def settle(self, puts: Mapping[Slot | None, Value], first: int) -> None:
        """Keep where the variables that a statement has bound come from, when its events are known."""
        for slot, value in puts.items():
            if slot is not None:
                new = [n for n in self.events_of(slot, first) if self.entries[n].thing is None]
                parts = value.parts if new and type(self.entries[new[-1]].after) is tuple else None
                own = parts and [Value(each.value, only(self.through(each, new[-1]))) for each in parts]
                self.brought[slot] = Value(ABSENT, only(new[-1]), own) if new else value

    def events_of(self, slot: Slot, first: int) -> list[int]:
        """The events of a variable, from one on."""
        return [n for n in range(first, len(self.entries)) if self.entries[n].slot == slot]

    def through(self, value: Value, number: int) -> int:
        """The event that explains a part of what an event has brought: this one, if it has the same reason."""
        told = self.best(value.origins)
        return number if told in (NOTHING, self.entries[number].cause) else told

    def renew(self, cells: Iterable[tuple[Value, Any, Value]], arrangements: Iterable[Arrangement], first: int) -> None:
        """What a statement has put in the place of an equal value comes from somewhere else than that."""
        for box, key, value in cells:
            shadow = self.shadows.by_id.get(id(box.value))
            if shadow is None or shadow.get() is not box.value:
                self.store(box.value, key, value)
            elif key is ...:  # some of its cells
                shadow.forget_origins(first)
            elif isinstance(shadow.what, Thing) and shadow.what.kind is not ThingKind.SET:
                self.renew_at(shadow, key, value, first)
        for arranged in arrangements:
            shadow = self.shadows.by_id.get(id(arranged.box))
            if shadow is None or type(shadow.last) is not list:
                self.inside.pop(id(arranged.box), None)
            elif arranged.does is None:
                self.moves += 1
                parts = arranged.parts or ()
                for key, event in enumerate(shadow.last):
                    if event < first and len(parts) == len(shadow.last) and fits(parts[key], shadow.raw[key]):
                        shadow.last[key] = self.best(parts[key].origins)
                    elif event < first and is_plain(shadow.raw[key]):
                        shadow.last[key] = NOTHING

    def renew_at(self, shadow: Shadow, key: Any, value: Value, first: int) -> None:
        """The same of what is at one key."""
        if type(shadow.last) is list and type(key) is int and key < 0:
            key += len(shadow.last)
        try:
            if type(key) is not Attribute and not is_plain(key):
                key = self.shadows.by_id[id(key)].what
            known = shadow.last.get(key, shadow.last.get(..., -1)) if is_array(shadow.get()) else shadow.last[key]
        except (LookupError, TypeError):
            return
        if known < first:
            shadow.last[key] = self.best(value.origins)
            self.moves += 1

    def give_up(self, slots: Iterable[Slot | None], spots: Iterable[tuple[Shadow, Any]], first: int) -> None:
        """Where comes from what a statement has bound and put is not known, even if it is the same as before."""
        for slot in slots:
            if slot is not None and not self.events_of(slot, first):
                self.brought[slot] = Value()
        for shadow, place in spots:
            shadow.forget_origins(first, place)

    def store(self, box: Any, key: Any, value: Value) -> None:
        """Keep where what was put into a container comes from that is not watched, if only plain values are in it."""
        is_kept = is_box(box) and type(box) not in (tuple, str, set, frozenset)
        if not is_plain(key):
            self.inside.pop(id(box), None)
        elif id(box) in self.inside or is_kept and all(map(is_plain, box)):
            self.inside.setdefault(id(box), (box, {}))[1][key] = value.origins

    def best(self, origins: frozenset[int]) -> int:
        """Of several true causes the one that is told: no argument, the one with the longest history, the latest."""
        told = [event for event in origins if event < len(self.entries)]
        return max(told, key=lambda event: (event >= self.arguments, self.depths[event], event), default=NOTHING)

    def claim(self, thing: Thing, number: int, value: Value) -> None:
        """What a container holds at first is brought by the event that binds it, or by what this has copied."""
        todo = [(thing, value)]
        while todo:
            thing, value = todo.pop()
            shadow = self.shadows.of.get(thing)
            if shadow is None or thing in self.claimed:
                continue
            self.claimed.add(thing)
            keys, own = shadow.keys, parts_by_key(value, thing, len(shadow.last))
            shadow.sized = number if self.is_first(shadow.sized, number, thing) else shadow.sized
            for key in keys:
                if self.is_first(shadow.last[key], number, thing):
                    shadow.last[key] = self.through(own[key], number) if key in own else number
            for key in list(shadow.came or ()):
                if self.is_first(shadow.came[key], number, thing):
                    shadow.came[key] = number
            pairs = elements(thing, shadow.flat)
            todo += [(part, own.get(key) or Value()) for key, part in pairs if type(part) is Thing]

    def is_first(self, event: int, number: int, thing: Thing) -> bool:
        """Whether nothing has happened in a thing itself before an event bound it."""
        if event > number:
            return False
        return not 0 <= event < len(self.entries) - 1 or self.entries[event].thing is not thing


def parts_by_key(value: Value, thing: Thing, count: int) -> dict[Any, Value]:
    """Where what is in a thing that a statement has made comes from, if that is known of each."""
    if thing.kind is ThingKind.SET and value.parts is not None:
        return {part.value: part for part in value.parts if is_plain(part.value)}
    if value.held is not None:
        return value.held
    return dict(enumerate(value.parts)) if value.parts is not None and len(value.parts) == count else {}
