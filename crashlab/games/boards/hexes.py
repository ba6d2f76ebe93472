"""Hexagonal boards: cells as ints, neighbours, distances, centres.

Hexes stand on a corner (pointy top), so that rows run from west to east:

        NW  / \\  NE           directions, counter-clockwise:
           |   |               0 E   1 NE   2 NW   3 W   4 SW   5 SE
        W  |   |  E            a left turn is +1, a right turn is -1 (mod 6)
            \\ /
        SW       SE

A hex is stored as doubled coordinates (row, x): x grows by 2 along a row, and neighbouring rows are shifted by 1, so
that steps do not depend on the parity of a row. Axial coordinates (q, r) are only converted: `from_axial`, `axial`.
"""

from collections.abc import Collection, Iterable, Sequence
from math import cos, radians, sin, sqrt

from crashlab.engine.table import NOWHERE

Point = tuple[float, float]
DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")
STEPS = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))  # (rows, x) of a step in each direction


def axial(row: int, x: int) -> tuple[int, int]:
    """Convert doubled (row, x) to axial (q, r)."""
    return (x - row) // 2, row


def from_axial(q: int, r: int) -> tuple[int, int]:
    """Convert axial (q, r) to doubled (row, x)."""
    return r, 2 * q + r


def distance(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Return the distance in steps between two hexes, given as doubled (row, x), on an unbounded board."""
    rows, across = abs(a[0] - b[0]), abs(a[1] - b[1])
    return rows + max(0, (across - rows) // 2)


def centre(row: int, x: int, size: float) -> Point:
    """Return the centre (right, down) of a hex; `size` is its radius to a corner."""
    return x * size * sqrt(3) / 2, row * size * 1.5


def angle(direction: float) -> float:
    """Convert a direction to degrees counter-clockwise from east."""
    return direction * 60.0


def towards(point: Point, direction: float, length: float) -> Point:
    """Return the point at a distance in a direction; direction 0.5 is halfway between E and NE."""
    turned = radians(angle(direction))
    return point[0] + length * cos(turned), point[1] - length * sin(turned)


def corners(point: Point, size: float) -> tuple[Point, ...]:
    """Return the corners of a hex, counter-clockwise from the corner between east and north-east."""
    return tuple(towards(point, n + 0.5, size) for n in range(6))


class HexBoard:
    """A board of hexes, numbered in the given order; `ahead[6 * cell + direction]` is the neighbour or NOWHERE."""

    def __init__(self, hexes: Iterable[tuple[int, int]]) -> None:
        self.hexes = tuple(hexes)  # cell -> doubled (row, x)
        self.cell = {place: number for number, place in enumerate(self.hexes)}
        self.ahead = tuple(
            self.cell.get((row + down, x + across), NOWHERE) for row, x in self.hexes for down, across in STEPS
        )

    def __len__(self) -> int:
        return len(self.hexes)

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the neighbours of a cell."""
        return tuple(other for other in self.ahead[6 * cell : 6 * cell + 6] if other != NOWHERE)

    def distance(self, a: int, b: int) -> int:
        """Return the distance in steps between two cells on a board without holes."""
        return distance(self.hexes[a], self.hexes[b])

    def centres(self, size: float) -> tuple[Point, ...]:
        """Return the centre of every cell."""
        return tuple(centre(row, x, size) for row, x in self.hexes)

    def corner(self, cell: int, number: int) -> tuple[int, int]:
        """Return a corner of a cell as integers (right, down), equal for all cells that share it."""
        row, x = self.hexes[cell]
        return x + (1, 0, -1, -1, 0, 1)[number], 3 * row + (-1, -2, -1, 1, 2, 1)[number]

    def outline(self, cells: Collection[int], centres: Sequence[Point], size: float) -> tuple[Point, ...]:
        """Return the outline of connected cells as a closed path from its westernmost corner."""
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
