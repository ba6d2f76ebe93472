"""The pieces of Crash by Crash as shapes, and the marks of choices on the board."""

from collections.abc import Callable, Iterator
from functools import cache
from math import cos, pi, sin
from textwrap import wrap

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Line, Piece, Point, Polygon, Shape, Text, placed, rectangle, slab, star
from crashlab.engine.notation import counted
from crashlab.engine.table import HIDDEN, NOWHERE
from crashlab.games import toolkit
from crashlab.games.boards import hexes
from crashlab.games.crash_by_crash import notation as w
from crashlab.games.crash_by_crash import rules
from crashlab.games.crash_by_crash import state as t
from crashlab.games.crash_by_crash.positions import Tile
from crashlab.games.crash_by_crash.render import layout

# Cards


CARD_WIDE, CARD_HIGH, CARDS_TOP = 116.0, 112.0, layout.FLOOR_END[1] + 26
BELOW = 14.5  # distance of a label's middle from the card above it
PILE_Y = CARDS_TOP + CARD_HIGH + 36  # middle of the first line of the text about the pile and the discards
HAND_X, TABLE_X = 14.0, 388.0  # left edges: the hand; the face-up or drawn cards
LETTERS = 88  # longest line of the text about the pile and the discards

TEXTS = (
    "a bell moves to another flower",
    "swap two cars side by side",
    "move any car by one cell",
    "an opposing car goes home",
    "the operator flies to any cell",
    "they lose a battery, and use none next turn",
    "now the flower stays",
    "values are now 3, 2, 1, 0",
    "hit in two directions",
    "the car that is hit flies on",
    "the last two of the line move",
    "any free cell, hit or not",
    "your car bounces back",
)
THEN = ("", "then a bell", "then a car")  # by colour (grey, yellow, blue): the second action that must follow
PAINTS = ("nobody", "chit", "seat 5")


@cache
def card_shapes(card: int) -> tuple[Shape, ...]:
    """Draw a centred card with its title and text, or the back of a hidden card."""
    wide, high = CARD_WIDE / 2, CARD_HIGH / 2
    paper = Polygon(slab(-wide, -high, wide, high, 8), "ticket", "ticket edge", 2)
    if card < 0:
        return paper, *back(wide - 7, high - 7)
    paint = PAINTS[w.colour_of(card)]
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
    if THEN[w.colour_of(card)]:
        shapes.append(Text(0, high - 12, THEN[w.colour_of(card)], 14, "ticket ink", bold=True))
    return tuple(shapes)


def back(wide: float, high: float) -> tuple[Shape, ...]:
    """Draw the back of a card."""
    return (
        Polygon(slab(-wide, -high, wide, high, 5), "rail"),
        Polygon(star(0, 0, min(wide, high) * 0.75, min(wide, high) * 0.4, 8), "rail light"),
    )


@cache
def slip_shapes(card: int) -> tuple[Shape, ...]:
    """Draw a card in the panel: its word, or its back."""
    if card < 0:
        left = Polygon(slab(0, -8, 134, 8, 4), "rail", "rail edge", 1)
        return left, *(Polygon(star(x, 0, 5, 2.5, 8), "rail light") for x in (30, 70, 110))
    paint = PAINTS[w.colour_of(card)]
    return (
        Polygon(slab(0, -8.5, 134, 8.5, 4), "ticket", "ticket edge", 1),
        Polygon(slab(0, -8.5, 12, 8.5, 4), paint, "ticket edge", 1),
        Text(18, 0, w.CARD_WORDS[card], 14, "ticket ink", "left"),
    )


def hand(table: t.CrashByCrash, seat: int) -> list[int]:
    """Return the cards in a hand; HIDDEN for each hidden card."""
    counts = table.hand[t.KINDS * seat : t.KINDS * (seat + 1)]
    return [HIDDEN] * table.hand_size[seat] if HIDDEN in counts else w.cards_of(counts)


def card_place(left: float, number: int) -> Point:
    """Return the middle of a card below the floor."""
    return left + CARD_WIDE / 2 + number * (CARD_WIDE + 5), CARDS_TOP + CARD_HIGH / 2


def hand_place(table: t.CrashByCrash, seat: int, number: int) -> tuple[float, float, bool]:
    """Return the position of a hand's card, and whether it is drawn in full, like all cards of the current seat."""
    if seat == table.asked[0]:
        return *card_place(HAND_X, number), True
    return *layout.slip_place(table.players[0], seat, number), False


def card_words(card: int) -> str:
    """Describe a card."""
    if card < 0:
        return "a hidden card"
    then = THEN[w.colour_of(card)]
    return f"{w.TITLES[card]}: {TEXTS[card]}{', ' if then else ''}{then}"


def card_pieces(table: t.CrashByCrash) -> Iterator[Piece]:
    """Draw the face-up and drawn cards, all hands, and the pile."""
    for name, cards in (("face up", table.display), ("drawn", table.drawn)):
        for number, card in enumerate(cards):
            if card != NOWHERE:
                x, y = card_place(TABLE_X, number)
                yield Piece(f"{name} {number + 1}", x, y, card_shapes(card), label=f"{name}: {card_words(card)}")
    for seat in range(table.players[0]):
        for number, card in enumerate(hand(table, seat)):
            x, y, is_open = hand_place(table, seat, number)
            shapes = card_shapes(card) if is_open else slip_shapes(card)
            label = f"in the hand of {w.SEATS[seat]}: {card_words(card)}"
            yield Piece(f"card {w.SEATS[seat]} {number + 1}", x, y, shapes, label=label)
    yield pile_piece(table)


def discard_words(table: t.CrashByCrash) -> str:
    """Describe the discards."""
    lying = [
        f"{w.CARD_WORDS[card]}{f' {number}' if number > 1 else ''}"
        for card, number in enumerate(table.discards)
        if number
    ]
    return f"discards {sum(table.discards)}: {', '.join(lying)}" if lying else "no discards"


def pile_piece(table: t.CrashByCrash) -> Piece:
    """Draw the headings of the cards, and the text about the pile and the discards."""
    y = PILE_Y
    right = "drawn" if table.players[0] == 4 else "face up"
    words = f"pile {t.pile_size(table)}, {discard_words(table)}"
    lines = wrap(words, LETTERS)
    shapes = (
        Text(HAND_X, CARDS_TOP - 11, f"hand of {w.SEATS[table.asked[0]]}", 14, "ink", "left", bold=True),
        Text(TABLE_X, CARDS_TOP - 11, right, 14, "ink", "left", bold=True),
        *(Text(HAND_X, y + 17 * n, line, 14, "ink", "left") for n, line in enumerate(lines)),
    )
    return Piece("pile", 0, 0, shapes, label=words)


# Figures


@cache
def car_shapes(side: int, is_magnet: bool) -> tuple[Shape, ...]:
    """Draw a bumper car with its side's letter; a magnetic car has a horseshoe above it."""
    letter = Text(0, 0.5, w.SEATS[side], 17 if not is_magnet else 15, f"seat {side} ink", bold=True)
    if not is_magnet:
        lamps = (Circle(-5, -9.6, 1.8, "lamp"), Circle(5, -9.6, 1.8, "lamp"))
        return (*layout.badge(side, 0, 0, 1.02), *lamps, letter)
    return (*horseshoe(), *layout.badge(side, 0, 1, 0.8), letter)


def horseshoe() -> tuple[Shape, ...]:
    """Draw a horseshoe magnet with its ends down."""
    arch = tuple((15 * cos(n * pi / 10), -2 - 14.5 * sin(n * pi / 10)) for n in range(11))
    ends = [(x, y) for x in (-15.0, 15.0) for y in (5.0,)]
    return (
        Line(((15, 9), *arch, (-15, 9)), "rubber", 8.5),
        Line(((15, 7), *arch, (-15, 7)), "magnet", 6),
        *(Polygon(rectangle(x - 3, y, x + 3, y + 6), "number") for x, y in ends),
    )


def car_piece(table: t.CrashByCrash, car: int) -> Piece:
    """Draw a car on the floor, or small in its owner's stock."""
    cell = table.cell[car]
    is_magnet = rules.is_magnet(car)
    shapes = car_shapes(car // t.FLEET, is_magnet)
    name = f"{w.SIDES[car // t.FLEET]} {'magnetic car' if is_magnet else 'car'}"
    if cell == NOWHERE:
        x, y = layout.stock_place(table.players[0], car)
        return Piece(w.piece_key(car), x, y, shapes, scale=0.55 if is_magnet else 0.41, label=f"{name} in the stock")
    x, y = layout.CENTRES[cell]
    label = f"{name} on {w.place_words(cell)}, value {table.value[cell]}"
    return Piece(w.piece_key(car), x, y - layout.UP, shapes, label=label)


def pull_piece(table: t.CrashByCrash, side: int) -> Piece:
    """CB-M1: draw arrows round a magnet, in each direction from which it pulls."""
    cell = table.cell[t.FLEET * side + t.STANDARD]
    pulls = pulling(table, side, cell)
    words = f"the magnetic car on {w.place_words(cell)} pulls from {counted(len(pulls), 'cell')}"
    ways = tuple(dict.fromkeys(way for way, _ in pulls))
    return Piece(f"pull {w.SIDES[side]}", *layout.CENTRES[cell], pull_shapes(ways, f"seat {side}"), label=words)


def has_floor(table: t.CrashByCrash, cell: int) -> bool:
    """Return whether there is floor on a cell."""
    return cell != t.OUTSIDE and not table.gone[t.TILE[cell]]


_pulling: dict[tuple[int, int, tuple[int, ...]], tuple[tuple[int, int], ...]] = {}


def pulling(table: t.CrashByCrash, side: int, cell: int) -> tuple[tuple[int, int], ...]:
    """CB-M1: return (direction, cell) of each cell from which a magnet would pull a car on an otherwise empty floor.

    Each cell is tried with the current rules, which users may have replaced. The results are cached.
    """
    key = side, cell, tuple(table.gone)
    if key not in _pulling:
        alone, car = table.copy(), t.FLEET * (1 - side)
        alone.cell[:] = [NOWHERE] * len(alone.cell)
        alone.cell[t.FLEET * side + t.STANDARD] = cell
        pulls = []
        for way in range(6):
            far = t.AHEAD[6 * cell + way]
            while far != t.OUTSIDE:
                alone.cell[car] = far
                if has_floor(table, far) and rules.all_pulls(alone, alone.cell, 0) >> (6 * side + way) & 1:
                    pulls.append((way, far))
                far = t.AHEAD[6 * far + way]
        _pulling[key] = tuple(pulls)
    return _pulling[key]


@cache
def pull_shapes(ways: tuple[int, ...], paint: str) -> tuple[Shape, ...]:
    """Draw arrows towards the middle, two for each direction."""
    shapes: list[Shape] = []
    for way in ways:
        for far in (1.45 * layout.HALF, 2.0 * layout.HALF):
            tip = hexes.towards((0, 0), way, far)
            wings = [hexes.towards(tip, way + turn, 7) for turn in (0.75, -0.75)]
            points = (wings[0], tip, wings[1])
            shapes += primitives.way(points, paint, 2.6, 4.5, 0.8, arrow=False)
    return tuple(shapes)


@cache
def operator_shapes() -> tuple[Shape, ...]:
    """Draw a grumpy man with a cap and a moustache."""
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
    """Draw the operator on his cell."""
    cell = table.cell[t.OPERATOR]
    where = f"in the hole round {w.place_words(cell)}" if table.gone[t.TILE[cell]] else f"on {w.place_words(cell)}"
    x, y = layout.CENTRES[cell]
    return Piece("operator", x, y - 1, operator_shapes(), label=f"the operator {where}")


@cache
def bell_shapes(rings: bool) -> tuple[Shape, ...]:
    """Draw a bell, with waves of sound while it rings."""
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
    """Draw a bell on the floor, ringing above a car, or on the scoring track."""
    place = table.cell[bell]
    key = w.piece_key(bell)
    if place == NOWHERE:
        number = table.cell[t.BELL : bell].count(NOWHERE)
        x, y = layout.track_place(min(number, rules.LAST - 1))
        return Piece(key, x, y, bell_shapes(False), scale=0.62, label="a bell that was scored")
    x, y = layout.CENTRES[place % t.RINGING]
    where = w.place_words(place % t.RINGING)
    if place >= t.RINGING:
        return Piece(key, x, y - 17, bell_shapes(True), scale=0.8, label=f"the bell on {where} rings")
    if place == table.cell[t.OPERATOR]:
        return Piece(key, x + 13, y - 12, bell_shapes(False), scale=0.6, label=f"a bell under the operator on {where}")
    return Piece(key, x, y - 2, bell_shapes(False), scale=0.92, label=f"a bell on {where}")


def piece(table: t.CrashByCrash, number: int) -> Piece:
    """Draw a car, the operator or a bell."""
    if number == t.OPERATOR:
        return operator_piece(table)
    return car_piece(table, number) if number < t.CARS else bell_piece(table, number)


def piece_paint(piece: int) -> str:
    """Return the colour of a car or of the operator."""
    return "purple" if piece == t.OPERATOR else f"seat {piece // t.FLEET}"


# Places of values


Leads = Callable[[t.CrashByCrash, tuple[int, ...]], int]  # the target cell of a spelled action, or NOWHERE
PIECES = {w.piece_key(piece): piece for piece in range(t.PIECES)}


def place_of(table: t.CrashByCrash, value: object) -> Point | None:
    """A cell, even in a hole: (7, 3) or "7.3". A piece: "blue 1", "blue magnet", "operator", "bell 1".

    A tile: its name, "F7+2" or "F7", an element of `state.tiles`, or its number from 0 to 24, row by row.
    """
    return toolkit.place_of(table, value.name if type(value) is Tile else value, (cell_at, piece_at, tile_at))


def cell_at(table: t.CrashByCrash, words: object) -> Point:
    """Return the middle of a cell."""
    return layout.CENTRES[w.read_cell(words)]


def piece_at(table: t.CrashByCrash, words: object) -> Point | None:
    """Return the position of a piece on the floor, in the stock or on the scoring track; None for other words."""
    if not isinstance(words, str) or words not in PIECES:
        return None
    sprite = piece(table, PIECES[words])
    return sprite.x, sprite.y


def tile_at(table: t.CrashByCrash, words: object) -> Point | None:
    """Return the middle of a tile; a tile that has left is found by its number only."""
    for tile in range(t.TILES):
        name = w.tile_text(table, tile)
        if words == tile or (not table.gone[tile] and words in (name, name.partition("+")[0])):
            cells = t.cells_of(tile)
            one, other = (cells[0], cells[0]) if tile % 2 else cells[3:5]
            return primitives.between(layout.CENTRES[one], layout.CENTRES[other], 0.5)
    return None


# Target cells of actions


def nowhere(table: t.CrashByCrash, prefix: tuple[int, ...]) -> int:
    """Return NOWHERE, for actions without a target cell."""
    return NOWHERE


def first_cell(table: t.CrashByCrash, prefix: tuple[int, ...]) -> int:
    """Return the first chosen cell."""
    return prefix[1]


def second_cell(table: t.CrashByCrash, prefix: tuple[int, ...]) -> int:
    """Return the second chosen cell."""
    return prefix[2]


# Marks of choices


ChoiceMark = tuple[Point, tuple[Shape, ...]]  # the click position and the shapes of a choice


def ring(place: Point, radius: float) -> tuple[Shape, ...]:
    """Draw a ring round a piece to click."""
    return primitives.ring(place, radius, 3, 5.5)


def dot(place: Point) -> tuple[Shape, ...]:
    """Draw a small ring on a cell to click; dots would be read as values."""
    return ring(place, 9)


def ticket(place: Point, words: str) -> tuple[Shape, ...]:
    """Draw a clickable label."""
    return primitives.ticket(place, words, max(17.0, 4.8 * len(words) + 5), 12, 14)


def battery_ticket(place: Point, count: int) -> tuple[Shape, ...]:
    """Draw a clickable label with a number of batteries."""
    x, y = place
    paper, _ = primitives.ticket(place, "", 20, 16, 14)
    words = Text(x - 11, y, str(count), 14, "ticket ink", bold=True)
    body, end = slab(x - 3, y - 6, x + 12, y + 6, 3), slab(x + 13, y - 3, x + 15, y + 3, 1)
    return paper, words, Polygon(body, "gain", "ticket ink", 1.5), Polygon(end, "ticket ink")


def card_mark(left: float, number: int, word: str) -> ChoiceMark:
    """Draw a label below a card."""
    x, y = card_place(left, number)
    place = x, y + CARD_HIGH / 2 + BELOW
    return place, ticket(place, word)


def rack(table: t.CrashByCrash, place: Point) -> Point:
    """Return the middle of three labels above or below a cell, at the height where they hide the fewest pieces."""
    x, y = min(max(place[0], layout.EDGE + 62), layout.FLOOR_END[0] - 62), place[1]
    heights = [y + down for down in (-40, 40, -74, 74) if 30 < y + down < layout.FLOOR_END[1] - 10]
    pieces = [layout.CENTRES[cell % t.RINGING] for cell in table.cell if cell != NOWHERE]
    hidden = [sum(abs(px - x) < 78 and abs(py - height) < 26 for px, py in pieces) for height in heights]
    return x, heights[hidden.index(min(hidden))]


def swap_mark(one: Point, other: Point) -> ChoiceMark:
    """Draw a double arrow between two cars that can change places."""
    place = primitives.between(one, other, 0.5)
    ends = primitives.between(one, other, 0.28), primitives.between(one, other, 0.72)
    return place, (*primitives.way(ends, "path", 4, 8), Line(ends[::-1], "path", 4, arrow=True))


def arrow(start: Point, end: Point) -> tuple[Shape, ...]:
    """Draw an arrow from a piece to a cell."""
    points = primitives.between(start, end, 0.3), primitives.between(start, end, 0.8)
    return primitives.way(points, "path", 3.5, 7, 0.8)


def hit_shapes(start: Point, end: Point) -> tuple[Shape, ...]:
    """Draw a hit from a cell on the car beside it."""
    points = primitives.between(start, end, 0.15), primitives.between(start, end, 0.62)
    return *ring((end[0], end[1] - layout.UP), 18), *primitives.way(points, "path", 4.5, 9)


@cache  # a decision at set-up draws about 170 previews
def ghost(side: int, cell: int, is_magnet: bool) -> tuple[Shape, ...]:
    """Draw the preview of a car on a cell."""
    x, y = layout.CENTRES[cell]
    return placed(Piece("", x, y - layout.UP, car_shapes(side, is_magnet), alpha=0.65))


def cross(cell: int) -> tuple[Shape, ...]:
    """Draw a cross over a car that would go home."""
    x, y = layout.CENTRES[cell]
    lines = [((x - 12, y - 12), (x + 12, y + 12)), ((x - 12, y + 12), (x + 12, y - 12))]
    return (*(Line(line, "path edge", 7) for line in lines), *(Line(line, "loss", 4) for line in lines))


def pull_marks(table: t.CrashByCrash, side: int, cell: int) -> tuple[Shape, ...]:
    """CB-M1: draw the cells from which a magnet on this cell would pull, and its arrows."""
    moment = table.copy()
    moment.cell[t.FLEET * side + t.STANDARD] = cell
    rims = [
        Polygon(hexes.corners(layout.CENTRES[far], layout.SIZE - 3), "", "magnet", 3)
        for _, far in pulling(table, side, cell)
    ]
    return (*rims, *placed(pull_piece(moment, side)))
