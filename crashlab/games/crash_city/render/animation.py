"""The effects of one beat of CrashCity, and paths for a still summary."""

from collections.abc import Sequence

from crashlab.drawing import primitives
from crashlab.drawing.primitives import Effect
from crashlab.drawing.shapes import Circle, Line, Piece, Shape, Text
from crashlab.engine.table import NOTE, NOWHERE, Row, replay
from crashlab.engine.value_codecs import seat_name
from crashlab.games import toolkit
from crashlab.games.crash_city import notation as w
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.render import layout, sprites


def effects(table: t.CrashCity, rows: Sequence[Row], turn_rows: Sequence[Row] = ()) -> tuple[Effect, ...]:
    """Return the pieces shown only in one beat, as they start and as they end; `table` is the state before the beat."""
    after = table.copy()
    replay(after, list(rows))
    return toolkit.latest(pair for row in rows for pair in passing_of(after, row))


def passing_of(table: t.CrashCity, row: Row) -> list[Effect]:
    """Return the effects of one event, given the table after that event."""
    field, index, after = row.field, row.index, row.after
    view = layout.view(table)
    if is_crash(row):
        car, hit, space, _ = row.numbers
        reach = max(30.0, (1 - layout.LANE) * view.unit)  # the length of a lane between its neighbours
        label = f"{t.car_name(car)} hits {t.car_name(hit)}"
        return [primitives.burst(f"crash {hit}", layout.lane_at(table, view, space), reach, label)]
    if field == rules.JOINED:
        return [glow(table, view, index)]
    if field == rules.KIND:
        return [revealed(view, table.spot[index], after)]
    if field == rules.WHERE and after >= t.ROOF:
        x, y = layout.car_at(table, view, index)
        shapes = (Circle(0, 0, 15, "gain", "street edge", 2), Text(0, 0, "+1", 15, "street edge", bold=True))
        return [primitives.rise(f"work {index}", (x, y - 12), shapes, f"{t.car_name(index)} is at work", 16)]
    if field == rules.ASKED and table.phase[0] in (t.ROLL, t.RACE) and table.turn[0] == 0 and row.rule == rules.R1:
        badge = layout.ROW_LEFT + 19, layout.row_top(after) + 26
        return [primitives.ring_out(f"starts {after}", badge, f"{seat_name(after)} begins the race")]
    return []


def is_crash(row: Row) -> bool:
    """CC-R4, CC-C4: return whether a car hits another one in this event."""
    return row.field == NOTE and row.rule in (rules.R4, rules.C4)


def revealed(view: layout.View, spot: int, kind: int) -> Effect:
    """Return the effect of a revealed tile: it rises from its spot, with the letter of its kind."""
    lanes, name = t.LANES[kind], t.KIND_NAMES[kind]
    letter = Text(0, 0, name, max(15.0, 0.3 * view.unit), "ink", bold=True)
    shapes = *sprites.tile_shapes(0, 0, 0.45 * view.unit, lanes, lanes), letter
    return primitives.rise("revealed", layout.middle(view, spot), shapes, f"the tile is {name}", 16)


def glow(table: t.CrashCity, view: layout.View, space: int) -> Effect:
    """CC-G5: return the glow of a newly connected lane."""
    point = layout.lane_at(table, view, space)
    along = (space % 4 + 1) % 4
    reach = 0.42 * view.unit
    ends = tuple(primitives.towards((0.0, 0.0), along, length) for length in (-reach, reach))
    shapes = (Line(ends, "flash edge", 0.2 * view.unit), Line(ends, "flash", 0.13 * view.unit))
    words = f"lane {w.lane_text(table, space)} is connected"
    return primitives.passing(Piece(f"joined {space}", *point, shapes, label=words), alpha=0.0)


def paths(table: t.CrashCity, rows: Sequence[Row]) -> tuple[Shape, ...]:
    """Draw the paths of cars in the events after `table`: a ring at each start, a star at each crash."""
    moment = table.copy()
    walks: dict[int, list[int]] = {}
    crashes: list[int] = []
    for row in rows:
        if is_crash(row):
            _, _, space, _ = row.numbers
            crashes.append(space)
        elif row.field == rules.WHERE and row.before != NOWHERE:
            walks.setdefault(row.index, [row.before]).append(row.after)
        replay(moment, [row])
    view = layout.view(moment)
    shapes: list[Shape] = []
    for car, spaces in walks.items():
        shapes += layout.way(layout.road(moment, view, spaces), f"seat {car // t.FLEET}", view.unit)
    for space in crashes:
        shapes.append(
            primitives.spark(layout.lane_at(moment, view, space), max(11.0, 0.2 * view.unit), max(5.0, 0.1 * view.unit))
        )
    return tuple(shapes)
