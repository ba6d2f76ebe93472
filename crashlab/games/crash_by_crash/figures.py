"""Cars, magnets, the operator and bells on a picture of Crash by Crash."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin

from crashlab.drawing import primitives as kit
from crashlab.drawing.shapes import Circle, Line, Piece, Polygon, Shape, Text
from crashlab.engine.table import NOWHERE
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import board, rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w


@cache
def car_shapes(side: int, is_magnet: bool) -> tuple[Shape, ...]:
    """A bumper car with the letter of its side; a magnetic one under a horseshoe."""
    letter = Text(0, 0.5, w.SEATS[side], 17 if not is_magnet else 15, f"seat {side} ink", bold=True)
    if not is_magnet:
        lamps = (Circle(-5, -9.6, 1.8, "lamp"), Circle(5, -9.6, 1.8, "lamp"))
        return (*board.badge(side, 0, 0, 1.02), *lamps, letter)
    return (*horseshoe(), *board.badge(side, 0, 1, 0.8), letter)


def horseshoe() -> tuple[Shape, ...]:
    """A magnet with its ends down."""
    arch = tuple((15 * cos(n * pi / 10), -2 - 14.5 * sin(n * pi / 10)) for n in range(11))
    ends = [(x, y) for x in (-15.0, 15.0) for y in (5.0,)]
    return (
        Line(((15, 9), *arch, (-15, 9)), "rubber", 8.5),
        Line(((15, 7), *arch, (-15, 7)), "magnet", 6),
        *(Polygon(((x - 3, y), (x + 3, y), (x + 3, y + 6), (x - 3, y + 6)), "number") for x, y in ends),
    )


def car_piece(table: t.CrashByCrash, car: int) -> Piece:
    """A car on the floor, or small in its owner's stock."""
    cell = table.cell[car]
    is_magnet = rules.is_magnet(car)
    shapes = car_shapes(car // t.FLEET, is_magnet)
    name = f"{w.SIDES[car // t.FLEET]} {'magnetic car' if is_magnet else 'car'}"
    if cell == NOWHERE:
        x, y = board.stock_place(table.players[0], car)
        return Piece(w.piece_key(car), x, y, shapes, scale=0.55 if is_magnet else 0.41, label=f"{name} in the stock")
    x, y = board.CENTRES[cell]
    label = f"{name} on {w.place_words(cell)}, value {table.value[cell]}"
    return Piece(w.piece_key(car), x, y - board.UP, shapes, label=label)


def pull_piece(table: t.CrashByCrash, side: int) -> Piece:
    """CB-M1: round a magnet, on each cell between it and a cell from which it pulls, an arrow."""
    cell = table.cell[t.FLEET * side + t.STANDARD]
    ways = tuple(way for way in range(6) if has_floor(table, t.AHEAD[6 * t.AHEAD[6 * cell + way] + way]))
    words = f"the magnetic car on {w.place_words(cell)} pulls from six cells"
    return Piece(f"pull {w.SIDES[side]}", *board.CENTRES[cell], pull_shapes(ways, f"seat {side}"), label=words)


def has_floor(table: t.CrashByCrash, cell: int) -> bool:
    """Whether there is floor on a cell."""
    return cell != t.OUTSIDE and not table.gone[t.TILE[cell]]


@cache
def pull_shapes(ways: tuple[int, ...], paint: str) -> tuple[Shape, ...]:
    """Arrows towards the middle, from both ends of a pull."""
    shapes: list[Shape] = []
    for way in ways:
        for far in (1.45 * board.HALF, 2.0 * board.HALF):
            tip = hexes.towards((0, 0), way, far)
            wings = [hexes.towards(tip, way + turn, 7) for turn in (0.75, -0.75)]
            points = (wings[0], tip, wings[1])
            shapes += kit.way(points, paint, 2.6, 4.5, 0.8, arrow=False)
    return tuple(shapes)


@cache
def operator_shapes() -> tuple[Shape, ...]:
    """A grumpy man with a cap and a moustache."""
    return (
        Polygon(((-17, 18), (-11, 8), (11, 8), (17, 18)), "purple", "rubber", 2),
        Circle(0, 0, 11.5, "skin", "rubber", 1.8),
        Polygon(((-12, -6), (-10, -15), (10, -15), (12, -6)), "purple", "rubber", 1.5),
        Line(((-13, -6), (13, -6)), "rubber", 3.2),
        Circle(0, -10.5, 2.3, "lamp"),
        Line(((-7.5, -3.6), (-1.8, -0.8)), "rubber", 2.2),
        Line(((7.5, -3.6), (1.8, -0.8)), "rubber", 2.2),
        Circle(-4.2, 0.8, 1.3, "rubber"),
        Circle(4.2, 0.8, 1.3, "rubber"),
        Line(((-6.5, 6), (0, 3.8), (6.5, 6)), "rubber", 3.4),
    )


def operator_piece(table: t.CrashByCrash) -> Piece:
    """The operator where he is."""
    cell = table.cell[t.OPERATOR]
    where = f"in the hole round {w.place_words(cell)}" if table.gone[t.TILE[cell]] else f"on {w.place_words(cell)}"
    x, y = board.CENTRES[cell]
    return Piece("operator", x, y - 1, operator_shapes(), label=f"the operator {where}")


@cache
def bell_shapes(rings: bool) -> tuple[Shape, ...]:
    """A bell; with sound round it while it rings."""
    side = [(3, -13), (6, -10), (8, -5), (9, 2), (10, 5), (13, 8)]
    waves = tuple(
        Line(tuple((sign * r * cos(n * pi / 10), -r * sin(n * pi / 10) - 2) for n in range(-2, 4)), "flash edge", 2.5)
        for r in (17, 22)
        for sign in (-1, 1)
    )
    return (
        *(waves if rings else ()),
        Circle(0, 9.5, 3.6, "chit edge"),
        Polygon((*side, *((-x, y) for x, y in reversed(side))), "chit", "chit edge", 2),
        Line(((-8.5, 4.5), (8.5, 4.5)), "chit edge", 1.6),
        Line(((-3.5, -8), (-4.5, 0)), "lamp", 2),
        Circle(0, -13.5, 2.4, "chit", "chit edge", 1.6),
    )


def bell_piece(table: t.CrashByCrash, bell: int) -> Piece:
    """A bell on the floor, ringing above the car that is on it, or on the scoring track."""
    place = table.cell[bell]
    key = w.piece_key(bell)
    if place == NOWHERE:
        number = table.cell[t.BELL : bell].count(NOWHERE)
        x, y = board.track_place(min(number, rules.LAST - 1))
        return Piece(key, x, y, bell_shapes(False), scale=0.62, label="a bell that was scored")
    x, y = board.CENTRES[place % t.RINGING]
    where = w.place_words(place % t.RINGING)
    if place >= t.RINGING:
        return Piece(key, x, y - 17, bell_shapes(True), scale=0.8, label=f"the bell on {where} rings")
    if place == table.cell[t.OPERATOR]:
        return Piece(key, x + 13, y - 12, bell_shapes(False), scale=0.6, label=f"a bell under the operator on {where}")
    return Piece(key, x, y - 2, bell_shapes(False), scale=0.92, label=f"a bell on {where}")


def piece(table: t.CrashByCrash, number: int) -> Piece:
    """A car, the operator or a bell."""
    if number == t.OPERATOR:
        return operator_piece(table)
    return car_piece(table, number) if number < t.CARS else bell_piece(table, number)


def piece_paint(piece: int) -> str:
    """The colour of a car, or of the operator."""
    return "purple" if piece == t.OPERATOR else f"seat {piece // t.FLEET}"
