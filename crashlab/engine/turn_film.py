"""Turns, one after another, as one film: a story (`drawing.story`) cut to the beats in which something is to be seen.

A beat in which nothing is to be seen is told with the next one in which there is, or with the last one. What goes
straight on is one motion, and a sign that rises before something moves rises while it moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from crashlab.drawing import primitives, story
from crashlab.drawing.film_json import Document, document
from crashlab.drawing.shapes import Picture, Piece, Point, Shape
from crashlab.drawing.story import scene
from crashlab.engine.notation import capital, counted
from crashlab.engine.table import HIDDEN

if TYPE_CHECKING:
    from crashlab.drawing.tween import Effects

# Those of `crashlab.engine.game`, which films its turns by this module and so cannot be known here.
Event: TypeAlias = Any
State: TypeAlias = Any
Turn: TypeAlias = Any
Beat = tuple[int, int]  # of the turn with this number, from 0, the beat with this number
Motion = dict[str, tuple[float, float, float]]  # by its key, how far a piece goes and turns


class Shot(NamedTuple):
    """Beats that are shown as one, in their order, and those of them in which something is to be seen."""

    beats: tuple[Beat, ...]
    seen: tuple[Beat, ...]


@dataclass(frozen=True)
class TurnStory:
    """Turns as one story. With `seats` it shows only what these seats may know."""

    turns: tuple[Turn, ...]
    shots: tuple[Shot, ...]
    seats: frozenset[int] = frozenset()
    _views: dict[Beat, Picture] = field(default_factory=dict, compare=False, repr=False)

    @property
    def beats(self) -> int:
        """The number of the last beat."""
        return len(self.shots)

    def end(self, beat: int) -> Beat:
        """The last beat of a turn that is shown by this one."""
        return self.shots[beat - 1].beats[-1] if beat else (0, 0)

    def at(self, beat: int) -> State:
        """How it stands after this beat."""
        turn, last = self.end(beat)
        return self.turns[turn].at(last)

    def picture(self, beat: int) -> Picture:
        """How it looks after this beat."""
        if not self.seats:
            return cast("Picture", self.at(beat).picture())
        end = self.end(beat)
        if end not in self._views:
            self._views[end] = view(self.at(beat), self.seats).picture()
        return self._views[end]

    def effects(self, beat: int) -> Effects:
        """What flies and flashes in this beat."""
        seen = self.shots[beat - 1].seen if beat else ()
        return tuple(pair for turn, one in seen for pair in self.turns[turn].effects(one))

    def ways(self, beat: int) -> Iterable[Shape]:
        """The paths driven up to the end of this beat, in its turn."""
        turn, last = self.end(beat)
        return cast("Iterable[Shape]", self.turns[turn].ways(last))

    @cached_property
    def events(self) -> tuple[tuple[int, Event], ...]:
        """All that happens, each with the number of its beat here."""
        at = {beat: number for number, shot in enumerate(self.shots, 1) for beat in shot.beats}
        told = [((n, event.beat), event) for n, turn in enumerate(self.turns) for event in turn.events]
        return tuple((at[beat], event) for beat, event in told if beat in at and self.knows(event))

    @cached_property
    def by_beat(self) -> dict[int, list[Event]]:
        """All that happens in each beat."""
        found: dict[int, list[Event]] = {}
        for beat, event in self.events:
            found.setdefault(beat, []).append(event)
        return found

    def knows(self, event: Event) -> bool:
        """Whether the seats may know of it."""
        before, row = event.turn.before, event.turn.rows[event.number]
        secret = before.game.text.is_secret
        return not self.seats or any(not secret(before.table, row, seat) for seat in self.seats)

    def words(self, beat: int) -> str:
        """The beat in words; at the end who has more than before, and who less."""
        if beat == 0:
            return f"Before the turn. It has {counted(self.beats, 'beat')}."
        balance = self.balance if beat == self.beats else ""
        return f"{balance + '. ' if balance else ''}Beat {beat} of {self.beats}: {self.shown(beat)}."

    def shown(self, beat: int) -> str:
        """What is to be seen in a beat; where nothing is, all that happens."""
        return "; ".join(f"{event.text} [{event.rule}]" for event in self.seen(beat))

    def seen(self, beat: int) -> list[Event]:
        """The events that are to be seen in a beat; where none is, all of it."""
        shot = self.shots[beat - 1]
        shown = self.by_beat.get(beat, [])
        seen = [event for event in shown if any(event.turn is self.turns[n] and event.beat == b for n, b in shot.seen)]
        return seen or shown

    @property
    def outcome(self) -> str:
        """What has come of it: who has more or less than before; where nobody has, the last crash or what came last."""
        last = self.seen((*self.stops[-1:], self.beats)[0])[:1] if self.beats else []
        return self.balance or "".join(f"{capital(event.text)}. No score has changed" for event in last)

    stop = "crash"

    @cached_property
    def stops(self) -> tuple[int, ...]:
        """The beats with a crash in them."""
        return tuple(beat for beat in range(1, self.beats + 1) if any(map(is_crash, self.effects(beat))))

    def places(self) -> list[Point]:
        """Where something happens in its turns."""
        return [place for turn in self.turns for place in story.places(turn)]

    @cached_property
    def balance(self) -> str:
        """Who has more than before, and who less: A +4, B −6, box +2; empty where nobody has."""
        ends = self.turns[0].before, self.turns[-1].after
        before, after = (state.game.render.purses(state.table) for state in ends)
        changes = {name: after[name] - count for name, count in before.items() if after.get(name, count) != count}
        return ", ".join(f"{name} {change:+d}" for name, change in changes.items()).replace("-", "−")

    def document(self, title: str, **more: Any) -> Document:
        """The film as plain JSON, with the rule of each event and its text, for players that know no rules."""
        return document(self, title, **more)

    def frame(self) -> Document:
        """The rules of the events, by their ids."""
        book = self.turns[0].before.game.rulebook
        cited = {id: book[id] for id in dict.fromkeys(event.rule for _, event in self.events)}
        rules = {id: {"title": rule.title, "mark": rule.mark, "text": rule.text} for id, rule in cited.items()}
        return {"rules": rules}

    def of_beat(self, beat: int, whole: bool = False) -> Document:
        """Nothing besides its words."""
        return {}

    def event_documents(self) -> list[Document]:
        """Return the events for a document, each with its rule and its cause."""
        number = {turn: place for place, turn in enumerate(self.turns)}
        known = {(number[event.turn], event.number): place for place, (_, event) in enumerate(self.events)}
        told: list[Document] = []
        for beat, event in self.events:
            turn, cause = number[event.turn], event.cause
            while cause is not None and (turn, cause) not in known:  # what the seats may not know is left out
                cause = event.turn.events[cause].cause
            found = {"beat": beat, "text": event.text, "rule": event.rule}
            if cause is not None:
                found["causes"] = [{"event": known[turn, cause]}]
            told.append(found)
        return told


def story_of(turns: Sequence[Turn], seats: Iterable[int] = ()) -> TurnStory:
    """The film of these turns; with `seats` of what they may know."""
    shots: list[Shot] = []
    unseen: list[Beat] = []
    last: Motion | None = None  # of the last shot; what moves on just so goes on with it
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
    """A turn with every beat, up to this one and no further."""
    beats = range(1, (turn.beats if last is None else last) + 1)
    return TurnStory((turn,), tuple(Shot(((0, beat),), ((0, beat),)) for beat in beats))


def moved(before: Picture, after: Picture) -> Motion:
    """What moves or turns from one picture to the next, and how far."""
    old = {piece.key: piece for piece in before.pieces}
    found: Motion = {}
    for piece in after.pieces:
        was = old.get(piece.key, piece)
        if (was.x, was.y, was.angle) != (piece.x, piece.y, piece.angle) and not is_mark(piece):
            found[piece.key] = round(piece.x - was.x, 3), round(piece.y - was.y, 3), piece.angle - was.angle
    return found


def comes(before: Picture, after: Picture) -> bool:
    """Whether a piece comes that was not there."""
    old = {piece.key for piece in before.pieces}
    return any(piece.key not in old and not is_mark(piece) for piece in after.pieces)


def is_mark(piece: Piece) -> bool:
    """Whether it is a mark of light alone, that says whose turn it is."""
    paints = {getattr(shape, paint, "ink") for shape in piece.shapes for paint in ("fill", "stroke")}
    return bool(piece.shapes) and paints <= {"", "flash", primitives.GLOW}


def is_crash(effect: tuple[Piece, Piece]) -> bool:
    """Whether a piece that passes is a burst."""
    return primitives.is_burst(effect[0])


def view(state: State, seats: Iterable[int]) -> State:
    """The state with everything hidden that none of these seats knows."""
    first, *others = (state.seen_by(seat) for seat in seats)
    for other in others:
        for row, seen in zip(first.table.rows(), other.table.rows(), strict=True):
            row[:] = [theirs if own == HIDDEN else own for own, theirs in zip(row, seen, strict=True)]
    return first
