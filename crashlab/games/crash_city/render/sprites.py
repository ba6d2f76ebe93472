"""Cars, buildings and new tiles on a picture of CrashCity."""

from collections.abc import Iterator
from functools import cache

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Piece, Point, Polygon, Shape, Text, slab, star
from crashlab.engine.table import NOWHERE
from crashlab.engine.value_codecs import seat_name
from crashlab.games.boards.streets import DIRECTIONS
from crashlab.games.crash_city import notation as w
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.render import layout


@cache
def car_shapes(seat: int, mark: str, unit: float, parked: bool = False) -> tuple[Shape, ...]:
    """Draw a car from above that faces east: its body with windows, lamps in front, and, unless parked, a mark.

    Each seat has its own model, recognisable without its colour: A is round, B a pick-up with a bed, C a van, D has a
    pointed bonnet.
    """
    across = 0.2 if parked else 0.24 if unit >= layout.ROOMY else 0.27
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
        """Return a window across the car."""
        return Polygon(
            tuple((x * long, y * reach * wide) for x, y in ((rear, -1), (front, -1), (front, 1), (rear, 1))), "rubber"
        )

    windows: tuple[Shape, ...] = (pane(0.62, 0.42, 0.7), pane(-0.64, -0.74, 0.55))
    if seat == 1:
        bed = Polygon(
            pane(-0.46, -0.84, 0.64).points, "", "rubber", rim
        )  # if dark, it would look like the front window
        windows = pane(0.66, 0.42, 0.75), bed
    elif seat == 2:
        windows = (pane(0.88, 0.66, 0.8),)
    lamps = tuple(Circle(0.92 * long, y * wide, 0.3 * wide, "lamp") for y in (-0.55, 0.55))
    size = max(16.0, 0.19 * unit)
    name = () if parked or unit < layout.LEGIBLE else (Text(-0.06 * long, 0, mark, size, f"{paint} ink", bold=True),)
    return (*wheels, Polygon(body, paint, "street edge", rim), *windows, *lamps, *name)


def box_round(x: float, y: float, long: float, wide: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle round a point, from its half sizes."""
    return (x - long, y - wide), (x + long, y - wide), (x + long, y + wide), (x - long, y + wide)


def car_piece(table: t.CrashCity, view: layout.View, car: int) -> Piece:
    """Return the piece of a car at its point; a hit car is askew."""
    is_parked = table.where[car] >= t.ROOF
    angle = 0.0 if is_parked else layout.angle_of(table.facing[car]) + (14 if car == table.hit[0] else 0)
    shapes = car_shapes(car // t.FLEET, str(car % t.FLEET + 1), view.unit, is_parked)
    return Piece(f"car {t.car_name(car)}", *layout.car_at(table, view, car), shapes, angle, label=car_words(table, car))


def car_words(table: t.CrashCity, car: int) -> str:
    """Describe the position of a car."""
    where = table.where[car]
    if where >= t.ROOF:
        tile = where - t.ROOF
        work = t.BUILDING_NAMES[table.building[tile]]
        return f"car {t.car_name(car)} parked at the {work} on {t.tile_words(table, tile)}"
    hit = ", was hit and must make way" if car == table.hit[0] else ""
    return f"car {t.car_name(car)} on {w.lane_text(table, where)} facing {DIRECTIONS[table.facing[car]]}{hit}"


@cache
def building_shapes(building: int, seat: int, size: float, letter: bool = True) -> tuple[Shape, ...]:
    """Draw a house with a gable, a shop with an awning, a factory with a saw-tooth roof and a chimney."""

    def at(*points: Point) -> tuple[Point, ...]:
        return tuple((size * x, size * y) for x, y in points)

    paint = f"seat {seat}"
    line = max(0.8, 0.05 * size)
    shapes: list[Shape] = []
    if building == t.HOME:
        shapes += (
            Polygon(at((-0.82, -0.2), (0.82, -0.2), (0.82, 1), (-0.82, 1)), paint, "path", line),
            Polygon(at((0.38, -0.95), (0.6, -0.95), (0.6, -0.4), (0.38, -0.4)), "wood", "path", line),
            Polygon(at((-1.08, -0.15), (0, -1), (1.08, -0.15)), "roof", "path", line),
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
                at(
                    (-1, 1),
                    (-1, -0.75),
                    (-0.5, -0.25),
                    (-0.5, -0.75),
                    (0, -0.25),
                    (0, -0.75),
                    (0.5, -0.25),
                    (1, -0.25),
                    (1, 1),
                ),
                paint,
                "path",
                line,
            ),
        )
    if letter:
        shapes.append(Text(0, 0.4 * size, seat_name(seat), max(14.0, 0.95 * size), f"{paint} ink", bold=True))
    return tuple(shapes)


def crash_piece(table: t.CrashCity, view: layout.View) -> Piece:
    """Return a star between two cars that have just crashed."""
    hit = table.hit[0]
    (other,) = [car for car, where in enumerate(table.where) if where == table.where[hit] and car != hit]
    x, y = primitives.towards(layout.lane_at(table, view, table.where[hit]), table.push[0], -0.19 * view.unit)
    shapes = (
        Polygon(star(0, 0, max(11.0, 0.34 * view.unit), max(6.0, 0.18 * view.unit), 10), "flash", "flash edge", 1.5),
    )
    return Piece("crash", x, y, shapes, label=f"{t.car_name(other)} has hit {t.car_name(hit)}")


def building_piece(table: t.CrashCity, view: layout.View, tile: int) -> Piece:
    """Return a building on its tile."""
    building = table.building[tile]
    seat = table.owner[tile]
    words = f"{t.BUILDING_NAMES[building]} of {seat_name(seat)} on {t.tile_words(table, tile)}"
    shapes = building_shapes(building, seat, layout.half(view), view.unit >= layout.ROOMY)
    return Piece(f"building {t.tile_words(table, tile)}", *layout.block_at(table, view, tile), shapes, label=words)


def site_piece(table: t.CrashCity, view: layout.View) -> Piece:
    """Return the piece of the new tile: its frame, and its kind if it is revealed."""
    tile = table.laid[0] - 1
    kind = table.kind[table.laid[0] - 1]
    reach = 0.5 * view.unit
    frame = Polygon(box_round(0, 0, reach, reach), "flash", "flash edge", 2.5, 0.3)
    words = f"the new tile on {t.tile_words(table, tile)}"
    shapes: tuple[Shape, ...] = (Polygon(box_round(0, 0, reach, reach), "", "flash edge", 3),)
    if table.street[tile] == 0:
        name = "?" if kind == NOWHERE else t.KIND_NAMES[kind]
        title = Text(0, 0, name, max(16.0, 0.34 * view.unit), "ink", bold=True)
        shapes = (*((frame,) if kind == NOWHERE else shapes), title)
        words += ", not revealed yet" if kind == NOWHERE else f": {name}, to be turned"
    return Piece(f"tile {t.tile_words(table, tile)}", *layout.middle(view, table.spot[tile]), shapes, label=words)


def tile_shapes(x: float, y: float, reach: float, lanes: int, joined: int) -> Iterator[Shape]:
    """Draw a small tile with these lanes; joined ones are streets, the others tracks."""
    small = layout.View(x - reach, y + reach, 2 * reach)
    yield Polygon(small.box(0, 0, 1, 1), "cell")
    for side in range(4):
        if lanes >> side & 1 and not joined >> side & 1:
            yield from layout.lane(small, 0, 0, side, False)
    for side in range(4):
        if lanes >> side & joined >> side & 1:
            yield from layout.lane(small, 0, 0, side, True)
    yield Polygon(small.box(0, 0, 1, 1), "", "cell ink", 1.2)
