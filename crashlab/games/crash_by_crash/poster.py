"""The poster of Crash by Crash, and pictures of the directions and the two kinds of tiles."""

from collections.abc import Callable, Mapping

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Picture, Piece, Point, Polygon, Shape, Text, placed
from crashlab.engine.contract import Strip
from crashlab.engine.options import Value, number
from crashlab.games import toolkit
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import render
from crashlab.games.crash_by_crash import state as t
from crashlab.games.crash_by_crash.render import layout, sprites

FIRST = 6  # the first turn in which a bell may ring
NEAR = 225.0  # width of a picture's section: five cells


def strips(options: Mapping[str, Value]) -> tuple[Strip, ...]:
    """Return the strips of the poster, without the one about the bell if the game ends before turn FIRST."""
    limit = options["turn_limit"]
    bells = limit is None or number(options, "turn_limit") >= FIRST
    return (*((ring(),) if bells else ()), push(), pull(), walk(options["edition"] == "english"))


def at(row: int, column: int) -> Point:
    """Return the middle of a cell."""
    return layout.CENTRES[t.BOARD.cell[row, 2 * column + row % 2]]


def ring() -> Strip:
    """Build the strip of a car that is pushed onto a bell."""
    return Strip(
        "Ring a bell: both score",
        "Each side gets the values (dots) under all its cars, and the tile with the bell falls out. "
        "After 7 bells the higher score wins.",
        ("CB-E1", "CB-E4"),
        {
            "turn": FIRST,
            "blue": "6.3 7.5",
            "orange": "4.6 11.1 14.12",
            "operator": [0, 12],
            "bells": "2.4 1.7 5.0 5.5 4.11 6.4 7.9 9.1 11.6 10.10",
        },
        ("car 6.2 E",),
        at(6, 4),
        NEAR,
        ("blue gets", "orange gets"),
    )


def push() -> Strip:
    """Build the strip of a hit on a line of cars."""
    return Strip(
        "The last car moves",
        "A new car hits the car beside it; a line passes the hit on. A battery makes it a cell stronger. "
        "An opponent's car off the floor: 2 points.",
        ("CB-P1", "CB-T1", "CB-P2", "CB-P5"),
        {"turn": 1, "blue": "8.4 8.6", "orange": "8.5 14.12", "operator": [0, 12]},
        ("car 8.3 E +1",),
        at(8, 6),
        NEAR,
    )


def pull() -> Strip:
    """Build the strip of a magnet that pulls."""
    return Strip(
        "Magnets pull",
        "After every action of any player magnetic cars pull cars two cells away in a straight line, with nothing "
        "between.",
        ("CB-M3", "CB-M1", "CB-M2"),
        {"turn": 1, "blue": "8.3", "orange": "8.4 9.5 14.12", "operator": [0, 12]},
        ("magnet 8.6",),
        at(8, 5),
        NEAR,
    )


def walk(is_english: bool) -> Strip:
    """Build the strip of the operator pushing a car off the floor."""
    whose = "each car" if is_english else "each opponent's car"
    return Strip(
        "The operator pushes, too",
        f"He walks two cells, and you get 2 points for {whose} he pushes off. A turn is two actions: a car, "
        "the operator, or cards.",
        ("CB-O2", "CB-O1", "CB-T1"),
        {"turn": 1, "blue": "14.0", "orange": "8.12 14.12", "operator": [8, 10]},
        ("walk E E",),
        (at(8, 11)[0] + 8, at(8, 11)[1]),
        NEAR,
        ("falls off", "blue gets"),
    )


# Pictures for the notation


def directions() -> Picture:
    """Draw the six directions."""
    words = "Cells are row.column, as in 7.3. As in car 7.3 E: a car on 7.3 hits to the east"
    return toolkit.rose(hexes.DIRECTIONS, placed(Piece("", 0, 0, sprites.car_shapes(0, False), scale=1.4)), words)


def tiles() -> Picture:
    """Draw an X tile and a flower, with the values of their cells."""
    wide, high, size = 520.0, 320.0, 30.0
    shapes: list[Shape] = [primitives.panel(0, 0, wide, high)]
    for name, kind, left in (("X tile", 0, 140.0), ("flower", 1, 390.0)):
        tile = next(tile for tile in range(t.TILES) if len(t.cells_of(tile)) == (8, 7)[kind])
        cells = t.cells_of(tile)
        spots = [layout.CENTRES[cell] for cell in cells]
        middle = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
        for cell, (x, y) in zip(cells, spots, strict=True):
            grown = size / layout.SIZE
            point = left + grown * (x - middle[0]), 112 + grown * (y - middle[1])
            value = VALUES[kind][cells.index(cell)]
            shapes += [
                Polygon(hexes.corners(point, size), f"value {value}", "seam", 2),
                Text(*point, str(value), 18, f"value {value} ink", bold=True),
            ]
        shapes.append(Text(left, 212.0, f"{name}: {len(cells)} cells", 18, "ink", bold=True))
    words = (
        "The floor alternates 13 X tiles and 12 flowers. A cell is worth 0 to 3. "
        "Bells stand on flowers, which leave with them"
    )
    return Picture(wide, high, (*shapes, *primitives.remarks(words, wide, high)), (), words, colours=render.COLOURS)


VALUES = (0, 1, 2, 3, 0, 1, 2, 3), (2, 0, 1, 2, 3, 1, 0)  # example values of the cells of an X tile and of a flower

PICTURES: Mapping[str, Callable[[], Picture]] = {"directions": directions, "tiles": tiles}
