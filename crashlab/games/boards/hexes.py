"""Hexagonal boards: cells as ints, neighbours, rays, distances, centre points.

Hexes stand on a corner (pointy top), so that rows run from west to east:

        NW  / \\  NE           directions, counter-clockwise:
           |   |               0 E   1 NE   2 NW   3 W   4 SW   5 SE
        W  |   |  E            a left turn is +1, a right turn is -1 (mod 6)
            \\ /
        SW       SE

A hex is stored as doubled coordinates (row, x): x grows by 2 along a row and neighbouring rows are shifted by 1.
So a step never asks whether a row is odd. Axial coordinates (q, r) exist only at the edge: `from_axial`, `axial`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import cos, radians, sin, sqrt

from crashlab.engine.table import NOWHERE

Point = tuple[float, float]
DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")
STEPS = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))  # (rows, x) of one step


def axial(row: int, x: int) -> tuple[int, int]:
    """Axial (q, r) of doubled (row, x)."""
    return (x - row) // 2, row


def from_axial(q: int, r: int) -> tuple[int, int]:
    """Doubled (row, x) of axial (q, r)."""
    return r, 2 * q + r


def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Steps between two hexes given as doubled (row, x), with nothing in the way."""
    rows, across = abs(a[0] - b[0]), abs(a[1] - b[1])
    return rows + max(0, (across - rows) // 2)


def centre(row: int, x: int, size: float) -> Point:
    """The point (right, down) in the middle of a hex; `size` is from its middle to a corner."""
    return x * size * sqrt(3) / 2, row * size * 1.5


def angle(direction: float) -> float:
    """Degrees counter-clockwise from east."""
    return direction * 60.0


def towards(point: Point, direction: float, length: float) -> Point:
    """The point so far away in a direction; a half lies between two directions."""
    turned = radians(angle(direction))
    return point[0] + length * cos(turned), point[1] - length * sin(turned)


def corners(point: Point, size: float) -> tuple[Point, ...]:
    """The six corners of a hex, counter-clockwise from the one between east and north-east."""
    return tuple(towards(point, n + 0.5, size) for n in range(6))


class HexBoard:
    """Some hexes, numbered from 0 in the order given; `ahead[6 * cell + direction]` is the neighbour or NOWHERE."""

    def __init__(self, hexes: Iterable[tuple[int, int]]) -> None:
        self.hexes = tuple(hexes)  # cell -> doubled (row, x)
        self.cell = {place: number for number, place in enumerate(self.hexes)}
        self.ahead = tuple(
            self.cell.get((row + down, x + across), NOWHERE) for row, x in self.hexes for down, across in STEPS
        )

    def __len__(self) -> int:
        return len(self.hexes)

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """The cells beside this one."""
        return tuple(other for other in self.ahead[6 * cell : 6 * cell + 6] if other != NOWHERE)

    def distance(self, a: int, b: int) -> int:
        """Steps between two cells, with nothing in the way and no hole between."""
        return distance(self.hexes[a], self.hexes[b])

    def centres(self, size: float) -> tuple[Point, ...]:
        """The middle of every cell."""
        return tuple(centre(row, x, size) for row, x in self.hexes)

    def corner(self, cell: int, number: int) -> tuple[int, int]:
        """A corner of a cell in whole numbers (right, down), the same for all cells that share it."""
        row, x = self.hexes[cell]
        return x + (1, 0, -1, -1, 0, 1)[number], 3 * row + (-1, -2, -1, 1, 2, 1)[number]

    def outline(self, cells: Collection[int], centres: Sequence[Point], size: float) -> tuple[Point, ...]:
        """The rim of cells that hang together, in one closed walk from its westernmost corner; `centres` are of all."""
        points: dict[tuple[int, int], Point] = {}
        following: dict[tuple[int, int], tuple[int, int]] = {}
        for cell in cells:
            around = corners(centres[cell], size)
            for direction in range(6):
                if self.ahead[6 * cell + direction] not in cells:
                    start = self.corner(cell, direction - 1)
                    points[start] = around[direction - 1]
                    following[start] = self.corner(cell, direction)
        walk = [min(following)]
        while len(walk) < len(following):
            walk.append(following[walk[-1]])
        return tuple(points[corner] for corner in walk)
