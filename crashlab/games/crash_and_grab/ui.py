"""The prompts on the board of Crash & Grab: actions, predictions and edits of a position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from crashlab.base.errors import require
from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Line, Point, Polygon, Shape, Text, faint, star
from crashlab.engine.notation import SEATS
from crashlab.engine.prompts import Choice, Edit, Question
from crashlab.engine.table import CHANCE, HIDDEN, NOTE, NOWHERE, Row, Trace
from crashlab.engine.value_codecs import Codec, maybe
from crashlab.games import toolkit
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import state as t
from crashlab.games.crash_and_grab.render import layout, panel, sprites
from crashlab.games.toolkit import event_numbers


def subject(table: t.CrashAndGrab, seat: int) -> str:
    """Return the key of the saucer that the seat's decision is about; empty if the seat chooses among its saucers."""
    if not rules.actors(table) >= 0 or not rules.actors(table) >> seat & 1:
        return ""
    if table.phase[0] in OWN_SAUCERS:
        return ""
    return f"saucer {w.saucer_name(saucer_asked(table, seat))}"


def prompt(table: t.CrashAndGrab, seat: int, chosen: tuple[str, ...]) -> str:
    """Return the question of the decision; after the choice of a group, the question within it."""
    name = w.saucer_name(saucer_asked(table, seat)).capitalize()
    if table.phase[0] == t.PLAN:
        return f"{name}: {f'card {chosen[0]}, which way?' if chosen else 'which card, and which way?'}"
    question = panel.QUESTIONS[w.NAMES[table.phase[0]]]
    return f"{name}: {question}{f' {chosen[0]}: which one?' if chosen else ''}"


def choices(table: t.CrashAndGrab, seat: int, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return the next choices of a seat: the groups of answers if there are several, then the answers of a group."""
    require(rules.actors(table) >= 0 and rules.actors(table) >> seat & 1, f"{SEATS[seat]} has nothing to decide now")
    codes = w.legal(table, seat)
    groups = grouped(table, codes)
    if not chosen and len(groups) > 1:
        tickets = iter(rack(table, seat, list(groups)))
        return tuple(lead(table, seat, name, inside, next(tickets)) for name, inside in groups.items())
    if chosen and (len(chosen) != 1 or len(groups) == 1 or len(groups.get(chosen[0], ())) < 2):
        raise toolkit.not_a_choice(chosen, groups)
    return answers(table, seat, groups[chosen[0]] if chosen else codes)


def rounds(table: t.CrashAndGrab) -> int:
    """Return the number of started rounds."""
    return table.round[0]


def plans(table: t.CrashAndGrab, actions: Mapping[int, int]) -> tuple[Choice, ...]:
    """Return the plans not carried out yet, those in `actions` included; within a turn, preceded by the actions."""
    planned = table.copy()
    if table.phase[0] == t.PLAN:
        for seat, action in actions.items():
            planned.plan[rules.planned_saucer(table, seat)] = action
    waiting = [saucer for saucer in range(table.saucers[0]) if planned.plan[saucer] != t.UNPLANNED]
    if table.turn[0] in waiting and t.DIRECTION <= table.phase[0] < t.FIRST_CHANCE:
        waiting.remove(table.turn[0])
    now = () if table.phase[0] == t.PLAN else tuple(deed(table, seat, action) for seat, action in actions.items())
    return (*now, *(plan(planned, saucer) for saucer in waiting))


def target(table: t.CrashAndGrab, seat: int, action: int) -> Point | None:
    """Return the point at which the saucer would end or hit another one; else the point of the thing in the answer."""
    ways = ways_of(table, seat, action)
    return ways[0].points[-1] if ways else thing_at(table, action)


def questions(turn: Any) -> tuple[Question, ...]:
    """Return the questions about a turn: the last spaces of saucers, crashes, and rewards."""
    rows: Sequence[Row] = turn.rows
    before, after = turn.before.table, turn.after.table
    moved = list(dict.fromkeys(row.index for row in rows if row.field == rules.CELL and row.before != NOWHERE))
    result = [where_question(before, after, rows, saucer, place) for place, saucer in enumerate(moved[:3])]
    if any(row.field == NOTE and row.rule == rules.M3 for row in rows) or any(is_crash(row) for row in rows):
        result.append(off_question(after, rows, moved))
    result += [reward_question(before, rows, number) for number in event_numbers(rows, is_reward)[:1]]
    return tuple(result)


def edits(table: t.CrashAndGrab) -> tuple[Edit, ...]:
    """Return the edits: space, energy and boosters of each saucer, and the place of each crewmember."""
    cells = [cell for cell in range(t.CELLS) if rules.on_board(table, cell)]
    saucers = [saucer_edit(table, saucer, cells) for saucer in range(table.saucers[0])]
    return (*saucers, *(crew_edit(table, crew) for crew in range(t.CREW) if table.where[crew] != t.UNUSED))


# Choosing


class Group(NamedTuple):
    """A grouping of answers by a thing in them: its codec, and a function that describes a group by its name."""

    codec: Codec[Any]
    text: Callable[[str], str]


def card_text(name: str) -> str:
    """Describe the card of a plan, with its bonus."""
    return f"card {name}, {('a booster', 'an energy', 'no bonus')[w.PLAN_CARDS.index(name)]}"


GROUPS = {
    t.PLAN: Group(w.CARD, card_text),
    t.BOOST: Group(w.DISTANCE, "boost by {}".format),
    t.PENALTY: Group(w.SAUCER, "give to {}".format),
    t.END: Group(w.UPGRADE, lambda name: w.TITLES[w.CARD_NAMES.index(name)]),
}


def grouped(table: t.CrashAndGrab, codes: Sequence[int]) -> dict[str, list[int]]:
    """Return the answers by the names of their groups; boosts are grouped only if there are several distances."""
    group = GROUPS.get(table.phase[0])
    groups: dict[str, list[int]] = {}
    for code in codes:
        thing = thing_in(table, code, group.codec) if group else NOWHERE
        word = "" if group is None else group.codec.format(table, thing) if thing >= 0 else w.said(table, code)
        groups.setdefault(word, []).append(code)
    return {"": [*codes]} if table.phase[0] == t.BOOST and len(groups) == 2 else groups


def answers(table: t.CrashAndGrab, seat: int, codes: Sequence[int]) -> tuple[Choice, ...]:
    """Return a choice for each answer, at its point on the board or else on a ticket."""
    spots = [spot(table, seat, code) for code in codes]
    words = [w.said(table, code) for code, place in zip(codes, spots, strict=True) if not place]
    points_passed = (
        [point for code in codes for way in ways_of(table, seat, code) for point in way.points] if words else []
    )
    tickets = iter(rack(table, seat, words, [*points_passed, *(place for place in spots if place)]))
    return tuple(
        answer(table, seat, code, place or next(tickets), not place) for code, place in zip(codes, spots, strict=True)
    )


def lead(table: t.CrashAndGrab, seat: int, name: str, codes: Sequence[int], place: Point) -> Choice:
    """Return the choice of a group, with previews of its answers; for a single answer, the choice of that answer."""
    group = GROUPS[table.phase[0]]
    marks = ticket(place, name)
    if group.codec is w.SAUCER:
        place = sprites.saucer_place(table, w.SAUCER.parse(table, name))
        marks = saucer_ring(table, place)
    if len(codes) == 1:
        word = w.said(table, codes[0])
        return Choice(word, answer_text(table, codes[0]), *place, marks, word)
    ghosts = [shape for code in codes for shape in preview(table, seat, code, name)]
    return Choice(name, group.text(name), *place, (*ghosts, *marks))


def preview(table: t.CrashAndGrab, seat: int, code: int, word: str) -> tuple[Shape, ...]:
    """Draw an answer of a group: a faint path, and at its end the group's word or a mark of the event there."""
    ways = ways_of(table, seat, code) if thing_in(table, code, w.UPGRADE) == NOWHERE else ()
    shapes = [faint(shape, 0.55) for way in ways[:1] for shape in way_shapes(way, layout.unit(table))[-2:]]
    if len(ways) > 1:  # every card of at least this distance hits another saucer
        (x, y), (next_x, next_y) = ways[0].points[-2:]
        return (shapes[0], primitives.spark(((x + next_x) / 2, (y + next_y) / 2), 10, 5))
    for way in ways:
        if way.goes_on:
            shapes += target_shapes(way.points[-1], True)
        elif way.cell != NOWHERE:
            shapes.append(Text(*way.points[-1], word, 14, "ink", bold=True))
    return tuple(shapes)


def answer(table: t.CrashAndGrab, seat: int, code: int, place: Point, is_ticket: bool) -> Choice:
    """Return a choice that completes an action."""
    word = w.said(table, code)
    named = w.parts(table, code)
    if upgrade_kept(table, code) != NOWHERE:
        marks = ticket(place, "keep")
    elif is_ticket or "degrees" in named:
        marks = ticket(place, f"{named['degrees']}°" if "degrees" in named else word)
    elif {"crew", "colour", "answer"} & named.keys():
        marks = primitives.ring(place, 17, 3, 6)
    elif "saucer" in named:
        marks = saucer_ring(table, place)
    else:
        marks = target_shapes(place, any(way.goes_on for way in ways_of(table, seat, code)))
    return Choice(word, answer_text(table, code), *place, (*ghost(table, seat, code), *marks), word)


# The things in an answer

AS_USUAL = t.PUSH, t.WASTE_USE, t.EXCHANGE  # questions within a movement, answered with 0 ("no") in a preview
OWN_SAUCERS = t.PILOT_CHOICE, t.BOOSTER_CHOICE, t.FIRST  # choices among the seat's saucers


def thing_in(table: t.CrashAndGrab, code: int, codec: Codec[Any]) -> int:
    """Return the thing with this codec in an answer, or NOWHERE."""
    named = w.parts(table, code)
    return codec.parse(table, named[codec.name]) if codec.name in named else NOWHERE


def saucer_asked(table: t.CrashAndGrab, seat: int) -> int:
    """Return the saucer that a seat decides about."""
    if table.phase[0] == t.PLAN:
        return rules.planned_saucer(table, seat)
    for saucer in (table.mover[0], table.turn[0]):
        if saucer != NOWHERE and t.owner(table, saucer) == seat:
            return saucer
    return 2 * seat if table.players[0] == 2 else seat


def distance_of(table: t.CrashAndGrab, code: int) -> int:
    """Return the distance of an answer."""
    card = thing_in(table, code, w.CARD)
    if card != NOWHERE:
        return (2, 3, 5)[card]
    distance = thing_in(table, code, w.DISTANCE)
    if distance != NOWHERE:
        return distance
    return {t.DIRECTION: table.distance[0], t.TURN_OFF: table.leg[0]}.get(table.phase[0], 1)


def ways_of(table: t.CrashAndGrab, seat: int, code: int) -> tuple[Way, ...]:
    """Return the paths that result from an answer; empty if it moves no saucer on the board."""
    return outcome(table, seat, code)[0]


def outcome(table: t.CrashAndGrab, seat: int, code: int) -> tuple[tuple[Way, ...], t.CrashAndGrab]:
    """Return the paths that result from an answer, and the table at their end; cached."""
    return _outcome(tuple(map(tuple, table.rows())), seat, code)


@lru_cache(maxsize=64)  # the answers of one decision, each needed several times
def _outcome(rows: tuple[tuple[int, ...], ...], seat: int, code: int) -> tuple[tuple[Way, ...], t.CrashAndGrab]:
    table = t.CrashAndGrab()
    for row, numbers in zip(table.rows(), rows, strict=True):
        row[:] = numbers
    saucer = saucer_asked(table, seat)
    direction = thing_in(table, code, w.DIRECTION)
    is_bound = table.phase[0] == t.DISTANCE and table.plan[saucer] >= 0 and not is_free(table, saucer)
    if table.cell[saucer] == NOWHERE or (direction == NOWHERE and not is_bound):
        return (), table
    if table.phase[0] == t.PLAN:
        return set_out(table, saucer, direction, distance_of(table, code))
    return ride(table, saucer, lambda moment, trace: rules.apply(moment, seat, code, trace))


def is_free(table: t.CrashAndGrab, saucer: int) -> bool:
    """CG-R3, CG-R5, CG-U12: return whether the direction is chosen after the distance."""
    is_late = table.players[0] >= 5 and table.acted[saucer] >= 5
    return bool(table.placed[0] or is_late or rules.has(table, saucer, t.TIME_MACHINE))


def upgrade_kept(table: t.CrashAndGrab, code: int) -> int:
    """Return the drawn upgrade that an answer keeps, or NOWHERE."""
    card = thing_in(table, code, w.UPGRADE)
    return card if card in sprites.drawn(table) else NOWHERE


def answer_text(table: t.CrashAndGrab, code: int) -> str:
    """Describe an answer."""
    word = w.said(table, code)
    direction = thing_in(table, code, w.DIRECTION)
    if direction != NOWHERE:
        return f"{word}: towards {t.MARKERS[direction]}"
    if upgrade_kept(table, code) != NOWHERE:
        return f"keep {w.TITLES[code]}"
    if thing_in(table, code, w.DISTANCE) != NOWHERE:
        return f"{word} space{'' if word == '1' else 's'}"
    return word


# Paths of movements


class Way(NamedTuple):
    """The path of one saucer in a movement."""

    saucer: int
    points: tuple[Point, ...]
    cell: int  # the last space, or NOWHERE off the board
    goes_on: bool  # whether it is on an accelerator and may choose a direction


class Reached(Exception):
    """Raised when a movement has reached the end of a preview."""


class Movement(list[tuple[int, ...]]):
    """The events of a movement, until it ends or asks for a direction."""

    def append(self, row: tuple[int, ...]) -> None:
        """Append an event; after the last one raise Reached, to stop the rules."""
        super().append(row)
        _, _, _, field, _, _, after, _ = row
        if (field == rules.PHASE and after not in AS_USUAL) or (field == rules.MOVER and after == NOWHERE):
            raise Reached


def ride(
    table: t.CrashAndGrab, saucer: int, begin: Callable[[t.CrashAndGrab, Trace], object]
) -> tuple[tuple[Way, ...], t.CrashAndGrab]:
    """Run a movement on a copy; return the paths of the saucer and any pushed ones, and the table at the end."""
    moment, trace = table.copy(), Trace()
    trace.rows = Movement()
    try:
        begin(moment, trace)
        while moment.phase[0] in AS_USUAL:
            rules.apply(moment, moment.asked[0], 0, trace)
    except Reached:
        pass
    legs = [Way(saucer, (layout.centre(table, table.cell[saucer]),), table.cell[saucer], False)]
    for row in map(Row._make, trace.rows):
        if row.field == rules.CELL:
            if row.index != legs[-1].saucer:
                legs.append(Way(row.index, (layout.centre(table, row.before),), row.before, False))
            way = legs.pop()
            place = layout.outside(table, way.cell, moment.heading[0]) if row.after == NOWHERE else None
            points = *way.points, place or layout.centre(table, row.after)
            legs.append(way._replace(points=points, cell=row.after))
    goes_on = moment.mover[0] == saucer and moment.phase[0] in (t.TURN_OFF, t.LEG)
    return (legs[0]._replace(goes_on=goes_on), *legs[1:]), moment


def set_out(
    table: t.CrashAndGrab, saucer: int, direction: int, distance: int
) -> tuple[tuple[Way, ...], t.CrashAndGrab]:
    """Run a planned movement on a copy, as if it were this saucer's turn now; return the same as `ride`."""

    def begin(moment: t.CrashAndGrab, trace: Trace) -> None:
        moment.turn[0], moment.distance[0], moment.asked[0] = saucer, distance, t.owner(table, saucer)
        rules.set_out(moment, direction, NOWHERE, trace)

    return ride(table, saucer, begin)


# Click points of answers

SPOTS: dict[Codec[Any], Callable[[t.CrashAndGrab, int], Point]] = {
    w.CREW: lambda table, crew: sprites.crew_places(table)[crew][:2],
    w.COLOUR: lambda table, colour: sprites.crew_places(table)[rules.next_in_line(table, colour)][:2],
    w.SAUCER: sprites.saucer_place,
    w.SPACE: lambda table, cell: layout.centre(table, cell),
    w.SITE: lambda table, site: layout.centre(table, t.site(table, site + 1)),
}


def spot(table: t.CrashAndGrab, seat: int, code: int) -> Point | None:
    """Return the click point of an answer; None if it needs a ticket."""
    named = w.parts(table, code)
    if "direction" in named:
        ways = ways_of(table, seat, code)
        return ways[0].points[-1] if ways else compass(thing_in(table, code, w.DIRECTION))
    place = thing_at(table, code)
    if place:
        return place
    if "tile" in named:
        return tile_spot(table, *divmod((code - 1) % rules.TARGETS, 4))
    if "energy" in named.values():
        return layout.ROW_LEFT + 54, layout.row_top(table.saucers[0], table.turn[0]) + 17
    if upgrade_kept(table, code) != NOWHERE:
        x, y = sprites.drawn(table)[code]
        return x, y - 17
    return None


def thing_at(table: t.CrashAndGrab, code: int) -> Point | None:
    """Return the point of the thing in an answer; None if there is no such point."""
    named = w.parts(table, code)
    for codec, place in SPOTS.items():
        if codec.name in named:
            return place(table, thing_in(table, code, codec))
    return None


def tile_spot(table: t.CrashAndGrab, place: int, turns: int) -> Point:
    """Return the click point for turning a tile by this number of quarter turns."""
    row, column, height, width = t.layout(table.size[0], place)
    x = layout.EDGE + layout.unit(table) * (column + width / 2)
    y = layout.EDGE + layout.unit(table) * (row + height / 2)
    return x + 47 * (turns - 2), y


def saucer_ring(table: t.CrashAndGrab, place: Point) -> tuple[Shape, ...]:
    """Draw a ring round a saucer."""
    return primitives.ring(place, 0.47 * layout.unit(table), 3, 6)


def compass(direction: int) -> Point:
    """Return the click point of a direction for a saucer that is off the board."""
    return primitives.towards((layout.MIDDLE, layout.MIDDLE), direction, 60)


# Shapes of choices


def rack(table: t.CrashAndGrab, seat: int, words: Sequence[str], spots: Sequence[Point] = ()) -> list[Point]:
    """Return points for tickets, near the saucer of the decision, where they hide as little as possible."""
    if not words:
        return []
    wide = max(2 * half_width(word) for word in words) + 8
    columns = min(len(words), max(1, int(300 / wide)))
    rows = -(-len(words) // columns)
    half = wide * columns / 2
    high = 18.0 * rows
    x, y = sprites.saucer_place(table, saucer_asked(table, seat))
    near = [
        (max(layout.EDGE + half, min(x + aside * layout.SIDE / 8, layout.EDGE + layout.SIDE - half)), y)
        for aside in (0, 1, -1, 2, -2)
    ]
    free = [
        (cx, layout.EDGE + high + 8 * n)
        for cx, _ in dict.fromkeys(near)
        for n in range(int((layout.SIDE - 2 * high) / 8) + 1)
    ]
    hidden = [*things(table), *((*place, 0.4 * layout.unit(table), 9) for place in {(x, y), *spots})]

    def cost(middle: Point) -> float:
        covered = sum(
            weight
            for px, py, radius, weight in hidden
            if abs(px - middle[0]) < half + radius and abs(py - middle[1]) < high + radius
        )
        return 80 * covered + abs(middle[0] - x) + abs(middle[1] - y)

    left, top = min(free, key=cost)
    left, top = left - half + wide / 2, top - high + 18
    return primitives.grid(left, top, wide, 36, columns, len(words))


def things(table: t.CrashAndGrab) -> list[tuple[float, float, float, int]]:
    """Return the things on the board that tickets should not hide: point, radius and weight of each."""
    step = layout.unit(table)
    saucers = [(*layout.centre(table, cell), 0.42 * step, 3) for cell in table.cell if cell != NOWHERE]
    crew = [(*layout.centre(table, where), 0.3 * step, 2) for where in table.where if 0 <= where < t.CELLS]
    return [*saucers, *crew]


def half_width(word: str) -> float:
    """Return half the width of a ticket with this word."""
    return max(16.0, 4.2 * len(word) + 5.5)


def ticket(place: Point, word: str) -> tuple[Shape, ...]:
    """Draw a ticket to click, with a word on it."""
    return primitives.ticket(place, word, half_width(word), 16, 15)


def target_shapes(place: Point, is_open: bool) -> tuple[Shape, ...]:
    """Draw a click point, with a question mark if a direction is chosen there."""
    if is_open:
        return primitives.dot(place, 16, 2.5), Text(*place, "?", 17, "target ink", bold=True)
    return *primitives.ring(place, 16, 3.5, 6.5), primitives.dot(place, 4.5, 1.5)


def ghost(table: t.CrashAndGrab, seat: int, code: int) -> tuple[Shape, ...]:
    """Draw the preview of an answer: the paths of the saucer and any pushed ones, each with its saucer at the end."""
    shapes: list[Shape] = []
    ways, moment = outcome(table, seat, code)
    is_any = thing_in(table, code, w.CARD) == t.ANY
    if ways and ways[0].goes_on and not is_any:
        shapes += onward(moment)
    for way in reversed(ways):
        shapes += way_shapes(way, layout.unit(table))
    if ways and is_any:
        shapes += [primitives.dot(point, 4, 1) for point in ways[0].points[1:-1]]
    return tuple(shapes)


def onward(moment: t.CrashAndGrab) -> tuple[Shape, ...]:
    """CG-M4: draw the four paths from the accelerator at the end of a path."""
    saucer = moment.mover[0]

    def turned(direction: int) -> Way:
        return ride(moment, saucer, lambda copy, trace: rules.turn_off(copy, direction, trace))[0][0]

    further = [turned(direction) for direction in range(4)]
    paint = layout.PAINTS[saucer]
    lines = [Line(way.points, paint, 2.5, arrow=True, alpha=0.5) for way in further]
    return (*lines, *(Circle(*way.points[-1], 6, "", paint, 2, alpha=0.6) for way in further))


def way_shapes(way: Way, step: float) -> tuple[Shape, ...]:
    """Draw a path with the saucer at its end, translucent; a star if it leaves the board."""
    paint = layout.PAINTS[way.saucer]
    goal = way.points[-1]
    if way.cell == NOWHERE:
        end: tuple[Shape, ...] = (Polygon(star(*goal, 13, 6, 9), "flash", "flash edge", 1.5),)
    else:
        end = (Circle(*goal, 0.37 * step, paint, "path", 2, alpha=0.5),)
    return end if len(way.points) == 1 else (*line_shapes(way, step), *end)


def line_shapes(way: Way, step: float) -> tuple[Shape, ...]:
    """Draw a path as an arrow from the rim of the saucer."""
    (x, y), (next_x, next_y) = way.points[:2]
    share = 0.4 * step / max(abs(next_x - x) + abs(next_y - y), step / 2)
    points = ((x + share * (next_x - x), y + share * (next_y - y)), *way.points[1:])
    return primitives.way(points, layout.PAINTS[way.saucer], 4, 8, 0.6)


# Plans


def deed(table: t.CrashAndGrab, seat: int, code: int) -> Choice:
    """Return an action as a choice: its words, and its intended path if it moves a saucer."""
    word = w.said(table, code)
    if seat == CHANCE:
        return Choice(word, f"chance: {word}", layout.MIDDLE, layout.MIDDLE)
    saucer = saucer_asked(table, seat)
    direction = thing_in(table, code, w.DIRECTION)
    moves = direction != NOWHERE and table.cell[saucer] != NOWHERE
    shapes = meant(table, saucer, direction, distance_of(table, code)) if moves else ()
    name = SEATS[seat] if table.players[0] == 2 else w.saucer_name(saucer)
    return Choice(word, f"{name}: {answer_text(table, code)}", *sprites.saucer_place(table, saucer), shapes)


def plan(table: t.CrashAndGrab, saucer: int) -> Choice:
    """Return a plan as a choice: its words and its intended path."""
    planned = table.plan[saucer]
    word = w.plan_text(planned)
    x, y = sprites.saucer_place(table, saucer)
    if planned == HIDDEN or table.cell[saucer] == NOWHERE:
        return Choice(word, f"{w.saucer_name(saucer)}: {word}", x, y)
    shapes = meant(table, saucer, planned % 4, (2, 3, 5)[planned // 4])
    if table.phase[0] != t.PLAN:  # within a turn the plans of the other saucers are faint
        shapes = (faint(shapes[1], 0.3),)
    words = f"{w.saucer_name(saucer)}: card {w.PLAN_CARDS[planned // 4]} towards {t.MARKERS[planned % 4]}"
    return Choice(word, words, x, y, shapes)


def meant(table: t.CrashAndGrab, saucer: int, direction: int, distance: int) -> tuple[Shape, ...]:
    """Draw the intended path of a saucer, ignoring obstacles; it may lead off the board."""
    cell = table.cell[saucer]
    points = [layout.centre(table, cell)]
    for _ in range(distance):
        ahead = rules.ahead(table, cell, direction)
        points.append(layout.outside(table, cell, direction) if ahead == NOWHERE else layout.centre(table, ahead))
        if ahead == NOWHERE:
            break
        cell = ahead
    return line_shapes(Way(saucer, tuple(points), cell, False), layout.unit(table)) if distance else ()


# Predictions


def is_crash(row: Row) -> bool:
    """Return whether a saucer leaves the board in this event."""
    return row.field == rules.CELL and row.after == NOWHERE


def is_reward(row: Row) -> bool:
    """CG-C2: return whether this event is a reward for a crash."""
    return row.rule == rules.C2 and row.field in (rules.ENERGY, rules.WHERE)


PUSHED = ("", "first", "second")  # by order of moving: words for pushed saucers, which the question does not name
ENERGY = "1 energy"
MOST_REWARDS = 8  # maximum number of rewards to choose from, the right one included
OFF_PLACE, OFF_SIZE = (17.0, 17.0), 8.0  # click point for "off the board", and half its width
BADGE = 17.0  # half the width of the badge of a saucer


def where_question(
    before: t.CrashAndGrab, after: t.CrashAndGrab, rows: Sequence[Row], saucer: int, place: int
) -> Question:
    """Ask where a moved saucer stops; place is its index in the order of moving.

    The choices are "off the board" and spaces: those on its path, ahead of its end and round its start, and those of
    other saucers; at most six.
    """
    moves = event_numbers(rows, lambda row: (row.field, row.index) == (rules.CELL, saucer))
    end = after.cell[saucer]
    start = before.cell[saucer]
    near = [end, NOWHERE, start, *(rows[number].after for number in moves)]
    if place:
        near += [cell for cell in before.cell[: before.saucers[0]] if cell != NOWHERE]
    near += [*beyond(after, end, start), *(rules.ahead(after, start, direction) for direction in range(4))]
    cells = sorted(list(dict.fromkeys(near))[:6])

    def name(cell: int) -> str:
        return layout.OFF if cell == NOWHERE else t.place_words(cell)

    def spot(cell: int) -> Point:
        if cell != NOWHERE:
            return layout.centre(after, cell)
        return OFF_PLACE if place else layout.badge_at(after.saucers[0], saucer)

    def outline(cell: int) -> tuple[Point, ...]:
        if cell != NOWHERE:
            return primitives.square(spot(cell), layout.unit(after) / 2 - 1)
        return primitives.square(spot(cell), OFF_SIZE if place else BADGE)

    who = f"the {PUSHED[place]} saucer that is pushed" if place else w.saucer_name(saucer)
    return toolkit.where(f"Where does {who} stop?", cells, end, moves[-1], name, spot, outline)


def beyond(table: t.CrashAndGrab, end: int, start: int) -> list[int]:
    """Return the next two spaces in the direction of a saucer that has moved in a line."""
    if end == NOWHERE or start == end or end // 10 != start // 10 and end % 10 != start % 10:
        return []
    direction = (1 if end > start else 3) if end // 10 == start // 10 else (2 if end > start else 0)
    first = rules.ahead(table, end, direction)
    return [first, rules.ahead(table, first, direction)] if first != NOWHERE else []


def off_question(after: t.CrashAndGrab, rows: Sequence[Row], moved: Sequence[int]) -> Question:
    """Ask for the saucers off the board at the end."""
    absent = [saucer for saucer in range(after.saucers[0]) if after.cell[saucer] == NOWHERE]
    wrong = [[], *([saucer] for saucer in moved), sorted(moved), sorted({*absent, *moved}), absent[1:]]
    names = sorted(dict.fromkeys(map(names_of, (absent, *wrong))))
    if len(names) < 3:
        names.append(names_of(range(after.saucers[0])))
    last = event_numbers(rows, lambda row: row.field == rules.CELL)
    crashes = [number for number in last if is_crash(rows[number])]
    return toolkit.question("Who is off the board at the end?", names, names_of(absent), (crashes or last)[-1])


def names_of(saucers: Sequence[int]) -> str:
    """Return the names of saucers as text."""
    return " and ".join(map(w.saucer_name, saucers)) or "nobody"


def reward_question(before: t.CrashAndGrab, rows: Sequence[Row], number: int) -> Question:
    """CG-C2: ask for the rewarded saucer after a crash, and for its reward. Each saucer has equally many answers."""
    row = rows[number]
    winner = row.index if row.field == rules.ENERGY else row.after % t.ABOARD
    prizes = [ENERGY] if row.field == rules.ENERGY else [ENERGY, t.crew_name(row.index)]
    saucers = list(range(before.saucers[0]))
    if len(prizes) * len(saucers) > MOST_REWARDS:
        saucers = sorted({winner, *[other for other in saucers if other != winner][: MOST_REWARDS // len(prizes) - 1]})
    names = ["nobody", *(f"{w.saucer_name(saucer)}: {prize}" for saucer in saucers for prize in prizes)]
    right = f"{w.saucer_name(winner)}: {prizes[-1]}"
    return toolkit.question("Who is rewarded, and with what?", names, right, number)


# Edits by hand

OR_OFF = maybe(w.SPACE, {NOWHERE: layout.OFF})
OR_WAITING = maybe(w.PLACE, {t.QUEUE: "waiting"})
MANY = 12  # maximum of energy or boosters in an edit


def saucer_edit(table: t.CrashAndGrab, saucer: int, cells: Sequence[int]) -> Edit:
    name, places = w.saucer_name(saucer), [layout.centre(table, cell) for cell in cells]
    fields = (
        toolkit.setting(table, "space", "cell", saucer, OR_OFF, (*cells, NOWHERE), places),
        toolkit.amount(table, "energy", saucer, 0, MANY),
        toolkit.amount(table, "boosters", saucer, 0, MANY),
    )
    return Edit(f"saucer {name}", f"{name} saucer", fields)


def crew_edit(table: t.CrashAndGrab, crew: int) -> Edit:
    """Return the edit of a crewmember's place: a crash site, a saucer, or the queue."""
    sites = sorted(cell for cell in range(t.CELLS) if 0 < table.ground[cell] < t.ACCELERATOR)
    saucers = range(table.saucers[0])
    places = (*sites, *(t.ABOARD + saucer for saucer in saucers), t.QUEUE)
    spots = [layout.centre(table, cell) for cell in sites]
    spots += [layout.badge_at(table.saucers[0], saucer) for saucer in saucers]
    field = toolkit.setting(table, "place", "where", crew, OR_WAITING, places, spots)
    return Edit(f"crew {t.crew_name(crew)}", t.crew_name(crew), (field,))
