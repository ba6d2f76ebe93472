"""Autoscooter as pictures: a table as shapes, and events as effects and paths.

A picture is a board of 38 hexes within a rail, and beside it a panel with a row for each seat. Cars are drawn facing
east and turned by their piece's angle; their keys are `car 1` to `car 8`. The other pieces are `plot 1` ... (a
ticket with the number of a car's plot), `chits A` ..., `box` and `round`.
"""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import cos, pi, sin, sqrt

from crashlab.drawing import primitives
from crashlab.drawing.primitives import Effect
from crashlab.drawing.shapes import Circle, Line, Map, Picture, Piece, Point, Polygon, Shape, Text, slab, wood
from crashlab.engine import contract
from crashlab.engine.notation import SEATS, counted
from crashlab.engine.table import NOTE, NOWHERE, Row, replay
from crashlab.games import toolkit
from crashlab.games.autoscooter import notation as w
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import state as t
from crashlab.games.autoscooter.positions import Car
from crashlab.games.boards import hexes

SIZE = 45.0  # from the middle of a hex to a corner
HALF = SIZE * sqrt(3) / 2  # from the middle of a hex to a side
MARGIN = 30.0  # width of the rail and some wood round the board
LEFT, TOP = MARGIN + HALF, MARGIN + SIZE  # the middle of a hex in the corner
WIDTH, HEIGHT = 760.0, 6 * 1.5 * SIZE + 2 * TOP
BOARD_RIGHT = 10 * HALF + 2 * LEFT
PANEL = (BOARD_RIGHT, 14.0, WIDTH - 14, HEIGHT - 14)  # left, top, right, bottom
ROW_LEFT, ROW_RIGHT = PANEL[0] + 14, PANEL[2] - 14

KEPT = 4096  # size of the cache of each kind of piece
NO_CAR = -2  # in place of a driver: the car is off the board
FEW = 4  # maximum number of cars in a small position, which can be shown enlarged
SMALL = Map(0, 0, BOARD_RIGHT, HEIGHT)

CENTRES = tuple((LEFT + x, TOP + y) for x, y in t.BOARD.centres(SIZE))
FACES = ("east", "north-east", "north-west", "west", "south-west", "south-east")
CASES = {rules.C1: "front", rules.C2: "standing", rules.C3: "rear", rules.C4: "side", rules.C5: "barrier"}


# The board


@cache
def rim() -> tuple[Point, ...]:
    """Return the barrier sides (AS-B1) as one closed line round the board, from a corner of its first hex."""
    walk = t.BOARD.outline(range(len(CENTRES)), CENTRES, SIZE)
    return (*walk[-4:], *walk[:-4])


@cache
def board_shapes(players: int, rows: tuple[int, ...], drivers: tuple[int, ...]) -> tuple[Shape, ...]:
    """Draw everything that never moves: wood, rail, hexes, and the panel with its rows."""
    return (*wood(WIDTH, HEIGHT), *rail(), *cells(), *panel(players, rows, drivers))


def rail() -> tuple[Shape, ...]:
    """Draw the barrier: one rail along the sides of the hexes."""
    walk = rim()
    return (
        Polygon(walk, "", "rail edge", 30),
        Polygon(walk, "", "rail", 25),
        Polygon(walk, "", "rail light", 15),
        Polygon(walk, "", "rail", 11),
    )


def cells() -> tuple[Shape, ...]:
    """Draw the hexes with row and column in their upper corners (AS-B2)."""
    floor = tuple(Polygon(hexes.corners(point, SIZE), "cell", "cell edge", 1.5) for point in CENTRES)
    names = tuple(Text(x, y - 34, w.place_name(cell), 14, "cell ink") for cell, (x, y) in enumerate(CENTRES))
    return (*floor, *names)


def row_y(players: int, seat: int) -> float:
    """Return the middle of a seat's row in the panel."""
    return 84 + seat * min(84.0, 416.0 / players)


BOX_Y = HEIGHT - 46


def panel(players: int, rows: tuple[int, ...], drivers: tuple[int, ...]) -> tuple[Shape, ...]:
    """Draw the panel: a row for each of these seats with its colour, letter and cars, and one for the box."""
    shapes: list[Shape] = [primitives.panel(*PANEL)]
    for seat in rows:
        y = row_y(players, seat)
        driven = [str(car + 1) for car in range(t.CARS) if drivers[car] == seat]
        words = f"{'car' if len(driven) == 1 else 'cars'} {', '.join(driven)}" if driven else "no car"
        shapes += (
            *primitives.badge((ROW_LEFT + 18, y), SEATS[seat], f"seat {seat}", 18, 21),
            Text(ROW_LEFT + 46, y - 10, words, 15, "ink", "left"),
        )
    shapes += (
        Line(((ROW_LEFT, BOX_Y - 27), (ROW_RIGHT, BOX_Y - 27)), "panel edge", 1),
        Polygon(slab(ROW_LEFT, BOX_Y - 15, ROW_LEFT + 36, BOX_Y + 15, 3), "wood", "panel edge", 2),
        Line(((ROW_LEFT + 9, BOX_Y - 4), (ROW_LEFT + 27, BOX_Y - 4)), "ink", 3),
        Text(ROW_LEFT + 46, BOX_Y - 10, "box", 15, "ink", "left"),
    )
    return tuple(shapes)


def drivers_of(table: t.Autoscooter) -> tuple[int, ...]:
    """Return the driver of each car; NO_CAR for cars off the board."""
    return tuple(table.driver[car] if table.cell[car] != NOWHERE else NO_CAR for car in range(t.CARS))


def seats(table: t.Autoscooter, drivers: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats with a row: all, but in a small position only those with a car or a changed purse."""
    full = t.PURSES[table.players[0]]
    is_whole = not is_small(drivers)
    return tuple(seat for seat in range(table.players[0]) if is_whole or seat in drivers or table.chits[seat] != full)


def is_small(drivers: tuple[int, ...]) -> bool:
    """Return whether there are at most FEW cars."""
    return sum(driver != NO_CAR for driver in drivers) <= FEW


# Pieces


def body() -> tuple[Point, ...]:
    """Return the outline of a car that faces east: a round tail, straight sides, a pointed nose."""
    nose = [(7 + 27 * n / 8, 19 * (1 - (n / 8) ** 1.9)) for n in range(8)]
    tail = [(-15 + 11 * cos(turn), 8 + 11 * sin(turn)) for turn in (pi / 2, 2 * pi / 3, 5 * pi / 6, pi)]
    lower = [*reversed(nose), *tail]
    return ((34, 0), *lower, *((x, -y) for x, y in reversed(lower)))


@cache
def car_shapes(car: int, seat: int, speed: int) -> tuple[Shape, ...]:
    """Draw a bumper car facing east: its number, its driver's letter, and a wedge at the tail for each speed."""
    if seat == t.NOBODY:
        return driverless_shapes(car)
    paint, ink = f"seat {seat}", f"seat {seat} ink"
    return (
        Polygon(body(), paint, "rubber", 6.5),
        Polygon(body(), paint),
        *(Polygon(((-23, y - 4.5), (-14, y), (-23, y + 4.5)), ink) for y in WEDGES[speed]),
        Circle(20, -10.5, 3, "lamp", "number ink", 1),
        Circle(20, 10.5, 3, "lamp", "number ink", 1),
        Text(23, 0, SEATS[seat], 14, ink, bold=True),
        *number_plate(car),
    )


WEDGES = ((), (0,), (-6.5, 6.5), (-11.5, 0, 11.5))  # by speed: offsets of its wedges across the car


def number_plate(car: int) -> tuple[Shape, ...]:
    """Draw the number of a car on a white disc."""
    return Circle(2, 0, 13, "number", "number ink", 1.5), Text(2, 0, str(car + 1), 21, "number ink", bold=True)


def driverless_shapes(car: int) -> tuple[Shape, ...]:
    """Draw a grey car with stripes and a cross where the driver's letter would be (AS-S3)."""
    stripes = tuple(Line(((x, -16), (x - 7, 16)), "nobody ink", 1.5, alpha=0.5) for x in (-14, -7, 0, 7, 14))
    return (
        Polygon(body(), "nobody", "rubber", 6.5),
        Polygon(body(), "nobody"),
        *stripes,
        Line(((18.5, -5), (27.5, 5)), "nobody ink", 3),
        Line(((18.5, 5), (27.5, -5)), "nobody ink", 3),
        *number_plate(car),
    )


def car_piece(table: t.Autoscooter, car: int) -> Piece:
    """Return the piece of a car on its hex."""
    return _car_piece(car, table.cell[car], table.facing[car], table.driver[car], table.speed[car])


@lru_cache(KEPT)
def _car_piece(car: int, cell: int, facing: int, driver: int, speed: int) -> Piece:
    x, y = CENTRES[cell]
    label = _car_words(car, cell, facing, driver, speed)
    return Piece(f"car {car + 1}", x, y, car_shapes(car, driver, speed), hexes.angle(facing), label=label)


@cache
def ticket_shapes(words: str) -> tuple[Shape, ...]:
    """Draw a paper ticket with the number of a plot."""
    return (
        Polygon(slab(-14, -10, 14, 10, 3), "ticket", "ticket edge", 1.5),
        Text(0, 0, words, 15, "ticket ink", bold=True),
    )


def ticket_words(plot: int) -> str:
    """Return the number of a plot; `?` if it is hidden, `-` if it is empty."""
    return "?" if plot == t.HIDDEN else "-" if plot == t.NOTHING else str(plot // t.CODES)


TICKET_AT = ((0, 33), (30, 16), (-30, 16))  # beside the car, by its facing modulo 3, in a corner of the hex


def ticket_piece(table: t.Autoscooter, car: int) -> Piece:
    """Return the ticket with the number of a car's plot, beside the car until it moves."""
    return _ticket_piece(car, table.cell[car], table.facing[car], table.plot[car])


@lru_cache(KEPT)
def _ticket_piece(car: int, cell: int, facing: int, plot: int) -> Piece:
    x, y = CENTRES[cell]
    across, down = TICKET_AT[facing % 3]
    words = ticket_words(plot)
    label = f"number of car {car + 1}: {words}"
    return Piece(f"plot {car + 1}", x + across, y + down, ticket_shapes(words), label=label)


@cache
def purse_shapes(count: int) -> tuple[Shape, ...]:
    """Draw a count of chits as a number and piles of five."""
    piles = min(-(-count // 5), 7)  # more are shown by the number only
    left, right = ROW_LEFT + 46, ROW_RIGHT
    spots = ((left + 14 * (n // 5), 15 - 4 * (n % 5)) for n in range(min(count, 5 * piles)))
    discs = tuple(Polygon(slab(x, y, x + 12, y + 3.5, 1.5), "chit", "chit edge", 0.8) for x, y in spots)
    return (*discs, Text(right, 1, str(count), 24, "ink", "right", bold=True))


@lru_cache(KEPT)
def purse_piece(key: str, y: float, count: int, owner: str) -> Piece:
    """Return a purse in its row of the panel."""
    return Piece(key, 0, y, purse_shapes(count), label=f"{owner}: {counted(count, 'chit')}")


def heading(table: t.Autoscooter) -> str:
    """Return a heading such as Round 3 of 11; when the game is over, the winners (AS-E1)."""
    if table.round[0] <= t.ROUNDS:
        return f"Round {table.round[0]} of {t.ROUNDS}"
    return toolkit.who_wins(rules, table)


seat_paint = contract.seat_paint


def place_of(table: t.Autoscooter, value: object) -> Point | None:
    """A hex: (2, 1) or "21". A car: its number, "3" or 3, or one of `state.cars`."""
    return toolkit.place_of(table, value.hex if type(value) is Car else value, (hex_at, car_at))


def hex_at(table: t.Autoscooter, words: object) -> Point | None:
    """Return the middle of a hex."""
    return CENTRES[w.read_hex(table, words)]


def car_at(table: t.Autoscooter, words: object) -> Point | None:
    """Return the position of a car; None if it is not on the board."""
    cell = table.cell[w.car_number(words.removeprefix("car ") if isinstance(words, str) else words)]
    return CENTRES[cell] if cell != NOWHERE else None


def purses(table: t.Autoscooter) -> dict[str, int]:
    """Return the chits of each seat with a row in the panel, and the chits in the box."""
    rows = seats(table, drivers_of(table))
    return {SEATS[seat]: rules.score(table, seat) for seat in rows} | {"box": table.box[0]}


def picture(table: t.Autoscooter) -> Picture:
    """Draw the table as shapes."""
    players = table.players[0]
    here = [car for car in range(t.CARS) if table.cell[car] != NOWHERE]
    drivers = drivers_of(table)
    words = heading(table)
    pieces = [primitives.headline("round", ROW_LEFT, 40, words, 19, bold=True)]
    rows = seats(table, drivers)
    for seat in rows:
        name = SEATS[seat]
        pieces.append(purse_piece(f"chits {name}", row_y(players, seat), table.chits[seat], name))
    pieces.append(purse_piece("box", BOX_Y, table.box[0], "box"))
    pieces += [car_piece(table, car) for car in here]
    pieces += [ticket_piece(table, car) for car in here if table.plot[car] != t.UNPLANNED]
    window = SMALL if is_small(drivers) else None
    return Picture(WIDTH, HEIGHT, board_shapes(players, rows, drivers), tuple(pieces), caption(table), window)


# Words


def caption(table: t.Autoscooter) -> str:
    """Describe the picture in words."""
    over = "Game over: " if table.round[0] > t.ROUNDS else ""
    sentences = [f"{over}{heading(table)}."]
    sentences += [f"{car_words(table, car)}." for car in range(t.CARS) if table.cell[car] != NOWHERE]
    planned = [
        f"car {car + 1}" + ("" if table.plot[car] == t.HIDDEN else f" number {ticket_words(table.plot[car])}")
        for car in range(t.CARS)
        if table.plot[car] != t.UNPLANNED
    ]
    if planned:
        sentences.append(f"Planned: {', '.join(planned)}.")
    purses = [f"{SEATS[seat]} {table.chits[seat]}" for seat in range(table.players[0])]
    return " ".join([*sentences, f"Chits: {', '.join(purses)}, box {table.box[0]}."])


def car_words(table: t.Autoscooter, car: int) -> str:
    """Describe a car in words."""
    return _car_words(car, table.cell[car], table.facing[car], table.driver[car], table.speed[car])


@lru_cache(KEPT)
def _car_words(car: int, cell: int, facing: int, driver: int, speed: int) -> str:
    place = w.place_name(cell)
    faces = FACES[facing]
    if driver == t.NOBODY:
        return f"Car {car + 1} without a driver stands on {place} and faces {faces}"
    motion = f"at speed {speed}" if speed else "and stands still"
    return f"Car {car + 1} of {SEATS[driver]} on {place} faces {faces} {motion}"


# Effects of one beat, and paths for a still summary


def effects(table: t.Autoscooter, rows: Sequence[Row], turn_rows: Sequence[Row] = ()) -> tuple[Effect, ...]:
    """Return the temporary pieces of a beat, each at its start and its end.

    `table` is the table before the beat, and `rows` are the events of the beat. In `turn_rows`, the events of the turn,
    the crash that caused a payment is looked up.
    """
    passing: list[Effect] = []
    for row in rows:
        if row.field == NOTE and row.rule in CASES:
            passing.append(flash(table, row, turn_rows))
        elif row.field == NOTE and row.rule == rules.C7 and row.after == 0:
            passing.append(loss(table, row.index, 0))
        elif row.field == rules.PLOT and row.rule == rules.R2:
            passing.append(call(table, row.index, row.before))
    return (*passing, *payments(table, rows, turn_rows))


def flash(table: t.Autoscooter, row: Row, trace: Sequence[Row]) -> Effect:
    """Return a star where two cars meet, with the name of the case (AS-C1 to AS-C5)."""
    name = CASES[row.rule]
    return primitives.burst(f"crash {row.index}", crash_point(table, row, trace), 2 * HALF, f"crash: {name}", name)


def crash_point(table: t.Autoscooter, row: Row, trace: Sequence[Row]) -> Point:
    """Return the point between the rammer and the car or barrier that it hits."""
    rammer, hit = row.index - 1, row.before - 1
    here = CENTRES[table.cell[rammer]]
    if hit != NOWHERE:
        return primitives.between(here, CENTRES[table.cell[hit]], 0.5)
    return hexes.towards(here, blow_direction(table, row, trace), HALF)


def blow_direction(table: t.Autoscooter, row: Row, trace: Sequence[Row]) -> int:
    """Return the direction of a rammer: ahead, or away from the car that shoves it (AS-V1)."""
    if 0 <= row.cause < len(trace) and trace[row.cause].rule == rules.V1:
        blow = trace[trace[row.cause].cause]
        pusher, pushed = table.cell[blow.index - 1], table.cell[blow.before - 1]
        for direction in range(6):
            if t.BOARD.ahead[6 * pusher + direction] == pushed:
                return direction
    return table.facing[row.index - 1]


def call(table: t.Autoscooter, car: int, plot: int) -> Effect:
    """Return the ticket of the car that moves next, rising above it."""
    start = ticket_piece(table, car)
    shapes = ticket_shapes(ticket_words(plot))
    x, y = CENTRES[table.cell[car]]
    called = Piece(f"call {car + 1}", start.x, start.y, shapes, label=f"car {car + 1} moves")
    return primitives.passing(called, x=x, y=y - 36, scale=1.8, alpha=0.0)


def payments(table: t.Autoscooter, rows: Sequence[Row], trace: Sequence[Row]) -> Iterator[Effect]:
    """Return the chits that fly from the paying car to the purse of the payee."""
    for paid, got in pairwise(rows):
        if paid.field != rules.CHITS or got.field not in (rules.CHITS, rules.BOX) or paid.cause != got.cause:
            continue
        payer = paid.index
        amount = paid.before - paid.after
        if amount <= 0:
            continue
        target = BOX_Y if got.field == rules.BOX else row_y(table.players[0], got.index)
        x, y = paying_car(table, payer, paid.cause, trace)
        label = f"{SEATS[payer]} pays {counted(amount, 'chit')}"
        chit = Piece(f"pay {payer} {got.index}", x, y, primitives.disc(f"+{amount}", 18, "chit", 2.5, 17), label=label)
        yield loss(table, payer, amount)
        yield primitives.passing(chit, x=ROW_RIGHT - 48, y=target, scale=1.3, alpha=0.6)


def paying_car(table: t.Autoscooter, payer: int, cause: int, trace: Sequence[Row]) -> Point:
    """Return the position of the payer's car in this crash, or of the purse if `trace` lacks the crash."""
    while 0 <= cause < len(trace):
        row = trace[cause]
        if row.field == NOTE and row.rule in CASES:
            rammer, hit = row.index - 1, row.before - 1
            return CENTRES[table.cell[rammer if table.driver[rammer] == payer else hit]]
        cause = row.cause
    return ROW_RIGHT - 48, row_y(table.players[0], payer)


def loss(table: t.Autoscooter, seat: int, amount: int) -> Effect:
    """Return the loss of a purse, rising from it; `0!` if the payer has no chits."""
    y = row_y(table.players[0], seat)
    shapes = (Text(0, 0, f"-{amount}" if amount else "0!", 22, "loss", bold=True),)
    label = f"{SEATS[seat]} pays {counted(amount, 'chit')}"
    return primitives.passing(Piece(f"loss {seat}", ROW_RIGHT - 52, y, shapes, label=label), y=y - 18, alpha=0.0)


def paths(table: t.Autoscooter, rows: Sequence[Row]) -> tuple[Shape, ...]:
    """Draw the paths of cars in these rows, with a ring at each start and a star at each crash.

    `table` is the table before the rows.
    """
    moment = table.copy()
    walks: dict[int, list[Point]] = {}
    stars: list[Shape] = []
    for number, row in enumerate(rows):
        _, rule, _, field, index, _, after, _ = row
        if field == rules.CELL:
            walks.setdefault(index, [CENTRES[moment.cell[index]]]).append(CENTRES[after])
        elif field == NOTE and rule in CASES:
            stars.append(primitives.spark(crash_point(moment, row, rows[:number]), 13, 6))
        replay(moment, [row])
    lines = [shape for car, walk in walks.items() for shape in way(walk, colour(table, car))]
    rings = [Circle(*walk[0], 6, "cell", colour(table, car), 3.5) for car, walk in walks.items()]
    return (*lines, *rings, *stars)


def way(walk: Sequence[Point], stroke: str) -> tuple[Shape, ...]:
    """Draw the path of a car, with an arrow into its last hex."""
    entry = primitives.between(walk[-2], walk[-1], 0.6)
    return *primitives.way(walk, stroke, 4, 8, 0.7, arrow=False), Line((*walk[:-1], entry), stroke, 4, arrow=True)


def colour(table: t.Autoscooter, car: int) -> str:
    """Return the name of a car's colour."""
    return "nobody" if table.driver[car] == t.NOBODY else f"seat {table.driver[car]}"
