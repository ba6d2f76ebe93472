"""What a person can be asked at the board of CrashCity, and how it looks there.

rounds            how many have begun
subject, prompt   the site or the car that is decided about, and the question
choices           the answers, clicked where they lead to
plans, target     what is planned, drawn before it happens, and where an action leads
questions         what will happen in a turn
edits, edited     what can be changed in a position by hand
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from crashlab.base.errors import CrashlabError
from crashlab.drawing import primitives as kit
from crashlab.drawing.shapes import Circle, Piece, Point, Polygon, Shape, Text, placed, slab
from crashlab.engine.prompts import Choice
from crashlab.engine.table import CHANCE, NOWHERE
from crashlab.engine.words import seat_name
from crashlab.games.crash_city import board, construction, figures, moves, racing, rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w
from crashlab.games.crash_city.decisions import listed, said
from crashlab.games.crash_city.edits import edited, edits
from crashlab.games.crash_city.predict import questions

__all__ = ["choices", "edited", "edits", "plans", "prompt", "questions", "rounds", "subject", "target"]

FRAME = 0.33, 0.175  # half a frame round a car, in tiles
Planned = tuple[Point, tuple[Shape, ...]]  # where a plan is, and what is drawn there


# Choosing

PROMPTS = {
    t.SITE: "On which site do you build?",
    t.ROTATE: "How does the new tile lie?",
    t.BUILD: "What do you build on it?",
    t.CAR: "Where does the new car begin?",
    t.RACE: "Park a car, or drive one?",
    t.ANSWER: "{} was hit: where does it go?",
}


def rounds(table: t.CrashCity) -> int:
    """How many tiles have been begun, and turns of the race."""
    return table.laid[0] + table.turn[0] + (not t.is_laying(table))


def subject(table: t.CrashCity, seat: int) -> str:
    """The key of the piece that this seat decides about, or nothing: also where it chooses among its cars."""
    return OFFERS[table.phase[0]].subject(table) if rules.actors(table) == 1 << seat else ""


def prompt(table: t.CrashCity, seat: int, chosen: tuple[str, ...]) -> str:
    """The question of the decision; of a car that is chosen, where it drives."""
    return f"Where does {chosen[0]} drive?" if chosen else PROMPTS[table.phase[0]].format(t.car_name(table.hit[0]))


def choices(table: t.CrashCity, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """How this seat can go on: in the race a car parks, or one is chosen, if there are several, and then drives."""
    if seat < 0 or rules.actors(table) != 1 << seat:
        raise CrashlabError(f"{seat_name(seat)} has nothing to decide now")
    codes = listed(table)
    drives: dict[str, list[int]] = {}
    for code in codes:
        if t.sort_of(code) == t.DRIVE:
            drives.setdefault(t.car_name(racing.car_of(code)), []).append(code)
    others = [code for code in codes if t.sort_of(code) != t.DRIVE]
    several = bool(drives) and len({*drives, *(t.car_name(racing.car_of(code)) for code in others)}) > 1
    if chosen and (len(chosen) > 1 or not several or chosen[0] not in drives):
        hint = f"; choose one of {', '.join(drives)}" if several else ""
        raise CrashlabError(f"{' '.join(chosen)!r} is no car to choose here{hint}")
    if chosen or not several:
        return answers(table, seat, drives[chosen[0]] if chosen else codes)
    return (*answers(table, seat, others), *(lead(table, name, inside) for name, inside in drives.items()))


def answers(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """A choice for each of these actions."""
    found = OFFERS[table.phase[0]].choices(table, seat, codes)
    meant = {said(table, code): code for code in codes}
    return tuple(replace(one, ghost=ghost(table, seat, meant[one.action])) for one in found)


def ghost(table: t.CrashCity, seat: int, code: int) -> tuple[Shape, ...]:
    """A tile, a building or a car as it would stand."""
    if t.sort_of(code) in (t.LAY, t.ERECT):
        return PLANNED[t.sort_of(code)](table, seat, code)[1]
    if t.sort_of(code) not in (t.DRIVE, t.MAKE_WAY):
        return ()
    seen, done = board.view(table), moves.move(table, code)
    if done.hit != NOWHERE:
        return ()
    shapes = figures.car_shapes(done.car // t.OWN, str(done.car % t.OWN + 1), seen.unit)
    place = board.lane_at(table, seen, done.spaces[-1])
    return placed(Piece("", *place, shapes, board.angle_of(done.facing), alpha=0.75))


def lead(table: t.CrashCity, name: str, codes: Sequence[int]) -> Choice:
    """A car to choose, and how many drives it has."""
    seen = board.view(table)
    car = racing.car_of(codes[0])
    x, y = board.car_at(table, seen, car)
    across, down = racing.sides(*FRAME, table.facing[car], seen.unit)
    frame = slab(x - across, y - down, x + across, y + down, 0.1 * seen.unit)
    line = min(3.2, 0.048 * seen.unit)
    shapes = Polygon(frame, "", "path edge", 1.8 * line), Polygon(frame, "", "target", line)
    words = f"{len(codes)} drive{'s' if len(codes) != 1 else ''}"
    return Choice(name, f"{name} on {w.lane_text(table, table.where[car])}: {words}", x, y, shapes)


# What is about to happen


def plans(table: t.CrashCity, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """What is planned, in words and as it looks."""
    return tuple(plan(table, seat, code) for seat, code in actions.items())


def plan(table: t.CrashCity, seat: int, code: int) -> Choice:
    """An action in words; a building or a turned tile stands where it will be, and of a move the way is drawn.

    Which lanes are connected, how a car will face and whom it hits is not told: that is asked before the turn is shown.
    """
    word = said(table, code)
    if seat == CHANCE:
        return Choice(word, f"chance: {word}", *board.middle(board.view(table), table.spot[table.laid[0] - 1]))
    if t.sort_of(code) in PLANNED:
        place, shapes = PLANNED[t.sort_of(code)](table, seat, code)
        return Choice(word, f"{seat_name(seat)}: {word}", *place, shapes)
    (found,) = answers(table, seat, [code])
    return Choice(word, f"{seat_name(seat)}: {found.text}", found.x, found.y, found.shapes)


def turned_plan(table: t.CrashCity, seat: int, code: int) -> Planned:
    """The new tile as it will lie."""
    seen = board.view(table)
    lanes = code - t.LAY
    place = board.middle(seen, table.spot[table.laid[0] - 1])
    return place, tuple(figures.tile_shapes(*place, 0.5 * seen.unit, lanes, lanes))


def built_plan(table: t.CrashCity, seat: int, code: int) -> Planned:
    """The building on the new tile, still faint."""
    seen = board.view(table)
    place = board.block_at(table, seen, table.laid[0] - 1)
    shapes = figures.building_shapes(code - t.ERECT, seat, 0.22 * seen.unit)
    return place, placed(Piece("", *place, shapes, alpha=0.75))


def moved_plan(table: t.CrashCity, seat: int, code: int) -> Planned:
    """The way of a car."""
    seen = board.view(table)
    spaces = moves.move(table, code).spaces
    way = board.way(board.road(table, seen, spaces), f"seat {seat}", seen.unit)
    return board.lane_at(table, seen, spaces[-1]), way


def parked_plan(table: t.CrashCity, seat: int, code: int) -> Planned:
    """Rings round a car and its work, which show beside the pieces above them, and a P at the end of the lane."""
    seen = board.view(table)
    car = code - t.PARK
    paint = f"seat {seat}"
    where = table.where[car]
    work = board.block_at(table, seen, where >> 2)
    here = board.car_at(table, seen, car)
    x, y = kit.towards(here, (where + 1) % 4, 0.37 * seen.unit)
    size = 0.14 * seen.unit
    reach = 0.33 * seen.unit
    edges = [Circle(*at, reach, "", "path edge", 7) for at in (work, here)]
    shapes: tuple[Shape, ...] = (
        *edges,
        *(replace(ring, stroke=paint, width=4) for ring in edges),
        Polygon(slab(x - size, y - size, x + size, y + size, 0.3 * size), paint, "path edge", 2),
        Text(x, y, "P", max(14.0, 0.2 * seen.unit), f"{paint} ink", bold=True),
    )
    return here, shapes


PLANNED = {
    t.LAY: turned_plan,
    t.ERECT: built_plan,
    t.PARK: parked_plan,
    t.DRIVE: moved_plan,
    t.MAKE_WAY: moved_plan,
}


TARGETS: dict[int, Callable[[t.CrashCity, board.View, int], Point]] = {
    t.SELECT: lambda table, seen, spot: board.middle(seen, spot),
    t.LAY: lambda table, seen, lanes: board.middle(seen, table.spot[table.laid[0] - 1]),
    t.ERECT: lambda table, seen, building: board.block_at(table, seen, table.laid[0] - 1),
    t.PUT: lambda table, seen, nose: board.stand_at(table, seen, nose // 4, nose % 4),
    t.PARK: lambda table, seen, car: board.block_at(table, seen, table.where[car] // 4),
    t.DRIVE: lambda table, seen, drive: board.lane_at(table, seen, drive % t.SPACE),
    t.MAKE_WAY: lambda table, seen, space: board.lane_at(table, seen, space),
}


def target(table: t.CrashCity, seat: int, action: int) -> Point | None:
    """The site, the new tile, the lane or the work to which an action leads."""
    find = TARGETS.get(t.sort_of(action))
    return find(table, board.view(table), action % t.SORT) if find else None


# What each decision is about, and how its answers are offered


def nothing(table: t.CrashCity) -> str:
    """No piece."""
    return ""


def new_tile(table: t.CrashCity) -> str:
    """The tile that is laid."""
    return f"tile {w.tile_text(table, table.laid[0] - 1)}"


def hit_car(table: t.CrashCity) -> str:
    """The car that was hit."""
    return f"car {t.car_name(table.hit[0])}"


class Offer(NamedTuple):
    """The key of the piece that a decision is about, and how answers become choices."""

    subject: Callable[[t.CrashCity], str]
    choices: Callable[[t.CrashCity, int, Sequence[int]], tuple[Choice, ...]]


OFFERS = {
    t.SITE: Offer(nothing, construction.sites),
    t.ROTATE: Offer(new_tile, construction.rotations),
    t.BUILD: Offer(new_tile, construction.buildings),
    t.CAR: Offer(new_tile, construction.noses),
    t.RACE: Offer(nothing, racing.raced),
    t.ANSWER: Offer(hit_car, racing.raced),
}
