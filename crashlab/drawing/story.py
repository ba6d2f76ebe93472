"""Stories: a turn of a game, a recorded function, or any other sequence of beats, as pictures.

film     all pictures of a story, each with the effects that lead to it
motion   the first beat with visible motion
places   the places at which pieces change
summary  a story as one picture, with the paths up to a beat
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from crashlab.drawing.shapes import Picture, Piece, Point, Shape
from crashlab.drawing.tween import Effects, Scene


class Story(Protocol):
    """A sequence of pictures. Beat 0 precedes all events; `str` describes the story in words."""

    @property
    def beats(self) -> int:
        """The index of the last beat."""
        ...

    def picture(self, beat: int, /) -> Picture:
        """Return the picture after a beat, with its description."""
        ...

    def effects(self, beat: int, /) -> Effects:
        """Return the effects of a beat: pieces that fly and flash."""
        ...

    def ways(self, beat: int, /) -> Iterable[Shape]:
        """Return the paths driven up to the end of a beat."""
        ...


class NarratedStory(Story, Protocol):
    """A story with events and explanations, which can be stepped through (`lab.stepper.Steps`)."""

    @property
    def events(self) -> Sequence[tuple[int, Any]]:
        """All events in order, each with its beat."""
        ...

    @property
    def stops(self) -> Sequence[int]:
        """The beats that a button jumps to, in order."""
        ...

    @property
    def stop(self) -> str:
        """The name of the beats in `stops`, in one or two words."""
        ...

    def event_documents(self) -> Iterable[dict[str, Any]]:
        """Return all events for a document: each with its beat, text, rule or line, and causes."""
        ...

    def frame(self) -> dict[str, Any]:
        """Return the parts of a document for the whole film: rules, sources, names of variables."""
        ...

    def of_beat(self, beat: int, whole: bool = False) -> dict[str, Any]:
        """Return a beat's document without its words: complete if `whole`, else the changes to the beat before."""
        ...

    def words(self, beat: int, /) -> str:
        """Return the status line of a beat; on the first and the last beat it also introduces or sums up the story."""
        ...

    def places(self) -> list[Point]:
        """Return the places of events on the map; empty without a map."""
        ...


def film(story: Story) -> list[Scene]:
    """Return all scenes of a story; the first one has no effects."""
    return [scene(story, beat) for beat in range(story.beats + 1)]


def scene(story: Story, beat: int) -> Scene:
    """Return the picture after a beat, and the effects of the beat."""
    return story.picture(beat), story.effects(beat)


def motion(story: Story) -> int:
    """Return the first beat in which a piece moves or an effect is visible, or 0 without such a beat."""
    places: dict[str, tuple[float, float, float]] = {}
    for beat in range(story.beats + 1):
        picture, effects = scene(story, beat)
        before = places
        places = {piece.key: (piece.x, piece.y, piece.angle) for piece in picture.pieces}
        if any(before.get(key, place) != place for key, place in places.items()) or any(effects):
            return beat
    return 0


def places(story: Story) -> list[Point]:
    """Return the old and new places of all pieces that the story changes; empty without a map."""
    before, after = story.picture(0), story.picture(story.beats)
    if before.map is None or before.map != after.map:
        return []
    old, new = ({piece.key: piece for piece in picture.pieces} for picture in (before, after))
    keys = [key for key in dict.fromkeys((*old, *new)) if old.get(key) != new.get(key)]
    return [(pieces[key].x, pieces[key].y) for key in keys for pieces in (old, new) if key in pieces]


def summary(story: Story, beat: int | None = None) -> Picture:
    """Return the picture after a beat (by default the last) with the paths driven until then."""
    beat = story.beats if beat is None else beat
    picture = story.picture(beat)
    return replace(picture, pieces=(Piece("ways", 0, 0, tuple(story.ways(beat))), *picture.pieces))
