"""Crash & Grab as pictures: a table as shapes, and what happens as effects and ways.

A picture is a square board with its four markers, below it the crew that waits, and beside it a panel with a row for
each saucer. Pieces are `saucer red` ..., `crew red pilot` ... wherever they are (on the board, aboard, waiting),
`upgrade 4` ... with a saucer or, drawn, as a card with its text; and in the panel `energy red`, `boosters red`,
`card red`, `order red`, `override red`, `stationed red`, `probe`, `turn`, `round`, `spin`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import cos, pi, sin
from textwrap import wrap

from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import table as t
from crashlab.games.crash_and_grab import words as w
from crashlab.happen import HIDDEN, NOTE, NOWHERE, replay
from crashlab.shapes import Circle, Line, Picture, Piece, Point, Polygon, Shape, Text, placed, slab, star, wood

Row = tuple[int, ...]

WIDTH, HEIGHT = 760.0, 552.0
EDGE = 28.0  # round the board, with the markers
SIDE = 456.0  # of the board, whatever its size
MIDDLE = EDGE + SIDE / 2
QUEUE_Y = 530.0
PANEL = (514.0, 10.0, 750.0, 542.0)  # left, top, right, bottom
ROW_LEFT, ROW_RIGHT = PANEL[0] + 12, PANEL[2] - 12
ROWS_TOP = 82.0  # of the rows in the panel
SPIN_AT = ROW_RIGHT - 14, 33.0  # the way round
SPACE = 57.0  # a space of the smallest board, for which pieces are drawn
SMALL = 0.74  # crew aboard and in the queue
CREW_X, CREW_Y = 53.0, 46.5  # of the first one aboard, in its row

# The colours of the theme that are nearest to the names of the saucers' colours.
PAINTS = ("seat 1", "seat 2", "seat 0", "yellow", "purple", "seat 3")
LETTERS = "RGBYPK"  # of the colours; the letter of pink is the one that purple leaves

QUESTIONS = (
    "plan", "whose pilot is placed?", "who gets the booster?", "which saucer goes first?",
    "which way round?", "on which site?", "a step first?", "how far?", "which way?", "push, or crash it?",
    "accelerate here?", "how far from here?", "which way from here?", "exchange?", "hand over?", "boost?",
    "who gets whom?", "which reward?", "which crew comes next?", "an upgrade?", "buy an upgrade?", "keep which?",
    "roll for the way round", "roll for the pilot", "roll for the place", "roll for the crew", "draw an upgrade",
    "over",
)  # fmt: skip
BEFORE_MOVES = (t.STEP, t.DISTANCE, t.DIRECTION, t.BOOST, t.END)  # what was asked last while a movement goes on


# Small geometry


def unit(table: t.CrashAndGrab) -> float:
    """The width of a space."""
    return SIDE / table.size[0]


def centre(table: t.CrashAndGrab, cell: int) -> Point:
    """The middle of a space."""
    return EDGE + unit(table) * (cell % 10 + 0.5), EDGE + unit(table) * (cell // 10 + 0.5)


def towards(point: Point, direction: int, length: float) -> Point:
    """The point so far away in a direction of the board."""
    return point[0] + length * t.RIGHTWARDS[direction], point[1] + length * t.DOWNWARDS[direction]


def outside(table: t.CrashAndGrab, cell: int, direction: int) -> Point:
    """Just off the board, where one comes from this space in this direction."""
    x, y = centre(table, cell)
    near, far = EDGE - 12, EDGE + SIDE + 12
    return ((x, near), (far, y), (x, far), (near, y))[direction]


# The board


@cache
def still(size: int, ground: tuple[int, ...], saucers: int, players: int) -> tuple[Shape, ...]:
    """What does not move by itself: wood, spaces and their ground, tiles, markers, and the panel."""
    return (*wood(WIDTH, HEIGHT), *spaces(size, ground), *seams(size), *markers(), *panel(saucers, players))


def spaces(size: int, ground: tuple[int, ...]) -> tuple[Shape, ...]:
    """The spaces, with what is printed on them."""
    step = SIDE / size
    end = EDGE + SIDE
    shapes: list[Shape] = [
        Polygon(slab(EDGE - 5, EDGE - 5, end + 5, end + 5, 8), "rail", "rail edge", 1.5),
        Polygon(((EDGE, EDGE), (end, EDGE), (end, end), (EDGE, end)), "cell"),
    ]
    for n in range(1, size):
        at = EDGE + n * step
        shapes += [Line(((at, EDGE), (at, end)), "cell edge", 1.2), Line(((EDGE, at), (end, at)), "cell edge", 1.2)]
    for cell, kind in enumerate(ground):
        if cell // 10 >= size or cell % 10 >= size:
            continue
        point = EDGE + step * (cell % 10 + 0.5), EDGE + step * (cell // 10 + 0.5)
        ink = "cell ink"
        if kind == t.ACCELERATOR:
            shapes = [*shapes, *accelerator(*point, step / SPACE)]
            ink = "rail light"
        elif kind != t.PLAIN:
            shapes += crash_site(*point, step / SPACE)
        shapes.append(
            Text(point[0] + step / 2 - 4, point[1] + step / 2 - 9, w.cell_text(cell), 14, ink, "right", alpha=0.8)
        )
    return tuple(shapes)


def crash_site(x: float, y: float, scale: float) -> tuple[Shape, ...]:
    """A crater; its number is a piece of its own."""
    return (
        Circle(x, y, 22 * scale, "wood", "cell edge", 2, alpha=0.75),
        Circle(x, y, 15 * scale, "wood grain", "cell edge", 1.2, alpha=0.9),
    )


def accelerator(x: float, y: float, scale: float) -> tuple[Shape, ...]:
    """A dark pad with a chevron to each side."""
    half = 25.5 * scale
    shapes: list[Shape] = [Polygon(slab(x - half, y - half, x + half, y + half, 8 * scale), "rail edge")]
    for direction in range(4):
        tip = towards((x, y), direction, 17 * scale)
        base = towards(tip, direction, -6 * scale)
        wings = [towards(base, (direction + side) % 4, 7 * scale) for side in (1, 3)]
        shapes.append(Line((wings[0], tip, wings[1]), "rail light", 3.4 * scale))
    return (*shapes, Polygon(star(x, y, 5.5 * scale, 2.2 * scale, 4), "rail light"))


def seams(size: int) -> tuple[Shape, ...]:
    """The edges of the tiles."""
    step = SIDE / size
    found = []
    for row, column, height, width in (t.layout(size, place) for place in range(t.PLACES)):
        if height and width:
            left, top = EDGE + step * column, EDGE + step * row
            right, bottom = left + step * width, top + step * height
            around = (left, top), (right, top), (right, bottom), (left, bottom)
            found.append(Polygon(around, "", "cell ink", 1.4, 0.6))
    return tuple(found)


def markers() -> tuple[Shape, ...]:
    """The names of the four directions at the sides, each with its sign (CG-B4)."""
    near, far = 12.0, 2 * EDGE + SIDE - 12
    right = [Text(far, MIDDLE + 20 + 14 * n, letter, 14, "ink", bold=True) for n, letter in enumerate("ASTEROIDS")]
    left = [Text(near, MIDDLE + 20 + 14 * n, letter, 14, "ink", bold=True) for n, letter in enumerate("STARS")]
    return (
        Polygon(star(MIDDLE - 28, near, 10, 6, 10), "rail light", "ink", 1),
        Text(MIDDLE - 12, near, "SUN", 14, "ink", "left", bold=True),
        Circle(far, MIDDLE - 3, 7, "nobody", "ink", 1),
        Circle(far - 2, MIDDLE - 5, 2, "ink", alpha=0.5),
        Circle(far + 3, MIDDLE + 7, 3.5, "nobody", "ink", 1),
        *right,
        Line(((MIDDLE - 46, far - 5), (MIDDLE - 34, far + 1)), "flash", 5),
        Circle(MIDDLE - 31, far + 2, 5, "flash edge", "ink", 1),
        Text(MIDDLE - 20, far, "METEOR", 14, "ink", "left", bold=True),
        Polygon(star(near - 1, MIDDLE - 6, 7, 3, 5), "rail light", "ink", 1),
        Polygon(star(near + 4, MIDDLE + 6, 4.5, 2, 5), "rail light", "ink", 1),
        *left,
    )


# The panel


def row_height(saucers: int) -> float:
    """How high the row of a saucer is."""
    return min((PANEL[3] - ROWS_TOP - 4) / saucers, 114.0)


def row_top(saucers: int, saucer: int) -> float:
    """Where the row of a saucer begins."""
    return ROWS_TOP + saucer * row_height(saucers)


def badge_at(saucers: int, saucer: int) -> Point:
    """The middle of the badge of a saucer, where it waits when it is off the board."""
    return ROW_LEFT + 19, row_top(saucers, saucer) + 22


def panel(saucers: int, players: int) -> tuple[Shape, ...]:
    """The panel with a row for each saucer: its badge, and the signs of energy and boosters."""
    shapes: list[Shape] = [Polygon(slab(*PANEL, 12), "panel", "panel edge", 2)]
    for saucer in range(saucers):
        top = row_top(saucers, saucer)
        x, y = badge_at(saucers, saucer)
        strong = players > 2 or saucer % 2 == 0
        shapes += (
            Line(((ROW_LEFT, top), (ROW_RIGHT, top)), "panel edge", 1.4 if strong else 0.7, alpha=1 if strong else 0.5),
            Polygon(slab(x - 18, y - 18, x + 18, y + 18, 9), PAINTS[saucer]),
            Text(x, y, LETTERS[saucer], 19, f"{PAINTS[saucer]} ink", bold=True),
            Text(x - 19, y + 28, w.SEATS[saucer // 2 if players == 2 else saucer], 15, "ink", "left", bold=True),
            *bolt(ROW_LEFT + 54, y - 5),
            *rocket(ROW_LEFT + 102, y - 5),
        )
    return (*shapes, Text(EDGE - 6, QUEUE_Y, "waiting", 14, "ink", "left"))


def bolt(x: float, y: float) -> tuple[Shape, ...]:
    """The sign of energy."""
    points = ((2, -11), (-7, 2), (-1, 2), (-3, 11), (7, -3), (1, -3))
    return (Polygon(tuple((x + a, y + b) for a, b in points), "chit", "chit edge", 1.3),)


def rocket(x: float, y: float) -> tuple[Shape, ...]:
    """The sign of boosters."""
    return tuple(Line(((x - 6, y + low), (x, y + low - 6), (x + 6, y + low)), "gain", 3.4) for low in (1, 8))


# Names


# Pieces


@cache
def saucer_shapes(letter: str, paint: str, acting: bool) -> tuple[Shape, ...]:
    """A flying saucer from above: a rim with lamps, a dome with its letter; ringed while it acts."""
    ring = (Circle(0, 0, 25.5, "", "flash edge", 6.5), Circle(0, 0, 25.5, "", "flash", 3.5)) if acting else ()
    lamps = tuple(Circle(17 * cos(n * pi / 4), 17 * sin(n * pi / 4), 2.6, "lamp") for n in range(8))
    return (
        *ring,
        Circle(0, 0, 21.5, paint, "rubber", 3),
        *lamps,
        Circle(0, 0, 12.5, "number", "number ink", 1.5),
        Text(0, 0, letter, 18, "number ink", bold=True),
    )


def acting(table: t.CrashAndGrab) -> int:
    """The saucer that moves, also where it is pushed; if none does, the one whose turn it is."""
    return table.mover[0] if is_moving(table) else table.turn[0]


def is_moving(table: t.CrashAndGrab) -> bool:
    """Whether a saucer is on its way."""
    return table.motion[0] != t.REST and table.mover[0] != NOWHERE


def saucer_piece(table: t.CrashAndGrab, saucer: int) -> Piece:
    """A saucer where it is; off the board it waits on its badge."""
    cell = table.cell[saucer]
    is_acting = acting(table) == saucer
    shapes = saucer_shapes(LETTERS[saucer], PAINTS[saucer], is_acting)
    place = badge_at(table.saucers[0], saucer) if cell == NOWHERE else centre(table, cell)
    scale = 0.78 if cell == NOWHERE else unit(table) / SPACE
    return Piece(f"saucer {w.saucer_name(saucer)}", *place, shapes, scale=scale, label=saucer_words(table, saucer))


@cache
def crew_shapes(crew: int) -> tuple[Shape, ...]:
    """A figure in its colour with the letter of its type."""
    paint = PAINTS[crew // t.TYPES]
    letter = t.TYPE_NAMES[crew % t.TYPES][0]
    return (
        Circle(0, -11, 6.5, paint, "rubber", 1.6),
        Polygon(slab(-11, -5, 11, 14, 6), paint, "rubber", 1.6),
        Text(0, 3.5, letter, 19, f"{paint} ink", bold=True),
    )


def crew_aboard(table: t.CrashAndGrab, saucer: int) -> list[int]:
    """The crew of a saucer, type by type."""
    crew = [crew for crew in range(t.CREW) if table.where[crew] == t.ABOARD + saucer]
    return sorted(crew, key=lambda member: (member % t.TYPES, member))


def seats_aboard(table: t.CrashAndGrab, saucer: int) -> list[tuple[int, float]]:
    """The crew of a saucer, and -1 - type for each type that is missing, with its distance from the first."""
    crew = crew_aboard(table, saucer)
    missing = [-1 - kind for kind in range(t.TYPES) if kind not in {member % t.TYPES for member in crew}]
    line = sorted(crew + missing, key=lambda member: (member % t.TYPES if member >= 0 else -1 - member, member))
    step = min(27.0, 118.0 / (len(line) - 1))
    return [(member, n * step) for n, member in enumerate(line)]


def crew_waiting(table: t.CrashAndGrab, colour: int) -> list[int]:
    """The queue of a colour, the front first (CG-S3)."""
    line = t.LINE[t.TYPES * table.crew_order[0] : t.TYPES * table.crew_order[0] + t.TYPES]
    return [t.TYPES * colour + kind for kind in line if table.where[t.TYPES * colour + kind] == t.QUEUE]


def crew_places(table: t.CrashAndGrab) -> dict[int, tuple[float, float, float]]:
    """Where every crewmember in play is drawn, and how large."""
    places: dict[int, tuple[float, float, float]] = {}
    for crew, where in enumerate(table.where):
        if 0 <= where < t.ABOARD:
            places[crew] = (*centre(table, where), unit(table) / SPACE)
    for saucer in range(table.saucers[0]):
        for member, aside in seats_aboard(table, saucer):
            if member >= 0:
                places[member] = (ROW_LEFT + CREW_X + aside, row_top(table.saucers[0], saucer) + CREW_Y, SMALL)
    colours = [colour for colour in range(6) if table.where[t.TYPES * colour] != t.UNUSED]
    for group, colour in enumerate(colours):
        for n, crew in enumerate(crew_waiting(table, colour)):
            places[crew] = (EDGE + 66 + group * 414 / len(colours) + 16 * n, QUEUE_Y, SMALL)
    return places


def crew_words(table: t.CrashAndGrab, crew: int) -> str:
    """Where a crewmember is, in words."""
    where = table.where[crew]
    if where >= t.ABOARD:
        place = f"aboard {w.saucer_name(where - t.ABOARD)}"
    else:
        place = "waiting" if where == t.QUEUE else f"on {t.place_words(where)}, crash site {table.ground[where]}"
    return f"{t.crew_name(crew)} {place}"


def crew_pieces(table: t.CrashAndGrab) -> list[Piece]:
    """Every crewmember in play."""
    return [
        Piece(f"crew {t.crew_name(crew)}", x, y, crew_shapes(crew), scale=scale, label=crew_words(table, crew))
        for crew, (x, y, scale) in sorted(crew_places(table).items())
    ]


@cache
def site_shapes(number: int) -> tuple[Shape, ...]:
    """The number of a crash site on a plate."""
    return Circle(0, 0, 10.5, "cell", "cell ink", 1.3), Text(0, 0, str(number), 14, "ink", bold=True)


def site_pieces(table: t.CrashAndGrab) -> list[Piece]:
    """The numbers of the crash sites, in the corner of their spaces, above all that stands there."""
    found = []
    for cell, kind in enumerate(table.ground):
        if kind not in (t.PLAIN, t.ACCELERATOR):
            x, y = centre(table, cell)
            aside = unit(table) / 2 - 9
            words = f"crash site {kind} on {t.place_words(cell)}"
            found.append(Piece(f"site {kind}", x - aside, y - aside, site_shapes(kind), label=words))
    return found


@cache
def count_shapes(words: str) -> tuple[Shape, ...]:
    """A count beside its sign."""
    return (Text(0, 0, words, 19, "ink", "left", bold=True),)


@cache
def card_shapes(plan: int) -> tuple[Shape, ...]:
    """A movement card: the distance and an arrow; only its back while it is hidden."""
    back = plan == HIDDEN
    paper = Polygon(slab(-15, -19, 15, 19, 4), "target" if back else "ticket", "ticket edge", 1.6)
    if back:
        return paper, Text(0, 0, "?", 22, "target ink", bold=True)
    middle = (0.0, 8.5)
    arrow = Line((towards(middle, plan % 4, -8), towards(middle, plan % 4, 8)), "ticket ink", 2, arrow=True)
    return paper, Text(0, -8, w.PLAN_CARDS[plan // 4], 16, "ticket ink", bold=True), arrow


def plan_words(plan: int) -> str:
    """A plan in words."""
    return "a hidden card" if plan == HIDDEN else f"card {w.PLAN_CARDS[plan // 4]} to {t.MARKERS[plan % 4]}"


def upgrades_of(table: t.CrashAndGrab, saucer: int) -> list[int]:
    """The upgrades of a saucer."""
    return [card for card in range(t.CARDS) if table.holder[card] == saucer]


def upgrade_words(table: t.CrashAndGrab, card: int) -> str:
    """An upgrade with the whole text of its rule."""
    rule = rules.BOOK[rules.UPGRADE[card]]
    holder = table.holder[card]
    state = " (bought in this turn)" if table.fresh[card] else " (used in this turn)" if table.spent[card] else ""
    return f"{w.saucer_name(holder) if holder >= 0 else 'drawn'}: {rule.title}{state} [{rule.id}]. {rule.text}"


def upgrade_pieces(table: t.CrashAndGrab, saucer: int) -> list[Piece]:
    """The upgrades of a saucer as little cards, as many lines as fit; with shorter names when they do not."""
    cards = upgrades_of(table, saucer)
    saucers = table.saucers[0]
    lines = int((row_height(saucers) - 57) / 19)
    for cut in (12, 8, 6, 5, 4, 3, 2):
        places = flowed([chip_width(w.CARD_NAMES[card][:cut]) for card in cards])
        if not places or places[-1][1] < lines:
            break
    x, y = ROW_LEFT - 4, row_top(saucers, saucer) + 67.5
    return [
        Piece(
            f"upgrade {card + 1}", x + left, y + 19 * line, chip_shapes(w.CARD_NAMES[card][:cut]),
            alpha=0.6 if table.fresh[card] or table.spent[card] else 1.0, label=upgrade_words(table, card),
        )
        for card, (left, line) in zip(cards, places, strict=True)
    ]  # fmt: skip


def flowed(widths: Sequence[float]) -> list[tuple[float, int]]:
    """The middles and the lines of things that stand side by side, in lines as wide as the panel."""
    places = []
    left = 0.0
    line = 0
    for width in widths:
        if left and left + width > ROW_RIGHT - ROW_LEFT + 8:
            left, line = 0.0, line + 1
        places.append((left + width / 2, line))
        left += width + 2
    return places


def chip_width(word: str) -> float:
    """How wide a little card with this word is."""
    return 8.3 * len(word) + 7


@cache
def chip_shapes(word: str) -> tuple[Shape, ...]:
    """A little card with a word."""
    half = chip_width(word) / 2
    paper = Polygon(slab(-half, -8.5, half, 8.5, 4), "ticket", "ticket edge", 1.3)
    return paper, Text(0, 0.5, word, 14, "ticket ink")


CARD_WIDTH = 216.0


@cache
def upgrade_shapes(card: int) -> tuple[Shape, ...]:
    """An upgrade as a card that hangs from its upper edge: its title and its rule."""
    half = CARD_WIDTH / 2
    title = rules.BOOK[rules.UPGRADE[card]].title
    return (
        Polygon(slab(-half, 0, half, card_height(card), 10), "ticket", "ticket edge", 2.5),
        Polygon(slab(-half + 6, 6, half - 6, 34, 6), "rail edge"),
        Text(0, 20, title, 16, "rail light", bold=True),
        *(Text(-half + 9, 50 + 17 * n, line, 14, "ticket ink", "left") for n, line in enumerate(card_lines(card))),
    )


def card_lines(card: int) -> list[str]:
    """The rule of an upgrade without house rulings, in lines as wide as a card."""
    return wrap(rules.BOOK[rules.UPGRADE[card]].text.partition(" House ruling:")[0], 27)


def drawn_pieces(table: t.CrashAndGrab) -> list[Piece]:
    """The upgrades that are drawn and of which one is kept (CG-H1), as cards over the board."""
    return [
        Piece(f"upgrade {card + 1}", *place, upgrade_shapes(card), label=upgrade_words(table, card))
        for card, place in drawn(table).items()
    ]


def drawn(table: t.CrashAndGrab) -> dict[int, Point]:
    """The upgrades that are drawn, and the middles of their upper edges: in that half where their saucer is not."""
    cards = [card for card in range(t.CARDS) if table.holder[card] == t.DRAWN]
    cell = table.cell[table.turn[0]] if table.turn[0] != NOWHERE else NOWHERE
    top = EDGE + 34
    if cell != NOWHERE and centre(table, cell)[1] < MIDDLE:
        top = min([MIDDLE + 34, *(QUEUE_Y - 18 - card_height(card) for card in cards)])
    return {card: (MIDDLE + (CARD_WIDTH + 10) * (n - (len(cards) - 1) / 2), top) for n, card in enumerate(cards)}


def card_height(card: int) -> float:
    """How high an upgrade is as a card."""
    return 56.0 + 17 * len(card_lines(card))


def row_pieces(table: t.CrashAndGrab, saucer: int) -> list[Piece]:
    """What the row of a saucer shows besides its crew."""
    name = w.saucer_name(saucer)
    top = row_top(table.saucers[0], saucer)
    x = ROW_LEFT
    energy = table.energy[saucer]
    boosters = table.boosters[saucer]
    plan = table.plan[saucer]
    pieces = [
        Piece(f"energy {name}", x + 65, top + 17, count_shapes(str(energy)), label=f"{name}: energy {energy}"),
        Piece(f"boosters {name}", x + 113, top + 17, count_shapes(str(boosters)), label=f"{name}: boosters {boosters}"),
        stationed_piece(table, saucer),
        *upgrade_pieces(table, saucer),
    ]
    if plan != t.UNPLANNED:
        words = f"{name}: {plan_words(plan)}"
        pieces.append(Piece(f"card {name}", ROW_RIGHT - 13, top + 22, card_shapes(plan), label=words))
    if turn := turn_of(table, saucer):
        words = f"{name} {'has had or has' if table.acted[saucer] else 'will have'} turn {turn} of this round"
        shapes = order_shapes(turn, bool(table.acted[saucer]))
        pieces.append(Piece(f"order {name}", ROW_RIGHT - 13, top + 52, shapes, label=words))
        if table.players[0] >= 5 <= turn:
            words = f"{name} has an override token: it chooses its direction in its turn (CG-R3)"
            pieces.append(Piece(f"override {name}", x + 154, top + 17, override_shapes(), label=words))
    return pieces


def turn_of(table: t.CrashAndGrab, saucer: int) -> int:
    """As which one a saucer has its turn in this round, from 1; 0 while that is open (CG-R2)."""
    players = table.players[0]
    if table.acted[saucer] or players == 2 or not table.spin[0]:
        return table.acted[saucer]
    return 1 + (saucer - table.probe[0]) * table.spin[0] % players


@cache
def order_shapes(turn: int, is_done: bool) -> tuple[Shape, ...]:
    """A place in the order of turns; in a ring while the turn is still to come."""
    ring = () if is_done else (Circle(0, 0, 9.5, "", "ink", 1.5),)
    return (*ring, Text(0, 0, str(turn), 14, "muted" if is_done else "ink", bold=not is_done))


@cache
def override_shapes() -> tuple[Shape, ...]:
    """An override token: four ways to go."""
    return (Circle(0, 0, 12.5, "rail edge", "rail light", 1.5), *accelerator(0, 0, 0.45)[1:])


def stationed_piece(table: t.CrashAndGrab, saucer: int) -> Piece:
    """How many of the four types are aboard, with an empty seat for each that is missing."""
    name = w.saucer_name(saucer)
    types = rules.aboard(table, saucer)
    empty = tuple((-1 - member, aside) for member, aside in seats_aboard(table, saucer) if member < 0)
    words = f"{name}: {types} of 4 stationed"
    if empty:
        words += f"; missing: {', '.join(t.TYPE_NAMES[kind] for kind, _ in empty)}"
    place = ROW_LEFT + CREW_X, row_top(table.saucers[0], saucer) + CREW_Y
    return Piece(f"stationed {name}", *place, stationed_shapes(types, empty), label=words)


@cache
def stationed_shapes(types: int, empty: tuple[tuple[int, float], ...]) -> tuple[Shape, ...]:
    """A number, and a faint letter for each empty seat."""
    seats: list[Shape] = [Text(-12, 2, f"{types}/4", 14, "ink", "right")]
    for kind, aside in empty:
        seats += [
            Polygon(slab(aside - 8, -4, aside + 8, 10, 4), "", "muted", 1, 0.6),
            Text(aside, 2.6, t.TYPE_NAMES[kind][0], 14, "muted", alpha=0.8),
        ]
    return tuple(seats)


@cache
def probe_shapes() -> tuple[Shape, ...]:
    """The probe: a small satellite."""
    wings = tuple(Polygon(slab(x - 5, -4, x + 5, 4, 1), "path", "path edge", 0.8) for x in (-11, 11))
    return (
        Line(((-7, 0), (7, 0)), "path", 2),
        *wings,
        Circle(0, 0, 5.5, "rail light", "path", 1.5),
        Line(((0, -5), (0, -11)), "path", 1.5),
        Circle(0, -11, 2, "path"),
    )


def first_saucer(table: t.CrashAndGrab, player: int) -> int:
    """The saucer in whose row that is shown which is a player's."""
    return 2 * player if table.players[0] == 2 else player


def panel_pieces(table: t.CrashAndGrab) -> list[Piece]:
    """The heading, the frame round the row whose turn it is, the probe, and the way round."""
    saucers = table.saucers[0]
    asked = asked_words(table)
    pieces = [
        Piece("round", ROW_LEFT, 32, (Text(0, 0, heading(table), 19, "ink", "left", bold=True),), label=heading(table)),
        Piece("asked", ROW_LEFT, 60, (Text(0, 0, asked, 14, "ink", "left"),), label=asked),
    ]
    if table.turn[0] != NOWHERE:
        top, high = row_top(saucers, table.turn[0]), row_height(saucers)
        frame = slab(PANEL[0] + 4, 2, PANEL[2] - 4, high - 2, 8)
        shapes = Polygon(frame, "flash", alpha=0.13), Polygon(frame, "", "flash edge", 2.5)
        pieces.append(Piece("turn", 0, top, shapes, label=f"it is the turn of {w.saucer_name(table.turn[0])}"))
    top = row_top(saucers, first_saucer(table, table.probe[0]))
    words = f"{player_name(table, table.probe[0])} has the probe"
    pieces.append(Piece("probe", ROW_LEFT + 154, top + 20, probe_shapes(), label=words))
    if spin := table.spin[0]:
        pieces.append(Piece("spin", *SPIN_AT, spin_shapes(spin, "ink"), label=spin_words(spin)))
    return pieces


@cache
def spin_shapes(spin: int, ink: str) -> tuple[Shape, ...]:
    """An arrow that goes round, clockwise (1) or counter-clockwise (-1)."""
    arc = tuple((spin * 11 * sin(n * pi / 9), -11 * cos(n * pi / 9)) for n in range(-6, 9))
    return (Line(arc, ink, 2.5, arrow=True),)


def spin_words(spin: int) -> str:
    """Which way round the turns go."""
    return "turns go clockwise" if spin == 1 else "turns go counter-clockwise"


def player_name(table: t.CrashAndGrab, player: int) -> str:
    """A player with the colours of his saucers, as in `A (red)`."""
    own = [w.saucer_name(saucer) for saucer in range(table.saucers[0]) if t.owner(table, saucer) == player]
    return f"{w.SEATS[player]} ({' and '.join(own)})"


def heading(table: t.CrashAndGrab) -> str:
    """Round 3 of 60; when the game is over, who wins."""
    if table.phase[0] != t.OVER:
        return f"Round {table.round[0]}" + (f" of {table.round_limit[0]}" if table.round_limit[0] > 0 else "")
    bits = rules.winners(table)
    best = [w.SEATS[player] for player in range(table.players[0]) if bits >> player & 1]
    return f"{best[0]} wins" if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]} win"


def asked_words(table: t.CrashAndGrab) -> str:
    """Who is asked, and what."""
    phase = table.phase[0]
    if phase in (t.PLAN, t.OVER):
        return "All plan in secret" if phase == t.PLAN else "The game is over"
    if is_moving(table) and phase in BEFORE_MOVES:
        return f"{w.saucer_name(table.mover[0]).capitalize()} moves"
    question = QUESTIONS[phase]
    if phase >= t.FIRST_CHANCE:
        return f"{question[0].upper()}{question[1:]}"
    return f"{w.SEATS[table.asked[0]]}: {question}"


def seat_paint(table: t.CrashAndGrab, seat: int) -> str:
    """The colour of a player: that of his first saucer."""
    return PAINTS[first_saucer(table, seat)]


def picture(table: t.CrashAndGrab) -> Picture:
    """The table as shapes."""
    saucers = range(table.saucers[0])
    pieces = panel_pieces(table)
    for saucer in saucers:
        pieces += row_pieces(table, saucer)
    pieces += [*crew_pieces(table), *(saucer_piece(table, saucer) for saucer in reversed(saucers)), *site_pieces(table)]
    pieces += drawn_pieces(table)
    board = still(table.size[0], tuple(table.ground), len(saucers), table.players[0])
    return Picture(WIDTH, HEIGHT, board, tuple(pieces), caption(table))


# Words


def saucer_words(table: t.CrashAndGrab, saucer: int) -> str:
    """Where a saucer is, in words."""
    cell = table.cell[saucer]
    return f"{w.saucer_name(saucer)} saucer {'off the board' if cell == NOWHERE else f'on {t.place_words(cell)}'}"


def caption(table: t.CrashAndGrab) -> str:
    """The picture in words."""
    sentences = [heading(table), asked_words(table)]
    if table.turn[0] != NOWHERE:
        sentences.append(f"It is the turn of {w.saucer_name(table.turn[0])}")
    sentences.append(f"{player_name(table, table.probe[0])} has the probe")
    if table.spin[0]:
        sentences.append(spin_words(table.spin[0]))
    sentences += [row_words(table, saucer) for saucer in range(table.saucers[0])]
    on_board = [crew_words(table, crew) for crew in range(t.CREW) if 0 <= table.where[crew] < t.ABOARD]
    sentences.append(f"crew on the board: {', '.join(on_board) or 'none'}")
    pads = [t.place_words(cell) for cell, kind in enumerate(table.ground) if kind == t.ACCELERATOR]
    sentences.append(f"accelerators: {', '.join(pads)}")
    return " ".join(f"{words[0].upper()}{words[1:]}{'' if words[-1] in '?.' else '.'}" for words in sentences)


def row_words(table: t.CrashAndGrab, saucer: int) -> str:
    """A saucer with all that it has."""
    crew = ", ".join(map(t.crew_name, crew_aboard(table, saucer))) or "no crew"
    words = [saucer_words(table, saucer), f"energy {table.energy[saucer]}", f"boosters {table.boosters[saucer]}", crew]
    words += [w.TITLES[card] for card in upgrades_of(table, saucer)]
    if table.plan[saucer] != t.UNPLANNED:
        words.append(plan_words(table.plan[saucer]))
    return ", ".join(words)


# What happens: effects of one beat, and ways for a still summary


def effects(table: t.CrashAndGrab, rows: Sequence[Row], told: Sequence[Row] = ()) -> tuple[tuple[Piece, Piece], ...]:
    """The passing pieces of one beat, each at its beginning and at its end; `table` is the table before the beat."""
    passing: dict[str, tuple[Piece, Piece]] = {}
    moment = table.copy()
    for row in rows:
        for pair in passing_of(moment, row):
            passing[pair[0].key] = pair
        replay(moment, [row])
    return tuple(passing.values())


def passing_of(table: t.CrashAndGrab, row: Row) -> list[tuple[Piece, Piece]]:
    """What is to be seen of one event."""
    _, rule, _, field, index, before, after, _ = row
    if field == NOTE and rule == rules.M3:
        return [burst(f"bump {before}", centre(table, table.cell[before]), "crash!")]
    if field == NOTE and rule == rules.M4:
        return [ring_out(f"accelerate {index}", centre(table, table.cell[index]))]
    if field == NOTE and rule == rules.P1:
        return [thrown("die", die_shapes(index), die_at(table, index), f"the die shows {index}")]
    if field == rules.SPIN and after:
        shapes = *die_shapes(0), *spin_shapes(after, "ticket ink")
        return [thrown("way round", shapes, SPIN_AT, spin_words(after))]
    if field == rules.CELL and after == NOWHERE:
        return [puff(f"puff {index}", where_it_leaves(table, index, rule), w.saucer_name(index))]
    if field in (rules.ENERGY, rules.BOOSTERS):
        return [gift(table, field, index, after - before)]
    return []


def where_it_leaves(table: t.CrashAndGrab, saucer: int, rule: int) -> Point:
    """Where a saucer vanishes: over the edge, or on its space by a mine or a cloak."""
    if rule == rules.B5:
        return outside(table, table.cell[saucer], table.heading[0])
    return centre(table, table.cell[saucer])


def burst(key: str, place: Point, label: str) -> tuple[Piece, Piece]:
    """A star where two meet."""
    shapes = (Polygon(star(0, 0, 34, 21, 12), "flash", "flash edge", 3),)
    start = Piece(key, *place, shapes, scale=0.5, label=label)
    return start, Piece(key, *place, shapes, scale=1.15, alpha=0.0, label=label)


def puff(key: str, place: Point, name: str) -> tuple[Piece, Piece]:
    """A cloud where a saucer leaves the board."""
    clouds = tuple(Circle(14 * cos(n * pi / 3), 14 * sin(n * pi / 3), 11, "nobody", alpha=0.75) for n in range(6))
    shapes = (*clouds, Circle(0, 0, 12, "number", alpha=0.9))
    label = f"{name} leaves the board"
    return Piece(key, *place, shapes, scale=0.4, label=label), Piece(key, *place, shapes, 0, 1.5, 0.0, label)


def ring_out(key: str, place: Point) -> tuple[Piece, Piece]:
    """A ring that widens round an accelerator."""
    shapes = Circle(0, 0, 24, "", "flash edge", 5), Circle(0, 0, 24, "", "flash", 3)
    return Piece(key, *place, shapes, scale=0.5, label="accelerator"), Piece(
        key, *place, shapes, scale=1.5, alpha=0.0, label="accelerator"
    )


def rise(key: str, place: Point, shapes: tuple[Shape, ...], label: str) -> tuple[Piece, Piece]:
    """Something that rises and fades."""
    x, y = place
    return Piece(key, x, y, shapes, label=label), Piece(key, x, y - 20, shapes, scale=1.2, alpha=0.0, label=label)


def thrown(key: str, shapes: tuple[Shape, ...], place: Point, label: str) -> tuple[Piece, Piece]:
    """A die that is thrown over the board and comes to rest somewhere."""
    return Piece(key, MIDDLE, MIDDLE, shapes, scale=1.6, label=label), Piece(key, *place, shapes, 0, 0.5, 0.5, label)


def die_at(table: t.CrashAndGrab, number: int) -> Point:
    """The corner of the crash site that is thrown."""
    x, y = centre(table, table.ground.index(number))
    return x + unit(table) / 2 - 9, y - unit(table) / 2 + 9


def die_shapes(number: int) -> tuple[Shape, ...]:
    """A die with its number, or without one."""
    paper = Polygon(slab(-24, -24, 24, 24, 8), "ticket", "ticket edge", 2.5)
    return (paper, Text(0, 0, str(number), 28, "ticket ink", bold=True)) if number else (paper,)


def gift(table: t.CrashAndGrab, field: int, saucer: int, amount: int) -> tuple[Piece, Piece]:
    """What a saucer gains or spends of energy or boosters, rising from its count."""
    is_energy = field == rules.ENERGY
    what = "energy" if is_energy else "boosters"
    words = f"{amount:+d}"
    paint = ("chit", "chit edge", "chit ink") if is_energy else ("ticket", "ticket edge", "ticket ink")
    shapes = Circle(0, 0, 14, paint[0], paint[1], 2), Text(0, 0, words, 15, paint[2], bold=True)
    place = ROW_LEFT + (70 if is_energy else 118), row_top(table.saucers[0], saucer) + 17
    return rise(f"{what} of {saucer}", place, shapes, f"{w.saucer_name(saucer)}: {words} {what}")


def paths(table: t.CrashAndGrab, rows: Sequence[Row]) -> tuple[Shape, ...]:
    """The ways that saucers go in these rows, from this table on: a ring where each begins, a star at each crash; and
    what was thrown with the die, at that crash site.
    """
    moment = table.copy()
    walks: dict[int, list[list[Point]]] = {}
    stars: list[Shape] = []
    for row in rows:
        _, rule, _, field, index, before, after, _ = row
        if field == NOTE and rule == rules.M3:
            stars.append(Polygon(star(*centre(moment, moment.cell[before]), 15, 7, 8), "flash", "flash edge", 1.5))
        elif field == NOTE and rule == rules.P1:
            stars += placed(Piece("die", *die_at(moment, index), die_shapes(index), scale=0.5))
        elif field == rules.CELL and before != NOWHERE:
            place = where_it_leaves(moment, index, rule) if after == NOWHERE else centre(moment, after)
            lines = walks.setdefault(index, [[centre(moment, before)]])
            if lines[-1][-1] != centre(moment, before):  # it has been off the board in between
                lines.append([centre(moment, before)])
            if place != lines[-1][-1]:
                lines[-1].append(place)
            if after == NOWHERE:
                stars.append(Polygon(star(*place, 11, 5, 8), "flash", "flash edge", 1.5))
        replay(moment, [row])
    ways = [(saucer, walk) for saucer, lines in walks.items() for walk in lines if len(walk) > 1]
    shapes = [shape for saucer, walk in ways for shape in way(walk, PAINTS[saucer])]
    return (*shapes, *(Circle(*walk[0], 6, "cell", PAINTS[saucer], 3.5) for saucer, walk in ways), *stars)


def way(walk: Sequence[Point], stroke: str) -> tuple[Shape, ...]:
    """A way that was gone, with an arrow."""
    return Line(tuple(walk), "path edge", 9, alpha=0.7), Line(tuple(walk), stroke, 4.5, arrow=True)
