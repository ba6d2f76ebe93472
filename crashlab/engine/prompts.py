"""Prompts at the board: choices of an action, questions about a turn, and edits of a position."""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from crashlab.drawing.shapes import Point, Shape


@dataclass(frozen=True, slots=True)
class Choice:
    """A next choice of an action: the word to add to those chosen, and its click target on the board.

    A game's `choices(table, seat, chosen)` lists them; when the action is complete, the only choice has `action`.
    """

    word: str  # added to the words chosen so far
    text: str  # label in a list of choices
    x: float = 0.0  # point to click
    y: float = 0.0
    shapes: tuple[Shape, ...] = ()  # click target, in board coordinates
    action: str = ""  # the action in notation, if this word completes it
    ghost: tuple[Shape, ...] = ()  # preview shown while the choice is hovered


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a turn that has not been shown yet.

    All questions about a turn are asked before it is shown, so the text, answers and places of a question must not
    reveal its own answer or that of a later question.
    """

    text: str
    answers: tuple[str, ...]
    right: int
    reason: int  # the number of the event that decides the answer, or -1
    places: tuple[Point, ...] = ()  # the point to click for each answer, if the answers are places
    shapes: tuple[Shape, ...] = ()  # shapes that show the right answer after the turn
    outlines: tuple[tuple[Point, ...], ...] = ()  # outlines round the places, which leave their content legible
    hides_ways: bool = False  # whether the planned paths would reveal the answer


def kept(table: Any, place: int) -> None:
    """Change nothing."""


@dataclass(frozen=True, slots=True)
class Field:
    """A value of a position that can be edited; `put` sets it in a table."""

    name: str
    values: tuple[str, ...]
    value: str  # the current value
    places: tuple[Point, ...] = ()  # the points to click for the first values, if the values are places
    put: Callable[[Any, int], None] = dataclass_field(default=kept, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Edit:
    """The editable values of a piece. A game's `edits(table)` lists them; `game.edited` applies one."""

    key: str  # key of the piece
    text: str
    fields: tuple[Field, ...]
