"""What a person can be asked at the board of CrashCity, and how it looks there.

subject, choices  the site or the car that is decided about, and the answers, clicked where they lead to
plans             what is planned, drawn before it happens
questions         what will happen in a turn
edits, edited     what can be changed in a position by hand
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import dist
from typing import Any, NamedTuple

from crashlab.boards import streets
from crashlab.boards.streets import DIRECTIONS
from crashlab.games.crash_city import rules
from crashlab.games.crash_city.look import (
    AREA,
    ROW_LEFT,
    ROW_RIGHT,
    RULER,
    SHELF,
    Row,
    View,
    angle_of,
    block_at,
    building_shapes,
    lane_at,
    middle,
    place_of,
    road,
    tile_name,
    tile_shapes,
    towards,
    view,
    way,
)
from crashlab.games.crash_city.table import (
    ALL_SIDES,
    ANSWER,
    BUILD,
    BUILDING_NAMES,
    CAR,
    DRIVE,
    ERECT,
    FACTORY,
    LANES,
    LAY,
    MAKE_WAY,
    OWN,
    PARK,
    PUT,
    RACE,
    ROOF,
    ROTATE,
    SELECT,
    SHOP,
    SORT,
    SPACE,
    CrashCity,
    city,
    lane_of,
    space_at,
)
from crashlab.games.crash_city.text import LETTERS, action_text, car_name, lane_text, listed, place_text
from crashlab.happen import CHANCE, NOTE, NOWHERE, Trace
from crashlab.options import CrashlabError
from crashlab.shapes import (
    Choice,
    Circle,
    Edit,
    Field,
    Line,
    Piece,
    Point,
    Polygon,
    Question,
    Shape,
    Text,
    placed,
    slab,
    star,
)

# The marks of the manoeuvres (CC-R3) on the cars that stand where they lead to.
FORWARD, DRIFT, TURN, BACK, BACK_TURN, U_TURN = "F", "D", "T", "B", "R", "U"
STRAIGHT, CORNER, SPIN = "S", "C", "U"  # of a car that was hit (CC-C1 to CC-C3)
MANY = 6  # so many, or more, are one answer to how many there are


# Where a move leads


class Move(NamedTuple):
    """Where a car goes: by which manoeuvre, through which spaces, how it faces then, and whom it hits."""

    car: int
    mark: str
    words: str
    spaces: tuple[int, ...]
    facing: int
    hit: int


def move(table: CrashCity, code: int) -> Move:
    """What becomes of a drive, or of a car that makes way."""
    after, trace = table.copy(), Trace()
    rules.apply(after, 0, code, trace)
    is_drive = code // SORT * SORT == DRIVE
    car = code % SORT // SPACE if is_drive else table.hit[0]
    spaces = tuple(row[6] for row in trace.rows if row[3] == rules.WHERE and row[4] == car)
    mark, words = manoeuvre(table, car, code % SPACE) if is_drive else dodge(table, code % SORT)
    hit = after.hit[0] if after.phase[0] == ANSWER else NOWHERE
    return Move(car, mark, words, (table.where[car], *spaces), after.facing[car], hit)


def manoeuvre(table: CrashCity, car: int, space: int) -> tuple[str, str]:
    """CC-R3: the manoeuvre by which a car comes to a space: its mark, and in words."""
    start, facing = table.where[car], table.facing[car]
    found = rules.route(table, start, facing, space, rules.FORWARD)
    if found != NOWHERE:
        steps, is_corner = found >> 2, found & 3 != facing
        if not is_corner:
            return FORWARD, f"forward {steps + 1}"
        return (DRIFT, f"forward {steps} and drift") if steps else (TURN, "turn forward")
    found = rules.route(table, start, facing ^ 2, space, rules.BACKWARD)
    if found == NOWHERE:
        return U_TURN, "U-turn"
    steps, is_corner = found >> 2, found & 3 != facing ^ 2
    if not is_corner:
        return BACK, f"back up {steps + 1}"
    return BACK_TURN, "back up and turn" if steps else "turn backward"


def dodge(table: CrashCity, space: int) -> tuple[str, str]:
    """CC-C1 to CC-C3: how a car that was hit comes to a space: the mark, and in words."""
    here, pushed = table.where[table.hit[0]], table.push[0]
    if rules.other_lane(table, here) == space:
        return SPIN, "spin"
    is_corner = rules.route(table, here, pushed, space, 1) & 3 != pushed
    return (CORNER, "round the corner") if is_corner else (STRAIGHT, "straight on")


# Choosing


def subject(table: CrashCity, seat: int) -> str:
    """The key of the piece that this seat decides about, or nothing: also where it chooses among its cars."""
    phase = table.phase[0]
    if rules.actors(table) != 1 << seat:
        return ""
    if phase in (ROTATE, BUILD, CAR):
        return f"tile {tile_name(table, table.laid[0] - 1)}"
    return f"car {car_name(table.hit[0])}" if phase == ANSWER else ""


def choices(table: CrashCity, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """How this seat can go on: in the race a car, if several can do something, then what it does."""
    if seat < 0 or rules.actors(table) != 1 << seat:
        raise CrashlabError(f"{LETTERS[seat]} has nothing to decide now")
    codes = listed(table)
    groups: dict[str, list[int]] = {}
    for code in codes:
        groups.setdefault(group(code), []).append(code)
    if not chosen and len(groups) > 1:
        return tuple(lead(table, seat, name, inside) for name, inside in groups.items())
    if chosen and (len(chosen) > 1 or len(groups) == 1 or len(groups.get(chosen[0], ())) < 2):
        raise CrashlabError(f"{' '.join(chosen)!r} is no car to choose here; choose one of {', '.join(groups)}")
    return answers(table, seat, groups[chosen[0]] if chosen else codes)


def group(code: int) -> str:
    """The car of an action of the race."""
    return car_name(car_of(code)) if code // SORT * SORT in (DRIVE, PARK) else ""


def lead(table: CrashCity, seat: int, name: str, codes: Sequence[int]) -> Choice:
    """A car to choose, and what it can do; if that is only one thing, that, and clicked there all the same."""
    seen, car = view(table), car_of(codes[0])
    place, size = place_of(table, seen, car), max(12.0, 0.34 * seen.unit)
    shapes: tuple[Shape, ...] = (Circle(*place, size, "", "path edge", 5), Circle(*place, size, "", "target", 2.5))
    if len(codes) == 1:
        only = answer(table, seat, codes[0])
        text = only.text if only.text.startswith(name) else f"{name}: {only.text}"
        return replace(only, text=text, x=place[0], y=place[1], shapes=(*only.shapes, *shapes))
    can_park = any(code // SORT * SORT == PARK for code in codes)
    if can_park:
        shapes += parking_shapes(table, seen, car)
    drives = len(codes) - can_park
    words = f"{drives} drive{'s' if drives != 1 else ''}" + (", or park" if can_park else "")
    return Choice(name, f"{name} on {lane_text(table, table.where[car])}: {words}", *place, shapes)


def answers(table: CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """A choice for each of these actions."""
    phase = table.phase[0]
    if phase == ROTATE:
        return rotations(table, seat, codes)
    if phase == BUILD:
        return buildings(table, seat, codes)
    found = [answer(table, seat, code) for code in codes]
    if phase == RACE:  # those that lead far first, so that their ways do not cover the others
        x, y = place_of(table, view(table), car_of(codes[0]))
        found.sort(key=lambda choice: -abs(choice.x - x) - abs(choice.y - y))
    return tuple(found)


def car_of(code: int) -> int:
    """The car of an action of the race; 0 for a pass."""
    sort, rest = code // SORT * SORT, code % SORT
    return rest // SPACE if sort == DRIVE else rest


def answer(table: CrashCity, seat: int, code: int) -> Choice:
    """A choice that is clicked where it leads to."""
    seen, word = view(table), action_text(table, seat, code)
    sort, rest = code // SORT * SORT, code % SORT
    if sort == SELECT:
        return Choice(word, site_words(table, rest), *middle(seen, rest), site_shapes(seen, rest), word)
    if sort == PUT:
        place = towards(lane_at(table, seen, rest >> 2), rest & 3, 0.2 * seen.unit)
        text = f"{lane_text(table, rest >> 2)}, facing {DIRECTIONS[rest & 3]}"
        return Choice(word, text, *place, nose_shapes(seat, place, rest & 3, seen.unit), word)
    if sort == PARK:
        tile = table.where[rest] >> 2
        text = f"{car_name(rest)}: park at the {BUILDING_NAMES[table.building[tile]]} on {tile_name(table, tile)}"
        return Choice(word, text, *block_at(table, seen, tile), parking_shapes(table, seen, rest), word)
    if sort in (DRIVE, MAKE_WAY):
        done = move(table, code)
        place = lane_at(table, seen, done.spaces[-1])
        return Choice(word, move_words(table, done), *place, move_shapes(table, done), word)
    place = (AREA[0] + AREA[2]) / 2, AREA[3] - RULER - 22
    return Choice(word, "pass: no car can park or drive", *place, ticket_shapes(place, "pass"), word)


# Construction


def site_words(table: CrashCity, spot: int) -> str:
    """A site, and what could be built there (CC-B5)."""
    own = [n for n in range(3) if table.stock[3 * table.asked[0] + n] > 0]
    allowed = [n for n in own if rules.is_allowed(table, spot, n)] or own
    return f"{place_text(streets.xy(spot))}: {', '.join(BUILDING_NAMES[n] for n in allowed)}"


def site_shapes(seen: View, spot: int) -> tuple[Shape, ...]:
    """A place for a tile: its frame and a plus."""
    (x, y), reach = middle(seen, spot), 0.4 * seen.unit
    arm = 0.3 * reach
    return (
        Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.3 * reach), "target", "", 1, 0.1),
        Polygon(slab(x - reach, y - reach, x + reach, y + reach, 0.3 * reach), "", "target", 1.8, 0.75),
        Line(((x - arm, y), (x + arm, y)), "target", 2.5),
        Line(((x, y - arm), (x, y + arm)), "target", 2.5),
    )


def rotations(table: CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """CC-B4: the new tile turned in every way, with its connected lanes as streets; crossed out if it has none."""
    ways = streets.turned(LANES[table.kind[table.laid[0] - 1]])
    places = dict(zip(ways, shelf(len(ways)), strict=True))
    wrong = tuple(
        shape
        for lanes in ways
        if LAY + lanes not in codes
        for shape in (*card_shapes(places[lanes], lanes, 0), *cross_shapes(places[lanes]))
    )
    found = []
    for number, code in enumerate(codes):
        lanes = code - LAY
        joined = joined_lanes(table, lanes)
        word, place = action_text(table, seat, code), places[lanes]
        dull = f", not {streets.letters(lanes & ~joined)}" if lanes & ~joined else ""
        text = f"lanes {streets.letters(lanes)}: {streets.letters(joined)} connected{dull}"
        shapes = card_shapes(place, lanes, joined)
        found.append(Choice(word, text, *place, (*wrong, *shapes) if number == 0 else shapes, word))
    return tuple(found)


def joined_lanes(table: CrashCity, lanes: int) -> int:
    """CC-G5: which lanes of the new tile are connected if it has these."""
    after, tile = table.copy(), table.laid[0] - 1
    rules.apply(after, 0, LAY + lanes, None)
    return sum(1 << side for side in range(4) if after.joined[4 * tile + side])


def card_shapes(place: Point, lanes: int, joined: int) -> tuple[Shape, ...]:
    """A tile to click, with the letters of its lanes."""
    (x, y), reach = place, 20.5 if lanes != ALL_SIDES else 27.5
    return (
        Polygon(slab(x - reach, y - 34, x + reach, y + 34, 6), "ticket", "ticket edge", 2),
        *tile_shapes(x, y - 12, 16.5, lanes, joined),
        Text(x, y + 21, streets.letters(lanes), 14, "ticket ink"),
    )


def cross_shapes(place: Point) -> tuple[Shape, ...]:
    """What crosses a card out."""
    x, y = place
    return tuple(Line(((x - 15, y - 12 - dy), (x + 15, y - 12 + dy)), "loss", 4) for dy in (-15, 15))


def buildings(table: CrashCity, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """CC-B5: the buildings that are allowed, as cards."""
    found = []
    for code, (x, y) in zip(codes, shelf(len(codes)), strict=True):
        building, word = code - ERECT, action_text(table, seat, code)
        icon = placed(Piece("", x, y - 8, building_shapes(building, seat, 17.0)))
        name = BUILDING_NAMES[building]
        shapes = (
            Polygon(slab(x - 27.5, y - 34, x + 27.5, y + 34, 6), "ticket", "ticket edge", 2),
            *icon,
            Text(x, y + 22, name, 14, "ticket ink"),
        )
        left = table.stock[3 * seat + building]
        found.append(Choice(word, f"{name}, {left} left", x, y, shapes, word))
    return tuple(found)


def nose_shapes(seat: int, place: Point, facing: int, unit: float) -> tuple[Shape, ...]:
    """An arrow head for a car that would face this way."""
    size = max(8.0, 0.15 * unit)
    tip, rear = towards(place, facing, size), towards(place, facing, -0.7 * size)
    wings = tuple(towards(rear, (facing + turn) % 4, 0.85 * size) for turn in (1, 3))
    return (Polygon((tip, wings[0], wings[1]), f"seat {seat}", "street edge", 2),)


def shelf(count: int) -> list[Point]:
    """Places for so many cards, side by side at the foot of the panel."""
    wide = (ROW_RIGHT - ROW_LEFT) / count
    return [(ROW_LEFT + wide * (n + 0.5), SHELF) for n in range(count)]


# Racing


def move_words(table: CrashCity, done: Move) -> str:
    """A move in words: forward 2 to 2,0N, facing E."""
    words = f"{done.words} to {lane_text(table, done.spaces[-1])}, facing {DIRECTIONS[done.facing]}"
    return words if done.hit == NOWHERE else f"crash into {car_name(done.hit)}: {words}"


def move_shapes(table: CrashCity, done: Move) -> tuple[Shape, ...]:
    """The way of a move, and the car at its end, see-through, with the mark of the manoeuvre; a star at a crash."""
    seen = view(table)
    place = lane_at(table, seen, done.spaces[-1])
    points, seat = road(table, seen, done.spaces), done.car // OWN
    points = (towards_point(place_of(table, seen, done.car), points[1], 0.16 * seen.unit), *points[1:])
    shapes: list[Shape] = [
        Line(points, "path edge", max(3.2, 0.06 * seen.unit), alpha=0.35),
        Line(points, f"seat {seat}", max(1.6, 0.03 * seen.unit)),
    ]
    goal = goal_shapes(seat, done.mark, seen.unit)
    if done.hit != NOWHERE:
        goal += crash_shapes(seen.unit)
    return (*shapes, *placed(Piece("", *place, goal, angle_of(done.facing))))


@cache
def crash_shapes(unit: float) -> tuple[Shape, ...]:
    """The star on the card of a crash; it keeps to its lane, because on the other one there may be a card, too."""
    return (Polygon(star(-0.26 * unit, 0, 0.16 * unit, 0.09 * unit, 8), "flash", "flash edge", 0.02 * unit),)


@cache
def goal_shapes(seat: int, mark: str, unit: float) -> tuple[Shape, ...]:
    """Where a car could stand, facing east: a card that points ahead, with a mark and an edge in the seat's colour."""
    long, wide = 0.28 * unit, 0.125 * unit
    card = ((long, 0), (0.5 * long, wide), (-long, wide), (-long, -wide), (0.5 * long, -wide))
    return (
        Polygon(tuple(card), "ticket", "path edge", 0.07 * unit),
        Polygon(tuple(card), "ticket", f"seat {seat}", 0.045 * unit),
        Text(-0.1 * long, 0, mark, max(14.0, 0.19 * unit), "ticket ink", bold=True),
    )


def towards_point(start: Point, end: Point, length: float) -> Point:
    """The point so far from the start on the way to the end."""
    far = max(dist(start, end), length)
    return start[0] + length * (end[0] - start[0]) / far, start[1] + length * (end[1] - start[1]) / far


def parking_shapes(table: CrashCity, seen: View, car: int) -> tuple[Shape, ...]:
    """From a car to the roof of its work, and a P there."""
    x, y = block_at(table, seen, table.where[car] >> 2)
    start, size = place_of(table, seen, car), max(10.0, 0.15 * seen.unit)
    paint = f"seat {car // OWN}"
    return (
        Line((start, (x, y)), "path edge", 5, alpha=0.5),
        Line((start, (x, y)), paint, 2.5),
        Polygon(slab(x - size, y - size, x + size, y + size, 4), paint, "street edge", 2),
        Text(x, y, "P", max(15.0, 1.3 * size), f"{paint} ink", bold=True),
    )


def ticket_shapes(place: Point, word: str) -> tuple[Shape, ...]:
    """A ticket to click, with a word on it."""
    x, y = place
    reach = 4.2 * len(word) + 8
    return (
        Polygon(slab(x - reach, y - 14, x + reach, y + 14, 4), "ticket", "ticket edge", 2),
        Text(x, y, word, 15, "ticket ink", bold=True),
    )


# What is about to happen


def plans(table: CrashCity, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """What is planned, in words and as it looks."""
    return tuple(plan(table, seat, code) for seat, code in actions.items())


def plan(table: CrashCity, seat: int, code: int) -> Choice:
    """An action in words; a building or a turned tile stands where it will be, and of a move the way is drawn.

    Which lanes are connected, how a car will face and whom it hits is not told: that is asked before the turn is shown.
    """
    word = action_text(table, seat, code)
    seen, tile = view(table), table.laid[0] - 1
    place = middle(seen, table.spot[tile])
    if seat == CHANCE:
        return Choice(word, f"chance: {word}", *place)
    sort, rest = code // SORT * SORT, code % SORT
    if sort == LAY:
        shapes: tuple[Shape, ...] = tuple(tile_shapes(*place, 0.5 * seen.unit, rest, rest))
    elif sort == ERECT:
        place = block_at(table, seen, tile)
        shapes = placed(Piece("", *place, building_shapes(rest, seat, 0.22 * seen.unit), alpha=0.75))
    elif sort in (DRIVE, MAKE_WAY):
        done = move(table, code)
        place = lane_at(table, seen, done.spaces[-1])
        shapes = way(road(table, seen, done.spaces), f"seat {seat}", seen.unit)
    else:
        found = answer(table, seat, code)
        return Choice(word, f"{LETTERS[seat]}: {found.text}", found.x, found.y, found.shapes)
    return Choice(word, f"{LETTERS[seat]}: {word}", *place, shapes)


# Questions about a turn


def questions(turn: Any) -> tuple[Question, ...]:
    """What to ask about a turn before it is shown: how many lanes it connects, what can be built then; where cars end
    and face, whom one hits, how many ways out that has, who is next.
    """
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    found = [*lanes_question(before, rows), *building_question(after, rows), *car_questions(before, after, rows)]
    if found and before.phase[0] in (RACE, ANSWER):
        found += next_question(after, rows)
    return tuple(found)


def numbered(rows: Sequence[Row], field: int) -> list[int]:
    """The numbers of the events that change this field."""
    return [number for number, row in enumerate(rows) if row[3] == field]


def lanes_question(before: CrashCity, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-G5: how many lanes does a new tile connect?"""
    laid, joined = numbered(rows, rules.STREET), numbered(rows, rules.JOINED)
    if laid and before.phase[0] == ROTATE:
        yield Question("How many lanes are connected by it?", *how_many(len(joined)), joined[-1])


def building_question(after: CrashCity, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-B5: what can be built on the new tile?"""
    asked = numbered(rows, rules.PHASE)
    if not asked or after.phase[0] != BUILD:
        return
    seat = after.asked[0]
    left = [building for building in range(len(BUILDING_NAMES)) if after.stock[3 * seat + building] > 0]
    sets = [some for count in range(1, len(left) + 1) for some in combinations(left, count)]
    if len(sets) > 1:
        right = sets.index(tuple(sorted(code - ERECT for code in listed(after))))
        answers = tuple(", ".join(BUILDING_NAMES[building] for building in some) for some in sets)
        yield Question(f"What can {LETTERS[seat]} build there?", answers, right, asked[-1])


def car_questions(before: CrashCity, after: CrashCity, rows: Sequence[Row]) -> Iterator[Question]:
    """CC-R3, CC-C: how does a car face that has moved, and whom does it hit?"""
    moved = list(dict.fromkeys(rows[n][4] for n in numbered(rows, rules.WHERE) if NOWHERE < rows[n][5] < ROOF))
    for car in moved[:2]:
        last = [n for n in numbered(rows, rules.WHERE) if rows[n][4] == car][-1]
        turned = [n for n in numbered(rows, rules.FACING) if rows[n][4] == car]
        if after.where[car] < ROOF:
            text = f"Which way does {car_name(car)} face at the end?"
            yield Question(text, DIRECTIONS, after.facing[car], (turned or [last])[-1])
        if after.where[car] < ROOF and car != moved[0]:  # of the first one everybody sees where it goes
            yield space_question(after, car, last)
    crashes = [n for n, row in enumerate(rows) if row[3] == NOTE and row[1] in (rules.R4, rules.C4)]
    if crashes:
        number, driver, hit = crashes[0], rows[crashes[0]][4], rows[crashes[0]][5]
        ways = sorted({hit, *others(before, hit, driver)})
        if len(ways) > 1:
            seen = view(after)
            places = tuple(place_of(before, seen, car) for car in ways)
            yield Question("Which car is hit?", tuple(map(car_name, ways)), ways.index(hit), number, places)
        yield from ways_out_question(after, number)


def ways_out_question(after: CrashCity, reason: int) -> Iterator[Question]:
    """CC-C: how many outcomes has the car that was hit?"""
    if after.phase[0] == ANSWER:
        count = len(listed(after))
        yield Question(f"How many ways out has {car_name(after.hit[0])}?", *how_many(count), reason)


def how_many(count: int) -> tuple[tuple[str, ...], int]:
    """The answers to how many there are, of at least one, and which is right; they are the same whatever is right."""
    return (*(str(number) for number in range(1, MANY)), f"{MANY} or more"), min(count, MANY) - 1


def others(table: CrashCity, hit: int, driver: int) -> list[int]:
    """Up to four cars on the street besides these two, those nearest to the one that is hit first."""
    seen = view(table)
    x, y = place_of(table, seen, hit)
    cars = [car for car, where in enumerate(table.where) if NOWHERE < where < ROOF and car not in (hit, driver)]

    def far(car: int) -> float:
        other_x, other_y = place_of(table, seen, car)
        return abs(other_x - x) + abs(other_y - y)

    return sorted(cars, key=far)[:4]


def space_question(after: CrashCity, car: int, reason: int) -> Question:
    """Where does a car end? The answers are its space and what lies round it."""
    end, seen = after.where[car], view(after)
    roads = city(after)
    lane = lane_of(after, end)
    near = [lane, *sorted(roads.beside(lane))[:5]]
    lanes = sorted(dict.fromkeys(near))
    spaces = [space_at(after, *other) for other in lanes]
    places = tuple(lane_at(after, seen, space) for space in spaces)
    names = tuple(lane_text(after, space) for space in spaces)
    return Question(f"Where does {car_name(car)} end?", names, spaces.index(end), reason, places)


def next_question(after: CrashCity, rows: Sequence[Row]) -> Iterator[Question]:
    """Who decides next?"""
    decides = numbered(rows, rules.HIT) + numbered(rows, rules.ASKED) + numbered(rows, rules.PHASE)
    names = (*(LETTERS[seat] for seat in range(after.players[0])), "nobody")
    bits = rules.actors(after)
    if decides and bits >= 0:
        yield Question("Who decides next?", names, bits.bit_length() - 1 if bits else len(names) - 1, max(decides))


# Changing a position by hand


def edits(table: CrashCity) -> tuple[Edit, ...]:
    """What can be set: where each car is and how it faces, each building and its owner, and whose turn it is."""
    seats = tuple(LETTERS[: table.players[0]])
    asked = Edit("asked", "the turn", (Field("asked", seats, LETTERS[table.asked[0]]),))
    cars = [car_edit(table, car) for car, where in enumerate(table.where) if where != NOWHERE]
    built = [tile for tile in range(table.laid[0]) if table.building[tile] != NOWHERE]
    return (asked, *cars, *(building_edit(table, tile, seats) for tile in built))


def car_edit(table: CrashCity, car: int) -> Edit:
    """Where a car can be: on a connected lane, or at work; and the ways along its street."""
    seen, where = view(table), table.where[car]
    spaces = [space for space, flag in enumerate(table.joined) if flag]
    roofs = [ROOF + tile for tile in range(table.laid[0]) if table.building[tile] in (SHOP, FACTORY)]
    names = (*(lane_text(table, space) for space in spaces), *(tile_name(table, roof - ROOF) for roof in roofs))
    places = (
        *(lane_at(table, seen, space) for space in spaces),
        *(block_at(table, seen, roof - ROOF) for roof in roofs),
    )
    fields = [Field("place", names, names[[*spaces, *roofs].index(where)], places)]
    if where < ROOF:
        ways = tuple(DIRECTIONS[way] for way in range(4) if way % 2 != where % 2)
        fields.append(Field("facing", ways, DIRECTIONS[table.facing[car]]))
    return Edit(f"car {car_name(car)}", f"car {car_name(car)}", tuple(fields))


def building_edit(table: CrashCity, tile: int, seats: tuple[str, ...]) -> Edit:
    """What a building can be, and whose."""
    name = tile_name(table, tile)
    fields = (
        Field("building", BUILDING_NAMES, BUILDING_NAMES[table.building[tile]]),
        Field("owner", seats, LETTERS[table.owner[tile]]),
    )
    return Edit(f"building {name}", f"the building on {name}", fields)


def edited(data: dict[str, Any], key: str, name: str, value: str) -> dict[str, Any]:
    """The position with this about the car, the building or the turn changed; all else stays."""
    kind, _, who = key.partition(" ")
    if kind == "asked":
        return {**data, "asked": value}
    if kind == "building":
        at = [int(number) for number in who.split(",")]
        tiles = [{**tile, name: value} if tile["at"] == at else tile for tile in data["tiles"]]
        return {**data, "tiles": tiles}
    cars, number = list(data["cars"][who[0]]), int(who[1:]) - 1
    car = cars[number]
    cars[number] = {**car, "facing": value} if name == "facing" else car_at(value, car.get("facing", "N"))
    return {**data, "cars": {**data["cars"], who[0]: cars}}


def car_at(value: str, facing: str) -> dict[str, Any]:
    """A car on a lane or at work; it turns right if it would stand across the street."""
    if value[-1] not in DIRECTIONS:
        return {"parked": [int(number) for number in value.split(",")]}
    way = DIRECTIONS.index(facing)
    if way % 2 == DIRECTIONS.index(value[-1]) % 2:
        way = (way + 1) % 4
    at = [int(number) for number in value[:-1].split(",")]
    return {"at": at, "lane": value[-1], "facing": DIRECTIONS[way]}
