"""A film as a document: plain JSON that a browser, or any other program, plays without Python and without the rules.

Every shape is stored once. A beat stores only its changes: the pieces that are new or have moved, with their positions
and drawings, the pieces that are removed, the effects, and a description in words. An event has its rule or line, its
causes and the pieces that it changed. `film.schema.json` in this folder describes every part.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import isfinite
from typing import Any

from crashlab.base.groups import grouped
from crashlab.drawing.shapes import Circle, Colours, Line, Picture, Piece, Polygon, Shape, Text, arrow
from crashlab.drawing.story import NarratedStory
from crashlab.drawing.themes import THEMES, theme
from crashlab.drawing.tween import GLIDE, SPEEDS, Effects

VERSION = 1
MOST = 12_000  # maximum number of beats in a document
KEPT = 5000  # size of the cache of drawings by identity
WORD = re.compile(r"\w+(?:,\w+)*")  # coordinates such as 3,4 count as one word
Document = dict[str, Any]
POSE = ("x", "y", "angle", "scale", "alpha")
USUAL: Mapping[str, object] = {
    "angle": 0,
    "scale": 1,
    "alpha": 1,
    "label": "",
}  # defaults that are omitted for a new piece


def document(story: NarratedStory, title: str, **more: object) -> Document:
    """Build the document of a story, with the entries of `more` added.

    If a story combines two stories, an event's `of` is the prefix of the keys of its pieces. A story longer than MOST
    beats is truncated, and its last beat says so.
    """
    packed = Packed()
    last = min(story.beats, MOST)
    beats = [{**packed.beat(story, at), **story.of_beat(at)} for at in range(last + 1)]
    if rest := story.beats - last:
        beats[-1]["words"] += f" The film ends here; {rest} more beat{'s are' if rest > 1 else ' is'} not shown."
    events: list[Document] = [{**event, "pieces": []} for event in story.event_documents() if event["beat"] <= last]
    for at, some in grouped((event["beat"], event) for event in events).items():
        for change in beats[at].get("put", ()):
            for event in about(packed.keys[change["piece"]], some):
                event["pieces"].append(change["piece"])
    for event in events:
        event.pop("of", None)
    first = story.picture(0)
    return {
        "format": "crashlab film",
        "version": VERSION,
        "title": title,
        "words": first.words,
        "size": [number(first.width), number(first.height)],
        "milliseconds": SPEEDS,
        "glide": GLIDE,
        "themes": packed.themes(),
        "shapes": packed.shapes,
        "drawings": packed.drawings,
        "pieces": packed.keys,
        "beats": beats,
        "events": events,
        "stop": story.stop,
        "stops": [at for at in story.stops if at <= last],
        **story.frame(),
        **more,
    }


def about(key: str, events: Sequence[Document]) -> list[Document]:
    """Return the events of a beat whose texts share the most words with the key of a piece; in a tie, all of them."""
    if key == "ways":
        return []
    mine = [event for event in events if key.startswith(event.get("of", ""))]
    words = set(WORD.findall(key))
    counts = [len(words.intersection(WORD.findall(event["text"]))) for event in mine]
    return [event for event, count in zip(mine, counts, strict=True) if count == max(counts)]


@dataclass
class LastScene:
    """The parts of the last scene that are needed to store only the changes of the next scene."""

    board: int | None = None
    lie: object = None  # the layout of the map (`Map.lie`)
    pieces: dict[int, Document] = field(default_factory=dict)  # in drawing order


class Packed:
    """The packed shapes and drawings, each stored once, and the latest poses of the pieces."""

    def __init__(self) -> None:
        self.shapes: list[Document] = []
        self.drawings: list[list[int]] = []
        self.keys: list[str] = []  # the keys of the pieces, by index
        self.piece_numbers: dict[str, int] = {}
        self.colours: dict[str, dict[str, str]] = {}
        self._shapes: dict[Shape, tuple[Shape, tuple[int, ...]]] = {}
        self._packed: dict[
            int, tuple[Shape, tuple[int, ...]]
        ] = {}  # by id; the shape is stored too, as its id would be reused otherwise
        self._plain: dict[tuple[Any, ...], int] = {}
        self._drawings: dict[tuple[int, ...], int] = {}
        self._posed: dict[str, tuple[Piece, Document]] = {}  # by key: the last piece and its pose
        self.begin()

    def begin(self) -> None:
        """Start another story, whose first beat stores everything."""
        self.seen = LastScene()
        self._same: dict[
            int, tuple[Iterable[Shape], int]
        ] = {}  # by id, with the shapes, as their id would be reused otherwise

    def beat(self, story: NarratedStory, number: int) -> Document:
        """Return the changes of a beat of a story, and its words."""
        picture = story.picture(number)
        ways = Piece("ways", 0, 0, tuple(story.ways(number)))
        return {"words": story.words(number), **self.scene(picture, [ways, *picture.pieces], story.effects(number))}

    def scene(self, picture: Picture, pieces: Iterable[Piece], effects: Effects) -> Document:
        """Return the changes from the last scene to this picture with these pieces, and the effects."""
        self.take(picture.colours)
        changes: Document = {}
        board = self.drawing(picture.board)
        if board != self.seen.board:
            changes["board"] = board
        lie = picture.map and picture.map.lie
        if self.seen.board is not None and lie != self.seen.lie:
            changes["cut"] = True
        self.seen.board, self.seen.lie = board, lie
        changes |= self.changes(pieces)
        if documents := [self.effect(*pair) for pair in effects]:
            changes["effects"] = documents
        return changes

    def changes(self, pieces: Iterable[Piece]) -> Document:
        """Return the changed and the removed pieces, and the order of all pieces if it is not the usual order."""
        new = {self.piece(piece.key): self.pose(piece) for piece in pieces}
        old = self.seen.pieces
        put = []
        for piece, pose in new.items():
            before = old.get(piece, USUAL)
            if before is pose:
                continue
            difference = {name: value for name, value in pose.items() if before.get(name) != value}
            if difference or piece not in old:
                put.append({"piece": piece, **difference})
        absent = [piece for piece in old if piece not in new]
        usual = [*(piece for piece in old if piece in new), *(piece for piece in new if piece not in old)]
        self.seen.pieces = new
        changes = {"put": put, "gone": absent, "order": list(new) if usual != list(new) else []}
        return {name: value for name, value in changes.items() if value}

    def effect(self, start: Piece, end: Piece) -> list[Document]:
        """Return the first pose of a piece that exists only as an effect, and the differences of its last pose."""
        first, last = self.pose(replace(start, label="")), self.pose(replace(end, label=""))
        return [
            {name: value for name, value in first.items() if USUAL.get(name) != value},
            {name: value for name, value in last.items() if first[name] != value},
        ]

    def piece(self, key: str) -> int:
        """Return the index of a key, which is added if it is new."""
        if key not in self.piece_numbers:
            self.piece_numbers[key] = len(self.keys)
            self.keys.append(key)
        return self.piece_numbers[key]

    def pose(self, piece: Piece) -> Document:
        """Return the pose of a piece: its drawing, position, angle, scale, alpha and label."""
        was, pose = self._posed.get(piece.key, (None, {}))
        if was is not piece and was != piece:
            pose = {name: number(getattr(piece, name)) for name in POSE}
            pose = {"drawing": self.drawing(piece.shapes), **pose, "label": piece.label}
            self._posed[piece.key] = piece, pose
        return pose

    def drawing(self, shapes: Iterable[Shape]) -> int:
        """Return the index of a drawing, which is added if it is new."""
        if len(self._same) > KEPT:
            self._same = {}
        if id(shapes) not in self._same:  # most drawings of a beat also occur in the beat before
            numbers_of, pack = self._packed, self.shape
            numbers = tuple([n for shape in shapes for n in (numbers_of.get(id(shape)) or pack(shape))[1]])
            if numbers not in self._drawings:
                self._drawings[numbers] = len(self.drawings)
                self.drawings.append(list(numbers))
            self._same[id(shapes)] = shapes, self._drawings[numbers]
        return self._same[id(shapes)][1]

    def shape(self, shape: Shape) -> tuple[Shape, tuple[int, ...]]:
        """Return a shape with its indices: one, or two for an arrow, its shaft and its head."""
        if shape not in self._shapes:
            parts = arrow(shape) if isinstance(shape, Line) and shape.arrow else (shape,)
            self._shapes[shape] = shape, tuple([self.part(part) for part in parts])
            self._packed[id(shape)] = self._shapes[shape]
        return self._shapes[shape]

    def part(self, shape: Shape) -> int:
        """Return the index of a shape other than an arrow, which is added if it is new."""
        document = plain(shape)
        same = tuple([(name, tuple(value) if isinstance(value, list) else value) for name, value in document.items()])
        if same not in self._plain:
            self._plain[same] = len(self.shapes)
            self.shapes.append(document)
        return self._plain[same]

    def take(self, colours: Colours) -> None:
        """Add the colours of a picture."""
        for name, paints in colours.items():
            self.colours.setdefault(name, {}).update(paints)

    def themes(self) -> dict[str, dict[str, str]]:
        """Return the used colours in every theme, with the colours of the player's own controls."""
        names = {shape[name] for shape in self.shapes for name in ("fill", "stroke") if name in shape} | set(PAINTS)
        return {name: {paint: theme(name, self.colours)[paint] for paint in sorted(names)} for name in THEMES}


PAINTS = ("panel", "panel edge", "ink", "muted", "wood", "flash", "flash edge", "path", "path edge", "gain", "loss")


def plain(shape: Shape) -> Document:
    """Return a shape as JSON, without default values."""
    if isinstance(shape, Text):
        document: Document = {"text": shape.text, "at": [number(shape.x), number(shape.y)], "size": number(shape.size)}
        document |= {"fill": shape.fill}
        if shape.align != "centre":
            document["align"] = shape.align
        if shape.bold:
            document["bold"] = True
    elif isinstance(shape, Circle):
        document = {"circle": [number(shape.x), number(shape.y), number(shape.radius)]}
    else:
        kind = "line" if isinstance(shape, Line) else "polygon"
        document = {kind: [number(value) for point in shape.points for value in point]}
    if isinstance(shape, Polygon | Circle) and shape.fill:
        document["fill"] = shape.fill
    if not isinstance(shape, Text) and shape.stroke:
        document |= {"stroke": shape.stroke, "width": number(shape.width)}
    if shape.alpha != 1:
        document["alpha"] = number(shape.alpha)
    return document


@lru_cache(maxsize=1 << 16)
def number(value: float) -> float:
    """Round a number to hundredths; nan and infinity, which JSON lacks, become 0."""
    short = round(float(value), 2) if isfinite(value) else 0
    return int(short) if short == int(short) else short
