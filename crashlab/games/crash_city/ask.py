"""What a person can be asked at the board of CrashCity, and how it looks there.

subject, choices  the site or the car that is decided about, and the answers, clicked where they lead to
plans             what is planned, drawn before it happens
questions         what will happen in a turn
edits, edited     what can be changed in a position by hand
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import atan2, dist, hypot

from crashlab import kit
from crashlab.asking import Choice
from crashlab.boards import streets
from crashlab.boards.streets import DIRECTIONS
from crashlab.errors import CrashlabError
from crashlab.games.crash_city import board, figures, moves, refusals, rules
from crashlab.games.crash_city import table as t
from crashlab.games.crash_city import words as w
from crashlab.games.crash_city.edits import edited, edits
from crashlab.games.crash_city.predict import questions
from crashlab.happen import CHANCE, NOWHERE
from crashlab.shapes import Circle, Line, Piece, Point, Polygon, Shape, Text, placed, slab, star

__all__ = ["choices", "edited", "edits", "plans", "questions", "subject"]

# In tiles. Cards on different lanes leave each other free, and so do cards and cars: see LANE.
LONG, WIDE = 0.23, 0.125  # half a card on a lane, with its edge
CAR_LONG, CAR_WIDE = 0.28, 0.135  # half a car
FRAME = 0.33, 0.175  # half a frame round it
SIGN = 0.18  # half a card on which a car parks
CARD = 0.38  # half a card beside the new tile
NAMED = 66.0  # in larger tiles there is room on it for a name
# Beside a lane, in tiles: how far from its middle towards the middle of its tile, and how far along it.
PARK_SPOTS = tuple((across, along) for across in (0.37, 0.74) for along in (0.0, 0.37, -0.37))
CRASH_SPOTS = tuple(
    (across, along) for across in (0.265, 0.53, -0.28, -0.545, 0.795) for along in (0.0, 0.3, -0.3, 0.5, -0.5)
)


# Choosing


def subject(table: t.CrashCity, seat: int) -> str:
    """The key of the piece that this seat decides about, or nothing: also where it chooses among its cars."""
    phase = table.phase[0]
    if rules.actors(table) != 1 << seat:
        return ""
    if phase in (t.ROTATE, t.BUILD, t.CAR):
        return f"tile {board.tile_name(table, table.laid[0] - 1)}"
    return f"car {w.car_name(table.hit[0])}" if phase == t.ANSWER else ""


def choices(table: t.CrashCity, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """How this seat can go on: in the race a car parks, or one is chosen, if there are several, and then drives."""
    if seat < 0 or rules.actors(table) != 1 << seat:
        raise CrashlabError(f"{w.LETTERS[seat]} has nothing to decide now")
    codes = refusals.listed(table)
    drives: dict[str, list[int]] = {}
    for code in codes:
        if is_a(code, t.DRIVE):
            drives.setdefault(w.car_name(car_of(code)), []).append(code)
    parking = [code for code in codes if is_a(code, t.PARK)]
    several = len({*drives, *(w.car_name(car_of(code)) for code in parking)}) > 1
    if chosen and (len(chosen) > 1 or not several or chosen[0] not in drives):
        hint = f"; choose one of {', '.join(drives)}" if several and drives else ""
        raise CrashlabError(f"{' '.join(chosen)!r} is no car to choose here{hint}")
    if chosen or not several:
        return answers(table, seat, drives[chosen[0]] if chosen else codes)
    return (*answers(table, seat, parking), *(lead(table, name, inside) for name, inside in drives.items()))


def is_a(code: int, *sorts: int) -> bool:
    """Whether an action is of one of these sorts."""
    return code // t.SORT * t.SORT in sorts


def lead(table: t.CrashCity, name: str, codes: Sequence[int]) -> Choice:
    """A car to choose, and how many drives it has."""
    seen = board.view(table)
    car = car_of(codes[0])
    x, y = board.place_of(table, seen, car)
    across, down = sides(*FRAME, table.facing[car], seen.unit)
    frame = slab(x - across, y - down, x + across, y + down, 0.1 * seen.unit)
    line = min(3.2, 0.048 * seen.unit)
    shapes = Polygon(frame, "", "path edge", 1.8 * line), Polygon(frame, "", "target", line)
    words = f"{len(codes)} drive{'s' if len(codes) != 1 else ''}"
    return Choice(name, f"{name} on {w.lane_text(table, table.where[car])}: {words}", x, y, shapes)


def answers(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """A choice for each of these actions."""
    phase = table.phase[0]
    if phase == t.ROTATE:
        return rotations(table, seat, codes)
    if phase == t.BUILD:
        return buildings(table, seat, codes)
    if phase not in (t.RACE, t.ANSWER):
        return tuple(answer(table, seat, code) for code in codes)
    ways = {code: moves.move(table, code) for code in codes if is_a(code, t.DRIVE, t.MAKE_WAY)}
    places = spread(table, codes, ways)
    found = [raced(table, seat, code, ways.get(code), place) for code, place in zip(codes, places, strict=True)]
    if not ways:
        return tuple(found)
    x, y = board.place_of(table, board.view(table), next(iter(ways.values())).car)
    # those that lead far first, so that their ways do not cover the others
    return tuple(sorted(found, key=lambda choice: -abs(choice.x - x) - abs(choice.y - y)))


def car_of(code: int) -> int:
    """The car of an action of the race; 0 for a pass."""
    sort = code // t.SORT * t.SORT
    rest = code % t.SORT
    return rest // t.SPACE if sort == t.DRIVE else rest


def answer(table: t.CrashCity, seat: int, code: int) -> Choice:
    """A choice of the construction that is clicked where it leads to."""
    seen = board.view(table)
    word = w.action_text(table, seat, code)
    rest = code % t.SORT
    if is_a(code, t.SELECT):
        return Choice(word, site_words(table, rest), *board.middle(seen, rest), site_shapes(seen, rest), word)
    place = kit.towards(board.lane_at(table, seen, rest >> 2), rest & 3, 0.12 * seen.unit)
    leads = f"{w.lane_text(table, rest >> 2)}, facing {DIRECTIONS[rest & 3]}"
    return Choice(word, leads, *place, nose_shapes(seat, place, rest & 3, seen.unit), word)


def raced(table: t.CrashCity, seat: int, code: int, done: moves.Move | None, place: Point) -> Choice:
    """A choice of the race, with its card at a place."""
    seen = board.view(table)
    word = w.action_text(table, seat, code)
    car = car_of(code)
    if done:
        return Choice(word, move_words(table, done), *place, move_shapes(table, done, place), word)
    if is_a(code, t.PARK):
        return Choice(word, park_words(table, car), *place, parking_shapes(table, seen, car, place), word)
    shapes = kit.ticket(place, "pass", 24.8, 14, 15)
    return Choice(word, "pass: no car can park or drive", *place, shapes, word)


def spread(table: t.CrashCity, codes: Sequence[int], ways: Mapping[int, moves.Move]) -> list[Point]:
    """Where the cards of these actions lie, so that none covers a car or another card, as long as there is room."""
    seen = board.view(table)
    street = [car for car, where in enumerate(table.where) if NOWHERE < where < t.ROOF]
    taken = [
        (*board.place_of(table, seen, car), *sides(CAR_LONG, CAR_WIDE, table.facing[car], seen.unit)) for car in street
    ]
    wanted = {code: spots(table, seen, code, ways.get(code)) for code in codes}
    places: dict[int, Point] = {}
    for code in sorted(codes, key=lambda code: len(wanted[code][1])):  # first those that have no other place
        size, near = wanted[code]
        places[code] = next((spot for spot in near if is_free(spot, size, taken)), near[0])
        taken.append((*places[code], *size))
    return [places[code] for code in codes]


def spots(table: t.CrashCity, seen: board.View, code: int, done: moves.Move | None) -> tuple[Point, list[Point]]:
    """Half the size of a card of the race, and where it can lie: on a lane, or beside one on which a car stands."""
    if done:
        lane = board.lane_at(table, seen, done.spaces[-1])
        side = done.spaces[-1] % 4
        near = [lane] if done.hit == NOWHERE else beside_lane(lane, side, seen.unit, CRASH_SPOTS)
        return sides(LONG, WIDE, done.facing, seen.unit), near
    if is_a(code, t.PARK):
        where = table.where[car_of(code)]
        near = beside_lane(board.lane_at(table, seen, where), where % 4, seen.unit, PARK_SPOTS)
        return sides(SIGN, SIGN, 0, seen.unit), near
    return (30.0, 14.0), [
        ((board.AREA[0] + board.AREA[2]) / 2, board.AREA[3] - board.RULER - 22)
    ]  # the ticket of a pass


def sides(long: float, wide: float, facing: int, unit: float) -> Point:
    """Half the width and half the height of something that lies along a direction."""
    return (long * unit, wide * unit) if facing % 2 else (wide * unit, long * unit)


def beside_lane(lane: Point, side: int, unit: float, steps: Sequence[Point]) -> list[Point]:
    """Places beside the middle of a lane on this side of its tile."""
    inwards = [(kit.towards(lane, side, -across * unit), along) for across, along in steps]
    return [kit.towards(place, (side + 1) % 4, along * unit) for place, along in inwards]


def is_free(spot: Point, size: Point, taken: Sequence[tuple[float, float, float, float]]) -> bool:
    """Whether something of this size fits there into the map and covers nothing."""
    x, y = spot
    wide, high = size
    if not (board.MAP[0] + wide < x < board.MAP[2] - wide and board.MAP[1] + high < y < board.MAP[3] - high):
        return False
    return all(abs(x - ox) >= wide + far or abs(y - oy) >= high + tall for ox, oy, far, tall in taken)


# Construction


def site_words(table: t.CrashCity, spot: int) -> str:
    """A site, and what could be built there (CC-B5)."""
    own = [n for n in range(3) if table.stock[3 * table.asked[0] + n] > 0]
    allowed = [n for n in own if rules.is_allowed(table, spot, n)] or own
    return f"{w.place_text(streets.xy(spot))}: {', '.join(t.BUILDING_NAMES[n] for n in allowed)}"


def site_shapes(seen: board.View, spot: int) -> tuple[Shape, ...]:
    """A place for a tile: its frame and a plus."""
    x, y = board.middle(seen, spot)
    reach = 0.4 * seen.unit
    arm = 0.3 * reach
    return (
        Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.3 * reach), "target", "", 1, 0.1),
        Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.3 * reach), "", "target", 1.8, 0.75),
        Line(((x - arm, y), (x + arm, y)), "target", 2.5),
        Line(((x, y - arm), (x, y + arm)), "target", 2.5),
    )


def rotations(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """CC-B4: the new tile turned in every way, with its connected lanes as streets; crossed out if it has none."""
    ways = streets.turned(t.LANES[table.kind[table.laid[0] - 1]])
    seen = board.view(table)
    places = dict(zip(ways, round_tile(table, seen, len(ways)), strict=True))
    wrong = tuple(
        shape
        for lanes in ways
        if t.LAY + lanes not in codes
        for shape in (*card_shapes(places[lanes], lanes, 0, seen.unit), *cross_shapes(places[lanes], seen.unit))
    )
    found = []
    for number, code in enumerate(codes):
        lanes = code - t.LAY
        joined = joined_lanes(table, lanes)
        word = w.action_text(table, seat, code)
        place = places[lanes]
        dull = f", not {streets.letters(lanes & ~joined)}" if lanes & ~joined else ""
        lies = f"lanes {streets.letters(lanes)}: {streets.letters(joined)} connected{dull}"
        shapes = card_shapes(place, lanes, joined, seen.unit)
        found.append(Choice(word, lies, *place, (*wrong, *shapes) if number == 0 else shapes, word))
    return tuple(found)


def joined_lanes(table: t.CrashCity, lanes: int) -> int:
    """CC-G5: which lanes of the new tile are connected if it has these."""
    after = table.copy()
    tile = table.laid[0] - 1
    rules.apply(after, 0, t.LAY + lanes, None)
    return sum(1 << side for side in range(4) if after.joined[4 * tile + side])


def round_tile(table: t.CrashCity, seen: board.View, count: int) -> list[Point]:
    """Places for so many cards round the new tile, clockwise: as near as can be, rather where no tile lies."""
    tiles = [streets.xy(spot) for spot in table.spot[: table.laid[0]]]
    x, y = tiles[-1]
    near = [(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if (dx, dy) != (0, 0)]
    fit = [step for step in near if is_free(seen.at(x + step[0] + 0.5, y + step[1] + 0.5), (CARD * seen.unit,) * 2, ())]

    def hides(step: tuple[int, int]) -> tuple[bool, bool, float]:
        """The less the better: nothing, then a tile that touches the new one only at a corner."""
        far = hypot(*step)
        is_tile = (x + step[0], y + step[1]) in tiles
        return is_tile, is_tile and far == 1, far

    best = sorted(sorted(fit, key=hides)[:count], key=lambda step: atan2(-step[0], -step[1]))
    return [seen.at(x + dx + 0.5, y + dy + 0.5) for dx, dy in best]


def blank_shapes(place: Point, unit: float) -> tuple[Shape, ...]:
    """A card with nothing on it."""
    x, y = place
    reach = CARD * unit
    return (Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.2 * reach), "ticket", "ticket edge", 2),)


def card_shapes(place: Point, lanes: int, joined: int, unit: float) -> tuple[Shape, ...]:
    """A tile to click, with the letters of its lanes."""
    x, y = place
    return (
        *blank_shapes(place, unit),
        *figures.tile_shapes(x, y - 0.12 * unit, 0.21 * unit, lanes, joined),
        Text(x, y + 0.23 * unit, streets.letters(lanes), max(14.0, 0.15 * unit), "ticket ink"),
    )


def cross_shapes(place: Point, unit: float) -> tuple[Shape, ...]:
    """What crosses a card out."""
    x, y = place
    reach = 0.19 * unit
    down = y - 0.12 * unit
    return tuple(Line(((x - reach, down - dy), (x + reach, down + dy)), "loss", 0.05 * unit) for dy in (-reach, reach))


def buildings(table: t.CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """CC-B5: the buildings that are allowed, as cards."""
    found = []
    seen = board.view(table)
    for code, (x, y) in zip(codes, round_tile(table, seen, len(codes)), strict=True):
        building = code - t.ERECT
        word = w.action_text(table, seat, code)
        name = t.BUILDING_NAMES[building]
        left = table.stock[3 * seat + building]
        icon = placed(Piece("", x, y - 0.05 * seen.unit, figures.building_shapes(building, seat, 0.2 * seen.unit)))
        words = (Text(x, y + 0.27 * seen.unit, name, max(14.0, 0.15 * seen.unit), "ticket ink"),)
        shapes = (*blank_shapes((x, y), seen.unit), *icon, *(words if seen.unit > NAMED else ()))
        found.append(Choice(word, f"{name}, {left} left", x, y, shapes, word))
    return tuple(found)


def nose_shapes(seat: int, place: Point, facing: int, unit: float) -> tuple[Shape, ...]:
    """An arrow head for a car that would face this way."""
    size = 0.11 * unit
    tip, rear = kit.towards(place, facing, size), kit.towards(place, facing, -0.7 * size)
    wings = tuple(kit.towards(rear, (facing + turn) % 4, 0.85 * size) for turn in (1, 3))
    return (Polygon((tip, wings[0], wings[1]), f"seat {seat}", "street edge", 2),)


# Racing


def move_words(table: t.CrashCity, done: moves.Move) -> str:
    """A move in words: forward 2 to 2,0N, facing E."""
    words = f"{done.words} to {w.lane_text(table, done.spaces[-1])}, facing {DIRECTIONS[done.facing]}"
    return words if done.hit == NOWHERE else f"crash into {w.car_name(done.hit)}: {words}"


def park_words(table: t.CrashCity, car: int) -> str:
    """Where a car would park, in words."""
    tile = table.where[car] >> 2
    return (
        f"{w.car_name(car)}: park at the {t.BUILDING_NAMES[table.building[tile]]} on {board.tile_name(table, tile)}"
    )


def move_shapes(table: t.CrashCity, done: moves.Move, place: Point) -> tuple[Shape, ...]:
    """The way of a move, and at a place a card with the mark of the manoeuvre that points where the car would face.

    At a crash the way ends with a star at the car that is hit, and leads on to the card beside it.
    """
    seen = board.view(table)
    points = board.road(table, seen, done.spaces)
    seat = done.car // t.OWN
    points = (towards_point(board.place_of(table, seen, done.car), points[1], 0.16 * seen.unit), *points[1:])
    burst: tuple[Shape, ...] = ()
    if done.hit != NOWHERE:
        bump = kit.towards(points[-1], done.push, -0.36 * seen.unit)
        points = (*points[:-1], bump)
        burst = crash_shapes(bump, place, seat, seen.unit)
    return (
        *kit.way(points, f"seat {seat}", max(1.6, 0.03 * seen.unit), max(3.2, 0.06 * seen.unit), 0.35, arrow=False),
        *burst,
        *placed(Piece("", *place, goal_shapes(seat, done.mark, seen.unit), board.angle_of(done.facing))),
    )


def crash_shapes(bump: Point, place: Point, seat: int, unit: float) -> tuple[Shape, ...]:
    """A star where the cars meet, and a thin line from there to the card of the crash."""
    return (
        Line((bump, place), f"seat {seat}", max(1.6, 0.03 * unit)),
        Polygon(star(*bump, 0.13 * unit, 0.075 * unit, 8), "flash", "flash edge", 0.02 * unit),
    )


@cache
def goal_shapes(seat: int, mark: str, unit: float) -> tuple[Shape, ...]:
    """Where a car could stand, facing east: a card that points ahead, with a mark and an edge in the seat's colour."""
    edge = 0.02 * unit
    long, wide = LONG * unit - edge, WIDE * unit - edge
    card = ((long, 0), (0.5 * long, wide), (-long, wide), (-long, -wide), (0.5 * long, -wide))
    return (
        Polygon(card, "ticket", "path edge", 2 * edge),
        Polygon(card, "ticket", f"seat {seat}", 1.3 * edge),
        Text(-0.1 * long, 0, mark, max(16.0, 0.21 * unit), "ticket ink", bold=True),
    )


def towards_point(start: Point, end: Point, length: float) -> Point:
    """The point so far from the start on the way to the end."""
    far = max(dist(start, end), length)
    return start[0] + length * (end[0] - start[0]) / far, start[1] + length * (end[1] - start[1]) / far


def parking_shapes(table: t.CrashCity, seen: board.View, car: int, place: Point) -> tuple[Shape, ...]:
    """A card with a P, and a line to the car that would park."""
    x, y = place
    paint = f"seat {car // t.OWN}"
    size = (SIGN - 0.02) * seen.unit
    ends = towards_point(board.place_of(table, seen, car), place, 0.13 * seen.unit), place
    card = slab(x - size, y - size, x + size, y + size, 0.25 * size)
    return (
        *kit.way(ends, paint, 2.5, 5, 0.5, arrow=False),
        Polygon(card, "ticket", "path edge", 0.04 * seen.unit),
        Polygon(card, "ticket", paint, 0.026 * seen.unit),
        Text(x, y, "P", max(16.0, 0.24 * seen.unit), "ticket ink", bold=True),
    )


def parked_plan(table: t.CrashCity, seen: board.View, car: int) -> tuple[Shape, ...]:
    """Rings round a car and its work, which show beside the pieces above them, and a P at the end of the lane."""
    paint = f"seat {car // t.OWN}"
    where = table.where[car]
    work = board.block_at(table, seen, where >> 2)
    here = board.place_of(table, seen, car)
    x, y = kit.towards(here, (where + 1) % 4, 0.37 * seen.unit)
    size = 0.14 * seen.unit
    reach = 0.33 * seen.unit
    edges = [Circle(*at, reach, "", "path edge", 7) for at in (work, here)]
    return (
        *edges,
        *(replace(ring, stroke=paint, width=4) for ring in edges),
        Polygon(slab(x - size, y - size, x + size, y + size, 0.3 * size), paint, "path edge", 2),
        Text(x, y, "P", max(14.0, 0.2 * seen.unit), f"{paint} ink", bold=True),
    )


# What is about to happen


def plans(table: t.CrashCity, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """What is planned, in words and as it looks."""
    return tuple(plan(table, seat, code) for seat, code in actions.items())


def plan(table: t.CrashCity, seat: int, code: int) -> Choice:
    """An action in words; a building or a turned tile stands where it will be, and of a move the way is drawn.

    Which lanes are connected, how a car will face and whom it hits is not told: that is asked before the turn is shown.
    """
    word = w.action_text(table, seat, code)
    seen = board.view(table)
    tile = table.laid[0] - 1
    place = board.middle(seen, table.spot[tile])
    if seat == CHANCE:
        return Choice(word, f"chance: {word}", *place)
    sort = code // t.SORT * t.SORT
    rest = code % t.SORT
    if sort == t.LAY:
        shapes: tuple[Shape, ...] = tuple(figures.tile_shapes(*place, 0.5 * seen.unit, rest, rest))
    elif sort == t.ERECT:
        place = board.block_at(table, seen, tile)
        shapes = placed(Piece("", *place, figures.building_shapes(rest, seat, 0.22 * seen.unit), alpha=0.75))
    elif sort in (t.DRIVE, t.MAKE_WAY):
        done = moves.move(table, code)
        place = board.lane_at(table, seen, done.spaces[-1])
        shapes = board.way(board.road(table, seen, done.spaces), f"seat {seat}", seen.unit)
    elif sort == t.PARK:
        place = board.place_of(table, seen, rest)
        shapes = parked_plan(table, seen, rest)
    else:
        (found,) = answers(table, seat, [code])
        return Choice(word, f"{w.LETTERS[seat]}: {found.text}", found.x, found.y, found.shapes)
    return Choice(word, f"{w.LETTERS[seat]}: {word}", *place, shapes)
