"""What a person can be asked at the board of Crash & Grab, and how it looks there.

subject, choices  the saucer that is decided about, and the answers: clicked where there is a place, else on tickets
plans             what is planned, drawn before it happens
questions         what will happen in a turn
edits, edited     what can be changed in a position by hand
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from crashlab import kit
from crashlab.asking import Choice
from crashlab.errors import CrashlabError
from crashlab.games.crash_and_grab import board, figures, rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w
from crashlab.games.crash_and_grab.edits import edited, edits
from crashlab.games.crash_and_grab.predict import questions
from crashlab.happen import CHANCE, HIDDEN, NOWHERE
from crashlab.shapes import Circle, Line, Point, Polygon, Shape, Text, faint, star

__all__ = ["choices", "edited", "edits", "plans", "questions", "subject"]

ON_SAUCERS = t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.FIRST  # the phases whose answers are saucers
ON_CREW = t.EXCHANGE, t.PASS, t.PENALTY, t.REWARD, t.REFILL  # and crew


# Where a movement leads


class Way(NamedTuple):
    """Where one saucer goes in a movement."""

    saucer: int
    points: tuple[Point, ...]
    cell: int  # the last one, or NOWHERE off the board
    goes_on: bool  # whether it stands on an accelerator and may choose a direction


def drive(table: t.CrashAndGrab, saucer: int, direction: int, distance: int) -> tuple[Way, ...]:
    """The ways of a saucer that goes straight on, up to its first accelerator, and of those that it pushes."""
    ways: list[Way] = []
    mover = saucer
    while mover != NOWHERE:
        way, mover = straight(table, mover, table.cell[mover], direction, distance, mover != saucer)
        ways.append(way)
    return tuple(ways)


def straight(
    table: t.CrashAndGrab, saucer: int, cell: int, direction: int, distance: int, is_pushed: bool
) -> tuple[Way, int]:
    """CG-M2 to CG-M4: the way of one saucer from a space, and the saucer that it hits."""
    left = distance
    points = [board.centre(table, cell)]
    while left > 0:
        ahead = rules.ahead(table, cell, direction)
        if ahead == NOWHERE:
            return Way(saucer, (*points, board.outside(table, cell, direction)), NOWHERE, False), NOWHERE
        cell = ahead
        left = left - 1
        points.append(board.centre(table, cell))
        if cell in table.cell and table.cell.index(cell) != saucer:
            return Way(saucer, tuple(points), cell, False), table.cell.index(cell)
        if table.ground[cell] == t.ACCELERATOR:
            if not is_pushed:
                return Way(saucer, tuple(points), cell, True), NOWHERE
            left = distance
    return Way(saucer, tuple(points), cell, False), NOWHERE


# Choosing


def subject(table: t.CrashAndGrab, seat: int) -> str:
    """The key of the saucer that this seat decides about, or nothing: also where it chooses among its saucers."""
    if table.phase[0] in (t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.FIRST):
        return ""
    if not rules.actors(table) >= 0 or not rules.actors(table) >> seat & 1:
        return ""
    return f"saucer {w.saucer_name(saucer_asked(table, seat))}"


def saucer_asked(table: t.CrashAndGrab, seat: int) -> int:
    """The saucer about which a seat decides."""
    if table.phase[0] == t.PLAN:
        return rules.planned_saucer(table, seat)
    for saucer in (table.mover[0], table.turn[0]):
        if saucer != NOWHERE and t.owner(table, saucer) == seat:
            return saucer
    return 2 * seat if table.players[0] == 2 else seat


def choices(table: t.CrashAndGrab, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """How this seat can go on: a group of answers, if there are groups, then an answer."""
    if rules.actors(table) < 0 or not rules.actors(table) >> seat & 1:
        raise CrashlabError(f"{w.SEATS[seat]} has nothing to decide now")
    out = [0] * rules.MOST_ACTIONS
    codes = out[: rules.legal(table, seat, out)]
    groups: dict[str, list[int]] = {}
    for code in codes:
        groups.setdefault(group(table, code), []).append(code)
    if table.phase[0] == t.BOOST and len(groups) == 2:
        groups = {"": codes}  # one distance: straight to the directions
    if not chosen and len(groups) > 1:
        tickets = iter(rack(table, seat, list(groups)))
        return tuple(lead(table, seat, name, inside, next(tickets)) for name, inside in groups.items())
    if chosen and (len(chosen) > 1 or len(groups) == 1 or len(groups.get(chosen[0], ())) < 2):
        raise CrashlabError(f"{' '.join(chosen)!r} is no group of answers here; choose one of {', '.join(groups)}")
    return answers(table, seat, groups[chosen[0]] if chosen else codes)


def group(table: t.CrashAndGrab, code: int) -> str:
    """With which others an answer is offered: the card of a plan, the distance of a boost, an upgrade, a receiver."""
    phase = table.phase[0]
    if phase == t.PLAN:
        return w.PLAN_CARDS[code // 4]
    if phase == t.BOOST:
        return str((code - 1) // 4) if code else "no"
    if phase == t.END:
        return w.CARD_NAMES[(code - 1) // rules.TARGETS] if code else "no more"
    if phase == t.PENALTY:
        return w.saucer_name(code // t.CREW)
    return ""


def answers(table: t.CrashAndGrab, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """A choice for each answer, at its place or at a ticket."""
    spots = [spot(table, seat, code) for code in codes]
    words = [w.action_text(table, seat, code) for code, place in zip(codes, spots, strict=True) if not place]
    passed = [point for code in codes for way in ways_of(table, seat, code) for point in way.points] if words else []
    tickets = iter(rack(table, seat, words, [*passed, *(place for place in spots if place)]))
    return tuple(
        answer(table, seat, code, place or next(tickets), not place) for code, place in zip(codes, spots, strict=True)
    )


def lead(table: t.CrashAndGrab, seat: int, name: str, codes: Sequence[int], place: Point) -> Choice:
    """A choice of a group, with what the answers in it lead to; of a single answer, that one."""
    if table.phase[0] == t.PENALTY:
        place = saucer_spot(table, codes[0] // t.CREW)
        marks = kit.ring(place, 0.47 * board.unit(table), 3, 6)
    else:
        marks = ticket(place, name)
    if len(codes) == 1:
        word = w.action_text(table, seat, codes[0])
        return Choice(word, answer_text(table, codes[0], word), *place, marks, word)
    ghosts = [shape for code in codes for shape in preview(table, seat, code, name)]
    return Choice(name, group_text(table, name), *place, (*ghosts, *marks))


def preview(table: t.CrashAndGrab, seat: int, code: int, word: str) -> tuple[Shape, ...]:
    """Where one answer of a group leads: a faint way, and where it ends the group's word, or what happens there."""
    ways = ways_of(table, seat, code) if table.phase[0] in (t.PLAN, t.BOOST) else ()
    shapes = [faint(shape, 0.55) for way in ways[:1] for shape in way_shapes(way, board.unit(table))[-2:]]
    if len(ways) > 1:  # another saucer is hit, with every card that goes so far
        (x, y), (next_x, next_y) = ways[0].points[-2:]
        return (shapes[0], kit.spark(((x + next_x) / 2, (y + next_y) / 2), 10, 5))
    for way in ways:
        if way.goes_on:
            shapes += target_shapes(way.points[-1], True)
        elif way.cell != NOWHERE:
            shapes.append(Text(*way.points[-1], word, 14, "ink", bold=True))
    return tuple(shapes)


def group_text(table: t.CrashAndGrab, name: str) -> str:
    """A group of answers in words."""
    phase = table.phase[0]
    if phase == t.PLAN:
        return f"card {name}, {('a booster', 'an energy', 'no bonus')[w.PLAN_CARDS.index(name)]}"
    if phase == t.BOOST:
        return f"boost by {name}"
    return w.TITLES[w.CARD_NAMES.index(name)] if phase == t.END else f"give to {name}"


def answer(table: t.CrashAndGrab, seat: int, code: int, place: Point, is_ticket: bool) -> Choice:
    """A choice that completes an action."""
    phase = table.phase[0]
    word = w.action_text(table, seat, code)
    card, target = divmod(code - 1, rules.TARGETS) if phase == t.END and code else (NOWHERE, 0)
    if phase == t.KEEP:
        marks = ticket(place, "keep")
    elif is_ticket or card == t.QUAKE:
        marks = ticket(place, f"{90 * (target % 4)}°" if card == t.QUAKE else word)
    elif phase in ON_SAUCERS or card in (t.WORMHOLE, t.PULSE_CANNON):
        marks = kit.ring(place, 0.47 * board.unit(table), 3, 6)
    elif phase in ON_CREW or card in (t.TRACTOR_BEAM, t.DISTRESS):
        marks = kit.ring(place, 14, 3, 6)
    else:
        marks = target_shapes(place, any(way.goes_on for way in ways_of(table, seat, code)))
    return Choice(word, answer_text(table, code, word), *place, (*ghost(table, seat, code), *marks), word)


def answer_text(table: t.CrashAndGrab, code: int, word: str) -> str:
    """An answer in words."""
    phase = table.phase[0]
    turned = direction_of(table, code)
    if turned != NOWHERE:
        return f"{word}: towards {t.MARKERS[turned]}"
    if phase == t.KEEP:
        return f"keep {w.TITLES[code]}"
    if phase in (t.DISTANCE, t.LEG):
        return f"{word} space{'' if word == '1' else 's'}"
    return word


def direction_of(table: t.CrashAndGrab, code: int) -> int:
    """The direction in an answer, or NOWHERE."""
    phase = table.phase[0]
    if phase in (t.PLAN, t.DIRECTION, t.TURN_OFF):
        return code % 4
    if phase in (t.BOOST, t.STEP) and code:
        return (code - 1) % 4
    if phase == t.END and code and (code - 1) // rules.TARGETS == t.LANDING_LEGS:
        return (code - 1) % rules.TARGETS
    return NOWHERE


def distance_of(table: t.CrashAndGrab, code: int) -> int:
    """How far an answer with a direction leads."""
    phase = table.phase[0]
    if phase == t.PLAN:
        return (2, 3, 5)[code // 4]
    if phase == t.BOOST:
        return (code - 1) // 4
    return {t.DIRECTION: table.distance[0], t.TURN_OFF: table.leg[0]}.get(phase, 1)


def ways_of(table: t.CrashAndGrab, seat: int, code: int) -> tuple[Way, ...]:
    """The ways that an answer opens, if it moves a saucer that is on the board."""
    saucer = saucer_asked(table, seat)
    phase = table.phase[0]
    if table.cell[saucer] == NOWHERE:
        return ()
    if direction_of(table, code) != NOWHERE:
        return drive(table, saucer, direction_of(table, code), distance_of(table, code))
    is_bound = phase == t.DISTANCE and table.plan[saucer] >= 0 and not is_free(table, saucer)
    return drive(table, saucer, table.plan[saucer] % 4, code) if is_bound else ()


def is_free(table: t.CrashAndGrab, saucer: int) -> bool:
    """CG-R3, CG-R5, CG-U12: whether the direction is chosen only after the distance."""
    is_late = table.players[0] >= 5 and table.acted[saucer] >= 5
    return bool(table.placed[0] or is_late or rules.has(table, saucer, t.TIME_MACHINE))


def spot(table: t.CrashAndGrab, seat: int, code: int) -> Point | None:
    """Where an answer is clicked; None if it has no place of its own."""
    phase = table.phase[0]
    if direction_of(table, code) != NOWHERE:
        ways = ways_of(table, seat, code)
        return ways[0].points[-1] if ways else compass(direction_of(table, code))
    if phase in (t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.FIRST):
        return saucer_spot(table, code)
    if phase == t.SITE and code:
        return board.centre(table, rules.site(table, code))
    if phase == t.PENALTY:
        return figures.crew_places(table)[code % t.CREW][:2]
    if phase == t.REFILL:
        return figures.crew_places(table)[rules.next_in_line(table, code)][:2]
    if phase in (t.EXCHANGE, t.PASS, t.REWARD) and code:
        return figures.crew_places(table)[code - 1][:2]
    if phase == t.REWARD:
        return board.ROW_LEFT + 54, board.row_top(table.saucers[0], table.turn[0]) + 17
    if phase == t.KEEP:
        x, y = figures.drawn(table)[code]
        return x, y - 17
    return upgrade_spot(table, *divmod(code - 1, rules.TARGETS)) if phase == t.END and code else None


def upgrade_spot(table: t.CrashAndGrab, card: int, target: int) -> Point | None:
    """Where the target of an upgrade is clicked."""
    if card in (t.WORMHOLE, t.PULSE_CANNON):
        return saucer_spot(table, target)
    if card in (t.AFTERBURNER, t.TELEPORTER, t.TRIANGULATOR):
        return board.centre(table, target)
    if card in (t.TRACTOR_BEAM, t.DISTRESS):
        return figures.crew_places(table)[target][:2]
    if card == t.QUAKE:
        row, column, height, width = t.layout(table.size[0], target // 4)
        x = board.EDGE + board.unit(table) * (column + width / 2)
        y = board.EDGE + board.unit(table) * (row + height / 2)
        return x + 47 * (target % 4 - 2), y
    return None


def saucer_spot(table: t.CrashAndGrab, saucer: int) -> Point:
    """Where a saucer is clicked."""
    cell = table.cell[saucer]
    return board.badge_at(table.saucers[0], saucer) if cell == NOWHERE else board.centre(table, cell)


def compass(direction: int) -> Point:
    """Where a direction is clicked for a saucer that is off the board."""
    return kit.towards((board.MIDDLE, board.MIDDLE), direction, 60)


# How choices look


def rack(table: t.CrashAndGrab, seat: int, words: Sequence[str], spots: Sequence[Point] = ()) -> list[Point]:
    """Places for tickets to click, near the saucer that is decided about, where they hide as little as possible."""
    if not words:
        return []
    wide = max(2 * half_width(word) for word in words) + 8
    columns = min(len(words), max(1, int(300 / wide)))
    rows = -(-len(words) // columns)
    half = wide * columns / 2
    high = 15.0 * rows
    x, y = saucer_spot(table, saucer_asked(table, seat))
    near = [
        (max(board.EDGE + half, min(x + aside * board.SIDE / 8, board.EDGE + board.SIDE - half)), y)
        for aside in (0, 1, -1, 2, -2)
    ]
    free = [
        (cx, board.EDGE + high + 8 * n)
        for cx, _ in dict.fromkeys(near)
        for n in range(int((board.SIDE - 2 * high) / 8) + 1)
    ]
    hidden = [*things(table), *((*place, 0.4 * board.unit(table), 9) for place in {(x, y), *spots})]

    def cost(middle: Point) -> float:
        covered = sum(
            weight
            for px, py, radius, weight in hidden
            if abs(px - middle[0]) < half + radius and abs(py - middle[1]) < high + radius
        )
        return 80 * covered + abs(middle[0] - x) + abs(middle[1] - y)

    left, top = min(free, key=cost)
    left, top = left - half + wide / 2, top - high + 15
    return kit.grid(left, top, wide, 30, columns, len(words))


def things(table: t.CrashAndGrab) -> list[tuple[float, float, float, int]]:
    """What stands on the board and had better not be hidden: where it is, how large, and how bad it would be."""
    step = board.unit(table)
    saucers = [(*board.centre(table, cell), 0.42 * step, 3) for cell in table.cell if cell != NOWHERE]
    crew = [(*board.centre(table, where), 0.3 * step, 2) for where in table.where if 0 <= where < t.CELLS]
    return [*saucers, *crew]


def half_width(word: str) -> float:
    """Half the width of a ticket with this word."""
    return max(15.0, 4.2 * len(word) + 5.5)


def ticket(place: Point, word: str) -> tuple[Shape, ...]:
    """A ticket to click, with a word on it."""
    return kit.ticket(place, word, half_width(word), 13, 15)


def target_shapes(place: Point, is_open: bool) -> tuple[Shape, ...]:
    """A place to click; with a question mark if one is asked there how to go on."""
    if is_open:
        return kit.dot(place, 12, 2.5), Text(*place, "?", 17, "target ink", bold=True)
    return *kit.ring(place, 12, 3.5, 6.5), kit.dot(place, 4.5, 1.5)


def ghost(table: t.CrashAndGrab, seat: int, code: int) -> tuple[Shape, ...]:
    """What an answer leads to: the way of the saucer, of those that it pushes, and the saucer where it would stop."""
    shapes: list[Shape] = []
    ways = ways_of(table, seat, code)
    is_any = table.phase[0] == t.PLAN and code // 4 == t.ANY
    if ways and ways[0].goes_on and not is_any:
        shapes += onward(table, ways[0], distance_of(table, code))
    for way in reversed(ways):
        shapes += way_shapes(way, board.unit(table))
    if ways and is_any:
        shapes += [kit.dot(point, 4, 1) for point in ways[0].points[1:-1]]
    return tuple(shapes)


def onward(table: t.CrashAndGrab, way: Way, distance: int) -> tuple[Shape, ...]:
    """CG-M4: the four ways to choose from at the accelerator where a way ends."""
    further = [straight(table, way.saucer, way.cell, direction, distance, False)[0] for direction in range(4)]
    lines = [Line(tuple(on.points), board.PAINTS[way.saucer], 2.5, arrow=True, alpha=0.5) for on in further]
    return (*lines, *(Circle(*on.points[-1], 6, "", board.PAINTS[way.saucer], 2, alpha=0.6) for on in further))


def way_shapes(way: Way, step: float) -> tuple[Shape, ...]:
    """A way with the saucer at its end, see-through; a star where it leaves the board."""
    paint = board.PAINTS[way.saucer]
    goal = way.points[-1]
    if way.cell == NOWHERE:
        end: tuple[Shape, ...] = (Polygon(star(*goal, 13, 6, 9), "flash", "flash edge", 1.5),)
    else:
        end = (Circle(*goal, 0.37 * step, paint, "path", 2, alpha=0.5),)
    if len(way.points) == 1:
        return end
    return (*line_shapes(way, step), *end)


def line_shapes(way: Way, step: float) -> tuple[Shape, ...]:
    """A way as an arrow from the rim of the saucer."""
    (x, y), (next_x, next_y) = way.points[:2]
    share = 0.4 * step / max(abs(next_x - x) + abs(next_y - y), step / 2)
    points = ((x + share * (next_x - x), y + share * (next_y - y)), *way.points[1:])
    return kit.way(points, board.PAINTS[way.saucer], 4, 8, 0.6)


# What is about to happen


def plans(table: t.CrashAndGrab, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """What is to come once these are made too: the plans that are not carried out yet; in a turn, the actions."""
    planned = table.copy()
    if table.phase[0] == t.PLAN:
        for seat, action in actions.items():
            planned.plan[rules.planned_saucer(table, seat)] = action
    waiting = [saucer for saucer in range(table.saucers[0]) if planned.plan[saucer] != t.UNPLANNED]
    if table.turn[0] in waiting and t.DIRECTION <= table.phase[0] < t.FIRST_CHANCE:
        waiting.remove(table.turn[0])
    now = () if table.phase[0] == t.PLAN else tuple(deed(table, seat, action) for seat, action in actions.items())
    return (*now, *(plan(planned, saucer) for saucer in waiting))


def deed(table: t.CrashAndGrab, seat: int, code: int) -> Choice:
    """An action in words, and as the way that is meant if it moves a saucer."""
    word = w.action_text(table, seat, code)
    if seat == CHANCE:
        return Choice(word, f"chance: {word}", board.MIDDLE, board.MIDDLE)
    saucer = saucer_asked(table, seat)
    direction = direction_of(table, code)
    moves = direction != NOWHERE and table.cell[saucer] != NOWHERE
    shapes = meant(table, saucer, direction, distance_of(table, code)) if moves else ()
    name = w.SEATS[seat] if table.players[0] == 2 else w.saucer_name(saucer)
    return Choice(word, f"{name}: {answer_text(table, code, word)}", *saucer_spot(table, saucer), shapes)


def plan(table: t.CrashAndGrab, saucer: int) -> Choice:
    """A plan in words and as the way that is meant."""
    planned = table.plan[saucer]
    word = w.plan_text(planned)
    x, y = saucer_spot(table, saucer)
    if planned == HIDDEN or table.cell[saucer] == NOWHERE:
        return Choice(word, f"{w.saucer_name(saucer)}: {word}", x, y)
    shapes = meant(table, saucer, planned % 4, (2, 3, 5)[planned // 4])
    if table.phase[0] != t.PLAN:  # in a turn the plans of the others are only kept in mind
        shapes = (faint(shapes[1], 0.3),)
    words = f"{w.saucer_name(saucer)}: card {w.PLAN_CARDS[planned // 4]} towards {t.MARKERS[planned % 4]}"
    return Choice(word, words, x, y, shapes)


def meant(table: t.CrashAndGrab, saucer: int, direction: int, distance: int) -> tuple[Shape, ...]:
    """The way that a saucer is to go, whatever may be in it: to its end, or off the board."""
    cell = table.cell[saucer]
    points = [board.centre(table, cell)]
    for _ in range(distance):
        ahead = rules.ahead(table, cell, direction)
        points.append(board.outside(table, cell, direction) if ahead == NOWHERE else board.centre(table, ahead))
        if ahead == NOWHERE:
            break
        cell = ahead
    return line_shapes(Way(saucer, tuple(points), cell, False), board.unit(table)) if distance else ()
