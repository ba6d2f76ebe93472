"""Crash by Crash as pictures: a table as shapes, and what happens as effects and ways.

A picture is the floor with its 25 tiles, beside it a panel with a block for each side, and below it cards with their
texts: the hand of the seat whose turn it is, and the face-up ones. Pieces are `blue 1` ... `orange magnet` (in the
panel while they are in the stock), `operator`, `bell 1` ... (on the scoring track once they are scored), `pull blue`
(round a magnet), `card A 1` ..., `face up 1` ..., `drawn 1` ..., `pile`; and in the panel `score blue`, `batteries
blue`, `turn`, and one that is called like what is decided, as `the first action`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import cos, pi, radians, sin, sqrt
from textwrap import wrap

from crashlab.boards.hexes import angle
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import table as t
from crashlab.games.crash_by_crash import words as w
from crashlab.happen import HIDDEN, NOTE, NOWHERE, replay
from crashlab.shapes import Circle, Line, Picture, Piece, Point, Polygon, Shape, Text, placed, slab, star, wood

Row = tuple[int, ...]

SIZE = 23.0  # from the middle of a cell to a corner
HALF = SIZE * sqrt(3) / 2  # from the middle of a cell to a side
EDGE, TOP = 31.0, 27.0  # beside and above the floor
WIDTH, HEIGHT = 760.0, 756.0
CENTRES = tuple((EDGE + HALF + x, TOP + SIZE + y) for x, y in t.BOARD.centres(SIZE))
FLOOR_END = EDGE + 26 * HALF, TOP + SIZE * (1.5 * t.ROWS + 0.5)  # right, bottom
UP = 4.0  # so far above the middle of a cell a car stands, so that the dots of its value can be seen

PANEL = (562.0, 10.0, 750.0, FLOOR_END[1] + 5)  # left, top, right, bottom
ROW_LEFT, ROW_RIGHT = PANEL[0] + 12, PANEL[2] - 12
BLOCKS_TOP = 110.0  # of the blocks of the sides
TRACK_Y = 92.0
CARD_WIDE, CARD_HIGH, CARDS_TOP = 116.0, 112.0, FLOOR_END[1] + 26
PILE_Y = CARDS_TOP + CARD_HIGH + 30  # of the pile and the discards
HAND_X, TABLE_X = 14.0, 388.0  # of the cards in hand, and of those that are face up or drawn
LETTERS = 88  # of a line about the pile and the discards
STOCK_Y, HANDS_Y, LINE = 75.0, 90.0, 18.0  # in a block: the stock, the first card; from card to card

TEXTS = (
    "a bell moves to another flower", "swap two cars side by side", "move any car by one cell",
    "an opposing car goes home", "the operator flies to any cell", "they lose a battery, and use none next turn",
    "now the flower stays", "values are now 3, 2, 1, 0", "hit in two directions",
    "the car that is hit flies on", "the last two of the line move", "any free cell, hit or not",
    "your car bounces back",
)  # fmt: skip
COUNTING = (rules.F3, rules.CARD[t.SHADY_EXCEPTION])  # the rules of a note that counts a car in a scoring
THEN = ("", "then a bell", "then a car")  # grey, yellow, blue: what the second action must be
PAINTS = ("nobody", "chit", "seat 5")


# Small geometry


def towards(point: Point, direction: float, length: float) -> Point:
    """The point so far away in a direction of the board."""
    turned = radians(angle(1) * direction)
    return point[0] + length * cos(turned), point[1] - length * sin(turned)


def between(a: Point, b: Point, share: float) -> Point:
    """The point at this share of the way from one to another."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def hexagon(point: Point, size: float) -> tuple[Point, ...]:
    """The six corners of a hex, counter-clockwise from the one between east and north-east."""
    return tuple(towards(point, n + 0.5, size) for n in range(6))


@cache
def outline(cells: frozenset[int]) -> tuple[Point, ...]:
    """The rim of some cells that hang together, in one closed walk."""
    spots: dict[tuple[int, int], Point] = {}
    following: dict[tuple[int, int], tuple[int, int]] = {}
    for cell in sorted(cells):
        corners = hexagon(CENTRES[cell], SIZE)
        for way in range(6):
            if t.AHEAD[6 * cell + way] not in cells:
                start, end = spot(corners[way - 1]), spot(corners[way])
                spots[start] = corners[way - 1]
                following[start] = end
    walk = [min(following)]
    while len(walk) < len(following):
        walk.append(following[walk[-1]])
    return tuple(spots[start] for start in walk)


def spot(corner: Point) -> tuple[int, int]:
    """A corner of a cell in whole numbers, the same for all cells that share it."""
    return round((corner[0] - EDGE) / HALF), round((corner[1] - TOP) / SIZE * 2)


# The floor


@cache
def still(values: tuple[int, ...], gone: tuple[int, ...], players: int) -> tuple[Shape, ...]:
    """What does not move by itself: wood, rail, tiles with their values, holes, and the panel."""
    shapes: list[Shape] = [*wood(WIDTH, HEIGHT), *rail(), *numbers()]
    for tile in range(t.TILES):
        shapes += (
            hole(tile) if gone[tile] else [shape for cell in t.cells_of(tile) for shape in face(cell, values[cell])]
        )
    seams = [
        Polygon(outline(frozenset(t.cells_of(tile))), "", "seam", 2.6) for tile in range(t.TILES) if not gone[tile]
    ]
    return (*shapes, *seams, *panel(players))


def rail() -> tuple[Shape, ...]:
    """The barrier round the floor."""
    walk = outline(frozenset(range(t.CELLS)))
    return Polygon(walk, "rail", "rail edge", 13), Polygon(walk, "", "rail", 10), Polygon(walk, "", "rail light", 5)


def numbers() -> tuple[Shape, ...]:
    """The numbers of the rows, and of the columns of the first row."""
    rows = [CENTRES[t.BOARD.cell[row, row % 2]][1] for row in range(t.ROWS)]
    columns = [CENTRES[column][0] for column in range(13)]
    return (
        *(Text(12, y, str(row), 14, "ink") for row, y in enumerate(rows)),
        *(Text(x, 10, str(column), 14, "ink") for column, x in enumerate(columns)),
    )


@cache
def face(cell: int, value: int) -> tuple[Shape, ...]:
    """A cell with the colour of its value, and as many dots."""
    x, y = CENTRES[cell]
    dots = (Circle(x + 6.4 * (n - (value - 1) / 2), y + 14.8, 2.5, f"value {value} ink") for n in range(value))
    return (Polygon(hexagon((x, y), SIZE), f"value {value}", "value edge", 0.8), *dots)


def hole(tile: int) -> tuple[Shape, ...]:
    """Where a flower was."""
    rim = outline(frozenset(t.cells_of(tile)))
    middle = CENTRES[t.cells_of(tile)[0]]
    deep = [tuple(between(middle, point, share) for point in rim) for share in (0.86, 0.7)]
    return (
        Polygon(rim, "hole", "hole edge", 3.5),
        *(Polygon(points, "hole deep", alpha=0.55) for points in deep),
    )


# The panel


def block_height(players: int) -> float:
    """How high the block of a side is."""
    return HANDS_Y + players // 2 * (3 * LINE + 3) + 2


def block_top(players: int, side: int) -> float:
    """Where the block of a side begins."""
    return BLOCKS_TOP + side * block_height(players)


def stock_place(players: int, car: int) -> Point:
    """Where a car is in its owner's stock."""
    side, number = divmod(car, t.FLEET)
    aside = 151.0 if number == t.STANDARD else 5 + 13.6 * number
    return ROW_LEFT + aside, block_top(players, side) + STOCK_Y


def score_place(players: int, side: int) -> Point:
    """Where the score of a side stands."""
    return ROW_RIGHT, block_top(players, side) + 24


def slip_place(players: int, seat: int, number: int) -> Point:
    """Where a card in a hand is shown in the panel."""
    top = block_top(players, seat & 1) + HANDS_Y + seat // 2 * (3 * LINE + 3)
    return ROW_LEFT + 30, top + LINE * (number + 0.5)


def badge_place(players: int, seat: int) -> Point:
    """Where the letter of a seat stands, beside its hand."""
    x, y = slip_place(players, seat, 0)
    return x - 17, y + 3


def panel(players: int) -> tuple[Shape, ...]:
    """The panel: the scoring track, and for each side a line and its name; below, names for the cards."""
    shapes: list[Shape] = [Polygon(slab(*PANEL, 12), "panel", "panel edge", 2)]
    shapes += [Circle(*track_place(n), 10.5, "wood", "panel edge", 1.5, 0.8) for n in range(rules.LAST)]
    for side in range(2):
        top = block_top(players, side)
        shapes += (
            Line(((ROW_LEFT, top), (ROW_RIGHT, top)), "panel edge", 1.4),
            *badge(side, ROW_LEFT + 16, top + 24, 1.0),
            Text(ROW_LEFT + 40, top + 24, w.SIDES[side], 17, "ink", "left", bold=True),
        )
        for seat in range(side, players, 2):
            x, y = badge_place(players, seat)
            shapes += [
                Circle(x, y, 9.5, f"seat {side}"),
                Text(x, y, w.SEATS[seat], 14, f"seat {side} ink", bold=True),
            ]
    return (*shapes, *values())


def values() -> tuple[Shape, ...]:
    """What the colours and dots of cells are worth."""
    shapes: list[Shape] = []
    y = PANEL[3] - 20
    for value in range(4):
        x = ROW_LEFT + 12 + 44 * value
        dots = (Circle(x + 5 * (n - (value - 1) / 2), y + 6, 1.9, f"value {value} ink") for n in range(value))
        shapes += [Polygon(hexagon((x, y), 13), f"value {value}", "seam", 1.2), *dots]
        shapes.append(Text(x + 16, y, str(value), 14, "ink", "left"))
    return tuple(shapes)


def track_place(number: int) -> Point:
    """A place on the scoring track."""
    return ROW_LEFT + 10 + 24 * number, TRACK_Y


@cache
def badge(side: int, x: float, y: float, scale: float) -> tuple[Shape, ...]:
    """The sign of a side: round for blue, square for orange."""
    half = 14 * scale
    if side == 0:
        return (Circle(x, y, half + 1, "rubber"), Circle(x, y, half - 1, "seat 0", "number", 1.6 * scale))
    return (
        Polygon(slab(x - half, y - half, x + half, y + half, 5 * scale), "rubber"),
        Polygon(slab(x - half + 2, y - half + 2, x + half - 2, y + half - 2, 4 * scale), "seat 1", "number", 1.6),
    )


# Cars, the operator, bells


def car_name(car: int) -> str:
    """The key of a car."""
    side, number = divmod(car, t.FLEET)
    return f"{w.SIDES[side]} {'magnet' if number == t.STANDARD else number + 1}"


@cache
def car_shapes(side: int, is_magnet: bool) -> tuple[Shape, ...]:
    """A bumper car with the letter of its side; a magnetic one under a horseshoe."""
    letter = Text(0, 0.5, w.SEATS[side], 17 if not is_magnet else 15, f"seat {side} ink", bold=True)
    if not is_magnet:
        lamps = (Circle(-5, -9.6, 1.8, "lamp"), Circle(5, -9.6, 1.8, "lamp"))
        return (*badge(side, 0, 0, 1.02), *lamps, letter)
    return (*horseshoe(), *badge(side, 0, 1, 0.8), letter)


def horseshoe() -> tuple[Shape, ...]:
    """A magnet with its ends down."""
    arch = tuple((15 * cos(n * pi / 10), -2 - 14.5 * sin(n * pi / 10)) for n in range(11))
    ends = [(x, y) for x in (-15.0, 15.0) for y in (5.0,)]
    return (
        Line(((15, 9), *arch, (-15, 9)), "rubber", 8.5),
        Line(((15, 7), *arch, (-15, 7)), "magnet", 6),
        *(Polygon(((x - 3, y), (x + 3, y), (x + 3, y + 6), (x - 3, y + 6)), "number") for x, y in ends),
    )


def car_piece(table: t.CrashByCrash, car: int) -> Piece:
    """A car on the floor, or small in its owner's stock."""
    cell = table.cell[car]
    is_magnet = rules.is_magnet(car)
    shapes = car_shapes(car // t.FLEET, is_magnet)
    name = f"{w.SIDES[car // t.FLEET]} {'magnetic car' if is_magnet else 'car'}"
    if cell == NOWHERE:
        x, y = stock_place(table.players[0], car)
        return Piece(car_name(car), x, y, shapes, scale=0.55 if is_magnet else 0.41, label=f"{name} in the stock")
    x, y = CENTRES[cell]
    label = f"{name} on {w.place_words(cell)}, value {table.value[cell]}"
    return Piece(car_name(car), x, y - UP, shapes, label=label)


def pull_piece(table: t.CrashByCrash, side: int) -> Piece:
    """CB-M1: round a magnet, on each cell between it and a cell from which it pulls, an arrow."""
    cell = table.cell[t.FLEET * side + t.STANDARD]
    ways = tuple(way for way in range(6) if has_floor(table, t.AHEAD[6 * t.AHEAD[6 * cell + way] + way]))
    words = f"the magnetic car on {w.place_words(cell)} pulls from six cells"
    return Piece(f"pull {w.SIDES[side]}", *CENTRES[cell], pull_shapes(ways, f"seat {side}"), label=words)


def has_floor(table: t.CrashByCrash, cell: int) -> bool:
    """Whether there is floor on a cell."""
    return cell != t.OUTSIDE and not table.gone[t.TILE[cell]]


@cache
def pull_shapes(ways: tuple[int, ...], paint: str) -> tuple[Shape, ...]:
    """Arrows towards the middle, from both ends of a pull."""
    shapes: list[Shape] = []
    for way in ways:
        for far in (1.45 * HALF, 2.0 * HALF):
            tip = towards((0, 0), way, far)
            wings = [towards(tip, way + turn, 7) for turn in (0.75, -0.75)]
            points = (wings[0], tip, wings[1])
            shapes += [Line(points, "path edge", 4.5, alpha=0.8), Line(points, paint, 2.6)]
    return tuple(shapes)


@cache
def operator_shapes() -> tuple[Shape, ...]:
    """A grumpy man with a cap and a moustache."""
    return (
        Polygon(((-17, 18), (-11, 8), (11, 8), (17, 18)), "purple", "rubber", 2),
        Circle(0, 0, 11.5, "skin", "rubber", 1.8),
        Polygon(((-12, -6), (-10, -15), (10, -15), (12, -6)), "purple", "rubber", 1.5),
        Line(((-13, -6), (13, -6)), "rubber", 3.2),
        Circle(0, -10.5, 2.3, "lamp"),
        Line(((-7.5, -3.6), (-1.8, -0.8)), "rubber", 2.2),
        Line(((7.5, -3.6), (1.8, -0.8)), "rubber", 2.2),
        Circle(-4.2, 0.8, 1.3, "rubber"),
        Circle(4.2, 0.8, 1.3, "rubber"),
        Line(((-6.5, 6), (0, 3.8), (6.5, 6)), "rubber", 3.4),
    )


def operator_piece(table: t.CrashByCrash) -> Piece:
    """The operator where he is."""
    cell = table.cell[t.OPERATOR]
    where = (
        f"in the hole round {w.place_words(cell)}" if table.gone[t.TILE[cell]] else f"on {w.place_words(cell)}"
    )
    x, y = CENTRES[cell]
    return Piece("operator", x, y - 1, operator_shapes(), label=f"the operator {where}")


@cache
def bell_shapes(rings: bool) -> tuple[Shape, ...]:
    """A bell; with sound round it while it rings."""
    side = [(3, -13), (6, -10), (8, -5), (9, 2), (10, 5), (13, 8)]
    waves = tuple(
        Line(tuple((sign * r * cos(n * pi / 10), -r * sin(n * pi / 10) - 2) for n in range(-2, 4)), "flash edge", 2.5)
        for r in (17, 22)
        for sign in (-1, 1)
    )
    return (
        *(waves if rings else ()),
        Circle(0, 9.5, 3.6, "chit edge"),
        Polygon((*side, *((-x, y) for x, y in reversed(side))), "chit", "chit edge", 2),
        Line(((-8.5, 4.5), (8.5, 4.5)), "chit edge", 1.6),
        Line(((-3.5, -8), (-4.5, 0)), "lamp", 2),
        Circle(0, -13.5, 2.4, "chit", "chit edge", 1.6),
    )


def bell_piece(table: t.CrashByCrash, bell: int) -> Piece:
    """A bell on the floor, ringing above the car that is on it, or on the scoring track."""
    place = table.cell[bell]
    key = f"bell {bell - t.BELL + 1}"
    if place == NOWHERE:
        number = table.cell[t.BELL : bell].count(NOWHERE)
        x, y = track_place(min(number, rules.LAST - 1))
        return Piece(key, x, y, bell_shapes(False), scale=0.62, label="a bell that was scored")
    x, y = CENTRES[place % t.RINGING]
    where = w.place_words(place % t.RINGING)
    if place >= t.RINGING:
        return Piece(key, x, y - 17, bell_shapes(True), scale=0.8, label=f"the bell on {where} rings")
    if place == table.cell[t.OPERATOR]:
        return Piece(key, x + 13, y - 12, bell_shapes(False), scale=0.6, label=f"a bell under the operator on {where}")
    return Piece(key, x, y - 2, bell_shapes(False), scale=0.92, label=f"a bell on {where}")


# Cards


def paint_of(card: int) -> int:
    """Grey, yellow or blue: 0, 1 or 2."""
    return 2 if rules.is_blue(card) else 1 if rules.is_yellow(card) else 0


@cache
def card_shapes(card: int) -> tuple[Shape, ...]:
    """A card with its title and text, round its middle; its back if it is hidden."""
    wide, high = CARD_WIDE / 2, CARD_HIGH / 2
    paper = Polygon(slab(-wide, -high, wide, high, 8), "ticket", "ticket edge", 2)
    if card < 0:
        return paper, *back(wide - 7, high - 7)
    paint = PAINTS[paint_of(card)]
    title = wrap(w.TITLES[card], 12)
    words = wrap(TEXTS[card], 14)
    shapes: list[Shape] = [paper, Polygon(slab(-wide + 4, -high + 4, wide - 4, -high + 7 + 17 * len(title), 5), paint)]
    y = -high + 14.0
    for line in title:
        shapes.append(Text(0, y, line, 14, f"{paint} ink", bold=True))
        y += 17
    y += 5
    for line in words:
        shapes.append(Text(0, y, line, 14, "ticket ink"))
        y += 16
    if THEN[paint_of(card)]:
        shapes.append(Text(0, high - 12, THEN[paint_of(card)], 14, "ticket ink", bold=True))
    return tuple(shapes)


def back(wide: float, high: float) -> tuple[Shape, ...]:
    """The back of a card."""
    return (
        Polygon(slab(-wide, -high, wide, high, 5), "rail"),
        Polygon(star(0, 0, min(wide, high) * 0.75, min(wide, high) * 0.4, 8), "rail light"),
    )


@cache
def slip_shapes(card: int) -> tuple[Shape, ...]:
    """A card in the panel: its word, or its back."""
    if card < 0:
        left = Polygon(slab(0, -8, 134, 8, 4), "rail", "rail edge", 1)
        return left, *(Polygon(star(x, 0, 5, 2.5, 8), "rail light") for x in (30, 70, 110))
    paint = PAINTS[paint_of(card)]
    return (
        Polygon(slab(0, -8.5, 134, 8.5, 4), "ticket", "ticket edge", 1),
        Polygon(slab(0, -8.5, 12, 8.5, 4), paint, "ticket edge", 1),
        Text(18, 0, w.CARD_WORDS[card], 14, "ticket ink", "left"),
    )


def hand(table: t.CrashByCrash, seat: int) -> list[int]:
    """The cards in a hand; HIDDEN ones where they are not known."""
    counts = table.hand[t.KINDS * seat : t.KINDS * (seat + 1)]
    return [HIDDEN] * table.held[seat] if HIDDEN in counts else w.cards_of(counts)


def card_place(left: float, number: int) -> Point:
    """The middle of a card below the floor."""
    return left + CARD_WIDE / 2 + number * (CARD_WIDE + 5), CARDS_TOP + CARD_HIGH / 2


def hand_place(table: t.CrashByCrash, seat: int, number: int) -> tuple[float, float, bool]:
    """Where a card in hand is, and whether it is there with its text: that of the seat whose turn it is."""
    if seat == table.asked[0]:
        return *card_place(HAND_X, number), True
    return *slip_place(table.players[0], seat, number), False


def card_words(card: int) -> str:
    """A card in words."""
    if card < 0:
        return "a hidden card"
    then = THEN[paint_of(card)]
    return f"{w.TITLES[card]}: {TEXTS[card]}{', ' if then else ''}{then}"


def card_pieces(table: t.CrashByCrash) -> list[Piece]:
    """All cards that lie face up, that are drawn, or that somebody holds."""
    pieces = []
    for name, cards in (("face up", table.display), ("drawn", table.drawn)):
        for number, card in enumerate(cards):
            if card != NOWHERE:
                x, y = card_place(TABLE_X, number)
                pieces.append(
                    Piece(f"{name} {number + 1}", x, y, card_shapes(card), label=f"{name}: {card_words(card)}")
                )
    for seat in range(table.players[0]):
        for number, card in enumerate(hand(table, seat)):
            x, y, is_open = hand_place(table, seat, number)
            shapes = card_shapes(card) if is_open else slip_shapes(card)
            label = f"in the hand of {w.SEATS[seat]}: {card_words(card)}"
            pieces.append(Piece(f"card {w.SEATS[seat]} {number + 1}", x, y, shapes, label=label))
    return [*pieces, pile_piece(table)]


def discard_words(table: t.CrashByCrash) -> str:
    """The discards in words."""
    lying = [
        f"{w.CARD_WORDS[card]}{f' {number}' if number > 1 else ''}"
        for card, number in enumerate(table.discards)
        if number
    ]
    return f"discards {sum(table.discards)}: {', '.join(lying)}" if lying else "no discards"


def pile_piece(table: t.CrashByCrash) -> Piece:
    """The names of the rows of cards; how many are in the pile, and which ones are discarded."""
    y = PILE_Y
    right = "drawn" if table.players[0] == 4 else "face up"
    words = f"pile {rules.pile_size(table)}, {discard_words(table)}"
    lines = wrap(words, LETTERS)
    shapes = (
        Text(HAND_X, CARDS_TOP - 11, f"hand of {w.SEATS[table.asked[0]]}", 14, "ink", "left", bold=True),
        Text(TABLE_X, CARDS_TOP - 11, right, 14, "ink", "left", bold=True),
        *(Text(HAND_X, y + 17 * n, line, 14, "ink", "left") for n, line in enumerate(lines)),
    )
    return Piece("pile", 0, 0, shapes, label=words)


# The panel's pieces


def asked_words(table: t.CrashByCrash) -> str:
    """What is decided now; also the key of its piece."""
    phase = table.phase[0]
    if phase == t.ACTION:
        return "the second action" if table.acted[0] else "the first action"
    return (
        "a car to begin with", "", "a card to draw", "a card to give away", "a card of the pile", "a card to turn up",
        "the end",
    )[phase]  # fmt: skip


def heading(table: t.CrashByCrash) -> str:
    """Turn 8 of 300; when the game is over, who wins."""
    if table.phase[0] == t.OVER:
        bits = rules.winners(table)
        best = [w.SEATS[seat] for seat in range(table.players[0]) if bits >> seat & 1]
        if len(best) == table.players[0]:
            return "A draw"
        return f"{best[0]} wins" if len(best) == 1 else f"{best[0]} and {best[1]} win"
    if table.phase[0] == t.SET_UP:
        return "Set-up"
    return f"Turn {table.turn[0]}"


def seat_paint(table: t.CrashByCrash, seat: int) -> str:
    """The colour of a seat: that of its side."""
    return f"seat {seat & 1}"


@cache
def score_shapes(score: int) -> tuple[Shape, ...]:
    """A score."""
    return (Text(0, 0, str(score), 28, "ink", "right", bold=True),)


@cache
def battery_shapes(count: int, is_banned: bool) -> tuple[Shape, ...]:
    """Four batteries, the spent ones empty; crossed out while they may not be used."""
    shapes: list[Shape] = []
    for n in range(4):
        x = 27.0 * n
        paint = "gain" if n < count else ""
        shapes += [
            Polygon(slab(x, -6.5, x + 19, 6.5, 3), paint, "ink" if n < count else "muted", 1.6),
            Polygon(slab(x + 20, -3, x + 22.5, 3, 1), "ink" if n < count else "muted"),
        ]
        if n < count:
            shapes.append(Line(((x + 12, -4), (x + 7, 1), (x + 12, 0), (x + 7, 4.5)), "panel", 1.8))
    if is_banned:
        shapes += [Line(((-4, 0), (106, 0)), "loss", 3.5), Text(112, 0, "banned", 14, "loss", "left", bold=True)]
    return tuple(shapes)


def side_pieces(table: t.CrashByCrash, side: int) -> list[Piece]:
    """The score and the batteries of a side."""
    players = table.players[0]
    name = w.SIDES[side]
    x, y = score_place(players, side)
    count = table.batteries[side]
    is_banned = bool(table.banned[side])
    words = f"{name}: {count} batteries{', which it may not use in its next turn' if is_banned else ''}"
    top = block_top(players, side) + 54
    return [
        Piece(f"score {name}", x, y, score_shapes(table.score[side]), label=f"{name}: {table.score[side]} points"),
        Piece(f"batteries {name}", ROW_LEFT + 2, top, battery_shapes(count, is_banned), label=words),
    ]


@cache
def turn_shapes(words: str, turn: int, asked: str) -> tuple[Shape, ...]:
    """The heading; a star, lit when a bell may ring, and lamps that count the turns up to that; what is decided."""
    is_early = turn < rules.EARLIEST
    lamps: list[Shape] = [Polygon(star(ROW_RIGHT - 6, 0, 9, 4.2, 5), "" if is_early else "chit", "chit edge", 1.4)]
    for n in range(1, rules.EARLIEST) if is_early else ():
        x = ROW_RIGHT - 13.5 * (rules.EARLIEST - n) - 6
        lamps.append(Circle(x, 0, 4.2, "chit" if turn >= n else "", "chit edge", 1.4))
    return (
        Text(ROW_LEFT, 0, words, 20, "ink", "left", bold=True),
        *lamps,
        Text(ROW_LEFT, 31, asked, 14, "ink", "left"),
    )


def turn_piece(table: t.CrashByCrash) -> Piece:
    """The turn, and how far it is to the first scoring."""
    words = heading(table)
    asked = asked_words(table)
    if table.phase[0] != t.OVER:
        asked = f"{w.SEATS[table.asked[0]]}: {asked}"
    ring = "" if table.turn[0] >= rules.EARLIEST else ", bells may ring from turn 6"
    label = f"{words}{ring}; {table.scorings[0]} of {rules.LAST} scorings"
    return Piece("turn", 0, 32, turn_shapes(words, table.turn[0], asked), label=label)


@cache
def mark_shapes(side: int, letter: str) -> tuple[Shape, ...]:
    """The letter of the seat whose turn it is, in a ring of light."""
    return (
        Circle(0, 0, 12.5, f"seat {side}", "flash edge", 5),
        Circle(0, 0, 12.5, f"seat {side}", "flash", 3),
        Text(0, 0, letter, 15, f"seat {side} ink", bold=True),
    )


def mark_piece(table: t.CrashByCrash) -> Piece:
    """What is decided, at the seat that decides."""
    seat = table.asked[0]
    x, y = badge_place(table.players[0], seat)
    words = asked_words(table)
    label = f"{words} of turn {table.turn[0]}" if table.phase[0] == t.ACTION else words
    return Piece(words, x, y, mark_shapes(seat & 1, w.SEATS[seat]), label=label)


def picture(table: t.CrashByCrash) -> Picture:
    """The table as shapes."""
    here = [car for car in range(t.CARS) if table.cell[car] != NOWHERE]
    pieces = [turn_piece(table)]
    if table.phase[0] != t.OVER:
        pieces.append(mark_piece(table))
    for side in range(2):
        pieces += side_pieces(table, side)
    pieces += card_pieces(table)
    pieces += [pull_piece(table, car // t.FLEET) for car in here if rules.is_magnet(car)]
    bells = range(t.BELL, t.BELL + t.BELLS)
    pieces += [bell_piece(table, bell) for bell in bells if table.cell[bell] < t.RINGING]
    pieces += [car_piece(table, car) for car in range(t.CARS)]
    pieces.append(operator_piece(table))
    pieces += [bell_piece(table, bell) for bell in bells if table.cell[bell] >= t.RINGING]
    board = still(tuple(table.value), tuple(table.gone), table.players[0])
    return Picture(WIDTH, HEIGHT, board, tuple(pieces), caption(table))


# Words


def caption(table: t.CrashByCrash) -> str:
    """The picture in words."""
    who = "" if table.phase[0] == t.OVER else f" {w.SEATS[table.asked[0]]} decides about {asked_words(table)}."
    sentences = [
        f"{heading(table)}, {w.PHASES[table.phase[0]]}.{who} {table.scorings[0]} of {rules.LAST} scorings are done."
    ]
    for side in range(2):
        sentences.append(f"{side_words(table, side)}.")
    where = operator_piece(table).label
    bells = [w.place_words(cell % t.RINGING) for cell in table.cell[t.BELL :] if cell != NOWHERE]
    holes = [w.place_words(t.cells_of(tile)[0]) for tile in range(t.TILES) if table.gone[tile]]
    sentences += [f"{where[0].upper()}{where[1:]}.", f"Bells: {', '.join(bells) or 'none'}."]
    sentences.append(f"Holes: {', '.join(holes) or 'none'}.")
    for seat in range(table.players[0]):
        cards = [w.TITLES[card] if card >= 0 else "hidden" for card in hand(table, seat)]
        sentences.append(f"Hand of {w.SEATS[seat]}: {', '.join(cards) or 'empty'}.")
    face_up = [w.TITLES[card] for card in table.display if card != NOWHERE]
    if face_up:
        sentences.append(f"Face up: {', '.join(face_up)}.")
    return " ".join([*sentences, f"Cards: pile {rules.pile_size(table)}, {discard_words(table)}."])


def side_words(table: t.CrashByCrash, side: int) -> str:
    """A side with all that it has."""
    *cars, magnet = table.cell[t.FLEET * side : t.FLEET * (side + 1)]
    places = [f"{w.place_words(cell)} value {table.value[cell]}" for cell in cars if cell != NOWHERE]
    magnetic = f", magnetic car on {w.place_words(magnet)} value {table.value[magnet]}" if magnet != NOWHERE else ""
    banned = ", which may not be used" if table.banned[side] else ""
    name = w.SIDES[side]
    return (
        f"{name[0].upper()}{name[1:]}: {table.score[side]} points, {table.batteries[side]} batteries{banned}, cars on "
        f"{', '.join(places) or 'no cell'}{magnetic}, {cars.count(NOWHERE)} in the stock"
    )


# What happens: effects of one beat, and ways for a still summary


def effects(table: t.CrashByCrash, rows: Sequence[Row], told: Sequence[Row] = ()) -> tuple[tuple[Piece, Piece], ...]:
    """The passing pieces of one beat, each at its beginning and at its end; `table` is the table before the beat."""
    passing: dict[str, tuple[Piece, Piece]] = {}
    moment = table.copy()
    for row in rows:
        for pair in passing_of(moment, row):
            passing[pair[0].key] = pair
        replay(moment, [row])
    return tuple(passing.values())


def passing_of(table: t.CrashByCrash, row: Row) -> list[tuple[Piece, Piece]]:
    """What is to be seen of one event."""
    _, rule, _, field, index, before, after, last = row
    if field == NOTE:
        return passing_note(table, rule, index, before, after, last)
    if field == rules.PLACES:
        return passing_move(table, rule, index, before, after)
    if field == rules.SCORE:
        return [gain(table, index, after - before)]
    if field == rules.GONE:
        return [sinking(table, index)]
    if field == rules.BATTERIES:
        x, y = ROW_LEFT + 30, block_top(table.players[0], index) + 54
        return [rise(f"battery {w.SIDES[index]}", (x, y), disc_shapes(f"{after - before:+d}"), "a battery is used")]
    if field == rules.HANDS and after < before:
        return [shown_card(table, index // t.KINDS, index % t.KINDS)]
    return []


def passing_note(table: t.CrashByCrash, rule: int, a: int, b: int, c: int, d: int) -> list[tuple[Piece, Piece]]:
    """What is to be seen of a note: a hit, the operator in the way, a car that is counted."""
    if rule == rules.P3:
        return [burst(f"hit {a}", between(CENTRES[a], CENTRES[b], 0.5), "a car hits another one")]
    if rule == rules.P4:
        return [burst(f"stop {a}", between(CENTRES[a], CENTRES[b], 0.5), "the operator stops a car")]
    if rule in COUNTING:
        return counted(table, a, b, c, d)
    return []


def counted(table: t.CrashByCrash, car: int, cell: int, value: int, total: int) -> list[tuple[Piece, Piece]]:
    """CB-E1: a car brings the value of its cell, and the sum grows below the score."""
    side = car // t.FLEET
    x, y = CENTRES[cell]
    words = f"{car_piece(table, car).label} brings {value}, in all {total}"
    rim = Polygon(hexagon((0, 0), SIZE), "", "flash edge", 6), Polygon(hexagon((0, 0), SIZE), "", "flash", 3.5)
    frame = Piece(f"count {side}", x, y, rim, label=words)
    number = rise(f"value {side}", (x, y - 6), disc_shapes(str(value)), words)
    total_piece = sum_piece(table, side, total, words)
    return [(frame, frame), number, (total_piece, total_piece)]


def passing_move(table: t.CrashByCrash, rule: int, piece: int, before: int, after: int) -> list[tuple[Piece, Piece]]:
    """What is to be seen of a piece that moves, beside its moving: a bell that rings, a car that falls, a pull."""
    if piece >= t.BELL:
        return [burst(f"ring {piece}", CENTRES[after % t.RINGING], "a bell rings")] if after >= t.RINGING else []
    if piece < t.CARS and after == NOWHERE and rule in (rules.P5, rules.O2):
        return [burst(f"fall {piece}", CENTRES[before], f"{w.SIDES[piece // t.FLEET]} loses a car")]
    if piece < t.CARS and before == NOWHERE:
        return [ring_out(f"placed {piece}", CENTRES[after])]
    if rule == rules.M3 and after != NOWHERE:
        return [force(f"force {piece}", CENTRES[before], CENTRES[after])]
    return []


def burst(key: str, place: Point, label: str) -> tuple[Piece, Piece]:
    """A star where two meet, or a bell rings."""
    shapes = (Polygon(star(0, 0, 24, 14, 12), "flash", "flash edge", 2.5),)
    start = Piece(key, *place, shapes, scale=0.5, label=label)
    return start, Piece(key, *place, shapes, scale=1.3, alpha=0.0, label=label)


def ring_out(key: str, place: Point) -> tuple[Piece, Piece]:
    """A ring that closes round a car that is placed."""
    shapes = Circle(0, 0, 19, "", "flash edge", 6), Circle(0, 0, 19, "", "flash", 3.5)
    words = "a car is placed"
    return Piece(key, *place, shapes, scale=1.9, alpha=0.6, label=words), Piece(key, *place, shapes, label=words)


def force(key: str, start: Point, end: Point) -> tuple[Piece, Piece]:
    """CB-M3: a line of force, along which a car is pulled."""
    across, down = 2 * (end[0] - start[0]), 2 * (end[1] - start[1])
    points = tuple(
        (n / 12 * across - 0.09 * down * sin(n * pi / 2), n / 12 * down + 0.09 * across * sin(n * pi / 2))
        for n in range(13)
    )
    shapes = Line(points, "path edge", 6), Line(points, "magnet", 3.4)
    line = Piece(key, *start, shapes, label="a magnet pulls")
    return line, Piece(key, *start, shapes, alpha=0.0, label="a magnet pulls")


def rise(key: str, place: Point, shapes: tuple[Shape, ...], label: str) -> tuple[Piece, Piece]:
    """Something that rises and fades."""
    x, y = place
    return Piece(key, x, y, shapes, label=label), Piece(key, x, y - 24, shapes, scale=1.2, alpha=0.0, label=label)


@cache
def disc_shapes(words: str) -> tuple[Shape, ...]:
    """A disc with a number on it."""
    return Circle(0, 0, 14, "flash", "flash edge", 2), Text(0, 0, words, 16, "flash ink", bold=True)


def gain(table: t.CrashByCrash, side: int, amount: int) -> tuple[Piece, Piece]:
    """What a side gains or pays, rising from its score."""
    x, y = score_place(table.players[0], side)
    words = f"{amount:+d}"
    shapes = (Text(0, 0, words, 24, "gain" if amount > 0 else "loss", bold=True),)
    return rise(f"points {side}", (x - 52, y), shapes, f"{w.SIDES[side]}: {words} points")


def sinking(table: t.CrashByCrash, tile: int) -> tuple[Piece, Piece]:
    """CB-E1: a flower that leaves the game."""
    x, y = CENTRES[t.cells_of(tile)[0]]
    cells = t.cells_of(tile)
    shapes = tuple(
        Polygon(hexagon((CENTRES[cell][0] - x, CENTRES[cell][1] - y), SIZE), f"value {table.value[cell]}", "seam", 1.2)
        for cell in cells
    )
    words = "a flower leaves the game"
    return Piece(f"sink {tile}", x, y, shapes, label=words), Piece(f"sink {tile}", x, y, shapes, 40, 0.3, 0.0, words)


def shown_card(table: t.CrashByCrash, seat: int, card: int) -> tuple[Piece, Piece]:
    """A card that is played or given away, shown to all."""
    held = hand(table, seat)
    x, y, _ = hand_place(table, seat, held.index(card) if card in held else 0)
    middle = EDGE + 13 * HALF, FLOOR_END[1] - 120
    key = f"shown {seat} {card}"
    words = f"{w.SEATS[seat]} plays or discards {w.TITLES[card]}"
    return Piece(key, x, y, card_shapes(card), label=words), Piece(key, *middle, card_shapes(card), 0, 1.25, 0.5, words)


def paths(table: t.CrashByCrash, rows: Sequence[Row]) -> tuple[Shape, ...]:
    """The ways that cars and the operator go in these rows, from this table on: a ring where each begins, a star where
    a car is lost, a bell rings or the operator stops a car; what was counted in a scoring. A car falls the way that
    it was pushed.
    """
    moment = table.copy()
    walks: dict[int, list[Point]] = {}
    stars: list[Shape] = []
    sums: dict[int, int] = {}
    came: dict[int, int] = {}  # from where a piece has come to where it is; NOWHERE: it was placed
    for row in rows:
        _, rule, _, field, index, before, after, last = row
        if field == NOTE and rule in COUNTING:
            stars += lit(before)
            sums[index // t.FLEET] = last
        elif field == NOTE and rule == rules.O1:
            came[t.OPERATOR] = NOWHERE  # he sets out
        elif field == NOTE and rule == rules.P4:
            stars.append(bang(between(CENTRES[index], CENTRES[before], 0.5)))
        elif field == rules.PLACES and index >= t.BELL:
            stars += [bang(CENTRES[after % t.RINGING])] if after >= t.RINGING else []
        elif field == rules.PLACES and before != NOWHERE and after != NOWHERE:
            walks.setdefault(index, [CENTRES[before]]).append(CENTRES[after])
        elif field == rules.PLACES and after == NOWHERE and rule != rules.E1:
            stars.append(bang(CENTRES[before]))
            if (way := fall(moment, row, came)) != NOWHERE:
                walks.setdefault(index, [CENTRES[before]]).append(towards(CENTRES[before], way, 1.7 * HALF))
        if field == rules.PLACES:
            came[index] = before
        replay(moment, [row])
    ways = [(piece_paint(piece), walk) for piece, walk in walks.items() if len(walk) > 1 and walk[0] != walk[1]]
    lines = [shape for paint, walk in ways for shape in way_shapes(walk, paint)]
    rings = [Circle(*walk[0], 5, "number", paint, 3) for paint, walk in ways]
    totals = [shape for side, total in sums.items() for shape in placed(sum_piece(table, side, total, ""))]
    return (*lines, *rings, *stars, *totals)


def fall(table: t.CrashByCrash, row: Row, came: Mapping[int, int]) -> int:
    """The direction in which a car falls: on as it came, or away from what came to its line; NOWHERE if neither is."""
    _, rule, _, _, car, cell, _, _ = row
    if rule not in (rules.P5, rules.O2):
        return NOWHERE
    off = [way for way in range(6) if not has_floor(table, t.AHEAD[6 * cell + way])]
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
    """CB-O3: whether the operator is on a cell, or in the hole that it belongs to."""
    place = table.cell[t.OPERATOR]
    return cell == place or (cell != t.OUTSIDE and bool(table.gone[t.TILE[cell]]) and t.TILE[cell] == t.TILE[place])


def lit(cell: int) -> tuple[Shape, ...]:
    """A cell that is counted."""
    rim = hexagon(CENTRES[cell], SIZE - 1)
    return Polygon(rim, "", "flash edge", 6), Polygon(rim, "", "flash", 3.5)


def sum_piece(table: t.CrashByCrash, side: int, total: int, words: str) -> Piece:
    """What a side has been given in a scoring so far, below its score."""
    x, y = score_place(table.players[0], side)
    return Piece(f"sum {side}", x - 14, y + 29, disc_shapes(f"+{total}"), label=words)


def piece_paint(piece: int) -> str:
    """The colour of a car, or of the operator."""
    return "purple" if piece == t.OPERATOR else f"seat {piece // t.FLEET}"


def bang(place: Point) -> Shape:
    """A small star."""
    return Polygon(star(*place, 14, 6.5, 8), "flash", "flash edge", 1.5)


def way_shapes(walk: Iterable[Point], paint: str) -> tuple[Shape, ...]:
    """A way that was gone, with an arrow."""
    points = tuple(walk)
    return Line(points, "path edge", 8, alpha=0.75), Line(points, paint, 4, arrow=True)
