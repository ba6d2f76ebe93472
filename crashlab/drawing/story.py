"""A story as pictures: a turn of a game, a function that is run, or anything else that goes on in beats.

film     the story beat by beat, each picture with the effects that lead to it
motion   where in a story there begins to be something to look at
places   where in the pictures of a story something happens
summary  a story as one picture: a moment of it with the ways that were gone until then
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from crashlab.drawing.shapes import Picture, Piece, Point, Shape
from crashlab.drawing.tween import Effects, Scene


class Story(Protocol):
    """What can be filmed. Beat 0 is before anything happens; `str` of a story tells it in words."""

    @property
    def beats(self) -> int:
        """The number of the last beat."""

    def picture(self, beat: int) -> Picture:
        """How it looks after this beat, in shapes and in words."""

    def effects(self, beat: int) -> Effects:
        """What flies and flashes in this beat."""

    def ways(self, beat: int) -> Iterable[Shape]:
        """The paths driven up to the end of this beat."""


class NarratedStory(Story, Protocol):
    """A story that tells what happens in it, so that one can be led through it (`lab.stepper.Steps`)."""

    @property
    def events(self) -> Sequence[tuple[int, Any]]:
        """All that happens, in order, each with the number of its beat."""

    @property
    def stops(self) -> Sequence[int]:
        """The beats that one goes to at once, in order."""

    @property
    def stop(self) -> str:
        """What is at these beats, in one or two words."""

    def event_documents(self) -> list[dict[str, Any]]:
        """All that happens for a document: each with its beat, its text, its rule or its line, and its causes."""

    def frame(self) -> dict[str, Any]:
        """What a document has of it at once: the rules of its events, its sources, the names of its variables."""

    def of_beat(self, beat: int, whole: bool = False) -> dict[str, Any]:
        """What a document has of a beat besides its words; a `whole` one needs none before it."""

    def words(self, beat: int) -> str:
        """This beat in words, for the status line; the first and the last one tell what they begin and end."""

    def places(self) -> list[Point]:
        """Where in its pictures something happens, if there is a map to look at."""


def film(story: Story) -> list[Scene]:
    """The story beat by beat: each picture with the effects of the beat that leads to it; the first has none."""
    return [scene(story, beat) for beat in range(story.beats + 1)]


def scene(story: Story, beat: int) -> Scene:
    """The picture after a beat, and the effects of the beat."""
    return story.picture(beat), story.effects(beat)


def motion(story: Story) -> int:
    """The first beat in which a piece moves or an effect is seen; 0 if there is none."""
    places: dict[str, tuple[float, float, float]] = {}
    for beat in range(story.beats + 1):
        picture, effects = scene(story, beat)
        before = places
        places = {piece.key: (piece.x, piece.y, piece.angle) for piece in picture.pieces}
        if any(before.get(key, place) != place for key, place in places.items()) or any(effects):
            return beat
    return 0


def places(story: Story) -> list[Point]:
    """Where the pieces were and are that it moves, changes, brings or takes away, if there is a map to look at."""
    before, after = story.picture(0), story.picture(story.beats)
    if before.map is None or before.map != after.map:
        return []
    old, new = ({piece.key: piece for piece in picture.pieces} for picture in (before, after))
    changed = [key for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)]
    return [(pieces[key].x, pieces[key].y) for key in changed for pieces in (old, new) if key in pieces]


def summary(story: Story, beat: int | None = None) -> Picture:
    """The moment after a beat, by default the last, with the ways that were gone until then."""
    beat = story.beats if beat is None else beat
    picture = story.picture(beat)
    ways = Piece("ways", 0, 0, tuple(story.ways(beat)))
    return replace(picture, pieces=(ways, *picture.pieces))
