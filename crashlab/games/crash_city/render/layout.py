"""The geometry of a picture of CrashCity."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Line, Map, Point, Polygon, Shape, Text, slab, wood
from crashlab.engine.table import NOWHERE
from crashlab.engine.value_codecs import seat_name
from crashlab.games import toolkit
from crashlab.games.boards import streets
from crashlab.games.crash_city import notation as w
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.positions import Car

# Dimensions


WIDTH, HEIGHT = 760.0, 560.0
AREA = (8.0, 8.0, 552.0, 552.0)  # area of the city: left, top, right, bottom
RULER = 26.0  # width of the rulers at its left and bottom, with the numbers of the tiles
MAP = AREA[0] + RULER, AREA[1], AREA[2], AREA[3] - RULER
PANEL = (560.0, 8.0, 752.0, 552.0)
ROW_LEFT, ROW_RIGHT = PANEL[0] + 10, PANEL[2] - 10
ROWS_TOP, ROW_HIGH = 84.0, 92.0
LANE = 0.28  # the width of a lane, in tiles
FRONT = 0.2  # distance of `stand_at` from the middle of the lane, in tiles
LARGEST = 118.0  # maximum size of a tile
NEAR = 92.0  # size of a tile at which everything is legible
SPACIOUS = 50.0  # with smaller tiles a growing city has no extra margin
ROOMY = 45.0  # on smaller tiles cars are wider, for their numbers, and buildings have no letters
LEGIBLE = 28.0  # on smaller tiles cars have no numbers


# Small geometry


class View(NamedTuple):
    """The position of the city in the picture: the point of (0, 0), and the size of a tile."""

    x: float
    y: float
    unit: float

    def at(self, x: float, y: float) -> Point:
        """Return the point of the picture that shows a point of the city."""
        return self.x + self.unit * x, self.y - self.unit * y

    def box(self, left: float, low: float, right: float, high: float) -> tuple[Point, ...]:
        """Return the corners of a rectangle of the city."""
        return self.at(left, high), self.at(right, high), self.at(right, low), self.at(left, low)


def view(table: t.CrashCity) -> View:
    """Return the largest view of the city; during construction, with a margin for its sites.

    The margin already has room for a new tile, so that the view stays the same within a turn.
    """
    laid = table.laid[0] - t.is_laying(table)
    return fitted(tuple(table.spot[:laid]), t.is_growing(table))


@lru_cache(maxsize=64)
def fitted(spots: tuple[int, ...], grows: bool) -> View:
    """Return the largest view of a city on these spots; if the city grows, with room for a tile on each side.

    If the tiles are large enough, the margin may have room for two, so that not every new tile changes the view.
    """
    tiles = [streets.xy(spot) for spot in spots]
    wests, norths = [x for x, _ in tiles], [y for _, y in tiles]
    reach = [far + 1 for far in (-min(wests), max(wests), -min(norths), max(norths))]
    if not grows:
        return spread_out(*(far - 0.9 for far in reach))
    spacious = spread_out(*(far + far % 2 + 0.25 for far in reach))
    return spacious if spacious.unit >= SPACIOUS else spread_out(*(far + 0.08 for far in reach))


def spread_out(left: float, right: float, low: float, high: float) -> View:
    """Return the largest centred view of an area, given by its tiles to each side of the square."""
    wide, tall = MAP[2] - MAP[0], MAP[3] - MAP[1]
    unit = min(LARGEST, wide / (left + 1 + right), tall / (low + 1 + high))
    x = MAP[0] + (wide - unit * (right + 1 - left)) / 2
    return View(x, MAP[1] + (tall + unit * (high + 1 - low)) / 2, unit)


def middle(view: View, spot: int) -> Point:
    """Return the middle of a tile on this spot."""
    x, y = streets.xy(spot)
    return view.at(x + 0.5, y + 0.5)


def lane_at(table: t.CrashCity, view: View, space: int) -> Point:
    """Return the middle of a lane."""
    return primitives.towards(middle(view, table.spot[space // 4]), space % 4, view.unit * (0.5 - LANE / 2))


def stand_at(table: t.CrashCity, view: View, space: int, facing: int) -> Point:
    """Return a point slightly ahead of the middle of a lane, so that both directions have different points."""
    return primitives.towards(lane_at(table, view, space), facing, FRONT * view.unit)


def insets(lanes: int) -> tuple[float, float, float, float]:
    """Return the area between the lanes of a tile: left, low, right, high."""
    return (
        LANE if lanes & 8 else 0.0,
        LANE if lanes & 4 else 0.0,
        1 - LANE if lanes & 2 else 1.0,
        1 - LANE if lanes & 1 else 1.0,
    )


def block_at(table: t.CrashCity, view: View, tile: int) -> Point:
    """Return the middle of the area between the lanes of a tile."""
    x, y = streets.xy(table.spot[tile])
    left, low, right, high = insets(table.street[tile])
    return view.at(x + (left + right) / 2, y + (low + high) / 2)


def half(view: View) -> float:
    """Return half the width of a building."""
    return 0.2 * view.unit


def car_at(table: t.CrashCity, view: View, car: int) -> Point:
    """Return the point of a car; two cars in a crash are drawn slightly apart."""
    where = table.where[car]
    if where >= t.ROOF:
        x, y = block_at(table, view, where - t.ROOF)
        return x, y - 0.72 * half(view)
    point = lane_at(table, view, where)
    if table.phase[0] == t.ANSWER and where == table.where[table.hit[0]]:
        return primitives.towards(point, table.push[0], view.unit * (0.08 if car == table.hit[0] else -0.46))
    return point


def is_free(spot: Point, size: Point, rectangles: Sequence[tuple[float, float, float, float]]) -> bool:
    """Return whether a rectangle round `spot`, with half sizes `size`, is on the map and overlaps no other one."""
    x, y = spot
    wide, high = size
    if not (MAP[0] + wide < x < MAP[2] - wide and MAP[1] + high < y < MAP[3] - high):
        return False
    return all(abs(x - ox) >= wide + far or abs(y - oy) >= high + tall for ox, oy, far, tall in rectangles)


def angle_of(facing: int) -> float:
    """Return the angle of a car with this direction."""
    return 90.0 - 90 * facing


# The board


@lru_cache(maxsize=32)
def board_shapes(
    view: View,
    tiles: tuple[tuple[int, int, int], ...],
    joined: tuple[int, ...],
    corners: int,
    players: int,
) -> tuple[Shape, ...]:
    """Draw everything that does not move: tiles given as (spot, lanes, building), their streets, and the panel."""
    lanes = {streets.xy(spot): street for spot, street, _ in tiles}
    shapes: list[Shape] = [*wood(WIDTH, HEIGHT), Polygon(slab(*AREA, 10), "meadow", "panel edge", 2)]
    shapes += rulers(view, list(lanes))
    for number, (spot, street, building) in enumerate(tiles):
        x, y = streets.xy(spot)
        shapes += block(view, x, y, street, building, number == t.SQUARE)
        for side in range(4):
            if street >> side & 1:
                shapes += lane(view, x, y, side, joined[4 * number + side] == 1)
    shapes += markings(view, lanes)
    shapes += crossings(view, lanes, corners == t.STRICT)
    return (*shapes, *panel(players))


def rulers(view: View, tiles: Sequence[streets.Tile]) -> Iterator[Shape]:
    """Draw the numbers of the columns and of the rows; every fifth if tiles are small."""
    leap = 1 if view.unit >= LEGIBLE else 5
    for x in range(min(x for x, _ in tiles) - 1, max(x for x, _ in tiles) + 2):
        at = view.at(x + 0.5, 0)[0]
        if x % leap == 0 and AREA[0] + RULER < at - 9 and at + 9 < AREA[2]:
            yield Text(at, AREA[3] - 13, str(x), 14, "muted")
    for y in range(min(y for _, y in tiles) - 1, max(y for _, y in tiles) + 2):
        at = view.at(0, y + 0.5)[1]
        if y % leap == 0 and AREA[1] + 8 < at < AREA[3] - RULER - 8:
            yield Text(AREA[0] + 14, at, str(y), 14, "muted")


def block(view: View, x: int, y: int, lanes: int, building: int, is_square: bool) -> Iterator[Shape]:
    """Draw the ground of a tile with its plants."""
    grounds = {t.HOME: "lawn", t.SHOP: "pavement", t.FACTORY: "yard"}
    fill = "pavement" if is_square else grounds.get(building, "cell")
    yield Polygon(view.box(x, y, x + 1, y + 1), fill, "cell edge", 1)
    left, low, right, high = insets(lanes)
    if is_square:
        yield from fountain(view, x + 0.5, y + 0.5)
    elif building != NOWHERE and building != t.FACTORY:
        for across, up in ((0.12, 0.14), (0.88, 0.2), (0.12, 0.86), (0.88, 0.8)):
            if left + 0.1 < across < right - 0.1 and low + 0.1 < up < high - 0.1:
                yield Circle(*view.at(x + across, y + up), 0.075 * view.unit, "tree", "cell edge", 0.02 * view.unit)


def fountain(view: View, x: float, y: float) -> Iterator[Shape]:
    """Draw the fountain in the middle of the square."""
    for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        yield Circle(*view.at(x + 0.17 * dx, y + 0.17 * dy), 0.06 * view.unit, "tree", "cell edge", 0.02 * view.unit)
    yield Circle(*view.at(x, y), 0.13 * view.unit, "water", "cell ink", 0.02 * view.unit)
    yield Circle(*view.at(x, y), 0.045 * view.unit, "pavement", "cell ink", 0.015 * view.unit)


def lane(view: View, x: int, y: int, side: int, is_joined: bool) -> Iterator[Shape]:
    """Draw a lane; an unconnected one is only a track."""
    yield Polygon(lane_box(view, x, y, side), "street" if is_joined else "track")


def lane_box(view: View, x: int, y: int, side: int) -> tuple[Point, ...]:
    """Return the outline of a lane."""
    boxes = ((0, 1 - LANE, 1, 1), (1 - LANE, 0, 1, 1), (0, 0, 1, LANE), (0, 0, LANE, 1))
    left, low, right, high = boxes[side]
    return view.box(x + left, y + low, x + right, y + high)


def markings(view: View, lanes: dict[streets.Tile, int]) -> Iterator[Shape]:
    """CC-G1: draw the stripe between two lanes."""
    for (x, y), street in lanes.items():
        for side in (0, 1):
            across = streets.beside(x, y, side)
            if street >> side & 1 and lanes.get(across, 0) >> (side ^ 2) & 1:
                for n in range(3):
                    dash = (0.29 + 0.16 * n, 0.39 + 0.16 * n)
                    ends = tuple(view.at(*primitives.between(*edge(x, y, side), share)) for share in dash)
                    yield Line(ends, "stripe", max(1.6, 0.03 * view.unit))


def edge(x: int, y: int, side: int) -> tuple[Point, Point]:
    """Return the two ends of a side of a tile."""
    corners = ((x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y))
    return corners[side], corners[(side + 1) % 4]


def crossings(view: View, lanes: dict[streets.Tile, int], is_strict: bool) -> Iterator[Shape]:
    """CC-G4: draw a barrier or a passage at a crossing of two tiles that touch only at a corner."""
    for x, y in {(x + dx, y + dy) for x, y in lanes for dx in (0, 1) for dy in (0, 1)}:
        paved = [
            bool(lanes.get((x + dx, y + dy), 0) & bits)
            for dx, dy, bits in ((-1, -1, 3), (-1, 0, 6), (0, 0, 12), (0, -1, 9))
        ]
        if paved not in ([True, False, True, False], [False, True, False, True]):
            continue
        slope = -1 if paved[0] else 1
        reach = 0.13
        if is_strict:
            ends = view.at(x - reach, y - slope * reach), view.at(x + reach, y + slope * reach)
            yield Line(ends, "rubber", 0.1 * view.unit)
            yield Line(ends, "number", 0.065 * view.unit)
            for share in (-0.7, 0.0, 0.7):
                yield Circle(*view.at(x + share * reach, y + share * slope * reach), 0.03 * view.unit, "flash edge")
        else:
            around = ((-reach, 0), (0, reach), (reach, 0), (0, -reach))
            yield Polygon(tuple(view.at(x + dx, y + dy) for dx, dy in around), "street")


# The panel


def row_top(seat: int) -> float:
    """Return the upper edge of a seat's row."""
    return ROWS_TOP + ROW_HIGH * seat


def panel(players: int) -> Iterator[Shape]:
    """Draw the panel with a row for each seat and its badge."""
    yield primitives.panel(*PANEL)
    for seat in range(players):
        x, top = ROW_LEFT, row_top(seat)
        yield Line(((x, top), (ROW_RIGHT, top)), "panel edge", 1.2)
        yield from primitives.badge((x + 19, top + 26), seat_name(seat), f"seat {seat}", 17, 19)


# Paths


def road(table: t.CrashCity, view: View, spaces: Sequence[int]) -> tuple[Point, ...]:
    """Return the path through these spaces: round corners within the lanes, and perhaps onto a roof at the end."""
    points = [lane_at(table, view, spaces[0])]
    for before, after in pairwise(spaces):
        x, y = points[-1]
        to_x, to_y = block_at(table, view, after - t.ROOF) if after >= t.ROOF else lane_at(table, view, after)
        if after < t.ROOF and before % 2 != after % 2:
            points.append((to_x, y) if before % 2 == 0 else (x, to_y))
        points.append((to_x, to_y))
    return tuple(points)


def way(points: tuple[Point, ...], stroke: str, unit: float) -> tuple[Shape, ...]:
    """Draw a path as an arrow, with a ring at its start."""
    wide = max(2.6, min(4.5, 0.06 * unit))
    return (
        *primitives.way(points, stroke, wide, wide + 3.5, 0.75),
        Circle(*points[0], wide + 1.5, "cell", stroke, 2.5),
    )


# Points of values


CARS = {f"{lead}{t.car_name(car)}": car for car in range(t.CARS) for lead in ("", "car ")}


def place_of(table: t.CrashCity, value: object) -> Point | None:
    """A tile, or a site on the map: (2, 0) or "2,0". A car wherever it is drawn: "A1", or one of `state.cars`.

    A lane: (2, 0, "N"), (2, 0, 0) or "2,0N"; sides and directions are letters, or numbers from N = 0 clockwise. A lane
    with the direction of a car, a little ahead of its middle: ((2, 0, "N"), "E") or "2,0N>E", or with the car
    ("A1", (2, 0, "N"), "E").
    """
    place = (value.lane or value.parked) if type(value) is Car else value
    return toolkit.place_of(table, place, (tile_at, find_lane, find_stand, find_car))


def tile_at(table: t.CrashCity, words: object) -> Point | None:
    """Return the middle of the area between a tile's lanes, or of a site without a tile; None off the map."""
    screen, where = view(table), w.read_place(words)
    tile = t.tile_at(table, *where)
    if tile != NOWHERE:
        return block_at(table, screen, tile)
    place = middle(screen, streets.spot_of(*where))
    return place if Map(*MAP).holds(*place) else None


def find_lane(table: t.CrashCity, words: object) -> Point:
    """Return the middle of a lane."""
    return lane_at(table, view(table), read_lane(table, words))


def find_stand(table: t.CrashCity, words: object) -> Point | None:
    """Return the point of a lane with a direction; None if the direction is across the street."""
    parts = tuple(words.split(">")) if isinstance(words, str) else words
    if isinstance(parts, tuple) and len(parts) == 3 and parts[0] in CARS:
        parts = parts[1:]
    if not isinstance(parts, tuple) or len(parts) != 2:
        return None
    lane, facing = read_lane(table, parts[0]), read_direction(table, parts[1])
    return stand_at(table, view(table), lane, facing) if lane % 2 != facing % 2 else None


def find_car(table: t.CrashCity, words: object) -> Point | None:
    """Return the point of a car."""
    car = CARS[words] if isinstance(words, str) and words in CARS else NOWHERE
    is_there = car != NOWHERE and table.where[car] != NOWHERE
    return car_at(table, view(table), car) if is_there else None


def read_lane(table: t.CrashCity, words: object) -> int:
    """Parse a lane, given as a word or by x, y and side, and return its space."""
    if not isinstance(words, tuple) or len(words) != 3:
        return w.LANE.parse(table, words)
    x, y, side = words
    return w.lane_on(table, w.read_tile(table, (x, y)), read_direction(table, side))


def read_direction(table: t.CrashCity, words: object) -> int:
    """Parse a direction, given as a letter or by its number."""
    return words if isinstance(words, int) and words in range(4) else w.DIRECTION.parse(table, words)
