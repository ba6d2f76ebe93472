"""Autoscooter as pictures: a table as shapes, what happens as effects, the ways to choose a plot, and questions.

A picture is a board of 38 hexes within a rail, and beside it a panel with a row for each seat. Cars are drawn facing
east and turned by their piece's angle; their keys are `car 1` to `car 8`. The other pieces are `plot 1` ... (a
ticket with the number that a car will use), `chits A` ..., `box` and `round`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import cos, pi, radians, sin, sqrt
from typing import Any, NamedTuple

from crashlab.boards.hexes import DIRECTIONS, angle
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter.table import (
    ABOUT_FACE,
    BOARD,
    CARS,
    CODES,
    HEXES,
    HIDDEN,
    NOBODY,
    NOTHING,
    ROUNDS,
    SEQUENCES,
    SPEEDS,
    STANDSTILL_PIVOT_FIRST,
    TURNS,
    UNPLANNED,
    Autoscooter,
    unused,
)
from crashlab.games.autoscooter.text import SEATS, chit_count, place_name, plot_text
from crashlab.happen import NOTE, NOWHERE, replay
from crashlab.options import CrashlabError
from crashlab.shapes import Choice, Circle, Edit, Field, Line, Picture, Piece, Point, Polygon, Question, Shape, Text

Row = tuple[int, ...]

SIZE = 45.0  # from the middle of a hex to a corner
HALF = SIZE * sqrt(3) / 2  # from the middle of a hex to a side
MARGIN = 30.0  # round the board: the rail and some wood
LEFT, TOP = MARGIN + HALF, MARGIN + SIZE  # the middle of a hex in the corner
WIDTH, HEIGHT = 760.0, 6 * 1.5 * SIZE + 2 * TOP
BOARD_RIGHT = 10 * HALF + 2 * LEFT
PANEL = (BOARD_RIGHT, 14.0, WIDTH - 14, HEIGHT - 14)  # left, top, right, bottom
ROW_LEFT, ROW_RIGHT = PANEL[0] + 14, PANEL[2] - 14

CENTRES = tuple((LEFT + x, TOP + y) for x, y in BOARD.centres(SIZE))
FACES = ("east", "north-east", "north-west", "west", "south-west", "south-east")
CASES = {rules.C1: "front", rules.C2: "standing", rules.C3: "rear", rules.C4: "side", rules.C5: "barrier"}


# Small geometry


def towards(point: Point, direction: int, length: float) -> Point:
    """The point so far away in a direction of the board."""
    turned = radians(angle(direction))
    return point[0] + length * cos(turned), point[1] - length * sin(turned)


def between(a: Point, b: Point, share: float) -> Point:
    """The point at this share of the way from one to another."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def corners(point: Point, size: float) -> tuple[Point, ...]:
    """The six corners of a hex, counter-clockwise from the one between east and north-east."""
    return tuple(
        (point[0] + size * cos(pi / 6 + n * pi / 3), point[1] - size * sin(pi / 6 + n * pi / 3)) for n in range(6)
    )


def slab(left: float, top: float, right: float, bottom: float, radius: float) -> tuple[Point, ...]:
    """A rectangle with round corners."""
    middles = ((right, top, 0), (left, top, 1), (left, bottom, 2), (right, bottom, 3))
    inward = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    points = []
    for (x, y, quarter), (ix, iy) in zip(middles, inward, strict=True):
        for turn in ((quarter + n / 3) * pi / 2 for n in range(4)):
            points.append((x + radius * (ix + cos(turn)), y + radius * (iy - sin(turn))))
    return tuple(points)


def star(x: float, y: float, outer: float, inner: float, spikes: int) -> tuple[Point, ...]:
    """A star round a point."""
    return tuple(
        (x + (inner if n % 2 else outer) * cos(n * pi / spikes), y + (inner if n % 2 else outer) * sin(n * pi / spikes))
        for n in range(2 * spikes)
    )


# The board


@cache
def rim() -> tuple[Point, ...]:
    """The barrier sides (AS-B1) in one closed walk round the board."""
    spots: dict[tuple[int, int], Point] = {}
    following: dict[tuple[int, int], tuple[int, int]] = {}
    for cell, point in enumerate(CENTRES):
        around = corners(point, SIZE)
        for direction in range(6):
            if BOARD.ahead[6 * cell + direction] == NOWHERE:
                start, end = spot(around[direction - 1]), spot(around[direction])
                spots[start], following[start] = around[direction - 1], end
    walk = [next(iter(spots))]
    while len(walk) < len(following):
        walk.append(following[walk[-1]])
    return tuple(spots[start] for start in walk)


def spot(corner: Point) -> tuple[int, int]:
    """A corner of a hex in whole numbers, the same for all hexes that share it."""
    return round((corner[0] - LEFT) / HALF), round((corner[1] - TOP) / SIZE * 2)


@cache
def still(players: int, drivers: tuple[int, ...]) -> tuple[Shape, ...]:
    """Everything that never moves: wood, rail, hexes, and the panel with its rows; `drivers` has -2 for no car."""
    return (*wood(), *rail(), *cells(), *panel(players, drivers))


def wood() -> tuple[Shape, ...]:
    """The table top with some grain."""
    grain = tuple(
        Line(tuple((x, y + 3 * sin(x / 97 + y / 31)) for x in range(0, int(WIDTH) + 1, 40)), "wood grain", 1.6)
        for y in range(9, int(HEIGHT), 20)
    )
    return (Polygon(((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)), "wood"), *grain)


def rail() -> tuple[Shape, ...]:
    """The barrier: one rail along the sides of the hexes."""
    walk = rim()
    return (
        Polygon(walk, "", "rail edge", 30),
        Polygon(walk, "", "rail", 25),
        Polygon(walk, "", "rail light", 15),
        Polygon(walk, "", "rail", 11),
    )


def cells() -> tuple[Shape, ...]:
    """The hexes with row and column in their upper corners (AS-B2)."""
    floor = tuple(Polygon(corners(point, SIZE), "cell", "cell edge", 1.5) for point in CENTRES)
    names = tuple(
        Text(x, y - 34, place_name(cell)[1:-1], 14, "cell ink") for cell, (x, y) in enumerate(CENTRES)
    )
    return (*floor, *names)


def row_y(players: int, seat: int) -> float:
    """The middle of a seat's row in the panel."""
    return 84 + seat * min(84.0, 416.0 / players)


BOX_Y = HEIGHT - 46


def panel(players: int, drivers: tuple[int, ...]) -> tuple[Shape, ...]:
    """The panel: a row for each seat with its colour, its letter and its cars, and one for the box."""
    shapes: list[Shape] = [Polygon(slab(*PANEL, 12), "panel", "panel edge", 2)]
    for seat in range(players):
        y = row_y(players, seat)
        driven = [str(car + 1) for car in range(CARS) if drivers[car] == seat]
        words = f"{'car' if len(driven) == 1 else 'cars'} {', '.join(driven)}" if driven else "no car"
        shapes += (
            Polygon(slab(ROW_LEFT, y - 18, ROW_LEFT + 36, y + 18, 9), f"seat {seat}"),
            Text(ROW_LEFT + 18, y, SEATS[seat], 21, f"seat {seat} ink", bold=True),
            Text(ROW_LEFT + 46, y - 10, words, 15, "ink", "left"),
        )
    shapes += (
        Line(((ROW_LEFT, BOX_Y - 27), (ROW_RIGHT, BOX_Y - 27)), "panel edge", 1),
        Polygon(slab(ROW_LEFT, BOX_Y - 15, ROW_LEFT + 36, BOX_Y + 15, 3), "wood", "panel edge", 2),
        Line(((ROW_LEFT + 9, BOX_Y - 4), (ROW_LEFT + 27, BOX_Y - 4)), "ink", 3),
        Text(ROW_LEFT + 46, BOX_Y - 10, "box", 15, "ink", "left"),
    )
    return tuple(shapes)


# Pieces


def body() -> tuple[Point, ...]:
    """The outline of a car that faces east: a round tail, straight sides, a pointed nose."""
    nose = [(7 + 27 * n / 8, 19 * (1 - (n / 8) ** 1.9)) for n in range(8)]
    tail = [(-15 + 11 * cos(turn), 8 + 11 * sin(turn)) for turn in (pi / 2, 2 * pi / 3, 5 * pi / 6, pi)]
    lower = [*reversed(nose), *tail]
    return ((34, 0), *lower, *((x, -y) for x, y in reversed(lower)))


@cache
def car_shapes(car: int, seat: int, speed: int) -> tuple[Shape, ...]:
    """A bumper car facing east: its number, its driver's letter on the bonnet, at the tail a wedge for each speed."""
    if seat == NOBODY:
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


WEDGES = ((), (0,), (-6.5, 6.5), (-11.5, 0, 11.5))  # where the wedges of a speed stand, across the car


def number_plate(car: int) -> tuple[Shape, ...]:
    """The number of a car on a white disc."""
    return Circle(2, 0, 13, "number", "number ink", 1.5), Text(2, 0, str(car + 1), 21, "number ink", bold=True)


def driverless_shapes(car: int) -> tuple[Shape, ...]:
    """A grey car with stripes and a cross where the driver's letter would be (AS-S3)."""
    stripes = tuple(Line(((x, -16), (x - 7, 16)), "nobody ink", 1.5, alpha=0.5) for x in (-14, -7, 0, 7, 14))
    return (
        Polygon(body(), "nobody", "rubber", 6.5),
        Polygon(body(), "nobody"),
        *stripes,
        Line(((18.5, -5), (27.5, 5)), "nobody ink", 3),
        Line(((18.5, 5), (27.5, -5)), "nobody ink", 3),
        *number_plate(car),
    )


def car_piece(table: Autoscooter, car: int) -> Piece:
    """A car where it stands."""
    x, y = CENTRES[table.cell[car]]
    shapes = car_shapes(car, table.driver[car], table.speed[car])
    return Piece(f"car {car + 1}", x, y, shapes, angle(table.facing[car]), label=car_words(table, car))


@cache
def ticket_shapes(words: str) -> tuple[Shape, ...]:
    """A paper ticket with the number of a plot."""
    return (
        Polygon(slab(-14, -10, 14, 10, 3), "ticket", "ticket edge", 1.5),
        Text(0, 0, words, 15, "ticket ink", bold=True),
    )


def ticket_words(plot: int) -> str:
    """The number of a plot; `?` if it is hidden, `-` if nothing is written."""
    return "?" if plot == HIDDEN else "-" if plot == NOTHING else str(plot // CODES)


TICKET_AT = ((0, 33), (30, 16), (-30, 16))  # beside the car, by its facing modulo 3, in a corner of the hex


def ticket_piece(table: Autoscooter, car: int) -> Piece:
    """The number that a car will use, beside it until it moves."""
    x, y = CENTRES[table.cell[car]]
    across, down = TICKET_AT[table.facing[car] % 3]
    words = ticket_words(table.plot[car])
    label = f"number of car {car + 1}: {words}"
    return Piece(f"plot {car + 1}", x + across, y + down, ticket_shapes(words), label=label)


@cache
def purse_shapes(count: int) -> tuple[Shape, ...]:
    """A count of chits as number and as piles of five."""
    piles = min(-(-count // 5), 7)  # of more, only the number tells
    left, right = ROW_LEFT + 46, ROW_RIGHT
    spots = ((left + 14 * (n // 5), 15 - 4 * (n % 5)) for n in range(min(count, 5 * piles)))
    discs = tuple(Polygon(slab(x, y, x + 12, y + 3.5, 1.5), "chit", "chit edge", 0.8) for x, y in spots)
    return (*discs, Text(right, 1, str(count), 24, "ink", "right", bold=True))


def purse_piece(key: str, y: float, count: int, label: str) -> Piece:
    """A purse in its row of the panel."""
    return Piece(key, 0, y, purse_shapes(count), label=label)


@cache
def heading_shapes(words: str) -> tuple[Shape, ...]:
    """The heading of the panel."""
    return (Text(0, 0, words, 19, "ink", "left", bold=True),)


def heading(table: Autoscooter) -> str:
    """Round 3 of 11; when the game is over, who wins (AS-E1)."""
    if table.round[0] <= ROUNDS:
        return f"Round {table.round[0]} of {ROUNDS}"
    most = max(table.chits)
    best = [SEATS[seat] for seat in range(table.players[0]) if table.chits[seat] == most]
    return f"{best[0]} wins" if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]} win"


def picture(table: Autoscooter) -> Picture:
    """The table as shapes."""
    players = table.players[0]
    here = [car for car in range(CARS) if table.cell[car] != NOWHERE]
    drivers = tuple(table.driver[car] if table.cell[car] != NOWHERE else -2 for car in range(CARS))
    words = heading(table)
    pieces = [Piece("round", ROW_LEFT, 40, heading_shapes(words), label=words)]
    for seat in range(players):
        label = f"{SEATS[seat]}: {chit_count(table.chits[seat])}"
        pieces.append(purse_piece(f"chits {SEATS[seat]}", row_y(players, seat), table.chits[seat], label))
    pieces.append(purse_piece("box", BOX_Y, table.box[0], f"box: {chit_count(table.box[0])}"))
    pieces += [car_piece(table, car) for car in here]
    pieces += [ticket_piece(table, car) for car in here if table.plot[car] != UNPLANNED]
    return Picture(WIDTH, HEIGHT, still(players, drivers), tuple(pieces), caption(table))


# Words


def caption(table: Autoscooter) -> str:
    """The picture in words."""
    over = "Game over: " if table.round[0] > ROUNDS else ""
    sentences = [f"{over}{heading(table)}."]
    sentences += [f"{car_words(table, car)}." for car in range(CARS) if table.cell[car] != NOWHERE]
    planned = [
        f"car {car + 1}" + ("" if table.plot[car] == HIDDEN else f" number {ticket_words(table.plot[car])}")
        for car in range(CARS)
        if table.plot[car] != UNPLANNED
    ]
    if planned:
        sentences.append(f"Planned: {', '.join(planned)}.")
    purses = [f"{SEATS[seat]} {table.chits[seat]}" for seat in range(table.players[0])]
    return " ".join([*sentences, f"Chits: {', '.join(purses)}, box {table.box[0]}."])


def car_words(table: Autoscooter, car: int) -> str:
    """A car in words."""
    place, faces = place_name(table.cell[car]), FACES[table.facing[car]]
    if table.driver[car] == NOBODY:
        return f"Car {car + 1} without a driver stands on {place} and faces {faces}"
    motion = f"at speed {table.speed[car]}" if table.speed[car] else "and stands still"
    return f"Car {car + 1} of {SEATS[table.driver[car]]} on {place} faces {faces} {motion}"


# What happens: effects of one beat, and ways for a still summary


def effects(
    table: Autoscooter, rows: Sequence[Row], told: Sequence[Row] = ()
) -> tuple[tuple[Piece, Piece], ...]:
    """The passing pieces of one beat, each at its beginning and at its end.

    `table` is the table before the beat, `rows` are the events of the beat, `told` are the events of the turn: with
    them a payment knows the crash that caused it.
    """
    passing: list[tuple[Piece, Piece]] = []
    for row in rows:
        _, rule, _, field, index, before, _, _ = row
        if field == NOTE and rule in CASES:
            passing.append(flash(table, row, told))
        elif field == NOTE and rule == rules.C7 and row[6] == 0:
            passing.append(loss(table, index, 0))
        elif field == rules.PLOT and rule == rules.R2:
            passing.append(call(table, index, before))
    return (*passing, *payments(table, rows, told))


def flash(table: Autoscooter, row: Row, told: Sequence[Row]) -> tuple[Piece, Piece]:
    """A star where two cars meet, with the name of the case (AS-C1 to AS-C5)."""
    x, y = crash_point(table, row, told)
    name = CASES[row[1]]
    shapes = (
        Polygon(star(0, 0, 46, 32, 13), "flash", "flash edge", 3),
        Text(0, 0, name, 15, "flash ink", bold=True),
    )
    key, label = f"crash {row[4]}", f"crash: {name}"
    return Piece(key, x, y, shapes, scale=0.6, label=label), Piece(key, x, y, shapes, scale=1.1, alpha=0.0, label=label)


def crash_point(table: Autoscooter, row: Row, told: Sequence[Row]) -> Point:
    """Between the rammer and what it hits."""
    rammer, hit = row[4] - 1, row[5] - 1
    here = CENTRES[table.cell[rammer]]
    if hit != NOWHERE:
        return between(here, CENTRES[table.cell[hit]], 0.5)
    return towards(here, blow_direction(table, row, told), HALF)


def blow_direction(table: Autoscooter, row: Row, told: Sequence[Row]) -> int:
    """Where a rammer is going: ahead, or, when it is shoved (AS-V1), away from the car that shoves it."""
    cause = row[2]
    if 0 <= cause < len(told) and told[cause][1] == rules.V1:
        blow = told[told[cause][2]]
        pusher, pushed = table.cell[blow[4] - 1], table.cell[blow[5] - 1]
        for direction in range(6):
            if BOARD.ahead[6 * pusher + direction] == pushed:
                return direction
    return table.facing[row[4] - 1]


def call(table: Autoscooter, car: int, plot: int) -> tuple[Piece, Piece]:
    """The ticket of the car whose turn it is, rising above it."""
    start = ticket_piece(table, car)
    shapes = ticket_shapes(ticket_words(plot))
    x, y = CENTRES[table.cell[car]]
    key, label = f"call {car + 1}", f"car {car + 1} moves"
    end = Piece(key, x, y - 36, shapes, scale=1.8, alpha=0.0, label=label)
    return Piece(key, start.x, start.y, shapes, label=label), end


def payments(table: Autoscooter, rows: Sequence[Row], told: Sequence[Row]) -> list[tuple[Piece, Piece]]:
    """Chits on their way: from the car that pays to the purse that gets them."""
    passing: list[tuple[Piece, Piece]] = []
    for paid, got in pairwise(rows):
        if paid[3] != rules.CHITS or got[3] not in (rules.CHITS, rules.BOX) or paid[2] != got[2]:
            continue
        payer, amount = paid[4], paid[5] - paid[6]
        if amount <= 0:
            continue
        target = BOX_Y if got[3] == rules.BOX else row_y(table.players[0], got[4])
        x, y = paying_car(table, payer, paid[2], told)
        shapes = disc_shapes(f"+{amount}")
        key, label = f"pay {payer} {got[4]}", f"{SEATS[payer]} pays {chit_count(amount)}"
        end = Piece(key, ROW_RIGHT - 48, target, shapes, scale=1.3, alpha=0.6, label=label)
        passing += [loss(table, payer, amount), (Piece(key, x, y, shapes, label=label), end)]
    return passing


def disc_shapes(words: str) -> tuple[Shape, ...]:
    """A big chit with words on it."""
    return Circle(0, 0, 18, "chit", "chit edge", 2.5), Text(0, 0, words, 17, "chit ink", bold=True)


def paying_car(table: Autoscooter, payer: int, cause: int, told: Sequence[Row]) -> Point:
    """Where the payer's car of this crash stands; his purse, if the crash is not known."""
    while 0 <= cause < len(told):
        _, rule, earlier, field, rammer, hit, _, _ = told[cause]
        if field == NOTE and rule in CASES:
            car = rammer - 1 if table.driver[rammer - 1] == payer else hit - 1
            return CENTRES[table.cell[car]]
        cause = earlier
    return ROW_RIGHT - 48, row_y(table.players[0], payer)


def loss(table: Autoscooter, seat: int, amount: int) -> tuple[Piece, Piece]:
    """What a purse loses, rising from it; `0` where nothing is left to pay."""
    y = row_y(table.players[0], seat)
    shapes = (Text(0, 0, f"-{amount}" if amount else "0!", 22, "loss", bold=True),)
    key, label = f"loss {seat}", f"{SEATS[seat]} pays {chit_count(amount)}"
    x = ROW_RIGHT - 52
    return Piece(key, x, y, shapes, label=label), Piece(key, x, y - 18, shapes, alpha=0.0, label=label)


def paths(table: Autoscooter, rows: Sequence[Row]) -> tuple[Shape, ...]:
    """The ways that cars go in these rows, from this table on: a ring where each begins, a star at each crash."""
    moment = table.copy()
    walks: dict[int, list[Point]] = {}
    stars: list[Shape] = []
    for number, row in enumerate(rows):
        _, rule, _, field, index, _, after, _ = row
        if field == rules.CELL:
            walks.setdefault(index, [CENTRES[moment.cell[index]]]).append(CENTRES[after])
        elif field == NOTE and rule in CASES:
            stars.append(Polygon(star(*crash_point(moment, row, rows[:number]), 13, 6, 8), "flash", "flash edge", 1.5))
        replay(moment, [row])
    lines = [shape for car, walk in walks.items() for shape in way(walk, colour(table, car))]
    rings = [Circle(*walk[0], 6, "cell", colour(table, car), 3.5) for car, walk in walks.items()]
    return (*lines, *rings, *stars)


def way(walk: Sequence[Point], stroke: str) -> tuple[Shape, ...]:
    """A way that was driven, with an arrow into its last hex, where the car stands."""
    entry = between(walk[-2], walk[-1], 0.6)
    return (
        Line(tuple(walk), "path edge", 8, alpha=0.7),
        Line(tuple(walk), stroke, 4),
        Line((*walk[:-1], entry), stroke, 4, arrow=True),
    )


def colour(table: Autoscooter, car: int) -> str:
    """The name of a car's colour."""
    return "nobody" if table.driver[car] == NOBODY else f"seat {table.driver[car]}"


# Choosing a plot


def subject(table: Autoscooter, seat: int) -> str:
    """The key of the car that this seat is asked to plan, or nothing."""
    car = rules.car_asked(table, seat)
    return "" if car == NOWHERE else f"car {car + 1}"


def choices(table: Autoscooter, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """How this seat can go on: first a manoeuvre of the car that is asked for, then a number."""
    car = rules.car_asked(table, seat)
    if car == NOWHERE:
        raise CrashlabError(f"{SEATS[seat]} has no car to plan now")
    fitting = [code for code in range(ABOUT_FACE + 1) if rules.fits(table, car, code)]
    if not chosen:
        return manoeuvre_choices(table, car, fitting)
    words = [manoeuvre_word(code) for code in fitting]
    if len(chosen) > 1 or chosen[0] not in words:
        raise CrashlabError(f"car {car + 1} cannot plan {' '.join(chosen)!r}; choose one of {', '.join(words)}")
    return number_choices(table, car, chosen[0])


def manoeuvre_word(code: int) -> str:
    """A manoeuvre in notation."""
    return "P" if code == ABOUT_FACE else SEQUENCES[code]


def manoeuvre_text(code: int) -> str:
    """A manoeuvre in words."""
    if code == ABOUT_FACE:
        return "P: turn round on the spot (speed 0)"
    steps = ", ".join({"F": "forward", "L": "left", "R": "right"}[letter] for letter in SEQUENCES[code])
    return f"{SEQUENCES[code]}: {steps} (speed {SPEEDS[code]})"


def manoeuvre_choices(table: Autoscooter, car: int, fitting: Sequence[int]) -> tuple[Choice, ...]:
    """A choice for each manoeuvre, with its way on the board; no two are clicked at the same place.

    A way that ends on the board is clicked there, one that leads out of it at a ticket beside the car.
    """
    ways = {code: route(table, car, code) for code in fitting}
    leaving = [code for code in fitting if ways[code].cell == NOWHERE]
    tickets = dict(zip(leaving, rack(table, car, len(leaving), 48, 26), strict=True))
    found = []
    for code, path in ways.items():
        word, goal = manoeuvre_word(code), towards(path.points[-1], path.facing, 22)
        mark = target_shapes(goal, path.facing)
        if code in tickets:
            goal = tickets[code]
            mark = label_shapes(goal, word, 22, 11, 13)
        found.append(Choice(word, manoeuvre_text(code), *goal, (*route_shapes(path), *mark)))
    return tuple(found)


class Route(NamedTuple):
    """Where a manoeuvre leads with nothing in the way."""

    points: tuple[Point, ...]
    cell: int  # the last one, or NOWHERE when it leads out of the board
    facing: int
    blocked: int  # the step that is blocked now, or NOWHERE


def route(table: Autoscooter, car: int, code: int) -> Route:
    """Where a manoeuvre leads with nothing in the way, also beyond the barrier."""
    cell, facing, blocked = table.cell[car], table.facing[car], NOWHERE
    points = [CENTRES[cell]]
    if code == ABOUT_FACE:
        return Route(tuple(points), cell, (facing + 3) % 6, blocked)
    pivots = table.standstill[0] == STANDSTILL_PIVOT_FIRST and table.speed[car] == 0
    if pivots:
        facing = (facing + TURNS[3 * code]) % 6
    for step in range(SPEEDS[code]):
        cell = BOARD.ahead[6 * cell + facing] if cell != NOWHERE else NOWHERE
        if blocked == NOWHERE and (cell == NOWHERE or rules.car_on(table, cell) not in (NOWHERE, car)):
            blocked = step
        points.append(towards(points[-1], facing, 2 * HALF))
        if not pivots:
            facing = (facing + TURNS[3 * code + step]) % 6
    return Route(tuple(points), cell, facing, blocked)


def rack(table: Autoscooter, car: int, count: int, wide: float, high: float) -> list[Point]:
    """Places for tickets to click, in rows of four, above or below the car and not ahead of it."""
    x, y = CENTRES[table.cell[car]]
    columns, rows = min(count, 4), -(-count // 4)
    left = x - 16 - wide * (columns - 1) if towards((0, 0), table.facing[car], 1)[0] > 0 else x + 16
    left = min(max(left, MARGIN + wide / 2), BOARD_RIGHT - MARGIN - wide * (columns - 0.5))
    top = y - 60 - high * (rows - 1) if y > HEIGHT / 2 else y + 60
    return [(left + wide * (place % 4), top + high * (place // 4)) for place in range(count)]


def label_shapes(place: Point, words: str, half: float, rise: float, size: float) -> tuple[Shape, ...]:
    """A ticket to click, with words on it."""
    x, y = place
    return (
        Polygon(slab(x - half, y - rise, x + half, y + rise, 4), "ticket", "ticket edge", 2),
        Text(x, y, words, size, "ticket ink", bold=True),
    )


def route_shapes(path: Route) -> tuple[Shape, ...]:
    """A way from the car's nose to the last hex; a star where it is blocked now, and faint from there on."""
    points, _, facing, blocked = path
    if len(points) == 1:
        return ()
    nose, tip = between(points[0], points[1], 0.42), towards(points[-1], facing, 12)
    if blocked == NOWHERE:
        return road((nose, *points[1:], tip))
    stop = between(points[blocked], points[blocked + 1], 0.5)
    faint = Line((stop, *points[blocked + 1 :], tip), "path", 2.5, alpha=0.3)
    return (
        *((faint,) if path.cell != NOWHERE else ()),
        *road((nose, *points[1 : blocked + 1], stop)),
        Polygon(star(*stop, 10, 5, 8), "flash", "flash edge", 1.5),
    )


def road(points: tuple[Point, ...]) -> tuple[Shape, ...]:
    """A line with an edge, to be seen on every ground."""
    return Line(points, "path edge", 7, alpha=0.7), Line(points, "path", 3.5)


def target_shapes(goal: Point, facing: int) -> tuple[Shape, ...]:
    """Where to click for a way: a disc with a nose that shows the last facing."""
    nose = []
    for turn, length in ((0, 8), (140, 8), (180, 3.5), (220, 8)):
        way = radians(angle(facing) + turn)
        nose.append((goal[0] + length * cos(way), goal[1] - length * sin(way)))
    return Circle(*goal, 11, "target", "path edge", 1.5), Polygon(tuple(nose), "target ink")


def number_choices(table: Autoscooter, car: int, word: str) -> tuple[Choice, ...]:
    """A choice for each number that the car has left, at a ticket beside the car."""
    own = sorted(unused(table, car))
    found = []
    for number, place in zip(own, rack(table, car, len(own), 44, 34), strict=True):
        shapes = label_shapes(place, str(number), 20, 15, 17)
        found.append(Choice(str(number), number_text(number), *place, shapes, f"{number} {word}"))
    return tuple(found)


def number_text(number: int) -> str:
    """A number and what it means: the lowest moves first (AS-R2)."""
    when = "early" if number <= 29 else "in the middle" if number <= 59 else "late"
    return f"{number}: moves {when}"


# Questions about a turn


def questions(turn: Any) -> tuple[Question, ...]:
    """What to ask about a turn before it is shown: a crash, into a car if there is one, or where a car ends."""
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    movers = [row[4] for row in rows if row[3] == rules.PLOT and row[1] == rules.R2]
    if not movers:
        return ()
    crashes = [number for number, row in enumerate(rows) if row[3] == NOTE and row[1] in CASES]
    if not crashes:
        return (where_question(before, after, rows, movers[0]),)
    crash = next((number for number in crashes if rows[number][1] != rules.C5), crashes[0])
    moment = before.copy()
    replay(moment, list(rows[:crash]))
    return (
        where_question(before, after, rows, rows[crash][4] - 1),
        case_question(rows, crash),
        pay_question(moment, rows, crash),
        aftermath_question(moment, rows, crash),
    )


def where_question(before: Autoscooter, after: Autoscooter, rows: Sequence[Row], car: int) -> Question:
    """Where does the car end? The answers are its way, what is round it, and what it would reach undisturbed."""
    end = after.cell[car]
    reasons = [
        number
        for number, row in enumerate(rows)
        if (row[3] == rules.CELL and row[4] == car) or (row[1] == rules.R4 and row[4] == car + 1)
    ]
    starts = [number for number, row in enumerate(rows) if row[3] == rules.PLOT and row[4] == car]
    near = [row[6] for row in rows if row[3] == rules.CELL and row[4] == car]
    near += [before.cell[car], BOARD.ahead[6 * end + after.facing[car]], *BOARD.neighbours(end)]
    answers = sorted({end, *[cell for cell in dict.fromkeys(near) if cell not in (NOWHERE, end)][:4]})
    return Question(
        f"Where does car {car + 1} end?",
        tuple(place_name(cell) for cell in answers),
        answers.index(end),
        (reasons or starts)[-1],
        tuple(CENTRES[cell] for cell in answers),
    )


def obstacle(row: Row) -> str:
    """What the rammer of a crash meets."""
    return f"car {row[5]}" if row[5] else "the barrier"


def case_question(rows: Sequence[Row], crash: int) -> Question:
    """Which of the five cases is it?"""
    names = tuple(CASES.values())
    text = f"Which case is it when car {rows[crash][4]} meets {obstacle(rows[crash])}?"
    return Question(text, names, names.index(CASES[rows[crash][1]]), crash)


def pay_question(moment: Autoscooter, rows: Sequence[Row], crash: int) -> Question:
    """Who pays, and how much? The wrong answers take another direction, another case or nothing."""
    rammer, hit, v, w = rows[crash][4:]
    own = moment.driver[rammer - 1]
    other = moment.driver[hit - 1] if hit else NOBODY
    right, reason = paid_words(rows, crash)
    if other in (NOBODY, own):
        amounts = (v, v + w, abs(v - w), v + 1)
        wrong = [pay_words(own, NOBODY, amount) for amount in amounts]
    else:
        pairs = ((other, own, v), (other, own, v + w), (own, other, v), (other, own, abs(v - w)), (own, other, v + w))
        wrong = [pay_words(*pair) for pair in pairs]
    wrong = [words for words in dict.fromkeys(["nobody pays", *wrong]) if words != right][:4]
    answers = sorted({right, *wrong})
    return Question(
        f"Car {rammer} meets {obstacle(rows[crash])}: who pays, and how much?",
        tuple(answers),
        answers.index(right),
        reason,
    )


def paid_words(rows: Sequence[Row], crash: int) -> tuple[str, int]:
    """Who pays in this crash, in words, and the number of the event."""
    causes = {crash}
    for number in range(crash + 1, len(rows)):
        if rows[number][2] in causes and rows[number][1] == rules.C7:
            causes.add(number)
        if rows[number][3] == rules.CHITS and rows[number][2] in causes and rows[number][6] < rows[number][5]:
            got = rows[number + 1]
            payee = got[4] if got[3] == rules.CHITS else NOBODY
            return pay_words(rows[number][4], payee, rows[number][5] - rows[number][6]), number
    return "nobody pays", max(causes)


def pay_words(payer: int, payee: int, amount: int) -> str:
    """A payment in words; it goes into the box where the payee is nobody."""
    if not amount:
        return "nobody pays"
    return f"{SEATS[payer]} pays {amount} {'into the box' if payee == NOBODY else f'to {SEATS[payee]}'}"


def aftermath_question(moment: Autoscooter, rows: Sequence[Row], crash: int) -> Question:
    """Which way does the car that was hit face after a side crash; how fast is the rammer after any other?"""
    rule, rammer, hit = rows[crash][1], rows[crash][4], rows[crash][5]
    changes = [number for number, row in enumerate(rows) if row[2] == crash and row[1] == rule]
    if rule == rules.C4:
        turned = next(number for number in changes if rows[number][3] == rules.FACING)
        return Question(f"Which way does car {hit} face after the crash?", DIRECTIONS, rows[turned][6], turned)
    slowed = [number for number in changes if rows[number][3] == rules.SPEED and rows[number][4] == rammer - 1]
    speed = rows[slowed[0]][6] if slowed else moment.speed[rammer - 1]
    text = f"What is the speed of car {rammer} after the crash?"
    return Question(text, ("0", "1", "2", "3"), speed, slowed[0] if slowed else crash)


# What is about to happen

AHEAD = {1: SEQUENCES.index("F"), 2: SEQUENCES.index("FF"), 3: SEQUENCES.index("FFF")}  # straight on, by speed


def plans(table: Autoscooter, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """Every plot of the round once these are written too: in words, and as a way; the one that moves first, first."""
    planned = table.copy()
    for seat, action in actions.items():
        planned.plot[rules.car_asked(table, seat)] = action
    cars = [car for car in range(CARS) if planned.plot[car] != UNPLANNED]
    return tuple(plan(planned, car) for car in sorted(cars, key=lambda car: turn_order(planned, car)))


def turn_order(table: Autoscooter, car: int) -> int:
    """AS-R2, AS-R7: the number with which a car will move; last what is hidden."""
    if table.plot[car] == HIDDEN:
        return 89
    return table.plot[car] // CODES or rules.highest_unused(table, car)


def plan(table: Autoscooter, car: int) -> Choice:
    """A plot in words and as the way that is meant, whatever may be in it."""
    written = plot_text(table, car)
    straight = "straight on" if table.speed[car] else "it stays"
    words = f"nothing written, {straight} with {turn_order(table, car)}" if written == "-" else written
    text = f"car {car + 1} of {SEATS[table.driver[car]]}: {words}"
    code = table.plot[car] % CODES if table.plot[car] > NOTHING else AHEAD.get(table.speed[car], ABOUT_FACE)
    x, y = CENTRES[table.cell[car]]
    if table.plot[car] == HIDDEN or code == ABOUT_FACE:
        return Choice(written, text, x, y)
    meant = route(table, car, code)
    points = (*meant.points, towards(meant.points[-1], meant.facing, 22))
    shapes = Line(points, "path edge", 8, alpha=0.7), Line(points, colour(table, car), 4, arrow=True)
    return Choice(written, text, x, y, shapes)


# Changing a position by hand

GARAGE = "the garage"


def edits(table: Autoscooter) -> tuple[Edit, ...]:
    """What can be set about each car: its hex, or the garage, its facing, and its speed if it has a driver."""
    hexes = tuple(place_name(cell) for cell in range(len(HEXES)))
    found = []
    for car in range(CARS):
        fields = [Field("hex", (*hexes, GARAGE), place_name(table.cell[car]), CENTRES)]
        if table.cell[car] != NOWHERE:
            fields.append(Field("facing", DIRECTIONS, DIRECTIONS[table.facing[car]]))
            if table.driver[car] != NOBODY:
                fields.append(Field("speed", ("0", "1", "2", "3"), str(table.speed[car])))
        found.append(Edit(f"car {car + 1}", f"car {car + 1}", tuple(fields)))
    return tuple(found)


def edited(data: dict[str, Any], key: str, name: str, value: str) -> dict[str, Any]:
    """The position with this about the car changed; plots and used numbers stay."""
    car = key.removeprefix("car ")
    cars = {number: dict(entry) for number, entry in data["cars"].items()}
    entry = cars.setdefault(car, {"facing": "E", "speed": 0})
    if name == "hex" and value == GARAGE:
        del cars[car]
    elif name == "hex":
        entry["hex"] = [int(part) for part in value.strip("()").split(",")]
    else:
        entry[name] = int(value) if name == "speed" else value
    return {**data, "cars": cars}
