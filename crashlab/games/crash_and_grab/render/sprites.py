"""Saucers, crew, crash sites and drawn upgrades on a picture of Crash & Grab."""

from collections.abc import Iterator
from functools import cache
from math import cos, pi, sin
from textwrap import wrap

from crashlab.drawing import primitives
from crashlab.drawing.shapes import Circle, Piece, Point, Polygon, Shape, Text, slab
from crashlab.engine.table import NOWHERE
from crashlab.games import toolkit
from crashlab.games.crash_and_grab import notation as w
from crashlab.games.crash_and_grab import rules
from crashlab.games.crash_and_grab import state as t
from crashlab.games.crash_and_grab.positions import Saucer
from crashlab.games.crash_and_grab.render import layout

SMALL = 0.74  # scale of crew aboard and in the queue
CREW_X, CREW_Y = 53.0, 46.5  # offset of the first seat aboard in the saucer's row


@cache
def saucer_shapes(players: int, saucer: int, acting: bool) -> tuple[Shape, ...]:
    """Draw a flying saucer from above: a rim with lamps, a dome with the letter of its seat, a ring if it acts."""
    ring = primitives.halo((0, 0), 25.5, 3.5, 6.5) if acting else ()
    lamps = tuple(Circle(17 * cos(n * pi / 4), 17 * sin(n * pi / 4), 2.6, "lamp") for n in range(8))
    return (
        *ring,
        Circle(0, 0, 21.5, layout.PAINTS[saucer], "rubber", 3),
        *lamps,
        Circle(0, 0, 12.5, "number", "number ink", 1.5),
        Text(0, 0, layout.letter(players, saucer), 18, "number ink", bold=True),
        *layout.second(players, saucer, 0, 0, "number ink"),
    )


def acting(table: t.CrashAndGrab) -> int:
    """Return the mover, or the current saucer if there is no movement."""
    return table.mover[0] if is_moving(table) else table.turn[0]


def is_moving(table: t.CrashAndGrab) -> bool:
    """Return whether a saucer is moving."""
    return table.motion[0] != t.REST and table.mover[0] != NOWHERE


def saucer_place(table: t.CrashAndGrab, saucer: int) -> Point:
    """Return the point of a saucer; off the board it is on its badge."""
    cell = table.cell[saucer]
    return layout.badge_at(table.saucers[0], saucer) if cell == NOWHERE else layout.centre(table, cell)


def saucer_piece(table: t.CrashAndGrab, saucer: int) -> Piece:
    """Return the piece of a saucer; off the board it is small."""
    is_acting = acting(table) == saucer
    shapes = saucer_shapes(table.players[0], saucer, is_acting)
    scale = 0.78 if table.cell[saucer] == NOWHERE else layout.unit(table) / layout.SPACE
    key, label = f"saucer {w.saucer_name(saucer)}", saucer_words(table, saucer)
    return Piece(key, *saucer_place(table, saucer), shapes, scale=scale, label=label)


@cache
def crew_shapes(crew: int) -> tuple[Shape, ...]:
    """Draw a figure in its colour with the letter of its type."""
    paint = layout.PAINTS[crew // t.TYPES]
    letter = t.TYPE_NAMES[crew % t.TYPES][0]
    return (
        Circle(0, -11, 6.5, paint, "rubber", 1.6),
        Polygon(slab(-11, -5, 11, 14, 6), paint, "rubber", 1.6),
        Text(0, 3.5, letter, 19, f"{paint} ink", bold=True),
    )


def crew_aboard(table: t.CrashAndGrab, saucer: int) -> list[int]:
    """Return the crew of a saucer, sorted by type."""
    crew = [crew for crew in range(t.CREW) if table.where[crew] == t.ABOARD + saucer]
    return sorted(crew, key=lambda member: (member % t.TYPES, member))


def seats_aboard(table: t.CrashAndGrab, saucer: int) -> list[tuple[int, float]]:
    """Return the crew of a saucer, or -1 - type for a missing type, each with its offset from the first seat."""
    crew = crew_aboard(table, saucer)
    missing = [-1 - kind for kind in range(t.TYPES) if kind not in {member % t.TYPES for member in crew}]
    line = sorted(crew + missing, key=lambda member: (member % t.TYPES if member >= 0 else -1 - member, member))
    step = min(27.0, 118.0 / (len(line) - 1))
    return [(member, n * step) for n, member in enumerate(line)]


def crew_waiting(table: t.CrashAndGrab, colour: int) -> list[int]:
    """Return the queue of a colour, the front first (CG-S3)."""
    line = t.LINE[t.TYPES * table.crew_order[0] : t.TYPES * table.crew_order[0] + t.TYPES]
    return [t.TYPES * colour + kind for kind in line if table.where[t.TYPES * colour + kind] == t.QUEUE]


def crew_places(table: t.CrashAndGrab) -> dict[int, tuple[float, float, float]]:
    """Return the point and the scale of every crewmember in play."""
    places: dict[int, tuple[float, float, float]] = {}
    for crew, where in enumerate(table.where):
        if 0 <= where < t.ABOARD:
            places[crew] = (*layout.centre(table, where), layout.unit(table) / layout.SPACE)
    for saucer in range(table.saucers[0]):
        y = layout.row_top(table.saucers[0], saucer) + CREW_Y
        for member, aside in seats_aboard(table, saucer):
            if member >= 0:
                places[member] = (layout.ROW_LEFT + CREW_X + aside, y, SMALL)
    colours = [colour for colour in range(6) if table.where[t.TYPES * colour] != t.UNUSED]
    for group, colour in enumerate(colours):
        for n, crew in enumerate(crew_waiting(table, colour)):
            places[crew] = (layout.EDGE + 66 + group * 414 / len(colours) + 16 * n, layout.QUEUE_Y, SMALL)
    return places


def crew_words(table: t.CrashAndGrab, crew: int) -> str:
    """Describe the place of a crewmember."""
    where = table.where[crew]
    if where >= t.ABOARD:
        place = f"aboard {w.saucer_name(where - t.ABOARD)}"
    else:
        place = "waiting" if where == t.QUEUE else f"on {t.place_words(where)}, crash site {table.ground[where]}"
    return f"{t.crew_name(crew)} {place}"


def crew_pieces(table: t.CrashAndGrab) -> list[Piece]:
    """Return a piece for each crewmember in play."""
    return [
        Piece(f"crew {t.crew_name(crew)}", x, y, crew_shapes(crew), scale=scale, label=crew_words(table, crew))
        for crew, (x, y, scale) in sorted(crew_places(table).items())
    ]


@cache
def site_shapes(number: int) -> tuple[Shape, ...]:
    """Draw the number of a crash site on a plate."""
    return Circle(0, 0, 10.5, "cell", "cell ink", 1.3), Text(0, 0, str(number), 14, "ink", bold=True)


def site_pieces(table: t.CrashAndGrab) -> Iterator[Piece]:
    """Return the numbers of the crash sites, in the corner of their spaces, above all other pieces there."""
    for cell, kind in enumerate(table.ground):
        if kind not in (t.PLAIN, t.ACCELERATOR):
            x, y = layout.centre(table, cell)
            aside = layout.unit(table) / 2 - 9
            words = f"crash site {kind} on {t.place_words(cell)}"
            yield Piece(f"site {kind}", x - aside, y - aside, site_shapes(kind), label=words)


def upgrade_words(table: t.CrashAndGrab, card: int) -> str:
    """Describe an upgrade, with the whole text of its rule."""
    rule = rules.BOOK[rules.UPGRADE[card]]
    holder = table.holder[card]
    state = " (bought in this turn)" if table.fresh[card] else " (used in this turn)" if table.spent[card] else ""
    return f"{w.saucer_name(holder) if holder >= 0 else 'drawn'}: {rule.title}{state} [{rule.id}]. {rule.text}"


CARD_WIDTH = 216.0


@cache
def upgrade_shapes(card: int) -> tuple[Shape, ...]:
    """Draw an upgrade as a card with its title and its rule, with the origin in the middle of its upper edge."""
    half = CARD_WIDTH / 2
    title = rules.BOOK[rules.UPGRADE[card]].title
    return (
        Polygon(slab(-half, 0, half, card_height(card), 10), "ticket", "ticket edge", 2.5),
        Polygon(slab(-half + 6, 6, half - 6, 34, 6), "rail edge"),
        Text(0, 20, title, 16, "rail light", bold=True),
        *(Text(-half + 9, 50 + 17 * n, line, 14, "ticket ink", "left") for n, line in enumerate(card_lines(card))),
    )


def card_lines(card: int) -> list[str]:
    """Return the rule of an upgrade without house rulings, in lines as wide as a card."""
    return wrap(rules.BOOK[rules.UPGRADE[card]].text.partition(" House ruling:")[0], 27)


def drawn_pieces(table: t.CrashAndGrab) -> list[Piece]:
    """Return the drawn upgrades (CG-H1), as cards over the board."""
    return [
        Piece(f"upgrade {card + 1}", *place, upgrade_shapes(card), label=upgrade_words(table, card))
        for card, place in drawn(table).items()
    ]


def drawn(table: t.CrashAndGrab) -> dict[int, Point]:
    """Return the upper middle of each drawn upgrade's card, in the half of the board without the current saucer."""
    cards = [card for card in range(t.CARDS) if table.holder[card] == t.DRAWN]
    cell = table.cell[table.turn[0]] if table.turn[0] != NOWHERE else NOWHERE
    top = layout.EDGE + 34
    if cell != NOWHERE and layout.centre(table, cell)[1] < layout.MIDDLE:
        top = min([layout.MIDDLE + 34, *(layout.QUEUE_Y - 18 - card_height(card) for card in cards)])
    return {card: (layout.MIDDLE + (CARD_WIDTH + 10) * (n - (len(cards) - 1) / 2), top) for n, card in enumerate(cards)}


def card_height(card: int) -> float:
    """Return the height of an upgrade's card."""
    return 56.0 + 17 * len(card_lines(card))


def saucer_words(table: t.CrashAndGrab, saucer: int) -> str:
    """Describe the place of a saucer."""
    cell = table.cell[saucer]
    whose = layout.letter(table.players[0], saucer)
    where = "off the board" if cell == NOWHERE else f"on {t.place_words(cell)}"
    return f"{w.saucer_name(saucer)} saucer of {whose} {where}"


# Points of values


SAUCERS = {f"{lead}{name}": saucer for saucer, name in enumerate(t.COLOUR_NAMES) for lead in ("", "saucer ")}
CREW = {f"{lead}{t.crew_name(crew)}": crew for crew in range(t.CREW) for lead in ("", "crew ")}
SITES = {f"site {number}": number for number in range(1, t.SITES + 1)}


def place_of(table: t.CrashAndGrab, value: object) -> Point | None:
    """A space: (3, 4), "34" or 34. A space of a tile: (2, 0, 3) for tile 2, row 0 and column 3 as laid.

    A crash site: "site 7". A saucer (its badge if it is off the board): "red", or one of `state.saucers` on the board.
    A crewmember, even aboard or in the queue: "red pilot".
    """
    finders = (space_at, space_on_tile, site_at, saucer_at, crew_at)
    return toolkit.place_of(table, value.space if type(value) is Saucer else value, finders)


def space_at(table: t.CrashAndGrab, words: object) -> Point | None:
    """Return the middle of a space."""
    cell = w.read_cell(f"{words:02}" if isinstance(words, int) else words)
    return layout.centre(table, cell) if max(divmod(cell, 10)) < table.size[0] else None


def space_on_tile(table: t.CrashAndGrab, words: object) -> Point | None:
    """Return the middle of a space, given by a tile and the row and column in it; None for anything else."""
    if not isinstance(words, tuple) or len(words) != 3:
        return None
    tile, down, across = words
    for place in range(t.PLACES):
        row, column, height, width = t.layout(table.size[0], place)
        if w.tile_number(table, place) == tile and down in range(height) and across in range(width):
            return layout.centre(table, 10 * (row + down) + column + across)
    return None


def site_at(table: t.CrashAndGrab, words: object) -> Point | None:
    """Return the middle of the space of a crash site."""
    cell = t.site(table, SITES[words]) if isinstance(words, str) and words in SITES else NOWHERE
    return layout.centre(table, cell) if cell != NOWHERE else None


def saucer_at(table: t.CrashAndGrab, words: object) -> Point | None:
    """Return the point of a saucer."""
    saucer = SAUCERS.get(words, NOWHERE) if isinstance(words, str) else NOWHERE
    return saucer_place(table, saucer) if saucer in range(table.saucers[0]) else None


def crew_at(table: t.CrashAndGrab, words: object) -> Point | None:
    """Return the point of a crewmember: on the board, aboard or waiting."""
    place = crew_places(table).get(CREW[words]) if isinstance(words, str) and words in CREW else None
    return place[:2] if place else None
