"""Events on the board of Crash by Crash: the effects of a beat, and paths for a still summary."""

from collections.abc import Mapping, Sequence
from functools import cache
from math import pi, sin

from crashlab.drawing import primitives
from crashlab.drawing.primitives import Effect
from crashlab.drawing.shapes import Circle, Piece, Point, Polygon, Shape, Text, placed
from crashlab.engine.table import NOTE, NOWHERE, Row, replay
from crashlab.games import toolkit
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as t
from crashlab.games.crash_by_crash.render import layout, sprites

COUNTING = (rules.F3, rules.CARD[t.SHADY_EXCEPTION])  # the rules cited by notes that count a car in a scoring


def effects(table: t.CrashByCrash, rows: Sequence[Row], turn_rows: Sequence[Row] = ()) -> tuple[Effect, ...]:
    """Return the temporary pieces of a beat, each at its start and its end; `table` is the table before the beat."""
    return toolkit.effects(table, rows, passing_of)


def passing_of(table: t.CrashByCrash, row: Row) -> list[Effect]:
    """Return the effects of an event."""
    if row.field == NOTE:
        return passing_note(table, row.rule, *row.numbers)
    field, index, before, after = row.field, row.index, row.before, row.after
    if field == rules.PLACES:
        return passing_move(table, row.rule, index, before, after)
    if field == rules.SCORE:
        return [gain(table, index, after - before)]
    if field == rules.GONE:
        return [sinking(table, index)]
    if field == rules.BATTERIES:
        x, y = layout.ROW_LEFT + 30, layout.block_top(table.players[0], index) + 54
        return [
            primitives.rise(
                f"battery {w.SIDES[index]}", (x, y), number_shapes(f"{after - before:+d}"), "a battery is used", 24
            )
        ]
    if field == rules.HANDS and after < before:
        return [shown_card(table, index // t.KINDS, index % t.KINDS)]
    return []


def passing_note(table: t.CrashByCrash, rule: int, a: int, b: int, c: int, d: int) -> list[Effect]:
    """Return the effects of a note: a hit, a stop by the operator, or the counting of a car."""
    if rule == rules.P3:
        return [
            primitives.burst(
                f"hit {a}",
                primitives.between(layout.CENTRES[a], layout.CENTRES[b], 0.5),
                2 * layout.HALF,
                "a car hits another one",
            )
        ]
    if rule == rules.P4:
        return [
            primitives.burst(
                f"stop {a}",
                primitives.between(layout.CENTRES[a], layout.CENTRES[b], 0.5),
                2 * layout.HALF,
                "the operator stops a car",
            )
        ]
    if rule in COUNTING:
        return counted(table, a, b, c, d)
    return []


def counted(table: t.CrashByCrash, car: int, cell: int, value: int, total: int) -> list[Effect]:
    """CB-E1: show the value that a car scores, and the growing sum below the side's score."""
    side = car // t.FLEET
    x, y = layout.CENTRES[cell]
    words = f"{sprites.car_piece(table, car).label} scores {value}, in all {total}"
    frame = Piece(f"count {side}", x, y, lit((0, 0), layout.SIZE), label=words)
    number = primitives.rise(f"value {side}", (x, y - 6), number_shapes(str(value)), words, 24)
    total_piece = sum_piece(table, side, total, words)
    return [(frame, frame), number, (total_piece, total_piece)]


def passing_move(table: t.CrashByCrash, rule: int, piece: int, before: int, after: int) -> list[Effect]:
    """Return the effects of a move besides the move itself: a ringing bell, a falling or placed car, a pull."""
    if piece >= t.BELL:
        return (
            [primitives.burst(f"ring {piece}", layout.CENTRES[after % t.RINGING], 2 * layout.HALF, "a bell rings")]
            if after >= t.RINGING
            else []
        )
    if piece < t.CARS and after == NOWHERE and rule in (rules.P5, rules.O2):
        return [
            primitives.burst(
                f"fall {piece}", layout.CENTRES[before], 2 * layout.HALF, f"{w.SIDES[piece // t.FLEET]} loses a car"
            )
        ]
    if piece < t.CARS and before == NOWHERE:
        return [ring_out(f"placed {piece}", layout.CENTRES[after])]
    if rule == rules.M3 and after != NOWHERE:
        return [force(f"force {piece}", layout.CENTRES[before], layout.CENTRES[after])]
    return []


def ring_out(key: str, place: Point) -> Effect:
    """Draw a ring that closes round a placed car."""
    start = Piece(key, *place, primitives.halo((0, 0), 19, 3.5, 6), scale=1.9, alpha=0.6, label="a car is placed")
    return primitives.passing(start, scale=1.0, alpha=1.0)


def force(key: str, start: Point, end: Point) -> Effect:
    """CB-M3: draw the line of force along which a car is pulled."""
    across, down = 2 * (end[0] - start[0]), 2 * (end[1] - start[1])
    points = tuple(
        (n / 12 * across - 0.09 * down * sin(n * pi / 2), n / 12 * down + 0.09 * across * sin(n * pi / 2))
        for n in range(13)
    )
    shapes = primitives.way(points, "magnet", 3.4, 6, arrow=False)
    return primitives.passing(Piece(key, *start, shapes, label="a magnet pulls"), alpha=0.0)


def gain(table: t.CrashByCrash, side: int, amount: int) -> Effect:
    """Draw the points that a side gains or pays, rising from its score."""
    x, y = layout.score_place(table.players[0], side)
    words = f"{amount:+d}"
    shapes = (Text(0, 0, words, 24, "gain" if amount > 0 else "loss", bold=True),)
    return primitives.rise(f"points {side}", (x - 52, y), shapes, f"{w.SIDES[side]}: {words} points", 24)


@cache
def number_shapes(words: str) -> tuple[Shape, ...]:
    """Draw a disc with a number."""
    return primitives.disc(words, 14, "flash", 2, 16)


def sinking(table: t.CrashByCrash, tile: int) -> Effect:
    """CB-E1: draw a flower that sinks and leaves the game."""
    x, y = layout.CENTRES[t.cells_of(tile)[0]]
    cells = t.cells_of(tile)
    shapes = tuple(
        Polygon(
            hexes.corners((layout.CENTRES[cell][0] - x, layout.CENTRES[cell][1] - y), layout.SIZE),
            f"value {table.value[cell]}",
            "seam",
            1.2,
        )
        for cell in cells
    )
    start = Piece(f"sink {tile}", x, y, shapes, label="a flower leaves the game")
    return primitives.passing(start, angle=40, scale=0.3, alpha=0.0)


def shown_card(table: t.CrashByCrash, seat: int, card: int) -> Effect:
    """Show a played or discarded card, rising from the hand."""
    cards = sprites.hand(table, seat)
    x, y, _ = sprites.hand_place(table, seat, cards.index(card) if card in cards else 0)
    words = f"{w.SEATS[seat]} plays or discards {w.TITLES[card]}"
    start = Piece(f"shown {seat} {card}", x, y, sprites.card_shapes(card), label=words)
    return primitives.passing(
        start, x=layout.EDGE + 13 * layout.HALF, y=layout.FLOOR_END[1] - 120, scale=1.25, alpha=0.5
    )


def paths(table: t.CrashByCrash, rows: Sequence[Row]) -> tuple[Shape, ...]:
    """Draw the paths of cars and the operator in these rows, and the sums of scorings.

    `table` is the table before the rows. Each path begins with a ring; a star marks a lost car, a ringing bell or a car
    stopped by the operator.
    """
    moment = table.copy()
    walks: dict[int, list[Point]] = {}
    stars: list[Shape] = []
    sums: dict[int, int] = {}
    came: dict[int, int] = {}  # previous cell by piece; NOWHERE for a placed car
    for row in rows:
        if row.field == NOTE and row.rule in COUNTING:
            stars += lit(layout.CENTRES[row.before], layout.SIZE - 1)
            sums[row.index // t.FLEET] = row.last
        elif row.field == NOTE and row.rule == rules.O1:
            came[t.OPERATOR] = NOWHERE  # the start of his move
        elif row.field == NOTE and row.rule == rules.P4:
            stars.append(
                primitives.spark(
                    primitives.between(layout.CENTRES[row.index], layout.CENTRES[row.before], 0.5), 14, 6.5
                )
            )
        elif row.field == rules.PLACES and row.index >= t.BELL:
            stars += (
                [primitives.spark(layout.CENTRES[row.after % t.RINGING], 14, 6.5)] if row.after >= t.RINGING else []
            )
        elif row.field == rules.PLACES and row.before != NOWHERE and row.after != NOWHERE:
            walks.setdefault(row.index, [layout.CENTRES[row.before]]).append(layout.CENTRES[row.after])
        elif row.field == rules.PLACES and row.after == NOWHERE and row.rule != rules.E1:
            stars.append(primitives.spark(layout.CENTRES[row.before], 14, 6.5))
            if (way := fall(moment, row, came)) != NOWHERE:
                walks.setdefault(row.index, [layout.CENTRES[row.before]]).append(
                    hexes.towards(layout.CENTRES[row.before], way, 1.7 * layout.HALF)
                )
        if row.field == rules.PLACES:
            came[row.index] = row.before
        replay(moment, [row])
    ways = [(sprites.piece_paint(piece), walk) for piece, walk in walks.items() if len(walk) > 1 and walk[0] != walk[1]]
    lines = [shape for paint, walk in ways for shape in primitives.way(walk, paint, 4, 8, 0.75)]
    rings = [Circle(*walk[0], 5, "number", paint, 3) for paint, walk in ways]
    totals = [shape for side, total in sums.items() for shape in placed(sum_piece(table, side, total, ""))]
    return (*lines, *rings, *stars, *totals)


def fall(table: t.CrashByCrash, row: Row, came: Mapping[int, int]) -> int:
    """Return the direction in which a car falls, away from the piece that pushed its line; NOWHERE if unknown."""
    car, cell = row.index, row.before
    if row.rule not in (rules.P5, rules.O2):
        return NOWHERE
    off = [way for way in range(6) if not sprites.has_floor(table, t.AHEAD[6 * cell + way])]
    for way in off:
        back = (way + 3) % 6
        behind = t.AHEAD[6 * cell + back]
        if came.get(car) == behind:
            return way
        while behind in table.cell[: t.CARS] and table.cell.index(behind) not in came:
            behind = t.AHEAD[6 * behind + back]
        if behind in table.cell[: t.CARS] or (t.OPERATOR in came and is_operator_on(table, behind)):
            return way
    return off[0] if len(off) == 1 else NOWHERE


def is_operator_on(table: t.CrashByCrash, cell: int) -> bool:
    """CB-O3: return whether the operator is on a cell, or in the hole of that cell."""
    place = table.cell[t.OPERATOR]
    return cell == place or (cell != t.OUTSIDE and bool(table.gone[t.TILE[cell]]) and t.TILE[cell] == t.TILE[place])


def lit(middle: Point, size: float) -> tuple[Shape, ...]:
    """Draw the lit rim of a counted cell."""
    around = hexes.corners(middle, size)
    return Polygon(around, "", primitives.GLOW, 6), Polygon(around, "", "flash", 3.5)


def sum_piece(table: t.CrashByCrash, side: int, total: int, words: str) -> Piece:
    """Draw the sum that a side has scored so far, below its score."""
    x, y = layout.score_place(table.players[0], side)
    return Piece(f"sum {side}", x - 14, y + 29, number_shapes(f"+{total}"), label=words)
