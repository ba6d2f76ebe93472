"""Hex boards: coordinates, neighbours, rays, distances and centre points agree with each other."""

from math import dist, sqrt

import pytest

from crashlab.engine.table import NOWHERE
from crashlab.games.autoscooter.state import BOARD
from crashlab.games.boards.hexes import DIRECTIONS, STEPS, HexBoard, angle, axial, centre, corners, distance, from_axial

PLACES = [(row, x) for row in range(-4, 5) for x in range(-8, 9) if (row + x) % 2 == 0]


def walk(board, start):
    """Return each cell's distance from start, by breadth-first search."""
    distances, edge = {start: 0}, [start]
    while edge:
        cell = edge.pop(0)
        for other in board.neighbours(cell):
            if other not in distances:
                distances[other] = distances[cell] + 1
                edge.append(other)
    return distances


def test_axial_coordinates_are_another_name_for_the_same_hex():
    assert axial(0, 0) == (0, 0) and axial(0, 2) == (1, 0) and axial(1, 1) == (0, 1)
    for place in PLACES:
        assert from_axial(*axial(*place)) == place


def test_axial_steps_are_the_six_of_the_books():
    """With q to the east and r to the south-east, cube coordinates always add up to 0."""
    steps = {name: axial(*step) for name, step in zip(DIRECTIONS, STEPS, strict=True)}
    assert steps == {"E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1)}


def test_opposite_steps_lead_back():
    for direction in range(6):
        there, back = STEPS[direction], STEPS[(direction + 3) % 6]
        assert (there[0] + back[0], there[1] + back[1]) == (0, 0)
    for cell in range(len(BOARD)):
        for direction in range(6):
            other = BOARD.ahead[6 * cell + direction]
            assert other == NOWHERE or BOARD.ahead[6 * other + (direction + 3) % 6] == cell


def test_distances_are_what_walking_takes():
    board = HexBoard(PLACES)
    for start in (0, 40, len(board) - 1):
        assert {cell: board.distance(start, cell) for cell in range(len(board))} == walk(board, start)
    assert distance((0, 0), (0, 6)) == 3 and distance((0, 0), (4, 0)) == 4 and distance((2, 2), (0, 8)) == 4


@pytest.mark.parametrize("direction", range(6))
def test_a_step_on_the_screen_goes_where_it_says(direction):
    """Neighbours are two apothems of a hex apart, at the angle of the direction; y grows downwards."""
    (row, x), (down, across) = (2, 2), STEPS[direction]
    start, end = centre(row, x, 10), centre(row + down, x + across, 10)
    assert dist(start, end) == pytest.approx(10 * sqrt(3))
    turned = {0: (1, 0), 60: (1, -1), 120: (-1, -1), 180: (-1, 0), 240: (-1, 1), 300: (1, 1)}[angle(direction)]
    for difference, sign in zip((end[0] - start[0], end[1] - start[1]), turned, strict=True):
        assert difference == pytest.approx(0, abs=1e-9) if sign == 0 else difference * sign > 1


def test_a_board_with_holes_has_no_neighbours_there():
    ring = HexBoard(step for step in STEPS)  # the middle is missing
    assert all(len(ring.neighbours(cell)) == 2 for cell in range(6))
    assert len(ring) == 6 and len(ring.centres(5)) == 6


def test_the_outline_of_hexes_goes_once_round_them_from_the_west():
    centres = BOARD.centres(10)
    for cells in (range(len(BOARD)), (0, BOARD.ahead[0])):
        rim = BOARD.outline(cells, centres, 10)
        assert len(rim) == sum(BOARD.ahead[6 * cell + way] not in cells for cell in cells for way in range(6))
        assert rim[0][0] == pytest.approx(min(x for x, _ in rim))
        assert all(dist(a, b) == pytest.approx(10) for a, b in zip(rim, (*rim[1:], rim[0]), strict=True))


def test_a_corner_has_the_same_number_in_all_hexes_that_share_it():
    spots = {}
    for cell, point in enumerate(BOARD.centres(10)):
        for number, corner in enumerate(corners(point, 10)):
            spots.setdefault(BOARD.corner(cell, number), set()).add((round(corner[0], 6), round(corner[1], 6)))
    assert all(len(numbers) == 1 for numbers in spots.values()) and len(spots) < 6 * len(BOARD)
