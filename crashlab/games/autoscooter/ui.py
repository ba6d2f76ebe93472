"""The prompts on the board of Autoscooter: actions, predictions and edits of a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, cos, degrees, dist, radians, sin
from typing import Any, NamedTuple

from crashlab.base.errors import require
from crashlab.base.groups import grouped
from crashlab.drawing import primitives
from crashlab.drawing.shapes import Line, Piece, Point, Polygon, Shape, placed, slab
from crashlab.engine import contract
from crashlab.engine.notation import SEATS
from crashlab.engine.prompts import Choice, Edit, Question
from crashlab.engine.table import NOTE, NOWHERE, Row, Trace, replay
from crashlab.games import toolkit
from crashlab.games.autoscooter import notation as w
from crashlab.games.autoscooter import rules
from crashlab.games.autoscooter import state as t
from crashlab.games.autoscooter.render import (
    BOARD_RIGHT,
    BOX_Y,
    CASES,
    CENTRES,
    HALF,
    HEIGHT,
    MARGIN,
    SIZE,
    car_shapes,
    colour,
    number_plate,
    row_y,
)
from crashlab.games.boards import hexes
from crashlab.games.toolkit import event_numbers

STRIP_X = 676.0  # the middle of the strip of numbers, on the panel: between four piles of chits and their number
STRIP_HALF = 16.0  # half of its width
PLATE = 22.0  # width of a car's plate, left of a ticket
STRIP_TOP, STRIP_END = 76.0, BOX_Y - 50  # below the heading, above the box
TICKET = 34.0  # height of a ticket on the strip, with a margin
BESIDE_ROW = 56.0  # distance of the strip from the middle of a row of the panel
IN_HEX = 26.0  # distance of a target from the middle of its hex
ROUND_CAR = 46.0, 40.0, 34.0  # distances of a target from a car on its hex, the preferred one first
APART = 24.0  # minimum distance of two targets
WIDE, HIGH = 48.0, 32.0  # a ticket of a path that leaves the board, with a margin
FEW_TICKETS = 6  # the strip always has room for these


def subject(table: t.Autoscooter, seat: int) -> str:
    """Return the key of the seat's current car, or an empty string."""
    car = rules.car_asked(table, seat)
    return "" if car == NOWHERE else f"car {car + 1}"


def prompt(table: t.Autoscooter, seat: int, chosen: tuple[str, ...]) -> str:
    """Return the prompt: first for a manoeuvre, then for its number."""
    so_far = f"{chosen[0]}, choose when it moves" if chosen else "choose where it drives"
    return f"Car {rules.car_asked(table, seat) + 1}: {so_far}"


def choices(table: t.Autoscooter, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return the next choices of a seat: first a manoeuvre of its current car, then a number."""
    car = rules.car_asked(table, seat)
    require(car != NOWHERE, f"{SEATS[seat]} has no car to plan now")
    plots = contract.legal_actions(rules, table, seat)
    numbers = grouped((plot % t.CODES, plot // t.CODES) for plot in plots)  # by manoeuvre
    fitting = sorted(numbers)
    if not chosen:
        return tuple(manoeuvre_choices(table, car, fitting))
    words = {manoeuvre_word(code): code for code in fitting}
    if len(chosen) != 1 or chosen[0] not in words:
        raise toolkit.not_a_choice(chosen, words)
    return tuple(number_choices(table, numbers[words[chosen[0]]], chosen[0]))


def rounds(table: t.Autoscooter) -> int:
    """Return the number of the current round."""
    return table.round[0]


def plans(table: t.Autoscooter, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """Return every plot of the round, these actions included, in the order of moving, each with its text and path."""
    planned = table.copy()
    for seat, action in actions.items():
        planned.plot[rules.car_asked(table, seat)] = action
    cars = [car for car in range(t.CARS) if planned.plot[car] != t.UNPLANNED]
    return tuple(plan(planned, car) for car in sorted(cars, key=lambda car: turn_order(planned, car)))


def target(table: t.Autoscooter, seat: int, action: int) -> Point:
    """Return the hex on which the car would end, stopped by the obstacles that are in its way now."""
    car = rules.car_asked(table, seat)
    points, _, _, blocked, _ = route(table, car, action)
    end = points[-1] if blocked == NOWHERE else points[blocked]
    return min(CENTRES, key=lambda centre: dist(centre, end))


def questions(turn: Any) -> tuple[Question, ...]:
    """Return the questions about a turn: about a crash, preferably into a car, or about where a car ends."""
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    movers = [row.index for row in rows if row.field == rules.PLOT and row.rule == rules.R2]
    if not movers:
        return ()
    crashes = event_numbers(rows, lambda row: row.field == NOTE and row.rule in CASES)
    if not crashes:
        return (where_question(before, after, rows, movers[0]),)
    crash = next((number for number in crashes if rows[number].rule != rules.C5), crashes[0])
    moment = before.copy()
    replay(moment, list(rows[:crash]))
    return (
        where_question(before, after, rows, rows[crash].index - 1),
        pay_question(moment, rows, crash),
        case_question(rows, crash),
        aftermath_question(moment, rows, crash),
    )


def edits(table: t.Autoscooter) -> tuple[Edit, ...]:
    """Return the edits of each car: its hex (or none), its facing, and its speed if it has a driver."""
    result = []
    for car in range(t.CARS):
        hexes_or_none = (*range(len(t.HEXES)), NOWHERE)
        fields = [toolkit.setting(table, "hex", "cell", car, w.HEX, hexes_or_none, CENTRES)]
        if table.cell[car] != NOWHERE:
            fields.append(toolkit.setting(table, "facing", "facing", car, w.DIRECTION, range(6)))
            if table.driver[car] != t.NOBODY:
                fields.append(toolkit.amount(table, "speed", car, 0, 3))
        result.append(Edit(f"car {car + 1}", f"car {car + 1}", tuple(fields)))
    return tuple(result)


# Choosing a plot


def manoeuvre_word(code: int) -> str:
    """Return a manoeuvre in notation."""
    return "P" if code == t.ABOUT_FACE else t.SEQUENCES[code]


def manoeuvre_text(code: int, path: Route) -> str:
    """Describe a manoeuvre."""
    if code == t.ABOUT_FACE:
        return "P: turn round on the spot (speed 0)"
    steps = ", ".join({"F": "forward", "L": "left", "R": "right"}[letter] for letter in t.SEQUENCES[code])
    return f"{t.SEQUENCES[code]}{path.crash}: {steps} (speed {t.SPEED_OF[code]})"


def manoeuvre_choices(table: t.Autoscooter, car: int, fitting: Sequence[int]) -> Iterator[Choice]:
    """Return a choice for each manoeuvre, with its path on the board; no two have the same click point.

    A path on the board is clicked at its end, or beside a car on that hex. A path that leaves the board is clicked at a
    ticket beside the car.
    """
    ways = {code: route(table, car, t.CODES + code) for code in fitting}
    leaving = [code for code in fitting if ways[code].cell == NOWHERE]
    goals: dict[int, Point] = {}
    occupied = {
        code for code, path in ways.items() if path.cell != NOWHERE and rules.car_on(table, path.cell) != NOWHERE
    }
    for code in sorted(ways.keys() - set(leaving), key=lambda code: (code in occupied, code)):  # free hexes first
        last, facing = ways[code].points[-1], ways[code].facing
        places = [hexes.towards(last, facing, far) for far in (*(ROUND_CAR if code in occupied else ()), IN_HEX)]
        free = (place for place in places if all(dist(place, other) >= APART for other in goals.values()))
        goals[code] = next(free, places[-1])
    hidden = [*goals.values(), *(CENTRES[cell] for cell in table.cell if cell != NOWHERE)]
    goals |= zip(leaving, rack(table, car, len(leaving), hidden), strict=True)
    for code, path in ways.items():
        word, goal = manoeuvre_word(code), goals[code]
        mark = primitives.ticket(goal, word, 22, 16, 13) if code in leaving else target_shapes(goal, path.facing)
        shapes = *route_shapes(path), *mark
        yield Choice(word, manoeuvre_text(code, path), *goal, shapes, ghost=ghost(table, car, path))


def ghost(table: t.Autoscooter, car: int, path: Route) -> tuple[Shape, ...]:
    """Draw a preview of the car at the end of its path, or in front of the obstacle if the path is blocked now."""
    points, _, facing, blocked, _ = path
    angle = hexes.angle(facing)
    if blocked != NOWHERE:
        (x, y), (ahead_x, ahead_y) = points[blocked : blocked + 2]
        points, angle = points[: blocked + 1], degrees(atan2(y - ahead_y, ahead_x - x))
    shapes = car_shapes(car, table.driver[car], table.speed[car])
    return placed(Piece("", *points[-1], shapes, angle, alpha=0.6))


class Route(NamedTuple):
    """The route that a manoeuvre takes with nothing in the way."""

    points: tuple[Point, ...]
    cell: int  # the last cell, or NOWHERE if the route leaves the board
    facing: int
    blocked: int  # the first step that is blocked now, or NOWHERE
    crash: str  # the first obstacle now, as text to follow the manoeuvre; empty if none


def route(table: t.Autoscooter, car: int, plot: int) -> Route:
    """Return the route of a plot with nothing in the way but the barrier, driven on a copy without other cars."""
    moment, trace = table.copy(), Trace()
    moment.cell[:] = [cell if other == car else NOWHERE for other, cell in enumerate(table.cell)]
    moment.plot[car] = plot
    rules.settle_plot(moment, car, NOWHERE, None)
    rules.move_car(moment, car, trace)
    facing, cells = table.facing[car], [table.cell[car]]
    points = [CENTRES[cells[0]]]
    for row in map(Row._make, trace.rows):
        if row.field == rules.FACING and row.index == car:
            facing = row.after
        elif row.field == rules.CELL and row.index == car:
            cells.append(row.after)
            points.append(CENTRES[row.after])
        elif row.field == NOTE and row.rule == rules.R4:  # the barrier
            cells.append(NOWHERE)
            points.append(hexes.towards(points[-1], facing, 2 * HALF))
    standing = {cell: f"car {other + 1}" for other, cell in enumerate(table.cell) if other != car}
    standing[NOWHERE] = "the barrier"
    blocked = next((step for step, cell in enumerate(cells[1:]) if cell in standing), NOWHERE)
    crash = "" if blocked == NOWHERE else f" (hits {standing[cells[blocked + 1]]})"
    return Route(tuple(points), cells[-1], facing, blocked, crash)


def rack(table: t.Autoscooter, car: int, count: int, hidden: Sequence[Point]) -> list[Point]:
    """Return points for tickets, in rows of up to four above or below the car, hiding as little as possible."""
    x, y = CENTRES[table.cell[car]]
    columns, rows = min(count, 4), -(-count // 4)
    far = WIDE * (columns - 1)  # distance from the first to the last ticket in a row
    lefts = [min(max(x + right, MARGIN + WIDE / 2), BOARD_RIGHT - MARGIN - far - WIDE / 2) for right in (-16 - far, 16)]
    lowest = HEIGHT - 30 - HIGH * (rows - 1)
    tops = [top for down in (60, 95) for top in (y - down - HIGH * (rows - 1), y + down) if 30 < top < lowest]
    racks = [primitives.grid(left, top, WIDE, HIGH, 4, count) for top in tops for left in lefts]
    return min(racks, key=lambda places: sum(max(40 - dist(place, other), 0) for place in places for other in hidden))


def route_shapes(path: Route) -> tuple[Shape, ...]:
    """Draw a path from the car's nose to the last hex, with a star where it is blocked now, and faint from there."""
    points, _, facing, blocked, _ = path
    if len(points) == 1:
        return ()
    nose, tip = primitives.between(points[0], points[1], 0.42), hexes.towards(points[-1], facing, 12)
    if blocked == NOWHERE:
        return road((nose, *points[1:], tip))
    stop = primitives.between(points[blocked], points[blocked + 1], 0.5)
    beyond = Line((stop, *points[blocked + 1 :], tip), "path", 2.5, alpha=0.3)
    return (
        *((beyond,) if path.cell != NOWHERE else ()),
        *road((nose, *points[1 : blocked + 1], stop)),
        primitives.spark(stop, 10, 5),
    )


def road(points: Sequence[Point]) -> tuple[Shape, ...]:
    """Draw a path to choose."""
    return primitives.way(points, "path", 3.5, 7, 0.7, arrow=False)


def target_shapes(goal: Point, facing: int) -> tuple[Shape, ...]:
    """Draw the target to click at the end of a path: a disc with a beak that shows the last facing."""
    beak = []
    for turn, length in ((0, 23), (48, 15), (-48, 15)):
        way = radians(hexes.angle(facing) + turn)
        beak.append((goal[0] + length * cos(way), goal[1] - length * sin(way)))
    return Polygon(tuple(beak), "target", "path edge", 1.5), primitives.dot(goal, 15, 1.5)


def number_choices(table: t.Autoscooter, numbers: Sequence[int], word: str) -> Iterator[Choice]:
    """Return a choice for each of these numbers, on the strip beside the board."""
    ascending = sorted(numbers)
    span = strip_span(table, len(ascending))
    marks = strip(table, span)
    spots = apart([strip_place(number, span) for number in ascending], span[1])
    for number, place in zip(ascending, spots, strict=True):
        shapes = primitives.ticket(place, str(number), 15, 16, 17)
        yield Choice(str(number), number_text(number), *place, (*marks, *shapes), f"{number} {word}")
        marks = ()


def strip_span(table: t.Autoscooter, tickets: int) -> tuple[float, float]:
    """Return the top and the end of the strip: below the rows of the panel if its tickets fit there."""
    players = table.players[0]
    top, end = row_y(players, players - 1) + BESIDE_ROW, BOX_Y - BESIDE_ROW
    return (top, end) if end - top >= TICKET * max(tickets, FEW_TICKETS) else (STRIP_TOP, STRIP_END)


def strip_place(number: int, span: tuple[float, float]) -> Point:
    """Return the point of a number on the strip, where the lowest is at the top."""
    return STRIP_X, span[0] + (span[1] - span[0]) * (number - 1) / (t.CARS * t.ROUNDS - 1)


def apart(places: Sequence[Point], end: float) -> list[Point]:
    """Move points on the strip as little as needed to make room for a ticket at each."""
    heights = [y for _, y in places]
    for n in range(1, len(heights)):
        heights[n] = max(heights[n], heights[n - 1] + TICKET)
    for n in reversed(range(len(heights))):
        heights[n] = min(heights[n], end - TICKET * (len(heights) - 1 - n))
    return [(x, height) for (x, _), height in zip(places, heights, strict=True)]


def strip(table: t.Autoscooter, span: tuple[float, float]) -> tuple[Shape, ...]:
    """Draw the strip of all numbers on its background, with the cars whose numbers are visible."""
    cars = [car for car in range(t.CARS) if table.plot[car] > t.NOTHING]
    left = STRIP_X - STRIP_HALF - (PLATE if cars else 4)
    ground = Polygon(slab(left, span[0] - 21, STRIP_X + STRIP_HALF, span[1] + 21, 10), "panel", "panel edge", 1.5)
    line = strip_place(1, span), strip_place(t.CARS * t.ROUNDS, span)
    shapes: list[Shape] = [ground, Line(line, "panel edge", 3)]
    for car in cars:
        x, y = strip_place(table.plot[car] // t.CODES, span)
        shapes += [
            Line(((x - 20, y), (x, y)), colour(table, car), 3),
            *placed(Piece("", x - 30, y, (*number_plate(car),), scale=0.8)),
        ]
    return tuple(shapes)


def number_text(number: int) -> str:
    """Describe when a number moves: the lowest moves first (AS-R2)."""
    when = "early" if number <= 29 else "in the middle" if number <= 59 else "late"
    return f"{number}: moves {when}"


# Plans

ASIDE = 6.0  # distance of a path from the middle of its hexes


def turn_order(table: t.Autoscooter, car: int) -> int:
    """AS-R2, AS-R7: return the number with which a car will move; 89, after all others, if it is hidden."""
    if table.plot[car] == t.HIDDEN:
        return 89
    return table.plot[car] // t.CODES or rules.highest_unused(table, car)


def plan(table: t.Autoscooter, car: int) -> Choice:
    """Return a plot as a choice, with its text and the path that it takes with nothing in the way."""
    plot = w.plot_words(table, table.plot[car])
    straight = "straight on" if table.speed[car] else "it stays"
    words = f"nothing written, {straight} with {turn_order(table, car)}" if plot == "-" else plot
    whole = f"car {car + 1} of {SEATS[table.driver[car]]}: {words}"
    x, y = CENTRES[table.cell[car]]
    if table.plot[car] == t.HIDDEN:
        return Choice(plot, whole, x, y)
    path = route(table, car, table.plot[car])
    if len(path.points) == 1:
        return Choice(plot, whole, x, y)
    aside = radians(
        hexes.angle(table.facing[car]) - 90
    )  # to the right, so that the paths of oncoming cars do not overlap
    across, down = ASIDE * cos(aside), -ASIDE * sin(aside)
    ends = (*path.points, hexes.towards(path.points[-1], path.facing, 22))
    points = tuple((x + across, y + down) for x, y in ends)
    return Choice(plot, whole, x, y, primitives.way(points, colour(table, car), 4, 8, 0.7))


# Predictions


def where_question(before: t.Autoscooter, after: t.Autoscooter, rows: Sequence[Row], car: int) -> Question:
    """Ask where the car ends. The answers are on its path, ahead of it, and next to its start."""
    end = after.cell[car]
    moves = event_numbers(rows, lambda row: (row.field, row.index) == (rules.CELL, car))
    stops = event_numbers(rows, lambda row: (row.rule, row.index) == (rules.R4, car + 1))
    starts = event_numbers(rows, lambda row: (row.field, row.index) == (rules.PLOT, car))
    near = [rows[number].after for number in moves]
    near += [before.cell[car], *ahead(end, after.facing[car], 2), *t.BOARD.neighbours(before.cell[car])]
    answers = sorted({end, *[cell for cell in dict.fromkeys(near) if cell != end][:4]})
    asking, reason = f"Where does car {car + 1} end?", max(moves + stops or starts)
    return toolkit.where(asking, answers, end, reason, w.place_name, CENTRES.__getitem__, outline)


def ahead(cell: int, facing: int, count: int) -> list[int]:
    """Return at most count hexes in a row, up to the barrier."""
    cells: list[int] = []
    while len(cells) < count and (cell := t.BOARD.ahead[6 * cell + facing]) != NOWHERE:
        cells.append(cell)
    return cells


def outline(cell: int) -> tuple[Point, ...]:
    """Return the corners of a hex."""
    return hexes.corners(CENTRES[cell], SIZE)


def case_question(rows: Sequence[Row], crash: int) -> Question:
    """Ask which of the five cases a crash is, without naming the hit car, as this would answer another question."""
    asking = f"Car {rows[crash].index} crashes: which case is it?"
    return toolkit.question(asking, tuple(CASES.values()), CASES[rows[crash].rule], crash)


def pay_question(moment: t.Autoscooter, rows: Sequence[Row], crash: int) -> Question:
    """Ask who pays, and how much. Wrong answers: another payer, the amount of another case, or no payment."""
    rammer, hit, v, w = rows[crash].numbers
    one = moment.driver[rammer - 1]
    other = moment.driver[hit - 1] if hit else t.NOBODY
    right, reason = paid_words(rows, crash)
    if other in (t.NOBODY, one):
        amounts = (v, v + w, abs(v - w), v + 1)
        wrong = [pay_words(one, t.NOBODY, amount) for amount in amounts]
    else:
        pairs = ((other, one, v), (other, one, v + w), (one, other, v), (other, one, abs(v - w)), (one, other, v + w))
        wrong = [pay_words(*pair) for pair in pairs]
    wrong = [words for words in dict.fromkeys(["nobody pays", *wrong]) if words != right][:4]
    answers = sorted({right, *wrong})
    return toolkit.question(f"Car {rammer} crashes: who pays, and how much?", answers, right, reason)


def paid_words(rows: Sequence[Row], crash: int) -> tuple[str, int]:
    """Return the payment in this crash as text, and the index of its event."""
    causes = {crash}
    for number, row in enumerate(rows[crash + 1 :], crash + 1):
        if row.cause in causes and row.rule == rules.C7:
            causes.add(number)
        if row.field == rules.CHITS and row.cause in causes and row.after < row.before:
            got = rows[number + 1]
            payee = got.index if got.field == rules.CHITS else t.NOBODY
            return pay_words(row.index, payee, row.before - row.after), number
    return "nobody pays", max(causes)


def pay_words(payer: int, payee: int, amount: int) -> str:
    """Return a payment as text; it goes into the box if the payee is NOBODY."""
    if not amount:
        return "nobody pays"
    return f"{SEATS[payer]} pays {amount} {'into the box' if payee == t.NOBODY else f'to {SEATS[payee]}'}"


def aftermath_question(moment: t.Autoscooter, rows: Sequence[Row], crash: int) -> Question:
    """Ask for the facing of the hit car after a side crash, or for the rammer's speed after any other."""
    rule = rows[crash].rule
    rammer = rows[crash].index
    changes = event_numbers(rows, lambda row: row.cause == crash and row.rule == rule)
    if rule == rules.C4:
        turned = next(number for number in changes if rows[number].field == rules.FACING)
        asking = "Which way does the car that is hit face after the crash?"
        return Question(asking, hexes.DIRECTIONS, rows[turned].after, turned)
    slowed = [number for number in changes if rows[number].field == rules.SPEED and rows[number].index == rammer - 1]
    speed = rows[slowed[0]].after if slowed else moment.speed[rammer - 1]
    asking = f"What is the speed of car {rammer} after the crash?"
    return Question(asking, ("0", "1", "2", "3"), speed, slowed[0] if slowed else crash)
