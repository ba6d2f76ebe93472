"""Turns as films: a story (`drawing.story`) reduced to the beats with visible changes.

A beat with nothing to see is merged into the next visible one, or into the last. A motion that continues unchanged
stays one shot, and an effect right before a motion is shown during the motion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from crashlab.base.groups import grouped
from crashlab.drawing import primitives, story
from crashlab.drawing.film_json import Document, document
from crashlab.drawing.shapes import Picture, Piece, Point, Shape
from crashlab.drawing.story import scene
from crashlab.engine.notation import capital, counted
from crashlab.engine.table import HIDDEN

if TYPE_CHECKING:
    from builtins import property as cached_property  # Pyright matches only a plain property with a protocol's

    from crashlab.drawing.tween import Effects
else:
    from functools import cached_property

# Classes of `crashlab.engine.game`, which cannot be imported here because it imports this module.
Event: TypeAlias = Any
State: TypeAlias = Any
Turn: TypeAlias = Any
Beat = tuple[int, int]  # index of a turn, and a beat of it
Motion = dict[str, tuple[float, float, float]]  # displacement and rotation of pieces, by key


class Shot(NamedTuple):
    """Consecutive beats shown as one, and the visible ones among them."""

    beats: tuple[Beat, ...]
    seen: tuple[Beat, ...]


@dataclass(frozen=True)
class TurnStory:
    """Turns as one story; with `seats`, only what these seats may know."""

    turns: tuple[Turn, ...]
    shots: tuple[Shot, ...]
    seats: frozenset[int] = frozenset()
    _views: dict[Beat, Picture] = field(default_factory=dict, compare=False, repr=False)

    @property
    def beats(self) -> int:
        return len(self.shots)

    def end(self, beat: int) -> Beat:
        """Return the last of the turns' beats that are shown as this beat of the story; (0, 0) for beat 0."""
        return self.shots[beat - 1].beats[-1] if beat else (0, 0)

    def at(self, beat: int) -> State:
        """Return the state after a beat."""
        turn, last = self.end(beat)
        return self.turns[turn].at(last)

    def picture(self, beat: int) -> Picture:
        """Return the picture after a beat."""
        if not self.seats:
            return cast("Picture", self.at(beat).picture())
        end = self.end(beat)
        if end not in self._views:
            self._views[end] = view(self.at(beat), self.seats).picture()
        return self._views[end]

    def effects(self, beat: int) -> Effects:
        """Return the effects of a beat."""
        turns_and_beats = self.shots[beat - 1].seen if beat else ()
        return tuple(pair for turn, one in turns_and_beats for pair in self.turns[turn].effects(one))

    def ways(self, beat: int) -> Iterable[Shape]:
        """Return the paths driven in the turn up to the end of a beat."""
        turn, last = self.end(beat)
        return cast("Iterable[Shape]", self.turns[turn].ways(last))

    @cached_property
    def events(self) -> tuple[tuple[int, Event], ...]:
        """All events, each with its beat in the story."""
        at = {beat: number for number, shot in enumerate(self.shots, 1) for beat in shot.beats}
        events = [((n, event.beat), event) for n, turn in enumerate(self.turns) for event in turn.events]
        return tuple((at[beat], event) for beat, event in events if beat in at and self.knows(event))

    @cached_property
    def by_beat(self) -> dict[int, list[Event]]:
        """The events of each beat."""
        return grouped(self.events)

    def knows(self, event: Event) -> bool:
        """Return whether at least one of the seats may know of an event; True without seats."""
        before, row = event.turn.before, event.turn.rows[event.number]
        secret = before.game.text.is_secret
        return not self.seats or any(not secret(before.table, row, seat) for seat in self.seats)

    def words(self, beat: int) -> str:
        """Describe a beat; for the last beat, begin with the changes of score."""
        if beat == 0:
            return f"Before the turn. It has {counted(self.beats, 'beat')}."
        balance = self.balance if beat == self.beats else ""
        return f"{balance + '. ' if balance else ''}Beat {beat} of {self.beats}: {self.shown(beat)}."

    def shown(self, beat: int) -> str:
        """Describe the visible events of a beat, or all of its events if none is visible."""
        return "; ".join(f"{event.text} [{event.rule}]" for event in self.seen(beat))

    def seen(self, beat: int) -> list[Event]:
        """Return the visible events of a beat, or all of its events if none is visible."""
        shot = self.shots[beat - 1]
        events = self.by_beat.get(beat, [])
        same_beat = [
            event for event in events if any(event.turn is self.turns[n] and event.beat == b for n, b in shot.seen)
        ]
        return same_beat or events

    @property
    def outcome(self) -> str:
        """A summary of the result: the changes of score, or the last crash or event if no score changed."""
        last = self.seen((*self.stops[-1:], self.beats)[0])[:1] if self.beats else []
        return self.balance or "".join(f"{capital(event.text)}. No score has changed" for event in last)

    stop = "crash"

    @cached_property
    def stops(self) -> tuple[int, ...]:
        """The beats with a crash."""
        return tuple(beat for beat in range(1, self.beats + 1) if any(map(is_crash, self.effects(beat))))

    def places(self) -> list[Point]:
        """Return the points of the picture at which the turns change something."""
        return [place for turn in self.turns for place in story.places(turn)]

    @cached_property
    def balance(self) -> str:
        """The changes of score, such as "A +4, B −6, box +2"; empty if there are none."""
        ends = self.turns[0].before, self.turns[-1].after
        before, after = (state.game.render.purses(state.table) for state in ends)
        changes = {name: after[name] - count for name, count in before.items() if after.get(name, count) != count}
        return ", ".join(f"{name} {change:+d}" for name, change in changes.items()).replace("-", "−")

    def document(self, title: str, **more: Any) -> Document:
        """Return the film as JSON, with the text and the rule of each event."""
        return document(self, title, **more)

    def frame(self) -> Document:
        """Return the part of the document that all beats share: the rules of the events, by id."""
        book = self.turns[0].before.game.rulebook
        cited = {id: book[id] for id in dict.fromkeys(event.rule for _, event in self.events)}
        rules = {id: {"title": rule.title, "mark": rule.mark, "text": rule.text} for id, rule in cited.items()}
        return {"rules": rules}

    def of_beat(self, beat: int, whole: bool = False) -> Document:
        """Return an empty document, as a beat has nothing in addition to its words."""
        return {}

    def event_documents(self) -> Iterator[Document]:
        """Return the events for a document, each with its rule and its cause."""
        number = {turn: place for place, turn in enumerate(self.turns)}
        places = {(number[event.turn], event.number): place for place, (_, event) in enumerate(self.events)}
        for beat, event in self.events:
            turn, cause = number[event.turn], event.cause
            while cause is not None and (turn, cause) not in places:  # skip causes that are secret from the seats
                cause = event.turn.events[cause].cause
            document = {"beat": beat, "text": event.text, "rule": event.rule}
            if cause is not None:
                document["causes"] = [{"event": places[turn, cause]}]
            yield document


def story_of(turns: Sequence[Turn], seats: Iterable[int] = ()) -> TurnStory:
    """Return the story of turns; with `seats`, only what these seats may know."""
    shots: list[Shot] = []
    unseen: list[Beat] = []
    last: Motion | None = None  # motion of the last shot; a beat with the same motion extends the shot
    for number, turn in enumerate(turns):
        for beat in range(1, turn.beats + 1):
            before, (after, passing) = turn.picture(beat - 1), scene(turn, beat)
            effects, motion, is_new = tuple(passing), moved(before, after), comes(before, after)
            if not (effects or motion or is_new):
                unseen.append((number, beat))
                continue
            if shots and last in ({}, motion) and not effects and not is_new:
                shots[-1] = Shot((*shots[-1].beats, *unseen, (number, beat)), (*shots[-1].seen, (number, beat)))
            else:
                shots.append(Shot((*unseen, (number, beat)), ((number, beat),)))
            unseen = []
            is_sign = bool(effects) and not motion and not any(map(is_crash, effects))
            last = None if is_new or (effects and not is_sign) else motion
    if unseen:
        ending = shots.pop() if shots else Shot((), ())
        shots.append(Shot((*ending.beats, *unseen), ending.seen))
    return TurnStory(tuple(turns), tuple(shots), frozenset(seats))


def whole(turn: Turn, last: int | None = None) -> TurnStory:
    """Return a turn as a story in which every beat up to `last` is a shot."""
    beats = range(1, (turn.beats if last is None else last) + 1)
    return TurnStory((turn,), tuple(Shot(((0, beat),), ((0, beat),)) for beat in beats))


def moved(before: Picture, after: Picture) -> Motion:
    """Return the pieces that move or rotate between two pictures, and how far."""
    old = {piece.key: piece for piece in before.pieces}
    motion: Motion = {}
    for piece in after.pieces:
        was = old.get(piece.key, piece)
        if (was.x, was.y, was.angle) != (piece.x, piece.y, piece.angle) and not is_mark(piece):
            motion[piece.key] = round(piece.x - was.x, 3), round(piece.y - was.y, 3), piece.angle - was.angle
    return motion


def comes(before: Picture, after: Picture) -> bool:
    """Return whether a new piece appears."""
    old = {piece.key for piece in before.pieces}
    return any(piece.key not in old and not is_mark(piece) for piece in after.pieces)


def is_mark(piece: Piece) -> bool:
    """Return whether a piece is only a highlight that marks the current seat."""
    paints = {getattr(shape, paint, "ink") for shape in piece.shapes for paint in ("fill", "stroke")}
    return bool(piece.shapes) and paints <= {"", "flash", primitives.GLOW}


def is_crash(effect: tuple[Piece, Piece]) -> bool:
    """Return whether an effect is the burst of a crash."""
    return primitives.is_burst(effect[0])


def view(state: State, seats: Iterable[int]) -> State:
    """Return the view that these seats have together: values that none of them knows are hidden."""
    first, *others = (state.seen_by(seat) for seat in seats)
    for other in others:
        for row, other_row in zip(first.table.rows(), other.table.rows(), strict=True):
            row[:] = [
                other_value if value == HIDDEN else value for value, other_value in zip(row, other_row, strict=True)
            ]
    return first
