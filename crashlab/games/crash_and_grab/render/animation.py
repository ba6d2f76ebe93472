"""The effects of one beat of Crash & Grab, and paths for a still summary."""

from collections.abc import Sequence
from math import cos, pi, sin

from crashlab.drawing import primitives
from crashlab.drawing.primitives import Effect
from crashlab.drawing.shapes import Circle, Piece, Point, Polygon, Shape, Text, placed, slab
from crashlab.engine.table import NOTE, NOWHERE, Row, replay
from crashlab.games import toolkit
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import state as t
from crashlab.games.crash_and_grab.render import layout, panel


def effects(table: t.CrashAndGrab, rows: Sequence[Row], turn_rows: Sequence[Row] = ()) -> tuple[Effect, ...]:
    """Return the pieces shown only in one beat, as they start and as they end; `table` is the state before the beat."""
    return toolkit.effects(table, rows, passing_of)


def passing_of(table: t.CrashAndGrab, row: Row) -> list[Effect]:
    """Return the effects of one event."""
    rule, field, index, before, after = row.rule, row.field, row.index, row.before, row.after
    if field == NOTE and rule == rules.M3:
        return [
            primitives.burst(f"bump {before}", layout.centre(table, table.cell[before]), layout.unit(table), "crash!")
        ]
    if field == NOTE and rule == rules.M4:
        return [primitives.ring_out(f"accelerate {index}", layout.centre(table, table.cell[index]), "accelerator")]
    if field == NOTE and rule == rules.P1:
        return [thrown("die", die_shapes(index), die_at(table, index), f"the die shows {index}")]
    if field == rules.SPIN and after:
        shapes = *die_shapes(0), *panel.spin_shapes(after, "ticket ink")
        return [thrown("way round", shapes, panel.SPIN_AT, panel.spin_words(after))]
    if field == rules.CELL and after == NOWHERE:
        return [puff(f"puff {index}", where_it_leaves(table, index, rule), w.saucer_name(index))]
    if field in (rules.ENERGY, rules.BOOSTERS):
        return [gift(table, field, index, after - before)]
    return []


def where_it_leaves(table: t.CrashAndGrab, saucer: int, rule: int) -> Point:
    """Return the point at which a saucer vanishes: over the edge, or on its space by a mine or a cloak."""
    if rule == rules.B5:
        return layout.outside(table, table.cell[saucer], table.heading[0])
    return layout.centre(table, table.cell[saucer])


def puff(key: str, place: Point, name: str) -> Effect:
    """Return a cloud at a saucer that leaves the board."""
    clouds = tuple(Circle(14 * cos(n * pi / 3), 14 * sin(n * pi / 3), 11, "nobody", alpha=0.75) for n in range(6))
    shapes = (*clouds, Circle(0, 0, 12, "number", alpha=0.9))
    start = Piece(key, *place, shapes, scale=0.4, label=f"{name} leaves the board")
    return primitives.passing(start, scale=1.5, alpha=0.0)


def thrown(key: str, shapes: tuple[Shape, ...], place: Point, label: str) -> Effect:
    """Return a die that is thrown over the board and stops at a point."""
    start = Piece(key, layout.MIDDLE, layout.MIDDLE, shapes, scale=1.6, label=label)
    return primitives.passing(start, x=place[0], y=place[1], scale=0.5, alpha=0.5)


def die_at(table: t.CrashAndGrab, number: int) -> Point:
    """Return the corner of the rolled crash site."""
    x, y = layout.centre(table, table.ground.index(number))
    return x + layout.unit(table) / 2 - 9, y - layout.unit(table) / 2 + 9


def die_shapes(number: int) -> tuple[Shape, ...]:
    """Draw a die with its number, or a blank die for 0."""
    paper = Polygon(slab(-24, -24, 24, 24, 8), "ticket", "ticket edge", 2.5)
    return (paper, Text(0, 0, str(number), 28, "ticket ink", bold=True)) if number else (paper,)


def gift(table: t.CrashAndGrab, field: int, saucer: int, amount: int) -> Effect:
    """Return the effect of a gain or loss of energy or boosters: its amount rises from the count."""
    is_energy = field == rules.ENERGY
    what = "energy" if is_energy else "boosters"
    words = f"{amount:+d}"
    shapes = primitives.disc(words, 14, "chit" if is_energy else "ticket", 2, 15)
    place = layout.ROW_LEFT + (70 if is_energy else 118), layout.row_top(table.saucers[0], saucer) + 17
    return primitives.rise(f"{what} of {saucer}", place, shapes, f"{w.saucer_name(saucer)}: {words} {what}", 20)


def paths(table: t.CrashAndGrab, rows: Sequence[Row]) -> tuple[Shape, ...]:
    """Draw the paths of saucers in the events after `table`: a ring at each start, a star at each hit and each crash.

    Each placement die is drawn at the rolled crash site.
    """
    moment = table.copy()
    walks: dict[int, list[list[Point]]] = {}
    stars: list[Shape] = []
    for row in rows:
        rule, field, index, before, after = row.rule, row.field, row.index, row.before, row.after
        if field == NOTE and rule == rules.M3:
            stars.append(primitives.spark(layout.centre(moment, moment.cell[before]), 15, 7))
        elif field == NOTE and rule == rules.P1:
            stars += placed(Piece("die", *die_at(moment, index), die_shapes(index), scale=0.5))
        elif field == rules.CELL and before != NOWHERE:
            place = where_it_leaves(moment, index, rule) if after == NOWHERE else layout.centre(moment, after)
            lines = walks.setdefault(index, [[layout.centre(moment, before)]])
            if lines[-1][-1] != layout.centre(moment, before):  # it was off the board in between
                lines.append([layout.centre(moment, before)])
            if place != lines[-1][-1]:
                lines[-1].append(place)
            if after == NOWHERE:
                stars.append(primitives.spark(place, 11, 5))
        replay(moment, [row])
    ways = [(saucer, walk) for saucer, lines in walks.items() for walk in lines if len(walk) > 1]
    shapes = [shape for saucer, walk in ways for shape in primitives.way(walk, layout.PAINTS[saucer], 4.5, 9, 0.7)]
    return (*shapes, *(Circle(*walk[0], 6, "cell", layout.PAINTS[saucer], 3.5) for saucer, walk in ways), *stars)
