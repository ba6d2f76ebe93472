"""CrashCity in pictures: the poster of its rules, its streets, and its tiles."""

from collections.abc import Callable, Mapping

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Picture, Shape, Text
from crashlab.engine.contract import Strip
from crashlab.engine.options import Value
from crashlab.games.boards import streets
from crashlab.games.crash_city import render
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.render import layout, sprites

MIDDLE = (layout.MAP[0] + layout.MAP[2]) / 2, (layout.MAP[1] + layout.MAP[3]) / 2
NEAR = 470.0  # width of the shown part
STREET = "tiles 1,0 NS house A / 2,0 NS shop B / 2,1 S / 3,0 W"  # their kinds are in every set of tiles


def strips(options: Mapping[str, Value]) -> tuple[Strip, ...]:
    """Return the strips about building, driving, crashing and parking."""
    return build(), drive(), crash(bool(options["chains"])), park()


def build() -> Strip:
    """Return the strip about a tile that is turned and laid."""
    return Strip(
        "First build a city",
        "Each in turn lays a tile that joins the streets and builds on it: a house (with a car), a shop or a factory. "
        "16 tiles each; then the race.",
        ("CC-B5", "CC-B4", "CC-B6"),
        "phase rotate; asked B; tiles 1,0 NS house A / 2,0 ?H; cars A 1,0N>E",
        ("NS", "shop"),
        (MIDDLE[0] + 82, MIDDLE[1]),
        0.75 * NEAR,
        ("is built",),
    )


def drive() -> Strip:
    """Return the strip about a car that drives straight on and round a corner."""
    return Strip(
        "Then drive to work",
        "One car a turn: straight on as far as the way is free, at the end round a corner; one corner forward or "
        "backward; one or two back; or a U-turn.",
        ("CC-R3", "CC-R1"),
        f"phase race; asked A; {STREET}; cars A 0,0N>E / B 1,0S>W",
        ("drive A1 3,0W",),
        (MIDDLE[0], MIDDLE[1] + 20),
        NEAR,
    )


def crash(chains: bool) -> Strip:
    """Return the strip about a crash and the car that makes way."""
    push = "straight on or round a corner, also to a taken space, and so on; or spinning to a free one"
    where = push if chains else "to a free space: straight on, round a corner, or spinning"
    return Strip(
        "Crash: it makes way",
        f"The last space of two or more may be taken: a crash. The owner moves the car that was hit a space, {where}.",
        ("CC-C2", "CC-R4", "CC-C1", "CC-C3"),
        f"phase crash; asked A; hit B1; push E; {STREET}; cars A 2,0N>E / B 2,0N>W",
        ("to 3,0W",),
        (MIDDLE[0], MIDDLE[1] + 20),
        NEAR,
    )


def park() -> Strip:
    """Return the strip about a car that parks at a shop."""
    return Strip(
        "Park eight cars to win",
        "From a lane of its tile you park at any empty shop or factory: the car is at work. "
        "The first to park the eighth car wins at once.",
        ("CC-R2", "CC-E1"),
        f"phase race; asked A; {STREET}; cars A 2,0N>E / B 1,0S>W",
        ("park A1",),
        (MIDDLE[0], MIDDLE[1] + 20),
        NEAR,
        ("is parked",),
    )


# Pictures of the notation


def lanes() -> Picture:
    """Draw the sides of a tile and their lanes, with a street of two lanes and one of one lane."""
    wide, high, unit = 520.0, 320.0, 150.0
    view = layout.View(110.0, 24 + unit, unit)
    tiles = {(0, 0): 15, (1, 0): 8 + 1}
    shapes: list[Shape] = [primitives.panel(0, 0, wide, high)]
    for (x, y), street in tiles.items():
        shapes += layout.block(view, x, y, street, t.SHOP if x else t.HOME, False)
        for side in range(4):
            if street >> side & 1:
                shapes += layout.lane(view, x, y, side, True)
    shapes += layout.markings(view, tiles)
    for (x, y), street in tiles.items():
        for side, letter in enumerate(streets.DIRECTIONS):
            if street >> side & 1:
                at = primitives.towards(view.at(x + 0.5, y + 0.5), side, unit * (0.5 - layout.LANE / 2))
                shapes.append(Text(*at, letter, 22, "stripe", bold=True))
        shapes.append(Text(*view.at(x + 0.5, y + 0.5), f"{x},{y}", 20, "ink", bold=True))
    words = (
        "The lane N of tile 0,0 is 0,0N. Where both neighbours have a lane, the street "
        "has two. So 0,0E and 1,0W are the two lanes of one street"
    )
    return Picture(wide, high, (*shapes, *primitives.remarks(words, wide, high)), (), words, colours=render.COLOURS)


def tiles() -> Picture:
    """Draw the kinds of tiles."""
    wide, high = 520.0, 190.0
    shapes: list[Shape] = [primitives.panel(0, 0, wide, high)]
    for place, (name, street) in enumerate(zip(t.KIND_NAMES, t.LANES, strict=True)):
        x = wide / 2 + 100 * (place - (len(t.KIND_NAMES) - 1) / 2)
        shapes += sprites.tile_shapes(x, 66, 38, street, street)
        shapes.append(Text(x, 126, f"{name}: {streets.letters(street)}", 18, "ink", bold=True))
    words = "The kinds of tiles by the sides that have a lane. Each may be turned"
    return Picture(wide, high, (*shapes, *primitives.remarks(words, wide, high)), (), words, colours=render.COLOURS)


PICTURES: Mapping[str, Callable[[], Picture]] = {"lanes": lanes, "tiles": tiles}
