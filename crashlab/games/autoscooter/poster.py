"""Autoscooter in pictures: the poster of its rules, the directions, and the sides of a car."""

from collections.abc import Callable, Mapping
from math import sqrt

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Line, Picture, Piece, Polygon, Shape, Text, placed
from crashlab.engine.contract import Strip
from crashlab.engine.options import Value, number
from crashlab.games import toolkit
from crashlab.games.autoscooter import render
from crashlab.games.autoscooter import state as t
from crashlab.games.boards import hexes

ROUND = {"round": 6}  # car 1 still has 48, 49, 64 ..., and car 2 has 47, 50, 63 ...
STANDSTILL = {
    "about_face": "A standing car may turn round on its hex.",
    "pivot_first": "A standing car turns first, then drives.",
    "turn_anyway": "A blocked move at speed 1 still makes its turn.",
    "none": "Nothing helps a car with its nose to the barrier.",
}


def strips(options: Mapping[str, Value]) -> tuple[Strip, ...]:
    """Return the strips: the aim, a round, a crash, and the barrier or the shove."""
    rear = shoved() if options["rear_push"] else barrier(str(options["standstill"]))
    return aim(number(options, "players")), drive(), crash(), rear


def aim(players: int) -> Strip:
    """Return the strip about the chits at the end."""
    start = t.PURSES[players]
    cars = {str(car + 1): f"{row}{column}{hexes.DIRECTIONS[way]}0" for car, ((row, column), way) in enumerate(t.START)}
    return Strip(
        "The most chits win",
        f"You drive bumper cars and start with {start} chits. Ram the others: they pay you. "
        f"After {t.ROUNDS} rounds whoever has the most chits wins.",
        ("AS-S2", "AS-E1"),
        {
            "round": t.ROUNDS + 1,
            "cars": {**cars, "1": "14W2", "2": "23SE1"},
            "chits": {"A": start + 6, "B": start - 6},
        },
        at=(490.0, 125.0),
        wide=600.0,
    )


def drive() -> Strip:
    """Return the strip about two plots and their moves."""
    return Strip(
        "Plot in secret, drive",
        "All write a number and a manoeuvre for each car: 49 FLF is forward, left, forward. The lowest number "
        "drives first. Speed, 1 to 3, changes by at most 1.",
        ("AS-R1", "AS-R2", "AS-M2"),
        {**ROUND, "cars": {"1": "21E1", "2": "33W1"}},
        ({0: "49 FLF", 1: "63 FR"},),
        (render.CENTRES[13][0], render.CENTRES[13][1] + 16),
        300.0,
        since=1,
    )


def crash() -> Strip:
    """Return the strip about a car that runs into the side of another one."""
    return Strip(
        "The rammer is paid",
        "Side: both speeds, and the car is turned. Tail, or at rest: the rammer's speed. "
        "Nose to nose: the slower one pays the difference, both stop.",
        ("AS-C4", "AS-C1", "AS-C2", "AS-C3"),
        {**ROUND, "cars": {"1": "21E2", "2": "23SE2"}},
        ({0: "49 FF", 1: "63 FF"},),
        render.CENTRES[13],
        240.0,
        ("hits the side", "pays"),
    )


def barrier(standstill: str) -> Strip:
    """Return the strip about a car that runs into the barrier."""
    return Strip(
        "The barrier costs you, too",
        f"Into the barrier, or a car without a driver: your speed into the box, and you stop. {STANDSTILL[standstill]}",
        ("AS-C5", "AS-M5"),
        {**ROUND, "cars": {"1": "03E2", "2": "63W0"}},
        ({0: "49 FFF", 1: "63 F"},),
        (render.CENTRES[4][0] - 30, render.CENTRES[4][1] + 10),
        225.0,
        ("runs into", "pays"),
    )


def shoved() -> Strip:
    """Return the strip about a car shoved by a hit from behind."""
    return Strip(
        "From behind you shove",
        "House rule: after a rear crash the car that was hit is shoved one hex along the blow.",
        ("AS-C3", "AS-V1"),
        {**ROUND, "cars": {"1": "21E2", "2": "22E1"}},
        ({0: "49 FF", 1: "63 FF"},),
        render.CENTRES[13],
        240.0,
        ("the rear", "pays"),
    )


# Pictures of the notation


def car() -> tuple[Shape, ...]:
    """Draw a car that faces east."""
    return placed(Piece("", 0, 0, render.car_shapes(0, 0, 1), scale=1.0))


def directions() -> Picture:
    """Draw the six directions."""
    words = "21E2 is hex 2,1, facing E, at speed 2. A left turn, L, is +1; a right turn, R, is -1"
    return toolkit.rose(hexes.DIRECTIONS, car(), words)


SIDES = ("nose", "side", "side", "tail", "side", "side")
PAINTS = {"nose": "seat 1", "side": "seat 0", "tail": "seat 2"}


def sides() -> Picture:
    """Draw the six sides of a car, counted to the left from its nose."""
    wide, high = 520.0, 363.0
    at = wide / 2, 140.0
    size = 80.0
    corners = hexes.corners(at, size)
    shapes: list[Shape] = [primitives.panel(0, 0, wide, high), Polygon(corners, "cell")]
    shapes += [Line((corners[side - 1], corners[side]), PAINTS[name], 9) for side, name in enumerate(SIDES)]
    for side, name in enumerate(SIDES):
        x, y = hexes.towards(at, side, size * sqrt(3) / 2 + 38)
        shapes += [Text(x, y - 10, str(side), 26, PAINTS[name], bold=True), Text(x, y + 14, name, 17, "ink")]
    shapes += placed(Piece("", *at, render.car_shapes(0, 0, 1), scale=1.55))
    words = "The side that is hit, counted to the left from the nose. 0 is a front crash (AS-C1), 3 a rear one (AS-C3)"
    return Picture(wide, high, (*shapes, *primitives.remarks(words, wide, high)), (), words)


PICTURES: Mapping[str, Callable[[], Picture]] = {"directions": directions, "sides": sides}
