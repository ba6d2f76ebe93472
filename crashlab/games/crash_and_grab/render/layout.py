"""The geometry of a picture of Crash & Grab."""

from collections.abc import Iterator
from functools import cache

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Line, Point, Polygon, Shape, Text, rectangle, slab, star, wood
from crashlab.engine.notation import SEATS
from crashlab.games.crash_and_grab import state as t

# Dimensions


WIDTH, HEIGHT = 760.0, 552.0
EDGE = 28.0  # width of the edge of the board, with the markers
SIDE = 456.0  # width of the board for all sizes
MIDDLE = EDGE + SIDE / 2
QUEUE_Y = 530.0
PANEL = (514.0, 10.0, 750.0, 542.0)  # left, top, right, bottom
ROW_LEFT, ROW_RIGHT = PANEL[0] + 12, PANEL[2] - 12
ROWS_TOP = 82.0  # upper edge of the rows in the panel
SPACE = 57.0  # width of a space of the smallest board, for which the pieces are drawn
OFF = "off the board"

# By saucer: its colour in the theme.
PAINTS = ("red", "seat 2", "seat 0", "yellow", "purple", "seat 3")


# Names of saucers on the board: the same letter for all saucers of a player


def letter(players: int, saucer: int) -> str:
    """Return the letter of a saucer's seat."""
    return SEATS[saucer // 2 if players == 2 else saucer]


def second(players: int, saucer: int, x: float, y: float, ink: str) -> tuple[Shape, ...]:
    """Draw a line below the letter of a player's second saucer."""
    return (Line(((x - 6, y + 9.5), (x + 6, y + 9.5)), ink, 2),) if players == 2 and saucer % 2 else ()


# Small geometry


def unit(table: t.CrashAndGrab) -> float:
    """Return the width of a space."""
    return SIDE / table.size[0]


def centre(table: t.CrashAndGrab, cell: int) -> Point:
    """Return the middle of a space."""
    return EDGE + unit(table) * (cell % 10 + 0.5), EDGE + unit(table) * (cell // 10 + 0.5)


def outside(table: t.CrashAndGrab, cell: int, direction: int) -> Point:
    """Return a point just off the board, next to this space in this direction."""
    x, y = centre(table, cell)
    near, far = EDGE - 12, EDGE + SIDE + 12
    return ((x, near), (far, y), (x, far), (near, y))[direction]


# The board


@cache
def board_shapes(size: int, ground: tuple[int, ...], saucers: int, players: int) -> tuple[Shape, ...]:
    """Draw everything that does not move: wood, spaces and their ground, tiles, markers, and the panel."""
    return (*wood(WIDTH, HEIGHT), *spaces(size, ground), *seams(size), *markers(), *panel(saucers, players))


def spaces(size: int, ground: tuple[int, ...]) -> tuple[Shape, ...]:
    """Draw the spaces with their ground."""
    step = SIDE / size
    end = EDGE + SIDE
    shapes: list[Shape] = [
        Polygon(slab(EDGE - 5, EDGE - 5, end + 5, end + 5, 8), "rail", "rail edge", 1.5),
        Polygon(rectangle(EDGE, EDGE, end, end), "cell"),
    ]
    for n in range(1, size):
        at = EDGE + n * step
        shapes += [Line(((at, EDGE), (at, end)), "cell edge", 1.2), Line(((EDGE, at), (end, at)), "cell edge", 1.2)]
    for cell, kind in enumerate(ground):
        if cell // 10 >= size or cell % 10 >= size:
            continue
        point = EDGE + step * (cell % 10 + 0.5), EDGE + step * (cell // 10 + 0.5)
        ink = "cell ink"
        if kind == t.ACCELERATOR:
            shapes = [*shapes, *accelerator(*point, step / SPACE)]
            ink = "rail light"
        elif kind != t.PLAIN:
            shapes += crash_site(*point, step / SPACE)
        name = t.place_words(cell)
        shapes.append(Text(point[0] + step / 2 - 4, point[1] + step / 2 - 9, name, 14, ink, "right", alpha=0.8))
    return tuple(shapes)


def crash_site(x: float, y: float, scale: float) -> tuple[Shape, ...]:
    """Draw a crater, without its number."""
    return (
        Circle(x, y, 22 * scale, "wood", "cell edge", 2, alpha=0.75),
        Circle(x, y, 15 * scale, "wood grain", "cell edge", 1.2, alpha=0.9),
    )


def accelerator(x: float, y: float, scale: float) -> tuple[Shape, ...]:
    """Draw a dark pad with a chevron to each side."""
    half = 25.5 * scale
    shapes: list[Shape] = [Polygon(slab(x - half, y - half, x + half, y + half, 8 * scale), "rail edge")]
    for direction in range(4):
        tip = primitives.towards((x, y), direction, 17 * scale)
        base = primitives.towards(tip, direction, -6 * scale)
        wings = [primitives.towards(base, (direction + side) % 4, 7 * scale) for side in (1, 3)]
        shapes.append(Line((wings[0], tip, wings[1]), "rail light", 3.4 * scale))
    return (*shapes, Polygon(star(x, y, 5.5 * scale, 2.2 * scale, 4), "rail light"))


def seams(size: int) -> Iterator[Shape]:
    """Draw the edges of the tiles."""
    step = SIDE / size
    for row, column, height, width in (t.layout(size, place) for place in range(t.PLACES)):
        if height and width:
            left, top = EDGE + step * column, EDGE + step * row
            right, bottom = left + step * width, top + step * height
            around = (left, top), (right, top), (right, bottom), (left, bottom)
            yield Polygon(around, "", "cell ink", 1.4, 0.6)


def markers() -> tuple[Shape, ...]:
    """Draw the names of the four directions at the sides, each with its sign (CG-B4)."""
    near, far = 12.0, 2 * EDGE + SIDE - 12
    right = [Text(far, MIDDLE + 20 + 14 * n, letter, 14, "ink", bold=True) for n, letter in enumerate("ASTEROIDS")]
    left = [Text(near, MIDDLE + 20 + 14 * n, letter, 14, "ink", bold=True) for n, letter in enumerate("STARS")]
    return (
        Polygon(star(MIDDLE - 28, near, 10, 6, 10), "rail light", "ink", 1),
        Text(MIDDLE - 12, near, "SUN", 14, "ink", "left", bold=True),
        Circle(far, MIDDLE - 3, 7, "nobody", "ink", 1),
        Circle(far - 2, MIDDLE - 5, 2, "ink", alpha=0.5),
        Circle(far + 3, MIDDLE + 7, 3.5, "nobody", "ink", 1),
        *right,
        Line(((MIDDLE - 46, far - 5), (MIDDLE - 34, far + 1)), "flash", 5),
        Circle(MIDDLE - 31, far + 2, 5, "flash edge", "ink", 1),
        Text(MIDDLE - 20, far, "METEOR", 14, "ink", "left", bold=True),
        Polygon(star(near - 1, MIDDLE - 6, 7, 3, 5), "rail light", "ink", 1),
        Polygon(star(near + 4, MIDDLE + 6, 4.5, 2, 5), "rail light", "ink", 1),
        *left,
    )


# The panel


def row_height(saucers: int) -> float:
    """Return the height of a saucer's row."""
    return min((PANEL[3] - ROWS_TOP - 4) / saucers, 114.0)


def row_top(saucers: int, saucer: int) -> float:
    """Return the upper edge of a saucer's row."""
    return ROWS_TOP + saucer * row_height(saucers)


def badge_at(saucers: int, saucer: int) -> Point:
    """Return the middle of a saucer's badge, at which the saucer is drawn when it is off the board."""
    return ROW_LEFT + 19, row_top(saucers, saucer) + 22


def panel(saucers: int, players: int) -> tuple[Shape, ...]:
    """Draw the panel with a row for each saucer: its badge, and the signs of energy and boosters."""
    shapes: list[Shape] = [primitives.panel(*PANEL)]
    for saucer in range(saucers):
        top = row_top(saucers, saucer)
        x, y = badge_at(saucers, saucer)
        strong = players > 2 or saucer % 2 == 0
        shapes += (
            Line(((ROW_LEFT, top), (ROW_RIGHT, top)), "panel edge", 1.4 if strong else 0.7, alpha=1 if strong else 0.5),
            *primitives.badge((x, y), letter(players, saucer), PAINTS[saucer], 18, 19),
            *second(players, saucer, x, y, f"{PAINTS[saucer]} ink"),
            *bolt(ROW_LEFT + 54, y - 5),
            *rocket(ROW_LEFT + 102, y - 5),
        )
    return (*shapes, Text(EDGE - 6, QUEUE_Y, "waiting", 14, "ink", "left"))


def bolt(x: float, y: float) -> tuple[Shape, ...]:
    """Draw the sign of energy."""
    points = ((2, -11), (-7, 2), (-1, 2), (-3, 11), (7, -3), (1, -3))
    return (Polygon(tuple((x + a, y + b) for a, b in points), "chit", "chit edge", 1.3),)


def rocket(x: float, y: float) -> tuple[Shape, ...]:
    """Draw the sign of boosters."""
    return tuple(Line(((x - 6, y + low), (x, y + low - 6), (x + 6, y + low)), "gain", 3.4) for low in (1, 8))
