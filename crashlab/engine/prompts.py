"""What a person can be asked at the board: which action, what a turn will bring, what to change about a position."""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from crashlab.drawing.shapes import Point, Shape


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
    ghost: tuple[Shape, ...] = ()  # what would stand where, to be seen while it is pointed at


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a turn that has not been shown yet.

    All questions about a turn are asked before it is shown. So the words, answers and places of one must tell neither
    its own answer nor that of a later one.
    """

    text: str
    answers: tuple[str, ...]
    right: int
    reason: int  # the number of the event that decides it, -1: none
    places: tuple[Point, ...] = ()  # where to click for each answer, if they are places
    shapes: tuple[Shape, ...] = ()  # what shows the right answer on the board after the turn
    outlines: tuple[tuple[Point, ...], ...] = ()  # round each of the places, so that all in it can be read
    hides_ways: bool = False  # whether the ways that are planned would tell


def kept(table: Any, place: int) -> None:
    """All stays as it is."""


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that can be changed about a position by hand; `put` changes it on a table."""

    name: str
    values: tuple[str, ...]
    value: str  # as it is
    places: tuple[Point, ...] = ()  # where to click for the first of the values, if they are places
    put: Callable[[Any, int], None] = dataclass_field(default=kept, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Edit:
    """What can be changed about one piece. A game's `edits(table)` lists them; `game.edited` makes one."""

    key: str  # of the piece
    text: str
    fields: tuple[Field, ...]
