"""Crash & Grab in pictures: the poster of its rules, and the directions."""

from collections.abc import Callable, Mapping

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Picture, Polygon, Shape, Text, slab
from crashlab.engine.contract import Strip
from crashlab.engine.options import Value, number
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import state as t
from crashlab.games.crash_and_grab.render import layout

CREW = "red pilot red, red engineer red, red doctor red"


def strips(options: Mapping[str, Value]) -> tuple[Strip, ...]:
    """Return the strips: the aim, a turn, a collision, and a crash."""
    players = number(options, "players")
    return aim(players), fly(players), bump(players), crash(players)


def turn_of_red(players: int, card: str, crew: str, **others: str) -> str:
    """Write a position in red's turn, after `card` is revealed; `others` maps saucers to their spaces and energy."""
    saucers = t.COLOUR_NAMES[: 4 if players == 2 else players]
    at = [f"{name} {others.get(name, 'off')} {f'{card} #1' if name == 'red' else '0-5^'}" for name in saucers]
    spin = "spin clockwise; " if players > 2 else ""
    return f"probe A; phase distance; turn red; {spin}saucers {', '.join(at)}; crew {crew}"


def spot(players: int, row: float, column: float) -> tuple[float, float]:
    """Convert a point of the board from spaces to coordinates of the picture."""
    unit = layout.SIDE / (8 if players < 5 else players + 4)
    return layout.EDGE + unit * column, layout.EDGE + unit * row


def width(players: int, spaces: float) -> float:
    """Return the width of a number of spaces in the picture."""
    return spot(players, 0, spaces)[0] - layout.EDGE


def aim(players: int) -> Strip:
    """Return the strip about the fourth kind of crewmember."""
    both = "Each of your two saucers needs" if players == 2 else "Your saucer needs"
    crew = f"{CREW}, blue scientist 12"
    if players == 2:
        crew += "".join(f", green {kind} green" for kind in t.TYPE_NAMES)
    return Strip(
        "Four kinds of crew win",
        f"{both} a pilot, an engineer, a doctor and a scientist aboard, of any colours. The first to have them wins.",
        ("CG-W5", "CG-W2"),
        turn_of_red(players, "0-5>", crew, red="10", green="21", blue="33"),
        ("2",),
        (632.0, 96.0),
        236.0,
        ("the game is over",),
    )


def fly(players: int) -> Strip:
    """Return the strip about a saucer that picks up a crewmember."""
    return Strip(
        "Plan card and direction",
        "All plan at once, in secret: card 2, 3 or 0-5, and up, right, down or left. Then each in turn flies that "
        "far and picks up crew on its way.",
        ("CG-M2", "CG-R1", "CG-M1"),
        turn_of_red(players, "0-5>", "blue pilot 12", red="10 e1"),
        ("3",),
        spot(players, 1.5, 2.15),
        width(players, 4.3),
        ("picks up",),
    )


def bump(players: int) -> Strip:
    """Return the strip about a saucer that hits another one."""
    return Strip(
        "Hit a saucer: it flies on",
        "You stop on its space, and it flies the full distance. An accelerator (dark) sends you on as far again.",
        ("CG-M3", "CG-M2", "CG-M4"),
        turn_of_red(players, "0-5>", "red pilot red", red="20", green="22"),
        ("2",),
        spot(players, 2.5, 2.6),
        width(players, 5.2),
        ("hits",),
    )


def crash(players: int) -> Strip:
    """Return the strip about a saucer pushed off the board."""
    return Strip(
        "Off the board is a crash",
        "Push others off: take 1 energy, or one of their crew. Fly off yourself: give one away. "
        "2 energy buy an upgrade.",
        ("CG-B5", "CG-C2"),
        turn_of_red(players, "0-5<", "red pilot red", red="22", blue="21"),
        ("2",),
        spot(players, 2.5, 1.4),
        width(players, 4.3),
        ("crashes", "1 energy"),
    )


# Pictures of the notation


def directions() -> Picture:
    """Draw the four directions with their signs, words and markers."""
    wide, high, half = 520.0, 310.0, 46.0
    at = wide / 2, 128.0
    shapes: list[Shape] = [
        primitives.panel(0, 0, wide, high),
        Polygon(slab(at[0] - half, at[1] - half, at[0] + half, at[1] + half, 4), "cell", "cell edge", 2),
    ]
    for way, sign in enumerate(w.ARROWS):
        shapes += primitives.way([primitives.towards(at, way, 12), primitives.towards(at, way, 42)], "path", 4, 7)
        x, y = primitives.towards(at, way, 90 if way % 2 == 0 else 130)
        shapes += [
            Text(x, y - 13, sign, 28, "ink", bold=True),
            Text(x, y + 12, f"{w.DIRECTIONS[way]}, {t.MARKERS[way]}", 17, "ink"),
        ]
    words = "A plan is a card and a direction, as in 3> or 0-5v. Space 3,4 is row 3, column 4; in positions it is 34"
    return Picture(wide, high, (*shapes, *primitives.remarks(words, wide, high)), (), words)


PICTURES: Mapping[str, Callable[[], Picture]] = {"directions": directions}
