"""The layout of Crash by Crash's pictures, and their static shapes."""

from functools import cache
from math import sqrt

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Line, Point, Polygon, Shape, Text, slab, wood
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as t

SIZE = 23.0  # from the middle of a cell to a corner
HALF = SIZE * sqrt(3) / 2  # from the middle of a cell to a side
EDGE, TOP = 31.0, 27.0  # margins beside and above the floor
WIDTH, HEIGHT = 760.0, 756.0
CENTRES = tuple((EDGE + HALF + x, TOP + SIZE + y) for x, y in t.BOARD.centres(SIZE))
FLOOR_END = EDGE + 26 * HALF, TOP + SIZE * (1.5 * t.ROWS + 0.5)  # right, bottom
UP = 4.0  # height of a car above its cell's middle, which keeps the dots of the value visible

PANEL = (562.0, 10.0, 750.0, FLOOR_END[1] + 5)  # left, top, right, bottom
ROW_LEFT, ROW_RIGHT = PANEL[0] + 12, PANEL[2] - 12
BLOCKS_TOP = 110.0  # top of the sides' blocks
TRACK_Y = 92.0
STOCK_Y, HANDS_Y, LINE = 75.0, 90.0, 18.0  # in a block: the stock, the first card; height of a card


# The floor


@cache
def rim(tile: int) -> tuple[Point, ...]:
    """Return the rim of a tile."""
    return t.BOARD.outline(t.cells_of(tile), CENTRES, SIZE)


@cache
def board_shapes(values: tuple[int, ...], holes: tuple[int, ...], players: int) -> tuple[Shape, ...]:
    """Draw the static shapes: wood, rail, tiles with their values, holes, and the panel."""
    shapes: list[Shape] = [*wood(WIDTH, HEIGHT), *rail(), *numbers()]
    for tile in range(t.TILES):
        shapes += (
            hole(tile) if holes[tile] else [shape for cell in t.cells_of(tile) for shape in face(cell, values[cell])]
        )
    seams = [Polygon(rim(tile), "", "seam", 2.6) for tile in range(t.TILES) if not holes[tile]]
    return (*shapes, *seams, *panel(players))


@cache
def rail() -> tuple[Shape, ...]:
    """Draw the barrier round the floor."""
    walk = t.BOARD.outline(range(t.CELLS), CENTRES, SIZE)
    return Polygon(walk, "rail", "rail edge", 13), Polygon(walk, "", "rail", 10), Polygon(walk, "", "rail light", 5)


def numbers() -> tuple[Shape, ...]:
    """Draw the row numbers, and the column numbers of the first row."""
    rows = [CENTRES[t.BOARD.cell[row, row % 2]][1] for row in range(t.ROWS)]
    columns = [CENTRES[column][0] for column in range(13)]
    return (
        *(Text(12, y, str(row), 14, "ink") for row, y in enumerate(rows)),
        *(Text(x, 10, str(column), 14, "ink") for column, x in enumerate(columns)),
    )


@cache
def face(cell: int, value: int) -> tuple[Shape, ...]:
    """Draw a cell with the colour and the dots of its value."""
    x, y = CENTRES[cell]
    dots = (Circle(x + 6.4 * (n - (value - 1) / 2), y + 14.8, 2.5, f"value {value} ink") for n in range(value))
    return (Polygon(hexes.corners((x, y), SIZE), f"value {value}", "value edge", 0.8), *dots)


def hole(tile: int) -> tuple[Shape, ...]:
    """Draw the hole that a flower has left."""
    middle = CENTRES[t.cells_of(tile)[0]]
    deep = [tuple(primitives.between(middle, point, share) for point in rim(tile)) for share in (0.86, 0.7)]
    return (
        Polygon(rim(tile), "hole", "hole edge", 3.5),
        *(Polygon(points, "hole deep", alpha=0.55) for points in deep),
    )


# The panel


def block_height(players: int) -> float:
    """Return the height of a side's block."""
    return HANDS_Y + players // 2 * (3 * LINE + 3) + 2


def block_top(players: int, side: int) -> float:
    """Return the top of a side's block."""
    return BLOCKS_TOP + side * block_height(players)


def stock_place(players: int, car: int) -> Point:
    """Return the position of a car in its owner's stock."""
    side, number = divmod(car, t.FLEET)
    aside = 151.0 if number == t.STANDARD else 5 + 13.6 * number
    return ROW_LEFT + aside, block_top(players, side) + STOCK_Y


def score_place(players: int, side: int) -> Point:
    """Return the position of a side's score."""
    return ROW_RIGHT, block_top(players, side) + 24


def slip_place(players: int, seat: int, number: int) -> Point:
    """Return the position of a hand's card in the panel."""
    top = block_top(players, seat & 1) + HANDS_Y + seat // 2 * (3 * LINE + 3)
    return ROW_LEFT + 30, top + LINE * (number + 0.5)


def badge_place(players: int, seat: int) -> Point:
    """Return the position of a seat's letter, beside its hand."""
    x, y = slip_place(players, seat, 0)
    return x - 17, y + 3


def panel(players: int) -> tuple[Shape, ...]:
    """Draw the panel: the scoring track, each side's line and name, the letters of seats, and the legend."""
    shapes: list[Shape] = [primitives.panel(*PANEL)]
    shapes += [Circle(*track_place(n), 10.5, "wood", "panel edge", 1.5, 0.8) for n in range(rules.LAST)]
    for side in range(2):
        top = block_top(players, side)
        shapes += (
            Line(((ROW_LEFT, top), (ROW_RIGHT, top)), "panel edge", 1.4),
            *badge(side, ROW_LEFT + 16, top + 24, 1.0),
            Text(ROW_LEFT + 40, top + 24, w.SIDES[side], 17, "ink", "left", bold=True),
        )
        for seat in range(side, players, 2):
            x, y = badge_place(players, seat)
            shapes += [
                Circle(x, y, 9.5, f"seat {side}"),
                Text(x, y, w.SEATS[seat], 14, f"seat {side} ink", bold=True),
            ]
    return (*shapes, *values())


def values() -> tuple[Shape, ...]:
    """Draw the legend of the colours and dots of cells."""
    shapes: list[Shape] = []
    y = PANEL[3] - 20
    for value in range(4):
        x = ROW_LEFT + 12 + 44 * value
        dots = (Circle(x + 5 * (n - (value - 1) / 2), y + 6, 1.9, f"value {value} ink") for n in range(value))
        shapes += [Polygon(hexes.corners((x, y), 13), f"value {value}", "seam", 1.2), *dots]
        shapes.append(Text(x + 16, y, str(value), 14, "ink", "left"))
    return tuple(shapes)


def track_place(number: int) -> Point:
    """Return the position of a bell on the scoring track."""
    return ROW_LEFT + 10 + 24 * number, TRACK_Y


@cache
def badge(side: int, x: float, y: float, scale: float) -> tuple[Shape, ...]:
    """Draw the sign of a side: round for blue, square for orange."""
    half = 14 * scale
    if side == 0:
        return (Circle(x, y, half + 1, "rubber"), Circle(x, y, half - 1, "seat 0", "number", 1.6 * scale))
    return (
        Polygon(slab(x - half, y - half, x + half, y + half, 5 * scale), "rubber"),
        Polygon(slab(x - half + 2, y - half + 2, x + half - 2, y + half - 2, 4 * scale), "seat 1", "number", 1.6),
    )
