"""The prompts on the board of CrashCity: actions, predictions and edits of a position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from math import atan2, dist, hypot
from typing import Any, NamedTuple

from crashlab.base.errors import require
from crashlab.base.groups import grouped
from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Line, Piece, Point, Polygon, Shape, Text, placed, slab, star
from crashlab.engine.prompts import Choice, Edit, Field, Question
from crashlab.engine.table import CHANCE, NOWHERE, Row, Trace
from crashlab.engine.value_codecs import seat_name
from crashlab.games import toolkit
from crashlab.games.boards import streets
from crashlab.games.boards.streets import DIRECTIONS
from crashlab.games.crash_city import notation as w
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.notation import legal_now, said
from crashlab.games.crash_city.render import layout, sprites
from crashlab.games.crash_city.render.animation import is_crash


def subject(table: t.CrashCity, seat: int) -> str:
    """Return the key of the piece that the seat's decision is about; empty if it is about several cars."""
    return OFFERS[table.phase[0]].subject(table) if rules.actors(table) == 1 << seat else ""


def prompt(table: t.CrashCity, seat: int, chosen: tuple[str, ...]) -> str:
    """Return the question of the decision; for a chosen car, the question of its drive."""
    codes = legal_now(table) if table.phase[0] == t.RACE else ()
    names = chosen[:1] or {t.car_name(car_of(code)) for code in codes if t.sort_of(code) == t.DRIVE}
    if chosen or len(names) and all(t.sort_of(code) == t.DRIVE for code in codes):
        return f"Where does {next(iter(names))} drive?" if len(names) == 1 else "Which car drives, and where?"
    return PROMPTS[table.phase[0]].format(t.car_name(table.hit[0]))


def choices(table: t.CrashCity, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return the next choices of a seat; if several cars can move, a drive takes two: the car, then its destination."""
    require(seat >= 0 and rules.actors(table) == 1 << seat, f"{seat_name(seat)} has nothing to decide now")
    codes = legal_now(table)
    drives = grouped((t.car_name(car_of(code)), code) for code in codes if t.sort_of(code) == t.DRIVE)
    others = [code for code in codes if t.sort_of(code) != t.DRIVE]
    several = bool(drives) and len({*drives, *(t.car_name(car_of(code)) for code in others)}) > 1
    if chosen and (len(chosen) != 1 or not several or chosen[0] not in drives):
        raise toolkit.not_a_choice(chosen, drives if several else ())
    if chosen or not several:
        return answers(table, seat, drives[chosen[0]] if chosen else codes)
    return (*answers(table, seat, others), *(lead(table, name, inside) for name, inside in drives.items()))


def rounds(table: t.CrashCity) -> int:
    """Return a count that grows by 1 with each turn in the construction and in the race."""
    return table.laid[0] + table.turn[0] + (not t.is_laying(table))


def plans(table: t.CrashCity, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """Return the planned actions as choices, with their words and previews."""
    return tuple(plan(table, seat, code) for seat, code in actions.items())


def target(table: t.CrashCity, seat: int, action: int) -> Point | None:
    """Return the point of an action: its site, new tile, lane or workplace."""
    find = TARGETS.get(t.sort_of(action))
    return find(table, layout.view(table), action % t.SORT) if find else None


def questions(turn: Any) -> tuple[Question, ...]:
    """Return the questions about a turn that are asked before it is shown.

    They are about the lanes that the turn connects, the buildings allowed after it, the hit car, the places and
    directions of cars, the next seat, and the number of ways out. If one beat answers several questions, only the first
    of them is asked.
    """
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    result = [*lanes_question(before, rows), *car_questions(before, after, rows)]
    if result and before.phase[0] in (t.RACE, t.ANSWER):
        result += next_question(after, rows)
    first: dict[int, Question] = {}
    for question in result:
        first.setdefault(rows[question.reason].beat, question)
    decided = [first[beat] for beat in sorted(first)]
    return (*decided, *building_question(turn, rows), *ways_out_question(turn, rows))


def edits(table: t.CrashCity) -> tuple[Edit, ...]:
    """Return the edits: place and direction of each car, each building and its owner, and the seat of the turn."""
    seats = range(table.players[0])
    turn = Edit("asked", "the turn", (toolkit.setting(table, "asked", "asked", 0, w.SEAT, seats),))
    cars = [car_edit(table, car) for car, where in enumerate(table.where) if where != NOWHERE]
    built = [tile for tile in range(table.laid[0]) if table.building[tile] != NOWHERE]
    return (turn, *cars, *(building_edit(table, tile) for tile in built))


# Choosing

PROMPTS = {
    t.SITE: "On which site do you build?",
    t.ROTATE: "Which way round does the new tile go?",
    t.BUILD: "What do you build on it?",
    t.CAR: "Where does the new car begin?",
    t.RACE: "Park a car, or drive one?",
    t.ANSWER: "{} was hit: where does it go?",
}


def answers(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """Return a choice for each of these actions."""
    offers = OFFERS[table.phase[0]].choices(table, seat, codes)
    codes_by_words = {said(table, code): code for code in codes}
    return tuple(replace(one, ghost=ghost(table, seat, codes_by_words[one.action])) for one in offers)


def ghost(table: t.CrashCity, seat: int, code: int) -> tuple[Shape, ...]:
    """Draw a preview of a tile, a building or a car at its new position."""
    if t.sort_of(code) in (t.LAY, t.ERECT):
        return PLANNED[t.sort_of(code)](table, seat, code)[1]
    if t.sort_of(code) not in (t.DRIVE, t.MAKE_WAY):
        return ()
    view, done = layout.view(table), move(table, code)
    if done.hit != NOWHERE:
        return ()
    shapes = sprites.car_shapes(done.car // t.FLEET, str(done.car % t.FLEET + 1), view.unit)
    place = layout.lane_at(table, view, done.spaces[-1])
    return placed(Piece("", *place, shapes, layout.angle_of(done.facing), alpha=0.75))


def lead(table: t.CrashCity, name: str, codes: Sequence[int]) -> Choice:
    """Return the choice of a car, with its number of drives."""
    view = layout.view(table)
    car = car_of(codes[0])
    x, y = layout.car_at(table, view, car)
    across, down = sides(*FRAME, table.facing[car], view.unit)
    frame = slab(x - across, y - down, x + across, y + down, 0.1 * view.unit)
    line = min(3.2, 0.048 * view.unit)
    shapes = Polygon(frame, "", "path edge", 1.8 * line), Polygon(frame, "", "target", line)
    words = f"{len(codes)} drive{'s' if len(codes) != 1 else ''}"
    return Choice(name, f"{name} on {w.lane_text(table, table.where[car])}: {words}", x, y, shapes)


# Manoeuvres

# The marks of the manoeuvres (CC-R3) on their cards.
FORWARD, DRIFT, TURN, BACK, BACK_TURN, U_TURN = "F", "D", "T", "R", "Y", "U"
STRAIGHT, CORNER, SPIN = "S", "T", "U"  # manoeuvres of a hit car (CC-C1 to CC-C3)


class Drive(NamedTuple):
    """The result of a drive: its manoeuvre, spaces and last direction; the hit car and its direction, or NOWHERE."""

    car: int
    mark: str
    words: str
    spaces: tuple[int, ...]
    facing: int
    hit: int
    push: int


def move(table: t.CrashCity, code: int) -> Drive:
    """Return the result of a drive, or of a car that makes way."""
    after = table.copy()
    trace = Trace()
    rules.apply(after, 0, code, trace)
    is_drive = t.sort_of(code) == t.DRIVE
    car = code % t.SORT // t.SPACE if is_drive else table.hit[0]
    rows = map(Row._make, trace.rows)
    spaces = tuple(row.after for row in rows if row.field == rules.WHERE and row.index == car)
    mark, words = manoeuvre(table, car, code % t.SPACE) if is_drive else dodge(table, code % t.SORT)
    hit = after.hit[0] if after.phase[0] == t.ANSWER else NOWHERE
    return Drive(car, mark, words, (table.where[car], *spaces), after.facing[car], hit, after.push[0])


def manoeuvre(table: t.CrashCity, car: int, space: int) -> tuple[str, str]:
    """CC-R3: return the manoeuvre of a car to a space, as its mark and in words."""
    start, facing = table.where[car], table.facing[car]
    path = rules.route(table, start, facing, space, rules.FORWARD)
    if path != NOWHERE:
        steps = path >> 2
        is_corner = path & 3 != facing
        if not is_corner:
            return FORWARD, f"forward {steps + 1}"
        return (DRIFT, f"forward {steps} and drift") if steps else (TURN, "turn forward")
    path = rules.route(table, start, facing ^ 2, space, rules.BACKWARD)
    if path == NOWHERE:
        return U_TURN, "U-turn"
    steps = path >> 2
    is_corner = path & 3 != facing ^ 2
    if not is_corner:
        return BACK, f"reverse {steps + 1}"
    return BACK_TURN, "reverse and turn" if steps else "turn backward"


def dodge(table: t.CrashCity, space: int) -> tuple[str, str]:
    """CC-C1 to CC-C3: return the manoeuvre of the hit car to a space, as its mark and in words."""
    here = table.where[table.hit[0]]
    pushed = table.push[0]
    if rules.other_lane(table, here) == space:
        return SPIN, "spin"
    is_corner = rules.route(table, here, pushed, space, 1) & 3 != pushed
    return (CORNER, "round the corner") if is_corner else (STRAIGHT, "straight on")


# Drives to choose from

# In tiles. Cards on different lanes do not overlap, nor do cards and cars: see LANE.
LONG, WIDE = 0.23, 0.125  # half sizes of a card on a lane, with its edge
CAR_LONG, CAR_WIDE = 0.28, 0.135  # half sizes of a car
SIGN = 0.18  # half size of a card for parking
# Points beside a lane, in tiles: distance from its middle towards the middle of its tile, and along the lane.
PARK_SPOTS = tuple((across, along) for across in (0.37, 0.74) for along in (0.0, 0.37, -0.37))
CRASH_SPOTS = tuple(
    (across, along) for across in (0.265, 0.53, -0.28, -0.545, 0.795) for along in (0.0, 0.3, -0.3, 0.5, -0.5)
)


def raced(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """CC-R1, CC-C: return the choices of drives and ways out, far ones first, so that they do not cover the others."""
    ways = {code: move(table, code) for code in codes if t.sort_of(code) in (t.DRIVE, t.MAKE_WAY)}
    places = laid_out(table, codes, ways)
    result = [race_choice(table, code, ways.get(code), place) for code, place in zip(codes, places, strict=True)]
    if not ways:
        return tuple(result)
    x, y = layout.car_at(table, layout.view(table), next(iter(ways.values())).car)
    return tuple(sorted(result, key=lambda choice: -abs(choice.x - x) - abs(choice.y - y)))


def race_choice(table: t.CrashCity, code: int, done: Drive | None, place: Point) -> Choice:
    """Return a choice of the race, with its card at a point."""
    word = said(table, code)
    if done:
        return Choice(word, move_words(table, done), *place, move_shapes(table, done, place), word)
    if t.sort_of(code) == t.PARK:
        car = car_of(code)
        shapes = parking_shapes(table, layout.view(table), car, place)
        return Choice(word, park_words(table, car), *place, shapes, word)
    return Choice(word, "pass: no car can park or drive", *place, primitives.ticket(place, "pass", 24.8, 14, 15), word)


def car_of(code: int) -> int:
    """Return the car of an action of the race; 0 for a pass."""
    rest = code % t.SORT
    return rest // t.SPACE if t.sort_of(code) == t.DRIVE else rest


def spots(table: t.CrashCity, view: layout.View, code: int, done: Drive | None) -> tuple[Point, list[Point]]:
    """Return half the size of an action's card and its possible points; a pass has only one, at the bottom."""
    if done:
        lane = layout.lane_at(table, view, done.spaces[-1])
        side = done.spaces[-1] % 4
        near = [lane] if done.hit == NOWHERE else beside_lane(lane, side, view.unit, CRASH_SPOTS)
        return sides(LONG, WIDE, done.facing, view.unit), near
    if t.sort_of(code) == t.PARK:
        where = table.where[car_of(code)]
        near = beside_lane(layout.lane_at(table, view, where), where % 4, view.unit, PARK_SPOTS)
        return sides(SIGN, SIGN, 0, view.unit), near
    return (30.0, 14.0), [
        ((layout.AREA[0] + layout.AREA[2]) / 2, layout.AREA[3] - layout.RULER - 22)
    ]  # point of the ticket of a pass


def laid_out(table: t.CrashCity, codes: Sequence[int], ways: Mapping[int, Drive]) -> list[Point]:
    """Return points for the cards of these actions; as far as possible, no card covers a car or another card."""
    view = layout.view(table)
    street = [car for car, where in enumerate(table.where) if NOWHERE < where < t.ROOF]
    rectangles = [
        (*layout.car_at(table, view, car), *sides(CAR_LONG, CAR_WIDE, table.facing[car], view.unit)) for car in street
    ]
    sizes_and_spots = {code: spots(table, view, code, ways.get(code)) for code in codes}
    places: dict[int, Point] = {}
    for code in sorted(codes, key=lambda code: len(sizes_and_spots[code][1])):  # cards with one possible point first
        size, near = sizes_and_spots[code]
        places[code] = next((spot for spot in near if layout.is_free(spot, size, rectangles)), near[0])
        rectangles.append((*places[code], *size))
    return [places[code] for code in codes]


def sides(long: float, wide: float, facing: int, unit: float) -> Point:
    """Return half the width and half the height of a rectangle along a direction."""
    return (long * unit, wide * unit) if facing % 2 else (wide * unit, long * unit)


def beside_lane(lane: Point, side: int, unit: float, steps: Sequence[Point]) -> list[Point]:
    """Return points beside the middle of a lane on this side of its tile."""
    inwards = [(primitives.towards(lane, side, -across * unit), along) for across, along in steps]
    return [primitives.towards(place, (side + 1) % 4, along * unit) for place, along in inwards]


def move_words(table: t.CrashCity, done: Drive) -> str:
    """Describe a move, as in "forward 2 to 2,0N, facing E"."""
    words = f"{done.words} to {w.lane_text(table, done.spaces[-1])}, facing {DIRECTIONS[done.facing]}"
    return words if done.hit == NOWHERE else f"crash into {t.car_name(done.hit)}: {words}"


def park_words(table: t.CrashCity, car: int) -> str:
    """Describe the parking of a car."""
    tile = table.where[car] >> 2
    return f"{t.car_name(car)}: park at the {t.BUILDING_NAMES[table.building[tile]]} on {t.tile_words(table, tile)}"


def move_shapes(table: t.CrashCity, done: Drive, place: Point) -> tuple[Shape, ...]:
    """Draw the path of a move, and a card with the mark of the manoeuvre that points in the last direction.

    In a crash, the path ends with a star at the hit car, and a line leads to the card beside it.
    """
    view = layout.view(table)
    points = layout.road(table, view, done.spaces)
    seat = done.car // t.FLEET
    points = (towards_point(layout.car_at(table, view, done.car), points[1], 0.16 * view.unit), *points[1:])
    burst: tuple[Shape, ...] = ()
    if done.hit != NOWHERE:
        bump = primitives.towards(points[-1], done.push, -0.36 * view.unit)
        points = (*points[:-1], bump)
        burst = crash_shapes(bump, place, seat, view.unit)
    return (
        *primitives.way(
            points, f"seat {seat}", max(1.6, 0.03 * view.unit), max(3.2, 0.06 * view.unit), 0.35, arrow=False
        ),
        *burst,
        *placed(Piece("", *place, goal_shapes(seat, done.mark, view.unit), layout.angle_of(done.facing))),
    )


def crash_shapes(bump: Point, place: Point, seat: int, unit: float) -> tuple[Shape, ...]:
    """Draw a star at the crash, and a thin line from it to the card."""
    return (
        Line((bump, place), f"seat {seat}", max(1.6, 0.03 * unit)),
        Polygon(star(*bump, 0.13 * unit, 0.075 * unit, 8), "flash", "flash edge", 0.02 * unit),
    )


@cache
def goal_shapes(seat: int, mark: str, unit: float) -> tuple[Shape, ...]:
    """Draw the card of a move, facing east: it points ahead, with a mark and an edge in the seat's colour."""
    edge = 0.02 * unit
    long, wide = LONG * unit - edge, WIDE * unit - edge
    card = ((long, 0), (0.5 * long, wide), (-long, wide), (-long, -wide), (0.5 * long, -wide))
    return (
        Polygon(card, "ticket", "path edge", 2 * edge),
        Polygon(card, "ticket", f"seat {seat}", 1.3 * edge),
        Text(-0.1 * long, 0, mark, max(16.0, 0.21 * unit), "ticket ink", bold=True),
    )


def towards_point(start: Point, end: Point, length: float) -> Point:
    """Return the point at `length` from the start on the line to the end."""
    far = max(dist(start, end), length)
    return start[0] + length * (end[0] - start[0]) / far, start[1] + length * (end[1] - start[1]) / far


def parking_shapes(table: t.CrashCity, view: layout.View, car: int, place: Point) -> tuple[Shape, ...]:
    """Draw a card with a P, and a line to the car."""
    x, y = place
    paint = f"seat {car // t.FLEET}"
    size = (SIGN - 0.02) * view.unit
    ends = towards_point(layout.car_at(table, view, car), place, 0.13 * view.unit), place
    card = slab(x - size, y - size, x + size, y + size, 0.25 * size)
    return (
        *primitives.way(ends, paint, 2.5, 5, 0.5, arrow=False),
        Polygon(card, "ticket", "path edge", 0.04 * view.unit),
        Polygon(card, "ticket", paint, 0.026 * view.unit),
        Text(x, y, "P", max(16.0, 0.24 * view.unit), "ticket ink", bold=True),
    )


# Building

CARD = 0.38  # half size of a card beside the new tile, in tiles
NAMED = 66.0  # cards for larger tiles have room for a name


def sites(table: t.CrashCity, seat: int, codes: Sequence[int]) -> Iterator[Choice]:
    """CC-B3: return the choices of a site."""
    view = layout.view(table)
    for code in codes:
        word = said(table, code)
        spot = code - t.SELECT
        place = layout.middle(view, spot)
        yield Choice(word, site_words(table, spot), *place, site_shapes(view, spot), word)


def site_words(table: t.CrashCity, spot: int) -> str:
    """Describe a site and the buildings allowed there (CC-B5)."""
    kinds = [n for n in range(3) if table.stock[3 * table.asked[0] + n] > 0]
    allowed = [n for n in kinds if rules.is_allowed(table, spot, n)] or kinds
    return f"{t.place_words(streets.xy(spot))}: {', '.join(t.BUILDING_NAMES[n] for n in allowed)}"


def site_shapes(view: layout.View, spot: int) -> tuple[Shape, ...]:
    """Draw a site: a frame and a plus."""
    x, y = layout.middle(view, spot)
    reach = 0.4 * view.unit
    arm = 0.3 * reach
    return (
        Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.3 * reach), "target", "", 1, 0.1),
        Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.3 * reach), "", "target", 1.8, 0.75),
        Line(((x - arm, y), (x + arm, y)), "target", 2.5),
        Line(((x, y - arm), (x, y + arm)), "target", 2.5),
    )


def rotations(table: t.CrashCity, seat: int, codes: Sequence[int]) -> Iterator[Choice]:
    """CC-B4: return the choices of a rotation, with connected lanes as streets; illegal rotations are crossed out.

    Rotations that only changed rules allow are included.
    """
    turned = streets.turned(t.LANES[table.kind[table.laid[0] - 1]])
    ways = tuple(dict.fromkeys((*turned, *(code - t.LAY for code in codes))))
    view = layout.view(table)
    places = dict(zip(ways, round_tile(table, view, len(ways)), strict=True))
    wrong = tuple(
        shape
        for lanes in ways
        if t.LAY + lanes not in codes
        for shape in (*card_shapes(places[lanes], lanes, 0, view.unit), *cross_shapes(places[lanes], view.unit))
    )
    for number, code in enumerate(codes):
        lanes = code - t.LAY
        joined = joined_lanes(table, lanes)
        word = said(table, code)
        place = places[lanes]
        dull = f", not {streets.letters(lanes & ~joined)}" if lanes & ~joined else ""
        lies = f"lanes {streets.letters(lanes)}: {streets.letters(joined)} connected{dull}"
        shapes = card_shapes(place, lanes, joined, view.unit)
        yield Choice(word, lies, *place, (*wrong, *shapes) if number == 0 else shapes, word)


def joined_lanes(table: t.CrashCity, lanes: int) -> int:
    """CC-G5: return the lanes of the new tile that are connected if it has these lanes, as bits."""
    after = table.copy()
    tile = table.laid[0] - 1
    rules.apply(after, 0, t.LAY + lanes, None)
    return sum(1 << side for side in range(4) if after.joined[4 * tile + side])


def round_tile(table: t.CrashCity, view: layout.View, count: int) -> list[Point]:
    """Return `count` points for cards round the new tile, clockwise: near ones, preferably where there is no tile."""
    tiles = [streets.xy(spot) for spot in table.spot[: table.laid[0]]]
    x, y = tiles[-1]
    near = [(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if (dx, dy) != (0, 0)]
    fit = [
        step
        for step in near
        if layout.is_free(view.at(x + step[0] + 0.5, y + step[1] + 0.5), (CARD * view.unit, CARD * view.unit), ())
    ]

    def hides(step: tuple[int, int]) -> tuple[bool, bool, float]:
        """Return a sort key: steps to empty places first, then to tiles at a corner of the new one, then to others."""
        far = hypot(*step)
        is_tile = (x + step[0], y + step[1]) in tiles
        return is_tile, is_tile and far == 1, far

    best = sorted(sorted(fit, key=hides)[:count], key=lambda step: atan2(-step[0], -step[1]))
    return [view.at(x + dx + 0.5, y + dy + 0.5) for dx, dy in best]


def blank_shapes(place: Point, unit: float) -> tuple[Shape, ...]:
    """Draw an empty card."""
    x, y = place
    reach = CARD * unit
    return (Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.2 * reach), "ticket", "ticket edge", 2),)


def card_shapes(place: Point, lanes: int, joined: int, unit: float) -> tuple[Shape, ...]:
    """Draw a tile to click, with the letters of its lanes."""
    x, y = place
    return (
        *blank_shapes(place, unit),
        *sprites.tile_shapes(x, y - 0.12 * unit, 0.21 * unit, lanes, joined),
        Text(x, y + 0.23 * unit, streets.letters(lanes), max(14.0, 0.15 * unit), "ticket ink"),
    )


def cross_shapes(place: Point, unit: float) -> tuple[Shape, ...]:
    """Draw the cross over the card of an illegal rotation."""
    x, y = place
    reach = 0.19 * unit
    down = y - 0.12 * unit
    return tuple(Line(((x - reach, down - dy), (x + reach, down + dy)), "loss", 0.05 * unit) for dy in (-reach, reach))


def buildings(table: t.CrashCity, seat: int, codes: Sequence[int]) -> Iterator[Choice]:
    """CC-B5: return the choices of a building, as cards."""
    view = layout.view(table)
    for code, (x, y) in zip(codes, round_tile(table, view, len(codes)), strict=True):
        building = code - t.ERECT
        word = said(table, code)
        name = t.BUILDING_NAMES[building]
        left = table.stock[3 * seat + building]
        icon = placed(Piece("", x, y - 0.05 * view.unit, sprites.building_shapes(building, seat, 0.2 * view.unit)))
        words = (Text(x, y + 0.27 * view.unit, name, max(14.0, 0.15 * view.unit), "ticket ink"),)
        shapes = (*blank_shapes((x, y), view.unit), *icon, *(words if view.unit > NAMED else ()))
        yield Choice(word, f"{name}, {left} left", x, y, shapes, word)


def noses(table: t.CrashCity, seat: int, codes: Sequence[int]) -> Iterator[Choice]:
    """CC-B6: return the choices of lane and direction of the house's car, as arrow heads."""
    view = layout.view(table)
    for code in codes:
        word, (space, facing) = said(table, code), divmod(code - t.PUT, 4)
        place = primitives.towards(layout.lane_at(table, view, space), facing, 0.12 * view.unit)
        leads = f"{w.lane_text(table, space)}, facing {DIRECTIONS[facing]}"
        yield Choice(word, leads, *place, nose_shapes(seat, place, facing, view.unit), word)


def nose_shapes(seat: int, place: Point, facing: int, unit: float) -> tuple[Shape, ...]:
    """Draw an arrow head for a car with this direction."""
    size = 0.11 * unit
    tip, rear = primitives.towards(place, facing, size), primitives.towards(place, facing, -0.7 * size)
    wings = tuple(primitives.towards(rear, (facing + turn) % 4, 0.85 * size) for turn in (1, 3))
    return (Polygon((tip, wings[0], wings[1]), f"seat {seat}", "street edge", 2),)


# Subjects and choices of the decisions


def nothing(table: t.CrashCity) -> str:
    """Return an empty key."""
    return ""


def new_tile(table: t.CrashCity) -> str:
    """Return the key of the new tile."""
    return f"tile {t.tile_words(table, table.laid[0] - 1)}"


class Offer(NamedTuple):
    """The subject of a decision as a piece's key, and the function that makes choices of its answers."""

    subject: Callable[[t.CrashCity], str]
    choices: Callable[[t.CrashCity, int, Sequence[int]], Iterable[Choice]]


OFFERS = {
    t.SITE: Offer(nothing, sites),
    t.ROTATE: Offer(new_tile, rotations),
    t.BUILD: Offer(new_tile, buildings),
    t.CAR: Offer(new_tile, noses),
    t.RACE: Offer(nothing, raced),
    t.ANSWER: Offer(lambda table: f"car {t.car_name(table.hit[0])}", raced),
}


# Plans


def plan(table: t.CrashCity, seat: int, code: int) -> Choice:
    """Return an action in words, with the new building or tile at its place, or the path of a move.

    Connected lanes, the direction of a car, and the hit car are not shown, as predictions ask for them.
    """
    word = said(table, code)
    if seat == CHANCE:
        return Choice(word, f"chance: {word}", *layout.middle(layout.view(table), table.spot[table.laid[0] - 1]))
    if t.sort_of(code) in PLANNED:
        place, shapes = PLANNED[t.sort_of(code)](table, seat, code)
        return Choice(word, f"{seat_name(seat)}: {word}", *place, shapes)
    (choice,) = answers(table, seat, [code])
    return Choice(word, f"{seat_name(seat)}: {choice.text}", choice.x, choice.y, choice.shapes)


def turned_plan(table: t.CrashCity, seat: int, code: int) -> Planned:
    """Return the point and the shapes of the new tile after its rotation."""
    view = layout.view(table)
    lanes = code - t.LAY
    place = layout.middle(view, table.spot[table.laid[0] - 1])
    return place, tuple(sprites.tile_shapes(*place, 0.5 * view.unit, lanes, lanes))


def built_plan(table: t.CrashCity, seat: int, code: int) -> Planned:
    """Return the point and the shapes of the building on the new tile, translucent."""
    view = layout.view(table)
    place = layout.block_at(table, view, table.laid[0] - 1)
    shapes = sprites.building_shapes(code - t.ERECT, seat, 0.22 * view.unit)
    return place, placed(Piece("", *place, shapes, alpha=0.75))


def moved_plan(table: t.CrashCity, seat: int, code: int) -> Planned:
    """Return the last point of a car's path and the shapes of the path."""
    view = layout.view(table)
    spaces = move(table, code).spaces
    way = layout.way(layout.road(table, view, spaces), f"seat {seat}", view.unit)
    return layout.lane_at(table, view, spaces[-1]), way


def parked_plan(table: t.CrashCity, seat: int, code: int) -> Planned:
    """Return the point of a car, rings round the car and its workplace, and a P at the end of the lane."""
    view = layout.view(table)
    car = code - t.PARK
    paint = f"seat {seat}"
    where = table.where[car]
    work = layout.block_at(table, view, where >> 2)
    here = layout.car_at(table, view, car)
    x, y = primitives.towards(here, (where + 1) % 4, 0.37 * view.unit)
    size = 0.14 * view.unit
    reach = 0.33 * view.unit
    edges = [Circle(*at, reach, "", "path edge", 7) for at in (work, here)]
    shapes: tuple[Shape, ...] = (
        *edges,
        *(replace(ring, stroke=paint, width=4) for ring in edges),
        Polygon(slab(x - size, y - size, x + size, y + size, 0.3 * size), paint, "path edge", 2),
        Text(x, y, "P", max(14.0, 0.2 * view.unit), f"{paint} ink", bold=True),
    )
    return here, shapes


PLANNED = {
    t.LAY: turned_plan,
    t.ERECT: built_plan,
    t.PARK: parked_plan,
    t.DRIVE: moved_plan,
    t.MAKE_WAY: moved_plan,
}

TARGETS: dict[int, Callable[[t.CrashCity, layout.View, int], Point]] = {
    t.SELECT: lambda table, seen, spot: layout.middle(seen, spot),
    t.LAY: lambda table, seen, lanes: layout.middle(seen, table.spot[table.laid[0] - 1]),
    t.ERECT: lambda table, seen, building: layout.block_at(table, seen, table.laid[0] - 1),
    t.PUT: lambda table, seen, nose: layout.stand_at(table, seen, nose // 4, nose % 4),
    t.PARK: lambda table, seen, car: layout.block_at(table, seen, table.where[car] // 4),
    t.DRIVE: lambda table, seen, drive: layout.lane_at(table, seen, drive % t.SPACE),
    t.MAKE_WAY: lambda table, seen, space: layout.lane_at(table, seen, space),
}


# Predictions

NEIGHBOURS = 4  # maximum number of other cars in an answer, and their maximum distance in tiles
MANY = 6  # this number and all larger ones are one answer


def events_of(rows: Sequence[Row], field: int) -> list[int]:
    """Return the indices of the events that change this field."""
    return toolkit.event_numbers(rows, lambda row: row.field == field)


def lanes_question(before: t.CrashCity, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-G5: ask for the number of lanes that a new tile connects."""
    laid = events_of(rows, rules.STREET)
    joined = events_of(rows, rules.JOINED)
    if laid and before.phase[0] == t.ROTATE:
        yield Question("How many lanes does the tile connect?", *how_many(len(joined)), joined[-1])


def building_question(turn: Any, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-B5: ask for the buildings allowed on the new tile."""
    after = turn.after.table
    phases = events_of(rows, rules.PHASE)
    if not phases or after.phase[0] != t.BUILD:
        return
    seat = after.asked[0]
    left = [building for building in range(len(t.BUILDING_NAMES)) if after.stock[3 * seat + building] > 0]
    sets = [some for count in range(1, len(left) + 1) for some in combinations(left, count)]
    if len(sets) > 1:
        right = sets.index(tuple(sorted(code - t.ERECT for code in legal_now(after))))
        answers = tuple(", ".join(t.BUILDING_NAMES[building] for building in some) for some in sets)
        asking = f"What can {seat_name(seat)} build there?"
        yield Question(asking, answers, right, phases[-1], shapes=offered(turn))


def car_questions(before: t.CrashCity, after: t.CrashCity, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-R3, CC-R4, CC-C: ask for the hit car, its last space, and the last directions of the moved cars.

    The path of the driver would give the answers away, so it is hidden.
    """
    for number in toolkit.event_numbers(rows, is_crash)[:1]:
        driver, hit, *_ = rows[number].numbers
        ways = sorted({hit, *others(before, hit, driver)})
        if len(ways) > 1:
            yield hit_question(before, after, ways, hit, number)
    moves = [rows[number] for number in events_of(rows, rules.WHERE)]
    moved = list(dict.fromkeys(row.index for row in moves if NOWHERE < row.before < t.ROOF))
    for car in moved[:2]:
        last = [n for n in events_of(rows, rules.WHERE) if rows[n].index == car][-1]
        turned = [n for n in events_of(rows, rules.FACING) if rows[n].index == car]
        if after.where[car] < t.ROOF and car != moved[0]:  # the first car's space is visible in its path
            yield space_question(before, after, car, last)
        if after.where[car] < t.ROOF:
            asking = f"Which way does {t.car_name(car)} face at the end?"
            yield Question(asking, DIRECTIONS, after.facing[car], (turned or [last])[-1], hides_ways=True)


def hit_question(before: t.CrashCity, after: t.CrashCity, cars: Sequence[int], hit: int, reason: int) -> Question:
    """CC-C: ask which of these cars is hit."""
    view = layout.view(after)
    places = tuple(layout.car_at(before, view, car) for car in cars)
    outlines = tuple(outline(before, view, before.where[car]) for car in cars)
    names = tuple(map(t.car_name, cars))
    asking, right = "Which car is hit?", cars.index(hit)
    return Question(asking, names, right, reason, places, outlines=outlines, hides_ways=True)


def outline(table: t.CrashCity, view: layout.View, space: int) -> tuple[Point, ...]:
    """Return the outline of a lane."""
    return layout.lane_box(view, *streets.xy(table.spot[space // 4]), space % 4)


def ways_out_question(turn: Any, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-C: ask for the number of ways out that the hit car has."""
    after = turn.after.table
    crashes = toolkit.event_numbers(rows, is_crash)
    if after.phase[0] == t.ANSWER and crashes:
        asking = "How many ways out does the car that is hit have?"
        yield Question(asking, *how_many(len(legal_now(after))), crashes[-1], shapes=offered(turn), hides_ways=True)


def offered(turn: Any) -> tuple[Shape, ...]:
    """Draw all choices after a turn."""
    after = turn.after.table
    choices: tuple[Choice, ...] = turn.after.game.ui.choices(after, rules.actors(after).bit_length() - 1, ())
    return tuple(shape for choice in choices for shape in choice.shapes)


def how_many(count: int) -> tuple[tuple[str, ...], int]:
    """Return the answers to a question for a number, 1 or more, and the index of the right one."""
    return (*(str(number) for number in range(1, MANY)), f"{MANY} or more"), min(count, MANY) - 1


def others(table: t.CrashCity, hit: int, driver: int) -> list[int]:
    """Return the cars nearest to the hit one, except the driver: at most NEIGHBOURS, within as many tiles."""
    view = layout.view(table)
    here = layout.car_at(table, view, hit)
    cars = [car for car, where in enumerate(table.where) if NOWHERE < where < t.ROOF and car not in (hit, driver)]
    far = {car: dist(layout.car_at(table, view, car), here) for car in cars}
    near = [car for car in cars if far[car] < NEIGHBOURS * view.unit]
    return sorted(near, key=lambda car: far[car])[:NEIGHBOURS]


def space_question(before: t.CrashCity, after: t.CrashCity, car: int, reason: int) -> Question:
    """Ask where a car ends. The answers are its space and lanes near its first and its last space."""
    end, start = after.where[car], before.where[car]
    view = layout.view(after)
    roads = t.city(after)
    lane, old = t.lane_of(after, end), t.lane_of(after, start)
    near = [lane, old, *sorted(roads.beside(old))[:3], *sorted(roads.beside(lane))]
    lanes = sorted(list(dict.fromkeys(near))[:6])
    spaces = [t.space_at(after, *other) for other in lanes]
    look = partial(w.lane_text, after), partial(layout.lane_at, after, view), partial(outline, after, view)
    question = toolkit.where(f"Where does {t.car_name(car)} end?", spaces, end, reason, *look)
    return replace(question, hides_ways=True)


def next_question(after: t.CrashCity, rows: Sequence[Row]) -> Iterator[Question]:
    """Ask for the next seat."""
    decides = events_of(rows, rules.HIT) + events_of(rows, rules.ASKED) + events_of(rows, rules.PHASE)
    names = (*(seat_name(seat) for seat in range(after.players[0])), "nobody")
    bits = rules.actors(after)
    if decides and bits >= 0:
        yield Question("Who decides next?", names, bits.bit_length() - 1 if bits else len(names) - 1, max(decides))


# Edits by hand


def car_edit(table: t.CrashCity, car: int) -> Edit:
    """Return the edits of a car: a connected lane or a workplace, and a direction along its street."""
    view = layout.view(table)
    where = table.where[car]
    spaces = [space for space, flag in enumerate(table.joined) if flag]
    roofs = [t.ROOF + tile for tile in range(table.laid[0]) if table.building[tile] in (t.SHOP, t.FACTORY)]
    names = (
        *(w.lane_text(table, space) for space in spaces),
        *(t.tile_words(table, roof - t.ROOF) for roof in roofs),
    )
    places = (
        *(layout.lane_at(table, view, space) for space in spaces),
        *(layout.block_at(table, view, roof - t.ROOF) for roof in roofs),
    )

    def put(moment: t.CrashCity, place: int) -> None:
        """Move the car; turn it clockwise by 90 degrees if it would face across the street."""
        facing = table.facing[car] if where < t.ROOF else 0
        moment.where[car] = [*spaces, *roofs][place]
        moment.facing[car] = (facing + (facing % 2 == moment.where[car] % 2)) % 4

    fields = [Field("place", names, names[[*spaces, *roofs].index(where)], places, put)]
    if where < t.ROOF:
        ways = [way for way in range(4) if way % 2 != where % 2]
        fields.append(toolkit.setting(table, "facing", "facing", car, w.FACING, ways))
    return Edit(f"car {t.car_name(car)}", f"car {t.car_name(car)}", tuple(fields))


def building_edit(table: t.CrashCity, tile: int) -> Edit:
    """Return the edits of a building: its kind and its owner."""
    name = t.tile_words(table, tile)
    fields = (
        toolkit.setting(table, "building", "building", tile, w.BUILDING, range(len(t.BUILDING_NAMES))),
        toolkit.setting(table, "owner", "owner", tile, w.SEAT, range(table.players[0])),
    )
    return Edit(f"building {name}", f"the building on {name}", fields)


FRAME = 0.33, 0.175  # half sizes of a frame round a car, in tiles
Planned = tuple[Point, tuple[Shape, ...]]  # point and shapes of a plan
