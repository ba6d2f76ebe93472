"""Shapes with which choices are shown at the board of Crash by Crash: what is clicked, and what is meant."""

from __future__ import annotations

from crashlab.drawing import primitives as kit
from crashlab.drawing.shapes import Line, Piece, Point, Polygon, Shape, placed
from crashlab.engine.table import NOWHERE
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import board, cards, figures
from crashlab.games.crash_by_crash import table as t

Mark = tuple[Point, tuple[Shape, ...]]  # where a choice is clicked, and how it looks


def ring(place: Point, radius: float) -> tuple[Shape, ...]:
    """A ring round a piece to click."""
    return kit.ring(place, radius, 3, 5.5)


def dot(place: Point) -> tuple[Shape, ...]:
    """A cell to click."""
    return (kit.dot(place, 6.5, 2),)


def ticket(place: Point, words: str) -> tuple[Shape, ...]:
    """A ticket to click, with words on it."""
    return kit.ticket(place, words, max(17.0, 4.8 * len(words) + 5), 16, 14)


def card_mark(left: float, number: int, said: str) -> Mark:
    """A ticket at the lower edge of a card."""
    x, y = cards.card_place(left, number)
    place = x, y + cards.CARD_HIGH / 2 + 9
    return place, ticket(place, said)


def rack(table: t.CrashByCrash, place: Point) -> Point:
    """The middle of three tickets above or below a cell, where they hide the fewest pieces."""
    x, y = min(max(place[0], board.EDGE + 62), board.FLOOR_END[0] - 62), place[1]
    heights = [y + down for down in (-40, 40, -74, 74) if 30 < y + down < board.FLOOR_END[1] - 10]
    pieces = [board.CENTRES[cell % t.RINGING] for cell in table.cell if cell != NOWHERE]
    hidden = [sum(abs(px - x) < 78 and abs(py - height) < 26 for px, py in pieces) for height in heights]
    return x, heights[hidden.index(min(hidden))]


def swap_mark(one: Point, other: Point) -> Mark:
    """Two cars that can change places."""
    place = kit.between(one, other, 0.5)
    ends = kit.between(one, other, 0.28), kit.between(one, other, 0.72)
    return place, (*kit.way(ends, "path", 4, 8), Line(ends[::-1], "path", 4, arrow=True))


def arrow(start: Point, end: Point) -> tuple[Shape, ...]:
    """An arrow from a piece to a cell."""
    points = kit.between(start, end, 0.3), kit.between(start, end, 0.8)
    return kit.way(points, "path", 3.5, 7, 0.8)


def hit_shapes(start: Point, end: Point) -> tuple[Shape, ...]:
    """A hit from a cell on the car beside it."""
    points = kit.between(start, end, 0.15), kit.between(start, end, 0.62)
    return *ring((end[0], end[1] - board.UP), 18), *kit.way(points, "path", 4.5, 9)


def ghost(side: int, cell: int, is_magnet: bool) -> tuple[Shape, ...]:
    """A car that is to be placed on a cell."""
    x, y = board.CENTRES[cell]
    return placed(Piece("", x, y - board.UP, figures.car_shapes(side, is_magnet), alpha=0.65))


def cross(cell: int) -> tuple[Shape, ...]:
    """A car that is to go home."""
    x, y = board.CENTRES[cell]
    lines = [((x - 12, y - 12), (x + 12, y + 12)), ((x - 12, y + 12), (x + 12, y - 12))]
    return (*(Line(line, "path edge", 7) for line in lines), *(Line(line, "loss", 4) for line in lines))


def pull_marks(table: t.CrashByCrash, side: int, cell: int) -> tuple[Shape, ...]:
    """CB-M1: the six cells from which a magnet on this cell would pull, and its lines of force."""
    moment = table.copy()
    moment.cell[t.FLEET * side + t.STANDARD] = cell
    far = [t.AHEAD[6 * t.AHEAD[6 * cell + way] + way] for way in range(6)]
    rims = [
        Polygon(hexes.corners(board.CENTRES[other], board.SIZE - 3), "", "magnet", 3)
        for other in far
        if other != t.OUTSIDE and not table.gone[t.TILE[other]]
    ]
    return (*rims, *placed(figures.pull_piece(moment, side)))
