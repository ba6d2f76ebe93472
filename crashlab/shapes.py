"""What a picture is made of: plain shapes. No drawing happens here.

Lengths are in pixels of a picture at scale 1, x to the right, y down; angles are degrees counter-clockwise from east.
Colours are names of a theme's colours (`"wood"`, `"seat 3"`), so that a picture is the same in the light and the dark.

A picture has a still part (`board`) and keyed `pieces`. The piece of one picture that has the key of a piece in the
next one is the same thing, moved: frames between two pictures are made from that and from nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed shape."""

    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc or a ring."""

    x: float
    y: float
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Line:
    """An open line through points, with a head at its end if it is an arrow."""

    points: tuple[Point, ...]
    stroke: str
    width: float = 2.0
    arrow: bool = False
    alpha: float = 1.0


@dataclass(frozen=True, slots=True)
class Text:
    """One line of words, centred on its point (or beginning or ending there); never turned, wherever it stands."""

    x: float
    y: float
    text: str
    size: float = 14.0
    fill: str = "ink"
    align: str = "centre"  # or "left", "right"
    bold: bool = False
    alpha: float = 1.0


Shape = Polygon | Circle | Line | Text


@dataclass(frozen=True, slots=True)
class Piece:
    """Shapes round (0, 0), put at a point and turned; `label` says what it is, in words."""

    key: str
    x: float
    y: float
    shapes: tuple[Shape, ...]
    angle: float = 0.0
    scale: float = 1.0
    alpha: float = 1.0
    label: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A still board, pieces on it in drawing order, and the same in words."""

    width: float
    height: float
    board: tuple[Shape, ...]
    pieces: tuple[Piece, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to go on choosing an action: a word to add to what is chosen, and how it looks on the board.

    A game's `choices(table, seat, chosen)` lists them; when nothing is left to choose, the one choice has `action`.
    """

    word: str  # joins the words chosen so far
    text: str  # for a list of choices
    x: float = 0.0  # where to click
    y: float = 0.0
    shapes: tuple[Shape, ...] = ()  # in board coordinates
    action: str = ""  # the whole action in notation, if this word completes it


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a turn that has not been shown yet."""

    text: str
    answers: tuple[str, ...]
    right: int
    reason: int  # the number of the event that decides it, -1: none
    places: tuple[Point, ...] = field(default=())  # where to click for each answer, if they are places
