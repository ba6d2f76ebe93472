"""CrashCity as pictures: a table as shapes, and what happens as effects and ways.

A picture is the city, as large as fits, and beside it a panel with a row for each seat. Pieces are `building 2,0` on
its tile, `car A3` wherever it is (on a lane, on the roof of its work), `tile 2,0` while it is being laid; and in the
panel `turn`, `asked`, `frame`, for each seat `stock A` and `parked A`, and while the city grows `unseen`, the tiles
that nobody has seen yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from crashlab.boards import streets
from crashlab.boards.streets import DIRECTIONS, STEPS
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w
from crashlab.happen import CHANCE, NOTE, NOWHERE, replay
from crashlab.shapes import Circle, Line, Map, Picture, Piece, Point, Polygon, Shape, Text, placed, slab, star, wood

Row = tuple[int, ...]

WIDTH, HEIGHT = 760.0, 560.0
AREA = (8.0, 8.0, 552.0, 552.0)  # of the city: left, top, right, bottom
RULER = 26.0  # at the left and at the bottom of it, with the numbers of the tiles
MAP = AREA[0] + RULER, AREA[1], AREA[2], AREA[3] - RULER
PANEL = (560.0, 8.0, 752.0, 552.0)
ROW_LEFT, ROW_RIGHT = PANEL[0] + 10, PANEL[2] - 10
ROWS_TOP, ROW_HIGH = 84.0, 92.0
UNSEEN_AT = ROW_LEFT, 474.0
LEGENDS = {  # of the marks on the cars that stand where a move leads to (CC-R3, CC-C)
    t.RACE: (("F forward", "D drift"), ("T turn", "U U-turn"), ("R reverse", "Y rear turn")),
    t.ANSWER: (("S straight on",), ("T turn the corner",), ("U spin",)),
}
LANE = 0.28  # the width of a lane, in tiles
LARGEST = 118.0  # a tile
NEAR = 92.0  # a tile in which everything can be read
SPACIOUS = 50.0  # in smaller tiles there is no room to spare round a city that grows
ROOMY = 45.0  # in smaller tiles cars are wider, for their numbers, and buildings have their colours only
LEGIBLE = 28.0  # in smaller tiles nothing is written on cars, either

QUESTIONS = (
    "which site?", "reveal a tile", "turn the tile", "build what?", "place the car", "who begins?",
    "park or drive", "make way!", "over",
)  # fmt: skip


# Small geometry: the city lies in tiles, x to the east and y to the north; a picture in pixels


class View(NamedTuple):
    """How the city lies in the picture: what is drawn at (0, 0), and how large a tile is."""

    x: float
    y: float
    unit: float

    def at(self, x: float, y: float) -> Point:
        """The point of the picture that shows a point of the city."""
        return self.x + self.unit * x, self.y - self.unit * y

    def box(self, left: float, low: float, right: float, high: float) -> tuple[Point, ...]:
        """A rectangle of the city."""
        return self.at(left, high), self.at(right, high), self.at(right, low), self.at(left, low)


def view(table: t.CrashCity) -> View:
    """As large as the city fits into the picture; while it grows, with room for its sites and some more.

    A tile that is being laid has room already, so that within a turn everything stays where it is.
    """
    grows = table.phase[0] < t.ROLL
    laid = table.laid[0] - (t.REVEAL <= table.phase[0] <= t.CAR)
    return fitted(tuple(table.spot[:laid]), grows)


@lru_cache(maxsize=64)
def fitted(spots: tuple[int, ...], grows: bool) -> View:
    """How a city on these spots fits; one that grows has room on each side for a tile.

    While tiles are large there is often room for two, so that the city is not drawn smaller for every tile.
    """
    tiles = [streets.xy(spot) for spot in spots]
    wests, norths = [x for x, _ in tiles], [y for _, y in tiles]
    reach = [far + 1 for far in (-min(wests), max(wests), -min(norths), max(norths))]
    if not grows:
        return spread_out(*(far - 0.9 for far in reach))
    spacious = spread_out(*(far + far % 2 + 0.25 for far in reach))
    return spacious if spacious.unit >= SPACIOUS else spread_out(*(far + 0.08 for far in reach))


def spread_out(left: float, right: float, low: float, high: float) -> View:
    """What reaches so many tiles beyond the square, as large as it fits and in the middle."""
    wide, tall = MAP[2] - MAP[0], MAP[3] - MAP[1]
    unit = min(LARGEST, wide / (left + 1 + right), tall / (low + 1 + high))
    x = MAP[0] + (wide - unit * (right + 1 - left)) / 2
    return View(x, MAP[1] + (tall + unit * (high + 1 - low)) / 2, unit)


def middle(seen: View, spot: int) -> Point:
    """The middle of a tile on this spot."""
    x, y = streets.xy(spot)
    return seen.at(x + 0.5, y + 0.5)


def towards(point: Point, way: int, length: float) -> Point:
    """The point so far away in a direction."""
    return point[0] + length * STEPS[way][0], point[1] - length * STEPS[way][1]


def lane_at(table: t.CrashCity, seen: View, space: int) -> Point:
    """The middle of a lane."""
    return towards(middle(seen, table.spot[space // 4]), space % 4, seen.unit * (0.5 - LANE / 2))


def insets(lanes: int) -> tuple[float, float, float, float]:
    """What lies between the lanes of a tile: left, low, right, high."""
    return (
        LANE if lanes & 8 else 0.0,
        LANE if lanes & 4 else 0.0,
        1 - LANE if lanes & 2 else 1.0,
        1 - LANE if lanes & 1 else 1.0,
    )


def block_at(table: t.CrashCity, seen: View, tile: int) -> Point:
    """The middle of what lies between the lanes of a tile."""
    x, y = streets.xy(table.spot[tile])
    left, low, right, high = insets(table.street[tile])
    return seen.at(x + (left + right) / 2, y + (low + high) / 2)


def half(seen: View) -> float:
    """Half the width of a building."""
    return 0.2 * seen.unit


def place_of(table: t.CrashCity, seen: View, car: int) -> Point:
    """Where a car is drawn; two that have just crashed, a little apart."""
    where = table.where[car]
    if where >= t.ROOF:
        x, y = block_at(table, seen, where - t.ROOF)
        return x, y - 0.72 * half(seen)
    point = lane_at(table, seen, where)
    if table.phase[0] == t.ANSWER and where == table.where[table.hit[0]]:
        return towards(point, table.push[0], seen.unit * (0.08 if car == table.hit[0] else -0.46))
    return point


def angle_of(facing: int) -> float:
    """How far a car is turned that faces in a direction."""
    return 90.0 - 90 * facing


# The board


@lru_cache(maxsize=32)
def still(
    seen: View,
    tiles: tuple[tuple[int, int, int], ...],
    joined: tuple[int, ...],
    corners: int,
    players: int,
) -> tuple[Shape, ...]:
    """What does not move by itself: tiles given as (spot, lanes, building) with their streets, and the panel."""
    lanes = {streets.xy(spot): street for spot, street, _ in tiles}
    shapes: list[Shape] = [*wood(WIDTH, HEIGHT), Polygon(slab(*AREA, 10), "meadow", "panel edge", 2)]
    shapes += rulers(seen, list(lanes))
    for number, (spot, street, building) in enumerate(tiles):
        x, y = streets.xy(spot)
        shapes += block(seen, x, y, street, building, number == t.SQUARE)
        for side in range(4):
            if street >> side & 1:
                shapes += lane(seen, x, y, side, joined[4 * number + side] == 1)
    shapes += markings(seen, lanes)
    shapes += crossings(seen, lanes, corners == t.STRICT)
    return (*shapes, *panel(players))


def rulers(seen: View, tiles: Sequence[streets.Tile]) -> Iterator[Shape]:
    """The numbers of the columns and of the rows, as many as can be read."""
    leap = 1 if seen.unit >= LEGIBLE else 5
    for x in range(min(x for x, _ in tiles) - 1, max(x for x, _ in tiles) + 2):
        at = seen.at(x + 0.5, 0)[0]
        if x % leap == 0 and AREA[0] + RULER < at - 9 and at + 9 < AREA[2]:
            yield Text(at, AREA[3] - 13, str(x), 14, "muted")
    for y in range(min(y for _, y in tiles) - 1, max(y for _, y in tiles) + 2):
        at = seen.at(0, y + 0.5)[1]
        if y % leap == 0 and AREA[1] + 8 < at < AREA[3] - RULER - 8:
            yield Text(AREA[0] + 14, at, str(y), 14, "muted")


def block(seen: View, x: int, y: int, lanes: int, building: int, is_square: bool) -> Iterator[Shape]:
    """The ground of a tile, and what grows on it."""
    grounds = {t.HOUSE: "lawn", t.SHOP: "pavement", t.FACTORY: "yard"}
    fill = "pavement" if is_square else grounds.get(building, "cell")
    yield Polygon(seen.box(x, y, x + 1, y + 1), fill, "cell edge", 1)
    left, low, right, high = insets(lanes)
    if is_square:
        yield from fountain(seen, x + 0.5, y + 0.5)
    elif building != NOWHERE and building != t.FACTORY:
        for across, up in ((0.12, 0.14), (0.88, 0.2), (0.12, 0.86), (0.88, 0.8)):
            if left + 0.1 < across < right - 0.1 and low + 0.1 < up < high - 0.1:
                yield Circle(*seen.at(x + across, y + up), 0.075 * seen.unit, "tree", "cell edge", 0.02 * seen.unit)


def fountain(seen: View, x: float, y: float) -> Iterator[Shape]:
    """What stands in the middle of the square."""
    for dx, dy in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        yield Circle(*seen.at(x + 0.17 * dx, y + 0.17 * dy), 0.06 * seen.unit, "tree", "cell edge", 0.02 * seen.unit)
    yield Circle(*seen.at(x, y), 0.13 * seen.unit, "water", "cell ink", 0.02 * seen.unit)
    yield Circle(*seen.at(x, y), 0.045 * seen.unit, "pavement", "cell ink", 0.015 * seen.unit)


def lane(seen: View, x: int, y: int, side: int, is_joined: bool) -> Iterator[Shape]:
    """A lane; one that is not connected is only a track."""
    boxes = ((0, 1 - LANE, 1, 1), (1 - LANE, 0, 1, 1), (0, 0, 1, LANE), (0, 0, LANE, 1))
    left, low, right, high = boxes[side]
    yield Polygon(seen.box(x + left, y + low, x + right, y + high), "street" if is_joined else "track")


def markings(seen: View, lanes: dict[streets.Tile, int]) -> Iterator[Shape]:
    """CC-G1: the stripe between two lanes."""
    for (x, y), street in lanes.items():
        for side in (0, 1):
            across = streets.beside(x, y, side)
            if street >> side & 1 and lanes.get(across, 0) >> (side ^ 2) & 1:
                for n in range(3):
                    dash = (0.29 + 0.16 * n, 0.39 + 0.16 * n)
                    ends = tuple(between(seen, edge(x, y, side), share) for share in dash)
                    yield Line(ends, "stripe", max(1.6, 0.03 * seen.unit))


def edge(x: int, y: int, side: int) -> tuple[Point, Point]:
    """The two ends of a side of a tile."""
    corners = ((x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y))
    return corners[side], corners[(side + 1) % 4]


def between(seen: View, ends: tuple[Point, Point], share: float) -> Point:
    """A point on the way from one end to the other."""
    (x, y), (to_x, to_y) = ends
    return seen.at(x + share * (to_x - x), y + share * (to_y - y))


def crossings(seen: View, lanes: dict[streets.Tile, int], is_strict: bool) -> Iterator[Shape]:
    """CC-G4: where only two tiles are paved that touch at a corner: a barrier between them, or a way."""
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
            ends = seen.at(x - reach, y - slope * reach), seen.at(x + reach, y + slope * reach)
            yield Line(ends, "rubber", 0.1 * seen.unit)
            yield Line(ends, "number", 0.065 * seen.unit)
            for share in (-0.7, 0.0, 0.7):
                yield Circle(*seen.at(x + share * reach, y + share * slope * reach), 0.03 * seen.unit, "flash edge")
        else:
            around = ((-reach, 0), (0, reach), (reach, 0), (0, -reach))
            yield Polygon(tuple(seen.at(x + dx, y + dy) for dx, dy in around), "street")


# The panel


def row_top(seat: int) -> float:
    """Where the row of a seat begins."""
    return ROWS_TOP + ROW_HIGH * seat


def panel(players: int) -> Iterator[Shape]:
    """The panel with a row for each seat: its badge and the signs of what it has."""
    yield Polygon(slab(*PANEL, 12), "panel", "panel edge", 2)
    for seat in range(players):
        x, top = ROW_LEFT, row_top(seat)
        yield Line(((x, top), (ROW_RIGHT, top)), "panel edge", 1.2)
        yield Polygon(slab(x + 2, top + 9, x + 36, top + 43, 9), f"seat {seat}")
        yield Text(x + 19, top + 26, w.LETTERS[seat], 19, f"seat {seat} ink", bold=True)


# Pieces


def tile_name(table: t.CrashCity, tile: int) -> str:
    """A tile by its place, `2,0`."""
    return w.place_text(streets.xy(table.spot[tile]))


@cache
def car_shapes(seat: int, mark: str, unit: float, parked: bool = False) -> tuple[Shape, ...]:
    """A car from above that faces east: its body with windows, lamps in front, and, while it drives, a mark.

    Each seat has a model of its own, to be known by without its colour: A a round one, B a pick-up with a bed, C a van,
    D one with a pointed bonnet.
    """
    across = 0.2 if parked else 0.24 if unit >= ROOMY else 0.27
    long, wide = (0.44 if parked else 0.56) * unit / 2, across * unit / 2
    paint = f"seat {seat}"
    rim = max(1.0, 0.02 * unit)
    corners = [(x, y) for x in (-0.55, 0.55) for y in (-1, 1)]
    wheels = tuple(Polygon(box_round(x * long, y * wide, 0.17 * long, 0.2 * wide), "rubber") for x, y in corners)
    body = slab(-long, -wide, long, wide, (0.75, 0.25, 0.12, 0.5)[seat] * wide)
    if seat == 3:
        nose = ((0.45, -1), (1, -0.45), (1, 0.45), (0.45, 1), (-0.9, 1), (-1, 0.8), (-1, -0.8), (-0.9, -1))
        body = tuple((x * long, y * wide) for x, y in nose)

    def pane(front: float, rear: float, reach: float) -> Polygon:
        """A window across the car."""
        return Polygon(tuple((x * long, y * reach * wide) for x, y in ((rear, -1), (front, -1), (front, 1), (rear, 1))),
                       "rubber")  # fmt: skip

    windows: tuple[Shape, ...] = (pane(0.62, 0.42, 0.7), pane(-0.64, -0.74, 0.55))
    if seat == 1:
        bed = Polygon(pane(-0.46, -0.84, 0.64).points, "", "rubber", rim)  # dark, it would look like the front window
        windows = pane(0.66, 0.42, 0.75), bed
    elif seat == 2:
        windows = (pane(0.88, 0.66, 0.8),)
    lamps = tuple(Circle(0.92 * long, y * wide, 0.3 * wide, "lamp") for y in (-0.55, 0.55))
    size = max(16.0, 0.19 * unit)
    name = () if parked or unit < LEGIBLE else (Text(-0.06 * long, 0, mark, size, f"{paint} ink", bold=True),)
    return (*wheels, Polygon(body, paint, "street edge", rim), *windows, *lamps, *name)


def box_round(x: float, y: float, long: float, wide: float) -> tuple[Point, ...]:
    """A rectangle round a point."""
    return (x - long, y - wide), (x + long, y - wide), (x + long, y + wide), (x - long, y + wide)


def car_piece(table: t.CrashCity, seen: View, car: int) -> Piece:
    """A car where it is; one that was hit stands askew."""
    is_parked = table.where[car] >= t.ROOF
    angle = 0.0 if is_parked else angle_of(table.facing[car]) + (14 if car == table.hit[0] else 0)
    shapes = car_shapes(car // t.OWN, str(car % t.OWN + 1), seen.unit, is_parked)
    return Piece(f"car {w.car_name(car)}", *place_of(table, seen, car), shapes, angle, label=car_words(table, car))


def car_words(table: t.CrashCity, car: int) -> str:
    """Where a car is, in words."""
    where = table.where[car]
    if where >= t.ROOF:
        tile = where - t.ROOF
        work = t.BUILDING_NAMES[table.building[tile]]
        return f"car {w.car_name(car)} parked at the {work} on {tile_name(table, tile)}"
    hit = ", hit and to make way" if car == table.hit[0] else ""
    return f"car {w.car_name(car)} on {w.lane_text(table, where)} facing {DIRECTIONS[table.facing[car]]}{hit}"


@cache
def building_shapes(building: int, seat: int, size: float, letter: bool = True) -> tuple[Shape, ...]:
    """A house with a gable, a shop with an awning, a factory with a saw-tooth roof and a chimney."""

    def at(*points: Point) -> tuple[Point, ...]:
        return tuple((size * x, size * y) for x, y in points)

    paint = f"seat {seat}"
    line = max(0.8, 0.05 * size)
    shapes: list[Shape] = []
    if building == t.HOUSE:
        shapes += (
            Polygon(at((-0.82, -0.2), (0.82, -0.2), (0.82, 1), (-0.82, 1)), paint, "path", line),
            Polygon(at((0.38, -0.95), (0.6, -0.95), (0.6, -0.4), (0.38, -0.4)), "wood", "path", line),
            Polygon(at((-1.08, -0.15), (0, -1), (1.08, -0.15)), "magnet", "path", line),
        )
    elif building == t.SHOP:
        shapes += (
            Polygon(at((-0.95, -0.5), (0.95, -0.5), (0.95, 1), (-0.95, 1)), paint, "path", line),
            *(
                Polygon(at((x, -0.7), (x + 0.42, -0.7), (x + 0.42, -0.22), (x, -0.22)), fill, "path", 0.6 * line)
                for x, fill in zip((-1.05, -0.63, -0.21, 0.21, 0.63), ("lamp", "number") * 3, strict=False)
            ),
        )
    else:
        shapes += (
            Circle(size * 0.72, size * -1.12, 0.17 * size, "nobody", alpha=0.45),
            Circle(size * 0.92, size * -1.32, 0.22 * size, "nobody", alpha=0.3),
            Polygon(at((0.55, -1), (0.85, -1), (0.9, 0), (0.5, 0)), "wood grain", "path", line),
            Polygon(
                at((-1, 1), (-1, -0.75), (-0.5, -0.25), (-0.5, -0.75), (0, -0.25), (0, -0.75), (0.5, -0.25), (1, -0.25),
                   (1, 1)), paint, "path", line,
            ),
        )  # fmt: skip
    if letter:
        shapes.append(Text(0, 0.4 * size, w.LETTERS[seat], max(14.0, 0.95 * size), f"{paint} ink", bold=True))
    return tuple(shapes)


def crash_piece(table: t.CrashCity, seen: View) -> Piece:
    """A star where two cars have just crashed."""
    hit = table.hit[0]
    (other,) = [car for car, where in enumerate(table.where) if where == table.where[hit] and car != hit]
    x, y = towards(lane_at(table, seen, table.where[hit]), table.push[0], -0.19 * seen.unit)
    shapes = (
        Polygon(star(0, 0, max(11.0, 0.34 * seen.unit), max(6.0, 0.18 * seen.unit), 10), "flash", "flash edge", 1.5),
    )
    return Piece("crash", x, y, shapes, label=f"{w.car_name(other)} has hit {w.car_name(hit)}")


def building_piece(table: t.CrashCity, seen: View, tile: int) -> Piece:
    """A building on its tile."""
    building = table.building[tile]
    seat = table.owner[tile]
    words = f"{t.BUILDING_NAMES[building]} of {w.LETTERS[seat]} on {tile_name(table, tile)}"
    shapes = building_shapes(building, seat, half(seen), seen.unit >= ROOMY)
    return Piece(f"building {tile_name(table, tile)}", *block_at(table, seen, tile), shapes, label=words)


def site_piece(table: t.CrashCity, seen: View) -> Piece:
    """The tile that is being laid: its frame, and what is known of it."""
    tile = table.laid[0] - 1
    kind = table.kind[table.laid[0] - 1]
    reach = 0.5 * seen.unit
    frame = Polygon(box_round(0, 0, reach, reach), "flash", "flash edge", 2.5, 0.3)
    words = f"the new tile on {tile_name(table, tile)}"
    shapes: tuple[Shape, ...] = (Polygon(box_round(0, 0, reach, reach), "", "flash edge", 3),)
    if table.street[tile] == 0:
        name = "?" if kind == NOWHERE else t.KIND_NAMES[kind]
        known = Text(0, 0, name, max(16.0, 0.34 * seen.unit), "ink", bold=True)
        shapes = (*((frame,) if kind == NOWHERE else shapes), known)
        words += ", not revealed yet" if kind == NOWHERE else f": {name}, to be turned"
    return Piece(f"tile {tile_name(table, tile)}", *middle(seen, table.spot[tile]), shapes, label=words)


def panel_pieces(table: t.CrashCity) -> Iterator[Piece]:
    """The heading, the frame round the row whose turn it is, and what each seat has."""
    said = heading(table)
    asked = asked_words(table)
    yield Piece("turn", ROW_LEFT, 32, (Text(0, 0, said, 18, "ink", "left", bold=True),), label=said)
    yield Piece("asked", ROW_LEFT, 60, (Text(0, 0, asked, 15, "ink", "left"),), label=asked)
    seat = decider(table)
    if seat >= 0:
        frame = slab(PANEL[0] + 4, 2, PANEL[2] - 4, ROW_HIGH - 2, 8)
        shapes = Polygon(frame, "flash", alpha=0.13), Polygon(frame, "", "flash edge", 2.5)
        yield Piece("frame", 0, row_top(seat), shapes, label=f"{w.LETTERS[seat]} decides")
    for seat in range(table.players[0]):
        name = w.LETTERS[seat]
        top = row_top(seat)
        left = tuple(table.stock[3 * seat : 3 * seat + 3])
        words = ", ".join(f"{t.BUILDING_NAMES[n]} {count}" for n, count in enumerate(left))
        signs = stock_shapes(seat, left)
        yield Piece(f"stock {name}", ROW_LEFT + 48, top + 24, signs, label=f"{name} has left: {words}")
        parked = rules.score(table, seat)
        words = f"{name}: {parked} of {t.OWN} cars parked"
        yield Piece(f"parked {name}", ROW_LEFT + 2, top + 67, parked_shapes(seat, parked), label=words)
    if table.phase[0] in LEGENDS:
        rows = LEGENDS[table.phase[0]]
        marks = tuple(
            Text(2 + 88 * m, 22 * n, mark, 14, "muted", "left")
            for n, row in enumerate(rows)
            for m, mark in enumerate(row)
        )
        words = "; ".join(mark for row in rows for mark in row)
        yield Piece("legend", UNSEEN_AT[0], UNSEEN_AT[1] + 4, marks, label=words)
    if table.phase[0] < t.ROLL:
        left = tuple(t.unrevealed(table, kind) for kind in range(t.KINDS))
        words = ", ".join(f"{t.KIND_NAMES[kind]} {count}" for kind, count in enumerate(left) if count)
        signs = unseen_shapes(left, table.tiles[0])
        yield Piece("unseen", *UNSEEN_AT, signs, label=f"tiles nobody has seen yet: {words or 'none'}")
    if table.phase[0] in (t.REVEAL, t.ROLL):
        yield from outcome_pieces(table)


def outcome_pieces(table: t.CrashCity) -> Iterator[Piece]:
    """What chance can do, called as it is noted: a frame round each tile that can be revealed, or round each seat."""
    out = [0] * rules.MOST_ACTIONS
    for code in out[: rules.legal(table, CHANCE, out)]:
        word = w.action_text(table, CHANCE, code)
        if table.phase[0] == t.ROLL:
            frame = box_round(0, 0, 21, 21)
            place = (ROW_LEFT + 19, row_top(code % t.SORT) + 26)
        else:
            x, y = unseen_at(table.tiles[0], code % t.SORT)
            frame = box_round(0, 0, 19, 27)
            place = (UNSEEN_AT[0] + x, UNSEEN_AT[1] + y + 13)
        yield Piece(word, *place, (Polygon(frame, "", "target", 2),), label=f"chance could be: {word}")


def unseen_at(tiles: int, kind: int) -> Point:
    """Where a kind of tiles is, from where those begin that nobody has seen."""
    kinds = [one for one in range(t.KINDS) if t.COUNTS[t.KINDS * tiles + one]]
    return 16.0 + kinds.index(kind) * 172 / len(kinds), 28.0


@cache
def stock_shapes(seat: int, left: tuple[int, ...]) -> tuple[Shape, ...]:
    """How many houses, shops and factories are left; those that are used up are faint."""
    if not any(left):
        return (Text(0, 4, "all is built", 14, "muted", "left"),)
    shapes: list[Shape] = []
    for building, count in enumerate(left):
        x = 14.0 + 43 * building
        for shape in building_shapes(building, seat, 10.5, letter=False):
            shapes += moved(shape, x, 3, 1.0 if count else 0.3)
        shapes.append(Text(x + 14, 5, str(count), 16, "ink" if count else "muted", "left", bold=count > 0))
    return tuple(shapes)


def moved(shape: Shape, x: float, y: float, alpha: float) -> tuple[Shape, ...]:
    """A shape so far away, and so faint."""
    return placed(Piece("", x, y, (shape,), alpha=alpha))


@cache
def parked_shapes(seat: int, parked: int) -> tuple[Shape, ...]:
    """A place for each car, and a small car on those that are taken; then how many."""
    shapes: list[Shape] = []
    for n in range(t.OWN):
        x = 8.0 + 17.5 * n
        taken = n < parked
        fill, stroke = (f"seat {seat}", "path") if taken else ("", "muted")
        shapes.append(Polygon(slab(x - 7, -8, x + 7, 8, 3), fill, stroke, 1.2, 1 if taken else 0.6))
        if taken:
            shapes.append(Text(x, 0.5, "P", 14, f"seat {seat} ink", bold=True))
    return (*shapes, Text(170, 0.5, str(parked), 17, "ink", "right", bold=True))


@cache
def unseen_shapes(left: tuple[int, ...], tiles: int) -> tuple[Shape, ...]:
    """Each kind of tile with the number that nobody has seen yet."""
    shapes: list[Shape] = [Text(2, 0, "not seen yet", 14, "muted", "left")]
    kinds = [kind for kind in range(t.KINDS) if t.COUNTS[t.KINDS * tiles + kind]]
    for kind in kinds:
        x, y = unseen_at(tiles, kind)
        shapes += tile_shapes(x, y, 14, t.LANES[kind], t.LANES[kind])
        shapes += (
            Text(x, y, t.KIND_NAMES[kind], 14, "ink", bold=True),
            Text(x, y + 27, str(left[kind]), 15, "ink" if left[kind] else "muted", bold=True),
        )
    return tuple(shapes)


def tile_shapes(x: float, y: float, reach: float, lanes: int, joined: int) -> Iterator[Shape]:
    """A tile with these lanes as a little picture; those that are joined are streets, the others tracks."""
    small = View(x - reach, y + reach, 2 * reach)
    yield Polygon(small.box(0, 0, 1, 1), "cell")
    for side in range(4):
        if lanes >> side & 1 and not joined >> side & 1:
            yield from lane(small, 0, 0, side, False)
    for side in range(4):
        if lanes >> side & joined >> side & 1:
            yield from lane(small, 0, 0, side, True)
    yield Polygon(small.box(0, 0, 1, 1), "", "cell ink", 1.2)


def decider(table: t.CrashCity) -> int:
    """The seat that decides now; CHANCE is below 0, and so is nobody."""
    bits = rules.actors(table)
    return bits.bit_length() - 1 if bits > 0 else NOWHERE


def heading(table: t.CrashCity) -> str:
    """How far the game is; when it is over, who wins."""
    phase = table.phase[0]
    players = table.players[0]
    if phase < t.ROLL:
        tiles = table.laid[0] - (1 if phase == t.SITE else 2)
        return f"Tile {tiles + 1} of {t.TURNS * players}"
    if phase == t.ROLL:
        return "The city is built"
    if phase != t.OVER:
        return f"Race, turn {table.turn[0] + 1}"
    bits = rules.winners(table)
    best = [w.LETTERS[seat] for seat in range(players) if bits >> seat & 1]
    return f"{best[0]} wins" if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]} win"


def asked_words(table: t.CrashCity) -> str:
    """Who is asked, and what."""
    phase = table.phase[0]
    if phase == t.OVER:
        return "The game is over"
    if phase in (t.REVEAL, t.ROLL):
        return f"Chance: {QUESTIONS[phase]}"
    name = w.LETTERS[decider(table)]
    if phase == t.ANSWER:
        return f"{name}: {w.car_name(table.hit[0])} has to make way"
    return f"{name}: {QUESTIONS[phase]}"


def seat_paint(table: t.CrashCity, seat: int) -> str:
    """The colour of a seat."""
    return f"seat {seat}"


def picture(table: t.CrashCity) -> Picture:
    """The table as shapes."""
    seen = view(table)
    laid = table.laid[0]
    pieces = list(panel_pieces(table))
    if t.REVEAL <= table.phase[0] <= t.CAR:
        pieces.append(site_piece(table, seen))
    pieces += [building_piece(table, seen, tile) for tile in range(laid) if table.building[tile] != NOWHERE]
    if table.hit[0] != NOWHERE:
        pieces.append(crash_piece(table, seen))
    cars = [car for car, where in enumerate(table.where) if where != NOWHERE]
    pieces += [car_piece(table, seen, car) for car in sorted(cars, key=lambda car: table.where[car] < t.ROOF)]
    tiles = tuple(zip(table.spot[:laid], table.street[:laid], table.building[:laid], strict=True))
    board = still(seen, tiles, tuple(table.joined), table.corners[0], table.players[0])
    shown = Map(*MAP, max(1.0, NEAR / seen.unit), seen)
    return Picture(WIDTH, HEIGHT, board, tuple(pieces), caption(table), shown)


# Words


def caption(table: t.CrashCity) -> str:
    """The picture in words."""
    sentences = [heading(table), asked_words(table)]
    sentences += [seat_words(table, seat) for seat in range(table.players[0])]
    tiles = [tile_words(table, tile) for tile in range(1, table.laid[0])]
    sentences.append(f"tiles round the square: {'; '.join(tiles) or 'none'}")
    cars = [car_words(table, car) for car, where in enumerate(table.where) if where != NOWHERE]
    sentences.append("; ".join(cars) or "no cars yet")
    return " ".join(f"{words[0].upper()}{words[1:]}{'' if words[-1] in '?!.' else '.'}" for words in sentences)


def seat_words(table: t.CrashCity, seat: int) -> str:
    """What a seat has."""
    left = ", ".join(f"{name} {table.stock[3 * seat + n]}" for n, name in enumerate(t.BUILDING_NAMES))
    return f"{w.LETTERS[seat]} has parked {rules.score(table, seat)} of {t.OWN} cars and has left {left}"


def tile_words(table: t.CrashCity, tile: int) -> str:
    """A tile with its lanes and its building."""
    words = f"{tile_name(table, tile)} with lanes {streets.letters(table.street[tile]) or '?'}"
    if table.building[tile] != NOWHERE:
        words += f" and a {t.BUILDING_NAMES[table.building[tile]]} of {w.LETTERS[table.owner[tile]]}"
    return words


# What happens: effects of one beat, and ways for a still summary


def effects(table: t.CrashCity, rows: Sequence[Row], told: Sequence[Row] = ()) -> tuple[tuple[Piece, Piece], ...]:
    """The passing pieces of one beat, each at its beginning and at its end; `table` is the table before the beat."""
    passing: dict[str, tuple[Piece, Piece]] = {}
    after = table.copy()
    replay(after, list(rows))
    for row in rows:
        for pair in passing_of(after, row):
            passing[pair[0].key] = pair
    return tuple(passing.values())


def passing_of(table: t.CrashCity, row: Row) -> list[tuple[Piece, Piece]]:
    """What is to be seen of one event; the table is as it is after it."""
    _, rule, _, field, index, before, after, extra = row
    seen = view(table)
    if field == NOTE and rule in (rules.R4, rules.C4):
        label = f"{w.car_name(index)} hits {w.car_name(before)}"
        return [burst(f"crash {before}", towards(lane_at(table, seen, after), extra, 0), seen.unit, label)]
    if field == rules.JOINED:
        return [glow(table, seen, index)]
    if field == rules.KIND:
        shapes = *tile_shapes(0, 0, 0.45 * seen.unit, t.LANES[after], t.LANES[after]), kind_text(after, seen.unit)
        return [rise("revealed", middle(seen, table.spot[index]), shapes, f"the tile is {t.KIND_NAMES[after]}")]
    if field == rules.WHERE and after >= t.ROOF:
        x, y = place_of(table, seen, index)
        shapes = (Circle(0, 0, 15, "gain", "street edge", 2), Text(0, 0, "+1", 15, "street edge", bold=True))
        return [rise(f"work {index}", (x, y - 12), shapes, f"{w.car_name(index)} is at work")]
    if field == rules.ASKED and table.phase[0] in (t.ROLL, t.RACE) and table.turn[0] == 0 and rule == rules.R1:
        return [
            ring_out(f"starts {after}", (ROW_LEFT + 19, row_top(after) + 26), f"{w.LETTERS[after]} begins the race")
        ]
    return []


def kind_text(kind: int, unit: float) -> Text:
    """The letter of a kind of tiles."""
    return Text(0, 0, t.KIND_NAMES[kind], max(15.0, 0.3 * unit), "ink", bold=True)


def burst(key: str, place: Point, unit: float, label: str) -> tuple[Piece, Piece]:
    """A star where two cars meet."""
    shapes = (Polygon(star(0, 0, max(18.0, 0.45 * unit), max(10.0, 0.26 * unit), 12), "flash", "flash edge", 3),)
    start = Piece(key, *place, shapes, scale=0.4, label=label)
    return start, Piece(key, *place, shapes, scale=1.3, alpha=0.0, label=label)


def glow(table: t.CrashCity, seen: View, space: int) -> tuple[Piece, Piece]:
    """CC-G5: a lane lights up that is connected from now on."""
    point = lane_at(table, seen, space)
    along = (space % 4 + 1) % 4
    reach = 0.42 * seen.unit
    ends = tuple(towards((0.0, 0.0), along, length) for length in (-reach, reach))
    shapes = (Line(ends, "flash edge", 0.2 * seen.unit), Line(ends, "flash", 0.13 * seen.unit))
    words = f"lane {w.lane_text(table, space)} is connected"
    return Piece(f"joined {space}", *point, shapes, label=words), Piece(
        f"joined {space}", *point, shapes, alpha=0.0, label=words
    )


def rise(key: str, place: Point, shapes: tuple[Shape, ...], label: str) -> tuple[Piece, Piece]:
    """Something that rises and fades."""
    x, y = place
    return Piece(key, x, y, shapes, label=label), Piece(key, x, y - 16, shapes, scale=1.2, alpha=0.0, label=label)


def ring_out(key: str, place: Point, label: str) -> tuple[Piece, Piece]:
    """A ring that widens."""
    shapes = Circle(0, 0, 24, "", "flash edge", 5), Circle(0, 0, 24, "", "flash", 3)
    start = Piece(key, *place, shapes, scale=0.5, label=label)
    return start, Piece(key, *place, shapes, scale=1.5, alpha=0.0, label=label)


def paths(table: t.CrashCity, rows: Sequence[Row]) -> tuple[Shape, ...]:
    """The ways that cars go in these rows, from this table on: a ring where each begins, a star at each crash."""
    moment = table.copy()
    walks: dict[int, list[int]] = {}
    crashes: list[int] = []
    for row in rows:
        _, rule, _, field, index, before, after, _ = row
        if field == NOTE and rule in (rules.R4, rules.C4):
            crashes.append(after)
        elif field == rules.WHERE and before != NOWHERE:
            walks.setdefault(index, [before]).append(after)
        replay(moment, [row])
    seen = view(moment)
    shapes: list[Shape] = []
    for car, spaces in walks.items():
        shapes += way(road(moment, seen, spaces), f"seat {car // t.OWN}", seen.unit)
    for space in crashes:
        x, y = lane_at(moment, seen, space)
        shapes.append(Polygon(star(x, y, max(11.0, 0.2 * seen.unit), max(5.0, 0.1 * seen.unit), 8), "flash",
                              "flash edge", 1.5))  # fmt: skip
    return tuple(shapes)


def road(table: t.CrashCity, seen: View, spaces: Sequence[int]) -> tuple[Point, ...]:
    """The way through these spaces: round corners within the lanes, and at the end onto the roof of a building."""
    points = [lane_at(table, seen, spaces[0])]
    for before, after in pairwise(spaces):
        x, y = points[-1]
        to_x, to_y = block_at(table, seen, after - t.ROOF) if after >= t.ROOF else lane_at(table, seen, after)
        if after < t.ROOF and before % 2 != after % 2:
            points.append((to_x, y) if before % 2 == 0 else (x, to_y))
        points.append((to_x, to_y))
    return tuple(points)


def way(points: tuple[Point, ...], stroke: str, unit: float) -> tuple[Shape, ...]:
    """A way as an arrow, with a ring where it begins."""
    wide = max(2.6, min(4.5, 0.06 * unit))
    return (
        Line(points, "path edge", wide + 3.5, alpha=0.75),
        Line(points, stroke, wide, arrow=True),
        Circle(*points[0], wide + 1.5, "cell", stroke, 2.5),
    )
