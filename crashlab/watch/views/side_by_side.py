"""Two films or turns side by side, as one story: the same beat of both, and the counts of each until then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from crashlab.drawing.film_json import Document, document
from crashlab.drawing.shapes import Picture, Piece, Point, Shape, Text, placed
from crashlab.drawing.tween import Effects
from crashlab.engine import turn_film
from crashlab.engine.game import Turn
from crashlab.engine.notation import counted
from crashlab.engine.turn_film import TurnStory
from crashlab.watch.views.film_story import FilmStory, sheet

HEAD = 34.0  # pixels above the pictures
GAP = 10.0  # pixels between the pictures


@dataclass(frozen=True)
class StorySide(TurnStory):
    """Turns for a StoryPair, named by a title, or by the game whose rules they follow."""

    title: str = ""

    @classmethod
    def of(cls, *turns: Turn, title: str = "") -> StorySide:
        """Build the film of these turns."""
        whole = turn_film.story_of(turns)
        return cls(whole.turns, whole.shots, title=title)

    @property
    def name(self) -> str:
        """The title, else the name of the game including its house rules."""
        return self.title or self.turns[0].before.game.name

    @property
    def settings(self) -> dict[str, object]:
        """The options of the game, and the constants of house rules."""
        game = self.turns[0].before.game
        return {**game.options, **dict(game.house.constants if game.house else ())}

    @cached_property
    def ground(self) -> Picture:
        """The board before the first turn."""
        before: Picture = self.turns[0].before.picture()
        return before

    def done(self, beat: int) -> dict[str, Any]:
        """Return the totals of the players after a beat."""
        state = self.at(beat)
        return dict(state.game.render.purses(state.table))


class StoryPair:
    """Two films with their boards and views, or two turns; the shorter one stops at its end."""

    stop = ""
    stops: Sequence[int] = ()

    def __init__(self, one: FilmStory | StorySide, other: FilmStory | StorySide) -> None:
        self.both = one, other
        self.beats = max(one.beats, other.beats)
        self.events: list[tuple[int, Any]] = [*one.events, *other.events]
        self.names = distinct_names(one, other)
        self._laid: tuple[Sequence[tuple[Shape, ...]], tuple[Shape, ...]] | None = None
        self.shifts = 0.0, one.ground.width + GAP
        self.size = self.shifts[1] + other.ground.width, HEAD + max(one.ground.height, other.ground.height)

    def picture(self, beat: int) -> Picture:
        """Draw both pictures after a beat, each below its name and beat."""
        pieces: list[Piece] = []
        words = []
        boards = []
        for number, show in enumerate(self.both):
            here = min(beat, show.beats)
            picture = show.picture(here)
            boards.append(picture.board)
            pieces += [self.beside(number, piece) for piece in picture.pieces]
            heading = f"{self.names[number]}: beat {here} of {show.beats}{' ✓' if here == show.beats else ''}"
            middle = self.shifts[number] + show.ground.width / 2
            pieces.append(Piece(f"{number} heading", middle, HEAD / 2, (Text(0, 0, heading, 17, "ink", bold=True),)))
            words.append(picture.words)
        colours = {**self.both[0].ground.colours, **self.both[1].ground.colours}
        return Picture(*self.size, self.ground(boards), tuple(pieces), " ".join(words), None, colours)

    def ground(self, boards: Sequence[tuple[Shape, ...]]) -> tuple[Shape, ...]:
        """Return both boards in their places, cached as long as they stay the same objects."""
        if not (self._laid and all(board is was for board, was in zip(boards, self._laid[0], strict=True))):
            shapes: list[Shape] = [sheet(0, 0, *self.size)]
            for board, shift in zip(boards, self.shifts, strict=True):
                shapes += placed(Piece("", shift, HEAD, board))
            self._laid = boards, tuple(shapes)
        return self._laid[1]

    def beside(self, number: int, piece: Piece) -> Piece:
        """Move a piece of one story to its place in the picture of both."""
        return replace(piece, key=f"{number} {piece.key}", x=piece.x + self.shifts[number], y=piece.y + HEAD)

    def counts(self, beat: int) -> list[list[str]]:
        """Return the counts of both stories until a beat as rows of text, below a row with their names."""
        here = [(show, min(beat, show.beats)) for show in self.both]
        counts = [show.done(at) for show, at in here]
        names = dict.fromkeys(what for side in counts for what in side)
        rows = [[what, *(str(side.get(what, "–")) for side in counts)] for what in names]
        beats = [f"{at} of {show.beats}" for show, at in here]
        return [["", *self.names], ["beats", *beats], *rows]

    def words(self, beat: int) -> str:
        """Describe the beat in both stories, one below the other."""
        if beat == 0:
            pairs = zip(self.names, self.both, strict=True)
            names = " and ".join(f"{name} ({counted(show.beats, 'beat')})" for name, show in pairs)
            return f"Before {names}."
        return "\n".join(show.words(min(beat, show.beats)) for show in self.both)

    def effects(self, beat: int) -> Effects:
        """Return the effects on both boards."""
        return [
            (self.beside(number, start), self.beside(number, end))
            for number, show in enumerate(self.both)
            for start, end in (show.effects(beat) if beat <= show.beats else ())
        ]

    def ways(self, beat: int) -> Iterable[Shape]:
        """Return the lines of movement on both boards."""
        pairs = zip(self.both, self.shifts, strict=True)
        ways = (Piece("", shift, HEAD, tuple(show.ways(min(beat, show.beats)))) for show, shift in pairs)
        return [shape for piece in ways for shape in placed(piece)]

    def document(self, **more: Any) -> Document:
        """Return both stories as one plain JSON document, with the counts of each beat."""
        result = document(self, " and ".join(self.names), **more)
        for source in result["sources"]:
            source.pop("runs", None)  # only the lab uses them
        return result

    def event_documents(self) -> Iterator[Document]:
        """Return the events of both stories, sorted by beat, with the names of the films in their texts."""
        numbered_events = (enumerate(show.event_documents()) for show in self.both)
        entries = [(side, number, event) for side, events in enumerate(numbered_events) for number, event in events]
        entries.sort(key=lambda one: one[2]["beat"])  # (side, number on that side, event)
        first = len(self.both[0].frame().get("sources", ()))
        places = {(side, number): place for place, (side, number, _) in enumerate(entries)}
        for side, _, event in entries:
            event["text"] = f"{self.names[side]}: {event['text']}"
            todo = [event]
            while todo:
                part = todo.pop()
                todo += part.get("causes", ())
                if "event" in part:
                    part["event"] = places[side, part["event"]]
                if "line" in part:
                    part["line"] = [part["line"][0] + side * first, part["line"][1]]
            yield {**event, "of": f"{side} "}

    def frame(self) -> Document:
        """Return the rules and the sources of both stories."""
        one, other = (show.frame() for show in self.both)
        sources = [*one.get("sources", ()), *other.get("sources", ())]
        return {"rules": {**one.get("rules", {}), **other.get("rules", {})}, "sources": sources}

    def of_beat(self, beat: int, whole: bool = False) -> Document:
        """Return the counts of both stories that changed in a beat, or all counts if `whole`."""
        before, now = self.counts(beat - 1) if beat else [], self.counts(beat)[1:]
        changed = [row[0] for row in now if row not in before]
        values = {what: " · ".join(cells) for what, *cells in now if whole or what in changed}
        if whole:
            return {"whole": True, "values": values, "changes": changed}
        return {"values": values} if changed else {}

    def places(self) -> list[Point]:
        """Return no places: the picture of two boards is not zoomed."""
        return []


def distinct_names(one: FilmStory | StorySide, other: FilmStory | StorySide) -> tuple[str, str]:
    """Return two different names.

    If the stories have the same name, the settings that differ are added, else left and right.
    """
    if one.name != other.name:
        return one.name, other.name
    mine, theirs = (side.settings if isinstance(side, StorySide) else {} for side in (one, other))
    differs = [what for what in {**mine, **theirs} if mine.get(what) != theirs.get(what)]
    if not differs:  # not A and B, which are players
        return f"{one.name}, left", f"{other.name}, right"
    differences = (", ".join(f"{what}={settings.get(what)!r}" for what in differs) for settings in (mine, theirs))
    first, second = (f"{one.name}, {words}" for words in differences)
    return first, second
