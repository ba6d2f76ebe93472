"""The panel beside the city: the supplies of the seats, the current decision, and the outcomes of chance."""

from collections.abc import Iterator
from functools import cache

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Piece, Point, Polygon, Shape, Text, placed, slab
from crashlab.engine.table import CHANCE, NOWHERE
from crashlab.engine.value_codecs import seat_name
from crashlab.games import toolkit
from crashlab.games.crash_city import rules
from crashlab.games.crash_city import state as t
from crashlab.games.crash_city.notation import DECISIONS, legal_now, said
from crashlab.games.crash_city.render import layout, sprites

UNSEEN_AT = layout.ROW_LEFT, 474.0
LEGENDS = {  # meaning of the marks on the cards of moves (CC-R3, CC-C)
    t.RACE: (("F forward", "D drift"), ("T turn", "U U-turn"), ("R reverse", "Y rear turn")),
    t.ANSWER: (("S straight on",), ("T turn the corner",), ("U spin",)),
}

ASKED = {
    "site": "which site?",
    "reveal": "reveal a tile",
    "rotate": "turn the tile",
    "build": "build what?",
    "car": "place the car",
    "roll": "who begins?",
    "race": "park or drive",
    "crash": "{} must make way",
}


def panel_pieces(table: t.CrashCity) -> Iterator[Piece]:
    """Yield the heading, the frame round the current row, and the supplies of each seat."""
    yield primitives.headline("turn", layout.ROW_LEFT, 32, heading(table), 18, bold=True)
    yield primitives.headline("asked", layout.ROW_LEFT, 60, asked_words(table), 15)
    seat = decider(table)
    if seat >= 0:
        shapes = primitives.row_frame(layout.PANEL[0], layout.PANEL[2], layout.ROW_HIGH)
        yield Piece("frame", 0, layout.row_top(seat), shapes, label=f"{seat_name(seat)} decides")
    for seat in range(table.players[0]):
        name = seat_name(seat)
        top = layout.row_top(seat)
        left = tuple(table.stock[3 * seat : 3 * seat + 3])
        words = ", ".join(f"{t.BUILDING_NAMES[n]} {count}" for n, count in enumerate(left))
        signs = stock_shapes(seat, left)
        yield Piece(f"stock {name}", layout.ROW_LEFT + 48, top + 24, signs, label=f"{name} has left: {words}")
        parked = rules.score(table, seat)
        words = f"{name}: {parked} of {t.FLEET} cars parked"
        yield Piece(f"parked {name}", layout.ROW_LEFT + 2, top + 67, parked_shapes(seat, parked), label=words)
    if table.phase[0] in LEGENDS:
        rows = LEGENDS[table.phase[0]]
        marks = tuple(
            Text(2 + 88 * m, 22 * n, mark, 14, "muted", "left")
            for n, row in enumerate(rows)
            for m, mark in enumerate(row)
        )
        words = "; ".join(mark for row in rows for mark in row)
        yield Piece("legend", UNSEEN_AT[0], UNSEEN_AT[1] + 4, marks, label=words)
    if t.is_growing(table):
        left = tuple(t.unrevealed(table, kind) for kind in range(t.KINDS))
        words = ", ".join(f"{t.KIND_NAMES[kind]} {count}" for kind, count in enumerate(left) if count)
        signs = unseen_shapes(left, table.tiles[0])
        yield Piece("unseen", *UNSEEN_AT, signs, label=f"tiles not revealed yet: {words or 'none'}")
    if rules.actors(table) == CHANCE:
        yield from outcome_pieces(table)


def outcome_pieces(table: t.CrashCity) -> Iterator[Piece]:
    """Yield a frame round each outcome of chance, keyed by its notation: a kind of tile, or a seat."""
    for code in legal_now(table):
        word = said(table, code)
        if table.phase[0] == t.ROLL:
            frame = sprites.box_round(0, 0, 21, 21)
            place = (layout.ROW_LEFT + 19, layout.row_top(code % t.SORT) + 26)
        else:
            x, y = unseen_at(table.tiles[0], code % t.SORT)
            frame = sprites.box_round(0, 0, 19, 27)
            place = (UNSEEN_AT[0] + x, UNSEEN_AT[1] + y + 13)
        yield Piece(word, *place, (Polygon(frame, "", "target", 2),), label=f"outcome of chance: {word}")


def unseen_at(tiles: int, kind: int) -> Point:
    """Return the point of a kind of tile, relative to UNSEEN_AT."""
    kinds = [one for one in range(t.KINDS) if t.COUNTS[t.KINDS * tiles + one]]
    return 16.0 + kinds.index(kind) * 172 / len(kinds), 28.0


@cache
def stock_shapes(seat: int, left: tuple[int, ...]) -> tuple[Shape, ...]:
    """Draw the number of houses, shops and factories left; kinds with a count of 0 are faint."""
    if not any(left):
        return (Text(0, 4, "all is built", 14, "muted", "left"),)
    shapes: list[Shape] = []
    for building, count in enumerate(left):
        x = 14.0 + 43 * building
        for shape in sprites.building_shapes(building, seat, 10.5, letter=False):
            shapes += moved(shape, x, 3, 1.0 if count else 0.3)
        shapes.append(Text(x + 14, 5, str(count), 16, "ink" if count else "muted", "left", bold=count > 0))
    return tuple(shapes)


def moved(shape: Shape, x: float, y: float, alpha: float) -> tuple[Shape, ...]:
    """Draw a shape moved by x and y, with this opacity."""
    return placed(Piece("", x, y, (shape,), alpha=alpha))


@cache
def parked_shapes(seat: int, parked: int) -> tuple[Shape, ...]:
    """Draw a frame for each car, with a P for each parked one, and their number."""
    shapes: list[Shape] = []
    for n in range(t.FLEET):
        x = 8.0 + 17.5 * n
        is_taken = n < parked
        fill, stroke = (f"seat {seat}", "path") if is_taken else ("", "muted")
        shapes.append(Polygon(slab(x - 7, -8, x + 7, 8, 3), fill, stroke, 1.2, 1 if is_taken else 0.6))
        if is_taken:
            shapes.append(Text(x, 0.5, "P", 14, f"seat {seat} ink", bold=True))
    return (*shapes, Text(170, 0.5, str(parked), 17, "ink", "right", bold=True))


@cache
def unseen_shapes(left: tuple[int, ...], tiles: int) -> tuple[Shape, ...]:
    """Draw each kind of tile with the number of unrevealed ones."""
    shapes: list[Shape] = [Text(2, 0, "not seen yet", 14, "muted", "left")]
    kinds = [kind for kind in range(t.KINDS) if t.COUNTS[t.KINDS * tiles + kind]]
    for kind in kinds:
        x, y = unseen_at(tiles, kind)
        shapes += sprites.tile_shapes(x, y, 14, t.LANES[kind], t.LANES[kind])
        shapes += (
            Text(x, y, t.KIND_NAMES[kind], 14, "ink", bold=True),
            Text(x, y + 27, str(left[kind]), 15, "ink" if left[kind] else "muted", bold=True),
        )
    return tuple(shapes)


def decider(table: t.CrashCity) -> int:
    """Return the current seat; negative for chance and after the game."""
    bits = rules.actors(table)
    return bits.bit_length() - 1 if bits > 0 else NOWHERE


def heading(table: t.CrashCity) -> str:
    """Return the progress of the game as text; at its end, the winners."""
    if t.is_growing(table):
        return f"Tile {table.laid[0] - t.is_laying(table)} of {t.TURNS * table.players[0]}"
    if table.phase[0] == t.ROLL:
        return "The city is built"
    if rules.actors(table):
        return f"Race, turn {table.turn[0] + 1}"
    return toolkit.who_wins(rules, table)


def asked_words(table: t.CrashCity) -> str:
    """Return the current seat and its decision as text."""
    bits = rules.actors(table)
    if not bits:
        return "The game is over"
    what = ASKED[DECISIONS[table.phase[0]].name].format(t.car_name(table.hit[0]))
    return f"{'Chance' if bits == CHANCE else seat_name(decider(table))}: {what}"
